//! The search: iterative deepening alpha-beta over any [`Heuristics`] game, without text and I/O.

mod aspiration;
mod attempts;
mod bisection;
mod control;
mod correction_history;
mod counters;
mod exact;
mod extensions;
pub mod fault_injection;
mod gravity;
mod history;
mod history_updates;
mod limits;
pub mod mate;
pub mod memory;
mod move_latency;
mod negamax;
mod node;
pub mod params;
mod picker;
mod proof;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod root;
mod shared_state;
mod state;
mod strength;
mod sync;
mod tablebase;
mod threads;
mod time;
#[cfg(all(test, not(loom)))]
mod time_simulation;
mod tt;
mod tt_slot;
mod worker;
pub mod worker_thread;

pub use control::{SearchControl, Stopped};
pub use counters::Counters;
pub use limits::{Limits, SearchRequest, Settings, Signal, Signals};
pub use move_latency::ClockState;
pub use report::{GoTimes, IterationReport, PvLine, Report, SearchResult, panic_message};
pub use state::SearchState;
pub use strength::{LEVELS, RATINGS, Strength};
pub use time::IterationStats;
pub use tt::{Entry, TranspositionTable, TtError};

use crate::game::{Evaluator, Heuristics};
use move_latency::{TimedSearch, next_roots};

