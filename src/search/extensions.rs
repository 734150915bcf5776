//! Singular extensions, multi-cut and negative extensions.

use super::control::Stopped;
use super::node::{NodeInfo, NonPv};
use super::params::*;
use super::tt::Entry;
use super::worker::Worker;
use crate::game::{Bound, Depth, Evaluator, Heuristics, Move, Ply, Score, Window};

/// The result of a singular search, which excludes the TT move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Singular {
    /// Extension of the TT move, in plies; negative to reduce it.
    Extend(i32),
    /// Multi-cut: another move fails high too, so the node returns this score.
    MultiCut(Score),
}

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// Whether moves at `ply` may be extended: up to twice the iteration's depth. Else checks are searched to the last ply.
    #[inline]
    pub(super) fn may_extend(&self, ply: Ply) -> bool {
        ply.index() < 2 * self.root_depth.plies() as usize
    }

    /// Singular extension: extends the TT move if all other moves fail low against a bound below its TT score (Anantharaman,
    /// Campbell and Hsu 1988; <https://www.chessprogramming.org/Singular_Extensions>). Extends twice if they fail low by a
    /// large margin. Reduces the TT move if the other moves hold that bound and the node is expected to fail high.
    pub(super) fn singular_extension(
        &mut self,
        tt_move: Move,
        tt_entry: Option<Entry>,
        node: &NodeInfo,
    ) -> Result<Singular, Stopped> {
        let no_extension = Ok(Singular::Extend(0));
        let (depth, ply) = (node.depth, node.ply);
        let Some(tt_entry) = tt_entry.filter(|entry| entry.mv == Some(tt_move)) else { return no_extension };
        if depth.plies() < params::<G>().singular_min_depth
            || tt_entry.depth + params::<G>().singular_entry < depth
            || tt_entry.bound == Bound::Upper
            || tt_entry.score.is_decisive()
            || !self.may_extend(ply)
            || self.stack[ply.index()].excluded.is_some()
        {
            return no_extension;
        }
        let singular_beta = tt_entry.score - params::<G>().singular_margin * depth.plies() / 10;
        self.stack[ply.index()].excluded = Some(tt_move);
        let score = self.negamax::<NonPv>(
            Window::null_window_at_beta(singular_beta),
            Depth::new((depth.plies() - 1) / 2),
            ply,
            node.cut_node,
        );
        self.stack[ply.index()].excluded = None;
        let score = score?;
        if score < singular_beta {
            let double_margin =
                if node.pv { params::<G>().singular_double_pv } else { params::<G>().singular_double };
            let is_double = score < singular_beta - double_margin
                && self.stack[ply.index()].double_extensions < params::<G>().singular_doubles_max;
            if is_double {
                self.counters.double_extensions += 1;
            } else {
                self.counters.singular_extensions += 1;
            }
            return Ok(Singular::Extend(if is_double { 2 } else { 1 }));
        }
        if !node.pv && score >= node.window.beta && !score.is_decisive() {
            self.counters.multi_cuts += 1;
            return Ok(Singular::MultiCut(score));
        }
        let expected_cut = tt_entry.score >= node.window.beta || node.cut_node;
        self.counters.negative_extensions += u64::from(expected_cut);
        Ok(Singular::Extend(if expected_cut { -params::<G>().singular_negative } else { 0 }))
    }
}
