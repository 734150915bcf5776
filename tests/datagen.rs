//! `duiyi datagen` and `duiyi data` as programs: the same games whatever happens, and one line about every fault.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder that goes away with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("duiyi-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().into()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run(arguments: &[&str]) -> (bool, String, String) {
    let command = Command::new(env!("CARGO_BIN_EXE_duiyi")).args(arguments).stdin(Stdio::null()).output();
    let Output { status, stdout, stderr } = command.unwrap();
    (status.success(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Settings that make games of some dozens of moves in a second.
const FAST: [&str; 7] = ["datagen", "--nodes", "60", "--hash", "1", "--max-plies", "120"];

fn generate(out: &str, more: &[&str]) {
    let arguments = [&FAST[..], &["--out", out], more].concat();
    let (success, _, stderr) = run(&arguments);
    assert!(success, "{arguments:?}: {stderr}");
}

fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(Path::new(path)).unwrap()
}

#[test]
fn games_depend_on_the_seed_and_not_on_threads_or_interruptions() {
    let scratch = Scratch::new("same");
    let [one, two, other, cut] = ["one", "two", "other", "cut"].map(|name| scratch.file(name));
    generate(&one, &["--games", "60", "--seed", "5"]);
    generate(&two, &["--games", "60", "--seed", "5", "--threads", "3"]);
    generate(&other, &["--games", "60", "--seed", "6"]);
    let whole = bytes(&one);
    assert!(whole == bytes(&two) && whole != bytes(&other));
    for length in [0, 7, whole.len() / 3, whole.len() - 1, whole.len()] {
        std::fs::write(&cut, &whole[..length]).unwrap();
        generate(&cut, &["--games", "60", "--seed", "5", "--threads", "2", "--resume"]);
        assert!(bytes(&cut) == whole, "cut at {length}");
    }
    // In two halves, each with an orderly end.
    std::fs::remove_file(&cut).unwrap();
    generate(&cut, &["--games", "25", "--seed", "5", "--resume"]);
    generate(&cut, &["--games", "60", "--seed", "5", "--resume"]);
    assert!(bytes(&cut) == whole);
    let (success, stdout, _) = run(&["data", "check", &cut]);
    assert!(success && stdout.starts_with("sound: 60 games, "), "{stdout}");
}

#[test]
fn every_game_can_be_played_and_read() {
    let scratch = Scratch::new("games");
    for (variant, more) in [
        ("chess", &["--chess960", "--random-plies", "0"][..]),
        ("tictactoe", &["--random-plies", "0..2"]),
        ("tictactoe4", &["--random-plies", "2"]),
        ("trianglewar", &["--random-plies", "1..4"]),
        ("gametree", &["--random-plies", "0..1"]),
    ] {
        let out = scratch.file(variant);
        generate(&out, &[&["--games", "12", "--variant", variant], more].concat());
        let (success, stdout, stderr) = run(&["data", "check", &out]);
        assert!(success && stdout.starts_with("sound: 12 games, "), "{variant}: {stdout}{stderr}");
        let (_, lines, _) = run(&["data", "epd", "--all", &out]);
        let (_, stats, _) = run(&["data", "stats", "--all", &out]);
        let counted = stats.lines().find_map(|line| line.strip_prefix("positions  ")).unwrap();
        assert!(counted.starts_with(&format!("{}, kept", lines.lines().count())), "{variant}: {counted}");
        assert!(lines.lines().all(|line| line.split(';').count() == 4), "{lines}");
    }
}

#[test]
fn a_book_is_where_games_begin() {
    let scratch = Scratch::new("book");
    let [book, out] = ["book.epd", "out"].map(|name| scratch.file(name));
    let men = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3";
    std::fs::write(&book, format!("# two\n{men} w - - 0 1\n\n{men} b - - bm e8e7; id \"x\";\n")).unwrap();
    generate(&out, &["--games", "8", "--book", &book, "--random-plies", "0"]);
    let (_, lines, _) = run(&["data", "epd", "--all", &out]);
    assert!(lines.contains(&format!("{men} w - - 0 1;")) && lines.contains(&format!("{men} b - - 0 1;")));
    std::fs::write(&book, "4k3/8 w - -\n").unwrap();
    let wrong = scratch.file("wrong");
    let (success, _, stderr) = run(&["datagen", "--games", "1", "--book", &book, "--out", &wrong]);
    assert!(!success && stderr.contains("line 1: ") && stderr.lines().count() == 1, "{stderr}");
    assert!(!Path::new(&wrong).exists());
}

#[test]
fn openings_depend_on_the_seed() {
    let openings = |seed: u32| run(&[&format!("genfens 3 seed {seed} book None"), "quit"]).1;
    let first = openings(7);
    assert!(first.lines().count() == 3 && first.lines().all(|line| line.starts_with("info string genfens ")));
    assert_eq!(openings(7), first);
    assert_ne!(openings(8), first);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_sound_file() {
    let scratch = Scratch::new("interrupt");
    let [out, whole] = ["out", "whole"].map(|name| scratch.file(name));
    let mut child = Command::new(env!("CARGO_BIN_EXE_duiyi"))
        .args([&FAST[..], &["--out", &out, "--games", "1000000"]].concat())
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // A first block says that the games have begun.
    let begun = Instant::now();
    while std::fs::metadata(&out).map_or(0, |file| file.len()) < 5000 {
        assert!(begun.elapsed() < Duration::from_secs(600), "nothing is written");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert!(child.wait().unwrap().success());
    let (success, stdout, _) = run(&["data", "check", &out]);
    let games = stdout.split(' ').nth(1).unwrap();
    assert!(success && games.parse::<u32>().unwrap() > 0, "{stdout}");
    generate(&whole, &["--games", games]);
    assert!(bytes(&out) == bytes(&whole));
}

#[test]
fn faults_get_one_line() {
    let scratch = Scratch::new("faults");
    let [out, text] = ["out", "text"].map(|name| scratch.file(name));
    generate(&out, &["--games", "3"]);
    std::fs::write(&text, "no games here, only text").unwrap();
    let mut damaged = bytes(&out);
    let last = damaged.len() - 1;
    damaged[last] ^= 4;
    let broken = scratch.file("broken");
    std::fs::write(&broken, damaged).unwrap();
    let missing = scratch.file("missing");
    for (arguments, expected) in [
        (&["datagen", "--games", "3", "--out", &out][..], "exists; --resume continues it"),
        (&["datagen", "--games", "3", "--out", &out, "--resume"], "expected a file made by"),
        (&["datagen", "--games", "3", "--out", &text, "--resume"], "expected a file of games"),
        (&["datagen", "--games", "3", "--out", &missing, "--variant", "go"], "--variant: expected chess"),
        (&["data", "check", &text], "expected a file of games"),
        (&["data", "check", &broken], "expected checksum"),
        (&["data", "stats", &missing], "missing: "),
    ] {
        let (success, stdout, stderr) = run(arguments);
        assert!(!success && stdout.is_empty(), "{arguments:?}: {stdout}");
        assert!(stderr.contains(expected) && stderr.lines().count() == 1, "{arguments:?}: {stderr}");
    }
    assert!(!Path::new(&missing).exists());
}
