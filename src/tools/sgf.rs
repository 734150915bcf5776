//! A reader and a writer of SGF, the format of Go's records: <https://www.red-bean.com/sgf/>.

use super::pgn::{Game, LOST_ON_TIME, RecordError, is_book_comment};
use crate::game::{
    DropBoard, GameOptionKind, Move, Notation, NotationError, OptionValues, Outcome, Side, Variant,
    units_text,
};
use nom::branch::alt;
use nom::bytes::complete::is_not;
use nom::character::complete::{alpha1, anychar, char, multispace0};
use nom::combinator::{map, recognize, value};
use nom::multi::{many0_count, many1};
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{IResult, Parser};
use std::fmt::Write as _;

/// The game whose records are in this format.
pub const VARIANT: &str = "go";

/// How a record by Duiyi begins.
pub const MARK: &str = "(;GM[1]FF[4]CA[UTF-8]AP[Duiyi:";

const DEFAULT_SIZE: usize = 19;
/// The letters of the files on boards and in moves: no `i`.
const FILES: &str = "abcdefghjklmnopqrst";
/// The options of the game that a record sets.
const RULES: &str = "Go Rules";
const KOMI: &str = "Komi Half Points";
/// Properties of a record that PGN has as tags. Black moves first, as White does in PGN.
const TAGS: [(&str, &str); 7] = [
    ("EV", "Event"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("RO", "Round"),
    ("PB", "White"),
    ("PW", "Black"),
    ("RU", "Rules"),
];
const MOVES_PER_LINE: usize = 10;

/// Whether a text is SGF.
pub fn is_sgf(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('(')
}

#[derive(Clone, Debug)]
enum Token<'a> {
    Open,
    Close,
    Node,
    /// A name and its values, with their escapes.
    Property(&'a str, Vec<&'a str>),
}

fn property_value(text: &str) -> IResult<&str, &str> {
    let part = alt((is_not("\\]"), recognize(preceded(char('\\'), anychar))));
    terminated(delimited(char('['), recognize(many0_count(part)), char(']')), multispace0).parse(text)
}

fn token(text: &str) -> IResult<&str, Token<'_>> {
    let property = pair(terminated(alpha1, multispace0), many1(property_value));
    let token = alt((
        value(Token::Open, char('(')),
        value(Token::Close, char(')')),
        value(Token::Node, char(';')),
        map(property, |(name, values)| Token::Property(name, values)),
    ));
    terminated(token, multispace0).parse(text)
}

/// A node of the main line.
struct Node<'a> {
    /// The line of the file, from 1.
    line: usize,
    properties: Vec<(&'a str, Vec<&'a str>)>,
}

impl Node<'_> {
    /// The values of the property `name`.
    fn values(&self, name: &str) -> &[&str] {
        // Old records have names with lower-case letters between the others: `GaMe`.
        let is_named = |known: &str| known.chars().filter(char::is_ascii_uppercase).eq(name.chars());
        self.properties.iter().find(|(known, _)| is_named(known)).map_or(&[], |(_, values)| values)
    }

    /// The value of the property `name` in one line; `None` without one.
    fn value(&self, name: &str) -> Option<String> {
        self.values(name).first().map(|value| simple_text(value))
    }

    fn error<T>(&self, what: impl ToString) -> Result<T, RecordError> {
        Err(RecordError { line: self.line, what: what.to_string() })
    }
}

/// A value without its escapes and line breaks.
fn simple_text(value: &str) -> String {
    let (mut text, mut is_escaped) = (String::new(), false);
    for character in value.chars() {
        match character {
            '\\' if !is_escaped => is_escaped = true,
            // A line break after `\` only divides the line.
            '\n' | '\r' if is_escaped => is_escaped = false,
            _ => {
                text.push(if character.is_whitespace() { ' ' } else { character });
                is_escaped = false;
            }
        }
    }
    text.trim().into()
}

struct Scanner<'a> {
    rest: &'a str,
    /// The line of the file at which `rest` begins.
    line: usize,
}

