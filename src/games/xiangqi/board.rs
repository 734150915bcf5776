//! One position without its history: pieces, side to move, counters and keys.

use super::attacks;
use super::bitboard::{Bitboard, Piece, PieceType, SQUARES, Square};
use super::moves::XiangqiMove;
use crate::game::{Move, Side, SplitMix64, const_for, piece_board};

/// Zobrist hashes of a position (<https://www.chessprogramming.org/Zobrist_Hashing>).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Keys {
    /// The whole position: pieces and side to move.
    pub main: u64,
    pub pawn: u64,
    pub guard: u64,
    /// The rooks, cannons and horses of Red, of Black.
    pub attackers: [u64; 2],
}

/// The random numbers whose exclusive or is a key.
struct Zobrist {
    /// By [`Piece::index`] and square; 0 for indices of no piece.
    pieces: [[u64; SQUARES]; Piece::COUNT],
    black: u64,
}

static ZOBRIST: Zobrist = {
    let mut random = SplitMix64::new(0x0E1E_0914);
    let mut pieces = [[0; SQUARES]; Piece::COUNT];
    const_for!(i, 0..Piece::COUNT, {
        if i & 7 < PieceType::COUNT {
            pieces[i] = random.array();
        }
    });
    Zobrist { pieces, black: random.next() }
};

/// A legal position without its history, made by the FEN parser or by a legal move.
///
/// The search copies all of it before each move (copy-make), so that undo needs no code.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    by_kind: [Bitboard; PieceType::COUNT],
    by_side: [Bitboard; 2],
    /// The enemy pieces that give check.
    pub(super) checkers: Bitboard,
    /// Pieces of either side that may not leave their square without a test: next to an enemy rook's, cannon's or king's
    /// line to the king of the side to move, or blocking an enemy horse.
    pub(super) blockers: Bitboard,
    /// Free squares between the king of the side to move and an enemy cannon: a piece there is a screen.
    pub(super) screens: Bitboard,
    pub(super) mailbox: [Piece; SQUARES],
    pub(super) keys: Keys,
    pub(super) side: Side,
    /// The halfmove clock: plies since the last capture.
    pub(super) clock: u16,
    /// Plies since the last capture, pawn move forward or null move.
    pub(super) plies_since_irreversible: u16,
    /// The fullmove number, 1 at the start of the game.
    pub(super) fullmove_number: u32,
}

piece_board!(Board);

impl Board {
    /// An empty board. It is not legal; only the FEN parser and spare history entries use it.
    pub(super) const fn empty() -> Board {
        Board {
            by_kind: [Bitboard::EMPTY; PieceType::COUNT],
            by_side: [Bitboard::EMPTY; 2],
            checkers: Bitboard::EMPTY,
            blockers: Bitboard::EMPTY,
            screens: Bitboard::EMPTY,
            mailbox: [Piece::NONE; SQUARES],
            keys: Keys { main: 0, pawn: 0, guard: 0, attackers: [0; 2] },
            side: Side::White,
            clock: 0,
            plies_since_irreversible: 0,
            fullmove_number: 1,
        }
    }

    /// Whether `side` has a piece that can cross the river: without one it cannot win.
    pub(super) fn has_attackers(&self, side: Side) -> bool {
        let kinds = [PieceType::Pawn, PieceType::Horse, PieceType::Cannon, PieceType::Rook];
        kinds.into_iter().any(|kind| self.pieces(side, kind).has_any())
    }

    /// The change of the keys by `piece` coming to or leaving `square`.
    #[inline(always)]
    fn toggle_keys(&mut self, piece: Piece, kind: PieceType, square: Square) {
        let key = ZOBRIST.pieces[piece.index()][square.index()];
        self.keys.main ^= key;
        match kind {
            PieceType::Pawn => self.keys.pawn ^= key,
            PieceType::Adviser | PieceType::Elephant | PieceType::King => self.keys.guard ^= key,
            _ => self.keys.attackers[piece.side().index()] ^= key,
        }
    }

