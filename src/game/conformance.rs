//! The one suite that every game must pass.

use super::{
    Evaluator, Heuristics, MAX_CORRECTION_KEYS, Move, MoveList, Notation, NotationOptions, Ply, Score,
    SplitMix64,
};
use std::collections::HashMap;

/// Plays `games` random games of at most `plies` plies from `start` and checks at every position that
///
/// * undo restores the position, the same key and the same text, move by move and at last the whole game;
/// * the incremental keys equal those of a position read afresh from the text;
/// * legal moves are distinct, pass [`super::Game::is_legal`], split into tactical and quiet ones, and round-trip
///   through text in every style and through their canonical form;
/// * there are none exactly when there is an outcome, and a quick outcome is the outcome;
/// * what gives check is check, and history slots lie within their tables;
/// * where [`super::Game::ALTERNATES`] says so, the turn passes; passing it without a move can be taken back;
/// * exchanging the sides twice changes nothing;
///
/// and where each game begins and ends, that no pattern of 16 bits is legal but the legal moves, as a collision in
/// the table could bring any.
///
/// Panics with the position's text where a check fails.
pub fn check<G: Heuristics + Notation>(start: &G, games: usize, plies: usize, seed: u64) {
    let mut random = SplitMix64::new(seed);
    check_all_move_bits(start);
    for _ in 0..games {
        let (mut game, mut past) = (start.clone(), Vec::new());
        for _ in 0..plies {
            check_position(&game);
            check_null_move(&mut game);
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            for &mv in &moves {
                check_move(&mut game, mv);
            }
            let mv = moves[(random.next() % moves.len() as u64) as usize];
            past.push((mv, game.key(), game.position_text(NotationOptions::default())));
            game.play(mv);
        }
        check_all_move_bits(&game);
        for (mv, key, text) in past.into_iter().rev() {
            game.undo(mv);
            assert_eq!(
                (game.key(), game.position_text(NotationOptions::default())),
                (key, text),
                "undoing a game"
            );
        }
    }
}

fn styles() -> [NotationOptions; 2] {
    [NotationOptions { chess960: false }, NotationOptions { chess960: true }]
}

/// All the hashes of a position that it may keep up to date with each move.
fn hashes<G: Heuristics>(game: &G) -> (u64, u64, u64, [u64; MAX_CORRECTION_KEYS]) {
    let mut corrections = [0; MAX_CORRECTION_KEYS];
    game.correction_keys(&mut corrections[..G::CORRECTION_KEYS]);
    (game.key(), game.tt_key(), game.structure_key(), corrections)
}

fn check_all_move_bits<G: Heuristics + Notation>(game: &G) {
    let moves = game.moves();
    for mv in (1..=u16::MAX).map(Move::new).filter(|&mv| game.is_legal(mv)) {
        assert!(moves.contains(&mv), "{}: {mv:?} is legal", game.position_text(NotationOptions::default()));
    }
}

fn check_null_move<G: Heuristics + Notation>(game: &mut G) {
    if !game.can_null_move() {
        return;
    }
    let (before, side, text) =
        (hashes(game), game.side_to_move(), game.position_text(NotationOptions::default()));
    game.make_null_move();
    assert_eq!(game.side_to_move(), !side, "{text}: the turn did not pass");
    game.unmake_null_move();
    assert_eq!(hashes(game), before, "{text}: a pass changed the keys");
    assert_eq!(game.position_text(NotationOptions::default()), text, "a pass changed the position");
}

fn check_position<G: Heuristics + Notation>(game: &G) {
    let text = game.position_text(NotationOptions::default());
    for style in styles() {
        let written = game.position_text(style);
        let parsed = G::parse_position(&written).unwrap_or_else(|e| panic!("{written}: {e}"));
        assert!(parsed.warnings.is_empty(), "{written}: corrected on reading: {:?}", parsed.warnings);
        assert_eq!(parsed.game.position_text(style), written, "text does not round-trip");
        assert_eq!(hashes(&parsed.game), hashes(game), "{written}: incremental keys and fresh ones");
    }
    if let Some(flipped) = game.flipped() {
        let again = flipped.flipped().map(|game| game.position_text(NotationOptions::default()));
        assert_eq!(again.as_ref(), Some(&text), "the sides exchanged twice");
        assert_eq!(flipped.count_moves(), game.count_moves(), "{text}: moves of the other side");
    }
    let moves = game.moves();
    assert_eq!(moves.is_empty(), game.outcome().is_some(), "{text}: outcome against legal moves");
    assert_eq!(moves.len(), game.count_moves(), "{text}: count_moves");
    if let Some(outcome) = game.early_outcome() {
        assert_eq!(Some(outcome), game.outcome(), "{text}: quick outcome");
    }
    let mut split = MoveList::new();
    game.noisy_moves(&mut split);
    assert!(split.iter().all(|&mv| game.is_noisy(mv)), "{text}: a tactical move is not");
    let tactical = split.len();
    game.quiet_moves(&mut split);
    assert!(!split[tactical..].iter().any(|&mv| game.is_noisy(mv)), "{text}: a quiet move is not");
    split.sort_unstable();
    let mut sorted = moves.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, split, "{text}: tactical and quiet moves are not all moves");
    assert!(sorted.windows(2).all(|pair| pair[0] != pair[1]), "{text}: a move twice");
    let _ = game.claim(Ply::ROOT);
}