impl<'a> Scanner<'a> {
    /// The nodes of the main line of the next game; variations are left out.
    fn main_line(&mut self) -> Result<Vec<Node<'a>>, RecordError> {
        let (mut depth, mut is_main, mut nodes) = (0, true, Vec::<Node<'_>>::new());
        loop {
            let line = self.line;
            let error = |what: NotationError| RecordError { line, what: what.to_string() };
            let Ok((rest, token)) = token(self.rest) else {
                let expected = "expected (, ;, ) or a property such as B[dd]";
                return Err(error(match self.rest {
                    "" => NotationError::message("expected ), got the end of the file"),
                    rest => NotationError::new(expected, rest),
                }));
            };
            match token {
                Token::Open => depth += 1,
                _ if depth == 0 => return Err(error(NotationError::new("expected (;", self.rest))),
                Token::Close => (depth, is_main) = (depth - 1, false),
                Token::Node if is_main => nodes.push(Node { line, properties: Vec::new() }),
                Token::Property(name, values) if is_main => match nodes.last_mut() {
                    Some(node) => node.properties.push((name, values)),
                    None => return Err(error(NotationError::new("expected ; after (", self.rest))),
                },
                Token::Node | Token::Property(..) => {}
            }
            self.line += self.rest[..self.rest.len() - rest.len()].matches('\n').count();
            self.rest = rest;
            if depth == 0 {
                return Ok(nodes);
            }
        }
    }
}

/// Reads the main lines of all games of `text`, of the variant of `initial`. Reading ends at a game whose brackets do not match.
pub fn read<G: Notation>(initial: &G, text: &str) -> Vec<Result<Game<G>, RecordError>> {
    let text = text.trim_start_matches('\u{feff}');
    let rest = text.trim_start();
    let line = 1 + text[..text.len() - rest.len()].matches('\n').count();
    let (mut scanner, mut games) = (Scanner { rest, line }, Vec::new());
    while !scanner.rest.is_empty() {
        let nodes = scanner.main_line();
        let ended = nodes.is_err();
        games.push(nodes.and_then(|nodes| game(initial, &nodes)));
        if ended {
            break;
        }
    }
    games
}

fn square_board(size: usize) -> DropBoard {
    DropBoard { files: size, ranks: size }
}

/// The file and the rank of a point such as `dd`, from 0 at the lower left corner.
fn parse_point(text: &str, size: usize) -> Option<(usize, usize)> {
    let index = |letter: u8| letter.is_ascii_lowercase().then(|| usize::from(letter - b'a'));
    let [file, row] = text.as_bytes() else { return None };
    let (file, row) = (index(*file)?, index(*row)?);
    (file < size && row < size).then(|| (file, size - 1 - row))
}

/// The cells of the board that a value of a setup property names: a point, or a rectangle such as `aa:cc`.
fn cells(text: &str, size: usize) -> Result<Vec<usize>, NotationError> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let corner = |text: &str| parse_point(text.trim(), size);
    let (Some((left, top)), Some((right, bottom))) = (corner(first), corner(last)) else {
        return Err(NotationError::new(format_args!("expected a point of a board of {size}x{size}"), text));
    };
    let ranks = bottom.min(top)..=bottom.max(top);
    Ok(ranks.flat_map(|rank| (left..=right).map(move |file| rank * size + file)).collect())
}

/// A move as the game writes it.
fn move_text(value: &str, size: usize) -> Result<String, NotationError> {
    let text = value.trim();
    if text.is_empty() || text == "tt" && size <= DEFAULT_SIZE {
        return Ok("pass".into());
    }
    let expected = || NotationError::new(format_args!("expected a point of a board of {size}x{size}"), value);
    let (file, rank) = parse_point(text, size).ok_or_else(expected)?;
    let letter = FILES.get(file..=file).ok_or_else(expected)?;
    Ok(format!("{letter}{}", rank + 1))
}

fn parse_size(text: &str) -> Option<usize> {
    let (files, ranks) = text.split_once(':').unwrap_or((text, text));
    let size = files.trim().parse().ok().filter(|size| (2..=FILES.len()).contains(size))?;
    (ranks.trim().parse() == Ok(size)).then_some(size)
}

fn parse_color(text: &str) -> Option<Side> {
    match text.trim().to_ascii_lowercase().as_str() {
        "b" | "1" | "black" => Some(Side::White),
        "w" | "2" | "white" => Some(Side::Black),
        _ => None,
    }
}

