//! The commands of the client (the GUI) as values. [`parse`](super::parse()) reads a formatted command back as the same value.

use crate::game::{Side, quote};
use std::fmt;

/// One line from the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: asks for the engine's name, author and options.
    Uci,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: asks for `readyok` after all earlier lines are handled.
    IsReady,
    /// `setoption name N [value V]`.
    SetOption {
        /// The name, with single blanks between words.
        name: String,
        /// The text after the word `value`, with its inner blanks; `None` without that word.
        value: Option<String>,
    },
    /// `register ...`: ignored, since no registration is needed.
    Register,
    /// `ucinewgame`: the next position belongs to another game.
    UciNewGame,
    /// `position startpos|fen F [moves ...]`.
    Position {
        /// The position before `moves`.
        setup: StartPosition,
        /// The moves played from there.
        moves: Vec<String>,
    },
    /// `go ...`: starts a search.
    Go(Go),
    /// `go perft N` (not standard): counts the leaves N plies deep, for each root move.
    Perft(u32),
    /// `stop`: ends the search.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`: ends the program.
    Quit,
    /// `wait` (not standard): delays later commands until the search has ended.
    Wait,
    /// `d` (not standard): prints the position.
    Display,
    /// `eval` (not standard): prints the static evaluation.
    Eval,
    /// `flip` (not standard): swaps the colours.
    Flip,
    /// `play M` (not standard): plays a move of the side to move.
    Play(String),
    /// `moves` (not standard): prints the legal moves.
    Moves,
    /// `points` (not standard): prints the points of the first player if the game ended now.
    Points,
    /// `undo [M]` (not standard): takes back the last move, or the last move `M`: the moves after it stay.
    Undo(Option<String>),
    /// `turn white` or `turn black` (not standard): makes this the side to move.
    Turn(Side),
    /// `bench [depth] [hash]` (not standard): searches a fixed set of positions and prints the node count.
    Bench {
        /// The depth in plies; `None` for the default.
        depth: Option<u32>,
        /// The hash size in MiB; `None` for the default.
        hash: Option<u32>,
    },
    /// `genfens N seed S [book B]` (not standard): prints random openings.
    GenFens {
        /// The number of openings.
        count: u64,
        /// The random seed. The same seed gives the same openings.
        seed: u64,
        /// A file of start positions; `None` for the game's start position.
        book: Option<String>,
    },
    /// `help` (not standard): prints the commands.
    Help,
    /// Asks for [`Reply::Board`](super::Reply::Board). No line gives it, as the next two: a dialect makes them.
    Board,
    /// Writes the record of the game to a file, or prints it.
    Save {
        /// The path of the file; `None` prints the record.
        path: Option<String>,
        /// Names and values that stand before those of the game.
        tags: Vec<(&'static str, String)>,
        /// The result, if it is not that of the rules.
        result: Option<&'static str>,
    },
    /// Replaces the position by one of the first game of a file.
    Load {
        /// The path of the file.
        path: String,
        /// The number of the move, from 1, or the move before which the position is; `None` for the end of the game.
        before: Option<String>,
        /// The game that the record must be of; `None` for any.
        variant: Option<&'static str>,
    },
}

/// The position in which the moves of a `position` command start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartPosition {
    /// `startpos`: the game's start position.
    Start,
    /// `fen`: the text up to the word `moves`.
    Fen(String),
}

/// The limits of one search as written in the command: values can be zero or negative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Search only these root moves; empty for all.
    pub searchmoves: Vec<String>,
    /// Do not search these root moves (not standard).
    pub banmoves: Vec<String>,
    /// Search during the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Milliseconds on White's clock.
    pub wtime: Option<i64>,
    /// Milliseconds on Black's clock.
    pub btime: Option<i64>,
    /// White's increment in milliseconds per move.
    pub winc: Option<i64>,
    /// Black's increment in milliseconds per move.
    pub binc: Option<i64>,
    /// The number of moves until the next time control.
    pub movestogo: Option<i64>,
    /// Search to this depth in plies.
    pub depth: Option<i64>,
    /// Search this number of nodes.
    pub nodes: Option<i64>,
    /// Search for a forced win or loss in this number of moves.
    pub mate: Option<i64>,
    /// Search for this time in milliseconds.
    pub movetime: Option<i64>,
    /// Search until `stop`.
    pub infinite: bool,
    /// The sub-commands that are ignored because their number is invalid: the word, and the text in place of
    /// the number, which is empty if nothing is there.
    pub invalid: Vec<(&'static str, String)>,
}

