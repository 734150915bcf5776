//! The network in floating point: its parameters, its value, and the gradient of its loss.
//!
//! The elements of the accumulators are divided into blocks of [`LANES`]. A block keeps everything that belongs to its elements:
//! weights, their gradient, and the optimiser's moments. Threads share the blocks out among themselves, so no two threads write
//! to the same numbers, what a thread works on stays in its cache, and the network does not depend on the number of threads.

use super::dataset::{Batch, Dataset, Example, bucket_inputs, row_of};
use super::optimizer::{Step, Values, Weights};
use crate::game::SplitMix64;
use crate::nnue::{LANES, Lanes, Layout, Network, OutputWeights, QA, QB};

/// Largest absolute value of an output weight. Times [`QB`] it is 126.7.
const MAX_OUTPUT_WEIGHT: f32 = 1.98;
/// The number of positions whose accumulators are kept at the same time.
const CHUNK: usize = 4096;

/// What belongs to some elements of the accumulators.
/// The weights of an input are the sum of two parts: one that all input buckets share, and one of its own (a factoriser,
/// <https://github.com/official-stockfish/nnue-pytorch/blob/master/docs/nnue.md>). What happens often with one king square
/// so teaches the others.
struct Block {
    /// For each input of a bucket: the shared part, then the part of each bucket.
    parts: Weights,
    /// The input weights, the sums of both parts: for each input of a bucket, the row of each bucket.
    inputs: Vec<Values>,
    input_gradient: Vec<Values>,
    /// The bias of the accumulators; for each output bucket the weights of the side to move and of the other side.
    rest: Weights,
    rest_gradient: Vec<Values>,
    /// The accumulators of the last positions, by perspective.
    accumulators: Vec<[Values; 2]>,
    /// What the elements contribute to the outputs of the last positions.
    outputs: Vec<f32>,
}

/// A network that is being trained.
pub struct Model {
    layout: Layout,
    blocks: Vec<Block>,
    /// The biases of the output buckets, in one row.
    biases: Weights,
    bias_gradient: Values,
}

/// Sums of losses over positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    /// Squared difference from the result of the game, where it is known.
    pub result: f64,
    /// Squared difference from the expected result by the score.
    pub expected: f64,
    /// Squared difference from the mix that is trained on.
    pub mix: f64,
    /// The number of positions whose game has a result.
    pub results: u64,
    /// The number of positions.
    pub count: u64,
}

impl Losses {
    pub fn add(&mut self, other: Losses) {
        self.result += other.result;
        self.expected += other.expected;
        self.mix += other.mix;
        self.results += other.results;
        self.count += other.count;
    }

    /// Mean losses: result, expected result, mix.
    pub fn means(&self) -> [f64; 3] {
        let mean = |sum: f64, count: u64| sum / count.max(1) as f64;
        [mean(self.result, self.results), mean(self.expected, self.count), mean(self.mix, self.count)]
    }

    fn count_position(&mut self, example: &Example, value: f32, share: f32) {
        let squared = |wanted: f32| f64::from(value - wanted).powi(2);
        if let Some(result) = example.target.result {
            self.result += squared(result);
            self.results += 1;
        }
        self.expected += squared(example.target.expected);
        self.mix += squared(example.target.mix(share));
        self.count += 1;
    }
}

/// Largest absolute value of a part of an input weight: both together times [`QA`], over all active inputs, fit in 16 bits.
fn max_input_weight(layout: &Layout) -> f32 {
    let weight = i16::MAX as usize / (layout.max_active + 1);
    (weight as f32 / (2 * QA as usize) as f32).min(0.99)
}

impl Model {
    fn zeros(layout: Layout, width: usize) -> Self {
        assert!(layout.output_buckets <= LANES);
        let rest = 1 + 2 * layout.output_buckets;
        let block = |_| Block {
            parts: Weights::zeros(bucket_inputs(&layout) * (1 + layout.input_buckets)),
            inputs: vec![[0.0; LANES]; layout.inputs],
            input_gradient: vec![[0.0; LANES]; layout.inputs],
            rest: Weights::zeros(rest),
            rest_gradient: vec![[0.0; LANES]; rest],
            accumulators: Vec::new(),
            outputs: Vec::new(),
        };
        Model {
            layout,
            blocks: (0..width / LANES).map(block).collect(),
            biases: Weights::zeros(1),
            bias_gradient: [0.0; LANES],
        }
    }

