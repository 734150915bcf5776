//! The fuzz targets: one function for each target, which takes any bytes and panics if a check fails.
//!
//! `make fuzz` runs them with libFuzzer. `tests/fuzz.rs` runs them on every input in `corpus/`.

use duiyi::data::{Blocks, GameRecord, Header, Reader, Writer};
use duiyi::game::{Evaluator, Game, Move, Notation, OptionValues, Variant, conformance};
use duiyi::games::chess::{Evaluation, Position};
use duiyi::nnue::{Network, NetworkError};
use duiyi::protocol::{self, Command, FirstLine, Protocol};
use duiyi::server::{self, Connection};
use duiyi::tools::solve::{self, SolveError};
use duiyi::tools::{epd, pgn, records, sgf};
use duiyi::variants::{self, with_game};
use std::io::{Cursor, Write};
use std::sync::{Arc, LazyLock, Mutex};

/// A fuzz target.
pub type Target = fn(&[u8]);

/// Names and functions of all targets.
pub const TARGETS: [(&str, Target); 10] = [
    ("protocol", protocol),
    ("fen", fen),
    ("game", game),
    ("session", session),
    ("data", data),
    ("judge", judge),
    ("epd", epd),
    ("pgn", pgn),
    ("sgf", sgf),
    ("network", network),
];

/// Random plies that the conformance checks play after a position.
const PLIES: usize = 2;

/// One line of the protocol: a parsed command must round-trip, and messages must have fewer than 800 bytes.
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

/// A FEN: an accepted position must pass the conformance suite, and its legal moves must equal cozy-chess's if cozy-chess
/// accepts the position.
pub fn fen(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(parsed) = Position::start().parse_position(&text) else { return };
    check(&parsed.game, input);
    let shredder = parsed.game.record_text();
    let Ok(board) = cozy_chess::Board::from_fen(&shredder, true) else { return };
    let mut expected = Vec::new();
    board.generate_moves(|moves| {
        expected.extend(moves.into_iter().map(|mv| mv.to_string()));
        false
    });
    let mut game = parsed.game.clone();
    game.set_options(&OptionValues::from([("UCI_Chess960", 1)]));
    let moves = game.moves();
    let mut moves: Vec<String> = moves.iter().map(|&mv| game.move_text(mv)).collect();
    moves.sort();
    expected.sort();
    assert_eq!(moves, expected, "{shredder}");
}

/// A variant number, a position and moves: an accepted position must pass the conformance suite.
pub fn game(input: &[u8]) {
    let Some((&number, rest)) = input.split_first() else { return };
    with_game!(variant(number), |start| moves(start, rest)).unwrap();
}

/// The game that this byte of an input stands for.
fn variant(number: u8) -> &'static str {
    variants::NAMES[usize::from(number) % variants::NAMES.len()]
}

fn moves<G: Variant>(start: G, input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (position, moves) = text.split_once(" moves ").unwrap_or((&text, ""));
    let mut game = match position {
        "startpos" => start,
        text => match start.parse_position(text) {
            Ok(parsed) => parsed.game,
            Err(_) => return,
        },
    };
    for text in moves.split(' ') {
        let Ok(mv) = game.parse_move(text) else { break };
        assert!(game.is_legal(mv), "{text} was accepted but is not legal");
        game.play(mv);
    }
    check(&game, input);
}

