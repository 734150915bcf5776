//! The state that one search leaves to the next: the transposition table, the threads, their histories.

use super::move_latency::MoveLatency;
use super::table::{TableError, TranspositionTable};
use super::threads::ThreadPool;
use crate::game::{Evaluator, Heuristics};
use std::sync::Arc;

/// The state that one search leaves to the next. It is moved into the search thread and back, so that nothing can
/// resize it during a search.
#[derive(Debug)]
pub struct SearchState {
    /// Shared with the search threads while a search runs.
    pub(super) table: Arc<TranspositionTable>,
    pub(super) pool: ThreadPool,
    /// Whether a search has used this state since it was created or cleared.
    pub(super) dirty: bool,
    pub(super) move_latency: MoveLatency,
}

impl SearchState {
    /// A state with a table of `megabytes` MiB and no threads yet.
    ///
    /// # Errors
    /// If the table cannot be allocated.
    pub fn new(megabytes: usize) -> Result<SearchState, TableError> {
        let table = Arc::new(TranspositionTable::new(megabytes)?);
        Ok(SearchState {
            table,
            pool: ThreadPool::default(),
            dirty: false,
            move_latency: MoveLatency::default(),
        })
    }

    /// Whether a search has used this state since it was created or cleared.
    pub fn is_used(&self) -> bool {
        self.dirty
    }

    /// Allocates and prefaults the memory that a search with `threads` threads needs, as far as it is available.
    /// Page faults would otherwise cost the first search of a game 5 ms, and much more on a busy machine.
    pub fn prefault<G: Heuristics, E: Evaluator<G>>(&mut self, threads: usize) {
        if !self.dirty {
            self.table_mut().prefault();
            self.pool.resize(threads);
            self.pool.prepare::<G, E>();
        }
    }

    /// The transposition table.
    pub fn table(&self) -> &TranspositionTable {
        &self.table
    }

    /// The table, writable: `&mut self` means that no search runs, so no thread shares the table.
    pub(super) fn table_mut(&mut self) -> &mut TranspositionTable {
        Arc::get_mut(&mut self.table).expect("no search runs")
    }

    /// Forgets everything that could change a search, as for a new game.
    pub fn clear(&mut self) {
        self.table_mut().clear();
        self.pool.clear();
        self.move_latency = MoveLatency::default();
        self.dirty = false;
    }
}
