//! Squares, sets of squares and what stands on them.

use crate::game::Side;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

/// A square, a1 = 0, b1 = 1, … h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this index; only the low six bits count.
    pub const fn new(index: u8) -> Square {
        Square(index & 63)
    }

    /// File 0 = a, rank 0 = first.
    pub const fn at(file: u8, rank: u8) -> Square {
        Square::new(rank << 3 | (file & 7))
    }

    /// 0..64; the mask tells the compiler so.
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 = a.
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 = first.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The set of this square alone.
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << (self.0 & 63))
    }

    /// The same square seen from the other side of the board.
    pub const fn mirrored(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// The same square as `side` sees it: its own first rank is rank 0.
    pub const fn relative(self, side: Side) -> Square {
        Square(self.0 ^ (side as u8 * 56))
    }

    /// `delta` squares on; the caller knows that it stays on the board.
    pub const fn offset(self, delta: i8) -> Square {
        Square::new(self.0.wrapping_add_signed(delta))
    }

    /// Reads `e4`, in lower case.
    pub fn parse(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square::at(file - b'a', rank - b'1')),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The a-file.
    pub const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
    /// The h-file.
    pub const FILE_H: Bitboard = Bitboard(Self::FILE_A.0 << 7);
    /// The dark squares.
    pub const DARK: Bitboard = Bitboard(0xAA55_AA55_AA55_AA55);

    /// A rank, 0 = first.
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0xFF << (8 * rank))
    }

    /// A file, 0 = a.
    pub const fn file(file: u8) -> Bitboard {
        Bitboard(Self::FILE_A.0 << file)
    }

    /// A rank as `side` counts it: its own first is 0.
    pub const fn relative_rank(side: Side, rank: u8) -> Bitboard {
        match side {
            Side::White => Bitboard::rank(rank),
            Side::Black => Bitboard::rank(7 - rank),
        }
    }

    /// How many squares.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is one at least.
    pub const fn has_any(self) -> bool {
        self.0 != 0
    }

    /// Whether there are two at least.
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether `square` is among them.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The lowest square; a1 if there is none.
    pub const fn lsb(self) -> Square {
        Square::new(self.0.trailing_zeros() as u8)
    }

    /// All moved by `delta` squares; what leaves over a side of the board comes in on the other.
    pub const fn shift(self, delta: i8) -> Bitboard {
        if delta >= 0 { Bitboard(self.0 << delta as u32) } else { Bitboard(self.0 >> -delta as u32) }
    }

    /// All one rank forward as `side` sees it.
    pub const fn forward(self, side: Side) -> Bitboard {
        match side {
            Side::White => Bitboard(self.0 << 8),
            Side::Black => Bitboard(self.0 >> 8),
        }
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard { Bitboard(self.0.$method(other.0)) }
        }
        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) { self.0.$assign_method(other.0) }
        }
    )*};
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl Not for Bitboard {
    type Output = Bitboard;
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

/// The squares of the first set that are not in the second.
impl Sub for Bitboard {
    type Output = Bitboard;
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = self.lsb();
        self.0 &= self.0 - 1;
        Some(square)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// A kind of chess piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "their names say it")]
pub enum PieceType {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl PieceType {
    /// All kinds, in the order of their values.
    pub const ALL: [PieceType; 6] = [
        PieceType::Pawn,
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
        PieceType::King,
    ];

    /// 0 for a pawn to 5 for a king.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The FEN letter in lower case.
    pub const fn letter(self) -> char {
        ['p', 'n', 'b', 'r', 'q', 'k'][self as usize]
    }
}

/// What stands on a square: a piece of a side, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece(u8);

impl Piece {
    /// An empty square.
    pub const NONE: Piece = Piece(6);
    /// Values of [`Man::index`] lie below this.
    pub const COUNT: usize = 16;

    /// A piece of a side.
    pub const fn new(side: Side, kind: PieceType) -> Piece {
        Piece((side as u8) << 3 | kind as u8)
    }

    /// For tables of [`Man::COUNT`] elements.
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// The kind of piece, if there is one.
    pub const fn kind(self) -> Option<PieceType> {
        const KINDS: [Option<PieceType>; 8] = [
            Some(PieceType::Pawn),
            Some(PieceType::Knight),
            Some(PieceType::Bishop),
            Some(PieceType::Rook),
            Some(PieceType::Queen),
            Some(PieceType::King),
            None,
            None,
        ];
        KINDS[(self.0 & 7) as usize]
    }

    /// Whose it is; White's for an empty square.
    pub const fn side(self) -> Side {
        if self.0 < 8 { Side::White } else { Side::Black }
    }

    /// The FEN letter; `.` for an empty square.
    pub fn letter(self) -> char {
        match (self.kind(), self.side()) {
            (None, _) => '.',
            (Some(kind), Side::White) => kind.letter().to_ascii_uppercase(),
            (Some(kind), Side::Black) => kind.letter(),
        }
    }

    /// Reads a FEN letter.
    pub fn parse(letter: char) -> Option<Piece> {
        let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
        let kind = PieceType::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_lowercase())?;
        Some(Piece::new(side, kind))
    }
}
