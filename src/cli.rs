//! The command line: no arguments serve the protocol on standard input and output, other words are
//! protocol commands to be done before the program ends.

mod logging;

use crate::protocol::is_command;
use crate::server::{self, Connection, TerminalDisplay};
use crate::tools::solve::{self, SolveError};
use crate::tools::{analyse, compare, data, datagen, trace, tune};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use logging::Logging;
use std::io::{Cursor, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// A UCI engine server. Without COMMANDs it speaks the protocol on standard input and output.
#[derive(Debug, Parser)]
#[command(version, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Examples:\n  duiyi\n  duiyi go depth 6\n  duiyi \"position startpos moves e2e4\" \"go depth 6\""
)]
struct Arguments {
    /// Add a JSON record for each line of each search to this file.
    #[arg(long, value_name = "PATH")]
    search_log: Option<PathBuf>,
    /// Protocol commands: the words of one, or several, each quoted as one argument.
    #[arg(value_name = "COMMAND", trailing_var_arg = true, allow_hyphen_values = true)]
    commands: Vec<String>,
    #[command(subcommand)]
    tool: Option<Tool>,
}

/// What the program can do beside serving the protocol.
#[derive(Debug, Subcommand)]
enum Tool {
    Analyse(Box<analyse::Arguments>),
    /// Compare the methods of search on one position.
    Compare(compare::Arguments),
    Datagen(Box<datagen::Arguments>),
    Data(data::Arguments),
    /// Print every step of a textbook search: alpha, beta, values, and why it cuts off.
    Trace(trace::Arguments),
    Tune(tune::Arguments),
    /// Answer a judge's problem: its input on standard input, its output on standard output.
    Solve {
        /// poj1568 or poj1085.
        problem: String,
    },
}

/// Runs the program and gives its exit code: 0, 1 if it cannot work at all, 2 if it was called wrongly.
pub fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let _logging = Logging::start();
    if let Some(tool) = &arguments.tool {
        return match tool {
            Tool::Analyse(arguments) => exit_code(analyse::main(arguments, &mut std::io::stdout())),
            Tool::Datagen(arguments) => exit_code(datagen::main(arguments, &mut std::io::stdout())),
            Tool::Data(arguments) => exit_code(data::main(arguments, &mut std::io::stdout().lock())),
            Tool::Compare(arguments) => exit_usage(compare::main(arguments, &mut std::io::stdout().lock())),
            Tool::Trace(arguments) => exit_usage(trace::main(arguments, &mut std::io::stdout().lock())),
            Tool::Tune(arguments) => exit_code(tune::main(arguments, &mut std::io::stdout())),
            Tool::Solve { problem } => solve(problem),
        };
    }
    let lines = lines(&arguments.commands);
    if let Some(word) =
        lines.iter().filter_map(|line| line.split_ascii_whitespace().next()).find(|word| !is_command(word))
    {
        let message = format!("{word:?} is no command of the protocol; \"duiyi help\" lists them");
        Arguments::command().error(ErrorKind::InvalidSubcommand, message).exit();
    }
    match serve(&lines, arguments.search_log) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether it only means that the reader has seen enough.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let failed = error.downcast_ref::<std::io::Error>();
    failed.is_some_and(|failed| failed.kind() == std::io::ErrorKind::BrokenPipe)
}

/// The end of a tool whose arguments were sound: one line about what went wrong.
fn exit_code(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The end of a tool whose errors, but for those of the output, are about its arguments.
fn exit_usage(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Err(error) if !error.is::<std::io::Error>() => {
            Arguments::command().error(ErrorKind::InvalidValue, error).exit()
        }
        written => exit_code(written),
    }
}

/// `solve PROBLEM`: a judge's input on standard input, its output on standard output.
fn solve(problem: &str) -> ExitCode {
    let names = solve::PROBLEMS.map(|(name, _)| name);
    if !names.contains(&problem) {
        let message = format!("solve: expected {}, got {problem:?}", names.join(" or "));
        Arguments::command().error(ErrorKind::InvalidValue, message).exit();
    }
    let mut input = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut input) {
        log::error!("standard input: {error}");
        return ExitCode::FAILURE;
    }
    let solved = solve::solve(problem, &String::from_utf8_lossy(&input));
    match solved.expect("the problem is one of the names") {
        Ok(answers) => exit_code(std::io::stdout().write_all(answers.as_bytes()).map_err(Into::into)),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            let input = matches!(error, SolveError::Input { .. });
            if input { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn serve(lines: &[String], search_log: Option<PathBuf>) -> anyhow::Result<()> {
    let link = match lines {
        [] => Connection::stdio()?,
        lines => Connection::new(Cursor::new(lines.join("\n")), std::io::stdout())?,
    };
    Ok(server::run(link, TerminalDisplay::at_terminal(), search_log.as_deref())?)
}

/// One command for each argument if they look like that, else all of them as the words of one.
fn lines(arguments: &[String]) -> Vec<String> {
    // The program ends after its arguments anyway, and not before what they ask for is done: test frameworks
    // say `quit` right after a command and want its answer.
    let arguments = match arguments {
        [rest @ .., last] if last == "quit" && !rest.is_empty() => rest,
        all => all,
    };
    let several = match arguments {
        [] => return Vec::new(),
        [first, ..] if first.contains(' ') => true,
        [_, second, ..] => second.split_ascii_whitespace().next().is_some_and(is_command),
        _ => false,
    };
    if several { arguments.to_vec() } else { vec![arguments.join(" ")] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_lines() {
        let check = |arguments: &[&str], expected: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            assert_eq!(lines(&arguments), expected);
        };
        check(&[], &[]);
        check(&["bench"], &["bench"]);
        check(&["go", "depth", "6"], &["go depth 6"]);
        check(&["go depth 6"], &["go depth 6"]);
        check(
            &["position startpos moves e2e4", "go depth 6"],
            &["position startpos moves e2e4", "go depth 6"],
        );
        check(&["uci", "go depth 6", "quit"], &["uci", "go depth 6"]);
        check(&["genfens 1 seed 2 book None", "quit"], &["genfens 1 seed 2 book None"]);
        check(&["quit"], &["quit"]);
        check(&["position", "startpos"], &["position startpos"]);
    }

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }
}
