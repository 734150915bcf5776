//! The clock of the benches that take turns.

use std::time::Duration;

/// What this process has used of the processor.
#[cfg(unix)]
pub fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec, which the call only writes.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0, "no processor clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The clock on the wall, where there is no other.
#[cfg(not(unix))]
pub fn processor_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
