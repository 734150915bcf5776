//! What several tests use.

pub mod process;
pub mod random_game;
pub mod script;
