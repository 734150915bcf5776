//! The rule for every file that the program opens: it is a regular file.
//!
//! A named pipe blocks the program until another process opens its other end, a device such as `/dev/zero` has no
//! end, and to open some devices is to operate them.

use std::fs::{File, FileType, OpenOptions};
use std::io;
use std::path::Path;

/// Opens the regular file at `path`. Never blocks.
///
/// # Errors
/// If the file is of another type, or cannot be opened.
pub fn open_file(path: &Path, options: &OpenOptions) -> io::Result<File> {
    open(path, options, false)
}

/// Opens an input that is read once, from its beginning to its end: a regular file, or a pipe that is open already.
/// Such a pipe is standard input, as `-` or `/dev/stdin`, or `/dev/fd/63` from the `<(command)` of a shell. A named
/// pipe is refused, because it may never have a writer.
///
/// # Errors
/// If the file is of another type, or cannot be opened.
pub fn open_input(path: &Path) -> io::Result<File> {
    if path == Path::new("-") || path == Path::new("/dev/stdin") {
        return open_stdin();
    }
    let is_open_already = ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder));
    open(path, OpenOptions::new().read(true), is_open_already)
}

/// Checks that a file may take the place of what is at `path`: a regular file or nothing.
///
/// # Errors
/// If the file is of another type.
pub fn check_is_plain_file(path: &Path) -> io::Result<()> {
    path.metadata().map_or(Ok(()), |metadata| check(metadata.file_type(), false))
}

/// Standard input as a file of its own. A socket, as some programs give, cannot be opened by its path.
fn open_stdin() -> io::Result<File> {
    #[cfg(unix)]
    {
        let file = File::from(std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned()?);
        check(file.metadata()?.file_type(), true)?;
        Ok(file)
    }
    #[cfg(windows)]
    return Ok(File::from(std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned()?));
    #[cfg(not(any(unix, windows)))]
    Err(io::ErrorKind::Unsupported.into())
}

fn open(path: &Path, options: &OpenOptions, accepts_pipe: bool) -> io::Result<File> {
    // Before it is opened, because that may operate a device.
    if let Ok(metadata) = path.metadata() {
        check(metadata.file_type(), accepts_pipe)?;
    }
    #[cfg(unix)]
    let options = {
        let mut options = options.clone();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, NONBLOCK.bits().cast_signed());
        options
    };
    let file = options.open(path)?;
    // The path may have become another file in between.
    check(file.metadata()?.file_type(), accepts_pipe)?;
    #[cfg(unix)]
    rustix::fs::fcntl_setfl(&file, rustix::fs::fcntl_getfl(&file)? - NONBLOCK)?;
    Ok(file)
}

/// Opens a pipe without waiting for its other end.
#[cfg(unix)]
const NONBLOCK: rustix::fs::OFlags = rustix::fs::OFlags::NONBLOCK;

fn check(file_type: FileType, accepts_pipe: bool) -> io::Result<()> {
    let found = type_name(file_type);
    let expected = match accepts_pipe {
        false => "a regular file",
        true => "a regular file or a pipe",
    };
    if file_type.is_file() || accepts_pipe && matches!(found, "a pipe" | "a socket") {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("expected {expected}, found {found}")))
}

fn type_name(file_type: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if file_type.is_fifo() {
            return "a pipe";
        } else if file_type.is_socket() {
            return "a socket";
        }
    }
    match (file_type.is_file(), file_type.is_dir()) {
        (true, _) => "a regular file",
        (_, true) => "a directory",
        _ => "a device",
    }
}
