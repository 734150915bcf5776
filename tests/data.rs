//! Training files: round trips, truncated files, corrupt files, resumed files.

use crate::common::process::TempDir;
use duiyi::data::{Blocks, GameRecord, Header, ReadError, Reader, Termination, Writer};
use duiyi::game::{Move, Notation, Outcome, Score, Side, SplitMix64};
use duiyi::games::chess::Position;
use duiyi::games::tree::Tree;
use duiyi::games::triangle_war::TriangleWar;
use duiyi::variants::{self, with_game};
use proptest::prelude::*;

fn random_below(random: &mut SplitMix64, count: usize) -> usize {
    (random.next() % count as u64) as usize
}

/// A random game of at most `plies` plies with random scores, mates among them.
fn random_record<G: Notation>(initial: &G, random: &mut SplitMix64, plies: usize) -> GameRecord<G> {
    let number = random_below(random, G::START_COUNT as usize + 1) as u32;
    let numbered = initial.start_position(number);
    let number = numbered.is_some().then_some(number);
    let start = numbered.unwrap_or_else(|| {
        let mut start = initial.clone();
        for _ in 0..random_below(random, 4) {
            let moves = start.moves();
            if !moves.is_empty() {
                start.play(moves[random_below(random, moves.len())]);
            }
        }
        // Parsed again, so that it has no earlier moves: a file stores none.
        initial.parse_position(&start.record_text()).unwrap().game
    });
    let (mut game, mut moves, mut scores) = (start.clone(), Vec::new(), Vec::new());
    let opening = random_below(random, 10);
    for ply in 0..random_below(random, plies + 1) {
        let legal = game.moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[random_below(random, legal.len())];
        if ply >= opening {
            let score = match random_below(random, 10) {
                0 => Score::MATE - random_below(random, 200) as i32,
                1 => -Score::MATE + random_below(random, 200) as i32,
                _ => Score::new(random_below(random, 400) as i32 - 200),
            };
            scores.push(score);
        }
        moves.push(mv);
        game.play(mv);
    }
    let outcome = match random_below(random, 4) {
        0 => Outcome::Draw,
        1 => Outcome::Win(Side::White),
        2 => Outcome::Win(Side::Black),
        _ => Outcome::Points(random_below(random, 100_000) as i32 - 50_000),
    };
    let termination =
        [Termination::Rules, Termination::Adjudicated, Termination::PlyLimit][random_below(random, 3)];
    GameRecord { start, start_index: number, moves, scores, outcome, termination }
}

fn header<G: Notation>(start: &G) -> Header {
    Header { variant: start.variant().into(), settings: "a test".into() }
}

fn write<G: Notation>(start: &G, records: &[GameRecord<G>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &header(start)).unwrap();
    for record in records {
        writer.push(&record.encode().unwrap(), record.scores.len() as u32).unwrap();
    }
    let totals = writer.finish().unwrap();
    assert_eq!(totals.bytes, bytes.len() as u64);
    bytes
}

fn are_equal<G: Notation>(one: &GameRecord<G>, two: &GameRecord<G>) -> bool {
    let text = |record: &GameRecord<G>| record.start.record_text();
    text(one) == text(two)
        && (one.start_index, &one.moves, &one.scores) == (two.start_index, &two.moves, &two.scores)
        && (one.outcome, one.termination) == (two.outcome, two.termination)
}

