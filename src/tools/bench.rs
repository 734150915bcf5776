//! The bench: one number over a fixed set of positions that tells whether the search has changed,
//! and how fast it is.

use crate::game::{Evaluator, Heuristics, Notation};
use crate::search::{self, Control, Limits, SearchRequest, SearchState, Settings, TableError};
use crate::variants::{self, VariantVisitor};
use crossbeam_channel::Receiver;
use std::time::{Duration, Instant};

/// The depth that takes a few seconds.
pub const DEPTH: i32 = 16;

/// What a bench came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// The same on every machine, as long as the search is the same.
    pub nodes: u64,
    /// How long it took.
    pub elapsed: Duration,
}

impl Total {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches the bench positions of the default game to `depth` plies, each as a game of its own, with a table of
/// `megabytes` MiB. Calls `each` with the number of a position, its text, the number of positions, and its nodes.
/// Returns `None` if `control` ends it early.
///
/// # Errors
/// If there is no memory for the table.
pub fn run(
    depth: i32,
    megabytes: usize,
    control: &Receiver<Control>,
    each: &mut dyn FnMut(Position, u64),
) -> Result<Option<Total>, TableError> {
    let bench = Bench { depth, megabytes, control, each };
    variants::visit(variants::DEFAULT, bench).expect("the default is one of the games")
}

/// One of the bench positions.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// Its number, from 1.
    pub number: usize,
    /// The number of bench positions.
    pub count: usize,
    /// The position as text.
    pub text: &'static str,
}

/// The command, once the game is known.
struct Bench<'a> {
    depth: i32,
    megabytes: usize,
    control: &'a Receiver<Control>,
    each: &'a mut dyn FnMut(Position, u64),
}

impl VariantVisitor for Bench<'_> {
    type Output = Result<Option<Total>, TableError>;

    fn visit<G: Heuristics + Notation, E: Evaluator<G>>(self) -> Self::Output {
        let Bench { depth, megabytes, control, each } = self;
        let mut state = SearchState::new(megabytes)?;
        let (started, mut nodes) = (Instant::now(), 0);
        for (i, &text) in G::BENCH.iter().enumerate() {
            let Ok(parsed) = G::parse_position(text) else { unreachable!("{text} is a legal position") };
            state.clear();
            let Some(searched) = search_one::<G, E>(parsed.game, depth, &mut state, control) else {
                return Ok(None);
            };
            nodes += searched;
            each(Position { number: i + 1, count: G::BENCH.len(), text }, searched);
        }
        Ok(Some(Total { nodes, elapsed: started.elapsed() }))
    }
}

fn search_one<G: Heuristics, E: Evaluator<G>>(
    root: G,
    depth: i32,
    state: &mut SearchState,
    control: &Receiver<Control>,
) -> Option<u64> {
    let request = SearchRequest { root, limits: Limits::depth(depth), settings: Settings::default() };
    let search = search::run_to_end::<G, E>(request, state, control, &mut |_| {}).ok()?;
    let is_complete = search.last.lines[0].depth.plies() >= depth || search.result.best.is_none();
    is_complete.then_some(search.result.nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_twice_counts_the_same_and_a_dropped_control_ends_it() {
        let (sender, control) = crossbeam_channel::unbounded();
        let mut seen = Vec::new();
        let mut count = || {
            run(5, 1, &control, &mut |position, _| seen.push(position.number))
                .unwrap()
                .map(|total| total.nodes)
        };
        assert_eq!(count(), count());
        assert!(count().unwrap() > 10_000);
        assert_eq!(seen.len(), 3 * seen.iter().max().unwrap());
        drop(sender);
        assert_eq!(run(30, 1, &control, &mut |_, _| {}).unwrap(), None);
    }
}
