//! The evaluation as a function of its weights, for fitting them to results of games.
//!
//! A position's evaluation is a product of three things: sums of weights that count so many times (most of
//! it), the danger of each king, which is a square of such a sum, and one scale. A trace holds the counts, so that value
//! and derivatives follow by the chain rule, as in Andrew Grant's "Evaluation & Tuning in Chess Engines" (2020).

use super::endgames::{self, SCALE_NORMAL};
use super::pawns::PawnEntry;
use super::tapered_score::FULL_PHASE;
use super::terms::{EvalTerm, TermSink, Weight, smooth_danger};
use super::weights::{NAMES, SCALE_DRAWN, VALUES};
use super::{Board, Classical, Position, count, phase};
use crate::game::{Side, Tunable};

/// A weight counts so many times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    weight: u16,
    times: i16,
}

/// What a position's evaluation depends on beside the weights.
#[derive(Clone, Debug)]
pub struct Trace {
    /// White's less Black's counts, then the danger of White's king, then that of Black's.
    counts: Box<[Count]>,
    /// Where the dangers begin.
    dangers: [u16; 2],
    /// The scale of what favours White, of what favours Black.
    scales: [u16; 2],
    /// Of the middlegame's half.
    phase: f32,
}

/// Counts as they come.
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
}

/// Notes only whether anything is counted.
struct AnyTerm(bool);

impl TermSink for AnyTerm {
    fn add(&mut self, _: EvalTerm, _: Side, _: Weight, _: i32) {
        self.0 = true;
    }
}

impl Trace {
    fn new(board: &Board) -> Option<Trace> {
        // Where the outcome is known no weight but that one has a say.
        let scales = Side::ALL.map(|strong| endgames::scale(board, strong));
        let mut helped = AnyTerm(false);
        endgames::mop_up(board, &mut helped);
        if helped.0 || scales.contains(&SCALE_DRAWN) {
            return None;
        }
        let none = || vec![0; VALUES.len()];
        let mut counter = TraceBuilder { linear: none(), danger: [none(), none()] };
        let pawns = PawnEntry::new(board, &mut counter);
        count(board, &pawns, &mut counter);
        let mut counts = Vec::new();
        let mut append = |list: &[i16]| {
            let counted = list.iter().enumerate().filter(|(_, times)| **times != 0);
            counts.extend(counted.map(|(weight, &times)| Count { weight: weight as u16, times }));
            counts.len() as u16
        };
        let dangers = [append(&counter.linear), append(&counter.danger[0])];
        append(&counter.danger[1]);
        let phase = phase(board) as f32 / FULL_PHASE as f32;
        let scales = scales.map(|scale| scale.index() as u16);
        Some(Trace { counts: counts.into(), dangers, scales, phase })
    }

    /// The counts of the sum and of each danger.
    fn parts(&self) -> [&[Count]; 3] {
        let [white, black] = self.dangers.map(usize::from);
        [&self.counts[..white], &self.counts[white..black], &self.counts[black..]]
    }

    fn solve(&self, weights: &[f32]) -> PartialEval {
        let [linear, white, black] = self.parts();
        let (mut middlegame, mut endgame) = sum(linear, weights);
        let dangers = [sum(white, weights), sum(black, weights)].map(smooth_danger);
        for (sign, [in_middlegame, in_endgame]) in [(-1.0, dangers[0]), (1.0, dangers[1])] {
            middlegame += sign * in_middlegame.0;
            endgame += sign * in_endgame.0;
        }
        let place = |favour: f32, half: usize| 2 * usize::from(self.scales[usize::from(favour < 0.0)]) + half;
        let scales = (place(middlegame, 0), place(endgame, 1));
        let slopes = dangers.map(|[middlegame, endgame]| (middlegame.1, endgame.1));
        PartialEval { sums: (middlegame, endgame), slopes, scales }
    }

    /// What a centipawn of either half is worth, before scaling.
    fn shares(&self) -> (f32, f32) {
        let full = SCALE_NORMAL as f32;
        (self.phase / full, (1.0 - self.phase) / full)
    }
}

/// One evaluation half done: halves of pairs are `(middlegame, endgame)`.
struct PartialEval {
    /// All but the scale.
    sums: (f32, f32),
    /// What another attack unit against each king costs.
    slopes: [(f32, f32); 2],
    /// Which weights scale them.
    scales: (usize, usize),
}

/// The counted weights, weighed.
fn sum(counts: &[Count], weights: &[f32]) -> (f32, f32) {
    counts.iter().fold((0.0, 0.0), |(middlegame, endgame), count| {
        let (at, times) = (2 * usize::from(count.weight), f32::from(count.times));
        (middlegame + times * weights[at], endgame + times * weights[at + 1])
    })
}

fn add(counts: &[Count], factors: (f32, f32), gradient: &mut [f32]) {
    for count in counts {
        let (at, times) = (2 * usize::from(count.weight), f32::from(count.times));
        gradient[at] += times * factors.0;
        gradient[at + 1] += times * factors.1;
    }
}

