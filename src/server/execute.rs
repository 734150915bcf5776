//! What each command does, and what becomes of the reports of a search.

use super::job::{Event, Job, JobKind, SearchResources, SpawnError};
use super::log::{Direction, ProtocolLog, SearchLog};
use super::options::{self, Action};
use super::session::{self, OutputOptions};
use super::{QueuedCommand, Server};
use crate::game::{Depth, quote};
use crate::protocol::{Command, Go, Reply, StartPosition};
use crate::search::memory::{RESERVE_BYTES, STACK_BYTES, THREAD_DATA_BYTES, can_allocate};
use crate::search::{Control, Report, SearchResult, SearchState, TableError, fault_injection, panic_message};
use crate::tools::bench;
use crossbeam_channel::Receiver;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Instant;

impl Server {
    /// Does what waited; nothing runs now.
    pub(super) fn execute(&mut self, next: QueuedCommand) {
        fault_injection::trigger(fault_injection::FaultPoint::Server);
        match next.command {
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::UciNewGame => self.clear_search_state(),
            Command::Position { setup, moves } => self.set_position(&setup, &moves),
            Command::Go(go) => self.search(&go, next.at.max(self.idle_since), &next.said),
            Command::Perft(depth) => {
                let workshop = self.take_workshop();
                let job = self.session.perft(depth, workshop);
                self.start_job(job, &next.said);
            }
            Command::Display => self.reply(&Reply::Raw(self.session.show(self.options.style()))),
            Command::Eval => {
                let text = self.session.eval_text();
                self.reply(&Reply::Raw(text));
            }
            Command::Flip => {
                if let Err(reason) = self.session.flip() {
                    self.info_string(reason);
                }
            }
            Command::Bench { depth, hash } => {
                let workshop = self.take_workshop();
                let job = Job::spawn(JobKind::Other, workshop, move |_, control, say| {
                    Some(bench(depth, hash, control, say))
                });
                self.start_job(job, &next.said);
            }
            Command::GenFens { count, seed, book } => {
                let (workshop, style) = (self.take_workshop(), self.options.style());
                let job = self.session.openings(count, seed, book.map(PathBuf::from), style, workshop);
                self.start_job(job, &next.said);
            }
            Command::Help => self.reply(&Reply::Raw(include_str!("help.txt").trim_end().into())),
            command => unreachable!("{command} acts at once and never waits"),
        }
    }

    /// The answer to `uci`.
    pub(super) fn handle_uci(&mut self) {
        self.human = None;
        self.reply(&Reply::IdName(concat!("Duiyi ", env!("CARGO_PKG_VERSION")).into()));
        self.reply(&Reply::IdAuthor("the Duiyi developers"));
        for declaration in options::declarations() {
            self.reply(&Reply::Option(declaration));
        }
        self.reply(&Reply::UciOk);
    }

    /// The answer to `isready`: what the next search needs is there, unless one runs now.
    pub(super) fn handle_isready(&mut self) {
        if let Some(SearchResources { memory, .. }) = &mut self.workshop {
            self.session.prepare(memory, &self.options.settings());
        }
        self.reply(&Reply::ReadyOk);
    }

    pub(super) fn set_debug(&mut self, on: bool) {
        self.debug = on;
        ::log::set_max_level(if on { self.log_level.max(::log::LevelFilter::Debug) } else { self.log_level });
        self.debug_info(|| format!("debug {}", if on { "on" } else { "off" }));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let action = match self.options.set(name, value) {
            Ok(action) => action,
            Err(reason) => return self.info_string(reason),
        };
        match action {
            Action::None => {
                self.debug_info(|| format!("{} set to {}", quote(name), quote(value.unwrap_or(""))))
            }
            Action::Resize(megabytes) => self.resize(megabytes),
            Action::Clear => self.clear_search_state(),
            Action::Variant(variant) => self.set_variant(variant),
            Action::DebugLog(path) => self.log_protocol_to(path.as_deref()),
            Action::SearchLog(path) => self.log_searches(path.as_deref()),
        }
    }

    fn set_variant(&mut self, variant: &str) {
        if variant == self.session.variant() {
            return;
        }
        if let Ok(session) = session::new_session(variant) {
            self.session = session;
            self.clear_search_state();
            let start = self.session.position_text(self.options.style());
            self.info_string(format!("variant {variant}, position set to its start: {start}"));
        }
    }

    fn resize(&mut self, megabytes: usize) {
        let old = self.workshop.as_ref().map_or(0, |workshop| workshop.memory.table().megabytes());
        if old == megabytes {
            return;
        }
        let resized = match &mut self.workshop {
            Some(_) if exceeds_physical_memory(megabytes) => Err(TableError { megabytes }),
            Some(workshop) => workshop.memory.resize(megabytes),
            lost => allocate_state(megabytes).map(|memory| *lost = Some(SearchResources::new(memory))),
        };
        match resized {
            Ok(()) => self.debug_info(|| format!("table of {megabytes} MB")),
            Err(error) => self.info_string(format!("option Hash: {error}, value not changed ({old} MB)")),
        }
    }

