//! Gomoku: the side that first has five stones in a row, in a column or on a diagonal wins. In renju some moves of the first player
//! are forbidden.

mod cells;
mod evaluation;
mod features;
mod notation;
mod patterns;
mod renju;
mod rules;
mod threats;

#[cfg(test)]
mod tests;

pub use evaluation::PatternCounts;

use crate::game::{Game, Heuristics, Move, MoveList, Outcome, Ply, Score, SearchParams, Side, SplitMix64};
use cells::CellSet;
use patterns::{Levels, Neighbourhoods, Pattern};
use rules::Rules;
use threats::Threat;

/// The largest board has this many rows and columns.
const MAX_SIZE: usize = 20;
const MAX_CELLS: usize = MAX_SIZE * MAX_SIZE;

/// The steps to the next cell of the four lines through a cell: row, column, diagonal, antidiagonal.
const DIRECTIONS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// A position of any variant.
///
/// Any number of stones of either side is valid, and either side can be to move. Cell `a1` is number 0, `b1` is number 1,
/// and so on rank by rank.
///
/// A move changes the patterns of the cells that are at most `reach` steps away on its four lines. The position keeps
/// them up to date, because move generation, move ordering and evaluation are all made from them. It also keeps what each stone
/// changed, to undo it.
#[derive(Clone, Debug)]
pub struct Gomoku {
    rules: &'static Rules,
    cells: [Cell; MAX_CELLS],
    /// For each side the free cells with each threat; not kept for [`Threat::None`].
    threats: [[CellSet; Threat::COUNT]; 2],
    /// For each side the number of free cells and lines through them with each pattern.
    pattern_counts: [[i16; Pattern::COUNT]; 2],
    stones: usize,
    winner: Option<Side>,
    side: Side,
    key: u64,
    /// The content of each cell for a network.
    contents: [u16; MAX_CELLS],
    /// The occupied cells of each rank, one bit a file.
    ranks: [u32; MAX_SIZE],
    /// The cells that the stones on the board changed, as they were before, in the order of the stones.
    changed_cells: Vec<(u16, Cell)>,
    /// What else was before each stone, in their order.
    before_stones: Vec<BeforeStone>,
}

/// A cell. While it is occupied, its threats, patterns and levels are out of date.
#[derive(Clone, Copy, Debug)]
struct Cell {
    stone: Option<Side>,
    /// For each side what its stone would threaten.
    threats: [Threat; 2],
    /// For each side what its stone would make here on each line.
    patterns: [[Pattern; 4]; 2],
    /// For each side the levels of these patterns.
    levels: [Levels; 2],
    /// The numbers of the neighbourhoods on each line.
    neighbourhoods: [Neighbourhoods; 4],
}

impl Cell {
    const EMPTY: Cell = Cell {
        stone: None,
        threats: [Threat::None; 2],
        patterns: [[Pattern::Dead; 4]; 2],
        levels: [Levels::DEAD; 2],
        neighbourhoods: [Neighbourhoods::EMPTY; 4],
    };
}

#[derive(Clone, Copy, Debug)]
struct BeforeStone {
    /// The length of `changed_cells`.
    changes: usize,
    pattern_counts: [[i16; Pattern::COUNT]; 2],
}

const STONE_KEYS: [[u64; MAX_CELLS]; 2] = {
    let mut random = SplitMix64::new(0x60_40_C0);
    [random.array(), random.array()]
};
/// Move ordering: the value of each pattern of the side to move, in history units.
const OWN_PRIOR: [i32; Pattern::COUNT] = [0, 100, 250, 400, 1200, 1300, 4000, 0, 0, 0, 0];
const OWN_THREAT_PRIOR: [i32; Threat::COUNT] = [0, 1000, 12000, 0, 0, 0, 0, 0];
/// The same of the opponent.
const OTHER_PRIOR: [i32; Pattern::COUNT] = [0, 80, 200, 350, 1000, 900, 2500, 2000, 6000, 0, 0];
const OTHER_THREAT_PRIOR: [i32; Threat::COUNT] = [0, 0, 7000, 0, 0, 9000, 12000, 0];

/// The value of a forbidden move, which loses at once: below all others.
const FORBIDDEN_PRIOR: i32 = -10_000;

/// Hash key of a game that is lost by a forbidden move.
const FORBIDDEN_KEY: u64 = SplitMix64::new(0xF0_4B1D).next();

/// Hash key of Black to move.
const BLACK_KEY: u64 = SplitMix64::new(0xB1AC).next();

