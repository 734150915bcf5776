//! All weights of the evaluation, as `(middlegame, endgame)` in hundredths of a pawn. Positive values favour the side that
//! has the feature.

use crate::game::weights;

weights! {
    "weights.in";

    MATERIAL[7]: "Piece values, pawn to king.";
    TEMPO: "The side to move.";

    // Piece-square tables: ten ranks from the owner's first, each with five files from the edge inwards.

    /// A pawn gains when it crosses the river, most near the palace, and loses on the last rank.
    PAWN_PSQT[10][5];
    ADVISER_PSQT[10][5]: "An adviser.";
    ELEPHANT_PSQT[10][5]: "An elephant.";
    HORSE_PSQT[10][5]: "A horse belongs in front of its pawns, best on the files next to the palace.";
    /// A cannon belongs behind the pieces: on the home ranks, on the central file, and in the enemy's corners.
    CANNON_PSQT[10][5];
    ROOK_PSQT[10][5]: "A rook leaves the corner for open files and for the enemy's second rank.";
    KING_PSQT[10][5]: "A king.";

    // Mobility.

    HORSE_MOBILITY[9]: "A horse, by the number of squares that it attacks.";
    ROOK_MOBILITY: "A rook, for each square that it attacks, above eight.";
    CANNON_MOBILITY: "A cannon, for each free square that it can move to, above eight.";

    // Pawns and cannons.

    PAWN_PAIR: "Two pawns across the river side by side.";
    /// A cannon on the file of the enemy king with nothing between: any piece that goes there is pinned or gives check.
    HOLLOW_CANNON;
    CANNON_BATTERY: "A cannon with two pieces between it and the enemy king, on its file.";
    CANNON_WITHOUT_GUARDS: "A cannon of a side without advisers and elephants, its usual screens.";

    // Guards.

    ADVISER_MISSING_ROOK: "The king, for each missing adviser and each enemy rook.";
    ADVISER_MISSING_HORSE: "The king, for each missing adviser and each enemy horse.";
    ELEPHANT_MISSING_CANNON: "The king, for each missing elephant and each enemy cannon.";
    ELEPHANT_MISSING_PAWN: "The king, for each missing elephant and each enemy pawn across the river.";

    // Attacks.

    PALACE_ATTACK[2][8]: "The attacker, by its attack units on the enemy palace: see `hand_written.rs`.";
    /// An enemy piece, not a pawn or the king, that is attacked and not defended, or attacked by a piece worth less.
    THREAT;
    PAWN_THREAT: "An enemy pawn that is attacked and not defended.";
}
