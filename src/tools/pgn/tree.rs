//! Games with variations: a tree of moves.

use super::{MovetextWriter, game_tags, result_by_rules};
use crate::game::{Move, Notation, NotationError, Side, Variant};

/// The moves of a game and of its variations.
#[derive(Clone, Debug)]
pub struct Tree<G> {
    start: G,
    nodes: Vec<Node>,
    /// The nodes of first moves, that of the game first.
    first: Vec<usize>,
}

/// A move in a tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// As UCI writes it.
    pub text: String,
    /// As people write it: in chess, SAN.
    pub san: String,
    /// The side that moves.
    pub side: Side,
    /// The node of the move before it, whose index is smaller; `None` for a first move.
    pub parent: Option<usize>,
    mv: Move,
    /// The nodes of the next moves, that of the longer line first.
    next: Vec<usize>,
}

impl<G: Notation> Tree<G> {
    /// A tree without moves.
    pub fn new(start: G) -> Tree<G> {
        Tree { start, nodes: Vec::new(), first: Vec::new() }
    }

    /// The position before the first move.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The moves, each after the move before it.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The nodes of the moves after `node`.
    fn next(&self, node: Option<usize>) -> &[usize] {
        node.map_or(&self.first, |node| &self.nodes[node].next)
    }

    fn next_mut(&mut self, node: Option<usize>) -> &mut Vec<usize> {
        match node {
            Some(node) => &mut self.nodes[node].next,
            None => &mut self.first,
        }
    }

    /// Adds a legal move of the position `game` after `parent`, unless it is there. Returns its node.
    pub fn add(&mut self, parent: Option<usize>, mv: Move, game: &G) -> usize {
        let known = self.next(parent).iter().copied().find(|&node| self.nodes[node].mv == mv);
        known.unwrap_or_else(|| {
            let (node, next) = (self.nodes.len(), Vec::new());
            self.next_mut(parent).push(node);
            let (text, san, side) = (game.move_text(mv), game.san_text(mv), game.side_to_move());
            self.nodes.push(Node { text, san, side, parent, mv, next });
            node
        })
    }

    /// Adds the moves of the game itself: they are the main line of the record.
    pub fn add_game(&mut self, moves: &[Move]) {
        let (mut game, mut parent) = (self.start.clone(), None);
        for &mv in moves {
            let node = self.add(parent, mv, &game);
            let next = self.next_mut(parent);
            next.retain(|&other| other != node);
            next.insert(0, node);
            game.play(mv);
            parent = Some(node);
        }
    }

    /// The position after a node.
    fn position(&self, mut node: Option<usize>) -> G {
        let mut moves = Vec::new();
        while let Some(index) = node {
            moves.push(self.nodes[index].mv);
            node = self.nodes[index].parent;
        }
        let mut game = self.start.clone();
        moves.into_iter().rev().for_each(|mv| game.play(mv));
        game
    }

    /// A tree of moves as UCI writes them, each with the index of the move before it.
    ///
    /// # Errors
    /// If a move is illegal, or not after the move before it.
    pub fn parse<'a>(
        start: &G,
        moves: impl Iterator<Item = (&'a str, Option<usize>)>,
    ) -> Result<Tree<G>, NotationError> {
        let mut tree = Tree::new(start.clone());
        let (mut game, mut last) = (start.clone(), None);
        // The node of each move: a move that stands there twice has one.
        let mut added = Vec::new();
        for (text, parent) in moves {
            let parent = match parent {
                Some(index) => Some(*added.get(index).ok_or_else(|| {
                    let expected = format!("parent: expected a number below {}", added.len());
                    NotationError::new(expected, &index.to_string())
                })?),
                None => None,
            };
            if parent != last {
                game = tree.position(parent);
            }
            let mv = game.parse_move(text)?;
            let node = tree.add(parent, mv, &game);
            game.play(mv);
            last = Some(node);
            added.push(node);
        }
        Ok(tree)
    }
}

