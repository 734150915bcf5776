//! The inputs that a network gets of a position on 9x9: stones with their liberties, and what is beside each free point.

use super::position::Go;
use super::symmetry::{IMAGES, image_of};
use crate::game::{Game, Side};
use crate::nnue::Features;

/// The size of the boards that a network evaluates.
const SIZE: usize = 9;
/// The number of their points: cells of a network, from `a1` on, rank by rank.
pub const CELLS: usize = SIZE * SIZE;

/// The contents of a stone of one side: one to four and more liberties, none to two and more stones of its own side beside it.
const STONES: usize = 4 * 3;
/// The first content of a free point. The others follow by the numbers of stones of both sides beside it, five for each.
const FREE: usize = 1 + 2 * STONES;
/// How many numbers of stones share an output bucket.
pub const BUCKET_STONES: usize = 9;
/// The content of the point where the side to move may not retake.
const KO: usize = FREE + 5 * 4 + 1;

impl<const WORDS: usize> Features<CELLS> for Go<WORDS> {
    type Content = u8;

    const INPUTS: usize = CELLS * (KO + 1);
    const MAX_ACTIVE: usize = CELLS;
    const CONTENT_BITS: usize = 8;
    const OUTPUT_BUCKETS: usize = 8;
    const EMPTY: u8 = 0;
    const SYMMETRIES: usize = IMAGES;

    fn contents() -> impl Iterator<Item = usize> {
        let beside = (0..=4).flat_map(|white| (0..=4 - white).map(move |black| FREE + 5 * white + black));
        (1..FREE).chain(beside.skip(1)).chain([KO])
    }

    fn cells(&self) -> [u8; CELLS] {
        /// The distance of a point and the one above in `owners`, which have a border without stones.
        const STRIDE: usize = SIZE + 2;
        let place = |cell: usize| (cell / SIZE + 1) * STRIDE + cell % SIZE + 1;
        let mut owners = [[0u8; STRIDE * STRIDE]; 2];
        let mut cells = [Self::EMPTY; CELLS];
        for side in Side::ALL {
            for chain in self.board.chains(side) {
                let liberties = chain.liberties.count().min(4);
                for point in chain.stones.iter() {
                    let cell = point / self.board.stride() * SIZE + point % self.board.stride();
                    owners[side.index()][place(cell)] = 1;
                    cells[cell] = (1 + side.index() * STONES + 3 * (liberties - 1)) as u8;
                }
            }
        }
        for (cell, content) in cells.iter_mut().enumerate() {
            let point = place(cell);
            let beside = |side: usize| {
                let owners = &owners[side];
                owners[point - STRIDE] + owners[point - 1] + owners[point + 1] + owners[point + STRIDE]
            };
            let [white, black] = [beside(0), beside(1)];
            *content = match *content {
                Self::EMPTY if white + black == 0 => Self::EMPTY,
                Self::EMPTY => FREE as u8 + 5 * white + black,
                stone => stone + if owners[0][point] == 1 { white } else { black }.min(2),
            };
        }
        if let Some(point) = self.ko {
            cells[point / self.board.stride() * SIZE + point % self.board.stride()] = KO as u8;
        }
        cells
    }

    #[inline]
    fn perspective(&self) -> usize {
        self.side_to_move().index()
    }

    #[inline]
    fn input(view: usize, cell: usize, content: u8) -> usize {
        let content = usize::from(content);
        let seen = match content {
            KO => KO,
            FREE.. => FREE + (content - FREE) % 5 * 5 + (content - FREE) / 5,
            _ => (content - 1 + STONES) % (2 * STONES) + 1,
        };
        cell * (KO + 1) + if view == 0 { content } else { seen }
    }

    fn image(cell: usize, image: usize) -> usize {
        let point = image_of(cell / SIZE * (SIZE + 1) + cell % SIZE, image, SIZE);
        point / (SIZE + 1) * SIZE + point % (SIZE + 1)
    }

    fn is_covered(&self) -> bool {
        self.board.size() == SIZE
    }

    /// The komi. Networks are trained on games without komi, so that both colours are alike.
    fn added_value(&self) -> i32 {
        let for_black = self.score_of(0);
        if self.side == Side::White { for_black } else { -for_black }
    }

