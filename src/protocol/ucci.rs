//! UCCI 3.0, the protocol of xiangqi GUIs such as XQWizard (<https://www.xqbase.com/protocol/cchess_ucci.htm>).

use super::cyclone::{begin, is_of_other_games, translated, with_labels_from_zero, with_ranks_from_zero};
use super::dialect::{Dialect, Request, split_word};
use super::parse::{self, ParseError, expected};
use super::reply::prefixed;
use super::uci::Uci;
use super::{Command, Go, OptionKind, Reply, Score, UciOption};
use crate::game::quote;
use std::collections::VecDeque;

/// The word with which a client that speaks this protocol begins.
pub const FIRST_WORD: &str = "ucci";

/// The first words of lines that UCI does not have.
pub const COMMANDS: [&str; 4] = ["ucci", "uccinewgame", "banmoves", "probe"];

/// The options of UCCI that are kept here or stand for a command.
const OWN_OPTIONS: &str = "option usemillisec type check default true
option batch type check default false
option debug type check default false
option newgame type button";

/// The options of UCCI that the program does not have. GUIs set them without being asked, so they are no errors.
const MISSING_OPTIONS: [&str; 16] = [
    "bookfiles", "drawmoves", "egtbpaths", "evalapi", "idle", "knowledge", "loadbook", "promotion",
    "pruning", "randomness", "repetition", "selectivity", "style", "usebook", "useegtb", "usehash",
];

/// The sub-commands of `go` with a number.
const GO_NUMBERS: [&str; 8] =
    ["depth", "nodes", "time", "increment", "movestogo", "opptime", "oppincrement", "oppmovestogo"];
const GO_WORDS: [&str; 3] = ["ponder", "draw", "infinite"];

/// The score of a mate now; one less for each ply to the mate. The numbers are those of the engine ElephantEye.
const MATE: i32 = 10_000;
/// The largest score that is no mate.
const MAX_SCORE: i32 = 9_799;

#[derive(Debug, Default)]
pub struct Ucci {
    /// Whether xiangqi was set.
    has_begun: bool,
    /// `usemillisec false`: the times of `go` are in seconds.
    in_seconds: bool,
    /// `batch true`: lines wait for the end of a search with a limit, even `stop` and `quit`.
    batch: bool,
    banned: Vec<String>,
    /// The searches that have not ended: whether the client offers a draw in each.
    searches: VecDeque<bool>,
    /// The score of the running search.
    score: Option<Score>,
}

impl Dialect for Ucci {
    fn read(&mut self, line: &str) -> Vec<Request> {
        let line = line.trim_start_matches('\u{feff}').trim();
        let (word, arguments) = split_word(line);
        let requests = match word {
            "ucci" => vec![Request::Command(Command::Uci)],
            "uccinewgame" => vec![Request::Command(Command::UciNewGame)],
            "setoption" => self.set_option(arguments).into_iter().collect(),
            "banmoves" => {
                self.banned.extend(arguments.split_ascii_whitespace().map(str::to_owned));
                Vec::new()
            }
            // A `pophash` without a record is a valid answer.
            "probe" => vec![Request::Reply(Reply::Raw("pophash".into()))],
            "stop" if self.searches.is_empty() => {
                vec![Request::Command(Command::Stop), Request::Reply(Reply::Raw("nobestmove".into()))]
            }
            "go" if !arguments.starts_with("perft") => self.go(arguments),
            _ => {
                match (word, arguments) {
                    ("position", _) => self.banned.clear(),
                    ("ponderhit", "draw") => {
                        self.searches.front_mut().into_iter().for_each(|draw| *draw = true)
                    }
                    _ => {}
                }
                let known = |request| match request {
                    Request::Error(ParseError::Unknown(text)) => Request::Reply(Reply::InfoString(format!(
                        "unknown command: {} (expected a command of UCCI), ignored",
                        quote(&text)
                    ))),
                    request => request,
                };
                Uci.read(line).into_iter().map(known).collect()
            }
        };
        begin(&mut self.has_begun, translated(requests))
    }

