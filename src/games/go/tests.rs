//! Rules against a slow implementation, and the conformance suite.

use super::board::{Board, stone_key};
use super::life::safe_area;
use super::position::{Go, PASS, PASS_KEYS, WHITE_KEY};
use super::rules::Rules;
use crate::game::conformance::{self, play};
use crate::game::{Claim, Game, Heuristics, Notation, Outcome, Ply, Score, Side, SplitMix64};
use std::collections::{BTreeSet, HashSet};

type Small = Go<1>;
type Large = Go<6>;

fn position<const WORDS: usize>(text: &str) -> Go<WORDS> {
    Go::start().parse_position(text).unwrap().game
}

fn empty<const WORDS: usize>(size: usize) -> Go<WORDS> {
    position(&format!("{} b", vec![size.to_string(); size].join("/")))
}

/// Another implementation of the rules: a list of stones, and flood fill.
#[derive(Clone)]
struct SlowBoard {
    size: usize,
    stones: Vec<Option<Side>>,
}

impl SlowBoard {
    fn neighbours(&self, cell: usize) -> Vec<usize> {
        let (file, rank, size) = (cell % self.size, cell / self.size, self.size);
        let steps = [
            (file > 0, cell.wrapping_sub(1)),
            (file + 1 < size, cell + 1),
            (rank > 0, cell.wrapping_sub(size)),
            (rank + 1 < size, cell + size),
        ];
        steps.into_iter().filter(|step| step.0).map(|step| step.1).collect()
    }

    /// The cells that cells with the same content join to `cell`, and all cells beside them.
    fn flood(&self, cell: usize) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let (mut inside, mut beside, mut todo) = (BTreeSet::from([cell]), BTreeSet::new(), vec![cell]);
        while let Some(cell) = todo.pop() {
            for next in self.neighbours(cell) {
                if self.stones[next] != self.stones[cell] {
                    beside.insert(next);
                } else if inside.insert(next) {
                    todo.push(next);
                }
            }
        }
        (inside, beside)
    }

    fn liberties(&self, cell: usize) -> BTreeSet<usize> {
        self.flood(cell).1.into_iter().filter(|&cell| self.stones[cell].is_none()).collect()
    }

    fn remove_dead(&mut self, cell: usize) -> usize {
        let (chain, _) = self.flood(cell);
        if !self.liberties(cell).is_empty() {
            return 0;
        }
        chain.iter().for_each(|&cell| self.stones[cell] = None);
        chain.len()
    }

    /// The board after a move, and whether the move was suicide.
    fn after(&self, cell: usize, side: Side) -> (SlowBoard, bool) {
        let mut board = self.clone();
        board.stones[cell] = Some(side);
        for neighbour in self.neighbours(cell) {
            if board.stones[neighbour] == Some(!side) {
                board.remove_dead(neighbour);
            }
        }
        let is_suicide = board.remove_dead(cell) > 0;
        (board, is_suicide)
    }

    /// Black's points minus White's.
    fn area_difference(&self) -> i32 {
        let owner = |cell: usize| {
            let owners: HashSet<Option<Side>> = match self.stones[cell] {
                Some(side) => HashSet::from([Some(side)]),
                None => self.flood(cell).1.iter().map(|&cell| self.stones[cell]).collect(),
            };
            match (owners.contains(&Some(Side::White)), owners.contains(&Some(Side::Black))) {
                (true, false) => 1,
                (false, true) => -1,
                _ => 0,
            }
        };
        (0..self.stones.len()).map(owner).sum()
    }
}

fn cell_of(point: usize, size: usize) -> usize {
    point / (size + 1) * size + point % (size + 1)
}

fn check_chains<const WORDS: usize>(board: &Board<WORDS>, slow: &SlowBoard) {
    let size = board.size();
    let cells = |points: super::points::Points<WORDS>| -> BTreeSet<usize> {
        points.iter().map(|point| cell_of(point, size)).collect()
    };
    for point in board.area().iter() {
        let cell = cell_of(point, size);
        assert_eq!(board.stone(point), slow.stones[cell]);
        if let Some(side) = slow.stones[cell] {
            let chain = board.chain(point);
            assert_eq!((chain.side, cells(chain.stones)), (side, slow.flood(cell).0));
            assert_eq!(cells(chain.liberties), slow.liberties(cell));
        }
    }
}

