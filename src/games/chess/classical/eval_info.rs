//! Attack sets, mobility and single-piece terms, from one pass over the pieces.

use super::super::attacks;
use super::super::bitboard::{Bitboard, PieceType, Square};
use super::super::board::Board;
use super::geometry::distance;
use super::pawns::PawnEntry;
use super::terms::{EvalTerm, TermSink};
use super::weights::{
    BISHOP_BLOCKED_PAWNS, BISHOP_MOBILITY, BISHOP_PAWNS, KNIGHT_MOBILITY, LONG_DIAGONAL, MINOR_BEHIND_PAWN,
    MINOR_KING_DISTANCE, OUTPOST, QUEEN_MOBILITY, REACHABLE_OUTPOST, ROOK_FILE, ROOK_MOBILITY,
    ROOK_ON_QUEEN_FILE, ROOK_ON_SEVENTH, ROOK_TRAPPED,
};
use crate::game::{Side, Weight};

const MOBILITY: [Weight; 4] = [KNIGHT_MOBILITY, BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY];

const LONG_DIAGONALS: Bitboard = Bitboard(0x8142_2418_1824_4281);
/// The squares d4, e4, d5 and e5.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The attack sets of both sides that the other terms use. Arrays of two are indexed by side.
pub struct EvalInfo<'a> {
    pub board: &'a Board,
    /// Its entry of the pawn hash table.
    pub pawns: &'a PawnEntry,
    /// Squares attacked by each kind of piece.
    pub attacked_by: [[Bitboard; 6]; 2],
    /// Squares attacked by any piece.
    pub attacks: [Bitboard; 2],
    /// Squares attacked by at least two pieces, where all pawns count as one.
    pub attacked_twice: [Bitboard; 2],
    /// Number of pieces that attack the enemy king zone, by kind.
    pub attackers: [[i32; 6]; 2],
    /// Number of attacks by pieces on squares next to the enemy king.
    pub king_attacks: [i32; 2],
    /// Squares that count for mobility: not the own king's or a blocked own pawn's, not attacked by enemy pawns.
    pub mobility_area: [Bitboard; 2],
    /// The squares of and next to the king, and those one rank in front of them.
    king_zone: [Bitboard; 2],
    /// Squares of ranks 4 to 6 that an own pawn protects and that no enemy pawn can attack, now or after pushes.
    outposts: [Bitboard; 2],
}

