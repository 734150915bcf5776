//! Runs the fuzz targets on the inputs in `fuzz/corpus`, without a fuzzer. `make fuzz` extends the corpus.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::path::Path;

#[test]
fn corpus_inputs_do_not_panic() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, target) in targets::TARGETS {
        let mut paths: Vec<_> =
            corpus.join(name).read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        assert!(paths.len() >= 5, "expected at least 5 inputs for {name}, found {}", paths.len());
        for path in paths {
            let input = std::fs::read(&path).unwrap();
            #[expect(
                clippy::print_stdout,
                reason = "captured by the test harness, and shown if the target panics"
            )]
            {
                println!("{}", path.display());
            }
            target(&input);
        }
    }
}

#[test]
fn every_target_is_in_makefile_and_manifest() {
    let file =
        |name: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
    let names = targets::TARGETS.map(|(name, _)| name);
    assert!(file("Makefile").contains(&format!("FUZZ ?= {}\n", names.join(" "))));
    for name in names {
        assert!(file("fuzz/Cargo.toml").contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
        assert!(file(&format!("fuzz/fuzz_targets/{name}.rs")).contains(&format!("duiyi_fuzz::{name}(")));
    }
}
