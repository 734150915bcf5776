//! One chess position without its past: what stands where, whose turn it is, and the keys.

use super::attacks;
use super::bitboard::{Bitboard, Piece, PieceType, Square};
use super::moves::{ChessMove, MoveKind};
use crate::game::{Move, Side, SplitMix64};

/// Hashes of a position and of the parts of it whose evaluation errors tend to repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Keys {
    /// Everything that decides how the game can go on.
    pub main: u64,
    /// The pawns of both sides, the minor pieces of both, White's men but pawns, Black's men but pawns.
    pub parts: [u64; 4],
}

/// Which of [`Keys::parts`] a man belongs to.
static KEY_MASKS: [[u64; 4]; Piece::COUNT] = part_masks();

const fn part_masks() -> [[u64; 4]; Piece::COUNT] {
    let mut masks = [[0; 4]; Piece::COUNT];
    let mut side = 0;
    while side < 2 {
        let mut i = 0;
        while i < PieceType::ALL.len() {
            let (piece, man) = (PieceType::ALL[i], Piece::new(Side::ALL[side], PieceType::ALL[i]));
            match piece {
                PieceType::Pawn => masks[man.index()][0] = !0,
                PieceType::Knight | PieceType::Bishop => masks[man.index()][1] = !0,
                _ => {}
            }
            if !matches!(piece, PieceType::Pawn) {
                masks[man.index()][2 + side] = !0;
            }
            i += 1;
        }
        side += 1;
    }
    masks
}

struct Zobrist {
    men: [[u64; 64]; Piece::COUNT],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black: u64,
}

const fn zobrist() -> Zobrist {
    let mut keys = SplitMix64::new(0x000D_0171);
    let mut men = [[0; 64]; Piece::COUNT];
    let mut i = 0;
    while i < Piece::COUNT {
        // Indices 6, 7, 14 and 15 are no men and must leave every key as it is.
        if i & 7 < 6 {
            men[i] = keys.array();
        }
        i += 1;
    }
    Zobrist { men, castling: keys.array(), en_passant: keys.array(), black: keys.next() }
}

static ZOBRIST: Zobrist = zobrist();

/// A chess board that cannot be illegal: it comes out of the FEN reader or out of a legal move.
///
/// 216 bytes: a search copies it before each move and needs no other undo.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    pub(super) pieces: [Bitboard; 6],
    pub(super) sides: [Bitboard; 2],
    pub(super) men: [Piece; 64],
    pub(super) keys: Keys,
    /// The enemy men that give check.
    pub(super) checkers: Bitboard,
    /// The men of either side that alone stand between the mover's king and an enemy slider.
    pub(super) blockers: Bitboard,
    /// What the enemy pawns attack.
    pub(super) enemy_pawn_attacks: Bitboard,
    /// The rooks that may still castle.
    pub(super) castling: Bitboard,
    pub(super) side: Side,
    /// The square behind a pawn that just moved two squares, only if a legal move takes it there.
    pub(super) en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub(super) halfmove: u16,
    /// Plies since the last move that cannot be taken back on the board, passes included.
    pub(super) plies_since_irreversible: u16,
    /// The number of the move, from 1.
    pub(super) fullmove: u32,
}

impl Board {
    /// An empty board, which is not legal yet: only the FEN reader starts here.
    pub(super) const fn empty() -> Board {
        Board {
            pieces: [Bitboard::EMPTY; 6],
            sides: [Bitboard::EMPTY; 2],
            men: [Piece::NONE; 64],
            keys: Keys { main: 0, parts: [0; 4] },
            checkers: Bitboard::EMPTY,
            blockers: Bitboard::EMPTY,
            enemy_pawn_attacks: Bitboard::EMPTY,
            castling: Bitboard::EMPTY,
            side: Side::White,
            en_passant: None,
            halfmove: 0,
            plies_since_irreversible: 0,
            fullmove: 1,
        }
    }

    /// What a step of `man` between two empty squares changes in the main key, with the turn.
    pub(super) const fn step_key(man: Piece, from: Square, to: Square) -> u64 {
        let keys = &ZOBRIST.men[man.index()];
        keys[from.index()] ^ keys[to.index()] ^ ZOBRIST.black
    }

