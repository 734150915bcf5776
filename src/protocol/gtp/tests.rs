use super::*;
use std::collections::VecDeque;

/// A session, with a server that refuses what begins with one of `refused`, has `output` for each command, and searches
/// without an end.
#[derive(Default)]
struct Client {
    gtp: Gtp,
    refused: Option<&'static str>,
    output: &'static str,
    /// The commands that the server got.
    commands: Vec<String>,
}

impl Client {
    /// What the program writes for `line`.
    fn line(&mut self, line: &str) -> String {
        let requests = self.gtp.read(line);
        self.serve(requests)
    }

    fn serve(&mut self, requests: Vec<Request>) -> String {
        let mut written = String::new();
        let mut requests = VecDeque::from(requests);
        while let Some(request) = requests.pop_front() {
            let reply = match request {
                Request::Ask(id, command) => {
                    let text = command.to_string();
                    let is_refused = self.refused.is_some_and(|begin| text.starts_with(begin));
                    self.commands.push(text);
                    let result = if is_refused { Err("refused".into()) } else { Ok(self.output.into()) };
                    Reply::Done { id, result }
                }
                Request::Command(Command::Uci) => Reply::IdName("Duiyi 1.2".into()),
                Request::Command(command) => {
                    self.commands.push(command.to_string());
                    continue;
                }
                request => panic!("expected a command, got {request:?}"),
            };
            written.extend(self.gtp.write(&reply));
            requests.extend(self.gtp.follow_up());
        }
        written
    }

    fn best(&mut self, mv: &str, ms: u64) -> String {
        let elapsed = Duration::from_millis(ms);
        let reply = Reply::BestMove { best: Some(mv.into()), ponder: None, elapsed };
        let written = self.gtp.write(&reply).unwrap();
        let requests = self.gtp.follow_up();
        written + &self.serve(requests)
    }

    /// The last command of the server.
    fn last(&self) -> &str {
        self.commands.last().map_or("", String::as_str)
    }
}

#[test]
fn each_line_has_an_answer_with_its_number() {
    let mut client = Client::default();
    for (line, answer) in [
        ("1 protocol_version", "=1 2\n"),
        ("name", "= Duiyi\n"),
        ("007 version # the number is repeated as it is", "=007 1.2\n"),
        ("2\tknown_command  genmove", "=2 true\n"),
        ("known_command tea", "= false\n"),
        ("boardsize 9", "=\n"),
        ("10 clear_board\r", "=10\n"),
        ("komi 5.5", "=\n"),
        ("query_boardsize", "= 9\n"),
        ("get_komi", "= 5.5\n"),
        ("play B J9", "=\n"),
        ("play white pass", "=\n"),
        ("undo", "=\n"),
        ("", ""),
        ("# a comment", ""),
        ("3", "?3 syntax error: expected a command after the number, got nothing\n"),
        ("4 tea", "?4 unknown command: \"tea\" (\"list_commands\" lists them), ignored\n"),
        (
            "5 boardsize 20",
            "?5 unacceptable size: expected a size from 2 to 19, got \"20\", command ignored\n",
        ),
        (
            "komi 5.3",
            "? syntax error: expected a komi in half points up to 361, got \"5.3\", command ignored\n",
        ),
        (
            "play b i3",
            "? syntax error: expected a point from A1 to J9 without the file I, or pass, got \"i3\", command ignored\n",
        ),
        (
            "play b a10",
            "? syntax error: expected a point from A1 to J9 without the file I, or pass, got \"a10\", command ignored\n",
        ),
        ("play red a1", "? syntax error: expected b, black, w or white, got \"red\", command ignored\n"),
        (
            "kgs-rules japanese",
            "? unknown rules: expected chinese, aga or tromp-taylor, got \"japanese\", command ignored\n",
        ),
    ] {
        assert_eq!(client.line(line), answer, "{line}");
    }
    assert!(client.line("list_commands").contains("\nplay\nprintsgf\nprotocol_version\n"));
    assert_eq!(client.line("9 quit"), "");
    assert_eq!(client.gtp.farewell(), Some("=9\n".into()));
}

