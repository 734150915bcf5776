//! The test suite that every game must pass.

use super::{
    Evaluator, Heuristics, MAX_CORRECTION_KEYS, Move, MoveList, Notation, Ply, Score, Side, SplitMix64,
    Tunable, Variant,
};
use crate::nnue::Network;
use std::collections::HashMap;
use std::sync::Arc;

/// Plays `moves`, which are separated by spaces.
///
/// # Panics
/// If one of them is not legal.
pub fn play<G: Notation>(game: &mut G, moves: &str) {
    for text in moves.split_whitespace() {
        game.play(game.parse_move(text).unwrap());
    }
}

/// Checks the rules, notation and heuristics of a game on random games.
///
/// Plays `games` games of at most `plies` plies from `start`. At every position:
///
/// * undo restores the key and the text, after each move and after the whole game;
/// * the incremental keys equal those of the same position read from its text;
/// * legal moves are distinct and pass [`super::Game::is_legal`]; noisy and quiet moves together are the
///   legal moves, or some of them with [`Heuristics::HAS_CANDIDATES`]; moves round-trip through text with all options and through their canonical form;
/// * there is no legal move if and only if there is an outcome, and an early outcome equals the outcome;
/// * [`Heuristics::gives_check`] agrees with [`Heuristics::check_test`], and with [`Heuristics::in_check`] after the
///   move, and history indices are within their tables;
/// * if [`super::Game::ALTERNATES`], every move passes the turn; a null move can be taken back;
/// * swapping the colours twice gives the same position.
///
/// At the first and last position of each game, no 16-bit pattern other than the legal moves passes
/// [`super::Game::is_legal`]: a TT collision can return any pattern.
///
/// # Panics
/// If a check fails, with the position's text.
pub fn check<G: Heuristics + Notation>(start: &G, games: usize, plies: usize, seed: u64) {
    let mut random = SplitMix64::new(seed);
    check_all_move_bits(start);
    for _ in 0..games {
        let (mut game, mut past) = (start.clone(), Vec::new());
        for _ in 0..plies {
            check_position(&game);
            check_null_move(&mut game);
            let moves = game.moves();
            let Some(&next) = random.choose(&moves) else { break };
            for &mv in &moves {
                check_move(&mut game, mv);
            }
            past.push((next, game.key(), game.position_text()));
            game.play(next);
        }
        check_all_move_bits(&game);
        for (mv, key, text) in past.into_iter().rev() {
            game.undo(mv);
            assert_eq!((game.key(), game.position_text()), (key, text), "undoing a game");
        }
    }
}

/// Calls `check` with each option of the game set to 0, to 1 and to its default.
fn with_each_option<G: Notation>(game: &G, check: impl Fn(&G)) {
    check(game);
    for option in G::OPTIONS {
        let mut game = game.clone();
        for value in [0, 1, option.kind.default()] {
            (option.apply)(&mut game, value);
            check(&game);
        }
    }
}

/// Returns all hashes of a position that a game may update incrementally.
fn hashes<G: Heuristics>(game: &G) -> (u64, u64, u64, [u64; MAX_CORRECTION_KEYS]) {
    let mut corrections = [0; MAX_CORRECTION_KEYS];
    game.correction_keys(&mut corrections[..G::CORRECTION_KEYS]);
    (game.key(), game.tt_key(), game.structure_key(), corrections)
}

fn check_all_move_bits<G: Heuristics + Notation>(game: &G) {
    let moves = game.moves();
    for mv in (1..=u16::MAX).map(Move::new) {
        assert!(!game.is_legal(mv) || moves.contains(&mv), "{}: {mv:?} is legal", game.position_text());
        // Must not panic.
        game.key_after(game.original_move(mv));
    }
}

fn check_null_move<G: Heuristics + Notation>(game: &mut G) {
    if !game.can_null_move() {
        return;
    }
    let (before, side, text) = (hashes(game), game.side_to_move(), game.position_text());
    game.make_null_move();
    assert_eq!(game.side_to_move(), !side, "{text}: the turn did not pass");
    game.unmake_null_move();
    assert_eq!(hashes(game), before, "{text}: a null move changed the keys");
    assert_eq!(game.position_text(), text, "a null move changed the position");
}

