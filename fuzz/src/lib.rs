//! What the fuzzers do with bytes: one function for each target, which panics where something is wrong.
//!
//! `make fuzz` runs them under libFuzzer; `tests/fuzz.rs` puts every input of `corpus/` through the same functions.

use duiyi::data::{Blocks, Header, Reader, Record, Writer};
use duiyi::game::{Evaluator, Game, Heuristics, Notation, NotationOptions, conformance};
use duiyi::games::chess::{Classical, Position};
use duiyi::games::tictactoe::{OpenLines, TicTacToe};
use duiyi::games::tree::{Tree, ZeroEval};
use duiyi::games::triangle_war::{ScoreDifference, TriangleWar};
use duiyi::protocol::{self, Command};
use duiyi::server::{self, Connection, registry};
use duiyi::tools::solve::SolveError;
use duiyi::tools::{epd, pgn};
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

/// Takes any bytes.
pub type Target = fn(&[u8]);

/// Every target under its name.
pub const TARGETS: [(&str, Target); 8] = [
    ("protocol", protocol),
    ("fen", fen),
    ("game", game),
    ("session", session),
    ("data", data),
    ("judge", judge),
    ("epd", epd),
    ("pgn", pgn),
];

/// Moves that are played at random behind a position.
const PLIES: usize = 2;

/// One line: a command that is written is read back, and messages about the line stay short.
pub fn protocol(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match protocol::parse(&text) {
        Ok(None) => {}
        Ok(Some(parsed)) => {
            assert!(parsed.warnings.iter().all(|warning| warning.len() < 800));
            let again = protocol::parse(&parsed.command.to_string()).unwrap().unwrap();
            assert_eq!((again.command, again.warnings.len()), (parsed.command, 0));
        }
        Err(error) => assert!(error.to_string().len() < 800),
    }
}

/// A FEN: what is read is a position by the common suite, with the legal moves that an independent library
/// finds wherever that one takes the position.
pub fn fen(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(parsed) = Position::parse_position(&text) else { return };
    check::<Position, Classical>(&parsed.game, input);
    let shredder = parsed.game.position_text(NotationOptions { chess960: true });
    let Ok(board) = cozy_chess::Board::from_fen(&shredder, true) else { return };
    let mut expected = Vec::new();
    board.generate_moves(|moves| {
        expected.extend(moves.into_iter().map(|mv| mv.to_string()));
        false
    });
    let moves = parsed.game.moves();
    let mut moves: Vec<String> =
        moves.iter().map(|&mv| parsed.game.move_text(mv, NotationOptions { chess960: true })).collect();
    moves.sort();
    expected.sort();
    assert_eq!(moves, expected, "{shredder}");
}

/// The number of a game, a position of it and moves: what is read is a position by the common suite.
pub fn game(input: &[u8]) {
    let Some((&number, rest)) = input.split_first() else { return };
    match number % 5 {
        0 => moves::<Position, Classical>(rest),
        1 => moves::<TicTacToe<3>, OpenLines>(rest),
        2 => moves::<TicTacToe<4>, OpenLines>(rest),
        3 => moves::<TriangleWar, ScoreDifference>(rest),
        _ => moves::<Tree, ZeroEval>(rest),
    }
}

fn moves<G: Heuristics + Notation, E: Evaluator<G>>(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (position, moves) = text.split_once(" moves ").unwrap_or((&text, ""));
    let mut game = match position {
        "startpos" => G::start(),
        text => match G::parse_position(text) {
            Ok(parsed) => parsed.game,
            Err(_) => return,
        },
    };
    for text in moves.split(' ') {
        let Ok(mv) = game.parse_move(text) else { break };
        assert!(game.is_legal(mv), "{text} was read and is not legal");
        game.play(mv);
    }
    check::<G, E>(&game, input);
}

