//! Reports the steps of a search to an observer.

use crate::game::{Depth, Move, Ply, Score, Window};

/// One step of a search.
///
/// "In the method's perspective" means relative to White for methods with MAX and MIN, and relative to the
/// side to move at the node for the others ([`super::Method::is_white_relative`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A node is entered, with this remaining depth and ply. Ply 0 begins a new search.
    Enter(Depth, Ply),
    /// The window of the node just entered, or the narrowed window of the current node, in the method's
    /// perspective. Only alpha-beta methods report it.
    Bounds(Window),
    /// The node has no children to search. The value is relative to the side to move.
    Leaf(Score, Leaf),
    /// The node's moves, in the order in which they will be searched.
    Moves(&'a [Move]),
    /// The next move will be played; the following steps belong to the child.
    Play(Move),
    /// That move was taken back. The value is in the method's perspective at this node.
    Value(Score),
    /// That move is the best so far.
    Best,
    /// A cutoff: the remaining moves are not searched.
    Cutoff,
}

/// Why a node has no children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The game is over.
    Terminal,
    /// A draw can be claimed.
    DrawClaim,
    /// No depth is left: the value is an estimate.
    DepthLimit,
    /// The memoised search has stored the value.
    Memoised,
}

/// Observes a search of the game `G`.
pub trait Observer<G> {
    /// Called for each `step`, with the current position.
    fn on_step(&mut self, game: &G, step: Step<'_>);
}

/// The observer that does nothing; the compiler removes its calls.
impl<G> Observer<G> for () {
    fn on_step(&mut self, _: &G, _: Step<'_>) {}
}

impl<G, O: Observer<G>> Observer<G> for &mut O {
    fn on_step(&mut self, game: &G, step: Step<'_>) {
        O::on_step(self, game, step);
    }
}
