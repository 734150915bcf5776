//! The server: one loop over the client's lines, the events of the running job and the replies to write.
//!
//! All lines come through one channel, in order, and only this loop handles them. While a job runs, `stop`, `ponderhit`,
//! `isready`, `quit`, `uci` and `debug` are executed at once. Every other command is queued until the job has ended.

mod completion;
mod connection;
mod execute;
mod inline;
mod interrupts;
mod job;
mod line_editor;
mod log;
mod options;
mod outbox;
mod pipe;
mod repeats;
mod session;
mod stdio;
mod system_memory;
mod terminal;
mod terminal_game;
mod textbook;

pub use crate::search::memory::{set_up_allocator, spawn_service};
pub use connection::{Client, Connection, Line, MAX_LINE_BYTES};
pub use inline::InlineServer;
pub use interrupts::end_process as end_by_interrupt;
pub use terminal::TerminalDisplay;

use crate::clock::Instant;
use crate::data::Book;
use crate::game::{SplitMix64, quote};
use crate::nnue::Network;
use crate::protocol::{Command, Dialect, ParseError, Reply, Request};
use crate::search::{SearchState, Signal, TtError};
use crate::variants;
use crossbeam_channel::{Receiver, Sender, after, bounded, never, select, tick};
use interrupts::Interrupt;
use job::{Ending, Job, SearchResources};
use options::{HASH_DEFAULT, Options};
use outbox::Outbox;
use repeats::RepeatFilter;
use session::Session;
use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long after `quit` the running search may still send its move, and replies may still be written.
const QUIT_TIMEOUT: Duration = Duration::from_millis(250);
/// How long a search for a mate, which may not exist, goes on after the end of input. It takes once to twice this time.
const MATE_TIMEOUT: Duration = Duration::from_secs(5);
/// How often the server checks during a job whether its client is gone.
const CLIENT_CHECK: Duration = Duration::from_millis(200);
/// The most commands that are queued behind a running job.
const MAX_QUEUED: usize = 10_000;
/// The most bytes of their lines.
const MAX_QUEUED_BYTES: usize = 8 << 20;

#[derive(Debug)]
struct QueuedCommand {
    command: Command,
    /// The number of a [`Request::Ask`].
    ask: Option<u64>,
    /// When its line arrived.
    at: Instant,
    /// Length of its line in bytes.
    bytes: usize,
    /// The signals that arrived for it before it started.
    signals: Vec<Signal>,
    /// Whether a `position` line that came after it was refused when it was read.
    precedes_refused_position: bool,
}

/// Whether lines are read, and if not, why.
#[derive(Debug)]
enum Input {
    Open,
    /// After `wait`: no line is read until the job has ended.
    Paused,
    /// A line that the dialect reads only when the job has ended. No further line is received before.
    Held(Line),
    /// After the end of input: jobs with a limit are finished. `tick` receives a message each [`MATE_TIMEOUT`].
    Ended {
        tick: Receiver<std::time::Instant>,
    },
    /// After `quit`: the job is stopped. `timeout` receives a message after [`QUIT_TIMEOUT`].
    Quit {
        timeout: Receiver<std::time::Instant>,
        end: SessionEnd,
    },
}

impl Input {
    /// The channel of [`Server::deadline_reached`].
    fn deadline(&self) -> Receiver<std::time::Instant> {
        match self {
            Input::Ended { tick: deadline } | Input::Quit { timeout: deadline, .. } => deadline.clone(),
            Input::Open | Input::Paused | Input::Held(_) => never(),
        }
    }
}

/// What the server does beside reading lines.
enum Activity {
    /// No job runs, and the resources wait for the next one.
    Idle(SearchResources),
    /// A job runs and has the resources.
    Running(Job),
    /// A panic has lost the resources, and there was no memory for new ones.
    WithoutResources,
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// The client sent `quit`, ended its input or closed its end.
    Client,
    /// Ctrl-C at a terminal while no job ran.
    Interrupt,
}

