//! The evaluation as a function of its weights, for tuning: a sum of weights, tapered, and divided if the side that it
//! favours has no attackers.

use super::board::Board;
use super::hand_written::{HandWritten, MAX_PHASE, NO_ATTACKERS_DIVISOR, add_pieces, add_terms, phase};
use super::position::Xiangqi;
use super::weights::WEIGHTS;
use crate::game::{Side, Tunable, Weight, WeightCounts, Weights};

/// The coefficients of one position's evaluation.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Red's minus Black's weights.
    counts: WeightCounts,
    /// The share of the middlegame value, 0 to 1.
    phase: f32,
    /// The share of its advantage that Red, that Black keeps.
    kept: [f32; 2],
}

impl Trace {
    fn new(board: &Board) -> Trace {
        let mut times = vec![0; WEIGHTS.values.len()];
        let mut add = |_, side, weight: Weight, count: i32| {
            let sign = if side == Side::White { 1 } else { -1 };
            times[weight.index()] += (sign * count) as i16;
        };
        add_pieces(board, &mut add);
        add_terms(board, &mut add);
        let kept = |side| if board.has_attackers(side) { 1.0 } else { 1.0 / NO_ATTACKERS_DIVISOR as f32 };
        Trace {
            counts: WeightCounts::new(&times),
            phase: phase(board) as f32 / MAX_PHASE as f32,
            kept: Side::ALL.map(kept),
        }
    }

    /// The value before the division, for Red.
    fn tapered(&self, weights: &[f32]) -> f32 {
        let (middlegame, endgame) = self.counts.sum(weights);
        middlegame * self.phase + endgame * (1.0 - self.phase)
    }

    /// The share of `value` that the side that it favours keeps.
    fn kept(&self, value: f32) -> f32 {
        self.kept[usize::from(value < 0.0)]
    }
}

impl Tunable<Xiangqi> for HandWritten {
    type Trace = Trace;

    const WEIGHTS: Weights = WEIGHTS;

    fn trace(game: &Xiangqi) -> Option<Trace> {
        Some(Trace::new(game.board()))
    }

    fn value(trace: &Trace, weights: &[f32]) -> f32 {
        let value = trace.tapered(weights);
        value * trace.kept(value)
    }

    fn add_gradient(trace: &Trace, weights: &[f32], factor: f32, gradient: &mut [f32]) {
        let factor = factor * trace.kept(trace.tapered(weights));
        trace.counts.add_gradient((factor * trace.phase, factor * (1.0 - trace.phase)), gradient);
    }

    fn for_each_weight(trace: &Trace, visit: &mut dyn FnMut(usize)) {
        trace.counts.for_each_weight(visit);
    }
}
