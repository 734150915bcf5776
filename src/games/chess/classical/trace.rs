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
use super::terms::{EvalTerm, TermSink, Weight};
use super::weights::{NAMES, SCALE_DRAWN, VALUES};
use super::{Classical, add_terms};
use crate::game::{Side, Tunable};

/// One coefficient: `weight` counts `times` times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    weight: u16,
    times: i16,
}

/// The coefficients of one position's evaluation.
#[derive(Clone, Debug)]
pub struct Trace {
    /// White's minus Black's linear terms, then the attack units against White's king, then against Black's.
    counts: Box<[Count]>,
    /// The indices in `counts` where the two lists of attack units begin.
    dangers: [u16; 2],
    /// The weights of the scale factors for an advantage of White, of Black.
    scales: [u16; 2],
    /// The share of the middlegame value, 0 to 1.
    phase: f32,
}

/// Sums the coefficients of each weight.
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

/// Records whether any term is added.
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
    /// Traces `board`; `None` for a known ending.
    fn new(board: &Board) -> Option<Trace> {
        // Skips known endings: the scale factor 0 or the mop-up bonus decides their evaluation.
        let scales = Side::ALL.map(|strong| endgames::scale(board, strong));
        let mut mop_up = AnyTerm(false);
        endgames::mop_up(board, &mut mop_up);
        if mop_up.0 || scales.contains(&SCALE_DRAWN) {
            return None;
        }
        let zeros = || vec![0; VALUES.len()];
        let mut builder = TraceBuilder { linear: zeros(), danger: [zeros(), zeros()] };
        let pawns = PawnEntry::new(board, &mut builder);
        add_terms(board, &pawns, &mut builder);
        let mut counts = Vec::new();
        let mut append = |list: &[i16]| {
            let counted = list.iter().enumerate().filter(|(_, times)| **times != 0);
            counts.extend(counted.map(|(weight, &times)| Count { weight: weight as u16, times }));
            counts.len() as u16
        };
        let dangers = [append(&builder.linear), append(&builder.danger[0])];
        append(&builder.danger[1]);
        let phase = phase(board) as f32 / MAX_PHASE as f32;
        let scales = scales.map(|scale| scale.index() as u16);
        Some(Trace { counts: counts.into(), dangers, scales, phase })
    }

    /// The coefficients of the linear sum, of the attack units against White's king, and of those against
    /// Black's.
    fn split(&self) -> [&[Count]; 3] {
        let [white, black] = self.dangers.map(usize::from);
        [&self.counts[..white], &self.counts[white..black], &self.counts[black..]]
    }

    /// Evaluates everything but the scale factor.
    fn evaluate_unscaled(&self, weights: &[f32]) -> PartialEval {
        let [linear, white, black] = self.split();
        let (mut middlegame, mut endgame) = sum(linear, weights);
        let dangers = [sum(white, weights), sum(black, weights)].map(smooth_king_danger);
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
    /// The unscaled evaluation.
    sums: (f32, f32),
    /// The derivatives of the king danger penalties by attack units, for White's king and for Black's.
    slopes: [(f32, f32); 2],
    /// The indices of the scale factors in the list of weights.
    scales: (usize, usize),
}

/// The sum of the weights times their coefficients.
fn sum(counts: &[Count], weights: &[f32]) -> (f32, f32) {
    counts.iter().fold((0.0, 0.0), |(middlegame, endgame), count| {
        let (at, times) = (2 * usize::from(count.weight), f32::from(count.times));
        (middlegame + times * weights[at], endgame + times * weights[at + 1])
    })
}

/// Adds the coefficients times `factors` to the gradient.
fn add_to_gradient(counts: &[Count], factors: (f32, f32), gradient: &mut [f32]) {
    for count in counts {
        let (at, times) = (2 * usize::from(count.weight), f32::from(count.times));
        gradient[at] += times * factors.0;
        gradient[at + 1] += times * factors.1;
    }
}

/// Each pair is two weights, middlegame first.
impl Tunable<Position> for Classical {
    type Trace = Trace;

