//! Alpha-beta as two functions, MAX-VALUE and MIN-VALUE: alpha is the most that White, beta the least that
//! Black is sure of on the way to this node. All values and both bounds are seen by White, so that nothing
//! is ever negated.

use super::{Observer, Searcher, Step, Stopped};
use crate::game::{Depth, Evaluator, Heuristics, Ply, Score, Window};

impl<G: Heuristics, E: Evaluator<G>, O: Observer<G>> Searcher<'_, G, E, O> {
    /// MAX-VALUE(s, alpha, beta): the largest MIN-VALUE (MAX-VALUE where the turn did not pass) of a
    /// child raises alpha; at beta Black has something better elsewhere, and the rest is cut off.
    ///
    /// Between the bounds the result is the value. A result of alpha or less is an upper bound of it, one of
    /// beta or more a lower bound; fail-hard it is alpha or beta itself.
    pub(super) fn max_value_within(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        self.enter(depth, ply)?;
        self.notify(Step::Bounds(window));
        if let Some(value) = self.leaf_for_white(depth, ply) {
            return Ok(self.clamp_if_fail_hard(value, window));
        }
        let mut best = -Score::INFINITE;
        let mut open = window;
        for mv in self.moves(depth, ply) {
            let value = self.search_child(mv, |search, passed| match passed {
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

    /// MIN-VALUE(s, alpha, beta): the smallest value of a child lowers beta; at alpha White has something
    /// better elsewhere. The result is to be read as [`Searcher::max_value_within`]'s.
    pub(super) fn min_value_within(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        self.enter(depth, ply)?;
        self.notify(Step::Bounds(window));
        if let Some(value) = self.leaf_for_white(depth, ply) {
            return Ok(self.clamp_if_fail_hard(value, window));
        }
        let mut best = Score::INFINITE;
        let mut open = window;
        for mv in self.moves(depth, ply) {
            let value = self.search_child(mv, |search, passed| match passed {
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
