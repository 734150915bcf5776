//! The real program, run and spoken to.
#![allow(dead_code, reason = "each test uses a part of it")]

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

/// Against hanging only.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The program with all three of its streams piped.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_duiyi"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("RUST_LOG");
    command
}

/// Runs to the end with `input` on standard input. Gives the exit code, the output and the errors.
pub fn run(arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut child = command(arguments).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().expect("no signal ends it"), text(stdout), text(stderr))
}

/// A running program. Its output is read by a thread; it is killed with the value.
pub struct Engine {
    pub child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
}

impl Engine {
    /// Whose output is read at once, however much it is.
    pub fn start(arguments: &[&str]) -> Engine {
        Engine::with(command(arguments), unbounded())
    }

    /// Whose output is read only as [`Engine::line`] asks for it: who does not ask is a client that stalls.
    pub fn unread(command: Command) -> Engine {
        Engine::with(command, bounded(0))
    }

    /// Made by `command`, whose standard output and input are pipes.
    pub fn with(mut command: Command, (lines, read): (Sender<Vec<u8>>, Receiver<Vec<u8>>)) -> Engine {
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("its output is a pipe");
        std::thread::spawn(move || forward(stdout, &lines));
        Engine { child, stdin, lines: read }
    }

    /// Says `bytes` as they are. A program that has ended hears nothing.
    pub fn send(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input was not closed");
        let _ = stdin.write_all(bytes);
    }

    /// Says a line.
    pub fn say(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    /// Leaves the talking to somebody else.
    pub fn take_input(&mut self) -> ChildStdin {
        self.stdin.take().expect("the input was not closed")
    }

    /// Has nothing more to say.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Reads nothing more: the pipe is closed as soon as the program says something.
    pub fn close_output(&mut self) {
        self.lines = bounded(0).1;
    }

    /// The next line without its line end, `None` at the end of the output.
    pub fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(String::from_utf8(line).expect("what it says is UTF-8")),
            Err(error) if error.is_disconnected() => None,
            Err(_) => panic!("it says nothing"),
        }
    }

    /// Reads up to a line that begins with `start` and gives it.
    pub fn read_to(&mut self, start: &str) -> String {
        self.lines_to(start).pop().expect("at least the line looked for")
    }

    /// All lines up to one that begins with `start`, that one included.
    pub fn lines_to(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line: &String| !line.starts_with(start)) {
            let next = self.line();
            lines.push(next.unwrap_or_else(|| panic!("no {start:?} came, but {lines:?}")));
        }
        lines
    }

    /// Whatever comes before the output ends.
    pub fn rest(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.line()).collect()
    }

    /// How it ended.
    pub fn status(&mut self) -> ExitStatus {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("it does not end");
    }

    /// Its exit code, `None` if a signal ended it.
    pub fn exit_code(&mut self) -> Option<i32> {
        self.status().code()
    }

    /// Whether it still runs.
    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// What it has said on standard error, once it has ended.
    pub fn errors(&mut self) -> String {
        let mut text = String::new();
        let stderr = self.child.stderr.take();
        stderr.map(|mut stderr| stderr.read_to_string(&mut text)).transpose().unwrap();
        text
    }

    /// Says `go` and reads the move, which is one of the start position; gives what was said on the way.
    pub fn search(&mut self, go: &str) -> Vec<String> {
        self.say(go);
        let lines = self.lines_to("bestmove ");
        let best = lines[lines.len() - 1].split(' ').nth(1).unwrap();
        let ranks = [best.as_bytes()[1], best.as_bytes()[3]];
        let knights = ["b1a3", "b1c3", "g1f3", "g1h3"].contains(&best);
        assert!(knights || (matches!(&ranks, b"23" | b"24") && best[..1] == best[2..3]), "{best}");
        lines
    }

    /// Says `isready` and reads up to the answer.
    pub fn sync(&mut self) -> Vec<String> {
        self.say("isready");
        self.lines_to("readyok")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Nodes and move of a search, which say the same every time where a search is deterministic.
pub fn fingerprint(lines: &[String]) -> (String, String) {
    let nodes = lines.iter().rev().find_map(|line| line.split_once(" nodes ")?.1.split(' ').next());
    (nodes.expect("a search counts its nodes").into(), lines[lines.len() - 1].clone())
}

/// The messages for people among `lines`.
pub fn notes(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
}

/// Gives each line to `lines` until there are no more or nobody wants them.
fn forward(stdout: ChildStdout, lines: &Sender<Vec<u8>>) {
    for line in BufReader::new(stdout).split(b'\n') {
        let Ok(line) = line else { return };
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// A directory of its own that goes with the value.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// `name` tells it from those of other tests.
    pub fn new(name: &str) -> Scratch {
        let directory = std::env::temp_dir().join(format!("duiyi-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        Scratch(directory)
    }

    /// A file in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
