//! What the pawns alone decide, remembered by their hash key.

use super::super::attacks;
use super::super::bitboard::{Bitboard, Piece, Square};
use super::super::board::Board;
use super::pair::Pair;
use super::weights::{
    BACKWARD, DOUBLED, ISOLATED, PASSED, PAWN_PLACEMENT, PHALANX, SUPPORTED, WEAK_ON_OPEN_FILE,
};
use crate::game::Side;

/// All squares in front of `set` as `side` sees it.
pub fn ahead(side: Side, set: Bitboard) -> Bitboard {
    let mut front = set.forward(side);
    for steps in [8, 16, 32] {
        front |= front.shift(if side == Side::White { steps } else { -steps });
    }
    front
}

/// The whole files of `set`.
pub fn files(set: Bitboard) -> Bitboard {
    set | ahead(Side::White, set) | ahead(Side::Black, set)
}

/// What the pawns of both sides are worth, and what other terms need of them.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Pawns {
    key: u64,
    /// Pawns that no enemy pawn can stop, of both sides.
    pub passed: Bitboard,
    /// What each side's pawns attack now or on any square they may step to.
    pub span: [Bitboard; 2],
    /// Piece-square values.
    pub placement: [Pair; 2],
    /// Doubled, isolated, backward and connected pawns.
    pub structure: [Pair; 2],
    /// Passed pawns, as far as pawns alone tell.
    pub advance: [Pair; 2],
}

impl Pawns {
    fn new(board: &Board) -> Pawns {
        let mut pawns = Pawns { key: board.keys().parts[0], ..Pawns::default() };
        for us in Side::ALL {
            pawns.add_side(us, board.men(us, Piece::Pawn), board.men(!us, Piece::Pawn));
        }
        pawns
    }

    fn add_side(&mut self, us: Side, ours: Bitboard, theirs: Bitboard) {
        let index = us.index();
        let (front, their_front) = (ahead(us, ours), ahead(!us, theirs));
        let span = attacks::pawns(us, ours | front);
        let passed = ours - their_front - attacks::pawns(!us, theirs | their_front) - ahead(!us, ours);
        self.span[index] = span;
        self.passed |= passed;

        let columns = files(ours);
        let beside = (columns - Bitboard::FILE_H).shift(1) | (columns - Bitboard::FILE_A).shift(-1);
        let isolated = ours - beside;
        let stuck = ours.forward(us) & ((attacks::pawns(!us, theirs) | theirs) - span);
        let backward = stuck.forward(!us) - isolated;
        let exposed = (isolated | backward) - their_front - ahead(!us, theirs | ours);
        let doubled = ours & ahead(!us, ours);
        let count = |set: Bitboard| set.count() as i32;
        self.structure[index] += DOUBLED * count(doubled)
            + ISOLATED * count(isolated)
            + BACKWARD * count(backward)
            + WEAK_ON_OPEN_FILE * count(exposed);

        let phalanx = (ours - Bitboard::FILE_H).shift(1) | (ours - Bitboard::FILE_A).shift(-1);
        let supported = attacks::pawns(us, ours);
        for square in ours {
            let (rank, file) = (square.relative(us).rank() as usize, square.file() as usize);
            self.placement[index] += PAWN_PLACEMENT[rank][file.min(7 - file)];
            if phalanx.has(square) {
                self.structure[index] += PHALANX[rank];
            }
            if supported.has(square) {
                self.structure[index] += SUPPORTED[rank];
            }
            if passed.has(square) {
                self.advance[index] += PASSED[rank];
            }
        }
    }
}

/// A table of pawn structures: searches change pawns seldom, so that almost every look-up hits.
///
/// <https://www.chessprogramming.org/Pawn_Hash_Table>
#[derive(Debug)]
pub struct PawnTable {
    entries: Box<[Pawns]>,
}

impl Default for PawnTable {
    /// Empty entries have key 0, which is the key of a board without pawns, and are right for it.
    fn default() -> PawnTable {
        PawnTable { entries: vec![Pawns::default(); 4096].into_boxed_slice() }
    }
}

impl PawnTable {
    /// The board's pawns, looked up or computed.
    pub fn get(&mut self, board: &Board) -> &Pawns {
        let key = board.keys().parts[0];
        let index = key as usize & (self.entries.len() - 1);
        let entry = &mut self.entries[index];
        if entry.key != key {
            *entry = Pawns::new(board);
        }
        entry
    }
}

/// Steps that a king needs between two squares.
pub fn distance(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}
