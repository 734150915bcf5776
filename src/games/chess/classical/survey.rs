//! Who attacks what: one pass over the pieces that every other term draws on.

use super::super::attacks;
use super::super::bitboard::{Bitboard, Piece, Square};
use super::super::board::Board;
use super::pawns::{Pawns, distance};
use super::tally::{Feature, Tally, Weight};
use super::weights::{
    BISHOP_MOBILITY, BISHOP_PAWNS, BISHOP_RAMMED_PAWNS, KNIGHT_MOBILITY, LONG_DIAGONAL, MINOR_BEHIND_PAWN,
    MINOR_KING_DISTANCE, OUTPOST, OUTPOST_NEAR, QUEEN_MOBILITY, ROOK_FILE, ROOK_MOBILITY, ROOK_ON_QUEEN_FILE,
    ROOK_ON_SEVENTH, ROOK_TRAPPED,
};
use crate::game::Side;

/// Knight to queen.
const MOBILITY: [Weight; 4] = [KNIGHT_MOBILITY, BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY];

/// The two longest diagonals, from corner to corner.
const LONG_DIAGONALS: Bitboard = Bitboard(0x8142_2418_1824_4281);
/// The four squares in the middle of the board.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// What one evaluation knows of a board.
pub struct Survey<'a> {
    /// The board.
    pub board: &'a Board,
    /// What its pawns alone decide.
    pub pawns: &'a Pawns,
    /// What each side's men attack, by kind.
    pub by: [[Bitboard; 6]; 2],
    /// What each side attacks.
    pub any: [Bitboard; 2],
    /// What each side attacks at least twice.
    pub twice: [Bitboard; 2],
    /// How many pieces of each side attack the zone of the enemy king, by kind.
    pub attackers: [[i32; 6]; 2],
    /// How often those pieces attack squares beside it.
    pub hits: [i32; 2],
    /// The squares that count for each side's mobility.
    pub area: [Bitboard; 2],
    /// The squares around each side's king and those in front of them.
    zone: [Bitboard; 2],
    /// The squares where a minor piece of each side is guarded by a pawn and no pawn can drive it away.
    outposts: [Bitboard; 2],
}

