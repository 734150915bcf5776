//! Triangle War: dots and boxes on a triangle of ten points. A player who closes a small triangle owns it and
//! moves again (<http://poj.org/problem?id=1085>).

use crate::game::{
    Evaluator, Game, Heuristics, Move, MoveList, Notation, NotationError, Outcome, Parsed, Ply, Score, Side,
    SplitMix64, Variant, Wdl, const_for,
};
use crate::nnue::Network;

/// The two end points of each line; a line's index is its bit.
const LINES: [(u8, u8); 18] = [
    (1, 2),
    (1, 3),
    (2, 3),
    (2, 4),
    (2, 5),
    (4, 5),
    (3, 5),
    (3, 6),
    (5, 6),
    (4, 7),
    (4, 8),
    (7, 8),
    (5, 8),
    (5, 9),
    (8, 9),
    (6, 9),
    (6, 10),
    (9, 10),
];

/// The corners of each triangle: six with the flat side down, then three with the flat side up.
const TRIANGLES: [[u8; 3]; 9] =
    [[1, 2, 3], [2, 4, 5], [3, 5, 6], [4, 7, 8], [5, 8, 9], [6, 9, 10], [2, 3, 5], [4, 5, 8], [5, 6, 9]];

const ALL_LINES: u32 = (1 << LINES.len()) - 1;

/// The three lines of each triangle.
const SIDES: [u32; 9] = sides();

const fn sides() -> [u32; 9] {
    let mut sides = [0; 9];
    const_for!(i, 0..sides.len(), {
        let [a, b, c] = TRIANGLES[i];
        const_for!(line, 0..LINES.len(), {
            let (u, v) = LINES[line];
            if (u == a || u == b) && (v == b || v == c) {
                sides[i] |= 1 << line;
            }
        });
    });
    sides
}

/// The triangles of which each line is a side, one bit each.
const TRIANGLES_OF_LINE: [u16; 18] = {
    let mut of_line = [0; 18];
    const_for!(i, 0..9 * 18, {
        of_line[i / 9] |= ((SIDES[i % 9] >> (i / 9) & 1) as u16) << (i % 9);
    });
    of_line
};

/// A position. Player A is White and moves first.
///
/// The outcome is White's triangles minus Black's, as points. The player with more of the nine triangles
/// wins, but no score of this game is a forced win ([`Score::is_decisive`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriangleWar {
    lines: u32,
    /// The triangles of White and of Black, one bit each: together those whose three lines are drawn.
    owned: [u16; 2],
    side: Side,
}

impl TriangleWar {
    /// Returns the position in which a game starts.
    pub fn start() -> Self {
        TriangleWar { lines: 0, owned: [0; 2], side: Side::White }
    }

    fn line(mv: Move) -> usize {
        usize::from(mv.bits() - 1)
    }

    /// Returns the triangles of `line` whose other two lines are drawn.
    fn closed_by(&self, line: usize) -> u16 {
        let drawn = self.lines | 1 << line;
        let closed = |sides: u32| sides >> line & 1 == 1 && sides & !drawn == 0;
        SIDES.iter().enumerate().map(|(i, &sides)| u16::from(closed(sides)) << i).sum()
    }

    /// Returns White's triangles minus Black's.
    fn margin(&self) -> i32 {
        let [white, black] = self.owned.map(|triangles| triangles.count_ones() as i32);
        white - black
    }

    fn owner(&self, triangle: usize) -> char {
        match self.owned.map(|triangles| triangles >> triangle & 1) {
            [1, _] => 'A',
            [_, 1] => 'B',
            _ => '.',
        }
    }

    /// Reads the index of a line, written as its two end points like `2-5`.
    fn read_line(text: &str) -> Result<usize, NotationError> {
        let error = || NotationError::new("expected a line between two neighbouring points like 2-5", text);
        let (u, v) = text.split_once('-').ok_or_else(error)?;
        let point = |text: &str| text.parse::<u8>().map_err(|_| error());
        let (u, v) = (point(u)?, point(v)?);
        LINES.iter().position(|&line| line == (u.min(v), u.max(v))).ok_or_else(error)
    }
}