    /// Empties the table and whatever else was learned.
    fn clear_search_state(&mut self) {
        let Some(SearchResources { memory, .. }) = &mut self.workshop else { return };
        memory.clear();
        self.debug_info(|| "table emptied".into());
    }

    fn set_position(&mut self, setup: &StartPosition, moves: &[String]) {
        match self.session.set_position(setup, moves) {
            Ok(notes) if notes.is_empty() => {}
            Ok(notes) => self.info_string(format!("position: {}", notes.join("; "))),
            Err(reason) => self.info_string(reason),
        }
    }

    /// The workshop, which the work that is about to begin takes along.
    fn take_workshop(&mut self) -> SearchResources {
        self.workshop.take().expect("the workshop is at home while nothing runs")
    }

    fn search(&mut self, go: &Go, at: Instant, said: &[Control]) {
        let (limits, notes) = self.session.limits(go, at);
        notes.into_iter().for_each(|note| self.info_string(note));
        if let Some(log) = &mut self.search_log {
            log.begin(self.session.variant(), self.session.position_text(self.options.style()));
        }
        let workshop = self.take_workshop();
        let job = self.session.search(limits, &self.options.settings(), self.options.method, workshop);
        if !self.start_job(job, said) {
            self.send_fallback_move();
        }
    }

    /// Takes note of work that has begun, or of why it has not.
    fn start_job(&mut self, job: Result<Job, SpawnError>, said: &[Control]) -> bool {
        match job {
            Ok(mut job) => {
                said.iter().for_each(|&control| job.send(control));
                self.job = Some(job);
                true
            }
            Err(SpawnError { workshop, reason }) => {
                self.workshop = Some(*workshop);
                self.info_string(format!("error: no thread to work in: {reason}"));
                false
            }
        }
    }

    /// A legal move where no search could find one.
    pub(super) fn send_fallback_move(&mut self) {
        let finish = SearchResult { best: self.session.first_legal_move(), ..SearchResult::default() };
        self.best_move(&finish);
    }

    /// Acts on what the running work says.
    pub(super) fn event(&mut self, event: Event) {
        match event {
            Event::Report(report) => self.report(&report),
            Event::Finish(finish) => self.finish(&finish),
            Event::Perft(None) => self.info_string("perft stopped".into()),
            Event::Perft(Some((counts, leaves))) => {
                let text = self.session.perft_text(&counts, leaves, self.options.style());
                self.reply(&Reply::Raw(text));
            }
            Event::Reply(reply) => self.reply(&reply),
            Event::Panicked(message) => self.panicked(&message, "this command is given up"),
        }
    }

    /// Says that the program has failed, once, and what happens now. The log has the place: see [`crate::cli`].
    fn panicked(&mut self, message: &str, now: &str) {
        let position = catch_unwind(AssertUnwindSafe(|| self.session.position_text(self.options.style())));
        ::log::error!("failed in {}: {message}", position.unwrap_or_else(|_| "no position".into()));
        self.info_string(format!("error: the program failed ({}), {now}", message.replace('\n', " ")));
    }

    /// Does something that has no reason to panic, and outlives it if it does. Gives whether it went well.
    pub(super) fn catch_panic(&mut self, act: impl FnOnce(&mut Server)) -> bool {
        let done = catch_unwind(AssertUnwindSafe(|| act(self)));
        if let Err(panic) = &done {
            self.panicked(&panic_message(&**panic), "this command is given up");
            if self.job.is_none() && self.workshop.is_none() {
                self.workshop = fallback_resources();
            }
        }
        done.is_ok()
    }

    fn report(&mut self, report: &Report) {
        // Of no use to a client that is late in reading.
        if matches!(report, Report::CurrMove { .. }) && !self.out.is_empty() {
            return;
        }
        let words = OutputOptions { style: self.options.style(), wdl: self.options.show_wdl };
        let replies = self.session.info_replies(report, words);
        let mut text = String::new();
        for reply in &replies {
            text += &self.render(reply);
            text.push('\n');
            self.log_search(|log| match reply {
                Reply::Info(info) => log.line(info),
                Reply::NoLegalMoves(score) => log.ended(*score),
                _ => Ok(()),
            });
        }
        self.log_protocol(Direction::Out, &text);
        match report {
            Report::Block(_) => self.out.push_info(text),
            Report::CurrMove { .. } | Report::FewerThreads { .. } => self.out.push(text),
        }
    }

    fn finish(&mut self, finish: &SearchResult) {
        match (&finish.panic, &finish.helper_panics[..]) {
            (Some(message), _) => self.panicked(message, "the best move known before is played"),
            (None, [message, ..]) => {
                let lost = finish.helper_panics.len();
                self.panicked(
                    message,
                    &format!("{lost} of the search's threads given up, the others went on"),
                );
            }
            (None, []) => {}
        }
        if finish.panic.is_some() && finish.best.is_none() {
            return self.send_fallback_move();
        }
        self.best_move(finish);
    }

