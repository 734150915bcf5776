//! A pseudo-random sequence for hash keys and shuffles, the same in every build and run.

/// The SplitMix64 generator (Steele, Lea and Flood 2014, <https://doi.org/10.1145/2660193.2660195>).
///
/// Its functions are `const`, so key tables can be constants. For one value the mixing is a bijection of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Starts the sequence at `seed`.
    pub const fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// Returns the next 64 bits of the sequence.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns the next `N` numbers of the sequence.
    pub const fn array<const N: usize>(&mut self) -> [u64; N] {
        let mut keys = [0; N];
        let mut i = 0;
        while i < N {
            keys[i] = self.next();
            i += 1;
        }
        keys
    }

    /// Returns one of `items`, or `None` and takes no number if there is none.
    ///
    /// Indices are remainders, so the items are not exactly equally likely. The bias is below `items.len()` / 2^64.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| &items[(self.next() % items.len() as u64) as usize])
    }

    /// Shuffles `items` (Fisher and Yates); takes `items.len() - 1` numbers from the sequence.
    ///
    /// Indices are remainders, so the permutations are not exactly equally likely. The bias is below `items.len()` / 2^64.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, (self.next() % (last as u64 + 1)) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_with_the_reference_seed_gives_the_published_numbers() {
        // First outputs of the reference implementation's test vector.
        let mut keys = SplitMix64::new(1_234_567);
        assert_eq!(keys.next(), 6_457_827_717_110_365_317);
        assert_eq!(keys.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn choose_returns_some_item_of_a_list_that_is_not_empty() {
        let mut random = SplitMix64::new(7);
        assert!((0..100).all(|_| random.choose(&[3, 4, 5]).is_some_and(|item| (3..=5).contains(item))));
        assert_eq!(random.choose::<u8>(&[]), None);
    }

    #[test]
    fn shuffle_keeps_the_items_and_takes_one_number_less() {
        let (mut random, mut items) = (SplitMix64::new(7), [0, 1, 2, 3, 4, 5, 6, 7]);
        random.shuffle(&mut items);
        let mut skipped = SplitMix64::new(7);
        skipped.array::<7>();
        assert_eq!(random.next(), skipped.next());
        assert_ne!(items, [0, 1, 2, 3, 4, 5, 6, 7]);
        items.sort_unstable();
        assert_eq!(items, [0, 1, 2, 3, 4, 5, 6, 7]);
        random.shuffle::<u8>(&mut []);
    }
}
