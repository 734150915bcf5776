//! Threats: the patterns of the four lines through a cell taken together.

use super::patterns::Pattern;
use super::renju;

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

    /// Returns the threat of a stone that makes these patterns.
    #[inline]
    pub fn of(patterns: [Pattern; 4]) -> Threat {
        // There are at most four of each kind. Each weight is five times the one before, so the sum tells the numbers.
        const WEIGHTS: [u16; Pattern::COUNT] = {
            let mut weights = [0; Pattern::COUNT];
            weights[Pattern::OpenTwo as usize] = 1;
            weights[Pattern::Three as usize] = 1;
            weights[Pattern::OpenThree as usize] = 5;
            weights[Pattern::Four as usize] = 25;
            weights[Pattern::OpenFour as usize] = 125;
            weights[Pattern::Five as usize] = 625;
            weights
        };
        match patterns.into_iter().map(|pattern| WEIGHTS[pattern as usize]).sum() {
            0..5 => Threat::None,
            5..10 => Threat::Three,
            10..25 => Threat::TwoThrees,
            25 => Threat::Four,
            26..30 => Threat::FourTwo,
            30..50 => Threat::FourThree,
            50..625 => Threat::OpenFour,
            _ => Threat::Five,
        }
    }

    /// As [`Threat::of`] for Black in renju. A forbidden stone threatens nothing. A double three counts as forbidden, which it mostly
    /// is. A four with two open threes keeps its threat, though it may be forbidden.
    pub fn of_renju(patterns: [Pattern; 4]) -> Threat {
        match (renju::is_forbidden_by(patterns), Threat::of(patterns)) {
            (Some(true), _) | (None, Threat::TwoThrees) => Threat::None,
            (_, threat) => threat,
        }
    }
}
