//! The parser of input lines, with nom: one line gives one [`Command`].
//!
//! Words are separated by ASCII blanks and must match exactly, in lower case as in the standard. Errors are
//! local: an unknown word is skipped, an invalid number is ignored, and a warning reports it.

use super::command::quote_or_nothing;
use super::suggest::hint;
use super::{Command, Go, StartPosition};
use crate::game::{Side, quote};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{digit1, one_of};
use nom::combinator::{all_consuming, eof, map, map_opt, opt, recognize, rest, value, verify};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

/// A command, with warnings about ignored parts of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedCommand {
    /// The command.
    pub command: Command,
    /// One sentence for each ignored part: what was wrong and what happens now.
    pub warnings: Vec<String>,
}

/// The error for a line that is no command: what was expected, what was found, what happens now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The line begins with no command and contains no standard one.
    #[error(
        "unknown command: {} ({}expected a UCI command; \"help\" lists them), ignored",
        quote(.0),
        hint(.0.split_ascii_whitespace().next().unwrap_or(""), COMMANDS.concat())
    )]
    Unknown(String),
    /// The arguments of a command are invalid.
    #[error("{command}: expected {expected}, got {}, command ignored", quote_or_nothing(.got))]
    Expected {
        /// The command.
        command: &'static str,
        /// What was expected.
        expected: &'static str,
        /// What was found.
        got: String,
    },
}

/// The commands of the standard. They are recognised after unknown words too, as the standard demands.
const STANDARD: [&str; 11] = [
    "uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop", "ponderhit",
    "quit",
];

/// The program's own commands. They are recognised only as the first word of a line.
const EXTENSIONS: [&str; 12] =
    ["wait", "d", "eval", "flip", "play", "undo", "turn", "moves", "points", "bench", "genfens", "help"];

/// The first words of all commands: those of the standard, and the program's own.
pub const COMMANDS: [&[&str]; 2] = [&STANDARD, &EXTENSIONS];

pub fn is_command(word: &str) -> bool {
    STANDARD.contains(&word) || EXTENSIONS.contains(&word)
}

/// Parses one line. Returns `None` if it is blank or a comment (`#`).
///
/// # Errors
/// If the line is no command, or if its arguments are invalid.
///
/// # Examples
///
/// ```
/// use duiyi::protocol::{Command, parse};
///
/// let parsed = parse("go depth 12 nodes 1.5")?.unwrap();
/// let Command::Go(go) = parsed.command else { panic!("not a go command") };
/// assert_eq!((go.depth, go.nodes), (Some(12), Some(1)));
/// assert_eq!(parsed.warnings, [r#"go: expected a whole number after "nodes", got "1.5", taken as 1"#]);
///
/// assert_eq!(parse("# a comment")?, None);
/// assert_eq!(
///     parse("debug maybe").unwrap_err().to_string(),
///     r#"debug: expected "on" or "off", got "maybe", command ignored"#,
/// );
/// # Ok::<(), duiyi::protocol::ParseError>(())
/// ```
pub fn parse(line: &str) -> Result<Option<ParsedCommand>, ParseError> {
    let line = trim(line.strip_prefix('\u{feff}').unwrap_or(line));
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let mut warnings = Vec::new();
    let (word, arguments) = keyword(line).ok_or_else(|| ParseError::Unknown(line.into()))?;
    let skipped = trim(&line[..line.len() - arguments.len() - word.len()]);
    if !skipped.is_empty() {
        warnings.push(format!("{} before \"{word}\" is unknown and was ignored", quote(skipped)));
    }
    let command = match word {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "register" => Command::Register,
        "ucinewgame" => Command::UciNewGame,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "wait" => Command::Wait,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "flip" => Command::Flip,
        "moves" => Command::Moves,
        "points" => Command::Points,
        "play" => Command::Play(only_word(arguments).ok_or_else(|| expected("play", "one move", arguments))?),
        "undo" if arguments.is_empty() => Command::Undo(None),
        "undo" => Command::Undo(Some(
            only_word(arguments).ok_or_else(|| expected("undo", "nothing or one move", arguments))?,
        )),
        "turn" => turn(arguments)?,
        "help" => Command::Help,
        "debug" => debug(arguments)?,
        "setoption" => set_option(arguments)?,
        "position" => position(arguments)?,
        "bench" => bench(arguments)?,
        "genfens" => gen_fens(arguments)?,
        _ => go(arguments, &mut warnings)?,
    };
    Ok(Some(ParsedCommand { command, warnings }))
}

fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace()
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

fn blanks(input: &str) -> IResult<&str, &str> {
    take_while(is_blank)(input)
}

fn word(input: &str) -> IResult<&str, &str> {
    preceded(blanks, take_while1(|c| !is_blank(c))).parse(input)
}

fn exact_word<'a>(
    expected: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = nom::error::Error<&'a str>> {
    verify(word, move |found: &str| found == expected)
}

fn words(input: &str) -> Vec<&str> {
    input.split_ascii_whitespace().collect()
}

/// Returns the word of a text that consists of one word.
fn only_word(input: &str) -> Option<String> {
    all_consuming(terminated(word, blanks)).parse(input).ok().map(|(_, found)| found.to_owned())
}

/// Returns the first word if it is a command, else the first standard command, and the text after it.
fn keyword(line: &str) -> Option<(&str, &str)> {
    let (mut tail, first) = word(line).ok()?;
    if EXTENSIONS.contains(&first) {
        return Some((first, tail));
    }
    let mut current = first;
    while !STANDARD.contains(&current) {
        (tail, current) = word(tail).ok()?;
    }
    Some((current, tail))
}

/// The error for the arguments of `command`.
pub fn expected(command: &'static str, expected: &'static str, got: &str) -> ParseError {
    ParseError::Expected { command, expected, got: trim(got).into() }
}

fn debug(input: &str) -> Result<Command, ParseError> {
    let mut switch = alt((value(true, exact_word("on")), value(false, exact_word("off"))));
    match switch.parse(input) {
        Ok((_, on)) => Ok(Command::Debug(on)),
        Err(_) => Err(expected("debug", "\"on\" or \"off\"", input)),
    }
}

fn turn(input: &str) -> Result<Command, ParseError> {
    let mut side = alt((value(Side::White, exact_word("white")), value(Side::Black, exact_word("black"))));
    match side.parse(input) {
        Ok((_, side)) => Ok(Command::Turn(side)),
        Err(_) => Err(expected("turn", "\"white\" or \"black\"", input)),
    }
}

fn set_option(input: &str) -> Result<Command, ParseError> {
    let (tail, _) = exact_word("name").parse(input).map_err(|_| expected("setoption", "\"name\"", input))?;
    let (name, value) = split_at_word(tail, "value");
    let name = words(name).join(" ");
    if name.is_empty() {
        return Err(expected("setoption", "an option's name after \"name\"", tail));
    }
    Ok(Command::SetOption { name, value: value.map(|value| trim(value).to_owned()) })
}

fn split_at_word<'a>(input: &'a str, at: &str) -> (&'a str, Option<&'a str>) {
    let mut tail = input;
    while let Ok((after, found)) = word(tail) {
        if found == at {
            return (&input[..input.len() - after.len() - found.len()], Some(after));
        }
        tail = after;
    }
    (input, None)
}

fn position(input: &str) -> Result<Command, ParseError> {
    let (setup, moves) = split_at_word(input, "moves");
    let start = value(StartPosition::Start, terminated(exact_word("startpos"), (blanks, eof)));
    let fen = map(preceded(exact_word("fen"), rest), |text: &str| StartPosition::Fen(words(text).join(" ")));
    let setup = match alt((start, fen)).parse(setup) {
        Ok((_, StartPosition::Fen(text))) if text.is_empty() => {
            return Err(expected("position", "a position after \"fen\"", ""));
        }
        Ok((_, setup)) => setup,
        Err(_) => match exact_word("startpos").parse(setup) {
            Ok((tail, _)) => {
                return Err(expected("position", "\"moves\" or nothing after \"startpos\"", tail));
            }
            Err(_) => return Err(expected("position", "\"startpos\" or \"fen\"", input)),
        },
    };
    let moves = moves.map_or_else(Vec::new, |moves| words(moves).into_iter().map(str::to_owned).collect());
    Ok(Command::Position { setup, moves })
}

fn bench(input: &str) -> Result<Command, ParseError> {
    let number =
        || opt(map(verify(preceded(blanks, integer), |&n| n >= 0), |n| n.min(u32::MAX.into()) as u32));
    match terminated((number(), number()), (blanks, eof)).parse(input) {
        Ok((_, (depth, hash))) => Ok(Command::Bench { depth, hash }),
        Err(_) => Err(expected("bench", "nothing, or a depth, or a depth and a table size in MiB", input)),
    }
}

