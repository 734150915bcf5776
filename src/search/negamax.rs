//! Principal variation search (PVS) in negamax form, fail-soft alpha-beta. docs/strength.md lists the nodes
//! that each heuristic saves and the Elo of changes.

use super::control::Stopped;
use super::extensions::Singular;
use super::history::Histories;
use super::node::{Best, MoveSearch, Node, NodeInfo, NonPv, Pv};
use super::params::*;
use super::picker::{MovePicker, OrderingContext, PickedMove};
use super::pruning::{MovePruning, lmp_move_count};
use super::reductions::{LmrContext, lmr_reduction};
use super::tablebase::UNBOUNDED;
use super::tt::Entry;
use super::worker::Worker;
use crate::game::{Bound, Depth, Evaluator, Heuristics, Move, MoveList, Ply, Score, Window};
use std::ops::ControlFlow;

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// The score of the position for the side to move: exact inside `window`, else a bound (fail-soft).
    ///
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
        // Check extension: a position in check is searched deeper
        // (<https://www.chessprogramming.org/Check_Extensions>).
        let extends =
            G::SELECTIVE && self.game.extends() && !N::ROOT && excluded.is_none() && self.may_extend(ply);
        let mut depth = if extends { depth + check_extension::<G>() } else { depth };
        if depth <= Depth::ZERO {
            return self.quiescence::<N>(window, ply);
        }
        let nodes_before_node = self.nodes;
        self.visit_node(ply)?;
        let mut window = window;
        if !N::ROOT {
            if let Some(score) =
                self.terminal_score(ply).or_else(|| self.upcoming_repetition_cutoff(window, ply))
            {
                return Ok(score);
            }
            if ply >= Ply::MAX {
                self.used_static_eval = true;
                return Ok(self.evaluator.evaluate(&self.game));
            }
            // Mate distance pruning: a shorter mate is already known
            // (<https://www.chessprogramming.org/Mate_Distance_Pruning>). The game's own score bounds prune
            // the same way.
            let (lower, upper) = self.game.value_bounds(ply);
            let (lower, upper) = (lower.max(Score::mated_in(ply)), upper.min(Score::mate_in(ply.next())));
            match window.narrowed(lower, upper) {
                Some(narrowed) => window = narrowed,
                // A mate that the game proves has no PV.
                None if N::PV && (lower.is_win() || upper.is_loss()) => {}
                None => return Ok(window.alpha.max(lower).min(upper)),
            }
        }
        let tt_entry = self.probe_tt(ply);
        if let Some(score) = self.tt_cutoff(tt_entry.filter(|_| !N::PV && excluded.is_none()), depth, window)
        {
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
        // In an exact search a bound by a table is not the value.
        let is_bounded = !G::SELECTIVE && (tb_min, tb_max) != UNBOUNDED;
        let outer_used_static_eval = std::mem::replace(&mut self.used_static_eval, is_bounded);
        let double_extensions = if N::ROOT { 0 } else { self.stack[ply.index() - 1].double_extensions };
        self.stack[ply.index()].double_extensions = double_extensions;
        let tt_move = if N::ROOT {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            tt_entry.and_then(|entry| entry.mv)
        };
        let tt_move_is_noisy = tt_entry.and_then(|entry| entry.mv).is_some_and(|mv| self.game.is_noisy(mv));
        let cont_rows = self.continuation_rows(ply);
        if excluded.is_none() {
            let static_eval =
                if self.game.is_eval_reliable() { self.static_eval(tt_entry, ply) } else { None };
            let (raw_eval, eval) = static_eval.unzip();
            let stack_entry = &mut self.stack[ply.index()];
            (stack_entry.raw_eval, stack_entry.static_eval) = (raw_eval, eval);
        }
        let eval_delta = if N::ROOT { None } else { self.eval_delta(ply) };
        if let (Some(eval_delta), None) = (eval_delta, excluded) {
            self.update_prior_quiet_by_eval(eval_delta, ply);
            depth = depth + self.hindsight_adjustment(eval_delta, depth, ply);
        }
        let static_eval = self.stack[ply.index()].static_eval;
        let mut node = NodeInfo {
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
        };
        if G::SELECTIVE
            && !N::PV
            && excluded.is_none()
            && let Some(score) = self.prune_node(&node, tt_entry)?
        {
            return Ok(score);
        }
        // Internal iterative reduction (IIR): without a TT move the order is poor, and the next iteration
        // will have one (<https://www.chessprogramming.org/Internal_Iterative_Reductions>). Nodes that are
        // expected to fail low rarely get a TT move, and would lose a ply at every visit.
        if G::SELECTIVE
            && (N::PV || cut_node)
            && depth.plies() >= iir_min_depth::<G>()
            && tt_move.is_none()
            && excluded.is_none()
        {
            depth = depth - 1;
            node.depth = depth;
        }
        if let Some(grandchild) = self.stack.get_mut(ply.index() + 2) {
            (grandchild.killers, grandchild.cutoff_count) = ([None; 2], 0);
        }

        let stm = self.game.side_to_move();
        let mut killers = self.stack[ply.index()].killers;
        killers[killer_moves::<G>() as usize..].fill(None);
        let forced_move = if N::ROOT { None } else { self.game.forced_move() };
        let mut picker = match forced_move {
            Some(mv) => MovePicker::only(mv),
            None => MovePicker::new(&self.game, tt_move, killers),
        };
        if N::ROOT {
            picker.defer(&self.requested_non_candidates);
        }
        let mut best = Best { score: tb_min, mv: None };
        let (mut move_count, mut quiets_tried, mut noisy_tried) = (0, MoveList::new(), MoveList::new());
        while let Some(picked) =
            picker.next(&self.game, OrderingContext { histories: self.histories, cont_rows: &cont_rows })
        {
            let PickedMove { mv, noisy, history } = picked;
            if N::ROOT && !self.is_searched_root_move(mv) || excluded == Some(mv) {
                continue;
            }
            move_count += 1;
            // Nothing depends on it for the first move.
            let gives_check = G::SELECTIVE && move_count > 1 && self.game.gives_check(mv);
            let mut reduction = 0;
            if G::SELECTIVE
                && depth.plies() >= lmr_min_depth::<G>()
                && move_count >= lmr_moves::<G>() as usize
            {
                let context = LmrContext {
                    tt_move_is_noisy,
                    child_cutoff_count: self.stack[ply.index() + 1].cutoff_count,
                    is_noisy: noisy,
                    is_killer: killers.contains(&Some(mv)),
                    gives_check,
                    history,
                };
                reduction = lmr_reduction::<G>(&node, move_count, context);
            }
            if G::SELECTIVE && !N::ROOT && !best.score.is_loss() && move_count > 1 {
                if move_count > lmp_move_count::<G>(depth, node.improving) {
                    picker.skip_quiets();
                }
                match self.prune_move(&node, picked, gives_check, reduction) {
                    MovePruning::Search => {}
                    MovePruning::SkipMove => continue,
                    MovePruning::SkipNonCheckingQuiets => {
                        picker.skip_non_checking_quiets(&self.game);
                        continue;
                    }
                }
            }
            let mut extension = 0;
            if G::SELECTIVE && !N::ROOT && Some(mv) == tt_move {
                match self.singular_extension(mv, tt_entry, &node)? {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return Ok(score),
                }
            }
            if N::ROOT {
                self.report_currmove(mv, move_count);
            }
            self.stack[ply.index()].double_extensions = double_extensions + i32::from(extension > 1);
            let nodes_before = self.nodes;
            let move_search = MoveSearch {
                stm,
                window: node.window,
                depth: depth + extension - 1,
                reduction,
                move_count,
                cut_node,
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
                    if score >= window.beta {
                        break;
                    }
                    node.window.alpha = score;
                }
            }
            if noisy { noisy_tried.push(mv) } else { quiets_tried.push(mv) }
        }
        let is_solved = !G::SELECTIVE && !self.used_static_eval;
        self.used_static_eval |= outer_used_static_eval;
        if move_count == 0 {
            return Ok(if excluded.is_some() { window.alpha } else { self.no_legal_moves_score(ply) });
        }
        best.score = best.score.min(tb_max);
        if best.score >= window.beta {
            if G::SELECTIVE && !N::ROOT && depth > Depth::ZERO {
                best.score = best.score.weighted_mean(depth.plies(), window.beta);
            }
            self.update_histories(best.mv, depth, ply, &quiets_tried, &noisy_tried);
        } else if best.mv.is_none() {
            self.bonus_for_prior_quiet(depth, ply);
        }
        let bound = match best.score {
            score if score >= window.beta => Bound::Lower,
            _ if N::PV && best.mv.is_some() => Bound::Exact,
            _ => Bound::Upper,
        };
        // The score of a subset of the root moves is not the score of the position.
        if excluded.is_none() && !(N::ROOT && (self.pv_index > 0 || self.has_searchmoves)) {
            if G::SELECTIVE {
                self.update_correction_history(&node, &best, bound);
            }
            let (depth, eval) = if is_solved {
                (Entry::SOLVED, Some(Entry::effort(self.nodes - nodes_before_node)))
            } else {
                (depth, self.stack[ply.index()].raw_eval)
            };
            let pv = node.tt_pv;
            self.store_tt(ply, Entry { mv: best.mv, score: best.score, raw_eval: eval, depth, bound, pv });
        }
        Ok(best.score)
    }

    /// The score of the move just played at `ply` (PVS, LMR). Searches the first move with the full window.
    /// Later moves get a null-window search at reduced depth and are re-searched if they fail high
    /// (<https://www.chessprogramming.org/Principal_Variation_Search>).
    fn search_move<N: Node>(
        &mut self,
        move_search: MoveSearch,
        best_score: Score,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        let MoveSearch { stm, window, mut depth, reduction, move_count, cut_node } = move_search;
        let (null_window, next_ply) = (Window::null_window_at_alpha(window.alpha), ply.next());
        // Exact games search a null window as a non-PV node even at the root.
        let full_window = N::PV && (G::SELECTIVE || !window.is_null());
        if move_count == 1 {
            return if full_window {
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
        if is_reduced && score > window.alpha {
            // LMR re-search one ply deeper or shallower, depending on how far the score is above the best
            // score.
            depth += i32::from(score > best_score + deeper_margin::<G>() + 2 * depth.plies());
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
        if full_window && score > window.alpha {
            score = self.search_child(stm, window, |search, window| {
                search.negamax::<Pv>(window, depth, next_ply, false)
            })?;
        }
        Ok(score)
    }

    /// Whether the static evaluation is higher than two plies ago, or four if that was in check; `true` if neither is known,
    /// `false` in check.
    fn is_improving(&self, ply: Ply) -> bool {
        let eval = |back: usize| self.stack[ply.index().checked_sub(back)?].static_eval;
        match (eval(0), eval(2).or_else(|| eval(4))) {
            (Some(current), Some(previous)) => current > previous,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// Updates killers and histories after a fail high: a bonus for `best_move`, a malus for the noisy moves searched
    /// before it, and for the quiet ones if it is quiet.
    fn update_histories(
        &mut self,
        best_move: Option<Move>,
        depth: Depth,
        ply: Ply,
        quiets_tried: &[Move],
        noisy_tried: &[Move],
    ) {
        let Some(best_move) = best_move else { return };
        let (malus, cont_rows) = (Histories::malus::<G>(depth.plies()), self.continuation_rows(ply));
        // At low depth a fail high says little: most moves that lose no material cause one.
        let bonus = if depth.plies() < history_bonus_min_depth::<G>() {
            0
        } else {
            Histories::bonus::<G>(depth.plies())
        };
        self.stack[ply.index()].cutoff_count += 1;
        if self.game.is_noisy(best_move) {
            self.histories.update_capture(&self.game, best_move, bonus);
        } else {
            let killers = &mut self.stack[ply.index()].killers;
            if killers[0] != Some(best_move) {
                *killers = [Some(best_move), killers[0]];
            }
            self.histories.update_quiet::<G>(Histories::index(&self.game, best_move), &cont_rows, bonus);
            for &mv in quiets_tried {
                self.histories.update_quiet::<G>(Histories::index(&self.game, mv), &cont_rows, -malus);
            }
        }
        for &mv in noisy_tried {
            self.histories.update_capture(&self.game, mv, -malus);
        }
    }

    /// Static eval at this node plus the parent's static eval, in centipawns. Positive: the opponent's last
    /// move lost ground. `None` if either side was in check.
    fn eval_delta(&self, ply: Ply) -> Option<i32> {
        let parent_eval = self.stack[ply.index() - 1].static_eval?;
        Some(self.stack[ply.index()].static_eval?.value() + parent_eval.value())
    }

    /// Updates the butterfly history of the previous quiet move by the change of the static evaluation.
    fn update_prior_quiet_by_eval(&mut self, eval_delta: i32, ply: Ply) {
        if let Some(played) = self.played(ply, 1).filter(|played| !played.noisy) {
            let bonus = (-eval_history_scale::<G>() * eval_delta / 10)
                .clamp(-eval_history_max::<G>(), eval_history_max::<G>());
            self.histories.update_butterfly(played.history_index, bonus);
        }
    }

    /// Hindsight adjustment in plies: corrects the parent's LMR reduction once the static eval is known.
    fn hindsight_adjustment(&self, eval_delta: i32, depth: Depth, ply: Ply) -> i32 {
        let reduction = self.stack[ply.index() - 1].reduction;
        if reduction >= hindsight_deeper::<G>() && eval_delta <= 0 {
            1
        } else if reduction >= hindsight_shallower::<G>()
            && depth > Depth::ONE
            && eval_delta > hindsight_margin::<G>()
        {
            -1
        } else {
            0
        }
    }

    /// Gives the quiet TT move a history bonus when the TT score fails high.
    fn bonus_for_tt_cutoff_move(&mut self, mv: Option<Move>, depth: Depth, ply: Ply) {
        if let Some(mv) = mv.filter(|&mv| !self.game.is_noisy(mv)) {
            let bonus = Histories::bonus::<G>(depth.plies()) * tt_history_bonus::<G>() / 100;
            let cont_rows = self.continuation_rows(ply);
            self.histories.update_quiet::<G>(Histories::index(&self.game, mv), &cont_rows, bonus);
        }
    }

    /// This node failed low, so give the previous quiet move a history bonus.
    fn bonus_for_prior_quiet(&mut self, depth: Depth, ply: Ply) {
        if ply == Ply::ROOT {
            return;
        }
        if let Some(played) = self.played(ply, 1).filter(|played| !played.noisy) {
            let bonus = Histories::bonus::<G>(depth.plies()) * prior_quiet_bonus::<G>() / 100;
            let cont_rows = self.continuation_rows(Ply::new(ply.index() - 1));
            self.histories.update_quiet::<G>(played.history_index, &cont_rows, bonus);
        }
    }

    /// Updates the correction history with the difference between score and static eval, unless the best move
    /// is noisy or the bound is consistent with the static eval.
    fn update_correction_history(&mut self, node: &NodeInfo, best: &Best, bound: Bound) {
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
