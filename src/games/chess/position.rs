//! A chess position with its past, as the search and the server see it.

use super::bitboard::{Bitboard, Piece, PieceType, Square};
use super::board::{Board, Keys};
use super::cuckoo;
use super::fen;
use super::movegen::GenType;
use super::moves::{ChessMove, MoveKind, PROMOTIONS};
use super::san;
use crate::game::{
    Game, Heuristics, Move, MoveList, Notation, NotationError, NotationOptions, Outcome, Parsed, Ply, Side,
};

/// A position of a game of chess or Chess960, with the positions before it.
#[derive(Clone, Debug)]
pub struct Position {
    /// The boards of the game so far, the oldest first; the last is the present one. A move appends a
    /// changed copy and taking it back drops that: half the copying of saving and restoring one board,
    /// and no load waits for a store just made, which together made perft 1.5 times as fast.
    boards: Vec<Board>,
    /// Where the present board is; those behind it are room for the next moves.
    current: usize,
}

const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Position {
    /// The board without its past.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.boards[self.current]
    }

    /// Appends a copy of the present board to change.
    #[inline(always)]
    fn push(&mut self) -> &mut Board {
        self.current += 1;
        if self.current == self.boards.len() {
            self.grow();
        }
        let (past, room) = self.boards.split_at_mut(self.current);
        room[0] = past[past.len() - 1];
        &mut room[0]
    }

    #[cold]
    fn grow(&mut self) {
        self.boards.resize(2 * self.boards.len().max(64), Board::empty());
    }

    #[inline(always)]
    fn pop(&mut self) {
        self.current -= 1;
    }

    /// Neither side has the material to mate by any sequence of moves: bare kings, one minor piece,
    /// or bishops on squares of one colour.
    fn is_insufficient_material(&self) -> bool {
        let board = self.board();
        let sufficient = board.pieces_of_kind(PieceType::Pawn)
            | board.pieces_of_kind(PieceType::Rook)
            | board.pieces_of_kind(PieceType::Queen);
        if sufficient.has_any() {
            return false;
        }
        let (knights, bishops) =
            (board.pieces_of_kind(PieceType::Knight), board.pieces_of_kind(PieceType::Bishop));
        if knights.has_any() {
            return !(knights | bishops).more_than_one();
        }
        (bishops & Bitboard::DARK).is_empty() || (bishops - Bitboard::DARK).is_empty()
    }

    /// Whether the position occurred before: once since the root, which is `ply` plies back, or twice in all.
    fn is_repetition(&self, ply: Ply) -> bool {
        let (board, current) = (self.board(), self.current);
        let reach = (board.plies_since_irreversible as usize).min(current);
        let mut seen = 0;
        // The same side is to move every second ply; it takes four to come back.
        for back in (4..=reach).step_by(2) {
            if self.boards[current - back].keys.main == board.keys.main {
                seen += 1;
                if seen == 2 || back < ply.index() {
                    return true;
                }
            }
        }
        false
    }

    fn castling_text(&self, mv: Move, options: NotationOptions) -> String {
        let (king, rook) = (mv.from(), mv.to());
        // King e1, rook a1 or h1: the only places where the king's two steps cannot be another move.
        let is_standard = king.file() == 4 && (rook.file() == 0 || rook.file() == 7);
        let to =
            if options.chess960 || !is_standard { rook } else { self.board().castling_targets(king, rook).0 };
        format!("{king}{to}")
    }
}

impl Game for Position {
    fn side_to_move(&self) -> Side {
        self.board().side
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        self.board().generate_moves(GenType::All, moves);
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} in {}", self.position_text(NotationOptions::default()));
        self.push().play(mv);
    }

    #[inline]
    fn undo(&mut self, _: Move) {
        self.pop();
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.board().count_moves() > 0 {
            None
        } else if self.board().checkers.has_any() {
            Some(Outcome::Win(!self.board().side))
        } else {
            Some(Outcome::Draw)
        }
    }

    fn key(&self) -> u64 {
        self.board().keys.main
    }

    fn claim(&self, ply: Ply) -> Option<Outcome> {
        let fifty_moves = self.board().rule50 >= 100;
        if fifty_moves && self.board().checkers.has_any() && self.board().count_moves() == 0 {
            return None;
        }
        (fifty_moves || self.is_insufficient_material() || self.is_repetition(ply)).then_some(Outcome::Draw)
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.board().is_legal(mv)
    }

    fn count_moves(&self) -> usize {
        self.board().count_moves()
    }
}

impl Heuristics for Position {
    const SELECTIVE: bool = true;
    const BUTTERFLY: usize = 4 * 64 * 64;
    const PIECE_TO: usize = Piece::COUNT * 64;
    const CAPTURED: usize = 8;
    const CORRECTION_KEYS: usize = 4;

    fn key_after(&self, mv: Move) -> Option<u64> {
        Some(self.board().key_after(mv))
    }

    /// Mate and stalemate are seen where a node finds no legal move.
    fn early_outcome(&self) -> Option<Outcome> {
        None
    }

    fn in_check(&self) -> bool {
        self.board().checkers.has_any()
    }

