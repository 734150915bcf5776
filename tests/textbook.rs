//! The textbook's searches against a definition written here, against each other and against the engine.

use crossbeam_channel::unbounded;
use duiyi::game::{
    Depth, Evaluator, Game, Hints, KeySequence, Move, MoveList, Notation, Outcome, Ply, Score, Side,
};
use duiyi::games::chess::{Classical, Position};
use duiyi::search::{self, Limits, Memory, Report, Settings, Task};
use duiyi::textbook::{Iteration, Method, Order, Searcher};

const ORDERS: [Order; 5] =
    [Order::Worst, Order::Random(7), Order::Natural, Order::Heuristic, Order::BestFirst];

/// Searches to `depth` at once, without the depths before it.
fn search_to<G: Hints, E: Evaluator<G>>(root: &G, method: Method, order: Order, depth: i32) -> Iteration {
    let mut stop = |_| false;
    let mut searcher = Searcher::<G, E>::new(root.clone(), method, order, &mut stop);
    searcher.prepare(Depth::new(depth)).unwrap();
    searcher.search(Depth::new(depth)).unwrap()
}

/// The definition: the best child for whoever moves, seen by White.
fn defined<G: Hints, E: Evaluator<G>>(game: &G, depth: i32, ply: usize) -> Score {
    let claimed = if ply > 0 { game.claim(Ply::new(ply)) } else { None };
    if let Some(outcome) = game.outcome().or(claimed) {
        return Score::of(outcome, Side::White, Ply::new(ply));
    }
    let white = game.side_to_move() == Side::White;
    if depth == 0 {
        let mut evaluator = E::default();
        evaluator.reset(game);
        let value = evaluator.evaluate(game);
        return if white { value } else { -value };
    }
    let values = game.moves().into_iter().map(|mv| {
        let mut child = game.clone();
        child.play(mv);
        defined::<G, E>(&child, depth - 1, ply + 1)
    });
    if white { values.max() } else { values.min() }.unwrap()
}

/// Every method in every order has the defined value, a move of that value, and a line that is legal.
fn check<G: Hints, E: Evaluator<G>>(root: &G, depth: i32, name: &str) -> Score {
    let value = defined::<G, E>(root, depth, 0);
    let side = root.side_to_move();
    let expected = if side == Side::White { value } else { -value };
    let minimax = search_to::<G, E>(root, Method::Minimax, Order::Natural, depth).counts;
    for method in Method::ALL {
        for order in ORDERS {
            let Iteration { value: got, line, counts, .. } = search_to::<G, E>(root, method, order, depth);
            let what = format!("{name}: {} {} to depth {depth}", method.name(), order.name());
            assert_eq!(got, expected, "{what}");
            let mut child = root.clone();
            assert!(root.is_legal(line[0]), "{what}");
            child.play(line[0]);
            assert_eq!(defined::<G, E>(&child, depth - 1, 1), value, "{what}: the move's value");
            for &mv in &line[1..] {
                assert!(child.is_legal(mv), "{what}: the line");
                child.play(mv);
            }
            assert!(counts.nodes <= minimax.nodes && counts.leaves <= minimax.leaves, "{what}");
            if matches!(method, Method::Minimax | Method::MinimaxTyped | Method::Negamax) {
                assert_eq!(counts, minimax, "{what}: these visit everything");
            }
        }
    }
    expected
}

/// A game drawn at random in which several lines lead to the same position and turns repeat. It ends
/// after [`HEIGHT`] moves or before, by points or for good.
#[derive(Clone, Debug)]
struct RandomGraph {
    seed: u64,
    /// The positions so far, each one of [`WIDTH`] of its level.
    path: Vec<u64>,
}

const HEIGHT: usize = 6;
const WIDTH: u64 = 5;

impl RandomGraph {
    fn new(seed: u64) -> RandomGraph {
        RandomGraph { seed, path: vec![0] }
    }

    fn draw(&self, what: u64) -> u64 {
        let place = self.path[self.path.len() - 1] * 64 + self.path.len() as u64;
        let mixed = KeySequence::new(self.seed ^ place.wrapping_mul(0x9E37_79B9)).next();
        KeySequence::new(mixed ^ what).next()
    }
}

