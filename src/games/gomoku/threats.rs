//! Threats: the patterns of the four lines through a cell taken together.

use super::patterns::{Levels, Pattern};
use super::renju;
use crate::game::const_for;

/// What a stone of one side on a free cell threatens, from nothing to a won game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Threat {
    /// No three that can become an open four, and no four.
    None,
    /// An open three: threatens an open four.
    Three,
    /// Open threes on two lines.
    TwoThrees,
    /// A four: the opponent must take its last cell.
    Four,
    /// A four and, on another line, stones that can become a four or an open three: more threats may follow.
    FourTwo,
    /// A four and an open three on another line.
    FourThree,
    /// An open four or fours on two lines: the opponent cannot complete both.
    OpenFour,
    /// Five in a row.
    Five,
}

impl Threat {
    /// The number of threats.
    pub const COUNT: usize = 8;

    /// Returns the threat of a stone that makes patterns with these levels.
    #[inline]
    pub fn of(levels: Levels) -> Threat {
        THREATS[levels.index()]
    }

    /// As `self` for a stone of Black in renju that makes these patterns. A forbidden stone threatens nothing. A double three counts as
    /// forbidden, which it mostly is. A four with two open threes keeps its threat, though it may be forbidden.
    pub fn in_renju(self, patterns: [Pattern; 4]) -> Threat {
        match (renju::is_forbidden_by(patterns), self) {
            (Some(true), _) | (None, Threat::TwoThrees) => Threat::None,
            (_, threat) => threat,
        }
    }
}

static THREATS: [Threat; Levels::COUNT] = {
    // By level. There are at most four of each. Each weight is five times the one before, so the sum tells the numbers.
    const WEIGHTS: [usize; 8] = [0, 0, 1, 1, 5, 25, 125, 625];
    let mut threats = [Threat::None; Levels::COUNT];
    const_for!(levels, 0..Levels::COUNT, {
        let [a, b, c, d] = [levels >> 9, levels >> 6 & 7, levels >> 3 & 7, levels & 7];
        threats[levels] = match WEIGHTS[a] + WEIGHTS[b] + WEIGHTS[c] + WEIGHTS[d] {
            0..5 => Threat::None,
            5..10 => Threat::Three,
            10..25 => Threat::TwoThrees,
            25 => Threat::Four,
            26..30 => Threat::FourTwo,
            30..50 => Threat::FourThree,
            50..625 => Threat::OpenFour,
            _ => Threat::Five,
        };
    });
    threats
};
