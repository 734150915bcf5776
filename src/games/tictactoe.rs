//! Tic-tac-toe on N x N cells: N stones in a row, in a column or on a diagonal win.

use crate::game::{
    DropBoard, Evaluator, Game, Heuristics, Move, MoveList, Notation, NotationError, Outcome, Parsed, Ply,
    Score, Side, SplitMix64, Variant, const_for,
};
use crate::nnue::Network;
use std::sync::Arc;

/// A position; N is 3 or 4. Cell `a1` is bit 0, `b1` is bit 1, and so on rank by rank.
///
/// Any number of stones of either side is valid, and either side can be to move: online judges set such boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicTacToe<const N: usize> {
    stones: [u16; 2],
    side: Side,
}

impl<const N: usize> TicTacToe<N> {
    const BOARD: DropBoard = DropBoard { files: N, ranks: N };
    const CELLS: usize = N * N;
    const FULL: u16 = (!0u32 >> (32 - N * N)) as u16;
    /// The 2N + 2 winning lines, padded with copies of the last one.
    const WIN_LINES: [u16; 10] = win_lines::<N>();
    /// The image of each cell under the eight symmetries of the square; the first is the identity.
    const SYMMETRIES: [[u8; 16]; 8] = symmetries::<N>();
    /// With at most this many stones symmetric positions share a TT entry. Later positions mostly descend
    /// from a shared one already, so that looking for symmetries costs more than it saves.
    const MAX_SYMMETRY_STONES: u32 = 5;

    /// Returns the position in which a game starts.
    pub fn start() -> Self {
        TicTacToe { stones: [0; 2], side: Side::White }
    }

    fn occupied(&self) -> u16 {
        self.stones[0] | self.stones[1]
    }

    fn has_won(&self, side: Side) -> bool {
        Self::WIN_LINES.iter().any(|line| self.stones[side.index()] & line == *line)
    }

    /// Returns the free cells with which `side`, which has no complete line yet, completes one.
    fn winning_cells(&self, side: Side) -> u16 {
        let missing = Self::WIN_LINES.map(|line| line & !self.stones[side.index()]);
        let last = missing.iter().filter(|cells| cells.is_power_of_two());
        last.fold(0, |all, cells| all | cells) & !self.occupied()
    }

    /// Packs `stones` and the side to move into one number.
    fn state(&self, stones: [u16; 2]) -> u64 {
        let [white, black] = stones.map(u64::from);
        white | black << 16 | (self.side as u64) << 32
    }

    /// Returns the canonical one of the eight symmetric images, as the symmetry and the packed image.
    fn canonical_image(&self) -> (&'static [u8; 16], u64) {
        if self.occupied().count_ones() > Self::MAX_SYMMETRY_STONES {
            return (&Self::SYMMETRIES[0], self.state(self.stones));
        }
        let image = |cells: &[u8; 16], stones: u16| {
            let occupied = (0..Self::CELLS).filter(|cell| stones >> cell & 1 == 1);
            occupied.fold(0, |image, cell| image | 1 << cells[cell])
        };
        let images =
            Self::SYMMETRIES.iter().map(|cells| (cells, self.state(self.stones.map(|s| image(cells, s)))));
        images.min_by_key(|&(_, state)| state).expect("the square has symmetries")
    }

    fn cell(mv: Move) -> usize {
        usize::from(mv.bits() - 1)
    }

    fn stone(&self, cell: usize) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.stones[side.index()] >> cell & 1 == 1)
    }
}

const fn win_lines<const N: usize>() -> [u16; 10] {
    let (mut lines, mut diagonal, mut antidiagonal) = ([0u16; 10], 0, 0);
    let mut i = 0;
    while i < N {
        const_for!(j, 0..N, {
            lines[i] |= 1 << (N * i + j);
            lines[N + i] |= 1 << (N * j + i);
        });
        diagonal |= 1 << (N * i + i);
        antidiagonal |= 1 << (N * i + N - 1 - i);
        i += 1;
    }
    lines[2 * N] = diagonal;
    i = 2 * N + 1;
    while i < 10 {
        lines[i] = antidiagonal;
        i += 1;
    }
    lines
}

const fn symmetries<const N: usize>() -> [[u8; 16]; 8] {
    let mut symmetries = [[0; 16]; 8];
    const_for!(i, 0..8 * N * N, {
        let (symmetry, rank, file) = (i / (N * N), i / N % N, i % N);
        let (rank, file) = if symmetry & 1 == 0 { (rank, file) } else { (file, rank) };
        let rank = if symmetry & 2 == 0 { rank } else { N - 1 - rank };
        let file = if symmetry & 4 == 0 { file } else { N - 1 - file };
        symmetries[symmetry][i % (N * N)] = (N * rank + file) as u8;
    });
    symmetries
}

