//! A reader and a writer of Portable Game Notation (PGN): <https://www.chessclub.com/help/PGN-spec>. The
//! well-maintained libraries for it are under the GPL.

pub mod tree;

use crate::game::{Move, Notation, NotationError, OptionValues, Outcome, Side, Variant};
use crate::variants;
use nom::bytes::complete::{tag, take_till, take_until, take_while1};
use nom::character::complete::{char, digit1, multispace0, one_of};
use nom::combinator::{map, recognize, value, verify};
use nom::multi::many1;
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser, branch::alt};
use std::fmt::Write as _;
use tree::{Tree, TreeReader};

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
/// Values of the tag Variant that mean chess: only their letters and digits, in lower case.
const CHESS: [&str; 7] =
    ["chess", "standard", "normal", "fromposition", "chess960", "fischerandom", "fischerrandom"];
/// Annotations that stand where a move may stand: of an en passant capture, and of a draw offer.
const ANNOTATIONS: [&str; 3] = ["e.p.", "ep", "="];
/// Null moves. Variations may contain them; a game cannot go on after one.
const NULL_MOVES: [&str; 2] = ["--", "Z0"];
/// Lines of moves are shorter than this number of characters.
const WIDTH: usize = 80;

/// The main line of a game.
#[derive(Clone, Debug)]
pub struct Game<G> {
    /// The line of the file at which the game starts, from 1.
    pub line: usize,
    /// Names and values.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: G,
    /// The moves played.
    pub moves: Vec<Move>,
    /// For each move, whether its comment says `book`: it was set, and no player chose it.
    pub from_book: Vec<bool>,
    /// The rules that the record names, as values of the game's options. The start has them.
    pub rules: OptionValues,
    /// 1-0, 0-1, 1/2-1/2 or *.
    pub result: String,
    /// Why the moves after the last one are not read: a null move, or another thing that a game cannot have.
    pub cut_off: Option<RecordError>,
    /// The moves with those of the variations, from [`read_trees`].
    pub tree: Option<Tree<G>>,
}

/// An error in the text of a game or a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The line of the file, from 1.
    pub line: usize,
    /// The message: what was expected and what was found.
    pub what: String,
}

