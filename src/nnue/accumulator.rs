//! Accumulators along a line of moves, and those of the last position in each view.

use super::features::Features;
use super::network::{HIDDEN, Network, Row};
use arrayvec::ArrayVec;
use std::marker::PhantomData;
use std::sync::Arc;

/// The sum of the input weights of some position's cells in one view.
///
/// It is always the sum that belongs to its view and cells, so that any accumulator of the same view can be updated to
/// any position: only the cells that differ count.
#[derive(Clone, Debug)]
struct Accumulator<const CELLS: usize> {
    sum: Row,
    cells: [u8; CELLS],
    view: usize,
}

/// The moves of a line that needs no further memory. No search goes deeper.
const LINE_MOVES: usize = 256;

/// Evaluates the positions along a line of moves with a network.
///
/// No method needs the moves: a position is compared with the positions evaluated last, at the same place in the line (a
/// sibling), one move earlier (the parent), or in the same view, and the accumulator of one of them is updated.
#[derive(Clone, Debug)]
pub struct Accumulators<F, const CELLS: usize> {
    network: Arc<Network>,
    /// The accumulators of both perspectives after each move of the line, the position before the first move at index
    /// 0; those after index `length` belong to lines that were left.
    line: Vec<[Accumulator<CELLS>; 2]>,
    /// The number of moves of the line.
    length: usize,
    /// The accumulator of the last position that was compared with no other, for each view.
    views: Box<[Accumulator<CELLS>]>,
    features: PhantomData<fn(F)>,
}

impl<F: Features<CELLS>, const CELLS: usize> Accumulators<F, CELLS> {
    /// Accumulators for `network`, which must fit `F` ([`Network::check`]), with the memory for the
    /// longest line of a search.
    pub fn new(network: Arc<Network>) -> Self {
        let empty = |view| Accumulator { sum: network.bias, cells: [F::EMPTY; CELLS], view };
        let views: Box<[_]> = (0..F::VIEWS).map(empty).collect();
        let line = vec![[views[0].clone(), views[0].clone()]; LINE_MOVES + 1];
        Accumulators { network, line, length: 0, views, features: PhantomData }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Adds a move to the line.
    #[inline]
    pub fn push(&mut self) {
        self.length += 1;
        if self.length == self.line.len() {
            self.line.push([self.views[0].clone(), self.views[0].clone()]);
        }
    }

    /// Takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        self.length -= 1;
    }

    /// Starts a new line.
    pub fn reset(&mut self) {
        self.length = 0;
    }

    /// The value of `position`, the one after the moves of the line, in the game's unit, for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &F) -> i32 {
        let cells = position.cells();
        for perspective in [0, 1] {
            self.update(perspective, position.view(perspective), &cells);
        }
        self.output(position, position.output_bucket())
    }

    /// The value in another output bucket, after [`Accumulators::evaluate`] of the same position.
    pub fn output(&self, position: &F, bucket: usize) -> i32 {
        let (accumulators, us) = (&self.line[self.length], position.perspective());
        self.network.output([&accumulators[us].sum, &accumulators[1 - us].sum], bucket)
    }

    /// Makes the accumulator of `perspective` at the end of the line that of `cells` in `view`.
    #[inline]
    fn update(&mut self, perspective: usize, view: usize, cells: &[u8; CELLS]) {
        let network = &*self.network;
        let (before, rest) = self.line.split_at_mut(self.length);
        let last = &mut rest[0][perspective];
        let parent = before.last().map(|both| &both[perspective]).filter(|parent| parent.view == view);
        let to_last = if last.view == view { count_differences(&last.cells, cells) } else { usize::MAX };
        if to_last == 0 {
            return;
        }
        if let Some(parent) = parent.filter(|parent| count_differences(&parent.cells, cells) <= to_last) {
            update_sum::<F, CELLS>(network, view, Some(&parent.sum), &mut last.sum, &parent.cells, cells);
        } else if last.view == view {
            update_sum::<F, CELLS>(network, view, None, &mut last.sum, &last.cells, cells);
        } else {
            let cached = &mut self.views[view];
            update_sum::<F, CELLS>(network, view, None, &mut cached.sum, &cached.cells, cells);
            cached.cells = *cells;
            last.sum = cached.sum;
        }
        (last.cells, last.view) = (*cells, view);
    }
}

