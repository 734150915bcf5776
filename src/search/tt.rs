//! The transposition table (TT), shared by all search threads.

use super::memory::{CACHE_LINE, can_allocate, for_each_in_parallel, prefetch};
use super::params::{TT_AGE_WEIGHT, TT_KEEP_MARGIN};
use super::tt_slot::TtSlot;
use crate::game::{Bound, Depth, Heuristics, Move, Ply, Score, Window};

/// The search result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move or the move that failed high.
    pub mv: Option<Move>,
    /// The score for the side to move; mate distances count from this node.
    pub score: Score,
    /// The static evaluation without corrections, if it was computed.
    pub raw_eval: Option<Score>,
    /// Search depth in plies.
    pub depth: Depth,
    /// How much a solved entry saves: the binary logarithm of the number of nodes of its search. 0 for others.
    pub effort: u32,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Whether the node was a PV node.
    pub pv: bool,
}

impl Entry {
    /// Depth of an entry whose score rests on no static evaluation: exact at every depth.
    pub const SOLVED: Depth = Depth::new(u8::MAX as i32);

    /// An entry without a move and without a static evaluation, of a node that is no PV node.
    pub const fn new(score: Score, bound: Bound, depth: Depth) -> Entry {
        Entry { mv: None, score, raw_eval: None, depth, effort: 0, bound, pv: false }
    }

    /// The entry's score if it is sufficient at a node of depth `depth` with `window`.
    #[inline]
    pub fn cutoff(&self, depth: Depth, window: Window) -> Option<Score> {
        (self.depth >= depth && self.bound_suffices(window)).then_some(self.score)
    }

    /// Whether the score holds at every depth.
    #[inline]
    pub fn is_solved(&self) -> bool {
        self.depth == Self::SOLVED
    }

    /// Whether the score is exact or a bound outside `window`.
    #[inline]
    pub fn bound_suffices(&self, window: Window) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        }
    }

    /// The entry with `points` added to its scores: the TT stores scores without the points that the game has already counted.
    #[inline]
    pub fn add_points(self, points: i32) -> Entry {
        let add = |score: Score| if score.is_decisive() { score } else { Score::new(score.value() + points) };
        if points == 0 {
            self
        } else {
            Entry { score: add(self.score), raw_eval: self.raw_eval.map(add), ..self }
        }
    }

    /// The entry's score if its bound makes it a better estimate than `eval`, else `eval`.
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

/// The table cannot be allocated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {megabytes} MiB")]
pub struct TtError {
    /// The requested size in MiB.
    pub megabytes: usize,
}

/// Slots per bucket: they fill a cache line.
const SLOTS_PER_BUCKET: usize = CACHE_LINE / size_of::<TtSlot>();

/// Slots that one thread clears or prefaults at a time: 64 MiB.
const SLOTS_PER_PART: usize = (64 << 20) / size_of::<TtSlot>();

/// The slots that a position may be stored in, in one cache line.
type Bucket = [TtSlot; SLOTS_PER_BUCKET];

/// A hash table from position keys to [`Entry`]s. It replaces old and shallow entries first.
#[derive(Debug)]
pub struct TranspositionTable {
    slots: Box<[TtSlot]>,
    /// Index of the first slot that is aligned to a cache line; the buckets start there.
    first: usize,
    buckets: usize,
    generation: u8,
    /// Whether all pages are in memory.
    prefaulted: bool,
}

/// The generation wraps around after this number of searches.
const GENERATIONS: u8 = 32;
/// What a new table leaves for everything else, in bytes.
const LEFT_BYTES: usize = 4 << 20;
/// Packed value of a missing static evaluation.
const NO_EVAL: i16 = i16::MIN;

