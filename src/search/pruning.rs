//! Forward pruning of nodes and moves. Used only in games with [`Heuristics::SELECTIVE`]. docs/strength.md
//! lists the nodes that each heuristic saves.

use super::control::Stopped;
use super::node::{NodeInfo, NonPv};
use super::params::*;
use super::picker::{MovePicker, PickedMove};
use super::tt::Entry;
use super::worker::Worker;
use crate::game::{Bound, Depth, Evaluator, Heuristics, Ply, Score, Window};

/// Reverse futility pruning (RFP, static null move): returns a score if the TT-adjusted evaluation is so far above
/// beta that the node is expected to fail high (<https://www.chessprogramming.org/Reverse_Futility_Pruning>).
/// The score is blended towards beta.
pub fn reverse_futility_pruning<G: Heuristics>(node: &NodeInfo) -> Option<Score> {
    let (eval, beta, depth) = (node.eval?, node.window.beta, node.depth.plies());
    let margin = params::<G>().rfp_margin * (depth - i32::from(node.improving)).max(0)
        - if node.opponent_worsening { params::<G>().rfp_opponent_worsening } else { 0 };
    let applies =
        depth <= params::<G>().rfp_max_depth && !node.tt_pv && !eval.is_decisive() && !beta.is_loss();
    // The margin can be negative, so `eval >= beta` is checked too.
    (applies && eval >= beta && eval - margin >= beta).then(|| eval.weighted_mean(1, beta))
}

/// Late move pruning (LMP): the number of moves after which this node skips quiet moves that give no check
/// (<https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning>). A PV node skips none: a reply to a threat may
/// come late, and what fails high for lack of replies is searched again as a PV node.
pub fn lmp_move_count<G: Heuristics>(node: &NodeInfo) -> usize {
    let depth = node.depth.plies();
    if depth > params::<G>().lmp_max_depth || node.pv {
        return usize::MAX;
    }
    let count = params::<G>().lmp_base + depth * depth;
    (if node.improving { count } else { count / 2 }) as usize
}

/// Futility pruning: whether a quiet move with this history score cannot raise the static evaluation to alpha in `lmr_depth` plies,
/// the depth after its late move reduction (<https://www.chessprogramming.org/Futility_Pruning>).
pub fn is_futile<G: Heuristics>(node: &NodeInfo, lmr_depth: i32, history: i32) -> bool {
    let by_history = history.checked_div(params::<G>().fp_history).unwrap_or(0);
    let margin = params::<G>().fp_base + params::<G>().fp_margin * lmr_depth.max(0) + by_history;
    lmr_depth <= params::<G>().fp_max_depth
        && node.static_eval.is_some_and(|eval| eval + margin <= node.window.alpha)
}

/// The same for a noisy move that gains `gain` centipawns.
pub fn is_futile_noisy<G: Heuristics>(node: &NodeInfo, lmr_depth: i32, gain: i32, history: i32) -> bool {
    let by_history = history / params::<G>().fp_noisy_history;
    let margin =
        params::<G>().fp_noisy_base + params::<G>().fp_noisy_margin * lmr_depth.max(0) + gain + by_history;
    !node.pv
        && lmr_depth.max(0) <= params::<G>().fp_noisy_max_depth
        && node.static_eval.is_some_and(|eval| eval + margin < node.window.alpha)
}

