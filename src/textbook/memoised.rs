//! Memoised search: negamax that remembers the value of each position at each depth, so that a position
//! reached by several orders of moves is searched once. It looks at every position that alpha-beta might
//! have skipped and keeps them all: more memory, less time where orders of moves abound; alpha-beta keeps
//! nothing but the line it is on.

use super::{Leaf, Observer, Searcher, Step, Stopped};
use crate::game::{Depth, Evaluator, Heuristics, Ply, Score};

impl<G: Heuristics, E: Evaluator<G>, O: Observer<G>> Searcher<'_, G, E, O> {
    /// The recurrence of negamax; V(s, depth) is looked up before it is computed.
    ///
    /// Distances to a forced end need no correction: within one search equal depths to go are equal
    /// distances from the root. A value that a claim gave is not kept: a repetition belongs to the line
    /// that led to it. Values above such a node do depend on its line, and are kept (the graph history
    /// interaction problem, <https://www.chessprogramming.org/Graph_History_Interaction>): where
    /// repetitions can be claimed, the value may differ from minimax's from depth 5 on.
    pub(super) fn memoised(&mut self, depth: Depth, ply: Ply) -> Result<Score, Stopped> {
        self.enter(depth, ply)?;
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
                let value = self.search_child(mv, |search, passed| {
                    let value = search.memoised(depth - 1, ply.next())?;
                    Ok(if passed { -value } else { value })
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
