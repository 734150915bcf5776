//! Faults to order, for the tests of what becomes of a panic. Without the feature `faults` nothing of this is compiled.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Where the next panic is to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the first thread of a search, before it knows any move.
    Start,
    /// In the first thread of a search, some thousand nodes later.
    Search,
    /// In another thread of a search.
    Helper,
    /// In the server, at its next command.
    Server,
}

impl Place {
    /// All of them.
    pub const ALL: [Place; 4] = [Place::Start, Place::Search, Place::Helper, Place::Server];

    /// As an option's value.
    pub fn name(self) -> &'static str {
        match self {
            Place::Start => "start",
            Place::Search => "search",
            Place::Helper => "helper",
            Place::Server => "server",
        }
    }
}

/// One more than the index of what is ordered, 0 for nothing.
static ORDERED: AtomicUsize = AtomicUsize::new(0);

/// Orders one panic, or none.
pub fn order(place: Option<Place>) {
    ORDERED.store(place.map_or(0, |place| place as usize + 1), Relaxed);
}

/// Panics if that was ordered for here.
#[inline]
pub fn strike(place: Place) {
    if cfg!(feature = "faults") && ORDERED.compare_exchange(place as usize + 1, 0, Relaxed, Relaxed).is_ok() {
        panic!("a fault to order: {}", place.name());
    }
}

/// Panics in a thread of a search that has come this far, if that was ordered.
#[inline]
pub fn strike_thread(thread: usize, nodes: u64) {
    const FAR: u64 = 5000;
    if cfg!(feature = "faults") && nodes >= FAR {
        strike(if thread == 0 { Place::Search } else { Place::Helper });
    }
}
