//! A model of the server's loop, a client and two searches. `make loom` runs it in every order of events.
//!
//! The model checker cannot see into crossbeam's channels. A queue with a lock stands for each of them. The loop's
//! `select!` is one such queue that all senders share.

use super::outbox::Outbox;
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use std::collections::VecDeque;

/// A channel.
struct Queue<T> {
    waiting: Mutex<VecDeque<T>>,
    filled: Condvar,
}

impl<T> Queue<T> {
    fn new() -> Arc<Queue<T>> {
        Arc::new(Queue { waiting: Mutex::new(VecDeque::new()), filled: Condvar::new() })
    }

    fn send(&self, value: T) {
        self.waiting.lock().unwrap().push_back(value);
        self.filled.notify_one();
    }

    fn receive(&self) -> T {
        let mut waiting = self.waiting.lock().unwrap();
        loop {
            match waiting.pop_front() {
                Some(value) => return value,
                None => waiting = self.filled.wait(waiting).unwrap(),
            }
        }
    }
}

/// A message to the loop.
enum Message {
    Go,
    Stop,
    /// A report: the number of the search, and of the iteration.
    Report(usize, usize),
    /// The end of a search: its state and its last reply.
    End(State, String),
}

struct Stop;

/// What one search leaves to the next.
struct State;

/// A search to run.
struct Job {
    number: usize,
    state: State,
    control: Arc<Queue<Stop>>,
}

/// The search thread. Each search is a `go infinite`: a report, a wait for the stop, another report, the end.
fn work(jobs: &Queue<Job>, inbox: &Queue<Message>, searches: usize) {
    for _ in 0..searches {
        let Job { number, state, control } = jobs.receive();
        inbox.send(Message::Report(number, 1));
        let Stop = control.receive();
        inbox.send(Message::Report(number, 2));
        inbox.send(Message::End(state, format!("bestmove {number}")));
    }
}

/// The loop of [`super::Server`] up to the end of the last of `searches`. Returns the replies, each with the number of
/// client lines before it.
fn serve(inbox: &Arc<Queue<Message>>, searches: usize) -> Vec<(String, usize)> {
    let (mut out, mut replies) = (Outbox::default(), Vec::new());
    // For each queued `go`, whether a stop has arrived for it.
    let mut queued: VecDeque<bool> = VecDeque::new();
    let mut running: Option<Arc<Queue<Stop>>> = None;
    let (mut state, mut lines, mut begun, mut ended) = (Some(State), 0, 0, 0);
    let jobs = Queue::new();
    let search_thread = thread::spawn({
        let (jobs, inbox) = (jobs.clone(), inbox.clone());
        move || work(&jobs, &inbox, searches)
    });
    while ended < searches {
        let message = inbox.receive();
        lines += usize::from(matches!(message, Message::Go | Message::Stop));
        match message {
            Message::Go => queued.push_back(false),
            Message::Stop => {
                running.iter().for_each(|control| control.send(Stop));
                queued.iter_mut().for_each(|stopped| *stopped = true);
            }
            Message::Report(number, iteration) => out.push_info(format!("info {number} {iteration}")),
            Message::End(back, last) => {
                running = None;
                state = Some(back);
                out.pin_last_info();
                out.push(last);
                ended += 1;
            }
        }
        if running.is_none()
            && let Some(stopped) = queued.pop_front()
        {
            begun += 1;
            let control = Queue::new();
            let state = state.take().expect("no search has the state");
            jobs.send(Job { number: begun, state, control: control.clone() });
            if stopped {
                control.send(Stop);
            }
            running = Some(control);
        }
        replies.extend(std::iter::from_fn(|| out.pop()).map(|text| (text, lines)));
    }
    search_thread.join().unwrap();
    replies
}

#[test]
fn searches_send_all_replies_and_end_by_their_own_stop() {
    let mut model = loom::model::Builder::new();
    // Every order with at most this number of preemptions. Without a bound the model takes too long.
    model.preemption_bound = Some(3);
    model.check(|| {
        let inbox = Queue::new();
        let client = thread::spawn({
            let inbox = inbox.clone();
            move || {
                // The second `stop` may come too late for the first search.
                let lines = [Message::Go, Message::Stop, Message::Stop, Message::Go, Message::Stop];
                lines.into_iter().for_each(|line| inbox.send(line));
            }
        });
        let replies = serve(&inbox, 2);
        client.join().unwrap();
        let texts: Vec<&str> = replies.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts, ["info 1 1", "info 1 2", "bestmove 1", "info 2 1", "info 2 2", "bestmove 2"]);
        // No stop reaches a search that began after it.
        let lines = |text: &str| replies.iter().find(|(other, _)| other == text).unwrap().1;
        assert!(lines("bestmove 1") >= 2 && lines("bestmove 2") == 5);
    });
}
