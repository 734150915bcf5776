//! Sets of cells.

use super::MAX_CELLS;

const WORDS: usize = MAX_CELLS.div_ceil(64);

/// A set of cells with its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellSet {
    words: [u64; WORDS],
    len: u16,
}

impl CellSet {
    /// Adds `cell`, which must not be in the set.
    pub fn insert(&mut self, cell: usize) {
        debug_assert!(!self.contains(cell));
        self.words[cell / 64] ^= 1 << (cell % 64);
        self.len += 1;
    }

    /// Removes `cell`, which must be in the set.
    pub fn remove(&mut self, cell: usize) {
        debug_assert!(self.contains(cell));
        self.words[cell / 64] ^= 1 << (cell % 64);
        self.len -= 1;
    }

    /// Whether `cell` is in the set.
    pub fn contains(&self, cell: usize) -> bool {
        self.words[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Whether the set has no cell.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the set has two or more cells.
    pub fn has_two(&self) -> bool {
        self.len > 1
    }

    /// Returns the lowest cell.
    pub fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    /// Returns the cells in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            let mut bits = bits;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(64 * word + bit)
            })
        })
    }
}
