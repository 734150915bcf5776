//! The server's loop, a client and its searches in all the orders in which they may meet, tried by `make models`.
//!
//! The model checker cannot look into crossbeam's channels: a queue under a lock stands for them, first in, first
//! out. The loop's `select!` is one such queue that everybody fills.

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

/// What comes to the loop.
enum Message {
    Go,
    Stop,
    /// What the search says in its iterations: the number of the search, and of the iteration.
    Report(usize, usize),
    /// The end of the work, sent after the memory and the last word.
    End,
}

struct Stop;

/// What one search leaves to the next.
struct Memory;

/// A piece of work: the search's number, what it works with, how it hears and where it leaves what it worked with and its
/// last word.
struct Piece {
    number: usize,
    memory: Memory,
    control: Arc<Queue<Stop>>,
    home: Arc<Queue<(Memory, String)>>,
}

/// The thread that does one piece of work after another, here a `go infinite` each: it says something, goes on until it is
/// told to stop, says something more, gives back the memory with its last word and ends.
fn work(pieces: &Queue<Piece>, inbox: &Queue<Message>, searches: usize) {
    for _ in 0..searches {
        let Piece { number, memory, control, home } = pieces.receive();
        inbox.send(Message::Report(number, 1));
        let Stop = control.receive();
        inbox.send(Message::Report(number, 2));
        home.send((memory, format!("bestmove {number}")));
        inbox.send(Message::End);
    }
}

/// The loop, as [`super::Server`] has it, up to the end of `searches`; gives what was said, and after
/// how many lines of the client.
fn serve(inbox: &Arc<Queue<Message>>, searches: usize) -> Vec<(String, usize)> {
    let (mut out, mut said) = (Outbox::default(), Vec::new());
    // Of each `go` that waits, whether it was told to stop.
    let mut waiting: VecDeque<bool> = VecDeque::new();
    let mut job: Option<(Arc<Queue<Stop>>, Arc<Queue<(Memory, String)>>)> = None;
    let (mut memory, mut lines, mut begun, mut ended) = (Some(Memory), 0, 0, 0);
    let pieces = Queue::new();
    let hand = thread::spawn({
        let (pieces, inbox) = (pieces.clone(), inbox.clone());
        move || work(&pieces, &inbox, searches)
    });
    while ended < searches {
        let message = inbox.receive();
        lines += usize::from(matches!(message, Message::Go | Message::Stop));
        match message {
            Message::Go => waiting.push_back(false),
            Message::Stop => {
                job.iter().for_each(|(control, _)| control.send(Stop));
                waiting.iter_mut().for_each(|told| *told = true);
            }
            Message::Report(number, iteration) => out.block(format!("info {number} {iteration}")),
            Message::End => {
                let (_, home) = job.take().expect("a search runs");
                let (back, last) = home.receive();
                memory = Some(back);
                out.keep_last_block();
                out.keep(last);
                ended += 1;
            }
        }
        if job.is_none()
            && let Some(told) = waiting.pop_front()
        {
            begun += 1;
            let (control, home) = (Queue::new(), Queue::new());
            let memory = memory.take().expect("nobody works with it");
            pieces.send(Piece { number: begun, memory, control: control.clone(), home: home.clone() });
            if told {
                control.send(Stop);
            }
            job = Some((control, home));
        }
        said.extend(std::iter::from_fn(|| out.pop()).map(|text| (text, lines)));
    }
    hand.join().unwrap();
    said
}

#[test]
fn each_search_says_all_it_has_to_say_and_ends_by_its_own_stop() {
    let mut model = loom::model::Builder::new();
    // All orders in which a thread that could go on gives way at most so often: without a bound it takes too long.
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
        let said = serve(&inbox, 2);
        client.join().unwrap();
        let texts: Vec<&str> = said.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts, ["info 1 1", "info 1 2", "bestmove 1", "info 2 1", "info 2 2", "bestmove 2"]);
        // No stop reaches a search that began after it.
        let lines = |text: &str| said.iter().find(|(other, _)| other == text).unwrap().1;
        assert!(lines("bestmove 1") >= 2 && lines("bestmove 2") == 5);
    });
}
