//! The counters of a search, compared with counts of the calls that the game gets: a wrapper around chess counts them.

use duiyi::game::{
    Claim, Evaluator, Game, Heuristics, Move, MoveList, Notation, Outcome, Ply, Score, SearchParams, Side,
};
use duiyi::games::chess::{Classical, Position};
use duiyi::search::{self, Counters, Limits, SearchRequest, SearchState, Settings};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The calls of the methods with these names.
#[derive(Debug, Default)]
struct Calls {
    make_null_move: AtomicU64,
    /// Called once in each node below the root.
    early_outcome: AtomicU64,
    /// Called once for each entry of the transposition table that could end its node.
    is_near_move_limit: AtomicU64,
}

/// Chess that counts calls.
#[derive(Clone)]
struct Counted {
    position: Position,
    calls: Arc<Calls>,
}

impl Game for Counted {
    fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }
    fn legal_moves(&self, moves: &mut MoveList) {
        self.position.legal_moves(moves);
    }
    fn play(&mut self, mv: Move) {
        self.position.play(mv);
    }
    fn undo(&mut self, mv: Move) {
        self.position.undo(mv);
    }
    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }
    fn key(&self) -> u64 {
        self.position.key()
    }
    fn claim(&self, ply: Ply) -> Option<Claim> {
        self.position.claim(ply)
    }
    fn is_legal(&self, mv: Move) -> bool {
        self.position.is_legal(mv)
    }
}

impl Heuristics for Counted {
    const SELECTIVE: bool = Position::SELECTIVE;
    const PARAMS: SearchParams = Position::PARAMS;
    const BOUNDED: bool = Position::BOUNDED;
    const BUTTERFLY: usize = Position::BUTTERFLY;
    const PIECE_TO: usize = Position::PIECE_TO;
    const CAPTURED: usize = Position::CAPTURED;
    const CORRECTION_KEYS: usize = Position::CORRECTION_KEYS;

    fn early_outcome(&self) -> Option<Outcome> {
        self.calls.early_outcome.fetch_add(1, Relaxed);
        self.position.early_outcome()
    }
    fn is_near_move_limit(&self) -> bool {
        self.calls.is_near_move_limit.fetch_add(1, Relaxed);
        self.position.is_near_move_limit()
    }
    fn make_null_move(&mut self) {
        self.calls.make_null_move.fetch_add(1, Relaxed);
        self.position.make_null_move();
    }
    fn unmake_null_move(&mut self) {
        self.position.unmake_null_move();
    }
    fn can_null_move(&self) -> bool {
        self.position.can_null_move()
    }
    fn tt_key(&self) -> u64 {
        self.position.tt_key()
    }
    fn upcoming_repetition(&self, ply: Ply) -> bool {
        self.position.upcoming_repetition(ply)
    }
    fn is_noisy(&self, mv: Move) -> bool {
        self.position.is_noisy(mv)
    }
    fn noisy_moves(&self, moves: &mut MoveList) {
        self.position.noisy_moves(moves);
    }
    fn quiet_moves(&self, moves: &mut MoveList) {
        self.position.quiet_moves(moves);
    }
    fn in_check(&self) -> bool {
        self.position.in_check()
    }
    fn gives_check(&self, mv: Move) -> bool {
        self.position.gives_check(mv)
    }
    fn captured_value(&self, mv: Move) -> i32 {
        self.position.captured_value(mv)
    }
    fn attacker_value(&self, mv: Move) -> i32 {
        self.position.attacker_value(mv)
    }
    fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        self.position.see_ge(mv, threshold)
    }
    fn butterfly(&self, mv: Move) -> usize {
        self.position.butterfly(mv)
    }
    fn piece_to(&self, mv: Move) -> usize {
        self.position.piece_to(mv)
    }
    fn captured_kind(&self, mv: Move) -> usize {
        self.position.captured_kind(mv)
    }
    fn structure_key(&self) -> u64 {
        self.position.structure_key()
    }
    fn correction_keys(&self, keys: &mut [u64]) {
        self.position.correction_keys(keys);
    }
    fn reversible_plies(&self) -> i32 {
        self.position.reversible_plies()
    }
}

