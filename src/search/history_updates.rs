//! What a node teaches the histories: which moves failed high, which did not, and how wrong the static evaluation was.

use super::history::Histories;
use super::node::{Best, NodeInfo};
use super::params::*;
use super::worker::Worker;
use crate::game::{Bound, Depth, Evaluator, Heuristics, Move, Ply};

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// Updates killers and histories after a fail high: a bonus for `best_move`, a malus for the noisy moves searched
    /// before it, and for the quiet ones if it is quiet.
    pub(super) fn update_histories(
        &mut self,
        best_move: Option<Move>,
        depth: Depth,
        ply: Ply,
        quiets_tried: &[Move],
        noisy_tried: &[Move],
    ) {
        let Some(best_move) = best_move else { return };
        let cont_rows = self.continuation_rows(ply);
        let malus = |index| Histories::malus::<G>(depth.plies(), index);
        // At low depth a fail high says little: most moves that lose no material cause one.
        let bonus = if depth.plies() < params::<G>().history_bonus_min_depth {
            0
        } else {
            Histories::bonus::<G>(depth.plies())
        };
        if self.game.is_noisy(best_move) {
            self.histories.update_capture(&self.game, best_move, bonus);
        } else {
            let killers = &mut self.stack[ply.index()].killers;
            if killers[0] != Some(best_move) {
                *killers = [Some(best_move), killers[0]];
            }
            self.histories.update_quiet::<G>(Histories::index(&self.game, best_move), &cont_rows, bonus);
            for (index, &mv) in quiets_tried.iter().enumerate() {
                let history_index = Histories::index(&self.game, mv);
                self.histories.update_quiet::<G>(history_index, &cont_rows, -malus(index));
            }
        }
        for (index, &mv) in noisy_tried.iter().enumerate() {
            self.histories.update_capture(&self.game, mv, -malus(index));
        }
    }

    /// Updates the butterfly history of the previous quiet move by the change of the static evaluation.
    pub(super) fn update_prior_quiet_by_eval(&mut self, eval_delta: i32, ply: Ply) {
        if let Some(played) = self.played(ply, 1).filter(|played| !played.noisy) {
            let gain = params::<G>().eval_history_offset - eval_delta;
            let bonus = (params::<G>().eval_history_scale * gain / 10)
                .clamp(-params::<G>().eval_history_max, params::<G>().eval_history_max);
            self.histories.update_butterfly(played.history_index, bonus);
        }
    }

    /// Gives the quiet TT move a history bonus when the TT score fails high.
    pub(super) fn bonus_for_tt_cutoff_move(&mut self, mv: Option<Move>, depth: Depth, ply: Ply) {
        if let Some(mv) = mv.filter(|&mv| !self.game.is_noisy(mv)) {
            let bonus = Histories::bonus::<G>(depth.plies()) * params::<G>().tt_history_bonus / 100;
            let cont_rows = self.continuation_rows(ply);
            self.histories.update_quiet::<G>(Histories::index(&self.game, mv), &cont_rows, bonus);
        }
    }

    /// This node failed low, so give the previous quiet move a history bonus.
    pub(super) fn bonus_for_prior_quiet(&mut self, depth: Depth, ply: Ply) {
        if let Some(played) = self.played(ply, 1).filter(|played| !played.noisy) {
            let bonus = Histories::bonus::<G>(depth.plies()) * params::<G>().prior_quiet_bonus / 100;
            let cont_rows = self.continuation_rows(Ply::new(ply.index() - 1));
            self.histories.update_quiet::<G>(played.history_index, &cont_rows, bonus);
        }
    }

    /// Learns score minus static eval, unless the best move is noisy or the bound is consistent with the static eval.
    pub(super) fn update_correction_history(&mut self, node: &NodeInfo, best: &Best, bound: Bound) {
        let Some(eval) = node.static_eval else { return };
        let bound_is_consistent = match bound {
            Bound::Lower => best.score <= eval,
            Bound::Upper => best.score >= eval,
            Bound::Exact => false,
        };
        if !bound_is_consistent
            && !best.score.is_decisive()
            && !best.mv.is_some_and(|mv| self.game.is_noisy(mv))
        {
            let previous_moves = *self.previous_moves(node.ply);
            self.histories.corrections.update(
                &self.game,
                &previous_moves,
                best.score - eval,
                node.depth.plies(),
            );
        }
    }
}
