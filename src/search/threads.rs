//! Lazy SMP: several threads search the same root and share nothing but the table; what one finds
//! there speeds up the others, and in the end they vote
//! (<https://www.chessprogramming.org/Lazy_SMP>).

use super::control::SearchControl;
use super::history::Histories;
use super::limits::{Limits, SearchRequest};
use super::memory::{AllocReserve, Prefault, RESERVE_BYTES, STACK_BYTES, THREAD_DATA_BYTES, can_allocate};
use super::params::VOTE_SCORE_OFFSET;
use super::report::{IterationReport, PvLine, Report, SearchResult, panic_message};
use super::table::TranspositionTable;
use super::worker::Worker;
use super::worker_thread::WorkerThread;
use crate::game::{Bound, Evaluator, Heuristics, Move, Score};
use crossbeam_channel::{bounded, unbounded};
use std::any::Any;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What one thread has learned and takes into the next search.
#[derive(Debug)]
pub struct ThreadData {
    histories: Histories,
    evaluator: Box<dyn Any + Send>,
}

impl Default for ThreadData {
    fn default() -> ThreadData {
        ThreadData { histories: Histories::default(), evaluator: Box::new(()) }
    }
}

impl ThreadData {
    /// Forgets everything that could change a search. What an evaluator remembers only saves it work.
    pub fn clear(&mut self) {
        self.histories.clear();
    }

    /// The thread has panicked, with this message. Its evaluator may have been at work and is not trusted any more.
    fn recover_from_panic(&mut self, panic: &(dyn Any + Send)) -> String {
        self.evaluator = Box::new(());
        panic_message(panic)
    }

    /// Takes the memory that a search of `G` needs, unless it has it or there is not enough. Gives whether it has it.
    pub fn allocate_for<G: Heuristics, E: Evaluator<G>>(&mut self) -> bool {
        let has_memory = self.evaluator.is::<E>() || can_allocate(THREAD_DATA_BYTES);
        if has_memory {
            self.evaluator_mut::<E>().0.resize_for::<G>(Prefault::Now);
        }
        has_memory
    }

    /// What one thread does of a search, and what it then thinks; it begins when `ready` comes back.
    fn search<G: Heuristics, E: Evaluator<G>>(
        &mut self,
        SearchRequest { root, limits, settings }: SearchRequest<G>,
        table: &TranspositionTable,
        control: &mut SearchControl,
        report: &mut dyn FnMut(Report),
        search_result: &mut SearchResult,
        ready: impl FnOnce(),
    ) -> Option<ThreadResult> {
        let (histories, evaluator) = self.evaluator_mut::<E>();
        let mut worker = Worker::new(root, evaluator, table, histories, control, report);
        ready();
        worker.iterative_deepening(&limits, &settings, search_result);
        worker.result(search_result)
    }

    /// The histories, and the evaluator that the last search left or a new one if that was another kind.
    fn evaluator_mut<E: Default + Send + 'static>(&mut self) -> (&mut Histories, &mut E) {
        if !self.evaluator.is::<E>() {
            self.evaluator = Box::new(E::default());
        }
        (&mut self.histories, self.evaluator.downcast_mut().expect("it is one now"))
    }
}

/// What one thread thinks is best.
#[derive(Clone, Debug)]
struct ThreadResult {
    line: PvLine,
    mv: Move,
    ponder: Option<Move>,
}

/// Whether so many more threads can begin at once without a look at what memory is left.
fn can_spawn_all(threads: usize) -> bool {
    /// Address space that the system's allocator takes for a moment for a thread's own heap; it makes so many at most.
    const HEAP: usize = 128 << 20;
    const HEAPS: usize = 32;
    can_allocate(threads * (STACK_BYTES + THREAD_DATA_BYTES) + threads.min(HEAPS) * HEAP + RESERVE_BYTES)
}

