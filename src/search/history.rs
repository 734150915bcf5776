//! Move ordering statistics: butterfly, capture, pawn and continuation history
//! (<https://www.chessprogramming.org/History_Heuristic>).

use super::correction_history::{CorrectionHistory, MoveRow};
use super::gravity::CounterTable;
use super::memory::{CACHE_LINE, Prefault, THREAD_DATA_BYTES, prefetch};
use super::params::*;
use crate::game::{Heuristics, Move, Side};

/// History counters of one thread, each within ±[`HISTORY_MAX`].
///
/// - Butterfly: by side and [`Heuristics::butterfly`]: from-square, to-square and what the game adds.
/// - Capture: by moving piece, to-square and captured piece.
/// - Pawn: by pawn structure, piece and to-square.
/// - Continuation: by piece and to-square of a move 1, 2 or 4 plies earlier, and by those of the move itself.
#[derive(Debug, Default)]
pub struct Histories {
    butterfly: CounterTable,
    capture: CounterTable,
    pawn: CounterTable,
    continuation: CounterTable,
    pub corrections: CorrectionHistory,
}

/// Distances in plies to the previous moves that the continuation history uses.
pub const CONT_HIST_PLIES: [usize; 3] = [1, 2, 4];

const COUNTERS_PER_LINE: usize = CACHE_LINE / size_of::<i16>();

/// The indices of a quiet move in the history tables.
#[derive(Clone, Copy, Debug)]
pub struct HistoryIndex {
    butterfly: usize,
    pawn: usize,
    piece_to: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct QuietHistory<'a> {
    butterfly: &'a [i16],
    pawn: &'a [i16],
    continuation: [&'a [i16]; CONT_HIST_PLIES.len()],
}

impl QuietHistory<'_> {
    /// Prefetches the counters of the moves of `side` in the two rows that differ most from node to node. The memory then answers
    /// while the moves are generated.
    #[inline]
    pub fn prefetch(&self, side: Side) {
        for row in [self.pawn, self.continuation[0]] {
            let half = row.len() / 2;
            let (lines, _) = row[side.index() * half..][..half].as_chunks::<COUNTERS_PER_LINE>();
            lines.iter().for_each(prefetch);
        }
    }

    /// The continuation counters of `mv`, one for each of [`CONT_HIST_PLIES`].
    #[inline(always)]
    pub fn continuation<G: Heuristics>(&self, game: &G, mv: Move) -> [i32; CONT_HIST_PLIES.len()] {
        let piece_to = game.piece_to(mv);
        self.continuation.map(|row| i32::from(row[piece_to]))
    }

    /// The history score of `mv`: the weighted sum of its butterfly, pawn and continuation counters and of its
    /// [prior](Heuristics::prior).
    #[inline(always)]
    pub fn history<G: Heuristics>(&self, game: &G, mv: Move) -> i32 {
        let piece_to = game.piece_to(mv);
        let continuation: i32 = self.continuation(game, mv).iter().sum();
        i32::from(self.butterfly[game.butterfly(mv)]) * params::<G>().butterfly_weight / 16
            + i32::from(self.pawn[piece_to])
            + continuation
            + game.prior(mv)
    }
}

/// The row of null moves and of what was before the root.
pub const NO_MOVE: MoveRow = 0;

/// The rows of the moves [`CONT_HIST_PLIES`] earlier.
pub type ContHistRows = [MoveRow; CONT_HIST_PLIES.len()];

impl HistoryIndex {
    pub fn row(self) -> MoveRow {
        (1 + self.piece_to) as MoveRow
    }
}

impl Histories {
    /// The sizes of the tables for `G`: butterfly, capture, pawn, continuation, and those of the correction history.
    const fn sizes<G: Heuristics>() -> [usize; 6] {
        let [correction_by_key, correction_by_moves] = CorrectionHistory::sizes::<G>();
        [
            2 * G::BUTTERFLY,
            G::PIECE_TO * G::CAPTURED,
            PAWN_HISTORY_SIZE * G::PIECE_TO,
            (1 + G::PIECE_TO) * G::PIECE_TO,
            correction_by_key,
            correction_by_moves,
        ]
    }

    fn tables(&mut self) -> [&mut CounterTable; 6] {
        let Histories { butterfly, capture, pawn, continuation, corrections } = self;
        let CorrectionHistory { by_key, continuation: by_moves } = corrections;
        [butterfly, capture, pawn, continuation, by_key, by_moves]
    }

    const fn bytes<G: Heuristics>() -> usize {
        let [butterfly, capture, pawn, continuation, by_key, by_moves] = Self::sizes::<G>();
        (butterfly + capture + pawn + continuation + by_key + by_moves) * size_of::<i16>()
    }

