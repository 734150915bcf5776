//! `duiyi analyse`: searches problems with known solutions, and every position of games.

mod annotate;
mod journal;
mod page;
mod problem;
mod report;
mod review;
mod searcher;

use super::evaluation::EvaluationArgs;
use super::files::{Files, NewFile, Replaces};
use super::progress::Progress;
use super::tablebase::open_tablebase;
use super::{Interrupted, line_texts, pgn, printable, records};
use crate::data::open_input;
use crate::game::{Move, Notation, OpeningName, Ply, Score, Tablebase, Variant};
use crate::nnue::Network;
use crate::protocol;
use crate::search::{self, Limits, Signal};
use crate::variants::{self, with_game};
use anyhow::Context;
use crossbeam_channel::{Receiver, bounded};
use journal::{Journal, JournalHeader};
use problem::Problem;
use report::Summary;
use review::Review;
use searcher::{Answer, Searchers};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

const MAX_JOBS: u16 = 1024;
/// Nodes per position if no limit is given.
const DEFAULT_NODES: u64 = 1_000_000;

/// Solve test suites, and annotate games.
///
/// A file whose name ends in .pgn or .sgf or whose text starts with [ or ( contains games, PGN or SGF; any other file
/// contains one position per line, EPD or FEN. A file may be a pipe: - is standard input.
/// A line or a game that cannot be read gets a message on standard error and is skipped.
/// Each position is searched with an empty hash table.
/// With one thread and a limit of nodes or depth, the result is reproducible, even after interruptions.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Files of positions or games.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The game, a value of the option UCI_Variant [default: that of the first tag Variant in the PGN files, go for SGF, or chess]
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Number of positions searched at the same time, each with its own hash table; 0: one for each core. The results are
    /// the same as with one, except times and what depends on --movetime.
    #[arg(long, value_name = "J", default_value_t = 1, value_parser = clap::value_parser!(u16).range(..=i64::from(MAX_JOBS)))]
    jobs: u16,
    /// Append a JSON record to FILE after each position, so that --resume can continue.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Continue the file of --out, which must have the same input and settings; create it if it is missing.
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print JSON instead of a table: a record for each position, a review after the records of a game, and a summary.
    #[arg(long)]
    json: bool,
    /// Search only COUNT positions, from number FIRST on (the first of the input is 0). Print what --out would write.
    /// scripts/cluster.py uses it.
    #[arg(long, num_args = 2, value_names = ["FIRST", "COUNT"], conflicts_with_all = ["out", "json", "pgn", "html"])]
    part: Option<Vec<usize>>,
    /// Write the annotated games to FILE, as PGN.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write a page for a browser to FILE: the games with graphs, boards, marks and better lines.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Replace files that Duiyi has not made, too.
    #[arg(long)]
    force: bool,
}

/// The settings of each search. It stops at the limit that it reaches first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
struct SearchArgs {
    /// Nodes per position [default: 1000000 without --movetime and --depth]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds per position.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    movetime: Option<u64>,
    /// Depth in plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=245))]
    depth: Option<u8>,
    /// Search threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Hash table size in MiB.
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// Number of lines (MultiPV) in the JSON records; only the first counts as the solution.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Directories of Syzygy endgame tables, divided as the system divides PATH.
    #[arg(long, value_name = "PATH")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    syzygy: Option<String>,
}

