//! Terms of what may happen next: attacks on the king, threats, room, and pawns on their way.

use super::super::attacks;
use super::super::bitboard::{Bitboard, Piece, Square};
use super::pawns::{ahead, distance, flank};
use super::survey::Survey;
use super::tally::{Feature, Tally};
use super::weights::{
    DANGER_ATTACKER, DANGER_BARE_FILE, DANGER_BASE, DANGER_CHECK, DANGER_CHECKS, DANGER_FLANK_ATTACK,
    DANGER_FLANK_DEFENCE, DANGER_HIT, DANGER_KNIGHT_GUARD, DANGER_NO_QUEEN, DANGER_UNSAFE_CHECK, DANGER_WEAK,
    FLANK_ATTACK, FLANK_DEFENCE, HANGING, PASSED_BLOCKED, PASSED_ENEMY_BEHIND, PASSED_FREE,
    PASSED_ROOK_BEHIND, PASSED_SAFE_STEP, QUEEN_TARGET, RESTRICTED, SPACE, THREAT_BY_KING, THREAT_BY_MINOR,
    THREAT_BY_PAWN, THREAT_BY_PUSH, THREAT_BY_ROOK, UNSTOPPABLE,
};
use crate::game::Side;

fn count(set: Bitboard) -> i32 {
    set.count() as i32
}

