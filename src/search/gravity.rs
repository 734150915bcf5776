//! Tables of history counters and the update rule of their counters.

use super::memory::Prefault;
use std::ops::Deref;

/// A table of counters, all 0 at first. Only the parts in which a counter was changed are cleared: a game of a few plies changes
/// few of them.
#[derive(Debug, Default)]
pub struct CounterTable {
    counters: Vec<i16>,
    /// For each part of [`PART`] counters, whether one was changed.
    changed: Vec<bool>,
}

/// The counters of a part: a kilobyte.
const PART: usize = 512;

impl CounterTable {
    /// Makes this a table of `size` counters, all 0, unless it has that size already.
    pub fn resize(&mut self, size: usize, prefault: Prefault) {
        if self.counters.len() != size {
            self.counters = vec![0; size];
            self.changed = vec![false; size.div_ceil(PART)];
            if prefault == Prefault::Now {
                // A zeroed allocation maps no pages; writing does.
                std::hint::black_box(&mut self.counters).fill(0);
            }
        }
    }

    /// Sets all counters to 0.
    pub fn clear(&mut self) {
        for (part, changed) in self.counters.chunks_mut(PART).zip(&mut self.changed) {
            if std::mem::take(changed) {
                part.fill(0);
            }
        }
    }

    /// Moves the counter `index` towards ±`max`: see [`apply_gravity`].
    #[inline]
    pub fn update(&mut self, index: usize, bonus: i32, max: i32) {
        apply_gravity(&mut self.counters[index], bonus, max);
        self.changed[index / PART] = true;
    }
}

impl Deref for CounterTable {
    type Target = [i16];

    #[inline]
    fn deref(&self) -> &[i16] {
        &self.counters
    }
}

/// Moves `counter` towards ±`max`, by less the nearer it already is
/// (<https://www.chessprogramming.org/History_Heuristic>, "history gravity"). `bonus` must lie within ±`max`.
fn apply_gravity(counter: &mut i16, bonus: i32, max: i32) {
    let old = i32::from(*counter);
    *counter = (old + bonus - old * bonus.abs() / max) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_after_many_bonuses_stay_within_bounds() {
        const MAX: i32 = 16_384;
        let mut counter = 0;
        for _ in 0..10_000 {
            apply_gravity(&mut counter, 2000, MAX);
        }
        assert!(i32::from(counter) <= MAX && i32::from(counter) > MAX * 9 / 10);
        for _ in 0..10_000 {
            apply_gravity(&mut counter, -2000, MAX);
        }
        assert!(i32::from(counter) >= -MAX && i32::from(counter) < -MAX * 9 / 10);
    }

    #[test]
    fn cleared_table_is_all_zeros() {
        let mut table = CounterTable::default();
        table.resize(3 * PART + 1, Prefault::Lazy);
        for index in [0, 2 * PART - 1, 3 * PART] {
            table.update(index, 100, 1000);
            assert_eq!(table[index], 100);
        }
        table.clear();
        assert!(table.iter().all(|&counter| counter == 0));
    }
}