impl SearchArgs {
    fn limits(&self) -> Limits {
        let has_other_limit = self.movetime.is_some() || self.depth.is_some();
        Limits {
            nodes: self.nodes.or((!has_other_limit).then_some(DEFAULT_NODES)),
            movetime: self.movetime.map(Duration::from_millis),
            depth: self.depth.map(|depth| crate::game::Depth::new(depth.into())),
            ..Limits::none()
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SearchStats {
    depth: i32,
    nodes: u64,
    ms: u64,
}

/// A line of moves, with its score for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ScoredLine {
    score: protocol::Score,
    pv: Vec<String>,
}

/// The analysis of one position: a line of the file of `--out`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PositionRecord {
    /// The file and the line of the problem or game, `FILE:LINE`.
    at: String,
    #[serde(flatten)]
    source: RecordOf,
    position: String,
    /// The best move in SAN; `None` if the game is over.
    best: Option<String>,
    /// The lines of the last iteration, best first: one unless `--multipv` is larger.
    lines: Vec<ScoredLine>,
    /// Probabilities of win, draw and loss for the side to move, in per mille.
    wdl: [u16; 3],
    #[serde(flatten)]
    stats: SearchStats,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum RecordOf {
    Problem(problem::ProblemResult),
    /// The position of a game before the move `ply`.
    Game {
        /// The number of the game over all files, from 1.
        game: usize,
        /// The number of the move in plies, from 0.
        ply: usize,
        /// The move played, in SAN; `None` at the end of the game.
        played: Option<String>,
        /// The name of the position, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opening: Option<OpeningName>,
    },
}

#[derive(Debug)]
struct Input {
    name: String,
    bytes: Vec<u8>,
    /// Whether it contains games, not positions.
    has_games: bool,
}

impl Input {
    fn read(path: &Path) -> anyhow::Result<Input> {
        let bytes =
            open_input(path).and_then(super::read_to_end).with_context(|| path.display().to_string())?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // A pipe has no name.
        let begins_as_game =
            bytes.trim_ascii_start().starts_with(b"[") || bytes.trim_ascii_start().starts_with(b"(");
        let is_named =
            |extension| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
        let has_games = begins_as_game || is_named("pgn") || is_named("sgf");
        Ok(Input { name, bytes, has_games })
    }
}

struct InputSet<G> {
    /// In the order of the files, each with the name of its file.
    items: Vec<(String, Item<G>)>,
    /// Number of lines and games that could not be read.
    skipped: usize,
}

enum Item<G> {
    Problem(Problem<G>),
    Game(pgn::Game<G>),
}

impl<G> Item<G> {
    fn position_count(&self) -> usize {
        match self {
            Item::Problem(_) => 1,
            Item::Game(game) => game.moves.len() + 1,
        }
    }
}

impl<G: Notation> InputSet<G> {
    /// Prints a message for each line or game that it skips.
    fn read(start: &G, inputs: &[Input]) -> InputSet<G> {
        let mut set = InputSet { items: Vec::new(), skipped: 0 };
        for input in inputs {
            let text = String::from_utf8_lossy(&input.bytes);
            let report = |pgn::RecordError { line, what }: &pgn::RecordError, skipped: &str| {
                // Standard error may be closed.
                let _ = writeln!(
                    std::io::stderr(),
                    "{}:{line}: {what}, {skipped} skipped",
                    printable(&input.name)
                );
            };
            let mut push = |item: Result<Item<G>, pgn::RecordError>, kind: &str| match item {
                Ok(item) => set.items.push((input.name.clone(), item)),
                Err(error) => {
                    set.skipped += 1;
                    report(&error, kind);
                }
            };
            if input.has_games {
                for game in records::read(start, &text) {
                    if let Ok(pgn::Game { cut_off: Some(reason), .. }) = &game {
                        report(reason, "the rest of the game");
                    }
                    push(game.map(Item::Game), "game");
                }
            } else {
                problem::read(start, &text).for_each(|problem| push(problem.map(Item::Problem), "position"));
            }
        }
        set
    }

    /// All items, in order, each with the name of its file and the number of games up to it.
    fn numbered(&self) -> impl Iterator<Item = (&str, usize, &Item<G>)> {
        self.items.iter().scan(0, |games, (file, item)| {
            *games += usize::from(matches!(item, Item::Game(_)));
            Some((file.as_str(), *games, item))
        })
    }

    fn positions(&self) -> impl Iterator<Item = InputPosition<'_, G>> {
        self.numbered().flat_map(|(file, number, item)| {
            (0..item.position_count()).map(move |ply| InputPosition { file, item, number, ply })
        })
    }
}

/// A problem or a game with the record of each of its positions.
enum Analysed<'a, G> {
    Problem(PositionRecord),
    Game { game: &'a pgn::Game<G>, review: Review, records: Vec<PositionRecord> },
}

/// An output of the analysis.
trait Sink<G> {
    /// Takes the next record. The records of a game come before the game.
    fn record(&mut self, _record: &PositionRecord) -> anyhow::Result<()> {
        Ok(())
    }

    /// Takes the next problem or game.
    fn item(&mut self, _item: &Analysed<'_, G>) -> anyhow::Result<()> {
        Ok(())
    }

