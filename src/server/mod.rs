//! The server: one loop over what the client says, what the running work reports and what can be written.
//!
//! All lines come through one inbox, in order, and only this loop acts on them. While work runs, `stop`,
//! `ponderhit`, `isready`, `quit`, `uci` and `debug` act at once, every other command waits until it has ended.

mod connection;
mod execute;
mod job;
mod log;
#[cfg(all(test, loom))]
mod models;
mod options;
mod outbox;
mod pipe;
mod scheduling;
mod session;
mod terminal;
mod textbook;

pub use connection::{Client, Connection, Line, MAX_LINE_BYTES};
pub use terminal::TerminalDisplay;

use crate::game::quote;
use crate::protocol::{self, Command, ParseError};
use crate::search::{Control, SearchState, TableError};
use crate::variants;
use crossbeam_channel::{Receiver, Sender, after, bounded, never, select};
use job::{Job, SearchResources};
use options::{HASH_DEFAULT, Options};
use outbox::Outbox;
use session::Session;
use std::collections::VecDeque;
use std::path::Path;
use std::time::{Duration, Instant};

/// After `quit` the running search may still say its move, and what is said may still be written, this long.
const QUIT_TIMEOUT: Duration = Duration::from_millis(250);
/// Bounds of what waits behind a running search: commands, and bytes of their lines.
const MAX_QUEUED: usize = 10_000;
const WAITING_BYTES: usize = 8 << 20;

/// A command that waits for its turn.
#[derive(Debug)]
struct QueuedCommand {
    command: Command,
    at: Instant,
    /// Length of its line.
    bytes: usize,
    /// What was said to it before it began.
    said: Vec<Control>,
}

/// Whether and why nothing more is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    /// Lines are read.
    Open,
    /// `wait`: no line is read before the work has ended.
    Paused,
    /// There is no more: what has a limit is done to its end.
    Ended,
    /// `quit`: nothing more is done.
    Quit,
}

/// One server, one client.
struct Server {
    session: Box<dyn Session>,
    options: Options,
    /// At home while no work runs.
    workshop: Option<SearchResources>,
    job: Option<Job>,
    waiting: VecDeque<QueuedCommand>,
    waiting_bytes: usize,
    input: Input,
    /// Runs out some time after `quit`.
    deadline: Receiver<Instant>,
    outbox: Sender<String>,
    out: Outbox,
    /// When the last work ended: the time of a search that waited for that counts from there.
    idle_since: Instant,
    debug: bool,
    /// What `debug off` goes back to.
    log_level: ::log::LevelFilter,
    human: Option<TerminalDisplay>,
    protocol_log: Option<log::ProtocolLog>,
    search_log: Option<log::SearchLog>,
}

/// Serves the client at the other end of `link` until it says `quit`, has nothing more to say or goes away.
/// A `human` gets a display for people until the first `uci`; searches are logged to `search_log`.
pub fn run(
    link: Connection,
    human: Option<TerminalDisplay>,
    search_log: Option<&Path>,
) -> Result<(), TableError> {
    scheduling::request_short_timeslice();
    let mut server = Server::new(link.outbox.clone(), human)?;
    server.print_banner();
    if let Some(path) = search_log {
        server.log_searches(Some(path));
    }
    let gone = server.serve(&link);
    let patience = if server.input == Input::Quit { Some(QUIT_TIMEOUT) } else { None };
    if !gone {
        server.flush(patience);
    }
    drop(server);
    link.close(if gone { Some(Duration::ZERO) } else { patience });
    Ok(())
}

impl Server {
    fn new(outbox: Sender<String>, human: Option<TerminalDisplay>) -> Result<Server, TableError> {
        Ok(Server {
            session: session::new_session(variants::DEFAULT).expect("the default is one of the games"),
            options: Options::default(),
            workshop: Some(SearchResources::new(SearchState::new(HASH_DEFAULT as usize)?)),
            job: None,
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            input: Input::Open,
            deadline: never(),
            outbox,
            out: Outbox::default(),
            idle_since: Instant::now(),
            debug: false,
            log_level: ::log::max_level(),
            human,
            protocol_log: None,
            search_log: None,
        })
    }

    fn print_banner(&mut self) {
        if let Some(greeting) = self.human.as_ref().map(TerminalDisplay::greeting) {
            self.queue_reply(greeting);
        }
    }

    /// The loop. Gives whether the client has gone.
    fn serve(&mut self, link: &Connection) -> bool {
        let (silence, silent) = (never(), never());
        // A sender that is never ready: its receiver exists and takes nothing.
        let (stuck, _taken_by_nobody) = bounded(0);
        loop {
            self.write_now(link);
            self.run_queued();
            self.write_now(link);
            if self.is_done() {
                return false;
            }
            let listens = self.input == Input::Open && !self.out.is_full();
            let inbox = if listens { &link.inbox } else { &silence };
            let events = self.job.as_ref().map_or(&silent, |job| &job.events).clone();
            let outbox = if self.out.is_empty() { &stuck } else { &link.outbox };
            select! {
                recv(inbox) -> line => match line {
                    Ok(line) => drop(self.catch_panic(|server| server.handle_line(line))),
                    Err(_) => self.end_of_input(),
                },
                recv(events) -> event => match event {
                    Ok(event) => drop(self.catch_panic(|server| server.event(event))),
                    Err(_) => drop(self.catch_panic(Server::finish_job)),
                },
                send(outbox, self.out.pop().unwrap_or_default()) -> sent => match sent {
                    Ok(()) => link.sent(),
                    Err(_) => return true,
                },
                recv(link.closed) -> _ => return true,
                recv(self.deadline) -> _ => return false,
            }
        }
    }

