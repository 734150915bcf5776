//! The common parts of all methods: position, counters, stopping, iterative deepening.

use super::memo_table::MemoTable;
use super::minimax::NodeType;
use super::{Leaf, Method, Observer, Order, Step};
use crate::game::{Depth, Evaluator, Heuristics, Move, MoveList, Ply, Score, Side, Window};

/// The search was stopped; the unfinished iteration has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Counters of one iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// Nodes visited, including the root.
    pub nodes: u64,
    /// Nodes without searched children: ends of the game, claimed draws and depth 0.
    pub leaves: u64,
    /// Leaves at depth 0, which were evaluated statically. If there are none, the value is the game value.
    pub evaluations: u64,
    /// Nodes with a cutoff: a value of at least beta, or at most alpha at a MIN node.
    pub cutoffs: u64,
    /// Entries in the table of [`Method::Memoised`] at the end.
    pub stored: u64,
}

/// The result of a complete search to one depth.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// The depth of the iteration.
    pub depth: Depth,
    /// The root's value for the side to move.
    pub value: Score,
    /// The principal variation (PV), empty only if the game is over. The memoised search's PV can be short,
    /// since a stored value has none.
    pub pv: Vec<Move>,
    /// Counters of this iteration only.
    pub counts: SearchCounts,
    /// Nodes of all iterations so far, including preparing searches.
    pub visited: u64,
}

/// A search of one position by one method, with an observer of type `O`.
pub struct Searcher<'s, G, E, O = ()> {
    pub(super) game: G,
    evaluator: E,
    method: Method,
    pub(super) order: Order,
    root_moves: Vec<Move>,
    pub(super) counts: SearchCounts,
    visited: u64,
    /// The PV from each ply on.
    pvs: Vec<Vec<Move>>,
    /// The table of [`Method::Memoised`], with values relative to the side to move.
    pub(super) values: MemoTable<Score>,
    /// The exact values for [`Order::Worst`].
    pub(super) known_values: MemoTable<Score>,
    /// The best and cutoff moves for [`Order::BestFirst`].
    pub(super) known_moves: MemoTable<Move>,
    stop: &'s mut dyn FnMut(u64) -> bool,
    observer: O,
}

impl<'s, G: Heuristics, E: Evaluator<G>> Searcher<'s, G, E> {
    /// Returns a search of `game`. `stop` is called at every node with the number of nodes of all iterations
    /// and preparing searches so far. The search ends when it returns true.
    pub fn new(game: G, method: Method, order: Order, stop: &'s mut dyn FnMut(u64) -> bool) -> Self {
        Searcher::with_observer(game, method, order, stop, ())
    }
}

impl<'s, G: Heuristics, E: Evaluator<G>, O: Observer<G>> Searcher<'s, G, E, O> {
    /// As [`Searcher::new`]. `observer` gets every step, including those of preparing searches.
    pub fn with_observer(
        game: G,
        method: Method,
        order: Order,
        stop: &'s mut dyn FnMut(u64) -> bool,
        observer: O,
    ) -> Self {
        let mut evaluator = E::new(None);
        evaluator.reset(&game);
        Searcher {
            game,
            evaluator,
            method,
            order,
            root_moves: Vec::new(),
            counts: SearchCounts::default(),
            visited: 0,
            pvs: vec![Vec::new(); Ply::MAX.index() + 2],
            values: MemoTable::default(),
            known_values: MemoTable::default(),
            known_moves: MemoTable::default(),
            stop,
            observer,
        }
    }

    /// Evaluates leaves with `evaluator`.
    pub fn with_evaluator(mut self, mut evaluator: E) -> Self {
        evaluator.reset(&self.game);
        self.evaluator = evaluator;
        self
    }

    /// Restricts the root to the legal ones among `moves`; without any, all legal moves are searched.
    pub fn with_root_moves(mut self, moves: &[Move]) -> Self {
        self.root_moves = moves.iter().copied().filter(|&mv| self.game.is_legal(mv)).collect();
        self
    }

