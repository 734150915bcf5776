//! What the subcommands run.

pub mod analyse;
pub mod bench;
pub mod compare;
pub mod data;
pub mod datagen;
pub mod epd;
pub mod openings;
pub mod pgn;
mod progress;
pub mod solve;
pub mod trace;
pub mod tune;

use crate::game::{Move, Notation, NotationOptions, Score};
use crate::protocol::StartPosition;
use crate::server::{self, Session};

/// Seed of the random order of moves, so that every run shows the same searches.
const ORDER_SEED: u64 = 1568;

/// Where a tool begins.
#[derive(Clone, Debug, clap::Args)]
struct PositionArgs {
    /// The game, a value of the option UCI_Variant.
    #[arg(long, value_name = "V", default_value = "chess")]
    variant: String,
    /// The position as text; the game's start if not given.
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
}

impl PositionArgs {
    /// That game in that position; the error says what is wrong with the arguments.
    fn session(&self) -> anyhow::Result<Box<dyn Session>> {
        let Some(mut session) = server::session(&self.variant) else {
            anyhow::bail!("--variant: expected {}, got {:?}", server::variants().join(", "), self.variant);
        };
        if let Some(text) = &self.position {
            session.set_position(&StartPosition::Fen(text.clone()), &[]).map_err(anyhow::Error::msg)?;
        }
        Ok(session)
    }
}

/// A value in the game's unit, or the plies to a forced end; a bound that is none as infinite.
fn value_text(value: Score) -> String {
    match value.plies_to_mate() {
        _ if value == Score::INFINITE => "+inf".into(),
        _ if value == -Score::INFINITE => "-inf".into(),
        Some(plies) if value.is_win() => format!("win in {plies}"),
        Some(plies) => format!("loss in {plies}"),
        None => value.value().to_string(),
    }
}

fn move_text<G: Notation>(root: &G, mv: Option<Move>) -> String {
    mv.map_or("-".into(), |mv| root.move_text(mv, NotationOptions::default()))
}
