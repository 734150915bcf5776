//! The files that the program opens: regular files, and open pipes where an input is read once. Anything else gets one error
//! line and neither blocks the program nor fills its memory.
use crate::common::process::{Engine, Process, TempDir, command, info_strings, run};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};

const EPD: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#;\n";
const PGN: &str = "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

/// A directory with a file of problems, a file of games and a file of each type that is refused, with the name of its type.
fn refused_files(name: &str) -> (TempDir, [(String, &'static str); 4]) {
    let directory = TempDir::new(name);
    std::fs::write(directory.path("p.epd"), EPD).unwrap();
    std::fs::write(directory.path("g.pgn"), PGN).unwrap();
    let pipe = directory.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let folder = directory.path("folder");
    std::fs::create_dir_all(&folder).unwrap();
    let link = directory.path("link");
    std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
    let files =
        [(pipe, "a pipe"), ("/dev/zero".into(), "a device"), (link, "a device"), (folder, "a directory")];
    (directory, files)
}

#[test]
fn pipe_device_or_directory_is_refused_with_one_line() {
    let (directory, files) = refused_files("types");
    let [epd, pgn, data, out] = ["p.epd", "g.pgn", "data", "out"].map(|name| directory.path(name));
    let played = ["datagen", "--games", "1", "--nodes", "20", "--hash", "1", "--max-plies", "20"];
    assert_eq!(run(&[&played[..], &["--out", &data]].concat(), b"").0, 0);
    for (file, found) in &files {
        let file = file.as_str();
        for arguments in [
            &["analyse", file][..],
            &["analyse", &epd, "--depth", "1", "--out", file],
            &["analyse", &epd, "--depth", "1", "--out", file, "--resume"],
            &["analyse", &pgn, "--depth", "1", "--pgn", file],
            &["datagen", "--games", "1", "--out", file],
            &["datagen", "--games", "1", "--out", file, "--resume"],
            &["datagen", "--games", "1", "--out", &out, "--book", file],
            &["data", "check", file],
            &["data", "epd", file],
            &["tune", file],
            &["tune", &data, "--write", file],
            &["book", &pgn, "--min-games", "1", "--out", file],
        ] {
            let (code, stdout, stderr) = run(arguments, b"");
            let expected = format!("expected a regular file, found {found}");
            assert!(stderr.contains(&expected) && stderr.contains(file), "{arguments:?}: {stderr}");
            assert_eq!(
                (code, stdout.as_str(), stderr.lines().count()),
                (1, "", 1),
                "{arguments:?}: {stderr}"
            );
        }
        let mut engine = Engine::start(&["--search-log", file]);
        engine
            .send(&format!("setoption name Debug Log File value {file}\ngenfens 1 seed 1 book {file}\nwait"));
        let replies = engine.sync();
        let found = format!(": expected a regular file, found {found}, ");
        let messages = info_strings(&replies);
        assert!(
            messages.len() == 3 && messages.iter().all(|message| message.contains(&found)),
            "{replies:?}"
        );
    }
}

#[test]
fn output_that_is_an_input_or_another_output_is_refused() {
    let directory = TempDir::new("same");
    let [pgn, same_pgn, data, out, same_out] =
        ["g.pgn", "./g.pgn", "data", "out", "./out"].map(|name| directory.path(name));
    std::fs::write(&pgn, PGN).unwrap();
    let [linked_pgn, checkpoint] = ["linked.pgn", "out.checkpoint"].map(|name| directory.path(name));
    std::fs::hard_link(&pgn, &linked_pgn).unwrap();
    let played = ["datagen", "--games", "60", "--nodes", "20", "--hash", "1", "--max-plies", "40"];
    assert_eq!(run(&[&played[..], &["--out", &data]].concat(), b"").0, 0);
    let before = [&pgn, &data].map(|file| std::fs::read(file).unwrap());
    for (arguments, message) in [
        (
            &["book", &pgn, "--min-games", "1", "--out", &same_pgn][..],
            "expected a file to write, got one that is read",
        ),
        (&["train", &data, "--out", &data], "expected a file to write, got one that is read"),
        (
            &["train", &data, "--out", &out, "--curve", &same_out],
            "--curve, --out: expected two files, got one",
        ),
        (
            &["analyse", &pgn, "--out", &out, "--html", &same_out],
            "--html, --out: expected two files, got one",
        ),
        (
            &["analyse", &pgn, "--pgn", &linked_pgn, "--force"],
            "expected a file to write, got one that is read",
        ),
        (
            &["analyse", &pgn, "--eval-file", &data, "--html", &data, "--force"],
            "expected a file to write, got one that is read",
        ),
        (
            &["train", &data, "--init", &pgn, "--out", &pgn, "--force"],
            "expected a file to write, got one that is read",
        ),
        (
            &["train", &data, "--out", &out, "--curve", &checkpoint],
            "--curve, the checkpoint of --out: expected two files, got one",
        ),
        (
            &["datagen", "--games", "1", "--book", &pgn, "--out", &pgn],
            "expected a file to write, got one that is read",
        ),
    ] {
        let (code, stdout, stderr) = run(arguments, b"");
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
        assert_eq!((code, stdout.as_str(), stderr.lines().count()), (1, "", 1), "{arguments:?}: {stderr}");
    }
    assert_eq!([&pgn, &data].map(|file| std::fs::read(file).unwrap()), before);
    assert!(!std::fs::exists(&out).unwrap());
}

#[test]
fn output_replaces_only_what_the_program_made_unless_forced() {
    let directory = TempDir::new("own");
    let [pgn, own] = ["g.pgn", "own"].map(|name| directory.file(name, PGN));
    for arguments in [
        &["analyse", &pgn, "--depth", "1", "--pgn"][..],
        &["analyse", &pgn, "--depth", "1", "--html"],
        &["trace", "--variant", "tictactoe", "--depth", "1", "--html"],
        &["book", &pgn, "--min-games", "1", "--out"],
    ] {
        let write = |more: &[&str]| run(&[arguments, &[&own], more].concat(), b"");
        let (code, stdout, stderr) = write(&[]);
        assert!(
            code > 0 && stdout.is_empty() && stderr.contains("nothing is written (--force replaces it)"),
            "{stderr}"
        );
        assert_eq!(std::fs::read_to_string(&own).unwrap(), PGN, "{arguments:?}");
        assert_eq!(write(&["--force"]).0, 0, "{arguments:?}");
        assert_ne!(std::fs::read(&own).unwrap(), PGN.as_bytes());
        // Again: a page or annotated games have a mark, a book has none.
        assert_eq!(write(&[]).0 == 0, arguments[0] != "book", "{arguments:?}");
        std::fs::write(&own, PGN).unwrap();
    }
}

#[test]
fn file_whose_replacement_cannot_be_written_stays() {
    let directory = TempDir::new("limited");
    let [pgn, page] = ["g.pgn", "page.html"].map(|name| directory.file(name, PGN));
    // The page is larger than a file may be.
    let command =
        format!("ulimit -f 8; trap '' XFSZ; exec \"$0\" analyse {pgn} --depth 1 --html {page} --force");
    let mut shell = Command::new("sh");
    let Output { status, stderr, .. } = Process::start(
        shell
            .args(["-c", &command, env!("CARGO_BIN_EXE_duiyi")])
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped()),
    )
    .output();
    let stderr = String::from_utf8(stderr).unwrap();
    assert!(!status.success() && stderr.contains("page.html: "), "{stderr}");
    assert_eq!(std::fs::read_to_string(&page).unwrap(), PGN);
    assert_eq!(std::fs::read_dir(directory.path("")).unwrap().count(), 2, "no other file is left");
}

#[test]
fn file_behind_a_link_is_replaced_and_not_the_link() {
    let directory = TempDir::new("behind");
    let [pgn, book, link] = ["g.pgn", "book.bin", "link"].map(|name| directory.path(name));
    std::fs::write(&pgn, PGN).unwrap();
    std::fs::write(&book, "old").unwrap();
    std::os::unix::fs::symlink(&book, &link).unwrap();
    let (code, _, stderr) = run(&["book", &pgn, "--min-games", "1", "--out", &link, "--force"], b"");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read(&book).unwrap().len() % 16, 0);
    assert_eq!(std::fs::read_dir(directory.path("")).unwrap().count(), 3, "no other file is left");
}

