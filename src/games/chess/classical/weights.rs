//! All weights of the hand-written evaluation, as `(middlegame, endgame)` in centipawns. Positive values
//! favour the side that has the feature.
//!
//! `duiyi tune --write` fits the weights to game results and rewrites the pairs of this file in place.
//! Weights that too few positions depend on keep their hand-set values.

use crate::game::weights;

weights! {
    // Material.

    /// Piece values, pawn to queen.
    MATERIAL =
        (  69, 105) ( 338, 342) ( 362, 349) ( 457, 587) (1010,1068);
    /// Two or more bishops.
    BISHOP_PAIR = (  22,  41);
    /// Two or more rooks.
    ROOK_PAIR = (  21, -20);
    /// A knight, for each own pawn above five (negative below five).
    KNIGHT_PAWNS = (   6,  -1);
    /// A rook, for each own pawn above five.
    ROOK_PAWNS = (   9,  -4);
    /// The side to move.
    TEMPO = (  22,  12);

    // Piece-square tables: eight ranks from the owner's first, each with four files from the edge inwards.

    /// A pawn.
    PAWN_PSQT =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        ( -10,   3) (   0,  -1) ( -14,  10) ( -20,  11)
        ( -13,   2) (  -6,  -2) (  -4,  -1) (  -9,   3)
        (  -7,   5) ( -12,   4) (   7,  -5) (  18,  -8)
        (   0,  17) (   4,   6) (  11,  -2) (  27,  -8)
        (  14,  29) (   8,  30) (  13,  10) (  44,  18)
        (  18,  27) (  11,  29) (  14,  27) (  65,  19)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0);
    /// A knight.
    KNIGHT_PSQT =
        ( -43, -17) ( -28, -20) (  -8, -17) ( -11,  -4)
        ( -23, -15) (  -5,  -6) (  -3, -11) (  -5,  -2)
        ( -15,  -7) (  -6,  -5) (  -4,  -4) (   3,   2)
        (   7,  -2) (  12,  -5) (  22,   2) (  12,  14)
        (  11,   1) (  17,   5) (  21,   7) (  29,  13)
        (   0, -12) (   7,  -1) (  15,  11) (  28,  15)
        ( -13,  -8) (  -5,   4) (  11,  13) (  19,   8)
        ( -61, -33) ( -29, -13) ( -22,  -5) ( -13,   7);
    /// A bishop.
    BISHOP_PSQT =
        ( -19,  -3) (  -8,  -4) ( -19,  -5) ( -15,  -2)
        (  12,   7) (   6, -11) (   9,  -4) (   3,  -3)
        (   3,   7) (  25,   3) (   8,  -9) (  10,   1)
        (   7,  -3) (   9,   9) (  17,   6) (   7, -13)
        (   2,   3) (  14,   2) (  16,  -1) (  10,  -2)
        (  -7,  -8) (  -2,  14) (   6,  -6) (  16,   2)
        ( -13,   1) (  -1,  -2) (  -3,  15) ( -20,  12)
        ( -27,  -7) ( -11,   6) ( -28,  10) ( -22,  13);
    /// A rook.
    ROOK_PSQT =
        (  -7, -18) (  -5, -10) (   1,  -9) (  11, -13)
        ( -27, -11) ( -17,  -9) (  -8,  -6) ( -11,  -6)
        ( -24,  -5) ( -18,  -4) ( -15,   1) ( -11,  -2)
        ( -14,   8) (  -5,  10) ( -17,  17) ( -13,   5)
        ( -12,  12) (   1,   8) (   7,   9) (   4,   6)
        (  -2,  14) (  10,   9) (  25,  11) (  29,   7)
        (  14,   7) (  20,  11) (  13,  16) (  14,  14)
        (   5,  11) (  13,  10) (  21,  17) (  15,  12);
    /// A queen.
    QUEEN_PSQT =
        (  -1, -23) (  -9, -35) ( -11, -35) ( -12, -27)
        (  -8, -33) (   4, -13) (   1, -26) (  -8, -12)
        ( -12, -22) (   4, -10) (  -8,  11) (  -8,   0)
        (  -4,  -5) ( -11,  18) (  -4,  17) (  -8,  16)
        (  -2,   5) (   7,  12) (   5,  16) (  -2,  28)
        (  -4,  10) (   4,  16) (   7,  31) (  20,  35)
        (   5,  16) (  19,   9) (  14,  11) (  12,  33)
        (  12,  19) (  19,  14) (  19,  24) (  15,  30);
    /// A king.
    KING_PSQT =
        (  37, -46) (  40, -40) (   0, -34) (   5, -38)
        (  26, -33) (  18, -31) (  -6, -19) ( -22, -14)
        ( -21, -13) (   9, -19) ( -29,  -1) ( -24,  -4)
        ( -26,  -2) ( -32,  -4) ( -43,  11) ( -71,  14)
        ( -39,  10) ( -36,  11) ( -61,  28) ( -75,  31)
        ( -41,  13) ( -33,  35) ( -59,  37) ( -78,  36)
        ( -41,  -4) ( -22,  34) ( -54,  40) ( -63,  37)
        ( -46, -66) ( -22,  -3) ( -49,   6) ( -62,  10);

    // Mobility, by the number of attacked squares within the mobility area (see `EvalInfo`).

    /// A knight, 0 to 8 squares.
    KNIGHT_MOBILITY =
        ( -48, -53) ( -22, -24) (  -3, -11) (   2,   4) (   9,  10) (  15,  17) (  18,  21) (  27,  21)
        (  27,  23);
    /// A bishop, 0 to 13 squares.
    BISHOP_MOBILITY =
        ( -37, -42) ( -13, -35) (  -1, -17) (  10,  -3) (  17,  11) (  21,  16) (  23,  22) (  21,  29)
        (  28,  34) (  29,  36) (  29,  43) (  40,  32) (  32,  40) (  40,  36);
    /// A rook, 0 to 14 squares.
    ROOK_MOBILITY =
        ( -47, -65) ( -36, -34) (  -9,  -5) (   3,   6) (   6,  11) (   8,  15) (   9,  24) (   8,  27)
        (  12,  33) (  16,  35) (  18,  38) (  20,  45) (  19,  48) (  17,  53) (  27,  46);
    /// A queen, 0 to 27 squares.
    QUEEN_MOBILITY =
        ( -26, -70) ( -21, -58) ( -16, -48) (   6, -38) (  13, -32) (  14, -29) (  17,  -9) (  15,   3)
        (  15,  22) (  19,  25) (  18,  33) (  19,  41) (  22,  44) (  21,  48) (  24,  56) (  20,  63)
        (  14,  71) (  16,  70) (  18,  72) (  20,  72) (  28,  69) (  28,  68) (  34,  70) (  30,  73)
        (  37,  70) (  36,  73) (  38,  80) (  36,  79);

    // Pawn structure. "By rank" is from the owner's first rank.

    /// A pawn with another own pawn in front of it on its file.
    DOUBLED = (  -9, -12);
    /// A doubled pawn that no pawn protects.
    DOUBLED_UNSUPPORTED = (   6,   2);
    /// A pawn without own pawns on the adjacent files, by file from the edge inwards.
    ISOLATED =
        (  -7, -14) (  -4, -12) (  -5, -15) ( -11,  -9);
    /// A pawn that no own pawn can protect and whose stop square is occupied or attacked by an enemy pawn.
    BACKWARD = (  -4, -11);
    /// An isolated or backward pawn without an enemy pawn in front of it on its file.
    WEAK_UNOPPOSED = ( -12,  -3);
    /// An unprotected pawn that two enemy pawns attack.
    WEAK_LEVER = ( -17,  -8);
    /// A pawn next to another own pawn on its rank, by rank.
    PHALANX =
        (   0,   0) (   7,   0) (   8,   2) (  11,   9) (  32,  24) (  52,  55) (  69,  84) (   0,   0);
    /// A pawn protected by a pawn, by rank.
    SUPPORTED =
        (   0,   0) (   0,   0) (  16,   9) (  15,  10) (  27,  21) (  65,  46) (  68,  86) (   0,   0);
    /// A phalanx or supported pawn with an enemy pawn in front of it on its file, by rank.
    CONNECTED_OPPOSED =
        (   0,   0) (  -2,   3) (  -1,  -1) (  -3,  -3) (  -9,  -8) (  -4, -32) (   0,   0) (   0,   0);
    /// A pawn with an enemy pawn directly in front of it, by rank.
    BLOCKED =
        (   0,   0) (   6,   5) (   2,   2) (   0,   0) (  -2,  -2) (  -6,  -5) (   0,   0) (   0,   0);
    /// A candidate: no pawn in front of it, and at least as many supporting pawns as enemy pawns that guard its path, by rank.
    CANDIDATE =
        (   0,   0) (  -2,  -4) (  -3,   0) (  -2,   8) (  -6,  -1) (  -4,  22) (   0,   0) (   0,   0);

    // Passed pawns.

    /// A passed pawn, by rank.
    PASSED =
        (   0,   0) (  -3,  18) (  -3,  27) ( -17,  37) (   7,  57) (  44,  68) (  92, 139) (   0,   0);
    /// A passed pawn, by file from the edge inwards.
    PASSED_FILE =
        (   3,   2) ( -11,   6) ( -10,   3) (  -1, -10);
    /// For each king move, up to five, between the enemy king and the stop square, by rank of the pawn.
    PASSED_ENEMY_KING =
        (   0,   0) (   2,  -4) (  -2,  -1) (  -6,   9) (  -6,  16) (  -3,  30) (   2,  44) (   0,   0);
    /// The same for the own king.
    PASSED_OWN_KING =
        (   0,   0) (  -5,   1) (   2,  -4) (   9, -10) (   6, -12) (  -5, -18) (   6, -28) (   0,   0);
    /// A piece of either side stands on the stop square, by rank.
    PASSED_BLOCKED =
        (   0,   0) (  -7,  10) (   4,  -1) (   5,   4) (   1,  -6) ( -11,  -2) ( -34, -32) (   0,   0);
    /// The stop square is defended or not attacked, by rank.
    PASSED_SAFE_STEP =
        (   0,   0) (   5,   9) (   3,   4) (   6,  13) (  10,  18) (  31,  34) (  29,  54) (   0,   0);
    /// No enemy piece stands on or attacks the path to promotion, by rank.
    PASSED_FREE =
        (   0,   0) (  -1,   9) ( -10,   2) ( -28,  19) ( -24,  28) (  -2,  40) (  13,  36) (   0,   0);
    /// An own rook or queen behind the pawn on its file.
    PASSED_ROOK_BEHIND = (  11,   8);
    /// An enemy rook or queen behind the pawn, and no own one.
    PASSED_ENEMY_BEHIND = ( -10, -43);
    /// The enemy has no pieces, and its king is outside the square of the pawn.
    UNSTOPPABLE = (  -2, 529);

    // Single pieces.

    /// A knight, a bishop on an outpost: protected by a pawn, never attackable by a pawn.
    OUTPOST =
        (  27,   9) (  19,  13);
    /// A knight that attacks an outpost without an own piece on it.
    REACHABLE_OUTPOST = (  16,   6);
    /// A bishop, for each own pawn on squares of its colour.
    BISHOP_PAWNS = (  -3,  -2);
    /// A bishop, for each own pawn on squares of its colour that an enemy pawn blocks.
    BISHOP_BLOCKED_PAWNS = (   2,  -5);
    /// A bishop on a long diagonal, with no pawn between it and the two centre squares of the diagonal.
    LONG_DIAGONAL = (   8,  15);
    /// A knight or bishop directly behind a pawn of either side.
    MINOR_BEHIND_PAWN = (   5,   6);
    /// A knight, a bishop, for each king move of distance to its own king.
    MINOR_KING_DISTANCE =
        (  -1,  -2) (  -1,  -1);
    /// A rook on a half-open file, on an open file.
    ROOK_FILE =
        (  12,   2) (  34,   5);
    /// A rook on the seventh rank with the enemy king on the eighth or enemy pawns on the seventh.
    ROOK_ON_SEVENTH = (  -6,   4);
    /// A rook on the file of a queen of either side.
    ROOK_ON_QUEEN_FILE = (   8,  -4);
    /// A rook on a file with an own pawn, with at most three squares of mobility, on the edge side of its own king.
    ROOK_TRAPPED = (  -6, -18);
    /// For each square of space (see `space.rs`), by the number of own pieces other than pawns.
    SPACE =
        (   0,   0) ( -37,   0) (  -2,   1) (  -8,   3) (  -4,   4) (  -6,   3) (  -3,   3) (  -2,   6)
        (   1,  23);

    // Threats; arrays are by the kind of the attacked piece.

    /// A safe pawn attacks a piece, knight to queen.
    THREAT_BY_PAWN =
        (  70,  26) (  69,  31) (  71,  27) (  53,  30);
    /// A pawn attacks a piece after a safe push.
    THREAT_BY_PUSH = (  18,   8);
    /// A knight or bishop attacks a piece, or a weakly defended pawn, pawn to queen.
    THREAT_BY_MINOR =
        (   3,  12) (  22,  22) (  36,  16) (  69,  10) (  45,  25);
    /// A rook attacks a weakly defended pawn or piece, or a queen, pawn to queen.
    THREAT_BY_ROOK =
        (   5,  12) (  13,  25) (  31,  19) (   5,   8) (  32,   6);
    /// The king attacks a weakly defended pawn or piece.
    THREAT_BY_KING = (  16,  13);
    /// A pawn or piece is attacked and not defended, or a weakly defended piece is attacked twice.
    HANGING = (  20,  22);
    /// For each square that both sides attack and the enemy does not strongly defend.
    RESTRICTED = (   3,  -1);
    /// For each safe square from which a knight, a bishop or rook would attack the only enemy queen.
    ATTACK_ON_QUEEN =
        (   6,  -2) (  13,   0);

    // King shelter, on the king's file and the files next to it. Rank 0 means no pawn.

    /// The rearmost own pawn: by adjacent file or king's file, by file from the edge inwards, by rank.
    SHELTER =
        ( -22,   6) (  18, -10) (  17,  -3) (  -6,   3) (  -7,   6) ( -18,   1) ( -18,   4) (   0,   0)
        ( -18,   0) (  25,  -4) (  12,  -9) (  -9,  -4) (  -7,   2) ( -20,   8) ( -16,  10) (   0,   0)
        ( -23,  -6) (  21,  -8) (   0,  -4) (  -6,  -7) ( -12,  -5) (  -3,   4) (  -3,   9) (   0,   0)
        ( -15,   1) (  13,  -5) (   3,   1) ( -10,   1) (  -7,   1) ( -15,   0) ( -12,  -1) (   0,   0)
        ( -22,  -2) (  20, -14) (  23,  -9) (  -8,  -2) ( -12,  -4) ( -20,  -5) ( -10,  22) (   0,   0)
        ( -26,   1) (  24,   0) (  17,  -6) ( -10,  -3) ( -14,   5) (  -4,  11) ( -24,   0) (   0,   0)
        ( -31,  -5) (  33,  -5) (   3,  -4) (   6,  -4) ( -21,   6) ( -19,  18) ( -11,   3) (   0,   0)
        ( -20,  -3) (  10, -11) (  12,   2) (  -3,  -3) ( -16,   1) ( -12,  -5) ( -14,  -5) (   0,   0);
    /// The most advanced enemy pawn: by file from the edge inwards, by rank.
    PAWN_STORM =
        ( -12,  -5) (   2, -18) ( -18,  14) ( -17,   8) (  -4,   5) (   4,  -1) (  -1,  -2) (   0,   0)
        (  -8,  -6) (  -3,   5) ( -37,  12) (  -6,   6) ( -11,   3) (   7,   0) (   6,  -1) (   0,   0)
        (  -6,  -4) (   3, -10) ( -32,  16) ( -17,   3) (  -7,   2) (   4,  -3) (  -2,  -5) (   0,   0)
        ( -12,  -1) (  -8,   3) (  -6, -11) ( -13,  -5) ( -11,  -2) (  -5,   0) (  -5,  -4) (   0,   0);
    /// That enemy pawn stands directly in front of the own pawn, by rank.
    STORM_BLOCKED =
        (  14,  -4) (  14,  -4) (   4, -24) (  11, -15) (  20, -11) (   3,  -8) (  12,   2) (  14,  -4);
    /// The distance of the nearest own pawn from the king, in king moves.
    KING_PAWN_DISTANCE =
        (   0,   0) ( -11,   2) ( -14,  -4) ( -22,  -8) (   9, -20) (  11, -23) (   2, -27) (  -4, -10);
    /// No pawn of either side on the king's flank.
    PAWNLESS_FLANK = (  12, -37);
    /// For each square of the king's flank, first to fifth rank, that the enemy attacks; twice if attacked twice.
    FLANK_ATTACK = (   0,   1);
    /// For each such square that an own piece defends.
    FLANK_DEFENCE = (   3,   0);

    // King danger, in attack units (see `king_danger_penalty`). Positive values are bad for the attacked king.

    /// The constant term. It is negative, so that one attacker alone is no danger.
    DANGER_BASE = ( -28, -47);
    /// For each piece that attacks the king zone, knight to queen.
    DANGER_ATTACKER =
        (  44,  33) (  30,  21) (  40,  27) (  12,  24);
    /// For each attack of a piece on a square next to the king.
    KING_ATTACKS = (  13,   1);
    /// For each attacked square next to the king that the king alone defends.
    DANGER_WEAK = (  28, -15);
    /// A kind of piece can give a safe check, knight to queen.
    DANGER_CHECK =
        ( 144,  71) (  69,  60) ( 120,  90) ( 111,  96);
    /// It can do so from several squares.
    DANGER_CHECKS =
        (  21,   2) (   9,   1) (  39,   9) (  51,  15);
    /// For each square of an unsafe check.
    DANGER_UNSAFE_CHECK = (  12,  17);
    /// The attacker has no queen.
    DANGER_NO_QUEEN = (-137,-121);
    /// An own knight stands next to the king.
    DANGER_KNIGHT_DEFENDER = ( -12,   4);
    /// For each of the three files at the king that has no own pawn.
    KING_HALF_OPEN_FILE = (  13,  -5);
    /// See FLANK_ATTACK.
    DANGER_FLANK_ATTACK = (   8,  23);
    /// See FLANK_DEFENCE.
    DANGER_FLANK_DEFENCE = (  -6,  -5);

    // Scale factors of the stronger side, in 1/`SCALE_NORMAL`. Exactly one applies to each side.

    /// All pawns on one wing, by their number. Element 0: no pawns, and more than a bishop ahead.
    SCALE_ONE_WING =
        (  38,  34) (  42,  46) (  40,  58) (  42,  66) (  48,  71) (  67,  63) (  64,  64) (  64,  64) (  64,  64);
    /// Pawns on both wings, by their number.
    SCALE_BOTH_WINGS =
        (  64,  64) (  45,  45) (  46,  60) (  47,  68) (  50,  74) (  51,  74) (  51,  76) (  48,  77) (  48,  86);
    /// Opposite-coloured bishops and no other pieces, by the number of pawns.
    SCALE_OPPOSITE_BISHOPS =
        (  18,  18) (  22,  13) (  29,  17) (  28,  30) (  37,  32) (  40,  34) (  36,  36) (  46,  46) (  50,  50);
    /// Opposite-coloured bishops with other pieces, by the number of pawns.
    SCALE_OPPOSITE_BISHOPS_AND_MORE =
        (  44,  44) (  50,  36) (  46,  48) (  42,  52) (  43,  57) (  44,  53) (  45,  55) (  49,  46) (  45,  47);
    /// One pawn and at most a minor piece, and the weaker side can give a piece for the pawn.
    SCALE_LAST_PAWN = (  19,  22);
    /// Drawn: no pawns and less than a rook, two knights against a bare king, a drawn KPK, a wrong rook pawn.
    SCALE_DRAWN = (   0,   0);
    /// No pawns, and at most a bishop more: against at most a minor piece; against more. Two knights against more than a king.
    SCALE_NO_PAWNS =
        (   8,   3) (  19,   8) (   3,   0);

    // Mop-up, added after scaling.

    /// Mating material against a bare king.
    MOPUP_BONUS = ( 300, 300);
    /// For each step of the bare king towards the edge or the mating corner.
    MOPUP_EDGE = (  18,  18);
    /// For each step of the kings towards each other.
    MOPUP_KINGS = (  10,  10);
    /// Won ending of king and pawn against king.
    KPK_WIN = ( 300, 300);
}