    /// Takes all problems and games, and their summary.
    fn finish(self: Box<Self>, items: &[Analysed<'_, G>], summary: &Summary) -> anyhow::Result<()>;
}

/// `start` is that of the game. Ctrl-C closes `signals`.
fn analyse<G: Variant>(
    start: &G,
    arguments: &Arguments,
    inputs: &[Input],
    signals: Receiver<Signal>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let input_set = InputSet::read(start, inputs);
    anyhow::ensure!(!input_set.items.is_empty(), "expected a position or a game, found none");
    let has_games = input_set.items.iter().any(|(_, item)| matches!(item, Item::Game(_)));
    anyhow::ensure!(
        has_games || arguments.pgn.is_none(),
        "--pgn: expected a file of games to annotate, found none"
    );
    anyhow::ensure!(has_games || arguments.html.is_none(), "--html: expected a file of games, found none");
    // Created before the analysis, to report a file that cannot be written.
    let annotated_file = arguments.pgn.as_deref().map(NewFile::begin).transpose()?;
    let page_file = arguments.html.as_deref().map(NewFile::begin).transpose()?;
    let network = arguments.evaluation.network(start)?;
    let header = JournalHeader::new(start.variant(), &arguments.search, network.as_ref(), inputs);
    let jobs = match arguments.jobs {
        0 => available_parallelism().map_or(1, |cores| cores.get()),
        jobs => jobs.into(),
    };
    let (first, count) = arguments.part.as_ref().map_or((0, usize::MAX), |part| (part[0], part[1]));
    let positions = || input_set.positions().skip(first).take(count);
    let total = positions().count();
    let start_analyser = || {
        let tablebase = arguments.search.syzygy.as_ref().map(|path| open_tables(start, path)).transpose()?;
        let searchers = Searchers::start(jobs, &arguments.search, network.clone(), tablebase, &signals)?;
        anyhow::Ok(Analyser::<G, _>::new(searchers, positions(), jobs, network.clone()))
    };
    if arguments.part.is_some() {
        report::json(&header, out)?;
        let (mut analyser, mut done) = (start_analyser()?, 0);
        while let Some(record) = analyser.next_record()? {
            report::json(&record, out)?;
            done += 1;
        }
        anyhow::ensure!(done == total, Interrupted(format!("interrupted after {done} of {total} positions")));
        return Ok(());
    }
    let (mut journal, resumed) = match &arguments.out {
        Some(path) => Journal::open(path, arguments.resume, &header)
            .map(|(journal, records)| (Some(journal), records))
            .with_context(|| path.display().to_string())?,
        None => (None, Vec::new()),
    };
    anyhow::ensure!(resumed.len() <= total, "--resume: {} records for {total} positions", resumed.len());
    let mut analyser = start_analyser()?;
    analyser.skip(&resumed)?;
    let mut sinks: Vec<Box<dyn Sink<G> + '_>> = match arguments.json {
        true => vec![Box::new(report::JsonLines(out))],
        false => vec![Box::new(report::Table::new(out))],
    };
    if let Some(file) = annotated_file {
        sinks.push(Box::new(annotate::AnnotatedGames(file)));
    }
    if let Some(file) = page_file {
        sinks.push(Box::new(page::AnalysisPage {
            file,
            inputs,
            variant: start.variant(),
            settings: &arguments.search,
        }));
    }
    let mut progress = Progress::new(total as u64, resumed.len() as u64);
    let (mut resumed, mut done) = (resumed.into_iter(), 0);
    let (mut items, mut summary) = (Vec::new(), Summary::new(input_set.skipped));
    'items: for (_, number, item) in input_set.numbered() {
        let mut records = Vec::new();
        while records.len() < item.position_count() {
            let record = if let Some(record) = resumed.next() {
                record
            } else {
                let Some(record) = analyser.next_record()? else { break 'items };
                if let Some(journal) = &mut journal {
                    journal.push(&record)?;
                }
                progress.update(done as u64 + 1, format!("{} of {total} positions", done + 1));
                record
            };
            done += 1;
            progress.suspend(|| sinks.iter_mut().try_for_each(|sink| sink.record(&record)))?;
            records.push(record);
        }
        let item = match item {
            Item::Problem(_) => Analysed::Problem(records.remove(0)),
            Item::Game(game) => {
                Analysed::Game { game, review: review::review(game, number, &records), records }
            }
        };
        summary.add(&item);
        progress.suspend(|| sinks.iter_mut().try_for_each(|sink| sink.item(&item)))?;
        items.push(item);
    }
    progress.finish();
    summary.end();
    sinks.into_iter().try_for_each(|sink| sink.finish(&items, &summary))?;
    let resume = if journal.is_some() { "; --resume goes on" } else { "" };
    let interrupted = Interrupted(format!("interrupted after {done} of {total} positions{resume}"));
    anyhow::ensure!(done == total, interrupted);
    let (skipped, read) = (input_set.skipped, input_set.items.len());
    anyhow::ensure!(
        skipped == 0,
        "{skipped} of {} games and positions were skipped, see above",
        skipped + read
    );
    Ok(())
}

struct InputPosition<'a, G> {
    file: &'a str,
    item: &'a Item<G>,
    /// The number of the game over all files, from 1.
    number: usize,
    /// The number of the move in plies, from 0.
    ply: usize,
}

impl<G> InputPosition<'_, G> {
    fn at(&self) -> String {
        let line = match self.item {
            Item::Problem(problem) => problem.line,
            Item::Game(game) => game.line,
        };
        format!("{}:{line}", self.file)
    }
}