impl TranspositionTable {
    /// An empty table of `megabytes` MiB, at least 1. Its pages are not touched, so that large tables are
    /// allocated as fast as small ones.
    ///
    /// # Errors
    /// If the memory cannot be allocated, or if less than 4 MiB would remain.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, TtError> {
        let error = TtError { megabytes };
        // On 32 bits, the size may be more than an address can be.
        let Some(bytes) = megabytes.max(1).checked_mul(1 << 20) else { return Err(error) };
        let buckets = bytes / CACHE_LINE;
        let slots = zeroed_slots((buckets + 1) * SLOTS_PER_BUCKET)
            .filter(|_| can_allocate(LEFT_BYTES))
            .ok_or(error)?;
        let first = slots.as_ptr().align_offset(CACHE_LINE).min(SLOTS_PER_BUCKET);
        Ok(TranspositionTable { slots, first, buckets, generation: 0, prefaulted: false })
    }

    /// Size in MiB.
    pub fn megabytes(&self) -> usize {
        (self.buckets * CACHE_LINE) >> 20
    }

    /// Empties the table, with several threads if it is large.
    pub fn clear(&mut self) {
        for_each_in_parallel(self.slots.chunks_mut(SLOTS_PER_PART), |part: &mut [TtSlot]| {
            part.iter_mut().for_each(|slot| *slot = TtSlot::default());
        });
        self.generation = 0;
    }

    /// Brings the pages of an empty table into memory, with several threads if it is large. Of a table of more than
    /// `max_bytes` bytes only that much; the rest follows on first use. A page fault costs a search as much as hundreds of
    /// nodes: with a table of 512 MiB of which a half was in memory, the first 100 ms of a game searched 24 nodes.
    pub fn prefault(&mut self, max_bytes: u64) {
        const SLOTS_PER_PAGE: usize = 4096 / size_of::<TtSlot>();
        if self.prefaulted {
            return;
        }
        let bytes = size_of_val(&*self.slots);
        let touched = usize::try_from(max_bytes).unwrap_or(usize::MAX).min(bytes);
        let slots = &mut self.slots[..touched / size_of::<TtSlot>()];
        for_each_in_parallel(slots.chunks_mut(SLOTS_PER_PART), |part: &mut [TtSlot]| {
            part.chunks_mut(SLOTS_PER_PAGE).for_each(|page| page[0] = TtSlot::default());
        });
        self.prefaulted = touched == bytes;
    }

    /// Whether [`TranspositionTable::prefault`] has brought all pages into memory.
    pub fn is_prefaulted(&self) -> bool {
        self.prefaulted
    }

    /// Starts a new generation. Entries of older generations are replaced first.
    pub fn new_search(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Slots filled by this search, in per mille, from a sample of 1000 slots.
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

    /// Prefetches the bucket of `key` into the cache.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Prefetches the bucket of the position after `mv`, if its key is cheap to compute.
    #[inline]
    pub fn prefetch_after<G: Heuristics>(&self, game: &G, mv: Move) {
        if let Some(key) = game.key_after(mv) {
            self.prefetch(key);
        }
    }

    /// The entry of the position `key`, `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: Ply) -> Option<Entry> {
        for slot in self.bucket(key) {
            if let Some(data) = slot.read(key) {
                return Some(Packed(data).unpack(ply));
            }
        }
        None
    }

    /// Stores `entry` for the position `key`, `ply` plies from the root: in its old slot if it has one, else
    /// in the slot of the oldest and shallowest entry.
    #[inline]
    pub fn store(&self, key: u64, ply: Ply, entry: Entry) {
        let (mut victim, mut lowest_value) = (&self.bucket(key)[0], i32::MAX);
        let mut entry = entry;
        for slot in self.bucket(key) {
            if let Some(old) = slot.read(key).map(Packed) {
                // Keep a much deeper entry of this search over a shallow bound.
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
            let value = Packed(slot.data()).replacement_value(self.generation);
            if value < lowest_value {
                (victim, lowest_value) = (slot, value);
            }
        }
        let data = Packed::pack(entry, ply, self.generation).0;
        victim.write(key, data);
    }
}

