//! How far the evaluation was off in like positions: the next one is put right by as much
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use super::history::gravitate;
use super::params::*;
use super::room::{Pages, fit};
use crate::game::{Heuristics, MAX_CORRECTION_KEYS};

/// Counters for each key and side; keys share one by their low bits.
const SIZE: usize = 1 << 14;

/// Running averages of the evaluation's errors.
#[derive(Debug, Default)]
pub struct Corrections {
    /// By side and by each of [`Hints::correction_keys`].
    parts: Vec<i16>,
    /// By the last move and one before it.
    moves: Vec<i16>,
}

/// How many moves back the corrections look (after Weiss, which looks as far).
pub const LINE: usize = 7;

/// [`Context::row`](super::history::Context::row) of each of the last moves, the last one last. That counts in a pair with each
/// of the others.
pub type Rows = [u16; LINE];

impl Corrections {
    /// Makes the tables the right size for `G`.
    pub fn fit<G: Heuristics>(&mut self, pages: Pages) {
        const { assert!(G::PIECE_TO < u16::MAX as usize, "a row's number fits") };
        let sizes = [G::CORRECTION_KEYS * 2 * SIZE, (1 + G::PIECE_TO) * (1 + G::PIECE_TO)];
        for (table, size) in [&mut self.parts, &mut self.moves].into_iter().zip(sizes) {
            fit(table, size, pages);
        }
    }

    /// The position's places in the table of parts.
    fn slots<G: Heuristics>(game: &G) -> impl Iterator<Item = usize> {
        let mut keys = [0; MAX_CORRECTION_KEYS];
        game.correction_keys(&mut keys[..G::CORRECTION_KEYS]);
        let side = game.side_to_move().index();
        (0..G::CORRECTION_KEYS).map(move |i| (2 * i + side) * SIZE + keys[i] as usize % SIZE)
    }

    /// The places of the pairs of moves: all in the last one's row, so that they lie together.
    fn pairs<G: Heuristics>([before @ .., last]: &Rows) -> impl Iterator<Item = usize> {
        before.iter().map(|&row| usize::from(*last) * (1 + G::PIECE_TO) + usize::from(row))
    }

    /// What to add to the evaluation of `game`, to which the moves of `rows` led, in centipawns.
    #[inline]
    pub fn correction<G: Heuristics>(&self, game: &G, rows: &Rows) -> i32 {
        let parts: i32 = Self::slots(game).map(|slot| i32::from(self.parts[slot])).sum();
        let moves: i32 = Self::pairs::<G>(rows).map(|slot| i32::from(self.moves[slot])).sum();
        (parts * correction_weight() + moves * correction_moves()) / CORRECTION_MAX
    }

    /// A search of `depth` plies found the evaluation of `game` to be off by `error`.
    pub fn learn<G: Heuristics>(&mut self, game: &G, rows: &Rows, error: i32, depth: i32) {
        let bonus = (error * depth / 8).clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4);
        for slot in Self::slots(game) {
            gravitate(&mut self.parts[slot], bonus, CORRECTION_MAX);
        }
        for slot in Self::pairs::<G>(rows) {
            gravitate(&mut self.moves[slot], bonus, CORRECTION_MAX);
        }
    }
}
