//! A chess position with its history: the implementation of the traits of `game`.

use super::bitboard::{Bitboard, Piece, PieceType, Square};
use super::board::{Board, Keys};
use super::cuckoo;
use super::fen;
use super::moves::{ChessMove, MoveKind, PROMOTIONS};
use super::openings;
use super::polyglot;
use super::san;
use crate::game::{
    BoardStack, Claim, Game, GameOption, GameOptionKind, GenType, Heuristics, Move, MoveList, Notation,
    NotationError, OpeningName, Outcome, Parsed, Ply, SearchParams, Side, StackedBoard, fen::swap_case,
    game_of_boards, heuristics_of_boards,
};

/// A position of a game of chess or Chess960, with the positions before it.
///
/// ```
/// use duiyi::game::{Game, Notation, Outcome, Side};
/// use duiyi::games::chess::Position;
///
/// let start = Position::start();
/// assert_eq!(start.moves().len(), 20);
///
/// let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
/// let mut game = Position::start().parse_position(fen)?.game;
/// assert_eq!(game.outcome(), None);
/// let mate = game.parse_move("a1a8")?;
/// assert_eq!(game.san_text(mate), "Ra8#");
/// game.play(mate);
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)));
/// game.undo(mate);
///
/// let error = Position::start().parse_position("8/8/8/8/8/8/8/8 w - - 0 1").unwrap_err();
/// assert!(error.to_string().contains("expected one white king, found 0"));
/// # Ok::<(), duiyi::game::NotationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    boards: BoardStack<Board>,
    /// Whether castling is written as "king takes own rook", and castling rights by the rook's file.
    chess960: bool,
}

const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Position {
    /// Returns the position in which a game starts.
    pub fn start() -> Position {
        let (board, _) = fen::parse(START_FEN).expect("the start position is legal");
        Position { boards: BoardStack::new(board), chess960: false }
    }

    /// The current board, without the history.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        self.boards.current()
    }

    /// Whether no sequence of moves can mate: bare kings, one minor piece, or only bishops on squares of one colour.
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

    /// Whether one of the positions since the last irreversible move occurred before.
    pub(super) fn has_repetition(&self) -> bool {
        let recent = self.boards.last(self.boards.reversible_plies());
        (4..recent.len()).any(|i| recent[..i - 3].iter().any(|earlier| earlier.key() == recent[i].key()))
    }

    /// Castling as king move or, for Chess960, as king to rook square.
    fn castling_text(&self, mv: Move) -> String {
        let (king, rook) = (mv.from(), mv.to());
        // King on the e file, rook on the a or h file: only there a king move of two squares is unambiguous.
        let is_standard = king.file() == 4 && (rook.file() == 0 || rook.file() == 7);
        let to =
            if self.chess960 || !is_standard { rook } else { self.board().castling_targets(king, rook).0 };
        format!("{king}{to}")
    }
}

impl Game for Position {
    game_of_boards!();

    fn outcome(&self) -> Option<Outcome> {
        if self.board().count_moves() > 0 {
            None
        } else if self.board().checkers.has_any() {
            Some(Outcome::Win(!self.board().side))
        } else {
            Some(Outcome::Draw)
        }
    }

    fn claim(&self, ply: Ply) -> Option<Claim> {
        let fifty_moves = self.board().rule50 >= 100;
        if fifty_moves && self.board().checkers.has_any() && self.board().count_moves() == 0 {
            return None;
        }
        (fifty_moves || self.is_insufficient_material() || self.boards.repetition(ply).is_some())
            .then_some(Claim::Draw)
    }
}

impl Heuristics for Position {
    const SELECTIVE: bool = true;
    const PARAMS: SearchParams = SearchParams::DEFAULT;
    const MATE_NEEDS_CHECK: bool = true;
    const BUTTERFLY: usize = 4 * 64 * 64;
    const PIECE_TO: usize = Piece::COUNT * 64;
    const CAPTURED: usize = 8;
    const CORRECTION_KEYS: usize = 4;

    heuristics_of_boards!();

    fn is_noisy(&self, mv: Move) -> bool {
        mv.is_capture() || mv.promotion() == Some(PieceType::Queen)
    }

    fn check_test(&self) -> impl Fn(Move) -> bool {
        self.board().check_test()
    }

    fn butterfly(&self, mv: Move) -> usize {
        let (threatened, from, to) = (self.board().enemy_pawn_attacks, mv.from(), mv.to());
        // Separate histories for moves from and to squares that enemy pawns attack.
        usize::from(threatened.contains(from)) << 13
            | usize::from(threatened.contains(to)) << 12
            | from.index() << 6
            | to.index()
    }

    fn piece_to(&self, mv: Move) -> usize {
        self.board().piece_on(mv.from()).index() << 6 | mv.to().index()
    }

    fn captured_kind(&self, mv: Move) -> usize {
        match mv.kind() {
            Some(MoveKind::EnPassant) => PieceType::Pawn.index(),
            Some(MoveKind::Castling) => Piece::NONE.index(),
            // The target of a quiet move is empty.
            _ => self.board().piece_on(mv.to()).index() & 7,
        }
    }

    fn correction_keys(&self, keys: &mut [u64]) {
        let Keys { pawn, minor, non_pawn: [white, black], .. } = self.board().keys;
        keys.copy_from_slice(&[pawn, minor, white, black]);
    }

