//! Triggers panics on request, to test the recovery from panics. Without the feature
//! `fault-injection`, [`trigger`] does nothing.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A place where a panic can be triggered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPoint {
    /// In the main search thread, before it has a root move.
    Start,
    /// In the main search thread, after 5000 nodes.
    Search,
    /// In a helper thread, after 5000 nodes.
    Helper,
    /// In the server, at its next command.
    Server,
}

impl FaultPoint {
    /// All fault points.
    pub const ALL: [FaultPoint; 4] =
        [FaultPoint::Start, FaultPoint::Search, FaultPoint::Helper, FaultPoint::Server];

    /// The value of the option `FaultInjection`.
    pub fn name(self) -> &'static str {
        match self {
            FaultPoint::Start => "start",
            FaultPoint::Search => "search",
            FaultPoint::Helper => "helper",
            FaultPoint::Server => "server",
        }
    }
}

/// 1 + the armed [`FaultPoint`], or 0.
static ARMED: AtomicUsize = AtomicUsize::new(0);

/// Arms one panic at `point`, or none.
pub fn arm(point: Option<FaultPoint>) {
    ARMED.store(point.map_or(0, |point| point as usize + 1), Relaxed);
}

/// Panics if `point` is armed, and disarms it.
#[inline]
pub fn trigger(point: FaultPoint) {
    if cfg!(feature = "fault-injection")
        && ARMED.compare_exchange(point as usize + 1, 0, Relaxed, Relaxed).is_ok()
    {
        panic!("injected fault: {}", point.name());
    }
}

/// Triggers the fault point of search thread `thread` once it has searched 5000 nodes.
#[inline]
pub fn trigger_in_thread(thread: usize, nodes: u64) {
    const MIN_NODES: u64 = 5000;
    if cfg!(feature = "fault-injection") && nodes >= MIN_NODES {
        trigger(if thread == 0 { FaultPoint::Search } else { FaultPoint::Helper });
    }
}
