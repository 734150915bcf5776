//! One game in progress. Here the game's type is erased, once per command and never per node.

use super::job::{Event, Job, JobKind, SearchResources, SpawnError};
use super::textbook;
use crate::game::{
    Depth, Evaluator, Heuristics, Move, Notation, NotationError, NotationOptions, Side, Window, perft,
};
use crate::protocol::{Go, Info, Reply, StartPosition};
use crate::search::{
    self, ClockState, Control, IterationReport, Limits, Report, SearchRequest, SearchResult, SearchState,
    Settings,
};
use crate::textbook::Method;
use crate::tools::openings::{self, Opening, Openings};
use crate::variants::{self, UnknownVariant, VariantVisitor};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A position of some game, and all that the server wants to do with it.
pub trait Session: Send {
    /// The game's name.
    fn variant(&self) -> &'static str;

    /// Replaces the position, or says why not and changes nothing. Gives one sentence for each thing in
    /// the text that had to be put right.
    fn set_position(&mut self, setup: &StartPosition, moves: &[String]) -> Result<Vec<String>, String>;

    /// The position as text.
    fn position_text(&self, style: NotationOptions) -> String;

    /// What `go` means here, and one sentence for each part of it that was left out.
    fn limits(&self, go: &Go, started: Instant) -> (Limits, Vec<String>);

    /// Takes the memory that searches with `settings` will need, so that no search takes it on its clock.
    fn prepare(&self, memory: &mut SearchState, settings: &Settings);

    /// Starts a search in the current position, which must not change before the search has ended, with a
    /// method of the textbooks if one is given.
    fn search(
        &self,
        limits: Limits,
        settings: &Settings,
        method: Option<Method>,
        workshop: SearchResources,
    ) -> Result<Job, SpawnError>;

    /// Starts to write `count` random openings of this game, the same ones for the same seed, from the positions
    /// of a book if one is given.
    fn openings(
        &self,
        count: u64,
        seed: u64,
        book: Option<PathBuf>,
        style: NotationOptions,
        workshop: SearchResources,
    ) -> Result<Job, SpawnError>;

    /// Starts to count the leaves `depth` plies below the current position.
    fn perft(&self, depth: u32, workshop: SearchResources) -> Result<Job, SpawnError>;

    /// A report of the running search in words.
    fn info_replies(&mut self, report: &Report, words: OutputOptions) -> Vec<Reply>;

    /// The end of the running search in words.
    fn best_move(&self, finish: &SearchResult, style: NotationOptions) -> Reply;

    /// The first legal move, for a search that could not be had.
    fn first_legal_move(&self) -> Option<Move>;

    /// Leaves below each move and all of them, in words.
    fn perft_text(&self, counts: &[(Move, u64)], leaves: u64, style: NotationOptions) -> String;

    /// The position for people to look at.
    fn show(&self, style: NotationOptions) -> String;

    /// The static evaluation for people to look at.
    fn eval_text(&mut self) -> String;

    /// Exchanges the sides, if the game can.
    fn flip(&mut self) -> Result<(), String>;
}

/// A session of the game `variant` at its start.
///
/// # Errors
/// If there is no such game.
pub fn new_session(variant: &str) -> Result<Box<dyn Session>, UnknownVariant> {
    variants::visit(variant, NewSession)
}

struct NewSession;

impl VariantVisitor for NewSession {
    type Output = Box<dyn Session>;

    fn visit<G: Heuristics + Notation, E: Evaluator<G>>(self) -> Box<dyn Session> {
        Box::new(GameSession::<G, E>::default())
    }
}

/// How reports are put into words.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputOptions {
    /// How moves are written.
    pub style: NotationOptions,
    /// Whether to add win, draw and loss rates.
    pub wdl: bool,
}

/// A [`Session`] of the game `G` that is evaluated by `E`.
pub struct GameSession<G, E> {
    game: G,
    /// Where `game` comes from, as long as it comes from a `position` command: most commands repeat the
    /// last one and add a move or two.
    last_position: Option<(StartPosition, Vec<String>)>,
    evaluator: E,
}

impl<G: Notation, E: Evaluator<G>> Default for GameSession<G, E> {
    fn default() -> GameSession<G, E> {
        GameSession { game: G::start(), last_position: None, evaluator: E::default() }
    }
}

impl<G: Notation, E: Evaluator<G>> GameSession<G, E> {
    /// The position to play the moves from, how many of them it has behind it, and what was put right in it.
    fn resolve_setup(
        &self,
        setup: &StartPosition,
        moves: &[String],
    ) -> Result<(G, usize, Vec<String>), NotationError> {
        match (&self.last_position, setup) {
            (Some((from, played)), _) if from == setup && moves.starts_with(played) => {
                Ok((self.game.clone(), played.len(), Vec::new()))
            }
            (_, StartPosition::Start) => Ok((G::start(), 0, Vec::new())),
            (_, StartPosition::Fen(text)) => {
                let parsed = G::parse_position(text)?;
                Ok((parsed.game, 0, parsed.warnings))
            }
        }
    }