    /// A network of random small weights, with accumulators of `width` elements.
    pub fn random(layout: Layout, width: usize, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut row = |limit: f32| -> Values {
            std::array::from_fn(|_| ((random.next() >> 40) as f32 / (1 << 23) as f32 - 1.0) * limit)
        };
        let of_inputs = (layout.max_active as f32).sqrt().recip().min(max_input_weight(&layout));
        let of_outputs = (2.0 * width as f32).sqrt().recip();
        let mut model = Self::zeros(layout, width);
        for block in &mut model.blocks {
            block
                .parts
                .values
                .iter_mut()
                .step_by(1 + layout.input_buckets)
                .for_each(|part| *part = row(of_inputs));
            block.rest.values[0] = row(of_inputs);
            block.rest.values[1..].iter_mut().for_each(|weights| *weights = row(of_outputs));
            block.merge_all(layout.input_buckets);
        }
        model
    }

    /// The number of elements of an accumulator.
    pub fn width(&self) -> usize {
        self.blocks.len() * LANES
    }

    /// The state of the training: all parameters and the optimiser's moments.
    pub fn state(&self) -> impl Iterator<Item = &Values> {
        let of_blocks = self.blocks.iter().flat_map(|block| [&block.parts, &block.rest]);
        of_blocks.chain([&self.biases]).flat_map(Weights::state)
    }

    /// Sets the [state](Self::state) of the training.
    pub fn set_state(&mut self, mut values: impl FnMut() -> Values) {
        let of_blocks = self.blocks.iter_mut().flat_map(|block| [&mut block.parts, &mut block.rest]);
        let all = of_blocks.chain([&mut self.biases]).flat_map(Weights::state_mut);
        all.for_each(|row| *row = values());
        self.blocks.iter_mut().for_each(|block| block.merge_all(self.layout.input_buckets));
    }

    fn for_each_block(&mut self, threads: usize, work: impl Fn(&mut Block) + Sync) {
        let (each, work) = (self.blocks.len().div_ceil(threads), &work);
        std::thread::scope(|scope| {
            for blocks in self.blocks.chunks_mut(each) {
                scope.spawn(move || blocks.iter_mut().for_each(work));
            }
        });
    }

    /// The expected results of the positions of `batches`, for the side to move. The blocks keep the accumulators.
    fn forward(&mut self, batches: &[Batch], threads: usize) -> Vec<f32> {
        self.for_each_block(threads, |block| block.forward(batches));
        let examples = batches.iter().flat_map(|batch| &batch.examples).enumerate();
        let value = |(index, example): (usize, &Example)| {
            let output: f32 = self.blocks.iter().map(|block| block.outputs[index]).sum();
            sigmoid(output + self.biases.values[0][example.bucket])
        };
        examples.map(value).collect()
    }

    /// Adds the gradient of the loss on the positions `indices` of `data`, with the weight 1 / `size` each, and returns the losses.
    /// `share` is the share of the result in the target, `image` the image of the board in which each is shown.
    fn add_gradient(
        &mut self,
        data: &Dataset,
        indices: &[u32],
        image: impl Fn(usize) -> usize + Copy + Sync,
        size: usize,
        share: f32,
        threads: usize,
    ) -> Losses {
        let mut losses = Losses::default();
        for chunk in indices.chunks(CHUNK) {
            let indices = chunk.iter().map(|&index| index as usize);
            let batches = data.batches(indices, image, threads);
            let values = self.forward(&batches, threads);
            let examples = batches.iter().flat_map(|batch| &batch.examples);
            let slope = |(example, value): (&Example, f32)| {
                losses.count_position(example, value, share);
                let slope = 2.0 * (value - example.target.mix(share)) * value * (1.0 - value) / size as f32;
                self.bias_gradient[example.bucket] += slope;
                slope
            };
            let slopes: Vec<f32> = examples.zip(values).map(slope).collect();
            self.for_each_block(threads, |block| block.backward(&batches, &slopes));
        }
        losses
    }

