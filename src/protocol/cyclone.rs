//! UCI-Cyclone, the UCI of xiangqi programs: xiangqi is the only game, and ranks count from 0, as in `h2e2` and `h9g7`. Also
//! what UCCI shares with it.
//!
//! Moves are translated here. The server has those of UCI, whose ranks count from 1, as in `h3e3` and `h10g8`.

use super::dialect::{Dialect, Request};
use super::parse::ParseError;
use super::uci::Uci;
use super::{Command, Go, Reply};
use crate::game::quote;

/// The words with which a client that speaks this protocol begins, or goes on after `uci`.
pub const FIRST_WORDS: [&str; 3] = ["ucicyclone", "startpos", "fen"];

/// The first words of lines that UCI does not have.
pub const COMMANDS: [&str; 4] = ["ucicyclone", "startpos", "fen", "newgame"];

const OPTIONS_OF_OTHER_GAMES: [&str; 11] = [
    "UCI_Variant", "UCI_Chess960", "Go Rules", "Komi Half Points", "OwnBook", "BookFile", "BookDepth",
    "SyzygyPath", "SyzygyProbeDepth", "SyzygyProbeLimit", "Syzygy50MoveRule",
];

#[derive(Debug, Default)]
pub struct Cyclone {
    /// Whether xiangqi was set.
    has_begun: bool,
}

impl Dialect for Cyclone {
    fn read(&mut self, line: &str) -> Vec<Request> {
        let line = line.trim_start_matches('\u{feff}').trim_start();
        let requests = match line.split_ascii_whitespace().next().unwrap_or("") {
            // Its client goes on with `uci`.
            "ucicyclone" => Vec::new(),
            "newgame" => vec![Request::Command(Command::UciNewGame)],
            "startpos" | "fen" => Uci.read(&format!("position {line}")),
            _ => Uci.read(line),
        };
        begin(&mut self.has_begun, translated(requests))
    }

    fn write(&mut self, reply: &Reply) -> Option<String> {
        match reply {
            Reply::Variant { .. } | Reply::Board(_) => None,
            Reply::Option(option) if is_of_other_games(option.name) => None,
            Reply::Raw(text) => Some(with_ranks_from_zero(&with_labels_from_zero(text))),
            reply => Some(with_ranks_from_zero(&reply.to_string())),
        }
    }
}

/// Sets xiangqi before the first requests of a session.
pub fn begin(has_begun: &mut bool, requests: Vec<Request>) -> Vec<Request> {
    let set_game = || Command::SetOption { name: "UCI_Variant".into(), value: Some("xiangqi".into()) };
    let first = (!std::mem::replace(has_begun, true)).then(|| Request::Command(set_game()));
    first.into_iter().chain(requests).collect()
}

/// Whether the option `name` means nothing in xiangqi.
pub fn is_of_other_games(name: &str) -> bool {
    OPTIONS_OF_OTHER_GAMES.iter().any(|other| other.eq_ignore_ascii_case(name))
}

/// The requests of a client whose ranks count from 0, as the server reads them.
pub fn translated(requests: Vec<Request>) -> Vec<Request> {
    requests.into_iter().map(translate).collect()
}

fn translate(request: Request) -> Request {
    let moves = |moves: Vec<String>| moves.iter().map(|mv| with_ranks_from_one(mv)).collect();
    match request {
        Request::Command(Command::Position { setup, moves: played }) => {
            Request::Command(Command::Position { setup, moves: moves(played) })
        }
        Request::Command(Command::Play(mv)) => Request::Command(Command::Play(with_ranks_from_one(&mv))),
        Request::Command(Command::Undo(Some(mv))) => {
            Request::Command(Command::Undo(Some(with_ranks_from_one(&mv))))
        }
        Request::Command(Command::Go(go)) => {
            let (searchmoves, banmoves) = (moves(go.searchmoves), moves(go.banmoves));
            Request::Command(Command::Go(Go { searchmoves, banmoves, ..go }))
        }
        Request::Command(Command::SetOption { name, .. }) if is_of_other_games(&name) => {
            let text = format!("no such option in xiangqi: {}, ignored", quote(&name));
            Request::Reply(Reply::InfoString(text))
        }
        Request::Reply(Reply::InfoString(text)) => Request::Reply(Reply::InfoString(as_written(&text))),
        Request::Error(ParseError::Unknown(text)) => Request::Error(ParseError::Unknown(as_written(&text))),
        Request::Error(ParseError::Expected { command, expected, got }) => {
            Request::Error(ParseError::Expected { command, expected, got: as_written(&got) })
        }
        request => request,
    }
}

/// Begins a word that [`with_ranks_from_zero`] leaves as it is. The server knows no move that begins with it.
const AS_WRITTEN: char = '?';

/// A move like `h9g7` as `h10g8`. A text of another form becomes one that is no move.
fn with_ranks_from_one(mv: &str) -> String {
    let lower = mv.to_ascii_lowercase();
    let &[from_file @ b'a'..=b'i', from @ b'0'..=b'9', to_file @ b'a'..=b'i', to @ b'0'..=b'9'] =
        lower.as_bytes()
    else {
        return format!("{AS_WRITTEN}{mv}");
    };
    let square = |file: u8, rank: u8| format!("{}{}", char::from(file), rank - b'0' + 1);
    square(from_file, from) + &square(to_file, to)
}

/// A text in which each move like `h10g8` is written as `h9g7`. No other word of a reply has the form of a move.
pub fn with_ranks_from_zero(text: &str) -> String {
    map_words(text, |word| word.strip_prefix(AS_WRITTEN).map(str::to_owned).or_else(|| move_from_zero(word)))
}

