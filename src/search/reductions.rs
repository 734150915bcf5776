//! Late move reductions (LMR): later moves are searched at reduced depth
//! (<https://www.chessprogramming.org/Late_Move_Reductions>).

use super::node::NodeInfo;
use super::params::*;
use crate::game::{Depth, Heuristics};

/// Size of [`LN_TABLE`]; larger depths and move counts use its last entry.
const SIZE: usize = 64;

/// Natural logarithms times 1000; entry 0 is 0.
const LN_TABLE: [i32; SIZE] = {
    let mut table = [0; SIZE];
    let (mut n, mut sum) = (2, 0.0);
    while n < SIZE {
        // ln(n) = ln(n - 1) + 2 artanh(1 / (2n - 1)); four terms of the series suffice.
        let x = 1.0 / (2 * n - 1) as f64;
        let square = x * x;
        sum += 2.0 * x * (1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square / 7.0)));
        table[n] = (1000.0 * sum) as i32;
        n += 1;
    }
    table
};

/// The facts about a move, beside those about its node, that raise or lower its reduction.
#[derive(Clone, Copy, Debug)]
pub struct LmrContext {
    pub tt_move_is_noisy: bool,
    /// The number of fail highs one ply below this node since its parent was entered.
    pub child_cutoff_count: i32,
    pub is_noisy: bool,
    pub is_killer: bool,
    pub gives_check: bool,
    pub history: i32,
}

/// The reduction in plies of the move number `move_count` (from 1) of `node`.
pub fn lmr_reduction<G: Heuristics>(node: &NodeInfo, move_count: usize, context: LmrContext) -> i32 {
    let ln = |n: usize| LN_TABLE[n.min(SIZE - 1)];
    let product = ln(node.depth.plies().max(0) as usize) * ln(move_count);
    let mut centiplies = params::<G>().lmr_base + product / (100 * params::<G>().lmr_divisor);
    let mut adjust = |applies: bool, by: i32| centiplies += if applies { by } else { 0 };
    adjust(node.pv, -params::<G>().lmr_pv);
    adjust(node.tt_pv, -params::<G>().lmr_tt_pv);
    adjust(node.cut_node, params::<G>().lmr_cut);
    adjust(!node.improving, params::<G>().lmr_not_improving);
    adjust(context.tt_move_is_noisy, params::<G>().lmr_tt_noisy);
    adjust(context.child_cutoff_count > params::<G>().lmr_cutoffs_min, params::<G>().lmr_cutoffs);
    adjust(context.is_noisy, -params::<G>().lmr_noisy);
    adjust(context.is_killer, -params::<G>().lmr_killer);
    adjust(context.gives_check, -params::<G>().lmr_check);
    let history_per_ply =
        if context.is_noisy { params::<G>().lmr_capture_history } else { params::<G>().lmr_history };
    centiplies -= 100 * context.history / history_per_ply;
    (centiplies / 100).max(0)
}

/// The reduction without a re-search, in plies, of a move too early for LMR, whose reduction would be `lmr` plies.
pub fn early_move_reduction<G: Heuristics>(lmr: i32, depth: Depth) -> i32 {
    i32::from(lmr >= params::<G>().lmr_early && depth.plies() > 2)
        + i32::from(lmr > params::<G>().lmr_early && depth.plies() > 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ln_table_matches_ln() {
        for (n, &thousandths) in LN_TABLE.iter().enumerate().skip(1) {
            assert!((1000.0 * (n as f64).ln() - f64::from(thousandths)).abs() < 1.5, "ln({n})");
        }
    }
}