/// From bit 0: move 16, score 16, evaluation or effort 16, depth 8, bound 2, pv 1, generation 5. Never 0: no bound is 0.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn pack(entry: Entry, ply: Ply, generation: u8) -> Packed {
        let score = entry.score.to_tt(ply).value() as i16;
        // Extensions may exceed the largest depth, but not in exact searches.
        let (depth, eval) = match entry.depth {
            Entry::SOLVED => (Entry::SOLVED.plies(), entry.effort as i16),
            depth => {
                let eval = entry.raw_eval.map_or(NO_EVAL, |eval| eval.value() as i16);
                (depth.plies().clamp(0, Entry::SOLVED.plies() - 1), eval)
            }
        };
        let flags = entry.bound as u8 | u8::from(entry.pv) << 2 | generation << 3;
        Packed(
            u64::from(Move::pack(entry.mv))
                | u64::from(score as u16) << 16
                | u64::from(eval as u16) << 32
                | (depth as u64) << 48
                | u64::from(flags) << 56,
        )
    }

    fn mv(self) -> Option<Move> {
        Move::unpack(self.0 as u16)
    }

    fn depth(self) -> Depth {
        Depth::new(i32::from((self.0 >> 48) as u8))
    }

    fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }

    /// The lowest is replaced: depth, for solved entries also effort, minus weighted age; lowest for an empty slot.
    fn replacement_value(self, generation: u8) -> i32 {
        if self.0 == 0 {
            return i32::MIN;
        }
        let age = (GENERATIONS + generation - self.generation()) % GENERATIONS;
        let effort = if self.is_solved() { i32::from(self.eval_or_effort()) } else { 0 };
        self.depth().plies() + effort - TT_AGE_WEIGHT * i32::from(age)
    }

    fn is_solved(self) -> bool {
        self.depth() == Entry::SOLVED
    }

    /// The effort of a solved entry; the static evaluation of another, [`NO_EVAL`] if there is none.
    fn eval_or_effort(self) -> i16 {
        (self.0 >> 32) as i16
    }

    fn unpack(self, ply: Ply) -> Entry {
        let flags = (self.0 >> 56) as u8;
        let (eval, is_solved) = (self.eval_or_effort(), self.is_solved());
        Entry {
            mv: self.mv(),
            score: Score::raw((self.0 >> 16) as i16).from_tt(ply),
            raw_eval: (eval != NO_EVAL && !is_solved).then(|| Score::raw(eval)),
            depth: self.depth(),
            effort: if is_solved { eval as u32 } else { 0 },
            bound: match flags & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            pv: flags & 4 != 0,
        }
    }
}

/// `count` empty slots; `None` if they cannot be allocated. Only the natural alignment is requested: for more, the allocator
/// zeroes the memory itself, which touches every page (10 ms for 16 MiB) and commits the memory.
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
    // all zero bytes are a valid `TtSlot`, which consists of atomic integers alone.
    Some(unsafe { Box::from_raw(slots) })
}

