//! Static evaluation: the estimate that a search uses where it stops.

use super::{Game, Move, Score};
use crate::nnue::{Network, NetworkError};
use std::sync::Arc;

/// EVAL(s): an estimate of the value of a position that is not terminal.
///
/// A position holds no evaluation. An evaluator that keeps running sums, or a network's accumulators, updates
/// them in [`Evaluator::before_move`] and [`Evaluator::after_undo`].
///
/// Each search thread creates one and keeps it from one search to the next. State that survives [`Evaluator::reset`] may
/// save time but must not change a value.
///
/// Its `Default` evaluates by hand.
#[expect(unused_variables, reason = "the defaults ignore parameters")]
pub trait Evaluator<G: Game>: Default + Send + 'static {
    /// Returns an evaluator that evaluates by `network`, or by hand with `None`. Without networks of its own, as here, it
    /// ignores `network`, which else must come from [`Variant::embedded_network`](super::Variant::embedded_network) or
    /// [`Evaluator::read_network`].
    fn new(network: Option<&Arc<Network>>) -> Self {
        Self::default()
    }

    /// Reads a network for this game from the bytes of its file.
    ///
    /// # Errors
    /// If the bytes are no network for this game, or, as here, if networks cannot evaluate the game.
    fn read_network(bytes: &[u8]) -> Result<Network, NetworkError> {
        Err(NetworkError::Other("a game whose evaluation can use a network".into()))
    }

    /// Returns the estimate for the side to move, in the game's unit, never a decisive score.
    fn evaluate(&mut self, game: &G) -> Score;

    /// Drops incremental state and starts at `game`, the root of a search.
    fn reset(&mut self, game: &G) {}

    /// Updates incremental state for `mv`, which will be played in `game` next.
    fn before_move(&mut self, game: &G, mv: Move) {}

    /// Reverts the last [`Evaluator::before_move`]: that move was taken back.
    fn after_undo(&mut self) {}
}

/// One term of an evaluation, in the game's unit, for each side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The term's name.
    pub name: &'static str,
    /// `[White, Black]`, each as `(middlegame, endgame)`; positive is good for that side.
    pub sides: [(i32, i32); 2],
}

/// Win, draw and loss rates in per mille; the three sum to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// Wins in per mille.
    pub win: u16,
    /// Draws in per mille.
    pub draw: u16,
    /// Losses in per mille.
    pub loss: u16,
}

impl Wdl {
    /// Returns the rates of a logistic model: the win rate is 1 / (1 + exp((`offset` - `score`) / `slope`)),
    /// the loss rate is the same for -`score`, and draws are the rest.
    ///
    /// `offset` and `slope` are in the score's unit and positive. A decisive score gives 1000 wins or losses.
    pub fn logistic(score: Score, offset: f64, slope: f64) -> Wdl {
        if score.is_decisive() {
            let win = if score.is_win() { 1000 } else { 0 };
            return Wdl { win, draw: 0, loss: 1000 - win };
        }
        let rate = |value: f64| (1000.0 / (1.0 + ((offset - value) / slope).exp())).round() as u16;
        let value = f64::from(score.value());
        let (win, loss) = (rate(value), rate(-value));
        Wdl { win, draw: 1000 - win - loss, loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wdl_of_opposite_scores_sums_to_1000_and_mirrors() {
        for value in (-31_000..31_000).step_by(37) {
            let (one, two) = (
                Wdl::logistic(Score::new(value), 150.0, 70.0),
                Wdl::logistic(Score::new(-value), 150.0, 70.0),
            );
            assert_eq!(one.win + one.draw + one.loss, 1000);
            assert_eq!((one.win, one.draw, one.loss), (two.loss, two.draw, two.win));
        }
        assert_eq!(Wdl::logistic(Score::MATE, 150.0, 70.0), Wdl { win: 1000, draw: 0, loss: 0 });
    }
}
