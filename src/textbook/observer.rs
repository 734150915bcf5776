//! What a search does, step by step, for whoever wants to watch.

use crate::game::{Depth, Move, Ply, Score, Window};

/// One step of a search. Where the methods differ in whose side values are seen from, the step says so:
/// "the method's side" is White in those with MAX and MIN, else the side to move at the node
/// ([`super::Method::sees_as_white`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A node is entered. The root's ply begins a new search.
    Enter(Depth, Ply),
    /// The bounds of the node just entered, or of the node at hand now that they are narrower; the method's
    /// side. Methods without bounds never say it.
    Bounds(Window),
    /// The node has no children to look at. For the side to move.
    Leaf(Score, Leaf),
    /// The node's moves in the order in which they will be tried.
    Moves(&'a [Move]),
    /// The next of them is about to be played; what follows concerns the child.
    Play(Move),
    /// That move was taken back and is worth this, by the method's side at this node.
    Value(Score),
    /// It is the best so far.
    Best,
    /// That is enough: the moves that are left are not looked at.
    Cutoff,
}

/// Why a node has no children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The game is over.
    Terminal,
    /// A draw may be claimed.
    DrawClaim,
    /// No depth is left: an estimate.
    DepthLimit,
    /// The memoised search has been here.
    Memoised,
}

/// Watches a search of the game `G`.
pub trait Observer<G> {
    /// `step` happens in the position `game`.
    fn on_step(&mut self, game: &G, step: Step<'_>);
}

/// Nobody watches, and the compiler drops the steps.
impl<G> Observer<G> for () {
    fn on_step(&mut self, _: &G, _: Step<'_>) {}
}

impl<G, O: Observer<G>> Observer<G> for &mut O {
    fn on_step(&mut self, game: &G, step: Step<'_>) {
        O::on_step(self, game, step);
    }
}
