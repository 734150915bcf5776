//! `duiyi prove`: whether the value of a position is at least a score. The online judge problems ask such questions too.

use super::{PositionArgs, line_texts, parse_seconds};
use crate::game::{Depth, Heuristics, Move, Ply, Score, Variant, Window};
use crate::search::{
    self, FinishedSearch, Limits, SearchError, SearchRequest, SearchState, Settings, Signals,
};
use crate::variants::with_game;
use anyhow::Context;
use serde::Serialize;
use std::io::{ErrorKind, Write};
use std::time::Duration;

/// Prove or disprove that the value of a position is at least a score.
///
/// The value is that for the side to move under best play of both sides. Prints proved, disproved or unknown, then a line
/// of moves, the nodes and the seconds.
///
/// Only moves to the end of the game prove anything, never a static evaluation. In the small games and Connect Four the
/// search finds the answer unless a limit stops it. Chess is too large for that: there only a forced mate proves or
/// disproves anything, so a draw is never proved, and without a limit the search may not end. The searches of gomoku, renju and go
/// leave out moves, so they prove nothing and are refused; smallgo is Go for proofs.
///
/// Ctrl-C ends the search as a limit does.
///
/// Exit status: 0 proved, 1 disproved, 2 unknown, 3 wrong arguments or a failure.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,
    /// win, draw, a number in the unit of the game's scores, or "win in N" or "loss in N", in plies.
    #[arg(long, value_name = "S", value_parser = parse_at_least, allow_hyphen_values = true)]
    at_least: AtLeast,
    /// Maximum number of nodes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Maximum time in seconds.
    #[arg(long, value_name = "T", value_parser = parse_seconds)]
    time: Option<f64>,
    /// Hash table size in MiB. Connect Four from the start needs 1024 or more.
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// Search threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Debug)]
struct AtLeast {
    text: String,
    score: Score,
}

/// Parses the value of `--at-least`: the texts of [`super::value_text`], and `win` and `draw`.
fn parse_at_least(text: &str) -> Result<AtLeast, String> {
    let plies =
        |plies: &str| plies.trim().parse().ok().filter(|&plies| plies <= Ply::MAX.index()).map(Ply::new);
    let score = match text {
        // Also in games of points: the winner has more than the opponent.
        "win" => Some(Score::ZERO + 1),
        "draw" => Some(Score::ZERO),
        _ => match (text.strip_prefix("win in "), text.strip_prefix("loss in ")) {
            (Some(text), _) => plies(text).map(Score::mate_in),
            (_, Some(text)) => plies(text).map(Score::mated_in),
            _ => text.parse().ok().map(Score::new).filter(|score| score.value().to_string() == text),
        },
    };
    score.map(|score| AtLeast { text: text.into(), score }).ok_or_else(|| {
        let (plies, most) = (Ply::MAX.index(), Score::MAX_EVAL.value());
        format!("expected win, draw, a number from -{most} to {most}, or \"win in N\" or \"loss in N\" with N to {plies}")
    })
}

/// The answer to the question whether a value is at least a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It is.
    Proved,
    /// It is less.
    Disproved,
    /// A limit or a signal stopped the search, or its result rests on a static evaluation.
    Unknown,
}

impl Answer {
    /// The exit status of `duiyi prove`.
    pub fn exit_status(self) -> u8 {
        self as u8
    }
}

/// The exit status of `duiyi prove` without an answer.
pub const EXIT_ERROR: u8 = 3;

/// Searches whether the value of `root` for the side to move is at least `at_least`. Returns the answer, and the search that
/// found it.
///
/// `limits` has the limits of nodes and time, and the root moves to search; `signals` can stop the search. In a game that is
/// searched exactly, one search with a null window gives the answer. Otherwise only forced wins and losses count, which iterative
/// deepening finds.
///
/// # Errors
/// If the search panicked.
pub fn prove<G: Variant>(
    root: &G,
    at_least: Score,
    limits: Limits,
    threads: usize,
    state: &mut SearchState,
    signals: &dyn Signals,
) -> Result<(Answer, FinishedSearch), SearchError> {
    let limits = if G::SELECTIVE {
        Limits { mate: Some(u32::MAX), ..limits }
    } else {
        Limits { window: Window::null_window_at_beta(at_least), depth: Some(Depth::MAX), ..limits }
    };
    let settings = Settings { threads, ..Settings::default() };
    let request = SearchRequest { root: root.clone(), limits, settings, tablebase: None };
    let search = search::run_to_end::<G, G::Evaluator>(request, state, signals, &mut |_| {})?;
    // A search with a null window that was stopped has no line.
    let answer = search.last.as_ref().map_or(Answer::Unknown, |last| {
        let score = last.lines[0].score;
        // A forced win or loss needs no deeper search. All other scores do, unless the search was complete.
        match score >= at_least {
            true if search.result.solved || score.is_win() => Answer::Proved,
            false if search.result.solved || score.is_loss() => Answer::Disproved,
            _ => Answer::Unknown,
        }
    });
    Ok((answer, search))
}