    /// A line of moves in words, as far as it is legal.
    fn line(&self, moves: &[Move], style: NotationOptions) -> Vec<String> {
        let mut game = self.game.clone();
        let mut words = Vec::with_capacity(moves.len());
        for &mv in moves.iter() {
            if !game.is_legal(mv) {
                log::error!("illegal move {mv:?} in a line from {}", self.game.position_text(style));
                break;
            }
            words.push(game.move_text(mv, style));
            game.play(mv);
        }
        words
    }

    fn block(&mut self, block: &IterationReport, words: OutputOptions) -> Vec<Reply> {
        let micros = block.elapsed.as_micros().max(1);
        let nps = u128::from(block.nodes) * 1_000_000 / micros;
        let reply = |(rank, line): (usize, &search::PvLine)| {
            if line.depth < Depth::ONE {
                return Reply::NoLegalMoves(line.score.into());
            }
            let wdl = words.wdl.then(|| self.evaluator.wdl(&self.game, line.score));
            Reply::Info(Box::new(Info {
                depth: line.depth.plies(),
                seldepth: line.seldepth.index(),
                multipv: rank + 1,
                score: line.score.into(),
                bound: line.bound,
                wdl: wdl.map(|wdl| [wdl.win, wdl.draw, wdl.loss]),
                nodes: block.nodes,
                nps: u64::try_from(nps).unwrap_or(u64::MAX),
                hashfull: block.hashfull,
                tbhits: 0,
                time: (block.elapsed.as_millis() as u64).max(1),
                pv: self.line(&line.pv, words.style),
            }))
        };
        block.lines.iter().enumerate().map(reply).collect()
    }
}

