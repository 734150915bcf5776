//! The search with several threads: the same values and limits as with one.

use crossbeam_channel::{Receiver, never, unbounded};
use duiyi::game::{Evaluator, Game, Heuristics, Notation, Ply, Score, Variant};
use duiyi::games::chess::{Classical, Position};
use duiyi::games::tictactoe::{OpenLines, TicTacToe};
use duiyi::games::triangle_war::{ScoreDifference, TriangleWar};
use duiyi::nnue::Network;
use duiyi::search::{
    self, Limits, PvLine, Report, SearchRequest, SearchResult, SearchState, Settings, Signal,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Searches with `threads` threads. Returns the last PV line and the result.
fn search<G: Heuristics, E: Evaluator<G>>(
    root: &G,
    limits: Limits,
    threads: usize,
    state: &mut SearchState,
) -> (PvLine, SearchResult) {
    let settings = Settings { threads, ..Settings::default() };
    let request = SearchRequest { root: root.clone(), limits, settings, tablebase: None };
    let mut check = |report: &Report| {
        if let Report::Iteration(iteration) = report {
            assert!(iteration.nodes <= 1 << 40, "impossible node count {}", iteration.nodes);
        }
    };
    let search = search::run_to_end::<G, E>(request, state, &never(), &mut check).unwrap();
    (search.last.unwrap().lines.remove(0), search.result)
}

#[test]
fn mate_is_found_with_any_thread_count() {
    let mut state = SearchState::new(8).unwrap();
    let root = Position::start().parse_position("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1").unwrap().game;
    // The number of threads changes between searches.
    for threads in [4, 1, 2, 3] {
        state.clear();
        let (line, result) = search::<_, Classical>(&root, Limits::depth(14), threads, &mut state);
        assert_eq!(line.score, Score::mate_in(Ply::new(5)), "{threads} threads");
        assert_eq!(result.best, line.pv.first().copied());
    }
}

#[test]
fn small_games_with_threads_have_exact_value() {
    for _ in 0..20 {
        let mut state = SearchState::new(1).unwrap();
        let (line, _) = search::<_, OpenLines>(&TicTacToe::start(3), Limits::none(), 3, &mut state);
        assert_eq!(line.score, Score::ZERO);
    }
    let one_thread = search::<_, ScoreDifference>(
        &TriangleWar::start(),
        Limits::none(),
        1,
        &mut SearchState::new(16).unwrap(),
    );
    let three_threads = search::<_, ScoreDifference>(
        &TriangleWar::start(),
        Limits::none(),
        3,
        &mut SearchState::new(16).unwrap(),
    );
    assert_eq!(one_thread.0.score, three_threads.0.score);
}

#[test]
fn node_limit_counts_all_threads() {
    let (root, mut state) = (Position::start(), SearchState::new(8).unwrap());
    for threads in [1, 2, 4] {
        let (_, result) = search::<_, Classical>(&root, Limits::nodes(20_000), threads, &mut state);
        // Each thread checks the limit only every few hundred nodes.
        assert!(result.nodes >= 20_000 && result.nodes < 20_000 + 1000 * threads as u64, "{}", result.nodes);
        assert!(root.is_legal(result.best.unwrap()));
    }
}

#[test]
fn stop_ends_all_threads() {
    let (signal_sender, signals) = unbounded();
    let stop = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        signal_sender.send(Signal::Stop).unwrap();
    });
    let settings = Settings { threads: 4, ..Settings::default() };
    let limits = Limits { infinite: true, ..Limits::none() };
    let request = SearchRequest { root: Position::start(), limits, settings, tablebase: None };
    let result =
        search::run::<_, Classical>(request, &mut SearchState::new(8).unwrap(), &signals, &mut |_| {});
    assert!(result.best.is_some());
    stop.join().unwrap();
}

/// Records the threads that evaluate positions.
#[derive(Default)]
struct ThreadRecorder;

static EVALUATING_THREADS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

impl Evaluator<Position> for ThreadRecorder {
    fn evaluate(&mut self, _: &Position) -> Score {
        let id = format!("{:?}", std::thread::current().id());
        EVALUATING_THREADS.lock().unwrap().insert(id);
        Score::ZERO
    }
}

#[test]
fn threads_after_clear_and_resize_are_the_same() {
    let mut state = SearchState::new(1).unwrap();
    let threads_of_search = |state: &mut SearchState| {
        EVALUATING_THREADS.lock().unwrap().clear();
        search::<_, ThreadRecorder>(&Position::start(), Limits::nodes(1000), 4, state);
        EVALUATING_THREADS.lock().unwrap().clone()
    };
    let threads = threads_of_search(&mut state);
    assert_eq!(threads.len(), 4);
    state.clear();
    assert_eq!(threads_of_search(&mut state), threads);
    state.resize(32).unwrap();
    assert_eq!(threads_of_search(&mut state), threads);
    state.clear();
    assert_eq!(threads_of_search(&mut state), threads);
}

/// Records for each thread that evaluates positions whether it has a network.
#[derive(Default)]
struct NetworkRecorder {
    has_network: bool,
}

static THREADS_WITH_NETWORK: Mutex<BTreeMap<String, bool>> = Mutex::new(BTreeMap::new());

