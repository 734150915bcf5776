//! The state that one search leaves to the next: the transposition table, the threads, their histories.

use super::limits::Settings;
use super::memory::startable_threads;
use super::move_latency::TimedSearches;
use super::threads::ThreadPool;
use super::tt::{TranspositionTable, TtError};
use crate::game::{Evaluator, Heuristics};
use std::sync::Arc;

/// Tables up to this size in MiB are always zeroed in place, which keeps their pages mapped.
const ZEROED_IN_PLACE_MAX: usize = 16;

/// The state that one search leaves to the next. It is moved into the search thread and back, so that nothing
/// can resize it during a search.
#[derive(Debug)]
pub struct SearchState {
    /// Shared with the search threads while a search runs.
    pub(super) table: Arc<TranspositionTable>,
    pub(super) pool: ThreadPool,
    /// Whether a search has used this state since it was created or cleared.
    pub(super) dirty: bool,
    pub(super) timed_searches: TimedSearches,
}

impl SearchState {
    /// A state with a table of `megabytes` MiB and no threads yet.
    ///
    /// # Errors
    /// If the table cannot be allocated.
    pub fn new(megabytes: usize) -> Result<SearchState, TtError> {
        let table = Arc::new(TranspositionTable::new(megabytes)?);
        Ok(SearchState {
            table,
            pool: ThreadPool::default(),
            dirty: false,
            timed_searches: TimedSearches::default(),
        })
    }

    /// Allocates and prefaults the memory that a search with `settings` needs, as far as it is available; of the table at
    /// most `max_table_bytes`, which is called only if it is not in memory. Page faults would otherwise cost the first search
    /// of a game its time.
    pub fn prefault<G: Heuristics, E: Evaluator<G>>(
        &mut self,
        settings: &Settings,
        max_table_bytes: impl FnOnce() -> u64,
    ) {
        if !self.dirty {
            self.pool.resize(settings.threads);
            self.pool.prepare::<G, E>(settings.network.as_ref());
            if !self.table.is_prefaulted() {
                self.tt_mut().prefault(max_table_bytes());
            }
        }
    }

    /// The transposition table.
    pub fn table(&self) -> &TranspositionTable {
        &self.table
    }

    /// `&mut self` means that no search runs. A helper thread of the last search may still share the table until it ends.
    pub(super) fn tt_mut(&mut self) -> &mut TranspositionTable {
        self.pool.wait_for_helpers();
        Arc::get_mut(&mut self.table).expect("no search runs")
    }

    /// Forgets everything that could change a search, as for a new game. The threads stay.
    pub fn clear(&mut self) {
        if self.dirty {
            self.clear_table();
            self.forget_searches();
        }
    }

    /// Replaces the table by an empty one of `megabytes` MiB and clears the rest of the state. The threads stay.
    ///
    /// # Errors
    /// If the table cannot be allocated, or if it would leave too little memory for a search. The state is then unchanged.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), TtError> {
        let table = TranspositionTable::new(megabytes)?;
        if startable_threads(1) == 0 {
            return Err(TtError { megabytes });
        }
        self.table = Arc::new(table);
        self.forget_searches();
        Ok(())
    }

    /// A large table that was not prefaulted is replaced, which takes no time: only what searches used may be in memory.
    fn clear_table(&mut self) {
        let megabytes = self.table.megabytes();
        if megabytes > ZEROED_IN_PLACE_MAX
            && !self.table.is_prefaulted()
            && let Ok(empty) = TranspositionTable::new(megabytes)
        {
            self.table = Arc::new(empty);
        } else {
            self.tt_mut().clear();
        }
    }

    /// Clears everything except the table.
    fn forget_searches(&mut self) {
        self.pool.clear();
        self.timed_searches.clear();
        self.dirty = false;
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::tt::Entry;
    use super::*;
    use crate::game::{Bound, Depth, Ply, Score};

    #[test]
    fn table_after_failed_resize_is_kept() {
        let mut state = SearchState::new(2).unwrap();
        assert_eq!(state.resize(1 << 40), Err(TtError { megabytes: 1 << 40 }));
        assert_eq!(state.table().megabytes(), 2);
        assert_eq!(state.resize(3), Ok(()));
        assert_eq!(state.table().megabytes(), 3);
    }

    #[test]
    fn tables_of_any_size_after_clear_are_empty() {
        for megabytes in [1, 2 * ZEROED_IN_PLACE_MAX] {
            let mut state = SearchState::new(megabytes).unwrap();
            state.table().store(5, Ply::ROOT, Entry::new(Score::ZERO, Bound::Exact, Depth::ONE));
            state.dirty = true;
            state.clear();
            assert_eq!(state.table().probe(5, Ply::ROOT), None);
            assert_eq!(state.table().megabytes(), megabytes);
        }
    }
}
