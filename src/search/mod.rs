//! Iterative deepening over any game. Knows no particular game, no text and no stdout.

mod aspiration;
mod control;
mod correction_history;
mod elo_limit;
mod extensions;
pub mod fault_injection;
mod history;
mod limits;
pub mod memory;
mod negamax;
pub mod params;
mod picker;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod root;
mod sync;
mod table;
mod threads;
mod time;
mod tt_slot;
mod worker;
pub mod worker_thread;

pub use control::{SearchControl, Stopped};
pub use limits::{ClockState, Control, Limits, Settings};
pub use report::{IterationReport, PvLine, Report, SearchResult};
pub use table::{Entry, TableError, TranspositionTable};
pub use time::IterationStats;

use crate::game::{Evaluator, Heuristics};
use crossbeam_channel::Receiver;
use std::sync::Arc;
use threads::ThreadPool;
use time::MoveLatency;

/// One search: where from, how far, how.
#[derive(Clone, Debug)]
pub struct SearchRequest<G> {
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
pub struct SearchState {
    /// While a search runs its threads hold on to it too.
    table: Arc<TranspositionTable>,
    crew: ThreadPool,
    /// Whether any search has had it.
    dirty: bool,
    /// What the machine has added to the time of moves.
    lag: MoveLatency,
}

impl SearchState {
    /// With a table of `megabytes`.
    pub fn new(megabytes: usize) -> Result<SearchState, TableError> {
        let table = Arc::new(TranspositionTable::new(megabytes)?);
        Ok(SearchState { table, crew: ThreadPool::default(), dirty: false, lag: MoveLatency::default() })
    }

    /// Whether there may be something to forget.
    pub fn is_used(&self) -> bool {
        self.dirty
    }

    /// Takes the memory that a search with so many threads needs, as far as it is there: the system hands it out when it
    /// is first written to, which takes the first search of a game 5 ms, and on a busy machine much longer.
    pub fn prefault<G: Heuristics, E: Evaluator<G>>(&mut self, threads: usize) {
        if !self.dirty {
            self.table_mut().prefault();
            self.crew.resize(threads);
            self.crew.prepare::<G, E>();
        }
    }

    /// The transposition table.
    pub fn table(&self) -> &TranspositionTable {
        &self.table
    }

    /// The same, to change it: whoever has the memory runs no search, and then nobody else holds on to it.
    fn table_mut(&mut self) -> &mut TranspositionTable {
        Arc::get_mut(&mut self.table).expect("no search runs")
    }

    /// Forgets everything that could change a search, as for a new game.
    pub fn clear(&mut self) {
        self.table_mut().clear();
        self.crew.clear();
        self.lag = MoveLatency::default();
        self.dirty = false;
    }
}

/// Searches `task` in the calling thread, and in as many more as the settings say, until a limit is
/// reached or `control` says stop, and keeps `report` posted. A panic is caught, and the best move known
/// by then given: that is kept outside of what may panic.
pub fn run<G: Heuristics, E: Evaluator<G>>(
    mut task: SearchRequest<G>,
    memory: &mut SearchState,
    control: &Receiver<Control>,
    report: &mut dyn FnMut(Report),
) -> SearchResult {
    elo_limit::apply_elo_limit(&mut task.limits, &task.settings);
    memory.crew.resize(task.settings.threads);
    memory.table_mut().new_search();
    memory.dirty = true;
    memory.lag.begin(task.limits.clock);
    task.limits.lag = memory.lag;
    let mut stopper = SearchControl::new(&task.limits, &task.settings, control);
    let mut finish = SearchResult::default();
    memory.crew.search::<G, E>(task, &memory.table, &mut stopper, report, &mut finish);
    stopper.wait_for_stop();
    finish.stopped = stopper.stop_requested();
    finish.elapsed = stopper.elapsed();
    memory.lag.end(stopper.spent());
    finish
}

/// The message of a panic.
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
