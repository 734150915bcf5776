//! Endgame tables in the search, with tables that the tests make up.

use duiyi::game::{
    Depth, Evaluator, Game, Heuristics, Move, Notation, Outcome, Ply, Probing, RankedMoves, Score,
    TableResult, Tablebase,
};
use duiyi::games::chess::{Classical, Position};
use duiyi::games::tictactoe::{OpenLines, TicTacToe};
use duiyi::search::{self, FinishedSearch, Limits, SearchRequest, SearchState, Settings};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Searches with `tablebase` and an empty transposition table.
fn search<G: Heuristics, E: Evaluator<G>>(
    root: &G,
    limits: Limits,
    settings: Settings,
    tablebase: impl Tablebase<G> + 'static,
) -> FinishedSearch {
    let request =
        SearchRequest { root: root.clone(), limits, settings, tablebase: Some(Arc::new(tablebase)) };
    let never = crossbeam_channel::never();
    search::run_to_end::<G, E>(request, &mut SearchState::new(1).unwrap(), &never, &mut |_| {}).unwrap()
}

/// The value of a position by plain minimax: 1 for a win of the side to move, 0, or -1.
fn value<G: Game>(game: &mut G) -> i32 {
    match game.outcome_or_claim() {
        Some(Outcome::Win(side)) => return if side == game.side_to_move() { 1 } else { -1 },
        Some(_) => return 0,
        None => {}
    }
    let moves = game.moves();
    let value_after = |game: &mut G, mv: Move| {
        game.play(mv);
        let value = -value(game);
        game.undo(mv);
        value
    };
    moves.into_iter().map(|mv| value_after(game, mv)).max().unwrap()
}

/// Tables of all positions of tic-tac-toe, without ranks of root moves.
#[derive(Debug)]
struct Solved;

impl Tablebase<TicTacToe> for Solved {
    fn probe(&self, game: &TicTacToe, _: Depth, _: &Probing) -> Option<TableResult> {
        Some(match value(&mut { *game }) {
            1 => TableResult::Win,
            0 => TableResult::Draw(Score::ZERO),
            _ => TableResult::Loss,
        })
    }
    fn rank_moves(&self, _: &TicTacToe, _: &[Move], _: &Probing) -> Option<RankedMoves> {
        None
    }
    fn summary(&self) -> Option<String> {
        None
    }
    fn take_problems(&self) -> Vec<String> {
        Vec::new()
    }
}

/// All positions with four stones.
fn positions(game: &TicTacToe, stones: usize, found: &mut Vec<TicTacToe>) {
    if game.outcome().is_some() {
        return;
    }
    if stones == 4 {
        found.push(*game);
        return;
    }
    for mv in game.moves() {
        let mut next = *game;
        next.play(mv);
        positions(&next, stones + 1, found);
    }
}

#[test]
fn score_with_tables_of_all_positions_has_the_sign_of_minimax() {
    let mut found = Vec::new();
    positions(&TicTacToe::start(3), 0, &mut found);
    let mut keys = BTreeSet::new();
    found.retain(|game| keys.insert(game.tt_key()));
    let mut values = BTreeSet::new();
    for mut game in found {
        let searched = search::<_, OpenLines>(&game, Limits::depth(2), Settings::default(), Solved);
        let last = searched.last.unwrap();
        let score = last.lines[0].score;
        let expected = value(&mut game);
        assert_eq!(score.value().signum(), expected, "{} in {}", score.value(), game.diagram());
        assert_eq!(score.is_decisive(), expected != 0);
        assert!(last.tb_hits > 0 || score.plies_to_mate() == Some(1));
        values.insert(expected);
        let mut after = game;
        after.play(searched.result.best.unwrap());
        assert_eq!(-value(&mut after), expected);
    }
    assert_eq!(values.len(), 3, "wins, draws and losses");
}

/// Tables that know every position in the tree as `below`, and rank the king's moves of the root above the others.
#[derive(Debug)]
struct Made {
    below: Option<TableResult>,
    ensures_progress: Option<bool>,
}

impl Tablebase<Position> for Made {
    fn probe(&self, _: &Position, depth: Depth, probing: &Probing) -> Option<TableResult> {
        self.below.filter(|_| depth >= probing.min_depth)
    }
    fn rank_moves(&self, game: &Position, moves: &[Move], _: &Probing) -> Option<RankedMoves> {
        let rank = |&mv: &Move| {
            let is_king = game.san_text(mv).starts_with('K');
            if is_king { (7, Score::table_win(Ply::ROOT)) } else { (0, Score::ZERO) }
        };
        let ensures_progress = self.ensures_progress?;
        Some(RankedMoves { moves: moves.iter().map(rank).collect(), ensures_progress })
    }
    fn summary(&self) -> Option<String> {
        None
    }
    fn take_problems(&self) -> Vec<String> {
        Vec::new()
    }
}

