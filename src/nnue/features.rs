//! What a network sees of a position.

/// The contents of the `CELLS` cells of a board as inputs of a network.
///
/// There are two perspectives: 0 is that of the first player, 1 that of the second. Each sees the board in one of several
/// *views*. A view says how the board is turned and mirrored, and which input bucket counts, for example by
/// the place of the own king. The inputs of a cell depend on nothing but the view and the content.
pub trait Features<const CELLS: usize> {
    /// The number of views, those of both perspectives together.
    const VIEWS: usize;
    /// The number of input buckets: in chess king buckets. All have the same size; inputs with the same number in their
    /// buckets have the same meaning in different views.
    const INPUT_BUCKETS: usize;
    /// The number of inputs of one perspective, of all input buckets together.
    const INPUTS: usize;
    /// The most cells that can have an input at once in a game from the usual start.
    const MAX_ACTIVE: usize;
    /// The number of output buckets.
    const OUTPUT_BUCKETS: usize;
    /// The content of a cell that has no input.
    const EMPTY: u8;

    /// Returns the content of each cell.
    fn cells(&self) -> [u8; CELLS];

    /// Returns the perspective of the side to move.
    fn perspective(&self) -> usize;

    /// Returns the view of `perspective`, less than [`Features::VIEWS`]. Both perspectives have views of their own.
    fn view(&self, perspective: usize) -> usize;

    /// Returns the input of `content`, which is not [`Features::EMPTY`], in `cell`; less than [`Features::INPUTS`].
    fn input(view: usize, cell: usize, content: u8) -> usize;

    /// Whether the network evaluates this position. The hand-written evaluation evaluates the others.
    fn is_covered(&self) -> bool {
        true
    }

    /// Returns the output bucket, less than [`Features::OUTPUT_BUCKETS`].
    fn output_bucket(&self) -> usize;
}
