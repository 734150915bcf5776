//! Late move reductions: moves far down a good order are searched less deep until one surprises
//! (<https://www.chessprogramming.org/Late_Move_Reductions>).

use super::params::*;
use std::sync::LazyLock;

const SIZE: usize = 64;

/// Hundredths of a ply by depth and move number.
static TABLE: LazyLock<[[i32; SIZE]; SIZE]> = LazyLock::new(|| {
    let log = |n: usize| (n.max(1) as f64).ln();
    std::array::from_fn(|depth| {
        std::array::from_fn(|number| {
            REDUCTION_BASE + (10_000.0 * log(depth) * log(number) / f64::from(REDUCTION_DIVISOR)) as i32
        })
    })
});

/// What speaks for looking less deep at a move, or deeper.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// The node lies on the principal variation.
    pub pv: bool,
    /// The node is expected to fail high.
    pub cut: bool,
    /// The mover stands better than two plies ago.
    pub improving: bool,
    /// The move changes the balance.
    pub tactical: bool,
    /// The move gives check.
    pub check: bool,
    /// The move's history, 0 for tactical moves.
    pub history: i32,
}

/// Plies to take off a move's search; `number` counts the node's moves from 1.
pub fn reduction(depth: i32, number: usize, situation: Situation) -> i32 {
    let mut hundredths = TABLE[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)];
    if situation.tactical {
        hundredths /= 2;
    }
    hundredths -= 100 * i32::from(situation.pv) + 100 * i32::from(situation.check);
    hundredths += 150 * i32::from(situation.cut) + 70 * i32::from(!situation.improving);
    hundredths -= 100 * situation.history / REDUCTION_HISTORY;
    (hundredths / 100).max(0)
}
