//! The protocols: they parse input lines and format output lines. Moves and positions stay text, so this layer
//! depends on no game and no search; of `game` it uses value types only.
//!
//! A [`Dialect`] translates between the lines of one protocol and the commands and replies of the server.

mod command;
mod cyclone;
mod dialect;
mod first_line;
mod gomocup;
mod gtp;
mod options;
mod parse;
mod protocols;
mod reply;
mod suggest;
mod ucci;
mod uci;

pub use command::{Command, Go, StartPosition};
pub use dialect::{Dialect, Request, split_word};
pub use first_line::FirstLine;
pub use options::{OptionKind, OptionValue, UciOption};
pub use parse::{COMMANDS, ParseError, ParsedCommand, go_words, parse};
pub use protocols::Protocol;
pub use reply::{Board, Info, Reply, Score, WrittenMove};
pub use suggest::hint;
pub use uci::Uci;
