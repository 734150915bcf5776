//! The reports and the result of a search, as values.

use super::counters::Counters;
use crate::game::{Bound, Depth, Move, Ply, Score};
use serde::Serialize;
use std::time::Duration;

/// A report of a running search.
#[derive(Clone, Debug)]
pub enum Report {
    /// An iteration is finished, or has a better move.
    Iteration(IterationReport),
    /// The root move that the search is at (UCI `currmove`).
    CurrMove {
        /// The iteration.
        depth: Depth,
        /// The root move.
        mv: Move,
        /// The number of the move in the search order, from 1.
        number: usize,
    },
    /// Fewer threads than requested could be started.
    FewerThreads {
        /// The number of threads that search.
        running: usize,
        /// The error of the system.
        reason: String,
    },
}

/// The lines of one iteration, best first; one line unless MultiPV is larger.
#[derive(Clone, Debug)]
pub struct IterationReport {
    /// At least one line. The first moves are distinct and the scores do not rise.
    pub lines: Vec<PvLine>,
    /// Over all threads.
    pub nodes: u64,
    /// Time since [`Limits::started`](super::Limits::started).
    pub elapsed: Duration,
    /// Fill of the transposition table, in per mille.
    pub hashfull: u16,
    /// Positions found in endgame tables, over all threads.
    pub tb_hits: u64,
}

/// A principal variation (PV) with its score.
#[derive(Clone, Debug)]
pub struct PvLine {
    /// The iteration that found it; zero if the game is over at the root.
    pub depth: Depth,
    /// The selective depth: the longest line searched, in plies.
    pub seldepth: Ply,
    /// The score for the side to move at the root.
    pub score: Score,
    /// Whether `score` is exact or a bound.
    pub bound: Bound,
    /// Legal moves from the root; empty only if there is no legal move.
    pub pv: Vec<Move>,
}

impl PvLine {
    /// A line with an exact score.
    pub fn exact(depth: Depth, seldepth: Ply, score: Score, pv: Vec<Move>) -> PvLine {
        PvLine { depth, seldepth, score, bound: Bound::Exact, pv }
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// The move to play; `None` if there is no legal move, or if a panic came before the moves were generated.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// Nodes over all threads.
    pub nodes: u64,
    /// What happened in the search.
    pub counters: Box<Counters>,
    /// Time since the `go` command arrived.
    pub elapsed: Duration,
    /// The parts of this time; zero in a textbook search.
    pub times: GoTimes,
    /// Whether the last score rests on no static evaluation: it is the value of the position, or a bound of it. Always
    /// `false` in a game with [`Heuristics::SELECTIVE`](crate::game::Heuristics::SELECTIVE), unless the game is over.
    pub solved: bool,
    /// Whether [`Signal::Stop`](super::Signal::Stop) ended the search.
    pub stopped: bool,
    /// The message of a panic of the main thread; the other fields hold the results before it.
    pub panic: Option<String>,
    /// The messages of panics of helper threads: of this search, and of former ones that ended without waiting for the thread.
    pub helper_panics: Vec<String>,
}

/// The parts of the time that a `go` took, one after the other, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GoTimes {
    /// From the arrival of the command to the search of the main thread: the start of threads, and their memory.
    pub start: u64,
    /// The search of the main thread.
    pub search: u64,
    /// The wait for the helper threads, which end after the main thread.
    pub helpers: u64,
    /// The wait of `go infinite` and `go ponder` for `stop` or `ponderhit`, after the end of the search.
    pub wait: u64,
}

/// The message of a panic payload.
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
