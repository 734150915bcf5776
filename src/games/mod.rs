//! The games. Each depends on `game` only, and none depends on another.

pub mod chess;
pub mod connect_four;
pub mod go;
pub mod gomoku;
pub mod tictactoe;
pub mod tree;
pub mod triangle_war;
pub mod xiangqi;
