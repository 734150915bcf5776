//! The program: see [`duiyi::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    if duiyi::processor::is_sufficient() { duiyi::cli::run() } else { ExitCode::FAILURE }
}
