//! Chess and Chess960.

mod attacks;
pub mod bitboard;
mod board;
mod exchange;
mod fen;
mod magics;
mod movegen;
mod moves;
mod position;

pub use board::{Board, Keys};
pub use moves::{ChessMove, Kind};
pub use position::Position;
