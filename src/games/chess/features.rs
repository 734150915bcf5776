//! The inputs that a network gets of a chess position: the pieces on their squares, attacked or not, by the place of the own king.

use super::bitboard::{Piece, PieceType};
use super::position::Position;
use crate::game::{PIECE_STATES, Side, const_for, features_of_pieces};
use crate::nnue::Features;

/// A piece of either side on each square, from the point of view of one side.
const STATE_INPUTS: usize = 2 * 6 * 64;
/// The inputs of a king bucket: these for each state of a piece.
const BUCKET_INPUTS: usize = PIECE_STATES * STATE_INPUTS;

/// The first input of a content in a king bucket, by perspective.
static PLANES: [[u16; 64]; 2] = {
    let mut planes = [[0; 64]; 2];
    const_for!(i, 0..2 * 64, {
        let (perspective, content) = (i / 64, i % 64);
        let (state, owner, kind) = (content >> 4, content >> 3 & 1, content & 7);
        planes[perspective][content] =
            (state * STATE_INPUTS + (owner ^ perspective) * (STATE_INPUTS / 2) + kind * 64) as u16;
    });
    planes
};

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
        bucket * BUCKET_INPUTS + usize::from(PLANES[perspective][usize::from(content & 63)]) + square
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
    use super::super::bitboard::Square;
    use super::*;
    use crate::game::{Game, Notation, SplitMix64};

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

    #[test]
    fn contents_say_which_pieces_are_attacked_and_which_of_them_defended() {
        let states = |fen| {
            let cells = Position::start().parse_position(fen).unwrap().game.cells();
            let filled = cells.into_iter().filter(|content| *content != Position::EMPTY);
            filled.map(|content| content >> 4).collect::<Vec<_>>()
        };
        // In the order of the squares: Ke1, e4, d5, Ke8.
        assert_eq!(states("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"), [0, 1, 1, 0]);
        // Ke1, d3, e4, d5, c6, Ke8.
        assert_eq!(states("4k3/8/2p5/3p4/4P3/3P4/8/4K3 w - - 0 1"), [0, 0, 2, 2, 0, 0]);
        // Kh1, Ra2, Nc3, Qc4, Qa6, Bf6, Kh8. The bishop is defended, but not attacked.
        assert_eq!(states("7k/8/q4b2/8/2Q5/2N5/R7/7K w - - 0 1"), [0, 2, 2, 1, 1, 0, 0]);
    }

    #[test]
    fn attacked_squares_are_those_of_single_questions() {
        let mut random = SplitMix64::new(7);
        for _ in 0..20 {
            let mut game = Position::start();
            for _ in 0..100 {
                let board = game.board();
                for side in Side::ALL {
                    let attacked = board.attacked_by(side);
                    for square in (0..64).map(Square::new) {
                        let expected = board.is_attacked(square, side, board.occupied());
                        assert_eq!((attacked & square.bit()).has_any(), expected, "{board:?} {square:?}");
                    }
                }
                let moves = game.moves();
                let Some(&mv) = random.choose(&moves) else { break };
                game.play(mv);
            }
        }
    }
}
