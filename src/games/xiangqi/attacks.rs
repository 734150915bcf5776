//! Attack sets of all pieces, from tables computed at compile time.
//!
//! Rooks and cannons look up the occupied squares of their rank and of their file, 9 and 10 bits. A multiplication gathers
//! the bits of a file and another one spreads them. Magic bitboards would need 2^15 entries of 16 bytes for most squares. Horses
//! and elephants look up the four squares that can block them.

use super::bitboard::{Bitboard, FILES, PieceType, RANKS, SQUARES, Square};
use crate::game::{Side, const_for};

/// The square `files` and `ranks` from `square`; `None` off the board.
const fn step(square: usize, (files, ranks): (i8, i8)) -> Option<usize> {
    let (file, rank) = ((square % FILES) as i8 + files, (square / FILES) as i8 + ranks);
    if file < 0 || file >= FILES as i8 || rank < 0 || rank >= RANKS as i8 {
        None
    } else {
        Some(rank as usize * FILES + file as usize)
    }
}

/// What a piece sees along one rank or file of up to ten squares.
#[derive(Clone, Copy)]
struct LineAttacks {
    /// The squares up to and including the first occupied one on each side.
    slide: u16,
    /// The second occupied square on each side.
    jump: u16,
}

/// By the place on the line and its occupied squares. A rank uses nine of the ten squares.
static LINES: [[LineAttacks; 1 << RANKS]; RANKS] = {
    let mut table = [[LineAttacks { slide: 0, jump: 0 }; 1 << RANKS]; RANKS];
    const_for!(at, 0..RANKS, {
        const_for!(occupied, 0..1 << RANKS, {
            let line = &mut table[at][occupied];
            let mut direction = -1;
            while direction <= 1 {
                let (mut next, mut seen) = (at as i8 + direction, 0);
                while next >= 0 && next < RANKS as i8 && seen < 2 {
                    if seen == 0 {
                        line.slide |= 1 << next;
                    }
                    if occupied >> next & 1 != 0 {
                        seen += 1;
                        if seen == 2 {
                            line.jump |= 1 << next;
                        }
                    }
                    next += direction;
                }
                direction += 2;
            }
        });
    });
    table
};

/// The first eight squares of file a.
const FILE_LOW: u64 = 0x8040_2010_0804_0201;
const BYTES: u64 = 0x0101_0101_0101_0101;

/// The occupied squares of the square's file, one bit a rank.
#[inline(always)]
fn file_bits(square: Square, occupied: Bitboard) -> usize {
    let file = occupied.0 >> square.file();
    // Bit 9 r of the factor goes to bit 56 + r; no two partial products share a bit.
    let low = (file as u64 & FILE_LOW).wrapping_mul(BYTES) >> 56;
    let high = (file >> 64) as u64;
    (low | high & 1 << 8 | high >> 8 & 1 << 9) as usize
}

/// The inverse of [`file_bits`].
#[inline(always)]
fn file_squares(square: Square, bits: u16) -> u128 {
    let bits = u64::from(bits);
    let low = (bits & 0xFF).wrapping_mul(BYTES) & FILE_LOW;
    let high = bits & 1 << 8 | (bits & 1 << 9) << 8;
    (u128::from(high) << 64 | u128::from(low)) << square.file()
}

/// The occupied squares of the square's rank, one bit a file.
#[inline(always)]
fn rank_bits(square: Square, occupied: Bitboard) -> usize {
    (occupied.0 >> (square.rank() * FILES)) as usize & ((1 << FILES) - 1)
}

#[inline(always)]
fn rank_squares(square: Square, bits: u16) -> u128 {
    u128::from(bits & ((1 << FILES) - 1)) << (square.rank() * FILES)
}

/// The squares that a rook on `square` attacks, and the second occupied square in each direction, which is what a cannon
/// can capture.
#[inline(always)]
pub(super) fn lines(square: Square, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let file = LINES[square.rank()][file_bits(square, occupied)];
    let rank = LINES[square.file()][rank_bits(square, occupied)];
    (
        Bitboard(file_squares(square, file.slide) | rank_squares(square, rank.slide)),
        Bitboard(file_squares(square, file.jump) | rank_squares(square, rank.jump)),
    )
}

#[inline(always)]
pub(super) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    lines(square, occupied).0
}

