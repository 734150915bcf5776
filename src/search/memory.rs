//! Whether there is memory left. A small allocation that fails ends the program, so whoever is about to take much
//! asks first whether enough will be left.

/// The stack of a search thread: it recurses through up to 250 plies.
pub const STACK_BYTES: usize = 16 << 20;
/// What one thread learns and remembers, rounded up.
pub const THREAD_DATA_BYTES: usize = 8 << 20;
/// What is kept for everything else: reports, lines, replies.
pub const RESERVE_BYTES: usize = 32 << 20;

/// Whether so many bytes could be had now. They are asked for and given back.
pub fn can_allocate(bytes: usize) -> bool {
    let mut probe = Vec::<u8>::new();
    // Looked at by nobody, the allocation would be optimised away.
    std::hint::black_box(&mut probe).try_reserve_exact(bytes).is_ok()
}

/// When the system has to hand out the memory of a new table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefault {
    /// Before anybody searches.
    Now,
    /// As a search comes to them: a thousand threads that search for a moment would wait seconds for what they never use.
    Lazy,
}

/// Makes `table` one of `size` zeros, unless it has that size already.
pub fn resize_zeroed(table: &mut Vec<i16>, size: usize, prefault: Prefault) {
    if table.len() != size {
        *table = vec![0; size];
        if prefault == Prefault::Now {
            // The allocation alone is a promise.
            std::hint::black_box(table).fill(0);
        }
    }
}

/// Memory that nobody else gets while a thread begins: the system's allocator gives each a heap of its own, as large as
/// there is room for, which may leave nothing to the other threads. It travels with the new thread.
#[derive(Debug)]
pub struct AllocReserve(Vec<u8>);

impl AllocReserve {
    /// [`SPARE`] bytes, `None` if they are not there.
    pub fn new() -> Option<AllocReserve> {
        let mut bytes = Vec::new();
        std::hint::black_box(&mut bytes).try_reserve_exact(RESERVE_BYTES).ok()?;
        Some(AllocReserve(bytes))
    }

    /// To be called in the new thread: its heap is taken, and the rest is for everybody.
    pub fn release(self) {
        drop(std::hint::black_box(Box::new(0_u8)));
        drop(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_some_room_and_not_any() {
        assert!(can_allocate(1 << 20) && !can_allocate(1 << 60));
    }
}
