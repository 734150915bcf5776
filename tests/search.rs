//! The search as a library: exact values in random games, mates, draws, limits.

use crate::common::random_game::{RandomEval, RandomGame, engine_line, gives_extra_turn, minimax_value};
use crossbeam_channel::{Receiver, unbounded};
use duiyi::game::{
    Bound, Depth, Evaluator, Game, Heuristics, Move, MoveList, Notation, Outcome, Ply, Score, Side,
    SplitMix64, Window,
};
use duiyi::games::chess::{Classical, Position};
use duiyi::games::connect_four::{ConnectFour, OpenLines};
use duiyi::games::go::{Go, Influence};
use duiyi::games::triangle_war::{ScoreDifference, TriangleWar};
use duiyi::search::{
    self, ClockState, Limits, PvLine, Report, SearchRequest, SearchResult, SearchState, Settings, Signal,
};
use std::time::{Duration, Instant};

fn position(fen: &str) -> Position {
    Position::start().parse_position(fen).unwrap().game
}

/// Searches with a new table. Returns the PV lines of each report and the result.
fn search<G: Heuristics, E: Evaluator<G>>(
    root: &G,
    limits: Limits,
    settings: Settings,
) -> (Vec<Vec<PvLine>>, SearchResult) {
    let (_signal_sender, signals): (_, Receiver<Signal>) = unbounded();
    let mut state = SearchState::new(1).unwrap();
    let mut reports = Vec::new();
    let request = SearchRequest { root: root.clone(), limits, settings, tablebase: None };
    let result = search::run::<G, E>(request, &mut state, &signals, &mut |report| {
        if let Report::Iteration(iteration) = report {
            reports.push(iteration.lines);
        }
    });
    assert_eq!(result.panic, None);
    (reports, result)
}

fn chess(fen: &str, limits: Limits) -> (PvLine, SearchResult) {
    let (mut reports, result) = search::<_, Classical>(&position(fen), limits, Settings::default());
    (reports.pop().unwrap().remove(0), result)
}

#[test]
fn games_with_extra_turns_have_minimax_value() {
    let mut extra_turns = 0;
    for seed in 0..600 {
        let mut game = if seed < 300 { RandomGame::tree(seed) } else { RandomGame::graph(seed) };
        let depth = RandomGame::HEIGHT as i32 + 1;
        let side = game.side_to_move();
        let value = minimax_value::<_, RandomEval>(&game, depth, 0);
        let line = engine_line::<_, RandomEval>(&game, depth);
        let expected = if side == Side::White { value } else { -value };
        assert_eq!(line.score, expected, "seed {seed}");
        // Every position on the PV has the same value.
        extra_turns += usize::from(gives_extra_turn(&game, line.pv[0]));
        for (ply, &mv) in line.pv.iter().enumerate() {
            game.play(mv);
            assert_eq!(
                minimax_value::<_, RandomEval>(&game, depth, ply + 1),
                value,
                "seed {seed}: move {ply}"
            );
        }
        assert!(game.outcome().is_some(), "seed {seed}: the PV is incomplete");
    }
    assert!(extra_turns > 100, "only {extra_turns} games begin with an extra turn");
}

/// Positions and moves to mate; negative if the side to move is mated. The second is a zugzwang, which null
/// move pruning misses, and takes the most nodes.
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
        let (line, result) = chess(fen, Limits::nodes(100_000));
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves } as usize;
        let score =
            if moves > 0 { Score::mate_in(Ply::new(plies)) } else { Score::mated_in(Ply::new(plies)) };
        assert_eq!((line.score, line.bound), (score, Bound::Exact), "{fen}");
        assert_eq!(line.pv.len(), plies, "{fen}");
        assert_eq!(result.best, line.pv.first().copied());
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

/// The best defence is mated in 6. The node limit may stop the last iteration after a move that is mated in 4.
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

/// A sacrifice that gives no check. The search without a limit of moves wants 58,682 nodes for it.
#[test]
fn go_mate_finds_a_quiet_mate_in_two_with_few_nodes() {
    let fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
    let limits = Limits { mate: Some(2), nodes: Some(5_000), ..Limits::none() };
    let (line, _) = chess(fen, limits);
    assert_eq!((line.score, line.pv.len()), (Score::mate_in(Ply::new(3)), 3));
}