fn check<G: Variant>(game: &G, input: &[u8]) {
    let seed = input.iter().fold(0, |seed: u64, &byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    conformance::check(game, 1, PLIES, seed);
    conformance::check_evaluation(game, None, 1, PLIES, seed);
    assert!(!game.diagram().is_empty());
}

/// A training file, and a record with a valid checksum: a record that can be read must round-trip.
pub fn data(input: &[u8]) {
    if let Ok(blocks) = Blocks::new(input) {
        blocks.for_each(drop);
    }
    let Some((&number, rest)) = input.split_first() else { return };
    with_game!(variant(number), |start| record(&start, rest)).unwrap();
}

fn record<G: Notation>(start: &G, input: &[u8]) {
    let mut file = Vec::new();
    let header = Header { variant: start.variant().into(), settings: String::new() };
    let mut writer = Writer::new(&mut file, &header).unwrap();
    writer.push(input, u32::from(input.len() as u8)).unwrap();
    writer.finish().unwrap();
    for game in Reader::new(&file[..], start.clone()).unwrap().flatten() {
        game.replay(|sample| assert!(sample.position.is_legal(sample.mv)));
        let text = |game: &GameRecord<G>| game.start.record_text();
        let parts =
            |game: &GameRecord<G>| (game.start_index, game.moves.clone(), game.scores.clone(), game.outcome);
        let bytes = game.encode().unwrap();
        let (again, length) = GameRecord::decode(start, &bytes).unwrap();
        assert_eq!((text(&again), length), (text(&game), bytes.len()));
        assert_eq!((parts(&again), again.termination), (parts(&game), game.termination));
    }
}

/// The input of an online judge problem: the solver must return an answer or an input error.
pub fn judge(input: &[u8]) {
    let Some((&number, rest)) = input.split_first() else { return };
    let (name, _) = solve::PROBLEMS[usize::from(number) % solve::PROBLEMS.len()];
    if let Err(error) = solve::solve(name, &String::from_utf8_lossy(rest)).unwrap() {
        assert!(matches!(error, SolveError::Input { .. }), "{error}");
    }
}

/// A line of an EPD file: moves in its operations that can be parsed must be legal.
pub fn epd(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok((position, rest)) = epd::position(&Position::start(), &text) else { return };
    for operation in epd::operations(rest).into_iter().flatten() {
        for mv in operation.operands.iter().filter_map(|text| position.parse_san(text).ok()) {
            assert!(position.is_legal(mv), "{text}: {mv:?} was accepted but is not legal");
        }
    }
}

/// Games in PGN: a game that can be read must round-trip.
pub fn pgn(input: &[u8]) {
    for game in pgn::read(&Position::start(), &String::from_utf8_lossy(input)).into_iter().flatten() {
        let (mut writer, mut position) = (pgn::MovetextWriter::new(&game.tags), game.start.clone());
        for &mv in &game.moves {
            let (side, san) = (position.side_to_move(), position.san_text(mv));
            position.play(mv);
            writer.play(side, &san, position.side_to_move());
        }
        let text = writer.finish(&game.result);
        let again = match &pgn::read(&Position::start(), &text)[..] {
            [Ok(again)] => again.clone(),
            other => panic!("{text}: {other:?}"),
        };
        let parts = |game: &pgn::Game<Position>| (game.tags.clone(), game.moves.clone(), game.result.clone());
        assert_eq!(parts(&again), parts(&game), "{text}");
        assert_eq!(again.start.position_text(), game.start.position_text());
    }
}

/// Games in SGF: the end of a game that can be read must be that of its record.
pub fn sgf(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    with_game!(sgf::VARIANT, |start| sgf_games(&start, &text)).unwrap();
}

fn sgf_games<G: Variant>(initial: &G, text: &str) {
    let end = |start: &G, moves: &[Move]| {
        let (mut position, mut played) = (start.clone(), Vec::new());
        for &mv in moves {
            played.push((position.side_to_move(), mv));
            position.play(mv);
        }
        (position, played)
    };
    for game in sgf::read(initial, text).into_iter().flatten() {
        let (position, played) = end(&game.start, &game.moves);
        let tags: Vec<_> = game.tags.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let record = records::record(&game.start, &played, &game.rules, &tags, None);
        let again = match &mut sgf::read(initial, &record)[..] {
            [Ok(again)] => again.clone(),
            other => panic!("expected one game, found {}: {record}", other.len()),
        };
        // The numbers of the moves differ where the first stones are those of a handicap.
        let shown =
            |position: &G| position.position_text().rsplit_once(' ').map(|(text, _)| text.to_string());
        assert_eq!(shown(&end(&again.start, &again.moves).0), shown(&position), "{record}");
    }
}

/// A shared buffer that collects the server's output.
#[derive(Clone, Default)]
struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Largest number of lines in a session.
const LINES: usize = 60;

/// A whole session in UCI: every `go` must get one `bestmove`, every `isready` one `readyok`, every `uci` one `uciok`, and the
/// server must report no internal error. After `quit`, replies may be missing. The first line may choose another protocol.
pub fn session(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let lines: Vec<String> = text.lines().take(LINES).filter_map(bounded).collect();
    match lines.iter().find_map(|line| Protocol::of_first_line(line)) {
        Some(Protocol::Gomocup) => return gomocup_session(&text),
        Some(Protocol::Ucci) => return ucci_session(&lines),
        Some(Protocol::Gtp) => return gtp_session(&lines),
        Some(Protocol::Uci | Protocol::Cyclone) | None => {}
    }
    let output = serve(&lines);
    assert!(!output.contains("info string error"), "{lines:#?}\n{output}");

    let parsed = lines.iter().filter_map(|line| protocol::parse(line).ok().flatten());
    let commands: Vec<Command> = parsed.map(|parsed| parsed.command).collect();
    let quit = commands.iter().position(|command| *command == Command::Quit);
    let commands_before_quit = &commands[..quit.unwrap_or(commands.len())];
    let check = |is_request: fn(&Command) -> bool, reply: &str| {
        let requests = commands_before_quit.iter().filter(|command| is_request(command)).count();
        let replies = output.lines().filter(|line| line.split(' ').next() == Some(reply)).count();
        assert!(
            replies == requests || quit.is_some() && replies < requests,
            "expected {requests} {reply}, found {replies}: {lines:#?}\n{output}"
        );
    };
    check(|command| *command == Command::IsReady, "readyok");
    check(|command| *command == Command::Uci, "uciok");
    check(|command| matches!(command, Command::Go(_)), "bestmove");
}

/// What the server writes for `lines`.
fn serve(lines: &[String]) -> String {
    let output = SharedBuffer::default();
    let connection = Connection::new(Cursor::new(lines.join("\n")), output.clone()).unwrap();
    server::run(connection, Box::new(FirstLine::or(Protocol::Uci.dialect())), None).unwrap();
    let bytes = output.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

/// A session in the Gomocup protocol: every line must be one of the protocol, every move must be on the board, and the server
/// must report no error of its own.
fn gomocup_session(text: &str) {
    // Searches of depth 1 and small tables.
    let is_bounded = |line: &&str| {
        let line = line.to_ascii_lowercase();
        !["timeout_turn", "max_memory"].iter().any(|key| line.contains(key))
    };
    let lines = text.lines().take(LINES).filter(is_bounded);
    let lines: Vec<String> = ["INFO timeout_turn 0"].into_iter().chain(lines).map(str::to_owned).collect();
    let output = serve(&lines);
    for line in output.lines() {
        let is_move = |text: &str| {
            let (x, y) = text.split_once(',')?;
            Some(x.parse::<u8>().ok()? < 20 && y.parse::<u8>().ok()? < 20)
        };
        let starts = ["ERROR ", "UNKNOWN ", "MESSAGE INFO ", "MESSAGE depth ", "name=\""];
        let is_known = ["OK", "SWAP"].contains(&line) || starts.iter().any(|start| line.starts_with(start));
        let are_moves = line.split(' ').all(|text| is_move(text) == Some(true));
        assert!(is_known || are_moves, "{line:?} in {lines:#?}\n{output}");
    }
}

/// A session in UCCI: every line must be one of the protocol, there must be a reply to every `go`, and the server must report
/// no internal error.
fn ucci_session(lines: &[String]) {
    let is_bounded = |line: &&String| {
        let line = line.to_ascii_lowercase();
        !["hash", "threads", "file"].iter().any(|option| line.contains(option))
    };
    let lines: Vec<String> = lines.iter().filter(is_bounded).cloned().collect();
    let output = serve(&lines);
    let words: Vec<&str> = output.lines().filter_map(|line| line.split(' ').next()).collect();
    let plain = ["d", "eval", "flip", "help", "perft"];
    let has_plain = lines.iter().any(|line| line.split_ascii_whitespace().any(|word| plain.contains(&word)));
    let known = ["id", "option", "ucciok", "readyok", "info", "bestmove", "nobestmove", "pophash", "bye"];
    assert!(has_plain || words.iter().all(|word| known.contains(word)), "{lines:#?}\n{output}");
    assert!(!output.contains("info message internal error"), "{lines:#?}\n{output}");
    let searches = lines.iter().filter(|line| line.split_ascii_whitespace().next() == Some("go")).count();
    let replies = words.iter().filter(|word| word.ends_with("bestmove")).count();
    assert!(has_plain || words.contains(&"bye") || replies >= searches, "{lines:#?}\n{output}");
}

/// A session in GTP without searches: every answer must begin with `=` or `?`, and the last line must have one.
fn gtp_session(lines: &[String]) {
    let is_left_out =
        |line: &&String| ["genmove", "analyze", "sgf", "setoption"].iter().any(|word| line.contains(word));
    let mut lines: Vec<String> = lines.iter().filter(|line| !is_left_out(line)).cloned().collect();
    lines.push("77 protocol_version".into());
    let output = serve(&lines);
    let has_quit = lines.iter().any(|line| line.contains("quit"));
    assert!(has_quit || output.ends_with("=77 2\n\n"), "{lines:#?}\n{output}");
    for answer in output.split_terminator("\n\n") {
        assert!(answer.starts_with(['=', '?']), "{answer:?} in {lines:#?}\n{output}");
    }
}

/// `line` with limits: searches get a node limit, and commands that write files or need much memory or time are dropped.
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
            let is_large = is("Hash") && number > 4 || is("Threads") && number > 3;
            let writes_file = is("Debug Log File") || is("Search Log File");
            (!is_large && !writes_file).then(|| line.into())
        }
        _ => Some(line.into()),
    }
}

