//! The update rule of all history counters.

/// Moves `counter` towards ±`max`, by less the nearer it already is
/// (<https://www.chessprogramming.org/History_Heuristic>, "history gravity"). `bonus` must lie within ±`max`.
pub fn apply_gravity(counter: &mut i16, bonus: i32, max: i32) {
    let old = i32::from(*counter);
    *counter = (old + bonus - old * bonus.abs() / max) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_after_many_bonuses_stay_within_bounds() {
        const MAX: i32 = 16_384;
        let mut counter = 0;
        for _ in 0..10_000 {
            apply_gravity(&mut counter, 2000, MAX);
        }
        assert!(i32::from(counter) <= MAX && i32::from(counter) > MAX * 9 / 10);
        for _ in 0..10_000 {
            apply_gravity(&mut counter, -2000, MAX);
        }
        assert!(i32::from(counter) >= -MAX && i32::from(counter) < -MAX * 9 / 10);
    }
}
