//! Endgame knowledge: scale factors for drawish material, and mop-up evaluation against a bare king.

use super::super::bitboard::{Bitboard, PieceType, Square};
use super::super::board::Board;
use super::super::see::SEE_VALUES;
use super::geometry::distance;
use super::kpk;
use super::terms::{EvalTerm, TermSink};
use super::weights::{
    KPK_WIN, MOPUP_BONUS, MOPUP_EDGE, MOPUP_KINGS, SCALE_BOTH_WINGS, SCALE_DRAWN, SCALE_LAST_PAWN,
    SCALE_NO_PAWNS, SCALE_ONE_WING, SCALE_OPPOSITE_BISHOPS, SCALE_OPPOSITE_BISHOPS_AND_MORE,
};
use crate::game::{Side, Weight};

/// The scale factor that changes nothing.
pub const SCALE_NORMAL: i32 = 64;

/// The sum of knights, bishops, rooks and queens of `side`, in centipawns.
fn piece_material(board: &Board, side: Side) -> i32 {
    [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen]
        .into_iter()
        .map(|kind| SEE_VALUES[kind.index()] * board.pieces(side, kind).count() as i32)
        .sum()
}

/// The scale factor for an advantage of `strong`, in units of 1/[`SCALE_NORMAL`]; 0 is a draw.
pub fn scale(board: &Board, strong: Side) -> Weight {
    let pawns = board.pieces(strong, PieceType::Pawn);
    if pawns.is_empty() {
        return pawnless_scale(board, strong);
    }
    if king_and_pawn(board) == Some(false) || wrong_rook_pawn(board, strong) {
        return SCALE_DRAWN;
    }
    let pawn_count = pawns.count().min(8) as usize;
    if opposite_bishops(board) {
        let others = board.pieces_of_kind(PieceType::Knight) | board.orthogonal();
        let scales = if others.is_empty() { SCALE_OPPOSITE_BISHOPS } else { SCALE_OPPOSITE_BISHOPS_AND_MORE };
        return scales.at(pawn_count);
    }
    if pawn_count == 1 {
        let (ours, theirs) = (piece_material(board, strong), piece_material(board, !strong));
        if theirs > 0 && ours <= theirs && ours <= SEE_VALUES[PieceType::Bishop.index()] {
            return SCALE_LAST_PAWN;
        }
    }
    let queenside = Bitboard(0x0F * Bitboard::FILE_A.0);
    let both_wings = (pawns & queenside).has_any() && (pawns - queenside).has_any();
    if both_wings { SCALE_BOTH_WINGS } else { SCALE_ONE_WING }.at(pawn_count)
}

/// The scale factor without pawns of `strong`: a minor piece more does not win.
fn pawnless_scale(board: &Board, strong: Side) -> Weight {
    let (ours, theirs) = (piece_material(board, strong), piece_material(board, !strong));
    let (rook, bishop) = (SEE_VALUES[PieceType::Rook.index()], SEE_VALUES[PieceType::Bishop.index()]);
    let knights = 2 * SEE_VALUES[PieceType::Knight.index()];
    if ours < rook {
        return SCALE_DRAWN;
    }
    if ours == knights && board.pieces(strong, PieceType::Knight).count() == 2 {
        return if theirs == 0 && board.pieces(!strong, PieceType::Pawn).is_empty() {
            SCALE_DRAWN
        } else {
            SCALE_NO_PAWNS.at(2)
        };
    }
    match ours - theirs {
        advantage if advantage > bishop => SCALE_ONE_WING.at(0),
        _ if theirs <= bishop => SCALE_NO_PAWNS.at(0),
        _ => SCALE_NO_PAWNS.at(1),
    }
}

/// Whether each side has exactly one bishop, on squares of opposite colours.
fn opposite_bishops(board: &Board) -> bool {
    let bishops = board.pieces_of_kind(PieceType::Bishop);
    let one = |side| board.pieces(side, PieceType::Bishop).count() == 1;
    one(Side::White) && one(Side::Black) && (bishops & Bitboard::DARK).count() == 1
}

