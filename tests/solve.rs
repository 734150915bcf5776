//! The online judge (POJ) problems: `duiyi solve` compared with memoised recursion, and the values of the engine's search
//! in their games compared with a textbook search.

#[cfg(target_os = "linux")]
use crate::common::process::{Process, command};
use duiyi::game::{Depth, Evaluator, Heuristics, Notation, Score, SplitMix64, Window};
use duiyi::games::tictactoe::{OpenLines, TicTacToe};
use duiyi::games::triangle_war::{ScoreDifference, TriangleWar};
use duiyi::search::{self, Limits, SearchRequest, SearchState};
use duiyi::textbook::{Method, Order, Searcher};
use std::collections::HashMap;
use std::fmt::Write as _;
#[cfg(target_os = "linux")]
use std::io::Write as _;

/// Runs `duiyi solve`. Returns the exit code, standard output and standard error.
fn solve(problem: &str, input: &str) -> (i32, String, String) {
    crate::common::process::run(&["solve", problem], input.as_bytes())
}

fn answers(problem: &str, input: &str) -> Vec<String> {
    let (code, output, messages) = solve(problem, input);
    assert_eq!((code, messages.as_str()), (0, ""));
    output.lines().map(str::to_owned).collect()
}

fn has_row(stones: u16) -> bool {
    let straight = (0..4).any(|i| stones >> (4 * i) & 15 == 15 || stones >> i & 0x1111 == 0x1111);
    straight || stones & 0x8421 == 0x8421 || stones & 0x1248 == 0x1248
}

/// 1 if `mover` wins, 0 for a draw, -1 if `other` wins. Both sets of stones are bitboards.
fn outcome(mover: u16, other: u16, known: &mut HashMap<(u16, u16), i8>) -> i8 {
    if has_row(other) {
        return -1;
    }
    if let Some(&value) = known.get(&(mover, other)) {
        return value;
    }
    let free = (0..16).filter(|cell| (mover | other) >> cell & 1 == 0);
    let value = free.map(|cell| -outcome(other, mover | 1 << cell, known)).max().unwrap_or(0);
    known.insert((mover, other), value);
    value
}

#[test]
fn poj1568_random_boards_match_brute_force() {
    let (mut random, mut known) = (SplitMix64::new(1568), HashMap::new());
    let (mut input, mut expected, mut wins) = (String::new(), Vec::new(), 0);
    for _ in 0..1000 {
        let (mut x, mut o) = (0u16, 0u16);
        let empty = 2 + random.next() % 8;
        while u64::from((x | o).count_zeros()) > empty {
            let cell = 1 << (random.next() % 16);
            if (x | o) & cell == 0 {
                *if random.next().is_multiple_of(2) { &mut x } else { &mut o } |= cell;
            }
        }
        input += "?\n";
        for cell in 0..16 {
            input.push(['.', 'x', 'o'][usize::from(x >> cell & 1) + 2 * usize::from(o >> cell & 1)]);
            input += if cell % 4 == 3 { "\n" } else { "" };
        }
        let over = has_row(x) || has_row(o);
        let mut free = (0..16).filter(|cell| !over && (x | o) >> cell & 1 == 0);
        let win = free.find(|cell| outcome(o, x | 1 << cell, &mut known) == -1);
        wins += usize::from(win.is_some());
        expected.push(win.map_or("#####".into(), |cell| format!("({},{})", cell / 4, cell % 4)));
    }
    assert!((200..800).contains(&wins), "expected 200 to 799 wins, found {wins}");
    assert_eq!(answers("poj1568", &(input + "$\n")), expected);
}

const LINES: &str = "1-2 1-3 2-3 2-4 2-5 4-5 3-5 3-6 5-6 4-7 4-8 7-8 5-8 5-9 8-9 6-9 6-10 9-10";
const TRIANGLES: [&str; 9] = [
    "1-2 2-3 1-3", "2-4 4-5 2-5", "3-5 5-6 3-6", "4-7 7-8 4-8", "5-8 8-9 5-9", "6-9 9-10 6-10",
    "2-3 3-5 2-5", "4-5 5-8 4-8", "5-6 6-9 5-9",
];

/// Number of triangles that drawing `line` closes.
fn closed(drawn: u32, line: usize, triangles: &[u32]) -> i32 {
    triangles.iter().filter(|&&t| t >> line & 1 == 1 && t & !(drawn | 1 << line) == 0).count() as i32
}