impl<G> Game<G> {
    /// The value of the tag `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The name of the player of `side`; `?` if it is unknown.
    pub fn player(&self, side: Side) -> &str {
        self.tag(if side == Side::White { "White" } else { "Black" }).unwrap_or("?")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    /// A move, its number, or a result.
    Word(&'a str),
    /// The start of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// A comment in braces.
    Comment(&'a str),
    /// A comment to the end of a line, a NAG or dots.
    Ignored,
}

/// A word ends before a dot, but the dots of `e.p.` are part of it.
fn word(text: &str) -> IResult<&str, &str> {
    let part = || take_while1(|c: char| !c.is_whitespace() && !"{}();[]$!?.".contains(c));
    alt((recognize((verify(part(), |part: &str| part.ends_with('e')), tag(".p."))), part())).parse(text)
}

fn token(text: &str) -> IResult<&str, Token<'_>> {
    let comment = delimited(char('{'), take_until("}"), char('}'));
    let rest_of_line = preceded(char(';'), take_till(|c| c == '\n'));
    let escaped_line = preceded(char('%'), take_till(|c| c == '\n'));
    let token = alt((
        map(comment, Token::Comment),
        value(Token::Ignored, rest_of_line),
        value(Token::Ignored, escaped_line),
        value(Token::Ignored, preceded(char('$'), digit1)),
        value(Token::Ignored, recognize(many1(one_of("!?.")))),
        value(Token::Open, char('(')),
        value(Token::Close, char(')')),
        map(word, Token::Word),
    ));
    terminated(token, multispace0).parse(text)
}

/// The tag pair of a line `[Name "value"]`, with the escapes `\"` and `\\`. Quotation marks without a backslash are accepted.
fn tag_pair(line: &str) -> Option<(String, String)> {
    let inside = line.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, quoted) = inside.split_once(|c: char| c.is_whitespace())?;
    let value = quoted.trim().strip_prefix('"')?.strip_suffix('"')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| (name.into(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// Parses all games of `text`, of the variant of `start`. An error in one game does not affect the others. Games without
/// tags begin after the result of the game before.
pub fn read<G: Notation>(start: &G, text: &str) -> Vec<Result<Game<G>, RecordError>> {
    read_games(start, text, false)
}

/// Parses all games of `text`, of the variant of `start`, with their variations. The rest of a variation after an illegal move
/// is skipped.
pub fn read_trees<G: Notation>(start: &G, text: &str) -> Vec<Result<Game<G>, RecordError>> {
    read_games(start, text, true)
}

fn read_games<G: Notation>(start: &G, text: &str, has_tree: bool) -> Vec<Result<Game<G>, RecordError>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut games = Vec::new();
    let (mut part_start, mut first_line) = (0, 1);
    let (mut offset, mut in_tags, mut names) = (0, true, Vec::new());
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let tag = tag_pair(line);
        in_tags &= tag.is_some() || line.trim().is_empty();
        if let Some((name, _)) = tag {
            // A tag after movetext, or a tag that the game has already, starts a new game.
            if !in_tags || names.contains(&name) {
                read_part(start, &text[part_start..offset], first_line, has_tree, &mut games);
                (part_start, first_line) = (offset, number);
                names.clear();
            }
            names.push(name);
            in_tags = true;
        }
        offset += line.len();
    }
    read_part(start, &text[part_start..], first_line, has_tree, &mut games);
    games
}

/// Parses tags and movetext, from line `first_line` on: a game, or several of which only the first has tags.
fn read_part<G: Notation>(
    start: &G,
    text: &str,
    first_line: usize,
    has_tree: bool,
    games: &mut Vec<Result<Game<G>, RecordError>>,
) {
    let (mut tags, mut rest) = (Vec::new(), text);
    loop {
        let (head, tail) = rest.split_once('\n').unwrap_or((rest, ""));
        match tag_pair(head) {
            Some(tag) => tags.push(tag),
            None if head.trim().is_empty() && !rest.is_empty() => {}
            None => break,
        }
        rest = tail;
    }
    let (mut parser, before) = (PartParser { text, first_line, rest, tags, has_tree }, games.len());
    while !parser.rest.trim().is_empty() || !parser.tags.is_empty() {
        let (has_previous, has_no_tags) = (games.len() > before, parser.tags.is_empty());
        let game = parser.read_game(start);
        if game.is_err() {
            parser.skip_game();
        }
        // A comment after the result belongs to the previous game.
        if !(has_previous && has_no_tags && game.as_ref().is_ok_and(|game| game.moves.is_empty())) {
            games.push(game);
        }
    }
}

struct PartParser<'a> {
    text: &'a str,
    first_line: usize,
    rest: &'a str,
    tags: Vec<(String, String)>,
    /// Whether variations are read too.
    has_tree: bool,
}

impl PartParser<'_> {
    /// The line of the file at which `rest` starts.
    fn line(&self) -> usize {
        let parsed = &self.text[..self.text.len() - self.rest.len()];
        self.first_line + parsed.matches('\n').count()
    }

    fn error<T>(&self, what: impl ToString) -> Result<T, RecordError> {
        Err(RecordError { line: self.line(), what: what.to_string() })
    }

    /// Skips the rest of a game, up to its result.
    fn skip_game(&mut self) {
        let mut variations = 0_usize;
        while let Ok((rest, token)) = token(self.rest) {
            self.rest = rest;
            match token {
                Token::Open => variations += 1,
                Token::Close => variations = variations.saturating_sub(1),
                Token::Word(word) if variations == 0 && RESULTS.contains(&word) => return,
                _ => {}
            }
        }
        self.rest = "";
    }

