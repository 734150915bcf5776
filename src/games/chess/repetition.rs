//! Whether one move leads back to an earlier position, without trying the moves: the keys of the two
//! positions differ by the keys of one man on two squares, and all such differences are listed
//! (van Kervinck 2013, "The design and implementation of the Rookie 2.0 chess playing program";
//! <https://www.chessprogramming.org/Repetitions>).

use super::attacks;
use super::bitboard::{Bitboard, Man, Piece, Square};
use super::board::Board;
use crate::game::Side;
use std::sync::LazyLock;

/// A man's way between two squares, in either direction; a key of 0 is an empty place.
#[derive(Clone, Copy)]
struct Step {
    key: u64,
    squares: [Square; 2],
}

/// There are 3668 steps.
const SIZE: usize = 1 << 13;

/// An open hash table of all steps, by the low bits of their keys.
static STEPS: LazyLock<Box<[Step]>> = LazyLock::new(|| {
    let corner = Square::at(0, 0);
    let mut steps = vec![Step { key: 0, squares: [corner; 2] }; SIZE].into_boxed_slice();
    for side in Side::ALL {
        for piece in Piece::ALL.into_iter().filter(|&piece| piece != Piece::Pawn) {
            let man = Man::new(side, piece);
            for from in !Bitboard::EMPTY {
                for to in
                    attacks::of(piece, side, from, Bitboard::EMPTY).filter(|to| to.index() > from.index())
                {
                    let key = Board::step_key(man, from, to);
                    let mut place = key as usize % SIZE;
                    while steps[place].key != 0 {
                        place = (place + 1) % SIZE;
                    }
                    steps[place] = Step { key, squares: [from, to] };
                }
            }
        }
    }
    steps
});

/// Whether `board` and an earlier one, its key differing by `difference`, are one move of the side to
/// move apart, with nothing in the way.
pub fn is_one_move(board: &Board, difference: u64) -> bool {
    let mut place = difference as usize % SIZE;
    loop {
        let step = &STEPS[place];
        if step.key == 0 {
            return false;
        }
        if step.key == difference {
            let [a, b] = step.squares;
            let mover = board.of(board.side());
            return (attacks::between(a, b) & board.occupied()).is_empty() && (mover.has(a) || mover.has(b));
        }
        place = (place + 1) % SIZE;
    }
}