/// The file of a network: any bytes, and the file of a network of random weights in which the input changes some bytes.
/// A network that is accepted must be written as the bytes that were read. Along random moves it must evaluate as with new
/// accumulators.
pub fn network(input: &[u8]) {
    static FILE: LazyLock<Vec<u8>> =
        LazyLock::new(|| Network::random::<Position, 64>(Position::start().variant(), 256, 1).to_bytes());
    if let Ok(network) = Network::from_bytes(input) {
        assert_eq!(network.to_bytes(), input);
    }
    let (moves, changes) = input.split_at(input.len() / 4);
    let mut file = FILE.clone();
    for &[a, b, c, value] in changes.as_chunks::<4>().0 {
        let index = u32::from_le_bytes([a, b, c, 0]) as usize % file.len();
        file[index] = value;
    }
    // Most changes need another checksum.
    if let Err(NetworkError::Checksum { expected, .. }) = Network::from_bytes(&file) {
        let start = file.len() - 4;
        file[start..].copy_from_slice(&expected.to_le_bytes());
    }
    let Ok(network) = Evaluation::read_network(&file) else { return };
    assert!(network.to_bytes() == file);
    let network = Arc::new(network);
    let mut game = Position::start();
    let mut incremental = Evaluation::new(Some(&network));
    for &byte in moves {
        let legal = game.moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[usize::from(byte) % legal.len()];
        incremental.before_move(&game, mv);
        game.play(mv);
        let mut fresh = Evaluation::new(Some(&network));
        assert_eq!(incremental.evaluate(&game), fresh.evaluate(&game));
    }
}
