//! Log messages on standard error. Some clients never read standard error, so a message is dropped if the
//! queue to it is full.

use crate::server::spawn_service;
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use log::LevelFilter;
use std::backtrace::Backtrace;
use std::io::{IsTerminal, Write};
use std::sync::mpsc;
use std::time::Duration;

const QUEUE_CAPACITY: usize = 1024;
/// Maximum time that the end of the program waits for queued messages.
const FLUSH_TIMEOUT: Duration = Duration::from_millis(250);

/// A message to the thread that writes to standard error.
enum LogMessage {
    Text(Vec<u8>),
    /// A request for a reply when all earlier messages are written.
    Flush(mpsc::Sender<()>),
    /// What takes the text of all later messages.
    Output(Box<dyn Write + Send>),
}

struct LogWriter(Sender<LogMessage>);

impl Write for LogWriter {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        match self.0.try_send(LogMessage::Text(text.to_vec())) {
            // The thread did not start.
            Err(TrySendError::Disconnected(_)) => std::io::stderr().write(text),
            _ => Ok(text.len()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Keeps logging active. Its drop waits for queued messages, at most 2 x [`FLUSH_TIMEOUT`].
pub struct Logging(Sender<LogMessage>);

impl Logging {
    /// Starts logging. Without `RUST_LOG`, only warnings and errors are logged, because some clients never
    /// read standard error. A panic of any thread is logged as an error with a backtrace.
    pub fn start() -> Logging {
        let (messages_tx, messages_rx) = bounded(QUEUE_CAPACITY);
        // Without this thread each message is written where it is made.
        let _ = spawn_service("log", move || write_messages(&messages_rx));
        let mut builder = env_logger::Builder::new();
        builder.target(env_logger::Target::Pipe(Box::new(LogWriter(messages_tx.clone()))));
        if std::io::stderr().is_terminal() {
            builder.write_style(env_logger::WriteStyle::Always);
        }
        match std::env::var("RUST_LOG") {
            Ok(filters) => {
                builder.parse_filters(&filters);
                // The line editor writes messages for each key and, if they are printed above its line, for each message.
                drop(builder.filter_module("rustyline", LevelFilter::Off).try_init());
            }
            Err(_) => {
                // The logger accepts all levels; the maximum level filters. `debug on` raises it.
                drop(builder.filter_level(LevelFilter::Debug).try_init());
                log::set_max_level(LevelFilter::Warn);
            }
        }
        std::panic::set_hook(Box::new(|panic| {
            let thread = std::thread::current();
            let name = thread.name().unwrap_or("without a name");
            log::error!("thread {name} {panic}\n{}", Backtrace::force_capture());
        }));
        Logging(messages_tx)
    }

    /// Writes all later messages to `output`, which prints above the line being typed, if standard error is a terminal too.
    pub fn write_above_line(&self, output: Box<dyn Write + Send>) {
        if std::io::stderr().is_terminal() {
            let _ = self.0.send(LogMessage::Output(output));
        }
    }
}

impl Drop for Logging {
    fn drop(&mut self) {
        let (flushed_tx, flushed_rx) = mpsc::channel();
        if self.0.send_timeout(LogMessage::Flush(flushed_tx), FLUSH_TIMEOUT).is_ok() {
            let _ = flushed_rx.recv_timeout(FLUSH_TIMEOUT);
        }
    }
}

/// Writes messages to standard error, or to the last output, until all senders are dropped. Ignores errors.
fn write_messages(messages: &Receiver<LogMessage>) {
    let mut output: Box<dyn Write> = Box::new(std::io::stderr());
    for message in messages {
        match message {
            LogMessage::Text(text) => drop(output.write_all(&text)),
            LogMessage::Flush(flushed_tx) => drop(flushed_tx.send(())),
            LogMessage::Output(new) => output = new,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An output that sends what is written to it.
    struct Printer(mpsc::Sender<Vec<u8>>);

    impl Write for Printer {
        fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
            self.0.send(text.to_vec()).map_err(std::io::Error::other)?;
            Ok(text.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn messages_after_output_go_to_output() {
        let (messages_tx, messages) = bounded(QUEUE_CAPACITY);
        let (printed_tx, printed) = mpsc::channel();
        let mut writer = LogWriter(messages_tx.clone());
        messages_tx.send(LogMessage::Output(Box::new(Printer(printed_tx)))).unwrap();
        writer.write_all(b"one\n").unwrap();
        writer.write_all(b"two\n").unwrap();
        drop((messages_tx, writer));
        write_messages(&messages);
        assert_eq!(printed.iter().collect::<Vec<_>>(), [b"one\n", b"two\n"]);
    }
}