/// The occupied squares that a cannon on `square` attacks.
#[inline(always)]
pub(super) fn cannon(square: Square, occupied: Bitboard) -> Bitboard {
    lines(square, occupied).1
}

type BySquare = [Bitboard; SQUARES];

/// The steps of a piece that can be blocked: the square that blocks, and the targets behind it.
type BlockedSteps = [((i8, i8), [(i8, i8); 2]); 4];

/// In the order of [`near_bits`].
const HORSE: BlockedSteps = [
    ((0, -1), [(-1, -2), (1, -2)]),
    ((-1, 0), [(-2, -1), (-2, 1)]),
    ((1, 0), [(2, -1), (2, 1)]),
    ((0, 1), [(-1, 2), (1, 2)]),
];
/// The squares from which a horse attacks, in the order of [`diagonal_bits`]. The blocking square is next to the horse.
const TO_HORSE: BlockedSteps = [
    ((-1, -1), [(-1, -2), (-2, -1)]),
    ((1, -1), [(1, -2), (2, -1)]),
    ((-1, 1), [(-1, 2), (-2, 1)]),
    ((1, 1), [(1, 2), (2, 1)]),
];
/// In the order of [`diagonal_bits`].
const ELEPHANT: BlockedSteps =
    [((-1, -1), [(-2, -2); 2]), ((1, -1), [(2, -2); 2]), ((-1, 1), [(-2, 2); 2]), ((1, 1), [(2, 2); 2])];

/// By square and by which of the four blocking squares are occupied. Targets lie in the same half of the board if
/// `crosses_river` is false.
const fn blocked_table(steps: &BlockedSteps, crosses_river: bool) -> [[Bitboard; 16]; SQUARES] {
    let mut table = [[Bitboard::EMPTY; 16]; SQUARES];
    const_for!(i, 0..SQUARES * 16 * 4 * 2, {
        let (square, blocked, direction, target) = (i / 128, i / 8 % 16, i / 2 % 4, i % 2);
        if blocked >> direction & 1 == 0
            && let Some(to) = step(square, steps[direction].1[target])
            && (crosses_river || (to < SQUARES / 2) == (square < SQUARES / 2))
        {
            table[square][blocked].0 |= 1 << to;
        }
    });
    table
}

static HORSE_MOVES: [[Bitboard; 16]; SQUARES] = blocked_table(&HORSE, true);
static TO_HORSE_MOVES: [[Bitboard; 16]; SQUARES] = blocked_table(&TO_HORSE, true);
static ELEPHANT_MOVES: [[Bitboard; 16]; SQUARES] = blocked_table(&ELEPHANT, false);

/// Which of the squares below, left, right and above are occupied. A square that is off the board has any bit: no target
/// lies behind it.
#[inline(always)]
fn near_bits(square: Square, occupied: Bitboard) -> usize {
    let around = (occupied.0 << FILES >> square.index()) as usize;
    around & 1 | around >> 7 & 2 | around >> 8 & 4 | around >> 15 & 8
}

/// Which of the four diagonal neighbours are occupied, lower left first.
#[inline(always)]
fn diagonal_bits(square: Square, occupied: Bitboard) -> usize {
    let around = (occupied.0 << (FILES + 1) >> square.index()) as usize;
    around & 1 | around >> 1 & 2 | around >> 16 & 4 | around >> 17 & 8
}

#[inline(always)]
pub(super) fn horse(square: Square, occupied: Bitboard) -> Bitboard {
    HORSE_MOVES[square.index()][near_bits(square, occupied)]
}

/// The squares from which a horse attacks `square`.
#[inline(always)]
pub(super) fn to_horse(square: Square, occupied: Bitboard) -> Bitboard {
    TO_HORSE_MOVES[square.index()][diagonal_bits(square, occupied)]
}

/// The squares from which a horse attacks `square` on an empty board.
#[inline(always)]
pub(super) fn to_horse_unblocked(square: Square) -> Bitboard {
    TO_HORSE_MOVES[square.index()][0]
}

/// The square that blocks a horse on `horse` from attacking `target`.
#[inline(always)]
pub(super) fn horse_leg(horse: Square, target: Square) -> Square {
    let (file, rank) = (horse.file() as i8, horse.rank() as i8);
    let (files, ranks) = (target.file() as i8 - file, target.rank() as i8 - rank);
    Square::at((file + files / 2) as usize, (rank + ranks / 2) as usize)
}

