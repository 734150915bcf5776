//! The protocol's words: lines in, lines out. Knows no game and no search; moves and positions stay text.

mod command;
mod options;
mod parse;
mod reply;

pub use command::{Command, Go, StartPosition};
pub use options::{OptionError, OptionKind, OptionValue, UciOption};
pub use parse::{ParseError, Parsed, is_command, parse};
pub use reply::{Info, Reply, Score};
