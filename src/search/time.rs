//! How long to think. The only reader of time.

use super::limits::{Limits, Settings};
use super::params::*;
use std::time::{Duration, Instant};

/// A search's own clock.
#[derive(Clone, Debug)]
pub struct TimeManager {
    started: Instant,
    /// When the mover's own time began to run: at the start, or at the ponder hit.
    own_clock_start: Instant,
    /// Aim to end about now, counted from the start: the opponent's time was thinking time too.
    soft: Option<Duration>,
    /// End by now at the latest, counted from when own time ran.
    hard: Option<Duration>,
    pondering: bool,
    /// What the last iteration said of the next.
    soft_limit_hit: bool,
}

/// What the last iteration says about how hard the choice is.
#[derive(Clone, Copy, Debug)]
pub struct IterationStats {
    /// Iterations since the best move last changed.
    pub best_move_stability: usize,
    /// Part of all nodes that the best move took, 0 to 1.
    pub best_move_nodes_fraction: f64,
    /// How far the score fell since the last iteration, in centipawns.
    pub score_drop: i32,
}

impl IterationStats {
    /// Nothing is known of the choice: for searches that do not look at it.
    pub const NEUTRAL: IterationStats =
        IterationStats { best_move_stability: 0, best_move_nodes_fraction: 0.5, score_drop: 0 };
}

impl TimeManager {
    /// The time that `limits` allow.
    pub fn new(limits: &Limits, settings: &Settings) -> TimeManager {
        let (soft, hard) = allocate_time(limits, settings);
        let (started, pondering) = (limits.started, limits.ponder);
        TimeManager { started, own_clock_start: started, soft, hard, pondering, soft_limit_hit: false }
    }

    /// Since the command arrived.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Since own time runs, but no more than the search was given; `None` before the expected move was played.
    pub fn own_time_used(&self) -> Option<Duration> {
        let spent = self.own_clock_start.elapsed();
        (!self.pondering).then(|| self.hard.map_or(spent, |hard| hard.min(spent)))
    }

    /// The expected move was played: own time runs from here.
    pub fn ponder_hit(&mut self) {
        self.pondering = false;
        self.own_clock_start = Instant::now();
    }

    /// Whether the search must end.
    pub fn hard_limit_reached(&self) -> bool {
        let is_over =
            self.hard.is_some_and(|hard| self.soft_limit_hit || self.own_clock_start.elapsed() >= hard);
        is_over && !self.pondering
    }

    /// Whether another iteration is not worth beginning. While it ponders it begins one all the same, and drops it when the
    /// expected move comes.
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

/// The optimum and the maximum.
fn allocate_time(limits: &Limits, settings: &Settings) -> (Option<Duration>, Option<Duration>) {
    let fixed = limits.movetime.map(|time| time.saturating_sub(MOVETIME_RESERVE));
    let Some(clock) = limits.clock else { return (None, fixed) };
    let usable = clock
        .remaining
        .saturating_sub(settings.move_overhead.max(limits.move_latency.upper_estimate()))
        .as_secs_f64();
    // Every move pays the overhead, and it is the increment that pays for the later ones, or else the clock.
    let overhead = settings.move_overhead.max(limits.move_latency.mean());
    let increment = clock.increment.saturating_sub(overhead).as_secs_f64();
    let unpaid_latency = limits.move_latency.mean().saturating_sub(clock.increment).as_secs_f64();
    let moves_left = clock.moves_to_go.map_or(f64::from(time_moves()), |moves| f64::from(moves.clamp(1, 50)));
    let is_last_move = clock.moves_to_go == Some(1);
    // An increment that is larger than the clock cannot be spent before it is earned.
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
    fn never_plans_past_the_flag() {
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
    fn more_time_is_used_when_there_is_more() {
        assert!(with_clock(60_000, 0, None).0 > 5 * with_clock(6_000, 0, None).0);
        assert!(with_clock(60_000, 1_000, None).0 > with_clock(60_000, 0, None).0);
        // The default overhead: such an increment only pays for it.
        assert_eq!(with_clock(60_000, 10, None), with_clock(60_000, 0, None));
        assert!(with_clock(60_000, 0, Some(5)).0 > with_clock(60_000, 0, None).0);
    }

    #[test]
    fn a_slow_machine_is_given_time_to_answer() {
        let budget = |move_latency| {
            let clock = ClockState {
                remaining: Duration::from_millis(100),
                increment: Duration::from_millis(10),
                moves_to_go: None,
            };
            let limits =
                Limits { clock: Some(clock), move_latency: latency_of(move_latency), ..Limits::none() };
            let (soft, hard) = allocate_time(&limits, &Settings::default());
            (soft.unwrap(), hard.unwrap())
        };
        assert_eq!(budget(0), budget(5), "the default overhead is larger");
        assert!(budget(12) < budget(5));
        assert_eq!(budget(30), (Duration::ZERO, Duration::ZERO), "later moves cost more than they bring");
    }

    #[test]
    fn movetime_is_kept_whatever_the_clock_says() {
        let limits = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::none() };
        assert_eq!(
            allocate_time(&limits, &Settings::default()),
            (None, Some(Duration::from_millis(100) - MOVETIME_RESERVE))
        );
        let nothing = Limits { movetime: Some(Duration::ZERO), ..Limits::none() };
        assert!(TimeManager::new(&nothing, &Settings::default()).hard_limit_reached());
    }

    #[test]
    fn the_clock_stands_still_while_pondering() {
        let limits = Limits { movetime: Some(Duration::ZERO), ponder: true, ..Limits::none() };
        let mut timer = TimeManager::new(&limits, &Settings::default());
        assert!(!timer.hard_limit_reached());
        timer.ponder_hit();
        assert!(timer.hard_limit_reached());
    }

    #[test]
    fn who_has_pondered_enough_answers_at_once() {
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
