//! Legal move generation. Only moves that can expose the king are tested one by one: moves of the king and of
//! [`Board::blockers`] pieces, moves to [`Board::screens`], and answers to a check.

use super::attacks;
use super::bitboard::{Bitboard, PieceType, Square};
use super::board::Board;
use super::moves::XiangqiMove;
use crate::game::{GenType, Move, MoveList};

impl Board {
    /// Appends the legal moves of `gen_type` to `moves`.
    pub(super) fn generate_moves(&self, gen_type: GenType, moves: &mut MoveList) {
        let (own, enemies) = (self.occupied_by(self.side), self.occupied_by(!self.side));
        let wanted = match gen_type {
            GenType::All => !own,
            GenType::Noisy => enemies,
            GenType::Quiet => !(own | enemies),
        };
        self.for_each_origin(wanted, |from, targets| {
            for to in targets & enemies {
                moves.push(Move::encode(from, to, true));
            }
            for to in targets - enemies {
                moves.push(Move::encode(from, to, false));
            }
        });
    }

    pub(super) fn count_moves(&self) -> usize {
        let mut count = 0;
        self.for_each_origin(!self.occupied_by(self.side), |_, targets| count += targets.count() as usize);
        count
    }

    /// Calls `visit` with each own piece's square and its legal targets among `wanted`.
    #[inline(always)]
    fn for_each_origin(&self, wanted: Bitboard, mut visit: impl FnMut(Square, Bitboard)) {
        let (us, occupied) = (self.side, self.occupied());
        let (own, evasions) = (self.occupied_by(us), self.evasions());
        let mut piece = |from: Square, targets: Bitboard| {
            visit(from, self.legal_targets(from, targets & wanted, evasions));
        };
        for from in self.pieces_of_kind(PieceType::Pawn) & own {
            piece(from, attacks::pawn(us, from));
        }
        for from in self.pieces_of_kind(PieceType::Adviser) & own {
            piece(from, attacks::adviser(from));
        }
        for from in self.pieces_of_kind(PieceType::Elephant) & own {
            piece(from, attacks::elephant(from, occupied));
        }
        for from in self.pieces_of_kind(PieceType::Horse) & own {
            piece(from, attacks::horse(from, occupied));
        }
        for from in self.pieces_of_kind(PieceType::Cannon) & own {
            let (slide, jump) = attacks::lines(from, occupied);
            piece(from, (slide - occupied) | jump);
        }
        for from in self.pieces_of_kind(PieceType::Rook) & own {
            piece(from, attacks::rook(from, occupied));
        }
        let king = self.king(us);
        visit(king, self.safe_targets(king, attacks::king(king) & wanted));
    }

    /// How a check can be answered without a king move.
    #[inline(always)]
    fn evasions(&self) -> Evasions {
        if self.checkers.is_empty() {
            return Evasions { targets: Bitboard::ALL, origins: Bitboard::EMPTY };
        }
        // With several checkers, the answers to one of them are a superset.
        let (king, checker) = (self.king(self.side), self.checkers.lsb());
        let between = attacks::between(king, checker);
        let is = |kind| self.pieces_of_kind(kind).contains(checker);
        let leg =
            if is(PieceType::Horse) { attacks::horse_leg(checker, king).bit() } else { Bitboard::EMPTY };
        let origins = if is(PieceType::Cannon) { between } else { Bitboard::EMPTY };
        Evasions { targets: checker.bit() | between | leg, origins }
    }

    /// Those of `targets` to which the piece on `from`, not the king, can move without exposing its king.
    #[inline(always)]
    fn legal_targets(&self, from: Square, targets: Bitboard, evasions: Evasions) -> Bitboard {
        if self.checkers.has_any() {
            let answers = if evasions.origins.contains(from) { targets } else { targets & evasions.targets };
            return self.safe_targets(from, answers);
        }
        if self.blockers.contains(from) {
            return self.safe_targets(from, targets);
        }
        (targets - self.screens) | self.safe_targets(from, targets & self.screens)
    }

    /// Those of `targets` to which the piece on `from` can move without exposing its king.
    #[inline(always)]
    fn safe_targets(&self, from: Square, targets: Bitboard) -> Bitboard {
        let mut safe = Bitboard::EMPTY;
        for to in targets {
            if self.is_safe(from, to) {
                safe |= to.bit();
            }
        }
        safe
    }

    /// Whether the enemy does not attack the king after a move from `from` to `to`.
    #[inline]
    fn is_safe(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.side);
        let king = if king == from { to } else { king };
        let occupied = (self.occupied() - from.bit()) | to.bit();
        let enemies = self.occupied_by(!self.side) - to.bit();
        !self.attacks_king(!self.side, enemies, king, occupied)
    }

    /// Whether any 16 bits are a legal move here, for moves from the transposition table.
    pub(super) fn is_legal(&self, mv: Move) -> bool {
        if !mv.is_well_formed() {
            return false;
        }
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let (own, enemies) = (self.occupied_by(us), self.occupied_by(!us));
        let Some(kind) = self.piece_on(from).kind() else { return false };
        if !own.contains(from) || own.contains(to) || mv.is_capture() != enemies.contains(to) {
            return false;
        }
        let occupied = own | enemies;
        let targets = match kind {
            PieceType::Cannon if !mv.is_capture() => attacks::rook(from, occupied),
            _ => attacks::of_kind(kind, us, from, occupied),
        };
        if !targets.contains(to) {
            return false;
        }
        let never_exposes = kind != PieceType::King
            && self.checkers.is_empty()
            && !self.blockers.contains(from)
            && !self.screens.contains(to);
        never_exposes || self.is_safe(from, to)
    }
}

/// Answers to a check by pieces other than the king, or a superset.
#[derive(Clone, Copy)]
struct Evasions {
    /// The checker, the squares between, and the square that blocks a checking horse; all squares without check.
    targets: Bitboard,
    /// The squares between the king and a checking cannon: its screen may leave to any square.
    origins: Bitboard,
}
