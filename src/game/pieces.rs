//! What the games with pieces on squares have in common, chess and xiangqi: kinds of pieces, boards, and the methods of traits
//! that only call those of the board. Macros, because each game has types of its own for squares, sets of squares and pieces.

/// Which legal moves are generated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum GenType {
    All,
    /// Captures and, in chess, queen promotions.
    Noisy,
    /// All other legal moves.
    Quiet,
}

/// Declares the kinds of pieces of a game with their letters in FEN, and `Piece`. Letters after `;` are read as others.
macro_rules! pieces {
    ($($kind:ident $letter:literal),+ $(; $alias:literal means $meant:literal)*) => {
        /// A kind of piece, from the least to the most valuable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum PieceType {
            $($kind),+
        }

        impl PieceType {
            /// All kinds in the order of [`PieceType::index`].
            pub const ALL: [PieceType; [$($letter),+].len()] = [$(PieceType::$kind),+];

            /// The number of kinds.
            pub const COUNT: usize = Self::ALL.len();

            /// The index, from 0 for a pawn to the king's.
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The FEN letter, in lower case.
            pub const fn letter(self) -> char {
                [$($letter),+][self as usize]
            }

            /// The kind with this letter, in upper or lower case.
            pub fn parse(letter: char) -> Option<PieceType> {
                let letter = match letter.to_ascii_lowercase() {
                    $($alias => $meant,)*
                    letter => letter,
                };
                PieceType::ALL.into_iter().find(|kind| kind.letter() == letter)
            }
        }

        /// The content of a square: a piece of a side, or no piece.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Piece(u8);

        impl Piece {
            /// An empty square.
            pub const NONE: Piece = Piece(PieceType::COUNT as u8);
            /// The length of tables indexed by [`Piece::index`].
            pub const COUNT: usize = 16;

            /// A piece of this side and kind.
            pub const fn new(side: Side, kind: PieceType) -> Piece {
                Piece((side as u8) << 3 | kind as u8)
            }

            /// The index in tables of [`Piece::COUNT`] elements. The lowest three bits are those of the kind, or no kind.
            #[inline(always)]
            pub const fn index(self) -> usize {
                (self.0 & 15) as usize
            }

            /// The kind of piece; `None` for an empty square.
            #[inline(always)]
            pub const fn kind(self) -> Option<PieceType> {
                const KINDS: [Option<PieceType>; 8] = {
                    let mut kinds = [None; 8];
                    $crate::game::const_for!(i, 0..PieceType::COUNT, {
                        kinds[i] = Some(PieceType::ALL[i]);
                    });
                    kinds
                };
                KINDS[(self.0 & 7) as usize]
            }

            /// The side of the piece; White for an empty square.
            #[inline(always)]
            pub const fn side(self) -> Side {
                if self.0 < 8 { Side::White } else { Side::Black }
            }

            /// The FEN letter, upper case for White; `.` for an empty square.
            pub fn letter(self) -> char {
                match (self.kind(), self.side()) {
                    (None, _) => '.',
                    (Some(kind), Side::White) => kind.letter().to_ascii_uppercase(),
                    (Some(kind), Side::Black) => kind.letter(),
                }
            }

            /// Parses a FEN letter; `None` for any other character.
            pub fn parse(letter: char) -> Option<Piece> {
                let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
                Some(Piece::new(side, PieceType::parse(letter)?))
            }
        }
    };
}

/// Implements the accessors of a board with the fields `by_kind`, `by_side`, `mailbox`, `side`, `keys` and
/// `plies_since_irreversible`. The key of Black is `ZOBRIST.black`.
macro_rules! piece_board {
    ($board:ident) => {
        impl $board {
            /// All pieces of a side.
            #[inline(always)]
            pub fn occupied_by(&self, side: Side) -> Bitboard {
                self.by_side[side.index()]
            }

            /// All pieces of a kind, of both sides.
            #[inline(always)]
            pub fn pieces_of_kind(&self, kind: PieceType) -> Bitboard {
                self.by_kind[kind.index()]
            }

            /// The pieces of a side and kind.
            #[inline(always)]
            pub fn pieces(&self, side: Side, kind: PieceType) -> Bitboard {
                self.by_kind[kind.index()] & self.by_side[side.index()]
            }

            /// All occupied squares.
            #[inline(always)]
            pub fn occupied(&self) -> Bitboard {
                self.by_side[0] | self.by_side[1]
            }

            /// The content of a square.
            #[inline(always)]
            pub fn piece_on(&self, square: Square) -> Piece {
                self.mailbox[square.index()]
            }

            /// The square of a side's king.
            #[inline(always)]
            pub fn king(&self, side: Side) -> Square {
                self.pieces(side, PieceType::King).lsb()
            }

            /// Sets the side to move without updating checks and pins.
            #[inline(always)]
            pub(super) fn set_side(&mut self, side: Side) {
                if side != self.side {
                    self.keys.main ^= ZOBRIST.black;
                }
                self.side = side;
            }
        }

        impl $crate::game::StackedBoard for $board {
            #[inline(always)]
            fn key(&self) -> u64 {
                self.keys.main
            }

            #[inline(always)]
            fn plies_since_irreversible(&self) -> usize {
                self.plies_since_irreversible.into()
            }
        }
    };
}

