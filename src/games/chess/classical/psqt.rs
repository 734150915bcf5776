//! Piece values and piece-square tables (<https://www.chessprogramming.org/Piece-Square_Tables>).

use super::super::bitboard::{PieceType, Square};
use super::geometry::edge_distance;
use super::terms::{EvalTerm, TermSink};
use super::weights::{
    BISHOP_PSQT, KING_PSQT, KNIGHT_PSQT, MATERIAL, PAWN_PSQT, QUEEN_PSQT, ROOK_PSQT, WEIGHTS,
};
use crate::game::{Side, TaperedScore, Weight, const_for};

const PIECE_SQUARE: [Weight; 6] = [PAWN_PSQT, KNIGHT_PSQT, BISHOP_PSQT, ROOK_PSQT, QUEEN_PSQT, KING_PSQT];

/// The weight of the piece value; `None` for a king.
const fn material(kind: PieceType) -> Option<Weight> {
    match kind {
        PieceType::King => None,
        _ => Some(MATERIAL.at(kind.index())),
    }
}

/// The weight of a piece on `square`: by rank from the point of view of `side`, and by file from the edge inwards.
const fn piece_square(side: Side, kind: PieceType, square: Square) -> Weight {
    let rank = square.relative(side).rank() as usize;
    PIECE_SQUARE[kind.index()].at(rank * 4 + edge_distance(square.file()))
}

/// Piece value plus piece-square value, by side, kind and square.
static PSQT: [[[TaperedScore; 64]; 6]; 2] = {
    let mut table = [[[TaperedScore::ZERO; 64]; 6]; 2];
    const_for!(i, 0..2 * 6 * 64, {
        let (side, kind, square) = (i / 64 / 6, i / 64 % 6, i % 64);
        let piece_type = PieceType::ALL[kind];
        let placement = WEIGHTS.value(piece_square(Side::ALL[side], piece_type, Square::new(square as u8)));
        table[side][kind][square] = match material(piece_type) {
            Some(material) => placement.plus(WEIGHTS.value(material)),
            None => placement,
        };
    });
    table
};

/// Piece value plus piece-square value of a piece of `side`, positive if it is good for `side`.
#[inline(always)]
pub fn psqt(side: Side, kind: PieceType, square: Square) -> TaperedScore {
    PSQT[side.index()][kind.index()][square.index()]
}

/// Adds the two weights whose values [`psqt`] sums to `sink`.
pub fn add_terms<T: TermSink>(sink: &mut T, side: Side, kind: PieceType, square: Square) {
    if let Some(weight) = material(kind) {
        sink.add(EvalTerm::Material, side, weight, 1);
    }
    sink.add(EvalTerm::PieceSquare, side, piece_square(side, kind, square), 1);
}
