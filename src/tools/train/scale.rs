//! The scale of scores: how the results of games depend on them.

use std::collections::BTreeMap;

/// How often each score occurred, and with which results.
#[derive(Default)]
pub struct ScoreCounts {
    /// The number of positions and the sum of their results, by score in steps of [`ScoreCounts::STEP`].
    by_score: BTreeMap<i32, (u64, f64)>,
    /// The number of all positions, those without a result too.
    pub positions: u64,
}

impl ScoreCounts {
    const STEP: i32 = 4;
    /// The range of scales, in the game's unit.
    const RANGE: (f64, f64) = (1.0, 5000.0);

    /// Counts a position. Without a result it does not count for the scale.
    pub fn add(&mut self, score: i32, result: Option<f64>) {
        self.positions += 1;
        let Some(result) = result else { return };
        let (count, sum) = self.by_score.entry(score.div_euclid(Self::STEP)).or_default();
        *count += 1;
        *sum += result;
    }

    /// The number of positions with a result.
    pub fn results(&self) -> u64 {
        self.by_score.values().map(|(count, _)| count).sum()
    }

    /// The scale K that minimises the squared difference of the results and 1 / (1 + exp(-score / K)), by golden section
    /// search on the logarithm of K. `None` if fewer than a tenth of the positions have a result: where the limit of plies ends
    /// nearly all games, the others are no fair sample.
    pub fn fit(&self) -> Option<f64> {
        let loss = |log: f64| -> f64 {
            let scale = log.exp();
            let one = |(&step, &(count, sum)): (&i32, &(u64, f64))| {
                let score = (f64::from(step) + 0.5) * f64::from(Self::STEP);
                let expected = 1.0 / (1.0 + (-score / scale).exp());
                // The sum of (result - expected)², without the part that does not depend on the scale.
                expected * (count as f64 * expected - 2.0 * sum)
            };
            self.by_score.iter().map(one).sum()
        };
        let ratio = (5f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (Self::RANGE.0.ln(), Self::RANGE.1.ln());
        for _ in 0..60 {
            let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
            if loss(left) < loss(right) {
                high = right;
            } else {
                low = left;
            }
        }
        (self.results() > 0 && 10 * self.results() >= self.positions).then(|| high.exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit_finds_the_scale_that_the_results_have() {
        for scale in [60.0, 171.0, 800.0] {
            let mut counts = ScoreCounts::default();
            for score in (-1500..1500).step_by(7) {
                counts.add(score, Some(1.0 / (1.0 + (-f64::from(score) / scale).exp())));
            }
            let fit = counts.fit().unwrap();
            assert!((fit / scale - 1.0).abs() < 0.02, "{fit}");
        }
    }
}
