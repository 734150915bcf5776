//! The tests of the library and of the program, in one binary: a binary for each file takes more time to build.

mod common;

mod analyse;
mod book;
mod client;
mod counters;
mod data;
mod datagen;
mod determinism;
#[cfg(unix)]
mod files;
mod fuzz;
mod guarantees;
mod heuristics;
mod hostile;
mod layers;
mod licences;
mod mate;
mod network;
mod package;
#[cfg(feature = "fault-injection")]
mod panics;
mod perft;
mod process;
mod prove;
mod random_commands;
#[cfg(target_os = "linux")]
mod resources;
mod rules;
mod search;
mod solve;
#[cfg(target_os = "linux")]
mod stack;
mod tables;
mod textbook;
mod threads;
mod trace;
mod transcripts;
mod tune;
mod variants;

/// A file that is no module of this binary would not run.
#[test]
fn every_file_is_a_module() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.strip_suffix(".rs").filter(|module| *module != "main");
        let is_named = |module| include_str!("main.rs").contains(&format!("\nmod {module};\n"));
        assert!(module.is_none_or(is_named), "expected `mod` in tests/main.rs for tests/{name}");
    }
}
