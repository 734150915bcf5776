//! The architecture as a test: which layer may import which, no import cycles between the files of a folder, where
//! `unsafe` may stand, how long a file and a function may be.
//!
//! The sources are read as tokens. A path inside a macro, a test module or a brace group counts as much as one in a
//! plain `use`; a path in a comment or a string does not count.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// Which layers a layer may import. A game's layer is `games/<its name>`; every layer may import itself.
/// A `/`-ended name stands for all layers under it.
const ARROWS: &[(&str, &[&str])] = &[
    (
        "lib",
        &[
            "clock", "game", "games", "nnue", "data", "search", "textbook", "protocol", "server", "tools",
            "cli", "variants", "web",
        ],
    ),
    ("main", &["cli"]),
    ("cli", &["protocol", "server", "tools"]),
    ("clock", &[]),
    ("game", &["nnue"]),
    ("games", &["game", "games/", "nnue"]),
    ("games/", &["game", "nnue"]),
    ("nnue", &[]),
    ("data", &["game"]),
    ("search", &["clock", "game", "nnue"]),
    ("textbook", &["game"]),
    // Value types and `quote` only.
    ("protocol", &["game"]),
    ("variants", &["game", "games", "games/", "nnue"]),
    ("server", &["clock", "game", "nnue", "data", "search", "textbook", "protocol", "tools", "variants"]),
    ("web", &["clock", "game", "search", "textbook", "protocol", "tools", "server", "variants"]),
    ("tools", &["clock", "game", "nnue", "data", "search", "textbook", "protocol", "variants"]),
];

/// Imports that close a cycle between the files of one folder and stay: folder, importing file, imported file, reason.
const CYCLES: &[(&str, &str, &str, &str)] = &[];

/// Layers that may use only these libraries beside `std`; the others choose for themselves.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("game", &["arrayvec", "serde", "thiserror"]),
    ("data", &["crc32fast", "rustix", "thiserror"]),
    ("nnue", &["arrayvec", "crc32fast", "thiserror", "wide"]),
    ("textbook", &["arrayvec"]),
    ("protocol", &["nom", "serde", "strsim", "thiserror"]),
];

/// Files that may say `unsafe`, each with the reason.
const UNSAFE: &[(&str, &str)] = &[
    ("src/search/tt.rs", "memory that the system hands out zeroed and untouched"),
    ("src/search/memory.rs", "prefetch, and settings of the allocator"),
    ("src/web/host.rs", "the functions between a browser's page and the engine"),
    ("src/server/log.rs", "a limit on the size of files is to be an error and not the end of the program"),
];

const FILE_LINES: usize = 900;
const MAIN_LINES: usize = 30;
const FUNCTION_LINES: usize = 150;

/// One source file.
struct Source<'a> {
    path: &'a str,
    text: &'a str,
    layer: String,
    /// The full path of each name of this package that the file imports or names.
    imports: Vec<Vec<String>>,
    faults: Vec<String>,
}

#[test]
fn sources_keep_to_the_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&root.join("src"), &mut paths);
    assert!(paths.len() > 10, "the sources were not found");
    let mut faults = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let relative = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        faults.extend(check(&relative, &text));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn table_of_imports_in_the_architecture_is_that_of_the_arrows() {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    let mut rows = text
        .lines()
        .skip_while(|line| !line.starts_with("| may import"))
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    let columns = rows.next().expect("the table of imports");
    let mut layers = Vec::new();
    for row in rows.skip(1) {
        let (_, arrows) = ARROWS.iter().find(|(layer, _)| *layer == row[0]).expect(row[0]);
        for (column, cell) in columns.iter().zip(&row).skip(1) {
            for imported in column.split(", ").filter(|imported| *imported != row[0]) {
                assert_eq!(
                    cell.starts_with("yes"),
                    arrows.contains(&imported),
                    "{} imports {imported}",
                    row[0]
                );
            }
        }
        layers.push(row[0]);
    }
    let others = ["lib", "main"];
    let is_known = |layer: &str| others.contains(&layer) || layers.contains(&layer.trim_end_matches('/'));
    assert!(ARROWS.iter().all(|(layer, _)| is_known(layer)));
}

