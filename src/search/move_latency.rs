//! The clock of the side to move, and the time per move that the GUI charges beyond the search.

use super::params::{CLOCK_STEP, MAX_TIMED_SEARCHES, MOVE_LATENCY_MAX};
use crate::game::{Game, Move};
use std::collections::VecDeque;
use std::time::Duration;

/// The clock of the side to move, as the GUI sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockState {
    /// Time left; zero if the GUI sends zero or less.
    pub remaining: Duration,
    /// Increment per move.
    pub increment: Duration,
    /// Moves to the next time control; `None` for sudden death.
    pub moves_to_go: Option<u32>,
}

/// Estimate of the per-move latency: clock time charged by the GUI minus search time. On a busy machine every
/// thread between the GUI and the search waits for a core. Mean and deviation are smoothed as round-trip
/// times are in RFC 6298 (<https://www.rfc-editor.org/rfc/rfc6298>).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveLatency {
    /// In seconds. Negative if the GUI charges less than the search time.
    mean: f64,
    /// In seconds.
    deviation: f64,
}

impl MoveLatency {
    /// The estimate after one more move.
    fn with(self, seconds: f64) -> MoveLatency {
        MoveLatency {
            mean: self.mean + (seconds - self.mean) / 8.0,
            deviation: self.deviation + ((seconds - self.mean).abs() - self.deviation) / 4.0,
        }
    }

    pub fn mean(self) -> Duration {
        Duration::from_secs_f64(self.mean.max(0.0))
    }

    /// A latency that almost no move exceeds: the mean plus four deviations.
    pub fn upper_estimate(self) -> Duration {
        Duration::from_secs_f64((self.mean + 4.0 * self.deviation).max(0.0))
    }
}

/// A search with a clock, for comparison with the clock of the same side's next move.
#[derive(Debug)]
pub struct TimedSearch {
    pub clock: ClockState,
    /// Clock time that the search used.
    pub used: Duration,
    /// The estimate at the start of the search.
    pub latency: MoveLatency,
    /// Keys of the positions in which the same side can move next.
    pub next_roots: Vec<u64>,
}

impl TimedSearch {
    /// The clock time in seconds that this move cost beyond its search, if `clock` is the next move's clock. `None` if
    /// the clocks are rounded, or if the clock was set or a new period began.
    fn measure(&self, clock: ClockState) -> Option<f64> {
        let steps = [self.clock, clock].map(|clock| clock.remaining.as_millis() % CLOCK_STEP.as_millis());
        let charged = self.clock.remaining.as_secs_f64() + self.clock.increment.as_secs_f64()
            - clock.remaining.as_secs_f64();
        let latency = charged - self.used.as_secs_f64();
        let is_plausible = self.clock.increment == clock.increment
            && charged >= 0.0
            && latency.abs() < MOVE_LATENCY_MAX.as_secs_f64();
        (is_plausible && steps != [0, 0]).then_some(latency)
    }
}

/// The last searches with a clock. One process may play both sides, or several games in turn, so each estimate follows
/// one side of one game: it is handed from a search to the search of a position two plies later.
#[derive(Debug, Default)]
pub struct TimedSearches(VecDeque<TimedSearch>);

impl TimedSearches {
    /// The estimate for a search of the position with key `root`.
    pub fn estimate(&self, root: u64, clock: ClockState) -> MoveLatency {
        let previous = self.0.iter().find(|search| search.next_roots.contains(&root));
        previous.map_or_else(MoveLatency::default, |previous| {
            previous.measure(clock).map_or(previous.latency, |seconds| previous.latency.with(seconds))
        })
    }

    /// Adds the search that has ended.
    pub fn push(&mut self, search: TimedSearch) {
        self.0.truncate(MAX_TIMED_SEARCHES - 1);
        self.0.push_front(search);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// The keys of the positions in which the side to move in `root` can move next, after `best` and one reply.
pub fn next_roots<G: Game>(mut root: G, best: Option<Move>) -> Vec<u64> {
    let (Some(best), side) = (best, root.side_to_move()) else { return Vec::new() };
    root.play(best);
    let replies = root.moves();
    let mut next_root = |reply| {
        root.play(reply);
        let key = (root.side_to_move() == side).then(|| root.key());
        root.undo(reply);
        key
    };
    replies.into_iter().filter_map(&mut next_root).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    fn clock(milliseconds: u64) -> ClockState {
        let (remaining, increment) = (Duration::from_millis(milliseconds), Duration::ZERO);
        ClockState { remaining, increment, moves_to_go: None }
    }

    /// 40 searches in positions 0 to 39, each `latency` ms shorter than the GUI's clock says.
    fn searches_with(latency: u64) -> TimedSearches {
        let mut searches = TimedSearches::default();
        for n in 0..40 {
            let clock = clock(10_003 - n * (latency + 5));
            let (used, latency) = (Duration::from_millis(5), searches.estimate(n, clock));
            searches.push(TimedSearch { clock, used, latency, next_roots: vec![n + 1] });
        }
        searches
    }

    /// The estimate after 40 moves that each took `latency` ms longer than their searches.
    pub fn latency_of(latency: u64) -> MoveLatency {
        searches_with(latency).0[0].latency
    }

    #[test]
    fn estimate_of_constant_latency_is_that_latency() {
        let latency = latency_of(3);
        assert!((0.0029..0.0031).contains(&latency.mean) && latency.deviation < 0.0002, "{latency:?}");
    }

    #[test]
    fn estimate_of_implausible_clock_is_unchanged() {
        let (searches, last) = (searches_with(3), 10_003 - 39 * 8);
        let increment = ClockState { increment: Duration::from_secs(1), ..clock(last) };
        for clock in [clock(last + 1), clock(last + 60_000), clock(last - 1_006), clock(0), increment] {
            assert_eq!(searches.estimate(40, clock), latency_of(3), "{clock:?}");
        }
        assert_ne!(searches.estimate(40, clock(last - 5)), latency_of(3));
    }

    #[test]
    fn estimate_of_rounded_clock_is_unchanged() {
        let mut searches = TimedSearches::default();
        for (root, remaining) in [15_000, 15_000, 14_000, 13_900, 13_900].into_iter().enumerate() {
            let latency = searches.estimate(root as u64, clock(remaining));
            assert_eq!(latency, MoveLatency::default());
            let (used, next_roots) = (Duration::from_millis(300), vec![root as u64 + 1]);
            searches.push(TimedSearch { clock: clock(remaining), used, latency, next_roots });
        }
    }

    #[test]
    fn estimate_for_position_of_another_game_is_the_default() {
        assert_eq!(searches_with(3).estimate(41, clock(9_683)), MoveLatency::default());
    }
}