/// Requests huge pages (THP), which reduce TLB misses: almost every probe touches another page.
#[cfg(target_os = "linux")]
fn advise_huge_pages(memory: *mut u8, size: usize) {
    const HUGE_PAGE: usize = 2 << 20;
    let skipped = memory.align_offset(HUGE_PAGE);
    if skipped < size {
        // SAFETY: the address and the length lie within the memory that was just allocated, and the advice
        // does not change the contents. An error can be ignored: the memory then has normal pages.
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
            raw_eval: Some(Score::new(-35)),
            depth: Depth::new(depth),
            effort: 0,
            bound: Bound::Exact,
            pv: true,
        }
    }

    /// The solved entry of a search that visited 2^`effort` nodes.
    fn solved(effort: u32) -> Entry {
        Entry { depth: Entry::SOLVED, raw_eval: None, effort, ..entry(1, Score::ZERO, 0) }
    }

    #[test]
    fn stored_entry_is_probed_unchanged() {
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
        let bare =
            Entry { mv: None, raw_eval: None, bound: Bound::Upper, pv: false, ..entry(1, Score::ZERO, 0) };
        table.store(9, ply, bare);
        assert_eq!(table.probe(9, ply), Some(bare));
    }

    #[test]
    fn table_larger_than_the_address_space_is_refused() {
        for megabytes in [usize::MAX, 1 << (usize::BITS - 20), (1 << (usize::BITS - 20)) + 1, 1 << 40] {
            let error = TranspositionTable::new(megabytes).unwrap_err();
            assert_eq!(error, TtError { megabytes });
        }
    }

    #[test]
    fn prefault_brings_at_most_its_limit_into_memory_and_changes_nothing() {
        let mut table = TranspositionTable::new(130).unwrap();
        table.prefault(1 << 20);
        assert!(!table.is_prefaulted());
        table.prefault(u64::MAX);
        assert!(table.is_prefaulted());
        let stored = entry(1, Score::ZERO, 3);
        table.store(5, Ply::ROOT, stored);
        table.prefault(u64::MAX);
        assert_eq!(table.probe(5, Ply::ROOT), Some(stored));
        table.clear();
        assert!(table.slots.iter().all(|slot| slot.data() == 0));
    }

    #[test]
    fn every_depth_is_stored_exactly_and_differs_from_solved() {
        let table = TranspositionTable::new(1).unwrap();
        for plies in 0..=Depth::MAX.plies() {
            let stored = entry(1, Score::ZERO, plies);
            table.store(5, Ply::ROOT, stored);
            assert_eq!(table.probe(5, Ply::ROOT), Some(stored));
            assert!(!stored.is_solved(), "depth {plies}");
        }
        let deepest = entry(1, Score::ZERO, 1000);
        table.store(5, Ply::ROOT, deepest);
        assert_ne!(table.probe(5, Ply::ROOT).unwrap().depth, Entry::SOLVED);
        table.store(5, Ply::ROOT, solved(7));
        assert_eq!(table.probe(5, Ply::ROOT), Some(solved(7)));
        assert_eq!(solved(7).cutoff(Depth::MAX, Window::FULL), Some(Score::ZERO));
    }

    #[test]
    fn store_into_full_bucket_replaces_shallowest_entry() {
        let table = TranspositionTable::new(1).unwrap();
        for n in 0..=SLOTS_PER_BUCKET as u64 {
            table.store(n, Ply::ROOT, entry(1, Score::ZERO, 10 + n as i32));
        }
        assert_eq!(table.probe(0, Ply::ROOT), None);
        assert!((1..=SLOTS_PER_BUCKET as u64).all(|n| table.probe(n, Ply::ROOT).is_some()));
    }

    #[test]
    fn store_into_full_bucket_replaces_solved_entry_of_least_effort() {
        let table = TranspositionTable::new(1).unwrap();
        for (key, effort) in [(0, 12), (1, 6), (2, 9), (3, 10), (4, 1)] {
            table.store(key, Ply::ROOT, solved(effort));
        }
        assert_eq!(
            [0, 1, 2, 3, 4].map(|key| table.probe(key, Ply::ROOT).is_some()),
            [true, false, true, true, true]
        );
        // Points so far change the score but not the effort.
        assert_eq!(solved(6).add_points(-3), Entry { score: Score::new(-3), ..solved(6) });
    }

    #[test]
    fn table_after_clear_is_empty_and_has_same_size() {
        let mut table = TranspositionTable::new(3).unwrap();
        table.store(5, Ply::ROOT, entry(1, Score::ZERO, 1));
        assert!(table.hashfull() > 0);
        table.clear();
        assert_eq!((table.hashfull(), table.megabytes()), (0, 3));
        assert_eq!(table.probe(5, Ply::ROOT), None);
    }
}
