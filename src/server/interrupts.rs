//! Ctrl-C at a terminal: it stops the running job. Without one, the signal ends the program, and so does the second key at
//! an empty prompt.

use crossbeam_channel::Sender;

/// Where a Ctrl-C comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// The key, at an empty prompt of the line editor.
    Key,
    /// The signal SIGINT, from outside or while the line editor does not read.
    Signal,
}

/// Starts a thread that sends Ctrl-C to `interrupts` when the line editor does not read it as a key. Signals that end the
/// program set the terminal back first, because the editor may have changed it. Without the thread the signals keep their
/// meaning.
#[cfg(unix)]
pub fn watch(interrupts: Sender<Interrupt>) {
    use super::stdio::TerminalMode;
    use crate::search::memory::spawn_service;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mode = TerminalMode::of_stdin();
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    let handle = move || {
        for signal in signals.forever() {
            if signal == SIGINT {
                // A full channel holds a Ctrl-C that the server has not seen yet.
                let _ = interrupts.try_send(Interrupt::Signal);
            } else {
                mode.restore();
                end_by(signal);
            }
        }
    };
    let _ = spawn_service("signals", handle);
}

/// The line editor reads Ctrl-C as a key.
#[cfg(not(unix))]
pub fn watch(_: Sender<Interrupt>) {}

/// Ends the process as `signal` does by default.
#[cfg(unix)]
fn end_by(signal: i32) {
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// Ends the process as Ctrl-C does by default.
pub fn end_process() -> ! {
    #[cfg(unix)]
    end_by(signal_hook::consts::SIGINT);
    std::process::exit(EXIT_INTERRUPTED)
}

/// The status of a shell for a program that Ctrl-C has ended: 128 and the signal's number.
const EXIT_INTERRUPTED: i32 = 130;