    fn upcoming_repetition(&self, ply: Ply) -> bool {
        let (board, key) = (self.board(), self.board().key());
        // Only earlier positions after the root, where one repetition counts as a draw.
        let reach = self.boards.reversible_plies().min(ply.index().saturating_sub(1));
        (3..=reach)
            .step_by(2)
            .any(|back| cuckoo::is_one_move_apart(board, key ^ self.boards.back(back).key()))
    }

    /// Not in check, and with a rook, a queen or two minor pieces, because zugzwang is common with less.
    fn can_null_move(&self) -> bool {
        let (board, us) = (self.board(), self.board().side);
        let pieces = board.occupied_by(us)
            - board.pieces_of_kind(PieceType::Pawn)
            - board.pieces_of_kind(PieceType::King);
        let major = board.orthogonal() & pieces;
        board.checkers.is_empty() && (pieces.more_than_one() || major.has_any())
    }

    fn reversible_plies(&self) -> i32 {
        i32::from(self.board().rule50.min(100))
    }

    fn is_near_move_limit(&self) -> bool {
        self.board().rule50 >= 90
    }
}

impl Notation for Position {
    const SCORE_UNIT: i32 = 100;
    const START_COUNT: u32 = 961;

    const OPTIONS: &'static [GameOption<Position>] = &[GameOption {
        name: "UCI_Chess960",
        kind: GameOptionKind::Check { default: false },
        is_rule: false,
        apply: |position, value| position.chess960 = value != 0,
    }];

    fn variant(&self) -> &'static str {
        "chess"
    }

    fn initial(&self) -> Self {
        Self::start()
    }

    fn bench_positions(&self) -> &'static [&'static str] {
        super::bench::POSITIONS
    }

    /// 0 is the standard start position, 1 to 960 are those of Chess960 by Scharnagl number plus 1.
    fn start_position(&self, number: u32) -> Option<Position> {
        if number == 0 {
            return Some(Position::start());
        }
        let text = (number < Self::START_COUNT).then(|| fen::chess960(number - 1))?;
        Some(self.parse_position(&text).expect("every Chess960 start position is legal").game)
    }

    fn parse_position(&self, text: &str) -> Result<Parsed<Position>, NotationError> {
        let (board, warnings) = fen::parse(text)?;
        Ok(Parsed { game: Position { boards: BoardStack::new(board), chess960: false }, warnings })
    }

    fn position_text(&self) -> String {
        fen::write(self.board(), self.chess960)
    }

    fn record_text(&self) -> String {
        fen::write(self.board(), true)
    }

    fn has_random_start(&self) -> bool {
        self.chess960
    }

    fn opening(&self) -> Option<OpeningName> {
        openings::opening(&fen::write(self.board(), false))
    }

    fn book_key(&self) -> Option<u64> {
        Some(polyglot::key(self.board()))
    }

    fn book_move(&self, mv: Move) -> u16 {
        polyglot::code(mv)
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
        // King to rook square (Chess960), or king to its target square.
        let castling = |mv: &Move| {
            mv.is_castling()
                && mv.from() == from
                && promotion.is_none()
                && (mv.to() == to || self.board().castling_targets(from, mv.to()).0 == to)
        };
        let found = moves.iter().copied().find(normal).or_else(|| moves.iter().copied().find(castling));
        found.ok_or_else(|| NotationError::new("expected a legal move", text))
    }

    fn move_text(&self, mv: Move) -> String {
        if mv.is_castling() {
            return self.castling_text(mv);
        }
        let promotion = mv.promotion().map(PieceType::letter).map_or(String::new(), String::from);
        format!("{}{}{promotion}", mv.from(), mv.to())
    }

    /// Parses SAN, else coordinates such as e2e4.
    fn parse_san(&self, text: &str) -> Result<Move, NotationError> {
        san::parse(self.board(), text).or_else(|error| self.parse_move(text).map_err(|_| error))
    }

    fn san_text(&self, mv: Move) -> String {
        san::write(self.board(), mv)
    }

    fn outcome_reason(&self) -> Option<&'static str> {
        match (self.outcome(), self.claim(Ply::ROOT)) {
            (Some(Outcome::Win(_)), _) => Some("checkmate"),
            (Some(_), _) => Some("stalemate"),
            (None, None) => None,
            _ if self.is_insufficient_material() => Some("insufficient material"),
            _ if self.boards.repetition(Ply::ROOT).is_some() => Some("threefold repetition"),
            _ => Some("fifty-move rule"),
        }
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

    fn picture(&self) -> String {
        let piece = |letter| match "KQRBNPkqrbnp".find(letter) {
            Some(index) => "♔♕♖♗♘♙♚♛♜♝♞♟".chars().nth(index).unwrap_or(letter),
            None if letter == '.' => '·',
            None => letter,
        };
        let diagram = self.diagram();
        let (ranks, files) = diagram.rsplit_once('\n').unwrap_or_default();
        ranks.chars().map(piece).collect::<String>() + "\n" + files
    }

    fn flipped(&self) -> Option<Position> {
        let text = self.record_text();
        let mut fields: Vec<String> = text.split(' ').map(String::from).collect();
        fields[0] = swap_case(&fields[0].split('/').rev().collect::<Vec<_>>().join("/"));
        fields[1] = if fields[1] == "w" { "b" } else { "w" }.into();
        fields[2] = swap_case(&fields[2]);
        fields[3] = Square::parse(&fields[3]).map_or("-".into(), |square| square.mirrored().to_string());
        Position::start().parse_position(&fields.join(" ")).ok().map(|parsed| parsed.game)
    }
}
