//! Perpetual chase, in the sense of the rules of the Asian Xiangqi Federation.

use super::bitboard::{Bitboard, PieceType, Square};
use super::board::Board;
use super::moves::XiangqiMove;
use crate::game::Move;

/// Whether every move of one side in a repetition chases the same enemy piece. `boards` are the positions from the first occurrence
/// to the second one, or without its last position. The side that made the last move is tested.
pub(super) fn is_perpetual_chase(boards: &[Board]) -> bool {
    let mut last = boards.len() - 1;
    let mut chased = Bitboard::ALL;
    while last > 0 {
        chased &= chased_by_move(&boards[last - 1], &boards[last]);
        if chased.is_empty() {
            return false;
        }
        if last >= 2 {
            // The squares where the pieces stood before their own side's last move.
            let (from, to) = squares_of_move(&boards[last - 2], &boards[last - 1]);
            if chased.contains(to) {
                chased = (chased - to.bit()) | from.bit();
            }
        }
        last = last.saturating_sub(2);
    }
    true
}

fn squares_of_move(before: &Board, after: &Board) -> (Square, Square) {
    let [old, new] = [before, after].map(|board| board.occupied_by(before.side));
    ((old - new).lsb(), (new - old).lsb())
}

/// The pieces that a move chases: those that it threatens and that the same piece did not threaten before.
fn chased_by_move(before: &Board, after: &Board) -> Bitboard {
    let (from, to) = squares_of_move(before, after);
    let mut passed = *after;
    passed.pass_turn();
    let mut chased = Bitboard::EMPTY;
    for victim in victims(&passed) {
        let is_new = |attacker: Square| {
            let origin = if attacker == to { from } else { attacker };
            !is_threat(before, origin, victim)
        };
        if attackers(&passed, victim).any(|attacker| is_threat(&passed, attacker, victim) && is_new(attacker))
        {
            chased |= victim.bit();
        }
    }
    chased
}

/// The enemy pieces that can be chased: not the king, nor a pawn that has not crossed the river.
fn victims(board: &Board) -> Bitboard {
    let enemy = !board.side;
    let pawns = board.pieces(enemy, PieceType::Pawn) & Bitboard::home(enemy);
    board.occupied_by(enemy) - pawns - board.pieces_of_kind(PieceType::King)
}

/// The pieces of the side to move that may chase and can capture on `victim`, apart from checks: not the king, nor a pawn.
fn attackers(board: &Board, victim: Square) -> Bitboard {
    let others = board.pieces_of_kind(PieceType::King) | board.pieces_of_kind(PieceType::Pawn);
    (board.attackers(victim, board.occupied()) & board.occupied_by(board.side)) - others
}

/// Whether the side to move can capture `victim` with the piece on `attacker`, and gains by it: the victim is unprotected, or
/// worth more. Pieces of the same kind that attack each other do not threaten each other.
fn is_threat(board: &Board, attacker: Square, victim: Square) -> bool {
    use PieceType::{Adviser, Cannon, Elephant, Horse, Rook};
    let capture = Move::encode(attacker, victim, true);
    let (Some(kind), Some(victim_kind)) = (board.piece_on(attacker).kind(), board.piece_on(victim).kind())
    else {
        return false;
    };
    if !board.is_legal(capture) {
        return false;
    }
    let is_worth_more = match kind {
        Horse | Cannon => victim_kind == Rook,
        Adviser | Elephant => matches!(victim_kind, Rook | Cannon | Horse),
        _ => false,
    };
    if is_worth_more {
        return true;
    }
    if kind == victim_kind {
        let mut passed = *board;
        passed.pass_turn();
        if passed.is_legal(Move::encode(victim, attacker, true)) {
            return false;
        }
    }
    let mut after = *board;
    after.play(capture);
    let recaptures = after.attackers(victim, after.occupied()) & after.occupied_by(after.side);
    !recaptures.into_iter().any(|piece| after.is_legal(Move::encode(piece, victim, true)))
}