fn line_text(line: usize) -> String {
    let (u, v) = LINES[line];
    format!("{u}-{v}")
}

impl Game for TriangleWar {
    const ALTERNATES: bool = false;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        let free = (0..LINES.len() as u16).filter(|line| self.lines >> line & 1 == 0);
        moves.extend(free.map(|line| Move::new(line + 1)));
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        let closed = self.closed_by(Self::line(mv));
        self.lines |= 1 << Self::line(mv);
        self.owned[self.side.index()] |= closed;
        if closed == 0 {
            self.side = !self.side;
        }
    }

    fn undo(&mut self, mv: Move) {
        self.lines &= !(1 << Self::line(mv));
        let closed = self.closed_by(Self::line(mv));
        if closed == 0 {
            self.side = !self.side;
        }
        self.owned[self.side.index()] &= !closed;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.lines == ALL_LINES).then(|| Outcome::Points(self.margin()))
    }

    /// Hashes the lines, the side to move and the number of White's triangles: the value is that of the whole game. Which
    /// triangles a side owns does not matter. The mixing function is a bijection: no two such states share a key.
    fn key(&self) -> u64 {
        let white = u64::from(self.owned[0].count_ones());
        SplitMix64::new(u64::from(self.lines) | white << 32 | (self.side as u64) << 40).next()
    }

    fn is_legal(&self, mv: Move) -> bool {
        Self::line(mv) < LINES.len() && self.lines >> Self::line(mv) & 1 == 0
    }

    fn count_moves(&self) -> usize {
        (ALL_LINES & !self.lines).count_ones() as usize
    }
}

impl Heuristics for TriangleWar {
    const BUTTERFLY: usize = LINES.len();
    const PIECE_TO: usize = 2 * LINES.len();
    /// No, one or two closed triangles.
    const CAPTURED: usize = 3;

    /// The value of the remaining game, for the side to move, depends on the lines alone.
    fn tt_key(&self) -> u64 {
        SplitMix64::new(u64::from(self.lines)).next()
    }

    fn points_so_far(&self) -> i32 {
        if self.side == Side::White { self.margin() } else { -self.margin() }
    }

    /// One side can get all the triangles that are open.
    fn value_bounds(&self, _: Ply) -> (Score, Score) {
        let open = (SIDES.len() as u32 - (self.owned[0] | self.owned[1]).count_ones()) as i32;
        (Score::new(self.points_so_far() - open), Score::new(self.points_so_far() + open))
    }

    /// A line that closes every triangle of which it is a side. All other moves stay possible after it and
    /// close the same triangles then, so it is best to draw it before the opponent does.
    fn forced_move(&self) -> Option<Move> {
        let mut free = (0..LINES.len()).filter(|line| self.lines >> line & 1 == 0);
        free.find(|&line| self.closed_by(line) == TRIANGLES_OF_LINE[line])
            .map(|line| Move::new(line as u16 + 1))
    }

    fn is_noisy(&self, mv: Move) -> bool {
        self.closed_by(Self::line(mv)) != 0
    }

    fn noisy_moves(&self, moves: &mut MoveList) {
        moves.extend(self.moves().into_iter().filter(|&mv| self.is_noisy(mv)));
    }

    fn quiet_moves(&self, moves: &mut MoveList) {
        moves.extend(self.moves().into_iter().filter(|&mv| !self.is_noisy(mv)));
    }

    fn captured_value(&self, mv: Move) -> i32 {
        self.captured_kind(mv) as i32
    }

    fn butterfly(&self, mv: Move) -> usize {
        Self::line(mv)
    }

    fn piece_to(&self, mv: Move) -> usize {
        self.side.index() * LINES.len() + Self::line(mv)
    }

    fn captured_kind(&self, mv: Move) -> usize {
        self.closed_by(Self::line(mv)).count_ones() as usize
    }
}

