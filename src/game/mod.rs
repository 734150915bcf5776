//! The interface of two-player zero-sum games: rules, notation, evaluation and the value types of a search.
//!
//! This layer depends on no particular game, search or protocol.

mod board_stack;
pub mod conformance;
mod const_for;
mod drop_text;
mod evaluate;
pub(crate) mod fen;
mod heuristics;
mod keys;
mod network_text;
mod networked;
mod notation;
mod options;
pub mod perft;
mod pieces;
mod score;
mod search_params;
mod square_set;
mod tablebase;
mod tapered_score;
mod tune;
mod variant;
mod weights;

pub use board_stack::{BoardStack, StackedBoard};
pub(crate) use const_for::const_for;
pub use drop_text::{DropBoard, file_letter, with_stones};
pub use evaluate::{Evaluator, Term, Wdl};
pub use heuristics::{Heuristics, MAX_CORRECTION_KEYS};
pub use keys::SplitMix64;
pub use network_text::{NetworkText, count_ranges};
pub use networked::Networked;
pub use notation::{Notation, NotationError, OpeningName, Parsed, quote, units_text};
pub use options::{GameOption, GameOptionKind, OptionValues};
pub(crate) use pieces::{
    GenType, PIECE_STATES, exchange_values, features_of_pieces, game_of_boards, heuristics_of_boards,
    networks_of_pieces, piece_board, piece_count_bucket, piece_count_ranges, pieces, raise_state,
};
pub use score::{Bound, Depth, Ply, Score, Window};
pub(crate) use search_params::parameters;
pub use search_params::{Parameter, SearchParams};
pub(crate) use square_set::square_set;
pub use tablebase::{Probing, RankedMoves, TableFiles, TableResult, Tablebase};
pub use tapered_score::TaperedScore;
pub use tune::{Tunable, WeightCounts};
pub use variant::Variant;
pub(crate) use weights::weights;
pub use weights::{WEIGHTS_FILE_HEADING, Weight, Weights};

use arrayvec::ArrayVec;
use std::num::NonZeroU16;
use std::ops::Not;

/// The two players. In the notation of the textbooks White is MAX and Black is MIN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Side {
    /// The player who moves first at the game's start: MAX.
    #[default]
    White,
    /// The other player: MIN.
    Black,
}

impl Side {
    /// Both sides, in order of play.
    pub const ALL: [Side; 2] = [Side::White, Side::Black];

    /// Returns 0 for White and 1 for Black.
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

/// A move of any game: 16 bits in the game's own encoding, never 0.
///
/// All games share this type, so that one transposition table, one set of history tables and one report type serve all of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

impl Move {
    /// Wraps a game's encoding of a move.
    ///
    /// # Panics
    /// If `bits` is 0, which means "no move" in the transposition table.
    pub const fn new(bits: u16) -> Move {
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => panic!("0 is not a move"),
        }
    }

    /// Returns the game's encoding, as given to [`Move::new`].
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The inverse of [`Move::pack`].
    pub const fn unpack(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// Returns 16 bits for a table entry; 0 means "no move".
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

/// The most legal moves of one position. Chess needs 218, gomoku on a 20x20 board 400.
pub const MAX_MOVES: usize = 400;

/// A list of moves of one position, on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// The result of a game, not relative to a side. [`Score::from_outcome`] converts it to a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side has won. A search prefers the shortest win.
    Win(Side),
    /// The game is drawn.
    Draw,
    /// White's points minus Black's.
    Points(i32),
}

/// A result that the rules grant although moves are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A draw: repetition, a move-count rule, insufficient material.
    Draw,
    /// This side wins because its opponent broke a rule about repetition, such as perpetual check in xiangqi. The
    /// result depends on the moves that led here, so the search stores no score that rests on it.
    Win(Side),
    /// The game ends with these points: White's minus Black's. They depend on the moves that led here; see
    /// [`Heuristics::claim_reach`].
    Points(i32),
}

impl From<Claim> for Outcome {
    fn from(claim: Claim) -> Outcome {
        match claim {
            Claim::Draw => Outcome::Draw,
            Claim::Win(side) => Outcome::Win(side),
            Claim::Points(points) => Outcome::Points(points),
        }
    }
}

