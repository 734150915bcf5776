//! Time management: when to stop a search with a clock or `movetime`.

use super::limits::{Limits, Settings};
use super::params::*;
use std::time::{Duration, Instant};

/// The time limits of one search.
#[derive(Clone, Debug)]
pub struct TimeManager {
    started: Instant,
    /// When the search's own clock started: at `go`, or at `ponderhit`.
    own_clock_start: Instant,
    /// Soft limit, from `started`: pondering on the opponent's time counts.
    soft: Option<Duration>,
    /// Hard limit, from `own_clock_start`.
    hard: Option<Duration>,
    pondering: bool,
    /// Whether the last iteration reached the soft limit.
    soft_limit_hit: bool,
}

/// Statistics of the last iteration, which scale the soft limit.
#[derive(Clone, Copy, Debug)]
pub struct IterationStats {
    /// Number of iterations since the best move changed.
    pub best_move_stability: usize,
    /// Share of all nodes that were searched below the best move, 0 to 1.
    pub best_move_nodes_fraction: f64,
    /// Drop of the score since the previous iteration, in centipawns.
    pub score_drop: i32,
}

impl IterationStats {
    /// The statistics for searches that do not measure them.
    pub const NEUTRAL: IterationStats =
        IterationStats { best_move_stability: 0, best_move_nodes_fraction: 0.5, score_drop: 0 };
}

impl TimeManager {
    /// Allocates the time for a search with `limits`.
    pub fn new(limits: &Limits, settings: &Settings) -> TimeManager {
        let (soft, hard) = allocate_time(limits, settings);
        let (started, pondering) = (limits.started, limits.ponder);
        TimeManager { started, own_clock_start: started, soft, hard, pondering, soft_limit_hit: false }
    }

    /// The hard limit, if there is one.
    pub fn hard_limit(&self) -> Option<Duration> {
        self.hard
    }

    /// Time since the `go` command arrived.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Own clock time used, at most the hard limit; `None` while pondering.
    pub fn own_time_used(&self) -> Option<Duration> {
        let spent = self.own_clock_start.elapsed();
        (!self.pondering).then(|| self.hard.map_or(spent, |hard| hard.min(spent)))
    }

    /// The opponent played the expected move: starts the own clock.
    pub fn ponder_hit(&mut self) {
        self.pondering = false;
        self.own_clock_start = Instant::now();
    }

    /// Whether the search must stop now.
    pub fn hard_limit_reached(&self) -> bool {
        let is_over =
            self.hard.is_some_and(|hard| self.soft_limit_hit || self.own_clock_start.elapsed() >= hard);
        is_over && !self.pondering
    }

    /// Returns true if the soft limit is reached. While pondering the search continues and stops on
    /// `ponderhit`.
    pub fn soft_limit_reached(&mut self, stats: IterationStats) -> bool {
        self.soft_limit_hit = self.past_soft_limit(stats);
        self.soft_limit_hit && !self.pondering
    }

    fn past_soft_limit(&self, stats: IterationStats) -> bool {
        let Some(soft) = self.soft else { return false };
        let reduction = stats.best_move_stability.min(100) as i32 * time_stability();
        let stability_factor = percent((time_unstable() - reduction).max(time_stable()));
        let nodes_factor =
            percent(time_nodes_base()) + percent(time_nodes_slope()) * (1.0 - stats.best_move_nodes_fraction);
        let score_drop = stats.score_drop.clamp(-time_score_max() / 4, time_score_max());
        let score_factor = (1.0 + f64::from(time_score_drop() * score_drop) / 1000.0).max(0.0);
        self.elapsed() >= soft.mul_f64(stability_factor * nodes_factor * score_factor)
    }
}

/// The soft limit and the hard limit.
fn allocate_time(limits: &Limits, settings: &Settings) -> (Option<Duration>, Option<Duration>) {
    let fixed = limits.movetime.map(|time| time.saturating_sub(MOVETIME_RESERVE));
    let Some(clock) = limits.clock else { return (None, fixed) };
    let usable = clock
        .remaining
        .saturating_sub(settings.move_overhead.max(limits.move_latency.upper_estimate()))
        .as_secs_f64();
    // Each move costs the overhead. The increment pays for later moves' overhead, or else the clock does.
    let overhead = settings.move_overhead.max(limits.move_latency.mean());
    let increment = clock.increment.saturating_sub(overhead).as_secs_f64();
    let unpaid_latency = limits.move_latency.mean().saturating_sub(clock.increment).as_secs_f64();
    let moves_left =
        clock.moves_to_go.map_or(f64::from(time_moves()), |moves| f64::from(moves.clamp(1, MAX_MOVES_TO_GO)));
    let is_last_move = clock.moves_to_go == Some(1);
    // An increment larger than the clock cannot be spent before it is added.
    let share = usable / moves_left + (percent(time_increment()) * increment).min(usable / 2.0);
    let share = (share - unpaid_latency).max(0.0);
    let ponder_factor = if settings.ponder { percent(time_ponder()) } else { 1.0 };
    let (soft_max, hard_max) =
        if is_last_move { (time_last_move(), time_last_move()) } else { (time_soft_max(), time_hard_max()) };
    let soft = (share * ponder_factor * percent(time_soft())).min(usable * percent(soft_max));
    let hard = (share * percent(time_hard())).min(usable * percent(hard_max));
    let hard = Duration::from_secs_f64(hard);
    let hard = fixed.map_or(hard, |fixed| fixed.min(hard));
    (Some(Duration::from_secs_f64(soft)), Some(hard))
}

