//! The encoding of a xiangqi move in the 16 bits of [`Move`]: 7 bits origin, 7 bits target, 1 bit for a capture.

use super::bitboard::{SQUARES, Square};
use crate::game::Move;

const CAPTURE: u16 = 1 << 14;
const SQUARE_MASK: u16 = (1 << 7) - 1;

/// The xiangqi view of a [`Move`].
pub(super) trait XiangqiMove: Copy {
    /// Encodes a move. `from` and `to` must differ.
    fn encode(from: Square, to: Square, captures: bool) -> Self;
    fn from(self) -> Square;
    fn to(self) -> Square;
    fn is_capture(self) -> bool;
    /// Whether the bits encode two squares of the board.
    fn is_well_formed(self) -> bool;
}

impl XiangqiMove for Move {
    #[inline(always)]
    fn encode(from: Square, to: Square, captures: bool) -> Move {
        debug_assert!(from != to);
        Move::new(from.index() as u16 | (to.index() as u16) << 7 | (u16::from(captures) * CAPTURE))
    }

    #[inline(always)]
    fn from(self) -> Square {
        Square::new(usize::from(self.bits() & SQUARE_MASK))
    }

    #[inline(always)]
    fn to(self) -> Square {
        Square::new(usize::from(self.bits() >> 7 & SQUARE_MASK))
    }

    #[inline(always)]
    fn is_capture(self) -> bool {
        self.bits() & CAPTURE != 0
    }

    fn is_well_formed(self) -> bool {
        let (from, to) =
            (usize::from(self.bits() & SQUARE_MASK), usize::from(self.bits() >> 7 & SQUARE_MASK));
        from < SQUARES && to < SQUARES && from != to && self.bits() < 2 * CAPTURE
    }
}
