//! Endgame tables as a search sees them. The files and their format belong to a game.

use super::{Depth, Move, Score};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The result of a position with best play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableResult {
    /// A win. Its length is not known.
    Win,
    /// A draw. The value orders draws: it is small, and 0 unless one side only just misses a win.
    Draw(Score),
    /// A loss. Its length is not known.
    Loss,
}

/// When and how a search uses endgame tables: the options of the same meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probing {
    /// The smallest remaining depth at which a position with the most pieces is looked up.
    pub min_depth: Depth,
    /// The most pieces of a position that is looked up.
    pub max_pieces: u32,
    /// Whether a win counts only if the fifty-move rule cannot take it away.
    pub fifty_move_rule: bool,
}

impl Default for Probing {
    fn default() -> Probing {
        Probing { min_depth: Depth::ONE, max_pieces: 7, fifty_move_rule: true }
    }
}

/// What tables know about the moves of the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedMoves {
    /// For each move its rank and its score. A move of the highest rank keeps the result of the position.
    pub moves: Vec<(i32, Score)>,
    /// Whether repeated searches among the best moves reach the result without further probes.
    pub ensures_progress: bool,
}

/// The endgame tables of the game `G`. Search threads share them.
pub trait Tablebase<G>: Debug + Send + Sync {
    /// Returns the result of `game`, which is searched to `depth`; `None` if no table has it.
    fn probe(&self, game: &G, depth: Depth, probing: &Probing) -> Option<TableResult>;

    /// Returns the ranks of `moves`, which are legal in `game`; `None` if the tables do not have all of them.
    fn rank_moves(&self, game: &G, moves: &[Move], probing: &Probing) -> Option<RankedMoves>;

    /// Returns what the tables are, in words for the user; `None` if there are none.
    fn summary(&self) -> Option<String>;

    /// Returns what was wrong with tables since the last call, one line for the user each.
    fn take_problems(&self) -> Vec<String>;
}

/// The files that may be endgame tables.
#[derive(Clone, Debug)]
pub struct TableFiles {
    /// The path of each file, by the name of the file.
    pub paths: BTreeMap<String, PathBuf>,
    /// Opens one of the files for reading.
    pub open: fn(&Path) -> io::Result<File>,
}
