//! Unconditional life: chains that their owner cannot lose, even by passing always (Benson 1976, "Life in the Game of Go").

use super::board::{Board, Chain};
use super::points::Points;
use crate::game::Side;
use arrayvec::ArrayVec;

/// More than the chains and the regions of a board up to 7x7.
const MOST: usize = 64;

/// A region without stones of one side, enclosed by chains of that side.
struct Region<const WORDS: usize> {
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

/// Returns the points that belong to `side` whatever happens, also if the opponent moves first: its unconditionally alive stones,
/// and the regions between them in which the opponent cannot live. For boards up to 7x7.
pub fn safe_area<const WORDS: usize>(board: &Board<WORDS>, side: Side) -> Points<WORDS> {
    let alive = alive_stones(board, side);
    if alive.is_empty() {
        return Points::EMPTY;
    }
    let regions = components(board.area() - alive, board.stride());
    regions.filter(|&region| cannot_live(board, !side, region, alive)).fold(alive, |all, region| all | region)
}

/// The stones of the chains that `side` cannot lose.
fn alive_stones<const WORDS: usize>(board: &Board<WORDS>, side: Side) -> Points<WORDS> {
    let mut regions = ArrayVec::<_, MOST>::new();
    regions.extend(components(board.area() - board.stones(side), board.stride()).map(|points| Region {
        free: points & board.free(),
        border: points.neighbours(board.stride()) & board.stones(side),
    }));
    if regions.len() < 2 {
        return Points::EMPTY;
    }
    let mut chains: ArrayVec<&Chain<WORDS>, MOST> = board.chains(side).collect();
    // A chain needs two vital regions, and a region counts only while all chains around it are alive.
    loop {
        let (chain_count, region_count) = (chains.len(), regions.len());
        chains.retain(|&mut chain| regions.iter().filter(|region| region.is_vital_to(chain)).count() >= 2);
        let alive = chains.iter().fold(Points::EMPTY, |all, chain| all | chain.stones);
        regions.retain(|region| region.border.is_subset_of(&alive));
        if (chain_count, region_count) == (chains.len(), regions.len()) {
            return alive;
        }
    }
}

/// Whether `side` cannot live in `region`, which is enclosed by the stones `alive` of the opponent. Stones of the opponent in it may be
/// lost. `side` moves first, and the opponent answers each move.
fn cannot_live<const WORDS: usize>(
    board: &Board<WORDS>,
    side: Side,
    region: Points<WORDS>,
    alive: Points<WORDS>,
) -> bool {
    let stride = board.stride();
    let reached = alive.dilated(stride);
    // An eye has no point beside a stone that cannot be taken.
    let eye_points = region - reached;
    if (region - board.stones(side)).is_subset_of(&reached) || !have_room_for_two_eyes(eye_points, stride) {
        return true;
    }
    // Of two moves that each leave no such room, one is left after any move of `side`: it is joined to `alive`. If it needs a chain
    // beside it, it is a liberty of that chain, so `side` takes the chain at once only on this point.
    let leaves_no_room = |&point: &usize| {
        let joined =
            board.chains_beside(point, !side).fold(Points::of(point), |all, chain| all | chain.stones);
        !have_room_for_two_eyes(eye_points - joined.dilated(stride), stride)
    };
    (region & board.free() & reached).iter().filter(leaves_no_room).nth(1).is_some()
}

/// The parts of `points` that no path joins.
fn components<const WORDS: usize>(
    points: Points<WORDS>,
    stride: usize,
) -> impl Iterator<Item = Points<WORDS>> {
    let mut rest = points;
    std::iter::from_fn(move || {
        let component = Points::of(rest.first()?).flood(rest, stride);
        rest = rest - component;
        Some(component)
    })
}

/// Whether two of the points are not neighbours.
fn have_room_for_two_eyes<const WORDS: usize>(points: Points<WORDS>, stride: usize) -> bool {
    points
        .first()
        .is_some_and(|first| points.count() > 2 || !(points - Points::of(first).dilated(stride)).is_empty())
}
