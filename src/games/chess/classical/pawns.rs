//! What pawns and kings alone decide, remembered by their hash key.

use super::super::attacks;
use super::super::bitboard::{Bitboard, PieceType, Square};
use super::super::board::Board;
use super::tapered_score::TaperedScore;
use super::terms::{EvalSum, EvalTerm, TermSink};
use super::weights::{
    BACKWARD, BLOCKED, CANDIDATE, CONNECTED_OPPOSED, DOUBLED, DOUBLED_UNSUPPORTED, ISOLATED,
    KING_PAWN_DISTANCE, PASSED, PASSED_ENEMY_KING, PASSED_FILE, PASSED_OWN_KING, PAWNLESS_FLANK, PHALANX,
    SHELTER, STORM, STORM_BLOCKED, SUPPORTED, WEAK_LEVER, WEAK_UNOPPOSED,
};
use crate::game::Side;

/// All squares in front of `set` as `side` sees it.
pub fn front_span(side: Side, set: Bitboard) -> Bitboard {
    let mut front = set.forward(side);
    for steps in [8, 16, 32] {
        front |= front.shift(if side == Side::White { steps } else { -steps });
    }
    front
}

/// The whole files of `set`.
pub fn files(set: Bitboard) -> Bitboard {
    set | front_span(Side::White, set) | front_span(Side::Black, set)
}

/// The squares right and left of `set`.
fn neighbours(set: Bitboard) -> Bitboard {
    (set - Bitboard::FILE_H).shift(1) | (set - Bitboard::FILE_A).shift(-1)
}

static DISTANCES: [[u8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (a, b) = (Square::new((pair / 64) as u8), Square::new((pair % 64) as u8));
        let (files, ranks) = (a.file().abs_diff(b.file()), a.rank().abs_diff(b.rank()));
        table[a.index()][b.index()] = if files > ranks { files } else { ranks };
        pair += 1;
    }
    table
};

/// Steps that a king needs between two squares.
#[inline(always)]
pub fn distance(a: Square, b: Square) -> i32 {
    i32::from(DISTANCES[a.index()][b.index()])
}

/// Files from the edge inwards: 0 for a and h to 3 for d and e.
pub const fn edge_distance(file: u8) -> usize {
    (if file < 4 { file } else { 7 - file }) as usize
}

/// The files on the side of the board where a king on `square` stands: three at the edge, else four.
pub fn king_flank(square: Square) -> Bitboard {
    const WINGS: [u64; 8] = [0x07, 0x0F, 0x0F, 0x3C, 0x3C, 0xF0, 0xF0, 0xE0];
    Bitboard(WINGS[usize::from(square.file())] * Bitboard::FILE_A.0)
}

/// What pawns and kings are worth, and what other terms need of the pawns.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct PawnEntry {
    key: u64,
    /// Pawns that no enemy pawn can stop, of both sides.
    pub passed: Bitboard,
    /// What each side's pawns attack now or on any square they may step to.
    pub attack_span: [Bitboard; 2],
    /// White's less Black's, as remembered.
    pub score: TaperedScore,
}

impl PawnEntry {
    /// Counts everything into `tally`.
    pub fn new<T: TermSink>(board: &Board, sink: &mut T) -> PawnEntry {
        let pawns = PawnEntry::without_kings(board, sink);
        pawns.kings(board, sink);
        pawns
    }

    /// What is the same wherever the kings stand.
    fn without_kings<T: TermSink>(board: &Board, sink: &mut T) -> PawnEntry {
        let mut pawns = PawnEntry::default();
        for us in Side::ALL {
            let (ours, theirs) = (board.pieces(us, PieceType::Pawn), board.pieces(!us, PieceType::Pawn));
            pawns.structure(us, ours, theirs, sink);
        }
        pawns
    }

    /// The rest.
    fn kings<T: TermSink>(&self, board: &Board, sink: &mut T) {
        let pawns = board.pieces_of_kind(PieceType::Pawn);
        for us in Side::ALL {
            let (king, ours) = (board.king(us), board.pieces(us, PieceType::Pawn));
            sink.piece(us, PieceType::King, king);
            self.king_proximity(us, board, sink);
            shelter(us, board, sink);
            if let Some(near) = ours.map(|pawn| distance(pawn, king)).min() {
                sink.add(EvalTerm::Shelter, us, KING_PAWN_DISTANCE.at(near as usize), 1);
            }
            if (king_flank(king) & pawns).is_empty() {
                sink.add(EvalTerm::Shelter, us, PAWNLESS_FLANK, 1);
            }
        }
    }

    fn structure<T: TermSink>(&mut self, us: Side, ours: Bitboard, theirs: Bitboard, sink: &mut T) {
        let (front, their_front) = (front_span(us, ours), front_span(!us, theirs));
        let (span, supported) = (attacks::pawns(us, ours | front), attacks::pawns(us, ours));
        let (attacked, by_two) = (attacks::pawns(!us, theirs), attacked_twice(!us, theirs));
        let behind = front_span(!us, ours);
        let passed = ours - their_front - attacks::pawns(!us, theirs | their_front) - behind;
        self.attack_span[us.index()] = span;
        self.passed |= passed;

        let isolated = ours - neighbours(files(ours));
        let stuck = ours.forward(us) & ((attacked | theirs) - span);
        let backward = stuck.forward(!us) - isolated;
        let open = ours - their_front - front_span(!us, theirs | ours);
        let doubled = ours & behind;
        let count = |set: Bitboard| set.count() as i32;
        let mut add = |weight, times| sink.add(EvalTerm::Pawns, us, weight, times);
        add(DOUBLED, count(doubled));
        add(DOUBLED_UNSUPPORTED, count(doubled - supported));
        add(BACKWARD, count(backward));
        add(WEAK_UNOPPOSED, count((isolated | backward) & open));
        add(WEAK_LEVER, count((ours & by_two) - supported));

        let phalanx = neighbours(ours);
        let opposed = ours & front_span(!us, theirs);
        let rammed = ours & theirs.forward(!us);
        for square in ours {
            let (rank, file) = (square.relative(us).rank() as usize, edge_distance(square.file()));
            sink.piece(us, PieceType::Pawn, square);
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
            if rammed.contains(square) {
                add(BLOCKED.at(rank));
            }
            if passed.contains(square) {
                sink.add(EvalTerm::Passed, us, PASSED.at(rank), 1);
                sink.add(EvalTerm::Passed, us, PASSED_FILE.at(file), 1);
            } else if open.contains(square) && is_candidate(us, square, ours, theirs) {
                add(CANDIDATE.at(rank));
            }
        }
    }