#[test]
fn refusal_of_the_server_is_the_answer_and_comes_once() {
    let mut client = Client { refused: Some("play"), ..Client::default() };
    assert_eq!(client.line("7 play b d4"), "?7 refused\n");
    assert_eq!(client.line("8 showboard"), "=8 \n\n");
}

#[test]
fn output_of_the_server_becomes_the_form_of_the_protocol() {
    let mut client = Client::default();
    client.line("boardsize 5");
    client.output = "5 . .\n\nFen: 5/p4/5/2P2/5 b - 0 7 1";
    assert_eq!(client.line("showboard"), "= \n5 . .\nFen: 5/p4/5/2P2/5 b - 0 7 1\n");
    assert_eq!(client.line("final_status_list alive"), "= A4\nC2\n");
    assert_eq!(client.line("final_status_list dead"), "=\n");
    client.output = "a1 b2 pass";
    assert_eq!(client.line("all_legal w"), "= A1 B2\n");
    assert_eq!(client.line("is_legal b b2"), "= 1\n");
    assert_eq!(client.line("is_legal b b1"), "= 0\n");
    for (points, score) in [("2.5", "B+2.5"), ("-7.0", "W+7"), ("0.0", "0")] {
        client.output = points;
        assert_eq!(client.line("final_score"), format!("= {score}\n"));
    }
}

#[test]
fn handicap_stones_stand_on_the_points_of_the_protocol() {
    for (size, count, points) in [
        (19, 2, "D4 Q16"),
        (19, 9, "D4 Q16 Q4 D16 D10 Q10 K4 K16 K10"),
        (9, 5, "C3 G7 G3 C7 E5"),
        (8, 4, "C3 F6 F3 C6"),
    ] {
        let mut client = Client::default();
        client.line(&format!("boardsize {size}"));
        assert_eq!(client.line(&format!("fixed_handicap {count}")), format!("= {points}\n"));
        assert_eq!(client.last(), "turn black");
        assert!(client.line("fixed_handicap 2").starts_with("? board not empty"));
    }
    let mut client = Client::default();
    assert!(client.line("fixed_handicap 10").starts_with("? invalid number of stones: expected 2 to 9 on"));
    client.line("boardsize 4");
    let refused = client.line("fixed_handicap 2");
    assert_eq!(refused, "? invalid number of stones: expected a board of 7x7 and more, got 4\n");
    assert_eq!(client.line("set_free_handicap A1 b2 C3"), "=\n");
}

#[test]
fn move_of_a_search_is_answered_and_played() {
    let mut client = Client::default();
    assert_eq!(client.line("12 genmove w"), "");
    assert_eq!(client.last(), "go movetime 5000");
    assert_eq!(client.best("d4", 10), "=12 D4\n");
    assert_eq!(client.last(), "play d4");
    client.line("reg_genmove b");
    assert_eq!(client.best("pass", 10), "= PASS\n");
    assert_eq!(client.last(), "go movetime 5000");
    assert!(!client.gtp.acts_at_once("undo") && client.gtp.acts_at_once("3 quit"));
}

/// A report of a search whose best move wins `wins` of 1,000 games.
fn info_with_wins(wins: u16) -> Reply {
    match info(Score::Cp(0)) {
        Reply::Info(info) => Reply::Info(Box::new(Info { wdl: Some([wins, 0, 1000 - wins]), ..*info })),
        other => other,
    }
}

