//! Who attacks what: one pass over the pieces that every other term draws on.

use super::super::attacks;
use super::super::bitboard::{Bitboard, Piece, Square};
use super::super::board::Board;
use super::pawns::{Pawns, files};
use super::weights::{
    BISHOP_PAWNS, DANGER_ATTACKER, DANGER_HIT, MINOR_BEHIND_PAWN, MOBILITY, OUTPOST, PLACEMENT, ROOK_FILE,
    ROOK_ON_SEVENTH,
};
use super::{Feature, Sums};
use crate::game::Side;

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
    /// How many pieces of each side attack the zone of the enemy king.
    pub attackers: [i32; 2],
    /// The attack units that those pieces bring.
    pub units: [i32; 2],
    /// The squares around each side's king and those in front of them.
    zone: [Bitboard; 2],
    /// The squares that count for each side's mobility.
    area: [Bitboard; 2],
}

impl<'a> Survey<'a> {
    /// Looks at all pieces and adds the terms that belong to single ones.
    pub fn new(board: &'a Board, pawns: &'a Pawns, sums: &mut Sums) -> Survey<'a> {
        let mut survey = Survey {
            board,
            pawns,
            by: [[Bitboard::EMPTY; 6]; 2],
            any: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            attackers: [0; 2],
            units: [0; 2],
            zone: [Bitboard::EMPTY; 2],
            area: [Bitboard::EMPTY; 2],
        };
        for us in Side::ALL {
            survey.prepare(us, sums);
        }
        for us in Side::ALL {
            survey.look(us, Piece::Knight, sums);
            survey.look(us, Piece::Bishop, sums);
            survey.look(us, Piece::Rook, sums);
            survey.look(us, Piece::Queen, sums);
        }
        survey
    }

    /// King and pawns.
    fn prepare(&mut self, us: Side, sums: &mut Sums) {
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
        sums.add(Feature::Placement, us, placement(us, Piece::King, king));
    }

    /// All pieces of a kind.
    #[inline(always)]
    fn look(&mut self, us: Side, piece: Piece, sums: &mut Sums) {
        let (side, them, board) = (us.index(), !us, self.board);
        let ring = self.by[them.index()][Piece::King.index()];
        // A piece supports what moves along its line before it.
        let open = match piece {
            Piece::Bishop => board.occupied() ^ board.all(Piece::Queen),
            Piece::Rook => board.occupied() ^ board.men(us, Piece::Rook) ^ board.all(Piece::Queen),
            _ => board.occupied(),
        };
        for square in board.men(us, piece) {
            let attacked = attacks::of(piece, us, square, open);
            self.twice[side] |= self.any[side] & attacked;
            self.any[side] |= attacked;
            self.by[side][piece.index()] |= attacked;
            let reach = (attacked & self.area[side]).count() as usize;
            sums.add(Feature::Mobility, us, MOBILITY[piece.index() - 1][reach]);
            sums.add(Feature::Placement, us, placement(us, piece, square));
            if (attacked & self.zone[them.index()]).has_any() {
                self.attackers[side] += 1;
                self.units[side] +=
                    DANGER_ATTACKER[piece.index()] + DANGER_HIT * (attacked & ring).count() as i32;
            }
            match piece {
                Piece::Knight | Piece::Bishop => self.minor(us, piece, square, sums),
                Piece::Rook => self.rook(us, square, sums),
                _ => {}
            }
        }
    }

    #[inline(always)]
    fn minor(&self, us: Side, piece: Piece, square: Square, sums: &mut Sums) {
        let (board, pawns) = (self.board, self.board.men(us, Piece::Pawn));
        let outposts = self.by[us.index()][Piece::Pawn.index()] - self.pawns.span[(!us).index()];
        if outposts.has(square) && (3..=5).contains(&square.relative(us).rank()) {
            sums.add(Feature::Pieces, us, OUTPOST[piece.index() - Piece::Knight.index()]);
        }
        if (square.bit().forward(us) & board.all(Piece::Pawn)).has_any() {
            sums.add(Feature::Pieces, us, MINOR_BEHIND_PAWN);
        }
        if piece == Piece::Bishop {
            let dark = Bitboard::DARK.has(square);
            let colour = if dark { Bitboard::DARK } else { !Bitboard::DARK };
            sums.add(Feature::Pieces, us, BISHOP_PAWNS * (pawns & colour).count() as i32);
        }
    }

    #[inline(always)]
    fn rook(&self, us: Side, square: Square, sums: &mut Sums) {
        let board = self.board;
        let file = files(square.bit());
        if (file & board.men(us, Piece::Pawn)).is_empty() {
            let open = (file & board.men(!us, Piece::Pawn)).is_empty();
            sums.add(Feature::Pieces, us, ROOK_FILE[usize::from(open)]);
        }
        if square.relative(us).rank() == 6 {
            let last = Bitboard::relative_rank(us, 7) & board.men(!us, Piece::King);
            let pawns = Bitboard::relative_rank(us, 6) & board.men(!us, Piece::Pawn);
            if (last | pawns).has_any() {
                sums.add(Feature::Pieces, us, ROOK_ON_SEVENTH);
            }
        }
    }
}

#[inline(always)]
fn placement(us: Side, piece: Piece, square: Square) -> super::pair::Pair {
    let table = &PLACEMENT[piece.index() - Piece::Knight.index()];
    let file = square.file() as usize;
    table.ranks[square.relative(us).rank() as usize] + table.files[file.min(7 - file)]
}
