//! Late move reductions: moves far down a good order are searched less deep until one surprises
//! (<https://www.chessprogramming.org/Late_Move_Reductions>).

use super::params::*;

const SIZE: usize = 64;

/// Natural logarithms in thousandths; 0 for 0, which no depth and no move number is.
const LN_TABLE: [i32; SIZE] = {
    let mut table = [0; SIZE];
    let (mut n, mut sum) = (2, 0.0);
    while n < SIZE {
        // ln(n) = ln(n - 1) + 2 artanh(1 / (2n - 1)), of which four terms are plenty.
        let x = 1.0 / (2 * n - 1) as f64;
        let square = x * x;
        sum += 2.0 * x * (1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square / 7.0)));
        table[n] = (1000.0 * sum) as i32;
        n += 1;
    }
    table
};

/// What speaks for looking less deep at a move, or deeper.
#[derive(Clone, Copy, Debug)]
pub struct LmrContext {
    /// The node lies on the principal variation.
    pub pv: bool,
    /// It once did.
    pub tt_pv: bool,
    /// It is expected to fail high.
    pub cut_node: bool,
    /// The mover stands better than two plies ago.
    pub improving: bool,
    /// The table's move changes the balance.
    pub tt_move_is_noisy: bool,
    /// How often the answers to this node's moves failed high.
    pub child_cutoff_count: i32,
    /// The move changes the balance.
    pub is_noisy: bool,
    /// The move refuted a sibling.
    pub is_killer: bool,
    /// The move gives check.
    pub gives_check: bool,
    /// The move's history.
    pub history: i32,
}

/// Plies to take off a move's search; `number` counts the node's moves from 1.
pub fn lmr_reduction(depth: i32, move_count: usize, context: LmrContext) -> i32 {
    let ln = |n: usize| LN_TABLE[n.min(SIZE - 1)];
    let product = ln(depth.max(0) as usize) * ln(move_count);
    let mut centiplies = lmr_base() + product / (100 * lmr_divisor());
    let mut adjust = |applies: bool, by: i32| centiplies += if applies { by } else { 0 };
    adjust(context.pv, -lmr_pv());
    adjust(context.tt_pv, -lmr_tt_pv());
    adjust(context.cut_node, lmr_cut());
    adjust(!context.improving, lmr_not_improving());
    adjust(context.tt_move_is_noisy, lmr_tt_noisy());
    adjust(context.child_cutoff_count > lmr_cutoffs_min(), lmr_cutoffs());
    adjust(context.is_noisy, -lmr_noisy());
    adjust(context.is_killer, -lmr_killer());
    adjust(context.gives_check, -lmr_check());
    let history_per_ply = if context.is_noisy { lmr_capture_history() } else { lmr_history() };
    centiplies -= 100 * context.history / history_per_ply;
    (centiplies / 100).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithms_are_right() {
        for (n, &thousandths) in LN_TABLE.iter().enumerate().skip(1) {
            assert!((1000.0 * (n as f64).ln() - f64::from(thousandths)).abs() < 1.5, "ln({n})");
        }
    }
}
