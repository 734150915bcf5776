use super::*;
use std::collections::VecDeque;

/// What `lines` ask of a server that refuses nothing, as text.
fn requests(gomocup: &mut Gomocup, lines: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    for line in lines {
        let mut requests = VecDeque::from(gomocup.read(line));
        while let Some(request) = requests.pop_front() {
            match request {
                Request::Ask(id, command) => {
                    texts.push(command.to_string());
                    let reply = gomocup.write(&Reply::Done { id, result: Ok(String::new()) });
                    texts.extend(reply);
                    requests.extend(gomocup.follow_up());
                }
                Request::Command(command) => texts.push(command.to_string()),
                Request::Reply(reply) => texts.push(reply.to_string()),
                Request::Error(error) => texts.push(error.to_string()),
            }
        }
    }
    texts
}

/// What the reply to a search asks of the server.
fn followed(gomocup: &mut Gomocup) -> Vec<String> {
    let text = |request| match request {
        Request::Ask(_, command) => command.to_string(),
        request => format!("{request:?}"),
    };
    gomocup.follow_up().into_iter().map(text).collect()
}

fn started(size: u8) -> Gomocup {
    let mut gomocup = Gomocup::default();
    gomocup.read(&format!("START {size}"));
    gomocup
}

fn best(mv: &str) -> Reply {
    Reply::BestMove { best: Some(mv.into()), ponder: None, elapsed: Duration::from_millis(100) }
}

/// The `go` command of the next move.
fn go(gomocup: &mut Gomocup) -> String {
    requests(gomocup, &["BEGIN"]).pop().unwrap()
}

#[test]
fn stones_of_a_game_are_played_and_taken_back() {
    let mut gomocup = Gomocup::default();
    let start = ["setoption name UCI_Variant value gomokufreestyle", "ucinewgame"];
    let start = [start[0], start[1], "position startpos", "isready"];
    assert_eq!(requests(&mut gomocup, &["START 15\r"]), start);
    let go = "go wtime 2000000000 btime 2000000000 movetime 29950";
    assert_eq!(requests(&mut gomocup, &["BEGIN"]), ["turn white", go]);
    assert_eq!(gomocup.write(&best("P@h8")), Some("7,7".into()));
    assert_eq!(followed(&mut gomocup), ["play P@h8"]);
    let turn = ["turn black", "play P@o9", "turn white", go];
    assert_eq!(requests(&mut gomocup, &["turn 14 , 8"]), turn);
    assert_eq!(requests(&mut gomocup, &["PLAY 0,7"]), ["turn white", "play P@a8", "0,7"]);
    assert_eq!(requests(&mut gomocup, &["TAKEBACK 14,8"]), ["undo P@o9", "OK"]);
}

#[test]
fn refused_stones_are_errors_of_their_line() {
    let mut gomocup = started(15);
    for (line, error) in [
        ("TURN 0,0", "ERROR TURN: expected a point without a stone, got \"0,0\", command ignored"),
        ("PLAY 0,0", "ERROR PLAY: expected a point without a stone, got \"0,0\", command ignored"),
        ("TAKEBACK 0,0", "ERROR TAKEBACK: expected the point of a stone, got \"0,0\", command ignored"),
    ] {
        gomocup.read(line);
        let refused = Reply::Done { id: ASKED, result: Err("play: no".into()) };
        assert_eq!(gomocup.write(&refused).as_deref(), Some(error));
        assert_eq!(gomocup.follow_up(), []);
    }
}

/// The sides of the stones that `lines` put, and the side to move, as letters.
fn sides(gomocup: &mut Gomocup, lines: &[&str]) -> String {
    let requests = requests(gomocup, lines);
    requests.iter().filter_map(|text| text.strip_prefix("turn ")).map(|side| &side[..1]).collect()
}

#[test]
fn first_player_of_a_board_is_the_side_with_more_stones() {
    let mut gomocup = started(15);
    for (stones, expected) in [
        (&[][..], "w"),
        (&["0,0,1", "1,0,2"], "wbw"),
        (&["0,0,2"], "wb"),
        (&["0,0,2", "2,0,2", "1,0,2"], "wwwb"),
        (&["0,0,1", "14,0,1"], "www"),
    ] {
        let lines = [&["BOARD"], stones, &["DONE"]].concat();
        assert_eq!(sides(&mut gomocup, &lines), expected, "{stones:?}");
    }
    let mut second = started(15);
    assert_eq!(sides(&mut second, &["TURN 7,7", "TURN 8,8"]), "wbwb");
    assert_eq!(sides(&mut second, &["RESTART", "BEGIN"]), "w");
    second.write(&best("P@h8"));
    assert_eq!(sides(&mut second, &["TURN 8,8"]), "bw");
}