/// SEE pruning: the SEE threshold in centipawns that a move must reach at this depth; `None` if any move may
/// be searched (<https://www.chessprogramming.org/Static_Exchange_Evaluation>).
pub fn see_threshold<G: Heuristics>(depth: Depth, noisy: bool) -> Option<i32> {
    let depth = depth.plies();
    let max_depth = if noisy { params::<G>().see_noisy_max_depth } else { params::<G>().see_max_depth };
    (depth <= max_depth).then(|| {
        if noisy {
            -(params::<G>().see_noisy + params::<G>().see_noisy_square * depth) * depth
        } else {
            -params::<G>().see_quiet * depth
        }
    })
}

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// The score of a node that is pruned before its first move: RFP, razoring, null move pruning, ProbCut.
    pub(super) fn prune_node(
        &mut self,
        node: &NodeInfo,
        tt_entry: Option<Entry>,
    ) -> Result<Option<Score>, Stopped> {
        if let Some(score) = reverse_futility_pruning::<G>(node) {
            return Ok(Some(score));
        }
        if let Some(score) = self.razoring(node, tt_entry)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move_pruning(node)? {
            self.counters.null_move_cutoffs += 1;
            return Ok(Some(score));
        }
        self.probcut(node, tt_entry)
    }

    /// Razoring (<https://www.chessprogramming.org/Razoring>): far below alpha, the quiescence score unless it raises alpha.
    /// Not where the TT has a quiet move, which quiescence does not try, or a lower bound.
    fn razoring(&mut self, node: &NodeInfo, tt_entry: Option<Entry>) -> Result<Option<Score>, Stopped> {
        let Some(eval) = node.eval else { return Ok(None) };
        let depth = node.depth.plies();
        let prevents =
            |entry: Entry| entry.bound == Bound::Lower || entry.mv.is_some_and(|mv| !self.game.is_noisy(mv));
        if depth > params::<G>().razor_max_depth
            || eval + params::<G>().razor_margin * depth > node.window.alpha
            || params::<G>().razor_tt > 0 && tt_entry.is_some_and(prevents)
        {
            return Ok(None);
        }
        let score = self.quiescence::<NonPv>(Window::null_window_at_alpha(node.window.alpha), node.ply)?;
        Ok((score <= node.window.alpha && !score.is_decisive()).then_some(score))
    }

    /// Null move pruning (NMP, <https://www.chessprogramming.org/Null_Move_Pruning>): prunes where a fail high is expected, if a
    /// pass still fails high. At high depth a search verifies this whose first three quarters have no null moves, because of
    /// zugzwang.
    fn null_move_pruning(&mut self, node: &NodeInfo) -> Result<Option<Score>, Stopped> {
        let (beta, ply, depth) = (node.window.beta, node.ply, node.depth);
        let (Some(eval), Some(static_eval)) = (node.eval, node.static_eval) else { return Ok(None) };
        let margin = params::<G>().nmp_margin - params::<G>().nmp_margin_per_ply * depth.plies() / 10;
        let after_null_move = self.played(ply, 1).is_none();
        if depth.plies() < params::<G>().nmp_min_depth
            || params::<G>().nmp_cut_only > 0 && !node.cut_node
            || eval < beta
            || static_eval < beta + margin
            || params::<G>().nmp_tt > 0 && eval < static_eval
            || after_null_move
            || self.stack[ply.index() - 1].history > params::<G>().nmp_prior_history
            || beta.is_loss()
            || ply < self.nmp_min_ply
            || !self.game.can_null_move()
        {
            return Ok(None);
        }
        let eval_reduction = ((eval - beta) / params::<G>().nmp_eval_divisor).min(params::<G>().nmp_eval_max);
        let null_depth = depth
            - (params::<G>().nmp_base + depth.plies() / params::<G>().nmp_depth_divisor + eval_reduction);
        self.counters.null_move_tries += 1;
        self.record_move(None, ply);
        self.game.make_null_move();
        self.tt.prefetch(self.game.tt_key());
        let score = self
            .negamax::<NonPv>(-Window::null_window_at_beta(beta), null_depth, ply.next(), !node.cut_node)
            .map(|score| -score);
        self.game.unmake_null_move();
        let score = score?;
        if score < beta {
            return Ok(None);
        }
        // A mate found after a null move is not proved.
        let score = if score.is_decisive() { beta } else { score };
        if depth.plies() < params::<G>().nmp_verify_min_depth || self.nmp_min_ply > Ply::ROOT {
            return Ok(Some(score));
        }
        self.nmp_min_ply = Ply::new(ply.index() + 3 * null_depth.plies().max(0) as usize / 4 + 1);
        let verified_score = self.negamax::<NonPv>(Window::null_window_at_beta(beta), null_depth, ply, false);
        self.nmp_min_ply = Ply::ROOT;
        Ok((verified_score? >= beta).then_some(score))
    }

    /// ProbCut: if a noisy move exceeds beta by a margin at reduced depth, the node is pruned
    /// (Buro 1995; <https://www.chessprogramming.org/ProbCut>). Quiescence is tried first.
    fn probcut(&mut self, node: &NodeInfo, tt_entry: Option<Entry>) -> Result<Option<Score>, Stopped> {
        let (depth, ply) = (node.depth, node.ply);
        let Some(eval) = node.static_eval else { return Ok(None) };
        let probcut_beta = node.window.beta + params::<G>().probcut_margin;
        let shallow_depth = depth - params::<G>().probcut_reduction;
        let tt_refutes = |entry: Entry| entry.depth > shallow_depth && entry.score < probcut_beta;
        if depth.plies() < params::<G>().probcut_min_depth
            || node.window.beta.is_decisive()
            || probcut_beta.is_decisive()
            || tt_entry.is_some_and(tt_refutes)
        {
            return Ok(None);
        }
        let tt_move = tt_entry.and_then(|entry| entry.mv);
        let mut picker = MovePicker::noisy(&self.game, tt_move, probcut_beta - eval);
        let (stm, cont_rows) = (self.game.side_to_move(), self.continuation_rows(ply));
        while let Some(PickedMove { mv, .. }) = picker.next(&self.game, self.ordering_context(&cont_rows)) {
            self.play(mv, ply);
            let window = Window::null_window_at_beta(probcut_beta);
            let mut score = self
                .search_child(stm, window, |search, window| search.quiescence::<NonPv>(window, ply.next()));
            if score.is_ok_and(|score| score >= probcut_beta) {
                score = self.search_child(stm, window, |search, window| {
                    search.negamax::<NonPv>(window, shallow_depth, ply.next(), !node.cut_node)
                });
            }
            self.undo(mv);
            let score = score?;
            if score >= probcut_beta {
                let (key, raw_eval) = (self.game.tt_key(), self.stack[ply.index()].raw_eval);
                let bound = Entry::new(score, Bound::Lower, shallow_depth + 1);
                self.store_tt(key, ply, Entry { mv: Some(mv), raw_eval, pv: node.tt_pv, ..bound });
                return Ok((!score.is_decisive()).then(|| score - params::<G>().probcut_margin));
            }
        }
        Ok(None)
    }

    /// Whether to skip a move: futility pruning, history pruning, SEE pruning. Called while the best score is not a loss.
    pub(super) fn prune_move(
        &self,
        node: &NodeInfo,
        picked: PickedMove,
        gives_check: bool,
        reduction: i32,
    ) -> MovePruning {
        let PickedMove { mv, noisy, history, is_safe, .. } = picked;
        let lmr_depth = node.depth.plies() - reduction;
        if !noisy && !gives_check {
            if is_futile::<G>(node, lmr_depth, history) {
                return match params::<G>().fp_history {
                    0 => MovePruning::SkipNonCheckingQuiets,
                    _ => MovePruning::SkipByFutility,
                };
            }
            if lmr_depth <= params::<G>().history_pruning_max_depth
                && history < params::<G>().history_pruning_margin * node.depth.plies()
            {
                return MovePruning::SkipByHistory;
            }
        }
        if noisy
            && !gives_check
            && is_futile_noisy::<G>(node, lmr_depth, self.game.captured_value(mv), history)
        {
            return MovePruning::SkipByFutility;
        }
        match see_threshold::<G>(node.depth, noisy || gives_check) {
            Some(threshold) if !is_safe && !self.game.see_ge(mv, threshold) => MovePruning::SkipBySee,
            _ => MovePruning::Search,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovePruning {
    Search,
    SkipByHistory,
    SkipByFutility,
    SkipBySee,
    /// Skip this move and all later quiet moves that do not give check.
    SkipNonCheckingQuiets,
}
