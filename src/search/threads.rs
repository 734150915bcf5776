//! Lazy SMP: several threads search the same root and share nothing but the table; what one finds
//! there speeds up the others, and in the end they vote
//! (<https://www.chessprogramming.org/Lazy_SMP>).

use super::control::SearchControl;
use super::history::Histories;
use super::limits::Limits;
use super::memory::{Ballast, Prefault, RESERVE_BYTES, STACK_BYTES, THREAD_DATA_BYTES, can_allocate};
use super::report::{IterationReport, PvLine, Report, SearchResult};
use super::sync::{AtomicBool, AtomicU64, Relaxed};
use super::table::TranspositionTable;
use super::worker::Worker;
use super::worker_thread::WorkerThread;
use super::{SearchRequest, panic_message};
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
    pub fn fit<G: Heuristics, E: Evaluator<G>>(&mut self) -> bool {
        let fits = self.evaluator.is::<E>() || can_allocate(THREAD_DATA_BYTES);
        if fits {
            self.evaluator_mut::<E>().0.resize_for::<G>(Prefault::Now);
        }
        fits
    }

    /// What one thread does of a search, and what it then thinks; it begins when `ready` comes back.
    fn search<G: Heuristics, E: Evaluator<G>>(
        &mut self,
        SearchRequest { root, limits, settings }: SearchRequest<G>,
        table: &TranspositionTable,
        stopper: &mut SearchControl,
        report: &mut dyn FnMut(Report),
        finish: &mut SearchResult,
        ready: impl FnOnce(),
    ) -> Option<ThreadResult> {
        let (histories, evaluator) = self.evaluator_mut::<E>();
        let mut worker = Worker::new(root, evaluator, table, histories, stopper, report);
        ready();
        worker.iterative_deepening(&limits, &settings, finish);
        worker.result(finish)
    }

    /// The histories, and the evaluator that the last search left or a new one if that was another kind.
    fn evaluator_mut<E: Default + Send + 'static>(&mut self) -> (&mut Histories, &mut E) {
        if !self.evaluator.is::<E>() {
            self.evaluator = Box::new(E::default());
        }
        (&mut self.histories, self.evaluator.downcast_mut().expect("it is one now"))
    }
}

/// What the threads of one search tell each other.
#[derive(Debug)]
pub struct SharedState {
    stopped: AtomicBool,
    nodes: Box<[NodeCounter]>,
}

/// A thread's nodes as of its last look at the clock, in a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct NodeCounter(AtomicU64);

impl SharedState {
    /// For so many threads.
    pub fn new(threads: usize) -> SharedState {
        SharedState {
            stopped: AtomicBool::new(false),
            nodes: std::iter::repeat_with(NodeCounter::default).take(threads).collect(),
        }
    }

    /// Ends the search of every thread.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether it was ended.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// `thread` has searched so many nodes.
    #[inline]
    pub fn set_nodes(&self, thread: usize, nodes: u64) {
        self.nodes[thread].0.store(nodes, Relaxed);
    }

    /// Nodes of all threads, as of their last counts.
    pub fn nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Relaxed)).sum()
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
fn is_roomy(threads: usize) -> bool {
    /// Address space that the system's allocator takes for a moment for a thread's own heap; it makes so many at most.
    const HEAP: usize = 128 << 20;
    const HEAPS: usize = 32;
    can_allocate(threads * (STACK_BYTES + THREAD_DATA_BYTES) + threads.min(HEAPS) * HEAP + RESERVE_BYTES)
}

