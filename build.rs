//! Sets `DUIYI_COMMIT` for the crate: the git commit of the sources, `-dirty` after it if they differ from the commit,
//! or `unknown` without git.

#![expect(clippy::print_stdout, reason = "Cargo reads the standard output")]

use std::path::Path;
use std::process::Command;

/// The files that the engine is built from. Changed documents and tests do not make a build dirty.
const SOURCES: [&str; 4] = ["src", "Cargo.toml", "Cargo.lock", "build.rs"];

/// The output of a git command, without the line end; `None` if git is missing or fails.
fn git(arguments: &[&str]) -> Option<String> {
    // Without its optional locks git leaves the index as it is, and does not disturb other git commands.
    let output = Command::new("git").arg("--no-optional-locks").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim_end().into())
}

fn commit() -> Option<String> {
    // An unpacked source archive may lie inside an unrelated repository, which does not track this file.
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    let commit = git(&["rev-parse", "--short=7", "HEAD"])?;
    let changed = git(&[&["status", "--porcelain", "--untracked-files=no", "--"][..], &SOURCES].concat())?;
    Some(if changed.is_empty() { commit } else { format!("{commit}-dirty") })
}

/// The files that change when HEAD comes to name another commit.
fn head_files() -> Vec<String> {
    let path = |name: &str| git(&["rev-parse", "--git-path", name]);
    // Every commit, checkout and reset writes the reflog. The index changes too often to be watched.
    match path("logs/HEAD") {
        Some(reflog) if Path::new(&reflog).exists() => vec![reflog],
        _ => [path("HEAD"), git(&["symbolic-ref", "HEAD"]).and_then(|name| path(&name))]
            .into_iter()
            .flatten()
            .collect(),
    }
}

fn main() {
    let commit = commit();
    let head = if commit.is_some() { head_files() } else { Vec::new() };
    for path in SOURCES.into_iter().chain(head.iter().map(String::as_str)) {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rustc-env=DUIYI_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}
