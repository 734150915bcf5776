//! Terms that pawns and kings alone decide, cached in a pawn hash table.

use super::super::attacks;
use super::super::bitboard::{Bitboard, PieceType, Square};
use super::super::board::Board;
use super::eval_sum::EvalSum;
use super::geometry::{count, distance, edge_distance, files, front_span, king_flank, neighbours};
use super::terms::{EvalTerm, TermSink};
use super::weights::{
    BACKWARD, BLOCKED, CANDIDATE, CONNECTED_OPPOSED, DOUBLED, DOUBLED_UNSUPPORTED, ISOLATED,
    KING_PAWN_DISTANCE, PASSED, PASSED_ENEMY_KING, PASSED_FILE, PASSED_OWN_KING, PAWN_STORM, PAWNLESS_FLANK,
    PHALANX, SHELTER, STORM_BLOCKED, SUPPORTED, WEAK_LEVER, WEAK_UNOPPOSED,
};
use crate::game::{Side, TaperedScore};

/// The score of pawns and kings, and the pawn sets that other terms need.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct PawnEntry {
    key: u64,
    /// The passed pawns of both sides.
    pub passed: Bitboard,
    /// For each side, the squares that its pawns attack now or after any number of pushes.
    pub attack_span: [Bitboard; 2],
    /// White's score minus Black's; set only in entries of the table.
    pub score: TaperedScore,
}

impl PawnEntry {
    pub fn new<T: TermSink>(board: &Board, sink: &mut T) -> PawnEntry {
        let pawns = PawnEntry::pawns_only(board, sink);
        pawns.add_kings(board, sink);
        pawns
    }

    fn pawns_only<T: TermSink>(board: &Board, sink: &mut T) -> PawnEntry {
        let mut pawns = PawnEntry::default();
        for us in Side::ALL {
            let (ours, theirs) = (board.pieces(us, PieceType::Pawn), board.pieces(!us, PieceType::Pawn));
            pawns.structure(us, ours, theirs, sink);
        }
        pawns
    }

    fn add_kings<T: TermSink>(&self, board: &Board, sink: &mut T) {
        let pawns = board.pieces_of_kind(PieceType::Pawn);
        for us in Side::ALL {
            let (king, ours) = (board.king(us), board.pieces(us, PieceType::Pawn));
            sink.add_piece(us, PieceType::King, king);
            self.king_proximity(us, board, sink);
            shelter(us, board, sink);
            if let Some(nearest) = ours.map(|pawn| distance(pawn, king)).min() {
                sink.add(EvalTerm::Shelter, us, KING_PAWN_DISTANCE.at(nearest as usize), 1);
            }
            if (king_flank(king) & pawns).is_empty() {
                sink.add(EvalTerm::Shelter, us, PAWNLESS_FLANK, 1);
            }
        }
    }

    fn structure<T: TermSink>(&mut self, us: Side, ours: Bitboard, theirs: Bitboard, sink: &mut T) {
        let (front, their_front) = (front_span(us, ours), front_span(!us, theirs));
        let (span, supported) = (attacks::pawns(us, ours | front), attacks::pawns(us, ours));
        let (attacked, twice_attacked) = (attacks::pawns(!us, theirs), attacked_twice(!us, theirs));
        let behind = front_span(!us, ours);
        let passed = ours - their_front - attacks::pawns(!us, theirs | their_front) - behind;
        self.attack_span[us.index()] = span;
        self.passed |= passed;

        let isolated = ours - neighbours(files(ours));
        let stop_squares = ours.forward(us) & ((attacked | theirs) - span);
        let backward = stop_squares.forward(!us) - isolated;
        let unopposed = ours - their_front - front_span(!us, theirs | ours);
        let doubled = ours & behind;
        let mut add = |weight, times| sink.add(EvalTerm::Pawns, us, weight, times);
        add(DOUBLED, count(doubled));
        add(DOUBLED_UNSUPPORTED, count(doubled - supported));
        add(BACKWARD, count(backward));
        add(WEAK_UNOPPOSED, count((isolated | backward) & unopposed));
        add(WEAK_LEVER, count((ours & twice_attacked) - supported));

        let phalanx = neighbours(ours);
        let opposed = ours & front_span(!us, theirs);
        let blocked = ours & theirs.forward(!us);
        for square in ours {
            let (rank, file) = (square.relative(us).rank() as usize, edge_distance(square.file()));
            sink.add_piece(us, PieceType::Pawn, square);
            let mut add = |weight| sink.add(EvalTerm::Pawns, us, weight, 1);
            if isolated.contains(square) {
                add(ISOLATED.at(file));
            }
            if phalanx.contains(square) {
                add(PHALANX.at(rank));
            }
            if supported.contains(square) {
                add(SUPPORTED.at(rank));
            }
            if opposed.contains(square) && (phalanx | supported).contains(square) {
                add(CONNECTED_OPPOSED.at(rank));
            }
            if blocked.contains(square) {
                add(BLOCKED.at(rank));
            }
            if passed.contains(square) {
                sink.add(EvalTerm::Passed, us, PASSED.at(rank), 1);
                sink.add(EvalTerm::Passed, us, PASSED_FILE.at(file), 1);
            } else if unopposed.contains(square) && is_candidate(us, square, ours, theirs) {
                add(CANDIDATE.at(rank));
            }
        }
    }