/// Words after the book are ignored: the caller may append arguments of its own.
fn gen_fens(input: &str) -> Result<Command, ParseError> {
    let number = || preceded(blanks, map_opt(integer, |n| u64::try_from(n).ok()));
    let book = opt(preceded(exact_word("book"), word));
    match (number(), preceded(exact_word("seed"), number()), book).parse(input) {
        Ok((_, (count, seed, book))) => {
            let book = book.filter(|&book| book != "None").map(str::to_owned);
            Ok(Command::GenFens { count, seed, book })
        }
        Err(_) => Err(expected("genfens", "\"N seed S book B\" with numbers N and S", input)),
    }
}

/// The sub-commands of `go`, except those with a number ([`Go::numbers`]).
const GO_WORDS: [&str; 5] = ["searchmoves", "banmoves", "ponder", "infinite", "perft"];

/// Every sub-command of `go`.
pub fn go_words() -> Vec<&'static str> {
    Go::default().numbers().into_iter().map(|(word, _)| word).chain(GO_WORDS).collect()
}

/// The largest depth of `go perft`. Perft recurses once per ply, so this bounds the stack; no count that deep ends.
const PERFT_MAX: i64 = 99;

fn go(input: &str, warnings: &mut Vec<String>) -> Result<Command, ParseError> {
    let mut go = Go::default();
    let (mut unknown, mut invalid) = (Vec::<&str>::new(), Vec::new());
    let mut perft = None;
    let known = go_words();
    let mut tokens = input.split_ascii_whitespace().peekable();
    while let Some(token) = tokens.next() {
        match token {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" | "banmoves" => {
                let moves = if token == "searchmoves" { &mut go.searchmoves } else { &mut go.banmoves };
                while let Some(mv) = tokens.next_if(|token| !known.contains(token)) {
                    moves.push(mv.to_owned());
                }
            }
            "perft" => {
                let text = tokens.next().unwrap_or("");
                let depth = parse_integer(text).filter(|depth| (0..=PERFT_MAX).contains(depth));
                perft = Some(depth.ok_or_else(|| expected("go perft", "a depth from 0 to 99", text))? as u32);
            }
            _ => match go.numbers().into_iter().find(|(word, _)| *word == token) {
                None => unknown.push(token),
                Some((word, slot)) => {
                    let text = tokens.next_if(|token| !known.contains(token)).unwrap_or("");
                    match number(word, text, warnings) {
                        Some(number) => *slot = Some(number),
                        None => invalid.push((word, text.to_owned())),
                    }
                }
            },
        }
    }
    if !unknown.is_empty() {
        warnings.push(format!("go: unknown {}, ignored", quote(&unknown.join(" "))));
    }
    go.invalid = invalid;
    Ok(perft.map_or(Command::Go(go), Command::Perft))
}

/// Reads the number after a sub-command of `go`. A fraction is truncated, with a warning.
pub fn number(word: &str, text: &str, warnings: &mut Vec<String>) -> Option<i64> {
    if let Some(number) = parse_integer(text) {
        return Some(number);
    }
    let fraction = terminated(integer, (tag::<_, &str, nom::error::Error<&str>>("."), digit1));
    let cut = all_consuming(fraction).parse(text).ok().map(|(_, number)| number)?;
    let got = quote_or_nothing(text);
    warnings.push(format!("go: expected a whole number after \"{word}\", got {got}, taken as {cut}"));
    Some(cut)
}

fn parse_integer(text: &str) -> Option<i64> {
    all_consuming(integer).parse(text).ok().map(|(_, number)| number)
}

