//! Iterative deepening over any game. Knows no particular game, no text and no stdout.

mod aspiration;
mod clock;
mod corrections;
mod extensions;
mod history;
mod limits;
mod negamax;
pub mod params;
mod picker;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod root;
mod stop;
mod strength;
mod table;
mod worker;

pub use clock::Difficulty;
pub use limits::{Clock, Control, Limits, Settings};
pub use report::{Block, Bound, Finish, Line, Report};
pub use stop::{Stopped, Stopper};
pub use table::{Entry, Table, TableError};

use crate::game::{Evaluator, Hints};
use crossbeam_channel::Receiver;
use history::Histories;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use worker::Worker;

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
    histories: Histories,
    evaluator: Box<dyn Any + Send>,
}

impl Memory {
    /// With a table of `megabytes`.
    pub fn new(megabytes: usize) -> Result<Memory, TableError> {
        Ok(Memory { table: Table::new(megabytes)?, histories: Histories::default(), evaluator: Box::new(()) })
    }

    /// Forgets everything that could change a search, as for a new game. What an evaluator remembers
    /// only saves it work.
    pub fn clear(&mut self) {
        self.table.clear();
        self.histories.clear();
    }
}

/// The evaluator that the last search left, or a new one if that was another kind.
fn kept<E: Default + Send + 'static>(evaluator: &mut Box<dyn Any + Send>) -> &mut E {
    if !evaluator.is::<E>() {
        *evaluator = Box::new(E::default());
    }
    evaluator.downcast_mut().expect("it is one now")
}

/// Searches `task` in the calling thread until a limit is reached or `control` says stop, and keeps
/// `report` posted. It always gives a legal move where there is one, even after a panic, which it
/// catches: what was known by then is kept outside of what may panic.
pub fn run<G: Hints, E: Evaluator<G>>(
    task: Task<G>,
    memory: &mut Memory,
    control: &Receiver<Control>,
    report: &mut dyn FnMut(Report),
) -> Finish {
    let Task { root, mut limits, settings } = task;
    strength::limit(&mut limits, &settings);
    let mut stopper = Stopper::new(&limits, &settings, control);
    let mut finish = Finish::default();
    memory.table.age();
    let searched = catch_unwind(AssertUnwindSafe(|| {
        let Memory { table, histories, evaluator } = memory;
        let evaluator = kept::<E>(evaluator);
        let mut worker = Worker::new(root, evaluator, table, histories, &mut stopper, report);
        worker.deepen(&limits, &settings, &mut finish);
        worker.nodes
    }));
    match searched {
        Ok(nodes) => finish.nodes = nodes,
        Err(panic) => finish.panic = Some(panic_message(&*panic)),
    }
    stopper.wait();
    finish.stopped = stopper.is_told();
    finish.elapsed = stopper.elapsed();
    finish
}

/// The message of a panic.
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
