//! Triangle War, dots and boxes on a triangle of ten points: whoever closes a small triangle keeps it
//! and moves again (<http://poj.org/problem?id=1085>).

use crate::game::{
    Evaluator, Game, Hints, KeySequence, Move, MoveList, Notation, Outcome, Parsed, Score, Side, Style,
    TextError, Wdl,
};

/// The lines, by the points they join; a line's number is its bit.
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

/// The triangles by their points: the six that stand on a side, then the three that stand on a point.
const TRIANGLES: [[u8; 3]; 9] =
    [[1, 2, 3], [2, 4, 5], [3, 5, 6], [4, 7, 8], [5, 8, 9], [6, 9, 10], [2, 3, 5], [4, 5, 8], [5, 6, 9]];

const ALL: u32 = (1 << LINES.len()) - 1;

/// The three lines of each triangle.
const SIDES: [u32; 9] = sides();

const fn sides() -> [u32; 9] {
    let mut sides = [0; 9];
    let mut i = 0;
    while i < sides.len() {
        let [a, b, c] = TRIANGLES[i];
        let mut line = 0;
        while line < LINES.len() {
            let (u, v) = LINES[line];
            if (u == a || u == b) && (v == b || v == c) {
                sides[i] |= 1 << line;
            }
            line += 1;
        }
        i += 1;
    }
    sides
}

/// The triangles that each line is a side of.
const OF_LINE: [u16; 18] = {
    let mut of_line = [0; 18];
    let mut i = 0;
    while i < 9 * 18 {
        of_line[i / 9] |= ((SIDES[i % 9] >> (i / 9) & 1) as u16) << (i % 9);
        i += 1;
    }
    of_line
};

/// A position. Player A is White and moves first. A game pays the difference of triangles, and so no
/// forced win is ever reported: who has more of the nine has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle {
    drawn: u32,
    /// Who keeps which triangle, one bit each; together exactly those whose lines are all drawn.
    kept: [u16; 2],
    side: Side,
}

impl Triangle {
    fn line(mv: Move) -> usize {
        usize::from(mv.bits() - 1)
    }

    /// The triangles of `line` whose other two lines are drawn.
    fn closes(&self, line: usize) -> u16 {
        let with = self.drawn | 1 << line;
        let closed = |sides: u32| sides >> line & 1 == 1 && sides & !with == 0;
        SIDES.iter().enumerate().map(|(i, &sides)| u16::from(closed(sides)) << i).sum()
    }

    /// Triangles of White less those of Black.
    fn margin(&self) -> i32 {
        let [white, black] = self.kept.map(|kept| kept.count_ones() as i32);
        white - black
    }

    fn owner(&self, triangle: usize) -> char {
        match self.kept.map(|kept| kept >> triangle & 1) {
            [1, _] => 'A',
            [_, 1] => 'B',
            _ => '.',
        }
    }

    /// The number of the line between the points that `text` names.
    fn read_line(text: &str) -> Result<usize, TextError> {
        let error = || TextError::new("expected a line between two neighbouring points like 2-5", text);
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

impl Game for Triangle {
    const ALTERNATES: bool = false;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        let free = (0..LINES.len() as u16).filter(|line| self.drawn >> line & 1 == 0);
        moves.extend(free.map(|line| Move::new(line + 1)));
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv));
        let closed = self.closes(Self::line(mv));
        self.drawn |= 1 << Self::line(mv);
        self.kept[self.side.index()] |= closed;
        if closed == 0 {
            self.side = !self.side;
        }
    }

    fn undo(&mut self, mv: Move) {
        self.drawn &= !(1 << Self::line(mv));
        let closed = self.closes(Self::line(mv));
        if closed == 0 {
            self.side = !self.side;
        }
        self.kept[self.side.index()] &= !closed;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.drawn == ALL).then(|| Outcome::Points(self.margin()))
    }

    /// Lines, side and triangles kept so far, for the value is the whole game's; who kept which does
    /// not matter. The mixing function is one to one: no two such states share a key.
    fn key(&self) -> u64 {
        let white = u64::from(self.kept[0].count_ones());
        KeySequence::new(u64::from(self.drawn) | white << 32 | (self.side as u64) << 40).next()
    }

    fn is_legal(&self, mv: Move) -> bool {
        Self::line(mv) < LINES.len() && self.drawn >> Self::line(mv) & 1 == 0
    }

    fn count_moves(&self) -> usize {
        (ALL & !self.drawn).count_ones() as usize
    }
}