/// Returns the moves of the proof from `root` on, as far as the transposition table still has them. The first is `best`.
/// Where the side to move has no good move, the line has the first move that the search refuted.
fn line<G: Heuristics>(root: &G, best: Option<Move>, state: &SearchState) -> Vec<Move> {
    let entry = |game: &G| state.table().probe(game.tt_key(), Ply::ROOT);
    let (mut game, mut line, mut next) = (root.clone(), Vec::new(), best);
    while let Some(mv) = next {
        line.push(mv);
        game.play(mv);
        if game.outcome_or_claim().is_some() || line.len() == Ply::MAX.index() {
            break;
        }
        let entry_here = entry(&game);
        let stored = entry_here.and_then(|entry| entry.mv).map(|mv| game.original_move(mv));
        next = stored.filter(|&mv| game.is_legal(mv)).or_else(|| game.forced_move()).or_else(|| {
            let is_known = |&mv: &Move| {
                let mut child = game.clone();
                child.play(mv);
                entry(&child).is_some_and(|entry| entry.mv.is_some())
                    || child.outcome_or_claim().is_none() && child.forced_move().is_some()
            };
            entry_here.and_then(|_| game.moves().into_iter().find(is_known))
        });
    }
    line
}

/// The output of `--json`.
#[derive(Serialize)]
struct ProofJson<'a> {
    variant: &'a str,
    position: String,
    at_least: &'a str,
    answer: Answer,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
}

/// Runs the command and writes to `out`. Returns the answer. `signals` can end the search.
///
/// # Errors
/// If an argument is wrong, memory is short, the search fails, or the output cannot be written.
pub fn main(arguments: &Arguments, signals: &dyn Signals, out: &mut dyn Write) -> anyhow::Result<Answer> {
    with_game!(&arguments.position.variant, |start| answer(start, arguments, signals, out))
        .context("--variant")?
}

fn answer<G: Variant>(
    start: G,
    arguments: &Arguments,
    signals: &dyn Signals,
    out: &mut dyn Write,
) -> anyhow::Result<Answer> {
    let Arguments { position, at_least, nodes, time, hash, threads, json } = arguments;
    let proves = !(G::SELECTIVE && G::HAS_CANDIDATES);
    anyhow::ensure!(
        proves,
        "--variant: expected a game whose search tries all moves, got {}",
        start.variant()
    );
    let root = position.root(start)?;
    let mut state = SearchState::new(*hash as usize)?;
    let limits = Limits { nodes: *nodes, movetime: time.map(Duration::from_secs_f64), ..Limits::none() };
    let (answer, FinishedSearch { result, last }) =
        prove(&root, at_least.score, limits, (*threads).into(), &mut state, signals)
            .map_err(|error| super::search_failed(&root, error))?;
    let moves = match last {
        Some(last) if G::SELECTIVE => last.lines[0].pv.clone(),
        _ if answer == Answer::Unknown => Vec::new(),
        _ => line(&root, result.best, &state),
    };
    let report = ProofJson {
        variant: root.variant(),
        position: root.position_text(),
        at_least: &at_least.text,
        answer,
        line: line_texts(&root, &moves, G::move_text),
        nodes: result.nodes,
        seconds: result.elapsed.as_secs_f64(),
    };
    let text = if *json {
        serde_json::to_string(&report)?
    } else {
        let ProofJson { line, nodes, seconds, .. } = &report;
        let answer = format!("{answer:?}").to_lowercase();
        format!("{answer}\nline {}\nnodes {nodes}\nseconds {seconds:.3}", line.join(" "))
    };
    match writeln!(out, "{text}") {
        // The exit status has the answer too.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(answer),
    }
}
