//! Connect Four on seven files and six ranks: a stone falls to the lowest free cell of its file, and four
//! stones in a row, in a file or on a diagonal win.
//!
//! The boards are those of John Tromp's Fhourstones (<https://tromp.github.io/c4/fhour.html>): each file has
//! seven bits, its six cells from the bottom and one bit that is always 0, so that no line wraps around.

use crate::game::{
    DropBoard, Evaluator, Game, Heuristics, Move, MoveList, Notation, NotationError, Outcome, Parsed, Ply,
    Score, SearchParams, Side, SplitMix64, Variant, const_for, with_stones,
};

const FILES: usize = 7;
const RANKS: usize = 6;
/// The bits of one file.
const STRIDE: usize = RANKS + 1;
/// The lowest cell of each file.
const BOTTOM: u64 = ((1 << (FILES * STRIDE)) - 1) / ((1 << STRIDE) - 1);
/// The cells of the first file.
const FILE: u64 = (1 << RANKS) - 1;
const BOARD: u64 = BOTTOM * FILE;
const ODD_RANKS: u64 = BOTTOM * 0b01_0101;
const EVEN_RANKS: u64 = BOTTOM * 0b10_1010;
/// The bit of [`ConnectFour::state`] for the side to move.
const SIDE_BIT: u64 = 1 << 63;
/// With fewer free cells the search does not use the TT. With 8 to 10 here the proof of the empty board takes least time.
const TT_MIN_FREE_CELLS: u32 = 8;
/// The distances in bits between neighbours on a file, a rank and the two kinds of diagonals.
const DIRECTIONS: [usize; 4] = [1, STRIDE, STRIDE - 1, STRIDE + 1];

const LINES: [u64; 69] = {
    let (mut lines, mut count) = ([0; 69], 0);
    const_for!(i, 0..DIRECTIONS.len() * FILES * STRIDE, {
        let (d, first) = (DIRECTIONS[i % DIRECTIONS.len()], i / DIRECTIONS.len());
        let line = (1 | 1 << d | 1 << (2 * d) | 1 << (3 * d)) << first;
        if first + 3 * d < FILES * STRIDE && line & !BOARD == 0 {
            lines[count] = line;
            count += 1;
        }
    });
    assert!(count == lines.len());
    lines
};

/// The number of lines that each cell is part of.
const LINES_OF_CELL: [i32; FILES * STRIDE] = {
    let mut counts = [0; FILES * STRIDE];
    const_for!(i, 0..counts.len() * LINES.len(), {
        counts[i / LINES.len()] += (LINES[i % LINES.len()] >> (i / LINES.len()) & 1) as i32;
    });
    counts
};

/// A position. Cell `a1` is bit 0, `a2` is bit 1, `b1` is bit 7.
///
/// Any number of stones of either side is valid, and either side can be to move. No stone floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    stones: [u64; 2],
    side: Side,
}

const DROP_BOARD: DropBoard = DropBoard { files: FILES, ranks: RANKS };

/// Returns the bit of a cell of [`DROP_BOARD`].
const fn bit(cell: usize) -> usize {
    cell % FILES * STRIDE + cell / FILES
}

fn has_four(stones: u64) -> bool {
    DIRECTIONS.iter().any(|&d| {
        let pairs = stones & stones >> d;
        pairs & pairs >> (2 * d) != 0
    })
}

/// Returns the cells that complete four in a line with three of `stones`, occupied or not.
fn completing_cells(stones: u64) -> u64 {
    // Below a cell on its file stand three stones.
    let mut cells = stones << 1 & stones << 2 & stones << 3;
    for d in &DIRECTIONS[1..] {
        let (two_before, two_after) = (stones << d & stones << (2 * d), stones >> d & stones >> (2 * d));
        cells |= two_before & (stones << (3 * d) | stones >> d);
        cells |= two_after & (stones >> (3 * d) | stones << d);
    }
    cells
}