    fn write(&mut self, reply: &Reply) -> Option<String> {
        let text = match reply {
            Reply::Option(option) if is_hidden(option.name) => return None,
            Reply::Option(option) => option_line(option),
            Reply::UciOk => format!("{OWN_OPTIONS}\nucciok"),
            // There is no field for the rank of a line.
            Reply::Info(info) if info.multipv > 1 => return None,
            Reply::Info(info) => {
                self.score = Some(info.score);
                let (score, pv) = (number(info.score), info.pv.join(" "));
                format!(
                    "info depth {} score {score} nodes {} time {} pv {pv}",
                    info.depth, info.nodes, info.time
                )
            }
            Reply::NoLegalMoves { score, .. } => format!("info depth 0 score {}", number(*score)),
            Reply::CurrMove { mv, .. } => format!("info currmove {mv}"),
            Reply::InfoString(text) => prefixed("info message", text),
            Reply::Variant { .. } | Reply::Board(_) | Reply::Done { .. } => return None,
            Reply::BestMove { best, ponder, .. } => {
                let is_offered = self.searches.pop_front().unwrap_or(false);
                // A draw is accepted unless the own side is better.
                let is_agreed = self.score.take().is_some_and(|score| number(score) <= 0) && is_offered;
                match best {
                    None => "nobestmove".into(),
                    Some(best) => {
                        let ponder = ponder.iter().map(|mv| format!(" ponder {mv}")).collect::<String>();
                        format!("bestmove {best}{ponder}{}", if is_agreed { " draw" } else { "" })
                    }
                }
            }
            Reply::Raw(text) => with_labels_from_zero(text),
            Reply::IdName(_) | Reply::IdAuthor(_) | Reply::ReadyOk => reply.to_string(),
        };
        Some(with_ranks_from_zero(&text))
    }

    fn acts_at_once(&self, _line: &str) -> bool {
        !self.batch
    }

    fn farewell(&self) -> Option<String> {
        Some("bye".into())
    }
}

impl Ucci {
    /// Sets an option of UCCI, or asks the server to.
    fn set_option(&mut self, arguments: &str) -> Option<Request> {
        let (name, value) = split_word(arguments);
        let is_switch = ["usemillisec", "batch", "debug", "ponder"]
            .iter()
            .any(|switch| name.eq_ignore_ascii_case(switch));
        let is_on = match value.to_ascii_lowercase().as_str() {
            "on" | "true" => true,
            "off" | "false" => false,
            _ if is_switch => return Some(Request::Error(expected("setoption", "on or off", arguments))),
            _ => false,
        };
        let set = |name: &str, value: &str| {
            Some(Request::Command(Command::SetOption { name: name.into(), value: Some(value.into()) }))
        };
        match name.to_ascii_lowercase().as_str() {
            "" => Some(Request::Error(expected("setoption", "an option and its value", arguments))),
            "usemillisec" => {
                self.in_seconds = !is_on;
                None
            }
            "batch" => {
                self.batch = is_on;
                None
            }
            "debug" => Some(Request::Command(Command::Debug(is_on))),
            "newgame" => Some(Request::Command(Command::UciNewGame)),
            // The engine may choose: it keeps what it has.
            "hashsize" | "threads" if value == "0" => None,
            "hashsize" => set("Hash", value),
            "ponder" => set("Ponder", if is_on { "true" } else { "false" }),
            name if MISSING_OPTIONS.contains(&name) => None,
            _ if is_hidden(name) => {
                Some(Request::Reply(Reply::InfoString(format!("no such option: {}, ignored", quote(name)))))
            }
            _ => set(name, value),
        }
    }

    fn go(&mut self, arguments: &str) -> Vec<Request> {
        let unit = if self.in_seconds { 1000 } else { 1 };
        let mut go = Go { banmoves: self.banned.clone(), ..Go::default() };
        let (mut warnings, mut unknown, mut offers_draw) = (Vec::new(), Vec::new(), false);
        let mut tokens = arguments.split_ascii_whitespace().peekable();
        let is_known = |token: &str| GO_NUMBERS.contains(&token) || GO_WORDS.contains(&token);
        while let Some(token) = tokens.next() {
            match token {
                "ponder" => go.ponder = true,
                "draw" => offers_draw = true,
                "infinite" => go.infinite = true,
                "depth" if tokens.peek() == Some(&"infinite") => {}
                _ => match GO_NUMBERS.into_iter().find(|word| *word == token) {
                    None => unknown.push(token),
                    Some(word) => {
                        let text = tokens.next_if(|token| !is_known(token)).unwrap_or("");
                        match parse::number(word, text, &mut warnings) {
                            None => go.invalid.push((word, text.to_owned())),
                            Some(number) => set_limit(&mut go, word, number, unit),
                        }
                    }
                },
            }
        }
        if !unknown.is_empty() {
            warnings.push(format!("go: unknown {}, ignored", quote(&unknown.join(" "))));
        }
        self.searches.push_back(offers_draw);
        let warnings = warnings.into_iter().map(Reply::InfoString).map(Request::Reply);
        warnings.chain([Request::Command(Command::Go(go))]).collect()
    }
}

