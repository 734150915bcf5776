//! `duiyi datagen`: generates self-play games as training data.

use super::Interrupted;
use super::data::open_writer;
use super::evaluation::{EvaluationArgs, evaluation_name};
use super::files::Files;
use super::openings::{self, BalanceFilter, Opening, Openings};
use super::progress::Progress;
use crate::data::{GameRecord, Header, MAX_PLIES, Termination, Totals, Writer};
use crate::game::{Outcome, Score, Side, Variant};
use crate::nnue::Network;
use crate::search::worker_thread::search_thread;
use crate::search::{SearchState, Settings, Signal};
use crate::variants::with_game;
use anyhow::Context;
use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Generate self-play games with the score of every position.
///
/// Each game starts with random moves. After them, each search starts no iteration after --nodes.
/// Game i depends only on i, the seed and the settings, not on the number of threads or on interruptions.
/// Ctrl-C ends the run; --resume continues the file.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// The output file; docs/data-format.md describes its format.
    #[arg(long, value_name = "FILE", required_unless_present = "part")]
    out: Option<PathBuf>,
    /// Stop when the file has this number of games.
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Stop when the file has at least this number of positions.
    #[arg(long, value_name = "N", required_unless_present_any = ["games", "part"])]
    positions: Option<u64>,
    /// Play only COUNT games, from number FIRST on (the first of a run is 0), in one thread. Write them to standard output
    /// in the format of the file, each in a block of its own. scripts/cluster.py uses it.
    #[arg(long, num_args = 2, value_names = ["FIRST", "COUNT"])]
    #[arg(conflicts_with_all = ["out", "games", "positions", "resume", "threads"])]
    part: Option<Vec<u64>>,
    /// Continue FILE; create it if it is missing. The commit of the engine, its evaluation, the settings and
    /// the contents of the book must be those in the header of FILE.
    #[arg(long)]
    resume: bool,
    /// Number of threads. Each plays one game at a time.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    #[command(flatten)]
    settings: GameSettings,
}

/// The settings that a game depends on, beside its number.
#[derive(Clone, Debug, clap::Args)]
struct GameSettings {
    /// The game, a value of the option UCI_Variant.
    #[arg(long, value_name = "V", default_value = "chess")]
    variant: String,
    /// Start each game from a random numbered start position of the game: for chess those of Chess960.
    #[arg(long, conflicts_with = "book")]
    chess960: bool,
    /// Start each game from a random position of this file, which has one FEN or EPD per line.
    #[arg(long, value_name = "EPD")]
    book: Option<PathBuf>,
    /// Random moves at the start of a game, A..B: at least A and at most B [default: 8..9, with --book 2..3]
    #[arg(long, value_name = "A..B", value_parser = parse_plies)]
    random_plies: Option<RangeInclusive<u32>>,
    /// Replace openings whose first score is larger in absolute value.
    #[arg(long, value_name = "CP", default_value_t = BalanceFilter::DEFAULT.max_score as u16)]
    opening_score: u16,
    /// Seed of the random number generator.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Soft node limit: a search starts no iteration after N nodes. It stops after 10 N nodes.
    #[arg(long, value_name = "N", default_value_t = BalanceFilter::DEFAULT.nodes, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    nodes: u64,
    /// Hash table size of each thread in MiB.
    #[arg(long, value_name = "MB", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
    /// A side wins when the last WIN_PLIES scores are all at least this much in its favour.
    #[arg(long, value_name = "CP", default_value_t = 1000)]
    win_score: u16,
    /// Number of plies for --win-score; 0 disables this adjudication.
    #[arg(long, value_name = "N", default_value_t = 5)]
    win_plies: u16,
    /// The game is drawn when the last DRAW_PLIES scores are all at most this much in absolute value.
    #[arg(long, value_name = "CP", default_value_t = 8)]
    draw_score: u16,
    /// Number of plies for --draw-score; 0 disables this adjudication.
    #[arg(long, value_name = "N", default_value_t = 12)]
    draw_plies: u16,
    /// First ply at which --draw-score can end a game.
    #[arg(long, value_name = "N", default_value_t = 80)]
    draw_from: u16,
    /// A game that reaches this ply ends there, without a result.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u16).range(1..=MAX_PLIES as i64))]
    max_plies: u16,
}

fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let ends = text.split_once("..").unwrap_or((text, text));
    match (ends.0.parse(), ends.1.parse()) {
        (Ok(minimum), Ok(maximum)) if minimum <= maximum && maximum <= 200 => Ok(minimum..=maximum),
        _ => Err("expected A..B with A at most B and B at most 200, like 8..9".into()),
    }
}

impl GameSettings {
    /// Everything that a game depends on.
    fn header(&self, openings: &Openings, network: Option<&Arc<Network>>) -> Header {
        let start_settings = match (&self.book, openings.book_crc32) {
            (Some(book), Some(crc32)) => {
                format!(" book={:?} book-crc32={crc32:08x}", book.file_name().unwrap_or_default())
            }
            _ if self.chess960 => " chess960".into(),
            _ => String::new(),
        };
        let settings = format!(
            "duiyi {} commit={} eval={} seed={} nodes={} hash={}{start_settings} random-plies={}..{} \
             opening-score={} win={}x{} draw={}x{} draw-from={} max-plies={}",
            env!("CARGO_PKG_VERSION"),
            env!("DUIYI_COMMIT"),
            evaluation_name(network),
            self.seed,
            self.nodes,
            self.hash,
            openings.plies.start(),
            openings.plies.end(),
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

#[derive(Debug, Default)]
struct Adjudicator {
    /// Number of consecutive plies with a winning score; negative if Black is winning.
    win_plies: i32,
    /// Number of consecutive plies with a drawish score.
    draw_plies: u16,
}

impl Adjudicator {
    /// Adds the score at `ply`, from White's point of view. Returns the outcome if the game is decided.
    fn adjudicate(&mut self, settings: &GameSettings, score: Score, ply: usize) -> Option<Outcome> {
        let win_score = i32::from(settings.win_score);
        self.win_plies = match score.value() {
            value if value >= win_score => self.win_plies.max(0) + 1,
            value if value <= -win_score => self.win_plies.min(0) - 1,
            _ => 0,
        };
        let is_drawish = score.value().abs() <= settings.draw_score.into();
        self.draw_plies = if is_drawish { self.draw_plies.saturating_add(1) } else { 0 };
        let (win_plies, draw_plies) = (settings.win_plies, settings.draw_plies);
        if win_plies > 0 && self.win_plies.unsigned_abs() >= win_plies.into() {
            Some(Outcome::Win(if self.win_plies > 0 { Side::White } else { Side::Black }))
        } else if draw_plies > 0 && self.draw_plies >= draw_plies && ply >= settings.draw_from.into() {
            Some(Outcome::Draw)
        } else {
            None
        }
    }
}

/// How long finished games may wait for the next ones before they are sent.
const SEND_INTERVAL: Duration = Duration::from_millis(20);

struct SelfPlayWorker<'a, G> {
    settings: &'a GameSettings,
    /// The start of the game.
    initial: G,
    openings: &'a Openings,
    search_settings: Settings,
    state: SearchState,
    /// Disconnected when the run ends.
    signals: Receiver<Signal>,
}

struct EncodedGame {
    bytes: Vec<u8>,
    positions: u32,
}

impl<G: Variant> SelfPlayWorker<'_, G> {
    /// Plays the game `index`; returns `None` if the run ends first.
    fn play_game(&mut self, index: u64) -> anyhow::Result<Option<EncodedGame>> {
        let SelfPlayWorker {
            settings,
            ref initial,
            openings,
            ref search_settings,
            ref mut state,
            ref signals,
        } = *self;
        let mut random = openings::rng_for_game(settings.seed, index);
        let filter = BalanceFilter { nodes: settings.nodes, max_score: settings.opening_score.into() };
        // This clears `state`, so that the game does not depend on earlier games of this thread.
        let opening = openings::sample_balanced(
            initial, openings, &mut random, filter, search_settings, state, signals,
        )?;
        let Some((opening, mut mv, mut score)) = opening else { return Ok(None) };
        let Opening { start, number, moves, position: mut game } = opening;
        let (outcome, termination) = (Outcome::Draw, Termination::PlyLimit);
        let mut record =
            GameRecord { start, start_index: number, moves, scores: Vec::new(), outcome, termination };
        let mut adjudicator = Adjudicator::default();
        loop {
            let white_score = if game.side_to_move() == Side::White { score } else { -score };
            record.moves.push(mv);
            record.scores.push(score);
            game.play(mv);
            if let Some(outcome) = game.outcome_or_claim() {
                (record.outcome, record.termination) = (outcome, Termination::Rules);
                break;
            }
            let plies = record.moves.len();
            // The scores of a non-selective (exact) search need not be centipawns, and such games are short.
            if G::SELECTIVE
                && let Some(outcome) = adjudicator.adjudicate(settings, white_score, plies)
            {
                (record.outcome, record.termination) = (outcome, Termination::Adjudicated);
                break;
            }
            if plies >= settings.max_plies.into() {
                break;
            }
            let nodes = settings.nodes;
            let best = openings::search_position(&game, nodes, search_settings, state, signals)?;
            let Some(best) = best else { return Ok(None) };
            (mv, score) = best;
        }
        Ok(Some(EncodedGame { bytes: record.encode()?, positions: record.scores.len() as u32 }))
    }

    /// Plays the games from `next_index` to `end` (excluded) and sends them to `games_tx`, until the run ends. Short games are sent
    /// together, because a wake-up of the receiver for each would cost time.
    fn run(mut self, next_index: &AtomicU64, end: u64, games_tx: &Sender<Vec<NumberedGame>>) {
        let (mut games, mut sent) = (Vec::new(), Instant::now());
        let indices = std::iter::repeat_with(|| next_index.fetch_add(1, Relaxed));
        for index in indices.take_while(|&index| index < end) {
            let Some(game) = self.play_game(index).transpose() else { return };
            games.push((index, game));
            if sent.elapsed() >= SEND_INTERVAL {
                if games_tx.send(std::mem::take(&mut games)).is_err() {
                    return;
                }
                sent = Instant::now();
            }
        }
        // Not received if the run has ended.
        let _ = games_tx.send(games);
    }
}

/// Plays games that begin at `start`. Writes a summary to `out`, or the games of `--part`.
fn play_games<G: Variant>(start: G, arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let settings = &arguments.settings;
    let openings =
        Openings::new(&start, settings.book.as_deref(), settings.chess960, settings.random_plies.clone())?;
    let network = arguments.evaluation.network(&start)?;
    let header = settings.header(&openings, network.as_ref());
    let (signal_sender, signals) = bounded(0);
    let new_worker = || {
        let state = SearchState::new(settings.hash.into())?;
        let search_settings = Settings { network: network.clone(), ..Settings::default() };
        let (initial, openings, signals) = (start.clone(), &openings, signals.clone());
        Ok(SelfPlayWorker { settings, initial, openings, search_settings, state, signals })
    };
    if let Some(part) = &arguments.part {
        return write_part(new_worker()?, part[0], part[1], &header, out);
    }
    let (Totals { games, positions, bytes }, is_complete) =
        generate(arguments, &header, new_worker, signal_sender)?;
    let size = bytes as f64 / positions.max(1) as f64;
    writeln!(out, "{games} games, {positions} positions, {bytes} bytes, {size:.2} bytes a position")?;
    anyhow::ensure!(is_complete, Interrupted("interrupted; --resume goes on".into()));
    Ok(())
}

/// Writes `count` games from number `first` on to `out`, each in a block of its own.
fn write_part<G: Variant>(
    mut worker: SelfPlayWorker<'_, G>,
    first: u64,
    count: u64,
    header: &Header,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut writer = Writer::new(out, header)?;
    for index in first..first.saturating_add(count) {
        let Some(EncodedGame { bytes, positions }) = worker.play_game(index)? else { break };
        writer.push(&bytes, positions)?;
        writer.end_block()?;
    }
    Ok(())
}

/// Returns the totals of the whole file, and whether it has all games. The workers stop when `signal_sender` is dropped.
fn generate<'a, G: Variant + 'a>(
    arguments: &Arguments,
    header: &Header,
    new_worker: impl Fn() -> anyhow::Result<SelfPlayWorker<'a, G>>,
    signal_sender: Sender<Signal>,
) -> anyhow::Result<(Totals, bool)> {
    let interrupted = super::closed_at_ctrl_c()?;
    let out = arguments.out.as_deref().context("--out: expected a file, got none")?;
    let mut writer = open_writer("--out", out, arguments.resume, header)?;
    let next_index = AtomicU64::new(writer.totals().games);
    let (games_tx, games) = unbounded();
    let written = std::thread::scope(|scope| {
        for number in 0..arguments.threads {
            let worker = new_worker()?;
            let (next_index, games_tx) = (&next_index, games_tx.clone());
            let run = move || worker.run(next_index, arguments.games.unwrap_or(u64::MAX), &games_tx);
            search_thread(&format!("selfplay {number}")).spawn_scoped(scope, run)?;
        }
        drop(games_tx);
        write_games(arguments, &mut writer, &games, signal_sender, &interrupted)
    });
    // Keeps the games that were written before an error.
    let totals = writer.finish()?;
    written.map(|is_complete| (totals, is_complete))
}

type NumberedGame = (u64, anyhow::Result<EncodedGame>);

/// Writes the games in order of their index until the file is complete or Ctrl-C interrupts the run. Returns whether it is
/// complete. Drops `signal_sender` at its end, which stops the workers.
fn write_games(
    arguments: &Arguments,
    writer: &mut Writer<File>,
    games: &Receiver<Vec<NumberedGame>>,
    signal_sender: Sender<Signal>,
    interrupted: &Receiver<Signal>,
) -> anyhow::Result<bool> {
    let mut pending = BTreeMap::new();
    let (started, initial) = (Instant::now(), writer.totals());
    let progress_count =
        |totals: Totals| if arguments.games.is_some() { totals.games } else { totals.positions };
    let end = arguments.games.or(arguments.positions).unwrap_or(0);
    let mut progress = Progress::new(end, progress_count(initial));
    let is_complete = |totals: Totals| {
        arguments.games.is_some_and(|games| totals.games >= games)
            || arguments.positions.is_some_and(|positions| totals.positions >= positions)
    };
    let _signal_sender = signal_sender;
    while !is_complete(writer.totals()) {
        select! {
            recv(games) -> games => {
                let Ok(games) = games else { break };
                pending.extend(games);
            }
            recv(interrupted) -> _ => break,
        }
        while !is_complete(writer.totals())
            && let Some(game) = pending.remove(&writer.totals().games)
        {
            let EncodedGame { bytes, positions } = game?;
            writer.push(&bytes, positions)?;
            let totals = writer.totals();
            let speed =
                (totals.positions - initial.positions) as f64 / started.elapsed().as_secs_f64().max(1e-9);
            let text =
                format!("{} games, {} positions, {speed:.0} positions/s", totals.games, totals.positions);
            progress.update(progress_count(totals), text);
        }
    }
    progress.finish();
    Ok(is_complete(writer.totals()))
}

/// Runs the command and writes a summary to `out`, or the games of `--part`.
///
/// # Errors
/// If an argument is wrong, a file cannot be read or written, or a search fails.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    Files::default()
        .reads(&arguments.settings.book)
        .reads(arguments.evaluation.file())
        .continues("--out", arguments.out.as_deref())
        .check(false)?;
    with_game!(&arguments.settings.variant, |start| play_games(start, arguments, out)).context("--variant")?
}
