//! What moves were good elsewhere in the tree: the order of quiet moves and more.

use super::params::*;
use crate::game::{Hints, Move};

/// Counters of success for moves, each kept within ±[`HISTORY_MAX`].
///
/// Butterfly: by side, from and to. Capture: by piece, to and what is taken. Continuation: by piece
/// and to, after another piece went to another square one or two plies before
/// (<https://www.chessprogramming.org/History_Heuristic>).
#[derive(Debug, Default)]
pub struct Histories {
    butterfly: Vec<i16>,
    capture: Vec<i16>,
    continuation: Vec<i16>,
}

/// A move's places in the tables.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    butterfly: usize,
    piece_to: usize,
}

/// Where in the continuation table the moves after a certain one are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context(usize);

impl Histories {
    /// Makes the tables the right size for `G`; they keep their contents if they were.
    pub fn fit<G: Hints>(&mut self) {
        let sizes = [2 * G::BUTTERFLY, G::PIECE_TO * G::CAPTURED, G::PIECE_TO * G::PIECE_TO];
        for (table, size) in
            [&mut self.butterfly, &mut self.capture, &mut self.continuation].into_iter().zip(sizes)
        {
            if table.len() != size {
                *table = vec![0; size];
            }
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Histories::default();
    }

    /// The places of a move that has not been played yet.
    pub fn slots<G: Hints>(game: &G, mv: Move) -> Slots {
        let side = game.side_to_move() as usize;
        Slots { butterfly: side * G::BUTTERFLY + game.butterfly(mv), piece_to: game.piece_to(mv) }
    }

    /// The context that a move makes for the moves after it.
    pub fn context<G: Hints>(game: &G, mv: Move) -> Context {
        Context(game.piece_to(mv) * G::PIECE_TO)
    }

    /// How well a quiet move has done, here and after the moves before it.
    #[inline]
    pub fn quiet(&self, slots: Slots, contexts: &[Option<Context>]) -> i32 {
        let continued: i32 = contexts
            .iter()
            .flatten()
            .map(|context| i32::from(self.continuation[context.0 + slots.piece_to]))
            .sum();
        i32::from(self.butterfly[slots.butterfly]) + continued
    }

    /// Counts a quiet move's success or failure.
    pub fn update_quiet(&mut self, slots: Slots, contexts: &[Option<Context>], bonus: i32) {
        gravitate(&mut self.butterfly[slots.butterfly], bonus);
        for context in contexts.iter().flatten() {
            gravitate(&mut self.continuation[context.0 + slots.piece_to], bonus);
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
        gravitate(&mut self.capture[Self::capture_slot(game, mv)], bonus);
    }

    /// What a cutoff at `depth` is worth.
    pub fn bonus(depth: i32) -> i32 {
        (HISTORY_BONUS * depth).min(HISTORY_BONUS_MAX)
    }
}

/// Moves a counter towards ±[`HISTORY_MAX`], the less the nearer it is already.
fn gravitate(counter: &mut i16, bonus: i32) {
    let old = i32::from(*counter);
    *counter = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_within_bounds() {
        let mut counter = 0;
        for _ in 0..10_000 {
            gravitate(&mut counter, HISTORY_BONUS_MAX);
        }
        assert!(i32::from(counter) <= HISTORY_MAX && i32::from(counter) > HISTORY_MAX * 9 / 10);
        for _ in 0..10_000 {
            gravitate(&mut counter, -HISTORY_BONUS_MAX);
        }
        assert!(i32::from(counter) >= -HISTORY_MAX && i32::from(counter) < -HISTORY_MAX * 9 / 10);
    }
}
