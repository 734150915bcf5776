//! Rules and patterns against slow definitions.

use super::patterns::{self, place_value, reach};
use super::*;
use crate::game::conformance::{self, play};
use crate::game::{Notation, perft};

/// Reads a position of free style on 15x15 cells.
fn free_style(text: &str) -> Gomoku {
    Gomoku::free_style(15).parse_position(text).unwrap().game
}

/// Reads a position of the variant on 15x15 cells in which only five win.
fn exactly_five(text: &str) -> Gomoku {
    Gomoku::exactly_five(15).parse_position(text).unwrap().game
}

fn text<G: Notation>(game: &G) -> String {
    game.position_text()
}

/// Another implementation of the rules: a list of stones and nothing else.
struct SlowBoard {
    size: isize,
    exact: bool,
    stones: Vec<Option<Side>>,
}

impl SlowBoard {
    fn stone(&self, file: isize, rank: isize) -> Option<Side> {
        let is_on_board = [file, rank].iter().all(|n| (0..self.size).contains(n));
        if is_on_board { self.stones[(rank * self.size + file) as usize] } else { None }
    }

    /// Whether the stone of `side` on `cell` is part of a winning row.
    fn wins(&self, cell: usize, side: Side) -> bool {
        let (file, rank) = (cell as isize % self.size, cell as isize / self.size);
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(files, ranks)| {
            let is_own = |n: isize| self.stone(file + n * files, rank + n * ranks) == Some(side);
            (-4..=0).any(|first| {
                let is_five = (first..first + 5).all(is_own);
                is_five && !(self.exact && (is_own(first - 1) || is_own(first + 5)))
            })
        })
    }

    fn outcome(&self, last: Option<usize>) -> Option<Outcome> {
        let winner = last.and_then(|cell| self.stones[cell].filter(|&side| self.wins(cell, side)));
        let full = || self.stones.iter().all(Option::is_some).then_some(Outcome::Draw);
        winner.map(Outcome::Win).or_else(full)
    }

    /// Whether `test` holds after a stone of `side` on `cell`, which is free.
    fn after(&mut self, cell: usize, side: Side, test: impl FnOnce(&mut SlowBoard) -> bool) -> bool {
        self.stones[cell] = Some(side);
        let result = test(self);
        self.stones[cell] = None;
        result
    }

    fn free_cells(&self) -> Vec<usize> {
        (0..self.stones.len()).filter(|&cell| self.stones[cell].is_none()).collect()
    }

    /// The cells where a stone of `side` wins.
    fn winning_cells(&mut self, side: Side) -> Vec<usize> {
        let cells = self.free_cells();
        cells.into_iter().filter(|&cell| self.after(cell, side, |board| board.wins(cell, side))).collect()
    }

    /// Whether a stone of `side` on `cell` makes two winning cells.
    fn threatens_twice(&mut self, cell: usize, side: Side) -> bool {
        self.after(cell, side, |board| board.winning_cells(side).len() > 1)
    }

    /// The cells where a stone of `side` makes two winning cells.
    fn cells_that_threaten_twice(&mut self, side: Side) -> Vec<usize> {
        let cells = self.free_cells();
        cells.into_iter().filter(|&cell| self.threatens_twice(cell, side)).collect()
    }
}

/// Calls `visit` with each position of random games. The stones of most games stay within a part of the board, and most
/// moves complete no five, so that threats of both sides come together.
fn for_each_random_position(
    start: &Gomoku,
    games: usize,
    seed: u64,
    visit: &mut dyn FnMut(&Gomoku, &mut SlowBoard, Option<usize>),
) {
    let (mut random, size) = (SplitMix64::new(seed), start.rules.size);
    for _ in 0..games {
        let (mut game, stones) = (start.clone(), vec![None; size * size]);
        let (mut slow, mut last) =
            (SlowBoard { size: size as isize, exact: start.rules.exact, stones }, None);
        let limit = 6 + random.next() as usize % (size - 5);
        loop {
            visit(&game, &mut slow, last);
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            let is_preferred = |mv: &&Move| {
                let cell = Gomoku::cell(**mv);
                let wins = game.threats(game.side, Threat::Five).contains(cell);
                cell / size < limit && cell % size < limit && !wins
            };
            let preferred: Vec<&Move> = moves.iter().filter(is_preferred).collect();
            let mv = match preferred.len() {
                0 => moves[random.next() as usize % moves.len()],
                count => *preferred[random.next() as usize % count],
            };
            let cell = Gomoku::cell(mv);
            slow.stones[cell] = Some(game.side_to_move());
            game.play(mv);
            last = Some(cell);
        }
    }
}

