//! The crate that `cargo publish` would upload.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// What stands at the top of the crate. Cargo adds the last line.
const TOP: &str = "ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE-APACHE LICENSE-MIT README.md benches build.rs \
    docs examples protocol.md src tests Cargo.toml \
    .cargo_vcs_info.json Cargo.lock Cargo.toml.orig";

/// Returns the paths of the files in the crate, and cargo's messages.
fn files_of_crate() -> (BTreeSet<String>, String) {
    let output = Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--locked", "--offline"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{messages}");
    let list = String::from_utf8(output.stdout).unwrap();
    (list.lines().map(|path| path.replace('\\', "/")).collect(), messages)
}

#[test]
fn crate_has_sources_tests_and_documents_only() {
    let (files, messages) = files_of_crate();
    let found: BTreeSet<&str> = files.iter().map(|path| path.split('/').next().unwrap()).collect();
    // Without git there is no `.cargo_vcs_info.json`.
    let vcs = ".cargo_vcs_info.json";
    let expected = TOP.split_ascii_whitespace().filter(|name| *name != vcs || found.contains(vcs)).collect();
    assert_eq!(found, expected);
    // The project has no public address yet.
    let warnings: Vec<&str> = messages.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert_eq!(warnings, ["warning: manifest has no documentation, homepage or repository"]);
}

#[test]
fn documents_of_the_crate_link_to_its_own_files() {
    let (files, _) = files_of_crate();
    let mut links = 0;
    for path in files.iter().filter(|path| path.ends_with(".md")) {
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        for target in targets.filter(|target| !target.is_empty() && !target.contains("://")) {
            let from_top = match (path.starts_with("docs/"), target.strip_prefix("../")) {
                (true, Some(target)) => target.to_owned(),
                (true, None) => format!("docs/{target}"),
                (false, _) => target.to_owned(),
            };
            assert!(files.contains(&from_top), "{path}: the crate has no {target}");
            links += 1;
        }
    }
    assert!(links > 50, "{links}");
}
