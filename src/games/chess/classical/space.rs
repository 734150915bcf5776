//! Space (<https://www.chessprogramming.org/Space>).

use super::super::bitboard::{Bitboard, PieceType};
use super::eval_info::EvalInfo;
use super::geometry::{count, front_span};
use super::terms::{EvalTerm, TermSink};
use super::weights::SPACE;
use crate::game::Side;

impl EvalInfo<'_> {
    /// Adds the space of `us`: squares of files c to f and its ranks 2 to 4 that hold no own pawn and that no
    /// enemy pawn attacks. Squares behind own pawns count twice. The weight depends on the number of own
    /// pieces.
    #[inline(always)]
    pub fn space<T: TermSink>(&self, us: Side, sink: &mut T) {
        let (board, pawns) = (self.board, self.board.pieces(us, PieceType::Pawn));
        let files = Bitboard::file(2) | Bitboard::file(3) | Bitboard::file(4) | Bitboard::file(5);
        let ranks =
            Bitboard::relative_rank(us, 1) | Bitboard::relative_rank(us, 2) | Bitboard::relative_rank(us, 3);
        let area = (files & ranks) - pawns - self.attacked_by[(!us).index()][PieceType::Pawn.index()];
        let pieces = count(board.occupied_by(us) - pawns).min(8) as usize;
        let squares = count(area) + count(area & front_span(!us, pawns));
        sink.add(EvalTerm::Space, us, SPACE.at(pieces), squares);
    }
}
