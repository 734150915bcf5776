//! Conversations with the server, as data: each file in `data/transcripts` is one, held over a link in memory.
//!
//! | line | meaning |
//! | --- | --- |
//! | `# text` | for the reader |
//! | `> text` | the client says this; escapes as in `common/script.rs` |
//! | `< pattern` | the next line of the server; `*` stands for anything |
//! | `<* pattern` | a line of the server, any `info` lines before it left unread |
//! | `! pattern` | no line that has come and was not read is like this |
//! | `~ 300` | nothing is said for so many milliseconds |
//! | `eof` | the client has nothing more to say |
//! | `end` | the server has ended and everything it said was read |
//! | `bare` | from here on the server may say lines that are not in the standard |
//!
//! At the end of the file the client says `quit`, unless there was an `end`. Every line of the server is
//! checked for the standard's form and every search for what must hold of its lines. Times are waited out, never measured.

mod common {
    pub mod script;
}

use common::script::{matches, unescape};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use duiyi::server::{self, Client, Connection, Line};
use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

/// Against hanging only.
const PATIENCE: Duration = Duration::from_secs(60);

struct Conversation {
    lines: Option<Sender<Line>>,
    replies: Receiver<String>,
    /// As long as it is there, the server's lines are read.
    _open: Sender<()>,
    unread: VecDeque<String>,
    bare: bool,
    form: Form,
}

/// What must hold of the `info` and `bestmove` lines of every conversation.
#[derive(Default)]
struct Form {
    /// First moves of the last iteration, best line first.
    firsts: Vec<String>,
    /// The depth of that iteration and the score of its last line so far.
    depth: i64,
    score: i64,
    /// Its best line.
    pv: Vec<String>,
}

impl Form {
    fn check(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["info", "depth", "0", "score", "mate", "0"] | ["info", "depth", "0", "score", "cp", _] => {
                self.pv.clear();
            }
            ["info", "depth", _, "currmove", _, "currmovenumber", _] => {}
            ["info", "depth", ..] => self.line(&words[1..])?,
            ["bestmove", best] => self.best(best, None)?,
            ["bestmove", best, "ponder", ponder] => self.best(best, Some(ponder))?,
            ["bestmove", ..] => return Err("a bestmove of another form".into()),
            _ => {}
        }
        Ok(())
    }

    /// C79, C80, C81: the fields in their order, the lines of one iteration together.
    fn line(&mut self, words: &[&str]) -> Result<(), String> {
        let mut words = words.iter().copied().peekable();
        let depth = field("depth", &mut words)?;
        field("seldepth", &mut words)?;
        let rank = field("multipv", &mut words)? as usize;
        if words.next() != Some("score") {
            return Err("no score".into());
        }
        let mate = words.peek() == Some(&"mate");
        let value = field(if mate { "mate" } else { "cp" }, &mut words)?;
        let score = if mate { value.signum() * 1_000_000 - value } else { value };
        let exact = words.next_if(|word| ["lowerbound", "upperbound"].contains(word)).is_none();
        if words.next_if_eq(&"wdl").is_some() {
            let rates = [words.next(), words.next(), words.next()];
            let sum: u32 = rates.iter().map(|rate| rate.unwrap_or("").parse().unwrap_or(0)).sum();
            (sum == 1000).then_some(()).ok_or("rates that do not sum to 1000")?;
        }
        for name in ["nodes", "nps", "hashfull", "tbhits", "time"] {
            field(name, &mut words)?;
        }
        let pv: Vec<String> = words.map(str::to_owned).collect();
        if pv.len() < 2 || pv[0] != "pv" {
            return Err("no moves".into());
        }
        if rank == 1 {
            self.firsts.clear();
            self.pv = pv[1..].to_vec();
        } else if depth != self.depth || rank != self.firsts.len() + 1 || (exact && score > self.score) {
            return Err(format!("out of place after {:?}", self.firsts));
        }
        (self.depth, self.score) = (depth, score);
        if self.firsts.contains(&pv[1]) {
            return Err("two lines begin with the same move".into());
        }
        self.firsts.push(pv[1].clone());
        Ok(())
    }

    /// C84: the move is the one the last line promised.
    fn best(&mut self, best: &str, ponder: Option<&str>) -> Result<(), String> {
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

/// Reads `name` and the number behind it.
fn field<'a>(name: &str, words: &mut impl Iterator<Item = &'a str>) -> Result<i64, String> {
    match (words.next(), words.next().map(str::parse)) {
        (Some(word), Some(Ok(number))) if word == name => Ok(number),
        (word, _) => Err(format!("expected the field {name} and a number, got {word:?}")),
    }
}

