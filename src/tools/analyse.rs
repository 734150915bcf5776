//! `duiyi analyse`: problems with known answers, and games, searched position by position.

mod annotate;
mod journal;
mod problem;
mod report;

use super::pgn;
use super::progress::Progress;
use super::search_failed;
use crate::game::{Bound, Evaluator, Heuristics, Move, Notation, NotationOptions, Ply, Score};
use crate::protocol;
use crate::search::{self, Control, FinishedSearch, Limits, Report, SearchRequest, SearchState, Settings};
use crate::variants::VariantVisitor;
use anyhow::Context;
use crossbeam_channel::{Receiver, bounded};
use journal::{Header, Journal};
use problem::Problem;
use report::Summary;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Nodes for each position if no limit is given.
const NODES: u64 = 1_000_000;

/// Solve collections of problems, and annotate games.
///
/// A file whose name ends in .pgn is one of games, any other has a position in each line, EPD or FEN. What cannot be read gets a line
/// on standard error, and the rest is analysed. Each position is searched with an empty table, so that with one
/// thread and a limit of nodes or depth the same command gives the same result, whatever interrupted it.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Files of positions or games.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The game, a value of the option UCI_Variant.
    #[arg(long, value_name = "V", default_value = "chess")]
    variant: String,
    #[command(flatten)]
    effort: SearchArgs,
    /// Write a JSON record for each position to FILE as soon as it is searched, so that --resume can go on.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on with the file of --out, made with the same input and settings; begin it if there is none.
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print JSON records instead of a table: one for each position, and at the end a summary.
    #[arg(long)]
    json: bool,
    /// Write the games to FILE, annotated.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

/// How each position is searched. All limits hold at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
struct SearchArgs {
    /// Nodes for each position [default: 1000000 if nothing else limits the search]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each position.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    movetime: Option<u64>,
    /// Depth for each position.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=245))]
    depth: Option<u8>,
    /// Search threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// MiB of the table.
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// Lines to find, in the JSON records; the first alone is judged.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
}

impl SearchArgs {
    fn limits(&self) -> Limits {
        let free = self.movetime.is_none() && self.depth.is_none();
        Limits {
            nodes: self.nodes.or(free.then_some(NODES)),
            movetime: self.movetime.map(Duration::from_millis),
            depth: self.depth.map(|depth| crate::game::Depth::new(depth.into())),
            ..Limits::none()
        }
    }
}

/// How far a search had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SearchStats {
    depth: i32,
    nodes: u64,
    ms: u64,
}

/// A line of moves and what it is worth to the side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Line {
    score: protocol::Score,
    pv: Vec<String>,
}

/// What is kept of one position: a line of the file of `--out`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Record {
    /// The file and the line in it.
    at: String,
    /// The problem's name, or the number of the game in all files.
    #[serde(flatten)]
    source: Source,
    position: String,
    /// The move to play; none where the game is over.
    best: Option<String>,
    /// Its value, and that of other lines if more were asked for.
    lines: Vec<Line>,
    /// Win, draw and loss of the side to move, in a thousand.
    wdl: [u16; 3],
    #[serde(flatten)]
    reached: SearchStats,
}

/// Where a position comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Source {
    Problem(problem::ProblemResult),
    /// Before the move of that ply, counted from 0, of a game.
    Game {
        game: usize,
        ply: usize,
        played: Option<String>,
    },
}

/// The command, once the game is known.
struct Analysing<'a> {
    arguments: &'a Arguments,
    inputs: &'a [Input],
    /// Sends a stop when the run is to end early.
    control: Receiver<Control>,
    out: &'a mut dyn Write,
}

impl VariantVisitor for Analysing<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Heuristics + Notation, E: Evaluator<G>>(self) -> anyhow::Result<()> {
        analyse::<G, E>(self)
    }
}

/// A file that was read.
#[derive(Debug)]
struct Input {
    name: String,
    bytes: Vec<u8>,
    is_pgn: bool,
}