/// Files of the program are opened by `data::open_file` and `data::open_input`, which refuse pipes and devices.
#[test]
fn files_are_opened_in_one_place() {
    const OPEN: [&str; 7] = [
        "File::open", "File::create", "fs::read(", "fs::read_to_string(", "fs::write(", "fs::copy(", ".open(",
    ];
    const PLACES: [(&str, &str); 2] =
        [("src/data/open.rs", "options.open("), ("src/server/system_memory.rs", "fs::read_to_string(")];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&root.join("src"), &mut paths);
    let mut found = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let relative = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        if relative.ends_with("/tests.rs") {
            continue;
        }
        let program = text.split("#[cfg(test)]").next().unwrap();
        for line in program.lines().filter(|line| OPEN.iter().any(|call| line.contains(call))) {
            if !PLACES.iter().any(|(file, call)| *file == relative && line.contains(call)) {
                found.push(format!("{relative}: {}", line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "expected data::open_file or data::open_input, found\n{}", found.join("\n"));
}

/// Only the guard in `common/process.rs` starts processes: it checks that each is gone at the end.
#[test]
fn tests_start_processes_through_the_guard() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut paths = Vec::new();
    collect(&tests, &mut paths);
    let starts = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        // `thread::spawn` has an argument; `Command::output` and `Command::status` wait for the end.
        text.matches(concat!(".spawn", "()")).count()
    };
    let found: Vec<_> = paths.iter().map(|path| (path.file_name().unwrap(), starts(path))).collect();
    let starting: Vec<_> = found.into_iter().filter(|(_, count)| *count > 0).collect();
    assert_eq!(starting, [(std::ffi::OsStr::new("process.rs"), 1)]);
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
}

/// The faults of one file, each with its place.
fn check(path: &str, text: &str) -> Vec<String> {
    read(path, text).faults
}

fn read<'a>(path: &'a str, text: &'a str) -> Source<'a> {
    let module = module_of(path);
    let layer = match path {
        "src/main.rs" => "main".to_string(),
        "src/lib.rs" => "lib".to_string(),
        _ => layer_of(&module),
    };
    let mut source = Source { path, text, layer, imports: Vec::new(), faults: Vec::new() };
    if arrows_of(&source.layer).is_none() {
        source.fault(1, format_args!("{} is no layer that tests/layers.rs knows", source.layer.clone()));
    }
    let longest = if path == "src/main.rs" { MAIN_LINES } else { FILE_LINES };
    let lines = text.lines().count();
    if lines > longest {
        source.fault(lines, format_args!("the file has {lines} lines, at most {longest} are allowed"));
    }
    match text.parse::<TokenStream>() {
        Ok(tokens) => source.walk(tokens, &module),
        Err(error) => source.fault(1, format_args!("cannot be read: {error}")),
    }
    source
}

/// `src/search/tt.rs` is the module `search::tt`, `src/search/mod.rs` is `search`.
fn module_of(path: &str) -> Vec<String> {
    let inner = path.strip_prefix("src/").unwrap_or(path).trim_end_matches(".rs");
    let mut module: Vec<String> = inner.split('/').map(str::to_string).collect();
    let last = module.last().unwrap();
    if last == "mod" || (module.len() == 1 && (last == "lib" || last == "main")) {
        module.pop();
    }
    module
}

fn layer_of(module: &[String]) -> String {
    match module {
        [] => "lib".to_string(),
        [games, game, ..] if games == "games" => format!("games/{game}"),
        [layer, ..] => layer.clone(),
    }
}

/// Whether `pattern` of the tables above means `layer`.
fn means(pattern: &str, layer: &str) -> bool {
    pattern == layer || (pattern.ends_with('/') && layer.starts_with(pattern))
}

fn arrows_of(layer: &str) -> Option<&'static [&'static str]> {
    ARROWS.iter().find(|(from, _)| means(from, layer)).map(|&(_, to)| to)
}

