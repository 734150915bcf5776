//! Positions and moves as text: reading and writing.

use super::{Game, GameOption, Move, OptionValues};
use std::borrow::Cow;

/// A position that was read, with warnings about corrected parts.
#[derive(Clone, Debug)]
pub struct Parsed<G> {
    /// The position.
    pub game: G,
    /// One sentence for each part of the text that was impossible in this position and was corrected.
    pub warnings: Vec<String>,
}

/// The error for a text that is no position or no legal move: what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotationError(String);

impl NotationError {
    /// Builds the message "`expected`, got `found`"; [`quote`] shortens `found`.
    pub fn new(expected: impl std::fmt::Display, found: &str) -> NotationError {
        NotationError(format!("{expected}, got {}", quote(found)))
    }

    /// Builds an error from a complete message.
    pub fn message(message: impl Into<String>) -> NotationError {
        NotationError(message.into())
    }
}

/// Quotes `text` for a one-line message: control characters escaped, at most 80 characters, "..." if cut.
pub fn quote(text: &str) -> String {
    let cut: String = text.chars().take(MAX_QUOTED_CHARS).collect();
    let dots = if cut.len() < text.len() { "..." } else { "" };
    format!("{cut:?}{dots}")
}

/// Writes a score in units of `unit`, see [`Notation::SCORE_UNIT`]: with as many decimals as needed, at most two.
pub fn units_text(score: i32, unit: i32) -> String {
    let decimals = match unit {
        1 => 0,
        2..=10 => 1,
        _ => 2,
    };
    format!("{:.decimals$}", f64::from(score) / f64::from(unit))
}

const MAX_QUOTED_CHARS: usize = 80;

/// An opening of chess.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct OpeningName {
    /// The code of the Encyclopaedia of Chess Openings, such as `C50`.
    pub eco: Cow<'static, str>,
    /// The name, such as `Italian Game: Giuoco Pianissimo`.
    pub name: Cow<'static, str>,
}

/// Text formats of a game: positions, moves and diagrams.
///
/// One type may serve several variants, with boards and rules of their own. A position knows its variant, and any position of it
/// gives the start of its games and reads others.
pub trait Notation: Game {
    /// The number of numbered start positions, see [`Notation::start_position`].
    const START_COUNT: u32 = 1;

    /// The first plies of a game, whose positions repeat from game to game: no network is trained on them.
    const OPENING_PLIES: usize = 16;

    /// The names of White, who moves first, and of Black.
    const SIDE_NAMES: [&'static str; 2] = ["White", "Black"];

    /// The scores in one unit that people read: 100 in chess, where a score is in centipawns and people read pawns. A
    /// game whose points come in halves counts half points and has 2.
    const SCORE_UNIT: i32 = 1;

    /// The options that this game has and others have not.
    const OPTIONS: &'static [GameOption<Self>] = &[];

    /// Returns the name of the variant, a value of `UCI_Variant`.
    fn variant(&self) -> &'static str;

    /// S0: returns the position in which a game of the variant starts.
    fn initial(&self) -> Self;

    /// Returns the start of the games of `variant`, `None` if its positions are not of this type.
    fn initial_of(&self, variant: &str) -> Option<Self> {
        (variant == self.variant()).then(|| self.initial())
    }

    /// Returns the start position with this number, `None` from [`Notation::START_COUNT`] on.
    ///
    /// Number 0 is [`Notation::initial`]; chess numbers its Chess960 positions. Game files store these numbers,
    /// so they must never change.
    fn start_position(&self, number: u32) -> Option<Self> {
        (number == 0).then(|| self.initial())
    }

    /// Returns the positions of the command `bench`, as texts; empty if the variant has none.
    fn bench_positions(&self) -> &'static [&'static str] {
        &[]
    }

    /// Reads a position of the variant: the text between the words `fen` and `moves` of the command `position`.
    ///
    /// # Errors
    /// If the text is no position of the variant.
    fn parse_position(&self, text: &str) -> Result<Parsed<Self>, NotationError>;

    /// Writes a position so that [`Notation::parse_position`] reads it back, except for its move history and its options.
    fn position_text(&self) -> String;

    /// Writes a position as game files store it: the same text whatever its options.
    fn record_text(&self) -> String {
        self.position_text()
    }

    /// Returns the position's own name: in a game tree, that of the node. `None` if the game names no positions.
    fn position_name(&self) -> Option<&str> {
        None
    }

    /// Returns the name of the opening that this position belongs to, if it is one of the game's named positions.
    fn opening(&self) -> Option<OpeningName> {
        None
    }

    /// Returns the key of this position in opening books of Polyglot's format, or `None` if the game has no such books.
    fn book_key(&self) -> Option<u64> {
        None
    }

    /// Returns the code of a legal move in such a book.
    fn book_move(&self, mv: Move) -> u16 {
        mv.bits()
    }

    /// Reads a legal move of this position, in any of the game's notations and in upper or lower case.
    ///
    /// # Errors
    /// If the text is no move or the move is not legal here.
    fn parse_move(&self, text: &str) -> Result<Move, NotationError>;

    /// Writes a legal move of this position.
    fn move_text(&self, mv: Move) -> String;

    /// Reads a legal move as game records and test suites write it: in chess, standard algebraic notation (SAN).
    ///
    /// # Errors
    /// As [`Notation::parse_move`].
    fn parse_san(&self, text: &str) -> Result<Move, NotationError> {
        self.parse_move(text)
    }

    /// Writes a legal move as [`Notation::parse_san`] reads it.
    fn san_text(&self, mv: Move) -> String {
        self.move_text(mv)
    }

    /// Writes a legal move as its players do in a script of their own, if they have one; [`Notation::parse_san`] reads it.
    fn native_text(&self, _mv: Move) -> Option<String> {
        None
    }

    /// Draws the position as text of several lines.
    fn diagram(&self) -> String;

    /// Draws the position with the characters of its players, for a terminal that has Unicode.
    fn picture(&self) -> String {
        self.diagram()
    }

    /// Sets those of the options `values` that the game has. A position that is read or begins a game has the defaults.
    fn set_options(&mut self, values: &OptionValues) {
        for option in Self::OPTIONS {
            if let Some(&value) = values.get(option.name) {
                (option.apply)(self, value);
            }
        }
    }

    /// Whether random games begin at any of the numbered start positions, not at [`Notation::initial`].
    fn has_random_start(&self) -> bool {
        false
    }

    /// Returns why the game is over or may be claimed as a draw; `None` if it is neither, or if the rules know only one reason.
    fn outcome_reason(&self) -> Option<&'static str> {
        None
    }

    /// Returns the points of the first player, in the unit of scores, if the game ended now; `None` in a game without points.
    fn points_now(&self) -> Option<i32> {
        None
    }

    /// Returns the position with the other side to move, or `None` if the rules of the game have no such position.
    fn with_other_turn(&self) -> Option<Self> {
        None
    }

    /// Returns the position with colours swapped, or `None` if the rules differ for the two sides.
    fn flipped(&self) -> Option<Self> {
        None
    }
}
