//! Decides when a search stops: signals, clock, node limit.

use super::fault_injection;
use super::limits::{Limits, Settings, Signal, Signals};
use super::shared_state::SharedState;
use super::time::{IterationStats, TimeManager};
use crate::clock::Instant;
use crossbeam_channel::never;
use std::sync::Arc;
use std::time::Duration;

/// The search was stopped. Unfinished results must be discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Nodes between polls of signals (27 ns) and clock (25 ns): in chess about 11 us, so they cost about 0.5 % of the speed.
const POLL_NODES: u32 = 32;

/// The first iteration is finished in spite of a stop, unless it takes more nodes than this.
const FIRST_ITERATION_NODES: u64 = 20_000;

/// Watches the signals, the clock and the node count for one thread.
pub struct SearchControl {
    pub(super) shared: Arc<SharedState>,
    /// The number of this thread in the search, from 0 for the main thread.
    pub(super) thread: usize,
    signals: Box<dyn Signals>,
    /// When the `go` command arrived.
    started: Instant,
    pub(super) time: TimeManager,
    node_limit: u64,
    /// The limit of this thread alone.
    own_node_limit: u64,
    soft_node_limit: u64,
    poll_in: u32,
    infinite: bool,
    /// Set by a stop. During the first iteration the search then still goes on.
    pub(super) stop_requested: bool,
    first_iteration: bool,
}

impl SearchControl {
    /// The control of the main search thread.
    pub fn new(limits: &Limits, settings: &Settings, signals: &dyn Signals) -> SearchControl {
        SearchControl {
            shared: Arc::new(SharedState::new(settings.threads.max(1))),
            thread: 0,
            signals: signals.handle(),
            started: limits.started,
            time: TimeManager::new(limits, settings),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            own_node_limit: limits.nodes.unwrap_or(u64::MAX),
            soft_node_limit: limits.soft_nodes.or(limits.nodes).unwrap_or(u64::MAX),
            poll_in: POLL_NODES,
            infinite: limits.infinite,
            stop_requested: false,
            first_iteration: true,
        }
    }

    /// The control of a helper thread: it stops with the main thread, or when all threads together reach the node limit.
    pub fn helper(&self, thread: usize) -> SearchControl {
        SearchControl {
            shared: self.shared.clone(),
            thread,
            signals: Box::new(never::<Signal>()),
            time: TimeManager::default(),
            own_node_limit: self.node_limit,
            poll_in: POLL_NODES,
            infinite: false,
            stop_requested: false,
            first_iteration: false,
            ..*self
        }
    }

    /// Publishes this thread's node count `own` and returns the sum over all threads.
    pub fn publish_nodes(&self, own: u64) -> u64 {
        self.shared.set_nodes(self.thread, own);
        self.shared.nodes()
    }

    /// Counts `positions` that were found in endgame tables.
    pub fn add_tb_hits(&self, positions: u64) {
        self.shared.add_tb_hits(self.thread, positions);
    }

    /// Time since the `go` command arrived.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Clock time that the search used, at most its hard limit; `None` if the search only pondered.
    pub fn own_time_used(&self) -> Option<Duration> {
        self.time.own_time_used(self.elapsed())
    }

    /// Also stops the search when this thread has searched `nodes` nodes.
    pub fn set_own_node_limit(&mut self, nodes: u64) {
        self.own_node_limit = nodes.min(self.node_limit);
    }

    /// Called at every node with the number of nodes searched by this thread.
    ///
    /// # Errors
    /// If the search must stop.
    #[inline]
    pub fn check(&mut self, nodes: u64) -> Result<(), Stopped> {
        if nodes >= self.own_node_limit || self.shared.is_stopped() {
            return Err(Stopped);
        }
        self.poll_in -= 1;
        if self.poll_in == 0 {
            self.poll_in = POLL_NODES;
            self.poll();
            fault_injection::trigger_in_thread(self.thread, nodes);
            let is_over = self.stop_requested || self.hard_limit_reached() || self.node_limit_reached(nodes);
            if is_over && (!self.first_iteration || nodes > FIRST_ITERATION_NODES) {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    fn hard_limit_reached(&self) -> bool {
        self.time.hard_limit().is_some_and(|limit| self.elapsed() >= limit)
    }

    /// Publishes this thread's node count and returns whether all threads together have reached the node limit. Without a limit
    /// the counts are not added, because with many threads that reads as many cache lines.
    fn node_limit_reached(&self, own: u64) -> bool {
        self.shared.set_nodes(self.thread, own);
        self.node_limit < u64::MAX && self.shared.nodes() >= self.node_limit
    }

    fn poll(&mut self) {
        if let Some(signal) = self.signals.poll() {
            self.handle(signal);
        }
    }

    fn handle(&mut self, signal: Signal) {
        match signal {
            Signal::Stop => self.stop_requested = true,
            Signal::PonderHit => self.time.ponder_hit(self.elapsed()),
        }
    }

    /// Whether to start no further iteration. Called after each iteration.
    pub fn should_stop_deepening(&mut self, nodes: u64, stats: IterationStats) -> bool {
        self.first_iteration = false;
        self.poll();
        let is_over = self.stop_requested
            || self.hard_limit_reached()
            || self.publish_nodes(nodes) >= self.soft_node_limit;
        is_over || self.shared.is_stopped() || self.time.soft_limit_reached(self.started.elapsed(), stats)
    }

    /// Blocks until the search may report its end: `go infinite` and `go ponder` wait for `stop` or `ponderhit`.
    pub fn wait_for_stop(&mut self) {
        while !self.stop_requested && (self.infinite || self.time.is_pondering()) {
            self.handle(self.signals.wait());
        }
    }
}
