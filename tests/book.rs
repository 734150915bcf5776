//! Opening books: made from games by `duiyi book`, played from by the options OwnBook, BookFile and BookDepth.

use crate::common::process::{Engine, TempDir, info_strings, run};
use duiyi::data::Book;
use duiyi::game::{Game, Notation};
use duiyi::games::chess::Position;
use std::path::Path;

const PGN: &str =
    "1. e4 e5 2. Nf3 1-0\n\n[Event \"2\"]\n\n1. e4 e5 2. Nf3 1/2-1/2\n\n[Event \"3\"]\n\n1. e4 Ke7 0-1\n";

/// The book that `duiyi book` makes of `pgn` with `options`.
fn book(name: &str, pgn: &str, options: &[&str]) -> Book {
    let directory = TempDir::new(name);
    let book = directory.path("book.bin");
    let (code, _, stderr) = run(&[&["book", "-", "--out", &book], options].concat(), pgn.as_bytes());
    assert_eq!(code, 0, "{stderr}");
    Book::open(Path::new(&book)).unwrap()
}

/// The moves of `book` after `moves`, with their weights.
fn moves_in(book: &Book, moves: &[&str]) -> Vec<(String, u16)> {
    let mut game = Position::start();
    for text in moves {
        game.play(game.parse_move(text).unwrap());
    }
    book.moves(&game).into_iter().map(|(mv, weight)| (game.san_text(mv), weight)).collect()
}

#[test]
fn weights_are_points_and_moves_without_points_are_left_out() {
    let pgn = "1. e4 e5 2. Nf3 1-0\n\n[Event \"2\"]\n\n1. e4 c5 1/2-1/2\n\n[Event \"3\"]\n\n1. d4 d5 0-1\n\n\
               [Event \"4\"]\n\n1. e4 e5 *\n";
    let all = book("weights", pgn, &["--min-games", "1"]);
    assert_eq!(moves_in(&all, &[]), [("e4".into(), 3)]);
    assert_eq!(moves_in(&all, &["e2e4"]), [("c5".into(), 1)]);
    assert_eq!(moves_in(&all, &["d2d4"]), [("d5".into(), 2)]);
    assert_eq!(moves_in(&all, &["e2e4", "e7e5"]), [("Nf3".into(), 2)]);
    assert_eq!(moves_in(&book("plies", pgn, &["--min-games", "1", "--max-ply", "1"]), &["e2e4"]), []);
    let common = book("uniform", pgn, &["--min-games", "2", "--uniform"]);
    assert_eq!((moves_in(&common, &[]), common.len()), (vec![("e4".into(), 1)], 1));
}

/// An engine with a book of the games above, from moves that two games played.
fn engine_with_book(directory: &TempDir) -> Engine {
    let (pgn, book) = (directory.path("games.pgn"), directory.path("book.bin"));
    std::fs::write(&pgn, PGN).unwrap();
    let (code, stdout, stderr) = run(&["book", &pgn, "--out", &book, "--min-games", "2"], b"");
    assert_eq!((code, stdout.as_str()), (0, format!("{book}: 3 moves from 2 games, 1 skipped\n").as_str()));
    assert!(stderr.contains("games.pgn, line ") && stderr.contains("game skipped"), "{stderr}");
    let mut engine = Engine::start(&[]);
    engine.send(&format!("setoption name BookFile value {book}\nsetoption name OwnBook value true"));
    assert_eq!(info_strings(&engine.sync()), ["option BookFile: found 3 moves"]);
    engine
}

/// Whether `go` is answered from the book, and with which move.
fn answer(engine: &mut Engine, commands: &str, go: &str) -> (bool, String) {
    engine.send(commands);
    engine.send(go);
    let lines = engine.lines_until("bestmove ");
    let from_book = info_strings(&lines).iter().any(|text| text.starts_with("book move, weight "));
    assert_eq!(from_book, !lines.iter().any(|line| line.starts_with("info depth")), "{lines:?}");
    (from_book, lines[lines.len() - 1].clone())
}

#[test]
fn engine_plays_from_book_and_searches_elsewhere() {
    let directory = TempDir::new("book");
    let mut engine = engine_with_book(&directory);
    for (moves, expected) in [("", "e2e4"), ("moves e2e4", "e7e5"), ("moves e2e4 e7e5", "g1f3")] {
        let (from_book, line) = answer(&mut engine, &format!("position startpos {moves}"), "go depth 2");
        assert_eq!((from_book, line), (true, format!("bestmove {expected}")));
    }
    for (commands, go) in [
        ("position startpos moves d2d4", "go depth 2"),
        ("position startpos", "go depth 2 searchmoves e2e4"),
        ("position startpos", "go depth 2 mate 1"),
        ("setoption name UCI_AnalyseMode value true\nposition startpos", "go depth 2"),
        (
            "setoption name UCI_AnalyseMode value false\nsetoption name BookDepth value 1\nposition startpos moves e2e4 e7e5",
            "go depth 2",
        ),
        ("setoption name OwnBook value false\nposition startpos", "go depth 2"),
    ] {
        assert!(!answer(&mut engine, commands, go).0, "{commands}, {go}");
    }
}

#[test]
fn file_that_is_no_book_is_refused_and_the_former_stays() {
    let directory = TempDir::new("no-book");
    let mut engine = engine_with_book(&directory);
    let [pgn, missing, unsorted] = ["games.pgn", "missing", "unsorted"].map(|name| directory.path(name));
    std::fs::write(&unsorted, [[9; 16], [8; 16]].concat()).unwrap();
    for (path, error) in [
        (&pgn, format!("expected entries of 16 bytes, found {} bytes", PGN.len())),
        (&missing, "No such file or directory".into()),
        (&unsorted, "expected entries sorted by key, found a smaller key in entry 2".into()),
    ] {
        engine.send(&format!("setoption name BookFile value {path}"));
        let replies = engine.sync();
        let messages = info_strings(&replies);
        assert!(messages.len() == 1 && messages[0].contains(&error), "{replies:?}");
        assert!(messages[0].ends_with(", value not changed"), "{replies:?}");
    }
    assert!(answer(&mut engine, "position startpos", "go depth 2").0);
    engine.send("setoption name BookFile value");
    assert!(!answer(&mut engine, "position startpos", "go depth 2").0);
}

#[test]
fn book_depth_counts_the_moves_before_a_fen() {
    let directory = TempDir::new("book-fen");
    let mut engine = engine_with_book(&directory);
    engine.send("setoption name BookDepth value 1");
    let after =
        |number| format!("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {number}");
    assert!(answer(&mut engine, &after(1), "go depth 2").0);
    assert!(!answer(&mut engine, &after(2), "go depth 2").0);
}

#[test]
fn book_whose_weights_sum_to_more_than_32_bits_is_played_from() {
    let directory = TempDir::new("book-weights");
    let key = u64::from_str_radix("463b96181691fc9c", 16).unwrap().to_be_bytes();
    // e2e4, with the largest weight.
    let entry = [&key[..], &[0x03, 0x1C, 0xFF, 0xFF, 0, 0, 0, 0]].concat();
    let book = directory.file("book.bin", entry.repeat(70_000));
    let mut engine = Engine::start(&[]);
    engine.send(&format!("setoption name BookFile value {book}\nsetoption name OwnBook value true"));
    engine.send("go depth 1");
    let lines = engine.lines_until("bestmove ");
    let weights = "book move, weight 65535 of 4587450000";
    assert!(info_strings(&lines).contains(&weights), "{lines:?}");
}