impl<G: Variant> Tree<G> {
    /// Writes the game as PGN with its variations: `tags`, then those that the game needs, and the moves. The game is the first
    /// `length` moves of the first line. Moves after it are left out: PGN has no place for them. `result` is that of the rules if
    /// it is `None`.
    pub fn record(&self, length: usize, tags: &[(&str, String)], result: Option<&str>) -> String {
        enum Step {
            /// Writes a node, its alternatives as variations if `is_main`, and the moves after it.
            Line {
                node: usize,
                is_main: bool,
            },
            Open {
                node: usize,
                number: u32,
            },
            Close {
                number: u32,
            },
        }
        let following = |node: Option<usize>| self.next(node).first().copied();
        let last = (0..length).fold(None, |node, _| following(node));
        let result = result.unwrap_or_else(|| result_by_rules(&self.position(last)));
        let mut writer = MovetextWriter::new(&game_tags(&self.start, tags, result));
        let after = |node| if node == last { None } else { following(node) };
        let mut steps = Vec::new();
        steps.extend(after(None).map(|node| Step::Line { node, is_main: true }));
        // A stack of its own: variations may be nested as deep as the game is long.
        while let Some(step) = steps.pop() {
            let (node, is_main) = match step {
                Step::Line { node, is_main } => (node, is_main),
                Step::Open { node, number } => {
                    writer.begin_variation(number);
                    (node, false)
                }
                Step::Close { number } => {
                    writer.end_variation(number);
                    continue;
                }
            };
            let Node { san, side, parent, .. } = &self.nodes[node];
            let (number, next) = (writer.number(), after(Some(node)));
            writer.play(*side, san, next.map_or(*side, |next| self.nodes[next].side));
            steps.extend(next.map(|node| Step::Line { node, is_main: true }));
            let siblings = self.next(*parent);
            if is_main {
                let after = writer.number();
                for &node in siblings[1..].iter().rev() {
                    steps.extend([Step::Close { number: after }, Step::Open { node, number }]);
                }
            }
        }
        writer.finish(result)
    }
}

/// Collects the moves of a record while it is read.
#[derive(Debug)]
pub(super) struct TreeReader<G> {
    tree: Tree<G>,
    /// The line that is read, and those around it.
    lines: Vec<Line<G>>,
}

#[derive(Debug)]
struct Line<G> {
    game: G,
    /// The position before the last move.
    before: G,
    node: Option<usize>,
    /// Whether the rest of the line is skipped: after a move that cannot be read.
    has_ended: bool,
}

impl<G: Notation> TreeReader<G> {
    pub(super) fn new(start: &G) -> TreeReader<G> {
        let main = Line { game: start.clone(), before: start.clone(), node: None, has_ended: false };
        TreeReader { tree: Tree::new(start.clone()), lines: vec![main] }
    }

    /// Begins a variation, which replaces the last move.
    pub(super) fn open(&mut self) {
        let Some(around) = self.lines.last() else { return };
        let (game, before) = (around.before.clone(), around.before.clone());
        let node = around.node.and_then(|node| self.tree.nodes[node].parent);
        let has_ended = around.has_ended || around.node.is_none();
        self.lines.push(Line { game, before, node, has_ended });
    }

    pub(super) fn close(&mut self) {
        self.lines.pop();
    }

    /// Reads a move of the line. Its rest is skipped if there is none.
    pub(super) fn read(&mut self, word: &str) {
        match self.lines.last_mut() {
            Some(line) if !line.has_ended => match line.game.parse_san(word) {
                Ok(mv) => self.play(mv),
                Err(_) => line.has_ended = true,
            },
            _ => {}
        }
    }

    /// Adds a legal move to the line.
    pub(super) fn play(&mut self, mv: Move) {
        let Some(line) = self.lines.last_mut() else { return };
        line.node = Some(self.tree.add(line.node, mv, &line.game));
        line.before = line.game.clone();
        line.game.play(mv);
    }

    pub(super) fn finish(self) -> Tree<G> {
        self.tree
    }
}
