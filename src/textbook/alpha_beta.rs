//! Alpha-beta as negamax: alpha is what the side to move has already, beta what the other side will
//! allow; a move worth at least beta ends the search of its node, because the other side will not let it
//! come to this (<https://www.chessprogramming.org/Alpha-Beta>). Values are seen by the side to move.

use super::{Searcher, Stopped};
use crate::game::{Depth, Evaluator, Hints, Ply, Score, Window};

impl<G: Hints, E: Evaluator<G>> Searcher<'_, G, E> {
    /// AB(s, alpha, beta) = max over moves a of -AB(RESULT(s, a), -beta, -alpha), cut off at beta; sign and
    /// window as they are where the same side moves again.
    ///
    /// Fail-hard: the result lies in [alpha, beta]. Between the bounds it is the value; alpha means "at
    /// most alpha", beta means "at least beta".
    pub(super) fn alpha_beta_hard(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        self.enter(ply)?;
        let Window { mut alpha, beta } = window;
        if let Some(value) = self.leaf(depth, ply) {
            return Ok(value.clamp(alpha, beta));
        }
        for mv in self.moves(depth, ply) {
            let window = Window::new(alpha, beta);
            let value = self.after(mv, |search, passed| match passed {
                true => search.alpha_beta_hard(-window, depth - 1, ply.next()).map(|value| -value),
                false => search.alpha_beta_hard(window, depth - 1, ply.next()),
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

    /// The same recurrence, but the best value found is returned, wherever it lies.
    ///
    /// Fail-soft: between the bounds the result is the value; a result of alpha or less is an upper bound
    /// of the value, one of beta or more a lower bound, each tighter than fail-hard's.
    pub(super) fn alpha_beta_soft(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        self.enter(ply)?;
        let Window { mut alpha, beta } = window;
        if let Some(value) = self.leaf(depth, ply) {
            return Ok(value);
        }
        let mut best = -Score::INFINITE;
        for mv in self.moves(depth, ply) {
            let window = Window::new(alpha, beta);
            let value = self.after(mv, |search, passed| match passed {
                true => search.alpha_beta_soft(-window, depth - 1, ply.next()).map(|value| -value),
                false => search.alpha_beta_soft(window, depth - 1, ply.next()),
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
}
