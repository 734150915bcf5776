//! The option `Search Method`: a textbook search in place of the engine's main search, with the same limits and reports.

use crate::game::{Depth, Evaluator, Heuristics, Ply, Score};
use crate::search::{
    IterationReport, IterationStats, Limits, PvLine, Report, SearchControl, SearchRequest, SearchResult,
    Signals, panic_message,
};
use crate::textbook::{Iteration, Method, Order, Searcher};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Searches with `method`, as [`crate::search::run`] does with the main search.
pub fn run<G: Heuristics, E: Evaluator<G>>(
    request: SearchRequest<G>,
    method: Method,
    signals: &dyn Signals,
    report: &mut dyn FnMut(Report),
) -> SearchResult {
    let SearchRequest { root, limits, settings, tablebase: _ } = request;
    // Used at every node and between two iterations.
    let search_control = RefCell::new(SearchControl::new(&limits, &settings, signals));
    let mut result = SearchResult { best: first_move(&root, &limits), ..SearchResult::default() };
    let mut reported = false;
    let searched = catch_unwind(AssertUnwindSafe(|| {
        if result.best.is_none() {
            return;
        }
        let last = limits.depth.unwrap_or(Depth::MAX).clamp(Depth::ONE, Depth::MAX);
        let mut stop = |nodes: u64| search_control.borrow_mut().check(nodes).is_err();
        let mut searcher = Searcher::<G, E>::new(root.clone(), method, Order::Heuristic, &mut stop)
            .with_evaluator(E::new(settings.network.as_ref()))
            .with_root_moves(&limits.searchmoves);
        searcher.deepen(last, &mut |iteration| {
            let Iteration { depth, value, pv, visited, .. } = iteration.clone();
            (result.best, result.ponder) = (pv.first().copied(), pv.get(1).copied());
            let lines = vec![PvLine::exact(depth, Ply::new(pv.len()), value, pv)];
            let mut search_control = search_control.borrow_mut();
            let elapsed = search_control.elapsed();
            report(Report::Iteration(IterationReport {
                lines,
                nodes: visited,
                elapsed,
                hashfull: 0,
                tb_hits: 0,
            }));
            reported = true;
            !search_control.should_stop_deepening(visited, IterationStats::NEUTRAL)
                && !limits.mate_found(value)
        });
        result.nodes = searcher.nodes();
    }));
    result.panic = searched.err().map(|panic| panic_message(&*panic));
    let mut search_control = search_control.into_inner();
    if !reported {
        let (nodes, elapsed) = (result.nodes, search_control.elapsed());
        let lines = vec![unsearched_line(&root, &result, &mut E::new(settings.network.as_ref()))];
        report(Report::Iteration(IterationReport { lines, nodes, elapsed, hashfull: 0, tb_hits: 0 }));
    }
    search_control.wait_for_stop();
    result.elapsed = search_control.elapsed();
    result
}

/// The move of a search that is stopped before it has found one.
fn first_move<G: Heuristics>(root: &G, limits: &Limits) -> Option<crate::game::Move> {
    let allowed = limits.searchmoves.iter().copied().find(|&mv| root.is_legal(mv));
    allowed.or_else(|| root.moves().first().copied())
}

/// The line of a search that has finished no iteration: the game is over, or there was no time.
fn unsearched_line<G: Heuristics, E: Evaluator<G>>(
    root: &G,
    result: &SearchResult,
    evaluator: &mut E,
) -> PvLine {
    evaluator.reset(root);
    let (depth, score) = match root.outcome() {
        Some(outcome) => (Depth::ZERO, Score::from_outcome(outcome, root.side_to_move(), Ply::ROOT)),
        None => (Depth::ONE, evaluator.evaluate(root)),
    };
    PvLine::exact(depth, Ply::ROOT, score, result.best.into_iter().collect())
}