/// Sets the limit `word` of `go`; times count in `unit` ms. Both sides get the same clock, as only the own one is read.
fn set_limit(go: &mut Go, word: &str, number: i64, unit: i64) {
    let time = Some(number.saturating_mul(unit));
    match word {
        "depth" => go.depth = Some(number),
        "nodes" => go.nodes = Some(number),
        "movestogo" => go.movestogo = Some(number),
        "time" => (go.wtime, go.btime) = (time, time),
        "increment" => (go.winc, go.binc) = (time, time),
        _ => {}
    }
}

/// Whether the server's option `name` has no use in this protocol.
fn is_hidden(name: &str) -> bool {
    is_of_other_games(name)
        || ["MultiPV", "UCI_ShowWDL"].iter().any(|hidden| hidden.eq_ignore_ascii_case(name))
}

/// The line that declares an option: its name is one word in lower case, and the default value comes last.
fn option_line(option: &UciOption) -> String {
    let name = match option.name {
        "Hash" => "hashsize".into(),
        name => name.to_ascii_lowercase().replace(' ', "_"),
    };
    let kind = match &option.kind {
        OptionKind::Check { default } => format!("check default {default}"),
        OptionKind::Spin { default, min, max } => format!("spin min {min} max {max} default {default}"),
        OptionKind::Combo { default, choices } => {
            let choices: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("combo{choices} default {default}")
        }
        OptionKind::Button => "button".into(),
        OptionKind::String => "string default <empty>".into(),
    };
    format!("option {name} type {kind}")
}

fn number(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value.clamp(-MAX_SCORE, MAX_SCORE),
        Score::Mate(moves @ 1..) => MATE + 1 - 2 * moves,
        Score::Mate(moves) => -MATE - 2 * moves,
    }
}

#[cfg(test)]
mod tests {
    use super::super::dialect::requests;
    use super::*;
    use crate::game::Bound;
    use crate::protocol::Info;
    use std::time::Duration;

    fn started() -> Ucci {
        let mut ucci = Ucci::default();
        ucci.read("ucci");
        ucci
    }

    fn info(score: Score) -> Reply {
        Reply::Info(Box::new(Info {
            depth: 6,
            seldepth: 9,
            multipv: 1,
            score,
            bound: Bound::Exact,
            wdl: None,
            nodes: 1234,
            nps: 1,
            hashfull: 0,
            tbhits: 0,
            time: 21,
            pv: vec!["h3e3".into(), "h10g8".into()],
        }))
    }

    fn best(mv: &str) -> Reply {
        Reply::BestMove { best: Some(mv.into()), ponder: Some("h10g8".into()), elapsed: Duration::ZERO }
    }

    #[test]
    fn commands_are_those_of_uci() {
        let mut ucci = Ucci::default();
        assert_eq!(requests(&mut ucci, &["ucci"]), ["setoption name UCI_Variant value xiangqi", "uci"]);
        for (line, expected) in [
            ("position startpos moves h2e2 h9g7", "position startpos moves h3e3 h10g8"),
            ("\u{feff}isready\r", "isready"),
            ("setoption newgame", "ucinewgame"),
            ("uccinewgame", "ucinewgame"),
            ("setoption hashsize 64", "setoption name Hash value 64"),
            ("setoption Ponder ON", "setoption name Ponder value true"),
            ("setoption move_overhead 50", "setoption name move_overhead value 50"),
            ("setoption debug true", "debug on"),
            ("setoption UCI_Variant chess", "info string no such option: \"UCI_Variant\", ignored"),
            ("setoption multipv 2", "info string no such option: \"multipv\", ignored"),
            (
                "setoption usemillisec maybe",
                "setoption: expected on or off, got \"usemillisec maybe\", command ignored",
            ),
            ("setoption", "setoption: expected an option and its value, got nothing, command ignored"),
            ("probe startpos", "pophash"),
            ("hello", "info string unknown command: \"hello\" (expected a command of UCCI), ignored"),
            ("go perft 2", "go perft 2"),
            ("quit", "quit"),
        ] {
            assert_eq!(requests(&mut ucci, &[line]), [expected], "{line}");
        }
        let ignored = [
            "",
            "setoption hashsize 0",
            "setoption threads 0",
            "setoption promotion false",
            "setoption bookfiles x",
        ];
        assert_eq!(requests(&mut ucci, &ignored), [""; 0]);
    }

