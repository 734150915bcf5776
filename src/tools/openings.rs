//! Random openings, for games that are to differ from each other.

use super::{epd, search_failed};
use crate::game::{Evaluator, Heuristics, Move, Notation, Ply, Score, SplitMix64, quote};
use crate::search::{self, Control, Limits, SearchRequest, SearchState, Settings};
use crossbeam_channel::Receiver;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::RangeInclusive;
use std::path::Path;

/// Tries to find an opening before giving up.
const MAX_ATTEMPTS: usize = 1000;
/// A search that goes on after its soft limit is stopped after so many times as many nodes.
const HARD_LIMIT: u64 = 10;

/// Where openings begin and how long they are.
#[derive(Clone, Debug)]
pub struct Openings {
    starts: Starts,
    book_crc32: Option<u32>,
    plies: RangeInclusive<u32>,
}

#[derive(Clone, Debug)]
enum Starts {
    /// The numbered starts from one number to another.
    Numbered(RangeInclusive<u32>),
    /// Positions of a book, at least one, as text that was read before.
    Book(Vec<String>),
}

/// A start and random moves from there.
#[derive(Clone, Debug)]
pub struct Opening<G> {
    /// The start.
    pub start: G,
    /// Its number, if it has one: see [`Notation::numbered_start`].
    pub number: Option<u32>,
    /// The moves.
    pub moves: Vec<Move>,
    /// The position after them. The game has not ended there.
    pub position: G,
}

impl Openings {
    /// How many random moves are enough for games to differ: fewer where a book has begun already.
    pub fn default_plies(book: bool) -> RangeInclusive<u32> {
        if book { 2..=3 } else { 8..=9 }
    }

    /// `plies` random moves, or the usual number, from a random position of `book` if one is given, else from the
    /// game's start, or from a random one of its special starts if `any_start`.
    ///
    /// A book is a text file with a position in each line. What follows a semicolon, or the fields that every EPD
    /// has, is not read.
    pub fn new<G: Notation>(
        book: Option<&Path>,
        any_start: bool,
        plies: Option<RangeInclusive<u32>>,
    ) -> anyhow::Result<Openings> {
        let (starts, book_crc32) = match book {
            Some(path) => {
                let (positions, crc32) =
                    read_book::<G>(path).map_err(|error| error.context(quote(&path.to_string_lossy())))?;
                (Starts::Book(positions), Some(crc32))
            }
            None if any_start && G::START_COUNT > 1 => (Starts::Numbered(1..=G::START_COUNT - 1), None),
            None if any_start => anyhow::bail!("{} has one start only", G::VARIANT),
            None => (Starts::Numbered(0..=0), None),
        };
        let plies = plies.unwrap_or_else(|| Self::default_plies(book.is_some()));
        Ok(Openings { starts, book_crc32, plies })
    }

    /// The CRC-32 of the book's bytes; `None` without a book.
    pub fn book_crc32(&self) -> Option<u32> {
        self.book_crc32
    }

    /// A random opening after which the game goes on.
    pub fn sample<G: Notation>(&self, random: &mut SplitMix64) -> anyhow::Result<Opening<G>> {
        let (least, most) = (*self.plies.start(), *self.plies.end());
        for _ in 0..MAX_ATTEMPTS {
            let (start, number) = match &self.starts {
                Starts::Numbered(numbers) => {
                    let count = u64::from(numbers.end() - numbers.start() + 1);
                    let number = numbers.start() + random_below(random, count) as u32;
                    let Some(start) = G::start_position(number) else { unreachable!("start {number}") };
                    (start, Some(number))
                }
                Starts::Book(book) => {
                    (epd::position(&book[random_below(random, book.len() as u64) as usize])?.0, None)
                }
            };
            let mut opening = Opening { position: start.clone(), start, number, moves: Vec::new() };
            let plies = least + random_below(random, u64::from(most - least) + 1) as u32;
            if opening.play(plies, random) {
                return Ok(opening);
            }
        }
        anyhow::bail!(
            "{MAX_ATTEMPTS} random openings of {least} to {most} plies all ended the game: ask for fewer plies"
        )
    }
}

/// What is asked of an opening.
#[derive(Clone, Copy, Debug)]
pub struct BalanceFilter {
    /// Nodes of the search that judges it.
    pub nodes: u64,
    /// Its score is at most this far from zero.
    pub most: i32,
}

impl BalanceFilter {
    /// Where nothing else is asked for.
    pub const DEFAULT: BalanceFilter = BalanceFilter { nodes: 5000, most: 300 };
}

