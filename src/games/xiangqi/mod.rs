//! Xiangqi (Chinese chess): rules, notation, search heuristics and a hand-written evaluation.
//!
//! Rules: the side to move loses if it has no legal move, in check or not. The kings must not face each other on an open
//! file. A position that occurs for the third time may be claimed: a side that gave check with each of its moves since the
//! first occurrence loses, unless both did; else a side that chased the same piece with each of its moves loses, unless both
//! did; else it is a draw. 60 moves of each side without a capture are a draw, too, unless
//! the option `Sixty Move Rule` turns this rule off.

mod attacks;
mod bench;
mod bitboard;
mod board;
mod chase;
mod evaluation;
mod features;
mod fen;
mod hand_written;
mod movegen;
mod moves;
mod notation;
mod params;
mod position;
mod see;
mod trace;
mod weights;

#[cfg(test)]
mod tests;

pub use board::Board;
pub use hand_written::HandWritten;
pub use position::Xiangqi;