    #[test]
    fn limits_of_go_are_those_of_uci() {
        let mut ucci = started();
        for (line, expected) in [
            ("go depth 7", "go depth 7"),
            ("go depth infinite", "go infinite"),
            ("go infinite", "go infinite"),
            ("go nodes 1000", "go nodes 1000"),
            ("go ponder time 295000 increment 0", "go ponder wtime 295000 btime 295000 winc 0 binc 0"),
            ("go time 600 movestogo 10 opptime 5 oppmovestogo 1", "go wtime 600 btime 600 movestogo 10"),
            ("go draw time 9 increment 2 opptime 5 oppincrement 1", "go wtime 9 btime 9 winc 2 binc 2"),
            ("go time depth 4", "go depth 4 time"),
        ] {
            assert_eq!(requests(&mut ucci, &[line]), [expected], "{line}");
        }
        assert_eq!(
            requests(&mut ucci, &["setoption usemillisec false", "go time 5"]),
            ["go wtime 5000 btime 5000"]
        );
        let warned = ["info string go: unknown \"wtime 3\", ignored", "go depth 1"];
        assert_eq!(requests(&mut ucci, &["go wtime 3 depth 1"]), warned);
    }

    #[test]
    fn banned_moves_hold_until_the_next_position() {
        let mut ucci = started();
        let lines = [
            "banmoves h2e2 a0a1", "go depth 1", "banmoves b2e2", "go depth 2", "position startpos",
            "go depth 3",
        ];
        let expected = [
            "go depth 1 banmoves h3e3 a1a2",
            "go depth 2 banmoves h3e3 a1a2 b3e3",
            "position startpos",
            "go depth 3",
        ];
        assert_eq!(requests(&mut ucci, &lines), expected);
    }

    #[test]
    fn stop_without_a_search_is_answered() {
        let mut ucci = started();
        assert_eq!(requests(&mut ucci, &["stop"]), ["stop", "nobestmove"]);
        assert_eq!(requests(&mut ucci, &["go infinite", "stop"]), ["go infinite", "stop"]);
        assert_eq!(ucci.write(&best("h3e3")), Some("bestmove h2e2 ponder h9g7".into()));
        assert_eq!(requests(&mut ucci, &["stop"]), ["stop", "nobestmove"]);
    }

    #[test]
    fn scores_are_numbers() {
        let mut ucci = started();
        assert_eq!(
            ucci.write(&info(Score::Cp(4))),
            Some("info depth 6 score 4 nodes 1234 time 21 pv h2e2 h9g7".into())
        );
        for (score, expected) in [
            (Score::Cp(-20_000), -9_799),
            (Score::Mate(1), 9_999),
            (Score::Mate(3), 9_995),
            (Score::Mate(0), -10_000),
            (Score::Mate(-1), -9_998),
        ] {
            assert_eq!(number(score), expected);
        }
        assert_eq!(
            ucci.write(&Reply::NoLegalMoves { score: Score::Mate(0), reason: None }),
            Some("info depth 0 score -10000".into())
        );
        let none = Reply::BestMove { best: None, ponder: None, elapsed: Duration::ZERO };
        assert_eq!(ucci.write(&none), Some("nobestmove".into()));
    }

    #[test]
    fn diagram_has_the_ranks_of_the_moves() {
        let text = "10 r n b a k a b n r\n 1 R N B A K A B N R\n   a b c d e f g h i\n\n10 nodes 3 nps";
        let expected = " 9 r n b a k a b n r\n 0 R N B A K A B N R\n   a b c d e f g h i\n\n10 nodes 3 nps";
        assert_eq!(started().write(&Reply::Raw(text.into())), Some(expected.into()));
    }

    #[test]
    fn draw_is_accepted_unless_the_own_side_is_better() {
        let mut ucci = started();
        for (go, score, is_agreed) in [
            ("go draw depth 1", 0, true),
            ("go draw depth 1", -50, true),
            ("go draw depth 1", 1, false),
            ("go depth 1", -50, false),
        ] {
            ucci.read(go);
            ucci.write(&info(Score::Cp(score)));
            let line = ucci.write(&best("h3e3")).unwrap();
            assert_eq!(line.ends_with(" draw"), is_agreed, "{go} {score}");
        }
        ucci.read("go ponder time 9 increment 0");
        assert_eq!(requests(&mut ucci, &["ponderhit draw"]), ["ponderhit"]);
        ucci.write(&info(Score::Cp(0)));
        assert_eq!(ucci.write(&best("h3e3")), Some("bestmove h2e2 ponder h9g7 draw".into()));
    }
}
