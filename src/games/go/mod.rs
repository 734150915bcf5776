//! Go on boards with 2 to 19 ranks and files.
//!
//! Rules: area scoring, komi in half points. Two passes in a row end the game, and stones that are on the board then are alive.
//! [`Go`] has two types. The large one is for playing: superko forbids repetitions, and the search is selective. The small
//! one is for proofs on boards up to 7x7: only the simple ko is forbidden, a repetition decides the game, see
//! `Go::repetition`, and the search is exact.

mod bench;
mod board;
mod evaluation;
mod features;
mod heuristics;
mod life;
mod notation;
mod points;
mod position;
mod rules;
mod symmetry;

#[cfg(test)]
mod tests;

pub use evaluation::Influence;
pub use position::Go;