    fn best_move(&mut self, finish: &SearchResult) {
        let reply = self.session.best_move(finish, self.options.style());
        self.out.pin_last_info();
        self.reply(&reply);
        if let Reply::BestMove { best, ponder } = &reply {
            let time = finish.elapsed.as_millis() as u64;
            self.log_search(|log| log.best(best.as_deref(), ponder.as_deref(), finish.nodes, time));
        }
    }

    /// The work's thread has done all it had to do: its last word is heard when nothing runs any more.
    pub(super) fn finish_job(&mut self) {
        let Some(job) = self.job.take() else { return };
        let work = job.work;
        let (workshop, last) = job.join().unzip();
        self.workshop = workshop.or_else(fallback_resources);
        self.idle_since = Instant::now();
        let answered = last.flatten().is_some_and(|last| {
            let answers = matches!(last, Event::Finish(_));
            self.catch_panic(|server| server.event(last)) && answers
        });
        if work != JobKind::Other && !answered {
            self.send_fallback_move();
        }
    }

    pub(super) fn info_string(&mut self, text: String) {
        self.reply(&Reply::InfoString(text));
    }

    /// Under `debug on`, says what has changed.
    fn debug_info(&mut self, what: impl FnOnce() -> String) {
        if self.debug {
            self.info_string(format!("debug: {}", what()));
        }
    }

    /// Says something that must arrive.
    pub(super) fn reply(&mut self, reply: &Reply) {
        let text = self.render(reply);
        self.queue_reply(text);
    }

    pub(super) fn queue_reply(&mut self, mut text: String) {
        text.push('\n');
        self.log_protocol(Direction::Out, &text);
        self.out.push(text);
    }

    fn render(&mut self, reply: &Reply) -> String {
        match &mut self.human {
            Some(human) => human.render(reply),
            None => reply.to_string(),
        }
    }

    pub(super) fn log_protocol(&mut self, way: Direction, text: &str) {
        if let Some(log) = &mut self.protocol_log
            && let Err(error) = log.write(way, text)
        {
            self.protocol_log = None;
            self.info_string(format!("error: cannot write the log: {error}, logging ended"));
        }
    }

    fn log_search(&mut self, write: impl FnOnce(&mut SearchLog) -> std::io::Result<()>) {
        if let Some(log) = &mut self.search_log
            && let Err(error) = write(log)
        {
            self.search_log = None;
            self.info_string(format!("error: cannot write the search log: {error}, logging ended"));
        }
    }

    fn log_protocol_to(&mut self, path: Option<&Path>) {
        self.protocol_log = None;
        match path.map(ProtocolLog::open) {
            None => {}
            Some(Ok(log)) => self.protocol_log = Some(log),
            Some(Err(error)) => {
                self.info_string(format!("error: cannot log to that file: {error}, nothing is logged"))
            }
        }
    }

    pub(super) fn log_searches(&mut self, path: Option<&Path>) {
        self.search_log = None;
        match path.map(SearchLog::open) {
            None => {}
            Some(Ok(log)) => self.search_log = Some(log),
            Some(Err(error)) => {
                self.info_string(format!(
                    "error: cannot log searches to that file: {error}, nothing is logged"
                ));
            }
        }
    }
}

/// Where the old one was lost.
fn fallback_resources() -> Option<SearchResources> {
    SearchState::new(1).ok().map(SearchResources::new)
}

/// Runs the bench; its last line is the one that test frameworks for engines look for.
fn bench(depth: Option<u32>, hash: Option<u32>, control: &Receiver<Control>, say: &dyn Fn(Event)) -> Event {
    let depth = depth.map_or(bench::DEPTH, |depth| depth.clamp(1, Depth::MAX.plies() as u32) as i32);
    let hash = hash.map_or(options::HASH_DEFAULT as usize, |hash| hash as usize);
    let mut each = |bench::Position { number, count, text }: bench::Position, nodes: u64| {
        say(Event::Reply(Reply::Raw(format!("position {number:>2}/{count} nodes {nodes:>9} {text}"))));
    };
    let total = allocate_state(hash).and_then(|_| bench::run(depth, hash, control, &mut each));
    Event::Reply(match total {
        Ok(Some(total)) => Reply::Raw(format!("\n{} nodes {} nps", total.nodes, total.nps())),
        Ok(None) => Reply::InfoString("bench stopped".into()),
        Err(error) => Reply::InfoString(format!("bench: {error}, command ignored")),
    })
}

/// Memory with a table of that size that leaves room for a search. More than the computer has is refused here, because
/// the system may promise it and end the program when it is used.
fn allocate_state(megabytes: usize) -> Result<SearchState, TableError> {
    if exceeds_physical_memory(megabytes) {
        return Err(TableError { megabytes });
    }
    SearchState::new(megabytes).and_then(|memory| {
        let room = can_allocate(STACK_BYTES + THREAD_DATA_BYTES + RESERVE_BYTES);
        if room { Ok(memory) } else { Err(TableError { megabytes }) }
    })
}

/// Whether `megabytes` MiB are more than the computer's memory.
fn exceeds_physical_memory(megabytes: usize) -> bool {
    physical_megabytes().is_some_and(|physical| megabytes > physical)
}

/// The computer's memory in MiB, where the system tells.
fn physical_megabytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: usize = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes >> 10)
}
