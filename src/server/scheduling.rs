//! What the threads between the client and the search ask of the system's scheduler.

/// Asks that the calling thread, which works for moments and sleeps in between, need not wait until a search thread on the
/// same core has used up its slice of some milliseconds: it asks for the shortest slice there is, and whoever has a
/// shorter one goes first (Linux 6.12 and later: <https://docs.kernel.org/scheduler/sched-eevdf.html>). Threads that it
/// starts have an ordinary slice. Where the system cannot, or somebody has chosen how it is scheduled, nothing changes.
#[cfg(target_os = "linux")]
pub fn request_short_timeslice() {
    /// The least that the kernel grants.
    const SLICE_NANOSECONDS: u64 = 100_000;
    let size = size_of::<libc::sched_attr>();
    // SAFETY: the structure consists of integers.
    let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes at most `size` bytes to `attributes`.
    let known = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) } == 0;
    let ordinary = attributes.sched_policy == libc::SCHED_OTHER as u32 && attributes.sched_nice >= 0;
    if !known || !ordinary {
        return;
    }
    attributes.sched_runtime = SLICE_NANOSECONDS;
    attributes.sched_flags |= libc::SCHED_FLAG_RESET_ON_FORK as u64;
    // SAFETY: the kernel reads as many bytes of `attributes` as it says it has.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
}

/// Only Linux gives threads slices of their own.
#[cfg(not(target_os = "linux"))]
pub fn be_prompt() {}
