//! Lazy SMP: all threads search the same root and share the transposition table; a vote selects the best
//! thread (<https://www.chessprogramming.org/Lazy_SMP>).

use super::control::SearchControl;
use super::history::Histories;
use super::limits::{Limits, SearchRequest, TablebaseProbe};
use super::memory::{Prefault, THREAD_DATA_BYTES, can_allocate, startable_threads};
use super::node::RootMove;
use super::params::{HELPER_WAIT_DIVISOR, MIN_TIME_FOR_HELPERS, VOTE_SCORE_OFFSET};
use super::report::{GoTimes, IterationReport, PvLine, Report, SearchResult, panic_message};
use super::tt::TranspositionTable;
use super::worker::Worker;
use super::worker_thread::{WorkerThread, recv_parked};
use crate::clock::Instant;
use crate::game::{Bound, Depth, Evaluator, Heuristics, Move, Score};
use crate::nnue::Network;
use crossbeam_channel::{Receiver, bounded, unbounded};
use std::any::Any;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The data of one thread that is kept from one search to the next.
#[derive(Debug)]
pub struct ThreadData {
    histories: Histories,
    /// An evaluator of some game, or `()`.
    evaluator: Box<dyn Any + Send>,
    network: Option<Arc<Network>>,
}

impl Default for ThreadData {
    fn default() -> ThreadData {
        ThreadData { histories: Histories::default(), evaluator: Box::new(()), network: None }
    }
}

impl ThreadData {
    /// Recovers from a panic and returns its message. The evaluator may be inconsistent, so it is dropped.
    fn recover_from_panic(&mut self, panic: &(dyn Any + Send)) -> String {
        self.evaluator = Box::new(());
        panic_message(panic)
    }

    /// Allocates the memory that a search of `G` with `network` needs, if enough is available. Returns whether the
    /// thread can search.
    pub fn allocate_for<G: Heuristics, E: Evaluator<G>>(&mut self, network: Option<&Arc<Network>>) -> bool {
        let has_memory = self.has_evaluator::<E>(network) || can_allocate(THREAD_DATA_BYTES);
        if has_memory {
            let (histories, _) = self.evaluator_mut::<G, E>(network);
            histories.resize_for::<G>(Prefault::Now);
        }
        has_memory
    }

    /// Runs one thread's search and returns its result. Calls `ready` after all allocations, before the search.
    fn search<G: Heuristics, E: Evaluator<G>>(
        &mut self,
        SearchRequest { root, limits, settings, tablebase }: SearchRequest<G>,
        table: &TranspositionTable,
        control: &mut SearchControl,
        report: &mut dyn FnMut(Report),
        search_result: &mut SearchResult,
        ready: impl FnOnce(),
    ) -> Option<ThreadResult> {
        let (histories, evaluator) = self.evaluator_mut::<G, E>(settings.network.as_ref());
        let probing = settings.probing;
        let tablebase = tablebase.map(|tablebase| TablebaseProbe { tablebase, probing });
        let mut worker = Worker::new(root, evaluator, table, tablebase, histories, control, report);
        ready();
        worker.iterative_deepening(&limits, &settings, search_result);
        worker.result(search_result)
    }

    /// Whether the evaluator of the last search evaluates by `network` too.
    fn has_evaluator<E: 'static>(&self, network: Option<&Arc<Network>>) -> bool {
        self.evaluator.is::<E>() && self.network.as_ref().map(Arc::as_ptr) == network.map(Arc::as_ptr)
    }

    /// The histories and the evaluator. The evaluator is replaced if the last search used another one.
    fn evaluator_mut<G: Heuristics, E: Evaluator<G>>(
        &mut self,
        network: Option<&Arc<Network>>,
    ) -> (&mut Histories, &mut E) {
        if !self.has_evaluator::<E>(network) {
            self.evaluator = Box::new(E::new(network));
            self.network = network.cloned();
        }
        (&mut self.histories, self.evaluator.downcast_mut().expect("it is one now"))
    }
}

#[derive(Clone, Debug)]
struct ThreadResult {
    line: PvLine,
    mv: Move,
    ponder: Option<Move>,
    solved: bool,
}

/// What a helper thread sends at its end: its index among the helpers, its data, and its result or the message of its panic.
type HelperEnd = (usize, ThreadData, Result<Option<ThreadResult>, String>);

