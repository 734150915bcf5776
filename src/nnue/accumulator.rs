//! Accumulators along a line of moves, and those of the last position in each view.

use super::features::{self, Features};
use super::limits::LANES;
use super::network::{Lanes, Network};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// The cells and the views of some position. Its sums stand beside it, a row for each perspective.
///
/// Each sum is always the one that belongs to its view and to the cells, so that it can be updated to any position in the same
/// view: only the cells that differ count.
#[derive(Clone, Debug)]
struct Summed<C, const CELLS: usize> {
    cells: [C; CELLS],
    views: [usize; 2],
}

/// The moves of a line that needs no further memory. No search goes deeper.
const LINE_MOVES: usize = 256;

/// Evaluates the positions along a line of moves with a network.
///
/// No method needs the moves: a position is compared with the positions evaluated last, at the same place in the line (a
/// sibling), one move earlier (the parent), or in the same view, and the accumulator of one of them is updated.
#[derive(Clone, Debug)]
pub struct Accumulators<F: Features<CELLS>, const CELLS: usize> {
    network: Arc<Network>,
    /// The accumulator stack: one after each move of the line, the position before the first move at index 0. Those
    /// after index `length` belong to lines that were left.
    stack: Vec<Summed<F::Content, CELLS>>,
    /// The sums of the stack: two rows for each position.
    sums: Vec<Lanes>,
    length: usize,
    /// The refresh cache ("Finny table"), by view: the cells of the last position that was compared with no other.
    cached_cells: Box<[[F::Content; CELLS]]>,
    /// The sums of the refresh cache, a row for each view.
    cached_sums: Box<[Lanes]>,
}

impl<F: Features<CELLS>, const CELLS: usize> Accumulators<F, CELLS> {
    /// Accumulators for `network`, which must fit `F` ([`Network::check`]), with the memory for the
    /// longest line of a search.
    pub fn new(network: Arc<Network>) -> Self {
        let (stack, sums) = (Vec::new(), Vec::new());
        let cached_cells = vec![[F::EMPTY; CELLS]; F::VIEWS].into();
        let cached_sums = network.bias.repeat(F::VIEWS).into();
        let mut accumulators = Accumulators { network, stack, sums, length: 0, cached_cells, cached_sums };
        accumulators.extend_stack(LINE_MOVES + 1);
        accumulators
    }

    /// Makes the stack `length` long. The new accumulators are those of empty cells: in every view, their sums are the bias.
    fn extend_stack(&mut self, length: usize) {
        let added = length - self.stack.len();
        self.stack.resize(length, Summed { cells: [F::EMPTY; CELLS], views: [0; 2] });
        self.sums.extend(self.network.bias.repeat(2 * added));
    }

