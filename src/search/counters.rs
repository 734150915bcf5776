//! Counts of what happens in a search, for those who want to know why it did what it did. Counting is one addition at each event, so
//! it is always on.

use serde::Serialize;
use std::ops::AddAssign;

/// Depths are counted up to this one; larger depths belong to it.
const MAX_DEPTH: usize = 31;

/// The events of one search, of all threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Nodes of quiescence; the others are of the main search.
    pub quiescence_nodes: u64,
    /// Nodes of the main search that failed high at the first, second, third and a later move.
    pub cutoffs: [u64; 4],
    /// Probes of the transposition table.
    pub tt_probes: u64,
    /// Probes that found the position.
    pub tt_hits: u64,
    /// Nodes that an entry with an exact score ended.
    pub tt_cutoffs_exact: u64,
    /// Nodes that an entry with a lower bound ended.
    pub tt_cutoffs_lower: u64,
    /// Nodes that an entry with an upper bound ended.
    pub tt_cutoffs_upper: u64,
    /// Null moves tried.
    pub null_move_tries: u64,
    /// Nodes that a null move pruned.
    pub null_move_cutoffs: u64,
    /// Moves searched at a depth that late move reductions lowered, by the depth of their node in plies.
    pub lmr_searches: [u64; MAX_DEPTH + 1],
    /// Those that failed high and were searched again.
    pub lmr_researches: [u64; MAX_DEPTH + 1],
    /// Moves that futility pruning skipped; where it skipped all later quiet moves too, they count as one.
    pub futility_skips: u64,
    /// Nodes at which late move pruning skipped the later quiet moves.
    pub late_move_skips: u64,
    /// Moves that history pruning skipped.
    pub history_skips: u64,
    /// Moves that SEE pruning skipped.
    pub see_skips: u64,
    /// Nodes extended because of check, or by the game's own rule.
    pub check_extensions: u64,
    /// TT moves extended by one ply because they were singular.
    pub singular_extensions: u64,
    /// TT moves extended by two plies.
    pub double_extensions: u64,
    /// TT moves reduced because others were as good.
    pub negative_extensions: u64,
    /// Nodes that multi-cut ended.
    pub multi_cuts: u64,
    /// Searches of an iteration that failed low.
    pub aspiration_fail_lows: u64,
    /// Searches of an iteration that failed high.
    pub aspiration_fail_highs: u64,
    /// Static evaluations that were corrected.
    pub corrections: u64,
    /// The sum of the sizes of these corrections, in centipawns.
    pub correction_sum: u64,
}

impl Counters {
    /// The index of a depth in `lmr_searches`.
    #[inline]
    pub fn depth_index(plies: i32) -> usize {
        (plies.max(0) as usize).min(MAX_DEPTH)
    }
}

/// Adds the values of every field.
macro_rules! add_fields {
    ($left:ident, $right:ident, numbers: $($number:ident)*, lists: $($list:ident)*) => {
        $($left.$number += $right.$number;)*
        $($left.$list.iter_mut().zip($right.$list).for_each(|(left, right)| *left += right);)*
    };
}

impl AddAssign<&Counters> for Counters {
    fn add_assign(&mut self, other: &Counters) {
        add_fields!(
            self, other,
            numbers: quiescence_nodes tt_probes tt_hits tt_cutoffs_exact tt_cutoffs_lower tt_cutoffs_upper
                null_move_tries null_move_cutoffs futility_skips late_move_skips history_skips see_skips
                check_extensions singular_extensions double_extensions negative_extensions multi_cuts
                aspiration_fail_lows aspiration_fail_highs corrections correction_sum,
            lists: cutoffs lmr_searches lmr_researches
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_adds_every_field() {
        let one: serde_json::Value = serde_json::to_value(Counters::default()).unwrap();
        let fields = one.as_object().unwrap().len();
        let mut counters =
            Counters { cutoffs: [1, 2, 3, 4], tt_hits: 5, correction_sum: 6, ..Counters::default() };
        counters.lmr_researches[Counters::depth_index(40)] = 7;
        let twice = {
            let mut sum = counters.clone();
            sum += &counters;
            sum
        };
        assert_eq!((twice.cutoffs, twice.tt_hits, twice.correction_sum), ([2, 4, 6, 8], 10, 12));
        assert_eq!(twice.lmr_researches[MAX_DEPTH], 14);
        // A new field must be added to the sum.
        assert_eq!(fields, 24);
    }
}
