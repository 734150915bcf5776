//! Results and distances of positions. A table's value is only right if no capture is better, so captures are searched.

use super::super::bitboard::PieceType;
use super::super::board::Board;
use super::super::moves::ChessMove;
use super::Syzygy;
use crate::game::Move;

/// The distance of a position whose best move is a capture or a pawn move: the move itself, and 100 plies more if the
/// fifty-move rule spoils the result.
pub fn distance_before_zeroing(wdl: i32) -> i32 {
    match wdl {
        2 => 1,
        1 => 101,
        -1 => -101,
        -2 => -1,
        _ => 0,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Probe {
    /// From -2 (loss) over -1 (blessed loss), 0 (draw) and 1 (cursed win) to 2 (win).
    wdl: i32,
    /// Whether a capture, or with pawn moves a pawn move, is best: the table has no distance then.
    is_zeroing: bool,
}

impl Syzygy {
    /// The result of the position for the side to move, from -2 (loss) to 2 (win), with the halfmove clock at 0. `None`
    /// if a table is missing or damaged.
    pub(super) fn wdl(&self, board: &Board) -> Option<i32> {
        Some(self.probe_wdl(board, false)?.wdl)
    }

    /// The result by the table and by the captures, or by all zeroing moves if `with_pawn_moves`.
    fn probe_wdl(&self, board: &Board, with_pawn_moves: bool) -> Option<Probe> {
        let moves = board.legal_moves();
        let (mut best, mut searched) = (-2, 0);
        for &mv in &moves {
            if !(mv.is_capture() || with_pawn_moves && is_pawn_move(board, mv)) {
                continue;
            }
            searched += 1;
            let wdl = -self.probe_wdl(&after(board, mv), false)?.wdl;
            if wdl == 2 {
                return Some(Probe { wdl, is_zeroing: true });
            }
            best = best.max(wdl);
        }
        // Without other moves the table's value is of no use: it ignores en passant.
        let has_no_other_moves = searched > 0 && searched == moves.len();
        let wdl = if has_no_other_moves { best } else { self.wdl_of_table(board)? };
        if searched > 0 && best >= wdl {
            return Some(Probe { wdl: best, is_zeroing: best > 0 || has_no_other_moves });
        }
        Some(Probe { wdl, is_zeroing: false })
    }

    /// The plies to the next capture or pawn move with best play, as the tables count them: positive for a win, negative
    /// for a loss, 0 for a draw, 100 more if the fifty-move rule spoils the result. It may be one ply too small. `None`
    /// if a table is missing or damaged.
    pub(super) fn dtz(&self, board: &Board) -> Option<i32> {
        let Probe { wdl, is_zeroing } = self.probe_wdl(board, true)?;
        if wdl == 0 || is_zeroing {
            return Some(distance_before_zeroing(wdl));
        }
        if let Some(distance) = self.dtz_of_table(board, wdl)? {
            return Some((distance + if wdl.abs() == 1 { 100 } else { 0 }) * wdl.signum());
        }
        // The table has the positions after a move.
        let mut best = None;
        for &mv in &board.legal_moves() {
            let next = after(board, mv);
            let distance = if mv.is_capture() || is_pawn_move(board, mv) {
                distance_before_zeroing(-self.probe_wdl(&next, false)?.wdl)
            } else if next.checkers.has_any() && next.count_moves() == 0 {
                1
            } else {
                let distance = -self.dtz(&next)?;
                distance + distance.signum()
            };
            if distance.signum() == wdl.signum() {
                best = Some(best.map_or(distance, |best: i32| best.min(distance)));
            }
        }
        // Checkmate.
        Some(best.unwrap_or(-1))
    }
}

fn is_pawn_move(board: &Board, mv: Move) -> bool {
    board.piece_on(mv.from()).kind() == Some(PieceType::Pawn)
}

fn after(board: &Board, mv: Move) -> Board {
    let mut next = *board;
    next.play(mv);
    next
}
