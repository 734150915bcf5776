//! Limited strength: fewer nodes, and a move drawn at random among root moves of nearly equal scores.

use super::node::RootMove;
use super::params::{
    STRENGTH_FULL_SPREAD_ELO, STRENGTH_MAX_LINES, STRENGTH_MIN_LINES, STRENGTH_NODES, STRENGTH_NODES_ELO,
    STRENGTH_NODES_PER_DOUBLING, STRENGTH_SPREAD, STRENGTH_SPREAD_PER_DOUBLING,
};
use crate::clock;
use crate::game::{Score, SplitMix64};
use std::ops::RangeInclusive;

/// The limited strength of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// About this rating in chess.
    pub elo: u32,
    /// Equal seeds draw equal moves from equal scores; `None` takes one from the clock.
    pub seed: Option<u64>,
}

/// The levels with a name, weakest first, with the rating of each; `None` is full strength.
pub const LEVELS: [(&str, Option<u32>); 6] = [
    ("beginner", Some(800)),
    ("easy", Some(1100)),
    ("casual", Some(1400)),
    ("club", Some(1800)),
    ("strong", Some(2400)),
    ("full", None),
];

/// The ratings that a strength can have.
pub const RATINGS: RangeInclusive<u32> = 800..=3190;

/// The factor between the soft and the hard limit: a search rarely stops within an iteration.
const HARD_LIMIT_FACTOR: u64 = 8;
/// The least hard limit: the first iteration always ends.
const HARD_LIMIT_MIN: u64 = 20_000;

impl Strength {
    /// The soft and the hard limit of nodes: see [`Limits`](super::Limits).
    pub fn node_limits(self) -> [u64; 2] {
        let nodes = self.nodes();
        [nodes, nodes.saturating_mul(HARD_LIMIT_FACTOR).max(HARD_LIMIT_MIN)]
    }

    /// Nodes after which no iteration starts. Fewer nodes make a search shallower.
    fn nodes(self) -> u64 {
        let doublings = (f64::from(self.elo) - STRENGTH_NODES_ELO) / STRENGTH_NODES_PER_DOUBLING;
        (STRENGTH_NODES * doublings.exp2()) as u64
    }

    /// The score, in centipawns, by which a drawn move is worse than the best one at most.
    fn spread(self) -> i32 {
        let doublings = (STRENGTH_FULL_SPREAD_ELO - f64::from(self.elo)) / STRENGTH_SPREAD_PER_DOUBLING;
        (STRENGTH_SPREAD * doublings.max(0.0).exp2()) as i32
    }

    /// The number of root moves among which one is drawn.
    pub fn lines(self) -> usize {
        (self.spread() as usize / 10).clamp(STRENGTH_MIN_LINES, STRENGTH_MAX_LINES)
    }

    /// Draws the index of a root move: the best one by the score and a random addition below the spread. `root_moves` are sorted,
    /// best first. A mate in one, and a move better than the others by the rank of endgame tables, is always played. `key`
    /// identifies the position.
    pub fn draw(self, root_moves: &[RootMove], key: u64) -> usize {
        let mut random = SplitMix64::new(self.seed.unwrap_or_else(clock::random_seed) ^ key);
        let spread = self.spread().max(1) as u64;
        let Some(best) = root_moves.first() else { return 0 };
        if best.score.is_some_and(|score| score.moves_to_mate() == Some(1)) {
            return 0;
        }
        let value = |root: &RootMove, addition| Some(root.score? + addition);
        let candidates = root_moves.iter().take_while(|root| root.rank == best.rank);
        let values = candidates.map(|root| value(root, (random.next() % spread) as i32));
        // Of equal values the first: its score is the highest.
        let drawn = values.enumerate().reduce(|best, other| if other.1 > best.1 { other } else { best });
        drawn.map_or(0, |(index, _): (usize, Option<Score>)| index)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::game::{Depth, Move, Ply};
    use crate::search::PvLine;

    fn root_moves(scores: &[i32]) -> Vec<RootMove> {
        let root = |(index, &score): (usize, &i32)| {
            let (mv, score) = (Move::new(index as u16 + 1), Score::new(score));
            let line = PvLine::exact(Depth::ONE, Ply::ROOT, score, vec![mv]);
            RootMove { mv, score: Some(score), previous: score, rank: 0, tb_score: None, line, nodes: 0 }
        };
        scores.iter().enumerate().map(root).collect()
    }

    fn drawn(elo: u32, roots: &[RootMove]) -> Vec<usize> {
        (1..200).map(|seed| Strength { elo, seed: Some(seed) }.draw(roots, 7)).collect()
    }

    #[test]
    fn lower_ratings_have_fewer_nodes_and_a_wider_spread() {
        let strengths = || RATINGS.map(|elo| Strength { elo, seed: None });
        assert!(strengths().is_sorted_by_key(Strength::nodes));
        assert!(strengths().is_sorted_by_key(|strength| -strength.spread()));
        let highest = Strength { elo: *RATINGS.end(), seed: None };
        assert!(highest.spread() > 0 && highest.lines() == STRENGTH_MIN_LINES);
    }

    #[test]
    fn drawn_moves_vary_and_are_worse_by_less_than_the_spread() {
        for elo in [800, 1320, 2000, 2600, 3190] {
            let spread = Strength { elo, seed: None }.spread();
            let roots = root_moves(&[0, -1, -spread / 2, -spread + 1, -spread, -spread - 300]);
            let drawn = drawn(elo, &roots);
            assert!([0, 1, 2].iter().all(|index| drawn.contains(index)), "{elo}: {drawn:?}");
            assert!(drawn.iter().all(|&index| index < 4), "{elo}: {drawn:?}");
        }
    }

    #[test]
    fn equal_seeds_and_positions_draw_equal_moves() {
        let roots = root_moves(&[0; 20]);
        assert_eq!(drawn(1320, &roots), drawn(1320, &roots));
        let strength = Strength { elo: 1320, seed: Some(3) };
        let by_key: Vec<usize> = (0..50).map(|key| strength.draw(&roots, key)).collect();
        assert!(by_key.iter().any(|&index| index != by_key[0]));
    }

    #[test]
    fn mate_in_one_and_better_rank_are_always_played() {
        let mut roots = root_moves(&[0, 0, 0, 0]);
        roots[0].rank = 1;
        assert_eq!(drawn(800, &roots), [0; 199]);
        let mut roots = root_moves(&[0, 0]);
        for root in &mut roots {
            root.score = Some(Score::mate_in(Ply::new(1)));
        }
        assert_eq!(drawn(800, &roots), [0; 199]);
        assert_eq!(Strength { elo: 800, seed: None }.draw(&[], 0), 0);
    }
}
