//! The connection to the client: a thread that reads lines and a thread that writes replies, each with a channel. Knows
//! no commands.

use super::interrupts::{self, Interrupt};
use super::line_editor::LineEditor;
use super::pipe;
use super::stdio;
use crate::clock::Instant;
use crate::search::memory::spawn_service;
use crate::search::worker_thread::recv_parked;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, never};
use std::cell::Cell;
use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Longer lines are refused. A game of 10,000 plies takes 50 KB.
pub const MAX_LINE_BYTES: usize = 4 << 20;
/// How much of a refused line is kept for the error message, in bytes.
const HEAD_BYTES: usize = 400;
/// The capacity of each channel, in lines or replies. Beyond it the reader blocks, and replies stay in the server's queue.
const CHANNEL_CAPACITY: usize = 64;
/// The writer joins waiting replies up to this size in bytes into one write.
const BATCH: usize = 1 << 16;

/// One line from the client.
#[derive(Clone, Debug)]
pub struct Line {
    /// When the end of the line was read.
    pub at: Instant,
    /// The text without the line end. Invalid UTF-8 is replaced.
    pub text: String,
    /// Whether `text` is the whole line. Of a refused line it has the first 400 bytes.
    pub complete: bool,
}

impl Line {
    /// A line that arrives now. It is refused if it is too long.
    pub fn now(text: &str) -> Line {
        let complete = text.len() <= MAX_LINE_BYTES;
        let end = if complete { text.len() } else { text.floor_char_boundary(HEAD_BYTES) };
        Line { at: Instant::now(), text: text[..end].into(), complete }
    }
}

/// The server's end of a connection.
#[derive(Debug)]
pub struct Connection {
    /// The lines in order. Disconnected after the last.
    pub lines: Receiver<Line>,
    /// Takes replies with their line ends. The sender must count each with [`Connection::sent`].
    pub writer: Sender<String>,
    /// Carries no message. Disconnected when the client has closed its end and a reply could not be written.
    pub closed: Receiver<()>,
    /// Carries each Ctrl-C at a terminal. Elsewhere Ctrl-C ends the program.
    pub interrupts: Receiver<Interrupt>,
    /// Takes the requests of [`Connection::request_line`] if a line editor reads the lines.
    requests: Option<Sender<usize>>,
    /// Whether a line was requested and has not arrived.
    requested: Cell<bool>,
    threads: Option<(JoinHandle<()>, JoinHandle<std::io::Result<()>>)>,
    stdout: bool,
    /// Whether [`Connection::write_now`] may write to standard output.
    direct: bool,
    /// The number of replies sent to the writer thread.
    sent: Cell<usize>,
    /// The number of replies that the writer thread has written.
    written: Arc<AtomicUsize>,
}

/// The client's end of [`Connection::memory`], for tests.
#[derive(Debug)]
pub struct Client {
    /// Lines to the server. Dropping it ends the input.
    pub lines: Sender<Line>,
    /// The replies of the server.
    pub replies: Receiver<String>,
    /// Dropping it closes the client's end.
    pub open: Sender<()>,
}

