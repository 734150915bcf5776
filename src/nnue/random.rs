//! Networks of random weights, for tests and benchmarks.

use super::features::Features;
use super::limits::LANES;
use super::network::{Lanes, Network, OutputWeights};

/// SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>).
pub(super) struct Random(pub(super) u64);

impl Random {
    /// A number below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 33) % end
    }

    /// A number from -`limit` to `limit`.
    fn within(&mut self, limit: i16) -> i16 {
        self.below(2 * u64::from(limit.unsigned_abs()) + 1) as i16 - limit
    }

    fn rows(&mut self, elements: usize, limit: i16) -> Box<[Lanes]> {
        (0..elements / LANES).map(|_| Lanes(std::array::from_fn(|_| self.within(limit)))).collect()
    }
}

impl Network {
    /// A network for the game `variant` with accumulators of `width` elements, whose weights depend on nothing but `seed`. Its
    /// values say nothing about a position, but all parts of a search and all paths of the inference work as with a trained one.
    pub fn random<F: Features<CELLS>, const CELLS: usize>(variant: &str, width: usize, seed: u64) -> Network {
        let mut random = Random(seed);
        let bias = random.rows(width, 120);
        let inputs = random.rows(F::INPUTS * width, 40);
        let mut output = |_| OutputWeights {
            weights: [random.rows(width, 8), random.rows(width, 8)],
            bias: random.within(1000).into(),
        };
        let outputs = (0..F::OUTPUT_BUCKETS).map(&mut output).collect();
        let description = format!("random weights, seed {seed}");
        Network { variant: variant.into(), description, bias, inputs, outputs, scale: 300 }
    }
}
