//! Correction history: corrects the static evaluation by its average error in similar positions
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use super::gravity::CounterTable;
use super::memory::prefetch;
use super::params::*;
use crate::game::{Heuristics, MAX_CORRECTION_KEYS};

/// Smoothed errors of the static evaluation, by hash keys of the position and by pairs of moves.
#[derive(Debug, Default)]
pub struct CorrectionHistory {
    /// Indexed by each of [`Heuristics::correction_keys`], side to move and low bits of the key.
    pub(super) by_key: CounterTable,
    /// Indexed by the last move and one of the moves before it (continuation correction history).
    pub(super) continuation: CounterTable,
}

/// Number of previous moves that the continuation correction history uses (as in Weiss).
pub const PREVIOUS_PLIES: usize = 7;

/// The row of a move in tables of pairs of moves: 1 + [`Heuristics::piece_to`]. Row 0 stands for a null move and for moves
/// before the root.
pub type MoveRow = u16;

/// The rows of the previous moves, the last move at the end.
pub type PreviousMoves = [MoveRow; PREVIOUS_PLIES];

impl CorrectionHistory {
    /// The sizes of the tables for `G`: by key, continuation.
    pub const fn sizes<G: Heuristics>() -> [usize; 2] {
        [G::CORRECTION_KEYS * 2 * CORRECTION_HISTORY_SIZE, (1 + G::PIECE_TO) * (1 + G::PIECE_TO)]
    }

    fn key_indices<G: Heuristics>(game: &G) -> impl Iterator<Item = usize> {
        let mut keys = [0; MAX_CORRECTION_KEYS];
        game.correction_keys(&mut keys[..G::CORRECTION_KEYS]);
        let side = game.side_to_move().index();
        (0..G::CORRECTION_KEYS).map(move |i| {
            (2 * i + side) * CORRECTION_HISTORY_SIZE + keys[i] as usize % CORRECTION_HISTORY_SIZE
        })
    }

    /// The indices into `continuation` of the last move with each earlier one: all in the last move's row, close in memory.
    fn continuation_indices<G: Heuristics>(
        [earlier @ .., last]: &PreviousMoves,
    ) -> impl Iterator<Item = usize> {
        earlier.iter().map(|&earlier| usize::from(*last) * (1 + G::PIECE_TO) + usize::from(earlier))
    }

    /// The correction to add to the static evaluation of `game`, in centipawns for the side to move.
    /// `previous_moves` led to `game`.
    #[inline]
    pub fn correction<G: Heuristics>(&self, game: &G, previous_moves: &PreviousMoves) -> i32 {
        let by_key: i32 = Self::key_indices(game).map(|index| i32::from(self.by_key[index])).sum();
        let by_moves: i32 = Self::continuation_indices::<G>(previous_moves)
            .map(|index| i32::from(self.continuation[index]))
            .sum();
        (by_key * params::<G>().correction_weight + by_moves * params::<G>().cont_correction_weight)
            / CORRECTION_MAX
    }

    /// Prefetches the counters of `game`, to which `previous_moves` led.
    #[inline]
    pub fn prefetch<G: Heuristics>(&self, game: &G, previous_moves: &PreviousMoves) {
        // `get`, so that no bounds check is left where there is no prefetch.
        Self::key_indices(game).filter_map(|index| self.by_key.get(index)).for_each(prefetch);
        Self::continuation_indices::<G>(previous_moves)
            .filter_map(|index| self.continuation.get(index))
            .for_each(prefetch);
    }

    /// Records that a search of `depth` plies found a score `error` centipawns above the static evaluation of `game`.
    pub fn update<G: Heuristics>(
        &mut self,
        game: &G,
        previous_moves: &PreviousMoves,
        error: i32,
        depth: i32,
    ) {
        let max = params::<G>().correction_bonus_max;
        let bonus = (error * depth * params::<G>().correction_bonus / 64).clamp(-max, max);
        for index in Self::key_indices(game) {
            self.by_key.update(index, bonus, CORRECTION_MAX);
        }
        for index in Self::continuation_indices::<G>(previous_moves) {
            self.continuation.update(index, bonus, CORRECTION_MAX);
        }
    }
}
