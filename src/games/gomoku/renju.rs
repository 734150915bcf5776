//! Renju's forbidden moves. A move of Black, who moves first, loses by an overline, a double four (two fours, also on one line) or a
//! double three (two open threes), unless it makes five. An open three counts only if it can become an open four by a stone that
//! is not forbidden itself (<https://www.renju.net/rifrules/>, 9.3).

use super::Gomoku;
use super::patterns::{OWN, Pattern};
use crate::game::Side;

/// The side with forbidden moves: it moves first.
const FIRST: usize = Side::White.index();

impl Gomoku {
    /// Whether a stone of the side to move on a free cell is forbidden.
    #[inline]
    pub(super) fn is_forbidden(&self, cell: usize) -> bool {
        self.rules.has_forbidden_moves(self.side) && is_forbidden(self, cell, &mut Vec::new())
    }
}

/// Whether a stone that makes these patterns is forbidden. `None`: it makes open threes on two lines and more, and other
/// stones decide which of them count.
pub fn is_forbidden_by(patterns: [Pattern; 4]) -> Option<bool> {
    let count = |wanted: &[Pattern]| patterns.iter().filter(|pattern| wanted.contains(pattern)).count();
    if count(&[Pattern::Five]) > 0 {
        Some(false)
    } else if count(&[Pattern::Forbidden]) > 0 || count(&[Pattern::Four, Pattern::OpenFour]) > 1 {
        Some(true)
    } else {
        (count(&[Pattern::OpenThree]) < 2).then_some(false)
    }
}

/// Whether a stone on `cell` is forbidden when the cells `placed` have stones too.
fn is_forbidden(game: &Gomoku, cell: usize, placed: &mut Vec<usize>) -> bool {
    let patterns = patterns_after(game, cell, placed);
    is_forbidden_by(patterns).unwrap_or_else(|| {
        let threes = (0..4).filter(|&direction| patterns[direction] == Pattern::OpenThree);
        threes.filter(|&direction| can_open(game, cell, direction, placed)).nth(1).is_some()
    })
}

/// Whether the open three that a stone on `cell` makes on a line can become an open four by a stone that is neither forbidden nor makes
/// five on another line.
fn can_open(game: &Gomoku, cell: usize, direction: usize, placed: &mut Vec<usize>) -> bool {
    let line = line_after(game, cell, direction, placed);
    placed.push(cell);
    let (forwards, backwards) = game.rules.room(cell, direction);
    let can_open = (-backwards..=forwards).filter(|&offset| offset != 0).any(|offset| {
        let next = (cell as isize + offset * game.rules.steps[direction]) as usize;
        let is_free = game.cells[next].stone.is_none() && !placed.contains(&next);
        let after = || pattern(game, line + OWN * game.rules.place_value(offset));
        is_free
            && after() == Pattern::OpenFour
            && !patterns_after(game, next, placed).contains(&Pattern::Five)
            && !is_forbidden(game, next, placed)
    });
    placed.pop();
    can_open
}

/// The patterns that a stone on `cell` makes when the cells `placed` have stones too.
fn patterns_after(game: &Gomoku, cell: usize, placed: &[usize]) -> [Pattern; 4] {
    if placed.is_empty() {
        return game.cells[cell].patterns[FIRST];
    }
    [0, 1, 2, 3].map(|direction| pattern(game, line_after(game, cell, direction, placed)))
}

fn pattern(game: &Gomoku, line: u16) -> Pattern {
    game.rules.tables[FIRST][usize::from(line)]
}

/// The number of the neighbourhood of `cell` on a line when the cells `placed` have stones too.
fn line_after(game: &Gomoku, cell: usize, direction: usize, placed: &[usize]) -> u16 {
    let rules = game.rules;
    let (forwards, backwards) = rules.room(cell, direction);
    let stones = placed.iter().filter_map(|&stone| {
        let distance = stone as isize - cell as isize;
        let offset = distance / rules.steps[direction];
        let is_near = offset != 0 && offset * rules.steps[direction] == distance;
        (is_near && (-backwards..=forwards).contains(&offset)).then(|| OWN * rules.place_value(offset))
    });
    game.cells[cell].neighbourhoods[direction].number(Side::White) + stones.sum::<u16>()
}
