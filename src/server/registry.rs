//! The one list of games.

use super::session::{GameSession, Session};
use crate::game::{Evaluator, Heuristics, Notation};
use crate::games::chess;
use crate::games::tictactoe::{OpenLines, TicTacToe};
use crate::games::tree::{Tree, ZeroEval};
use crate::games::triangle_war::{ScoreDifference, TriangleWar};
use crate::search::{Control, TableError};
use crate::tools::bench::{self, Total};
use crate::tools::solve::{self, SolveError};
use crate::tools::tune;
use crossbeam_channel::Receiver;
use std::io::Write;

/// How a game's session is made, under the game's name.
type Entry = (&'static str, fn() -> Box<dyn Session>);

/// Every game, the first one being what a server begins with.
const GAMES: &[Entry] = &[
    entry::<chess::Position, chess::Classical>(),
    entry::<TicTacToe<3>, OpenLines>(),
    entry::<TicTacToe<4>, OpenLines>(),
    entry::<TriangleWar, ScoreDifference>(),
    entry::<Tree, ZeroEval>(),
];

const fn entry<G: Heuristics + Notation, E: Evaluator<G>>() -> Entry {
    (G::VARIANT, || Box::new(GameSession::<G, E>::default()))
}

/// The values of `UCI_Variant`.
pub fn variants() -> Vec<&'static str> {
    GAMES.iter().map(|(name, _)| *name).collect()
}

/// A new game of that name, at its start.
pub fn session(variant: &str) -> Option<Box<dyn Session>> {
    GAMES.iter().find(|(name, _)| *name == variant).map(|(_, make)| make())
}

/// [`bench::run`] for chess.
pub fn bench(
    depth: i32,
    megabytes: usize,
    control: &Receiver<Control>,
    each: &mut dyn FnMut(usize, &str, u64),
) -> Result<Option<Total>, TableError> {
    bench::run::<chess::Position, chess::Classical>(depth, megabytes, control, each)
}

/// [`tune::main`] for chess.
pub fn tune(arguments: &tune::Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    tune::main::<chess::Position, chess::Classical>(arguments, out)
}

/// From a judge's input to its output.
pub type ProblemSolver = fn(&str) -> Result<String, SolveError>;

/// The judges' problems by name.
pub const JUDGE_PROBLEMS: [(&str, ProblemSolver); 2] = [
    ("poj1568", solve::poj1568::<TicTacToe<4>, OpenLines>),
    ("poj1085", solve::poj1085::<TriangleWar, ScoreDifference>),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bench_counts_the_same_twice_and_hears_a_stop() {
        let (sender, control) = crossbeam_channel::unbounded();
        let mut seen = 0;
        let mut count = || bench(5, 1, &control, &mut |_, _, _| seen += 1).unwrap().map(|total| total.nodes);
        assert_eq!(count(), count());
        assert!(count().unwrap() > 10_000);
        assert_eq!(seen, 3 * bench::COUNT);
        drop(sender);
        assert_eq!(bench(30, 1, &control, &mut |_, _, _| {}).unwrap(), None);
    }

    #[test]
    fn every_game_has_a_name_of_its_own() {
        let mut names = variants();
        for name in &names {
            assert_eq!(session(name).unwrap().variant(), *name);
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), GAMES.len());
        assert!(session("nonesuch").is_none());
    }
}
