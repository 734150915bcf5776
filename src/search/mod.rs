//! Iterative deepening over any game. Knows no particular game, no text and no stdout.

mod aspiration;
mod control;
mod correction_history;
mod elo_limit;
mod extensions;
pub mod fault_injection;
mod gravity;
mod history;
mod limits;
pub mod memory;
mod move_latency;
mod negamax;
mod node;
pub mod params;
mod picker;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod root;
mod shared_state;
mod state;
mod sync;
mod table;
mod threads;
mod time;
mod tt_slot;
mod worker;
pub mod worker_thread;

pub use control::{SearchControl, Stopped};
pub use limits::{Control, Limits, SearchRequest, Settings};
pub use move_latency::ClockState;
pub use report::{IterationReport, PvLine, Report, SearchResult, panic_message};
pub use state::SearchState;
pub use table::{Entry, TableError, TranspositionTable};
pub use time::IterationStats;

use crate::game::{Evaluator, Heuristics};
use crossbeam_channel::Receiver;

/// Searches `task` in the calling thread, and in as many more as the settings say, until a limit is
/// reached or `control` says stop, and keeps `report` posted. A panic is caught, and the best move known
/// by then given: that is kept outside of what may panic.
pub fn run<G: Heuristics, E: Evaluator<G>>(
    mut request: SearchRequest<G>,
    state: &mut SearchState,
    control: &Receiver<Control>,
    report: &mut dyn FnMut(Report),
) -> SearchResult {
    elo_limit::apply_elo_limit(&mut request.limits, &request.settings);
    state.pool.resize(request.settings.threads);
    state.table_mut().new_search();
    state.dirty = true;
    state.move_latency.begin(request.limits.clock);
    request.limits.move_latency = state.move_latency;
    let mut search_control = SearchControl::new(&request.limits, &request.settings, control);
    let mut result = SearchResult::default();
    state.pool.search::<G, E>(request, &state.table, &mut search_control, report, &mut result);
    search_control.wait_for_stop();
    result.stopped = search_control.stop_requested();
    result.elapsed = search_control.elapsed();
    state.move_latency.end(search_control.own_time_used());
    result
}
