//! The crate that `cargo publish` would upload.

use std::collections::BTreeSet;
use std::process::Command;

/// What stands at the top of the crate. Cargo adds the last line.
const TOP: &str = "ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE-APACHE LICENSE-MIT README.md benches build.rs \
    examples protocol.md src tests Cargo.toml \
    .cargo_vcs_info.json Cargo.lock Cargo.toml.orig";

#[test]
fn crate_has_sources_tests_and_documents_only() {
    let output = Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--locked", "--offline"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .output()
        .unwrap();
    let (list, messages) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{messages}");
    let found: BTreeSet<&str> = list.lines().map(|path| path.split(['/', '\\']).next().unwrap()).collect();
    // Without git there is no `.cargo_vcs_info.json`.
    let vcs = ".cargo_vcs_info.json";
    let expected = TOP.split_ascii_whitespace().filter(|name| *name != vcs || found.contains(vcs)).collect();
    assert_eq!(found, expected);
    // The project has no public address yet.
    let warnings: Vec<&str> = messages.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert_eq!(warnings, ["warning: manifest has no documentation, homepage or repository"]);
}
