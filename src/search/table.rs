//! The transposition table: the only memory that search threads share.

use super::params::{TT_AGE_WEIGHT, TT_KEEP_MARGIN};
use super::tt_slot::TtSlot;
use crate::game::{Bound, Depth, Move, Ply, Score, Window};

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best or the refuting move.
    pub mv: Option<Move>,
    /// Seen from the node's side to move, distances to a forced end counted from the node.
    pub score: Score,
    /// The static evaluation, if it was made.
    pub eval: Option<Score>,
    /// How deep the score was searched.
    pub depth: Depth,
    /// How the score is meant.
    pub bound: Bound,
    /// Whether the node was ever on a principal variation.
    pub pv: bool,
}

impl Entry {
    /// The depth of an entry whose score rests on no evaluation: it answers at every depth.
    pub const SOLVED: Depth = Depth::new(i8::MAX as i32);

    /// The entry's score if it answers what a node of `depth` is asked. Where `exact` results are wanted,
    /// one of another depth is none: it may be better, but it is not the value at this depth.
    #[inline]
    pub fn cutoff(&self, depth: Depth, window: Window, exact: bool) -> Option<Score> {
        let bound_suffices = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        };
        let depth_suffices =
            if exact { self.depth == depth || self.depth == Self::SOLVED } else { self.depth >= depth };
        (bound_suffices && depth_suffices).then_some(self.score)
    }

    /// The entry of a position that differs in nothing but `points` more in the bank.
    #[inline]
    pub fn add_points(self, points: i32) -> Entry {
        let add = |score: Score| if score.is_decisive() { score } else { Score::new(score.value() + points) };
        if points == 0 { self } else { Entry { score: add(self.score), eval: self.eval.map(add), ..self } }
    }

    /// `eval`, or the entry's score where that is known to be nearer the truth.
    #[inline]
    pub fn tt_adjusted_eval(&self, eval: Score) -> Score {
        let is_better = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > eval,
            Bound::Upper => self.score < eval,
        };
        if is_better { self.score } else { eval }
    }
}

/// Memory for the table could not be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {megabytes} MB")]
pub struct TableError {
    /// What was asked for.
    pub megabytes: usize,
}

/// Slots that a position may go to; four of them fill a cache line.
const SLOTS_PER_BUCKET: usize = 4;
/// Bytes.
const CACHE_LINE: usize = SLOTS_PER_BUCKET * size_of::<TtSlot>();

/// The slots of one position, in one cache line.
type Bucket = [TtSlot; SLOTS_PER_BUCKET];

/// A hash table from positions to [`Entry`]s that forgets what is old and shallow.
#[derive(Debug)]
pub struct TranspositionTable {
    slots: Box<[TtSlot]>,
    /// The first slot that begins a cache line: where the buckets begin.
    first: usize,
    /// How many there are.
    buckets: usize,
    generation: u8,
}

/// Ages wrap around after this many searches.
const GENERATIONS: u8 = 32;
/// Stored in place of a static evaluation that was not made.
const NO_EVAL: i16 = i16::MIN;

