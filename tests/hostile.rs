//! Sessions of hostile input with the real program, written as data. Each file in `data/hostile` has cases of one kind.
//!
//! | line | meaning |
//! | --- | --- |
//! | `== name` | begins a case, which has its own process |
//! | `# text` | comment |
//! | `> text` | sends this line; escapes as in `common/script.rs`, and `$TMP` is the temporary directory of the case |
//! | `>> text` | sends this without a line end |
//! | `* pattern` | the next line is an `info string` that matches; `*` stands for any text |
//! | `< pattern` | the next line matches |
//! | `skip pattern` | reads lines until one matches |
//! | `best` | the next line is a `bestmove` that is legal in the position of the last `=`, or `(none)` without legal moves; `best m` expects the move `m` |
//! | `repeat 200 line` | repeats `line`, which is a line of this table |
//! | `ready` | sends `isready`; the next line is `readyok` |
//! | `= pattern` | the position that `d` shows matches; before the first such line it is the start position of chess |
//! | `game v` | sets `UCI_Variant` to `v` and expects its start position |
//! | `~ 300` | waits 300 ms |
//! | `eof` | closes standard input |
//! | `exit 0` | the program writes no more lines and ends with this exit code |
//!
//! `info depth` lines may come at any point, other lines only where they are expected. After a case without `exit`, no line
//! may be unread and the position must be that of the last `=`. After a reset of all options, the next game must equal that
//! of a new process, node for node.

use crate::common::process::{Engine, TempDir};
use crate::common::script::{matches, unescape};
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// Commands that reset every option that a case may have set.
const RESET: &str = "debug off
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
setoption name Search Method value engine
setoption name Sixty Move Rule value true
setoption name Evaluation value network
setoption name EvalFile value";

/// The position that `d` shows, and its legal moves.
#[derive(Clone, Debug, PartialEq)]
struct Display {
    text: String,
    moves: Vec<String>,
}

/// The first position and the first game of a new process.
fn fresh() -> &'static (Display, String) {
    static FRESH: OnceLock<(Display, String)> = OnceLock::new();
    FRESH.get_or_init(|| {
        let mut session = Session::begin(Display { text: String::new(), moves: Vec::new() }, "fresh");
        let display = session.show().expect("no position from a new process");
        (display, session.next_game().expect("no game from a new process"))
    })
}

struct Session {
    engine: Engine,
    /// The position of the last `=`.
    display: Display,
    /// The first move of the last PV with `multipv 1`.
    pv_move: Option<String>,
    directory: TempDir,
    ended: bool,
}

type TestResult<T = ()> = Result<T, String>;

impl Session {
    fn begin(display: Display, name: &str) -> Session {
        let directory = TempDir::new(&format!("hostile-{name}"));
        Session { engine: Engine::start(&[]), display, pv_move: None, directory, ended: false }
    }

    /// The next line that is not an `info depth` line.
    fn next(&mut self) -> TestResult<String> {
        loop {
            let line = self.engine.read_line().ok_or("the program has ended")?;
            if !line.starts_with("info depth ") {
                return Ok(line);
            }
            if let Some((_, pv)) = line.split_once(" pv ").filter(|_| line.contains(" multipv 1 ")) {
                self.pv_move = pv.split(' ').next().map(str::to_owned);
            }
        }
    }

    fn expect(&mut self, pattern: &str) -> TestResult {
        let line = self.next()?;
        if matches(pattern, &line) { Ok(()) } else { Err(format!("expected {pattern:?}, found {line:?}")) }
    }