impl Gomoku {
    fn empty(rules: &'static Rules, side: Side) -> Self {
        let mut game = Gomoku {
            rules,
            cells: [Cell::EMPTY; MAX_CELLS],
            threats: Default::default(),
            pattern_counts: Default::default(),
            stones: 0,
            winner: None,
            side,
            key: if side == Side::Black { BLACK_KEY } else { 0 },
            contents: [0; MAX_CELLS],
            ranks: [0; MAX_SIZE],
            changed_cells: Vec::new(),
            before_stones: Vec::new(),
        };
        for cell in 0..rules.cells() {
            for (direction, _) in DIRECTIONS.iter().enumerate() {
                let off_board = (1..=rules.reach).flat_map(|distance| [-distance, distance]);
                let off_board =
                    off_board.filter(|&offset| rules.neighbour(cell, direction, offset).is_none());
                for offset in off_board {
                    game.cells[cell].neighbourhoods[direction]
                        .add(Neighbourhoods::blocked(rules.place_value(offset)));
                }
            }
            game.count_cell(cell);
        }
        game
    }

    /// Puts a stone on a free cell.
    fn put(&mut self, cell: usize, side: Side) {
        let (changes, pattern_counts) = (self.changed_cells.len(), self.pattern_counts);
        self.before_stones.push(BeforeStone { changes, pattern_counts });
        for s in 0..2 {
            for pattern in self.cells[cell].patterns[s] {
                self.pattern_counts[s][pattern as usize] -= 1;
            }
        }
        self.change_threats(cell, self.cells[cell].threats, [Threat::None; 2]);
        self.cells[cell].stone = Some(side);
        self.contents[cell] = 0;
        let rules = self.rules;
        rules.for_each_neighbour(cell, |neighbour, direction, value| {
            self.change_neighbour(neighbour, direction, Neighbourhoods::with_stone(side, value));
        });
        self.toggle(cell, side);
        self.stones += 1;
    }

    /// Takes the last stone that was put.
    fn take(&mut self, cell: usize, side: Side) {
        self.toggle(cell, side);
        self.stones -= 1;
        let rules = self.rules;
        rules.for_each_neighbour(cell, |neighbour, direction, value| {
            let stone = Neighbourhoods::with_stone(side, value);
            self.cells[neighbour].neighbourhoods[direction].subtract(stone);
        });
        let before = self.before_stones.pop().expect("a stone was put");
        for index in before.changes..self.changed_cells.len() {
            let (neighbour, cell) = self.changed_cells[index];
            let neighbour = usize::from(neighbour);
            self.change_threats(neighbour, self.cells[neighbour].threats, cell.threats);
            self.cells[neighbour] = cell;
            self.contents[neighbour] = rules.content(&cell);
        }
        self.changed_cells.truncate(before.changes);
        self.pattern_counts = before.pattern_counts;
        self.cells[cell].stone = None;
        self.change_threats(cell, [Threat::None; 2], self.cells[cell].threats);
        self.contents[cell] = rules.content(&self.cells[cell]);
    }

    fn toggle(&mut self, cell: usize, side: Side) {
        let (rank, file) = self.rules.place(cell);
        self.ranks[rank] ^= 1 << file;
        self.key ^= STONE_KEYS[side.index()][cell];
    }

    /// Updates a neighbourhood to which a stone was added, and what follows from it if its cell is free.
    #[inline]
    fn change_neighbour(&mut self, number: usize, direction: usize, stone: Neighbourhoods) {
        // Copied before the next store: a copy that follows it would wait for it.
        let (rules, before) = (self.rules, self.cells[number]);
        let cell = &mut self.cells[number];
        cell.neighbourhoods[direction].add(stone);
        if cell.stone.is_some() {
            return;
        }
        let patterns = rules.patterns(cell.neighbourhoods[direction]);
        if patterns == before.patterns.map(|patterns| patterns[direction]) {
            return;
        }
        self.changed_cells.push((number as u16, before));
        for side in Side::ALL {
            let (s, pattern) = (side.index(), patterns[side.index()]);
            self.pattern_counts[s][before.patterns[s][direction] as usize] -= 1;
            self.pattern_counts[s][pattern as usize] += 1;
            cell.patterns[s][direction] = pattern;
            cell.levels[s].replace(direction, pattern);
        }
        // In one store: reading both soon after two stores of a byte would wait for them.
        let threats = Side::ALL.map(|side| rules.threat(cell, side));
        cell.threats = threats;
        self.contents[number] = rules.content(cell);
        self.change_threats(number, before.threats, threats);
    }