#[test]
fn input_is_read_from_open_pipe_or_file() {
    let directory = TempDir::new("inputs");
    let epd = directory.path("p.epd");
    std::fs::write(&epd, EPD).unwrap();
    for file in ["-", "/dev/stdin", "/dev/fd/0"] {
        // A record of each position, the review of the game, and the last line.
        for (input, lines) in [(EPD, 1 + 1), (PGN, 5 + 1 + 1)] {
            let (code, stdout, stderr) = run(&["analyse", file, "--depth", "2", "--json"], input.as_bytes());
            assert!(code == 0 && !stderr.contains("skipped"), "{file}: {stderr}");
            assert_eq!(stdout.lines().count(), lines, "{file}: {stdout}");
        }
        let mut redirected = command(&["analyse", file, "--depth", "2"]);
        let Output { status, stderr, .. } =
            Process::start(redirected.stdin(std::fs::File::open(&epd).unwrap())).output();
        assert!(status.success(), "{file}: {}", String::from_utf8_lossy(&stderr));
        let mut device = command(&["analyse", file]);
        let output = Process::start(device.stdin(std::fs::File::open("/dev/zero").unwrap())).output();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(
            stderr.ends_with(": expected a regular file or a pipe, found a device\n"),
            "{file}: {stderr}"
        );
    }
}

