//! Who attacks what: one pass over the pieces that every other term draws on.

use super::super::attacks;
use super::super::bitboard::{Bitboard, PieceType, Square};
use super::super::board::Board;
use super::pawns::{PawnEntry, distance};
use super::terms::{EvalTerm, TermSink, Weight};
use super::weights::{
    BISHOP_BLOCKED_PAWNS, BISHOP_MOBILITY, BISHOP_PAWNS, KNIGHT_MOBILITY, LONG_DIAGONAL, MINOR_BEHIND_PAWN,
    MINOR_KING_DISTANCE, OUTPOST, QUEEN_MOBILITY, REACHABLE_OUTPOST, ROOK_FILE, ROOK_MOBILITY,
    ROOK_ON_QUEEN_FILE, ROOK_ON_SEVENTH, ROOK_TRAPPED,
};
use crate::game::Side;

/// Knight to queen.
const MOBILITY: [Weight; 4] = [KNIGHT_MOBILITY, BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY];

/// The two longest diagonals, from corner to corner.
const LONG_DIAGONALS: Bitboard = Bitboard(0x8142_2418_1824_4281);
/// The four squares in the middle of the board.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// What one evaluation knows of a board.
pub struct EvalInfo<'a> {
    /// The board.
    pub board: &'a Board,
    /// What its pawns alone decide.
    pub pawns: &'a PawnEntry,
    /// What each side's men attack, by kind.
    pub attacked_by: [[Bitboard; 6]; 2],
    /// What each side attacks.
    pub attacks: [Bitboard; 2],
    /// What each side attacks at least twice.
    pub attacked_twice: [Bitboard; 2],
    /// How many pieces of each side attack the zone of the enemy king, by kind.
    pub attackers: [[i32; 6]; 2],
    /// How often those pieces attack squares beside it.
    pub king_attacks: [i32; 2],
    /// The squares that count for each side's mobility.
    pub mobility_area: [Bitboard; 2],
    /// The squares around each side's king and those in front of them.
    king_zone: [Bitboard; 2],
    /// The squares where a minor piece of each side is guarded by a pawn and no pawn can drive it away.
    outposts: [Bitboard; 2],
}

