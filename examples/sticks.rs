//! A game to copy: a heap of sticks. Each side takes one, two or three; the side that takes the last stick wins.
//!
//! `docs/adding-a-game.md` leads from this file to a game of the program: copy it to `src/games/`, write `crate::` for
//! `duiyi::`, and leave out `main`. `cargo run --example sticks` solves the game, `cargo test --example sticks` tests it.

use duiyi::game::{
    Evaluator, Game, Heuristics, Move, MoveList, Notation, NotationError, Outcome, Parsed, Score, Side,
    SplitMix64, Variant,
};

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sticks {
    left: u16,
    side: Side,
}

impl Game for Sticks {
    fn side_to_move(&self) -> Side {
        self.side
    }

    // Moves are 16 bits that are never 0: here, the number of sticks to take.
    fn legal_moves(&self, moves: &mut MoveList) {
        moves.extend((1..=self.left.min(3)).map(Move::new));
    }

    fn play(&mut self, mv: Move) {
        self.left -= mv.bits();
        self.side = !self.side;
    }

    fn undo(&mut self, mv: Move) {
        self.side = !self.side;
        self.left += mv.bits();
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Win(!self.side))
    }

    // Similar positions need different keys: the generator mixes the bits.
    fn key(&self) -> u64 {
        SplitMix64::new(u64::from(self.left) << 1 | self.side as u64).next()
    }
}

// Every method has a default: the search is exact and knows nothing of the game.
impl Heuristics for Sticks {}

impl Sticks {
    /// Returns the position in which a game starts.
    pub fn start() -> Self {
        Sticks { left: 21, side: Side::White }
    }
}

impl Notation for Sticks {
    fn variant(&self) -> &'static str {
        "sticks"
    }

    fn initial(&self) -> Self {
        Self::start()
    }

    fn parse_position(&self, text: &str) -> Result<Parsed<Self>, NotationError> {
        let game = || {
            let (left, side) = text.trim().split_once(' ')?;
            let left = left.parse().ok().filter(|&left| left <= 1000)?;
            let side = Side::ALL.into_iter().find(|&other| side == ["w", "b"][other.index()])?;
            Some(Sticks { left, side })
        };
        let expected = "expected at most 1000 sticks and the side to move, like 21 w";
        let game = game().ok_or_else(|| NotationError::new(expected, text))?;
        Ok(Parsed { game, warnings: Vec::new() })
    }

    fn position_text(&self) -> String {
        format!("{} {}", self.left, ["w", "b"][self.side.index()])
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let taken = text.parse().ok().filter(|taken| (1..=self.left.min(3)).contains(taken));
        taken
            .map(Move::new)
            .ok_or_else(|| NotationError::new("expected 1, 2 or 3 sticks of those left", text))
    }

    fn move_text(&self, mv: Move) -> String {
        mv.bits().to_string()
    }

    fn diagram(&self) -> String {
        format!("{}\n", "| ".repeat(usize::from(self.left)).trim_end())
    }

    fn flipped(&self) -> Option<Self> {
        Some(Sticks { side: !self.side, ..*self })
    }
}

/// Knows nothing: the search finds the end of the game.
#[derive(Default)]
pub struct Even;

impl Evaluator<Sticks> for Even {
    fn evaluate(&mut self, _: &Sticks) -> Score {
        Score::ZERO
    }
}

impl Variant for Sticks {
    type Evaluator = Even;
}

/// Searches the start position as the engine does, without a server.
#[allow(clippy::print_stdout)]
fn main() -> anyhow::Result<()> {
    use duiyi::game::Depth;
    use duiyi::search::{Limits, Report, SearchRequest, SearchState, run};

    let root = Sticks::start();
    let (_sender, signals) = crossbeam_channel::unbounded();
    let request = SearchRequest::new(root.clone(), Limits { depth: Some(Depth::new(21)), ..Limits::none() });
    run::<_, Even>(request, &mut SearchState::new(1)?, &signals, &mut |report| {
        if let Report::Iteration(iteration) = report
            && let Some(line) = iteration.lines.first()
        {
            let end = match line.score.moves_to_mate() {
                Some(moves) => format!("decided in {} moves", moves.abs()),
                None => "not yet decided".to_string(),
            };
            println!("depth {}: take {}, {end}", line.depth.plies(), root.move_text(line.pv[0]));
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use duiyi::game::{conformance, perft};

    #[test]
    fn random_games_conform() {
        // 50 games of at most 21 plies, from the seed 1.
        conformance::check(&Sticks::start(), 50, 21, 1);
        conformance::check_evaluation(&Sticks::start(), None, 50, 21, 1);
    }

    #[test]
    fn two_moves_from_four_sticks_have_six_orders() {
        let mut four = Sticks::start().parse_position("4 w").unwrap().game;
        assert_eq!(perft::perft(&mut four, 1, &mut || false), Some(3));
        assert_eq!(perft::perft(&mut four, 2, &mut || false), Some(3 + 2 + 1));
    }

    #[test]
    fn texts_that_are_no_position_and_no_move_are_refused() {
        for text in ["", "21", "21 x", "-1 w", "1001 w", "21 w w"] {
            assert!(Sticks::start().parse_position(text).is_err(), "{text}");
        }
        for text in ["", "0", "4", "one"] {
            assert!(Sticks::start().parse_move(text).is_err(), "{text}");
        }
    }
}
