//! The hand-written evaluation: a weighted sum of what people look at.
//!
//! EVAL(s) = w1·(material difference) + w2·(mobility difference) + …, each weight a pair for the
//! middlegame and the endgame between which the men left decide
//! (<https://www.chessprogramming.org/Tapered_Eval>). All numbers stand in `weights.rs`.

mod endgames;
mod pair;
mod pawns;
mod plans;
mod survey;
mod weights;

use super::Position;
use super::bitboard::Piece;
use super::board::Board;
use crate::game::{Evaluator, Score, Side, Term, Wdl};
use pair::{FULL_PHASE, Pair};
use pawns::PawnTable;
use survey::Survey;
use weights::{BISHOP_PAIR, MATERIAL, PHASE, TEMPO};

/// The terms of the sum.
#[derive(Clone, Copy, Debug)]
enum Feature {
    Material,
    Placement,
    Pawns,
    Passed,
    Mobility,
    Pieces,
    Shelter,
    Danger,
    Threats,
    Tempo,
    MopUp,
    Scaling,
}

/// Names in the order of [`Feature`].
const NAMES: [&str; 12] = [
    "material",
    "piece-square",
    "pawn structure",
    "passed pawns",
    "mobility",
    "outposts and files",
    "pawn shelter",
    "king danger",
    "threats",
    "tempo",
    "mop-up",
    "drawish scaling",
];

/// Every term for each side.
#[derive(Clone, Debug, Default)]
struct Sums([[Pair; 2]; NAMES.len()]);

impl Sums {
    #[inline(always)]
    fn add(&mut self, feature: Feature, side: Side, pair: Pair) {
        self.0[feature as usize][side.index()] += pair;
    }

    /// White's less Black's.
    fn balance(&self) -> Pair {
        self.0.iter().map(|sides| sides[0] - sides[1]).sum()
    }
}

/// EVAL(s) of chess by hand: no search, no network.
#[derive(Debug, Default)]
pub struct Classical {
    pawns: PawnTable,
}

impl Classical {
    /// All terms; their balance, tapered, is the evaluation from White's side.
    fn sums(&mut self, board: &Board) -> Sums {
        let mut sums = Sums::default();
        let pawns = self.pawns.get(board);
        let survey = Survey::new(board, pawns, &mut sums);
        for us in Side::ALL {
            let side = us.index();
            sums.add(Feature::Material, us, material(board, us));
            sums.add(Feature::Placement, us, pawns.placement[side]);
            sums.add(Feature::Pawns, us, pawns.structure[side]);
            sums.add(Feature::Passed, us, pawns.advance[side] + survey.passed(us));
            sums.add(Feature::Shelter, us, survey.shelter(us));
            sums.add(Feature::Danger, us, survey.danger(us));
            sums.add(Feature::Threats, us, survey.threats(us));
        }
        sums.add(Feature::Tempo, board.side(), TEMPO);
        conclude(board, &mut sums);
        sums
    }
}

fn material(board: &Board, us: Side) -> Pair {
    let sum: Pair =
        Piece::ALL.iter().map(|&piece| MATERIAL[piece.index()] * board.men(us, piece).count() as i32).sum();
    if board.men(us, Piece::Bishop).has_many() { sum + BISHOP_PAIR } else { sum }
}

/// Knowledge of endgames that changes the sum of all other terms.
fn conclude(board: &Board, sums: &mut Sums) {
    let balance = sums.balance();
    let white = (balance.endgame(), balance.middlegame()) >= (0, 0);
    let strong = if white { Side::White } else { Side::Black };
    let scale = endgames::scale(board, strong);
    if scale != endgames::FULL_SCALE {
        let scaled = |value: i32| value.abs() * scale / endgames::FULL_SCALE * value.signum() - value;
        let lost = Pair::new(scaled(balance.middlegame()), scaled(balance.endgame()));
        sums.add(Feature::Scaling, strong, if strong == Side::White { lost } else { -lost });
    }
    let help = endgames::mop_up(board, strong);
    sums.add(Feature::MopUp, strong, Pair::new(help, help));
}

/// How much of the middlegame is left, of [`FULL_PHASE`].
fn phase(board: &Board) -> i32 {
    let sum: i32 =
        Piece::ALL.iter().map(|&piece| PHASE[piece.index()] * board.all(piece).count() as i32).sum();
    sum.min(FULL_PHASE)
}

impl Evaluator<Position> for Classical {
    fn evaluate(&mut self, game: &Position) -> Score {
        let board = game.board();
        let white = self.sums(board).balance().taper(phase(board));
        Score::new(if board.side() == Side::White { white } else { -white })
    }

    /// The balance of all, tapered by the phase, is exactly the evaluation; "drawish scaling" is what the
    /// stronger side's other terms lose together.
    fn terms(&mut self, game: &Position) -> Vec<Term> {
        let sums = self.sums(game.board());
        let halves = |pair: Pair| (pair.middlegame(), pair.endgame());
        NAMES.iter().zip(sums.0).map(|(name, sides)| Term { name, sides: sides.map(halves) }).collect()
    }

    /// A pawn more wins half of the games from the middle of a game; with fewer men the same score is surer.
    fn wdl(&self, game: &Position, score: Score) -> Wdl {
        let phase = f64::from(phase(game.board())) / f64::from(FULL_PHASE);
        Wdl::logistic(score, 80.0 + 40.0 * phase, 45.0 + 25.0 * phase)
    }
}

#[cfg(test)]
mod tests;