    /// By the number of stones.
    fn output_bucket(&self) -> usize {
        let stones = self.board.stones(Side::White).count() + self.board.stones(Side::Black).count();
        (stones / BUCKET_STONES).min(Self::OUTPUT_BUCKETS - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Evaluator, Notation, SplitMix64, Variant, conformance};
    use crate::nnue::Network;
    use std::collections::BTreeSet;
    use std::sync::{Arc, LazyLock};

    type Large = Go<6>;

    static NETWORK: LazyLock<Arc<Network>> =
        LazyLock::new(|| Arc::new(Network::random::<Large, CELLS>("go", 64, 1)));

    /// The active inputs of a perspective in an image of the board.
    fn inputs(game: &Large, perspective: usize, image: usize) -> BTreeSet<usize> {
        let cells = game.cells();
        let active = (0..CELLS).filter(|&cell| cells[cell] != Large::EMPTY);
        active.map(|cell| Large::input(perspective, Large::image(cell, image), cells[cell])).collect()
    }

    /// The position of image `image` of `game` with the colours exchanged if `flips`.
    fn image_text(game: &Large, image: usize, flips: bool) -> String {
        let stone = |file: usize, rank: usize| game.board.stone(rank * (SIZE + 1) + file);
        let mut shown = [['1'; SIZE]; SIZE];
        for (rank, file) in (0..CELLS).map(|cell| (cell / SIZE, cell % SIZE)) {
            let cell = Large::image(rank * SIZE + file, image);
            if let Some(side) = stone(file, rank) {
                let is_first = (side == Side::White) != flips;
                shown[cell / SIZE][cell % SIZE] = if is_first { 'P' } else { 'p' };
            }
        }
        let ranks: Vec<String> = shown.iter().rev().map(|rank| rank.iter().collect()).collect();
        let side = if (game.side == Side::White) != flips { "b" } else { "w" };
        format!("{} {side} - 0 7", ranks.join("/"))
    }

    #[test]
    fn inputs_of_images_and_of_exchanged_colours_are_equal() {
        let mut random = SplitMix64::new(7);
        let mut game = Large::start();
        for _ in 0..70 {
            let moves = game.moves();
            game.play(moves[1 + (random.next() % (moves.len() as u64 - 1)) as usize]);
            if game.ko.is_some() {
                continue;
            }
            for image in 0..IMAGES {
                for flips in [false, true] {
                    let shown = Large::start().parse_position(&image_text(&game, image, flips)).unwrap().game;
                    let expected = inputs(&game, 0, image);
                    assert_eq!(
                        inputs(&shown, usize::from(flips), 0),
                        expected,
                        "{}",
                        image_text(&game, image, flips)
                    );
                    assert!(expected.iter().all(|&input| input < Large::INPUTS));
                }
            }
        }
    }

    #[test]
    fn a_stone_shows_its_liberties_and_a_free_point_its_neighbours() {
        let game = Large::start().parse_position("9/9/9/9/9/9/9/Pp7/1P7 w - 0 7").unwrap().game;
        let cells = game.cells().map(usize::from);
        // The black stone on a2 has a liberty above and one below, the white one two, the black one on b1 two.
        assert_eq!(cells[9], 1 + 3);
        assert_eq!(cells[10], 1 + STONES + 3);
        assert_eq!(cells[1], 1 + 3);
        assert_eq!(cells[0], FREE + 5 * 2);
        assert_eq!([cells[11], cells[2]], [FREE + 1, FREE + 5]);
        assert_eq!(cells[40], 0);
    }

    #[test]
    fn komi_is_added_to_what_the_network_says() {
        let value = |komi: &str| {
            let game =
                Large::start().parse_position(&format!("9/9/9/4P4/9/9/9/9/9 w - 0 {komi}")).unwrap().game;
            <Large as Variant>::Evaluator::new(Some(&NETWORK)).evaluate(&game).value()
        };
        assert_eq!(value("7.5") - value("7"), Large::SCORE_UNIT / 2);
        let other_size = Large::start().parse_position("7/7/7/7/7/7/7 b - 0 7").unwrap().game;
        let by_hand = <super::super::Influence as Evaluator<Large>>::new(None).evaluate(&other_size);
        assert_eq!(<Large as Variant>::Evaluator::new(Some(&NETWORK)).evaluate(&other_size), by_hand);
    }

    #[test]
    fn evaluation_by_network_passes_conformance() {
        conformance::check_evaluation(&Large::start(), Some(&NETWORK), 2, 80, 11);
    }
}
