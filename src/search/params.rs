//! The numbers of the search. They change only with a match result.
//!
//! Those that a game may have its own values of are [`SearchParams`] ([`Heuristics::PARAMS`]), those of time management, the
//! same for every game, [`TimeParams`]. With the feature `spsa` both are spin options of the server, so that
//! `scripts/spsa.py` can play matches between settings without a rebuild. Without it they are constants.

use crate::game::{Heuristics, Parameter, SearchParams, parameters};
use std::time::Duration;

/// Largest absolute value of a history counter.
pub const HISTORY_MAX: i32 = 16_384;
/// Number of pawn structures (hashed) that the pawn history distinguishes.
pub const PAWN_HISTORY_SIZE: usize = 512;

/// Largest absolute value of a correction history counter.
pub const CORRECTION_MAX: i32 = 1024;
/// Counters per key and side in the correction history. Keys with equal low bits share a counter.
pub const CORRECTION_HISTORY_SIZE: usize = 1 << 14;

/// Weight of the captured value (MVV) in the order of noisy moves.
pub const MVV_WEIGHT: i32 = 16;
/// Divisor of the capture history in the order of noisy moves.
pub const MVV_HISTORY_DIVISOR: i32 = 4;

/// Replacement: each search since an entry was stored counts like this many plies less depth.
pub const TT_AGE_WEIGHT: i32 = 4;
/// A bound replaces an entry of the same position and search only if it is at most this many plies shallower.
pub const TT_KEEP_MARGIN: i32 = 4;

/// Vote of a thread: its score minus the lowest score of all threads plus this, in centipawns, times its depth.
pub const VOTE_SCORE_OFFSET: i32 = 15;

/// Searches with a smaller time limit start no helper threads. On a busy machine a thread waits several
/// milliseconds for a core.
pub const MIN_TIME_FOR_HELPERS: Duration = Duration::from_millis(20);
/// The share of the time limit for which the stopped helper threads may delay the move: 1 / this. They need
/// about 0.1 ms, or on a busy machine until they get a core.
pub const HELPER_WAIT_DIVISOR: u32 = 64;

/// With one legal move and a clock, the search stops at this depth, in plies. It gives a score and a ponder move.
pub const FORCED_MOVE_DEPTH: i32 = 6;

/// Time controls further away than this number of moves are treated as this near.
pub const MAX_MOVES_TO_GO: u32 = 50;
/// In sudden death the clock keeps the measured latency of this number of later moves.
pub const LATENCY_MOVES: f64 = 80.0;
/// The ply of a game from which moves get the largest share of the clock.
pub const LATE_PLY: usize = 80;
/// Time kept back from `movetime`: about the time that the reply takes to reach the client, measured with one and two threads.
pub const MOVETIME_RESERVE: Duration = Duration::from_micros(400);
/// Clocks that are multiples of this are taken as rounded: their differences say nothing about latency.
pub const CLOCK_STEP: Duration = Duration::from_millis(100);
/// Searches that are remembered to measure latency: two for both sides of a game, more for games in turn.
pub const MAX_TIMED_SEARCHES: usize = 16;
/// A larger latency is not measured: the clock was set, or the process was suspended.
pub const MOVE_LATENCY_MAX: Duration = Duration::from_secs(1);

/// Limited strength: the nodes of a search at a rating of [`STRENGTH_NODES_ELO`].
pub const STRENGTH_NODES: f64 = 1000.0;
/// The rating of [`STRENGTH_NODES`].
pub const STRENGTH_NODES_ELO: f64 = 1750.0;
/// The Elo gained by twice the nodes.
pub const STRENGTH_NODES_PER_DOUBLING: f64 = 170.0;
/// Limited strength: the spread of scores of a drawn move, in centipawns, at high ratings.
pub const STRENGTH_SPREAD: f64 = 15.0;
/// The lowest rating with a spread of [`STRENGTH_SPREAD`].
pub const STRENGTH_FULL_SPREAD_ELO: f64 = 1700.0;
/// The Elo lost by twice the spread.
pub const STRENGTH_SPREAD_PER_DOUBLING: f64 = 150.0;
/// The fewest root moves among which one is drawn.
pub const STRENGTH_MIN_LINES: usize = 4;
/// The most root moves among which one is drawn.
pub const STRENGTH_MAX_LINES: usize = 24;

