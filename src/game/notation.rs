//! A game's positions and moves as text, both ways.

use super::{Game, Move};

/// How to write moves where a game's community has more than one custom. Reading accepts them all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotationOptions {
    /// Chess castling as "king takes own rook", and castling rights by the rook's file.
    pub chess960: bool,
}

/// A position that was read, with what had to be put right in it.
#[derive(Clone, Debug)]
pub struct Parsed<G> {
    /// The position.
    pub game: G,
    /// One sentence for each thing that the text said and the position cannot have.
    pub warnings: Vec<String>,
}

/// Why a text is no position or no legal move: what was expected, what came.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotationError(String);

impl NotationError {
    /// An error that `expected` one thing and got `came`, which is quoted and cut to length.
    pub fn new(expected: impl std::fmt::Display, came: &str) -> NotationError {
        NotationError(format!("{expected}, got {}", quote(came)))
    }

    /// An error that needs no quotation.
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

/// The number of characters that `quote` keeps.
const MAX_QUOTED_CHARS: usize = 80;

/// The text side of a game.
pub trait Notation: Game {
    /// The game's name as a value of `UCI_Variant`.
    const VARIANT: &'static str;

    /// How many numbered starts there are, see [`Notation::numbered_start`].
    const START_COUNT: u32 = 1;

    /// The positions of the command `bench`, as texts; empty if the game has none.
    const BENCH: &'static [&'static str] = &[];

    /// S0: the position in which a game starts.
    fn start() -> Self;

    /// The starts that have numbers, below [`Notation::STARTS`]: 0 is [`Notation::start`], others are the game's
    /// own. Files of games keep the numbers.
    fn start_position(number: u32) -> Option<Self> {
        (number == 0).then(Self::start)
    }

    /// Reads a position: everything between the protocol's words `fen` and `moves`.
    fn parse_position(text: &str) -> Result<Parsed<Self>, NotationError>;

    /// Writes a position so that [`Notation::parse_position`] gives it back, its past excepted.
    fn position_text(&self, style: NotationOptions) -> String;

    /// Reads a legal move of this position, in any style and any case.
    fn parse_move(&self, text: &str) -> Result<Move, NotationError>;

    /// Writes a move of this position.
    fn move_text(&self, mv: Move, style: NotationOptions) -> String;

    /// Reads a legal move as people write it in records of games and in collections of problems: in chess standard
    /// algebraic notation.
    fn parse_san(&self, text: &str) -> Result<Move, NotationError> {
        self.parse_move(text)
    }

    /// Writes a move of this position like that.
    fn san_text(&self, mv: Move) -> String {
        self.move_text(mv, NotationOptions::default())
    }

    /// A picture of the position in text, several lines, for people to read.
    fn diagram(&self) -> String;

    /// The position with the sides exchanged, if the game's rules are the same for both.
    fn flipped(&self) -> Option<Self> {
        None
    }
}
