//! The hand-written evaluation. (Material only so far.)

use super::Position;
use super::bitboard::Piece;
use super::exchange::VALUES;
use crate::game::{Evaluator, Score, Side};

/// EVAL(s) of chess as a weighted sum of what people look at.
#[derive(Debug, Default)]
pub struct Classical;

impl Evaluator<Position> for Classical {
    fn evaluate(&mut self, game: &Position) -> Score {
        let board = game.board();
        let value = |side| -> i32 {
            Piece::ALL
                .iter()
                .map(|&piece| VALUES[piece.index()] * board.men(side, piece).count() as i32)
                .sum()
        };
        let white = value(Side::White) - value(Side::Black);
        Score::new(if board.side() == Side::White { white } else { -white })
    }
}
