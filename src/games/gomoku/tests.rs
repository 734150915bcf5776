//! Rules and patterns against slow definitions.

use super::patterns::{self, BLOCKED, OWN, Rows, place_value};
use super::*;
use crate::game::conformance::{self, play};
use crate::game::{Notation, perft};

/// Reads a position of free style on 15x15 cells.
fn free_style(text: &str) -> Gomoku {
    Gomoku::start("gomokufreestyle").parse_position(text).unwrap().game
}

/// Reads a position of the variant on 15x15 cells in which only five win.
fn exactly_five(text: &str) -> Gomoku {
    Gomoku::start("gomoku").parse_position(text).unwrap().game
}

fn text<G: Notation>(game: &G) -> String {
    game.position_text()
}

/// Another implementation of the rules: a list of stones and nothing else.
struct SlowBoard {
    size: isize,
    rows: [Rows; 2],
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
                let is_longer = is_own(first - 1) || is_own(first + 5);
                is_five && (self.rows[side.index()] == Rows::FiveOrMore || !is_longer)
            })
        })
    }

    /// Whether a stone of `side` on `cell`, which is free, is forbidden.
    fn is_forbidden(&mut self, cell: usize, side: Side) -> bool {
        self.rows[side.index()] == Rows::Renju
            && self.after(cell, side, |board| {
                let is_overline = |direction: usize| board.row(cell, side, direction).len() > 5;
                if board.wins(cell, side) || (0..4).any(is_overline) {
                    return !board.wins(cell, side);
                }
                let fours: usize = (0..4).map(|direction| board.fours(cell, side, direction).len()).sum();
                fours > 1 || (0..4).filter(|&direction| board.can_open(cell, side, direction)).count() > 1
            })
    }

    fn neighbour(&self, cell: usize, direction: usize, offset: isize) -> Option<usize> {
        let (ranks, files) = DIRECTIONS[direction];
        let (file, rank) =
            (cell as isize % self.size + files * offset, cell as isize / self.size + ranks * offset);
        let is_on_board = [file, rank].iter().all(|n| (0..self.size).contains(n));
        is_on_board.then_some((rank * self.size + file) as usize)
    }

    /// The stones of `side` in a row through `cell`.
    fn row(&self, cell: usize, side: Side, direction: usize) -> Vec<usize> {
        let side_of = |offset| {
            let neighbour = self.neighbour(cell, direction, offset);
            neighbour.filter(|&neighbour| self.stones[neighbour] == Some(side))
        };
        let one_way = |sign: isize| (1..).map_while(move |distance| side_of(sign * distance));
        one_way(-1).chain([cell]).chain(one_way(1)).collect()
    }

    /// The fours of `side` on a line through `cell`, each with the cells that complete it.
    fn fours(&mut self, cell: usize, side: Side, direction: usize) -> Vec<(Vec<usize>, Vec<usize>)> {
        let mut fours: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for offset in -4..=4 {
            let completing = self.neighbour(cell, direction, offset);
            let Some(completing) = completing.filter(|&cell| self.stones[cell].is_none()) else { continue };
            let mut row = self.after(completing, side, |board| board.row(completing, side, direction));
            if row.len() == 5 && row.contains(&cell) {
                row.retain(|&cell| cell != completing);
                row.sort_unstable();
                match fours.iter_mut().find(|(four, _)| *four == row) {
                    Some((_, completing_cells)) => completing_cells.push(completing),
                    None => fours.push((row, vec![completing])),
                }
            }
        }
        fours
    }

    /// Whether an open three of `side` through `cell` can become an open four by a stone that is not forbidden and makes no five.
    fn can_open(&mut self, cell: usize, side: Side, direction: usize) -> bool {
        (-4..=4)
            .filter_map(|offset| self.neighbour(cell, direction, offset))
            .collect::<Vec<_>>()
            .into_iter()
            .any(|next| {
                self.stones[next].is_none()
                    && self.after(next, side, |board| {
                        let is_open = |(four, completing): &(Vec<usize>, Vec<usize>)| {
                            completing.len() == 2 && four.contains(&next)
                        };
                        !board.wins(next, side) && board.fours(cell, side, direction).iter().any(is_open)
                    })
                    && !self.is_forbidden(next, side)
            })
    }

    fn outcome(&mut self, last: Option<usize>) -> Option<Outcome> {
        let winner = last.and_then(|cell| {
            let side = self.stones[cell].take()?;
            let is_forbidden = self.is_forbidden(cell, side);
            self.stones[cell] = Some(side);
            if is_forbidden { Some(!side) } else { self.wins(cell, side).then_some(side) }
        });
        let full = || self.stones.iter().all(Option::is_some).then_some(Outcome::Draw);
        winner.map(Outcome::Win).or_else(full)
    }

    /// Returns what `test` says after a stone of `side` on `cell`, which is free.
    fn after<T>(&mut self, cell: usize, side: Side, test: impl FnOnce(&mut SlowBoard) -> T) -> T {
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
        let (mut slow, mut last) = (SlowBoard { size: size as isize, rows: start.rules.rows, stones }, None);
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
            for cell in slow.free_cells() {
                let expected = slow.is_forbidden(cell, game.side);
                assert_eq!(game.is_forbidden(cell), expected, "{} cell {cell}", text(game));
            }
        }
    });
}