impl Survey<'_> {
    /// Attack units against the king of `us`.
    #[inline(always)]
    pub fn danger<T: Tally>(&self, us: Side, tally: &mut T) {
        let (we, they, board) = (us.index(), (!us).index(), self.board);
        let (king, occupied) = (board.king(us), board.occupied());
        let camp = flank(king) - ahead(us, Bitboard::relative_rank(us, 4));
        let attacked = count(camp & self.any[they]) + count(camp & self.twice[they]);
        let defended = count(camp & self.any[we]);
        tally.add(Feature::Shelter, us, FLANK_ATTACK, attacked);
        tally.add(Feature::Shelter, us, FLANK_DEFENCE, defended);
        let queens = board.men(!us, Piece::Queen);
        let attackers = &self.attackers[they];
        if attackers.iter().sum::<i32>() < 2 - i32::from(queens.has_any()) {
            return;
        }
        let mut add = |weight, times| tally.add(Feature::Danger, us, weight, times);
        let by = |piece: Piece| self.by[they][piece.index()];
        let pieces = self.by[we][Piece::Queen.index()] | self.by[we][Piece::King.index()];
        let weak = (self.any[they] - self.twice[we]) & (pieces | !self.any[we]);
        add(DANGER_BASE, 1);
        add(DANGER_HIT, self.hits[they]);
        add(DANGER_WEAK, count(weak & self.by[we][Piece::King.index()]));
        add(DANGER_NO_QUEEN, i32::from(queens.is_empty()));
        add(DANGER_FLANK_ATTACK, attacked);
        add(DANGER_FLANK_DEFENCE, defended);
        let guards = board.men(us, Piece::Knight) & self.by[we][Piece::King.index()];
        add(DANGER_KNIGHT_GUARD, i32::from(guards.has_any()));
        let ours = board.men(us, Piece::Pawn);
        let bare = |file: u8| i32::from((Bitboard::file(file) & ours).is_empty());
        let centre = king.file().clamp(1, 6);
        add(DANGER_BARE_FILE, bare(centre - 1) + bare(centre) + bare(centre + 1));
        let safe = !board.of(!us) & (!self.any[we] | weak & self.twice[they]);
        let (straight, diagonal) = (attacks::rook(king, occupied), attacks::bishop(king, occupied));
        let mut risky = Bitboard::EMPTY;
        for (piece, lines) in [
            (Piece::Knight, attacks::knight(king)),
            (Piece::Bishop, diagonal),
            (Piece::Rook, straight),
            (Piece::Queen, straight | diagonal),
        ] {
            let kind = piece.index() - Piece::Knight.index();
            add(DANGER_ATTACKER.at(kind), attackers[piece.index()]);
            let checks = lines & (by(piece) - board.of(!us));
            add(DANGER_CHECK.at(kind), i32::from((checks & safe).has_any()));
            add(DANGER_CHECKS.at(kind), i32::from((checks & safe).has_many()));
            risky |= checks - safe;
        }
        add(DANGER_UNSAFE_CHECK, count(risky));
    }

    /// What `us` attacks that should not be attacked.
    #[inline(always)]
    pub fn threats<T: Tally>(&self, us: Side, tally: &mut T) {
        let (we, they, board) = (us.index(), (!us).index(), self.board);
        let by = |piece: Piece| self.by[we][piece.index()];
        let mut add = |weight, times| tally.add(Feature::Threats, us, weight, times);
        let theirs = board.of(!us);
        let by_their_pawns = self.by[they][Piece::Pawn.index()];
        let pieces = theirs - board.all(Piece::Pawn) - board.all(Piece::King);
        let held = by_their_pawns | (self.twice[they] - self.twice[we]);
        let weak = theirs & (self.any[we] - held);

        let by_minors = (by(Piece::Knight) | by(Piece::Bishop)) & (pieces | weak);
        let by_rooks = by(Piece::Rook) & (weak | board.all(Piece::Queen)) & theirs;
        if (by_minors | by_rooks).has_any() {
            for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
                let kind = board.all(piece);
                add(THREAT_BY_MINOR.at(piece.index()), count(by_minors & kind));
                add(THREAT_BY_ROOK.at(piece.index()), count(by_rooks & kind));
            }
        }
        add(THREAT_BY_KING, i32::from((by(Piece::King) & weak).has_any()));
        add(HANGING, count(weak & (!self.any[they] | pieces & self.twice[we])));
        add(RESTRICTED, count(self.any[they] & (self.any[we] - held)));

        let safe = self.any[we] | !self.any[they];
        let by_pawns = attacks::pawns(us, board.men(us, Piece::Pawn) & safe) & pieces;
        if by_pawns.has_any() {
            for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
                add(THREAT_BY_PAWN.at(piece.index() - 1), count(by_pawns & board.all(piece)));
            }
        }
        let empty = !board.occupied();
        let single = board.men(us, Piece::Pawn).forward(us) & empty;
        let double = (single & Bitboard::relative_rank(us, 2)).forward(us) & empty;
        let steps = ((single | double) - by_their_pawns) & safe;
        add(THREAT_BY_PUSH, count(attacks::pawns(us, steps) & (pieces - by(Piece::Pawn))));

        let queens = board.men(!us, Piece::Queen);
        if queens.has_any() && !queens.has_many() {
            let (queen, occupied) = (queens.first(), board.occupied());
            let safe = self.area[we] - held;
            add(QUEEN_TARGET.at(0), count(attacks::knight(queen) & by(Piece::Knight) & safe));
            let lines = attacks::bishop(queen, occupied) & by(Piece::Bishop)
                | attacks::rook(queen, occupied) & by(Piece::Rook);
            add(QUEEN_TARGET.at(1), count(lines & safe & self.twice[we]));
        }
    }

    /// Room for the pieces of `us` on the middle files, behind its pawns twice.
    #[inline(always)]
    pub fn space<T: Tally>(&self, us: Side, tally: &mut T) {
        let (board, pawns) = (self.board, self.board.men(us, Piece::Pawn));
        let files = Bitboard::file(2) | Bitboard::file(3) | Bitboard::file(4) | Bitboard::file(5);
        let ranks =
            Bitboard::relative_rank(us, 1) | Bitboard::relative_rank(us, 2) | Bitboard::relative_rank(us, 3);
        let room = (files & ranks) - pawns - self.by[(!us).index()][Piece::Pawn.index()];
        let pieces = count(board.of(us) - pawns).min(8) as usize;
        tally.add(Feature::Space, us, SPACE.at(pieces), count(room) + count(room & ahead(!us, pawns)));
    }

    /// How far the passed pawns of `us` will come.
    #[inline(always)]
    pub fn passed<T: Tally>(&self, us: Side, tally: &mut T) {
        for pawn in self.pawns.passed & self.board.of(us) {
            self.passed_pawn(us, pawn, tally);
        }
    }

    fn passed_pawn<T: Tally>(&self, us: Side, pawn: Square, tally: &mut T) {
        let (we, they, board) = (us.index(), (!us).index(), self.board);
        let rank = usize::from(pawn.relative(us).rank());
        let stop = pawn.bit().forward(us);
        let path = ahead(us, pawn.bit());
        let mut add = |weight| tally.add(Feature::Passed, us, weight, 1);
        let behind = attacks::rook(pawn, board.occupied()) & ahead(!us, pawn.bit()) & board.orthogonal();
        if (behind & board.of(us)).has_any() {
            add(PASSED_ROOK_BEHIND);
        } else if behind.has_any() {
            add(PASSED_ENEMY_BEHIND);
        }
        if (board.occupied() & stop).has_any() {
            return add(PASSED_BLOCKED.at(rank));
        }
        if (stop & (self.any[they] - self.any[we])).is_empty() {
            add(PASSED_SAFE_STEP.at(rank));
        }
        if (path & (board.of(!us) | self.any[they])).is_empty() {
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
        let bare = board.men(!us, Piece::King) | board.men(!us, Piece::Pawn);
        if board.of(!us) != bare || (path & board.occupied()).has_any() {
            return false;
        }
        let goal = Square::at(pawn.file(), if us == Side::White { 7 } else { 0 });
        let tempo = i32::from(board.side() != us);
        distance(pawn, goal) < distance(board.king(!us), goal) - tempo
    }
}