    /// Adds a move to the line.
    #[inline]
    pub fn push(&mut self) {
        self.length += 1;
        if self.length == self.stack.len() {
            self.extend_stack(self.length + 1);
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
        self.evaluate_cells(position, position.cells())
    }

    /// The value of `position` if its cells had the contents `cells`. View and output bucket stay those of `position`.
    #[inline]
    pub fn evaluate_cells(&mut self, position: &F, cells: [F::Content; CELLS]) -> i32 {
        self.update(cells, [0, 1].map(|perspective| position.view(perspective)));
        self.output(position, position.output_bucket())
    }

    /// The value in another output bucket, after [`Accumulators::evaluate`] of the same position.
    #[inline]
    pub fn output(&self, position: &F, bucket: usize) -> i32 {
        let row = self.network.bias.len();
        let (first, second) = self.sums[2 * row * self.length..][..2 * row].split_at(row);
        let sums = if position.perspective() == 0 { [first, second] } else { [second, first] };
        self.network.output(sums, bucket)
    }

    /// Makes the accumulator at the end of the line that of `cells` in `views`.
    #[inline]
    fn update(&mut self, cells: [F::Content; CELLS], views: [usize; 2]) {
        let (row, weights) = (self.network.bias.len(), &self.network.inputs);
        let (before, rest) = self.stack.split_at_mut(self.length);
        let (last, parent) = (&mut rest[0], before.last());
        let (sums_before, sums) = self.sums.split_at_mut(2 * row * self.length);
        let to_last = Differences::between::<F, CELLS>(&last.cells, &cells);
        let to_parent = parent.map(|parent| Differences::between::<F, CELLS>(&parent.cells, &cells));
        for (perspective, view) in views.into_iter().enumerate() {
            let sum = &mut sums[perspective * row..][..row];
            let sibling = (last.views[perspective] == view).then_some(&to_last);
            let parent = parent.zip(to_parent.as_ref());
            let parent = parent.filter(|(parent, _)| parent.views[perspective] == view);
            match Source::nearest(sibling, parent) {
                Source::Sibling(to_last) if to_last.count == 0 => {}
                Source::Sibling(to_last) => {
                    update_sum::<F, CELLS>(weights, view, None, sum, to_last, &last.cells, &cells);
                }
                Source::Parent(parent, to_parent) => {
                    let source = &sums_before[sums_before.len() - 2 * row..][perspective * row..][..row];
                    let from = &parent.cells;
                    update_sum::<F, CELLS>(weights, view, Some(source), sum, to_parent, from, &cells);
                }
                Source::Cache => {
                    let (from, cached) =
                        (&mut self.cached_cells[view], &mut self.cached_sums[view * row..][..row]);
                    let differences = Differences::between::<F, CELLS>(from, &cells);
                    update_sum::<F, CELLS>(weights, view, None, cached, &differences, from, &cells);
                    *from = cells;
                    sum.copy_from_slice(cached);
                }
            }
        }
        (last.cells, last.views) = (cells, views);
    }
}

/// Which position a sum is computed from, and the cells in which the new position differs from it.
enum Source<'a, C, const CELLS: usize> {
    /// The one evaluated last at the same place in the line. Its sum is where the new one is stored.
    Sibling(&'a Differences),
    /// The one a move earlier.
    Parent(&'a Summed<C, CELLS>, &'a Differences),
    /// The one in the refresh cache.
    Cache,
}

impl<'a, C, const CELLS: usize> Source<'a, C, CELLS> {
    /// The sibling or the parent, which are `None` in another view: the one with fewer differences, the sibling if there are none.
    #[inline(always)]
    fn nearest(
        sibling: Option<&'a Differences>,
        parent: Option<(&'a Summed<C, CELLS>, &'a Differences)>,
    ) -> Self {
        match (sibling, parent) {
            (Some(sibling), Some((_, parent))) if sibling.count == 0 || sibling.count < parent.count => {
                Source::Sibling(sibling)
            }
            (_, Some((summed, differences))) => Source::Parent(summed, differences),
            (Some(sibling), None) => Source::Sibling(sibling),
            (None, None) => Source::Cache,
        }
    }
}

/// The cells in which two positions differ.
struct Differences {
    /// Those that have an input in the first position, one bit for each cell.
    removed: [u64; Differences::WORDS],
    /// Those that have one in the second.
    added: [u64; Differences::WORDS],
    /// The number of cells that differ.
    count: u32,
}

impl Differences {
    /// Enough bits for every board: 21x21 cells.
    const WORDS: usize = 7;