/// The triangles as bit sets of their lines.
fn triangles() -> [u32; 9] {
    let bit = |line| 1u32 << LINES.split(' ').position(|l| l == line).unwrap();
    TRIANGLES.map(|triangle| triangle.split(' ').map(bit).sum::<u32>())
}

/// For each set of drawn lines: triangles still to be won by the mover minus those of the opponent, with best play.
fn margins() -> Vec<i32> {
    let (triangles, mut margin_from) = (triangles(), vec![0i32; 1 << 18]);
    // A later position has a larger number.
    for drawn in (0..(1u32 << 18) - 1).rev() {
        let values = (0..18).filter(|line| drawn >> line & 1 == 0).map(|line| {
            let (count, after) = (closed(drawn, line, &triangles), margin_from[(drawn | 1 << line) as usize]);
            if count > 0 { count + after } else { -after }
        });
        margin_from[drawn as usize] = values.max().unwrap();
    }
    margin_from
}

#[test]
fn poj1085_random_games_match_brute_force() {
    let lines: Vec<&str> = LINES.split(' ').collect();
    let (triangles, margin_from) = (triangles(), margins());
    let mut random = SplitMix64::new(1085);
    let (mut input, mut expected) = (String::from("1000\n"), Vec::new());
    for number in 1..=1000 {
        let moves = 4 + random.next() % 15;
        writeln!(input, "{moves}").unwrap();
        let (mut drawn, mut margin, mut sign) = (0, 0, 1);
        while u64::from(u32::count_ones(drawn)) < moves {
            let line = (random.next() % 18) as usize;
            if drawn >> line & 1 == 0 {
                let count = closed(drawn, line, &triangles);
                drawn |= 1 << line;
                margin += sign * count;
                sign = if count > 0 { sign } else { -sign };
                let (u, v) = lines[line].split_once('-').unwrap();
                let (u, v) = if random.next().is_multiple_of(2) { (u, v) } else { (v, u) };
                writeln!(input, "{u} {v}").unwrap();
            }
        }
        let winner = if margin + sign * margin_from[drawn as usize] > 0 { "A" } else { "B" };
        expected.push(format!("Game {number}: {winner} wins."));
    }
    assert_eq!(answers("poj1085", &input), expected);
}

#[test]
fn poj1085_samples_are_solved() {
    let games = [
        "2-4 4-5 5-9 3-6 2-5 3-5",
        "2-4 4-5 5-9 3-6 2-5 3-5 7-8",
        "1-2 2-3 1-3 2-4 2-5 4-5",
        "1-2 2-5 3-6 5-8 4-7 6-10 2-4 4-5 4-8 7-8",
    ];
    let mut input = String::from("4\n");
    for game in games {
        writeln!(input, "{}\n{}", game.split(' ').count(), game.replace('-', " ")).unwrap();
    }
    let winners = ["Game 1: B wins.", "Game 2: A wins.", "Game 3: A wins.", "Game 4: B wins."];
    assert_eq!(answers("poj1085", &input), winners);
}

#[test]
fn invalid_input_is_reported_with_line_number() {
    for (problem, input, message) in [
        ("poj1568", "", "line 1: expected ? or $, got the end of the input\n"),
        ("poj1568", "?\n....\n..x\n", "line 3: expected four of . x o, got \"..x\"\n"),
        (
            "poj1085",
            "1\n1\n1 4\n",
            "line 3: expected a line between two neighbouring points like 2-5, got \"1-4\"\n",
        ),
        ("poj1085", "0\nx", "line 2: expected the end of the input, got \"x\"\n"),
    ] {
        assert_eq!(solve(problem, input), (2, String::new(), message.into()), "{input:?}");
    }
    assert_eq!(solve("poj1", "").0, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn write_to_full_disk_exits_with_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut process = Process::start(command(&["solve", "poj1568"]).stdout(full));
    process.stdin.as_mut().unwrap().write_all(b"?\n....\n....\n....\n....\n$\n").unwrap();
    let output = process.output();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stderr.starts_with(b"error: "), "{output:?}");
}

/// The engine's score of `game` in a search to the end within `window`.
fn engine_score<G: Heuristics, E: Evaluator<G>>(game: &G, window: Window, state: &mut SearchState) -> Score {
    let limits = Limits { window, ..Limits::depth(game.count_moves() as i32) };
    let request = SearchRequest::new(game.clone(), limits);
    let never = crossbeam_channel::never();
    let search = search::run_to_end::<G, E>(request, state, &never, &mut |_| {}).unwrap();
    search.last.unwrap().lines[0].score
}

