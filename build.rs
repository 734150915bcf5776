//! Sets `DUIYI_COMMIT` for the crate: the git commit of the sources, `-dirty` after it if they differ from the commit,
//! or `unknown` without git.

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
    let existing = |name: &str| path(name).filter(|path| Path::new(path).exists());
    // The file of a packed branch is missing; its next commit writes the reflog. The reflog is not watched otherwise,
    // because commands such as `git reset` write it too, and Cargo always builds again if a watched file is missing.
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"])
        .and_then(|name| existing(&name).or_else(|| existing("logs/HEAD")).or_else(|| path(&name)));
    path("HEAD").into_iter().chain(branch).collect()
}

fn main() {
    let commit = commit();
    let head = if commit.is_some() { head_files() } else { Vec::new() };
    for path in SOURCES.into_iter().chain(head.iter().map(String::as_str)) {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rustc-env=DUIYI_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
}
