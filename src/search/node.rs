//! The data of a node: its kind, its stack entry, what is known before its first move, and the root moves.

use super::history::HistoryIndex;
use super::report::PvLine;
use crate::game::{Bound, Depth, Move, Ply, Score, Side, Window};
use std::cmp::Reverse;

/// The kind of a node, a compile-time parameter of the search functions.
pub trait Node {
    /// Whether the node needs an exact score and a PV, not only a bound.
    const PV: bool;
    const ROOT: bool = false;
}

pub struct Root;
/// A PV node: searched with an open window.
pub struct Pv;
/// A node searched with a null window.
pub struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
}

impl Node for NonPv {
    const PV: bool = false;
}

/// Facts about a node, known before its first move is searched.
#[derive(Clone, Copy, Debug)]
pub struct NodeInfo {
    /// Remaining depth, in plies.
    pub depth: Depth,
    /// Distance from the root, in plies.
    pub ply: Ply,
    /// The window, from the point of view of the side to move. Alpha rises while the moves are searched.
    pub window: Window,
    pub pv: bool,
    /// Whether the node is a PV node, or was one when its TT entry was stored.
    pub tt_pv: bool,
    /// Whether the node is expected to fail high.
    pub cut_node: bool,
    /// The corrected static evaluation for the side to move; `None` in check.
    pub static_eval: Option<Score>,
    /// The static evaluation, replaced by the TT score where that is a better estimate; `None` in check.
    pub eval: Option<Score>,
    /// Whether the static evaluation is higher than at the side's previous turn.
    pub improving: bool,
    /// Whether the opponent's last move lowered the opponent's static evaluation.
    pub opponent_worsening: bool,
}

/// The best move of a node so far.
pub struct Best {
    /// The highest score so far (fail-soft: it may lie outside the window).
    pub score: Score,
    /// The move that raised alpha, if one did.
    pub mv: Option<Move>,
}

impl Best {
    /// What the score says of the value of a node of kind `N` that was searched with `window`.
    pub fn bound<N: Node>(&self, window: Window) -> Bound {
        match self.score {
            score if score >= window.beta => Bound::Lower,
            _ if N::PV && self.mv.is_some() => Bound::Exact,
            _ => Bound::Upper,
        }
    }
}

/// How to search a move that has just been played.
pub struct MoveSearch {
    /// The side that played the move.
    pub stm: Side,
    /// The window, from the point of view of `stm`.
    pub window: Window,
    /// Depth of the child before the reduction, in plies.
    pub depth: Depth,
    /// Late move reduction of the first search, in plies.
    pub reduction: i32,
    /// The number of the move at its node, counted from 1.
    pub move_count: usize,
    /// Whether the node that plays the move is expected to fail high.
    pub cut_node: bool,
}

/// One ply of the search stack.
#[derive(Clone, Debug, Default)]
pub struct StackEntry {
    /// The evaluator's static evaluation without corrections; `None` in check.
    pub raw_eval: Option<Score>,
    /// The corrected static evaluation; `None` in check.
    pub static_eval: Option<Score>,
    /// The move played at this ply; `None` for a null move.
    pub played: Option<PlayedMove>,
    /// The history score of the move played at this ply; 0 for a noisy one.
    pub history: i32,
    /// The last two quiet moves that caused a cutoff at this ply.
    pub killers: [Option<Move>; 2],
    /// The current late move reduction, in plies; 0 outside of a reduced search.
    pub reduction: i32,
    /// The number of fail highs at this ply since the node two plies above was entered.
    pub cutoff_count: i32,
    /// The move excluded by a singular search.
    pub excluded: Option<Move>,
    /// The number of double extensions on the path from the root.
    pub double_extensions: i32,
    pub pv: Vec<Move>,
}

/// A played move and its places in the history tables.
#[derive(Clone, Copy, Debug)]
pub struct PlayedMove {
    /// The move's own history counters.
    pub history_index: HistoryIndex,
    pub noisy: bool,
}

#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// The score of its last search; `None` if it did not raise alpha and was not the first move.
    pub score: Option<Score>,
    /// Its last known score of an earlier iteration, or the root's static evaluation.
    pub previous: Score,
    /// Its rank by endgame tables; 0 for all moves without tables.
    pub rank: i32,
    /// Its score by endgame tables.
    pub tb_score: Option<Score>,
    /// The last PV to report that begins with this move.
    pub line: PvLine,
    /// Nodes searched below this move by this thread.
    pub nodes: u64,
}

/// Sorts the moves, best first by rank, then by score; equal moves keep their order. Not generic, so that it is compiled
/// once for all games.
pub fn sort_root_moves(root_moves: &mut [RootMove]) {
    root_moves.sort_by_key(|root| Reverse((root.rank, root.score)));
}
