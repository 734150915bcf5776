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
pub mod openings;
mod pages;
pub mod pgn;
#[cfg(not(target_family = "wasm"))]
mod progress;
pub mod prove;
pub mod solve;
#[cfg(feature = "spsa")]
pub mod spsa;
pub mod tablebase;
pub mod trace;
#[cfg(not(target_family = "wasm"))]
pub mod train;
pub mod tune;

use crate::data::{check_replaceable, open_file};
use crate::game::{Move, Notation, Score};
use crate::search::SearchError;
use anyhow::Context;
use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

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
    /// The position of `--position`, or the start position of the game `G`.
    ///
    /// # Errors
    /// If the text is not a position of `G`.
    fn root<G: Notation>(&self) -> anyhow::Result<G> {
        let Some(text) = &self.position else { return Ok(G::start()) };
        Ok(G::parse_position(text).context("--position")?.game)
    }
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

/// The path of a file without links, or where it would be if it does not exist.
fn real_path(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    path.canonicalize()
        .or_else(|_| Ok::<_, io::Error>(folder.canonicalize()?.join(path.file_name().unwrap_or_default())))
        .unwrap_or_else(|_| path.to_path_buf())
}

/// Checks that no output of a tool is one of the files that it reads, and that its outputs are different files. The outputs
/// are named by their options.
///
/// # Errors
/// If two paths lead to the same file.
fn check_outputs(inputs: &[PathBuf], outputs: &[(&str, Option<&Path>)]) -> anyhow::Result<()> {
    let inputs: Vec<_> = inputs.iter().map(|path| real_path(path)).collect();
    let outputs: Vec<_> =
        outputs.iter().filter_map(|(option, path)| Some((*option, real_path((*path)?)))).collect();
    for (number, (option, output)) in outputs.iter().enumerate() {
        let name = output.display();
        anyhow::ensure!(
            !inputs.contains(output),
            "{option} {name}: expected a file to write, got one that is read"
        );
        if let Some((other, _)) = outputs[..number].iter().find(|(_, other)| other == output) {
            anyhow::bail!("{option}, {other}: expected two files, got one");
        }
    }
    Ok(())
}

/// Writes `bytes` to the file at `path`, or at the end of a link there. The former file stays until the new one is complete,
/// so that a full disk or an interruption leaves it.
///
/// # Errors
/// If the path is that of a pipe, a device or a directory, or if the file cannot be written; with its name.
fn replace_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let target = real_path(path);
    let new_path = target.with_added_extension(format!("{}.new", std::process::id()));
    check_replaceable(&target)
        .and_then(|()| open_file(&new_path, OpenOptions::new().write(true).create_new(true)))
        .and_then(|mut file| {
            let written = file.write_all(bytes).and_then(|()| std::fs::rename(&new_path, &target));
            written.inspect_err(|_| drop(std::fs::remove_file(&new_path)))
        })
        .with_context(|| path.display().to_string())
}

/// The text of a value: a number in the unit of the game, `win in N` or `loss in N` (in plies), or `+inf` or
/// `-inf`.
fn value_text(value: Score) -> String {
    match value.plies_to_mate() {
        _ if value == Score::INFINITE => "+inf".into(),
        _ if value == -Score::INFINITE => "-inf".into(),
        Some(plies) if value.is_win() => format!("win in {plies}"),
        Some(plies) => format!("loss in {plies}"),
        None => value.value().to_string(),
    }
}

/// Parses a time in seconds.
fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds from 0.001 to 86400".into()),
    }
}

/// A parser of numbers within `range`.
fn number_in(
    range: RangeInclusive<f32>,
) -> impl Fn(&str) -> Result<f32, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a number from {} to {}", range.start(), range.end()))
    }
}

/// Adds the position to the error of a failed search.
fn search_failed<G: Notation>(position: &G, SearchError { message }: SearchError) -> anyhow::Error {
    let text = position.position_text();
    anyhow::anyhow!("the search failed in {text}: {message}")
}

/// The text of `mv` in the position `root`; `-` for no move.
fn move_text<G: Notation>(root: &G, mv: Option<Move>) -> String {
    mv.map_or("-".into(), |mv| root.move_text(mv))
}
