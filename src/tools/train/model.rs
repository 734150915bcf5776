//! The network in floating point: its parameters, its value, and the gradient of its loss.

use super::dataset::{Dataset, Example, Target};
use crate::game::SplitMix64;
use crate::nnue::{Features, HIDDEN, Network, OutputWeights, QA, QB, Row};
use std::marker::PhantomData;

/// Largest absolute value of an input weight: the sum of the shared and the bucket's own part is at most twice this. Such a
/// weight times [`QA`], for each of 32 inputs, stays within 16 bits.
const MAX_INPUT_WEIGHT: f32 = 0.99;
/// Largest absolute value of an output weight. Times [`QB`] it is 126.7.
const MAX_OUTPUT_WEIGHT: f32 = 1.98;

/// The values that go with the elements of an accumulator.
pub type Values<const H: usize> = [f32; H];

/// The parameters of a network, or what an optimiser keeps of each of them.
///
/// The weights of an input are the sum of two parts: one that all input buckets share, and one of its own (a factoriser,
/// <https://github.com/official-stockfish/nnue-pytorch/blob/master/docs/nnue.md>). What happens often with one king square
/// so teaches the others.
#[derive(Clone)]
pub struct Parameters<const H: usize> {
    /// For each input of a bucket: the shared part, then the part of each bucket.
    pub inputs: Vec<Values<H>>,
    /// The bias of the accumulators; for each bucket the output weights of the side to move and of the other side; the biases
    /// of the buckets in one row.
    pub rest: Vec<Values<H>>,
}

/// The gradient of the loss. An input weight has one number here, not one for each of its two parts.
pub struct Gradient<const H: usize> {
    /// For each input of a bucket: the row of each bucket.
    pub inputs: Vec<Values<H>>,
    /// As in [`Parameters`].
    pub rest: Vec<Values<H>>,
}

/// A network that is being trained.
pub struct Model<F, const CELLS: usize, const H: usize> {
    /// The parameters.
    pub parameters: Parameters<H>,
    /// The input weights, the sums of both parts: for each input of a bucket, the row of each bucket.
    pub inputs: Vec<Values<H>>,
    features: PhantomData<fn(F)>,
}

/// Sums of losses over positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    /// Squared difference from the result of the game.
    pub result: f64,
    /// Squared difference from the expected result by the score.
    pub expected: f64,
    /// Squared difference from the mix that is trained on.
    pub mix: f64,
    /// The number of positions.
    pub count: u64,
}

impl Losses {
    /// Adds the losses of other positions.
    pub fn add(&mut self, other: Losses) {
        self.result += other.result;
        self.expected += other.expected;
        self.mix += other.mix;
        self.count += other.count;
    }

    /// Mean losses: result, expected result, mix.
    pub fn means(&self) -> [f64; 3] {
        [self.result, self.expected, self.mix].map(|sum| sum / self.count.max(1) as f64)
    }
}

/// What one position needs on its way forwards and backwards.
struct Forward<const H: usize> {
    /// The rows of the active inputs of each perspective.
    rows: [Vec<usize>; 2],
    accumulators: [Values<H>; 2],
}

impl<F: Features<CELLS>, const CELLS: usize, const H: usize> Model<F, CELLS, H> {
    /// The number of inputs of a bucket.
    pub const BUCKET_INPUTS: usize = F::INPUTS / F::INPUT_BUCKETS;
    /// The number of rows of [`Parameters::rest`].
    pub const REST: usize = 2 + 2 * F::OUTPUT_BUCKETS;
    const BIASES: usize = Self::REST - 1;

    /// Parameters that are all zero.
    pub fn zeros() -> Parameters<H> {
        const { assert!(F::OUTPUT_BUCKETS <= H) };
        Parameters {
            inputs: vec![[0.0; H]; Self::BUCKET_INPUTS * (1 + F::INPUT_BUCKETS)],
            rest: vec![[0.0; H]; Self::REST],
        }
    }

    /// A gradient of zero.
    pub fn zero_gradient() -> Gradient<H> {
        Gradient { inputs: vec![[0.0; H]; F::INPUTS], rest: vec![[0.0; H]; Self::REST] }
    }

    /// A model with these parameters.
    pub fn new(parameters: Parameters<H>) -> Self {
        let mut model = Model { parameters, inputs: vec![[0.0; H]; F::INPUTS], features: PhantomData };
        let parts = model.parameters.inputs.chunks_exact(1 + F::INPUT_BUCKETS);
        parts
            .zip(model.inputs.chunks_exact_mut(F::INPUT_BUCKETS))
            .for_each(|(parts, sums)| merge(parts, sums));
        model
    }

