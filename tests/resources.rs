//! Resources and faults, tried on the real program: memory and threads that run out, disks that are full, signals, clients
//! that go away, stall or flood. What is promised of them is in `docs/promises.md`.
#![cfg(target_os = "linux")]

mod common {
    pub mod process;
}

use common::process::{Engine, PATIENCE, Scratch, command, fingerprint, notes};
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::Command;
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;

/// What the program may be doing: a name, and the lines that bring it there.
const STATES: [(&str, &str); 6] = [
    ("idle", "position startpos"),
    ("searching", "go movetime 600000"),
    ("infinite", "go infinite"),
    ("pondering", "go ponder wtime 60000 btime 60000"),
    ("two threads", "setoption name Threads value 2\ngo infinite"),
    ("counting", "go perft 60"),
];

/// The program, in the state that `lines` bring it to.
fn in_state(lines: &str) -> Engine {
    let mut engine = Engine::start(&[]);
    engine.say(lines);
    engine.sync();
    engine
}

/// Sets a limit of the system in the process that `command` starts.
fn limit(command: &mut Command, resource: libc::__rlimit_resource_t, most: u64) {
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: `setrlimit` may be called between fork and exec, and reads a value that lives as long as the closure.
    unsafe {
        command.pre_exec(move || match libc::setrlimit(resource, &limit) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
}

/// The program with at most so many MiB of address space.
fn with_memory(megabytes: u64) -> Engine {
    let mut command = command(&[]);
    limit(&mut command, libc::RLIMIT_AS, megabytes * MIB);
    Engine::with(command, crossbeam_channel::unbounded())
}

fn signal(engine: &Engine, signal: i32) {
    // SAFETY: no memory is involved; the process is a child that was not waited for, so its number is its own.
    assert_eq!(unsafe { libc::kill(engine.child.id() as i32, signal) }, 0);
}

/// Resident memory in KiB.
fn resident(engine: &Engine) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn hash_too_large_keeps_old_table() {
    let two_searches = |between: &str| {
        let mut engine = with_memory(400);
        engine.search("go depth 7");
        engine.say(between);
        let said = engine.sync();
        (said, fingerprint(&engine.search("go depth 9")))
    };
    let (silence, expected) = two_searches("");
    assert_eq!(silence, ["readyok"]);
    let (said, second) = two_searches("setoption name Hash value 2000");
    assert_eq!(
        said[0],
        "info string option Hash: no memory for a table of 2000 MB, value not changed (16 MB)"
    );
    assert_eq!((said.len(), second), (2, expected));
}

/// Whatever is left beside the table, too: a search begins in it or says that it cannot.
#[test]
fn hash_of_any_size_leaves_memory_for_search() {
    for hash in (60..300).step_by(6) {
        let mut engine = with_memory(300);
        engine.say(&format!("setoption name Hash value {hash}\nsetoption name Threads value 3"));
        engine.search("go depth 6");
        engine.say("ucinewgame");
        engine.search("go nodes 5000");
        engine.say("quit");
        assert_eq!(engine.exit_code(), Some(0), "Hash {hash}");
    }
}

#[test]
fn thread_creation_failure_is_reported_and_search_continues() {
    let fewer =
        |note: &str| note.starts_with("no more threads could be had (") && note.contains("searching with ");
    // Where not even one can be had there is a move all the same.
    let none = |note: &str| {
        note.starts_with("error: no thread to work in: ") || note.contains("no memory left to search in")
    };
    for megabytes in (200..1200).step_by(40) {
        let mut engine = with_memory(megabytes);
        engine.say("setoption name Threads value 1024");
        let lines = engine.search("go nodes 20000");
        let tight = megabytes < 400;
        let known = |note: &&str| fewer(note) || (tight && none(note));
        let said = notes(&lines);
        assert!(said.len() == 1 && said.iter().all(known), "{megabytes} MiB: {said:?}");
        engine.say("setoption name Threads value 1");
        let alone = engine.search("go depth 5");
        assert!(notes(&alone).iter().all(|note| tight && none(note)), "{megabytes} MiB: {alone:?}");
        engine.say("quit");
        assert_eq!(engine.exit_code(), Some(0), "{megabytes} MiB");
    }
}

#[test]
fn hash_memory_is_resident_before_readyok() {
    let mut engine = in_state("setoption name Hash value 1");
    engine.sync();
    let before = resident(&engine);
    engine.say("setoption name Hash value 200");
    engine.sync();
    let grown = resident(&engine).saturating_sub(before);
    assert!(grown > 190 << 10, "{grown} KiB more for a table of 200 MiB");
}

#[test]
fn signal_ends_process_and_leaves_complete_log_lines() {
    let scratch = Scratch::new("signals");
    for (name, state) in STATES {
        for number in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            // Processes inherit what `nohup` or a shell's `&` ignores; here it is to be as a terminal leaves it.
            // SAFETY: no handler is installed that could run.
            unsafe { libc::signal(number, libc::SIG_DFL) };
            let (spoken, searched) = (scratch.path("a.log"), scratch.path("a.jsonl"));
            let logs = format!(
                "setoption name Debug Log File value {spoken}\nsetoption name Search Log File value {searched}"
            );
            let mut engine = in_state(&logs);
            engine.search("go depth 3");
            engine.say(state);
            engine.sync();
            signal(&engine, number);
            assert_eq!(engine.status().signal(), Some(number), "{name}");
            let spoken = std::fs::read_to_string(spoken).unwrap();
            assert!(spoken.ends_with('\n') && spoken.contains(" << bestmove "), "{name}: {spoken}");
            let searched = std::fs::read_to_string(searched).unwrap();
            assert!(searched.ends_with('\n'), "{name}: {searched}");
            searched.lines().for_each(|line| drop(serde_json::from_str::<serde_json::Value>(line).unwrap()));
        }
    }
}

#[test]
fn suspended_process_resumes() {
    for (name, state) in STATES {
        let mut engine = in_state(state);
        signal(&engine, libc::SIGSTOP);
        engine.say("isready");
        std::thread::sleep(Duration::from_millis(100));
        signal(&engine, libc::SIGCONT);
        engine.read_to("readyok");
        engine.say("stop");
        let said = engine.sync();
        let answers = said.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert!(answers <= 1, "{name}: {said:?}");
        if answers == 0 && state.starts_with("go") && !state.contains("perft") {
            engine.read_to("bestmove ");
        }
        engine.say("setoption name Threads value 1\nucinewgame\nwait");
        assert!(notes(&engine.search("go depth 5")).iter().all(|note| *note == "perft stopped"), "{name}");
    }
}

#[test]
fn closed_stdout_ends_process_in_every_state() {
    for (name, state) in STATES {
        let mut engine = in_state(state);
        engine.close_output();
        // The reading end goes with the next line; the program notices at the one after that.
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE && engine.is_running() {
            engine.say("isready");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!((engine.exit_code(), engine.errors().as_str()), (Some(0), ""), "{name}");
    }
}

#[test]
fn end_of_input_ends_process_in_every_state() {
    // What has a limit is done to its end first; this one's is near enough.
    let states = STATES.map(|(name, state)| match name {
        "searching" => (name, "go depth 6"),
        "counting" => (name, "go perft 3"),
        _ => (name, state),
    });
    for (name, state) in states {
        let mut engine = in_state(state);
        engine.close_input();
        assert_eq!(engine.exit_code(), Some(0), "{name}");
        let owed = usize::from(state.contains("go") && !state.contains("perft"));
        // The answer may have come before the input ended.
        let answers = engine.rest().iter().filter(|line| line.starts_with("bestmove ")).count();
        assert!(answers == owed || name == "searching", "{name}: {answers}");
    }
}

#[test]
fn stalled_reader_loses_only_info_lines() {
    for state in ["go depth 60 nodes 400000", "go infinite", "go ponder wtime 9000 btime 9000"] {
        let mut engine = Engine::unread(command(&[]));
        engine.say("setoption name MultiPV value 200");
        engine.say(state);
        // Nothing is read until far more was said than a pipe holds, if the search is fast enough for that.
        for _ in 0..100 {
            std::thread::sleep(Duration::from_millis(5));
            engine.say("isready");
        }
        engine.say("stop");
        let mut said = engine.lines_to("bestmove ");
        engine.say("isready\nquit");
        said.extend(engine.rest());
        let count = |start: &str| said.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!((count("readyok"), count("bestmove ")), (101, 1), "{state}");
        let best = said.iter().rev().find_map(|line| line.strip_prefix("bestmove ")).unwrap();
        let last = said.iter().rev().find(|line| line.contains(" multipv 1 ")).unwrap();
        let first = last.split_once(" pv ").unwrap().1.split(' ').next();
        assert_eq!(first, best.split(' ').next(), "{state}");
        assert_eq!(engine.exit_code(), Some(0), "{state}");
    }
}

/// A client that talks and does not read is made to wait; it costs some memory and not more and more.
#[test]
fn unread_command_flood_is_blocked_and_fully_answered() {
    const LINES: usize = 20_000;
    let mut engine = Engine::unread(command(&[]));
    engine.say("isready");
    engine.read_to("readyok");
    let before = resident(&engine);
    let mut stdin = engine.take_input();
    let flood = std::thread::spawn(move || {
        stdin.write_all("uci\n".repeat(LINES).as_bytes()).unwrap();
    });
    std::thread::sleep(Duration::from_millis(500));
    let grown = resident(&engine).saturating_sub(before);
    let mut answers = 0;
    while let Some(line) = engine.line() {
        answers += usize::from(line == "uciok");
    }
    flood.join().unwrap();
    assert_eq!((answers, engine.exit_code()), (LINES, Some(0)));
    assert!(grown < 24 << 10, "grew by {grown} KiB");
}

/// `DUIYI_ROUNDS=10000` plays more of them.
#[test]
fn memory_is_stable_across_games() {
    let rounds = std::env::var("DUIYI_ROUNDS").map_or(300, |text| text.parse().expect("a number"));
    for settings in ["", "setoption name Threads value 2", "setoption name Search Method value memoised"] {
        let mut engine = in_state(settings);
        let mut play = |rounds: usize| {
            for round in 0..rounds {
                engine.say(["ucinewgame\nposition startpos", "position startpos"][round % 2]);
                engine.search("go nodes 300");
            }
            resident(&engine)
        };
        // The system's allocator may once give a thread a heap of its own; what grows from game to game grows in both parts.
        let [first, second, third] = [play(rounds / 3), play(rounds), play(rounds)];
        let grown = second.saturating_sub(first).min(third.saturating_sub(second));
        let figures = format!("{settings:?}: {first}, {second}, {third} KiB, {rounds} rounds apart");
        writeln!(std::io::stderr(), "{figures}").unwrap();
        assert!(grown < 8 << 10, "{figures}");
    }
}

/// A limit on the size of files stops writing in the midst of a line, as a full disk does.
#[test]
fn full_disk_ends_log_and_game_continues() {
    let scratch = Scratch::new("full");
    for option in ["Debug Log File", "Search Log File"] {
        let path = scratch.path(&option.replace(' ', ""));
        let mut command = command(&[]);
        limit(&mut command, libc::RLIMIT_FSIZE, 1000);
        let mut engine = Engine::with(command, crossbeam_channel::unbounded());
        engine.say(&format!("setoption name {option} value {path}"));
        let mut said = engine.search("go depth 12");
        said.extend(engine.search("go depth 3"));
        let told = notes(&said);
        assert_eq!(told.len(), 1, "{option}: {told:?}");
        assert!(
            told[0].starts_with("error: cannot write ") && told[0].ends_with("logging ended"),
            "{told:?}"
        );
        assert_eq!(std::fs::metadata(&path).unwrap().len(), 1000, "{option}");
        engine.say("quit");
        assert_eq!(engine.exit_code(), Some(0), "{option}");

        // When there is room again the log goes on, on a line of its own.
        let mut engine = in_state(&format!("setoption name {option} value {path}"));
        assert!(notes(&engine.search("go depth 1")).is_empty());
        engine.say("quit");
        assert_eq!(engine.exit_code(), Some(0));
        let text = std::fs::read_to_string(&path).unwrap();
        let new = text[1000..].strip_prefix('\n').unwrap_or(&text[1000..]);
        let whole = |line: &str| line.starts_with('{') == option.starts_with("Search") && line.len() > 30;
        assert!(new.lines().count() > 1 && new.lines().all(whole), "{option}: {new}");
    }
}

#[test]
fn log_path_of_other_file_is_refused() {
    let scratch = Scratch::new("other");
    let (letter, link) = (scratch.path("letter.txt"), scratch.path("link"));
    std::fs::write(&letter, "Dear Sir,\n").unwrap();
    std::os::unix::fs::symlink(&letter, &link).unwrap();
    let mut engine = in_state("");
    for path in [&letter, &link, &"/dev/null".to_owned(), &"/dev/full".to_owned()] {
        for option in ["Debug Log File", "Search Log File"] {
            engine.say(&format!("setoption name {option} value {path}"));
            let said = engine.sync();
            assert_eq!((said.len(), notes(&said).len()), (2, 1), "{path}: {said:?}");
            assert!(said[0].starts_with("info string error: cannot log "), "{said:?}");
        }
    }
    assert!(notes(&engine.search("go depth 3")).is_empty());
    assert_eq!(std::fs::read_to_string(&letter).unwrap(), "Dear Sir,\n");
}

/// Standard error, where `RUST_LOG` sends its messages, may be full or closed or read by nobody.
#[test]
fn unwritable_stderr_does_not_stop_game() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (unread, pipe) = std::io::pipe().unwrap();
    let (gone, broken) = std::io::pipe().unwrap();
    drop(gone);
    for stderr in [full.into(), std::process::Stdio::from(pipe), broken.into()] {
        let mut command = command(&[]);
        command.env("RUST_LOG", "trace").stderr(stderr);
        let mut engine = Engine::with(command, crossbeam_channel::unbounded());
        engine.say("debug on");
        engine.say(&"setoption name Hash value x\n".repeat(2000));
        engine.sync();
        engine.search("go depth 6");
        engine.say("debug off\nquit");
        assert_eq!(engine.exit_code(), Some(0));
    }
    drop(unread);
}
