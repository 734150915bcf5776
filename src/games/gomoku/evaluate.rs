//! Static evaluation from the counts of patterns.

use super::Gomoku;
use super::patterns::Pattern;
use crate::game::{Evaluator, Game, Score};

/// Evaluates the number of each pattern on the free cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternCounts;

/// The value of each pattern to the side to move and to the opponent.
const WEIGHTS: [[i32; Pattern::COUNT]; 2] =
    [[0, 0, 1, 1, 4, 4, 30, 40, 300, 1000], [0, 0, 1, 1, 4, 3, 20, 20, 120, 500]];

impl<const SIZE: usize, const EXACT: bool> Evaluator<Gomoku<SIZE, EXACT>> for PatternCounts {
    fn evaluate(&mut self, game: &Gomoku<SIZE, EXACT>) -> Score {
        let value = |counts: &[i16], weights: &[i32]| -> i32 {
            counts.iter().zip(weights).map(|(&count, weight)| i32::from(count) * weight).sum()
        };
        let (own, other) = (game.side_to_move().index(), (!game.side_to_move()).index());
        Score::new(
            value(&game.pattern_counts[own], &WEIGHTS[0]) - value(&game.pattern_counts[other], &WEIGHTS[1]),
        )
    }
}
