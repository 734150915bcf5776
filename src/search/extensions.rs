//! Looking deeper at a move that is the only good one.

use super::control::Stopped;
use super::negamax::NonPv;
use super::params::*;
use super::pruning::NodeInfo;
use super::table::Entry;
use super::worker::Worker;
use crate::game::{Bound, Depth, Evaluator, Heuristics, Move, Score, Window};

/// What a search of all moves but the table's says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Singular {
    /// How many plies deeper than usual the table's move is to be searched.
    Extend(i32),
    /// Other moves hold beta too: the node fails high with this score (multi-cut).
    MultiCut(Score),
}

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// Singular extension: the table's move `mv` is searched deeper if all others are clearly worse
    /// (Anantharaman, Campbell and Hsu 1988; with the table's score,
    /// <https://www.chessprogramming.org/Singular_Extensions>).
    pub(super) fn singular(
        &mut self,
        mv: Move,
        entry: Option<Entry>,
        node: &NodeInfo,
        cut: bool,
    ) -> Result<Singular, Stopped> {
        let ordinary = Ok(Singular::Extend(0));
        let (depth, ply) = (node.depth, node.ply);
        let Some(entry) = entry.filter(|entry| entry.mv == Some(mv)) else { return ordinary };
        if depth.plies() < singular_depth()
            || entry.depth + singular_entry() < depth
            || entry.bound == Bound::Upper
            || entry.score.is_decisive()
            || ply.index() >= 2 * self.root_depth.plies() as usize
            || self.stack[ply.index()].excluded.is_some()
        {
            return ordinary;
        }
        let bar = entry.score - singular_margin() * depth.plies() / 10;
        self.stack[ply.index()].excluded = Some(mv);
        let others = self.negamax::<NonPv>(
            Window::null_window_at_beta(bar),
            Depth::new((depth.plies() - 1) / 2),
            ply,
            cut,
        );
        self.stack[ply.index()].excluded = None;
        let others = others?;
        if others < bar {
            let far = !node.pv && others < bar - singular_double();
            let twice = far && self.stack[ply.index()].double_extensions < singular_doubles_max();
            return Ok(Singular::Extend(if twice { 2 } else { 1 }));
        }
        if !node.pv && others >= node.window.beta && !others.is_decisive() {
            return Ok(Singular::MultiCut(others));
        }
        let another = entry.score >= node.window.beta || cut;
        Ok(Singular::Extend(if another { -singular_negative() } else { 0 }))
    }
}