/// The values of the game's options that a record names. Rules that the game does not have set nothing.
fn rules<G: Notation>(root: &Node<'_>, komi: Option<f64>) -> OptionValues {
    let mut values = OptionValues::new();
    values.extend(komi.map(|komi| (KOMI, (2.0 * komi) as i64)));
    let wanted = root.value("RU").map(|rules| match rules.to_ascii_lowercase().as_str() {
        "nz" | "new zealand" | "new_zealand" | "tromp_taylor" => "Tromp-Taylor".into(),
        _ => rules,
    });
    let option = G::OPTIONS.iter().find(|option| option.name == RULES);
    if let (Some(GameOptionKind::Combo { choices }), Some(wanted)) =
        (option.map(|option| option.kind), wanted)
    {
        let index = choices.iter().position(|name| name.eq_ignore_ascii_case(&wanted));
        values.extend(index.map(|index| (RULES, index as i64)));
    }
    values
}

/// A move of the main line.
struct PlayedMove {
    line: usize,
    side: Side,
    text: String,
    /// Whether its comment says `book`.
    from_book: bool,
}

/// The stones that stand before the first move, the moves, and where reading ended before the end of the main line.
struct MainLine {
    stones: Vec<Option<Side>>,
    turn: Option<Side>,
    moves: Vec<PlayedMove>,
    cut_off: Option<RecordError>,
}