    fn weights() -> Vec<(String, f32)> {
        let mut weights = Vec::new();
        for &(name, weight) in NAMES {
            for i in 0..weight.len() {
                let value = weight.at(i).value();
                let name = if weight.len() > 1 { format!("{name}[{i}]") } else { name.to_string() };
                weights.push((format!("{name} mg"), value.middlegame() as f32));
                weights.push((format!("{name} eg"), value.endgame() as f32));
            }
        }
        weights
    }

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
        let [linear, white, black] = trace.split();
        add_to_gradient(linear, (middlegame, endgame), gradient);
        add_to_gradient(white, (-middlegame * slopes[0].0, -endgame * slopes[0].1), gradient);
        add_to_gradient(black, (middlegame * slopes[1].0, endgame * slopes[1].1), gradient);
    }

    fn for_each_weight(trace: &Trace, visit: &mut dyn FnMut(usize)) {
        let counted = trace.counts.iter().map(|count| count.weight);
        for weight in counted.chain(trace.scales) {
            visit(2 * usize::from(weight));
            visit(2 * usize::from(weight) + 1);
        }
    }

    /// The n-th pair in parentheses after `weights! {` belongs to element n of `VALUES`.
    fn replace_weights(source: &str, weights: &[f32]) -> Result<String, String> {
        let start = source.find("weights! {").ok_or("expected a macro call `weights! {`, found none")?;
        let (mut text, mut rest) = (source[..start].to_string(), &source[start..]);
        let mut pairs = VALUES.iter().zip(weights.chunks_exact(2));
        while let Some(line) = rest.split_inclusive('\n').next() {
            rest = &rest[line.len()..];
            let mut line = line;
            while let Some((open, close)) = pair_in(line) {
                let (old, new) =
                    pairs.next().ok_or("expected as many pairs as in the program, found more")?;
                let written = &line[open..close];
                let halves: Vec<i32> = written
                    .trim_matches(['(', ')'])
                    .split(',')
                    .filter_map(|number| number.trim().parse().ok())
                    .collect();
                if halves != [old.middlegame(), old.endgame()] {
                    return Err(format!("expected {old:?} as in the program, found {written}"));
                }
                text += &line[..open];
                text += &format!("({:>4},{:>4})", new[0].round() as i32, new[1].round() as i32);
                line = &line[close..];
            }
            text += line;
        }
        match pairs.len() {
            0 => Ok(text),
            missing => Err(format!(
                "expected {} pairs as in the program, the last {missing} are missing",
                VALUES.len()
            )),
        }
    }
}

/// The byte range of the first pair in parentheses on a line of code.
fn pair_in(line: &str) -> Option<(usize, usize)> {
    let code = line.split("//").next()?;
    let open = code.find('(')?;
    let close = open + code[open..].find(')')?;
    Some((open, close + 1))
}

#[cfg(test)]
mod tests {
    use super::super::tests::positions;
    use super::*;
    use crate::game::{Evaluator, Notation, SplitMix64};

    fn values() -> Vec<f32> {
        Classical::weights().into_iter().map(|(_, value)| value).collect()
    }

    #[test]
    fn value_of_trace_is_evaluation() {
        let (weights, mut evaluator) = (values(), Classical::default());
        let (mut traced, mut errors) = (0, 0.0);
        for game in positions(60, 300) {
            let Some(trace) = Classical::trace(&game) else { continue };
            traced += 1;
            let value = evaluator.evaluate(&game).value() as f32;
            let white = if game.board().side() == Side::White { value } else { -value };
            let error = (Classical::value(&trace, &weights) - white).abs();
            // The evaluation rounds three divisions towards zero (danger, scale, phase), and a scale may be
            // above 1. The last two lose half a centipawn each on average.
            assert!(error < 3.5, "{}: {white}, {error}", game.position_text(Default::default()));
            errors += error;
        }
        assert!(traced > 5_000 && errors < 1.3 * traced as f32, "{traced} {errors}");
    }

    #[test]
    fn gradient_is_difference_quotient() {
        let mut random = SplitMix64::new(8);
        let mut weights = values();
        for weight in &mut weights {
            *weight += (random.next() % 64) as f32 / 16.0;
        }
        let (mut compared, mut kinks) = (0, 0);
        for game in positions(40, 200).iter().step_by(37) {
            let Some(trace) = Classical::trace(game) else { continue };
            let mut gradient = vec![0.0; weights.len()];
            Classical::add_gradient(&trace, &weights, 1.0, &mut gradient);
            let mut used = vec![false; weights.len()];
            Classical::for_each_weight(&trace, &mut |weight| used[weight] = true);
            for at in 0..weights.len() {
                if !used[at] {
                    assert_eq!(gradient[at], 0.0);
                    continue;
                }
                let mut value_at = |change: f32| {
                    let before = weights[at];
                    weights[at] += change;
                    let value = Classical::value(&trace, &weights);
                    weights[at] = before;
                    value
                };
                let slope = (value_at(0.0625) - value_at(-0.0625)) / 0.125;
                let error = (slope - gradient[at]).abs();
                kinks += usize::from(error > 0.02 + 0.01 * slope.abs());
                compared += 1;
            }
        }
        // At kinks (danger 0, change of the favoured side) a difference quotient mixes both slopes.
        assert!(compared > 5_000 && kinks < compared / 200, "{compared} {kinks}");
    }

    #[test]
    fn replace_weights_in_source_changes_pairs_only() {
        let source = include_str!("weights.rs");
        let mut weights = values();
        let same = Classical::replace_weights(source, &weights).unwrap();
        let without_space = |text: &str| text.replace([' ', '\n'], "");
        assert_eq!(without_space(&same), without_space(source));
        *weights.last_mut().unwrap() = -1234.4;
        let other = Classical::replace_weights(source, &weights).unwrap();
        assert!(other.contains(",-1234)") && other.len() >= same.len());
        assert!(Classical::replace_weights(&other, &weights).unwrap_err().contains("-1234"));
        assert!(Classical::replace_weights("weights! { }", &weights).unwrap_err().contains("missing"));
    }
}
