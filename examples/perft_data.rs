//! Rewrites the perft suites under `tests/data/perft/`: `cargo run --release --example perft_data`.
//!
//! A line is a FEN and its leaf counts: `FEN ;D1 n ;D2 n ...`; `#` starts a comment. To add a position, write
//! `FEN ;D5 ?` with the maximum depth. cozy-chess and shakmaty compute every count; if they disagree, the
//! program panics before it writes that file.

// The example reports its progress on standard output.
#![allow(clippy::print_stdout)]

use cozy_chess::Board;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionError};
use std::fmt::Write as _;
use std::path::Path;

/// Maximum depth of the 960 start positions, in plies.
const START_DEPTH: u32 = 4;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/perft");
    for name in ["standard.epd", "chess960.epd"] {
        let path = folder.join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let lines: String = text.lines().map(rewritten).collect();
        std::fs::write(&path, lines).unwrap();
        println!("{name}: {} lines", text.lines().count());
    }
    let mut lines = String::from("# The 960 start positions of Chess960, by their number.\n");
    for number in 0..960 {
        let fen = format!("{:#}", Board::chess960_startpos(number));
        writeln!(lines, "{}", counted(&fen, START_DEPTH)).unwrap();
    }
    std::fs::write(folder.join("chess960_starts.epd"), lines).unwrap();
    println!("chess960_starts.epd: 960 positions");
}

/// Returns `line` with new counts for depths 1 to its last one. Comments and empty lines stay unchanged.
fn rewritten(line: &str) -> String {
    if line.is_empty() || line.starts_with('#') {
        return format!("{line}\n");
    }
    let (fen, counts) = line.split_once(';').unwrap_or_else(|| panic!("no depth: {line}"));
    let deepest = counts.rsplit(';').next().unwrap().trim();
    let depth = deepest.strip_prefix('D').and_then(|text| text.split(' ').next());
    let depth = depth.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no depth: {line}"));
    format!("{}\n", counted(fen.trim(), depth))
}

/// Returns the suite line of a FEN: its perft counts for depths 1 to `depth`.
fn counted(fen: &str, depth: u32) -> String {
    let board = Board::from_fen(fen, false).or_else(|_| Board::from_fen(fen, true));
    let board = board.unwrap_or_else(|e| panic!("{fen}: {e}"));
    let setup = fen.parse::<Fen>().unwrap_or_else(|e| panic!("{fen}: {e}"));
    let position: Chess = setup
        .into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .unwrap_or_else(|e| panic!("{fen}: {e}"));
    let mut line = fen.to_string();
    for depth in 1..=depth {
        let (one, two) = (perft(&board, depth), shakmaty::perft(&position, depth));
        assert_eq!(one, two, "the libraries disagree at depth {depth} of {fen}");
        write!(line, " ;D{depth} {one}").unwrap();
    }
    line
}

fn perft(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                leaves += perft(&child, depth - 1);
            }
        }
        false
    });
    leaves
}
