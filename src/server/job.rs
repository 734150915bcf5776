//! A job: a search, a perft count or a tool that runs in a thread of its own beside the server's loop, or in place where the
//! server has no threads.

use crate::clock::Instant;
use crate::protocol::Reply;
use crate::search::memory::startable_threads;
use crate::search::worker_thread::WorkerThread;
use crate::search::{Report, SearchResult, SearchState, Signal, Signals, panic_message};
use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded, unbounded};
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::thread::available_parallelism;
use std::time::Duration;

/// How long the server's loop waits awake for the answer to a stop. Most searches answer sooner.
const STOP_SPIN: Duration = Duration::from_micros(100);

/// A message of a running job to the server. [`Event::End`] is the last one.
#[derive(Debug)]
pub enum Event {
    Report(Report),
    /// Output of a tool.
    Reply(Reply),
    /// The job has ended: its search state comes back together with its last reply. A client that reads the last reply
    /// may send commands that need the state, so neither may come without the other.
    End(Box<SearchState>, Ending),
}

#[derive(Debug)]
pub enum Ending {
    /// The result of a search, to be answered with `bestmove`.
    Search(SearchResult),
    /// The last output of a tool, if there is any.
    Tool(Option<Reply>),
    /// The message of the panic that ended the job.
    Panicked(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// A search, which must be answered with `bestmove`.
    Search {
        /// Whether it has no limit of its own, even after `ponderhit`.
        infinite: bool,
        /// Whether it ends only with a mate, which may not exist.
        mate: bool,
        ponder: bool,
        threads: usize,
    },
    /// A job that ends by itself and gets no `bestmove`.
    Other,
}

/// A running job. Each has a channel of its own for signals, so that a `stop` can neither be lost before the job begins nor
/// reach the next job.
pub struct Job {
    pub kind: JobKind,
    /// Its messages, the last of which is [`Event::End`].
    pub events: Receiver<Event>,
    signals: Sender<Signal>,
    sent: Vec<Signal>,
    executor: Executor,
    /// The work of a job that runs in place, until it is taken.
    inline: Option<InlineTask>,
}

#[derive(Debug)]
enum Executor {
    /// In a thread that the first job starts.
    NewThread,
    Thread(WorkerThread),
    /// In the server's own thread: see [`Job::take_inline`].
    Inline,
}

/// The work of a job that runs in the thread of its caller, to its end. It gets signals from outside and sends its events, the
/// last of which is [`Event::End`].
pub type InlineTask = Box<dyn FnOnce(&dyn Signals, &dyn Fn(Event)) + Send>;

/// The signals of a job that runs in place: those sent before it began, then those from outside.
struct InlineSignals {
    sent: Receiver<Signal>,
    outside: Box<dyn Signals>,
}

impl Signals for InlineSignals {
    fn poll(&self) -> Option<Signal> {
        self.sent.try_recv().ok().or_else(|| self.outside.poll())
    }

    fn wait(&self) -> Signal {
        self.sent.try_recv().unwrap_or_else(|_: TryRecvError| self.outside.wait())
    }

    fn handle(&self) -> Box<dyn Signals> {
        Box::new(InlineSignals { sent: self.sent.clone(), outside: self.outside.handle() })
    }
}

/// What a job works with. The server holds it while no job runs.
#[derive(Debug)]
pub struct SearchResources {
    /// What one search leaves to the next.
    pub state: SearchState,
    executor: Executor,
}

/// No thread could be started. The resources come back unchanged.
#[derive(Debug)]
pub struct SpawnError {
    pub resources: Box<SearchResources>,
    pub reason: std::io::Error,
}

impl SearchResources {
    pub fn new(state: SearchState) -> SearchResources {
        SearchResources { state, executor: Executor::NewThread }
    }

    pub fn inline(state: SearchState) -> SearchResources {
        SearchResources { state, executor: Executor::Inline }
    }
}

impl Job {
    /// Runs `task` in the thread of `resources`, which is started if there is none. Without threads it waits for
    /// [`Job::take_inline`].
    pub fn spawn(
        kind: JobKind,
        resources: SearchResources,
        task: impl FnOnce(&mut SearchState, &dyn Signals, &dyn Fn(Event)) -> Ending + Send + 'static,
    ) -> Result<Job, SpawnError> {
        let SearchResources { state, executor } = resources;
        let spawn = || match startable_threads(1) {
            0 => Err(ErrorKind::OutOfMemory.into()),
            _ => WorkerThread::spawn(),
        };
        let started = match executor {
            Executor::NewThread => spawn().map(Executor::Thread),
            executor => Ok(executor),
        };
        let executor = match started {
            Ok(executor) => executor,
            Err(reason) => {
                return Err(SpawnError { resources: Box::new(SearchResources::new(state)), reason });
            }
        };
        let (signal_sender, signals) = bounded(2);
        let (events_tx, events_rx) = unbounded();
        let mut state = Box::new(state);
        let run = move |signals: &dyn Signals, send: &dyn Fn(Event)| {
            let done = catch_unwind(AssertUnwindSafe(|| task(&mut state, signals, send)));
            let ending = done.unwrap_or_else(|panic| Ending::Panicked(panic_message(&*panic)));
            send(Event::End(state, ending));
        };
        let mut inline: Option<InlineTask> = None;
        if let Executor::Thread(thread) = &executor {
            // Without a receiver the server has ended, and the event is of no use.
            thread.submit(move || run(&signals, &|event| events_tx.send(event).unwrap_or_default()));
        } else {
            inline = Some(Box::new(move |outside: &dyn Signals, send: &dyn Fn(Event)| {
                run(&InlineSignals { sent: signals, outside: outside.handle() }, send);
            }));
        }
        Ok(Job { kind, events: events_rx, signals: signal_sender, sent: Vec::new(), executor, inline })
    }