fn is_allowed(from: &str, to: &str) -> bool {
    from == to || arrows_of(from).is_some_and(|arrows| arrows.iter().any(|arrow| means(arrow, to)))
}

impl Source<'_> {
    fn fault(&mut self, line: usize, what: std::fmt::Arguments<'_>) {
        let mut fault = String::new();
        write!(fault, "{}:{line}: {what}", self.path).unwrap();
        self.faults.push(fault);
    }

    fn walk(&mut self, tokens: TokenStream, module: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut inline = None;
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => {
                    let mut deeper = module.to_vec();
                    deeper.extend(inline.take());
                    self.walk(group.stream(), &deeper);
                }
                TokenTree::Ident(ident) => {
                    let line = ident.span().start().line;
                    let next = tokens.get(at + 1);
                    match ident.to_string().as_str() {
                        "mod" => inline = next.and_then(name),
                        "unsafe" => self.check_unsafe(line, next),
                        "fn" => self.check_function(line, &tokens[at + 1..]),
                        "extern" if next.and_then(name).as_deref() == Some("crate") => {
                            self.fault(line, format_args!("extern crate hides where a name comes from"));
                        }
                        "path" if is_punct(next, '=') && is_attribute(&tokens, at) => {
                            self.fault(line, format_args!("#[path] puts a module where no folder shows it"));
                        }
                        word => self.check_path(word, line, &tokens, at, module),
                    }
                }
                // `mod name;` is no inline module.
                TokenTree::Punct(punct) if punct.as_char() == ';' => inline = None,
                _ => {}
            }
        }
    }

    /// If a path begins at `at`, checks each name that it leads to.
    fn check_path(&mut self, word: &str, line: usize, tokens: &[TokenTree], at: usize, module: &[String]) {
        if at >= 2 && is_path_separator(tokens, at - 2) {
            return;
        }
        let in_binary = self.path == "src/main.rs";
        let base = match word {
            "duiyi" if in_binary => Vec::new(),
            "crate" if !in_binary => Vec::new(),
            "self" => module.to_vec(),
            "super" => module[..module.len().saturating_sub(1)].to_vec(),
            library => return self.check_library(library, line, tokens, at),
        };
        if !is_path_separator(tokens, at + 1) {
            let renamed = tokens.get(at + 1).and_then(name).as_deref() == Some("as");
            if renamed && matches!(word, "crate" | "duiyi" | "super") {
                self.fault(line, format_args!("`{word} as` hides where a name comes from"));
            }
            return;
        }
        let mut targets = Vec::new();
        expand(tokens, at + 3, base, &mut targets);
        for target in targets {
            let to = layer_of(&target);
            let from = self.layer.clone();
            let text = target.join("::");
            // The crate's root by itself belongs to `lib`, so that `crate::*` is a fault everywhere else.
            if !is_allowed(&from, &to) {
                self.fault(line, format_args!("{from} must not know {to} (crate::{text})"));
            } else if arrows_of(&to).is_none() {
                self.fault(line, format_args!("crate::{text} lies in no layer"));
            }
            self.imports.push(target);
        }
    }

    fn check_library(&mut self, word: &str, line: usize, tokens: &[TokenTree], at: usize) {
        let only = LIBRARIES.iter().find(|(layer, _)| means(layer, &self.layer));
        let Some((_, libraries)) = only else { return };
        if is_path_separator(tokens, at + 1) && is_dependency(word) && !libraries.contains(&word) {
            let layer = self.layer.clone();
            self.fault(line, format_args!("{layer} does without the library {word}"));
        }
    }

    fn check_unsafe(&mut self, line: usize, next: Option<&TokenTree>) {
        let path = self.path;
        if !UNSAFE.iter().any(|&(file, _)| file == path) {
            self.fault(line, format_args!("unsafe, and not in the list of tests/layers.rs"));
        }
        let is_block = matches!(next, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace);
        let is_impl = next.and_then(name).as_deref() == Some("impl");
        if !is_block && !is_impl {
            return;
        }
        let above = self.text.lines().take(line - 1).collect::<Vec<_>>();
        let comment = above.iter().rev().map(|line| line.trim()).take_while(|line| line.starts_with("//"));
        if !comment.into_iter().any(|line| line.starts_with("// SAFETY:")) {
            self.fault(line, format_args!("unsafe without a `// SAFETY:` comment right above its line"));
        }
    }

    /// `rest` follows the word `fn`.
    fn check_function(&mut self, line: usize, rest: &[TokenTree]) {
        let Some(function) = rest.first().and_then(name) else { return };
        let body = rest.iter().find_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(Some(group)),
            TokenTree::Punct(punct) if punct.as_char() == ';' => Some(None),
            _ => None,
        });
        let Some(Some(body)) = body else { return };
        let lines = body.span_close().end().line + 1 - line;
        if lines > FUNCTION_LINES {
            let found = format_args!("fn {function} has {lines} lines, at most {FUNCTION_LINES} are allowed");
            self.fault(line, found);
        }
    }
}

