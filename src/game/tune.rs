//! What an evaluation must tell so that its weights can be fitted to results of games.

use super::Game;

/// An evaluation that is a differentiable function of a list of weights.
///
/// Positions are traced once; value and gradient are then worked out from the trace alone, for any weights.
pub trait Tunable<G: Game> {
    /// All of a position that the value depends on beside the weights.
    type Trace: Send + Sync;

    /// What the weights are called, and what they are now.
    fn weights() -> Vec<(String, f32)>;

    /// What the value of `game` depends on; `None` where no weight has a say in it.
    fn trace(game: &G) -> Option<Self::Trace>;

    /// The value from the side of White, in the score's unit, that `weights` would give.
    fn value(trace: &Self::Trace, weights: &[f32]) -> f32;

    /// Adds `factor` times the derivative of [`Tunable::value`] by each weight to `gradient`.
    fn add_gradient(trace: &Self::Trace, weights: &[f32], factor: f32, gradient: &mut [f32]);

    /// Calls `seen` with each weight that has a say in the value.
    fn for_each_weight(trace: &Self::Trace, seen: &mut dyn FnMut(usize));

    /// `source`, the text of the file in which the weights are written, with these `weights` in their place;
    /// an error if it does not hold the weights of this program.
    fn replace_weights(source: &str, weights: &[f32]) -> Result<String, String>;
}
