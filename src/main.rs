//! The program: see [`duiyi::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    duiyi::cli::run()
}
