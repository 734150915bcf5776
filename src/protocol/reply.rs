//! The replies of the engine as values. `Display` gives the exact line, without the line end.

use super::UciOption;
use crate::game::{self, Bound, Side};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// One line to the client; [`Reply::Raw`] and [`Reply::InfoString`] can be several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name`: the engine's name and version.
    IdName(String),
    /// `id author`: the engine's authors.
    IdAuthor(&'static str),
    /// `option ...`: a declared option.
    Option(UciOption),
    /// `uciok`: the end of the reply to `uci`.
    UciOk,
    /// `readyok`: the reply to `isready`.
    ReadyOk,
    /// `info ... pv ...`: a principal variation.
    Info(Box<Info>),
    /// `info depth 0 score ...`: the root has no legal moves.
    NoLegalMoves {
        /// The score for the side to move.
        score: Score,
        /// Why the game is over, if the rules know several reasons.
        reason: Option<&'static str>,
    },
    /// `info ... currmove ...`: the search has started this root move.
    CurrMove {
        /// The depth of the iteration, in plies.
        depth: i32,
        /// The root move.
        mv: String,
        /// Its move count, from 1.
        number: usize,
    },
    /// `info string ...`: a message to the user, one line per line of text.
    InfoString(String),
    /// `info string variant ...`: another game is set.
    Variant {
        /// Its name.
        name: &'static str,
        /// Its start position, which is the position now.
        start: String,
        /// The scores in one unit that people read.
        score_unit: i32,
    },
    /// `bestmove ...`: the end of a search; `(none)` if there is no legal move.
    BestMove {
        /// The move to play.
        best: Option<String>,
        /// The expected reply.
        ponder: Option<String>,
        /// The time from the command that started the search to its end.
        elapsed: Duration,
    },
    /// The position, for a person who plays. Protocols have no line for it.
    Board(Box<Board>),
    /// Plain lines: the output of the commands that are not standard.
    Raw(String),
    /// The command of [`Request::Ask`](super::Request::Ask) with this number has been executed.
    Done {
        /// The number.
        id: u64,
        /// The command's output, which is often empty, or one line that says why it was refused.
        result: Result<String, String>,
    },
}

/// The position of a game and how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The game's name, a value of `UCI_Variant`.
    pub variant: &'static str,
    /// The names of the sides, the first player's first.
    pub sides: [&'static str; 2],
    /// The side to move.
    pub side: Side,
    /// The position in ASCII, but in xiangqi.
    pub diagram: String,
    /// The position with the characters of the game's players.
    pub picture: String,
    /// The moves played, each with its side, as people write them.
    pub played: Vec<(Side, String)>,
    /// The last move in the script of the game's players, if they have one.
    pub last_native: Option<String>,
    /// The legal moves.
    pub moves: Vec<WrittenMove>,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The result with its reason, if the game is over.
    pub result: Option<String>,
}

/// A move in the ways in which it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenMove {
    /// As UCI writes it.
    pub uci: String,
    /// As people write it.
    pub text: String,
    /// In the script of the game's players, if they have one.
    pub native: Option<String>,
}

/// The lines of `text`, each after `prefix` and a blank.
pub fn prefixed(prefix: &str, text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("{prefix} {}", line.trim_end())).collect();
    lines.join("\n")
}

/// The fields of an `info` line, in their order. The search log has most of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Info {
    /// The depth of the iteration, in plies.
    pub depth: i32,
    /// The largest ply reached (selective depth).
    pub seldepth: usize,
    /// The rank of this line, from 1.
    pub multipv: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Written as `lowerbound` or `upperbound` unless the score is exact.
    pub bound: Bound,
    /// Win, draw and loss rates in per mille.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wdl: Option<[u16; 3]>,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// The used part of the hash table in per mille.
    pub hashfull: u16,
    /// The number of endgame table hits.
    #[serde(skip)]
    pub tbhits: u64,
    /// Milliseconds since the start of the search.
    #[serde(rename = "time_ms")]
    pub time: u64,
    /// The moves of the principal variation.
    pub pv: Vec<String>,
}

/// A score in the protocol's units, for the side to move at the root. In JSON `{"cp":31}` or `{"mate":-2}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Centipawns, or the points of another game.
    Cp(i32),
    /// Moves to the forced end: positive for a win, negative for a loss, 0 if the side to move has lost.
    Mate(i32),
}

impl Score {
    /// Centipawns of a win of unknown length that is proved now, as other engines send it. One less for each ply to the proof.
    const WIN: i32 = 20_000;
    const MAX_CP: i32 = Score::WIN - game::Ply::MAX.index() as i32 - 1;