    /// The work of a job that runs in place, once.
    pub fn take_inline(&mut self) -> Option<InlineTask> {
        self.inline.take()
    }

    /// Sends `signal` to the job, once: repetitions are dropped.
    pub fn send(&mut self, signal: Signal) {
        if !self.sent.contains(&signal) {
            self.sent.push(signal);
            // The channel has room for each signal once. Without a receiver the job has ended.
            let _ = self.signals.try_send(signal);
            if signal == Signal::Stop {
                self.spin_for_reply();
            }
        }
    }

    /// Waits awake for up to [`STOP_SPIN`]: being woken takes longer. Yields its core if the search has a thread for each core.
    fn spin_for_reply(&self) {
        static CORES: LazyLock<usize> =
            LazyLock::new(|| available_parallelism().map_or(1, |cores| cores.get()));
        let threads = match self.kind {
            JobKind::Search { threads, .. } => threads,
            JobKind::Other => 1,
        };
        let pause = if threads < *CORES { std::hint::spin_loop } else { std::thread::yield_now };
        let since = Instant::now();
        while self.events.is_empty() && since.elapsed() < STOP_SPIN {
            pause();
        }
    }

    pub fn is_stopping(&self) -> bool {
        self.sent.contains(&Signal::Stop)
    }

    pub fn is_pondering(&self) -> bool {
        matches!(self.kind, JobKind::Search { ponder: true, .. }) && self.sent.is_empty()
    }

    /// Whether the job ends only after a signal that was not sent yet.
    pub fn needs_stop(&self) -> bool {
        let infinite = matches!(self.kind, JobKind::Search { infinite: true, .. });
        self.is_pondering() || (infinite && !self.is_stopping())
    }

    /// Whether the job was not stopped and may never end by itself: it needs a signal, or searches for a mate that may not
    /// exist.
    pub fn may_never_end(&self) -> bool {
        let mate = matches!(self.kind, JobKind::Search { mate: true, .. });
        self.needs_stop() || (mate && !self.is_stopping())
    }

    /// The resources of the next job, which runs where this one ran, from the `state` of [`Event::End`].
    pub fn into_resources(self, state: SearchState) -> SearchResources {
        SearchResources { state, executor: self.executor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resources(megabytes: usize) -> SearchResources {
        SearchResources::new(SearchState::new(megabytes).unwrap())
    }

    /// All events of `job` but the last, and what the last one brings.
    fn finish(job: Job) -> (Vec<Event>, SearchResources, Ending) {
        let mut events: Vec<Event> = job.events.iter().collect();
        let Some(Event::End(state, ending)) = events.pop() else {
            panic!("the last event is no end: {events:?}")
        };
        (events, job.into_resources(*state), ending)
    }

    #[test]
    fn job_after_a_panic_runs_in_the_same_thread() {
        let mut resources = resources(1);
        let mut threads = Vec::new();
        for panics in [false, true, false] {
            let job = Job::spawn(JobKind::Other, resources, move |_, _, send| {
                send(Event::Reply(Reply::Raw(format!("{:?}", std::thread::current().id()))));
                assert!(!panics, "on purpose");
                Ending::Tool(None)
            });
            let (events, back, ending) = finish(job.unwrap());
            assert_eq!(matches!(ending, Ending::Panicked(_)), panics);
            threads.extend(events.into_iter().filter_map(|event| match event {
                Event::Reply(Reply::Raw(text)) => Some(text),
                _ => None,
            }));
            resources = back;
        }
        assert!(threads.len() == 3 && threads.iter().all(|thread| *thread == threads[0]));
    }

    #[test]
    fn job_that_panics_returns_its_state_and_the_message() {
        let kind = JobKind::Search { infinite: false, mate: false, ponder: false, threads: 1 };
        let job = Job::spawn(kind, resources(3), |_, _, _| panic!("out of ideas")).unwrap();
        let (events, resources, ending) = finish(job);
        assert!(events.is_empty());
        assert!(matches!(ending, Ending::Panicked(text) if text == "out of ideas"));
        assert_eq!(resources.state.table().megabytes(), 3);
    }

    #[test]
    fn controls_sent_before_the_job_begins_arrive_once() {
        let mut job = Job::spawn(JobKind::Other, resources(1), |_, signals, send| {
            let received = [signals.wait(), signals.wait()];
            send(Event::Reply(Reply::Raw(format!("{received:?}"))));
            Ending::Tool(None)
        })
        .unwrap();
        for signal in [Signal::PonderHit, Signal::PonderHit, Signal::Stop, Signal::Stop] {
            job.send(signal);
        }
        let (events, _, ending) = finish(job);
        assert!(matches!(&events[..], [Event::Reply(Reply::Raw(text))] if text == "[PonderHit, Stop]"));
        assert!(matches!(ending, Ending::Tool(None)));
    }
}
