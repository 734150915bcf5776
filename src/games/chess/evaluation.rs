//! The evaluation that plays: a network, or the hand-written evaluation.

use super::bitboard::PieceType;
use super::classical::Classical;
use super::position::Position;
use super::syzygy::Syzygy;
use crate::game::{Networked, Score, TableFiles, Tablebase, Term, Variant, Wdl, networks_of_pieces};
use crate::nnue::{Features, Network};
use std::sync::Arc;

/// The evaluation of chess: by a network if one is set, else [`Classical`].
pub type Evaluation = Networked<Position, Classical, 64>;

impl Variant for Position {
    type Evaluator = Evaluation;

    const NETWORK: &'static str = "chess";

    /// docs/network.md says how it was made.
    const EMBEDDED_NETWORK: Option<&'static [u8]> = Some(include_bytes!("chess.nnue"));

    networks_of_pieces!(8);

    fn open_tablebase(files: &TableFiles) -> Option<Arc<dyn Tablebase<Position>>> {
        Some(Arc::new(Syzygy::open(files)))
    }

    /// With a network a logistic curve fitted to its games (docs/strength.md): half of the games are won at 55 centipawns in the
    /// start phase, at 146 in a pawn ending.
    fn wdl(&self, score: Score, network: Option<&Network>) -> Wdl {
        if network.is_none() {
            return Classical::wdl(self, score);
        }
        let phase = f64::from(self.phase()) / 256.0;
        Wdl::logistic(score, 146.0 - 91.0 * phase, 44.0 + 33.0 * phase)
    }

    fn phase(&self) -> u32 {
        Classical::phase(self)
    }

    fn terms(&self) -> Vec<Term> {
        Classical::terms(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Evaluator, Game, Notation, Side, conformance};
    use std::sync::LazyLock;

    static NETWORK: LazyLock<Arc<Network>> =
        LazyLock::new(|| Arc::new(Network::random::<Position, 64>(Position::start().variant(), 256, 1)));

    fn position(text: &str) -> Position {
        Position::start().parse_position(text).unwrap().game
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
            conformance::check_evaluation(&position(text), Some(&NETWORK), 3, 120, 11);
        }
    }

    #[test]
    fn evaluation_with_another_network_changes_and_without_one_is_classical() {
        let start = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        let other = Arc::new(Network::random::<Position, 64>(Position::start().variant(), 256, 2));
        let value = |network| Evaluation::new(network).evaluate(&start);
        let classical = Classical::new(None).evaluate(&start);
        assert_eq!(value(None), classical);
        let by_network = value(Some(&NETWORK));
        assert!(by_network != classical && value(Some(&other)) != by_network);
    }

    #[test]
    fn evaluation_against_a_bare_king_is_classical_with_any_network() {
        for (text, is_classical) in [
            ("8/8/8/4k3/8/8/2BB4/4K3 w - - 0 1", true),
            ("8/8/8/4k3/8/8/2bb4/4K3 w - - 0 1", true),
            ("8/4p3/8/4k3/8/8/2BB4/4K3 w - - 0 1", false),
        ] {
            let game = position(text);
            let value = Evaluation::new(Some(&NETWORK)).evaluate(&game);
            assert_eq!(value == Classical::new(None).evaluate(&game), is_classical, "{text}");
            assert_eq!(game.explain_network(&NETWORK).is_none(), is_classical, "{text}");
        }
    }

    #[test]
    fn contribution_of_a_piece_is_the_difference_to_the_position_without_it() {
        let value = |text: &str| {
            let position = position(text);
            let value = Evaluation::new(Some(&NETWORK)).evaluate(&position).value();
            if position.side_to_move() == Side::White { value } else { -value }
        };
        for side in ["w", "b"] {
            let whole = format!("4k3/6pp/8/8/8/8/PPP5/4K3 {side} - - 0 1");
            let expected = value(&whole) - value(&format!("4k3/6pp/8/8/8/8/P1P5/4K3 {side} - - 0 1"));
            let text = position(&whole).explain_network(&NETWORK).unwrap();
            let (buckets, board) = text.split_once("without it").unwrap();
            let mark = format!("\n     2     6 to 9 {:>+7}  this position\n", value(&whole));
            assert!(buckets.contains(&mark) && buckets.contains("\n     8   30 to 32 "), "{text}");
            assert_eq!(text.matches("this position").count(), 1);
            assert_eq!(board.matches(['+', '-']).count(), 5, "{text}");
            let pawns = board.lines().skip_while(|line| !line.starts_with('2')).nth(1).unwrap();
            assert_eq!(pawns.split_whitespace().nth(1), Some(&format!("{expected:+}")[..]), "{text}");
            assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
        }
    }

    #[test]
    fn win_rates_depend_on_what_evaluates() {
        let (start, score) = (Position::start(), Score::new(55));
        assert_eq!(start.wdl(score, Some(&NETWORK)).win, 500);
        assert_eq!(start.wdl(score, None), Classical::wdl(&start, score));
    }

    #[test]
    fn evaluation_beyond_the_scores_is_clamped_to_them() {
        let mut network = (**NETWORK).clone();
        network.outputs.iter_mut().for_each(|output| output.bias = i32::MAX / 2);
        network.scale = 10_000;
        let start = Position::start();
        let mut evaluation = Evaluation::new(Some(&Arc::new(network)));
        assert_eq!(evaluation.evaluate(&start), Score::MAX_EVAL);
    }
}