/// A program that waits for an input can be ended by a signal.
#[test]
fn signal_ends_program_that_reads_unfinished_pipe() {
    for arguments in [["analyse", "-"], ["solve", "poj1568"]] {
        let mut process = Process::start(&mut command(&arguments));
        process.stdin.as_mut().unwrap().write_all(b"?\n....\n").unwrap();
        std::thread::sleep(std::time::Duration::from_millis(100));
        process.signal("TERM");
        assert_eq!(process.end().signal(), Some(15), "{arguments:?}");
    }
}

/// The memory that an endless input takes is limited.
#[test]
fn endless_input_is_refused() {
    let mut zeros = command(&["solve", "poj1568"]);
    let Output { status, stderr, .. } =
        Process::start(zeros.stdin(std::fs::File::open("/dev/zero").unwrap())).output();
    let stderr = String::from_utf8(stderr).unwrap();
    assert!(stderr.contains("expected at most 256 MiB, found more"), "{stderr}");
    assert_eq!(status.code(), Some(1));
}

/// The answers of a session of GTP to these lines.
fn gtp_answers(lines: &[String]) -> Vec<String> {
    let (code, stdout, stderr) = run(&["--protocol", "gtp"], lines.join("\n").as_bytes());
    assert_eq!((code, stderr.as_str()), (0, ""));
    stdout.split_terminator("\n\n").map(str::to_string).collect()
}

#[test]
fn record_that_gtp_writes_is_read_back_and_replaces_only_its_kind() {
    let (directory, refused) = refused_files("gtp");
    let [game, other, pgn] = ["game.sgf", "other.sgf", "g.pgn"].map(|name| directory.path(name));
    std::fs::write(&other, "(;GM[1]AP[Other:1];B[aa])").unwrap();
    let lines = |lines: &[&str]| lines.iter().map(|line| (*line).into()).collect::<Vec<String>>();
    let begin = ["boardsize 5", "komi 0.5", "kgs-rules aga", "play b c3", "play w b2", "play w pass"];
    let print = [&format!("printsgf {game}")[..], &format!("printsgf {game}"), &format!("printsgf {other}")];
    let answers = gtp_answers(&lines(&[&begin[..], &print, &["printsgf", "printsgf -"]].concat()));
    let expected = format!(
        "? save {other}: expected no file or a game saved by Duiyi, found another one; nothing is written, not saved"
    );
    assert_eq!(answers[6..9], ["=".into(), "=".into(), expected]);
    let record = std::fs::read_to_string(&game).unwrap();
    assert!(record.ends_with("]SZ[5]KM[0.5]RU[AGA]\n;B[cc];W[bd];W[])\n"), "{record}");
    assert_eq!(answers[9..], [format!("= {}", record.trim_end()), format!("= {}", record.trim_end())]);

    let load = |rest: &str| format!("loadsgf {game}{rest}");
    let asked =
        [load(""), "query_boardsize".into(), "get_komi".into(), "printsgf".into(), load(" 2"), load(" B2")];
    let answers = gtp_answers(&[&asked[..], &["showboard".into(), load(" 1"), load(" E5")]].concat());
    let passed = record.trim_end().replace(";W[])", ";B[];W[])").replace("RU[AGA]", "RU[AGA]RE[W+0.5]");
    assert_eq!(answers[..6], ["= black", "= 5", "= 0.5", &format!("= {passed}"), "= white", "= white"]);
    assert!(answers[6].ends_with("Fen: 5/5/2P2/5/5 w - 0 0.5 1"), "{}", answers[6]);
    assert_eq!(answers[7..], ["= black", "= black"]);

    let missing = directory.path("missing.sgf");
    let load = |path: &str| format!("loadsgf {path}");
    let asked = [load(&missing), load(&pgn), load(""), load(&format!("{game} x")), "query_boardsize".into()];
    let answers = gtp_answers(&asked);
    let begins = [
        "? cannot load ",
        "? cannot load ",
        "? missing filename: expected",
        "? syntax error: expected",
        "= 19",
    ];
    assert!(answers.iter().zip(begins).all(|(answer, begin)| answer.starts_with(begin)), "{answers:?}");
    assert!(answers[1].contains("g.pgn: expected a record of go, got "), "{answers:?}");
    for (file, found) in &refused {
        let answers = gtp_answers(&[format!("loadsgf {file}"), format!("printsgf {file}")]);
        let is_refused =
            |answer: &String| answer.starts_with('?') && answer.contains(&format!("found {found}"));
        assert!(answers.iter().all(is_refused), "{answers:?}");
    }
}
