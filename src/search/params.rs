//! The tunable numbers of the search. They change only with a match result.
//!
//! The values are those of chess, fitted to its network by SPSA (docs/strength.md); a game may have values of its own
//! ([`Heuristics::PARAMS`]).
//!
//! With the feature `spsa` each entry of [`all`] is a spin option of the server, so that `scripts/spsa.py` can
//! play matches between settings without a rebuild. Without it each is a constant.

use crate::game::Heuristics;
use std::time::Duration;

/// A tunable parameter and its range.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name, also the name of its option.
    pub name: &'static str,
    /// Default value.
    pub default: i32,
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
}

macro_rules! parameters {
    (
        game { $($(#[$doc:meta])* $name:ident = $default:literal, $min:literal..=$max:literal;)* }
        time { $($(#[$time_doc:meta])* $time:ident = $time_default:literal, $time_min:literal..=$time_max:literal;)* }
    ) => {
        /// The parameters that a game can set by [`Heuristics::PARAMS`].
        const OF_GAME: &[Parameter] =
            &[$(Parameter { name: stringify!($name), default: $default, min: $min, max: $max }),*];

        /// The parameters of time management, which are the same for every game.
        const OF_TIME: &[Parameter] = &[
            $(Parameter { name: stringify!($time), default: $time_default, min: $time_min, max: $time_max }),*
        ];

        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<G: Heuristics>() -> i32 {
                let value = const { value_in(G::PARAMS, stringify!($name), $default) };
                #[cfg(feature = "spsa")]
                let value = tuned::$name.get().unwrap_or(value);
                value
            }
        )*

        $(
            $(#[$time_doc])*
            #[inline(always)]
            pub fn $time() -> i32 {
                let value = $time_default;
                #[cfg(feature = "spsa")]
                let value = tuned::$time.get().unwrap_or(value);
                value
            }
        )*

        #[cfg(feature = "spsa")]
        #[allow(non_upper_case_globals)]
        mod tuned {
            use super::TunedValue;
            $(pub static $name: TunedValue = TunedValue::unset();)*
            $(pub static $time: TunedValue = TunedValue::unset();)*
        }

        /// Sets the parameter `name` for all games; ignores unknown names.
        #[cfg(feature = "spsa")]
        pub fn set(name: &str, value: i32) {
            match name {
                $(stringify!($name) => tuned::$name.set(value),)*
                $(stringify!($time) => tuned::$time.set(value),)*
                _ => {}
            }
        }
    };
}

/// All tunable parameters.
pub fn all() -> impl Iterator<Item = &'static Parameter> {
    OF_GAME.iter().chain(OF_TIME)
}

/// The value of the parameter `name` in the list `own` of a game, else `default`.
const fn value_in(own: &[(&str, i32)], name: &str, default: i32) -> i32 {
    let mut i = 0;
    while i < own.len() {
        if equal(own[i].0, name) {
            return own[i].1;
        }
        i += 1;
    }
    default
}

/// Whether each name in the list `own` of a game is a parameter and its value lies in the range.
pub(super) const fn are_valid(own: &[(&str, i32)]) -> bool {
    let mut i = 0;
    while i < own.len() {
        let (name, value) = own[i];
        let mut at = 0;
        while at < OF_GAME.len() && !equal(OF_GAME[at].name, name) {
            at += 1;
        }
        if at == OF_GAME.len() || value < OF_GAME[at].min || value > OF_GAME[at].max {
            return false;
        }
        i += 1;
    }
    true
}

/// Whether two texts are equal, at compile time.
const fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// A value set by an SPSA tuner.
#[cfg(feature = "spsa")]
struct TunedValue(std::sync::atomic::AtomicI32);

#[cfg(feature = "spsa")]
impl TunedValue {
    /// No parameter has this value.
    const UNSET: i32 = i32::MIN;

    const fn unset() -> TunedValue {
        TunedValue(std::sync::atomic::AtomicI32::new(Self::UNSET))
    }

    #[inline(always)]
    fn get(&self) -> Option<i32> {
        let value = self.0.load(std::sync::atomic::Ordering::Relaxed);
        (value != Self::UNSET).then_some(value)
    }

    fn set(&self, value: i32) {
        self.0.store(value, std::sync::atomic::Ordering::Relaxed);
    }
}

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

/// Vote of a thread: its score minus the lowest score of all threads plus this, in centipawns, times its
/// depth.
pub const VOTE_SCORE_OFFSET: i32 = 15;

/// Searches with a smaller time limit start no helper threads. On a busy machine a thread waits several
/// milliseconds for a core.
pub const MIN_TIME_FOR_HELPERS: Duration = Duration::from_millis(20);
/// The share of the time limit for which the stopped helper threads may delay the move: 1 / this. They need
/// about 0.1 ms, or on a busy machine until they get a core.
pub const HELPER_WAIT_DIVISOR: u32 = 64;

/// With one legal move and a clock, the search stops at this depth, in plies. It gives a score and a ponder
/// move.
pub const FORCED_MOVE_DEPTH: i32 = 6;

/// Time controls further away than this number of moves are treated as this near.
pub const MAX_MOVES_TO_GO: u32 = 50;
/// In sudden death the clock keeps the measured latency of this number of later moves.
pub const LATENCY_MOVES: f64 = 80.0;
/// Time kept back from `movetime`: about the time that the reply takes to reach the client, measured with one
/// and two threads.
pub const MOVETIME_RESERVE: Duration = Duration::from_micros(400);
/// Clocks that are multiples of this are taken as rounded: their differences say nothing about latency.
pub const CLOCK_STEP: Duration = Duration::from_millis(100);
/// Searches that are remembered to measure latency: two for both sides of a game, more for games in turn.
pub const MAX_TIMED_SEARCHES: usize = 16;
/// A larger latency is not measured: the clock was set, or the process was suspended.
pub const MOVE_LATENCY_MAX: Duration = Duration::from_secs(1);

/// The Elo rating that [`ELO_LIMIT_NODES`] nodes per move play at.
pub const ELO_LIMIT_MIN: u32 = 1320;
/// Nodes per move at the lowest strength limit.
pub const ELO_LIMIT_NODES: f64 = 40.0;
/// Elo gained by twice the nodes, at such low node counts.
pub const ELO_PER_DOUBLING: f64 = 110.0;

parameters! {
    game {
        /// Half-width of the first aspiration window, in centipawns.
        aspiration_delta = 16, 5..=60;
        /// Lowest iteration depth with an aspiration window, in plies.
        aspiration_min_depth = 5, 1..=20;
        /// Largest depth reduction of an iteration that fails high, in plies.
        aspiration_reduction = 3, 0..=6;

        /// Killer moves searched before the other quiet moves.
        killer_moves = 2, 0..=2;

        /// Extension of positions in check, in plies.
        check_extension = 1, 0..=1;

        /// RFP: largest depth, in plies.
        rfp_max_depth = 9, 0..=16;
        /// RFP: margin above beta, in centipawns per ply of depth.
        rfp_margin = 49, 30..=200;

        /// RFP: reduction of the margin if the opponent is worsening, in centipawns.
        rfp_opponent_worsening = 17, 0..=100;

        /// Hindsight: smallest parent reduction that is corrected by +1 ply, in plies.
        hindsight_deeper = 3, 1..=100;
        /// Hindsight: smallest parent reduction that is corrected by -1 ply, in plies.
        hindsight_shallower = 2, 1..=100;
        /// Hindsight: evaluation delta above which the depth is reduced, in centipawns.
        hindsight_margin = 77, 0..=400;

        /// Razoring: largest depth, in plies.
        razor_max_depth = 3, 0..=8;
        /// Razoring: margin below alpha, in centipawns per ply of depth.
        razor_margin = 389, 100..=600;

        /// NMP: lowest depth, in plies.
        nmp_min_depth = 3, 1..=100;
        /// NMP: margin of the static evaluation above beta at depth 0, in centipawns.
        nmp_margin = 69, -100..=400;
        /// NMP: decrease of that margin, in centipawns per ply of depth.
        nmp_margin_per_ply = 11, 0..=40;
        /// NMP: base reduction, in plies.
        nmp_base = 4, 1..=8;
        /// NMP: plies of depth per additional ply of reduction.
        nmp_depth_divisor = 4, 1..=12;
        /// NMP: centipawns of evaluation above beta per additional ply of reduction.
        nmp_eval_divisor = 130, 50..=400;
        /// NMP: largest additional reduction for the evaluation, in plies.
        nmp_eval_max = 3, 0..=8;
        /// NMP: lowest depth at which a fail high is verified, in plies.
        nmp_verify_min_depth = 12, 5..=100;

        /// ProbCut: lowest depth, in plies.
        probcut_min_depth = 5, 3..=100;
        /// ProbCut: margin above beta, in centipawns.
        probcut_margin = 121, 60..=400;
        /// ProbCut: depth reduction of its search, in plies.
        probcut_reduction = 4, 2..=6;

        /// IIR: lowest depth, in plies.
        iir_min_depth = 4, 2..=100;

        /// Singular extension: lowest depth, in plies.
        singular_min_depth = 6, 4..=100;
        /// Singular extension: the TT entry may be at most this many plies shallower than the node.
        singular_entry = 3, 1..=5;
        /// Singular extension: margin of singular beta below the TT score, in tenths of a centipawn per ply of
        /// depth.
        singular_margin = 12, 5..=60;
        /// Double extension: margin below singular beta, in centipawns.
        singular_double = 14, 0..=100;
        /// Double extension: largest number on the path from the root.
        singular_doubles_max = 8, 0..=30;
        /// Negative extension, in plies.
        singular_negative = 2, 0..=3;

        /// LMP: largest depth, in plies.
        lmp_max_depth = 8, 0..=16;
        /// LMP: number of moves before quiet moves are skipped, at depth 0.
        lmp_base = 5, 1..=12;

        /// Futility pruning: largest depth after the reduction, in plies.
        fp_max_depth = 8, -1..=16;
        /// Futility pruning: margin at depth 0, in centipawns.
        fp_base = 46, 20..=300;
        /// Futility pruning: additional margin, in centipawns per ply of the depth after the LMR reduction.
        fp_margin = 53, 20..=250;

        /// SEE pruning: largest depth, in plies.
        see_max_depth = 8, 0..=16;
        /// SEE pruning: material that a quiet move may lose, in centipawns per ply of depth.
        see_quiet = 54, 10..=150;
        /// SEE pruning: material that a noisy move may lose, in centipawns per squared ply of depth.
        see_noisy = 24, 5..=100;

        /// History pruning: largest depth after the reduction, in plies.
        history_pruning_max_depth = 5, -1..=12;
        /// History pruning: history score below which a quiet move is skipped, per ply of depth.
        history_pruning_margin = -4018, -12000..=-500;

        /// LMR: first move that is reduced, counted from 1.
        lmr_moves = 3, 2..=400;
        /// LMR: lowest depth, in plies.
        lmr_min_depth = 2, 1..=6;
        /// LMR: base reduction, in hundredths of a ply.
        lmr_base = 98, 0..=200;
        /// LMR: divisor of ln(depth) * ln(move count), in hundredths.
        lmr_divisor = 215, 120..=400;
        /// LMR: history score of a quiet move per ply less reduction.
        lmr_history = 11469, 3000..=40000;
        /// LMR: capture history of a noisy move per ply less reduction.
        lmr_capture_history = 8800, 3000..=40000;
        /// LMR: decrease for a noisy move, in hundredths of a ply.
        lmr_noisy = 103, 0..=300;
        /// LMR: decrease in a PV node, in hundredths of a ply.
        lmr_pv = 72, 0..=250;
        /// LMR: decrease in a node that is or was a PV node, in hundredths of a ply.
        lmr_tt_pv = 73, 0..=250;
        /// LMR: decrease for a move that gives check, in hundredths of a ply.
        lmr_check = 75, 0..=250;
        /// LMR: decrease for a killer, in hundredths of a ply.
        lmr_killer = 68, 0..=250;
        /// LMR: increase in a cut node, in hundredths of a ply.
        lmr_cut = 156, 0..=350;
        /// LMR: increase if the side to move is not improving, in hundredths of a ply.
        lmr_not_improving = 91, 0..=250;
        /// LMR: increase if the TT move is noisy, in hundredths of a ply.
        lmr_tt_noisy = 60, 0..=250;
        /// LMR: number of fail highs one ply below above which the next parameter applies.
        lmr_cutoffs_min = 3, 0..=10;
        /// LMR: increase after many fail highs one ply below, in hundredths of a ply.
        lmr_cutoffs = 69, 0..=250;
        /// LMR: margin above the best score for a re-search one ply deeper, in centipawns.
        deeper_margin = 35, 10..=200;

        /// Quiescence: margin of delta pruning, in centipawns.
        delta_margin = 91, 30..=400;

        /// Quiescence: number of moves tried; the search goes on only as long as the following moves give check.
        qs_move_limit = 3, 1..=200;

        /// Butterfly bonus of the previous quiet move, in tenths per centipawn of evaluation delta.
        eval_history_scale = 59, 0..=200;
        /// Largest absolute bonus for the evaluation delta.
        eval_history_max = 1240, 0..=4000;
        /// History bonus per ply of depth.
        history_bonus = 251, 30..=600;
        /// Subtracted from the history bonus.
        history_bonus_offset = 267, 0..=600;
        /// Largest history bonus.
        history_bonus_max = 2418, 500..=4000;
        /// Lowest depth at which the cutoff move gets a bonus, in plies.
        history_bonus_min_depth = 3, 1..=6;
        /// History malus per ply of depth.
        history_malus = 532, 30..=800;
        /// Subtracted from the history malus.
        history_malus_offset = 163, 0..=600;
        /// Largest history malus.
        history_malus_max = 693, 300..=4000;
        /// Bonus of a quiet TT move whose score fails high, in percent of the history bonus.
        tt_history_bonus = 62, 0..=200;
        /// Bonus of the previous quiet move after a fail low, in percent of the history bonus.
        prior_quiet_bonus = 48, 0..=200;

        /// Correction by a full counter of one correction key, in centipawns.
        correction_weight = 58, 0..=200;
        /// Correction by a full counter of one pair of moves, in centipawns.
        cont_correction_weight = 26, 0..=200;
        /// Bonus of the correction history, in 64ths per centipawn of error and ply of depth.
        correction_bonus = 8, 1..=64;
        /// Largest absolute bonus of the correction history.
        correction_bonus_max = 256, 32..=1024;

        /// Fifty-move scaling: each reversible ply shrinks the evaluation by one part in this number.
        rule50_scale = 256, 110..=2000;

    }
    time {
        /// Expected number of moves to go in sudden death.
        time_moves = 20, 10..=60;
        /// Share of the increment that is spent, in percent.
        time_increment = 90, 20..=100;
        /// Soft limit, in percent of a move's share of the clock.
        time_soft = 95, 20..=150;
        /// Largest soft limit, in percent of the clock.
        time_soft_max = 30, 5..=80;
        /// Hard limit, in percent of a move's share of the clock.
        time_hard = 400, 100..=1000;
        /// Largest hard limit, in percent of the clock.
        time_hard_max = 70, 10..=90;
        /// Largest soft and hard limit with one move to go, in percent of the clock.
        time_last_move = 80, 50..=95;
        /// Factor on the soft limit if pondering is enabled, in percent.
        time_ponder = 120, 100..=150;
        /// Factor on the soft limit after a change of the best move, in percent.
        time_unstable = 145, 100..=250;
        /// Decrease of that factor per iteration with the same best move, in percentage points.
        time_stability = 20, 0..=40;
        /// Lowest value of that factor, in percent.
        time_stable = 75, 30..=100;
        /// Factor on the soft limit: `time_nodes_base` plus this times the share of nodes outside the best move,
        /// in percent.
        time_nodes_slope = 160, 0..=300;
        /// See `time_nodes_slope`, in percent.
        time_nodes_base = 50, 10..=150;
        /// Increase of the soft limit per centipawn of score drop, in thousandths.
        time_score_drop = 8, 0..=30;
        /// Largest score drop that counts, in centipawns.
        time_score_max = 60, 0..=200;
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
    fn default_of_each_parameter_lies_in_its_range() {
        for parameter in all() {
            assert!((parameter.min..=parameter.max).contains(&parameter.default), "{parameter:?}");
        }
    }

    #[cfg(feature = "spsa")]
    #[test]
    fn set_changes_the_named_parameter_only() {
        set("time_ponder", 130);
        assert_eq!(time_ponder(), 130);
        set("time_ponder", 120);
        set("no such parameter", 1);
        assert_eq!(time_ponder(), 120);
    }
}