#[inline(always)]
pub(super) fn elephant(square: Square, occupied: Bitboard) -> Bitboard {
    ELEPHANT_MOVES[square.index()][diagonal_bits(square, occupied)]
}

/// The targets within a palace.
const fn palace_table(steps: &[(i8, i8); 4]) -> BySquare {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let palaces = Bitboard::palace(Side::White).0 | Bitboard::palace(Side::Black).0;
    const_for!(i, 0..SQUARES * 4, {
        let square = i / 4;
        if palaces >> square & 1 != 0
            && let Some(to) = step(square, steps[i % 4])
            && palaces >> to & 1 != 0
        {
            table[square].0 |= 1 << to;
        }
    });
    table
}

static KING: BySquare = palace_table(&[(0, 1), (0, -1), (1, 0), (-1, 0)]);
static ADVISER: BySquare = palace_table(&[(1, 1), (1, -1), (-1, 1), (-1, -1)]);

/// The squares that a pawn attacks, or with `reverse` from which it attacks.
const fn pawn_table(side: Side, reverse: bool) -> BySquare {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let forward = if matches!(side, Side::White) { 1 } else { -1 };
    let steps = [(0, forward), (-1, 0), (1, 0)];
    const_for!(i, 0..SQUARES * 3, {
        let from = i / 3;
        let sideways = i % 3 > 0;
        if let Some(to) = step(from, steps[i % 3])
            && !(sideways && Bitboard::home(side).0 >> from & 1 != 0)
        {
            let (index, bit) = if reverse { (to, from) } else { (from, to) };
            table[index].0 |= 1 << bit;
        }
    });
    table
}

static PAWN: [BySquare; 2] = [pawn_table(Side::White, false), pawn_table(Side::Black, false)];
static TO_PAWN: [BySquare; 2] = [pawn_table(Side::White, true), pawn_table(Side::Black, true)];

/// The squares that a king on `square` attacks, without the enemy king on an open file.
#[inline(always)]
pub(super) fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

#[inline(always)]
pub(super) fn adviser(square: Square) -> Bitboard {
    ADVISER[square.index()]
}

#[inline(always)]
pub(super) fn pawn(side: Side, square: Square) -> Bitboard {
    PAWN[side.index()][square.index()]
}

/// The squares from which a pawn of `side` attacks `square`.
#[inline(always)]
pub(super) fn to_pawn(side: Side, square: Square) -> Bitboard {
    TO_PAWN[side.index()][square.index()]
}

/// The squares that a piece attacks. A cannon attacks occupied squares only.
#[inline(always)]
pub(super) fn of_kind(kind: PieceType, side: Side, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Pawn => pawn(side, square),
        PieceType::Adviser => adviser(square),
        PieceType::Elephant => elephant(square, occupied),
        PieceType::Horse => horse(square, occupied),
        PieceType::Cannon => cannon(square, occupied),
        PieceType::Rook => rook(square, occupied),
        PieceType::King => king(square),
    }
}

static BETWEEN: [[Bitboard; SQUARES]; SQUARES] = {
    let mut table = [[Bitboard::EMPTY; SQUARES]; SQUARES];
    let steps = [(0, 1), (0, -1), (1, 0), (-1, 0)];
    const_for!(i, 0..SQUARES * 4, {
        let from = i / 4;
        let (mut to, mut passed) = (step(from, steps[i % 4]), 0);
        while let Some(square) = to {
            table[from][square] = Bitboard(passed);
            passed |= 1 << square;
            to = step(square, steps[i % 4]);
        }
    });
    table
};

/// The squares strictly between two squares of one rank or file; none for any other two squares.
#[inline(always)]
pub(super) fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The rank and the file of each square, without the square.
static CROSS: BySquare = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    const_for!(square, 0..SQUARES, {
        let lines = Bitboard::rank(square / FILES).0 | Bitboard::file(square % FILES).0;
        table[square] = Bitboard(lines & !(1 << square));
    });
    table
};

/// The rank and the file of `square`, without the square.
#[inline(always)]
pub(super) fn cross(square: Square) -> Bitboard {
    CROSS[square.index()]
}

