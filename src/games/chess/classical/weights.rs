//! Every number of the hand-written evaluation: `(middlegame, endgame)` in centipawns, a weight's sign
//! being what it is worth to its owner.
//!
//! The numbers are fitted to results of games by `duiyi tune --write`, which replaces the pairs of this file in their
//! order and leaves all else alone. A number that the games did not show often enough is as it was set by hand.

use super::terms::weights;

weights! {
    // Men.

    /// What the men are worth, pawn to queen.
    MATERIAL =
        (  69, 105) ( 338, 342) ( 362, 349) ( 457, 587) (1010,1068);
    /// Two bishops see both colours, the more the fewer men stand in their way.
    BISHOP_PAIR = (  22,  41);
    /// Two rooks get into each other's way.
    ROOK_PAIR = (  21, -20);
    /// For each own pawn above five: a knight is at home among pawns.
    KNIGHT_PAWNS = (   6,  -1);
    /// The same for a rook, which would rather have none.
    ROOK_PAWNS = (   9,  -4);
    /// The right to move.
    TEMPO = (  22,  12);

    // Where a man likes to stand: by its own side's rank, first to eighth, and in each by file from the edge inwards.

    /// A pawn: the middle pawns take the centre, those on the wings are the king's house.
    PAWN_PLACEMENT =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        ( -10,   3) (   0,  -1) ( -14,  10) ( -20,  11)
        ( -13,   2) (  -6,  -2) (  -4,  -1) (  -9,   3)
        (  -7,   5) ( -12,   4) (   7,  -5) (  18,  -8)
        (   0,  17) (   4,   6) (  11,  -2) (  27,  -8)
        (  14,  29) (   8,  30) (  13,  10) (  44,  18)
        (  18,  27) (  11,  29) (  14,  27) (  65,  19)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0);
    /// A knight: on the rim half its range is lost.
    KNIGHT_PLACEMENT =
        ( -43, -17) ( -28, -20) (  -8, -17) ( -11,  -4)
        ( -23, -15) (  -5,  -6) (  -3, -11) (  -5,  -2)
        ( -15,  -7) (  -6,  -5) (  -4,  -4) (   3,   2)
        (   7,  -2) (  12,  -5) (  22,   2) (  12,  14)
        (  11,   1) (  17,   5) (  21,   7) (  29,  13)
        (   0, -12) (   7,  -1) (  15,  11) (  28,  15)
        ( -13,  -8) (  -5,   4) (  11,  13) (  19,   8)
        ( -61, -33) ( -29, -13) ( -22,  -5) ( -13,   7);
    /// A bishop: off the first rank, where it also stops the rooks from meeting.
    BISHOP_PLACEMENT =
        ( -19,  -3) (  -8,  -4) ( -19,  -5) ( -15,  -2)
        (  12,   7) (   6, -11) (   9,  -4) (   3,  -3)
        (   3,   7) (  25,   3) (   8,  -9) (  10,   1)
        (   7,  -3) (   9,   9) (  17,   6) (   7, -13)
        (   2,   3) (  14,   2) (  16,  -1) (  10,  -2)
        (  -7,  -8) (  -2,  14) (   6,  -6) (  16,   2)
        ( -13,   1) (  -1,  -2) (  -3,  15) ( -20,  12)
        ( -27,  -7) ( -11,   6) ( -28,  10) ( -22,  13);
    /// A rook: the middle files to guard pawns that go on, and far up the board.
    ROOK_PLACEMENT =
        (  -7, -18) (  -5, -10) (   1,  -9) (  11, -13)
        ( -27, -11) ( -17,  -9) (  -8,  -6) ( -11,  -6)
        ( -24,  -5) ( -18,  -4) ( -15,   1) ( -11,  -2)
        ( -14,   8) (  -5,  10) ( -17,  17) ( -13,   5)
        ( -12,  12) (   1,   8) (   7,   9) (   4,   6)
        (  -2,  14) (  10,   9) (  25,  11) (  29,   7)
        (  14,   7) (  20,  11) (  13,  16) (  14,  14)
        (   5,  11) (  13,  10) (  21,  17) (  15,  12);
    /// A queen: no early journeys, but the centre of an empty board.
    QUEEN_PLACEMENT =
        (  -1, -23) (  -9, -35) ( -11, -35) ( -12, -27)
        (  -8, -33) (   4, -13) (   1, -26) (  -8, -12)
        ( -12, -22) (   4, -10) (  -8,  11) (  -8,   0)
        (  -4,  -5) ( -11,  18) (  -4,  17) (  -8,  16)
        (  -2,   5) (   7,  12) (   5,  16) (  -2,  28)
        (  -4,  10) (   4,  16) (   7,  31) (  20,  35)
        (   5,  16) (  19,   9) (  14,  11) (  12,  33)
        (  12,  19) (  19,  14) (  19,  24) (  15,  30);
    /// A king: castled in the middlegame, in the centre when few are left to trouble it.
    KING_PLACEMENT =
        (  37, -46) (  40, -40) (   0, -34) (   5, -38)
        (  26, -33) (  18, -31) (  -6, -19) ( -22, -14)
        ( -21, -13) (   9, -19) ( -29,  -1) ( -24,  -4)
        ( -26,  -2) ( -32,  -4) ( -43,  11) ( -71,  14)
        ( -39,  10) ( -36,  11) ( -61,  28) ( -75,  31)
        ( -41,  13) ( -33,  35) ( -59,  37) ( -78,  36)
        ( -41,  -4) ( -22,  34) ( -54,  40) ( -63,  37)
        ( -46, -66) ( -22,  -3) ( -49,   6) ( -62,  10);

    // Mobility: by the number of squares in reach that no enemy pawn attacks.

    /// A knight's.
    KNIGHT_MOBILITY =
        ( -48, -53) ( -22, -24) (  -3, -11) (   2,   4) (   9,  10) (  15,  17) (  18,  21) (  27,  21)
        (  27,  23);
    /// A bishop's.
    BISHOP_MOBILITY =
        ( -37, -42) ( -13, -35) (  -1, -17) (  10,  -3) (  17,  11) (  21,  16) (  23,  22) (  21,  29)
        (  28,  34) (  29,  36) (  29,  43) (  40,  32) (  32,  40) (  40,  36);
    /// A rook's.
    ROOK_MOBILITY =
        ( -47, -65) ( -36, -34) (  -9,  -5) (   3,   6) (   6,  11) (   8,  15) (   9,  24) (   8,  27)
        (  12,  33) (  16,  35) (  18,  38) (  20,  45) (  19,  48) (  17,  53) (  27,  46);
    /// A queen's.
    QUEEN_MOBILITY =
        ( -26, -70) ( -21, -58) ( -16, -48) (   6, -38) (  13, -32) (  14, -29) (  17,  -9) (  15,   3)
        (  15,  22) (  19,  25) (  18,  33) (  19,  41) (  22,  44) (  21,  48) (  24,  56) (  20,  63)
        (  14,  71) (  16,  70) (  18,  72) (  20,  72) (  28,  69) (  28,  68) (  34,  70) (  30,  73)
        (  37,  70) (  36,  73) (  38,  80) (  36,  79);

    // Pawns.

    /// A pawn with another of its side in front of it.
    DOUBLED = (  -9, -12);
    /// And no other protects it.
    DOUBLED_UNSUPPORTED = (   6,   2);
    /// A pawn without neighbours on the files beside it, by file from the edge inwards.
    ISOLATED =
        (  -7, -14) (  -4, -12) (  -5, -15) ( -11,  -9);
    /// A pawn that no neighbour can support and that cannot step forward without being taken.
    BACKWARD = (  -4, -11);
    /// An isolated or backward pawn that rooks can see from the front.
    WEAK_UNOPPOSED = ( -12,  -3);
    /// An unprotected pawn that two enemy pawns attack.
    WEAK_LEVER = ( -17,  -8);
    /// Side by side with another, by rank.
    PHALANX =
        (   0,   0) (   7,   0) (   8,   2) (  11,   9) (  32,  24) (  52,  55) (  69,  84) (   0,   0);
    /// Protected by another, by rank.
    SUPPORTED =
        (   0,   0) (   0,   0) (  16,   9) (  15,  10) (  27,  21) (  65,  46) (  68,  86) (   0,   0);
    /// Side by side or protected, but an enemy pawn stands on the file before it, by rank.
    CONNECTED_OPPOSED =
        (   0,   0) (  -2,   3) (  -1,  -1) (  -3,  -3) (  -9,  -8) (  -4, -32) (   0,   0) (   0,   0);
    /// An enemy pawn stands right before it, by rank.
    BLOCKED =
        (   0,   0) (   6,   5) (   2,   2) (   0,   0) (  -2,  -2) (  -6,  -5) (   0,   0) (   0,   0);
    /// No pawn before it and as many helpers beside it as enemy pawns that guard its way, by rank.
    CANDIDATE =
        (   0,   0) (  -2,  -4) (  -3,   0) (  -2,   8) (  -6,  -1) (  -4,  22) (   0,   0) (   0,   0);

    // Passed pawns.

    /// No pawn can stop it, by rank.
    PASSED =
        (   0,   0) (  -3,  18) (  -3,  27) ( -17,  37) (   7,  57) (  44,  68) (  92, 139) (   0,   0);
    /// By file from the edge inwards.
    PASSED_FILE =
        (   3,   2) ( -11,   6) ( -10,   3) (  -1, -10);
    /// For each square up to five that the enemy king is away from its next square, by rank.
    PASSED_ENEMY_KING =
        (   0,   0) (   2,  -4) (  -2,  -1) (  -6,   9) (  -6,  16) (  -3,  30) (   2,  44) (   0,   0);
    /// The same for its own king.
    PASSED_OWN_KING =
        (   0,   0) (  -5,   1) (   2,  -4) (   9, -10) (   6, -12) (  -5, -18) (   6, -28) (   0,   0);
    /// A man of either side stands before it, by rank.
    PASSED_BLOCKED =
        (   0,   0) (  -7,  10) (   4,  -1) (   5,   4) (   1,  -6) ( -11,  -2) ( -34, -32) (   0,   0);
    /// The next square is not attacked, or defended, by rank.
    PASSED_SAFE_STEP =
        (   0,   0) (   5,   9) (   3,   4) (   6,  13) (  10,  18) (  31,  34) (  29,  54) (   0,   0);
    /// No enemy man stands on or attacks the squares left to go, by rank.
    PASSED_FREE =
        (   0,   0) (  -1,   9) ( -10,   2) ( -28,  19) ( -24,  28) (  -2,  40) (  13,  36) (   0,   0);
    /// An own rook or queen behind it on its file.
    PASSED_ROOK_BEHIND = (  11,   8);
    /// An enemy rook or queen there.
    PASSED_ENEMY_BEHIND = ( -10, -43);
    /// No piece is left to stop it and the king comes too late.
    UNSTOPPABLE = (  -2, 529);

    // Pieces.

    /// A knight protected by a pawn where no pawn can ever drive it away; a bishop.
    OUTPOST =
        (  27,   9) (  19,  13);
    /// A knight that can go to such a square.
    REACHABLE_OUTPOST = (  16,   6);
    /// For each own pawn on the squares of a bishop's colour.
    BISHOP_PAWNS = (  -3,  -2);
    /// And for each of them that cannot move for an enemy pawn.
    BISHOP_BLOCKED_PAWNS = (   2,  -5);
    /// A bishop that sees both squares of the centre on its diagonal, pawns apart.
    LONG_DIAGONAL = (   8,  15);
    /// A knight or bishop behind a pawn's back.
    MINOR_BEHIND_PAWN = (   5,   6);
    /// For each square that a knight, a bishop is away from its king.
    MINOR_KING_DISTANCE =
        (  -1,  -2) (  -1,  -1);
    /// A rook on a file without own pawns, and without any.
    ROOK_FILE =
        (  12,   2) (  34,   5);
    /// A rook on the seventh rank while it cuts off the king or attacks pawns.
    ROOK_ON_SEVENTH = (  -6,   4);
    /// A rook on the file of a queen.
    ROOK_ON_QUEEN_FILE = (   8,  -4);
    /// A rook that hardly moves, shut in by its own king.
    ROOK_TRAPPED = (  -6, -18);
    /// For each square of the middle files behind the enemy's pawns' reach, by the number of own pieces.
    SPACE =
        (   0,   0) ( -37,   0) (  -2,   1) (  -8,   3) (  -4,   4) (  -6,   3) (  -3,   3) (  -2,   6)
        (   1,  23);

    // Threats, by the kind of man threatened where there are several: pawn to queen.

    /// A safe pawn attacks a piece: knight to queen.
    THREAT_BY_PAWN =
        (  70,  26) (  69,  31) (  71,  27) (  53,  30);
    /// A pawn can step forward unharmed and then attacks a piece.
    THREAT_BY_PUSH = (  18,   8);
    /// A knight or bishop attacks a piece, or a pawn that is weakly defended.
    THREAT_BY_MINOR =
        (   3,  12) (  22,  22) (  36,  16) (  69,  10) (  45,  25);
    /// A rook attacks a weakly defended man, or the queen.
    THREAT_BY_ROOK =
        (   5,  12) (  13,  25) (  31,  19) (   5,   8) (  32,   6);
    /// The king attacks a weakly defended man.
    THREAT_BY_KING = (  16,  13);
    /// A man is attacked and not defended, or twice attacked and weakly defended.
    HANGING = (  20,  22);
    /// For each square that both attack and the enemy does not hold.
    RESTRICTED = (   3,  -1);
    /// A knight, another piece can go where it attacks the only queen and is safe.
    ATTACK_ON_QUEEN =
        (   6,  -2) (  13,   0);

    // The king's house: by whether it is the king's own file, then by file from the edge inwards, then by rank, where 0 is none.

    /// The hindmost own pawn on a file beside the king or on its own.
    SHELTER =
        ( -22,   6) (  18, -10) (  17,  -3) (  -6,   3) (  -7,   6) ( -18,   1) ( -18,   4) (   0,   0)
        ( -18,   0) (  25,  -4) (  12,  -9) (  -9,  -4) (  -7,   2) ( -20,   8) ( -16,  10) (   0,   0)
        ( -23,  -6) (  21,  -8) (   0,  -4) (  -6,  -7) ( -12,  -5) (  -3,   4) (  -3,   9) (   0,   0)
        ( -15,   1) (  13,  -5) (   3,   1) ( -10,   1) (  -7,   1) ( -15,   0) ( -12,  -1) (   0,   0)
        ( -22,  -2) (  20, -14) (  23,  -9) (  -8,  -2) ( -12,  -4) ( -20,  -5) ( -10,  22) (   0,   0)
        ( -26,   1) (  24,   0) (  17,  -6) ( -10,  -3) ( -14,   5) (  -4,  11) ( -24,   0) (   0,   0)
        ( -31,  -5) (  33,  -5) (   3,  -4) (   6,  -4) ( -21,   6) ( -19,  18) ( -11,   3) (   0,   0)
        ( -20,  -3) (  10, -11) (  12,   2) (  -3,  -3) ( -16,   1) ( -12,  -5) ( -14,  -5) (   0,   0);
    /// The foremost enemy pawn there, by file and rank only.
    STORM =
        ( -12,  -5) (   2, -18) ( -18,  14) ( -17,   8) (  -4,   5) (   4,  -1) (  -1,  -2) (   0,   0)
        (  -8,  -6) (  -3,   5) ( -37,  12) (  -6,   6) ( -11,   3) (   7,   0) (   6,  -1) (   0,   0)
        (  -6,  -4) (   3, -10) ( -32,  16) ( -17,   3) (  -7,   2) (   4,  -3) (  -2,  -5) (   0,   0)
        ( -12,  -1) (  -8,   3) (  -6, -11) ( -13,  -5) ( -11,  -2) (  -5,   0) (  -5,  -4) (   0,   0);
    /// That pawn stands still against an own pawn, by rank.
    STORM_BLOCKED =
        (  14,  -4) (  14,  -4) (   4, -24) (  11, -15) (  20, -11) (   3,  -8) (  12,   2) (  14,  -4);
    /// The nearest own pawn is so many squares from the king.
    KING_PAWN_DISTANCE =
        (   0,   0) ( -11,   2) ( -14,  -4) ( -22,  -8) (   9, -20) (  11, -23) (   2, -27) (  -4, -10);
    /// No pawn at all on the king's side of the board.
    PAWNLESS_FLANK = (  12, -37);
    /// For each attack of the enemy on the king's side of the board, up to the fifth rank.
    FLANK_ATTACK = (   0,   1);
    /// For each such square that is defended.
    FLANK_DEFENCE = (   3,   0);

    // Danger, in attack units: the middlegame's sum is squared, see `danger`.

    /// Before anything is counted: one piece alone is no attack.
    DANGER_BASE = ( -28, -47);
    /// For each piece that attacks the king's zone, knight to queen.
    DANGER_ATTACKER =
        (  44,  33) (  30,  21) (  40,  27) (  12,  24);
    /// For each attack of such a piece on a square beside the king.
    KING_ATTACKS = (  13,   1);
    /// For each square beside the king that is attacked and defended by king and queen at most.
    DANGER_WEAK = (  28, -15);
    /// A kind of piece can give check from a safe square, knight to queen.
    DANGER_CHECK =
        ( 144,  71) (  69,  60) ( 120,  90) ( 111,  96);
    /// And can do so in several ways.
    DANGER_CHECKS =
        (  21,   2) (   9,   1) (  39,   9) (  51,  15);
    /// For each square of a check that is not safe.
    DANGER_UNSAFE_CHECK = (  12,  17);
    /// The attacker has no queen.
    DANGER_NO_QUEEN = (-137,-121);
    /// A knight stands by the king.
    DANGER_KNIGHT_GUARD = ( -12,   4);
    /// A file at the king without own pawns.
    KING_HALF_OPEN_FILE = (  13,  -5);
    /// See FLANK_ATTACK.
    DANGER_FLANK_ATTACK = (   8,  23);
    /// See FLANK_DEFENCE.
    DANGER_FLANK_DEFENCE = (  -6,  -5);

    // How much of its advantage the stronger side can hope to make count, in parts of `FULL_SCALE`; never more than one of these.

    /// By its number of pawns when they all stand on one wing.
    SCALE_ONE_WING =
        (  38,  34) (  42,  46) (  40,  58) (  42,  66) (  48,  71) (  67,  63) (  64,  64) (  64,  64) (  64,  64);
    /// And when they do not.
    SCALE_BOTH_WINGS =
        (  64,  64) (  45,  45) (  46,  60) (  47,  68) (  50,  74) (  51,  74) (  51,  76) (  48,  77) (  48,  86);
    /// A bishop each on squares of different colours and no other piece, by its number of pawns.
    SCALE_OPPOSITE_BISHOPS =
        (  18,  18) (  22,  13) (  29,  17) (  28,  30) (  37,  32) (  40,  34) (  36,  36) (  46,  46) (  50,  50);
    /// The same with other pieces.
    SCALE_OPPOSITE_BISHOPS_AND_MORE =
        (  44,  44) (  50,  36) (  46,  48) (  42,  52) (  43,  57) (  44,  53) (  45,  55) (  49,  46) (  45,  47);
    /// One pawn, and a piece to give for it.
    SCALE_LAST_PAWN = (  19,  22);
    /// No pawns and less than a rook, or two knights: nobody can be mated by force.
    SCALE_DRAWN = (   0,   0);
    /// No pawns and a minor piece more at most, against a minor piece at most; against more; two knights against a pawn.
    SCALE_NO_PAWNS =
        (   8,   3) (  19,   8) (   3,   0);

    // What wins but needs help, added to everything else.

    /// With a piece that mates a bare king: the win itself.
    MOPUP_BONUS = ( 300, 300);
    /// Each step of that king to the edge or to the corner.
    MOPUP_EDGE = (  18,  18);
    /// Each step of the kings to each other.
    MOPUP_KINGS = (  10,  10);
    /// King and pawn against king, won.
    KPK_WIN = ( 300, 300);
}
