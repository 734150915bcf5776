//! Score, depth, ply and window as types: most search bugs are a wrong sign, a ply taken for a
//! depth, or a mate score that was not adjusted.

use super::{Outcome, Side};
use std::ops::{Add, AddAssign, Neg, Sub};

/// A value seen from the side to move.
///
/// Up to ±[`Score::MAX_EVAL`] it is the game's own unit (centipawns in chess, points elsewhere);
/// beyond that a forced win or loss, the nearer to ±[`Score::MATE`] the sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// Nobody is better.
    pub const ZERO: Score = Score(0);
    /// Won here and now.
    pub const MATE: Score = Score(32_000);
    /// Above every score.
    pub const INFINITE: Score = Score(32_001);
    /// The largest value an evaluation or a terminal position's points may have.
    pub const MAX_EVAL: Score = Score(Self::MATE.0 - Ply::MAX.0 as i32 - 1);

    /// A value in the game's own unit, clamped to ±[`Score::MAX_EVAL`].
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

    /// Exactly the number that [`Score::value`] gave, for what was packed into 16 bits.
    pub const fn raw(value: i16) -> Score {
        Score(value as i32)
    }

    /// The number itself.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The side to move wins by a position `ply` plies from the root.
    pub const fn mate_in(ply: Ply) -> Score {
        Score(Self::MATE.0 - ply.0 as i32)
    }

    /// The side to move has lost by a position `ply` plies from the root.
    pub const fn mated_in(ply: Ply) -> Score {
        Score(ply.0 as i32 - Self::MATE.0)
    }

    /// What `outcome`, reached `ply` plies from the root, is worth to `side`.
    /// The one place where an absolute outcome becomes a relative score.
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

    /// The mean of `weight` parts of this and one part of `other`, for a claim that is not quite believed.
    /// A forced end stays what it is.
    pub const fn lerp(self, weight: i32, other: Score) -> Score {
        if self.is_decisive() || other.is_decisive() {
            return self;
        }
        Score((self.0 * weight + other.0) / (weight + 1))
    }

    /// Whether this is a forced win or loss and no estimate.
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

    /// Plies from the root to the forced end, if there is one.
    pub const fn plies_to_mate(self) -> Option<u32> {
        if self.is_decisive() { Some((Self::MATE.0 - self.0.abs()) as u32) } else { None }
    }

    /// Full moves (pairs of plies) from the root to the forced end, rounded up: positive if the side to move
    /// wins, negative if it loses, 0 if the game is over. `None` for an estimate.
    pub const fn moves_to_mate(self) -> Option<i32> {
        match self.plies_to_mate() {
            None => None,
            Some(plies) => {
                let moves = plies.div_ceil(2) as i32;
                Some(if self.is_win() { moves } else { -moves })
            }
        }
    }

    /// For the table: distance to the end counted from this node, `ply` from the root, and not from the root.
    pub const fn to_tt(self, ply: Ply) -> Score {
        self.adjust_mate(ply.0 as i32)
    }

    /// The inverse of [`Score::from_node`]. Never further out than ±[`Score::MATE`].
    pub const fn from_tt(self, ply: Ply) -> Score {
        self.adjust_mate(-(ply.0 as i32))
    }

    const fn adjust_mate(self, away: i32) -> Score {
        if self.is_win() {
            Score(self.0 + away)
        } else if self.is_loss() {
            Score(self.0 - away)
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

/// Moves a score by a margin. The sum may pass for a decisive score: compare it, never return it.
impl Add<i32> for Score {
    type Output = Score;
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

/// Moves a score by a margin; see [`Score`]'s `Add`.
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

/// Plies from the root of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ply(u16);

impl Ply {
    /// The root.
    pub const ROOT: Ply = Ply(0);
    /// The deepest ply a search reaches; it evaluates there whatever the depth.
    pub const MAX: Ply = Ply(246);

    /// `n` plies from the root, at most [`Ply::MAX`].
    pub const fn new(n: usize) -> Ply {
        if n > Self::MAX.0 as usize { Self::MAX } else { Ply(n as u16) }
    }

    /// For indexing arrays of `Ply::MAX.index() + 1` elements.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// One ply further from the root.
    pub const fn next(self) -> Ply {
        Ply(self.0 + 1)
    }
}

/// Plies left to search before quiescence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Depth(i32);

impl Depth {
    /// Time for quiescence.
    pub const ZERO: Depth = Depth(0);
    /// The least that an iteration searches.
    pub const ONE: Depth = Depth(1);
    /// The deepest iteration.
    pub const MAX: Depth = Depth(245);

    /// `plies` to go.
    pub const fn new(plies: i32) -> Depth {
        Depth(plies)
    }

    /// As a number.
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

/// The open interval (alpha, beta) in which the true value still matters, seen from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The side to move has this already.
    pub alpha: Score,
    /// The other side will not allow more.
    pub beta: Score,
}

impl Window {
    /// Everything.
    pub const FULL: Window = Window { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// Between two scores; `alpha < beta`.
    pub fn new(alpha: Score, beta: Score) -> Window {
        debug_assert!(alpha < beta, "empty window {alpha:?} {beta:?}");
        Window { alpha, beta }
    }

    /// The narrowest window above `alpha`: it only asks "more than that?".
    pub fn null_window_at_alpha(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The narrowest window below `beta`: it only asks "that much?".
    pub fn null_window_at_beta(beta: Score) -> Window {
        Window { alpha: beta - 1, beta }
    }

    /// `delta` to either side of a score; unbounded where it comes near the decisive scores.
    pub fn around(score: Score, delta: i32) -> Window {
        let (low, high) = (score - delta, score + delta);
        Window {
            alpha: if low.is_loss() { Window::FULL.alpha } else { low },
            beta: if high.is_win() { Window::FULL.beta } else { high },
        }
    }

    /// Whether it only asks a yes-or-no question.
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Returns what `score`, the result of a search of this window, says about the true value.
    pub fn bound_of(self, score: Score) -> Bound {
        if score <= self.alpha {
            Bound::Upper
        } else if score >= self.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }

    /// `None` when no score lies between the bounds any more.
    pub fn narrowed(self, alpha: Score, beta: Score) -> Option<Window> {
        let window = Window { alpha: self.alpha.max(alpha), beta: self.beta.min(beta) };
        (window.alpha < window.beta).then_some(window)
    }
}

/// What a score says about the true value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most the score: the search failed low.
    Upper = 1,
    /// The true value is at least the score: the search failed high.
    Lower = 2,
    /// The true value is the score.
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
    fn decisive_scores_keep_their_distance_through_the_table() {
        for n in 0..=Ply::MAX.index() {
            let (ply, here) = (Ply::new(n), Ply::new(n / 2));
            for score in [Score::mate_in(ply), Score::mated_in(ply)] {
                assert!(score.is_decisive());
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
    fn an_outcome_is_seen_from_the_mover() {
        let ply = Ply::new(3);
        assert_eq!(Score::from_outcome(Outcome::Win(Side::Black), Side::Black, ply), Score::mate_in(ply));
        assert_eq!(Score::from_outcome(Outcome::Win(Side::Black), Side::White, ply), Score::mated_in(ply));
        assert_eq!(Score::from_outcome(Outcome::Points(-4), Side::Black, ply), Score::new(4));
        assert_eq!(Score::from_outcome(Outcome::Draw, Side::White, ply), Score::ZERO);
    }

    #[test]
    fn a_window_flips_onto_itself() {
        let window = Window::new(Score::new(-20), Score::new(35));
        assert_eq!(-(-window), window);
        assert_eq!((-window).alpha, Score::new(-35));
        assert!(
            Window::null_window_at_alpha(Score::new(7)).is_null()
                && Window::null_window_at_beta(Score::new(7)).is_null()
        );
        assert_eq!(window.narrowed(Score::new(35), Score::MATE), None);
    }
}
