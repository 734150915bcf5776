//! The search with several threads: as right as with one, and obedient to the same limits.

use crossbeam_channel::{Receiver, unbounded};
use duiyi::game::{Evaluator, Game, Heuristics, Notation, Ply, Score};
use duiyi::games::chess::{Classical, Position};
use duiyi::games::tictactoe::{Board, OpenLines};
use duiyi::games::triangle_war::{ScoreDifference, TriangleWar};
use duiyi::search::{
    self, Control, Limits, PvLine, Report, SearchRequest, SearchResult, SearchState, Settings,
};
use std::time::Duration;

/// Searches with so many threads; gives the last line that was told and the end.
fn search<G: Heuristics, E: Evaluator<G>>(
    root: &G,
    limits: Limits,
    threads: usize,
    memory: &mut SearchState,
) -> (PvLine, SearchResult) {
    let (_open, control): (_, Receiver<Control>) = unbounded();
    let settings = Settings { threads, ..Settings::default() };
    let mut last = None;
    let task = SearchRequest { root: root.clone(), limits, settings };
    let finish = search::run::<G, E>(task, memory, &control, &mut |report| {
        if let Report::Block(block) = report {
            assert!(block.nodes <= 1 << 40, "a count that cannot be");
            last = block.lines.into_iter().next();
        }
    });
    assert_eq!(finish.panic, None);
    (last.expect("a search tells a line"), finish)
}

#[test]
fn mate_is_found_with_any_thread_count() {
    let mut memory = SearchState::new(8).unwrap();
    let root = Position::parse_position("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1").unwrap().game;
    // The number of threads changes between searches.
    for threads in [4, 1, 2, 3] {
        memory.clear();
        let (line, finish) = search::<_, Classical>(&root, Limits::depth(14), threads, &mut memory);
        assert_eq!(line.score, Score::mate_in(Ply::new(5)), "{threads} threads");
        assert_eq!(finish.best, line.pv.first().copied());
    }
}

#[test]
fn small_games_with_threads_have_exact_value() {
    for _ in 0..20 {
        let mut memory = SearchState::new(1).unwrap();
        let (line, _) = search::<_, OpenLines>(&Board::<3>::start(), Limits::none(), 3, &mut memory);
        assert_eq!(line.score, Score::ZERO);
    }
    let alone = search::<_, ScoreDifference>(
        &TriangleWar::start(),
        Limits::none(),
        1,
        &mut SearchState::new(16).unwrap(),
    );
    let together = search::<_, ScoreDifference>(
        &TriangleWar::start(),
        Limits::none(),
        3,
        &mut SearchState::new(16).unwrap(),
    );
    assert_eq!(alone.0.score, together.0.score);
}

#[test]
fn node_limit_counts_all_threads() {
    let (root, mut memory) = (Position::start(), SearchState::new(8).unwrap());
    for threads in [1, 2, 4] {
        let (_, finish) = search::<_, Classical>(&root, Limits::nodes(20_000), threads, &mut memory);
        // Each thread looks up every so many nodes.
        assert!(finish.nodes >= 20_000 && finish.nodes < 20_000 + 1000 * threads as u64, "{}", finish.nodes);
        assert!(root.is_legal(finish.best.unwrap()));
    }
}

#[test]
fn stop_ends_all_threads() {
    let (open, control) = unbounded();
    let stop = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        open.send(Control::Stop).unwrap();
    });
    let settings = Settings { threads: 4, ..Settings::default() };
    let limits = Limits { infinite: true, ..Limits::none() };
    let task = SearchRequest { root: Position::start(), limits, settings };
    let finish = search::run::<_, Classical>(task, &mut SearchState::new(8).unwrap(), &control, &mut |_| {});
    assert!(finish.best.is_some());
    stop.join().unwrap();
}
