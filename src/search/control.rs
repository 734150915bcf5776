//! When a search ends before it is done.

use super::fault_injection;
use super::limits::{Control, Limits, Settings};
use super::shared_state::SharedState;
use super::time::{IterationStats, TimeManager};
use crossbeam_channel::{Receiver, TryRecvError, never};
use std::sync::Arc;
use std::time::Duration;

/// The search was told to end; what is unfinished counts for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Nodes between two looks at the channel and the clock: about 27 ns and 25 ns a look, so that a
/// stop is heard within some 30 microseconds at a cost of two thousandths.
const POLL_NODES: u32 = 32;

/// The first iteration runs to its end whatever the clock says, unless it is longer than this.
const FIRST_ITERATION_NODES: u64 = 20_000;

/// Watches the channel, the clock and the node count; one for each thread.
#[derive(Debug)]
pub struct SearchControl {
    shared: Arc<SharedState>,
    /// Which thread of the search this is.
    thread: usize,
    control: Receiver<Control>,
    timer: TimeManager,
    nodes: u64,
    soft_nodes: u64,
    poll_in: u32,
    infinite: bool,
    pondering: bool,
    /// A stop that came in the first iteration, which is finished first.
    stop_requested: bool,
    first_iteration: bool,
}

impl SearchControl {
    /// For the first thread of one search.
    pub fn new(limits: &Limits, settings: &Settings, control: &Receiver<Control>) -> SearchControl {
        SearchControl {
            shared: Arc::new(SharedState::new(settings.threads.max(1))),
            thread: 0,
            control: control.clone(),
            timer: TimeManager::new(limits, settings),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            soft_nodes: limits.soft_nodes.or(limits.nodes).unwrap_or(u64::MAX),
            poll_in: POLL_NODES,
            infinite: limits.infinite,
            pondering: limits.ponder,
            stop_requested: false,
            first_iteration: true,
        }
    }

    /// For another thread of the same search, which the first one ends; they count their nodes together.
    pub fn helper(&self, thread: usize) -> SearchControl {
        SearchControl {
            shared: self.shared.clone(),
            thread,
            control: never(),
            timer: TimeManager::new(&Limits::none(), &Settings::default()),
            nodes: self.nodes,
            soft_nodes: self.soft_nodes,
            poll_in: POLL_NODES,
            infinite: false,
            pondering: false,
            stop_requested: false,
            first_iteration: false,
        }
    }

    /// What the threads tell each other.
    pub fn shared(&self) -> Arc<SharedState> {
        self.shared.clone()
    }

    /// Which thread of the search this is, from 0.
    pub fn thread(&self) -> usize {
        self.thread
    }

    /// Nodes of all threads, `own` being this one's.
    pub fn publish_nodes(&self, own: u64) -> u64 {
        self.shared.set_nodes(self.thread, own);
        self.shared.nodes()
    }

    /// Since the command arrived.
    pub fn elapsed(&self) -> Duration {
        self.timer.elapsed()
    }

    /// What it has taken of the mover's time, without what it should not have; `None` if it only pondered.
    pub fn own_time_used(&self) -> Option<Duration> {
        self.timer.own_time_used()
    }

    /// Whether the search was told to end.
    pub fn stop_requested(&self) -> bool {
        self.stop_requested
    }

    /// Called at every node.
    #[inline]
    pub fn check(&mut self, nodes: u64) -> Result<(), Stopped> {
        if nodes >= self.nodes || self.shared.is_stopped() {
            return Err(Stopped);
        }
        self.poll_in -= 1;
        if self.poll_in == 0 {
            self.poll_in = POLL_NODES;
            self.poll();
            fault_injection::trigger_in_thread(self.thread, nodes);
            let is_over =
                self.stop_requested || self.timer.hard_limit_reached() || self.node_limit_reached(nodes);
            if is_over && (!self.first_iteration || nodes > FIRST_ITERATION_NODES) {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// Tells the other threads how many nodes this one has searched, and says whether all together have used
    /// up the limit. Without a limit nobody adds them up, which with many threads is a look at as many cache lines.
    fn node_limit_reached(&self, own: u64) -> bool {
        self.shared.set_nodes(self.thread, own);
        self.nodes < u64::MAX && self.shared.nodes() >= self.nodes
    }

    fn poll(&mut self) {
        match self.control.try_recv() {
            Ok(control) => self.handle(control),
            Err(TryRecvError::Disconnected) => self.stop_requested = true,
            Err(TryRecvError::Empty) => {}
        }
    }

    fn handle(&mut self, control: Control) {
        match control {
            Control::Stop => self.stop_requested = true,
            Control::PonderHit => {
                self.pondering = false;
                self.timer.ponder_hit();
            }
        }
    }

    /// Between iterations: whether to begin no other.
    pub fn should_stop_deepening(&mut self, nodes: u64, stats: IterationStats) -> bool {
        self.first_iteration = false;
        self.poll();
        let is_over = self.stop_requested
            || self.timer.hard_limit_reached()
            || self.publish_nodes(nodes) >= self.soft_nodes;
        is_over || self.shared.is_stopped() || self.timer.soft_limit_reached(stats)
    }

    /// The search has nothing left to do: waits where its end must not be told yet.
    pub fn wait_for_stop(&mut self) {
        while !self.stop_requested && (self.infinite || self.pondering) {
            match self.control.recv() {
                Ok(control) => self.handle(control),
                Err(_) => self.stop_requested = true,
            }
        }
    }
}
