//! The games. Each knows `game` only, none knows another.

pub mod chess;