impl Notation for TriangleWar {
    fn variant(&self) -> &'static str {
        "trianglewar"
    }

    fn initial(&self) -> Self {
        Self::start()
    }

    fn parse_position(&self, text: &str) -> Result<Parsed<Self>, NotationError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let &[lines, owners, side] = fields.as_slice() else {
            return Err(NotationError::new(
                "expected lines, owners of the triangles and the side to move",
                text,
            ));
        };
        let mut game = TriangleWar::start();
        for line in lines.split(',').filter(|_| lines != "-") {
            let bit = 1 << Self::read_line(line)?;
            if game.lines & bit != 0 {
                return Err(NotationError::new("expected each line once", line));
            }
            game.lines |= bit;
        }
        if owners.len() != TRIANGLES.len() {
            return Err(NotationError::new("expected nine owners: A, B or . for each triangle", owners));
        }
        for (triangle, owner) in owners.chars().enumerate() {
            let closed = SIDES[triangle] & !game.lines == 0;
            match (owner, closed) {
                ('A' | 'a', true) => game.owned[0] |= 1 << triangle,
                ('B' | 'b', true) => game.owned[1] |= 1 << triangle,
                ('.', false) => {}
                _ => {
                    let [a, b, c] = TRIANGLES[triangle];
                    let owners = if closed { "A or B for the closed" } else { ". for the open" };
                    let expected = format!("expected {owners} triangle {a}-{b}-{c}");
                    return Err(NotationError::new(expected, &owner.to_string()));
                }
            }
        }
        game.side = match side {
            "A" | "a" => Side::White,
            "B" | "b" => Side::Black,
            _ => return Err(NotationError::new("expected the side to move, A or B", side)),
        };
        Ok(Parsed { game, warnings: Vec::new() })
    }

    fn position_text(&self) -> String {
        let drawn = (0..LINES.len()).filter(|line| self.lines >> line & 1 == 1);
        let lines = drawn.map(line_text).collect::<Vec<_>>().join(",");
        let owners: String = (0..TRIANGLES.len()).map(|triangle| self.owner(triangle)).collect();
        let lines = if lines.is_empty() { "-" } else { &lines };
        format!("{lines} {owners} {}", ["A", "B"][self.side.index()])
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let mv = Move::new(Self::read_line(text)? as u16 + 1);
        if self.is_legal(mv) {
            Ok(mv)
        } else {
            Err(NotationError::new("expected a line not yet drawn", text))
        }
    }

    fn move_text(&self, mv: Move) -> String {
        line_text(Self::line(mv))
    }

    /// Draws the lines, and the owner in each closed triangle.
    fn diagram(&self) -> String {
        let mut grid = vec![vec![b' '; 22]; 10];
        for (line, &(u, v)) in LINES.iter().enumerate() {
            if self.lines >> line & 1 == 1 {
                let ((x, y), (to_x, to_y)) = (place(u), place(v));
                let (step, mark, length) = match (to_y > y, to_x > x) {
                    (false, _) => ((1, 0), b'-', 5),
                    (true, true) => ((1, 1), b'\\', 2),
                    (true, false) => ((-1, 1), b'/', 2),
                };
                for i in 1..=length {
                    grid[(y + i * step.1) as usize][(x + i * step.0) as usize] = mark;
                }
            }
        }
        for (triangle, points) in TRIANGLES.iter().enumerate() {
            let owner = self.owner(triangle);
            if owner != '.' {
                let places = points.map(place);
                let x = places.iter().map(|p| p.0).sum::<i32>() / 3;
                // The rounded mean is the row between the flat side and the opposite corner.
                let y = (places.iter().map(|p| p.1).sum::<i32>() + 1) / 3;
                grid[y as usize][x as usize] = owner as u8;
            }
        }
        for point in 1..=10 {
            let (x, y) = place(point);
            for (i, digit) in point.to_string().bytes().enumerate() {
                grid[y as usize][x as usize + i] = digit;
            }
        }
        let text = grid.iter().map(|row| String::from_utf8_lossy(row).trim_end().to_owned() + "\n");
        text.collect::<String>() + &format!("{} to move\n", ["A", "B"][self.side.index()])
    }

    fn flipped(&self) -> Option<Self> {
        let [white, black] = self.owned;
        Some(TriangleWar { owned: [black, white], side: !self.side, ..*self })
    }
}