impl Game for RandomGraph {
    const ALTERNATES: bool = false;

    fn side_to_move(&self) -> Side {
        Side::ALL[(self.draw(1) % 2) as usize]
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        let height = self.path.len() - 1;
        if height < HEIGHT && (height == 0 || !self.draw(2).is_multiple_of(6)) {
            moves.extend((1..=1 + self.draw(3) as u16 % 4).map(Move::new));
        }
    }

    fn play(&mut self, mv: Move) {
        self.path.push(self.draw(100 + u64::from(mv.bits())) % WIDTH);
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

impl Hints for RandomGraph {}

/// For the side to move.
#[derive(Default)]
struct Drawn;

impl Evaluator<RandomGraph> for Drawn {
    fn evaluate(&mut self, game: &RandomGraph) -> Score {
        Score::new((game.draw(7) % 61) as i32 - 30)
    }
}

#[test]
fn all_methods_agree_where_turns_repeat() {
    let mut repeats = 0;
    for seed in 0..150 {
        let root = RandomGraph::new(seed);
        for depth in 1..=HEIGHT as i32 + 1 {
            check::<_, Drawn>(&root, depth, &format!("seed {seed}"));
        }
        repeats += root
            .moves()
            .iter()
            .filter(|&&mv| {
                let mut child = root.clone();
                child.play(mv);
                child.outcome().is_none() && child.side_to_move() == root.side_to_move()
            })
            .count();
    }
    assert!(repeats > 100, "only {repeats} moves repeat the turn at the root");
}

#[test]
fn the_engine_agrees_where_it_may_not_judge() {
    let (_open, control) = unbounded();
    for seed in 0..400 {
        let root = RandomGraph::new(seed);
        let depth = HEIGHT as i32 + 1;
        let textbook = search_to::<_, Drawn>(&root, Method::AlphaBetaSoft, Order::Natural, depth);
        let task = Task { root: root.clone(), limits: Limits::depth(depth), settings: Settings::default() };
        let mut value = None;
        let mut memory = Memory::new(1).unwrap();
        let finish = search::run::<_, Drawn>(task, &mut memory, &control, &mut |report| {
            if let Report::Block(block) = report {
                value = Some(block.lines[0].score);
            }
        });
        assert_eq!(value, Some(textbook.value), "seed {seed}");
        let mut child = root.clone();
        child.play(finish.best.unwrap());
        let white = if root.side_to_move() == Side::White { textbook.value } else { -textbook.value };
        assert_eq!(defined::<_, Drawn>(&child, depth, 1), white, "seed {seed}: the engine's move");
    }
}

/// Positions and the depth that a test has time for.
const POSITIONS: &[(&str, i32)] = &[
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1", 3),
    // Mates at the horizon and before it, stalemates, a promotion, and fifty moves that run out.
    ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", 3),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 4),
    ("8/P5k1/6p1/5q1p/1Q5P/6P1/5PK1/8 w - - 0 55", 2),
    ("8/8/8/8/8/5k2/4q3/6K1 w - - 0 1", 2),
    ("8/8/8/3k4/8/8/r3P3/K7 w - - 98 90", 4),
];

#[test]
fn all_methods_agree_in_chess() {
    let mut decisive = 0;
    for &(fen, deepest) in POSITIONS {
        let root = Position::parse_position(fen).unwrap().game;
        for depth in 1..=deepest {
            decisive += usize::from(check::<_, Classical>(&root, depth, fen).is_decisive());
        }
    }
    assert!(decisive > 2, "mates must be among them");
}

#[test]
fn both_forms_of_alpha_beta_are_one_search() {
    for &(fen, deepest) in POSITIONS {
        let root = Position::parse_position(fen).unwrap().game;
        let count = |method| search_to::<_, Classical>(&root, method, Order::Heuristic, deepest).counts;
        let soft = count(Method::AlphaBetaSoft);
        assert_eq!(count(Method::MaxMinSoft), soft, "{fen}");
        // Without memory a tighter bound is of no use to anybody.
        assert_eq!(count(Method::AlphaBetaHard), soft, "{fen}");
        assert_eq!(count(Method::MaxMinHard), soft, "{fen}");
    }
}

/// Every position has [`Uniform::WIDTH`] moves, for ever, and every leaf of one depth another value.
#[derive(Clone, Debug)]
struct Uniform(Vec<u16>);

impl Uniform {
    const WIDTH: u16 = 4;

    fn number(&self) -> u64 {
        self.0.iter().fold(1, |number, &step| number * u64::from(Uniform::WIDTH) + u64::from(step - 1))
    }
}

impl Game for Uniform {
    fn side_to_move(&self) -> Side {
        Side::ALL[self.0.len() % 2]
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        moves.extend((1..=Uniform::WIDTH).map(Move::new));
    }

    fn play(&mut self, mv: Move) {
        self.0.push(mv.bits());
    }

    fn undo(&mut self, _: Move) {
        self.0.pop();
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn key(&self) -> u64 {
        KeySequence::new(self.number()).next()
    }
}

impl Hints for Uniform {}

/// A permutation of the numbers, so that no two leaves tie.
#[derive(Default)]
struct Distinct;

impl Evaluator<Uniform> for Distinct {
    fn evaluate(&mut self, game: &Uniform) -> Score {
        let number = game.number() % 4096;
        let scattered = (number * 2731 + 17) % 4096;
        Score::new(((scattered ^ (scattered >> 5)) * 1365 % 4096) as i32 - 2048)
    }
}

/// Knuth and Moore 1975, <https://doi.org/10.1016/0004-3702(75)90019-3>: with the best move always first
/// alpha-beta looks at b^ceil(d/2) + b^floor(d/2) - 1 leaves. With the best always last it looks at all b^d
/// to depth 3; deeper down, a node that nobody cares for may be left before its last child is seen.
#[test]
fn the_best_order_takes_the_square_root_and_the_worst_saves_little() {
    let root = Uniform(Vec::new());
    for depth in 1..=6_u32 {
        let leaves =
            |order| search_to::<_, Distinct>(&root, Method::AlphaBetaSoft, order, depth as i32).counts.leaves;
        let width = u64::from(Uniform::WIDTH);
        let minimum = width.pow(depth.div_ceil(2)) + width.pow(depth / 2) - 1;
        assert_eq!(leaves(Order::BestFirst), minimum, "depth {depth}");
        let (worst, all) = (leaves(Order::Worst), width.pow(depth));
        assert!(worst == all || (depth > 3 && worst * 100 > all * 85), "depth {depth}: {worst} of {all}");
        if depth > 2 {
            assert!((minimum + 1..width.pow(depth)).contains(&leaves(Order::Natural)), "depth {depth}");
        }
    }
}

#[test]
fn a_stop_is_a_value_and_comes_at_once() {
    for method in Method::ALL {
        for order in ORDERS {
            for most in [1, 2, 30, 1_000, 5_000] {
                let mut stop = |nodes| nodes >= most;
                let mut searcher = Searcher::<_, Classical>::new(Position::start(), method, order, &mut stop);
                let mut last = Depth::ZERO;
                searcher.deepen(Depth::MAX, &mut |iteration| {
                    assert_eq!(iteration.depth, last + 1);
                    last = iteration.depth;
                    true
                });
                assert_eq!(searcher.visited(), most, "{} {}", method.name(), order.name());
            }
        }
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let start = Position::start();
    let asked = ["a2a3", "h2h3"].map(|text| start.parse_move(text).unwrap());
    for method in Method::ALL {
        let mut stop = |_| false;
        let mut searcher =
            Searcher::<_, Classical>::new(start.clone(), method, Order::Heuristic, &mut stop).only(&asked);
        let iteration = searcher.search(Depth::new(2)).unwrap();
        assert!(asked.contains(&iteration.line[0]));
        assert!(iteration.counts.nodes <= 1 + 2 + 2 * 20);
    }
}

#[test]
fn a_game_that_is_searched_to_its_end_is_not_searched_deeper() {
    let root = RandomGraph::new(3);
    let mut stop = |_| false;
    let mut depths = 0;
    let mut searcher = Searcher::<_, Drawn>::new(root, Method::Negamax, Order::Natural, &mut stop);
    searcher.deepen(Depth::MAX, &mut |_| {
        depths += 1;
        true
    });
    assert!((2..=HEIGHT).contains(&depths), "{depths}");
}