impl<const N: usize> Game for TicTacToe<N> {
    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        if self.outcome().is_none() {
            let free = (0..Self::CELLS as u16).filter(|cell| self.occupied() >> cell & 1 == 0);
            moves.extend(free.map(|cell| Move::new(cell + 1)));
        }
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        self.stones[self.side.index()] |= 1 << Self::cell(mv);
        self.side = !self.side;
    }

    fn undo(&mut self, mv: Move) {
        self.side = !self.side;
        self.stones[self.side.index()] &= !(1 << Self::cell(mv));
    }

    /// If both sides have a line, which no game reaches, the side that moved last has won.
    fn outcome(&self) -> Option<Outcome> {
        match [!self.side, self.side].into_iter().find(|&side| self.has_won(side)) {
            Some(winner) => Some(Outcome::Win(winner)),
            None => (self.occupied() == Self::FULL).then_some(Outcome::Draw),
        }
    }

    /// The mixing function is a bijection of 64 bits: no two positions share a key.
    fn key(&self) -> u64 {
        SplitMix64::new(self.state(self.stones)).next()
    }

    fn is_legal(&self, mv: Move) -> bool {
        let cell = Self::cell(mv);
        cell < Self::CELLS && self.occupied() >> cell & 1 == 0 && self.outcome().is_none()
    }
}

impl<const N: usize> Heuristics for TicTacToe<N> {
    const BUTTERFLY: usize = 16;
    const PIECE_TO: usize = 32;

    fn tt_key(&self) -> u64 {
        SplitMix64::new(self.canonical_image().1).next()
    }

    fn canonical_move(&self, mv: Move) -> Move {
        Move::new(u16::from(self.canonical_image().0[Self::cell(mv)]) + 1)
    }

    fn original_move(&self, mv: Move) -> Move {
        let cell = self.canonical_image().0.iter().position(|&image| usize::from(image) == Self::cell(mv));
        cell.map_or(mv, |cell| Move::new(cell as u16 + 1))
    }

    /// A side cannot win if every line has a stone of the opponent.
    fn value_bounds(&self, _: Ply) -> (Score, Score) {
        let can_win =
            |side: Side| Self::WIN_LINES.iter().any(|line| self.stones[(!side).index()] & line == 0);
        let least = if can_win(!self.side) { -Score::INFINITE } else { Score::ZERO };
        let greatest = if can_win(self.side) { Score::INFINITE } else { Score::ZERO };
        (least, greatest)
    }

    /// Completes a line, or else blocks a line that the opponent would complete.
    fn forced_move(&self) -> Option<Move> {
        let cells = [self.side, !self.side].map(|side| self.winning_cells(side));
        let cell = cells.into_iter().find(|&cells| cells != 0)?.trailing_zeros();
        Some(Move::new(cell as u16 + 1))
    }

    fn butterfly(&self, mv: Move) -> usize {
        Self::cell(mv)
    }

    fn piece_to(&self, mv: Move) -> usize {
        16 * self.side.index() + Self::cell(mv)
    }
}

impl<const N: usize> Notation for TicTacToe<N> {
    fn variant(&self) -> &'static str {
        if N == 3 { "tictactoe" } else { "tictactoe4" }
    }

    fn initial(&self) -> Self {
        Self::start()
    }

    fn parse_position(&self, text: &str) -> Result<Parsed<Self>, NotationError> {
        let (cells, side) = Self::BOARD.parse_position(text)?;
        let mut stones = [0; 2];
        for (cell, stone) in cells.into_iter().enumerate() {
            stone.into_iter().for_each(|side| stones[side.index()] |= 1 << cell);
        }
        Ok(Parsed { game: TicTacToe { stones, side }, warnings: Vec::new() })
    }

    fn position_text(&self) -> String {
        Self::BOARD.position_text_with_pocket(|cell| self.stone(cell), self.side)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let mv = Self::BOARD.parse_drop(text).map(|cell| Move::new(cell as u16 + 1));
        mv.filter(|&mv| self.is_legal(mv))
            .ok_or_else(|| NotationError::new("expected a drop on a free cell like P@a1", text))
    }

    fn move_text(&self, mv: Move) -> String {
        Self::BOARD.drop_text(Self::cell(mv))
    }

    fn diagram(&self) -> String {
        Self::BOARD.diagram(|cell| self.stone(cell))
    }

    fn flipped(&self) -> Option<Self> {
        let [white, black] = self.stones;
        Some(TicTacToe { stones: [black, white], side: !self.side })
    }
}