/// Threads beyond this start and allocate with the first search: to prefault or zero the data of a thousand takes seconds.
const MAX_PREPARED: usize = 128;

/// The search threads: the calling thread, and helper threads that sleep between searches.
#[derive(Debug, Default)]
pub struct ThreadPool {
    /// The data of each thread; the first is the calling thread's.
    thread_data: Vec<ThreadData>,
    /// The helper threads; fewer than requested if some could not be started.
    threads: Vec<WorkerThread>,
    /// The ends of the helper threads of the last search; `None` before the first one.
    helper_ends: Option<Receiver<HelperEnd>>,
    /// The messages of panics of helper threads that no search has reported yet.
    helper_panics: Vec<String>,
}

impl ThreadPool {
    /// Sets the number of threads, at least 1. [`ThreadPool::prepare`] or the next search starts the helper threads.
    pub fn resize(&mut self, threads: usize) {
        self.wait_for_helpers();
        let threads = threads.max(1);
        self.thread_data.resize_with(threads, ThreadData::default);
        self.threads.truncate(threads - 1);
    }

    /// Starts the helper threads, and allocates and prefaults the memory that a search of `G` with `network` needs. Each
    /// thread does so for itself: in turn, 64 of them would take 0.3 s. Threads that cannot be started are left to the search, which
    /// reports them.
    pub fn prepare<G: Heuristics, E: Evaluator<G>>(&mut self, network: Option<&Arc<Network>>) {
        self.wait_for_helpers();
        let Some((main_data, helper_data)) = self.thread_data.split_first_mut() else { return };
        let helper_count = helper_data.len().min(MAX_PREPARED - 1);
        let missing = helper_count.saturating_sub(self.threads.len());
        // One is left for the calling thread of the search, which may not run yet.
        let startable = self.threads.len() + startable_threads(missing + 1).saturating_sub(1);
        let _ = start_threads(&mut self.threads, helper_count.min(startable));
        let (ends_tx, helper_ends) = unbounded();
        for (index, (thread, data)) in self.threads.iter().zip(helper_data).enumerate().take(helper_count) {
            let (mut data, network, ends_tx) = (std::mem::take(data), network.cloned(), ends_tx.clone());
            thread.submit(move || {
                let done = catch_unwind(AssertUnwindSafe(|| data.allocate_for::<G, E>(network.as_ref())));
                let result = done.map(|_| None).map_err(|panic| data.recover_from_panic(&*panic));
                // Without a receiver the pool was dropped.
                let _ = ends_tx.send((index, data, result));
            });
        }
        drop(ends_tx);
        self.helper_ends = Some(helper_ends);
        main_data.allocate_for::<G, E>(network);
        self.wait_for_helpers();
    }

    /// Forgets everything that could change a search, and keeps the threads.
    pub fn clear(&mut self) {
        self.wait_for_helpers();
        for (index, data) in self.thread_data.iter_mut().enumerate() {
            if index < MAX_PREPARED {
                data.histories.clear();
            } else {
                data.histories = Histories::default();
            }
        }
    }

    /// Waits for the helper threads of the last search. They were stopped and end once they get a core.
    pub fn wait_for_helpers(&mut self) {
        self.collect_helpers(None);
    }

    /// Takes back the helpers' data and returns their results. Those that run beyond `deadline` are left for the next call.
    fn collect_helpers(&mut self, deadline: Option<Instant>) -> Vec<ThreadResult> {
        let mut results = Vec::new();
        let next = |ends: &Receiver<HelperEnd>| recv_parked(ends, deadline);
        while let Some((index, data, result)) = self.helper_ends.as_ref().and_then(next) {
            self.thread_data[1 + index] = data;
            match result {
                Ok(result) => results.extend(result),
                Err(message) => self.helper_panics.push(message),
            }
        }
        results
    }

