//! Aspiration windows: an iteration first looks only around the last one's score
//! (<https://www.chessprogramming.org/Aspiration_Windows>).

use super::negamax::Root;
use super::params::*;
use super::stop::Stopped;
use super::worker::Worker;
use crate::game::{Depth, Evaluator, Hints, Ply, Score, Window};

impl<G: Hints, E: Evaluator<G>> Worker<'_, G, E> {
    /// The exact value of the best root move that is not settled yet; it stands first among those after.
    pub(super) fn aspirate(&mut self, depth: Depth) -> Result<Score, Stopped> {
        let previous = self.roots[self.settled].previous;
        let narrow = depth.plies() >= ASPIRATION_DEPTH && !previous.is_decisive();
        let mut delta = ASPIRATION_DELTA;
        let mut window = if narrow { Window::around(previous, delta) } else { Window::FULL };
        loop {
            let searched = self.negamax::<Root>(window, depth, Ply::ROOT, false);
            // The best so far goes first, for the next try and for whoever stops now.
            self.roots[self.settled..].sort_by_key(|root| std::cmp::Reverse(root.score));
            let score = searched?;
            delta += delta / 2;
            if score <= window.alpha {
                window = Window { alpha: Window::around(score, delta).alpha, ..window };
            } else if score >= window.beta {
                window = Window { beta: Window::around(score, delta).beta, ..window };
            } else {
                return Ok(score);
            }
        }
    }
}
