//! `duiyi prove`: answers, exit statuses and output.

use crate::common::process::{Process, command};
use duiyi::game::{Game, Notation, SplitMix64, Variant};
use duiyi::games::go::Go;
use duiyi::search::{self, Limits, SearchRequest, SearchState};
use serde_json::Value;
use std::time::Duration;

/// Runs `duiyi prove`. Returns the exit status, standard output and standard error.
fn prove(variant: &str, position: &str, at_least: &str, more: &[&str]) -> (i32, String, String) {
    let arguments = ["prove", "--variant", variant, "--at-least", at_least];
    let position: &[&str] = if position.is_empty() { &[] } else { &["--position", position] };
    crate::common::process::run(&[&arguments, position, more].concat(), b"")
}

#[track_caller]
fn check(variant: &str, position: &str, at_least: &str, expected: &str) {
    check_with_threads("1", variant, position, at_least, expected);
}

#[track_caller]
fn check_with_threads(threads: &str, variant: &str, position: &str, at_least: &str, expected: &str) {
    let more = ["--nodes", "20000000", "--threads", threads];
    let (status, out, err) = prove(variant, position, at_least, &more);
    assert_eq!((out.lines().next(), err.as_str()), (Some(expected), ""), "{variant} {position} {at_least}");
    let expected_status = ["proved", "disproved", "unknown"].iter().position(|answer| *answer == expected);
    assert_eq!(Some(status as usize), expected_status, "{out}");
}

#[test]
fn values_of_small_games_are_proved_and_disproved() {
    check("tictactoe", "", "draw", "proved");
    check("tictactoe", "", "win", "disproved");
    check("tictactoe", "PP1/pp1/3 w", "win in 1", "proved");
    check("tictactoe", "3/3/P1P b", "win", "disproved");
    check("tictactoe", "P2/1p1/2P b", "draw", "proved");
    check("tictactoe4", "", "win", "disproved");
    // The worked example of docs/trace.md: the tree is worth 4.
    check("gametree", "", "4", "proved");
    check("gametree", "", "5", "disproved");
    check("gametree", "", "-7", "proved");
    check("gametree", "", "win", "proved");
    check("trianglewar", "", "win", "disproved");
}

#[test]
fn length_of_a_win_is_proved_and_disproved() {
    // White wins on d1 in one move; Black to move is lost in two plies.
    let three = "7/7/7/7/ppp4/PPP4 w";
    check("cfour", three, "win in 1", "proved");
    check("cfour", "7/7/7/7/1pp4/1PPP3 b", "loss in 2", "proved");
    check("cfour", "7/7/7/7/1pp4/1PPP3 b", "loss in 3", "disproved");
    check("cfour", "7/7/7/7/2pp3/2PP3 w", "win in 3", "proved");
    check("cfour", "7/7/7/7/2pp3/2PP3 w", "win in 2", "disproved");
    check("cfour", "7/7/7/7/2pp3/2PP3 w", "win", "proved");
}

#[test]
fn small_boards_of_go_are_solved() {
    // In half points. 2x2: 0, by repetition. 3x3: Black takes all 9 points.
    check("smallgo", "2/2 b", "0", "proved");
    check("smallgo", "2/2 b", "1", "disproved");
    check("smallgo", "3/3/3 b", "18", "proved");
    check("smallgo", "3/3/3 w", "18", "proved");
    check("smallgo", "3/3/3 b", "19", "disproved");
}

/// White's stone counts as long as it is on the board.
#[test]
fn dead_stones_are_taken_before_the_end_of_the_game() {
    check("smallgo", "P1P1P/PPPPP/2p2/PPPPP/P1P1P b - 1", "50", "proved");
}

/// If each failure ended nodes of less depth in all later iterations, none of these would be answered.
#[test]
fn successes_by_repetition_are_found_behind_failures_of_earlier_iterations() {
    check("smallgo", "P1p/2p/2P b", "2", "proved");
    check("smallgo", "3/1pP/pP1 b", "17", "disproved");
    check("smallgo", "1Pp/Pp1/3 b", "18", "disproved");
    check("smallgo", "3/1Pp/PPp w", "1", "disproved");
}

/// The published value (van der Werf 2003).
#[test]
fn value_of_go_on_4x4_is_two_points() {
    check("smallgo", "4/4/4/4 b", "4", "proved");
    check("smallgo", "4/4/4/4 b", "5", "disproved");
}

/// Two searches that treat the depth limit and repetitions in different ways agree: the one for a proof, and the one with the
/// full window, which evaluates at the depth limit.
#[test]
fn proofs_in_go_agree_with_the_search_with_the_full_window() {
    let mut random = SplitMix64::new(5);
    let mut solved = 0;
    for _ in 0..40 {
        let mut game = Go::<1>::start().parse_position("3/3/3 b - 0 0").unwrap().game;
        for _ in 0..2 + random.next() % 7 {
            let moves = game.moves();
            if !moves.is_empty() && game.outcome_or_claim().is_none() {
                game.play(moves[(random.next() % moves.len() as u64) as usize]);
            }
        }
        // The moves before it would be claims for the search and not for the table.
        let position = game.position_text();
        let root = Go::<1>::start().parse_position(&position).unwrap().game;
        let limits = Limits { nodes: Some(300_000), ..Limits::depth(80) };
        let request = SearchRequest::new(root.clone(), limits);
        let mut state = SearchState::new(8).unwrap();
        let full = search::run_to_end::<_, <Go<1> as Variant>::Evaluator>(
            request,
            &mut state,
            &crossbeam_channel::never(),
            &mut |_| {},
        )
        .unwrap();
        if root.outcome().is_some() || !full.result.solved {
            continue;
        }
        solved += 1;
        let value = full.last.unwrap().lines[0].score.value();
        check("smallgo", &position, &value.to_string(), "proved");
        check("smallgo", &position, &(value + 1).to_string(), "disproved");
    }
    assert!(solved >= 25, "{solved} positions solved");
}

