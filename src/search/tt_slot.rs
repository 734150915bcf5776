//! One slot of the transposition table, read and written by all threads without locks.

use super::sync::{AtomicU64, Relaxed};

/// One entry in two words. `check` is the key xor `data`, so that an entry torn by two concurrent writes
/// matches no key (Hyatt and Mann 2002, "A lockless transposition table implementation"). The full 64-bit key
/// is verified, because exact games rely on the entries.
#[derive(Debug, Default)]
pub struct TtSlot {
    check: AtomicU64,
    data: AtomicU64,
}

impl TtSlot {
    /// The data of the last write for any key; 0 if the slot is empty.
    #[inline]
    pub fn data(&self) -> u64 {
        self.data.load(Relaxed)
    }

    /// The data if it was written for `key` and is not torn.
    #[inline]
    pub fn read(&self, key: u64) -> Option<u64> {
        let data = self.data();
        (data != 0 && self.check.load(Relaxed) ^ data == key).then_some(data)
    }

    /// Stores `data`, which must not be 0, for `key`.
    #[inline]
    pub fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// All interleavings of two writers and a reader; run by `make loom`.
#[cfg(all(test, loom))]
mod models {
    use super::TtSlot;
    use loom::{sync::Arc, thread};

    #[test]
    fn read_during_two_writes_never_returns_a_torn_entry() {
        loom::model(|| {
            let slot = Arc::new(TtSlot::default());
            // The words of the two entries share no bit, so that any mixture of them is a third entry.
            let entries = [(0x0F, 0x100), (0xF0, 0x200)];
            let writers = entries.map(|(key, data)| {
                let slot = slot.clone();
                thread::spawn(move || slot.write(key, data))
            });
            for (key, data) in entries {
                assert!(slot.read(key).is_none_or(|read| read == data));
            }
            writers.into_iter().for_each(|writer| writer.join().unwrap());
            for (key, data) in entries {
                assert!(slot.read(key).is_none_or(|read| read == data));
            }
        });
    }
}
