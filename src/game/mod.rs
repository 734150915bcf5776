//! What a two-player zero-sum game is. Knows no particular game, no search and no protocol.

pub mod conformance;
mod evaluate;
mod heuristics;
mod keys;
mod notation;
pub mod perft;
mod score;
mod tune;

pub use evaluate::{Evaluator, Term, Wdl};
pub use heuristics::{Heuristics, MAX_CORRECTION_KEYS};
pub use keys::SplitMix64;
pub use notation::{Notation, NotationError, NotationOptions, Parsed, quote};
pub use score::{Bound, Depth, Ply, Score, Window};
pub use tune::Tunable;

use arrayvec::ArrayVec;
use std::num::NonZeroU16;
use std::ops::Not;

/// The two players. `White` moves first and is MAX in the texts, `Black` is MIN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Side {
    /// The player who moves first: MAX.
    White,
    /// The other player: MIN.
    Black,
}

impl Side {
    /// Both sides, in order of play.
    pub const ALL: [Side; 2] = [Side::White, Side::Black];

    /// 0 for White, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// A move of any game, packed into 16 bits that only the game can read, never 0.
///
/// One concrete type for all games is what lets one transposition table, one set of histories
/// and one report type serve them all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

impl Move {
    /// Wraps a game's own bits. Panics on 0, which means "no move" in the table.
    pub const fn new(bits: u16) -> Move {
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => panic!("0 is not a move"),
        }
    }

    /// The bits that `new` was given.
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Reads what [`Move::pack`] wrote.
    pub const fn unpack(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// Sixteen bits for a table entry: 0 is "no move".
    pub const fn pack(mv: Option<Move>) -> u16 {
        match mv {
            Some(mv) => mv.bits(),
            None => 0,
        }
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Move({:#06x})", self.bits())
    }
}

/// Room for the moves of one position: chess has at most 218, a 19x19 board 362.
pub const MAX_MOVES: usize = 384;

/// The legal moves of one position, on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// How a game ended, seen from nowhere: [`Score::of`] is the one place that turns it into a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side has won; a search prefers the win that comes sooner.
    Win(Side),
    /// Nobody has won.
    Draw,
    /// The game pays White this many points and Black as many less.
    Points(i32),
}

/// The rules of a two-player zero-sum game of perfect information.
///
/// The texts' definition reads: start state S0 ([`Notation::start`]), PLAYER(s), ACTIONS(s),
/// RESULT(s, a), TERMINAL-TEST(s) and UTILITY(s); each method says which of these it is.
/// A value of the type is a state *with* what the rules need of its past (repetition).
pub trait Game: Clone + Send + 'static {
    /// Whether the turn passes with every move. Where it is `true` the compiler drops the
    /// question from the search; Triangle War, where who closes a triangle moves again, says `false`.
    const ALTERNATES: bool = true;

    /// PLAYER(s): whose turn it is.
    fn side_to_move(&self) -> Side;

    /// ACTIONS(s): appends every legal move, in an order that depends on the position alone.
    /// Appends none exactly if [`Game::outcome`] is `Some`.
    fn legal_moves(&self, moves: &mut MoveList);

    /// RESULT(s, a), in place. `mv` must be legal; the game checks it under debug assertions only.
    fn play(&mut self, mv: Move);

    /// Takes back `mv`, the last move played.
    fn undo(&mut self, mv: Move);

    /// TERMINAL-TEST(s) and UTILITY(s): the outcome if no game is left, `None` while one is.
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of everything that decides how the game can go on, side to move included, past excluded.
    fn key(&self) -> u64;

    // Derived: a game overrides these when it can do better or its rules have more to say.

    /// The outcome that may be claimed here though moves are left: repetition, a move-count rule,
    /// too little material. `ply` is the distance from the search's root: a repetition that lies
    /// wholly within the search counts at once, an older one by the letter of the rule.
    fn claim(&self, ply: Ply) -> Option<Outcome> {
        let _ = ply;
        None
    }

    /// Whether `mv`, which may come from anywhere (a hash collision too), is legal here.
    fn is_legal(&self, mv: Move) -> bool {
        self.moves().contains(&mv)
    }

    /// How many legal moves there are.
    fn count_moves(&self) -> usize {
        self.moves().len()
    }

    /// The legal moves as a value.
    fn moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves
    }
}
