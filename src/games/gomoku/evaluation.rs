//! Static evaluation: a weighted sum of the numbers of patterns and threats.

use super::features::BUCKET_STONES;
use super::patterns::Pattern;
use super::threats::Threat;
use super::{Gomoku, MAX_CELLS};
use crate::game::{
    Evaluator, Game, NetworkText, Networked, Score, Side, Term, Variant, Wdl, count_ranges, file_letter,
};
use crate::nnue::{Features, Network};
use std::sync::Arc;

/// Evaluates the patterns and threats on the free cells of both sides.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternCounts;

/// The features of one side: the number of each pattern, and whether there are one and two cells with each threat.
const FEATURES: usize = Pattern::COUNT + 2 * Threat::COUNT;
const NAMES: [&str; FEATURES] = [
    "dead", "one", "open one", "two", "open two", "three", "open three", "four", "open four", "five",
    "forbidden", "no threat", "a three", "two threes", "a four", "four and two", "four and three",
    "an open four", "a five", "no threat twice", "a three twice", "two threes twice", "a four twice",
    "four and two twice", "four and three twice", "an open four twice", "a five twice",
];
/// The weights of the features of the side to move and of the opponent, in centipawns of chess. Set by hand: weights that
/// were fitted to the results of games played worse.
const WEIGHTS: [[i16; FEATURES]; 2] = [
    [
        0, 0, 1, 1, 4, 4, 10, 10, 0, 0, 0, // patterns
        0, 30, 100, 30, 30, 250, 0, 0, // a cell with a threat
        0, 0, 0, 20, 20, 50, 0, 0, // another
    ],
    [
        0, 0, 1, 1, 3, 3, 6, 6, 0, 0, 0, // patterns
        0, 10, 40, 20, 20, 120, 100, 0, // a cell with a threat
        0, 0, 0, 20, 20, 50, 100, 0, // another
    ],
];
const TEMPO: i32 = 10;

#[inline]
fn features(game: &Gomoku, side: Side) -> [i16; FEATURES] {
    let mut features = [0; FEATURES];
    let (patterns, threats) = features.split_at_mut(Pattern::COUNT);
    patterns.copy_from_slice(&game.pattern_counts[side.index()]);
    for (threat, set) in game.threats[side.index()].iter().enumerate() {
        threats[threat] = i16::from(!set.is_empty());
        threats[Threat::COUNT + threat] = i16::from(set.has_two());
    }
    features
}

fn weighted_sum(features: &[i16], weights: &[i16]) -> i32 {
    features.iter().zip(weights).map(|(&feature, &weight)| i32::from(feature) * i32::from(weight)).sum()
}

impl Evaluator<Gomoku> for PatternCounts {
    fn evaluate(&mut self, game: &Gomoku) -> Score {
        let own = weighted_sum(&features(game, game.side_to_move()), &WEIGHTS[0]);
        let other = weighted_sum(&features(game, !game.side_to_move()), &WEIGHTS[1]);
        Score::new(own - other + TEMPO)
    }
}

impl Variant for Gomoku {
    type Evaluator = Networked<Self, PatternCounts, MAX_CELLS>;

    /// One network for all variants: the patterns take the rules and the edges into account.
    const NETWORK: &'static str = "gomokufreestyle";

    /// docs/network.md says how it was made.
    const EMBEDDED_NETWORK: Option<&'static [u8]> = Some(include_bytes!("gomoku.nnue"));

    /// Logistic curves fitted to games: of 5,000 nodes a move with the network (docs/strength.md), of 200 without. Draws are rare.
    fn wdl(&self, score: Score, network: Option<&Network>) -> Wdl {
        Wdl::logistic(score, 5.0, if network.is_some() { 120.0 } else { 164.0 })
    }

    fn explain_network(&self, network: &Arc<Network>) -> Option<String> {
        let text = NetworkText {
            files: self.rules.size,
            file_letter,
            ranks: self.rules.size,
            counted: "stones",
            content: ["the patterns of each free cell", "them"],
            buckets: &count_ranges(BUCKET_STONES, Self::OUTPUT_BUCKETS),
            letter: &|cell| self.stone(cell).map_or('.', |side| ['P', 'p'][side.index()]),
            is_king: &|_| false,
        };
        Some(text.explain(network, self))
    }

    fn terms(&self) -> Vec<Term> {
        let values = |side: Side| {
            let weights = WEIGHTS[usize::from(side != self.side_to_move())];
            features(self, side).into_iter().zip(weights).map(|(feature, weight)| i32::from(feature * weight))
        };
        let both = values(Side::White).zip(values(Side::Black)).zip(NAMES);
        let terms = both.map(|((white, black), name)| Term { name, sides: [(white, white), (black, black)] });
        terms.filter(|term| term.sides != [(0, 0); 2]).collect()
    }
}