/// A random opening that gives nobody too much, and the search that says so: see [`think`].
pub fn sample_balanced<G: Heuristics + Notation, E: Evaluator<G>>(
    openings: &Openings,
    random: &mut SplitMix64,
    balance: BalanceFilter,
    state: &mut SearchState,
    control: &Receiver<Control>,
) -> anyhow::Result<Option<(Opening<G>, Move, Score)>> {
    for _ in 0..MAX_ATTEMPTS {
        let opening = openings.sample::<G>(random)?;
        state.clear();
        let Some((mv, score)) = search_position::<G, E>(&opening.position, balance.nodes, state, control)?
        else {
            return Ok(None);
        };
        if score.value().abs() <= balance.most {
            return Ok(Some((opening, mv, score)));
        }
    }
    anyhow::bail!("{MAX_ATTEMPTS} random openings all scored more than {} for a side", balance.most)
}

/// The first `count` openings of the run `seed`, each handed to `each`, until `control` says stop.
pub fn generate<G: Heuristics + Notation, E: Evaluator<G>>(
    openings: &Openings,
    seed: u64,
    count: u64,
    state: &mut SearchState,
    control: &Receiver<Control>,
    each: &mut dyn FnMut(Opening<G>),
) -> anyhow::Result<()> {
    for index in 0..count {
        let mut random = rng_for_game(seed, index);
        match sample_balanced::<G, E>(openings, &mut random, BalanceFilter::DEFAULT, state, control)? {
            Some((opening, ..)) => each(opening),
            None => anyhow::bail!("stopped after {index} openings"),
        }
    }
    Ok(())
}

/// The best move and its score for the side to move by a search that begins no iteration after `nodes`; `None`
/// if `control` says stop. There must be a legal move.
pub fn search_position<G: Heuristics + Notation, E: Evaluator<G>>(
    position: &G,
    nodes: u64,
    state: &mut SearchState,
    control: &Receiver<Control>,
) -> anyhow::Result<Option<(Move, Score)>> {
    let limits = Limits { soft_nodes: Some(nodes), ..Limits::nodes(nodes.saturating_mul(HARD_LIMIT)) };
    let request = SearchRequest { root: position.clone(), limits, settings: Settings::default() };
    let search = search::run_to_end::<G, E>(request, state, control, &mut |_| {})
        .map_err(|error| search_failed(position, error))?;
    let best = search.result.best.map(|mv| (mv, search.last.lines[0].score));
    Ok(best.filter(|_| !search.result.stopped))
}

impl<G: Notation> Opening<G> {
    /// Random legal moves; `false` if the game ended.
    fn play(&mut self, plies: u32, random: &mut SplitMix64) -> bool {
        for _ in 0..plies {
            let moves = self.position.moves();
            if moves.is_empty() {
                return false;
            }
            let mv = moves[random_below(random, moves.len() as u64) as usize];
            self.position.play(mv);
            self.moves.push(mv);
        }
        self.position.outcome().is_none() && self.position.claim(Ply::ROOT).is_none()
    }
}

/// Bytes of a line of a book: more than any position takes.
const LONGEST_LINE: u64 = 1 << 16;

/// The positions of a book and the CRC-32 of its bytes. Reads line by line and ends at the first that is no position:
/// the path may lead to a file of any kind and size.
fn read_book<G: Notation>(path: &Path) -> anyhow::Result<(Vec<String>, u32)> {
    // Looked at before it is opened: opening a named pipe would wait for its writer.
    anyhow::ensure!(path.metadata()?.is_file(), "not a regular file");
    let mut file = BufReader::new(File::open(path)?);
    let (mut book, mut line, mut hasher) = (Vec::new(), String::new(), crc32fast::Hasher::new());
    for number in 1.. {
        line.clear();
        if Read::by_ref(&mut file).take(LONGEST_LINE).read_line(&mut line)? == 0 {
            break;
        }
        hasher.update(line.as_bytes());
        let position = line.trim();
        if !position.is_empty() && !position.starts_with('#') {
            epd::position::<G>(position).map_err(|error| anyhow::anyhow!("line {number}: {error}"))?;
            book.push(position.to_string());
        }
    }
    anyhow::ensure!(!book.is_empty(), "expected a position in each line, found none");
    Ok((book, hasher.finalize()))
}

/// A number below `count`, which is not 0.
fn random_below(random: &mut SplitMix64, count: u64) -> u64 {
    ((u128::from(random.next()) * u128::from(count)) >> 64) as u64
}

/// The random numbers of the game `index` of the run `seed`: the same in every thread.
pub fn rng_for_game(seed: u64, index: u64) -> SplitMix64 {
    let mixed = SplitMix64::new(seed).next();
    SplitMix64::new(SplitMix64::new(mixed.wrapping_add(index)).next())
}