/// The values come from the memoised minimax search of `duiyi compare`, which uses the rules alone.
#[test]
fn connect_four_values_are_proved_and_better_ones_disproved() {
    for line in include_str!("data/cfour_values.txt").lines().filter(|line| !line.starts_with('#')) {
        let (position, value) = line.split_once(" ; ").unwrap();
        check("cfour", position, value, "proved");
        let better = match value.split_once(" in ") {
            Some(("win", plies)) => format!("win in {}", plies.parse::<u32>().unwrap() - 1),
            Some(("loss", plies)) => format!("loss in {}", plies.parse::<u32>().unwrap() + 1),
            _ => "win".into(),
        };
        check("cfour", position, &better, "disproved");
    }
}

#[test]
fn finished_games_have_answers() {
    check("tictactoe", "PPP/pp1/3 b", "draw", "disproved");
    check("tictactoe", "PpP/PpP/pPp w", "draw", "proved");
    check("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "draw", "disproved");
    check("chess", "7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "draw", "proved");
}

#[test]
fn only_mates_prove_anything_in_chess() {
    let mate_in_two = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    check("chess", mate_in_two, "win", "proved");
    check("chess", mate_in_two, "win in 3", "proved");
    check("chess", mate_in_two, "500", "proved");
    // Black is mated on the next move, whatever it plays.
    check("chess", "7k/8/6K1/8/8/8/8/R7 b - - 0 1", "draw", "disproved");
    let (status, out, _) = prove("chess", "", "draw", &["--nodes", "3000"]);
    assert_eq!((status, out.lines().next()), (2, Some("unknown")));
}

#[test]
fn limits_make_the_answer_unknown() {
    for limit in [["--nodes", "1000"], ["--time", "0.05"]] {
        let (status, out, _) = prove("cfour", "", "win", &limit);
        assert_eq!(status, 2, "{out}");
        assert!(out.starts_with("unknown\nline \nnodes "), "{out}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_makes_the_answer_unknown() {
    let process = Process::start(&mut command(&["prove", "--at-least", "win"]));
    std::thread::sleep(Duration::from_secs(1));
    process.signal("INT");
    let output = process.output();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2), "{out}");
    assert!(out.starts_with("unknown\nline ") && !out.contains("nodes 0\n"), "{out}");
}

#[test]
fn line_of_a_proof_is_played_to_the_end() {
    let (_, out, _) = prove("tictactoe", "2p/1p1/PP1 w", "win", &[]);
    assert_eq!(out.lines().nth(1), Some("line P@c1"));
    let (status, out, _) = prove("gametree", "", "4", &["--json"]);
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(status, 0);
    assert_eq!(
        (json["variant"].as_str(), json["at_least"].as_str(), json["answer"].as_str()),
        (Some("gametree"), Some("4"), Some("proved"))
    );
    assert_eq!(json["line"][0], "D");
    assert!(json["nodes"].as_u64() > Some(0) && json["seconds"].as_f64() > Some(0.0), "{json}");
    assert_eq!(json["position"], "MAX A(B(E=3 F=12) C(G=8 H=2) D(I=4 J=6))");
}

#[test]
fn several_threads_give_the_same_answer() {
    let (status, out, _) = prove("tictactoe4", "", "draw", &["--threads", "3", "--hash", "2"]);
    assert_eq!((status, out.lines().next()), (0, Some("proved")));
    // One tries to prove it, the other to disprove it.
    check_with_threads("2", "smallgo", "4/4/4/4 b", "4", "proved");
    check_with_threads("2", "smallgo", "4/4/4/4 b", "5", "disproved");
}

#[test]
fn errors_have_a_status_of_their_own() {
    let bad: [(&str, &str, &str, &[&str]); 10] = [
        ("cfour", "7/7 w", "win", &[]),
        ("nonesuch", "", "win", &[]),
        // Its search leaves out moves.
        ("gomoku", "", "win", &[]),
        ("go", "", "win", &[]),
        ("cfour", "", "better", &[]),
        ("cfour", "", "win in 999", &[]),
        ("cfour", "", "40000", &[]),
        ("cfour", "", "win", &["--nodes", "0"]),
        ("cfour", "", "win", &["--nonesuch"]),
        ("cfour", "", "win", &["--hash", "1048576000"]),
    ];
    for (variant, position, at_least, more) in bad {
        let (status, out, err) = prove(variant, position, at_least, more);
        assert_eq!((status, out.as_str()), (3, ""), "{variant} {position} {at_least} {more:?}");
        assert!(err.starts_with("error: "), "{err}");
    }
    let (status, ..) = crate::common::process::run(&["prove", "--variant", "cfour"], b"");
    assert_eq!(status, 3, "--at-least is missing");
    let (status, ..) = crate::common::process::run(&["prove", "--help"], b"");
    assert_eq!(status, 0);
}
