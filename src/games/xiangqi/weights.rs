//! All weights of the evaluation, as `(middlegame, endgame)` in hundredths of a pawn. Positive values favour the side that
//! has the feature.

use super::bitboard::PieceType;
use crate::game::TaperedScore;

const fn pairs<const N: usize>(values: [(i32, i32); N]) -> [TaperedScore; N] {
    let mut scores = [TaperedScore::ZERO; N];
    let mut i = 0;
    while i < N {
        scores[i] = TaperedScore::new(values[i].0, values[i].1);
        i += 1;
    }
    scores
}

const fn pair(middlegame: i32, endgame: i32) -> TaperedScore {
    TaperedScore::new(middlegame, endgame)
}

/// Piece values, pawn to king.
pub const MATERIAL: [TaperedScore; PieceType::COUNT] =
    pairs([(80, 90), (135, 130), (140, 140), (340, 370), (380, 355), (780, 780), (0, 0)]);

/// Ten ranks from the owner's first, each with five files from the edge inwards, by [`PieceType::index`]. The same in the
/// middlegame and in the endgame.
pub const PSQT: [[i32; 50]; PieceType::COUNT] = [
    // Pawns gain when they cross the river, most near the palace, and lose on the last rank.
    [
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, -5, 0, 5, //
        5, 0, 10, 0, 10, //
        35, 50, 60, 70, 70, //
        45, 65, 80, 90, 95, //
        45, 70, 95, 115, 120, //
        40, 65, 95, 125, 130, //
        5, 15, 25, 40, 45,
    ],
    [
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 8, //
        0, 0, 0, -6, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0,
    ],
    [
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        -12, 0, 0, 0, 12, //
        0, 0, 0, 0, 0, //
        0, 0, -4, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0,
    ],
    // Horses belong in front of their pawns, best on the files next to the palace.
    [
        -35, -25, -20, -20, -30, //
        -25, -15, -10, -10, -45, //
        -15, 0, 12, 5, -5, //
        -10, 5, 8, 10, 8, //
        -5, 8, 15, 20, 18, //
        0, 15, 20, 25, 25, //
        0, 20, 25, 32, 28, //
        0, 22, 35, 38, 32, //
        -8, 28, 25, 20, 10, //
        -20, -8, 8, 5, -8,
    ],
    // Cannons belong behind the pieces: on the home ranks, on the central file, and in the enemy's corners.
    [
        0, 0, 3, 8, 8, //
        0, 4, 5, 5, 5, //
        0, 4, 6, 8, 18, //
        -5, 0, 4, 0, 10, //
        -4, 0, 4, 0, 12, //
        0, 0, 0, 0, 14, //
        0, 0, 0, 0, 12, //
        4, 4, 0, -5, -6, //
        8, 8, 0, -10, -18, //
        22, 18, 4, -12, -18,
    ],
    // Rooks leave the corner for open files and for the enemy's second rank.
    [
        -18, 0, 0, 10, 0, //
        -6, 4, 3, 10, 0, //
        -6, 4, 3, 10, 3, //
        0, 8, 5, 10, 8, //
        4, 10, 8, 12, 12, //
        8, 14, 12, 16, 16, //
        6, 12, 12, 15, 15, //
        4, 10, 10, 18, 14, //
        8, 14, 14, 22, 26, //
        6, 8, 10, 16, 12,
    ],
    [
        0, 0, 0, -6, 8, //
        0, 0, 0, -30, -25, //
        0, 0, 0, -50, -48, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0,
    ],
];

/// The side to move.
pub const TEMPO: TaperedScore = pair(16, 8);

/// A horse, by the number of squares that it attacks.
pub const HORSE_MOBILITY: [TaperedScore; 9] =
    pairs([(-45, -45), (-25, -28), (-12, -12), (0, 0), (8, 8), (14, 14), (18, 19), (22, 23), (25, 26)]);
/// A rook, for each square that it attacks, above eight.
pub const ROOK_MOBILITY: TaperedScore = pair(3, 4);
/// A cannon, for each free square that it can move to, above eight.
pub const CANNON_MOBILITY: TaperedScore = pair(1, 2);

/// Two pawns across the river side by side.
pub const PAWN_PAIR: TaperedScore = pair(18, 24);

/// A cannon on the file of the enemy king with nothing between: any piece that goes there is pinned or gives check.
pub const HOLLOW_CANNON: TaperedScore = pair(95, 45);
/// A cannon with two pieces between it and the enemy king, on its file.
pub const CANNON_BATTERY: TaperedScore = pair(22, 8);
/// A cannon that no other piece can serve as a screen: the sides have few pieces left.
pub const CANNON_WITHOUT_GUARDS: TaperedScore = pair(0, -35);

/// The king, for each missing adviser and each enemy rook.
pub const ADVISER_MISSING_ROOK: TaperedScore = pair(-16, -10);
/// The king, for each missing adviser and each enemy horse.
pub const ADVISER_MISSING_HORSE: TaperedScore = pair(-12, -9);
/// The king, for each missing elephant and each enemy cannon.
pub const ELEPHANT_MISSING_CANNON: TaperedScore = pair(-9, -6);
/// The king, for each missing elephant and each enemy pawn across the river.
pub const ELEPHANT_MISSING_PAWN: TaperedScore = pair(-6, -8);

/// The attacker, by its attack units on the enemy palace: see `evaluate.rs`.
pub const PALACE_ATTACK: [TaperedScore; 16] = pairs([
    (0, 0),
    (0, 0),
    (4, 2),
    (9, 4),
    (16, 7),
    (25, 11),
    (36, 16),
    (49, 21),
    (64, 27),
    (81, 33),
    (99, 40),
    (117, 47),
    (134, 54),
    (150, 61),
    (165, 67),
    (178, 72),
]);

/// An enemy piece, not a pawn or the king, that is attacked and not defended, or attacked by a piece worth less.
pub const THREAT: TaperedScore = pair(28, 26);
/// An enemy pawn that is attacked and not defended.
pub const PAWN_THREAT: TaperedScore = pair(6, 10);
