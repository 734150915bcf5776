//! Sets of points.

use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

/// A set of points, one bit each in WORDS words. Points are numbered rank by rank with one number left out after each rank, so
/// that a shift by one never leads from the end of one rank to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Points<WORDS> {
    pub const EMPTY: Self = Points([0; WORDS]);

    /// The set of one point.
    #[inline]
    pub fn of(point: usize) -> Self {
        let mut points = Self::EMPTY;
        points.insert(point);
        points
    }

    /// All points of a board with `size` ranks and files.
    pub fn board(size: usize) -> Self {
        let mut points = Self::EMPTY;
        (0..size * (size + 1))
            .filter(|point| point % (size + 1) < size)
            .for_each(|point| points.insert(point));
        points
    }

    #[inline]
    pub fn insert(&mut self, point: usize) {
        self.0[point / 64] |= 1 << (point % 64);
    }

    #[inline]
    pub fn remove(&mut self, point: usize) {
        self.0[point / 64] &= !(1 << (point % 64));
    }

    /// Whether `point`, which may be any number, is in the set.
    #[inline]
    pub fn contains(&self, point: usize) -> bool {
        point < 64 * WORDS && self.0[point / 64] >> (point % 64) & 1 == 1
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    #[inline]
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub fn is_subset_of(&self, other: &Self) -> bool {
        (*self - *other).is_empty()
    }

    /// The lowest point.
    #[inline]
    pub fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    /// The only point of a set that has one.
    #[inline]
    pub fn only(&self) -> Option<usize> {
        self.first().filter(|_| self.count() == 1)
    }

    /// The points in increasing order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(64 * word + bit)
            })
        })
    }

    /// The points and their neighbours, and numbers off the board. `stride` is the distance from one rank to the next.
    #[inline]
    pub fn dilated(self, stride: usize) -> Self {
        self | self.neighbours(stride)
    }

    /// The neighbours of the points, and numbers off the board.
    #[inline]
    pub fn neighbours(self, stride: usize) -> Self {
        self.up(1) | self.down(1) | self.up(stride) | self.down(stride)
    }

    /// The points of `within` that a path through `within` joins to a point of this set.
    #[inline]
    pub fn flood(self, within: Self, stride: usize) -> Self {
        let mut reached = self & within;
        loop {
            let next = reached.dilated(stride) & within;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    fn up(self, by: usize) -> Self {
        let word = |i: usize| self.0[i] << by | if i > 0 { self.0[i - 1] >> (64 - by) } else { 0 };
        Points(std::array::from_fn(word))
    }

    fn down(self, by: usize) -> Self {
        let word = |i: usize| self.0[i] >> by | if i + 1 < WORDS { self.0[i + 1] << (64 - by) } else { 0 };
        Points(std::array::from_fn(word))
    }

    #[inline]
    fn zip(self, other: Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        Points(std::array::from_fn(|i| operation(self.0[i], other.0[i])))
    }
}

impl<const WORDS: usize> BitAnd for Points<WORDS> {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl<const WORDS: usize> BitOr for Points<WORDS> {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl<const WORDS: usize> BitOrAssign for Points<WORDS> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// Set difference.
impl<const WORDS: usize> Sub for Points<WORDS> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
}

impl<const WORDS: usize> FromIterator<usize> for Points<WORDS> {
    fn from_iter<I: IntoIterator<Item = usize>>(iter: I) -> Self {
        let mut points = Self::EMPTY;
        iter.into_iter().for_each(|point| points.insert(point));
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dilated_reaches_neighbours_across_words_and_not_across_ranks() {
        let board = Points::<6>::board(19);
        assert_eq!(board.count(), 361);
        let neighbours = |point: usize| {
            let points = Points::of(point).dilated(20) & board;
            points.iter().filter(|&other| other != point).collect::<Vec<_>>()
        };
        assert_eq!(neighbours(0), [1, 20]);
        assert_eq!(neighbours(18), [17, 38]);
        assert_eq!(neighbours(63), [43, 62, 64, 83]);
        assert_eq!(neighbours(378), [358, 377]);
    }

    #[test]
    fn flood_stays_within() {
        let within = Points::<1>::from_iter([0, 1, 2, 5, 10]);
        assert_eq!(Points::of(0).flood(within, 4), Points::from_iter([0, 1, 2, 5]));
        assert_eq!(Points::of(3).flood(within, 4), Points::EMPTY);
        assert_eq!(
            (Points::<1>::of(3).only(), within.only(), Points::<1>::EMPTY.only()),
            (Some(3), None, None)
        );
    }
}
