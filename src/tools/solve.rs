//! Judges' problems, answered by the general search. Their input becomes position texts and moves.

use crate::game::{Evaluator, Heuristics, Move, Notation, Score, Side, Window, quote};
use crate::search::{
    self, FinishedSearch, Limits, SearchError, SearchRequest, SearchState, Settings, TableError,
};
use crate::variants::{self, VariantVisitor};
use std::fmt::Write as _;

/// The names of the problems, each with the variant that it is played in.
pub const PROBLEMS: [(&str, &str); 2] = [("poj1568", "tictactoe4"), ("poj1085", "trianglewar")];

/// Returns the output of the online-judge problem `name` for `input`; `None` if there is no problem of that name.
pub fn solve(name: &str, input: &str) -> Option<Result<String, SolveError>> {
    let (name, variant) = PROBLEMS.into_iter().find(|(known, _)| *known == name)?;
    Some(variants::visit(variant, Solving { name, input }).expect("the variants of PROBLEMS exist"))
}

/// A problem, once the game is known.
struct Solving<'a> {
    name: &'a str,
    input: &'a str,
}

impl VariantVisitor for Solving<'_> {
    type Output = Result<String, SolveError>;

    fn visit<G: Heuristics + Notation, E: Evaluator<G>>(self) -> Self::Output {
        match self.name {
            "poj1568" => poj1568::<G, E>(self.input),
            "poj1085" => poj1085::<G, E>(self.input),
            name => unreachable!("{name} is not in PROBLEMS"),
        }
    }
}

/// MiB of table: enough for an empty board, as to touch more for the first time costs more than it saves, and
/// more where many positions share it.
fn megabytes(input: &str) -> usize {
    (input.len() >> 13).clamp(2, 64)
}

/// Why a problem has no answer.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The input is not what the judge sends.
    #[error("line {line}: {what}")]
    Input {
        /// Counted from 1.
        line: usize,
        /// What was expected, what came.
        what: String,
    },
    /// No memory for the search.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The search panicked.
    #[error(transparent)]
    Search(#[from] SearchError),
}

fn malformed<T>(line: usize, what: impl ToString) -> Result<T, SolveError> {
    Err(SolveError::Input { line, what: what.to_string() })
}

/// Whether the value of `game`, in which each move leaves one less, is above `bound` for the side to move when
/// only `moves` are considered (all of them if there are none), and the move to play.
fn exceeds<G: Heuristics, E: Evaluator<G>>(
    game: &G,
    bound: Score,
    moves: &[Move],
    state: &mut SearchState,
) -> Result<(bool, Option<Move>), SolveError> {
    let limits = Limits {
        window: Window::null_window_at_alpha(bound),
        searchmoves: moves.to_vec(),
        ..Limits::depth(game.count_moves() as i32)
    };
    let request = SearchRequest { root: game.clone(), limits, settings: Settings::default() };
    let never = crossbeam_channel::never();
    let FinishedSearch { result, last } = search::run_to_end::<G, E>(request, state, &never, &mut |_| {})?;
    log::debug!("{} nodes", result.nodes);
    Ok((last.lines[0].score > bound, result.best))
}

