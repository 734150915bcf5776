//! The value of a position in a game that is searched exactly, by searches to the end of the game with null windows: each asks
//! whether the value is at least a score, and halves what is left (C*, Coplan 1982, "A special-purpose machine for an improved
//! search algorithm for deep chess combinations"; Pascal Pons's solver of Connect Four does it too). Win, draw or loss comes first.
//!
//! In Connect Four two such searches take a tenth of the nodes of iterative deepening to the same value, because that proves
//! little before its last iterations. Until the outcome is known both take turns, so that a stopped search has a good move.

use super::control::Stopped;
use super::time::IterationStats;
use super::worker::{Support, Worker};
use crate::game::{Depth, Evaluator, Heuristics, Ply, Score, Window};

/// The nodes of the bisection for each node of the iterations.
const SHARE: u64 = 2;

/// The least nodes of one run: the smallest positions are solved before.
const MIN_NODES: u64 = 10_000;

/// What is known of the value of the root.
#[derive(Clone, Copy, Debug)]
pub struct Bisection {
    lower: Score,
    upper: Score,
    /// The nodes that it has taken so far.
    nodes: u64,
}

impl Bisection {
    /// Nothing is known.
    pub fn new() -> Bisection {
        Bisection { lower: Window::FULL.alpha, upper: Window::FULL.beta, nodes: 0 }
    }

    /// Whether the outcome is known: a win, a draw or a loss.
    fn is_decided(self) -> bool {
        self.lower > Score::ZERO || self.lower == self.upper || self.upper < Score::ZERO
    }

    /// The next window: whether it is a win, then whether it is a loss, then the middle of the scores left.
    fn window(self) -> Window {
        let outcomes = [Score::ZERO + 1, Score::ZERO];
        let outcome = outcomes.into_iter().find(|&beta| self.lower < beta && beta <= self.upper);
        Window::null_window_at_beta(outcome.unwrap_or(self.upper - (self.upper - self.lower) / 2))
    }
}

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// Continues `bisection`, by as many nodes as its share allows until the outcome is known. Returns whether the value is known; then
    /// the first root move has an exact line. Otherwise it is the move of the iterations, or one that is proved to win.
    ///
    /// # Errors
    /// If the search must stop.
    pub(super) fn bisect(&mut self, bisection: &mut Bisection) -> Result<bool, Stopped> {
        while bisection.lower < bisection.upper {
            let is_decided = bisection.is_decided();
            let nodes_before = self.nodes;
            let budget = (SHARE * (self.nodes - bisection.nodes)).saturating_sub(bisection.nodes);
            // Each run is as long as all before, because it searches again what they had not finished.
            if !is_decided && budget < bisection.nodes.max(MIN_NODES) {
                return Ok(false);
            }
            if is_decided && self.control.should_stop_deepening(self.nodes, IterationStats::NEUTRAL) {
                return Err(Stopped);
            }
            let limit = if is_decided { u64::MAX } else { self.nodes + budget };
            let (window, root_moves) = (bisection.window(), self.root_moves.clone());
            self.support = Support::PROOF;
            self.control.set_own_node_limit(limit);
            let searched = self.search_roots(window, Depth::MAX);
            self.control.set_own_node_limit(u64::MAX);
            bisection.nodes += self.nodes - nodes_before;
            match searched {
                Ok(score) if score >= window.beta => {
                    bisection.lower = score;
                    continue;
                }
                Ok(score) => bisection.upper = score,
                Err(Stopped) => {}
            }
            self.root_moves = root_moves;
            if searched.is_err() {
                return if self.nodes >= limit { Ok(false) } else { Err(Stopped) };
            }
        }
        self.seldepth = Ply::ROOT;
        self.support = Support::PROOF;
        // All windows are open on the line, so that it goes to the end of the game. The table knows the other moves.
        self.search_roots(Window::FULL, Depth::MAX)?;
        // A line may end early, where the game knows how it goes on.
        let plies = bisection.lower.plies_to_mate().unwrap_or_default().max(self.seldepth.index() as u32);
        self.root_depth = Depth::new(plies as i32);
        self.root_moves[0].line.depth = self.root_depth;
        Ok(true)
    }
}
