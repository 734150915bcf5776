//! The variants: their boards and rules, with what follows from them for each cell.

use super::patterns::{self, Levels, MAX_REACH, Neighbourhoods, Pattern, Rows, place_value};
use super::threats::Threat;
use super::{Cell, DIRECTIONS, MAX_CELLS, features, renju};
use crate::game::Side;
use std::sync::LazyLock;

/// A variant of gomoku.
#[derive(Debug)]
pub struct Rules {
    /// The name, a value of `UCI_Variant`.
    pub name: &'static str,
    /// The number of rows and columns.
    pub size: usize,
    /// For each side which rows win.
    pub rows: [Rows; 2],
    /// For each side the patterns of all neighbourhoods.
    pub tables: [&'static [Pattern]; 2],
    /// The steps to the next cell of the four lines.
    pub steps: [isize; 4],
    /// The distance at which a cell still matters.
    pub reach: isize,
    /// The place values of the digits of a neighbourhood, by offset plus [`MAX_REACH`]. That of the centre is 0.
    place_values: [u16; 2 * MAX_REACH + 1],
    /// The rank and the file of each cell.
    places: [(u8, u8); MAX_CELLS],
    /// The number of cells, at most `reach`, that follow each cell forwards and backwards on each line.
    rooms: [[(u8, u8); 4]; MAX_CELLS],
}

impl Rules {
    /// Returns those of the variant with this name.
    pub fn named(name: &str) -> Option<&'static Rules> {
        use Rows::{ExactlyFive, FiveOrMore, Renju};
        static ALL: [LazyLock<Rules>; 5] = [
            LazyLock::new(|| Rules::new("gomokufreestyle", 15, [FiveOrMore; 2])),
            LazyLock::new(|| Rules::new("gomoku", 15, [ExactlyFive; 2])),
            LazyLock::new(|| Rules::new("gomokufreestyle20", 20, [FiveOrMore; 2])),
            LazyLock::new(|| Rules::new("gomoku20", 20, [ExactlyFive; 2])),
            LazyLock::new(|| Rules::new("renju", 15, [Renju, FiveOrMore])),
        ];
        match name {
            "gomokufreestyle" => Some(&ALL[0]),
            "gomoku" => Some(&ALL[1]),
            "gomokufreestyle20" => Some(&ALL[2]),
            "gomoku20" => Some(&ALL[3]),
            "renju" => Some(&ALL[4]),
            _ => None,
        }
    }

    fn new(name: &'static str, size: usize, rows: [Rows; 2]) -> Rules {
        let reach = if rows == [Rows::FiveOrMore; 2] { 4 } else { MAX_REACH };
        let mut rules = Rules {
            name,
            size,
            rows,
            tables: rows.map(|rows| patterns::table(rows, reach)),
            steps: DIRECTIONS.map(|(ranks, files)| ranks * size as isize + files),
            reach: reach as isize,
            place_values: [0; 2 * MAX_REACH + 1],
            places: [(0, 0); MAX_CELLS],
            rooms: [[(0, 0); 4]; MAX_CELLS],
        };
        for offset in (-rules.reach..=rules.reach).filter(|&offset| offset != 0) {
            rules.place_values[(offset + MAX_REACH as isize) as usize] = place_value(offset, reach);
        }
        for cell in 0..size * size {
            rules.places[cell] = ((cell / size) as u8, (cell % size) as u8);
            for direction in 0..4 {
                let count = |sign: isize| {
                    let is_on_board =
                        |distance: &isize| rules.neighbour(cell, direction, sign * distance).is_some();
                    (1..=rules.reach).take_while(is_on_board).count() as u8
                };
                rules.rooms[cell][direction] = (count(1), count(-1));
            }
        }
        rules
    }

    /// Whether some moves of `side` are forbidden.
    #[inline]
    pub fn has_forbidden_moves(&self, side: Side) -> bool {
        self.rows[side.index()] == Rows::Renju
    }

    /// Returns for each side what its stone makes in a neighbourhood.
    #[inline]
    pub fn patterns(&self, neighbourhoods: Neighbourhoods) -> [Pattern; 2] {
        Side::ALL.map(|side| self.tables[side.index()][usize::from(neighbourhoods.number(side))])
    }

    /// Returns what a stone of `side` on a free cell threatens.
    #[inline]
    pub fn threat(&self, cell: &Cell, side: Side) -> Threat {
        let threat = Threat::of(cell.levels[side.index()]);
        if self.has_forbidden_moves(side) { threat.in_renju(cell.patterns[side.index()]) } else { threat }
    }

    /// Returns the content of a free cell for a network. A stone that is forbidden, or makes open threes on two lines in renju, makes
    /// nothing.
    #[inline]
    pub fn content(&self, cell: &Cell) -> u16 {
        let [mut white, black] = cell.levels;
        let white_patterns = cell.patterns[Side::White.index()];
        if self.has_forbidden_moves(Side::White) && renju::is_forbidden_by(white_patterns) != Some(false) {
            white = Levels::DEAD;
        }
        features::content([white, black])
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.size * self.size
    }

    /// Returns the cell `offset` steps from `cell`, `None` off the board.
    pub fn neighbour(&self, cell: usize, direction: usize, offset: isize) -> Option<usize> {
        let (ranks, files) = DIRECTIONS[direction];
        let on_board =
            |index: usize, steps| index.checked_add_signed(steps).filter(|&index| index < self.size);
        let rank = on_board(cell / self.size, ranks * offset)?;
        let file = on_board(cell % self.size, files * offset)?;
        Some(rank * self.size + file)
    }

    /// Returns the place value of the digit at `offset` (at most `reach` from the centre) of a neighbourhood.
    #[inline]
    pub fn place_value(&self, offset: isize) -> u16 {
        self.place_values[(offset + MAX_REACH as isize) as usize]
    }

    /// Calls `visit` for each cell to whose neighbourhood `cell` belongs, with its line and the place value of `cell`.
    #[inline]
    pub fn for_each_neighbour(&self, cell: usize, mut visit: impl FnMut(usize, usize, u16)) {
        for (direction, step) in self.steps.into_iter().enumerate() {
            let (forwards, backwards) = self.room(cell, direction);
            for offset in -backwards..=forwards {
                if offset != 0 {
                    visit((cell as isize + offset * step) as usize, direction, self.place_value(-offset));
                }
            }
        }
    }

    /// Returns the rank and the file of a cell.
    #[inline]
    pub fn place(&self, cell: usize) -> (usize, usize) {
        let (rank, file) = self.places[cell];
        (rank.into(), file.into())
    }

    /// Returns the number of cells, at most `reach`, that follow `cell` forwards and backwards on a line.
    #[inline]
    pub fn room(&self, cell: usize, direction: usize) -> (isize, isize) {
        let (forwards, backwards) = self.rooms[cell][direction];
        (forwards.into(), backwards.into())
    }
}