    /// Returns the nodes visited so far, including preparing searches and unfinished iterations.
    pub fn nodes(&self) -> u64 {
        self.visited
    }

    /// Iterative deepening: searches to depth 1, 2, ... `last` and calls `on_iteration` after each
    /// (<https://www.chessprogramming.org/Iterative_Deepening>).
    ///
    /// Ends early if the search is stopped, if `on_iteration` returns false, or if the whole game was searched.
    pub fn deepen(&mut self, last: Depth, on_iteration: &mut dyn FnMut(&Iteration) -> bool) {
        for depth in (1..=last.min(Depth::MAX).plies()).map(Depth::new) {
            let Ok(()) = self.prepare(depth) else { return };
            let Ok(iteration) = self.search(depth) else { return };
            if !on_iteration(&iteration) || iteration.counts.evaluations == 0 {
                return;
            }
        }
    }

    /// Runs the preparing search for the move order of a search to `depth`. Its nodes are not part of
    /// [`SearchCounts`]: such an order shows the cost of a search with ideal or worst knowledge.
    ///
    /// # Errors
    /// [`Stopped`] if the search was stopped.
    pub fn prepare(&mut self, depth: Depth) -> Result<(), Stopped> {
        match self.order {
            Order::Worst => {
                self.known_values = MemoTable::default();
                self.values = MemoTable::default();
                self.memoised(depth, Ply::ROOT)?;
                self.known_values = std::mem::take(&mut self.values);
            }
            Order::BestFirst => {
                self.alpha_beta(Window::FULL, depth, Ply::ROOT)?;
            }
            Order::Random(_) | Order::Natural | Order::Heuristic => {}
        }
        Ok(())
    }

    /// Searches to `depth`, from 1 to [`Depth::MAX`]. Call [`Searcher::prepare`] first for an order that needs it.
    ///
    /// # Errors
    /// [`Stopped`] if the search was stopped.
    pub fn search(&mut self, depth: Depth) -> Result<Iteration, Stopped> {
        debug_assert!(depth >= Depth::ONE && depth <= Depth::MAX);
        // The next iteration searches each position to another remaining depth, so old entries are useless.
        self.values = MemoTable::default();
        self.counts = SearchCounts::default();
        let (ply, mover) = (Ply::ROOT, self.game.side_to_move());
        let value = match (self.method, NodeType::from(mover)) {
            (Method::Minimax, NodeType::Max) => self.max_value(depth, ply),
            (Method::Minimax, NodeType::Min) => self.min_value(depth, ply),
            (Method::MinimaxSingleFunction, node) => self.minimax(node, depth, ply),
            (Method::Negamax, _) => self.negamax(depth, ply),
            (Method::MaxMinHard | Method::MaxMinSoft, NodeType::Max) => {
                self.max_value_within(Window::FULL, depth, ply)
            }
            (Method::MaxMinHard | Method::MaxMinSoft, NodeType::Min) => {
                self.min_value_within(Window::FULL, depth, ply)
            }
            (Method::AlphaBetaHard | Method::AlphaBetaSoft, _) => self.alpha_beta(Window::FULL, depth, ply),
            (Method::Memoised, _) => self.memoised(depth, ply),
        }?;
        let value = if self.method.is_white_relative() && mover == Side::Black { -value } else { value };
        let stored = self.values.len() as u64;
        let counts = SearchCounts { stored, ..self.counts };
        Ok(Iteration { depth, value, pv: self.pvs[0].clone(), counts, visited: self.visited })
    }

    pub(super) fn notify(&mut self, step: Step<'_>) {
        self.observer.on_step(&self.game, step);
    }

    pub(super) fn enter_node(&mut self, depth: Depth, ply: Ply) -> Result<(), Stopped> {
        self.pvs[ply.index()].clear();
        self.visited += 1;
        self.counts.nodes += 1;
        self.notify(Step::Enter(depth, ply));
        if (self.stop)(self.visited) { Err(Stopped) } else { Ok(()) }
    }

