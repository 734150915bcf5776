//! What an evaluation provides so that its weights can be tuned by gradient descent on game results.

use super::{Game, Weights};

/// An evaluation that is a differentiable function of a list of weights.
///
/// Each position is traced once. Value and gradient for any weights follow from the trace alone.
pub trait Tunable<G: Game> {
    /// The features of a position on which its value depends.
    type Trace: Send + Sync;

    /// The weights; [`Weights::numbers`] is the list.
    const WEIGHTS: Weights;

    /// Returns the trace of `game`, or `None` if its value depends on no weight.
    fn trace(game: &G) -> Option<Self::Trace>;

    /// Returns the value of the traced position with these `weights`, in the game's unit, for White.
    fn value(trace: &Self::Trace, weights: &[f32]) -> f32;

    /// Adds `factor` times the partial derivatives of [`Tunable::value`] to `gradient`, one element per weight.
    fn add_gradient(trace: &Self::Trace, weights: &[f32], factor: f32, gradient: &mut [f32]);

    /// Calls `visit` with the index of each weight on which the value depends.
    fn for_each_weight(trace: &Self::Trace, visit: &mut dyn FnMut(usize));
}

/// How often each weight counts in a sum of weights.
///
/// The numbers of weight `i`, middlegame and endgame, are the elements 2`i` and 2`i` + 1 of a list of weights, as
/// [`Weights::numbers`](super::Weights::numbers) orders them.
#[derive(Clone, Debug)]
pub struct WeightCounts(Box<[(u16, i16)]>);

impl WeightCounts {
    /// The sum in which weight `i` counts `times[i]` times.
    pub fn new(times: &[i16]) -> WeightCounts {
        let counted = times.iter().enumerate().filter(|(_, times)| **times != 0);
        WeightCounts(counted.map(|(weight, &times)| (weight as u16, times)).collect())
    }

    /// The sum, in the middlegame and in the endgame.
    pub fn sum(&self, weights: &[f32]) -> (f32, f32) {
        self.0.iter().fold((0.0, 0.0), |(middlegame, endgame), &(weight, times)| {
            let (at, times) = (2 * usize::from(weight), f32::from(times));
            (middlegame + times * weights[at], endgame + times * weights[at + 1])
        })
    }

    /// Adds the derivatives of the sum, times `factors` for the middlegame and the endgame, to `gradient`.
    pub fn add_gradient(&self, factors: (f32, f32), gradient: &mut [f32]) {
        for &(weight, times) in &self.0 {
            let (at, times) = (2 * usize::from(weight), f32::from(times));
            gradient[at] += times * factors.0;
            gradient[at + 1] += times * factors.1;
        }
    }

    /// Calls `visit` with the index of each number that counts.
    pub fn for_each_weight(&self, visit: &mut dyn FnMut(usize)) {
        for &(weight, _) in &self.0 {
            visit(2 * usize::from(weight));
            visit(2 * usize::from(weight) + 1);
        }
    }
}
