//! The search on its own: exact where it must be exact, right about mates, obedient to its limits.

mod common;

use common::{Drawn, RandomGame, defined, engine, repeats_turn};
use crossbeam_channel::{Receiver, unbounded};
use duiyi::game::{Depth, Evaluator, Game, Heuristics, Move, Notation, Outcome, Ply, Score, Side};
use duiyi::games::chess::{Classical, Position};
use duiyi::search::{
    self, Bound, Control, Limits, PvLine, Report, SearchRequest, SearchResult, SearchState, Settings,
};

fn position(fen: &str) -> Position {
    Position::parse_position(fen).unwrap().game
}

/// Searches with a fresh memory; gives the last line of each block and the end.
fn search<G: Heuristics, E: Evaluator<G>>(
    root: &G,
    limits: Limits,
    settings: Settings,
) -> (Vec<Vec<PvLine>>, SearchResult) {
    let (_open, control): (_, Receiver<Control>) = unbounded();
    let mut memory = SearchState::new(1).unwrap();
    let mut blocks = Vec::new();
    let task = SearchRequest { root: root.clone(), limits, settings };
    let finish = search::run::<G, E>(task, &mut memory, &control, &mut |report| {
        if let Report::Block(block) = report {
            blocks.push(block.lines);
        }
    });
    assert_eq!(finish.panic, None);
    (blocks, finish)
}

fn chess(fen: &str, limits: Limits) -> (PvLine, SearchResult) {
    let (mut blocks, finish) = search::<_, Classical>(&position(fen), limits, Settings::default());
    (blocks.pop().unwrap().remove(0), finish)
}

#[test]
fn games_with_extra_turns_have_minimax_value() {
    let mut repeats = 0;
    for seed in 0..600 {
        let mut game = if seed < 300 { RandomGame::tree(seed) } else { RandomGame::graph(seed) };
        let depth = RandomGame::HEIGHT as i32 + 1;
        let side = game.side_to_move();
        let value = defined::<_, Drawn>(&game, depth, 0);
        let line = engine::<_, Drawn>(&game, depth);
        let expected = if side == Side::White { value } else { -value };
        assert_eq!(line.score, expected, "seed {seed}");
        // The move it plays has that value, and the line it shows leads there.
        repeats += usize::from(repeats_turn(&game, line.pv[0]));
        for (ply, &mv) in line.pv.iter().enumerate() {
            game.play(mv);
            assert_eq!(defined::<_, Drawn>(&game, depth, ply + 1), value, "seed {seed}: move {ply}");
        }
        assert!(game.outcome().is_some(), "seed {seed}: the line is not whole");
    }
    assert!(repeats > 100, "only {repeats} games repeat the turn at the root");
}

/// Positions and moves to mate, negative for the side to move; the second lives by zugzwang, which a
/// null move cannot see, and takes the most nodes.
const MATES: &[(&str, i32)] = &[
    ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("r1b2bkr/ppp3pp/2n5/3qp3/2B5/8/PPPP1PPP/RNB1K2R w KQ - 0 9", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("8/8/8/8/8/5k2/4q3/6K1 w - - 0 1", -1),
    ("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", -1),
];

#[test]
fn mates_are_found_with_complete_pv() {
    for &(fen, moves) in MATES {
        let (line, finish) = chess(fen, Limits::nodes(75_000));
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves } as usize;
        let score =
            if moves > 0 { Score::mate_in(Ply::new(plies)) } else { Score::mated_in(Ply::new(plies)) };
        assert_eq!((line.score, line.bound), (score, Bound::Exact), "{fen}");
        assert_eq!(line.pv.len(), plies, "{fen}");
        assert_eq!(finish.best, line.pv.first().copied());
        let mut game = position(fen);
        let mut winner = game.side_to_move();
        if moves < 0 {
            winner = !winner;
        }
        for &mv in &line.pv {
            assert!(game.is_legal(mv), "{fen}");
            game.play(mv);
        }
        assert_eq!(game.outcome(), Some(Outcome::Win(winner)), "{fen}");
    }
}

/// Mated in 6; after the move that loses in 4 the last iteration may have to stop.
#[test]
fn aborted_iteration_does_not_report_avoidable_mate() {
    for nodes in (60_000..300_000).step_by(20_000) {
        let limits = Limits { nodes: Some(nodes), ..Limits::none() };
        let (line, _) = chess("k7/p1K3p1/P7/8/8/7N/6p1/6Bb b - - 0 1", limits);
        assert!(line.score >= Score::mated_in(Ply::new(12)), "{nodes} nodes: {:?}", line.score);
    }
}

