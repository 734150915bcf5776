//! In which order moves are tried: it changes no value, and alpha-beta lives by it.

use super::{Observer, Searcher};
use crate::game::{Depth, Evaluator, Heuristics, Move, MoveList, Score, SplitMix64};

/// An order of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// The worst first, by the exact values of the same tree: to depth 3 alpha-beta then cuts off nothing
    /// but what ties, and deeper down little.
    Worst,
    /// Shuffled; the same seed gives the same order.
    Random(u64),
    /// As the game lists them.
    Natural,
    /// What can be seen without search: captures and the like that lose nothing, then checks, quiet moves,
    /// the other captures. Captures by the most valuable victim, then the least valuable attacker
    /// (<https://www.chessprogramming.org/MVV-LVA>).
    Heuristic,
    /// The move that turned out best (or good enough to cut off) in a search of the same tree before, then
    /// as [`Order::Heuristic`].
    BestFirst,
}

impl Order {
    /// Every order, the least helpful first; `seed` is the random one's.
    pub const fn all(seed: u64) -> [Order; 5] {
        [Order::Worst, Order::Random(seed), Order::Natural, Order::Heuristic, Order::BestFirst]
    }

    /// Its name, without blanks.
    pub const fn name(self) -> &'static str {
        match self {
            Order::Worst => "worst",
            Order::Random(_) => "random",
            Order::Natural => "natural",
            Order::Heuristic => "heuristic",
            Order::BestFirst => "best-first",
        }
    }
}

impl<G: Heuristics, E: Evaluator<G>, O: Observer<G>> Searcher<'_, G, E, O> {
    /// Puts the moves of a node with `depth` to go into order.
    pub(super) fn order_moves(&mut self, moves: &mut MoveList, depth: Depth) {
        match self.order {
            Order::Natural => {}
            Order::Random(seed) => SplitMix64::new(seed ^ self.game.key()).shuffle(moves),
            Order::Heuristic => self.sort_by_heuristic(moves, depth),
            Order::BestFirst => {
                self.sort_by_heuristic(moves, depth);
                let known = |depth| self.known_moves.get(self.game.key(), depth);
                let best = known(depth).or_else(|| known(depth - 1));
                if let Some(at) = best.and_then(|best| moves.iter().position(|&mv| mv == best)) {
                    moves[..=at].rotate_right(1);
                }
            }
            Order::Worst => {
                let mut valued: Vec<(Option<Score>, Move)> =
                    moves.iter().map(|&mv| (self.precomputed_value(mv, depth - 1), mv)).collect();
                valued.sort_by_key(|&(value, _)| value);
                *moves = valued.into_iter().map(|(_, mv)| mv).collect();
            }
        }
    }

    fn sort_by_heuristic(&self, moves: &mut MoveList, depth: Depth) {
        let game = &self.game;
        moves.sort_by_cached_key(|&mv| {
            let tactical = game.is_noisy(mv);
            let class = match tactical {
                // A search that ends with this move never sees what is taken back.
                true if depth <= Depth::ONE || game.see_ge(mv, 0) => 0,
                true => 3,
                false if game.gives_check(mv) => 1,
                false => 2,
            };
            let stake = if tactical { game.attacker_value(mv) } else { 0 };
            (class, -game.captured_value(mv), stake)
        });
    }

    /// The value of `mv` for its mover, as the preparation found it with `depth` to go after it.
    fn precomputed_value(&mut self, mv: Move, depth: Depth) -> Option<Score> {
        let mover = self.game.side_to_move();
        self.game.play(mv);
        let known = self.known_values.get(self.game.key(), depth);
        let value = if self.game.side_to_move() == mover { known } else { known.map(|value| -value) };
        self.game.undo(mv);
        value
    }
}
