//! Speed of the protocol parser and latency of replies: `cargo bench --bench protocol`.
//!
//! `parse` measures the parser in lines per second. `process` measures the program behind two pipes, from
//! writing a command to reading its reply.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use duiyi::protocol::parse;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const LINES: [&str; 8] = [
    "uci",
    "isready",
    "setoption name Move Overhead value 100",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1",
    "go wtime 60000 btime 60000 winc 600 binc 600",
    "go depth 12 searchmoves e2e4 d2d4",
    "stop",
];

/// The running program with its standard input and output.
struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Engine {
        let mut process = Command::new(env!("CARGO_BIN_EXE_duiyi"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Engine { process, input, output: BufReader::new(output) }
    }

    fn send(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).expect("the program reads");
    }

    /// Reads up to and including a line that starts with `word`.
    fn read_until(&mut self, word: &str) {
        let mut line = String::new();
        while !line.starts_with(word) {
            line.clear();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "expected {word}, found the end of the output"
            );
        }
    }

    /// Sends a command and returns the time until its reply.
    fn time_reply(&mut self, line: &str, reply: &str) -> Duration {
        let started = Instant::now();
        self.send(line);
        self.read_until(reply);
        started.elapsed()
    }

    fn quit(mut self) {
        self.send("quit");
        self.process.wait().expect("the program ends");
    }
}

fn parser(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("protocol");
    group.throughput(Throughput::Elements(LINES.len() as u64));
    group.bench_function("parse", |bencher| {
        bencher.iter(|| {
            for line in LINES {
                let _ = black_box(parse(black_box(line)));
            }
        });
    });
    group.finish();
}

fn process(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("process");
    group.sample_size(30);
    group.bench_function("start to uciok", |bencher| {
        bencher.iter_custom(|times| {
            let once = || {
                let started = Instant::now();
                let mut engine = Engine::start();
                engine.time_reply("uci", "uciok");
                let elapsed = started.elapsed();
                engine.quit();
                elapsed
            };
            (0..times).map(|_| once()).sum()
        });
    });
    group.bench_function("isready in a search", |bencher| {
        let mut engine = Engine::start();
        engine.send("go infinite");
        bencher.iter_custom(|times| (0..times).map(|_| engine.time_reply("isready", "readyok")).sum());
        engine.time_reply("stop", "bestmove");
        engine.quit();
    });
    for (name, pause) in [("stop to bestmove", 20), ("stop at once to bestmove", 0)] {
        group.bench_function(name, |bencher| {
            let mut engine = Engine::start();
            bencher.iter_custom(|times| {
                let mut once = || {
                    engine.send("go infinite");
                    std::thread::sleep(Duration::from_millis(pause));
                    engine.time_reply("stop", "bestmove")
                };
                (0..times).map(|_| once()).sum()
            });
            engine.quit();
        });
    }
    group.finish();
}

criterion_group!(benches, parser, process);
criterion_main!(benches);
