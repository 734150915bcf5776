//! The command line. Without arguments, the program serves the protocol on standard input and output.
//! Arguments are a subcommand, or protocol commands to run before the program ends.

mod logging;
mod pages;

use crate::protocol::{COMMANDS, Dialect, FirstLine, Protocol, hint};
use crate::server::{self, Connection, SessionEnd, TerminalDisplay, set_up_allocator};
use crate::tools::solve::{self, SolveError};
use crate::tools::{
    self, Interrupted, analyse, book, compare, data, datagen, play, prove, trace, train, tune,
};
use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use logging::Logging;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A UCI engine server. Without COMMAND it serves the protocol on standard input and output.
///
/// It also speaks the Gomocup protocol for gomoku, UCCI and UCI-Cyclone for xiangqi, GTP for Go. --protocol, the program's file
/// name ("pbrain-..." for Gomocup, "gtp-..." for GTP, one with "cyclone" for UCI-Cyclone) or the first line of input decides.
#[derive(Debug, Parser)]
#[command(version = concat!(env!("CARGO_PKG_VERSION"), " (", env!("DUIYI_COMMIT"), ")"), disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Examples:\n  duiyi\n  duiyi go depth 6\n  duiyi \"position startpos moves e2e4\" \"go depth 6\""
)]
struct Arguments {
    /// Append a JSON record for each line of each search to this file.
    #[arg(long, value_name = "PATH")]
    search_log: Option<PathBuf>,
    /// The protocol. Without it, the first line of input decides.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Protocol::ALL.map(Protocol::name)))]
    protocol: Option<String>,
    /// Protocol commands: the words of one command, or several commands, each quoted as one argument.
    #[arg(value_name = "COMMAND", trailing_var_arg = true, allow_hyphen_values = true)]
    commands: Vec<String>,
    #[command(subcommand)]
    subcommand: Option<ToolCommand>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
enum ToolCommand {
    Play(play::Arguments),
    #[command(visible_alias = "analyze")]
    Analyse(Box<analyse::Arguments>),
    Book(book::Arguments),
    /// Compare the search methods on one position.
    Compare(compare::Arguments),
    Datagen(Box<datagen::Arguments>),
    Data(data::Arguments),
    /// Print every step of a textbook search: alpha, beta, values, and the reasons for cutoffs.
    Trace(trace::Arguments),
    Train(train::Arguments),
    Tune(tune::Arguments),
    Prove(prove::Arguments),
    /// Print the parameters of the search for scripts/spsa.py and for OpenBench's page for SPSA.
    #[cfg(feature = "spsa")]
    Spsa,
    /// Solve an online judge (POJ) problem from standard input to standard output.
    Solve {
        /// The problem: poj1568 or poj1085.
        problem: String,
    },
    /// Print the completions of the arguments for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page of the program or of a tool, for man(1).
    Man {
        /// A tool, such as analyse.
        tool: Option<String>,
    },
}

impl Arguments {
    /// The protocol that the arguments or the program's file name demand.
    fn protocol(&self) -> Option<Protocol> {
        let program = std::env::args_os().next().map(PathBuf::from);
        let program = program.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
        let named = |name: &String| Protocol::ALL.into_iter().find(|protocol| protocol.name() == name);
        self.protocol.as_ref().and_then(named).or_else(|| Protocol::of_program(&program?))
    }
}

/// Runs the program and returns its exit code: 0 for success, 1 for a failure, 2 for wrong arguments or
/// input, 130 for an interruption by Ctrl-C. `duiyi prove` has statuses of its own.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error)
            if error.use_stderr() && std::env::args_os().nth(1).is_some_and(|word| word == "prove") =>
        {
            let _ = error.print();
            return ExitCode::from(prove::EXIT_ERROR);
        }
        Err(error) => {
            // The text of --help goes to standard output, which may be a full disk, or a pipe whose reader has seen enough.
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            let is_lost = printed.is_err_and(|error| error.kind() != std::io::ErrorKind::BrokenPipe);
            let status = if is_lost { 1 } else { error.exit_code() };
            return ExitCode::from(u8::try_from(status).unwrap_or(1));
        }
    };
    if matches!(arguments.subcommand, None | Some(ToolCommand::Play(_))) {
        set_up_allocator();
    }
    let logging = Logging::start();
    if let Some(ToolCommand::Play(arguments)) = &arguments.subcommand {
        return end(serve_game(arguments, &logging), logging);
    }
    if let Some(subcommand) = &arguments.subcommand {
        return tools::run_in_search_thread(|| run_tool(subcommand)).unwrap_or_else(|error| {
            let _ = writeln!(std::io::stderr(), "error: cannot start a thread: {error}");
            let is_prove = matches!(subcommand, ToolCommand::Prove(_));
            if is_prove { ExitCode::from(prove::EXIT_ERROR) } else { ExitCode::FAILURE }
        });
    }
    let protocol = arguments.protocol();
    let is_command = |word: &str| protocol.unwrap_or(Protocol::Uci).is_command(word);
    let lines = lines(&arguments.commands, is_command);
    if let Some(word) =
        lines.iter().filter_map(|line| line.split_ascii_whitespace().next()).find(|word| !is_command(word))
    {
        let command = Arguments::command();
        let tools = command
            .get_subcommands()
            .flat_map(|tool| [tool.get_name()].into_iter().chain(tool.get_all_aliases()));
        let message = if command.find_subcommand(word).is_some() {
            format!(
                "\"{word}\" is a tool, which takes no --protocol and no --search-log; write \"duiyi {word} ...\""
            )
        } else {
            let hint = hint(word, tools.chain(COMMANDS.concat()));
            format!(
                "{word:?} is no tool and no protocol command; {hint}\"duiyi --help\" lists the tools, \
                 \"duiyi help\" the protocol commands"
            )
        };
        Arguments::command().error(ErrorKind::InvalidSubcommand, message).exit();
    }
    end(serve(&lines, protocol, arguments.search_log, &logging), logging)
}