    fn read_game<G: Notation>(&mut self, start: &G) -> Result<Game<G>, RecordError> {
        self.rest = self.rest.trim_start();
        let line = if self.tags.is_empty() { self.line() } else { self.first_line };
        let tags = std::mem::take(&mut self.tags);
        let start =
            start_position(start, &tags).map_err(|error| RecordError { line, what: error.to_string() })?;
        let (moves, from_book, rules) = (Vec::new(), Vec::new(), OptionValues::new());
        let (result, cut_off, tree) = ("*".into(), None, None);
        let mut game = Game { line, tags, start, moves, from_book, rules, result, cut_off, tree };
        if let Some(result) =
            game.tag("Result").and_then(|tag| RESULTS.into_iter().find(|known| *known == tag))
        {
            game.result = result.into();
        }
        let (mut position, mut variations) = (game.start.clone(), 0);
        let mut tree = self.has_tree.then(|| TreeReader::new(&game.start));
        while !self.rest.is_empty() {
            let Ok((rest, token)) = token(self.rest) else {
                let expected = if self.rest.starts_with('{') {
                    "expected a comment that ends with }"
                } else {
                    "expected a move"
                };
                return self.error(NotationError::new(expected, self.rest));
            };
            match token {
                Token::Comment(text) if variations == 0 && is_book_comment(text) => {
                    game.from_book.last_mut().into_iter().for_each(|from_book| *from_book = true);
                }
                Token::Comment(_) | Token::Ignored => {}
                Token::Open => {
                    variations += 1;
                    tree.iter_mut().for_each(TreeReader::open);
                }
                Token::Close if variations == 0 => {
                    return self.error(NotationError::new("expected a move", ")"));
                }
                Token::Close => {
                    variations -= 1;
                    tree.iter_mut().for_each(TreeReader::close);
                }
                Token::Word(word) if word.bytes().all(|byte| byte.is_ascii_digit()) => {}
                Token::Word(word) if variations > 0 => {
                    if !RESULTS.contains(&word) && !ANNOTATIONS.contains(&word) {
                        tree.iter_mut().for_each(|tree| tree.read(word));
                    }
                }
                Token::Word(word) if RESULTS.contains(&word) => {
                    (game.result, self.rest) = (word.into(), rest);
                    game.tree = tree.map(TreeReader::finish);
                    return Ok(game);
                }
                Token::Word(_) if game.cut_off.is_some() => {}
                Token::Word(word) => match position.parse_san(word) {
                    Ok(mv) => {
                        tree.iter_mut().for_each(|tree| tree.play(mv));
                        position.play(mv);
                        game.moves.push(mv);
                        game.from_book.push(false);
                    }
                    Err(_) if ANNOTATIONS.contains(&word) => {}
                    Err(error) => {
                        let what = format!("ply {}: {error}", game.moves.len() + 1);
                        let error = RecordError { line: self.line(), what };
                        if !NULL_MOVES.contains(&word) {
                            return Err(error);
                        }
                        game.cut_off = Some(error);
                    }
                },
            }
            self.rest = rest;
        }
        if variations > 0 {
            return self.error("expected ), got the end of the game");
        }
        game.tree = tree.map(TreeReader::finish);
        Ok(game)
    }
}

/// Whether a comment says only that the move is from a book. Commands such as `[%eval 0.31,14]` do not count.
pub fn is_book_comment(text: &str) -> bool {
    let mut rest = text.trim();
    while let Some((_, after)) = rest.strip_prefix("[%").and_then(|command| command.split_once(']')) {
        rest = after.trim_start();
    }
    rest.eq_ignore_ascii_case("book")
}

/// The name of the game in a tag Variant, as in `UCI_Variant`, if the program knows it so.
fn variant_name(tag: &str) -> String {
    let normalized: String = tag.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    if CHESS.contains(&normalized.as_str()) { "chess".into() } else { normalized }
}

/// The name of the game of the first tag Variant in `text`, normalised, or of `[Game "Chinese Chess"]`, which records of xiangqi have;
/// `None` without such a tag.
pub fn first_variant(text: &str) -> Option<String> {
    let mut tags = text.lines().filter(|line| line.starts_with('[')).filter_map(tag_pair);
    tags.find_map(|(name, value)| match name.as_str() {
        "Variant" => Some(variant_name(&value)),
        "Game" if value == "Chinese Chess" => Some("xiangqi".into()),
        _ => None,
    })
}

/// The start of a game with these tags, of the variant of `start`.
fn start_position<G: Notation>(start: &G, tags: &[(String, String)]) -> Result<G, NotationError> {
    let tag = |name: &str| tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    if let Some(variant) = tag("Variant")
        && variant_name(variant) != start.variant()
    {
        return Err(NotationError::new(format!("tag Variant: expected {}", start.variant()), variant));
    }
    match tag("FEN") {
        Some(text) => Ok(start.parse_position(text)?.game),
        None => Ok(start.initial()),
    }
}

/// The number of the first move of a game with these tags: the last word of the tag FEN, or 1.
pub fn first_move_number(tags: &[(String, String)]) -> u32 {
    let fen = tags.iter().find(|(name, _)| name == "FEN");
    fen.and_then(|(_, value)| value.rsplit(' ').next()?.parse().ok()).unwrap_or(1)
}

