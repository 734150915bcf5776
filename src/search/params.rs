//! Every tunable number of the search. They change only with a match result.
//!
//! Scores are in centipawns, depths and reductions in plies unless a name says otherwise. With the
//! feature `spsa` each is a spin option of the server, so that a tuner (SPSA,
//! <https://www.chessprogramming.org/SPSA>) can play matches between settings without a new build;
//! otherwise each is a constant.

use std::time::Duration;

/// A number and the range in which a tuner may look for a better one.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name, which is its option's name too.
    pub name: &'static str,
    /// As played.
    pub default: i32,
    /// The least that makes sense.
    pub min: i32,
    /// The most that makes sense.
    pub max: i32,
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal..=$max:literal;)*) => {
        /// All of them.
        pub const ALL: &[Parameter] =
            &[$(Parameter { name: stringify!($name), default: $default, min: $min, max: $max }),*];

        $(
            $(#[$doc])*
            #[cfg(not(feature = "spsa"))]
            #[inline(always)]
            pub const fn $name() -> i32 {
                $default
            }
        )*

        #[cfg(feature = "spsa")]
        mod tuned {
            use std::sync::atomic::AtomicI32;
            $(#[allow(non_upper_case_globals)] pub static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        $(
            $(#[$doc])*
            #[cfg(feature = "spsa")]
            #[inline(always)]
            pub fn $name() -> i32 {
                tuned::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        /// Gives the parameter `name` another value; nothing happens if there is none of that name.
        #[cfg(feature = "spsa")]
        pub fn set(name: &str, value: i32) {
            match name {
                $(stringify!($name) => tuned::$name.store(value, std::sync::atomic::Ordering::Relaxed),)*
                _ => {}
            }
        }
    };
}

/// Largest absolute value of a history counter.
pub const HISTORY_MAX: i32 = 16_384;
/// Number of pawn structures (hashed) that the pawn history distinguishes.
pub const PAWN_HISTORY_SIZE: usize = 512;

/// Largest absolute value of a correction history counter.
pub const CORRECTION_MAX: i32 = 1024;
/// Counters per key and side in the correction history. Keys with equal low bits share a counter.
pub const CORRECTION_HISTORY_SIZE: usize = 1 << 14;
/// The bonus of the correction history is error in centipawns times depth in plies, divided by this.
pub const CORRECTION_BONUS_DIVISOR: i32 = 8;
/// Largest absolute bonus of the correction history.
pub const CORRECTION_BONUS_MAX: i32 = CORRECTION_MAX / 4;

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

/// With one legal move and a clock, the search stops at this depth, in plies. It gives a score and a ponder move.
pub const FORCED_MOVE_DEPTH: i32 = 6;

/// Time kept back from `movetime`: the median time from the end of the search to the client reading `bestmove`,
/// measured with one and two threads.
pub const MOVETIME_RESERVE: Duration = Duration::from_micros(400);
/// A larger latency is not measured: the game or the side has changed, or the process was suspended.
pub const MOVE_LATENCY_MAX: Duration = Duration::from_secs(1);

/// The Elo rating that [`ELO_LIMIT_NODES`] nodes per move play at.
pub const ELO_LIMIT_MIN: u32 = 1320;
/// Nodes per move at the lowest strength limit.
pub const ELO_LIMIT_NODES: f64 = 40.0;
/// Elo gained by twice the nodes, at such low node counts.
pub const ELO_PER_DOUBLING: f64 = 110.0;

parameters! {
    /// Half-width of the first window around the last iteration's score.
    aspiration_delta = 15, 5..=60;
    /// Iterations below this depth use the full window.
    aspiration_depth = 5, 1..=20;
    /// Plies that an iteration may lose while it fails high.
    aspiration_reduction = 3, 0..=6;

    /// Plies added where the side to move is in check.
    check_extension = 1, 0..=1;

    /// Reverse futility: deepest node.
    rfp_depth = 9, 0..=16;
    /// Reverse futility: margin for each ply of depth.
    rfp_margin = 58, 30..=200;

    /// Reverse futility: less where the opponent's last move made the opponent stand worse.
    rfp_opponent_worsening = 19, 0..=100;

    /// Hindsight: a move that was reduced by so many plies and turned out well for its side gets one back.
    hindsight_deeper = 3, 1..=100;
    /// Hindsight: a move that was reduced by so many plies and turned out badly loses another.
    hindsight_shallower = 2, 1..=100;
    /// Hindsight: what is badly.
    hindsight_margin = 60, 0..=400;

    /// Razoring: deepest node.
    razor_depth = 3, 0..=8;
    /// Razoring: margin for each ply of depth.
    razor_margin = 380, 100..=600;

    /// Null move: shallowest node.
    nmp_depth = 3, 1..=100;
    /// Null move: how far above beta the static evaluation must be, at depth 0.
    nmp_margin = 91, -100..=400;
    /// Null move: less for each ply.
    nmp_margin_depth = 11, 0..=40;
    /// Null move: least reduction.
    nmp_base = 4, 1..=8;
    /// Null move: one more ply for this much depth.
    nmp_depth_divisor = 4, 1..=12;
    /// Null move: one more ply for this much evaluation above beta.
    nmp_eval_divisor = 128, 50..=400;
    /// Null move: at most so many plies for the evaluation.
    nmp_eval_max = 3, 0..=8;
    /// Null move: from this depth on a refutation is verified, because zugzwang might hide in it.
    nmp_verify_depth = 12, 5..=100;

    /// ProbCut: shallowest node.
    probcut_depth = 5, 3..=100;
    /// ProbCut: how far above beta a capture must come.
    probcut_margin = 123, 60..=400;
    /// ProbCut: how many plies less deep that is asked.
    probcut_reduction = 4, 2..=6;

    /// Internal iterative reduction: shallowest node without a table move that loses a ply.
    iir_depth = 4, 2..=100;

    /// Singular extension: shallowest node.
    singular_depth = 6, 4..=100;
    /// Singular extension: how much less deep than the node its entry in the table may be.
    singular_entry = 3, 1..=5;
    /// Singular extension: how much worse all other moves must be, in tenths for each ply of depth.
    singular_margin = 12, 5..=60;
    /// Singular extension: how much worse still for a second ply.
    singular_double = 13, 0..=100;
    /// Singular extension: how many second plies one line may have.
    singular_doubles_max = 8, 0..=30;
    /// Singular extension: plies taken away where other moves hold beta too.
    singular_negative = 2, 0..=3;

    /// Late move pruning: deepest node.
    lmp_depth = 8, 0..=16;
    /// Late move pruning: moves looked at before quiet ones are given up, at depth 0.
    lmp_base = 5, 1..=12;

    /// Futility: deepest node, after reductions.
    fp_depth = 8, -1..=16;
    /// Futility: margin at depth 0.
    fp_base = 71, 20..=300;
    /// Futility: margin for each ply.
    fp_margin = 62, 20..=250;

    /// Exchange pruning: deepest node.
    see_depth = 8, 0..=16;
    /// Exchange pruning: what a quiet move may lose for each ply.
    see_quiet = 61, 10..=150;
    /// Exchange pruning: what a tactical move may lose for each squared ply.
    see_noisy = 26, 5..=100;

    /// History pruning: deepest node, after reductions.
    history_pruning_depth = 5, -1..=12;
    /// History pruning: the history below which a quiet move is dropped, for each ply.
    history_pruning_margin = -3710, -12000..=-500;

    /// Late move reductions: the first move that is reduced, from 1.
    lmr_moves = 3, 2..=400;
    /// Late move reductions: shallowest node.
    lmr_depth = 2, 1..=6;
    /// Late move reductions: constant part, in hundredths of a ply.
    lmr_base = 87, 0..=200;
    /// Late move reductions: the product of the logarithms is divided by this, in hundredths.
    lmr_divisor = 213, 120..=400;
    /// Late move reductions: a quiet move's history that is worth a ply.
    lmr_history = 11200, 3000..=40000;
    /// Late move reductions: a tactical move's history that is worth a ply.
    lmr_capture_history = 8800, 3000..=40000;
    /// Late move reductions: less for a tactical move, in hundredths.
    lmr_noisy = 103, 0..=300;
    /// Late move reductions: less on the principal variation, in hundredths.
    lmr_pv = 72, 0..=250;
    /// Late move reductions: less where the node was once on a principal variation, in hundredths.
    lmr_tt_pv = 60, 0..=250;
    /// Late move reductions: less for a move that gives check, in hundredths.
    lmr_check = 75, 0..=250;
    /// Late move reductions: less for a killer, in hundredths.
    lmr_killer = 68, 0..=250;
    /// Late move reductions: more where the node is expected to fail high, in hundredths.
    lmr_cut = 152, 0..=350;
    /// Late move reductions: more where the mover's evaluation falls, in hundredths.
    lmr_not_improving = 73, 0..=250;
    /// Late move reductions: more where the table's move is tactical, in hundredths.
    lmr_tt_noisy = 60, 0..=250;
    /// Late move reductions: more where the siblings' answers failed high more often than this.
    lmr_cutoffs_min = 3, 0..=10;
    /// Late move reductions: see the last, in hundredths.
    lmr_cutoffs = 69, 0..=250;
    /// A reduced move that beats the best so far by this much is searched a ply deeper.
    deeper_margin = 37, 10..=200;

    /// Quiescence: what a capture may fall short of alpha beyond the man it takes.
    delta_margin = 115, 30..=400;

    /// Quiescence: captures looked at, unless they give check.
    qs_move_limit = 3, 1..=200;

    /// Histories: a quiet move's bonus for each centipawn by which the evaluation turned in its favour, in tenths.
    eval_history_scale = 59, 0..=200;
    /// Histories: at most so much for that.
    eval_history_max = 1240, 0..=4000;
    /// Histories: bonus for each ply of depth.
    history_bonus = 251, 30..=600;
    /// Histories: taken off the bonus.
    history_bonus_offset = 267, 0..=600;
    /// Histories: largest bonus.
    history_bonus_max = 2418, 500..=4000;
    /// Histories: shallowest node whose cutoff earns its move a bonus.
    history_depth = 3, 1..=6;
    /// Histories: malus of a move tried in vain for each ply of depth.
    history_malus = 532, 30..=800;
    /// Histories: taken off the malus.
    history_malus_offset = 163, 0..=600;
    /// Histories: largest malus.
    history_malus_max = 693, 300..=4000;
    /// Histories: share of the bonus for a quiet move with which the table fails high, in hundredths.
    tt_history_bonus = 62, 0..=200;
    /// Histories: share of the bonus for a move to which no answer was found, in hundredths.
    prior_quiet_bonus = 48, 0..=200;

    /// Corrections: what a full one is worth, in centipawns.
    correction_weight = 59, 0..=200;
    /// Corrections: the same for each that a pair of moves gives.
    cont_correction_weight = 30, 0..=200;

    /// A draw comes nearer with each ply without progress: the evaluation loses one part of so many.
    rule50_scale = 256, 110..=2000;

    /// Time: moves still to come where the clock does not say.
    time_moves = 20, 10..=60;
    /// Time: part of the increment that may be spent, in hundredths.
    time_increment = 90, 20..=100;
    /// Time: the optimum's part of a move's share of the clock, in hundredths.
    time_soft = 95, 20..=150;
    /// Time: the optimum is at most this part of the clock, in hundredths.
    time_soft_max = 30, 5..=80;
    /// Time: the maximum is so many shares, in hundredths.
    time_hard = 400, 100..=1000;
    /// Time: the maximum is at most this part of the clock, in hundredths.
    time_hard_max = 70, 10..=90;
    /// Time: with one move to go, at most this part of the clock, in hundredths.
    time_last_move = 80, 50..=95;
    /// Time: factor where pondering is on, as the opponent's time is ours too, in hundredths.
    time_ponder = 120, 100..=150;
    /// Time: factor on the optimum after a change of the best move, in hundredths.
    time_unstable = 145, 100..=250;
    /// Time: less for each iteration that the best move has stood, in hundredths.
    time_stability = 20, 0..=40;
    /// Time: at least this, in hundredths.
    time_stable = 75, 30..=100;
    /// Time: share of the nodes outside the best move, times this, plus the next, is a factor on the optimum;
    /// in hundredths.
    time_nodes_slope = 160, 0..=300;
    /// Time: see the last.
    time_nodes_base = 50, 10..=150;
    /// Time: factor for each centipawn that the score fell since the last iteration, in thousandths.
    time_score_drop = 8, 0..=30;
    /// Time: the score's fall counts up to this many centipawns.
    time_score_max = 60, 0..=200;
}

/// `count` hundredths.
pub fn percent(count: i32) -> f64 {
    f64::from(count) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_lies_in_its_range() {
        for parameter in ALL {
            assert!((parameter.min..=parameter.max).contains(&parameter.default), "{parameter:?}");
        }
    }

    #[cfg(feature = "spsa")]
    #[test]
    fn a_parameter_takes_another_value() {
        set("time_ponder", 130);
        assert_eq!(time_ponder(), 130);
        set("time_ponder", 120);
        set("no such parameter", 1);
        assert_eq!(time_ponder(), 120);
    }
}