/// A text in which the ranks of a diagram count from 0 as those of moves do.
pub fn with_labels_from_zero(text: &str) -> String {
    let relabelled = |line: &str| {
        let (label, cells) = line.trim_start().split_once(' ')?;
        let is_diagram = cells.split(' ').take(9).all(|cell| cell.len() == 1);
        let rank = label.parse::<u32>().ok().filter(|rank| is_diagram && (1..=10).contains(rank))?;
        Some(format!("{:>2} {cells}", rank - 1))
    };
    let lines = text.split('\n').map(|line| relabelled(line).unwrap_or_else(|| line.to_owned()));
    lines.collect::<Vec<_>>().join("\n")
}

/// A text that [`with_ranks_from_zero`] turns back into `text`.
fn as_written(text: &str) -> String {
    let is_changed = |word: &str| word.starts_with(AS_WRITTEN) || move_from_zero(word).is_some();
    map_words(text, |word| is_changed(word).then(|| format!("{AS_WRITTEN}{word}")))
}

fn map_words(text: &str, map: impl Fn(&str) -> Option<String>) -> String {
    const ENDS: [char; 6] = [' ', '\n', '"', ':', ',', ';'];
    let replace = |piece: &str| {
        let word = piece.trim_end_matches(ENDS);
        map(word).map_or_else(|| piece.to_owned(), |new| new + &piece[word.len()..])
    };
    text.split_inclusive(ENDS).map(replace).collect()
}

/// A move like `h10g8` as `h9g7`; `None` if the text has another form.
fn move_from_zero(mv: &str) -> Option<String> {
    let square = |text: &str| {
        let (file, rank) = text.split_at_checked(1)?;
        let rank_from_zero = (0..10).find(|from_zero| rank == (from_zero + 1).to_string())?;
        ("a"..="i").contains(&file).then(|| format!("{file}{rank_from_zero}"))
    };
    let second = mv.char_indices().skip(1).find(|(_, letter)| letter.is_ascii_alphabetic())?.0;
    Some(square(&mv[..second])? + &square(&mv[second..])?)
}

#[cfg(test)]
mod tests {
    use super::super::dialect;
    use super::*;

    /// What `lines` ask of the server, as text.
    fn requests(lines: &[&str]) -> Vec<String> {
        dialect::requests(&mut Cyclone { has_begun: true }, lines)
    }

    #[test]
    fn every_move_is_translated_there_and_back() {
        for (from_zero, from_one) in
            [("h2e2", "h3e3"), ("h9g7", "h10g8"), ("a0i9", "a1i10"), ("I9A0", "i10a1")]
        {
            assert_eq!(with_ranks_from_one(from_zero), from_one);
            assert_eq!(with_ranks_from_zero(from_one), from_zero.to_ascii_lowercase());
        }
        for text in ["", "h2", "h2e", "h10e2", "h10g8", "j0a0", "h2-e2", "h2e2x", "é2e2", "?"] {
            assert_eq!(with_ranks_from_one(text), format!("?{text}"));
            assert_eq!(with_ranks_from_zero(&with_ranks_from_one(text)), text);
        }
        for text in ["", "h2", "h0e1", "h1e11", "h01e2", "h+1e2", "j1a1", "rnbakabnr", "1c5c1", "é1é2", "hé1"]
        {
            assert_eq!(with_ranks_from_zero(text), text);
        }
    }

    #[test]
    fn only_moves_of_a_text_are_translated() {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        let text = format!("h3e3: 1\na1a10 got \"h10g8\", a4b5; {fen}");
        let expected = format!("h2e2: 1\na0a9 got \"h9g7\", a3b4; {fen}");
        assert_eq!(with_ranks_from_zero(&text), expected);
        assert_eq!(with_ranks_from_zero(&as_written(&text)), text);
        assert_eq!(with_ranks_from_zero(&as_written("?h3e3 ?")), "?h3e3 ?");
    }

    #[test]
    fn moves_of_commands_are_translated() {
        let mut cyclone = Cyclone::default();
        let first = Command::SetOption { name: "UCI_Variant".into(), value: Some("xiangqi".into()) };
        assert_eq!(cyclone.read("ucicyclone"), [Request::Command(first)]);
        assert_eq!(cyclone.read("ucicyclone"), []);
        for (line, expected) in [
            ("position startpos moves h2e2 h9g7", "position startpos moves h3e3 h10g8"),
            ("startpos moves H2E2 h10g8", "position startpos moves h3e3 ?h10g8"),
            ("\u{feff} fen x y moves a0a1", "position fen x y moves a1a2"),
            ("startpos", "position startpos"),
            ("go depth 3 searchmoves h2e2 banmoves a9a8 x", "go depth 3 searchmoves h3e3 banmoves a10a9 ?x"),
            ("newgame", "ucinewgame"),
            ("play h2e2", "play h3e3"),
            ("undo h2e2", "undo h3e3"),
            (
                "setoption name uci_variant value chess",
                "info string no such option in xiangqi: \"uci_variant\", ignored",
            ),
        ] {
            assert_eq!(requests(&[line]), [expected], "{line}");
        }
    }

    #[test]
    fn errors_quote_what_the_client_wrote() {
        for (line, got) in [("h3e3", "\"h3e3\""), ("position h3e3", "got \"h3e3\"")] {
            let [error] = &requests(&[line])[..] else { panic!("expected one error") };
            assert!(with_ranks_from_zero(error).contains(got), "{error}");
        }
        let [warning, _] = &requests(&["go h3e3 depth 1"])[..] else { panic!("expected a warning") };
        assert!(with_ranks_from_zero(warning).contains("\"h3e3\""), "{warning}");
    }
}
