//! What the 16 bits of a [`Move`] mean in chess: from 6, to 6, kind 4.

use super::bitboard::{PieceType, Square};
use crate::game::Move;

/// What a move does beside going from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
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
    Promotion(PieceType),
    /// A pawn takes and becomes this piece.
    CapturePromotion(PieceType),
}

const CAPTURE: u16 = 0b0100;
const PROMOTION: u16 = 0b1000;

/// What the bits of a promotion make of the pawn.
const fn promoted(bits: u16) -> PieceType {
    [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen][(bits & 3) as usize]
}

impl MoveKind {
    const fn bits(self) -> u16 {
        match self {
            MoveKind::Quiet => 0,
            MoveKind::DoublePush => 1,
            MoveKind::Castling => 2,
            MoveKind::Capture => CAPTURE,
            MoveKind::EnPassant => CAPTURE | 1,
            MoveKind::Promotion(kind) => PROMOTION | (kind as u16 - PieceType::Knight as u16),
            MoveKind::CapturePromotion(kind) => {
                PROMOTION | CAPTURE | (kind as u16 - PieceType::Knight as u16)
            }
        }
    }
}

/// The pieces that a pawn may become, the best first.
pub const PROMOTIONS: [PieceType; 4] =
    [PieceType::Queen, PieceType::Knight, PieceType::Rook, PieceType::Bishop];

/// A [`Move`] as chess reads it.
pub trait ChessMove: Copy {
    /// Packs a move. `from` and `to` differ.
    fn encode(from: Square, to: Square, kind: MoveKind) -> Self;
    /// Where it starts; the king's square in castling.
    fn from(self) -> Square;
    /// Where it ends; the rook's square in castling.
    fn to(self) -> Square;
    /// What else it does; `None` for bits that no chess move has.
    fn kind(self) -> Option<MoveKind>;
    /// Whether it only moves one man and takes at most what stood on its target.
    fn is_normal(self) -> bool;
    /// Whether it takes something, in passing too.
    fn is_capture(self) -> bool;
    /// Whether it is castling.
    fn is_castling(self) -> bool;
    /// Whether it is a pawn's first move of two squares.
    fn is_double_push(self) -> bool;
    /// What the pawn becomes, if it does.
    fn promotion(self) -> Option<PieceType>;
}

impl ChessMove for Move {
    #[inline(always)]
    fn encode(from: Square, to: Square, kind: MoveKind) -> Move {
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
    fn kind(self) -> Option<MoveKind> {
        Some(match self.bits() >> 12 {
            0 => MoveKind::Quiet,
            1 => MoveKind::DoublePush,
            2 => MoveKind::Castling,
            4 => MoveKind::Capture,
            5 => MoveKind::EnPassant,
            bits if bits & PROMOTION != 0 => {
                let kind = promoted(bits);
                if bits & CAPTURE != 0 { MoveKind::CapturePromotion(kind) } else { MoveKind::Promotion(kind) }
            }
            _ => return None,
        })
    }

    #[inline(always)]
    fn is_normal(self) -> bool {
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
    fn promotion(self) -> Option<PieceType> {
        let bits = self.bits() >> 12;
        (bits & PROMOTION != 0).then(|| promoted(bits))
    }
}
