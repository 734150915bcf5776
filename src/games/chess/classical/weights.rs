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
        (  85, 110) ( 335, 320) ( 345, 335) ( 470, 560) ( 985,1020);
    /// Two bishops see both colours, the more the fewer men stand in their way.
    BISHOP_PAIR = (26, 52);
    /// Two rooks get into each other's way.
    ROOK_PAIR = (0, 0);
    /// For each own pawn above five: a knight is at home among pawns.
    KNIGHT_PAWNS = (0, 0);
    /// The same for a rook, which would rather have none.
    ROOK_PAWNS = (0, 0);
    /// The right to move.
    TEMPO = (14, 8);

    // Where a man likes to stand: by its own side's rank, first to eighth, and in each by file from the edge inwards.

    /// A pawn: the middle pawns take the centre, those on the wings are the king's house.
    PAWN_PLACEMENT =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (  -4,   4) (   2,   4) (  -4,   2) ( -14,   2)
        (  -6,   2) (  -2,   1) (   1,   0) (   2,  -2)
        (  -8,   6) (  -5,   3) (   8,  -2) (  20,  -5)
        (  -5,  13) (   0,   9) (   8,   5) (  22,   2)
        (   2,  24) (   8,  20) (  16,  15) (  24,  12)
        (  20,  34) (  22,  30) (  26,  26) (  30,  24)
        (   0,   0) (   0,   0) (   0,   0) (   0,   0);
    /// A knight: on the rim half its range is lost.
    KNIGHT_PLACEMENT =
        ( -37, -28) ( -23, -18) ( -12,  -9) (  -9,  -6)
        ( -27, -22) ( -13, -12) (  -2,  -3) (   1,   0)
        ( -17, -15) (  -3,  -5) (   8,   4) (  11,   7)
        ( -11,  -7) (   3,   3) (  14,  12) (  17,  15)
        (  -5,  -4) (   9,   6) (  20,  15) (  23,  18)
        (  -4,  -8) (  10,   2) (  21,  11) (  24,  14)
        ( -15, -17) (  -1,  -7) (  10,   2) (  13,   5)
        ( -39, -28) ( -25, -18) ( -14,  -9) ( -11,  -6);
    /// A bishop: off the first rank, where it also stops the rooks from meeting.
    BISHOP_PLACEMENT =
        ( -14,  -9) (  -6,  -6) (  -8,  -4) (  -6,  -2)
        (  -1,  -6) (   7,  -3) (   5,  -1) (   7,   1)
        (   0,  -2) (   8,   1) (   6,   3) (   8,   5)
        (  -1,   0) (   7,   3) (   5,   5) (   7,   7)
        (  -1,   0) (   7,   3) (   5,   5) (   7,   7)
        (  -3,  -1) (   5,   2) (   3,   4) (   5,   6)
        ( -13,  -3) (  -5,   0) (  -7,   2) (  -5,   4)
        ( -19,  -6) ( -11,  -3) ( -13,  -1) ( -11,   1);
    /// A rook: the middle files to guard pawns that go on, and far up the board.
    ROOK_PLACEMENT =
        (  -9,  -4) (  -5,  -3) (  -1,  -3) (   2,  -4)
        ( -15,  -6) ( -11,  -5) (  -7,  -5) (  -4,  -6)
        ( -13,  -4) (  -9,  -3) (  -5,  -3) (  -2,  -4)
        ( -11,   1) (  -7,   2) (  -3,   2) (   0,   1)
        (  -6,   6) (  -2,   7) (   2,   7) (   5,   6)
        (   1,   8) (   5,   9) (   9,   9) (  12,   8)
        (   7,  12) (  11,  13) (  15,  13) (  18,  12)
        (   3,   8) (   7,   9) (  11,   9) (  14,   8);
    /// A queen: no early journeys, but the centre of an empty board.
    QUEEN_PLACEMENT =
        (  -5, -28) (  -3, -20) (  -1, -14) (  -1, -10)
        (  -1, -20) (   1, -12) (   3,  -6) (   3,  -2)
        (  -1, -10) (   1,  -2) (   3,   4) (   3,   8)
        (  -3,  -1) (  -1,   7) (   1,  13) (   1,  17)
        (  -3,   4) (  -1,  12) (   1,  18) (   1,  22)
        (   0,   4) (   2,  12) (   4,  18) (   4,  22)
        (   1,   0) (   3,   8) (   5,  14) (   5,  18)
        (   0,  -8) (   2,   0) (   4,   6) (   4,  10);
    /// A king: castled in the middlegame, in the centre when few are left to trouble it.
    KING_PLACEMENT =
        (  32, -45) (  42, -32) (  14, -21) (   4, -17)
        (  14, -29) (  24, -16) (  -4,  -5) ( -14,  -1)
        ( -12, -15) (  -2,  -2) ( -30,   9) ( -40,  13)
        ( -32,  -5) ( -22,   8) ( -50,  19) ( -60,  23)
        ( -42,   0) ( -32,  13) ( -60,  24) ( -70,  28)
        ( -42,   0) ( -32,  13) ( -60,  24) ( -70,  28)
        ( -38,  -9) ( -28,   4) ( -56,  15) ( -66,  19)
        ( -38, -29) ( -28, -16) ( -56,  -5) ( -66,  -1);

    // Mobility: by the number of squares in reach that no enemy pawn attacks.

    /// A knight's.
    KNIGHT_MOBILITY =
        ( -34, -46) ( -20, -30) (  -9, -16) (   1,  -4) (   8,   5) (  15,  13) (  19,  18) (  22,  21)
        (  22,  22);
    /// A bishop's.
    BISHOP_MOBILITY =
        ( -32, -46) ( -21, -32) ( -11, -20) (  -2,  -9) (   6,   1) (  13,  10) (  20,  18) (  25,  25)
        (  30,  31) (  34,  36) (  37,  40) (  39,  42) (  40,  44) (  40,  44);
    /// A rook's.
    ROOK_MOBILITY =
        ( -34, -62) ( -25, -45) ( -18, -30) ( -11, -16) (  -4,  -3) (   2,   9) (   7,  19) (  11,  28)
        (  15,  36) (  19,  43) (  22,  49) (  24,  53) (  25,  56) (  26,  58) (  26,  58);
    /// A queen's.
    QUEEN_MOBILITY =
        ( -26, -70) ( -21, -58) ( -16, -48) ( -12, -38) (  -8, -28) (  -4, -18) (   0,  -9) (   3,  -1)
        (   7,   7) (  10,  15) (  13,  22) (  16,  29) (  19,  36) (  21,  42) (  24,  47) (  26,  52)
        (  28,  57) (  30,  62) (  31,  66) (  33,  69) (  34,  72) (  35,  75) (  36,  77) (  37,  79)
        (  38,  81) (  38,  82) (  38,  82) (  38,  82);

    // Pawns.

    /// A pawn with another of its side in front of it.
    DOUBLED = (-9, -20);
    /// And no other protects it.
    DOUBLED_ALONE = (0, 0);
    /// A pawn without neighbours on the files beside it, by file from the edge inwards.
    ISOLATED =
        (  -9, -13) (  -9, -13) (  -9, -13) (  -9, -13);
    /// A pawn that no neighbour can support and that cannot step forward without being taken.
    BACKWARD = (-8, -10);
    /// An isolated or backward pawn that rooks can see from the front.
    WEAK_ON_OPEN_FILE = (-9, -5);
    /// An unprotected pawn that two enemy pawns attack.
    WEAK_LEVER = (0, 0);
    /// Side by side with another, by rank.
    PHALANX =
        (   0,   0) (   3,  -1) (   7,   3) (  11,   9) (  24,  24) (  46,  50) (  70,  80) (   0,   0);
    /// Protected by another, by rank.
    SUPPORTED =
        (   0,   0) (   0,   0) (  12,   7) (   9,   6) (  14,  14) (  30,  34) (  60,  60) (   0,   0);
    /// Side by side or protected, but an enemy pawn stands on the file before it, by rank.
    CONNECTED_OPPOSED =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0);
    /// An enemy pawn stands right before it, by rank.
    RAMMED =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0);
    /// No pawn before it and as many helpers beside it as enemy pawns that guard its way, by rank.
    CANDIDATE =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0);

    // Passed pawns.

    /// No pawn can stop it, by rank.
    PASSED =
        (   0,   0) (  -2,   8) (  -2,  12) (  -4,  28) (  18,  54) (  44,  96) (  84, 150) (   0,   0);
    /// By file from the edge inwards.
    PASSED_FILE =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0);
    /// For each square up to five that the enemy king is away from its next square, by rank.
    PASSED_ENEMY_KING =
        (   0,   0) (   0,   0) (   0,   0) (   0,   5) (   0,  10) (   0,  15) (   0,  20) (   0,   0);
    /// The same for its own king.
    PASSED_OWN_KING =
        (   0,   0) (   0,   0) (   0,   0) (   0,  -3) (   0,  -6) (   0,  -9) (   0, -12) (   0,   0);
    /// A man of either side stands before it, by rank.
    PASSED_BLOCKED =
        (   0,   0) (   0,   0) (   0,   0) (  -5, -11) ( -10, -22) ( -15, -33) ( -20, -44) (   0,   0);
    /// The next square is not attacked, or defended, by rank.
    PASSED_SAFE_STEP =
        (   0,   0) (   0,   0) (   0,   0) (   4,   6) (   8,  12) (  12,  18) (  16,  24) (   0,   0);
    /// No enemy man stands on or attacks the squares left to go, by rank.
    PASSED_FREE =
        (   0,   0) (   0,   0) (   0,   0) (   5,  14) (  10,  28) (  15,  42) (  20,  56) (   0,   0);
    /// An own rook or queen behind it on its file.
    PASSED_ROOK_BEHIND = (2, 14);
    /// An enemy rook or queen there.
    PASSED_ENEMY_BEHIND = (0, 0);
    /// No piece is left to stop it and the king comes too late.
    UNSTOPPABLE = (0, 600);

    // Pieces.

    /// A knight protected by a pawn where no pawn can ever drive it away; a bishop.
    OUTPOST =
        (  30,  18) (  18,   8);
    /// A knight that can go to such a square.
    OUTPOST_NEAR = (0, 0);
    /// For each own pawn on the squares of a bishop's colour.
    BISHOP_PAWNS = (-2, -5);
    /// And for each of them that cannot move for an enemy pawn.
    BISHOP_RAMMED_PAWNS = (0, 0);
    /// A bishop that sees both squares of the centre on its diagonal, pawns apart.
    LONG_DIAGONAL = (0, 0);
    /// A knight or bishop behind a pawn's back.
    MINOR_BEHIND_PAWN = (6, 2);
    /// For each square that a knight, a bishop is away from its king.
    MINOR_KING_DISTANCE =
        (   0,   0) (   0,   0);
    /// A rook on a file without own pawns, and without any.
    ROOK_FILE =
        (  12,   9) (  32,  12);
    /// A rook on the seventh rank while it cuts off the king or attacks pawns.
    ROOK_ON_SEVENTH = (2, 22);
    /// A rook on the file of a queen.
    ROOK_ON_QUEEN_FILE = (0, 0);
    /// A rook that hardly moves, shut in by its own king.
    ROOK_TRAPPED = (0, 0);
    /// For each square of the middle files behind the enemy's pawns' reach, by the number of own pieces.
    SPACE =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0)
        (   0,   0);

    // Threats, by the kind of man threatened where there are several: pawn to queen.

    /// A safe pawn attacks a piece: knight to queen.
    THREAT_BY_PAWN =
        (  56,  38) (  56,  38) (  56,  38) (  56,  38);
    /// A pawn can step forward unharmed and then attacks a piece.
    THREAT_BY_PUSH = (14, 11);
    /// A knight or bishop attacks a piece, or a pawn that is weakly defended.
    THREAT_BY_MINOR =
        (   0,   0) (  20,  18) (  20,  18) (  40,  34) (  46,  44);
    /// A rook attacks a weakly defended man, or the queen.
    THREAT_BY_ROOK =
        (   0,   0) (  14,  18) (  14,  18) (   0,   0) (  46,  36);
    /// The king attacks a weakly defended man.
    THREAT_BY_KING = (8, 28);
    /// A man is attacked and not defended, or twice attacked and weakly defended.
    HANGING = (22, 16);
    /// For each square that both attack and the enemy does not hold.
    RESTRICTED = (0, 0);
    /// A knight, another piece can go where it attacks the only queen and is safe.
    QUEEN_TARGET =
        (   0,   0) (   0,   0);

    // The king's house: by whether it is the king's own file, then by file from the edge inwards, then by rank, where 0 is none.

    /// The hindmost own pawn on a file beside the king or on its own.
    SHELTER =
        ( -26,   0) (  20,  -3) (  12,   0) (  -2,   0) ( -10,   0) ( -14,   0) ( -16,   0) (   0,   0)
        ( -26,   0) (  20,  -3) (  12,   0) (  -2,   0) ( -10,   0) ( -14,   0) ( -16,   0) (   0,   0)
        ( -26,   0) (  20,  -3) (  12,   0) (  -2,   0) ( -10,   0) ( -14,   0) ( -16,   0) (   0,   0)
        ( -26,   0) (  20,  -3) (  12,   0) (  -2,   0) ( -10,   0) ( -14,   0) ( -16,   0) (   0,   0)
        ( -26,   0) (  20,  -3) (  12,   0) (  -2,   0) ( -10,   0) ( -14,   0) ( -16,   0) (   0,   0)
        ( -26,   0) (  20,  -3) (  12,   0) (  -2,   0) ( -10,   0) ( -14,   0) ( -16,   0) (   0,   0)
        ( -26,   0) (  20,  -3) (  12,   0) (  -2,   0) ( -10,   0) ( -14,   0) ( -16,   0) (   0,   0)
        ( -26,   0) (  20,  -3) (  12,   0) (  -2,   0) ( -10,   0) ( -14,   0) ( -16,   0) (   0,   0);
    /// The foremost enemy pawn there, by file and rank only.
    STORM =
        (  -8,   0) (   0,   0) ( -24,   0) ( -18,   0) (  -6,   0) (   0,   0) (   2,   0) (   0,   0)
        (  -8,   0) (   0,   0) ( -24,   0) ( -18,   0) (  -6,   0) (   0,   0) (   2,   0) (   0,   0)
        (  -8,   0) (   0,   0) ( -24,   0) ( -18,   0) (  -6,   0) (   0,   0) (   2,   0) (   0,   0)
        (  -8,   0) (   0,   0) ( -24,   0) ( -18,   0) (  -6,   0) (   0,   0) (   2,   0) (   0,   0);
    /// That pawn stands still against an own pawn, by rank.
    STORM_BLOCKED =
        (  14,  -4) (  14,  -4) (  14,  -4) (  14,  -4) (  14,  -4) (  14,  -4) (  14,  -4) (  14,  -4);
    /// The nearest own pawn is so many squares from the king.
    KING_PAWN_DISTANCE =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0) (   0,   0);
    /// No pawn at all on the king's side of the board.
    PAWNLESS_FLANK = (0, 0);
    /// For each attack of the enemy on the king's side of the board, up to the fifth rank.
    FLANK_ATTACK = (0, 0);
    /// For each such square that is defended.
    FLANK_DEFENCE = (0, 0);

    // Danger, in attack units: the middlegame's sum is squared, see `danger`.

    /// Before anything is counted: one piece alone is no attack.
    DANGER_BASE = (-72, -48);
    /// For each piece that attacks the king's zone, knight to queen.
    DANGER_ATTACKER =
        (  36,  24) (  28,  18) (  36,  24) (  44,  29);
    /// For each attack of such a piece on a square beside the king.
    DANGER_HIT = (16, 10);
    /// For each square beside the king that is attacked and defended by king and queen at most.
    DANGER_WEAK = (32, 21);
    /// A kind of piece can give check from a safe square, knight to queen.
    DANGER_CHECK =
        ( 104,  69) (  72,  48) ( 112,  74) ( 104,  69);
    /// And can do so in several ways.
    DANGER_CHECKS =
        (   0,   0) (   0,   0) (   0,   0) (   0,   0);
    /// For each square of a check that is not safe.
    DANGER_UNSAFE_CHECK = (0, 0);
    /// The attacker has no queen.
    DANGER_NO_QUEEN = (-180, -120);
    /// A knight stands by the king.
    DANGER_KNIGHT_GUARD = (0, 0);
    /// A file at the king without own pawns.
    DANGER_BARE_FILE = (0, 0);
    /// See FLANK_ATTACK.
    DANGER_FLANK_ATTACK = (0, 0);
    /// See FLANK_DEFENCE.
    DANGER_FLANK_DEFENCE = (0, 0);

    // How much of its advantage the stronger side can hope to make count, in parts of `FULL_SCALE`; never more than one of these.

    /// By its number of pawns when they all stand on one wing.
    SCALE_ONE_WING =
        (  64,  64) (  45,  45) (  52,  52) (  59,  59) (  64,  64) (  64,  64) (  64,  64) (  64,  64) (  64,  64);
    /// And when they do not.
    SCALE_BOTH_WINGS =
        (  64,  64) (  45,  45) (  52,  52) (  59,  59) (  64,  64) (  64,  64) (  64,  64) (  64,  64) (  64,  64);
    /// A bishop each on squares of different colours and no other piece, by its number of pawns.
    SCALE_OPPOSITE_BISHOPS =
        (  18,  18) (  22,  22) (  26,  26) (  30,  30) (  34,  34) (  38,  38) (  42,  42) (  46,  46) (  50,  50);
    /// The same with other pieces.
    SCALE_OPPOSITE_BISHOPS_AND_MORE =
        (  44,  44) (  44,  44) (  44,  44) (  44,  44) (  44,  44) (  44,  44) (  44,  44) (  44,  44) (  44,  44);
    /// One pawn, and a piece to give for it.
    SCALE_LAST_PAWN = (22, 22);
    /// No pawns and less than a rook, or two knights: nobody can be mated by force.
    SCALE_DRAWN = (0, 0);
    /// No pawns and a minor piece more at most, against a minor piece at most; against more; two knights against a pawn.
    SCALE_NO_PAWNS =
        (   6,   6) (  14,  14) (   2,   2);

    // What wins but needs help, added to everything else.

    /// With a piece that mates a bare king: the win itself.
    MATE_MATERIAL = (300, 300);
    /// Each step of that king to the edge or to the corner.
    MATE_DRIVE = (18, 18);
    /// Each step of the kings to each other.
    MATE_APPROACH = (10, 10);
    /// King and pawn against king, won.
    PAWN_WINS = (300, 300);
}
