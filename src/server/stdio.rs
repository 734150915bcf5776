//! Standard input and output.
//!
//! Both may be in non-blocking mode: `O_NONBLOCK` belongs to the open file, so a process that shares the file can set it.
//! Reads and writes here wait then as in blocking mode.

use std::io::{Read, Result, Write};

#[cfg(unix)]
pub use unix::{TerminalMode, columns, echoes, has_input, input, is_reader_gone, output, poll_now};

#[cfg(unix)]
mod unix {
    use super::*;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::retry_on_intr;
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
    use std::fs::File;
    use std::io::ErrorKind;
    use std::os::fd::AsFd;

    /// Standard input.
    pub fn input() -> Result<impl Read + Send + 'static> {
        Blocking::new(&std::io::stdin())
    }

    /// Standard output, without a buffer.
    pub fn output() -> Result<impl Write + Send + 'static> {
        Blocking::new(&std::io::stdout())
    }

    /// Whether standard output is a pipe or a socket whose reader is gone.
    pub fn is_reader_gone() -> bool {
        let gone = poll_now(&std::io::stdout(), PollFlags::empty());
        gone.is_ok_and(|events| events.intersects(PollFlags::ERR | PollFlags::HUP))
    }

    /// Returns which of `events` and of errors `file` has now.
    pub fn poll_now(file: &impl AsFd, events: PollFlags) -> Result<PollFlags> {
        wait(file, events, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))
    }

    /// Waits up to `timeout` for one of `events` or an error, and returns what is there.
    fn wait(file: &impl AsFd, events: PollFlags, timeout: Option<&Timespec>) -> Result<PollFlags> {
        let mut state = [PollFd::new(file, events)];
        retry_on_intr(|| poll(&mut state, timeout))?;
        Ok(state[0].revents())
    }

    /// Whether standard input is a terminal that echoes what is typed. Programs that use a terminal to talk to another
    /// program switch the echo off.
    pub fn echoes() -> bool {
        tcgetattr(std::io::stdin()).is_ok_and(|mode| mode.local_modes.contains(LocalModes::ECHO))
    }

    /// Whether standard input has something to read: at a terminal in its usual mode, a whole line or Ctrl-D.
    pub fn has_input() -> bool {
        poll_now(&std::io::stdin(), PollFlags::IN).is_ok_and(|events| events.contains(PollFlags::IN))
    }

    /// The number of columns of the terminal on standard output, if it says.
    pub fn columns() -> Option<usize> {
        let size = tcgetwinsize(std::io::stdout()).ok()?;
        (size.ws_col > 0).then_some(size.ws_col.into())
    }

    /// The mode of the terminal on standard input, to set it back.
    pub struct TerminalMode(Option<Termios>);

    impl TerminalMode {
        /// The mode now; none if standard input is no terminal.
        pub fn of_stdin() -> TerminalMode {
            TerminalMode(tcgetattr(std::io::stdin()).ok())
        }

        pub fn restore(&self) {
            if let Some(mode) = &self.0 {
                let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, mode);
                // The line editor also switches on that pasted text is marked.
                let _ = std::io::stdout().write_all(b"\x1b[?2004l").and_then(|()| std::io::stdout().flush());
            }
        }
    }

    /// A file that blocks, whatever its mode.
    struct Blocking(File);

    impl Blocking {
        fn new(file: &impl AsFd) -> Result<Blocking> {
            Ok(Blocking(file.as_fd().try_clone_to_owned()?.into()))
        }

        fn retry<T>(&mut self, events: PollFlags, mut act: impl FnMut(&mut File) -> Result<T>) -> Result<T> {
            loop {
                match act(&mut self.0) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => wait(&self.0, events, None)?,
                    result => return result,
                };
            }
        }
    }

    impl Read for Blocking {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            self.retry(PollFlags::IN, |file| file.read(buffer))
        }
    }

    impl Write for Blocking {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            self.retry(PollFlags::OUT, |file| file.write(bytes))
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }
}

/// Standard input.
#[cfg(not(unix))]
pub fn input() -> Result<impl Read + Send + 'static> {
    Ok(std::io::stdin())
}

#[cfg(not(unix))]
pub fn output() -> Result<impl Write + Send + 'static> {
    Ok(std::io::stdout())
}

/// Whether standard input is a terminal.
#[cfg(not(unix))]
pub fn echoes() -> bool {
    use std::io::IsTerminal;
    std::io::stdin().is_terminal()
}

/// Other terminals keep what is typed before the prompt as keys.
#[cfg(not(unix))]
pub fn has_input() -> bool {
    false
}

/// The number of columns of the terminal is not known here.
#[cfg(not(unix))]
pub fn columns() -> Option<usize> {
    None
}

/// On other systems only a write notices it.
#[cfg(not(unix))]
pub fn is_reader_gone() -> bool {
    false
}
