//! The steps of a search as they happen, and the tree that they walk.

use crate::game::{Bound, Move, Notation, NotationOptions, Score, Side, Window};
use crate::textbook::{Leaf, Method, Observer, Step};
use crate::tools::value_text;
use serde::{Serialize, Serializer};

/// A node that was visited, or one that a cutoff left out.
#[derive(Clone, Debug)]
pub struct Node {
    /// The move that leads here; "root" at the root.
    pub name: String,
    /// Where the parent stands in the list.
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    /// Who moves here.
    pub side: Side,
    /// What the search returned, by the method's side here; nothing if it was left out.
    pub value: Option<Score>,
    /// What that says.
    pub meaning: Bound,
    /// Why it was visited and has no children.
    pub leaf: Option<Leaf>,
    /// Whether it was left early, which saves something only if moves were left.
    pub cutoff: bool,
    depth: i32,
    /// The bounds on entry and as they are now.
    entry: Option<Window>,
    current_window: Option<Window>,
    /// The best value so far, what it says, and the move that has it.
    best: Option<Best>,
    /// What it is worth, if it has no children.
    leaf_value: Option<Score>,
    /// Moves not yet played.
    moves: Vec<Move>,
}

/// A node's best move so far.
#[derive(Clone, Debug)]
struct Best {
    mv: String,
    value: Score,
    meaning: Bound,
}

/// Words before a value that say what it is: nothing, "at most " or "at least ".
pub fn bound_words(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::Upper => "at most ",
        Bound::Lower => "at least ",
    }
}

/// Writes a bound into the JSON trace: `exact`, `at-most` or `at-least`.
pub fn serialize_bound<S: Serializer>(bound: &Bound, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match bound {
        Bound::Exact => "exact",
        Bound::Upper => "at-most",
        Bound::Lower => "at-least",
    })
}

/// Alpha and beta, written.
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

/// One line of a trace. Values and bounds are seen by the method's side at the node.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// The moves that lead to the node.
    pub node: String,
    /// Who moves there, "MAX" or "MIN".
    pub player: &'static str,
    /// Plies from the root.
    pub ply: usize,
    /// Depth to go.
    pub depth: i32,
    /// The bounds before what happened.
    #[serde(flatten)]
    pub bounds: Option<Bounds>,
    #[serde(flatten)]
    pub event: Event,
}

/// What happened.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum Event {
    /// The node is entered and has moves to look at.
    Enter,
    /// The node is entered and has none.
    Leaf { value: String, because: &'static str },
    /// A move was taken back and is worth this.
    Value {
        #[serde(rename = "move")]
        mv: String,
        value: String,
        #[serde(serialize_with = "serialize_bound")]
        meaning: Bound,
        /// The best value of the moves before it.
        best_before: Option<String>,
        /// Whether it is better.
        is_best: bool,
        /// The bounds after it.
        after: Option<Bounds>,
    },
    /// The rest of the moves is left out.
    Cutoff { why: String, last_move: String, left_out: Vec<String> },
}

/// Watches a search and writes it down. A search that begins at the root begins a new record, so that
/// what prepared it is forgotten.
#[derive(Debug)]
pub struct Recorder {
    method: Method,
    /// The nodes in the order in which they were entered, the root first.
    pub nodes: Vec<Node>,
    /// What happened, in order.
    pub entries: Vec<Entry>,
    /// The nodes from the root to the one at hand.
    path: Vec<usize>,
    /// The move just played.
    played: String,
    /// The value that came last.
    last_value: Score,
}

impl Recorder {
    /// Of a search by `method`.
    pub fn new(method: Method) -> Recorder {
        let (nodes, entries, path) = (Vec::new(), Vec::new(), Vec::new());
        Recorder { method, nodes, entries, path, played: String::new(), last_value: Score::ZERO }
    }

