//! The root of the search: its moves, iterative deepening over them, and what is said of it.

use super::control::Stopped;
use super::fault_injection;
use super::limits::{Limits, Settings};
use super::negamax::Root;
use super::report::{IterationReport, PvLine, Report, SearchResult};
use super::time::IterationStats;
use super::worker::Worker;
use crate::game::{Bound, Depth, Evaluator, Heuristics, Move, Ply, Score, Window};
use std::time::Duration;

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its value or a bound on it, if it was the best so far when it was last searched.
    pub score: Option<Score>,
    /// Its value in the iteration before.
    pub previous: Score,
    /// The last line worth telling that begins with it.
    pub line: PvLine,
    /// Nodes spent below it.
    pub nodes: u64,
}

/// Messages about the current move begin after this time and come no more often than the next.
const CURRMOVE_DELAY: Duration = Duration::from_secs(3);
const CURRMOVE_INTERVAL: Duration = Duration::from_millis(50);

/// Once a forced end is found, iterations that say the same again are told no more often than this:
/// a GUI hung on the flood (Stockfish pull request 5460).
const REPEATS_EVERY: Duration = Duration::from_millis(50);

/// With one legal move on the clock, this depth is enough for a score and an expected answer.
const FORCED_DEPTH: Depth = Depth::new(6);

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// Searches deeper and deeper until a limit is reached; `finish` always holds the best known
    /// (<https://www.chessprogramming.org/Iterative_Deepening>).
    pub(super) fn iterative_deepening(
        &mut self,
        limits: &Limits,
        settings: &Settings,
        finish: &mut SearchResult,
    ) {
        if self.stopper.thread() == 0 {
            fault_injection::trigger(fault_injection::FaultPoint::Start);
        }
        self.init_root_moves(limits);
        if self.root_moves.is_empty() {
            let score = self.no_legal_moves_score(Ply::ROOT);
            let line = PvLine {
                depth: Depth::ZERO,
                seldepth: Ply::ROOT,
                score,
                bound: Bound::Exact,
                pv: Vec::new(),
            };
            self.report_pv(vec![line]);
            return;
        }
        finish.best = Some(self.root_moves[0].mv);
        let wanted = settings.multipv.clamp(1, self.root_moves.len());
        let last = limits.depth.map_or(Depth::MAX, |depth| depth.clamp(Depth::ONE, Depth::MAX));
        let (mut stable, mut told, mut told_at) = (0, Vec::new(), Duration::ZERO);
        // Every other thread is a ply ahead, so that they do not all search the same.
        let ahead = Depth::new((self.stopper.thread() % 2) as i32);
        let mut depth = if limits.window == Window::FULL { ahead } else { last - 1 };
        while depth < last {
            depth += 1;
            let (before, score_before) = (self.root_moves[0].mv, self.root_moves[0].score);
            let finished = self.search_iteration(depth, wanted, limits.window);
            finish.best = Some(self.root_moves[0].mv);
            if !finished {
                break;
            }
            stable = if self.root_moves[0].mv == before { stable + 1 } else { 0 };
            let lines = self.lines(wanted);
            let news =
                !self.is_repeated_mate(&lines, &told) || self.stopper.elapsed() - told_at >= REPEATS_EVERY;
            if news {
                told_at = self.stopper.elapsed();
                self.report_pv(lines.clone());
                told = lines;
            }
            let score = self.root_moves[0].score.unwrap_or_default();
            let difficulty = IterationStats {
                stable,
                best_move_nodes_fraction: self.root_moves[0].nodes as f64 / self.nodes.max(1) as f64,
                score_drop: score_before.map_or(0, |before| before - score),
            };
            let settled = limits.clock.is_some() && self.can_stop_early(depth, score);
            let solved = !G::SELECTIVE && !self.used_static_eval;
            let enough = self.stopper.should_stop_deepening(self.nodes, difficulty);
            if enough || settled || solved || is_mate_found(limits, score) {
                break;
            }
        }
        let lines = self.lines(wanted);
        if told.first().is_none_or(|line: &PvLine| line.pv != lines[0].pv || line.depth != lines[0].depth) {
            self.report_pv(lines);
        }
        finish.ponder = self.ponder_move();
    }

    /// Lists the moves to search: those asked for, or all if none of them is legal.
    fn init_root_moves(&mut self, limits: &Limits) {
        let moves = self.game.moves();
        let asked = |mv: &Move| limits.searchmoves.contains(mv);
        let all = !moves.iter().any(asked);
        self.has_searchmoves = !all && !moves.iter().all(asked);
        let previous = self.evaluator.evaluate(&self.game);
        let chosen = moves.iter().copied().filter(|mv| all || asked(mv));
        let unsearched = |mv| PvLine {
            depth: Depth::ONE,
            seldepth: Ply::ROOT,
            score: previous,
            bound: Bound::Exact,
            pv: vec![mv],
        };
        self.root_moves =
            chosen.map(|mv| RootMove { mv, score: None, previous, line: unsearched(mv), nodes: 0 }).collect();
        let known = self.probe(Ply::ROOT).and_then(|entry| entry.mv);
        self.root_moves.sort_by_key(|root| Some(root.mv) != known);
    }

    /// One iteration; `false` if it was stopped. A stopped one still counts when it has found a better
    /// move, but not for several lines, which belong together, nor when what it has looked at loses: the
    /// other moves may not (as in Stockfish).
    fn search_iteration(&mut self, depth: Depth, wanted: usize, window: Window) -> bool {
        let before = self.root_moves.clone();
        for root in &mut self.root_moves {
            root.previous = root.score.unwrap_or(root.previous);
        }
        self.used_static_eval = false;
        self.root_depth = depth;
        for settled in 0..wanted {
            self.pv_index = settled;
            self.seldepth = Ply::ROOT;
            let searched = if window == Window::FULL {
                self.aspiration_search(depth)
            } else {
                self.search_window(depth, window)
            };
            if searched.is_err() {
                let loses = self.root_moves[0].score.is_some_and(Score::is_loss);
                if wanted > 1 || loses && before[0].score.is_some() {
                    self.root_moves = before;
                }
                return false;
            }
        }
        self.root_moves[..wanted].sort_by_key(|root| std::cmp::Reverse(root.score));
        true
    }

    /// One search within `window`, of the root moves that are not settled yet. A value outside is told as a bound.
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

    /// Searches the root moves that are not settled yet. The best so far goes first, for the next try and
    /// for whoever stops now.
    pub(super) fn search_roots(&mut self, window: Window, depth: Depth) -> Result<Score, Stopped> {
        let searched = self.negamax::<Root>(window, depth, Ply::ROOT, false);
        self.root_moves[self.pv_index..].sort_by_key(|root| std::cmp::Reverse(root.score));
        searched
    }

    /// The root's move `number`, counted from 1, was searched from `nodes_before` on.
    ///
    /// Its line is replaced by an exact one, or by the first sign that it is better than the others; that
    /// the best move so far is better or worse than expected is no line to tell.
    pub(super) fn update_root_move(
        &mut self,
        mv: Move,
        score: Score,
        window: Window,
        number: usize,
        nodes_before: u64,
    ) {
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += self.nodes - nodes_before;
        let better = score > window.alpha;
        root.score = (number == 1 || better).then_some(score);
        let exact = better && score < window.beta;
        if exact || (better && number > 1) {
            let bound = if exact { Bound::Exact } else { Bound::Lower };
            let pv = std::iter::once(mv).chain(self.stack[1].pv.iter().copied()).collect();
            root.line = PvLine { depth: self.root_depth, seldepth: self.seldepth, score, bound, pv };
        }
    }

    /// Says which root move a long search has come to.
    pub(super) fn report_current(&mut self, mv: Move, depth: Depth, number: usize) {
        // The clock is read at the root only, a few dozen times an iteration.
        let elapsed = self.stopper.elapsed();
        if elapsed >= CURRMOVE_DELAY && elapsed - self.last_currmove >= CURRMOVE_INTERVAL {
            self.last_currmove = elapsed;
            (self.report)(Report::CurrMove { depth, mv, number: number + self.pv_index });
        }
    }

    fn lines(&self, wanted: usize) -> Vec<PvLine> {
        self.root_moves[..wanted].iter().map(|root| root.line.clone()).collect()
    }

    fn report_pv(&mut self, lines: Vec<PvLine>) {
        let nodes = self.stopper.publish_nodes(self.nodes);
        let (elapsed, hashfull) = (self.stopper.elapsed(), self.table.hashfull());
        (self.report)(Report::Block(IterationReport { lines, nodes, elapsed, hashfull }));
    }

    /// Whether a forced end is all there is to tell, and was told.
    fn is_repeated_mate(&self, lines: &[PvLine], told: &[PvLine]) -> bool {
        let same = |(a, b): (&PvLine, &PvLine)| a.score.is_decisive() && a.score == b.score && a.pv == b.pv;
        lines.len() == told.len() && lines.iter().zip(told).all(same)
    }

    /// Whether more search cannot change the move: it is forced, or the forced end was searched twice as deep.
    fn can_stop_early(&self, depth: Depth, score: Score) -> bool {
        let forced = self.root_moves.len() == 1 && depth >= FORCED_DEPTH;
        forced || score.plies_to_mate().is_some_and(|plies| depth.plies() >= 2 * plies as i32)
    }

    /// The answer that the best line or the table expects, unless it ends the game.
    fn ponder_move(&self) -> Option<Move> {
        let root = &self.root_moves[0];
        let mut game = self.game.clone();
        game.play(root.mv);
        let known = || {
            let entry = self.table.probe(game.tt_key(), Ply::ROOT)?;
            entry.mv.map(|mv| game.from_canonical(mv))
        };
        let answer = root.line.pv.get(1).copied().or_else(known).filter(|&mv| game.is_legal(mv))?;
        game.play(answer);
        (game.outcome().is_none()).then_some(answer)
    }
}

/// Whether a forced end within the moves asked for is proved, for either side.
fn is_mate_found(limits: &Limits, score: Score) -> bool {
    limits.mate.zip(score.moves_to_mate()).is_some_and(|(limit, moves)| moves.unsigned_abs() <= limit)
}
