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
    pub cut: bool,
    /// The mover stands better than two plies ago.
    pub improving: bool,
    /// The table's move changes the balance.
    pub table_tactical: bool,
    /// How often the answers to this node's moves failed high.
    pub cutoffs: i32,
    /// The move changes the balance.
    pub tactical: bool,
    /// The move refuted a sibling.
    pub killer: bool,
    /// The move gives check.
    pub check: bool,
    /// The move's history.
    pub history: i32,
}

/// Plies to take off a move's search; `number` counts the node's moves from 1.
pub fn reduction(depth: i32, number: usize, situation: LmrContext) -> i32 {
    let logarithm = |n: usize| LN_TABLE[n.min(SIZE - 1)];
    let product = logarithm(depth.max(0) as usize) * logarithm(number);
    let mut hundredths = lmr_base() + product / (100 * lmr_divisor());
    let mut adjust = |applies: bool, by: i32| hundredths += if applies { by } else { 0 };
    adjust(situation.pv, -lmr_pv());
    adjust(situation.tt_pv, -lmr_tt_pv());
    adjust(situation.cut, lmr_cut());
    adjust(!situation.improving, lmr_not_improving());
    adjust(situation.table_tactical, lmr_tt_noisy());
    adjust(situation.cutoffs > lmr_cutoffs_min(), lmr_cutoffs());
    adjust(situation.tactical, -lmr_noisy());
    adjust(situation.killer, -lmr_killer());
    adjust(situation.check, -lmr_check());
    let ply = if situation.tactical { lmr_capture_history() } else { lmr_history() };
    hundredths -= 100 * situation.history / ply;
    (hundredths / 100).max(0)
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
