//! Every number of the hand-written evaluation: `(middlegame, endgame)` in centipawns, an own weight's
//! sign being what it is worth to its owner.
//!
//! Set by hand from principles, then checked in games one group at a time. Almost every term is linear in
//! these numbers, so that they can be fitted to game results later; king danger, a square of a sum, is not.

use super::pair::Pair;

const fn p(middlegame: i32, endgame: i32) -> Pair {
    Pair::new(middlegame, endgame)
}

/// How much of the middlegame a man keeps alive, by [`Piece::index`](super::super::bitboard::Piece::index).
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// What the men are worth; rooks and pawns gain as the board empties.
pub static MATERIAL: [Pair; 6] =
    [p(85, 110), p(335, 320), p(345, 335), p(470, 560), p(985, 1020), Pair::ZERO];
/// Two bishops see both colours, the more the fewer men stand in their way.
pub const BISHOP_PAIR: Pair = p(26, 52);
/// The right to move.
pub const TEMPO: Pair = p(14, 8);

/// Where a kind of piece likes to stand: by its own side's rank, plus by file from the edge inwards.
pub struct Placement {
    /// First rank to eighth.
    pub ranks: [Pair; 8],
    /// The rook's file (a and h) to the king's and queen's (d and e).
    pub files: [Pair; 4],
}

/// Knight, bishop, rook, queen, king. A sum of rank and file is a cone around the centre, flattened at the home rank.
pub static PLACEMENT: [Placement; 5] = [
    // The knight: central and advanced, a rim is half its range lost.
    Placement {
        ranks: [p(-18, -14), p(-8, -8), p(2, -1), p(8, 7), p(14, 10), p(15, 6), p(4, -3), p(-20, -14)],
        files: [p(-19, -14), p(-5, -4), p(6, 5), p(9, 8)],
    },
    // The bishop: off the first rank, where it also stops the rooks from meeting.
    Placement {
        ranks: [p(-9, -5), p(4, -2), p(5, 2), p(4, 4), p(4, 4), p(2, 3), p(-8, 1), p(-14, -2)],
        files: [p(-5, -4), p(3, -1), p(1, 1), p(3, 3)],
    },
    // The rook: the middle files to guard pawns that go on, and far up the board.
    Placement {
        ranks: [p(-4, -4), p(-10, -6), p(-8, -4), p(-6, 1), p(-1, 6), p(6, 8), p(12, 12), p(8, 8)],
        files: [p(-5, 0), p(-1, 1), p(3, 1), p(6, 0)],
    },
    // The queen: no early journeys, but the centre of an empty board.
    Placement {
        ranks: [p(-2, -18), p(2, -10), p(2, 0), p(0, 9), p(0, 14), p(3, 14), p(4, 10), p(3, 2)],
        files: [p(-3, -10), p(-1, -2), p(1, 4), p(1, 8)],
    },
    // The king: castled in the middlegame, in the centre when few are left to trouble it.
    Placement {
        ranks: [p(22, -28), p(4, -12), p(-22, 2), p(-42, 12), p(-52, 17), p(-52, 17), p(-48, 8), p(-48, -12)],
        files: [p(10, -17), p(20, -4), p(-8, 7), p(-18, 11)],
    },
];

/// Pawns by rank, then by file from the edge inwards: the centre is taken with the middle pawns; the wing
/// pawns are the king's house. Passed and connected pawns have terms of their own.
pub static PAWN_PLACEMENT: [[Pair; 4]; 8] = [
    [Pair::ZERO; 4],
    [p(-4, 4), p(2, 4), p(-4, 2), p(-14, 2)],
    [p(-6, 2), p(-2, 1), p(1, 0), p(2, -2)],
    [p(-8, 6), p(-5, 3), p(8, -2), p(20, -5)],
    [p(-5, 13), p(0, 9), p(8, 5), p(22, 2)],
    [p(2, 24), p(8, 20), p(16, 15), p(24, 12)],
    [p(20, 34), p(22, 30), p(26, 26), p(30, 24)],
    [Pair::ZERO; 4],
];

/// Safe squares within reach, knight to queen: worth of none and of all, and how many all are.
const MOBILITY_ENDS: [(Pair, Pair, i32); 4] = [
    (p(-34, -46), p(22, 22), 8),
    (p(-32, -46), p(40, 44), 13),
    (p(-34, -62), p(26, 58), 14),
    (p(-26, -70), p(38, 82), 27),
];

/// Knight to queen, by the number of squares in reach that no enemy pawn attacks: each further square is
/// worth less than the one before it.
pub static MOBILITY: [[Pair; 28]; 4] = mobility();

const fn mobility() -> [[Pair; 28]; 4] {
    let mut table = [[Pair::ZERO; 28]; 4];
    let mut kind = 0;
    while kind < 4 {
        let (none, all, most) = MOBILITY_ENDS[kind];
        let mut count = 0;
        while count < 28 {
            let missing = if count < most { most - count } else { 0 };
            let middlegame = (none.middlegame() - all.middlegame()) * missing * missing / (most * most);
            let endgame = (none.endgame() - all.endgame()) * missing * missing / (most * most);
            table[kind][count as usize] = p(all.middlegame() + middlegame, all.endgame() + endgame);
            count += 1;
        }
        kind += 1;
    }
    table
}

