//! Rules and patterns against slow definitions.

use super::*;
use crate::game::{Notation, NotationOptions, conformance, perft};

type FreeStyle = Gomoku<15, false>;
type Exact = Gomoku<15, true>;

fn position<const SIZE: usize, const EXACT: bool>(text: &str) -> Gomoku<SIZE, EXACT> {
    Gomoku::parse_position(text).unwrap().game
}

fn text<G: Notation>(game: &G) -> String {
    game.position_text(NotationOptions::default())
}

fn play<G: Notation>(game: &mut G, moves: &str) {
    for mv in moves.split_whitespace() {
        game.play(game.parse_move(mv).unwrap());
    }
}

/// Another implementation of the rules: the stones by file and rank, and nothing else.
struct SlowBoard {
    size: i32,
    exact: bool,
    stones: std::collections::HashMap<(i32, i32), Side>,
}

impl SlowBoard {
    /// Whether `side` has a winning row through `(x, y)`, which it occupies.
    fn wins(&self, x: i32, y: i32, side: Side) -> bool {
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
            let is_own = |n: i32| self.stones.get(&(x + n * dx, y + n * dy)) == Some(&side);
            (-4..=0).any(|first| {
                let five = (first..first + 5).all(is_own);
                five && !(self.exact && (is_own(first - 1) || is_own(first + 5)))
            })
        })
    }

    fn outcome(&self, last: Option<(i32, i32)>) -> Option<Outcome> {
        let side = last.and_then(|last| self.stones.get(&last));
        if let (Some((x, y)), Some(&side)) = (last, side)
            && self.wins(x, y, side)
        {
            return Some(Outcome::Win(side));
        }
        (self.stones.len() as i32 == self.size * self.size).then_some(Outcome::Draw)
    }

    /// The number of free cells where a stone of `side` wins.
    fn winning_cells(&mut self, side: Side) -> usize {
        let mut count = 0;
        for (x, y) in (0..self.size).flat_map(|x| (0..self.size).map(move |y| (x, y))) {
            if self.stones.contains_key(&(x, y)) {
                continue;
            }
            self.stones.insert((x, y), side);
            count += usize::from(self.wins(x, y, side));
            self.stones.remove(&(x, y));
        }
        count
    }
}

/// Plays random games, most moves near stones so that rows appear, and compares them with [`SlowBoard`].
fn check_games<const SIZE: usize, const EXACT: bool>(games: usize, seed: u64) {
    let mut random = SplitMix64::new(seed);
    for _ in 0..games {
        let mut game = Gomoku::<SIZE, EXACT>::start();
        let mut slow = SlowBoard { size: SIZE as i32, exact: EXACT, stones: Default::default() };
        let mut last = None;
        // The stones of most games stay within a part of the board.
        let limit = 6 + random.next() as usize % (SIZE - 5);
        loop {
            assert_eq!(game.outcome(), slow.outcome(last), "{}", text(&game));
            if game.outcome().is_some() {
                break;
            }
            for side in Side::ALL {
                let fives = game.threats(side, Threat::Five).iter().count();
                assert_eq!(fives, slow.winning_cells(side), "{}", text(&game));
            }
            let (fives, moves) = (game.threats(game.side, Threat::Five), game.moves());
            assert_eq!(moves.len(), SIZE * SIZE - slow.stones.len());
            let inside = |mv: &&Move| {
                let cell = Gomoku::<SIZE, EXACT>::cell(**mv);
                cell / SIZE < limit && cell % SIZE < limit && !fives.contains(cell)
            };
            let mut choice: Vec<Move> = moves.iter().filter(inside).copied().collect();
            if choice.is_empty() {
                choice = moves.to_vec();
            }
            let mv = choice[random.next() as usize % choice.len()];
            let cell = Gomoku::<SIZE, EXACT>::cell(mv);
            last = Some(((cell % SIZE) as i32, (cell / SIZE) as i32));
            slow.stones.insert(last.unwrap(), game.side_to_move());
            game.play(mv);
        }
    }
}

#[test]
fn random_games_agree_with_a_slow_implementation() {
    check_games::<15, false>(12, 1);
    check_games::<15, true>(12, 2);
    check_games::<20, false>(4, 3);
    check_games::<20, true>(4, 4);
}