/// The hand-written evaluation of chess.
#[derive(Default)]
struct OfCounted(Classical);

impl Evaluator<Counted> for OfCounted {
    fn evaluate(&mut self, game: &Counted) -> Score {
        self.0.evaluate(&game.position)
    }
}

const DEPTH: i32 = 12;

/// The nodes and the counters of a search, and the calls of the game's methods.
fn searched(position: &str) -> (u64, Box<Counters>, Arc<Calls>) {
    let position = Position::start().parse_position(position).unwrap().game;
    let root = Counted { position, calls: Arc::default() };
    let (calls, mut state) = (root.calls.clone(), SearchState::new(4).unwrap());
    let request = SearchRequest::new(root, Limits::depth(DEPTH));
    let never = crossbeam_channel::never();
    let found = search::run_to_end::<_, OfCounted>(request, &mut state, &never, &mut |_| {}).unwrap();
    (found.result.nodes, found.result.counters, calls)
}

#[test]
fn counters_agree_with_the_calls_of_the_game() {
    for position in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let (nodes, counters, calls) = searched(position);
        assert_eq!(counters.null_move_tries, calls.make_null_move.load(Relaxed), "{position}");
        let tt_cutoffs = counters.tt_cutoffs_exact + counters.tt_cutoffs_lower + counters.tt_cutoffs_upper;
        assert_eq!(tt_cutoffs, calls.is_near_move_limit.load(Relaxed), "{position}");
        // Each search of an iteration visits the root once.
        let root_visits = DEPTH as u64 + counters.aspiration_fail_lows + counters.aspiration_fail_highs;
        assert_eq!(nodes, calls.early_outcome.load(Relaxed) + root_visits, "{position}");
        let main_nodes = nodes - counters.quiescence_nodes;
        let Counters { cutoffs, lmr_searches, lmr_researches, .. } = &*counters;
        assert!(
            cutoffs.iter().sum::<u64>() < main_nodes && cutoffs[0] > cutoffs[1] && cutoffs[1] > cutoffs[2]
        );
        assert!(lmr_searches.iter().zip(lmr_researches).all(|(all, again)| again <= all));
        assert!(lmr_researches.iter().sum::<u64>() > 0 && lmr_searches[DEPTH as usize + 9..] == [0; 11]);
        assert!(counters.null_move_cutoffs <= counters.null_move_tries && tt_cutoffs <= counters.tt_hits);
        assert!(counters.tt_hits <= counters.tt_probes && counters.tt_probes <= nodes);
        assert!(counters.corrections <= nodes && counters.correction_sum > 0);
        for (name, count) in [
            ("futility", counters.futility_skips),
            ("late moves", counters.late_move_skips),
            ("history", counters.history_skips),
            ("SEE", counters.see_skips),
            ("check", counters.check_extensions),
            ("singular", counters.singular_extensions),
        ] {
            assert!(count > 0 && count < 10 * nodes, "{name}: {count} in {position}");
        }
        assert_eq!(counters, searched(position).1, "equal searches have equal counters");
    }
}

#[test]
fn counters_of_all_threads_are_summed() {
    let root = Position::start();
    let settings = Settings { threads: 2, ..Settings::default() };
    let request = SearchRequest { root, limits: Limits::nodes(60_000), settings, tablebase: None };
    let (mut state, never) = (SearchState::new(1).unwrap(), crossbeam_channel::never());
    let found = search::run_to_end::<_, Classical>(request, &mut state, &never, &mut |_| {}).unwrap();
    let Counters { quiescence_nodes, tt_probes, .. } = *found.result.counters;
    assert!(quiescence_nodes < found.result.nodes && tt_probes > found.result.nodes / 3);
}
