//! Starts the real program and talks to it over pipes.

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long a test waits for the program before it fails. Long, because it only guards against hanging.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// The command that starts the program with all three streams piped.
pub fn command(arguments: &[&str]) -> Command {
    program_command(env!("CARGO_BIN_EXE_duiyi"), arguments)
}

/// [`command`] for the program at the path `program`.
fn program_command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("RUST_LOG");
    command
}

/// A process that a test has started. Its drop ends it and checks that it is gone.
pub struct Process(Child);

impl Process {
    pub fn start(command: &mut Command) -> Process {
        Process(command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}")))
    }

    /// Closes standard input, reads both outputs and waits for the end.
    pub fn output(mut self) -> Output {
        drop(self.stdin.take());
        fn read(stream: Option<impl Read>) -> Vec<u8> {
            let mut bytes = Vec::new();
            stream.map(|mut stream| stream.read_to_end(&mut bytes)).transpose().unwrap();
            bytes
        }
        let stderr = self.stderr.take();
        let stderr = std::thread::spawn(|| read(stderr));
        let stdout = read(self.stdout.take());
        Output { status: self.end(), stdout, stderr: stderr.join().unwrap() }
    }

    /// Waits for the process to end by itself and returns its status.
    pub fn end(&mut self) -> ExitStatus {
        let started = Instant::now();
        while started.elapsed() < TIMEOUT {
            if let Some(status) = self.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("expected the process to end, but it still runs after {TIMEOUT:?}");
    }

    /// Sends `signal`, such as `TERM`.
    pub fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([&format!("-{signal}"), &self.id().to_string()]).status();
        assert!(status.unwrap().success());
    }
}

impl std::ops::Deref for Process {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl std::ops::DerefMut for Process {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An error of `kill` means that the process has ended. `wait` returns only when it is gone.
        let _ = self.kill();
        let ended = self.wait();
        assert!(
            ended.is_ok() || std::thread::panicking(),
            "expected the end of {}, found {ended:?}",
            self.id()
        );
    }
}

/// Runs the program with `input` on standard input. Returns the exit code, standard output and standard error.
pub fn run(arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    run_program(env!("CARGO_BIN_EXE_duiyi"), arguments, input)
}

/// [`run`] for the program at the path `program`.
pub fn run_program(program: &str, arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut process = Process::start(&mut program_command(program, arguments));
    process.stdin.as_mut().unwrap().write_all(input).unwrap();
    let Output { status, stdout, stderr } = process.output();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().expect("a signal ended the program"), text(stdout), text(stderr))
}

/// A running engine process. A thread reads its standard output.
pub struct Engine {
    pub child: Process,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
}

impl Engine {
    /// Starts an engine whose output is read at once and buffered without limit.
    pub fn start(arguments: &[&str]) -> Engine {
        Engine::spawn(command(arguments), unbounded())
    }

    /// Starts an engine whose output is read only as [`Engine::read_line`] is called, as by a stalled client.
    pub fn start_unread(command: Command) -> Engine {
        Engine::spawn(command, bounded(0))
    }

    /// Starts `command`, whose standard input and output must be pipes. Its output goes through the given channel.
    pub fn spawn(
        mut command: Command,
        (lines, received_lines): (Sender<Vec<u8>>, Receiver<Vec<u8>>),
    ) -> Engine {
        let mut child = Process::start(&mut command);
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("standard output is not a pipe");
        std::thread::spawn(move || forward(stdout, &lines));
        Engine { child, stdin, lines: received_lines }
    }

    /// Starts `command`, whose standard output is the caller's, and closes this process's copy of it.
    pub fn without_output(mut command: Command) -> Engine {
        let mut child = Process::start(&mut command);
        let stdin = child.stdin.take();
        Engine { child, stdin, lines: bounded(0).1 }
    }

    /// Writes `bytes` to standard input. Ignores the error if the program has ended.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("standard input is closed");
        let _ = stdin.write_all(bytes);
    }

    /// Sends `line` and a line end.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Moves standard input to the caller.
    pub fn take_input(&mut self) -> ChildStdin {
        self.stdin.take().expect("standard input is closed")
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Closes the output pipe as soon as the program has written one more line.
    pub fn close_output(&mut self) {
        self.lines = bounded(0).1;
    }

    /// The next line without its line end, or `None` at the end of the output.
    pub fn read_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(TIMEOUT) {
            Ok(line) => Some(String::from_utf8(line).expect("the output is not UTF-8")),
            Err(error) if error.is_disconnected() => None,
            Err(_) => panic!("expected a line of output, found none in {TIMEOUT:?}"),
        }
    }

    /// Reads up to a line that begins with `start` and returns that line.
    pub fn read_until(&mut self, start: &str) -> String {
        self.lines_until(start).pop().expect("lines_until returns at least one line")
    }

    /// Reads up to a line that begins with `start` and returns all lines, that one included.
    pub fn lines_until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line: &String| !line.starts_with(start)) {
            let next = self.read_line();
            lines.push(next.unwrap_or_else(|| panic!("expected a line {start:?}, found only {lines:?}")));
        }
        lines
    }

    /// The remaining lines up to the end of the output.
    pub fn remaining_lines(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.read_line()).collect()
    }

    /// Waits for the process to end and returns its status.
    pub fn wait(&mut self) -> ExitStatus {
        self.child.end()
    }

    /// Waits for the process to end and returns its exit code, or `None` if a signal ended it.
    pub fn exit_code(&mut self) -> Option<i32> {
        self.wait().code()
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// All of standard error. The process must have ended.
    pub fn stderr_text(&mut self) -> String {
        let mut text = String::new();
        let stderr = self.child.stderr.take();
        stderr.map(|mut stderr| stderr.read_to_string(&mut text)).transpose().unwrap();
        text
    }

    /// Sends `go` and returns all lines up to `bestmove`. The move must be legal in the start position.
    pub fn search(&mut self, go: &str) -> Vec<String> {
        self.send(go);
        let lines = self.lines_until("bestmove ");
        let best = lines[lines.len() - 1].split(' ').nth(1).unwrap();
        let ranks = [best.as_bytes()[1], best.as_bytes()[3]];
        let is_knight_move = ["b1a3", "b1c3", "g1f3", "g1h3"].contains(&best);
        assert!(is_knight_move || (matches!(&ranks, b"23" | b"24") && best[..1] == best[2..3]), "{best}");
        lines
    }

    /// Sends `isready` and returns all lines up to `readyok`.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        self.lines_until("readyok")
    }
}

/// The node count and the `bestmove` line of a search. Equal for equal searches with one thread.
pub fn nodes_and_bestmove(lines: &[String]) -> (String, String) {
    let nodes = lines.iter().rev().find_map(|line| line.split_once(" nodes ")?.1.split(' ').next());
    let nodes = nodes.unwrap_or_else(|| panic!("no node count in the lines of a search: {lines:?}"));
    (nodes.into(), lines[lines.len() - 1].clone())
}

/// The texts of the `info string` lines.
pub fn info_strings(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
}

/// Sends each line of `stdout` to `lines` until the output ends or the receiver is dropped.
fn forward(stdout: ChildStdout, lines: &Sender<Vec<u8>>) {
    for line in BufReader::new(stdout).split(b'\n') {
        let Ok(line) = line else { return };
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// A temporary directory, removed on drop.
pub struct TempDir(pub PathBuf);

impl TempDir {
    /// An empty directory. `name` is a part of its name.
    pub fn new(name: &str) -> TempDir {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("duiyi-{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        TempDir(directory)
    }

    /// The path of the file `name` in the directory.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Writes the file `name` in the directory. Returns its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
