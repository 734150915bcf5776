//! Selects positions for training. Files store all positions; readers filter them.

use super::record::Sample;
use crate::game::{Heuristics, Notation};

/// Conditions on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The first ply to keep of games from a numbered start, counted from 0: earlier positions repeat from game to game. Of
    /// games from other positions, those of a book, all plies are kept.
    pub first_ply: usize,
    /// Whether to keep positions in check.
    pub in_check: bool,
    /// Whether to keep positions in which the played move is noisy ([`Heuristics::is_noisy`]).
    pub noisy: bool,
    /// Whether to keep positions with a forced win or loss.
    pub decisive: bool,
    /// The largest absolute score to keep, in the game's unit. It does not apply to forced wins and losses.
    pub max_score: i32,
}

impl Filter {
    /// Keeps the quiet positions of `G` from which a static evaluation can learn.
    pub const fn quiet<G: Notation>() -> Filter {
        let first_ply = G::OPENING_PLIES;
        Filter { first_ply, in_check: false, noisy: false, decisive: false, max_score: i32::MAX }
    }

    /// Keeps every position.
    pub const ALL: Filter =
        Filter { first_ply: 0, in_check: true, noisy: true, decisive: true, max_score: i32::MAX };

    /// Whether the filter keeps `sample`.
    pub fn keeps<G: Heuristics + Notation>(&self, sample: &Sample<'_, G>) -> bool {
        let decisive = sample.score.is_decisive();
        (sample.ply >= self.first_ply || !sample.from_numbered_start)
            && (self.decisive || !decisive)
            && (decisive || sample.score.value().abs() <= self.max_score)
            && (self.in_check || !sample.position.in_check())
            && (self.noisy || !sample.position.is_noisy(sample.mv))
    }
}
