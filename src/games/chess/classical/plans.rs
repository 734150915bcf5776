//! Terms of what may happen next: attacks on the king, threats, room, and pawns on their way.

use super::super::attacks;
use super::super::bitboard::{Bitboard, PieceType, Square};
use super::eval_info::EvalInfo;
use super::pawns::{distance, front_span, king_flank};
use super::terms::{EvalTerm, TermSink};
use super::weights::{
    ATTACK_ON_QUEEN, DANGER_ATTACKER, DANGER_BASE, DANGER_CHECK, DANGER_CHECKS, DANGER_FLANK_ATTACK,
    DANGER_FLANK_DEFENCE, DANGER_KNIGHT_GUARD, DANGER_NO_QUEEN, DANGER_UNSAFE_CHECK, DANGER_WEAK,
    FLANK_ATTACK, FLANK_DEFENCE, HANGING, KING_ATTACKS, KING_HALF_OPEN_FILE, PASSED_BLOCKED,
    PASSED_ENEMY_BEHIND, PASSED_FREE, PASSED_ROOK_BEHIND, PASSED_SAFE_STEP, RESTRICTED, SPACE,
    THREAT_BY_KING, THREAT_BY_MINOR, THREAT_BY_PAWN, THREAT_BY_PUSH, THREAT_BY_ROOK, UNSTOPPABLE,
};
use crate::game::Side;

fn count(set: Bitboard) -> i32 {
    set.count() as i32
}