/// The number of cells in which `one` and `other` differ.
#[inline]
fn count_differences<const CELLS: usize>(one: &[u8; CELLS], other: &[u8; CELLS]) -> usize {
    /// Cells whose number fits 8 bits: the sum then stays in vectors of bytes.
    const CHUNK: usize = 128;
    let count = |(one, other): (&[u8], &[u8])| -> u8 {
        one.iter().zip(other).map(|(one, other)| u8::from(one != other)).sum()
    };
    one.chunks(CHUNK).zip(other.chunks(CHUNK)).map(|chunks| usize::from(count(chunks))).sum()
}

/// The cells in which `one` and `other` differ, eight cells compared at a time.
#[inline]
fn differences<const CELLS: usize>(one: &[u8; CELLS], other: &[u8; CELLS]) -> ArrayVec<u16, CELLS> {
    let mut found = ArrayVec::new();
    let words = one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0);
    for (index, (one, other)) in words.enumerate() {
        let mut different = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
        while different != 0 {
            let byte = different.trailing_zeros() as usize / 8;
            found.push((8 * index + byte) as u16);
            different &= !(0xFF << (8 * byte));
        }
    }
    let rest = (CELLS / 8 * 8..CELLS).filter(|&cell| one[cell] != other[cell]);
    found.extend(rest.map(|cell| cell as u16));
    found
}

/// Makes `sum` the sum that belongs to the cells `to` in `view`. `from` are the cells of `source`, or of `sum` itself without
/// a source.
#[inline]
fn update_sum<F: Features<CELLS>, const CELLS: usize>(
    network: &Network,
    view: usize,
    source: Option<&Row>,
    sum: &mut Row,
    from: &[u8; CELLS],
    to: &[u8; CELLS],
) {
    let (mut removed, mut added) = (ArrayVec::<&Row, CELLS>::new(), ArrayVec::<&Row, CELLS>::new());
    for &cell in &differences(from, to) {
        let cell = usize::from(cell);
        let row = |content| (content != F::EMPTY).then(|| &network.inputs[F::input(view, cell, content)]);
        removed.extend(row(from[cell]));
        added.extend(row(to[cell]));
    }
    // A quiet move, a capture, and one of them after another in a sibling: without a loop over the rows.
    match (&removed[..], &added[..]) {
        (&[one], &[a]) => add_rows(source, sum, [one], [a]),
        (&[one, two], &[a]) => add_rows(source, sum, [one, two], [a]),
        (&[one], &[a, b]) => add_rows(source, sum, [one], [a, b]),
        (&[one, two], &[a, b]) => add_rows(source, sum, [one, two], [a, b]),
        _ => {
            if let Some(source) = source {
                *sum = *source;
            }
            add_many_rows(sum, &removed, &added);
        }
    }
}

/// Makes `sum` that of `source`, or of `sum` itself without a source, less the rows `removed` plus the rows `added`.
///
/// Here and in [`add_many_rows`] sums wrap on the way: what is removed may be added first in another order. See
/// [`Network::check`].
#[inline]
fn add_rows<const R: usize, const A: usize>(
    source: Option<&Row>,
    sum: &mut Row,
    removed: [&Row; R],
    added: [&Row; A],
) {
    let changed = |value: i16, i: usize| {
        let value = removed.iter().fold(value, |value, row| value.wrapping_sub(row.0[i]));
        added.iter().fold(value, |value, row| value.wrapping_add(row.0[i]))
    };
    match source {
        Some(source) => (0..HIDDEN).for_each(|i| sum.0[i] = changed(source.0[i], i)),
        None => (0..HIDDEN).for_each(|i| sum.0[i] = changed(sum.0[i], i)),
    }
}