/// What exchanges on a square need of such a board. `$values` are the values of the kinds.
macro_rules! exchange_values {
    ($board:ident, $values:expr) => {
        impl $board {
            /// The value of `piece` in an exchange; 0 for a king, which is never lost, and for no piece.
            #[inline(always)]
            fn exchange_value(piece: Piece) -> i32 {
                static VALUES: [i32; Piece::COUNT] = {
                    let mut table = [0; Piece::COUNT];
                    $crate::game::const_for!(i, 0..PieceType::COUNT, {
                        table[Piece::new(Side::White, PieceType::ALL[i]).index()] = $values[i];
                        table[Piece::new(Side::Black, PieceType::ALL[i]).index()] = $values[i];
                    });
                    table
                };
                VALUES[piece.index()]
            }

            /// The value of the moving piece; 0 for the king.
            pub(super) fn attacker_value(&self, mv: Move) -> i32 {
                Self::exchange_value(self.piece_on(mv.from()))
            }

            /// The kind and square of the least valuable of `attackers`.
            fn least_valuable(&self, attackers: Bitboard) -> Option<(PieceType, Square)> {
                if attackers.is_empty() {
                    return None;
                }
                PieceType::ALL.into_iter().find_map(|kind| {
                    let of_kind = attackers & self.pieces_of_kind(kind);
                    of_kind.has_any().then(|| (kind, of_kind.lsb()))
                })
            }
        }
    };
}

/// The methods of [`Game`](super::Game) that only call those of the board, in a game with the boards `self.boards`.
macro_rules! game_of_boards {
    () => {
        fn side_to_move(&self) -> Side {
            self.board().side
        }

        fn legal_moves(&self, moves: &mut MoveList) {
            self.board().generate_moves(GenType::All, moves);
        }

        #[inline]
        fn play(&mut self, mv: Move) {
            debug_assert!(self.is_legal(mv), "{mv:?} in {}", self.position_text());
            self.boards.push().play(mv);
        }

        #[inline]
        fn undo(&mut self, _: Move) {
            self.boards.pop();
        }

        fn key(&self) -> u64 {
            self.board().keys.main
        }

        fn is_legal(&self, mv: Move) -> bool {
            self.board().is_legal(mv)
        }

        fn count_moves(&self) -> usize {
            self.board().count_moves()
        }
    };
}

/// The methods of [`Heuristics`](super::Heuristics) that only call those of the board, in a game with the boards `self.boards`.
macro_rules! heuristics_of_boards {
    () => {
        fn key_after(&self, mv: Move) -> Option<u64> {
            self.board().key_after(mv)
        }

        /// Always `None`: the end of the game needs move generation.
        fn early_outcome(&self) -> Option<Outcome> {
            None
        }

        fn in_check(&self) -> bool {
            self.board().checkers.has_any()
        }

        fn noisy_moves(&self, moves: &mut MoveList) {
            self.board().generate_moves(GenType::Noisy, moves);
        }

        fn quiet_moves(&self, moves: &mut MoveList) {
            self.board().generate_moves(GenType::Quiet, moves);
        }

        fn captured_value(&self, mv: Move) -> i32 {
            self.board().captured_value(mv)
        }

        fn attacker_value(&self, mv: Move) -> i32 {
            self.board().attacker_value(mv)
        }

        fn see_ge(&self, mv: Move, threshold: i32) -> bool {
            self.board().see_ge(mv, threshold)
        }

        fn gives_check(&self, mv: Move) -> bool {
            self.board().gives_check(mv)
        }

        fn structure_key(&self) -> u64 {
            self.board().keys.pawn
        }

        fn make_null_move(&mut self) {
            self.boards.push().make_null_move();
        }

        fn unmake_null_move(&mut self) {
            self.boards.pop();
        }
    };
}

