//! The current position of one game, as a trait object: the game's type is erased once per command, never per node.

use super::job::{Ending, Event, Job, JobKind, SearchResources, SpawnError};
use super::textbook;
use crate::clock::Instant;
use crate::data::Book;
use crate::game::{
    Depth, Evaluator, Move, Notation, NotationError, OptionValues, Outcome, Side, Tablebase, Variant, Window,
    perft, quote, units_text,
};
use crate::nnue::Network;
use crate::protocol::{Board, Go, Info, Reply, StartPosition, WrittenMove};
use crate::search::{
    self, ClockState, IterationReport, Limits, Report, SearchRequest, SearchResult, SearchState, Settings,
    Signal,
};
use crate::textbook::Method;
use crate::tools::evaluation;
use crate::tools::openings::{self, Opening, Openings};
use crate::tools::{line_texts, records, tablebase};
use crate::variants::{UnknownVariant, with_game};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The current position of some game, with what the protocol needs of it.
pub trait Session: Send {
    /// The game's name, a value of `UCI_Variant`.
    fn variant(&self) -> &'static str;

    /// The scores in one unit that people read.
    fn score_unit(&self) -> i32;

    /// Replaces the position. Returns one warning for each part of the text that was corrected.
    ///
    /// # Errors
    /// If the text is no position or a move is illegal. The former position stays.
    fn set_position(&mut self, setup: &StartPosition, moves: &[String]) -> Result<Vec<String>, String>;

    /// Plays a move of the side to move, in any notation of the game.
    fn play(&mut self, mv: &str) -> Result<(), String>;

    /// Takes back the last move, or the last one with the text `mv` and no move after it.
    ///
    /// # Errors
    /// If there is no such move, or if a move after it is illegal without it.
    fn undo(&mut self, mv: Option<&str>) -> Result<(), String>;

    /// Makes `side` the side to move.
    fn set_turn(&mut self, side: Side) -> Result<(), String>;

    /// Sets the options of the game, for this position and all others.
    fn set_options(&mut self, options: &OptionValues);

    /// The position as text.
    fn position_text(&self) -> String;

    /// The number of plies since the start of the game: by the move number of the position, if its text has one, else the
    /// moves since the last `position` command's setup.
    fn plies_played(&self) -> usize;

    /// The moves of `book` in the position, with their weights.
    fn book_moves(&self, book: &Book) -> Vec<(Move, u16)>;

    /// The limits that `go` sets for the side to move, and one warning for each part that is ignored. `started` is when
    /// the command arrived.
    fn limits(&self, go: &Go, started: Instant) -> (Limits, Vec<String>);

    /// The network of the game: `from_file` if it is for this game, else the one in the program.
    fn network(&self, from_file: Option<&Arc<Network>>) -> Option<Arc<Network>>;

    /// Reads a network for the game from a file.
    ///
    /// # Errors
    /// If the file cannot be read or is no network for the game. The text is one line.
    fn read_network(&self, path: &Path) -> Result<Arc<Network>, String>;

    /// Uses the endgame tables in the directories of `path`, or none if it is empty. Returns lines for the user.
    fn open_tables(&mut self, path: &str) -> Vec<String>;

    /// Allocates the memory that searches with `settings` need, so that no search spends its clock on it; of the table at most
    /// `max_table_bytes`, which is called only if it is not in memory.
    fn prefault(&self, state: &mut SearchState, settings: &Settings, max_table_bytes: fn() -> u64);

    /// Starts a search of the current position, with a textbook `method` if one is given. The position must not change
    /// until the search has ended.
    fn search(
        &self,
        limits: Limits,
        settings: &Settings,
        method: Option<Method>,
        resources: SearchResources,
    ) -> Result<Job, SpawnError>;

    /// Starts `genfens`: `count` random openings from the game's start or from the positions of `book`. Equal seeds give
    /// equal openings.
    fn openings(
        &self,
        count: u64,
        seed: u64,
        book: Option<PathBuf>,
        resources: SearchResources,
    ) -> Result<Job, SpawnError>;

    /// Starts `go perft`: counts the leaves `depth` plies below the current position.
    fn perft(&self, depth: u32, resources: SearchResources) -> Result<Job, SpawnError>;