    /// Whether this is a win or loss of unknown length that is proved, by an endgame table.
    pub fn is_proved(self) -> bool {
        matches!(self, Score::Cp(value) if value.abs() > Score::MAX_CP)
    }
}

impl From<game::Score> for Score {
    fn from(score: game::Score) -> Score {
        let won =
            |plies: u32| if score.is_win() { Score::WIN - plies as i32 } else { plies as i32 - Score::WIN };
        match (score.moves_to_mate(), score.plies_to_proof()) {
            // In UCI, mate in 0 is lost for the side to move.
            (Some(0), _) if score.is_win() => Score::Cp(Score::WIN),
            (Some(moves), _) => Score::Mate(moves),
            (None, Some(plies)) => Score::Cp(won(plies)),
            (None, None) => Score::Cp(score.value().clamp(-Score::MAX_CP, Score::MAX_CP)),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cp(value) => write!(f, "cp {value}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Info { depth, seldepth, multipv, score, nodes, nps, hashfull, tbhits, time, .. } = self;
        write!(f, "info depth {depth} seldepth {seldepth} multipv {multipv} score {score}")?;
        match self.bound {
            Bound::Exact => {}
            Bound::Lower => f.write_str(" lowerbound")?,
            Bound::Upper => f.write_str(" upperbound")?,
        }
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        write!(f, " nodes {nodes} nps {nps} hashfull {hashfull} tbhits {tbhits} time {time} pv")?;
        self.pv.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::IdName(name) => write!(f, "id name {name}"),
            Reply::IdAuthor(author) => write!(f, "id author {author}"),
            Reply::Option(option) => option.fmt(f),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => info.fmt(f),
            Reply::NoLegalMoves { score, .. } => write!(f, "info depth 0 score {score}"),
            Reply::CurrMove { depth, mv, number } => {
                write!(f, "info depth {depth} currmove {mv} currmovenumber {number}")
            }
            Reply::InfoString(text) => f.write_str(&prefixed("info string", text)),
            Reply::Variant { name, start, .. } => {
                write!(f, "info string variant {name}, position set to its start: {start}")
            }
            Reply::BestMove { best, ponder, .. } => {
                write!(f, "bestmove {}", best.as_deref().unwrap_or("(none)"))?;
                ponder.iter().try_for_each(|ponder| write!(f, " ponder {ponder}"))
            }
            Reply::Board(board) => f.write_str(&board.diagram),
            Reply::Raw(text) | Reply::Done { result: Ok(text) | Err(text), .. } => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_gives_the_reply_line() {
        let info = Info {
            depth: 7,
            seldepth: 12,
            multipv: 1,
            score: Score::Cp(-31),
            bound: Bound::Exact,
            wdl: None,
            nodes: 1234,
            nps: 56789,
            hashfull: 3,
            tbhits: 0,
            time: 21,
            pv: vec!["e2e4".into(), "e7e5".into()],
        };
        let line = |info: Info| Reply::Info(Box::new(info)).to_string();
        let tail = "nodes 1234 nps 56789 hashfull 3 tbhits 0 time 21 pv e2e4 e7e5";
        assert_eq!(line(info.clone()), format!("info depth 7 seldepth 12 multipv 1 score cp -31 {tail}"));
        let bound =
            Info { score: Score::Mate(3), bound: Bound::Lower, wdl: Some([1000, 0, 0]), multipv: 2, ..info };
        assert_eq!(
            line(bound),
            format!("info depth 7 seldepth 12 multipv 2 score mate 3 lowerbound wdl 1000 0 0 {tail}")
        );
        let mate = Reply::NoLegalMoves { score: Score::Mate(0), reason: Some("checkmate") };
        assert_eq!(mate.to_string(), "info depth 0 score mate 0");
        assert_eq!(
            Reply::BestMove { best: None, ponder: None, elapsed: Duration::ZERO }.to_string(),
            "bestmove (none)"
        );
        let both = Reply::BestMove {
            best: Some("e2e4".into()),
            ponder: Some("e7e5".into()),
            elapsed: Duration::ZERO,
        };
        assert_eq!(both.to_string(), "bestmove e2e4 ponder e7e5");
        assert_eq!(Reply::InfoString("a \nb".into()).to_string(), "info string a\ninfo string b");
        let current = Reply::CurrMove { depth: 20, mv: "a2a3".into(), number: 4 };
        assert_eq!(current.to_string(), "info depth 20 currmove a2a3 currmovenumber 4");
    }
}