    /// Adds the distances of both kings to the stop squares of the passed pawns of `us`.
    fn king_proximity<T: TermSink>(&self, us: Side, board: &Board, sink: &mut T) {
        for pawn in self.passed & board.occupied_by(us) {
            let rank = usize::from(pawn.relative(us).rank());
            let stop = pawn.bit().forward(us).lsb();
            let king_distance = |side| distance(board.king(side), stop).min(5);
            let mut add = |weight, times| sink.add(EvalTerm::Passed, us, weight, times);
            add(PASSED_ENEMY_KING.at(rank), king_distance(!us));
            add(PASSED_OWN_KING.at(rank), king_distance(us));
        }
    }
}

fn attacked_twice(side: Side, pawns: Bitboard) -> Bitboard {
    let forward = pawns.forward(side);
    (forward - Bitboard::FILE_H).shift(1) & (forward - Bitboard::FILE_A).shift(-1)
}

/// Whether at least as many own pawns support `pawn` as enemy pawns guard its path.
fn is_candidate(us: Side, pawn: Square, ours: Bitboard, theirs: Bitboard) -> bool {
    let beside = neighbours(pawn.bit());
    let guards = front_span(us, beside) & theirs;
    let helpers = (beside | front_span(!us, beside)) & ours;
    helpers.count() >= guards.count()
}

/// Pawn shelter of the king of `us` and enemy pawn storm (<https://www.chessprogramming.org/King_Safety#Pawn_Shield>).
fn shelter<T: TermSink>(us: Side, board: &Board, sink: &mut T) {
    let king = board.king(us);
    // Pawns on the king's rank count as shelter, pawns behind it do not.
    let front = !front_span(!us, Bitboard::rank(king.rank()));
    let ours = board.pieces(us, PieceType::Pawn) & front;
    let theirs = board.pieces(!us, PieceType::Pawn) & front;
    let centre = king.file().clamp(1, 6);
    // The rank of the hindmost pawn from the point of view of `us`, 0 without a pawn.
    let rank_of = |set: Bitboard| {
        if set.is_empty() {
            return 0;
        }
        let nearest = if us == Side::White { set.0.trailing_zeros() } else { set.0.ilog2() };
        usize::from(Square::new(nearest as u8).relative(us).rank())
    };
    for file in centre - 1..=centre + 1 {
        let pawns = Bitboard::file(file);
        let (own, enemy) = (rank_of(ours & pawns), rank_of(theirs & pawns));
        let (edge, king_file) = (edge_distance(file), usize::from(file == king.file()));
        sink.add(EvalTerm::Shelter, us, SHELTER.at((4 * king_file + edge) * 8 + own), 1);
        sink.add(EvalTerm::Shelter, us, PAWN_STORM.at(edge * 8 + enemy), 1);
        if own != 0 && enemy == own + 1 {
            sink.add(EvalTerm::Shelter, us, STORM_BLOCKED.at(enemy), 1);
        }
    }
}

/// The pawn hash table (<https://www.chessprogramming.org/Pawn_Hash_Table>).
///
/// Most moves leave pawns and kings in place, so most look-ups hit. Most misses follow a king move; they find
/// the pawns-only part in a second table.
#[derive(Debug)]
pub struct PawnHashTable {
    with_kings: Entries,
    pawns_only: Entries,
}

impl Default for PawnHashTable {
    fn default() -> PawnHashTable {
        let entries = || vec![PawnEntry::default(); ENTRIES].try_into().expect("the length is ENTRIES");
        PawnHashTable { with_kings: entries(), pawns_only: entries() }
    }
}

impl PawnHashTable {
    /// The entry of the board's pawns and kings, from the table or computed.
    #[inline]
    pub fn get(&mut self, board: &Board) -> &PawnEntry {
        let kings = board.king(Side::White).index() << 6 | board.king(Side::Black).index();
        // Multiplication by an odd constant spreads the king squares over the key.
        let key = board.keys.pawn ^ (kings as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let entry = entry(&mut self.with_kings, key);
        if entry.key != key {
            *entry = compute_entry(&mut self.pawns_only, board, key);
        }
        entry
    }
}

/// The entries of each of the two tables.
const ENTRIES: usize = 8192;
type Entries = Box<[PawnEntry; ENTRIES]>;

fn entry(entries: &mut Entries, key: u64) -> &mut PawnEntry {
    &mut entries[(key >> 32) as usize % ENTRIES]
}

/// The all-zero initial entry is correct for a board without pawns, whose key is 0.
#[cold]
fn compute_entry(pawns_only: &mut Entries, board: &Board, key: u64) -> PawnEntry {
    let pawn_key = board.keys.pawn;
    let pawns = entry(pawns_only, pawn_key);
    if pawns.key != pawn_key {
        let mut sum = EvalSum::default();
        *pawns = PawnEntry::pawns_only(board, &mut sum);
        (pawns.key, pawns.score) = (pawn_key, sum.total());
    }
    let mut sum = EvalSum::default();
    pawns.add_kings(board, &mut sum);
    PawnEntry { key, score: pawns.score + sum.total(), ..*pawns }
}
