//! Sessions with the server, written as data. Each file in `data/transcripts` is one session over a connection in memory.
//!
//! | line | meaning |
//! | --- | --- |
//! | `# text` | comment |
//! | `> text` | the client sends this line; escapes as in `common/script.rs` |
//! | `< pattern` | the next line of the server matches; `*` stands for any text |
//! | `<* pattern` | reads up to a line that matches; all lines before it must be `info` lines |
//! | `skip pattern` | reads up to a line that matches, over any lines |
//! | `! pattern` | no line received but not yet read matches |
//! | `~ 300` | the client waits 300 ms |
//! | `eof` | the client closes its end |
//! | `end` | the server has ended and all its lines were read |
//! | `bare` | from here on, lines outside the UCI standard are allowed |
//! | `gomocup`, `ucci`, `gtp` | from here on, lines must follow this protocol instead |
//! | `force NAME` | only as the first line that is no comment: the server speaks only this protocol, as with `--protocol`; its form holds |
//!
//! At the end of a file without `end`, the client sends `quit`, or `END` in Gomocup. Every line of the server must follow the UCI standard, and
//! the lines of every search must be consistent. The tests wait for fixed times, but measure none.

use crate::common::script::{matches, unescape};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use duiyi::protocol::{Dialect, FirstLine, Protocol};
use duiyi::server::{self, Client, Connection, Line};
use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

/// How long a test waits for a line. Long, because it only guards against hanging.
const TIMEOUT: Duration = Duration::from_secs(60);

struct Session {
    lines: Option<Sender<Line>>,
    replies: Receiver<String>,
    /// Keeps the server's output open.
    _open: Sender<()>,
    unread: VecDeque<String>,
    bare: bool,
    /// The protocol that the server's lines must follow.
    form: Protocol,
    /// In GTP: whether an answer has begun.
    in_answer: bool,
    checker: InfoChecker,
}

/// Checks the `info` and `bestmove` lines of a session.
#[derive(Default)]
struct InfoChecker {
    /// The first moves of the last iteration's PVs, best PV first.
    first_moves: Vec<String>,
    /// The depth of that iteration, and the score of its last PV so far.
    depth: i64,
    score: i64,
    /// The best PV of that iteration.
    pv: Vec<String>,
}

impl InfoChecker {
    fn check(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["info", "depth", "0", "score", "mate", "0"] | ["info", "depth", "0", "score", "cp", _] => {
                self.pv.clear();
            }
            ["info", "depth", _, "currmove", _, "currmovenumber", _] => {}
            ["info", "depth", ..] => self.check_pv(&words[1..])?,
            ["bestmove", best] => self.check_bestmove(best, None)?,
            ["bestmove", best, "ponder", ponder] => self.check_bestmove(best, Some(ponder))?,
            ["bestmove", ..] => return Err("expected bestmove <move> [ponder <move>]".into()),
            _ => {}
        }
        Ok(())
    }

    /// C79, C80, C81: the order of the fields, and the PVs of one iteration together.
    fn check_pv(&mut self, words: &[&str]) -> Result<(), String> {
        let mut words = words.iter().copied().peekable();
        let depth = field("depth", &mut words)?;
        field("seldepth", &mut words)?;
        let rank = field("multipv", &mut words)? as usize;
        if words.next() != Some("score") {
            return Err("expected the field score".into());
        }
        let mate = words.peek() == Some(&"mate");
        let value = field(if mate { "mate" } else { "cp" }, &mut words)?;
        let score = if mate { value.signum() * 1_000_000 - value } else { value };
        let exact = words.next_if(|word| ["lowerbound", "upperbound"].contains(word)).is_none();
        if words.next_if_eq(&"wdl").is_some() {
            let rates = [words.next(), words.next(), words.next()];
            let sum: u32 = rates.iter().map(|rate| rate.unwrap_or("").parse().unwrap_or(0)).sum();
            (sum == 1000).then_some(()).ok_or("expected wdl values with the sum 1000")?;
        }
        for name in ["nodes", "nps", "hashfull", "tbhits", "time"] {
            field(name, &mut words)?;
        }
        let pv: Vec<String> = words.map(str::to_owned).collect();
        if pv.len() < 2 || pv[0] != "pv" {
            return Err("expected pv and at least one move".into());
        }
        if rank == 1 {
            self.first_moves.clear();
            self.pv = pv[1..].to_vec();
        } else if depth != self.depth || rank != self.first_moves.len() + 1 || (exact && score > self.score) {
            return Err(format!("wrong depth, multipv or score after the PVs {:?}", self.first_moves));
        }
        (self.depth, self.score) = (depth, score);
        if self.first_moves.contains(&pv[1]) {
            return Err("expected PVs with different first moves".into());
        }
        self.first_moves.push(pv[1].clone());
        Ok(())
    }

    /// C84: the move and the ponder move are the first two of the best PV.
    fn check_bestmove(&mut self, best: &str, ponder: Option<&str>) -> Result<(), String> {
        let expected = self.pv.first().map_or("(none)", String::as_str);
        if best != expected {
            return Err(format!("expected the move {expected}"));
        }
        if ponder.is_some() && self.pv.len() > 1 && ponder != self.pv.get(1).map(String::as_str) {
            return Err(format!("expected the ponder move {}", self.pv[1]));
        }
        self.pv.clear();
        Ok(())
    }
}

