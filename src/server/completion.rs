//! Completion at a terminal: commands, their words, options and values.

use super::options;
use super::terminal_game;
use crate::protocol::{COMMANDS, OptionKind, UciOption, go_words};
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper, Result};

/// What the Tab key completes. Knows all commands and options.
pub struct Completion;

/// Returns what can stand at the end of `line`: the byte where the unfinished part starts, and its completions.
fn complete(line: &str) -> (usize, Vec<String>) {
    let start = line.rfind(char::is_whitespace).map_or(0, |blank| blank + 1);
    let words: Vec<&str> = line[..start].split_ascii_whitespace().collect();
    let candidates: Vec<&str> = match words[..] {
        [] => COMMANDS.into_iter().flatten().chain(&terminal_game::WORDS).copied().collect(),
        ["setoption"] => vec!["name"],
        ["setoption", "name", ..] => return complete_option(line),
        ["go", ..] => go_words(),
        ["position"] => vec!["startpos", "fen"],
        ["position", "startpos"] => vec!["moves"],
        ["debug"] => vec!["on", "off"],
        _ => Vec::new(),
    };
    (start, matching(&candidates, &line[start..]))
}

/// [`complete`] after `setoption name`. Names have several words.
fn complete_option(line: &str) -> (usize, Vec<String>) {
    let all = options::declarations();
    let names: Vec<&str> = all.iter().map(|option| option.name).collect();
    let Some((before, typed)) = line.split_once(" name ") else { return (line.len(), Vec::new()) };
    let start = before.len() + " name ".len();
    if let Some((name, value)) = typed.split_once(" value ") {
        let start = line.len() - value.len();
        let option = all.iter().find(|option| option.is_named(name));
        let values = match option.map(|option| &option.kind) {
            Some(OptionKind::Check { .. }) => vec!["true", "false"],
            Some(OptionKind::Combo { choices, .. }) => choices.clone(),
            _ => Vec::new(),
        };
        return (start, matching(&values, &line[start..]));
    }
    let after_name = |option: &UciOption| {
        let (name, rest) = typed.split_at_checked(option.name.len())?;
        let rest = rest.strip_prefix(' ').filter(|rest| "value".starts_with(rest))?;
        (option.is_named(name) && option.kind != OptionKind::Button).then_some(rest.len())
    };
    match all.iter().find_map(after_name) {
        Some(length) => (line.len() - length, vec!["value ".into()]),
        None => (start, matching(&names, typed)),
    }
}

/// The `candidates` that begin with `typed`, in upper or lower case, each with a blank after it.
fn matching(candidates: &[&str], typed: &str) -> Vec<String> {
    let begins = |candidate: &&&str| {
        candidate.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed))
    };
    candidates.iter().filter(begins).map(|candidate| format!("{candidate} ")).collect()
}

impl Completer for Completion {
    type Candidate = String;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> Result<(usize, Vec<String>)> {
        Ok(complete(&line[..position]))
    }
}

impl Hinter for Completion {
    type Hint = String;
}

impl Highlighter for Completion {}

impl Validator for Completion {}

impl Helper for Completion {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants;

    fn check(line: &str, start: usize, expected: &[&str]) {
        let (found_start, found) = complete(line);
        let found: Vec<&str> = found.iter().map(|candidate| candidate.trim_end()).collect();
        assert_eq!((found_start, &found[..]), (start, expected), "{line:?}");
    }

    #[test]
    fn complete_gives_commands_options_and_values() {
        check("set", 0, &["setoption"]);
        check("po", 0, &["position", "ponderhit", "points"]);
        check("position s", 9, &["startpos"]);
        check("go m", 3, &["movestogo", "mate", "movetime"]);
        check("go depth 3 inf", 11, &["infinite"]);
        check("setoption ", 10, &["name"]);
        check("setoption name ha", 15, &["Hash"]);
        check("setoption name Clear H", 15, &["Clear Hash"]);
        check("setoption name Move Overhead ", 29, &["value"]);
        check("setoption name UCI_Variant v", 27, &["value"]);
        check("setoption name Clear Hash ", 15, &[]);
        check("setoption name UCI_Variant value cf", 33, &["cfour"]);
        check("setoption name UCI_Variant value ", 33, variants::NAMES);
        check("setoption name Ponder value t", 28, &["true"]);
        check("setoption name Hash value 1", 26, &[]);
        check("nonsense x", 9, &[]);
        check("go é", 3, &[]);
    }

    #[test]
    fn every_command_and_option_is_completed() {
        for command in COMMANDS.into_iter().flatten() {
            let typed = &command[..command.len() - command.len() / 2];
            assert!(complete(typed).1.contains(&format!("{command} ")), "{command}");
        }
        for option in options::declarations() {
            let line = format!("setoption name {}", option.name);
            assert!(complete(&line).1.contains(&format!("{} ", option.name)), "{line}");
        }
    }
}
