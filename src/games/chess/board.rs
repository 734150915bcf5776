//! One chess position without its history: pieces, side to move, rights, counters and keys.

use super::attacks;
use super::bitboard::{Bitboard, Piece, PieceType, Square};
use super::moves::{ChessMove, MoveKind};
use crate::game::{Move, Side, SplitMix64, const_for, piece_board};

/// Zobrist hashes of a position (<https://www.chessprogramming.org/Zobrist_Hashing>).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(C)]
pub struct Keys {
    /// The whole position: pieces, side to move, castling rights, en passant square.
    pub main: u64,
    /// The pawns of both sides.
    pub pawn: u64,
    /// The knights and bishops of both sides.
    pub minor: u64,
    /// The pieces other than pawns of White, of Black.
    pub non_pawn: [u64; 2],
}

/// The keys beside [`Keys::main`] that a piece belongs to: all bits set, else none.
#[derive(Clone, Copy)]
#[repr(C)]
struct KeyMasks {
    pawn: u64,
    minor: u64,
    non_pawn: [u64; 2],
}

static KEY_MASKS: [KeyMasks; Piece::COUNT] = {
    let mut table = [KeyMasks { pawn: 0, minor: 0, non_pawn: [0; 2] }; Piece::COUNT];
    const_for!(side, 0..2, {
        const_for!(i, 0..PieceType::ALL.len(), {
            let kind = PieceType::ALL[i];
            let masks = &mut table[Piece::new(Side::ALL[side], kind).index()];
            match kind {
                PieceType::Pawn => masks.pawn = !0,
                PieceType::Knight | PieceType::Bishop => masks.minor = !0,
                _ => {}
            }
            if !matches!(kind, PieceType::Pawn) {
                masks.non_pawn[side] = !0;
            }
        });
    });
    table
};

struct Zobrist {
    /// By [`Piece::index`] and square; 0 for indices of no piece.
    pieces: [[u64; 64]; Piece::COUNT],
    /// By the square of the castling rook.
    castling: [u64; 64],
    en_passant: [u64; 8],
    black: u64,
}

const fn zobrist() -> Zobrist {
    let mut keys = SplitMix64::new(0x000D_0171);
    let mut pieces = [[0; 64]; Piece::COUNT];
    const_for!(i, 0..Piece::COUNT, {
        // Indices 6, 7, 14 and 15 are no pieces and must not change a key.
        if i & 7 < 6 {
            pieces[i] = keys.array();
        }
    });
    Zobrist { pieces, castling: keys.array(), en_passant: keys.array(), black: keys.next() }
}

static ZOBRIST: Zobrist = zobrist();

/// A legal chess position without its history, made by the FEN parser or by a legal move.
///
/// The search copies all 216 bytes before each move (copy-make), so that undo needs no code.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    pub(super) by_kind: [Bitboard; 6],
    pub(super) by_side: [Bitboard; 2],
    pub(super) mailbox: [Piece; 64],
    pub(super) keys: Keys,
    pub(super) checkers: Bitboard,
    /// Pieces of either side that stand alone between the king of the side to move and an enemy slider.
    pub(super) blockers: Bitboard,
    pub(super) enemy_pawn_attacks: Bitboard,
    /// The rooks that have castling rights.
    pub(super) castling: Bitboard,
    pub(super) side: Side,
    /// The square behind a pawn that just moved two squares, if an en passant capture there is legal.
    pub(super) en_passant: Option<Square>,
    /// The halfmove clock: plies since the last capture or pawn move.
    pub(super) rule50: u16,
    /// Plies since the last irreversible move: capture, pawn move, loss of castling rights, null move.
    pub(super) plies_since_irreversible: u16,
    pub(super) fullmove_number: u32,
}

piece_board!(Board);