impl Evaluator<Position> for NetworkRecorder {
    fn new(network: Option<&Arc<Network>>) -> Self {
        NetworkRecorder { has_network: network.is_some() }
    }
    fn evaluate(&mut self, _: &Position) -> Score {
        let id = format!("{:?}", std::thread::current().id());
        THREADS_WITH_NETWORK.lock().unwrap().insert(id, self.has_network);
        Score::ZERO
    }
}

#[test]
fn every_thread_evaluates_with_the_network_of_the_search() {
    let mut state = SearchState::new(1).unwrap();
    let mut threads_with = |network: Option<Arc<Network>>| {
        THREADS_WITH_NETWORK.lock().unwrap().clear();
        let settings = Settings { threads: 4, network, ..Settings::default() };
        let request =
            SearchRequest { root: Position::start(), limits: Limits::nodes(1000), settings, tablebase: None };
        search::run_to_end::<_, NetworkRecorder>(request, &mut state, &never(), &mut |_| {}).unwrap();
        let threads = THREADS_WITH_NETWORK.lock().unwrap();
        assert_eq!(threads.len(), 4);
        threads.values().filter(|&&has_network| has_network).count()
    };
    assert_eq!(threads_with(Position::embedded_network().unwrap()), 4);
    assert_eq!(threads_with(None), 0);
}

/// With 375 nodes for each of eight threads, some are stopped before they have searched a move.
#[test]
fn shallow_helper_threads_do_not_outvote_main_thread() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let root = Position::start().parse_position(fen).unwrap().game;
    let moves = ["a2a4", "g2g4", "e1f1", "a1b1", "h1g1", "c3b1"];
    let searchmoves: Vec<_> = moves.iter().map(|text| root.parse_move(text).unwrap()).collect();
    let (_open, signals): (_, Receiver<Signal>) = unbounded();
    let mut state = SearchState::new(1).unwrap();
    for run in 0..60 {
        state.clear();
        let limits = Limits { searchmoves: searchmoves.clone(), ..Limits::nodes(3_000) };
        let settings = Settings { threads: 8, ..Settings::default() };
        let mut depths = Vec::new();
        let request = SearchRequest { root: root.clone(), limits, settings, tablebase: None };
        search::run::<_, Classical>(request, &mut state, &signals, &mut |report| {
            if let Report::Iteration(block) = report {
                depths.push(block.lines[0].depth.plies());
            }
        });
        let deepest = depths.iter().copied().max().unwrap();
        assert!(2 * depths[depths.len() - 1] >= deepest, "run {run}: {depths:?}");
    }
}

/// Whether the calling thread is a helper thread of a search that a test runs in another thread.
fn is_helper_thread() -> bool {
    std::thread::current().name() == Some("search")
}

/// Blocks helper threads until the test unlocks `HELPER_GATE`, and then panics in them.
#[derive(Default)]
struct BlockedHelper;

static HELPER_GATE: Mutex<()> = Mutex::new(());

impl Evaluator<Position> for BlockedHelper {
    fn evaluate(&mut self, _: &Position) -> Score {
        if is_helper_thread() {
            drop(HELPER_GATE.lock());
            panic!("on purpose");
        }
        Score::ZERO
    }
}

/// Searches for `milliseconds` with two threads.
fn timed_search<E: Evaluator<Position>>(milliseconds: u64, state: &mut SearchState) -> SearchResult {
    let limits = Limits { movetime: Some(Duration::from_millis(milliseconds)), ..Limits::none() };
    search::<_, E>(&Position::start(), limits, 2, state).1
}

#[test]
fn search_with_clock_does_not_wait_for_blocked_helper() {
    const HANG_GUARD: Duration = Duration::from_secs(60);
    let gate = HELPER_GATE.lock().unwrap();
    let (result_tx, result_rx) = unbounded();
    std::thread::spawn(move || {
        let mut state = SearchState::new(1).unwrap();
        let result = timed_search::<BlockedHelper>(50, &mut state);
        result_tx.send((result, state)).unwrap();
    });
    let (result, mut state) = result_rx.recv_timeout(HANG_GUARD).expect("the search waits for its helper");
    assert!(result.best.is_some() && result.helper_panics.is_empty());

    // The next use of the state waits for the helper, and the next search reports its panic.
    drop(gate);
    state.clear();
    state.resize(2).unwrap();
    assert_eq!(timed_search::<Classical>(50, &mut state).helper_panics, ["on purpose"]);
    assert!(timed_search::<Classical>(50, &mut state).helper_panics.is_empty());
}

/// Counts the evaluations of helper threads.
#[derive(Default)]
struct HelperCounter;

static HELPER_EVALUATIONS: AtomicUsize = AtomicUsize::new(0);

impl Evaluator<Position> for HelperCounter {
    fn evaluate(&mut self, _: &Position) -> Score {
        HELPER_EVALUATIONS.fetch_add(usize::from(is_helper_thread()), Relaxed);
        Score::ZERO
    }
}

#[test]
fn search_with_little_time_starts_no_helpers() {
    let mut state = SearchState::new(1).unwrap();
    timed_search::<HelperCounter>(10, &mut state);
    state.clear();
    assert_eq!(HELPER_EVALUATIONS.load(Relaxed), 0);
    search::<_, HelperCounter>(&Position::start(), Limits::nodes(20_000), 2, &mut state);
    assert!(HELPER_EVALUATIONS.load(Relaxed) > 0);
}