fn check_round_trip<G: Notation>(start: &G, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let records: Vec<GameRecord<G>> = (0..120).map(|_| random_record(start, &mut random, 200)).collect();
    let bytes = write(start, &records);
    let mut reader = Reader::new(&bytes[..], start.clone()).unwrap();
    assert_eq!(reader.header(), &header(start));
    for record in &records {
        let read = reader.next().unwrap().unwrap();
        assert!(are_equal(record, &read), "expected the record that was written, found another");
        let mut samples = 0;
        read.replay(|sample| {
            let white = sample.position.side_to_move() == Side::White;
            assert_eq!(sample.score, record.scores[samples]);
            assert_eq!(sample.white_score(), if white { sample.score } else { -sample.score });
            assert!(sample.position.is_legal(sample.mv));
            samples += 1;
        });
        assert_eq!(samples, record.scores.len());
    }
    assert!(reader.next().is_none());
    let totals = reader.totals();
    let positions: usize = records.iter().map(|record| record.scores.len()).sum();
    assert_eq!((totals.games, totals.positions, totals.bytes), (120, positions as u64, bytes.len() as u64));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn records_of_every_variant_round_trip(seed: u64) {
        for name in variants::NAMES {
            with_game!(name, |start| check_round_trip(&start, seed)).unwrap();
        }
    }

    /// Arbitrary bytes, with and without a valid header before them, cause errors but no panic.
    #[test]
    fn arbitrary_bytes_do_not_panic_reader(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = GameRecord::decode(&Position::start(), &bytes);
        let _ = GameRecord::decode(&TriangleWar::start(), &bytes);
        let _ = GameRecord::decode(&Tree::start(), &bytes);
        prop_assert!(Blocks::new(&bytes[..]).is_err());
        let mut file = write(&Position::start(), &[]);
        file.extend(&bytes);
        prop_assert!(bytes.is_empty() || Blocks::new(&file[..]).unwrap().any(|block| block.is_err()));
    }
}

/// Records that were corrupted before their checksum was computed: each is read as another game or as an error.
#[test]
fn corrupt_record_with_valid_checksum_does_not_panic() {
    let (mut random, mut errors) = (SplitMix64::new(23), 0);
    for _ in 0..3000 {
        let record = random_record(&Position::start(), &mut random, 60);
        let mut game = record.encode().unwrap();
        for _ in 0..=random_below(&mut random, 3) {
            let at = random_below(&mut random, game.len());
            game[at] = random.next() as u8;
        }
        game.truncate(1 + random_below(&mut random, 2 * game.len()));
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, &header(&Position::start())).unwrap();
        writer.push(&game, record.scores.len() as u32).unwrap();
        writer.finish().unwrap();
        let games: Vec<_> = Reader::new(&bytes[..], Position::start()).unwrap().collect();
        errors += usize::from(games.iter().any(|game| game.is_err()));
        games.iter().flatten().for_each(|record| record.replay(|_| ()));
    }
    assert!((1000..3000).contains(&errors), "{errors} errors");
}

fn sample_file(games: usize) -> Vec<u8> {
    let mut random = SplitMix64::new(7);
    let records: Vec<GameRecord<Position>> =
        (0..games).map(|_| random_record(&Position::start(), &mut random, 150)).collect();
    write(&Position::start(), &records)
}

#[test]
fn flipped_bit_is_detected() {
    let bytes = sample_file(150);
    let (whole, mut random) = (Blocks::new(&bytes[..]).unwrap().count(), SplitMix64::new(3));
    assert!(whole > 1);
    for _ in 0..400 {
        let mut damaged = bytes.clone();
        let at = random_below(&mut random, bytes.len());
        damaged[at] ^= 1 << random_below(&mut random, 8);
        let found = match Reader::new(&damaged[..], Position::start()) {
            Ok(mut reader) => reader.find_map(Result::err),
            Err(error) => Some(error),
        };
        assert!(found.is_some(), "expected an error for a flipped bit in byte {at}, found none");
    }
}

#[test]
fn truncated_file_yields_whole_blocks_then_error() {
    let bytes = sample_file(150);
    let blocks: Vec<_> = Blocks::new(&bytes[..]).unwrap().map(Result::unwrap).collect();
    let mut random = SplitMix64::new(5);
    for _ in 0..200 {
        let length = random_below(&mut random, bytes.len());
        let Ok(read) = Blocks::new(&bytes[..length]) else {
            assert!(length < blocks[0].offset as usize);
            continue;
        };
        let read: Vec<_> = read.collect();
        let whole = blocks.iter().filter(|block| block.offset as usize + 20 + block.payload.len() <= length);
        let whole = whole.count();
        assert_eq!(read.iter().filter(|block| block.is_ok()).count(), whole);
        let is_truncated = blocks.get(whole).is_some_and(|block| length > block.offset as usize);
        assert_eq!(matches!(read.last(), Some(Err(ReadError::Truncated { .. }))), is_truncated);
    }
}

