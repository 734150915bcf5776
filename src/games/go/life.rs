//! Unconditional life: chains that their owner cannot lose, even by passing always (Benson 1976, "Life in the Game of Go").

use super::board::{Board, Chain};
use super::points::Points;
use crate::game::Side;
use arrayvec::ArrayVec;

/// More than the chains and the regions of a board up to 7x7.
const MOST: usize = 64;

/// A region without stones of one side, enclosed by chains of that side.
struct Region<const WORDS: usize> {
    points: Points<WORDS>,
    free: Points<WORDS>,
    /// The points next to it.
    border: Points<WORDS>,
}

impl<const WORDS: usize> Region<WORDS> {
    /// Whether the opponent cannot take away the last liberty that `chain` has here: each free point is one.
    fn is_vital_to(&self, chain: &Chain<WORDS>) -> bool {
        self.free.is_subset_of(&chain.liberties)
    }
}

/// Returns the points that belong to `side` whatever happens: its unconditionally alive stones, and the regions that only such
/// chains enclose and in which the opponent cannot live, because each free point is a liberty of one of them, or because no two
/// eyes have room between the points beside them. For boards up to 7x7.
pub fn safe_area<const WORDS: usize>(board: &Board<WORDS>, side: Side) -> Points<WORDS> {
    let mut regions = regions(board, side);
    if regions.len() < 2 {
        return Points::EMPTY;
    }
    let mut chains: ArrayVec<&Chain<WORDS>, MOST> = board.chains(side).collect();
    // A chain needs two vital regions, and a region counts only while all chains around it are alive.
    loop {
        let (chain_count, region_count) = (chains.len(), regions.len());
        chains.retain(|&mut chain| regions.iter().filter(|region| region.is_vital_to(chain)).count() >= 2);
        let alive = union(chains.iter().map(|chain| chain.stones));
        regions.retain(|region| (region.border & board.stones(side)).is_subset_of(&alive));
        if (chain_count, region_count) == (chains.len(), regions.len()) {
            let reached = alive.dilated(board.stride());
            let is_safe = |region: &&Region<WORDS>| {
                chains.iter().any(|chain| region.is_vital_to(chain))
                    || !have_room_for_two_eyes(region.points - reached, board.stride())
            };
            return alive | union(regions.iter().filter(is_safe).map(|region| region.points));
        }
    }
}

/// Whether two of the points are not neighbours. An eye has no point beside a stone that cannot be taken.
fn have_room_for_two_eyes<const WORDS: usize>(points: Points<WORDS>, stride: usize) -> bool {
    points
        .first()
        .is_some_and(|first| points.count() > 2 || !(points - Points::of(first).dilated(stride)).is_empty())
}

fn regions<const WORDS: usize>(board: &Board<WORDS>, side: Side) -> ArrayVec<Region<WORDS>, MOST> {
    let (mut rest, free) = (board.area() - board.stones(side), board.free());
    let mut regions = ArrayVec::new();
    while let Some(first) = rest.first() {
        let points = Points::of(first).flood(rest, board.stride());
        rest = rest - points;
        let border = points.dilated(board.stride()) & (board.area() - points);
        regions.push(Region { points, free: points & free, border });
    }
    regions
}

fn union<const WORDS: usize>(sets: impl Iterator<Item = Points<WORDS>>) -> Points<WORDS> {
    sets.fold(Points::EMPTY, |all, set| all | set)
}
