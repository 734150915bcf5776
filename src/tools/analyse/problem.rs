//! Problems: positions with EPD operations that give the solution.

use super::{Analysis, SearchStats};
use crate::game::{Move, Notation, NotationError, Score};
use crate::tools::epd::{self, Operation};
use crate::tools::pgn::RecordError;
use serde::{Deserialize, Serialize};

/// A position and its solution.
#[derive(Clone, Debug)]
pub struct Problem<G> {
    /// Its line in the file, from 1.
    pub line: usize,
    pub position: G,
    id: String,
    /// The operations of the solution as text: `bm Qg6; am Rxh7`.
    expected: String,
    /// `bm`: the best moves, each of which solves the problem.
    best: Vec<Move>,
    /// `am`: moves to avoid.
    avoid: Vec<Move>,
    /// The number of moves to mate. `dm N` and `bm #N`: the side to move mates in N. `bm #-N`: the side to move is mated
    /// in N (<https://github.com/vondele/matetrack>).
    mate: Option<i32>,
    /// `c0 "Qg3=10, h4=7"`: points for moves, as in the Strategic Test Suite.
    points: Vec<(Move, u32)>,
}

/// The result of the search on a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemResult {
    pub id: String,
    #[serde(rename = "asked")]
    pub expected: String,
    /// Whether the best move fulfils all of them; `None` if there are none.
    pub solved: Option<bool>,
    /// The first iteration of the last unbroken run of correct ones; `None` if the problem is not solved.
    pub solution: Option<SearchStats>,
    /// Points for the move, and the maximum.
    pub points: Option<(u32, u32)>,
}

impl ProblemResult {
    /// The kind of the problem: `bm`, `am` or `dm`, several joined by `+`, or `nothing asked`.
    pub fn kind(&self) -> String {
        let kinds = self.expected.split("; ").filter_map(|operation| operation.split(' ').next());
        let kinds = kinds.filter(|kind| !kind.is_empty()).collect::<Vec<_>>().join("+");
        if kinds.is_empty() { "nothing asked".into() } else { kinds }
    }
}

/// Parses the problems of a file in the game of `start`, one per line. Skips empty lines and lines that start with `#`.
pub fn read<G: Notation>(start: &G, text: &str) -> impl Iterator<Item = Result<Problem<G>, RecordError>> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|(text, line)| {
        read_line(start, text, line).map_err(|error| RecordError { line, what: error.to_string() })
    })
}

fn read_line<G: Notation>(start: &G, text: &str, line: usize) -> Result<Problem<G>, NotationError> {
    let (position, rest) = epd::position(start, text.trim_start_matches('\u{feff}'))?;
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
    let mut expected = Vec::new();
    for Operation { opcode, operands } in epd::operations(rest)? {
        let with_opcode = |error| NotationError::message(format!("{opcode}: {error}"));
        let moves = || {
            let moves = operands.iter().map(|text| problem.position.parse_san(text));
            moves.collect::<Result<Vec<_>, _>>().map_err(with_opcode)
        };
        match (opcode, operands.as_slice()) {
            ("bm" | "am" | "dm", []) => {
                return Err(with_opcode(NotationError::message("expected an operand, got none")));
            }
            ("bm", [mate]) if mate.starts_with('#') => {
                problem.mate = Some(parse_moves_to_mate(mate).map_err(with_opcode)?);
            }
            ("bm", _) => problem.best = moves()?,
            ("am", _) => problem.avoid = moves()?,
            ("dm", [moves, ..]) => problem.mate = Some(parse_moves_to_mate(moves).map_err(with_opcode)?),
            ("c0", [points]) => {
                problem.points = parse_points(&problem.position, points).map_err(with_opcode)?
            }
            ("id", _) => problem.id = operands.join(" "),
            _ => {}
        }
        if matches!(opcode, "bm" | "am" | "dm") {
            let is_mate = operands[0].starts_with('#');
            expected.push(format!("{} {}", if is_mate { "dm" } else { opcode }, operands.join(" ")));
        }
    }
    problem.expected = expected.join("; ");
    Ok(problem)
}

/// The moves to mate of `4`, `#4` or `#-3`.
fn parse_moves_to_mate(text: &str) -> Result<i32, NotationError> {
    let number = text.trim_start_matches('#').parse::<i16>();
    let moves = number.map_err(|_| NotationError::new("expected a number of moves", text))?;
    Ok(moves.into())
}

/// Parses `Qg3=10, h4=7`. Text of another form is an ordinary comment and gives no points.
fn parse_points<G: Notation>(position: &G, text: &str) -> Result<Vec<(Move, u32)>, NotationError> {
    let pairs = text.split(',').map(|part| {
        let (mv, points) = part.trim().rsplit_once('=')?;
        Some((mv, points.parse().ok()?))
    });
    let Some(pairs) = pairs.collect::<Option<Vec<(&str, u32)>>>() else { return Ok(Vec::new()) };
    pairs.into_iter().map(|(mv, points)| Ok((position.parse_san(mv)?, points))).collect()
}

impl<G: Notation> Problem<G> {
    /// Whether `best` with `score` (for the side to move) fulfils all operations.
    fn is_solved_by(&self, best: Option<Move>, score: Score) -> bool {
        let mate = self.mate.is_none_or(|expected| {
            let found = if expected > 0 { score.is_win() } else { score.is_loss() };
            found && score.moves_to_mate().is_some_and(|moves| moves.abs() <= expected.abs())
        });
        let best = best
            .is_some_and(|mv| (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv));
        mate && best
    }

    /// Compares the analysis with the solution.
    pub fn score(&self, analysis: &Analysis) -> ProblemResult {
        let has_solution = !self.expected.is_empty();
        let is_correct = |iteration: &&super::Iteration| self.is_solved_by(iteration.best, iteration.score);
        let score = analysis.lines.first().map_or(Score::ZERO, |line| line.score);
        let solved = has_solution.then(|| self.is_solved_by(analysis.best, score));
        let first_correct = analysis.iterations.iter().rev().take_while(is_correct).last();
        let maximum = self.points.iter().map(|&(_, points)| points).max();
        let points = maximum.map(|maximum| {
            let scored = self.points.iter().find(|(mv, _)| Some(*mv) == analysis.best);
            (scored.map_or(0, |&(_, points)| points), maximum)
        });
        ProblemResult {
            id: self.id.clone(),
            expected: self.expected.clone(),
            solved,
            solution: first_correct.map(|iteration| iteration.stats).filter(|_| solved == Some(true)),
            points,
        }
    }
}
