//! Problems: positions with operations of EPD that say what to find.

use super::{Analysis, SearchStats};
use crate::game::{Move, Notation, NotationError, Score, Side};
use crate::tools::epd::{self, Operation};
use crate::tools::pgn::PgnError;
use serde::{Deserialize, Serialize};

/// A position and what is known about it.
#[derive(Clone, Debug)]
pub struct Problem<G> {
    /// Its line in the file, from 1.
    pub line: usize,
    /// The position.
    pub position: G,
    id: String,
    /// What was asked, in words.
    expected: String,
    /// `bm`: moves of which one is to be played.
    best: Vec<Move>,
    /// `am`: moves to avoid.
    avoid: Vec<Move>,
    /// `dm N`: the side to move mates in N moves; `bm #N` of some collections: White does, or Black if N is negative.
    mate: Option<(Side, u32)>,
    /// `c0 "Qg3=10, h4=7"`: points for moves, as in the Strategic Test Suite.
    points: Vec<(Move, u32)>,
}

/// What came of a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemResult {
    /// The problem's name.
    pub id: String,
    /// The operations that ask for something: `bm Qg6`.
    pub asked: String,
    /// Whether all of them are answered; nothing where none was.
    pub solved: Option<bool>,
    /// From when on the answer was right until the end.
    pub solution: Option<SearchStats>,
    /// Points for the move, and how many there are at most.
    pub points: Option<(u32, u32)>,
}

impl ProblemResult {
    /// What was asked for: `bm`, `am`, `dm`, or several of them with + between.
    pub fn kind(&self) -> String {
        let kinds = self.asked.split("; ").filter_map(|asked| asked.split(' ').next());
        let kinds = kinds.filter(|kind| !kind.is_empty()).collect::<Vec<_>>().join("+");
        if kinds.is_empty() { "nothing asked".into() } else { kinds }
    }
}

/// The problems of a file, a line each; empty lines and those that begin with # are none.
pub fn read<G: Notation>(text: &str) -> impl Iterator<Item = Result<Problem<G>, PgnError>> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(text, line)| read_line(text, line).map_err(|error| PgnError { line, what: error.to_string() }))
}

fn read_line<G: Notation>(text: &str, line: usize) -> Result<Problem<G>, NotationError> {
    let (position, rest) = epd::position::<G>(text.trim_start_matches('\u{feff}'))?;
    let mut problem = Problem {
        line,
        position,
        id: String::new(),
        expected: String::new(),
        best: Vec::new(),
        avoid: Vec::new(),
        mate: None,
        points: Vec::new(),
    };
    let mut asked = Vec::new();
    for Operation { opcode, operands } in epd::operations(rest)? {
        let wrong = |error| NotationError::message(format!("{opcode}: {error}"));
        let moves = || {
            let moves = operands.iter().map(|text| problem.position.parse_san(text));
            moves.collect::<Result<Vec<_>, _>>().map_err(wrong)
        };
        match (opcode, operands.as_slice()) {
            ("bm" | "am" | "dm", []) => {
                return Err(wrong(NotationError::message("expected an operand, got none")));
            }
            ("bm", [mate]) if mate.starts_with('#') => {
                problem.mate = Some(mate_of_white(mate).map_err(wrong)?)
            }
            ("bm", _) => problem.best = moves()?,
            ("am", _) => problem.avoid = moves()?,
            ("dm", [moves, ..]) => {
                let number = moves
                    .parse()
                    .map_err(|_| wrong(NotationError::new("expected a number of moves", moves)))?;
                problem.mate = Some((problem.position.side_to_move(), number));
            }
            ("c0", [points]) => problem.points = read_points(&problem.position, points).map_err(wrong)?,
            ("id", _) => problem.id = operands.join(" "),
            _ => {}
        }
        if matches!(opcode, "bm" | "am" | "dm") {
            let is_mate = operands[0].starts_with('#');
            asked.push(format!("{} {}", if is_mate { "dm" } else { opcode }, operands.join(" ")));
        }
    }
    problem.expected = asked.join("; ");
    Ok(problem)
}

/// `#4` or `#-3`.
fn mate_of_white(text: &str) -> Result<(Side, u32), NotationError> {
    let moves: Option<i32> = text[1..].parse().ok();
    let moves = moves.ok_or_else(|| NotationError::new("expected a number of moves after #", text))?;
    Ok((if moves > 0 { Side::White } else { Side::Black }, moves.unsigned_abs()))
}

/// `Qg3=10, h4=7`; a text that is not of that form is a comment like any other.
fn read_points<G: Notation>(position: &G, text: &str) -> Result<Vec<(Move, u32)>, NotationError> {
    let pairs = text.split(',').map(|part| {
        let (mv, points) = part.trim().rsplit_once('=')?;
        Some((mv, points.parse().ok()?))
    });
    let Some(pairs) = pairs.collect::<Option<Vec<(&str, u32)>>>() else { return Ok(Vec::new()) };
    pairs.into_iter().map(|(mv, points)| Ok((position.parse_san(mv)?, points))).collect()
}

impl<G: Notation> Problem<G> {
    fn is_answered(&self, best: Option<Move>, score: Score) -> bool {
        let mate = self.mate.is_none_or(|(winner, moves)| {
            let is_won =
                if winner == self.position.side_to_move() { score.is_win() } else { score.is_loss() };
            is_won && score.moves_to_mate().is_some_and(|found| found.unsigned_abs() <= moves)
        });
        let best = best
            .is_some_and(|mv| (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv));
        mate && best
    }

    /// Compares what was found with what is known.
    pub fn score(&self, found: &Analysis) -> ProblemResult {
        let asks = !self.expected.is_empty();
        let right = |iteration: &&super::Iteration| self.is_answered(iteration.best, iteration.score);
        let score = found.lines.first().map_or(Score::ZERO, |line| line.score);
        let solved = asks.then(|| self.is_answered(found.best, score));
        let lasting = found.iterations.iter().rev().take_while(right).last();
        let most = self.points.iter().map(|&(_, points)| points).max();
        let points = most.map(|most| {
            let own = self.points.iter().find(|(mv, _)| Some(*mv) == found.best);
            (own.map_or(0, |&(_, points)| points), most)
        });
        ProblemResult {
            id: self.id.clone(),
            asked: self.expected.clone(),
            solved,
            solution: lasting.map(|iteration| iteration.stats).filter(|_| solved == Some(true)),
            points,
        }
    }
}
