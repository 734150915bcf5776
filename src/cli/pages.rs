//! What the program prints about its arguments for other programs: completions for shells, pages for man(1).

use crate::tools;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, ValueHint};
use clap_complete::Shell;

/// The completions of the arguments of `program` for a shell.
pub fn completions(program: Command, shell: Shell) -> Vec<u8> {
    let mut program = program.mut_args(without_files).mut_subcommands(|tool| {
        let name = tool.get_name().to_owned();
        tool.mut_args(|argument| match tools::argument_values(&name, argument.get_id().as_str()) {
            Some(values) => argument.value_parser(PossibleValuesParser::new(values)),
            None => without_files(argument),
        })
    });
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut program, "duiyi", &mut text);
    text
}

/// `argument` without files as its completions, unless it is a path.
fn without_files(argument: Arg) -> Arg {
    let names = argument.get_value_names().unwrap_or_default();
    let is_path = argument.get_value_hint() != ValueHint::Unknown || names.iter().any(|name| name == "PATH");
    let takes_value = argument.get_action().takes_values();
    if takes_value && !is_path { argument.value_hint(ValueHint::Other) } else { argument }
}

/// The manual page of the program, or of one of its tools; `None` if there is no such tool.
pub fn manual(mut program: Command, tool: Option<&str>) -> Option<Vec<u8>> {
    program.build();
    let source = format!("duiyi {}", program.get_version().unwrap_or_default());
    let page = match tool {
        None => program,
        Some(name) => program.find_subcommand(name)?.clone(),
    };
    let mut text = Vec::new();
    let written = clap_mangen::Man::new(page).source(source).manual("Duiyi").render(&mut text);
    written.expect("memory takes every text");
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::super::Arguments;
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn completions_offer_the_values_of_an_argument_and_files_for_paths_only() {
        let text = String::from_utf8(completions(Arguments::command(), Shell::Bash)).unwrap();
        let tools = text.split("\n        duiyi__").skip(1);
        let offers = |tool: &str, argument: &str| {
            let tool = tools.clone().find(|text| text.starts_with(&format!("subcmd__{tool})"))).expect(tool);
            let offer = tool.split(&format!("\n                {argument})")).nth(1).expect(argument);
            offer.split(";;").next().unwrap_or_default().to_owned()
        };
        for (tool, argument, expected) in [
            ("analyse", "--variant", "chess tictactoe tictactoe4 cfour"),
            ("compare", "--variant", "chess tictactoe tictactoe4 cfour"),
            ("tune", "--variant", "chess xiangqi"),
            ("trace", "--method", "minimax minimax-typed negamax"),
            ("trace", "--order", "worst random natural"),
            ("analyse", "--out", "compgen -f"),
            ("analyse", "--syzygy", "compgen -f"),
        ] {
            let found = offers(tool, argument);
            assert!(found.contains(expected), "{tool} {argument}: {found}");
        }
        for (tool, argument) in [("analyse", "--nodes"), ("trace", "--position"), ("train", "--epochs")] {
            let found = offers(tool, argument);
            assert!(!found.contains("compgen -f"), "{tool} {argument}: {found}");
        }
    }

    #[test]
    fn manual_of_every_tool_names_the_program_and_its_version() {
        let version = concat!("duiyi ", env!("CARGO_PKG_VERSION"), " (");
        let tools: Vec<String> =
            Arguments::command().get_subcommands().map(|tool| tool.get_name().into()).collect();
        for tool in tools.iter().map(|tool| Some(tool.as_str())).chain([None]) {
            let text = String::from_utf8(manual(Arguments::command(), tool).unwrap()).unwrap();
            let title = text.lines().find(|line| line.starts_with(".TH")).unwrap();
            assert!(title.contains(version), "{title}");
        }
        assert!(manual(Arguments::command(), Some("nothing")).is_none());
    }
}
