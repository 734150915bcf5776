//! What a network sees of a position.

use std::fmt::Debug;
use wide::{u8x16, u16x16};

/// What a cell of a board holds: a number.
pub trait Content: Copy + Eq + Debug + Send + Sync {
    /// The content with this number.
    fn from_index(index: usize) -> Self;

    /// The number of the content.
    fn index(self) -> usize;

    /// Returns one bit for each of the cells in which `one` and `other` differ, the first cell lowest.
    fn differences_of_chunk(one: &[Self; CHUNK], other: &[Self; CHUNK]) -> u32;
}

/// The number of cells that are compared together.
pub const CHUNK: usize = 16;

impl Content for u8 {
    fn from_index(index: usize) -> u8 {
        index as u8
    }

    #[inline]
    fn index(self) -> usize {
        self.into()
    }

    #[inline]
    fn differences_of_chunk(one: &[u8; CHUNK], other: &[u8; CHUNK]) -> u32 {
        u8x16::new(*one).simd_ne(u8x16::new(*other)).to_bitmask()
    }
}

impl Content for u16 {
    fn from_index(index: usize) -> u16 {
        index as u16
    }

    #[inline]
    fn index(self) -> usize {
        self.into()
    }

    #[inline]
    fn differences_of_chunk(one: &[u16; CHUNK], other: &[u16; CHUNK]) -> u32 {
        u16x16::new(*one).simd_ne(u16x16::new(*other)).to_bitmask()
    }
}

/// Returns one bit for each of the cells in which `one` and `other` differ, the first cell lowest. Both have the same number of
/// cells, at most 64.
#[inline]
pub fn differences<C: Content>(one: &[C], other: &[C]) -> u64 {
    let (Some(one_last), Some(other_last)) = (one.last_chunk(), other.last_chunk()) else {
        let cells = one.iter().zip(other).enumerate();
        return cells.fold(0, |bits, (cell, (one, other))| bits | u64::from(one != other) << cell);
    };
    let different = |one, other, first: usize| u64::from(C::differences_of_chunk(one, other)) << first;
    let chunks = one.as_chunks().0.iter().zip(other.as_chunks().0).enumerate();
    // The last chunk may repeat some cells.
    let last = different(one_last, other_last, one.len() - CHUNK);
    chunks.fold(last, |bits, (index, (one, other))| bits | different(one, other, CHUNK * index))
}

/// The contents of the `CELLS` cells of a board as inputs of a network.
///
/// A game with a network also has [`Networked`](crate::game::Networked) as its evaluator, its functions for networks in
/// [`Variant`](crate::game::Variant), and a line in the list of networks in `variants.rs`.
///
/// There are two perspectives: 0 is that of the first player, 1 that of the second. Each sees the board in one of several
/// *views*. A view says how the board is turned and mirrored, and which input bucket counts, for example by
/// the place of the own king. The inputs of a cell depend on nothing but the view and the content.
pub trait Features<const CELLS: usize> {
    /// The type of a content: `u8` if there are at most 256.
    type Content: Content;

    /// The number of views, those of both perspectives together.
    const VIEWS: usize = 2;
    /// The number of input buckets: in chess king buckets. All have the same size; inputs with the same number in their
    /// buckets have the same meaning in different views.
    const INPUT_BUCKETS: usize = 1;
    /// The number of inputs of one perspective, of all input buckets together.
    const INPUTS: usize;
    /// The most cells that can have an input at once in a game from the usual start.
    const MAX_ACTIVE: usize;
    /// Whether the input of a content depends on its cell.
    const BY_CELL: bool = true;
    /// The number of bits that the number of a content takes in a record of the trainer: 4, 8 or 16.
    const CONTENT_BITS: usize;
    /// The number of output buckets.
    const OUTPUT_BUCKETS: usize;
    /// The content of a cell that has no input.
    const EMPTY: Self::Content;

    /// The number of symmetric images of the board: training shows a network all of them.
    const SYMMETRIES: usize = 1;