/// The full names that the path or use tree at `at`, below `base`, leads to.
fn expand(tokens: &[TokenTree], at: usize, base: Vec<String>, targets: &mut Vec<Vec<String>>) {
    match tokens.get(at) {
        Some(TokenTree::Ident(ident)) => {
            let mut path = base;
            match ident.to_string().as_str() {
                "super" => drop(path.pop()),
                "self" => {}
                name => path.push(name.to_string()),
            }
            if is_path_separator(tokens, at + 1) {
                expand(tokens, at + 3, path, targets);
            } else {
                targets.push(path);
            }
        }
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            for branch in inner.split(|token| is_punct(Some(token), ',')) {
                if !branch.is_empty() {
                    expand(branch, 0, base.clone(), targets);
                }
            }
        }
        // A glob, or generic arguments: what was named so far.
        _ => targets.push(base),
    }
}

fn name(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

fn is_punct(token: Option<&TokenTree>, punct: char) -> bool {
    matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == punct)
}

fn is_path_separator(tokens: &[TokenTree], at: usize) -> bool {
    let joint = matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.spacing() == Spacing::Joint);
    joint && is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')
}

/// Whether the word at `at` is the first of a bracket's content, as in `#[path = ...]`.
fn is_attribute(tokens: &[TokenTree], at: usize) -> bool {
    at == 0 && tokens.len() == 3
}

/// Whether Cargo.toml names `word` as a dependency. Those of tests alone cannot reach the program anyway.
fn is_dependency(word: &str) -> bool {
    let manifest = include_str!("../Cargo.toml").lines().map(str::trim);
    let table = manifest.skip_while(|line| *line != "[dependencies]").skip(1);
    table
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split_once('='))
        .any(|(name, _)| name.trim().replace('-', "_") == word)
}

/// What `check` says of a file whose only content is `text`.
fn faults(path: &str, text: &str) -> String {
    check(path, text).join("\n")
}

