//! The state of one search thread: position, search stack, histories, root moves.

use super::attempts::Attempt;
use super::control::{SearchControl, Stopped};
use super::correction_history::{MoveRow, PREVIOUS_PLIES, PreviousMoves};
use super::counters::Counters;
use super::history::{CONT_HIST_PLIES, ContHistRows, Histories, NO_MOVE};
use super::limits::TablebaseProbe;
use super::memory::Prefault;
use super::node::{Node, PlayedMove, RootMove, StackEntry};
use super::params::params;
use super::picker::{MovePicker, OrderingContext};
use super::report::Report;
use super::tt::{Entry, TranspositionTable};
use crate::game::{Bound, Depth, Evaluator, Heuristics, Move, MoveList, Outcome, Ply, Score, Side, Window};
use std::ops::ControlFlow;
use std::time::Duration;

/// What the scores of an exact search rest on, apart from moves to the end of the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Support {
    /// Whether one rests on a static evaluation or on the depth limit, so that more depth could change it.
    pub static_eval: bool,
    /// The smallest ply of a position on which a claim rests, plus 1: 0 is before the root, `usize::MAX` is no claim.
    pub claim_ply: usize,
}

impl Support {
    /// A proof: moves to the end of the game alone.
    pub const PROOF: Support = Support { static_eval: false, claim_ply: usize::MAX };

    /// Returns what a score rests on that needs both this and `other`.
    pub fn and(self, other: Support) -> Support {
        let claim_ply = self.claim_ply.min(other.claim_ply);
        Support { static_eval: self.static_eval || other.static_eval, claim_ply }
    }
}

/// The state of one search thread, on which all search functions are methods.
pub struct Worker<'a, G: Heuristics, E: Evaluator<G>> {
    pub(super) game: G,
    pub(super) evaluator: &'a mut E,
    pub(super) tt: &'a TranspositionTable,
    /// The endgame tables; `None` if there are none, or if they are of no more use.
    pub(super) tablebase: Option<TablebaseProbe<G>>,
    pub(super) histories: &'a mut Histories,
    pub(super) control: &'a mut SearchControl,
    pub(super) report: &'a mut dyn FnMut(Report),
    pub(super) stack: Vec<StackEntry>,
    /// The row of the move played at each ply, after [`PREVIOUS_PLIES`] times row 0 for the moves before the root.
    previous_moves: Vec<MoveRow>,
    pub(super) nodes: u64,
    pub(super) seldepth: Ply,
    /// Depth of the current iteration, in plies.
    pub(super) root_depth: Depth,
    /// The last iteration that was finished; zero before the first.
    pub(super) completed_depth: Depth,
    /// The root moves, best first. The first `pv_index` are the better lines of a MultiPV search.
    pub(super) root_moves: Vec<RootMove>,
    /// The index of the MultiPV line that is being searched.
    pub(super) pv_index: usize,
    /// Whether `searchmoves` leaves out legal moves.
    pub(super) has_searchmoves: bool,
    /// The moves of `searchmoves` that are no candidate moves: they are searched last.
    pub(super) requested_non_candidates: MoveList,
    pub(super) last_currmove: Duration,
    /// In an exact search: what the scores since the last reset rest on.
    pub(super) support: Support,
    /// In a search for a proof: the iteration.
    pub(super) attempt: Option<Attempt>,
    /// What has happened so far.
    pub(super) counters: Counters,
    /// While a null move is verified: the smallest ply at which a null move is allowed.
    pub(super) nmp_min_ply: Ply,
}

impl<'a, G: Heuristics, E: Evaluator<G>> Worker<'a, G, E> {
    pub fn new(
        game: G,
        evaluator: &'a mut E,
        tt: &'a TranspositionTable,
        tablebase: Option<TablebaseProbe<G>>,
        histories: &'a mut Histories,
        control: &'a mut SearchControl,
        report: &'a mut dyn FnMut(Report),
    ) -> Self {
        const { assert!(G::PARAMS.is_valid(), "a parameter of the game is out of range") };
        #[cfg(feature = "spsa")]
        super::params::load::<G>();
        histories.resize_for::<G>(Prefault::Lazy);
        evaluator.reset(&game);
        Worker {
            game,
            evaluator,
            tt,
            tablebase,
            histories,
            control,
            report,
            last_currmove: Duration::ZERO,
            stack: vec![StackEntry::default(); Ply::MAX.index() + 2],
            previous_moves: vec![0; Ply::MAX.index() + 2 + PREVIOUS_PLIES],
            nodes: 0,
            seldepth: Ply::ROOT,
            root_depth: Depth::ZERO,
            completed_depth: Depth::ZERO,
            root_moves: Vec::new(),
            pv_index: 0,
            has_searchmoves: false,
            requested_non_candidates: MoveList::new(),
            support: Support::PROOF,
            attempt: None,
            counters: Counters::default(),
            nmp_min_ply: Ply::ROOT,
        }
    }

