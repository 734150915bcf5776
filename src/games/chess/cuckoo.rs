//! Detection of upcoming repetitions without move generation.
//!
//! A reversible move changes the key by the keys of one piece on two squares. A hash table holds all such
//! changes, so that one look-up finds the move between two positions. Source: van Kervinck 2013, "The design
//! and implementation of the Rookie 2.0 chess playing program";
//! <https://www.chessprogramming.org/Repetitions>. His table uses cuckoo hashing, hence the name of this
//! file; this one uses linear probing.

use super::attacks;
use super::bitboard::{Piece, PieceType, Square};
use super::board::Board;
use crate::game::{Side, const_for};

/// A move of a piece between two squares, in either direction. Key 0 marks an empty slot.
#[derive(Clone, Copy)]
struct ReversibleMove {
    key: u64,
    squares: [Square; 2],
}

/// Slots of the table, which holds 3,668 moves.
const TABLE_SIZE: usize = 1 << 13;

/// All reversible moves in a hash table with linear probing, by the low bits of their keys.
static REVERSIBLE_MOVES: [ReversibleMove; TABLE_SIZE] = {
    let mut table = [ReversibleMove { key: 0, squares: [Square::at(0, 0); 2] }; TABLE_SIZE];
    const_for!(side, 0..Side::ALL.len(), {
        const_for!(n, 0..PieceType::ALL.len() * 64, {
            let (kind, from) = (PieceType::ALL[n / 64], Square::new((n % 64) as u8));
            let piece = Piece::new(Side::ALL[side], kind);
            // Each move once: to a higher square.
            let mut targets = match kind {
                PieceType::Pawn => 0,
                _ => attacks::pseudo_attacks(piece, from).0 & u64::MAX << from.index(),
            };
            while targets != 0 {
                let to = Square::new(targets.trailing_zeros() as u8);
                let key = Board::reversible_move_key(piece, from, to);
                let mut slot = key as usize % TABLE_SIZE;
                while table[slot].key != 0 {
                    slot = (slot + 1) % TABLE_SIZE;
                }
                table[slot] = ReversibleMove { key, squares: [from, to] };
                targets &= targets - 1;
            }
        });
    });
    table
};

/// For each value of the highest bits of a key, whether a reversible move has it: one in 18 of them. Most look-ups end here, in
/// little memory.
static MAY_BE_REVERSIBLE: [u64; FILTER_SIZE / 64] = {
    let mut filter = [0; FILTER_SIZE / 64];
    const_for!(slot, 0..TABLE_SIZE, {
        let bit = filter_bit(REVERSIBLE_MOVES[slot].key);
        if REVERSIBLE_MOVES[slot].key != 0 {
            filter[bit / 64] |= 1 << (bit % 64);
        }
    });
    filter
};

const FILTER_SIZE: usize = 1 << 16;

const fn filter_bit(key: u64) -> usize {
    (key >> 48) as usize
}

/// Whether one move of the side to move leads from `board` to an earlier position. `difference` is the
/// exclusive or of the two main keys. The squares between origin and target must be empty.
pub fn is_one_move_apart(board: &Board, difference: u64) -> bool {
    let bit = filter_bit(difference);
    if MAY_BE_REVERSIBLE[bit / 64] >> (bit % 64) & 1 == 0 {
        return false;
    }
    let mut slot = difference as usize % TABLE_SIZE;
    loop {
        let entry = &REVERSIBLE_MOVES[slot];
        if entry.key == 0 {
            return false;
        }
        if entry.key == difference {
            let [a, b] = entry.squares;
            let own = board.occupied_by(board.side);
            return (attacks::between(a, b) & board.occupied()).is_empty()
                && (own.contains(a) || own.contains(b));
        }
        slot = (slot + 1) % TABLE_SIZE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_holds_each_reversible_move_once() {
        assert_eq!(REVERSIBLE_MOVES.iter().filter(|entry| entry.key != 0).count(), 3668);
    }
}
