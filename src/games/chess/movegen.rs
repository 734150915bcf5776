//! Legal moves: generated legal from the start by check and pin masks, never played to see.

use super::attacks;
use super::bitboard::{Bitboard, PieceType, Square};
use super::board::Board;
use super::moves::{ChessMove, MoveKind, PROMOTIONS};
use crate::game::{Move, MoveList, Side};

/// What becomes of the moves: they are listed or only counted.
trait Visitor {
    /// A knight, bishop, rook, queen or king goes from one square to any of a set.
    fn piece(&mut self, from: Square, to: Bitboard);
    /// Pawns reach each of a set by going `delta` squares.
    fn pawns(&mut self, to: Bitboard, delta: i8, kind: MoveKind);
    /// Pawns reach each of a set of last-rank squares by going `delta` squares.
    fn promotions(&mut self, to: Bitboard, delta: i8, capture: bool);
    /// One special move.
    fn special(&mut self, mv: Move);
}

struct Counter(usize);

impl Visitor for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square, to: Bitboard) {
        self.0 += to.count() as usize;
    }
    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _: i8, _: MoveKind) {
        self.0 += to.count() as usize;
    }
    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, _: i8, _: bool) {
        self.0 += PROMOTIONS.len() * to.count() as usize;
    }
    #[inline(always)]
    fn special(&mut self, _: Move) {
        self.0 += 1;
    }
}

struct MoveSink<'a> {
    moves: &'a mut MoveList,
    enemies: Bitboard,
    wanted: GenType,
}

impl Visitor for MoveSink<'_> {
    #[inline(always)]
    fn piece(&mut self, from: Square, to: Bitboard) {
        if self.wanted != GenType::Quiet {
            for to in to & self.enemies {
                self.moves.push(Move::encode(from, to, MoveKind::Capture));
            }
        }
        if self.wanted != GenType::Tactical {
            for to in to - self.enemies {
                self.moves.push(Move::encode(from, to, MoveKind::Quiet));
            }
        }
    }
    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, delta: i8, kind: MoveKind) {
        for to in to {
            self.moves.push(Move::encode(to.offset(-delta), to, kind));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, delta: i8, capture: bool) {
        for to in to {
            let from = to.offset(-delta);
            for piece in PROMOTIONS {
                let (kind, tactical) = if capture {
                    (MoveKind::CapturePromotion(piece), true)
                } else {
                    (MoveKind::Promotion(piece), piece == PieceType::Queen)
                };
                if self.wanted.includes(tactical) {
                    self.moves.push(Move::encode(from, to, kind));
                }
            }
        }
    }
    #[inline(always)]
    fn special(&mut self, mv: Move) {
        self.moves.push(mv);
    }
}

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GenType {
    /// All of them.
    All,
    /// Captures and promotions to a queen.
    Tactical,
    /// The others.
    Quiet,
}

impl GenType {
    #[inline(always)]
    fn includes(self, tactical: bool) -> bool {
        match self {
            GenType::All => true,
            GenType::Tactical => tactical,
            GenType::Quiet => !tactical,
        }
    }
}

/// A pawn's two capture directions, as (squares to go, file it cannot start from).
const fn capture_steps(side: Side) -> [(i8, Bitboard); 2] {
    match side {
        Side::White => [(7, Bitboard::FILE_A), (9, Bitboard::FILE_H)],
        Side::Black => [(-9, Bitboard::FILE_A), (-7, Bitboard::FILE_H)],
    }
}

impl Board {
    /// Appends the legal moves that are wanted.
    pub(super) fn generate(&self, wanted: GenType, moves: &mut MoveList) {
        // Each time a constant to the compiler.
        match wanted {
            GenType::All => self.list(GenType::All, moves),
            GenType::Tactical => self.list(GenType::Tactical, moves),
            GenType::Quiet => self.list(GenType::Quiet, moves),
        }
    }

    #[inline(always)]
    fn list(&self, wanted: GenType, moves: &mut MoveList) {
        let enemies = self.occupied_by(!self.side);
        self.visit(wanted, &mut MoveSink { moves, enemies, wanted });
    }

    /// How many legal moves there are.
    pub(super) fn count(&self) -> usize {
        let mut counter = Counter(0);
        self.visit(GenType::All, &mut counter);
        counter.0
    }

    /// Squares that stop every check: the checker's own and those before it; none in double check.
    #[inline(always)]
    fn check_mask(&self) -> Bitboard {
        if self.checkers.is_empty() {
            Bitboard::ALL
        } else if self.checkers.more_than_one() {
            Bitboard::EMPTY
        } else {
            self.checkers | attacks::between(self.king(self.side), self.checkers.lsb())
        }
    }