    #[inline]
    fn change_threats(&mut self, cell: usize, before: [Threat; 2], after: [Threat; 2]) {
        for (sets, (before, after)) in self.threats.iter_mut().zip(before.into_iter().zip(after)) {
            if before != after {
                if before != Threat::None {
                    sets[before as usize].remove(cell);
                }
                if after != Threat::None {
                    sets[after as usize].insert(cell);
                }
            }
        }
    }

    /// Adds a free cell to the counts and sets, when the board is set up.
    fn count_cell(&mut self, number: usize) {
        let cell = &mut self.cells[number];
        for side in Side::ALL {
            let s = side.index();
            for direction in 0..4 {
                let pattern = self.rules.patterns(cell.neighbourhoods[direction])[s];
                cell.patterns[s][direction] = pattern;
                cell.levels[s].replace(direction, pattern);
                self.pattern_counts[s][pattern as usize] += 1;
            }
            cell.threats[s] = self.rules.threat(cell, side);
        }
        self.contents[number] = self.rules.content(cell);
        let threats = cell.threats;
        self.change_threats(number, [Threat::None; 2], threats);
    }

    /// Whether a stone of `side` is part of a winning row, read from the board. Needed for positions read from text only.
    fn has_row(&self, side: Side) -> bool {
        let is_own = |cell: Option<usize>| cell.is_some_and(|cell| self.cells[cell].stone == Some(side));
        let starts_row = |cell, direction| {
            let length =
                (0..=5).take_while(|&offset| is_own(self.rules.neighbour(cell, direction, offset))).count();
            let is_start = !is_own(self.rules.neighbour(cell, direction, -1));
            is_start && self.rules.rows[side.index()].win(length)
        };
        (0..self.rules.cells()).any(|cell| (0..4).any(|direction| starts_row(cell, direction)))
    }

    fn cell(mv: Move) -> usize {
        usize::from(mv.bits() - 1)
    }

    fn mv(cell: usize) -> Move {
        Move::new(cell as u16 + 1)
    }

    fn threat(&self, mv: Move) -> Threat {
        self.cells[Self::cell(mv)].threats[self.side.index()]
    }

    fn threats(&self, side: Side, threat: Threat) -> &CellSet {
        &self.threats[side.index()][threat as usize]
    }

    /// Returns the free cells at most two ranks and two files from a stone, one bit a file.
    fn near_stones(&self) -> [u32; MAX_SIZE] {
        let wide = self.ranks.map(|rank| rank << 2 | rank << 1 | rank | rank >> 1 | rank >> 2);
        let (mut near, size) = ([0; MAX_SIZE], self.rules.size);
        for (rank, near) in near.iter_mut().enumerate().take(size) {
            let around = &wide[rank.saturating_sub(2)..(rank + 3).min(size)];
            *near = around.iter().fold(0, |all, rank| all | rank) & !self.ranks[rank] & ((1 << size) - 1);
        }
        near
    }

    /// Calls `visit` with the cells of [`Gomoku::near_stones`] in increasing order.
    #[inline]
    fn for_each_near_cell(&self, mut visit: impl FnMut(usize)) {
        for (rank, mut near) in self.near_stones().into_iter().enumerate() {
            while near != 0 {
                visit(rank * self.rules.size + near.trailing_zeros() as usize);
                near &= near - 1;
            }
        }
    }

    /// Returns the first of the cells that is not forbidden to the side to move.
    fn first_allowed(&self, cells: &CellSet) -> Option<usize> {
        cells.iter().find(|&cell| !self.is_forbidden(cell))
    }

    /// Returns a cell where the side to move can make an open four.
    fn open_four(&self) -> Option<usize> {
        self.first_allowed(self.threats(self.side, Threat::OpenFour))
    }

    /// Returns the cell of a move that is known to be optimal: a five, or else a cell that blocks the opponent's four, or
    /// else an open four, which wins because the opponent has no four.
    fn forced_cell(&self) -> Option<usize> {
        let five = self.threats(self.side, Threat::Five).first();
        five.or_else(|| {
            let fours = self.threats(!self.side, Threat::Five);
            if fours.is_empty() { self.open_four() } else { self.first_allowed(fours) }
        })
    }

