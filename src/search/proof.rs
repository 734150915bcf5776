//! Search for a proof that the value of a position reaches a score, in a game without a bound on its length.
//!
//! Iterations take turns: in some the first side is the prover, in the others its opponent, who proves the contrary. In an
//! iteration only what is proved counts for the prover: a position at the depth limit counts as lost for it, and a repetition
//! counts only if it is a success. So every success is a proof and holds at every depth. A static evaluation at the depth limit
//! needs a depth at which all lines end: the attacker throws in stones, and its lines end where it pleases.
//!
//! A failure ends nodes of its depth and less. One of an earlier iteration can hide a success by a repetition that closes deeper in
//! the tree. So after an iteration that had no more nodes than the one before, a failure ends only nodes of its own depth.

use super::worker::Worker;
use crate::game::{Evaluator, Heuristics, Score, Side, Window};

/// What a move of the prover costs beside its own ply, times the binary logarithm of its number: the first move is right in
/// most positions of a proof.
const LATE_MOVE_COST: u32 = 4;

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// In a search for a proof: the side for which only what is proved counts.
    pub(super) fn prover(&self) -> Option<Side> {
        self.attempt.map(|attempt| attempt.prover)
    }

    /// The score of a position of which nothing is proved. In a search for a proof that is a failure.
    pub(super) fn unproved_score(&mut self, window: Window) -> Score {
        self.support.static_eval = true;
        match self.prover() {
            None => self.evaluator.evaluate(&self.game),
            Some(prover) if prover == self.game.side_to_move() => window.alpha,
            Some(_) => window.beta,
        }
    }

    /// Whether there is a prover and a score outside `window`, a null window, is its success.
    pub(super) fn favours_prover(&self, score: Score, window: Window) -> bool {
        self.prover().is_some_and(|prover| (score >= window.beta) == (prover == self.game.side_to_move()))
    }

    /// The plies that move `move_count` of `side`, counted from 1, costs beside its own.
    pub(super) fn late_move_cost(&self, side: Side, move_count: usize) -> i32 {
        if self.prover() == Some(side) { move_count.pow(LATE_MOVE_COST).ilog2() as i32 } else { 0 }
    }
}
