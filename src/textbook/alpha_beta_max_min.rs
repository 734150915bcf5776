//! Alpha-beta as two functions, MAX-VALUE and MIN-VALUE (Russell and Norvig, "Artificial Intelligence: A
//! Modern Approach"). Alpha is the largest value that White, beta the smallest that Black has secured on the
//! path to this node. Values and bounds are relative to White, so nothing is negated.

use super::{Observer, Searcher, Step, Stopped};
use crate::game::{Depth, Evaluator, Heuristics, Ply, Score, Window};

impl<G: Heuristics, E: Evaluator<G>, O: Observer<G>> Searcher<'_, G, E, O> {
    /// MAX-VALUE(s, alpha, beta): the maximum of the children's MIN-VALUE, or MAX-VALUE if the turn did not
    /// pass. It raises alpha. At beta the other moves are cut off: Black has a better alternative earlier.
    /// The result reads as that of [`Searcher::alpha_beta`]. Fail-hard clamps it to the window.
    pub(super) fn max_value_within(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        self.enter_node(depth, ply)?;
        self.notify(Step::Bounds(window));
        if let Some(value) = self.leaf_for_white(depth, ply) {
            return Ok(self.clamp_if_fail_hard(value, window));
        }
        let mut best = -Score::INFINITE;
        let mut open = window;
        for mv in self.moves(depth, ply) {
            let value = self.search_child(mv, |search, turn_passed| match turn_passed {
                true => search.min_value_within(open, depth - 1, ply.next()),
                false => search.max_value_within(open, depth - 1, ply.next()),
            })?;
            if value > best {
                best = value;
                self.set_best(mv, depth, ply);
                if best >= open.beta {
                    self.record_cutoff();
                    break;
                }
                open.alpha = open.alpha.max(best);
                self.notify(Step::Bounds(open));
            }
        }
        Ok(self.clamp_if_fail_hard(best, window))
    }

    /// MIN-VALUE(s, alpha, beta): the minimum of the children's values. It lowers beta. At alpha the other moves are cut off:
    /// White has a better alternative earlier. The result reads as that of [`Searcher::max_value_within`].
    pub(super) fn min_value_within(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        self.enter_node(depth, ply)?;
        self.notify(Step::Bounds(window));
        if let Some(value) = self.leaf_for_white(depth, ply) {
            return Ok(self.clamp_if_fail_hard(value, window));
        }
        let mut best = Score::INFINITE;
        let mut open = window;
        for mv in self.moves(depth, ply) {
            let value = self.search_child(mv, |search, turn_passed| match turn_passed {
                true => search.max_value_within(open, depth - 1, ply.next()),
                false => search.min_value_within(open, depth - 1, ply.next()),
            })?;
            if value < best {
                best = value;
                self.set_best(mv, depth, ply);
                if best <= open.alpha {
                    self.record_cutoff();
                    break;
                }
                open.beta = open.beta.min(best);
                self.notify(Step::Bounds(open));
            }
        }
        Ok(self.clamp_if_fail_hard(best, window))
    }
}