    /// Makes one step with the gradient of the mean loss on the positions `indices` of `data`, and returns the losses before it.
    /// In each pass, a random image of each position is shown, which depends on `pass`.
    pub fn train(
        &mut self,
        data: &Dataset,
        indices: &[u32],
        pass: u64,
        share: f32,
        step: Step,
        threads: usize,
    ) -> Losses {
        let random = |index: usize| SplitMix64::new(pass << 32 | index as u64).next();
        let symmetries = self.layout.symmetries as u64;
        let image = |index| (random(index) % symmetries) as usize;
        let losses = self.add_gradient(data, indices, image, indices.len(), share, threads);
        let (buckets, limit) = (self.layout.input_buckets, max_input_weight(&self.layout));
        self.for_each_block(threads, |block| block.step(step, buckets, limit));
        self.biases.update(0, &mut self.bias_gradient, step, f32::INFINITY);
        losses
    }

    /// The losses on all positions of `data`.
    pub fn losses(&mut self, data: &Dataset, share: f32, threads: usize) -> Losses {
        let mut losses = Losses::default();
        for start in (0..data.len()).step_by(CHUNK) {
            let batches = data.batches(start..data.len().min(start + CHUNK), |_| 0, threads);
            let values = self.forward(&batches, threads);
            let examples = batches.iter().flat_map(|batch| &batch.examples).zip(values);
            examples.for_each(|(example, value)| losses.count_position(example, value, share));
        }
        losses
    }

    /// The model of a quantised network. What its buckets have in common becomes the shared part.
    pub fn from_network(layout: Layout, network: &Network) -> Self {
        let mut model = Self::zeros(layout, network.width());
        let buckets = layout.input_buckets;
        for (lanes, block) in model.blocks.iter_mut().enumerate() {
            let values =
                |row: &[Lanes], one: i16| row[lanes].0.map(|weight| f32::from(weight) / f32::from(one));
            for (number, parts) in block.parts.values.chunks_exact_mut(1 + buckets).enumerate() {
                let (shared, parts) = parts.split_first_mut().expect("the shared part is first");
                for (bucket, part) in parts.iter_mut().enumerate() {
                    *part = values(network.row(bucket * bucket_inputs(&layout) + number), QA);
                }
                *shared =
                    std::array::from_fn(|i| parts.iter().map(|part| part[i]).sum::<f32>() / buckets as f32);
                parts.iter_mut().for_each(|part| {
                    part.iter_mut().zip(&*shared).for_each(|(value, shared)| *value -= shared);
                });
            }
            block.rest.values[0] = values(&network.bias, QA);
            let of_outputs = network.outputs.iter().flat_map(|output| &output.weights);
            for (row, weights) in block.rest.values[1..].iter_mut().zip(of_outputs) {
                *row = values(weights, QB);
            }
            block.merge_all(buckets);
        }
        for (bias, output) in model.biases.values[0].iter_mut().zip(&network.outputs) {
            *bias = output.bias as f32 / (f32::from(QA) * f32::from(QB));
        }
        model
    }

    /// The model whose parameters are the means of those of `models`: at least one, all of the same size. The mean of a network and
    /// of some that were trained on from it can err less than each of them (Wortsman et al. 2022,
    /// <https://arxiv.org/abs/2109.01903>, <https://arxiv.org/abs/2203.05482>).
    pub fn mean(models: Vec<Model>) -> Model {
        let count = models.len() as f32;
        let mut models = models.into_iter();
        let mut mean = models.next().expect("there is a model");
        let mut sums: Vec<Values> = mean.state().copied().collect();
        for model in models {
            sums.iter_mut().zip(model.state()).for_each(|(sum, values)| add(sum, values));
        }
        let mut sums = sums.into_iter();
        mean.set_state(|| sums.next().expect("the states are equally long").map(|sum| sum / count));
        mean
    }

