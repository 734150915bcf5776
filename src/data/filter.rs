//! Which of the stored positions a training wants: files keep all, and reading leaves out.

use super::record::Sample;
use crate::game::{Heuristics, Notation};

/// What is left out. The default keeps what a static evaluation can learn from: quiet positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Positions with fewer moves behind them: they repeat from game to game.
    pub first_ply: usize,
    /// Whether positions in check are kept.
    pub in_check: bool,
    /// Whether positions are kept whose best move is a capture or a promotion to a queen.
    pub tactical: bool,
    /// Whether positions with a forced win or loss are kept.
    pub decisive: bool,
    /// Scores further from zero than this are left out; forced ends do not count as scores here.
    pub max_score: i32,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { first_ply: 16, in_check: false, tactical: false, decisive: false, max_score: i32::MAX }
    }
}

impl Filter {
    /// Every position passes.
    pub const ALL: Filter =
        Filter { first_ply: 0, in_check: true, tactical: true, decisive: true, max_score: i32::MAX };

    /// Whether `sample` passes.
    pub fn keeps<G: Heuristics + Notation>(&self, sample: &Sample<'_, G>) -> bool {
        let decisive = sample.score.is_decisive();
        sample.ply >= self.first_ply
            && (self.decisive || !decisive)
            && (decisive || sample.score.value().abs() <= self.max_score)
            && (self.in_check || !sample.position.in_check())
            && (self.tactical || !sample.position.is_noisy(sample.mv))
    }
}
