//! The text of games in which the sides put stones on free cells: positions, moves and diagrams in the notation that
//! Fairy-Stockfish and cutechess use for tic-tac-toe, Connect Four and gomoku.

use super::{NotationError, Side, fen};

/// The board of such a game. Cells are numbered rank by rank: `a1` is 0, `b1` is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DropBoard {
    /// The number of files, at most 26.
    pub files: usize,
    /// The number of ranks, at most 99.
    pub ranks: usize,
}

impl DropBoard {
    /// Writes a position: the ranks from the top, the side to move, two fields without meaning, and the number of the move.
    /// `P` is a stone of White, `p` of Black. `stone` returns the stone on a cell.
    pub fn position_text(self, stone: impl Fn(usize) -> Option<Side>, side: Side) -> String {
        let placed = (0..self.files * self.ranks).filter(|&cell| stone(cell).is_some()).count();
        let letter = ["w", "b"][side.index()];
        format!("{} {letter} - - 0 {}", self.ranks_text(stone), 1 + placed / 2)
    }

    /// As `position_text`, with the stones not yet placed in brackets after the ranks.
    pub fn position_text_with_pocket(self, stone: impl Fn(usize) -> Option<Side>, side: Side) -> String {
        let cells = self.files * self.ranks;
        let left = [(Side::White, "P", cells.div_ceil(2)), (Side::Black, "p", cells / 2)];
        let pocket = left.map(|(side, letter, stones)| {
            let placed = (0..cells).filter(|&cell| stone(cell) == Some(side)).count();
            letter.repeat(stones.saturating_sub(placed))
        });
        let text = self.position_text(stone, side);
        text.replacen(' ', &format!("[{}] ", pocket.concat()), 1)
    }

    /// Writes the ranks from the top, the first part of a position.
    pub fn ranks_text(self, stone: impl Fn(usize) -> Option<Side>) -> String {
        fen::ranks_text(self.files, self.ranks, |file, rank| match stone(rank * self.files + file) {
            Some(Side::White) => 'P',
            Some(Side::Black) => 'p',
            None => '.',
        })
    }

    /// Reads a position: the stone on each cell, and the side to move. The stones in brackets and the fields after the
    /// side may be left out.
    ///
    /// # Errors
    /// If the text is not a position of this board.
    pub fn parse_position(self, text: &str) -> Result<(Vec<Option<Side>>, Side), NotationError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let (Some(board), Some(side)) = (fields.first(), fields.get(1)) else {
            return Err(NotationError::new("expected a board and the side to move", text));
        };
        let ranks = match board.split_once('[') {
            None => board,
            Some((ranks, pocket)) => {
                let letters = pocket.strip_suffix(']').filter(|p| p.chars().all(|c| "Pp".contains(c)));
                letters
                    .ok_or_else(|| NotationError::new("expected a pocket of P and p in brackets", pocket))?;
                ranks
            }
        };
        let side = match *side {
            "w" => Side::White,
            "b" => Side::Black,
            other => return Err(NotationError::new("expected the side to move, w or b", other)),
        };
        // Castling, en passant and two counters: part of a FEN, without meaning in these games.
        if let Some(rest) = fields.get(2..).filter(|rest| {
            rest.len() > 4 || rest.iter().any(|field| *field != "-" && field.parse::<u32>().is_err())
        }) {
            let expected = "expected at most four more fields, each - or a number";
            return Err(NotationError::new(expected, &rest.join(" ")));
        }
        Ok((self.parse_ranks(ranks)?, side))
    }

    /// Reads the ranks of a position from the top: the stone on each cell.
    ///
    /// # Errors
    /// If the text is not the ranks of this board.
    pub fn parse_ranks(self, ranks: &str) -> Result<Vec<Option<Side>>, NotationError> {
        let texts: Vec<&str> = ranks.split('/').collect();
        if texts.len() != self.ranks {
            return Err(NotationError::new(
                format_args!("expected {} ranks separated by /", self.ranks),
                ranks,
            ));
        }
        let mut stones = Vec::with_capacity(self.files * self.ranks);
        for text in texts.into_iter().rev() {
            let rank = self.parse_rank(text).ok_or_else(|| {
                let expected =
                    format!("expected {} cells of P, p and numbers of free cells in a rank", self.files);
                NotationError::new(expected, text)
            })?;
            stones.extend(rank);
        }
        Ok(stones)
    }

    /// Reads the stones of one rank; `None` if they are no rank of this board.
    fn parse_rank(self, text: &str) -> Option<Vec<Option<Side>>> {
        let mut stones = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            // Only on boards with ten files and more a number may have two digits.
            let digits =
                rest.bytes().take_while(u8::is_ascii_digit).count().min(self.files.to_string().len());
            let length = digits.max(first.len_utf8());
            match &rest[..length] {
                "P" => stones.push(Some(Side::White)),
                "p" => stones.push(Some(Side::Black)),
                number => {
                    let free = number.parse().ok().filter(|free| (1..=self.files).contains(free))?;
                    stones.resize(stones.len() + free, None);
                }
            }
            if stones.len() > self.files {
                return None;
            }
            rest = &rest[length..];
        }
        (stones.len() == self.files).then_some(stones)
    }

    /// Writes the name of a cell, such as `d1`.
    pub fn cell_text(self, cell: usize) -> String {
        format!("{}{}", file_letter(cell % self.files), cell / self.files + 1)
    }

    /// Writes the move that puts a stone on a cell, such as `P@d1`.
    pub fn drop_text(self, cell: usize) -> String {
        format!("P@{}", self.cell_text(cell))
    }

    /// Reads a cell, with or without `P@`, in upper or lower case. Returns `None` if the board has no such cell.
    pub fn parse_drop(self, text: &str) -> Option<usize> {
        let lower = text.to_ascii_lowercase();
        let cell = lower.strip_prefix("p@").unwrap_or(&lower);
        let file = usize::from(cell.bytes().next()?.wrapping_sub(b'a'));
        let digits = cell.get(1..).filter(|digits| !digits.starts_with(['0', '+']))?;
        let rank: usize = digits.parse().ok().filter(|rank| (1..=self.ranks).contains(rank))?;
        (file < self.files).then_some((rank - 1) * self.files + file)
    }

    /// Draws the board with the names of ranks and files: `x` is a stone of White, `o` of Black.
    pub fn diagram(self, stone: impl Fn(usize) -> Option<Side>) -> String {
        self.diagram_with_files(file_letter, stone)
    }

    /// Draws the board as [`DropBoard::diagram`] does, with these names of the files.
    pub fn diagram_with_files(
        self,
        file_letter: impl Fn(usize) -> char,
        stone: impl Fn(usize) -> Option<Side>,
    ) -> String {
        let width = self.ranks.to_string().len();
        let mut text = String::new();
        for rank in (0..self.ranks).rev() {
            text += &format!("{:>width$} ", rank + 1);
            for file in 0..self.files {
                text += match stone(rank * self.files + file) {
                    Some(Side::White) => " x",
                    Some(Side::Black) => " o",
                    None => " .",
                };
            }
            text.push('\n');
        }
        let files: String = (0..self.files).map(|file| format!(" {}", file_letter(file))).collect();
        text + &format!("{:width$} {files}\n", "")
    }
}

