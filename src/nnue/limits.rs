//! The numbers that every network keeps to.

pub const VERSION: u16 = 2;
/// The number of elements that are computed together. The width of a network is a multiple of it.
pub const LANES: usize = 64;
/// The largest width of a network.
pub const MAX_WIDTH: usize = 4096;
/// The largest scale: above it an evaluation says nothing.
pub const MAX_SCALE: i32 = 10_000;
/// The quantisation of accumulators: this value stands for 1.
pub const QA: i16 = 255;
/// The quantisation of output weights: this value stands for 1.
pub const QB: i16 = 64;
/// The largest absolute value of an output weight. Times [`QA`] it is still a 16-bit number.
pub const MAX_OUTPUT_WEIGHT: i16 = i16::MAX / QA;
/// The largest sum of the absolute values of the weights of an output bucket. With it no sum of products leaves 32 bits.
pub const MAX_OUTPUT_SUM: i32 = i32::MAX / (QA as i32 * QA as i32);