impl Hints for Triangle {
    const BUTTERFLY: usize = LINES.len();
    const PIECE_TO: usize = 2 * LINES.len();
    /// One or two triangles.
    const CAPTURED: usize = 3;

    /// What is to come depends on the lines alone, whoever moves.
    fn table_key(&self) -> u64 {
        KeySequence::new(u64::from(self.drawn)).next()
    }

    fn banked(&self) -> i32 {
        if self.side == Side::White { self.margin() } else { -self.margin() }
    }

    /// One side may get all the triangles that are left.
    fn value_range(&self) -> (Score, Score) {
        let left = (SIDES.len() as u32 - (self.kept[0] | self.kept[1]).count_ones()) as i32;
        (Score::new(self.banked() - left), Score::new(self.banked() + left))
    }

    /// A line that closes every triangle it is a side of. Any other move can be made after it just as well,
    /// and closes the same triangles then: to leave it is to leave it to the other side.
    fn forced_move(&self) -> Option<Move> {
        let mut free = (0..LINES.len()).filter(|line| self.drawn >> line & 1 == 0);
        free.find(|&line| self.closes(line) == OF_LINE[line]).map(|line| Move::new(line as u16 + 1))
    }

    fn is_tactical(&self, mv: Move) -> bool {
        self.closes(Self::line(mv)) != 0
    }

    fn tactical_moves(&self, moves: &mut MoveList) {
        moves.extend(self.moves().into_iter().filter(|&mv| self.is_tactical(mv)));
    }

    fn quiet_moves(&self, moves: &mut MoveList) {
        moves.extend(self.moves().into_iter().filter(|&mv| !self.is_tactical(mv)));
    }

    fn gain(&self, mv: Move) -> i32 {
        self.captured(mv) as i32
    }

    fn butterfly(&self, mv: Move) -> usize {
        Self::line(mv)
    }

    fn piece_to(&self, mv: Move) -> usize {
        self.side.index() * LINES.len() + Self::line(mv)
    }

    fn captured(&self, mv: Move) -> usize {
        self.closes(Self::line(mv)).count_ones() as usize
    }

    fn phase(&self) -> u32 {
        256 * self.count_moves() as u32 / LINES.len() as u32
    }
}

impl Notation for Triangle {
    const VARIANT: &'static str = "trianglewar";

    fn start() -> Self {
        Triangle { drawn: 0, kept: [0; 2], side: Side::White }
    }

