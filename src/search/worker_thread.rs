//! A thread that does one piece of work after another.

use super::memory::{AllocReserve, STACK_BYTES};
use crossbeam_channel::{Receiver, Select, Sender, bounded};
use std::thread::Builder;

type Job = Box<dyn FnOnce() + Send>;

/// A thread that searches, and sleeps between two searches. With a new one for each, and a `recv` that gives turns away,
/// `go depth 1` beside fourteen busy processes took 5.9 ms in the median; so it takes 0.4.
#[derive(Debug)]
pub struct WorkerThread(Sender<Job>);

impl WorkerThread {
    /// Starts the thread, which travels with `ballast`. It ends when its `Hand` is dropped and its work is done.
    pub fn spawn(reserve: Option<AllocReserve>) -> std::io::Result<WorkerThread> {
        let (jobs_tx, jobs_rx) = bounded::<Job>(1);
        Builder::new().name("search".into()).stack_size(STACK_BYTES).spawn(move || {
            reserve.into_iter().for_each(AllocReserve::release);
            while let Some(job) = recv_parked(&jobs_rx) {
                job();
            }
        })?;
        Ok(WorkerThread(jobs_tx))
    }

    /// Has `piece` done, which must not panic.
    pub fn submit(&self, job: impl FnOnce() + Send + 'static) {
        self.0.send(Box::new(job)).expect("the thread waits for work");
    }
}

/// Waits for the next value, `None` if there will be none, and sleeps from the start: `recv` first gives its turn away a few
/// times, which beside busy processes are milliseconds each, and whoever waits for a turn cannot be woken.
pub fn recv_parked<T>(values: &Receiver<T>) -> Option<T> {
    let mut select = Select::new();
    select.recv(values);
    select.select().recv(values).ok()
}
