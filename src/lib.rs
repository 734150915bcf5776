//! Duiyi (对弈): a UCI-style engine server whose one generic alpha-beta search plays every game.
//!
//! `ARCHITECTURE.md` draws the layers; each module's first line says what it must not know.

pub mod cli;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod cpu_check;
pub mod data;
pub mod game;
pub mod games;
pub mod protocol;
pub mod search;
pub mod server;
pub mod textbook;
pub mod tools;
pub mod variants;