#[test]
fn random_games_agree_with_a_slow_implementation() {
    check_games(&Gomoku::start("gomokufreestyle"), 12, 1);
    check_games(&Gomoku::start("gomoku"), 12, 2);
    check_games(&Gomoku::start("gomokufreestyle20"), 4, 3);
    check_games(&Gomoku::start("gomoku20"), 4, 4);
    check_games(&Gomoku::start("renju"), 24, 10);
}

#[test]
fn random_games_of_all_variants_conform() {
    conformance::check(&Gomoku::start("gomokufreestyle"), 2, 40, 1);
    conformance::check(&Gomoku::start("gomoku"), 2, 40, 2);
    conformance::check(&Gomoku::start("gomokufreestyle20"), 1, 20, 3);
    conformance::check(&Gomoku::start("gomoku20"), 1, 20, 4);
    conformance::check(&Gomoku::start("renju"), 2, 40, 8);
    // A crowded board, where rows appear and the game ends.
    let crowded = "7PpPpPpPp/7pPpPpPpP/7PpPpPpPp/7PpPpPpPp/7pPpPpPpP/7PpPpPpPp/15/15/15/15/15/15/15/15/15 w";
    conformance::check(&free_style(crowded), 4, 60, 5);
    conformance::check(&exactly_five(crowded), 4, 60, 6);
    conformance::check_evaluation(&free_style(crowded), None, 3, 40, 7);
}

#[test]
fn perft_counts_the_free_cells() {
    for (depth, leaves) in [1, 225, 225 * 224, 225 * 224 * 223].into_iter().enumerate() {
        let count = perft::perft(&mut Gomoku::start("gomokufreestyle"), depth as u32, &mut || false);
        assert_eq!(count, Some(leaves), "depth {depth}");
    }
    // White has an open four: two of its 217 moves win.
    let mut game = free_style("15/15/15/15/15/15/15/3PPPP8/3pppp8/15/15/15/15/15/15 w");
    assert_eq!(perft::perft(&mut game, 2, &mut || false), Some(215 * 216));
}