/// Reads the field `name` and returns its number.
fn field<'a>(name: &str, words: &mut impl Iterator<Item = &'a str>) -> Result<i64, String> {
    match (words.next(), words.next().map(str::parse)) {
        (Some(word), Some(Ok(number))) if word == name => Ok(number),
        (word, _) => Err(format!("expected the field {name} and a number, found {word:?}")),
    }
}

impl Session {
    fn begin(forced: Option<Protocol>) -> (Session, std::thread::JoinHandle<()>) {
        let (connection, client) = Connection::memory();
        let server = std::thread::spawn(move || {
            let by_first_line = || Box::new(FirstLine::or(Protocol::Uci.dialect())) as Box<dyn Dialect>;
            let dialect = forced.map_or_else(by_first_line, Protocol::dialect);
            server::run(connection, dialect, None).unwrap();
        });
        let Client { lines, replies, open } = client;
        let lines = Some(lines);
        (
            Session {
                lines,
                replies,
                _open: open,
                unread: VecDeque::new(),
                bare: false,
                form: forced.unwrap_or(Protocol::Uci),
                in_answer: false,
                checker: InfoChecker::default(),
            },
            server,
        )
    }

    fn send(&self, text: &str) -> Result<(), String> {
        let lines = self.lines.as_ref().ok_or("the client has closed its end")?;
        lines.send(Line::now(text)).map_err(|_| "the server has closed its input".to_owned())
    }

    fn receive(&mut self, text: &str) -> Result<(), String> {
        for line in
            text.strip_suffix('\n').ok_or_else(|| format!("expected a line end after {text:?}"))?.split('\n')
        {
            match self.form {
                Protocol::Uci | Protocol::Cyclone => self.check_uci(line)?,
                Protocol::Gomocup => check_gomocup(line)?,
                Protocol::Ucci => self.check_ucci(line)?,
                Protocol::Gtp => self.check_gtp(line)?,
            }
            self.unread.push_back(line.to_owned());
        }
        Ok(())
    }

    fn check_uci(&mut self, line: &str) -> Result<(), String> {
        let word = line.split(' ').next().unwrap_or("");
        let known = ["id", "option", "uciok", "readyok", "info", "bestmove"].contains(&word);
        if !self.bare && (!known || line.trim() != line || line.contains(['\r', '\t'])) {
            return Err(format!("expected a line of the UCI standard, found {line:?}"));
        }
        self.checker.check(line).map_err(|error| format!("{line:?}: {error}"))
    }

    /// Checks that UCCI allows a line of the server, and that a move is the first of the last line.
    fn check_ucci(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split(' ').collect();
        let is_number = |text: &str| text.parse::<i64>().is_ok();
        let is_move = |text: &str| match text.as_bytes() {
            [a, b, c, d] => {
                [a, c].iter().all(|file| (b'a'..=b'i').contains(file))
                    && [b, d].iter().all(|rank| rank.is_ascii_digit())
            }
            _ => false,
        };
        let pv = &mut self.checker.pv;
        let is_best = |mv: &str, pv: &[String]| is_move(mv) && pv.first().is_none_or(|first| first == mv);
        let is_known = match words[..] {
            ["id", "name" | "author", ..] | ["info", "message", _, ..] => true,
            ["option", name, "type", ..] => name.to_ascii_lowercase() == name && name != "name",
            ["ucciok" | "readyok" | "pophash" | "bye"] => true,
            ["nobestmove"] => pv.is_empty(),
            ["info", "currmove", mv] => is_move(mv),
            ["info", "depth", "0", "score", score] => {
                pv.clear();
                is_number(score)
            }
            ["info", "depth", depth, "score", score, "nodes", nodes, "time", time, "pv", ref moves @ ..] => {
                *pv = moves.iter().map(ToString::to_string).collect();
                [depth, score, nodes, time].into_iter().all(is_number) && moves.iter().all(|mv| is_move(mv))
            }
            ["bestmove", best, ref rest @ ..] => {
                let is_rest = match rest {
                    [] | ["draw"] => true,
                    ["ponder", mv] | ["ponder", mv, "draw"] => is_move(mv),
                    _ => false,
                };
                let is_known = is_best(best, pv) && is_rest;
                pv.clear();
                is_known
            }
            _ => false,
        };
        if self.bare || is_known && line.trim() == line && !line.contains(['\r', '\t']) {
            return Ok(());
        }
        Err(format!("expected a line of UCCI, found {line:?}"))
    }

