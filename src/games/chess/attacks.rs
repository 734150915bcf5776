//! Attack sets of all pieces, from tables computed at compile time.

use super::bitboard::{Bitboard, Piece, PieceType, Square};
use crate::game::{Side, const_for};

// The first two steps of a slider lead to higher squares, the others to lower ones.
const ROOK_STEPS: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The square one step from `square`; `None` off the board.
const fn step(square: u8, (files, ranks): (i8, i8)) -> Option<u8> {
    let (file, rank) = ((square & 7) as i8 + files, (square >> 3) as i8 + ranks);
    if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some((rank * 8 + file) as u8) }
}

const fn leaper_table(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    const_for!(square, 0..64, {
        const_for!(i, 0..steps.len(), {
            if let Some(to) = step(square, steps[i]) {
                table[square as usize].0 |= 1 << to;
            }
        });
    });
    table
}

static KNIGHT: [Bitboard; 64] = leaper_table(&KNIGHT_STEPS);
static KING: [Bitboard; 64] = leaper_table(&KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [leaper_table(&[(-1, 1), (1, 1)]), leaper_table(&[(-1, -1), (1, -1)])];

/// The squares from `square` in one direction, to the edge of the board.
const fn ray(square: u8, direction: (i8, i8)) -> u64 {
    let (mut squares, mut at) = (0, square);
    while let Some(next) = step(at, direction) {
        squares |= 1 << next;
        at = next;
    }
    squares
}

/// The squares of a rank, file or diagonal on both sides of a square.
#[derive(Clone, Copy)]
struct Line {
    lower: u64,
    upper: u64,
}

impl Line {
    /// The squares that a slider attacks along the line: on both sides up to and including the first blocker.
    ///
    /// Obstruction difference (<https://www.chessprogramming.org/Obstruction_Difference>): a few instructions in place of a table of
    /// 860 kB, which would take the cache from the network and the histories.
    #[inline(always)]
    const fn attacks(&self, occupied: u64) -> u64 {
        let (lower, upper) = (self.lower & occupied, self.upper & occupied);
        let from_highest_below = u64::MAX << (63 - (lower | 1).leading_zeros());
        let lowest_above = upper & upper.wrapping_neg();
        (lowest_above << 1).wrapping_add(from_highest_below) & (self.lower | self.upper)
    }
}

/// The two lines of a slider, by its square.
const fn line_pairs(steps: &[(i8, i8); 4]) -> [[Line; 2]; 64] {
    let mut table = [[Line { lower: 0, upper: 0 }; 2]; 64];
    const_for!(square, 0..64, {
        const_for!(i, 0..2, {
            table[square as usize][i] =
                Line { lower: ray(square, steps[i + 2]), upper: ray(square, steps[i]) };
        });
    });
    table
}

static ROOK: [[Line; 2]; 64] = line_pairs(&ROOK_STEPS);
static BISHOP: [[Line; 2]; 64] = line_pairs(&BISHOP_STEPS);

#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

#[inline(always)]
pub fn pawn(side: Side, square: Square) -> Bitboard {
    PAWN[side.index()][square.index()]
}

/// The squares that at least one of `pawns` of `side` attacks.
#[inline(always)]
pub fn pawns(side: Side, pawns: Bitboard) -> Bitboard {
    let forward = pawns.forward(side);
    (forward - Bitboard::FILE_H).shift(1) | (forward - Bitboard::FILE_A).shift(-1)
}

#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let [one, other] = &ROOK[square.index()];
    Bitboard(one.attacks(occupied.0) | other.attacks(occupied.0))
}

#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let [one, other] = &BISHOP[square.index()];
    Bitboard(one.attacks(occupied.0) | other.attacks(occupied.0))
}

#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// The squares that a piece of this kind and side on `square` attacks.
#[inline(always)]
pub fn of_kind(kind: PieceType, side: Side, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Pawn => pawn(side, square),
        PieceType::Knight => knight(square),
        PieceType::Bishop => bishop(square, occupied),
        PieceType::Rook => rook(square, occupied),
        PieceType::Queen => queen(square, occupied),
        PieceType::King => king(square),
    }
}

