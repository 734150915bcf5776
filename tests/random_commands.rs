//! 10,000 random commands for the real program, in a build with assertions and overflow checks: `cargo test` has both.
//! `DUIYI_SEED` chooses other commands, `DUIYI_COMMANDS` their number.

use crate::common::process::Engine;
use duiyi::game::{Notation, SplitMix64};
use duiyi::games::chess::Position;
use duiyi::variants::{self, with_game};

/// Commands of one process.
const SESSION: usize = 500;

/// Positions with castling, promotions, en passant, few moves, no moves and many moves; two are not valid.
const FENS: [&str; 9] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 99 80",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w GCgc - 0 1",
    "4k3/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1",
];

/// Values of options. Each appears with valid and with invalid ones.
const OPTIONS: [&str; 34] = [
    "Threads value 1",
    "Threads value 2",
    "Threads value 3",
    "Threads value 0",
    "Hash value 1",
    "Hash value 3",
    "Hash value -1",
    "Hash value 99999999999999999999",
    "MultiPV value 1",
    "MultiPV value 4",
    "MultiPV value 256",
    "Clear Hash",
    "Ponder value true",
    "Move Overhead value 0",
    "Move Overhead value 30",
    "UCI_Chess960 value true",
    "UCI_Chess960 value false",
    "UCI_ShowWDL value true",
    "UCI_AnalyseMode value true",
    "UCI_AnalyseMode value false",
    "UCI_LimitStrength value true",
    "UCI_LimitStrength value false",
    "UCI_Elo value 1500",
    "UCI_Elo value x",
    "Search Method value engine",
    "Search Method value alphabeta-soft",
    "Search Method value memoised",
    "Search Method value minimax",
    "Evaluation value network",
    "Evaluation value classical",
    "EvalFile value /dev/zero",
    "EvalFile value Cargo.toml",
    "Debug Log File value /dev/zero",
    "Nonsense value 7",
];

/// Lines that are no commands, or commands with wrong words.
const GARBAGE: [&str; 10] = [
    "",
    "  \t ",
    "xyzzy",
    "go perft x",
    "position",
    "position fen",
    "position startpos moves e2e5",
    "setoption",
    "joho debug on",
    "\u{feff}stop \u{e9}",
];

struct Generator {
    random: SplitMix64,
    variant: &'static str,
}