/// Analyses the positions in order. Several are searched at the same time.
struct Analyser<'a, G, P> {
    searchers: Searchers<G>,
    /// The positions that were not given to the searchers.
    positions: P,
    /// Number of positions given to the searchers ahead of the one whose answer comes next.
    ahead: usize,
    /// Those positions, in order, each with the channel of its answer.
    waiting: VecDeque<(InputPosition<'a, G>, G, Receiver<Answer>)>,
    network: Option<Arc<Network>>,
    /// The last position of a game: the number of the game, the moves played and the position.
    last_position: Option<(usize, usize, G)>,
}

#[derive(Default)]
struct Analysis {
    iterations: Vec<Iteration>,
    lines: Vec<search::PvLine>,
    best: Option<Move>,
}

/// The first line of an iteration.
struct Iteration {
    best: Option<Move>,
    score: Score,
    stats: SearchStats,
}

impl<'a, G, P> Analyser<'a, G, P>
where
    G: Variant,
    P: Iterator<Item = InputPosition<'a, G>>,
{
    fn new(searchers: Searchers<G>, positions: P, jobs: usize, network: Option<Arc<Network>>) -> Self {
        let waiting = VecDeque::new();
        Analyser { searchers, positions, ahead: 2 * jobs, waiting, network, last_position: None }
    }

    /// Skips the positions of `records`, those of a continued file. An error if a record is not of the position in its place.
    fn skip(&mut self, records: &[PositionRecord]) -> anyhow::Result<()> {
        // The first line is the header.
        for (record, line) in records.iter().zip(2..) {
            let Some(next) = self.positions.next() else { break };
            let (at, position) = (next.at(), self.position(&next).position_text());
            anyhow::ensure!(
                record.at == at && record.position == position,
                "--resume: line {line}: expected a record of {at}, {position}, found one of {}, {}",
                record.at,
                record.position
            );
        }
        Ok(())
    }

    /// The record of the next position; `None` if its search was stopped, or after the last one.
    fn next_record(&mut self) -> anyhow::Result<Option<PositionRecord>> {
        while self.waiting.len() < self.ahead
            && let Some(next) = self.positions.next()
        {
            let position = self.position(&next);
            let outcome = match next.item {
                Item::Game(game) if next.ply == game.moves.len() => position.outcome_or_claim(),
                _ => None,
            };
            let answer = match outcome {
                // The result of the game counts, not a search of its last position.
                Some(outcome) => {
                    let score = Score::from_outcome(outcome, position.side_to_move(), Ply::ROOT);
                    let (answer_tx, answer) = bounded(1);
                    answer_tx.send(Ok(Some(Analysis::of_finished_game(score))))?;
                    answer
                }
                None => self.searchers.submit(position.clone()),
            };
            self.waiting.push_back((next, position, answer));
        }
        let Some((next, position, answer)) = self.waiting.pop_front() else { return Ok(None) };
        let analysis = answer.recv().context("a search has failed")??;
        Ok(analysis.map(|analysis| self.record(&next, &position, &analysis)))
    }

    fn record(&mut self, place: &InputPosition<'a, G>, position: &G, analysis: &Analysis) -> PositionRecord {
        let InputPosition { item, number, ply, .. } = *place;
        let tags = match item {
            Item::Problem(_) => &[][..],
            Item::Game(game) => &game.tags,
        };
        let text = |position: &G, mv| pgn::move_text(tags, position, mv);
        let source = match item {
            Item::Problem(problem) => RecordOf::Problem(problem.score(analysis)),
            Item::Game(game) => {
                let played = game.moves.get(ply).map(|&mv| text(position, mv));
                RecordOf::Game { game: number, ply, played, opening: position.opening() }
            }
        };
        let line_text = |line: &search::PvLine| ScoredLine {
            score: line.score.into(),
            pv: line_texts(position, &line.pv, text),
        };
        let score = analysis.lines.first().map_or(Score::ZERO, |line| line.score);
        let wdl = position.wdl(score, self.network.as_deref());
        let no_search = SearchStats { depth: 0, nodes: 0, ms: 0 };
        PositionRecord {
            at: place.at(),
            source,
            position: position.position_text(),
            best: analysis.best.map(|mv| text(position, mv)),
            lines: analysis.lines.iter().map(line_text).collect(),
            wdl: [wdl.win, wdl.draw, wdl.loss],
            stats: analysis.iterations.last().map_or(no_search, |iteration| iteration.stats),
        }
    }

    /// In a game it has the moves before it, for repetitions.
    fn position(&mut self, place: &InputPosition<'a, G>) -> G {
        let (game, number, ply) = match place.item {
            Item::Problem(problem) => return problem.position.clone(),
            Item::Game(game) => (game, place.number, place.ply),
        };
        let last = self.last_position.take().filter(|(game, played, _)| *game == number && *played <= ply);
        let (_, played, mut position) = last.unwrap_or_else(|| (number, 0, game.start.clone()));
        game.moves[played..ply].iter().for_each(|&mv| position.play(mv));
        self.last_position = Some((number, ply, position.clone()));
        position
    }
}

