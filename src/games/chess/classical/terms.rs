//! The terms of the evaluation, its weights by index, and the trait that collects them.
//!
//! The evaluation reports how often each weight counts for each side. A [`TermSink`] turns these reports into
//! the value (`EvalSum`), into a table of terms (`TermTable`), or into a trace for the tuner (`trace.rs`).

use super::super::bitboard::{PieceType, Square};
use crate::game::Side;
use std::ops::Range;

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
        "material",
        "piece-square",
        "pawn structure",
        "passed pawns",
        "mobility",
        "pieces",
        "space",
        "king shelter",
        "king danger",
        "threats",
        "tempo",
        "mop-up",
        "drawish scaling",
    ];
}

/// A weight of `weights.rs`, or an array of them, by index. `weights.rs` adds [`Weight::value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    index: u16,
    count: u16,
}

impl Weight {
    /// The weights with these indices in `VALUES`.
    pub const fn from_range(range: Range<usize>) -> Weight {
        Weight { index: range.start as u16, count: (range.end - range.start) as u16 }
    }

    /// The index of the weight, or of the first of an array, in `VALUES`.
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// The number of weights in the array, 1 for a single weight.
    pub const fn len(self) -> usize {
        self.count as usize
    }

    /// Element `i` of an array.
    #[inline(always)]
    pub const fn at(self, i: usize) -> Weight {
        debug_assert!(i < self.count as usize);
        Weight { index: self.index + i as u16, count: 1 }
    }
}

/// Declares the weights, each a name and one or more pairs: `NAME = (1, 2) (3, 4);`.
///
/// Defines a constant [`Weight`] for each name, `VALUES` with all pairs in order, `NAMES` with all names, and
/// `Weight::value`.
macro_rules! weights {
    ($($(#[$about:meta])* $name:ident = $(($middlegame:literal, $endgame:literal))+;)*) => {
        /// Has one byte for each pair, so that `offset_of!` gives the index of each name in `VALUES`.
        #[repr(C)]
        #[expect(non_snake_case)]
        struct Layout {
            $($name: [u8; [$($middlegame),+].len()],)*
        }

        $(
            $(#[$about])*
            pub const $name: $crate::games::chess::classical::terms::Weight = {
                let start = std::mem::offset_of!(Layout, $name);
                $crate::games::chess::classical::terms::Weight::from_range(start..start + [$($middlegame),+].len())
            };
        )*

        /// All pairs in order.
        pub static VALUES: [$crate::game::TaperedScore; size_of::<Layout>()] =
            [$($($crate::game::TaperedScore::new($middlegame, $endgame)),+),*];

        /// All weights by name.
        pub const NAMES: &[(&str, $crate::games::chess::classical::terms::Weight)] =
            &[$((stringify!($name), $name)),*];

        impl $crate::games::chess::classical::terms::Weight {
            /// The value of a single weight, in centipawns (attack units for king danger, 1/64 for scale
            /// factors).
            #[inline(always)]
            pub const fn value(self) -> $crate::game::TaperedScore {
                debug_assert!(self.len() == 1);
                VALUES[self.index()]
            }
        }
    };
}

pub(super) use weights;

/// Receives the weights that the evaluation counts.
pub trait TermSink {
    /// Adds `times` times `weight` to the `term` of `side`. Positive values favour `side`, except for
    /// [`EvalTerm::Danger`], whose attack units count against it.
    fn add(&mut self, term: EvalTerm, side: Side, weight: Weight, times: i32);

    /// Adds the material and the piece-square value of one piece of `side`.
    fn add_piece(&mut self, side: Side, kind: PieceType, square: Square);
}