    /// The network, quantised. `scale` is the score that an output of 1 stands for.
    pub fn to_network(&self, variant: &str, description: String, scale: f64) -> Network {
        let lanes = |row: &Values, one: i16| Lanes(row.map(|value| (value * f32::from(one)).round() as i16));
        let rest = |row: usize, one: i16| -> Box<[Lanes]> {
            self.blocks.iter().map(|block| lanes(&block.rest.values[row], one)).collect()
        };
        let output = |bucket: usize| OutputWeights {
            weights: [rest(1 + 2 * bucket, QB), rest(2 + 2 * bucket, QB)],
            bias: (self.biases.values[0][bucket] * f32::from(QA) * f32::from(QB)).round() as i32,
        };
        let row = |input: usize| {
            self.blocks.iter().map(move |block| lanes(&block.inputs[row_of(&self.layout, input)], QA))
        };
        Network {
            variant: variant.into(),
            description,
            bias: rest(0, QA),
            inputs: (0..self.layout.inputs).flat_map(row).collect(),
            outputs: (0..self.layout.output_buckets).map(output).collect(),
            scale: scale.round() as i32,
        }
    }
}

/// Not inlined into the closures that threads run: there the compiler used fewer vectors, and training took five times as long.
impl Block {
    #[inline(never)]
    fn forward(&mut self, batches: &[Batch]) {
        self.accumulators.clear();
        self.outputs.clear();
        let bias = self.rest.values[0];
        for (example, rows) in batches.iter().flat_map(Batch::examples) {
            let mut accumulators = [bias; 2];
            for (perspective, sum) in accumulators.iter_mut().enumerate() {
                add_rows(sum, rows.iter().map(|row| &self.inputs[row[perspective] as usize]));
            }
            let (us, weights) = (example.perspective, &self.rest.values[1 + 2 * example.bucket..]);
            let output =
                output_sum(&accumulators[us], &weights[0]) + output_sum(&accumulators[1 - us], &weights[1]);
            self.accumulators.push(accumulators);
            self.outputs.push(output);
        }
    }

    /// Adds to the gradients. `slopes` are those of the loss by the outputs of the positions of `batches`, which were the last of
    /// [`Block::forward`].
    #[inline(never)]
    fn backward(&mut self, batches: &[Batch], slopes: &[f32]) {
        let examples = batches.iter().flat_map(Batch::examples);
        for (((example, rows), slope), accumulators) in examples.zip(slopes).zip(&self.accumulators) {
            for (perspective, accumulator) in accumulators.iter().enumerate() {
                let weights = 1 + 2 * example.bucket + (perspective ^ example.perspective);
                let of_weights = &mut self.rest_gradient[weights];
                let of_accumulator =
                    output_gradient(accumulator, &self.rest.values[weights], *slope, of_weights);
                add(&mut self.rest_gradient[0], &of_accumulator);
                for row in rows {
                    add(&mut self.input_gradient[row[perspective] as usize], &of_accumulator);
                }
            }
        }
    }

    /// Makes one step of the optimiser with the gradients, and sets them to zero.
    #[inline(never)]
    fn step(&mut self, step: Step, buckets: usize, max_input_weight: f32) {
        for (number, gradients) in self.input_gradient.chunks_exact_mut(buckets).enumerate() {
            let first = number * (1 + buckets);
            let mut shared = [0.0; LANES];
            for (bucket, gradient) in gradients.iter_mut().enumerate() {
                add(&mut shared, gradient);
                self.parts.update(first + 1 + bucket, gradient, step, max_input_weight);
            }
            self.parts.update(first, &mut shared, step, max_input_weight);
        }
        self.merge_all(buckets);
        for (row, gradient) in self.rest_gradient.iter_mut().enumerate() {
            self.rest.update(row, gradient, step, MAX_OUTPUT_WEIGHT);
        }
    }

