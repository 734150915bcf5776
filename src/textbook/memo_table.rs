//! A map from position and remaining depth to a value or a move.

use crate::game::Depth;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A full table, about 200 MB, takes no new entries; other positions are searched again.
const MAX_ENTRIES: usize = 1 << 22;

/// A map from a position's key and the remaining depth.
///
/// Two positions with the same 64-bit key share an entry. Among four million positions the probability of
/// such a pair is below one in a million.
#[derive(Debug)]
pub struct MemoTable<T>(HashMap<(u64, i32), T, BuildHasherDefault<KeyHasher>>);

impl<T> Default for MemoTable<T> {
    fn default() -> MemoTable<T> {
        MemoTable(HashMap::default())
    }
}

impl<T: Copy> MemoTable<T> {
    pub fn get(&self, key: u64, depth: Depth) -> Option<T> {
        self.0.get(&(key, depth.plies())).copied()
    }

    pub fn insert(&mut self, key: u64, depth: Depth, entry: T) {
        if self.0.len() < MAX_ENTRIES || self.0.contains_key(&(key, depth.plies())) {
            self.0.insert((key, depth.plies()), entry);
        }
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// Mixes the depth into the position's key, which is a hash already.
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
