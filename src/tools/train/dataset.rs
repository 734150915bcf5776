//! Training positions, each packed into a record of a few bytes.

use super::scale::ScoreCounts;
use crate::data::{Filter, ReadError, Reader};
use crate::game::{Evaluator, Heuristics, Notation, Side, SplitMix64, Variant};
use crate::nnue::{Content, Features, Layout};
use anyhow::{Context, ensure};
use std::path::{Path, PathBuf};

/// One game in this number is held out: it is not trained on, and the loss on it is reported.
const HELD_OUT_EVERY: u64 = 50;

/// The value that a training position gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Labels {
    /// The search's score of the position.
    Search,
    /// The static evaluation of a position one or two random moves later. Such positions cost no search, and teach a network
    /// the hand-written evaluation first.
    Static,
}

/// Positions of games, packed.
pub struct Dataset {
    pub layout: Layout,
    bytes: Vec<u8>,
}

/// The target of a position: both from the point of view of the side to move, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The result of the game, if it is known.
    pub result: Option<f32>,
    /// The expected result by the score.
    pub expected: f32,
}

impl Target {
    /// The mean of both, `share` of it the result. Without a result, what is expected.
    pub fn mix(self, share: f32) -> f32 {
        self.result.map_or(self.expected, |result| share * result + (1.0 - share) * self.expected)
    }
}

/// A position of a [`Dataset`].
pub struct Example {
    /// The perspective of the side to move.
    pub perspective: usize,
    pub bucket: usize,
    /// What the network should say.
    pub target: Target,
}

/// The number of inputs of a bucket.
pub fn bucket_inputs(layout: &Layout) -> usize {
    layout.inputs / layout.input_buckets
}

/// The row of `input` in the model: inputs with the same number in their buckets are neighbours.
#[inline]
pub fn row_of(layout: &Layout, input: usize) -> usize {
    input % bucket_inputs(layout) * layout.input_buckets + input / bucket_inputs(layout)
}

/// Positions of a [`Dataset`], unpacked.
#[derive(Default)]
pub struct Batch {
    pub examples: Vec<Example>,
    /// The rows of the active inputs of the perspectives 0 and 1, position by position.
    rows: Vec<[u32; 2]>,
    /// The number of rows up to the end of each position.
    ends: Vec<usize>,
}

impl Batch {
    /// Each position with the rows of its active inputs, of the perspectives 0 and 1.
    pub fn examples(&self) -> impl Iterator<Item = (&Example, &[[u32; 2]])> {
        let starts = std::iter::once(&0).chain(&self.ends);
        let rows = starts.zip(&self.ends).map(|(&start, &end)| &self.rows[start..end]);
        self.examples.iter().zip(rows)
    }
}

impl Dataset {
    /// Two views; bucket and perspective; result in halves or [`Self::NO_RESULT`]; the expected result in two bytes.
    const OTHER: usize = 6;
    const NO_RESULT: u8 = u8::MAX;
    /// The expected result 1.
    const ONE: f32 = 65535.0;

    /// An empty set of positions of a game with this layout.
    pub fn new(layout: Layout) -> Self {
        assert!([4, 8, 16].contains(&layout.content_bits));
        Dataset { layout, bytes: Vec::new() }
    }

    /// The bytes that say which cells have an input.
    fn occupancy(&self) -> usize {
        self.layout.cells.div_ceil(8)
    }

    /// The bytes of the contents, and one more, so that two can be read everywhere.
    fn contents(&self) -> usize {
        (self.layout.max_active * self.layout.content_bits).div_ceil(8) + 1
    }

    /// The bytes of a position.
    fn record(&self) -> usize {
        self.occupancy() + self.contents() + Self::OTHER
    }

    pub fn len(&self) -> usize {
        self.bytes.len() / self.record()
    }

    /// The two bytes in which content `number` of a record is, and the place of its lowest bit there.
    #[inline]
    fn place(&self, number: usize) -> (std::ops::Range<usize>, usize) {
        let bit = number * self.layout.content_bits;
        (bit / 8..bit / 8 + 2, bit % 8)
    }

    /// Adds a position of the game, unless networks do not evaluate it or it has more than [`Layout::max_active`] cells with an
    /// input.
    pub fn push<F: Features<CELLS>, const CELLS: usize>(&mut self, position: &F, target: Target) {
        if !position.is_covered() {
            return;
        }
        let cells = position.cells();
        let filled = |cell: &usize| cells[*cell] != F::EMPTY;
        if (0..CELLS).filter(filled).count() > F::MAX_ACTIVE {
            return;
        }
        let mut record = vec![0; self.record()];
        let (occupancy, rest) = record.split_at_mut(self.occupancy());
        let (contents, other) = rest.split_at_mut(self.contents());
        for (number, cell) in (0..CELLS).filter(filled).enumerate() {
            debug_assert!(cells[cell].index() < 1 << F::CONTENT_BITS);
            occupancy[cell / 8] |= 1 << (cell % 8);
            let (bytes, shift) = self.place(number);
            let content = ((cells[cell].index() as u16) << shift).to_le_bytes();
            contents[bytes].iter_mut().zip(content).for_each(|(byte, bits)| *byte |= bits);
        }
        let bucket_and_side = (position.output_bucket() << 1 | position.perspective()) as u8;
        let [low, high] = ((target.expected * Self::ONE).round() as u16).to_le_bytes();
        let halves = target.result.map_or(Self::NO_RESULT, |result| (2.0 * result) as u8);
        let (view0, view1) = (position.view(0) as u8, position.view(1) as u8);
        other.copy_from_slice(&[view0, view1, bucket_and_side, halves, low, high]);
        self.bytes.extend(record);
    }

