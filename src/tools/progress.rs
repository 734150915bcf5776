//! Progress of a long run on standard error: a progress bar at a terminal, otherwise a line every 10 seconds.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between two lines without a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// The progress of a run, in items of any kind.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// The number of items at the end of the run.
    end: u64,
    done: u64,
    message: String,
    last_line: Instant,
}

impl Progress {
    /// The progress of a run to `end` items, of which `done` are done.
    pub fn new(end: u64, done: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(end), ProgressDrawTarget::stderr());
            let template = "{bar:32} {percent:>3}% {msg}, {eta} left";
            bar.with_style(ProgressStyle::with_template(template).expect("the template is sound"))
        });
        if let Some(bar) = &bar {
            bar.set_position(done);
            bar.reset_eta();
        }
        Progress { bar, end, done, message: String::new(), last_line: Instant::now() }
    }

    pub fn update(&mut self, done: u64, message: String) {
        (self.done, self.message) = (done, message);
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.set_message(self.message.clone());
        } else if self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            self.print_line();
        }
    }

    /// Calls `write` while the bar is hidden, so that it can write to the terminal.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Ends the progress: leaves the bar as it is, or prints the last line.
    pub fn finish(&self) {
        match &self.bar {
            Some(bar) => bar.abandon(),
            None if self.message.is_empty() => {}
            None => self.print_line(),
        }
    }

    fn print_line(&self) {
        // Standard error may be closed.
        let _ = writeln!(std::io::stderr(), "{}%: {}", 100 * self.done / self.end.max(1), self.message);
    }
}
