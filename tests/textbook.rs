//! The textbook searches compared with plain minimax, with each other and with the engine.

use crate::common::random_game::{
    RandomEval, RandomGame, engine_line, gives_extra_turn, minimax_move_values, minimax_value,
};
use duiyi::game::{
    Depth, Evaluator, Game, Heuristics, Move, MoveList, Notation, Outcome, Ply, Score, Side, SplitMix64,
};
use duiyi::games::chess::{Classical, Position};
use duiyi::games::connect_four::{self, ConnectFour};
use duiyi::games::tictactoe::{OpenLines, TicTacToe};
use duiyi::games::tree::{EstimateEval, Tree};
use duiyi::games::triangle_war::{ScoreDifference, TriangleWar};
use duiyi::textbook::{Iteration, Method, Order, Searcher};

const ORDERS: [Order; 5] = Order::all(7);

/// Searches to `depth` without iterative deepening.
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

/// Checks for every method and order: the minimax value, a move with that value, and a legal PV. Returns the value.
fn check<G: Heuristics, E: Evaluator<G>>(root: &G, depth: i32, name: &str) -> Score {
    let value = minimax_value::<G, E>(root, depth, 0);
    let moves = minimax_move_values::<G, E>(root, depth, 0);
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
                assert_eq!(counts, minimax, "{what}: expected the counts of minimax");
            }
        }
    }
    expected
}

#[test]
fn methods_agree_in_games_with_extra_turns() {
    let mut extra_turns = 0;
    for seed in 0..150 {
        let root = RandomGame::graph(seed);
        for depth in 1..=RandomGame::HEIGHT as i32 + 1 {
            check::<_, RandomEval>(&root, depth, &format!("seed {seed}"));
        }
        extra_turns += root.moves().iter().filter(|&&mv| gives_extra_turn(&root, mv)).count();
    }
    assert!(extra_turns > 100, "only {extra_turns} root moves give an extra turn");
}

/// Checks that the engine finds the exact game value and a move with that value.
fn check_engine<G: Heuristics, E: Evaluator<G>>(root: &G, depth: i32, name: &str) {
    let solved = |root: &G| {
        let found = search_to::<G, E>(root, Method::Memoised, Order::Natural, depth);
        assert_eq!(found.counts.evaluations, 0, "{name}: the game is longer than {depth} plies");
        found.value
    };
    let value = solved(root);
    let line = engine_line::<G, E>(root, depth);
    assert_eq!(line.score, value, "{name}: the engine");
    let mut child = root.clone();
    child.play(line.pv[0]);
    let value = if child.side_to_move() == root.side_to_move() { value } else { -value };
    let reached = match child.outcome() {
        Some(outcome) => Score::from_outcome(outcome, child.side_to_move(), Ply::ROOT),
        None => solved(&child),
    };
    // After the move, a forced end is one ply nearer.
    assert_eq!(reached.from_tt(Ply::ROOT.next()), value, "{name}: the engine's move");
}

#[test]
fn engine_agrees_in_random_games() {
    for seed in 0..400 {
        let depth = RandomGame::HEIGHT as i32 + 1;
        check_engine::<_, RandomEval>(&RandomGame::graph(seed), depth, &format!("graph {seed}"));
        check_engine::<_, RandomEval>(&RandomGame::tree(seed), depth, &format!("tree {seed}"));
    }
}

/// Node limit of minimax for a search that is repeated with all methods and orders.
const MAX_MINIMAX_NODES: u64 = 2_000;

/// Checks positions reached by random moves to every depth within [`MAX_MINIMAX_NODES`]. Checks the engine where
/// at most `solvable` of the game's `length` moves are left.
fn check_at_random<G: Heuristics + Notation, E: Evaluator<G>>(
    start: &G,
    games: u64,
    length: usize,
    solvable: usize,
) {
    let (mut max_depth, mut solved) = (0, 0);
    for seed in 0..games {
        let mut random = SplitMix64::new(seed);
        let mut root = start.clone();
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
        let name = format!("{} {}", root.variant(), root.position_text());
        for depth in 1..=length as i32 {
            let mut stop = |visited| visited > MAX_MINIMAX_NODES;
            let mut minimax = Searcher::<G, E>::new(root.clone(), Method::Minimax, Order::Natural, &mut stop);
            let Ok(found) = minimax.search(Depth::new(depth)) else { break };
            check::<G, E>(&root, depth, &name);
            max_depth = max_depth.max(depth);
            if found.counts.evaluations == 0 {
                break;
            }
        }
        if played + solvable >= length {
            check_engine::<G, E>(&root, length as i32, &name);
            solved += 1;
        }
    }
    assert!(max_depth > 4 && solved > games / 5, "to depth {max_depth}, {solved} solved");
}

#[test]
fn methods_and_engine_agree_in_small_games() {
    check_at_random::<_, OpenLines>(&TicTacToe::start(3), 60, 9, 9);
    check_at_random::<_, OpenLines>(&TicTacToe::start(4), 60, 16, 9);
    check_at_random::<_, ScoreDifference>(&TriangleWar::start(), 60, 18, 10);
    check_engine::<TriangleWar, ScoreDifference>(&TriangleWar::start(), 18, "the empty triangle");
    for depth in 1..=4 {
        check::<ConnectFour, connect_four::OpenLines>(&ConnectFour::start(), depth, "the empty Connect Four");
    }
}

