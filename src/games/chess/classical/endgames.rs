//! What general terms misjudge: extra material that does not win, and material that wins but needs help.

use super::super::bitboard::{Bitboard, Piece, Square};
use super::super::board::Board;
use super::super::exchange::VALUES;
use super::pawns::distance;
use super::weights::{MATE_APPROACH, MATE_DRIVE, MATE_MATERIAL};
use crate::game::Side;

/// [`scale`] of a position that is as won as it looks.
pub const FULL_SCALE: i32 = 64;

/// Knights, bishops, rooks and queens in centipawns.
fn pieces(board: &Board, side: Side) -> i32 {
    [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
        .into_iter()
        .map(|piece| VALUES[piece.index()] * board.men(side, piece).count() as i32)
        .sum()
}

/// How much of its advantage, in parts of [`FULL_SCALE`], `strong` can hope to make count.
pub fn scale(board: &Board, strong: Side) -> i32 {
    let (ours, theirs) = (pieces(board, strong), pieces(board, !strong));
    let pawns = board.men(strong, Piece::Pawn).count() as i32;
    if pawns == 0 {
        return without_pawns(board, strong, ours, theirs);
    }
    if wrong_rook_pawn(board, strong) {
        return 0;
    }
    let bishop = VALUES[Piece::Bishop.index()];
    if opposite_bishops(board) {
        return if ours == bishop && theirs == bishop { 18 + 4 * pawns } else { 44 };
    }
    if pawns == 1 && theirs > 0 && ours - theirs <= 0 && ours <= bishop {
        // The last pawn can be had for a minor piece.
        return 22;
    }
    FULL_SCALE.min(38 + 7 * pawns)
}

/// Without pawns a minor piece more is not enough.
fn without_pawns(board: &Board, strong: Side, ours: i32, theirs: i32) -> i32 {
    let (rook, bishop) = (VALUES[Piece::Rook.index()], VALUES[Piece::Bishop.index()]);
    let knights = 2 * VALUES[Piece::Knight.index()];
    if ours < rook {
        return 0;
    }
    if ours == knights && board.men(strong, Piece::Knight).count() == 2 {
        return if theirs == 0 { 0 } else { 2 };
    }
    match ours - theirs {
        edge if edge > bishop => FULL_SCALE,
        _ if theirs <= bishop => 6,
        _ => 14,
    }
}

/// A bishop each, on squares of different colours.
fn opposite_bishops(board: &Board) -> bool {
    let bishops = board.all(Piece::Bishop);
    let one = |side| board.men(side, Piece::Bishop).count() == 1;
    one(Side::White) && one(Side::Black) && (bishops & Bitboard::DARK).count() == 1
}

/// Pawns on one rook's file only, no piece but bishops that do not see the corner, and the king is there:
/// <https://www.chessprogramming.org/Wrong_Color_Bishop>.
fn wrong_rook_pawn(board: &Board, strong: Side) -> bool {
    let pawns = board.men(strong, Piece::Pawn);
    let bishops = board.men(strong, Piece::Bishop);
    if board.of(strong) != pawns | bishops | board.men(strong, Piece::King) {
        return false;
    }
    let file = match (pawns - Bitboard::FILE_A, pawns - Bitboard::FILE_H) {
        (Bitboard::EMPTY, _) => 0,
        (_, Bitboard::EMPTY) => 7,
        _ => return false,
    };
    let corner = Square::at(file, 7).relative(strong);
    let dark = Bitboard::DARK.has(corner);
    let guards = bishops & if dark { Bitboard::DARK } else { !Bitboard::DARK };
    guards.is_empty() && distance(board.king(!strong), corner) <= 1
}

/// Whether `strong` can force mate on a bare king without pawns.
fn can_mate(board: &Board, strong: Side) -> bool {
    let bishops = board.men(strong, Piece::Bishop);
    let knights = board.men(strong, Piece::Knight);
    board.orthogonal().has_any()
        || (bishops & Bitboard::DARK).has_any() && (bishops - Bitboard::DARK).has_any()
        || bishops.has_any() && knights.has_any()
        || knights.count() >= 3
}

/// What `strong` gains by driving a bare king to where it is mated; nothing elsewhere.
///
/// <https://www.chessprogramming.org/Mop-up_Evaluation>; with bishop and knight only the corners of the
/// bishop's colour will do.
pub fn mop_up(board: &Board, strong: Side) -> i32 {
    let weak = !strong;
    if board.of(weak).has_many() || !can_mate(board, strong) {
        return 0;
    }
    let king = board.king(weak);
    let approach = 7 - distance(king, board.king(strong));
    let (bishops, knights) = (board.men(strong, Piece::Bishop), board.men(strong, Piece::Knight));
    let bishop_and_knight = board.of(strong).count() == 3 && bishops.has_any() && knights.has_any();
    let drive = if bishop_and_knight {
        let dark = (bishops & Bitboard::DARK).has_any();
        let corners =
            if dark { [Square::at(0, 0), Square::at(7, 7)] } else { [Square::at(7, 0), Square::at(0, 7)] };
        let steps = |corner: Square| {
            i32::from(corner.file().abs_diff(king.file())) + i32::from(corner.rank().abs_diff(king.rank()))
        };
        14 - steps(corners[0]).min(steps(corners[1]))
    } else {
        let inward = |line: u8| i32::from(line.min(7 - line));
        6 - inward(king.file()) - inward(king.rank())
    };
    MATE_MATERIAL + MATE_DRIVE * drive + MATE_APPROACH * approach
}
