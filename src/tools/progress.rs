//! How far a long run has come, on standard error: a bar at a terminal, a line now and then elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The progress of a run that counts something.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// Where the run ends, and where it is.
    end: u64,
    now: u64,
    /// More about where it is.
    text: String,
    told: Instant,
}

impl Progress {
    /// Of a run that ends at `end`, and begins at `now`.
    pub fn new(end: u64, now: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(end), ProgressDrawTarget::stderr());
            let template = "{bar:32} {percent:>3}% {msg}, {eta} left";
            bar.with_style(ProgressStyle::with_template(template).expect("the template is sound"))
        });
        if let Some(bar) = &bar {
            bar.set_position(now);
            bar.reset_eta();
        }
        Progress { bar, end, now, text: String::new(), told: Instant::now() }
    }

    /// It has come so far; `text` says more.
    pub fn update(&mut self, now: u64, text: String) {
        (self.now, self.text) = (now, text);
        if let Some(bar) = &self.bar {
            bar.set_position(self.now);
            bar.set_message(self.text.clone());
        } else if self.told.elapsed() >= LINE_EVERY {
            self.told = Instant::now();
            self.line();
        }
    }

    /// Lets `write` write to the terminal without disturbing the bar.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// The run is over.
    pub fn finish(&self) {
        match &self.bar {
            Some(bar) => bar.abandon(),
            None if self.text.is_empty() => {}
            None => self.line(),
        }
    }

    fn line(&self) {
        // If nobody reads there is nobody to complain to.
        let _ = writeln!(std::io::stderr(), "{}%: {}", 100 * self.now / self.end.max(1), self.text);
    }
}
