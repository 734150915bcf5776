//! Quiescence: at the horizon only moves that change the balance are followed, until it is settled
//! (<https://www.chessprogramming.org/Quiescence_Search>).

use super::control::Stopped;
use super::negamax::Node;
use super::params::*;
use super::picker::{MovePicker, OrderingContext, PickedMove};
use super::table::Entry;
use super::worker::Worker;
use crate::game::{Bound, Depth, Evaluator, Heuristics, Ply, Score, Window};

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// The value of a position when both sides may stop capturing whenever they like. Fail-soft.
    pub(super) fn quiescence<N: Node>(&mut self, window: Window, ply: Ply) -> Result<Score, Stopped> {
        self.visit_node(ply)?;
        if let Some(score) = self.terminal_score(ply).or_else(|| self.upcoming_repetition_cutoff(window, ply))
        {
            return Ok(score);
        }
        if ply >= Ply::MAX || !G::SELECTIVE {
            // An exact search to a depth ends in plain evaluations.
            self.used_static_eval = true;
            return Ok(self.evaluator.evaluate(&self.game));
        }
        let entry = self.probe(ply);
        if let Some(score) = self.cutoff(entry.filter(|_| !N::PV), Depth::ZERO, window) {
            return Ok(score);
        }
        let in_check = self.game.in_check();
        let contexts = self.continuation_keys(ply);
        let (raw_eval, static_eval) = self.static_eval(entry, ply, in_check).unzip();
        let mut best = match (static_eval, entry) {
            (None, _) => Score::mated_in(ply),
            // On the principal variation a mate from the table would be a score without its line.
            (Some(eval), Some(entry)) if !N::PV => entry.tt_adjusted_eval(eval),
            (Some(eval), _) => eval,
        };
        let (depth, pv) = (Depth::ZERO, N::PV || entry.is_some_and(|entry| entry.pv));
        if best >= window.beta {
            best = best.lerp(1, window.beta);
            if entry.is_none() {
                // Whoever comes here again need not evaluate.
                let bound = Bound::Lower;
                self.store(ply, Entry { mv: None, score: best, eval: raw_eval, depth, bound, pv });
            }
            return Ok(best);
        }
        let Window { mut alpha, beta } = window;
        alpha = alpha.max(best);
        let table_move = entry.and_then(|entry| entry.mv);
        let mut picker = if in_check {
            MovePicker::new(&self.game, table_move, [None; 2])
        } else {
            MovePicker::tactical(&self.game, table_move, 0)
        };
        let mover = self.game.side_to_move();
        let (mut best_move, mut tried) = (None, 0);
        while let Some(PickedMove { mv, .. }) =
            picker.next(&self.game, OrderingContext { histories: self.histories, contexts: &contexts })
        {
            tried += 1;
            if let (Some(eval), false) = (static_eval, best.is_loss()) {
                // The best captures come first: who is not saved by those seldom is by another.
                if tried > qs_move_limit() && !self.game.gives_check(mv) {
                    break;
                }
                // Delta pruning: not even the man it takes would lift the evaluation to alpha.
                let hope = Score::new(eval.value() + delta_margin() + self.game.captured_value(mv));
                if hope <= alpha {
                    best = best.max(hope);
                    continue;
                }
            }
            self.play(mv, ply);
            let score = self.search_child(mover, Window { alpha, beta }, |search, window| {
                search.quiescence::<N>(window, ply.next())
            });
            self.undo(mv);
            let score = score?;
            if score > best {
                best = score;
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
            if in_check && !best.is_loss() {
                // One way out of check is enough to know that it is not mate.
                picker.skip_quiets();
            }
        }
        if in_check && tried == 0 {
            return Ok(self.no_legal_moves_score(ply));
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        if best >= beta {
            best = best.lerp(1, beta);
        }
        self.store(ply, Entry { mv: best_move, score: best, eval: raw_eval, depth, bound, pv });
        Ok(best)
    }
}