    /// The positions `indices`, unpacked by `threads` threads. `image` gives the image of the board in which each is shown.
    pub fn batches(
        &self,
        indices: impl ExactSizeIterator<Item = usize>,
        image: impl Fn(usize) -> usize + Copy + Sync,
        threads: usize,
    ) -> Vec<Batch> {
        let indices: Vec<usize> = indices.collect();
        std::thread::scope(|scope| {
            let unpack = |indices: &[usize]| {
                let mut batch = Batch::default();
                indices.iter().for_each(|&index| self.unpack(index, image(index), &mut batch));
                batch
            };
            let parts = indices.chunks(indices.len().div_ceil(threads).max(1));
            let running: Vec<_> = parts.map(|part| scope.spawn(move || unpack(part))).collect();
            running.into_iter().map(|thread| thread.join().expect("unpacking does not panic")).collect()
        })
    }

    #[inline]
    fn unpack(&self, index: usize, image: usize, batch: &mut Batch) {
        let Layout { content_bits, input, image: image_of, .. } = self.layout;
        let record = &self.bytes[index * self.record()..][..self.record()];
        let (occupancy, rest) = record.split_at(self.occupancy());
        let (contents, other) = rest.split_at(self.contents());
        let views = [usize::from(other[0]), usize::from(other[1])];
        let mut number = 0;
        for (byte, &bits) in occupancy.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let cell = 8 * byte + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let (bytes, shift) = self.place(number);
                let bytes: [u8; 2] = contents[bytes].try_into().expect("two bytes");
                let content = u16::from_le_bytes(bytes) >> shift & (u16::MAX >> (16 - content_bits));
                number += 1;
                let cell = image_of(cell, image);
                batch
                    .rows
                    .push(views.map(|view| row_of(&self.layout, input(view, cell, content.into())) as u32));
            }
        }
        batch.ends.push(batch.rows.len());
        let expected = f32::from(u16::from_le_bytes([other[4], other[5]])) / Self::ONE;
        batch.examples.push(Example {
            perspective: usize::from(other[2] & 1),
            bucket: usize::from(other[2] >> 1),
            target: Target {
                result: (other[3] != Self::NO_RESULT).then(|| f32::from(other[3]) / 2.0),
                expected,
            },
        });
    }
}

pub struct Sets {
    pub training: Dataset,
    pub held_out: Dataset,
    /// The number of positions of each file.
    pub positions: Vec<usize>,
}

/// The scale of the scores of each file, at which the expected result is 1 / (1 + 1/e), fitted to its results. A file in which too
/// few games have a result gets the mean scale of the others, weighted by their positions.
///
/// # Errors
/// If a file cannot be read, or if no file has enough results.
pub fn fit_scales<G: Heuristics + Notation>(
    start: &G,
    files: &[PathBuf],
    threads: usize,
) -> anyhow::Result<Vec<f64>> {
    let mut counts = Vec::new();
    read_files(start, files, threads, count_scores, |part| counts.push(part))?;
    let fits: Vec<_> = counts.iter().map(ScoreCounts::fit).collect();
    let (mut total, mut sum) = (0, 0.0);
    for (counts, fit) in counts.iter().zip(&fits) {
        let Some(scale) = fit else { continue };
        total += counts.positions;
        sum += scale * counts.positions as f64;
    }
    ensure!(
        total > 0,
        "expected --score-scale, or a file whose games have results, to which the scale of the scores is fitted"
    );
    let mean_scale = sum / total as f64;
    Ok(fits.into_iter().map(|fit| fit.unwrap_or(mean_scale)).collect())
}

/// Reads `files` of games that begin at `start`, whose scores have `scales`, with `threads` threads, each file by one thread. The
/// result does not depend on their number.
///
/// # Errors
/// If a file cannot be read.
pub fn read<G: Variant + Features<CELLS>, const CELLS: usize>(
    start: &G,
    files: &[PathBuf],
    scales: &[f64],
    labels: Labels,
    seed: u64,
    threads: usize,
) -> anyhow::Result<Sets> {
    let layout = Layout::of::<G, CELLS>();
    let (mut training, mut held_out, mut positions) =
        (Dataset::new(layout), Dataset::new(layout), Vec::new());
    let read_one = |start: &G, index: usize, path: &Path| {
        read_positions(start, path, labels, scales[index], seed.wrapping_add(index as u64))
    };
    read_files(start, files, threads, read_one, |[in_training, in_held_out]| {
        positions.push(in_training.len() + in_held_out.len());
        training.bytes.extend(in_training.bytes);
        held_out.bytes.extend(in_held_out.bytes);
    })?;
    Ok(Sets { training, held_out, positions })
}

