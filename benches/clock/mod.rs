//! The CPU clock of the benches that alternate between programs.

use std::time::Duration;

/// Returns the CPU time of this process.
#[cfg(unix)]
pub fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec, which the call only writes.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0, "no processor clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns the wall-clock time since the first call, on systems without a CPU clock.
#[cfg(not(unix))]
pub fn processor_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
