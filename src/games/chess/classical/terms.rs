//! Counting: the evaluation says how often each weight counts for each side, and a [`Tally`] makes of it what
//! it likes: the value, a table of terms for people, or a trace from which the weights can be fitted.

use super::super::bitboard::{PieceType, Square};
use super::psqt;
use super::tapered_score::TaperedScore;
use super::weights::VALUES;
use crate::game::Side;
use std::ops::Range;

/// The terms of the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalTerm {
    /// What men are worth by themselves and together.
    Material,
    /// Piece-square tables.
    Placement,
    /// Pawns that are weak or help each other.
    Pawns,
    /// Pawns that no pawn can stop.
    Passed,
    /// Squares in reach.
    Mobility,
    /// Outposts, files and what else belongs to single pieces.
    Pieces,
    /// Room behind the pawns.
    Space,
    /// Pawns before the king and against it.
    Shelter,
    /// Attack units against the king of the side that they are counted for.
    Danger,
    /// What is attacked and should not be.
    Threats,
    /// The right to move.
    Tempo,
    /// Help to win what is won.
    MopUp,
    /// What the stronger side's other terms lose together.
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
        "king's house",
        "king danger",
        "threats",
        "tempo",
        "mop-up",
        "drawish scaling",
    ];
}

/// A number of `weights.rs`, or a row of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    index: u16,
    count: u16,
}

impl Weight {
    /// Those with these places in [`VALUES`].
    pub const fn row(places: Range<usize>) -> Weight {
        Weight { index: places.start as u16, count: (places.end - places.start) as u16 }
    }

    /// Where it stands in [`VALUES`].
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// How many there are in the row.
    pub const fn len(self) -> usize {
        self.count as usize
    }

    /// One of a row.
    #[inline(always)]
    pub const fn at(self, i: usize) -> Weight {
        debug_assert!(i < self.count as usize);
        Weight { index: self.index + i as u16, count: 1 }
    }

    /// What it is worth.
    #[inline(always)]
    pub const fn value(self) -> TaperedScore {
        debug_assert!(self.count == 1);
        VALUES[self.index as usize]
    }
}

/// The weights, each a name and one or more pairs: `NAME = (1, 2) (3, 4);`. Makes a [`Weight`] of each,
/// `VALUES` of all pairs in order, and `NAMES` of the rows.
macro_rules! weights {
    ($($(#[$about:meta])* $name:ident = $(($middlegame:literal, $endgame:literal))+;)*) => {
        /// Only to count: a byte for each pair lies where the pair lies in [`VALUES`].
        #[repr(C)]
        #[expect(non_snake_case)]
        struct Layout {
            $($name: [u8; [$($middlegame),+].len()],)*
        }

        $(
            $(#[$about])*
            pub const $name: $crate::games::chess::classical::terms::Weight = {
                let start = std::mem::offset_of!(Layout, $name);
                $crate::games::chess::classical::terms::Weight::row(start..start + [$($middlegame),+].len())
            };
        )*

        /// All pairs.
        pub static VALUES: [$crate::games::chess::classical::tapered_score::TaperedScore; size_of::<Layout>()] =
            [$($($crate::games::chess::classical::tapered_score::TaperedScore::new($middlegame, $endgame)),+),*];

        /// All rows by name.
        pub const NAMES: &[(&str, $crate::games::chess::classical::terms::Weight)] =
            &[$((stringify!($name), $name)),*];
    };
}

pub(super) use weights;

/// Where counts go.
pub trait TermSink {
    /// `weight` counts `times` for `side`.
    fn add(&mut self, term: EvalTerm, side: Side, weight: Weight, times: i32);

    /// A man of `side` counts for what it is and where it stands.
    #[inline(always)]
    fn piece(&mut self, side: Side, piece: PieceType, square: Square) {
        if let Some(weight) = psqt::material(piece) {
            self.add(EvalTerm::Material, side, weight, 1);
        }
        self.add(EvalTerm::Placement, side, psqt::piece_square(side, piece, square), 1);
    }
}

/// How many attack units more count no further.
const KING_DANGER_MAX: i32 = 1_200;
/// The square of that many units in the middlegame, that many of the endgame's, cost a centipawn.
const KING_DANGER_DIVISORS: (i32, i32) = (1_024, 16);

/// What `units` of danger cost: their square in the middlegame, for attackers help each other.
///
/// <https://www.chessprogramming.org/King_Safety#Attack_Units>
pub fn danger(units: TaperedScore) -> TaperedScore {
    let middlegame = units.middlegame().clamp(0, KING_DANGER_MAX);
    let endgame = units.endgame().clamp(0, KING_DANGER_MAX);
    TaperedScore::new(middlegame * middlegame / KING_DANGER_DIVISORS.0, endgame / KING_DANGER_DIVISORS.1)
}

/// [`danger`] of one half as a smooth function, and its slope: `(middlegame, endgame)` each.
pub fn smooth_danger(units: (f32, f32)) -> [(f32, f32); 2] {
    let limit = KING_DANGER_MAX as f32;
    let (square, linear) = (KING_DANGER_DIVISORS.0 as f32, KING_DANGER_DIVISORS.1 as f32);
    let inside = |units: f32| units > 0.0 && units < limit;
    let (middlegame, endgame) = (units.0.clamp(0.0, limit), units.1.clamp(0.0, limit));
    [
        (middlegame * middlegame / square, if inside(units.0) { 2.0 * middlegame / square } else { 0.0 }),
        (endgame / linear, if inside(units.1) { 1.0 / linear } else { 0.0 }),
    ]
}

/// The sum, for play.
#[derive(Clone, Copy, Default, Debug)]
pub struct EvalSum {
    sides: [TaperedScore; 2],
    danger: [TaperedScore; 2],
}

impl TermSink for EvalSum {
    #[inline(always)]
    fn add(&mut self, term: EvalTerm, side: Side, weight: Weight, times: i32) {
        let sums = if term == EvalTerm::Danger { &mut self.danger } else { &mut self.sides };
        sums[side.index()] += weight.value() * times;
    }

    #[inline(always)]
    fn piece(&mut self, side: Side, piece: PieceType, square: Square) {
        self.sides[side.index()] += psqt::psqt(side, piece, square);
    }
}

impl EvalSum {
    /// White's less Black's.
    #[inline(always)]
    pub fn total(&self) -> TaperedScore {
        self.sides[0] - self.sides[1] - danger(self.danger[0]) + danger(self.danger[1])
    }
}

/// Every term for each side, for people.
#[derive(Clone, Default, Debug)]
pub struct TermTable(pub [[TaperedScore; 2]; EvalTerm::NAMES.len()]);

impl TermSink for TermTable {
    fn add(&mut self, term: EvalTerm, side: Side, weight: Weight, times: i32) {
        self.0[term as usize][side.index()] += weight.value() * times;
    }
}

impl TermTable {
    /// Makes what it costs of the danger that was counted.
    pub fn apply_king_danger(&mut self) {
        for units in &mut self.0[EvalTerm::Danger as usize] {
            *units = -danger(*units);
        }
    }

    /// White's less Black's.
    pub fn total(&self) -> TaperedScore {
        self.0.iter().map(|sides| sides[0] - sides[1]).sum()
    }
}