/// Each pair is two weights, the middlegame's first.
impl Tunable<Position> for Classical {
    type Trace = Trace;

    fn weights() -> Vec<(String, f32)> {
        let mut weights = Vec::new();
        for &(name, row) in NAMES {
            for i in 0..row.len() {
                let value = row.at(i).value();
                let name = if row.len() > 1 { format!("{name}[{i}]") } else { name.to_string() };
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
        let PartialEval { sums, scales, .. } = trace.solve(weights);
        let shares = trace.shares();
        sums.0 * shares.0 * weights[scales.0] + sums.1 * shares.1 * weights[scales.1]
    }

    fn add_gradient(trace: &Trace, weights: &[f32], factor: f32, gradient: &mut [f32]) {
        let PartialEval { sums, slopes, scales } = trace.solve(weights);
        let shares = trace.shares();
        gradient[scales.0] += factor * shares.0 * sums.0;
        gradient[scales.1] += factor * shares.1 * sums.1;
        let middlegame = factor * shares.0 * weights[scales.0];
        let endgame = factor * shares.1 * weights[scales.1];
        let [linear, white, black] = trace.parts();
        add(linear, (middlegame, endgame), gradient);
        add(white, (-middlegame * slopes[0].0, -endgame * slopes[0].1), gradient);
        add(black, (middlegame * slopes[1].0, endgame * slopes[1].1), gradient);
    }

    fn for_each_weight(trace: &Trace, seen: &mut dyn FnMut(usize)) {
        let counted = trace.counts.iter().map(|count| count.weight);
        for weight in counted.chain(trace.scales) {
            seen(2 * usize::from(weight));
            seen(2 * usize::from(weight) + 1);
        }
    }

    /// The n-th pair in brackets after the word `weights!` is the n-th of `VALUES`.
    fn replace_weights(source: &str, weights: &[f32]) -> Result<String, String> {
        let start = source.find("weights! {").ok_or("no weights! { in it")?;
        let (mut text, mut rest) = (source[..start].to_string(), &source[start..]);
        let mut places = VALUES.iter().zip(weights.chunks_exact(2));
        while let Some(line) = rest.split_inclusive('\n').next() {
            rest = &rest[line.len()..];
            let mut line = line;
            while let Some((open, close)) = pair_in(line) {
                let (old, new) = places.next().ok_or("it has more pairs than the program")?;
                let written = &line[open..close];
                let halves: Vec<i32> = written
                    .trim_matches(['(', ')'])
                    .split(',')
                    .filter_map(|number| number.trim().parse().ok())
                    .collect();
                if halves != [old.middlegame(), old.endgame()] {
                    return Err(format!("expected the program's own {old:?}, got {written}"));
                }
                text += &line[..open];
                text += &format!("({:>4},{:>4})", new[0].round() as i32, new[1].round() as i32);
                line = &line[close..];
            }
            text += line;
        }
        match places.len() {
            0 => Ok(text),
            missing => Err(format!("the last {missing} pairs are missing in it")),
        }
    }
}

/// Where the first pair of a line of code begins and ends.
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
    fn a_trace_gives_the_evaluation() {
        let (weights, mut evaluator) = (values(), Classical::default());
        let (mut traced, mut errors) = (0, 0.0);
        for game in positions(60, 300) {
            let Some(trace) = Classical::trace(&game) else { continue };
            traced += 1;
            let value = evaluator.evaluate(&game).value() as f32;
            let white = if game.board().side() == Side::White { value } else { -value };
            let error = (Classical::value(&trace, &weights) - white).abs();
            // Three divisions round towards zero, of danger, scale and phase, and a scale may be above 1;
            // the last two miss half a centipawn each on average.
            assert!(error < 3.5, "{}: {white}, {error}", game.position_text(Default::default()));
            errors += error;
        }
        assert!(traced > 5_000 && errors < 1.3 * traced as f32, "{traced} {errors}");
    }

    #[test]
    fn the_gradient_agrees_with_differences() {
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
            let mut seen = vec![false; weights.len()];
            Classical::for_each_weight(&trace, &mut |weight| seen[weight] = true);
            for at in 0..weights.len() {
                if !seen[at] {
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
        // Where danger begins and where the favoured side changes, a difference sees both slopes.
        assert!(compared > 5_000 && kinks < compared / 200, "{compared} {kinks}");
    }

    #[test]
    fn the_source_takes_other_weights_and_gives_its_own() {
        let source = include_str!("weights.rs");
        let mut weights = values();
        let same = Classical::replace_weights(source, &weights).unwrap();
        let bare = |text: &str| text.replace([' ', '\n'], "");
        assert_eq!(bare(&same), bare(source));
        *weights.last_mut().unwrap() = -1234.4;
        let other = Classical::replace_weights(source, &weights).unwrap();
        assert!(other.contains(",-1234)") && other.len() >= same.len());
        assert!(Classical::replace_weights(&other, &weights).unwrap_err().contains("-1234"));
        assert!(Classical::replace_weights("weights! { }", &weights).unwrap_err().contains("missing"));
    }
}
