//! Squares, sets of squares, and pieces.

use crate::game::{Side, const_for, pieces, square_set};

pub(super) const FILES: usize = 9;
pub(super) const RANKS: usize = 10;
pub(super) const SQUARES: usize = FILES * RANKS;

/// A square, a1 = 0, b1 = 1, … i10 = 89. Red's home rank is rank 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this index, which must be less than 90.
    pub(super) const fn new(index: usize) -> Square {
        debug_assert!(index < SQUARES);
        Square(index as u8)
    }

    /// The square on `file` (0 = a) and `rank` (0 = Red's home rank).
    pub(super) const fn at(file: usize, rank: usize) -> Square {
        Square::new(rank * FILES + file)
    }

    /// The index, 0 to 89.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, 0 = a.
    #[inline(always)]
    pub const fn file(self) -> usize {
        self.0 as usize % FILES
    }

    /// The rank, 0 = Red's home rank.
    #[inline(always)]
    pub const fn rank(self) -> usize {
        self.0 as usize / FILES
    }

    #[inline(always)]
    pub(super) const fn bit(self) -> Bitboard {
        Bitboard(1 << self.0)
    }

    /// The square from the point of view of `side`, whose home rank becomes rank 0. Files stay.
    pub(super) const fn relative(self, side: Side) -> Square {
        match side {
            Side::White => self,
            Side::Black => Square::at(self.file(), RANKS - 1 - self.rank()),
        }
    }

    /// Parses a square such as `e4` or `i10`; `None` for any other text, also for upper case.
    pub(super) fn parse(text: &str) -> Option<Square> {
        let file = text.bytes().next().filter(|file| (b'a'..=b'i').contains(file))? - b'a';
        let rank = text.get(1..).filter(|rank| !rank.starts_with(['0', '+']))?.parse::<usize>().ok()?;
        (rank <= RANKS).then(|| Square::at(usize::from(file), rank - 1))
    }
}

/// A set of squares: bit n is the square with index n.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u128);

square_set!(Bitboard of Square, SQUARES, Square);

impl Bitboard {
    const RANK: u128 = (1 << FILES) - 1;

    /// The half of the board on `side`'s bank of the river.
    pub const fn home(side: Side) -> Bitboard {
        let half = (1 << (SQUARES / 2)) - 1;
        match side {
            Side::White => Bitboard(half),
            Side::Black => Bitboard(half << (SQUARES / 2)),
        }
    }

    /// The nine squares of `side`'s palace.
    pub const fn palace(side: Side) -> Bitboard {
        let ranks = 0b111 << 3 | 0b111 << 12 | 0b111 << 21;
        match side {
            Side::White => Bitboard(ranks),
            Side::Black => Bitboard(ranks << (7 * FILES)),
        }
    }

    /// The squares of a rank, 0 = Red's home rank.
    pub const fn rank(rank: usize) -> Bitboard {
        Bitboard(Self::RANK << (rank * FILES))
    }

    /// The squares of a file, 0 = a.
    pub const fn file(file: usize) -> Bitboard {
        let mut squares = 0;
        const_for!(rank, 0..RANKS, {
            squares |= 1 << (rank * FILES + file);
        });
        Bitboard(squares)
    }
}

pieces!(
    Pawn 'p', Adviser 'a', Elephant 'b', Horse 'n', Cannon 'c', Rook 'r', King 'k';
    'e' means 'b'; 'h' means 'n'
);
