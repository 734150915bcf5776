//! Something remembered for each position and depth.

use crate::game::Depth;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Once so many things are remembered (in about 200 MB), nothing is added: what was not remembered is
/// only searched again.
const MOST: usize = 1 << 22;

/// A map from a position's key and the depth to go. Two positions with the same 64-bit key would be
/// taken for one; among four million that happens less than once in a million searches.
#[derive(Debug)]
pub struct MemoTable<T>(HashMap<(u64, i32), T, BuildHasherDefault<KeyHasher>>);

impl<T> Default for MemoTable<T> {
    fn default() -> MemoTable<T> {
        MemoTable(HashMap::default())
    }
}

impl<T: Copy> MemoTable<T> {
    /// What is remembered of the position with `key` and `depth` to go.
    pub fn get(&self, key: u64, depth: Depth) -> Option<T> {
        self.0.get(&(key, depth.plies())).copied()
    }

    /// Remembers something in place of what was there.
    pub fn insert(&mut self, key: u64, depth: Depth, what: T) {
        if self.0.len() < MOST || self.0.contains_key(&(key, depth.plies())) {
            self.0.insert((key, depth.plies()), what);
        }
    }

    /// How much is remembered.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// A position's key is a hash already; only the depth is mixed into it.
#[derive(Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = (self.0 ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
    }

    fn write_i32(&mut self, depth: i32) {
        self.write_u64(depth as u64);
    }
}