impl Input {
    fn read(path: &PathBuf) -> anyhow::Result<Input> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        Ok(Input { name, bytes, is_pgn })
    }
}

/// Everything that is to be searched.
struct Work<G> {
    /// In the order of the files, each with its file's name.
    parts: Vec<(String, Part<G>)>,
    /// How many lines and games could not be read.
    faults: usize,
}

enum Part<G> {
    Problem(Problem<G>),
    Game(pgn::Game<G>),
}

impl<G> Part<G> {
    /// How many positions it has.
    fn positions(&self) -> usize {
        match self {
            Part::Problem(_) => 1,
            Part::Game(game) => game.moves.len() + 1,
        }
    }
}

impl<G: Notation> Work<G> {
    /// Reads all files and tells about what is wrong in them.
    fn read(inputs: &[Input]) -> Work<G> {
        let mut work = Work { parts: Vec::new(), faults: 0 };
        for input in inputs {
            let text = String::from_utf8_lossy(&input.bytes);
            let mut push = |part: Result<Part<G>, pgn::PgnError>, what: &str| match part {
                Ok(part) => work.parts.push((input.name.clone(), part)),
                Err(pgn::PgnError { line, what: fault }) => {
                    work.faults += 1;
                    // If nobody reads there is nobody to complain to.
                    let _ = writeln!(std::io::stderr(), "{}:{line}: {fault}, {what} skipped", input.name);
                }
            };
            if input.is_pgn {
                pgn::read(&text).into_iter().for_each(|game| push(game.map(Part::Game), "game"));
            } else {
                problem::read(&text).for_each(|problem| push(problem.map(Part::Problem), "position"));
            }
        }
        work
    }
}

fn analyse<G: Heuristics + Notation, E: Evaluator<G>>(analysing: Analysing<'_>) -> anyhow::Result<()> {
    let Analysing { arguments, inputs, control, out } = analysing;
    let work = Work::<G>::read(inputs);
    let total = work.parts.iter().map(|(_, part)| part.positions()).sum::<usize>();
    anyhow::ensure!(total > 0, "expected a position or a game, found none");
    let has_games = work.parts.iter().any(|(_, part)| matches!(part, Part::Game(_)));
    anyhow::ensure!(
        has_games || arguments.pgn.is_none(),
        "--pgn: expected a .pgn file to annotate, found none"
    );
    if let Some(path) = &arguments.pgn {
        // Better now than after the work.
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .with_context(|| path.display().to_string())?;
    }
    let header = Header::new(G::VARIANT, &arguments.effort, inputs);
    let (mut journal, mut records) = match &arguments.out {
        Some(path) => Journal::open(path, arguments.resume, &header)
            .map(|(journal, records)| (Some(journal), records))
            .with_context(|| path.display().to_string())?,
        None => (None, Vec::new()),
    };
    anyhow::ensure!(records.len() <= total, "--resume: {} records for {total} positions", records.len());
    let mut engine = Engine::<G, E>::new(&arguments.effort, control)?;
    let mut progress = Progress::new(total as u64, records.len() as u64);
    let (mut begin, mut number) = (0, 0);
    let mut summary = Summary::new(work.faults);
    let mut annotated = String::new();
    if !arguments.json {
        progress.suspend(|| report::heading(&work, out))?;
    }
    for (file, part) in &work.parts {
        let (before, end) = (records.len(), begin + part.positions());
        number += usize::from(matches!(part, Part::Game(_)));
        for at in records.len().max(begin)..end {
            let Some(record) = engine.record(file, part, number, at - begin)? else { break };
            if let Some(journal) = &mut journal {
                journal.push(&record)?;
            }
            if arguments.json {
                progress.suspend(|| report::json(&record, out))?;
            }
            records.push(record);
            progress.update(records.len() as u64, format!("{} of {total} positions", records.len()));
        }
        if records.len() < end {
            break;
        }
        let part_records = &records[begin..end];
        let players = match part {
            Part::Problem(_) => {
                summary.problem(&part_records[0]);
                None
            }
            Part::Game(game) => {
                let (text, players) = annotate::game(game, part_records);
                annotated += &text;
                summary.game(&players);
                Some(players)
            }
        };
        // What was told before an interruption is not told again.
        if !arguments.json && before < end {
            progress.suspend(|| report::part(&part_records[0], players.as_ref(), number, out))?;
        }
        begin = end;
    }
    progress.finish();
    report::end(&mut summary, arguments.json, out)?;
    if let Some(path) = &arguments.pgn {
        std::fs::write(path, annotated).with_context(|| path.display().to_string())?;
    }
    let (done, resume) = (records.len(), if journal.is_some() { "; --resume goes on" } else { "" });
    anyhow::ensure!(done == total, "interrupted after {done} of {total} positions{resume}");
    Ok(())
}