/// Searches `request` until a limit is reached or `signals` sends [`Signal::Stop`]; reports to `report` on
/// the way.
///
/// The calling thread is the main search thread. The thread pool of `state` provides the helper threads. A
/// panic of a thread does not unwind into the caller: the result then has its message and the best move so
/// far.
///
/// # Examples
///
/// ```
/// use duiyi::game::{Notation};
/// use duiyi::games::chess::{Classical, Position};
/// use duiyi::search::{self, Limits, Report, SearchRequest, SearchState, Settings};
///
/// let mut state = SearchState::new(16)?;
/// let root = Position::start();
/// let limits = Limits::depth(6);
/// let request = SearchRequest::new(root.clone(), limits);
/// let result = search::run::<_, Classical>(request, &mut state, &crossbeam_channel::never(), &mut |report| {
///     if let Report::Iteration(iteration) = report {
///         println!("depth {:?}: {:?}", iteration.lines[0].depth, iteration.lines[0].score);
///     }
/// });
/// let best = result.best.expect("the start position has legal moves");
/// println!("best move {}", root.move_text(best));
/// # Ok::<(), search::TtError>(())
/// ```
pub fn run<G: Heuristics, E: Evaluator<G>>(
    mut request: SearchRequest<G>,
    state: &mut SearchState,
    signals: &dyn Signals,
    report: &mut dyn FnMut(Report),
) -> SearchResult {
    if let Some(strength) = request.settings.strength {
        request.limits.apply_strength(strength);
    }
    state.pool.resize(request.settings.threads);
    state.tt_mut().new_search();
    state.dirty = true;
    let timed = request.limits.clock.map(|clock| (clock, request.root.clone()));
    if let Some((clock, root)) = &timed {
        request.limits.move_latency = state.timed_searches.estimate(root.key(), *clock);
    }
    let latency = request.limits.move_latency;
    let mut search_control = SearchControl::new(&request.limits, &request.settings, signals);
    let mut result = SearchResult::default();
    state.pool.search::<G, E>(request, &state.table, &mut search_control, report, &mut result);
    let searched = search_control.elapsed();
    search_control.wait_for_stop();
    result.stopped = search_control.stop_requested;
    result.elapsed = search_control.elapsed();
    result.times.wait = (result.elapsed - searched).as_micros() as u64;
    if let (Some((clock, root)), Some(used)) = (timed, search_control.own_time_used()) {
        let next_roots = next_roots(root, result.best);
        state.timed_searches.push(TimedSearch { clock, used, latency, next_roots });
    }
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
/// `on_report` gets each report. Without another thread that stops the search, `signals` is
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
/// let root = Position::start().parse_position("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1").unwrap().game;
/// let request = SearchRequest::new(root, Limits::depth(4));
/// let never = crossbeam_channel::never();
/// let search = search::run_to_end::<_, Classical>(request, &mut state, &never, &mut |_| {}).unwrap();
/// assert_eq!(search.last.unwrap().lines[0].score, Score::mate_in(Ply::new(1)));
/// ```
pub fn run_to_end<G: Heuristics, E: Evaluator<G>>(
    request: SearchRequest<G>,
    state: &mut SearchState,
    signals: &dyn Signals,
    on_report: &mut dyn FnMut(&Report),
) -> Result<FinishedSearch, SearchError> {
    let mut last = None;
    let result = run::<G, E>(request, state, signals, &mut |report| {
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::move_latency::MoveLatency;
    use super::*;
    use crate::game::{Bound, Depth, Game, Move, MoveList, Outcome, Score, Side, Window};
    use std::time::Duration;

    /// A game in which each move takes one or two of the stones. Taking the last stone wins.
    #[derive(Clone)]
    struct Nim {
        stones: u16,
        side: Side,
    }

    impl Game for Nim {
        fn side_to_move(&self) -> Side {
            self.side
        }
        fn legal_moves(&self, moves: &mut MoveList) {
            moves.extend((1..=self.stones.min(2)).map(Move::new));
        }
        fn play(&mut self, mv: Move) {
            self.stones -= mv.bits();
            self.side = !self.side;
        }
        fn undo(&mut self, mv: Move) {
            self.side = !self.side;
            self.stones += mv.bits();
        }
        fn outcome(&self) -> Option<Outcome> {
            (self.stones == 0).then_some(Outcome::Win(!self.side))
        }
        fn key(&self) -> u64 {
            u64::from(self.stones) << 1 | self.side as u64
        }
    }

    impl Heuristics for Nim {
        fn is_near_move_limit(&self) -> bool {
            self.stones == 90
        }
    }

    #[derive(Default)]
    struct Zero;

    impl Evaluator<Nim> for Zero {
        fn evaluate(&mut self, _: &Nim) -> Score {
            Score::ZERO
        }
    }

    /// The latency before each of 20 moves of one game, whose clock loses 0.9 s per move. The process searches the
    /// positions of the sides for which `searches` holds.
    fn latencies(searches: impl Fn(Side) -> bool) -> Vec<MoveLatency> {
        let mut state = SearchState::new(1).unwrap();
        let mut root = Nim { stones: 100, side: Side::White };
        let mut latencies = Vec::new();
        for move_number in 0..20 {
            for side in Side::ALL {
                let mut best = Move::new(1);
                if searches(side) {
                    let remaining = Duration::from_millis(60_003 - 900 * move_number);
                    let clock = ClockState { remaining, increment: Duration::ZERO, moves_to_go: None };
                    latencies.push(state.timed_searches.estimate(root.key(), clock));
                    let limits = Limits { clock: Some(clock), ..Limits::depth(1) };
                    let request = SearchRequest::new(root.clone(), limits);
                    let signals = crossbeam_channel::never();
                    best = run::<Nim, Zero>(request, &mut state, &signals, &mut |_| {}).best.unwrap();
                }
                root.play(best);
            }
        }
        latencies
    }

    #[test]
    fn tt_score_near_a_move_limit_ends_no_node() {
        let cutoff = |stones| {
            let root = Nim { stones, side: Side::White };
            let (mut evaluator, mut histories) = (Zero, history::Histories::default());
            let never = crossbeam_channel::never();
            let mut control = SearchControl::new(&Limits::none(), &Settings::default(), &never);
            let (table, mut report) = (TranspositionTable::new(1).unwrap(), |_: Report| {});
            let worker = worker::Worker::new(
                root, &mut evaluator, &table, None, &mut histories, &mut control, &mut report,
            );
            let (depth, score) = (Entry::SOLVED, Score::new(7));
            let entry = Entry::new(score, Bound::Exact, depth);
            worker.tt_cutoff(Some(entry), Depth::ONE, Window::FULL)
        };
        assert_eq!([89, 90].map(cutoff), [Some(Score::new(7)), None]);
    }

    #[test]
    fn latency_is_measured_from_the_second_move_of_a_side() {
        for latencies in [latencies(|side| side == Side::Black), latencies(|_| true)] {
            let sides = if latencies.len() == 20 { 1 } else { 2 };
            let (first, later) = latencies.split_at(sides);
            assert!(first.iter().all(|&latency| latency == MoveLatency::default()));
            let last = &later[later.len() - sides..];
            assert!(last.iter().all(|latency| latency.mean() > Duration::ZERO), "{later:?}");
        }
    }
}