/// Compares `games` random games with [`SlowBoard`], or as many as the environment variable DUIYI_RANDOM_GAMES says.
fn check_games(start: &Gomoku, games: usize, seed: u64) {
    let wanted = std::env::var("DUIYI_RANDOM_GAMES");
    let games = wanted.map_or(games, |text| text.parse().expect("a number"));
    for_each_random_position(start, games, seed, &mut |game, slow, last| {
        assert_eq!(game.outcome(), slow.outcome(last), "{}", text(game));
        if game.outcome().is_none() {
            assert_eq!(game.moves().len(), slow.free_cells().len());
            for side in Side::ALL {
                let fives: Vec<usize> = game.threats(side, Threat::Five).iter().collect();
                assert_eq!(fives, slow.winning_cells(side), "{}", text(game));
            }
        }
    });
}

#[test]
fn random_games_agree_with_a_slow_implementation() {
    check_games(&Gomoku::free_style(15), 12, 1);
    check_games(&Gomoku::exactly_five(15), 12, 2);
    check_games(&Gomoku::free_style(20), 4, 3);
    check_games(&Gomoku::exactly_five(20), 4, 4);
}

#[test]
fn random_games_of_all_variants_conform() {
    conformance::check(&Gomoku::free_style(15), 2, 40, 1);
    conformance::check(&Gomoku::exactly_five(15), 2, 40, 2);
    conformance::check(&Gomoku::free_style(20), 1, 20, 3);
    conformance::check(&Gomoku::exactly_five(20), 1, 20, 4);
    // A crowded board, where rows appear and the game ends.
    let crowded = "7PpPpPpPp/7pPpPpPpP/7PpPpPpPp/7PpPpPpPp/7pPpPpPpP/7PpPpPpPp/15/15/15/15/15/15/15/15/15 w";
    conformance::check(&free_style(crowded), 4, 60, 5);
    conformance::check(&exactly_five(crowded), 4, 60, 6);
    conformance::check_evaluation(&free_style(crowded), None, 3, 40, 7);
}

#[test]
fn perft_counts_the_free_cells() {
    for (depth, leaves) in [1, 225, 225 * 224, 225 * 224 * 223].into_iter().enumerate() {
        let count = perft::perft(&mut Gomoku::free_style(15), depth as u32, &mut || false);
        assert_eq!(count, Some(leaves), "depth {depth}");
    }
    // White has an open four: two of its 217 moves win.
    let mut game = free_style("15/15/15/15/15/15/15/3PPPP8/3pppp8/15/15/15/15/15/15 w");
    assert_eq!(perft::perft(&mut game, 2, &mut || false), Some(215 * 216));
}

#[test]
fn first_candidate_is_the_centre() {
    for (size, expected) in [(15, "P@h8"), (20, "P@k11")] {
        let (game, mut moves) = (Gomoku::free_style(size), MoveList::new());
        game.quiet_moves(&mut moves);
        let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(mv)).collect();
        assert_eq!(texts, [expected]);
    }
}

#[test]
fn overline_wins_in_free_style_only() {
    let text = "15/15/15/15/15/15/15/PPP1PP9/15/15/15/15/15/15/15 w - - 0 1";
    let (mut free, mut exact) = (free_style(text), exactly_five(text));
    play(&mut free, "P@d8");
    play(&mut exact, "P@d8");
    assert_eq!((free.outcome(), exact.outcome()), (Some(Outcome::Win(Side::White)), None));
    let text = "15/15/15/15/15/15/15/PPPPPP9/15/15/15/15/15/15/15 b - - 0 1";
    assert_eq!(free_style(text).outcome(), Some(Outcome::Win(Side::White)));
    assert_eq!(exactly_five(text).outcome(), None);
    let text = "PPPPP10/15/15/15/15/15/15/15/15/15/15/15/15/15/10PPPPP b - - 0 1";
    assert_eq!(exactly_five(text).outcome(), Some(Outcome::Win(Side::White)));
}

#[test]
fn texts_of_the_large_board_are_read_back() {
    let position = format!("{} b", ["20"; 20].join("/").replacen("20", "9P1p8", 1));
    let game = Gomoku::exactly_five(20).parse_position(&position).unwrap().game;
    assert!(text(&game).starts_with("9P1p8/20/"));
    assert_eq!(game.side_to_move(), Side::Black);
    let start = text(&Gomoku::free_style(15));
    assert_eq!(start, format!("{} w - - 0 1", ["15"; 15].join("/")));
    assert!(Gomoku::free_style(15).parse_move("p1").is_err());
    assert!(game.parse_move("t20").is_ok() && game.parse_move("P@j20").is_err());
}

