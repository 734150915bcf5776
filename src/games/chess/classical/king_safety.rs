//! King safety by attack units (<https://www.chessprogramming.org/King_Safety#Attack_Units>). Pawn shelter
//! and pawn storm are in `pawns.rs`.

use super::super::attacks;
use super::super::bitboard::{Bitboard, PieceType};
use super::eval_info::EvalInfo;
use super::geometry::{count, front_span, king_flank};
use super::terms::{EvalTerm, TermSink};
use super::weights::{
    DANGER_ATTACKER, DANGER_BASE, DANGER_CHECK, DANGER_CHECKS, DANGER_FLANK_ATTACK, DANGER_FLANK_DEFENCE,
    DANGER_KNIGHT_DEFENDER, DANGER_NO_QUEEN, DANGER_UNSAFE_CHECK, DANGER_WEAK, FLANK_ATTACK, FLANK_DEFENCE,
    KING_ATTACKS, KING_HALF_OPEN_FILE,
};
use crate::game::Side;

impl EvalInfo<'_> {
    /// Adds attacks on the flank of the king of `us`, and the attack units against that king.
    #[inline(always)]
    pub fn king_danger<T: TermSink>(&self, us: Side, sink: &mut T) {
        let (we, they, board) = (us.index(), (!us).index(), self.board);
        let (king, occupied) = (board.king(us), board.occupied());
        let flank = king_flank(king) - front_span(us, Bitboard::relative_rank(us, 4));
        let attacked = count(flank & self.attacks[they]) + count(flank & self.attacked_twice[they]);
        let defended = count(flank & self.attacks[we]);
        sink.add(EvalTerm::Shelter, us, FLANK_ATTACK, attacked);
        sink.add(EvalTerm::Shelter, us, FLANK_DEFENCE, defended);
        let queens = board.pieces(!us, PieceType::Queen);
        let attackers = &self.attackers[they];
        if attackers.iter().sum::<i32>() < 2 - i32::from(queens.has_any()) {
            return;
        }
        let mut add = |weight, times| sink.add(EvalTerm::Danger, us, weight, times);
        let by = |kind: PieceType| self.attacked_by[they][kind.index()];
        let by_king = self.attacked_by[we][PieceType::King.index()];
        let by_king_and_queen = self.attacked_by[we][PieceType::Queen.index()] | by_king;
        let weak = (self.attacks[they] - self.attacked_twice[we]) & (by_king_and_queen | !self.attacks[we]);
        add(DANGER_BASE, 1);
        add(KING_ATTACKS, self.king_attacks[they]);
        add(DANGER_WEAK, count(weak & by_king));
        add(DANGER_NO_QUEEN, i32::from(queens.is_empty()));
        add(DANGER_FLANK_ATTACK, attacked);
        add(DANGER_FLANK_DEFENCE, defended);
        let knight_defenders = board.pieces(us, PieceType::Knight) & by_king;
        add(DANGER_KNIGHT_DEFENDER, i32::from(knight_defenders.has_any()));
        let pawns = board.pieces(us, PieceType::Pawn);
        let half_open = |file: u8| i32::from((Bitboard::file(file) & pawns).is_empty());
        let centre = king.file().clamp(1, 6);
        add(KING_HALF_OPEN_FILE, half_open(centre - 1) + half_open(centre) + half_open(centre + 1));
        let safe = !board.occupied_by(!us) & (!self.attacks[we] | weak & self.attacked_twice[they]);
        let (orthogonal, diagonal) = (attacks::rook(king, occupied), attacks::bishop(king, occupied));
        let mut unsafe_checks = Bitboard::EMPTY;
        for (kind, check_squares) in [
            (PieceType::Knight, attacks::knight(king)),
            (PieceType::Bishop, diagonal),
            (PieceType::Rook, orthogonal),
            (PieceType::Queen, orthogonal | diagonal),
        ] {
            let i = kind.index() - PieceType::Knight.index();
            add(DANGER_ATTACKER.at(i), attackers[kind.index()]);
            let checks = check_squares & (by(kind) - board.occupied_by(!us));
            add(DANGER_CHECK.at(i), i32::from((checks & safe).has_any()));
            add(DANGER_CHECKS.at(i), i32::from((checks & safe).more_than_one()));
            unsafe_checks |= checks - safe;
        }
        add(DANGER_UNSAFE_CHECK, count(unsafe_checks));
    }
}
