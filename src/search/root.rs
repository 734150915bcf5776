//! Root search: root moves, iterative deepening, reports.

use super::attempts::{Attempt, Attempts};
use super::bisection::Bisection;
use super::control::Stopped;
use super::fault_injection;
use super::limits::{Limits, Settings};
use super::mate::MateSearch;
use super::node::{Root, RootMove, sort_root_moves};
use super::params::FORCED_MOVE_DEPTH;
use super::picker::MovePicker;
use super::report::{IterationReport, PvLine, Report, SearchResult};
use super::strength::Strength;
use super::time::IterationStats;
use super::worker::{Support, Worker};
use crate::game::{Bound, Depth, Evaluator, Heuristics, Move, MoveList, Ply, Score, Window};
use std::time::Duration;

/// Reports of the current root move start after this time.
const CURRMOVE_DELAY: Duration = Duration::from_secs(3);
const CURRMOVE_INTERVAL: Duration = Duration::from_millis(50);

/// The least nodes of one run of the mate search.
const MATE_NODES: u64 = 100;

/// Iterations that repeat a mate are reported once per interval: a GUI hung on the flood (Stockfish pull request 5460).
const REPEATED_MATE_INTERVAL: Duration = Duration::from_millis(50);

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// See <https://www.chessprogramming.org/Iterative_Deepening>. `result` has the best move so far, even after a panic.
    pub(super) fn iterative_deepening(
        &mut self,
        limits: &Limits,
        settings: &Settings,
        result: &mut SearchResult,
    ) {
        if self.control.thread == 0 {
            fault_injection::trigger(fault_injection::FaultPoint::Start);
        }
        self.init_root_moves(limits);
        if self.root_moves.is_empty() {
            let score = self.no_legal_moves_score(Ply::ROOT);
            self.report_pv(vec![PvLine::exact(Depth::ZERO, Ply::ROOT, score, Vec::new())]);
            result.solved = true;
            return;
        }
        result.best = Some(self.root_moves[0].mv);
        let reported = settings.multipv.clamp(1, self.root_moves.len());
        // A limited strength draws among several moves, which need scores.
        let drawn = settings.strength.map_or(1, Strength::lines);
        let multipv = reported.max(drawn.min(self.root_moves.len()));
        let max_depth = limits.depth.map_or(Depth::MAX, |depth| depth.clamp(Depth::ONE, Depth::MAX));
        let (mut best_move_stability, mut last_report, mut last_report_at) = (0, Vec::new(), Duration::ZERO);
        // Lazy SMP: every other thread starts one ply deeper, so that the threads search different depths.
        let depth_offset = Depth::new((self.control.thread % 2) as i32);
        let is_proof = limits.window != Window::FULL;
        let mut depth = if is_proof && G::BOUNDED { max_depth - 1 } else { depth_offset };
        let has_attempts = is_proof && !G::BOUNDED && !G::SELECTIVE && G::ALTERNATES;
        let mut attempts = has_attempts.then(|| Attempts::new(self.control.thread, settings.threads));
        let is_limited = limits.depth.is_some() || limits.mate.is_some() || multipv > 1;
        let mut bisection = (!G::SELECTIVE && G::BOUNDED && !is_proof && !is_limited).then(Bisection::new);
        let mut mate_search = self.new_mate_search(limits, multipv);
        let mut mate_nodes = 0;
        while depth < max_depth {
            if let Some(mate_search) = &mut mate_search {
                // Two thirds of the nodes.
                let budget = (2 * (self.nodes - mate_nodes)).saturating_sub(mate_nodes).max(MATE_NODES);
                let nodes_before = self.nodes;
                let found = self.search_mate(mate_search, budget);
                mate_nodes += self.nodes - nodes_before;
                match found {
                    Ok(None) => {}
                    Ok(Some(line)) => {
                        self.set_mate(line);
                        result.best = Some(self.root_moves[0].mv);
                        self.report_pv(self.pv_lines(1));
                        result.ponder = self.ponder_move();
                        return;
                    }
                    Err(Stopped) => break,
                }
            }
            if let Some(bisection) = &mut bisection {
                let found = self.bisect(bisection);
                result.best = Some(self.root_moves[0].mv);
                match found {
                    Ok(false) => {}
                    Ok(true) => {
                        self.completed_depth = self.root_depth;
                        result.solved = true;
                        last_report = self.pv_lines(reported);
                        self.report_pv(last_report.clone());
                        break;
                    }
                    Err(Stopped) => break,
                }
            }
            self.attempt = attempts.as_mut().map(|attempts| attempts.next(self.nodes));
            depth = self.attempt.map_or(depth + 1, |attempt| attempt.depth);
            let (old_best_move, old_score) = (self.root_moves[0].mv, self.root_moves[0].score);
            let finished = self.search_iteration(depth, multipv, limits.window);
            if let Some(Attempt { prover, depth, .. }) = self.attempt {
                log::debug!("proof by {prover:?}, depth {}: {} nodes so far", depth.plies(), self.nodes);
            }
            result.best = Some(self.root_moves[0].mv);
            if !finished {
                break;
            }
            self.completed_depth = depth;
            best_move_stability =
                if self.root_moves[0].mv == old_best_move { best_move_stability + 1 } else { 0 };
            let lines = self.pv_lines(reported);
            let is_new = !self.is_repeated_mate(&lines, &last_report)
                || self.control.elapsed() - last_report_at >= REPEATED_MATE_INTERVAL;
            if is_new {
                last_report_at = self.control.elapsed();
                self.report_pv(lines.clone());
                last_report = lines;
            }
            let score = self.root_moves[0].score.unwrap_or_default();
            let stats = IterationStats {
                best_move_stability,
                best_move_nodes_fraction: self.root_moves[0].nodes as f64 / self.nodes.max(1) as f64,
                score_drop: old_score.map_or(0, |old_score| old_score - score),
            };
            let stops_early = limits.clock.is_some() && self.can_stop_early(depth, score);
            let is_solved = !G::SELECTIVE && !self.support.static_eval;
            result.solved = is_solved;
            if is_solved && is_proof {
                // The other threads have the same question.
                self.control.shared.stop();
            }
            let limit_reached = self.control.should_stop_deepening(self.nodes, stats);
            if limit_reached || stops_early || is_solved || limits.mate_found(score) {
                break;
            }
        }
        if let Some(strength) = settings.strength {
            let index = strength.draw(&self.root_moves[..multipv], self.game.key());
            self.root_moves[..=index].rotate_right(1);
            result.best = Some(self.root_moves[0].mv);
        }
        let lines = self.pv_lines(reported);
        let differs = |line: &PvLine| line.pv != lines[0].pv || line.depth != lines[0].depth;
        // A search with a window that is stopped before the end of its first iteration has no score.
        let has_score = limits.window == Window::FULL || self.completed_depth > Depth::ZERO;
        if has_score && last_report.first().is_none_or(differs) {
            self.report_pv(lines);
        }
        result.ponder = self.ponder_move();
    }

    /// The search for the mate of `limits`, if one is asked for: on the main thread, over all root moves, for one line.
    fn new_mate_search(&self, limits: &Limits, multipv: usize) -> Option<MateSearch<G>> {
        let is_possible = G::SELECTIVE && G::ALTERNATES && limits.window == Window::FULL;
        let is_whole = self.control.thread == 0 && multipv == 1 && !self.has_searchmoves;
        limits
            .mate
            .filter(|_| is_possible && is_whole)
            .and_then(|moves| MateSearch::new(self.game.clone(), moves))
    }

    /// Continues the search for a mate by at most `budget` nodes. Returns the moves to the mate once it is proved.
    fn search_mate(
        &mut self,
        mate_search: &mut MateSearch<G>,
        budget: u64,
    ) -> Result<Option<Vec<Move>>, Stopped> {
        mate_search.run(budget, &mut || {
            self.nodes += 1;
            self.control.check(self.nodes)
        })
    }

    /// Makes the proved mate `line` the best root move.
    fn set_mate(&mut self, line: Vec<Move>) {
        let Some(&mv) = line.first() else { return };
        let plies = Ply::new(line.len());
        let (score, depth) = (Score::mate_in(plies), self.root_depth.max(Depth::ONE));
        (self.seldepth, self.completed_depth) = (self.seldepth.max(plies), depth);
        let line = PvLine::exact(depth, self.seldepth, score, line);
        if self.move_to_front(mv) {
            (self.root_moves[0].score, self.root_moves[0].line) = (Some(score), line);
        }
    }

    /// Makes `mv` the first of the root moves. Returns whether it is one.
    fn move_to_front(&mut self, mv: Move) -> bool {
        let Some(at) = self.root_moves.iter().position(|root| root.mv == mv) else { return false };
        self.root_moves[..=at].rotate_right(1);
        true
    }

    /// Lists the root moves: the legal ones of `searchmoves`, or all candidate moves if there are none.
    fn init_root_moves(&mut self, limits: &Limits) {
        let mut moves = self.game.moves();
        let is_requested = |mv: &Move| limits.searchmoves.contains(mv);
        let search_all = !moves.iter().any(is_requested);
        if G::HAS_CANDIDATES {
            let mut candidates = MoveList::new();
            self.game.noisy_moves(&mut candidates);
            self.game.quiet_moves(&mut candidates);
            moves.retain(|mv| candidates.contains(mv) || is_requested(mv));
            let non_candidates = moves.iter().copied().filter(|mv| !candidates.contains(mv));
            self.requested_non_candidates = non_candidates.collect();
        }
        self.has_searchmoves = !search_all && !moves.iter().all(is_requested);
        let static_eval = self.evaluator.evaluate(&self.game);
        let searched_moves = moves.iter().copied().filter(|mv| search_all || is_requested(mv));
        let unsearched = |mv| PvLine::exact(Depth::ONE, Ply::ROOT, static_eval, vec![mv]);
        self.root_moves = searched_moves
            .map(|mv| RootMove {
                mv,
                score: None,
                previous: static_eval,
                rank: 0,
                tb_score: None,
                line: unsearched(mv),
                nodes: 0,
            })
            .collect();
        self.rank_root_moves();
        self.order_root_moves();
    }

    /// Puts first the move to search first, which is also the answer of a search that is stopped before it has searched a move: of the
    /// moves with the best rank the one that is known to be optimal, else the first in search order.
    fn order_root_moves(&mut self) {
        let Some(best_rank) = self.root_moves.first().map(|root| root.rank) else { return };
        let tt_move = self.probe_tt(self.game.tt_key(), Ply::ROOT).and_then(|entry| entry.mv);
        let cont_rows = self.continuation_rows(Ply::ROOT);
        let context = self.ordering_context(&cont_rows);
        let mut picker = MovePicker::new(&self.game, tt_move, [None; 2]);
        let is_best = |mv| self.root_moves.iter().any(|root| root.mv == mv && root.rank == best_rank);
        let in_order = std::iter::from_fn(|| picker.next(&self.game, context)).map(|picked| picked.mv);
        let first = self.game.forced_move().into_iter().chain(in_order).find(|&mv| is_best(mv));
        if let Some(mv) = first {
            self.move_to_front(mv);
        }
    }

    /// Searches one iteration; returns false if it was stopped. A stopped iteration still counts if it is the first or has found a
    /// better move, except with MultiPV, or if its best move so far loses: the unsearched moves may not (as in Stockfish).
    fn search_iteration(&mut self, depth: Depth, multipv: usize, window: Window) -> bool {
        let old_root_moves = self.root_moves.clone();
        for root in &mut self.root_moves {
            root.previous = root.score.unwrap_or(root.previous);
        }
        self.support = Support::PROOF;
        self.root_depth = depth;
        for pv_index in 0..multipv {
            self.pv_index = pv_index;
            self.seldepth = Ply::ROOT;
            let searched = if window == Window::FULL {
                self.aspiration_search(depth)
            } else {
                self.search_window(depth, window)
            };
            if searched.is_err() {
                let is_losing = self.root_moves[0].score.is_some_and(Score::is_loss);
                if old_root_moves[0].score.is_some() && (multipv > 1 || is_losing) {
                    self.root_moves = old_root_moves;
                }
                return false;
            }
        }
        sort_root_moves(&mut self.root_moves[..multipv]);
        true
    }

    /// Searches the root moves from `pv_index` on with `window`. A score outside is reported as a bound.
    fn search_window(&mut self, depth: Depth, window: Window) -> Result<Score, Stopped> {
        let score = self.search_roots(window, depth)?;
        let bound = window.bound_of(score);
        if bound == Bound::Exact {
            return Ok(score);
        }
        let (seldepth, root) = (self.seldepth, &mut self.root_moves[self.pv_index]);
        root.line = PvLine { depth, seldepth, score, bound, pv: vec![root.mv] };
        Ok(score)
    }

    /// Searches the root moves from `pv_index` on, then sorts them by score, also after a stop. The best one comes first.
    pub(super) fn search_roots(&mut self, window: Window, depth: Depth) -> Result<Score, Stopped> {
        let searched = if G::SELECTIVE {
            self.negamax::<Root>(window, depth, Ply::ROOT, false)
        } else {
            self.exact::<Root>(window, depth, Ply::ROOT)
        };
        sort_root_moves(&mut self.root_moves[self.pv_index..]);
        searched
    }

    /// Whether the moves searched at the root are not all: a further line of a MultiPV search, or `searchmoves`.
    pub(super) fn searches_some_root_moves(&self) -> bool {
        self.pv_index > 0 || self.has_searchmoves
    }

    /// Records the search of root move `move_count` (from 1), which began at node count `nodes_before`. An exact line, or a
    /// lower bound of a new best move, replaces its line; a fail high or fail low of the first move does not.
    pub(super) fn update_root_move(
        &mut self,
        mv: Move,
        score: Score,
        window: Window,
        move_count: usize,
        nodes_before: u64,
    ) {
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += self.nodes - nodes_before;
        let raises_alpha = score > window.alpha;
        root.score = (move_count == 1 || raises_alpha).then_some(score);
        let is_exact = raises_alpha && score < window.beta;
        if is_exact || (raises_alpha && move_count > 1) {
            let bound = if is_exact { Bound::Exact } else { Bound::Lower };
            let pv = std::iter::once(mv).chain(self.stack[1].pv.iter().copied()).collect();
            root.line = PvLine { depth: self.root_depth, seldepth: self.seldepth, score, bound, pv };
        }
    }

    pub(super) fn report_currmove(&mut self, mv: Move, move_count: usize) {
        // Cheap: called at the root only, a few dozen times per iteration.
        let elapsed = self.control.elapsed();
        if elapsed >= CURRMOVE_DELAY && elapsed - self.last_currmove >= CURRMOVE_INTERVAL {
            self.last_currmove = elapsed;
            // The iteration: after an aspiration fail high the depth of the search is lower.
            let depth = self.root_depth;
            (self.report)(Report::CurrMove { depth, mv, number: move_count + self.pv_index });
        }
    }

    fn pv_lines(&self, multipv: usize) -> Vec<PvLine> {
        self.root_moves[..multipv].iter().map(|root| self.pv_line(root)).collect()
    }

    /// The line to report of a root move. A score by endgame tables replaces all but a mate.
    pub(super) fn pv_line(&self, root: &RootMove) -> PvLine {
        match root.tb_score {
            Some(score) if root.line.score.plies_to_mate().is_none() => {
                PvLine { score, bound: Bound::Exact, ..root.line.clone() }
            }
            _ => root.line.clone(),
        }
    }

    fn report_pv(&mut self, lines: Vec<PvLine>) {
        let nodes = self.control.publish_nodes(self.nodes);
        let (elapsed, hashfull) = (self.control.elapsed(), self.tt.hashfull());
        let tb_hits = self.control.shared.tb_hits();
        (self.report)(Report::Iteration(IterationReport { lines, nodes, elapsed, hashfull, tb_hits }));
    }

    fn is_repeated_mate(&self, lines: &[PvLine], last_report: &[PvLine]) -> bool {
        let same = |(a, b): (&PvLine, &PvLine)| a.score.is_decisive() && a.score == b.score && a.pv == b.pv;
        lines.len() == last_report.len() && lines.iter().zip(last_report).all(same)
    }

    /// Whether deeper search cannot change the move: only one move is legal, or a mate was searched twice as deep.
    fn can_stop_early(&self, depth: Depth, score: Score) -> bool {
        let is_forced = self.root_moves.len() == 1 && depth.plies() >= FORCED_MOVE_DEPTH;
        is_forced || score.plies_to_mate().is_some_and(|plies| depth.plies() >= 2 * plies as i32)
    }

    /// The expected reply of the PV or the transposition table, unless it ends the game.
    fn ponder_move(&self) -> Option<Move> {
        let root = &self.root_moves[0];
        let mut game = self.game.clone();
        game.play(root.mv);
        let tt_move = || {
            let entry = self.tt.probe(game.tt_key(), Ply::ROOT)?;
            entry.mv.map(|mv| game.original_move(mv))
        };
        let ponder_move = root.line.pv.get(1).copied().or_else(tt_move).filter(|&mv| game.is_legal(mv))?;
        game.play(ponder_move);
        (game.outcome().is_none()).then_some(ponder_move)
    }
}
