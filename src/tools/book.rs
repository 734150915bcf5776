//! `duiyi book`: makes an opening book from games.

use super::files::{Files, Replaces, replace_file};
use super::{pgn, read_to_end};
use crate::data::{Book, BookEntry, open_input};
use crate::game::{Notation, Side};
use crate::variants::{self, with_game};
use anyhow::Context;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

/// Make an opening book in Polyglot's format from the games of PGN files.
///
/// The weight of a move is two points for each game that its side won, and one for each draw; moves without points are left
/// out, as Polyglot does. Games without a result are skipped.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// PGN files; - is standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the book to this file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The game: only chess has books.
    #[arg(long, value_name = "V", default_value = variants::DEFAULT)]
    variant: String,
    /// Take the first N moves of a game, those of both sides counted.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    max_ply: u32,
    /// Leave out moves that fewer than N games played.
    #[arg(long, value_name = "N", default_value_t = 3)]
    min_games: u32,
    /// Give all moves the weight 1.
    #[arg(long)]
    uniform: bool,
    /// Replace the file of --out: a book has no mark of the program that made it.
    #[arg(long)]
    force: bool,
}

/// Runs the command and writes what it did to `out`.
///
/// # Errors
/// If an argument is wrong, a file cannot be read or written, or no move is left for the book.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    with_game!(&arguments.variant, |start| make(&start, arguments, out)).context("--variant")?
}

#[derive(Clone, Copy, Debug, Default)]
struct MoveCounts {
    games: u32,
    /// Two for each win of the side that moved, one for each draw.
    points: u32,
}

/// The counts of each move, by the key of the position and the code of the move.
type Moves = HashMap<(u64, u16), MoveCounts>;

fn make<G: Notation>(start: &G, arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    anyhow::ensure!(start.book_key().is_some(), "{} has no opening books", start.variant());
    Files::default()
        .reads(&arguments.files)
        .writes("--out", Some(&arguments.out), Replaces::Nothing)
        .check(arguments.force)?;
    let (mut moves, mut games, mut skipped) = (Moves::new(), 0, 0);
    for path in &arguments.files {
        let name = path.display();
        let text = open_input(path).and_then(read_to_end).with_context(|| name.to_string())?;
        for game in pgn::read(start, &String::from_utf8_lossy(&text)) {
            let game = game.inspect_err(|error| {
                log::warn!("{name}, line {}: {}, game skipped", error.line, error.what);
            });
            match game.ok().and_then(|game| Some((white_points(&game.result)?, game))) {
                Some((points, game)) => {
                    games += 1;
                    add_game(&game, points, arguments.max_ply, &mut moves);
                }
                None => skipped += 1,
            }
        }
    }
    let entries = entries(&moves, arguments.min_games, arguments.uniform);
    anyhow::ensure!(
        !entries.is_empty(),
        "expected moves that {} games or more played and did not lose, found none in {games} games",
        arguments.min_games
    );
    let book = Book::new(entries);
    replace_file(&arguments.out, book.bytes())?;
    writeln!(out, "{}: {} moves from {games} games, {skipped} skipped", arguments.out.display(), book.len())?;
    Ok(())
}

/// White's points in a game with this result: 2 for a win, 1 for a draw; `None` without a result.
fn white_points(result: &str) -> Option<u32> {
    match result {
        "1-0" => Some(2),
        "0-1" => Some(0),
        "1/2-1/2" => Some(1),
        _ => None,
    }
}

fn add_game<G: Notation>(game: &pgn::Game<G>, white_points: u32, max_ply: u32, moves: &mut Moves) {
    let mut position = game.start.clone();
    for &mv in game.moves.iter().take(max_ply as usize) {
        if let Some(key) = position.book_key() {
            let counts = moves.entry((key, position.book_move(mv))).or_default();
            counts.games += 1;
            counts.points += match position.side_to_move() {
                Side::White => white_points,
                Side::Black => 2 - white_points,
            };
        }
        position.play(mv);
    }
}

/// The entries of the book. Where points are too large for a weight, those of all moves of the position are scaled down.
fn entries(moves: &Moves, min_games: u32, uniform: bool) -> Vec<BookEntry> {
    let kept = || moves.iter().filter(|(_, counts)| counts.games >= min_games && counts.points > 0);
    let mut largest: HashMap<u64, u32> = HashMap::new();
    for (&(key, _), counts) in kept() {
        let points = largest.entry(key).or_default();
        *points = counts.points.max(*points);
    }
    let entry = |(&(key, mv), counts): (&(u64, u16), &MoveCounts)| {
        let (points, limit) = (u64::from(counts.points), u64::from(u16::MAX));
        let scaled = points * limit / u64::from(largest[&key]).max(limit);
        let weight = if uniform { 1 } else { scaled.max(1) as u16 };
        BookEntry { key, mv, weight }
    };
    kept().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_beyond_a_weight_are_scaled_for_all_moves_of_the_position() {
        let counts = |points| MoveCounts { games: 100_000, points };
        let moves = Moves::from([((1, 1), counts(131_070)), ((1, 2), counts(65_535)), ((2, 1), counts(9))]);
        let weights: Vec<u16> = Book::new(entries(&moves, 1, false))
            .bytes()
            .chunks(16)
            .map(|entry| u16::from_be_bytes([entry[10], entry[11]]))
            .collect();
        assert_eq!(weights, [65_535, 32_767, 9]);
    }
}
