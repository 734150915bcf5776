//! What a man is worth by itself: for what it is and for where it stands.

use super::super::bitboard::{PieceType, Square};
use super::pawns::edge_distance;
use super::tapered_score::TaperedScore;
use super::terms::Weight;
use super::weights::{
    BISHOP_PLACEMENT, KING_PLACEMENT, KNIGHT_PLACEMENT, MATERIAL, PAWN_PLACEMENT, QUEEN_PLACEMENT,
    ROOK_PLACEMENT,
};
use crate::game::Side;

/// By [`Piece::index`].
const PIECE_SQUARE: [Weight; 6] =
    [PAWN_PLACEMENT, KNIGHT_PLACEMENT, BISHOP_PLACEMENT, ROOK_PLACEMENT, QUEEN_PLACEMENT, KING_PLACEMENT];

/// For what it is; a king has no price.
pub const fn material(piece: PieceType) -> Option<Weight> {
    match piece {
        PieceType::King => None,
        _ => Some(MATERIAL.at(piece.index())),
    }
}

/// For where it stands: by the rank, as `side` sees it, and the file from the edge inwards.
pub const fn piece_square(side: Side, piece: PieceType, square: Square) -> Weight {
    let rank = square.relative(side).rank() as usize;
    PIECE_SQUARE[piece.index()].at(rank * 4 + edge_distance(square.file()))
}

/// Both in one, by side, piece and square.
static PSQT: [[[TaperedScore; 64]; 6]; 2] = {
    let mut table = [[[TaperedScore::ZERO; 64]; 6]; 2];
    let mut i = 0;
    while i < 2 * 6 * 64 {
        let (side, piece, square) = (i / 64 / 6, i / 64 % 6, i % 64);
        let man = PieceType::ALL[piece];
        let placement = piece_square(Side::ALL[side], man, Square::new(square as u8)).value();
        table[side][piece][square] = match material(man) {
            Some(material) => placement.plus(material.value()),
            None => placement,
        };
        i += 1;
    }
    table
};

/// What a man of `side` is worth by itself on `square`.
#[inline(always)]
pub fn psqt(side: Side, piece: PieceType, square: Square) -> TaperedScore {
    PSQT[side.index()][piece.index()][square.index()]
}
