//! Explicit game trees, as in textbooks: a finite tree given as text, with the payoff of each leaf.

use crate::game::{
    Evaluator, Game, Heuristics, Move, MoveList, Notation, NotationError, Outcome, Parsed, Score, Side,
    SplitMix64, Variant,
};
use std::sync::Arc;

/// Named trees: the name, which is accepted in place of the text, and the text. The first is the start position.
///
/// * `worked`: a textbook example. Its one cutoff comes after C's last leaf and saves nothing.
/// * `seven`: B has the value 7 and C's first leaf 2, so alpha-beta skips the rest of C.
/// * `bags`: alpha-beta as a story. MAX chooses a bag, and its owner gives MAX the worst
///   item in it. After one item in the second bag that is worse than the worst of the first bag, the rest
///   need not be examined.
pub const EXAMPLES: [(&str, &str); 3] = [
    ("worked", "MAX A(B(E=3 F=12) C(G=8 H=2) D(I=4 J=6))"),
    ("seven", "MAX A(B(D=9 E=7 F=8) C(G=2 H=11 I=5 J=13))"),
    ("bags", "MAX you(red(pen=4 book=10 lamp=6) green(stone=1 ring=50 watch=30) blue(cup=5 ball=7 kite=9))"),
];

/// Limits: nodes of a tree, children of a node, bytes of a name, the absolute payoff of a leaf.
const MAX_NODES: usize = 20_000;
const MAX_CHILDREN: usize = 256;
const MAX_NAME: usize = 32;
const MAX_VALUE: i32 = 20_000;
/// The most levels below the root; less than [`Depth::MAX`](crate::game::Depth::MAX): every tree can be searched whole.
const MAX_HEIGHT: usize = 100;

#[derive(Debug)]
struct Node {
    name: String,
    parent: Option<usize>,
    children: Vec<usize>,
    /// The payoff of a leaf for MAX; `None` in an inner node.
    value: Option<i32>,
    /// The estimate of an inner node for MAX, if the text has one.
    estimate: Option<i32>,
    /// A hash of the subtree's shape, payoffs and estimates, without its names.
    hash: u64,
}

/// A position: a node of a tree and the side to move. White is MAX; MAX and MIN take turns.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Arc<[Node]>,
    at: usize,
    side: Side,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Word(&'a str),
    Open,
    Close,
    Equals,
    End,
}

struct Lexer<'a> {
    text: &'a str,
    /// The byte offset of the next token.
    at: usize,
    /// The byte offset of the last token.
    start: usize,
}

impl<'a> Lexer<'a> {
    fn next(&mut self) -> Token<'a> {
        let rest = self.text[self.at..].trim_start_matches(|c: char| c.is_ascii_whitespace());
        self.start = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            self.at = self.start;
            return Token::End;
        };
        let (token, length) = match first {
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            '=' => (Token::Equals, 1),
            _ => {
                let end = |c: char| c.is_ascii_whitespace() || "()=".contains(c);
                let length = rest.find(end).unwrap_or(rest.len());
                (Token::Word(&rest[..length]), length)
            }
        };
        self.at = self.start + length;
        token
    }

    fn peek(&mut self) -> Token<'a> {
        let place = (self.at, self.start);
        let token = self.next();
        (self.at, self.start) = place;
        token
    }

    /// Returns an error that names the column of the last token.
    fn error(&self, expected: &str) -> NotationError {
        let column = self.text[..self.start].chars().count() + 1;
        NotationError::new(
            format_args!("tree, column {column}: expected {expected}"),
            &self.text[self.start..],
        )
    }
}

/// Parses a tree without recursion, so that a deeply nested text cannot overflow the stack.
struct TreeParser<'a> {
    lexer: Lexer<'a>,
    nodes: Vec<Node>,
    /// The inner nodes that are not closed yet, outermost first.
    open: Vec<usize>,
    /// The number of inner nodes so far.
    inner: usize,
}