    /// Adds up the parts of all input weights.
    fn merge_all(&mut self, buckets: usize) {
        let parts = self.parts.values.chunks_exact(1 + buckets);
        for (sums, parts) in self.inputs.chunks_exact_mut(buckets).zip(parts) {
            for (sum, part) in sums.iter_mut().zip(&parts[1..]) {
                *sum = *part;
                add(sum, &parts[0]);
            }
        }
    }
}

#[inline]
fn add(sum: &mut Values, row: &Values) {
    sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
}

#[inline(always)]
fn add_rows<'a>(sum: &mut Values, rows: impl Iterator<Item = &'a Values> + Clone) {
    /// The elements that are summed up together: few enough to stay in registers.
    const ELEMENTS: usize = 32;
    for (part, sum) in sum.as_chunks_mut::<ELEMENTS>().0.iter_mut().enumerate() {
        let mut values = *sum;
        for row in rows.clone() {
            let weights = &row.as_chunks::<ELEMENTS>().0[part];
            values.iter_mut().zip(weights).for_each(|(value, weight)| *value += weight);
        }
        *sum = values;
    }
}

/// The sum of weight times squared clamped value.
#[inline]
fn output_sum(accumulator: &Values, weights: &Values) -> f32 {
    /// Sums that are added up side by side: a fixed order makes results repeatable, and the compiler can use vectors.
    const SUMS: usize = 16;
    let mut sums = [0.0; SUMS];
    let chunks = accumulator.as_chunks::<SUMS>().0.iter().zip(weights.as_chunks::<SUMS>().0);
    for (values, weights) in chunks {
        for i in 0..SUMS {
            let value = values[i].clamp(0.0, 1.0);
            sums[i] += value * value * weights[i];
        }
    }
    sums.iter().sum()
}

