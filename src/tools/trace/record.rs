//! The recorder of a trace: collects the steps of a textbook search and its tree.

use super::text::{CutoffReason, player, serialize_bound, serialize_leaf};
use crate::game::{Bound, Move, Notation, Score, Side, Window};
use crate::textbook::{Leaf, Method, Observer, Step};
use crate::tools::value_text;
use serde::Serialize;

/// A node of the search tree, visited or skipped by a cutoff.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The move that leads to the node; at the root its own name, or `root`.
    pub name: String,
    /// The position as text; `None` in a game tree, where it would be the whole subtree.
    pub position: Option<String>,
    /// The index of the parent in the list.
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    pub side: Side,
    /// The value that the search returned, from the point of view of the method at this node; `None` if a
    /// cutoff skipped the node.
    pub value: Option<Score>,
    /// Whether `value` is exact or a bound.
    pub bound: Bound,
    /// The reason why the node is a leaf; `None` for other nodes.
    pub leaf: Option<Leaf>,
    /// Whether a cutoff ended the node, possibly at its last move.
    pub cutoff: bool,
    depth: i32,
    entry_window: Option<Window>,
    /// The window as raised alpha or lowered beta have left it.
    pub current_window: Option<Window>,
    best: Option<Best>,
    leaf_value: Option<Score>,
    /// The moves not played yet.
    moves: Vec<Move>,
}

/// The best move of a node so far, and its value.
#[derive(Clone, Debug)]
struct Best {
    mv: String,
    value: Score,
    bound: Bound,
}

/// The text of alpha and beta.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bounds {
    pub alpha: String,
    pub beta: String,
}

impl From<Window> for Bounds {
    fn from(Window { alpha, beta }: Window) -> Bounds {
        Bounds { alpha: value_text(alpha), beta: value_text(beta) }
    }
}

/// A step of a trace. Values and bounds are from the point of view of the method at the node.
#[derive(Clone, Debug, Serialize)]
pub struct TraceStep {
    /// The moves from the root to the node; at the root its own name, or `root`.
    pub node: String,
    /// The side to move, `MAX` or `MIN`.
    pub player: &'static str,
    /// Plies from the root.
    pub ply: usize,
    pub depth: i32,
    /// The bounds before the event.
    #[serde(flatten)]
    pub bounds: Option<Bounds>,
    #[serde(flatten)]
    pub event: StepEvent,
}

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum StepEvent {
    /// The search enters a node and will search its moves. `v`, the best value so far, begins as the worst value.
    Enter { v: String },
    Leaf {
        value: String,
        #[serde(serialize_with = "serialize_leaf")]
        because: Leaf,
    },
    /// The search of a move returns its value.
    Value {
        #[serde(rename = "move")]
        mv: String,
        value: String,
        #[serde(rename = "meaning", serialize_with = "serialize_bound")]
        bound: Bound,
        /// The best value of the earlier moves.
        best_before: Option<String>,
        /// Whether `value` is better than `best_before`.
        is_best: bool,
        /// The test for a cutoff that failed, as in `3 >= beta 5`; `None` before a cutoff and without bounds.
        failed_test: Option<String>,
        /// The bounds after the event.
        after: Option<Bounds>,
    },
    /// The search skips the other moves.
    Cutoff { why: CutoffReason, last_move: String, left_out: Vec<String> },
}

/// The observer that records a search. It starts again when a search enters the root, so that it does not
/// contain the preparatory searches.
#[derive(Debug)]
pub struct Recorder {
    method: Method,
    /// The nodes in the order of their first visit or cutoff, the root first.
    pub nodes: Vec<Node>,
    pub entries: Vec<TraceStep>,
    /// The indices of the nodes from the root to the current node.
    path: Vec<usize>,
    last_move: String,
    /// The last value that a search of a move returned, from the point of view of its parent.
    last_value: Score,
}

impl Recorder {
    /// An empty recorder of a search by `method`.
    pub fn new(method: Method) -> Recorder {
        let (nodes, entries, path) = (Vec::new(), Vec::new(), Vec::new());
        Recorder { method, nodes, entries, path, last_move: String::new(), last_value: Score::ZERO }
    }