    /// Random small weights.
    pub fn random(seed: u64) -> Parameters<H> {
        let mut random = SplitMix64::new(seed);
        let mut row = |limit: f32| -> Values<H> {
            std::array::from_fn(|_| ((random.next() >> 40) as f32 / (1 << 23) as f32 - 1.0) * limit)
        };
        let mut parameters = Self::zeros();
        let limit = (F::MAX_ACTIVE as f32).sqrt().recip();
        for parts in parameters.inputs.chunks_exact_mut(1 + F::INPUT_BUCKETS) {
            parts[0] = row(limit);
        }
        parameters.rest[0] = row(limit);
        let limit = (2.0 * H as f32).sqrt().recip();
        for output in 1..Self::BIASES {
            parameters.rest[output] = row(limit);
        }
        parameters
    }

    /// The row of `input` in [`Model::inputs`].
    #[inline]
    fn row(input: usize) -> usize {
        input % Self::BUCKET_INPUTS * F::INPUT_BUCKETS + input / Self::BUCKET_INPUTS
    }

    fn forward(&self, data: &Dataset<F, CELLS>, index: usize, forward: &mut Forward<H>) -> (Example, f32) {
        let [first, second] = &mut forward.rows;
        first.clear();
        second.clear();
        let example = data.example(index, |[one, other]| {
            first.push(Self::row(one));
            second.push(Self::row(other));
        });
        for (rows, sum) in forward.rows.iter().zip(&mut forward.accumulators) {
            *sum = self.parameters.rest[0];
            for &row in rows {
                add(sum, &self.inputs[row]);
            }
        }
        let us = example.perspective;
        let weights = 1 + 2 * example.bucket;
        let output = self.parameters.rest[Self::BIASES][example.bucket]
            + output_sum(&forward.accumulators[us], &self.parameters.rest[weights])
            + output_sum(&forward.accumulators[1 - us], &self.parameters.rest[weights + 1]);
        (example, sigmoid(output))
    }

    /// Adds the gradient of the mean loss over the positions `indices` of a batch of `batch` positions to `gradient`, and returns
    /// the losses. `share` is the share of the result in the target.
    pub fn gradient(
        &self,
        data: &Dataset<F, CELLS>,
        indices: &[u32],
        batch: usize,
        share: f32,
        gradient: &mut Gradient<H>,
    ) -> Losses {
        let (mut losses, mut forward) = (Losses::default(), Forward::new());
        for &index in indices {
            let (example, value) = self.forward(data, index as usize, &mut forward);
            losses.count_position(example.target, value, share);
            let error = value - example.target.mix(share);
            let slope = 2.0 * error * value * (1.0 - value) / batch as f32;
            gradient.rest[Self::BIASES][example.bucket] += slope;
            for perspective in [0, 1] {
                let weights = 1 + 2 * example.bucket + (perspective ^ example.perspective);
                let accumulator = &forward.accumulators[perspective];
                let of_accumulator = output_gradient(
                    accumulator,
                    &self.parameters.rest[weights],
                    slope,
                    &mut gradient.rest[weights],
                );
                add(&mut gradient.rest[0], &of_accumulator);
                for &row in &forward.rows[perspective] {
                    add(&mut gradient.inputs[row], &of_accumulator);
                }
            }
        }
        losses
    }

    /// The losses on the positions `range` of `data`.
    pub fn losses(&self, data: &Dataset<F, CELLS>, range: std::ops::Range<usize>, share: f32) -> Losses {
        let (mut losses, mut forward) = (Losses::default(), Forward::new());
        for index in range {
            let (example, value) = self.forward(data, index, &mut forward);
            losses.count_position(example.target, value, share);
        }
        losses
    }
}

impl<const H: usize> Forward<H> {
    fn new() -> Self {
        Forward { rows: [Vec::new(), Vec::new()], accumulators: [[0.0; H]; 2] }
    }
}

impl Losses {
    fn count_position(&mut self, target: Target, value: f32, share: f32) {
        let squared = |wanted: f32| f64::from(value - wanted).powi(2);
        self.result += squared(target.result);
        self.expected += squared(target.expected);
        self.mix += squared(target.mix(share));
        self.count += 1;
    }
}