/// Why a session failed.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// There is no memory for the first transposition table.
    #[error(transparent)]
    Table(#[from] TtError),
    /// A reply could not be written, and the client has not closed its end.
    #[error("cannot write replies: {0}, session ended")]
    Output(#[from] std::io::Error),
}

struct Server {
    session: Box<dyn Session>,
    options: Options,
    /// The network in the file of the option `EvalFile`.
    eval_file: Option<Arc<Network>>,
    book: Option<Book>,
    /// Chooses among the moves of the book. The system gives the seed, so that games differ.
    book_random: SplitMix64,
    /// The option `SyzygyPath`; empty if it is not set.
    tables_path: String,
    activity: Activity,
    queue: VecDeque<QueuedCommand>,
    queued_bytes: usize,
    input: Input,
    /// Whether Ctrl-C was the last input.
    interrupted: bool,
    writer: Sender<String>,
    /// The replies that the writer thread has not taken yet.
    out: Outbox,
    repeats: RepeatFilter,
    /// Whether the last `position` was refused and no `go` has reported it yet.
    position_refused: bool,
    /// When the last job ended. The clock of a search that was queued behind it starts here.
    idle_since: Instant,
    debug: bool,
    /// The level that `debug off` restores.
    log_level: ::log::LevelFilter,
    dialect: Box<dyn Dialect>,
    protocol_log: Option<log::ProtocolLog>,
    search_log: Option<log::SearchLog>,
}

/// Serves the client of `connection`, which speaks `dialect`, until it sends `quit`, ends its input or closes its end.
/// Searches are logged to the file `search_log`.
///
/// # Errors
/// If there is no memory for the transposition table, or if a reply could not be written, for example on a full disk.
pub fn run(
    connection: Connection,
    dialect: Box<dyn Dialect>,
    search_log: Option<&Path>,
) -> Result<SessionEnd, ServerError> {
    let mut server = Server::new(connection.writer.clone(), dialect)?;
    server.dialect.greeting().into_iter().for_each(|text| server.queue_reply(text));
    let first = server.dialect.follow_up();
    first.into_iter().for_each(|request| server.handle_request(request, Instant::now(), 0));
    if let Some(path) = search_log {
        server.open_search_log(Some(path));
    }
    let closed = server.serve(&connection);
    let (timeout, end) = match server.input {
        Input::Quit { end, .. } => (Some(QUIT_TIMEOUT), end),
        _ => (None, SessionEnd::Client),
    };
    if timeout.is_some() {
        server.dialect.farewell().into_iter().for_each(|text| server.queue_reply(text));
    }
    if !closed {
        server.flush(timeout);
    }
    drop(server);
    connection.close(if closed { Some(Duration::ZERO) } else { timeout })?;
    Ok(end)
}

impl Server {
    fn new(writer: Sender<String>, dialect: Box<dyn Dialect>) -> Result<Server, TtError> {
        Ok(Server {
            session: session::new_session(variants::DEFAULT).expect("the default is one of the games"),
            options: Options::default(),
            eval_file: None,
            book: None,
            book_random: SplitMix64::new(RandomState::new().hash_one(())),
            tables_path: String::new(),
            activity: Activity::Idle(SearchResources::new(SearchState::new(HASH_DEFAULT as usize)?)),
            queue: VecDeque::new(),
            queued_bytes: 0,
            input: Input::Open,
            interrupted: false,
            writer,
            out: Outbox::default(),
            repeats: RepeatFilter::default(),
            position_refused: false,
            idle_since: Instant::now(),
            debug: false,
            log_level: ::log::max_level(),
            dialect,
            protocol_log: None,
            search_log: None,
        })
    }

    /// The loop. Returns whether the client has closed its end.
    fn serve(&mut self, connection: &Connection) -> bool {
        let client_check = tick(CLIENT_CHECK);
        // A sender that is never ready: nothing receives from its channel.
        let (no_writer, _receiver) = bounded(0);
        loop {
            self.write_now(connection);
            self.run_queued();
            self.write_now(connection);
            if self.is_done() {
                return false;
            }
            if matches!(self.input, Input::Held(_))
                && !self.job_ends_by_itself()
                && let Input::Held(line) = std::mem::replace(&mut self.input, Input::Open)
            {
                self.catch_panic(|server| server.handle_line(line));
                continue;
            }
            let reads = matches!(self.input, Input::Open) && !self.out.is_full();
            if reads {
                connection.request_line(self.out.len());
            }
            let lines = if reads { connection.lines.clone() } else { never() };
            let writer = if self.out.is_empty() { &no_writer } else { &connection.writer };
            let (events, check) = self
                .job()
                .map_or_else(|| (never(), never()), |job| (job.events.clone(), client_check.clone()));
            select! {
                recv(lines) -> line => {
                    connection.request_answered();
                    match line {
                        Ok(line) if self.job_ends_by_itself() && !self.dialect.acts_at_once(&line.text) => {
                            self.input = Input::Held(line);
                        }
                        Ok(line) => drop(self.catch_panic(|server| server.handle_line(line))),
                        Err(_) => self.end_of_input(),
                    }
                },
                recv(connection.interrupts) -> interrupt => {
                    // After a signal the line editor goes on with its line.
                    if interrupt == Ok(Interrupt::Key) {
                        connection.request_answered();
                    }
                    self.interrupt(interrupt.unwrap_or(Interrupt::Signal));
                },
                recv(events) -> event => match event {
                    Ok(event) => drop(self.catch_panic(|server| server.handle_event(event))),
                    // The job's thread is gone without its last event.
                    Err(_) => self.finish_job(None, Ending::Panicked("the job's thread ended".into())),
                },
                send(writer, self.out.pop().unwrap_or_default()) -> sent => match sent {
                    Ok(()) => connection.sent(),
                    Err(_) => return true,
                },
                recv(connection.closed) -> _ => return true,
                recv(check) -> _ => if connection.is_reader_gone() { return true },
                recv(self.input.deadline()) -> _ => if self.deadline_reached() { return false },
            }
        }
    }

    fn job(&self) -> Option<&Job> {
        if let Activity::Running(job) = &self.activity { Some(job) } else { None }
    }

    /// What searches leave to the next, unless a job has it.
    fn search_state(&mut self) -> Option<&mut SearchState> {
        if let Activity::Idle(resources) = &mut self.activity { Some(&mut resources.state) } else { None }
    }

    /// Whether a job runs that ends without a further line: then a line may wait for its end.
    fn job_ends_by_itself(&self) -> bool {
        self.job().is_some_and(|job| !job.needs_stop())
    }

    /// Writes the replies that can be written without blocking. The others are left to the writer thread.
    fn write_now(&mut self, connection: &Connection) {
        while self.out.first().is_some_and(|text| connection.write_now(text)) {
            self.out.pop();
        }
    }

    /// Executes queued commands until one starts a job.
    fn run_queued(&mut self) {
        while self.job().is_none()
            && let Some(next) = self.queue.pop_front()
        {
            self.queued_bytes -= next.bytes;
            let needs_best_move = matches!(next.command, Command::Go(_));
            if !self.catch_panic(|server| server.execute(next)) && needs_best_move && self.job().is_none() {
                self.catch_panic(Server::send_fallback_move);
            }
        }
        self.stop_for_next_go();
        match self.input {
            _ if self.job_ends_by_itself() => {}
            Input::Paused => self.input = Input::Open,
            Input::Ended { .. } => self.send_signal(Signal::Stop),
            Input::Open | Input::Held(_) | Input::Quit { .. } => {}
        }
    }

    /// Stops an endless search if a `go` waits behind it: clients that send `go` without `stop` wait for the first `bestmove`.
    fn stop_for_next_go(&mut self) {
        let may_never_end = self.job().is_some_and(Job::may_never_end);
        if may_never_end && self.queue.iter().any(|queued| matches!(queued.command, Command::Go(_))) {
            let text =
                "go: expected \"stop\" before another \"go\", found none, the running search is stopped";
            self.info_string(text.into());
            self.send_signal(Signal::Stop);
        }
    }

    fn is_done(&self) -> bool {
        let reads_no_more = matches!(self.input, Input::Ended { .. } | Input::Quit { .. });
        reads_no_more && self.job().is_none() && self.queue.is_empty()
    }

    /// From now on jobs with a limit are finished, and searches for a mate get [`MATE_TIMEOUT`].
    fn end_of_input(&mut self) {
        self.input = Input::Ended { tick: tick(MATE_TIMEOUT) };
    }

    /// Handles a message of [`Input::deadline`]. Returns whether the session is over.
    fn deadline_reached(&mut self) -> bool {
        if self.job().is_some_and(Job::may_never_end) {
            self.send_signal(Signal::Stop);
        }
        matches!(self.input, Input::Quit { .. })
    }

    fn handle_line(&mut self, line: Line) {
        self.interrupted = false;
        self.log_protocol(log::RECEIVED, &line.text);
        if !line.complete {
            if line.text.split_ascii_whitespace().next() == Some("position") {
                self.refuse_position();
            }
            let head = quote(&line.text);
            return self
                .info_string(format!("line longer than {MAX_LINE_BYTES} bytes, begins {head}, ignored"));
        }
        for (index, request) in self.dialect.read(&line.text).into_iter().enumerate() {
            // Commands of the same line that are queued come first.
            if index > 0 {
                self.run_queued();
            }
            self.handle_request(request, line.at, line.text.len());
        }
    }

    /// Does what a line of `bytes` bytes asks for, which arrived `at` this time.
    fn handle_request(&mut self, request: Request, at: Instant, bytes: usize) {
        match request {
            Request::Command(command) => self.handle_command(command, None, at, bytes),
            Request::Ask(id, command) => self.handle_command(command, Some(id), at, bytes),
            Request::Reply(reply) => self.reply(&reply),
            Request::Error(error) => self.report_parse_error(&error),
        }
    }

    /// Executes a command that acts at once, or queues it. If it has the number `ask`, a [`Reply::Done`] follows.
    fn handle_command(&mut self, command: Command, ask: Option<u64>, at: Instant, bytes: usize) {
        if self.debug {
            let text = quote(&command.to_string());
            self.info_string(format!("debug: received {text}"));
        }
        match command {
            Command::Uci => self.handle_uci(),
            Command::IsReady => self.handle_isready(),
            Command::Debug(on) => self.set_debug(on),
            Command::Register => {}
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => self.quit(SessionEnd::Client),
            Command::Wait if self.job_ends_by_itself() => self.input = Input::Paused,
            Command::Wait => {}
            command => return self.enqueue(command, ask, at, bytes),
        }
        ask.into_iter().for_each(|id| self.reply(&Reply::Done { id, result: Ok(String::new()) }));
    }

    fn report_parse_error(&mut self, error: &ParseError) {
        if matches!(error, ParseError::Expected { command: "position", .. }) {
            self.refuse_position();
        }
        self.info_string(error.to_string());
    }

    fn enqueue(&mut self, command: Command, ask: Option<u64>, at: Instant, bytes: usize) {
        if self.queue.len() == MAX_QUEUED || self.queued_bytes + bytes > MAX_QUEUED_BYTES {
            if matches!(command, Command::Position { .. }) {
                self.refuse_position();
            }
            let text = quote(&command.to_string());
            let reason = format!("too many commands are queued, {text} ignored");
            return match ask {
                Some(id) => self.reply(&Reply::Done { id, result: Err(reason) }),
                None => self.info_string(reason),
            };
        }
        self.queued_bytes += bytes;
        let (signals, precedes_refused_position) = (Vec::new(), false);
        self.queue.push_back(QueuedCommand { command, ask, at, bytes, signals, precedes_refused_position });
    }

    /// Remembers that a `position` was refused when it was read. Only commands after it are concerned.
    fn refuse_position(&mut self) {
        match self.queue.back_mut() {
            Some(last) => last.precedes_refused_position = true,
            None => self.position_refused = true,
        }
    }

    /// Stops the running job, and each queued one as soon as it has started.
    fn stop(&mut self) {
        self.send_signal(Signal::Stop);
        for queued in &mut self.queue {
            use Command::{Bench, GenFens, Go, Perft};
            if matches!(queued.command, Go(_) | Perft(_) | Bench { .. } | GenFens { .. }) {
                queued.signals.push(Signal::Stop);
            }
        }
    }

    /// Sends `ponderhit` to the search that ponders, or else to the first queued one that will.
    fn ponder_hit(&mut self) {
        if self.job().is_some_and(Job::is_pondering) {
            return self.send_signal(Signal::PonderHit);
        }
        let next = self.queue.iter_mut().find(|queued| {
            queued.signals.is_empty()
                && matches!(&queued.command, Command::Go(go) if go.ponder && !go.infinite)
        });
        next.into_iter().for_each(|queued| queued.signals.push(Signal::PonderHit));
    }

    fn send_signal(&mut self, signal: Signal) {
        if let Activity::Running(job) = &mut self.activity {
            job.send(signal);
        }
    }

    /// Ctrl-C at a terminal stops the running job. If none runs or it is stopping, ends the program; the key, if pressed twice.
    fn interrupt(&mut self, interrupt: Interrupt) {
        let is_repeated = std::mem::replace(&mut self.interrupted, true);
        if self.job().is_some_and(|job| !job.is_stopping()) {
            return self.stop();
        }
        if interrupt == Interrupt::Key && !is_repeated {
            return self.info_string("Ctrl-C again, Ctrl-D or \"quit\" ends the program".into());
        }
        self.quit(SessionEnd::Interrupt);
    }

    fn quit(&mut self, end: SessionEnd) {
        self.queue.clear();
        self.send_signal(Signal::Stop);
        self.input = Input::Quit { timeout: after(QUIT_TIMEOUT), end };
    }

    /// Sends the remaining replies to the writer thread; gives up after `timeout`.
    fn flush(&mut self, timeout: Option<Duration>) {
        let end = timeout.map(|timeout| std::time::Instant::now() + timeout);
        while let Some(text) = self.out.pop() {
            let sent = match end {
                Some(end) => self.writer.send_deadline(text, end).is_ok(),
                None => self.writer.send(text).is_ok(),
            };
            if !sent {
                return;
            }
        }
    }
}