    /// Those of `from` and `to`.
    #[inline]
    fn between<F: Features<CELLS>, const CELLS: usize>(
        from: &[F::Content; CELLS],
        to: &[F::Content; CELLS],
    ) -> Differences {
        const { assert!(CELLS <= 64 * Self::WORDS) };
        let mut differences = Differences { removed: [0; Self::WORDS], added: [0; Self::WORDS], count: 0 };
        let empty = [F::EMPTY; 64];
        for (word, (from, to)) in from.chunks(64).zip(to.chunks(64)).enumerate() {
            let bits = features::differences(from, to);
            if bits != 0 {
                let empty = &empty[..from.len()];
                differences.removed[word] = bits & features::differences(from, empty);
                differences.added[word] = bits & features::differences(to, empty);
                differences.count += bits.count_ones();
            }
        }
        differences
    }
}

/// Calls `visit` with each of the cells in `words`, in order.
#[inline(always)]
fn for_each_cell<const CELLS: usize>(words: &[u64; Differences::WORDS], mut visit: impl FnMut(usize)) {
    for (word, &bits) in words.iter().enumerate().take(CELLS.div_ceil(64)) {
        let mut bits = bits;
        while bits != 0 {
            visit(64 * word + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// Makes `sum` the sum that belongs to the cells `to` in `view`. `from` are the cells of `source`, or of `sum` itself without a
/// source. `differences` are the cells in which `from` and `to` differ. `weights` has the rows of all inputs.
#[inline(always)]
fn update_sum<F: Features<CELLS>, const CELLS: usize>(
    weights: &[Lanes],
    view: usize,
    source: Option<&[Lanes]>,
    sum: &mut [Lanes],
    differences: &Differences,
    from: &[F::Content; CELLS],
    to: &[F::Content; CELLS],
) {
    let (mut removed, mut added) = (ArrayVec::<usize, CELLS>::new(), ArrayVec::<usize, CELLS>::new());
    for_each_cell::<CELLS>(&differences.removed, |cell| removed.push(F::input(view, cell, from[cell])));
    for_each_cell::<CELLS>(&differences.added, |cell| added.push(F::input(view, cell, to[cell])));
    change_sum(weights, source, sum, &removed, &added);
}

/// Makes `sum` that of `source`, or of `sum` itself without a source, less the rows of the inputs `removed` plus those of the
/// inputs `added`. `weights` has the rows of all inputs.
///
/// All games share this code, which takes the compiler long. It has a copy for each of the usual widths, in which the lengths
/// of all loops are known.
#[inline(never)]
fn change_sum(
    weights: &[Lanes],
    source: Option<&[Lanes]>,
    sum: &mut [Lanes],
    removed: &[usize],
    added: &[usize],
) {
    const NARROW: usize = 256 / LANES;
    const WIDE: usize = 512 / LANES;
    match sum.len() {
        NARROW => change_sum_of_row(NARROW, weights, source, sum, removed, added),
        WIDE => change_sum_of_row(WIDE, weights, source, sum, removed, added),
        row => change_sum_of_row(row, weights, source, sum, removed, added),
    }
}

/// [`change_sum`] with rows of `row` lanes.
#[inline(always)]
fn change_sum_of_row(
    row: usize,
    weights: &[Lanes],
    source: Option<&[Lanes]>,
    sum: &mut [Lanes],
    removed: &[usize],
    added: &[usize],
) {
    let (source, sum) = (source.map(|source| &source[..row]), &mut sum[..row]);
    let weights = |input: usize| &weights[input * row..][..row];
    // A quiet move, a capture, and one of them after another in a sibling: without a loop over the rows.
    match (removed, added) {
        (&[one], &[a]) => add_rows(source, sum, [one].map(weights), [a].map(weights)),
        (&[one, two], &[a]) => add_rows(source, sum, [one, two].map(weights), [a].map(weights)),
        (&[one], &[a, b]) => add_rows(source, sum, [one].map(weights), [a, b].map(weights)),
        (&[one, two], &[a, b]) => add_rows(source, sum, [one, two].map(weights), [a, b].map(weights)),
        _ => {
            if let Some(source) = source {
                sum.copy_from_slice(source);
            }
            add_many_rows(sum, removed, added, weights);
        }
    }
}

/// Subtracts the rows of the inputs `removed` from `sum` and adds those of the inputs `added`.
#[inline(always)]
fn add_many_rows<'a>(
    sum: &mut [Lanes],
    removed: &[usize],
    added: &[usize],
    weights: impl Fn(usize) -> &'a [Lanes],
) {
    // AVX2 has registers for this many lanes.
    const MANY: usize = 4;
    let (many, single) = sum.as_chunks_mut::<MANY>();
    let singles_start = MANY * many.len();
    for (i, sum) in many.iter_mut().enumerate() {
        add_lanes(sum, MANY * i, removed, added, &weights);
    }
    for (i, sum) in single.iter_mut().enumerate() {
        add_lanes(std::array::from_mut(sum), singles_start + i, removed, added, &weights);
    }
}

/// [`add_many_rows`] for the lanes `sum`, of which the first has the number `first` in its row.
#[inline(always)]
fn add_lanes<'a, const N: usize>(
    sum: &mut [Lanes; N],
    first: usize,
    removed: &[usize],
    added: &[usize],
    weights: &impl Fn(usize) -> &'a [Lanes],
) {
    let mut values = *sum;
    let row = |input| weights(input)[first..].first_chunk::<N>().expect("a row is as long as a sum");
    for &input in removed {
        for (value, weight) in values.iter_mut().zip(row(input)) {
            (0..LANES).for_each(|i| value.0[i] = value.0[i].wrapping_sub(weight.0[i]));
        }
    }
    for &input in added {
        for (value, weight) in values.iter_mut().zip(row(input)) {
            (0..LANES).for_each(|i| value.0[i] = value.0[i].wrapping_add(weight.0[i]));
        }
    }
    *sum = values;
}

/// Makes `sum` that of `source`, or of `sum` itself without a source, less the rows `removed` plus the rows `added`.
///
/// Here and in [`add_many_rows`] sums wrap on the way: what is removed may be added first in another order. See
/// [`Network::check`].
#[inline(always)]
fn add_rows<const R: usize, const A: usize>(
    source: Option<&[Lanes]>,
    sum: &mut [Lanes],
    removed: [&[Lanes]; R],
    added: [&[Lanes]; A],
) {
    let changed = |value: i16, lanes: usize, i: usize| {
        let value = removed.iter().fold(value, |value, row| value.wrapping_sub(row[lanes].0[i]));
        added.iter().fold(value, |value, row| value.wrapping_add(row[lanes].0[i]))
    };
    match source {
        Some(source) => {
            for (lanes, (sum, source)) in sum.iter_mut().zip(source).enumerate() {
                (0..LANES).for_each(|i| sum.0[i] = changed(source.0[i], lanes, i));
            }
        }
        None => {
            for (lanes, sum) in sum.iter_mut().enumerate() {
                (0..LANES).for_each(|i| sum.0[i] = changed(sum.0[i], lanes, i));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::random::Random;
    use crate::nnue::{Content, Layout};

    /// Cells, each empty or with one of two kinds of stone. The view depends on the first cell.
    #[derive(Clone)]
    struct Board<C, const CELLS: usize>([C; CELLS]);

    /// The stones of a board are the contents from `$first` on.
    macro_rules! board_features {
        ($content:ty, $cells:literal, $first:literal) => {
            impl Features<$cells> for Board<$content, $cells> {
                type Content = $content;

                const VIEWS: usize = 4;
                const INPUT_BUCKETS: usize = 2;
                const INPUTS: usize = 4 * $cells;
                const MAX_ACTIVE: usize = $cells;
                const CONTENT_BITS: usize = 16;
                const OUTPUT_BUCKETS: usize = 2;
                const EMPTY: $content = 9;

                fn contents() -> impl Iterator<Item = usize> {
                    $first..$first + 2
                }
                fn cells(&self) -> [$content; $cells] {
                    self.0
                }
                fn perspective(&self) -> usize {
                    usize::from(self.0[1] == $first + 1)
                }
                fn view(&self, perspective: usize) -> usize {
                    perspective + 2 * usize::from(self.0[0] == $first + 1)
                }
                fn input(view: usize, cell: usize, content: $content) -> usize {
                    (view >> 1) * 2 * $cells + ((content.index() - $first) ^ (view & 1)) * $cells + cell
                }
                fn output_bucket(&self) -> usize {
                    usize::from(self.0[2] == Self::EMPTY)
                }
            }
        };
    }

    board_features!(u8, 12, 0);
    board_features!(u16, 441, 300);

    /// The value computed with plain 64-bit arithmetic from the definition.
    fn slow_value<F: Features<CELLS>, const CELLS: usize>(network: &Network, board: &F) -> i32 {
        let elements =
            |row: &[Lanes]| row.iter().flat_map(|lanes| lanes.0).map(i64::from).collect::<Vec<_>>();
        let activations = |perspective: usize| -> Vec<i64> {
            let (view, mut sums) = (board.view(perspective), elements(&network.bias));
            for (cell, content) in
                board.cells().into_iter().enumerate().filter(|(_, content)| *content != F::EMPTY)
            {
                let row = elements(network.row(F::input(view, cell, content)));
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            sums.into_iter().map(|sum| sum.clamp(0, 255).pow(2)).collect()
        };
        let (us, output) = (board.perspective(), &network.outputs[board.output_bucket()]);
        let product = |perspective: usize, row: &[Lanes]| -> i64 {
            activations(perspective).iter().zip(elements(row)).map(|(value, weight)| value * weight).sum()
        };
        let sum = product(us, &output.weights[0]) + product(1 - us, &output.weights[1]);
        ((sum / 255 + i64::from(output.bias)) * i64::from(network.scale) / (255 * 64)) as i32
    }

    fn check_values_along_random_lines<C: Content, const CELLS: usize>(width: usize, rounds: usize)
    where
        Board<C, CELLS>: Features<CELLS, Content = C> + Clone,
    {
        let empty = Board::<C, CELLS>::EMPTY;
        let contents: Vec<C> = Board::<C, CELLS>::contents().map(C::from_index).chain([empty]).collect();
        let mut random = Random(5);
        let network = Network::random::<Board<C, CELLS>, CELLS>("board", width, 1);
        assert_eq!(network.check("board", &Layout::of::<Board<C, CELLS>, CELLS>()), Ok(()));
        let mut accumulators = Accumulators::<Board<C, CELLS>, CELLS>::new(Arc::new(network.clone()));
        let mut line = vec![Board([empty; CELLS])];
        for _ in 0..rounds {
            match random.below(8) {
                0..4 => {
                    let mut next = line[line.len() - 1].clone();
                    for _ in 0..random.below(4) {
                        let content = contents[random.below(3) as usize];
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
    fn values_along_random_lines_equal_those_of_the_definition() {
        check_values_along_random_lines::<u8, 12>(256, 5000);
        for width in [LANES, 3 * LANES, 5 * LANES, 512] {
            check_values_along_random_lines::<u8, 12>(width, 500);
        }
        check_values_along_random_lines::<u16, 441>(128, 200);
    }

    #[test]
    fn networks_of_other_games_and_sizes_do_not_pass_the_check() {
        type SmallBoard = Board<u8, 12>;
        let network = Network::random::<SmallBoard, 12>("board", 128, 1);
        let error = |network: Network| {
            network.check("board", &Layout::of::<SmallBoard, 12>()).unwrap_err().to_string()
        };
        assert_eq!(
            error(Network { variant: "chess".into(), ..network.clone() }),
            "expected a network for board, found one for \"chess\""
        );
        let inputs = network.inputs[2..].into();
        assert_eq!(error(Network { inputs, ..network.clone() }), "expected 48 inputs, found 47");
        let bias = [Lanes([i16::MIN; LANES]); 2].into();
        assert!(error(Network { bias, ..network.clone() }).contains("largest accumulator"));
        // The largest weights of the cells count once each, whatever their contents.
        let mut inputs = network.inputs.clone();
        inputs.iter_mut().for_each(|lanes| lanes.0.fill(-2700));
        let largest = |bias: i16| {
            let bias = [Lanes([bias; LANES]); 2].into();
            Network { bias, inputs: inputs.clone(), ..network.clone() }
                .check("board", &Layout::of::<SmallBoard, 12>())
        };
        assert_eq!(largest(i16::MAX - 12 * 2700), Ok(()));
        assert!(largest(i16::MAX - 12 * 2700 + 1).is_err());
    }
}
