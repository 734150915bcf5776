//! AdamW (Loshchilov and Hutter 2017, <https://arxiv.org/abs/1711.05101>) with warm-up and a cosine schedule.

use crate::nnue::LANES;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Numbers that go with neighbouring elements of the accumulators.
pub type Values = [f32; LANES];

/// The learning rate by step.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// The highest rate.
    pub rate: f32,
    /// The rate of the last step.
    pub final_rate: f32,
    /// The number of steps in which the rate rises from zero.
    pub warm_up: u64,
    /// The number of all steps.
    pub steps: u64,
    /// Weight decay per step, as a share of the rate.
    pub decay: f32,
}

impl Schedule {
    /// The rate of step `step`, counted from 0.
    pub fn rate_at(&self, step: u64) -> f32 {
        if step < self.warm_up {
            return self.rate * (step + 1) as f32 / self.warm_up as f32;
        }
        let share = (step - self.warm_up) as f32 / (self.steps - self.warm_up).max(1) as f32;
        let cosine = (1.0 + (std::f32::consts::PI * share.min(1.0)).cos()) / 2.0;
        self.final_rate + (self.rate - self.final_rate) * cosine
    }

    /// Step `step`, counted from 0.
    pub fn step(&self, step: u64) -> Step {
        let correction = |beta: f32| 1.0 / (1.0 - beta.powf((step + 1) as f32));
        let corrections = (correction(BETA1), correction(BETA2));
        Step { rate: self.rate_at(step), decay: self.decay, corrections }
    }
}

/// One step's constants.
#[derive(Clone, Copy)]
pub struct Step {
    rate: f32,
    decay: f32,
    /// The corrections of the moments, which start at zero.
    corrections: (f32, f32),
}

/// Some parameters and the moments of their gradients.
pub struct Weights {
    /// The parameters.
    pub values: Vec<Values>,
    /// Means of the gradients.
    means: Vec<Values>,
    /// Means of their squares.
    squares: Vec<Values>,
}

impl Weights {
    /// `rows` rows of zeros.
    pub fn zeros(rows: usize) -> Weights {
        let zeros = || vec![[0.0; LANES]; rows];
        Weights { values: zeros(), means: zeros(), squares: zeros() }
    }

    /// All numbers.
    pub fn state(&self) -> impl Iterator<Item = &Values> {
        self.values.iter().chain(&self.means).chain(&self.squares)
    }

    pub fn state_mut(&mut self) -> impl Iterator<Item = &mut Values> {
        self.values.iter_mut().chain(&mut self.means).chain(&mut self.squares)
    }

    /// Makes one step in row `row`, keeps its values within `limit`, and sets `gradient` to zero.
    #[inline]
    pub fn update(&mut self, row: usize, gradient: &mut Values, step: Step, limit: f32) {
        let (values, means, squares) = (&mut self.values[row], &mut self.means[row], &mut self.squares[row]);
        for (i, gradient) in gradient.iter_mut().enumerate() {
            means[i] = BETA1 * means[i] + (1.0 - BETA1) * *gradient;
            squares[i] = BETA2 * squares[i] + (1.0 - BETA2) * *gradient * *gradient;
            let (mean, square) = (means[i] * step.corrections.0, squares[i] * step.corrections.1);
            let change = step.rate * (mean / (square.sqrt() + EPSILON) + step.decay * values[i]);
            values[i] = (values[i] - change).clamp(-limit, limit);
            *gradient = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_rises_then_falls_to_its_final_value() {
        let schedule = Schedule { rate: 1e-3, final_rate: 1e-5, warm_up: 10, steps: 110, decay: 0.0 };
        assert!((schedule.rate_at(0) - 1e-4).abs() < 1e-9);
        assert!((schedule.rate_at(10) - 1e-3).abs() < 1e-9);
        assert!((schedule.rate_at(60) - 5.05e-4).abs() < 1e-7);
        assert!((schedule.rate_at(110) - 1e-5).abs() < 1e-9);
        assert!((10..110).all(|step| schedule.rate_at(step + 1) < schedule.rate_at(step)));
    }
}