#[test]
fn a_forbidden_arrow_is_found_however_it_is_written() {
    for (path, text) in [
        ("src/search/negamax.rs", "use crate::games::chess::Position;"),
        ("src/search/negamax.rs", "use crate::{game::Move, games::chess};"),
        ("src/search/negamax.rs", "use {std::fmt, crate::{game::{Move, Ply}, protocol::{self}}};"),
        ("src/search/negamax.rs", "use super::super::protocol::Command;"),
        ("src/search/negamax.rs", "fn f() { let x: Vec<crate::server::Link> = Vec::new(); }"),
        ("src/search/negamax.rs", "fn f() { assert!(x, \"{}\", crate::games::chess::START); }"),
        ("src/search/negamax.rs", "mod tests { use super::super::super::textbook; }"),
        ("src/search/negamax.rs", "use crate as c;"),
        ("src/search/negamax.rs", "use crate::*;"),
        ("src/search/mod.rs", "use super::games;"),
        ("src/search/mod.rs", "pub(in crate::server) fn f() {}"),
        ("src/textbook/mod.rs", "use crate::search::Table;"),
        ("src/game/mod.rs", "macro_rules! m { () => { $crate::search::run() } }"),
        ("src/game/mod.rs", "pub use self::super::search::Table;"),
        ("src/games/chess/mod.rs", "use crate::games::gomoku::Board;"),
        ("src/games/chess/see.rs", "use super::super::gomoku;"),
        ("src/games/tictactoe.rs", "use super::chess;"),
        ("src/games/tictactoe.rs", "use crate::search::Table;"),
        ("src/protocol/parse.rs", "use crate::search::Limits;"),
        ("src/tools/bench.rs", "use crate::server;"),
        ("src/game/mod.rs", "use crate::variants;"),
        ("src/protocol/parse.rs", "use log::warn;"),
        ("src/protocol/parse.rs", "fn f() { log::warn!(\"x\") }"),
        ("src/server/mod.rs", "use crate::games::chess;"),
        ("src/tools/perft.rs", "use crate::games::chess;"),
        ("src/cli.rs", "use crate::search::Table;"),
        ("src/main.rs", "fn main() { duiyi::server::run() }"),
        ("src/lib.rs", "#[path = \"elsewhere.rs\"] mod game;"),
        ("src/lib.rs", "extern crate self as other;"),
        ("src/unknown/mod.rs", ""),
        ("src/helpers.rs", ""),
        ("src/search/negamax.rs", "use crate::helpers::f;"),
    ] {
        assert_eq!(check(path, text).len(), 1, "{path}: {text}\n{}", faults(path, text));
    }
}

#[test]
fn an_allowed_arrow_is_left_alone() {
    for (path, text) in [
        ("src/search/negamax.rs", "use crate::{game::{Move, Ply}, search::table::Table};"),
        ("src/search/negamax.rs", "use super::{table::Table, *}; mod tests { use super::*; }"),
        (
            "src/search/negamax.rs",
            "// use crate::games;\n/// [`crate::games`]\nfn f() { g(\"crate::games\") }",
        ),
        ("src/search/mod.rs", "use super::game; pub(crate) mod picker; pub(super) fn f(&self) {}"),
        ("src/games/chess/see.rs", "use super::Position; use crate::game::Game; use log::warn;"),
        ("src/games/mod.rs", "pub use self::chess::Position;"),
        ("src/protocol/parse.rs", "use super::command::Command; use nom::Parser; use std::log::x;"),
        ("src/protocol/parse.rs", "mod tests { use proptest::prelude::*; }"),
        ("src/variants.rs", "use crate::games::{chess, tictactoe};"),
        ("src/tools/bench.rs", "use crate::variants;"),
        ("src/main.rs", "fn main() { duiyi::cli::run(); crate::helper() }"),
        ("src/cli.rs", "use crate::{server, tools::bench};"),
        ("src/lib.rs", "pub mod game; mod search { mod table; }"),
    ] {
        assert_eq!(faults(path, text), "", "{path}: {text}");
    }
}

/// An import between two files or folders of one folder: folder, importing one, imported one.
type Edge = (String, String, String);

/// The imports between the files and folders of each folder, for the `sources` with these paths and texts. The file
/// `mod.rs` stands for its folder and is left out: it declares the others.
fn edges(sources: &[(String, String)]) -> BTreeSet<Edge> {
    let modules: BTreeSet<Vec<String>> = sources.iter().map(|(path, _)| module_of(path)).collect();
    let mut edges = BTreeSet::new();
    for (path, text) in sources {
        let from = module_of(path);
        for import in read(path, text).imports {
            let Some(to) = (1..=import.len()).rev().map(|n| &import[..n]).find(|to| modules.contains(*to))
            else {
                continue;
            };
            let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
            if common < from.len() && common < to.len() {
                edges.insert((from[..common].join("/"), from[common].clone(), to[common].clone()));
            }
        }
    }
    edges
}

/// The edges that lie on a cycle: each leads from an end that can be reached from its other end.
fn cyclic(edges: &BTreeSet<Edge>) -> Vec<Edge> {
    let reaches = |folder: &str, from: &str, to: &str| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            if at == to {
                return true;
            }
            if reached.insert(at) {
                open.extend(
                    edges.iter().filter(|edge| edge.0 == folder && edge.1 == at).map(|edge| edge.2.as_str()),
                );
            }
        }
        false
    };
    edges.iter().filter(|(folder, from, to)| reaches(folder, to, from)).cloned().collect()
}