#[test]
fn drawn_positions_score_zero() {
    for fen in [
        "8/8/8/4k3/8/8/4K3/8 w - - 0 1",
        "8/8/8/4k3/8/8/4K3/7N w - - 0 1",
        "8/8/3b4/6k1/8/2B5/4K3/8 w - - 0 1",
        // Every legal move completes the fifty moves.
        "k7/8/1K6/8/8/8/P7/8 b - - 99 80",
    ] {
        assert_eq!(chess(fen, Limits::depth(8)).0.score, Score::ZERO, "{fen}");
    }
}

#[test]
fn single_thread_search_is_deterministic() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let (signal_sender, signals) = unbounded();
    let mut state = SearchState::new(1).unwrap();
    let mut count = |clear: bool| {
        if clear {
            state.clear();
        }
        let request = SearchRequest::new(position(fen), Limits::depth(9));
        search::run::<_, Classical>(request, &mut state, &signals, &mut |_| {}).nodes
    };
    let fresh = count(false);
    assert_ne!(count(false), fresh, "the table and the histories must change the node count");
    assert_eq!(count(true), fresh);
    drop(signal_sender);
}

#[test]
fn node_depth_and_searchmoves_limits_hold() {
    let start = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for nodes in [1, 2, 100, 4_321] {
        let (reports, result) = search::<_, Classical>(&start, Limits::nodes(nodes), Settings::default());
        assert_eq!(result.nodes, nodes);
        assert!(start.is_legal(result.best.unwrap()));
        assert_eq!(reports.last().unwrap()[0].pv.first().copied(), result.best);
    }
    let (reports, _) = search::<_, Classical>(&start, Limits::depth(4), Settings::default());
    assert_eq!(
        reports.iter().map(|lines| lines[0].depth).collect::<Vec<_>>(),
        (1..=4).map(Depth::new).collect::<Vec<_>>()
    );
    let only = start.parse_move("a2a3").unwrap();
    let limits = Limits { searchmoves: vec![only], ..Limits::depth(5) };
    assert_eq!(search::<_, Classical>(&start, limits, Settings::default()).1.best, Some(only));
}

#[test]
fn searchmoves_result_is_not_stored_in_tt() {
    let start = Position::start();
    let (_signal_sender, signals) = unbounded();
    let stores_root = |searchmoves: Vec<Move>| {
        let mut state = SearchState::new(1).unwrap();
        let limits = Limits { searchmoves, ..Limits::depth(4) };
        let request = SearchRequest::new(start.clone(), limits);
        search::run::<_, Classical>(request, &mut state, &signals, &mut |_| {});
        state.table().probe(start.key(), Ply::ROOT).is_some()
    };
    assert!(stores_root(Vec::new()));
    assert!(!stores_root(vec![start.parse_move("f2f3").unwrap()]));
}

/// Black would lose the position as it stands, because of the dead stone in his area.
#[test]
fn dead_stone_is_captured_before_a_pass_that_ends_the_game() {
    let mut game = Go::<6>::start().parse_position("2Pp1/2Pp1/p1Pp1/2Pp1/2Pp1 b - 1 0.5").unwrap().game;
    assert!(game.points_now() < Some(0));
    for _ in 0..16 {
        let (_, result) = search::<Go<6>, Influence>(&game, Limits::nodes(2000), Settings::default());
        let mv = result.best.unwrap();
        game.play(mv);
        if game.outcome().is_some() {
            break;
        }
        game.play(game.parse_move("pass").unwrap());
    }
    // More if White, who only passes, loses more.
    assert!(matches!(game.outcome(), Some(Outcome::Points(45..))), "{:?}", game.outcome());
}