fn mirrored_state(state: u64) -> u64 {
    let file = |file: usize| state >> (STRIDE * file) & ((1 << STRIDE) - 1);
    (0..FILES).fold(0, |image, i| image << STRIDE | file(i)) | state & SIDE_BIT
}

fn files_of(cells: u64) -> u64 {
    let bottoms = (0..RANKS).fold(0, |bottoms, rank| bottoms | cells >> rank) & BOTTOM;
    bottoms * FILE
}

/// Returns the mirror image of `mv`, which may be any value.
fn mirrored_move(mv: Move) -> Move {
    let (file, rank) = (ConnectFour::cell(mv) / STRIDE, ConnectFour::cell(mv) % STRIDE);
    (FILES - 1).checked_sub(file).map_or(mv, |file| Move::new((STRIDE * file + rank + 1) as u16))
}

impl ConnectFour {
    /// Returns the position in which a game starts.
    pub fn start() -> Self {
        ConnectFour { stones: [0; 2], side: Side::White }
    }

    fn occupied(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    fn empty(&self) -> u64 {
        BOARD & !self.occupied()
    }

    fn landing_cells(&self) -> u64 {
        (self.occupied() + BOTTOM) & BOARD
    }

    /// Returns the free cells with which `side` completes a line.
    fn winning_cells(&self, side: Side) -> u64 {
        completing_cells(self.stones[side.index()]) & self.empty()
    }

    /// Packs a position into one number, different for all positions. The highest bit of each file is just
    /// above its stones, and the bits below are White's stones.
    fn state(&self) -> u64 {
        (self.occupied() + BOTTOM) | self.stones[0] | (self.side as u64 * SIDE_BIT)
    }

    /// Returns the landing cells after which the opponent has no win in one move.
    fn safe_cells(&self) -> u64 {
        let (landing, theirs) = (self.landing_cells(), self.winning_cells(!self.side));
        let blocks = match landing & theirs {
            0 => landing,
            cell if cell.is_power_of_two() => cell,
            _ => 0,
        };
        blocks & !(theirs >> 1)
    }

    /// Returns what the opponent of the side to move has for sure by follow-up play: a win or a draw. `None` if
    /// that is unknown.
    ///
    /// The opponent answers each stone with a stone above it (the rule Claimeven of Allis 1988, "A Knowledge-based Approach of
    /// Connect-Four"). In a file with an odd number of free cells the last stone has no answer. The opponent either completes a
    /// line there before, or pairs the lowest cell with that of another such file.
    fn follow_up_result(&self) -> Option<Outcome> {
        let (own, theirs) = (self.stones[self.side.index()], self.stones[(!self.side).index()]);
        let (landing, empty) = (self.landing_cells(), self.empty());
        let odd_files = files_of(landing & EVEN_RANKS);
        // The cell of a win lies above an answered stone.
        let wins = completing_cells(theirs) & empty & ODD_RANKS & odd_files;
        let win_files = files_of(wins);
        let below_wins = (wins.wrapping_sub(win_files & BOTTOM)) & !wins;
        let paired = odd_files & !win_files;
        if (paired & BOTTOM).count_ones() % 2 == 1 {
            return None;
        }
        let answered = (empty & ODD_RANKS & !win_files) | landing & paired | empty & EVEN_RANKS & below_wins;
        if has_four(own | answered) {
            return None;
        }
        let answers = empty & EVEN_RANKS & !win_files & !(landing & paired);
        let wins_surely = wins != 0 || has_four(theirs | answers);
        Some(if wins_surely { Outcome::Win(!self.side) } else { Outcome::Draw })
    }

    fn cell(mv: Move) -> usize {
        usize::from(mv.bits() - 1)
    }

    fn move_to(cell: u64) -> Move {
        Move::new(cell.trailing_zeros() as u16 + 1)
    }

    /// Returns the stone on a cell of [`DROP_BOARD`].
    fn stone(&self, cell: usize) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.stones[side.index()] >> bit(cell) & 1 == 1)
    }
}