impl Conversation {
    fn begin() -> (Conversation, std::thread::JoinHandle<()>) {
        let (link, client) = Connection::memory();
        let server = std::thread::spawn(move || server::run(link, None, None).unwrap());
        let Client { lines, replies, open } = client;
        let lines = Some(lines);
        (
            Conversation {
                lines,
                replies,
                _open: open,
                unread: VecDeque::new(),
                bare: false,
                form: Form::default(),
            },
            server,
        )
    }

    fn say(&self, text: &str) -> Result<(), String> {
        let lines = self.lines.as_ref().ok_or("the client has nothing more to say")?;
        lines.send(Line::now(text)).map_err(|_| "the server does not listen any more".to_owned())
    }

    fn receive(&mut self, text: &str) -> Result<(), String> {
        for line in text.strip_suffix('\n').ok_or_else(|| format!("{text:?} has no line end"))?.split('\n') {
            let word = line.split(' ').next().unwrap_or("");
            let known = ["id", "option", "uciok", "readyok", "info", "bestmove"].contains(&word);
            if !self.bare && (!known || line.trim() != line || line.contains(['\r', '\t'])) {
                return Err(format!("{line:?} is no line of the standard"));
            }
            self.form.check(line).map_err(|error| format!("{line:?}: {error}"))?;
            self.unread.push_back(line.to_owned());
        }
        Ok(())
    }

    /// The next line, or `None` if the server has ended.
    fn next(&mut self) -> Result<Option<String>, String> {
        while self.unread.is_empty() {
            match self.replies.recv_timeout(PATIENCE) {
                Ok(text) => self.receive(&text)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => return Err("the server says nothing".into()),
            }
        }
        Ok(self.unread.pop_front())
    }

    fn expect(&mut self, pattern: &str, skipping: bool) -> Result<(), String> {
        loop {
            match self.next()? {
                Some(line) if matches(pattern, &line) => return Ok(()),
                Some(line) if skipping && line.starts_with("info") => {}
                Some(line) => return Err(format!("expected {pattern:?}, got {line:?}")),
                None => return Err(format!("expected {pattern:?}, but the server has ended")),
            }
        }
    }

    fn act(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" | "#" => {}
            ">" => self.say(&String::from_utf8(unescape(rest)).map_err(|_| "no UTF-8")?)?,
            "<" => self.expect(rest, false)?,
            "<*" => self.expect(rest, true)?,
            "!" => {
                while let Ok(text) = self.replies.try_recv() {
                    self.receive(&text)?;
                }
                if let Some(line) = self.unread.iter().find(|line| matches(rest, line)) {
                    return Err(format!("{line:?} came too early"));
                }
            }
            "~" => std::thread::sleep(Duration::from_millis(rest.parse().map_err(|_| "not a time")?)),
            "eof" => self.lines = None,
            "end" => {
                if let Some(line) = self.next()? {
                    return Err(format!("expected the end, got {line:?}"));
                }
            }
            "bare" => self.bare = true,
            _ => return Err("no line of a transcript".into()),
        }
        Ok(())
    }
}

fn check(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let (mut conversation, server) = Conversation::begin();
    let mut ended = false;
    for (index, line) in text.lines().enumerate() {
        let place = || format!("{}:{}: {line}", path.display(), index + 1);
        conversation.act(line).map_err(|error| format!("{}\n    {error}", place()))?;
        ended |= line == "end";
    }
    if !ended {
        conversation.say("quit")?;
        while conversation.next()?.is_some() {}
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
