//! Positions and moves as text.

use super::Gomoku;
use crate::game::{Game, Move, Notation, NotationError, NotationOptions, Parsed, Side};

impl<const SIZE: usize, const EXACT: bool> Gomoku<SIZE, EXACT> {
    fn letter(&self, cell: usize, letters: [char; 2]) -> Option<char> {
        self.cells[cell].stone.map(|side| letters[side.index()])
    }

    fn ranks_text(&self) -> String {
        let rank = |rank: usize| {
            let (mut text, mut empty) = (String::new(), 0);
            for letter in (rank * SIZE..(rank + 1) * SIZE).map(|cell| self.letter(cell, ['P', 'p'])) {
                if let Some(letter) = letter {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    text.push(letter);
                    empty = 0;
                } else {
                    empty += 1;
                }
            }
            if empty > 0 { text + &empty.to_string() } else { text }
        };
        (0..SIZE).rev().map(rank).collect::<Vec<_>>().join("/")
    }

    /// Puts the stones of the board field of a FEN on the empty board `self`.
    fn read_ranks(&mut self, text: &str) -> Result<(), NotationError> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != SIZE {
            return Err(NotationError::new(format_args!("expected {SIZE} ranks separated by /"), text));
        }
        for (rank, text) in (0..SIZE).rev().zip(ranks) {
            let (mut file, mut run) = (0, 0);
            let error = || {
                let expected = format!("expected {SIZE} cells of P, p and numbers of empty cells in a rank");
                Err(NotationError::new(expected, text))
            };
            for letter in text.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    run = 10 * run + digit as usize;
                    if run > SIZE {
                        return error();
                    }
                    continue;
                }
                file += std::mem::take(&mut run);
                let side = match letter {
                    'P' => Side::White,
                    'p' => Side::Black,
                    _ => return error(),
                };
                if file >= SIZE {
                    return error();
                }
                self.put(rank * SIZE + file, side);
                file += 1;
            }
            if file + run != SIZE {
                return error();
            }
        }
        Ok(())
    }
}

impl<const SIZE: usize, const EXACT: bool> Notation for Gomoku<SIZE, EXACT> {
    const VARIANT: &'static str = match (SIZE, EXACT) {
        (15, false) => "gomokufreestyle",
        (15, true) => "gomoku",
        (20, false) => "gomokufreestyle20",
        (20, true) => "gomoku20",
        _ => panic!("no name for this board"),
    };

    fn start() -> Self {
        Gomoku::empty(Side::White)
    }

    /// If both sides have a winning row, which no game reaches, the side that moved last has won.
    fn parse_position(text: &str) -> Result<Parsed<Self>, NotationError> {
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
        // Castling, en passant and two counters: part of a FEN, without meaning in this game.
        if let Some(rest) = fields.get(2..).filter(|rest| {
            rest.len() > 4 || rest.iter().any(|field| *field != "-" && field.parse::<u32>().is_err())
        }) {
            let expected = "expected at most four more fields, each - or a number";
            return Err(NotationError::new(expected, &rest.join(" ")));
        }
        let mut game = Self::empty(side);
        game.read_ranks(ranks)?;
        game.winner = [!side, side].into_iter().find(|&side| game.has_row(side));
        Ok(Parsed { game, warnings: Vec::new() })
    }

    fn position_text(&self, _: NotationOptions) -> String {
        let placed = Side::ALL.map(|side| self.cells.iter().filter(|cell| cell.stone == Some(side)).count());
        let left = [Self::CELLS.div_ceil(2), Self::CELLS / 2];
        let pocket = |side: usize| ["P", "p"][side].repeat(left[side].saturating_sub(placed[side]));
        let (side, number) = (["w", "b"][self.side.index()], 1 + (placed[0] + placed[1]) / 2);
        format!("{}[{}{}] {side} - - 0 {number}", self.ranks_text(), pocket(0), pocket(1))
    }

    /// Reads `P@h8` and `h8`.
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let error = || NotationError::new("expected a drop on a free cell like P@h8", text);
        let square = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@")).unwrap_or(text);
        let mut letters = square.chars();
        let file = letters.next().and_then(|file| "abcdefghijklmnopqrst".find(file.to_ascii_lowercase()));
        let rank = letters.as_str();
        let is_number = rank.len() <= 2 && !rank.starts_with('0') && rank.bytes().all(|b| b.is_ascii_digit());
        let rank = rank.parse().ok().filter(|rank| is_number && (1..=SIZE).contains(rank));
        let (Some(file), Some(rank)) = (file.filter(|&file| file < SIZE), rank) else { return Err(error()) };
        let mv = Self::mv((rank - 1) * SIZE + file);
        if self.is_legal(mv) { Ok(mv) } else { Err(error()) }
    }

    fn move_text(&self, mv: Move, _: NotationOptions) -> String {
        let cell = Self::cell(mv);
        format!("P@{}{}", (b'a' + (cell % SIZE) as u8) as char, cell / SIZE + 1)
    }

    fn diagram(&self) -> String {
        let stone = |cell| format!(" {}", self.letter(cell, ['X', 'O']).unwrap_or('.'));
        let rank = |rank: usize| (rank * SIZE..(rank + 1) * SIZE).map(stone).collect::<String>();
        let ranks: String =
            (0..SIZE).rev().map(|number| format!("{:>2} {}\n", number + 1, rank(number))).collect();
        let files: String = ('a'..).take(SIZE).map(|file| format!(" {file}")).collect();
        format!("{ranks}   {files}\n")
    }

    fn flipped(&self) -> Option<Self> {
        let mut flipped = Self::empty(!self.side);
        for (number, cell) in self.cells.iter().enumerate() {
            if let Some(side) = cell.stone {
                flipped.put(number, !side);
            }
        }
        flipped.winner = self.winner.map(|side| !side);
        Some(flipped)
    }
}
