//! The inputs that a network gets of a position: what either side would make on each free cell.

use super::patterns::Levels;
use super::{Gomoku, MAX_CELLS};
use crate::game::{Game, Side, const_for};
use crate::nnue::Features;

/// The number of shapes. A *shape* is what one side makes on a free cell: the levels of the patterns on its four lines without
/// their order. Where a stone makes a three or more, fewer of the other lines count.
const SHAPES: usize = 67;

/// How many numbers of stones share an output bucket.
pub const BUCKET_STONES: usize = 12;

/// The shape of four levels. The shape without a pattern that matters is 0.
static SHAPE: [u8; Levels::COUNT] = {
    let mut shapes = [0; Levels::COUNT];
    let mut numbers = [0; Levels::COUNT];
    let mut count = 1;
    const_for!(levels, 1..Levels::COUNT, {
        let mut sorted = [levels >> 9, levels >> 6 & 7, levels >> 3 & 7, levels & 7];
        const_for!(_pass, 0..3, {
            const_for!(i, 0..3, {
                if sorted[i] < sorted[i + 1] {
                    (sorted[i], sorted[i + 1]) = (sorted[i + 1], sorted[i]);
                }
            });
        });
        let shape = match sorted {
            [7, ..] => 7 << 9,
            [6, ..] | [5, 5, ..] => 6 << 9,
            [first @ 4..=5, second, third, _] => first << 9 | second << 6 | third << 3,
            [first, second, third, fourth] => first << 9 | second << 6 | third << 3 | fourth,
        };
        if numbers[shape] == 0 {
            numbers[shape] = count;
            count += 1;
        }
        shapes[levels] = numbers[shape];
    });
    assert!(count as usize == SHAPES);
    shapes
};

/// The content of a free cell on which the sides, the first player first, would make patterns with these levels. An occupied cell
/// has the content 0.
#[inline]
pub fn content(levels: [Levels; 2]) -> u16 {
    let [white, black] = levels.map(|levels| u16::from(SHAPE[levels.index()]));
    white * SHAPES as u16 + black
}

/// An input is a shape of the own side together with a shape of the other side, wherever the cell is: patterns know
/// the edges of the board. So positions that are images of each other have the same inputs, and a network serves all
/// sizes of board. There is one view for each perspective.
impl Features<MAX_CELLS> for Gomoku {
    type Content = u16;

    const INPUTS: usize = SHAPES * SHAPES;
    const MAX_ACTIVE: usize = MAX_CELLS;
    const BY_CELL: bool = false;
    const CONTENT_BITS: usize = 16;
    const OUTPUT_BUCKETS: usize = 4;
    const EMPTY: u16 = 0;

    fn contents() -> impl Iterator<Item = usize> {
        1..Self::INPUTS
    }

    #[inline]
    fn cells(&self) -> [u16; MAX_CELLS] {
        self.contents
    }

    #[inline]
    fn perspective(&self) -> usize {
        self.side_to_move().index()
    }

    #[inline]
    fn input(view: usize, _: usize, content: u16) -> usize {
        let content = usize::from(content);
        if view == Side::White.index() { content } else { content % SHAPES * SHAPES + content / SHAPES }
    }

