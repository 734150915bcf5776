//! The request for a search: limits, settings, control messages.

use super::move_latency::{ClockState, MoveLatency};
use super::strength::Strength;
use crate::clock::Instant;
use crate::game::{Depth, Move, Probing, Score, Tablebase, Window};
use crate::nnue::Network;
use crossbeam_channel::{Receiver, TryRecvError};
use std::sync::Arc;
use std::time::Duration;

/// The limits of one search. The first limit reached stops it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the `go` command arrived. Times count from here; the hard limit of a ponder search from `ponderhit`.
    pub started: Instant,
    /// Plies of the game before the root. The clock gives later moves more.
    pub plies_played: usize,
    /// Measured latency per move. [`run`](super::run) sets it.
    pub move_latency: MoveLatency,
    /// Depth of the last iteration, in plies.
    pub depth: Option<Depth>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Start no further iteration after this number of nodes.
    pub soft_nodes: Option<u64>,
    /// Stop once a mate in at most this number of moves is proved, for either side.
    pub mate: Option<u32>,
    /// Search for exactly this time.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<ClockState>,
    /// Do not end before [`Signal::Stop`] (`go infinite`).
    pub infinite: bool,
    /// Ponder search: do not end before [`Signal::Stop`] or [`Signal::PonderHit`].
    pub ponder: bool,
    /// The root moves to search; all if empty.
    pub searchmoves: Vec<Move>,
    /// The window of the root. For a score outside only a bound is computed. With any window other than
    /// [`Window::FULL`] the last depth is searched directly. If another limit ends that search, it reports no line.
    pub window: Window,
}

impl Limits {
    /// No limits, starting now.
    pub fn none() -> Limits {
        Limits {
            started: Instant::now(),
            plies_played: 0,
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

    /// A fixed depth in plies.
    pub fn depth(plies: i32) -> Limits {
        Limits { depth: Some(Depth::new(plies)), ..Limits::none() }
    }

    /// Whether `score` proves a win or loss within the limit `mate`. `false` without that limit.
    pub fn mate_found(&self, score: Score) -> bool {
        self.mate.zip(score.moves_to_mate()).is_some_and(|(limit, moves)| moves.unsigned_abs() <= limit)
    }

    /// Lowers the node limits to those of `strength`.
    pub fn apply_strength(&mut self, strength: Strength) {
        let at_most = |limit: Option<u64>, nodes: u64| Some(limit.map_or(nodes, |limit| limit.min(nodes)));
        let [soft, hard] = strength.node_limits();
        self.soft_nodes = at_most(self.soft_nodes.or(self.nodes), soft);
        self.nodes = at_most(self.nodes, hard);
    }

    /// A node limit.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::none() }
    }
}

/// Search settings from the options. They do not change during a search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Number of search threads, at least 1.
    pub threads: usize,
    /// MultiPV: number of root moves to report, at least 1.
    pub multipv: usize,
    /// Time reserved per move for GUI and network delay.
    pub move_overhead: Duration,
    /// Whether the GUI may ponder; then more time is used per move.
    pub ponder: bool,
    /// Limits the strength; `None` plays the best move.
    pub strength: Option<Strength>,
    /// The network that evaluates positions, made for the game of the search; `None` evaluates by hand.
    pub network: Option<Arc<Network>>,
    /// When endgame tables are used.
    pub probing: Probing,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            multipv: 1,
            move_overhead: Duration::from_millis(10),
            ponder: false,
            strength: None,
            network: None,
            probing: Probing::default(),
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
    /// The endgame tables of the game, if there are any.
    pub tablebase: Option<Arc<dyn Tablebase<G>>>,
}

impl<G> SearchRequest<G> {
    /// A search with the default settings and without endgame tables.
    pub fn new(root: G, limits: Limits) -> SearchRequest<G> {
        SearchRequest { root, limits, settings: Settings::default(), tablebase: None }
    }
}

/// The endgame tables of a search, and when to probe them.
pub struct TablebaseProbe<G> {
    pub(super) tablebase: Arc<dyn Tablebase<G>>,
    pub(super) probing: Probing,
}

/// Where the messages to a running search come from: the channel of a server, or the host of a browser's page.
pub trait Signals: Send {
    /// Returns the next message if one has come.
    fn poll(&self) -> Option<Signal>;

    /// Waits for the next message.
    fn wait(&self) -> Signal;

    /// Returns another handle of the same messages: each message reaches one handle.
    fn handle(&self) -> Box<dyn Signals>;
}

impl Signals for Receiver<Signal> {
    fn poll(&self) -> Option<Signal> {
        match self.try_recv() {
            Ok(signal) => Some(signal),
            Err(TryRecvError::Disconnected) => Some(Signal::Stop),
            Err(TryRecvError::Empty) => None,
        }
    }

    fn wait(&self) -> Signal {
        self.recv().unwrap_or(Signal::Stop)
    }

    fn handle(&self) -> Box<dyn Signals> {
        Box::new(self.clone())
    }
}

/// A message to a running search. A closed channel means [`Signal::Stop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Stop now.
    Stop,
    /// The opponent played the expected move: the search's own clock runs from now on.
    PonderHit,
}
