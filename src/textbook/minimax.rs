//! Minimax: MAX (White) chooses the child with the largest value, MIN (Black) the one with the smallest
//! (<https://www.chessprogramming.org/Minimax>). All values are relative to White.

use super::{Observer, Searcher, Stopped};
use crate::game::{Depth, Evaluator, Heuristics, Ply, Score, Side};

/// The type of a node: the player to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeType {
    /// White, who maximises the value.
    Max,
    /// Black, who minimises the value.
    Min,
}

impl From<Side> for NodeType {
    fn from(side: Side) -> NodeType {
        match side {
            Side::White => NodeType::Max,
            Side::Black => NodeType::Min,
        }
    }
}

impl<G: Heuristics, E: Evaluator<G>, O: Observer<G>> Searcher<'_, G, E, O> {
    /// MAX(s) = max over moves a of MIN(RESULT(s, a)), or of MAX(RESULT(s, a)) if the turn did not pass.
    pub(super) fn max_value(&mut self, depth: Depth, ply: Ply) -> Result<Score, Stopped> {
        self.enter_node(depth, ply)?;
        if let Some(value) = self.leaf_for_white(depth, ply) {
            return Ok(value);
        }
        let mut best = -Score::INFINITE;
        for mv in self.moves(depth, ply) {
            let value = self.search_child(mv, |search, turn_passed| match turn_passed {
                true => search.min_value(depth - 1, ply.next()),
                false => search.max_value(depth - 1, ply.next()),
            })?;
            if value > best {
                best = value;
                self.set_best(mv, depth, ply);
            }
        }
        Ok(best)
    }

    /// MIN(s) = min over moves a of MAX(RESULT(s, a)), or of MIN(RESULT(s, a)) if the turn did not pass.
    pub(super) fn min_value(&mut self, depth: Depth, ply: Ply) -> Result<Score, Stopped> {
        self.enter_node(depth, ply)?;
        if let Some(value) = self.leaf_for_white(depth, ply) {
            return Ok(value);
        }
        let mut best = Score::INFINITE;
        for mv in self.moves(depth, ply) {
            let value = self.search_child(mv, |search, turn_passed| match turn_passed {
                true => search.max_value(depth - 1, ply.next()),
                false => search.min_value(depth - 1, ply.next()),
            })?;
            if value < best {
                best = value;
                self.set_best(mv, depth, ply);
            }
        }
        Ok(best)
    }

    /// MINIMAX(s) = max over moves a of MINIMAX(RESULT(s, a)) at a MAX node, and the min at a MIN node.
    pub(super) fn minimax(&mut self, node: NodeType, depth: Depth, ply: Ply) -> Result<Score, Stopped> {
        self.enter_node(depth, ply)?;
        if let Some(value) = self.leaf_for_white(depth, ply) {
            return Ok(value);
        }
        let mut best = match node {
            NodeType::Max => -Score::INFINITE,
            NodeType::Min => Score::INFINITE,
        };
        for mv in self.moves(depth, ply) {
            let value = self.search_child(mv, |search, _| {
                let child = search.game.side_to_move().into();
                search.minimax(child, depth - 1, ply.next())
            })?;
            let better = match node {
                NodeType::Max => value > best,
                NodeType::Min => value < best,
            };
            if better {
                best = value;
                self.set_best(mv, depth, ply);
            }
        }
        Ok(best)
    }
}