    /// Searches `request` with all threads. The calling thread alone polls the signals, reports and
    /// decides when to stop. If helper threads cannot be started, reports it and searches without them. With a time
    /// limit, the results of helper threads that end too late are not used.
    pub fn search<G: Heuristics, E: Evaluator<G>>(
        &mut self,
        mut request: SearchRequest<G>,
        table: &Arc<TranspositionTable>,
        control: &mut SearchControl,
        report: &mut dyn FnMut(Report),
        search_result: &mut SearchResult,
    ) {
        let (main_data, helper_data) = self.thread_data.split_first_mut().expect("a search has a thread");
        let (shared, time_limit) = (control.shared.clone(), control.time.hard);
        if !main_data.allocate_for::<G, E>(request.settings.network.as_ref()) {
            search_result.panic = Some("not enough memory for a search".into());
            return;
        }
        let has_time = time_limit.is_none_or(|limit| limit >= MIN_TIME_FOR_HELPERS);
        let helper_data = if has_time { helper_data } else { &mut [] };
        if let Err(reason) = start_threads(&mut self.threads, helper_data.len()) {
            let reason = reason.to_string();
            report(Report::FewerThreads { running: self.threads.len() + 1, reason });
        }
        request.settings.threads = 1 + helper_data.len().min(self.threads.len());
        // The threads start together: a thread that searches early would delay the start of the others.
        let (start_tx, start_rx) = bounded::<()>(0);
        let (ends_tx, helper_ends) = unbounded();
        self.helper_ends = Some(helper_ends);
        for (index, (data, thread)) in helper_data.iter_mut().zip(&self.threads).enumerate() {
            // Helper threads have no limit of time or depth: the main thread stops them. All threads share the node limit.
            let (searchmoves, window) = (request.limits.searchmoves.clone(), request.limits.window);
            let limits = Limits { searchmoves, window, ..Limits::none() };
            let request = SearchRequest { limits, ..request.clone() };
            let (mut data, mut control) = (std::mem::take(data), control.helper(index + 1));
            let (table, start_rx, ends_tx) = (table.clone(), start_rx.clone(), ends_tx.clone());
            thread.submit(move || {
                let searched = catch_unwind(AssertUnwindSafe(|| {
                    let ready = || {
                        // The main thread starts all helpers by dropping `start_tx`.
                        let _ = start_rx.recv();
                    };
                    data.search::<G, E>(
                        request,
                        &table,
                        &mut control,
                        &mut |_| {},
                        &mut SearchResult::default(),
                        ready,
                    )
                }));
                let result = searched.map_err(|panic| data.recover_from_panic(&*panic));
                drop(table);
                // Without a receiver the pool was dropped.
                let _ = ends_tx.send((index, data, result));
            });
        }
        drop((start_tx, ends_tx));
        let voting = uses_voting(&request);
        let started = control.elapsed();
        let main_search = catch_unwind(AssertUnwindSafe(|| {
            main_data.search::<G, E>(request, table, control, report, search_result, || {})
        }));
        shared.stop();
        let searched = control.elapsed();
        let helper_results =
            self.collect_helpers(time_limit.map(|limit| Instant::now() + limit / HELPER_WAIT_DIVISOR));
        let [start, search, helpers] =
            [started, searched - started, control.elapsed() - searched].map(|time| time.as_micros() as u64);
        search_result.times = GoTimes { start, search, helpers, wait: 0 };
        search_result.helper_panics = std::mem::take(&mut self.helper_panics);
        search_result.nodes = shared.nodes();
        *search_result.counters = shared.counters();
        let main_result = match main_search {
            Ok(main_result) => main_result,
            Err(panic) => {
                search_result.panic = Some(self.thread_data[0].recover_from_panic(&*panic));
                None
            }
        };
        let proof = helper_results.iter().find(|result| result.solved).filter(|_| !search_result.solved);
        let voted = main_result.as_ref().filter(|_| voting).and_then(|main_result| {
            Some(best_result(main_result, &helper_results)).filter(|best| best.mv != main_result.mv)
        });
        if let Some(best) = proof.or(voted) {
            (search_result.best, search_result.ponder) = (Some(best.mv), best.ponder);
            search_result.solved = best.solved;
            report(Report::Iteration(IterationReport {
                lines: vec![best.line.clone()],
                nodes: search_result.nodes,
                elapsed: control.elapsed(),
                hashfull: table.hashfull(),
                tb_hits: shared.tb_hits(),
            }));
        }
    }
}

/// Starts threads until there are `count`; an error if one fails or would have too little memory. Those before it run.
fn start_threads(threads: &mut Vec<WorkerThread>, count: usize) -> std::io::Result<()> {
    let startable = threads.len() + startable_threads(count.saturating_sub(threads.len()));
    while threads.len() < count {
        let has_memory = threads.len() < startable;
        threads.push(if has_memory { WorkerThread::spawn() } else { Err(ErrorKind::OutOfMemory.into()) }?);
    }
    Ok(())
}

