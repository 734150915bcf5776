//! UCI options: declarations and values.

use crate::game::{GameOptionKind, quote};
use std::fmt;

/// A declared option: one `option` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciOption {
    /// The option's name. It must not contain the words `name`, `type`, `default`, `min`, `max` or `var`, at
    /// which clients split the line.
    pub name: &'static str,
    /// The kind and range of its values.
    pub kind: OptionKind,
}

/// The five kinds of options in the UCI standard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// The default value.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default value.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One word of a list.
    Combo {
        /// The default value, one of `choices`.
        default: &'static str,
        /// All values.
        choices: Vec<&'static str>,
    },
    /// An action without a value.
    Button,
    /// Any text; the default is empty.
    String,
}

impl From<GameOptionKind> for OptionKind {
    fn from(kind: GameOptionKind) -> OptionKind {
        match kind {
            GameOptionKind::Check { default } => OptionKind::Check { default },
            GameOptionKind::Spin { default, min, max } => OptionKind::Spin { default, min, max },
            GameOptionKind::Combo { choices } => {
                OptionKind::Combo { default: choices[0], choices: choices.to_vec() }
            }
        }
    }
}

/// A valid value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// A value of an [`OptionKind::Check`].
    Check(bool),
    /// A value of an [`OptionKind::Spin`].
    Spin(i64),
    /// A value of an [`OptionKind::Combo`], spelled as declared.
    Combo(&'static str),
    /// A value of an [`OptionKind::Button`].
    Button,
    /// A value of an [`OptionKind::String`].
    Text(String),
}

impl UciOption {
    /// Whether `name` is the name of this option, in upper or lower case. A blank may be an underscore, as in UCCI.
    pub fn is_named(&self, name: &str) -> bool {
        let normal = |text: &str| text.to_ascii_lowercase().replace('_', " ");
        normal(self.name) == normal(name)
    }

    /// Reads a value; `None` stands for a `setoption` without the word `value`.
    ///
    /// # Errors
    /// If the option does not allow the value. The message says what was expected, what was found and that nothing changed.
    pub fn read(&self, value: Option<&str>) -> Result<OptionValue, String> {
        let text = value.unwrap_or("");
        let error = |expected: String| {
            format!("option {}: expected {expected}, got {}, value not changed", self.name, quote(text))
        };
        match &self.kind {
            OptionKind::Button => Ok(OptionValue::Button),
            OptionKind::String if text == "<empty>" => Ok(OptionValue::Text(String::new())),
            // It stands for bytes that are not UTF-8: the text would be the name of another file.
            OptionKind::String if text.contains(char::REPLACEMENT_CHARACTER) => {
                Err(error("text in UTF-8".into()))
            }
            OptionKind::String => Ok(OptionValue::Text(text.into())),
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("true") => Ok(OptionValue::Check(true)),
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("false") => Ok(OptionValue::Check(false)),
            OptionKind::Check { .. } => Err(error("true or false".into())),
            OptionKind::Spin { min, max, .. } => match text.parse() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(OptionValue::Spin(number)),
                _ => Err(error(format!("a whole number from {min} to {max}"))),
            },
            OptionKind::Combo { choices, .. } => {
                let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(text));
                choice.map(|choice| OptionValue::Combo(choice)).ok_or_else(|| error(choices.join(", ")))
            }
        }
    }
}

impl fmt::Display for UciOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String => f.write_str("string default <empty>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spin() -> UciOption {
        UciOption { name: "Hash", kind: OptionKind::Spin { default: 16, min: 1, max: 1024 } }
    }

    fn combo() -> UciOption {
        UciOption {
            name: "UCI_Variant",
            kind: OptionKind::Combo { default: "chess", choices: vec!["chess", "gomoku"] },
        }
    }

    #[test]
    fn display_gives_the_option_line() {
        let line = |name, kind| UciOption { name, kind }.to_string();
        assert_eq!(spin().to_string(), "option name Hash type spin default 16 min 1 max 1024");
        assert_eq!(
            combo().to_string(),
            "option name UCI_Variant type combo default chess var chess var gomoku"
        );
        assert_eq!(
            line("Ponder", OptionKind::Check { default: false }),
            "option name Ponder type check default false"
        );
        assert_eq!(line("Clear Hash", OptionKind::Button), "option name Clear Hash type button");
        assert_eq!(line("Log File", OptionKind::String), "option name Log File type string default <empty>");
    }

    #[test]
    fn read_rejects_invalid_values() {
        for bad in ["", "abc", "-1", "0", "1025", "16.5", "0x10", "99999999999999999999", "1 2"] {
            assert!(spin().read(Some(bad)).is_err(), "{bad:?}");
        }
        assert!(spin().read(None).is_err());
        assert_eq!(
            spin().read(Some("abc")).unwrap_err().to_string(),
            "option Hash: expected a whole number from 1 to 1024, got \"abc\", value not changed"
        );
        assert_eq!(combo().read(Some("GOMOKU")), Ok(OptionValue::Combo("gomoku")));
        assert!(combo().read(Some("banana")).is_err());
        let check = UciOption { name: "Ponder", kind: OptionKind::Check { default: false } };
        assert_eq!(check.read(Some("TRUE")), Ok(OptionValue::Check(true)));
        assert!(check.read(Some("1")).is_err() && check.read(None).is_err());
        let text = UciOption { name: "Log File", kind: OptionKind::String };
        assert_eq!(text.read(Some("a  b")), Ok(OptionValue::Text("a  b".into())));
        for empty in [None, Some(""), Some("<empty>")] {
            assert_eq!(text.read(empty), Ok(OptionValue::Text(String::new())));
        }
        assert!(text.read(Some("a\u{fffd}")).is_err());
        let button = UciOption { name: "Clear Hash", kind: OptionKind::Button };
        assert!(button.is_named("clear hash") && button.is_named("clear_hash"));
        assert!(button.read(Some("true")) == Ok(OptionValue::Button));
    }

    proptest! {
        #[test]
        fn spin_accepts_exactly_its_range(number: i64) {
            let read = spin().read(Some(&number.to_string()));
            prop_assert_eq!(read.ok(), (1..=1024).contains(&number).then_some(OptionValue::Spin(number)));
        }
    }
}