/// What searches one position after the other.
struct Engine<'a, G, E> {
    effort: &'a SearchArgs,
    settings: Settings,
    state: SearchState,
    control: Receiver<Control>,
    evaluator: E,
    /// The position of the game that is being analysed, and how many of its moves have been played.
    now: Option<(usize, usize, G)>,
}

/// What a search said, block by block.
#[derive(Default)]
struct Analysis {
    iterations: Vec<Iteration>,
    lines: Vec<search::PvLine>,
    best: Option<Move>,
}

/// What it said at one moment.
struct Iteration {
    best: Option<Move>,
    score: Score,
    stats: SearchStats,
}

impl<'a, G: Heuristics + Notation, E: Evaluator<G>> Engine<'a, G, E> {
    fn new(effort: &'a SearchArgs, control: Receiver<Control>) -> anyhow::Result<Engine<'a, G, E>> {
        let settings = Settings {
            threads: effort.threads.into(),
            multipv: effort.multipv.into(),
            ..Settings::default()
        };
        let state = SearchState::new(effort.hash as usize)?;
        Ok(Engine { effort, settings, state, control, evaluator: E::default(), now: None })
    }

    /// Searches the position number `ply` of `part`; `None` if told to stop.
    fn record(
        &mut self,
        file: &str,
        part: &Part<G>,
        number: usize,
        ply: usize,
    ) -> anyhow::Result<Option<Record>> {
        let (line, position) = match part {
            Part::Problem(problem) => (problem.line, problem.position.clone()),
            Part::Game(game) => (game.line, self.position_at(game, number, ply)),
        };
        let over = match part {
            Part::Game(game) if ply == game.moves.len() => {
                position.outcome().or_else(|| position.claim(Ply::ROOT))
            }
            _ => None,
        };
        let found = match over {
            // A draw that the players agreed on or claimed is one, whatever a search would find.
            Some(outcome) => Analysis::over(Score::from_outcome(outcome, position.side_to_move(), Ply::ROOT)),
            None => match self.search(&position)? {
                Some(found) => found,
                None => return Ok(None),
            },
        };
        let source = match part {
            Part::Problem(problem) => Source::Problem(problem.score(&found)),
            Part::Game(game) => {
                let played = game.moves.get(ply).map(|&mv| position.san_text(mv));
                Source::Game { game: number, ply, played }
            }
        };
        let line_text =
            |line: &search::PvLine| Line { score: line.score.into(), pv: san_line(&position, &line.pv) };
        let score = found.lines.first().map_or(Score::ZERO, |line| line.score);
        let wdl = self.evaluator.wdl(&position, score);
        let start = SearchStats { depth: 0, nodes: 0, ms: 0 };
        Ok(Some(Record {
            at: format!("{file}:{line}"),
            source,
            position: position.position_text(NotationOptions::default()),
            best: found.best.map(|mv| position.san_text(mv)),
            lines: found.lines.iter().map(line_text).collect(),
            wdl: [wdl.win, wdl.draw, wdl.loss],
            reached: found.iterations.last().map_or(start, |iteration| iteration.stats),
        }))
    }

    /// The position of the game of that number before its move `ply`, with its past.
    fn position_at(&mut self, game: &pgn::Game<G>, number: usize, ply: usize) -> G {
        let known = self.now.take().filter(|(known, at, _)| *known == number && *at <= ply);
        let (_, at, mut position) = known.unwrap_or_else(|| (number, 0, game.start.clone()));
        game.moves[at..ply].iter().for_each(|&mv| position.play(mv));
        self.now = Some((number, ply, position.clone()));
        position
    }

    fn search(&mut self, position: &G) -> anyhow::Result<Option<Analysis>> {
        self.state.clear();
        let request = SearchRequest {
            root: position.clone(),
            limits: self.effort.limits(),
            settings: self.settings.clone(),
        };
        let mut iterations = Vec::new();
        let mut on_report = |report: &Report| match report {
            Report::Block(iteration) => {
                let line = &iteration.lines[0];
                let stats = SearchStats {
                    depth: line.depth.plies(),
                    nodes: iteration.nodes,
                    ms: iteration.elapsed.as_millis() as u64,
                };
                iterations.push(Iteration { best: line.pv.first().copied(), score: line.score, stats });
            }
            Report::FewerThreads { running, reason } => log::warn!("{running} threads only: {reason}"),
            Report::CurrMove { .. } => {}
        };
        let search = search::run_to_end::<G, E>(request, &mut self.state, &self.control, &mut on_report)
            .map_err(|error| search_failed(position, error))?;
        let FinishedSearch { result, last } = search;
        if let Some(Iteration { stats, .. }) = iterations.last_mut() {
            (stats.nodes, stats.ms) = (result.nodes, result.elapsed.as_millis() as u64);
        }
        let analysis = Analysis { iterations, lines: last.lines, best: result.best };
        Ok((!result.stopped).then_some(analysis))
    }
}

impl Analysis {
    /// The game is over, with this score.
    fn over(score: Score) -> Analysis {
        let (depth, seldepth) = (crate::game::Depth::ZERO, Ply::ROOT);
        let line = search::PvLine { depth, seldepth, score, bound: Bound::Exact, pv: Vec::new() };
        Analysis { lines: vec![line], ..Analysis::default() }
    }
}

/// Moves from `position` on as text.
fn san_line<G: Notation>(position: &G, moves: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut write = |&mv: &Move| {
        let text = position.san_text(mv);
        position.play(mv);
        text
    };
    moves.iter().map(&mut write).collect()
}

/// A score in few characters: `+31`, `#4`, `#-3`.
fn score_text(score: protocol::Score) -> String {
    match score {
        protocol::Score::Cp(value) => format!("{value:+}"),
        protocol::Score::Mate(moves) => format!("#{moves}"),
    }
}

/// Runs the command and writes to `out`.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let inputs = arguments.files.iter().map(Input::read).collect::<anyhow::Result<Vec<_>>>()?;
    for written in arguments.pgn.iter().chain(&arguments.out).filter_map(|path| path.canonicalize().ok()) {
        let is_read =
            arguments.files.iter().any(|file| file.canonicalize().is_ok_and(|file| file == written));
        anyhow::ensure!(!is_read, "{}: expected a file to write, got one that is read", written.display());
    }
    anyhow::ensure!(
        arguments.pgn.is_none() || arguments.pgn != arguments.out,
        "--pgn, --out: expected two files, got one"
    );
    let (stop, control) = bounded(1);
    // If one is waiting there already it is as good as two.
    ctrlc::set_handler(move || stop.try_send(Control::Stop).unwrap_or_default())?;
    super::visit(&arguments.variant, Analysing { arguments, inputs: &inputs, control, out })
}
