//! The bench: searches fixed positions to a fixed depth. The node count changes only if the search changes;
//! the time shows its speed.

use crate::clock::Instant;
use crate::game::Variant;
use crate::nnue::Network;
use crate::search::{self, Limits, SearchRequest, SearchState, Settings, Signals, TtError};
use crate::variants::with_game;
use std::sync::Arc;
use std::time::Duration;

/// The default depth in plies, which takes a few seconds.
pub const DEPTH: i32 = 16;

/// The totals of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// Nodes over all positions: the same on every machine for the same search.
    pub nodes: u64,
    /// The time for all positions.
    pub elapsed: Duration,
}

impl Total {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches the bench positions of the game `variant` to `depth` plies, or its start position if it has none, and
/// returns the totals; `None` if `signals` stops a search. `network`, one for this game, evaluates; `None` evaluates by
/// hand.
///
/// Each position is searched with an empty transposition table of `megabytes` MiB. `on_position` gets each
/// position with the nodes of its search.
///
/// # Errors
/// If there is not enough memory for the transposition table.
///
/// # Panics
/// If there is no game of that name.
pub fn run(
    variant: &str,
    depth: i32,
    megabytes: usize,
    network: Option<&Arc<Network>>,
    signals: &dyn Signals,
    on_position: &mut dyn FnMut(BenchPosition, u64),
) -> Result<Option<Total>, TtError> {
    with_game!(variant, |start| run_game(start, depth, megabytes, network, signals, on_position))
        .expect("the caller has a game of this name")
}

/// A bench position.
#[derive(Clone, Debug)]
pub struct BenchPosition {
    /// The number of this position, from 1.
    pub number: usize,
    /// The number of bench positions.
    pub count: usize,
    /// The position as text.
    pub text: String,
}

fn run_game<G: Variant>(
    start: G,
    depth: i32,
    megabytes: usize,
    network: Option<&Arc<Network>>,
    signals: &dyn Signals,
    on_position: &mut dyn FnMut(BenchPosition, u64),
) -> Result<Option<Total>, TtError> {
    let settings = Settings { network: network.cloned(), ..Settings::default() };
    let mut state = SearchState::new(megabytes)?;
    let (started, mut nodes) = (Instant::now(), 0);
    let read = |&text: &&str| start.parse_position(text).expect("a bench position is legal").game;
    let mut roots: Vec<G> = start.bench_positions().iter().map(read).collect();
    if roots.is_empty() {
        roots.push(start);
    }
    let count = roots.len();
    for (i, root) in roots.into_iter().enumerate() {
        state.clear();
        let text = root.position_text();
        let (limits, settings) = (Limits::depth(depth), settings.clone());
        let request = SearchRequest { root, limits, settings, tablebase: None };
        let search = search::run_to_end::<G, G::Evaluator>(request, &mut state, signals, &mut |_| {});
        let Ok(search) = search else { return Ok(None) };
        let reached_depth = search.last.is_some_and(|last| last.lines[0].depth.plies() >= depth);
        if search.result.stopped && !reached_depth {
            return Ok(None);
        }
        nodes += search.result.nodes;
        on_position(BenchPosition { number: i + 1, count, text }, search.result.nodes);
    }
    Ok(Some(Total { nodes, elapsed: started.elapsed() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bench_of_every_game_counts_nodes() {
        let (_sender, signals) = crossbeam_channel::unbounded();
        for variant in crate::variants::NAMES {
            let total = run(variant, 3, 1, None, &signals, &mut |_, _| {}).unwrap().unwrap();
            assert!(total.nodes > 3, "{variant}: {total:?}");
        }
    }

    #[test]
    fn bench_repeated_gives_equal_nodes_and_dropped_control_stops_it() {
        let (sender, signals) = crossbeam_channel::unbounded();
        let mut numbers = Vec::new();
        let mut count = || {
            run(crate::variants::DEFAULT, 5, 1, None, &signals, &mut |position, _| {
                numbers.push(position.number)
            })
            .unwrap()
            .map(|total| total.nodes)
        };
        assert_eq!(count(), count());
        assert!(count().unwrap() > 10_000);
        assert_eq!(numbers.len(), 3 * numbers.iter().max().unwrap());
        drop(sender);
        assert_eq!(run(crate::variants::DEFAULT, 30, 1, None, &signals, &mut |_, _| {}).unwrap(), None);
    }
}
