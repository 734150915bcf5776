//! Speed on two online judge (POJ) problems, of the general search and of special-purpose programs:
//! `cargo bench --bench solve`.
//!
//! All solvers get the same positions from a fixed seed. They alternate in each round, and their CPU time is
//! measured. They keep no data between rounds.

// The bench prints its results.
#![allow(clippy::print_stdout)]

mod clock;

use clock::processor_time;
use duiyi::game::SplitMix64;
use duiyi::games::tictactoe::TicTacToe;
use duiyi::games::triangle_war::TriangleWar;
use duiyi::tools::solve;
use std::fmt::Write as _;

const ROUNDS: usize = 5;
const POSITIONS: usize = 10_000;

/// Returns the output for an input of a problem.
type Solver = fn(&str) -> String;

fn main() {
    // `cargo bench` passes `--bench`. `cargo test` does not, and then nothing is measured.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let poj1568: Solver = |input| solve::poj1568(&TicTacToe::start(4), input).unwrap();
    let poj1085: Solver = |input| solve::poj1085(&TriangleWar::start(), input).unwrap();
    println!("seconds, and answers a second; medians of {ROUNDS} rounds");
    compare_solvers("poj1568, the empty board", "?\n....\n....\n....\n....\n$\n", &[("duiyi", poj1568)]);
    compare_solvers("poj1568, 0 to 16 stones", &boards(), &[("duiyi", poj1568), ("plain", plain_poj1568)]);
    compare_solvers("poj1085, the empty triangle", "1\n0\n", &[("duiyi", poj1085)]);
    compare_solvers("poj1085, 0 to 18 lines", &triangles(0), &[("duiyi", poj1085)]);
    compare_solvers("poj1085, 8 to 18 lines", &triangles(8), &[("duiyi", poj1085), ("plain", plain_poj1085)]);
}

fn compare_solvers(title: &str, input: &str, solvers: &[(&str, Solver)]) {
    let answers: Vec<String> = solvers.iter().map(|(_, solver)| solver(input)).collect();
    assert!(answers.iter().all(|other| *other == answers[0]), "{title}: two answers");
    let mut times = vec![Vec::new(); solvers.len()];
    for _ in 0..ROUNDS {
        for ((_, solver), times) in solvers.iter().zip(&mut times) {
            let started = processor_time();
            std::hint::black_box(solver(input));
            times.push((processor_time() - started).as_secs_f64());
        }
    }
    let count = answers[0].lines().count() as f64;
    for ((name, _), times) in solvers.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let median = times[ROUNDS / 2];
        println!("{title:28} {name} {median:9.4} {:9.0}", count / median);
    }
}

fn shuffled(random: &mut SplitMix64, count: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    random.shuffle(&mut numbers);
    numbers
}

/// Returns an input of poj1568: boards with 0 to 16 stones, x and o alternating.
fn boards() -> String {
    let (mut random, mut input) = (SplitMix64::new(1568), String::new());
    for _ in 0..POSITIONS {
        let mut cells = ['.'; 16];
        let stones = random.next() as usize % 17;
        for (number, cell) in shuffled(&mut random, 16).into_iter().take(stones).enumerate() {
            cells[cell] = ['x', 'o'][number % 2];
        }
        input += "?\n";
        for row in cells.chunks(4) {
            input.extend(row);
            input.push('\n');
        }
    }
    input + "$\n"
}

fn has_four_in_row(stones: u16) -> bool {
    let straight = (0..4).any(|i| stones >> (4 * i) & 15 == 15 || stones >> i & 0x1111 == 0x1111);
    straight || stones & 0x8421 == 0x8421 || stones & 0x1248 == 0x1248
}

/// Returns whether x wins. Alpha-beta over two values, cells in index order, without a transposition table.
fn x_wins(x: u16, o: u16, x_moves: bool) -> bool {
    if has_four_in_row(if x_moves { o } else { x }) {
        return !x_moves;
    }
    let mut free = (0..16).filter(|cell| (x | o) >> cell & 1 == 0).peekable();
    if free.peek().is_none() {
        return false;
    }
    if x_moves {
        free.any(|cell| x_wins(x | 1 << cell, o, false))
    } else {
        free.all(|cell| x_wins(x, o | 1 << cell, true))
    }
}