    /// The main key after a move, but for castling, promotion and capture in passing.
    #[inline(always)]
    pub(super) fn likely_key(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let taken = ZOBRIST.men[self.piece_on(to).index()][to.index()];
        self.keys.main ^ Board::step_key(self.piece_on(from), from, to) ^ taken
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn side(&self) -> Side {
        self.side
    }

    /// All men of a side.
    #[inline(always)]
    pub fn occupied_by(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// All pieces of a kind.
    #[inline(always)]
    pub fn pieces_of_kind(&self, piece: PieceType) -> Bitboard {
        self.pieces[piece.index()]
    }

    /// The pieces of a kind and side.
    #[inline(always)]
    pub fn men(&self, side: Side, piece: PieceType) -> Bitboard {
        self.pieces[piece.index()] & self.sides[side.index()]
    }

    /// Every occupied square.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// What stands on a square.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Piece {
        self.men[square.index()]
    }

    /// Where a side's king stands.
    #[inline(always)]
    pub fn king(&self, side: Side) -> Square {
        self.men(side, PieceType::King).lsb()
    }

    /// The enemy men that give check.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// The keys.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Plies since the last capture or pawn move.
    pub fn halfmove(&self) -> u16 {
        self.halfmove
    }

    /// The rooks that move along ranks and files: rooks and queens.
    #[inline(always)]
    pub(super) fn orthogonal(&self) -> Bitboard {
        self.pieces[PieceType::Rook.index()] | self.pieces[PieceType::Queen.index()]
    }

    /// The pieces that move along diagonals: bishops and queens.
    #[inline(always)]
    pub(super) fn diagonal(&self) -> Bitboard {
        self.pieces[PieceType::Bishop.index()] | self.pieces[PieceType::Queen.index()]
    }

    /// The men of both sides that attack `square` when `occupied` squares block sliders.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::pawn(Side::Black, square) & self.men(Side::White, PieceType::Pawn)
            | attacks::pawn(Side::White, square) & self.men(Side::Black, PieceType::Pawn)
            | attacks::knight(square) & self.pieces_of_kind(PieceType::Knight)
            | attacks::king(square) & self.pieces_of_kind(PieceType::King)
            | attacks::bishop(square, occupied) & self.diagonal()
            | attacks::rook(square, occupied) & self.orthogonal()
    }

    /// Whether a man of `by` attacks `square` when `occupied` squares block sliders.
    #[inline(always)]
    pub(super) fn is_attacked(&self, square: Square, by: Side, occupied: Bitboard) -> bool {
        let near = attacks::pawn(!by, square) & self.pieces_of_kind(PieceType::Pawn)
            | attacks::knight(square) & self.pieces_of_kind(PieceType::Knight)
            | attacks::king(square) & self.pieces_of_kind(PieceType::King);
        (near & self.occupied_by(by)).has_any() || self.slides_to(square, by, occupied)
    }

    /// Whether a slider of `by` on one of the `occupied` squares attacks `square`; they block it.
    #[inline(always)]
    pub(super) fn slides_to(&self, square: Square, by: Side, occupied: Bitboard) -> bool {
        let sliders = self.occupied_by(by) & occupied;
        (attacks::bishop(square, occupied) & self.diagonal() & sliders).has_any()
            || (attacks::rook(square, occupied) & self.orthogonal() & sliders).has_any()
    }

    /// Puts a man on an empty square or, given again, takes it away; keys follow.
    #[inline(always)]
    fn toggle_piece(&mut self, square: Square, man: Piece, piece: PieceType) {
        let (bit, side) = (square.bit(), man.side());
        self.pieces[piece.index()] ^= bit;
        self.sides[side.index()] ^= bit;
        self.toggle_keys(ZOBRIST.men[man.index()][square.index()], man);
    }

    /// Masks, not branches: the kind of the next man to move cannot be predicted.
    #[inline(always)]
    fn toggle_keys(&mut self, key: u64, man: Piece) {
        self.keys.main ^= key;
        for (part, mask) in self.keys.parts.iter_mut().zip(KEY_MASKS[man.index()]) {
            *part ^= key & mask;
        }
    }

    /// Puts a man on an empty square.
    #[inline(always)]
    pub(super) fn put_piece(&mut self, square: Square, man: Piece) {
        if let Some(piece) = man.piece() {
            self.men[square.index()] = man;
            self.toggle_piece(square, man, piece);
        }
    }

    /// Empties a square.
    #[inline(always)]
    fn remove_piece(&mut self, square: Square) {
        let man = self.piece_on(square);
        if let Some(piece) = man.piece() {
            self.men[square.index()] = Piece::NONE;
            self.toggle_piece(square, man, piece);
        }
    }

    /// Takes away the rights of the rooks not in `kept`.
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

    /// Gives a rook the right to castle.
    pub(super) fn add_castling(&mut self, rook: Square) {
        self.castling |= rook.bit();
        self.keys.main ^= ZOBRIST.castling[rook.index()];
    }

    /// Changes the square for capture in passing.
    #[inline(always)]
    pub(super) fn set_en_passant(&mut self, square: Option<Square>) {
        for square in [self.en_passant, square].into_iter().flatten() {
            self.keys.main ^= ZOBRIST.en_passant[square.file() as usize];
        }
        self.en_passant = square;
    }

