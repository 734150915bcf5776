//! What a search is asked to do and how far it may go.

use super::move_latency::{ClockState, MoveLatency};
use crate::game::{Depth, Move, Window};
use std::time::{Duration, Instant};

/// Bounds of one search. All that are given hold at once: the first one reached ends it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the command arrived: every duration counts from here.
    pub started: Instant,
    /// What the machine adds to a move's time.
    pub move_latency: MoveLatency,
    /// The last iteration.
    pub depth: Option<Depth>,
    /// Nodes over all threads.
    pub nodes: Option<u64>,
    /// Begin no iteration after so many nodes.
    pub soft_nodes: Option<u64>,
    /// End once a forced win or loss within so many moves of the winner is proved.
    pub mate: Option<u32>,
    /// Exactly this long.
    pub movetime: Option<Duration>,
    /// The mover's clock.
    pub clock: Option<ClockState>,
    /// Report no end before [`Control::Stop`], whatever else is reached.
    pub infinite: bool,
    /// It is the opponent's time: report no end before [`Control::Stop`] or [`Control::PonderHit`].
    pub ponder: bool,
    /// The root moves to consider; all of them if empty.
    pub searchmoves: Vec<Move>,
    /// Where the root's value matters: of a value outside only the side is asked. Any window but
    /// [`Window::FULL`] is put to the last depth at once.
    pub window: Window,
}

impl Limits {
    /// No limit at all, counted from now.
    pub fn none() -> Limits {
        Limits {
            started: Instant::now(),
            move_latency: MoveLatency::default(),
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            movetime: None,
            clock: None,
            infinite: false,
            ponder: false,
            searchmoves: Vec::new(),
            window: Window::FULL,
        }
    }

    /// To a fixed depth.
    pub fn depth(plies: i32) -> Limits {
        Limits { depth: Some(Depth::new(plies)), ..Limits::none() }
    }

    /// To a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::none() }
    }
}

/// How to search, as set by options and unchanged while a search runs.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many threads search, at least 1.
    pub threads: usize,
    /// How many of the best root moves to report, at least 1.
    pub multipv: usize,
    /// Time kept back on every move for what lies between this program and the clock.
    pub move_overhead: Duration,
    /// Whether the GUI may let the engine think on the opponent's time, which makes time cheaper.
    pub ponder: bool,
    /// Play no stronger than this Elo.
    pub elo: Option<u32>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            multipv: 1,
            move_overhead: Duration::from_millis(10),
            ponder: false,
            elo: None,
        }
    }
}

/// One search: its root, its limits, its settings.
#[derive(Clone, Debug)]
pub struct SearchRequest<G> {
    /// The root position with its history.
    pub root: G,
    /// When to stop.
    pub limits: Limits,
    /// How to search.
    pub settings: Settings,
}

/// What may be said to a running search. A closed channel says [`Control::Stop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// End now.
    Stop,
    /// The expected move was played: the search is on its own clock from here.
    PonderHit,
}