/// Returns the column and line of a point in the diagram. Rows of points are three lines apart, points of a row six columns.
fn place(point: u8) -> (i32, i32) {
    let row = [1, 3, 6, 10].iter().position(|&last| point <= last).unwrap_or(3) as i32;
    let first = row * (row + 1) / 2 + 1;
    (9 - 3 * row + 6 * (i32::from(point) - first), 3 * row)
}

/// Evaluates the points scored so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScoreDifference;

impl Variant for TriangleWar {
    type Evaluator = ScoreDifference;

    /// Scores are small: one point decides most games.
    fn wdl(&self, score: Score, _: Option<&Network>) -> Wdl {
        Wdl::logistic(score, 0.5, 0.5)
    }
}

impl Evaluator<TriangleWar> for ScoreDifference {
    fn evaluate(&mut self, game: &TriangleWar) -> Score {
        Score::new(if game.side == Side::White { game.margin() } else { -game.margin() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::conformance;

    fn triangle(text: &str) -> TriangleWar {
        TriangleWar::start().parse_position(text).unwrap().game
    }

    fn after(moves: &str) -> TriangleWar {
        let mut game = TriangleWar::start();
        conformance::play(&mut game, moves);
        game
    }

    #[test]
    fn random_games_conform() {
        conformance::check(&TriangleWar::start(), 80, 18, 3);
        conformance::check_evaluation(&TriangleWar::start(), None, 80, 18, 3);
        assert!(conformance::check_values(&TriangleWar::start(), 200, 6, 6) > 100);
    }

    #[test]
    fn triangles_have_three_sides_and_use_every_line() {
        assert!(SIDES.iter().all(|sides| sides.count_ones() == 3));
        assert_eq!(SIDES.iter().fold(0, |all, sides| all | sides), ALL_LINES);
    }

    #[test]
    fn closing_a_triangle_keeps_the_turn() {
        let game = after("2-1 3-2 3-1");
        assert_eq!(game.position_text(), "1-2,1-3,2-3 A........ A");
        let mut game = after("2-3 2-4 2-5 3-5 1-2 4-5 1-3");
        assert_eq!(game.position_text(), "1-2,1-3,2-3,2-4,2-5,4-5,3-5 AA....B.. A");
        // One line can close two triangles.
        game = after("2-4 4-5 2-3 3-5 2-5");
        assert_eq!(game.owned, [0b100_0010, 0]);
        assert_eq!(game.side, Side::White);
    }

    #[test]
    fn malformed_text_is_rejected() {
        for text in [
            "",
            "- .........",
            "- ......... C",
            "- ........ A",
            "- A........ A",
            "1-2,1-3,2-3 ......... A",
            "1-2,2-1 ......... A",
            "1-5 ......... A",
            "1 ......... A",
            "1-2, ......... A",
        ] {
            assert!(TriangleWar::start().parse_position(text).is_err(), "{text}");
        }
        assert_eq!(triangle("- ......... a"), TriangleWar::start());
        for text in ["1-2", "1-4", "1-x", "12", "", "1--2", "300-1"] {
            assert!(after("1-2").parse_move(text).is_err(), "{text}");
        }
    }

    #[test]
    fn diagram_shows_lines_and_owners() {
        let expected = r"
         1
        / \
       / A \
      2-----3
       \
        \
   4     5     6


7     8     9     10
B to move";
        assert_eq!(
            after("1-2 2-3 1-3 2-5").diagram().lines().collect::<Vec<_>>(),
            expected.lines().skip(1).collect::<Vec<_>>()
        );
    }
}
