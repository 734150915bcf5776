//! Memoised search: negamax that stores the value of each position at each depth, so that transpositions are
//! searched once. Unlike alpha-beta it skips no other position and stores all of them.

use super::{Leaf, Observer, Searcher, Step, Stopped};
use crate::game::{Depth, Evaluator, Heuristics, Ply, Score};

impl<G: Heuristics, E: Evaluator<G>, O: Observer<G>> Searcher<'_, G, E, O> {
    /// Negamax with a lookup of (position, depth) before the moves.
    ///
    /// Mate distances need no correction: within one search equal remaining depths mean equal distances from the root. The
    /// value of a draw claim is not stored, because a repetition depends on the path. Values of nodes above it depend on the
    /// path too but are stored (graph history interaction, <https://www.chessprogramming.org/Graph_History_Interaction>). So in
    /// games with repetition claims the value can differ from minimax from depth 5 on.
    pub(super) fn memoised(&mut self, depth: Depth, ply: Ply) -> Result<Score, Stopped> {
        self.enter_node(depth, ply)?;
        if let Some(value) = self.claimed(ply) {
            self.counts.leaves += 1;
            self.notify(Step::Leaf(value, Leaf::DrawClaim));
            return Ok(value);
        }
        let key = self.game.key();
        if let Some(value) = self.values.get(key, depth) {
            self.notify(Step::Leaf(value, Leaf::Memoised));
            return Ok(value);
        }
        let mut best = self.leaf(depth, ply).unwrap_or(-Score::INFINITE);
        if best == -Score::INFINITE {
            for mv in self.moves(depth, ply) {
                let value = self.search_child(mv, |search, turn_passed| {
                    let value = search.memoised(depth - 1, ply.next())?;
                    Ok(if turn_passed { -value } else { value })
                })?;
                if value > best {
                    best = value;
                    self.set_best(mv, depth, ply);
                }
            }
        }
        self.values.insert(key, depth, best);
        Ok(best)
    }
}
