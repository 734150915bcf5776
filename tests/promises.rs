//! Every promise of `docs/promises.md` names a test, and every test that it names exists.

use std::path::Path;

#[test]
fn every_promise_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("docs/promises.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---"));
    let promises: Vec<&str> = rows.filter(|line| !line.starts_with("| promise ")).collect();
    assert!(promises.len() > 20, "the promises were not found");
    let mut missing = Vec::new();
    for promise in promises {
        let tests: Vec<(&str, &str)> = promise
            .split('`')
            .filter(|word| word.starts_with("tests/"))
            .filter_map(|word| word.split_once("::"))
            .collect();
        if tests.is_empty() {
            missing.push(format!("no test: {promise}"));
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