#[test]
fn info_of_time_sets_the_limits_of_the_next_move() {
    let mut gomocup = started(20);
    let mut check = |lines: &[&str], expected: &str| {
        assert_eq!(requests(&mut gomocup, lines), [""; 0]);
        assert_eq!(go(&mut gomocup), format!("go {expected}"), "{lines:?}");
    };
    check(&["INFO timeout_turn 1000"], "wtime 2000000000 btime 2000000000 movetime 950");
    check(&["info TIMEOUT_TURN 100"], "wtime 2000000000 btime 2000000000 movetime 90");
    check(&["INFO timeout_turn 0"], "wtime 2000000000 btime 2000000000 depth 1");
    check(&["INFO timeout_turn 10", "INFO timeout_match 5000"], "wtime 5000 btime 5000 movetime 9");
    check(&["INFO time_left 4321"], "wtime 4321 btime 4321 movetime 9");
    check(&["INFO time_left -7"], "wtime -7 btime -7 movetime 9");
    check(&["INFO time_left 2147483647"], "wtime 2000000000 btime 2000000000 movetime 9");
    check(&["INFO time_left 9", "INFO timeout_match 0"], "wtime 2000000000 btime 2000000000 movetime 9");
}

/// Line `multipv` of an iteration.
fn report(multipv: usize, score: Score, pv: &[&str]) -> Reply {
    Reply::Info(Box::new(Info {
        depth: 3,
        seldepth: 4,
        multipv,
        score,
        bound: crate::game::Bound::Exact,
        wdl: None,
        nodes: 77,
        nps: 50,
        hashfull: 0,
        tbhits: 0,
        time: 1500,
        pv: pv.iter().map(|mv| mv.to_string()).collect(),
    }))
}

#[test]
fn swap2_opening_has_the_third_stone_with_the_score_nearest_to_0() {
    let mut gomocup = started(15);
    let lines = requests(&mut gomocup, &["SWAP2BOARD", "DONE"]);
    let variant = "setoption name UCI_Variant value gomokufreestyle";
    let stones = [variant, "position startpos", "turn white", "play P@d1", "turn black", "play P@e2"];
    assert_eq!(lines[..6], stones);
    assert_eq!(lines[6..8], ["setoption name MultiPV value 256", "turn white"]);
    assert_eq!(lines[9..], ["setoption name MultiPV value 1"]);
    // The lines of the last iteration count.
    gomocup.write(&report(1, Score::Cp(0), &["P@a1"]));
    for (index, (score, mv)) in
        [(Score::Mate(2), "P@b1"), (Score::Cp(30), "P@c1"), (Score::Cp(-9), "P@e1"), (Score::Cp(-11), "P@f1")]
            .into_iter()
            .enumerate()
    {
        gomocup.write(&report(index + 1, score, &[mv]));
    }
    let answer = "MESSAGE depth 3 score cp -9 nodes 77 time 1500 pv 4,0\n3,0 4,1 4,0";
    assert_eq!(gomocup.write(&best("P@b1")), Some(answer.into()));
}

#[test]
fn swap2_choice_swaps_if_the_score_is_negative() {
    let three = ["SWAP2BOARD", "0,0", "1,0", "2,0", "DONE"];
    let five = ["SWAP2BOARD", "0,0", "1,0", "2,0", "3,0", "4,0", "DONE"];
    for (lines, stones) in [(&three[..], "wbwb"), (&five[..], "wbwbwb")] {
        for (score, answer) in [
            (Score::Cp(-1), "SWAP"),
            (Score::Mate(-3), "SWAP"),
            (Score::Cp(0), "7,7"),
            (Score::Mate(3), "7,7"),
        ] {
            let mut gomocup = started(15);
            assert_eq!(sides(&mut gomocup, lines), stones);
            gomocup.write(&report(1, score, &["P@h8"]));
            let reply = gomocup.write(&best("P@h8")).unwrap();
            assert_eq!(reply.lines().last(), Some(answer), "{score:?}");
            assert_eq!(followed(&mut gomocup).is_empty(), answer == "SWAP");
        }
    }
    // After the swap Black's stones are the own ones.
    let mut gomocup = started(15);
    requests(&mut gomocup, &three);
    gomocup.write(&report(1, Score::Cp(-1), &["P@h8"]));
    gomocup.write(&best("P@h8"));
    assert_eq!(sides(&mut gomocup, &["TURN 3,0"]), "bw");
}

#[test]
fn time_of_own_searches_is_subtracted_until_time_left_is_sent() {
    let mut gomocup = started(15);
    requests(&mut gomocup, &["INFO timeout_match 5000", "BEGIN"]);
    let info = report(1, Score::Cp(-5), &["P@h8", "P@a15"]);
    assert_eq!(gomocup.write(&info), None);
    let answer = "MESSAGE depth 3 score cp -5 nodes 77 time 1500 pv 7,7 0,14\n7,7";
    // The last iteration ended after 1,500 ms, and the search went on.
    let elapsed = Duration::from_millis(2100);
    let reply = Reply::BestMove { best: Some("P@h8".into()), ponder: None, elapsed };
    assert_eq!(gomocup.write(&reply), Some(answer.into()));
    assert!(go(&mut gomocup).contains(" wtime 2900 "));
    requests(&mut gomocup, &["INFO time_left -9223372036854775808"]);
    go(&mut gomocup);
    gomocup.write(&reply);
    assert!(go(&mut gomocup).contains(" wtime -9223372036854775808 "));
    requests(&mut gomocup, &["RESTART"]);
    assert!(go(&mut gomocup).contains(" wtime 5000 "));
}

