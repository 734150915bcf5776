//! What a man is worth by itself: for what it is and for where it stands.

use super::super::bitboard::{Piece, Square};
use super::pair::Pair;
use super::pawns::inward;
use super::tally::Weight;
use super::weights::{
    BISHOP_PLACEMENT, KING_PLACEMENT, KNIGHT_PLACEMENT, MATERIAL, PAWN_PLACEMENT, QUEEN_PLACEMENT,
    ROOK_PLACEMENT,
};
use crate::game::Side;

/// By [`Piece::index`].
const PLACEMENT: [Weight; 6] =
    [PAWN_PLACEMENT, KNIGHT_PLACEMENT, BISHOP_PLACEMENT, ROOK_PLACEMENT, QUEEN_PLACEMENT, KING_PLACEMENT];

/// For what it is; a king has no price.
pub const fn material(piece: Piece) -> Option<Weight> {
    match piece {
        Piece::King => None,
        _ => Some(MATERIAL.at(piece.index())),
    }
}

/// For where it stands: by the rank, as `side` sees it, and the file from the edge inwards.
pub const fn placement(side: Side, piece: Piece, square: Square) -> Weight {
    let rank = square.relative(side).rank() as usize;
    PLACEMENT[piece.index()].at(rank * 4 + inward(square.file()))
}

/// Both in one, by side, piece and square.
static WORTH: [[[Pair; 64]; 6]; 2] = {
    let mut table = [[[Pair::ZERO; 64]; 6]; 2];
    let mut i = 0;
    while i < 2 * 6 * 64 {
        let (side, piece, square) = (i / 64 / 6, i / 64 % 6, i % 64);
        let man = Piece::ALL[piece];
        let placement = placement(Side::ALL[side], man, Square::new(square as u8)).value();
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
pub fn worth(side: Side, piece: Piece, square: Square) -> Pair {
    WORTH[side.index()][piece.index()][square.index()]
}