impl<F: Features<CELLS>, const CELLS: usize> Model<F, CELLS, HIDDEN> {
    /// The parameters of a quantised network. What its buckets have in common becomes the shared part.
    pub fn from_network(network: &Network) -> Parameters<HIDDEN> {
        let mut parameters = Self::zeros();
        let row = |row: &Row, one: i16| row.0.map(|value| f32::from(value) / f32::from(one));
        for (number, parts) in parameters.inputs.chunks_exact_mut(1 + F::INPUT_BUCKETS).enumerate() {
            for bucket in 0..F::INPUT_BUCKETS {
                parts[1 + bucket] = row(&network.inputs[bucket * Self::BUCKET_INPUTS + number], QA);
            }
            for i in 0..HIDDEN {
                let mean = parts[1..].iter().map(|part| part[i]).sum::<f32>() / F::INPUT_BUCKETS as f32;
                parts[0][i] = mean;
                parts[1..].iter_mut().for_each(|part| part[i] -= mean);
            }
        }
        parameters.rest[0] = row(&network.bias, QA);
        for (bucket, OutputWeights { weights, bias }) in network.outputs.iter().enumerate() {
            for (side, weights) in weights.iter().enumerate() {
                parameters.rest[1 + 2 * bucket + side] = row(weights, QB);
            }
            parameters.rest[Self::BIASES][bucket] = *bias as f32 / (f32::from(QA) * f32::from(QB));
        }
        parameters
    }

    /// The network, quantised. `scale` is the score that an output of 1 stands for.
    pub fn to_network(&self, variant: &str, description: String, scale: f64) -> Network {
        let row =
            |row: &Values<HIDDEN>, one: i16| Row(row.map(|value| (value * f32::from(one)).round() as i16));
        let rest = &self.parameters.rest;
        let output = |bucket: usize| OutputWeights {
            weights: [row(&rest[1 + 2 * bucket], QB), row(&rest[2 + 2 * bucket], QB)],
            bias: (rest[Self::BIASES][bucket] * f32::from(QA) * f32::from(QB)).round() as i32,
        };
        Network {
            variant: variant.into(),
            description,
            bias: row(&rest[0], QA),
            inputs: (0..F::INPUTS).map(|input| row(&self.inputs[Self::row(input)], QA)).collect(),
            outputs: (0..F::OUTPUT_BUCKETS).map(output).collect(),
            scale: scale.round() as i32,
        }
    }
}

/// Limits the parts of an input's weights, and adds them up.
pub fn clip_inputs<const H: usize>(parts: &mut [Values<H>]) {
    parts.iter_mut().flatten().for_each(|weight| *weight = weight.clamp(-MAX_INPUT_WEIGHT, MAX_INPUT_WEIGHT));
}

/// Limits the bias of the accumulators and the output weights.
pub fn clip_rest<const H: usize>(rest: &mut [Values<H>]) {
    let last = rest.len() - 1;
    for row in &mut rest[..last] {
        row.iter_mut().for_each(|weight| *weight = weight.clamp(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT));
    }
}

/// Writes the sums of the shared part and of each bucket's part to `sums`.
pub fn merge<const H: usize>(parts: &[Values<H>], sums: &mut [Values<H>]) {
    for (sum, part) in sums.iter_mut().zip(&parts[1..]) {
        *sum = *part;
        add(sum, &parts[0]);
    }
}

/// Adds `row` to `sum`.
#[inline]
pub fn add<const H: usize>(sum: &mut Values<H>, row: &Values<H>) {
    sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
}

/// The number of sums that are added up side by side. A fixed order of additions makes results repeatable, and several
/// sums let the compiler use vectors.
const LANES: usize = 16;

/// The sum of weight times squared clamped value.
#[inline]
fn output_sum<const H: usize>(accumulator: &Values<H>, weights: &Values<H>) -> f32 {
    let mut sums = [0.0; LANES];
    let chunks = accumulator.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0);
    for (values, weights) in chunks {
        for lane in 0..LANES {
            let value = values[lane].clamp(0.0, 1.0);
            sums[lane] += value * value * weights[lane];
        }
    }
    sums.iter().sum()
}

/// Adds the gradient of the output weights, and returns that of the accumulator. `slope` is the gradient of the output.
#[inline]
fn output_gradient<const H: usize>(
    accumulator: &Values<H>,
    weights: &Values<H>,
    slope: f32,
    of_weights: &mut Values<H>,
) -> Values<H> {
    let mut of_accumulator = [0.0; H];
    for i in 0..H {
        let value = accumulator[i].clamp(0.0, 1.0);
        of_weights[i] += slope * value * value;
        let inside = if value == accumulator[i] { 1.0 } else { 0.0 };
        of_accumulator[i] = slope * weights[i] * 2.0 * value * inside;
    }
    of_accumulator
}

