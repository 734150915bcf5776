//! Messages of the program itself, on standard error. Some clients never read that: a message that finds the pipe full is
//! dropped, and the game goes on.

use crossbeam_channel::{Receiver, Sender, bounded};
use log::LevelFilter;
use std::backtrace::Backtrace;
use std::io::{IsTerminal, Write};
use std::sync::mpsc;
use std::time::Duration;

/// Messages under way to standard error; more are dropped.
const QUEUE_CAPACITY: usize = 1024;
/// How long the end of the program waits for what is under way.
const FLUSH_TIMEOUT: Duration = Duration::from_millis(250);

/// What the thread that writes to standard error is sent.
enum LogMessage {
    /// A message.
    Message(Vec<u8>),
    /// The program ends: answers when everything before this is written.
    End(mpsc::Sender<()>),
}

/// The way to that thread.
struct Messages(Sender<LogMessage>);

impl Write for Messages {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        let _ = self.0.try_send(LogMessage::Message(text.to_vec()));
        Ok(text.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// As long as it lives, messages are written; when it goes, the last ones are waited for.
pub struct Logging(Sender<LogMessage>);

impl Logging {
    /// Quiet by default, because some clients never read standard error; `RUST_LOG` asks for more. A panic of any
    /// thread is an error, with its backtrace.
    pub fn start() -> Logging {
        let (items, written) = bounded(QUEUE_CAPACITY);
        // Without that thread nothing is said, and nothing else is lost.
        let _ = std::thread::Builder::new().name("log".into()).spawn(move || write(&written));
        let mut builder = env_logger::Builder::new();
        builder.target(env_logger::Target::Pipe(Box::new(Messages(items.clone()))));
        if std::io::stderr().is_terminal() {
            builder.write_style(env_logger::WriteStyle::Always);
        }
        match std::env::var("RUST_LOG") {
            Ok(filters) => drop(builder.parse_filters(&filters).try_init()),
            Err(_) => {
                // Everything passes the logger, and the level decides: `debug on` raises it.
                drop(builder.filter_level(LevelFilter::Debug).try_init());
                log::set_max_level(LevelFilter::Warn);
            }
        }
        std::panic::set_hook(Box::new(|panic| {
            let thread = std::thread::current();
            let name = thread.name().unwrap_or("without a name");
            log::error!("thread {name} {panic}\n{}", Backtrace::force_capture());
        }));
        Logging(items)
    }
}

impl Drop for Logging {
    fn drop(&mut self) {
        let (answer, answered) = mpsc::channel();
        if self.0.send_timeout(LogMessage::End(answer), FLUSH_TIMEOUT).is_ok() {
            let _ = answered.recv_timeout(FLUSH_TIMEOUT);
        }
    }
}

/// Writes to standard error as long as anybody may have something to say. Where that fails nobody is told.
fn write(items: &Receiver<LogMessage>) {
    for item in items {
        match item {
            LogMessage::Message(text) => drop(std::io::stderr().write_all(&text)),
            LogMessage::End(answer) => drop(answer.send(())),
        }
    }
}