/// The exit code of a session.
fn end(session: anyhow::Result<SessionEnd>, logging: Logging) -> ExitCode {
    match session {
        Ok(SessionEnd::Client) => ExitCode::SUCCESS,
        Ok(SessionEnd::Interrupt) => {
            drop(logging);
            server::end_by_interrupt()
        }
        Err(error) => {
            log::error!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a subcommand in the calling thread, which has the stack of a search.
fn run_tool(subcommand: &ToolCommand) -> ExitCode {
    match subcommand {
        ToolCommand::Play(_) => unreachable!("a game is played by the server"),
        ToolCommand::Analyse(arguments) => exit_code(analyse::main(arguments, &mut std::io::stdout())),
        ToolCommand::Book(arguments) => exit_code(book::main(arguments, &mut std::io::stdout().lock())),
        ToolCommand::Datagen(arguments) => exit_code(datagen::main(arguments, &mut std::io::stdout())),
        ToolCommand::Data(arguments) => exit_code(data::main(arguments, &mut std::io::stdout().lock())),
        ToolCommand::Compare(arguments) => {
            exit_usage(compare::main(arguments, &mut std::io::stdout().lock()))
        }
        ToolCommand::Trace(arguments) => exit_usage(trace::main(arguments, &mut std::io::stdout().lock())),
        ToolCommand::Train(arguments) => exit_code(train::main(arguments, &mut std::io::stdout())),
        ToolCommand::Tune(arguments) => exit_code(tune::main(arguments, &mut std::io::stdout())),
        ToolCommand::Prove(arguments) => prove(arguments),
        #[cfg(feature = "spsa")]
        ToolCommand::Spsa => exit_code(tools::spsa::main(&mut std::io::stdout().lock())),
        ToolCommand::Solve { problem } => solve(problem),
        ToolCommand::Completions { shell } => {
            exit_code(print(&pages::completions(Arguments::command(), *shell)))
        }
        ToolCommand::Man { tool } => exit_usage(print_manual(tool.as_deref())),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io_error = error.downcast_ref::<std::io::Error>();
    io_error.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

fn exit_code(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            match error.is::<Interrupted>() {
                true => ExitCode::from(tools::EXIT_INTERRUPTED),
                false => ExitCode::FAILURE,
            }
        }
    }
}

/// The command of the tool that the arguments name, whose usage an error shows.
fn command_of_tool() -> clap::Command {
    let mut command = Arguments::command();
    command.build();
    let tool = std::env::args().nth(1).and_then(|name| command.find_subcommand(&name).cloned());
    tool.unwrap_or(command)
}

/// The exit code of a subcommand whose errors are about its arguments, except I/O errors.
fn exit_usage(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Err(error) if !error.is::<std::io::Error>() => {
            command_of_tool().error(ErrorKind::InvalidValue, format!("{error:#}")).exit()
        }
        result => exit_code(result),
    }
}

/// Runs `duiyi prove`, which Ctrl-C ends. The exit code is the answer.
fn prove(arguments: &prove::Arguments) -> ExitCode {
    let answer = tools::closed_at_ctrl_c()
        .and_then(|signals| prove::main(arguments, &signals, &mut std::io::stdout().lock()));
    match answer {
        Ok(answer) => ExitCode::from(answer.exit_status()),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::from(prove::EXIT_ERROR)
        }
    }
}

fn solve(problem: &str) -> ExitCode {
    let names = solve::PROBLEMS.map(|(name, _)| name);
    if !names.contains(&problem) {
        let message = format!("solve: expected {}, got {problem:?}", names.join(" or "));
        Arguments::command().error(ErrorKind::InvalidValue, message).exit();
    }
    let input = match tools::read_to_end(std::io::stdin().lock()) {
        Ok(input) => input,
        Err(error) => {
            log::error!("standard input: {error}");
            return ExitCode::FAILURE;
        }
    };
    let result = solve::solve(problem, &String::from_utf8_lossy(&input));
    match result.expect("the problem is one of the names") {
        Ok(answers) => exit_code(std::io::stdout().write_all(answers.as_bytes()).map_err(Into::into)),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            let is_input_error = matches!(error, SolveError::Input { .. });
            if is_input_error { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn print(text: &[u8]) -> anyhow::Result<()> {
    Ok(std::io::stdout().write_all(text)?)
}

fn print_manual(tool: Option<&str>) -> anyhow::Result<()> {
    match pages::manual(Arguments::command(), tool) {
        Some(text) => print(&text),
        None => anyhow::bail!("man: expected a tool, got {:?}", tool.unwrap_or_default()),
    }
}

/// Serves the protocol: runs the commands `lines`, or reads standard input if there are none.
fn serve(
    lines: &[String],
    protocol: Option<Protocol>,
    search_log: Option<PathBuf>,
    logging: &Logging,
) -> anyhow::Result<SessionEnd> {
    let display = if protocol.is_none() { TerminalDisplay::at_terminal() } else { None };
    let input = (!lines.is_empty()).then(|| Cursor::new(lines.join("\n")));
    let connection = match (&display, input) {
        (Some(_), input) => {
            let (connection, above_line) = Connection::at_terminal(input)?;
            above_line.into_iter().for_each(|writer| logging.write_above_line(writer));
            connection
        }
        (None, Some(input)) => Connection::to_stdout(input)?,
        (None, None) => Connection::stdio()?,
    };
    let dialect: Box<dyn Dialect> = match (protocol, display) {
        (Some(protocol), _) => protocol.dialect(),
        (None, Some(display)) => Box::new(FirstLine::at_terminal(Box::new(display))),
        (None, None) => Box::new(FirstLine::or(Protocol::Uci.dialect())),
    };
    Ok(server::run(connection, dialect, search_log.as_deref())?)
}

/// Plays a game at the terminal, or over standard input and output.
fn serve_game(arguments: &play::Arguments, logging: &Logging) -> anyhow::Result<SessionEnd> {
    let display = TerminalDisplay::of_game(arguments);
    let connection = if TerminalDisplay::at_terminal().is_some() {
        let (connection, above_line) = Connection::at_terminal(None::<std::io::Empty>)?;
        above_line.into_iter().for_each(|writer| logging.write_above_line(writer));
        connection
    } else {
        Connection::stdio()?
    };
    Ok(server::run(connection, Box::new(display), None)?)
}

/// One command per argument if the first has a space or the second starts with a command, else one of all words.
fn lines(arguments: &[String], is_command: impl Fn(&str) -> bool) -> Vec<String> {
    // A last `quit` is ignored: test frameworks send it right after a command and expect its output; the program ends anyway.
    let arguments = match arguments {
        [rest @ .., last] if last == "quit" && !rest.is_empty() => rest,
        all => all,
    };
    let has_several = match arguments {
        [] => return Vec::new(),
        [first, ..] if first.contains(' ') => true,
        [_, second, ..] => second.split_ascii_whitespace().next().is_some_and(&is_command),
        _ => false,
    };
    if has_several { arguments.to_vec() } else { vec![arguments.join(" ")] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_various_arguments_gives_commands() {
        let check = |arguments: &[&str], expected: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            assert_eq!(lines(&arguments, |word| Protocol::Uci.is_command(word)), expected);
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
    fn analyze_is_analyse() {
        let arguments =
            Arguments::try_parse_from(["duiyi", "analyze", "games.pgn"]).expect("valid arguments");
        assert!(matches!(arguments.subcommand, Some(ToolCommand::Analyse(_))));
        assert!(Arguments::command().render_help().to_string().contains("analyze"));
    }

    #[test]
    fn arguments_definition_passes_clap_checks() {
        Arguments::command().debug_assert();
    }
}
