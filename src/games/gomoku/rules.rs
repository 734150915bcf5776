//! The variants: their boards and rules, with what follows from them for each cell.

use super::patterns::{self, MAX_REACH, Pattern, place_value, reach};
use super::{DIRECTIONS, MAX_CELLS};
use std::sync::LazyLock;

/// A variant of gomoku.
#[derive(Debug)]
pub struct Rules {
    /// The name, a value of `UCI_Variant`.
    pub name: &'static str,
    /// The number of rows and columns.
    pub size: usize,
    /// Whether only five in a row win: a longer row, an overline, does not count.
    pub exact: bool,
    pub table: &'static [Pattern],
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
    /// Returns those of the variant on `size` x `size` cells: five or more in a row win, or with `exact` only five.
    ///
    /// # Panics
    /// If there is no such variant.
    pub fn get(size: usize, exact: bool) -> &'static Rules {
        static ALL: [LazyLock<Rules>; 4] = [
            LazyLock::new(|| Rules::new("gomokufreestyle", 15, false)),
            LazyLock::new(|| Rules::new("gomoku", 15, true)),
            LazyLock::new(|| Rules::new("gomokufreestyle20", 20, false)),
            LazyLock::new(|| Rules::new("gomoku20", 20, true)),
        ];
        match (size, exact) {
            (15, false) => &ALL[0],
            (15, true) => &ALL[1],
            (20, false) => &ALL[2],
            (20, true) => &ALL[3],
            _ => panic!("no variant on {size} x {size} cells"),
        }
    }

    fn new(name: &'static str, size: usize, exact: bool) -> Rules {
        let reach = reach(exact) as isize;
        let mut rules = Rules {
            name,
            size,
            exact,
            table: patterns::table(exact),
            steps: DIRECTIONS.map(|(ranks, files)| ranks * size as isize + files),
            reach,
            place_values: [0; 2 * MAX_REACH + 1],
            places: [(0, 0); MAX_CELLS],
            rooms: [[(0, 0); 4]; MAX_CELLS],
        };
        for offset in (-reach..=reach).filter(|&offset| offset != 0) {
            rules.place_values[(offset + MAX_REACH as isize) as usize] = place_value(offset, reach as usize);
        }
        for cell in 0..size * size {
            rules.places[cell] = ((cell / size) as u8, (cell % size) as u8);
            for direction in 0..4 {
                let count = |sign: isize| {
                    let is_on_board =
                        |distance: &isize| rules.neighbour(cell, direction, sign * distance).is_some();
                    (1..=reach).take_while(is_on_board).count() as u8
                };
                rules.rooms[cell][direction] = (count(1), count(-1));
            }
        }
        rules
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
