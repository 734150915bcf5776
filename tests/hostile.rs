//! Hostile sessions with the real program, as data: each file in `data/hostile` holds cases of one kind.
//!
//! | line | meaning |
//! | --- | --- |
//! | `== name` | a case begins, with a process of its own |
//! | `# text` | for the reader |
//! | `> text` | the client says this line; escapes as in `common/script.rs`, and `$TMP` is a directory that is the case's own |
//! | `>> text` | the client says this without a line end |
//! | `* pattern` | the next line is an `info string` like this; `*` stands for anything |
//! | `< pattern` | the next line is like this |
//! | `skip pattern` | lines of any kind come, and then one like this |
//! | `best` | the next line is a `bestmove`, legal in the position of the last `=`, `(none)` if no move is; `best m` says which |
//! | `repeat 200 line` | the line of this table that follows, so many times |
//! | `ready` | `isready` is answered, and nothing else was said |
//! | `= pattern` | `d` shows a position like this; before the first of these lines it is the start of chess |
//! | `game v` | the game is set to `v`; its start follows as `=` |
//! | `~ 300` | the client waits so many milliseconds |
//! | `eof` | the client has nothing more to say |
//! | `exit 0` | the program says no more and ends with this exit code |
//!
//! Between these lines `info depth` may come, of a search, and nothing else. A case that does not `exit` goes on: nothing
//! more is said, the position is the one of the last `=`, and when all options have been set back the next game is
//! that of a new process, node for node.

mod common {
    pub mod process;
    pub mod script;
}

use common::process::{Engine, Scratch};
use common::script::{matches, unescape};
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// What sets back all that a case may have set.
const SET_BACK: &str = "debug off
setoption name Debug Log File value
setoption name Search Log File value
setoption name Threads value 1
setoption name Hash value 16
setoption name MultiPV value 1
setoption name Ponder value false
setoption name UCI_Variant value chess
setoption name UCI_Chess960 value false
setoption name UCI_AnalyseMode value false
setoption name UCI_ShowWDL value false
setoption name UCI_LimitStrength value false
setoption name Search Method value engine";

/// A position as the program shows it, and its legal moves.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    text: String,
    moves: Vec<String>,
}

/// What a new process says: its first position, and its first game.
fn fresh() -> &'static (Shown, String) {
    static FRESH: OnceLock<(Shown, String)> = OnceLock::new();
    FRESH.get_or_init(|| {
        let mut session = Session::begin(Shown { text: String::new(), moves: Vec::new() }, "fresh");
        let shown = session.show().expect("a new process shows its position");
        (shown, session.next_game().expect("a new process plays"))
    })
}

struct Session {
    engine: Engine,
    /// The position of the last `=`.
    shown: Shown,
    /// The first move of the last best line of the search.
    promised: Option<String>,
    directory: Scratch,
    ended: bool,
}

type Outcome<T = ()> = Result<T, String>;

impl Session {
    fn begin(shown: Shown, name: &str) -> Session {
        let directory = Scratch::new(&format!("hostile-{name}"));
        Session { engine: Engine::start(&[]), shown, promised: None, directory, ended: false }
    }

    /// The next line that is not one of a search.
    fn next(&mut self) -> Outcome<String> {
        loop {
            let line = self.engine.line().ok_or("the program has ended")?;
            if !line.starts_with("info depth ") {
                return Ok(line);
            }
            if let Some((_, pv)) = line.split_once(" pv ").filter(|_| line.contains(" multipv 1 ")) {
                self.promised = pv.split(' ').next().map(str::to_owned);
            }
        }
    }

    fn expect(&mut self, pattern: &str) -> Outcome {
        let line = self.next()?;
        if matches(pattern, &line) { Ok(()) } else { Err(format!("expected {pattern:?}, got {line:?}")) }
    }

