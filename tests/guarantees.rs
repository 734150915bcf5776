//! Checks that every guarantee in `docs/guarantees.md` names at least one test and that these tests exist.

use std::path::Path;

#[test]
fn guarantees_name_existing_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("docs/guarantees.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---"));
    let guarantees: Vec<&str> = rows.filter(|line| !line.starts_with("| guarantee ")).collect();
    assert!(guarantees.len() > 20, "expected more than 20 guarantees, found {}", guarantees.len());
    let mut missing = Vec::new();
    for guarantee in guarantees {
        let tests: Vec<(&str, &str)> = guarantee
            .split('`')
            .filter(|word| word.starts_with("tests/"))
            .filter_map(|word| word.split_once("::"))
            .collect();
        if tests.is_empty() {
            missing.push(format!("no test: {guarantee}"));
        }
        for (file, name) in tests {
            let source = std::fs::read_to_string(root.join(file)).unwrap_or_default();
            if !source.contains(&format!("#[test]\nfn {name}()")) {
                missing.push(format!("{file}::{name}"));
            }
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}
