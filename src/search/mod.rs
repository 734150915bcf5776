//! Iterative deepening over any game. Knows no particular game, no text and no stdout.

mod limits;
mod report;
mod table;

pub use limits::{Clock, Control, Limits, Settings};
pub use report::{Block, Bound, Finish, Line, Report};
pub use table::{Table, TableError};

use crate::game::{Evaluator, Hints};
use crossbeam_channel::Receiver;

/// One search: where from, how far, how.
#[derive(Clone, Debug)]
pub struct Task<G> {
    /// The root, with its past.
    pub root: G,
    /// When to end.
    pub limits: Limits,
    /// How to search.
    pub settings: Settings,
}

/// What one search leaves to the next: moved into the search thread and back, so that nothing can
/// resize it under a running search.
#[derive(Debug)]
pub struct Memory {
    /// The transposition table.
    pub table: Table,
}

impl Memory {
    /// With a table of `megabytes`.
    pub fn new(megabytes: usize) -> Result<Memory, TableError> {
        Ok(Memory { table: Table::new(megabytes)? })
    }

    /// Forgets everything, as for a new game.
    pub fn clear(&mut self) {
        self.table.clear();
    }
}

/// Searches `task` in the calling thread until a limit is reached or `control` says stop, and keeps
/// `report` posted. It always gives a legal move where there is one, even after a panic, which it catches.
pub fn run<G: Hints, E: Evaluator<G>>(
    task: Task<G>,
    memory: &mut Memory,
    control: &Receiver<Control>,
    report: &mut dyn FnMut(Report),
) -> Finish {
    // PLACEHOLDER until the search lands: first legal move.
    let _ = (memory, std::marker::PhantomData::<E>);
    let best = task.root.moves().first().copied();
    report(Report::Block(Block {
        lines: vec![Line {
            depth: crate::game::Depth::ONE,
            seldepth: crate::game::Ply::ROOT,
            score: crate::game::Score::ZERO,
            bound: Bound::Exact,
            pv: best.into_iter().collect(),
        }],
        nodes: 1,
        elapsed: task.limits.started.elapsed(),
        hashfull: 0,
    }));
    if task.limits.infinite || task.limits.ponder {
        let _ = control.recv();
    }
    Finish { best, nodes: 1, elapsed: task.limits.started.elapsed(), ..Finish::default() }
}
