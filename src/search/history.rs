//! What moves were good elsewhere in the tree: the order of quiet moves and more.

use super::correction_history::CorrectionHistory;
use super::gravity::apply_gravity;
use super::memory::{Prefault, resize_zeroed};
use super::params::*;
use crate::game::{Heuristics, Move};

/// Counters of success for moves, each kept within ±[`HISTORY_MAX`].
///
/// Butterfly: by side, from and to. Capture: by piece, to and what is taken. Structure: by piece and
/// to, in a position of a certain skeleton (pawn history in chess). Continuation: by piece and to, after
/// another piece went to another square one, two or four plies before
/// (<https://www.chessprogramming.org/History_Heuristic>).
#[derive(Debug, Default)]
pub struct Histories {
    butterfly: Vec<i16>,
    capture: Vec<i16>,
    pawn: Vec<i16>,
    continuation: Vec<i16>,
    /// The evaluation's errors.
    pub corrections: CorrectionHistory,
}

/// How many plies back the moves lie whose continuation counts.
pub const CONT_HIST_PLIES: [usize; 3] = [1, 2, 4];

/// A move's places in the tables.
#[derive(Clone, Copy, Debug)]
pub struct HistoryIndex {
    butterfly: usize,
    pawn: usize,
    piece_to: usize,
}

/// The rows of the tables that concern the quiet moves of one position.
#[derive(Clone, Copy, Debug)]
pub struct QuietHistory<'a> {
    butterfly: &'a [i16],
    pawn: &'a [i16],
    continuation: [&'a [i16]; CONT_HIST_PLIES.len()],
}

impl QuietHistory<'_> {
    /// How well a quiet move has done, here and after the moves before it.
    #[inline(always)]
    pub fn history<G: Heuristics>(&self, game: &G, mv: Move) -> i32 {
        let piece_to = game.piece_to(mv);
        let continuation: i32 = self.continuation.iter().map(|row| i32::from(row[piece_to])).sum();
        i32::from(self.butterfly[game.butterfly(mv)]) + i32::from(self.pawn[piece_to]) + continuation
    }
}

/// Where in the continuation table the moves after a certain one are counted. The first row, the
/// default, is for the moves after a pass and at the search's beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContHistKey(usize);

impl ContHistKey {
    /// Its row's number, from 0.
    pub fn index<G: Heuristics>(self) -> usize {
        self.0 / G::PIECE_TO
    }
}

/// The contexts of the moves of [`CONTINUATIONS`].
pub type ContHistKeys = [ContHistKey; CONT_HIST_PLIES.len()];

impl Histories {
    /// Makes the tables the right size for `G`; they keep their contents if they were.
    pub fn resize_for<G: Heuristics>(&mut self, prefault: Prefault) {
        let sizes = [
            2 * G::BUTTERFLY,
            G::PIECE_TO * G::CAPTURED,
            PAWN_HISTORY_SIZE * G::PIECE_TO,
            (1 + G::PIECE_TO) * G::PIECE_TO,
        ];
        let tables = [&mut self.butterfly, &mut self.capture, &mut self.pawn, &mut self.continuation];
        for (table, size) in tables.into_iter().zip(sizes) {
            resize_zeroed(table, size, prefault);
        }
        self.corrections.resize_for::<G>(prefault);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Histories::default();
    }

    /// The places of a move that has not been played yet.
    pub fn index<G: Heuristics>(game: &G, mv: Move) -> HistoryIndex {
        let (side, piece_to) = (game.side_to_move().index(), game.piece_to(mv));
        let pawn = game.structure_key() as usize % PAWN_HISTORY_SIZE * G::PIECE_TO + piece_to;
        HistoryIndex { butterfly: side * G::BUTTERFLY + game.butterfly(mv), pawn, piece_to }
    }

    /// The context that a move makes for the moves after it.
    pub fn cont_hist_key<G: Heuristics>(game: &G, mv: Move) -> ContHistKey {
        ContHistKey((1 + game.piece_to(mv)) * G::PIECE_TO)
    }

    /// What is known of the quiet moves of one position.
    #[inline]
    pub fn quiet_history<G: Heuristics>(&self, game: &G, cont_keys: &ContHistKeys) -> QuietHistory<'_> {
        let side = game.side_to_move().index();
        let pawn = game.structure_key() as usize % PAWN_HISTORY_SIZE;
        QuietHistory {
            butterfly: &self.butterfly[side * G::BUTTERFLY..][..G::BUTTERFLY],
            pawn: &self.pawn[pawn * G::PIECE_TO..][..G::PIECE_TO],
            continuation: cont_keys.map(|cont_key| &self.continuation[cont_key.0..][..G::PIECE_TO]),
        }
    }

    /// Counts a quiet move's success or failure.
    pub fn update_quiet(&mut self, history_index: HistoryIndex, cont_keys: &ContHistKeys, bonus: i32) {
        apply_bonus(&mut self.butterfly[history_index.butterfly], bonus);
        apply_bonus(&mut self.pawn[history_index.pawn], bonus);
        self.update_continuation(history_index, cont_keys, bonus);
    }

    /// Counts a quiet move's success or failure wherever it is played.
    pub fn update_butterfly(&mut self, history_index: HistoryIndex, bonus: i32) {
        apply_bonus(&mut self.butterfly[history_index.butterfly], bonus);
    }

    /// Counts a quiet move's success or failure after the moves before it only.
    pub fn update_continuation(&mut self, history_index: HistoryIndex, cont_keys: &ContHistKeys, bonus: i32) {
        for cont_key in cont_keys {
            apply_bonus(&mut self.continuation[cont_key.0 + history_index.piece_to], bonus);
        }
    }

    fn capture_index<G: Heuristics>(game: &G, mv: Move) -> usize {
        game.piece_to(mv) * G::CAPTURED + game.captured(mv)
    }

    /// How well a tactical move has done.
    pub fn capture<G: Heuristics>(&self, game: &G, mv: Move) -> i32 {
        i32::from(self.capture[Self::capture_index(game, mv)])
    }

    /// Counts a tactical move's success or failure.
    pub fn update_capture<G: Heuristics>(&mut self, game: &G, mv: Move, bonus: i32) {
        apply_bonus(&mut self.capture[Self::capture_index(game, mv)], bonus);
    }

    /// What success at `depth` is worth.
    pub fn bonus(depth: i32) -> i32 {
        (history_bonus() * depth - history_bonus_offset()).clamp(0, history_bonus_max())
    }

    /// What it costs at `depth` to have been tried before the move that cuts off. It soon grows no further, as a bonus does:
    /// with a better order the move would not have been tried (the numbers after Weiss).
    pub fn malus(depth: i32) -> i32 {
        (history_malus() * depth - history_malus_offset()).clamp(0, history_malus_max())
    }
}

fn apply_bonus(counter: &mut i16, bonus: i32) {
    apply_gravity(counter, bonus, HISTORY_MAX);
}
