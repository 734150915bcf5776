//! Resource limits and faults, tested with the real program: no memory, no threads, a full disk, signals, and clients that
//! disconnect, stall or flood. `docs/guarantees.md` lists the guarantees.
use crate::common::process::{Engine, Process, TIMEOUT, TempDir, command, info_strings, nodes_and_bestmove};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::Command;
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;

/// States of the program: a name, and the commands that lead to the state.
const STATES: [(&str, &str); 6] = [
    ("idle", "position startpos"),
    ("searching", "go movetime 600000"),
    ("infinite", "go infinite"),
    ("pondering", "go ponder wtime 60000 btime 60000"),
    ("two threads", "setoption name Threads value 2\ngo infinite"),
    ("counting", "go perft 60"),
];

/// Starts the program and sends `lines`.
fn start_with(lines: &str) -> Engine {
    let mut engine = Engine::start(&[]);
    engine.send(lines);
    engine.sync();
    engine
}

/// Limits a system resource in the process that `command` starts.
fn limit(command: &mut Command, resource: libc::__rlimit_resource_t, max: u64) {
    let limit = libc::rlimit { rlim_cur: max, rlim_max: max };
    // SAFETY: `setrlimit` is async-signal-safe, and `limit` lives as long as the closure.
    unsafe {
        command.pre_exec(move || match libc::setrlimit(resource, &limit) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
}

/// Starts the program with an address space of at most `megabytes` MiB.
fn with_memory(megabytes: u64) -> Engine {
    let mut command = command(&[]);
    limit(&mut command, libc::RLIMIT_AS, megabytes * MIB);
    Engine::spawn(command, crossbeam_channel::unbounded())
}

fn signal(engine: &Engine, signal: i32) {
    // SAFETY: `kill` accesses no memory. The child was not waited for, so its process id is still its own.
    assert_eq!(unsafe { libc::kill(engine.child.id() as i32, signal) }, 0);
}

/// Resident memory of the process in KiB.
fn resident_kib(engine: &Engine) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn hash_too_large_keeps_old_table() {
    let two_searches = |between: &str| {
        let mut engine = with_memory(400);
        engine.search("go depth 7");
        engine.send(between);
        let replies = engine.sync();
        (replies, nodes_and_bestmove(&engine.search("go depth 9")))
    };
    let (replies, expected) = two_searches("");
    assert_eq!(replies, ["readyok"]);
    let (replies, second) = two_searches("setoption name Hash value 2000");
    assert_eq!(
        replies[0],
        "info string option Hash: no memory for a table of 2000 MiB, value not changed (16 MiB)"
    );
    assert_eq!((replies.len(), second), (2, expected));
}

/// Tries table sizes up to the limit of the address space: every search must still return a move.
#[test]
fn hash_of_any_size_leaves_memory_for_search() {
    for hash in (60..300).step_by(6) {
        let mut engine = with_memory(300);
        engine.send(&format!("setoption name Hash value {hash}\nsetoption name Threads value 3"));
        engine.search("go depth 6");
        engine.send("ucinewgame");
        engine.search("go nodes 5000");
        engine.send("quit");
        assert_eq!(engine.exit_code(), Some(0), "Hash {hash}");
    }
}

#[test]
fn thread_creation_failure_is_reported_and_search_continues() {
    let reports_fewer_threads = |message: &str| {
        message.starts_with("cannot start more search threads (") && message.contains("searching with ")
    };
    // Even without any thread the engine plays a move.
    let reports_no_thread = |message: &str| {
        message.starts_with("error: cannot start a thread: ")
            || message.contains("not enough memory for a search")
    };
    // With less than 25 MiB the program itself is not loaded.
    for megabytes in (28..128).chain((128..1200).step_by(40)) {
        let mut engine = with_memory(megabytes);
        let is_tight = megabytes < 100;
        engine.send("isready");
        if engine.read_line().is_none() {
            assert!(megabytes < 50, "{megabytes} MiB");
            let (code, error) = (engine.exit_code(), engine.stderr_text());
            assert_eq!(code, Some(1), "{megabytes} MiB: {error}");
            let is_expected = error.contains("cannot start the thread \"")
                || error.contains("no memory for a table of 16 MiB");
            assert!(is_expected, "{megabytes} MiB: {error}");
            continue;
        }
        engine.send("setoption name Threads value 1024");
        let lines = engine.search("go nodes 20000");
        let is_expected =
            |message: &&str| reports_fewer_threads(message) || (is_tight && reports_no_thread(message));
        let messages = info_strings(&lines);
        assert!(messages.len() == 1 && messages.iter().all(is_expected), "{megabytes} MiB: {messages:?}");
        engine.send("setoption name Threads value 1");
        let replies = engine.search("go depth 5");
        assert!(
            info_strings(&replies).iter().all(|message| is_tight && reports_no_thread(message)),
            "{megabytes} MiB: {replies:?}"
        );
        engine.send("quit");
        assert_eq!(engine.exit_code(), Some(0), "{megabytes} MiB");
    }
}

#[test]
fn hash_memory_is_resident_before_readyok() {
    let mut engine = start_with("setoption name Hash value 1");
    engine.sync();
    let before = resident_kib(&engine);
    for (megabytes, expected) in [(200, 190), (400, 390)] {
        engine.send(&format!("setoption name Hash value {megabytes}"));
        engine.sync();
        let growth = resident_kib(&engine).saturating_sub(before);
        assert!(growth > expected << 10, "{growth} KiB more for a table of {megabytes} MiB");
    }
    // Also for the second game.
    engine.send("setoption name UCI_Variant value tictactoe\nucinewgame");
    engine.sync();
    let growth = resident_kib(&engine).saturating_sub(before);
    assert!(growth > 390 << 10, "{growth} KiB more after another game");
}

#[test]
fn search_threads_run_before_readyok() {
    let mut engine = start_with("setoption name Threads value 64");
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.child.id())).unwrap();
    let threads: u32 =
        status.lines().find_map(|line| line.strip_prefix("Threads:")).unwrap().trim().parse().unwrap();
    assert!(threads > 63, "{threads} threads");
    engine.search("go nodes 5000");
}

