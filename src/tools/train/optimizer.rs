//! AdamW (Loshchilov and Hutter 2017, <https://arxiv.org/abs/1711.05101>) with warm-up and a cosine schedule.

use super::model::{Gradient, Model, Parameters, Values, clip_inputs, clip_rest, merge};
use crate::nnue::Features;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The moments of the gradients.
pub struct Optimizer<const H: usize> {
    /// Means of the gradients.
    pub means: Parameters<H>,
    /// Means of their squares.
    pub squares: Parameters<H>,
    /// The number of steps made.
    pub steps: u64,
}

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
}

/// One step's constants.
#[derive(Clone, Copy)]
struct Step {
    rate: f32,
    decay: f32,
    /// The corrections of the moments, which start at zero.
    corrections: (f32, f32),
}

impl Step {
    #[inline]
    fn update<const H: usize>(
        self,
        weights: &mut Values<H>,
        means: &mut Values<H>,
        squares: &mut Values<H>,
        gradient: &Values<H>,
    ) {
        for i in 0..H {
            means[i] = BETA1 * means[i] + (1.0 - BETA1) * gradient[i];
            squares[i] = BETA2 * squares[i] + (1.0 - BETA2) * gradient[i] * gradient[i];
            let (mean, square) = (means[i] * self.corrections.0, squares[i] * self.corrections.1);
            weights[i] -= self.rate * (mean / (square.sqrt() + EPSILON) + self.decay * weights[i]);
        }
    }
}

impl<const H: usize> Optimizer<H> {
    /// An optimiser before its first step.
    pub fn new(zeros: Parameters<H>) -> Self {
        Optimizer { means: zeros.clone(), squares: zeros, steps: 0 }
    }

    /// Makes one step with the sum of `gradients`, one from each thread, and sets them to zero. Each thread updates a part of
    /// the input weights.
    pub fn step<F: Features<CELLS>, const CELLS: usize>(
        &mut self,
        model: &mut Model<F, CELLS, H>,
        gradients: &mut [Gradient<H>],
        schedule: &Schedule,
    ) {
        let rate = schedule.rate_at(self.steps);
        self.steps += 1;
        let correction = |beta: f32| 1.0 / (1.0 - beta.powf(self.steps as f32));
        let step = Step { rate, decay: schedule.decay, corrections: (correction(BETA1), correction(BETA2)) };
        let (buckets, threads) = (F::INPUT_BUCKETS, gradients.len());
        let per_thread = Model::<F, CELLS, H>::BUCKET_INPUTS.div_ceil(threads);
        let (rows, parts) = (per_thread * buckets, per_thread * (buckets + 1));
        std::thread::scope(|scope| {
            let mut of_threads: Vec<_> =
                gradients.iter_mut().map(|gradient| gradient.inputs.chunks_mut(rows)).collect();
            let weights = model.parameters.inputs.chunks_mut(parts).zip(model.inputs.chunks_mut(rows));
            let moments = self.means.inputs.chunks_mut(parts).zip(self.squares.inputs.chunks_mut(parts));
            for ((weights, sums), (means, squares)) in weights.zip(moments) {
                let gradients: Vec<_> =
                    of_threads.iter_mut().map(|chunks| chunks.next().expect("equal lengths")).collect();
                scope.spawn(move || step.update_inputs(buckets, weights, sums, means, squares, gradients));
            }
        });
        for index in 0..model.parameters.rest.len() {
            let rows = gradients.iter_mut().map(|gradient| &mut gradient.rest[index]);
            let gradient = take_sum(rows);
            let (means, squares) = (&mut self.means.rest[index], &mut self.squares.rest[index]);
            step.update(&mut model.parameters.rest[index], means, squares, &gradient);
        }
        clip_rest(&mut model.parameters.rest);
    }
}

/// The sum of `rows`, which are set to zero.
#[inline]
fn take_sum<'a, const H: usize>(rows: impl Iterator<Item = &'a mut Values<H>>) -> Values<H> {
    let mut sum = [0.0; H];
    for row in rows {
        super::model::add(&mut sum, row);
        *row = [0.0; H];
    }
    sum
}

impl Step {
    /// Updates the parts of some inputs' weights, and their sums.
    fn update_inputs<const H: usize>(
        self,
        buckets: usize,
        weights: &mut [Values<H>],
        sums: &mut [Values<H>],
        means: &mut [Values<H>],
        squares: &mut [Values<H>],
        mut gradients: Vec<&mut [Values<H>]>,
    ) {
        let parts = buckets + 1;
        for number in 0..sums.len() / buckets {
            let (first_part, first_row) = (number * parts, number * buckets);
            let mut shared = [0.0; H];
            for bucket in 0..buckets {
                let rows = gradients.iter_mut().map(|gradient| &mut gradient[first_row + bucket]);
                let gradient = take_sum(rows);
                super::model::add(&mut shared, &gradient);
                let part = first_part + 1 + bucket;
                self.update(&mut weights[part], &mut means[part], &mut squares[part], &gradient);
            }
            let part = first_part;
            self.update(&mut weights[part], &mut means[part], &mut squares[part], &shared);
            clip_inputs(&mut weights[first_part..first_part + parts]);
            merge(&weights[first_part..first_part + parts], &mut sums[first_row..first_row + buckets]);
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