impl Game for ConnectFour {
    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        if self.outcome().is_none() {
            let cells = self.landing_cells();
            let files = (0..FILES).map(|file| cells & FILE << (STRIDE * file)).filter(|&cell| cell != 0);
            moves.extend(files.map(Self::move_to));
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
        match [!self.side, self.side].into_iter().find(|side| has_four(self.stones[side.index()])) {
            Some(winner) => Some(Outcome::Win(winner)),
            None => (self.empty() == 0).then_some(Outcome::Draw),
        }
    }

    /// The mixing function is a bijection of 64 bits: no two positions share a key.
    fn key(&self) -> u64 {
        SplitMix64::new(self.state()).next()
    }

    fn is_legal(&self, mv: Move) -> bool {
        let cell = Self::cell(mv);
        cell < FILES * STRIDE && self.landing_cells() >> cell & 1 == 1 && self.outcome().is_none()
    }
}

impl Heuristics for ConnectFour {
    const BUTTERFLY: usize = FILES * STRIDE;
    const PIECE_TO: usize = 2 * FILES * STRIDE;
    const HAS_CANDIDATES: bool = true;
    /// [`Heuristics::prior`] orders better: killers before it cost 20 % more nodes.
    const PARAMS: SearchParams = SearchParams { killer_moves: 0, ..SearchParams::OTHER_GAMES };

    /// Mirror images share an entry.
    fn tt_key(&self) -> u64 {
        let state = self.state();
        SplitMix64::new(state.min(mirrored_state(state))).next()
    }

    fn uses_tt(&self) -> bool {
        self.empty().count_ones() >= TT_MIN_FREE_CELLS
    }

    fn canonical_move(&self, mv: Move) -> Move {
        let state = self.state();
        if mirrored_state(state) < state { mirrored_move(mv) } else { mv }
    }

    fn original_move(&self, mv: Move) -> Move {
        self.canonical_move(mv)
    }

    /// Sees wins and losses of the next two plies, lines that a side can still complete, and what follow-up
    /// play secures for the side that has just moved.
    fn value_bounds(&self, ply: Ply) -> (Score, Score) {
        let after = |plies: u32| Ply::new(ply.index() + plies as usize);
        if self.winning_cells(self.side) & self.landing_cells() != 0 {
            return (Score::mate_in(after(1)), Score::mate_in(after(1)));
        }
        if self.safe_cells() == 0 {
            return (Score::mated_in(after(2)), Score::mated_in(after(2)));
        }
        let empty = self.empty();
        let can_win =
            |side: Side, plies| empty.count_ones() >= plies && has_four(self.stones[side.index()] | empty);
        let lower = if can_win(!self.side, 4) { Score::mated_in(after(4)) } else { Score::ZERO };
        let upper = if can_win(self.side, 3) { Score::mate_in(after(3)) } else { Score::ZERO };
        match self.follow_up_result() {
            Some(Outcome::Draw) => (lower, upper.min(Score::ZERO)),
            Some(_) => (lower, Score::mated_in(after(empty.count_ones()))),
            None => (lower, upper),
        }
    }

    /// The only move that does not lose at once.
    fn forced_move(&self) -> Option<Move> {
        let (safe, wins) = (self.safe_cells(), self.winning_cells(self.side) & self.landing_cells());
        (safe.is_power_of_two() && wins == 0).then(|| Self::move_to(safe))
    }

    /// Leaves out moves that lose at once, unless all do.
    fn quiet_moves(&self, moves: &mut MoveList) {
        if self.outcome().is_some() {
            return;
        }
        let wins = self.winning_cells(self.side) & self.landing_cells();
        let mut cells = match self.safe_cells() | wins {
            0 => self.landing_cells(),
            safe => safe,
        };
        while cells != 0 {
            moves.push(Self::move_to(cells));
            cells &= cells - 1;
        }
    }

