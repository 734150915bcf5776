//! The evaluator of every game that has a network and a hand-written evaluation.

use super::{Evaluator, Move, Score, Variant};
use crate::nnue::{Accumulators, Features, Layout, Network, NetworkError};
use std::sync::Arc;

/// Evaluates by a network if it was created with one, else by `Hand`. Positions that the network does not cover
/// ([`Features::is_covered`]) are always evaluated by `Hand`.
pub struct Networked<G: Features<CELLS>, Hand, const CELLS: usize> {
    hand: Hand,
    accumulators: Option<Accumulators<G, CELLS>>,
}

impl<G: Features<CELLS>, Hand: Default, const CELLS: usize> Default for Networked<G, Hand, CELLS> {
    fn default() -> Self {
        Networked { hand: Hand::default(), accumulators: None }
    }
}

impl<G, Hand, const CELLS: usize> Evaluator<G> for Networked<G, Hand, CELLS>
where
    G: Variant + Features<CELLS>,
    Hand: Evaluator<G>,
{
    fn new(network: Option<&Arc<Network>>) -> Self {
        Networked { hand: Hand::default(), accumulators: network.cloned().map(Accumulators::new) }
    }

    fn read_network(bytes: &[u8]) -> Result<Network, NetworkError> {
        let network = Network::from_bytes(bytes)?;
        network.check(G::NETWORK, &Layout::of::<G, CELLS>())?;
        Ok(network)
    }

    #[inline]
    fn evaluate(&mut self, game: &G) -> Score {
        match self.accumulators.as_mut().filter(|_| game.is_covered()) {
            Some(accumulators) => Score::new(accumulators.evaluate(game) + game.added_value()),
            None => self.hand.evaluate(game),
        }
    }

    fn reset(&mut self, game: &G) {
        self.hand.reset(game);
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.reset();
        }
    }

    #[inline]
    fn before_move(&mut self, game: &G, mv: Move) {
        self.hand.before_move(game, mv);
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.push();
        }
    }

    #[inline]
    fn after_undo(&mut self) {
        self.hand.after_undo();
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.pop();
        }
    }
}