/// The value of `game` by a textbook search, which uses no heuristics.
fn textbook_score<G: Heuristics, E: Evaluator<G>>(game: &G, method: Method) -> Score {
    let mut stop = |_| false;
    let mut searcher = Searcher::<G, E>::new(game.clone(), method, Order::Natural, &mut stop);
    searcher.search(Depth::new(game.count_moves() as i32)).unwrap().value
}

/// Plays random games until at most `left` moves are left. The engine must find the textbook value with the full window, and
/// the right side of each bound with a null window. All searches share one transposition table.
fn check_random<G: Heuristics + Notation, E: Evaluator<G>>(start: &G, games: usize, left: usize, seed: u64) {
    let (mut random, mut state) = (SplitMix64::new(seed), SearchState::new(1).unwrap());
    let mut values = HashMap::new();
    for _ in 0..games {
        let mut game = start.clone();
        let left = 1 + random.next() as usize % left;
        while game.count_moves() > left {
            let moves = game.moves();
            game.play(moves[random.next() as usize % moves.len()]);
        }
        if game.outcome().is_some() {
            continue;
        }
        let (text, value) = (game.position_text(), textbook_score::<G, E>(&game, Method::AlphaBetaSoft));
        *values.entry(value).or_insert(0) += 1;
        for bound in [value - 1, value, Score::ZERO, Score::MAX_EVAL] {
            let above = engine_score::<G, E>(&game, Window::null_window_at_alpha(bound), &mut state) > bound;
            assert_eq!(above, value > bound, "{text}: above {bound:?}");
        }
        assert_eq!(engine_score::<G, E>(&game, Window::FULL, &mut state), value, "{text}");
    }
    assert!(values.len() > 3, "expected more than 3 values, found {values:?}");
}

#[test]
fn random_positions_match_textbook_value() {
    check_random::<_, OpenLines>(&TicTacToe::start(3), 300, 9, 3);
    check_random::<_, OpenLines>(&TicTacToe::start(4), 150, 8, 4);
    check_random::<_, ScoreDifference>(&TriangleWar::start(), 200, 9, 5);
}

#[test]
fn symmetric_boards_have_equal_value() {
    let (mut random, mut state) = (SplitMix64::new(8), SearchState::new(4).unwrap());
    let transposed = |board: &[Vec<char>]| -> Vec<Vec<char>> {
        (0..4).map(|column| board.iter().map(|row| row[column]).collect()).collect()
    };
    let mut decisive = 0;
    for _ in 0..12 {
        // The TT uses symmetries only for few stones. White has most of them, so that some boards are won.
        let mut board = vec![vec!['1'; 4]; 4];
        for stone in ['P', 'P', 'P', 'p', 'P'] {
            let (row, column) = (random.next() as usize % 4, random.next() as usize % 4);
            board[row][column] = stone;
        }
        let mut value = None;
        for turn in 0..8 {
            let ranks: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
            let text = format!("{} w", ranks.join("/"));
            let game = TicTacToe::start(4).parse_position(&text).unwrap().game;
            let value = *value.get_or_insert_with(|| textbook_score::<_, OpenLines>(&game, Method::Memoised));
            assert_eq!(engine_score::<_, OpenLines>(&game, Window::FULL, &mut state), value, "{text}");
            decisive += usize::from(value.is_decisive());
            board = transposed(&board);
            if turn % 2 == 1 {
                board.reverse();
            }
        }
    }
    assert!((1..96).contains(&decisive), "expected 1 to 95 won boards, found {decisive}");
}

#[test]
fn empty_boards_are_solved() {
    let mut state = SearchState::new(4).unwrap();
    let value = Score::new(margins()[0]);
    assert!(value < Score::ZERO);
    assert_eq!(engine_score::<_, ScoreDifference>(&TriangleWar::start(), Window::FULL, &mut state), value);
    assert_eq!(answers("poj1085", "1\n0\n"), ["Game 1: B wins."]);
    // Exhaustive search shows that every position with two stones a side is a draw, and so is the empty board.
    assert_eq!(engine_score::<_, OpenLines>(&TicTacToe::start(4), Window::FULL, &mut state), Score::ZERO);
    assert_eq!(answers("poj1568", "?\n....\n....\n....\n....\n$\n"), ["#####"]);
}
