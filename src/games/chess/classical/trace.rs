//! The evaluation as a function of its weights, for tuning.
//!
//! The evaluation is a sum of weights, minus or plus the king danger penalties of both sides, times a scale
//! factor. Each penalty is a function of a second sum of weights. A trace holds the coefficients of these
//! sums, so that value and derivatives follow by the chain rule, as in Andrew Grant's "Evaluation & Tuning in
//! Chess Engines" (2020).

use super::super::bitboard::{PieceType, Square};
use super::super::board::Board;
use super::super::position::Position;
use super::endgames::{self, SCALE_NORMAL};
use super::eval_sum::smooth_king_danger;
use super::pawns::PawnEntry;
use super::phase::{MAX_PHASE, phase};
use super::psqt;
use super::terms::{EvalTerm, TermSink};
use super::weights::{SCALE_DRAWN, WEIGHTS};
use super::{Classical, add_terms};
use crate::game::{Side, Tunable, Weight, WeightCounts, Weights};

/// The coefficients of one position's evaluation.
#[derive(Clone, Debug)]
pub struct Trace {
    /// White's minus Black's linear terms.
    linear: WeightCounts,
    /// The attack units against White's king, against Black's.
    dangers: [WeightCounts; 2],
    /// The weights of the scale factors for an advantage of White, of Black.
    scales: [u16; 2],
    /// The share of the middlegame value, 0 to 1.
    phase: f32,
}

struct TraceBuilder {
    linear: Vec<i16>,
    danger: [Vec<i16>; 2],
}

impl TermSink for TraceBuilder {
    fn add(&mut self, term: EvalTerm, side: Side, weight: Weight, times: i32) {
        let (counts, sign) = match (term, side) {
            (EvalTerm::Danger, _) => (&mut self.danger[side.index()], 1),
            (_, Side::White) => (&mut self.linear, 1),
            (_, Side::Black) => (&mut self.linear, -1),
        };
        counts[weight.index()] += sign * times as i16;
    }

    fn add_piece(&mut self, side: Side, kind: PieceType, square: Square) {
        psqt::add_terms(self, side, kind, square);
    }
}

struct AnyTerm(bool);

impl TermSink for AnyTerm {
    fn add(&mut self, _: EvalTerm, _: Side, _: Weight, _: i32) {
        self.0 = true;
    }

    fn add_piece(&mut self, _: Side, _: PieceType, _: Square) {
        self.0 = true;
    }
}

impl Trace {
    fn new(board: &Board) -> Option<Trace> {
        // Skips known endings: the scale factor 0 or the mop-up bonus decides their evaluation.
        let scales = Side::ALL.map(|strong| endgames::scale(board, strong));
        let mut mop_up = AnyTerm(false);
        endgames::mop_up(board, &mut mop_up);
        if mop_up.0 || scales.contains(&SCALE_DRAWN) {
            return None;
        }
        let zeros = || vec![0; WEIGHTS.values.len()];
        let mut builder = TraceBuilder { linear: zeros(), danger: [zeros(), zeros()] };
        let pawns = PawnEntry::new(board, &mut builder);
        add_terms(board, &pawns, &mut builder);
        Some(Trace {
            linear: WeightCounts::new(&builder.linear),
            dangers: builder.danger.map(|times| WeightCounts::new(&times)),
            scales: scales.map(|scale| scale.index() as u16),
            phase: phase(board) as f32 / MAX_PHASE as f32,
        })
    }

    fn evaluate_unscaled(&self, weights: &[f32]) -> PartialEval {
        let (mut middlegame, mut endgame) = self.linear.sum(weights);
        let dangers = [0, 1].map(|side: usize| smooth_king_danger(self.dangers[side].sum(weights)));
        for (sign, [in_middlegame, in_endgame]) in [(-1.0, dangers[0]), (1.0, dangers[1])] {
            middlegame += sign * in_middlegame.0;
            endgame += sign * in_endgame.0;
        }
        let scale_index =
            |balance: f32, half: usize| 2 * usize::from(self.scales[usize::from(balance < 0.0)]) + half;
        let scales = (scale_index(middlegame, 0), scale_index(endgame, 1));
        let slopes = dangers.map(|[middlegame, endgame]| (middlegame.1, endgame.1));
        PartialEval { sums: (middlegame, endgame), slopes, scales }
    }

    /// The shares of the middlegame and of the endgame value, divided by [`SCALE_NORMAL`].
    fn shares(&self) -> (f32, f32) {
        let full = SCALE_NORMAL as f32;
        (self.phase / full, (1.0 - self.phase) / full)
    }
}

/// An evaluation before the scale factor, from the point of view of White. Pairs are `(middlegame, endgame)`.
struct PartialEval {
    sums: (f32, f32),
    /// The derivatives of the king danger penalties by attack units, for White's king and for Black's.
    slopes: [(f32, f32); 2],
    /// The indices of the scale factors in the list of weights.
    scales: (usize, usize),
}

/// Each pair is two weights, middlegame first.
impl Tunable<Position> for Classical {
    type Trace = Trace;

    const WEIGHTS: Weights = WEIGHTS;

    fn trace(game: &Position) -> Option<Trace> {
        Trace::new(game.board())
    }

    fn value(trace: &Trace, weights: &[f32]) -> f32 {
        let PartialEval { sums, scales, .. } = trace.evaluate_unscaled(weights);
        let shares = trace.shares();
        sums.0 * shares.0 * weights[scales.0] + sums.1 * shares.1 * weights[scales.1]
    }

    fn add_gradient(trace: &Trace, weights: &[f32], factor: f32, gradient: &mut [f32]) {
        let PartialEval { sums, slopes, scales } = trace.evaluate_unscaled(weights);
        let shares = trace.shares();
        gradient[scales.0] += factor * shares.0 * sums.0;
        gradient[scales.1] += factor * shares.1 * sums.1;
        let middlegame = factor * shares.0 * weights[scales.0];
        let endgame = factor * shares.1 * weights[scales.1];
        trace.linear.add_gradient((middlegame, endgame), gradient);
        for (sign, side) in [(-1.0, 0), (1.0, 1)] {
            let factors = (sign * middlegame * slopes[side].0, sign * endgame * slopes[side].1);
            trace.dangers[side].add_gradient(factors, gradient);
        }
    }

    fn for_each_weight(trace: &Trace, visit: &mut dyn FnMut(usize)) {
        for counts in [&trace.linear, &trace.dangers[0], &trace.dangers[1]] {
            counts.for_each_weight(visit);
        }
        for weight in trace.scales {
            visit(2 * usize::from(weight));
            visit(2 * usize::from(weight) + 1);
        }
    }
}
