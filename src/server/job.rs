//! Work that takes time, in a thread beside the server's: a search, a perft count, a bench.

use crate::game::Move;
use crate::protocol::Reply;
use crate::search::memory::AllocReserve;
use crate::search::worker_thread::WorkerThread;
use crate::search::{Control, Report, SearchResult, SearchState, panic_message};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// Within this time most work ends that is told to.
const STOP_SPIN: Duration = Duration::from_micros(100);

/// What working threads say: some of it on the way, the last of it when all else is done.
#[derive(Debug)]
pub enum Event {
    /// The search goes on.
    Report(Report),
    /// The search is over.
    Finish(SearchResult),
    /// Leaves below each move and all of them, or `None` if the count was stopped.
    Perft(Option<(Vec<(Move, u64)>, u64)>),
    /// A tool's output.
    Reply(Reply),
    /// The work came to a bad end; the message of the panic.
    Panicked(String),
}

/// What a thread is working on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// A search, which owes a `bestmove`.
    Search {
        /// Whether it has no end of its own, even when the expected move has been played.
        infinite: bool,
        /// Whether it waits for `ponderhit`.
        ponder: bool,
        /// How many threads it has.
        threads: usize,
    },
    /// Something else that ends by itself.
    Other,
}

/// The running work. Each has a control channel of its own, so that a `stop` can neither be lost before
/// the work begins nor reach the next one.
#[derive(Debug)]
pub struct Job {
    /// What it is.
    pub work: JobKind,
    /// What it says on the way. The end of the channel is the end of the work.
    pub events: Receiver<Event>,
    control: Sender<Control>,
    sent: Vec<Control>,
    hand: WorkerThread,
    /// Brings the memory back, and the last word, which must not be heard earlier: who hears it believes that nothing runs.
    result_rx: Receiver<(SearchState, Option<Event>)>,
}

/// What work is done with. It is at home while none runs.
#[derive(Debug)]
pub struct SearchResources {
    /// What one search leaves to the next.
    pub memory: SearchState,
    /// Who does it, once somebody has.
    thread: Option<WorkerThread>,
}

/// No thread could be had; `workshop` comes back unharmed.
#[derive(Debug)]
pub struct SpawnError {
    /// What the thread would have worked with.
    pub workshop: Box<SearchResources>,
    /// The system's reason.
    pub reason: std::io::Error,
}

impl SearchResources {
    /// With `memory`, and nobody at work yet.
    pub fn new(memory: SearchState) -> SearchResources {
        SearchResources { memory, thread: None }
    }
}

impl Job {
    /// Has `task` done with the workshop's memory. It gives its last word, if it has one.
    pub fn spawn(
        work: JobKind,
        workshop: SearchResources,
        task: impl FnOnce(&mut SearchState, &Receiver<Control>, &dyn Fn(Event)) -> Option<Event> + Send + 'static,
    ) -> Result<Job, SpawnError> {
        let SearchResources { mut memory, thread: hand } = workshop;
        let hire = || WorkerThread::spawn(Some(AllocReserve::new().ok_or(ErrorKind::OutOfMemory)?));
        let hand = match hand.map_or_else(hire, Ok) {
            Ok(hand) => hand,
            Err(reason) => {
                return Err(SpawnError {
                    workshop: Box::new(SearchResources { memory, thread: None }),
                    reason,
                });
            }
        };
        let (control, controlled) = bounded(2);
        let (say, events) = unbounded();
        let (leave, home) = bounded(1);
        let piece = move || {
            // Without a receiver the server has gone, and nobody wants to know.
            let say = move |event| say.send(event).unwrap_or_default();
            let done = catch_unwind(AssertUnwindSafe(|| task(&mut memory, &controlled, &say)));
            let last = done.unwrap_or_else(|panic| Some(Event::Panicked(panic_message(&*panic))));
            // Before `say` is dropped, which is the end of the work.
            let _ = leave.send((memory, last));
        };
        hand.submit(piece);
        Ok(Job { work, events, control, sent: Vec::new(), hand, result_rx: home })
    }

