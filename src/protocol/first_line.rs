//! The choice of the protocol by the first line of a session.

use super::dialect::{Dialect, Request};
use super::{Command, Protocol, Reply};

/// What is known of a session's protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// Nothing: no line was read.
    Nothing,
    /// The first line was one of UCI.
    Uci,
    /// The client has sent `uci`, with which clients of UCI-Cyclone begin, too, and no `position` or `go` since.
    UciOrCyclone,
    Other,
}

/// A session whose first line that is not blank decides the protocol. Replies before it, such as errors of the command
/// line's arguments, are written as in UCI. After `uci`, a line that only UCI-Cyclone has turns a session of UCI into one of
/// UCI-Cyclone, but not after a `position` or `go` of UCI: there `fen` is a line that lacks `position`.
pub struct FirstLine {
    dialect: Box<dyn Dialect>,
    known: Known,
    /// Whether a person types the lines: `info`, `start` and `name` are then mistyped UCI, not Gomocup or GTP.
    is_typed: bool,
}

impl FirstLine {
    /// Returns a session that speaks `uci` unless its first line is one of another protocol.
    pub fn or(uci: Box<dyn Dialect>) -> FirstLine {
        FirstLine { dialect: uci, known: Known::Nothing, is_typed: false }
    }

    /// As [`FirstLine::or`], at a terminal: no line begins a session of Gomocup or GTP.
    pub fn at_terminal(display: Box<dyn Dialect>) -> FirstLine {
        FirstLine { is_typed: true, ..FirstLine::or(display) }
    }
}

impl Dialect for FirstLine {
    fn read(&mut self, line: &str) -> Vec<Request> {
        match (self.known, Protocol::of_first_line(line)) {
            (Known::Nothing, Some(Protocol::Uci)) => self.known = Known::Uci,
            (Known::Nothing, Some(Protocol::Gomocup | Protocol::Gtp)) if self.is_typed => {
                self.known = Known::Uci
            }
            (Known::Nothing, Some(protocol)) | (Known::UciOrCyclone, Some(protocol @ Protocol::Cyclone)) => {
                self.known = Known::Other;
                self.dialect = protocol.dialect();
            }
            _ => {}
        }
        let requests = self.dialect.read(line);
        if matches!(self.known, Known::Uci | Known::UciOrCyclone) {
            for request in &requests {
                match request {
                    Request::Command(Command::Uci) => self.known = Known::UciOrCyclone,
                    Request::Command(Command::Position { .. } | Command::Go(_)) => self.known = Known::Uci,
                    _ => {}
                }
            }
        }
        requests
    }

    fn write(&mut self, reply: &Reply) -> Option<String> {
        self.dialect.write(reply)
    }

    fn follow_up(&mut self) -> Vec<Request> {
        self.dialect.follow_up()
    }

    fn acts_at_once(&self, line: &str) -> bool {
        self.dialect.acts_at_once(line)
    }

    fn greeting(&self) -> Option<String> {
        self.dialect.greeting()
    }

    fn farewell(&self) -> Option<String> {
        self.dialect.farewell()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Uci, gomocup};
    use super::*;

    /// Whether a session of UCI that has read `lines` takes a line that begins with `fen` as UCI-Cyclone.
    fn takes_fen(lines: &[&str]) -> bool {
        let mut session = FirstLine::or(Box::new(Uci));
        lines.iter().for_each(|line| drop(session.read(line)));
        session.read("fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
        session.known == Known::Other
    }

    #[test]
    fn words_of_gomocup_typed_at_a_terminal_stay_uci() {
        for word in gomocup::FIRST_WORDS {
            let mut typed = FirstLine::at_terminal(Box::new(Uci));
            assert!(matches!(typed.read(word)[..], [Request::Error(_)]), "{word}");
            assert_eq!(typed.known, Known::Uci);
            let mut piped = FirstLine::or(Box::new(Uci));
            piped.read(word);
            assert_eq!(piped.known, Known::Other);
        }
    }

    #[test]
    fn session_of_uci_becomes_cyclone_only_before_its_first_position() {
        assert!(
            takes_fen(&[])
                && takes_fen(&["uci"])
                && takes_fen(&["uci", "setoption name Hash value 1", "isready"])
        );
        assert!(!takes_fen(&["isready"]));
        assert!(!takes_fen(&["uci", "position startpos"]) && !takes_fen(&["uci", "isready", "go depth 1"]));
    }
}