impl Connection {
    /// A connection over two threads that block on `input` and `output`.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub fn new(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> std::io::Result<Connection> {
        Connection::with_reader(output, |lines, _| move || read(input, &lines))
    }

    /// `reader` gets the channel for lines and the count of written replies, and returns the function that reads the lines.
    fn with_reader<R: FnOnce() + Send + 'static>(
        output: impl Write + Send + 'static,
        reader: impl FnOnce(Sender<Line>, Arc<AtomicUsize>) -> R,
    ) -> std::io::Result<Connection> {
        let (lines_tx, lines) = bounded(CHANNEL_CAPACITY);
        let (writer, replies) = bounded(CHANNEL_CAPACITY);
        let (open, closed) = bounded(0);
        let written = Arc::new(AtomicUsize::new(0));
        let count = written.clone();
        let read_thread = spawn_service("reader", reader(lines_tx, written.clone()))?;
        let write_thread = spawn_service("writer", move || {
            let written = write(&replies, output, &count);
            drop::<Sender<()>>(open);
            written
        })?;
        let threads = Some((read_thread, write_thread));
        Ok(Connection { threads, written, ..Connection::of_channels(lines, writer, closed) })
    }

    /// A connection over these channels, without threads.
    fn of_channels(lines: Receiver<Line>, writer: Sender<String>, closed: Receiver<()>) -> Connection {
        Connection {
            lines,
            writer,
            closed,
            interrupts: never(),
            requests: None,
            requested: Cell::new(false),
            threads: None,
            stdout: false,
            direct: false,
            sent: Cell::new(0),
            written: Arc::default(),
        }
    }

    /// A connection over standard input and output.
    ///
    /// # Errors
    /// If a thread cannot be started or the process can open no more files.
    pub fn stdio() -> std::io::Result<Connection> {
        Connection::to_stdout(stdio::input()?)
    }

    /// A connection from `input` to standard output.
    ///
    /// # Errors
    /// As [`Connection::stdio`].
    pub fn to_stdout(input: impl Read + Send + 'static) -> std::io::Result<Connection> {
        let connection = Connection::new(input, stdio::output()?)?;
        Ok(Connection { stdout: true, direct: pipe::stdout_is_pipe(), ..connection })
    }

    /// A connection over the terminal on standard input and output, with line editing if the terminal has it. With
    /// `input`, lines come from there instead. Line editing comes with a writer that prints above the line, for what does
    /// not go through the connection.
    ///
    /// # Errors
    /// As [`Connection::stdio`].
    pub fn at_terminal(
        input: Option<impl Read + Send + 'static>,
    ) -> std::io::Result<(Connection, Option<Box<dyn Write + Send>>)> {
        let (interrupts_tx, interrupts) = bounded(1);
        interrupts::watch(interrupts_tx.clone());
        let mut above_line: Option<Box<dyn Write + Send>> = None;
        let connection = match input {
            Some(input) => Connection::to_stdout(input)?,
            None => match LineEditor::open() {
                Some((editor, [replies, messages])) => {
                    interrupts::keep_terminal_mode();
                    above_line = Some(Box::new(messages));
                    Connection::edited(editor, replies, interrupts_tx)?
                }
                None => Connection::stdio()?,
            },
        };
        Ok((Connection { interrupts, ..connection }, above_line))
    }

    fn edited(
        editor: LineEditor,
        printer: impl Write + Send + 'static,
        interrupts: Sender<Interrupt>,
    ) -> std::io::Result<Connection> {
        let (requests_tx, requests) = bounded(1);
        let connection = Connection::with_reader(printer, |lines, written| {
            move || {
                let send = |text: &str| lines.send(Line::now(text)).is_ok();
                editor.read(&requests, &written, &interrupts, send);
            }
        })?;
        Ok(Connection { stdout: true, requests: Some(requests_tx), ..connection })
    }

    /// Lets a line editor read the next line, unless it does already. It waits for this so that the terminal is in its
    /// usual mode when the program ends. `waiting` is the number of replies that are not sent to the writer thread.
    pub fn request_line(&self, waiting: usize) {
        if let Some(requests) = &self.requests
            && !self.requested.replace(true)
        {
            // The reader thread is gone after the end of input.
            let _ = requests.try_send(self.sent.get() + waiting);
        }
    }

    /// Notes that the request was answered, by a line or by Ctrl-C.
    pub fn request_answered(&self) {
        self.requested.set(false);
    }

    /// Whether no process can read the replies any more. A job that writes nothing would not notice it.
    pub fn is_reader_gone(&self) -> bool {
        self.stdout && stdio::is_reader_gone()
    }

    /// Writes a reply from the calling thread if no other reply waits and writing cannot block. Returns whether it did.
    pub fn write_now(&self, reply: &str) -> bool {
        self.direct
            && self.written.load(Ordering::Acquire) == self.sent.get()
            && pipe::write_now(std::io::stdout(), reply)
    }

    /// Counts a reply that was sent to the writer thread.
    pub fn sent(&self) {
        self.sent.set(self.sent.get() + 1);
    }

    /// A connection without threads, and the client's end of it.
    pub fn memory() -> (Connection, Client) {
        let (lines_tx, lines) = bounded(CHANNEL_CAPACITY);
        let (writer, replies) = bounded(CHANNEL_CAPACITY);
        let (open, closed) = bounded(0);
        let connection = Connection::of_channels(lines, writer, closed);
        (connection, Client { lines: lines_tx, replies, open })
    }

    /// Waits until everything is written, up to `timeout` if there is one. A reader thread that still blocks on its input
    /// cannot be woken: it ends with the process.
    ///
    /// # Errors
    /// If a reply could not be written for another reason than that the client has closed its end.
    pub fn close(self, timeout: Option<Duration>) -> std::io::Result<()> {
        drop((self.lines, self.writer, self.requests));
        let Some((reader, writer)) = self.threads else { return Ok(()) };
        let has_ended = match timeout {
            Some(timeout) => self.closed.recv_timeout(timeout) == Err(RecvTimeoutError::Disconnected),
            None => self.closed.recv().is_err(),
        };
        // The panic hook has reported a panic of either thread.
        if reader.is_finished() {
            let _ = reader.join();
        }
        if has_ended { writer.join().unwrap_or(Ok(())) } else { Ok(()) }
    }
}

