//! The inputs that a network gets of a position: the pieces on their squares, attacked or not, by whether the enemy has a rook.

use super::bitboard::{FILES, Piece, PieceType, SQUARES, Square};
use super::position::Xiangqi;
use crate::game::{PIECE_STATES, Side, const_for, features_of_pieces};
use crate::nnue::Features;

/// The plane of each kind, by [`PieceType::index`]. A plane has an input for each square. Kinds that never stand on the same
/// square share one: pawns and the king, advisers and elephants.
const PLANES: [usize; PieceType::COUNT] = [0, 1, 1, 2, 3, 4, 0];

/// The planes of both sides.
const STATE_INPUTS: usize = 2 * 5 * SQUARES;
/// The inputs of an input bucket: these planes for each state of a piece.
const BUCKET_INPUTS: usize = PIECE_STATES * STATE_INPUTS;

/// The file in the middle, on which mirroring leaves a king.
const MIDDLE: usize = FILES / 2;

/// The squares as a perspective sees them: 1 for that of Black, plus 2 if the files are mirrored.
static SEEN: [[u8; SQUARES]; 4] = {
    let mut table = [[0; SQUARES]; 4];
    const_for!(i, 0..4 * SQUARES, {
        let (turned, index) = (i / SQUARES, i % SQUARES);
        let square = Square::new(index).relative(Side::ALL[turned & 1]);
        let file = if turned & 2 == 0 { square.file() } else { FILES - 1 - square.file() };
        table[turned][index] = Square::at(file, square.rank()).index() as u8;
    });
    table
};

/// A view: 1 for the perspective of Black, plus 2 if the files are mirrored, plus 4 times the input bucket.
impl Features<SQUARES> for Xiangqi {
    features_of_pieces!(SQUARES);

    const VIEWS: usize = 4 * Self::INPUT_BUCKETS;
    /// One for an enemy without a rook, one for an enemy with a rook.
    const INPUT_BUCKETS: usize = 2;
    const INPUTS: usize = Self::INPUT_BUCKETS * BUCKET_INPUTS;

    /// The files are mirrored if the own king is on the right, or the enemy king while the own king is in the middle.
    #[inline]
    fn view(&self, perspective: usize) -> usize {
        let (board, side) = (self.board(), Side::ALL[perspective]);
        let king = board.king(side).relative(side);
        let deciding = if king.file() == MIDDLE { board.king(!side) } else { king };
        let mirrored = deciding.file() > MIDDLE;
        let has_rook = board.pieces(!side, PieceType::Rook).has_any();
        perspective + 2 * usize::from(mirrored) + 4 * usize::from(has_rook)
    }

    #[inline]
    fn input(view: usize, cell: usize, content: u8) -> usize {
        let (perspective, bucket) = (view & 1, view >> 2);
        let (state, owner) = (usize::from(content >> 4), usize::from(content >> 3 & 1));
        let plane = (owner ^ perspective) * 5 + PLANES[usize::from(content & 7)];
        let square = usize::from(SEEN[view & 3][cell]);
        bucket * BUCKET_INPUTS + state * STATE_INPUTS + plane * SQUARES + square
    }
}

#[cfg(test)]
mod tests {
    use super::super::fen::places;
    use super::*;
    use crate::game::{Game, Notation, SplitMix64};

    fn position(text: &str) -> Xiangqi {
        Xiangqi::start().parse_position(text).unwrap().game
    }

    /// The active inputs of each perspective, in order.
    fn inputs(position: &Xiangqi, perspective: usize) -> Vec<usize> {
        let (view, cells) = (position.view(perspective), position.cells());
        assert!(view < Xiangqi::VIEWS && view & 1 == perspective);
        let filled = (0..SQUARES).filter(|&cell| cells[cell] != Xiangqi::EMPTY);
        let mut inputs: Vec<_> = filled.map(|cell| Xiangqi::input(view, cell, cells[cell])).collect();
        inputs.sort_unstable();
        inputs
    }

    #[test]
    fn inputs_of_start_position_are_32_distinct_ones_and_equal_for_both_sides() {
        let start = Xiangqi::start();
        let red = inputs(&start, 0);
        assert_eq!(red.len(), 32);
        assert!(red.windows(2).all(|pair| pair[0] < pair[1]) && red[31] < Xiangqi::INPUTS);
        assert_eq!(red, inputs(&start, 1));
        assert_eq!(start.output_bucket(), 7);
    }