#[test]
fn pass_that_wins_answers_a_pass() {
    for (passes, points, wins, answer) in [
        ("play w pass", "2.5", 501, "= PASS\n"),
        ("play w pass", "2.5", 500, "= D4\n"),
        ("play w pass", "0", 900, "= D4\n"),
        ("play w pass", "-2.5", 900, "= D4\n"),
        ("play w C3", "2.5", 900, "= D4\n"),
        ("play b pass", "2.5", 900, "= D4\n"),
    ] {
        let mut client = Client::default();
        client.line(passes);
        client.output = points;
        client.line("genmove b");
        assert_eq!(client.commands.contains(&"points".into()), passes == "play w pass");
        client.gtp.write(&info_with_wins(wins));
        assert_eq!(client.best("d4", 10), answer, "{passes}, {points} points, {wins} wins");
    }
    let mut client = Client { output: "-2.5", ..Client::default() };
    client.line("play b pass");
    client.line("genmove w");
    client.gtp.write(&info_with_wins(900));
    assert_eq!((client.best("d4", 10).as_str(), client.last()), ("= PASS\n", "play pass"));
    client.line("kgs-genmove_cleanup b");
    client.gtp.write(&info_with_wins(900));
    assert_eq!(client.best("d4", 10), "= D4\n", "dead stones are captured");
}

#[test]
fn game_is_resigned_after_three_hopeless_moves_in_a_row() {
    let mut client = Client::default();
    let mut play = |command: &str, wins| {
        client.line(command);
        client.gtp.write(&info_with_wins(wins));
        client.best("d4", 10)
    };
    for wins in [9, 9, 10, 9, 9] {
        assert_eq!(play("genmove b", wins), "= D4\n");
    }
    assert_eq!(play("genmove w", 0), "= D4\n", "each side has its own count");
    assert_eq!(play("kgs-genmove_cleanup b", 0), "= D4\n");
    assert_eq!(play("4 genmove b", 9), "=4 resign\n");
    assert_eq!(play("kata-genmove_analyze b 50", 9), "play resign\n");
    assert_eq!(play("reg_genmove b", 9), "= D4\n");
    client.line("clear_board");
    let mut play = |command: &str, wins| {
        client.line(command);
        client.gtp.write(&info_with_wins(wins));
        client.best("d4", 10)
    };
    assert_eq!(play("genmove b", 0), "= D4\n");
    client.line("lz-setoption name Resign Percentage value 0");
    for _ in 0..4 {
        client.line("genmove b");
        client.gtp.write(&info_with_wins(0));
        assert_eq!(client.best("d4", 10), "= D4\n");
    }
    assert_eq!(client.commands.iter().filter(|command| *command == "play d4").count(), 12);
}

#[test]
fn options_are_those_of_leela_zero_and_of_uci() {
    let mut client = Client::default();
    let mut check =
        |line: &str, answer: &str| assert_eq!(client.line(&format!("lz-setoption {line}")), answer);
    check("name visits value 500", "=\n");
    check("name Hash value 64", "=\n");
    for (line, expected) in [
        ("", "? syntax error: expected name NAME value VALUE, got nothing"),
        ("name visits value -1", "? syntax error: expected visits from 0 on, 0 without a limit, got \"-1\""),
        (
            "name Resign percentage value 101",
            "? syntax error: expected a percentage, 0 never to resign, got \"101\"",
        ),
        (
            "name UCI_Variant value chess",
            "? unacceptable option: expected one that no command sets, got \"UCI_Variant\"",
        ),
    ] {
        check(line, &format!("{expected}, command ignored\n"));
    }
    assert!(client.commands.contains(&"setoption name Hash value 64".into()));
    client.line("genmove b");
    assert_eq!(client.last(), "go nodes 500");
    client.best("d4", 10);
    client.line("time_settings 0 2 1");
    client.line("genmove b");
    assert_eq!(client.last(), "go wtime 2000 btime 2000 winc 0 binc 0 movestogo 1 nodes 500");
}

