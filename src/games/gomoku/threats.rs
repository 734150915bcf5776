//! Threats: the patterns of the four lines through a cell taken together.

use super::patterns::Pattern;

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
    /// A four: the opponent must complete it.
    Four,
    /// A four and an open three on another line.
    FourThree,
    /// An open four or fours on two lines: the opponent cannot complete both.
    OpenFour,
    /// Five in a row.
    Five,
}

impl Threat {
    /// The number of threats.
    pub const COUNT: usize = 7;

    /// Returns the threat of a stone that makes these patterns.
    #[inline]
    pub fn of(patterns: [Pattern; 4]) -> Threat {
        // The number of threes, the number of fours times 5 and so on: no field overflows into the next.
        const WEIGHTS: [u16; Pattern::COUNT] = {
            let mut weights = [0; Pattern::COUNT];
            weights[Pattern::OpenThree as usize] = 1;
            weights[Pattern::Four as usize] = 5;
            weights[Pattern::OpenFour as usize] = 25;
            weights[Pattern::Five as usize] = 125;
            weights
        };
        match patterns.into_iter().map(|pattern| WEIGHTS[pattern as usize]).sum() {
            0 => Threat::None,
            1 => Threat::Three,
            2..=4 => Threat::TwoThrees,
            5 => Threat::Four,
            6..=9 => Threat::FourThree,
            10..=124 => Threat::OpenFour,
            _ => Threat::Five,
        }
    }
}
