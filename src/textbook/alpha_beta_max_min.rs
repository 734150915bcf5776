//! Alpha-beta as two functions, MAX-VALUE and MIN-VALUE: alpha is the most that White, beta the least that
//! Black is sure of on the way to this node. All values and both bounds are seen by White, so that nothing
//! is ever negated.

use super::{Searcher, Stopped};
use crate::game::{Depth, Evaluator, Hints, Ply, Score, Window};

impl<G: Hints, E: Evaluator<G>> Searcher<'_, G, E> {
    /// MAX-VALUE(s, alpha, beta): the largest MIN-VALUE (MAX-VALUE where the turn did not pass) of a
    /// child raises alpha; at beta Black has something better elsewhere, and the rest is cut off.
    ///
    /// Fail-hard: the result lies in [alpha, beta]; at a bound it says no more than "at most alpha" or
    /// "at least beta".
    pub(super) fn max_value_hard(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        self.enter(ply)?;
        let Window { mut alpha, beta } = window;
        if let Some(value) = self.leaf_for_white(depth, ply) {
            return Ok(value.clamp(alpha, beta));
        }
        for mv in self.moves(depth, ply) {
            let window = Window::new(alpha, beta);
            let value = self.after(mv, |search, passed| match passed {
                true => search.min_value_hard(window, depth - 1, ply.next()),
                false => search.max_value_hard(window, depth - 1, ply.next()),
            })?;
            if value > alpha {
                self.prefer(mv, depth, ply);
                if value >= beta {
                    self.counts.cutoffs += 1;
                    return Ok(beta);
                }
                alpha = value;
            }
        }
        Ok(alpha)
    }

    /// MIN-VALUE(s, alpha, beta): the smallest value of a child lowers beta; at alpha White has something
    /// better elsewhere. Fail-hard, as [`Searcher::max_value_hard`].
    pub(super) fn min_value_hard(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        self.enter(ply)?;
        let Window { alpha, mut beta } = window;
        if let Some(value) = self.leaf_for_white(depth, ply) {
            return Ok(value.clamp(alpha, beta));
        }
        for mv in self.moves(depth, ply) {
            let window = Window::new(alpha, beta);
            let value = self.after(mv, |search, passed| match passed {
                true => search.max_value_hard(window, depth - 1, ply.next()),
                false => search.min_value_hard(window, depth - 1, ply.next()),
            })?;
            if value < beta {
                self.prefer(mv, depth, ply);
                if value <= alpha {
                    self.counts.cutoffs += 1;
                    return Ok(alpha);
                }
                beta = value;
            }
        }
        Ok(beta)
    }

    /// MAX-VALUE(s, alpha, beta) that returns the best value found.
    ///
    /// Fail-soft: a result of alpha or less is an upper bound of the value, one of beta or more a lower
    /// bound.
    pub(super) fn max_value_soft(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        self.enter(ply)?;
        let Window { mut alpha, beta } = window;
        if let Some(value) = self.leaf_for_white(depth, ply) {
            return Ok(value);
        }
        let mut best = -Score::INFINITE;
        for mv in self.moves(depth, ply) {
            let window = Window::new(alpha, beta);
            let value = self.after(mv, |search, passed| match passed {
                true => search.min_value_soft(window, depth - 1, ply.next()),
                false => search.max_value_soft(window, depth - 1, ply.next()),
            })?;
            if value > best {
                best = value;
                self.prefer(mv, depth, ply);
                if best >= beta {
                    self.counts.cutoffs += 1;
                    break;
                }
                alpha = alpha.max(best);
            }
        }
        Ok(best)
    }

    /// MIN-VALUE(s, alpha, beta) that returns the best value found. Fail-soft, as
    /// [`Searcher::max_value_soft`].
    pub(super) fn min_value_soft(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        self.enter(ply)?;
        let Window { alpha, mut beta } = window;
        if let Some(value) = self.leaf_for_white(depth, ply) {
            return Ok(value);
        }
        let mut best = Score::INFINITE;
        for mv in self.moves(depth, ply) {
            let window = Window::new(alpha, beta);
            let value = self.after(mv, |search, passed| match passed {
                true => search.max_value_soft(window, depth - 1, ply.next()),
                false => search.min_value_soft(window, depth - 1, ply.next()),
            })?;
            if value < best {
                best = value;
                self.prefer(mv, depth, ply);
                if best <= alpha {
                    self.counts.cutoffs += 1;
                    break;
                }
                beta = beta.min(best);
            }
        }
        Ok(best)
    }
}
