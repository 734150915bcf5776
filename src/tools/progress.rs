//! How far a long run has come, on standard error: a bar at a terminal, a line now and then elsewhere.

use crate::data::Totals;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The progress of a run that counts games and positions.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// Where the run ends, in games if given, else in positions.
    games: Option<u64>,
    positions: Option<u64>,
    /// What was there already.
    before: Totals,
    now: Totals,
    started: Instant,
    told: Instant,
}

impl Progress {
    /// Of a run that ends with so many games or positions, and begins with `before`.
    pub fn new(games: Option<u64>, positions: Option<u64>, before: Totals) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(games.or(positions), ProgressDrawTarget::stderr());
            let template = "{bar:32} {percent:>3}% {msg}, {eta} left";
            bar.with_style(ProgressStyle::with_template(template).expect("the template is sound"))
        });
        if let Some(bar) = &bar {
            bar.reset_eta();
        }
        let now = Instant::now();
        Progress { bar, games, positions, before, now: before, started: now, told: now }
    }

    /// It has come so far.
    pub fn tell(&mut self, now: Totals) {
        self.now = now;
        if let Some(bar) = &self.bar {
            bar.set_position(if self.games.is_some() { now.games } else { now.positions });
            bar.set_message(self.text());
        } else if self.told.elapsed() >= LINE_EVERY {
            self.told = Instant::now();
            self.line();
        }
    }

    /// The run is over.
    pub fn finish(&self) {
        match &self.bar {
            Some(bar) => bar.abandon(),
            None => self.line(),
        }
    }

    fn text(&self) -> String {
        let speed = (self.now.positions - self.before.positions) as f64
            / self.started.elapsed().as_secs_f64().max(1e-9);
        format!("{} games, {} positions, {speed:.0} positions/s", self.now.games, self.now.positions)
    }

    fn line(&self) {
        let of = |now: u64, end: Option<u64>| end.map(|end| 100 * now / end.max(1));
        let done = of(self.now.games, self.games).or(of(self.now.positions, self.positions)).unwrap_or(0);
        // If nobody reads there is nobody to complain to.
        let _ = writeln!(std::io::stderr(), "{done}%: {}", self.text());
    }
}