impl Generator {
    fn below(&mut self, count: u64) -> u64 {
        self.random.next() % count
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// A clock value: usually short, sometimes tiny, negative or huge.
    fn clock(&mut self) -> i64 {
        match self.below(12) {
            0 => -5,
            1 => 0,
            2 => 1,
            _ => self.below(60) as i64,
        }
    }

    /// A `go` that ends by itself. With any search method and on any number of threads it takes milliseconds.
    fn go(&mut self) -> String {
        let limit = match self.below(7) {
            0 => format!("depth {} nodes 2000", self.below(8)),
            1 | 2 => format!("nodes {}", 1 + self.below(800)),
            3 => format!("movetime {}", self.below(4)),
            4 => format!("mate {} nodes 500", self.below(4)),
            5 => {
                let [wtime, btime, winc, binc] = [(); 4].map(|()| self.clock());
                let moves = self.below(40);
                format!("wtime {wtime} btime {btime} winc {winc} binc {binc} movestogo {moves} nodes 3000")
            }
            _ => {
                format!(
                    "nodes {} searchmoves {}",
                    1 + self.below(300),
                    self.pick(&["e2e4 d2d4", "a7a8q", "zz"])
                )
            }
        };
        format!("go {limit}")
    }

    fn position(&mut self) -> String {
        let (moves, has_fen) = (self.below(30), self.below(3) == 0);
        match self.variant {
            "chess" if has_fen => {
                let fen = self.pick(&FENS);
                let moves =
                    Position::start().parse_position(fen).map(|parsed| self.moves(parsed.game, moves));
                format!("position fen {fen}{}", moves.unwrap_or_default())
            }
            variant => {
                let moves = with_game!(variant, |start| self.moves(start, moves)).unwrap();
                format!("position startpos{moves}")
            }
        }
    }

    /// ` moves ...` with up to `count` random legal moves, and sometimes an illegal one after them.
    fn moves<G: Notation>(&mut self, mut game: G, count: u64) -> String {
        let mut text = String::new();
        for _ in 0..count {
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[self.below(moves.len() as u64) as usize];
            text = format!("{text} {}", game.move_text(mv));
            game.play(mv);
        }
        if self.below(20) == 0 {
            text += " a1a1";
        }
        if text.is_empty() { text } else { format!(" moves{text}") }
    }

    fn command(&mut self) -> String {
        match self.below(40) {
            0..10 => self.go(),
            10..18 => self.position(),
            18..22 => format!("setoption name {}", self.pick(&OPTIONS)),
            22..26 => "stop".into(),
            26 => "go infinite".into(),
            27 => format!("go ponder {}", &self.go()[3..]),
            28 | 29 => "ponderhit".into(),
            30 => "ucinewgame".into(),
            31 => "isready".into(),
            32 => self.pick(&["uci", "debug on", "debug off", "register later", "help"]).into(),
            33 => self.pick(&["d", "eval", "flip"]).into(),
            34 => format!("go perft {}", self.below(3)),
            35 => {
                self.variant = if self.below(3) == 0 { "chess" } else { self.pick(variants::NAMES) };
                format!("setoption name UCI_Variant value {}", self.variant)
            }
            36 if self.below(10) == 0 => format!("genfens 1 seed {} book None", self.below(100)),
            _ => self.pick(&GARBAGE).into(),
        }
    }
}

/// Whether the search of this command ends only after `stop` or `ponderhit`.
fn is_endless(command: &str) -> bool {
    command.starts_with("go infinite") || command.starts_with("go ponder")
}

fn is_search(command: &str) -> bool {
    command.starts_with("go ") && !command.starts_with("go perft")
}

/// Plays one session and checks its replies.
fn play(seed: u64, session: usize, count: usize) {
    let random = SplitMix64::new(seed.wrapping_add((session as u64) << 32));
    let mut generator = Generator { random, variant: "chess" };
    let commands: Vec<String> = (0..count).map(|_| generator.command()).collect();
    #[expect(clippy::print_stdout, reason = "captured by the test harness, and shown if the test fails")]
    {
        println!("session {session} of DUIYI_SEED={seed}");
    }
    let mut engine = Engine::start(&[]);
    for command in &commands {
        engine.send(command);
    }
    // One for each search that may still run or wait for its turn.
    let open = commands.iter().filter(|command| is_endless(command)).count();
    engine.send(&"stop\n".repeat(open + 1));
    let sent = |what: &dyn Fn(&str) -> bool| commands.iter().filter(|command| what(command)).count();
    let place = format!("session {session} of DUIYI_SEED={seed}:\n{}", commands.join("\n"));
    let searches = sent(&is_search);
    let mut replies: Vec<String> = (0..searches).flat_map(|_| engine.lines_until("bestmove ")).collect();
    let at_end = engine.sync();
    assert!(at_end.iter().all(|line| !line.starts_with("bestmove")), "{at_end:?} at the end of {place}");
    replies.extend(at_end);
    engine.close_input();
    replies.extend(engine.remaining_lines());
    let replied = |start: &str| replies.iter().filter(|line| line.split(' ').next() == Some(start)).count();
    assert_eq!(replied("bestmove"), searches, "bestmove of {place}");
    assert_eq!(replied("readyok"), sent(&|command| command == "isready") + 1, "readyok of {place}");
    assert_eq!(replied("uciok"), sent(&|command| command == "uci"), "uciok of {place}");
    let failure = replies.iter().find(|line| line.contains("internal error"));
    let exit_code = engine.exit_code();
    // `debug on` brings messages about options and searches.
    let errors: Vec<String> = engine
        .stderr_text()
        .lines()
        .filter(|line| !line.contains(" DEBUG duiyi::server::"))
        .map(str::to_owned)
        .collect();
    assert_eq!((failure, exit_code, errors), (None, Some(0), vec![]), "{place}");
}

#[test]
fn random_commands_get_their_replies_without_failed_assertion() {
    let number =
        |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let (seed, commands) = (number("DUIYI_SEED", 1), number("DUIYI_COMMANDS", 10_000) as usize);
    for session in 0..commands.div_ceil(SESSION) {
        play(seed, session, SESSION.min(commands - session * SESSION));
    }
}