fn check_position<G: Heuristics + Notation>(game: &G) {
    let text = game.position_text();
    with_each_option(game, |game: &G| {
        for written in [game.position_text(), game.record_text()] {
            let parsed = game.parse_position(&written).unwrap_or_else(|e| panic!("{written}: {e}"));
            assert!(parsed.warnings.is_empty(), "{written}: corrected on reading: {:?}", parsed.warnings);
            assert_eq!(parsed.game.record_text(), game.record_text(), "{written}: text does not round-trip");
            // A text does not say that the last move was forbidden.
            if parsed.game.outcome() == game.outcome() {
                let (found, expected) = (hashes(game), hashes(&parsed.game));
                assert_eq!(found, expected, "{written}: incremental keys against those of the text");
            }
        }
    });
    if let Some(flipped) = game.flipped() {
        let again = flipped.flipped().map(|game| game.position_text());
        assert_eq!(again.as_ref(), Some(&text), "colours swapped twice");
        assert_eq!(flipped.count_moves(), game.count_moves(), "{text}: number of moves with colours swapped");
    }
    let moves = game.moves();
    assert_eq!(moves.is_empty(), game.outcome().is_some(), "{text}: outcome against legal moves");
    assert_eq!(moves.len(), game.count_moves(), "{text}: count_moves");
    if let Some(outcome) = game.early_outcome() {
        assert_eq!(Some(outcome), game.outcome(), "{text}: early outcome");
    }
    let mut split = MoveList::new();
    game.noisy_moves(&mut split);
    assert!(split.iter().all(|&mv| game.is_noisy(mv)), "{text}: a noisy move is quiet");
    let noisy = split.len();
    game.quiet_moves(&mut split);
    assert!(!split[noisy..].iter().any(|&mv| game.is_noisy(mv)), "{text}: a quiet move is noisy");
    split.sort_unstable();
    let mut sorted = moves.clone();
    sorted.sort_unstable();
    if G::HAS_CANDIDATES {
        assert!(split.iter().all(|mv| moves.contains(mv)), "{text}: a candidate move is illegal");
        assert_eq!(split.is_empty(), moves.is_empty(), "{text}: no candidate move");
        assert!(split.windows(2).all(|pair| pair[0] != pair[1]), "{text}: duplicate candidate move");
    } else {
        assert_eq!(sorted, split, "{text}: noisy and quiet moves are not the legal moves");
    }
    assert!(sorted.windows(2).all(|pair| pair[0] != pair[1]), "{text}: duplicate move");
    let _ = game.claim(Ply::ROOT);
}

fn check_move<G: Heuristics + Notation>(game: &mut G, mv: Move) {
    let text = game.position_text();
    assert!(game.is_legal(mv), "{text}: {mv:?} was generated but is not legal");
    with_each_option(game, |game: &G| {
        let written = game.move_text(mv);
        assert_eq!(game.parse_move(&written), Ok(mv), "{text}: {written} does not round-trip");
    });
    let written = game.san_text(mv);
    assert_eq!(game.parse_san(&written), Ok(mv), "{text}: {written} does not round-trip");
    assert!(
        game.butterfly(mv) < G::BUTTERFLY && game.piece_to(mv) < G::PIECE_TO,
        "{text}: history index of {mv:?}"
    );
    let upper_half = 2 * game.piece_to(mv) >= G::PIECE_TO;
    assert!(G::PIECE_TO == 1 || upper_half == (game.side_to_move().index() == 1), "{text}: half of {mv:?}");
    assert!(game.captured_kind(mv) < G::CAPTURED, "{text}: captured of {mv:?}");
    assert_eq!(game.original_move(game.canonical_move(mv)), mv, "{text}: canonical form of {mv:?}");
    let (before, side, gives_check) = (hashes(game), game.side_to_move(), game.gives_check(mv));
    assert_eq!(game.check_test()(mv), gives_check, "{text}: test of a check by {mv:?}");
    game.play(mv);
    assert!(!G::ALTERNATES || game.side_to_move() != side, "{text}: the turn did not pass");
    assert_eq!(game.in_check(), gives_check, "{text}: check by {mv:?}");
    game.undo(mv);
    assert_eq!(hashes(game), before, "{text}: undo changed the keys");
    assert_eq!(game.position_text(), text, "undo changed the position");
}