    /// The search came to its end with `value`, for the side to move at the root.
    pub fn end(&mut self, value: Score) {
        let root = &mut self.nodes[0];
        root.value = Some(by(self.method, root.side, value));
    }

    fn name(&self, at: usize) -> String {
        match self.nodes[at].parent {
            None | Some(0) => self.nodes[at].name.clone(),
            Some(parent) => format!("{} {}", self.name(parent), self.nodes[at].name),
        }
    }

    /// The node at hand. The root is entered before anything else is told.
    fn at(&self) -> usize {
        self.path[self.path.len() - 1]
    }

    fn add(&mut self, name: String, parent: Option<usize>, side: Side, depth: i32) -> usize {
        let at = self.nodes.len();
        if let Some(parent) = parent {
            self.nodes[parent].children.push(at);
        }
        self.nodes.push(Node {
            name,
            parent,
            children: Vec::new(),
            side,
            value: None,
            meaning: Bound::Exact,
            leaf: None,
            cutoff: false,
            depth,
            entry: None,
            current_window: None,
            best: None,
            leaf_value: None,
            moves: Vec::new(),
        });
        at
    }

    fn note(&mut self, event: Event) {
        let at = self.at();
        let Node { side, depth, current_window: open, .. } = self.nodes[at];
        let (node, player, bounds) = (self.name(at), player(side), open.map(Bounds::from));
        self.entries.push(Entry { node, player, ply: self.path.len() - 1, depth, bounds, event });
    }

    fn enter(&mut self, side: Side, depth: i32, ply: usize) {
        self.path.truncate(ply);
        let name = match ply {
            0 => {
                self.nodes.clear();
                self.entries.clear();
                "root".into()
            }
            _ => std::mem::take(&mut self.played),
        };
        let at = self.add(name, self.path.last().copied(), side, depth);
        self.path.push(at);
    }

    fn bound(&mut self, window: Window) {
        let at = self.at();
        let node = &mut self.nodes[at];
        if node.entry.is_none() {
            node.entry = Some(window);
        } else if let Some(Entry { event: Event::Value { after, .. }, .. }) = self.entries.last_mut() {
            *after = Some(window.into());
        }
        node.current_window = Some(window);
    }

    fn leaf(&mut self, value: Score, leaf: Leaf) {
        let at = self.at();
        let node = &mut self.nodes[at];
        let value = by(self.method, node.side, value);
        (node.leaf, node.leaf_value) = (Some(leaf), Some(value));
        self.note(Event::Leaf { value: value_text(value), because: because(leaf) });
    }

    fn value(&mut self, value: Score) {
        let child = self.path.pop().unwrap_or(0);
        let parent = self.at();
        let negated = !self.method.is_white_relative() && self.nodes[child].side != self.nodes[parent].side;
        let child = &mut self.nodes[child];
        let returned = if negated { -value } else { value };
        child.value = Some(returned);
        // What a leaf is worth is known, unless fail-hard hides it behind a bound.
        child.meaning = match child.leaf_value {
            Some(worth) if worth == returned => Bound::Exact,
            _ => child.entry.map_or(Bound::Exact, |window| window.bound_of(returned)),
        };
        let meaning = if negated { -child.meaning } else { child.meaning };
        let mv = child.name.clone();
        let best_before = self.nodes[parent].best.as_ref().map(|best| value_text(best.value));
        let after = self.nodes[parent].current_window.map(Bounds::from);
        self.last_value = value;
        let value = value_text(value);
        self.note(Event::Value { mv, value, meaning, best_before, is_best: false, after });
    }

    fn best(&mut self) {
        let at = self.at();
        if let Some(Entry { event: Event::Value { mv, meaning, is_best, .. }, .. }) = self.entries.last_mut()
        {
            *is_best = true;
            self.nodes[at].best = Some(Best { mv: mv.clone(), value: self.last_value, meaning: *meaning });
        }
    }