    /// By the number of stones.
    #[inline]
    fn output_bucket(&self) -> usize {
        (self.stones / BUCKET_STONES).min(Self::OUTPUT_BUCKETS - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Heuristics, Notation, SplitMix64, conformance};
    use crate::nnue::Network;
    use std::sync::{Arc, LazyLock};

    static NETWORK: LazyLock<Arc<Network>> =
        LazyLock::new(|| Arc::new(Network::random::<Gomoku, MAX_CELLS>("gomokufreestyle", 64, 1)));

    #[test]
    fn shape_does_not_depend_on_the_order_of_the_lines() {
        let mut seen = std::collections::HashSet::new();
        for (levels, &shape) in SHAPE.iter().enumerate() {
            let [a, b, c, d] = [levels >> 9, levels >> 6 & 7, levels >> 3 & 7, levels & 7];
            for [e, f, g, h] in [[b, a, c, d], [a, c, b, d], [a, b, d, c]] {
                assert_eq!(shape, SHAPE[e << 9 | f << 6 | g << 3 | h]);
            }
            seen.insert(shape);
        }
        assert_eq!(seen.len(), SHAPES);
        // A five is one, whatever else a stone makes; so is what wins like an open four.
        assert_eq!(SHAPE[0o7000], SHAPE[0o7654]);
        assert_eq!([SHAPE[0o5500], SHAPE[0o6123]], [SHAPE[0o6000]; 2]);
        assert_ne!(SHAPE[0o5400], SHAPE[0o5000]);
    }

    /// The active inputs of a perspective, in order.
    fn inputs(game: &Gomoku, perspective: usize) -> Vec<usize> {
        let active = game.cells().into_iter().filter(|&content| content != 0);
        let mut inputs: Vec<_> = active.map(|content| Gomoku::input(perspective, 0, content)).collect();
        inputs.sort_unstable();
        inputs
    }

    #[test]
    fn inputs_of_images_of_other_sizes_and_of_other_colours_are_equal() {
        let cells =
            [(6, 6, 'P'), (7, 7, 'p'), (7, 6, 'P'), (8, 6, 'p'), (5, 8, 'P'), (9, 5, 'p'), (6, 9, 'P')];
        let game = |variant, place: &dyn Fn(usize, usize) -> (usize, usize)| {
            let rules = Gomoku::start(variant).rules;
            let stones = cells.map(|(file, rank, stone)| (place(file, rank), stone));
            let stone = |cell| stones.iter().find(|((file, rank), _)| rank * rules.size + file == cell);
            let side = |cell| stone(cell).map(|&(_, stone)| Side::ALL[usize::from(stone == 'p')]);
            Gomoku::with_stones(rules, (0..rules.cells()).map(side), Side::Black)
        };
        let expected = inputs(&game("gomokufreestyle", &|file, rank| (file, rank)), 0);
        assert!(expected.len() > 20);
        let mirrored = game("gomokufreestyle", &|file, rank| (14 - file, rank));
        assert_eq!(inputs(&mirrored, 0), expected);
        let turned = game("gomokufreestyle", &|file, rank| (rank, file));
        assert_eq!(inputs(&turned, 0), expected);
        let moved = game("gomokufreestyle20", &|file, rank| (file + 3, rank + 2));
        assert_eq!(inputs(&moved, 0), expected);
        assert_eq!(inputs(&mirrored.flipped().unwrap(), 1), expected);
        assert_ne!(inputs(&mirrored, 1), expected);
    }

    #[test]
    fn contents_follow_the_moves_of_random_games() {
        let mut random = SplitMix64::new(3);
        for _ in 0..5 {
            let (mut game, mut played) = (Gomoku::start("gomokufreestyle"), Vec::new());
            while game.outcome().is_none() && played.len() < 60 {
                let mut moves = crate::game::MoveList::new();
                game.noisy_moves(&mut moves);
                game.quiet_moves(&mut moves);
                let mv = moves[(random.next() % moves.len() as u64) as usize];
                game.play(mv);
                played.push(mv);
                let read =
                    Gomoku::start("gomokufreestyle").parse_position(&game.position_text()).unwrap().game;
                assert_eq!(game.contents, read.contents, "{}", game.position_text());
            }
            played.into_iter().rev().for_each(|mv| game.undo(mv));
            assert_eq!(game.contents, Gomoku::start("gomokufreestyle").contents);
        }
    }

    #[test]
    fn evaluation_by_network_passes_conformance() {
        for text in Gomoku::start("gomokufreestyle").bench_positions() {
            let game = Gomoku::start("gomokufreestyle").parse_position(text).unwrap().game;
            conformance::check_evaluation(&game, Some(&NETWORK), 1, 40, 11);
        }
    }

    #[test]
    fn explanation_shows_the_value_of_each_free_cell() {
        let game = Gomoku::start("gomokufreestyle")
            .parse_position("15/15/15/15/15/15/15/7P7/7p7/15/15/15/15/15/15 w")
            .unwrap()
            .game;
        let text = crate::game::Variant::explain_network(&game, &NETWORK).unwrap();
        assert!(text.starts_with("bucket     stones   value"), "{text}");
        let (_, board) = text.split_once("value with the patterns of each free cell minus").unwrap();
        let active = game.cells().into_iter().filter(|&content| content != 0).count();
        assert_eq!(board.matches(['+', '-']).count(), active, "{text}");
    }
}
