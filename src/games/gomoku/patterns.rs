//! Line patterns: what a stone on an empty cell makes on one of the four lines through it. The names are the usual ones
//! of gomoku (Allis, van den Herik and Huntjens 1993, "Go-Moku and Threat-Space Search",
//! <https://www.researchgate.net/publication/2252447>).

use crate::game::Side;
use std::sync::LazyLock;

/// What a stone of one side on an empty cell makes on one line, from worthless to won, then what is forbidden.
///
/// Each pattern but the last is defined by the best next stone on the line: an open three can become an open four, a three can
/// become a four, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Pattern {
    /// The line has no room for five.
    Dead,
    /// Can become a two.
    One,
    /// Can become an open two.
    OpenOne,
    /// Can become a three.
    Two,
    /// Can become an open three.
    OpenTwo,
    /// Can become a four.
    Three,
    /// Can become an open four.
    OpenThree,
    /// One cell completes five.
    Four,
    /// Two or more cells complete five.
    OpenFour,
    /// Five in a row.
    Five,
    /// What [`Rows::Renju`] forbids on one line: an overline, or two fours.
    Forbidden,
}

impl Pattern {
    /// The number of patterns.
    pub const COUNT: usize = 11;

    /// How much it matters, from nothing to a five.
    pub const fn level(self) -> u16 {
        match self {
            Pattern::Dead | Pattern::One | Pattern::OpenOne | Pattern::Forbidden => 0,
            Pattern::Two => 1,
            Pattern::OpenTwo => 2,
            Pattern::Three => 3,
            Pattern::OpenThree => 4,
            Pattern::Four => 5,
            Pattern::OpenFour => 6,
            Pattern::Five => 7,
        }
    }

    /// Returns what a side has made if its best next stone on the line makes `self`, not counting fives.
    const fn one_stone_before(self) -> Pattern {
        match self {
            Pattern::Dead | Pattern::One | Pattern::OpenOne | Pattern::Forbidden => Pattern::Dead,
            Pattern::Two => Pattern::One,
            Pattern::OpenTwo => Pattern::OpenOne,
            Pattern::Three => Pattern::Two,
            Pattern::OpenThree => Pattern::OpenTwo,
            Pattern::Four => Pattern::Three,
            Pattern::OpenFour | Pattern::Five => Pattern::OpenThree,
        }
    }
}

/// Which rows win, and which are forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Five or more win.
    FiveOrMore,
    /// Only five win: a longer row, an overline, does not count.
    ExactlyFive,
    /// Those of Black in renju, who moves first: only five win. An overline, a double four and a double three are forbidden.
    Renju,
}

impl Rows {
    /// Whether a row of this many stones wins.
    pub fn win(self, length: usize) -> bool {
        length == 5 || length > 5 && self == Rows::FiveOrMore
    }
}

/// Returns the patterns of all neighbourhoods on a line with this `reach`.
///
/// A neighbourhood is numbered in base 3. Each of its cells, from the lowest to the highest without the centre, is a
/// digit: 0 if empty, [`OWN`] or [`BLOCKED`]. So a stone changes the number by a constant, and no neighbourhood is ever
/// read cell by cell.
pub fn table(rows: Rows, reach: usize) -> &'static [Pattern] {
    static FIVE_OR_MORE: LazyLock<Vec<Pattern>> = LazyLock::new(|| new_table(Rows::FiveOrMore, 4));
    static WIDE_FIVE_OR_MORE: LazyLock<Vec<Pattern>> = LazyLock::new(|| new_table(Rows::FiveOrMore, 5));
    static EXACTLY_FIVE: LazyLock<Vec<Pattern>> = LazyLock::new(|| new_table(Rows::ExactlyFive, 5));
    static RENJU: LazyLock<Vec<Pattern>> = LazyLock::new(|| new_table(Rows::Renju, 5));
    match (rows, reach) {
        (Rows::FiveOrMore, 4) => &FIVE_OR_MORE,
        (Rows::FiveOrMore, 5) => &WIDE_FIVE_OR_MORE,
        (Rows::ExactlyFive, 5) => &EXACTLY_FIVE,
        (Rows::Renju, 5) => &RENJU,
        _ => panic!("no table of {rows:?} with reach {reach}"),
    }
}

/// The levels of the patterns on the four lines through a cell, three bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels(u16);

