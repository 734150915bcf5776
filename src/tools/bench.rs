//! The bench: searches fixed positions to a fixed depth. The node count changes only if the search changes;
//! the time shows its speed.

use crate::clock::Instant;
use crate::game::Variant;
use crate::nnue::Network;
use crate::search::{self, Limits, SearchRequest, SearchState, Settings, Signals};
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
/// `state` is cleared before each position. `on_position` gets a line for each, with the nodes of its search.
///
/// # Panics
/// If there is no game of that name.
pub fn run(
    variant: &str,
    depth: i32,
    state: &mut SearchState,
    network: Option<&Arc<Network>>,
    signals: &dyn Signals,
    on_position: &mut dyn FnMut(String),
) -> Option<Total> {
    with_game!(variant, |start| run_game(start, depth, state, network, signals, on_position))
        .expect("the caller has a game of this name")
}

fn run_game<G: Variant>(
    start: G,
    depth: i32,
    state: &mut SearchState,
    network: Option<&Arc<Network>>,
    signals: &dyn Signals,
    on_position: &mut dyn FnMut(String),
) -> Option<Total> {
    let settings = Settings { network: network.cloned(), ..Settings::default() };
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
        let search = search::run_to_end::<G, G::Evaluator>(request, state, signals, &mut |_| {}).ok()?;
        let reached_depth = search.last.is_some_and(|last| last.lines[0].depth.plies() >= depth);
        if search.result.stopped && !reached_depth {
            return None;
        }
        nodes += search.result.nodes;
        on_position(format!("position {:>2}/{count} nodes {:>9} {text}", i + 1, search.result.nodes));
    }
    Some(Total { nodes, elapsed: started.elapsed() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bench_of_every_game_counts_nodes() {
        let (_sender, signals) = crossbeam_channel::unbounded();
        for variant in crate::variants::NAMES {
            let mut state = SearchState::new(1).unwrap();
            let total = run(variant, 3, &mut state, None, &signals, &mut |_| {}).unwrap();
            assert!(total.nodes > 3, "{variant}: {total:?}");
        }
    }

    #[test]
    fn bench_repeated_gives_equal_nodes_and_dropped_control_stops_it() {
        let (sender, signals) = crossbeam_channel::unbounded();
        let mut state = SearchState::new(1).unwrap();
        let mut bench = |depth| {
            let mut lines = Vec::new();
            let total = run(crate::variants::DEFAULT, depth, &mut state, None, &signals, &mut |line| {
                lines.push(line);
            });
            (total.map(|total| total.nodes), lines)
        };
        let (nodes, lines) = bench(5);
        assert!(nodes.unwrap() > 10_000);
        assert!(lines.last().unwrap().starts_with(&format!("position {0}/{0} nodes ", lines.len())));
        assert_eq!(bench(5), (nodes, lines));
        drop(sender);
        assert_eq!(bench(30).0, None);
    }
}
