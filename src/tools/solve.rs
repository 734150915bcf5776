//! `duiyi solve`: online judge (POJ) problems, solved by the general search. The input of a problem is
//! converted to positions and moves.

use super::prove::{Answer, prove};
use crate::game::{Move, Score, Side, Variant, quote};
use crate::search::{Limits, SearchError, SearchState, TtError};
use crate::variants::with_game;
use std::fmt::Write as _;

/// The names of the problems, each with the variant of its game.
pub const PROBLEMS: [(&str, &str); 2] = [("poj1568", "tictactoe4"), ("poj1085", "trianglewar")];

/// Returns the output of the problem `name` for `input`; `None` if there is no problem of that name.
pub fn solve(name: &str, input: &str) -> Option<Result<String, SolveError>> {
    let (name, variant) = PROBLEMS.into_iter().find(|(problem, _)| *problem == name)?;
    let solved = with_game!(variant, |start| solve_with(&start, name, input));
    Some(solved.expect("the variants of PROBLEMS exist"))
}

fn solve_with<G: Variant>(start: &G, name: &str, input: &str) -> Result<String, SolveError> {
    match name {
        "poj1568" => poj1568(start, input),
        "poj1085" => poj1085(start, input),
        name => unreachable!("{name} is not in PROBLEMS"),
    }
}

/// The size of the transposition table in MiB. 2 MiB suffice for an empty board, and the page faults of a
/// larger table would take more time than it saves. Many positions share a larger table.
fn table_mib(input: &str) -> usize {
    (input.len() >> 13).clamp(2, 64)
}

