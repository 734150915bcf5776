//! Move ordering. It does not change a value, but it decides how much alpha-beta cuts off.

use super::{Observer, Searcher};
use crate::game::{Depth, Evaluator, Heuristics, Move, MoveList, Score, SplitMix64};

/// A move order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// The worst move first, by exact values from a search of the same tree. To depth 3 alpha-beta then cuts
    /// off only where values tie, and little at larger depths.
    Worst,
    /// A random order. The same seed gives the same order.
    Random(u64),
    /// The order of [`Game::legal_moves`](crate::game::Game::legal_moves).
    Natural,
    /// Noisy moves with SEE of at least 0, then checks, quiet moves and the other noisy moves. Noisy moves are sorted by
    /// MVV-LVA (<https://www.chessprogramming.org/MVV-LVA>), quiet moves by [`Heuristics::prior`].
    Heuristic,
    /// The best or cutoff move of an earlier alpha-beta search of the same tree, then as [`Order::Heuristic`].
    BestFirst,
}

impl Order {
    /// All orders, the worst for alpha-beta first; `seed` is that of [`Order::Random`].
    pub const fn all(seed: u64) -> [Order; 5] {
        [Order::Worst, Order::Random(seed), Order::Natural, Order::Heuristic, Order::BestFirst]
    }

    /// Returns the order's name, without blanks.
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
                sort_by_value(&mut valued);
                *moves = valued.into_iter().map(|(_, mv)| mv).collect();
            }
        }
    }

    fn sort_by_heuristic(&self, moves: &mut MoveList, depth: Depth) {
        let game = &self.game;
        moves.sort_by_cached_key(|&mv| {
            let noisy = game.is_noisy(mv);
            let class = match noisy {
                // At depth 1 the search does not see a recapture.
                true if depth <= Depth::ONE || game.see_ge(mv, 0) => 0,
                true => 3,
                false if game.gives_check(mv) => 1,
                false => 2,
            };
            let attacker = if noisy { game.attacker_value(mv) } else { 0 };
            let prior = if noisy { 0 } else { game.prior(mv) };
            (class, -game.captured_value(mv), attacker, -prior)
        });
    }

    /// From the preparing search, for the side that plays `mv`. `depth` is what remains after `mv`.
    fn precomputed_value(&mut self, mv: Move, depth: Depth) -> Option<Score> {
        let mover = self.game.side_to_move();
        self.game.play(mv);
        let known = self.known_values.get(self.game.key(), depth);
        let value = if self.game.side_to_move() == mover { known } else { known.map(|value| -value) };
        self.game.undo(mv);
        value
    }
}

/// Lowest value first; moves of equal value keep their order. Not generic, so that it is compiled once for all games.
fn sort_by_value(valued: &mut [(Option<Score>, Move)]) {
    valued.sort_by_key(|&(value, _)| value);
}
