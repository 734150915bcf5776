//! Random openings, so that games differ from each other.

use super::{epd, search_failed};
use crate::data::open_file;
use crate::game::{Move, Notation, Score, SplitMix64, Variant, quote};
use crate::search::{self, Limits, SearchRequest, SearchState, Settings, Signals};
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read};
use std::ops::RangeInclusive;
use std::path::Path;

const MAX_ATTEMPTS: usize = 1000;
/// The hard node limit of a search as a multiple of its soft limit.
const HARD_LIMIT_FACTOR: u64 = 10;

/// The start positions of openings and their number of random moves.
#[derive(Clone, Debug)]
pub struct Openings {
    starts: Starts,
    /// The CRC-32 of the file of the book; `None` without a book.
    pub book_crc32: Option<u32>,
    /// The number of random moves.
    pub plies: RangeInclusive<u32>,
}

#[derive(Clone, Debug)]
enum Starts {
    Numbered(RangeInclusive<u32>),
    /// The positions of a book, at least one, as valid text.
    Book(Vec<String>),
}

/// A start position and random moves from it.
#[derive(Clone, Debug)]
pub struct Opening<G> {
    /// The start position.
    pub start: G,
    /// Its number, if it has one: see [`Notation::start_position`].
    pub number: Option<u32>,
    /// The random moves.
    pub moves: Vec<Move>,
    /// The position after the moves. The game is not over there.
    pub position: G,
}

impl Openings {
    /// Openings of `plies` random moves, by default 2 to 3 with a book and 8 to 9 without. They start from a random position of
    /// `book` if there is one, else from a random numbered start position if `any_start`, else from `start`, that of the game.
    ///
    /// A book is a text file with a FEN or EPD in each line. EPD operations are ignored.
    ///
    /// # Errors
    /// If the book cannot be read or has a line that is not a position, or with `any_start` for a game that
    /// has one start position only.
    pub fn new<G: Notation>(
        start: &G,
        book: Option<&Path>,
        any_start: bool,
        plies: Option<RangeInclusive<u32>>,
    ) -> anyhow::Result<Openings> {
        let (starts, book_crc32) = match book {
            Some(path) => {
                let (positions, crc32) =
                    read_book(start, path).map_err(|error| error.context(quote(&path.to_string_lossy())))?;
                (Starts::Book(positions), Some(crc32))
            }
            None if any_start && G::START_COUNT > 1 => (Starts::Numbered(1..=G::START_COUNT - 1), None),
            None if any_start => anyhow::bail!("{} has one start only", start.variant()),
            None => (Starts::Numbered(0..=0), None),
        };
        // After a book position, fewer suffice for games to differ.
        let plies = plies.unwrap_or(if book.is_some() { 2..=3 } else { 8..=9 });
        Ok(Openings { starts, book_crc32, plies })
    }

    /// A random opening of the game of `initial` after which the game is not over.
    ///
    /// # Errors
    /// If too many random openings end the game.
    pub fn sample<G: Notation>(&self, initial: &G, random: &mut SplitMix64) -> anyhow::Result<Opening<G>> {
        let (minimum, maximum) = (*self.plies.start(), *self.plies.end());
        for _ in 0..MAX_ATTEMPTS {
            let (start, number) = match &self.starts {
                Starts::Numbered(numbers) => {
                    let count = u64::from(numbers.end() - numbers.start() + 1);
                    let number = numbers.start() + random_below(random, count) as u32;
                    let Some(start) = initial.start_position(number) else { unreachable!("start {number}") };
                    (start, Some(number))
                }
                Starts::Book(book) => {
                    let line = &book[random_below(random, book.len() as u64) as usize];
                    (epd::position(initial, line)?.0, None)
                }
            };
            let mut opening = Opening { position: start.clone(), start, number, moves: Vec::new() };
            let plies = minimum + random_below(random, u64::from(maximum - minimum) + 1) as u32;
            if opening.play_random(plies, random) {
                return Ok(opening);
            }
        }
        anyhow::bail!(
            "{MAX_ATTEMPTS} random openings of {minimum} to {maximum} plies all ended the game: ask for fewer plies"
        )
    }
}

/// The condition on the score of an opening.
#[derive(Clone, Copy, Debug)]
pub struct BalanceFilter {
    /// Soft node limit of the search of its last position.
    pub nodes: u64,
    /// Maximum absolute score in centipawns.
    pub max_score: i32,
}

impl BalanceFilter {
    /// The filter of `genfens`, and the default of `duiyi datagen`.
    pub const DEFAULT: BalanceFilter = BalanceFilter { nodes: 5000, max_score: 300 };
}

