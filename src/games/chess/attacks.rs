//! Attack sets of all pieces, from tables computed at compile time. Sliders use magic bitboards
//! (<https://www.chessprogramming.org/Magic_Bitboards>).

use super::bitboard::{Bitboard, Piece, PieceType, Square};
use super::magics;
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

const fn rays(square: u8, steps: &[(i8, i8); 4]) -> [u64; 4] {
    [ray(square, steps[0]), ray(square, steps[1]), ray(square, steps[2]), ray(square, steps[3])]
}

/// The squares that a slider attacks along `rays`: up to and including the first blocker of each.
///
/// Few operations, because the compiler evaluates this 107,648 times in each build.
const fn slider_attacks(rays: &[u64; 4], blockers: u64) -> u64 {
    // Up to the lowest blocker or to the edge.
    let (first, second) = (blockers & rays[0] | 1 << 63, blockers & rays[1] | 1 << 63);
    let up = rays[0] & (first ^ (first - 1)) | rays[1] & (second ^ (second - 1));
    // From the highest blocker or from the edge on.
    let (first, second) = (blockers & rays[2] | 1, blockers & rays[3] | 1);
    let down = rays[2] & u64::MAX << (63 - first.leading_zeros());
    up | down | rays[3] & u64::MAX << (63 - second.leading_zeros())
}

/// The squares where a blocker changes the attacks of a slider on `square`: its rays without their last squares.
const fn relevant_mask(square: u8, steps: &[(i8, i8); 4]) -> u64 {
    let mut mask = 0;
    const_for!(i, 0..4, {
        let mut at = square;
        while let Some(next) = step(at, steps[i]) {
            if step(next, steps[i]).is_some() {
                mask |= 1 << next;
            }
            at = next;
        }
    });
    mask
}

/// Perfect hash from the blockers of a slider on one square to its index in the attack table.
#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    factor: u64,
    offset: u32,
    shift: u32,
}

impl Magic {
    #[inline(always)]
    const fn index(&self, occupied: u64) -> usize {
        self.offset as usize + ((occupied & self.mask).wrapping_mul(self.factor) >> self.shift) as usize
    }
}

const fn magics(factors: &[u64; 64], steps: &[(i8, i8); 4]) -> [Magic; 64] {
    let mut table = [Magic { mask: 0, factor: 0, offset: 0, shift: 0 }; 64];
    let (mut square, mut offset) = (0, 0);
    while square < 64 {
        let mask = relevant_mask(square as u8, steps);
        let bits = mask.count_ones();
        table[square] = Magic { mask, factor: factors[square], offset, shift: 64 - bits };
        offset += 1 << bits;
        square += 1;
    }
    table
}

const fn slider_table<const N: usize>(magics: &[Magic; 64], steps: &[(i8, i8); 4]) -> [Bitboard; N] {
    let mut table = [Bitboard::EMPTY; N];
    const_for!(square, 0..64, {
        let (magic, rays) = (magics[square], rays(square as u8, steps));
        let mut blockers = 0_u64;
        // Enumerates all subsets of the mask (<https://www.chessprogramming.org/Traversing_Subsets_of_a_Set>).
        loop {
            let attacked = slider_attacks(&rays, blockers);
            let slot = &mut table[magic.index(blockers)];
            assert!(
                slot.0 == 0 || slot.0 == attacked,
                "two sets of blockers with different attacks share an index"
            );
            slot.0 = attacked;
            blockers = blockers.wrapping_sub(magic.mask) & magic.mask;
            if blockers == 0 {
                break;
            }
        }
    });
    table
}

static ROOK_MAGICS: [Magic; 64] = magics(&magics::ROOK, &ROOK_STEPS);
static BISHOP_MAGICS: [Magic; 64] = magics(&magics::BISHOP, &BISHOP_STEPS);
// 107,648 entries save the program an initialisation.
#[allow(long_running_const_eval)]
static ROOK: [Bitboard; 102_400] = slider_table(&magics(&magics::ROOK, &ROOK_STEPS), &ROOK_STEPS);
static BISHOP: [Bitboard; 5_248] = slider_table(&magics(&magics::BISHOP, &BISHOP_STEPS), &BISHOP_STEPS);

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
    ROOK[ROOK_MAGICS[square.index()].index(occupied.0)]
}

#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP[BISHOP_MAGICS[square.index()].index(occupied.0)]
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
        table[square] = Bitboard(slider_attacks(&rays(square as u8, steps), 0));
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
    fn slider_attacks_from_magics_equal_ray_walk() {
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