/// Calls `read` with `start`, the index and the path of each file in threads, `threads` files at a time, and `each` with what it
/// returns, in the order of the files.
fn read_files<G: Clone + Send, T: Send>(
    start: &G,
    files: &[PathBuf],
    threads: usize,
    read: impl Fn(&G, usize, &Path) -> Result<T, ReadError> + Sync,
    mut each: impl FnMut(T),
) -> anyhow::Result<()> {
    let numbered: Vec<(usize, &Path)> = files.iter().map(PathBuf::as_path).enumerate().collect();
    for group in numbered.chunks(threads) {
        let parts: Vec<_> = std::thread::scope(|scope| {
            let begin = |(index, path)| {
                let (start, read) = (start.clone(), &read);
                scope.spawn(move || read(&start, index, path))
            };
            let running: Vec<_> = group.iter().copied().map(begin).collect();
            running.into_iter().map(|thread| thread.join().expect("reading does not panic")).collect()
        });
        for (part, (_, path)) in parts.into_iter().zip(group) {
            each(part.with_context(|| path.display().to_string())?);
        }
    }
    Ok(())
}

/// Calls `each` with every position that the filter of the game keeps, the score in the game's unit for the side to move, the
/// result for the side to move if it is known, and the number of its game.
fn for_each_position<G: Heuristics + Notation>(
    start: &G,
    path: &Path,
    mut each: impl FnMut(&G, i32, Option<f64>, u64),
) -> Result<(), ReadError> {
    let filter = Filter::quiet::<G>();
    for (game, record) in (0..).zip(Reader::open(path, start.clone())?) {
        record?.replay(|sample| {
            if filter.keeps(&sample) {
                let is_white = sample.position.side_to_move() == Side::White;
                let result = sample.white_result().map(|white| if is_white { white } else { 1.0 - white });
                each(sample.position, sample.score.value(), result, game);
            }
        });
    }
    Ok(())
}

fn count_scores<G: Heuristics + Notation>(
    start: &G,
    _: usize,
    path: &Path,
) -> Result<ScoreCounts, ReadError> {
    let mut counts = ScoreCounts::default();
    for_each_position(start, path, |_, score, result, _| counts.add(score, result))?;
    Ok(counts)
}

/// The positions of one file to train on, and those held out.
fn read_positions<G: Variant + Features<CELLS>, const CELLS: usize>(
    start: &G,
    path: &Path,
    labels: Labels,
    scale: f64,
    seed: u64,
) -> Result<[Dataset; 2], ReadError> {
    let mut sets = [(); 2].map(|()| Dataset::new(Layout::of::<G, CELLS>()));
    let (mut random, mut evaluator) = (SplitMix64::new(seed), G::Evaluator::new(None));
    for_each_position(start, path, |position, score, result, game| {
        let set = &mut sets[usize::from(game % HELD_OUT_EVERY == 0)];
        let expected = |score: i32| (1.0 / (1.0 + (-f64::from(score) / scale).exp())) as f32;
        match labels {
            Labels::Search => {
                let result = result.map(|result| result as f32);
                set.push(position, Target { result, expected: expected(score) });
            }
            Labels::Static => {
                let Some(position) = after_random_moves(position, &mut random) else { return };
                evaluator.reset(&position);
                let expected = expected(evaluator.evaluate(&position).value());
                // A position off the game has no result of its own.
                set.push(&position, Target { result: None, expected });
            }
        }
    })?;
    Ok(sets)
}

/// The position one or two random moves after `position`; `None` if the game is over then.
fn after_random_moves<G: Heuristics + Notation>(position: &G, random: &mut SplitMix64) -> Option<G> {
    let mut position = position.clone();
    for _ in 0..1 + random.next() % 2 {
        let moves = position.moves();
        let mv = *moves.get((random.next() % moves.len().max(1) as u64) as usize)?;
        position.play(mv);
    }
    (position.outcome_or_claim().is_none()).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::with_network_game;

    #[test]
    fn positions_that_networks_do_not_evaluate_are_left_out() {
        fn check<G: Notation + Features<CELLS>, const CELLS: usize>(start: &G) {
            let mut data = Dataset::new(Layout::of::<G, CELLS>());
            for (size, len) in [(13, 0), (9, 1)] {
                let text = vec![size.to_string(); size].join("/") + " b - 0 7";
                let game = start.parse_position(&text).unwrap().game;
                data.push(&game, Target { result: Some(0.5), expected: 0.5 });
                assert_eq!(data.len(), len, "{text}");
            }
        }
        with_network_game!("go", |start, CELLS| check::<_, CELLS>(&start)).unwrap();
    }
}
