//! Quiescence search: searches noisy moves only, until the position is quiet
//! (<https://www.chessprogramming.org/Quiescence_Search>).

use super::control::Stopped;
use super::history::ContHistRows;
use super::node::Node;
use super::params::*;
use super::picker::{MovePicker, PickedMove};
use super::tt::Entry;
use super::worker::Worker;
use crate::game::{Bound, Depth, Evaluator, Heuristics, Move, Ply, Score, Window};

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// Fail-soft: either side may stop capturing and take the static eval. In check all moves until one does not lose by force, then few.
    pub(super) fn quiescence<N: Node>(&mut self, window: Window, ply: Ply) -> Result<Score, Stopped> {
        self.visit_node(ply)?;
        self.counters.quiescence_nodes += 1;
        if let Some(score) =
            self.terminal_score(window, ply).or_else(|| self.upcoming_repetition_cutoff(window, ply))
        {
            return Ok(score);
        }
        if ply >= Ply::MAX {
            return Ok(self.evaluator.evaluate(&self.game));
        }
        let tt_entry = self.probe_tt(self.game.tt_key(), ply);
        self.count_tt_probe(tt_entry);
        if !N::PV
            && let Some(score) = self.tt_cutoff(tt_entry, Depth::ZERO, window)
        {
            self.count_tt_cutoff(tt_entry);
            return Ok(score);
        }
        let in_check = self.game.in_check();
        let cont_rows = self.continuation_rows(ply);
        let static_eval = if in_check { None } else { Some(self.static_eval(tt_entry, ply)) };
        let (raw_eval, static_eval) = static_eval.unzip();
        let mut best_score = match (static_eval, tt_entry) {
            (None, _) => Score::mated_in(ply),
            // In a PV node a mate score of the TT would have no PV.
            (Some(eval), Some(tt_entry)) if !N::PV => tt_entry.tt_adjusted_eval(eval),
            (Some(eval), _) => eval,
        };
        let tt_pv = N::PV || tt_entry.is_some_and(|entry| entry.pv);
        if best_score >= window.beta {
            best_score = best_score.weighted_mean(1, window.beta);
            if tt_entry.is_none() {
                // Saves the evaluation for the next visit.
                let entry =
                    Entry { raw_eval, pv: tt_pv, ..Entry::new(best_score, Bound::Lower, Depth::ZERO) };
                self.store_tt(self.game.tt_key(), ply, entry);
            }
            return Ok(best_score);
        }
        let Window { mut alpha, beta } = window;
        alpha = alpha.max(best_score);
        let tt_move = tt_entry.and_then(|entry| entry.mv);
        let mut picker = match self.game.forced_move() {
            Some(mv) => MovePicker::only(mv),
            None if in_check => MovePicker::new(&self.game, tt_move, [None; 2]),
            None => MovePicker::noisy(&self.game, tt_move, 0),
        };
        let stm = self.game.side_to_move();
        let (mut best_move, mut move_count, mut quiet_evasions) = (None, 0, 0);
        while let Some(PickedMove { mv, noisy, .. }) =
            picker.next(&self.game, self.ordering_context(&cont_rows))
        {
            move_count += 1;
            if let (Some(eval), false) = (static_eval, best_score.is_loss()) {
                let keeps_checks = params::<G>().qs_keeps_checks > 0;
                // Captures are ordered by MVV; trying more than `qs_move_limit` rarely changes the result.
                if move_count > params::<G>().qs_move_limit && !self.game.gives_check(mv) {
                    if keeps_checks {
                        continue;
                    }
                    break;
                }
                // Delta pruning (<https://www.chessprogramming.org/Delta_Pruning>): below alpha even with the captured value.
                let futility_value =
                    Score::new(eval.value() + params::<G>().delta_margin + self.game.captured_value(mv));
                if futility_value <= alpha && !(keeps_checks && self.game.gives_check(mv)) {
                    best_score = best_score.max(futility_value);
                    continue;
                }
            }
            let may_skip = in_check && !best_score.is_loss() && params::<G>().qs_quiet_evasions > 0;
            if may_skip && (!noisy && self.is_bad_reply(mv, &cont_rows) || !self.game.see_ge(mv, 0)) {
                continue;
            }
            quiet_evasions += i32::from(in_check && !noisy);
            self.play(mv, ply);
            let score = self.search_child(stm, Window { alpha, beta }, |search, window| {
                search.quiescence::<N>(window, ply.next())
            });
            self.undo(mv);
            let score = score?;
            if score > best_score {
                best_score = score;
                if score > alpha {
                    (alpha, best_move) = (score, Some(mv));
                    if N::PV {
                        self.update_pv(mv, ply);
                    }
                }
                if score >= beta {
                    break;
                }
            }
            if in_check && !best_score.is_loss() && quiet_evasions >= params::<G>().qs_quiet_evasions {
                // It is not mate, so a few evasions are enough.
                picker.skip_quiets();
            }
        }
        if in_check && move_count == 0 {
            return Ok(self.no_legal_moves_score(ply));
        }
        let bound = if best_score >= beta { Bound::Lower } else { Bound::Upper };
        if best_score >= beta {
            best_score = best_score.weighted_mean(1, beta);
        }
        let entry =
            Entry { mv: best_move, raw_eval, pv: tt_pv, ..Entry::new(best_score, bound, Depth::ZERO) };
        self.store_tt(self.game.tt_key(), ply, entry);
        Ok(best_score)
    }

    /// Whether a quiet move was bad after each of the last two moves.
    fn is_bad_reply(&self, mv: Move, cont_rows: &ContHistRows) -> bool {
        let [last, before, ..] =
            self.histories.quiet_history(&self.game, cont_rows).continuation(&self.game, mv);
        last < 0 && before < 0
    }
}
