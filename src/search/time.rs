//! Time management: when to stop a search with a clock or `movetime`.
//!
//! Nothing here reads a clock: all times are durations since the `go` command arrived. The tests in
//! `time_simulation.rs` play whole games on a simulated clock.

use super::limits::{Limits, Settings};
use super::params::*;
use std::time::Duration;

/// The time limits of one search; none by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeManager {
    /// Soft limit, since `go`: pondering on the opponent's time counts.
    soft: Option<Duration>,
    /// Hard limit, since `own_clock_start`; `None` without a clock and `movetime`.
    pub(super) hard: Option<Duration>,
    /// When the search's own clock started: at `go`, or at `ponderhit`.
    own_clock_start: Duration,
    pondering: bool,
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

    fn soft_limit_factor(self) -> f64 {
        let reduction = self.best_move_stability.min(100) as i32 * time_params().time_stability;
        let stability_factor =
            percent((time_params().time_unstable - reduction).max(time_params().time_stable));
        let nodes_factor = percent(time_params().time_nodes_base)
            + percent(time_params().time_nodes_slope) * (1.0 - self.best_move_nodes_fraction);
        let score_drop =
            self.score_drop.clamp(-time_params().time_score_max / 4, time_params().time_score_max);
        let score_factor = (1.0 + f64::from(time_params().time_score_drop * score_drop) / 1000.0).max(0.0);
        stability_factor * nodes_factor * score_factor
    }
}

impl TimeManager {
    pub fn new(limits: &Limits, settings: &Settings) -> TimeManager {
        let (soft, hard) = allocate_time(limits, settings);
        TimeManager { soft, hard, pondering: limits.ponder, ..TimeManager::default() }
    }

    /// Whether the search ponders: the opponent's clock runs.
    pub fn is_pondering(&self) -> bool {
        self.pondering
    }

    /// The opponent played the expected move at `elapsed`: starts the own clock. Only then does a soft limit
    /// that was reached end the search.
    pub fn ponder_hit(&mut self, elapsed: Duration) {
        self.pondering = false;
        self.own_clock_start = elapsed;
        if self.soft_limit_hit {
            self.hard = Some(Duration::ZERO);
        }
    }

    /// Own clock time used at `elapsed`, at most the hard limit; `None` while pondering.
    pub fn own_time_used(&self, elapsed: Duration) -> Option<Duration> {
        let used = elapsed.saturating_sub(self.own_clock_start);
        (!self.pondering).then(|| self.hard.map_or(used, |hard| hard.min(used)))
    }

    /// When the search must stop; `None` without a limit and while pondering.
    pub fn hard_limit(&self) -> Option<Duration> {
        let hard = self.hard.filter(|_| !self.pondering)?;
        Some(self.own_clock_start + hard)
    }

    /// Whether to start no further iteration at `elapsed`.
    pub fn soft_limit_reached(&mut self, elapsed: Duration, stats: IterationStats) -> bool {
        let factor = stats.soft_limit_factor();
        self.soft_limit_hit = self.soft.is_some_and(|soft| elapsed >= soft.mul_f64(factor));
        self.soft_limit_hit && !self.pondering
    }
}