    /// Whether the opponent has an open three: it makes an open four next unless the side to move makes a four or puts a stone on the
    /// right cell. In renju, an open four that makes two open threes as well does not count: a stone elsewhere may make it forbidden.
    fn faces_open_three(&self) -> bool {
        let other = !self.side;
        let is_sure = |cell: usize| {
            !self.rules.has_forbidden_moves(other)
                || renju::is_forbidden_by(self.cells[cell].patterns[other.index()]).is_some()
        };
        self.threats(other, Threat::OpenFour).iter().any(is_sure)
    }

    /// Whether the opponent would make a four on a free cell, or two, which in renju are no threat.
    fn blocks_four(&self, cell: usize) -> bool {
        self.cells[cell].patterns[(!self.side).index()].iter().any(|&pattern| pattern >= Pattern::Four)
    }
}

impl Game for Gomoku {
    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        if self.outcome().is_none() {
            let free = (0..self.rules.cells()).filter(|&cell| self.cells[cell].stone.is_none());
            moves.extend(free.map(Self::mv));
        }
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        let cell = Self::cell(mv);
        if self.cells[cell].threats[self.side.index()] == Threat::Five {
            self.winner = Some(self.side);
        } else if self.is_forbidden(cell) {
            self.winner = Some(!self.side);
            self.key ^= FORBIDDEN_KEY;
        }
        self.put(cell, self.side);
        self.make_null_move();
    }

    fn undo(&mut self, mv: Move) {
        self.unmake_null_move();
        self.take(Self::cell(mv), self.side);
        if self.winner.take() == Some(!self.side) {
            self.key ^= FORBIDDEN_KEY;
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let full = || (self.stones == self.rules.cells()).then_some(Outcome::Draw);
        self.winner.map(Outcome::Win).or_else(full)
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn is_legal(&self, mv: Move) -> bool {
        let cell = Self::cell(mv);
        cell < self.rules.cells() && self.cells[cell].stone.is_none() && self.outcome().is_none()
    }

    fn count_moves(&self) -> usize {
        if self.outcome().is_none() { self.rules.cells() - self.stones } else { 0 }
    }
}

impl Heuristics for Gomoku {
    const SELECTIVE: bool = true;
    const HAS_CANDIDATES: bool = true;
    /// 61 % instead of 50 % of 80 games of 5,000 nodes a move.
    const PARAMS: SearchParams = SearchParams { rfp_margin: 100, ..SearchParams::OTHER_GAMES };
    const BUTTERFLY: usize = MAX_CELLS;
    const PIECE_TO: usize = 2 * MAX_CELLS;

    fn key_after(&self, mv: Move) -> Option<u64> {
        STONE_KEYS[self.side.index()].get(Self::cell(mv)).map(|key| self.key ^ key ^ BLACK_KEY)
    }

    fn forced_move(&self) -> Option<Move> {
        self.forced_cell().map(Self::mv)
    }

    /// Known are the results with a four of the side to move, with two of the opponent or one that it is forbidden to block, and without
    /// fours with an open three of the side to move. That every free cell is forbidden is not considered.
    fn value_bounds(&self, ply: Ply) -> (Score, Score) {
        let after = |plies: usize| Ply::new(ply.index() + plies);
        let is_empty = |side, threat| self.threats(side, threat).is_empty();
        if !is_empty(self.side, Threat::Five) {
            return (Score::mate_in(after(1)), Score::mate_in(after(1)));
        }
        let fours = self.threats(!self.side, Threat::Five);
        if fours.has_two() || !fours.is_empty() && self.first_allowed(fours).is_none() {
            return (Score::mated_in(after(2)), Score::mated_in(after(2)));
        }
        if fours.is_empty() && self.open_four().is_some() {
            return (Score::mate_in(after(3)), Score::mate_in(after(3)));
        }
        // Against Black in renju, a four wins if it is forbidden to block it. A block may make an open four.
        let win = if self.rules.has_forbidden_moves(!self.side) || !fours.is_empty() { 3 } else { 5 };
        (Score::mated_in(after(4)), Score::mate_in(after(win)))
    }

    /// The value of the patterns of both sides on the cell: a move is as good as the opponent's move that it prevents.
    fn prior(&self, mv: Move) -> i32 {
        if self.is_forbidden(Self::cell(mv)) {
            return FORBIDDEN_PRIOR;
        }
        let cell = &self.cells[Self::cell(mv)];
        let value = |side: Side, weights: &[i32; Pattern::COUNT], threats: &[i32; Threat::COUNT]| {
            let (patterns, threat) = (cell.patterns[side.index()], cell.threats[side.index()]);
            patterns.iter().map(|&pattern| weights[pattern as usize]).sum::<i32>() + threats[threat as usize]
        };
        value(self.side, &OWN_PRIOR, &OWN_THREAT_PRIOR) + value(!self.side, &OTHER_PRIOR, &OTHER_THREAT_PRIOR)
    }

    /// Whether the opponent has a four.
    fn in_check(&self) -> bool {
        !self.threats(!self.side, Threat::Five).is_empty()
    }

    fn gives_check(&self, mv: Move) -> bool {
        let is_certain = || {
            let patterns = self.cells[Self::cell(mv)].patterns[self.side.index()];
            !self.rules.has_forbidden_moves(self.side) || renju::is_forbidden_by(patterns) == Some(false)
        };
        if self.threats(self.side, Threat::Five).is_empty() && is_certain() {
            return self.threat(mv) >= Threat::Four;
        }
        // With fours on the board already, `mv` may complete one or lengthen another to an overline. A forbidden move may make two fours.
        let mut next = self.clone();
        next.play(mv);
        next.in_check()
    }

    /// Whether the opponent has no four and no open three: against those the patterns say little.
    fn is_eval_reliable(&self) -> bool {
        !self.in_check() && !self.faces_open_three()
    }

    /// Noisy are fives and the fours after which more threats may follow, so that quiescence search finds victories by
    /// continuous fours. Other fours only lead to the same position with a pair of stones more.
    fn is_noisy(&self, mv: Move) -> bool {
        self.threat(mv) >= Threat::FourTwo && !self.is_forbidden(Self::cell(mv))
    }

    fn noisy_moves(&self, moves: &mut MoveList) {
        if self.outcome().is_none() {
            for threat in [Threat::Five, Threat::OpenFour, Threat::FourThree, Threat::FourTwo] {
                let cells = self.threats(self.side, threat).iter().filter(|&cell| !self.is_forbidden(cell));
                moves.extend(cells.map(Self::mv));
            }
        }
    }

    /// The free cells near a stone. Against an open three, only the fours and the cells that may stop it: those where the
    /// opponent would make a four.
    fn quiet_moves(&self, moves: &mut MoveList) {
        if self.outcome().is_some() {
            return;
        }
        if self.faces_open_three() {
            let own_fours = self.threats(self.side, Threat::Four).iter();
            moves.extend(own_fours.map(Self::mv));
            for threat in [Threat::Five, Threat::OpenFour, Threat::FourThree, Threat::FourTwo, Threat::Four] {
                let cells = self.threats(!self.side, threat).iter().map(Self::mv);
                moves.extend(cells.filter(|&mv| !self.is_noisy(mv) && self.threat(mv) != Threat::Four));
            }
            if self.rules.has_forbidden_moves(!self.side) {
                // A forbidden move of the opponent, which is no threat, may be on the cell that stops its open three.
                self.for_each_near_cell(|cell| {
                    let (mv, other) = (Self::mv(cell), self.cells[cell].threats[(!self.side).index()]);
                    let is_left = other < Threat::Four && self.threat(mv) != Threat::Four;
                    if is_left && self.blocks_four(cell) && !self.is_noisy(mv) {
                        moves.push(mv);
                    }
                });
            }
            return;
        }
        self.for_each_near_cell(|cell| {
            if !self.is_noisy(Self::mv(cell)) {
                moves.push(Self::mv(cell));
            }
        });
        let size = self.rules.size;
        if self.stones == 0 {
            moves.push(Self::mv(size / 2 * size + size / 2));
        }
    }

    /// Orders the fours: those that win first.
    fn captured_value(&self, mv: Move) -> i32 {
        match self.threat(mv) {
            Threat::Five => 8000,
            Threat::OpenFour => 6000,
            Threat::FourThree => 4000,
            Threat::FourTwo => 2000,
            _ => 0,
        }
    }

    fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        threshold <= self.captured_value(mv)
    }

    fn butterfly(&self, mv: Move) -> usize {
        Self::cell(mv)
    }

    fn piece_to(&self, mv: Move) -> usize {
        MAX_CELLS * self.side.index() + Self::cell(mv)
    }

    /// A move is hardly ever worse than a pass, except that the opponent's four must be completed.
    fn can_null_move(&self) -> bool {
        !self.in_check()
    }

    fn make_null_move(&mut self) {
        self.side = !self.side;
        self.key ^= BLACK_KEY;
    }

    fn unmake_null_move(&mut self) {
        self.make_null_move();
    }
}