    /// Records the value of the root, for its side to move.
    pub fn end(&mut self, value: Score) {
        let root = &mut self.nodes[0];
        root.value = Some(from_method_view(self.method, root.side, value));
        self.set_failed_tests();
    }

    /// Sets the failed test of each value after which the search of its node went on.
    fn set_failed_tests(&mut self) {
        for index in 0..self.entries.len() {
            let is_cut = matches!(
                self.entries.get(index + 1),
                Some(TraceStep { event: StepEvent::Cutoff { .. }, .. })
            );
            let TraceStep { player, bounds: Some(bounds), event, .. } = &mut self.entries[index] else {
                continue;
            };
            if let (false, StepEvent::Value { value, best_before, is_best, failed_test, .. }) =
                (is_cut, event)
            {
                let v = if *is_best { Some(&*value) } else { best_before.as_ref() };
                let is_min = self.method.is_white_relative() && *player == "MIN";
                *failed_test = v.map(|v| match is_min {
                    true => format!("{v} <= alpha {}", bounds.alpha),
                    false => format!("{v} >= beta {}", bounds.beta),
                });
            }
        }
    }

    /// The moves from the root to `nodes[index]`; the name of the root.
    fn path_name(&self, index: usize) -> String {
        match self.nodes[index].parent {
            None | Some(0) => self.nodes[index].name.clone(),
            Some(parent) => format!("{} {}", self.path_name(parent), self.nodes[index].name),
        }
    }

    /// The index of the current node. The search enters the root before any other step.
    fn current(&self) -> usize {
        self.path[self.path.len() - 1]
    }

    fn add_node(
        &mut self,
        name: String,
        position: Option<String>,
        parent: Option<usize>,
        side: Side,
        depth: i32,
    ) -> usize {
        let index = self.nodes.len();
        if let Some(parent) = parent {
            self.nodes[parent].children.push(index);
        }
        self.nodes.push(Node { name, position, parent, side, depth, ..Node::default() });
        index
    }

    fn record(&mut self, event: StepEvent) {
        let index = self.current();
        let Node { side, depth, current_window, .. } = self.nodes[index];
        let (node, player, bounds) = (self.path_name(index), player(side), current_window.map(Bounds::from));
        self.entries.push(TraceStep { node, player, ply: self.path.len() - 1, depth, bounds, event });
    }

    fn enter<G: Notation>(&mut self, game: &G, depth: i32, ply: usize) {
        self.path.truncate(ply);
        let name = match ply {
            0 => {
                self.nodes.clear();
                self.entries.clear();
                game.position_name().unwrap_or("root").into()
            }
            _ => std::mem::take(&mut self.last_move),
        };
        let parent = self.path.last().copied();
        let index = self.add_node(name, position_of(game), parent, game.side_to_move(), depth);
        self.path.push(index);
    }

    fn set_window(&mut self, window: Window) {
        let index = self.current();
        let node = &mut self.nodes[index];
        if node.entry_window.is_none() {
            node.entry_window = Some(window);
        } else if let Some(TraceStep { event: StepEvent::Value { after, .. }, .. }) = self.entries.last_mut()
        {
            *after = Some(window.into());
        }
        node.current_window = Some(window);
    }

    fn enter_leaf(&mut self, value: Score, leaf: Leaf) {
        let index = self.current();
        let node = &mut self.nodes[index];
        let value = from_method_view(self.method, node.side, value);
        (node.leaf, node.leaf_value) = (Some(leaf), Some(value));
        self.record(StepEvent::Leaf { value: value_text(value), because: leaf });
    }

