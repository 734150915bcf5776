//! Random games and the plain minimax value that the searches are compared with.

use duiyi::game::{Evaluator, Game, Heuristics, Move, MoveList, Outcome, Ply, Score, Side, SplitMix64};
use duiyi::search::{self, Limits, PvLine, SearchRequest, SearchState};

/// A random game with extra turns: the same side may move several times in a row. It ends after at most
/// [`RandomGame::HEIGHT`] moves, with a win, a draw or points.
#[derive(Clone, Debug)]
pub struct RandomGame {
    seed: u64,
    /// Number of different positions at each ply. If it is small, lines transpose.
    width: u64,
    /// The positions so far, each as its number among the positions of its ply.
    path: Vec<u64>,
}

impl RandomGame {
    pub const HEIGHT: usize = 6;

    /// A game with transpositions.
    pub fn graph(seed: u64) -> RandomGame {
        RandomGame { seed, width: 5, path: vec![0] }
    }

    /// A game without transpositions.
    pub fn tree(seed: u64) -> RandomGame {
        RandomGame { seed, width: u64::MAX, path: vec![0] }
    }

    /// A random number for the current position. Different `purpose`s give independent numbers.
    fn random(&self, purpose: u64) -> u64 {
        let position = self.path[self.path.len() - 1].wrapping_mul(64) + self.path.len() as u64;
        let mixed = SplitMix64::new(self.seed ^ position.wrapping_mul(0x9E37_79B9)).next();
        SplitMix64::new(mixed ^ purpose).next()
    }
}

impl Game for RandomGame {
    const ALTERNATES: bool = false;

    fn side_to_move(&self) -> Side {
        Side::ALL[(self.random(1) % 2) as usize]
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        let height = self.path.len() - 1;
        if height < Self::HEIGHT && (height == 0 || !self.random(2).is_multiple_of(6)) {
            moves.extend((1..=1 + self.random(3) as u16 % 4).map(Move::new));
        }
    }

    fn play(&mut self, mv: Move) {
        self.path.push(self.random(100 + u64::from(mv.bits())) % self.width);
    }

    fn undo(&mut self, _: Move) {
        self.path.pop();
    }

    fn outcome(&self) -> Option<Outcome> {
        self.moves().is_empty().then(|| match self.random(4) % 8 {
            0 => Outcome::Win(Side::White),
            1 => Outcome::Win(Side::Black),
            2 => Outcome::Draw,
            _ => Outcome::Points((self.random(5) % 41) as i32 - 20),
        })
    }

    fn key(&self) -> u64 {
        self.random(6)
    }
}

impl Heuristics for RandomGame {}

/// Random evaluations.
#[derive(Default)]
pub struct RandomEval;

impl Evaluator<RandomGame> for RandomEval {
    fn evaluate(&mut self, game: &RandomGame) -> Score {
        Score::new((game.random(7) % 61) as i32 - 30)
    }
}

/// Returns true if the side that moves at the root moves again after `mv`.
pub fn gives_extra_turn<G: Game>(root: &G, mv: Move) -> bool {
    let mut child = root.clone();
    child.play(mv);
    child.outcome().is_none() && child.side_to_move() == root.side_to_move()
}

/// The minimax value by its definition, from White's point of view.
pub fn minimax_value<G: Heuristics, E: Evaluator<G>>(game: &G, depth: i32, ply: usize) -> Score {
    let claimed = if ply > 0 { game.claim(Ply::new(ply)) } else { None };
    if let Some(outcome) = game.outcome() {
        return Score::from_outcome(outcome, Side::White, Ply::new(ply));
    }
    if let Some(claim) = claimed {
        return Score::from_claim(claim, Side::White, Ply::new(ply));
    }
    let white = game.side_to_move() == Side::White;
    if depth == 0 {
        let mut evaluator = E::new(None);
        evaluator.reset(game);
        let value = evaluator.evaluate(game);
        return if white { value } else { -value };
    }
    let values = minimax_move_values::<G, E>(game, depth, ply).into_iter().map(|(_, value)| value);
    if white { values.max() } else { values.min() }.unwrap()
}

/// [`minimax_value`] of each move.
pub fn minimax_move_values<G: Heuristics, E: Evaluator<G>>(
    game: &G,
    depth: i32,
    ply: usize,
) -> Vec<(Move, Score)> {
    let with_value = |mv| {
        let mut child = game.clone();
        child.play(mv);
        (mv, minimax_value::<G, E>(&child, depth - 1, ply + 1))
    };
    game.moves().into_iter().map(with_value).collect()
}

/// The last PV line of the engine's search to `depth` with a new table of 1 MiB.
pub fn engine_line<G: Heuristics, E: Evaluator<G>>(root: &G, depth: i32) -> PvLine {
    let request = SearchRequest::new(root.clone(), Limits::depth(depth));
    let (mut state, never) = (SearchState::new(1).unwrap(), crossbeam_channel::never());
    let search = search::run_to_end::<G, E>(request, &mut state, &never, &mut |_| {}).unwrap();
    let line = search.last.unwrap().lines.remove(0);
    assert_eq!(search.result.best, line.pv.first().copied());
    line
}
