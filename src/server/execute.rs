//! What each command does, and how events of the running job become replies.

use super::job::{Ending, Event, Job, JobKind, SearchResources, SpawnError};
use super::log::{Counted, ProtocolLog, SENT, SearchLog};
use super::options::{self, Action};
use super::session::{self, Session};
use super::system_memory::SystemMemory;
use super::{Activity, QueuedCommand, Server};
use crate::clock::Instant;
use crate::data::{Book, choose_book_move, open_file};
use crate::game::{Depth, Move, NotationError, quote};
use crate::nnue::Network;
use crate::protocol::{Command, Go, Reply, StartPosition};
use crate::search::memory::startable_threads;
use crate::search::{
    Report, SearchResult, SearchState, Settings, Signal, Signals, TtError, fault_injection, panic_message,
};
use crate::tools::bench;
use crate::tools::evaluation::{EvaluationChoice, evaluation_name};
use crate::tools::files::{Files, Replaces, replace_file};
use crate::tools::records;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most bytes that are read of a record.
const MAX_RECORD_BYTES: u64 = 4 << 20;

impl Server {
    /// Executes a queued command. No job runs now.
    pub(super) fn execute(&mut self, next: QueuedCommand) {
        fault_injection::trigger(fault_injection::FaultPoint::Server);
        let QueuedCommand { command, ask, at, signals, precedes_refused_position, .. } = next;
        let result = self.output_of(command, at, &signals);
        self.position_refused |= precedes_refused_position;
        match (ask, result) {
            (Some(id), result) => self.reply(&Reply::Done { id, result }),
            (None, Ok(text)) if text.is_empty() => {}
            (None, Ok(text)) => self.reply(&Reply::Raw(text)),
            (None, Err(reason)) => self.info_string(reason),
        }
    }

    /// Executes a command that arrived `at` this time. Returns its output, or one line that says why it was refused. A job
    /// that it starts gets `signals`, and replies later.
    fn output_of(&mut self, command: Command, at: Instant, signals: &[Signal]) -> Result<String, String> {
        match command {
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::UciNewGame => self.clear_search_state(),
            Command::Position { setup, moves } => self.set_position(&setup, &moves)?,
            Command::Play(mv) => self.session.play(&mv)?,
            Command::Undo(mv) => self.session.undo(mv.as_deref())?,
            Command::Turn(side) => self.session.set_turn(side)?,
            Command::Flip => self.session.flip()?,
            Command::Go(go) => {
                self.report_kept_position();
                self.search(&go, at.max(self.idle_since), signals);
            }
            Command::Perft(depth) => {
                self.report_kept_position();
                let resources = self.take_resources();
                let job = self.session.perft(depth, resources);
                self.start_job(job, signals);
            }
            Command::Bench { depth, hash } => {
                let (variant, network) = (self.session.variant(), self.available_network());
                let resources = self.take_resources();
                let job = Job::spawn(JobKind::Other, resources, move |_, signals, send| {
                    Ending::Tool(Some(bench(variant, depth, hash, network.as_ref(), signals, send)))
                });
                self.start_job(job, signals);
            }
            Command::GenFens { count, seed, book } => {
                let resources = self.take_resources();
                let job = self.session.openings(count, seed, book.map(PathBuf::from), resources);
                self.start_job(job, signals);
            }
            Command::Moves => return Ok(self.session.moves_text()),
            Command::Points => return self.session.points_text(),
            Command::Display => return Ok(self.session.show()),
            Command::Eval => return Ok(self.session.eval_text(self.network().as_ref())),
            Command::Board => {
                let board = self.session.board();
                self.reply(&Reply::Board(Box::new(board)));
            }
            Command::Save { path, tags, result } => return self.save(path.as_deref(), &tags, result),
            Command::Load { path, before, variant } => {
                self.load(Path::new(&path), before.as_deref(), variant)?
            }
            Command::Help => return Ok(include_str!("help.txt").trim_end().into()),
            command => unreachable!("{command} is executed at once and never queued"),
        }
        Ok(String::new())
    }

    /// Reports which position is searched if the last `position` was refused.
    fn report_kept_position(&mut self) {
        if std::mem::take(&mut self.position_refused) {
            let position = self.session.position_text();
            self.info_string(format!("go: the last \"position\" was refused, searching {position}"));
        }
    }