/// The plain solver of poj1568. Like the textbook program, it skips boards with 12 or more free cells.
fn plain_poj1568(input: &str) -> String {
    let (mut lines, mut answers) = (input.lines(), String::new());
    while lines.next() == Some("?") {
        let cells: String = lines.by_ref().take(4).collect();
        let stones =
            |letter| cells.bytes().enumerate().map(|(i, cell)| u16::from(cell == letter) << i).sum::<u16>();
        let (x, o) = (stones(b'x'), stones(b'o'));
        let searched = (x | o).count_zeros() < 12 && !has_four_in_row(x) && !has_four_in_row(o);
        let mut free = (0..16).filter(|cell| searched && (x | o) >> cell & 1 == 0);
        match free.find(|cell| x_wins(x | 1 << cell, o, false)) {
            Some(cell) => writeln!(answers, "({},{})", cell / 4, cell % 4).unwrap(),
            None => answers += "#####\n",
        }
    }
    answers
}

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

/// The three lines of each small triangle, as bits.
const SIDES: [u32; 9] = [
    1 << 0 | 1 << 1 | 1 << 2,
    1 << 3 | 1 << 4 | 1 << 5,
    1 << 6 | 1 << 7 | 1 << 8,
    1 << 9 | 1 << 10 | 1 << 11,
    1 << 12 | 1 << 13 | 1 << 14,
    1 << 15 | 1 << 16 | 1 << 17,
    1 << 2 | 1 << 4 | 1 << 6,
    1 << 5 | 1 << 10 | 1 << 12,
    1 << 8 | 1 << 13 | 1 << 15,
];

/// Returns an input of poj1085: games of `min_lines` to 18 lines. The plain search is too slow for fewer than
/// 8.
fn triangles(min_lines: usize) -> String {
    let (mut random, mut input) = (SplitMix64::new(1085), format!("{POSITIONS}\n"));
    for _ in 0..POSITIONS {
        let moves = min_lines + random.next() as usize % (19 - min_lines);
        writeln!(input, "{moves}").unwrap();
        for line in shuffled(&mut random, 18).into_iter().take(moves) {
            writeln!(input, "{} {}", LINES[line].0, LINES[line].1).unwrap();
        }
    }
    input
}

fn closed_triangles(lines_drawn: u32, line: usize) -> i32 {
    let after = lines_drawn | 1 << line;
    SIDES.iter().filter(|&&sides| sides >> line & 1 == 1 && sides & !after == 0).count() as i32
}

/// Returns the score difference of the remaining game, for the side to move.
/// Alpha-beta, lines in index order, without a transposition table.
fn remaining_difference(lines_drawn: u32, mut alpha: i32, beta: i32) -> i32 {
    let mut best = if lines_drawn == (1 << 18) - 1 { 0 } else { -100 };
    for line in (0..18).filter(|line| lines_drawn >> line & 1 == 0) {
        let (count, after) = (closed_triangles(lines_drawn, line), lines_drawn | 1 << line);
        let value = if count > 0 {
            count + remaining_difference(after, alpha - count, beta - count)
        } else {
            -remaining_difference(after, -beta, -alpha)
        };
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}

fn plain_poj1085(input: &str) -> String {
    let (mut numbers, mut answers) =
        (input.split_ascii_whitespace().map(|n| n.parse().unwrap()), String::new());
    let mut number = || numbers.next().unwrap();
    for game in 1..=number() {
        let (mut lines_drawn, mut difference, mut sign) = (0, 0, 1);
        for _ in 0..number() {
            let points = (number() as u8, number() as u8);
            let line = LINES.iter().position(|&line| line == points).unwrap();
            let count = closed_triangles(lines_drawn, line);
            lines_drawn |= 1 << line;
            difference += sign * count;
            sign = if count > 0 { sign } else { -sign };
        }
        // Converts the difference of A to the view of the side to move.
        let difference = sign * difference;
        let mover_wins = difference + remaining_difference(lines_drawn, -difference, 1 - difference) > 0;
        let winner = if mover_wins == (sign > 0) { "A" } else { "B" };
        writeln!(answers, "Game {game}: {winner} wins.").unwrap();
    }
    answers
}
