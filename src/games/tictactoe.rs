//! Tic-tac-toe on 3x3 and on 4x4 cells: three or four stones in a row, in a column or on a diagonal win.

use crate::game::{
    DropBoard, Evaluator, Game, Heuristics, Move, MoveList, Notation, NotationError, Outcome, Parsed, Ply,
    Score, Side, SplitMix64, Variant, const_for,
};

/// A position. Cell `a1` is bit 0, `b1` is bit 1, and so on rank by rank.
///
/// Any number of stones of either side is valid, and either side can be to move: online judges set such boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicTacToe {
    board: &'static Board,
    stones: [u16; 2],
    side: Side,
}

/// The board of a variant.
#[derive(Debug, PartialEq, Eq)]
struct Board {
    /// The name of the variant.
    name: &'static str,
    size: usize,
    /// All cells.
    full: u16,
    /// The winning lines, padded with copies of the last one.
    win_lines: [u16; 10],
    /// The image of each cell under the eight symmetries of the square; the first is the identity.
    symmetries: [[u8; 16]; 8],
}

static BOARD_3: Board = Board::new("tictactoe", 3);
static BOARD_4: Board = Board::new("tictactoe4", 4);

impl Board {
    const fn new(name: &'static str, size: usize) -> Board {
        let full = (!0u32 >> (32 - size * size)) as u16;
        Board { name, size, full, win_lines: win_lines(size), symmetries: symmetries(size) }
    }

    fn cells(&self) -> usize {
        self.size * self.size
    }
}

impl TicTacToe {
    /// With at most this many stones symmetric positions share a TT entry. Later positions mostly descend
    /// from a shared one already, so that looking for symmetries costs more than it saves.
    const MAX_SYMMETRY_STONES: u32 = 5;

    /// Returns the start of a game on `size` x `size` cells.
    ///
    /// # Panics
    /// If `size` is neither 3 nor 4.
    pub fn start(size: usize) -> TicTacToe {
        let board = match size {
            3 => &BOARD_3,
            4 => &BOARD_4,
            _ => panic!("expected a board of 3 or 4 ranks, got {size}"),
        };
        TicTacToe { board, stones: [0; 2], side: Side::White }
    }

    fn text_board(&self) -> DropBoard {
        DropBoard { files: self.board.size, ranks: self.board.size }
    }

    fn occupied(&self) -> u16 {
        self.stones[0] | self.stones[1]
    }

    fn has_won(&self, side: Side) -> bool {
        self.board.win_lines.iter().any(|line| self.stones[side.index()] & line == *line)
    }

    /// Returns the free cells with which `side`, which has no complete line yet, completes one.
    fn winning_cells(&self, side: Side) -> u16 {
        let missing = self.board.win_lines.map(|line| line & !self.stones[side.index()]);
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
        let symmetries = &self.board.symmetries;
        if self.occupied().count_ones() > Self::MAX_SYMMETRY_STONES {
            return (&symmetries[0], self.state(self.stones));
        }
        let image = |cells: &[u8; 16], stones: u16| {
            let occupied = (0..self.board.cells()).filter(|cell| stones >> cell & 1 == 1);
            occupied.fold(0, |image, cell| image | 1 << cells[cell])
        };
        let images = symmetries.iter().map(|cells| (cells, self.state(self.stones.map(|s| image(cells, s)))));
        images.min_by_key(|&(_, state)| state).expect("the square has symmetries")
    }

    fn cell(mv: Move) -> usize {
        usize::from(mv.bits() - 1)
    }

    fn stone(&self, cell: usize) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.stones[side.index()] >> cell & 1 == 1)
    }
}

const fn win_lines(size: usize) -> [u16; 10] {
    let (mut lines, mut diagonal, mut antidiagonal) = ([0u16; 10], 0, 0);
    let mut i = 0;
    while i < size {
        const_for!(j, 0..size, {
            lines[i] |= 1 << (size * i + j);
            lines[size + i] |= 1 << (size * j + i);
        });
        diagonal |= 1 << (size * i + i);
        antidiagonal |= 1 << (size * i + size - 1 - i);
        i += 1;
    }
    lines[2 * size] = diagonal;
    i = 2 * size + 1;
    while i < 10 {
        lines[i] = antidiagonal;
        i += 1;
    }
    lines
}

const fn symmetries(size: usize) -> [[u8; 16]; 8] {
    let mut symmetries = [[0; 16]; 8];
    const_for!(i, 0..8 * size * size, {
        let (symmetry, rank, file) = (i / (size * size), i / size % size, i % size);
        let (rank, file) = if symmetry & 1 == 0 { (rank, file) } else { (file, rank) };
        let rank = if symmetry & 2 == 0 { rank } else { size - 1 - rank };
        let file = if symmetry & 4 == 0 { file } else { size - 1 - file };
        symmetries[symmetry][i % (size * size)] = (size * rank + file) as u8;
    });
    symmetries
}

impl Game for TicTacToe {
    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        if self.outcome().is_none() {
            let free = (0..self.board.cells() as u16).filter(|cell| self.occupied() >> cell & 1 == 0);
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
            None => (self.occupied() == self.board.full).then_some(Outcome::Draw),
        }
    }

    /// The mixing function is a bijection of 64 bits: no two positions share a key.
    fn key(&self) -> u64 {
        SplitMix64::new(self.state(self.stones)).next()
    }

    fn is_legal(&self, mv: Move) -> bool {
        let cell = Self::cell(mv);
        cell < self.board.cells() && self.occupied() >> cell & 1 == 0 && self.outcome().is_none()
    }
}

