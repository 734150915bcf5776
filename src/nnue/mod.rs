//! Efficiently updatable neural networks (NNUE): the value of a position from the contents of its cells.
//!
//! A network has three steps, all in integers, so that every build computes the same value:
//!
//! * Each perspective, that of the first and that of the second player, adds up one row of weights for
//!   each active input, and a bias: its *accumulator*. A move changes a few inputs, so an accumulator is
//!   updated, not computed anew ([`Accumulators`]).
//! * The activation of each element is its square after clamping to 0..=[`QA`] (squared clipped ReLU).
//! * The output bucket that the game chooses adds up the products of the activations with its output weights,
//!   those of the side to move first.
//!
//! A game numbers its inputs by [`Features`]; nothing here knows a game. See
//! <https://www.chessprogramming.org/NNUE> and <https://arxiv.org/abs/2209.01506> for the background.

mod accumulator;
mod error;
mod features;
mod file;
mod limits;
mod network;
mod random;

pub use accumulator::Accumulators;
pub use error::NetworkError;
pub use features::{Content, Features, Layout};
pub use limits::{LANES, MAX_WIDTH, QA, QB};
pub use network::{Lanes, Network, OutputWeights};
