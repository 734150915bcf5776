//! The choice of the evaluation: the arguments of tools, and networks from files.

use super::read_to_end;
use crate::data::open_file;
use crate::game::{Evaluator, Variant};
use crate::nnue::Network;
use anyhow::Context;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What evaluates the positions of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum EvaluationChoice {
    /// The hand-written evaluation of the game.
    Classical,
    /// A network: the default, in a game that has one.
    #[default]
    Network,
}

impl EvaluationChoice {
    /// All choices.
    pub const ALL: [EvaluationChoice; 2] = [EvaluationChoice::Classical, EvaluationChoice::Network];

    /// The value of the option `Evaluation`.
    pub fn name(self) -> &'static str {
        match self {
            EvaluationChoice::Classical => "classical",
            EvaluationChoice::Network => "network",
        }
    }
}

/// The evaluation that a tool uses.
#[derive(Clone, Debug, clap::Args)]
pub struct EvaluationArgs {
    /// What evaluates positions [default: network, or classical in a game without networks]
    #[arg(long, value_enum)]
    evaluation: Option<EvaluationChoice>,
    /// The file of the network [default: the network in the program]
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

impl EvaluationArgs {
    /// The file of the network, if one is given.
    pub fn file(&self) -> Option<&PathBuf> {
        self.eval_file.as_ref()
    }

    /// The network that evaluates the game of `position`; `None` for the hand-written evaluation.
    ///
    /// # Errors
    /// If the file is no network for the game, or if the arguments ask for a network and there is none.
    pub fn network<G: Variant>(&self, position: &G) -> anyhow::Result<Option<Arc<Network>>> {
        match (self.evaluation.unwrap_or_default(), &self.eval_file) {
            (EvaluationChoice::Classical, None) => Ok(None),
            (EvaluationChoice::Classical, Some(_)) => {
                anyhow::bail!("--eval-file: expected --evaluation network, found classical")
            }
            (EvaluationChoice::Network, Some(path)) => {
                let network = read_network::<G>(path);
                Ok(Some(Arc::new(network.with_context(|| format!("--eval-file: {}", path.display()))?)))
            }
            (EvaluationChoice::Network, None) => {
                let network = G::embedded_network().context("the network in the program")?;
                let variant = position.variant();
                anyhow::ensure!(
                    network.is_some() || self.evaluation.is_none(),
                    "--evaluation: the program contains no network for {variant}, expected --eval-file"
                );
                Ok(network)
            }
        }
    }
}

/// The name of an evaluation in the header of a training file: `classical`, or the hash of the network.
pub fn evaluation_name(network: Option<&Arc<Network>>) -> String {
    network.map_or("classical".into(), |network| format!("{:08x}", network.hash()))
}

/// Reads a network for the game `G` from the file at `path`.
///
/// # Errors
/// If the file cannot be read, or if it is no network for `G`.
pub fn read_network<G: Variant>(path: &Path) -> anyhow::Result<Network> {
    let bytes = read_to_end(open_file(path, OpenOptions::new().read(true))?)?;
    Ok(G::Evaluator::read_network(&bytes)?)
}
