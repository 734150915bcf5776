//! The list of protocols, and the choice by the first line of a session.

use super::dialect::{Dialect, Request, Uci};
use super::gomocup::{self, Gomocup};
use super::{Reply, parse};

/// A protocol that the server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// UCI, for chess and every other game.
    Uci,
    /// The Gomocup protocol, for gomoku.
    Gomocup,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Protocol; 2] = [Protocol::Uci, Protocol::Gomocup];

    /// Returns the name, a value of the argument `--protocol`.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Gomocup => "gomocup",
        }
    }

    /// Returns the protocol of a program with the file name `program`. Gomocup's managers expect `pbrain-NAME`.
    pub fn of_program(program: &str) -> Option<Protocol> {
        program.to_ascii_lowercase().starts_with("pbrain-").then_some(Protocol::Gomocup)
    }

    /// Returns the protocol of a client that begins with this line; `None` if the line is blank.
    pub fn of_first_line(line: &str) -> Option<Protocol> {
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        let word = line.split_ascii_whitespace().next()?;
        let is_gomocup = gomocup::FIRST_WORDS.iter().any(|first| word.eq_ignore_ascii_case(first));
        Some(if is_gomocup { Protocol::Gomocup } else { Protocol::Uci })
    }

    /// Returns whether `word` is the first word of a command.
    pub fn is_command(self, word: &str) -> bool {
        match self {
            Protocol::Uci => parse::is_command(word),
            Protocol::Gomocup => gomocup::is_command(word),
        }
    }

    /// Returns the protocol at the start of a session.
    pub fn dialect(self) -> Box<dyn Dialect> {
        match self {
            Protocol::Uci => Box::new(Uci),
            Protocol::Gomocup => Box::new(Gomocup::default()),
        }
    }
}

/// A session whose first line that is not blank decides the protocol. Replies before it, such as errors of the command
/// line's arguments, are written as in UCI.
pub struct FirstLine {
    dialect: Box<dyn Dialect>,
    decided: bool,
}

impl FirstLine {
    /// Returns a session that speaks `uci` unless its first line is one of another protocol.
    pub fn or(uci: Box<dyn Dialect>) -> FirstLine {
        FirstLine { dialect: uci, decided: false }
    }
}

impl Dialect for FirstLine {
    fn read(&mut self, line: &str) -> Vec<Request> {
        if !self.decided
            && let Some(protocol) = Protocol::of_first_line(line)
        {
            self.decided = true;
            if protocol != Protocol::Uci {
                self.dialect = protocol.dialect();
            }
        }
        self.dialect.read(line)
    }

    fn write(&mut self, reply: &Reply) -> Option<String> {
        self.dialect.write(reply)
    }

    fn acts_at_once(&self, line: &str) -> bool {
        self.dialect.acts_at_once(line)
    }

    fn greeting(&self) -> Option<String> {
        self.dialect.greeting()
    }
}
