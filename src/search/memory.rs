//! Checks and reservations of memory. A small allocation that fails aborts the process, so large allocations
//! check first that enough memory remains.

/// Stack of a search thread in bytes. The search recurses through up to 250 plies.
pub const STACK_BYTES: usize = 16 << 20;
/// Upper estimate of one thread's histories and evaluator, in bytes.
pub const THREAD_DATA_BYTES: usize = 8 << 20;
/// Memory kept free for everything else: reports, PVs, replies; in bytes.
pub const RESERVE_BYTES: usize = 32 << 20;

/// Whether `bytes` bytes can be allocated now. The probe is freed at once.
pub fn can_allocate(bytes: usize) -> bool {
    let mut probe = Vec::<u8>::new();
    // Without `black_box` the unused allocation is optimised away.
    std::hint::black_box(&mut probe).try_reserve_exact(bytes).is_ok()
}

/// When to fault in the pages of a new table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefault {
    /// At allocation, before the search.
    Now,
    /// On first use. Faulting in the tables of a thousand threads takes seconds.
    Lazy,
}

/// Replaces `table` by `size` zeros, unless it has that size already.
pub fn resize_zeroed(table: &mut Vec<i16>, size: usize, prefault: Prefault) {
    if table.len() != size {
        *table = vec![0; size];
        if prefault == Prefault::Now {
            // A zeroed allocation maps no pages; writing does.
            std::hint::black_box(table).fill(0);
        }
    }
}

/// Reserves memory while a thread starts, because glibc gives each thread its own arena. The arena takes as
/// much address space as it can, which may leave none for other threads. The new thread frees the reserve.
#[derive(Debug)]
pub struct AllocReserve(Vec<u8>);

impl AllocReserve {
    /// A reserve of [`RESERVE_BYTES`]; `None` if they cannot be allocated.
    pub fn new() -> Option<AllocReserve> {
        let mut bytes = Vec::new();
        std::hint::black_box(&mut bytes).try_reserve_exact(RESERVE_BYTES).ok()?;
        Some(AllocReserve(bytes))
    }

    /// Frees the reserve. Called in the new thread: its first allocation creates its arena.
    pub fn release(self) {
        drop(std::hint::black_box(Box::new(0_u8)));
        drop(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn can_allocate_small_sizes_but_not_an_exabyte() {
        assert!(can_allocate(1 << 20) && !can_allocate(1 << 60));
    }
}
