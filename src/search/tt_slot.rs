//! One place of the transposition table, which threads read and write without a lock.

use super::sync::{AtomicU64, Relaxed};

/// One entry in two words: `check` is the key xor `data`, so that an entry torn by two threads
/// writing at once fits no key (Hyatt and Mann 2002, "A lockless transposition table implementation").
/// The whole key is verified, which lets a solver trust what it reads.
#[derive(Debug, Default)]
pub struct TtSlot {
    check: AtomicU64,
    data: AtomicU64,
}

impl TtSlot {
    /// What was written here last, for whatever key; 0 if nothing was.
    #[inline]
    pub fn data(&self) -> u64 {
        self.data.load(Relaxed)
    }

    /// What was written for `key`, if that was the last and is whole.
    #[inline]
    pub fn read(&self, key: u64) -> Option<u64> {
        let data = self.data();
        (data != 0 && self.check.load(Relaxed) ^ data == key).then_some(data)
    }

    /// Keeps `data`, which is not 0, for `key`.
    #[inline]
    pub fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// All the ways in which threads may meet at a slot, tried by `make models`.
#[cfg(all(test, loom))]
mod models {
    use super::TtSlot;
    use loom::{sync::Arc, thread};

    #[test]
    fn no_reader_sees_half_an_entry() {
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
