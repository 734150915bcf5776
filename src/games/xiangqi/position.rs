//! A position of a game of xiangqi with its history: rules, repetitions and search heuristics.

use super::bitboard::{Piece, PieceType, SQUARES};
use super::board::{Board, Keys};
use super::chase;
use super::moves::XiangqiMove;
use super::params;
use crate::game::{
    BoardStack, Claim, Game, GenType, Heuristics, Move, MoveList, Notation, Outcome, Ply, SearchParams, Side,
    game_of_boards, heuristics_of_boards,
};

/// The 60-move rule: plies without a capture after which the game is a draw.
const MAX_PLIES_WITHOUT_CAPTURE: u16 = 120;

/// A position of a game of xiangqi, with the positions before it. Red is [`Side::White`].
///
/// ```
/// use duiyi::game::{Game, Notation, Outcome, Side};
/// use duiyi::games::xiangqi::Xiangqi;
///
/// let start = Xiangqi::start();
/// assert_eq!(start.moves().len(), 44);
/// let central_cannon = start.parse_move("h3e3")?;
/// assert_eq!(start.san_text(central_cannon), "C2=5");
///
/// // Black has no legal move and is not in check: stalemate is a loss.
/// let game = Xiangqi::start().parse_position("3k5/9/3P5/9/9/9/9/9/9/4K4 b")?.game;
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::White)));
/// assert_eq!(game.outcome_reason(), Some("stalemate"));
/// # Ok::<(), duiyi::game::NotationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Xiangqi {
    boards: BoardStack<Board>,
    /// Whether 60 moves of each side without a capture are a draw.
    pub(super) has_sixty_move_rule: bool,
}

impl Xiangqi {
    pub(super) fn new(board: Board) -> Xiangqi {
        Xiangqi { boards: BoardStack::new(board), has_sixty_move_rule: true }
    }

    /// The current board, without the history.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        self.boards.current()
    }

    /// Whether each of the moves in the last `back` plies by the opponent of the side to move (`skip` 0) or by the side to
    /// move (`skip` 1) gave check.
    fn is_perpetual_check(&self, back: usize, skip: usize) -> bool {
        (skip..back).step_by(2).all(|plies| self.boards.back(plies).checkers.has_any())
    }

    /// Why the game may be claimed now, if it may.
    pub(super) fn claim_reason(&self) -> Option<&'static str> {
        let Some(back) = self.boards.repetition(Ply::ROOT) else {
            return self.is_sixty_moves().then_some("60-move rule");
        };
        let has_perpetual_check = [0, 1].into_iter().any(|skip| self.is_perpetual_check(back, skip));
        Some(match self.repetition_claim(back) {
            Claim::Draw => "repetition",
            _ if has_perpetual_check => "perpetual check",
            _ => "perpetual chase",
        })
    }

    /// Whether the 60-move rule makes the game a draw. Every ply counts, also checks and moves of pawns. A side without a
    /// legal move has lost before.
    fn is_sixty_moves(&self) -> bool {
        self.has_sixty_move_rule
            && self.board().clock >= MAX_PLIES_WITHOUT_CAPTURE
            && self.board().count_moves() > 0
    }

    /// Whether each of those moves chased the same piece.
    fn is_perpetual_chase(&self, back: usize, skip: usize) -> bool {
        let boards = self.boards.last(back);
        chase::is_perpetual_chase(&boards[..boards.len() - skip])
    }

    /// The result of a repetition `back` plies ago: a side that gave check with every move loses, unless both did; else a side
    /// that chased the same piece with every move loses, unless both did.
    fn repetition_claim(&self, back: usize) -> Claim {
        let us = self.board().side;
        let loser = |ours: bool, theirs: bool| match (ours, theirs) {
            (true, false) => Some(Claim::Win(!us)),
            (false, true) => Some(Claim::Win(us)),
            (true, true) => Some(Claim::Draw),
            (false, false) => None,
        };
        loser(self.is_perpetual_check(back, 1), self.is_perpetual_check(back, 0))
            .or_else(|| loser(self.is_perpetual_chase(back, 1), self.is_perpetual_chase(back, 0)))
            .unwrap_or(Claim::Draw)
    }
}

impl Game for Xiangqi {
    game_of_boards!();

    /// A side without a legal move has lost, in check or not.
    fn outcome(&self) -> Option<Outcome> {
        (self.board().count_moves() == 0).then_some(Outcome::Win(!self.board().side))
    }

    fn claim(&self, ply: Ply) -> Option<Claim> {
        let repetition = self.boards.repetition(ply).map(|back| self.repetition_claim(back));
        repetition.or_else(|| self.is_sixty_moves().then_some(Claim::Draw))
    }
}

impl Heuristics for Xiangqi {
    const SELECTIVE: bool = true;
    const PARAMS: SearchParams = params::PARAMS;
    const BUTTERFLY: usize = SQUARES * SQUARES;
    const PIECE_TO: usize = 2 * PieceType::COUNT * SQUARES;
    const CAPTURED: usize = 8;
    const CORRECTION_KEYS: usize = 4;

    heuristics_of_boards!();

    fn is_noisy(&self, mv: Move) -> bool {
        mv.is_capture()
    }

    fn butterfly(&self, mv: Move) -> usize {
        mv.from().index() * SQUARES + mv.to().index()
    }

    fn piece_to(&self, mv: Move) -> usize {
        let piece = self.board().piece_on(mv.from());
        let row = piece.kind().map_or(0, PieceType::index) + PieceType::COUNT * piece.side().index();
        row * SQUARES + mv.to().index()
    }

    fn captured_kind(&self, mv: Move) -> usize {
        self.board().piece_on(mv.to()).index() & 7
    }

    fn correction_keys(&self, keys: &mut [u64]) {
        let Keys { pawn, guard, attackers: [red, black], .. } = self.board().keys;
        keys.copy_from_slice(&[pawn, guard, red, black]);
    }

    fn is_near_move_limit(&self) -> bool {
        self.has_sixty_move_rule && self.board().clock >= MAX_PLIES_WITHOUT_CAPTURE - 10
    }

    /// Not in check, and with a horse, a cannon or a rook: with pawns and guards alone, being stalemated is common, and
    /// it loses.
    fn can_null_move(&self) -> bool {
        let board = self.board();
        let strong = board.pieces_of_kind(PieceType::Horse)
            | board.pieces_of_kind(PieceType::Cannon)
            | board.pieces_of_kind(PieceType::Rook);
        board.checkers.is_empty() && (strong & board.occupied_by(board.side)).has_any()
    }
}

const _: () = assert!(Piece::NONE.index() < 8, "no piece is an index of captured");