    /// The `info` replies for a report of the running search, with win, draw and loss rates if `wdl` is set. The scores are those
    /// of `network`, or of the hand-written evaluation without it.
    fn info_replies(&self, report: &Report, wdl: bool, network: Option<&Network>) -> Vec<Reply>;

    /// The `bestmove` reply for the result of a search.
    fn best_move(&self, result: &SearchResult) -> Reply;

    /// The first legal move, for a `go` without a search; `None` if the game is over.
    fn first_legal_move(&self) -> Option<Move>;

    /// The output of `moves`: the legal moves.
    fn moves_text(&self) -> String;

    /// The output of `points`: those of the first player if the game ended now.
    fn points_text(&self) -> Result<String, String>;

    /// The position for a person who plays.
    fn board(&self) -> Board;

    /// The record of the game: see [`records::record`].
    ///
    /// # Errors
    /// If the turn was changed in it, and its records cannot say so.
    fn record(&self, tags: &[(&str, String)], result: Option<&str>) -> Result<String, String>;

    /// Replaces the position by the end of the first game of a text of records, or by the position before a move: the number of the
    /// move, or the first move with this text. Returns the rules that the record names.
    ///
    /// # Errors
    /// If the text has no game, or one with an error. The former position stays.
    fn load(&mut self, record: &str, before: Option<&str>) -> Result<OptionValues, String>;

    /// The output of `d`: a diagram, the key, the result of a finished game, and the position as text.
    fn show(&self) -> String;

    /// The output of `eval`: the terms of the static evaluation and its value, from White's point of view. `network`
    /// evaluates; `None` evaluates by hand.
    fn eval_text(&self, network: Option<&Arc<Network>>) -> String;

    /// Exchanges the sides.
    fn flip(&mut self) -> Result<(), String>;
}

/// A session of the game `variant` at its start.
pub fn new_session(variant: &str) -> Result<Box<dyn Session>, UnknownVariant> {
    with_game!(variant, |start| Box::new(GameSession::new(start)) as Box<dyn Session>)
}

/// A [`Session`] of the game `G`.
pub struct GameSession<G> {
    game: G,
    options: OptionValues,
    setup: StartPosition,
    /// The moves from `setup` to `game`, each with the side that played it.
    played: Vec<(Side, String)>,
    /// Whether [`Session::set_turn`] has changed the side to move since `setup`.
    turn_changed: bool,
    tablebase: Option<Arc<dyn Tablebase<G>>>,
}

impl<G: Variant> GameSession<G> {
    fn new(game: G) -> GameSession<G> {
        GameSession {
            game,
            options: OptionValues::new(),
            setup: StartPosition::Start,
            played: Vec::new(),
            turn_changed: false,
            tablebase: None,
        }
    }

    /// The position of `setup`, with the warnings about its text.
    fn start(&self, setup: &StartPosition) -> Result<(G, Vec<String>), NotationError> {
        let (mut game, warnings) = match setup {
            StartPosition::Start => (self.game.initial(), Vec::new()),
            StartPosition::Fen(text) => {
                let parsed = self.game.parse_position(text)?;
                (parsed.game, parsed.warnings)
            }
        };
        game.set_options(&self.options);
        Ok((game, warnings))
    }

    /// Whether `moves` from `setup` continue the moves that were played.
    fn is_continued_by(&self, setup: &StartPosition, moves: &[String]) -> bool {
        let played = self.played.iter().map(|(_, mv)| mv);
        !self.turn_changed
            && self.setup == *setup
            && self.played.len() <= moves.len()
            && played.zip(moves).all(|(played, mv)| played == mv)
    }

    /// Plays moves from `setup` on, and calls `each` with each move and the position before it. Returns the last position.
    fn replay(&self, moves: &[(Side, String)], mut each: impl FnMut(&G, Move)) -> Result<G, String> {
        let (mut game, _) = self.start(&self.setup).map_err(|error| error.to_string())?;
        for (side, text) in moves {
            if game.side_to_move() != *side {
                game = game.with_other_turn().ok_or("the sides would not alternate")?;
            }
            let mv = game.parse_move(text).map_err(|error| error.to_string())?;
            each(&game, mv);
            game.play(mv);
        }
        Ok(game)
    }