/// The first legal move is the pass. It would end the game, which the one who passes loses.
#[test]
fn search_stopped_in_its_first_iteration_has_the_first_move_of_the_order() {
    let mut game = Go::<6>::start().parse_position("5/5/2P2/5/5 b - 0 0.5").unwrap().game;
    game.play(game.parse_move("pass").unwrap());
    game.play(game.parse_move("c2").unwrap());
    game.play(game.parse_move("pass").unwrap());
    for nodes in [1, 2, 3] {
        let (reports, result) = search::<Go<6>, Influence>(&game, Limits::nodes(nodes), Settings::default());
        let mv = result.best.unwrap();
        assert_ne!(game.move_text(mv), "pass", "{nodes} nodes");
        assert_eq!(reports.last().unwrap()[0].pv[0], mv);
    }
}

/// The queen can be taken. The search of a second line must not cost the score of the first.
#[test]
fn first_line_of_a_stopped_first_iteration_is_that_of_a_search_for_one_line() {
    let game = Position::start().parse_position("4k3/8/8/8/3q4/8/3R4/4K3 w - - 0 1").unwrap().game;
    let first_line = |nodes: u64, multipv: usize| {
        let limits = Limits { depth: Limits::depth(1).depth, ..Limits::nodes(nodes) };
        let settings = Settings { multipv, ..Settings::default() };
        let (reports, _) = search::<_, Classical>(&game, limits, settings);
        let line = reports.last().unwrap()[0].clone();
        (line.pv, line.score)
    };
    let lines: Vec<_> = (1..60).map(|nodes| (first_line(nodes, 1), first_line(nodes, 2))).collect();
    assert!(lines.iter().all(|(one, two)| one == two), "{lines:?}");
    assert_ne!(lines[0], lines[58]);
}

