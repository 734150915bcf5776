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

/// The terminal's mode before the line editor changed it; empty without a line editor.
#[cfg(unix)]
static TERMINAL_MODE: std::sync::OnceLock<super::stdio::TerminalMode> = std::sync::OnceLock::new();

/// Keeps the terminal's mode, which the line editor changes while it reads. A signal that ends the program sets it back.
pub fn keep_terminal_mode() {
    #[cfg(unix)]
    TERMINAL_MODE.get_or_init(super::stdio::TerminalMode::of_stdin);
}

/// Starts a thread that sends Ctrl-C to `interrupts` when the line editor does not read it as a key. Without the thread the
/// signals keep their meaning.
#[cfg(unix)]
pub fn watch(interrupts: Sender<Interrupt>) {
    use crate::search::memory::spawn_service;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    let handle = move || {
        for signal in signals.forever() {
            if signal == SIGINT {
                // A full channel holds a Ctrl-C that the server has not seen yet.
                let _ = interrupts.try_send(Interrupt::Signal);
            } else {
                end_by(signal);
            }
        }
    };
    let _ = spawn_service("signals", handle);
}

/// The line editor reads Ctrl-C as a key.
#[cfg(not(unix))]
pub fn watch(_: Sender<Interrupt>) {}

/// Sets the terminal back and ends the process as `signal` does by default. Between the two no thread may set a handler of the
/// signal, or the process ends by SIGABRT: the line editor sets its own by `signal-hook` too, and none of SIGINT.
#[cfg(unix)]
fn end_by(signal: i32) {
    if let Some(mode) = TERMINAL_MODE.get() {
        mode.restore();
    }
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