    #[inline]
    pub(super) fn visit_node(&mut self, ply: Ply) -> Result<(), Stopped> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        self.stack[ply.index()].pv.clear();
        self.control.check(self.nodes)
    }

    /// Plays `mv` at `ply` on the board, the evaluator and the stack.
    #[inline]
    pub(super) fn play(&mut self, mv: Move, ply: Ply) {
        let played =
            PlayedMove { history_index: Histories::index(&self.game, mv), noisy: self.game.is_noisy(mv) };
        self.record_move(Some(played), ply);
        self.evaluator.before_move(&self.game, mv);
        self.game.play(mv);
        // The exact search corrects no evaluation.
        if G::SELECTIVE {
            self.histories.corrections.prefetch(&self.game, self.previous_moves(ply.next()));
        }
    }

    /// Records the move played at `ply`; `None` for a null move.
    #[inline]
    pub(super) fn record_move(&mut self, played: Option<PlayedMove>, ply: Ply) {
        self.stack[ply.index()].played = played;
        self.previous_moves[ply.index() + PREVIOUS_PLIES] =
            played.map_or(NO_MOVE, |played| played.history_index.row());
    }

    /// Takes back `mv` on the board and the evaluator.
    #[inline]
    pub(super) fn undo(&mut self, mv: Move) {
        self.game.undo(mv);
        self.evaluator.after_undo();
    }

    /// The TT entry of the current position, whose TT key is `key`, with its move in the board's orientation. Prefetches the
    /// bucket of the position after that move, which will be the first.
    #[inline]
    pub(super) fn probe_tt(&self, key: u64, ply: Ply) -> Option<Entry> {
        let entry = self.tt.probe(key, ply)?.add_points(self.game.points_so_far());
        let mv = entry.mv.map(|mv| self.game.original_move(mv));
        if let Some(mv) = mv {
            self.tt.prefetch_after(&self.game, mv);
        }
        Some(Entry { mv, ..entry })
    }

    /// Stores the current position, whose TT key is `key`, in the TT, unless its score depends on the path that led here.
    #[inline]
    pub(super) fn store_tt(&self, key: u64, ply: Ply, entry: Entry) {
        if entry.score.is_by_rule() {
            return;
        }
        let entry = Entry { mv: entry.mv.map(|mv| self.game.canonical_move(mv)), ..entry };
        self.tt.store(key, ply, entry.add_points(-self.game.points_so_far()));
    }

    /// The score of `entry` if it ends a node of `depth` with `window`. Near a draw by a count of moves none does.
    #[inline]
    pub(super) fn tt_cutoff(&self, entry: Option<Entry>, depth: Depth, window: Window) -> Option<Score> {
        entry?.cutoff(depth, window).filter(|_| !self.game.is_near_move_limit())
    }

    /// Counts a probe of the TT that has found `entry`.
    #[inline]
    pub(super) fn count_tt_probe(&mut self, entry: Option<Entry>) {
        self.counters.tt_probes += 1;
        self.counters.tt_hits += u64::from(entry.is_some());
    }

    /// Counts a node that `entry` ends.
    #[inline]
    pub(super) fn count_tt_cutoff(&mut self, entry: Option<Entry>) {
        let counters = &mut self.counters;
        match entry.map(|entry| entry.bound) {
            Some(Bound::Exact) => counters.tt_cutoffs_exact += 1,
            Some(Bound::Lower) => counters.tt_cutoffs_lower += 1,
            Some(Bound::Upper) => counters.tt_cutoffs_upper += 1,
            None => {}
        }
    }

    /// Counts a node of the main search that has failed high at move `move_count`, from 1.
    #[inline]
    pub(super) fn count_cutoff(&mut self, move_count: usize) {
        self.counters.cutoffs[move_count.clamp(1, 4) - 1] += 1;
    }

    /// The score of a finished game that needs no move generation, or of a result that can be claimed.
    #[inline]
    pub(super) fn terminal_score(&mut self, window: Window, ply: Ply) -> Option<Score> {
        if let Some(outcome) = self.game.early_outcome() {
            return Some(self.score_of(outcome, ply));
        }
        let claim = self.game.claim(ply)?;
        let score = Score::from_claim(claim, self.game.side_to_move(), ply);
        if !G::SELECTIVE {
            if self.attempt.is_some() && !self.favours_prover(score, self.game.side_to_move(), window) {
                return None;
            }
            let claim_ply = (ply.index() + 1).saturating_sub(self.game.claim_reach());
            self.support = self.support.and(Support { static_eval: false, claim_ply });
        }
        Some(score)
    }

    /// What is known without moves, below the root: `Break` has the score of a node that ends here, `Continue` the window left.
    #[inline]
    pub(super) fn known_score<N: Node>(&mut self, window: Window, ply: Ply) -> ControlFlow<Score, Window> {
        if let Some(score) =
            self.terminal_score(window, ply).or_else(|| self.upcoming_repetition_cutoff(window, ply))
        {
            return ControlFlow::Break(score);
        }
        if ply >= Ply::MAX {
            return ControlFlow::Break(self.unproved_score(window));
        }
        // Mate distance pruning: a shorter mate is already known
        // (<https://www.chessprogramming.org/Mate_Distance_Pruning>). The game's own score bounds prune the same way.
        let (lower, upper) = self.game.value_bounds(ply);
        let (lower, upper) = (lower.max(Score::mated_in(ply)), upper.min(Score::mate_in(ply.next())));
        match window.narrowed(lower, upper) {
            Some(narrowed) => ControlFlow::Continue(narrowed),
            // A mate that the game proves has no PV.
            None if N::PV && (lower.is_win() || upper.is_loss()) => ControlFlow::Continue(window),
            None => ControlFlow::Break(window.alpha.max(lower).min(upper)),
        }
    }

    /// The killers of a node.
    #[inline]
    pub(super) fn killers(&self, ply: Ply) -> [Option<Move>; 2] {
        let mut killers = self.stack[ply.index()].killers;
        killers[params::<G>().killer_moves as usize..].fill(None);
        killers
    }

    /// The move that is known to be optimal, if any. At the root all moves are searched.
    #[inline]
    pub(super) fn forced_move<N: Node>(&self) -> Option<Move> {
        if N::ROOT { None } else { self.game.forced_move() }
    }

    /// The moves of the node in the order in which to try them.
    #[inline(always)]
    pub(super) fn moves_in_order<N: Node>(
        &self,
        forced_move: Option<Move>,
        tt_move: Option<Move>,
        killers: [Option<Move>; 2],
    ) -> MovePicker {
        let mut picker = match forced_move {
            Some(mv) => MovePicker::only(mv),
            None => MovePicker::new(&self.game, tt_move, killers),
        };
        if N::ROOT {
            picker.defer(&self.requested_non_candidates);
        }
        picker
    }

    /// A draw score, if it fails high and the side to move can repeat a position with one move.
    #[inline]
    pub(super) fn upcoming_repetition_cutoff(&self, window: Window, ply: Ply) -> Option<Score> {
        (window.beta <= Score::ZERO && self.game.upcoming_repetition(ply)).then_some(Score::ZERO)
    }

    #[cold]
    pub(super) fn no_legal_moves_score(&self, ply: Ply) -> Score {
        debug_assert!(self.game.outcome().is_some(), "no legal move and no outcome");
        self.score_of(self.game.outcome().unwrap_or(Outcome::Draw), ply)
    }

    fn score_of(&self, outcome: Outcome, ply: Ply) -> Score {
        Score::from_outcome(outcome, self.game.side_to_move(), ply)
    }

    /// Searches the position after a move of `stm`. `window` and the score are from the point of view of `stm`: both change
    /// sign only if the side to move has changed. Unconditional negation gave wrong scores in games with repeated turns.
    #[inline]
    pub(super) fn search_child(
        &mut self,
        stm: Side,
        window: Window,
        search: impl FnOnce(&mut Self, Window) -> Result<Score, Stopped>,
    ) -> Result<Score, Stopped> {
        if G::ALTERNATES || self.game.side_to_move() != stm {
            search(self, -window).map(|score| -score)
        } else {
            search(self, window)
        }
    }

    /// What the move picker needs of this node, whose [`Worker::continuation_rows`] are `cont_rows`.
    #[inline]
    pub(super) fn ordering_context<'b>(&'b self, cont_rows: &'b ContHistRows) -> OrderingContext<'b> {
        OrderingContext { tt: self.tt, histories: self.histories, cont_rows }
    }

    #[inline]
    pub(super) fn continuation_rows(&self, ply: Ply) -> ContHistRows {
        let previous_moves = self.previous_moves(ply);
        CONT_HIST_PLIES.map(|back| previous_moves[PREVIOUS_PLIES - back])
    }

    /// The move `back` plies before `ply`; `None` for a null move and before the root.
    #[inline]
    pub(super) fn played(&self, ply: Ply, back: usize) -> Option<PlayedMove> {
        self.stack[ply.index().checked_sub(back)?].played
    }

    #[inline]
    pub(super) fn previous_moves(&self, ply: Ply) -> &PreviousMoves {
        self.previous_moves[ply.index()..].first_chunk().expect("each ply has PREVIOUS_PLIES rows before it")
    }

    /// Raw, and with the correction history, shrunk by the plies towards a fifty-move draw. `entry` may hold the raw one.
    #[inline]
    pub(super) fn static_eval(&mut self, entry: Option<Entry>, ply: Ply) -> (Score, Score) {
        // Read first, so that the memory access overlaps with the evaluation.
        let correction = self.histories.corrections.correction(&self.game, self.previous_moves(ply));
        self.counters.corrections += 1;
        self.counters.correction_sum += u64::from(correction.unsigned_abs());
        let tt_eval = entry.and_then(|entry| entry.raw_eval);
        let raw = tt_eval.unwrap_or_else(|| self.evaluator.evaluate(&self.game));
        let eval = (raw.value() + correction) * (params::<G>().rule50_scale - self.game.reversible_plies())
            / params::<G>().rule50_scale;
        (raw, Score::new(eval))
    }

    /// Sets the PV from `ply` on: `mv`, then the PV of the child.
    pub(super) fn update_pv(&mut self, mv: Move, ply: Ply) {
        let (upper, lower) = self.stack.split_at_mut(ply.index() + 1);
        let pv = &mut upper[ply.index()].pv;
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&lower[0].pv);
    }
}