    #[inline(always)]
    pub(super) fn key_after(&self, mv: Move) -> Option<u64> {
        if !mv.is_well_formed() {
            return None;
        }
        let (from, to) = (mv.from(), mv.to());
        let keys = &ZOBRIST.pieces[self.piece_on(from).index()];
        let captured = ZOBRIST.pieces[self.piece_on(to).index()][to.index()];
        Some(self.keys.main ^ keys[from.index()] ^ keys[to.index()] ^ captured ^ ZOBRIST.black)
    }

    /// Puts a piece on an empty square.
    pub(super) fn put_piece(&mut self, square: Square, side: Side, kind: PieceType) {
        let piece = Piece::new(side, kind);
        self.mailbox[square.index()] = piece;
        self.by_kind[kind.index()] ^= square.bit();
        self.by_side[side.index()] ^= square.bit();
        self.toggle_keys(piece, kind, square);
    }

    #[inline]
    pub(super) fn play(&mut self, mv: Move) {
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let (piece, captured) = (self.piece_on(from), self.piece_on(to));
        let Some(kind) = piece.kind() else { return };
        // Saturating, because a game of any length may follow a FEN with any clock.
        self.clock = self.clock.saturating_add(1);
        self.plies_since_irreversible = self.plies_since_irreversible.saturating_add(1);
        self.fullmove_number += us as u32;
        if let Some(captured_kind) = captured.kind() {
            self.by_kind[captured_kind.index()] ^= to.bit();
            self.by_side[(!us).index()] ^= to.bit();
            self.toggle_keys(captured, captured_kind, to);
            (self.clock, self.plies_since_irreversible) = (0, 0);
        } else if kind == PieceType::Pawn && from.file() == to.file() {
            self.plies_since_irreversible = 0;
        }
        self.mailbox[from.index()] = Piece::NONE;
        self.mailbox[to.index()] = piece;
        let squares = from.bit() | to.bit();
        self.by_kind[kind.index()] ^= squares;
        self.by_side[us.index()] ^= squares;
        self.toggle_keys(piece, kind, from);
        self.toggle_keys(piece, kind, to);
        self.keys.main ^= ZOBRIST.black;
        self.side = !us;
        self.update_checks_and_pins();
    }

    /// Passes the turn. The side to move must not be in check.
    pub(super) fn make_null_move(&mut self) {
        self.clock = self.clock.saturating_add(1);
        self.plies_since_irreversible = 0;
        self.fullmove_number += self.side as u32;
        self.pass_turn();
    }

    /// Gives the other side the turn and leaves the counters.
    pub(super) fn pass_turn(&mut self) {
        self.set_side(!self.side);
        self.update_checks_and_pins();
    }

    /// Finds checkers, blockers and screens from the enemy pieces in line with the king.
    #[inline]
    pub(super) fn update_checks_and_pins(&mut self) {
        let us = self.side;
        let (king, occupied, theirs) = (self.king(us), self.occupied(), self.occupied_by(!us));
        let (mut blockers, mut screens) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut checkers = attacks::to_pawn(!us, king) & self.pieces_of_kind(PieceType::Pawn) & theirs;
        let in_line = attacks::cross(king) & theirs;
        // The kings must not face each other on an open file, as if they were rooks.
        let rooks = self.pieces_of_kind(PieceType::Rook) | self.pieces_of_kind(PieceType::King);
        for rook in rooks & in_line {
            let between = attacks::between(king, rook) & occupied;
            match between.count() {
                0 => checkers |= rook.bit(),
                1 => blockers |= between,
                _ => {}
            }
        }
        for cannon in self.pieces_of_kind(PieceType::Cannon) & in_line {
            let line = attacks::between(king, cannon);
            let between = line & occupied;
            match between.count() {
                0 => screens |= line,
                1 => checkers |= cannon.bit(),
                2 => blockers |= between,
                _ => {}
            }
        }
        let horses = self.pieces_of_kind(PieceType::Horse) & theirs;
        for horse in attacks::to_horse_unblocked(king) & horses {
            let leg = attacks::horse_leg(horse, king).bit();
            if (leg & occupied).has_any() {
                blockers |= leg;
            } else {
                checkers |= horse.bit();
            }
        }
        (self.checkers, self.blockers, self.screens) = (checkers, blockers, screens);
    }