/// The ballast of one more thread beside those that run, if there is memory for it. All others must be quiet: to ask takes for a
/// moment what they might need.
fn try_reserve_for_thread(running: usize) -> std::io::Result<AllocReserve> {
    /// What a thread needs that has no heap of its own.
    const NO_HEAP: usize = 8 << 20;
    let enough = can_allocate(STACK_BYTES + NO_HEAP + 2 * RESERVE_BYTES + (running << 20));
    enough.then(AllocReserve::new).flatten().ok_or(ErrorKind::OutOfMemory.into())
}

/// Those who search: the calling thread, and helpers that sleep between two searches.
#[derive(Debug, Default)]
pub struct ThreadPool {
    /// One for each thread, the first for the calling one.
    thread_data: Vec<ThreadData>,
    /// The helpers; fewer where some could not be had.
    threads: Vec<WorkerThread>,
}

impl ThreadPool {
    /// For so many threads, at least one.
    pub fn resize(&mut self, threads: usize) {
        let threads = threads.max(1);
        self.thread_data.resize_with(threads, ThreadData::default);
        self.threads.truncate(threads - 1);
    }

    /// Takes the memory that a search of `G` needs.
    pub fn prepare<G: Heuristics, E: Evaluator<G>>(&mut self) {
        /// More threads than this take their memory when they begin.
        const MAX_PREPARED: usize = 16;
        for data in self.thread_data.iter_mut().take(MAX_PREPARED) {
            data.allocate_for::<G, E>();
        }
    }

    /// Forgets everything that could change a search.
    pub fn clear(&mut self) {
        self.thread_data.iter_mut().for_each(ThreadData::clear);
    }