#[test]
fn random_games_of_all_variants_conform() {
    conformance::check(&FreeStyle::start(), 2, 40, 1);
    conformance::check(&Exact::start(), 2, 40, 2);
    conformance::check(&Gomoku::<20, false>::start(), 1, 20, 3);
    conformance::check(&Gomoku::<20, true>::start(), 1, 20, 4);
    // A crowded board, where rows appear and the game ends.
    let crowded = "7PpPpPpPp/7pPpPpPpP/7PpPpPpPp/7PpPpPpPp/7pPpPpPpP/7PpPpPpPp/15/15/15/15/15/15/15/15/15 w";
    conformance::check(&position::<15, false>(crowded), 4, 60, 5);
    conformance::check(&position::<15, true>(crowded), 4, 60, 6);
    conformance::check_evaluation::<FreeStyle, PatternCounts>(&position(crowded), 3, 40, 7);
}

#[test]
fn perft_counts_the_free_cells() {
    for (depth, leaves) in [1, 225, 225 * 224, 225 * 224 * 223].into_iter().enumerate() {
        let count = perft::perft(&mut FreeStyle::start(), depth as u32, &mut || false);
        assert_eq!(count, Some(leaves), "depth {depth}");
    }
    // White has an open four: two of its 217 moves win.
    let mut game = position::<15, false>("15/15/15/15/15/15/15/3PPPP8/3pppp8/15/15/15/15/15/15 w");
    assert_eq!(perft::perft(&mut game, 2, &mut || false), Some(215 * 216));
}

#[test]
fn overline_wins_in_free_style_only() {
    let text = "15/15/15/15/15/15/15/PPP1PP9/15/15/15/15/15/15/15 w - - 0 1";
    let (mut free, mut exact) = (position::<15, false>(text), position::<15, true>(text));
    play(&mut free, "P@d8");
    play(&mut exact, "P@d8");
    assert_eq!((free.outcome(), exact.outcome()), (Some(Outcome::Win(Side::White)), None));
    let text = "15/15/15/15/15/15/15/PPPPPP9/15/15/15/15/15/15/15 b - - 0 1";
    assert_eq!(position::<15, false>(text).outcome(), Some(Outcome::Win(Side::White)));
    assert_eq!(position::<15, true>(text).outcome(), None);
    let text = "PPPPP10/15/15/15/15/15/15/15/15/15/15/15/15/15/10PPPPP b - - 0 1";
    assert_eq!(position::<15, true>(text).outcome(), Some(Outcome::Win(Side::White)));
}

#[test]
fn parse_position_reads_texts_with_and_without_a_pocket() {
    let start = text(&FreeStyle::start());
    let rows = ["15"; 15].join("/");
    assert_eq!(start, format!("{rows}[{}{}] w - - 0 1", "P".repeat(113), "p".repeat(112)));
    for variant in [format!("{rows} w"), format!("{rows}[] w - - 0 1"), start.clone()] {
        assert_eq!(text(&position::<15, false>(&variant)), start, "{variant}");
    }
    let game = position::<20, false>(&format!("{} b", ["20"; 20].join("/").replacen("20", "9P1p8", 1)));
    assert!(text(&game).starts_with("9P1p8/20/"));
    for wrong in [
        "",
        "15 w",
        &format!("{rows}/15 w"),
        &rows,
        &format!("{rows} x"),
        &rows.replacen("15", "16", 1),
        &format!("{} w", rows.replacen("15", "14", 1)),
        &format!("{} w", rows.replacen("15", "99999999999999999999999", 1)),
        &format!("{} w", rows.replacen("15", "14x", 1)),
        &format!("{} w", rows.replacen("15", "15P", 1)),
        &format!("{rows}[Q] w"),
        &format!("{rows} w a"),
    ] {
        assert!(FreeStyle::parse_position(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn parse_move_reads_drops_with_and_without_the_letter() {
    let game = position::<20, false>(&format!("{} w", ["20"; 20].join("/").replacen("20", "P19", 1)));
    for (written, expected) in [("P@h8", "P@h8"), ("p@T20", "P@t20"), ("H8", "P@h8"), ("a1", "P@a1")] {
        let mv = game.parse_move(written).unwrap();
        assert_eq!(game.move_text(mv, NotationOptions::default()), expected);
    }
    for wrong in ["", "P@", "P@a", "a0", "a01", "a20", "u1", "a21", "a+1", "a1x", "Q@a1", "@a1", "8h", "é1"]
    {
        assert!(game.parse_move(wrong).is_err(), "{wrong}");
    }
    assert!(FreeStyle::start().parse_move("p1").is_err());
}

#[test]
fn diagram_shows_coordinates() {
    let game = position::<15, false>("15/15/15/15/15/15/15/6pP7/15/15/15/15/15/15/15 w");
    let diagram = game.diagram();
    let lines: Vec<&str> = diagram.lines().collect();
    assert_eq!(lines[7], " 8  . . . . . . O X . . . . . . .");
    assert_eq!(lines[15], "    a b c d e f g h i j k l m n o");
}
