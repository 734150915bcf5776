//! Sums of weights: one total for play, a table of terms for the command `eval`.

use super::super::bitboard::{PieceType, Square};
use super::psqt;
use super::terms::{EvalTerm, TermSink};
use super::weights::WEIGHTS;
use crate::game::{Side, TaperedScore, Weight};

/// Attack units above this number count no further.
const KING_DANGER_MAX: i32 = 1_200;
/// Middlegame: squared attack units per centipawn. Endgame: attack units per centipawn.
const KING_DANGER_DIVISORS: (i32, i32) = (1_024, 16);

/// The penalty for `units` of king danger, in centipawns, never negative. Quadratic in the middlegame,
/// because several attackers are more dangerous than their sum; linear in the endgame.
/// (<https://www.chessprogramming.org/King_Safety#Attack_Units>)
fn king_danger_penalty(units: TaperedScore) -> TaperedScore {
    let middlegame = units.middlegame().clamp(0, KING_DANGER_MAX);
    let endgame = units.endgame().clamp(0, KING_DANGER_MAX);
    TaperedScore::new(middlegame * middlegame / KING_DANGER_DIVISORS.0, endgame / KING_DANGER_DIVISORS.1)
}

/// The king danger penalty without rounding, and its slope, for the tuner. Both for the middlegame, then both for the endgame.
pub fn smooth_king_danger(units: (f32, f32)) -> [(f32, f32); 2] {
    let limit = KING_DANGER_MAX as f32;
    let (square, linear) = (KING_DANGER_DIVISORS.0 as f32, KING_DANGER_DIVISORS.1 as f32);
    let inside = |units: f32| units > 0.0 && units < limit;
    let (middlegame, endgame) = (units.0.clamp(0.0, limit), units.1.clamp(0.0, limit));
    [
        (middlegame * middlegame / square, if inside(units.0) { 2.0 * middlegame / square } else { 0.0 }),
        (endgame / linear, if inside(units.1) { 1.0 / linear } else { 0.0 }),
    ]
}

/// The sum of all terms, for play. Each side's sum is from its own point of view.
#[derive(Clone, Copy, Default, Debug)]
pub struct EvalSum {
    sides: [TaperedScore; 2],
    danger: [TaperedScore; 2],
}

impl TermSink for EvalSum {
    #[inline(always)]
    fn add(&mut self, term: EvalTerm, side: Side, weight: Weight, times: i32) {
        let sums = if term == EvalTerm::Danger { &mut self.danger } else { &mut self.sides };
        sums[side.index()] += WEIGHTS.value(weight) * times;
    }

    #[inline(always)]
    fn add_piece(&mut self, side: Side, kind: PieceType, square: Square) {
        self.sides[side.index()] += psqt::psqt(side, kind, square);
    }
}

impl EvalSum {
    #[inline(always)]
    pub fn total(&self) -> TaperedScore {
        self.sides[0] - self.sides[1] - king_danger_penalty(self.danger[0])
            + king_danger_penalty(self.danger[1])
    }
}

/// The sum of each term for each side, from that side's point of view.
#[derive(Clone, Default, Debug)]
pub struct TermTable(pub [[TaperedScore; 2]; EvalTerm::NAMES.len()]);

impl TermSink for TermTable {
    fn add(&mut self, term: EvalTerm, side: Side, weight: Weight, times: i32) {
        self.0[term as usize][side.index()] += WEIGHTS.value(weight) * times;
    }

    fn add_piece(&mut self, side: Side, kind: PieceType, square: Square) {
        psqt::add_terms(self, side, kind, square);
    }
}

impl TermTable {
    /// Replaces the attack units of king danger by their penalty, as a negative value.
    pub fn apply_king_danger(&mut self) {
        for units in &mut self.0[EvalTerm::Danger as usize] {
            *units = -king_danger_penalty(*units);
        }
    }

    pub fn total(&self) -> TaperedScore {
        self.0.iter().map(|sides| sides[0] - sides[1]).sum()
    }
}