/// The squares around each square, and those of a horse's move.
static NEAR: BySquare = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    const_for!(i, 0..SQUARES * 25, {
        let (square, place) = (i / 25, i % 25);
        let (files, ranks) = ((place % 5) as i8 - 2, (place / 5) as i8 - 2);
        if files * files + ranks * ranks <= 5
            && let Some(to) = step(square, (files, ranks))
        {
            table[square].0 |= 1 << to;
        }
    });
    table
};

/// The squares where a change can start or end a check of a king on `square`: its rank and file, and those from which
/// horses and pawns attack or at which horses are blocked.
#[inline(always)]
pub(super) fn check_zone(square: Square) -> Bitboard {
    NEAR[square.index()] | CROSS[square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SplitMix64;

    /// Walks from `square` by `step` and returns the squares up to the edge.
    fn ray(square: Square, direction: (i8, i8)) -> Vec<Square> {
        let next = |square: &Square| step(square.index(), direction).map(Square::new);
        std::iter::successors(next(&square), next).collect()
    }

    fn occupied_in(squares: &[Square], occupied: Bitboard) -> Vec<Square> {
        squares.iter().copied().filter(|&square| occupied.contains(square)).collect()
    }

    #[test]
    fn lookups_equal_walks_on_random_boards() {
        let mut random = SplitMix64::new(90);
        for _ in 0..200 {
            let bits = |random: &mut SplitMix64| u128::from(random.next()) << 64 | u128::from(random.next());
            let occupied = Bitboard(bits(&mut random) & bits(&mut random)) & Bitboard::ALL;
            for square in Bitboard::ALL {
                let (mut slide, mut jump) = (Bitboard::EMPTY, Bitboard::EMPTY);
                for direction in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                    let squares = ray(square, direction);
                    let seen = occupied_in(&squares, occupied);
                    for &to in &squares {
                        slide |= to.bit();
                        if seen.first() == Some(&to) {
                            break;
                        }
                    }
                    jump |= seen.get(1).map_or(Bitboard::EMPTY, |to| to.bit());
                }
                assert_eq!(lines(square, occupied), (slide, jump), "{square} {occupied:?}");

                let mut targets = Bitboard::EMPTY;
                for (leg, ends) in HORSE {
                    let is_free = |&leg: &usize| !occupied.contains(Square::new(leg));
                    if step(square.index(), leg).filter(is_free).is_some() {
                        for to in ends.into_iter().filter_map(|end| step(square.index(), end)) {
                            targets |= Square::new(to).bit();
                        }
                    }
                }
                assert_eq!(horse(square, occupied), targets, "{square} {occupied:?}");
                for to in Bitboard::ALL {
                    let attacks = horse(square, occupied).contains(to);
                    assert_eq!(to_horse(to, occupied).contains(square), attacks, "{square} {to}");
                    if attacks {
                        assert!(!occupied.contains(horse_leg(square, to)), "{square} {to}");
                    }
                    let back = elephant(to, occupied).contains(square);
                    assert_eq!(elephant(square, occupied).contains(to), back, "{square} {to}");
                }
            }
        }
    }

    #[test]
    fn palaces_rivers_and_pawns_limit_the_pieces() {
        let square = |text| Square::parse(text).unwrap();
        let squares = |set: Bitboard| set.map(|square| square.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(squares(king(square("d1"))), "e1 d2");
        assert_eq!(squares(king(square("e9"))), "e8 d9 f9 e10");
        assert_eq!(squares(adviser(square("e2"))), "d1 f1 d3 f3");
        assert_eq!(squares(adviser(square("d10"))), "e9");
        assert_eq!(squares(elephant(square("c5"), Bitboard::EMPTY)), "a3 e3");
        assert_eq!(squares(elephant(square("e8"), square("d9").bit())), "c6 g6 g10");
        assert_eq!(squares(pawn(Side::White, square("e5"))), "e6");
        assert_eq!(squares(pawn(Side::White, square("a6"))), "b6 a7");
        assert_eq!(squares(pawn(Side::Black, square("e6"))), "e5");
        assert_eq!(squares(pawn(Side::Black, square("i1"))), "h1");
        assert_eq!(squares(between(square("e1"), square("e4"))), "e2 e3");
        assert_eq!(squares(between(square("e1"), square("f4"))), "");
    }
}
