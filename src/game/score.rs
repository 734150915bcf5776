//! Score, bound, depth, ply and window as types. They prevent common search bugs: a wrong sign, a ply used as
//! a depth, a mate score that was not adjusted.

use super::{Claim, Outcome, Side};
use std::ops::{Add, AddAssign, Neg, Sub};

/// A value from the point of view of the side to move.
///
/// Up to ±[`Score::MAX_EVAL`] it is in the game's unit: centipawns in chess, points elsewhere. Beyond that it
/// is a forced win or loss. A mate is ±([`Score::MATE`] - plies from the root to the end). Below are two bands for wins
/// of unknown length: by rule ([`Claim::Win`]) and by an endgame table ([`Score::table_win`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// A draw or an equal position.
    pub const ZERO: Score = Score(0);
    /// Won at the root.
    pub const MATE: Score = Score(32_000);
    /// Greater than every score.
    pub const INFINITE: Score = Score(32_001);
    const MIN_MATE: Score = Score(Self::MATE.0 - Ply::MAX.0 as i32);
    /// Won by rule at the root: below every mate.
    const WIN_BY_RULE: Score = Score(Self::MIN_MATE.0 - 1);
    /// Won by an endgame table at the root: below every win by rule.
    const TABLE_WIN: Score = Score(Self::WIN_BY_RULE.0 - Ply::MAX.0 as i32 - 1);
    /// The largest score that is not decisive, for evaluations and for points.
    pub const MAX_EVAL: Score = Score(Self::TABLE_WIN.0 - Ply::MAX.0 as i32 - 1);

    /// Returns a score of `value` in the game's unit, clamped to ±[`Score::MAX_EVAL`].
    pub const fn new(value: i32) -> Score {
        let max = Self::MAX_EVAL.0;
        Score(if value > max {
            max
        } else if value < -max {
            -max
        } else {
            value
        })
    }

    /// The inverse of [`Score::value`], for scores that were packed into 16 bits. Nothing is clamped.
    pub const fn raw(value: i16) -> Score {
        Score(value as i32)
    }

    /// Returns the score as a number.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Returns the score of a win that is complete `ply` plies from the root.
    pub const fn mate_in(ply: Ply) -> Score {
        Score(Self::MATE.0 - ply.0 as i32)
    }

    /// Returns the score of a loss that is complete `ply` plies from the root.
    pub const fn mated_in(ply: Ply) -> Score {
        Score(ply.0 as i32 - Self::MATE.0)
    }

    /// Returns the score of a win that an endgame table proves `ply` plies from the root.
    pub const fn table_win(ply: Ply) -> Score {
        Score(Self::TABLE_WIN.0 - ply.0 as i32)
    }

    /// Returns the score for `side` of an `outcome` that is reached `ply` plies from the root.
    pub fn from_outcome(outcome: Outcome, side: Side, ply: Ply) -> Score {
        match outcome {
            Outcome::Win(winner) if winner == side => Score::mate_in(ply),
            Outcome::Win(_) => Score::mated_in(ply),
            Outcome::Draw => Score::ZERO,
            Outcome::Points(points) => match side {
                Side::White => Score::new(points),
                Side::Black => Score::new(-points),
            },
        }
    }

    /// Returns the score for `side` of a `claim`, `ply` plies from the root.
    pub fn from_claim(claim: Claim, side: Side, ply: Ply) -> Score {
        let win = Score(Self::WIN_BY_RULE.0 - ply.0 as i32);
        match claim {
            Claim::Draw => Score::ZERO,
            Claim::Win(winner) if winner == side => win,
            Claim::Win(_) => -win,
            Claim::Points(points) => Score::from_outcome(Outcome::Points(points), side, ply),
        }
    }

    /// Returns the mean of `weight` parts `self` and one part `other`, or `self` if one of them is decisive.
    pub const fn weighted_mean(self, weight: i32, other: Score) -> Score {
        if self.is_decisive() || other.is_decisive() {
            return self;
        }
        Score((self.0 * weight + other.0) / (weight + 1))
    }

    /// Whether this is a forced win or loss for the side to move.
    pub const fn is_decisive(self) -> bool {
        self.0.abs() > Self::MAX_EVAL.0
    }

    /// Whether the side to move has a forced win.
    pub const fn is_win(self) -> bool {
        self.0 > Self::MAX_EVAL.0
    }

    /// Whether the side to move has a forced loss.
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::MAX_EVAL.0
    }

    /// Whether this is a win or loss by rule, which depends on the moves that led to it.
    pub const fn is_by_rule(self) -> bool {
        self.0.abs() > Self::TABLE_WIN.0 && self.0.abs() < Self::MIN_MATE.0
    }

    /// Returns the plies from the root to the proof of a win or loss of unknown length, by a rule or by an endgame table;
    /// `None` for any other score.
    pub const fn plies_to_proof(self) -> Option<u32> {
        if !self.is_decisive() || self.0.abs() >= Self::MIN_MATE.0 {
            return None;
        }
        let root = if self.is_by_rule() { Self::WIN_BY_RULE } else { Self::TABLE_WIN };
        Some((root.0 - self.0.abs()) as u32)
    }

    /// Returns the plies from the root to mate, `None` for any other score.
    pub const fn plies_to_mate(self) -> Option<u32> {
        if self.0.abs() >= Self::MIN_MATE.0 { Some((Self::MATE.0 - self.0.abs()) as u32) } else { None }
    }

    /// Returns the full moves (two plies each, rounded up) from the root to mate:
    /// positive if the side to move wins, negative if it loses, 0 at the end itself. `None` for any other
    /// score.
    pub fn moves_to_mate(self) -> Option<i32> {
        let moves = self.plies_to_mate()?.div_ceil(2) as i32;
        Some(if self.is_win() { moves } else { -moves })
    }

    /// Converts a score for the transposition table: mate distance from this node, which is `ply` plies from
    /// the root, instead of from the root.
    pub const fn to_tt(self, ply: Ply) -> Score {
        self.adjust_mate(ply.0 as i32)
    }

    /// The inverse of [`Score::to_tt`].
    pub const fn from_tt(self, ply: Ply) -> Score {
        self.adjust_mate(-(ply.0 as i32))
    }

    const fn adjust_mate(self, plies: i32) -> Score {
        if self.is_win() {
            Score(self.0 + plies)
        } else if self.is_loss() {
            Score(self.0 - plies)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Adds a margin. The sum can fall into the range of decisive scores: check it before returning it.
impl Add<i32> for Score {
    type Output = Score;
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

/// Subtracts a margin. The result is for comparisons only, as with `Add`.
impl Sub<i32> for Score {
    type Output = Score;
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

impl Sub for Score {
    type Output = i32;
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

/// A distance from the root of the search, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ply(u16);

impl Ply {
    /// The root.
    pub const ROOT: Ply = Ply(0);
    /// The deepest ply of a search, which evaluates there whatever depth is left.
    pub const MAX: Ply = Ply(246);

    /// Returns `n` plies from the root, at most [`Ply::MAX`].
    pub const fn new(n: usize) -> Ply {
        if n > Self::MAX.0 as usize { Self::MAX } else { Ply(n as u16) }
    }

    /// Returns the distance as an index of arrays with `Ply::MAX.index() + 1` elements.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the next ply, one further from the root.
    pub const fn next(self) -> Ply {
        Ply(self.0 + 1)
    }
}

/// A remaining search depth, in plies before quiescence search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Depth(i32);

impl Depth {
    /// No depth left: quiescence search.
    pub const ZERO: Depth = Depth(0);
    /// The depth of the first iteration.
    pub const ONE: Depth = Depth(1);
    /// The depth of the last iteration.
    pub const MAX: Depth = Depth(245);

    /// Returns a depth of `plies`, which may be negative.
    pub const fn new(plies: i32) -> Depth {
        Depth(plies)
    }

    /// Returns the depth in plies.
    pub const fn plies(self) -> i32 {
        self.0
    }
}

impl Add<i32> for Depth {
    type Output = Depth;
    fn add(self, plies: i32) -> Depth {
        Depth(self.0 + plies)
    }
}

impl Sub<i32> for Depth {
    type Output = Depth;
    fn sub(self, plies: i32) -> Depth {
        Depth(self.0 - plies)
    }
}

impl AddAssign<i32> for Depth {
    fn add_assign(&mut self, plies: i32) {
        self.0 += plies;
    }
}

/// The search window: the open interval (alpha, beta) of scores, from the side to move's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The score that the side to move has already secured.
    pub alpha: Score,
    /// The score that the opponent has already secured: at or above it the search fails high.
    pub beta: Score,
}

impl Window {
    /// All scores.
    pub const FULL: Window = Window { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// Returns the window between two scores, where `alpha < beta`.
    pub fn new(alpha: Score, beta: Score) -> Window {
        debug_assert!(alpha < beta, "empty window {alpha:?} {beta:?}");
        Window { alpha, beta }
    }

    /// Returns the null window (alpha, alpha + 1), which tests whether the value is greater than `alpha`.
    pub fn null_window_at_alpha(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// Returns the null window (beta - 1, beta), which tests whether the value is at least `beta`.
    pub fn null_window_at_beta(beta: Score) -> Window {
        Window { alpha: beta - 1, beta }
    }

    /// Returns the window from `score - delta` to `score + delta`. A side that would be decisive is unbounded.
    pub fn around(score: Score, delta: i32) -> Window {
        let (low, high) = (score - delta, score + delta);
        Window {
            alpha: if low.is_loss() { Window::FULL.alpha } else { low },
            beta: if high.is_win() { Window::FULL.beta } else { high },
        }
    }

    /// Whether no score lies between the bounds.
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Returns the bound type of `score`, the result of a search with this window.
    pub fn bound_of(self, score: Score) -> Bound {
        if score <= self.alpha {
            Bound::Upper
        } else if score >= self.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }

    /// Returns the intersection with (`alpha`, `beta`), or `None` if that is empty.
    pub fn narrowed(self, alpha: Score, beta: Score) -> Option<Window> {
        let window = Window { alpha: self.alpha.max(alpha), beta: self.beta.min(beta) };
        (window.alpha < window.beta).then_some(window)
    }
}

/// What a score says about the true value of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most the score: the search failed low.
    Upper = 1,
    /// The true value is at least the score: the search failed high.
    Lower = 2,
    /// The true value is the score.
    #[default]
    Exact = 3,
}

/// The bound from the other side's point of view.
impl Neg for Bound {
    type Output = Bound;
    fn neg(self) -> Bound {
        match self {
            Bound::Upper => Bound::Lower,
            Bound::Lower => Bound::Upper,
            Bound::Exact => Bound::Exact,
        }
    }
}

/// The same window from the other side's point of view.
impl Neg for Window {
    type Output = Window;
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn to_tt_of_decisive_scores_is_undone_by_from_tt() {
        for n in 0..=Ply::MAX.index() {
            let (ply, here) = (Ply::new(n), Ply::new(n / 2));
            let table_win = Score::table_win(ply);
            for score in [table_win, -table_win] {
                assert!(score.is_decisive() && !score.is_by_rule() && score.plies_to_mate().is_none());
                assert_eq!(score.plies_to_proof(), Some(n as u32));
                assert_eq!(score.to_tt(here).from_tt(here), score);
                assert!(
                    score.is_loss()
                        || score < -Score::from_claim(Claim::Win(Side::White), Side::Black, Ply::MAX)
                );
            }
            for score in [Score::mate_in(ply), Score::mated_in(ply)] {
                assert!(score.is_decisive() && score.plies_to_proof().is_none());
                assert_eq!(score.plies_to_mate(), Some(n as u32));
                let moves = n.div_ceil(2) as i32;
                assert_eq!(score.moves_to_mate(), Some(if score.is_win() { moves } else { -moves }));
                let stored = score.to_tt(here);
                assert_eq!(stored.from_tt(here), score);
                assert!(stored.value().abs() >= score.value().abs());
            }
        }
        assert!(!Score::new(1_000_000).is_decisive());
        assert_eq!(Score::new(31).to_tt(Ply::new(9)), Score::new(31));
    }

    #[test]
    fn from_outcome_is_relative_to_the_side() {
        let ply = Ply::new(3);
        assert_eq!(Score::from_outcome(Outcome::Win(Side::Black), Side::Black, ply), Score::mate_in(ply));
        assert_eq!(Score::from_outcome(Outcome::Win(Side::Black), Side::White, ply), Score::mated_in(ply));
        assert_eq!(Score::from_outcome(Outcome::Points(-4), Side::Black, ply), Score::new(4));
        assert_eq!(Score::from_outcome(Outcome::Draw, Side::White, ply), Score::ZERO);
    }

    #[test]
    fn win_by_rule_lies_between_evaluations_and_mates() {
        for n in 0..=Ply::MAX.index() {
            let win = Score::from_claim(Claim::Win(Side::White), Side::White, Ply::new(n));
            assert!(win > Score::MAX_EVAL && win < Score::mate_in(Ply::MAX), "ply {n}: {win:?}");
            assert!(win.is_win() && win.is_by_rule() && win.plies_to_mate().is_none());
            assert_eq!(win.plies_to_proof(), Some(n as u32));
            assert_eq!(Score::from_claim(Claim::Win(Side::White), Side::Black, Ply::new(n)), -win);
            assert!(!Score::mated_in(Ply::new(n)).is_by_rule());
        }
        assert_eq!(Score::from_claim(Claim::Draw, Side::Black, Ply::ROOT), Score::ZERO);
        assert!(!Score::MAX_EVAL.is_by_rule());
    }

    #[test]
    fn window_negated_twice_is_unchanged() {
        let window = Window::new(Score::new(-20), Score::new(35));
        assert_eq!(-(-window), window);
        assert_eq!((-window).alpha, Score::new(-35));
        assert!(
            Window::null_window_at_alpha(Score::new(7)).is_null()
                && Window::null_window_at_beta(Score::new(7)).is_null()
        );
        assert_eq!(window.narrowed(Score::new(35), Score::MATE), None);
    }

    #[test]
    fn bound_of_a_result_flips_with_the_window() {
        let window = Window::new(Score::new(-20), Score::new(35));
        for (value, bound) in
            [(-20, Bound::Upper), (-19, Bound::Exact), (34, Bound::Exact), (35, Bound::Lower)]
        {
            let score = Score::new(value);
            assert_eq!(window.bound_of(score), bound);
            assert_eq!((-window).bound_of(-score), -bound);
        }
    }
}
