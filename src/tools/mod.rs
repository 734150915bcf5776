//! What the subcommands run.

pub mod bench;
pub mod solve;