    /// Tells the work something; once is enough.
    pub fn send(&mut self, control: Control) {
        if !self.sent.contains(&control) {
            self.sent.push(control);
            // Room for one of each; a receiver that has gone has ended anyway.
            let _ = self.control.try_send(control);
            if control == Control::Stop {
                self.spin_for_reply();
            }
        }
    }

    /// Stays awake for as long as it takes work that is told to stop to say so: to sleep and be woken takes longer. Where a
    /// thread of the search waits for this one's processor, it has it in between.
    fn spin_for_reply(&self) {
        static PROCESSORS: LazyLock<usize> =
            LazyLock::new(|| available_parallelism().map_or(1, |processors| processors.get()));
        let busy = match self.work {
            JobKind::Search { threads, .. } => threads,
            JobKind::Other => 1,
        };
        let pause = if busy < *PROCESSORS { std::hint::spin_loop } else { std::thread::yield_now };
        let since = Instant::now();
        while self.events.is_empty() && self.result_rx.is_empty() && since.elapsed() < STOP_SPIN {
            pause();
        }
    }

    /// Whether it waits for `ponderhit`.
    pub fn is_pondering(&self) -> bool {
        matches!(self.work, JobKind::Search { ponder: true, .. }) && self.sent.is_empty()
    }

    /// Whether it ends only when it is told to.
    pub fn needs_stop(&self) -> bool {
        matches!(self.work, JobKind::Search { infinite: true, .. }) || self.is_pondering()
    }

    /// Gives back what work that has ended was done with, and its last word; `None` if both are lost.
    pub fn join(self) -> Option<(SearchResources, Option<Event>)> {
        let (memory, last) = self.result_rx.recv().ok()?;
        Some((SearchResources { memory, thread: Some(self.hand) }, last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workshop(megabytes: usize) -> SearchResources {
        SearchResources::new(SearchState::new(megabytes).unwrap())
    }

    #[test]
    fn one_thread_does_one_piece_of_work_after_another_and_survives_a_panic() {
        let mut workshop = workshop(1);
        let mut threads = Vec::new();
        for panics in [false, true, false] {
            let job = Job::spawn(JobKind::Other, workshop, move |_, _, say| {
                say(Event::Reply(Reply::Raw(format!("{:?}", std::thread::current().id()))));
                assert!(!panics, "as ordered");
                None
            });
            let job = job.unwrap();
            threads.extend(job.events.iter().filter_map(|event| match event {
                Event::Reply(Reply::Raw(text)) => Some(text),
                _ => None,
            }));
            workshop = job.join().unwrap().0;
        }
        assert!(threads.len() == 3 && threads.iter().all(|thread| *thread == threads[0]));
    }

    #[test]
    fn a_panic_is_told_and_the_memory_survives_it() {
        let work = JobKind::Search { infinite: false, ponder: false, threads: 1 };
        let job = Job::spawn(work, workshop(3), |_, _, _| panic!("out of ideas")).unwrap();
        assert!(job.events.iter().next().is_none());
        let (workshop, last) = job.join().unwrap();
        assert!(matches!(last, Some(Event::Panicked(text)) if text == "out of ideas"));
        assert_eq!(workshop.memory.table().megabytes(), 3);
    }

    #[test]
    fn what_is_said_before_the_work_begins_is_heard() {
        let mut job = Job::spawn(JobKind::Other, workshop(1), |_, control, say| {
            let heard: Vec<Control> = control.iter().take(2).collect();
            say(Event::Reply(Reply::Raw(format!("{heard:?}"))));
            Some(Event::Perft(None))
        })
        .unwrap();
        for control in [Control::PonderHit, Control::PonderHit, Control::Stop, Control::Stop] {
            job.send(control);
        }
        let events: Vec<Event> = job.events.iter().collect();
        assert!(matches!(&events[..], [Event::Reply(Reply::Raw(text))] if text == "[PonderHit, Stop]"));
        assert!(matches!(job.join(), Some((_, Some(Event::Perft(None))))));
    }
}
