//! Standard input and output.
//!
//! Both may be in non-blocking mode: `O_NONBLOCK` belongs to the open file, so a process that shares the file can set it.
//! Reads and writes here wait then as in blocking mode.

use std::io::{Read, Result, Write};

#[cfg(unix)]
pub use unix::{input, is_reader_gone, output, poll_now};

#[cfg(unix)]
mod unix {
    use super::*;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::retry_on_intr;
    use std::fs::File;
    use std::io::ErrorKind;
    use std::os::fd::AsFd;

    /// Standard input.
    ///
    /// # Errors
    /// If the process can open no more files.
    pub fn input() -> Result<impl Read + Send + 'static> {
        Blocking::new(&std::io::stdin())
    }

    /// Standard output, without a buffer.
    ///
    /// # Errors
    /// If the process can open no more files.
    pub fn output() -> Result<impl Write + Send + 'static> {
        Blocking::new(&std::io::stdout())
    }

    /// Whether standard output is a pipe or a socket whose reader is gone.
    pub fn is_reader_gone() -> bool {
        let gone = poll_now(&std::io::stdout(), PollFlags::empty());
        gone.is_ok_and(|events| events.intersects(PollFlags::ERR | PollFlags::HUP))
    }

    /// Returns which of `events` and of errors `file` has now.
    ///
    /// # Errors
    /// As `poll(2)`.
    pub fn poll_now(file: &impl AsFd, events: PollFlags) -> Result<PollFlags> {
        wait(file, events, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))
    }

    /// Waits up to `timeout` for one of `events` or an error, and returns what is there.
    fn wait(file: &impl AsFd, events: PollFlags, timeout: Option<&Timespec>) -> Result<PollFlags> {
        let mut state = [PollFd::new(file, events)];
        retry_on_intr(|| poll(&mut state, timeout))?;
        Ok(state[0].revents())
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

/// Standard output.
#[cfg(not(unix))]
pub fn output() -> Result<impl Write + Send + 'static> {
    Ok(std::io::stdout())
}

/// On other systems only a write notices it.
#[cfg(not(unix))]
pub fn is_reader_gone() -> bool {
    false
}
