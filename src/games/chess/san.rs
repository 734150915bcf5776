//! Standard algebraic notation (SAN), section 8.2.3 of the PGN standard. Writing follows the standard, parsing is lenient.

use super::bitboard::{PieceType, Square};
use super::board::Board;
use super::moves::{ChessMove, PROMOTIONS};
use crate::game::{Move, NotationError};

fn is_kingside(castling: Move) -> bool {
    castling.to().file() > castling.from().file()
}

/// The SAN of a legal move of `board`, with check or mate mark.
pub(super) fn write(board: &Board, mv: Move) -> String {
    let mut text = if mv.is_castling() {
        if is_kingside(mv) { "O-O" } else { "O-O-O" }.to_string()
    } else {
        let mut text = String::new();
        match board.piece_on(mv.from()).kind() {
            Some(PieceType::Pawn) | None if mv.is_capture() => text.push(file_letter(mv.from())),
            Some(PieceType::Pawn) | None => {}
            Some(piece) => {
                text.push(piece.letter().to_ascii_uppercase());
                text.push_str(&disambiguation(board, mv));
            }
        }
        if mv.is_capture() {
            text.push('x');
        }
        text.push_str(&mv.to().to_string());
        if let Some(piece) = mv.promotion() {
            text.extend(['=', piece.letter().to_ascii_uppercase()]);
        }
        text
    };
    let mut after = *board;
    after.play(mv);
    if after.checkers.has_any() {
        text.push(if after.count_moves() == 0 { '#' } else { '+' });
    }
    text
}

fn file_letter(square: Square) -> char {
    (b'a' + square.file()) as char
}

/// What tells the move from those of like pieces to the same square, the shortest of: nothing, file, rank, both.
fn disambiguation(board: &Board, mv: Move) -> String {
    let (from, piece) = (mv.from(), board.piece_on(mv.from()));
    let others = board.legal_moves().into_iter().filter(|other| {
        !other.is_castling()
            && other.to() == mv.to()
            && other.from() != from
            && board.piece_on(other.from()) == piece
    });
    let others: Vec<Square> = others.map(ChessMove::from).collect();
    let distinguishes = |same: fn(Square) -> u8| others.iter().all(|&other| same(other) != same(from));
    if others.is_empty() {
        String::new()
    } else if distinguishes(Square::file) {
        file_letter(from).into()
    } else if distinguishes(Square::rank) {
        (from.rank() + 1).to_string()
    } else {
        from.to_string()
    }
}

/// A parsed SAN move other than castling.
struct SanMove {
    kind: PieceType,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
    promotion: Option<PieceType>,
}

/// Parses a legal move of `board`; an error if the text is not SAN or if not exactly one legal move matches it. Check, capture
/// and quality marks may be missing, wrong or superfluous, and so may `e.p.` and the `=` of a draw offer. Castling may be
/// written with zeros, a pawn move with P, and the origin square may be given without need.
pub(super) fn parse(board: &Board, text: &str) -> Result<Move, NotationError> {
    let marks = ['+', '#', '!', '?', '='];
    let stripped = text.trim_end_matches(marks);
    let stripped = stripped.strip_suffix("e.p.").or(stripped.strip_suffix("ep")).unwrap_or(stripped);
    let stripped = stripped.trim_end().trim_end_matches(marks);
    let moves = board.legal_moves();
    let mut matching: Vec<Move> = match stripped.replace(['0', 'o'], "O").as_str() {
        castling @ ("O-O" | "O-O-O") => {
            let kingside = castling == "O-O";
            moves.into_iter().filter(|mv| mv.is_castling() && is_kingside(*mv) == kingside).collect()
        }
        _ => {
            let pattern = parse_san_move(stripped)
                .ok_or_else(|| NotationError::new("expected a move such as Nf3, exd5 or e8=Q", text))?;
            moves.into_iter().filter(|&mv| pattern.matches(board, mv)).collect()
        }
    };
    match (matching.pop(), matching.len()) {
        (Some(mv), 0) => Ok(mv),
        (None, _) => Err(NotationError::new("expected a legal move", text)),
        (Some(_), others) => {
            Err(NotationError::new(format!("expected one legal move, {} fit", others + 1), text))
        }
    }
}

impl SanMove {
    fn matches(&self, board: &Board, mv: Move) -> bool {
        let from = mv.from();
        !mv.is_castling()
            && (mv.to(), mv.promotion()) == (self.to, self.promotion)
            && board.piece_on(from).kind() == Some(self.kind)
            && self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
    }
}

fn parse_san_move(text: &str) -> Option<SanMove> {
    let (kind, rest) = match text.chars().next()? {
        // A lower-case b is a file, not a bishop.
        letter if letter.is_ascii_uppercase() => (PieceType::parse(letter)?, &text[1..]),
        _ => (PieceType::Pawn, text),
    };
    let rest = rest.trim_end_matches(')');
    let promotion_letter = rest.chars().last().filter(|letter| !letter.is_ascii_digit());
    let promotion = match promotion_letter {
        Some(letter) => Some(PieceType::parse(letter).filter(|piece| PROMOTIONS.contains(piece))?),
        None => None,
    };
    let rest = match promotion_letter {
        Some(letter) => rest[..rest.len() - letter.len_utf8()].trim_end_matches(['=', '(', '/']),
        None => rest,
    };
    let (before, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let mut pattern = SanMove { kind, file: None, rank: None, to: Square::parse(to)?, promotion };
    for letter in before.trim_end_matches(['x', ':', '-']).chars() {
        match letter {
            'a'..='h' if pattern.file.is_none() && pattern.rank.is_none() => {
                pattern.file = Some(letter as u8 - b'a')
            }
            '1'..='8' if pattern.rank.is_none() => pattern.rank = Some(letter as u8 - b'1'),
            _ => return None,
        }
    }
    Some(pattern)
}