    /// A threat (a free cell that completes a line of the mover) counts as four lines through the cell of the move. Odd threats of the
    /// first player and even ones of the second count twice: they win in the end if each side answers in the file of the opponent's last
    /// stone. Together that outweighs the histories: with equal weights the search visited three times as many nodes.
    fn prior(&self, mv: Move) -> i32 {
        let own = self.stones[self.side.index()] | 1 << Self::cell(mv);
        let threats = completing_cells(own) & self.empty();
        let zugzwang_threats = threats & [ODD_RANKS, EVEN_RANKS][self.side.index()];
        let count = (threats.count_ones() + zugzwang_threats.count_ones()) as i32;
        65_536 * count + 16_384 * LINES_OF_CELL[Self::cell(mv)]
    }

    fn butterfly(&self, mv: Move) -> usize {
        Self::cell(mv)
    }

    fn piece_to(&self, mv: Move) -> usize {
        self.side.index() * FILES * STRIDE + Self::cell(mv)
    }
}

impl Notation for ConnectFour {
    fn variant(&self) -> &'static str {
        "cfour"
    }

    fn initial(&self) -> Self {
        Self::start()
    }

    fn parse_position(&self, text: &str) -> Result<Parsed<Self>, NotationError> {
        let (cells, side) = DROP_BOARD.parse_position(text)?;
        let mut game = ConnectFour { stones: [0; 2], side };
        for (cell, stone) in cells.into_iter().enumerate() {
            stone.into_iter().for_each(|side| game.stones[side.index()] |= 1 << bit(cell));
        }
        if game.occupied() & (game.occupied() + BOTTOM) != 0 {
            return Err(NotationError::new("expected no stone above a free cell", text));
        }
        Ok(Parsed { game, warnings: Vec::new() })
    }

    fn position_text(&self) -> String {
        DROP_BOARD.position_text_with_pocket(|cell| self.stone(cell), self.side)
    }

    /// Reads a landing cell like `P@d1` or `d1`, or a file like `d`.
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let on_file = |mv: &Move| {
            let letter = (b'a' + (Self::cell(*mv) / STRIDE) as u8) as char;
            text.eq_ignore_ascii_case(letter.encode_utf8(&mut [0]))
        };
        let drop = DROP_BOARD.parse_drop(text).map(bit);
        self.moves().into_iter().find(|mv| on_file(mv) || drop == Some(Self::cell(*mv))).ok_or_else(|| {
            NotationError::new(
                "expected the letter of a file with a free cell, such as c, or its lowest free cell like P@d1",
                text,
            )
        })
    }

    fn move_text(&self, mv: Move) -> String {
        DROP_BOARD.drop_text(Self::cell(mv) % STRIDE * FILES + Self::cell(mv) / STRIDE)
    }

    fn diagram(&self) -> String {
        DROP_BOARD.diagram(|cell| self.stone(cell))
    }

    fn picture(&self) -> String {
        with_stones(&self.diagram())
    }

    fn flipped(&self) -> Option<Self> {
        let [white, black] = self.stones;
        Some(ConnectFour { stones: [black, white], side: !self.side })
    }
}

/// Evaluates open lines: for each line without a stone of the opponent, the square of the number of own stones.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenLines;

impl Variant for ConnectFour {
    type Evaluator = OpenLines;
}