    /// Passes the turn to the other side; checks are not looked at again.
    #[inline(always)]
    pub(super) fn set_side(&mut self, side: Side) {
        if side != self.side {
            self.keys.main ^= ZOBRIST.black;
        }
        self.side = side;
    }

    /// Where king and rook stand after castling with the rook on `rook`.
    pub(super) fn castling_targets(&self, king: Square, rook: Square) -> (Square, Square) {
        let (king_file, rook_file) = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
        (Square::at(king_file, king.rank()), Square::at(rook_file, king.rank()))
    }

    /// Plays a legal move.
    #[inline]
    pub(super) fn play(&mut self, mv: Move) {
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let man = self.piece_on(from);
        // Saturating: a game record of any length may follow a FEN with any clock.
        self.halfmove = self.halfmove.saturating_add(1);
        self.plies_since_irreversible = self.plies_since_irreversible.saturating_add(1);
        self.fullmove += us as u32;
        if self.en_passant.is_some() {
            self.set_en_passant(None);
        }
        if mv.is_normal() {
            if mv.is_capture() {
                self.remove_piece(to);
                self.halfmove = 0;
                self.plies_since_irreversible = 0;
            }
            self.move_piece(from, to);
        } else {
            self.play_special(mv);
        }
        if self.castling.has_any() {
            let king_moves = man == Piece::new(us, PieceType::King);
            let home = if king_moves { Bitboard::relative_rank(us, 0) } else { Bitboard::EMPTY };
            self.retain_castling(!(from.bit() | to.bit() | home));
        }
        self.set_side(!us);
        self.update_checks_and_pins();
        if mv.is_double_push() {
            let passed = Square::new(((from.index() + to.index()) / 2) as u8);
            if self.has_legal_en_passant(passed) {
                self.set_en_passant(Some(passed));
            }
        }
    }

    /// The men's part of a move that is more than a step or a capture.
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
            Some(MoveKind::Promotion(piece) | MoveKind::CapturePromotion(piece)) => {
                self.remove_piece(to);
                self.remove_piece(from);
                self.put_piece(to, Piece::new(self.side, piece));
                self.halfmove = 0;
                self.plies_since_irreversible = 0;
            }
            _ => self.move_piece(from, to),
        }
    }

    /// Moves a man to an empty square.
    #[inline(always)]
    fn move_piece(&mut self, from: Square, to: Square) {
        let man = self.piece_on(from);
        let Some(piece) = man.piece() else { unreachable!("no man on {from}") };
        let (bits, side) = (from.bit() | to.bit(), man.side());
        self.men[from.index()] = Piece::NONE;
        self.men[to.index()] = man;
        self.pieces[piece.index()] ^= bits;
        self.sides[side.index()] ^= bits;
        let keys = &ZOBRIST.men[man.index()];
        self.toggle_keys(keys[from.index()] ^ keys[to.index()], man);
        if piece == PieceType::Pawn {
            self.halfmove = 0;
            self.plies_since_irreversible = 0;
        }
    }

    /// Passes: the side to move makes no move. It must not be in check.
    pub(super) fn pass(&mut self) {
        debug_assert!(self.checkers.is_empty());
        self.set_en_passant(None);
        self.plies_since_irreversible = 0;
        self.halfmove = self.halfmove.saturating_add(1);
        self.set_side(!self.side);
        self.update_checks_and_pins();
    }

    /// Fills in checkers, blockers and guarded squares for the side to move.
    #[inline(always)]
    pub(super) fn update_checks_and_pins(&mut self) {
        let (us, them) = (self.side, self.occupied_by(!self.side));
        let (king, occupied) = (self.king(us), self.occupied());
        let mut checkers = attacks::pawn(us, king) & self.pieces_of_kind(PieceType::Pawn)
            | attacks::knight(king) & self.pieces_of_kind(PieceType::Knight);
        checkers &= them;
        let mut blockers = Bitboard::EMPTY;
        let snipers =
            attacks::rook_rays(king) & self.orthogonal() | attacks::bishop_lines(king) & self.diagonal();
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
        self.enemy_pawn_attacks = attacks::pawns(!us, self.men(!us, PieceType::Pawn));
    }

    /// Whether the mover has a legal capture on `square`, over which an enemy pawn just went.
    pub(super) fn has_legal_en_passant(&self, square: Square) -> bool {
        let us = self.side;
        let mut takers = attacks::pawn(!us, square) & self.men(us, PieceType::Pawn);
        takers.any(|from| self.en_passant_is_safe(from, square))
    }

    /// Whether the mover's king is safe after a capture in passing; the two pawns that leave may open any line.
    pub(super) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let (us, king) = (self.side, self.king(self.side));
        let taken = Square::at(to.file(), from.rank());
        let occupied = (self.occupied() ^ from.bit() ^ taken.bit()) | to.bit();
        (self.attackers(king, occupied) & (self.occupied_by(!us) - taken.bit())).is_empty()
    }
}
