//! `duiyi analyse` as a process: results, messages about bad input, and resumption after interruptions.

#[cfg(unix)]
use crate::common::process::Process;
use crate::common::process::TempDir;
use duiyi::game::{Game as _, Notation as _};
use duiyi::games::chess::Position;
use duiyi::tools::pgn;
use serde_json::Value;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position as _};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_duiyi"));
    command.arg("analyse").args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> (bool, String, String) {
    let Output { status, stdout, stderr } = command(arguments).output().unwrap();
    (status.success(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Runs `duiyi analyse --json`. Returns the records and the summary.
fn json(arguments: &[&str]) -> (Vec<Value>, Value) {
    let (records, _, summary) = json_with_reviews(arguments);
    (records, summary)
}

/// Runs `duiyi analyse --json`. Returns the records, the reviews of the games and the summary.
fn json_with_reviews(arguments: &[&str]) -> (Vec<Value>, Vec<Value>, Value) {
    let (success, stdout, stderr) = run(&[arguments, &["--json"]].concat());
    assert!(success, "{stderr}");
    let mut lines: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines.pop().unwrap();
    let (records, reviews) = lines.into_iter().partition(|line| line.get("lines").is_some());
    (records, reviews, last["summary"].clone())
}

/// The data of a page.
fn page_data(path: &str) -> Value {
    let page = std::fs::read_to_string(path).unwrap();
    let (_, data) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

/// Problems with clear answers: mates, a hanging queen, a stalemate to avoid.
const PROBLEMS: &str = "# Made for this test.
6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; dm 1; id \"back.1\";
6k1/5ppp/8/8/8/8/8/R3K3 w Q - 3 20 bm #1; id \"back.2\"
r3k3/8/8/8/8/8/5PPP/6K1 b q - bm #1; id \"back.3\";
8/8/8/8/8/5k2/4q3/6K1 w - - bm #-1; id \"mated.1\";
7k/8/5K2/6Q1/8/8/8/8 b - - bm #-1; id \"mated.2\";
7k/8/5K2/6Q1/8/8/8/8 b - - bm #1; id \"mated.3\";
7k/8/8/8/8/8/r7/1r5K w - - id \"over\"; c9 \"no; question\";
4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5; c0 \"exd5=10, Ke2=2\"; id \"queen.1\";
4k3/8/8/3q4/4P3/8/8/4K3 w - - bm Ke2; c0 \"exd5=2, Ke2=10\"; id \"queen.2\";
7k/5K2/8/6Q1/8/8/8/8 w - - am Qg6 Qh6+; dm 1; id \"am.1\";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
";

#[test]
fn epd_problems_with_known_answers_are_scored() {
    let directory = TempDir::new("problems");
    let file = directory.file("p.epd", PROBLEMS);
    let (records, summary) = json(&[&file, "--depth", "6"]);
    let record_of =
        |id: &str| records.iter().find(|record| record["id"] == id).unwrap_or_else(|| panic!("{id}"));
    for id in ["back.1", "back.2", "back.3", "mated.1", "mated.2", "queen.1", "am.1"] {
        let record = record_of(id);
        assert_eq!(record["solved"], true, "{record}");
        assert!(record["solution"]["nodes"].as_u64() <= record["nodes"].as_u64(), "{record}");
    }
    assert_eq!(record_of("back.1")["best"], "Ra8#");
    assert_eq!(record_of("back.1")["lines"][0]["score"]["mate"], 1);
    assert_eq!(record_of("back.1")["asked"], "bm Ra8#; dm 1");
    assert_eq!(record_of("back.3")["best"], "Ra1#");
    assert_eq!(record_of("queen.1")["points"], serde_json::json!([10, 10]));
    assert_eq!(record_of("mated.3")["solved"], false);
    let missed = record_of("queen.2");
    assert_eq!((&missed["solved"], &missed["solution"]), (&false.into(), &Value::Null));
    assert_eq!(missed["points"], serde_json::json!([2, 10]));
    assert_eq!(record_of("over")["best"], Value::Null);
    assert_eq!(record_of("over")["lines"][0]["score"]["mate"], 0);
    assert_eq!(record_of("")["solved"], Value::Null);
    assert_eq!((records.len(), &summary["skipped"]), (11, &0.into()));
    assert_eq!(summary["kinds"]["bm"]["problems"], 2);
    assert_eq!(summary["kinds"]["bm"]["solved"], 1);
    assert_eq!(summary["kinds"]["bm+dm"]["solved"], 1);
    assert_eq!(summary["groups"]["queen"]["points"], 12);
}

#[test]
fn bad_input_lines_are_reported_and_skipped() {
    let directory = TempDir::new("bad");
    let good = "7k/5K2/8/6Q1/8/8/8/8 w - - dm 1;";
    let text = format!(
        "8/8 w - - bm e4;\n{good}\n{good} bm Qz9;\n{good} bm e4;\nnonsense\n{good} bm;\n{good} dm x;\n{good} 7\n\
         {good} bm #x;\n{good} c0 \"Qg7=1, Qa9=2\";\n{good} id \"open;\n\n{good}"
    );
    let games = "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"B\"]\n\n1. e4 e5 *\n\n[White \"C\"]\n\n1. e4 {never closed\n\n\
                 [White \"D\"]\n\n1. e4 ) *\n[White \"E\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n[FEN \"8/8\"]\n\n*\n[White \"F\"]\n\n\
                 1. e4 (1. d4 *\n";
    let (epd, pgn) = (directory.file("b.epd", &text), directory.file("g.pgn", games));
    let (success, stdout, stderr) = run(&[&epd, &pgn, "--depth", "2"]);
    assert!(!success && stdout.ends_with("16 skipped, see above\n"), "{stdout}{stderr}");
    assert!(stderr.ends_with("error: 16 of 19 games and positions were skipped, see above\n"), "{stderr}");
    for expected in [
        "b.epd:1: FEN field 1",
        "b.epd:3: bm: expected a move such as Nf3, exd5 or e8=Q, got \"Qz9\", position skipped",
        "b.epd:4: bm: expected a legal move, got \"e4\", position skipped",
        "b.epd:5: FEN",
        "b.epd:6: bm: expected an operand, got none",
        "b.epd:7: dm: expected a number of moves, got \"x\"",
        "b.epd:8: expected an operation such as bm Qg6;, got \"7\"",
        "b.epd:9: bm: expected a number of moves, got \"#x\"",
        "b.epd:10: c0: expected a move such as",
        "b.epd:11: expected an operation",
        "g.pgn:3: ply 3: expected a legal move, got \"Ke3\", game skipped",
        "g.pgn:11: expected a comment that ends with }",
        "g.pgn:15: expected a move, got \")\"",
        "g.pgn:16: tag Variant: expected chess, got \"Atomic\"",
        "g.pgn:20: FEN",
    ] {
        assert_eq!(
            stderr.lines().filter(|line| line.starts_with(expected)).count(),
            1,
            "{expected}\n{stderr}"
        );
    }
    assert!(stderr.contains("expected ), got the end of the game"), "{stderr}");
    assert_eq!(stderr.lines().count(), 16 + 2, "{stderr}");
}

/// The moves of the only game in `text`, in SAN, and the null move that cut it off.
fn moves_of_pgn(text: &str) -> (String, Option<String>) {
    let games = pgn::read(&Position::start(), text);
    let [Ok(game)] = &games[..] else { panic!("{text}: {games:?}") };
    let mut position = game.start.clone();
    let mut san = Vec::new();
    for &mv in &game.moves {
        san.push(position.san_text(mv));
        position.play(mv);
    }
    assert_eq!(game.result, "1-0", "{text}");
    (san.join(" "), game.cut_off.as_ref().map(|error| format!("{}: {}", error.line, error.what)))
}

#[test]
fn unreadable_game_does_not_hide_those_after_it() {
    let text = "1. e4 e5 2. Ke3 (2. Nf3 1-0) *\n\n1. d4 d5 *\n\n[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n\n1. c4 *";
    let games = pgn::read(&Position::start(), text);
    let summary = |game: &Result<pgn::Game<Position>, pgn::RecordError>| match game {
        Ok(game) => format!("{} {} {}", game.tags.len(), game.moves.len(), game.result),
        Err(error) => error.what.clone(),
    };
    let read: Vec<_> = games.iter().map(summary).collect();
    assert_eq!(read, ["ply 3: expected a legal move, got \"Ke3\"", "0 2 *", "2 0 1-0", "1 1 *"]);
}

#[test]
fn pgn_game_with_common_deviations_from_the_standard_is_read() {
    for text in [
        "1. e4 a6 2. e5 d5 3. exd6 e.p. = Nf6 1-0",
        "1. e4 a6 2. e5 d5 3. exd6e.p. Nf6 1-0",
        "1. e4 a6 2. e5 d5 3. exd6 ep Nf6 (=) 1-0",
        "1. e4 a6 2. e5= d5 3. exd6ep =\nNf6 = 1-0",
    ] {
        assert_eq!(moves_of_pgn(text), ("e4 a6 e5 d5 exd6 Nf6".into(), None), "{text}");
    }
    let promotion = "[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n";
    for text in ["1. a8=Q+ 1-0", "1. a8=Q+= 1-0", "1. a8/Q+ = 1-0"] {
        assert_eq!(moves_of_pgn(&format!("{promotion}{text}")), ("a8=Q+".into(), None), "{text}");
    }
}

#[test]
fn pgn_game_with_null_move_is_read_up_to_it() {
    let text = "1. e4 (1. d4 -- 2. c4) e5 2.\n-- Nf6 3. Nf3 Zz9 1-0";
    let error = "2: ply 3: expected a move such as Nf3, exd5 or e8=Q, got \"--\"";
    assert_eq!(moves_of_pgn(text), ("e4 e5".into(), Some(error.into())));
    assert_eq!(moves_of_pgn("1. Z0 e5 1-0").0, "");
}

#[test]
fn text_of_a_game_has_its_bad_moves_with_the_better_ones() {
    let directory = TempDir::new("judged");
    let pgn = directory.file(
        "g.pgn",
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n1. f3 e5 2. g4 Qh4# *",
    );
    let (success, stdout, stderr) = run(&[&pgn, "--depth", "6"]);
    assert!(success, "{stderr}");
    let lines: Vec<&str> = stdout.lines().collect();
    let at = |text: &str| {
        lines.iter().position(|line| line.starts_with(text)).unwrap_or_else(|| panic!("{text}\n{stdout}"))
    };
    // A mate in one for White; a mate in one for Black.
    let blunder = lines[at("2... Ke7??")];
    let (_, better) = blunder.split_once("2... Ke7?? #1, ").unwrap();
    assert!(better.contains(" was better "), "{blunder}");
    assert!(lines[at("2. g4?? #-1, ")].contains(" was better "), "{stdout}");
    assert!(at("game 1, g.pgn:1") < at("2... Ke7") && at("2... Ke7") < at("A ") && at("A ") < at("game 2, "));
    assert!(!stdout.contains("Qxe5#") && !stdout.contains("1. e4"), "{stdout}");
}

#[test]
fn null_move_cuts_off_game_with_message() {
    let directory = TempDir::new("null");
    let pgn = directory.file("n.pgn", "1. e4 e5 2. -- Nf6 1-0\n");
    let (success, stdout, stderr) = run(&[&pgn, "--depth", "1", "--json"]);
    assert!(success && stdout.lines().count() == 3 + 2, "{stdout}{stderr}");
    let message = "n.pgn:1: ply 3: expected a move such as Nf3, exd5 or e8=Q, got \"--\", the rest of the game skipped\n";
    assert!(stderr.starts_with(message), "{stderr}");
}

#[test]
fn errors_are_reported_in_one_line() {
    let directory = TempDir::new("faults");
    let problems = directory.file("p.epd", PROBLEMS);
    let other = directory.file("q.epd", "7k/5K2/8/6Q1/8/8/8/8 w - - dm 1;\n");
    let (empty, text) = (directory.file("e.epd", "# nothing\n"), directory.file("t.jsonl", "no analysis\n"));
    let games = directory.file("g.pgn", "1. e4 *\n");
    let (out, missing) = (directory.path("out.jsonl"), directory.path("missing.epd"));
    assert!(run(&[&problems, "--depth", "3", "--out", &out]).0);
    let before = std::fs::read(&out).unwrap();
    for (arguments, expected) in [
        (&[&missing[..]][..], "missing.epd: "),
        (&[&empty], "expected a position or a game, found none"),
        (&[&problems, "--variant", "ludo"], "--variant: expected chess"),
        (&[&problems, "--pgn", &directory.path("x.pgn")], "--pgn: expected a file of games to annotate"),
        (&[&problems, "--out", &problems], "expected a file to write, got one that is read"),
        (&[&games, "--out", &out, "--pgn", &out], "--pgn, --out: expected two files, got one"),
        (&[&games, "--out", &out, "--html", &out], "--html, --out: expected two files, got one"),
        (&[&games, "--pgn", &directory.path("no/x.pgn")], "x.pgn: "),
        (&[&games, "--html", &directory.path("no/x.html")], "x.html: "),
        (&[&problems, "--html", &directory.path("x.html")], "--html: expected a file of games, found none"),
        (&[&problems, "--depth", "3", "--out", &out], "the file exists; --resume continues it"),
        (
            &[&problems, "--depth", "3", "--out", &text, "--resume"],
            "expected a file of duiyi analyse; it stays",
        ),
        (&[&problems, "--depth", "4", "--out", &out, "--resume"], "\"depth\":3"),
        (&[&other, "--depth", "3", "--out", &out, "--resume"], "expected [{\"file\":\"q.epd\""),
    ] {
        let (success, stdout, stderr) = run(arguments);
        let last = stderr.lines().last().unwrap_or_default();
        assert!(!success && stdout.is_empty(), "{arguments:?}: {stdout}");
        assert!(last.starts_with("error: ") && last.contains(expected), "{arguments:?}: {stderr}");
    }
    assert_eq!(std::fs::read(&out).unwrap(), before);
    assert_eq!(std::fs::read_to_string(&text).unwrap(), "no analysis\n");
}

/// The records of a file without their times in ms.
fn records_without_times(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for record in &mut records {
        record.as_object_mut().unwrap().remove("ms");
        record.pointer_mut("/solution").and_then(Value::as_object_mut).map(|solution| solution.remove("ms"));
    }
    records
}

const GAMES: &str = r#"[Event "a \"quoted\" event"]
[White "One"]
[Black "Two"]
[Result "0-1"]

1. f3 {the f-pawn} e5 $6 (1... d5 2. d4 (2. e3 {[%clk 1:00]} c5) 2... c5) 2. g4?? ; to the end 1-0
Qh4# 0-1 {a comment after the result}

[White "Two"]
[Black "One"]
[SetUp "1"]
[FEN "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 30"]
[Variant "Chess960"]

30. O-O-O Kc7 31.Kc2 Kc6 1/2-1/2
"#;

#[test]
fn resume_of_truncated_file_equals_whole_run() {
    let directory = TempDir::new("resume");
    let (epd, pgn) = (directory.file("p.epd", PROBLEMS), directory.file("g.pgn", GAMES));
    let [whole, cut, one, two] = ["whole", "cut", "1.pgn", "2.pgn"].map(|name| directory.path(name));
    let all = |out: &str, annotated: &str, more: &[&str]| {
        run(&[&[&epd[..], &pgn, "--nodes", "3000", "--out", out, "--pgn", annotated], more].concat())
    };
    let (success, expected, stderr) = all(&whole, &one, &[]);
    assert!(success, "{stderr}");
    let bytes = std::fs::read(&whole).unwrap();
    let records = records_without_times(&whole);
    assert_eq!(records.len(), 1 + 11 + 5 + 5);
    let end = |text: &str| text.split("\n\n").skip(1).map(String::from).collect::<Vec<_>>();
    for length in [0, 5, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
        std::fs::write(&cut, &bytes[..length]).unwrap();
        let (success, stdout, stderr) = all(&cut, &two, &["--resume"]);
        assert!(success, "cut at {length}: {stderr}");
        // The records from before the cut are printed too.
        let headings =
            |text: &str| text.lines().map(|line| line.get(..20).map(String::from)).collect::<Vec<_>>();
        assert_eq!(headings(&stdout), headings(&expected), "cut at {length}");
        let (success, json, stderr) =
            run(&[&epd[..], &pgn, "--nodes", "3000", "--out", &cut, "--resume", "--json"]);
        assert!(success, "{stderr}");
        let kinds: Vec<_> = json.lines().map(|line| line.contains("\"positions\"")).collect();
        let reviews = kinds.iter().enumerate().filter(|(_, is_review)| **is_review).map(|(line, _)| line);
        assert_eq!(reviews.collect::<Vec<_>>(), [11 + 5, 11 + 5 + 1 + 5], "cut at {length}");
        assert_eq!(records_without_times(&cut), records, "cut at {length}");
        assert_eq!(std::fs::read(&two).unwrap(), std::fs::read(&one).unwrap());
        // The summary covers all records, also those from before the cut. Only the median of ms may differ.
        let summary = |text: &str| {
            end(text).iter().filter(|part| !part.contains("median")).cloned().collect::<Vec<_>>()
        };
        assert_eq!(summary(&stdout), summary(&expected), "cut at {length}");
    }
}

#[test]
fn parts_are_the_lines_of_the_whole_file() {
    let directory = TempDir::new("part");
    let (epd, pgn) = (directory.file("p.epd", PROBLEMS), directory.file("g.pgn", GAMES));
    let [whole, joined] = ["whole", "joined"].map(|name| directory.path(name));
    let input = [&epd[..], &pgn, "--nodes", "2000"];
    assert!(run(&[&input[..], &["--out", &whole]].concat()).0);
    let mut lines = Vec::new();
    // 21 positions, and the end of the input in the middle of a part.
    for (first, count, found) in [("0", "0", 0), ("0", "9", 9), ("9", "7", 7), ("16", "9", 5), ("30", "9", 0)]
    {
        let (success, stdout, stderr) = run(&[&input[..], &["--jobs", "2", "--part", first, count]].concat());
        assert!(success, "{stderr}");
        let part: Vec<_> = stdout.lines().map(String::from).collect();
        assert_eq!(part.len(), 1 + found);
        lines.extend(part.into_iter().skip(usize::from(!lines.is_empty())));
    }
    std::fs::write(&joined, lines.join("\n")).unwrap();
    assert_eq!(records_without_times(&joined), records_without_times(&whole));
}

#[cfg(unix)]
#[test]
fn resume_after_kill_equals_whole_run() {
    let directory = TempDir::new("kill");
    let line = "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm d4;\n";
    let epd = directory.file("many.epd", line.repeat(60));
    let [out, whole] = ["out.jsonl", "whole.jsonl"].map(|name| directory.path(name));
    let arguments = |out| [&epd, "--nodes", "20000", "--out", out, "--resume"];
    for signal in ["KILL", "INT"] {
        let before = std::fs::metadata(&out).map_or(0, |file| file.len());
        let mut process =
            Process::start(command(&arguments(&out)).stdout(Stdio::null()).stderr(Stdio::piped()));
        let started = Instant::now();
        while std::fs::metadata(&out).map_or(0, |file| file.len()) < before + 2000 {
            assert!(
                started.elapsed() < Duration::from_secs(60),
                "expected more records in {out}, found none in 60 s"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        process.signal(signal);
        let code = process.end().code();
        assert_eq!(code, if signal == "INT" { Some(130) } else { None });
        if signal == "INT" {
            let stderr = std::io::read_to_string(process.stderr.take().unwrap()).unwrap();
            assert!(stderr.contains(" of 60 positions; --resume goes on"), "{stderr}");
        }
    }
    let done = std::fs::read_to_string(&out).unwrap().lines().count();
    assert!(done > 2 && done < 60, "{done}");
    assert!(run(&arguments(&out)).0 && run(&arguments(&whole)).0);
    assert_eq!(records_without_times(&out), records_without_times(&whole));
    assert_eq!(records_without_times(&out).len(), 61);
}

#[test]
fn resume_with_records_of_other_positions_is_refused() {
    let directory = TempDir::new("records");
    let epd = directory.file("p.epd", PROBLEMS);
    let out = directory.path("out.jsonl");
    let arguments = [&epd[..], "--depth", "2", "--out", &out];
    assert!(run(&arguments).0);
    let text = std::fs::read_to_string(&out).unwrap();
    let mut lines: Vec<&str> = text.lines().take(5).collect();
    lines.remove(2);
    std::fs::write(&out, lines.join("\n") + "\n").unwrap();
    let (success, _, stderr) = run(&[&arguments[..], &["--resume"]].concat());
    let expected = "error: --resume: line 3: expected a record of p.epd:3, ";
    assert!(!success && stderr.starts_with(expected) && stderr.lines().count() == 1, "{stderr}");
}

#[test]
fn part_that_is_interrupted_ends_with_130() {
    let directory = TempDir::new("part-interrupt");
    let epd = directory.file("p.epd", PROBLEMS);
    let arguments = [&epd[..], "--movetime", "600000", "--part", "6", "5"];
    let mut process = Process::start(command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()));
    // The header comes before the searches begin.
    let mut header = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(process.stdout.as_mut().unwrap()), &mut header)
        .unwrap();
    assert!(header.starts_with("{\"format\""), "{header}");
    std::thread::sleep(Duration::from_millis(300));
    process.signal("INT");
    assert_eq!(process.end().code(), Some(130));
    let stderr = std::io::read_to_string(process.stderr.take().unwrap()).unwrap();
    assert!(stderr.ends_with(" of 5 positions\n"), "{stderr}");
}

#[test]
fn control_characters_of_names_do_not_reach_the_table() {
    let directory = TempDir::new("control");
    let pgn = directory
        .file("g.pgn", "[White \"Es\x1b[2Jc\"]\n[Black \"B\x07ell\rx\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    let epd = directory.file("p.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"a\x1b]0;x\x07\";\n");
    let (success, stdout, stderr) = run(&[&pgn, &epd, "--depth", "2"]);
    assert!(success, "{stderr}");
    assert!(!stdout.contains(|c: char| c.is_control() && c != '\n'), "{stdout:?}");
    assert!(stdout.contains("Es\u{FFFD}[2Jc") && stdout.contains("B\u{FFFD}ell\u{FFFD}x"), "{stdout}");
}

#[test]
fn moves_from_a_book_are_not_judged() {
    let directory = TempDir::new("from-book");
    // Both sides blunder; only the second move of each was chosen by a player.
    let text = "1. f3 {book} e5 {[%clk 0:01] book} 2. g4 {+0.1/5 0.1s} Qh4# 0-1\n";
    let pgn = directory.file("g.pgn", text);
    let out = directory.path("out.pgn");
    let (_, reviews, _) = json_with_reviews(&[&pgn, "--depth", "4", "--pgn", &out]);
    let review = &reviews[0];
    assert_eq!((&review["players"][0]["moves"], &review["players"][1]["moves"]), (&1.into(), &1.into()));
    assert_eq!(review["positions"][0]["book"], true);
    assert_eq!(review["positions"][0]["mark"], Value::Null);
    assert_eq!(review["positions"][2]["mark"], "blunder");
    let annotated = std::fs::read_to_string(&out).unwrap();
    assert_eq!(annotated.matches("] book}").count(), 2, "{annotated}");
}

#[test]
fn variant_of_the_games_is_the_default() {
    let directory = TempDir::new("tag");
    let pgn = directory.file("g.pgn", "[Event \"x\"]\n[Variant \"Xiangqi\"]\n\n1. h3e3 *\n");
    let (success, stdout, stderr) = run(&[&pgn, "--depth", "1"]);
    assert!(success && !stderr.contains("skipped"), "{stdout}{stderr}");
    let (success, _, stderr) = run(&[&pgn, "--depth", "1", "--variant", "chess"]);
    assert!(!success && stderr.contains("tag Variant: expected chess"), "{stderr}");
}

#[test]
fn records_of_xiangqi_in_chinese_stay_in_chinese() {
    let directory = TempDir::new("chinese_records");
    let (input, output) = (directory.path("game.pgn"), directory.path("annotated.pgn"));
    let game = "[Variant \"xiangqi\"]\n[Format \"Chinese\"]\n[Result \"*\"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 *\n";
    std::fs::write(&input, game).unwrap();
    let (records, _) = json(&[&input, "--depth", "1", "--pgn", &output]);
    let is_chinese = |text: &Value| text.as_str().is_some_and(|text| !text.is_ascii());
    assert_eq!(records.len(), 5);
    assert!(
        records.iter().all(|record| is_chinese(&record["best"]) && is_chinese(&record["lines"][0]["pv"][0]))
    );
    assert_eq!(records[1]["played"], "马8进7");
    let annotated = std::fs::read_to_string(&output).unwrap();
    assert!(
        ["1. 炮二平五", "马8进7", "2. 马二进三", "车9平8"].iter().all(|text| annotated.contains(text)),
        "{annotated}"
    );
    // Without the tag the same game is written in WXF.
    std::fs::write(&input, game.replace("[Format \"Chinese\"]\n", "")).unwrap();
    let (records, _) = json(&[&input, "--depth", "1"]);
    assert_eq!(records[1]["played"], "H8+7");
}

#[test]
fn pgn_annotations_are_legal_and_round_trip() {
    let directory = TempDir::new("games");
    let (pgn, out, again) =
        (directory.file("g.pgn", GAMES), directory.path("out.pgn"), directory.path("again.pgn"));
    let (records, summary) = json(&[&pgn, "--depth", "7", "--pgn", &out]);
    assert_eq!(summary["skipped"], 0);
    let played: Vec<&str> = records.iter().filter_map(|record| record["played"].as_str()).collect();
    assert_eq!(played, ["f3", "e5", "g4", "Qh4#", "O-O-O", "Kc7", "Kc2", "Kc6"]);
    let text = std::fs::read_to_string(&out).unwrap();
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        r#"[Event "a \"quoted\" event"]"#,
        "[Annotator \"Duiyi ",
        "2. g4 $4 {[%eval #-1,7] ",
        " was better: ",
        "2... Qh4# 0-1",
        "30. O-O-O ",
        "} 1/2-1/2",
    ] {
        assert!(flat.contains(expected), "{expected}\n{text}");
    }
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    // shakmaty reads the main line and the variations of the first game: every move must be legal.
    let mut position = Chess::default();
    let mut before = position.clone();
    let (mut moves, mut variation) = (0, None);
    for word in without_comments(text.split("\n\n").nth(1).unwrap()).split_whitespace() {
        let (opens, closes) = (word.starts_with('('), word.ends_with(')'));
        if opens {
            variation = Some(std::mem::replace(&mut position, before.clone()));
        }
        let word = word.trim_matches(['(', ')']);
        if let Ok(san) = word.parse::<SanPlus>() {
            let mv = san.san.to_move(&position).unwrap_or_else(|error| panic!("{word}: {error}\n{text}"));
            before = position.clone();
            position = position.play(mv).unwrap();
            moves += usize::from(variation.is_none());
        }
        if closes {
            position = variation.take().unwrap();
        }
    }
    assert!(moves == 4 && position.is_checkmate(), "{moves}\n{text}");
    let players = summary["players"].as_array().unwrap();
    assert_eq!(players.iter().map(|player| &player["name"]).collect::<Vec<_>>(), ["One", "Two"]);
    assert_eq!(players[0]["moves"], 4);
    assert!(players[0]["marks"][2].as_u64() >= Some(1), "{players:?}");
    // The annotated file can be analysed again, with the same result.
    let (same, _) = json(&[&out, "--depth", "7", "--pgn", &again]);
    assert_eq!(same.len(), records.len());
    assert_eq!(std::fs::read_to_string(&again).unwrap(), text);
}

#[test]
fn remarks_name_only_moves_that_lose_a_fortieth_of_the_result() {
    let directory = TempDir::new("remarks");
    let game = "1. d4 d5 2. c4 e6 3. Nc3 Be7 4. Nf3 Nf6 5. Bf4 O-O 6. e3 b6 7. h4 h5 8. Rh3 *\n";
    let (pgn, out) = (directory.file("g.pgn", game), directory.path("out.pgn"));
    let (records, _) = json(&[&pgn, "--depth", "8", "--pgn", &out]);
    let cp = |record: &Value| record["lines"][0]["score"]["cp"].as_i64().unwrap();
    let expected = |record: &Value| 1.0 / (1.0 + (-0.00368208 * cp(record) as f64).exp());
    let others = || records.windows(2).filter(|pair| pair[0]["best"] != pair[0]["played"]);
    let lost = |pair: &[Value]| expected(&pair[0]) + expected(&pair[1]) - 1.0;
    let remarked = others().filter(|pair| lost(pair) >= 0.025).count();
    let small = others().filter(|pair| lost(pair) < 0.025 && cp(&pair[0]) + cp(&pair[1]) > 0).count();
    assert!(remarked > 0 && small > 0, "the game has large and small losses: {remarked}, {small}");
    let text = std::fs::read_to_string(&out).unwrap();
    assert_eq!(text.split_whitespace().filter(|word| word.starts_with("better")).count(), remarked, "{text}");
}

/// The games of `jobs_and_openings`: an opening with a name, a game from a position, and one that ends at once.
const OPENINGS: &str = "[White \"One\"]\n[Black \"Two\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. Ng5 h6 *\n\n\
    [FEN \"7k/5K2/8/6Q1/8/8/8/8 w - - 0 1\"]\n\n1. Qg7# 1-0\n\n\
    [ECO \"A00\"]\n\n1. g4 e5 2. f3 Qh4# 0-1\n";

#[test]
fn jobs_give_same_results_as_one_after_another() {
    let directory = TempDir::new("jobs");
    let (games, problems) = (directory.file("g.pgn", OPENINGS), directory.file("p.epd", PROBLEMS));
    let results = ["1", "3", "0"].map(|jobs| {
        let (annotated, journal) = (directory.path(&format!("{jobs}.pgn")), directory.path(jobs));
        let files = [problems.as_str(), &games, "--nodes", "3000", "--jobs", jobs];
        let (mut records, mut summary) =
            json(&[&files[..], &["--pgn", &annotated, "--out", &journal]].concat());
        for value in records.iter_mut().chain([&mut summary]) {
            remove_times(value);
        }
        let mut kept: Vec<Value> = std::fs::read_to_string(&journal)
            .unwrap()
            .lines()
            .skip(1)
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        kept.iter_mut().for_each(remove_times);
        assert_eq!(kept, records, "--jobs {jobs}");
        (records, summary, std::fs::read_to_string(&annotated).unwrap())
    });
    assert!(results[0].0.len() > 20);
    assert!(results.iter().all(|result| *result == results[0]));
}

/// The games of a page that `--html` wrote, each in an element of its own.
fn page_games(path: &str) -> Vec<Value> {
    let page = std::fs::read_to_string(path).unwrap();
    let parts = page.split("<script type=\"application/json\" class=\"part\">").skip(1);
    parts.map(|part| serde_json::from_str(part.split_once("</script>").unwrap().0).unwrap()).collect()
}

/// Checks that the page has the reviews and records of `--json`, and returns the reviews.
fn check_page(directory: &TempDir, arguments: &[&str]) -> Vec<Value> {
    let page = directory.path("page.html");
    let (mut records, reviews, summary) = json_with_reviews(&[arguments, &["--html", &page]].concat());
    let data = page_data(&page);
    let mut games = page_games(&page);
    records.iter_mut().chain(&mut games).for_each(remove_times);
    assert_eq!(data["players"], summary["players"]);
    let index = data["index"].as_array().unwrap();
    assert_eq!((games.len(), index.len()), (reviews.len(), reviews.len()));
    for ((game, row), review) in games.iter_mut().zip(index).zip(&reviews) {
        let of_game: Vec<&Value> = records.iter().filter(|record| record["game"] == review["game"]).collect();
        assert_eq!(row["plies"], of_game.len() - 1);
        assert_eq!([&row["result"], &row["opening"]], [&review["result"], &review["opening"]]);
        for (side, player) in review["players"].as_array().unwrap().iter().enumerate() {
            assert_eq!(
                [&row["players"][side], &row["blunders"][side]],
                [&player["name"], &player["marks"][2]]
            );
            let accuracy = player["accuracy_sum"].as_f64().unwrap() / player["moves"].as_f64().unwrap();
            assert!(
                (row["accuracy"][side].as_f64().unwrap_or(f64::NAN) - accuracy).abs() < 1e-3
                    || accuracy.is_nan()
            );
        }
        let embedded = game.as_object_mut().unwrap().remove("records").unwrap();
        assert_eq!(embedded.as_array().unwrap().iter().collect::<Vec<_>>(), of_game);
        assert_eq!(*game, *review);
        assert_eq!(of_game.len(), review["positions"].as_array().unwrap().len());
    }
    reviews
}

#[test]
fn page_data_equal_json() {
    let directory = TempDir::new("page");
    let hostile = "[White \"</script><b>{{data}}&amp;\"]\n\n1. e4 e5 2. Ke2 Ke7 *\n";
    let (games, epd) =
        (directory.file("g.pgn", format!("{OPENINGS}\n{hostile}")), directory.file("p.epd", PROBLEMS));
    let reviews = check_page(&directory, &[&epd, &games, "--nodes", "2000", "--multipv", "2"]);
    assert_eq!(reviews.len(), 4);
    assert_eq!(reviews[3]["tags"][0][1], "</script><b>{{data}}&amp;");
    for (variant, moves) in [
        ("tictactoe", "1. P@b2 P@a1 2. P@b1 P@b3 *"),
        ("cfour", "1. P@d1 P@d2 *"),
        ("trianglewar", "1. 1-2 2-3 *"),
        ("gametree", "1. B E *"),
    ] {
        let pgn = directory.file("v.pgn", format!("[Variant \"{variant}\"]\n\n{moves}\n"));
        let reviews = check_page(&directory, &[&pgn, "--variant", variant, "--depth", "3"]);
        let played: Vec<&Value> = reviews[0]["positions"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|position| position.get("move"))
            .collect();
        let words = moves.split(' ').filter(|word| !word.ends_with('.') && *word != "*");
        assert_eq!(played, words.collect::<Vec<_>>(), "{variant}");
    }
}

#[test]
fn review_has_loss_accuracy_and_mark_of_each_move_and_sums_by_phase() {
    let directory = TempDir::new("review");
    let ending = "[White \"Two\"]\n[FEN \"8/8/8/4k3/8/8/4P3/4K2R b - - 0 9\"]\n\n9... Kd4 10. Rh4+ Ke3 *\n";
    let games = directory.file("g.pgn", format!("{OPENINGS}\n{ending}"));
    let (records, reviews, summary) = json_with_reviews(&[&games, "--depth", "5"]);
    let phases = |review: &Value| -> Vec<String> {
        let positions = review["positions"].as_array().unwrap();
        positions.iter().map(|position| position["phase"].as_str().unwrap().into()).collect()
    };
    assert_eq!(phases(&reviews[0])[..6], ["opening"; 6]);
    assert_eq!(phases(&reviews[0])[6..], ["middlegame"; 3]);
    assert_eq!(phases(&reviews[3]), ["endgame"; 4]);
    let last = &reviews[3]["positions"];
    let numbers: Vec<&Value> = (0..4).map(|ply| &last[ply]["number"]).collect();
    assert_eq!(numbers, [9, 10, 10, 11]);
    assert_eq!((&last[0]["side"], &last[1]["side"]), (&"black".into(), &"white".into()));
    let mate = &reviews[2]["positions"][2];
    assert_eq!((&mate["move"], &mate["mark"]), (&"f2f3".into(), &"blunder".into()));
    assert!(mate["accuracy"].as_f64() < Some(40.0) && mate["best_move"] != "f2f3", "{mate}");
    assert_eq!(reviews[2]["positions"][4]["expected"], 0.0, "White is mated");
    for review in &reviews {
        let positions = review["positions"].as_array().unwrap();
        for (side, player) in ["white", "black"].into_iter().zip(review["players"].as_array().unwrap()) {
            let own: Vec<&Value> =
                positions.iter().filter(|p| p["side"] == side && p.get("move").is_some()).collect();
            let sum = |field: &str| own.iter().map(|p| p[field].as_f64().unwrap()).sum::<f64>();
            let close = |a: f64, b: &Value| (a - b.as_f64().unwrap()).abs() < 1e-3;
            assert_eq!(player["moves"], own.len());
            assert!(close(sum("accuracy"), &player["accuracy_sum"]), "{player}");
            assert!(close(sum("expected_lost"), &player["expected_lost"]), "{player}");
            assert!(close(sum("centipawn_loss"), &player["centipawn_loss"]), "{player}");
            let of_phases: u64 = player["phases"]
                .as_object()
                .unwrap()
                .values()
                .map(|totals| totals["moves"].as_u64().unwrap())
                .sum();
            assert_eq!(player["moves"], of_phases);
        }
        let best = records.iter().filter(|record| record["game"] == review["game"]).zip(positions);
        for (record, position) in best.filter(|(record, _)| record["best"] == record["played"]) {
            assert!(record["played"].is_null() || position["accuracy"] == 100.0, "{position}");
        }
    }
    let moves: u64 =
        summary["players"].as_array().unwrap().iter().map(|p| p["moves"].as_u64().unwrap()).sum();
    assert_eq!(moves, 8 + 1 + 4 + 3);
}

/// Removes the fields `ms` at any depth.
fn remove_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("ms");
            fields.values_mut().for_each(remove_times);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_times),
        _ => {}
    }
}

