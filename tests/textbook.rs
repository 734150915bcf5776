//! The textbook's searches against a definition written here, against each other and against the engine.

mod common;

use common::{Drawn, RandomGame, defined, defined_moves, engine, repeats_turn};
use duiyi::game::{
    Depth, Evaluator, Game, Heuristics, Move, MoveList, Notation, NotationOptions, Outcome, Ply, Score, Side,
    SplitMix64,
};
use duiyi::games::chess::{Classical, Position};
use duiyi::games::tictactoe::{OpenLines, TicTacToe};
use duiyi::games::tree::{Tree, ZeroEval};
use duiyi::games::triangle_war::{ScoreDifference, TriangleWar};
use duiyi::textbook::{Iteration, Method, Order, Searcher};

const ORDERS: [Order; 5] = Order::all(7);

/// Searches to `depth` at once, without the depths before it.
fn search_to<G: Heuristics, E: Evaluator<G>>(
    root: &G,
    method: Method,
    order: Order,
    depth: i32,
) -> Iteration {
    let mut stop = |_| false;
    let mut searcher = Searcher::<G, E>::new(root.clone(), method, order, &mut stop);
    searcher.prepare(Depth::new(depth)).unwrap();
    searcher.search(Depth::new(depth)).unwrap()
}

/// Every method in every order has the defined value, a move of that value, and a line that is legal.
fn check<G: Heuristics, E: Evaluator<G>>(root: &G, depth: i32, name: &str) -> Score {
    let value = defined::<G, E>(root, depth, 0);
    let moves = defined_moves::<G, E>(root, depth, 0);
    let side = root.side_to_move();
    let expected = if side == Side::White { value } else { -value };
    let minimax = search_to::<G, E>(root, Method::Minimax, Order::Natural, depth).counts;
    for method in Method::ALL {
        for order in ORDERS {
            let Iteration { value: got, pv: line, counts, .. } =
                search_to::<G, E>(root, method, order, depth);
            let what = format!("{name}: {} {} to depth {depth}", method.name(), order.name());
            assert_eq!(got, expected, "{what}");
            assert!(moves.contains(&(line[0], value)), "{what}: the move");
            let mut child = root.clone();
            for &mv in &line {
                assert!(child.is_legal(mv), "{what}: the line");
                child.play(mv);
            }
            assert!(counts.nodes <= minimax.nodes && counts.leaves <= minimax.leaves, "{what}");
            if matches!(method, Method::Minimax | Method::MinimaxSingleFunction | Method::Negamax) {
                assert_eq!(counts, minimax, "{what}: these visit everything");
            }
        }
    }
    expected
}

#[test]
fn all_methods_agree_where_turns_repeat() {
    let mut repeats = 0;
    for seed in 0..150 {
        let root = RandomGame::graph(seed);
        for depth in 1..=RandomGame::HEIGHT as i32 + 1 {
            check::<_, Drawn>(&root, depth, &format!("seed {seed}"));
        }
        repeats += root.moves().iter().filter(|&&mv| repeats_turn(&root, mv)).count();
    }
    assert!(repeats > 100, "only {repeats} moves repeat the turn at the root");
}

/// The engine has the value of the whole game, and a move of that value.
fn check_engine<G: Heuristics, E: Evaluator<G>>(root: &G, depth: i32, name: &str) {
    let solved = |root: &G| {
        let found = search_to::<G, E>(root, Method::Memoised, Order::Natural, depth);
        assert_eq!(found.counts.evaluations, 0, "{name}: the game is longer than {depth}");
        found.value
    };
    let value = solved(root);
    let line = engine::<G, E>(root, depth);
    assert_eq!(line.score, value, "{name}: the engine");
    let mut child = root.clone();
    child.play(line.pv[0]);
    let value = if child.side_to_move() == root.side_to_move() { value } else { -value };
    let reached = match child.outcome() {
        Some(outcome) => Score::from_outcome(outcome, child.side_to_move(), Ply::ROOT),
        None => solved(&child),
    };
    // One move nearer to an end that is forced.
    assert_eq!(reached.from_tt(Ply::ROOT.next()), value, "{name}: the engine's move");
}

#[test]
fn the_engine_agrees_where_it_may_not_judge() {
    for seed in 0..400 {
        let depth = RandomGame::HEIGHT as i32 + 1;
        check_engine::<_, Drawn>(&RandomGame::graph(seed), depth, &format!("graph {seed}"));
        check_engine::<_, Drawn>(&RandomGame::tree(seed), depth, &format!("tree {seed}"));
    }
}

/// Most positions that minimax visits in a search that is repeated with all methods and orders.
const FEASIBLE: u64 = 2_000;