    /// A line of moves as text, up to the first illegal move.
    fn line_text(&self, moves: &[Move]) -> Vec<String> {
        let mut game = self.game.clone();
        let mut texts = Vec::with_capacity(moves.len());
        for &mv in moves.iter() {
            if !game.is_legal(mv) {
                log::error!("illegal move {mv:?} in a line from {}", self.game.position_text());
                break;
            }
            texts.push(game.move_text(mv));
            game.play(mv);
        }
        texts
    }

    /// The moves in `texts` that are legal, and one warning for each other one. `word` is their sub-command of `go`.
    fn legal_moves(&self, word: &str, texts: &[String]) -> (Vec<Move>, Vec<String>) {
        let (mut moves, mut illegal) = (Vec::new(), Vec::new());
        for text in texts {
            match self.game.parse_move(text) {
                Ok(mv) => moves.push(mv),
                Err(error) => illegal.push(format!("{word}: {error}, ignored")),
            }
        }
        (moves, illegal)
    }

    fn iteration(&self, iteration: &IterationReport, wdl: bool, network: Option<&Network>) -> Vec<Reply> {
        let micros = iteration.elapsed.as_micros().max(1);
        let nps = u128::from(iteration.nodes) * 1_000_000 / micros;
        let reply = |(rank, line): (usize, &search::PvLine)| {
            if line.depth < Depth::ONE {
                let reason = self.game.outcome_reason();
                return Reply::NoLegalMoves { score: line.score.into(), reason };
            }
            let wdl = wdl.then(|| self.game.wdl(line.score, network));
            Reply::Info(Box::new(Info {
                depth: line.depth.plies(),
                seldepth: line.seldepth.index(),
                multipv: rank + 1,
                score: line.score.into(),
                bound: line.bound,
                wdl: wdl.map(|wdl| [wdl.win, wdl.draw, wdl.loss]),
                nodes: iteration.nodes,
                nps: u64::try_from(nps).unwrap_or(u64::MAX),
                hashfull: iteration.hashfull,
                tbhits: iteration.tb_hits,
                time: (iteration.elapsed.as_millis() as u64).max(1),
                pv: self.line_text(&line.pv),
            }))
        };
        iteration.lines.iter().enumerate().map(reply).collect()
    }
}