    fn cut(&mut self, left_out: Vec<String>) {
        let at = self.at();
        self.nodes[at].cutoff = true;
        let side = self.nodes[at].side;
        for name in &left_out {
            self.add(name.clone(), Some(at), !side, 0);
        }
        let last_move = self.nodes[at].best.as_ref().map(|best| best.mv.clone()).unwrap_or_default();
        self.note(Event::Cutoff { why: self.why(at), last_move, left_out });
    }

    /// Why the node `at` is left: which bound its best value has reached, and who set that bound where.
    fn why(&self, at: usize) -> String {
        let node = &self.nodes[at];
        let as_white = self.method.is_white_relative();
        let (us, them) = (player(node.side), player(!node.side));
        let or_so = match node.best.as_ref().map(|best| best.meaning) {
            Some(Bound::Lower) => " or more",
            Some(Bound::Upper) => " or less",
            _ => "",
        };
        let window = node.current_window.unwrap_or(Window::FULL);
        // The other side's own bound is what this one runs into.
        let own = |side, window: Window| match side {
            Side::Black if as_white => window.beta,
            _ => window.alpha,
        };
        let setter = self.path.iter().rev().map(|&at| (at, &self.nodes[at])).find(|(_, above)| {
            above.side != node.side
                && above
                    .entry
                    .zip(above.current_window)
                    .is_some_and(|(entry, open)| own(above.side, entry) != own(above.side, open))
        });
        let place = setter.map_or_else(String::new, |(at, above)| {
            let by = above.best.as_ref().map_or("", |best| &best.mv);
            format!(", by {by} at {}", self.name(at))
        });
        let value = value_text(self.last_value);
        if as_white {
            let (sign, name, bound, gets) = match node.side {
                Side::White => (">=", "beta", window.beta, "gets"),
                Side::Black => ("<=", "alpha", window.alpha, "holds it to"),
            };
            let bound = value_text(bound);
            format!(
                "{value} {sign} {name} {bound}: {them} has {bound} already{place}, and {us} {gets} {value}{or_so} here; \
                 {them} has no reason to come here"
            )
        } else {
            let bound = value_text(window.beta);
            format!(
                "{value} >= beta {bound}: {them} holds {us} to {bound} already{place}, and {us} gets \
                 {value}{or_so} here; {them} has no reason to come here"
            )
        }
    }
}

impl<G: Notation> Observer<G> for Recorder {
    fn on_step(&mut self, game: &G, step: Step<'_>) {
        let text = |mv| game.move_text(mv, NotationOptions::default());
        match step {
            Step::Enter(depth, ply) => self.enter(game.side_to_move(), depth.plies(), ply.index()),
            Step::Bounds(window) => self.bound(window),
            Step::Leaf(value, leaf) => self.leaf(value, leaf),
            Step::Moves(moves) => {
                let at = self.at();
                self.nodes[at].moves = moves.to_vec();
                self.note(Event::Enter);
            }
            Step::Play(mv) => {
                let at = self.at();
                self.nodes[at].moves.retain(|&other| other != mv);
                self.played = text(mv);
            }
            Step::Value(value) => self.value(value),
            Step::Best => self.best(),
            Step::Cutoff => {
                let left_out = self.nodes[self.at()].moves.iter().map(|&mv| text(mv)).collect();
                self.cut(left_out);
            }
        }
    }
}

/// `value`, which is for `side`, as the method sees it.
pub fn by(method: Method, side: Side, value: Score) -> Score {
    if method.is_white_relative() && side == Side::Black { -value } else { value }
}

/// The texts' name of a side.
pub fn player(side: Side) -> &'static str {
    ["MAX", "MIN"][side.index()]
}

fn because(leaf: Leaf) -> &'static str {
    match leaf {
        Leaf::Terminal => "end",
        Leaf::DrawClaim => "claimed draw",
        Leaf::DepthLimit => "estimate",
        Leaf::Memoised => "remembered",
    }
}
