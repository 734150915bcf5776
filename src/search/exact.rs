//! The search of games that are small enough to be solved: alpha-beta in negamax form, fail-soft, with a transposition
//! table. It gives up no node without proof. `textbook/searcher.rs` has the same algorithm without table, order and bounds.
//! `proof.rs` says what changes in a search for a proof.

use super::control::Stopped;
use super::node::{Best, Node, NonPv, Pv};
use super::picker::PickedMove;
use super::tablebase::UNBOUNDED;
use super::tt::Entry;
use super::worker::{Support, Worker};
use crate::game::{Depth, Evaluator, Heuristics, MAX_MOVES, Move, MoveList, Ply, Score, Side, Window};
use arrayvec::ArrayVec;
use std::ops::ControlFlow;

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// The score for the side to move: exact inside `window`, else a bound (fail-soft).
    /// score(s) = max over moves m of -score(s after m); the sign stays where the same side moves again. A position whose
    /// score rests on no static evaluation is *solved*: its TT entry serves every depth.
    /// What rests on a repetition of an earlier position is not stored, because it holds on this path only (the graph history
    /// interaction problem).
    pub(super) fn exact<N: Node>(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Result<Score, Stopped> {
        debug_assert!(window.alpha < window.beta && (N::PV || window.is_null()));
        if depth <= Depth::ZERO {
            return self.exact_leaf(window, ply);
        }
        let nodes_before_node = self.nodes;
        self.visit_node(ply)?;
        // Early, so that the memory answers while the next lines run.
        let tt_key = self.game.uses_tt().then(|| self.game.tt_key());
        if let Some(key) = tt_key {
            self.tt.prefetch(key);
        }
        let mut window = window;
        if !N::ROOT {
            match self.known_score::<N>(window, ply) {
                ControlFlow::Break(score) => return Ok(score),
                ControlFlow::Continue(narrowed) => window = narrowed,
            }
        }
        // A position with a forced move needs no entry: it has the value of the position after that move.
        let forced_move = self.forced_move::<N>();
        let tt_key = tt_key.filter(|_| forced_move.is_none());
        let tt_entry = tt_key.and_then(|key| {
            let tt_entry = self.solved_or_of_prover(key, |key| self.probe_tt(key, ply));
            self.count_tt_probe(tt_entry);
            tt_entry
        });
        if !N::PV
            && let Some(entry) = tt_entry
            && let Some(score) = self.exact_tt_cutoff(entry, self.game.side_to_move(), depth, window)
        {
            self.count_tt_cutoff(tt_entry);
            self.support.static_eval |= !entry.is_solved();
            if score >= window.beta {
                self.bonus_for_tt_cutoff_move(entry.mv, depth, ply);
            }
            return Ok(score);
        }
        let (tb_min, tb_max) = match self.probe_tablebase::<N>(window, depth, ply) {
            ControlFlow::Break(score) => return Ok(score),
            ControlFlow::Continue(bounds) => bounds,
        };
        let candidates = if self.attempt.is_some() { self.candidate_moves() } else { MoveList::new() };
        if !N::PV
            && let Some(score) = self.known_child_cutoff(&candidates, window, depth, ply)
        {
            return Ok(score);
        }
        window.alpha = window.alpha.max(tb_min);
        // A bound by a table is not the value.
        let is_bounded = (tb_min, tb_max) != UNBOUNDED;
        let outer = std::mem::replace(&mut self.support, Support::PROOF);
        if let Some(grandchild) = self.stack.get_mut(ply.index() + 2) {
            grandchild.killers = [None; 2];
        }
        let tt_move = if N::ROOT {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            tt_entry.and_then(|entry| entry.mv)
        };
        let (stm, cont_rows) = (self.game.side_to_move(), self.continuation_rows(ply));
        let mut picker = self.moves_in_order::<N>(forced_move, tt_move, self.killers(ply));
        let mut best = Best { score: tb_min, mv: None };
        let mut moves_support = Support { static_eval: is_bounded, ..Support::PROOF };
        let (mut alpha, mut move_count) = (window.alpha, 0);
        let (mut quiets_tried, mut noisy_tried) = (MoveList::new(), MoveList::new());
        while let Some(PickedMove { mv, noisy, .. }) =
            picker.next(&self.game, self.ordering_context(&cont_rows))
        {
            if N::ROOT && !self.is_searched_root_move(mv) {
                continue;
            }
            move_count += 1;
            if N::ROOT {
                self.report_currmove(mv, move_count);
            }
            let child_depth = depth - self.move_cost(stm, move_count, candidates.len());
            if !N::PV && self.prover() == Some(stm) && child_depth <= Depth::ZERO {
                // Neither this nor a later move is proved: `known_child_cutoff` has looked.
                best.score = best.score.max(self.unproved_score(window));
                moves_support.static_eval = true;
                break;
            }
            let (nodes_before, child_window) = (self.nodes, Window { alpha, ..window });
            self.play(mv, ply);
            let score = self.exact_child::<N>(stm, child_window, child_depth, ply.next(), move_count == 1);
            self.undo(mv);
            let score = score?;
            // A move that fails high proves its score alone. Bounded games are proved at full depth, without evaluations.
            let move_support = std::mem::replace(&mut self.support, Support::PROOF);
            let is_alone = score >= window.beta && !G::BOUNDED;
            moves_support = if is_alone { move_support } else { moves_support.and(move_support) };
            if N::ROOT {
                self.update_root_move(mv, score, child_window, move_count, nodes_before);
            }
            if score > best.score {
                best.score = score;
                if score > alpha {
                    best.mv = Some(mv);
                    if N::PV {
                        self.update_pv(mv, ply);
                    }
                    if score >= window.beta {
                        self.count_cutoff(move_count);
                        break;
                    }
                    alpha = score;
                }
            }
            if noisy { noisy_tried.push(mv) } else { quiets_tried.push(mv) }
        }
        // A score that rests on a position before this one holds on this path only. This position itself is on every path.
        let is_of_path = moves_support.claim_ply <= ply.index();
        let claim_ply = if is_of_path { moves_support.claim_ply } else { Support::PROOF.claim_ply };
        self.support = outer.and(Support { claim_ply, ..moves_support });
        if move_count == 0 {
            return Ok(self.no_legal_moves_score(ply));
        }
        best.score = best.score.min(tb_max);
        if best.score >= window.beta {
            self.update_histories(best.mv, depth, ply, &quiets_tried, &noisy_tried);
        } else if best.mv.is_none() {
            self.bonus_for_prior_quiet(depth, ply);
        }
        // The score of a subset of the root moves is not the score of the position.
        if let Some(key) = tt_key.filter(|_| !(N::ROOT && self.searches_some_root_moves())) {
            let bound = best.bound::<N>(window);
            let entry = if is_of_path {
                Entry::new(best.score, bound, Depth::ZERO)
            } else if !moves_support.static_eval {
                let effort = (self.nodes - nodes_before_node + 1).ilog2();
                Entry { effort, ..Entry::new(best.score, bound, Entry::SOLVED) }
            } else {
                Entry::new(best.score, bound, depth)
            };
            let key = if entry.is_solved() { key } else { self.unsolved_key(key) };
            self.store_tt(key, ply, Entry { mv: best.mv, ..entry });
        }
        Ok(best.score)
    }

    /// All moves that the search tries.
    fn candidate_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.game.noisy_moves(&mut moves);
        self.game.quiet_moves(&mut moves);
        moves
    }

    /// The score of one of `moves` that fails high by what is known of the position after it without a search: what the game
    /// proves, and the TT (enhanced transposition cutoffs,
    /// <https://www.chessprogramming.org/Enhanced_Transposition_Cutoff>). `window` is a null window. The sides take turns.
    fn known_child_cutoff(
        &mut self,
        moves: &[Move],
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> Option<Score> {
        let (stm, support) = (self.game.side_to_move(), self.support);
        let mut unknown = ArrayVec::<_, MAX_MOVES>::new();
        for &mv in moves {
            self.game.play(mv);
            let known = self
                .terminal_score(-window, ply.next())
                .unwrap_or_else(|| self.game.greatest_value(ply.next()));
            let is_cutoff = -known >= window.beta;
            if !is_cutoff {
                // The memory answers while the other moves are played.
                let key = self.game.tt_key();
                self.tt.prefetch(key);
                unknown.push((key, self.game.points_so_far()));
                self.support = support;
            }
            self.game.undo(mv);
            if is_cutoff {
                return Some(-known);
            }
        }
        let child_depth = depth - self.move_cost(stm, 1, moves.len());
        unknown.iter().find_map(|&(key, points)| {
            let entry =
                self.solved_or_of_prover(key, |key| self.tt.probe(key, ply.next()))?.add_points(points);
            let score = -self.exact_tt_cutoff(entry, !stm, child_depth, -window)?;
            (score >= window.beta).then(|| {
                self.support.static_eval |= !entry.is_solved();
                score
            })
        })
    }

    /// The score of `entry`, of a position with `stm` to move, if it ends a node of `depth` with `window`: of a solved entry or one of
    /// the same depth. A deeper score may be better, but it is not the value at this depth. In a search for a proof a deeper failure
    /// may suffice, and no unsolved score is a success.
    fn exact_tt_cutoff(&self, entry: Entry, stm: Side, depth: Depth, window: Window) -> Option<Score> {
        let reuses_failures = self.attempt.is_some_and(|attempt| attempt.reuses_failures);
        let has_depth = if reuses_failures { entry.depth >= depth } else { entry.depth == depth };
        let suffices = entry.is_solved() || has_depth && !self.favours_prover(entry.score, stm, window);
        (suffices && entry.bound_suffices(window)).then_some(entry.score)
    }

    /// The score of the move just played, at `ply` after it (PVS): later moves get a null window, then `window` if above alpha.
    fn exact_child<N: Node>(
        &mut self,
        stm: Side,
        window: Window,
        depth: Depth,
        ply: Ply,
        is_first: bool,
    ) -> Result<Score, Stopped> {
        let is_open = N::PV && !window.is_null();
        if !(is_open && is_first) {
            let null_window = Window::null_window_at_alpha(window.alpha);
            let score = self
                .search_child(stm, null_window, |search, window| search.exact::<NonPv>(window, depth, ply))?;
            if !(is_open && score > window.alpha) {
                return Ok(score);
            }
        }
        self.search_child(stm, window, |search, window| search.exact::<Pv>(window, depth, ply))
    }

    /// The score of a position at the depth limit: that of a finished game, or an estimate.
    fn exact_leaf(&mut self, window: Window, ply: Ply) -> Result<Score, Stopped> {
        self.visit_node(ply)?;
        let known = self.terminal_score(window, ply).or_else(|| self.upcoming_repetition_cutoff(window, ply));
        Ok(known.unwrap_or_else(|| self.unproved_score(window)))
    }
}
