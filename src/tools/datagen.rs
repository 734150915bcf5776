//! `duiyi datagen`: games that the engine plays against itself, for training.

use super::openings::{self, BalanceFilter, Opening, Openings};
use super::progress::Progress;
use crate::data::{Header, MAX_PLIES, ReadError, Record, Termination, Totals, Writer};
use crate::game::{Evaluator, Heuristics, Notation, Outcome, Ply, Score, Side};
use crate::search::{Control, SearchState};
use crate::variants::VariantVisitor;
use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::Builder;
use std::time::Instant;

/// The stack of a thread that searches.
const STACK: usize = 16 << 20;
/// The evaluation that the scores come from, as the header names it: `classical` is the hand-written one of each game.
/// A network's hash belongs here.
const EVALUATION: &str = "classical";

/// Let the engine play against itself and store the games with the score of every position.
///
/// Each game begins with random moves and is played out by searches that begin no new iteration after the
/// given number of nodes. Game i depends on the seed, on i and on the settings, and on nothing else: not on the number of
/// threads, and not on interruptions. Ctrl-C ends the run and leaves a file that --resume continues.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// The file to write; docs/data-format.md describes it.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// End with this game, counted from the beginning of the file.
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// End with the game that brings the file to this many positions.
    #[arg(long, value_name = "N", required_unless_present = "games")]
    positions: Option<u64>,
    /// Continue FILE, or begin it if it is missing. The engine's commit, its evaluation, the settings and the book's
    /// contents must be those that FILE was begun with.
    #[arg(long)]
    resume: bool,
    /// Threads, each playing games of its own.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    #[command(flatten)]
    rules: GameSettings,
}

/// What a game depends on beside its number.
#[derive(Clone, Debug, clap::Args)]
struct GameSettings {
    /// The game, a value of the option UCI_Variant.
    #[arg(long, value_name = "V", default_value = "chess")]
    variant: String,
    /// Begin each game in a random one of the variant's special starts: for chess those of Chess960.
    #[arg(long, conflicts_with = "book")]
    chess960: bool,
    /// Begin each game in a random position of this file, one FEN or EPD in each line.
    #[arg(long, value_name = "EPD")]
    book: Option<PathBuf>,
    /// Random moves at the beginning of a game, A..B: at least A and at most B [default: 8..9, after a book 2..3]
    #[arg(long, value_name = "A..B", value_parser = plies)]
    random_plies: Option<RangeInclusive<u32>>,
    /// Openings whose first score is further from zero are replaced by another.
    #[arg(long, value_name = "CP", default_value_t = BalanceFilter::DEFAULT.most as u16)]
    opening_score: u16,
    /// Seed of all that is random.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Begin no iteration after so many nodes; ten times as many stop a search.
    #[arg(long, value_name = "N", default_value_t = BalanceFilter::DEFAULT.nodes, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    nodes: u64,
    /// MiB of the table of each thread.
    #[arg(long, value_name = "MB", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
    /// A side has won when all of the last WIN_PLIES scores give it this much.
    #[arg(long, value_name = "CP", default_value_t = 1000)]
    win_score: u16,
    /// See --win-score; 0 plays everything out.
    #[arg(long, value_name = "N", default_value_t = 5)]
    win_plies: u16,
    /// The game is drawn when all of the last DRAW_PLIES scores are at most this far from zero.
    #[arg(long, value_name = "CP", default_value_t = 8)]
    draw_score: u16,
    /// See --draw-score; 0 plays everything out.
    #[arg(long, value_name = "N", default_value_t = 12)]
    draw_plies: u16,
    /// No game is drawn by --draw-score before this ply.
    #[arg(long, value_name = "N", default_value_t = 80)]
    draw_from: u16,
    /// A game that reaches this ply is drawn.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u16).range(1..=MAX_PLIES as i64))]
    max_plies: u16,
}

fn plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let ends = text.split_once("..").unwrap_or((text, text));
    match (ends.0.parse(), ends.1.parse()) {
        (Ok(least), Ok(most)) if least <= most && most <= 200 => Ok(least..=most),
        _ => Err("expected A..B with A at most B and B at most 200, like 8..9".into()),
    }
}

impl GameSettings {
    fn random_plies(&self) -> RangeInclusive<u32> {
        self.random_plies.clone().unwrap_or_else(|| Openings::default_plies(self.book.is_some()))
    }

