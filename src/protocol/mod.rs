//! The UCI protocol: parses input lines and formats output lines. Moves and positions stay text, so this
//! layer depends on no game and no search; of `game` it uses value types only.

mod command;
mod options;
mod parse;
mod reply;

pub use command::{Command, Go, StartPosition};
pub use options::{OptionError, OptionKind, OptionValue, UciOption};
pub use parse::{ParseError, Parsed, is_command, parse};
pub use reply::{Info, Reply, Score};
