//! Alpha-beta as negamax (<https://www.chessprogramming.org/Alpha-Beta>). Values are relative to the side to move.
//!
//! Alpha is the score that the side to move has secured elsewhere, beta the negated score that the opponent has secured. A move
//! with a value of at least beta ends the search of its node: the opponent avoids this node.

use super::{Observer, Searcher, Step, Stopped};
use crate::game::{Depth, Evaluator, Heuristics, Ply, Score, Window};

impl<G: Heuristics, E: Evaluator<G>, O: Observer<G>> Searcher<'_, G, E, O> {
    /// AB(s, alpha, beta) = max over moves a of -AB(RESULT(s, a), -beta, -alpha), with a cutoff at beta. If
    /// the same side moves again, sign and window stay as they are.
    ///
    /// A result between the bounds is exact. A result up to alpha is an upper bound, and a result from beta
    /// on is a lower bound ([`Window::bound_of`]). Fail-hard clamps the result to the window.
    pub(super) fn alpha_beta(&mut self, window: Window, depth: Depth, ply: Ply) -> Result<Score, Stopped> {
        self.enter_node(depth, ply)?;
        self.notify(Step::Bounds(window));
        if let Some(value) = self.leaf(depth, ply) {
            return Ok(self.clamp_if_fail_hard(value, window));
        }
        let mut best = -Score::INFINITE;
        let mut open = window;
        for mv in self.moves(depth, ply) {
            let value = self.search_child(mv, |search, turn_passed| match turn_passed {
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