    /// Says what can be said at once; the rest is for the writer.
    fn write_now(&mut self, link: &Connection) {
        while self.out.first().is_some_and(|text| link.write_now(text)) {
            self.out.pop();
        }
    }

    /// Starts what waits, as long as nothing runs.
    fn run_queued(&mut self) {
        while self.job.is_none()
            && let Some(next) = self.waiting.pop_front()
        {
            self.waiting_bytes -= next.bytes;
            let owes = matches!(next.command, Command::Go(_));
            if !self.catch_panic(|server| server.execute(next)) && owes && self.job.is_none() {
                self.catch_panic(Server::send_fallback_move);
            }
        }
        let nothing_ends = self.job.as_ref().is_none_or(Job::needs_stop);
        if self.input == Input::Paused && nothing_ends {
            self.input = Input::Open;
        }
        if self.input == Input::Ended && nothing_ends {
            self.send_control(Control::Stop);
        }
    }

    fn is_done(&self) -> bool {
        matches!(self.input, Input::Ended | Input::Quit) && self.job.is_none() && self.waiting.is_empty()
    }

    fn end_of_input(&mut self) {
        self.input = Input::Ended;
    }

    /// Acts on one line, or lets its command wait.
    fn handle_line(&mut self, line: Line) {
        self.log_protocol(log::Direction::In, &line.text);
        if !line.complete {
            let head = quote(&line.text);
            return self
                .info_string(format!("line longer than {MAX_LINE_BYTES} bytes, begins {head}, ignored"));
        }
        let parsed = match protocol::parse(&line.text) {
            Ok(Some(parsed)) => parsed,
            Ok(None) => return,
            Err(error) => return self.report_parse_error(&error),
        };
        for warning in parsed.warnings {
            self.info_string(warning);
        }
        if self.debug {
            let text = quote(&parsed.command.to_string());
            self.info_string(format!("debug: received {text}"));
        }
        match parsed.command {
            Command::Uci => self.handle_uci(),
            Command::IsReady => self.handle_isready(),
            Command::Debug(on) => self.set_debug(on),
            Command::Register => {}
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => self.quit(),
            Command::Wait if self.job.as_ref().is_some_and(|job| !job.needs_stop()) => {
                self.input = Input::Paused
            }
            Command::Wait => {}
            command => self.enqueue(command, line.at, line.text.len()),
        }
    }

    fn report_parse_error(&mut self, error: &ParseError) {
        self.info_string(error.to_string());
    }

    fn enqueue(&mut self, command: Command, at: Instant, bytes: usize) {
        if self.waiting.len() == MAX_QUEUED || self.waiting_bytes + bytes > WAITING_BYTES {
            let text = quote(&command.to_string());
            return self.info_string(format!("too many commands wait for the search to end, {text} ignored"));
        }
        self.waiting_bytes += bytes;
        self.waiting.push_back(QueuedCommand { command, at, bytes, said: Vec::new() });
    }

    /// Ends the running work, and each `go` that waits as soon as it has begun.
    fn stop(&mut self) {
        self.send_control(Control::Stop);
        for waiting in &mut self.waiting {
            use Command::{Bench, GenFens, Go, Perft};
            if matches!(waiting.command, Go(_) | Perft(_) | Bench { .. } | GenFens { .. }) {
                waiting.said.push(Control::Stop);
            }
        }
    }

    /// Is for the search that ponders, else for the first one that waits to ponder, else for nobody.
    fn ponder_hit(&mut self) {
        if self.job.as_ref().is_some_and(Job::is_pondering) {
            return self.send_control(Control::PonderHit);
        }
        let mut waiting = self.waiting.iter_mut();
        let next = waiting.find(|waiting| {
            waiting.said.is_empty()
                && matches!(&waiting.command, Command::Go(go) if go.ponder && !go.infinite)
        });
        next.into_iter().for_each(|waiting| waiting.said.push(Control::PonderHit));
    }

    fn send_control(&mut self, control: Control) {
        if let Some(job) = &mut self.job {
            job.send(control);
        }
    }

    fn quit(&mut self) {
        self.input = Input::Quit;
        self.waiting.clear();
        self.send_control(Control::Stop);
        self.deadline = after(QUIT_TIMEOUT);
    }

    /// Sends what still waits to be written, and gives up after `patience`.
    fn flush(&mut self, patience: Option<Duration>) {
        let end = patience.map(|patience| Instant::now() + patience);
        while let Some(text) = self.out.pop() {
            let sent = match end {
                Some(end) => self.outbox.send_deadline(text, end).is_ok(),
                None => self.outbox.send(text).is_ok(),
            };
            if !sent {
                return;
            }
        }
    }
}
