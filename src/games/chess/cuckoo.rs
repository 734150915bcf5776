//! Whether one move leads back to an earlier position, without trying the moves: the keys of the two
//! positions differ by the keys of one man on two squares, and all such differences are listed
//! (van Kervinck 2013, "The design and implementation of the Rookie 2.0 chess playing program";
//! <https://www.chessprogramming.org/Repetitions>).

use super::attacks;
use super::bitboard::{Piece, PieceType, Square};
use super::board::Board;
use crate::game::Side;

/// A man's way between two squares, in either direction; a key of 0 is an empty place.
#[derive(Clone, Copy)]
struct ReversibleMove {
    key: u64,
    squares: [Square; 2],
}

/// There are 3668 steps.
const SIZE: usize = 1 << 13;

/// An open hash table of all steps, by the low bits of their keys.
static STEPS: [ReversibleMove; SIZE] = {
    let mut steps = [ReversibleMove { key: 0, squares: [Square::at(0, 0); 2] }; SIZE];
    let mut n = 0;
    while n < Side::ALL.len() * PieceType::ALL.len() * 64 * 64 {
        let (from, to) = (Square::new((n % 64) as u8), Square::new((n / 64 % 64) as u8));
        let piece = PieceType::ALL[n / 4096 % PieceType::ALL.len()];
        let man = Piece::new(Side::ALL[n / 4096 / PieceType::ALL.len()], piece);
        if from.index() < to.index() && is_step(piece, from, to) {
            let key = Board::step_key(man, from, to);
            let mut place = key as usize % SIZE;
            while steps[place].key != 0 {
                place = (place + 1) % SIZE;
            }
            steps[place] = ReversibleMove { key, squares: [from, to] };
        }
        n += 1;
    }
    steps
};

/// Whether `piece` steps from one square to the other on an empty board, and back.
const fn is_step(piece: PieceType, from: Square, to: Square) -> bool {
    let files = from.file().abs_diff(to.file());
    let ranks = from.rank().abs_diff(to.rank());
    let (straight, diagonal) = (files == 0 || ranks == 0, files == ranks);
    match piece {
        PieceType::Pawn => false,
        PieceType::Knight => files * ranks == 2,
        PieceType::Bishop => diagonal,
        PieceType::Rook => straight,
        PieceType::Queen => straight || diagonal,
        PieceType::King => files < 2 && ranks < 2,
    }
}

/// Whether `board` and an earlier one, its key differing by `difference`, are one move of the side to
/// move apart, with nothing in the way.
pub fn is_one_move_apart(board: &Board, difference: u64) -> bool {
    let mut place = difference as usize % SIZE;
    loop {
        let step = &STEPS[place];
        if step.key == 0 {
            return false;
        }
        if step.key == difference {
            let [a, b] = step.squares;
            let mover = board.occupied_by(board.side());
            return (attacks::between(a, b) & board.occupied()).is_empty()
                && (mover.contains(a) || mover.contains(b));
        }
        place = (place + 1) % SIZE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_listed_once() {
        assert_eq!(STEPS.iter().filter(|step| step.key != 0).count(), 3668);
    }
}
