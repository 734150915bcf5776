//! The lists of games in the documentation, the fuzzer's dictionary, the test data and the scripts are `variants::NAMES`.

use duiyi::variants::NAMES;
use std::collections::BTreeSet;
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
    let readme = file("README.md");
    assert_eq!(quoted(section(&readme, "| `UCI_Variant` | The game: ", "\n")), names);
    let protocol = file("protocol.md");
    let table = section(&protocol, "| `UCI_Variant` | position | move |\n| --- | --- | --- |\n", "\n\n");
    assert_eq!(
        table.lines().flat_map(|row| quoted(row.split('|').nth(1).unwrap())).collect::<BTreeSet<_>>(),
        names
    );
}

#[test]
fn fuzzer_test_data_and_scripts_know_every_game() {
    let (words, hostile) = (file("fuzz/words.dict"), file("tests/data/hostile/games.txt"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/transcripts");
    let paths = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let transcripts: String = paths.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let rules = file("scripts/duiyi_match/rules.py") + &file("scripts/duiyi_match/go.py");
    let matches = file("docs/match.md");
    for name in NAMES {
        assert!(words.contains(&format!("\n\"{name}\"\n")), "fuzz/words.dict has no {name}");
        assert!(
            transcripts.contains(&format!("> setoption name UCI_Variant value {name}\n"))
                || hostile.contains(&format!("\ngame {name}\n")),
            "tests/data has no test of {name}"
        );
        assert!(matches.contains(&format!("`{name}`")), "docs/match.md has no {name}");
        // python-chess has the rules of chess.
        assert!(
            *name == "chess" || rules.contains(&format!("\"{name}\"")),
            "scripts/duiyi_match has no rules of {name}"
        );
    }
}