impl TranspositionTable {
    /// A table of `megabytes` MiB, at least one bucket. The pages stay untouched until they are used,
    /// so that a large table starts as fast as a small one.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, TableError> {
        let error = TableError { megabytes };
        let buckets = (megabytes.max(1) << 20) / CACHE_LINE;
        let slots = zeroed_slots((buckets + 1) * SLOTS_PER_BUCKET).ok_or(error)?;
        let first = slots.as_ptr().align_offset(CACHE_LINE).min(SLOTS_PER_BUCKET);
        Ok(TranspositionTable { slots, first, buckets, generation: 0 })
    }

    /// Its size in MiB.
    pub fn megabytes(&self) -> usize {
        (self.buckets * CACHE_LINE) >> 20
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for slot in &mut self.slots {
            *slot = TtSlot::default();
        }
        self.generation = 0;
    }

    /// Has the system hand out the memory of an empty table now. A large table is left to be had as it is used: whoever
    /// asks for one has the time, and does not wait for it here.
    pub fn prefault(&mut self) {
        const MAX_PREFAULT_BYTES: usize = 256 << 20;
        const PAGE: usize = 4096;
        let pages = self.slots.chunks_mut(PAGE / size_of::<TtSlot>()).take(MAX_PREFAULT_BYTES / PAGE);
        pages.for_each(|page| page[0] = TtSlot::default());
    }

    /// A new search begins: entries of older ones may be replaced first.
    pub fn new_search(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Filled slots of this search in per mille, from a sample.
    pub fn hashfull(&self) -> u16 {
        let sample = &self.slots[self.first..][..(self.buckets * SLOTS_PER_BUCKET).min(1000)];
        let used = sample.iter().filter(|slot| {
            let data = slot.data();
            data != 0 && Packed(data).generation() == self.generation
        });
        (used.count() * 1000 / sample.len()) as u16
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets as u128) >> 64;
        let (bucket, _) = self.slots[self.first + index as usize * SLOTS_PER_BUCKET..]
            .split_first_chunk()
            .expect("every bucket has all its slots");
        bucket
    }

    /// Asks the processor to bring the bucket of `key` near.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: the address lies within the table, and a prefetch has no effect that a program could see.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position `key`, `ply` plies from the root of this search.
    #[inline]
    pub fn probe(&self, key: u64, ply: Ply) -> Option<Entry> {
        for slot in self.bucket(key) {
            if let Some(data) = slot.read(key) {
                return Some(Packed(data).unpack(ply));
            }
        }
        None
    }

    /// Remembers `entry` for the position `key`, `ply` plies from the root: in its own old slot if it
    /// has one, else in place of the shallowest and oldest.
    #[inline]
    pub fn store(&self, key: u64, ply: Ply, entry: Entry) {
        let (mut victim, mut lowest_value) = (&self.bucket(key)[0], i32::MAX);
        let mut entry = entry;
        for slot in self.bucket(key) {
            let old = Packed(slot.data());
            if slot.read(key).is_some() {
                // A much deeper result of this search outlives a shallow bound.
                let keeps_old = entry.bound != Bound::Exact
                    && old.generation() == self.generation
                    && entry.depth + TT_KEEP_MARGIN < old.depth();
                if keeps_old {
                    return;
                }
                entry.mv = entry.mv.or(old.mv());
                victim = slot;
                break;
            }
            let value = old.replacement_value(self.generation);
            if value < lowest_value {
                (victim, lowest_value) = (slot, value);
            }
        }
        let data = Packed::pack(entry, ply, self.generation).0;
        victim.write(key, data);
    }
}

/// From the low end: move 16, score 16, evaluation 16, depth 8, bound 2, pv 1, generation 5.
/// Never 0 for an entry, as no bound is 0.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn pack(entry: Entry, ply: Ply, generation: u8) -> Packed {
        let score = entry.score.to_tt(ply).value() as i16;
        let eval = entry.eval.map_or(NO_EVAL, |eval| eval.value() as i16);
        let depth = entry.depth.plies().clamp(-128, 127) as i8;
        let flags = entry.bound as u8 | u8::from(entry.pv) << 2 | generation << 3;
        Packed(
            u64::from(Move::pack(entry.mv))
                | u64::from(score as u16) << 16
                | u64::from(eval as u16) << 32
                | u64::from(depth as u8) << 48
                | u64::from(flags) << 56,
        )
    }

    fn mv(self) -> Option<Move> {
        Move::unpack(self.0 as u16)
    }

    fn depth(self) -> Depth {
        Depth::new(i32::from((self.0 >> 48) as i8))
    }

    fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }

    /// How little it would hurt to lose this entry: an empty slot least of all.
    fn replacement_value(self, generation: u8) -> i32 {
        if self.0 == 0 {
            return i32::MIN;
        }
        let age = (GENERATIONS + generation - self.generation()) % GENERATIONS;
        self.depth().plies() - TT_AGE_WEIGHT * i32::from(age)
    }

    fn unpack(self, ply: Ply) -> Entry {
        let flags = (self.0 >> 56) as u8;
        let eval = (self.0 >> 32) as i16;
        Entry {
            mv: self.mv(),
            score: Score::raw((self.0 >> 16) as i16).from_tt(ply),
            eval: (eval != NO_EVAL).then(|| Score::raw(eval)),
            depth: self.depth(),
            bound: match flags & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            pv: flags & 4 != 0,
        }
    }
}

