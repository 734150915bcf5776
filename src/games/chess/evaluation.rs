//! The evaluation that plays: a network, or the hand-written evaluation.

use super::classical::Classical;
use super::network_text::explain;
use super::position::Position;
use super::syzygy::Syzygy;
use crate::game::{Evaluator, Move, Notation, Score, Side, TableFiles, Tablebase, Term, Wdl};
use crate::nnue::{Accumulators, Network, NetworkError};
use std::sync::{Arc, LazyLock};

/// The file of the network that is a part of the program; docs/network.md says how it was made.
const EMBEDDED: &[u8] = include_bytes!("chess.nnue");

/// The evaluation of chess: by a network if one is set, else [`Classical`]. Against a bare king it is always [`Classical`].
#[derive(Default)]
pub struct Evaluation {
    classical: Classical,
    network: Option<Accumulators<Position, 64>>,
}

impl Evaluation {
    /// The network, if it evaluates `game`. Against a bare king it does not: the hand-written evaluation knows which
    /// endings are drawn, and the way to mate. The network alone let won endings end by the fifty-move rule (docs/strength.md).
    #[inline]
    fn network_for(&mut self, game: &Position) -> Option<&mut Accumulators<Position, 64>> {
        let board = game.board();
        let bare_king = Side::ALL.into_iter().any(|side| !board.occupied_by(side).more_than_one());
        self.network.as_mut().filter(|_| !bare_king)
    }
}

impl Evaluator<Position> for Evaluation {
    #[inline]
    fn evaluate(&mut self, game: &Position) -> Score {
        match self.network_for(game) {
            Some(accumulators) => Score::new(accumulators.evaluate(game)),
            None => self.classical.evaluate(game),
        }
    }

    fn reset(&mut self, _: &Position) {
        if let Some(accumulators) = &mut self.network {
            accumulators.reset();
        }
    }

    #[inline]
    fn before_move(&mut self, _: &Position, _: Move) {
        if let Some(accumulators) = &mut self.network {
            accumulators.push();
        }
    }

    #[inline]
    fn after_undo(&mut self) {
        if let Some(accumulators) = &mut self.network {
            accumulators.pop();
        }
    }

    fn set_network(&mut self, network: Option<&Arc<Network>>) {
        let current = self.network.as_ref().map(|accumulators| Arc::as_ptr(accumulators.network()));
        if current != network.map(Arc::as_ptr) {
            let new = |network: &Arc<Network>| Accumulators::new(network.clone());
            self.network = network.map(new);
        }
    }

