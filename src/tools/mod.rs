//! The subcommands of the program, and the code that they share.

#[cfg(not(target_family = "wasm"))]
pub mod analyse;
pub mod bench;
pub mod book;
pub mod compare;
pub mod data;
#[cfg(not(target_family = "wasm"))]
pub mod datagen;
pub mod epd;
pub mod evaluation;
pub(crate) mod files;
pub mod openings;
mod pages;
pub mod pgn;
pub mod play;
#[cfg(not(target_family = "wasm"))]
mod progress;
pub mod prove;
pub mod records;
pub mod sgf;
pub mod solve;
#[cfg(feature = "spsa")]
pub mod spsa;
pub mod tablebase;
pub mod trace;
#[cfg(not(target_family = "wasm"))]
pub mod train;
pub mod tune;

use crate::game::{Move, Notation, Score};
use crate::search::SearchError;
use crate::search::worker_thread::search_thread;
use crate::textbook::{Method, Order};
use crate::variants;
use anyhow::Context;
use std::io::{self, Read};
use std::ops::RangeInclusive;

/// The exit code of a command that Ctrl-C has interrupted, as that of a program that a signal ends has in a shell.
pub const EXIT_INTERRUPTED: u8 = 130;

/// Ctrl-C has ended a command before its end. The text says how to go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Interrupted(pub String);

/// Seed of the random move order. It is fixed, so that every run gives the same result.
const ORDER_SEED: u64 = 1568;

/// The game and the position that a tool searches.
#[derive(Clone, Debug, clap::Args)]
struct PositionArgs {
    /// The game, a value of the option UCI_Variant.
    #[arg(long, value_name = "V", default_value = "chess")]
    variant: String,
    /// The position as text [default: the start position of the game]
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
}

impl PositionArgs {
    /// The position of `--position`, or `start`, that of the game.
    fn root<G: Notation>(&self, start: G) -> anyhow::Result<G> {
        let Some(text) = &self.position else { return Ok(start) };
        Ok(start.parse_position(text).context("--position")?.game)
    }
}

/// The values that a shell can offer for an argument of a tool; `None` if they cannot be listed. The parsers of the arguments have
/// messages of their own.
pub fn argument_values(tool: &str, argument: &str) -> Option<Vec<&'static str>> {
    Some(match (tool, argument) {
        ("tune", "variant") => variants::TUNABLE.to_vec(),
        ("train", "variant") => variants::NETWORK.to_vec(),
        (_, "variant") => variants::NAMES.to_vec(),
        (_, "method" | "beside") => Method::ALL.map(Method::name).to_vec(),
        (_, "order") => Order::all(ORDER_SEED).map(Order::name).to_vec(),
        (_, "problem") => solve::PROBLEMS.map(|(name, _)| name).to_vec(),
        _ => return None,
    })
}

/// The most bytes of an input that is read as a whole. It bounds the memory that an endless pipe takes.
const MAX_INPUT_BYTES: u64 = 256 << 20;

/// Reads `input` to its end.
///
/// # Errors
/// If reading fails, or if the input is longer than 256 MiB.
pub fn read_to_end(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MAX_INPUT_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= MAX_INPUT_BYTES {
        return Ok(bytes);
    }
    Err(io::Error::other(format!("expected at most {} MiB, found more", MAX_INPUT_BYTES >> 20)))
}

/// Returns a channel that Ctrl-C closes, which stops the searches that listen to it.
///
/// # Errors
/// If the system refuses.
#[cfg(not(target_family = "wasm"))]
pub fn closed_at_ctrl_c() -> anyhow::Result<crossbeam_channel::Receiver<crate::search::Signal>> {
    let (sender, closed) = crossbeam_channel::unbounded();
    let mut sender = Some(sender);
    ctrlc::set_handler(move || drop(sender.take()))?;
    Ok(closed)
}

/// Runs `task` in a thread that may search: the main thread has a stack of 1 MiB on some systems. Returns its result.
///
/// # Errors
/// If the system cannot start a thread.
///
/// # Panics
/// If `task` panics.
pub fn run_in_search_thread<T: Send>(task: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let thread = search_thread("tool").spawn_scoped(scope, task)?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// `text` of a file, for a terminal: a replacement character in place of each control character, which could operate it.
#[cfg(not(target_family = "wasm"))]
fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{FFFD}")
}

/// A number in the unit of the game, `win in N` or `loss in N` (in plies), or `+inf` or `-inf`.
fn value_text(value: Score) -> String {
    match value.plies_to_mate() {
        _ if value == Score::INFINITE => "+inf".into(),
        _ if value == -Score::INFINITE => "-inf".into(),
        Some(plies) if value.is_win() => format!("win in {plies}"),
        Some(plies) => format!("loss in {plies}"),
        None => value.value().to_string(),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds from 0.001 to 86400".into()),
    }
}

fn number_in(
    range: RangeInclusive<f32>,
) -> impl Fn(&str) -> Result<f32, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a number from {} to {}", range.start(), range.end()))
    }
}

fn search_failed<G: Notation>(position: &G, SearchError { message }: SearchError) -> anyhow::Error {
    let text = position.position_text();
    anyhow::anyhow!("the search failed in {text}: {message}")
}

/// The texts of the moves of a line from `root`, each by `text`.
pub fn line_texts<G: Notation>(root: &G, line: &[Move], text: impl Fn(&G, Move) -> String) -> Vec<String> {
    let mut game = root.clone();
    let play = |&mv: &Move| {
        let text = text(&game, mv);
        game.play(mv);
        text
    };
    line.iter().map(play).collect()
}

/// The text of `mv` in the position `root`; `-` for no move.
fn move_text<G: Notation>(root: &G, mv: Option<Move>) -> String {
    mv.map_or("-".into(), |mv| root.move_text(mv))
}
