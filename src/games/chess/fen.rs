//! Forsyth-Edwards notation (FEN): parsing with reasons for errors, writing as X-FEN or Shredder-FEN.

use super::bitboard::{Bitboard, Piece, PieceType, Square};
use super::board::Board;
use crate::game::fen::{MAX_FULLMOVE, MAX_HALFMOVE, board_error, parse_ranks, ranks_text};
use crate::game::{NotationError, Side};
use std::fmt::Write;

/// Parses a FEN of two to six fields; missing ones default to `- - 0 1`. Returns the board and warnings: castling and en
/// passant rights that the position cannot have are dropped. An error is a malformed field or an illegal position.
pub(super) fn parse(text: &str) -> Result<(Board, Vec<String>), NotationError> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    if !(2..=6).contains(&fields.len()) {
        return Err(NotationError::new(
            "FEN: expected 2 to 6 fields (board, side, castling, en passant, clocks)",
            text,
        ));
    }
    let field = |i: usize, missing: &'static str| fields.get(i).copied().unwrap_or(missing);
    let mut warnings = Vec::new();
    let mut board = Board::empty();
    parse_board(&mut board, fields[0])?;
    validate_pieces(&board, fields[0])?;
    let side = match fields[1] {
        "w" => Side::White,
        "b" => Side::Black,
        other => return Err(NotationError::new("FEN field 2 (side to move): expected w or b", other)),
    };
    board.set_side(side);
    if board.is_attacked(board.king(!side), side, board.occupied()) {
        return Err(NotationError::message(format!(
            "FEN: expected the side not to move out of check, but the {} king can be captured",
            side_name(!side)
        )));
    }
    board.update_checks_and_pins();
    parse_castling(&mut board, field(2, "-"), &mut warnings)?;
    parse_en_passant(&mut board, field(3, "-"), &mut warnings)?;
    board.rule50 = parse_counter(field(4, "0"), "FEN field 5 (halfmove clock)", MAX_HALFMOVE.into())? as u16;
    board.plies_since_irreversible = board.rule50;
    board.fullmove_number = parse_counter(field(5, "1"), "FEN field 6 (move number)", MAX_FULLMOVE)?.max(1);
    Ok((board, warnings))
}

