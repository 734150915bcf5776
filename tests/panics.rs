//! What becomes of a panic, in a build that can order one (`make faults`): the search still gives a move, one `info string` and
//! one message with a backtrace say what happened, and the program goes on with all that it knew.

mod common {
    pub mod process;
}

use common::process::{Engine, fingerprint, notes};

/// The program, set to so many threads.
fn start(threads: usize) -> Engine {
    let mut engine = Engine::start(&[]);
    engine.say(&format!("setoption name Threads value {threads}"));
    engine
}

/// Orders a panic and searches: one note, and a move.
fn fail(engine: &mut Engine, place: &str, go: &str, now: &str) {
    engine.say(&format!("setoption name FaultInjection value {place}"));
    let lines = engine.search(go);
    let expected = format!("error: the program failed (a fault to order: {place}), {now}");
    assert_eq!(notes(&lines), [expected]);
    let best = lines[lines.len() - 1].split(' ').nth(1);
    let last = lines.iter().rev().find_map(|line| line.split_once(" pv ")?.1.split(' ').next());
    assert!(last.is_none() || last == best, "{lines:?}");
}

/// The next game is that of a new process, and the log has `failures` backtraces.
fn goes_on(mut engine: Engine, failures: usize) {
    let mut fresh = start(1);
    engine.say("setoption name Threads value 1\nsetoption name Search Method value engine\nucinewgame");
    let next = engine.search("go depth 8");
    assert!(notes(&next).is_empty(), "{next:?}");
    assert_eq!(fingerprint(&next), fingerprint(&fresh.search("go depth 8")));
    engine.say("quit");
    assert_eq!(engine.exit_code(), Some(0));
    let errors = engine.errors();
    assert_eq!(errors.matches("panicked at src/search/fault_injection.rs").count(), failures, "{errors}");
    assert!(errors.matches("search::fault_injection::strike").count() >= failures, "no backtrace: {errors}");
}

const BEST: &str = "the best move known before is played";

#[test]
fn main_thread_panic_ends_only_that_search() {
    for threads in [1, 4] {
        for place in ["start", "search"] {
            let mut engine = start(threads);
            fail(&mut engine, place, "go depth 12", BEST);
            fail(&mut engine, place, "go wtime 100000 btime 100000", BEST);
            goes_on(engine, 2);
        }
    }
}

#[test]
fn main_thread_panic_keeps_table_and_histories() {
    let again = |fails: bool| {
        let mut engine = start(1);
        let first = fingerprint(&engine.search("go depth 9"));
        if fails {
            fail(&mut engine, "start", "go depth 9", BEST);
        }
        (first, fingerprint(&engine.search("go depth 9")))
    };
    let (first, second) = again(true);
    // The second time the table answers much, so that the numbers differ; the panic in between changes nothing.
    assert_ne!(first, second);
    assert_eq!((first, second), again(false));
}

#[test]
fn helper_thread_panic_ends_only_that_thread() {
    let mut engine = start(4);
    let now = "1 of the search's threads given up, the others went on";
    fail(&mut engine, "helper", "go movetime 1500", now);
    assert!(notes(&engine.search("go movetime 300")).is_empty());
    fail(&mut engine, "helper", "go movetime 1500", now);
    goes_on(engine, 2);
}

#[test]
fn infinite_search_after_panic_waits_for_stop() {
    for place in ["start", "search"] {
        let mut engine = start(1);
        engine.say(&format!("setoption name FaultInjection value {place}\ngo infinite"));
        std::thread::sleep(std::time::Duration::from_millis(300));
        let said = engine.sync();
        assert!(!said.iter().any(|line| line.starts_with("bestmove")), "{said:?}");
        let said = engine.search("stop");
        assert_eq!(notes(&said).len(), 1, "{said:?}");
        goes_on(engine, 1);
    }
}

#[test]
fn textbook_search_panic_ends_only_that_search() {
    for method in ["minimax", "alphabeta-soft", "memoised"] {
        let mut engine = start(1);
        engine.say(&format!("setoption name Search Method value {method}"));
        fail(&mut engine, "search", "go depth 6", BEST);
        goes_on(engine, 1);
    }
}

#[test]
fn server_panic_ends_only_that_command() {
    let mut engine = start(1);
    let now = "this command is given up";
    fail(&mut engine, "server", "go depth 6", now);
    engine.say("setoption name FaultInjection value server\nposition startpos moves e2e4");
    let said = engine.sync();
    assert_eq!(notes(&said), [format!("error: the program failed (a fault to order: server), {now}")]);
    assert!(notes(&engine.search("go depth 6")).is_empty());
    goes_on(engine, 2);
}
