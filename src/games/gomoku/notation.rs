//! Positions and moves as text.

use super::{BLACK_KEY, Gomoku, Rules};
use crate::game::{DropBoard, Game, Move, Notation, NotationError, Parsed, Side, with_stones};

impl Gomoku {
    /// Returns the start of a game of the variant.
    ///
    /// # Panics
    /// If there is no such variant of gomoku.
    pub fn start(variant: &str) -> Gomoku {
        let rules = Rules::named(variant).unwrap_or_else(|| panic!("no variant {variant} of gomoku"));
        Gomoku::empty(rules, Side::White)
    }

    fn text_board(&self) -> DropBoard {
        DropBoard { files: self.rules.size, ranks: self.rules.size }
    }

    /// Returns the position with these stones. If both sides have a winning row, which no game reaches, the side that moved
    /// last has won.
    pub(super) fn with_stones(
        rules: &'static Rules,
        stones: impl Iterator<Item = Option<Side>>,
        side: Side,
    ) -> Self {
        let mut game = Self::empty(rules, side);
        for (cell, stone) in stones.enumerate() {
            if let Some(side) = stone {
                game.put(cell, side);
            }
        }
        game.winner = [!side, side].into_iter().find(|&side| game.has_row(side));
        game
    }

    pub(super) fn stone(&self, cell: usize) -> Option<Side> {
        self.cells[cell].stone
    }
}

/// Balanced openings on 15x15 cells, by the engine's own score.
const BENCH_15: [&str; 6] = [
    "15/15/15/15/15/15/15/15/15/5Pp1P6/15/15/15/15/15 b",
    "15/15/15/15/15/9p5/5P2P6/15/6p8/15/8P6/15/15/15/15 b",
    "15/15/15/15/15/15/5p9/7p1P5/7P7/15/8P6/15/15/15/15 b",
    "15/15/15/15/15/7p1P5/5P9/7p7/15/15/15/15/15/15/15 w",
    "15/15/15/15/15/7p7/7P7/15/6P8/15/15/15/15/15/15 b",
    "15/15/15/15/15/15/9P5/15/6Pp7/15/15/15/15/15/15 b",
];

impl Notation for Gomoku {
    const OPENING_PLIES: usize = 4;

    fn variant(&self) -> &'static str {
        self.rules.name
    }

    fn initial(&self) -> Self {
        Self::empty(self.rules, Side::White)
    }

    fn initial_of(&self, variant: &str) -> Option<Self> {
        Some(Self::empty(Rules::named(variant)?, Side::White))
    }

    fn bench_positions(&self) -> &'static [&'static str] {
        if self.rules.size == 15 { &BENCH_15 } else { &[] }
    }

    fn parse_position(&self, text: &str) -> Result<Parsed<Self>, NotationError> {
        let (stones, side) = self.text_board().parse_position(text)?;
        let game = Self::with_stones(self.rules, stones.into_iter(), side);
        Ok(Parsed { game, warnings: Vec::new() })
    }

    fn position_text(&self) -> String {
        self.text_board().position_text(|cell| self.stone(cell), self.side)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let mv = self.text_board().parse_drop(text).map(Self::mv);
        mv.filter(|&mv| self.is_legal(mv))
            .ok_or_else(|| NotationError::new("expected a drop on a free cell like P@h8", text))
    }

    fn move_text(&self, mv: Move) -> String {
        self.text_board().drop_text(Self::cell(mv))
    }

    fn diagram(&self) -> String {
        self.text_board().diagram(|cell| self.stone(cell))
    }

    fn picture(&self) -> String {
        with_stones(&self.diagram())
    }

    /// Only in renju a side wins also without a row.
    fn outcome_reason(&self) -> Option<&'static str> {
        let is_forbidden = |winner: Side| self.rules.has_forbidden_moves(!winner) && !self.has_row(winner);
        self.winner.is_some_and(is_forbidden).then_some("forbidden move")
    }

    fn with_other_turn(&self) -> Option<Self> {
        Some(Self { side: !self.side, key: self.key ^ BLACK_KEY, ..self.clone() })
    }

    fn flipped(&self) -> Option<Self> {
        if self.rules.rows[0] != self.rules.rows[1] {
            return None;
        }
        let stones = (0..self.rules.cells()).map(|cell| self.stone(cell).map(|side| !side));
        Some(Self::with_stones(self.rules, stones, !self.side))
    }
}
