//! Compares the speed of move generation with two libraries: `cargo bench --bench movegen`.
//!
//! The engines run alternately, and processor time is measured. This makes the ratio of medians stable on a
//! busy machine, unlike separate runs, so criterion is not used here.

// The results go to standard output.
#![allow(clippy::print_stdout)]

mod clock;

use clock::processor_time;
use cozy_chess::Board;
use duiyi::game::{Notation, perft};
use duiyi::games::chess::Position;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};
use std::hint::black_box;

const ROUNDS: usize = 11;

/// Name, FEN, and depth of the bulk count; one ply less without bulk counting.
const POSITIONS: [(&str, &str, u32); 5] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ("promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
    ("middlegame", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
];

const ENGINES: [&str; 3] = ["duiyi", "cozy-chess", "shakmaty"];

/// Returns the number of leaves at a depth.
type LeafCounter = Box<dyn FnMut(u32) -> u64>;

fn main() {
    // `cargo bench` passes `--bench`. `cargo test` does not, and then nothing is measured.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    run("bulk: moves of the last ply are counted", 0, bulk_counters);
    run("no bulk: moves of the last ply are made and undone", 1, no_bulk_counters);
}

/// Measures all positions, `shallower` plies below their depth, and prints a table.
fn run(title: &str, shallower: u32, counters: fn(&str) -> [LeafCounter; 3]) {
    println!("{title}; million leaves per second, median of {ROUNDS} rounds");
    println!("{:12} {:>10} {:>10} {:>10} {:>12}", "", ENGINES[0], ENGINES[1], ENGINES[2], "to cozy");
    let mut ratios = [0.0; 3];
    for (name, fen, depth) in POSITIONS {
        let speeds = speeds(&mut counters(fen), depth - shallower);
        println!(
            "{name:12} {:10.1} {:10.1} {:10.1} {:12.3}",
            speeds[0],
            speeds[1],
            speeds[2],
            speeds[0] / speeds[1]
        );
        for (ratio, speed) in ratios.iter_mut().zip(speeds) {
            *ratio += (speed / speeds[1]).ln() / POSITIONS.len() as f64;
        }
    }
    let [ours, _, shakmaty] = ratios.map(f64::exp);
    println!("geometric mean to cozy-chess: duiyi {ours:.3}, shakmaty {shakmaty:.3}\n");
}

/// The median speed of each engine, in million leaves per second.
fn speeds(counters: &mut [LeafCounter; 3], depth: u32) -> [f64; 3] {
    let leaves = counters[1](depth);
    let mut times = [const { Vec::new() }; 3];
    for round in 0..ROUNDS {
        for i in 0..counters.len() {
            let engine = (i + round) % counters.len();
            let started = processor_time();
            let counted = black_box(counters[engine](black_box(depth)));
            times[engine].push(processor_time() - started);
            assert_eq!(counted, leaves, "{}: wrong number of leaves", ENGINES[engine]);
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        leaves as f64 / times[ROUNDS / 2].as_secs_f64() / 1e6
    })
}

fn parse(fen: &str) -> (Position, Board, Chess) {
    let ours = Position::start().parse_position(fen).unwrap().game;
    let shakmaty = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    (ours, Board::from_fen(fen, false).unwrap(), shakmaty)
}

fn bulk_counters(fen: &str) -> [LeafCounter; 3] {
    let (mut ours, cozy, shakmaty) = parse(fen);
    [
        Box::new(move |depth| perft::perft(&mut ours, depth, &mut || false).unwrap()),
        Box::new(move |depth| cozy_bulk(&cozy, depth)),
        Box::new(move |depth| shakmaty::perft(&shakmaty, depth)),
    ]
}

fn no_bulk_counters(fen: &str) -> [LeafCounter; 3] {
    let (mut ours, cozy, shakmaty) = parse(fen);
    [
        Box::new(move |depth| perft::perft_no_bulk(&mut ours, depth)),
        Box::new(move |depth| cozy_no_bulk(&cozy, depth)),
        Box::new(move |depth| shakmaty_no_bulk(&shakmaty, depth)),
    ]
}

fn cozy_bulk(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                leaves += cozy_bulk(&child, depth - 1);
            }
        }
        false
    });
    leaves
}

fn cozy_no_bulk(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            leaves += cozy_no_bulk(black_box(&child), depth - 1);
        }
        false
    });
    leaves
}

fn shakmaty_no_bulk(position: &Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for mv in position.legal_moves() {
        let mut child = position.clone();
        child.play_unchecked(mv);
        leaves += shakmaty_no_bulk(black_box(&child), depth - 1);
    }
    leaves
}
