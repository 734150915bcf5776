//! The option `Search Method`: a search of the textbooks in place of the engine's own. It obeys the same
//! limits and says the same kind of reports, one line each.

use crate::game::{Bound, Depth, Evaluator, Heuristics, Ply, Score};
use crate::search::{
    Control, IterationReport, IterationStats, Limits, PvLine, Report, SearchControl, SearchRequest,
    SearchResult, panic_message,
};
use crate::textbook::{Iteration, Method, Order, Searcher};
use crossbeam_channel::Receiver;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does with `method` what [`crate::search::run`] does with the engine's own search.
pub fn run<G: Heuristics, E: Evaluator<G>>(
    task: SearchRequest<G>,
    method: Method,
    control: &Receiver<Control>,
    report: &mut dyn FnMut(Report),
) -> SearchResult {
    let SearchRequest { root, limits, settings } = task;
    // Asked at every node and between two depths.
    let stopper = RefCell::new(SearchControl::new(&limits, &settings, control));
    let mut finish = SearchResult { best: first_move(&root, &limits), ..SearchResult::default() };
    let mut told = false;
    let searched = catch_unwind(AssertUnwindSafe(|| {
        if finish.best.is_none() {
            return;
        }
        let last = limits.depth.unwrap_or(Depth::MAX).clamp(Depth::ONE, Depth::MAX);
        let mut stop = |nodes: u64| stopper.borrow_mut().check(nodes).is_err();
        let mut searcher = Searcher::<G, E>::new(root.clone(), method, Order::Heuristic, &mut stop)
            .only(&limits.searchmoves);
        searcher.deepen(last, &mut |found| {
            let Iteration { depth, value, line, visited, .. } = found.clone();
            (finish.best, finish.ponder) = (line.first().copied(), line.get(1).copied());
            let seldepth = Ply::new(line.len());
            let lines = vec![PvLine { depth, seldepth, score: value, bound: Bound::Exact, pv: line }];
            let mut stopper = stopper.borrow_mut();
            let elapsed = stopper.elapsed();
            report(Report::Block(IterationReport { lines, nodes: visited, elapsed, hashfull: 0 }));
            told = true;
            !stopper.should_stop_deepening(visited, IterationStats::NEUTRAL) && !is_mate(&limits, value)
        });
        finish.nodes = searcher.nodes();
    }));
    finish.panic = searched.err().map(|panic| panic_message(&*panic));
    let mut stopper = stopper.into_inner();
    if !told {
        let (nodes, elapsed) = (finish.nodes, stopper.elapsed());
        let lines = vec![without_search::<G, E>(&root, &finish)];
        report(Report::Block(IterationReport { lines, nodes, elapsed, hashfull: 0 }));
    }
    stopper.wait_for_stop();
    finish.elapsed = stopper.elapsed();
    finish
}

/// A move for a search that is stopped before it has found one.
fn first_move<G: Heuristics>(root: &G, limits: &Limits) -> Option<crate::game::Move> {
    let asked = limits.searchmoves.iter().copied().find(|&mv| root.is_legal(mv));
    asked.or_else(|| root.moves().first().copied())
}

/// What is to be said where nothing was searched: the game is over, or there was no time at all.
fn without_search<G: Heuristics, E: Evaluator<G>>(root: &G, finish: &SearchResult) -> PvLine {
    let mut evaluator = E::default();
    evaluator.reset(root);
    let (depth, score) = match root.outcome() {
        Some(outcome) => (Depth::ZERO, Score::from_outcome(outcome, root.side_to_move(), Ply::ROOT)),
        None => (Depth::ONE, evaluator.evaluate(root)),
    };
    PvLine { depth, seldepth: Ply::ROOT, score, bound: Bound::Exact, pv: finish.best.into_iter().collect() }
}

/// Whether the end that was asked for is proved, for either side.
fn is_mate(limits: &Limits, score: Score) -> bool {
    limits.mate.zip(score.moves_to_mate()).is_some_and(|(limit, moves)| moves.unsigned_abs() <= limit)
}