    /// Whether the pieces `attackers`, all of side `by`, attack `square`, on which a king stands or shall stand. The king
    /// of `by` attacks along an open file.
    #[inline]
    pub(super) fn attacks_king(
        &self,
        by: Side,
        attackers: Bitboard,
        square: Square,
        occupied: Bitboard,
    ) -> bool {
        let near = attacks::to_pawn(by, square) & self.pieces_of_kind(PieceType::Pawn)
            | attacks::to_horse(square, occupied) & self.pieces_of_kind(PieceType::Horse);
        if (near & attackers).has_any() {
            return true;
        }
        let far = self.pieces_of_kind(PieceType::Rook)
            | self.pieces_of_kind(PieceType::Cannon)
            | self.pieces_of_kind(PieceType::King);
        if (attacks::cross(square) & far & attackers).is_empty() {
            return false;
        }
        let (slide, jump) = attacks::lines(square, occupied);
        let rooks = self.pieces_of_kind(PieceType::Rook) | self.pieces_of_kind(PieceType::King);
        ((slide & rooks | jump & self.pieces_of_kind(PieceType::Cannon)) & attackers).has_any()
    }

    /// The pieces of both sides that can capture on `square`, with `occupied` as the occupied squares.
    #[inline]
    pub(super) fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let (slide, jump) = attacks::lines(square, occupied);
        let pawns = attacks::to_pawn(Side::White, square) & self.occupied_by(Side::White)
            | attacks::to_pawn(Side::Black, square) & self.occupied_by(Side::Black);
        pawns & self.pieces_of_kind(PieceType::Pawn)
            | attacks::adviser(square) & self.pieces_of_kind(PieceType::Adviser)
            | attacks::elephant(square, occupied) & self.pieces_of_kind(PieceType::Elephant)
            | attacks::to_horse(square, occupied) & self.pieces_of_kind(PieceType::Horse)
            | jump & self.pieces_of_kind(PieceType::Cannon)
            | slide & self.pieces_of_kind(PieceType::Rook)
            | attacks::king(square) & self.pieces_of_kind(PieceType::King)
    }

    /// The squares on which the pieces of `side` can capture, also those on which they defend a piece.
    #[inline]
    pub(super) fn attacked_by(&self, side: Side) -> Bitboard {
        let occupied = self.occupied();
        PieceType::ALL.into_iter().fold(Bitboard::EMPTY, |attacked, kind| {
            let of_piece = |square| attacks::of_kind(kind, side, square, occupied);
            self.pieces(side, kind).map(of_piece).fold(attacked, |attacked, more| attacked | more)
        })
    }

    /// Whether a legal move gives check, directly or by discovery.
    pub(super) fn gives_check(&self, mv: Move) -> bool {
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let king = self.king(!us);
        if (attacks::check_zone(king) & (from.bit() | to.bit())).is_empty() {
            return false;
        }
        let occupied = (self.occupied() - from.bit()) | to.bit();
        let direct = match self.piece_on(from).kind() {
            Some(kind) => attacks::of_kind(kind, us, to, occupied).contains(king),
            None => false,
        };
        // The own king is left out: a move may not open the file between the kings.
        let others = self.occupied_by(us) - from.bit() - self.pieces_of_kind(PieceType::King);
        direct || self.attacks_king(us, others, king, occupied)
    }
}
