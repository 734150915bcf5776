//! The time slice of the threads between the client and the search.

/// Requests the shortest time slice for the calling thread, so that it preempts a search thread on the same core instead of
/// waiting some milliseconds for the end of its slice. Since Linux 6.12 the scheduler prefers threads with shorter slices
/// (<https://docs.kernel.org/scheduler/sched-eevdf.html>). Threads started later have the default slice. Without effect on
/// older kernels, and if the thread's scheduling policy or priority was changed.
#[cfg(target_os = "linux")]
pub fn request_short_timeslice() {
    /// The shortest slice that the kernel grants.
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

/// Other systems have no time slices per thread.
#[cfg(not(target_os = "linux"))]
pub fn request_short_timeslice() {}