impl TreeParser<'_> {
    fn parse(mut self) -> Result<Vec<Node>, NotationError> {
        let mut token = self.lexer.next();
        loop {
            match token {
                Token::Word(name) => self.parse_node(name)?,
                Token::Open => self.open_nameless()?,
                Token::Close if self.close_node() => {}
                _ if self.open.is_empty() => return Err(self.lexer.error("a node")),
                _ => return Err(self.lexer.error("a node or \")\"")),
            }
            token = self.lexer.next();
            if self.open.is_empty() {
                let tree = (token == Token::End).then_some(self.nodes);
                return tree.ok_or_else(|| self.lexer.error("the end of the text"));
            }
        }
    }

    /// Closes the innermost open node. Returns false if there is none or if it has no child.
    fn close_node(&mut self) -> bool {
        let childless = self.open.last().is_none_or(|&node| self.nodes[node].children.is_empty());
        !childless && self.open.pop().is_some()
    }

    /// Parses a node whose first word is `word`: its name, or the payoff of a leaf without a name. In `4(5)` 4 is a name, in `4 (5)`
    /// it is a payoff.
    fn parse_node(&mut self, word: &str) -> Result<(), NotationError> {
        let parent = self.open.last().copied();
        let is_name = self.lexer.text[self.lexer.at..].starts_with('(') || self.lexer.peek() == Token::Equals;
        let value = payoff(word).filter(|_| !is_name && parent.is_some());
        let name = match (value, parent.map(|parent| &self.nodes[parent])) {
            // As in the textbook: the leaves of B are b1, b2, b3.
            (Some(_), Some(parent)) => format!("{}{}", parent.name.to_lowercase(), parent.children.len() + 1),
            _ => word.into(),
        };
        let index = self.add_node(name, value)?;
        if value.is_some() {
            return Ok(());
        }
        match self.lexer.next() {
            Token::Open => self.open_node(index),
            Token::Equals => {
                let value = Some(self.parse_value()?);
                if self.lexer.peek() == Token::Open {
                    self.lexer.next();
                    self.nodes[index].estimate = value;
                    self.open_node(index);
                } else {
                    self.nodes[index].value = value;
                }
            }
            _ => return Err(self.lexer.error("\"(\" and children, or \"=\" and a number, after a name")),
        }
        Ok(())
    }

    /// Adds an inner node without a name. As in textbooks, inner nodes are called A, B, C, in the order of the text.
    fn open_nameless(&mut self) -> Result<(), NotationError> {
        let name = match u8::try_from(self.inner) {
            Ok(number @ 0..26) => char::from(b'A' + number).to_string(),
            _ => format!("N{}", self.inner + 1),
        };
        let index = self.add_node(name, None)?;
        self.open_node(index);
        Ok(())
    }

    fn open_node(&mut self, index: usize) {
        self.open.push(index);
        self.inner += 1;
    }

    /// Adds a node to the innermost open node and returns its index.
    fn add_node(&mut self, name: String, value: Option<i32>) -> Result<usize, NotationError> {
        let is_name_char = |c: char| c.is_alphanumeric() || "_-'.+".contains(c);
        let parent = self.open.last().copied();
        let expected = if name.len() > MAX_NAME || !name.chars().all(is_name_char) {
            Some(format!("a name of at most {MAX_NAME} letters, digits and _ - ' . +"))
        } else if name.eq_ignore_ascii_case("moves") {
            Some("another name than \"moves\", which ends a position".into())
        } else if self.nodes.len() >= MAX_NODES {
            Some(format!("at most {MAX_NODES} nodes"))
        } else if self.open.len() > MAX_HEIGHT {
            Some(format!("at most {MAX_HEIGHT} levels below the root"))
        } else {
            parent.and_then(|parent| self.check_siblings(parent, &name))
        };
        if let Some(expected) = expected {
            return Err(self.lexer.error(&expected));
        }
        let index = self.nodes.len();
        self.nodes.push(Node { name, parent, children: Vec::new(), value, estimate: None, hash: 0 });
        if let Some(parent) = parent {
            self.nodes[parent].children.push(index);
        }
        Ok(index)
    }

    /// Returns what was expected if `name` cannot be added to the children of `parent`.
    fn check_siblings(&self, parent: usize, name: &str) -> Option<String> {
        let siblings = &self.nodes[parent].children;
        if siblings.len() >= MAX_CHILDREN {
            return Some(format!("at most {MAX_CHILDREN} children of a node"));
        }
        let same = |&&child: &&usize| self.nodes[child].name.eq_ignore_ascii_case(name);
        siblings.iter().find(same).map(|_| "another name than a sibling's".into())
    }

    fn parse_value(&mut self) -> Result<i32, NotationError> {
        let number = match self.lexer.next() {
            Token::Word(word) => payoff(word),
            _ => None,
        };
        number.ok_or_else(|| self.lexer.error(&format!("a whole number from -{MAX_VALUE} to {MAX_VALUE}")))
    }
}

