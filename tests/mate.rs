//! The search for mates against a full search.

use duiyi::game::{Heuristics, Notation, Outcome, Ply, SplitMix64};
use duiyi::games::chess::Position;
use duiyi::games::xiangqi::Xiangqi;
use duiyi::search::mate::MateSearch;

/// The plies of the line that the search finds, `None` without one. Checks that the line ends with a win.
fn found<G: Heuristics>(root: &G, moves: u32, budget: u64) -> Option<usize> {
    let mut search = MateSearch::new(root.clone(), moves).unwrap();
    let line = search.run(budget, &mut || Ok(())).unwrap()?;
    let mut game = root.clone();
    for &mv in &line {
        assert!(game.is_legal(mv));
        game.play(mv);
    }
    assert_eq!(game.outcome(), Some(Outcome::Win(root.side_to_move())));
    assert!(line.len() < 2 * moves as usize);
    Some(line.len())
}

/// Whether the side to move can win in `plies` plies against every reply.
fn wins<G: Heuristics>(game: &mut G, ply: usize, plies: usize) -> bool {
    game.moves().into_iter().any(|mv| {
        game.play(mv);
        let is_won = match game.outcome() {
            Some(outcome) => outcome == Outcome::Win(!game.side_to_move()),
            None if game.claim(Ply::new(ply + 1)).is_some() || plies < 3 => false,
            None => game.moves().into_iter().all(|reply| {
                game.play(reply);
                let is_won = game.claim(Ply::new(ply + 2)).is_none() && wins(game, ply + 2, plies - 2);
                game.undo(reply);
                is_won
            }),
        };
        game.undo(mv);
        is_won
    })
}

/// Compares the positions of random games from `starts` with a full search to three plies.
fn check_random_games<G: Heuristics + Notation>(initial: &G, starts: &[&str]) {
    let (mut random, mut mates, mut others) = (SplitMix64::new(39), 0, 0);
    for text in starts.iter().cycle().take(12) {
        let mut game = initial.parse_position(text).unwrap().game;
        for _ in 0..10 {
            let moves = game.moves();
            if moves.is_empty() || game.claim(Ply::ROOT).is_some() {
                break;
            }
            let expected = wins(&mut game.clone(), 0, 3);
            assert_eq!(found(&game, 2, u64::MAX).is_some(), expected, "{}", game.position_text());
            *(if expected { &mut mates } else { &mut others }) += 1;
            game.play(moves[(random.next() % moves.len() as u64) as usize]);
        }
    }
    assert!(mates > 5 && others > 5, "{mates} {others}");
}

#[test]
fn mates_in_two_are_those_of_a_full_search() {
    check_random_games(
        &Position::start(),
        &[
            "4k3/8/8/8/8/8/1Q6/K2R4 w - - 0 1",
            "r3k2r/pPp1p1pp/8/3pP3/8/8/PpP1P1pP/R3K2R w KQkq d6 0 1",
            "6k1/5ppp/8/8/8/5q2/5PPP/R5K1 b - - 0 1",
        ],
    );
    check_random_games(
        &Xiangqi::start(),
        &["4k4/9/9/9/9/9/9/4C4/R7R/3K5 w", "3k5/4a4/9/9/2p6/9/9/9/4p1R2/4K4 w"],
    );
}

#[test]
fn mates_behind_quiet_moves_are_found_with_few_nodes() {
    for (text, moves, plies) in [
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2, Some(3)),
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 4, Some(1)),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, None),
    ] {
        let root = Position::start().parse_position(text).unwrap().game;
        assert_eq!(found(&root, moves, 5_000), plies, "{text}");
    }
}

#[test]
fn search_goes_on_where_it_has_paused() {
    let text = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
    let root = Position::start().parse_position(text).unwrap().game;
    let mut search = MateSearch::new(root, 2).unwrap();
    let runs = (1..1000).find(|_| search.run(50, &mut || Ok(())).unwrap().is_some());
    assert!(runs.is_some_and(|runs| runs > 1), "{runs:?}");
}