impl<'a> EvalInfo<'a> {
    /// Computes the attack sets and adds mobility and single-piece terms to `sink`.
    pub fn new<T: TermSink>(board: &'a Board, pawns: &'a PawnEntry, sink: &mut T) -> EvalInfo<'a> {
        let mut info = EvalInfo {
            board,
            pawns,
            attacked_by: [[Bitboard::EMPTY; 6]; 2],
            attacks: [Bitboard::EMPTY; 2],
            attacked_twice: [Bitboard::EMPTY; 2],
            attackers: [[0; 6]; 2],
            king_attacks: [0; 2],
            king_zone: [Bitboard::EMPTY; 2],
            mobility_area: [Bitboard::EMPTY; 2],
            outposts: [Bitboard::EMPTY; 2],
        };
        info.init_side(Side::White);
        info.init_side(Side::Black);
        info.eval_side(Side::White, sink);
        info.eval_side(Side::Black, sink);
        info
    }

    #[inline(always)]
    fn eval_side<T: TermSink>(&mut self, us: Side, sink: &mut T) {
        self.eval_pieces(us, PieceType::Knight, sink);
        self.eval_pieces(us, PieceType::Bishop, sink);
        self.eval_pieces(us, PieceType::Rook, sink);
        self.eval_pieces(us, PieceType::Queen, sink);
    }

    /// Fills in the attacks of king and pawns, and the sets that depend on them.
    #[inline(always)]
    fn init_side(&mut self, us: Side) {
        let (side, board) = (us.index(), self.board);
        let (king, pawns) = (board.king(us), board.pieces(us, PieceType::Pawn));
        let (by_king, by_pawns) = (attacks::king(king), attacks::pawns(us, pawns));
        self.attacked_by[side][PieceType::King.index()] = by_king;
        self.attacked_by[side][PieceType::Pawn.index()] = by_pawns;
        self.attacks[side] = by_king | by_pawns;
        self.attacked_twice[side] = by_king & by_pawns;
        let ring = by_king | king.bit();
        self.king_zone[side] = ring | ring.forward(us);
        let blocked = pawns & board.occupied().forward(!us);
        let enemy_pawn_attacks = attacks::pawns(!us, board.pieces(!us, PieceType::Pawn));
        self.mobility_area[side] = !(blocked | king.bit() | enemy_pawn_attacks);
        let outpost_ranks =
            Bitboard::relative_rank(us, 3) | Bitboard::relative_rank(us, 4) | Bitboard::relative_rank(us, 5);
        self.outposts[side] = (by_pawns & outpost_ranks) - self.pawns.attack_span[(!us).index()];
    }

    #[inline(always)]
    fn eval_pieces<T: TermSink>(&mut self, us: Side, kind: PieceType, sink: &mut T) {
        let (side, them, board) = (us.index(), !us, self.board);
        let (king_ring, king_zone) =
            (self.attacked_by[them.index()][PieceType::King.index()], self.king_zone[them.index()]);
        let (area, mut all_attacks, mut attacked_twice, mut attacked_by) =
            (self.mobility_area[side], self.attacks[side], self.attacked_twice[side], Bitboard::EMPTY);
        let (mut attackers, mut king_attacks) = (0, 0);
        // X-ray attacks: queens do not block bishops and rooks, own rooks do not block rooks.
        let blockers = match kind {
            PieceType::Bishop => board.occupied() ^ board.pieces_of_kind(PieceType::Queen),
            PieceType::Rook => {
                board.occupied() ^ board.pieces(us, PieceType::Rook) ^ board.pieces_of_kind(PieceType::Queen)
            }
            _ => board.occupied(),
        };
        for square in board.pieces(us, kind) {
            let attacked = attacks::of_kind(kind, us, square, blockers);
            attacked_twice |= all_attacks & attacked;
            all_attacks |= attacked;
            attacked_by |= attacked;
            let mobility = (attacked & area).count() as usize;
            sink.add(EvalTerm::Mobility, us, MOBILITY[kind.index() - 1].at(mobility), 1);
            sink.add_piece(us, kind, square);
            attackers += i32::from((attacked & king_zone).has_any());
            king_attacks += (attacked & king_ring).count() as i32;
            match kind {
                PieceType::Knight | PieceType::Bishop => self.eval_minor(us, kind, square, attacked, sink),
                PieceType::Rook => self.eval_rook(us, square, mobility, sink),
                _ => {}
            }
        }
        (self.attacks[side], self.attacked_twice[side], self.attacked_by[side][kind.index()]) =
            (all_attacks, attacked_twice, attacked_by);
        self.attackers[side][kind.index()] = attackers;
        self.king_attacks[side] += king_attacks;
    }

    #[inline(always)]
    fn eval_minor<T: TermSink>(
        &self,
        us: Side,
        kind: PieceType,
        square: Square,
        attacked: Bitboard,
        sink: &mut T,
    ) {
        let (board, pawns) = (self.board, self.board.pieces(us, PieceType::Pawn));
        let mut add = |weight, times| sink.add(EvalTerm::Pieces, us, weight, times);
        let i = kind.index() - PieceType::Knight.index();
        let outposts = self.outposts[us.index()];
        if outposts.contains(square) {
            add(OUTPOST.at(i), 1);
        } else if kind == PieceType::Knight && (attacked & (outposts - board.occupied_by(us))).has_any() {
            add(REACHABLE_OUTPOST, 1);
        }
        if (square.bit().forward(us) & board.pieces_of_kind(PieceType::Pawn)).has_any() {
            add(MINOR_BEHIND_PAWN, 1);
        }
        add(MINOR_KING_DISTANCE.at(i), distance(square, board.king(us)));
        if kind == PieceType::Bishop {
            let colour = if Bitboard::DARK.contains(square) { Bitboard::DARK } else { !Bitboard::DARK };
            let blocked = pawns & board.pieces(!us, PieceType::Pawn).forward(!us);
            add(BISHOP_PAWNS, (pawns & colour).count() as i32);
            add(BISHOP_BLOCKED_PAWNS, (blocked & colour).count() as i32);
            if LONG_DIAGONALS.contains(square) {
                let attacked = attacks::bishop(square, board.pieces_of_kind(PieceType::Pawn)) | square.bit();
                add(LONG_DIAGONAL, i32::from((attacked & CENTRE).more_than_one()));
            }
        }
    }

    #[inline(always)]
    fn eval_rook<T: TermSink>(&self, us: Side, square: Square, mobility: usize, sink: &mut T) {
        let board = self.board;
        let mut add = |weight| sink.add(EvalTerm::Pieces, us, weight, 1);
        let file = Bitboard::file(square.file());
        if (file & board.pieces_of_kind(PieceType::Queen)).has_any() {
            add(ROOK_ON_QUEEN_FILE);
        }
        if (file & board.pieces(us, PieceType::Pawn)).is_empty() {
            let open = (file & board.pieces(!us, PieceType::Pawn)).is_empty();
            add(ROOK_FILE.at(usize::from(open)));
        } else if mobility <= 3 {
            let king = board.king(us).file();
            if (king < 4) == (square.file() < king) {
                add(ROOK_TRAPPED);
            }
        }
        if square.relative(us).rank() == 6 {
            let king = Bitboard::relative_rank(us, 7) & board.pieces(!us, PieceType::King);
            let pawns = Bitboard::relative_rank(us, 6) & board.pieces(!us, PieceType::Pawn);
            if (king | pawns).has_any() {
                add(ROOK_ON_SEVENTH);
            }
        }
    }
}
