//! Work that takes time, in a thread of its own: a search, a perft count, a bench.

use crate::game::Move;
use crate::protocol::Reply;
use crate::search::room::{Ballast, STACK};
use crate::search::{Control, Finish, Memory, Report, panic_message};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::Builder;

/// What working threads say; the end of the channel is the end of the work.
#[derive(Debug)]
pub enum Event {
    /// The search goes on.
    Report(Report),
    /// The search is over.
    Finish(Finish),
    /// Leaves below each move and all of them, or `None` if the count was stopped.
    Counts(Option<(Vec<(Move, u64)>, u64)>),
    /// A tool's output.
    Say(Reply),
    /// The work came to a bad end; the message of the panic.
    Panicked(String),
}

/// What a thread is working on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A search, which owes a `bestmove`.
    Search {
        /// Whether it ends only when it is told to.
        endless: bool,
        /// Whether `ponderhit` means something to it.
        ponder: bool,
    },
    /// Something else that ends by itself.
    Count,
}

/// The running work. Each has a control channel of its own, so that a `stop` can neither be lost before
/// the work begins nor reach the next one.
#[derive(Debug)]
pub struct Job {
    /// What it is.
    pub work: Work,
    /// What it says.
    pub events: Receiver<Event>,
    /// Whether it has given its `bestmove`.
    pub answered: bool,
    control: Sender<Control>,
    said: Vec<Control>,
    /// Brings the memory back. The thread itself is not waited for: to take it down costs the system longer than a
    /// client that has its `bestmove` needs for the next command.
    home: Receiver<Memory>,
}

/// No thread could be had; `memory` comes back unharmed.
#[derive(Debug)]
pub struct SpawnError {
    /// What the thread would have worked with.
    pub memory: Box<Memory>,
    /// The system's reason.
    pub reason: std::io::Error,
}

impl Job {
    /// Starts a thread that does `task` with `memory`.
    pub fn spawn(
        work: Work,
        memory: Memory,
        task: impl FnOnce(&mut Memory, &Receiver<Control>, &dyn Fn(Event)) + Send + 'static,
    ) -> Result<Job, SpawnError> {
        let (control, controlled) = bounded(2);
        let (say, events) = unbounded();
        // The memory follows through a channel, because a failed `spawn` would not give it back.
        let (give, take) = bounded::<Memory>(1);
        let (leave, home) = bounded(1);
        let Some(ballast) = Ballast::load() else {
            return Err(SpawnError { memory: Box::new(memory), reason: ErrorKind::OutOfMemory.into() });
        };
        let name = if work == Work::Count { "count" } else { "search" };
        let spawned = Builder::new().name(name.into()).stack_size(STACK).spawn(move || {
            ballast.release();
            let mut memory = take.recv().expect("the memory is sent as soon as the thread exists");
            // Without a receiver the server has gone, and nobody wants to know.
            let say = move |event| say.send(event).unwrap_or_default();
            let done = catch_unwind(AssertUnwindSafe(|| task(&mut memory, &controlled, &say)));
            if let Err(panic) = done {
                say(Event::Panicked(panic_message(&*panic)));
            }
            // Home before `say` is dropped, which is the end of the work.
            let _ = leave.send(memory);
        });
        match spawned {
            Ok(_) => {
                give.send(memory).expect("the thread waits for it");
                Ok(Job { work, events, answered: false, control, said: Vec::new(), home })
            }
            Err(reason) => Err(SpawnError { memory: Box::new(memory), reason }),
        }
    }

    /// Tells the work something; once is enough.
    pub fn say(&mut self, control: Control) {
        if !self.said.contains(&control) {
            self.said.push(control);
            // Room for one of each; a receiver that has gone has ended anyway.
            let _ = self.control.try_send(control);
        }
    }

    /// Whether it ends only when it is told to.
    pub fn is_endless(&self) -> bool {
        matches!(self.work, Work::Search { endless: true, .. })
    }

    /// Gives back the memory of work that has ended, `None` if a panic took it along.
    pub fn end(self) -> Option<Memory> {
        self.home.recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_and_the_memory_survives_it() {
        let work = Work::Search { endless: false, ponder: false };
        let job = Job::spawn(work, Memory::new(3).unwrap(), |_, _, _| panic!("out of ideas")).unwrap();
        let events: Vec<Event> = job.events.iter().collect();
        assert!(matches!(&events[..], [Event::Panicked(text)] if text == "out of ideas"));
        assert_eq!(job.end().unwrap().table.megabytes(), 3);
    }

    #[test]
    fn what_is_said_before_the_work_begins_is_heard() {
        let mut job = Job::spawn(Work::Count, Memory::new(1).unwrap(), |_, control, say| {
            let heard: Vec<Control> = control.iter().take(2).collect();
            say(Event::Say(Reply::Text(format!("{heard:?}"))));
        })
        .unwrap();
        for control in [Control::PonderHit, Control::PonderHit, Control::Stop, Control::Stop] {
            job.say(control);
        }
        let events: Vec<Event> = job.events.iter().collect();
        assert!(matches!(&events[..], [Event::Say(Reply::Text(text))] if text == "[PonderHit, Stop]"));
        assert!(job.end().is_some());
    }
}