fn open_tables<G: Variant>(start: &G, path: &str) -> anyhow::Result<Arc<dyn Tablebase<G>>> {
    let (tablebase, lines) = open_tablebase(start, path);
    lines.iter().for_each(|line| log::info!("--syzygy: {line}"));
    tablebase.with_context(|| format!("--syzygy: {}", lines.join("; ")))
}

impl Analysis {
    /// The analysis of a position in which the game is over, with `score` for the side to move.
    fn of_finished_game(score: Score) -> Analysis {
        let line = search::PvLine::exact(crate::game::Depth::ZERO, Ply::ROOT, score, Vec::new());
        Analysis { lines: vec![line], ..Analysis::default() }
    }
}

/// The text of a score: centipawns as `+31`, mate in moves as `#4` or `#-3`.
fn score_text(score: protocol::Score) -> String {
    match score {
        protocol::Score::Cp(value) => format!("{value:+}"),
        protocol::Score::Mate(moves) => format!("#{moves}"),
    }
}

/// Runs the command and writes to `out`.
///
/// # Errors
/// If an argument is wrong, a file cannot be read or written, a search fails, or Ctrl-C interrupts the run.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    Files::default()
        .reads(&arguments.files)
        .reads(arguments.evaluation.file())
        .continues("--out", arguments.out.as_deref())
        .writes("--pgn", arguments.pgn.as_deref(), Replaces::AnnotatedGames)
        .writes("--html", arguments.html.as_deref(), Replaces::Pages)
        .check(arguments.force)?;
    let inputs = arguments.files.iter().map(|path| Input::read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let signals = super::closed_at_ctrl_c()?;
    let tagged = || {
        let texts = inputs.iter().filter(|input| input.has_games);
        texts.filter_map(|input| records::variant(&String::from_utf8_lossy(&input.bytes))).next()
    };
    let known = tagged().filter(|name| variants::NAMES.contains(&name.as_str()));
    let variant = arguments.variant.clone().or(known).unwrap_or_else(|| variants::DEFAULT.into());
    with_game!(&variant, |start| analyse(&start, arguments, &inputs, signals, out)).context("--variant")?
}
