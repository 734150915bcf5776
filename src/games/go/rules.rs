//! The rule sets.

/// What the rule sets differ in. All have area scoring; Japanese rules, which count territory, are not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether superko forbids a position only if the same side is to move (situational), not always (positional).
    pub is_situational: bool,
    /// Whether a move may remove stones of its own side.
    pub allows_suicide: bool,
}

impl Rules {
    /// The names of the rule sets.
    pub const NAMES: &'static [&'static str] = &["Chinese", "AGA", "Tromp-Taylor"];

    /// The default.
    pub const CHINESE: Rules = Rules { is_situational: false, allows_suicide: false };

    /// Returns the rule set with the name number `index` of [`Rules::NAMES`]. The AGA's pass stones make its count of
    /// territory equal to area scoring, so they change no result.
    pub fn of_index(index: i64) -> Rules {
        Rules { is_situational: index == 1, allows_suicide: index == 2 }
    }
}
