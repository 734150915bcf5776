//! Static evaluation: the points near the stones of one side, and nearer to them than to the other side's.

use super::features::{BUCKET_STONES, CELLS};
use super::notation::file_letter;
use super::points::Points;
use super::position::Go;
use crate::game::{
    Evaluator, Game, NetworkText, Networked, Notation, Score, Side, Variant, Wdl, count_ranges,
};
use crate::nnue::{Features, Network};
use std::sync::Arc;

/// Gives each point to the side whose stones are nearer, if they are at most four steps away. A chain of the opponent with one
/// liberty counts as lost. The komi is counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Influence;

const REACH: usize = 4;
/// The value of the move, in points.
const TEMPO: i32 = 2;

impl<const WORDS: usize> Go<WORDS> {
    /// The stones that count for each side: not those that can be captured at once.
    fn standing_stones(&self) -> [Points<WORDS>; 2] {
        let lost = self.board.chains(!self.side).filter(|chain| chain.liberties.only().is_some());
        let lost = lost.fold(Points::EMPTY, |all, chain| all | chain.stones);
        Side::ALL.map(|side| self.board.stones(side) - lost)
    }

    /// Black's points minus White's.
    fn influence(&self) -> i32 {
        let (area, stride) = (self.board.area(), self.board.stride());
        let mut own = self.standing_stones();
        for _ in 0..REACH {
            let free = area - own[0] - own[1];
            let [black, white] = own.map(|points| points.dilated(stride) & free);
            own = [own[0] | (black - white), own[1] | (white - black)];
        }
        own[0].count() as i32 - own[1].count() as i32
    }
}

impl<const WORDS: usize> Evaluator<Go<WORDS>> for Influence {
    fn evaluate(&mut self, game: &Go<WORDS>) -> Score {
        let score = game.score_of(game.influence());
        let own = if game.side_to_move() == Side::White { score } else { -score };
        Score::new(own + TEMPO * Go::<WORDS>::SCORE_UNIT)
    }
}

impl<const WORDS: usize> Variant for Go<WORDS> {
    type Evaluator = Networked<Self, Influence, CELLS>;

    const NETWORK: &'static str = if Self::EXACT { "smallgo" } else { "go" };

    /// docs/network.md says how it was made.
    const EMBEDDED_NETWORK: Option<&'static [u8]> =
        if Self::EXACT { None } else { Some(include_bytes!("go.nnue")) };

    fn explain_network(&self, network: &Arc<Network>) -> Option<String> {
        let size = self.board.size();
        let stone = |cell: usize| self.board.stone(cell / size * self.board.stride() + cell % size);
        let text = NetworkText {
            files: size,
            file_letter,
            ranks: size,
            counted: "stones",
            content: ["each point's input", "it"],
            buckets: &count_ranges(BUCKET_STONES, Self::OUTPUT_BUCKETS),
            letter: &|cell| stone(cell).map_or('.', |side| ['X', 'O'][side.index()]),
            is_king: &|_| false,
        };
        self.is_covered().then(|| text.explain(network, self))
    }

    fn wdl(&self, score: Score, _: Option<&Network>) -> Wdl {
        let unit = f64::from(Self::SCORE_UNIT);
        Wdl::logistic(score, 0.5 * unit, 5.0 * unit)
    }
}