#[test]
fn signal_ends_process_and_leaves_complete_log_lines() {
    let directory = TempDir::new("signals");
    for (name, state) in STATES {
        for number in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            // A process inherits ignored signals from `nohup` or a shell's `&`, so the default is restored.
            // SAFETY: `SIG_DFL` installs no handler.
            unsafe { libc::signal(number, libc::SIG_DFL) };
            let (protocol_log, search_log) = (directory.path("a.log"), directory.path("a.jsonl"));
            let logs = format!(
                "setoption name Debug Log File value {protocol_log}\nsetoption name Search Log File value {search_log}"
            );
            let mut engine = start_with(&logs);
            engine.search("go depth 3");
            engine.send(state);
            engine.sync();
            signal(&engine, number);
            assert_eq!(engine.wait().signal(), Some(number), "{name}");
            let protocol_log = std::fs::read_to_string(protocol_log).unwrap();
            assert!(
                protocol_log.ends_with('\n') && protocol_log.contains(" << bestmove "),
                "{name}: {protocol_log}"
            );
            let search_log = std::fs::read_to_string(search_log).unwrap();
            assert!(search_log.ends_with('\n'), "{name}: {search_log}");
            search_log
                .lines()
                .for_each(|line| drop(serde_json::from_str::<serde_json::Value>(line).unwrap()));
        }
    }
}

#[test]
fn suspended_process_resumes() {
    for (name, state) in STATES {
        let mut engine = start_with(state);
        signal(&engine, libc::SIGSTOP);
        engine.send("isready");
        std::thread::sleep(Duration::from_millis(100));
        signal(&engine, libc::SIGCONT);
        engine.read_until("readyok");
        engine.send("stop");
        let replies = engine.sync();
        let answers = replies.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert!(answers <= 1, "{name}: {replies:?}");
        if answers == 0 && state.starts_with("go") && !state.contains("perft") {
            engine.read_until("bestmove ");
        }
        engine.send("setoption name Threads value 1\nucinewgame\nwait");
        assert!(
            info_strings(&engine.search("go depth 5")).iter().all(|message| *message == "perft stopped"),
            "{name}"
        );
    }
}