/// Evaluates open lines: for each line without a stone of the opponent, the square of the number of own stones.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenLines;

impl<const N: usize> Variant for TicTacToe<N> {
    type Evaluator = OpenLines;
}

impl<const N: usize> Evaluator<TicTacToe<N>> for OpenLines {
    fn new(_: Option<&Arc<Network>>) -> Self {
        OpenLines
    }

    fn evaluate(&mut self, game: &TicTacToe<N>) -> Score {
        let open = |own: u16, other: u16| {
            let lines = TicTacToe::<N>::WIN_LINES[..2 * N + 2].iter().filter(|&&line| other & line == 0);
            lines.map(|&line| (own & line).count_ones() as i32).map(|count| count * count).sum::<i32>()
        };
        let (own, other) = (game.stones[game.side.index()], game.stones[(!game.side).index()]);
        Score::new(open(own, other) - open(other, own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{conformance, perft};

    fn position<const N: usize>(text: &str) -> TicTacToe<N> {
        TicTacToe::start().parse_position(text).unwrap().game
    }

    #[test]
    fn random_games_of_both_sizes_conform() {
        conformance::check(&TicTacToe::<3>::start(), 60, 9, 1);
        conformance::check(&TicTacToe::<4>::start(), 60, 16, 2);
        conformance::check_evaluation(&TicTacToe::<3>::start(), None, 60, 9, 1);
        conformance::check_evaluation(&TicTacToe::<4>::start(), None, 60, 16, 2);
    }

    #[test]
    fn heuristics_agree_with_exhaustive_values() {
        assert!(conformance::check_values(&TicTacToe::<3>::start(), 200, 6, 4) > 100);
        // On the 4x4 board positions with five stones are too many plies from the end for exhaustive values.
        conformance::check_values(&TicTacToe::<4>::start(), 200, 6, 5);
    }

    #[test]
    fn perft_equals_the_published_counts() {
        let mut start = TicTacToe::<3>::start();
        let expected = [1, 9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872];
        for (depth, leaves) in expected.into_iter().enumerate() {
            assert_eq!(perft::perft(&mut start, depth as u32, &mut || false), Some(leaves), "depth {depth}");
        }
    }

    #[test]
    fn four_stones_win_on_exactly_the_ten_lines() {
        // Over all sets of four stones of one side: 4 ranks, 4 files and 2 diagonals win.
        let won = (0..=u16::MAX).filter(|stones| stones.count_ones() == 4);
        let won = won
            .filter(|&stones| TicTacToe::<4> { stones: [stones, 0], side: Side::Black }.has_won(Side::White));
        assert_eq!(won.count(), 10);
        assert_eq!(position::<4>("4/4/4/PPPP b").outcome(), Some(Outcome::Win(Side::White)));
        assert_eq!(position::<4>("p3/1p2/2p1/3p w").outcome(), Some(Outcome::Win(Side::Black)));
        assert_eq!(position::<4>("PpPp/PpPp/pPpP/pPpP w").outcome(), Some(Outcome::Draw));
        assert_eq!(position::<3>("PP1/3/3 w").outcome(), None);
    }

    #[test]
    fn parse_position_reads_texts_with_and_without_a_pocket() {
        let start = TicTacToe::<3>::start();
        for text in ["3/3/3[PPPPPpppp] w - - 0 1", "3/3/3 w - - 0 1", "3/3/3 w", "3/12/21[] w"] {
            assert_eq!(position::<3>(text), start, "{text}");
        }
        assert_eq!(start.position_text(), "3/3/3[PPPPPpppp] w - - 0 1");
        let text = "1P2/4/2p1/4[PPPPPPPppppppp] w - - 0 2";
        assert_eq!(position::<4>(text).position_text(), text);
        for text in
            ["", "3/3/3", "3/3 w", "4/3/3 w", "2/3/3 w", "x2/3/3 w", "3/3/3 x", "3/3/3[Q] w", "3/3/3 w a"]
        {
            assert!(TicTacToe::<3>::start().parse_position(text).is_err(), "{text}");
        }
        for text in ["P@d1", "P@a4", "1a", "P@a0", "Q@a1", "P@a1x", ""] {
            assert!(start.parse_move(text).is_err(), "{text}");
        }
        assert_eq!(
            ["p@B2", "b2"].map(|text| start.move_text(start.parse_move(text).unwrap())),
            ["P@b2", "P@b2"]
        );
    }
}
