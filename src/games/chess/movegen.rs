//! Legal move generation with check and pin masks. No move is made to test its legality.

use super::attacks;
use super::bitboard::{Bitboard, PieceType, Square};
use super::board::Board;
use super::moves::{ChessMove, MoveKind, PROMOTIONS};
use crate::game::{GenType, Move, MoveList, Side};

/// Receives the generated moves, to list or to count them.
trait MoveSink {
    /// The moves of a knight, bishop, rook, queen or king to each square of a set.
    fn piece(&mut self, from: Square, to: Bitboard);
    /// The pawn moves to each square of a set, from the square `delta` indices before it.
    fn pawns(&mut self, to: Bitboard, delta: i8, move_kind: MoveKind);
    /// The promotions on each square of a set, from the square `delta` indices before it.
    fn promotions(&mut self, to: Bitboard, delta: i8, capture: bool);
    /// One castling or en passant move.
    fn special(&mut self, mv: Move);
}

struct MoveCounter(usize);

impl MoveSink for MoveCounter {
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

struct MoveCollector<'a> {
    moves: &'a mut MoveList,
    enemies: Bitboard,
    gen_type: GenType,
}

impl MoveSink for MoveCollector<'_> {
    #[inline(always)]
    fn piece(&mut self, from: Square, to: Bitboard) {
        if self.gen_type != GenType::Quiet {
            for to in to & self.enemies {
                self.moves.push(Move::encode(from, to, MoveKind::Capture));
            }
        }
        if self.gen_type != GenType::Noisy {
            for to in to - self.enemies {
                self.moves.push(Move::encode(from, to, MoveKind::Quiet));
            }
        }
    }
    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, delta: i8, move_kind: MoveKind) {
        for to in to {
            self.moves.push(Move::encode(to.offset(-delta), to, move_kind));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, delta: i8, capture: bool) {
        for to in to {
            let from = to.offset(-delta);
            for kind in PROMOTIONS {
                let (move_kind, noisy) = if capture {
                    (MoveKind::CapturePromotion(kind), true)
                } else {
                    (MoveKind::Promotion(kind), kind == PieceType::Queen)
                };
                if self.gen_type.includes(noisy) {
                    self.moves.push(Move::encode(from, to, move_kind));
                }
            }
        }
    }
    #[inline(always)]
    fn special(&mut self, mv: Move) {
        self.moves.push(mv);
    }
}

impl GenType {
    #[inline(always)]
    fn includes(self, noisy: bool) -> bool {
        match self {
            GenType::All => true,
            GenType::Noisy => noisy,
            GenType::Quiet => !noisy,
        }
    }
}

/// The two capture directions of a pawn: index offset, and the file where that direction leaves the board.
const fn capture_steps(side: Side) -> [(i8, Bitboard); 2] {
    match side {
        Side::White => [(7, Bitboard::FILE_A), (9, Bitboard::FILE_H)],
        Side::Black => [(-9, Bitboard::FILE_A), (-7, Bitboard::FILE_H)],
    }
}

