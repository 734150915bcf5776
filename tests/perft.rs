//! The counts of the perft suites, which two independent libraries confirm (see `examples/perft_data.rs`).

use duiyi::game::{Notation, perft};
use duiyi::games::chess::Position;

#[test]
fn standard_positions_match_perft_counts() {
    assert_eq!(check(include_str!("data/perft/standard.epd")), 52);
}

#[test]
fn chess960_positions_match_perft_counts() {
    assert_eq!(check(include_str!("data/perft/chess960.epd")), 15);
}

#[test]
fn chess960_start_positions_match_perft_counts() {
    assert_eq!(check(include_str!("data/perft/chess960_starts.epd")), 960);
}

/// Largest count in builds with debug assertions, which check every move and are slow.
const MAX_DEBUG_COUNT: u64 = 1_000_000;

/// Checks the counts of every line. Returns the number of lines.
fn check(suite: &str) -> usize {
    let lines = suite.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(check_line).count()
}

fn check_line(line: &str) {
    let (fen, counts) =
        line.split_once(';').unwrap_or_else(|| panic!("expected counts after the FEN, found {line}"));
    let mut position =
        Position::start().parse_position(fen.trim()).unwrap_or_else(|e| panic!("{fen}: {e}")).game;
    for (number, count) in counts.split(';').enumerate() {
        let (depth, expected) = count
            .trim()
            .split_once(' ')
            .unwrap_or_else(|| panic!("expected a depth and a count, found {line}"));
        assert_eq!(depth, format!("D{}", number + 1), "{line}");
        let expected = expected.parse().unwrap();
        if cfg!(debug_assertions) && expected > MAX_DEBUG_COUNT {
            break;
        }
        let leaves = perft::perft(&mut position, number as u32 + 1, &mut || false);
        assert_eq!(leaves, Some(expected), "{depth} of {fen}");
    }
}

#[test]
fn perft_without_bulk_counting_matches() {
    for (fen, depth, leaves) in [
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
        ("r1k4r/8/8/8/8/8/8/R1K4R w HAha - 0 1", 4, 313_736),
    ] {
        let mut position = Position::start().parse_position(fen).unwrap().game;
        assert_eq!(perft::perft_no_bulk(&mut position, depth), leaves, "{fen}");
    }
}

#[test]
fn divide_sums_to_perft_and_stop_ends_both() {
    let mut position = Position::start();
    let divided = perft::divide(&mut position, 4, &mut || false).unwrap();
    assert_eq!(divided.len(), 20);
    assert_eq!(divided.iter().map(|&(_, leaves)| leaves).sum::<u64>(), 197_281);
    assert_eq!(perft::perft(&mut position, 6, &mut || true), None);
    assert_eq!(perft::divide(&mut position, 6, &mut || true), None);
    assert_eq!(position.position_text(), Position::start().position_text());
}
