//! How far the evaluation was off in like positions: the next one is put right by as much
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use super::gravity::apply_gravity;
use super::memory::{Prefault, resize_zeroed};
use super::params::*;
use crate::game::{Heuristics, MAX_CORRECTION_KEYS};

/// Running averages of the evaluation's errors.
#[derive(Debug, Default)]
pub struct CorrectionHistory {
    /// By side and by each of [`Hints::correction_keys`].
    by_key: Vec<i16>,
    /// By the last move and one before it.
    continuation: Vec<i16>,
}

/// How many moves back the corrections look (after Weiss, which looks as far).
pub const PREVIOUS_PLIES: usize = 7;

/// [`Context::row`](super::history::Context::row) of each of the last moves, the last one last. That counts in a pair with each
/// of the others.
pub type PreviousMoves = [u16; PREVIOUS_PLIES];

impl CorrectionHistory {
    /// Makes the tables the right size for `G`.
    pub fn resize_for<G: Heuristics>(&mut self, prefault: Prefault) {
        const { assert!(G::PIECE_TO < u16::MAX as usize, "the index of a move fits") };
        let sizes = [G::CORRECTION_KEYS * 2 * CORRECTION_HISTORY_SIZE, (1 + G::PIECE_TO) * (1 + G::PIECE_TO)];
        for (table, size) in [&mut self.by_key, &mut self.continuation].into_iter().zip(sizes) {
            resize_zeroed(table, size, prefault);
        }
    }

    /// The position's places in the table of parts.
    fn key_indices<G: Heuristics>(game: &G) -> impl Iterator<Item = usize> {
        let mut keys = [0; MAX_CORRECTION_KEYS];
        game.correction_keys(&mut keys[..G::CORRECTION_KEYS]);
        let side = game.side_to_move().index();
        (0..G::CORRECTION_KEYS).map(move |i| {
            (2 * i + side) * CORRECTION_HISTORY_SIZE + keys[i] as usize % CORRECTION_HISTORY_SIZE
        })
    }

    /// The places of the pairs of moves: all in the last one's row, so that they lie together.
    fn continuation_indices<G: Heuristics>(
        [earlier @ .., last]: &PreviousMoves,
    ) -> impl Iterator<Item = usize> {
        earlier.iter().map(|&earlier| usize::from(*last) * (1 + G::PIECE_TO) + usize::from(earlier))
    }

    /// What to add to the evaluation of `game`, to which the moves of `rows` led, in centipawns.
    #[inline]
    pub fn correction<G: Heuristics>(&self, game: &G, previous_moves: &PreviousMoves) -> i32 {
        let by_key: i32 = Self::key_indices(game).map(|index| i32::from(self.by_key[index])).sum();
        let by_moves: i32 = Self::continuation_indices::<G>(previous_moves)
            .map(|index| i32::from(self.continuation[index]))
            .sum();
        (by_key * correction_weight() + by_moves * cont_correction_weight()) / CORRECTION_MAX
    }

    /// A search of `depth` plies found the evaluation of `game` to be off by `error`.
    pub fn update<G: Heuristics>(
        &mut self,
        game: &G,
        previous_moves: &PreviousMoves,
        error: i32,
        depth: i32,
    ) {
        let bonus =
            (error * depth / CORRECTION_BONUS_DIVISOR).clamp(-CORRECTION_BONUS_MAX, CORRECTION_BONUS_MAX);
        for index in Self::key_indices(game) {
            apply_gravity(&mut self.by_key[index], bonus, CORRECTION_MAX);
        }
        for index in Self::continuation_indices::<G>(previous_moves) {
            apply_gravity(&mut self.continuation[index], bonus, CORRECTION_MAX);
        }
    }
}