    fn return_value(&mut self, value: Score) {
        let child = self.path.pop().unwrap_or(0);
        let parent = self.current();
        let negated = !self.method.is_white_relative() && self.nodes[child].side != self.nodes[parent].side;
        let child = &mut self.nodes[child];
        let returned = if negated { -value } else { value };
        child.value = Some(returned);
        // The value of a leaf is exact, unless fail-hard has clamped it to a bound.
        child.bound = match child.leaf_value {
            Some(leaf_value) if leaf_value == returned => Bound::Exact,
            _ => child.entry_window.map_or(Bound::Exact, |window| window.bound_of(returned)),
        };
        let bound = if negated { -child.bound } else { child.bound };
        let mv = child.name.clone();
        let best_before = self.nodes[parent].best.as_ref().map(|best| value_text(best.value));
        let after = self.nodes[parent].current_window.map(Bounds::from);
        self.last_value = value;
        let value = value_text(value);
        self.record(StepEvent::Value {
            mv,
            value,
            bound,
            best_before,
            is_best: false,
            failed_test: None,
            after,
        });
    }

    fn set_best(&mut self) {
        let index = self.current();
        if let Some(TraceStep { event: StepEvent::Value { mv, bound, is_best, .. }, .. }) =
            self.entries.last_mut()
        {
            *is_best = true;
            self.nodes[index].best = Some(Best { mv: mv.clone(), value: self.last_value, bound: *bound });
        }
    }

    fn record_cutoff<G: Notation>(&mut self, game: &G) {
        let index = self.current();
        self.nodes[index].cutoff = true;
        let mut left_out = Vec::new();
        for mv in std::mem::take(&mut self.nodes[index].moves) {
            let name = game.move_text(mv);
            left_out.push(name.clone());
            let mut child = game.clone();
            child.play(mv);
            self.add_node(name, position_of(&child), Some(index), child.side_to_move(), 0);
        }
        let last_move = self.nodes[index].best.as_ref().map(|best| best.mv.clone()).unwrap_or_default();
        self.record(StepEvent::Cutoff { why: self.cutoff_reason(index), last_move, left_out });
    }

    fn cutoff_reason(&self, index: usize) -> CutoffReason {
        let node = &self.nodes[index];
        let is_white_relative = self.method.is_white_relative();
        // The bound that a side raises (or lowers) for itself, and that causes cutoffs of the other side.
        let own_bound = |side, window: Window| match side {
            Side::Black if is_white_relative => window.beta,
            _ => window.alpha,
        };
        let setter = self.path.iter().rev().map(|&i| (i, &self.nodes[i])).find(|(_, ancestor)| {
            ancestor.side != node.side
                && ancestor.entry_window.zip(ancestor.current_window).is_some_and(|(entry, current)| {
                    own_bound(ancestor.side, entry) != own_bound(ancestor.side, current)
                })
        });
        let setter = setter.map(|(i, ancestor)| {
            let mv = ancestor.best.as_ref().map_or(String::new(), |best| best.mv.clone());
            (mv, self.path_name(i))
        });
        CutoffReason {
            side: node.side,
            is_white_relative,
            value: self.last_value,
            bound: node.best.as_ref().map(|best| best.bound),
            window: node.current_window.unwrap_or(Window::FULL),
            setter,
        }
    }
}

impl<G: Notation> Observer<G> for Recorder {
    fn on_step(&mut self, game: &G, step: Step<'_>) {
        match step {
            Step::Enter(depth, ply) => self.enter(game, depth.plies(), ply.index()),
            Step::Bounds(window) => self.set_window(window),
            Step::Leaf(value, leaf) => self.enter_leaf(value, leaf),
            Step::Moves(moves) => {
                let index = self.current();
                self.nodes[index].moves = moves.to_vec();
                let worst = from_method_view(self.method, game.side_to_move(), -Score::INFINITE);
                self.record(StepEvent::Enter { v: value_text(worst) });
            }
            Step::Play(mv) => {
                let index = self.current();
                self.nodes[index].moves.retain(|&other| other != mv);
                self.last_move = game.move_text(mv);
            }
            Step::Value(value) => self.return_value(value),
            Step::Best => self.set_best(),
            Step::Cutoff => self.record_cutoff(game),
        }
    }
}

fn position_of<G: Notation>(game: &G) -> Option<String> {
    game.position_name().is_none().then(|| game.position_text())
}

/// `value`, which is for `side`, from the point of view of `method`: MAX, or `side`.
pub fn from_method_view(method: Method, side: Side, value: Score) -> Score {
    if method.is_white_relative() && side == Side::Black { -value } else { value }
}