#[test]
fn multipv_lines_are_distinct_and_sorted() {
    let start = Position::start();
    let settings = Settings { multipv: 5, ..Settings::default() };
    let (reports, _) = search::<_, Classical>(&start, Limits::depth(7), settings);
    assert_eq!(reports.len(), 7);
    for lines in &reports {
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
fn closed_signal_channel_stops_search() {
    let (signal_sender, signals) = unbounded::<Signal>();
    drop(signal_sender);
    let request = SearchRequest::new(Position::start(), Limits { infinite: true, ..Limits::none() });
    let result =
        search::run::<_, Classical>(request, &mut SearchState::new(1).unwrap(), &signals, &mut |_| {});
    assert!(result.best.is_some());
}

/// After an aspiration fail high the root is searched again at a reduced depth.
#[test]
fn current_move_after_a_fail_high_names_the_iteration() {
    let root = position("r1bqk2r/ppp1nppp/4p3/n5N1/2BPp3/P1P5/2P2PPP/R1BQK2R w KQkq - 0 1");
    let searchmoves = ["c4a2", "c4b5", "g5f7"].map(|text| root.parse_move(text).unwrap()).to_vec();
    // Reports of the current move begin 3 seconds after `started`.
    let started = Instant::now().checked_sub(Duration::from_secs(4)).expect("a machine that is up for 4 s");
    let request = SearchRequest::new(root, Limits { started, searchmoves, ..Limits::depth(7) });
    let (_open, signals) = unbounded();
    let (mut iteration, mut reports) = (Depth::ONE, Vec::new());
    search::run::<_, Classical>(request, &mut SearchState::new(1).unwrap(), &signals, &mut |report| {
        match report {
            Report::Iteration(block) => iteration = block.lines[0].depth + 1,
            Report::CurrMove { depth, .. } => {
                reports.push((depth, iteration));
                // The least time between two reports: so each root move is reported.
                std::thread::sleep(Duration::from_millis(50));
            }
            Report::FewerThreads { .. } => {}
        }
    });
    assert!(reports.len() > 3 * 7, "the search failed high nowhere: {reports:?}");
    assert!(reports.iter().all(|(depth, iteration)| depth == iteration), "{reports:?}");
}

/// A game in which White may take a draw at once, or else win after [`Corridor::LENGTH`] moves without a choice.
#[derive(Clone, Debug)]
struct Corridor {
    moves: usize,
    drawn: bool,
}

impl Corridor {
    const LENGTH: usize = 201;
    const DRAW: Move = Move::new(1);
    const GO_ON: Move = Move::new(2);
}

impl Game for Corridor {
    fn side_to_move(&self) -> Side {
        Side::ALL[self.moves % 2]
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        if self.moves == 0 {
            moves.push(Corridor::DRAW);
        }
        if !self.drawn && self.moves < Self::LENGTH {
            moves.push(Corridor::GO_ON);
        }
    }

    fn play(&mut self, mv: Move) {
        self.moves += 1;
        self.drawn = mv == Corridor::DRAW;
    }

    fn undo(&mut self, _: Move) {
        self.moves -= 1;
        self.drawn = false;
    }

    fn outcome(&self) -> Option<Outcome> {
        let won = (self.moves == Self::LENGTH).then_some(Outcome::Win(Side::White));
        if self.drawn { Some(Outcome::Draw) } else { won }
    }

    fn key(&self) -> u64 {
        SplitMix64::new(2 * self.moves as u64 + u64::from(self.drawn)).next()
    }
}

impl Heuristics for Corridor {}

/// Values every position as a draw.
#[derive(Default)]
struct Level;

impl Evaluator<Corridor> for Level {
    fn evaluate(&mut self, _: &Corridor) -> Score {
        Score::ZERO
    }
}

#[test]
fn exact_search_deeper_than_127_plies_is_not_taken_for_solved() {
    let (reports, _) =
        search::<_, Level>(&Corridor { moves: 0, drawn: false }, Limits::none(), Settings::default());
    let line = &reports.last().unwrap()[0];
    assert_eq!(line.score, Score::mate_in(Ply::new(Corridor::LENGTH)), "depth {}", line.depth.plies());
}

/// A limit of the depth allows iterations alone.
#[test]
fn bisection_finds_the_values_of_the_iterations() {
    /// Plays `plies` random moves, then compares the searches. Returns the nodes of the bisection and of the iterations.
    fn compare<G: Heuristics + Notation, E: Evaluator<G>>(
        mut game: G,
        plies: usize,
        random: &mut SplitMix64,
    ) -> [u64; 2] {
        for _ in 0..plies {
            let Some(&mv) = random.choose(&game.moves()) else { return [0; 2] };
            game.play(mv);
        }
        if game.outcome().is_some() {
            return [0; 2];
        }
        let [bisection, iterations] = [Limits::none(), Limits::depth(Depth::MAX.plies())].map(|limits| {
            let (reports, result) = search::<G, E>(&game, limits, Settings::default());
            assert!(result.solved, "{}", game.position_text());
            let line = reports.last().unwrap()[0].clone();
            assert_eq!(
                (line.bound, Some(line.pv[0])),
                (Bound::Exact, result.best),
                "{}",
                game.position_text()
            );
            (line.score, result.nodes)
        });
        assert_eq!(bisection.0, iterations.0, "{}", game.position_text());
        [bisection.1, iterations.1]
    }
    let (mut random, mut nodes) = (SplitMix64::new(7), [0; 2]);
    for plies in (13..22).cycle().take(45) {
        let counts = [
            compare::<_, OpenLines>(ConnectFour::start(), plies, &mut random),
            compare::<_, ScoreDifference>(TriangleWar::start(), plies % 5, &mut random),
        ];
        counts.iter().for_each(|count| (0..2).for_each(|i| nodes[i] += count[i]));
    }
    assert!(3 * nodes[0] < 2 * nodes[1], "nodes of the bisection and of the iterations: {nodes:?}");
}

#[test]
fn stopped_null_window_search_reports_no_value() {
    let window = Window::null_window_at_alpha(Score::ZERO);
    let limits = Limits { window, nodes: Some(1_000), ..Limits::depth(18) };
    let (reports, result) =
        search::<_, ScoreDifference>(&TriangleWar::start(), limits.clone(), Settings::default());
    assert!(reports.is_empty(), "{reports:?}");
    assert!(TriangleWar::start().is_legal(result.best.unwrap()));
    let request = SearchRequest::new(TriangleWar::start(), limits);
    let (mut state, never) = (SearchState::new(1).unwrap(), crossbeam_channel::never());
    let search = search::run_to_end::<_, ScoreDifference>(request, &mut state, &never, &mut |_| {}).unwrap();
    assert!(search.last.is_none());
}

/// A game of two moves per position, in which the first [`Checks::LENGTH`] positions are in check.
#[derive(Clone, Debug)]
struct Checks {
    path: Vec<u16>,
}

impl Checks {
    const LENGTH: usize = 80;
}

impl Game for Checks {
    fn side_to_move(&self) -> Side {
        Side::ALL[self.path.len() % 2]
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        moves.extend([Move::new(1), Move::new(2)]);
    }

    fn play(&mut self, mv: Move) {
        self.path.push(mv.bits());
    }

    fn undo(&mut self, _: Move) {
        self.path.pop();
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn key(&self) -> u64 {
        self.path.iter().fold(0, |key, &mv| SplitMix64::new(key ^ u64::from(mv)).next())
    }
}

impl Heuristics for Checks {
    const SELECTIVE: bool = true;

    fn in_check(&self) -> bool {
        self.path.len() < Checks::LENGTH
    }
}

/// Gives each position another value.
#[derive(Default)]
struct ByKey;

impl Evaluator<Checks> for ByKey {
    fn evaluate(&mut self, game: &Checks) -> Score {
        Score::new((game.key() % 200) as i32 - 100)
    }
}

#[test]
fn check_extensions_stop_at_twice_the_root_depth() {
    let limits = Limits { nodes: Some(1_000_000), ..Limits::depth(5) };
    let (reports, result) = search::<_, ByKey>(&Checks { path: Vec::new() }, limits, Settings::default());
    let depth = reports.last().unwrap()[0].depth;
    assert!(
        depth == Depth::new(5) && result.nodes < 1_000_000,
        "depth {}, {} nodes",
        depth.plies(),
        result.nodes
    );
}

#[test]
fn clocks_of_both_sides_in_one_process_are_no_latency() {
    let (mut state, mut root) = (SearchState::new(1).unwrap(), Position::start());
    let mut depth_of_ply = |ply: u64| {
        // Black has 0.7 s less than White, and each move costs a few milliseconds.
        let remaining = Duration::from_millis(6_003 - ply * 7 - ply % 2 * 700);
        let clock = ClockState { remaining, increment: Duration::ZERO, moves_to_go: None };
        let limits = Limits { clock: Some(clock), ..Limits::nodes(2_000) };
        let request = SearchRequest::new(root.clone(), limits);
        let never = crossbeam_channel::never();
        let search = search::run_to_end::<_, Classical>(request, &mut state, &never, &mut |_| {}).unwrap();
        root.play(search.result.best.unwrap());
        search.last.unwrap().lines[0].depth
    };
    let depths: Vec<Depth> = (0..30).map(&mut depth_of_ply).collect();
    assert!(depths[20..].iter().any(|&depth| depth > Depth::ONE), "{depths:?}");
}

/// The first 40 plies of a game of a limited strength against itself. At 2000 half of the positions have only one move within the
/// spread, so two seeds may agree for 24.
fn limited_game(elo: u32, seed: u64) -> Vec<Move> {
    let (mut game, mut state) = (Position::start(), SearchState::new(1).unwrap());
    let settings =
        Settings { strength: Some(search::Strength { elo, seed: Some(seed) }), ..Settings::default() };
    let mut moves = Vec::new();
    while moves.len() < 40 && game.outcome().is_none() {
        let (root, limits, settings) = (game.clone(), Limits::none(), settings.clone());
        let request = SearchRequest { root, limits, settings, tablebase: None };
        let never = crossbeam_channel::never();
        let searched = search::run_to_end::<_, Classical>(request, &mut state, &never, &mut |_| {}).unwrap();
        let (best, last) = (searched.result.best.unwrap(), searched.last.unwrap());
        assert_eq!(last.lines.len(), 1, "lines that only the draw needs are not reported");
        assert_eq!(last.lines[0].pv[0], best, "the line of the move that is played is reported");
        game.play(best);
        moves.push(best);
    }
    moves
}

#[test]
fn games_of_a_limited_strength_differ_by_seed_and_repeat_with_it() {
    for elo in [800, 1320, 2000, 2600] {
        let mut games: Vec<Vec<Move>> = (1..=4).map(|seed| limited_game(elo, seed)).collect();
        assert_eq!(games[0], limited_game(elo, 1), "{elo}");
        games.sort();
        games.dedup();
        assert_eq!(games.len(), 4, "four different games at {elo}");
    }
}
