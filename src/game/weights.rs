//! The weights of a hand-written evaluation: declared by name, used by index. Their values are in a file that the tuner writes.

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
    /// All names, each with its weight or array of weights, and the number of weights in a row of the array.
    pub names: &'static [(&'static str, Weight, usize)],
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
        for &(name, weight, _) in self.names {
            for i in 0..weight.count() {
                let value = self.value(weight.at(i));
                let name = if weight.count() > 1 { format!("{name}[{i}]") } else { name.to_string() };
                numbers.push((format!("{name} mg"), value.middlegame() as f32));
                numbers.push((format!("{name} eg"), value.endgame() as f32));
            }
        }
        numbers
    }

    /// The text of the file of values with these `numbers`, in the order of [`Weights::numbers`].
    pub fn file(&self, numbers: &[f32]) -> String {
        let mut text = String::from(WEIGHTS_FILE_HEADING);
        text += "[\n";
        for &(name, weight, row) in self.names {
            text += &format!("    // {name}\n");
            let numbers = &numbers[2 * weight.index()..][..2 * weight.count()];
            for line in numbers.chunks(2 * row).flat_map(|row| row.chunks(2 * MAX_LINE_PAIRS)) {
                let pair =
                    |pair: &[f32]| format!("({:>4},{:>4}),", pair[0].round() as i32, pair[1].round() as i32);
                text += &format!("    {}\n", line.chunks(2).map(pair).collect::<Vec<_>>().join(" "));
            }
        }
        text + "]\n"
    }
}

/// The first line of a file of values.
pub const WEIGHTS_FILE_HEADING: &str =
    "// (middlegame, endgame) of each weight, in the order of weights.rs. Written by `duiyi tune --write`.\n";

const MAX_LINE_PAIRS: usize = 10;

/// Declares the weights of an evaluation: the file of their values beside the source, which is that of [`Weights::file`]; then
/// names, for arrays with the length of each dimension, and meanings. A long meaning stands above the name. For example
/// `"weights.in"; TEMPO: "The side to move."; KNIGHT_PSQT[8][4]: "A knight.";`.
///
/// Defines a constant [`Weight`] for each name, and `WEIGHTS`, the [`Weights`] with all of them.
macro_rules! weights {
    ($file:literal; $($(#[$about:meta])* $name:ident $([$length:literal])* $(: $text:literal)?;)*) => {
        /// Has one byte for each pair, so that `offset_of!` gives the index of each weight.
        #[repr(C)]
        #[expect(non_snake_case)]
        struct Layout {
            $($name: [u8; 1 $(* $length)*],)*
        }

        $(
            $(#[$about])*
            $(#[doc = $text])?
            pub const $name: $crate::game::Weight = {
                let start = std::mem::offset_of!(Layout, $name);
                $crate::game::Weight::from_range(start..start + 1 $(* $length)*)
            };
        )*

        static VALUES: [$crate::game::TaperedScore; size_of::<Layout>()] = {
            let pairs: [(i32, i32); size_of::<Layout>()] = include!($file);
            let mut values = [$crate::game::TaperedScore::ZERO; size_of::<Layout>()];
            let mut i = 0;
            while i < values.len() {
                values[i] = $crate::game::TaperedScore::new(pairs[i].0, pairs[i].1);
                i += 1;
            }
            values
        };

        /// All weights of this file.
        pub const WEIGHTS: $crate::game::Weights = $crate::game::Weights {
            values: &VALUES,
            names: &[$((stringify!($name), $name, *[1 $(, $length)*].last().unwrap())),*],
        };
    };
}

pub(crate) use weights;