    /// The file's header: everything that a game depends on. `book_crc32` is the checksum of the book's contents.
    fn header(&self, book_crc32: Option<u32>) -> Header {
        let starts = match (&self.book, book_crc32) {
            (Some(book), Some(crc32)) => {
                format!(" book={:?} book-crc32={crc32:08x}", book.file_name().unwrap_or_default())
            }
            _ if self.chess960 => " chess960".into(),
            _ => String::new(),
        };
        let settings = format!(
            "duiyi {} commit={} eval={EVALUATION} seed={} nodes={} hash={}{starts} random-plies={}..{} \
             opening-score={} win={}x{} draw={}x{} draw-from={} max-plies={}",
            env!("CARGO_PKG_VERSION"),
            env!("DUIYI_COMMIT"),
            self.seed,
            self.nodes,
            self.hash,
            self.random_plies().start(),
            self.random_plies().end(),
            self.opening_score,
            self.win_score,
            self.win_plies,
            self.draw_score,
            self.draw_plies,
            self.draw_from,
            self.max_plies
        );
        Header { variant: self.variant.clone(), settings }
    }
}

/// Ends games whose result is clear.
#[derive(Debug, Default)]
struct Adjudicator {
    /// Positive while White, negative while Black has been winning for that many plies.
    winning: i32,
    /// For how many plies nobody has been better.
    draw_plies: u16,
}

impl Adjudicator {
    /// The outcome, if after White's `score` at `ply` it is clear.
    fn adjudicate(&mut self, rules: &GameSettings, score: Score, ply: usize) -> Option<Outcome> {
        let wins = i32::from(rules.win_score);
        self.winning = match score.value() {
            value if value >= wins => self.winning.max(0) + 1,
            value if value <= -wins => self.winning.min(0) - 1,
            _ => 0,
        };
        let level = score.value().abs() <= rules.draw_score.into();
        self.draw_plies = if level { self.draw_plies.saturating_add(1) } else { 0 };
        let (won, drawn) = (rules.win_plies, rules.draw_plies);
        if won > 0 && self.winning.unsigned_abs() >= won.into() {
            Some(Outcome::Win(if self.winning > 0 { Side::White } else { Side::Black }))
        } else if drawn > 0 && self.draw_plies >= drawn && ply >= rules.draw_from.into() {
            Some(Outcome::Draw)
        } else {
            None
        }
    }
}

/// One thread's part of the work.
struct SelfPlayWorker<'a> {
    rules: &'a GameSettings,
    openings: &'a Openings,
    memory: SearchState,
    /// Closed when the run is to end.
    control: Receiver<Control>,
}

/// A finished game.
struct Game {
    bytes: Vec<u8>,
    positions: u32,
}

impl SelfPlayWorker<'_> {
    /// The game of that number; `None` if the run is to end.
    fn play<G: Heuristics + Notation, E: Evaluator<G>>(
        &mut self,
        index: u64,
    ) -> anyhow::Result<Option<Game>> {
        let SelfPlayWorker { rules, openings, ref mut memory, ref control } = *self;
        let mut random = openings::rng_for_game(rules.seed, index);
        let balance = BalanceFilter { nodes: rules.nodes, most: rules.opening_score.into() };
        // The memory is cleared here: what this thread has played before depends on the number of threads.
        let opening = openings::sample_balanced::<G, E>(openings, &mut random, balance, memory, control)?;
        let Some((opening, mut mv, mut score)) = opening else { return Ok(None) };
        let Opening { start, number, moves, position: mut game } = opening;
        let (outcome, termination) = (Outcome::Draw, Termination::PlyLimit);
        let mut record =
            Record { start, start_index: number, moves, scores: Vec::new(), outcome, termination };
        let mut adjudicator = Adjudicator::default();
        loop {
            let white = if game.side_to_move() == Side::White { score } else { -score };
            record.moves.push(mv);
            record.scores.push(score);
            game.play(mv);
            if let Some(outcome) = game.outcome().or_else(|| game.claim(Ply::ROOT)) {
                (record.outcome, record.termination) = (outcome, Termination::Rules);
                break;
            }
            let plies = record.moves.len();
            // A game that is searched exactly is short, and its scores need not be centipawns.
            if G::SELECTIVE
                && let Some(outcome) = adjudicator.adjudicate(rules, white, plies)
            {
                (record.outcome, record.termination) = (outcome, Termination::Adjudicated);
                break;
            }
            if plies >= rules.max_plies.into() {
                break;
            }
            let chosen = openings::search_position::<G, E>(&game, rules.nodes, memory, control)?;
            let Some(chosen) = chosen else { return Ok(None) };
            (mv, score) = chosen;
        }
        Ok(Some(Game { bytes: record.encode()?, positions: record.scores.len() as u32 }))
    }
}

/// The command, once the game is known.
struct Generating<'a> {
    arguments: &'a Arguments,
    /// Receives a message when the run is to end early.
    interrupted: Receiver<()>,
}

impl VariantVisitor for Generating<'_> {
    type Output = anyhow::Result<Totals>;

    fn visit<G: Heuristics + Notation, E: Evaluator<G>>(self) -> anyhow::Result<Totals> {
        generate::<G, E>(self.arguments, &self.interrupted)
    }
}

