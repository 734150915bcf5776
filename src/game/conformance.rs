//! The one suite that every game must pass.

use super::{Hints, KeySequence, Move, MoveList, Notation, Ply, Score, Style};
use std::collections::HashMap;

/// Plays `games` random games of at most `plies` plies from `start` and checks at every position that
///
/// * undo restores the position, the same key and the same text;
/// * the incremental key equals the key of a position read afresh from the text;
/// * legal moves are distinct, pass [`super::Game::is_legal`], split into tactical and quiet ones, and round-trip
///   through text in every style;
/// * there are none exactly when there is an outcome, and a quick outcome is the outcome;
/// * history slots lie within their tables;
/// * where [`super::Game::ALTERNATES`] says so, the turn passes.
///
/// Panics with the position's text where a check fails.
pub fn check<G: Hints + Notation>(start: &G, games: usize, plies: usize, seed: u64) {
    let mut random = KeySequence::new(seed);
    for _ in 0..games {
        let mut game = start.clone();
        for _ in 0..plies {
            check_position(&game);
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            for &mv in &moves {
                check_move(&mut game, mv);
            }
            game.play(moves[(random.next() % moves.len() as u64) as usize]);
        }
    }
}

fn styles() -> [Style; 2] {
    [Style { chess960: false }, Style { chess960: true }]
}

fn check_position<G: Hints + Notation>(game: &G) {
    let text = game.position_text(Style::default());
    for style in styles() {
        let written = game.position_text(style);
        let parsed = G::parse_position(&written).unwrap_or_else(|e| panic!("{written}: {e}"));
        assert!(parsed.notes.is_empty(), "{written}: corrected on reading: {:?}", parsed.notes);
        assert_eq!(parsed.game.position_text(style), written, "text does not round-trip");
        assert_eq!(parsed.game.key(), game.key(), "{written}: incremental key differs from a fresh one");
    }
    let moves = game.moves();
    assert_eq!(moves.is_empty(), game.outcome().is_some(), "{text}: outcome against legal moves");
    assert_eq!(moves.len(), game.count_moves(), "{text}: count_moves");
    if let Some(outcome) = game.quick_outcome() {
        assert_eq!(Some(outcome), game.outcome(), "{text}: quick outcome");
    }
    let mut split = MoveList::new();
    game.tactical_moves(&mut split);
    assert!(split.iter().all(|&mv| game.is_tactical(mv)), "{text}: a tactical move is not");
    let tactical = split.len();
    game.quiet_moves(&mut split);
    assert!(!split[tactical..].iter().any(|&mv| game.is_tactical(mv)), "{text}: a quiet move is not");
    split.sort_unstable();
    let mut sorted = moves.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, split, "{text}: tactical and quiet moves are not all moves");
    assert!(sorted.windows(2).all(|pair| pair[0] != pair[1]), "{text}: a move twice");
    let _ = game.claim(Ply::ROOT);
}

fn check_move<G: Hints + Notation>(game: &mut G, mv: Move) {
    let text = game.position_text(Style::default());
    assert!(game.is_legal(mv), "{text}: {mv:?} was generated but is not legal");
    for style in styles() {
        let written = game.move_text(mv, style);
        assert_eq!(game.parse_move(&written), Ok(mv), "{text}: {written} does not round-trip");
    }
    let written = game.san_text(mv);
    assert_eq!(game.parse_san(&written), Ok(mv), "{text}: {written} does not round-trip");
    assert!(game.butterfly(mv) < G::BUTTERFLY && game.piece_to(mv) < G::PIECE_TO, "{text}: slot of {mv:?}");
    assert!(game.captured(mv) < G::CAPTURED, "{text}: captured of {mv:?}");
    let (key, side) = (game.key(), game.side_to_move());
    game.play(mv);
    assert!(!G::ALTERNATES || game.side_to_move() != side, "{text}: the turn did not pass");
    game.undo(mv);
    assert_eq!(game.key(), key, "{text}: undo changed the key");
    assert_eq!(game.position_text(Style::default()), text, "undo changed the position");
}

/// Plays `games` random games, of a kind in which each move leaves one less, and compares what [`Hints`] says of
/// values with their definition wherever at most `left` moves are left:
///
/// * the value lies within the range, and a forced move has it;
/// * positions of one table key have one value but for what is in the bank, and so have their moves of one
///   canonical form, which is read back as the move it came from.
///
/// Gives the number of positions whose table key an earlier one of another key had. Panics with the
/// position's text where a check fails.
pub fn check_values<G: Hints + Notation>(start: &G, games: usize, left: usize, seed: u64) -> usize {
    let mut random = KeySequence::new(seed);
    let (mut keys, mut values, mut shared) = (HashMap::new(), HashMap::new(), 0);
    for _ in 0..games {
        let mut game = start.clone();
        while game.outcome().is_none() {
            let moves = game.moves();
            if moves.len() <= left {
                shared += usize::from(*keys.entry(game.table_key()).or_insert(game.key()) != game.key());
                check_value(&mut game, &mut values);
            }
            game.play(moves[(random.next() % moves.len() as u64) as usize]);
        }
    }
    shared
}

/// `known` holds values without what is in the bank, by table key, of each position and of each of its moves.
fn check_value<G: Hints + Notation>(game: &mut G, known: &mut HashMap<(u64, Option<Move>), i32>) {
    let text = game.position_text(Style::default());
    let key = game.table_key();
    let to_come = |score: Score, banked: i32| score.value() - if score.is_decisive() { 0 } else { banked };
    let mut best = -Score::INFINITE;
    for mv in game.moves() {
        let value = value_of(game, mv, Ply::ROOT);
        best = best.max(value);
        let canonical = game.canonical(mv);
        assert_eq!(game.uncanonical(canonical), mv, "{text}: {mv:?} by its canonical form");
        let value = to_come(value, game.banked());
        let same = *known.entry((key, Some(canonical))).or_insert(value);
        assert_eq!(same, value, "{text}: {mv:?} and a move that it shares a canonical form with");
    }
    let (least, greatest) = game.value_range();
    assert!(least <= best && best <= greatest, "{text}: {best:?} out of range");
    if let Some(mv) = game.forced_move() {
        assert_eq!(value_of(game, mv, Ply::ROOT), best, "{text}: the forced move {mv:?}");
    }
    let value = to_come(best, game.banked());
    let same = *known.entry((key, None)).or_insert(value);
    assert_eq!(same, value, "{text}: another position of its table key");
}

/// The definition of a move's value, for the side that makes it `ply` plies from the root.
fn value_of<G: Hints>(game: &mut G, mv: Move, ply: Ply) -> Score {
    let (mover, ply) = (game.side_to_move(), ply.next());
    game.play(mv);
    let side = game.side_to_move();
    let value = match game.outcome() {
        Some(outcome) => Score::of(outcome, side, ply),
        None => game.moves().iter().map(|&mv| value_of(game, mv, ply)).max().unwrap_or(-Score::INFINITE),
    };
    game.undo(mv);
    if side == mover { value } else { -value }
}