fn sigmoid(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Evaluator, Heuristics, Notation};
    use crate::nnue::Accumulators;
    use crate::variants::{self, NetworkVisitor};
    use std::sync::Arc;

    const WIDTH: usize = 16;

    /// Positions of a random game with made-up targets.
    fn positions<G: Notation>() -> Vec<(G, Target)> {
        let (mut position, mut random) = (G::start(), SplitMix64::new(2));
        let mut next = |index: usize| {
            let moves = position.moves();
            position.play(moves[(random.next() % moves.len() as u64) as usize]);
            let target = Target { result: (index % 3) as f32 / 2.0, expected: 0.1 + 0.05 * index as f32 };
            (position.clone(), target)
        };
        (0..16).map(&mut next).collect()
    }

    fn dataset<G: Notation + Features<CELLS>, const CELLS: usize>() -> Dataset<G, CELLS> {
        let mut data = Dataset::new();
        positions::<G>().iter().for_each(|(position, target)| data.push(position, *target));
        data
    }

    /// Compares the gradient with differences of the loss, for a sample of the input weights and of all others.
    struct CheckGradient;

    impl NetworkVisitor for CheckGradient {
        type Output = ();

        fn visit<G, E, const CELLS: usize>(self)
        where
            G: Heuristics + Notation + Features<CELLS>,
            E: Evaluator<G>,
        {
            const STEP: f32 = 1e-2;
            let (data, parameters) = (dataset::<G, CELLS>(), Model::<G, CELLS, WIDTH>::random(3));
            let indices: Vec<u32> = (0..data.len() as u32).collect();
            let mut gradient = Model::<G, CELLS, WIDTH>::zero_gradient();
            let model = Model::<G, CELLS, WIDTH>::new(parameters.clone());
            model.gradient(&data, &indices, data.len(), 0.3, &mut gradient);
            let slope = |change: &dyn Fn(&mut Parameters<WIDTH>, f32)| {
                let loss = |step: f32| {
                    let mut changed = parameters.clone();
                    change(&mut changed, step);
                    Model::<G, CELLS, WIDTH>::new(changed).losses(&data, 0..data.len(), 0.3).means()[2]
                };
                (loss(STEP) - loss(-STEP)) / f64::from(2.0 * STEP)
            };
            let mut compared = 0;
            let mut compare = |slope: f64, expected: f32| {
                assert!((slope - f64::from(expected)).abs() < 1e-4, "{slope} {expected}");
                compared += usize::from(expected.abs() > 3e-4);
            };
            for number in (0..Model::<G, CELLS, WIDTH>::BUCKET_INPUTS).step_by(8) {
                let shared = number * (1 + G::INPUT_BUCKETS);
                let rows = number * G::INPUT_BUCKETS..(number + 1) * G::INPUT_BUCKETS;
                let expected = gradient.inputs[rows].iter().map(|row| row[7]).sum();
                compare(slope(&|changed, step| changed.inputs[shared][7] += step), expected);
            }
            for row in 0..Model::<G, CELLS, WIDTH>::REST {
                for element in 0..8 {
                    let expected = gradient.rest[row][element];
                    compare(slope(&|changed, step| changed.rest[row][element] += step), expected);
                }
            }
            assert!(compared > 20, "only {compared} slopes differ from zero");
        }
    }

    /// Compares the values of a quantised network with those of the model that has its weights.
    struct CheckQuantisation;

    impl NetworkVisitor for CheckQuantisation {
        type Output = ();

        fn visit<G, E, const CELLS: usize>(self)
        where
            G: Heuristics + Notation + Features<CELLS>,
            E: Evaluator<G>,
        {
            let random = Model::<G, CELLS, HIDDEN>::new(Model::<G, CELLS, HIDDEN>::random(1));
            let network = random.to_network(G::VARIANT, String::new(), 1000.0);
            assert_eq!(network.check::<G, CELLS>(G::VARIANT), Ok(()));
            // Only the integer arithmetic differs for weights that are quantised already.
            let parameters = Model::<G, CELLS, HIDDEN>::from_network(&network);
            let model = Model::<G, CELLS, HIDDEN>::new(parameters);
            let data = dataset::<G, CELLS>();
            let mut accumulators = Accumulators::<G, CELLS>::new(Arc::new(network.clone()));
            for (index, (position, _)) in positions::<G>().iter().enumerate() {
                let (_, value) = model.forward(&data, index, &mut Forward::new());
                let score = 1000.0 * (value / (1.0 - value)).ln();
                let quantised = accumulators.evaluate(position) as f32;
                assert!((score - quantised).abs() < 2.0, "{score} {quantised}");
            }
            assert_eq!(model.to_network(G::VARIANT, String::new(), 1000.0), network);
        }
    }

    #[test]
    fn gradient_equals_the_slope_of_the_loss() {
        variants::NETWORK.iter().for_each(|name| variants::visit_network(name, CheckGradient).unwrap());
    }

    #[test]
    fn quantised_network_has_nearly_the_value_of_the_model() {
        variants::NETWORK.iter().for_each(|name| variants::visit_network(name, CheckQuantisation).unwrap());
    }
}
