//! A middlegame and an endgame value in one word.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// How much of the game is left when all men stand: the weights of [`super::PHASE`] summed.
pub const FULL_PHASE: i32 = 24;

/// Two values of 16 bits, the middlegame's in the upper half, so that one addition adds both.
///
/// Sums must stay within ±32,767 in each half; sixteen men of a side are worth about half of that.
/// The trick: <https://www.chessprogramming.org/SIMD_and_SWAR_Techniques>.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct TaperedScore(i32);

impl TaperedScore {
    /// Nothing in either phase.
    pub const ZERO: TaperedScore = TaperedScore(0);

    /// Both values, in centipawns.
    pub const fn new(middlegame: i32, endgame: i32) -> TaperedScore {
        TaperedScore((middlegame << 16).wrapping_add(endgame))
    }

    /// `+`, where the compiler wants a constant.
    pub const fn plus(self, other: TaperedScore) -> TaperedScore {
        TaperedScore(self.0.wrapping_add(other.0))
    }

    /// A negative lower half has borrowed one from the upper, which rounding gives back.
    pub const fn middlegame(self) -> i32 {
        self.0.wrapping_add(0x8000) >> 16
    }

    /// The value with few men left.
    pub const fn endgame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value at `phase` of [`FULL_PHASE`], rounded towards zero so that both sides round alike.
    pub const fn taper(self, phase: i32) -> i32 {
        (self.middlegame() * phase + self.endgame() * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

impl Add for TaperedScore {
    type Output = TaperedScore;
    fn add(self, other: TaperedScore) -> TaperedScore {
        self.plus(other)
    }
}

impl Sub for TaperedScore {
    type Output = TaperedScore;
    fn sub(self, other: TaperedScore) -> TaperedScore {
        TaperedScore(self.0.wrapping_sub(other.0))
    }
}

impl Neg for TaperedScore {
    type Output = TaperedScore;
    fn neg(self) -> TaperedScore {
        TaperedScore(self.0.wrapping_neg())
    }
}

impl Mul<i32> for TaperedScore {
    type Output = TaperedScore;
    fn mul(self, factor: i32) -> TaperedScore {
        TaperedScore(self.0.wrapping_mul(factor))
    }
}

impl AddAssign for TaperedScore {
    fn add_assign(&mut self, other: TaperedScore) {
        *self = *self + other;
    }
}

impl SubAssign for TaperedScore {
    fn sub_assign(&mut self, other: TaperedScore) {
        *self = *self - other;
    }
}

impl Sum for TaperedScore {
    fn sum<I: Iterator<Item = TaperedScore>>(pairs: I) -> TaperedScore {
        pairs.fold(TaperedScore::ZERO, Add::add)
    }
}

impl std::fmt::Debug for TaperedScore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        let numbers = [-16_000, -257, -3, -1, 0, 1, 2, 255, 15_999];
        for a in numbers {
            for b in numbers {
                let one = TaperedScore::new(a, b);
                let two = TaperedScore::new(b / 2, a / 2);
                let halves = |pair: TaperedScore| (pair.middlegame(), pair.endgame());
                assert_eq!(halves(one), (a, b));
                assert_eq!(halves(-one), (-a, -b));
                assert_eq!(halves(one + two), (a + b / 2, b + a / 2));
                assert_eq!(halves(one - two), (a - b / 2, b - a / 2));
                assert_eq!(halves(two * -2), (b / 2 * -2, a / 2 * -2));
                assert_eq!(one.taper(7), -(-one).taper(7));
            }
        }
    }
}
