//! The hand-written evaluation: a weighted sum of what people look at.
//!
//! EVAL(s) = w1·(material difference) + w2·(mobility difference) + …, each weight a pair for the
//! middlegame and the endgame between which the men left decide
//! (<https://www.chessprogramming.org/Tapered_Eval>). All numbers stand in `weights.rs`.

mod endgames;
mod eval_info;
mod kpk;
mod pawns;
mod plans;
mod psqt;
mod tapered_score;
mod terms;
mod trace;
mod weights;

use super::Position;
use super::bitboard::PieceType;
use super::board::Board;
use crate::game::{Evaluator, Score, Side, Term, Wdl};
use endgames::SCALE_NORMAL;
use eval_info::EvalInfo;
use pawns::{PawnEntry, PawnHashTable};
use tapered_score::{FULL_PHASE, TaperedScore};
use terms::{EvalSum, EvalTerm, TermSink, TermTable};
use weights::{BISHOP_PAIR, KNIGHT_PAWNS, ROOK_PAIR, ROOK_PAWNS, TEMPO};

/// EVAL(s) of chess by hand: no search, no network.
#[derive(Debug, Default)]
pub struct Classical {
    pawns: PawnHashTable,
}

/// All terms but those that [`Pawns`] has counted already. What is done for each side is called twice and not looped over, here and in
/// [`Survey::new`]: where the compiler knows the side, a step forward is one shift.
fn count<T: TermSink>(board: &Board, pawns: &PawnEntry, sink: &mut T) {
    let info = EvalInfo::new(board, pawns, sink);
    plans(&info, Side::White, sink);
    plans(&info, Side::Black, sink);
    sink.add(EvalTerm::Tempo, board.side(), TEMPO, 1);
}

/// What [`Survey::new`] has not counted of one side.
#[inline(always)]
fn plans<T: TermSink>(info: &EvalInfo, us: Side, sink: &mut T) {
    material(info.board, us, sink);
    info.passed(us, sink);
    info.danger(us, sink);
    info.threats(us, sink);
    info.space(us, sink);
}

/// What the men are worth together, beyond what [`Tally::man`] counts of each.
#[inline(always)]
fn material<T: TermSink>(board: &Board, us: Side, sink: &mut T) {
    let men = |piece| board.pieces(us, piece).count() as i32;
    let (pawns, knights, rooks) = (men(PieceType::Pawn), men(PieceType::Knight), men(PieceType::Rook));
    let mut add = |weight, times| sink.add(EvalTerm::Material, us, weight, times);
    add(KNIGHT_PAWNS, knights * (pawns - 5));
    add(ROOK_PAWNS, rooks * (pawns - 5));
    if men(PieceType::Bishop) >= 2 {
        add(BISHOP_PAIR, 1);
    }
    if rooks >= 2 {
        add(ROOK_PAIR, 1);
    }
}

/// `balance`, but of each half only as much as the side that it favours can hope to make count.
fn scaled(board: &Board, balance: TaperedScore) -> TaperedScore {
    let favoured = |value: i32| if value >= 0 { Side::White } else { Side::Black };
    let (middlegame, endgame) = (balance.middlegame(), balance.endgame());
    let of_endgame = endgames::scale(board, favoured(endgame)).value();
    let of_middlegame = if favoured(middlegame) == favoured(endgame) {
        of_endgame
    } else {
        endgames::scale(board, favoured(middlegame)).value()
    };
    TaperedScore::new(
        middlegame * of_middlegame.middlegame() / SCALE_NORMAL,
        endgame * of_endgame.endgame() / SCALE_NORMAL,
    )
}

/// How much of the middlegame a man keeps alive, by [`Piece::index`].
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// How much of the middlegame is left, of [`FULL_PHASE`].
fn phase(board: &Board) -> i32 {
    let sum: i32 = PieceType::ALL
        .iter()
        .map(|&piece| PHASE[piece.index()] * board.pieces_of_kind(piece).count() as i32)
        .sum();
    sum.min(FULL_PHASE)
}

impl Evaluator<Position> for Classical {
    fn evaluate(&mut self, game: &Position) -> Score {
        let board = game.board();
        let pawns = self.pawns.get(board);
        let mut sink = EvalSum::default();
        count(board, pawns, &mut sink);
        let balance = sink.total() + pawns.score;
        let mut help = EvalSum::default();
        endgames::mop_up(board, &mut help);
        let white = (scaled(board, balance) + help.total()).taper(phase(board));
        Score::new(if board.side() == Side::White { white } else { -white })
    }

    /// The balance of all, tapered by the phase, is exactly the evaluation; "drawish scaling" is what all other
    /// terms lose together, seen from White.
    fn terms(&mut self, game: &Position) -> Vec<Term> {
        let board = game.board();
        let mut sums = TermTable::default();
        let pawns = PawnEntry::new(board, &mut sums);
        count(board, &pawns, &mut sums);
        sums.apply_king_danger();
        let balance = sums.total();
        sums.0[EvalTerm::Scaling as usize][0] = scaled(board, balance) - balance;
        endgames::mop_up(board, &mut sums);
        let halves = |pair: TaperedScore| (pair.middlegame(), pair.endgame());
        EvalTerm::NAMES
            .iter()
            .zip(sums.0)
            .map(|(name, sides)| Term { name, sides: sides.map(halves) })
            .collect()
    }

    /// A pawn more wins half of the games from the middle of a game; with fewer men the same score is surer.
    fn wdl(&self, game: &Position, score: Score) -> Wdl {
        let phase = f64::from(phase(game.board())) / f64::from(FULL_PHASE);
        Wdl::logistic(score, 80.0 + 40.0 * phase, 45.0 + 25.0 * phase)
    }
}

#[cfg(test)]
mod tests;
