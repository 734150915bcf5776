//! Tests that need the real program: exit codes, arguments, log files, closed pipes.

use crate::common::process::{Engine, TempDir, run, run_program};
use std::process::Command;

#[test]
fn c50_empty_input_exits_without_output() {
    assert_eq!(run(&[], b""), (0, String::new(), String::new()));
}

#[test]
fn c48_jobs_are_finished_after_end_of_input() {
    let (code, out, err) = run(&[], b"position startpos\ngo depth 3\ngo movetime 20\ngo infinite");
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out.lines().filter(|line| line.starts_with("bestmove ")).count(), 3, "{out}");
    assert!(out.contains("info depth 3 "), "{out}");
}

#[test]
fn c05_c11_arbitrary_bytes_are_handled() {
    let (code, out, err) = run(&[], b"isready\r\n\xff\xfe\x00\n\xef\xbb\xbfisready\nisready");
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<&str> = out.lines().filter(|line| !line.starts_with("info string ")).collect();
    assert_eq!(lines, ["readyok"; 3]);
    assert!(!out.contains('\r'));
}

#[test]
fn line_of_16_mb_is_refused_with_one_message() {
    let mut input = "isready".repeat(2_400_000).into_bytes();
    input.extend_from_slice(b"\nisready\n");
    let (code, out, _) = run(&[], &input);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, lines.len(), lines[1]), (0, 2, "readyok"));
    assert!(lines[0].starts_with("info string line longer than ") && lines[0].len() < 200);
}

#[test]
fn c51_arguments_run_as_commands() {
    for arguments in [
        &["go", "depth", "3"][..],
        &["go depth 3"],
        &["position startpos moves e2e4", "go depth 3"],
        &["position startpos", "go depth 3", "quit"][..2],
    ] {
        let (code, out, err) = run(arguments, b"");
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(out.contains("info depth 3 "), "{arguments:?}: {out}");
        assert!(out.lines().last().unwrap().starts_with("bestmove "), "{arguments:?}: {out}");
    }
    let (code, out, _) = run(&["go", "perft", "3"], b"");
    assert!(code == 0 && out.ends_with("\n\nNodes searched: 8902\n\n"), "{out}");
}

#[test]
fn invalid_arguments_are_refused() {
    for arguments in [&["nonsense"][..], &["--nonsense"], &["go depth 3", "nonsense"]] {
        let (code, out, err) = run(arguments, b"");
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.contains("nonsense"), "{err}");
    }
    let (code, out, _) = run(&["--version"], b"");
    assert_eq!((code, out), (0, format!("duiyi {} ({})\n", env!("CARGO_PKG_VERSION"), env!("DUIYI_COMMIT"))));
}

