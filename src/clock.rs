//! The clock: the standard library's, or in a browser that of the host.
//!
//! `std::time::Instant::now` panics on `wasm32-unknown-unknown`, which has no clock of its own. There the host gives one with
//! `set_host_clock` before the first search.

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

#[cfg(target_family = "wasm")]
pub use host::{Instant, set_host_clock};

/// A number from the clock, for choices that shall differ from run to run.
pub fn random_seed() -> u64 {
    #[cfg(not(target_family = "wasm"))]
    let time = std::time::UNIX_EPOCH.elapsed();
    #[cfg(target_family = "wasm")]
    let time = Ok::<_, std::convert::Infallible>(Instant::now() - Instant::default());
    time.map_or(0, |time| time.as_nanos() as u64)
}

#[cfg(target_family = "wasm")]
mod host {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static HOST_CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock: a function that returns the time since any fixed moment and never goes back. Only the first call counts.
    pub fn set_host_clock(clock: fn() -> Duration) {
        HOST_CLOCK.get_or_init(|| clock);
    }

    /// A moment of the host's clock, as `std::time::Instant`. Without a clock all moments are the same.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// The time now.
        pub fn now() -> Instant {
            Instant(HOST_CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// The time since this moment.
        pub fn elapsed(self) -> Duration {
            Instant::now() - self
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, duration: Duration) -> Instant {
            Instant(self.0 + duration)
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }
}
