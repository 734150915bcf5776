//! The list of protocols.

use super::cyclone::{self, Cyclone};
use super::dialect::Dialect;
use super::gomocup::{self, Gomocup};
use super::gtp::{self, Gtp};
use super::parse;
use super::ucci::{self, Ucci};
use super::uci::Uci;

/// A protocol that the server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// UCI, for chess and every other game.
    Uci,
    /// The Gomocup protocol, for gomoku.
    Gomocup,
    /// UCCI, for xiangqi.
    Ucci,
    /// UCI-Cyclone, for xiangqi.
    Cyclone,
    /// GTP, for Go.
    Gtp,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Protocol; 5] =
        [Protocol::Uci, Protocol::Gomocup, Protocol::Ucci, Protocol::Cyclone, Protocol::Gtp];

    /// Returns the name, a value of the argument `--protocol`.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Gomocup => "gomocup",
            Protocol::Ucci => "ucci",
            Protocol::Cyclone => "cyclone",
            Protocol::Gtp => "gtp",
        }
    }

    /// Returns the protocol of a program with the file name `program`. Gomocup's managers expect `pbrain-NAME`. Many GUIs of
    /// xiangqi start a program without arguments and send nothing that differs from UCI for chess.
    pub fn of_program(program: &str) -> Option<Protocol> {
        let program = program.to_ascii_lowercase();
        if program.starts_with("pbrain-") {
            Some(Protocol::Gomocup)
        } else if program.starts_with("gtp-") {
            Some(Protocol::Gtp)
        } else if program.contains("cyclone") {
            Some(Protocol::Cyclone)
        } else {
            None
        }
    }

    /// Returns the protocol of a client that begins with this line; `None` if the line is blank.
    pub fn of_first_line(line: &str) -> Option<Protocol> {
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        let word = line.split_ascii_whitespace().next()?;
        Some(if gomocup::FIRST_WORDS.iter().any(|first| word.eq_ignore_ascii_case(first)) {
            Protocol::Gomocup
        } else if word == ucci::FIRST_WORD {
            Protocol::Ucci
        } else if cyclone::FIRST_WORDS.contains(&word) {
            Protocol::Cyclone
        } else if gtp::is_first_word(gtp::without_number(line).split(' ').next().unwrap_or_default()) {
            Protocol::Gtp
        } else {
            Protocol::Uci
        })
    }

    /// Returns whether `word` is the first word of a command.
    pub fn is_command(self, word: &str) -> bool {
        match self {
            Protocol::Uci => parse::is_command(word),
            Protocol::Gomocup => gomocup::is_command(word),
            Protocol::Ucci => ucci::COMMANDS.contains(&word) || parse::is_command(word),
            Protocol::Gtp => gtp::is_command(word),
            Protocol::Cyclone => cyclone::COMMANDS.contains(&word) || parse::is_command(word),
        }
    }

    /// Returns the protocol at the start of a session.
    pub fn dialect(self) -> Box<dyn Dialect> {
        match self {
            Protocol::Uci => Box::new(Uci),
            Protocol::Gomocup => Box::new(Gomocup::default()),
            Protocol::Ucci => Box::new(Ucci::default()),
            Protocol::Cyclone => Box::new(Cyclone::default()),
            Protocol::Gtp => Box::new(Gtp::default()),
        }
    }
}
