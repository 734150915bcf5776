//! Tools search in threads with the stack of a search, however small other stacks are.
use crate::common::process::{Process, TempDir, command};
use std::os::unix::process::CommandExt;
use std::process::Output;

/// Stack of the main thread, and of threads that ask for none, in bytes: enough to read arguments, not to search.
const SMALL: libc::rlim_t = 192 << 10;

#[test]
fn tools_search_with_small_stacks_of_other_threads() {
    let directory = TempDir::new("stack");
    let epd =
        directory.file("p.epd", "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm d4;\n");
    let mate = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    for arguments in [
        &["analyse", &epd, "--depth", "14"][..],
        &["prove", "--position", mate, "--at-least", "win in 3"],
        &["compare", "--variant", "cfour", "--depth", "7", "--nodes", "100000"],
        &["trace", "--variant", "tictactoe", "--depth", "3", "--limit", "1000"],
    ] {
        let mut command = command(arguments);
        command.env("RUST_MIN_STACK", SMALL.to_string());
        let limit = libc::rlimit { rlim_cur: SMALL, rlim_max: SMALL };
        // SAFETY: `setrlimit` is async-signal-safe, and `limit` lives as long as the closure.
        unsafe {
            command.pre_exec(move || match libc::setrlimit(libc::RLIMIT_STACK, &limit) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            });
        }
        let Output { status, stderr, .. } = Process::start(&mut command).output();
        assert_eq!(status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    }
}
