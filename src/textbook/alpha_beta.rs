//! Alpha-beta as negamax: alpha is what the side to move has already, beta what the other side will
//! allow; a move worth at least beta ends the search of its node, because the other side will not let it
//! come to this (<https://www.chessprogramming.org/Alpha-Beta>). Values are seen by the side to move.

use super::{Observer, Searcher, Step, Stopped};
use crate::game::{Depth, Evaluator, Heuristics, Ply, Score, Window};

impl<G: Heuristics, E: Evaluator<G>, O: Observer<G>> Searcher<'_, G, E, O> {
    /// AB(s, alpha, beta) = max over moves a of -AB(RESULT(s, a), -beta, -alpha), cut off at beta; sign and
    /// window as they are where the same side moves again.
    ///
    /// Between the bounds the result is the value. A result of alpha or less is an upper bound of it, one of
    /// beta or more a lower bound; fail-hard it is alpha or beta itself.
    pub(super) fn alpha_beta(&mut self, window: Window, depth: Depth, ply: Ply) -> Result<Score, Stopped> {
        self.enter(depth, ply)?;
        self.notify(Step::Bounds(window));
        if let Some(value) = self.leaf(depth, ply) {
            return Ok(self.clamp_if_fail_hard(value, window));
        }
        let mut best = -Score::INFINITE;
        let mut open = window;
        for mv in self.moves(depth, ply) {
            let value = self.search_child(mv, |search, passed| match passed {
                true => search.alpha_beta(-open, depth - 1, ply.next()).map(|value| -value),
                false => search.alpha_beta(open, depth - 1, ply.next()),
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
}
