//! How far the evaluation was off in like positions: the next one is put right by as much
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>).

use super::history::gravitate;
use super::params::*;
use super::room::written;
use crate::game::{Hints, MAX_CORRECTIONS, Score};

/// Counters for each key and side; keys share one by their low bits.
const SIZE: usize = 1 << 14;

/// Running averages of the evaluation's errors, by side and by each of [`Hints::correction_keys`].
#[derive(Debug, Default)]
pub struct Corrections(Vec<i16>);

impl Corrections {
    /// Makes the table the right size for `G`.
    pub fn fit<G: Hints>(&mut self) {
        let size = G::CORRECTIONS * 2 * SIZE;
        if self.0.len() != size {
            self.0 = written(size);
        }
    }

    /// The position's places in the table.
    fn slots<G: Hints>(game: &G) -> impl Iterator<Item = usize> {
        let mut keys = [0; MAX_CORRECTIONS];
        game.correction_keys(&mut keys[..G::CORRECTIONS]);
        let side = game.side_to_move().index();
        (0..G::CORRECTIONS).map(move |i| (2 * i + side) * SIZE + keys[i] as usize % SIZE)
    }

    /// What to add to the evaluation of `game`.
    #[inline]
    pub fn correct<G: Hints>(&self, game: &G, eval: Score) -> Score {
        let sum: i32 = Self::slots(game).map(|slot| i32::from(self.0[slot])).sum();
        Score::new(eval.value() + sum * correction_weight() / CORRECTION_MAX)
    }

    /// A search of `depth` plies found the evaluation of `game` to be off by `error`.
    pub fn learn<G: Hints>(&mut self, game: &G, error: i32, depth: i32) {
        let bonus = (error * depth / 8).clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4);
        for slot in Self::slots(game) {
            gravitate(&mut self.0[slot], bonus, CORRECTION_MAX);
        }
    }
}
