//! What a search says: values, no text.

use crate::game::{Bound, Depth, Move, Ply, Score};
use std::time::Duration;

/// One message of a running search.
#[derive(Clone, Debug)]
pub enum Report {
    /// An iteration, or a part of one, is finished.
    Block(IterationReport),
    /// A long search has come to this root move.
    CurrMove {
        /// The iteration.
        depth: Depth,
        /// The root move.
        mv: Move,
        /// Its place in the order, from 1.
        number: usize,
    },
    /// Not as many threads could be had as were asked for.
    FewerThreads {
        /// How many there are.
        running: usize,
        /// What the system said.
        reason: String,
    },
}

/// All lines of one iteration, best first; there is one unless several were asked for.
#[derive(Clone, Debug)]
pub struct IterationReport {
    /// At least one; first moves are distinct and scores do not rise.
    pub lines: Vec<PvLine>,
    /// Over all threads.
    pub nodes: u64,
    /// Since [`Limits::started`](super::Limits::started).
    pub elapsed: Duration,
    /// Filled part of the table in per mille.
    pub hashfull: u16,
}

/// A principal variation and what it is worth.
#[derive(Clone, Debug)]
pub struct PvLine {
    /// The iteration that gave it; zero where the root is the end of the game.
    pub depth: Depth,
    /// The furthest ply looked at.
    pub seldepth: Ply,
    /// For the side to move at the root.
    pub score: Score,
    /// How `score` is meant.
    pub bound: Bound,
    /// Legal moves from the root on; empty only where there is none.
    pub pv: Vec<Move>,
}

/// How a search ended.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// The move to play; `None` where there is no legal move, or where the search came to a bad end before it had listed them.
    pub best: Option<Move>,
    /// The answer it expects.
    pub ponder: Option<Move>,
    /// Nodes over all threads.
    pub nodes: u64,
    /// Since the command arrived.
    pub elapsed: Duration,
    /// Whether it was told to end.
    pub stopped: bool,
    /// The message of a panic that ended the search; the rest is the best known before it.
    pub panic: Option<String>,
    /// The messages of panics that ended single threads, without which the search went on.
    pub helper_panics: Vec<String>,
}

/// The message of a panic.
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