impl<G: Variant> Session for GameSession<G> {
    fn variant(&self) -> &'static str {
        self.game.variant()
    }

    fn score_unit(&self) -> i32 {
        G::SCORE_UNIT
    }

    fn set_position(&mut self, setup: &StartPosition, moves: &[String]) -> Result<Vec<String>, String> {
        let refused = |what: String| format!("position: {what}, command ignored, previous position kept");
        // Most `position` commands repeat the last one and add a move or two: only those are played.
        let is_continued = self.is_continued_by(setup, moves);
        let (mut game, warnings) = if is_continued {
            (self.game.clone(), Vec::new())
        } else {
            self.start(setup).map_err(|error| refused(error.to_string()))?
        };
        let mut played = if is_continued { self.played.clone() } else { Vec::new() };
        for (index, text) in moves.iter().enumerate().skip(played.len()) {
            let mv = game.parse_move(text).map_err(|error| {
                refused(format!("illegal move {} of {}: {error}", index + 1, moves.len()))
            })?;
            played.push((game.side_to_move(), text.clone()));
            game.play(mv);
        }
        (self.game, self.setup, self.played) = (game, setup.clone(), played);
        self.turn_changed &= is_continued;
        Ok(warnings)
    }

    fn play(&mut self, mv: &str) -> Result<(), String> {
        let parsed = self.game.parse_move(mv).or_else(|error| self.game.parse_san(mv).map_err(|_| error));
        let mv = parsed.map_err(|error| format!("play: {error}, command ignored"))?;
        self.played.push((self.game.side_to_move(), self.game.move_text(mv)));
        self.game.play(mv);
        Ok(())
    }

    fn undo(&mut self, mv: Option<&str>) -> Result<(), String> {
        let refused = |what: &str| format!("undo: {what}, command ignored");
        let index = match mv {
            None => self.played.len().checked_sub(1),
            Some(mv) => {
                let mut texts = Vec::new();
                self.replay(&self.played, |game, mv| texts.push(game.move_text(mv)))
                    .map_err(|what| refused(&what))?;
                // As in `bestmove`, or as the client wrote it.
                let is_meant = |text: &str| mv.eq_ignore_ascii_case(text);
                let mut moves = self.played.iter().zip(&texts);
                moves.rposition(|((_, written), text)| is_meant(written) || is_meant(text))
            }
        };
        let index = index.ok_or_else(|| match mv {
            None => refused("expected a move that was played, found none"),
            Some(mv) => refused(&format!("expected a move that was played, got {}", quote(mv))),
        })?;
        let mut played = self.played.clone();
        played.remove(index);
        self.game = self.replay(&played, |_, _| ()).map_err(|what| refused(&what))?;
        self.played = played;
        Ok(())
    }

    fn set_turn(&mut self, side: Side) -> Result<(), String> {
        if self.game.side_to_move() != side {
            let refused = || format!("turn: the sides alternate in {}, command ignored", self.game.variant());
            self.game = self.game.with_other_turn().ok_or_else(refused)?;
            self.turn_changed = true;
        }
        Ok(())
    }

    fn set_options(&mut self, options: &OptionValues) {
        self.options.clone_from(options);
        self.game.set_options(options);
    }

    fn position_text(&self) -> String {
        self.game.position_text()
    }

    fn plies_played(&self) -> usize {
        let played = self.played.len();
        let text = self.position_text();
        match text.rsplit(' ').next().map(str::parse::<usize>) {
            Some(Ok(number)) => played.max(2 * number.saturating_sub(1) + self.game.side_to_move().index()),
            _ => played,
        }
    }

    fn book_moves(&self, book: &Book) -> Vec<(Move, u16)> {
        book.moves(&self.game)
    }

    fn limits(&self, go: &Go, started: Instant) -> (Limits, Vec<String>) {
        let (time, increment) = match self.game.side_to_move() {
            Side::White => (go.wtime, go.winc),
            Side::Black => (go.btime, go.binc),
        };
        let (mut searchmoves, illegal_search) = self.legal_moves("searchmoves", &go.searchmoves);
        let (banned, mut illegal_bans) = self.legal_moves("banmoves", &go.banmoves);
        if !banned.is_empty() {
            let all = if searchmoves.is_empty() { self.game.moves().to_vec() } else { searchmoves.clone() };
            let allowed: Vec<Move> = all.into_iter().filter(|mv| !banned.contains(mv)).collect();
            if allowed.is_empty() {
                illegal_bans.push("banmoves: expected a move that is not banned, got none, ignored".into());
            } else {
                searchmoves = allowed;
            }
        }
        // A limit of zero or less means depth 1, never "no limit".
        let mate_below_one = go.mate.filter(|&moves| moves < 1);
        let mut limits = Limits {
            started,
            plies_played: self.plies_played(),
            depth: go
                .depth
                .into_iter()
                .chain(mate_below_one)
                .min()
                .map(|n| Depth::new(n.clamp(1, Depth::MAX.plies().into()) as i32)),
            nodes: go.nodes.map(|n| n.max(1) as u64),
            soft_nodes: None,
            mate: go.mate.map(|n| n.clamp(1, u32::MAX.into()) as u32),
            movetime: go.movetime.map(millis),
            clock: time.map(|time| ClockState {
                remaining: millis(time),
                increment: millis(increment.unwrap_or(0)),
                moves_to_go: go.movestogo.filter(|&n| n > 0).map(|n| n.min(u32::MAX.into()) as u32),
            }),
            infinite: go.infinite,
            ponder: go.ponder,
            searchmoves,
            window: Window::FULL,
            ..Limits::none()
        };
        let mut invalid = first_of("invalid numbers", &go.invalid_messages());
        if let Some(warning) = &mut invalid
            && !has_limit(&limits)
            && limits.mate.is_none()
            && !go.infinite
        {
            limits.depth = Some(Depth::ONE);
            *warning += "; no limit is left, searching to depth 1";
        }
        let illegal =
            [first_of("illegal searchmoves", &illegal_search), first_of("illegal banmoves", &illegal_bans)];
        (limits, invalid.into_iter().chain(illegal.into_iter().flatten()).collect())
    }

    fn network(&self, from_file: Option<&Arc<Network>>) -> Option<Arc<Network>> {
        from_file.filter(|network| network.variant == G::NETWORK).cloned().or_else(|| {
            G::embedded_network().unwrap_or_else(|error| {
                log::error!("the network in the program: {error}, evaluating by hand");
                None
            })
        })
    }

    fn read_network(&self, path: &Path) -> Result<Arc<Network>, String> {
        let network = evaluation::read_network::<G>(path);
        network.map(Arc::new).map_err(|error| format!("{error:#}"))
    }

    fn open_tables(&mut self, path: &str) -> Vec<String> {
        let lines;
        (self.tablebase, lines) =
            if path.is_empty() { (None, Vec::new()) } else { tablebase::open_tablebase(&self.game, path) };
        lines
    }

    fn prefault(&self, state: &mut SearchState, settings: &Settings, max_table_bytes: fn() -> u64) {
        state.prefault::<G, G::Evaluator>(settings, max_table_bytes);
    }

    fn search(
        &self,
        limits: Limits,
        settings: &Settings,
        method: Option<Method>,
        resources: SearchResources,
    ) -> Result<Job, SpawnError> {
        let kind = JobKind::Search {
            infinite: limits.infinite || (!has_limit(&limits) && limits.mate.is_none()),
            mate: !has_limit(&limits),
            ponder: limits.ponder && !limits.infinite,
            threads: settings.threads,
        };
        let tablebase = self.tablebase.clone();
        let request = SearchRequest {
            root: self.game.clone(),
            limits,
            settings: settings.clone(),
            tablebase: tablebase.clone(),
        };
        Job::spawn(kind, resources, move |state, signals, send| {
            let mut report = |report| send(Event::Report(report));
            let result = match method {
                Some(method) => textbook::run::<G, G::Evaluator>(request, method, signals, &mut report),
                None => search::run::<G, G::Evaluator>(request, state, signals, &mut report),
            };
            for problem in tablebase.iter().flat_map(|tablebase| tablebase.take_problems()) {
                send(Event::Reply(Reply::InfoString(problem)));
            }
            Ending::Search(result)
        })
    }

    fn openings(
        &self,
        count: u64,
        seed: u64,
        book: Option<PathBuf>,
        resources: SearchResources,
    ) -> Result<Job, SpawnError> {
        let (start, options) = (self.game.initial(), self.options.clone());
        let any_start = self.game.has_random_start();
        Job::spawn(JobKind::Other, resources, move |state, signals, send| {
            let mut each = |mut opening: Opening<G>| {
                opening.position.set_options(&options);
                let position = opening.position.position_text();
                send(Event::Reply(Reply::InfoString(format!("genfens {position}"))));
            };
            let generated = Openings::new(&start, book.as_deref(), any_start, None).and_then(|openings| {
                openings::generate(&start, &openings, seed, count, state, signals, &mut each)
            });
            let error = |error| Reply::InfoString(format!("genfens: {error:#}, command aborted"));
            Ending::Tool(generated.err().map(error))
        })
    }

    fn perft(&self, depth: u32, resources: SearchResources) -> Result<Job, SpawnError> {
        let mut root = self.game.clone();
        Job::spawn(JobKind::Other, resources, move |_, signals, _| {
            let mut stopped = || signals.poll() == Some(Signal::Stop);
            let counts = match depth {
                0 => Some(Vec::new()),
                _ => perft::divide(&mut root, depth, &mut stopped),
            };
            let Some(counts) = counts else {
                return Ending::Tool(Some(Reply::InfoString("perft stopped".into())));
            };
            // The position itself is the one leaf at depth 0.
            let leaves = if depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
            let mut text = String::new();
            for &(mv, count) in &counts {
                text += &format!("{}: {count}\n", root.move_text(mv));
            }
            Ending::Tool(Some(Reply::Raw(text + &format!("\nNodes searched: {leaves}\n"))))
        })
    }

    fn info_replies(&self, report: &Report, wdl: bool, network: Option<&Network>) -> Vec<Reply> {
        match report {
            Report::Iteration(iteration) => self.iteration(iteration, wdl, network),
            Report::CurrMove { depth, mv, number } => {
                let mv = self.game.move_text(*mv);
                vec![Reply::CurrMove { depth: depth.plies(), mv, number: *number }]
            }
            Report::FewerThreads { running, reason } => {
                let threads = if *running == 1 { "thread" } else { "threads" };
                vec![Reply::InfoString(format!(
                    "cannot start more search threads ({reason}), searching with {running} {threads}"
                ))]
            }
        }
    }

    fn best_move(&self, result: &SearchResult) -> Reply {
        let elapsed = result.elapsed;
        let Some(best) = result.best else { return Reply::BestMove { best: None, ponder: None, elapsed } };
        let mut after = self.game.clone();
        after.play(best);
        // Some clients ponder after a ponder move that ends the game, so none is sent.
        let ponder = result.ponder.filter(|&mv| after.is_legal(mv)).and_then(|mv| {
            let text = after.move_text(mv);
            after.play(mv);
            after.outcome().is_none().then_some(text)
        });
        Reply::BestMove { best: Some(self.game.move_text(best)), ponder, elapsed }
    }

    fn first_legal_move(&self) -> Option<Move> {
        self.game.moves().first().copied()
    }

    fn moves_text(&self) -> String {
        let moves: Vec<String> = self.game.moves().iter().map(|&mv| self.game.move_text(mv)).collect();
        moves.join(" ")
    }

    fn points_text(&self) -> Result<String, String> {
        let points = self.game.points_now();
        let none = || format!("points: {} has no points, command ignored", self.game.variant());
        points.map(|points| units_text(points, G::SCORE_UNIT)).ok_or_else(none)
    }

    fn board(&self) -> Board {
        let (mut played, mut last_native) = (Vec::new(), None);
        let each = |game: &G, mv| {
            played.push((game.side_to_move(), game.san_text(mv)));
            last_native = game.native_text(mv);
        };
        if let Err(error) = self.replay(&self.played, each) {
            log::error!("a move that was played cannot be played again: {error}");
        }
        Board {
            variant: self.game.variant(),
            sides: G::SIDE_NAMES,
            side: self.game.side_to_move(),
            diagram: self.game.diagram().trim_end().into(),
            picture: self.game.picture().trim_end().into(),
            played,
            last_native,
            moves: self.game.moves().iter().map(|&mv| written(&self.game, mv)).collect(),
            in_check: self.game.in_check(),
            result: result_text(&self.game),
        }
    }

    fn record(&self, tags: &[(&str, String)], result: Option<&str>) -> Result<String, String> {
        if self.turn_changed && !records::has_sides(&self.game) {
            return Err("expected a game in which no turn was changed".into());
        }
        let (start, _) = self.start(&self.setup).map_err(|error| error.to_string())?;
        let mut played = Vec::new();
        self.replay(&self.played, |game, mv| played.push((game.side_to_move(), mv)))?;
        Ok(records::record(&start, &played, &self.options, tags, result))
    }

    fn load(&mut self, record: &str, before: Option<&str>) -> Result<OptionValues, String> {
        let first = records::read(&self.game, record).into_iter().next();
        let game =
            first.ok_or_else(|| NotationError::new("expected a record of a game", record).to_string())?;
        let game = game.map_err(|error| format!("line {}: {}", error.line, error.what))?;
        let mut moves = line_texts(&game.start, &game.moves, G::move_text);
        if let Some(before) = before {
            let is_meant = |mv: &String| mv.eq_ignore_ascii_case(before);
            let first = || moves.iter().position(is_meant).unwrap_or(moves.len());
            moves.truncate(
                before.parse::<usize>().map_or_else(|_| first(), |number| number.saturating_sub(1)),
            );
        }
        let former = self.options.clone();
        self.options.extend(game.rules.clone());
        let loaded = self.set_position(&StartPosition::Fen(game.start.position_text()), &moves);
        loaded.map(|_| game.rules).inspect_err(|_| self.options = former)
    }

    fn show(&self) -> String {
        let (key, position) = (self.game.key(), self.game.position_text());
        let result = result_text(&self.game).map(|text| format!("Result: {text}\n")).unwrap_or_default();
        format!("{}\n\nKey: {key:016X}\n{result}Fen: {position}", self.game.diagram().trim_end())
    }

    fn eval_text(&self, network: Option<&Arc<Network>>) -> String {
        let explained = network.and_then(|network| self.game.explain_network(network));
        let text = explained.unwrap_or_else(|| terms_text(&self.game));
        let value = G::Evaluator::new(network).evaluate(&self.game).value();
        let white = if self.game.side_to_move() == Side::White { value } else { -value };
        text + &format!("Final evaluation: {white} ({}'s side)", G::SIDE_NAMES[0])
    }

    fn flip(&mut self) -> Result<(), String> {
        let flipped = self.game.flipped();
        self.game = flipped
            .ok_or_else(|| format!("flip: not possible in {}, command ignored", self.game.variant()))?;
        self.game.set_options(&self.options);
        self.setup = StartPosition::Fen(self.game.position_text());
        self.played.clear();
        Ok(())
    }
}

