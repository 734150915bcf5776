//! The selective search: principal variation search (PVS) in negamax form, fail-soft alpha-beta with pruning, reductions and
//! extensions. Games that are small enough to be solved have a search of their own, `exact.rs`. docs/strength.md lists the
//! nodes that each heuristic saves and the Elo of changes.

use super::control::Stopped;
use super::counters::Counters;
use super::extensions::Singular;
use super::history::Histories;
use super::node::{Best, MoveSearch, Node, NodeInfo, NonPv, Pv};
use super::params::*;
use super::picker::PickedMove;
use super::pruning::{MovePruning, lmp_move_count};
use super::reductions::{LmrContext, early_move_reduction, lmr_reduction};
use super::tablebase::UNBOUNDED;
use super::tt::Entry;
use super::worker::Worker;
use crate::game::{Depth, Evaluator, Heuristics, MoveList, Ply, Score, Window};
use std::ops::ControlFlow;

/// The moves of a node that were searched before its best one.
#[derive(Default)]
struct Tried {
    quiets: MoveList,
    noisy: MoveList,
}

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// The score for the side to move: exact inside `window` as far as no heuristic errs, else a bound (fail-soft).
    /// score(s) = max over moves m of -score(s after m); the sign stays where the same side moves again.
    /// `cut_node`: the node is expected to fail high.
    pub(super) fn negamax<N: Node>(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
        cut_node: bool,
    ) -> Result<Score, Stopped> {
        debug_assert!(window.alpha < window.beta && (N::PV || window.is_null()));
        let excluded = self.stack[ply.index()].excluded;
        // Check extension: a position in check is searched deeper (<https://www.chessprogramming.org/Check_Extensions>).
        let extends = self.game.extends() && !N::ROOT && excluded.is_none() && self.may_extend(ply);
        let depth = if extends { depth + params::<G>().check_extension } else { depth };
        self.counters.check_extensions += u64::from(extends);
        if depth <= Depth::ZERO {
            return self.quiescence::<N>(window, ply);
        }
        self.visit_node(ply)?;
        let mut window = window;
        if !N::ROOT {
            match self.known_score::<N>(window, ply) {
                ControlFlow::Break(score) => return Ok(score),
                ControlFlow::Continue(narrowed) => window = narrowed,
            }
        }
        let tt_entry = self.probe_tt(self.game.tt_key(), ply);
        self.count_tt_probe(tt_entry);
        if !N::PV
            && excluded.is_none()
            && let Some(score) = self.tt_cutoff(tt_entry, depth, window)
        {
            self.count_tt_cutoff(tt_entry);
            if score >= window.beta {
                self.bonus_for_tt_cutoff_move(tt_entry.and_then(|entry| entry.mv), depth, ply);
            }
            return Ok(score);
        }
        let (tb_min, tb_max) = if excluded.is_some() {
            UNBOUNDED
        } else {
            match self.probe_tablebase::<N>(window, depth, ply) {
                ControlFlow::Break(score) => return Ok(score),
                ControlFlow::Continue(bounds) => bounds,
            }
        };
        window.alpha = window.alpha.max(tb_min);
        let mut node = self.node_info::<N>(window, depth, ply, cut_node, tt_entry);
        if !N::PV
            && excluded.is_none()
            && let Some(score) = self.prune_node(&node, tt_entry)?
        {
            return Ok(score);
        }
        node.improving |=
            params::<G>().improving_at_beta > 0 && node.static_eval.is_some_and(|eval| eval >= window.beta);
        // IIR (<https://www.chessprogramming.org/Internal_Iterative_Reductions>): without a TT move the order is poor, and the
        // next iteration will have one. Nodes expected to fail low rarely get one, and would lose a ply at every visit.
        if (N::PV || cut_node)
            && node.depth.plies() >= params::<G>().iir_min_depth
            && !N::ROOT
            && tt_entry.is_none_or(|entry| entry.mv.is_none())
            && excluded.is_none()
        {
            node.depth = node.depth - 1;
        }
        let (mut best, mut tried) = (Best { score: tb_min, mv: None }, Tried::default());
        match self.search_moves::<N>(&mut node, tt_entry, &mut best, &mut tried)? {
            ControlFlow::Break(score) => return Ok(score),
            ControlFlow::Continue(0) if excluded.is_some() => return Ok(window.alpha),
            ControlFlow::Continue(0) => return Ok(self.no_legal_moves_score(ply)),
            ControlFlow::Continue(_) => {}
        }
        best.score = best.score.min(tb_max);
        if best.score >= window.beta {
            if !N::ROOT {
                best.score = best.score.weighted_mean(node.depth.plies(), window.beta);
            }
            self.stack[ply.index()].cutoff_count += 1;
            let is_unexpected = node.static_eval.is_some_and(|eval| eval <= best.score);
            let history_depth = node.depth + if is_unexpected { params::<G>().history_unexpected } else { 0 };
            self.update_histories(best.mv, history_depth, ply, &tried.quiets, &tried.noisy);
        } else if best.mv.is_none() {
            self.bonus_for_prior_quiet(node.depth, ply);
        }
        // The score of a subset of the moves is not the score of the position.
        if excluded.is_none() && !(N::ROOT && self.searches_some_root_moves()) {
            let bound = best.bound::<N>(window);
            self.update_correction_history(&node, &best, bound);
            let raw_eval = self.stack[ply.index()].raw_eval;
            let entry =
                Entry { mv: best.mv, raw_eval, pv: node.tt_pv, ..Entry::new(best.score, bound, node.depth) };
            self.store_tt(self.game.tt_key(), ply, entry);
        }
        Ok(best.score)
    }

    /// The facts that pruning and reductions rest on. Records the static evaluation on the stack and adjusts the depth by it.
    #[inline]
    fn node_info<N: Node>(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
        cut_node: bool,
        tt_entry: Option<Entry>,
    ) -> NodeInfo {
        let double_extensions = if N::ROOT { 0 } else { self.stack[ply.index() - 1].double_extensions };
        self.stack[ply.index()].double_extensions = double_extensions;
        let is_singular_search = self.stack[ply.index()].excluded.is_some();
        if !is_singular_search {
            let static_eval = self.game.is_eval_reliable().then(|| self.static_eval(tt_entry, ply));
            let entry = &mut self.stack[ply.index()];
            (entry.raw_eval, entry.static_eval) = static_eval.unzip();
        }
        let eval_delta = self.eval_delta(ply);
        let mut depth = depth;
        if let (Some(eval_delta), false) = (eval_delta, is_singular_search) {
            self.update_prior_quiet_by_eval(eval_delta, ply);
            depth = depth + self.hindsight_adjustment(eval_delta, depth, ply);
        }
        let static_eval = self.stack[ply.index()].static_eval;
        NodeInfo {
            depth,
            ply,
            window,
            pv: N::PV,
            tt_pv: N::PV || tt_entry.is_some_and(|entry| entry.pv),
            cut_node,
            static_eval,
            eval: static_eval.map(|eval| tt_entry.map_or(eval, |entry| entry.tt_adjusted_eval(eval))),
            improving: self.is_improving(ply),
            opponent_worsening: eval_delta.is_some_and(|eval_delta| eval_delta > 0),
        }
    }

    /// Searches the moves until one fails high. `Continue` has their number, `Break` the score of a node that multi-cut ends.
    #[inline]
    fn search_moves<N: Node>(
        &mut self,
        node: &mut NodeInfo,
        tt_entry: Option<Entry>,
        best: &mut Best,
        tried: &mut Tried,
    ) -> Result<ControlFlow<Score, usize>, Stopped> {
        let (ply, depth) = (node.ply, node.depth);
        let double_extensions = self.stack[ply.index()].double_extensions;
        if let Some(grandchild) = self.stack.get_mut(ply.index() + 2) {
            (grandchild.killers, grandchild.cutoff_count) = ([None; 2], 0);
        }
        let entry_move = tt_entry.and_then(|entry| entry.mv);
        let tt_move_is_noisy = entry_move.is_some_and(|mv| self.game.is_noisy(mv));
        let tt_move = if N::ROOT { Some(self.root_moves[self.pv_index].mv) } else { entry_move };
        let (stm, cont_rows) = (self.game.side_to_move(), self.continuation_rows(ply));
        let excluded = self.stack[ply.index()].excluded;
        let killers = self.killers(ply);
        let mut picker = self.moves_in_order::<N>(self.forced_move::<N>(), tt_move, killers);
        let (mut move_count, mut has_late_moves) = (0, false);
        while let Some(picked) = picker.next(&self.game, self.ordering_context(&cont_rows)) {
            let PickedMove { mv, noisy, history, gives_check, .. } = picked;
            if N::ROOT && !self.is_searched_root_move(mv) || excluded == Some(mv) {
                continue;
            }
            move_count += 1;
            let (mut reduction, mut early_reduction) = (0, 0);
            let is_late = move_count >= params::<G>().lmr_moves as usize;
            let reduces =
                depth.plies() >= params::<G>().lmr_min_depth && (is_late || !N::PV && Some(mv) != tt_move);
            // Nothing depends on it for the TT move, and for a noisy move at depth 1 only futility pruning, which does without.
            let gives_check = gives_check
                .unwrap_or_else(|| (reduces || !noisy) && Some(mv) != tt_move && self.game.gives_check(mv));
            if reduces {
                let context = LmrContext {
                    tt_move_is_noisy,
                    child_cutoff_count: self.stack[ply.index() + 1].cutoff_count,
                    is_noisy: noisy,
                    is_killer: killers.contains(&Some(mv)),
                    gives_check,
                    history,
                };
                let plies = lmr_reduction::<G>(node, move_count, context);
                if is_late {
                    reduction = plies
                } else {
                    early_reduction = early_move_reduction::<G>(plies, depth)
                }
            }
            if !N::ROOT && !best.score.is_loss() && move_count > 1 {
                if move_count > lmp_move_count::<G>(node) {
                    self.counters.late_move_skips += u64::from(!has_late_moves);
                    has_late_moves = true;
                    if params::<G>().lmp_keeps_checks > 0 {
                        picker.skip_non_checking_quiets(&self.game);
                    } else {
                        picker.skip_quiets();
                    }
                }
                match self.prune_move(node, picked, gives_check, reduction) {
                    MovePruning::Search => {}
                    MovePruning::SkipByHistory => {
                        self.counters.history_skips += 1;
                        continue;
                    }
                    MovePruning::SkipByFutility => {
                        self.counters.futility_skips += 1;
                        continue;
                    }
                    MovePruning::SkipBySee => {
                        self.counters.see_skips += 1;
                        continue;
                    }
                    MovePruning::SkipNonCheckingQuiets => {
                        self.counters.futility_skips += 1;
                        picker.skip_non_checking_quiets(&self.game);
                        continue;
                    }
                }
            }
            let mut extension = 0;
            if !N::ROOT && Some(mv) == tt_move {
                match self.singular_extension(mv, tt_entry, node)? {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return Ok(ControlFlow::Break(score)),
                }
            }
            if N::ROOT {
                self.report_currmove(mv, move_count);
            }
            self.stack[ply.index()].double_extensions = double_extensions + i32::from(extension > 1);
            self.stack[ply.index()].history = if noisy { 0 } else { history };
            let nodes_before = self.nodes;
            let move_search = MoveSearch {
                stm,
                window: node.window,
                depth: depth + extension - early_reduction - 1,
                reduction,
                move_count,
                cut_node: node.cut_node,
            };
            self.play(mv, ply);
            let score = self.search_move::<N>(move_search, best.score, ply);
            self.undo(mv);
            let score = score?;
            if N::ROOT {
                self.update_root_move(mv, score, node.window, move_count, nodes_before);
            }
            if score > best.score {
                best.score = score;
                if score > node.window.alpha {
                    best.mv = Some(mv);
                    if N::PV {
                        self.update_pv(mv, ply);
                    }
                    if score >= node.window.beta {
                        self.count_cutoff(move_count);
                        break;
                    }
                    node.window.alpha = score;
                }
            }
            if noisy { tried.noisy.push(mv) } else { tried.quiets.push(mv) }
        }
        Ok(ControlFlow::Continue(move_count))
    }

    /// The score of the move just played at `ply` (LMR, PVS: <https://www.chessprogramming.org/Principal_Variation_Search>).
    /// Moves after the first get a null-window search at reduced depth, repeated if they fail high.
    fn search_move<N: Node>(
        &mut self,
        move_search: MoveSearch,
        best_score: Score,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        let MoveSearch { stm, window, mut depth, reduction, move_count, cut_node } = move_search;
        let (null_window, next_ply) = (Window::null_window_at_alpha(window.alpha), ply.next());
        if move_count == 1 {
            return if N::PV {
                self.search_child(stm, window, |search, window| {
                    search.negamax::<Pv>(window, depth, next_ply, false)
                })
            } else {
                self.search_child(stm, null_window, |search, window| {
                    search.negamax::<NonPv>(window, depth, next_ply, !cut_node)
                })
            };
        }
        let reduced_depth = (depth - reduction).max(Depth::ONE.min(depth));
        let is_reduced = reduced_depth < depth;
        let child_cut_node = is_reduced || !cut_node;
        self.stack[ply.index()].reduction = depth.plies() - reduced_depth.plies();
        let searched = self.search_child(stm, null_window, |search, window| {
            search.negamax::<NonPv>(window, reduced_depth, next_ply, child_cut_node)
        });
        self.stack[ply.index()].reduction = 0;
        let mut score = searched?;
        let depth_index = Counters::depth_index(depth.plies() + 1);
        self.counters.lmr_searches[depth_index] += u64::from(is_reduced);
        if is_reduced && score > window.alpha {
            self.counters.lmr_researches[depth_index] += 1;
            // LMR re-search one ply deeper or shallower, depending on how far the score is above the best score.
            depth += i32::from(score > best_score + params::<G>().deeper_margin + 2 * depth.plies());
            depth += -i32::from(score < best_score + depth.plies());
            if reduced_depth < depth {
                score = self.search_child(stm, null_window, |search, window| {
                    search.negamax::<NonPv>(window, depth, next_ply, !cut_node)
                })?;
            }
            if let Some(played) = self.stack[ply.index()].played.filter(|played| !played.noisy) {
                let bonus = Histories::bonus::<G>(depth.plies());
                let bonus = if score > window.alpha { bonus } else { -bonus };
                let cont_rows = self.continuation_rows(ply);
                self.histories.update_continuation::<G>(played.history_index, &cont_rows, bonus);
            }
        }
        if N::PV && score > window.alpha {
            score = self.search_child(stm, window, |search, window| {
                search.negamax::<Pv>(window, depth, next_ply, false)
            })?;
        }
        Ok(score)
    }

    /// Whether the static eval exceeds that 2 plies ago, or 4 if 2 was in check; `true` if neither is known, `false` in check.
    fn is_improving(&self, ply: Ply) -> bool {
        let eval = |back: usize| self.stack[ply.index().checked_sub(back)?].static_eval;
        match (eval(0), eval(2).or_else(|| eval(4))) {
            (Some(current), Some(previous)) => current > previous,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// Static eval plus the parent's, in centipawns. Positive: the opponent's move lost ground. `None` if either is in check.
    fn eval_delta(&self, ply: Ply) -> Option<i32> {
        let parent_eval = self.stack[ply.index().checked_sub(1)?].static_eval?;
        Some(self.stack[ply.index()].static_eval?.value() + parent_eval.value())
    }

    /// Hindsight adjustment in plies: corrects the parent's LMR reduction once the static eval is known.
    fn hindsight_adjustment(&self, eval_delta: i32, depth: Depth, ply: Ply) -> i32 {
        let reduction = self.stack[ply.index() - 1].reduction;
        if reduction >= params::<G>().hindsight_deeper && eval_delta <= 0 {
            1
        } else if reduction >= params::<G>().hindsight_shallower
            && depth > Depth::ONE
            && eval_delta > params::<G>().hindsight_margin
        {
            -1
        } else {
            0
        }
    }
}