/// The most plies of a random game: the slow implementation takes long on a large board.
const MAX_PLIES: usize = 400;

/// Compares random games with [`SlowBoard`]: legal moves, stones, chains, points.
fn check_random_games<const WORDS: usize>(size: usize, games: usize, rules: Rules, seed: u64) {
    let mut random = SplitMix64::new(seed);
    for _ in 0..games {
        let mut game: Go<WORDS> = empty(size);
        game.rules = rules;
        let mut slow = SlowBoard { size, stones: vec![None; size * size] };
        let situation = |side| rules.is_situational.then_some(side);
        let mut seen = HashSet::from([(slow.stones.clone(), situation(Side::White))]);
        for _ in 0..(4 * size * size).min(MAX_PLIES) {
            let side = game.side_to_move();
            let is_legal = |&cell: &usize| {
                if slow.stones[cell].is_some() || game.ko.is_some_and(|ko| cell_of(ko, size) == cell) {
                    return false;
                }
                let (after, is_suicide) = slow.after(cell, side);
                let repeats = seen.contains(&(after.stones, situation(!side)));
                (rules.allows_suicide || !is_suicide) && (!repeats || Go::<WORDS>::EXACT)
            };
            let expected: BTreeSet<usize> = (0..size * size).filter(is_legal).collect();
            let moves = game.moves();
            let points = moves.iter().filter_map(|&mv| Go::<WORDS>::point(mv));
            let found: BTreeSet<usize> = points.map(|point| cell_of(point, size)).collect();
            assert_eq!(found, expected, "{}", game.position_text());
            assert!(moves.contains(&PASS));
            // Passes are rare, so that games go on until the board is full and stones are captured.
            let passes = moves.len() == 1 || random.next().is_multiple_of(64);
            let mv =
                if passes { PASS } else { moves[1 + (random.next() % (moves.len() as u64 - 1)) as usize] };
            game.play(mv);
            if let Some(point) = Go::<WORDS>::point(mv) {
                (slow, _) = slow.after(cell_of(point, size), side);
            }
            seen.insert((slow.stones.clone(), situation(!side)));
            check_chains(&game.board, &slow);
            assert_eq!(game.board.area_difference(), slow.area_difference(), "{}", game.position_text());
            if game.outcome().is_some() {
                break;
            }
        }
    }
}

/// The number of random games: DUIYI_RANDOM_GAMES, or `usual` without it.
fn number_of_games(usual: usize) -> usize {
    std::env::var("DUIYI_RANDOM_GAMES").ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}

#[test]
fn random_games_agree_with_a_slow_implementation() {
    for (index, _) in Rules::NAMES.iter().enumerate() {
        for size in [2, 3, 5, 9] {
            check_random_games::<6>(
                size,
                number_of_games(6),
                Rules::of_index(index as i64),
                31 * size as u64,
            );
        }
    }
    check_random_games::<6>(19, 1, Rules::CHINESE, 1);
    for size in 2..=7 {
        check_random_games::<1>(size, number_of_games(6), Rules::CHINESE, size as u64);
    }
}

#[test]
fn random_games_conform() {
    conformance::check(&empty::<1>(2), 20, 30, 1);
    conformance::check(&empty::<1>(4), 4, 40, 2);
    conformance::check(&empty::<6>(3), 10, 40, 3);
    conformance::check(&empty::<6>(9), 2, 40, 4);
    conformance::check(&empty::<6>(19), 1, 3, 5);
    // After captures and passes, with a history that superko depends on.
    let mut game = empty::<6>(3);
    play(&mut game, "b2 a1 pass b1 a2 c1 c2 pass a1");
    conformance::check(&game, 10, 30, 6);
    let mut game = position::<6>("5/1Pp2/Pp1p1/1Pp2/5 b");
    play(&mut game, "c3 e5 e1 b3");
    assert!(
        game.ko.is_none() || !game.is_legal(game.parse_move("pass").map_or(PASS, |_| Large::stone_move(14)))
    );
    conformance::check(&game, 5, 30, 7);
    conformance::check_evaluation(&empty::<6>(5), None, 3, 40, 8);
    conformance::check_evaluation(&empty::<1>(4), None, 3, 20, 9);
}

