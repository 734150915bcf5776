//! Portable Game Notation, both ways: <https://www.chessclub.com/help/PGN-spec>. Of the libraries that read it those that are kept well
//! are under the GPL.

use crate::game::{Move, Notation, NotationError, Side};
use nom::bytes::complete::{take_till, take_until, take_while1};
use nom::character::complete::{char, digit1, multispace0, one_of};
use nom::combinator::{map, recognize, value};
use nom::multi::many1;
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser, branch::alt};
use std::fmt::Write as _;

/// How a game may have ended.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
/// Values of the tag Variant that mean chess, Chess960 or the game that was asked for, in small letters and digits.
const CHESS: [&str; 7] =
    ["chess", "standard", "normal", "fromposition", "chess960", "fischerandom", "fischerrandom"];
/// Lines of moves are broken before this.
const WIDTH: usize = 80;

/// A game that was read: its main line.
#[derive(Clone, Debug)]
pub struct Game<G> {
    /// Where it begins, from 1.
    pub line: usize,
    /// Names and values.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: G,
    /// The moves played.
    pub moves: Vec<Move>,
    /// 1-0, 0-1, 1/2-1/2 or *.
    pub result: String,
}

/// Why a game could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnError {
    /// Where, from 1.
    pub line: usize,
    /// What was expected, what came.
    pub what: String,
}

impl<G> Game<G> {
    /// A tag's value.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The name of the player of that side.
    pub fn player(&self, side: Side) -> &str {
        self.tag(if side == Side::White { "White" } else { "Black" }).unwrap_or("?")
    }
}

/// One thing in a text of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    /// A move, its number, or a result.
    Word(&'a str),
    /// The beginning of a variation.
    Open,
    /// Its end.
    Close,
    /// A comment, a NAG, dots: nothing that is played.
    Nothing,
}

fn token(text: &str) -> IResult<&str, Token<'_>> {
    let comment = delimited(char('{'), take_until("}"), char('}'));
    let rest_of_line = preceded(char(';'), take_till(|c| c == '\n'));
    let escaped_line = preceded(char('%'), take_till(|c| c == '\n'));
    let word = take_while1(|c: char| !c.is_whitespace() && !"{}();[]$!?.".contains(c));
    let token = alt((
        value(Token::Nothing, comment),
        value(Token::Nothing, rest_of_line),
        value(Token::Nothing, escaped_line),
        value(Token::Nothing, preceded(char('$'), digit1)),
        value(Token::Nothing, recognize(many1(one_of("!?.")))),
        value(Token::Open, char('(')),
        value(Token::Close, char(')')),
        map(word, Token::Word),
    ));
    terminated(token, multispace0).parse(text)
}

/// The tag pair that a line is, `[Name "value"]`, in which `\"` and `\\` stand for a quotation mark and a backslash. Such
/// marks without a backslash are common and do no harm.
fn tag_pair(line: &str) -> Option<(String, String)> {
    let inside = line.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, quoted) = inside.split_once(|c: char| c.is_whitespace())?;
    let value = quoted.trim().strip_prefix('"')?.strip_suffix('"')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| (name.into(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// Reads every game of `text`, or says why not: one that is broken does not keep others from being read.
pub fn read<G: Notation>(text: &str) -> Vec<Result<Game<G>, PgnError>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut games = Vec::new();
    let (mut begin, mut first) = (0, 1);
    let (mut offset, mut in_tags) = (0, true);
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let is_tag = tag_pair(line).is_some();
        // Tags after anything else begin a game.
        if is_tag && !in_tags {
            read_part(&text[begin..offset], first, &mut games);
            (begin, first) = (offset, number);
        }
        in_tags = is_tag || in_tags && line.trim().is_empty();
        offset += line.len();
    }
    read_part(&text[begin..], first, &mut games);
    games
}

/// Tags and what follows them, from line `first` on: a game, or several of which only the first has tags.
fn read_part<G: Notation>(text: &str, first: usize, games: &mut Vec<Result<Game<G>, PgnError>>) {
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
    let (mut game, before) = (Reading { text, first, rest, tags }, games.len());
    while !game.rest.trim().is_empty() || !game.tags.is_empty() {
        let (last, untitled) = (games.len() > before, game.tags.is_empty());
        let read = game.read();
        let failed = read.is_err();
        // A comment after the result is still of the game before.
        if !(last && untitled && read.as_ref().is_ok_and(|game| game.moves.is_empty())) {
            games.push(read);
        }
        if failed {
            return;
        }
    }
}

/// A part of a file that is being read.
struct Reading<'a> {
    text: &'a str,
    /// The line on which `text` begins.
    first: usize,
    rest: &'a str,
    tags: Vec<(String, String)>,
}