    pub(super) fn handle_uci(&mut self) {
        self.reply(&Reply::IdName(concat!("Duiyi ", env!("CARGO_PKG_VERSION")).into()));
        self.reply(&Reply::IdAuthor("the Duiyi developers"));
        for option in options::declarations() {
            self.reply(&Reply::Option(option));
        }
        self.reply(&Reply::UciOk);
    }

    /// Answers `isready`, after allocating what the next search needs unless a job runs.
    pub(super) fn handle_isready(&mut self) {
        let settings = self.settings();
        if let Activity::Idle(SearchResources { state, .. }) = &mut self.activity {
            self.session.prefault(state, &settings, || SystemMemory::now().free_for_table());
        }
        self.reply(&Reply::ReadyOk);
    }

    pub(super) fn set_debug(&mut self, on: bool) {
        self.debug = on;
        ::log::set_max_level(if on { self.log_level.max(::log::LevelFilter::Debug) } else { self.log_level });
        self.debug_info(|| format!("debug {}", if on { "on" } else { "off" }));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        match self.options.set(name, value)? {
            Action::None => {
                self.debug_info(|| format!("{} set to {}", quote(name), quote(value.unwrap_or(""))))
            }
            Action::Resize(megabytes) => self.resize_table(megabytes)?,
            Action::Clear => self.clear_search_state(),
            Action::GameOptions { is_rule } => {
                self.session.set_options(&self.options.game);
                // The transposition table has results of the former rules.
                if is_rule {
                    self.clear_search_state();
                }
            }
            Action::Variant(variant) => self.set_variant(variant),
            Action::Evaluation(choice) => self.change_evaluation(|server| server.options.evaluation = choice),
            Action::EvalFile(path) => self.set_eval_file(path.as_deref())?,
            Action::Book(path) => self.set_book(path.as_deref())?,
            Action::Tables(path) => self.set_tables(path),
            Action::DebugLog(path) => self.open_protocol_log(path.as_deref()),
            Action::SearchLog(path) => self.open_search_log(path.as_deref()),
        }
        Ok(())
    }

    fn set_variant(&mut self, variant: &str) {
        if variant == self.session.variant() {
            return;
        }
        if let Ok(mut session) = session::new_session(variant) {
            session.set_options(&self.options.game);
            let start = session.position_text();
            self.use_session(session, start);
        }
    }

    /// Goes on with another game, which starts at the position `start`.
    fn use_session(&mut self, session: Box<dyn Session>, start: String) {
        self.session = session;
        self.position_refused = false;
        self.clear_search_state();
        let (name, score_unit) = (self.session.variant(), self.session.score_unit());
        self.reply(&Reply::Variant { name, start, score_unit });
        if !self.tables_path.is_empty() {
            self.open_tables();
        }
    }

    /// Writes the game to the file at `path`, or returns its record.
    fn save(
        &self,
        path: Option<&str>,
        tags: &[(&str, String)],
        result: Option<&str>,
    ) -> Result<String, String> {
        let record =
            self.session.record(tags, result).map_err(|error| format!("save: {error}, not saved"))?;
        let Some(path) = path.map(Path::new) else { return Ok(record) };
        let written = Files::default()
            .writes("save", Some(path), Replaces::SavedGames)
            .check_without_force()
            .and_then(|()| replace_file(path, record.as_bytes()));
        written.map(|()| String::new()).map_err(|error| format!("{error:#}, not saved"))
    }