    fn parse_position(text: &str) -> Result<Parsed<Self>, TextError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let &[lines, owners, side] = fields.as_slice() else {
            return Err(TextError::new("expected lines, owners of the triangles and the side to move", text));
        };
        let mut game = Triangle::start();
        for line in lines.split(',').filter(|_| lines != "-") {
            let bit = 1 << Self::read_line(line)?;
            if game.drawn & bit != 0 {
                return Err(TextError::new("expected each line once", line));
            }
            game.drawn |= bit;
        }
        if owners.len() != TRIANGLES.len() {
            return Err(TextError::new("expected nine owners: A, B or . for each triangle", owners));
        }
        for (triangle, owner) in owners.chars().enumerate() {
            let closed = SIDES[triangle] & !game.drawn == 0;
            match (owner, closed) {
                ('A' | 'a', true) => game.kept[0] |= 1 << triangle,
                ('B' | 'b', true) => game.kept[1] |= 1 << triangle,
                ('.', false) => {}
                _ => {
                    let [a, b, c] = TRIANGLES[triangle];
                    let wanted = if closed { "A or B for the closed" } else { ". for the open" };
                    let expected = format!("expected {wanted} triangle {a}-{b}-{c}");
                    return Err(TextError::new(expected, &owner.to_string()));
                }
            }
        }
        game.side = match side {
            "A" | "a" => Side::White,
            "B" | "b" => Side::Black,
            _ => return Err(TextError::new("expected the side to move, A or B", side)),
        };
        Ok(Parsed { game, notes: Vec::new() })
    }

    fn position_text(&self, _: Style) -> String {
        let drawn = (0..LINES.len()).filter(|line| self.drawn >> line & 1 == 1);
        let lines = drawn.map(line_text).collect::<Vec<_>>().join(",");
        let owners: String = (0..TRIANGLES.len()).map(|triangle| self.owner(triangle)).collect();
        let lines = if lines.is_empty() { "-" } else { &lines };
        format!("{lines} {owners} {}", ["A", "B"][self.side.index()])
    }

    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        let mv = Move::new(Self::read_line(text)? as u16 + 1);
        if self.is_legal(mv) { Ok(mv) } else { Err(TextError::new("expected a line not yet drawn", text)) }
    }

    fn move_text(&self, mv: Move, _: Style) -> String {
        line_text(Self::line(mv))
    }

    /// The lines drawn, and in each closed triangle who keeps it.
    fn diagram(&self) -> String {
        let mut grid = vec![vec![b' '; 22]; 10];
        for (line, &(u, v)) in LINES.iter().enumerate() {
            if self.drawn >> line & 1 == 1 {
                let ((x, y), (to_x, to_y)) = (place(u), place(v));
                let (step, mark, count) = match (to_y > y, to_x > x) {
                    (false, _) => ((1, 0), b'-', 5),
                    (true, true) => ((1, 1), b'\\', 2),
                    (true, false) => ((-1, 1), b'/', 2),
                };
                for i in 1..=count {
                    grid[(y + i * step.1) as usize][(x + i * step.0) as usize] = mark;
                }
            }
        }
        for (triangle, points) in TRIANGLES.iter().enumerate() {
            let owner = self.owner(triangle);
            if owner != '.' {
                let places = points.map(place);
                let x = places.iter().map(|p| p.0).sum::<i32>() / 3;
                // Above the flat side of a triangle that stands on it, below it in the others.
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
        let [white, black] = self.kept;
        Some(Triangle { kept: [black, white], side: !self.side, ..*self })
    }
}

/// Column and line of a point in the diagram: rows of points are three lines apart, points six columns.
fn place(point: u8) -> (i32, i32) {
    let row = [1, 3, 6, 10].iter().position(|&last| point <= last).unwrap_or(3) as i32;
    let first = row * (row + 1) / 2 + 1;
    (9 - 3 * row + 6 * (i32::from(point) - first), 3 * row)
}

/// The triangles kept so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Margin;

impl Evaluator<Triangle> for Margin {
    fn evaluate(&mut self, game: &Triangle) -> Score {
        Score::new(if game.side == Side::White { game.margin() } else { -game.margin() })
    }

    /// Points are few and each weighs much.
    fn wdl(&self, _: &Triangle, score: Score) -> Wdl {
        Wdl::logistic(score, 0.5, 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::conformance;

    fn triangle(text: &str) -> Triangle {
        Triangle::parse_position(text).unwrap().game
    }

    fn after(moves: &str) -> Triangle {
        let mut game = Triangle::start();
        for text in moves.split(' ') {
            let mv = game.parse_move(text).unwrap();
            game.play(mv);
        }
        game
    }

    #[test]
    fn it_conforms() {
        conformance::check(&Triangle::start(), 80, 18, 3);
        conformance::check_evaluation::<Triangle, Margin>(&Triangle::start(), 80, 18, 3);
        assert!(conformance::check_values(&Triangle::start(), 200, 6, 6) > 100);
    }

    #[test]
    fn every_triangle_has_three_sides_and_every_line_a_triangle() {
        assert!(SIDES.iter().all(|sides| sides.count_ones() == 3));
        assert_eq!(SIDES.iter().fold(0, |all, sides| all | sides), ALL);
    }

    #[test]
    fn who_closes_a_triangle_moves_again() {
        let game = after("2-1 3-2 3-1");
        assert_eq!(game.position_text(Style::default()), "1-2,1-3,2-3 A........ A");
        let mut game = after("2-3 2-4 2-5 3-5 1-2 4-5 1-3");
        assert_eq!(game.position_text(Style::default()), "1-2,1-3,2-3,2-4,2-5,4-5,3-5 AA....B.. A");
        // One line may close two.
        game = after("2-4 4-5 2-3 3-5 2-5");
        assert_eq!(game.kept, [0b100_0010, 0]);
        assert_eq!(game.side, Side::White);
    }

    #[test]
    fn a_wrong_text_is_refused() {
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
            assert!(Triangle::parse_position(text).is_err(), "{text}");
        }
        assert_eq!(triangle("- ......... a"), Triangle::start());
        for text in ["1-2", "1-4", "1-x", "12", "", "1--2", "300-1"] {
            assert!(after("1-2").parse_move(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_diagram_shows_lines_and_owners() {
        let expected = [
            "         1",
            "        / \\",
            "       / A \\",
            "      2-----3",
            "       \\",
            "        \\",
            "   4     5     6",
            "",
            "",
            "7     8     9     10",
            "B to move",
        ];
        assert_eq!(after("1-2 2-3 1-3 2-5").diagram().lines().collect::<Vec<_>>(), expected);
    }
}