/// Writes a legal move as the record of a game with these tags does: after `[Format "Chinese"]`, which records of xiangqi
/// have, in Chinese (炮二平五), else as [`Notation::san_text`].
pub fn move_text<G: Notation>(tags: &[(String, String)], game: &G, mv: Move) -> String {
    let is_native =
        tags.iter().any(|(name, value)| name == "Format" && value.eq_ignore_ascii_case("Chinese"));
    is_native.then(|| game.native_text(mv)).flatten().unwrap_or_else(|| game.san_text(mv))
}

/// Writes the text of a game, move by move.
#[derive(Debug)]
pub struct MovetextWriter {
    text: String,
    /// Characters of the last line.
    width: usize,
    /// The number of the next move.
    number: u32,
    /// Whether a move of Black can follow without its number.
    numbered: bool,
    /// The text in front of the next word: `(` or nothing.
    bracket: &'static str,
}

/// The tag of a game that a side has lost on time.
pub const LOST_ON_TIME: (&str, &str) = ("Termination", "time forfeit");

/// The result of a game that has ended with the position `end`; `*` if it goes on.
fn result_by_rules<G: Variant>(end: &G) -> &'static str {
    match end.outcome_or_claim() {
        None => "*",
        Some(Outcome::Win(Side::White) | Outcome::Points(1..)) => "1-0",
        Some(Outcome::Win(Side::Black) | Outcome::Points(..0)) => "0-1",
        Some(Outcome::Draw | Outcome::Points(0)) => "1/2-1/2",
    }
}

/// `tags`, then those that a game from `start` needs.
fn game_tags<G: Variant>(start: &G, tags: &[(&str, String)], result: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> =
        tags.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
    all.push(("Result".into(), result.into()));
    if start.variant() != variants::DEFAULT {
        all.push(("Variant".into(), start.variant().into()));
    }
    let position = start.position_text();
    if position != start.initial().position_text() {
        all.push(("FEN".into(), position));
        all.push(("SetUp".into(), "1".into()));
    }
    all
}

impl MovetextWriter {
    /// Starts a game with these tags.
    pub fn new(tags: &[(String, String)]) -> MovetextWriter {
        let mut text = String::new();
        for (name, value) in tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(text, "[{name} \"{value}\"]").expect("writing to a string does not fail");
        }
        text.push('\n');
        MovetextWriter { text, width: 0, number: first_move_number(tags), numbered: false, bracket: "" }
    }

    /// Writes a word, on a new line if the last line is full.
    pub fn word(&mut self, word: &str) {
        let bracket = std::mem::take(&mut self.bracket);
        let length = bracket.len() + word.chars().count();
        if self.width + 1 + length >= WIDTH {
            self.text.push('\n');
            self.width = 0;
        } else if self.width > 0 {
            self.text.push(' ');
            self.width += 1;
        }
        self.text.extend([bracket, word]);
        self.width += length;
    }

    /// Writes a move of `side`. `next` is the side to move after it.
    pub fn play(&mut self, side: Side, san: &str, next: Side) {
        if side == Side::White || !self.numbered {
            self.word(&format!("{}{}", self.number, if side == Side::White { "." } else { "..." }));
        }
        self.numbered = true;
        self.word(san);
        self.number += u32::from(side == Side::Black && next == Side::White);
    }

    /// Writes a comment.
    pub fn comment(&mut self, text: &str) {
        let text = format!("{{{}}}", text.replace('}', ")"));
        text.split_ascii_whitespace().for_each(|word| self.word(word));
        self.numbered = false;
    }

    /// Writes a variation that replaces the last move. Each move has its side; `number` is the number of the
    /// first.
    pub fn variation(&mut self, moves: &[(Side, String)], number: u32) {
        let next_number = self.number;
        self.begin_variation(number);
        for (i, (side, san)) in moves.iter().enumerate() {
            let next = moves.get(i + 1).map_or(*side, |(side, _)| *side);
            self.play(*side, san, next);
        }
        self.end_variation(next_number);
    }

    /// Begins a variation that replaces the last move; `number` is the number of its first move.
    fn begin_variation(&mut self, number: u32) {
        (self.number, self.numbered, self.bracket) = (number, false, "(");
    }

    /// Ends a variation; `number` is the number of the move after it.
    fn end_variation(&mut self, number: u32) {
        self.text.push(')');
        self.width += 1;
        (self.number, self.numbered) = (number, false);
    }

    /// The number of the next move.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Writes the result and returns the text.
    pub fn finish(mut self, result: &str) -> String {
        self.word(result);
        self.text + "\n\n"
    }
}
