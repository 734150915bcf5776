//! Terms of what may happen next: attacks on the king, threats, and pawns on their way.

use super::super::attacks;
use super::super::bitboard::{Bitboard, Piece, Square};
use super::pair::Pair;
use super::pawns::{ahead, distance};
use super::survey::Survey;
use super::weights::{
    DANGER_ALLOWANCE, DANGER_CHECK, DANGER_LIMIT, DANGER_NO_QUEEN, DANGER_WEAK, HANGING, PASSED_BLOCKED,
    PASSED_ENEMY_KING, PASSED_FREE, PASSED_OWN_KING, PASSED_ROOK_BEHIND, PASSED_SAFE_STEP, SHELTER, STORM,
    STORM_BLOCKED, THREAT_BY_KING, THREAT_BY_MINOR, THREAT_BY_PAWN, THREAT_BY_PUSH, THREAT_BY_ROOK,
    UNSTOPPABLE, danger,
};
use crate::game::Side;

impl Survey<'_> {
    /// The pawns before the king of `us` and those that come against it.
    pub fn shelter(&self, us: Side) -> Pair {
        let (board, king) = (self.board, self.board.king(us));
        // Behind the king no pawn shelters it; those beside it do.
        let front = !ahead(!us, Bitboard::rank(king.rank()));
        let ours = board.men(us, Piece::Pawn) & front;
        let theirs = board.men(!us, Piece::Pawn) & front;
        let centre = king.file().clamp(1, 6);
        let rank_of = |set: Bitboard| {
            if set.is_empty() {
                return 0;
            }
            let nearest = if us == Side::White { set.0.trailing_zeros() } else { set.0.ilog2() };
            usize::from(Square::new(nearest as u8).relative(us).rank())
        };
        let file = |file: u8| {
            let column = Bitboard::file(file);
            let (own, enemy) = (rank_of(ours & column), rank_of(theirs & column));
            let blocked = own != 0 && enemy == own + 1;
            SHELTER[own] + STORM[enemy] + if blocked { STORM_BLOCKED } else { Pair::ZERO }
        };
        file(centre - 1) + file(centre) + file(centre + 1)
    }

    /// Attack units against the king of `us`, squared.
    ///
    /// <https://www.chessprogramming.org/King_Safety#Attack_Units>
    pub fn danger(&self, us: Side) -> Pair {
        let (we, they, board) = (us.index(), (!us).index(), self.board);
        let queens = board.men(!us, Piece::Queen);
        if self.attackers[they] < 2 - i32::from(queens.has_any()) {
            return Pair::ZERO;
        }
        let by = |piece: Piece| self.by[they][piece.index()];
        let (king, occupied) = (board.king(us), board.occupied());
        let pieces = self.by[we][Piece::Queen.index()] | self.by[we][Piece::King.index()];
        let weak = (self.any[they] - self.twice[we]) & (pieces | !self.any[we]);
        let mut units = self.units[they]
            + DANGER_WEAK * (weak & self.by[we][Piece::King.index()]).count() as i32
            - DANGER_ALLOWANCE;
        if queens.is_empty() {
            units -= DANGER_NO_QUEEN;
        }
        let safe = !board.of(!us) & (!self.any[we] | weak & self.twice[they]);
        let (straight, diagonal) = (attacks::rook(king, occupied), attacks::bishop(king, occupied));
        for (piece, lines) in [
            (Piece::Knight, attacks::knight(king)),
            (Piece::Bishop, diagonal),
            (Piece::Rook, straight),
            (Piece::Queen, straight | diagonal),
        ] {
            if (lines & by(piece) & safe).has_any() {
                units += DANGER_CHECK[piece.index()];
            }
        }
        danger(units.clamp(0, DANGER_LIMIT))
    }

    /// What `us` attacks that should not be attacked.
    pub fn threats(&self, us: Side) -> Pair {
        let (we, they, board) = (us.index(), (!us).index(), self.board);
        let by = |piece: Piece| self.by[we][piece.index()];
        let theirs = |piece| board.men(!us, piece);
        let count = |set: Bitboard| set.count() as i32;
        let pawns_of_theirs = self.by[they][Piece::Pawn.index()];
        let minors = theirs(Piece::Knight) | theirs(Piece::Bishop);
        let pieces = minors | theirs(Piece::Rook) | theirs(Piece::Queen);
        let undefended = (self.any[we] - self.any[they]) & (pieces | theirs(Piece::Pawn));

        let mut sum = THREAT_BY_PAWN * count(by(Piece::Pawn) & pieces);
        let by_minors = by(Piece::Knight) | by(Piece::Bishop);
        sum += THREAT_BY_MINOR[0] * count(by_minors & (minors - pawns_of_theirs))
            + THREAT_BY_MINOR[1] * count(by_minors & theirs(Piece::Rook))
            + THREAT_BY_MINOR[2] * count(by_minors & theirs(Piece::Queen));
        sum += THREAT_BY_ROOK[0] * count(by(Piece::Rook) & (minors - pawns_of_theirs))
            + THREAT_BY_ROOK[1] * count(by(Piece::Rook) & theirs(Piece::Queen));
        sum += HANGING * count(undefended);
        if (by(Piece::King) & undefended).has_any() {
            sum += THREAT_BY_KING;
        }

        let empty = !board.occupied();
        let single = board.men(us, Piece::Pawn).forward(us) & empty;
        let double = (single & Bitboard::relative_rank(us, 2)).forward(us) & empty;
        let steps = ((single | double) - pawns_of_theirs) & (self.any[we] | !self.any[they]);
        let attacked = attacks::pawns(us, steps) & (pieces - by(Piece::Pawn));
        sum + THREAT_BY_PUSH * count(attacked)
    }

    /// How far the passed pawns of `us` will come.
    pub fn passed(&self, us: Side) -> Pair {
        let pawns = self.pawns.passed & self.board.of(us);
        pawns.map(|pawn| self.passed_pawn(us, pawn)).sum()
    }

    fn passed_pawn(&self, us: Side, pawn: Square) -> Pair {
        let (we, they, board) = (us.index(), (!us).index(), self.board);
        let steps = i32::from(pawn.relative(us).rank()) - 2;
        if steps <= 0 {
            return Pair::ZERO;
        }
        let stop = pawn.bit().forward(us).first();
        let near = |side| distance(board.king(side), stop).min(5);
        let mut sum = (PASSED_ENEMY_KING * near(!us) + PASSED_OWN_KING * near(us)) * steps;
        let path = ahead(us, pawn.bit());
        let behind = ahead(!us, pawn.bit());
        if (behind & board.orthogonal() & board.of(us) & self.any[we]).has_any() {
            sum += PASSED_ROOK_BEHIND;
        }
        if board.occupied().has(stop) {
            return sum + PASSED_BLOCKED * steps;
        }
        if !self.any[they].has(stop) || self.any[we].has(stop) {
            sum += PASSED_SAFE_STEP * steps;
        }
        if (path & (board.of(!us) | self.any[they])).is_empty() {
            sum += PASSED_FREE * steps;
        }
        if self.is_unstoppable(us, pawn, path) { sum + UNSTOPPABLE } else { sum }
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
