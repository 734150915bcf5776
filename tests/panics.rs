//! Panics of the search and the server, in a build that can inject them (`make test-panics`). After a panic the search still
//! plays a move, one `info string` and one message with a backtrace report the panic, and the next commands work as before.

use crate::common::process::{Engine, info_strings, nodes_and_bestmove};

/// Starts the program and sets its number of threads.
fn start(threads: usize) -> Engine {
    let mut engine = Engine::start(&[]);
    engine.send(&format!("setoption name Threads value {threads}"));
    engine
}

/// Arms a panic at `point` and searches. Expects one message, which ends with `consequence`, and a move.
fn search_with_panic(engine: &mut Engine, point: &str, go: &str, consequence: &str) {
    engine.send(&format!("setoption name FaultInjection value {point}"));
    let lines = engine.search(go);
    let expected = format!("internal error (injected fault: {point}), {consequence}");
    assert_eq!(info_strings(&lines), [expected]);
    let best = lines[lines.len() - 1].split(' ').nth(1);
    let last = lines.iter().rev().find_map(|line| line.split_once(" pv ")?.1.split(' ').next());
    assert!(last.is_none() || last == best, "{lines:?}");
}

/// Expects the next game to equal that of a new process, and `failures` backtraces on standard error.
fn check_recovery(mut engine: Engine, failures: usize) {
    let mut fresh = start(1);
    engine.send("setoption name Threads value 1\nsetoption name Search Method value engine\nucinewgame");
    let next = engine.search("go depth 8");
    assert!(info_strings(&next).is_empty(), "{next:?}");
    assert_eq!(nodes_and_bestmove(&next), nodes_and_bestmove(&fresh.search("go depth 8")));
    engine.send("quit");
    assert_eq!(engine.exit_code(), Some(0));
    let errors = engine.stderr_text();
    assert_eq!(errors.matches("panicked at src/search/fault_injection.rs").count(), failures, "{errors}");
    // A frame is `number: function`. Its function has no path where the debug information has line tables only.
    let is_trigger_frame = |line: &&str| {
        let frame = line.trim_start().split_once(": ");
        frame.is_some_and(|(number, function)| number.parse::<u32>().is_ok() && function.contains("trigger"))
    };
    assert!(errors.lines().filter(is_trigger_frame).count() >= failures, "no backtrace: {errors}");
}

const BEST_MOVE_PLAYED: &str = "the best move known before is played";

#[test]
fn main_thread_panic_ends_only_that_search() {
    for threads in [1, 4] {
        for point in ["start", "search"] {
            let mut engine = start(threads);
            search_with_panic(&mut engine, point, "go depth 12", BEST_MOVE_PLAYED);
            search_with_panic(&mut engine, point, "go wtime 100000 btime 100000", BEST_MOVE_PLAYED);
            check_recovery(engine, 2);
        }
    }
}

#[test]
fn main_thread_panic_keeps_table_and_histories() {
    let two_searches = |panics: bool| {
        let mut engine = start(1);
        let first = nodes_and_bestmove(&engine.search("go depth 9"));
        if panics {
            search_with_panic(&mut engine, "start", "go depth 9", BEST_MOVE_PLAYED);
        }
        (first, nodes_and_bestmove(&engine.search("go depth 9")))
    };
    let (first, second) = two_searches(true);
    // The second search finds entries in the table, so its node count differs. The panic in between changes nothing.
    assert_ne!(first, second);
    assert_eq!((first, second), two_searches(false));
}

#[test]
fn helper_thread_panic_ends_only_that_thread() {
    let mut engine = start(4);
    let consequence = "1 helper threads stopped, the search went on with the others";
    search_with_panic(&mut engine, "helper", "go movetime 1500", consequence);
    assert!(info_strings(&engine.search("go movetime 300")).is_empty());
    search_with_panic(&mut engine, "helper", "go movetime 1500", consequence);
    check_recovery(engine, 2);
}

#[test]
fn infinite_search_after_panic_waits_for_stop() {
    for point in ["start", "search"] {
        let mut engine = start(1);
        engine.send(&format!("setoption name FaultInjection value {point}\ngo infinite"));
        std::thread::sleep(std::time::Duration::from_millis(300));
        let replies = engine.sync();
        assert!(!replies.iter().any(|line| line.starts_with("bestmove")), "{replies:?}");
        let replies = engine.search("stop");
        assert_eq!(info_strings(&replies).len(), 1, "{replies:?}");
        check_recovery(engine, 1);
    }
}

#[test]
fn textbook_search_panic_ends_only_that_search() {
    for method in ["minimax", "alphabeta-soft", "memoised"] {
        let mut engine = start(1);
        engine.send(&format!("setoption name Search Method value {method}"));
        search_with_panic(&mut engine, "search", "go depth 6", BEST_MOVE_PLAYED);
        check_recovery(engine, 1);
    }
}

#[test]
fn server_panic_ends_only_that_command() {
    let mut engine = start(1);
    let consequence = "command aborted";
    search_with_panic(&mut engine, "server", "go depth 6", consequence);
    engine.send("setoption name FaultInjection value server\nposition startpos moves e2e4");
    let replies = engine.sync();
    assert_eq!(info_strings(&replies), [format!("internal error (injected fault: server), {consequence}")]);
    assert!(info_strings(&engine.search("go depth 6")).is_empty());
    check_recovery(engine, 2);
}