    /// The kings near the passed pawns of `us`.
    fn king_proximity<T: TermSink>(&self, us: Side, board: &Board, sink: &mut T) {
        for pawn in self.passed & board.occupied_by(us) {
            let rank = usize::from(pawn.relative(us).rank());
            let stop = pawn.bit().forward(us).lsb();
            let near = |side| distance(board.king(side), stop).min(5);
            let mut add = |weight, times| sink.add(EvalTerm::Passed, us, weight, times);
            add(PASSED_ENEMY_KING.at(rank), near(!us));
            add(PASSED_OWN_KING.at(rank), near(us));
        }
    }
}

/// What two `pawns` attack at once.
fn attacked_twice(side: Side, pawns: Bitboard) -> Bitboard {
    let forward = pawns.forward(side);
    (forward - Bitboard::FILE_H).shift(1) & (forward - Bitboard::FILE_A).shift(-1)
}

/// Whether as many pawns can help `pawn` forward as guard its way.
fn is_candidate(us: Side, pawn: Square, ours: Bitboard, theirs: Bitboard) -> bool {
    let columns = neighbours(pawn.bit());
    let guards = front_span(us, columns) & theirs;
    let helpers = (columns | front_span(!us, columns)) & ours;
    helpers.count() >= guards.count()
}

/// The pawns before the king of `us` and those that come against it.
fn shelter<T: TermSink>(us: Side, board: &Board, sink: &mut T) {
    let king = board.king(us);
    // Behind the king no pawn shelters it; those beside it do.
    let front = !front_span(!us, Bitboard::rank(king.rank()));
    let ours = board.pieces(us, PieceType::Pawn) & front;
    let theirs = board.pieces(!us, PieceType::Pawn) & front;
    let centre = king.file().clamp(1, 6);
    let rank_of = |set: Bitboard| {
        if set.is_empty() {
            return 0;
        }
        let nearest = if us == Side::White { set.0.trailing_zeros() } else { set.0.ilog2() };
        usize::from(Square::new(nearest as u8).relative(us).rank())
    };
    for file in centre - 1..=centre + 1 {
        let column = Bitboard::file(file);
        let (own, enemy) = (rank_of(ours & column), rank_of(theirs & column));
        let (inward, here) = (edge_distance(file), usize::from(file == king.file()));
        sink.add(EvalTerm::Shelter, us, SHELTER.at((4 * here + inward) * 8 + own), 1);
        sink.add(EvalTerm::Shelter, us, STORM.at(inward * 8 + enemy), 1);
        if own != 0 && enemy == own + 1 {
            sink.add(EvalTerm::Shelter, us, STORM_BLOCKED.at(enemy), 1);
        }
    }
}

/// A table of pawn structures: searches change pawns seldom, so that almost every look-up hits. Most misses are
/// of a king that moved, and a second table knows the pawns without the kings.
///
/// <https://www.chessprogramming.org/Pawn_Hash_Table>
#[derive(Debug)]
pub struct PawnHashTable {
    with_kings: Entries,
    without: Entries,
}

impl Default for PawnHashTable {
    fn default() -> PawnHashTable {
        let entries = || vec![PawnEntry::default(); ENTRIES].try_into().expect("as many");
        PawnHashTable { with_kings: entries(), without: entries() }
    }
}

impl PawnHashTable {
    /// The board's pawns, looked up or computed.
    #[inline]
    pub fn get(&mut self, board: &Board) -> &PawnEntry {
        let kings = board.king(Side::White).index() << 6 | board.king(Side::Black).index();
        // An odd constant spreads the kings' squares over the key.
        let key = board.keys().pawn ^ (kings as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let entry = entry(&mut self.with_kings, key);
        if entry.key != key {
            *entry = add_kings(&mut self.without, board, key);
        }
        entry
    }
}

/// As many entries as each table has.
const ENTRIES: usize = 8192;
type Entries = Box<[PawnEntry; ENTRIES]>;

fn entry(entries: &mut Entries, key: u64) -> &mut PawnEntry {
    &mut entries[(key >> 32) as usize % ENTRIES]
}

/// The board's pawns with the kings, to be remembered by `key`. An empty entry is right for a board without pawns.
#[cold]
fn add_kings(without: &mut Entries, board: &Board, key: u64) -> PawnEntry {
    let skeleton = board.keys().pawn;
    let pawns = entry(without, skeleton);
    if pawns.key != skeleton {
        let mut sink = EvalSum::default();
        *pawns = PawnEntry::without_kings(board, &mut sink);
        (pawns.key, pawns.score) = (skeleton, sink.total());
    }
    let mut sink = EvalSum::default();
    pawns.kings(board, &mut sink);
    PawnEntry { key, score: pawns.score + sink.total(), ..*pawns }
}
