//! A search with one thread is deterministic: it visits the same nodes after `ucinewgame` and in a new process.
//! `make determinism` compares builds.

use std::process::{Command, Stdio};

/// Runs `commands` in a new process. Returns the node counts of the `info` lines and the `bestmove` lines.
fn search(commands: &[&str]) -> Vec<String> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_duiyi"));
    let output = program.args(commands).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let field = |line: &str, name: &str| {
        let mut words = line.split(' ').skip_while(|word| *word != name);
        words.nth(1).map_or(String::new(), str::to_owned)
    };
    let lines = text.lines().filter(|line| line.contains(" nodes ") || line.starts_with("bestmove"));
    lines.map(|line| if line.starts_with("bestmove") { line.into() } else { field(line, "nodes") }).collect()
}

/// Searches with different games, limits, options and positions, whose state could leak into the next search.
const SEARCHES: [&[&str]; 6] = [
    &["position startpos moves e2e4 c7c5", "go depth 9"],
    &["position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "go nodes 30000"],
    &["position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "go depth 12"],
    &["setoption name MultiPV value 3", "position startpos", "go depth 7", "setoption name MultiPV value 1"],
    &[
        "setoption name UCI_Variant value trianglewar",
        "go nodes 20000",
        "setoption name UCI_Variant value chess",
    ],
    &["position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "go mate 1"],
];

#[test]
fn search_after_ucinewgame_equals_new_process() {
    let alone: Vec<Vec<String>> = SEARCHES.map(search).into();
    assert!(alone.iter().all(|result| result.last().is_some_and(|line| line.starts_with("bestmove "))));
    assert_eq!(search(SEARCHES[0]), alone[0], "in a second process");
    // All searches in one process, in several orders.
    for order in [[0, 1, 2, 3, 4, 5], [5, 3, 1, 4, 2, 0], [2, 5, 0, 4, 1, 3]] {
        let commands = order.into_iter().flat_map(|i| [SEARCHES[i], &["ucinewgame"]].concat());
        let found = search(&commands.collect::<Vec<_>>());
        let expected: Vec<String> = order.into_iter().flat_map(|i| alone[i].clone()).collect();
        assert_eq!(found, expected, "in the order {order:?}");
    }
    // Without `ucinewgame` the transposition table changes the node counts, so the comparison above can fail.
    assert_ne!(search(&[SEARCHES[0], SEARCHES[0]].concat()), [alone[0].clone(), alone[0].clone()].concat());
}