#[test]
fn go_mate_ends_at_first_win() {
    let (fen, moves) = MATES[2];
    let (line, _) = chess(fen, Limits { mate: Some(moves as u32), ..Limits::none() });
    assert!(line.score.is_win());
}

#[test]
fn drawn_positions_score_zero() {
    for fen in [
        "8/8/8/4k3/8/8/4K3/8 w - - 0 1",
        "8/8/8/4k3/8/8/4K3/7N w - - 0 1",
        "8/8/3b4/6k1/8/2B5/4K3/8 w - - 0 1",
        // The only moves complete fifty on either side.
        "k7/8/1K6/8/8/8/P7/8 b - - 99 80",
    ] {
        assert_eq!(chess(fen, Limits::depth(8)).0.score, Score::ZERO, "{fen}");
    }
}

#[test]
fn single_thread_search_is_deterministic() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let (open, control) = unbounded();
    let mut memory = SearchState::new(1).unwrap();
    let mut count = |clear: bool| {
        if clear {
            memory.clear();
        }
        let task =
            SearchRequest { root: position(fen), limits: Limits::depth(9), settings: Settings::default() };
        search::run::<_, Classical>(task, &mut memory, &control, &mut |_| {}).nodes
    };
    let fresh = count(false);
    assert_ne!(count(false), fresh, "the table and the histories must matter");
    assert_eq!(count(true), fresh);
    drop(open);
}

#[test]
fn node_depth_and_searchmoves_limits_hold() {
    let start = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for nodes in [1, 2, 100, 4_321] {
        let (blocks, finish) = search::<_, Classical>(&start, Limits::nodes(nodes), Settings::default());
        assert_eq!(finish.nodes, nodes);
        assert!(start.is_legal(finish.best.unwrap()));
        assert_eq!(blocks.last().unwrap()[0].pv.first().copied(), finish.best);
    }
    let (blocks, _) = search::<_, Classical>(&start, Limits::depth(4), Settings::default());
    assert_eq!(
        blocks.iter().map(|lines| lines[0].depth).collect::<Vec<_>>(),
        (1..=4).map(Depth::new).collect::<Vec<_>>()
    );
    let only = start.parse_move("a2a3").unwrap();
    let limits = Limits { searchmoves: vec![only], ..Limits::depth(5) };
    assert_eq!(search::<_, Classical>(&start, limits, Settings::default()).1.best, Some(only));
}

#[test]
fn searchmoves_result_is_not_stored_in_tt() {
    let start = Position::start();
    let (_open, control) = unbounded();
    let kept = |searchmoves: Vec<Move>| {
        let mut memory = SearchState::new(1).unwrap();
        let limits = Limits { searchmoves, ..Limits::depth(4) };
        let task = SearchRequest { root: start.clone(), limits, settings: Settings::default() };
        search::run::<_, Classical>(task, &mut memory, &control, &mut |_| {});
        memory.table().probe(start.key(), Ply::ROOT).is_some()
    };
    assert!(kept(Vec::new()));
    assert!(!kept(vec![start.parse_move("f2f3").unwrap()]));
}

#[test]
fn multipv_lines_are_distinct_and_sorted() {
    let start = Position::start();
    let settings = Settings { multipv: 5, ..Settings::default() };
    let (blocks, _) = search::<_, Classical>(&start, Limits::depth(7), settings);
    assert_eq!(blocks.len(), 7);
    for lines in &blocks {
        assert_eq!(lines.len(), 5);
        assert!(
            lines.windows(2).all(|pair| pair[0].score >= pair[1].score && pair[0].depth == pair[1].depth)
        );
        let mut first: Vec<Move> = lines.iter().map(|line| line.pv[0]).collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 5);
    }
}

#[test]
fn closed_control_channel_stops_search() {
    let (open, control) = unbounded::<Control>();
    drop(open);
    let task = SearchRequest {
        root: Position::start(),
        limits: Limits { infinite: true, ..Limits::none() },
        settings: Settings::default(),
    };
    let finish = search::run::<_, Classical>(task, &mut SearchState::new(1).unwrap(), &control, &mut |_| {});
    assert!(finish.best.is_some());
}
