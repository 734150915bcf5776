//! The iterations of a search for a proof: whose proof is tried next, and how deep. See `proof.rs`.

use crate::game::{Depth, Side};

/// How much deeper each iteration of a prover is, in plies.
const DEPTH_STEP: i32 = 3;

/// The iterations of a search for a proof.
#[derive(Debug, Default)]
pub struct Attempts {
    /// That of the last iteration.
    prover: Side,
    depths: [Depth; 2],
    /// The nodes of the finished iterations of each prover, and of all.
    nodes: [u64; 2],
    all_nodes: u64,
    /// The nodes of the last iteration of each prover.
    last_nodes: [u64; 2],
    /// Whether the last iteration of each prover had no more nodes than the one before it.
    is_stuck: [bool; 2],
}

/// An iteration of a search for a proof.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// The side for which only what is proved counts.
    pub prover: Side,
    pub depth: Depth,
    /// Whether a failure in the table ends nodes of less than its depth too.
    pub reuses_failures: bool,
}

impl Attempts {
    /// Returns the next iteration: its prover is the side with fewer nodes so far. `nodes` is the number of all nodes so far.
    pub fn next(&mut self, nodes: u64) -> Attempt {
        let (last, used) = (self.prover.index(), nodes - self.all_nodes);
        self.nodes[last] += used;
        self.all_nodes = nodes;
        self.is_stuck[last] = used <= std::mem::replace(&mut self.last_nodes[last], used);
        let prover = if self.nodes[0] <= self.nodes[1] { Side::White } else { Side::Black };
        self.prover = prover;
        self.depths[prover.index()] += DEPTH_STEP;
        Attempt {
            prover,
            depth: self.depths[prover.index()],
            reuses_failures: !self.is_stuck[prover.index()],
        }
    }
}
