//! The weights of a network, and its last layer.

use super::error::NetworkError;
use super::features::Layout;
use super::limits::{LANES, QA, QB};
use wide::{i16x32, i32x16};

/// Some neighbouring weights, or values of an accumulator. A row of a network is a slice of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Lanes(pub [i16; LANES]);

/// The weights of one output bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputWeights {
    /// A row for the accumulator of the side to move and one for that of the other side; 1 is [`QB`].
    pub weights: [Box<[Lanes]>; 2],
    /// The bias; 1 is [`QA`] times [`QB`].
    pub bias: i32,
}

/// A quantised network. Its width, the number of elements of an accumulator, is its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The game, a value of `UCI_Variant`.
    pub variant: String,
    /// One line on how the network was made.
    pub description: String,
    /// The bias of each accumulator, a row; 1 is [`QA`].
    pub bias: Box<[Lanes]>,
    /// One row for each input, one after another; 1 is [`QA`].
    pub inputs: Box<[Lanes]>,
    /// The output buckets.
    pub outputs: Box<[OutputWeights]>,
    /// The score, in the game's unit, that an output of 1 stands for.
    pub scale: i32,
}

impl Network {
    /// The number of elements of an accumulator.
    pub fn width(&self) -> usize {
        self.bias.len() * LANES
    }

    /// The weights of `input`.
    pub fn row(&self, input: usize) -> &[Lanes] {
        &self.inputs[input * self.bias.len()..][..self.bias.len()]
    }

    /// Checks that the network fits the game `variant` with the inputs and the output buckets of `layout`.
    ///
    /// # Errors
    /// If it belongs to another game, has other numbers of inputs or buckets, or if sums could leave their number of bits.
    pub fn check(&self, variant: &str, layout: &Layout) -> Result<(), NetworkError> {
        let expect = |what, expected: usize, found: usize| {
            let error = || NetworkError::Other(format!("{expected} {what}, found {found}"));
            if expected == found { Ok(()) } else { Err(error()) }
        };
        if self.variant != variant {
            let error = format!("a network for {variant}, found one for {:?}", self.variant);
            return Err(NetworkError::Other(error));
        }
        expect("inputs", layout.inputs, self.inputs.len() / self.bias.len())?;
        expect("output buckets", layout.output_buckets, self.outputs.len())?;
        let sum = self.largest_sum(layout);
        if sum > i16::MAX.into() {
            return Err(NetworkError::overflow("accumulator", i16::MAX.into(), sum));
        }
        Ok(())
    }

    /// The largest absolute value that an element of an accumulator could have: the bias and, of each cell, the largest weight
    /// among its contents, for the [`Layout::max_active`] cells where that is largest.
    fn largest_sum(&self, layout: &Layout) -> i32 {
        let (mut largest, contents) = (0, (layout.contents)());
        for view in 0..layout.views {
            for (lanes, bias) in self.bias.iter().enumerate() {
                let of_cell = |cell: usize| {
                    contents.iter().fold([0; LANES], |mut of_cell: [u16; LANES], &content| {
                        let weights = self.row((layout.input)(view, cell, content))[lanes];
                        let pairs = of_cell.iter_mut().zip(weights.0);
                        pairs.for_each(|(largest, weight)| *largest = weight.unsigned_abs().max(*largest));
                        of_cell
                    })
                };
                let cells = match layout.by_cell {
                    true => (0..layout.cells).map(of_cell).collect(),
                    false => vec![of_cell(0); layout.cells],
                };
                for (element, bias) in bias.0.into_iter().enumerate() {
                    let mut weights: Vec<_> = cells.iter().map(|cell| i32::from(cell[element])).collect();
                    if weights.iter().sum::<i32>() > i32::from(i16::MAX / 2) {
                        weights.sort_unstable_by(|one, other| other.cmp(one));
                        weights.truncate(layout.max_active);
                    }
                    largest = largest.max(weights.into_iter().sum::<i32>() + i32::from(bias.unsigned_abs()));
                }
            }
        }
        largest
    }

    /// The value of a position, in the game's unit, for the side to move. The accumulators are those of the side to move and
    /// of the other side.
    #[inline(never)]
    pub fn output(&self, accumulators: [&[Lanes]; 2], bucket: usize) -> i32 {
        let OutputWeights { weights, bias } = &self.outputs[bucket];
        let sum = weighted_activations(accumulators, weights.each_ref().map(|row| &**row));
        let output = i64::from(sum / i32::from(QA) + bias);
        (output * i64::from(self.scale) / i64::from(i32::from(QA) * i32::from(QB))) as i32
    }
}

/// The sum of weight times activation of both accumulators; 1 is [`QA`]² times [`QB`].
///
/// The product of a weight with a clamped value fits 16 bits, so that one instruction multiplies pairs of 16-bit numbers and adds
/// neighbours, as in Lizard (<https://github.com/liamt19/Lizard>).
#[inline(always)]
fn weighted_activations(accumulators: [&[Lanes]; 2], weights: [&[Lanes]; 2]) -> i32 {
    // Two sums, so that no addition waits for the one before.
    let mut sums = [i32x16::ZERO; 2];
    for (accumulator, weights) in accumulators.into_iter().zip(weights) {
        for (values, weights) in accumulator.iter().zip(weights) {
            let (values, weights) = (values.0.as_chunks().0, weights.0.as_chunks().0);
            for (sum, (value, weight)) in sums.iter_mut().zip(values.iter().zip(weights)) {
                let value = i16x32::new(*value).max(i16x32::ZERO).min(i16x32::splat(QA));
                *sum += (value * i16x32::new(*weight)).dot(value);
            }
        }
    }
    (sums[0] + sums[1]).reduce_add()
}