#[test]
fn resumed_file_equals_uninterrupted_file() {
    let mut random = SplitMix64::new(11);
    let records: Vec<GameRecord<Position>> =
        (0..200).map(|_| random_record(&Position::start(), &mut random, 150)).collect();
    let whole = write(&Position::start(), &records);
    let directory = TempDir::new("resume");
    let file = directory.0.join("games");
    let refused = |settings: &str| {
        let header = Header { settings: settings.into(), ..header(&Position::start()) };
        matches!(Writer::resume(&file, &header), Err(ReadError::WrongFormat(_)))
    };
    for length in (0..60).map(|_| random_below(&mut random, whole.len())).chain([0, 5, whole.len()]) {
        std::fs::write(&file, &whole[..length]).unwrap();
        assert!(length < 100 || refused("another test"));
        let mut writer = Writer::resume(&file, &header(&Position::start())).unwrap();
        for record in &records[writer.totals().games as usize..] {
            writer.push(&record.encode().unwrap(), record.scores.len() as u32).unwrap();
        }
        writer.finish().unwrap();
        assert!(std::fs::read(&file).unwrap() == whole, "cut at {length}");
    }
    std::fs::write(&file, "a text").unwrap();
    assert!(refused("a test") && std::fs::read(&file).unwrap() == b"a text");
    // A file that was finished early, so that its last block is not full.
    std::fs::write(&file, write(&Position::start(), &records[..77])).unwrap();
    let mut writer = Writer::resume(&file, &header(&Position::start())).unwrap();
    assert_eq!(writer.totals().games, 77);
    for record in &records[77..] {
        writer.push(&record.encode().unwrap(), record.scores.len() as u32).unwrap();
    }
    writer.finish().unwrap();
    assert!(std::fs::read(&file).unwrap() == whole);
}

#[test]
fn second_writer_of_file_is_refused() {
    let directory = TempDir::new("locked");
    let file = directory.0.join("games");
    let header = header(&Position::start());
    let first = Writer::create(&file, &header).unwrap();
    let refused = Writer::resume(&file, &header);
    assert!(matches!(refused, Err(ReadError::Locked)), "{refused:?}");
    assert!(matches!(Writer::create(&file, &header), Err(ReadError::Io(_))));
    first.finish().unwrap();
    Writer::resume(&file, &header).unwrap().finish().unwrap();
}

/// The first version of `datagen` wrote headers without commit and evaluation.
#[test]
fn header_without_commit_is_read() {
    let settings = "duiyi 0.1.0 seed=12 nodes=200 hash=8 book=\"noob_3moves.epd\" random-plies=2..4 opening-score=300 \
                    win=1000x5 draw=8x12 from 80 max-plies=500";
    let header = Header { settings: settings.into(), ..header(&Position::start()) };
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &header).unwrap();
    let record = random_record(&Position::start(), &mut SplitMix64::new(1), 60);
    writer.push(&record.encode().unwrap(), record.scores.len() as u32).unwrap();
    writer.finish().unwrap();
    assert_eq!(bytes[..14], *b"\x89DUIYI\r\n\x01\0\x90\0ch");
    let mut reader = Reader::new(&bytes[..], Position::start()).unwrap();
    assert_eq!(reader.header(), &header);
    assert!(are_equal(&reader.next().unwrap().unwrap(), &record) && reader.next().is_none());
}

#[test]
fn invalid_record_is_refused() {
    let record = |moves: Vec<Move>, scores: usize| GameRecord::<Position> {
        start: Position::start(),
        start_index: Some(0),
        moves,
        scores: vec![Score::ZERO; scores],
        outcome: Outcome::Draw,
        termination: Termination::Rules,
    };
    let e2e4 = Position::start().parse_move("e2e4").unwrap();
    assert!(record(vec![e2e4], 1).encode().is_ok());
    assert!(record(vec![e2e4, e2e4], 1).encode().is_err());
    assert!(record(vec![e2e4], 2).encode().is_err());
    assert!(
        Reader::new(&write(&Position::start(), &[record(vec![e2e4], 1)])[..], TriangleWar::start()).is_err()
    );
}
