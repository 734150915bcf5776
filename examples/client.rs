//! A client of the protocol: lets the program play a game against itself on the clock and prints moves and result.
//! `cargo run --example client -- ./duiyi [VARIANT [SECONDS]]`
//!
//! It uses nothing of the library and knows no rules, only `protocol.md`.

// The example prints the game, and on standard error the program's messages.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::io::{BufRead, BufReader, Error, Result, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

/// The program, which reads and writes lines.
struct Engine(Child, ChildStdin, BufReader<ChildStdout>);

impl Engine {
    fn start(path: &str) -> Result<Engine> {
        let mut child = Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Ok(Engine(child, input, BufReader::new(output)))
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.1, "{line}")
    }

    /// Returns the lines up to the first one that begins with `word`.
    fn read_until(&mut self, word: &str) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        for line in (&mut self.2).lines() {
            let line = line?;
            if line.starts_with("info string ") {
                eprintln!("{line}");
            }
            let is_last = line.split(' ').next() == Some(word);
            lines.push(line);
            if is_last {
                return Ok(lines);
            }
        }
        Err(Error::other(format!("expected {word:?} from the program, got the end of its output")))
    }

    /// Returns the result of the position, or `None` if the game goes on.
    fn result(&mut self) -> Result<Option<String>> {
        self.send("d\nisready")?;
        let lines = self.read_until("readyok")?;
        Ok(lines.iter().find_map(|line| line.strip_prefix("Result: ")).map(str::to_owned))
    }
}

/// Plays a game of `variant` and returns its moves and its result.
pub fn play(path: &str, variant: &str, seconds: f64) -> Result<(Vec<String>, String)> {
    // One clock for both sides: the program moves for both, so it has half the time for each.
    let (mut ms, increment, mut moves) = ((1000.0 * seconds) as i64, (10.0 * seconds) as i64, Vec::new());
    let mut engine = Engine::start(path)?;
    engine.send("uci")?;
    engine.read_until("uciok")?;
    engine.send(&format!("setoption name UCI_Variant value {variant}\nucinewgame\nposition startpos"))?;
    let result = loop {
        if let Some(result) = engine.result()? {
            break result;
        }
        let started_at = Instant::now();
        engine.send(&format!("go wtime {ms} winc {increment} btime {ms} binc {increment}"))?;
        let reply = engine.read_until("bestmove")?.pop().unwrap_or_default();
        ms = 1.max(ms + increment - started_at.elapsed().as_millis() as i64);
        moves.push(reply.split(' ').nth(1).unwrap_or_default().to_owned());
        println!("{} {}", moves.len(), moves[moves.len() - 1]);
        engine.send(&format!("position startpos moves {}", moves.join(" ")))?;
    };
    engine.send("quit")?;
    engine.0.wait()?;
    Ok((moves, result))
}

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or_else(|| Error::other("usage: client PROGRAM [VARIANT [SECONDS]]"))?;
    let variant = words.next().unwrap_or("chess".into());
    let seconds = words.next().map_or(Ok(2.0), |text| text.parse()).map_err(Error::other)?;
    let (_, result) = play(&path, &variant, seconds)?;
    println!("{result}");
    Ok(())
}