/// The ballast of one more thread beside those that run, if there is memory for it. All others must be quiet: to ask takes for a
/// moment what they might need.
fn one_more(running: usize) -> std::io::Result<Ballast> {
    /// What a thread needs that has no heap of its own.
    const NO_HEAP: usize = 8 << 20;
    let room = can_allocate(STACK_BYTES + NO_HEAP + 2 * RESERVE_BYTES + (running << 20));
    room.then(Ballast::load).flatten().ok_or(ErrorKind::OutOfMemory.into())
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
        const MOST: usize = 16;
        for mind in self.thread_data.iter_mut().take(MOST) {
            mind.fit::<G, E>();
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
        task: SearchRequest<G>,
        table: &Arc<TranspositionTable>,
        stopper: &mut SearchControl,
        report: &mut dyn FnMut(Report),
        finish: &mut SearchResult,
    ) {
        let (first, others) = self.thread_data.split_first_mut().expect("a search has a thread");
        let shared = stopper.shared();
        if !first.fit::<G, E>() {
            finish.panic = Some("no memory left to search in".into());
            return;
        }
        let roomy = is_roomy(others.len() - self.threads.len());
        // Nobody searches before all threads are there: they would keep the others from the processor.
        let (open, gate) = bounded::<()>(0);
        let (tell, told) = unbounded();
        for (index, mind) in others.iter_mut().enumerate() {
            if index == self.threads.len() {
                let ballast = if roomy { Ok(None) } else { one_more(index + 1).map(Some) };
                match ballast.and_then(WorkerThread::spawn) {
                    Ok(hand) => self.threads.push(hand),
                    Err(reason) => {
                        let reason = reason.to_string();
                        report(Report::FewerThreads { running: index + 1, reason });
                        break;
                    }
                }
            }
            // Boundless: the first thread says when to end.
            let limits = Limits { searchmoves: task.limits.searchmoves.clone(), ..Limits::none() };
            let task = SearchRequest { limits, ..task.clone() };
            let (mut mind, mut stopper) = (std::mem::take(mind), stopper.helper(index + 1));
            let (table, gate, tell) = (table.clone(), gate.clone(), tell.clone());
            // What the thread drops when it has all the memory that it needs.
            let (taking, taken) = bounded::<()>(0);
            self.threads[index].submit(move || {
                let searched = catch_unwind(AssertUnwindSafe(|| {
                    let ready = || {
                        drop(taking);
                        // Opens by being dropped.
                        let _ = gate.recv();
                    };
                    mind.search::<G, E>(
                        task,
                        &table,
                        &mut stopper,
                        &mut |_| {},
                        &mut SearchResult::default(),
                        ready,
                    )
                }));
                let opinion = searched.map_err(|panic| mind.recover_from_panic(&*panic));
                drop(table);
                // Somebody waits for it.
                let _ = tell.send((index, mind, opinion));
            });
            if !roomy {
                let _ = taken.recv();
            }
        }
        drop((open, tell));
        let votes = uses_voting(&task);
        let searched = catch_unwind(AssertUnwindSafe(|| {
            first.search::<G, E>(task, table, stopper, report, finish, || {})
        }));
        shared.stop();
        let mut opinions = Vec::new();
        for (index, mind, opinion) in told {
            others[index] = mind;
            match opinion {
                Ok(opinion) => opinions.extend(opinion),
                Err(message) => finish.helper_panics.push(message),
            }
        }
        finish.nodes = shared.nodes();
        let own = match searched {
            Ok(own) => own,
            Err(panic) => {
                finish.panic = Some(first.recover_from_panic(&*panic));
                None
            }
        };
        if let Some(own) = own.filter(|_| votes && !opinions.is_empty()) {
            let elected = best_thread(&own, &opinions);
            if elected.mv != own.mv {
                (finish.best, finish.ponder) = (Some(elected.mv), elected.ponder);
                report(Report::Block(IterationReport {
                    lines: vec![elected.line.clone()],
                    nodes: finish.nodes,
                    elapsed: stopper.elapsed(),
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
fn best_thread<'a>(own: &'a ThreadResult, others: &'a [ThreadResult]) -> &'a ThreadResult {
    /// What even the lowest score is worth.
    const FLOOR: i32 = 15;
    let all = || std::iter::once(own).chain(others);
    let lowest = all().map(|opinion| opinion.line.score).min().unwrap_or(Score::ZERO);
    let votes = |mv: Move| -> i64 {
        let weight = |opinion: &ThreadResult| {
            i64::from(opinion.line.score - lowest + FLOOR) * i64::from(opinion.line.depth.plies())
        };
        all().filter(|opinion| opinion.mv == mv).map(weight).sum()
    };
    all().fold(own, |best, opinion| {
        let better = if best.line.score.is_win() || opinion.line.score.is_win() {
            opinion.line.score > best.line.score
        } else {
            votes(opinion.mv) > votes(best.mv)
        };
        if better { opinion } else { best }
    })
}

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// What the thread thinks is best, if it finished anything. Its nodes are all counted with that.
    fn result(&self, finish: &SearchResult) -> Option<ThreadResult> {
        self.stopper.publish_nodes(self.nodes);
        let root = self.root_moves.first().filter(|root| root.line.bound == Bound::Exact)?;
        Some(ThreadResult { line: root.line.clone(), mv: root.mv, ponder: finish.ponder })
    }
}

/// All the orders in which threads may stop and count, tried by `make models`.
#[cfg(all(test, loom))]
mod models {
    use super::Shared;
    use loom::{sync::Arc, thread};

    #[test]
    fn a_stop_reaches_the_other_thread_and_every_node_is_counted() {
        loom::model(|| {
            let shared = Arc::new(Shared::new(2));
            let helper = thread::spawn({
                let shared = shared.clone();
                move || {
                    let mut nodes = 0;
                    while !shared.is_stopped() && nodes < 2 {
                        nodes += 1;
                        shared.count(1, nodes);
                        thread::yield_now();
                    }
                    nodes
                }
            });
            shared.count(0, 10);
            assert!((10..=12).contains(&shared.nodes()));
            shared.stop();
            let nodes = helper.join().unwrap();
            assert_eq!(shared.nodes(), 10 + nodes);
        });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::game::{Depth, Ply};

    fn opinion(mv: u16, score: Score, depth: i32) -> ThreadResult {
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
        let own = opinion(1, Score::new(10), 10);
        let others = [opinion(2, Score::new(12), 10), opinion(2, Score::new(11), 10)];
        assert_eq!(best_thread(&own, &others).mv, Move::new(2));
        assert_eq!(best_thread(&own, &[opinion(2, Score::new(10), 9)]).mv, Move::new(1));
        assert_eq!(best_thread(&own, &[opinion(2, Score::new(10), 14)]).mv, Move::new(2));
        assert_eq!(best_thread(&own, &[]).mv, Move::new(1));
    }

    #[test]
    fn a_forced_win_needs_no_majority() {
        let own = opinion(1, Score::mate_in(Ply::new(9)), 10);
        let others = [opinion(2, Score::mate_in(Ply::new(5)), 8), opinion(3, Score::new(900), 30)];
        assert_eq!(best_thread(&own, &others).mv, Move::new(2));
    }

    #[test]
    fn nodes_are_counted_over_all_threads() {
        let shared = SharedState::new(3);
        shared.set_nodes(0, 5);
        shared.set_nodes(2, 7);
        shared.set_nodes(0, 6);
        assert_eq!(shared.nodes(), 13);
        assert!(!shared.is_stopped());
        shared.stop();
        assert!(shared.is_stopped());
    }
}
