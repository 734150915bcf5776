//! Networks of random weights, for tests and benchmarks.

use super::features::Features;
use super::network::{HIDDEN, Network, OutputWeights, Row};

/// SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>).
struct Random(u64);

impl Random {
    /// A number from -`limit` to `limit`.
    fn within(&mut self, limit: i16) -> i16 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let below = ((mixed ^ (mixed >> 31)) >> 33) % (2 * u64::from(limit.unsigned_abs()) + 1);
        below as i16 - limit
    }

    fn row(&mut self, limit: i16) -> Row {
        Row(std::array::from_fn::<i16, HIDDEN, _>(|_| self.within(limit)))
    }
}

impl Network {
    /// A network for the game `variant` whose weights depend on nothing but `seed`. Its values say nothing about a
    /// position, but all parts of a search and all paths of the inference work as with a trained one.
    pub fn random<F: Features<CELLS>, const CELLS: usize>(variant: &str, seed: u64) -> Network {
        let mut random = Random(seed);
        Network {
            variant: variant.into(),
            description: format!("random weights, seed {seed}"),
            bias: random.row(120),
            inputs: (0..F::INPUTS).map(|_| random.row(40)).collect(),
            outputs: (0..F::OUTPUT_BUCKETS)
                .map(|_| OutputWeights {
                    weights: [random.row(8), random.row(8)],
                    bias: random.within(1000).into(),
                })
                .collect(),
            scale: 300,
        }
    }
}