    /// Replaces the position by that of the game in the file at `path`, at its end or before a move: see [`Session::load`]. It may be a
    /// record of another game, unless it must be of `wanted`.
    fn load(&mut self, path: &Path, before: Option<&str>, wanted: Option<&str>) -> Result<(), String> {
        let refused =
            |error: String| format!("cannot load {}: {error}, previous position kept", path.display());
        let mut record = String::new();
        let file = open_file(path, std::fs::OpenOptions::new().read(true));
        file.and_then(|file| file.take(MAX_RECORD_BYTES).read_to_string(&mut record))
            .map_err(|error| refused(error.to_string()))?;
        let named = records::variant(&record);
        if let Some(wanted) = wanted.filter(|wanted| named.as_deref() != Some(wanted)) {
            return Err(refused(
                NotationError::new(format!("expected a record of {wanted}"), &record).to_string(),
            ));
        }
        let variant = named.unwrap_or_else(|| self.session.variant().into());
        let rules = if variant == self.session.variant() {
            self.session.load(&record, before).map_err(refused)?
        } else {
            let mut session = session::new_session(&variant).map_err(|error| refused(error.to_string()))?;
            session.set_options(&self.options.game);
            let start = session.position_text();
            let rules = session.load(&record, before).map_err(refused)?;
            self.use_session(session, start);
            rules
        };
        if !rules.is_empty() {
            self.options.game.extend(rules);
            // The transposition table has results of the former rules.
            self.clear_search_state();
        }
        self.position_refused = false;
        Ok(())
    }

    /// Reads the opening book in the file at `path`. A file that is no book changes nothing.
    fn set_book(&mut self, path: Option<&Path>) -> Result<(), String> {
        let refused = |error| format!("option BookFile: cannot use that file: {error}, value not changed");
        let book = path.map(Book::open).transpose().map_err(refused)?;
        if let Some(book) = &book {
            self.info_string(format!("option BookFile: found {} moves", book.len()));
        }
        self.book = book;
        Ok(())
    }

    /// A move of the opening book for `go`; `None` if a search must answer.
    fn book_move(&mut self, go: &Go) -> Option<Move> {
        let is_for_search = go.infinite
            || go.ponder
            || go.mate.is_some()
            || !go.searchmoves.is_empty()
            || !go.banmoves.is_empty();
        if is_for_search || !self.options.uses_book(self.session.plies_played()) {
            return None;
        }
        let moves = self.session.book_moves(self.book.as_ref()?);
        let (mv, weight) = choose_book_move(&moves, &mut self.book_random)?;
        let total: u64 = moves.iter().map(|&(_, weight)| u64::from(weight)).sum();
        self.info_string(format!("book move, weight {weight} of {total}"));
        Some(mv)
    }

    fn set_tables(&mut self, path: String) {
        if path != self.tables_path {
            self.tables_path = path;
            self.clear_search_state();
            self.open_tables();
        }
    }

    fn open_tables(&mut self) {
        let lines = self.session.open_tables(&self.tables_path);
        lines.into_iter().for_each(|line| self.info_string(format!("option SyzygyPath: {line}")));
    }

    /// The network that a search uses if the option `Evaluation` asks for one.
    fn available_network(&self) -> Option<Arc<Network>> {
        self.session.network(self.eval_file.as_ref())
    }

    /// `None` evaluates by hand. The network in the program is read when it is first asked for, not at the start.
    fn network(&self) -> Option<Arc<Network>> {
        match self.options.evaluation {
            EvaluationChoice::Network => self.available_network(),
            EvaluationChoice::Classical => None,
        }
    }

    fn settings(&self) -> Settings {
        Settings { network: self.network(), ..self.options.settings() }
    }

    /// Calls `change`. Clears the search state if that changes what evaluates.
    fn change_evaluation(&mut self, change: impl FnOnce(&mut Server)) {
        let former = self.network();
        change(self);
        let network = self.network();
        if former.as_ref().map(Arc::as_ptr) != network.as_ref().map(Arc::as_ptr) {
            self.debug_info(|| format!("evaluation: {}", evaluation_name(network.as_ref())));
            self.clear_search_state();
        }
    }

    /// Reads the network in the file at `path`. `None` stands for the one in the program.
    fn set_eval_file(&mut self, path: Option<&Path>) -> Result<(), String> {
        let refused = |error| format!("option EvalFile: cannot use that file: {error}, value not changed");
        let network = path.map(|path| self.session.read_network(path)).transpose().map_err(refused)?;
        self.change_evaluation(|server| server.eval_file = network);
        Ok(())
    }