impl Tree {
    /// Returns the position in which a game starts.
    pub fn start() -> Self {
        let (name, text) = EXAMPLES[0];
        Tree::parse(text).unwrap_or_else(|error| unreachable!("{name}: {error}"))
    }

    /// Returns the name of the current node.
    pub fn name(&self) -> &str {
        &self.node().name
    }

    fn node(&self) -> &Node {
        &self.nodes[self.at]
    }

    fn parse(text: &str) -> Result<Tree, NotationError> {
        let (first, rest) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
        let side = Side::ALL.into_iter().find(|&side| first.eq_ignore_ascii_case(player(side)));
        match side {
            // A root node can be named MAX: then a bracket follows at once, or a value.
            Some(side) if !rest.trim_start().starts_with('=') => {
                Tree::read(text, text.len() - rest.len(), side)
            }
            _ => Tree::read(text, 0, Side::White),
        }
    }

    /// Reads the tree that begins at byte `at` of `text`.
    fn read(text: &str, at: usize, side: Side) -> Result<Tree, NotationError> {
        let lexer = Lexer { text, at, start: at };
        let mut nodes = TreeParser { lexer, nodes: Vec::new(), open: Vec::new(), inner: 0 }.parse()?;
        // Children have higher indices than their parents, so in reverse order every child comes first.
        for index in (0..nodes.len()).rev() {
            let seed = match nodes[index] {
                Node { value: Some(value), .. } => u64::from(value as u32),
                Node { estimate: Some(estimate), .. } => 1 << 41 | u64::from(estimate as u32),
                _ => 1 << 40,
            };
            let mix = |hash: u64, &child: &usize| {
                SplitMix64::new(hash ^ SplitMix64::new(nodes[child].hash).next().rotate_left(1)).next()
            };
            nodes[index].hash = SplitMix64::new(nodes[index].children.iter().fold(seed, mix)).next();
        }
        Ok(Tree { nodes: nodes.into(), at: 0, side })
    }

    fn write(&self, at: usize, text: &mut String) {
        let node = &self.nodes[at];
        text.push_str(&node.name);
        if let Some(value) = node.value {
            *text += &format!("={value}");
            return;
        }
        if let Some(estimate) = node.estimate {
            *text += &format!("={estimate}");
        }
        for (i, &child) in node.children.iter().enumerate() {
            text.push(if i == 0 { '(' } else { ' ' });
            self.write(child, text);
        }
        text.push(')');
    }

    fn draw(&self, at: usize, side: Side, indent: &str, text: &mut String) {
        let node = &self.nodes[at];
        *text += &match (node.value, node.estimate) {
            (Some(value), _) => format!("{} {value}\n", node.name),
            (None, Some(estimate)) => format!("{} {}, estimate {estimate}\n", node.name, player(side)),
            (None, None) => format!("{} {}\n", node.name, player(side)),
        };
        for (i, &child) in node.children.iter().enumerate() {
            let last = i + 1 == node.children.len();
            *text += &format!("{indent}{}", if last { "`- " } else { "|- " });
            let deeper = format!("{indent}{}", if last { "   " } else { "|  " });
            self.draw(child, !side, &deeper, text);
        }
    }
}

/// Parses the payoff of a leaf or the estimate of an inner node.
fn payoff(word: &str) -> Option<i32> {
    word.parse().ok().filter(|value: &i32| value.unsigned_abs() <= MAX_VALUE as u32)
}

/// Returns MAX or MIN, the textbook name of a side.
fn player(side: Side) -> &'static str {
    ["MAX", "MIN"][side.index()]
}

