//! What an evaluation provides so that its weights can be tuned by gradient descent on game results.

use super::Game;

/// An evaluation that is a differentiable function of a list of weights.
///
/// Each position is traced once. Value and gradient for any weights follow from the trace alone.
pub trait Tunable<G: Game> {
    /// The features of a position on which its value depends.
    type Trace: Send + Sync;

    /// Returns the names and the present values of all weights.
    fn weights() -> Vec<(String, f32)>;

    /// Returns the trace of `game`, or `None` if its value depends on no weight.
    fn trace(game: &G) -> Option<Self::Trace>;

    /// Returns the value of the traced position with these `weights`, in the game's unit, for White.
    fn value(trace: &Self::Trace, weights: &[f32]) -> f32;

    /// Adds `factor` times the partial derivatives of [`Tunable::value`] to `gradient`, one element per
    /// weight.
    fn add_gradient(trace: &Self::Trace, weights: &[f32], factor: f32, gradient: &mut [f32]);

    /// Calls `visit` with the index of each weight on which the value depends.
    fn for_each_weight(trace: &Self::Trace, visit: &mut dyn FnMut(usize));

    /// Returns `source`, the text of the source file that holds the weights, with these `weights` in it.
    ///
    /// # Errors
    ///
    /// If `source` does not hold the weights of this program.
    fn replace_weights(source: &str, weights: &[f32]) -> Result<String, String>;
}