fn check<G: Heuristics + Notation, E: Evaluator<G>>(game: &G, input: &[u8]) {
    let seed = input.iter().fold(0, |seed: u64, &byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    conformance::check(game, 1, PLIES, seed);
    conformance::check_evaluation::<G, E>(game, 1, PLIES, seed);
    assert!(!game.diagram().is_empty());
}

/// A file of games, the bytes of a game whose checksum is right, and a game that could be read: written, it is
/// read as the same.
pub fn data(input: &[u8]) {
    if let Ok(blocks) = Blocks::new(input) {
        blocks.for_each(drop);
    }
    let Some((&number, rest)) = input.split_first() else { return };
    match number % 5 {
        0 => record::<Position>(rest),
        1 => record::<TicTacToe<3>>(rest),
        2 => record::<TicTacToe<4>>(rest),
        3 => record::<TriangleWar>(rest),
        _ => record::<Tree>(rest),
    }
}

fn record<G: Notation>(input: &[u8]) {
    let mut file = Vec::new();
    let header = Header { variant: G::VARIANT.into(), settings: String::new() };
    let mut writer = Writer::new(&mut file, &header).unwrap();
    writer.push(input, u32::from(input.len() as u8)).unwrap();
    writer.finish().unwrap();
    for game in Reader::<_, G>::new(&file[..]).unwrap().flatten() {
        game.replay(|sample| assert!(sample.position.is_legal(sample.mv)));
        let text = |game: &Record<G>| game.start.position_text(NotationOptions { chess960: true });
        let parts =
            |game: &Record<G>| (game.start_index, game.moves.clone(), game.scores.clone(), game.outcome);
        let bytes = game.encode().unwrap();
        let (again, length) = Record::<G>::decode(&bytes).unwrap();
        assert_eq!((text(&again), length), (text(&game), bytes.len()));
        assert_eq!((parts(&again), again.termination), (parts(&game), game.termination));
    }
}

/// A judge's input: an answer or a reason.
pub fn judge(input: &[u8]) {
    let Some((&number, rest)) = input.split_first() else { return };
    let (_, solver) = registry::JUDGE_PROBLEMS[usize::from(number) % registry::JUDGE_PROBLEMS.len()];
    if let Err(error) = solver(&String::from_utf8_lossy(rest)) {
        assert!(matches!(error, SolveError::Input { .. }), "{error}");
    }
}

/// A line of a collection of problems: a position and operations, whose moves are legal.
pub fn epd(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok((position, rest)) = epd::position::<Position>(&text) else { return };
    for operation in epd::operations(rest).into_iter().flatten() {
        for mv in operation.operands.iter().filter_map(|text| position.parse_san(text).ok()) {
            assert!(position.is_legal(mv), "{text}: {mv:?} was read and is not legal");
        }
    }
}

/// Games in PGN: one that could be read is read as the same after it was written.
pub fn pgn(input: &[u8]) {
    for game in pgn::read::<Position>(&String::from_utf8_lossy(input)).into_iter().flatten() {
        let (mut writer, mut position) = (pgn::Writer::new(&game.tags), game.start.clone());
        for &mv in &game.moves {
            let (side, san) = (position.side_to_move(), position.san_text(mv));
            position.play(mv);
            writer.play(side, &san, position.side_to_move());
        }
        let text = writer.finish(&game.result);
        let again = match &pgn::read::<Position>(&text)[..] {
            [Ok(again)] => again.clone(),
            other => panic!("{text}: {other:?}"),
        };
        let parts = |game: &pgn::Game<Position>| (game.tags.clone(), game.moves.clone(), game.result.clone());
        assert_eq!(parts(&again), parts(&game), "{text}");
        assert_eq!(
            again.start.position_text(NotationOptions::default()),
            game.start.position_text(NotationOptions::default())
        );
    }
}

/// What the server says, for whoever keeps the other end.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Lines of a whole session.
const LINES: usize = 60;

/// A whole session: every `go` is answered by one `bestmove`, `isready` and `uci` by their words, and nothing
/// fails. After a `quit` nobody waits for what is still missing.
pub fn session(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let lines: Vec<String> = text.lines().take(LINES).filter_map(bounded).collect();
    let said = Said::default();
    let link = Connection::new(Cursor::new(lines.join("\n")), said.clone()).unwrap();
    server::run(link, None, None).unwrap();
    let said = said.0.lock().unwrap();
    let said = std::str::from_utf8(&said).unwrap();
    assert!(!said.contains("info string error"), "{lines:#?}\n{said}");

    let parsed = lines.iter().filter_map(|line| protocol::parse(line).ok().flatten());
    let commands: Vec<Command> = parsed.map(|parsed| parsed.command).collect();
    let quit = commands.iter().position(|command| *command == Command::Quit);
    let asked = &commands[..quit.unwrap_or(commands.len())];
    let check = |question: fn(&Command) -> bool, answer: &str| {
        let questions = asked.iter().filter(|command| question(command)).count();
        let answers = said.lines().filter(|line| line.split(' ').next() == Some(answer)).count();
        assert!(
            answers == questions || quit.is_some() && answers < questions,
            "{questions} questions for {answer}: {lines:#?}\n{said}"
        );
    };
    check(|command| *command == Command::IsReady, "readyok");
    check(|command| *command == Command::Uci, "uciok");
    check(|command| matches!(command, Command::Go(_)), "bestmove");
}

/// `line` as it may be said here: searches get a limit, and nothing writes files, takes much memory or much time.
fn bounded(line: &str) -> Option<String> {
    const NODES: u32 = 300;
    let Ok(Some(parsed)) = protocol::parse(line) else { return Some(line.into()) };
    match parsed.command {
        Command::Go(_) => Some(format!("{line} nodes {NODES}")),
        Command::Perft(depth) => Some(Command::Perft(depth.min(2)).to_string()),
        Command::Bench { .. } | Command::GenFens { .. } => None,
        Command::SetOption { name, value } => {
            let number = value.unwrap_or_default().parse().unwrap_or(0);
            let is = |option: &str| name.eq_ignore_ascii_case(option);
            let much = is("Hash") && number > 4 || is("Threads") && number > 3;
            let writes = is("Debug Log File") || is("Search Log File");
            (!much && !writes).then(|| line.into())
        }
        _ => Some(line.into()),
    }
}
