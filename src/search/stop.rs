//! When a search ends before it is done.

use super::clock::{Difficulty, Timer};
use super::limits::{Control, Limits, Settings};
use crossbeam_channel::{Receiver, TryRecvError};
use std::time::Duration;

/// The search was told to end; what is unfinished counts for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Nodes between two looks at the channel and the clock: about 27 ns and 25 ns a look, so that a
/// stop is heard within a tenth of a millisecond at a cost below one per cent.
const POLL_NODES: u32 = 64;

/// The first iteration runs to its end whatever the clock says, unless it is longer than this.
const FIRST_ITERATION_NODES: u64 = 20_000;

/// Watches the channel, the clock and the node count.
#[derive(Debug)]
pub struct Stopper {
    control: Receiver<Control>,
    timer: Timer,
    nodes: u64,
    soft_nodes: u64,
    poll_in: u32,
    infinite: bool,
    pondering: bool,
    /// A stop that came in the first iteration, which is finished first.
    told: bool,
    first_iteration: bool,
}

impl Stopper {
    /// For one search.
    pub fn new(limits: &Limits, settings: &Settings, control: &Receiver<Control>) -> Stopper {
        Stopper {
            control: control.clone(),
            timer: Timer::new(limits, settings),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            soft_nodes: limits.soft_nodes.or(limits.nodes).unwrap_or(u64::MAX),
            poll_in: POLL_NODES,
            infinite: limits.infinite,
            pondering: limits.ponder,
            told: false,
            first_iteration: true,
        }
    }

    /// Since the command arrived.
    pub fn elapsed(&self) -> Duration {
        self.timer.elapsed()
    }

    /// Whether the search was told to end.
    pub fn is_told(&self) -> bool {
        self.told
    }

    /// Called at every node.
    #[inline]
    pub fn check(&mut self, nodes: u64) -> Result<(), Stopped> {
        if nodes >= self.nodes {
            return Err(Stopped);
        }
        self.poll_in -= 1;
        if self.poll_in == 0 {
            self.poll_in = POLL_NODES;
            self.poll();
            if (self.told || self.timer.is_over()) && (!self.first_iteration || nodes > FIRST_ITERATION_NODES)
            {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    fn poll(&mut self) {
        match self.control.try_recv() {
            Ok(control) => self.hear(control),
            Err(TryRecvError::Disconnected) => self.told = true,
            Err(TryRecvError::Empty) => {}
        }
    }

    fn hear(&mut self, control: Control) {
        match control {
            Control::Stop => self.told = true,
            Control::PonderHit => {
                self.pondering = false;
                self.timer.ponder_hit();
            }
        }
    }

    /// Between iterations: whether to begin no other.
    pub fn is_enough(&mut self, nodes: u64, difficulty: Difficulty) -> bool {
        self.first_iteration = false;
        self.poll();
        self.told || self.timer.is_over() || nodes >= self.soft_nodes || self.timer.is_enough(difficulty)
    }

    /// The search has nothing left to do: waits where its end must not be told yet.
    pub fn wait(&mut self) {
        while !self.told && (self.infinite || self.pondering) {
            match self.control.recv() {
                Ok(control) => self.hear(control),
                Err(_) => self.told = true,
            }
        }
    }
}
