//! Duiyi (对弈): a UCI-style engine server whose one generic alpha-beta search plays every game.
//!
//! `ARCHITECTURE.md` draws the layers; each module's first line says what it must not know.

pub mod cli;
pub mod data;
pub mod game;
pub mod games;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod processor;
pub mod protocol;
pub mod search;
pub mod server;
pub mod textbook;
pub mod tools;
