//! All weights of the hand-written evaluation, as `(middlegame, endgame)` in centipawns. Positive values
//! favour the side that has the feature.
//!

use crate::game::weights;

weights! {
    "weights.in";

    // Material.

    /// Piece values, pawn to queen.
    MATERIAL[5];
    /// Two or more bishops.
    BISHOP_PAIR;
    /// Two or more rooks.
    ROOK_PAIR;
    /// A knight, for each own pawn above five (negative below five).
    KNIGHT_PAWNS;
    /// A rook, for each own pawn above five.
    ROOK_PAWNS;
    /// The side to move.
    TEMPO;

    // Piece-square tables: eight ranks from the owner's first, each with four files from the edge inwards.

    /// A pawn.
    PAWN_PSQT[8][4];
    /// A knight.
    KNIGHT_PSQT[8][4];
    /// A bishop.
    BISHOP_PSQT[8][4];
    /// A rook.
    ROOK_PSQT[8][4];
    /// A queen.
    QUEEN_PSQT[8][4];
    /// A king.
    KING_PSQT[8][4];

    // Mobility, by the number of attacked squares within the mobility area (see `EvalInfo`).

    /// A knight, 0 to 8 squares.
    KNIGHT_MOBILITY[9];
    /// A bishop, 0 to 13 squares.
    BISHOP_MOBILITY[14];
    /// A rook, 0 to 14 squares.
    ROOK_MOBILITY[15];
    /// A queen, 0 to 27 squares.
    QUEEN_MOBILITY[28];

    // Pawn structure. "By rank" is from the owner's first rank.

    /// A pawn with another own pawn in front of it on its file.
    DOUBLED;
    /// A doubled pawn that no pawn protects.
    DOUBLED_UNSUPPORTED;
    /// A pawn without own pawns on the adjacent files, by file from the edge inwards.
    ISOLATED[4];
    /// A pawn that no own pawn can protect and whose stop square is occupied or attacked by an enemy pawn.
    BACKWARD;
    /// An isolated or backward pawn without an enemy pawn in front of it on its file.
    WEAK_UNOPPOSED;
    /// An unprotected pawn that two enemy pawns attack.
    WEAK_LEVER;
    /// A pawn next to another own pawn on its rank, by rank.
    PHALANX[8];
    /// A pawn protected by a pawn, by rank.
    SUPPORTED[8];
    /// A phalanx or supported pawn with an enemy pawn in front of it on its file, by rank.
    CONNECTED_OPPOSED[8];
    /// A pawn with an enemy pawn directly in front of it, by rank.
    BLOCKED[8];
    /// A candidate: no pawn in front of it, and at least as many supporting pawns as enemy pawns that guard its path, by rank.
    CANDIDATE[8];

    // Passed pawns.

    /// A passed pawn, by rank.
    PASSED[8];
    /// A passed pawn, by file from the edge inwards.
    PASSED_FILE[4];
    /// For each king move, up to five, between the enemy king and the stop square, by rank of the pawn.
    PASSED_ENEMY_KING[8];
    /// The same for the own king.
    PASSED_OWN_KING[8];
    /// A piece of either side stands on the stop square, by rank.
    PASSED_BLOCKED[8];
    /// The stop square is defended or not attacked, by rank.
    PASSED_SAFE_STEP[8];
    /// No enemy piece stands on or attacks the path to promotion, by rank.
    PASSED_FREE[8];
    /// An own rook or queen behind the pawn on its file.
    PASSED_ROOK_BEHIND;
    /// An enemy rook or queen behind the pawn, and no own one.
    PASSED_ENEMY_BEHIND;
    /// The enemy has no pieces, and its king is outside the square of the pawn.
    UNSTOPPABLE;

    // Single pieces.

    /// A knight, a bishop on an outpost: protected by a pawn, never attackable by a pawn.
    OUTPOST[2];
    /// A knight that attacks an outpost without an own piece on it.
    REACHABLE_OUTPOST;
    /// A bishop, for each own pawn on squares of its colour.
    BISHOP_PAWNS;
    /// A bishop, for each own pawn on squares of its colour that an enemy pawn blocks.
    BISHOP_BLOCKED_PAWNS;
    /// A bishop on a long diagonal, with no pawn between it and the two centre squares of the diagonal.
    LONG_DIAGONAL;
    /// A knight or bishop directly behind a pawn of either side.
    MINOR_BEHIND_PAWN;
    /// A knight, a bishop, for each king move of distance to its own king.
    MINOR_KING_DISTANCE[2];
    /// A rook on a half-open file, on an open file.
    ROOK_FILE[2];
    /// A rook on the seventh rank with the enemy king on the eighth or enemy pawns on the seventh.
    ROOK_ON_SEVENTH;
    /// A rook on the file of a queen of either side.
    ROOK_ON_QUEEN_FILE;
    /// A rook on a file with an own pawn, with at most three squares of mobility, on the edge side of its own king.
    ROOK_TRAPPED;
    /// For each square of space (see `space.rs`), by the number of own pieces other than pawns.
    SPACE[9];

    // Threats; arrays are by the kind of the attacked piece.

    /// A safe pawn attacks a piece, knight to queen.
    THREAT_BY_PAWN[4];
    /// A pawn attacks a piece after a safe push.
    THREAT_BY_PUSH;
    /// A knight or bishop attacks a piece, or a weakly defended pawn, pawn to queen.
    THREAT_BY_MINOR[5];
    /// A rook attacks a weakly defended pawn or piece, or a queen, pawn to queen.
    THREAT_BY_ROOK[5];
    /// The king attacks a weakly defended pawn or piece.
    THREAT_BY_KING;
    /// A pawn or piece is attacked and not defended, or a weakly defended piece is attacked twice.
    HANGING;
    /// For each square that both sides attack and the enemy does not strongly defend.
    RESTRICTED;
    /// For each safe square from which a knight, a bishop or rook would attack the only enemy queen.
    ATTACK_ON_QUEEN[2];

    // King shelter, on the king's file and the files next to it. Rank 0 means no pawn.

    /// The rearmost own pawn: by adjacent file or king's file, by file from the edge inwards, by rank.
    SHELTER[8][8];
    /// The most advanced enemy pawn: by file from the edge inwards, by rank.
    PAWN_STORM[4][8];
    /// That enemy pawn stands directly in front of the own pawn, by rank.
    STORM_BLOCKED[8];
    /// The distance of the nearest own pawn from the king, in king moves.
    KING_PAWN_DISTANCE[8];
    /// No pawn of either side on the king's flank.
    PAWNLESS_FLANK;
    /// For each square of the king's flank, first to fifth rank, that the enemy attacks; twice if attacked twice.
    FLANK_ATTACK;
    /// For each such square that an own piece defends.
    FLANK_DEFENCE;

    // King danger, in attack units (see `king_danger_penalty`). Positive values are bad for the attacked king.

    /// The constant term. It is negative, so that one attacker alone is no danger.
    DANGER_BASE;
    /// For each piece that attacks the king zone, knight to queen.
    DANGER_ATTACKER[4];
    /// For each attack of a piece on a square next to the king.
    KING_ATTACKS;
    /// For each attacked square next to the king that the king alone defends.
    DANGER_WEAK;
    /// A kind of piece can give a safe check, knight to queen.
    DANGER_CHECK[4];
    /// It can do so from several squares.
    DANGER_CHECKS[4];
    /// For each square of an unsafe check.
    DANGER_UNSAFE_CHECK;
    /// The attacker has no queen.
    DANGER_NO_QUEEN;
    /// An own knight stands next to the king.
    DANGER_KNIGHT_DEFENDER;
    /// For each of the three files at the king that has no own pawn.
    KING_HALF_OPEN_FILE;
    /// See FLANK_ATTACK.
    DANGER_FLANK_ATTACK;
    /// See FLANK_DEFENCE.
    DANGER_FLANK_DEFENCE;

    // Scale factors of the stronger side, in 1/`SCALE_NORMAL`. Exactly one applies to each side.

    /// All pawns on one wing, by their number. Element 0: no pawns, and more than a bishop ahead.
    SCALE_ONE_WING[9];
    /// Pawns on both wings, by their number.
    SCALE_BOTH_WINGS[9];
    /// Opposite-coloured bishops and no other pieces, by the number of pawns.
    SCALE_OPPOSITE_BISHOPS[9];
    /// Opposite-coloured bishops with other pieces, by the number of pawns.
    SCALE_OPPOSITE_BISHOPS_AND_MORE[9];
    /// One pawn and at most a minor piece, and the weaker side can give a piece for the pawn.
    SCALE_LAST_PAWN;
    /// Drawn: no pawns and less than a rook, two knights against a bare king, a drawn KPK, a wrong rook pawn.
    SCALE_DRAWN;
    /// No pawns, and at most a bishop more: against at most a minor piece; against more. Two knights against more than a king.
    SCALE_NO_PAWNS[3];

    // Mop-up, added after scaling.

    /// Mating material against a bare king.
    MOPUP_BONUS;
    /// For each step of the bare king towards the edge or the mating corner.
    MOPUP_EDGE;
    /// For each step of the kings towards each other.
    MOPUP_KINGS;
    /// Won ending of king and pawn against king.
    KPK_WIN;
}
