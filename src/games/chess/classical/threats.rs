//! Threats: attacks on enemy pieces that are worth more or weakly defended.

use super::super::attacks;
use super::super::bitboard::{Bitboard, PieceType};
use super::eval_info::EvalInfo;
use super::geometry::count;
use super::terms::{EvalTerm, TermSink};
use super::weights::{
    ATTACK_ON_QUEEN, HANGING, RESTRICTED, THREAT_BY_KING, THREAT_BY_MINOR, THREAT_BY_PAWN, THREAT_BY_PUSH,
    THREAT_BY_ROOK,
};
use crate::game::Side;

impl EvalInfo<'_> {
    #[inline(always)]
    pub fn threats<T: TermSink>(&self, us: Side, sink: &mut T) {
        let (we, they, board) = (us.index(), (!us).index(), self.board);
        let by = |kind: PieceType| self.attacked_by[we][kind.index()];
        let mut add = |weight, times| sink.add(EvalTerm::Threats, us, weight, times);
        let enemies = board.occupied_by(!us);
        let enemy_pawn_attacks = self.attacked_by[they][PieceType::Pawn.index()];
        let pieces = enemies - board.pieces_of_kind(PieceType::Pawn) - board.pieces_of_kind(PieceType::King);
        let strongly_defended = enemy_pawn_attacks | (self.attacked_twice[they] - self.attacked_twice[we]);
        let weak = enemies & (self.attacks[we] - strongly_defended);

        let by_minors = (by(PieceType::Knight) | by(PieceType::Bishop)) & (pieces | weak);
        let by_rooks = by(PieceType::Rook) & (weak | board.pieces_of_kind(PieceType::Queen)) & enemies;
        if (by_minors | by_rooks).has_any() {
            for kind in
                [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen]
            {
                let victims = board.pieces_of_kind(kind);
                add(THREAT_BY_MINOR.at(kind.index()), count(by_minors & victims));
                add(THREAT_BY_ROOK.at(kind.index()), count(by_rooks & victims));
            }
        }
        add(THREAT_BY_KING, i32::from((by(PieceType::King) & weak).has_any()));
        add(HANGING, count(weak & (!self.attacks[they] | pieces & self.attacked_twice[we])));
        add(RESTRICTED, count(self.attacks[they] & (self.attacks[we] - strongly_defended)));

        let safe = self.attacks[we] | !self.attacks[they];
        let by_pawns = attacks::pawns(us, board.pieces(us, PieceType::Pawn) & safe) & pieces;
        if by_pawns.has_any() {
            for kind in [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen] {
                add(THREAT_BY_PAWN.at(kind.index() - 1), count(by_pawns & board.pieces_of_kind(kind)));
            }
        }
        let empty = !board.occupied();
        let single = board.pieces(us, PieceType::Pawn).forward(us) & empty;
        let double = (single & Bitboard::relative_rank(us, 2)).forward(us) & empty;
        let pushes = ((single | double) - enemy_pawn_attacks) & safe;
        add(THREAT_BY_PUSH, count(attacks::pawns(us, pushes) & (pieces - by(PieceType::Pawn))));

        let queens = board.pieces(!us, PieceType::Queen);
        if queens.has_any() && !queens.more_than_one() {
            let (queen, occupied) = (queens.lsb(), board.occupied());
            let safe = self.mobility_area[we] - strongly_defended;
            add(ATTACK_ON_QUEEN.at(0), count(attacks::knight(queen) & by(PieceType::Knight) & safe));
            let by_sliders = attacks::bishop(queen, occupied) & by(PieceType::Bishop)
                | attacks::rook(queen, occupied) & by(PieceType::Rook);
            add(ATTACK_ON_QUEEN.at(1), count(by_sliders & safe & self.attacked_twice[we]));
        }
    }
}
