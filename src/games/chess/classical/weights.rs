//! Every number of the hand-written evaluation: `(middlegame, endgame)` in centipawns, a weight's sign
//! being what it is worth to its owner.
//!
//! The numbers are fitted to results of games by `duiyi tune --write`, which replaces the pairs of this file in their
//! order and leaves all else alone. A number that the games did not show often enough is as it was set by hand.

use super::tally::weights;

weights! {
    // Men.

    /// What the men are worth, pawn to queen.
    MATERIAL =
        (  68, 103) ( 331, 325) ( 349, 333) ( 459, 559) ( 985,1031);
    /// Two bishops see both colours, the more the fewer men stand in their way.
    BISHOP_PAIR = (  19,  43);
    /// Two rooks get into each other's way.
    ROOK_PAIR = (   3, -11);
    /// For each own pawn above five: a knight is at home among pawns.
    KNIGHT_PAWNS = (   2,   0);
    /// The same for a rook, which would rather have none.
    ROOK_PAWNS = (   6,  -4);
    /// The right to move.
    TEMPO = (  21,  10);

    // Where a man likes to stand: by its own side's rank, first to eighth, and in each by file from the edge inwards.

    /// A pawn: the middle pawns take the centre, those on the wings are the king's house.
    PAWN_PLACEMENT =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (  -8,   3) (  -1,  -1) (  -7,   6) ( -14,   6)
        ( -11,  -1) (  -7,  -4) (   0,  -2) (  -3,  -1)
        (  -6,   6) ( -10,   6) (   4,  -1) (  19,  -7)
        (  -3,  17) (   1,   9) (   7,   2) (  25,  -1)
        (   7,  25) (   7,  27) (  10,   4) (  36,  16)
        (  17,  24) (  20,  34) (  27,  33) (  37,  21)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0);
    /// A knight: on the rim half its range is lost.
    KNIGHT_PLACEMENT =
        ( -40, -23) ( -29, -21) (  -8, -18) (  -9,  -6)
        ( -22, -22) (  -9,  -8) (  -4,  -9) (  -6,  -2)
        ( -14,  -9) (  -8,   0) (  -2,  -2) (   5,   2)
        (   5,   0) (   8,   4) (  15,   6) (  10,  13)
        (   3,  -2) (  17,   6) (  14,  12) (  23,  17)
        (  -3, -10) (   9,   2) (  13,   8) (  30,  13)
        ( -17, -19) (  -1,   2) (  12,   6) (  14,  12)
        ( -45, -34) ( -24, -15) ( -15,  -5) ( -10,   1);
    /// A bishop: off the first rank, where it also stops the rooks from meeting.
    BISHOP_PLACEMENT =
        ( -18,  -8) (  -9,  -3) ( -18,  -3) (  -8,  -1)
        (  13,   2) (   4,  -8) (   9,  -8) (   3,  -2)
        (  -2,   5) (  24,   4) (   6,  -5) (   6,  -1)
        (   0,   0) (   6,   6) (  15,   3) (   4,  -3)
        (   0,  -2) (  12,   2) (   8,   5) (   9,   2)
        (  -7,  -5) (  -2,   7) (  -1,   0) (   9,   0)
        ( -17,  -4) (  -1,   2) (  -6,  10) (  -9,   5)
        ( -21,  -3) ( -11,   5) ( -15,   4) ( -13,   6);
    /// A rook: the middle files to guard pawns that go on, and far up the board.
    ROOK_PLACEMENT =
        (  -6, -13) (  -2, -10) (   3,  -8) (  10,  -9)
        ( -20, -14) ( -15,  -7) (  -9,  -7) (  -5,  -6)
        ( -19,  -8) ( -16,  -3) ( -11,   2) (  -4,  -3)
        ( -14,   3) (  -5,   5) (  -9,   9) (  -8,  -2)
        ( -10,   8) (   0,  12) (   5,   4) (  10,   8)
        (   1,  12) (   2,   8) (  15,  13) (  18,  11)
        (  12,   6) (  13,  15) (  11,  13) (  14,  14)
        (   2,  11) (   5,  12) (  17,  12) (  12,   9);
    /// A queen: no early journeys, but the centre of an empty board.
    QUEEN_PLACEMENT =
        (   2, -22) (  -2, -27) (  -4, -27) (  -9, -17)
        (  -8, -25) (   3, -11) (   3, -20) (  -8,  -8)
        (  -8, -11) (   3,  -5) (  -5,   8) (  -7,   4)
        (  -2,  -1) (  -6,  13) (  -2,  14) (  -2,  17)
        (  -6,   4) (   4,  10) (   2,  17) (   1,  25)
        (   0,   7) (   8,  17) (   6,  22) (  11,  30)
        (   4,   7) (   7,   5) (   7,   9) (   3,  18)
        (   7,   2) (   9,   7) (   9,  13) (   8,  17);
    /// A king: castled in the middlegame, in the centre when few are left to trouble it.
    KING_PLACEMENT =
        (  34, -45) (  38, -33) (   4, -24) (   4, -28)
        (  22, -32) (  17, -21) (  -3, -11) ( -20,  -6)
        ( -17, -14) (   6, -10) ( -30,   4) ( -32,   6)
        ( -31,  -2) ( -24,  -2) ( -49,  17) ( -64,  19)
        ( -41,   2) ( -33,  14) ( -61,  24) ( -71,  30)
        ( -41,   6) ( -31,  23) ( -57,  30) ( -71,  33)
        ( -37,  -5) ( -27,  17) ( -53,  27) ( -64,  27)
        ( -40, -41) ( -26, -13) ( -55,  -3) ( -64,   2);

    // Mobility: by the number of squares in reach that no enemy pawn attacks.

    /// A knight's.
    KNIGHT_MOBILITY =
        ( -39, -47) ( -24, -37) (  -6, -14) (  -2,   3) (   8,   9) (  14,  14) (  19,  16) (  23,  20)
        (  27,  23);
    /// A bishop's.
    BISHOP_MOBILITY =
        ( -33, -47) ( -17, -34) (  -1, -16) (   7,  -2) (  13,   7) (  17,  15) (  20,  22) (  20,  26)
        (  27,  32) (  25,  34) (  31,  40) (  40,  34) (  35,  36) (  38,  35);
    /// A rook's.
    ROOK_MOBILITY =
        ( -42, -65) ( -30, -42) (  -7, -17) (   3,  -2) (   3,  10) (   5,  18) (   8,  21) (   8,  30)
        (  10,  33) (  13,  37) (  17,  39) (  19,  44) (  18,  47) (  22,  49) (  27,  48);
    /// A queen's.
    QUEEN_MOBILITY =
        ( -26, -70) ( -21, -58) ( -16, -48) (  -7, -38) (   6, -28) (   7, -20) (  12,  -7) (  11,   4)
        (  12,  11) (  15,  21) (  15,  28) (  17,  36) (  18,  36) (  22,  44) (  22,  49) (  20,  54)
        (  19,  62) (  19,  63) (  23,  68) (  25,  64) (  30,  67) (  32,  72) (  34,  72) (  34,  75)
        (  37,  78) (  37,  79) (  38,  82) (  37,  81);

    // Pawns.

    /// A pawn with another of its side in front of it.
    DOUBLED = (  -4, -14);
    /// And no other protects it.
    DOUBLED_ALONE = (   5,  -2);
    /// A pawn without neighbours on the files beside it, by file from the edge inwards.
    ISOLATED =
        (  -9, -14) (  -7,  -8) (  -5, -12) (  -7, -11);
    /// A pawn that no neighbour can support and that cannot step forward without being taken.
    BACKWARD = (  -4, -12);
    /// An isolated or backward pawn that rooks can see from the front.
    WEAK_ON_OPEN_FILE = (  -9,  -3);
    /// An unprotected pawn that two enemy pawns attack.
    WEAK_LEVER = (  -5,  -2);
    /// Side by side with another, by rank.
    PHALANX =
        (   0,   0) (   8,   0) (   7,   5) (  11,   8) (  22,  27) (  48,  49) (  70,  80) (   0,   0);
    /// Protected by another, by rank.
    SUPPORTED =
        (   0,   0) (   0,   0) (  15,  10) (  13,   8) (  23,  19) (  45,  44) (  64,  72) (   0,   0);
    /// Side by side or protected, but an enemy pawn stands on the file before it, by rank.
    CONNECTED_OPPOSED =
        (   0,   0) (  -3,   1) (   0,  -3) (  -1,  -3) (  -4,  -5) (  -1, -22) (   0,   0) (   0,   0);
    /// An enemy pawn stands right before it, by rank.
    RAMMED =
        (   0,   0) (   1,   5) (   2,   4) (   0,   0) (  -2,  -4) (  -1,  -5) (   0,   0) (   0,   0);
    /// No pawn before it and as many helpers beside it as enemy pawns that guard its way, by rank.
    CANDIDATE =
        (   0,   0) (  -5,   1) (  -1,   1) (  -1,   7) (  -1,  -2) (   5,   7) (   0,   0) (   0,   0);

    // Passed pawns.

    /// No pawn can stop it, by rank.
    PASSED =
        (   0,   0) (  -4,  11) (  -4,  23) (  -6,  35) (  14,  54) (  45,  93) (  86, 148) (   0,   0);
    /// By file from the edge inwards.
    PASSED_FILE =
        (   2,   6) (  -2,   7) (  -6,   4) (  -1,  -1);
    /// For each square up to five that the enemy king is away from its next square, by rank.
    PASSED_ENEMY_KING =
        (   0,   0) (   4,  -1) (  -2,   0) (  -6,   8) (  -5,  12) (   1,  24) (   4,  37) (   0,   0);
    /// The same for its own king.
    PASSED_OWN_KING =
        (   0,   0) (  -5,   2) (   3,  -4) (   5,  -8) (   3,  -9) (  -3, -18) (   0, -24) (   0,   0);
    /// A man of either side stands before it, by rank.
    PASSED_BLOCKED =
        (   0,   0) (  -3,   4) (  -1,   2) (  -2,   2) (   0, -10) (  -6, -16) ( -25, -45) (   0,   0);
    /// The next square is not attacked, or defended, by rank.
    PASSED_SAFE_STEP =
        (   0,   0) (   1,   3) (   1,   7) (   7,  10) (   7,  14) (  20,  26) (  22,  37) (   0,   0);
    /// No enemy man stands on or attacks the squares left to go, by rank.
    PASSED_FREE =
        (   0,   0) (  -2,   2) (  -5,  -5) (  -6,  13) (  -1,  28) (   9,  39) (  19,  54) (   0,   0);
    /// An own rook or queen behind it on its file.
    PASSED_ROOK_BEHIND = (  10,   5);
    /// An enemy rook or queen there.
    PASSED_ENEMY_BEHIND = (  -4, -33);
    /// No piece is left to stop it and the king comes too late.
    UNSTOPPABLE = (  -1, 589);

    // Pieces.

    /// A knight protected by a pawn where no pawn can ever drive it away; a bishop.
    OUTPOST =
        (  29,   8) (  18,  15);
    /// A knight that can go to such a square.
    OUTPOST_NEAR = (  13,   8);
    /// For each own pawn on the squares of a bishop's colour.
    BISHOP_PAWNS = (  -4,  -2);
    /// And for each of them that cannot move for an enemy pawn.
    BISHOP_RAMMED_PAWNS = (   2,  -5);
    /// A bishop that sees both squares of the centre on its diagonal, pawns apart.
    LONG_DIAGONAL = (   5,   8);
    /// A knight or bishop behind a pawn's back.
    MINOR_BEHIND_PAWN = (   5,   4);
    /// For each square that a knight, a bishop is away from its king.
    MINOR_KING_DISTANCE =
        (  -1,  -2) (  -1,  -1);
    /// A rook on a file without own pawns, and without any.
    ROOK_FILE =
        (   9,   4) (  32,   6);
    /// A rook on the seventh rank while it cuts off the king or attacks pawns.
    ROOK_ON_SEVENTH = (  -3,   8);
    /// A rook on the file of a queen.
    ROOK_ON_QUEEN_FILE = (   7,   0);
    /// A rook that hardly moves, shut in by its own king.
    ROOK_TRAPPED = (  -5,  -9);
    /// For each square of the middle files behind the enemy's pawns' reach, by the number of own pieces.
    SPACE =
        (   0,   0) ( -17,   0) (  -5,   0) (  -5,   1) (  -2,   2) (  -3,   3) (  -2,   3) (  -1,   6)
        (   2,   4);

    // Threats, by the kind of man threatened where there are several: pawn to queen.

    /// A safe pawn attacks a piece: knight to queen.
    THREAT_BY_PAWN =
        (  68,  36) (  60,  39) (  59,  35) (  52,  36);
    /// A pawn can step forward unharmed and then attacks a piece.
    THREAT_BY_PUSH = (  18,  10);
    /// A knight or bishop attacks a piece, or a pawn that is weakly defended.
    THREAT_BY_MINOR =
        (   4,  11) (  19,  20) (  31,  18) (  53,  21) (  41,  39);
    /// A rook attacks a weakly defended man, or the queen.
    THREAT_BY_ROOK =
        (   8,  10) (  16,  26) (  26,  16) (   4,   3) (  34,  24);
    /// The king attacks a weakly defended man.
    THREAT_BY_KING = (   7,  16);
    /// A man is attacked and not defended, or twice attacked and weakly defended.
    HANGING = (  19,  23);
    /// For each square that both attack and the enemy does not hold.
    RESTRICTED = (   2,   0);
    /// A knight, another piece can go where it attacks the only queen and is safe.
    QUEEN_TARGET =
        (   5,   0) (  10,  -4);

    // The king's house: by whether it is the king's own file, then by file from the edge inwards, then by rank, where 0 is none.

    /// The hindmost own pawn on a file beside the king or on its own.
    SHELTER =
        ( -25,   8) (  16,  -9) (  15,  -2) (  -9,   3) (  -7,   2) ( -13,  -2) ( -16,   0) (   0,   0)
        ( -23,   4) (  23,  -3) (  12,  -4) (  -8,  -2) (  -8,   1) ( -13,   0) ( -15,   6) (   0,   0)
        ( -25,  -2) (  20,  -4) (   4,  -1) (  -2,  -6) ( -10,  -9) (  -8,   6) ( -11,   8) (   0,   0)
        ( -18,   2) (  17,  -7) (   8,  -1) (  -7,   0) (  -4,   0) ( -19,   0) ( -15,  -1) (   0,   0)
        ( -22,   4) (  19,  -2) (  21,  -1) (  -5,   0) ( -14,  -1) ( -15,  -6) ( -15,   3) (   0,   0)
        ( -24,   4) (  19,  -1) (  15,  -5) (  -6,  -3) ( -15,   2) ( -11,   3) ( -17,   1) (   0,   0)
        ( -31,  -3) (  24,  -2) (   8,  -2) (   6,  -3) ( -14,   2) ( -15,   7) ( -14,   3) (   0,   0)
        ( -21,  -3) (  16,  -7) (   9,   3) (  -1,  -1) ( -13,  -2) ( -13,  -2) ( -15,  -1) (   0,   0);
    /// The foremost enemy pawn there, by file and rank only.
    STORM =
        ( -11,  -2) (   1,  -5) ( -17,   4) ( -20,   7) (  -4,   4) (   3,   0) (  -3,  -3) (   0,   0)
        ( -13,  -6) (   2,   6) ( -27,  11) ( -10,   0) ( -14,   2) (   2,   0) (   6,  -2) (   0,   0)
        (  -7,  -2) (  -1,  -2) ( -28,   5) ( -12,  -3) (  -8,   2) (   5,   1) (  -2,  -1) (   0,   0)
        ( -12,   0) (  -2,   1) ( -11,  -4) ( -13,  -5) ( -10,   0) (  -6,  -1) (  -1,  -6) (   0,   0);
    /// That pawn stands still against an own pawn, by rank.
    STORM_BLOCKED =
        (  14,  -4) (  14,  -4) (  14, -14) (  10, -11) (  20, -13) (  -2,  -7) (  18,   4) (  14,  -4);
    /// The nearest own pawn is so many squares from the king.
    KING_PAWN_DISTANCE =
        (   0,   0) (  -2,   2) (  -2,  -2) (  -7,  -6) (   3, -10) (   3, -14) (  -2, -12) (  -2,   0);
    /// No pawn at all on the king's side of the board.
    PAWNLESS_FLANK = (   2, -29);
    /// For each attack of the enemy on the king's side of the board, up to the fifth rank.
    FLANK_ATTACK = (   1,   1);
    /// For each such square that is defended.
    FLANK_DEFENCE = (   2,   0);

    // Danger, in attack units: the middlegame's sum is squared, see `danger`.

    /// Before anything is counted: one piece alone is no attack.
    DANGER_BASE = ( -62, -48);
    /// For each piece that attacks the king's zone, knight to queen.
    DANGER_ATTACKER =
        (  38,  28) (  27,  16) (  41,  26) (  23,  27);
    /// For each attack of such a piece on a square beside the king.
    DANGER_HIT = (  16,   8);
    /// For each square beside the king that is attacked and defended by king and queen at most.
    DANGER_WEAK = (  26,  10);
    /// A kind of piece can give check from a safe square, knight to queen.
    DANGER_CHECK =
        ( 120,  71) (  69,  50) ( 117,  78) ( 110,  74);
    /// And can do so in several ways.
    DANGER_CHECKS =
        (   4,   1) (   1,   0) (   9,   1) (  19,   3);
    /// For each square of a check that is not safe.
    DANGER_UNSAFE_CHECK = (   9,   4);
    /// The attacker has no queen.
    DANGER_NO_QUEEN = (-169,-120);
    /// A knight stands by the king.
    DANGER_KNIGHT_GUARD = (  -5,   2);
    /// A file at the king without own pawns.
    DANGER_BARE_FILE = (   6,  -3);
    /// See FLANK_ATTACK.
    DANGER_FLANK_ATTACK = (   8,  15);
    /// See FLANK_DEFENCE.
    DANGER_FLANK_DEFENCE = (  -4,  -2);

    // How much of its advantage the stronger side can hope to make count, in parts of `FULL_SCALE`; never more than one of these.

    /// By its number of pawns when they all stand on one wing.
    SCALE_ONE_WING =
        (  52,  38) (  48,  47) (  46,  57) (  48,  69) (  49,  76) (  66,  70) (  64,  64) (  64,  64) (  64,  64);
    /// And when they do not.
    SCALE_BOTH_WINGS =
        (  64,  64) (  45,  45) (  49,  62) (  49,  70) (  54,  75) (  54,  75) (  56,  76) (  53,  76) (  52,  78);
    /// A bishop each on squares of different colours and no other piece, by its number of pawns.
    SCALE_OPPOSITE_BISHOPS =
        (  18,  18) (  22,  16) (  26,  19) (  29,  31) (  34,  32) (  39,  32) (  40,  34) (  46,  46) (  50,  50);
    /// The same with other pieces.
    SCALE_OPPOSITE_BISHOPS_AND_MORE =
        (  44,  44) (  49,  34) (  48,  46) (  38,  54) (  46,  58) (  49,  55) (  46,  54) (  48,  45) (  53,  48);
    /// One pawn, and a piece to give for it.
    SCALE_LAST_PAWN = (  22,  23);
    /// No pawns and less than a rook, or two knights: nobody can be mated by force.
    SCALE_DRAWN = (   0,   0);
    /// No pawns and a minor piece more at most, against a minor piece at most; against more; two knights against a pawn.
    SCALE_NO_PAWNS =
        (   6,   3) (  19,   7) (   2,   1);

    // What wins but needs help, added to everything else.

    /// With a piece that mates a bare king: the win itself.
    MATE_MATERIAL = ( 300, 300);
    /// Each step of that king to the edge or to the corner.
    MATE_DRIVE = (  18,  18);
    /// Each step of the kings to each other.
    MATE_APPROACH = (  10,  10);
    /// King and pawn against king, won.
    PAWN_WINS = ( 300, 300);
}