#[test]
fn ko_is_not_retaken_at_once() {
    let mut game = position::<6>("5/1Pp2/Pp1p1/1Pp2/5 b");
    play(&mut game, "c3");
    assert_eq!(game.position_text(), "5/1Pp2/P1Pp1/1Pp2/5 w b3 0 7 1");
    assert!(game.parse_move("b3").is_err());
    play(&mut game, "e5 e1");
    assert!(game.parse_move("b3").is_ok());
    let expected = "the free point of a ko";
    for ko in ["c3", "a1", "z9", "b3"] {
        let text = format!("5/1Pp2/P1Pp1/1Pp2/5 b {ko} 0 7 1");
        assert!(Large::start().parse_position(&text).unwrap_err().to_string().contains(expected), "{ko}");
    }
}

/// White gives two stones, and takes one back: each time the stones are as before.
const TWO_FOR_ONE: &str = "4/4/PPp1/1p1p w - 0 0";

#[test]
fn superko_is_positional_or_situational() {
    let mut game = position::<6>(TWO_FOR_ONE);
    play(&mut game, "a1 c1");
    assert!(game.parse_move("b1").is_err());
    game.rules = Rules::of_index(1);
    play(&mut game, "b1 pass");
    assert!(game.parse_move("a1").is_err());
    assert!(game.parse_move("c1").is_ok());
}

#[test]
fn suicide_needs_rules_that_allow_it() {
    let mut game = position::<6>("3/P2/1P1 w");
    assert!(game.parse_move("a1").is_err());
    game.rules = Rules::of_index(2);
    // One stone would leave the stones as they are: positional superko.
    assert!(game.parse_move("a1").is_err());
    let mut game = position::<6>("P2/pP1/1P1 w");
    assert!(game.parse_move("a1").is_err());
    game.rules = Rules::of_index(2);
    play(&mut game, "a1");
    assert_eq!(game.position_text(), "P2/1P1/1P1 b - 0 7 2");
    game.undo(Large::stone_move(0));
    assert_eq!(game.position_text(), "P2/pP1/1P1 w - 0 7 1");
}

#[test]
fn two_passes_end_the_game_with_area_and_komi() {
    let mut game = position::<6>("1P1/PPP/3 w - 0 6.5 4");
    play(&mut game, "pass pass");
    assert_eq!(game.outcome(), Some(Outcome::Points(10 * 9 - 65)));
    assert_eq!((game.moves().len(), game.outcome_reason()), (0, Some("two passes")));
    let mut game = position::<1>("1P2/pP2/pP2/pP2 w - 0 -0.5");
    play(&mut game, "pass pass");
    // The corner is neutral.
    assert_eq!(game.outcome(), Some(Outcome::Points(2 * (12 - 3) + 1)));
}

#[test]
fn repetition_in_the_small_game_is_worth_all_points_or_none() {
    let mut game = position::<1>(TWO_FOR_ONE);
    play(&mut game, "a1 c1 b1 pass");
    assert_eq!(game.claim(Ply::ROOT), None);
    play(&mut game, "a1");
    assert_eq!((game.claim(Ply::ROOT), game.claim_reach()), (Some(Claim::Points(2 * 16)), 4));
    assert_eq!((game.outcome(), game.outcome_reason()), (None, Some("repetition")));
    // Two kos: both sides lose two stones.
    let mut game = position::<1>("1Pp4/Pp1p3/1Pp4/7/1Pp4/P1Pp3/1Pp4 b");
    play(&mut game, "c6 b2 pass b6 c2 pass");
    assert_eq!(game.claim(Ply::ROOT), None);
    play(&mut game, "c6");
    assert_eq!((game.claim(Ply::ROOT), game.claim_reach()), (Some(Claim::Points(0)), 6));
}

#[test]
fn unconditionally_alive_chains_have_two_vital_regions() {
    let count = |text: &str, side| safe_area(&position::<1>(text).board, side).count();
    // Two eyes of one point in the corner.
    assert_eq!(count("5/5/5/PPPP1/1P1P1 w", Side::White), 8);
    assert_eq!(count("5/5/5/PPP2/1P3 w", Side::White), 0);
    // A white stone in an eye of two points: it has no liberty that is not Black's.
    assert_eq!(count("5/5/5/PPPPP/1P1pP w", Side::White), 10);
    assert_eq!(count("5/5/5/PPPP1/1P1P1 w", Side::Black), 0);
}