/// A problem could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The input does not have the format of the problem.
    #[error("line {line}: {what}")]
    Input {
        /// The line of the input, from 1.
        line: usize,
        /// The message: what was expected and what was found.
        what: String,
    },
    /// There is not enough memory for the transposition table.
    #[error(transparent)]
    Table(#[from] TtError),
    /// The search panicked.
    #[error(transparent)]
    Search(#[from] SearchError),
}

fn malformed<T>(line: usize, what: impl ToString) -> Result<T, SolveError> {
    Err(SolveError::Input { line, what: what.to_string() })
}

/// Whether a move of `moves` (any move if empty) gives the side to move at least `at_least`, and the best move.
fn is_at_least<G: Variant>(
    game: &G,
    at_least: Score,
    moves: &[Move],
    state: &mut SearchState,
) -> Result<(bool, Option<Move>), SolveError> {
    let limits = Limits { searchmoves: moves.to_vec(), ..Limits::none() };
    let (answer, search) = prove(game, at_least, limits, 1, state, &crossbeam_channel::never())?;
    log::debug!("{} nodes", search.result.nodes);
    assert_ne!(answer, Answer::Unknown, "a search of a small game that nothing stops has an answer");
    Ok((answer == Answer::Proved, search.result.best))
}

/// Solves POJ 1568, "Find the Winning Move" (<http://poj.org/problem?id=1568>); `start` is that of tic-tac-toe on
/// 4x4 cells.
///
/// The input has boards, each after a line `?`, and ends with a line `$`. The output has a line for each
/// board: the first cell, row by row, with which x, the side to move, can force a win, or `#####` if there is
/// none. A board with four in a row or without a free cell also gives `#####`.
///
/// # Errors
/// If the input is malformed, memory is short, or a search fails.
pub fn poj1568<G: Variant>(start: &G, input: &str) -> Result<String, SolveError> {
    let mut state = SearchState::new(table_mib(input))?;
    let mut lines = input.lines().map(str::trim_end).enumerate().map(|(index, line)| (index + 1, line));
    let (mut answers, mut last_line) = (String::new(), 0);
    loop {
        match lines.next() {
            Some((_, "$")) => return Ok(answers),
            Some((line, "?")) => last_line = line,
            Some((line, other)) => return malformed(line, format!("expected ? or $, got {}", quote(other))),
            None => return malformed(last_line + 1, "expected ? or $, got the end of the input"),
        }
        let mut ranks = Vec::new();
        for _ in 0..4 {
            let Some((line, row)) = lines.next() else {
                return malformed(last_line + 1, "expected a row of the board, got the end of the input");
            };
            if row.len() != 4 || !row.chars().all(|cell| ".xo".contains(cell)) {
                return malformed(line, format!("expected four of . x o, got {}", quote(row)));
            }
            ranks.push(row.replace('x', "P").replace('o', "p").replace('.', "1"));
            last_line = line;
        }
        let text = format!("{} w", ranks.join("/"));
        let parsed = start.parse_position(&text).or_else(|error| malformed(last_line, error))?;
        match first_win(&parsed.game, &mut state)? {
            Some((row, column)) => writeln!(answers, "({row},{column})"),
            None => writeln!(answers, "#####"),
        }
        .expect("writing to a string does not fail");
    }
}

/// The row and column of the first winning cell. Each search considers only the cells before the last one found.
fn first_win<G: Variant>(board: &G, state: &mut SearchState) -> Result<Option<(usize, usize)>, SolveError> {
    let stone_on =
        |cell: usize| board.parse_move(&format!("P@{}{}", ["a", "b", "c", "d"][cell % 4], 4 - cell / 4));
    let (mut moves, mut cells): (Vec<Move>, Vec<usize>) =
        (0..16).filter_map(|cell| Some((stone_on(cell).ok()?, cell))).unzip();
    let mut first = None;
    while !moves.is_empty() {
        let (true, Some(best)) = is_at_least(board, Score::ZERO + 1, &moves, state)? else { break };
        let index = moves.iter().position(|&mv| mv == best).expect("the search obeys searchmoves");
        first = Some((cells[index] / 4, cells[index] % 4));
        moves.truncate(index);
        cells.truncate(index);
    }
    Ok(first)
}

/// Solves POJ 1085, "Triangle War" (<http://poj.org/problem?id=1085>); `start` is that of the game.
///
/// The input has the number of games, and for each game the number of moves made and those moves, `u v` each.
/// The output has a line for each game: the winner if both sides play perfectly.
///
/// # Errors
/// If the input is malformed, memory is short, or a search fails.
pub fn poj1085<G: Variant>(start: &G, input: &str) -> Result<String, SolveError> {
    let mut state = SearchState::new(table_mib(input))?;
    let mut words = input
        .lines()
        .enumerate()
        .flat_map(|(index, line)| line.split_ascii_whitespace().map(move |word| (index + 1, word)));
    let end = input.lines().count() + 1;
    let mut next_number = |what: &str| match words.next() {
        None => malformed(end, format!("expected {what}, got the end of the input")),
        Some((line, word)) => match word.parse::<usize>() {
            Ok(number) => Ok((line, number)),
            Err(_) => malformed(line, format!("expected {what}, got {}", quote(word))),
        },
    };
    let mut answers = String::new();
    let (_, games) = next_number("the number of games")?;
    for game in 1..=games {
        let mut position = start.clone();
        let (_, moves) = next_number("the number of moves")?;
        for _ in 0..moves {
            let (line, u) = next_number("a point")?;
            let (_, v) = next_number("a point")?;
            let mv = position.parse_move(&format!("{u}-{v}")).or_else(|error| malformed(line, error))?;
            position.play(mv);
        }
        let (mover_wins, _) = is_at_least(&position, Score::ZERO + 1, &[], &mut state)?;
        let winner = if mover_wins == (position.side_to_move() == Side::White) { "A" } else { "B" };
        writeln!(answers, "Game {game}: {winner} wins.").expect("writing to a string does not fail");
    }
    match words.next() {
        None => Ok(answers),
        Some((line, word)) => malformed(line, format!("expected the end of the input, got {}", quote(word))),
    }
}
