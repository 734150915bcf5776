//! The encoding of a chess move in the 16 bits of [`Move`]: 6 bits origin, 6 bits target, 4 bits kind.

use super::bitboard::{PieceType, Square};
use crate::game::Move;

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// A move without any of the following.
    Quiet,
    /// A pawn push by two squares.
    DoublePush,
    /// Castling, encoded as a move from the king's square to the rook's square.
    Castling,
    /// A capture on the target square.
    Capture,
    /// An en passant capture.
    EnPassant,
    /// A promotion to this piece.
    Promotion(PieceType),
    /// A capture and promotion to this piece.
    CapturePromotion(PieceType),
}

const CAPTURE: u16 = 0b0100;
const PROMOTION: u16 = 0b1000;

/// The piece type in the kind bits of a promotion.
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

/// The pieces that a pawn can promote to, in the order of generation.
pub const PROMOTIONS: [PieceType; 4] =
    [PieceType::Queen, PieceType::Knight, PieceType::Rook, PieceType::Bishop];

/// The chess view of a [`Move`].
pub trait ChessMove: Copy {
    /// Encodes a move. `from` and `to` must differ.
    fn encode(from: Square, to: Square, kind: MoveKind) -> Self;
    /// The origin square; the king's square for castling.
    fn from(self) -> Square;
    /// The target square; the rook's square for castling.
    fn to(self) -> Square;
    /// The kind; `None` for bits that encode no chess move.
    fn kind(self) -> Option<MoveKind>;
    /// Whether it is a quiet move or a capture, not a double push, castling, en passant or promotion.
    fn is_normal(self) -> bool;
    /// Whether it is a capture, including en passant.
    fn is_capture(self) -> bool;
    /// Whether it is castling.
    fn is_castling(self) -> bool;
    /// Whether it is a pawn push by two squares.
    fn is_double_push(self) -> bool;
    /// The piece type of a promotion.
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
