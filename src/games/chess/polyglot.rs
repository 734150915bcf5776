//! Keys and moves of positions in opening books of Polyglot's format.
//!
//! The random numbers of the keys are those of the crate `polyglot-book-rs`.

use super::bitboard::{Piece, PieceType, Square};
use super::board::Board;
use super::moves::ChessMove;
use crate::game::{Move, Side};
use polyglot_book_rs::hash::polyglot_hash;
use polyglot_book_rs::types::{BoardPosition, Piece as BookPiece};

/// The board as the crate reads it.
struct BookBoard<'a>(&'a Board);

impl BoardPosition for BookBoard<'_> {
    fn piece_at(&self, square: u8) -> BookPiece {
        let piece = self.0.piece_on(Square::new(square));
        if piece == Piece::NONE { BookPiece::Empty } else { BookPiece::from_char(piece.letter()) }
    }

    fn is_white_to_move(&self) -> bool {
        self.0.side == Side::White
    }

    /// Bits 0 to 3: castling of White on the king's side and on the queen's side, then the same of Black.
    fn castling_rights(&self) -> u8 {
        let right = |rook: Square| {
            let side = self.0.piece_on(rook).side();
            let queenside = rook.file() < self.0.king(side).file();
            1 << (2 * side.index() + usize::from(queenside))
        };
        self.0.castling.into_iter().map(right).fold(0, |rights, right| rights | right)
    }

    fn en_passant_file(&self) -> Option<u8> {
        self.0.en_passant.map(Square::file)
    }
}

/// The key of the position.
///
/// Polyglot's key also has the en passant file if a pawn stands ready to capture but is pinned. Such a position is not found.
pub fn key(board: &Board) -> u64 {
    polyglot_hash(&BookBoard(board))
}

/// The code of a move: three bits each for the file and rank of the target, of the origin, and for the promotion, from 1 for
/// a knight to 4 for a queen. Castling is the king's move to the square of its rook, as in [`ChessMove`].
pub fn code(mv: Move) -> u16 {
    let promotion = mv.promotion().map_or(0, PieceType::index);
    (mv.to().index() | mv.from().index() << 6 | promotion << 12) as u16
}

#[cfg(test)]
mod tests {
    use super::super::Position;
    use crate::game::{Notation, conformance};

    /// The examples of the format's description, <http://hgm.nubati.net/book_format.html>.
    #[test]
    fn keys_are_those_of_the_format() {
        for (moves, key) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            let mut game = Position::start();
            conformance::play(&mut game, moves);
            assert_eq!(game.book_key(), Some(key), "{moves}");
        }
    }

    #[test]
    fn codes_are_those_of_the_format() {
        for (fen, text, code) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", 0o1434),
            ("4k2r/8/8/8/8/8/8/R3K3 b Qk - 0 1", "e8g8", 0o7477),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 0o4_6070),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", 0o1_6070),
        ] {
            let game = Position::start().parse_position(fen).unwrap().game;
            assert_eq!(game.book_move(game.parse_move(text).unwrap()), code, "{text}");
        }
    }
}
