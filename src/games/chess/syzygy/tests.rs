//! Positions with known results, damaged files, and made tables in which every position has the same value.

use super::*;
use crate::game::{Notation, SplitMix64};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A directory of tables that a test makes.
struct Directory(PathBuf);

impl Directory {
    fn new() -> Directory {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Relaxed);
        let path = std::env::temp_dir().join(format!("duiyi-syzygy-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Directory(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).unwrap();
    }

    fn open(&self) -> Syzygy {
        open(&self.0)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn open(directory: &Path) -> Syzygy {
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_string();
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let paths = entries.map(|path| (name(&path), path)).collect();
    Syzygy::open(&TableFiles { paths, open: |path| File::open(path) })
}

/// The tables that the environment variable names, or `None` with the reason why the test is skipped.
#[expect(clippy::print_stderr, reason = "the reason why a test is skipped")]
fn real_tables() -> Option<PathBuf> {
    let path = std::env::var_os("DUIYI_SYZYGY").map(PathBuf::from);
    if path.is_none() {
        eprintln!("skipped: DUIYI_SYZYGY does not name a directory of Syzygy tables");
    }
    path
}

/// A file in which every position with White, the side with the rook, to move has the value `white`, every other `black`.
fn krk(kind: Kind, white: u8, black: u8) -> Vec<u8> {
    const SINGLE: u8 = 128;
    let mut bytes = kind.magic().to_vec();
    let pieces = [6, 14, 4].map(|code| code | code << 4);
    match kind {
        Kind::Wdl => {
            bytes.extend([1, 0]);
            bytes.extend(pieces);
            bytes.extend([0, SINGLE, white, SINGLE, black]);
        }
        // The distances of White's positions only.
        Kind::Dtz => {
            bytes.extend([0, 0]);
            bytes.extend(pieces);
            bytes.extend([0, SINGLE, 0]);
        }
    }
    bytes.resize(80, 0);
    bytes
}

fn position(text: &str) -> Position {
    Position::start().parse_position(text).unwrap().game
}

const WHITE_TO_MOVE: &str = "8/8/8/3k4/8/8/8/R3K3 w - - 0 1";
const BLACK_TO_MOVE: &str = "8/8/8/3k4/8/8/8/R3K3 b - - 0 1";

fn probe(syzygy: &Syzygy, text: &str, probing: &Probing) -> Option<TableResult> {
    syzygy.probe(&position(text), Depth::new(5), probing)
}

#[test]
fn results_and_distances_of_2000_positions_are_those_of_another_prober() {
    let Some(directory) = real_tables() else { return };
    let syzygy = open(&directory);
    let mut compared = 0;
    for line in
        include_str!("../../../../tests/data/syzygy.epd").lines().filter(|line| !line.starts_with('#'))
    {
        let mut parts = line.split(" ;");
        let (text, wdl, dtz) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
        let number = |part: &str| part.split(' ').nth(1).unwrap().parse::<i32>().unwrap();
        let position = position(text);
        assert_eq!(syzygy.wdl(position.board()), Some(number(wdl)), "{line}");
        assert_eq!(syzygy.dtz(position.board()), Some(number(dtz)), "{line}");
        compared += 1;
    }
    assert_eq!(compared, 2000);
    assert_eq!(syzygy.take_problems(), Vec::<String>::new());
}

#[test]
fn rank_moves_of_a_win_keeps_the_win_before_the_fifty_move_rule() {
    let Some(directory) = real_tables() else { return };
    let syzygy = open(&directory);
    let probing = Probing::default();
    let win = Score::table_win(Ply::ROOT);
    let best_scores = |text: &str| {
        let game = position(text);
        let moves = game.moves();
        let ranked = syzygy.rank_moves(&game, &moves, &probing).unwrap();
        assert!(ranked.ensures_progress);
        let (rank, score) = ranked.moves.iter().copied().max().unwrap();
        let best = ranked.moves.iter().zip(&moves).filter(|((other, _), _)| *other == rank);
        (score, best.map(|(_, &mv)| game.move_text(mv)).collect::<Vec<_>>())
    };
    // KQvKR: every winning move is best while there is time.
    let (score, many) = best_scores("8/8/8/3k4/8/3r4/8/KQ6 w - - 0 1");
    assert!(score == win && !many.is_empty());
    // Only promotion to a queen wins here: the rest draws.
    assert_eq!(best_scores("8/3P4/8/8/8/8/4r3/K2k4 w - - 0 1").0, win);
    // The clock is at 99: only a mate or a zeroing move wins.
    let (score, moves) = best_scores("7k/8/5KQ1/8/8/8/8/8 w - - 99 120");
    assert_eq!((score, moves), (win, vec!["g6g7".to_string()]));
    // At 98 a win in two moves comes too late, and the fifty-move rule draws.
    let (score, _) = best_scores("8/8/8/3k4/8/8/8/R3K3 w - - 98 120");
    assert!(!score.is_decisive() && score >= Score::ZERO);
}

#[test]
fn probe_needs_the_material_and_a_clock_of_zero() {
    let directory = Directory::new();
    directory.write("KRvK.rtbw", &krk(Kind::Wdl, 4, 0));
    let syzygy = directory.open();
    let probing = Probing::default();
    assert_eq!(syzygy.summary().unwrap(), "1 WDL and 0 DTZ tables for up to 3 pieces");
    assert_eq!(probe(&syzygy, WHITE_TO_MOVE, &probing), Some(TableResult::Win));
    assert_eq!(probe(&syzygy, BLACK_TO_MOVE, &probing), Some(TableResult::Loss));
    // The colours exchanged.
    assert_eq!(probe(&syzygy, "r3k3/8/8/8/3K4/8/8/8 b - - 0 1", &probing), Some(TableResult::Win));
    // A capture is better than the table says.
    assert_eq!(
        probe(&syzygy, "8/8/8/8/8/8/1k6/R3K3 b - - 0 1", &probing),
        Some(TableResult::Draw(Score::ZERO))
    );
    for other in [
        "8/8/8/3k4/8/8/8/R3K3 w - - 1 1",
        "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1",
        "8/8/8/3k4/8/8/8/R3K2R w - - 0 1",
        "8/8/8/3k4/8/8/8/R3K3 w Q - 0 1",
    ] {
        assert_eq!(probe(&syzygy, other, &probing), None, "{other}");
    }
    let shallow = Probing { min_depth: Depth::new(6), ..probing };
    assert_eq!(probe(&syzygy, WHITE_TO_MOVE, &shallow), None);
    assert_eq!(probe(&syzygy, WHITE_TO_MOVE, &Probing { max_pieces: 2, ..probing }), None);
    assert_eq!(syzygy.take_problems(), Vec::<String>::new());
}

#[test]
fn spoilt_results_are_draws_unless_the_fifty_move_rule_is_off() {
    let directory = Directory::new();
    directory.write("KRvK.rtbw", &krk(Kind::Wdl, 3, 1));
    directory.write("KRvK.rtbz", &krk(Kind::Dtz, 0, 0));
    let syzygy = directory.open();
    let (with_rule, without) = (Probing::default(), Probing { fifty_move_rule: false, ..Probing::default() });
    for (text, spoilt, real) in [(WHITE_TO_MOVE, 1, TableResult::Win), (BLACK_TO_MOVE, -1, TableResult::Loss)]
    {
        assert_eq!(probe(&syzygy, text, &with_rule), Some(TableResult::Draw(Score::new(spoilt))));
        assert_eq!(probe(&syzygy, text, &without), Some(real));
    }
    let game = position(WHITE_TO_MOVE);
    let best =
        |probing| syzygy.rank_moves(&game, &game.moves(), probing).unwrap().moves.into_iter().max().unwrap();
    assert_eq!(best(&with_rule).1, Score::new(1));
    assert_eq!(best(&without).1, Score::table_win(Ply::ROOT));
}

#[test]
fn rank_moves_without_distances_ranks_by_results() {
    let directory = Directory::new();
    directory.write("KRvK.rtbw", &krk(Kind::Wdl, 4, 0));
    let syzygy = directory.open();
    // The king takes the rook on three squares.
    let game = position("8/8/8/8/8/1k6/8/R3K3 w - - 7 9");
    let moves = game.moves();
    let ranked = syzygy.rank_moves(&game, &moves, &Probing::default()).unwrap();
    assert!(!ranked.ensures_progress);
    for (&mv, &found) in moves.iter().zip(&ranked.moves) {
        let text = game.move_text(mv);
        let loses_rook = ["a1a2", "a1a3", "a1a4"].contains(&text.as_str());
        let expected = if loses_rook { (0, Score::ZERO) } else { (WIN, Score::table_win(Ply::ROOT)) };
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn damaged_files_give_one_line_and_no_result() {
    let check = |files: &[(&str, Vec<u8>)], expected: &str| {
        let directory = Directory::new();
        files.iter().for_each(|(name, bytes)| directory.write(name, bytes));
        let syzygy = directory.open();
        assert_eq!(probe(&syzygy, WHITE_TO_MOVE, &Probing::default()), None, "{expected}");
        let problems = syzygy.take_problems();
        assert!(problems.len() == 1 && problems[0].contains(expected), "{problems:?}, expected {expected}");
        assert!(problems[0].ends_with("searching without it"));
        assert_eq!(syzygy.take_problems(), Vec::<String>::new());
    };
    let valid = krk(Kind::Wdl, 4, 0);
    let changed = |at: usize, byte: u8| {
        let mut bytes = valid.clone();
        bytes[at] = byte;
        vec![("KRvK.rtbw", bytes)]
    };
    check(&[("KRvK.rtbw", Vec::new())], "expected at least 4 bytes, found 0");
    check(
        &[("KRvK.rtbw", b"PGN file".repeat(10))],
        "expected the first bytes [71, e8, 23, 5d], found [50, 47",
    );
    check(&[("KRvK.rtbw", valid[..79].to_vec())], "expected a multiple of 64 bytes plus 16, found 79 bytes");
    check(&[("KRvK.rtbw", valid[..16].to_vec())], "expected at least");
    check(&[("KRvK.rtbw", krk(Kind::Wdl, 9, 0))], "expected a result from 0 to 4, found other data");
    check(&changed(4, 0), "expected values of both sides");
    check(&changed(6, 0), "expected the pieces of the file's name");
    // A dictionary of zeros in place of the single value.
    check(&changed(10, 0), "expected sizes of blocks within the limits");
}

#[test]
fn foreign_files_are_no_tables() {
    let directory = Directory::new();
    for name in ["readme.txt", "KRvK.rtbz", "KRvK.rtbw.part", "KXvK.rtbw", ".rtbw", "vK.rtbw"] {
        directory.write(name, b"x");
    }
    assert_eq!(directory.open().summary(), None);
}

#[test]
fn tables_with_random_damage_never_panic() {
    let directory = Directory::new();
    let mut random = SplitMix64::new(1);
    let mut sources = vec![("KRvK", krk(Kind::Wdl, 4, 0), krk(Kind::Dtz, 0, 0))];
    if let Some(real) = real_tables() {
        for name in ["KRvK", "KPvKP", "KNNvK"] {
            let read = |extension| std::fs::read(real.join(format!("{name}{extension}"))).unwrap();
            sources.push((name, read(".rtbw"), read(".rtbz")));
        }
    }
    let games = [
        WHITE_TO_MOVE,
        BLACK_TO_MOVE,
        "8/2p5/8/3k4/8/4P3/3K4/8 w - - 0 1",
        "8/2p5/8/3k4/8/4P3/3K4/8 b - - 0 1",
        "8/8/8/3k4/8/7N/3KN3/8 w - - 0 1",
    ]
    .map(position);
    for (name, wdl, dtz) in sources {
        for round in 0..200 {
            for (kind, bytes) in [(Kind::Wdl, &wdl), (Kind::Dtz, &dtz)] {
                let mut bytes = bytes.clone();
                // The header has most of what can go wrong.
                let end = if round % 2 == 0 { bytes.len().min(400) } else { bytes.len() };
                for _ in 0..1 + random.next() % 8 {
                    let at = 4 + random.next() as usize % (end - 4);
                    bytes[at] = random.next() as u8;
                }
                if round % 5 == 0 {
                    bytes.truncate(random.next() as usize % bytes.len() / 64 * 64 + 16);
                }
                directory.write(&format!("{name}{}", kind.extension()), &bytes);
            }
            let syzygy = directory.open();
            for game in &games {
                let _ = syzygy.probe(game, Depth::ONE, &Probing::default());
                let _ = syzygy.rank_moves(game, &game.moves(), &Probing::default());
            }
            assert!(syzygy.take_problems().len() <= 1);
        }
    }
}
