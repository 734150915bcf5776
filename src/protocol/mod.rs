//! The protocol's words: lines in, lines out. Knows no game and no search; moves and positions stay text.

mod command;
mod options;
mod parse;
mod reply;

pub use command::{Command, Go, StartPosition};
pub use options::{OptionError, OptionKind, OptionValue, UciOption};
pub use parse::{ParseError, Parsed, is_command, parse};
pub use reply::{Info, Reply, Score};

/// Text from outside is quoted up to this many characters.
const QUOTED: usize = 80;

/// `text` in quotes for a message: control characters escaped, cut to a length that fits a line.
pub fn quote(text: &str) -> String {
    let cut: String = text.chars().take(QUOTED).collect();
    let dots = if cut.len() < text.len() { "..." } else { "" };
    format!("{cut:?}{dots}")
}