/// Checks an evaluator on random games.
///
/// Plays `games` games of at most `plies` plies from `start` with an incremental evaluator. At every position
/// that is not terminal the value
///
/// * equals that of a new evaluator, here and after each legal move;
/// * is not decisive, and its win, draw and loss rates sum to 1000;
/// * is the same after swapping the colours.
///
/// # Panics
/// If a check fails, with the position's text.
pub fn check_evaluation<G: Variant>(
    start: &G,
    network: Option<&Arc<Network>>,
    games: usize,
    plies: usize,
    seed: u64,
) {
    let mut random = SplitMix64::new(seed);
    let mut incremental = G::Evaluator::new(network);
    for _ in 0..games {
        let mut game = start.clone();
        incremental.reset(&game);
        for _ in 0..plies {
            let moves = game.moves();
            let Some(&next) = random.choose(&moves) else { break };
            let text = game.position_text();
            let value = incremental.evaluate(&game);
            let mut fresh = G::Evaluator::new(network);
            fresh.reset(&game);
            assert_eq!(value, fresh.evaluate(&game), "{text}: incremental value against a new evaluator's");
            assert!(!value.is_decisive(), "{text}: decisive static evaluation {value:?}");
            let wdl = game.wdl(value, network.map(|network| &**network));
            assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000, "{text}: {wdl:?}");
            if let Some(flipped) = game.flipped() {
                fresh.reset(&flipped);
                assert_eq!(value, fresh.evaluate(&flipped), "{text}: value with colours swapped");
            }
            for &mv in &moves {
                incremental.before_move(&game, mv);
                game.play(mv);
                if game.outcome().is_none() {
                    fresh.reset(&game);
                    assert_eq!(
                        incremental.evaluate(&game),
                        fresh.evaluate(&game),
                        "{text}: value after {mv:?}"
                    );
                }
                game.undo(mv);
                incremental.after_undo();
            }
            assert_eq!(value, incremental.evaluate(&game), "{text}: value after all moves were taken back");
            incremental.before_move(&game, next);
            game.play(next);
        }
    }
}

/// Checks the exact knowledge in [`Heuristics`] against brute-force values.
///
/// Plays `games` random games of a kind in which every move reduces the number of legal moves by one. At
/// positions with at most `left` legal moves:
///
/// * the value lies within [`Heuristics::value_bounds`], and a forced move has that value;
/// * positions with equal TT keys have equal values apart from [`Heuristics::points_so_far`], and so have
///   their moves with equal canonical forms, which map back to the original moves.
///
/// Returns the number of positions that share the TT key of an earlier position with another key.
///
/// # Panics
/// If a check fails, with the position's text.
pub fn check_values<G: Heuristics + Notation>(start: &G, games: usize, left: usize, seed: u64) -> usize {
    let mut random = SplitMix64::new(seed);
    let (mut keys, mut values, mut shared) = (HashMap::new(), HashMap::new(), 0);
    for _ in 0..games {
        let mut game = start.clone();
        while game.outcome().is_none() {
            let moves = game.moves();
            if moves.len() <= left {
                shared += usize::from(*keys.entry(game.tt_key()).or_insert(game.key()) != game.key());
                check_value(&mut game, &mut values);
            }
            game.play(moves[(random.next() % moves.len() as u64) as usize]);
        }
    }
    shared
}

/// `known` maps a TT key, and a canonical move if any, to the value without the points scored so far.
fn check_value<G: Heuristics + Notation>(game: &mut G, known: &mut HashMap<(u64, Option<Move>), i32>) {
    let text = game.position_text();
    let key = game.tt_key();
    let remaining = |score: Score, points: i32| score.value() - if score.is_decisive() { 0 } else { points };
    let mut best = -Score::INFINITE;
    for mv in game.moves() {
        let value = value_of(game, mv, Ply::ROOT);
        best = best.max(value);
        let canonical = game.canonical_move(mv);
        assert_eq!(game.original_move(canonical), mv, "{text}: canonical form of {mv:?}");
        let value = remaining(value, game.points_so_far());
        let same = *known.entry((key, Some(canonical))).or_insert(value);
        assert_eq!(same, value, "{text}: value of {mv:?} against a move with the same canonical form");
    }
    let (least, greatest) = game.value_bounds(Ply::ROOT);
    assert!(least <= best && best <= greatest, "{text}: {best:?} outside value_bounds");
    if let Some(mv) = game.forced_move() {
        assert_eq!(value_of(game, mv, Ply::ROOT), best, "{text}: value of the forced move {mv:?}");
    }
    let value = remaining(best, game.points_so_far());
    let same = *known.entry((key, None)).or_insert(value);
    assert_eq!(same, value, "{text}: value against a position with the same TT key");
}

