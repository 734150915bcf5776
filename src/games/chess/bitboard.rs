//! Squares, sets of squares, and pieces.

use crate::game::{Side, pieces, square_set};

/// A square, a1 = 0, b1 = 1, … h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this index, modulo 64.
    pub const fn new(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square on `file` (0 = a) and `rank` (0 = first).
    pub const fn at(file: u8, rank: u8) -> Square {
        Square::new(rank << 3 | (file & 7))
    }

    /// The index, 0 to 63. The mask lets the compiler omit bounds checks.
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The file, 0 = a.
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, 0 = first.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The set of only this square.
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << (self.0 & 63))
    }

    /// The square on the same file with the ranks reversed.
    pub const fn mirrored(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// The square from the point of view of `side`, whose own first rank becomes rank 0.
    pub const fn relative(self, side: Side) -> Square {
        Square(self.0 ^ (side as u8 * 56))
    }

    /// The square with the index plus `delta`, which must be on the board.
    pub const fn offset(self, delta: i8) -> Square {
        Square::new(self.0.wrapping_add_signed(delta))
    }

    /// Parses a square such as `e4`; `None` for any other text, also for upper case.
    pub fn parse(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square::at(file - b'a', rank - b'1')),
            _ => None,
        }
    }
}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

square_set!(Bitboard of Square, 64, Square::new);

impl Bitboard {
    /// The a file.
    pub const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
    /// The h file.
    pub const FILE_H: Bitboard = Bitboard(Self::FILE_A.0 << 7);
    /// The dark squares.
    pub const DARK: Bitboard = Bitboard(0xAA55_AA55_AA55_AA55);

    /// The squares of a rank, 0 = first.
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0xFF << (8 * rank))
    }

    /// The squares of a file, 0 = a.
    pub const fn file(file: u8) -> Bitboard {
        Bitboard(Self::FILE_A.0 << file)
    }

    /// The squares of a rank from the point of view of `side`, 0 = its own first.
    pub const fn relative_rank(side: Side, rank: u8) -> Bitboard {
        match side {
            Side::White => Bitboard::rank(rank),
            Side::Black => Bitboard::rank(7 - rank),
        }
    }

    /// Whether the set has at least two squares.
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// All squares moved by `delta` indices. Squares that leave over the a or h file wrap around.
    pub const fn shift(self, delta: i8) -> Bitboard {
        if delta >= 0 { Bitboard(self.0 << delta as u32) } else { Bitboard(self.0 >> -delta as u32) }
    }

    /// All squares moved one rank forward from the point of view of `side`.
    pub const fn forward(self, side: Side) -> Bitboard {
        match side {
            Side::White => Bitboard(self.0 << 8),
            Side::Black => Bitboard(self.0 >> 8),
        }
    }
}

pieces!(Pawn 'p', Knight 'n', Bishop 'b', Rook 'r', Queen 'q', King 'k');
