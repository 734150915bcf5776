//! Options that only some games have, such as `UCI_Chess960`. A game declares its own in [`Notation::OPTIONS`](super::Notation::OPTIONS).

use std::collections::BTreeMap;

/// The values of options of games that the user has set, by their names. Each game takes those of its own.
pub type OptionValues = BTreeMap<&'static str, i64>;

/// An option of the game `G`.
pub struct GameOption<G> {
    /// The name, as in `setoption`.
    pub name: &'static str,
    /// What values it has.
    pub kind: GameOptionKind,
    /// Whether it is a rule, so that the results of searches with another value are wrong.
    pub is_rule: bool,
    /// Sets the value in a position: 0 or 1 of a check, the number of a spin, the index of a choice.
    pub apply: fn(&mut G, i64),
}

/// The values of a [`GameOption`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOptionKind {
    /// True or false.
    Check {
        /// The default.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The words, at least one; the first is the default.
        choices: &'static [&'static str],
    },
}

impl GameOptionKind {
    /// Returns the default, as [`GameOption::apply`] takes it.
    pub fn default(self) -> i64 {
        match self {
            GameOptionKind::Check { default } => default.into(),
            GameOptionKind::Spin { default, .. } => default,
            GameOptionKind::Combo { .. } => 0,
        }
    }
}