/// A pawn with another of its side in front of it.
pub const DOUBLED: Pair = p(-9, -20);
/// A pawn without neighbours on the files beside it.
pub const ISOLATED: Pair = p(-9, -13);
/// A pawn that no neighbour can support and that cannot step forward without being taken.
pub const BACKWARD: Pair = p(-8, -10);
/// An isolated or backward pawn that rooks can see from the front.
pub const WEAK_ON_OPEN_FILE: Pair = p(-9, -5);
/// Side by side with another, by rank.
pub static PHALANX: [Pair; 8] =
    [Pair::ZERO, p(3, -1), p(7, 3), p(11, 9), p(24, 24), p(46, 50), p(70, 80), Pair::ZERO];
/// Protected by another, by rank.
pub static SUPPORTED: [Pair; 8] =
    [Pair::ZERO, Pair::ZERO, p(12, 7), p(9, 6), p(14, 14), p(30, 34), p(60, 60), Pair::ZERO];
/// Nothing but pieces can stop it, by rank.
pub static PASSED: [Pair; 8] =
    [Pair::ZERO, p(-2, 8), p(-2, 12), p(-4, 28), p(18, 54), p(44, 96), p(84, 150), Pair::ZERO];

/// For each square up to five that a king is away from the stop square of a passed pawn, times its rank less two.
pub const PASSED_ENEMY_KING: Pair = p(0, 5);
/// The same for its own king.
pub const PASSED_OWN_KING: Pair = p(0, -3);
/// Per rank beyond the third: a man of either side stands before it.
pub const PASSED_BLOCKED: Pair = p(-5, -11);
/// Per rank beyond the third: no enemy man stands on or attacks the squares left to go.
pub const PASSED_FREE: Pair = p(5, 14);
/// Per rank beyond the third: the next square is not attacked, or defended.
pub const PASSED_SAFE_STEP: Pair = p(4, 6);
/// An own rook or queen behind it on its file.
pub const PASSED_ROOK_BEHIND: Pair = p(2, 14);
/// No piece is left to stop it and the king comes too late.
pub const UNSTOPPABLE: Pair = p(0, 600);

/// A knight, or a bishop, protected by a pawn where no pawn can ever drive it away.
pub static OUTPOST: [Pair; 2] = [p(30, 18), p(18, 8)];
/// For each own pawn on the squares of a bishop's colour.
pub const BISHOP_PAWNS: Pair = p(-2, -5);
/// A knight or bishop behind a pawn's back.
pub const MINOR_BEHIND_PAWN: Pair = p(6, 2);
/// A rook on a file without own pawns, and without any.
pub static ROOK_FILE: [Pair; 2] = [p(12, 9), p(32, 12)];
/// A rook on the seventh rank while it cuts off the king or attacks pawns.
pub const ROOK_ON_SEVENTH: Pair = p(2, 22);

/// A pawn attacks a piece.
pub const THREAT_BY_PAWN: Pair = p(56, 38);
/// A pawn can step forward unharmed and then attacks a piece.
pub const THREAT_BY_PUSH: Pair = p(14, 11);
/// A knight or bishop attacks a minor piece, a rook, a queen.
pub static THREAT_BY_MINOR: [Pair; 3] = [p(20, 18), p(40, 34), p(46, 44)];
/// A rook attacks a minor piece, a queen.
pub static THREAT_BY_ROOK: [Pair; 2] = [p(14, 18), p(46, 36)];
/// The king attacks a man that nobody defends.
pub const THREAT_BY_KING: Pair = p(8, 28);
/// A man is attacked and not defended.
pub const HANGING: Pair = p(22, 16);

/// Own pawns on the king's file and beside it, by the rank of the hindmost; index 0: none.
pub static SHELTER: [Pair; 8] =
    [p(-26, 0), p(20, -3), p(12, 0), p(-2, 0), p(-10, 0), p(-14, 0), p(-16, 0), Pair::ZERO];
/// Enemy pawns on the same files, by the rank that they have come down to; index 0: none.
pub static STORM: [Pair; 8] =
    [p(-8, 0), Pair::ZERO, p(-24, 0), p(-18, 0), p(-6, 0), p(0, 0), p(2, 0), Pair::ZERO];
/// The storming pawn stands still against an own pawn.
pub const STORM_BLOCKED: Pair = p(14, -4);

/// Attack units for a piece that attacks the king's zone, by its index.
pub const DANGER_ATTACKER: [i32; 6] = [0, 9, 7, 9, 11, 0];
/// Attack units for each attack of a piece on a square beside the king.
pub const DANGER_HIT: i32 = 4;
/// Attack units for each square beside the king that is attacked and defended by king and queen at most.
pub const DANGER_WEAK: i32 = 8;
/// Attack units for a kind of piece that can give check from a safe square, by its index.
pub const DANGER_CHECK: [i32; 6] = [0, 26, 18, 28, 26, 0];
/// Attack units taken off at first: one piece alone is no attack.
pub const DANGER_ALLOWANCE: i32 = 18;
/// Attack units taken off when the attacker has no queen.
pub const DANGER_NO_QUEEN: i32 = 45;
/// Attack units count no further.
pub const DANGER_LIMIT: i32 = 200;

/// What that much danger costs: its square in the middlegame, for attackers help each other.
pub const fn danger(units: i32) -> Pair {
    p(-(units * units / 64), -(units / 6))
}

/// With a piece that mates a bare king: the win itself, each step of that king to the edge or corner, each
/// step of the kings to each other.
pub const MATE_MATERIAL: i32 = 300;
/// See [`MATE_MATERIAL`].
pub const MATE_DRIVE: i32 = 18;
/// See [`MATE_MATERIAL`].
pub const MATE_APPROACH: i32 = 10;
