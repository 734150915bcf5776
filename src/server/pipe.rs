//! Standard output without a detour, where it is a pipe with room: to wake the writer takes longer than to write.

/// Whether standard output is a pipe, so that [`write_now`] may succeed.
#[cfg(unix)]
pub fn stdout_is_pipe() -> bool {
    use rustix::fs::{FileType, fstat};
    fstat(std::io::stdout()).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo)
}

/// Writes all of `text` to the pipe `output` if that cannot block, else nothing; says which. Nobody else may be
/// writing to it.
#[cfg(unix)]
pub fn write_now(output: impl std::os::fd::AsFd, text: &str) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    /// What fits into a pipe that is ready: POSIX's `PIPE_BUF` is 512 at least, Linux's page 4096.
    const PIPE_BUF: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let mut state = [PollFd::new(&output, PollFlags::OUT)];
    let ready = text.len() <= PIPE_BUF
        && poll(&mut state, Some(&now)).is_ok()
        && state[0].revents() == PollFlags::OUT;
    ready && rustix::io::write(&output, text.as_bytes()).is_ok()
}

/// Other systems have pipes too; there the writer writes.
#[cfg(not(unix))]
pub fn is_stdout() -> bool {
    false
}

/// See [`is_stdout`].
#[cfg(not(unix))]
pub fn write_now<T>(_: T, _: &str) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn what_has_room_is_written_and_what_has_none_is_left() {
        let (mut reader, writer) = std::io::pipe().unwrap();
        assert!(write_now(&writer, "readyok\n"));
        assert!(!write_now(&writer, &"x".repeat(1 << 20)));
        let line = "y".repeat(500);
        let written = (0..10_000).take_while(|_| write_now(&writer, &line)).count();
        assert!((1..10_000).contains(&written), "{written} lines into a pipe that nobody reads");
        drop(writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, format!("readyok\n{}", line.repeat(written)));
    }

    #[test]
    fn a_pipe_that_nobody_will_read_is_left_to_the_writer() {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert!(!write_now(&writer, "readyok\n"));
    }
}