    fn skip_to(&mut self, pattern: &str) -> Outcome<Vec<String>> {
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line: &String| !matches(pattern, line)) {
            lines.push(self.next()?);
        }
        Ok(lines)
    }

    /// The position and its moves, as the program says.
    fn show(&mut self) -> Outcome<Shown> {
        self.engine.say("d");
        let text = self.skip_to("Fen: *")?.pop().expect("a line")["Fen: ".len()..].to_owned();
        self.engine.say("go perft 1");
        let counts = self.skip_to("Nodes searched: *")?;
        self.expect("")?;
        let mv = |line: &String| Some(line.strip_suffix(": 1")?.to_owned());
        Ok(Shown { text, moves: counts.iter().filter_map(mv).collect() })
    }

    fn check_shown(&mut self, pattern: &str) -> Outcome {
        self.shown = self.show()?;
        let shown = &self.shown.text;
        let right = matches(pattern, shown);
        if right { Ok(()) } else { Err(format!("expected the position {pattern:?}, got {shown:?}")) }
    }

    fn best(&mut self, expected: &str) -> Outcome {
        let line = self.next()?;
        let Some(answer) = line.strip_prefix("bestmove ") else {
            return Err(format!("expected a bestmove, got {line:?}"));
        };
        let mv = answer.split(' ').next().unwrap_or("");
        let legal = if self.shown.moves.is_empty() {
            mv == "(none)"
        } else {
            self.shown.moves.iter().any(|legal| legal == mv)
        };
        let promised = self.promised.take();
        if !legal || (!expected.is_empty() && mv != expected) || promised.is_some_and(|first| first != mv) {
            return Err(format!("not the move to play: {line:?}"));
        }
        Ok(())
    }

    /// A search from the start: its nodes and its move.
    fn next_game(&mut self) -> Outcome<String> {
        self.engine.say("ucinewgame\nposition startpos\ngo depth 7");
        let lines = self.engine.lines_to("bestmove ");
        let nodes = lines.iter().rev().find_map(|line| line.split_once(" nodes ")?.1.split(' ').next());
        Ok(format!("{} nodes, {}", nodes.ok_or("no nodes")?, lines[lines.len() - 1]))
    }

    fn act(&mut self, line: &str) -> Outcome {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" | "#" => {}
            ">" | ">>" => {
                let directory = self.directory.0.to_str().expect("a path of plain letters");
                let mut bytes = unescape(&rest.replace("$TMP", directory));
                bytes.extend((word == ">").then_some(b'\n'));
                self.engine.send(&bytes);
            }
            "*" => self.expect(&format!("info string {rest}"))?,
            "<" => self.expect(rest)?,
            "skip" => drop(self.skip_to(rest)?),
            "best" => self.best(rest)?,
            "repeat" => {
                let (count, line) = rest.split_once(' ').ok_or("no line to repeat")?;
                (0..count.parse().map_err(|_| "no number")?).try_for_each(|_| self.act(line))?;
            }
            "ready" => {
                self.engine.say("isready");
                self.expect("readyok")?;
            }
            "=" => self.check_shown(&String::from_utf8(unescape(rest)).map_err(|_| "no UTF-8")?)?,
            "game" => {
                self.engine.say(&format!("setoption name UCI_Variant value {rest}"));
                self.expect(&format!("info string variant {rest}, position set to its start: *"))?;
                self.shown = self.show()?;
            }
            "~" => std::thread::sleep(Duration::from_millis(rest.parse().map_err(|_| "no time")?)),
            "eof" => self.engine.close_input(),
            "exit" => {
                let said = self.engine.rest();
                let unexpected = said.iter().find(|line| !line.starts_with("info depth "));
                if let Some(line) = unexpected {
                    return Err(format!("expected the end, got {line:?}"));
                }
                let code = self.engine.exit_code();
                if code.map(|code| code.to_string()).as_deref() != Some(rest) {
                    return Err(format!("expected the exit code {rest}, got {code:?}"));
                }
                self.ended = true;
            }
            _ => return Err("no line of a hostile session".into()),
        }
        Ok(())
    }

    /// What must hold after every case.
    fn end(mut self) -> Outcome {
        if self.ended {
            return Ok(());
        }
        self.engine.say("isready");
        self.expect("readyok")?;
        let shown = self.shown.text.clone();
        self.check_shown(&shown)?;
        self.engine.say(SET_BACK);
        self.engine.sync();
        let (next, expected) = (self.next_game()?, &fresh().1);
        if next != *expected {
            return Err(format!("the next game: expected {expected}, got {next}"));
        }
        self.engine.say("quit");
        match (self.engine.exit_code(), self.engine.rest().is_empty()) {
            (Some(0), true) => Ok(()),
            end => Err(format!("quit: expected exit code 0 and silence, got {end:?}")),
        }
    }
}

/// One case of a file: its name, the number of its first line, its lines.
struct Case {
    file: String,
    name: String,
    lines: Vec<(usize, String)>,
}

impl Case {
    fn check(&self) -> Outcome {
        let mut session = Session::begin(fresh().0.clone(), &self.name);
        for (number, line) in &self.lines {
            let place = |error| format!("{}:{number}: {}: {line:.100}\n    {error}", self.file, self.name);
            session.act(line).map_err(place)?;
        }
        session.end().map_err(|error| format!("{}: {}: {error}", self.file, self.name))
    }
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/hostile");
    let mut cases: Vec<Case> = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        for (index, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            if let Some(name) = line.strip_prefix("== ") {
                cases.push(Case { file: file.clone(), name: name.to_owned(), lines: Vec::new() });
            } else if !line.is_empty() && !line.starts_with('#') {
                let case = cases.last_mut().filter(|case| case.file == file).expect("a line of a case");
                case.lines.push((index + 1, line.to_owned()));
            }
        }
    }
    cases
}

#[test]
fn hostile_input_leaves_server_working() {
    let only = std::env::var("HOSTILE").unwrap_or_default();
    let all = cases();
    let mut names: Vec<&str> = all.iter().map(|case| case.name.as_str()).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all.len(), "two cases have one name");
    let queue = Mutex::new(all.iter().filter(|case| case.name.contains(&only)));
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(case) = { queue.lock().unwrap().next() } {
                    let checked = catch_unwind(|| case.check());
                    let failed = format!("{}: {}: the test panicked", case.file, case.name);
                    if let Err(error) = checked.unwrap_or(Err(failed)) {
                        failures.lock().unwrap().push(error);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {} cases failed\n{}", failures.len(), all.len(), failures.join("\n"));
}