    #[inline(always)]
    fn visit(&self, wanted: GenType, visitor: &mut impl Visitor) {
        match self.side {
            Side::White => self.visit_side(Side::White, wanted, visitor),
            Side::Black => self.visit_side(Side::Black, wanted, visitor),
        }
    }

    /// `us` is a constant to the compiler, so that every pawn step is a shift by a known amount.
    #[inline(always)]
    fn visit_side(&self, us: Side, wanted: GenType, visitor: &mut impl Visitor) {
        let (own, enemies, king) = (self.occupied_by(us), self.occupied_by(!us), self.king(us));
        let squares = match wanted {
            GenType::All => !own,
            GenType::Tactical => enemies,
            GenType::Quiet => !(own | enemies),
        };
        let occupied = own | enemies;

        let without_king = occupied ^ king.bit();
        let mut safe = Bitboard::EMPTY;
        for to in attacks::king(king) & squares {
            if !self.is_attacked(to, !us, without_king) {
                safe |= to.bit();
            }
        }
        visitor.piece(king, safe);
        if self.checkers.more_than_one() {
            return;
        }

        let check_mask = self.check_mask();
        let targets = squares & check_mask;
        let pinned = self.blockers & own;
        for from in self.men(us, PieceType::Knight) - pinned {
            visitor.piece(from, attacks::knight(from) & targets);
        }
        let (diagonal, orthogonal) = (self.diagonal() & own, self.orthogonal() & own);
        for from in diagonal - pinned {
            visitor.piece(from, attacks::bishop(from, occupied) & targets);
        }
        for from in orthogonal - pinned {
            visitor.piece(from, attacks::rook(from, occupied) & targets);
        }
        for from in diagonal & pinned {
            visitor.piece(from, attacks::bishop(from, occupied) & targets & attacks::line(king, from));
        }
        for from in orthogonal & pinned {
            visitor.piece(from, attacks::rook(from, occupied) & targets & attacks::line(king, from));
        }
        self.visit_pawns(us, wanted, check_mask, pinned, visitor);
        if self.checkers.is_empty() && wanted != GenType::Tactical {
            for rook in self.castling & Bitboard::relative_rank(us, 0) {
                if self.can_castle(king, rook) {
                    visitor.special(Move::encode(king, rook, MoveKind::Castling));
                }
            }
        }
    }

    #[inline(always)]
    fn visit_pawns(
        &self,
        us: Side,
        wanted: GenType,
        check_mask: Bitboard,
        pinned: Bitboard,
        visitor: &mut impl Visitor,
    ) {
        let (king, enemies, pawns) = (self.king(us), self.occupied_by(!us), self.men(us, PieceType::Pawn));
        let (empty, last) = (!self.occupied(), Bitboard::relative_rank(us, 7));
        let forward: i8 = if us == Side::White { 8 } else { -8 };

        // A pinned pawn may push only along the king's file.
        let pushers = pawns - (pinned - Bitboard::file(king.file()));
        let single = pushers.forward(us) & empty;
        let double = (single & Bitboard::relative_rank(us, 2)).forward(us) & empty & check_mask;
        let single = single & check_mask;
        if wanted != GenType::Tactical {
            visitor.pawns(single - last, forward, MoveKind::Quiet);
            visitor.pawns(double, 2 * forward, MoveKind::DoublePush);
        }
        if (single & last).has_any() {
            visitor.promotions(single & last, forward, false);
        }
        if wanted == GenType::Quiet {
            return;
        }
        for (delta, edge) in capture_steps(us) {
            let free = ((pawns - pinned) - edge).shift(delta) & enemies & check_mask;
            let mut captures = free;
            for from in (pawns & pinned) - edge {
                // A pinned pawn may take only along the pin.
                captures |= from.bit().shift(delta) & enemies & check_mask & attacks::line(king, from);
            }
            visitor.pawns(captures - last, delta, MoveKind::Capture);
            if (captures & last).has_any() {
                visitor.promotions(captures & last, delta, true);
            }
        }
        if let Some(to) = self.en_passant {
            for from in attacks::pawn(!us, to) & pawns {
                if self.en_passant_is_safe(from, to) {
                    visitor.special(Move::encode(from, to, MoveKind::EnPassant));
                }
            }
        }
    }