/// The text of a random tree with at most `height` levels and four children per node.
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
fn methods_and_engine_agree_on_trees() {
    for seed in 0..60 {
        let mut random = SplitMix64::new(seed);
        let height = 1 + random.next() % 5;
        let side = ["MAX", "MIN"][(random.next() % 2) as usize];
        let text = format!("{side} {}", tree_text(&mut random, height, &mut 0));
        let root = Tree::start().parse_position(&text).unwrap().game;
        for depth in 1..=height as i32 + 1 {
            check::<Tree, EstimateEval>(&root, depth, &text);
        }
        check_engine::<Tree, EstimateEval>(&root, height as i32, &text);
    }
}

/// Positions, and the largest depth that is fast enough for a test.
const POSITIONS: &[(&str, i32)] = &[
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1", 3),
    // Mates at the depth limit and before it, stalemates, a promotion, and the fifty-move rule.
    ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", 3),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 4),
    ("8/P5k1/6p1/5q1p/1Q5P/6P1/5PK1/8 w - - 0 55", 2),
    ("8/8/8/8/8/5k2/4q3/6K1 w - - 0 1", 2),
    ("8/8/8/3k4/8/8/r3P3/K7 w - - 98 90", 4),
];

#[test]
fn methods_agree_in_chess() {
    let mut decisive = 0;
    for &(fen, deepest) in POSITIONS {
        let root = Position::start().parse_position(fen).unwrap().game;
        for depth in 1..=deepest {
            decisive += usize::from(check::<_, Classical>(&root, depth, fen).is_decisive());
        }
    }
    assert!(decisive > 2, "expected more than 2 decisive values, found {decisive}");
}

#[test]
fn better_move_ordering_visits_fewer_nodes() {
    for (fen, depth) in [(POSITIONS[0].0, 4), (POSITIONS[1].0, 3), (POSITIONS[2].0, 4)] {
        let root = Position::start().parse_position(fen).unwrap().game;
        let nodes =
            |order| search_to::<_, Classical>(&root, Method::AlphaBetaSoft, order, depth).counts.nodes;
        let [natural, heuristic, best] = [Order::Natural, Order::Heuristic, Order::BestFirst].map(nodes);
        assert!(best < heuristic && heuristic < natural, "{fen}: {best}, {heuristic}, {natural}");
    }
}

#[test]
fn alpha_beta_variants_have_equal_counts() {
    for &(fen, deepest) in POSITIONS {
        let root = Position::start().parse_position(fen).unwrap().game;
        let count = |method| search_to::<_, Classical>(&root, method, Order::Heuristic, deepest).counts;
        let soft = count(Method::AlphaBetaSoft);
        assert_eq!(count(Method::MaxMinSoft), soft, "{fen}");
        // Without a table, the tighter bound of fail-soft prunes nothing more.
        assert_eq!(count(Method::AlphaBetaHard), soft, "{fen}");
        assert_eq!(count(Method::MaxMinHard), soft, "{fen}");
    }
}

/// An endless game with [`Uniform::WIDTH`] moves in every position. All leaves of one depth have different values.
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

/// A permutation of the position numbers as values, so that no two leaves tie.
#[derive(Default)]
struct Distinct;

impl Evaluator<Uniform> for Distinct {
    fn evaluate(&mut self, game: &Uniform) -> Score {
        let number = game.number() % 4096;
        let scattered = (number * 2731 + 17) % 4096;
        Score::new(((scattered ^ (scattered >> 5)) * 1365 % 4096) as i32 - 2048)
    }
}

/// Knuth and Moore 1975, <https://doi.org/10.1016/0004-3702(75)90019-3>: with the best move always first,
/// alpha-beta visits b^ceil(d/2) + b^floor(d/2) - 1 leaves. With the best move always last it visits all b^d leaves
/// to depth 3. From depth 4 on, some cutoffs remain even in that order.
#[test]
fn alpha_beta_leaf_counts_match_knuth_moore() {
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
fn stop_ends_every_method_at_exact_node() {
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
fn searchmoves_restrict_root_moves() {
    let start = Position::start();
    let searchmoves = ["a2a3", "h2h3"].map(|text| start.parse_move(text).unwrap());
    for method in Method::ALL {
        let mut stop = |_| false;
        let mut searcher = Searcher::<_, Classical>::new(start.clone(), method, Order::Heuristic, &mut stop)
            .with_root_moves(&searchmoves);
        let iteration = searcher.search(Depth::new(2)).unwrap();
        assert!(searchmoves.contains(&iteration.pv[0]));
        assert!(iteration.counts.nodes <= 1 + 2 + 2 * 20);
    }
}

#[test]
fn deepening_ends_at_fully_searched_game() {
    let root = RandomGame::graph(3);
    let mut stop = |_| false;
    let mut depths = 0;
    let mut searcher = Searcher::<_, RandomEval>::new(root, Method::Negamax, Order::Natural, &mut stop);
    searcher.deepen(Depth::MAX, &mut |_| {
        depths += 1;
        true
    });
    assert!((2..=RandomGame::HEIGHT).contains(&depths), "{depths}");
}