parameters! {
    /// The parameters of time management.
    TimeParams

    time_moves = 20, 10..=60, "Expected number of moves to go in sudden death";
    /// In sudden death a move's share of the clock is this much smaller at the start of the game, and this much larger from
    /// [`LATE_PLY`] on, in percent.
    time_early = 30, 0..=80;
    time_increment = 90, 20..=100, "Share of the increment that is spent, in percent";
    time_soft = 95, 20..=150, "Soft limit, in percent of a move's share of the clock";
    time_soft_max = 30, 5..=80, "Largest soft limit, in percent of the clock";
    time_hard = 700, 100..=1000, "Hard limit, in percent of a move's share of the clock";
    time_hard_max = 70, 10..=90, "Largest hard limit, in percent of the clock";
    time_last_move = 80, 50..=95, "Largest soft and hard limit with one move to go, in percent of the clock";
    time_ponder = 120, 100..=150, "Factor on the soft limit if pondering is enabled, in percent";
    time_unstable = 145, 100..=250, "Factor on the soft limit after a change of the best move, in percent";
    /// Decrease of that factor per iteration with the same best move, in percentage points.
    time_stability = 20, 0..=40;
    time_stable = 75, 30..=100, "Lowest value of that factor, in percent";
    /// Factor on the soft limit: `time_nodes_base` plus this times the share of nodes outside the best move, in percent.
    time_nodes_slope = 160, 0..=300;
    time_nodes_base = 65, 10..=150, "See `time_nodes_slope`, in percent";
    time_score_drop = 8, 0..=30, "Increase of the soft limit per centipawn of score drop, in thousandths";
    time_score_max = 60, 0..=200, "Largest score drop that counts, in centipawns";
}

/// All tunable parameters.
pub fn all() -> impl Iterator<Item = &'static Parameter> {
    SearchParams::ALL.iter().chain(TimeParams::ALL)
}

/// The parameters of the search for the game `G`.
#[cfg(not(feature = "spsa"))]
#[inline(always)]
pub fn params<G: Heuristics>() -> &'static SearchParams {
    const { &G::PARAMS }
}

/// The parameters of time management.
#[cfg(not(feature = "spsa"))]
#[inline(always)]
pub fn time_params() -> &'static TimeParams {
    const { &TimeParams::DEFAULT }
}

#[cfg(feature = "spsa")]
pub use tuned::{load, params, set, time_params};

/// Parameters that a tuner has set, in builds for it.
#[cfg(feature = "spsa")]
mod tuned {
    use super::*;
    use std::cell::Cell;
    use std::sync::RwLock;

    /// The values that were set, by name.
    static VALUES: RwLock<Vec<(&'static str, i32)>> = RwLock::new(Vec::new());

    thread_local! {
        static PARAMS: Cell<SearchParams> = const { Cell::new(SearchParams::DEFAULT) };
    }

    /// Sets the parameter `name` for all games, from the next search on.
    pub fn set(name: &'static str, value: i32) {
        let mut values = VALUES.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        values.retain(|&(other, _)| other != name);
        values.push((name, value));
    }

    fn for_each_value(mut apply: impl FnMut(&'static str, i32)) {
        let values = VALUES.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        values.iter().for_each(|&(name, value)| apply(name, value));
    }

    /// Makes the values for the game `G` those of [`params`] in this thread.
    pub fn load<G: Heuristics>() {
        let mut params = G::PARAMS;
        for_each_value(|name, value| params.get_mut(name).into_iter().for_each(|param| *param = value));
        PARAMS.set(params);
    }

    /// The parameters that [`load`] has set in this thread.
    #[inline(always)]
    pub fn params<G: Heuristics>() -> SearchParams {
        PARAMS.get()
    }

    /// The parameters of time management.
    pub fn time_params() -> TimeParams {
        let mut params = TimeParams::DEFAULT;
        for_each_value(|name, value| params.get_mut(name).into_iter().for_each(|param| *param = value));
        params
    }
}

/// Converts percent to a factor.
pub fn percent(percent: i32) -> f64 {
    f64::from(percent) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges() {
        assert!(SearchParams::DEFAULT.is_valid() && TimeParams::DEFAULT.is_valid());
        assert!(!SearchParams { killer_moves: 3, ..SearchParams::DEFAULT }.is_valid());
        assert!(all().all(|parameter| (parameter.min..=parameter.max).contains(&parameter.default)));
    }

    #[cfg(feature = "spsa")]
    #[test]
    fn set_changes_the_named_parameter_only() {
        set("time_ponder", 130);
        assert_eq!(time_params(), TimeParams { time_ponder: 130, ..TimeParams::DEFAULT });
        set("time_ponder", 120);
        assert_eq!(time_params(), TimeParams::DEFAULT);
    }
}