    #[test]
    fn inputs_of_random_games_are_distinct_and_within_their_bucket() {
        let mut random = SplitMix64::new(5);
        for _ in 0..20 {
            let mut game = Xiangqi::start();
            for _ in 0..200 {
                for perspective in [0, 1] {
                    let inputs = inputs(&game, perspective);
                    let bucket = game.view(perspective) >> 2;
                    let range = bucket * BUCKET_INPUTS..(bucket + 1) * BUCKET_INPUTS;
                    assert!(inputs.windows(2).all(|pair| pair[0] < pair[1]));
                    assert!(inputs.iter().all(|input| range.contains(input)));
                }
                let moves = game.moves();
                let Some(&mv) = random.choose(&moves) else { break };
                game.play(mv);
            }
        }
    }

    #[test]
    fn kinds_of_one_plane_have_no_square_in_common() {
        for (index, one) in PieceType::ALL.into_iter().enumerate() {
            for other in &PieceType::ALL[index + 1..] {
                let both = places(Side::White, one) & places(Side::White, *other);
                assert!(both.is_empty() || PLANES[index] != PLANES[other.index()], "{one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn inputs_of_mirrored_positions_are_equal() {
        for (left, right, flipped) in [
            // The own king off the middle file.
            ("4k4/9/9/9/9/9/1N7/9/3K5/R8 w", "4k4/9/9/9/9/9/7N1/9/5K3/8R w", "8r/5k3/9/7n1/9/9/9/9/9/4K4 b"),
            // The own king on the middle file: the other king decides.
            ("3k5/9/9/9/9/9/1N7/9/9/R3K4 w", "5k3/9/9/9/9/9/7N1/9/9/4K3R w", "4k3r/9/9/7n1/9/9/9/9/9/5K3 b"),
        ] {
            let (left, right) = (position(left), position(right));
            assert_eq!(inputs(&left, 0), inputs(&right, 0));
            assert_eq!(inputs(&left, 1), inputs(&right, 1));
            assert_eq!(inputs(&left, 0), inputs(&position(flipped), 1));
        }
    }

    #[test]
    fn bucket_depends_on_the_enemy_rooks() {
        for (text, buckets) in [
            ("4k4/9/9/9/9/4P4/9/9/9/R3K4 w", [0, 1]),
            ("3k4r/9/9/9/9/9/9/9/9/5K3 w", [1, 0]),
            ("9/9/3k5/9/9/9/9/9/4K4/9 w", [0, 0]),
        ] {
            let game = position(text);
            assert_eq!([0, 1].map(|perspective| game.view(perspective) >> 2), buckets, "{text}");
        }
    }

    #[test]
    fn contents_say_which_pieces_are_attacked_and_which_of_them_defended() {
        let states = |text| {
            let cells = position(text).cells().into_iter();
            cells.filter(|content| *content != Xiangqi::EMPTY).map(|content| content >> 4).collect::<Vec<_>>()
        };
        // In the order of the squares: Ke1, Ra4, Ca6, Ra9, Kd10. The rooks do not reach each other through the cannon, which jumps
        // over nothing.
        assert_eq!(states("3k5/r8/9/9/C8/9/R8/9/9/4K4 w"), [0, 0, 2, 0, 0]);
        // Ca1, Ke1, pa4, Ra9, Kd10: the cannon attacks the rook over the pawn.
        assert_eq!(states("3k5/r8/9/9/9/9/p8/9/9/C3K4 w"), [0, 0, 0, 1, 0]);
    }

    #[test]
    fn attacked_squares_are_those_of_single_questions() {
        let mut random = SplitMix64::new(7);
        for _ in 0..20 {
            let mut game = Xiangqi::start();
            for _ in 0..100 {
                let board = game.board();
                for side in Side::ALL {
                    let attacked = board.attacked_by(side);
                    for square in board.occupied() {
                        let attackers = board.attackers(square, board.occupied()) & board.occupied_by(side);
                        assert_eq!(attacked.contains(square), attackers.has_any(), "{board:?} {square:?}");
                    }
                }
                let moves = game.moves();
                let Some(&mv) = random.choose(&moves) else { break };
                game.play(mv);
            }
        }
    }
}