/// Whether all pawns of `strong` are on one rook file, its only pieces are bishops that cannot control the promotion corner,
/// and the enemy king is on or next to that corner (<https://www.chessprogramming.org/Wrong_Color_Bishop>).
fn wrong_rook_pawn(board: &Board, strong: Side) -> bool {
    let pawns = board.pieces(strong, PieceType::Pawn);
    let bishops = board.pieces(strong, PieceType::Bishop);
    if board.occupied_by(strong) != pawns | bishops | board.pieces(strong, PieceType::King) {
        return false;
    }
    let file = match (pawns - Bitboard::FILE_A, pawns - Bitboard::FILE_H) {
        (Bitboard::EMPTY, _) => 0,
        (_, Bitboard::EMPTY) => 7,
        _ => return false,
    };
    let corner = Square::at(file, 7).relative(strong);
    let dark = Bitboard::DARK.contains(corner);
    let guards = bishops & if dark { Bitboard::DARK } else { !Bitboard::DARK };
    guards.is_empty() && distance(board.king(!strong), corner) <= 1
}

/// Whether king and pawn win against a bare king; `None` with other material.
fn king_and_pawn(board: &Board) -> Option<bool> {
    let pawn = board.pieces_of_kind(PieceType::Pawn);
    if board.occupied().count() != 3 || pawn.is_empty() {
        return None;
    }
    let strong = if (pawn & board.occupied_by(Side::White)).has_any() { Side::White } else { Side::Black };
    Some(kpk::is_won(strong, board.king(strong), pawn.lsb(), board.king(!strong), board.side))
}

/// Whether `strong` has the pieces to mate a bare king by force without pawns.
fn can_mate(board: &Board, strong: Side) -> bool {
    let bishops = board.pieces(strong, PieceType::Bishop);
    let knights = board.pieces(strong, PieceType::Knight);
    board.orthogonal().has_any()
        || (bishops & Bitboard::DARK).has_any() && (bishops - Bitboard::DARK).has_any()
        || bishops.has_any() && knights.has_any()
        || knights.count() >= 3
}

/// Adds the mop-up bonus against a bare king, and the bonus for a won king and pawn ending.
///
/// The bonus grows as the bare king nears the edge and as the kings near each other. With bishop and knight
/// only the corners of the bishop's colour count. Source:
/// <https://www.chessprogramming.org/Mop-up_Evaluation>.
pub fn mop_up<T: TermSink>(board: &Board, sink: &mut T) {
    for strong in Side::ALL {
        if !board.occupied_by(!strong).more_than_one() {
            mop_up_side(board, strong, sink);
        }
    }
}

fn mop_up_side<T: TermSink>(board: &Board, strong: Side, sink: &mut T) {
    let weak = !strong;
    let mut add = |weight, times| sink.add(EvalTerm::MopUp, strong, weight, times);
    if king_and_pawn(board) == Some(true) {
        add(KPK_WIN, 1);
    }
    if !can_mate(board, strong) {
        return;
    }
    let king = board.king(weak);
    let (bishops, knights) =
        (board.pieces(strong, PieceType::Bishop), board.pieces(strong, PieceType::Knight));
    let bishop_and_knight = board.occupied_by(strong).count() == 3 && bishops.has_any() && knights.has_any();
    let edge_closeness = if bishop_and_knight {
        let dark = (bishops & Bitboard::DARK).has_any();
        let corners =
            if dark { [Square::at(0, 0), Square::at(7, 7)] } else { [Square::at(7, 0), Square::at(0, 7)] };
        let manhattan = |corner: Square| {
            i32::from(corner.file().abs_diff(king.file())) + i32::from(corner.rank().abs_diff(king.rank()))
        };
        14 - manhattan(corners[0]).min(manhattan(corners[1]))
    } else {
        let from_edge = |line: u8| i32::from(line.min(7 - line));
        6 - from_edge(king.file()) - from_edge(king.rank())
    };
    add(MOPUP_BONUS, 1);
    add(MOPUP_EDGE, edge_closeness);
    add(MOPUP_KINGS, 7 - distance(king, board.king(strong)));
}
