//! Distances, files and spans on the board that several terms share.

use super::super::bitboard::{Bitboard, Square};
use crate::game::{Side, const_for};

/// The number of squares in `set`, as the factor of a weight.
#[inline(always)]
pub fn count(set: Bitboard) -> i32 {
    set.count() as i32
}

/// All squares in front of `set` from the point of view of `side`, without `set` itself.
pub fn front_span(side: Side, set: Bitboard) -> Bitboard {
    let mut front = set.forward(side);
    for steps in [8, 16, 32] {
        front |= front.shift(if side == Side::White { steps } else { -steps });
    }
    front
}

/// The whole files of `set`.
pub fn files(set: Bitboard) -> Bitboard {
    set | front_span(Side::White, set) | front_span(Side::Black, set)
}

/// The squares directly left and right of `set`.
pub fn neighbours(set: Bitboard) -> Bitboard {
    (set - Bitboard::FILE_H).shift(1) | (set - Bitboard::FILE_A).shift(-1)
}

static DISTANCES: [[u8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    const_for!(pair, 0..64 * 64, {
        let (a, b) = (Square::new((pair / 64) as u8), Square::new((pair % 64) as u8));
        let (files, ranks) = (a.file().abs_diff(b.file()), a.rank().abs_diff(b.rank()));
        table[a.index()][b.index()] = if files > ranks { files } else { ranks };
    });
    table
};

/// The Chebyshev distance: king moves between two squares of an empty board, 0 to 7.
#[inline(always)]
pub fn distance(a: Square, b: Square) -> i32 {
    i32::from(DISTANCES[a.index()][b.index()])
}

/// Files to the nearer edge: 0 for a and h, 3 for d and e.
pub const fn edge_distance(file: u8) -> usize {
    (if file < 4 { file } else { 7 - file }) as usize
}

/// The files around a king on `square`: three for a king on an edge file, else the four of its wing or of the centre.
pub fn king_flank(square: Square) -> Bitboard {
    const WINGS: [u64; 8] = [0x07, 0x0F, 0x0F, 0x3C, 0x3C, 0xF0, 0xF0, 0xE0];
    Bitboard(WINGS[usize::from(square.file())] * Bitboard::FILE_A.0)
}