    fn resize_table(&mut self, megabytes: usize) -> Result<(), String> {
        let old = self.table_megabytes();
        if old == megabytes {
            return Ok(());
        }
        let resized = match self.search_state() {
            Some(_) if SystemMemory::now().is_exceeded_by(megabytes) => Err(TtError { megabytes }),
            Some(state) => state.resize(megabytes),
            None => allocate_state(megabytes)
                .map(|state| self.activity = Activity::Idle(SearchResources::new(state))),
        };
        resized.map_err(|error| format!("option Hash: {error}, value not changed ({old} MiB)"))?;
        self.debug_info(|| format!("table of {megabytes} MiB"));
        Ok(())
    }

    /// Clears the transposition table and the histories.
    fn clear_search_state(&mut self) {
        let Some(state) = self.search_state() else { return };
        state.clear();
        self.debug_info(|| "hash table cleared".into());
    }

    fn set_position(&mut self, setup: &StartPosition, moves: &[String]) -> Result<(), String> {
        let result = self.session.set_position(setup, moves);
        self.position_refused = result.is_err();
        let warnings = result?;
        if !warnings.is_empty() {
            self.info_string(format!("position: {}", warnings.join("; ")));
        }
        Ok(())
    }

    fn take_resources(&mut self) -> SearchResources {
        match std::mem::replace(&mut self.activity, Activity::WithoutResources) {
            Activity::Idle(resources) => resources,
            _ => panic!("the server has the resources while no job runs"),
        }
    }

    /// The size of the transposition table, or 0 while a job has it.
    fn table_megabytes(&mut self) -> usize {
        self.search_state().map_or(0, |state| state.table().megabytes())
    }

    fn search(&mut self, go: &Go, at: Instant, signals: &[Signal]) {
        let (limits, warnings) = self.session.limits(go, at);
        warnings.into_iter().for_each(|warning| self.info_string(warning));
        self.log_begin(go);
        if let Some(mv) = self.book_move(go) {
            return self.send_best_move(&SearchResult { best: Some(mv), ..SearchResult::default() });
        }
        ::log::debug!("search of {}", self.session.position_text());
        let (settings, resources) = (self.settings(), self.take_resources());
        let job = self.session.search(limits, &settings, self.options.method, resources);
        if !self.start_job(job, signals) {
            self.send_fallback_move();
        }
    }

    /// Takes a job that was spawned and sends it `signals`, or reports why it could not be spawned. Returns whether it runs.
    fn start_job(&mut self, job: Result<Job, SpawnError>, signals: &[Signal]) -> bool {
        match job {
            Ok(mut job) => {
                signals.iter().for_each(|&signal| job.send(signal));
                self.activity = Activity::Running(job);
                true
            }
            Err(SpawnError { resources, reason }) => {
                self.activity = Activity::Idle(*resources);
                self.info_string(format!("error: cannot start a thread: {reason}, command not executed"));
                false
            }
        }
    }

    /// Answers a `go` whose search could not run or failed, with a legal move.
    pub(super) fn send_fallback_move(&mut self) {
        let result = SearchResult { best: self.session.first_legal_move(), ..SearchResult::default() };
        self.send_best_move(&result);
    }

    pub(super) fn handle_event(&mut self, event: Event) {
        match event {
            Event::Report(report) => self.report(&report),
            Event::Reply(reply) => self.reply(&reply),
            Event::End(state, ending) => self.finish_job(Some(*state), ending),
        }
    }

    /// Ends the job: the server has the resources again, then the last reply is sent.
    pub(super) fn finish_job(&mut self, state: Option<SearchState>, ending: Ending) {
        let former = std::mem::replace(&mut self.activity, Activity::WithoutResources);
        let Activity::Running(job) = former else { return self.activity = former };
        let kind = job.kind;
        self.activity = match state {
            Some(state) => Activity::Idle(job.into_resources(state)),
            None => fallback_activity(),
        };
        self.idle_since = Instant::now();
        self.interrupted = false;
        let is_result = matches!(ending, Ending::Search(_));
        let replied = self.catch_panic(|server| server.send_last_reply(ending));
        // A search must be answered with a move even if it, or writing its result, has panicked.
        if kind != JobKind::Other && !(is_result && replied) {
            self.send_fallback_move();
        }
    }