#[test]
fn first_candidate_is_the_centre() {
    for (variant, expected) in [("gomoku", "P@h8"), ("gomoku20", "P@k11")] {
        let (game, mut moves) = (Gomoku::start(variant), MoveList::new());
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
    let game = Gomoku::start("gomoku20").parse_position(&position).unwrap().game;
    assert!(text(&game).starts_with("9P1p8/20/"));
    assert_eq!(game.side_to_move(), Side::Black);
    let start = text(&Gomoku::start("gomokufreestyle"));
    assert_eq!(start, format!("{} w - - 0 1", ["15"; 15].join("/")));
    assert!(Gomoku::start("gomokufreestyle").parse_move("p1").is_err());
    assert!(game.parse_move("t20").is_ok() && game.parse_move("P@j20").is_err());
}

/// Classifies a neighbourhood by the sets of cells that are missing in each possible five through the centre.
fn pattern_by_fives(cells: &[u16], rows: Rows) -> Pattern {
    let centre = cells.len() / 2;
    let is_own = |cell: usize| cells.get(cell) == Some(&OWN);
    let mut missing: Vec<Vec<usize>> = Vec::new();
    for first in centre - 4..=centre {
        let five = first..first + 5;
        let flanked = first.checked_sub(1).is_some_and(is_own) || is_own(first + 5);
        if five.clone().all(|cell| cells[cell] != BLOCKED) && !(rows == Rows::ExactlyFive && flanked) {
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
    for (rows, reach) in [(Rows::FiveOrMore, 4), (Rows::FiveOrMore, 5), (Rows::ExactlyFive, 5)] {
        let (table, reach) = (patterns::table(rows, reach), reach as isize);
        let mut seen = std::collections::HashSet::new();
        for number in 0..3u16.pow(2 * reach as u32) {
            let digit = |offset| match offset {
                0 => OWN,
                _ => number / place_value(offset, reach as usize) % 3,
            };
            let cells: Vec<u16> = (-reach..=reach).map(digit).collect();
            let (pattern, expected) = (table[usize::from(number)], pattern_by_fives(&cells, rows));
            assert_eq!(pattern, expected, "{cells:?}, {rows:?}");
            seen.insert(pattern as u8);
        }
        // All but the forbidden ones.
        assert_eq!(seen.len(), Pattern::COUNT - 1);
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
        let is_lost = |slow: &mut SlowBoard| match fives[1][..] {
            [] => false,
            [block] => slow.is_forbidden(block, own),
            _ => true,
        };
        let ply = Ply::new(7);
        let bounds = game.value_bounds(ply);
        let mut expect = |kind: usize, score: Score, cells: &[usize]| {
            seen[kind] += 1;
            assert_eq!(bounds, (score, score), "{}", text(game));
            // If each of the cells is forbidden, the search chooses how to lose.
            let forced = game.forced_move().map(Gomoku::cell);
            let is_known =
                forced.map_or(game.rules.has_forbidden_moves(own) && kind == 1, |cell| cells.contains(&cell));
            assert!(is_known, "{}: forced {forced:?}", text(game));
        };
        match &fives {
            [own, _] if !own.is_empty() => expect(0, Score::mate_in(Ply::new(8)), own),
            [_, other] if other.len() > 1 => expect(1, Score::mated_in(Ply::new(9)), other),
            [_, other] if other.len() == 1 => {
                let is_lost = is_lost(slow);
                assert_eq!(bounds.1 == Score::mated_in(Ply::new(9)), is_lost, "{}", text(game));
                assert_eq!(game.forced_move().map(Gomoku::cell), (!is_lost).then_some(other[0]));
            }
            _ => {
                let mut winning = slow.cells_that_threaten_twice(own);
                winning.retain(|&cell| !slow.is_forbidden(cell, own));
                if !winning.is_empty() {
                    return expect(2, Score::mate_in(Ply::new(10)), &winning);
                }
                let longest = if game.rules.has_forbidden_moves(other) { 10 } else { 12 };
                let expected = (Score::mated_in(Ply::new(11)), Score::mate_in(Ply::new(longest)));
                assert_eq!(bounds, expected, "{}", text(game));
                assert_eq!(game.forced_move(), None);
                if !game.faces_open_three() {
                    return;
                }
                let dangers = slow.cells_that_threaten_twice(other);
                // The opponent has an open three. A move that is left out makes no four and leaves the opponent a cell that
                // wins.
                seen[3] += 1;
                let mut candidates = MoveList::new();
                game.noisy_moves(&mut candidates);
                game.quiet_moves(&mut candidates);
                for mv in game.moves().into_iter().filter(|mv| !candidates.contains(mv)) {
                    slow.stones[Gomoku::cell(mv)] = Some(own);
                    let is_dangerous = dangers
                        .iter()
                        .any(|&cell| slow.threatens_twice(cell, other) && !slow.is_forbidden(cell, other));
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
    let starts = [Gomoku::start("gomokufreestyle"), Gomoku::start("gomoku"), Gomoku::start("renju")];
    for seen in starts.iter().zip([6, 6, 20]).map(|(start, games)| check_proofs(start, games, 8)) {
        assert!(seen.iter().all(|&count| count > 3), "{seen:?}");
    }
}

#[test]
fn first_player_loses_in_renju_by_a_forbidden_move() {
    let outcome = |board: &str, mv: &str| {
        let mut game = Gomoku::start("renju").parse_position(board).unwrap().game;
        play(&mut game, mv);
        (game.outcome(), game.outcome_reason())
    };
    let forbidden = (Some(Outcome::Win(Side::Black)), Some("forbidden move"));
    let row = |row: &str| format!("15/15/15/15/15/15/15/{row}/15/15/15/15/15/15/15 w");
    assert_eq!(outcome(&row("3PPP1PP6"), "g8"), forbidden, "six in a row");
    assert_eq!(outcome(&row("3P1P1P1P5"), "g8"), forbidden, "two fours on a line");
    assert_eq!(outcome(&row("3P1PP8"), "h8"), (None, None), "one four");
    let cross = "15/15/15/15/15/15/7P7/6P1P6/7P7/15/15/15/15/15/15 w";
    assert_eq!(outcome(cross, "h8"), forbidden, "two open threes");
    let stopped = "15/15/15/15/15/7p7/7P7/6P1P6/7P7/15/15/15/15/15/15 w";
    assert_eq!(outcome(stopped, "h8"), (None, None), "one open three");
    let five = "15/15/15/15/15/15/7P7/4PPP1P6/7P7/15/15/15/15/15/15 w";
    assert_eq!(outcome(five, "h8"), (Some(Outcome::Win(Side::White)), None), "five, and an open three");
    let second = "15/15/15/15/15/15/15/3ppp1pp6/15/15/15/15/15/15/15 b";
    assert_eq!(outcome(second, "g8"), (Some(Outcome::Win(Side::Black)), None), "six of the second side");
}

#[test]
fn stone_on_a_forbidden_double_four_may_stop_an_open_three() {
    let game = |text| Gomoku::start("renju").parse_position(text).unwrap().game;
    for (text, defence) in [
        ("15/15/15/15/15/15/2p1p3p1p4/p1PPP3PPP1p2/3p5p5/15/15/15/15/15/15 b", "g8"),
        ("15/15/15/1p13/1P13/1P13/1P13/3PPP1p7/15/15/15/15/15/15/15 b", "b8"),
    ] {
        let (game, mut moves) = (game(text), MoveList::new());
        assert!(game.faces_open_three());
        game.quiet_moves(&mut moves);
        assert!(moves.contains(&game.parse_move(defence).unwrap()), "{text}");
    }
}

#[test]
fn game_that_is_lost_by_a_forbidden_move_has_another_key() {
    let text = "15/15/15/15/15/15/15/3PPP1PP6/15/15/15/15/15/15/15 w";
    let mut game = Gomoku::start("renju").parse_position(text).unwrap().game;
    let (before, mv) = (game.key(), game.parse_move("g8").unwrap());
    game.play(mv);
    assert_ne!(game.key(), game.initial().parse_position(&game.position_text()).unwrap().game.key());
    game.undo(mv);
    assert_eq!((game.key(), game.outcome()), (before, None));
}