    /// Allocates the tables for `G`. They keep their contents if they have the right size.
    pub fn resize_for<G: Heuristics>(&mut self, prefault: Prefault) {
        const { assert!(Self::bytes::<G>() <= THREAD_DATA_BYTES, "THREAD_DATA_BYTES is too small for the game") };
        const { assert!(G::PIECE_TO < MoveRow::MAX as usize, "the row of a move fits") };
        for (table, size) in self.tables().into_iter().zip(Self::sizes::<G>()) {
            table.resize(size, prefault);
        }
    }

    /// Zeroes all counters and keeps the tables' memory.
    pub fn clear(&mut self) {
        self.tables().into_iter().for_each(CounterTable::clear);
    }

    /// The indices of `mv`, which must not have been played yet.
    pub fn index<G: Heuristics>(game: &G, mv: Move) -> HistoryIndex {
        let (side, piece_to) = (game.side_to_move().index(), game.piece_to(mv));
        let pawn = game.structure_key() as usize % PAWN_HISTORY_SIZE * G::PIECE_TO + piece_to;
        HistoryIndex { butterfly: side * G::BUTTERFLY + game.butterfly(mv), pawn, piece_to }
    }

    #[inline]
    pub fn quiet_history<G: Heuristics>(&self, game: &G, cont_rows: &ContHistRows) -> QuietHistory<'_> {
        let side = game.side_to_move().index();
        let pawn = game.structure_key() as usize % PAWN_HISTORY_SIZE;
        QuietHistory {
            butterfly: &self.butterfly[side * G::BUTTERFLY..][..G::BUTTERFLY],
            pawn: &self.pawn[pawn * G::PIECE_TO..][..G::PIECE_TO],
            continuation: cont_rows
                .map(|row| &self.continuation[usize::from(row) * G::PIECE_TO..][..G::PIECE_TO]),
        }
    }

    /// Adds `bonus` to the butterfly, pawn and continuation counters of a quiet move.
    pub fn update_quiet<G: Heuristics>(
        &mut self,
        history_index: HistoryIndex,
        cont_rows: &ContHistRows,
        bonus: i32,
    ) {
        self.butterfly.update(history_index.butterfly, bonus, HISTORY_MAX);
        self.pawn.update(history_index.pawn, bonus, HISTORY_MAX);
        self.update_continuation::<G>(history_index, cont_rows, bonus);
    }

    pub fn update_butterfly(&mut self, history_index: HistoryIndex, bonus: i32) {
        self.butterfly.update(history_index.butterfly, bonus, HISTORY_MAX);
    }

    pub fn update_continuation<G: Heuristics>(
        &mut self,
        history_index: HistoryIndex,
        cont_rows: &ContHistRows,
        bonus: i32,
    ) {
        let learns = |row| row != NO_MOVE || params::<G>().null_move_history > 0;
        for &row in cont_rows.iter().filter(|&&row| learns(row)) {
            let index = usize::from(row) * G::PIECE_TO + history_index.piece_to;
            self.continuation.update(index, bonus, HISTORY_MAX);
        }
    }

    fn capture_index<G: Heuristics>(game: &G, mv: Move) -> usize {
        game.piece_to(mv) * G::CAPTURED + game.captured_kind(mv)
    }

    pub fn capture<G: Heuristics>(&self, game: &G, mv: Move) -> i32 {
        i32::from(self.capture[Self::capture_index(game, mv)])
    }

    pub fn update_capture<G: Heuristics>(&mut self, game: &G, mv: Move, bonus: i32) {
        self.capture.update(Self::capture_index(game, mv), bonus, HISTORY_MAX);
    }

    /// History bonus of the cutoff move, linear in `depth`, at most `history_bonus_max`.
    pub fn bonus<G: Heuristics>(depth: i32) -> i32 {
        (params::<G>().history_bonus * depth - params::<G>().history_bonus_offset)
            .clamp(0, params::<G>().history_bonus_max)
    }

    /// History malus for moves searched before the cutoff move, linear in `depth`, at most
    /// `history_malus_max`, and with `history_malus_index` smaller for each move after the first.
    pub fn malus<G: Heuristics>(depth: i32, index: usize) -> i32 {
        let malus = (params::<G>().history_malus * depth - params::<G>().history_malus_offset)
            .clamp(0, params::<G>().history_malus_max);
        let divisor = 1000 + params::<G>().history_malus_index * index as i32;
        malus * 1000 / divisor * 1000 / divisor
    }
}