impl<'a> EvalInfo<'a> {
    /// Looks at all pieces and counts the terms that belong to single ones.
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
        info.prepare(Side::White);
        info.prepare(Side::Black);
        info.look_all(Side::White, sink);
        info.look_all(Side::Black, sink);
        info
    }

    /// All pieces.
    #[inline(always)]
    fn look_all<T: TermSink>(&mut self, us: Side, sink: &mut T) {
        self.eval_pieces(us, PieceType::Knight, sink);
        self.eval_pieces(us, PieceType::Bishop, sink);
        self.eval_pieces(us, PieceType::Rook, sink);
        self.eval_pieces(us, PieceType::Queen, sink);
    }

    /// King and pawns.
    #[inline(always)]
    fn prepare(&mut self, us: Side) {
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
        let unsafe_squares = attacks::pawns(!us, board.pieces(!us, PieceType::Pawn));
        self.mobility_area[side] = !(blocked | king.bit() | unsafe_squares);
        let middle =
            Bitboard::relative_rank(us, 3) | Bitboard::relative_rank(us, 4) | Bitboard::relative_rank(us, 5);
        self.outposts[side] = (by_pawns & middle) - self.pawns.attack_span[(!us).index()];
    }

    /// All pieces of a kind.
    #[inline(always)]
    fn eval_pieces<T: TermSink>(&mut self, us: Side, piece: PieceType, sink: &mut T) {
        let (side, them, board) = (us.index(), !us, self.board);
        let (ring, zone) =
            (self.attacked_by[them.index()][PieceType::King.index()], self.king_zone[them.index()]);
        let (area, mut any, mut twice, mut by) =
            (self.mobility_area[side], self.attacks[side], self.attacked_twice[side], Bitboard::EMPTY);
        let (mut attackers, mut hits) = (0, 0);
        // A piece supports what moves along its line before it.
        let open = match piece {
            PieceType::Bishop => board.occupied() ^ board.pieces_of_kind(PieceType::Queen),
            PieceType::Rook => {
                board.occupied() ^ board.pieces(us, PieceType::Rook) ^ board.pieces_of_kind(PieceType::Queen)
            }
            _ => board.occupied(),
        };
        for square in board.pieces(us, piece) {
            let attacked = attacks::of_kind(piece, us, square, open);
            twice |= any & attacked;
            any |= attacked;
            by |= attacked;
            let reach = (attacked & area).count() as usize;
            sink.add(EvalTerm::Mobility, us, MOBILITY[piece.index() - 1].at(reach), 1);
            sink.piece(us, piece, square);
            attackers += i32::from((attacked & zone).has_any());
            hits += (attacked & ring).count() as i32;
            match piece {
                PieceType::Knight | PieceType::Bishop => self.minor(us, piece, square, attacked, sink),
                PieceType::Rook => self.rook(us, square, reach, sink),
                _ => {}
            }
        }
        (self.attacks[side], self.attacked_twice[side], self.attacked_by[side][piece.index()]) =
            (any, twice, by);
        self.attackers[side][piece.index()] = attackers;
        self.king_attacks[side] += hits;
    }

    #[inline(always)]
    fn minor<T: TermSink>(
        &self,
        us: Side,
        piece: PieceType,
        square: Square,
        attacked: Bitboard,
        sink: &mut T,
    ) {
        let (board, pawns) = (self.board, self.board.pieces(us, PieceType::Pawn));
        let mut add = |weight, times| sink.add(EvalTerm::Pieces, us, weight, times);
        let kind = piece.index() - PieceType::Knight.index();
        let outposts = self.outposts[us.index()];
        if outposts.contains(square) {
            add(OUTPOST.at(kind), 1);
        } else if piece == PieceType::Knight && (attacked & (outposts - board.occupied_by(us))).has_any() {
            add(REACHABLE_OUTPOST, 1);
        }
        if (square.bit().forward(us) & board.pieces_of_kind(PieceType::Pawn)).has_any() {
            add(MINOR_BEHIND_PAWN, 1);
        }
        add(MINOR_KING_DISTANCE.at(kind), distance(square, board.king(us)));
        if piece == PieceType::Bishop {
            let colour = if Bitboard::DARK.contains(square) { Bitboard::DARK } else { !Bitboard::DARK };
            let rammed = pawns & board.pieces(!us, PieceType::Pawn).forward(!us);
            add(BISHOP_PAWNS, (pawns & colour).count() as i32);
            add(BISHOP_BLOCKED_PAWNS, (rammed & colour).count() as i32);
            if LONG_DIAGONALS.contains(square) {
                let seen = attacks::bishop(square, board.pieces_of_kind(PieceType::Pawn)) | square.bit();
                add(LONG_DIAGONAL, i32::from((seen & CENTRE).more_than_one()));
            }
        }
    }

    #[inline(always)]
    fn rook<T: TermSink>(&self, us: Side, square: Square, reach: usize, sink: &mut T) {
        let board = self.board;
        let mut add = |weight| sink.add(EvalTerm::Pieces, us, weight, 1);
        let file = Bitboard::file(square.file());
        if (file & board.pieces_of_kind(PieceType::Queen)).has_any() {
            add(ROOK_ON_QUEEN_FILE);
        }
        if (file & board.pieces(us, PieceType::Pawn)).is_empty() {
            let open = (file & board.pieces(!us, PieceType::Pawn)).is_empty();
            add(ROOK_FILE.at(usize::from(open)));
        } else if reach <= 3 {
            let king = board.king(us).file();
            if (king < 4) == (square.file() < king) {
                add(ROOK_TRAPPED);
            }
        }
        if square.relative(us).rank() == 6 {
            let last = Bitboard::relative_rank(us, 7) & board.pieces(!us, PieceType::King);
            let pawns = Bitboard::relative_rank(us, 6) & board.pieces(!us, PieceType::Pawn);
            if (last | pawns).has_any() {
                add(ROOK_ON_SEVENTH);
            }
        }
    }
}