    /// Searches `task` with all threads, of which the calling one alone listens, reports and decides when to end. Threads
    /// that cannot be had are told of and missed.
    pub fn search<G: Heuristics, E: Evaluator<G>>(
        &mut self,
        request: SearchRequest<G>,
        table: &Arc<TranspositionTable>,
        control: &mut SearchControl,
        report: &mut dyn FnMut(Report),
        search_result: &mut SearchResult,
    ) {
        let (main_data, helper_data) = self.thread_data.split_first_mut().expect("a search has a thread");
        let shared = control.shared();
        if !main_data.allocate_for::<G, E>() {
            search_result.panic = Some("no memory left to search in".into());
            return;
        }
        let can_spawn_freely = can_spawn_all(helper_data.len() - self.threads.len());
        // Nobody searches before all threads are there: they would keep the others from the processor.
        let (start_tx, start_rx) = bounded::<()>(0);
        let (results_tx, results_rx) = unbounded();
        for (index, data) in helper_data.iter_mut().enumerate() {
            if index == self.threads.len() {
                let reserve =
                    if can_spawn_freely { Ok(None) } else { try_reserve_for_thread(index + 1).map(Some) };
                match reserve.and_then(WorkerThread::spawn) {
                    Ok(thread) => self.threads.push(thread),
                    Err(reason) => {
                        let reason = reason.to_string();
                        report(Report::FewerThreads { running: index + 1, reason });
                        break;
                    }
                }
            }
            // Boundless: the first thread says when to end.
            let limits = Limits { searchmoves: request.limits.searchmoves.clone(), ..Limits::none() };
            let request = SearchRequest { limits, ..request.clone() };
            let (mut data, mut control) = (std::mem::take(data), control.helper(index + 1));
            let (table, start_rx, results_tx) = (table.clone(), start_rx.clone(), results_tx.clone());
            // What the thread drops when it has all the memory that it needs.
            let (ready_tx, ready_rx) = bounded::<()>(0);
            self.threads[index].submit(move || {
                let searched = catch_unwind(AssertUnwindSafe(|| {
                    let ready = || {
                        drop(ready_tx);
                        // Opens by being dropped.
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
                // Somebody waits for it.
                let _ = results_tx.send((index, data, result));
            });
            if !can_spawn_freely {
                let _ = ready_rx.recv();
            }
        }
        drop((start_tx, results_tx));
        let voting = uses_voting(&request);
        let searched = catch_unwind(AssertUnwindSafe(|| {
            main_data.search::<G, E>(request, table, control, report, search_result, || {})
        }));
        shared.stop();
        let mut helper_results = Vec::new();
        for (index, data, result) in results_rx {
            helper_data[index] = data;
            match result {
                Ok(result) => helper_results.extend(result),
                Err(message) => search_result.helper_panics.push(message),
            }
        }
        search_result.nodes = shared.nodes();
        let main_result = match searched {
            Ok(main_result) => main_result,
            Err(panic) => {
                search_result.panic = Some(main_data.recover_from_panic(&*panic));
                None
            }
        };
        if let Some(main_result) = main_result.filter(|_| voting && !helper_results.is_empty()) {
            let best = best_thread(&main_result, &helper_results);
            if best.mv != main_result.mv {
                (search_result.best, search_result.ponder) = (Some(best.mv), best.ponder);
                report(Report::Block(IterationReport {
                    lines: vec![best.line.clone()],
                    nodes: search_result.nodes,
                    elapsed: control.elapsed(),
                    hashfull: table.hashfull(),
                }));
            }
        }
    }
}

/// Whether the threads vote: a fixed depth and several lines ask for what one thread has seen, a limited strength too.
fn uses_voting<G>(SearchRequest { limits, settings, .. }: &SearchRequest<G>) -> bool {
    limits.depth.is_none() && settings.multipv == 1 && settings.elo.is_none()
}

/// The opinion whose move has the most votes. Depth and score give an opinion weight; a forced win counts
/// most, the sooner the better.
fn best_thread<'a>(main_result: &'a ThreadResult, helper_results: &'a [ThreadResult]) -> &'a ThreadResult {
    let all = || std::iter::once(main_result).chain(helper_results);
    let lowest = all().map(|result| result.line.score).min().unwrap_or(Score::ZERO);
    let votes = |mv: Move| -> i64 {
        let weight = |result: &ThreadResult| {
            i64::from(result.line.score - lowest + VOTE_SCORE_OFFSET) * i64::from(result.line.depth.plies())
        };
        all().filter(|result| result.mv == mv).map(weight).sum()
    };
    all().fold(main_result, |best, result| {
        let better = if best.line.score.is_win() || result.line.score.is_win() {
            result.line.score > best.line.score
        } else {
            votes(result.mv) > votes(best.mv)
        };
        if better { result } else { best }
    })
}

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// What the thread thinks is best, if it finished anything. Its nodes are all counted with that.
    fn result(&self, search_result: &SearchResult) -> Option<ThreadResult> {
        self.control.publish_nodes(self.nodes);
        let root = self.root_moves.first().filter(|root| root.line.bound == Bound::Exact)?;
        Some(ThreadResult { line: root.line.clone(), mv: root.mv, ponder: search_result.ponder })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::game::{Depth, Ply};

    fn result(mv: u16, score: Score, depth: i32) -> ThreadResult {
        let mv = Move::new(mv);
        let line = PvLine {
            depth: Depth::new(depth),
            seldepth: Ply::ROOT,
            score,
            bound: Bound::Exact,
            pv: vec![mv],
        };
        ThreadResult { line, mv, ponder: None }
    }

    #[test]
    fn the_many_and_the_deep_outvote_the_few() {
        let main_result = result(1, Score::new(10), 10);
        let helper_results = [result(2, Score::new(12), 10), result(2, Score::new(11), 10)];
        assert_eq!(best_thread(&main_result, &helper_results).mv, Move::new(2));
        assert_eq!(best_thread(&main_result, &[result(2, Score::new(10), 9)]).mv, Move::new(1));
        assert_eq!(best_thread(&main_result, &[result(2, Score::new(10), 14)]).mv, Move::new(2));
        assert_eq!(best_thread(&main_result, &[]).mv, Move::new(1));
    }

    #[test]
    fn a_forced_win_needs_no_majority() {
        let main_result = result(1, Score::mate_in(Ply::new(9)), 10);
        let helper_results = [result(2, Score::mate_in(Ply::new(5)), 8), result(3, Score::new(900), 30)];
        assert_eq!(best_thread(&main_result, &helper_results).mv, Move::new(2));
    }
}