/// The FEN of a Chess960 start position by its Scharnagl number, 0 to 959
/// (<https://en.wikipedia.org/wiki/Fischer_random_chess_numbering_scheme>).
///
/// # Panics
/// If `number` is above 959.
pub(super) fn chess960(number: u32) -> String {
    let mut rank = [' '; 8];
    let (number, light) = (number / 4, number as usize % 4);
    let (number, dark) = (number / 4, number as usize % 4);
    let (knights, queen) = (number / 6, number as usize % 6);
    rank[2 * light + 1] = 'b';
    rank[2 * dark] = 'b';
    let mut put = |index: usize, piece: char| {
        let free = (0..8).filter(|&file| rank[file] == ' ').nth(index);
        rank[free.expect("eight pieces fit the rank")] = piece;
    };
    put(queen, 'q');
    // The knights' indices among the five free squares, in the order 01 02 03 04 12 13 14 23 24 34. The
    // second knight is placed first, so that the index of the first stays valid.
    let pairs = (0..5).flat_map(|first| (first + 1..5).map(move |second| (first, second)));
    let (first, second) = pairs.into_iter().nth(knights as usize).expect("the number is below 960");
    put(second, 'n');
    put(first, 'n');
    ['r', 'k', 'r'].into_iter().for_each(|piece| put(0, piece));
    let black: String = rank.iter().collect();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", black.to_ascii_uppercase())
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

fn parse_board(board: &mut Board, field: &str) -> Result<(), NotationError> {
    parse_ranks(field, (8, 8), "PNBRQKpnbrqk", |file, rank, letter| {
        let piece = Piece::parse(letter);
        piece.inspect(|&piece| board.put_piece(Square::at(file as u8, rank as u8), piece)).is_some()
    })
}

/// Checks the numbers of kings, pawns and pieces. More pieces could have more moves than a [`crate::game::MoveList`] holds.
fn validate_pieces(board: &Board, field: &str) -> Result<(), NotationError> {
    let error = |expected: String| Err(board_error(expected, field));
    for side in Side::ALL {
        let count = |piece| board.pieces(side, piece).count();
        if count(PieceType::King) != 1 {
            return error(format!("one {} king, found {}", side_name(side), count(PieceType::King)));
        }
        if count(PieceType::Pawn) > 8 {
            return error(format!("at most 8 {} pawns, found {}", side_name(side), count(PieceType::Pawn)));
        }
        if board.occupied_by(side).count() > 16 {
            return error(format!(
                "at most 16 {} pieces, found {}",
                side_name(side),
                board.occupied_by(side).count()
            ));
        }
    }
    if (board.pieces_of_kind(PieceType::Pawn) & (Bitboard::rank(0) | Bitboard::rank(7))).has_any() {
        return error("no pawns on the first and last ranks".into());
    }
    Ok(())
}

fn parse_castling(board: &mut Board, field: &str, warnings: &mut Vec<String>) -> Result<(), NotationError> {
    if field == "-" {
        return Ok(());
    }
    let error = || {
        NotationError::new("FEN field 3 (castling): expected - or up to four of KQkq or rook files", field)
    };
    if field.chars().count() > 4 {
        return Err(error());
    }
    for letter in field.chars() {
        let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
        let back_rank = Bitboard::relative_rank(side, 0);
        let (king, rooks) = (board.king(side), board.pieces(side, PieceType::Rook) & back_rank);
        let rook = match letter.to_ascii_lowercase() {
            'k' => outermost_rook(king, rooks, true),
            'q' => outermost_rook(king, rooks, false),
            file @ 'a'..='h' => (rooks & Bitboard::file(file as u8 - b'a')).next(),
            _ => return Err(error()),
        };
        match rook {
            Some(rook) if back_rank.contains(king) => {
                if !board.castling.contains(rook) {
                    board.add_castling(rook);
                }
            }
            _ => warnings.push(format!(
                "castling right {letter:?} dropped: expected the {} king and that rook on their first rank",
                side_name(side)
            )),
        }
    }
    limit_castling_rights(board, warnings);
    Ok(())
}

/// Drops castling rights beyond one rook on each side of the king. The outermost rook keeps its right.
fn limit_castling_rights(board: &mut Board, warnings: &mut Vec<String>) {
    for side in Side::ALL {
        let (king, rights) = (board.king(side), board.castling & Bitboard::relative_rank(side, 0));
        let retained =
            [true, false].into_iter().filter_map(|kingside| outermost_rook(king, rights, kingside));
        let retained = retained.fold(Bitboard::EMPTY, |retained, rook| retained | rook.bit());
        if retained != rights {
            warnings.push(format!(
                "castling rights dropped: found more than one {} rook on one side of the king",
                side_name(side)
            ));
            board.retain_castling(retained | !Bitboard::relative_rank(side, 0));
        }
    }
}

fn outermost_rook(king: Square, mut rooks: Bitboard, kingside: bool) -> Option<Square> {
    if kingside {
        rooks.filter(|rook| rook.file() > king.file()).last()
    } else {
        rooks.find(|rook| rook.file() < king.file())
    }
}

/// The side to move must be set.
fn parse_en_passant(board: &mut Board, field: &str, warnings: &mut Vec<String>) -> Result<(), NotationError> {
    if field == "-" {
        return Ok(());
    }
    let Some(square) = Square::parse(field) else {
        return Err(NotationError::new("FEN field 4 (en passant): expected - or a square", field));
    };
    let (them, rank, forward) =
        if board.side == Side::White { (Side::Black, 5, 8) } else { (Side::White, 2, -8) };
    let pushed = square.rank() == rank
        && board.pieces(them, PieceType::Pawn).contains(square.offset(-forward))
        && !board.occupied().contains(square)
        && !board.occupied().contains(square.offset(forward));
    if pushed && board.has_legal_en_passant(square) {
        board.set_en_passant(Some(square));
    } else if !pushed {
        warnings.push(format!("en passant square {square} dropped: no pawn just moved over it"));
    } else {
        warnings.push(format!("en passant square {square} dropped: no en passant capture is legal"));
    }
    Ok(())
}

fn parse_counter(field: &str, what: &str, max: u32) -> Result<u32, NotationError> {
    let number = field.parse().ok().filter(|&number| number <= max);
    number.ok_or_else(|| NotationError::new(format!("{what}: expected a number from 0 to {max}"), field))
}

/// The FEN of `board`. Castling rights are KQkq (X-FEN); a rook file replaces the letter if another rook
/// stands farther out or with `chess960` (Shredder-FEN).
pub(super) fn write(board: &Board, chess960: bool) -> String {
    let letter = |file, rank| board.piece_on(Square::at(file as u8, rank as u8)).letter();
    let mut text = ranks_text(8, 8, letter);
    text.push_str(if board.side == Side::White { " w " } else { " b " });
    write_castling(&mut text, board, chess960);
    let en_passant = board.en_passant.map_or("-".into(), |square| square.to_string());
    let (halfmove, fullmove) = (board.rule50.min(MAX_HALFMOVE), board.fullmove_number.min(MAX_FULLMOVE));
    let _ = write!(text, " {en_passant} {halfmove} {fullmove}");
    text
}

fn write_castling(text: &mut String, board: &Board, chess960: bool) {
    if board.castling.is_empty() {
        text.push('-');
    }
    for side in Side::ALL {
        let back_rank = Bitboard::relative_rank(side, 0);
        let (king, rooks) = (board.king(side), board.pieces(side, PieceType::Rook) & back_rank);
        for kingside in [true, false] {
            let Some(rook) = outermost_rook(king, board.castling & back_rank, kingside) else { continue };
            let letter = if chess960 || outermost_rook(king, rooks, kingside) != Some(rook) {
                (b'a' + rook.file()) as char
            } else if kingside {
                'k'
            } else {
                'q'
            };
            text.push(if side == Side::White { letter.to_ascii_uppercase() } else { letter });
        }
    }
}
