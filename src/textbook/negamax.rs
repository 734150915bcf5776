//! Negamax: in a zero-sum game max(a, b) = -min(-a, -b), so one function serves both sides
//! (<https://www.chessprogramming.org/Negamax>). Values are relative to the side to move.

use super::{Observer, Searcher, Stopped};
use crate::game::{Depth, Evaluator, Heuristics, Ply, Score};

impl<G: Heuristics, E: Evaluator<G>, O: Observer<G>> Searcher<'_, G, E, O> {
    /// NEGAMAX(s) = max over moves a of -NEGAMAX(RESULT(s, a)); without the sign change if the same side moves again.
    pub(super) fn negamax(&mut self, depth: Depth, ply: Ply) -> Result<Score, Stopped> {
        self.enter_node(depth, ply)?;
        if let Some(value) = self.leaf(depth, ply) {
            return Ok(value);
        }
        let mut best = -Score::INFINITE;
        for mv in self.moves(depth, ply) {
            let value = self.search_child(mv, |search, turn_passed| {
                let value = search.negamax(depth - 1, ply.next())?;
                Ok(if turn_passed { -value } else { value })
            })?;
            if value > best {
                best = value;
                self.set_best(mv, depth, ply);
            }
        }
        Ok(best)
    }
}
