//! Direct writes to standard output if it is a pipe with room: waking the writer thread takes longer than writing.

/// Whether standard output is a pipe, for which [`write_now`] may succeed.
#[cfg(unix)]
pub fn stdout_is_pipe() -> bool {
    use rustix::fs::{FileType, fstat};
    fstat(std::io::stdout()).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo)
}

/// Writes all of `text` to the pipe `output` if that cannot block, else nothing. Returns whether it was written. No other
/// thread may write to the pipe at the same time.
#[cfg(unix)]
pub fn write_now(output: impl std::os::fd::AsFd, text: &str) -> bool {
    use super::stdio::poll_now;
    use rustix::event::PollFlags;
    /// The bytes that a writable pipe takes without blocking: at least 512 in POSIX, 4096 on Linux.
    const PIPE_BUF: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };
    let ready = text.len() <= PIPE_BUF
        && poll_now(&output, PollFlags::OUT).is_ok_and(|events| events == PollFlags::OUT);
    ready && rustix::io::write(&output, text.as_bytes()).is_ok()
}

/// On other systems the writer thread writes everything.
#[cfg(not(unix))]
pub fn stdout_is_pipe() -> bool {
    false
}

/// See [`stdout_is_pipe`].
#[cfg(not(unix))]
pub fn write_now<T>(_: T, _: &str) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn write_now_without_room_writes_nothing() {
        let (mut reader, writer) = std::io::pipe().unwrap();
        assert!(write_now(&writer, "readyok\n"));
        assert!(!write_now(&writer, &"x".repeat(1 << 20)));
        let line = "y".repeat(500);
        let written = (0..10_000).take_while(|_| write_now(&writer, &line)).count();
        assert!((1..10_000).contains(&written), "{written} lines into a pipe without a reader");
        drop(writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, format!("readyok\n{}", line.repeat(written)));
    }

    #[test]
    fn write_now_without_reader_writes_nothing() {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert!(!write_now(&writer, "readyok\n"));
    }
}