/// Adds the gradient of the output weights, and returns that of the accumulator. `slope` is the gradient of the output.
#[inline]
fn output_gradient(accumulator: &Values, weights: &Values, slope: f32, of_weights: &mut Values) -> Values {
    let mut of_accumulator = [0.0; LANES];
    for i in 0..LANES {
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
    use super::super::dataset::Target;
    use super::*;
    use crate::game::{Heuristics, Notation};
    use crate::nnue::{Accumulators, Features};
    use crate::variants::{NETWORK, with_network_game};
    use std::sync::Arc;

    /// Positions of a random game with made-up targets.
    fn positions<G: Notation>(start: &G) -> Vec<(G, Target)> {
        let (mut position, mut random) = (start.clone(), SplitMix64::new(2));
        let mut next = |index: usize| {
            let moves = position.moves();
            position.play(moves[(random.next() % moves.len() as u64) as usize]);
            let target =
                Target { result: Some((index % 3) as f32 / 2.0), expected: 0.1 + 0.05 * index as f32 };
            (position.clone(), target)
        };
        (0..16).map(&mut next).collect()
    }

    fn dataset<G: Notation + Features<CELLS>, const CELLS: usize>(start: &G) -> Dataset {
        let mut data = Dataset::new(Layout::of::<G, CELLS>());
        positions(start).iter().for_each(|(position, target)| data.push(position, *target));
        data
    }

    /// A sample of the inputs of a bucket, and some that are active, but in one cell of a position at most: a step of the
    /// weight of an input in many cells takes many accumulators past a limit of the clipped activation.
    fn inputs_to_compare(data: &Dataset) -> Vec<usize> {
        let inputs = bucket_inputs(&data.layout);
        let mut most = vec![0; inputs];
        for (_, rows) in data.batches(0..data.len(), |_| 0, 1)[0].examples() {
            for perspective in 0..2 {
                let mut counts = vec![0; inputs];
                rows.iter()
                    .for_each(|row| counts[row[perspective] as usize / data.layout.input_buckets] += 1);
                most.iter_mut().zip(counts).for_each(|(most, count)| *most = count.max(*most));
            }
        }
        let once = (0..inputs).filter(|&number| most[number] == 1).take(48);
        (0..inputs).step_by(inputs / 48).chain(once).collect()
    }

    /// Compares the gradient with differences of the loss, for some of the input weights and a sample of all others.
    fn check_gradient<G: Heuristics + Notation + Features<CELLS>, const CELLS: usize>(start: &G) {
        const STEP: f32 = 2e-3;
        let (data, layout) = (dataset::<G, CELLS>(start), Layout::of::<G, CELLS>());
        let indices: Vec<u32> = (0..data.len() as u32).collect();
        let mut model = Model::random(layout, 2 * LANES, 1);
        model.add_gradient(&data, &indices, |_| 0, indices.len(), 0.3, 2);
        let mut changed = Model::random(layout, 2 * LANES, 1);
        let mut slope = |change: &dyn Fn(&mut Model, f32)| {
            let mut loss = |step: f32| {
                change(&mut changed, step);
                changed.blocks[1].merge_all(G::INPUT_BUCKETS);
                changed.losses(&data, 0.3, 1).means()[2]
            };
            let (above, below) = (loss(STEP), loss(-2.0 * STEP));
            change(&mut changed, STEP);
            (above - below) / f64::from(2.0 * STEP)
        };
        let mut compared = 0;
        let mut compare = |slope: f64, expected: f32| {
            assert!((slope - f64::from(expected)).abs() < 1e-4, "{slope} {expected}");
            compared += usize::from(expected.abs() > 1e-4);
        };
        for number in inputs_to_compare(&data) {
            let shared = number * (1 + G::INPUT_BUCKETS);
            let rows = number * G::INPUT_BUCKETS..(number + 1) * G::INPUT_BUCKETS;
            let expected = model.blocks[1].input_gradient[rows].iter().map(|row| row[7]).sum();
            compare(slope(&|changed, step| changed.blocks[1].parts.values[shared][7] += step), expected);
        }
        for row in 0..model.blocks[1].rest_gradient.len() {
            for element in 0..16 {
                let expected = model.blocks[1].rest_gradient[row][element];
                let change = |changed: &mut Model, step: f32| {
                    changed.blocks[1].rest.values[row][element] += step;
                };
                compare(slope(&change), expected);
            }
        }
        for bucket in 0..G::OUTPUT_BUCKETS {
            let expected = model.bias_gradient[bucket];
            compare(slope(&|changed, step| changed.biases.values[0][bucket] += step), expected);
        }
        assert!(compared > 20, "{}: only {compared} slopes differ from zero", start.variant());
    }

    /// Compares the values of a quantised network with those of the model that has its weights.
    fn check_quantisation<G: Heuristics + Notation + Features<CELLS>, const CELLS: usize>(start: &G) {
        let layout = Layout::of::<G, CELLS>();
        for width in [LANES, 256, 384] {
            let network = Model::random(layout, width, 1).to_network(start.variant(), String::new(), 1000.0);
            assert_eq!(network.check(start.variant(), &layout), Ok(()));
            // Only the integer arithmetic differs for weights that are quantised already.
            let mut model = Model::from_network(layout, &network);
            let data = dataset::<G, CELLS>(start);
            let values = model.forward(&data.batches(0..data.len(), |_| 0, 2), 1);
            let mut accumulators = Accumulators::<G, CELLS>::new(Arc::new(network.clone()));
            for ((position, _), value) in positions(start).iter().zip(values) {
                let score = 1000.0 * (value / (1.0 - value)).ln();
                let quantised = accumulators.evaluate(position) as f32;
                assert!((score - quantised).abs() < 2.0, "{score} {quantised}");
            }
            assert_eq!(model.to_network(start.variant(), String::new(), 1000.0), network);
        }
    }

    #[test]
    fn gradient_equals_the_slope_of_the_loss() {
        for name in NETWORK {
            with_network_game!(name, |start, CELLS| check_gradient::<_, CELLS>(&start)).unwrap();
        }
    }

    #[test]
    fn quantised_network_has_nearly_the_value_of_the_model() {
        for name in NETWORK {
            with_network_game!(name, |start, CELLS| check_quantisation::<_, CELLS>(&start)).unwrap();
        }
    }
}
