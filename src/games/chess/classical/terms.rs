//! The terms of the evaluation, and the trait that collects them.
//!
//! The evaluation reports how often each weight counts for each side. A [`TermSink`] turns these reports into
//! the value (`EvalSum`), into a table of terms (`TermTable`), or into a trace for the tuner (`trace.rs`).

use super::super::bitboard::{PieceType, Square};
use crate::game::{Side, Weight};

/// The terms of the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalTerm {
    /// Piece values and imbalances (bishop pair, knights and rooks by number of pawns).
    Material,
    /// Piece-square tables.
    PieceSquare,
    /// Pawn structure: doubled, isolated, backward, connected and blocked pawns, candidates.
    Pawns,
    /// Passed pawns.
    Passed,
    /// Mobility: squares that a piece attacks within its mobility area.
    Mobility,
    /// Bonuses of single pieces: outposts, bishop pawns, rook files.
    Pieces,
    /// Safe squares on files c to f, ranks 2 to 4. Those behind own pawns count twice.
    Space,
    /// Pawn shelter, pawn storm, distance to own pawns, and attacks on the king's flank.
    Shelter,
    /// Attack units against the king of the side that they are added for.
    Danger,
    /// Attacks on enemy pieces that are weakly defended or worth more.
    Threats,
    /// Bonus for the side to move.
    Tempo,
    /// Mop-up: drives a bare king to the edge.
    MopUp,
    /// The change of all terms except mop-up by the drawish scale factor, from White's point of view.
    Scaling,
}

impl EvalTerm {
    /// Names in the order of the variants.
    pub const NAMES: [&str; 13] = [
        "material", "piece-square", "pawn structure", "passed pawns", "mobility", "pieces", "space",
        "king shelter", "king danger", "threats", "tempo", "mop-up", "drawish scaling",
    ];
}

/// Receives the weights that the evaluation counts.
pub trait TermSink {
    /// Adds `times` times `weight` to the `term` of `side`. Positive values favour `side`, except for
    /// [`EvalTerm::Danger`], whose attack units count against it.
    fn add(&mut self, term: EvalTerm, side: Side, weight: Weight, times: i32);

    /// Adds the material and the piece-square value of one piece of `side`.
    fn add_piece(&mut self, side: Side, kind: PieceType, square: Square);
}