    /// Whether the king, which is not in check, may castle with the rook, which has the right to.
    fn can_castle(&self, king: Square, rook: Square) -> bool {
        let (king_to, rook_to) = self.castling_targets(king, rook);
        let others = self.occupied() ^ king.bit() ^ rook.bit();
        let king_path = attacks::between(king, king_to) | king_to.bit();
        let rook_path = attacks::between(rook, rook_to) | rook_to.bit();
        if ((king_path | rook_path) & others).has_any() {
            return false;
        }
        let them = !self.side;
        let after = others | king_to.bit() | rook_to.bit();
        // The rook may have been all that shielded the king's new square (Chess960).
        let exposed = attacks::rook(king_to, after) & self.orthogonal() & self.occupied_by(them);
        exposed.is_empty()
            && !(king_path - king.bit()).any(|square| self.is_attacked(square, them, self.occupied()))
    }

    /// Whether a move from anywhere is legal here.
    pub(super) fn is_legal(&self, mv: Move) -> bool {
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let (Some(kind), man) = (mv.kind(), self.piece_on(from)) else { return false };
        let Some(piece) = man.piece() else { return false };
        if man.side() != us || from == to {
            return false;
        }
        if kind == MoveKind::Castling {
            return piece == PieceType::King
                && self.checkers.is_empty()
                && (self.castling & Bitboard::relative_rank(us, 0)).contains(to)
                && self.can_castle(from, to);
        }
        if kind == MoveKind::EnPassant {
            return piece == PieceType::Pawn
                && self.en_passant == Some(to)
                && attacks::pawn(us, from).contains(to)
                && self.en_passant_is_safe(from, to);
        }
        if mv.is_capture() != self.occupied_by(!us).contains(to) || self.occupied_by(us).contains(to) {
            return false;
        }
        let promotes = matches!(kind, MoveKind::Promotion(_) | MoveKind::CapturePromotion(_));
        let reaches = match piece {
            PieceType::Pawn => {
                promotes == Bitboard::relative_rank(us, 7).contains(to) && self.pawn_reaches(from, to, kind)
            }
            _ if promotes || kind == MoveKind::DoublePush => false,
            _ => attacks::of(piece, us, from, self.occupied()).contains(to),
        };
        if !reaches {
            return false;
        }
        if piece == PieceType::King {
            return !self.is_attacked(to, !us, self.occupied() ^ from.bit());
        }
        self.check_mask().contains(to)
            && (!self.blockers.contains(from) || attacks::line(self.king(us), from).contains(to))
    }

    fn pawn_reaches(&self, from: Square, to: Square, kind: MoveKind) -> bool {
        let (us, empty) = (self.side, !self.occupied());
        let one = from.bit().forward(us) & empty;
        match kind {
            MoveKind::Quiet | MoveKind::Promotion(_) => one.contains(to),
            MoveKind::DoublePush => ((one & Bitboard::relative_rank(us, 2)).forward(us) & empty).contains(to),
            _ => attacks::pawn(us, from).contains(to),
        }
    }

    /// Whether a legal move attacks the enemy king, directly or by opening a line.
    pub(super) fn gives_check(&self, mv: Move) -> bool {
        if !mv.is_normal() && !mv.is_double_push() {
            return self.special_gives_check(mv);
        }
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let (king, occupied) = (self.king(!us), self.occupied() ^ from.bit());
        let sees = attacks::pseudo_attacks(self.piece_on(from), to).contains(king);
        if sees && (attacks::between(to, king) & occupied).is_empty() {
            return true;
        }
        // Only on a line with the king may it have stood before a slider; along that line it still does.
        let line = attacks::line(king, from);
        line.has_any() && !line.contains(to) && self.slides_to(king, us, occupied)
    }

    /// The same of castling, promotions and captures in passing, which change more squares.
    #[cold]
    fn special_gives_check(&self, mv: Move) -> bool {
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let king = self.king(!us);
        let mut occupied = (self.occupied() ^ from.bit()) | to.bit();
        match mv.kind() {
            Some(MoveKind::Castling) => {
                let (king_to, rook_to) = self.castling_targets(from, to);
                occupied = (self.occupied() ^ from.bit() ^ to.bit()) | king_to.bit() | rook_to.bit();
                return attacks::rook(rook_to, occupied).contains(king);
            }
            Some(MoveKind::EnPassant) => occupied ^= Square::at(to.file(), from.rank()).bit(),
            _ => {}
        }
        attacks::of(mv.promotion().unwrap_or(PieceType::Pawn), us, to, occupied).contains(king)
            || self.slides_to(king, us, occupied)
    }
}
