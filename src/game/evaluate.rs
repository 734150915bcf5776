//! What a position is worth when the search stops looking.

use super::{Game, Move, Score};

/// EVAL(s): an estimate for positions that are not terminal.
///
/// The board knows no evaluation; an evaluation that keeps running sums (or a neural network's
/// accumulators) watches the moves instead. Created by `Default` for each search thread and kept from one
/// search to the next: what it remembers beyond [`Evaluator::reset`] may save work but must change no value.
pub trait Evaluator<G: Game>: Default + Send + 'static {
    /// The value of `game` for the side to move, never decisive.
    fn evaluate(&mut self, game: &G) -> Score;

    /// Starts afresh at `game`, the root of a search.
    fn reset(&mut self, game: &G) {
        let _ = game;
    }

    /// `mv` is about to be played in `game`.
    fn before_move(&mut self, game: &G, mv: Move) {
        let _ = (game, mv);
    }

    /// The last move reported to `played` was taken back.
    fn after_undo(&mut self) {}

    /// The terms whose weighted sum [`Evaluator::evaluate`] is, for people to read.
    fn terms(&mut self, game: &G) -> Vec<Term> {
        let _ = game;
        Vec::new()
    }

    /// The game phase that tapers [`Evaluator::terms`], from 0 (endgame) to 256 (middlegame).
    fn phase(&self, game: &G) -> u32 {
        let _ = game;
        128
    }

    /// How often a position of this score is won, drawn and lost by the side to move.
    fn wdl(&self, game: &G, score: Score) -> Wdl {
        let _ = game;
        Wdl::logistic(score, 150.0, 70.0)
    }
}

/// One term of an evaluation, in the score's unit, for each side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The field's name for it.
    pub name: &'static str,
    /// `[White, Black]`; each is `(middlegame, endgame)` of that side's own.
    pub sides: [(i32, i32); 2],
}

/// Win, draw and loss in per mille; the three sum to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// Games won of a thousand.
    pub win: u16,
    /// Games drawn of a thousand.
    pub draw: u16,
    /// Games lost of a thousand.
    pub loss: u16,
}

impl Wdl {
    /// Wins by a logistic curve that reaches one half at `half` and whose slope is set by `scale`,
    /// losses by its mirror image, draws the rest.
    pub fn logistic(score: Score, half: f64, scale: f64) -> Wdl {
        if score.is_decisive() {
            let win = if score.is_win() { 1000 } else { 0 };
            return Wdl { win, draw: 0, loss: 1000 - win };
        }
        let rate = |value: f64| (1000.0 / (1.0 + ((half - value) / scale).exp())).round() as u16;
        let value = f64::from(score.value());
        let (win, loss) = (rate(value), rate(-value));
        Wdl { win, draw: 1000 - win - loss, loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wdl_sums_to_a_thousand_and_mirrors() {
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