#[test]
fn protocol_is_chosen_by_argument_program_name_or_first_line() {
    let gomocup = b"\r\nisready\r\nABOUT\r\nSTART 15\r\nTURN 15,15\r\nINFO timeout_turn 50\r\nTURN 7,7\r\n";
    let unknown = "UNKNOWN \"isready\": expected ABOUT, ";
    let check_gomocup = |(code, out, err): (i32, String, String), who: &str| {
        assert_eq!((code, err.as_str()), (0, ""), "{who}");
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines[0].starts_with(unknown), "{who}: {out}");
        assert!(lines[1].starts_with("name=\"Duiyi\", version=") && lines[2] == "OK", "{who}: {out}");
        assert!(
            lines[3].starts_with("ERROR TURN: ") && lines[4].starts_with("MESSAGE depth "),
            "{who}: {out}"
        );
        let (x, y) = lines[5].split_once(',').unwrap();
        let [x, y] = [x, y].map(|number| number.parse::<u8>().unwrap());
        assert!(
            lines.len() == 6 && x < 15 && y < 15 && (x, y) != (7, 7) && !out.contains('\r'),
            "{who}: {out}"
        );
    };
    check_gomocup(run(&["--protocol", "gomocup"], gomocup), "--protocol");
    let directory = TempDir::new("pbrain");
    let program = directory.path("pbrain-duiyi");
    // Not `std::fs::copy`: a process that another test starts meanwhile would inherit the file that is written, and a file that
    // is open for writing cannot be executed.
    assert!(Command::new("cp").args([env!("CARGO_BIN_EXE_duiyi"), &program]).status().unwrap().success());
    check_gomocup(run_program(&program, &[], gomocup), "pbrain-duiyi");

    let xiangqi = b"position startpos moves h2e2\ngo depth 1 searchmoves h9g7\nquit\n";
    let (code, out, _) = run(&["--protocol", "cyclone"], xiangqi);
    assert!(code == 0 && out.contains("\nbestmove h9g7"), "{out}");
    let (code, out, _) =
        run(&["--protocol", "ucci"], b"position startpos moves h2e2 h9g7\ngo depth 1\nquit\n");
    assert!(code == 0 && out.contains("\nbestmove ") && out.ends_with("\nbye\n"), "{out}");
    let cyclone = directory.path("duiyi-cyclone");
    std::fs::rename(&program, &cyclone).unwrap();
    let (code, out, _) = run_program(&cyclone, &[], xiangqi);
    assert!(code == 0 && out.contains("\nbestmove h9g7"), "{out}");
    std::fs::rename(&cyclone, &program).unwrap();

    let (code, out, _) = run_program(&program, &["--protocol", "uci"], b"START 15\nisready\n");
    assert_eq!(code, 0);
    assert!(
        out.starts_with("info string unknown command: \"START 15\"") && out.ends_with("\nreadyok\n"),
        "{out}"
    );
    let (code, out, _) = run(&[], b"START 15\r\nisready\r\nEND\r\nABOUT\r\n");
    assert!(code == 0 && out.starts_with("OK\nUNKNOWN ") && out.lines().count() == 2, "{out}");
    let (code, out, _) = run(&[], b"# START 15\nisready\nABOUT\n");
    assert!(code == 0 && out.starts_with("readyok\ninfo string unknown command: \"ABOUT\""), "{out}");
    let (code, out, _) = run(&["--protocol", "gomocup", "START 15", "ABOUT"], b"");
    assert!(code == 0 && out.starts_with("OK\nname=\"Duiyi\""), "{out}");
    assert_eq!(run(&["--protocol", "chess"], b"").0, 2);
}

#[test]
fn c47_quit_ends_search_and_perft() {
    for go in ["go infinite", "go perft 30", "go ponder wtime 1000 btime 1000"] {
        let mut engine = Engine::start(&[]);
        engine.send(go);
        engine.sync();
        engine.send("quit\nisready\ngo depth 3");
        assert_eq!(engine.exit_code(), Some(0));
        let rest = engine.remaining_lines();
        assert!(!rest.contains(&"readyok".into()), "{rest:?}");
        assert!(rest.iter().filter(|line| line.starts_with("bestmove")).count() <= 1, "{rest:?}");
    }
}

#[test]
fn fast_input_gets_one_bestmove_per_go() {
    let mut input = String::new();
    let moves = "b1c3 b8c6 c3b1 c6b8 ".repeat(2500);
    input += &format!("position startpos moves {moves}\n");
    (0..1000).for_each(|_| input += "position startpos moves e2e4 e7e5\n");
    (0..200).for_each(|_| input += "go infinite\nstop\n");
    let (code, out, err) = run(&[], input.as_bytes());
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 200);
    assert!(lines.iter().all(|line| line.starts_with("bestmove ") || line.starts_with("info depth ")));
}

#[test]
fn logs_contain_protocol_lines_and_searches() {
    let directory = TempDir::new("logs");
    let (protocol_log, search_log) = (directory.path("a b.log"), directory.path("searches.jsonl"));
    let input =
        format!("setoption name Debug Log File value {protocol_log}\nposition startpos\ngo depth 2\n");
    let (code, out, _) = run(&["--search-log", &search_log], input.as_bytes());
    assert_eq!(code, 0);

    let protocol_log = std::fs::read_to_string(protocol_log).unwrap();
    assert!(protocol_log.contains(" >> go depth 2\n"), "{protocol_log}");
    let logged: Vec<&str> =
        protocol_log.lines().filter_map(|line| Some(line.split_once(" << ")?.1)).collect();
    assert_eq!(logged, out.lines().collect::<Vec<_>>());

    let text = std::fs::read_to_string(&search_log).unwrap();
    let records: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!((&records[1]["go"], &records[1]["position"]), (&"go depth 2".into(), &start.into()));
    let options = &records[1]["options"];
    assert_eq!((&options["Hash"], &options["Threads"]), (&16.into(), &1.into()), "{options}");
    assert!(records[1]["engine"].as_str().unwrap().starts_with("Duiyi "));
    assert_eq!((&records[2]["depth"], &records[2]["position"]), (&1.into(), &start.into()));
    let best = records.last().unwrap()["bestmove"].as_str().unwrap();
    assert!(out.lines().last().unwrap().starts_with(&format!("bestmove {best}")));
}