/// The output bucket of a position with this number of pieces, in games of up to 32: 2 to 5, 6 to 9 and so on.
#[inline]
pub fn piece_count_bucket(pieces: usize) -> usize {
    pieces.saturating_sub(2).min(30) / 4
}

/// The numbers of pieces of each of `buckets` output buckets of [`piece_count_bucket`], as text.
pub fn piece_count_ranges(buckets: usize) -> Vec<String> {
    let counts = |bucket| (2..=32).filter(move |&count| piece_count_bucket(count) == bucket);
    let range = |bucket| Some(format!("{} to {}", counts(bucket).min()?, counts(bucket).max()?));
    (0..buckets).filter_map(range).collect()
}

/// The states of a piece: not attacked, attacked, attacked and defended.
///
/// So the inputs show threats. The idea is from Monty (<https://github.com/official-monty/Monty>), whose inputs also show whether a
/// piece that is not attacked is defended. Here that did not lower the loss, and more inputs change with a move
/// (docs/network.md).
pub const PIECE_STATES: usize = 3;

/// Raises the state in the content of each cell whose bit in `set` is 1, the first cell lowest; eight cells at a time, without a
/// branch.
#[inline(always)]
pub fn raise_state<const CELLS: usize>(cells: &mut [u8; CELLS], set: u128) {
    const STATE: u8 = 16;
    let bits = |first: usize| (set >> first) as u8;
    let (eights, rest) = cells.as_chunks_mut();
    for (index, eight) in eights.iter_mut().enumerate() {
        // The lowest bit in the lowest byte, and so on; then the highest bit of each byte that is not zero.
        let copies = u64::from(bits(8 * index)) * 0x0101_0101_0101_0101;
        let spread = copies & 0x8040_2010_0804_0201;
        let highest = (spread + 0x7F7F_7F7F_7F7F_7F7F) & 0x8080_8080_8080_8080;
        *eight = (u64::from_le_bytes(*eight) + (highest >> 3)).to_le_bytes();
    }
    for (bit, cell) in rest.iter_mut().enumerate() {
        *cell += (bits(CELLS - CELLS % 8) >> bit & 1) * STATE;
    }
}

/// What [`Features`](crate::nnue::Features) has in common for games on `$squares` squares. A content is a piece, plus 16 times its
/// state ([`PIECE_STATES`]).
macro_rules! features_of_pieces {
    ($squares:expr) => {
        type Content = u8;

        const MAX_ACTIVE: usize = 32;
        const CONTENT_BITS: usize = 8;
        const OUTPUT_BUCKETS: usize = 8;
        const EMPTY: u8 = Piece::NONE.index() as u8;

        fn contents() -> impl Iterator<Item = usize> {
            let pieces = (0..PieceType::COUNT).flat_map(|kind| [kind, kind | 8]);
            pieces.flat_map(|piece| (0..PIECE_STATES).map(move |state| piece | state << 4))
        }

        #[inline]
        fn cells(&self) -> [u8; $squares] {
            let board = self.board();
            let mut cells = board.mailbox.map(|piece| piece.index() as u8);
            let attacked_by = Side::ALL.map(|side| board.attacked_by(side));
            let attacked = Side::ALL.map(|side| board.occupied_by(side) & attacked_by[(!side).index()]);
            let defended = Side::ALL.map(|side| attacked[side.index()] & attacked_by[side.index()]);
            for [white, black] in [attacked, defended] {
                $crate::game::raise_state(&mut cells, (white | black).0.into());
            }
            cells
        }

        #[inline]
        fn perspective(&self) -> usize {
            self.board().side.index()
        }

        #[inline]
        fn output_bucket(&self) -> usize {
            $crate::game::piece_count_bucket(self.board().occupied().count() as usize)
        }
    };
}

/// The methods of [`Variant`](super::Variant) about networks, in such a game on `$files` files.
macro_rules! networks_of_pieces {
    ($files:expr) => {
        fn explain_network(&self, network: &Arc<Network>) -> Option<String> {
            let pieces = &self.board().mailbox;
            let text = $crate::game::NetworkText {
                files: $files,
                file_letter: $crate::game::file_letter,
                ranks: pieces.len() / $files,
                counted: "pieces",
                content: ["each piece", "it"],
                buckets: &$crate::game::piece_count_ranges(Self::OUTPUT_BUCKETS),
                letter: &|square| pieces[square].letter(),
                is_king: &|square| pieces[square].kind() == Some(PieceType::King),
            };
            self.is_covered().then(|| text.explain(network, self))
        }
    };
}

pub(crate) use {
    exchange_values, features_of_pieces, game_of_boards, heuristics_of_boards, networks_of_pieces,
    piece_board, pieces,
};
