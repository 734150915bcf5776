//! Aspiration windows: each iteration starts with a narrow window around the previous iteration's score
//! (<https://www.chessprogramming.org/Aspiration_Windows>).

use super::control::Stopped;
use super::params::*;
use super::worker::Worker;
use crate::game::{Depth, Evaluator, Heuristics, Score, Window};

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// The exact score of the best root move from `pv_index` on. That move is sorted to the front of them.
    pub(super) fn aspiration_search(&mut self, depth: Depth) -> Result<Score, Stopped> {
        let previous = self.root_moves[self.pv_index].previous;
        let use_window = depth.plies() >= params::<G>().aspiration_min_depth && !previous.is_decisive();
        let mut delta = params::<G>().aspiration_delta;
        let mut window = if use_window { Window::around(previous, delta) } else { Window::FULL };
        let mut reduction = 0;
        loop {
            let score = self.search_roots(window, depth - reduction)?;
            delta += delta / 2;
            if score <= window.alpha {
                self.counters.aspiration_fail_lows += 1;
                window = Window { alpha: Window::around(score, delta).alpha, ..window };
                reduction = 0;
            } else if score >= window.beta {
                self.counters.aspiration_fail_highs += 1;
                window = Window { beta: Window::around(score, delta).beta, ..window };
                // After a fail high, re-search at reduced depth.
                if G::SELECTIVE && !score.is_decisive() {
                    reduction =
                        (reduction + 1).min(params::<G>().aspiration_reduction).min(depth.plies() - 1);
                }
            } else {
                return Ok(score);
            }
        }
    }
}