    fn send_last_reply(&mut self, ending: Ending) {
        match ending {
            Ending::Search(result) => self.send_result(&result),
            Ending::Tool(reply) => reply.iter().for_each(|reply| self.reply(reply)),
            Ending::Panicked(message) => self.report_panic(&message, "command aborted"),
        }
    }

    /// Reports a panic: its `message` and the `consequence` for the client. The log has the source location: see [`crate::cli`].
    fn report_panic(&mut self, message: &str, consequence: &str) {
        let position = catch_unwind(AssertUnwindSafe(|| self.session.position_text()));
        ::log::error!("failed in {}: {message}", position.unwrap_or_else(|_| "no position".into()));
        self.info_string(format!("internal error ({}), {consequence}", message.replace('\n', " ")));
    }

    /// Calls `act` and reports a panic in it. Returns whether there was none.
    pub(super) fn catch_panic(&mut self, act: impl FnOnce(&mut Server)) -> bool {
        let done = catch_unwind(AssertUnwindSafe(|| act(self)));
        if let Err(panic) = &done {
            self.report_panic(&panic_message(&**panic), "command aborted");
            if matches!(self.activity, Activity::WithoutResources) {
                self.activity = fallback_activity();
            }
        }
        done.is_ok()
    }

    fn report(&mut self, report: &Report) {
        // A client that reads slowly has no use for the current move.
        if matches!(report, Report::CurrMove { .. }) && !self.out.is_empty() {
            return;
        }
        let network = self.network();
        let replies = self.session.info_replies(report, self.options.show_wdl, network.as_deref());
        let mut text = String::new();
        for reply in &replies {
            if let Some(lines) = self.dialect.write(reply) {
                text += &lines;
                text.push('\n');
            }
            self.log_search(|log| match reply {
                Reply::Info(info) => log.line(info),
                Reply::NoLegalMoves { score, .. } => log.no_legal_moves(*score),
                _ => Ok(()),
            });
        }
        match report {
            _ if text.is_empty() => {}
            Report::Iteration(iteration) => {
                let sent = self.repeats.filter(iteration, text);
                sent.into_iter().for_each(|text| self.queue_iteration(text));
            }
            Report::CurrMove { .. } | Report::FewerThreads { .. } => {
                self.log_protocol(SENT, &text);
                self.out.push(text);
            }
        }
    }

    fn queue_iteration(&mut self, text: String) {
        self.log_protocol(SENT, &text);
        self.out.push_info(text);
    }

    /// Sends the result of a search, after the panics of its threads.
    fn send_result(&mut self, result: &SearchResult) {
        ::log::debug!("searched {} nodes in {:?}", result.nodes, result.elapsed);
        match (&result.panic, &result.helper_panics[..]) {
            (Some(message), _) => self.report_panic(message, "the best move known before is played"),
            (None, [message, ..]) => {
                let count = result.helper_panics.len();
                self.report_panic(
                    message,
                    &format!("{count} helper threads stopped, the search went on with the others"),
                );
            }
            (None, []) => {}
        }
        if result.panic.is_some() && result.best.is_none() {
            return self.send_fallback_move();
        }
        self.send_best_move(result);
    }

    fn send_best_move(&mut self, result: &SearchResult) {
        let reply = self.session.best_move(result);
        let held = self.repeats.finish();
        held.into_iter().for_each(|text| self.queue_iteration(text));
        self.out.pin_last_info();
        self.reply(&reply);
        if let Reply::BestMove { best, ponder, elapsed } = &reply {
            let time = elapsed.as_millis() as u64;
            // A textbook search counts nothing, and a move of a book had no search.
            let counts = self.options.search_counters && self.options.method.is_none() && result.nodes > 0;
            let counted = counts.then_some(Counted { times_us: result.times, counters: &result.counters });
            self.log_search(|log| log.best(best.as_deref(), ponder.as_deref(), result.nodes, time, counted));
        }
    }

    pub(super) fn info_string(&mut self, text: String) {
        self.reply(&Reply::InfoString(text));
    }

    /// Sends an `info string` under `debug on`.
    fn debug_info(&mut self, text: impl FnOnce() -> String) {
        if self.debug || ::log::log_enabled!(::log::Level::Debug) {
            let text = text();
            ::log::debug!("{text}");
            if self.debug {
                self.info_string(format!("debug: {text}"));
            }
        }
    }

