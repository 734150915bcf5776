//! Accumulators along a line of moves, and those of the last position in each view.

use super::features::Features;
use super::network::{HIDDEN, Network, Row};
use arrayvec::ArrayVec;
use std::marker::PhantomData;
use std::sync::Arc;

/// The sums of the input weights of some position's cells in the view of each perspective.
///
/// Each is always the sum that belongs to its view and to the cells, so that it can be updated to any position in the same
/// view: only the cells that differ count.
#[derive(Clone, Debug)]
struct Accumulator<const CELLS: usize> {
    cells: [u8; CELLS],
    views: [usize; 2],
    sums: [Row; 2],
}

/// The sum of the last position in one view that was compared with no other.
#[derive(Clone, Debug)]
struct Refresh<const CELLS: usize> {
    cells: [u8; CELLS],
    sum: Row,
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
    /// The accumulator stack: one after each move of the line, the position before the first move at index 0. Those
    /// after index `length` belong to lines that were left.
    stack: Vec<Accumulator<CELLS>>,
    /// The number of moves of the line.
    length: usize,
    /// The refresh cache ("Finny table"), by view.
    refresh_cache: Box<[Refresh<CELLS>]>,
    features: PhantomData<fn(F)>,
}

impl<F: Features<CELLS>, const CELLS: usize> Accumulators<F, CELLS> {
    /// Accumulators for `network`, which must fit `F` ([`Network::check`]), with the memory for the
    /// longest line of a search.
    pub fn new(network: Arc<Network>) -> Self {
        let refresh = Refresh { cells: [F::EMPTY; CELLS], sum: network.bias };
        let stack = vec![Self::empty(&network); LINE_MOVES + 1];
        let refresh_cache = vec![refresh; F::VIEWS].into();
        Accumulators { network, stack, length: 0, refresh_cache, features: PhantomData }
    }

    /// The accumulator of empty cells. In every view, its sums are the bias.
    fn empty(network: &Network) -> Accumulator<CELLS> {
        Accumulator { cells: [F::EMPTY; CELLS], views: [0; 2], sums: [network.bias; 2] }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Adds a move to the line.
    #[inline]
    pub fn push(&mut self) {
        self.length += 1;
        if self.length == self.stack.len() {
            self.stack.push(Self::empty(&self.network));
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
        self.update(position.cells(), [0, 1].map(|perspective| position.view(perspective)));
        self.output(position, position.output_bucket())
    }

    /// The value in another output bucket, after [`Accumulators::evaluate`] of the same position.
    pub fn output(&self, position: &F, bucket: usize) -> i32 {
        let (sums, us) = (&self.stack[self.length].sums, position.perspective());
        self.network.output([&sums[us], &sums[1 - us]], bucket)
    }

    /// Makes the accumulator at the end of the line that of `cells` in `views`.
    #[inline]
    fn update(&mut self, cells: [u8; CELLS], views: [usize; 2]) {
        let network = &*self.network;
        let (before, rest) = self.stack.split_at_mut(self.length);
        let (last, parent) = (&mut rest[0], before.last());
        let to_last = Differences::between(&last.cells, &cells);
        let to_parent = parent.map(|parent| Differences::between(&parent.cells, &cells));
        for ((perspective, view), sum) in views.into_iter().enumerate().zip(&mut last.sums) {
            let in_view = last.views[perspective] == view;
            if in_view && to_last.count == 0 {
                continue;
            }
            let most = if in_view { to_last.count } else { u32::MAX };
            let near_parent = parent
                .zip(to_parent.as_ref())
                .filter(|(parent, to_parent)| parent.views[perspective] == view && to_parent.count <= most);
            if let Some((parent, to_parent)) = near_parent {
                let source = Some(&parent.sums[perspective]);
                update_sum::<F, CELLS>(network, view, source, sum, to_parent, &parent.cells, &cells);
            } else if in_view {
                update_sum::<F, CELLS>(network, view, None, sum, &to_last, &last.cells, &cells);
            } else {
                let Refresh { cells: from, sum: cached } = &mut self.refresh_cache[view];
                let differences = Differences::between(from, &cells);
                update_sum::<F, CELLS>(network, view, None, cached, &differences, from, &cells);
                (*from, *sum) = (cells, *cached);
            }
        }
        (last.cells, last.views) = (cells, views);
    }
}

/// The cells in which two positions differ.
struct Differences {
    /// One bit for each cell.
    bits: [u64; Differences::WORDS],
    /// The number of these cells.
    count: u32,
}

impl Differences {
    /// Enough bits for every board.
    const WORDS: usize = 4;

    /// Those of `one` and `other`, eight cells compared at a time.
    #[inline]
    fn between<const CELLS: usize>(one: &[u8; CELLS], other: &[u8; CELLS]) -> Differences {
        const { assert!(CELLS <= 64 * Self::WORDS) };
        /// The lowest seven bits of each byte.
        const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        let mut bits = [0; Self::WORDS];
        let words = one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0);
        for (index, (one, other)) in words.enumerate() {
            let different = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
            // The highest bit of each byte that is not zero, then these eight bits side by side
            // (<https://graphics.stanford.edu/~seander/bithacks.html>).
            let highest = (((different & LOW) + LOW) | different) & !LOW;
            let byte = (highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            bits[index / 8] |= byte << (8 * (index % 8));
        }
        for cell in (CELLS / 8 * 8..CELLS).filter(|&cell| one[cell] != other[cell]) {
            bits[cell / 64] |= 1 << (cell % 64);
        }
        Differences { bits, count: bits.iter().map(|bits| bits.count_ones()).sum() }
    }

    /// Calls `visit` with each of the cells, in order.
    #[inline]
    fn for_each(&self, mut visit: impl FnMut(usize)) {
        for (word, mut bits) in self.bits.into_iter().enumerate() {
            while bits != 0 {
                visit(64 * word + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }
}

/// Makes `sum` the sum that belongs to the cells `to` in `view`. `from` are the cells of `source`, or of `sum` itself without
/// a source. `differences` are the cells in which `from` and `to` differ.
#[inline]
fn update_sum<F: Features<CELLS>, const CELLS: usize>(
    network: &Network,
    view: usize,
    source: Option<&Row>,
    sum: &mut Row,
    differences: &Differences,
    from: &[u8; CELLS],
    to: &[u8; CELLS],
) {
    let (mut removed, mut added) = (ArrayVec::<&Row, CELLS>::new(), ArrayVec::<&Row, CELLS>::new());
    differences.for_each(|cell| {
        let row = |content| (content != F::EMPTY).then(|| &network.inputs[F::input(view, cell, content)]);
        removed.extend(row(from[cell]));
        added.extend(row(to[cell]));
    });
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
        const INPUT_BUCKETS: usize = 2;
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
        let cells_of = |differences: &Differences| {
            let mut cells = Vec::new();
            differences.for_each(|cell| cells.push(cell));
            assert_eq!(cells.len(), differences.count as usize);
            cells
        };
        let (one, mut other) = ([7; 77], [7; 77]);
        assert!(cells_of(&Differences::between(&one, &other)).is_empty());
        (other[0], other[7], other[8], other[63], other[64], other[76]) = (1, 8, 0x80, 0x87, 6, 135);
        assert_eq!(cells_of(&Differences::between(&one, &other)), [0, 7, 8, 63, 64, 76]);
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