/// Every depth that is feasible, in positions reached by random moves from the start, and the engine where
/// at most `solvable` moves are left of `length`.
fn check_at_random<G: Heuristics + Notation, E: Evaluator<G>>(games: u64, length: usize, solvable: usize) {
    let (mut deepest, mut solved) = (0, 0);
    for seed in 0..games {
        let mut random = SplitMix64::new(seed);
        let mut root = G::start();
        let played = random.next() as usize % length;
        for _ in 0..played {
            let moves = root.moves();
            let mut child = root.clone();
            child.play(moves[random.next() as usize % moves.len()]);
            if child.outcome().is_some() {
                break;
            }
            root = child;
        }
        let name = format!("{} {}", G::VARIANT, root.position_text(NotationOptions::default()));
        for depth in 1..=length as i32 {
            let mut stop = |visited| visited > FEASIBLE;
            let mut minimax = Searcher::<G, E>::new(root.clone(), Method::Minimax, Order::Natural, &mut stop);
            let Ok(found) = minimax.search(Depth::new(depth)) else { break };
            check::<G, E>(&root, depth, &name);
            deepest = deepest.max(depth);
            if found.counts.evaluations == 0 {
                break;
            }
        }
        if played + solvable >= length {
            check_engine::<G, E>(&root, length as i32, &name);
            solved += 1;
        }
    }
    assert!(deepest > 4 && solved > games / 5, "to depth {deepest}, {solved} solved");
}

#[test]
fn all_methods_and_the_engine_agree_in_the_small_games() {
    check_at_random::<TicTacToe<3>, OpenLines>(60, 9, 9);
    check_at_random::<TicTacToe<4>, OpenLines>(60, 16, 9);
    check_at_random::<TriangleWar, ScoreDifference>(60, 18, 10);
    check_engine::<TriangleWar, ScoreDifference>(&TriangleWar::start(), 18, "the empty triangle");
}

/// A tree's text: up to `height` levels, up to four children each, and a leaf where the dice say so.
fn tree_text(random: &mut SplitMix64, height: u64, name: &mut u32) -> String {
    *name += 1;
    let own = format!("n{name}");
    if height == 0 || (*name > 1 && random.next().is_multiple_of(5)) {
        return format!("{own}={}", random.next() % 41) + if name.is_multiple_of(7) { "00" } else { "" };
    }
    let children: Vec<String> =
        (0..1 + random.next() % 4).map(|_| tree_text(random, height - 1, name)).collect();
    format!("{own}({})", children.join(" "))
}

#[test]
fn all_methods_and_the_engine_agree_on_trees() {
    for seed in 0..60 {
        let mut random = SplitMix64::new(seed);
        let height = 1 + random.next() % 5;
        let side = ["MAX", "MIN"][(random.next() % 2) as usize];
        let text = format!("{side} {}", tree_text(&mut random, height, &mut 0));
        let root = Tree::parse_position(&text).unwrap().game;
        for depth in 1..=height as i32 + 1 {
            check::<Tree, ZeroEval>(&root, depth, &text);
        }
        check_engine::<Tree, ZeroEval>(&root, height as i32, &text);
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
fn what_can_be_seen_without_search_helps_and_the_best_first_more() {
    for (fen, depth) in [(POSITIONS[0].0, 4), (POSITIONS[1].0, 3), (POSITIONS[2].0, 4)] {
        let root = Position::parse_position(fen).unwrap().game;
        let nodes =
            |order| search_to::<_, Classical>(&root, Method::AlphaBetaSoft, order, depth).counts.nodes;
        let [natural, heuristic, best] = [Order::Natural, Order::Heuristic, Order::BestFirst].map(nodes);
        assert!(best < heuristic && heuristic < natural, "{fen}: {best}, {heuristic}, {natural}");
    }
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
        SplitMix64::new(self.number()).next()
    }
}

impl Heuristics for Uniform {}

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
                assert_eq!(searcher.nodes(), most, "{} {}", method.name(), order.name());
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
        let mut searcher = Searcher::<_, Classical>::new(start.clone(), method, Order::Heuristic, &mut stop)
            .with_root_moves(&asked);
        let iteration = searcher.search(Depth::new(2)).unwrap();
        assert!(asked.contains(&iteration.pv[0]));
        assert!(iteration.counts.nodes <= 1 + 2 + 2 * 20);
    }
}

#[test]
fn a_game_that_is_searched_to_its_end_is_not_searched_deeper() {
    let root = RandomGame::graph(3);
    let mut stop = |_| false;
    let mut depths = 0;
    let mut searcher = Searcher::<_, Drawn>::new(root, Method::Negamax, Order::Natural, &mut stop);
    searcher.deepen(Depth::MAX, &mut |_| {
        depths += 1;
        true
    });
    assert!((2..=RandomGame::HEIGHT).contains(&depths), "{depths}");
}