/// Subtracts the rows `removed` from `sum` and adds the rows `added`.
#[inline]
fn add_many_rows(sum: &mut Row, removed: &[&Row], added: &[&Row]) {
    /// The elements that are summed up together: few enough to stay in registers.
    const LANES: usize = 64;
    let lanes = |row: &Row, start: usize| -> [i16; LANES] {
        *row.0[start..].first_chunk().expect("HIDDEN is a multiple")
    };
    for start in (0..HIDDEN).step_by(LANES) {
        let mut values = lanes(sum, start);
        for row in removed {
            let weights = lanes(row, start);
            values.iter_mut().zip(weights).for_each(|(value, weight)| *value = value.wrapping_sub(weight));
        }
        for row in added {
            let weights = lanes(row, start);
            values.iter_mut().zip(weights).for_each(|(value, weight)| *value = value.wrapping_add(weight));
        }
        sum.0[start..start + LANES].copy_from_slice(&values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: usize = 12;

    /// A linear congruential generator with the constants of PCG32 (<https://www.pcg-random.org>).
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }
    }

    /// Twelve cells, each empty or with one of two kinds of stone. The view depends on the first cell.
    #[derive(Clone)]
    struct Board([u8; CELLS]);

    impl Features<CELLS> for Board {
        const VIEWS: usize = 4;
        const INPUT_SETS: usize = 2;
        const INPUTS: usize = 4 * CELLS;
        const MAX_ACTIVE: usize = CELLS;
        const OUTPUT_BUCKETS: usize = 2;
        const EMPTY: u8 = 9;

        fn cells(&self) -> [u8; CELLS] {
            self.0
        }
        fn perspective(&self) -> usize {
            usize::from(self.0[1] == 1)
        }
        fn view(&self, perspective: usize) -> usize {
            perspective + 2 * usize::from(self.0[0] == 1)
        }
        fn input(view: usize, cell: usize, content: u8) -> usize {
            (view >> 1) * 2 * CELLS + (usize::from(content) ^ (view & 1)) * CELLS + cell
        }
        fn output_bucket(&self) -> usize {
            usize::from(self.0[2] == 0)
        }
    }

    /// The value computed with plain 64-bit arithmetic from the definition.
    fn slow_value(network: &Network, board: &Board) -> i32 {
        let activations = |perspective: usize| -> Vec<i64> {
            let view = board.view(perspective);
            let sum = |i: usize| -> i64 {
                let inputs = (0..CELLS).filter(|&cell| board.0[cell] != Board::EMPTY);
                let weights = inputs.map(|cell| network.inputs[Board::input(view, cell, board.0[cell])].0[i]);
                i64::from(network.bias.0[i]) + weights.map(i64::from).sum::<i64>()
            };
            (0..HIDDEN).map(|i| sum(i).clamp(0, 255).pow(2)).collect()
        };
        let (us, output) = (board.perspective(), &network.outputs[board.output_bucket()]);
        let product = |perspective: usize, row: &Row| -> i64 {
            activations(perspective).iter().zip(row.0).map(|(value, weight)| value * i64::from(weight)).sum()
        };
        let sum = product(us, &output.weights[0]) + product(1 - us, &output.weights[1]);
        ((sum / 255 + i64::from(output.bias)) * i64::from(network.scale) / (255 * 64)) as i32
    }

    #[test]
    fn values_along_random_lines_equal_those_of_the_definition() {
        let mut random = Random(5);
        let network = Network::random::<Board, CELLS>("board", 1);
        assert_eq!(network.check::<Board, CELLS>("board"), Ok(()));
        let mut accumulators = Accumulators::<Board, CELLS>::new(Arc::new(network.clone()));
        let mut line = vec![Board([Board::EMPTY; CELLS])];
        for _ in 0..5000 {
            match random.below(8) {
                0..4 => {
                    let mut next = line[line.len() - 1].clone();
                    for _ in 0..random.below(4) {
                        let content = [0, 1, Board::EMPTY][random.below(3) as usize];
                        next.0[random.below(CELLS as u64) as usize] = content;
                    }
                    line.push(next);
                    accumulators.push();
                }
                4..7 if line.len() > 1 => {
                    line.pop();
                    accumulators.pop();
                }
                7 if random.below(16) == 0 => {
                    line.drain(..line.len() - 1);
                    accumulators.reset();
                }
                _ => {}
            }
            // Positions that no evaluation has seen are compared with older ones.
            if random.below(3) > 0 {
                let board = &line[line.len() - 1];
                assert_eq!(accumulators.evaluate(board), slow_value(&network, board));
            }
        }
    }

    #[test]
    fn differences_are_the_cells_that_differ() {
        let (one, mut other) = ([7; CELLS], [7; CELLS]);
        assert!(differences(&one, &other).is_empty() && count_differences(&one, &other) == 0);
        (other[0], other[7], other[8], other[11]) = (1, 8, 0x80, 135);
        assert_eq!(differences(&one, &other)[..], [0, 7, 8, 11]);
        assert_eq!(count_differences(&one, &other), 4);
    }

    #[test]
    fn networks_of_other_games_and_sizes_do_not_pass_the_check() {
        let network = Network::random::<Board, CELLS>("board", 1);
        let error = |network: Network| network.check::<Board, CELLS>("board").unwrap_err().to_string();
        assert_eq!(
            error(Network { variant: "chess".into(), ..network.clone() }),
            "expected a network for board, found one for \"chess\""
        );
        let inputs = network.inputs[1..].into();
        assert_eq!(error(Network { inputs, ..network.clone() }), "expected 48 inputs, found 47");
        let bias = Row([i16::MIN; HIDDEN]);
        assert!(error(Network { bias, ..network }).contains("largest accumulator"));
    }
}