/// Plays the games and returns the totals of the whole file.
fn generate<G: Heuristics + Notation, E: Evaluator<G>>(
    arguments: &Arguments,
    interrupted: &Receiver<()>,
) -> anyhow::Result<Totals> {
    let rules = &arguments.rules;
    let openings = Openings::new::<G>(rules.book.as_deref(), rules.chess960, rules.random_plies.clone())?;
    let mut writer = open(&arguments.out, arguments.resume, &rules.header(openings.book_crc32()))?;
    let next = AtomicU64::new(writer.totals().games);
    let (running, control) = bounded(0);
    let (played, games) = unbounded();
    let written = std::thread::scope(|scope| {
        for number in 0..arguments.threads {
            let memory = SearchState::new(rules.hash.into())?;
            let player = SelfPlayWorker { rules, openings: &openings, memory, control: control.clone() };
            let (next, played) = (&next, played.clone());
            let work = move || work::<G, E>(player, next, arguments.games.unwrap_or(u64::MAX), &played);
            Builder::new().name(format!("player {number}")).stack_size(STACK).spawn_scoped(scope, work)?;
        }
        drop(played);
        collect(arguments, &mut writer, &games, running, interrupted)
    });
    // What was written before an error is as good as any.
    let totals = writer.finish()?;
    written.map(|()| totals)
}

type Played = (u64, anyhow::Result<Game>);

/// Plays games until there are enough or the run is to end.
fn work<G: Heuristics + Notation, E: Evaluator<G>>(
    mut player: SelfPlayWorker<'_>,
    next: &AtomicU64,
    games: u64,
    played: &Sender<Played>,
) {
    loop {
        let index = next.fetch_add(1, Relaxed);
        if index >= games {
            return;
        }
        let game = match player.play::<G, E>(index) {
            Ok(Some(game)) => Ok(game),
            Ok(None) => return,
            Err(error) => Err(error),
        };
        if played.send((index, game)).is_err() {
            return;
        }
    }
}

/// Writes the games in their order until there are enough. The players end when `running` is dropped.
fn collect(
    arguments: &Arguments,
    writer: &mut Writer<File>,
    games: &Receiver<Played>,
    running: Sender<Control>,
    interrupted: &Receiver<()>,
) -> anyhow::Result<()> {
    let mut waiting = BTreeMap::new();
    let (started, before) = (Instant::now(), writer.totals());
    let counted = |totals: Totals| if arguments.games.is_some() { totals.games } else { totals.positions };
    let end = arguments.games.or(arguments.positions).unwrap_or(0);
    let mut progress = Progress::new(end, counted(before));
    let is_enough = |totals: Totals| {
        arguments.games.is_some_and(|games| totals.games >= games)
            || arguments.positions.is_some_and(|positions| totals.positions >= positions)
    };
    let _running = running;
    while !is_enough(writer.totals()) {
        select! {
            recv(games) -> game => {
                let Ok((index, game)) = game else { break };
                waiting.insert(index, game);
            }
            recv(interrupted) -> _ => break,
        }
        while !is_enough(writer.totals())
            && let Some(game) = waiting.remove(&writer.totals().games)
        {
            let Game { bytes, positions } = game?;
            writer.push(&bytes, positions)?;
            let now = writer.totals();
            let speed = (now.positions - before.positions) as f64 / started.elapsed().as_secs_f64().max(1e-9);
            let text = format!("{} games, {} positions, {speed:.0} positions/s", now.games, now.positions);
            progress.update(counted(now), text);
        }
    }
    progress.finish();
    Ok(())
}

/// Begins or continues the file at `path`.
fn open(path: &Path, resume: bool, header: &Header) -> anyhow::Result<Writer<File>> {
    let shown = path.display();
    if resume && path.exists() {
        return Writer::resume(path, header).map_err(|error| {
            anyhow::anyhow!("--resume: cannot continue {shown}: {error}; nothing is changed")
        });
    }
    match Writer::create(path, header) {
        Ok(writer) => Ok(writer),
        Err(ReadError::Io(error)) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            anyhow::bail!("--out: {shown} exists; --resume continues it")
        }
        Err(error) => anyhow::bail!("--out: {shown}: {error}"),
    }
}

/// Runs the command and writes a summary to `out`.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let (interrupt, interrupted) = unbounded();
    ctrlc::set_handler(move || interrupt.send(()).unwrap_or_default())?;
    let totals = super::visit(&arguments.rules.variant, Generating { arguments, interrupted })?;
    let Totals { games, positions, bytes } = totals;
    let size = bytes as f64 / positions.max(1) as f64;
    writeln!(out, "{games} games, {positions} positions, {bytes} bytes, {size:.2} bytes a position")?;
    Ok(())
}
