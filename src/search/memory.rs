//! Checks of memory, and prefetching. A small allocation that fails aborts the process, so large allocations check first that
//! enough memory remains.

use std::io::{Error, ErrorKind};
use std::sync::Mutex;
use std::thread::{Builder, JoinHandle, available_parallelism};

/// Stack of a search thread in bytes. The search recurses through up to 250 plies.
pub const STACK_BYTES: usize = 16 << 20;
/// Stack in bytes of a thread that only works on memory.
const SMALL_STACK_BYTES: usize = 256 << 10;
/// Stack in bytes of a thread that reads, writes or waits.
const SERVICE_STACK_BYTES: usize = 2 << 20;
/// Upper estimate of what such a thread allocates before it first waits, in bytes.
const SERVICE_DATA_BYTES: usize = 1 << 20;
/// Upper estimate of one thread's histories and evaluator, in bytes.
pub const THREAD_DATA_BYTES: usize = 8 << 20;

/// Whether `bytes` bytes can be allocated now. The probe is freed at once.
pub fn can_allocate(bytes: usize) -> bool {
    probe(bytes).is_some()
}

/// How many of `threads` new search threads can be started, so that all have memory at once.
pub fn startable_threads(threads: usize) -> usize {
    // A page of a browser has one stack, and its memory never shrinks: a probe would stay allocated.
    const THREAD_BYTES: usize =
        if cfg!(target_family = "wasm") { THREAD_DATA_BYTES } else { STACK_BYTES + THREAD_DATA_BYTES };
    /// For everything else: the network, reports, PVs, replies.
    const OTHER_BYTES: usize = if cfg!(target_family = "wasm") { 0 } else { 16 << 20 };
    if threads == 0 {
        return 0;
    }
    // No allocation is left for the time when the probes may have taken all memory.
    let mut probes = Vec::with_capacity(threads);
    let Some(_other) = probe(OTHER_BYTES) else { return 0 };
    probes.extend((0..threads).map_while(|_| probe(THREAD_BYTES)));
    probes.len()
}

/// Memory of `bytes` bytes that is not touched; `None` if it cannot be allocated.
fn probe(bytes: usize) -> Option<Vec<u8>> {
    let mut probe = Vec::new();
    // Without `black_box` the unused allocation is optimised away.
    std::hint::black_box(&mut probe).try_reserve_exact(bytes).ok()?;
    Some(probe)
}

/// Sets up glibc's allocator so that a check of memory tells what remains. By default it takes 128 MiB of address space for the
/// first allocation of each new thread, and keeps freed blocks of up to 32 MiB, a probe too. To be called before a thread is
/// started, and by the server alone: its searches allocate next to nothing, but threads that play games would wait for each
/// other (`datagen` with two threads then takes a tenth to a third more time).
pub fn set_up_allocator() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: no other thread runs that would allocate meanwhile.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
        // The value at the start, which now stays: larger blocks go back to the system.
        libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10);
    }
}

/// Starts a thread that serves until the program ends.
///
/// # Errors
/// If the system cannot start a thread, or if too little memory would remain for it: the standard library aborts the program
/// where there is memory for the stack of the thread, but none for that of its signals.
pub fn spawn_service<T: Send + 'static>(
    name: &str,
    serve: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<JoinHandle<T>> {
    let spawn = || match can_allocate(SERVICE_STACK_BYTES + SERVICE_DATA_BYTES) {
        true => Builder::new().name(name.into()).stack_size(SERVICE_STACK_BYTES).spawn(serve),
        false => Err(ErrorKind::OutOfMemory.into()),
    };
    spawn().map_err(|error| Error::new(error.kind(), format!("cannot start the thread \"{name}\": {error}")))
}

/// The length of a cache line of most processors, in bytes.
pub const CACHE_LINE: usize = 64;

/// Brings the cache line of `element` into the cache, while other work goes on.
#[inline(always)]
pub fn prefetch<T>(element: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no visible effect.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = element;
}

/// The most threads that work on memory at the same time: a few use all of its speed.
const MAX_MEMORY_THREADS: usize = 16;

/// Calls `act` for each of `parts`, in as many threads as the computer has cores. Without memory for threads, the calling
/// thread does it all. `act` must not panic.
pub fn for_each_in_parallel<T: Send>(parts: impl ExactSizeIterator<Item = T> + Send, act: impl Fn(T) + Sync) {
    let cores = available_parallelism().map_or(1, |cores| cores.get());
    let others = parts.len().min(cores).min(MAX_MEMORY_THREADS).saturating_sub(1);
    // One is left for the search: what the system keeps of a thread that has ended is not given back.
    let others = if others == 0 { 0 } else { startable_threads(others + 1).saturating_sub(1) };
    let parts = Mutex::new(parts);
    let work = || {
        while let Some(part) = parts.lock().ok().and_then(|mut parts| parts.next()) {
            act(part);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..others {
            let thread = Builder::new().name("memory".into()).stack_size(SMALL_STACK_BYTES);
            if thread.spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// When to fault in the pages of a new table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefault {
    /// At allocation, before the search.
    Now,
    /// On first use. Faulting in the tables of a thousand threads takes seconds.
    Lazy,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn can_allocate_small_sizes_but_not_an_exabyte() {
        assert!(can_allocate(1 << 20) && !can_allocate(1 << 60));
    }

    #[test]
    fn parallel_calls_get_each_part_once() {
        let mut numbers = vec![0_u64; 1000];
        for_each_in_parallel(numbers.chunks_mut(7).enumerate(), |(index, part): (usize, &mut [u64])| {
            part.iter_mut().for_each(|cell| *cell += index as u64 + 1);
        });
        let expected: Vec<u64> = (0..1000).map(|index| index / 7 + 1).collect();
        assert_eq!(numbers, expected);
        for_each_in_parallel([].into_iter(), |(): ()| panic!("there is no part"));
    }

    #[test]
    fn startable_threads_with_memory_are_all() {
        assert_eq!([0, 1, 2].map(startable_threads), [0, 1, 2]);
    }
}
