//! The way in and the way out: lines as they arrive, replies as they are written. Understands neither.

use super::pipe;
use super::scheduling::request_short_timeslice;
use crate::search::worker_thread::recv_parked;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::cell::Cell;
use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// A longer line is not kept: a game of 10,000 plies takes 50 KB.
pub const MAX_LINE_BYTES: usize = 4 << 20;
/// What is kept of a line that is too long, for the message about it.
const HEAD_BYTES: usize = 400;
/// Lines and replies under way; beyond that the reader, or the event loop's own queue, waits.
const CHANNEL_CAPACITY: usize = 64;
/// The writer joins what is ready up to this size into one write.
const BATCH: usize = 1 << 16;

/// One line from the client.
#[derive(Clone, Debug)]
pub struct Line {
    /// When its end was read.
    pub at: Instant,
    /// Without the line end; bytes that are no UTF-8 are replaced.
    pub text: String,
    /// Whether this is all of it: of a line that is too long only the head is kept.
    pub complete: bool,
}

impl Line {
    /// A line that arrives now.
    pub fn now(text: &str) -> Line {
        Line { at: Instant::now(), text: text.into(), complete: true }
    }
}

/// The server's end of a conversation.
#[derive(Debug)]
pub struct Connection {
    /// Lines in order; disconnected after the last.
    pub inbox: Receiver<Line>,
    /// Replies with their line ends. Each that is sent is to be counted by [`Link::sent`].
    pub outbox: Sender<String>,
    /// Never carries anything; disconnected once nobody reads the replies any more.
    pub closed: Receiver<()>,
    threads: Option<[JoinHandle<()>; 2]>,
    /// Whether [`Link::write_now`] may write to standard output.
    direct: bool,
    /// How many replies were given to the writer.
    sent: Cell<usize>,
    /// How many of them it has written.
    written: Arc<AtomicUsize>,
}

/// The other end of [`Link::memory`], for tests.
#[derive(Debug)]
pub struct Client {
    /// Lines to the server; drop it for the end of input.
    pub lines: Sender<Line>,
    /// What the server says.
    pub replies: Receiver<String>,
    /// Drop it to be a client that has gone.
    pub open: Sender<()>,
}

impl Connection {
    /// Over two threads that block on `input` and `output`.
    pub fn new(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> std::io::Result<Connection> {
        let (lines, inbox) = bounded(CHANNEL_CAPACITY);
        let (outbox, replies) = bounded(CHANNEL_CAPACITY);
        let (open, closed) = bounded(0);
        let written = Arc::new(AtomicUsize::new(0));
        let done = written.clone();
        let reader = Builder::new().name("reader".into()).spawn(move || {
            request_short_timeslice();
            read(input, &lines);
        })?;
        let writer = Builder::new().name("writer".into()).spawn(move || {
            request_short_timeslice();
            write(&replies, output, &done);
            drop::<Sender<()>>(open);
        })?;
        let threads = Some([reader, writer]);
        Ok(Connection { inbox, outbox, closed, threads, direct: false, sent: Cell::new(0), written })
    }

    /// Over standard input and output.
    pub fn stdio() -> std::io::Result<Connection> {
        let link = Connection::new(std::io::stdin(), std::io::stdout())?;
        Ok(Connection { direct: pipe::stdout_is_pipe(), ..link })
    }

    /// Writes a reply here and now if none waits before it and that cannot block; says whether.
    pub fn write_now(&self, reply: &str) -> bool {
        self.direct
            && self.written.load(Ordering::Acquire) == self.sent.get()
            && pipe::write_now(std::io::stdout(), reply)
    }

    /// Another reply was given to the writer.
    pub fn sent(&self) {
        self.sent.set(self.sent.get() + 1);
    }

    /// A link without threads and its other end.
    pub fn memory() -> (Connection, Client) {
        let (lines, inbox) = bounded(CHANNEL_CAPACITY);
        let (outbox, replies) = bounded(CHANNEL_CAPACITY);
        let (open, closed) = bounded(0);
        let (sent, written) = (Cell::new(0), Arc::default());
        let link = Connection { inbox, outbox, closed, threads: None, direct: false, sent, written };
        (link, Client { lines, replies, open })
    }

    /// Waits until everything is written, at most for `patience` if that is given. A reader that still
    /// blocks on its input cannot be woken and is left to end with the process.
    pub fn close(self, patience: Option<Duration>) {
        drop((self.inbox, self.outbox));
        let Some([reader, writer]) = self.threads else { return };
        match patience {
            Some(patience) => drop(self.closed.recv_timeout(patience)),
            None => drop(self.closed.recv()),
        }
        for thread in [reader, writer].into_iter().filter(JoinHandle::is_finished) {
            // A panic of either thread was reported by the panic hook and concerns nobody now.
            let _ = thread.join();
        }
    }
}

/// Cuts `input` into lines, stamps and forwards them.
fn read(mut input: impl Read, lines: &Sender<Line>) {
    let mut buffer = vec![0; BATCH];
    let mut line = Vec::new();
    let mut whole = true;
    loop {
        let count = match input.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        let at = Instant::now();
        let mut pieces = buffer[..count].split(|&byte| byte == b'\n').peekable();
        while let Some(piece) = pieces.next() {
            whole &= line.len() + piece.len() <= MAX_LINE_BYTES;
            if whole {
                line.extend_from_slice(piece);
            } else {
                line.truncate(HEAD_BYTES);
            }
            let ended = pieces.peek().is_some() || (count == 0 && !line.is_empty());
            if ended {
                let text = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
                if lines.send(Line { at, text, complete: whole }).is_err() {
                    return;
                }
                line = Vec::new();
                whole = true;
            }
        }
        if count == 0 {
            return;
        }
    }
}

/// Writes what comes and counts it, many at a time where many are ready, until there is no more or nobody reads.
fn write(replies: &Receiver<String>, mut output: impl Write, written: &AtomicUsize) {
    let mut batch = String::new();
    while let Some(reply) = recv_parked(replies) {
        let mut count = 1;
        batch.clear();
        batch.push_str(&reply);
        while batch.len() < BATCH
            && let Ok(reply) = replies.try_recv()
        {
            batch.push_str(&reply);
            count += 1;
        }
        if output.write_all(batch.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
        written.fetch_add(count, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn lines(input: Vec<u8>) -> Vec<Line> {
        let link = Connection::new(Cursor::new(input), std::io::sink()).unwrap();
        let lines = link.inbox.iter().collect();
        link.close(None);
        lines
    }

    #[test]
    fn lines_end_where_they_should() {
        let texts: Vec<String> = lines(b"uci\r\n\n go \rx\n\xff\xfe\x00\nquit".to_vec())
            .into_iter()
            .map(|line| line.text)
            .collect();
        assert_eq!(texts, ["uci", "", " go \rx", "\u{fffd}\u{fffd}\0", "quit"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_is_whole() {
        let mut input = vec![b'x'; MAX_LINE_BYTES * 4];
        input.extend_from_slice(b"\nuci\n");
        let lines = lines(input);
        assert_eq!(lines.len(), 2);
        assert!(!lines[0].complete && lines[0].text == "x".repeat(HEAD_BYTES));
        assert!(lines[1].complete && lines[1].text == "uci");
    }

    /// Takes nothing.
    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_client_that_does_not_read_any_more_is_noticed() {
        let link = Connection::new(Cursor::new(Vec::new()), Broken).unwrap();
        link.outbox.send("readyok\n".into()).unwrap();
        assert!(link.closed.recv_timeout(Duration::from_secs(20)).is_err());
        link.close(None);
    }
}