impl Board {
    pub(super) fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate_moves(GenType::All, &mut moves);
        moves
    }

    pub(super) fn generate_moves(&self, gen_type: GenType, moves: &mut MoveList) {
        // Each call has a constant argument, so the compiler specialises it.
        match gen_type {
            GenType::All => self.collect_moves(GenType::All, moves),
            GenType::Noisy => self.collect_moves(GenType::Noisy, moves),
            GenType::Quiet => self.collect_moves(GenType::Quiet, moves),
        }
    }

    #[inline(always)]
    fn collect_moves(&self, gen_type: GenType, moves: &mut MoveList) {
        let enemies = self.occupied_by(!self.side);
        self.generate_into(gen_type, &mut MoveCollector { moves, enemies, gen_type });
    }

    pub(super) fn count_moves(&self) -> usize {
        let mut sink = MoveCounter(0);
        self.generate_into(GenType::All, &mut sink);
        sink.0
    }

    /// The targets that end a check: the checker and the squares in front of it. All without check, none in double check.
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
    fn generate_into(&self, gen_type: GenType, sink: &mut impl MoveSink) {
        match self.side {
            Side::White => self.generate_side(Side::White, gen_type, sink),
            Side::Black => self.generate_side(Side::Black, gen_type, sink),
        }
    }

    /// Generates the moves of `us`, a constant for the compiler: every pawn move is then a shift by a constant.
    #[inline(always)]
    fn generate_side(&self, us: Side, gen_type: GenType, sink: &mut impl MoveSink) {
        let (own, enemies, king) = (self.occupied_by(us), self.occupied_by(!us), self.king(us));
        let squares = match gen_type {
            GenType::All => !own,
            GenType::Noisy => enemies,
            GenType::Quiet => !(own | enemies),
        };
        let occupied = own | enemies;

        let without_king = occupied ^ king.bit();
        let mut king_targets = Bitboard::EMPTY;
        for to in attacks::king(king) & squares {
            if !self.is_attacked(to, !us, without_king) {
                king_targets |= to.bit();
            }
        }
        sink.piece(king, king_targets);
        if self.checkers.more_than_one() {
            return;
        }

        let check_mask = self.check_mask();
        let targets = squares & check_mask;
        let pinned = self.blockers & own;
        for from in self.pieces(us, PieceType::Knight) - pinned {
            sink.piece(from, attacks::knight(from) & targets);
        }
        let (diagonal, orthogonal) = (self.diagonal() & own, self.orthogonal() & own);
        for from in diagonal - pinned {
            sink.piece(from, attacks::bishop(from, occupied) & targets);
        }
        for from in orthogonal - pinned {
            sink.piece(from, attacks::rook(from, occupied) & targets);
        }
        for from in diagonal & pinned {
            sink.piece(from, attacks::bishop(from, occupied) & targets & attacks::line(king, from));
        }
        for from in orthogonal & pinned {
            sink.piece(from, attacks::rook(from, occupied) & targets & attacks::line(king, from));
        }
        self.generate_pawn_moves(us, gen_type, check_mask, pinned, sink);
        if self.checkers.is_empty() && gen_type != GenType::Noisy {
            for rook in self.castling & Bitboard::relative_rank(us, 0) {
                if self.can_castle(king, rook) {
                    sink.special(Move::encode(king, rook, MoveKind::Castling));
                }
            }
        }
    }

    #[inline(always)]
    fn generate_pawn_moves(
        &self,
        us: Side,
        gen_type: GenType,
        check_mask: Bitboard,
        pinned: Bitboard,
        sink: &mut impl MoveSink,
    ) {
        let (king, enemies, pawns) = (self.king(us), self.occupied_by(!us), self.pieces(us, PieceType::Pawn));
        let (empty, last_rank) = (!self.occupied(), Bitboard::relative_rank(us, 7));
        let forward: i8 = if us == Side::White { 8 } else { -8 };

        // A pinned pawn can push only along the king's file.
        let pushers = pawns - (pinned - Bitboard::file(king.file()));
        let single = pushers.forward(us) & empty;
        let double = (single & Bitboard::relative_rank(us, 2)).forward(us) & empty & check_mask;
        let single = single & check_mask;
        if gen_type != GenType::Noisy {
            sink.pawns(single - last_rank, forward, MoveKind::Quiet);
            sink.pawns(double, 2 * forward, MoveKind::DoublePush);
        }
        if (single & last_rank).has_any() {
            sink.promotions(single & last_rank, forward, false);
        }
        if gen_type == GenType::Quiet {
            return;
        }
        for (delta, edge) in capture_steps(us) {
            let unpinned = ((pawns - pinned) - edge).shift(delta) & enemies & check_mask;
            let mut captures = unpinned;
            for from in (pawns & pinned) - edge {
                // A pinned pawn can capture only along the pin.
                captures |= from.bit().shift(delta) & enemies & check_mask & attacks::line(king, from);
            }
            sink.pawns(captures - last_rank, delta, MoveKind::Capture);
            if (captures & last_rank).has_any() {
                sink.promotions(captures & last_rank, delta, true);
            }
        }
        if let Some(to) = self.en_passant {
            for from in attacks::pawn(!us, to) & pawns {
                if self.en_passant_is_safe(from, to) {
                    sink.special(Move::encode(from, to, MoveKind::EnPassant));
                }
            }
        }
    }

    /// Whether the king can castle with a rook that has castling rights. The king must not be in check.
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
        // In Chess960 the castling rook may shield the king's target square from a slider.
        let exposed = attacks::rook(king_to, after) & self.orthogonal() & self.occupied_by(them);
        exposed.is_empty()
            && !(king_path - king.bit()).any(|square| self.is_attacked(square, them, self.occupied()))
    }

    /// Whether any 16 bits are a legal move here, for moves from the transposition table.
    pub(super) fn is_legal(&self, mv: Move) -> bool {
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let (Some(move_kind), piece) = (mv.kind(), self.piece_on(from)) else { return false };
        let Some(kind) = piece.kind() else { return false };
        if piece.side() != us || from == to {
            return false;
        }
        if move_kind == MoveKind::Castling {
            return kind == PieceType::King
                && self.checkers.is_empty()
                && (self.castling & Bitboard::relative_rank(us, 0)).contains(to)
                && self.can_castle(from, to);
        }
        if move_kind == MoveKind::EnPassant {
            return kind == PieceType::Pawn
                && self.en_passant == Some(to)
                && attacks::pawn(us, from).contains(to)
                && self.en_passant_is_safe(from, to);
        }
        if mv.is_capture() != self.occupied_by(!us).contains(to) || self.occupied_by(us).contains(to) {
            return false;
        }
        let promotes = matches!(move_kind, MoveKind::Promotion(_) | MoveKind::CapturePromotion(_));
        let reaches = match kind {
            PieceType::Pawn => {
                promotes == Bitboard::relative_rank(us, 7).contains(to)
                    && self.pawn_reaches(from, to, move_kind)
            }
            _ if promotes || move_kind == MoveKind::DoublePush => false,
            _ => attacks::of_kind(kind, us, from, self.occupied()).contains(to),
        };
        if !reaches {
            return false;
        }
        if kind == PieceType::King {
            return !self.is_attacked(to, !us, self.occupied() ^ from.bit());
        }
        self.check_mask().contains(to)
            && (!self.blockers.contains(from) || attacks::line(self.king(us), from).contains(to))
    }

    /// Whether a pawn move of this kind leads from `from` to `to`, without regard to checks and pins.
    fn pawn_reaches(&self, from: Square, to: Square, move_kind: MoveKind) -> bool {
        let (us, empty) = (self.side, !self.occupied());
        let single = from.bit().forward(us) & empty;
        match move_kind {
            MoveKind::Quiet | MoveKind::Promotion(_) => single.contains(to),
            MoveKind::DoublePush => {
                ((single & Bitboard::relative_rank(us, 2)).forward(us) & empty).contains(to)
            }
            _ => attacks::pawn(us, from).contains(to),
        }
    }

    pub(super) fn gives_check(&self, mv: Move) -> bool {
        if !mv.is_normal() && !mv.is_double_push() {
            return self.special_gives_check(mv);
        }
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let (king, occupied) = (self.king(!us), self.occupied() ^ from.bit());
        let attacks_king = attacks::pseudo_attacks(self.piece_on(from), to).contains(king);
        if attacks_king && (attacks::between(to, king) & occupied).is_empty() {
            return true;
        }
        // A discovered check needs a piece that leaves its line to the king.
        let line = attacks::line(king, from);
        line.has_any() && !line.contains(to) && self.is_attacked_by_slider(king, us, occupied)
    }

    /// Returns [`Board::gives_check`], with what depends on the position alone computed once.
    pub(super) fn check_test(&self) -> impl Fn(Move) -> bool {
        let (us, king) = (self.side, self.king(!self.side));
        let (bishop, rook) = (attacks::bishop(king, self.occupied()), attacks::rook(king, self.occupied()));
        // By the kind of the moving piece: the squares from which it attacks the king.
        let check_squares =
            [attacks::pawn(!us, king), attacks::knight(king), bishop, rook, bishop | rook, Bitboard::EMPTY];
        // Only a piece that the king sees along a line can discover a check.
        let screens = (bishop | rook) & self.occupied_by(us);
        let discoverers =
            if screens.has_any() && self.is_attacked_by_slider(king, us, self.occupied() - screens) {
                screens
            } else {
                Bitboard::EMPTY
            };
        move |mv| {
            if !mv.is_normal() && !mv.is_double_push() {
                return self.special_gives_check(mv);
            }
            let kind = self.piece_on(mv.from()).kind();
            kind.is_some_and(|kind| check_squares[kind.index()].contains(mv.to()))
                || discoverers.contains(mv.from()) && self.gives_check(mv)
        }
    }

    /// [`Board::gives_check`] for castling, promotions and en passant, which change more squares.
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
        attacks::of_kind(mv.promotion().unwrap_or(PieceType::Pawn), us, to, occupied).contains(king)
            || self.is_attacked_by_slider(king, us, occupied)
    }
}
