//! What all methods share: the position, the counts, the stop, iterative deepening.

use super::memory::MemoTable;
use super::minimax::NodeType;
use super::{Leaf, Method, Observer, Order, Step};
use crate::game::{Depth, Evaluator, Heuristics, Move, MoveList, Ply, Score, Side, Window};

/// The search was told to end; what is unfinished counts for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// What one search to one depth cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions visited, the root included.
    pub nodes: u64,
    /// Positions visited that have no children: ends of the game and the horizon.
    pub leaves: u64,
    /// Leaves at the horizon, which were estimated. Without any the value is that of the game.
    pub evaluations: u64,
    /// Nodes left because a value was at least beta (or, at a MIN node, at most alpha).
    pub cutoffs: u64,
    /// Values in memory at the end.
    pub stored: u64,
}

/// A search to one depth that came to its end.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// How deep.
    pub depth: Depth,
    /// The root's value for the side to move.
    pub value: Score,
    /// A line of best play with that value, one move at least unless the game is over. A remembered
    /// value has no line, so that the memoised search's line may be short.
    pub line: Vec<Move>,
    /// Of this depth alone.
    pub counts: Counts,
    /// Nodes of all depths so far, preparations included.
    pub visited: u64,
}

/// One textbook search of one position, which `O` may watch.
pub struct Searcher<'s, G, E, O = ()> {
    pub(super) game: G,
    evaluator: E,
    method: Method,
    pub(super) order: Order,
    roots: Vec<Move>,
    pub(super) counts: Counts,
    visited: u64,
    lines: Vec<Vec<Move>>,
    /// What [`Method::Memoised`] remembers, seen by the side to move.
    pub(super) values: MemoTable<Score>,
    /// What [`Order::Worst`] was prepared with.
    pub(super) known_values: MemoTable<Score>,
    /// What [`Order::BestFirst`] was prepared with: the move that was best, or good enough.
    pub(super) known_moves: MemoTable<Move>,
    stop: &'s mut dyn FnMut(u64) -> bool,
    observer: O,
}

impl<'s, G: Heuristics, E: Evaluator<G>> Searcher<'s, G, E> {
    /// Of `game`. `stop` is asked at every node, with the number of nodes visited so far in all
    /// iterations and preparations, and ends the search by saying `true`.
    pub fn new(game: G, method: Method, order: Order, stop: &'s mut dyn FnMut(u64) -> bool) -> Self {
        Searcher::with_observer(game, method, order, stop, ())
    }
}

impl<'s, G: Heuristics, E: Evaluator<G>, O: Observer<G>> Searcher<'s, G, E, O> {
    /// As [`Searcher::new`], and `observer` sees every step, those of preparations too.
    pub fn with_observer(
        game: G,
        method: Method,
        order: Order,
        stop: &'s mut dyn FnMut(u64) -> bool,
        observer: O,
    ) -> Self {
        let mut evaluator = E::default();
        evaluator.reset(&game);
        Searcher {
            game,
            evaluator,
            method,
            order,
            roots: Vec::new(),
            counts: Counts::default(),
            visited: 0,
            lines: vec![Vec::new(); Ply::MAX.index() + 2],
            values: MemoTable::default(),
            known_values: MemoTable::default(),
            known_moves: MemoTable::default(),
            stop,
            observer,
        }
    }

    /// Considers only these legal moves at the root; all of them if there are none.
    pub fn only(mut self, moves: &[Move]) -> Self {
        self.roots = moves.iter().copied().filter(|&mv| self.game.is_legal(mv)).collect();
        self
    }

    /// Nodes visited so far, preparations and unfinished iterations included.
    pub fn nodes(&self) -> u64 {
        self.visited
    }

    /// Searches to depth 1, 2, ... `last` and tells `each`, which says whether to go on
    /// (<https://www.chessprogramming.org/Iterative_Deepening>). Ends early when it is stopped or the
    /// whole game was searched.
    pub fn deepen(&mut self, last: Depth, each: &mut dyn FnMut(&Iteration) -> bool) {
        for depth in (1..=last.min(Depth::MAX).plies()).map(Depth::new) {
            let Ok(()) = self.prepare(depth) else { return };
            let Ok(iteration) = self.search(depth) else { return };
            if !each(&iteration) || iteration.counts.evaluations == 0 {
                return;
            }
        }
    }

