//! Search for a proof that the value of a position reaches a score, in a game without a bound on its length.
//!
//! Iterations take turns: in some the first side is the prover, in the others its opponent, who proves the contrary. In an
//! iteration only what is proved counts for the prover: a position at the depth limit counts as lost for it, and a repetition
//! counts only if it is a success. So every success is a proof and holds at every depth. A static evaluation at the depth limit
//! needs a depth at which all lines end: the attacker throws in stones, and its lines end where it pleases.
//!
//! A failure ends only nodes of the same depth, although it holds at smaller depths too: else a failure of the iteration before
//! would hide a success by a repetition that closes deeper in the tree.

use super::worker::Worker;
use crate::game::{Depth, Evaluator, Heuristics, Score, Side, Window};

/// How much deeper each iteration of a prover is, in plies.
const DEPTH_STEP: i32 = 3;

/// What a move of the prover costs beside its own ply, times the binary logarithm of its number: the first move is right in
/// most positions of a proof.
const LATE_MOVE_COST: i32 = 3;

/// The iterations of a search for a proof.
#[derive(Debug, Default)]
pub struct Attempts {
    /// That of the last iteration.
    prover: Side,
    depths: [Depth; 2],
    /// The nodes of the finished iterations of each prover, and of all.
    nodes: [u64; 2],
    all_nodes: u64,
}

impl Attempts {
    /// Returns the prover of the next iteration, the side with fewer nodes so far, and its depth. `nodes` is the number of all nodes
    /// so far.
    pub fn next(&mut self, nodes: u64) -> (Side, Depth) {
        self.nodes[self.prover.index()] += nodes - self.all_nodes;
        self.all_nodes = nodes;
        self.prover = if self.nodes[0] <= self.nodes[1] { Side::White } else { Side::Black };
        let depth = &mut self.depths[self.prover.index()];
        *depth += DEPTH_STEP;
        (self.prover, *depth)
    }
}

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// The score of a position of which nothing is proved. In a search for a proof that is a failure.
    pub(super) fn unproved_score(&mut self, window: Window) -> Score {
        self.support.static_eval = true;
        match self.prover {
            None => self.evaluator.evaluate(&self.game),
            Some(prover) if prover == self.game.side_to_move() => window.alpha,
            Some(_) => window.beta,
        }
    }

    /// Whether there is a prover and a score outside `window`, a null window, is its success.
    pub(super) fn favours_prover(&self, score: Score, window: Window) -> bool {
        self.prover.is_some_and(|prover| (score >= window.beta) == (prover == self.game.side_to_move()))
    }

    /// The plies that move `move_count` of `side`, counted from 1, costs beside its own.
    pub(super) fn late_move_cost(&self, side: Side, move_count: usize) -> i32 {
        if self.prover == Some(side) { LATE_MOVE_COST * move_count.ilog2() as i32 } else { 0 }
    }
}
