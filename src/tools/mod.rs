//! What the subcommands run.

pub mod bench;