impl Game for Tree {
    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        moves.extend((1..=self.node().children.len() as u16).map(Move::new));
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        self.at = self.node().children[usize::from(mv.bits() - 1)];
        self.side = !self.side;
    }

    fn undo(&mut self, _: Move) {
        self.at = self.node().parent.unwrap_or(self.at);
        self.side = !self.side;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.node().value.map(Outcome::Points)
    }

    fn key(&self) -> u64 {
        SplitMix64::new(self.node().hash ^ self.side as u64).next()
    }

    fn is_legal(&self, mv: Move) -> bool {
        usize::from(mv.bits()) <= self.node().children.len()
    }

    fn count_moves(&self) -> usize {
        self.node().children.len()
    }
}

impl Heuristics for Tree {}

impl Notation for Tree {
    fn variant(&self) -> &'static str {
        "gametree"
    }

    fn initial(&self) -> Self {
        Self::start()
    }

    fn parse_position(&self, text: &str) -> Result<Parsed<Self>, NotationError> {
        let text = text.trim();
        let text = EXAMPLES
            .iter()
            .find(|(name, _)| text.eq_ignore_ascii_case(name))
            .map_or(text, |example| example.1);
        Ok(Parsed { game: Tree::parse(text)?, warnings: Vec::new() })
    }

    fn position_text(&self) -> String {
        let mut text = format!("{} ", player(self.side));
        self.write(self.at, &mut text);
        text
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let children = &self.node().children;
        let named = |&child: &usize| self.nodes[child].name.eq_ignore_ascii_case(text);
        match children.iter().position(named) {
            Some(index) => Ok(Move::new(index as u16 + 1)),
            None => Err(NotationError::new(format_args!("expected a child of {}", self.name()), text)),
        }
    }

    fn move_text(&self, mv: Move) -> String {
        self.nodes[self.node().children[usize::from(mv.bits() - 1)]].name.clone()
    }

    fn position_name(&self) -> Option<&str> {
        Some(self.name())
    }

    fn diagram(&self) -> String {
        let mut text = String::new();
        self.draw(self.at, self.side, "", &mut text);
        text
    }
}

/// Evaluates an inner node as its estimate, or as 0 if the text has none.
#[derive(Clone, Copy, Debug, Default)]
pub struct EstimateEval;

impl Variant for Tree {
    type Evaluator = EstimateEval;
}