#[test]
fn closed_stdout_ends_process_in_every_state() {
    for (name, state) in STATES {
        let mut engine = start_with(state);
        engine.close_output();
        // The test closes its end of the pipe after the next line. The write after that fails.
        let started = Instant::now();
        while started.elapsed() < TIMEOUT && engine.is_running() {
            engine.send("isready");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!((engine.exit_code(), engine.stderr_text().as_str()), (Some(0), ""), "{name}");
    }
}

/// Starts `command`, sends `lines` and waits for `readyok`. Nothing reads the output after that.
fn start_without_reader(mut command: Command, lines: &str) -> Engine {
    let (mut reader, writer) = std::io::pipe().unwrap();
    command.stdout(writer);
    let mut engine = Engine::without_output(command);
    engine.send(&format!("{lines}\nisready"));
    let mut text = String::new();
    let mut bytes = [0; 4096];
    while !text.contains("readyok") {
        let count = reader.read(&mut bytes).unwrap();
        assert!(count > 0, "expected readyok, found {text:?}");
        text += std::str::from_utf8(&bytes[..count]).unwrap();
    }
    engine
}

/// Jobs that write nothing for a long time.
const SILENT_JOBS: [&str; 4] = [
    "go perft 60",
    "bench 245",
    "setoption name Search Method value minimax\ngo depth 245",
    "position fen 7k/8/8/8/8/8/8/K7 w - - 0 1\ngo infinite",
];

#[test]
fn closed_stdout_ends_silent_job() {
    for job in SILENT_JOBS {
        for closes_input in [false, true] {
            let mut engine = start_without_reader(command(&[]), job);
            if closes_input {
                engine.close_input();
            }
            let ending = (engine.exit_code(), engine.stderr_text());
            assert_eq!(ending, (Some(0), String::new()), "{job}, closes input: {closes_input}");
        }
    }
}

/// Sets O_NONBLOCK for the open file of `end`.
fn nonblocking(end: &impl AsRawFd) {
    // SAFETY: the descriptor is open.
    let set = unsafe { libc::fcntl(end.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    assert_eq!(set, 0, "{}", std::io::Error::last_os_error());
}

/// O_NONBLOCK belongs to the open file, not to the process: a client may set it on its side of a shared one.
#[test]
fn nonblocking_stdin_and_stdout_lose_nothing() {
    const LINES: usize = 1000;
    let (mut stdout, child_stdout) = std::io::pipe().unwrap();
    let (child_stdin, mut stdin) = std::io::pipe().unwrap();
    nonblocking(&child_stdout);
    nonblocking(&child_stdin);
    let mut command = command(&[]);
    command.stdin(child_stdin).stdout(child_stdout);
    let mut child = Process::start(&mut command);
    drop(command);
    // The first read finds no input, and a pipe holds less than the replies.
    std::thread::sleep(Duration::from_millis(200));
    stdin.write_all("uci\n".repeat(LINES).as_bytes()).unwrap();
    drop(stdin);
    std::thread::sleep(Duration::from_millis(300));
    let mut text = String::new();
    stdout.read_to_string(&mut text).unwrap();
    assert_eq!(child.end().code(), Some(0));
    assert_eq!(text.lines().filter(|line| *line == "uciok").count(), LINES);
}

#[test]
fn end_of_input_ends_process_in_every_state() {
    // Jobs with a limit are finished first, so these get a small limit.
    let states = STATES.map(|(name, state)| match name {
        "searching" => (name, "go depth 6"),
        "counting" => (name, "go perft 3"),
        _ => (name, state),
    });
    for (name, state) in states {
        let mut engine = start_with(state);
        engine.close_input();
        assert_eq!(engine.exit_code(), Some(0), "{name}");
        let expected = usize::from(state.contains("go") && !state.contains("perft"));
        // The `bestmove` may have been sent before the input ended.
        let answers = engine.remaining_lines().iter().filter(|line| line.starts_with("bestmove ")).count();
        assert!(answers == expected || name == "searching", "{name}: {answers}");
    }
}

#[test]
fn stalled_reader_loses_only_info_lines() {
    for state in ["go depth 60 nodes 400000", "go infinite", "go ponder wtime 9000 btime 9000"] {
        let mut engine = Engine::start_unread(command(&[]));
        engine.send("setoption name MultiPV value 200");
        engine.send(state);
        // Nothing is read for 500 ms, in which a fast search writes far more than a pipe holds.
        for _ in 0..100 {
            std::thread::sleep(Duration::from_millis(5));
            engine.send("isready");
        }
        engine.send("stop");
        let mut replies = engine.lines_until("bestmove ");
        engine.send("isready\nquit");
        replies.extend(engine.remaining_lines());
        let count = |start: &str| replies.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!((count("readyok"), count("bestmove ")), (101, 1), "{state}");
        let best = replies.iter().rev().find_map(|line| line.strip_prefix("bestmove ")).unwrap();
        let last = replies.iter().rev().find(|line| line.contains(" multipv 1 ")).unwrap();
        let first = last.split_once(" pv ").unwrap().1.split(' ').next();
        assert_eq!(first, best.split(' ').next(), "{state}");
        assert_eq!(engine.exit_code(), Some(0), "{state}");
    }
}

/// The server stops reading commands until the client reads the replies. Its memory grows by less than 24 MiB.
#[test]
fn unread_command_flood_is_blocked_and_fully_answered() {
    const LINES: usize = 20_000;
    let mut engine = Engine::start_unread(command(&[]));
    engine.send("isready");
    engine.read_until("readyok");
    let before = resident_kib(&engine);
    let mut stdin = engine.take_input();
    let flood = std::thread::spawn(move || {
        stdin.write_all("uci\n".repeat(LINES).as_bytes()).unwrap();
    });
    std::thread::sleep(Duration::from_millis(500));
    let growth = resident_kib(&engine).saturating_sub(before);
    let mut answers = 0;
    while let Some(line) = engine.read_line() {
        answers += usize::from(line == "uciok");
    }
    flood.join().unwrap();
    assert_eq!((answers, engine.exit_code()), (LINES, Some(0)));
    assert!(growth < 24 << 10, "grew by {growth} KiB");
}

/// `DUIYI_ROUNDS` sets the number of searches between two measurements (default 300).
#[test]
fn memory_is_stable_across_games() {
    let rounds = std::env::var("DUIYI_ROUNDS").map_or(300, |text| text.parse().expect("a number"));
    for settings in ["", "setoption name Threads value 2", "setoption name Search Method value memoised"] {
        let mut engine = start_with(settings);
        let mut play = |rounds: usize| {
            for round in 0..rounds {
                engine.send(["ucinewgame\nposition startpos", "position startpos"][round % 2]);
                engine.search("go nodes 300");
            }
            resident_kib(&engine)
        };
        // The allocator may add an arena for a thread once. A leak grows in both intervals.
        let [first, second, third] = [play(rounds / 3), play(rounds), play(rounds)];
        let growth = second.saturating_sub(first).min(third.saturating_sub(second));
        let figures = format!("{settings:?}: {first}, {second}, {third} KiB, {rounds} rounds apart");
        writeln!(std::io::stderr(), "{figures}").unwrap();
        assert!(growth < 8 << 10, "{figures}");
    }
}

/// A limit on file size stops writing in the middle of a line, as a full disk does.
#[test]
fn full_disk_ends_log_and_game_continues() {
    let directory = TempDir::new("full");
    for option in ["Debug Log File", "Search Log File"] {
        let path = directory.path(&option.replace(' ', ""));
        let mut command = command(&[]);
        limit(&mut command, libc::RLIMIT_FSIZE, 1000);
        let mut engine = Engine::spawn(command, crossbeam_channel::unbounded());
        engine.send(&format!("setoption name {option} value {path}"));
        let mut replies = engine.search("go depth 12");
        replies.extend(engine.search("go depth 3"));
        let messages = info_strings(&replies);
        assert_eq!(messages.len(), 1, "{option}: {messages:?}");
        assert!(
            messages[0].starts_with("error: cannot write ") && messages[0].ends_with("logging ended"),
            "{messages:?}"
        );
        assert_eq!(std::fs::metadata(&path).unwrap().len(), 1000, "{option}");
        engine.send("quit");
        assert_eq!(engine.exit_code(), Some(0), "{option}");

        // Once there is space again, logging continues on a new line.
        let mut engine = start_with(&format!("setoption name {option} value {path}"));
        assert!(info_strings(&engine.search("go depth 1")).is_empty());
        engine.send("quit");
        assert_eq!(engine.exit_code(), Some(0));
        let text = std::fs::read_to_string(&path).unwrap();
        let new = text[1000..].strip_prefix('\n').unwrap_or(&text[1000..]);
        let is_complete =
            |line: &str| line.starts_with('{') == option.starts_with("Search") && line.len() > 30;
        assert!(new.lines().count() > 1 && new.lines().all(is_complete), "{option}: {new}");
    }
}

#[test]
fn log_path_of_other_file_is_refused() {
    let directory = TempDir::new("other");
    let (other_file, link) = (directory.path("letter.txt"), directory.path("link"));
    std::fs::write(&other_file, "Dear Sir,\n").unwrap();
    std::os::unix::fs::symlink(&other_file, &link).unwrap();
    let mut engine = start_with("");
    for path in [&other_file, &link, &"/dev/null".to_owned(), &"/dev/full".to_owned()] {
        for option in ["Debug Log File", "Search Log File"] {
            engine.send(&format!("setoption name {option} value {path}"));
            let replies = engine.sync();
            assert_eq!((replies.len(), info_strings(&replies).len()), (2, 1), "{path}: {replies:?}");
            assert!(replies[0].starts_with("info string error: cannot log "), "{replies:?}");
        }
    }
    assert!(info_strings(&engine.search("go depth 3")).is_empty());
    assert_eq!(std::fs::read_to_string(&other_file).unwrap(), "Dear Sir,\n");
}

#[test]
fn replies_to_a_full_disk_end_the_session_with_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command(&["uci"]).stdout(full).stderr(std::process::Stdio::piped()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("cannot write replies: No space left on device") && stderr.contains("session ended")
    );
}

#[test]
fn help_that_a_full_disk_loses_is_a_failure_and_a_closed_pipe_is_none() {
    for argument in ["--help", "--version"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let status =
            |output: std::process::Stdio| command(&[argument]).stdout(output).status().unwrap().code();
        assert_eq!((status(full.into()), status(closed.into())), (Some(1), Some(0)), "{argument}");
    }
}

#[test]
fn debug_messages_tell_of_options_and_searches() {
    let (mut reader, pipe) = std::io::pipe().unwrap();
    let mut command = command(&[]);
    command.env("RUST_LOG", "debug").stderr(pipe);
    let mut engine = Engine::spawn(command, crossbeam_channel::unbounded());
    engine.send("setoption name Threads value 1");
    engine.search("go depth 2");
    engine.send("quit");
    assert_eq!(engine.exit_code(), Some(0));
    let mut text = String::new();
    std::io::Read::read_to_string(&mut reader, &mut text).unwrap();
    for expected in [r#""Threads" set to "1""#, "search of rnbqkbnr/", " nodes in "] {
        assert_eq!(text.matches(expected).count(), 1, "{expected}: {text}");
    }
}

/// With `RUST_LOG`, messages go to standard error, which may be full, closed or not read.
#[test]
fn unwritable_stderr_does_not_stop_game() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (unread, pipe) = std::io::pipe().unwrap();
    let (reader, broken) = std::io::pipe().unwrap();
    drop(reader);
    for stderr in [full.into(), std::process::Stdio::from(pipe), broken.into()] {
        let mut command = command(&[]);
        command.env("RUST_LOG", "trace").stderr(stderr);
        let mut engine = Engine::spawn(command, crossbeam_channel::unbounded());
        engine.send("debug on");
        engine.send(&"setoption name Hash value x\n".repeat(2000));
        engine.sync();
        engine.search("go depth 6");
        engine.send("debug off\nquit");
        assert_eq!(engine.exit_code(), Some(0));
    }
    drop(unread);
}
