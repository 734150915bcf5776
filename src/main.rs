//! The binary; [`duiyi::cli`] has its code.

use std::process::ExitCode;

fn main() -> ExitCode {
    duiyi::cli::run()
}