impl Board {
    /// An empty board. It is not legal; only the FEN parser and spare history entries use it.
    pub(super) const fn empty() -> Board {
        Board {
            by_kind: [Bitboard::EMPTY; 6],
            by_side: [Bitboard::EMPTY; 2],
            mailbox: [Piece::NONE; 64],
            keys: Keys { main: 0, pawn: 0, minor: 0, non_pawn: [0; 2] },
            checkers: Bitboard::EMPTY,
            blockers: Bitboard::EMPTY,
            enemy_pawn_attacks: Bitboard::EMPTY,
            castling: Bitboard::EMPTY,
            side: Side::White,
            en_passant: None,
            rule50: 0,
            plies_since_irreversible: 0,
            fullmove_number: 1,
        }
    }

    /// The change of the main key by a quiet move of `piece` between the two squares, side to move included.
    pub(super) const fn reversible_move_key(piece: Piece, from: Square, to: Square) -> u64 {
        let keys = &ZOBRIST.pieces[piece.index()];
        keys[from.index()] ^ keys[to.index()] ^ ZOBRIST.black
    }

    /// For prefetching: wrong after castling, promotion, en passant, and changes of castling or en passant rights.
    #[inline(always)]
    pub(super) fn key_after(&self, mv: Move) -> Option<u64> {
        let (from, to) = (mv.from(), mv.to());
        let captured = ZOBRIST.pieces[self.piece_on(to).index()][to.index()];
        Some(self.keys.main ^ Board::reversible_move_key(self.piece_on(from), from, to) ^ captured)
    }

    /// Rooks and queens of both sides.
    #[inline(always)]
    pub(super) fn orthogonal(&self) -> Bitboard {
        self.by_kind[PieceType::Rook.index()] | self.by_kind[PieceType::Queen.index()]
    }

    /// Bishops and queens of both sides.
    #[inline(always)]
    pub(super) fn diagonal(&self) -> Bitboard {
        self.by_kind[PieceType::Bishop.index()] | self.by_kind[PieceType::Queen.index()]
    }