#[test]
fn regions_without_room_for_two_eyes_belong_to_the_chains_around_them() {
    let count = |text: &str| safe_area(&position::<1>(text).board, Side::White).count();
    // Of the region above, b5 and c5 have no stone beside them: one eye. The stone c5 may be lost.
    assert_eq!(count("5/P2PP/PPPPP/P1P1P/PPPPP w"), 25);
    assert_eq!(count("1p3/P2PP/PPPPP/P1P1P/PPPPP w"), 25);
    assert_eq!(count("2P2/P2PP/PPPPP/P1P1P/PPPPP w"), 25);
}

#[test]
fn regions_with_two_answers_belong_to_the_chains_around_them() {
    let count = |text: &str| safe_area(&position::<1>(text).board, Side::White).count();
    // Room for eyes on b5, c5 and d5. One of Black's moves a5, b4, d4 and e5 is left after White's.
    assert_eq!(count("5/P3P/PPPPP/P1P1P/PPPPP w"), 25);
    assert_eq!(count("2P2/P3P/PPPPP/P1P1P/PPPPP w"), 25);
    // Only e5 is left, then none: White lives with c5.
    assert_eq!(count("p4/Pp1pP/PPPPP/P1P1P/PPPPP w"), 17);
    assert_eq!(count("p3p/Pp1pP/PPPPP/P1P1P/PPPPP w"), 17);
    assert_eq!(count("5/5/PPPPP/P1P1P/PPPPP w"), 15);
}

#[test]
fn bounds_contain_the_points_at_hand_after_a_pass() {
    let game = position::<1>("5/5/5/PPPP1/1P1P1 w - 1 0 9");
    let (least, greatest) = game.value_bounds(Ply::ROOT);
    // White gets at most all but eight points, and can end the game now.
    assert_eq!((least, greatest), (Score::new(-2 * 25), Score::new(2 * (25 - 16))));
}

/// The key of a position is the exclusive or of some of these keys. None of them is that of others, so different positions have
/// different keys: a ko counts as stones of both sides on its point, and a search for a proof changes the last two bits.
#[test]
fn positions_of_boards_up_to_5x5_have_different_keys() {
    for size in 2..=5 {
        let points = (0..size).flat_map(|rank| (0..size).map(move |file| rank * (size + 1) + file));
        let mut keys: Vec<u64> =
            points.flat_map(|point| Side::ALL.map(|side| stone_key(side, point))).collect();
        keys.extend([WHITE_KEY, PASS_KEYS[1], PASS_KEYS[2], 1, 2]);
        let mut independent = Vec::<u64>::new();
        for key in keys {
            let rest = independent.iter().fold(key, |rest, &other| rest.min(rest ^ other));
            assert_ne!(rest, 0, "{size}x{size}");
            independent.push(rest);
        }
    }
}

#[test]
fn canonical_keys_of_images_are_equal() {
    let keys: HashSet<u64> = ["b1", "c1", "a2", "a3", "d2", "d3", "b4", "c4"]
        .into_iter()
        .map(|mv| {
            let mut game = Small::start();
            play(&mut game, mv);
            game.tt_key()
        })
        .collect();
    assert_eq!(keys.len(), 1);
}

#[test]
fn malformed_texts_are_refused() {
    for text in [
        "",
        "9",
        "1 b",
        "2/2",
        "2/2 x",
        "2/3 b",
        "PP/PP b",
        "Pp/pP b",
        "2/2 b - 3",
        "2/2 b - 0 400",
        "2/2 b - 0 7 0",
        "2/2 b - 0 7 1 1",
        "3/3/3 b b2",
        "20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20 b",
        "é/2 b",
    ] {
        assert!(Large::start().parse_position(text).is_err(), "{text}");
    }
    assert!(Small::start().parse_position(&empty::<6>(8).position_text()).is_err());
    for text in ["", "i1", "a0", "a10", "j10", "pas", "P@a1", "é1", "a+1"] {
        assert!(Large::start().parse_move(text).is_err(), "{text}");
    }
    assert_eq!(Large::start().parse_move("J9").map(|mv| Large::start().move_text(mv)), Ok("j9".into()));
}