/// Classifies a neighbourhood by the sets of cells that are missing in each possible five through the centre.
fn pattern_by_fives(cells: &[u16], exact: bool) -> Pattern {
    let centre = cells.len() / 2;
    let is_own = |cell: usize| cells.get(cell) == Some(&OWN);
    let mut missing: Vec<Vec<usize>> = Vec::new();
    for first in centre - 4..=centre {
        let five = first..first + 5;
        let flanked = first.checked_sub(1).is_some_and(is_own) || is_own(first + 5);
        if five.clone().all(|cell| cells[cell] != BLOCKED) && !(exact && flanked) {
            missing.push(five.filter(|&cell| !is_own(cell)).collect());
        }
    }
    let least = missing.iter().map(Vec::len).min();
    missing.retain(|cells| Some(cells.len()) == least);
    // It is open if all but one of the missing cells of two fives are the same.
    let is_open = missing
        .iter()
        .any(|a| missing.iter().any(|b| a != b && a.iter().filter(|cell| !b.contains(cell)).count() == 1));
    match (least, is_open) {
        (None, _) => Pattern::Dead,
        (Some(0), _) => Pattern::Five,
        (Some(1), false) => Pattern::Four,
        (Some(1), true) => Pattern::OpenFour,
        (Some(2), false) => Pattern::Three,
        (Some(2), true) => Pattern::OpenThree,
        (Some(3), false) => Pattern::Two,
        (Some(3), true) => Pattern::OpenTwo,
        (Some(_), false) => Pattern::One,
        (Some(_), true) => Pattern::OpenOne,
    }
}

#[test]
fn patterns_of_all_neighbourhoods_agree_with_their_definition() {
    for exact in [false, true] {
        let (table, reach) = (patterns::table(exact), reach(exact) as isize);
        let mut seen = std::collections::HashSet::new();
        for number in 0..3u16.pow(2 * reach as u32) {
            let digit = |offset| match offset {
                0 => OWN,
                _ => number / place_value(offset, reach as usize) % 3,
            };
            let cells: Vec<u16> = (-reach..=reach).map(digit).collect();
            let (pattern, expected) = (table[usize::from(number)], pattern_by_fives(&cells, exact));
            assert_eq!(pattern, expected, "{cells:?}, exact: {exact}");
            seen.insert(pattern as u8);
        }
        assert_eq!(seen.len(), Pattern::COUNT);
    }
}

/// Proofs, forced moves and the moves left out against an open three agree with [`SlowBoard`] in `games` random games.
fn check_proofs(start: &Gomoku, games: usize, seed: u64) -> [usize; 4] {
    let mut seen = [0; 4];
    for_each_random_position(start, games, seed, &mut |game, slow, _| {
        if game.outcome().is_some() {
            return;
        }
        let (own, other) = (game.side_to_move(), !game.side_to_move());
        let fives = [own, other].map(|side| slow.winning_cells(side));
        let ply = Ply::new(7);
        let bounds = game.value_bounds(ply);
        let mut expect = |kind: usize, score: Score, cells: &[usize]| {
            seen[kind] += 1;
            assert_eq!(bounds, (score, score), "{}", text(game));
            let forced = game.forced_move().map(Gomoku::cell);
            assert!(forced.is_some_and(|cell| cells.contains(&cell)), "{}: forced {forced:?}", text(game));
        };
        match fives {
            [own, _] if !own.is_empty() => expect(0, Score::mate_in(Ply::new(8)), &own),
            [_, other] if other.len() > 1 => expect(1, Score::mated_in(Ply::new(9)), &other),
            [_, other] if other.len() == 1 => {
                assert_eq!(game.forced_move().map(Gomoku::cell), Some(other[0]));
            }
            _ => {
                let winning = slow.cells_that_threaten_twice(own);
                if !winning.is_empty() {
                    return expect(2, Score::mate_in(Ply::new(10)), &winning);
                }
                assert_eq!(
                    bounds,
                    (Score::mated_in(Ply::new(11)), Score::mate_in(Ply::new(12))),
                    "{}",
                    text(game)
                );
                assert_eq!(game.forced_move(), None);
                let dangers = slow.cells_that_threaten_twice(other);
                if dangers.is_empty() {
                    return;
                }
                // The opponent has an open three. A move that is left out makes no four and leaves the opponent a cell that
                // wins.
                seen[3] += 1;
                let mut candidates = MoveList::new();
                game.noisy_moves(&mut candidates);
                game.quiet_moves(&mut candidates);
                for mv in game.moves().into_iter().filter(|mv| !candidates.contains(mv)) {
                    slow.stones[Gomoku::cell(mv)] = Some(own);
                    let is_dangerous = dangers.iter().any(|&cell| slow.threatens_twice(cell, other));
                    assert!(is_dangerous, "{}: {mv:?}", text(game));
                    assert!(slow.winning_cells(own).is_empty(), "{}: {mv:?}", text(game));
                    slow.stones[Gomoku::cell(mv)] = None;
                }
            }
        }
    });
    seen
}

#[test]
fn proofs_and_omitted_moves_agree_with_a_slow_implementation() {
    for seen in [check_proofs(&Gomoku::free_style(15), 6, 8), check_proofs(&Gomoku::exactly_five(15), 6, 9)] {
        assert!(seen.iter().all(|&count| count > 3), "{seen:?}");
    }
}