/// A random opening of the game of `initial` that passes `filter`, with the best move and the score of its last position: see
/// [`search_position`], searched with `settings`. `None` if `signals` stops a search. Clears `state` before each search.
///
/// # Errors
/// If too many random openings end the game or fail the filter, or if a search fails.
pub fn sample_balanced<G: Variant>(
    initial: &G,
    openings: &Openings,
    random: &mut SplitMix64,
    filter: BalanceFilter,
    settings: &Settings,
    state: &mut SearchState,
    signals: &dyn Signals,
) -> anyhow::Result<Option<(Opening<G>, Move, Score)>> {
    for _ in 0..MAX_ATTEMPTS {
        let opening = openings.sample(initial, random)?;
        state.clear();
        let searched = search_position(&opening.position, filter.nodes, settings, state, signals)?;
        let Some((mv, score)) = searched else {
            return Ok(None);
        };
        if score.value().abs() <= filter.max_score {
            return Ok(Some((opening, mv, score)));
        }
    }
    anyhow::bail!("{MAX_ATTEMPTS} random openings all scored more than {} for a side", filter.max_score)
}

/// Calls `on_opening` with the first `count` openings of the seed, of the game of `initial`. The hand-written evaluation
/// decides which are balanced.
///
/// # Errors
/// If an opening cannot be found, a search fails, or `signals` stops a search.
pub fn generate<G: Variant>(
    initial: &G,
    openings: &Openings,
    seed: u64,
    count: u64,
    state: &mut SearchState,
    signals: &dyn Signals,
    on_opening: &mut dyn FnMut(Opening<G>),
) -> anyhow::Result<()> {
    let (filter, settings) = (BalanceFilter::DEFAULT, Settings::default());
    for index in 0..count {
        let mut random = rng_for_game(seed, index);
        match sample_balanced(initial, openings, &mut random, filter, &settings, state, signals)? {
            Some((opening, ..)) => on_opening(opening),
            None => anyhow::bail!("stopped after {index} openings"),
        }
    }
    Ok(())
}

/// The best move and its score for the side to move, found by a search that starts no iteration after `nodes`
/// nodes. `None` if `signals` stops the search. `position` must have a legal move.
///
/// # Errors
/// If the search fails.
pub fn search_position<G: Variant>(
    position: &G,
    nodes: u64,
    settings: &Settings,
    state: &mut SearchState,
    signals: &dyn Signals,
) -> anyhow::Result<Option<(Move, Score)>> {
    let limits = Limits { soft_nodes: Some(nodes), ..Limits::nodes(nodes.saturating_mul(HARD_LIMIT_FACTOR)) };
    let request =
        SearchRequest { root: position.clone(), limits, settings: settings.clone(), tablebase: None };
    let search = search::run_to_end::<G, G::Evaluator>(request, state, signals, &mut |_| {})
        .map_err(|error| search_failed(position, error))?;
    let best = search.result.best.zip(search.last).map(|(mv, last)| (mv, last.lines[0].score));
    Ok(best.filter(|_| !search.result.stopped))
}

impl<G: Notation> Opening<G> {
    /// Plays `plies` random moves; returns `false` if the game is over.
    fn play_random(&mut self, plies: u32, random: &mut SplitMix64) -> bool {
        for _ in 0..plies {
            let moves = self.position.moves();
            if moves.is_empty() {
                return false;
            }
            let mv = moves[random_below(random, moves.len() as u64) as usize];
            self.position.play(mv);
            self.moves.push(mv);
        }
        self.position.outcome_or_claim().is_none()
    }
}

/// Maximum length of a line of a book. No position is as long.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// The positions of a book and the CRC-32 of its bytes. Stops at the first line that is not a position,
/// because the file may be of any kind and size.
fn read_book<G: Notation>(start: &G, path: &Path) -> anyhow::Result<(Vec<String>, u32)> {
    let mut file = BufReader::new(open_file(path, OpenOptions::new().read(true))?);
    let (mut book, mut line, mut hasher) = (Vec::new(), String::new(), crc32fast::Hasher::new());
    for number in 1.. {
        line.clear();
        if Read::by_ref(&mut file).take(MAX_LINE_BYTES).read_line(&mut line)? == 0 {
            break;
        }
        hasher.update(line.as_bytes());
        let position = line.trim();
        if !position.is_empty() && !position.starts_with('#') {
            epd::position(start, position).map_err(|error| anyhow::anyhow!("line {number}: {error}"))?;
            book.push(position.to_string());
        }
    }
    anyhow::ensure!(!book.is_empty(), "expected a position in each line, found none");
    Ok((book, hasher.finalize()))
}

/// A random number below `count`, which must not be 0.
fn random_below(random: &mut SplitMix64, count: u64) -> u64 {
    ((u128::from(random.next()) * u128::from(count)) >> 64) as u64
}

/// The random number generator of the game `index` for `seed`.
pub fn rng_for_game(seed: u64, index: u64) -> SplitMix64 {
    let mixed = SplitMix64::new(seed).next();
    SplitMix64::new(SplitMix64::new(mixed.wrapping_add(index)).next())
}