    /// Returns all contents that have an input, by their numbers.
    fn contents() -> impl Iterator<Item = usize>;

    /// Returns the content of each cell.
    fn cells(&self) -> [Self::Content; CELLS];

    /// Returns the perspective of the side to move.
    fn perspective(&self) -> usize;

    /// Returns the view of `perspective`, less than [`Features::VIEWS`]. Both perspectives have views of their own.
    #[inline]
    fn view(&self, perspective: usize) -> usize {
        perspective
    }

    /// Returns the input of `content`, which is not [`Features::EMPTY`], in `cell`; less than [`Features::INPUTS`].
    fn input(view: usize, cell: usize, content: Self::Content) -> usize;

    /// Returns the cell that shows `cell` in image number `image`, less than [`Features::SYMMETRIES`]. Image 0 is the board itself.
    fn image(cell: usize, image: usize) -> usize {
        debug_assert!(image == 0);
        cell
    }

    /// Returns what is added to the network's value for the side to move, in the game's unit: in Go, the komi.
    fn added_value(&self) -> i32 {
        0
    }

    /// Whether the network evaluates this position. The hand-written evaluation evaluates the others.
    fn is_covered(&self) -> bool {
        true
    }

    /// Returns the output bucket, less than [`Features::OUTPUT_BUCKETS`].
    fn output_bucket(&self) -> usize;
}

/// The constants and the numbering of [`Features`] as values, for code that need not be compiled for each game.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The number of cells.
    pub cells: usize,
    /// [`Features::VIEWS`].
    pub views: usize,
    /// [`Features::INPUT_BUCKETS`].
    pub input_buckets: usize,
    /// [`Features::INPUTS`].
    pub inputs: usize,
    /// [`Features::MAX_ACTIVE`].
    pub max_active: usize,
    /// [`Features::BY_CELL`].
    pub by_cell: bool,
    /// [`Features::CONTENT_BITS`].
    pub content_bits: usize,
    /// [`Features::OUTPUT_BUCKETS`].
    pub output_buckets: usize,
    /// [`Features::SYMMETRIES`].
    pub symmetries: usize,
    /// The input of a content, by view, cell and number of the content ([`Features::input`]).
    pub input: fn(usize, usize, usize) -> usize,
    /// [`Features::image`].
    pub image: fn(usize, usize) -> usize,
    /// The numbers of all contents that have an input ([`Features::contents`]).
    pub contents: fn() -> Vec<usize>,
}

impl Layout {
    /// The layout of the inputs of `F`.
    pub fn of<F: Features<CELLS>, const CELLS: usize>() -> Layout {
        Layout {
            cells: CELLS,
            views: F::VIEWS,
            input_buckets: F::INPUT_BUCKETS,
            inputs: F::INPUTS,
            max_active: F::MAX_ACTIVE,
            by_cell: F::BY_CELL,
            content_bits: F::CONTENT_BITS,
            output_buckets: F::OUTPUT_BUCKETS,
            symmetries: F::SYMMETRIES,
            input: |view, cell, content| F::input(view, cell, F::Content::from_index(content)),
            image: F::image,
            contents: || F::contents().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_the_cells_that_differ() {
        let different = [0, 7, 8, 13, 20];
        for cells in [21, 24, 64] {
            let (one, mut other) = (vec![7; cells], vec![7; cells]);
            assert_eq!(differences(&one, &other), 0);
            let bits = different.iter().zip([1, 8, 0x80, 0x87, 6]).fold(0, |bits, (&cell, content)| {
                other[cell] = content;
                bits | 1 << cell
            });
            assert_eq!(differences(&one, &other), bits);
            let wide =
                |cells: &[u8]| cells.iter().map(|&content| 300 + u16::from(content)).collect::<Vec<_>>();
            assert_eq!(differences(&wide(&one), &wide(&other)), bits);
            assert_eq!(differences(&wide(&one), &wide(&one)), 0);
        }
    }
}
