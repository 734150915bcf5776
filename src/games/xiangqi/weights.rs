//! All weights of the evaluation, as `(middlegame, endgame)` in hundredths of a pawn. Positive values favour the side that
//! has the feature.
//!
//! `duiyi tune --variant xiangqi --write` fits the weights to games and rewrites the pairs of this file in place. Weights
//! that too few positions depend on keep their values.

use crate::game::weights;

weights! {
    /// Piece values, pawn to king.
    MATERIAL =
        (  93, 102) ( 132,  90) ( 167,  95) ( 400, 354) ( 454, 342) ( 929, 862) (   0,   0);
    /// The side to move.
    TEMPO = (  35,  -2);

    // Piece-square tables: ten ranks from the owner's first, each with five files from the edge inwards.

    /// A pawn gains when it crosses the river, most near the palace, and loses on the last rank.
    PAWN_PSQT =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        ( -23,  30) (   0,   0) ( -19,   2) (   0,   0) (   1,  22)
        ( -13,  25) (   0,   0) (  12,  11) (   0,   0) (   0,  26)
        (  26,  41) (  49,  60) (  65,  59) (  77,  69) (  74,  80)
        (  42,  45) (  62,  67) (  91,  84) (  90,  82) (  98,  91)
        (  40,  44) (  71,  72) ( 101, 102) ( 130, 148) ( 126, 115)
        (  40,  41) (  66,  61) ( 112,  81) ( 156, 103) ( 139, 145)
        (   4,  -2) (  14,  -3) (  25,   9) (  37,  10) (  42,  15);
    /// An adviser.
    ADVISER_PSQT =
        (   0,   0) (   0,   0) (   0,   0) (  -1, -15) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (  28,  -7)
        (   0,   0) (   0,   0) (   0,   0) ( -27, -16) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0);
    /// An elephant.
    ELEPHANT_PSQT =
        (   0,   0) (   0,   0) (  13, -10) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        ( -21, -24) (   0,   0) (   0,   0) (   0,   0) (  45,  -6)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) ( -15, -11) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0);
    /// A horse belongs in front of its pawns, best on the files next to the palace.
    HORSE_PSQT =
        ( -37, -39) ( -39, -22) ( -19, -21) ( -20, -22) ( -30, -30)
        ( -39, -34) ( -19, -17) ( -31, -19) ( -26, -14) ( -50, -52)
        ( -14, -14) (  -6,  -2) ( -19,   8) (   5,  11) (  -1,  -9)
        ( -14, -13) (   0,   1) (  -2,   8) (   5,   2) (  10,   8)
        (  -8,  -5) (   4,   7) (  32,  21) (  27,  15) (  25,  14)
        (   9,   4) (  21,   6) (  28,  33) (  42,  29) (  37,  30)
        (   0,   3) (  37,  24) (  19,  23) (  62,  32) (  30,  23)
        (  10,   7) (  28,  29) (  25,  29) (  54,  37) (  48,  32)
        (  -7,  -8) (  31,  29) (  41,  33) (  22,  16) (  10,   3)
        ( -17, -17) (  -4,  -1) (  10,  19) (   7,  11) (  -8,  -7);
    /// A cannon belongs behind the pieces: on the home ranks, on the central file, and in the enemy's corners.
    CANNON_PSQT =
        (  -1,  -5) (  -6,  -8) (   1,  -2) (   9,   8) (  12,   8)
        (   5,  -2) (   5,   2) (  11,   1) (  -3,   8) (  10,   3)
        (  17,  -5) (   7,   4) (  19,   0) (  15,  17) (  44,  34)
        (   0,  -7) (  -3,  -8) (   6,   0) (  -4,   5) (  12,  12)
        (   6,  -8) (   6,  -6) (  25,  -2) (  -1,   2) (  25,  16)
        (   5,   2) ( -17,   1) (  -2,  -4) ( -10,   9) (  41,  15)
        (   8,  -5) (   1,   0) (  11,  -8) ( -16,  10) (   4,  16)
        (  11,   6) ( -11,   7) (  -4,   4) ( -16,  -5) ( -18,  -8)
        (  10,   6) (  -9,  10) ( -11, -10) ( -13, -16) ( -22, -18)
        (  51,  29) (  29,  24) (  -5,   2) ( -20, -10) ( -20, -21);
    /// A rook leaves the corner for open files and for the enemy's second rank.
    ROOK_PSQT =
        ( -26, -39) (  14,  -1) (  12,  -6) (  16,  17) (  -2,  -2)
        ( -14,  -7) (   5,  -2) (   4,  -5) (  -3,   8) (  -1,   1)
        ( -11,  -8) (  20,   0) (  11,   8) (  11,  21) (   3,  11)
        (  -4,   0) (  11,   2) (   7,  -1) (   0,  18) (  19,  21)
        (   5,   0) (  11,   7) (  18,   8) (  10,  24) (  18,  24)
        (  10,   3) (  12,   9) (  20,  14) (  11,  23) (  20,  32)
        (  10,   4) (  23,   9) (  34,  15) (  16,  26) (  23,  33)
        (   8,   9) (   2,  16) (  11,  18) (  13,  25) (  24,  26)
        (   6,   4) (  26,  12) (  11,  12) (  26,  19) (  31,  33)
        (   8,   2) (  16,   6) (  22,  21) (  26,   9) (  16,  19);
    /// A king.
    KING_PSQT =
        (   0,   0) (   0,   0) (   0,   0) (  -7,  -7) (  56, -17)
        (   0,   0) (   0,   0) (   0,   0) ( -51, -11) ( -19,   0)
        (   0,   0) (   0,   0) (   0,   0) ( -72, -59) ( -61, -58)
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
        ( -51, -50) ( -31, -30) ( -17, -12) (   4,   5) (  19,  12) (  14,  14) (  41,  15) (  22,  23) (  65,  12);
    /// A rook, for each square that it attacks, above eight.
    ROOK_MOBILITY = (   6,   0);
    /// A cannon, for each free square that it can move to, above eight.
    CANNON_MOBILITY = (   2,   0);

    // Pawns and cannons.

    /// Two pawns across the river side by side.
    PAWN_PAIR = (  21,   3);
    /// A cannon on the file of the enemy king with nothing between: any piece that goes there is pinned or gives check.
    HOLLOW_CANNON = ( 119,  10);
    /// A cannon with two pieces between it and the enemy king, on its file.
    CANNON_BATTERY = (  38,  30);
    /// A cannon of a side without advisers and elephants, its usual screens.
    CANNON_WITHOUT_GUARDS = (  -8, -38);

    // Guards.

    /// The king, for each missing adviser and each enemy rook.
    ADVISER_MISSING_ROOK = ( -25, -31);
    /// The king, for each missing adviser and each enemy horse.
    ADVISER_MISSING_HORSE = ( -31, -19);
    /// The king, for each missing elephant and each enemy cannon.
    ELEPHANT_MISSING_CANNON = ( -13,  -6);
    /// The king, for each missing elephant and each enemy pawn across the river.
    ELEPHANT_MISSING_PAWN = ( -22, -18);

    // Attacks.

    /// The attacker, by its attack units on the enemy palace: see `evaluate.rs`.
    PALACE_ATTACK =
        ( -24,  25) (  -9,  -5) (  -1, -17) (  10, -17) (  19, -23) (  23,   2) (  41,  11) (  51,  42)
        (  81,  46) (  87,  51) ( 101,  48) ( 118,  48) ( 134,  55) ( 151,  61) ( 165,  67) ( 178,  72);
    /// An enemy piece, not a pawn or the king, that is attacked and not defended, or attacked by a piece worth less.
    THREAT = (  64,  26);
    /// An enemy pawn that is attacked and not defended.
    PAWN_THREAT = (  19,  39);
}
