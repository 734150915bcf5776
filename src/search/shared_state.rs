//! The state that all threads of one search share besides the transposition table: a stop flag and counts.

use super::counters::Counters;
use super::sync::{AtomicBool, AtomicU64, Relaxed};
use std::sync::{Mutex, PoisonError};

/// The stop flag and the counts of one search.
#[derive(Debug)]
pub struct SharedState {
    stopped: AtomicBool,
    counts: Box<[Counts]>,
    /// What happened in the threads that have ended.
    counters: Mutex<Counters>,
}

/// A thread's last published counts, in a cache line of their own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Counts {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

impl SharedState {
    pub fn new(threads: usize) -> SharedState {
        SharedState {
            stopped: AtomicBool::new(false),
            counters: Mutex::default(),
            counts: std::iter::repeat_with(Counts::default).take(threads).collect(),
        }
    }

    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Publishes that `thread` has searched `nodes` nodes in this search.
    #[inline]
    pub fn set_nodes(&self, thread: usize, nodes: u64) {
        self.counts[thread].nodes.store(nodes, Relaxed);
    }

    pub fn nodes(&self) -> u64 {
        self.counts.iter().map(|counts| counts.nodes.load(Relaxed)).sum()
    }

    /// Adds what happened in a thread that has ended.
    pub fn add_counters(&self, counters: &Counters) {
        *self.counters.lock().unwrap_or_else(PoisonError::into_inner) += counters;
    }

    /// What happened in all threads that have ended.
    pub fn counters(&self) -> Counters {
        self.counters.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts `positions` that `thread` found in endgame tables. Only that thread calls it.
    pub fn add_tb_hits(&self, thread: usize, positions: u64) {
        let hits = &self.counts[thread].tb_hits;
        hits.store(hits.load(Relaxed) + positions, Relaxed);
    }

    /// The positions that all threads found in endgame tables.
    pub fn tb_hits(&self) -> u64 {
        self.counts.iter().map(|counts| counts.tb_hits.load(Relaxed)).sum()
    }
}

/// All interleavings of a stop and node counts; run by `make loom`.
#[cfg(all(test, loom))]
mod models {
    use super::SharedState;
    use loom::{sync::Arc, thread};

    #[test]
    fn stop_reaches_other_thread_and_all_nodes_are_counted() {
        loom::model(|| {
            let shared = Arc::new(SharedState::new(2));
            let helper = thread::spawn({
                let shared = shared.clone();
                move || {
                    let mut nodes = 0;
                    while !shared.is_stopped() && nodes < 2 {
                        nodes += 1;
                        shared.set_nodes(1, nodes);
                        thread::yield_now();
                    }
                    nodes
                }
            });
            shared.set_nodes(0, 10);
            assert!((10..=12).contains(&shared.nodes()));
            shared.stop();
            let nodes = helper.join().unwrap();
            assert_eq!(shared.nodes(), 10 + nodes);
        });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn node_counts_of_all_threads_are_summed() {
        let shared = SharedState::new(3);
        shared.set_nodes(0, 5);
        shared.set_nodes(2, 7);
        shared.set_nodes(0, 6);
        assert_eq!(shared.nodes(), 13);
        [(0, 1), (2, 1), (2, 1)]
            .into_iter()
            .for_each(|(thread, positions)| shared.add_tb_hits(thread, positions));
        assert_eq!(shared.tb_hits(), 3);
        assert!(!shared.is_stopped());
        shared.stop();
        assert!(shared.is_stopped());
    }
}
