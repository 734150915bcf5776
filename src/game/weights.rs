//! The weights of a hand-written evaluation: declared by name, used by index, rewritten by the tuner.

use super::TaperedScore;
use std::ops::Range;

/// A weight declared by `weights!`, or an array of them, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    index: u16,
    count: u16,
}

impl Weight {
    /// The weights with these indices.
    pub const fn from_range(range: Range<usize>) -> Weight {
        Weight { index: range.start as u16, count: (range.end - range.start) as u16 }
    }

    /// The index of the weight, or of the first of an array, in the order of declaration.
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// The number of weights in the array, 1 for a single weight.
    pub const fn count(self) -> usize {
        self.count as usize
    }

    /// Element `i` of an array.
    #[inline(always)]
    pub const fn at(self, i: usize) -> Weight {
        debug_assert!(i < self.count as usize);
        Weight { index: self.index + i as u16, count: 1 }
    }
}

/// All weights of one evaluation.
pub struct Weights {
    /// The values of all weights in the order of declaration.
    pub values: &'static [TaperedScore],
    /// All names, each with its weight or array of weights.
    pub names: &'static [(&'static str, Weight)],
}

impl Weights {
    /// The value of a single weight.
    #[inline(always)]
    pub const fn value(&self, weight: Weight) -> TaperedScore {
        debug_assert!(weight.count() == 1);
        self.values[weight.index()]
    }

    /// All weights as numbers with names, two for each pair: middlegame, then endgame.
    pub fn numbers(&self) -> Vec<(String, f32)> {
        let mut numbers = Vec::with_capacity(2 * self.values.len());
        for &(name, weight) in self.names {
            for i in 0..weight.count() {
                let value = self.value(weight.at(i));
                let name = if weight.count() > 1 { format!("{name}[{i}]") } else { name.to_string() };
                numbers.push((format!("{name} mg"), value.middlegame() as f32));
                numbers.push((format!("{name} eg"), value.endgame() as f32));
            }
        }
        numbers
    }

    /// Returns `source`, the text of the file that declares these weights, with `numbers` in their place, in the order of
    /// [`Weights::numbers`]. The n-th pair in parentheses after `weights! {` is the n-th weight.
    ///
    /// # Errors
    ///
    /// If `source` does not hold the weights of this program.
    pub fn replace(&self, source: &str, numbers: &[f32]) -> Result<String, String> {
        let start = source.find("weights! {").ok_or("expected a macro call `weights! {`, found none")?;
        let (mut text, mut rest) = (source[..start].to_string(), &source[start..]);
        let mut pairs = self.values.iter().zip(numbers.chunks_exact(2));
        while let Some(line) = rest.split_inclusive('\n').next() {
            rest = &rest[line.len()..];
            let mut line = line;
            while let Some((open, close)) = pair_in(line) {
                let (old, new) =
                    pairs.next().ok_or("expected as many pairs as in the program, found more")?;
                let written = &line[open..close];
                let halves: Vec<i32> = written
                    .trim_matches(['(', ')'])
                    .split(',')
                    .filter_map(|number| number.trim().parse().ok())
                    .collect();
                if halves != [old.middlegame(), old.endgame()] {
                    return Err(format!("expected {old:?} as in the program, found {written}"));
                }
                text += &line[..open];
                text += &format!("({:>4},{:>4})", new[0].round() as i32, new[1].round() as i32);
                line = &line[close..];
            }
            text += line;
        }
        match pairs.len() {
            0 => Ok(text),
            missing => Err(format!(
                "expected {} pairs as in the program, the last {missing} are missing",
                self.values.len()
            )),
        }
    }
}

/// The byte range of the first pair in parentheses on a line of code.
fn pair_in(line: &str) -> Option<(usize, usize)> {
    let code = line.split("//").next()?;
    let open = code.find('(')?;
    let close = open + code[open..].find(')')?;
    Some((open, close + 1))
}

/// Declares the weights of an evaluation, each a name and one or more pairs `(middlegame, endgame)`: `NAME = (1, 2) (3, 4);`.
///
/// Defines a constant [`Weight`] for each name, and `WEIGHTS`, the [`Weights`] with all of them.
macro_rules! weights {
    ($($(#[$about:meta])* $name:ident = $(($middlegame:literal, $endgame:literal))+;)*) => {
        /// Has one byte for each pair, so that `offset_of!` gives the index of each weight.
        #[repr(C)]
        #[expect(non_snake_case)]
        struct Layout {
            $($name: [u8; [$($middlegame),+].len()],)*
        }

        $(
            $(#[$about])*
            pub const $name: $crate::game::Weight = {
                let start = std::mem::offset_of!(Layout, $name);
                $crate::game::Weight::from_range(start..start + [$($middlegame),+].len())
            };
        )*

        static VALUES: [$crate::game::TaperedScore; size_of::<Layout>()] =
            [$($($crate::game::TaperedScore::new($middlegame, $endgame)),+),*];

        /// All weights of this file.
        pub const WEIGHTS: $crate::game::Weights = $crate::game::Weights {
            values: &VALUES,
            names: &[$((stringify!($name), $name)),*],
        };
    };
}

pub(crate) use weights;
