//! Standard input and output.
//!
//! Both may be in non-blocking mode: `O_NONBLOCK` belongs to the open file, so a process that shares the file can set it.
//! Reads and writes here wait then as in blocking mode.

use crossbeam_channel::Receiver;
use std::io::{Read, Result, Write};

#[cfg(unix)]
pub use unix::{input, output, reader_gone};

#[cfg(unix)]
mod unix {
    use super::*;
    use crossbeam_channel::{Sender, bounded, never};
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::fs::{FileType, fstat};
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

    /// A channel without messages. It is disconnected when standard output is a pipe or a socket and its reader is gone.
    /// A thread waits for that, because a job that writes nothing would not notice it.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn reader_gone() -> Result<Receiver<()>> {
        let kind = FileType::from_raw_mode(fstat(std::io::stdout())?.st_mode);
        if !matches!(kind, FileType::Fifo | FileType::Socket) {
            return Ok(never());
        }
        let (open, gone) = bounded(0);
        std::thread::Builder::new().name("watcher".into()).spawn(move || {
            // Without requested events, this waits for an error or a hang-up.
            let _ = wait(&std::io::stdout(), PollFlags::empty());
            drop::<Sender<()>>(open);
        })?;
        Ok(gone)
    }

    /// Waits until one of `events` or an error is there.
    fn wait(file: &impl AsFd, events: PollFlags) -> Result<()> {
        let mut state = [PollFd::new(file, events)];
        retry_on_intr(|| poll(&mut state, None))?;
        Ok(())
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
                    Err(error) if error.kind() == ErrorKind::WouldBlock => wait(&self.0, events)?,
                    result => return result,
                }
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

/// On other systems only a write notices that the reader is gone.
#[cfg(not(unix))]
pub fn reader_gone() -> Result<Receiver<()>> {
    Ok(crossbeam_channel::never())
}
