//! What moves were good elsewhere in the tree: the order of quiet moves and more.

use super::corrections::Corrections;
use super::params::*;
use crate::game::{Hints, Move};

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
    structure: Vec<i16>,
    continuation: Vec<i16>,
    /// The evaluation's errors.
    pub corrections: Corrections,
}

/// How many skeletons are told apart.
const STRUCTURES: usize = 512;

/// How many plies back the moves lie whose continuation counts.
pub const CONTINUATIONS: [usize; 3] = [1, 2, 4];

/// A move's places in the tables.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    butterfly: usize,
    structure: usize,
    piece_to: usize,
}

/// Where in the continuation table the moves after a certain one are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context(usize);

/// The contexts of the moves of [`CONTINUATIONS`]; `None` for a pass, or before the search began.
pub type Contexts = [Option<Context>; CONTINUATIONS.len()];

impl Histories {
    /// Makes the tables the right size for `G`; they keep their contents if they were.
    pub fn fit<G: Hints>(&mut self) {
        let sizes = [
            2 * G::BUTTERFLY,
            G::PIECE_TO * G::CAPTURED,
            STRUCTURES * G::PIECE_TO,
            G::PIECE_TO * G::PIECE_TO,
        ];
        let tables = [&mut self.butterfly, &mut self.capture, &mut self.structure, &mut self.continuation];
        for (table, size) in tables.into_iter().zip(sizes) {
            if table.len() != size {
                *table = vec![0; size];
            }
        }
        self.corrections.fit::<G>();
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Histories::default();
    }

    /// The places of a move that has not been played yet.
    pub fn slots<G: Hints>(game: &G, mv: Move) -> Slots {
        let (side, piece_to) = (game.side_to_move().index(), game.piece_to(mv));
        let structure = game.structure_key() as usize % STRUCTURES * G::PIECE_TO + piece_to;
        Slots { butterfly: side * G::BUTTERFLY + game.butterfly(mv), structure, piece_to }
    }

    /// The context that a move makes for the moves after it.
    pub fn context<G: Hints>(game: &G, mv: Move) -> Context {
        Context(game.piece_to(mv) * G::PIECE_TO)
    }

    /// How well a quiet move has done, here and after the moves before it.
    #[inline]
    pub fn quiet(&self, slots: Slots, contexts: &Contexts) -> i32 {
        let continued: i32 = contexts
            .iter()
            .flatten()
            .map(|context| i32::from(self.continuation[context.0 + slots.piece_to]))
            .sum();
        i32::from(self.butterfly[slots.butterfly]) + i32::from(self.structure[slots.structure]) + continued
    }

    /// Counts a quiet move's success or failure.
    pub fn update_quiet(&mut self, slots: Slots, contexts: &Contexts, bonus: i32) {
        count(&mut self.butterfly[slots.butterfly], bonus);
        count(&mut self.structure[slots.structure], bonus);
        self.update_continuation(slots, contexts, bonus);
    }

    /// Counts a quiet move's success or failure after the moves before it only.
    pub fn update_continuation(&mut self, slots: Slots, contexts: &Contexts, bonus: i32) {
        for context in contexts.iter().flatten() {
            count(&mut self.continuation[context.0 + slots.piece_to], bonus);
        }
    }

    fn capture_slot<G: Hints>(game: &G, mv: Move) -> usize {
        game.piece_to(mv) * G::CAPTURED + game.captured(mv)
    }

    /// How well a tactical move has done.
    pub fn capture<G: Hints>(&self, game: &G, mv: Move) -> i32 {
        i32::from(self.capture[Self::capture_slot(game, mv)])
    }

    /// Counts a tactical move's success or failure.
    pub fn update_capture<G: Hints>(&mut self, game: &G, mv: Move, bonus: i32) {
        count(&mut self.capture[Self::capture_slot(game, mv)], bonus);
    }

    /// What a cutoff at `depth` is worth.
    pub fn bonus(depth: i32) -> i32 {
        (history_bonus() * depth - history_bonus_offset()).clamp(0, history_bonus_max())
    }
}

fn count(counter: &mut i16, bonus: i32) {
    gravitate(counter, bonus, HISTORY_MAX);
}

/// Moves a counter towards ±`max`, the less the nearer it is already. `bonus` lies within ±`max`.
pub fn gravitate(counter: &mut i16, bonus: i32, max: i32) {
    let old = i32::from(*counter);
    *counter = (old + bonus - old * bonus.abs() / max) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_within_bounds() {
        let mut counter = 0;
        for _ in 0..10_000 {
            count(&mut counter, history_bonus_max());
        }
        assert!(i32::from(counter) <= HISTORY_MAX && i32::from(counter) > HISTORY_MAX * 9 / 10);
        for _ in 0..10_000 {
            count(&mut counter, -history_bonus_max());
        }
        assert!(i32::from(counter) >= -HISTORY_MAX && i32::from(counter) < -HISTORY_MAX * 9 / 10);
    }
}