    /// TERMINAL-TEST(s) and CUTOFF-TEST(s): returns UTILITY(s) if the game is over or a draw can be claimed,
    /// EVAL(s) if no depth is left, and else `None`. Relative to the side to move.
    pub(super) fn leaf(&mut self, depth: Depth, ply: Ply) -> Option<Score> {
        let (value, kind) = if let Some(outcome) = self.game.outcome() {
            (Score::from_outcome(outcome, self.game.side_to_move(), ply), Leaf::Terminal)
        } else if let Some(value) = self.claimed(ply) {
            (value, Leaf::DrawClaim)
        } else if depth > Depth::ZERO {
            return None;
        } else {
            self.counts.evaluations += 1;
            (self.evaluator.evaluate(&self.game), Leaf::DepthLimit)
        };
        self.counts.leaves += 1;
        self.notify(Step::Leaf(value, kind));
        Some(value)
    }

    /// As [`Searcher::leaf`], relative to White.
    pub(super) fn leaf_for_white(&mut self, depth: Depth, ply: Ply) -> Option<Score> {
        let value = self.leaf(depth, ply)?;
        Some(if self.game.side_to_move() == Side::White { value } else { -value })
    }

    /// Returns the value of a claim at this node. Claims at the root are ignored, since a move is wanted.
    pub(super) fn claimed(&self, ply: Ply) -> Option<Score> {
        let claim = if ply == Ply::ROOT { None } else { self.game.claim(ply) }?;
        Some(Score::from_claim(claim, self.game.side_to_move(), ply))
    }

    /// ACTIONS(s): returns the moves in the search's move order.
    pub(super) fn moves(&mut self, depth: Depth, ply: Ply) -> MoveList {
        let mut moves = if ply == Ply::ROOT && !self.root_moves.is_empty() {
            self.root_moves.iter().copied().collect()
        } else {
            self.game.moves()
        };
        self.order_moves(&mut moves, depth);
        self.notify(Step::Moves(&moves));
        moves
    }

    /// Plays `mv`, calls `search` at RESULT(s, mv), takes `mv` back. The second argument of `search`: whether the turn passed.
    /// Only then do value and window change sides: in Triangle War a player who closes a triangle moves again.
    pub(super) fn search_child(
        &mut self,
        mv: Move,
        search: impl FnOnce(&mut Self, bool) -> Result<Score, Stopped>,
    ) -> Result<Score, Stopped> {
        self.notify(Step::Play(mv));
        let mover = self.game.side_to_move();
        self.evaluator.before_move(&self.game, mv);
        self.game.play(mv);
        let turn_passed = G::ALTERNATES || self.game.side_to_move() != mover;
        let value = search(self, turn_passed);
        self.game.undo(mv);
        self.evaluator.after_undo();
        let value = value?;
        self.notify(Step::Value(value));
        Ok(value)
    }

    /// Makes `mv` the best move so far of a node with this remaining depth: the PV is `mv` and the child's PV.
    pub(super) fn set_best(&mut self, mv: Move, depth: Depth, ply: Ply) {
        let (upper, lower) = self.pvs.split_at_mut(ply.index() + 1);
        let pv = &mut upper[ply.index()];
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&lower[0]);
        if self.order == Order::BestFirst {
            self.known_moves.insert(self.game.key(), depth, mv);
        }
        self.notify(Step::Best);
    }

    pub(super) fn record_cutoff(&mut self) {
        self.counts.cutoffs += 1;
        self.notify(Step::Cutoff);
    }

    pub(super) fn clamp_if_fail_hard(&self, value: Score, window: Window) -> Score {
        match self.method {
            Method::MaxMinHard | Method::AlphaBetaHard => value.clamp(window.alpha, window.beta),
            _ => value,
        }
    }
}
