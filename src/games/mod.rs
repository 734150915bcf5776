//! The games. Each knows `game` only, none knows another.

pub mod chess;
pub mod tictactoe;
pub mod tree;
pub mod triangle_war;