    fn is_noisy(&self, mv: Move) -> bool {
        mv.is_capture() || mv.promotion() == Some(PieceType::Queen)
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

    fn butterfly(&self, mv: Move) -> usize {
        let (threatened, from, to) = (self.board().enemy_pawn_attacks, mv.from(), mv.to());
        // A move into the reach of a pawn, or out of it, is another than the same move elsewhere.
        usize::from(threatened.contains(from)) << 13
            | usize::from(threatened.contains(to)) << 12
            | from.index() << 6
            | to.index()
    }

    fn piece_to(&self, mv: Move) -> usize {
        self.board().piece_on(mv.from()).index() << 6 | mv.to().index()
    }

    fn captured(&self, mv: Move) -> usize {
        match mv.kind() {
            Some(MoveKind::EnPassant) => PieceType::Pawn.index(),
            Some(MoveKind::Castling) => Piece::NONE.index(),
            // Where nothing is taken nothing stands.
            _ => self.board().piece_on(mv.to()).index() & 7,
        }
    }

    fn correction_keys(&self, keys: &mut [u64]) {
        let Keys { pawn, minor, non_pawn: [white, black], .. } = self.board().keys;
        keys.copy_from_slice(&[pawn, minor, white, black]);
    }

    fn structure_key(&self) -> u64 {
        self.board().keys.pawn
    }

    fn upcoming_repetition(&self, ply: Ply) -> bool {
        let (board, current) = (self.board(), self.current);
        // The earlier position must lie after the root, where one repetition counts.
        let reach = (board.plies_since_irreversible as usize).min(current).min(ply.index().saturating_sub(1));
        let key = board.keys.main;
        (3..=reach)
            .step_by(2)
            .any(|back| cuckoo::is_one_move_apart(board, key ^ self.boards[current - back].keys.main))
    }

    /// Not in check, and with more than one minor piece: with less, zugzwang is common.
    fn can_null_move(&self) -> bool {
        let (board, us) = (self.board(), self.board().side);
        let pieces = board.occupied_by(us)
            - board.pieces_of_kind(PieceType::Pawn)
            - board.pieces_of_kind(PieceType::King);
        let major = board.orthogonal() & pieces;
        board.checkers.is_empty() && (pieces.more_than_one() || major.has_any())
    }

    fn make_null_move(&mut self) {
        self.push().make_null_move();
    }

    fn unmake_null_move(&mut self) {
        self.pop();
    }

    fn reversible_plies(&self) -> i32 {
        i32::from(self.board().rule50().min(100))
    }
}

impl Notation for Position {
    const VARIANT: &'static str = "chess";

    const START_COUNT: u32 = 961;

    const BENCH: &'static [&'static str] = super::bench::POSITIONS;

    fn start() -> Position {
        let (board, _) = fen::parse(START_FEN).expect("the start position is legal");
        Position { boards: vec![board], current: 0 }
    }

    /// After the usual start come the 960 of Chess960 in their own order.
    fn start_position(number: u32) -> Option<Position> {
        if number == 0 {
            return Some(Position::start());
        }
        let text = (number < Self::START_COUNT).then(|| fen::chess960(number - 1))?;
        Some(Position::parse_position(&text).expect("every start of Chess960 is legal").game)
    }

    fn parse_position(text: &str) -> Result<Parsed<Position>, NotationError> {
        let (board, warnings) = fen::parse(text)?;
        Ok(Parsed { game: Position { boards: vec![board], current: 0 }, warnings })
    }

    fn position_text(&self, options: NotationOptions) -> String {
        fen::write(self.board(), options)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let lower = text.to_ascii_lowercase();
        let square = |range| lower.get(range).and_then(Square::parse);
        let promotion = match lower.get(4..) {
            Some("") => Some(None),
            Some(letter) => {
                PROMOTIONS.into_iter().find(|piece| letter == piece.letter().to_string()).map(Some)
            }
            None => None,
        };
        let (Some(from), Some(to), Some(promotion)) = (square(0..2), square(2..4), promotion) else {
            return Err(NotationError::new("expected a move such as e2e4 or e7e8q", text));
        };
        let moves = self.moves();
        let normal =
            |mv: &Move| !mv.is_castling() && (mv.from(), mv.to(), mv.promotion()) == (from, to, promotion);
        // Onto the rook, or the king's own step where no other move is spelled so.
        let castling = |mv: &Move| {
            mv.is_castling()
                && mv.from() == from
                && promotion.is_none()
                && (mv.to() == to || self.board().castling_targets(from, mv.to()).0 == to)
        };
        let found = moves.iter().copied().find(normal).or_else(|| moves.iter().copied().find(castling));
        found.ok_or_else(|| NotationError::new("expected a legal move", text))
    }

    fn move_text(&self, mv: Move, options: NotationOptions) -> String {
        if mv.is_castling() {
            return self.castling_text(mv, options);
        }
        let promotion = mv.promotion().map(PieceType::letter).map_or(String::new(), String::from);
        format!("{}{}{promotion}", mv.from(), mv.to())
    }

    /// SAN, or the move's squares.
    fn parse_san(&self, text: &str) -> Result<Move, NotationError> {
        san::parse(self.board(), text).or_else(|error| self.parse_move(text).map_err(|_| error))
    }

    fn san_text(&self, mv: Move) -> String {
        san::write(self.board(), mv)
    }

    fn diagram(&self) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            text.push((b'1' + rank) as char);
            for file in 0..8 {
                text.push(' ');
                text.push(self.board().piece_on(Square::at(file, rank)).letter());
            }
            text.push('\n');
        }
        text + "  a b c d e f g h"
    }

    /// Colours exchanged and the board turned upside down.
    fn flipped(&self) -> Option<Position> {
        let text = self.position_text(NotationOptions { chess960: true });
        let mut fields: Vec<String> = text.split(' ').map(String::from).collect();
        let swap = |text: &str| -> String {
            let swapped = |c: char| {
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
            };
            text.chars().map(swapped).collect()
        };
        fields[0] = swap(&fields[0].split('/').rev().collect::<Vec<_>>().join("/"));
        fields[1] = if fields[1] == "w" { "b" } else { "w" }.into();
        fields[2] = swap(&fields[2]);
        fields[3] = Square::parse(&fields[3]).map_or("-".into(), |square| square.mirrored().to_string());
        Position::parse_position(&fields.join(" ")).ok().map(|parsed| parsed.game)
    }
}
