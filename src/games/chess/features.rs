//! The inputs that a network gets of a chess position: the pieces on their squares, by the place of the own king.

use super::bitboard::{Piece, PieceType};
use super::position::Position;
use crate::game::{Side, features_of_pieces};
use crate::nnue::Features;

/// The inputs of a king bucket: a piece of either side on each square, from the point of view of one side.
const BUCKET_INPUTS: usize = 2 * 6 * 64;

/// The king bucket, by the square of the own king, for files a to d from the king's own side of the board. Kings on
/// files e to h are mirrored. The first ranks have more buckets, because kings are there most of the time.
#[rustfmt::skip]
const KING_BUCKETS: [[u8; 4]; 8] = [
    [0, 0, 1, 1],
    [2, 2, 2, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
];

/// A view: 1 for the perspective of Black, plus 2 if the files are mirrored, plus 4 times the king bucket.
impl Features<64> for Position {
    features_of_pieces!(64);

    const VIEWS: usize = 4 * Self::INPUT_BUCKETS;
    const INPUT_BUCKETS: usize = 4;
    const INPUTS: usize = Self::INPUT_BUCKETS * BUCKET_INPUTS;

    #[inline]
    fn view(&self, perspective: usize) -> usize {
        let side = Side::ALL[perspective];
        let king = self.board().king(side).relative(side);
        let mirrored = king.file() >= 4;
        let file = if mirrored { 7 - king.file() } else { king.file() };
        let bucket = KING_BUCKETS[king.rank() as usize][file as usize];
        perspective + 2 * usize::from(mirrored) + 4 * usize::from(bucket)
    }

    #[inline]
    fn input(view: usize, cell: usize, content: u8) -> usize {
        let (perspective, mirrored, bucket) = (view & 1, view >> 1 & 1, view >> 2);
        let square = cell ^ (56 * perspective) ^ (7 * mirrored);
        let (owner, kind) = (usize::from(content >> 3), usize::from(content & 7));
        bucket * BUCKET_INPUTS + (owner ^ perspective) * (BUCKET_INPUTS / 2) + kind * 64 + square
    }

    /// A position with a bare king is not covered: the hand-written evaluation knows which endings are drawn, and the way
    /// to mate. The network alone let won endings end by the fifty-move rule (docs/strength.md).
    #[inline]
    fn is_covered(&self) -> bool {
        Side::ALL.into_iter().all(|side| self.board().occupied_by(side).more_than_one())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation};

    /// The active inputs of each perspective, in order.
    fn inputs(position: &Position, perspective: usize) -> Vec<usize> {
        let (view, cells) = (position.view(perspective), position.cells());
        assert!(view < Position::VIEWS);
        let filled = (0..64).filter(|&cell| cells[cell] != Position::EMPTY);
        let mut inputs: Vec<_> = filled.map(|cell| Position::input(view, cell, cells[cell])).collect();
        inputs.sort_unstable();
        inputs
    }

    #[test]
    fn inputs_of_start_position_are_32_distinct_ones_and_equal_for_both_sides() {
        let start = Position::start();
        let white = inputs(&start, 0);
        assert_eq!(white.len(), 32);
        assert!(white.windows(2).all(|pair| pair[0] < pair[1]) && white[31] < Position::INPUTS);
        assert_eq!(white, inputs(&start, 1));
        assert_eq!(start.output_bucket(), 7);
    }

    #[test]
    fn inputs_of_mirrored_positions_are_equal() {
        let of = |fen| inputs(&Position::start().parse_position(fen).unwrap().game, 0);
        let (left, right) =
            (of("8/8/3k4/8/8/5P2/8/1K3R2 w - - 0 1"), of("8/8/4k3/8/8/2P5/8/2R3K1 w - - 0 1"));
        assert_eq!(left, right);
        assert_eq!(left, {
            let flipped = Position::start().parse_position("1k3r2/8/5p2/8/8/3K4/8/8 b - - 0 1").unwrap().game;
            inputs(&flipped, 1)
        });
    }

    #[test]
    fn every_view_has_inputs_of_its_own_bucket() {
        let mut position = Position::start();
        for text in ["e2e4", "e7e5", "e1e2", "e8e7", "e2d3", "e7f6"] {
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
            for perspective in [0, 1] {
                let bucket = position.view(perspective) >> 2;
                let range = bucket * BUCKET_INPUTS..(bucket + 1) * BUCKET_INPUTS;
                assert!(inputs(&position, perspective).iter().all(|input| range.contains(input)));
            }
        }
        assert_eq!([position.view(0) >> 2, position.view(1) >> 2], [3, 3]);
        assert_eq!([position.view(0) >> 1 & 1, position.view(1) >> 1 & 1], [0, 1]);
    }
}