/// Splits `input` into lines and sends them with the time of their arrival.
fn read(mut input: impl Read, lines: &Sender<Line>) {
    let mut buffer = vec![0; BATCH];
    let mut line = Vec::new();
    let mut complete = true;
    loop {
        let count = match input.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        let at = Instant::now();
        let mut pieces = buffer[..count].split(|&byte| byte == b'\n').peekable();
        while let Some(piece) = pieces.next() {
            complete &= line.len() + piece.len() <= MAX_LINE_BYTES;
            if complete {
                line.extend_from_slice(piece);
            } else {
                line.truncate(HEAD_BYTES);
            }
            let ended = pieces.peek().is_some() || (count == 0 && !line.is_empty());
            if ended {
                let text = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
                if lines.send(Line { at, text, complete }).is_err() {
                    return;
                }
                line = Vec::new();
                complete = true;
            }
        }
        if count == 0 {
            return;
        }
    }
}

/// Writes the replies, several at a time if several wait, and counts them, until the channel is disconnected or writing fails.
/// No error if the client has closed its end.
fn write(replies: &Receiver<String>, mut output: impl Write, written: &AtomicUsize) -> std::io::Result<()> {
    let mut batch = String::new();
    while let Some(reply) = recv_parked(replies, None) {
        let mut count = 1;
        batch.clear();
        batch.push_str(&reply);
        while batch.len() < BATCH
            && let Ok(reply) = replies.try_recv()
        {
            batch.push_str(&reply);
            count += 1;
        }
        match output.write_all(batch.as_bytes()).and_then(|()| output.flush()) {
            Ok(()) => drop(written.fetch_add(count, Ordering::Release)),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn lines(input: Vec<u8>) -> Vec<Line> {
        let connection = Connection::new(Cursor::new(input), std::io::sink()).unwrap();
        let lines = connection.lines.iter().collect();
        connection.close(None).unwrap();
        lines
    }

    #[test]
    fn read_mixed_line_ends_splits_at_newlines() {
        let texts: Vec<String> = lines(b"uci\r\n\n go \rx\n\xff\xfe\x00\nquit".to_vec())
            .into_iter()
            .map(|line| line.text)
            .collect();
        assert_eq!(texts, ["uci", "", " go \rx", "\u{fffd}\u{fffd}\0", "quit"]);
    }

    #[test]
    fn line_too_long_is_cut_and_the_next_is_complete() {
        let mut input = vec![b'x'; MAX_LINE_BYTES * 4];
        input.extend_from_slice(b"\nuci\n");
        let lines = lines(input);
        assert_eq!(lines.len(), 2);
        assert!(!lines[0].complete && lines[0].text == "x".repeat(HEAD_BYTES));
        assert!(lines[1].complete && lines[1].text == "uci");
    }

    /// An output that fails.
    struct Broken(ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn output_that_fails_disconnects_closed_and_is_an_error_unless_its_reader_is_gone() {
        for (kind, is_error) in [(ErrorKind::BrokenPipe, false), (ErrorKind::StorageFull, true)] {
            let connection = Connection::new(Cursor::new(Vec::new()), Broken(kind)).unwrap();
            connection.writer.send("readyok\n".into()).unwrap();
            assert!(connection.closed.recv_timeout(Duration::from_secs(20)).is_err());
            assert_eq!(connection.close(Some(Duration::ZERO)).is_err(), is_error);
        }
    }
}