/// Reads decimal digits with an optional sign. A number out of range is clamped to the range of `i64`.
fn integer(input: &str) -> IResult<&str, i64> {
    let (tail, text) = recognize((opt(one_of("+-")), digit1)).parse(input)?;
    let extreme = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Ok((tail, text.parse().unwrap_or(extreme)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn command(line: &str) -> Command {
        let parsed = parse(line).unwrap().unwrap();
        assert_eq!(parsed.warnings, Vec::<String>::new(), "{line}");
        parsed.command
    }

    /// Returns the command and the number of warnings.
    fn with_warnings(line: &str) -> (Command, usize) {
        let parsed = parse(line).unwrap().unwrap();
        (parsed.command, parsed.warnings.len())
    }

    fn option(name: &str, value: Option<&str>) -> Command {
        Command::SetOption { name: name.into(), value: value.map(Into::into) }
    }

    fn position(setup: &str, moves: &[&str]) -> Command {
        let setup = if setup.is_empty() { StartPosition::Start } else { StartPosition::Fen(setup.into()) };
        Command::Position { setup, moves: moves.iter().map(|mv| mv.to_string()).collect() }
    }

    #[test]
    fn parse_of_blank_lines_and_comments_gives_none() {
        for line in ["", "   ", "\t\r", "# x", "\u{feff}", " # go"] {
            assert_eq!(parse(line), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn commands_match_whole_lower_case_words() {
        for line in ["xuci", "UCI", "uci\0", "foo bar baz", "Go depth 3", "\0\0", "joho d", "stop!"] {
            assert_eq!(parse(line), Err(ParseError::Unknown(line.into())), "{line:?}");
        }
        assert_eq!(command("\u{feff}uci"), Command::Uci);
        assert_eq!(command("\t isready \t\r"), Command::IsReady);
        assert_eq!(command("isready now please"), Command::IsReady);
        assert_eq!(with_warnings("joho debug on"), (Command::Debug(true), 1));
        assert_eq!(with_warnings("xuci uci"), (Command::Uci, 1));
        assert_eq!(command("\t debug \t on"), Command::Debug(true));
        assert_eq!(command("d"), Command::Display);
    }

    #[test]
    fn setoption_splits_name_and_value() {
        assert_eq!(command("setoption name   Clear    Hash  "), option("Clear Hash", None));
        assert_eq!(command("setoption name Hash value 32"), option("Hash", Some("32")));
        assert_eq!(command("setoption name Hash value "), option("Hash", Some("")));
        let spaced = "setoption name Debug Log File value  /tmp/a  b/value c.log ";
        assert_eq!(command(spaced), option("Debug Log File", Some("/tmp/a  b/value c.log")));
        for line in ["setoption", "setoption name", "setoption value 3", "setoption name value 3"] {
            assert!(matches!(parse(line), Err(ParseError::Expected { .. })), "{line}");
        }
    }

    #[test]
    fn position_splits_setup_and_moves() {
        assert_eq!(command("position startpos"), position("", &[]));
        assert_eq!(command("position startpos moves"), position("", &[]));
        assert_eq!(command("position  startpos moves  e2e4   e7e5 "), position("", &["e2e4", "e7e5"]));
        assert_eq!(command("position fen a  b moves c"), position("a b", &["c"]));
        assert_eq!(command("position fen startpos"), position("startpos", &[]));
        for line in [
            "position",
            "position moves e2e4",
            "position startpos e2e4",
            "position fen",
            "position fen moves e2e4",
            "position e2e4",
        ] {
            assert!(matches!(parse(line), Err(ParseError::Expected { .. })), "{line}");
        }
    }

    #[test]
    fn go_reads_limits() {
        let go = |go: Go| Command::Go(go);
        assert_eq!(command("go"), go(Go::default()));
        let moves = vec!["a2a3".to_owned(), "h2h4".to_owned()];
        let two = Go { depth: Some(2), searchmoves: moves, ..Go::default() };
        assert_eq!(command("go depth 2 searchmoves a2a3 h2h4"), go(two.clone()));
        assert_eq!(command("go searchmoves a2a3 h2h4 depth 2"), go(two));
        let clock = Go { wtime: Some(-5), btime: Some(1000), ponder: true, ..Go::default() };
        assert_eq!(command("go ponder wtime -5 btime +1000"), go(clock));
        let huge = Go { nodes: Some(i64::MAX), winc: Some(i64::MIN), ..Go::default() };
        assert_eq!(command("go nodes 99999999999999999999 winc -99999999999999999999"), go(huge));
        let four = Go { depth: Some(4), ..Go::default() };
        assert_eq!(with_warnings("go banana 5 depth 4"), (go(four.clone()), 1));
        let nothing = vec![("movetime", String::new())];
        assert_eq!(command("go movetime depth 4"), go(Go { invalid: nothing, ..four }));
        let abc = vec![("depth", "abc".to_owned())];
        assert_eq!(command("go depth abc"), go(Go { invalid: abc, ..Go::default() }));
        assert_eq!(command("go depth abc wtime").to_string(), "go depth abc wtime");
        assert_eq!(with_warnings("go movetime 100.5"), (go(Go { movetime: Some(100), ..Go::default() }), 1));
        assert_eq!(command("go depth 3 depth 5"), go(Go { depth: Some(5), ..Go::default() }));
        assert_eq!(command("go perft 5"), Command::Perft(5));
        assert!(
            parse("go perft").is_err() && parse("go perft abc").is_err() && parse("go perft -1").is_err()
        );
    }

    #[test]
    fn errors_name_expected_and_found() {
        let message = |line: &str| parse(line).unwrap_err().to_string();
        assert_eq!(message("debug joho"), "debug: expected \"on\" or \"off\", got \"joho\", command ignored");
        assert_eq!(
            message("position"),
            "position: expected \"startpos\" or \"fen\", got nothing, command ignored"
        );
        for line in ["play", "play e2e4 e7e5", "undo a b", "turn", "turn w"] {
            assert!(matches!(parse(line), Err(ParseError::Expected { .. })), "{line}");
        }
        assert!(message(&"x".repeat(1 << 20)).len() < 200);
    }

    fn commands() -> impl Strategy<Value = Command> {
        let number = || proptest::option::of(any::<i64>());
        let clock = (number(), number(), number(), number(), number());
        let limits = (number(), number(), number(), number());
        let moves = || proptest::collection::vec("[a-j][0-9]{1,2}[a-j][0-9]{1,2}[nbrq]?", 0..5);
        let search = (clock, limits, any::<bool>(), any::<bool>(), moves(), moves()).prop_map(
            |(
                (wtime, btime, winc, binc, movestogo),
                (depth, nodes, mate, movetime),
                ponder,
                infinite,
                searchmoves,
                banmoves,
            )| {
                Command::Go(Go {
                    searchmoves,
                    banmoves,
                    ponder,
                    wtime,
                    btime,
                    winc,
                    binc,
                    movestogo,
                    depth,
                    nodes,
                    mate,
                    movetime,
                    infinite,
                    invalid: Vec::new(),
                })
            },
        );
        let setup = prop_oneof![
            Just(StartPosition::Start),
            "[a-zA-Z1-9/]{1,30} [wb] -".prop_map(StartPosition::Fen),
        ];
        let option =
            ("[A-Z][a-z_]{1,8}( [A-Z][a-z]{1,8}){0,2}", proptest::option::of("([!-~]([ -~]{0,9}[!-~])?)?"));
        prop_oneof![
            search,
            (setup, moves()).prop_map(|(setup, moves)| Command::Position { setup, moves }),
            option.prop_map(|(name, value)| Command::SetOption { name, value }),
            any::<bool>().prop_map(Command::Debug),
            (0..100u32).prop_map(Command::Perft),
            (0..100u32, proptest::option::of(0..999u32))
                .prop_map(|(depth, hash)| Command::Bench { depth: Some(depth), hash }),
            "[a-j][0-9]{1,2}".prop_map(Command::Play),
            proptest::option::of("[a-j][0-9]{1,2}").prop_map(Command::Undo),
            prop_oneof![Just(Side::White), Just(Side::Black)].prop_map(Command::Turn),
            (0..100u64, any::<u32>(), proptest::option::of("[a-z/.]{1,9}"))
                .prop_map(|(count, seed, book)| Command::GenFens { count, seed: seed.into(), book }),
            prop_oneof![
                Just(Command::Uci),
                Just(Command::IsReady),
                Just(Command::Register),
                Just(Command::UciNewGame),
                Just(Command::Stop),
                Just(Command::PonderHit),
                Just(Command::Quit),
                Just(Command::Wait),
                Just(Command::Display),
                Just(Command::Eval),
                Just(Command::Flip),
                Just(Command::Moves),
                Just(Command::Points),
                Just(Command::Help),
            ],
        ]
    }

    proptest! {
        #[test]
        fn formatted_command_parses_to_itself(command in commands()) {
            let parsed = parse(&command.to_string()).unwrap().unwrap();
            prop_assert_eq!(parsed, ParsedCommand { command, warnings: Vec::new() });
        }

        #[test]
        fn any_text_parses_without_panic(line in ".*") {
            let _ = parse(&line);
        }

        #[test]
        fn any_words_parse_with_short_messages(
            words in proptest::collection::vec(
                prop_oneof![
                    proptest::sample::select(&STANDARD[..]), proptest::sample::select(&EXTENSIONS[..]),
                    proptest::sample::select(vec!["name", "value", "fen", "moves", "startpos", "depth", "searchmoves",
                        "perft", "wtime", "1", "-3", "x", "\0", "é", "9999999999999999999999", "1.5"]),
                ],
                0..12,
            )
        ) {
            match parse(&words.join(" ")) {
                Ok(Some(parsed)) => prop_assert!(parsed.warnings.iter().all(|warning| warning.len() < 800)),
                Ok(None) => prop_assert!(words.is_empty()),
                Err(error) => prop_assert!(error.to_string().len() < 800),
            }
        }
    }
}