impl EvalInfo<'_> {
    /// Attack units against the king of `us`.
    #[inline(always)]
    pub fn danger<T: TermSink>(&self, us: Side, sink: &mut T) {
        let (we, they, board) = (us.index(), (!us).index(), self.board);
        let (king, occupied) = (board.king(us), board.occupied());
        let camp = king_flank(king) - front_span(us, Bitboard::relative_rank(us, 4));
        let attacked = count(camp & self.attacks[they]) + count(camp & self.attacked_twice[they]);
        let defended = count(camp & self.attacks[we]);
        sink.add(EvalTerm::Shelter, us, FLANK_ATTACK, attacked);
        sink.add(EvalTerm::Shelter, us, FLANK_DEFENCE, defended);
        let queens = board.pieces(!us, PieceType::Queen);
        let attackers = &self.attackers[they];
        if attackers.iter().sum::<i32>() < 2 - i32::from(queens.has_any()) {
            return;
        }
        let mut add = |weight, times| sink.add(EvalTerm::Danger, us, weight, times);
        let by = |piece: PieceType| self.attacked_by[they][piece.index()];
        let pieces =
            self.attacked_by[we][PieceType::Queen.index()] | self.attacked_by[we][PieceType::King.index()];
        let weak = (self.attacks[they] - self.attacked_twice[we]) & (pieces | !self.attacks[we]);
        add(DANGER_BASE, 1);
        add(KING_ATTACKS, self.king_attacks[they]);
        add(DANGER_WEAK, count(weak & self.attacked_by[we][PieceType::King.index()]));
        add(DANGER_NO_QUEEN, i32::from(queens.is_empty()));
        add(DANGER_FLANK_ATTACK, attacked);
        add(DANGER_FLANK_DEFENCE, defended);
        let guards = board.pieces(us, PieceType::Knight) & self.attacked_by[we][PieceType::King.index()];
        add(DANGER_KNIGHT_GUARD, i32::from(guards.has_any()));
        let ours = board.pieces(us, PieceType::Pawn);
        let bare = |file: u8| i32::from((Bitboard::file(file) & ours).is_empty());
        let centre = king.file().clamp(1, 6);
        add(KING_HALF_OPEN_FILE, bare(centre - 1) + bare(centre) + bare(centre + 1));
        let safe = !board.occupied_by(!us) & (!self.attacks[we] | weak & self.attacked_twice[they]);
        let (straight, diagonal) = (attacks::rook(king, occupied), attacks::bishop(king, occupied));
        let mut risky = Bitboard::EMPTY;
        for (piece, lines) in [
            (PieceType::Knight, attacks::knight(king)),
            (PieceType::Bishop, diagonal),
            (PieceType::Rook, straight),
            (PieceType::Queen, straight | diagonal),
        ] {
            let kind = piece.index() - PieceType::Knight.index();
            add(DANGER_ATTACKER.at(kind), attackers[piece.index()]);
            let checks = lines & (by(piece) - board.occupied_by(!us));
            add(DANGER_CHECK.at(kind), i32::from((checks & safe).has_any()));
            add(DANGER_CHECKS.at(kind), i32::from((checks & safe).more_than_one()));
            risky |= checks - safe;
        }
        add(DANGER_UNSAFE_CHECK, count(risky));
    }

    /// What `us` attacks that should not be attacked.
    #[inline(always)]
    pub fn threats<T: TermSink>(&self, us: Side, sink: &mut T) {
        let (we, they, board) = (us.index(), (!us).index(), self.board);
        let by = |piece: PieceType| self.attacked_by[we][piece.index()];
        let mut add = |weight, times| sink.add(EvalTerm::Threats, us, weight, times);
        let theirs = board.occupied_by(!us);
        let by_their_pawns = self.attacked_by[they][PieceType::Pawn.index()];
        let pieces = theirs - board.pieces_of_kind(PieceType::Pawn) - board.pieces_of_kind(PieceType::King);
        let held = by_their_pawns | (self.attacked_twice[they] - self.attacked_twice[we]);
        let weak = theirs & (self.attacks[we] - held);

        let by_minors = (by(PieceType::Knight) | by(PieceType::Bishop)) & (pieces | weak);
        let by_rooks = by(PieceType::Rook) & (weak | board.pieces_of_kind(PieceType::Queen)) & theirs;
        if (by_minors | by_rooks).has_any() {
            for piece in
                [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen]
            {
                let kind = board.pieces_of_kind(piece);
                add(THREAT_BY_MINOR.at(piece.index()), count(by_minors & kind));
                add(THREAT_BY_ROOK.at(piece.index()), count(by_rooks & kind));
            }
        }
        add(THREAT_BY_KING, i32::from((by(PieceType::King) & weak).has_any()));
        add(HANGING, count(weak & (!self.attacks[they] | pieces & self.attacked_twice[we])));
        add(RESTRICTED, count(self.attacks[they] & (self.attacks[we] - held)));

        let safe = self.attacks[we] | !self.attacks[they];
        let by_pawns = attacks::pawns(us, board.pieces(us, PieceType::Pawn) & safe) & pieces;
        if by_pawns.has_any() {
            for piece in [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen] {
                add(THREAT_BY_PAWN.at(piece.index() - 1), count(by_pawns & board.pieces_of_kind(piece)));
            }
        }
        let empty = !board.occupied();
        let single = board.pieces(us, PieceType::Pawn).forward(us) & empty;
        let double = (single & Bitboard::relative_rank(us, 2)).forward(us) & empty;
        let steps = ((single | double) - by_their_pawns) & safe;
        add(THREAT_BY_PUSH, count(attacks::pawns(us, steps) & (pieces - by(PieceType::Pawn))));

        let queens = board.pieces(!us, PieceType::Queen);
        if queens.has_any() && !queens.more_than_one() {
            let (queen, occupied) = (queens.lsb(), board.occupied());
            let safe = self.mobility_area[we] - held;
            add(ATTACK_ON_QUEEN.at(0), count(attacks::knight(queen) & by(PieceType::Knight) & safe));
            let lines = attacks::bishop(queen, occupied) & by(PieceType::Bishop)
                | attacks::rook(queen, occupied) & by(PieceType::Rook);
            add(ATTACK_ON_QUEEN.at(1), count(lines & safe & self.attacked_twice[we]));
        }
    }

    /// Room for the pieces of `us` on the middle files, behind its pawns twice.
    #[inline(always)]
    pub fn space<T: TermSink>(&self, us: Side, sink: &mut T) {
        let (board, pawns) = (self.board, self.board.pieces(us, PieceType::Pawn));
        let files = Bitboard::file(2) | Bitboard::file(3) | Bitboard::file(4) | Bitboard::file(5);
        let ranks =
            Bitboard::relative_rank(us, 1) | Bitboard::relative_rank(us, 2) | Bitboard::relative_rank(us, 3);
        let room = (files & ranks) - pawns - self.attacked_by[(!us).index()][PieceType::Pawn.index()];
        let pieces = count(board.occupied_by(us) - pawns).min(8) as usize;
        sink.add(EvalTerm::Space, us, SPACE.at(pieces), count(room) + count(room & front_span(!us, pawns)));
    }

    /// How far the passed pawns of `us` will come.
    #[inline(always)]
    pub fn passed<T: TermSink>(&self, us: Side, sink: &mut T) {
        for pawn in self.pawns.passed & self.board.occupied_by(us) {
            self.passed_pawn(us, pawn, sink);
        }
    }

    fn passed_pawn<T: TermSink>(&self, us: Side, pawn: Square, sink: &mut T) {
        let (we, they, board) = (us.index(), (!us).index(), self.board);
        let rank = usize::from(pawn.relative(us).rank());
        let stop = pawn.bit().forward(us);
        let path = front_span(us, pawn.bit());
        let mut add = |weight| sink.add(EvalTerm::Passed, us, weight, 1);
        let behind = attacks::rook(pawn, board.occupied()) & front_span(!us, pawn.bit()) & board.orthogonal();
        if (behind & board.occupied_by(us)).has_any() {
            add(PASSED_ROOK_BEHIND);
        } else if behind.has_any() {
            add(PASSED_ENEMY_BEHIND);
        }
        if (board.occupied() & stop).has_any() {
            return add(PASSED_BLOCKED.at(rank));
        }
        if (stop & (self.attacks[they] - self.attacks[we])).is_empty() {
            add(PASSED_SAFE_STEP.at(rank));
        }
        if (path & (board.occupied_by(!us) | self.attacks[they])).is_empty() {
            add(PASSED_FREE.at(rank));
        }
        if self.is_unstoppable(us, pawn, path) {
            add(UNSTOPPABLE);
        }
    }

    /// The rule of the square (<https://www.chessprogramming.org/Rule_of_the_Square>): only a king could
    /// stop the pawn, and it is too far away.
    fn is_unstoppable(&self, us: Side, pawn: Square, path: Bitboard) -> bool {
        let board = self.board;
        let bare = board.pieces(!us, PieceType::King) | board.pieces(!us, PieceType::Pawn);
        if board.occupied_by(!us) != bare || (path & board.occupied()).has_any() {
            return false;
        }
        let goal = Square::at(pawn.file(), if us == Side::White { 7 } else { 0 });
        let tempo = i32::from(board.side() != us);
        distance(pawn, goal) < distance(board.king(!us), goal) - tempo
    }
}
