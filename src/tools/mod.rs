//! What the subcommands run.

pub mod bench;
pub mod compare;
pub mod data;
pub mod datagen;
pub mod openings;
mod progress;
pub mod solve;