/// Whether one of the limits is sure to end a search without `stop`: all but that of `go mate`.
fn has_limit(limits: &Limits) -> bool {
    let Limits { depth, nodes, movetime, clock, .. } = limits;
    depth.is_some() || nodes.is_some() || movetime.is_some() || clock.is_some()
}

/// One warning of `go` for all `warnings`, if there are any; `what` names them.
fn first_of(what: &str, warnings: &[String]) -> Option<String> {
    match warnings {
        [] => None,
        [only] => Some(format!("go: {only}")),
        [first, ..] => Some(format!("go: {} {what} ignored, the first: {first}", warnings.len())),
    }
}

/// The terms of the hand-written evaluation as a table; empty if it has none to show.
fn terms_text<G: Variant>(game: &G) -> String {
    let terms = game.terms();
    if terms.is_empty() {
        return String::new();
    }
    let [first, second] = G::SIDE_NAMES;
    let columns = [format!("{first} mg eg"), format!("{second} mg eg"), format!("{first}-{second}")];
    let [one, two, difference] = &columns;
    let mut text = format!("{:<24}{one:>16}{two:>16}{difference:>16}\n", "term");
    let mut sum = (0, 0);
    for term in &terms {
        let [white, black] = term.sides;
        let difference = (white.0 - black.0, white.1 - black.1);
        sum = (sum.0 + difference.0, sum.1 + difference.1);
        let cell = |(mg, eg): (i32, i32)| format!("{mg:>9}{eg:>7}");
        text += &format!("{:<24}{}{}{}\n", term.name, cell(white), cell(black), cell(difference));
    }
    let phase = game.phase() as i32;
    let tapered = (sum.0 * phase + sum.1 * (256 - phase)) / 256;
    text += &format!("{:<56}{:>9}{:>7}\n", "sum", sum.0, sum.1);
    text + &format!("tapered at phase {phase}/256: {tapered}\n")
}

fn written<G: Notation>(game: &G, mv: Move) -> WrittenMove {
    WrittenMove { uci: game.move_text(mv), text: game.san_text(mv), native: game.native_text(mv) }
}

/// The result of a finished game and its reason. A draw that may be claimed counts as finished.
fn result_text<G: Notation>(game: &G) -> Option<String> {
    let result = match game.outcome_or_claim()? {
        Outcome::Win(side) => format!("{} wins", G::SIDE_NAMES[side.index()]),
        Outcome::Draw => "draw".into(),
        Outcome::Points(points) => {
            let side = G::SIDE_NAMES[usize::from(points < 0)];
            format!("{} points for {side}", units_text(points.abs(), G::SCORE_UNIT))
        }
    };
    let reason = game.outcome_reason().map(|reason| format!(" ({reason})")).unwrap_or_default();
    Some(result + &reason)
}

/// Longer times are cut to this. Sums of such times still fit their type.
const MAX_TIME_MS: i64 = 1 << 40;

fn millis(count: i64) -> Duration {
    Duration::from_millis(count.clamp(0, MAX_TIME_MS) as u64)
}