/// POJ 1568, "Find the Winning Move" (<http://poj.org/problem?id=1568>), with `G` the game on 4x4 cells: boards,
/// each after a line `?`, up to a line `$`. For each, the first cell row by row from which x, who is to move,
/// can force a win. A board on which either side has four in a row, or no cell is free, is over: `#####`.
pub fn poj1568<G: Heuristics + Notation, E: Evaluator<G>>(input: &str) -> Result<String, SolveError> {
    let mut state = SearchState::new(megabytes(input))?;
    let mut lines = input.lines().map(str::trim_end).enumerate().map(|(index, line)| (index + 1, line));
    let (mut answers, mut last) = (String::new(), 0);
    loop {
        match lines.next() {
            Some((_, "$")) => return Ok(answers),
            Some((line, "?")) => last = line,
            Some((line, other)) => return malformed(line, format!("expected ? or $, got {}", quote(other))),
            None => return malformed(last + 1, "expected ? or $, got the end of the input"),
        }
        let mut ranks = Vec::new();
        for _ in 0..4 {
            let Some((line, row)) = lines.next() else {
                return malformed(last + 1, "expected a row of the board, got the end of the input");
            };
            if row.len() != 4 || !row.chars().all(|cell| ".xo".contains(cell)) {
                return malformed(line, format!("expected four of . x o, got {}", quote(row)));
            }
            ranks.push(row.replace('x', "P").replace('o', "p").replace('.', "1"));
            last = line;
        }
        let text = format!("{} w", ranks.join("/"));
        let parsed = G::parse_position(&text).or_else(|error| malformed(last, error))?;
        match first_win::<G, E>(&parsed.game, &mut state)? {
            Some((row, column)) => writeln!(answers, "({row},{column})"),
            None => writeln!(answers, "#####"),
        }
        .expect("a string takes all");
    }
}

/// The first winning cell: as long as there is one, the cells before it are asked about.
fn first_win<G: Heuristics + Notation, E: Evaluator<G>>(
    board: &G,
    state: &mut SearchState,
) -> Result<Option<(usize, usize)>, SolveError> {
    let stone_on =
        |cell: usize| board.parse_move(&format!("P@{}{}", ["a", "b", "c", "d"][cell % 4], 4 - cell / 4));
    let (mut moves, mut cells): (Vec<Move>, Vec<usize>) =
        (0..16).filter_map(|cell| Some((stone_on(cell).ok()?, cell))).unzip();
    let mut first = None;
    while !moves.is_empty() {
        let (true, Some(best)) = exceeds::<G, E>(board, Score::MAX_EVAL, &moves, state)? else { break };
        let index = moves.iter().position(|&mv| mv == best).expect("the search obeys searchmoves");
        first = Some((cells[index] / 4, cells[index] % 4));
        moves.truncate(index);
        cells.truncate(index);
    }
    Ok(first)
}

/// POJ 1085, "Triangle War" (<http://poj.org/problem?id=1085>): the number of games, and for each the number of
/// moves made and those moves, `u v` each. For each, who wins from there.
pub fn poj1085<G: Heuristics + Notation, E: Evaluator<G>>(input: &str) -> Result<String, SolveError> {
    let mut state = SearchState::new(megabytes(input))?;
    let mut words = input
        .lines()
        .enumerate()
        .flat_map(|(index, line)| line.split_ascii_whitespace().map(move |word| (index + 1, word)));
    let end = input.lines().count() + 1;
    let mut number = |what: &str| match words.next() {
        None => malformed(end, format!("expected {what}, got the end of the input")),
        Some((line, word)) => match word.parse::<usize>() {
            Ok(number) => Ok((line, number)),
            Err(_) => malformed(line, format!("expected {what}, got {}", quote(word))),
        },
    };
    let mut answers = String::new();
    let (_, games) = number("the number of games")?;
    for game in 1..=games {
        let mut position = G::start();
        let (_, moves) = number("the number of moves")?;
        for _ in 0..moves {
            let (line, u) = number("a point")?;
            let (_, v) = number("a point")?;
            let mv = position.parse_move(&format!("{u}-{v}")).or_else(|error| malformed(line, error))?;
            position.play(mv);
        }
        let (mover_wins, _) = exceeds::<G, E>(&position, Score::ZERO, &[], &mut state)?;
        let winner = if mover_wins == (position.side_to_move() == Side::White) { "A" } else { "B" };
        writeln!(answers, "Game {game}: {winner} wins.").expect("a string takes all");
    }
    match words.next() {
        None => Ok(answers),
        Some((line, word)) => malformed(line, format!("expected the end of the input, got {}", quote(word))),
    }
}