impl Levels {
    /// The number of values.
    pub const COUNT: usize = 1 << 12;
    /// Of four patterns that do not matter.
    pub const DEAD: Levels = Levels(0);

    /// A value as an index below [`Levels::COUNT`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0) % Levels::COUNT
    }

    /// Replaces the level of the pattern on a line.
    #[inline]
    pub fn replace(&mut self, direction: usize, pattern: Pattern) {
        let shift = 3 * direction;
        self.0 = self.0 & !(7 << shift) | pattern.level() << shift;
    }
}

/// The number of a neighbourhood as each side sees it, see [`table`]. That of the first side is in the lower half.
#[derive(Clone, Copy, Debug)]
pub struct Neighbourhoods(u32);

impl Neighbourhoods {
    /// A neighbourhood of free cells.
    pub const EMPTY: Neighbourhoods = Neighbourhoods(0);

    const fn new(white: u16, black: u16) -> Self {
        Neighbourhoods(white as u32 | (black as u32) << 16)
    }

    /// Only a stone of `side`, on the cell with this place value.
    #[inline]
    pub fn with_stone(side: Side, place_value: u16) -> Self {
        let (own, other) = (OWN * place_value, BLOCKED * place_value);
        if side == Side::White { Self::new(own, other) } else { Self::new(other, own) }
    }

    /// Only a cell off the board.
    pub fn blocked(place_value: u16) -> Self {
        Self::new(BLOCKED * place_value, BLOCKED * place_value)
    }

    /// Adds what is on other cells. Numbers stay below 3^10, so the halves stay apart.
    #[inline]
    pub fn add(&mut self, other: Neighbourhoods) {
        self.0 += other.0;
    }

    /// The reverse of [`Neighbourhoods::add`].
    #[inline]
    pub fn subtract(&mut self, other: Neighbourhoods) {
        self.0 -= other.0;
    }

    /// The number as `side` sees it.
    #[inline]
    pub fn number(self, side: Side) -> u16 {
        (self.0 >> (16 * side.index())) as u16
    }
}

/// The digit of an own stone.
pub const OWN: u16 = 1;
/// The digit of a stone of the opponent and of a cell off the board.
pub const BLOCKED: u16 = 2;

/// The greatest distance at which a cell still matters. It is 4 if five or more in a row win for both sides, otherwise 5.
pub const MAX_REACH: usize = 5;

/// Returns the place value of the digit at `offset` (not 0) from the centre of a neighbourhood with this `reach`.
pub const fn place_value(offset: isize, reach: usize) -> u16 {
    let digit = if offset < 0 { offset + reach as isize } else { offset + reach as isize - 1 };
    3u16.pow(digit as u32)
}

fn new_table(rows: Rows, reach: usize) -> Vec<Pattern> {
    let reach = reach as isize;
    let offsets = || (-reach..=reach).filter(|&offset| offset != 0);
    let value = |offset| place_value(offset, reach as usize);
    let count = 3u16.pow(2 * reach as u32);
    let mut patterns = vec![Pattern::Dead; usize::from(count)];
    // An additional own stone makes the number greater, so the greater numbers come first.
    for number in (0..count).rev() {
        let digit = |offset| number / value(offset) % 3;
        let run =
            |direction: isize| (1..=reach).take_while(|distance| digit(direction * distance) == OWN).count();
        let row = run(-1) + 1 + run(1);
        let mut completions = 0;
        let mut best_next = Pattern::Dead;
        for offset in offsets().filter(|&offset| digit(offset) == 0) {
            let next = patterns[usize::from(number + OWN * value(offset))];
            completions += usize::from(next == Pattern::Five);
            if next != Pattern::Forbidden {
                best_next = best_next.max(next);
            }
        }
        let is_renju = rows == Rows::Renju;
        patterns[usize::from(number)] = match (row, completions) {
            _ if rows.win(row) => Pattern::Five,
            (6.., _) if is_renju => Pattern::Forbidden,
            (6.., _) => Pattern::Dead,
            (_, 0) => best_next.one_stone_before(),
            (_, 1) => Pattern::Four,
            // The two ends of four in a row complete the same four.
            (..4, _) if is_renju => Pattern::Forbidden,
            _ => Pattern::OpenFour,
        };
    }
    patterns
}