    /// Learns what the move order of a search to `depth` needs to know. Its cost is not counted: the
    /// question that such an order answers is what the search would cost if one knew.
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

    /// Searches to `depth`, which is at least 1 and at most [`Depth::MAX`].
    pub fn search(&mut self, depth: Depth) -> Result<Iteration, Stopped> {
        debug_assert!(depth >= Depth::ONE && depth <= Depth::MAX);
        // A position comes back at another depth in every iteration: its old values are never asked for.
        self.values = MemoTable::default();
        self.counts = Counts::default();
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
        let counts = Counts { stored, ..self.counts };
        Ok(Iteration { depth, value, line: self.lines[0].clone(), counts, visited: self.visited })
    }

    /// Tells whoever watches.
    pub(super) fn notify(&mut self, step: Step<'_>) {
        self.observer.on_step(&self.game, step);
    }

    /// Counts a node and says whether to go on.
    pub(super) fn enter(&mut self, depth: Depth, ply: Ply) -> Result<(), Stopped> {
        self.lines[ply.index()].clear();
        self.visited += 1;
        self.counts.nodes += 1;
        self.notify(Step::Enter(depth, ply));
        if (self.stop)(self.visited) { Err(Stopped) } else { Ok(()) }
    }

    /// TERMINAL-TEST(s) or the cutoff test: UTILITY(s) where the game is over or a draw may be claimed,
    /// EVAL(s) where no depth is left, `None` where there are moves to look at. For the side to move.
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

    /// [`Searcher::leaf`] for White.
    pub(super) fn leaf_for_white(&mut self, depth: Depth, ply: Ply) -> Option<Score> {
        let value = self.leaf(depth, ply)?;
        Some(if self.game.side_to_move() == Side::White { value } else { -value })
    }

    /// What may be claimed here. The root plays on: somebody wants a move.
    pub(super) fn claimed(&self, ply: Ply) -> Option<Score> {
        let outcome = if ply == Ply::ROOT { None } else { self.game.claim(ply) }?;
        Some(Score::from_outcome(outcome, self.game.side_to_move(), ply))
    }

    /// ACTIONS(s) in the order asked for.
    pub(super) fn moves(&mut self, depth: Depth, ply: Ply) -> MoveList {
        let mut moves = if ply == Ply::ROOT && !self.roots.is_empty() {
            self.roots.iter().copied().collect()
        } else {
            self.game.moves()
        };
        self.order_moves(&mut moves, depth);
        self.notify(Step::Moves(&moves));
        moves
    }

    /// Looks at RESULT(s, mv) and comes back. `look` is told whether the turn passed with the move: only
    /// then do value and window change sides, and always both (in Triangle War who closes a triangle
    /// moves again).
    pub(super) fn search_child(
        &mut self,
        mv: Move,
        look: impl FnOnce(&mut Self, bool) -> Result<Score, Stopped>,
    ) -> Result<Score, Stopped> {
        self.notify(Step::Play(mv));
        let mover = self.game.side_to_move();
        self.evaluator.before_move(&self.game, mv);
        self.game.play(mv);
        let passed = G::ALTERNATES || self.game.side_to_move() != mover;
        let value = look(self, passed);
        self.game.undo(mv);
        self.evaluator.after_undo();
        let value = value?;
        self.notify(Step::Value(value));
        Ok(value)
    }

    /// `mv` is the best so far of a node with `depth` to go: the line from here is `mv` and the child's.
    pub(super) fn set_best(&mut self, mv: Move, depth: Depth, ply: Ply) {
        let (upper, lower) = self.lines.split_at_mut(ply.index() + 1);
        let line = &mut upper[ply.index()];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
        if self.order == Order::BestFirst {
            self.known_moves.insert(self.game.key(), depth, mv);
        }
        self.notify(Step::Best);
    }

    /// The rest of a node's moves is left, because the other side will not let it come to this node.
    pub(super) fn record_cutoff(&mut self) {
        self.counts.cutoffs += 1;
        self.notify(Step::Cutoff);
    }

    /// What a search returns that was asked about `window` and found `value`: fail-soft that value, wherever
    /// it lies; fail-hard the bound beyond which it lies, which says less and is as good without a memory.
    pub(super) fn clamp_if_fail_hard(&self, value: Score, window: Window) -> Score {
        match self.method {
            Method::MaxMinHard | Method::AlphaBetaHard => value.clamp(window.alpha, window.beta),
            _ => value,
        }
    }
}
