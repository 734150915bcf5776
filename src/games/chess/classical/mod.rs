//! The hand-written evaluation: a weighted sum of features.
//!
//! EVAL(s) = w1·(material difference) + w2·(mobility difference) + …. Each weight is a middlegame and an
//! endgame value; the remaining material interpolates between them
//! (<https://www.chessprogramming.org/Tapered_Eval>). All weights are in `weights.rs`.
//!
//! Each file imports only files before it in this list: `geometry`, `phase`, `terms`, `weights`,
//! `psqt`, `eval_sum`, `pawns`, `eval_info`, `king_safety`, `threats`, `passed`, `space`, `kpk`, `endgames`,
//! `mod`, `trace`.

mod endgames;
mod eval_info;
mod eval_sum;
mod geometry;
mod king_safety;
mod kpk;
mod passed;
mod pawns;
mod phase;
mod psqt;
mod space;
mod terms;
mod threats;
mod trace;
mod weights;

use super::bitboard::PieceType;
use super::board::Board;
use super::position::Position;
use crate::game::{Evaluator, Score, Side, TaperedScore, Term, Wdl};
use endgames::SCALE_NORMAL;
use eval_info::EvalInfo;
use eval_sum::{EvalSum, TermTable};
use pawns::{PawnEntry, PawnHashTable};
use phase::{MAX_PHASE, phase};
use terms::{EvalTerm, TermSink};
use weights::{BISHOP_PAIR, KNIGHT_PAWNS, ROOK_PAIR, ROOK_PAWNS, TEMPO, WEIGHTS};

/// The hand-written evaluation of chess, with its pawn hash table.
#[derive(Debug, Default)]
pub struct Classical {
    pawns: PawnHashTable,
}

/// Adds all terms except those that [`PawnEntry`] holds. Two calls instead of a loop over the sides, here and in
/// [`EvalInfo::new`], make the side a constant for the compiler: a pawn push is then one shift.
fn add_terms<T: TermSink>(board: &Board, pawns: &PawnEntry, sink: &mut T) {
    let info = EvalInfo::new(board, pawns, sink);
    side_terms(&info, Side::White, sink);
    side_terms(&info, Side::Black, sink);
    sink.add(EvalTerm::Tempo, board.side, TEMPO, 1);
}

/// Adds the terms of `us` that need the attacks of both sides, and the material imbalance.
#[inline(always)]
fn side_terms<T: TermSink>(info: &EvalInfo, us: Side, sink: &mut T) {
    imbalance(info.board, us, sink);
    info.passed(us, sink);
    info.king_danger(us, sink);
    info.threats(us, sink);
    info.space(us, sink);
}

/// Adds the material of `us` beyond the sum of piece values (<https://www.chessprogramming.org/Material#Imbalances>).
#[inline(always)]
fn imbalance<T: TermSink>(board: &Board, us: Side, sink: &mut T) {
    let count = |kind| board.pieces(us, kind).count() as i32;
    let (pawns, knights, rooks) = (count(PieceType::Pawn), count(PieceType::Knight), count(PieceType::Rook));
    let mut add = |weight, times| sink.add(EvalTerm::Material, us, weight, times);
    add(KNIGHT_PAWNS, knights * (pawns - 5));
    add(ROOK_PAWNS, rooks * (pawns - 5));
    if count(PieceType::Bishop) >= 2 {
        add(BISHOP_PAIR, 1);
    }
    if rooks >= 2 {
        add(ROOK_PAIR, 1);
    }
}

/// `balance`, from the point of view of White, times the scale factor of the side that each half favours.
fn scaled(board: &Board, balance: TaperedScore) -> TaperedScore {
    let favoured = |value: i32| if value >= 0 { Side::White } else { Side::Black };
    let (middlegame, endgame) = (balance.middlegame(), balance.endgame());
    let endgame_scale = WEIGHTS.value(endgames::scale(board, favoured(endgame)));
    let middlegame_scale = if favoured(middlegame) == favoured(endgame) {
        endgame_scale
    } else {
        WEIGHTS.value(endgames::scale(board, favoured(middlegame)))
    };
    TaperedScore::new(
        middlegame * middlegame_scale.middlegame() / SCALE_NORMAL,
        endgame * endgame_scale.endgame() / SCALE_NORMAL,
    )
}

impl Evaluator<Position> for Classical {
    fn evaluate(&mut self, game: &Position) -> Score {
        let board = game.board();
        let pawns = self.pawns.get(board);
        let mut sum = EvalSum::default();
        add_terms(board, pawns, &mut sum);
        let balance = sum.total() + pawns.score;
        let mut mop_up = EvalSum::default();
        endgames::mop_up(board, &mut mop_up);
        let white = (scaled(board, balance) + mop_up.total()).taper(phase(board), MAX_PHASE);
        Score::new(if board.side == Side::White { white } else { -white })
    }
}

impl Classical {
    /// The terms of the evaluation. The sum of White's minus Black's values, tapered by the phase, equals the evaluation from White's
    /// point of view. "drawish scaling" is the change of all other terms by the scale factor.
    pub fn terms(game: &Position) -> Vec<Term> {
        let board = game.board();
        let mut table = TermTable::default();
        let pawns = PawnEntry::new(board, &mut table);
        add_terms(board, &pawns, &mut table);
        table.apply_king_danger();
        let balance = table.total();
        table.0[EvalTerm::Scaling as usize][0] = scaled(board, balance) - balance;
        endgames::mop_up(board, &mut table);
        let halves = |score: TaperedScore| (score.middlegame(), score.endgame());
        EvalTerm::NAMES
            .iter()
            .zip(table.0)
            .map(|(name, sides)| Term { name, sides: sides.map(halves) })
            .collect()
    }

    /// The game phase, from 0 to 256.
    pub fn phase(game: &Position) -> u32 {
        (phase(game.board()) * 256 / MAX_PHASE) as u32
    }

    /// The win rates of a score: a logistic curve. Half of the games are won at 120 centipawns in the start phase, at 80 in a pawn
    /// ending.
    pub fn wdl(game: &Position, score: Score) -> Wdl {
        let phase = f64::from(phase(game.board())) / f64::from(MAX_PHASE);
        Wdl::logistic(score, 80.0 + 40.0 * phase, 45.0 + 25.0 * phase)
    }
}

#[cfg(test)]
mod tests;
