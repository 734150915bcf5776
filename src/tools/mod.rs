//! What the subcommands run.

pub mod bench;
pub mod compare;
pub mod solve;