impl<'a> Survey<'a> {
    /// Looks at all pieces and counts the terms that belong to single ones.
    pub fn new<T: Tally>(board: &'a Board, pawns: &'a Pawns, tally: &mut T) -> Survey<'a> {
        let mut survey = Survey {
            board,
            pawns,
            by: [[Bitboard::EMPTY; 6]; 2],
            any: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            attackers: [[0; 6]; 2],
            hits: [0; 2],
            zone: [Bitboard::EMPTY; 2],
            area: [Bitboard::EMPTY; 2],
            outposts: [Bitboard::EMPTY; 2],
        };
        survey.prepare(Side::White);
        survey.prepare(Side::Black);
        survey.look_all(Side::White, tally);
        survey.look_all(Side::Black, tally);
        survey
    }

    /// All pieces.
    #[inline(always)]
    fn look_all<T: Tally>(&mut self, us: Side, tally: &mut T) {
        self.look(us, Piece::Knight, tally);
        self.look(us, Piece::Bishop, tally);
        self.look(us, Piece::Rook, tally);
        self.look(us, Piece::Queen, tally);
    }

    /// King and pawns.
    #[inline(always)]
    fn prepare(&mut self, us: Side) {
        let (side, board) = (us.index(), self.board);
        let (king, pawns) = (board.king(us), board.men(us, Piece::Pawn));
        let (by_king, by_pawns) = (attacks::king(king), attacks::pawns(us, pawns));
        self.by[side][Piece::King.index()] = by_king;
        self.by[side][Piece::Pawn.index()] = by_pawns;
        self.any[side] = by_king | by_pawns;
        self.twice[side] = by_king & by_pawns;
        let ring = by_king | king.bit();
        self.zone[side] = ring | ring.forward(us);
        let blocked = pawns & board.occupied().forward(!us);
        let unsafe_squares = attacks::pawns(!us, board.men(!us, Piece::Pawn));
        self.area[side] = !(blocked | king.bit() | unsafe_squares);
        let middle =
            Bitboard::relative_rank(us, 3) | Bitboard::relative_rank(us, 4) | Bitboard::relative_rank(us, 5);
        self.outposts[side] = (by_pawns & middle) - self.pawns.span[(!us).index()];
    }

    /// All pieces of a kind.
    #[inline(always)]
    fn look<T: Tally>(&mut self, us: Side, piece: Piece, tally: &mut T) {
        let (side, them, board) = (us.index(), !us, self.board);
        let (ring, zone) = (self.by[them.index()][Piece::King.index()], self.zone[them.index()]);
        let (area, mut any, mut twice, mut by) =
            (self.area[side], self.any[side], self.twice[side], Bitboard::EMPTY);
        let (mut attackers, mut hits) = (0, 0);
        // A piece supports what moves along its line before it.
        let open = match piece {
            Piece::Bishop => board.occupied() ^ board.all(Piece::Queen),
            Piece::Rook => board.occupied() ^ board.men(us, Piece::Rook) ^ board.all(Piece::Queen),
            _ => board.occupied(),
        };
        for square in board.men(us, piece) {
            let attacked = attacks::of(piece, us, square, open);
            twice |= any & attacked;
            any |= attacked;
            by |= attacked;
            let reach = (attacked & area).count() as usize;
            tally.add(Feature::Mobility, us, MOBILITY[piece.index() - 1].at(reach), 1);
            tally.man(us, piece, square);
            attackers += i32::from((attacked & zone).has_any());
            hits += (attacked & ring).count() as i32;
            match piece {
                Piece::Knight | Piece::Bishop => self.minor(us, piece, square, attacked, tally),
                Piece::Rook => self.rook(us, square, reach, tally),
                _ => {}
            }
        }
        (self.any[side], self.twice[side], self.by[side][piece.index()]) = (any, twice, by);
        self.attackers[side][piece.index()] = attackers;
        self.hits[side] += hits;
    }

    #[inline(always)]
    fn minor<T: Tally>(&self, us: Side, piece: Piece, square: Square, attacked: Bitboard, tally: &mut T) {
        let (board, pawns) = (self.board, self.board.men(us, Piece::Pawn));
        let mut add = |weight, times| tally.add(Feature::Pieces, us, weight, times);
        let kind = piece.index() - Piece::Knight.index();
        let outposts = self.outposts[us.index()];
        if outposts.has(square) {
            add(OUTPOST.at(kind), 1);
        } else if piece == Piece::Knight && (attacked & (outposts - board.of(us))).has_any() {
            add(OUTPOST_NEAR, 1);
        }
        if (square.bit().forward(us) & board.all(Piece::Pawn)).has_any() {
            add(MINOR_BEHIND_PAWN, 1);
        }
        add(MINOR_KING_DISTANCE.at(kind), distance(square, board.king(us)));
        if piece == Piece::Bishop {
            let colour = if Bitboard::DARK.has(square) { Bitboard::DARK } else { !Bitboard::DARK };
            let rammed = pawns & board.men(!us, Piece::Pawn).forward(!us);
            add(BISHOP_PAWNS, (pawns & colour).count() as i32);
            add(BISHOP_RAMMED_PAWNS, (rammed & colour).count() as i32);
            if LONG_DIAGONALS.has(square) {
                let seen = attacks::bishop(square, board.all(Piece::Pawn)) | square.bit();
                add(LONG_DIAGONAL, i32::from((seen & CENTRE).has_many()));
            }
        }
    }

    #[inline(always)]
    fn rook<T: Tally>(&self, us: Side, square: Square, reach: usize, tally: &mut T) {
        let board = self.board;
        let mut add = |weight| tally.add(Feature::Pieces, us, weight, 1);
        let file = Bitboard::file(square.file());
        if (file & board.all(Piece::Queen)).has_any() {
            add(ROOK_ON_QUEEN_FILE);
        }
        if (file & board.men(us, Piece::Pawn)).is_empty() {
            let open = (file & board.men(!us, Piece::Pawn)).is_empty();
            add(ROOK_FILE.at(usize::from(open)));
        } else if reach <= 3 {
            let king = board.king(us).file();
            if (king < 4) == (square.file() < king) {
                add(ROOK_TRAPPED);
            }
        }
        if square.relative(us).rank() == 6 {
            let last = Bitboard::relative_rank(us, 7) & board.men(!us, Piece::King);
            let pawns = Bitboard::relative_rank(us, 6) & board.men(!us, Piece::Pawn);
            if (last | pawns).has_any() {
                add(ROOK_ON_SEVENTH);
            }
        }
    }
}