/// A diagram of a drop board with round stones, of which the first player's are black.
pub fn with_stones(diagram: &str) -> String {
    let (ranks, files) = diagram.trim_end().rsplit_once('\n').unwrap_or_default();
    format!("{}\n{files}", ranks.replace('x', "●").replace('o', "○").replace('.', "·"))
}

/// The letter of a file: a, b and so on.
pub fn file_letter(file: usize) -> char {
    (b'a' + file as u8) as char
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: DropBoard = DropBoard { files: 12, ranks: 2 };

    fn stone(cell: usize) -> Option<Side> {
        [(0, Side::White), (14, Side::Black)].iter().find(|stone| stone.0 == cell).map(|stone| stone.1)
    }

    #[test]
    fn position_text_is_read_back() {
        let text = WIDE.position_text_with_pocket(stone, Side::Black);
        assert_eq!(text, format!("2p9/P11[{}{}] b - - 0 2", "P".repeat(11), "p".repeat(11)));
        let short = WIDE.position_text(stone, Side::Black);
        assert_eq!(short, "2p9/P11 b - - 0 2");
        for text in [text, short] {
            let (stones, side) = WIDE.parse_position(&text).unwrap();
            assert_eq!((0..24).map(stone).collect::<Vec<_>>(), stones);
            assert_eq!(side, Side::Black);
        }
        assert_eq!(WIDE.diagram(stone).lines().nth(1), Some("1  x . . . . . . . . . . ."));
    }

    #[test]
    fn parse_position_of_other_texts_is_an_error() {
        for text in [
            "", "12/12", "12 w", "12/12/12 w", "13/12 w", "11/12 w", "0P11/12 w", "12/12 x", "P12/12 w",
            "é11/12 w", "12/12[Q] w", "12/12[P w", "12/12 w a", "12/12 w - - 0 1 2",
        ] {
            assert!(WIDE.parse_position(text).is_err(), "{text}");
        }
        assert!(WIDE.parse_position("P1P9/12 w - -").is_ok());
        // On small boards each digit is a number.
        assert!(DropBoard { files: 3, ranks: 1 }.parse_position("12 w").is_ok());
    }

    #[test]
    fn parse_drop_reads_names_of_cells_only() {
        let board = DropBoard { files: 12, ranks: 12 };
        for (text, cell) in [("P@a1", 0), ("p@L12", 143), ("b1", 1), ("A2", 12)] {
            assert_eq!(board.parse_drop(text), Some(cell), "{text}");
        }
        assert_eq!(board.drop_text(143), "P@l12");
        for text in ["", "a", "a0", "a01", "a13", "m1", "P@", "Q@a1", "1a", "a1 ", "a+1", "é1"] {
            assert_eq!(board.parse_drop(text), None, "{text}");
        }
    }
}
