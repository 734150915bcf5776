//! Faults to order, for the tests of what becomes of a panic. Without the feature `fault-injection` nothing of this is compiled.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Where the next panic is to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPoint {
    /// In the first thread of a search, before it knows any move.
    Start,
    /// In the first thread of a search, some thousand nodes later.
    Search,
    /// In another thread of a search.
    Helper,
    /// In the server, at its next command.
    Server,
}

impl FaultPoint {
    /// All of them.
    pub const ALL: [FaultPoint; 4] =
        [FaultPoint::Start, FaultPoint::Search, FaultPoint::Helper, FaultPoint::Server];

    /// As an option's value.
    pub fn name(self) -> &'static str {
        match self {
            FaultPoint::Start => "start",
            FaultPoint::Search => "search",
            FaultPoint::Helper => "helper",
            FaultPoint::Server => "server",
        }
    }
}

/// One more than the index of what is ordered, 0 for nothing.
static ARMED: AtomicUsize = AtomicUsize::new(0);

/// Orders one panic, or none.
pub fn arm(point: Option<FaultPoint>) {
    ARMED.store(point.map_or(0, |point| point as usize + 1), Relaxed);
}

/// Panics if that was ordered for here.
#[inline]
pub fn trigger(point: FaultPoint) {
    if cfg!(feature = "fault-injection")
        && ARMED.compare_exchange(point as usize + 1, 0, Relaxed, Relaxed).is_ok()
    {
        panic!("a fault to order: {}", point.name());
    }
}

/// Panics in a thread of a search that has come this far, if that was ordered.
#[inline]
pub fn trigger_in_thread(thread: usize, nodes: u64) {
    const MIN_NODES: u64 = 5000;
    if cfg!(feature = "fault-injection") && nodes >= MIN_NODES {
        trigger(if thread == 0 { FaultPoint::Search } else { FaultPoint::Helper });
    }
}