/// A name that is not UTF-8 must not become the name of another file.
#[cfg(target_os = "linux")]
#[test]
fn log_path_that_is_not_utf8_names_no_other_file() {
    use std::os::unix::ffi::OsStrExt;
    let directory = TempDir::new("not-utf8");
    let bytes = [directory.path("log").as_bytes(), b"\xff"].concat();
    for option in ["Debug Log File", "Search Log File"] {
        let line = [format!("setoption name {option} value ").as_bytes(), &bytes, b"\ngo depth 1"].concat();
        let (code, out, _) = run(&[], &line);
        let refused = format!("info string option {option}: expected text in UTF-8, got ");
        assert_eq!(code, 0);
        assert!(out.starts_with(&refused) && out.contains("value not changed"), "{out}");
        assert_eq!(directory.0.read_dir().unwrap().count(), 0, "{option}");
    }
    // As an argument, the name is bytes.
    let path = std::path::Path::new(std::ffi::OsStr::from_bytes(&bytes));
    let mut command = crate::common::process::command(&["--search-log"]);
    let output = command.arg(path).args(["go", "depth", "1"]).output().unwrap();
    assert!(output.status.success());
    let names: Vec<_> = directory.0.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(names, [path]);
}

/// King and knight against king: the search reaches its last depth at once, and the lines stay the same.
#[test]
fn multipv_at_dead_draw_repeats_few_lines() {
    let position = "position fen 8/8/4k3/8/8/2N5/4K3/8 w - - 0 1";
    let input = format!("setoption name MultiPV value 256\n{position}\ngo depth 245\n");
    let (_, out, _) = run(&[], input.as_bytes());
    let count = |start: &str| out.lines().filter(|line| line.starts_with(start)).count();
    assert!(out.lines().count() < 500, "{} lines", out.lines().count());
    let moves = count("info depth 1 ");
    assert_eq!(count("info depth 245 "), moves, "{moves} moves");
}

#[test]
fn compare_prints_table_csv_or_json() {
    let (code, out, err) = run(&["compare", "--depth", "2"], b"");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("chess: rnbqkbnr/"), "{out}");
    let count = |method: &str| out.lines().filter(|line| line.starts_with(method)).count();
    assert_eq!(
        [count("minimax "), count("alphabeta-soft"), count("memoised"), count("engine")],
        [2, 10, 2, 2],
        "{out}"
    );

    assert!(out.lines().skip(1).all(|line| line.chars().count() <= 100), "{out}");
    assert!(!out.contains(" 0.0000 ") && out.contains(" us "), "short searches have times too: {out}");

    let (code, csv, _) = run(&["compare", "--depth", "1", "--csv"], b"");
    assert_eq!(code, 0);
    let minimax = csv.lines().nth(1).unwrap();
    assert!(minimax.starts_with("minimax,natural,1,"), "{csv}");
    assert!(csv.lines().all(|line| line.split(',').count() == 14), "{csv}");

    let mate = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    let (code, json, _) = run(&["compare", "--depth", "3", "--position", mate, "--json"], b"");
    assert_eq!(code, 0);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let rows = json["rows"].as_array().unwrap();
    for row in rows.iter().filter(|row| row["depth"] == 3 || row["method"] == "engine") {
        assert_eq!((row["value"].as_str(), row["move"].as_str()), (Some("win in 1"), Some("a1a8")), "{row}");
    }
    let leaves = rows[1]["leaves"].as_f64().unwrap();
    assert!((rows[1]["minimum"].as_f64().unwrap() - (2.0 * leaves.sqrt() - 1.0)).abs() < 1e-6);
}

#[test]
fn compare_reports_invalid_arguments() {
    for arguments in [
        ["--variant", "ludo"],
        ["--position", "nowhere"],
        ["--depth", "0"],
        ["--depth", "many"],
        ["--time", "-1"],
        ["--colour", "red"],
    ] {
        let (code, out, err) = run(&[&["compare"], &arguments[..]].concat(), b"");
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.contains(arguments[1]) || err.contains(arguments[0]), "{err}");
    }
}
