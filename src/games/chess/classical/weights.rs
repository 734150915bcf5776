//! All weights of the hand-written evaluation, as `(middlegame, endgame)` in centipawns. Positive values
//! favour the side that has the feature.

use crate::game::weights;

weights! {
    "weights.in";

    // Material.

    MATERIAL[5]: "Piece values, pawn to queen.";
    BISHOP_PAIR: "Two or more bishops.";
    ROOK_PAIR: "Two or more rooks.";
    KNIGHT_PAWNS: "A knight, for each own pawn above five (negative below five).";
    ROOK_PAWNS: "A rook, for each own pawn above five.";
    TEMPO: "The side to move.";

    // Piece-square tables: eight ranks from the owner's first, each with four files from the edge inwards.

    PAWN_PSQT[8][4]: "A pawn.";
    KNIGHT_PSQT[8][4]: "A knight.";
    BISHOP_PSQT[8][4]: "A bishop.";
    ROOK_PSQT[8][4]: "A rook.";
    QUEEN_PSQT[8][4]: "A queen.";
    KING_PSQT[8][4]: "A king.";

    // Mobility, by the number of attacked squares within the mobility area (see `EvalInfo`).

    KNIGHT_MOBILITY[9]: "A knight, 0 to 8 squares.";
    BISHOP_MOBILITY[14]: "A bishop, 0 to 13 squares.";
    ROOK_MOBILITY[15]: "A rook, 0 to 14 squares.";
    QUEEN_MOBILITY[28]: "A queen, 0 to 27 squares.";

    // Pawn structure. "By rank" is from the owner's first rank.

    DOUBLED: "A pawn with another own pawn in front of it on its file.";
    DOUBLED_UNSUPPORTED: "A doubled pawn that no pawn protects.";
    ISOLATED[4]: "A pawn without own pawns on the adjacent files, by file from the edge inwards.";
    /// A pawn that no own pawn can protect and whose stop square is occupied or attacked by an enemy pawn.
    BACKWARD;
    WEAK_UNOPPOSED: "An isolated or backward pawn without an enemy pawn in front of it on its file.";
    WEAK_LEVER: "An unprotected pawn that two enemy pawns attack.";
    PHALANX[8]: "A pawn next to another own pawn on its rank, by rank.";
    SUPPORTED[8]: "A pawn protected by a pawn, by rank.";
    /// A phalanx or supported pawn with an enemy pawn in front of it on its file, by rank.
    CONNECTED_OPPOSED[8];
    BLOCKED[8]: "A pawn with an enemy pawn directly in front of it, by rank.";
    /// A candidate: no pawn in front of it, and at least as many supporting pawns as enemy pawns that guard its path, by rank.
    CANDIDATE[8];

    // Passed pawns.

    PASSED[8]: "A passed pawn, by rank.";
    PASSED_FILE[4]: "A passed pawn, by file from the edge inwards.";
    /// For each king move, up to five, between the enemy king and the stop square, by rank of the pawn.
    PASSED_ENEMY_KING[8];
    PASSED_OWN_KING[8]: "The same for the own king.";
    PASSED_BLOCKED[8]: "A piece of either side stands on the stop square, by rank.";
    PASSED_SAFE_STEP[8]: "The stop square is defended or not attacked, by rank.";
    PASSED_FREE[8]: "No enemy piece stands on or attacks the path to promotion, by rank.";
    PASSED_ROOK_BEHIND: "An own rook or queen behind the pawn on its file.";
    PASSED_ENEMY_BEHIND: "An enemy rook or queen behind the pawn, and no own one.";
    UNSTOPPABLE: "The enemy has no pieces, and its king is outside the square of the pawn.";

    // Single pieces.

    OUTPOST[2]: "A knight, a bishop on an outpost: protected by a pawn, never attackable by a pawn.";
    REACHABLE_OUTPOST: "A knight that attacks an outpost without an own piece on it.";
    BISHOP_PAWNS: "A bishop, for each own pawn on squares of its colour.";
    BISHOP_BLOCKED_PAWNS: "A bishop, for each own pawn on squares of its colour that an enemy pawn blocks.";
    /// A bishop on a long diagonal, with no pawn between it and the two centre squares of the diagonal.
    LONG_DIAGONAL;
    MINOR_BEHIND_PAWN: "A knight or bishop directly behind a pawn of either side.";
    MINOR_KING_DISTANCE[2]: "A knight, a bishop, for each king move of distance to its own king.";
    ROOK_FILE[2]: "A rook on a half-open file, on an open file.";
    /// A rook on the seventh rank with the enemy king on the eighth or enemy pawns on the seventh.
    ROOK_ON_SEVENTH;
    ROOK_ON_QUEEN_FILE: "A rook on the file of a queen of either side.";
    /// A rook on a file with an own pawn, with at most three squares of mobility, on the edge side of its own king.
    ROOK_TRAPPED;
    SPACE[9]: "For each square of space (see `space.rs`), by the number of own pieces other than pawns.";

    // Threats; arrays are by the kind of the attacked piece.

    THREAT_BY_PAWN[4]: "A safe pawn attacks a piece, knight to queen.";
    THREAT_BY_PUSH: "A pawn attacks a piece after a safe push.";
    THREAT_BY_MINOR[5]: "A knight or bishop attacks a piece, or a weakly defended pawn, pawn to queen.";
    THREAT_BY_ROOK[5]: "A rook attacks a weakly defended pawn or piece, or a queen, pawn to queen.";
    THREAT_BY_KING: "The king attacks a weakly defended pawn or piece.";
    HANGING: "A pawn or piece is attacked and not defended, or a weakly defended piece is attacked twice.";
    RESTRICTED: "For each square that both sides attack and the enemy does not strongly defend.";
    /// For each safe square from which a knight, a bishop or rook would attack the only enemy queen.
    ATTACK_ON_QUEEN[2];

    // King shelter, on the king's file and the files next to it. Rank 0 means no pawn.

    /// The rearmost own pawn: by adjacent file or king's file, by file from the edge inwards, by rank.
    SHELTER[8][8];
    PAWN_STORM[4][8]: "The most advanced enemy pawn: by file from the edge inwards, by rank.";
    STORM_BLOCKED[8]: "That enemy pawn stands directly in front of the own pawn, by rank.";
    KING_PAWN_DISTANCE[8]: "The distance of the nearest own pawn from the king, in king moves.";
    PAWNLESS_FLANK: "No pawn of either side on the king's flank.";
    /// For each square of the king's flank, first to fifth rank, that the enemy attacks; twice if attacked twice.
    FLANK_ATTACK;
    FLANK_DEFENCE: "For each such square that an own piece defends.";

    // King danger, in attack units (see `king_danger_penalty`). Positive values are bad for the attacked king.

    DANGER_BASE: "The constant term. It is negative, so that one attacker alone is no danger.";
    DANGER_ATTACKER[4]: "For each piece that attacks the king zone, knight to queen.";
    KING_ATTACKS: "For each attack of a piece on a square next to the king.";
    DANGER_WEAK: "For each attacked square next to the king that the king alone defends.";
    DANGER_CHECK[4]: "A kind of piece can give a safe check, knight to queen.";
    DANGER_CHECKS[4]: "It can do so from several squares.";
    DANGER_UNSAFE_CHECK: "For each square of an unsafe check.";
    DANGER_NO_QUEEN: "The attacker has no queen.";
    DANGER_KNIGHT_DEFENDER: "An own knight stands next to the king.";
    KING_HALF_OPEN_FILE: "For each of the three files at the king that has no own pawn.";
    DANGER_FLANK_ATTACK: "See FLANK_ATTACK.";
    DANGER_FLANK_DEFENCE: "See FLANK_DEFENCE.";

    // Scale factors of the stronger side, in 1/`SCALE_NORMAL`. Exactly one applies to each side.

    /// All pawns on one wing, by their number. Element 0: no pawns, and more than a bishop ahead.
    SCALE_ONE_WING[9];
    SCALE_BOTH_WINGS[9]: "Pawns on both wings, by their number.";
    SCALE_OPPOSITE_BISHOPS[9]: "Opposite-coloured bishops and no other pieces, by the number of pawns.";
    /// Opposite-coloured bishops with other pieces, by the number of pawns.
    SCALE_OPPOSITE_BISHOPS_AND_MORE[9];
    SCALE_LAST_PAWN: "One pawn and at most a minor piece, and the weaker side can give a piece for the pawn.";
    /// Drawn: no pawns and less than a rook, two knights against a bare king, a drawn KPK, a wrong rook pawn.
    SCALE_DRAWN;
    /// No pawns, and at most a bishop more: against at most a minor piece; against more. Two knights against more than a king.
    SCALE_NO_PAWNS[3];

    // Mop-up, added after scaling.

    MOPUP_BONUS: "Mating material against a bare king.";
    MOPUP_EDGE: "For each step of the bare king towards the edge or the mating corner.";
    MOPUP_KINGS: "For each step of the kings towards each other.";
    KPK_WIN: "Won ending of king and pawn against king.";
}