impl Reading<'_> {
    fn line(&self) -> usize {
        let read = &self.text[..self.text.len() - self.rest.len()];
        self.first + read.matches('\n').count()
    }

    fn fault<T>(&self, what: impl ToString) -> Result<T, PgnError> {
        Err(PgnError { line: self.line(), what: what.to_string() })
    }

    /// The next game.
    fn read<G: Notation>(&mut self) -> Result<Game<G>, PgnError> {
        self.rest = self.rest.trim_start();
        let line = if self.tags.is_empty() { self.line() } else { self.first };
        let tags = std::mem::take(&mut self.tags);
        let start = start::<G>(&tags).map_err(|error| PgnError { line, what: error.to_string() })?;
        let mut game = Game { line, tags, start, moves: Vec::new(), result: "*".into() };
        if let Some(result) =
            game.tag("Result").and_then(|tag| RESULTS.into_iter().find(|known| *known == tag))
        {
            game.result = result.into();
        }
        let (mut position, mut variations) = (game.start.clone(), 0);
        while !self.rest.is_empty() {
            let Ok((rest, token)) = token(self.rest) else {
                let expected = if self.rest.starts_with('{') {
                    "expected a comment that ends with }"
                } else {
                    "expected a move"
                };
                return self.fault(NotationError::new(expected, self.rest));
            };
            match token {
                Token::Nothing => {}
                Token::Open => variations += 1,
                Token::Close if variations == 0 => {
                    return self.fault(NotationError::new("expected a move", ")"));
                }
                Token::Close => variations -= 1,
                Token::Word(_) if variations > 0 => {}
                Token::Word(word) if RESULTS.contains(&word) => {
                    (game.result, self.rest) = (word.into(), rest);
                    return Ok(game);
                }
                Token::Word(word) if word.bytes().all(|byte| byte.is_ascii_digit()) => {}
                Token::Word(word) => match position.parse_san(word) {
                    Ok(mv) => {
                        position.play(mv);
                        game.moves.push(mv);
                    }
                    Err(error) => return self.fault(format!("ply {}: {error}", game.moves.len() + 1)),
                },
            }
            self.rest = rest;
        }
        if variations > 0 {
            return self.fault("expected ), got the end of the game");
        }
        Ok(game)
    }
}

/// Where a game with these tags begins.
fn start<G: Notation>(tags: &[(String, String)]) -> Result<G, NotationError> {
    let tag = |name: &str| tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    if let Some(variant) = tag("Variant") {
        let bare: String = variant.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
        let known = if CHESS.contains(&bare.as_str()) { "chess" } else { bare.as_str() };
        if known != G::VARIANT {
            return Err(NotationError::new(format!("tag Variant: expected {}", G::VARIANT), variant));
        }
    }
    match tag("FEN") {
        Some(text) => Ok(G::parse_position(text)?.game),
        None => Ok(G::start()),
    }
}

/// Text of a game, written move by move.
#[derive(Debug)]
pub struct Writer {
    text: String,
    /// Characters on the last line.
    width: usize,
    /// The number of the next move of White, and whether it must be written before one of Black.
    number: u32,
    numbered: bool,
    /// What the next word begins with.
    bracket: &'static str,
}

impl Writer {
    /// A game with these tags. Its first move has the number that ends the position in the tag FEN, as in chess, or 1.
    pub fn new(tags: &[(String, String)]) -> Writer {
        let mut text = String::new();
        let mut number = 1;
        for (name, value) in tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(text, "[{name} \"{value}\"]").expect("a string takes all");
            if name == "FEN" {
                number = value.rsplit(' ').next().and_then(|last| last.parse().ok()).unwrap_or(1);
            }
        }
        text.push('\n');
        Writer { text, width: 0, number, numbered: false, bracket: "" }
    }

    /// A word, on a new line if there is no room.
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

    /// A move of `side`, and who moves next.
    pub fn play(&mut self, side: Side, san: &str, next: Side) {
        if side == Side::White || !self.numbered {
            self.word(&format!("{}{}", self.number, if side == Side::White { "." } else { "..." }));
        }
        self.numbered = true;
        self.word(san);
        self.number += u32::from(side == Side::Black && next == Side::White);
    }

    /// A comment of plain words.
    pub fn comment(&mut self, text: &str) {
        let text = format!("{{{}}}", text.replace('}', ")"));
        text.split_ascii_whitespace().for_each(|word| self.word(word));
        self.numbered = false;
    }

    /// Moves that might have been played instead of the last one, each with who makes it.
    pub fn variation(&mut self, moves: &[(Side, String)], number: u32) {
        let played = std::mem::replace(&mut self.number, number);
        (self.numbered, self.bracket) = (false, "(");
        for (at, (side, san)) in moves.iter().enumerate() {
            let next = moves.get(at + 1).map_or(*side, |(side, _)| *side);
            self.play(*side, san, next);
        }
        self.text.push(')');
        self.width += 1;
        (self.number, self.numbered) = (played, false);
    }

    /// The number of the next move.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The text, with the result.
    pub fn finish(mut self, result: &str) -> String {
        self.word(result);
        self.text + "\n\n"
    }
}
