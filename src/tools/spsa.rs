//! `duiyi spsa`: the parameters of the search, one a line, as tuners by SPSA read them.

use crate::game::Parameter;
use crate::search::params;
use std::io::Write;

/// The first step of a tuner by default: the range of the parameter divided by this.
const STEPS_IN_RANGE: f64 = 20.0;
/// The default learning rate, as on OpenBench and fishtest.
const RATE: f64 = 0.002;

/// Writes `name, int, value, min, max, c_end, r_end` for each parameter, the input of OpenBench
/// (<https://github.com/AndyGrant/OpenBench>) and of `scripts/spsa.py`.
pub fn main(out: &mut impl Write) -> anyhow::Result<()> {
    for Parameter { name, default, min, max } in params::all() {
        let step = (f64::from(max - min) / STEPS_IN_RANGE).max(0.5);
        writeln!(out, "{name}, int, {default}, {min}, {max}, {step}, {RATE}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_line_is_the_first_parameter_and_each_has_seven_fields() {
        let mut out = Vec::new();
        main(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.lines().next(), Some("aspiration_delta, int, 16, 5, 60, 2.75, 0.002"));
        assert_eq!(text.lines().count(), params::all().count());
        assert!(text.lines().all(|line| line.split(", ").count() == 7));
    }
}
