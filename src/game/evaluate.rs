//! Static evaluation: the estimate that a search uses where it stops.

use super::{Game, Move, Score, TableFiles, Tablebase};
use crate::nnue::{Network, NetworkError};
use std::sync::Arc;

/// EVAL(s): an estimate of the value of a position that is not terminal.
///
/// A position holds no evaluation. An evaluator that keeps running sums, or a network's accumulators, updates
/// them in [`Evaluator::before_move`] and [`Evaluator::after_undo`].
///
/// Each search thread creates one with `Default` and keeps it from one search to the next. State that
/// survives [`Evaluator::reset`] may save time but must not change a value.
pub trait Evaluator<G: Game>: Default + Send + 'static {
    /// Returns the estimate for the side to move, in the game's unit, never a decisive score.
    fn evaluate(&mut self, game: &G) -> Score;

    /// Drops incremental state and starts at `game`, the root of a search.
    fn reset(&mut self, game: &G) {
        let _ = game;
    }

    /// Updates incremental state for `mv`, which will be played in `game` next.
    fn before_move(&mut self, game: &G, mv: Move) {
        let _ = (game, mv);
    }

    /// Reverts the last [`Evaluator::before_move`]: that move was taken back.
    fn after_undo(&mut self) {}

    /// Evaluates with `network` from now on, or by hand with `None`. An evaluator that has no network ignores it.
    ///
    /// The network must come from [`Evaluator::embedded_network`] or [`Evaluator::read_network`]. Call
    /// [`Evaluator::reset`] before the next evaluation.
    fn set_network(&mut self, network: Option<&Arc<Network>>) {
        let _ = network;
    }

    /// Returns the network for this game that is a part of the program, if there is one.
    fn embedded_network() -> Option<Arc<Network>> {
        None
    }

    /// Reads a network for this game from the bytes of its file.
    ///
    /// # Errors
    /// If the bytes are no network for this game, or if the evaluator has no network.
    fn read_network(bytes: &[u8]) -> Result<Network, NetworkError> {
        let _ = bytes;
        Err(NetworkError::Unsupported)
    }

    /// Returns the endgame tables among `files`; `None` if the game has none.
    fn open_tablebase(files: &TableFiles) -> Option<Arc<dyn Tablebase<G>>> {
        let _ = files;
        None
    }

    /// Returns the terms of the evaluation of `game`, for display; empty if the evaluator has none to show.
    fn terms(&mut self, game: &G) -> Vec<Term> {
        let _ = game;
        Vec::new()
    }

    /// Returns what the value of `game` rests on, as text for display that ends in an empty line, if
    /// [`Evaluator::terms`] cannot show it.
    fn explanation(&mut self, game: &G) -> Option<String> {
        let _ = game;
        None
    }

    /// Returns the game phase that tapers [`Evaluator::terms`], from 0 (endgame) to 256 (middlegame).
    fn phase(&self, game: &G) -> u32 {
        let _ = game;
        128
    }

    /// Returns how often the side to move wins, draws and loses from a position with this score.
    fn wdl(&self, game: &G, score: Score) -> Wdl {
        let _ = game;
        Wdl::logistic(score, 150.0, 70.0)
    }
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
