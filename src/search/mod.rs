//! The search: iterative deepening alpha-beta over any [`Heuristics`] game, without text and I/O.

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

/// Searches `request` until a limit is reached or `control` sends [`Control::Stop`]; reports to `report` on
/// the way.
///
/// The calling thread is the main search thread. The thread pool of `state` provides the helper threads. A
/// panic of a thread does not unwind into the caller: the result then has its message and the best move so
/// far.
///
/// # Examples
///
/// ```
/// use duiyi::game::{Notation, NotationOptions};
/// use duiyi::games::chess::{Classical, Position};
/// use duiyi::search::{self, Limits, Report, SearchRequest, SearchState, Settings};
///
/// let mut state = SearchState::new(16)?;
/// let root = Position::start();
/// let limits = Limits::depth(6);
/// let request = SearchRequest { root: root.clone(), limits, settings: Settings::default() };
/// let result = search::run::<_, Classical>(request, &mut state, &crossbeam_channel::never(), &mut |report| {
///     if let Report::Iteration(iteration) = report {
///         println!("depth {:?}: {:?}", iteration.lines[0].depth, iteration.lines[0].score);
///     }
/// });
/// let best = result.best.expect("the start position has legal moves");
/// println!("best move {}", root.move_text(best, NotationOptions::default()));
/// # Ok::<(), search::TableError>(())
/// ```
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

/// A search that [`run_to_end`] has finished.
#[derive(Clone, Debug)]
pub struct FinishedSearch {
    /// The best move and the totals of the search.
    pub result: SearchResult,
    /// The last iteration that the search reported; `None` if a search with a window was stopped before its end.
    pub last: Option<IterationReport>,
}

/// A search ended without a usable result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search failed: {message}")]
pub struct SearchError {
    /// The message of the panic that ended the search.
    pub message: String,
}

/// Runs a search without a GUI, for tools: calls [`run`] and returns its result with the last iteration.
/// `on_report` gets each report. Without another thread that stops the search, `control` is
/// `crossbeam_channel::never()`.
///
/// # Errors
/// If the main search thread panicked.
///
/// # Examples
///
/// ```
/// use duiyi::game::{Notation, Ply, Score};
/// use duiyi::games::chess::{Classical, Position};
/// use duiyi::search::{self, Limits, SearchRequest, SearchState, Settings};
///
/// let mut state = SearchState::new(1).unwrap();
/// let root = Position::parse_position("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1").unwrap().game;
/// let request = SearchRequest { root, limits: Limits::depth(4), settings: Settings::default() };
/// let never = crossbeam_channel::never();
/// let search = search::run_to_end::<_, Classical>(request, &mut state, &never, &mut |_| {}).unwrap();
/// assert_eq!(search.last.unwrap().lines[0].score, Score::mate_in(Ply::new(1)));
/// ```
pub fn run_to_end<G: Heuristics, E: Evaluator<G>>(
    request: SearchRequest<G>,
    state: &mut SearchState,
    control: &Receiver<Control>,
    on_report: &mut dyn FnMut(&Report),
) -> Result<FinishedSearch, SearchError> {
    let mut last = None;
    let result = run::<G, E>(request, state, control, &mut |report| {
        on_report(&report);
        if let Report::Iteration(iteration) = report {
            last = Some(iteration);
        }
    });
    if let Some(message) = result.panic {
        return Err(SearchError { message });
    }
    Ok(FinishedSearch { result, last })
}