#[test]
fn games_have_names_of_their_openings() {
    let directory = TempDir::new("openings");
    let (games, annotated) = (directory.file("g.pgn", OPENINGS), directory.path("out.pgn"));
    let (success, text, _) = run(&[&games, "--depth", "2", "--pgn", &annotated]);
    assert!(success);
    let headings: Vec<&str> =
        text.lines().filter(|line| line.starts_with(['A', 'B', 'C', 'D', 'E'])).collect();
    assert_eq!(headings, ["C50 Italian Game: Giuoco Piano", "A00 Barnes Opening: Fool's Mate"], "{text}");
    let text = std::fs::read_to_string(&annotated).unwrap();
    for expected in ["[ECO \"C50\"]\n[Opening \"Italian Game: Giuoco Piano\"]", "[ECO \"A00\"]"] {
        assert_eq!(text.matches(expected).count(), 1, "{text}");
    }
    let (records, _) = json(&[&games, "--depth", "1"]);
    let opening = |ply: usize| &records[ply]["opening"];
    assert_eq!((opening(0), &opening(1)["eco"]), (&Value::Null, &"B00".into()));
    assert_eq!(opening(6)["name"], "Italian Game: Giuoco Piano");
}

fn without_comments(text: &str) -> String {
    text.split('{').map(|part| part.rsplit('}').next().unwrap()).collect()
}

