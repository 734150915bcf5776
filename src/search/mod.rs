//! Iterative deepening over any game. Knows no particular game, no text and no stdout.

mod aspiration;
mod clock;
mod corrections;
mod extensions;
pub mod faults;
pub mod hand;
mod history;
mod limits;
mod negamax;
pub mod params;
mod picker;
mod pruning;
mod quiescence;
mod reductions;
mod report;
pub mod room;
mod root;
mod slot;
mod stop;
mod strength;
mod sync;
mod table;
mod threads;
mod worker;

pub use clock::Difficulty;
pub use limits::{Clock, Control, Limits, Settings};
pub use report::{Block, Bound, Finish, Line, Report};
pub use stop::{Stopped, Stopper};
pub use table::{Entry, Table, TableError};

use crate::game::{Evaluator, Heuristics};
use clock::Lag;
use crossbeam_channel::Receiver;
use std::sync::Arc;
use threads::Crew;

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
    /// While a search runs its threads hold on to it too.
    table: Arc<Table>,
    crew: Crew,
    /// Whether any search has had it.
    used: bool,
    /// What the machine has added to the time of moves.
    lag: Lag,
}

impl Memory {
    /// With a table of `megabytes`.
    pub fn new(megabytes: usize) -> Result<Memory, TableError> {
        let table = Arc::new(Table::new(megabytes)?);
        Ok(Memory { table, crew: Crew::default(), used: false, lag: Lag::default() })
    }

    /// Whether there may be something to forget.
    pub fn is_used(&self) -> bool {
        self.used
    }

    /// Takes the memory that a search with so many threads needs, as far as it is there: the system hands it out when it
    /// is first written to, which takes the first search of a game 5 ms, and on a busy machine much longer.
    pub fn prepare<G: Heuristics, E: Evaluator<G>>(&mut self, threads: usize) {
        if !self.used {
            self.table_mut().touch();
            self.crew.resize(threads);
            self.crew.prepare::<G, E>();
        }
    }

    /// The transposition table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The same, to change it: whoever has the memory runs no search, and then nobody else holds on to it.
    fn table_mut(&mut self) -> &mut Table {
        Arc::get_mut(&mut self.table).expect("no search runs")
    }

    /// Forgets everything that could change a search, as for a new game.
    pub fn clear(&mut self) {
        self.table_mut().clear();
        self.crew.clear();
        self.lag = Lag::default();
        self.used = false;
    }
}

/// Searches `task` in the calling thread, and in as many more as the settings say, until a limit is
/// reached or `control` says stop, and keeps `report` posted. A panic is caught, and the best move known
/// by then given: that is kept outside of what may panic.
pub fn run<G: Heuristics, E: Evaluator<G>>(
    mut task: Task<G>,
    memory: &mut Memory,
    control: &Receiver<Control>,
    report: &mut dyn FnMut(Report),
) -> Finish {
    strength::limit(&mut task.limits, &task.settings);
    memory.crew.resize(task.settings.threads);
    memory.table_mut().age();
    memory.used = true;
    memory.lag.begin(task.limits.clock);
    task.limits.lag = memory.lag;
    let mut stopper = Stopper::new(&task.limits, &task.settings, control);
    let mut finish = Finish::default();
    memory.crew.search::<G, E>(task, &memory.table, &mut stopper, report, &mut finish);
    stopper.wait();
    finish.stopped = stopper.is_told();
    finish.elapsed = stopper.elapsed();
    memory.lag.end(stopper.spent());
    finish
}

/// The message of a panic.
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
