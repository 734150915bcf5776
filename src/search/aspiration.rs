//! Aspiration windows: an iteration first looks only around the last one's score
//! (<https://www.chessprogramming.org/Aspiration_Windows>).

use super::params::*;
use super::stop::Stopped;
use super::worker::Worker;
use crate::game::{Depth, Evaluator, Hints, Score, Window};

impl<G: Hints, E: Evaluator<G>> Worker<'_, G, E> {
    /// The exact value of the best root move that is not settled yet; it stands first among those after.
    pub(super) fn aspirate(&mut self, depth: Depth) -> Result<Score, Stopped> {
        let previous = self.roots[self.settled].previous;
        let narrow = depth.plies() >= ASPIRATION_DEPTH && !previous.is_decisive();
        let mut delta = ASPIRATION_DELTA;
        let mut window = if narrow { Window::around(previous, delta) } else { Window::FULL };
        loop {
            let score = self.search_roots(window, depth)?;
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
