//! Standard algebraic notation (SAN), section 8.2.3 of the PGN standard: written as it says, read as people write it.

use super::bitboard::{PieceType, Square};
use super::board::Board;
use super::movegen::GenType;
use super::moves::{ChessMove, PROMOTIONS};
use crate::game::{Move, MoveList, NotationError};

fn legal_moves(board: &Board) -> MoveList {
    let mut moves = MoveList::new();
    board.generate(GenType::All, &mut moves);
    moves
}

fn is_kingside(castling: Move) -> bool {
    castling.to().file() > castling.from().file()
}

/// Writes a legal move of `board`.
pub(super) fn write(board: &Board, mv: Move) -> String {
    let mut text = if mv.is_castling() {
        if is_kingside(mv) { "O-O" } else { "O-O-O" }.to_string()
    } else {
        let mut text = String::new();
        match board.piece_on(mv.from()).piece() {
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
    if after.checkers().has_any() {
        text.push(if after.count() == 0 { '#' } else { '+' });
    }
    text
}

fn file_letter(square: Square) -> char {
    (b'a' + square.file()) as char
}

/// As much of a piece's square as tells it from others of its kind that may go to the same square: nothing, else
/// the file, else the rank, else both.
fn disambiguation(board: &Board, mv: Move) -> String {
    let (from, man) = (mv.from(), board.piece_on(mv.from()));
    let others = legal_moves(board).into_iter().filter(|other| {
        !other.is_castling()
            && other.to() == mv.to()
            && other.from() != from
            && board.piece_on(other.from()) == man
    });
    let others: Vec<Square> = others.map(ChessMove::from).collect();
    let unlike = |same: fn(Square) -> u8| others.iter().all(|&other| same(other) != same(from));
    if others.is_empty() {
        String::new()
    } else if unlike(Square::file) {
        file_letter(from).into()
    } else if unlike(Square::rank) {
        (from.rank() + 1).to_string()
    } else {
        from.to_string()
    }
}

/// What a text says about a move that is not castling.
struct SanMove {
    piece: PieceType,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
    promotion: Option<PieceType>,
}

/// Reads a legal move of `board`. Marks of check, capture and quality may be missing, wrong or too many, castling may
/// have zeros, a pawn its letter, and the square of origin may be given where it is not needed.
pub(super) fn parse(board: &Board, text: &str) -> Result<Move, NotationError> {
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let moves = legal_moves(board);
    let mut fitting: Vec<Move> = match bare.replace(['0', 'o'], "O").as_str() {
        castling @ ("O-O" | "O-O-O") => {
            let kingside = castling == "O-O";
            moves.into_iter().filter(|mv| mv.is_castling() && is_kingside(*mv) == kingside).collect()
        }
        _ => {
            let wish = wish(bare)
                .ok_or_else(|| NotationError::new("expected a move such as Nf3, exd5 or e8=Q", text))?;
            moves.into_iter().filter(|&mv| wish.is_met(board, mv)).collect()
        }
    };
    match (fitting.pop(), fitting.len()) {
        (Some(mv), 0) => Ok(mv),
        (None, _) => Err(NotationError::new("expected a legal move", text)),
        (Some(_), others) => {
            Err(NotationError::new(format!("expected one legal move, {} fit", others + 1), text))
        }
    }
}

impl SanMove {
    fn is_met(&self, board: &Board, mv: Move) -> bool {
        let from = mv.from();
        !mv.is_castling()
            && (mv.to(), mv.promotion()) == (self.to, self.promotion)
            && board.piece_on(from).piece() == Some(self.piece)
            && self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
    }
}

fn wish(text: &str) -> Option<SanMove> {
    let kind =
        |letter: char| PieceType::ALL.into_iter().find(|piece| piece.letter() == letter.to_ascii_lowercase());
    let (piece, rest) = match text.chars().next()? {
        // A small b is a file.
        letter if letter.is_ascii_uppercase() => (kind(letter)?, &text[1..]),
        _ => (PieceType::Pawn, text),
    };
    let rest = rest.trim_end_matches(')');
    let promoted = rest.chars().last().filter(|letter| !letter.is_ascii_digit());
    let promotion = match promoted {
        Some(letter) => Some(kind(letter).filter(|piece| PROMOTIONS.contains(piece))?),
        None => None,
    };
    let rest = match promoted {
        Some(letter) => rest[..rest.len() - letter.len_utf8()].trim_end_matches(['=', '(', '/']),
        None => rest,
    };
    let (before, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let mut wish = SanMove { piece, file: None, rank: None, to: Square::parse(to)?, promotion };
    for letter in before.trim_end_matches(['x', ':', '-']).chars() {
        match letter {
            'a'..='h' if wish.file.is_none() && wish.rank.is_none() => wish.file = Some(letter as u8 - b'a'),
            '1'..='8' if wish.rank.is_none() => wish.rank = Some(letter as u8 - b'1'),
            _ => return None,
        }
    }
    Some(wish)
}