#[test]
fn problems_of_other_variants_are_solved() {
    let directory = TempDir::new("other");
    // A win in one move; the best child of a tree.
    let epd = directory.file("t.epd", "pp1/PP1/3 w; bm P@c2; dm 1; id \"row\";\n");
    let (records, _) = json(&[&epd, "--variant", "tictactoe", "--depth", "9"]);
    assert_eq!(records[0]["solved"], true, "{records:?}");
    let tree = directory.file("tree.epd", "MAX A(B(C=3 D=12) E(F=2 G=4)); bm B;\n");
    let (records, _) = json(&[&tree, "--variant", "gametree"]);
    assert_eq!(records[0]["solved"], true, "{records:?}");
}

#[test]
fn sgf_games_are_analysed_as_go_and_annotated_as_pgn() {
    let directory = TempDir::new("sgf");
    let file = directory.file(
        "g.sgf",
        "(;SZ[5]KM[0.5]PB[Wei]PW[Yi]RE[B+24.5];B[cc];W[bb](;B[cb];W[];B[])(;B[bc]))\n\n(;SZ[5];B[cc];W[cc])",
    );
    let out = directory.path("out.pgn");
    let (success, stdout, stderr) = run(&[&file, "--nodes", "200", "--json", "--pgn", &out]);
    assert!(!success && stderr.contains("g.sgf:3: ply 2: expected pass, or a legal point"), "{stderr}");
    let records = stdout.lines().filter(|line| line.starts_with("{\"at\":\"g.sgf:1\",\"game\":1,\"ply\":"));
    assert_eq!(records.count(), 6, "{stdout}");
    let annotated = std::fs::read_to_string(&out).unwrap();
    assert!(
        annotated.contains("[White \"Wei\"]\n[Black \"Yi\"]\n[Result \"1-0\"]\n[Variant \"go\"]\n"),
        "{annotated}"
    );
    let (records, _) = json(&[&out, "--nodes", "200"]);
    assert_eq!(records.len(), 6);
    assert_eq!(records[0]["position"], "5/5/5/5/5 b - 0 0.5 1");
}