impl Evaluator<ConnectFour> for OpenLines {
    fn evaluate(&mut self, game: &ConnectFour) -> Score {
        let (own, other) = (game.stones[game.side.index()], game.stones[(!game.side).index()]);
        let value = LINES.iter().map(|line| match ((own & line).count_ones(), (other & line).count_ones()) {
            (own, 0) => (own * own) as i32,
            (0, other) => -((other * other) as i32),
            _ => 0,
        });
        Score::new(value.sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{conformance, perft};
    use std::collections::HashMap;

    fn position(text: &str) -> ConnectFour {
        ConnectFour::start().parse_position(text).unwrap().game
    }

    /// The position after a stone in each of `files`, numbered from 1.
    fn after(files: &str) -> ConnectFour {
        let mut game = ConnectFour::start();
        for file in files.bytes() {
            let mv = game.parse_move(&((file - b'1' + b'a') as char).to_string()).unwrap();
            game.play(mv);
        }
        game
    }

    #[test]
    fn random_games_conform() {
        conformance::check(&ConnectFour::start(), 60, 42, 1);
        conformance::check_evaluation(&ConnectFour::start(), None, 60, 42, 1);
    }

    #[test]
    fn perft_equals_the_published_counts() {
        let mut start = ConnectFour::start();
        let expected = [1, 7, 49, 343, 2401, 16_807, 117_649, 823_536];
        for (depth, leaves) in expected.into_iter().enumerate() {
            assert_eq!(perft::perft(&mut start, depth as u32, &mut || false), Some(leaves), "depth {depth}");
        }
    }

    #[test]
    fn four_stones_win_on_exactly_the_69_lines() {
        let cells = (0..FILES * STRIDE).map(|cell| 1u64 << cell).filter(|cell| BOARD & cell != 0);
        let cells: Vec<u64> = cells.collect();
        let mut won = 0;
        for (i, a) in cells.iter().enumerate() {
            for (j, b) in cells.iter().enumerate().skip(i + 1) {
                for (k, c) in cells.iter().enumerate().skip(j + 1) {
                    let completing = completing_cells(a | b | c) & BOARD;
                    for d in &cells[k + 1..] {
                        let four = has_four(a | b | c | d);
                        assert_eq!(four, LINES.contains(&(a | b | c | d)));
                        assert_eq!(four, completing & d != 0);
                        won += usize::from(four);
                    }
                }
            }
        }
        assert_eq!(won, 69);
    }

    #[test]
    fn outcome_of_finished_games_is_the_result() {
        assert_eq!(after("1212121").outcome(), Some(Outcome::Win(Side::White)));
        assert_eq!(after("71212121").outcome(), Some(Outcome::Win(Side::Black)));
        assert_eq!(after("4455667").outcome(), Some(Outcome::Win(Side::White)));
        assert_eq!(after("12223334344").outcome(), None);
        assert_eq!(after("122333443444").outcome(), None);
        let drawn = after("121212212121343434434343565656656565777777");
        assert_eq!((drawn.outcome(), drawn.count_moves()), (Some(Outcome::Draw), 0));
    }

    /// The value by the rules alone, with every value known so far. `ply` is the distance from the root.
    fn value(game: &mut ConnectFour, ply: usize, known: &mut HashMap<u64, Score>) -> Score {
        let distance = Ply::new(ply);
        if let Some(outcome) = game.outcome() {
            return Score::from_outcome(outcome, game.side, distance);
        }
        if let Some(score) = known.get(&game.state()) {
            return score.from_tt(distance);
        }
        let mut best = -Score::INFINITE;
        for mv in game.moves() {
            game.play(mv);
            best = best.max(-value(game, ply + 1, known));
            game.undo(mv);
        }
        known.insert(game.state(), best.to_tt(distance));
        best
    }

    /// Checks what [`Heuristics`] claims about `game` and counts the claims: moves left out, bounds that exclude a win, and
    /// bounds that are a loss.
    fn check_knowledge(game: &mut ConnectFour, known: &mut HashMap<u64, Score>, claims: &mut [usize; 3]) {
        let best = value(game, 3, known);
        let text = game.position_text();
        let (lower, upper) = game.value_bounds(Ply::new(3));
        assert!(lower <= best && best <= upper, "{text}: {best:?} outside of {lower:?} to {upper:?}");
        let mut candidates = MoveList::new();
        game.quiet_moves(&mut candidates);
        let mut value_of = |game: &mut ConnectFour, mv| {
            game.play(mv);
            let score = -value(game, 4, known);
            game.undo(mv);
            score
        };
        assert_eq!(
            candidates.iter().map(|&mv| value_of(game, mv)).max(),
            Some(best),
            "{text}: candidate moves"
        );
        if let Some(mv) = game.forced_move() {
            assert_eq!(value_of(game, mv), best, "{text}: forced move");
        }
        claims[0] += usize::from(candidates.len() < game.count_moves());
        claims[1] += usize::from(upper == Score::ZERO);
        claims[2] += usize::from(upper.is_loss());
    }

    #[test]
    fn heuristics_agree_with_the_value_by_the_rules() {
        let (mut random, mut known, mut claims) = (SplitMix64::new(4), HashMap::new(), [0; 3]);
        for _ in 0..3000 {
            let mut game = ConnectFour::start();
            while game.outcome().is_none() {
                // Small numbers of free cells have known values soon.
                if game.empty().count_ones() <= 12 {
                    check_knowledge(&mut game, &mut known, &mut claims);
                    let mut mirrored = game;
                    mirrored.stones = game.stones.map(mirrored_state);
                    assert_eq!(game.tt_key(), mirrored.tt_key());
                    assert_eq!(value(&mut game, 0, &mut known), value(&mut mirrored, 0, &mut known));
                }
                let moves = game.moves();
                game.play(moves[random.next() as usize % moves.len()]);
            }
        }
        assert!(claims.iter().all(|&count| count > 30), "{claims:?}");
    }

    /// Boards that no game reaches: any number of stones of each side.
    #[test]
    fn heuristics_hold_with_any_number_of_stones() {
        let (mut random, mut known, mut claims) = (SplitMix64::new(5), HashMap::new(), [0; 3]);
        let mut checked = 0;
        while checked < 2000 {
            let mut game = ConnectFour::start();
            game.side = Side::ALL[random.next() as usize % 2];
            for file in 0..FILES {
                for rank in 0..random.next() as usize % (RANKS + 1) {
                    game.stones[random.next() as usize % 2] |= 1 << (STRIDE * file + rank);
                }
            }
            if game.outcome().is_none() && game.empty().count_ones() <= 12 {
                check_knowledge(&mut game, &mut known, &mut claims);
                checked += 1;
            }
        }
        assert!(claims.iter().all(|&count| count > 10), "{claims:?}");
    }

    #[test]
    fn parse_position_reads_texts_with_and_without_a_pocket() {
        let start = ConnectFour::start();
        let (p, q) = ("P".repeat(21), "p".repeat(21));
        assert_eq!(start.position_text(), format!("7/7/7/7/7/7[{p}{q}] w - - 0 1"));
        for text in
            ["7/7/7/7/7/7[Pp] w - - 0 1", "7/7/7/7/7/7 w - - 0 1", "7/7/7/7/7/7 w", "7/7/7/7/1111111/34 w"]
        {
            assert_eq!(position(text), start, "{text}");
        }
        assert_eq!(position("7/7/7/7/3p3/3P3 w - - 0 2"), after("44"));
        for text in [
            "", "7/7/7/7/7/7", "7/7/7/7/7 w", "7/7/7/7/7/7/7 w", "7/7/7/7/7/8 w", "7/7/7/7/7/6 w",
            "7/7/7/7/7/x6 w", "7/7/7/7/7/7 x", "7/7/7/7/7/7[Q] w", "7/7/7/7/7/7[P w", "7/7/7/7/7/7 w a",
            "7/7/7/7/P6/7 w",
        ] {
            assert!(ConnectFour::start().parse_position(text).is_err(), "{text}");
        }
    }

    #[test]
    fn parse_move_reads_files_and_landing_cells() {
        let game = after("44");
        for text in ["P@d3", "p@D3", "d3", "D3", "d", "D"] {
            let mv = game.parse_move(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(game.move_text(mv), "P@d3");
        }
        for text in ["P@d1", "P@d4", "d2", "h1", "h", "P@d", "Q@d3", "P@d33", "d33", "d0", "d7", "", "4"] {
            assert!(game.parse_move(text).is_err(), "{text}");
        }
        assert!(after("111111").parse_move("a").is_err(), "a full file");
        assert!(after("1212121").parse_move("c").is_err(), "the game is over");
    }
}
