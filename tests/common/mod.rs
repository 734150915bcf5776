//! What several tests need: games drawn at random, and the definition that every search is held against.

use crossbeam_channel::unbounded;
use duiyi::game::{Evaluator, Game, Heuristics, Move, MoveList, Outcome, Ply, Score, Side, SplitMix64};
use duiyi::search::{self, Limits, PvLine, Report, SearchRequest, SearchState, Settings};

/// A game drawn at random, in which turns repeat. It ends after [`RandomGame::HEIGHT`] moves or before, by
/// points or for good.
#[derive(Clone, Debug)]
pub struct RandomGame {
    seed: u64,
    /// Positions of a level: few of them make lines meet again.
    width: u64,
    /// The positions so far, each by its number in its level.
    path: Vec<u64>,
}

impl RandomGame {
    pub const HEIGHT: usize = 6;

    /// One in which several lines lead to the same position.
    pub fn graph(seed: u64) -> RandomGame {
        RandomGame { seed, width: 5, path: vec![0] }
    }

    /// One in which every line leads elsewhere.
    pub fn tree(seed: u64) -> RandomGame {
        RandomGame { seed, width: u64::MAX, path: vec![0] }
    }

    fn draw(&self, what: u64) -> u64 {
        let place = self.path[self.path.len() - 1].wrapping_mul(64) + self.path.len() as u64;
        let mixed = SplitMix64::new(self.seed ^ place.wrapping_mul(0x9E37_79B9)).next();
        SplitMix64::new(mixed ^ what).next()
    }
}

impl Game for RandomGame {
    const ALTERNATES: bool = false;

    fn side_to_move(&self) -> Side {
        Side::ALL[(self.draw(1) % 2) as usize]
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        let height = self.path.len() - 1;
        if height < Self::HEIGHT && (height == 0 || !self.draw(2).is_multiple_of(6)) {
            moves.extend((1..=1 + self.draw(3) as u16 % 4).map(Move::new));
        }
    }

    fn play(&mut self, mv: Move) {
        self.path.push(self.draw(100 + u64::from(mv.bits())) % self.width);
    }

    fn undo(&mut self, _: Move) {
        self.path.pop();
    }

    fn outcome(&self) -> Option<Outcome> {
        self.moves().is_empty().then(|| match self.draw(4) % 8 {
            0 => Outcome::Win(Side::White),
            1 => Outcome::Win(Side::Black),
            2 => Outcome::Draw,
            _ => Outcome::Points((self.draw(5) % 41) as i32 - 20),
        })
    }

    fn key(&self) -> u64 {
        self.draw(6)
    }
}

impl Heuristics for RandomGame {}

/// Values drawn at random.
#[derive(Default)]
pub struct Drawn;

impl Evaluator<RandomGame> for Drawn {
    fn evaluate(&mut self, game: &RandomGame) -> Score {
        Score::new((game.draw(7) % 61) as i32 - 30)
    }
}

/// Whether the side that moves at the root moves again after `mv`.
pub fn repeats_turn<G: Game>(root: &G, mv: Move) -> bool {
    let mut child = root.clone();
    child.play(mv);
    child.outcome().is_none() && child.side_to_move() == root.side_to_move()
}

/// The definition: the best child for whoever moves, seen by White.
pub fn defined<G: Heuristics, E: Evaluator<G>>(game: &G, depth: i32, ply: usize) -> Score {
    let claimed = if ply > 0 { game.claim(Ply::new(ply)) } else { None };
    if let Some(outcome) = game.outcome().or(claimed) {
        return Score::from_outcome(outcome, Side::White, Ply::new(ply));
    }
    let white = game.side_to_move() == Side::White;
    if depth == 0 {
        let mut evaluator = E::default();
        evaluator.reset(game);
        let value = evaluator.evaluate(game);
        return if white { value } else { -value };
    }
    let values = defined_moves::<G, E>(game, depth, ply).into_iter().map(|(_, value)| value);
    if white { values.max() } else { values.min() }.unwrap()
}

/// [`defined`] of each move.
pub fn defined_moves<G: Heuristics, E: Evaluator<G>>(game: &G, depth: i32, ply: usize) -> Vec<(Move, Score)> {
    let valued = |mv| {
        let mut child = game.clone();
        child.play(mv);
        (mv, defined::<G, E>(&child, depth - 1, ply + 1))
    };
    game.moves().into_iter().map(valued).collect()
}

/// The engine's last line of a search to `depth` with a small fresh table.
pub fn engine<G: Heuristics, E: Evaluator<G>>(root: &G, depth: i32) -> PvLine {
    let (_open, control) = unbounded();
    let task =
        SearchRequest { root: root.clone(), limits: Limits::depth(depth), settings: Settings::default() };
    let mut last = None;
    let finish = search::run::<G, E>(task, &mut SearchState::new(1).unwrap(), &control, &mut |report| {
        if let Report::Block(mut block) = report {
            last = Some(block.lines.remove(0));
        }
    });
    let line = last.unwrap();
    assert_eq!((finish.panic, finish.best), (None, line.pv.first().copied()));
    line
}
