//! The clock of the side to move, and the time per move that the GUI charges beyond the search.

use super::params::MOVE_LATENCY_MAX;
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
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveLatency {
    mean: Duration,
    deviation: Duration,
    /// The clock at the start of the last search, and the clock time which that search used.
    last: Option<(ClockState, Duration)>,
}

impl MoveLatency {
    /// Starts a search: updates the estimate from the difference between its clock and the last search's
    /// clock.
    pub fn begin(&mut self, clock: Option<ClockState>) {
        let charged = |last: ClockState| (last.remaining + last.increment).checked_sub(clock?.remaining);
        if let Some((last, used)) = self.last.take()
            && let Some(latency) = charged(last).and_then(|charged| charged.checked_sub(used))
            && latency < MOVE_LATENCY_MAX
        {
            self.deviation = (3 * self.deviation + self.mean.abs_diff(latency)) / 4;
            self.mean = (7 * self.mean + latency) / 8;
        }
        self.last = clock.map(|clock| (clock, Duration::ZERO));
    }

    /// Ends a search that used `used` of its clock; `None` if the clock never ran, because the GUI stopped a
    /// ponder search.
    pub fn end(&mut self, used: Option<Duration>) {
        self.last = self.last.zip(used).map(|((clock, _), used)| (clock, used));
    }

    /// The smoothed mean.
    pub fn mean(&self) -> Duration {
        self.mean
    }

    /// A latency that almost no move exceeds: the mean plus four deviations.
    pub fn upper_estimate(&self) -> Duration {
        self.mean + 4 * self.deviation
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The estimate after 40 moves that each took `latency` ms longer than their searches.
    pub fn latency_of(latency: u64) -> MoveLatency {
        let mut estimate = MoveLatency::default();
        for n in 0..40 {
            let remaining = Duration::from_millis(10_000 - n * (latency + 5));
            estimate.begin(Some(ClockState { remaining, increment: Duration::ZERO, moves_to_go: None }));
            estimate.end(Some(Duration::from_millis(5)));
        }
        estimate
    }

    #[test]
    fn estimate_after_clock_jumps_and_failed_ponder_is_unchanged() {
        let mut estimate = latency_of(3);
        let before = estimate.mean;
        for remaining in [1_000, 60_000, 10_000] {
            let remaining = Duration::from_millis(remaining);
            estimate.begin(Some(ClockState { remaining, increment: Duration::ZERO, moves_to_go: None }));
            estimate.end(Some(Duration::from_millis(5)));
        }
        // The GUI stopped the ponder search, so the clock has not changed.
        for _ in 0..2 {
            let remaining = Duration::from_secs(10);
            let increment = Duration::from_millis(500);
            estimate.begin(Some(ClockState { remaining, increment, moves_to_go: None }));
            estimate.end(None);
        }
        estimate.begin(None);
        assert_eq!(estimate.mean, before);
        assert!(before > Duration::from_micros(2_900) && before < Duration::from_micros(3_100));
    }
}