const fn ray_table(steps: &[(i8, i8); 4]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    const_for!(square, 0..64, {
        const_for!(i, 0..4, {
            table[square as usize].0 |= ray(square, steps[i]);
        });
    });
    table
}

static ROOK_RAYS: [Bitboard; 64] = ray_table(&ROOK_STEPS);
static BISHOP_RAYS: [Bitboard; 64] = ray_table(&BISHOP_STEPS);

/// The squares that a rook on `square` of an empty board attacks.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// The squares that a bishop on `square` of an empty board attacks.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// By [`Piece::index`]; empty for indices of no piece.
static PSEUDO_ATTACKS: [[Bitboard; 64]; Piece::COUNT] = {
    let mut table = [[Bitboard::EMPTY; 64]; Piece::COUNT];
    const_for!(square, 0..64, {
        let queen = Bitboard(ROOK_RAYS[square].0 | BISHOP_RAYS[square].0);
        const_for!(side, 0..2, {
            let pawn = PAWN[side][square];
            let attacked =
                [pawn, KNIGHT[square], BISHOP_RAYS[square], ROOK_RAYS[square], queen, KING[square]];
            const_for!(i, 0..attacked.len(), {
                table[Piece::new(Side::ALL[side], PieceType::ALL[i]).index()][square] = attacked[i];
            });
        });
    });
    table
};

/// The squares that `piece` on `square` of an empty board attacks.
#[inline(always)]
pub const fn pseudo_attacks(piece: Piece, square: Square) -> Bitboard {
    PSEUDO_ATTACKS[piece.index()][square.index()]
}

/// By two squares: with `to_edges` the whole line through both, else the squares strictly between; empty if on no line.
const fn line_table(to_edges: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    const_for!(a, 0..64, {
        const_for!(i, 0..8, {
            let (steps, opposite) = (KING_STEPS[i], KING_STEPS[(i + 4) % 8]);
            let line = ray(a, steps) | ray(a, opposite) | 1 << a;
            let (mut at, mut passed) = (a, 0);
            while let Some(b) = step(at, steps) {
                table[a as usize][b as usize].0 = if to_edges { line } else { passed };
                passed |= 1 << b;
                at = b;
            }
        });
    });
    table
}

static BETWEEN: [[Bitboard; 64]; 64] = line_table(false);
static LINE: [[Bitboard; 64]; 64] = line_table(true);

/// The squares strictly between `a` and `b` on a shared rank, file or diagonal; empty without one.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through `a` and `b`; empty without one.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SplitMix64;

    /// The squares up to and including the first blocker in each direction, step by step.
    fn walk(square: u8, blockers: u64, steps: &[(i8, i8); 4]) -> u64 {
        let mut attacked = 0;
        for &steps in steps {
            let mut at = square;
            while let Some(next) = step(at, steps) {
                attacked |= 1 << next;
                if blockers >> next & 1 != 0 {
                    break;
                }
                at = next;
            }
        }
        attacked
    }

    #[test]
    fn slider_attacks_equal_ray_walk() {
        let mut random = SplitMix64::new(1);
        for square in 0..64 {
            for _ in 0..200 {
                let occupied = random.next() & random.next();
                let (at, set) = (Square::new(square), Bitboard(occupied));
                assert_eq!(rook(at, set).0, walk(square, occupied, &ROOK_STEPS));
                assert_eq!(bishop(at, set).0, walk(square, occupied, &BISHOP_STEPS));
            }
        }
    }

    #[test]
    fn between_and_line_of_square_pairs_are_exact() {
        let square = |text| Square::parse(text).unwrap();
        assert_eq!(between(square("a1"), square("d4")), square("b2").bit() | square("c3").bit());
        assert_eq!(between(square("d4"), square("d5")), Bitboard::EMPTY);
        assert_eq!(between(square("a1"), square("b3")), Bitboard::EMPTY);
        assert_eq!(line(square("c2"), square("f2")), Bitboard::rank(1));
        assert_eq!(line(square("a2"), square("b1")), square("a2").bit() | square("b1").bit());
    }
}
