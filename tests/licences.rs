//! The licences of all crates that the program and its tests are built from.

use std::collections::BTreeSet;
use std::process::Command;

/// Licences that a program under MIT or Apache-2.0 may include.
const PERMISSIVE: [&str; 7] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "Unlicense",
    "BSD-2-Clause",
    "BSL-1.0",
    "Unicode-3.0",
];

/// Systems that `make packages` builds for, beside this one.
const SYSTEMS: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-unknown-linux-musl"];

/// Crates that only tests use, under another licence. They are no part of the program, and the published package only names
/// them.
const TESTS_ONLY: [(&str, &str); 1] = [("shakmaty", "GPL-3.0-or-later")];

/// Returns the name and the licence of each crate that these kinds of dependencies bring in, on this system or on `target`.
/// Crates of other systems may have to be downloaded.
fn licences(kinds: &str, target: Option<&str>) -> BTreeSet<(String, String)> {
    let format = ["--prefix", "none", "--no-dedupe", "--format", "{p}|{l}"];
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .args(["--edges", kinds])
        .args(format)
        .args(target.into_iter().flat_map(|target| ["--target", target]))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| {
            let (package, licence) = line.split_once('|').unwrap();
            (package.split(' ').next().unwrap().into(), licence.into())
        })
        .collect()
}

/// Returns whether each part of an SPDX expression, joined by AND, offers a permissive licence.
fn is_permissive(expression: &str) -> bool {
    expression.split(" AND ").all(|part| {
        let alternatives = part.trim_matches(['(', ')']).replace('/', " OR ");
        alternatives.split(" OR ").any(|licence| PERMISSIVE.contains(&licence.trim()))
    })
}

#[test]
fn licences_of_all_dependencies_of_program_are_permissive() {
    for target in [None].into_iter().chain(SYSTEMS.map(Some)) {
        let found = licences("normal,build", target);
        assert!(found.len() > 20, "too few: {found:?}");
        let other: Vec<_> = found.iter().filter(|(_, licence)| !is_permissive(licence)).collect();
        assert!(other.is_empty(), "expected a permissive licence, found {other:?}");
    }
}

#[test]
fn other_licences_of_dependencies_of_tests_are_listed() {
    let other = licences("normal,build,dev", None).into_iter().filter(|(_, licence)| !is_permissive(licence));
    let listed = TESTS_ONLY.map(|(name, licence)| (name.to_owned(), licence.to_owned()));
    assert_eq!(other.collect::<Vec<_>>(), listed);
}

#[test]
fn expressions_need_permissive_choice_for_each_part() {
    for permissive in
        ["MIT", "MIT/Apache-2.0", "GPL-3.0-or-later OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"]
    {
        assert!(is_permissive(permissive), "{permissive}");
    }
    for other in ["", "GPL-3.0-or-later", "MIT AND GPL-3.0-or-later", "(MIT OR Apache-2.0) AND MPL-2.0"] {
        assert!(!is_permissive(other), "{other}");
    }
}