    /// Queues a reply that must not be dropped.
    pub(super) fn reply(&mut self, reply: &Reply) {
        if let Some(text) = self.dialect.write(reply) {
            self.queue_reply(text);
        }
        let now = Instant::now();
        self.dialect.follow_up().into_iter().for_each(|request| self.handle_request(request, now, 0));
    }

    pub(super) fn queue_reply(&mut self, mut text: String) {
        text.push('\n');
        self.log_protocol(SENT, &text);
        self.out.push(text);
    }

    pub(super) fn log_protocol(&mut self, arrow: &str, text: &str) {
        if let Some(log) = &mut self.protocol_log
            && let Err(error) = log.write(arrow, text)
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

    /// Logs the command `go` of a search, and the options that it depends on.
    fn log_begin(&mut self, go: &Go) {
        if self.search_log.is_none() {
            return;
        }
        let (variant, position) = (self.session.variant(), self.session.position_text());
        let hash = self.table_megabytes();
        let settings = self.settings();
        let options = self.options.logged(&settings, hash, &self.tables_path);
        self.log_search(|log| log.begin(variant, position, go.to_string(), &options));
    }

    fn open_protocol_log(&mut self, path: Option<&Path>) {
        // An error is not for the former log.
        self.protocol_log = None;
        self.protocol_log = path.and_then(|path| self.opened(ProtocolLog::open(path), "log"));
    }

    pub(super) fn open_search_log(&mut self, path: Option<&Path>) {
        self.search_log = path.and_then(|path| self.opened(SearchLog::open(path), "log searches"));
    }

    /// The log that was opened. An error is reported.
    fn opened<Log>(&mut self, log: std::io::Result<Log>, what: &str) -> Option<Log> {
        log.map_err(|error| {
            self.info_string(format!("error: cannot {what} to that file: {error}, nothing is logged"));
        })
        .ok()
    }
}

/// With the smallest table, after a panic has lost the former one.
fn fallback_activity() -> Activity {
    let state = SearchState::new(1).map(SearchResources::new);
    state.map_or(Activity::WithoutResources, Activity::Idle)
}

/// By hand, then with `network` if there is one. Test frameworks for engines look for the last line, `N nodes N nps`.
fn bench(
    variant: &str,
    depth: Option<u32>,
    hash: Option<u32>,
    network: Option<&Arc<Network>>,
    signals: &dyn Signals,
    send: &dyn Fn(Event),
) -> Reply {
    let depth = depth.map_or(bench::DEPTH, |depth| depth.clamp(1, Depth::MAX.plies() as u32) as i32);
    let hash = hash.map_or(options::HASH_DEFAULT as usize, |hash| hash as usize);
    let mut each = |text| send(Event::Reply(Reply::Raw(text)));
    let mut run = |network| {
        let mut state = allocate_state(hash).map_err(|error| format!("bench: {error}, command ignored"))?;
        let total = bench::run(variant, depth, &mut state, network, signals, &mut each);
        let total = total.ok_or_else(|| "bench stopped".to_string())?;
        Ok::<_, String>(format!("{} nodes {} nps", total.nodes, total.nps()))
    };
    let mut name = String::new();
    if network.is_some() {
        match run(None) {
            Ok(text) => {
                send(Event::Reply(Reply::Raw(format!("\nevaluation {}: {text}\n", evaluation_name(None)))))
            }
            Err(error) => return Reply::InfoString(error),
        }
        name = format!("evaluation {}:\n", evaluation_name(network));
    }
    run(network).map_or_else(Reply::InfoString, |text| Reply::Raw(format!("\n{name}{text}")))
}

/// A search state with a table of `megabytes` MiB that leaves enough memory for a search. A table larger than the memory of the
/// computer or container is refused here: the system may grant it, and then kill the process when the memory is used.
fn allocate_state(megabytes: usize) -> Result<SearchState, TtError> {
    if SystemMemory::now().is_exceeded_by(megabytes) {
        return Err(TtError { megabytes });
    }
    let state = SearchState::new(megabytes)?;
    if startable_threads(1) > 0 { Ok(state) } else { Err(TtError { megabytes }) }
}
