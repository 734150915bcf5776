//! The iterations of a search for a proof: whose proof is tried next, and how deep. See `proof.rs`.

use crate::game::{Depth, Side};

/// How much deeper each iteration of a prover is.
const DEPTH_STEP: i32 = 6;

/// The iterations of a search for a proof.
#[derive(Debug, Default)]
pub struct Attempts {
    /// The only prover of a thread, if there are several threads.
    only_prover: Option<Side>,
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
    /// Those of thread number `thread` of `threads`. Every other thread has the same prover, and starts one ply deeper than the one
    /// before.
    pub fn new(thread: usize, threads: usize) -> Attempts {
        let only_prover = (threads > 1).then(|| Side::ALL[thread % 2]);
        let first_depth = Depth::new((thread / 2 % DEPTH_STEP as usize) as i32);
        Attempts { only_prover, depths: [first_depth; 2], ..Attempts::default() }
    }

    /// Returns the next iteration: its prover is that of the thread, else the side with fewer nodes so far. `nodes` is the number of
    /// all nodes so far.
    pub fn next(&mut self, nodes: u64) -> Attempt {
        let (last, used) = (self.prover.index(), nodes - self.all_nodes);
        self.nodes[last] += used;
        self.all_nodes = nodes;
        self.is_stuck[last] = used <= std::mem::replace(&mut self.last_nodes[last], used);
        let fewer_nodes = if self.nodes[0] <= self.nodes[1] { Side::White } else { Side::Black };
        let prover = self.only_prover.unwrap_or(fewer_nodes);
        self.prover = prover;
        self.depths[prover.index()] += DEPTH_STEP;
        Attempt {
            prover,
            depth: self.depths[prover.index()],
            reuses_failures: !self.is_stuck[prover.index()],
        }
    }
}