/// Whether the threads vote. With a fixed depth, MultiPV or a strength limit the main thread's result counts, and also
/// in a game that is searched exactly: it may be the value of the game, and the others' only estimates.
fn uses_voting<G: Heuristics>(SearchRequest { limits, settings, .. }: &SearchRequest<G>) -> bool {
    G::SELECTIVE && limits.depth.is_none() && settings.multipv == 1 && settings.strength.is_none()
}

/// The result whose move has the most votes. A thread's vote is its depth times its score above the lowest
/// score. A win beats all votes; the faster win is better. Results less than half as deep as the main thread's
/// have no vote: several optimistic scores of depth 1 would outweigh one of depth 6.
fn best_result<'a>(main_result: &'a ThreadResult, helper_results: &'a [ThreadResult]) -> &'a ThreadResult {
    let is_eligible = |result: &&ThreadResult| {
        2 * result.line.depth.plies() >= main_result.line.depth.plies() || result.line.score.is_win()
    };
    let voters = || std::iter::once(main_result).chain(helper_results.iter().filter(is_eligible));
    let lowest = voters().map(|result| result.line.score).min().unwrap_or(Score::ZERO);
    let votes = |mv: Move| -> i64 {
        let vote = |result: &ThreadResult| {
            i64::from(result.line.score - lowest + VOTE_SCORE_OFFSET) * i64::from(result.line.depth.plies())
        };
        voters().filter(|result| result.mv == mv).map(vote).sum()
    };
    voters().fold(main_result, |best, result| {
        let is_better = if best.line.score.is_win() || result.line.score.is_win() {
            result.line.score > best.line.score
        } else {
            votes(result.mv) > votes(best.mv)
        };
        if is_better { result } else { best }
    })
}

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// `None` before the first complete iteration, or while the line is only a bound of an unsolved position. Publishes the final
    /// node count.
    fn result(&self, search_result: &SearchResult) -> Option<ThreadResult> {
        self.control.publish_nodes(self.nodes);
        self.control.shared.add_counters(&self.counters);
        let SearchResult { ponder, solved, .. } = *search_result;
        let is_complete = |root: &&RootMove| {
            self.completed_depth > Depth::ZERO && (root.line.bound == Bound::Exact || solved)
        };
        let root = self.root_moves.first().filter(is_complete)?;
        Some(ThreadResult { line: self.pv_line(root), mv: root.mv, ponder, solved })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::game::Ply;

    fn result_of(mv: u16, score: Score, depth: i32) -> ThreadResult {
        let mv = Move::new(mv);
        let line = PvLine::exact(Depth::new(depth), Ply::ROOT, score, vec![mv]);
        ThreadResult { line, mv, ponder: None, solved: false }
    }

    #[test]
    fn best_result_by_votes_prefers_majority_and_depth() {
        let main_result = result_of(1, Score::new(10), 10);
        let helper_results = [result_of(2, Score::new(12), 10), result_of(2, Score::new(11), 10)];
        assert_eq!(best_result(&main_result, &helper_results).mv, Move::new(2));
        assert_eq!(best_result(&main_result, &[result_of(2, Score::new(10), 9)]).mv, Move::new(1));
        assert_eq!(best_result(&main_result, &[result_of(2, Score::new(10), 14)]).mv, Move::new(2));
        assert_eq!(best_result(&main_result, &[]).mv, Move::new(1));
    }

    #[test]
    fn best_result_ignores_shallow_results_without_a_mate() {
        let main_result = result_of(1, Score::new(-289), 6);
        let shallow = [1, 1, 2, 2].map(|depth| result_of(2, Score::new(-231), depth));
        assert_eq!(best_result(&main_result, &shallow).mv, Move::new(1));
        assert_eq!(best_result(&main_result, &[result_of(2, Score::new(-231), 3)]).mv, Move::new(2));
        let mate = result_of(2, Score::mate_in(Ply::new(1)), 1);
        assert_eq!(best_result(&main_result, &[mate]).mv, Move::new(2));
    }

    #[test]
    fn best_result_with_a_mate_needs_no_majority() {
        let main_result = result_of(1, Score::mate_in(Ply::new(9)), 10);
        let helper_results =
            [result_of(2, Score::mate_in(Ply::new(5)), 8), result_of(3, Score::new(900), 30)];
        assert_eq!(best_result(&main_result, &helper_results).mv, Move::new(2));
    }
}