    /// The pieces of both sides that attack `square`, with `occupied` as the blockers of sliders.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::pawn(Side::Black, square) & self.pieces(Side::White, PieceType::Pawn)
            | attacks::pawn(Side::White, square) & self.pieces(Side::Black, PieceType::Pawn)
            | attacks::knight(square) & self.pieces_of_kind(PieceType::Knight)
            | attacks::king(square) & self.pieces_of_kind(PieceType::King)
            | attacks::bishop(square, occupied) & self.diagonal()
            | attacks::rook(square, occupied) & self.orthogonal()
    }

    /// The squares that the pieces of `side` attack, also those on which they defend a piece.
    #[inline]
    pub(super) fn attacked_by(&self, side: Side) -> Bitboard {
        let (own, occupied) = (self.occupied_by(side), self.occupied());
        let knights = self.pieces(side, PieceType::Knight).map(attacks::knight);
        let diagonal = (self.diagonal() & own).map(|square| attacks::bishop(square, occupied));
        let orthogonal = (self.orthogonal() & own).map(|square| attacks::rook(square, occupied));
        let near = attacks::pawns(side, self.pieces(side, PieceType::Pawn)) | attacks::king(self.king(side));
        knights.chain(diagonal).chain(orthogonal).fold(near, |attacked, more| attacked | more)
    }

    /// Whether a piece of `by` attacks `square`, with `occupied` as the blockers of sliders.
    #[inline(always)]
    pub(super) fn is_attacked(&self, square: Square, by: Side, occupied: Bitboard) -> bool {
        let near = attacks::pawn(!by, square) & self.pieces_of_kind(PieceType::Pawn)
            | attacks::knight(square) & self.pieces_of_kind(PieceType::Knight)
            | attacks::king(square) & self.pieces_of_kind(PieceType::King);
        (near & self.occupied_by(by)).has_any() || self.is_attacked_by_slider(square, by, occupied)
    }

    /// Whether a slider of `by` on one of the `occupied` squares attacks `square`, with `occupied` as blockers.
    #[inline(always)]
    pub(super) fn is_attacked_by_slider(&self, square: Square, by: Side, occupied: Bitboard) -> bool {
        let sliders = self.occupied_by(by) & occupied;
        (attacks::bishop(square, occupied) & self.diagonal() & sliders).has_any()
            || (attacks::rook(square, occupied) & self.orthogonal() & sliders).has_any()
    }

    #[inline(always)]
    fn toggle_piece(&mut self, square: Square, piece: Piece, kind: PieceType) {
        let (bit, side) = (square.bit(), piece.side());
        self.by_kind[kind.index()] ^= bit;
        self.by_side[side.index()] ^= bit;
        self.toggle_keys(ZOBRIST.pieces[piece.index()][square.index()], piece);
    }

    /// Toggles the main key and the others of `piece`. Masks, not branches: the kind of the moving piece is unpredictable.
    #[inline(always)]
    fn toggle_keys(&mut self, key: u64, piece: Piece) {
        self.keys.main ^= key;
        let masks = &KEY_MASKS[piece.index()];
        self.keys.pawn ^= key & masks.pawn;
        self.keys.minor ^= key & masks.minor;
        self.keys.non_pawn[0] ^= key & masks.non_pawn[0];
        self.keys.non_pawn[1] ^= key & masks.non_pawn[1];
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put_piece(&mut self, square: Square, piece: Piece) {
        if let Some(kind) = piece.kind() {
            self.mailbox[square.index()] = piece;
            self.toggle_piece(square, piece, kind);
        }
    }

    #[inline(always)]
    fn remove_piece(&mut self, square: Square) {
        let piece = self.piece_on(square);
        if let Some(kind) = piece.kind() {
            self.mailbox[square.index()] = Piece::NONE;
            self.toggle_piece(square, piece, kind);
        }
    }

    #[inline(always)]
    pub(super) fn retain_castling(&mut self, kept: Bitboard) {
        let lost = self.castling - kept;
        if lost.has_any() {
            for rook in lost {
                self.keys.main ^= ZOBRIST.castling[rook.index()];
            }
            self.castling &= kept;
            self.plies_since_irreversible = 0;
        }
    }

    pub(super) fn add_castling(&mut self, rook: Square) {
        self.castling |= rook.bit();
        self.keys.main ^= ZOBRIST.castling[rook.index()];
    }

    #[inline(always)]
    pub(super) fn set_en_passant(&mut self, square: Option<Square>) {
        for square in [self.en_passant, square].into_iter().flatten() {
            self.keys.main ^= ZOBRIST.en_passant[square.file() as usize];
        }
        self.en_passant = square;
    }

    /// The squares of king and rook after castling with the rook on `rook`.
    pub(super) fn castling_targets(&self, king: Square, rook: Square) -> (Square, Square) {
        let (king_file, rook_file) = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
        (Square::at(king_file, king.rank()), Square::at(rook_file, king.rank()))
    }

    #[inline]
    pub(super) fn play(&mut self, mv: Move) {
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let piece = self.piece_on(from);
        // Saturating, because a game of any length may follow a FEN with any clock.
        self.rule50 = self.rule50.saturating_add(1);
        self.plies_since_irreversible = self.plies_since_irreversible.saturating_add(1);
        self.fullmove_number += us as u32;
        if self.en_passant.is_some() {
            self.set_en_passant(None);
        }
        if mv.is_normal() {
            if mv.is_capture() {
                self.remove_piece(to);
                self.rule50 = 0;
                self.plies_since_irreversible = 0;
            }
            self.move_piece(from, to);
        } else {
            self.play_special(mv);
        }
        if self.castling.has_any() {
            let king_moves = piece == Piece::new(us, PieceType::King);
            let back_rank = if king_moves { Bitboard::relative_rank(us, 0) } else { Bitboard::EMPTY };
            self.retain_castling(!(from.bit() | to.bit() | back_rank));
        }
        self.set_side(!us);
        self.update_checks_and_pins();
        if mv.is_double_push() {
            let skipped = Square::new(((from.index() + to.index()) / 2) as u8);
            if self.has_legal_en_passant(skipped) {
                self.set_en_passant(Some(skipped));
            }
        }
    }

    fn play_special(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            Some(MoveKind::Castling) => {
                let (king_to, rook_to) = self.castling_targets(from, to);
                let (king, rook) = (self.piece_on(from), self.piece_on(to));
                self.remove_piece(from);
                self.remove_piece(to);
                self.put_piece(king_to, king);
                self.put_piece(rook_to, rook);
            }
            Some(MoveKind::EnPassant) => {
                self.move_piece(from, to);
                self.remove_piece(Square::at(to.file(), from.rank()));
            }
            Some(MoveKind::Promotion(kind) | MoveKind::CapturePromotion(kind)) => {
                self.remove_piece(to);
                self.remove_piece(from);
                self.put_piece(to, Piece::new(self.side, kind));
                self.rule50 = 0;
                self.plies_since_irreversible = 0;
            }
            _ => self.move_piece(from, to),
        }
    }

    /// Moves a piece to an empty square.
    #[inline(always)]
    fn move_piece(&mut self, from: Square, to: Square) {
        let piece = self.piece_on(from);
        let Some(kind) = piece.kind() else { unreachable!("no piece on {from}") };
        let (bits, side) = (from.bit() | to.bit(), piece.side());
        self.mailbox[from.index()] = Piece::NONE;
        self.mailbox[to.index()] = piece;
        self.by_kind[kind.index()] ^= bits;
        self.by_side[side.index()] ^= bits;
        let keys = &ZOBRIST.pieces[piece.index()];
        self.toggle_keys(keys[from.index()] ^ keys[to.index()], piece);
        if kind == PieceType::Pawn {
            self.rule50 = 0;
            self.plies_since_irreversible = 0;
        }
    }

    /// Makes a null move. The side to move must not be in check.
    pub(super) fn make_null_move(&mut self) {
        debug_assert!(self.checkers.is_empty());
        self.set_en_passant(None);
        self.plies_since_irreversible = 0;
        self.rule50 = self.rule50.saturating_add(1);
        self.set_side(!self.side);
        self.update_checks_and_pins();
    }

    #[inline(always)]
    pub(super) fn update_checks_and_pins(&mut self) {
        let (us, them) = (self.side, self.occupied_by(!self.side));
        let (king, occupied) = (self.king(us), self.occupied());
        let mut checkers = attacks::pawn(us, king) & self.pieces_of_kind(PieceType::Pawn)
            | attacks::knight(king) & self.pieces_of_kind(PieceType::Knight);
        checkers &= them;
        let mut blockers = Bitboard::EMPTY;
        let snipers =
            attacks::rook_rays(king) & self.orthogonal() | attacks::bishop_rays(king) & self.diagonal();
        for sniper in snipers & them {
            let between = attacks::between(king, sniper) & occupied;
            if between.is_empty() {
                checkers |= sniper.bit();
            } else if !between.more_than_one() {
                blockers |= between;
            }
        }
        self.checkers = checkers;
        self.blockers = blockers;
        self.enemy_pawn_attacks = attacks::pawns(!us, self.pieces(!us, PieceType::Pawn));
    }

    /// Whether the side to move has a legal en passant capture on `square`, which an enemy pawn just skipped.
    pub(super) fn has_legal_en_passant(&self, square: Square) -> bool {
        let us = self.side;
        let mut capturers = attacks::pawn(!us, square) & self.pieces(us, PieceType::Pawn);
        capturers.any(|from| self.en_passant_is_safe(from, square))
    }

    /// Whether an en passant capture leaves the own king out of check. The two removed pawns may open any line.
    pub(super) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let (us, king) = (self.side, self.king(self.side));
        let captured = Square::at(to.file(), from.rank());
        let occupied = (self.occupied() ^ from.bit() ^ captured.bit()) | to.bit();
        (self.attackers(king, occupied) & (self.occupied_by(!us) - captured.bit())).is_empty()
    }
}