    fn lines_until_match(&mut self, pattern: &str) -> TestResult<Vec<String>> {
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line: &String| !matches(pattern, line)) {
            lines.push(self.next()?);
        }
        Ok(lines)
    }

    /// Asks the program for the position and its legal moves.
    fn show(&mut self) -> TestResult<Display> {
        self.engine.send("d");
        let text = self.lines_until_match("Fen: *")?.pop().expect("a line")["Fen: ".len()..].to_owned();
        self.engine.send("go perft 1");
        let counts = self.lines_until_match("Nodes searched: *")?;
        self.expect("")?;
        let mv = |line: &String| Some(line.strip_suffix(": 1")?.to_owned());
        Ok(Display { text, moves: counts.iter().filter_map(mv).collect() })
    }

    fn check_shown(&mut self, pattern: &str) -> TestResult {
        self.display = self.show()?;
        let display = &self.display.text;
        if matches(pattern, display) {
            Ok(())
        } else {
            Err(format!("expected the position {pattern:?}, found {display:?}"))
        }
    }

    fn best(&mut self, expected: &str) -> TestResult {
        let line = self.next()?;
        let Some(answer) = line.strip_prefix("bestmove ") else {
            return Err(format!("expected a bestmove, found {line:?}"));
        };
        let mv = answer.split(' ').next().unwrap_or("");
        let legal = if self.display.moves.is_empty() {
            mv == "(none)"
        } else {
            self.display.moves.iter().any(|legal| legal == mv)
        };
        let pv_move = self.pv_move.take();
        if !legal || (!expected.is_empty() && mv != expected) || pv_move.is_some_and(|first| first != mv) {
            return Err(format!("expected a legal move that is the first of the last PV, found {line:?}"));
        }
        Ok(())
    }

    /// Node count and move of a search from the start position in a new game.
    fn next_game(&mut self) -> TestResult<String> {
        self.engine.send("ucinewgame\nposition startpos\ngo depth 7");
        let lines = self.engine.lines_until("bestmove ");
        let nodes = lines.iter().rev().find_map(|line| line.split_once(" nodes ")?.1.split(' ').next());
        Ok(format!("{} nodes, {}", nodes.ok_or("no nodes")?, lines[lines.len() - 1]))
    }

    fn run_line(&mut self, line: &str) -> TestResult {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" | "#" => {}
            ">" | ">>" => {
                let directory = self.directory.0.to_str().expect("a path in UTF-8");
                let mut bytes = unescape(&rest.replace("$TMP", directory));
                bytes.extend((word == ">").then_some(b'\n'));
                self.engine.send_bytes(&bytes);
            }
            "*" => self.expect(&format!("info string {rest}"))?,
            "<" => self.expect(rest)?,
            "skip" => drop(self.lines_until_match(rest)?),
            "best" => self.best(rest)?,
            "repeat" => {
                let (count, line) = rest.split_once(' ').ok_or("expected a count and a line to repeat")?;
                (0..count.parse().map_err(|_| "expected a count")?).try_for_each(|_| self.run_line(line))?;
            }
            "ready" => {
                self.engine.send("isready");
                self.expect("readyok")?;
            }
            "=" => self.check_shown(&String::from_utf8(unescape(rest)).map_err(|_| "expected UTF-8")?)?,
            "game" => {
                self.engine.send(&format!("setoption name UCI_Variant value {rest}"));
                self.expect(&format!("info string variant {rest}, position set to its start: *"))?;
                self.display = self.show()?;
            }
            "~" => std::thread::sleep(Duration::from_millis(
                rest.parse().map_err(|_| "expected a number of milliseconds")?,
            )),
            "eof" => self.engine.close_input(),
            "exit" => {
                let lines = self.engine.remaining_lines();
                let unexpected = lines.iter().find(|line| !line.starts_with("info depth "));
                if let Some(line) = unexpected {
                    return Err(format!("expected the end, found {line:?}"));
                }
                let code = self.engine.exit_code();
                if code.map(|code| code.to_string()).as_deref() != Some(rest) {
                    return Err(format!("expected the exit code {rest}, found {code:?}"));
                }
                self.ended = true;
            }
            _ => return Err("expected a line as described at the top of tests/hostile.rs".into()),
        }
        Ok(())
    }

    /// Checks what must hold after every case.
    fn end(mut self) -> TestResult {
        if self.ended {
            return Ok(());
        }
        self.engine.send("isready");
        self.expect("readyok")?;
        let display = self.display.text.clone();
        self.check_shown(&display)?;
        self.engine.send(RESET);
        self.engine.sync();
        let (next, expected) = (self.next_game()?, &fresh().1);
        if next != *expected {
            return Err(format!("the next game: expected {expected}, found {next}"));
        }
        self.engine.send("quit");
        match (self.engine.exit_code(), self.engine.remaining_lines().is_empty()) {
            (Some(0), true) => Ok(()),
            end => Err(format!("quit: expected exit code 0 and no output, found {end:?}")),
        }
    }
}

/// One case of a file, with its numbered lines.
struct Case {
    file: String,
    name: String,
    lines: Vec<(usize, String)>,
}

impl Case {
    fn check(&self) -> TestResult {
        let mut session = Session::begin(fresh().0.clone(), &self.name);
        for (number, line) in &self.lines {
            let place = |error| format!("{}:{number}: {}: {line:.100}\n    {error}", self.file, self.name);
            session.run_line(line).map_err(place)?;
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
                let case = cases
                    .last_mut()
                    .filter(|case| case.file == file)
                    .expect("found a line before the first case");
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
    assert_eq!(names.len(), all.len(), "two cases have the same name");
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