impl<G: Heuristics + Notation, E: Evaluator<G>> Session for GameSession<G, E> {
    fn variant(&self) -> &'static str {
        G::VARIANT
    }

    fn set_position(&mut self, setup: &StartPosition, moves: &[String]) -> Result<Vec<String>, String> {
        let refused = |what: String| format!("position: {what}, command ignored, previous position kept");
        let (mut game, played, notes) =
            self.resolve_setup(setup, moves).map_err(|error| refused(error.to_string()))?;
        for (index, text) in moves.iter().enumerate().skip(played) {
            let mv = game.parse_move(text).map_err(|error| {
                refused(format!("illegal move {} of {}: {error}", index + 1, moves.len()))
            })?;
            game.play(mv);
        }
        self.game = game;
        self.last_position = Some((setup.clone(), moves.to_vec()));
        Ok(notes)
    }

    fn position_text(&self, style: NotationOptions) -> String {
        self.game.position_text(style)
    }

    fn limits(&self, go: &Go, started: Instant) -> (Limits, Vec<String>) {
        let (time, increment) = match self.game.side_to_move() {
            Side::White => (go.wtime, go.winc),
            Side::Black => (go.btime, go.binc),
        };
        let mut notes = Vec::new();
        let mut searchmoves = Vec::new();
        for text in &go.searchmoves {
            match self.game.parse_move(text) {
                Ok(mv) => searchmoves.push(mv),
                Err(error) => notes.push(format!("go: searchmoves: {error}, ignored")),
            }
        }
        if notes.len() > 1 {
            notes = vec![format!("go: {} illegal searchmoves ignored, the first: {}", notes.len(), notes[0])];
        }
        // Zero and less mean as fast as possible, which is depth 1, and never "no limit".
        let hopeless_mate = go.mate.filter(|&moves| moves < 1);
        let limits = Limits {
            started,
            depth: go
                .depth
                .into_iter()
                .chain(hopeless_mate)
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
        (limits, notes)
    }

    fn prepare(&self, memory: &mut SearchState, settings: &Settings) {
        memory.prefault::<G, E>(settings.threads);
    }

    fn search(
        &self,
        limits: Limits,
        settings: &Settings,
        method: Option<Method>,
        workshop: SearchResources,
    ) -> Result<Job, SpawnError> {
        let Limits { depth, nodes, mate, movetime, clock, ponder, infinite, .. } = &limits;
        let limited =
            depth.is_some() || nodes.is_some() || mate.is_some() || movetime.is_some() || clock.is_some();
        let work = JobKind::Search {
            infinite: !limited || *infinite,
            ponder: *ponder && !*infinite,
            threads: settings.threads,
        };
        let task = SearchRequest { root: self.game.clone(), limits, settings: settings.clone() };
        Job::spawn(work, workshop, move |memory, control, say| {
            let mut report = |report| say(Event::Report(report));
            let finish = match method {
                Some(method) => textbook::run::<G, E>(task, method, control, &mut report),
                None => search::run::<G, E>(task, memory, control, &mut report),
            };
            Some(Event::Finish(finish))
        })
    }

    fn openings(
        &self,
        count: u64,
        seed: u64,
        book: Option<PathBuf>,
        style: NotationOptions,
        workshop: SearchResources,
    ) -> Result<Job, SpawnError> {
        Job::spawn(JobKind::Other, workshop, move |memory, control, say| {
            let any_start = style.chess960 && G::START_COUNT > 1;
            let mut each = |opening: Opening<G>| {
                let position = opening.position.position_text(style);
                say(Event::Reply(Reply::InfoString(format!("genfens {position}"))));
            };
            let drawn = Openings::new::<G>(book.as_deref(), any_start, None).and_then(|openings| {
                openings::generate::<G, E>(&openings, seed, count, memory, control, &mut each)
            });
            let error = drawn.err()?;
            Some(Event::Reply(Reply::InfoString(format!("genfens: {error:#}, command given up"))))
        })
    }

    fn perft(&self, depth: u32, workshop: SearchResources) -> Result<Job, SpawnError> {
        let mut root = self.game.clone();
        Job::spawn(JobKind::Other, workshop, move |_, control, _| {
            let mut stopped = || match control.try_recv() {
                Ok(said) => said == Control::Stop,
                Err(nothing) => nothing.is_disconnected(),
            };
            // The position itself is the one leaf at depth 0.
            if depth == 0 {
                return Some(Event::Perft(Some((Vec::new(), 1))));
            }
            let counts = perft::divide(&mut root, depth, &mut stopped);
            Some(Event::Perft(counts.map(|counts| {
                let leaves = counts.iter().map(|(_, count)| count).sum();
                (counts, leaves)
            })))
        })
    }

    fn info_replies(&mut self, report: &Report, words: OutputOptions) -> Vec<Reply> {
        match report {
            Report::Block(block) => self.block(block, words),
            Report::CurrMove { depth, mv, number } => {
                let mv = self.game.move_text(*mv, words.style);
                vec![Reply::CurrMove { depth: depth.plies(), mv, number: *number }]
            }
            Report::FewerThreads { running, reason } => {
                let threads = if *running == 1 { "thread" } else { "threads" };
                vec![Reply::InfoString(format!(
                    "no more threads could be had ({reason}): searching with {running} {threads}"
                ))]
            }
        }
    }

    fn best_move(&self, finish: &SearchResult, style: NotationOptions) -> Reply {
        let Some(best) = finish.best else { return Reply::BestMove { best: None, ponder: None } };
        let mut after = self.game.clone();
        after.play(best);
        // A client may go on to ponder at the end of a game if it is told to expect a move that ends it.
        let ponder = finish.ponder.filter(|&mv| after.is_legal(mv)).and_then(|mv| {
            let text = after.move_text(mv, style);
            after.play(mv);
            after.outcome().is_none().then_some(text)
        });
        Reply::BestMove { best: Some(self.game.move_text(best, style)), ponder }
    }

    fn first_legal_move(&self) -> Option<Move> {
        self.game.moves().first().copied()
    }

    fn perft_text(&self, counts: &[(Move, u64)], leaves: u64, style: NotationOptions) -> String {
        let mut text = String::new();
        for &(mv, count) in counts {
            text += &format!("{}: {count}\n", self.game.move_text(mv, style));
        }
        text + &format!("\nNodes searched: {leaves}\n")
    }

    fn show(&self, style: NotationOptions) -> String {
        let (key, position) = (self.game.key(), self.game.position_text(style));
        format!("{}\n\nKey: {key:016X}\nFen: {position}", self.game.diagram().trim_end())
    }

    fn eval_text(&mut self) -> String {
        self.evaluator.reset(&self.game);
        let terms = self.evaluator.terms(&self.game);
        let mut text = String::new();
        if !terms.is_empty() {
            text +=
                &format!("{:<24}{:>16}{:>16}{:>16}\n", "term", "White mg eg", "Black mg eg", "White-Black");
        }
        let mut sum = (0, 0);
        for term in &terms {
            let [white, black] = term.sides;
            let difference = (white.0 - black.0, white.1 - black.1);
            sum = (sum.0 + difference.0, sum.1 + difference.1);
            let cell = |(mg, eg): (i32, i32)| format!("{mg:>9}{eg:>7}");
            text += &format!("{:<24}{}{}{}\n", term.name, cell(white), cell(black), cell(difference));
        }
        if !terms.is_empty() {
            let phase = self.evaluator.phase(&self.game) as i32;
            let tapered = (sum.0 * phase + sum.1 * (256 - phase)) / 256;
            text += &format!("{:<56}{:>9}{:>7}\n", "sum", sum.0, sum.1);
            text += &format!("tapered at phase {phase}/256: {tapered}\n");
        }
        let value = self.evaluator.evaluate(&self.game).value();
        let white = if self.game.side_to_move() == Side::White { value } else { -value };
        text + &format!("Final evaluation: {white} (White's side)")
    }

    fn flip(&mut self) -> Result<(), String> {
        let flipped = self.game.flipped();
        self.game =
            flipped.ok_or_else(|| format!("flip: not possible in {}, command ignored", G::VARIANT))?;
        self.last_position = None;
        Ok(())
    }
}

/// Beyond this a time is as good as none, and sums of such times still fit their type.
const MAX_TIME_MS: i64 = 1 << 40;

fn millis(count: i64) -> Duration {
    Duration::from_millis(count.clamp(0, MAX_TIME_MS) as u64)
}
