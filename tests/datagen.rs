//! `duiyi datagen`, `duiyi data` and `duiyi train` as processes: reproducible games and networks, resumption, and one line
//! about every error.

use crate::common::process::{Process, TempDir, command};
use duiyi::data::{Blocks, Header, Writer};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn run(arguments: &[&str]) -> (bool, String, String) {
    let command = Command::new(env!("CARGO_BIN_EXE_duiyi")).args(arguments).stdin(Stdio::null()).output();
    let Output { status, stdout, stderr } = command.unwrap();
    (status.success(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Settings that generate games of some dozens of moves in a second.
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
fn output_depends_on_seed_not_threads_or_interruptions() {
    let directory = TempDir::new("same");
    let [one, two, other, cut] = ["one", "two", "other", "cut"].map(|name| directory.path(name));
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
    // Two runs, neither of them interrupted.
    std::fs::remove_file(&cut).unwrap();
    generate(&cut, &["--games", "25", "--seed", "5", "--resume"]);
    generate(&cut, &["--games", "60", "--seed", "5", "--resume"]);
    assert!(bytes(&cut) == whole);
    let (success, stdout, _) = run(&["data", "check", &cut]);
    assert!(success && stdout.starts_with("sound: 60 games, "), "{stdout}");
}

/// The header, and the blocks' numbers of games and their payloads.
fn blocks(bytes: &[u8]) -> (Header, Vec<u32>, Vec<u8>) {
    let mut blocks = Blocks::new(bytes).unwrap();
    let found: Vec<_> = blocks.by_ref().map(Result::unwrap).collect();
    let games = found.iter().map(|block| block.games).collect();
    (blocks.header().clone(), games, found.into_iter().flat_map(|block| block.payload).collect())
}

#[test]
fn parts_have_the_games_of_the_whole_file_each_in_a_block() {
    let directory = TempDir::new("part");
    let out = directory.path("out");
    generate(&out, &["--games", "9", "--seed", "5"]);
    let (header, _, games) = blocks(&bytes(&out));
    let mut joined = Vec::new();
    for [first, count] in [["0", "0"], ["0", "4"], ["4", "1"], ["5", "4"]] {
        let arguments = [&FAST[..], &["--seed", "5", "--part", first, count]].concat();
        let part = Command::new(env!("CARGO_BIN_EXE_duiyi")).args(&arguments).output().unwrap();
        assert!(part.status.success() && part.stderr.is_empty(), "{}", String::from_utf8_lossy(&part.stderr));
        let (part_header, counts, payload) = blocks(&part.stdout);
        assert_eq!(part_header, header);
        assert_eq!(counts, vec![1; count.parse().unwrap()]);
        joined.extend(payload);
    }
    assert!(joined == games, "{} bytes of games in the file, {} in parts", games.len(), joined.len());
}

#[test]
fn every_variant_generates_readable_files() {
    let directory = TempDir::new("games");
    for &variant in duiyi::variants::NAMES {
        let more = match variant {
            "chess" => &["--chess960", "--random-plies", "0"][..],
            "tictactoe4" => &["--random-plies", "2"],
            "cfour" => &["--random-plies", "4"],
            _ => &["--random-plies", "0..1"],
        };
        let out = directory.path(variant);
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
fn games_start_from_book_positions() {
    let directory = TempDir::new("book");
    let [book, out] = ["book.epd", "out"].map(|name| directory.path(name));
    let placement = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3";
    std::fs::write(&book, format!("# two\n{placement} w - - 0 1\n\n{placement} b - - bm e8e7; id \"x\";\n"))
        .unwrap();
    generate(&out, &["--games", "8", "--book", &book, "--random-plies", "0"]);
    let (_, lines, _) = run(&["data", "epd", "--all", &out]);
    assert!(
        lines.contains(&format!("{placement} w - - 0 1;"))
            && lines.contains(&format!("{placement} b - - 0 1;"))
    );
    std::fs::write(&book, "4k3/8 w - -\n").unwrap();
    let wrong = directory.path("wrong");
    let (success, _, stderr) = run(&["datagen", "--games", "1", "--book", &book, "--out", &wrong]);
    assert!(!success && stderr.contains("line 1: ") && stderr.lines().count() == 1, "{stderr}");
    assert!(!Path::new(&wrong).exists());
}

#[test]
fn genfens_openings_depend_on_seed() {
    let openings = |seed: u32| run(&[&format!("genfens 3 seed {seed} book None"), "quit"]).1;
    let first = openings(7);
    assert!(first.lines().count() == 3 && first.lines().all(|line| line.starts_with("info string genfens ")));
    assert_eq!(openings(7), first);
    assert_ne!(openings(8), first);
}

/// The header of a file as `duiyi data` and `data::Reader` read it.
fn header(path: &str) -> Header {
    Blocks::new(&bytes(path)[..]).unwrap().header().clone()
}

/// The value of `key` in the header's settings.
fn setting<'a>(header: &'a Header, key: &str) -> &'a str {
    let value = |word: &'a str| word.split_once('=').filter(|pair| pair.0 == key);
    header.settings.split(' ').find_map(value).unwrap_or_else(|| panic!("no {key} in {}", header.settings)).1
}

#[test]
fn header_of_new_file_names_commit_and_evaluation() {
    let directory = TempDir::new("header");
    let out = directory.path("out");
    generate(&out, &["--games", "1", "--evaluation", "classical"]);
    let header = header(&out);
    assert_eq!(setting(&header, "eval"), "classical");
    let commit = setting(&header, "commit");
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap().trim().to_string())
    };
    match git(&["ls-files", "--error-unmatch", "Cargo.toml"])
        .and_then(|_| git(&["rev-parse", "--short=7", "HEAD"]))
    {
        Some(head) => assert_eq!(commit.strip_suffix("-dirty").unwrap_or(commit), head),
        None => assert_eq!(commit, "unknown"),
    }
}

#[test]
fn resume_with_other_settings_is_refused() {
    let directory = TempDir::new("generations");
    let [out, old, book] = ["out", "old", "book.epd"].map(|name| directory.path(name));
    std::fs::write(&book, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1\n").unwrap();
    generate(&out, &["--games", "2", "--book", &book]);
    let current = header(&out);
    let refused = |path: &str, more: &[&str], expected: &str, found: &str| {
        let before = bytes(path);
        let arguments = ["--games", "3", "--out", path, "--book", &book, "--resume"];
        let (success, stdout, stderr) = run(&[&FAST[..], &arguments, more].concat());
        assert!(!success && stdout.is_empty() && bytes(path) == before, "{path}: {stdout}{stderr}");
        let differences =
            format!(": expected a file made with {expected}, found {found}; nothing is changed\n");
        assert!(stderr.contains(&format!("--resume: cannot continue {path}{differences}")), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    };
    // Files of another commit, of another evaluation, and of a version that wrote neither.
    let word = |key: &str| format!("{key}={}", setting(&current, key));
    let commit_and_evaluation = format!("{} {}", word("commit"), word("eval"));
    for (from, to, found) in [
        (word("commit"), "commit=0000000", "commit=0000000"),
        (word("eval"), "eval=89abcdef", "eval=89abcdef"),
        (commit_and_evaluation, "old", "old"),
    ] {
        let settings = current.settings.replace(&from, to);
        let other = Header { settings, ..current.clone() };
        Writer::new(std::fs::File::create(&old).unwrap(), &other).unwrap().finish().unwrap();
        refused(&old, &[], &from, found);
        assert!(run(&["data", "stats", &old]).1.contains(to));
    }
    refused(&out, &["--seed", "9", "--win-plies", "7"], "seed=9 win=1000x7", "seed=1 win=1000x5");
    // Another book with the same file name.
    std::fs::write(&book, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1\n").unwrap();
    let crc32 = format!("book-crc32={:08x}", crc32fast::hash(&bytes(&book)));
    refused(&out, &[], &crc32, &word("book-crc32"));
}

/// A run that ends only when it is stopped, after it has written its first block to `out`.
fn endless_run(out: &str) -> Process {
    let arguments = [&FAST[..], &["--out", out, "--games", "1000000"]].concat();
    let mut command = Command::new(env!("CARGO_BIN_EXE_duiyi"));
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped());
    let process = Process::start(&mut command);
    let started = Instant::now();
    while std::fs::metadata(out).map_or(0, |file| file.len()) < 5000 {
        assert!(
            started.elapsed() < Duration::from_secs(600),
            "expected 5000 bytes in {out}, found fewer after 600 s"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    process
}

#[test]
fn second_run_on_same_file_is_refused() {
    let directory = TempDir::new("second");
    let out = directory.path("out");
    let first = endless_run(&out);
    let arguments = [&FAST[..], &["--out", &out, "--games", "1000000", "--resume"]].concat();
    let (success, stdout, stderr) = run(&arguments);
    drop(first);
    assert!(!success && stdout.is_empty(), "{stdout}");
    let reason = "expected no other writer, found that another run is writing the file; nothing is changed\n";
    assert!(stderr.ends_with(reason) && stderr.lines().count() == 1, "{stderr}");
    // The lock ended with the first run.
    generate(&out, &["--resume", "--games", "1"]);
}

#[cfg(unix)]
#[test]
fn sigint_leaves_valid_file() {
    let directory = TempDir::new("interrupt");
    let [out, whole] = ["out", "whole"].map(|name| directory.path(name));
    let mut run_to_stop = endless_run(&out);
    run_to_stop.signal("INT");
    assert_eq!(run_to_stop.end().code(), Some(130));
    let (success, stdout, _) = run(&["data", "check", &out]);
    let games = stdout.split(' ').nth(1).unwrap();
    assert!(success && games.parse::<u32>().unwrap() > 0, "{stdout}");
    generate(&whole, &["--games", games]);
    assert!(bytes(&out) == bytes(&whole));
}

#[test]
fn joined_parts_are_the_file_of_one_run() {
    let directory = TempDir::new("join");
    let [whole, joined, other] = ["whole", "joined", "other"].map(|name| directory.path(name));
    generate(&whole, &["--games", "24"]);
    let part = |first: &str, count: &str| {
        let arguments = [&FAST[..], &["--part", first, count]].concat();
        let Output { stdout, .. } =
            Command::new(env!("CARGO_BIN_EXE_duiyi")).args(arguments).stdin(Stdio::null()).output().unwrap();
        directory.file(&format!("part{first}"), stdout)
    };
    let parts = [part("0", "10"), part("10", "13"), part("23", "1")];
    let join = |more: &[&str]| {
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        run(&[&["data", "join", &joined], &parts[..], more].concat())
    };
    let (success, stdout, stderr) = join(&[]);
    assert!(success && stdout.starts_with("24 games, "), "{stdout}{stderr}");
    assert!(bytes(&joined) == bytes(&whole));
    let (success, _, stderr) = join(&[]);
    assert!(
        !success && stderr.contains("joined exists; --resume") && stderr.lines().count() == 1,
        "{stderr}"
    );
    assert!(bytes(&joined) == bytes(&whole));

    std::fs::remove_file(&joined).unwrap();
    generate(&other, &["--games", "1", "--seed", "77"]);
    let (success, _, stderr) = join(&[&other]);
    let expected = "expected a file made with seed=1, as the first one, found seed=77";
    assert!(!success && stderr.contains(expected) && stderr.contains(&other), "{stderr}");
    assert!(!Path::new(&joined).exists());
    let (success, _, stderr) = run(&["data", "join", &parts[0], &parts[0]]);
    assert!(!success && stderr.contains("expected a file to write, got one that is read"), "{stderr}");
}

#[test]
fn join_reads_names_and_continues_a_file_up_to_its_limit() {
    let directory = TempDir::new("names");
    let [whole, joined] = ["whole", "joined"].map(|name| directory.path(name));
    generate(&whole, &["--games", "24"]);
    let join = |names: &str| {
        let words = ["data", "join", &joined, "-", "--resume", "--games", "20"];
        let mut process = Process::start(&mut command(&words));
        // It may have ended with an error.
        let _ = process.stdin.take().unwrap().write_all(names.as_bytes());
        let Output { stdout, stderr, .. } = process.output();
        let games = |line: &str| line.split_once(" games, ").unwrap().0.parse().unwrap();
        let counts: Vec<u32> = String::from_utf8(stdout).unwrap().lines().map(games).collect();
        (counts, String::from_utf8(stderr).unwrap())
    };
    assert_eq!(join(""), (vec![0], String::new()));
    assert!(!Path::new(&joined).exists());
    assert_eq!(join(&format!("{whole}\n")), (vec![0, 20], String::new()));
    assert_eq!(join(&format!("{whole}\n")), (vec![20, 20], String::new()));
    generate(&directory.path("first"), &["--games", "20"]);
    assert!(bytes(&joined) == bytes(&directory.path("first")));
    let (counts, error) = join("/no/file\n");
    assert!(counts == [20] && error.contains("/no/file") && error.lines().count() == 1, "{error}");
    // The header is cut, then the games are damaged.
    std::fs::write(&joined, &bytes(&joined)[..9]).unwrap();
    assert_eq!(join(&format!("{whole}\n")).0, [0, 20]);
    let end = bytes(&joined).len() - 1;
    std::fs::write(&joined, &bytes(&joined)[..end]).unwrap();
    let (counts, error) = join("");
    assert!(counts[0] < 20 && error.contains(" bytes are cut off, their games are played again"), "{error}");
    std::fs::write(&joined, "mine").unwrap();
    let (counts, error) = join(&whole);
    assert!(
        counts.is_empty() && error.contains("expected a file of games") && bytes(&joined) == b"mine",
        "{error}"
    );
}

#[test]
fn resume_of_damaged_file_says_what_is_lost() {
    let directory = TempDir::new("damaged");
    let [whole, damaged] = ["whole", "damaged"].map(|name| directory.path(name));
    generate(&whole, &["--games", "30"]);
    let mut bytes_of_damaged = bytes(&whole);
    let middle = bytes_of_damaged.len() / 2;
    bytes_of_damaged[middle] ^= 4;
    std::fs::write(&damaged, bytes_of_damaged).unwrap();
    let (success, _, stderr) = run(&[&FAST[..], &["--out", &damaged, "--games", "30", "--resume"]].concat());
    let begin = format!("--resume: {damaged}: damaged at byte ");
    assert!(success && stderr.lines().any(|line| line.starts_with(&begin)), "{stderr}");
    assert!(stderr.contains(" bytes are cut off, their games are played again"), "{stderr}");
    assert!(bytes(&damaged) == bytes(&whole));
}

#[test]
fn errors_are_reported_in_one_line() {
    let directory = TempDir::new("faults");
    let [out, text] = ["out", "text"].map(|name| directory.path(name));
    generate(&out, &["--games", "3"]);
    std::fs::write(&text, "no games here, only text").unwrap();
    let mut damaged = bytes(&out);
    let last = damaged.len() - 1;
    damaged[last] ^= 4;
    let broken = directory.path("broken");
    std::fs::write(&broken, damaged).unwrap();
    let missing = directory.path("missing");
    for (arguments, expected) in [
        (&["datagen", "--games", "3", "--out", &out][..], "exists; --resume continues it"),
        (&["datagen", "--games", "3", "--out", &out, "--resume"], "expected a file made with"),
        (&["datagen", "--games", "3", "--out", &text, "--resume"], "expected a file of games"),
        (&["datagen", "--games", "3", "--out", &missing, "--variant", "ludo"], "--variant: expected chess"),
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

/// Settings that train a network on a few games in a second.
const TRAIN: [&str; 6] = ["train", "--batch", "256", "--warm-up", "4", "--epochs"];

#[test]
fn training_twice_or_with_an_interruption_gives_the_same_network() {
    let directory = TempDir::new("train");
    let [games, one, two, cut] = ["games", "one", "two", "cut"].map(|name| directory.path(name));
    generate(&games, &["--games", "60", "--seed", "3"]);
    let train = |out: &str, more: &[&str]| {
        let (success, stdout, stderr) = run(&[&TRAIN[..], &["12", &games, "--out", out], more].concat());
        assert!(success, "{stderr}");
        stdout
    };
    let curve = directory.path("curve");
    let table = train(&one, &["--curve", &curve]);
    let loss = |line: &str| line.split_whitespace().nth(1).and_then(|text| text.parse::<f64>().ok());
    let losses: Vec<f64> = table.lines().filter(|line| line.starts_with("   ")).filter_map(loss).collect();
    assert!(losses.len() == 12 && losses[11] < 0.2 * losses[0], "{table}");
    let lines = std::fs::read_to_string(&curve).unwrap();
    let from_curve = |line: &str| -> f64 {
        serde_json::from_str::<serde_json::Value>(line).unwrap()["training"].as_f64().unwrap()
    };
    assert!(lines.lines().map(from_curve).zip(losses).all(|(one, other)| (one - other).abs() < 1e-6));
    assert!(!table.contains("--warm-up"), "{table}");
    train(&two, &[]);
    assert!(bytes(&one) == bytes(&two));
    let (_, text, _) = run(&["train", "--batch", "256", "--epochs", "1", &games, "--out", &two, "--force"]);
    assert!(text.contains("the rate rises in the whole first epoch"), "{text}");

    let network = duiyi::nnue::Network::from_bytes(&bytes(&one)).unwrap();
    assert_eq!(network.variant, "chess");
    assert!(network.description.contains(" epochs=12 "), "{}", network.description);

    // Ends after at least one epoch, whenever that is.
    let arguments = [&TRAIN[..], &["12", &games, "--out", &cut]].concat();
    let mut process = Process::start(
        Command::new(env!("CARGO_BIN_EXE_duiyi"))
            .args(&arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null()),
    );
    let started = Instant::now();
    while !Path::new(&format!("{cut}.checkpoint")).exists() && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    train(&cut, &["--resume"]);
    assert!(bytes(&one) == bytes(&cut));

    let (success, _, stderr) = run(&[&TRAIN[..], &["13", &games, "--out", &cut, "--resume"]].concat());
    assert!(!success && stderr.contains("expected a run with") && stderr.lines().count() == 1, "{stderr}");
}

#[test]
fn training_killed_while_it_writes_leaves_nothing_and_no_epoch_twice() {
    let directory = TempDir::new("train-killed");
    let [games, out, curve] = ["games", "out", "curve"].map(|name| directory.path(name));
    generate(&games, &["--games", "30", "--seed", "3"]);
    let train = |epochs: &str, more: &[&str]| {
        let arguments = [&TRAIN[..], &[epochs, &games, "--out", &out, "--curve", &curve], more].concat();
        let (success, _, stderr) = run(&arguments);
        assert!(success, "{stderr}");
    };
    let epochs = || -> Vec<u64> {
        let text = std::fs::read_to_string(&curve).unwrap();
        let epoch =
            |line| serde_json::from_str::<serde_json::Value>(line).unwrap()["epoch"].as_u64().unwrap();
        text.lines().map(epoch).collect()
    };
    train("3", &[]);
    let network = bytes(&out);
    // Killed after the curve has the first epoch, while the checkpoint is written.
    std::fs::remove_file(format!("{out}.checkpoint")).unwrap();
    std::fs::remove_file(&out).unwrap();
    directory.file("out.checkpoint.duiyi-new", "a part");
    directory.file("out.duiyi-new", "a part");
    train("3", &["--resume"]);
    assert!(bytes(&out) == network);
    let mut names: Vec<_> = directory
        .0
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["curve", "games", "out", "out.checkpoint"]);
    assert_eq!(epochs(), [1, 2, 3]);
    train("3", &["--force"]);
    assert_eq!(epochs(), [1, 2, 3, 1, 2, 3], "another run");
    std::fs::write(&curve, "a text\n").unwrap();
    let (success, _, stderr) =
        run(&[&TRAIN[..], &["3", &games, "--out", &out, "--force", "--curve", &curve]].concat());
    assert!(!success && stderr.contains("expected a curve of duiyi train, found another file"), "{stderr}");
    assert_eq!(std::fs::read_to_string(&curve).unwrap(), "a text\n");
}

#[test]
fn games_that_the_limit_of_plies_ends_teach_their_scores_alone() {
    let directory = TempDir::new("short");
    let [games, short, out] = ["games", "short", "out"].map(|name| directory.path(name));
    generate(&games, &["--games", "40", "--seed", "4"]);
    let epd = |file: &str| {
        let (success, positions, stderr) = run(&["data", "epd", file]);
        assert!(success, "{stderr}");
        positions.lines().map(str::to_string).collect::<Vec<_>>()
    };
    let book: String =
        epd(&games).iter().map(|line| format!("{}\n", line.split(';').next().unwrap())).collect();
    let book = directory.file("book.epd", &book);
    let off_the_games = ["--games", "300", "--book", &book, "--random-plies", "1..2", "--max-plies", "5"];
    let (success, _, stderr) = run(&[&FAST[..5], &["--out", &short], &off_the_games].concat());
    assert!(success, "{stderr}");
    // The filter keeps positions of a game from a book from its first ply on.
    let positions = epd(&short);
    let without_result = positions.iter().filter(|line| line.ends_with(";*")).count();
    assert!(positions.len() > 300 && without_result > 9 * positions.len() / 10, "{without_result}");
    let (success, statistics, _) = run(&["data", "stats", &short]);
    let draws =
        statistics.lines().find_map(|line| line.strip_prefix("results    White ")?.split(", draw ").nth(1));
    let draws: usize =
        draws.and_then(|rest| rest.split(' ').next()?.parse().ok()).expect("a number of draws");
    assert!(success && draws < 30, "{statistics}");
    let (success, table, stderr) = run(&[&TRAIN[..], &["1", &games, &short, "--out", &out]].concat());
    assert!(success, "{stderr}");
    let scales: Vec<_> = table.lines().take(2).map(|line| line.split(", scale ").last().unwrap()).collect();
    assert_eq!(scales[0], scales[1], "{table}");
    // Alone they need a scale.
    let alone = [&TRAIN[..], &["1", &short, "--out", &out, "--force"]].concat();
    let (success, _, stderr) = run(&alone);
    assert!(!success && stderr.starts_with("error: expected --score-scale, or a file whose "), "{stderr}");
    let (success, table, stderr) = run(&[&alone[..], &["--score-scale", "120"]].concat());
    assert!(success && table.lines().take(2).all(|line| line.ends_with(" scale 120.0")), "{table}{stderr}");
    let network = duiyi::nnue::Network::from_bytes(&bytes(&out)).unwrap();
    assert!(network.scale == 120 && network.description.contains(" score-scale=120 "));
}

#[test]
fn training_from_a_network_begins_with_its_weights() {
    let directory = TempDir::new("train-init");
    let [games, first, next, bad] = ["games", "first", "next", "bad"].map(|name| directory.path(name));
    generate(&games, &["--games", "40", "--seed", "4"]);
    let (success, ..) = run(&[&TRAIN[..], &["10", &games, "--out", &first, "--labels", "static"]].concat());
    assert!(success);
    // With a rate of zero nothing changes.
    let frozen =
        ["1", &games, "--out", &next, "--init", &first, "--rate", "0", "--final-rate", "0", "--scale", "171"];
    let (success, _, stderr) = run(&[&TRAIN[..], &frozen].concat());
    assert!(success, "{stderr}");
    let [one, other] = [&first, &next].map(|path| duiyi::nnue::Network::from_bytes(&bytes(path)).unwrap());
    assert_eq!((one.inputs, one.bias, one.outputs), (other.inputs, other.bias, other.outputs));
    assert_eq!(other.scale, 171);

    let (success, _, stderr) = run(&[&TRAIN[..], &frozen].concat());
    let refused = format!(
        "error: --out {next}: expected no file, found another one; nothing is written (--force replaces it)\n"
    );
    assert!(!success && stderr == refused, "{stderr}");
    assert!(run(&[&TRAIN[..], &frozen, &["--force"]].concat()).0);
    std::fs::remove_file(&next).unwrap();

    // From two networks: the means of their weights.
    let second = directory.path("second");
    assert!(run(&[&TRAIN[..], &["3", &games, "--out", &second, "--init", &first]].concat()).0);
    let mean = ["0", &games, "--out", &next, "--init", &first, "--init", &second];
    let (success, _, stderr) = run(&[&TRAIN[..], &mean].concat());
    assert!(success, "{stderr}");
    let [one, two, mean] =
        [&first, &second, &next].map(|path| duiyi::nnue::Network::from_bytes(&bytes(path)).unwrap());
    let weights = |network: &duiyi::nnue::Network| -> Vec<i16> {
        network.inputs.iter().flat_map(|lanes| lanes.0).collect()
    };
    let (one, two, mean) = (weights(&one), weights(&two), weights(&mean));
    assert!(one.iter().zip(&two).filter(|(one, two)| one != two).count() > one.len() / 100);
    let is_mean = |((one, two), mean): ((&i16, &i16), &i16)| (one + two - 2 * mean).abs() <= 1;
    assert!(one.iter().zip(&two).zip(&mean).all(is_mean));
    std::fs::remove_file(&next).unwrap();

    std::fs::write(&bad, &bytes(&first)[..1000]).unwrap();
    let (success, _, stderr) = run(&[&TRAIN[..], &["1", &games, "--out", &next, "--init", &bad]].concat());
    assert!(!success && stderr.starts_with("error: --init: ") && stderr.lines().count() == 1, "{stderr}");
    let (success, _, stderr) = run(&[&TRAIN[..], &["1", &bad, "--out", &next]].concat());
    assert!(!success && stderr.contains(&bad) && stderr.lines().count() == 1, "{stderr}");
    let (success, _, stderr) =
        run(&[&TRAIN[..], &["1", &games, "--out", &next, "--variant", "tree"]].concat());
    let expected = format!("expected {}, got \"tree\"", duiyi::variants::NETWORK.join(", "));
    assert!(!success && stderr.contains(&expected), "{stderr}");
}
