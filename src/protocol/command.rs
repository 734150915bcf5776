//! What a client may say, as values. Writing a command gives the line that is read back as the same value.

use std::fmt;

/// One line from the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: who are you, and what can be set?
    Uci,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: answer once everything before this line is done.
    IsReady,
    /// `setoption name N [value V]`.
    SetOption {
        /// The name with its runs of blanks made one.
        name: String,
        /// Everything after the word `value`, inner blanks as they came; `None` without that word.
        value: Option<String>,
    },
    /// `register ...`: there is nothing to register.
    Register,
    /// `ucinewgame`: what comes next has nothing to do with what came before.
    UciNewGame,
    /// `position startpos|fen F [moves ...]`.
    Position {
        /// Where the game begins.
        setup: StartPosition,
        /// The moves since.
        moves: Vec<String>,
    },
    /// `go ...`.
    Go(Go),
    /// `go perft N`: count the leaves below each move.
    Perft(u32),
    /// `stop`.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`.
    Quit,
    /// `wait` (not standard): read on only when the running search has ended.
    Wait,
    /// `d` (not standard): show the position.
    Display,
    /// `eval` (not standard): show the static evaluation.
    Eval,
    /// `flip` (not standard): exchange the sides.
    Flip,
    /// `bench [depth] [hash]` (not standard): count nodes over a fixed set of positions.
    Bench {
        /// The depth, if not the usual one.
        depth: Option<u32>,
        /// The table's size in MB, if not the usual one.
        hash: Option<u32>,
    },
    /// `genfens N seed S [book B]` (not standard): write random openings.
    GenFens {
        /// How many.
        count: u64,
        /// The same seed gives the same openings.
        seed: u64,
        /// A file of positions to begin from, if not the game's start.
        book: Option<String>,
    },
    /// `help` (not standard).
    Help,
}

/// Where a position starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartPosition {
    /// The game's own start.
    Start,
    /// A position text, up to the word `moves`.
    Fen(String),
}

/// The limits of one search, as they were written: a value may be zero or negative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Consider these root moves only.
    pub searchmoves: Vec<String>,
    /// Think on the opponent's time.
    pub ponder: bool,
    /// Milliseconds on White's clock.
    pub wtime: Option<i64>,
    /// Milliseconds on Black's clock.
    pub btime: Option<i64>,
    /// Milliseconds that White gains with each move.
    pub winc: Option<i64>,
    /// Milliseconds that Black gains with each move.
    pub binc: Option<i64>,
    /// Moves until the next time control.
    pub movestogo: Option<i64>,
    /// Plies.
    pub depth: Option<i64>,
    /// Nodes.
    pub nodes: Option<i64>,
    /// Moves to a forced win or loss.
    pub mate: Option<i64>,
    /// Milliseconds.
    pub movetime: Option<i64>,
    /// Until `stop`.
    pub infinite: bool,
}

impl Go {
    /// Every sub-command that takes a number, by its word, in the order in which they are written.
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
        if !self.searchmoves.is_empty() {
            write!(f, " searchmoves {}", self.searchmoves.join(" "))?;
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
            Command::Bench { depth, hash } => {
                f.write_str("bench")?;
                [depth, hash].into_iter().flatten().try_for_each(|number| write!(f, " {number}"))
            }
            Command::GenFens { count, seed, book } => {
                write!(f, "genfens {count} seed {seed} book {}", book.as_deref().unwrap_or("None"))
            }
            Command::Help => f.write_str("help"),
        }
    }
}