#[test]
fn next_search_has_a_table_of_half_of_the_memory_that_fits_its_turn() {
    for (memory, turn, megabytes) in [
        ("83886080", 30_000, 40),
        ("1", 30_000, 1),
        ("0", 30_000, 256),
        ("-1", 30_000, 256),
        ("9223372036854775807", 30_000, 1024),
        ("9223372036854775807", 1000, 250),
        ("0", 100, 25),
        ("0", 0, 16),
    ] {
        let mut gomocup = started(15);
        let info = [format!("INFO max_memory {memory}"), format!("INFO timeout_turn {turn}")];
        assert!(requests(&mut gomocup, &[&info[0], &info[1]]).is_empty());
        let hash = format!("setoption name Hash value {megabytes}");
        assert_eq!(requests(&mut gomocup, &["BEGIN"])[0], hash);
        assert!(requests(&mut gomocup, &["BEGIN"])[0].starts_with("turn"), "it is set once");
    }
}

#[test]
fn every_error_of_info_is_sent_with_the_next_answer() {
    let mut gomocup = started(15);
    let lines = requests(&mut gomocup, &["INFO time_left x", "INFO max_memory y", "BEGIN"]);
    assert!(
        lines[0].starts_with("MESSAGE INFO time_left: ") && lines[1].starts_with("MESSAGE INFO max_memory: ")
    );
}

#[test]
fn size_and_rule_set_the_variant() {
    for (size, rule, variant) in [
        (15, 0, "gomokufreestyle"),
        (15, 1, "gomoku"),
        (20, 0, "gomokufreestyle20"),
        (20, 1, "gomoku20"),
        (15, 3, "gomoku"),
        (15, 2, "gomokufreestyle"),
        (15, 4, "renju"),
        (15, 5, "renju"),
        (20, 4, "gomoku20"),
    ] {
        let option = format!("setoption name UCI_Variant value {variant}");
        let (size, rule) = (format!("START {size}"), format!("INFO rule {rule}"));
        assert_eq!(requests(&mut started(15), &[&size, &rule]).last(), Some(&option));
        let mut rule_first = Gomocup::default();
        assert_eq!(requests(&mut rule_first, &[&rule, &size])[0], option);
    }
}

#[test]
fn board_of_renju_is_one_position() {
    let mut gomocup = started(15);
    let lines = requests(&mut gomocup, &["INFO rule 4", "BOARD", "0,0,1", "1,0,2", "2,0,1", "DONE"]);
    let position = format!("position fen {}PpP12 w - - 0 2", "15/".repeat(14));
    assert!(lines.contains(&position), "{lines:?}");
}

#[test]
fn abandoned_search_and_ended_session_send_no_move() {
    let mut gomocup = started(15);
    requests(&mut gomocup, &["BEGIN"]);
    assert_eq!(requests(&mut gomocup, &["RESTART"])[0], "stop");
    assert_eq!(gomocup.write(&best("P@h8")), None);
    requests(&mut gomocup, &["TURN 7,7"]);
    assert_eq!(gomocup.write(&best("P@a1")), Some("0,0".into()));
    assert_eq!(requests(&mut gomocup, &["BEGIN", "END"]).last().unwrap(), "quit");
    assert_eq!(gomocup.write(&best("P@h9")), None);
}

#[test]
fn only_commands_that_need_the_board_wait_for_the_search() {
    let gomocup = started(15);
    for line in ["END", "info time_left 3", "RESTART\r", "ABOUT", "", "FOO", "7,7,1", "START 15"] {
        assert!(gomocup.acts_at_once(line), "{line}");
    }
    for line in ["BEGIN", "turn 7,7", "  BOARD\r", "DONE", "TAKEBACK 1,1", "PLAY 1,1", "SWAP2BOARD"] {
        assert!(!gomocup.acts_at_once(line), "{line}");
    }
}

proptest::proptest! {
    #[test]
    fn any_lines_give_short_answers(
        lines in proptest::collection::vec("(START|TURN|BOARD|SWAP2BOARD|DONE|INFO rule|INFO time_left|TAKEBACK|PLAY|BEGIN)? ?(-?[0-9]{0,20},?){0,4}|.*", 0..20)
    ) {
        let mut gomocup = started(15);
        for line in lines {
            for request in gomocup.read(&line) {
                if let Request::Reply(reply) = request {
                    proptest::prop_assert!(gomocup.write(&reply).unwrap_or_default().len() < 800, "{line:?}");
                }
            }
        }
    }
}