/// The rules of a two-player zero-sum game of perfect information.
///
/// The names in capitals are those of Russell and Norvig, "Artificial Intelligence: A Modern Approach",
/// chapter "Adversarial Search": start state S0 ([`Notation::initial`]), PLAYER(s), ACTIONS(s), RESULT(s, a),
/// TERMINAL-TEST(s) and UTILITY(s). A value of the type is a state and the part of its history that the rules
/// need, such as earlier positions for repetitions.
///
/// # Examples
///
/// A complete game: one-pile Nim. A player takes one to three stones; taking the last stone wins.
///
/// ```
/// use duiyi::game::{
///     Depth, Evaluator, Game, Heuristics, Move, MoveList, Outcome, Ply, Score, Side, perft::perft,
/// };
/// use duiyi::textbook::{Method, Order, Searcher};
///
/// #[derive(Clone)]
/// struct Nim {
///     stones: u16,
///     side: Side,
/// }
///
/// impl Game for Nim {
///     fn side_to_move(&self) -> Side {
///         self.side
///     }
///     fn legal_moves(&self, moves: &mut MoveList) {
///         moves.extend((1..=self.stones.min(3)).map(Move::new));
///     }
///     fn play(&mut self, mv: Move) {
///         self.stones -= mv.bits();
///         self.side = !self.side;
///     }
///     fn undo(&mut self, mv: Move) {
///         self.side = !self.side;
///         self.stones += mv.bits();
///     }
///     fn outcome(&self) -> Option<Outcome> {
///         (self.stones == 0).then_some(Outcome::Win(!self.side))
///     }
///     fn key(&self) -> u64 {
///         u64::from(self.stones) << 1 | self.side as u64
///     }
/// }
///
/// let mut game = Nim { stones: 4, side: Side::White };
/// assert_eq!(perft(&mut game, 2, &mut || false), Some(3 + 2 + 1));
///
/// // With an evaluator and an empty `Heuristics` every search of the crate can play it.
/// impl Heuristics for Nim {}
///
/// #[derive(Default)]
/// struct Zero;
///
/// impl Evaluator<Nim> for Zero {
///     fn evaluate(&mut self, _: &Nim) -> Score {
///         Score::ZERO
///     }
/// }
///
/// let mut never = |_: u64| false;
/// let mut searcher = Searcher::<_, Zero>::new(game, Method::Negamax, Order::Natural, &mut never);
/// let iteration = searcher.search(Depth::new(4)).unwrap();
/// // Four stones are a loss: whatever the first player takes, the second player takes the rest.
/// assert_eq!(iteration.value, Score::mated_in(Ply::new(2)));
/// ```
pub trait Game: Clone + Send + 'static {
    /// Whether every move passes the turn, so that the search need not compare sides after a move. It is
    /// `false` in Triangle War, where a player who closes a triangle moves again.
    const ALTERNATES: bool = true;

    /// PLAYER(s): returns the side to move.
    fn side_to_move(&self) -> Side;

    /// ACTIONS(s): appends every legal move, in an order that depends on the position alone. Appends none if
    /// and only if [`Game::outcome`] is `Some`. Of moves that its knowledge rates equal, a search tries the last
    /// one first.
    fn legal_moves(&self, moves: &mut MoveList);

    /// RESULT(s, a): plays `mv` in place. `mv` must be legal; games check that under debug assertions only.
    fn play(&mut self, mv: Move);

    /// Takes back `mv`, which must be the last move played.
    fn undo(&mut self, mv: Move);

    /// TERMINAL-TEST(s) and UTILITY(s): returns the outcome if the game is over, else `None`.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns a hash of everything that determines the legal continuations: the side to move is part of it,
    /// the move history is not.
    fn key(&self) -> u64;

    // Provided methods: a game overrides them to be faster, or for rules about claims.

    /// Returns the result that the rules grant although moves are left.
    ///
    /// `ply` is the distance from the root of the search. A first repetition counts if the earlier position
    /// is within the search; otherwise the game's own rule applies.
    fn claim(&self, ply: Ply) -> Option<Claim> {
        let _ = ply;
        None
    }

    /// Returns the outcome if the game is over, or the result that can be claimed now, else `None`.
    fn outcome_or_claim(&self) -> Option<Outcome> {
        self.outcome().or_else(|| self.claim(Ply::ROOT).map(Outcome::from))
    }

    /// Whether `mv` is legal here. `mv` may be any value, since a TT collision can return any move.
    fn is_legal(&self, mv: Move) -> bool {
        self.moves().contains(&mv)
    }

    /// Returns the number of legal moves.
    fn count_moves(&self) -> usize {
        self.moves().len()
    }

    /// Returns the legal moves.
    fn moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves
    }
}
