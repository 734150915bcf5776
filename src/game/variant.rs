//! A game as the program offers it.

use super::{Evaluator, Heuristics, Notation, Score, TableFiles, Tablebase, Term, Wdl};
use crate::nnue::{Network, NetworkError};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What the server and the tools need of a game beside its rules, its notation and its heuristics: what evaluates it, what
/// is read once and shared by all threads (networks, endgame tables), and what people want to see of an evaluation.
#[expect(unused_variables, reason = "the defaults ignore parameters")]
pub trait Variant: Heuristics + Notation {
    /// What evaluates the positions of a search.
    type Evaluator: Evaluator<Self>;

    /// The variant that networks for this game name, one for all variants of the type; empty if no network evaluates the game.
    const NETWORK: &'static str = "";

    /// The file of the network for this game that is a part of the program, if there is one.
    const EMBEDDED_NETWORK: Option<&'static [u8]> = None;

    /// Returns the network for this game that is a part of the program, if there is one. It is read once.
    ///
    /// # Errors
    /// If there is no memory for it, or if it is no network for the game.
    fn embedded_network() -> Result<Option<Arc<Network>>, NetworkError> {
        static NETWORKS: Mutex<BTreeMap<&str, Arc<Network>>> = Mutex::new(BTreeMap::new());
        let Some(file) = Self::EMBEDDED_NETWORK else { return Ok(None) };
        let mut networks = NETWORKS.lock().unwrap_or_else(PoisonError::into_inner);
        if !networks.contains_key(Self::NETWORK) {
            networks.insert(Self::NETWORK, Arc::new(Self::Evaluator::read_network(file)?));
        }
        Ok(networks.get(Self::NETWORK).cloned())
    }

    /// Returns the endgame tables among `files`; `None` if the game has none.
    fn open_tablebase(files: &TableFiles) -> Option<Arc<dyn Tablebase<Self>>> {
        None
    }

    /// Returns how often the side to move wins, draws and loses if its score is `score`, by `network` or else by the
    /// hand-written evaluation.
    fn wdl(&self, score: Score, network: Option<&Network>) -> Wdl {
        Wdl::logistic(score, 150.0, 70.0)
    }

    /// Returns the game phase that tapers [`Variant::terms`], from 0 (endgame) to 256 (middlegame).
    fn phase(&self) -> u32 {
        128
    }

    /// Returns the terms of the hand-written evaluation, for display; empty if it has none to show.
    fn terms(&self) -> Vec<Term> {
        Vec::new()
    }

    /// Returns what the value of `network` rests on, as text for display that ends in an empty line; `None` if the
    /// hand-written evaluation takes the network's place here.
    fn explain_network(&self, network: &Arc<Network>) -> Option<String> {
        None
    }
}