/// `count` empty slots, or `None` if there is no memory for them. They ask for no more than the
/// allocator's own alignment: beyond that it fills them with zeros by hand, which touches every page
/// (10 ms for 16 MiB at every start) and commits the memory.
fn zeroed_slots(count: usize) -> Option<Box<[TtSlot]>> {
    let layout = std::alloc::Layout::array::<TtSlot>(count).ok()?;
    assert!(layout.size() > 0, "a table has at least one slot");
    // SAFETY: the layout is not empty.
    let memory = unsafe { std::alloc::alloc_zeroed(layout) };
    if memory.is_null() {
        return None;
    }
    advise_huge_pages(memory, layout.size());
    let slots = std::ptr::slice_from_raw_parts_mut(memory.cast::<TtSlot>(), count);
    // SAFETY: the memory was allocated with this layout by the allocator that `Box` frees it with, and
    // all zero bytes are a valid `Slot`, which consists of atomic integers alone.
    Some(unsafe { Box::from_raw(slots) })
}

/// Asks for large pages, of which the processor remembers more: almost every probe is to another page.
#[cfg(target_os = "linux")]
fn advise_huge_pages(memory: *mut u8, size: usize) {
    const HUGE_PAGE: usize = 2 << 20;
    let skipped = memory.align_offset(HUGE_PAGE);
    if skipped < size {
        // SAFETY: the address and the length lie within the memory that was just allocated, and the advice
        // changes nothing that a program could see. A system that does not take it says so, and nothing is lost.
        unsafe { libc::madvise(memory.wrapping_add(skipped).cast(), size - skipped, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: *mut u8, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(mv: u16, score: Score, depth: i32) -> Entry {
        Entry {
            mv: Move::unpack(mv),
            score,
            eval: Some(Score::new(-35)),
            depth: Depth::new(depth),
            bound: Bound::Exact,
            pv: true,
        }
    }

    #[test]
    fn what_is_stored_is_found_again() {
        let table = TranspositionTable::new(1).unwrap();
        let ply = Ply::new(7);
        for (key, score) in
            [(1, Score::new(12)), (u64::MAX, Score::mate_in(Ply::new(9))), (77, Score::mated_in(Ply::new(8)))]
        {
            let stored = entry(4097, score, 11);
            table.store(key, ply, stored);
            assert_eq!(table.probe(key, ply), Some(stored));
            assert_eq!(table.probe(key ^ 2, ply), None);
        }
        let bare = Entry { mv: None, eval: None, bound: Bound::Upper, pv: false, ..entry(1, Score::ZERO, 0) };
        table.store(9, ply, bare);
        assert_eq!(table.probe(9, ply), Some(bare));
    }

    #[test]
    fn a_full_bucket_loses_its_shallowest_entry() {
        let table = TranspositionTable::new(1).unwrap();
        for n in 0..=SLOTS_PER_BUCKET as u64 {
            table.store(n, Ply::ROOT, entry(1, Score::ZERO, 10 + n as i32));
        }
        assert_eq!(table.probe(0, Ply::ROOT), None);
        assert!((1..=SLOTS_PER_BUCKET as u64).all(|n| table.probe(n, Ply::ROOT).is_some()));
    }

    #[test]
    fn clear_forgets_and_size_is_kept() {
        let mut table = TranspositionTable::new(3).unwrap();
        table.store(5, Ply::ROOT, entry(1, Score::ZERO, 1));
        assert!(table.hashfull() > 0);
        table.clear();
        assert_eq!((table.hashfull(), table.megabytes()), (0, 3));
        assert_eq!(table.probe(5, Ply::ROOT), None);
    }

    #[test]
    fn more_than_any_machine_has_is_refused() {
        assert_eq!(TranspositionTable::new(1 << 40).unwrap_err(), TableError { megabytes: 1 << 40 });
    }
}