impl Evaluator<Tree> for EstimateEval {
    fn evaluate(&mut self, tree: &Tree) -> Score {
        let estimate = Score::new(tree.node().estimate.unwrap_or(0));
        if tree.side == Side::White { estimate } else { -estimate }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::conformance;

    fn tree(text: &str) -> Tree {
        Tree::start().parse_position(text).unwrap().game
    }

    #[test]
    fn named_trees_and_a_min_tree_conform() {
        for (seed, (name, text)) in EXAMPLES.into_iter().enumerate() {
            assert_eq!(tree(name).position_text(), text);
            conformance::check(&tree(name), 10, 5, seed as u64);
            conformance::check_evaluation(&tree(name), None, 10, 5, seed as u64);
        }
        conformance::check(&tree("MIN a(b=1 c(d(e=-3 f=4) g=5))"), 20, 5, 9);
        conformance::check_evaluation(&tree("a=2(b=1 c=-5(e=3))"), None, 20, 5, 9);
    }

    #[test]
    fn inner_nodes_have_estimates() {
        let text = "MAX A(B=5(E=3 F=12) C=-4(G=8 H=2) D(I=4 J=6))";
        let mut game = tree(text);
        assert_eq!(game.position_text(), text);
        assert_ne!(game.key(), tree(EXAMPLES[0].1).key());
        let evaluate = |game: &Tree| EstimateEval.evaluate(game);
        assert_eq!(evaluate(&game), Score::ZERO);
        for (child, estimate) in [(1, -5), (2, 4), (3, 0)] {
            game.play(Move::new(child));
            assert_eq!(evaluate(&game), Score::new(estimate), "for MIN, who moves");
            game.undo(Move::new(child));
        }
        assert!(game.diagram().contains("|- B MIN, estimate 5\n"));
    }

    #[test]
    fn leaves_without_names_are_named_after_their_parent() {
        for (text, full) in [
            ("A(B(3 12 8) C(2 4 6))", "MAX A(B(b1=3 b2=12 b3=8) C(c1=2 c2=4 c3=6))"),
            ("MIN A(+1 B=2 -3 7=4 4(5))", "MIN A(a1=1 B=2 a3=-3 7=4 4(41=5))"),
        ] {
            assert_eq!(tree(text).position_text(), full);
            assert_eq!(tree(full).position_text(), full);
        }
    }

    #[test]
    fn inner_nodes_without_names_are_lettered() {
        for (text, full) in [
            ("((3 12)(2 9))", "MAX A(B(b1=3 b2=12) C(c1=2 c2=9))"),
            ("MIN ((3 12)(2 (9 1)))", "MIN A(B(b1=3 b2=12) C(c1=2 D(d1=9 d2=1)))"),
            ("min(((7)) x(4))", "MAX min(B(C(c1=7)) x(x1=4))"),
            ("MIN\t(3 12)", "MIN A(a1=3 a2=12)"),
            ("MIN  =1(2 3)", "MAX MIN=1(min1=2 min2=3)"),
            ("(=1)", ""),
        ] {
            let parsed = Tree::start().parse_position(text);
            assert_eq!(parsed.map_or(String::new(), |parsed| parsed.game.position_text()), full);
        }
        let wide = tree(&format!("({})", "(1)".repeat(30)));
        assert!(
            wide.position_text()
                .ends_with("Z(z1=1) N27(n271=1) N28(n281=1) N29(n291=1) N30(n301=1) N31(n311=1))")
        );
    }

    #[test]
    fn malformed_text_gives_the_column() {
        for (text, column) in [
            ("", 1),
            ("A", 2),
            ("A(", 3),
            ("A()", 3),
            ("()", 2),
            ("(3", 3),
            ("(B(1)(2) C=1)", 10),
            ("A(B=1", 6),
            ("A(B=1) C", 8),
            ("A(B=1 B=2)", 7),
            ("A(B=x)", 5),
            ("A(B=99999)", 5),
            ("A(B C=1)", 5),
            ("5", 2),
            ("A(3 20001)", 10),
            ("A(a2=1 3)", 8),
            ("A(moves=1)", 3),
            ("A(B*=1)", 3),
            ("A(B=1))", 7),
            ("MIN A(B=)", 9),
            ("A(\u{e9}=1 =2)", 7),
        ] {
            let error = Tree::start().parse_position(text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("tree, column {column}: expected ")), "{text}: {error}");
        }
        assert!(Tree::start().parse_position(&"A(".repeat(1_000_000)).is_err());
        let wide: String = (0..=MAX_CHILDREN).map(|i| format!("n{i}=1 ")).collect();
        assert!(Tree::start().parse_position(&format!("A({wide})")).is_err());
        let deep = |height: usize| format!("{}B=1{}", "A(".repeat(height), ")".repeat(height));
        assert!(Tree::start().parse_position(&deep(MAX_HEIGHT)).is_ok());
        assert!(Tree::start().parse_position(&deep(MAX_HEIGHT + 1)).is_err());
    }

    #[test]
    fn key_depends_on_shape_and_payoffs_not_on_spelling() {
        let spaced = tree(" max A ( B ( E = 3 F=12 ) C(G=8 H=2)D(I=4 J=6) ) ");
        assert_eq!(spaced.position_text(), EXAMPLES[0].1);
        assert_eq!(tree("MAX(B=1)").position_text(), "MAX MAX(B=1)");
        assert_eq!(tree("A(B=1 C=2)").key(), tree("X(Y=1 Z=2)").key());
        assert_ne!(tree("A(B=1 C=2)").key(), tree("A(B=2 C=1)").key());
        assert_ne!(tree("A(B=1)").key(), tree("MIN A(B=1)").key());
        assert_ne!(tree("A(B(C=1) D=2)").key(), tree("A(B(C=1 D=2))").key());
    }
}