#[cfg(test)]
mod tests {
    use super::super::move_latency::{ClockState, tests::latency_of};
    use super::*;

    fn with_clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> (Duration, Duration) {
        let clock = ClockState {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        let limits = Limits { clock: Some(clock), ..Limits::none() };
        let (soft, hard) = allocate_time(&limits, &Settings::default());
        (soft.unwrap(), hard.unwrap())
    }

    #[test]
    fn limits_for_any_clock_stay_below_remaining_time() {
        for remaining in [0, 1, 5, 10, 11, 50, 100, 1_000, 60_000, 10_000_000] {
            for increment in [0, 1, 10, 1_000, 1_000_000_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(1_000_000)] {
                    let (soft, hard) = with_clock(remaining, increment, moves);
                    let left = Duration::from_millis(remaining.saturating_sub(10));
                    assert!(soft <= left.mul_f64(0.81) && hard <= left.mul_f64(0.81));
                }
            }
        }
    }

    #[test]
    fn soft_limit_with_more_time_is_larger() {
        assert!(with_clock(60_000, 0, None).0 > 5 * with_clock(6_000, 0, None).0);
        assert!(with_clock(60_000, 1_000, None).0 > with_clock(60_000, 0, None).0);
        // The increment equals the default overhead.
        assert_eq!(with_clock(60_000, 10, None), with_clock(60_000, 0, None));
        assert!(with_clock(60_000, 0, Some(5)).0 > with_clock(60_000, 0, None).0);
    }

    #[test]
    fn limits_with_large_latency_are_smaller() {
        let limits_with = |latency| {
            let clock = ClockState {
                remaining: Duration::from_millis(100),
                increment: Duration::from_millis(10),
                moves_to_go: None,
            };
            let limits = Limits { clock: Some(clock), move_latency: latency_of(latency), ..Limits::none() };
            let (soft, hard) = allocate_time(&limits, &Settings::default());
            (soft.unwrap(), hard.unwrap())
        };
        assert_eq!(limits_with(0), limits_with(5), "the default overhead is larger");
        assert!(limits_with(12) < limits_with(5));
        assert_eq!(
            limits_with(30),
            (Duration::ZERO, Duration::ZERO),
            "each later move costs more than its increment"
        );
    }

    #[test]
    fn movetime_sets_the_hard_limit_only() {
        let limits = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::none() };
        assert_eq!(
            allocate_time(&limits, &Settings::default()),
            (None, Some(Duration::from_millis(100) - MOVETIME_RESERVE))
        );
        let nothing = Limits { movetime: Some(Duration::ZERO), ..Limits::none() };
        assert!(TimeManager::new(&nothing, &Settings::default()).hard_limit_reached());
    }

    #[test]
    fn hard_limit_while_pondering_is_not_reached() {
        let limits = Limits { movetime: Some(Duration::ZERO), ponder: true, ..Limits::none() };
        let mut timer = TimeManager::new(&limits, &Settings::default());
        assert!(!timer.hard_limit_reached());
        timer.ponder_hit();
        assert!(timer.hard_limit_reached());
    }

    #[test]
    fn soft_limit_reached_while_pondering_stops_at_ponderhit() {
        let clock =
            ClockState { remaining: Duration::from_millis(20), increment: Duration::ZERO, moves_to_go: None };
        let limits = Limits { clock: Some(clock), ponder: true, ..Limits::none() };
        let mut timer = TimeManager::new(&limits, &Settings::default());
        std::thread::sleep(Duration::from_millis(10));
        assert!(!timer.soft_limit_reached(IterationStats::NEUTRAL) && !timer.hard_limit_reached());
        timer.ponder_hit();
        assert!(timer.hard_limit_reached());
        assert!(timer.own_time_used().is_some_and(|spent| spent < Duration::from_millis(10)));
    }
}