    fn embedded_network() -> Option<Arc<Network>> {
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            Arc::new(Evaluation::read_network(EMBEDDED).expect("the network in the program is valid"))
        });
        Some(NETWORK.clone())
    }

    fn read_network(bytes: &[u8]) -> Result<Network, NetworkError> {
        let network = Network::from_bytes(bytes)?;
        network.check::<Position, 64>(Position::VARIANT)?;
        Ok(network)
    }

    fn open_tablebase(files: &TableFiles) -> Option<Arc<dyn Tablebase<Position>>> {
        Some(Arc::new(Syzygy::open(files)))
    }

    /// Those of the hand-written evaluation; none where a network evaluates.
    fn terms(&mut self, game: &Position) -> Vec<Term> {
        if self.network_for(game).is_some() { Vec::new() } else { self.classical.terms(game) }
    }

    fn explanation(&mut self, game: &Position) -> Option<String> {
        Some(explain(self.network_for(game)?.network(), game))
    }

    fn phase(&self, game: &Position) -> u32 {
        self.classical.phase(game)
    }

    /// With a network a logistic curve fitted to its games (docs/strength.md): half of the games are won at 55 centipawns in the
    /// start phase, at 146 in a pawn ending.
    fn wdl(&self, game: &Position, score: Score) -> Wdl {
        if self.network.is_none() {
            return self.classical.wdl(game, score);
        }
        let phase = f64::from(self.phase(game)) / 256.0;
        Wdl::logistic(score, 146.0 - 91.0 * phase, 44.0 + 33.0 * phase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::conformance;

    static NETWORK: LazyLock<Arc<Network>> =
        LazyLock::new(|| Arc::new(Network::random::<Position, 64>(Position::VARIANT, 1)));

    /// [`Evaluation`] with a network of random weights.
    struct ByNetwork(Evaluation);

    impl Default for ByNetwork {
        fn default() -> ByNetwork {
            let mut evaluation = Evaluation::default();
            evaluation.set_network(Some(&NETWORK));
            ByNetwork(evaluation)
        }
    }

    impl Evaluator<Position> for ByNetwork {
        fn evaluate(&mut self, game: &Position) -> Score {
            self.0.evaluate(game)
        }
        fn reset(&mut self, game: &Position) {
            self.0.reset(game);
        }
        fn before_move(&mut self, game: &Position, mv: Move) {
            self.0.before_move(game, mv);
        }
        fn after_undo(&mut self) {
            self.0.after_undo();
        }
    }

    fn position(text: &str) -> Position {
        Position::parse_position(text).unwrap().game
    }

    #[test]
    fn evaluation_by_network_passes_conformance() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            // Promotions, also by captures.
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            // Chess960: castling to both sides, the king moving to either half of the board.
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1",
        ] {
            conformance::check_evaluation::<_, ByNetwork>(&position(text), 3, 120, 11);
        }
    }

    #[test]
    fn evaluation_with_another_network_changes_and_without_one_is_classical() {
        let start = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        let other = Arc::new(Network::random::<Position, 64>(Position::VARIANT, 2));
        let mut evaluation = Evaluation::default();
        let mut value = |network: Option<&Arc<Network>>| {
            evaluation.set_network(network);
            evaluation.reset(&start);
            evaluation.evaluate(&start)
        };
        let classical = Classical::default().evaluate(&start);
        assert_eq!(value(None), classical);
        let by_network = value(Some(&NETWORK));
        assert!(by_network != classical && value(Some(&other)) != by_network);
        assert_eq!((value(Some(&NETWORK)), value(None)), (by_network, classical));
    }

    #[test]
    fn evaluation_against_a_bare_king_is_classical_with_any_network() {
        let mut evaluation = Evaluation::default();
        evaluation.set_network(Some(&NETWORK));
        for (text, is_classical) in [
            ("8/8/8/4k3/8/8/2BB4/4K3 w - - 0 1", true),
            ("8/8/8/4k3/8/8/2bb4/4K3 w - - 0 1", true),
            ("8/4p3/8/4k3/8/8/2BB4/4K3 w - - 0 1", false),
        ] {
            let game = position(text);
            assert_eq!(
                evaluation.evaluate(&game) == Classical::default().evaluate(&game),
                is_classical,
                "{text}"
            );
            assert_eq!(evaluation.terms(&game).is_empty(), !is_classical, "{text}");
            assert_eq!(evaluation.explanation(&game).is_none(), is_classical, "{text}");
        }
    }

    #[test]
    fn evaluation_beyond_the_scores_is_clamped_to_them() {
        let mut network = (**NETWORK).clone();
        network.outputs.iter_mut().for_each(|output| output.bias = i32::MAX / 2);
        network.scale = 10_000;
        let start = Position::start();
        let mut evaluation = Evaluation::default();
        evaluation.set_network(Some(&Arc::new(network)));
        assert_eq!(evaluation.evaluate(&start), Score::MAX_EVAL);
    }

    #[test]
    fn network_for_another_game_or_of_other_bytes_is_refused() {
        let bytes = NETWORK.to_bytes();
        assert_eq!(Evaluation::read_network(&bytes).as_ref(), Ok(&**NETWORK));
        let foreign = Network { variant: "gomoku".into(), ..(**NETWORK).clone() };
        let error = Evaluation::read_network(&foreign.to_bytes()).unwrap_err().to_string();
        assert_eq!(error, "expected a network for chess, found one for \"gomoku\"");
        assert_eq!(Evaluation::read_network(b"x"), Err(NetworkError::Magic));
        assert!(Evaluation::read_network(&bytes[..bytes.len() - 1]).is_err());
    }
}
