//! A middlegame and an endgame value in one word.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Two 16-bit values, middlegame in the upper half and endgame in the lower, so that one addition adds both.
///
/// Each half must stay within ±32,767; sixteen pieces of one side reach about half of that.
/// Source: <https://www.chessprogramming.org/SIMD_and_SWAR_Techniques>.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct TaperedScore(i32);

impl TaperedScore {
    /// 0 in both phases.
    pub const ZERO: TaperedScore = TaperedScore(0);

    /// Both values, in centipawns.
    pub const fn new(middlegame: i32, endgame: i32) -> TaperedScore {
        TaperedScore((middlegame << 16).wrapping_add(endgame))
    }

    /// `+` for constants.
    pub const fn plus(self, other: TaperedScore) -> TaperedScore {
        TaperedScore(self.0.wrapping_add(other.0))
    }

    /// The middlegame value. The rounding undoes the borrow of a negative lower half.
    pub const fn middlegame(self) -> i32 {
        self.0.wrapping_add(0x8000) >> 16
    }

    /// The endgame value.
    pub const fn endgame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value at `phase`, from 0 (endgame) to `max_phase` (middlegame), rounded towards zero so that both sides round
    /// alike (<https://www.chessprogramming.org/Tapered_Eval>).
    #[inline(always)]
    pub const fn taper(self, phase: i32, max_phase: i32) -> i32 {
        (self.middlegame() * phase + self.endgame() * (max_phase - phase)) / max_phase
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
    fn sum<I: Iterator<Item = TaperedScore>>(scores: I) -> TaperedScore {
        scores.fold(TaperedScore::ZERO, Add::add)
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
    fn arithmetic_of_halves_equals_arithmetic_of_integers() {
        let numbers = [-16_000, -257, -3, -1, 0, 1, 2, 255, 15_999];
        for a in numbers {
            for b in numbers {
                let one = TaperedScore::new(a, b);
                let two = TaperedScore::new(b / 2, a / 2);
                let halves = |score: TaperedScore| (score.middlegame(), score.endgame());
                assert_eq!(halves(one), (a, b));
                assert_eq!(halves(-one), (-a, -b));
                assert_eq!(halves(one + two), (a + b / 2, b + a / 2));
                assert_eq!(halves(one - two), (a - b / 2, b - a / 2));
                assert_eq!(halves(two * -2), (b / 2 * -2, a / 2 * -2));
                assert_eq!(one.taper(7, 24), -(-one).taper(7, 24));
            }
        }
    }
}
