//! Every tunable number of the search. They change only with a match result.
//!
//! Scores are in centipawns, depths and reductions in plies unless a name says otherwise.

/// Half-width of the first window around the last iteration's score.
pub const ASPIRATION_DELTA: i32 = 14;
/// Iterations below this depth use the full window.
pub const ASPIRATION_DEPTH: i32 = 5;

/// Reverse futility: deepest node.
pub const REVERSE_FUTILITY_DEPTH: i32 = 9;
/// Reverse futility: margin for each ply of depth.
pub const REVERSE_FUTILITY_MARGIN: i32 = 80;

/// Razoring: deepest node.
pub const RAZOR_DEPTH: i32 = 3;
/// Razoring: margin for each ply of depth.
pub const RAZOR_MARGIN: i32 = 260;

/// Null move: shallowest node.
pub const NULL_DEPTH: i32 = 3;
/// Null move: least reduction.
pub const NULL_BASE: i32 = 3;
/// Null move: one more ply for this much depth.
pub const NULL_DEPTH_DIVISOR: i32 = 4;
/// Null move: one more ply for this much evaluation above beta.
pub const NULL_EVAL_DIVISOR: i32 = 180;
/// Null move: at most so many plies for the evaluation.
pub const NULL_EVAL_MAX: i32 = 3;
/// Null move: from this depth on a refutation is verified, because zugzwang might hide in it.
pub const NULL_VERIFY_DEPTH: i32 = 12;

/// Internal iterative reduction: shallowest node without a table move that loses a ply.
pub const IIR_DEPTH: i32 = 4;

/// Late move pruning: deepest node.
pub const LATE_MOVE_DEPTH: i32 = 8;
/// Late move pruning: quiet moves looked at, at depth 0.
pub const LATE_MOVE_BASE: i32 = 4;

/// Futility: deepest node, after reductions.
pub const FUTILITY_DEPTH: i32 = 8;
/// Futility: margin at depth 0.
pub const FUTILITY_BASE: i32 = 100;
/// Futility: margin for each ply.
pub const FUTILITY_MARGIN: i32 = 90;

/// Exchange pruning: deepest node.
pub const EXCHANGE_DEPTH: i32 = 8;
/// Exchange pruning: what a quiet move may lose for each ply.
pub const EXCHANGE_QUIET: i32 = 60;
/// Exchange pruning: what a tactical move may lose for each squared ply.
pub const EXCHANGE_TACTICAL: i32 = 28;

/// History pruning: deepest node, after reductions.
pub const HISTORY_PRUNING_DEPTH: i32 = 5;
/// History pruning: the history below which a quiet move is dropped, for each ply.
pub const HISTORY_PRUNING_MARGIN: i32 = -3200;

/// Late move reductions: the first move that is reduced, from 1.
pub const REDUCTION_MOVES: usize = 3;
/// Late move reductions: shallowest node.
pub const REDUCTION_DEPTH: i32 = 2;
/// Late move reductions: constant part, in hundredths of a ply.
pub const REDUCTION_BASE: i32 = 70;
/// Late move reductions: the product of the logarithms is divided by this, in hundredths.
pub const REDUCTION_DIVISOR: i32 = 215;
/// Late move reductions: a quiet move's history that is worth a ply.
pub const REDUCTION_HISTORY: i32 = 9000;

/// Quiescence: what a capture may fall short of alpha beyond the man it takes.
pub const DELTA_MARGIN: i32 = 150;

/// Histories: largest value.
pub const HISTORY_MAX: i32 = 16_384;
/// Histories: bonus for each ply of depth.
pub const HISTORY_BONUS: i32 = 160;
/// Histories: largest bonus.
pub const HISTORY_BONUS_MAX: i32 = 1900;

/// Time: moves still to come where the clock does not say.
pub const TIME_MOVES: f64 = 22.0;
/// Time: part of the increment that may be spent.
pub const TIME_INCREMENT: f64 = 0.8;
/// Time: the optimum is at most this part of the clock.
pub const TIME_SOFT_MAX: f64 = 0.3;
/// Time: the maximum is so many optimums.
pub const TIME_HARD_FACTOR: f64 = 4.0;
/// Time: the maximum is at most this part of the clock.
pub const TIME_HARD_MAX: f64 = 0.7;
/// Time: with one move to go, at most this part of the clock.
pub const TIME_LAST_MOVE: f64 = 0.8;
/// Time: factor where pondering is on, as the opponent's time is ours too.
pub const TIME_PONDER: f64 = 1.2;
/// Time: factors on the optimum by how many iterations the best move has stood.
pub const TIME_STABILITY: [f64; 5] = [1.5, 1.15, 0.95, 0.85, 0.75];
/// Time: share of the nodes outside the best move, times this, plus the next, is a factor on the optimum.
pub const TIME_NODES_SLOPE: f64 = 1.6;
/// Time: see [`TIME_NODES_SLOPE`].
pub const TIME_NODES_BASE: f64 = 0.5;
/// Time: factor for each centipawn that the score fell since the last iteration.
pub const TIME_SCORE_DROP: f64 = 0.008;
/// Time: the score's fall counts up to this many centipawns.
pub const TIME_SCORE_MAX: i32 = 60;