fn check_move<G: Heuristics + Notation>(game: &mut G, mv: Move) {
    let text = game.position_text(NotationOptions::default());
    assert!(game.is_legal(mv), "{text}: {mv:?} was generated but is not legal");
    for style in styles() {
        let written = game.move_text(mv, style);
        assert_eq!(game.parse_move(&written), Ok(mv), "{text}: {written} does not round-trip");
    }
    let written = game.san_text(mv);
    assert_eq!(game.parse_san(&written), Ok(mv), "{text}: {written} does not round-trip");
    assert!(game.butterfly(mv) < G::BUTTERFLY && game.piece_to(mv) < G::PIECE_TO, "{text}: slot of {mv:?}");
    assert!(game.captured(mv) < G::CAPTURED, "{text}: captured of {mv:?}");
    assert_eq!(game.from_canonical(game.to_canonical(mv)), mv, "{text}: {mv:?} by its canonical form");
    let (before, side, gives_check) = (hashes(game), game.side_to_move(), game.gives_check(mv));
    game.play(mv);
    assert!(!G::ALTERNATES || game.side_to_move() != side, "{text}: the turn did not pass");
    assert_eq!(game.in_check(), gives_check, "{text}: check by {mv:?}");
    game.undo(mv);
    assert_eq!(hashes(game), before, "{text}: undo changed the keys");
    assert_eq!(game.position_text(NotationOptions::default()), text, "undo changed the position");
}

/// Plays `games` random games of at most `plies` plies from `start`, with an evaluator that watches, and checks at
/// every position where the game is on, and behind each of its moves, that its value
///
/// * is that of an evaluator which has seen nothing before;
/// * is never decisive, and its win, draw and loss rates sum to 1000;
/// * stays the same when the sides are exchanged.
///
/// Panics with the position's text where a check fails.
pub fn check_evaluation<G: Heuristics + Notation, E: Evaluator<G>>(
    start: &G,
    games: usize,
    plies: usize,
    seed: u64,
) {
    let mut random = SplitMix64::new(seed);
    let mut watching = E::default();
    for _ in 0..games {
        let mut game = start.clone();
        watching.reset(&game);
        for _ in 0..plies {
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            let text = game.position_text(NotationOptions::default());
            let value = watching.evaluate(&game);
            let mut fresh = E::default();
            fresh.reset(&game);
            assert_eq!(value, fresh.evaluate(&game), "{text}: after watching, and afresh");
            assert!(!value.is_decisive(), "{text}: a decisive {value:?} without search");
            let wdl = fresh.wdl(&game, value);
            assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000, "{text}: {wdl:?}");
            if let Some(flipped) = game.flipped() {
                fresh.reset(&flipped);
                assert_eq!(value, fresh.evaluate(&flipped), "{text}: as it is, and with the sides exchanged");
            }
            for &mv in &moves {
                watching.before_move(&game, mv);
                game.play(mv);
                if game.outcome().is_none() {
                    fresh.reset(&game);
                    assert_eq!(watching.evaluate(&game), fresh.evaluate(&game), "{text}: behind {mv:?}");
                }
                game.undo(mv);
                watching.after_undo();
            }
            assert_eq!(value, watching.evaluate(&game), "{text}: after all moves were taken back");
            let mv = moves[(random.next() % moves.len() as u64) as usize];
            watching.before_move(&game, mv);
            game.play(mv);
        }
    }
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

/// `known` holds values without what is in the bank, by table key, of each position and of each of its moves.
fn check_value<G: Heuristics + Notation>(game: &mut G, known: &mut HashMap<(u64, Option<Move>), i32>) {
    let text = game.position_text(NotationOptions::default());
    let key = game.tt_key();
    let to_come = |score: Score, banked: i32| score.value() - if score.is_decisive() { 0 } else { banked };
    let mut best = -Score::INFINITE;
    for mv in game.moves() {
        let value = value_of(game, mv, Ply::ROOT);
        best = best.max(value);
        let canonical = game.to_canonical(mv);
        assert_eq!(game.from_canonical(canonical), mv, "{text}: {mv:?} by its canonical form");
        let value = to_come(value, game.points_so_far());
        let same = *known.entry((key, Some(canonical))).or_insert(value);
        assert_eq!(same, value, "{text}: {mv:?} and a move that it shares a canonical form with");
    }
    let (least, greatest) = game.value_bounds();
    assert!(least <= best && best <= greatest, "{text}: {best:?} out of range");
    if let Some(mv) = game.forced_move() {
        assert_eq!(value_of(game, mv, Ply::ROOT), best, "{text}: the forced move {mv:?}");
    }
    let value = to_come(best, game.points_so_far());
    let same = *known.entry((key, None)).or_insert(value);
    assert_eq!(same, value, "{text}: another position of its table key");
}

/// The definition of a move's value, for the side that makes it `ply` plies from the root.
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
