//! The weights of a network, and its last layer.

use super::error::NetworkError;
use super::features::Features;

/// The number of elements of an accumulator.
pub const HIDDEN: usize = 256;
/// The quantisation of accumulators: this value stands for 1.
pub const QA: i16 = 255;
/// The quantisation of output weights: this value stands for 1.
pub const QB: i16 = 64;
/// The largest absolute value of an output weight. Times [`QA`] it is still a 16-bit number.
pub const MAX_OUTPUT_WEIGHT: i16 = i16::MAX / QA;
/// The largest sum of the absolute values of the weights of an output bucket. With it no sum of products leaves 32 bits.
pub const MAX_OUTPUT_SUM: i32 = i32::MAX / (QA as i32 * QA as i32);

/// One row of weights, or the values of an accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [i16; HIDDEN]);

impl Row {
    /// A row of zeros.
    pub const ZERO: Row = Row([0; HIDDEN]);
}

/// The weights of one output bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputWeights {
    /// The weights for the accumulators of the side to move and of the other side; 1 is [`QB`].
    pub weights: [Row; 2],
    /// The bias; 1 is [`QA`] times [`QB`].
    pub bias: i32,
}

/// A quantised network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The game, a value of `UCI_Variant`.
    pub variant: String,
    /// One line on how the network was made.
    pub description: String,
    /// The bias of each accumulator; 1 is [`QA`].
    pub bias: Row,
    /// One row for each input; 1 is [`QA`].
    pub inputs: Box<[Row]>,
    /// The output buckets.
    pub outputs: Box<[OutputWeights]>,
    /// The score, in the game's unit, that an output of 1 stands for.
    pub scale: i32,
}

impl Network {
    /// Checks that the network fits the game `variant` with the inputs and the output buckets of `F`.
    ///
    /// # Errors
    /// If it belongs to another game, has other numbers of inputs or buckets, or if sums could leave their number of bits.
    pub fn check<F: Features<CELLS>, const CELLS: usize>(&self, variant: &str) -> Result<(), NetworkError> {
        let expect = |what, expected: usize, found: usize| {
            let error = NetworkError::Size { what, expected, found };
            if expected == found { Ok(()) } else { Err(error) }
        };
        if self.variant != variant {
            return Err(NetworkError::Variant { expected: variant.into(), found: self.variant.clone() });
        }
        expect("inputs", F::INPUTS, self.inputs.len())?;
        expect("output buckets", F::OUTPUT_BUCKETS, self.outputs.len())?;
        let largest = |row: &Row| row.0.iter().fold(0, |largest, weight| weight.unsigned_abs().max(largest));
        let input = self.inputs.iter().map(largest).fold(0, u16::max);
        let sum = i32::from(input) * F::MAX_ACTIVE as i32 + i32::from(largest(&self.bias));
        if sum > i16::MAX.into() {
            return Err(NetworkError::Overflow { what: "accumulator", limit: i16::MAX.into(), found: sum });
        }
        Ok(())
    }

    /// The value of a position, in the game's unit, for the side to move. The accumulators are those of the side to move and
    /// of the other side.
    #[inline]
    pub fn output(&self, accumulators: [&Row; 2], bucket: usize) -> i32 {
        let OutputWeights { weights, bias } = &self.outputs[bucket];
        let sum = weighted_activations(accumulators[0], &weights[0])
            + weighted_activations(accumulators[1], &weights[1]);
        let output = i64::from(sum / i32::from(QA) + bias);
        (output * i64::from(self.scale) / i64::from(i32::from(QA) * i32::from(QB))) as i32
    }
}

/// The sum of weight times activation; 1 is [`QA`]² times [`QB`].
///
/// The product of a weight with a clamped value fits 16 bits, so that the compiler finds the instruction that multiplies
/// pairs of 16-bit numbers and adds neighbours, as in Lizard (<https://github.com/liamt19/Lizard>).
#[inline]
fn weighted_activations(accumulator: &Row, weights: &Row) -> i32 {
    let mut sum = 0;
    for (value, weight) in accumulator.0.iter().zip(&weights.0) {
        let value = (*value).clamp(0, QA);
        sum += i32::from(value * *weight) * i32::from(value);
    }
    sum
}
