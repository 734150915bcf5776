//! All weights of the evaluation, as `(middlegame, endgame)` in hundredths of a pawn. Positive values favour the side that
//! has the feature.
//!
//! `duiyi tune --variant xiangqi --write` fits the weights to games and rewrites the pairs of this file in place. Weights
//! that too few positions depend on keep their values.

use crate::game::weights;

weights! {
    /// Piece values, pawn to king.
    MATERIAL =
        (  80,  90) ( 135, 130) ( 140, 140) ( 340, 370) ( 380, 355) ( 780, 780) (   0,   0);
    /// The side to move.
    TEMPO = (  16,   8);

    // Piece-square tables: ten ranks from the owner's first, each with five files from the edge inwards.

    /// A pawn gains when it crosses the river, most near the palace, and loses on the last rank.
    PAWN_PSQT =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (  -5,  -5) (   0,   0) (   5,   5)
        (   5,   5) (   0,   0) (  10,  10) (   0,   0) (  10,  10)
        (  35,  35) (  50,  50) (  60,  60) (  70,  70) (  70,  70)
        (  45,  45) (  65,  65) (  80,  80) (  90,  90) (  95,  95)
        (  45,  45) (  70,  70) (  95,  95) ( 115, 115) ( 120, 120)
        (  40,  40) (  65,  65) (  95,  95) ( 125, 125) ( 130, 130)
        (   5,   5) (  15,  15) (  25,  25) (  40,  40) (  45,  45);
    /// An adviser.
    ADVISER_PSQT =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   8,   8)
        (   0,   0) (   0,   0) (   0,   0) (  -6,  -6) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0);
    /// An elephant.
    ELEPHANT_PSQT =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        ( -12, -12) (   0,   0) (   0,   0) (   0,   0) (  12,  12)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (  -4,  -4) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0);
    /// A horse belongs in front of its pawns, best on the files next to the palace.
    HORSE_PSQT =
        ( -35, -35) ( -25, -25) ( -20, -20) ( -20, -20) ( -30, -30)
        ( -25, -25) ( -15, -15) ( -10, -10) ( -10, -10) ( -45, -45)
        ( -15, -15) (   0,   0) (  12,  12) (   5,   5) (  -5,  -5)
        ( -10, -10) (   5,   5) (   8,   8) (  10,  10) (   8,   8)
        (  -5,  -5) (   8,   8) (  15,  15) (  20,  20) (  18,  18)
        (   0,   0) (  15,  15) (  20,  20) (  25,  25) (  25,  25)
        (   0,   0) (  20,  20) (  25,  25) (  32,  32) (  28,  28)
        (   0,   0) (  22,  22) (  35,  35) (  38,  38) (  32,  32)
        (  -8,  -8) (  28,  28) (  25,  25) (  20,  20) (  10,  10)
        ( -20, -20) (  -8,  -8) (   8,   8) (   5,   5) (  -8,  -8);
    /// A cannon belongs behind the pieces: on the home ranks, on the central file, and in the enemy's corners.
    CANNON_PSQT =
        (   0,   0) (   0,   0) (   3,   3) (   8,   8) (   8,   8)
        (   0,   0) (   4,   4) (   5,   5) (   5,   5) (   5,   5)
        (   0,   0) (   4,   4) (   6,   6) (   8,   8) (  18,  18)
        (  -5,  -5) (   0,   0) (   4,   4) (   0,   0) (  10,  10)
        (  -4,  -4) (   0,   0) (   4,   4) (   0,   0) (  12,  12)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (  14,  14)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (  12,  12)
        (   4,   4) (   4,   4) (   0,   0) (  -5,  -5) (  -6,  -6)
        (   8,   8) (   8,   8) (   0,   0) ( -10, -10) ( -18, -18)
        (  22,  22) (  18,  18) (   4,   4) ( -12, -12) ( -18, -18);
    /// A rook leaves the corner for open files and for the enemy's second rank.
    ROOK_PSQT =
        ( -18, -18) (   0,   0) (   0,   0) (  10,  10) (   0,   0)
        (  -6,  -6) (   4,   4) (   3,   3) (  10,  10) (   0,   0)
        (  -6,  -6) (   4,   4) (   3,   3) (  10,  10) (   3,   3)
        (   0,   0) (   8,   8) (   5,   5) (  10,  10) (   8,   8)
        (   4,   4) (  10,  10) (   8,   8) (  12,  12) (  12,  12)
        (   8,   8) (  14,  14) (  12,  12) (  16,  16) (  16,  16)
        (   6,   6) (  12,  12) (  12,  12) (  15,  15) (  15,  15)
        (   4,   4) (  10,  10) (  10,  10) (  18,  18) (  14,  14)
        (   8,   8) (  14,  14) (  14,  14) (  22,  22) (  26,  26)
        (   6,   6) (   8,   8) (  10,  10) (  16,  16) (  12,  12);
    /// A king.
    KING_PSQT =
        (   0,   0) (   0,   0) (   0,   0) (  -6,  -6) (   8,   8)
        (   0,   0) (   0,   0) (   0,   0) ( -30, -30) ( -25, -25)
        (   0,   0) (   0,   0) (   0,   0) ( -50, -50) ( -48, -48)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0);

    // Mobility.

    /// A horse, by the number of squares that it attacks.
    HORSE_MOBILITY =
        ( -45, -45) ( -25, -28) ( -12, -12) (   0,   0) (   8,   8) (  14,  14) (  18,  19) (  22,  23) (  25,  26);
    /// A rook, for each square that it attacks, above eight.
    ROOK_MOBILITY = (   3,   4);
    /// A cannon, for each free square that it can move to, above eight.
    CANNON_MOBILITY = (   1,   2);

    // Pawns and cannons.

    /// Two pawns across the river side by side.
    PAWN_PAIR = (  18,  24);
    /// A cannon on the file of the enemy king with nothing between: any piece that goes there is pinned or gives check.
    HOLLOW_CANNON = (  95,  45);
    /// A cannon with two pieces between it and the enemy king, on its file.
    CANNON_BATTERY = (  22,   8);
    /// A cannon of a side without advisers and elephants, its usual screens.
    CANNON_WITHOUT_GUARDS = (   0, -35);

    // Guards.

    /// The king, for each missing adviser and each enemy rook.
    ADVISER_MISSING_ROOK = ( -16, -10);
    /// The king, for each missing adviser and each enemy horse.
    ADVISER_MISSING_HORSE = ( -12,  -9);
    /// The king, for each missing elephant and each enemy cannon.
    ELEPHANT_MISSING_CANNON = (  -9,  -6);
    /// The king, for each missing elephant and each enemy pawn across the river.
    ELEPHANT_MISSING_PAWN = (  -6,  -8);

    // Attacks.

    /// The attacker, by its attack units on the enemy palace: see `evaluate.rs`.
    PALACE_ATTACK =
        (   0,   0) (   0,   0) (   4,   2) (   9,   4) (  16,   7) (  25,  11) (  36,  16) (  49,  21)
        (  64,  27) (  81,  33) (  99,  40) ( 117,  47) ( 134,  54) ( 150,  61) ( 165,  67) ( 178,  72);
    /// An enemy piece, not a pawn or the king, that is attacked and not defended, or attacked by a piece worth less.
    THREAT = (  28,  26);
    /// An enemy pawn that is attacked and not defended.
    PAWN_THREAT = (   6,  10);
}