impl Go {
    /// Returns every sub-command with a number: its word and its value, in the order in which they are written.
    pub(super) fn numbers(&mut self) -> [(&'static str, &mut Option<i64>); 9] {
        [
            ("wtime", &mut self.wtime),
            ("btime", &mut self.btime),
            ("winc", &mut self.winc),
            ("binc", &mut self.binc),
            ("movestogo", &mut self.movestogo),
            ("depth", &mut self.depth),
            ("nodes", &mut self.nodes),
            ("mate", &mut self.mate),
            ("movetime", &mut self.movetime),
        ]
    }

    /// Returns a message for each of [`Go::invalid`].
    pub fn invalid_messages(&self) -> Vec<String> {
        let message = |(word, text): &(&str, String)| {
            let got = quote_or_nothing(text);
            format!("expected a whole number after \"{word}\", got {got}, \"{word}\" ignored")
        };
        self.invalid.iter().map(message).collect()
    }
}

pub(super) fn quote_or_nothing(got: &str) -> String {
    if got.is_empty() { "nothing".into() } else { quote(got) }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        for (word, number) in self.clone().numbers() {
            if let Some(number) = number {
                write!(f, " {word} {number}")?;
            }
        }
        for (word, text) in &self.invalid {
            write!(f, " {word}")?;
            if !text.is_empty() {
                write!(f, " {text}")?;
            }
        }
        if !self.searchmoves.is_empty() {
            write!(f, " searchmoves {}", self.searchmoves.join(" "))?;
        }
        if !self.banmoves.is_empty() {
            write!(f, " banmoves {}", self.banmoves.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::Register => f.write_str("register later"),
            Command::UciNewGame => f.write_str("ucinewgame"),
            Command::Position { setup, moves } => {
                match setup {
                    StartPosition::Start => f.write_str("position startpos")?,
                    StartPosition::Fen(text) => write!(f, "position fen {text}")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {}", moves.join(" ")) }
            }
            Command::Go(go) => go.fmt(f),
            Command::Perft(depth) => write!(f, "go perft {depth}"),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Wait => f.write_str("wait"),
            Command::Display => f.write_str("d"),
            Command::Eval => f.write_str("eval"),
            Command::Flip => f.write_str("flip"),
            Command::Play(mv) => write!(f, "play {mv}"),
            Command::Moves => f.write_str("moves"),
            Command::Points => f.write_str("points"),
            Command::Undo(None) => f.write_str("undo"),
            Command::Undo(Some(mv)) => write!(f, "undo {mv}"),
            Command::Turn(Side::White) => f.write_str("turn white"),
            Command::Turn(Side::Black) => f.write_str("turn black"),
            Command::Bench { depth, hash } => {
                f.write_str("bench")?;
                [depth, hash].into_iter().flatten().try_for_each(|number| write!(f, " {number}"))
            }
            Command::GenFens { count, seed, book } => {
                write!(f, "genfens {count} seed {seed} book {}", book.as_deref().unwrap_or("None"))
            }
            Command::Help => f.write_str("help"),
            Command::Board => f.write_str("board"),
            Command::Save { path, .. } => write!(f, "save {}", path.as_deref().unwrap_or("-")),
            Command::Load { path, before: None, .. } => write!(f, "load {path}"),
            Command::Load { path, before: Some(before), .. } => write!(f, "load {path} before {before}"),
        }
    }
}