/// The soft limit and the hard limit.
fn allocate_time(limits: &Limits, settings: &Settings) -> (Option<Duration>, Option<Duration>) {
    let fixed = limits.movetime.map(|time| time.saturating_sub(MOVETIME_RESERVE));
    let Some(clock) = limits.clock else { return (None, fixed) };
    // One outlier, such as a clock set by hand, must not reserve the whole clock.
    let latency = limits.move_latency.upper_estimate().min(clock.remaining * 7 / 8);
    let usable = clock.remaining.saturating_sub(settings.move_overhead.max(latency)).as_secs_f64();
    // Each move costs the overhead. The increment pays for later moves' overhead, or else the clock does.
    let overhead = settings.move_overhead.max(limits.move_latency.mean());
    let increment = clock.increment.saturating_sub(overhead).as_secs_f64();
    let unpaid_latency = limits.move_latency.mean().saturating_sub(clock.increment).as_secs_f64();
    let moves_to_go = clock.moves_to_go.map(|moves| f64::from(moves.clamp(1, MAX_MOVES_TO_GO)));
    let is_last_move = clock.moves_to_go == Some(1);
    let reserve = moves_to_go.unwrap_or(LATENCY_MOVES) * unpaid_latency;
    // However large the latency, a tenth of the clock is for searches.
    let free = (usable - reserve).max(usable / 10.0);
    let share = match moves_to_go {
        Some(moves) => free / moves,
        None => free / f64::from(time_params().time_moves) * ply_factor(limits.plies_played),
    };
    // An increment larger than the clock cannot be spent before it is added.
    let share = share + (percent(time_params().time_increment) * increment).min(usable / 2.0);
    let ponder_factor = if settings.ponder { percent(time_params().time_ponder) } else { 1.0 };
    let (soft_max, hard_max) = if is_last_move {
        (time_params().time_last_move, time_params().time_last_move)
    } else {
        (time_params().time_soft_max, time_params().time_hard_max)
    };
    let soft = (share * ponder_factor * percent(time_params().time_soft)).min(usable * percent(soft_max));
    let hard = (share * percent(time_params().time_hard)).min(usable * percent(hard_max));
    let hard = Duration::from_secs_f64(hard);
    let hard = fixed.map_or(hard, |fixed| fixed.min(hard));
    (Some(Duration::from_secs_f64(soft)), Some(hard))
}

/// The factor on a move's share of the clock in sudden death: below 1 at the start of a game, later above.
fn ply_factor(plies_played: usize) -> f64 {
    let progress = plies_played.min(LATE_PLY) as f64 / LATE_PLY as f64;
    1.0 + percent(time_params().time_early) * (2.0 * progress - 1.0)
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
    fn sudden_death_gives_later_moves_a_larger_share() {
        let limits_at = |plies_played, moves_to_go| {
            let second = Duration::from_secs(1);
            let clock = ClockState { remaining: second, increment: Duration::ZERO, moves_to_go };
            let limits = Limits { clock: Some(clock), plies_played, ..Limits::none() };
            allocate_time(&limits, &Settings::default())
        };
        assert!(limits_at(0, None) < limits_at(30, None) && limits_at(30, None) < limits_at(80, None));
        assert_eq!(limits_at(80, None), limits_at(usize::MAX, None));
        assert_eq!(limits_at(0, Some(20)), limits_at(80, Some(20)), "the control sets the share");
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
        let (soft, hard) = limits_with(30);
        assert!(soft > Duration::ZERO && hard < Duration::from_millis(2), "later moves cost 20 ms each");
    }

    #[test]
    fn movetime_sets_the_hard_limit_only() {
        let limits = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::none() };
        assert_eq!(
            allocate_time(&limits, &Settings::default()),
            (None, Some(Duration::from_millis(100) - MOVETIME_RESERVE))
        );
        let nothing = Limits { movetime: Some(Duration::ZERO), ..Limits::none() };
        assert_eq!(TimeManager::new(&nothing, &Settings::default()).hard_limit(), Some(Duration::ZERO));
    }

    #[test]
    fn hard_limit_counts_from_ponderhit() {
        let (movetime, hit) = (Duration::from_millis(100), Duration::from_secs(5));
        let limits = Limits { movetime: Some(movetime), ponder: true, ..Limits::none() };
        let mut time = TimeManager::new(&limits, &Settings::default());
        assert_eq!((time.hard_limit(), time.own_time_used(hit)), (None, None));
        time.ponder_hit(hit);
        assert_eq!(time.hard_limit(), Some(hit + movetime - MOVETIME_RESERVE));
    }

    #[test]
    fn soft_limit_reached_while_pondering_ends_search_at_ponderhit() {
        let clock =
            ClockState { remaining: Duration::from_secs(20), increment: Duration::ZERO, moves_to_go: None };
        let limits = Limits { clock: Some(clock), ponder: true, ..Limits::none() };
        let mut time = TimeManager::new(&limits, &Settings::default());
        let hit = Duration::from_secs(10);
        assert!(!time.soft_limit_reached(hit, IterationStats::NEUTRAL));
        time.ponder_hit(hit);
        assert_eq!(time.hard_limit(), Some(hit));
        assert_eq!(time.own_time_used(hit + Duration::from_millis(1)), Some(Duration::ZERO));
    }
}
