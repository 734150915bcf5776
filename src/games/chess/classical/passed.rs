//! Passed pawns, as far as pieces affect them. `pawns.rs` holds the terms that pawns and kings alone decide.

use super::super::attacks;
use super::super::bitboard::{Bitboard, PieceType, Square};
use super::eval_info::EvalInfo;
use super::geometry::{distance, front_span};
use super::terms::{EvalTerm, TermSink};
use super::weights::{
    PASSED_BLOCKED, PASSED_ENEMY_BEHIND, PASSED_FREE, PASSED_ROOK_BEHIND, PASSED_SAFE_STEP, UNSTOPPABLE,
};
use crate::game::Side;

impl EvalInfo<'_> {
    #[inline(always)]
    pub fn passed<T: TermSink>(&self, us: Side, sink: &mut T) {
        for pawn in self.pawns.passed & self.board.occupied_by(us) {
            self.passed_pawn(us, pawn, sink);
        }
    }

    fn passed_pawn<T: TermSink>(&self, us: Side, pawn: Square, sink: &mut T) {
        let (we, they, board) = (us.index(), (!us).index(), self.board);
        let rank = usize::from(pawn.relative(us).rank());
        let stop = pawn.bit().forward(us);
        let path = front_span(us, pawn.bit());
        let mut add = |weight| sink.add(EvalTerm::Passed, us, weight, 1);
        let behind = attacks::rook(pawn, board.occupied()) & front_span(!us, pawn.bit()) & board.orthogonal();
        if (behind & board.occupied_by(us)).has_any() {
            add(PASSED_ROOK_BEHIND);
        } else if behind.has_any() {
            add(PASSED_ENEMY_BEHIND);
        }
        if (board.occupied() & stop).has_any() {
            return add(PASSED_BLOCKED.at(rank));
        }
        if (stop & (self.attacks[they] - self.attacks[we])).is_empty() {
            add(PASSED_SAFE_STEP.at(rank));
        }
        if (path & (board.occupied_by(!us) | self.attacks[they])).is_empty() {
            add(PASSED_FREE.at(rank));
        }
        if self.is_unstoppable(us, pawn, path) {
            add(UNSTOPPABLE);
        }
    }

    /// Whether the enemy has only its king and pawns, the path is empty, and the king is outside the square
    /// of the pawn (<https://www.chessprogramming.org/Rule_of_the_Square>).
    fn is_unstoppable(&self, us: Side, pawn: Square, path: Bitboard) -> bool {
        let board = self.board;
        let king_and_pawns = board.pieces(!us, PieceType::King) | board.pieces(!us, PieceType::Pawn);
        if board.occupied_by(!us) != king_and_pawns || (path & board.occupied()).has_any() {
            return false;
        }
        let promotion_square = Square::at(pawn.file(), if us == Side::White { 7 } else { 0 });
        let tempo = i32::from(board.side != us);
        distance(pawn, promotion_square) < distance(board.king(!us), promotion_square) - tempo
    }
}