/// Returns the value of `mv` for the side that plays it, by exhaustive search. `ply` is the distance from the root.
fn value_of<G: Heuristics>(game: &mut G, mv: Move, ply: Ply) -> Score {
    let (mover, ply) = (game.side_to_move(), ply.next());
    game.play(mv);
    let side = game.side_to_move();
    let value = match game.outcome() {
        Some(outcome) => Score::from_outcome(outcome, side, ply),
        None => game.moves().iter().map(|&mv| value_of(game, mv, ply)).max().unwrap_or(-Score::INFINITE),
    };
    game.undo(mv);
    if side == mover { value } else { -value }
}

/// Checks that a traced evaluation is the evaluation, and its gradient the slope of its value.
///
/// Plays `games` games of at most `plies` plies from `start`. The value of each trace may differ from the evaluation by
/// `rounding`, and by a third of it on average. Every 37th trace is differentiated by difference quotients.
///
/// # Panics
/// If a check fails, with the position's text.
pub fn check_tunable<G, E>(start: &G, games: usize, plies: usize, rounding: f32, seed: u64)
where
    G: Heuristics + Notation,
    E: Evaluator<G> + Tunable<G>,
{
    let (mut random, mut evaluator) = (SplitMix64::new(seed), E::new(None));
    let weights: Vec<f32> = E::WEIGHTS.numbers().into_iter().map(|(_, value)| value).collect();
    let mut shifted = weights.clone();
    for weight in &mut shifted {
        *weight += (random.next() % 64) as f32 / 16.0;
    }
    let (mut traced, mut errors, mut slopes) = (0, 0.0, Slopes::default());
    for _ in 0..games {
        let mut game = start.clone();
        for _ in 0..plies {
            let Some(&mv) = random.choose(&game.moves()) else { break };
            game.play(mv);
            let Some(trace) = E::trace(&game) else { continue };
            traced += 1;
            evaluator.reset(&game);
            let value = evaluator.evaluate(&game).value() as f32;
            let white = if game.side_to_move() == Side::White { value } else { -value };
            let error = (E::value(&trace, &weights) - white).abs();
            let text = game.position_text();
            assert!(error < rounding, "{text}: trace differs from evaluation {white} by {error}");
            errors += error;
            if traced % 37 == 0 {
                check_gradient::<G, E>(&trace, &mut shifted, &mut slopes, &text);
            }
        }
    }
    assert!(traced > games * plies / 4, "{traced} positions were traced");
    assert!(errors < rounding / 3.0 * traced as f32, "mean error {}", errors / traced as f32);
    // At kinks (a part that begins or ends to count) a difference quotient mixes both slopes.
    assert!(slopes.kinks < slopes.compared / 200, "{slopes:?}");
}

/// The derivatives compared by [`check_gradient`], and those that differ.
#[derive(Debug, Default)]
struct Slopes {
    compared: usize,
    kinks: usize,
}

fn check_gradient<G: Heuristics, T: Tunable<G>>(
    trace: &T::Trace,
    weights: &mut [f32],
    slopes: &mut Slopes,
    text: &str,
) {
    const STEP: f32 = 0.0625;
    let (mut gradient, mut used) = (vec![0.0; weights.len()], vec![false; weights.len()]);
    T::add_gradient(trace, weights, 1.0, &mut gradient);
    T::for_each_weight(trace, &mut |weight| used[weight] = true);
    for at in 0..weights.len() {
        if !used[at] {
            assert_eq!(gradient[at], 0.0, "{text}: the slope of an unused weight");
            continue;
        }
        let before = weights[at];
        let [above, below] = [STEP, -STEP].map(|change| {
            weights[at] = before + change;
            T::value(trace, weights)
        });
        weights[at] = before;
        let slope = (above - below) / (2.0 * STEP);
        slopes.kinks += usize::from((slope - gradient[at]).abs() > 0.02 + 0.01 * slope.abs());
        slopes.compared += 1;
    }
}

/// Checks that [`Weights::file`](super::Weights::file) writes the present weights as they stand in `file`.
///
/// # Panics
/// If a check fails.
pub fn check_weights_file<G: Heuristics, T: Tunable<G>>(file: &str) {
    let mut weights: Vec<f32> = T::WEIGHTS.numbers().into_iter().map(|(_, value)| value).collect();
    assert_eq!(T::WEIGHTS.file(&weights), file);
    *weights.last_mut().expect("a weight") = -1234.4;
    assert!(T::WEIGHTS.file(&weights).ends_with(",-1234),\n]\n"));
}
