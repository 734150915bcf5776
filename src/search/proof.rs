//! Search for a proof that the value of a position reaches a score, in a game without a bound on its length.
//!
//! Iterations take turns: in some the first side is the prover, in the others its opponent, who proves the contrary. In an
//! iteration only what is proved counts for the prover: a position at the depth limit counts as lost for it, and a repetition
//! counts only if it is a success. So every success is a proof and holds at every depth. A static evaluation at the depth limit
//! needs a depth at which all lines end: the attacker throws in stones, and its lines end where it pleases.
//!
//! A failure ends nodes of its depth and less. One of an earlier iteration can hide a success by a repetition that closes deeper in
//! the tree. So after an iteration that had no more nodes than the one before, a failure ends only nodes of its own depth.

use super::tt::Entry;
use super::worker::Worker;
use crate::game::{Evaluator, Heuristics, Score, Side, Window};

/// What a move of the prover costs beside its own ply, times the binary logarithm of its number: the first move is right in
/// most positions of a proof.
const LATE_MOVE_COST: u32 = 6;

/// What a move of the other side costs beside its own ply, times the binary logarithm of the number of moves: a proof answers
/// each of them.
const REPLY_COST: u32 = 2;

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

    /// Whether there is a prover and a score outside `window`, a null window, is its success. Both are for `stm`.
    pub(super) fn favours_prover(&self, score: Score, stm: Side, window: Window) -> bool {
        self.prover().is_some_and(|prover| (score >= window.beta) == (prover == stm))
    }

    /// The key of a score that is not solved, in the bucket of the TT key `key`. The provers have different ones, because the
    /// failures of one say nothing of those of the other.
    pub(super) fn unsolved_key(&self, key: u64) -> u64 {
        self.prover().map_or(key, |prover| key ^ (1 + prover as u64))
    }

    /// What `probe` finds for the TT key `key`: a solved score, else one that this prover has stored.
    pub(super) fn solved_or_of_prover(
        &self,
        key: u64,
        probe: impl Fn(u64) -> Option<Entry>,
    ) -> Option<Entry> {
        match (probe(key), self.prover()) {
            (entry, None) => entry,
            (Some(entry), _) if entry.is_solved() => Some(entry),
            _ => probe(self.unsolved_key(key)),
        }
    }

    /// The depth that move number `move_count`, from 1, of the `moves` moves of `side` costs: in a search for a proof the depth
    /// limits the size of the proof, as a logarithm, more than its length.
    pub(super) fn move_cost(&self, side: Side, move_count: usize, moves: usize) -> i32 {
        let size = match self.prover() {
            None => 1,
            Some(prover) if prover == side => move_count.pow(LATE_MOVE_COST),
            Some(_) => moves.max(1).pow(REPLY_COST),
        };
        1 + size.ilog2() as i32
    }
}
