//! The evaluation that plays: a network, or the hand-written evaluation.

use super::bitboard::{FILES, PieceType, SQUARES};
use super::hand_written::{HandWritten, MAX_PHASE, phase};
use super::position::Xiangqi;
use crate::game::{Networked, Score, Term, Variant, Wdl, networks_of_pieces};
use crate::nnue::{Features, Network};
use std::sync::Arc;

/// The evaluation of xiangqi: by a network if one is set, else [`HandWritten`].
pub type Evaluation = Networked<Xiangqi, HandWritten, SQUARES>;

impl Variant for Xiangqi {
    type Evaluator = Evaluation;

    const NETWORK: &'static str = "xiangqi";

    /// docs/network.md says how it was made.
    const EMBEDDED_NETWORK: Option<&'static [u8]> = Some(include_bytes!("xiangqi.nnue"));

    networks_of_pieces!(FILES);

    /// Logistic curves fitted to games (docs/strength.md). With the network half of the games are won at 144 in the start phase, at
    /// 487 without rooks, horses and cannons.
    fn wdl(&self, score: Score, network: Option<&Network>) -> Wdl {
        let phase = f64::from(self.phase()) / 256.0;
        if network.is_none() {
            return Wdl::logistic(score, 358.0 - 287.0 * phase, 85.0 + 296.0 * phase);
        }
        Wdl::logistic(score, 487.0 - 343.0 * phase, 40.0 + 403.0 * phase)
    }

    fn phase(&self) -> u32 {
        (phase(self.board()) * 256 / MAX_PHASE) as u32
    }

    fn terms(&self) -> Vec<Term> {
        HandWritten::terms(self.board())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Evaluator, Game, Notation, Side, conformance};
    use std::sync::LazyLock;

    static NETWORK: LazyLock<Arc<Network>> =
        LazyLock::new(|| Arc::new(Network::random::<Xiangqi, SQUARES>(Xiangqi::start().variant(), 256, 1)));

    fn position(text: &str) -> Xiangqi {
        Xiangqi::start().parse_position(text).unwrap().game
    }

    #[test]
    fn evaluation_by_network_passes_conformance() {
        for text in Xiangqi::start().bench_positions() {
            conformance::check_evaluation(&position(text), Some(&NETWORK), 2, 120, 11);
        }
    }

    #[test]
    fn explanation_shows_the_value_and_the_difference_without_a_piece() {
        let value = |text: &str| {
            let position = position(text);
            let value = Evaluation::new(Some(&NETWORK)).evaluate(&position).value();
            if position.side_to_move() == Side::White { value } else { -value }
        };
        for side in ["w", "b"] {
            let whole = format!("3k5/9/9/p8/9/9/9/1C7/9/4KA3 {side} - - 0 1");
            let expected = value(&whole) - value(&format!("3k5/9/9/p8/9/9/9/9/9/4KA3 {side} - - 0 1"));
            let text = position(&whole).explain_network(&NETWORK).unwrap();
            let (buckets, board) = text.split_once("without it").unwrap();
            assert!(
                buckets.contains(&format!("\n     1     2 to 5 {:>+7}  this position\n", value(&whole))),
                "{text}"
            );
            assert_eq!(board.matches(['+', '-']).count(), 3, "{text}");
            let cannon = board.lines().skip_while(|line| !line.starts_with(" 3")).nth(1).unwrap();
            assert_eq!(cannon.trim(), format!("{expected:+}"), "{text}");
            assert!(
                board.contains("\n10      .") && text.lines().all(|line| line == line.trim_end()),
                "{text}"
            );
        }
    }

    #[test]
    fn win_rates_depend_on_the_phase_and_on_what_evaluates() {
        let ending = position("3k5/9/9/p8/9/9/9/9/9/4KA3 w");
        for (network, middle, end) in [(None, 71, 358), (Some(&**NETWORK), 144, 487)] {
            assert_eq!(Xiangqi::start().wdl(Score::new(middle), network).win, 500);
            assert_eq!(ending.wdl(Score::new(end), network).win, 500);
        }
    }
}