#[test]
fn files_of_one_folder_import_each_other_without_cycles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&root.join("src"), &mut paths);
    let sources: Vec<_> = paths
        .iter()
        .map(|path| {
            let relative = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            (relative, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    let mut edges = edges(&sources);
    for &(folder, from, to, reason) in CYCLES {
        let edge = (folder.to_string(), from.to_string(), to.to_string());
        assert!(
            edges.remove(&edge) && !reason.is_empty(),
            "{edge:?} is no import any more: remove it from CYCLES"
        );
    }
    let cycles = cyclic(&edges);
    let lines: Vec<_> =
        cycles.iter().map(|(folder, from, to)| format!("{folder}: {from} imports {to}")).collect();
    assert!(cycles.is_empty(), "imports on a cycle:\n{}", lines.join("\n"));
}

#[test]
fn cyclic_imports_are_found_between_files_and_folders() {
    let files = |texts: &[(&str, &str)]| {
        texts.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect::<Vec<_>>()
    };
    let cycle = files(&[
        ("src/search/mod.rs", "mod a; mod b; mod c; use a::A;"),
        ("src/search/a.rs", "use super::b::B; use super::Shared;"),
        ("src/search/b.rs", "fn f() { super::c::g() }"),
        ("src/search/c.rs", "use crate::search::a::A;"),
        ("src/search/d.rs", "use super::a::A;"),
    ]);
    let found = cyclic(&edges(&cycle));
    assert_eq!(found.len(), 3, "{found:?}");
    let between_folders = files(&[
        ("src/tools/mod.rs", ""),
        ("src/tools/x.rs", "use crate::server::y::Y;"),
        ("src/server/mod.rs", ""),
        ("src/server/y.rs", "use crate::tools::x::X;"),
    ]);
    assert_eq!(cyclic(&edges(&between_folders)).len(), 2);
}

#[test]
fn unsafe_needs_a_listed_file_and_a_reason() {
    let block = "fn f() {\n    unsafe { g() }\n}";
    let reasoned = "fn f() {\n    // SAFETY: so\n    // and so.\n    unsafe { g() }\n}";
    assert_eq!(check("src/search/tt.rs", reasoned).len(), 0);
    assert_eq!(check("src/search/tt.rs", block).len(), 1);
    assert_eq!(check("src/search/picker.rs", reasoned).len(), 1);
    assert_eq!(check("src/search/picker.rs", block).len(), 2);
    assert_eq!(check("src/search/picker.rs", "unsafe fn f() {}").len(), 1);
    assert_eq!(check("src/search/tt.rs", "unsafe impl Sync for T {}").len(), 1);
    assert_eq!(check("src/search/picker.rs", "// unsafe\nfn f() { g(\"unsafe\") }").len(), 0);
}

#[test]
fn length_is_limited() {
    let function =
        |lines: usize| format!("impl T {{\nfn f<N>(x: [u8; 3]) {{{}}}\n}}", "\n".repeat(lines - 1));
    assert_eq!(check("src/cli.rs", &function(FUNCTION_LINES)).len(), 0);
    assert_eq!(check("src/cli.rs", &function(FUNCTION_LINES + 1)).len(), 1);
    assert_eq!(check("src/cli.rs", "trait T { fn f(); }").len(), 0);
    assert_eq!(check("src/cli.rs", &"\n".repeat(FILE_LINES)).len(), 0);
    assert_eq!(check("src/cli.rs", &"\n".repeat(FILE_LINES + 1)).len(), 1);
    assert_eq!(check("src/main.rs", &"\n".repeat(MAIN_LINES + 1)).len(), 1);
}

#[test]
fn exceptions_name_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (file, reason) in UNSAFE {
        assert!(root.join(file).is_file() && !reason.is_empty(), "{file}");
    }
}
