//! The game phase, which interpolates between middlegame and endgame values.

use super::super::bitboard::PieceType;
use super::super::board::Board;

/// The phase of the start position.
pub const MAX_PHASE: i32 = 24;

/// The phase that one piece adds, by [`PieceType::index`].
const PHASE_WEIGHTS: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The game phase, from 0 (only kings and pawns) to [`MAX_PHASE`] (all pieces).
pub fn phase(board: &Board) -> i32 {
    let sum: i32 = PieceType::ALL
        .iter()
        .map(|&kind| PHASE_WEIGHTS[kind.index()] * board.pieces_of_kind(kind).count() as i32)
        .sum();
    sum.min(MAX_PHASE)
}