impl MainLine {
    fn new(nodes: &[Node<'_>], size: usize) -> Result<MainLine, RecordError> {
        let stones = vec![None; size * size];
        let mut main_line = MainLine { stones, turn: None, moves: Vec::new(), cut_off: None };
        for node in nodes {
            let with_line = |error: NotationError| RecordError { line: node.line, what: error.to_string() };
            let setup = [("AB", Some(Side::White)), ("AW", Some(Side::Black)), ("AE", None)];
            let has_setup = setup.iter().any(|(name, _)| !node.values(name).is_empty());
            if has_setup && !main_line.moves.is_empty() {
                let what = "expected no stones that are set up after the first move".into();
                main_line.cut_off = Some(RecordError { line: node.line, what });
                break;
            }
            for (name, stone) in setup {
                for value in node.values(name) {
                    for cell in cells(value, size).map_err(with_line)? {
                        main_line.stones[cell] = stone;
                    }
                }
            }
            main_line.turn = node.value("PL").and_then(|text| parse_color(&text)).or(main_line.turn);
            for (name, side) in [("B", Side::White), ("W", Side::Black)] {
                if let Some(value) = node.values(name).first() {
                    let text = move_text(value, size).map_err(with_line)?;
                    let from_book = node.value("C").is_some_and(|comment| is_book_comment(&comment));
                    main_line.moves.push(PlayedMove { line: node.line, side, text, from_book });
                }
            }
        }
        main_line.set_up_first_stones(size);
        Ok(main_line)
    }

    /// Some programs write the stones of a handicap as Black's first moves.
    fn set_up_first_stones(&mut self, size: usize) {
        let is_stone = |mv: &&PlayedMove| mv.side == Side::White && mv.text != "pass";
        let count = self.moves.iter().take_while(is_stone).count();
        if count >= 2 && self.stones.iter().all(Option::is_none) {
            for mv in self.moves.drain(..count) {
                if let Some(cell) = cell_of(&mv.text, size) {
                    self.stones[cell] = Some(mv.side);
                }
            }
            self.turn = Some(Side::Black);
        }
    }

    /// The side that moves first.
    fn first_side(&self, has_handicap: bool) -> Side {
        let first = self.moves.first().map(|mv| mv.side);
        first.or(self.turn).unwrap_or(if has_handicap { Side::Black } else { Side::White })
    }
}

/// The cell of a move such as `d4`; `None` for a pass.
fn cell_of(text: &str, size: usize) -> Option<usize> {
    let file = text.chars().next().and_then(|letter| FILES.find(letter))?;
    let rank: usize = text.get(1..)?.parse().ok()?;
    Some((rank - 1) * size + file)
}

fn game<G: Notation>(initial: &G, nodes: &[Node<'_>]) -> Result<Game<G>, RecordError> {
    let Some(root) = nodes.first() else {
        return Err(RecordError { line: 1, what: "expected ; after (".into() });
    };
    if initial.variant() != VARIANT || root.value("GM").is_some_and(|number| number != "1") {
        let number = root.value("GM").unwrap_or_else(|| "1".into());
        let expected =
            format_args!("expected a record of {}; SGF has those of {VARIANT}, GM[1]", initial.variant());
        return root.error(NotationError::new(expected, &format!("GM[{number}]")));
    }
    let size = root.value("SZ").unwrap_or_else(|| DEFAULT_SIZE.to_string());
    let Some(size) = parse_size(&size) else {
        let expected = format_args!("SZ: expected the size of a square board, 2 to {}", FILES.len());
        return root.error(NotationError::new(expected, &size));
    };
    let komi = root.value("KM").filter(|text| !text.is_empty());
    let is_valid =
        |komi: &f64| (2.0 * komi).fract() == 0.0 && komi.abs() <= (FILES.len() * FILES.len()) as f64;
    let komi_value = komi.as_ref().and_then(|text| text.parse::<f64>().ok()).filter(is_valid);
    if let (Some(text), None) = (&komi, komi_value) {
        return root.error(NotationError::new("KM: expected a komi in half points like 6.5", text));
    }
    let main_line = MainLine::new(nodes, size)?;
    let has_handicap =
        root.value("HA").is_some_and(|count| count.parse::<u32>().is_ok_and(|count| count >= 2));
    let letter = ["b", "w"][main_line.first_side(has_handicap).index()];
    let ranks = square_board(size).ranks_text(|cell| main_line.stones[cell]);
    let position =
        format!("{ranks} {letter} - 0 {}", komi_value.map(|komi| komi.to_string()).unwrap_or_default());
    let mut start = match initial.parse_position(&position) {
        Ok(parsed) => parsed.game,
        Err(error) => return root.error(error),
    };
    let rules = rules::<G>(root, komi_value);
    start.set_options(&rules);
    let tags = tags(root, &start);
    let result =
        tags.iter().find(|(name, _)| name == "Result").map_or("*".into(), |(_, value)| value.clone());
    let (moves, from_book, cut_off) = (Vec::new(), Vec::new(), main_line.cut_off);
    let mut game =
        Game { line: root.line, tags, start, moves, from_book, rules, result, cut_off, tree: None };
    play(&mut game, &main_line.moves)?;
    Ok(game)
}

/// Plays the moves. If a side moves twice, the other side passes in between.
fn play<G: Notation>(game: &mut Game<G>, moves: &[PlayedMove]) -> Result<(), RecordError> {
    let mut position = game.start.clone();
    for PlayedMove { line, side, text, from_book } in moves {
        let texts = if position.side_to_move() == *side { &[text.as_str()][..] } else { &["pass", text] };
        for text in texts {
            let what = |error| format!("ply {}: {error}", game.moves.len() + 1);
            if position.outcome().is_some() {
                let what = what(NotationError::new("expected no move after the end of the game", text));
                game.cut_off = Some(RecordError { line: *line, what });
                return Ok(());
            }
            let mv = position.parse_move(text);
            let mv = mv.map_err(|error| RecordError { line: *line, what: what(error) })?;
            position.play(mv);
            game.moves.push(mv);
            game.from_book.push(*from_book);
        }
    }
    Ok(())
}

/// The tags that PGN has for the properties of a record.
fn tags<G: Notation>(root: &Node<'_>, start: &G) -> Vec<(String, String)> {
    let named = TAGS.iter().filter_map(|(property, tag)| Some((tag.to_string(), root.value(property)?)));
    let mut tags: Vec<(String, String)> = named.collect();
    let result = root.value("RE").unwrap_or_default();
    let result = match result.get(..2).unwrap_or(&result) {
        "B+" => "1-0",
        "W+" => "0-1",
        "0" | "Dr" | "Ji" => "1/2-1/2",
        _ => "*",
    };
    tags.extend([("Result".into(), result.into()), ("Variant".into(), start.variant().into())]);
    let position = start.position_text();
    if position != start.initial().position_text() {
        tags.extend([("FEN".into(), position), ("SetUp".into(), "1".into())]);
    }
    tags
}

/// Writes a game: the moves with their sides, with the values of the game's options, and the tags that SGF has. `result` is that of
/// the rules if it is `None`, else a resignation.
pub fn record<G: Variant>(
    start: &G,
    played: &[(Side, Move)],
    options: &OptionValues,
    tags: &[(&str, String)],
    result: Option<&str>,
) -> String {
    let position = start.position_text();
    let fields: Vec<&str> = position.split(' ').collect();
    let &[ranks, turn, _, _, komi, ..] = fields.as_slice() else { unreachable!("{position}") };
    let size = ranks.split('/').count();
    let mut stones = square_board(size).parse_ranks(ranks).unwrap_or_default();
    let (mut texts, mut game) = (Vec::new(), start.clone());
    for &(side, mv) in played {
        if game.side_to_move() != side
            && let Some(turned) = game.with_other_turn()
        {
            game = turned;
        }
        texts.push((side, game.move_text(mv)));
        game.play(mv);
    }
    // Black's first stones are those of a handicap.
    let is_stone = |(side, text): &&(Side, String)| *side == Side::White && text != "pass";
    let count = texts.iter().take_while(is_stone).count();
    let is_handicap = count >= 2 && stones.iter().all(Option::is_none);
    for (side, text) in texts.drain(..if is_handicap { count } else { 0 }) {
        if let Some(cell) = cell_of(&text, size) {
            stones[cell] = Some(side);
        }
    }
    let turn = if is_handicap { "w" } else { turn };
    let mut text = format!("{MARK}{}]SZ[{size}]KM[{komi}]", env!("CARGO_PKG_VERSION"));
    let rules = G::OPTIONS.iter().find(|option| option.name == RULES).map(|option| option.kind);
    if let Some(GameOptionKind::Combo { choices }) = rules {
        let index = options.get(RULES).map_or(0, |&index| index as usize);
        text += &format!("RU[{}]", choices.get(index).unwrap_or(&choices[0]));
    }
    for (property, tag) in TAGS {
        let value = tags.iter().find(|(name, value)| *name == tag && value != "?");
        if let Some((_, value)) = value {
            text += &format!("{property}[{}]", value.replace('\\', "\\\\").replace(']', "\\]"));
        }
    }
    let lost_on_time = tags.iter().any(|(name, value)| (*name, value.as_str()) == LOST_ON_TIME);
    text += &result_text(&game, result, if lost_on_time { 'T' } else { 'R' });
    text += &setup_text(&stones, size, turn, is_handicap.then_some(count));
    for (index, (side, mv)) in texts.iter().enumerate() {
        let line = if index % MOVES_PER_LINE == 0 { "\n" } else { "" };
        let point = cell_of(mv, size).map(|cell| point_text(cell, size)).unwrap_or_default();
        write!(text, "{line};{}[{point}]", ["B", "W"][side.index()])
            .expect("writing to a string does not fail");
    }
    text + ")\n"
}

/// The property of the result; nothing while the game goes on. A win in `result` is by resignation (`reason` R) or by the clock (T).
fn result_text<G: Variant>(end: &G, result: Option<&str>, reason: char) -> String {
    let result = match (result, end.outcome_or_claim()) {
        (Some("1-0"), _) => format!("B+{reason}"),
        (Some("0-1"), _) => format!("W+{reason}"),
        (_, Some(Outcome::Points(0) | Outcome::Draw)) => "0".into(),
        (_, Some(Outcome::Points(points))) => {
            let text = units_text(points.abs(), G::SCORE_UNIT);
            format!("{}+{}", if points > 0 { "B" } else { "W" }, text.trim_end_matches(".0"))
        }
        _ => return String::new(),
    };
    format!("RE[{result}]")
}

/// The properties of the stones that are set up, and of the side to move if it is not Black on an empty board.
fn setup_text(stones: &[Option<Side>], size: usize, turn: &str, handicap: Option<usize>) -> String {
    let mut text = handicap.map(|count| format!("HA[{count}]")).unwrap_or_default();
    for (property, side) in [("AB", Side::White), ("AW", Side::Black)] {
        let cells = (0..stones.len()).filter(|&cell| stones[cell] == Some(side));
        let points: String = cells.map(|cell| format!("[{}]", point_text(cell, size))).collect();
        if !points.is_empty() {
            text += &format!("\n{property}{points}");
        }
    }
    if !text.is_empty() || turn != "b" {
        text += &format!("PL[{}]", turn.to_ascii_uppercase());
    }
    text
}

fn point_text(cell: usize, size: usize) -> String {
    let letter = |index: usize| char::from(b'a' + index as u8);
    format!("{}{}", letter(cell % size), letter(size - 1 - cell / size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::with_game;

    /// What a test looks at of a game that was read.
    #[derive(Debug, PartialEq)]
    struct Shown {
        start: String,
        moves: String,
        result: String,
        cut_off: Option<String>,
        from_book: Vec<bool>,
    }

    fn show(text: &str) -> Vec<Result<Shown, String>> {
        with_game!(VARIANT, |start| read(&start, text)
            .into_iter()
            .map(|game| game.map(shown).map_err(|e| e.what))
            .collect())
        .unwrap()
    }

    fn shown<G: Notation>(game: Game<G>) -> Shown {
        let mut position = game.start.clone();
        let mut moves = Vec::new();
        for &mv in &game.moves {
            moves.push(position.move_text(mv));
            position.play(mv);
        }
        let start = game.start.position_text();
        Shown {
            start,
            moves: moves.join(" "),
            result: game.result,
            cut_off: game.cut_off.map(|error| error.what),
            from_book: game.from_book,
        }
    }

    fn only(text: &str) -> Shown {
        let mut games = show(text);
        assert_eq!(games.len(), 1, "{text}");
        games.remove(0).unwrap()
    }

    #[test]
    fn main_line_is_read_with_its_setup() {
        let text = "\u{feff}\n(;GaMe[1]SiZe[5:5]KM[0.50]RU[NZ]PB[a\\]b \\\\ c]RE[W+Resign]C[a (comment\\]; B[aa\\])]\n\
                    AB[ab:bc][ee]AW [cc]PL[W] ;W[dd]C[book](;B[ae](;W[];B[tt])(;W[aa]))(;B[bb];W[cd]))";
        let start = "5/PP3/PP1/5/4P";
        let game = only(text);
        assert_eq!(game.start, format!("{} w - 0 0.5 1", start.replace("PP1/", "PPp2/")));
        assert_eq!(game.moves, "d2 a1 pass pass");
        assert_eq!(game.from_book, [true, false, false, false]);
        assert_eq!((game.result.as_str(), game.cut_off), ("0-1", None));
    }

    #[test]
    fn first_side_follows_from_the_moves_the_setup_or_the_handicap() {
        for (properties, side, moves) in [
            ("", "b", ""),
            ("HA[2]", "w", ""),
            ("PL[W]", "w", ""),
            ("HA[2];B[aa]", "b", "a3"),
            ("PL[B];W[aa]", "w", "a3"),
            (";W[aa];W[bb]", "w", "a3 pass b2"),
            (";B[aa];W[];W[bb]", "b", "a3 pass pass"),
        ] {
            let game = only(&format!("(;SZ[3]{properties})"));
            assert_eq!(game.start.split(' ').nth(1), Some(side), "{properties}");
            assert_eq!(game.moves, moves, "{properties}");
        }
    }

    #[test]
    fn stones_of_a_handicap_may_be_first_moves() {
        let game = only("(;SZ[5];B[bb];B[dd];W[cc];B[])");
        assert_eq!((game.start.as_str(), game.moves.as_str()), ("5/1P3/5/3P1/5 w - 0 7 1", "c3 pass"));
    }

    #[test]
    fn record_goes_on_as_far_as_the_rules_and_the_format_let_it() {
        let game = only("(;SZ[3];B[bb];W[];B[];W[aa])");
        assert_eq!(game.moves, "b2 pass pass");
        assert_eq!(
            game.cut_off.as_deref(),
            Some("ply 4: expected no move after the end of the game, got \"a3\"")
        );
        let game = only("(;SZ[3];B[bb];AW[aa];W[cc])");
        assert_eq!(game.moves, "b2");
        assert!(game.cut_off.is_some_and(|what| what.contains("set up after the first move")));
    }

    #[test]
    fn malformed_record_is_an_error_with_its_line() {
        for (text, what) in [
            ("(", "expected ), got the end of the file"),
            ("(;B[aa]", "expected ), got the end of the file"),
            ("(B[aa])", "expected ; after (, got \"B[aa])\""),
            ("()", "expected ; after ("),
            ("(;B[aa)", "expected (, ;, ) or a property such as B[dd], got \"B[aa)\""),
            ("(;GM[2])", "expected a record of go; SGF has those of go, GM[1], got \"GM[2]\""),
            ("(;SZ[1])", "SZ: expected the size of a square board, 2 to 19, got \"1\""),
            ("(;SZ[9:13])", "SZ: expected the size of a square board, 2 to 19, got \"9:13\""),
            ("(;KM[3.75])", "KM: expected a komi in half points like 6.5, got \"3.75\""),
            ("(;KM[1e9])", "KM: expected a komi in half points like 6.5, got \"1e9\""),
            ("(;SZ[3];B[dd])", "expected a point of a board of 3x3, got \"dd\""),
            ("(;SZ[3]AB[a])", "expected a point of a board of 3x3, got \"a\""),
            ("(;SZ[3]AB[aa:cc])", "expected a liberty for every chain, got \"PPP/PPP/PPP\""),
        ] {
            assert_eq!(show(text), vec![Err(what.into())], "{text}");
        }
        let games = show("(;SZ[3])\n(;SZ[3];B[aa];W[aa])(;SZ[2])junk");
        assert_eq!(games.len(), 4);
        assert!(
            games[1].as_ref().is_err_and(|what| what.starts_with("ply 2: expected pass, or a legal point"))
        );
        assert!(games[3].as_ref().is_err_and(|what| what.contains("\"junk\"")));
    }

    fn check_read_back<G: Variant>(initial: &G, position: &str, moves: &[(Side, &str)], record_begins: &str) {
        let start = initial.parse_position(position).unwrap().game;
        let (mut game, mut played) = (start.clone(), Vec::new());
        for &(side, text) in moves {
            if game.side_to_move() != side {
                game = game.with_other_turn().unwrap();
            }
            let mv = game.parse_move(text).unwrap();
            played.push((side, mv));
            game.play(mv);
        }
        let tags = [("Event", "?".to_string()), ("White", "a]\\".into())];
        let text = record(&start, &played, &OptionValues::from([(RULES, 2)]), &tags, None);
        let rest = text.strip_prefix(MARK).unwrap().split_once(']').unwrap().1;
        assert!(rest.starts_with(record_begins), "{rest}");
        let read = read(initial, &text).remove(0).unwrap();
        let mut end = read.start.clone();
        read.moves.iter().for_each(|&mv| end.play(mv));
        let stones = |game: &G| game.position_text().split(' ').take(2).collect::<Vec<_>>().join(" ");
        assert_eq!(stones(&end), stones(&game), "{text}");
        assert_eq!((read.player(Side::White), read.rules.get(RULES)), ("a]\\", Some(&2)), "{text}");
    }

    #[test]
    fn written_record_is_read_back() {
        use Side::{Black as W, White as B};
        let check = |position, moves: &[(Side, &str)], begins: &str| {
            with_game!(VARIANT, |start| check_read_back(&start, position, moves, begins)).unwrap();
        };
        let head = "SZ[3]KM[0.5]RU[Tromp-Taylor]PB[a\\]\\\\]";
        check("3/3/3 b - 0 0.5", &[(B, "b2"), (W, "c3")], &format!("{head}\n;B[bb];W[ca])"));
        check(
            "3/3/3 b - 0 0.5",
            &[(B, "a1"), (B, "b2"), (W, "c3")],
            &format!("{head}HA[2]\nAB[ac][bb]PL[W]\n;W[ca])"),
        );
        check("3/3/3 b - 0 0.5", &[(B, "b2"), (W, "c3"), (W, "c1")], &format!("{head}\n;B[bb];W[ca];W[cc])"));
        check(
            "3/1P1/3 w - 0 0.5",
            &[(W, "pass"), (B, "pass")],
            &format!("{head}RE[B+8.5]\nAB[bb]PL[W]\n;W[];B[])"),
        );
        check("p2/3/3 b - 0 0.5", &[], &format!("{head}\nAW[aa]PL[B])"));
    }
}
