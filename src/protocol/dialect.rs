//! A dialect: how one protocol writes the commands of the client and the replies of the server. The server's loop sees
//! only commands and replies.

use super::parse::ParseError;
use super::{Command, Reply};

/// What a line asks of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// To execute this command.
    Command(Command),
    /// To execute this command and to send a [`Reply::Done`] with this number, even if it has no other reply.
    Ask(u64, Command),
    /// To send this reply, which needs nothing of the server.
    Reply(Reply),
    /// To report that the line is no valid command.
    Error(ParseError),
}

/// A protocol between the client and the server. It may keep what the server does not, such as a command of several lines.
/// The position is the server's: see [`Command::Play`] and [`Command::Undo`].
pub trait Dialect: Send {
    /// Returns what `line` asks of the server, in order.
    fn read(&mut self, line: &str) -> Vec<Request>;

    /// Returns the lines for `reply`, or `None` if the client expects no line for it.
    fn write(&mut self, reply: &Reply) -> Option<String>;

    /// Returns what the last reply asks of the server. It comes before the next line.
    fn follow_up(&mut self) -> Vec<Request> {
        Vec::new()
    }

    /// Returns whether `line` is read while a job runs. Otherwise it waits, and all lines after it, until the job has
    /// ended. A job that ends only by `stop` or `ponderhit` lets no line wait.
    fn acts_at_once(&self, _line: &str) -> bool {
        true
    }

    /// Returns the line that the server sends before it reads any.
    fn greeting(&self) -> Option<String> {
        None
    }

    /// Returns the last line that the server sends after `quit`.
    fn farewell(&self) -> Option<String> {
        None
    }
}

/// Returns the first word of `line` and the rest, both without blanks around them.
pub fn split_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

/// What `lines` ask of the server, as text.
#[cfg(test)]
pub fn requests(dialect: &mut dyn Dialect, lines: &[&str]) -> Vec<String> {
    let requests = lines.iter().flat_map(|line| dialect.read(line));
    let text = |request| match request {
        Request::Command(command) | Request::Ask(_, command) => command.to_string(),
        Request::Reply(reply) => reply.to_string(),
        Request::Error(error) => error.to_string(),
    };
    requests.map(text).collect()
}
