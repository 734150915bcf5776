//! Duiyi (对弈): a UCI engine server. One generic alpha-beta search plays all its games.
//!
//! `ARCHITECTURE.md` describes the layers; `tests/layers.rs` checks which modules each of them may use.

#[cfg(not(target_family = "wasm"))]
pub mod cli;
pub mod clock;
pub mod data;
pub mod game;
pub mod games;
pub mod nnue;
pub mod protocol;
pub mod search;
pub mod server;
pub mod textbook;
pub mod tools;
pub mod variants;
pub mod web;