#[test]
fn clocks_limit_searches() {
    let mut client = Client::default();
    let mut check = |lines: &[&str], go: &str| {
        lines.iter().for_each(|line| drop(client.line(line)));
        client.line("genmove b");
        assert_eq!(client.last(), format!("go {go}"), "{lines:?}");
        client.best("d4", 1000);
    };
    check(&["time_settings 60 0 0"], "wtime 60000 btime 60000 winc 0 binc 0");
    check(&[], "wtime 59000 btime 59000 winc 0 binc 0");
    check(&["time_left b 30 0"], "wtime 30000 btime 30000 winc 0 binc 0");
    check(&["time_settings 60 30 10"], "wtime 90000 btime 90000 winc 3000 binc 3000");
    check(&["time_left b 20 4"], "wtime 20000 btime 20000 winc 0 binc 0 movestogo 4");
    check(&["time_left b 0 0"], "wtime 30000 btime 30000 winc 0 binc 0 movestogo 10");
    check(&["kgs-time_settings byoyomi 0 5 3"], "wtime 5000 btime 5000 winc 0 binc 0 movestogo 1");
    check(&["time_settings 0 1 0"], "movetime 5000");
    check(&["kgs-time_settings none"], "movetime 5000");
    assert!(client.line("time_settings 1 x 2").starts_with("? syntax error: expected 3 numbers"));
}

#[test]
fn main_time_that_was_rounded_up_is_what_was_counted() {
    let mut client = Client::default();
    client.line("time_settings 60 0 0");
    client.line("genmove b");
    client.best("d4", 400);
    for (left, milliseconds) in [(60, 59_600), (61, 61_000), (58, 58_000)] {
        client.line(&format!("time_left b {left} 0"));
        client.line("genmove b");
        let expected = format!("go wtime {milliseconds} btime {milliseconds} winc 0 binc 0");
        assert_eq!(client.last(), expected, "{left}");
        client.best("d4", 0);
    }
}

fn info(score: Score) -> Reply {
    Reply::Info(Box::new(Info {
        depth: 3,
        seldepth: 4,
        multipv: 1,
        score,
        bound: crate::game::Bound::Exact,
        wdl: Some([600, 100, 300]),
        nodes: 77,
        nps: 50,
        hashfull: 0,
        tbhits: 0,
        time: 1500,
        pv: vec!["d4".into(), "pass".into()],
    }))
}

#[test]
fn analysis_goes_on_until_any_line() {
    let mut client = Client::default();
    assert_eq!(client.line("5 lz-analyze b 50"), "");
    assert_eq!(client.last(), "go infinite");
    let line = "info move D4 visits 77 winrate 6500 prior 10000 order 0 pv D4 PASS";
    assert_eq!(client.gtp.write(&info(Score::Cp(35))), Some(format!("=5\n{line}")));
    assert_eq!(client.gtp.write(&info(Score::Cp(35))), Some(line.into()));
    let requests = client.gtp.read("6 name");
    assert_eq!(requests[0], Request::Command(Command::Stop));
    assert_eq!(client.best("d4", 10), "", "the empty line ends the answer");
    assert_eq!(client.serve(requests), "=6 Duiyi\n");
    client.line("kata-analyze 50");
    let line = "=\ninfo move D4 visits 77 winrate 0.650 scoreLead 3.5 order 0 pv D4 PASS";
    assert_eq!(client.gtp.write(&info(Score::Cp(35))).as_deref(), Some(line));
    client.gtp.read("");
    client.best("d4", 10);
    client.line("kata-genmove_analyze b 50");
    client.gtp.write(&info(Score::Cp(35)));
    assert_eq!(client.best("d4", 10), "play D4\n");
    client.line("8 lz-genmove_analyze b 50");
    assert_eq!(client.best("d4", 10), "=8\nplay D4\n");
}

proptest::proptest! {
    #[test]
    fn any_lines_give_short_answers(
        lines in proptest::collection::vec("([0-9]{0,3} ?(play|komi|boardsize|time_left|fixed_handicap|genmove|lz-analyze) ?(b|w)? ?([A-T]?-?[0-9]{0,20} ?){0,4})|.*", 0..20)
    ) {
        let mut client = Client::default();
        for line in lines {
            proptest::prop_assert!(client.line(&line).len() < 1000, "{line:?}");
        }
    }
}
