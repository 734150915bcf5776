//! The words and sentences of a trace, which its text and its JSON share.

use crate::game::{Bound, Score, Side, Window};
use crate::textbook::Leaf;
use crate::tools::value_text;
use serde::{Serialize, Serializer};
use std::fmt;

/// The words before a value: none, `at most ` or `at least `.
pub fn bound_words(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::Upper => "at most ",
        Bound::Lower => "at least ",
    }
}

/// Serializes a bound as `exact`, `at-most` or `at-least`.
pub fn serialize_bound<S: Serializer>(bound: &Bound, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match bound {
        Bound::Exact => "exact",
        Bound::Upper => "at-most",
        Bound::Lower => "at-least",
    })
}

/// The textbook name of a side: `MAX` for White.
pub fn player(side: Side) -> &'static str {
    ["MAX", "MIN"][side.index()]
}

pub fn leaf_reason(leaf: Leaf) -> &'static str {
    match leaf {
        Leaf::Terminal => "end",
        Leaf::DrawClaim => "claimed draw",
        Leaf::DepthLimit => "estimate",
        Leaf::Memoised => "remembered",
    }
}

/// Serializes a leaf as its reason.
pub fn serialize_leaf<S: Serializer>(leaf: &Leaf, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(leaf_reason(*leaf))
}

/// Why a node was cut off: the bound that its best value has reached, and the move of the other side that set the bound.
#[derive(Clone, Debug)]
pub struct CutoffReason {
    /// The side to move.
    pub side: Side,
    /// Whether all values are from White's point of view.
    pub is_white_relative: bool,
    pub value: Score,
    /// Whether the best value is a bound.
    pub bound: Option<Bound>,
    pub window: Window,
    /// That move, and the name of the node where it is played.
    pub setter: Option<(String, String)>,
}

impl fmt::Display for CutoffReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CutoffReason { side, is_white_relative, value, bound, window, setter } = self;
        let (us, them, value) = (player(*side), player(!*side), value_text(*value));
        let or_so = match bound {
            Some(Bound::Lower) => " or more",
            Some(Bound::Upper) => " or less",
            _ => "",
        };
        let place =
            setter.as_ref().map_or(String::new(), |(mv, node)| format!(", by the move {mv} at {node}"));
        let (test, bound, has, gets) = match (is_white_relative, side) {
            (true, Side::White) => (">= beta", window.beta, "has".into(), "MAX gets".into()),
            (true, Side::Black) => ("<= alpha", window.alpha, "has".into(), "MIN holds MAX to".into()),
            (false, _) => (">= beta", window.beta, format!("holds {us} to"), format!("{us} gets")),
        };
        let bound = value_text(bound);
        write!(
            f,
            "{value} {test} {bound}: {them} {has} {bound} already{place}. \
             Here {gets} {value}{or_so}, so {them} has no reason to come here"
        )
    }
}

impl Serialize for CutoffReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
