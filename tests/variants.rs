//! The lists of games in the documentation, the fuzzer's dictionary, the test data and the scripts are `variants::NAMES`.

use crate::common::process::{Process, command};
use duiyi::game::Notation;
use duiyi::games::xiangqi::Xiangqi;
use duiyi::variants::{self, NAMES};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

fn file(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Returns the text between `start` and the next `end`.
fn section<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    text.split_once(start).unwrap().1.split_once(end).unwrap().0
}

/// Returns the words in backticks.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn documents_list_exactly_these_games() {
    let names = BTreeSet::from_iter(NAMES.iter().copied());
    let (readme, protocol) = (file("README.md"), file("protocol.md"));
    let in_readme = quoted(section(&readme, "| `UCI_Variant` | The game: ", "\n"));
    let table = section(&protocol, "| `UCI_Variant` | position | move |\n| --- | --- | --- |\n", "\n\n");
    let in_protocol = table.lines().flat_map(|row| quoted(row.split('|').nth(1).unwrap())).collect();
    let documents = [("README.md", in_readme), ("protocol.md", in_protocol)];
    let differing = documents.iter().filter(|(_, listed)| *listed != names);
    assert!(differing.clone().count() == 0, "expected {names:?}, found {:?}", differing.collect::<Vec<_>>());
}

#[test]
fn fuzzer_test_data_and_scripts_know_every_game() {
    let (words, hostile) = (file("fuzz/words.dict"), file("tests/data/hostile/games.txt"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/transcripts");
    let paths = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let transcripts: String = paths.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let rules = file("scripts/duiyi_match/rules.py") + &file("scripts/duiyi_match/go.py");
    let matches = file("docs/match.md");
    let missing = NAMES.iter().flat_map(|name| {
        let tested = transcripts.contains(&format!("> setoption name UCI_Variant value {name}\n"))
            || hostile.contains(&format!("\ngame {name}\n"));
        // python-chess has the rules of chess.
        let has_rules = *name == "chess" || rules.contains(&format!("\"{name}\""));
        let places = [
            (words.contains(&format!("\n\"{name}\"\n")), "fuzz/words.dict: a line with the name in quotes"),
            (tested, "tests/data/hostile/games.txt or tests/data/transcripts: a session"),
            (matches.contains(&format!("`{name}`")), "docs/match.md: the name in backticks"),
            (has_rules, "scripts/duiyi_match/rules.py: the rules"),
        ];
        places.into_iter().filter(|(found, _)| !found).map(move |(_, place)| format!("{name}: {place}\n"))
    });
    assert_eq!(missing.collect::<String>(), "", "places that miss a game");
}

/// UCCI leaves out the same options.
#[test]
fn cyclone_lists_no_option_that_only_other_games_have() {
    let mut engine = Process::start(&mut command(&["--protocol", "cyclone"]));
    engine.stdin.as_mut().unwrap().write_all(b"uci\nquit\n").unwrap();
    let lines = String::from_utf8(engine.output().stdout).unwrap();
    let options = variants::options();
    let listed = options.iter().filter(|option| lines.contains(&format!("option name {} type", option.name)));
    let own = Xiangqi::OPTIONS.iter().map(|option| option.name);
    assert_eq!(
        listed.map(|option| option.name).collect::<BTreeSet<_>>(),
        own.collect(),
        "see OPTIONS_OF_OTHER_GAMES in src/protocol/cyclone.rs"
    );
}