    /// Checks that an answer of GTP begins with `=` or `?` and ends with an empty line.
    fn check_gtp(&mut self, line: &str) -> Result<(), String> {
        let begins = line.starts_with(['=', '?']);
        if self.in_answer == begins || (line.is_empty() && !self.in_answer) {
            return Err(format!("expected an answer of GTP, found {line:?}"));
        }
        self.in_answer = !line.is_empty();
        Ok(())
    }

    /// The next line, or `None` if the server has ended.
    fn next(&mut self) -> Result<Option<String>, String> {
        while self.unread.is_empty() {
            match self.replies.recv_timeout(TIMEOUT) {
                Ok(text) => self.receive(&text)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("expected a line of the server, found none in {TIMEOUT:?}"));
                }
            }
        }
        Ok(self.unread.pop_front())
    }

    fn expect(&mut self, pattern: &str, skipping: bool) -> Result<(), String> {
        loop {
            match self.next()? {
                Some(line) if matches(pattern, &line) => return Ok(()),
                Some(line) if skipping && line.starts_with("info") => {}
                Some(line) => return Err(format!("expected {pattern:?}, found {line:?}")),
                None => return Err(format!("expected {pattern:?}, but the server has ended")),
            }
        }
    }

    fn run_line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" | "#" => {}
            ">" => self.send(&String::from_utf8(unescape(rest)).map_err(|_| "expected UTF-8")?)?,
            "<" => self.expect(rest, false)?,
            "<*" => self.expect(rest, true)?,
            "skip" => while !matches(rest, &self.next()?.ok_or("the server has ended")?) {},
            "!" => {
                while let Ok(text) = self.replies.try_recv() {
                    self.receive(&text)?;
                }
                if let Some(line) = self.unread.iter().find(|line| matches(rest, line)) {
                    return Err(format!("{line:?} was sent too early"));
                }
            }
            "~" => std::thread::sleep(Duration::from_millis(
                rest.parse().map_err(|_| "expected a number of milliseconds")?,
            )),
            "eof" => self.lines = None,
            "end" => {
                if let Some(line) = self.next()? {
                    return Err(format!("expected the end, found {line:?}"));
                }
            }
            "bare" => self.bare = true,
            "gomocup" => self.form = Protocol::Gomocup,
            "ucci" => self.form = Protocol::Ucci,
            "gtp" => self.form = Protocol::Gtp,
            "force" => {}
            _ => return Err("expected a line as described at the top of tests/transcripts.rs".into()),
        }
        Ok(())
    }
}

/// Checks that the protocol allows a line of the server: a move, the three of an opening, or a keyword and its text.
fn check_gomocup(line: &str) -> Result<(), String> {
    let is_coordinate =
        |text: &str| text.parse::<u8>().is_ok_and(|number| number < 20 && number.to_string() == text);
    let is_move =
        |text: &str| text.split_once(',').is_some_and(|(x, y)| is_coordinate(x) && is_coordinate(y));
    let are_moves = line.split(' ').all(is_move) && [1, 3].contains(&line.split(' ').count());
    let keyword = line.split([' ', '=']).next().unwrap_or("");
    let is_known =
        ["OK", "SWAP"].contains(&line) || ["ERROR", "UNKNOWN", "MESSAGE", "name"].contains(&keyword);
    if (are_moves || is_known) && line.trim() == line && !line.contains(['\r', '\t']) {
        return Ok(());
    }
    Err(format!("expected a line of the Gomocup protocol, found {line:?}"))
}

fn check(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let first = text.lines().find(|line| !line.starts_with('#')).unwrap_or("");
    let forced = first.strip_prefix("force ").map(|name| {
        let protocol = Protocol::ALL.into_iter().find(|protocol| protocol.name() == name);
        protocol.expect("the name of a protocol")
    });
    let (mut session, server) = Session::begin(forced);
    let mut ended = false;
    for (index, line) in text.lines().enumerate() {
        let place = || format!("{}:{}: {line}", path.display(), index + 1);
        session.run_line(line).map_err(|error| format!("{}\n    {error}", place()))?;
        ended |= line == "end";
    }
    if !ended {
        session.send(if session.form == Protocol::Gomocup { "END" } else { "quit" })?;
        while session.next()?.is_some() {}
    }
    server.join().map_err(|_| format!("{}: the server panicked", path.display()))
}

#[test]
fn transcripts_match_server_replies() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/transcripts");
    let mut paths: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let failures: Vec<String> = paths.iter().filter_map(|path| check(path).err()).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
