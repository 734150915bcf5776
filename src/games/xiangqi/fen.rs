//! Forsyth-Edwards notation of xiangqi: parsing with reasons for errors, and writing.

use super::bitboard::{Bitboard, FILES, Piece, PieceType, RANKS, Square};
use super::board::Board;
use crate::game::fen::{MAX_FULLMOVE, MAX_HALFMOVE, board_error, parse_ranks, ranks_text};
use crate::game::{NotationError, Side};

/// The most pieces of a side, by [`PieceType::index`].
const MAX_PIECES: [u32; PieceType::COUNT] = [5, 2, 2, 2, 2, 2, 1];

/// The names of the kinds, by [`PieceType::index`].
const NAMES: [&str; PieceType::COUNT] = ["pawn", "adviser", "elephant", "horse", "cannon", "rook", "king"];

/// Parses a FEN of two to six fields: board, side, two fields without meaning, plies since the last capture, move number.
/// Missing ones default to `- - 0 1`. The two fields without meaning may be left out.
///
/// # Errors
/// If a field is malformed or the position is illegal.
pub(super) fn parse(text: &str) -> Result<Board, NotationError> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    if !(2..=6).contains(&fields.len()) {
        return Err(NotationError::new("FEN: expected 2 to 6 fields (board, side, -, -, clocks)", text));
    }
    let mut board = Board::empty();
    parse_board(&mut board, fields[0])?;
    validate_pieces(&board, fields[0])?;
    board.set_side(match fields[1] {
        "w" | "r" => Side::White,
        "b" => Side::Black,
        other => return Err(NotationError::new("FEN field 2 (side to move): expected w, r or b", other)),
    });
    let clocks = match fields.get(2) {
        Some(field) if field.bytes().all(|byte| byte.is_ascii_digit()) => &fields[2..],
        _ => fields.get(4..).unwrap_or(&[]),
    };
    if let Some(field) = fields[2..fields.len() - clocks.len()].iter().find(|&&field| field != "-") {
        return Err(NotationError::new("FEN fields 3 and 4: expected -", field));
    }
    if clocks.len() > 2 {
        return Err(NotationError::new("FEN: expected two clocks", text));
    }
    validate_kings(&board)?;
    board.update_checks_and_pins();
    let clock = |i: usize, missing| clocks.get(i).copied().unwrap_or(missing);
    board.clock = parse_counter(clock(0, "0"), "FEN field 5 (halfmove clock)", MAX_HALFMOVE.into())? as u16;
    board.plies_since_irreversible = board.clock;
    board.fullmove_number = parse_counter(clock(1, "1"), "FEN field 6 (move number)", MAX_FULLMOVE)?.max(1);
    Ok(board)
}

/// Writes a FEN of six fields.
pub(super) fn write(board: &Board) -> String {
    let text = ranks_text(FILES, RANKS, |file, rank| board.piece_on(Square::at(file, rank)).letter());
    let side = ["w", "b"][board.side.index()];
    let (clock, number) = (board.clock.min(MAX_HALFMOVE), board.fullmove_number.min(MAX_FULLMOVE));
    format!("{text} {side} - - {clock} {number}")
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "red",
        Side::Black => "black",
    }
}

fn parse_board(board: &mut Board, field: &str) -> Result<(), NotationError> {
    parse_ranks(field, (FILES, RANKS), "KABNRCP (or E, H) or kabnrcp", |file, rank, letter| {
        let piece = Piece::parse(letter).and_then(|piece| Some((piece.side(), piece.kind()?)));
        piece.inspect(|&(side, kind)| board.put_piece(Square::at(file, rank), side, kind)).is_some()
    })
}

/// The squares on which a piece of `side` can stand.
pub(super) fn places(side: Side, kind: PieceType) -> Bitboard {
    let at = |files: &[usize], ranks: &[usize]| {
        let squares = ranks.iter().flat_map(|&rank| files.iter().map(move |&file| Square::at(file, rank)));
        squares.fold(Bitboard::EMPTY, |set, square| set | square.relative(side).bit())
    };
    match kind {
        PieceType::King => Bitboard::palace(side),
        PieceType::Adviser => at(&[3, 5], &[0, 2]) | at(&[4], &[1]),
        PieceType::Elephant => at(&[2, 6], &[0, 4]) | at(&[0, 4, 8], &[2]),
        PieceType::Pawn => !Bitboard::home(side) | at(&[0, 2, 4, 6, 8], &[3, 4]),
        PieceType::Horse | PieceType::Cannon | PieceType::Rook => Bitboard::ALL,
    }
}

/// Checks the number of pieces of each kind and their places.
fn validate_pieces(board: &Board, field: &str) -> Result<(), NotationError> {
    for side in Side::ALL {
        for (kind, (name, most)) in PieceType::ALL.into_iter().zip(NAMES.into_iter().zip(MAX_PIECES)) {
            let (pieces, side_name) = (board.pieces(side, kind), side_name(side));
            let count = pieces.count();
            if kind == PieceType::King && count != 1 {
                return Err(board_error(format!("one {side_name} king, found {count}"), field));
            }
            if count > most {
                return Err(board_error(format!("at most {most} {side_name} {name}s, found {count}"), field));
            }
            if let Some(square) = (pieces - places(side, kind)).next() {
                return Err(board_error(
                    format!("no {side_name} {name} on {square}, where none can stand"),
                    field,
                ));
            }
        }
    }
    Ok(())
}

/// Checks that the side to move cannot capture the enemy king.
fn validate_kings(board: &Board) -> Result<(), NotationError> {
    let (side, occupied) = (board.side, board.occupied());
    let king = board.king(!side);
    let attackers = board.occupied_by(side);
    if board.attacks_king(side, attackers & board.pieces_of_kind(PieceType::King), king, occupied) {
        return Err(NotationError::message("FEN: expected a piece between the kings, which face each other"));
    }
    if board.attacks_king(side, attackers, king, occupied) {
        return Err(NotationError::message(format!(
            "FEN: expected the side not to move out of check, but the {} king can be captured",
            side_name(!side)
        )));
    }
    Ok(())
}

/// Parses a counter, which may be `-`.
fn parse_counter(field: &str, name: &str, most: u32) -> Result<u32, NotationError> {
    if field == "-" {
        return Ok(0);
    }
    let is_number = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
    let value = field.parse().ok().filter(|&value| is_number && value <= most);
    value.ok_or_else(|| NotationError::new(format!("{name}: expected a number from 0 to {most}"), field))
}
