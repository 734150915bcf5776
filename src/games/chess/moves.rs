//! What the 16 bits of a [`Move`] mean in chess: from 6, to 6, kind 4.

use super::bitboard::{Piece, Square};
use crate::game::Move;

/// What a move does beside going from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing else.
    Quiet,
    /// A pawn's first move of two squares.
    DoublePush,
    /// Castling; the move goes from the king's square to the castling rook's.
    Castling,
    /// It takes what stands on its target.
    Capture,
    /// It takes a pawn in passing.
    EnPassant,
    /// A pawn becomes this piece.
    Promotion(Piece),
    /// A pawn takes and becomes this piece.
    CapturePromotion(Piece),
}

const CAPTURE: u16 = 0b0100;
const PROMOTION: u16 = 0b1000;

/// What the bits of a promotion make of the pawn.
const fn promoted(bits: u16) -> Piece {
    [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen][(bits & 3) as usize]
}

impl Kind {
    const fn bits(self) -> u16 {
        match self {
            Kind::Quiet => 0,
            Kind::DoublePush => 1,
            Kind::Castling => 2,
            Kind::Capture => CAPTURE,
            Kind::EnPassant => CAPTURE | 1,
            Kind::Promotion(piece) => PROMOTION | (piece as u16 - Piece::Knight as u16),
            Kind::CapturePromotion(piece) => PROMOTION | CAPTURE | (piece as u16 - Piece::Knight as u16),
        }
    }
}

/// The pieces that a pawn may become, the best first.
pub const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Knight, Piece::Rook, Piece::Bishop];

/// A [`Move`] as chess reads it.
pub trait ChessMove: Copy {
    /// Packs a move. `from` and `to` differ.
    fn chess(from: Square, to: Square, kind: Kind) -> Self;
    /// Where it starts; the king's square in castling.
    fn from(self) -> Square;
    /// Where it ends; the rook's square in castling.
    fn to(self) -> Square;
    /// What else it does; `None` for bits that no chess move has.
    fn kind(self) -> Option<Kind>;
    /// Whether it only moves one man and takes at most what stood on its target.
    fn is_plain(self) -> bool;
    /// Whether it takes something, in passing too.
    fn is_capture(self) -> bool;
    /// Whether it is castling.
    fn is_castling(self) -> bool;
    /// Whether it is a pawn's first move of two squares.
    fn is_double_push(self) -> bool;
    /// What the pawn becomes, if it does.
    fn promotion(self) -> Option<Piece>;
}

impl ChessMove for Move {
    #[inline(always)]
    fn chess(from: Square, to: Square, kind: Kind) -> Move {
        debug_assert!(from != to);
        Move::new(from.index() as u16 | (to.index() as u16) << 6 | kind.bits() << 12)
    }

    #[inline(always)]
    fn from(self) -> Square {
        Square::new(self.bits() as u8)
    }

    #[inline(always)]
    fn to(self) -> Square {
        Square::new((self.bits() >> 6) as u8)
    }

    #[inline(always)]
    fn kind(self) -> Option<Kind> {
        Some(match self.bits() >> 12 {
            0 => Kind::Quiet,
            1 => Kind::DoublePush,
            2 => Kind::Castling,
            4 => Kind::Capture,
            5 => Kind::EnPassant,
            bits if bits & PROMOTION != 0 => {
                let piece = promoted(bits);
                if bits & CAPTURE != 0 { Kind::CapturePromotion(piece) } else { Kind::Promotion(piece) }
            }
            _ => return None,
        })
    }

    #[inline(always)]
    fn is_plain(self) -> bool {
        self.bits() >> 12 & !CAPTURE == 0
    }

    #[inline(always)]
    fn is_capture(self) -> bool {
        self.bits() >> 12 & CAPTURE != 0
    }

    #[inline(always)]
    fn is_castling(self) -> bool {
        self.bits() >> 12 == 2
    }

    #[inline(always)]
    fn is_double_push(self) -> bool {
        self.bits() >> 12 == 1
    }

    #[inline(always)]
    fn promotion(self) -> Option<Piece> {
        let bits = self.bits() >> 12;
        (bits & PROMOTION != 0).then(|| promoted(bits))
    }
}