impl Heuristics for TicTacToe {
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
            |side: Side| self.board.win_lines.iter().any(|line| self.stones[(!side).index()] & line == 0);
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

impl Notation for TicTacToe {
    fn variant(&self) -> &'static str {
        self.board.name
    }

    fn initial(&self) -> Self {
        TicTacToe { stones: [0; 2], side: Side::White, ..*self }
    }

    fn parse_position(&self, text: &str) -> Result<Parsed<Self>, NotationError> {
        let (cells, side) = self.text_board().parse_position(text)?;
        let mut stones = [0; 2];
        for (cell, stone) in cells.into_iter().enumerate() {
            stone.into_iter().for_each(|side| stones[side.index()] |= 1 << cell);
        }
        Ok(Parsed { game: TicTacToe { stones, side, ..*self }, warnings: Vec::new() })
    }

    fn position_text(&self) -> String {
        self.text_board().position_text_with_pocket(|cell| self.stone(cell), self.side)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let mv = self.text_board().parse_drop(text).map(|cell| Move::new(cell as u16 + 1));
        mv.filter(|&mv| self.is_legal(mv))
            .ok_or_else(|| NotationError::new("expected a drop on a free cell like P@a1", text))
    }

    fn move_text(&self, mv: Move) -> String {
        self.text_board().drop_text(Self::cell(mv))
    }

    fn diagram(&self) -> String {
        self.text_board().diagram(|cell| self.stone(cell))
    }

    fn flipped(&self) -> Option<Self> {
        let [white, black] = self.stones;
        Some(TicTacToe { stones: [black, white], side: !self.side, ..*self })
    }
}

/// Evaluates open lines: for each line without a stone of the opponent, the square of the number of own stones.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenLines;

impl Variant for TicTacToe {
    type Evaluator = OpenLines;
}

impl Evaluator<TicTacToe> for OpenLines {
    fn evaluate(&mut self, game: &TicTacToe) -> Score {
        let open = |own: u16, other: u16| {
            let lines =
                game.board.win_lines[..2 * game.board.size + 2].iter().filter(|&&line| other & line == 0);
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

    /// Reads a position, whose text has a rank in each part.
    fn position(text: &str) -> TicTacToe {
        TicTacToe::start(text.split('/').count()).parse_position(text).unwrap().game
    }

    #[test]
    fn random_games_of_both_sizes_conform() {
        conformance::check(&TicTacToe::start(3), 60, 9, 1);
        conformance::check(&TicTacToe::start(4), 60, 16, 2);
        conformance::check_evaluation(&TicTacToe::start(3), None, 60, 9, 1);
        conformance::check_evaluation(&TicTacToe::start(4), None, 60, 16, 2);
    }

    #[test]
    fn heuristics_agree_with_exhaustive_values() {
        assert!(conformance::check_values(&TicTacToe::start(3), 200, 6, 4) > 100);
        // On the 4x4 board positions with five stones are too many plies from the end for exhaustive values.
        conformance::check_values(&TicTacToe::start(4), 200, 6, 5);
    }

    #[test]
    fn perft_equals_the_published_counts() {
        let mut start = TicTacToe::start(3);
        let expected = [1, 9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872];
        for (depth, leaves) in expected.into_iter().enumerate() {
            assert_eq!(perft::perft(&mut start, depth as u32, &mut || false), Some(leaves), "depth {depth}");
        }
    }

    #[test]
    fn four_stones_win_on_exactly_the_ten_lines() {
        // Over all sets of four stones of one side: 4 ranks, 4 files and 2 diagonals win.
        let start = TicTacToe::start(4);
        let won = (0..=u16::MAX).filter(|stones| stones.count_ones() == 4);
        let won = won.filter(|&stones| {
            TicTacToe { stones: [stones, 0], side: Side::Black, ..start }.has_won(Side::White)
        });
        assert_eq!(won.count(), 10);
        assert_eq!(position("4/4/4/PPPP b").outcome(), Some(Outcome::Win(Side::White)));
        assert_eq!(position("p3/1p2/2p1/3p w").outcome(), Some(Outcome::Win(Side::Black)));
        assert_eq!(position("PpPp/PpPp/pPpP/pPpP w").outcome(), Some(Outcome::Draw));
        assert_eq!(position("PP1/3/3 w").outcome(), None);
    }

    #[test]
    fn parse_position_reads_texts_with_and_without_a_pocket() {
        let start = TicTacToe::start(3);
        for text in ["3/3/3[PPPPPpppp] w - - 0 1", "3/3/3 w - - 0 1", "3/3/3 w", "3/12/21[] w"] {
            assert_eq!(position(text), start, "{text}");
        }
        assert_eq!(start.position_text(), "3/3/3[PPPPPpppp] w - - 0 1");
        let text = "1P2/4/2p1/4[PPPPPPPppppppp] w - - 0 2";
        assert_eq!(position(text).position_text(), text);
        for text in
            ["", "3/3/3", "3/3 w", "4/3/3 w", "2/3/3 w", "x2/3/3 w", "3/3/3 x", "3/3/3[Q] w", "3/3/3 w a"]
        {
            assert!(TicTacToe::start(3).parse_position(text).is_err(), "{text}");
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