/// King and rook against king: three moves of the king, and moves of the rook that the evaluation prefers to none.
fn root() -> Position {
    Position::start().parse_position("8/8/8/8/4k3/8/8/K6R w - - 0 1").unwrap().game
}

fn texts(root: &Position, search: &FinishedSearch) -> Vec<String> {
    let lines = &search.last.as_ref().unwrap().lines;
    lines.iter().map(|line| root.move_text(line.pv[0])).collect()
}

#[test]
fn result_inside_the_tree_is_the_score_of_the_root() {
    let check = |below, expected: Score| {
        let made = Made { below: Some(below), ensures_progress: None };
        let found = search::<_, Classical>(&root(), Limits::depth(6), Settings::default(), made);
        let last = found.last.unwrap();
        assert_eq!(last.lines[0].score, expected);
        assert!(last.tb_hits > 0);
    };
    // After one move the opponent loses or wins: the proof is one ply from the root.
    check(TableResult::Loss, Score::table_win(Ply::new(1)));
    check(TableResult::Win, -Score::table_win(Ply::new(1)));
    check(TableResult::Draw(Score::new(-1)), Score::new(1));
}

#[test]
fn search_below_the_probing_depth_does_not_probe() {
    let probing = Probing { min_depth: Depth::new(100), ..Probing::default() };
    let settings = Settings { probing, ..Settings::default() };
    let made = Made { below: Some(TableResult::Win), ensures_progress: None };
    let last = search::<_, Classical>(&root(), Limits::depth(6), settings, made).last.unwrap();
    assert_eq!(last.tb_hits, 0);
    assert!(!last.lines[0].score.is_decisive());
}

#[test]
fn root_moves_of_lower_rank_are_searched_only_after_the_best() {
    let made = || Made { below: Some(TableResult::Loss), ensures_progress: Some(true) };
    let root = root();
    let one = search::<_, Classical>(&root, Limits::depth(5), Settings::default(), made());
    let is_king_move = |text: &String| text.starts_with("a1");
    assert!(texts(&root, &one).iter().all(is_king_move));
    let last = one.last.as_ref().unwrap();
    assert_eq!(last.lines[0].score, Score::table_win(Ply::ROOT));
    // Each root move is a hit, and with distances at the root none is needed below.
    assert_eq!(last.tb_hits, root.moves().len() as u64);
    let settings = Settings { multipv: 256, ..Settings::default() };
    let all = search::<_, Classical>(&root, Limits::depth(3), settings, made());
    let order: Vec<bool> = texts(&root, &all).iter().map(is_king_move).collect();
    assert_eq!(order.len(), root.moves().len());
    assert_eq!(order.iter().filter(|&&king| king).count(), 3);
    assert!(order.is_sorted_by(|first, second| first >= second), "{order:?}");
    for (line, king) in all.last.unwrap().lines.iter().zip(order) {
        assert_eq!(line.score, if king { Score::table_win(Ply::ROOT) } else { Score::ZERO });
    }
}

#[test]
fn root_moves_of_searchmoves_are_ranked_among_themselves() {
    let root = root();
    let searchmoves = vec![root.parse_move("h1h2").unwrap()];
    let made = Made { below: None, ensures_progress: Some(true) };
    let limits = Limits { searchmoves, ..Limits::depth(4) };
    let found = search::<_, Classical>(&root, limits, Settings::default(), made);
    assert_eq!(texts(&root, &found), ["h1h2"]);
    assert_eq!(found.last.unwrap().lines[0].score, Score::ZERO);
}

#[test]
fn root_without_moves_is_reported_as_over() {
    let made = || Made { below: None, ensures_progress: Some(true) };
    for (fen, score) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Score::mated_in(Ply::ROOT)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::ZERO),
    ] {
        let root = Position::start().parse_position(fen).unwrap().game;
        let found = search::<_, Classical>(&root, Limits::depth(4), Settings::default(), made());
        assert_eq!((found.result.best, found.last.unwrap().lines[0].score), (None, score), "{fen}");
    }
}

#[test]
fn ranks_without_progress_leave_the_search_to_probe() {
    let made = Made { below: Some(TableResult::Loss), ensures_progress: Some(false) };
    let found = search::<_, Classical>(&root(), Limits::depth(5), Settings::default(), made).last.unwrap();
    assert!(found.tb_hits > root().moves().len() as u64);
}

#[test]
fn hits_of_all_threads_are_counted() {
    let made = Made { below: Some(TableResult::Draw(Score::ZERO)), ensures_progress: None };
    let settings = Settings { threads: 2, ..Settings::default() };
    let found = search::<_, Classical>(&root(), Limits::depth(8), settings, made);
    assert!(found.last.unwrap().tb_hits > 0);
    assert!(found.result.best.is_some());
}
