//! Annotated PGN games: evaluations, marks for bad moves, and better lines.

use super::{Record, Source};
use crate::game::{Notation, Opening, Side, units_text};
use crate::protocol;
use crate::tools::pgn::{Game, Writer};
use serde::Serialize;

/// Thresholds of the expected result (1 for a win, 1/2 for a draw) that a move must lose to get a mark, with
/// the NAG of the mark in PGN: `??`, `?` and `?!`.
///
/// With all pieces on the board and an even score, they are about 153, 103 and 53 centipawns. In a decided
/// game the same loss takes more centipawns, so moves that do not change the result get no mark.
const NAG_THRESHOLDS: [(f64, &str, &str); 3] =
    [(0.3, "$4", "blunder"), (0.2, "$2", "mistake"), (0.1, "$6", "inaccuracy")];

/// The expected result that a move must lose for the remark that another move was better: half of the first mark.
/// From an even position about 27 centipawns. A smaller loss is within what the next search changes anyway.
const REMARK_THRESHOLD: f64 = 0.05;

/// The limit of scores in centipawns. A loss beyond it does not change the result.
const CP_CAP: i32 = 1000;
/// Maximum length of a better line, in plies.
const LINE_PLIES: usize = 8;

/// The statistics of one player's moves.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Player {
    pub name: String,
    pub games: u32,
    pub moves: u32,
    /// Sum of the centipawns lost.
    pub centipawn_loss: u64,
    /// Sum of the expected result lost.
    pub expected_lost: f64,
    /// Numbers of inaccuracies, mistakes and blunders.
    pub marks: [u32; 3],
}

impl Player {
    /// Adds the statistics of `other`.
    pub fn add(&mut self, other: &Player) {
        self.games += other.games;
        self.moves += other.moves;
        self.centipawn_loss += other.centipawn_loss;
        self.expected_lost += other.expected_lost;
        self.marks.iter_mut().zip(other.marks).for_each(|(own, other)| *own += other);
    }

    /// Mean loss per move in centipawns.
    pub fn mean_loss(&self) -> f64 {
        self.centipawn_loss as f64 / f64::from(self.moves.max(1))
    }

    /// Mean expected result kept per move, in per cent.
    pub fn accuracy(&self) -> f64 {
        100.0 * (1.0 - self.expected_lost / f64::from(self.moves.max(1)))
    }
}

/// The value of a position for one side.
#[derive(Clone, Copy)]
struct Value {
    centipawns: i32,
    /// The expected result, 0 to 1.
    expected: f64,
}

impl Value {
    /// The value of `record` for the side to move, or for its opponent.
    fn of(record: &Record, for_side_to_move: bool) -> Value {
        let centipawns = match record.lines.first().map(|line| line.score) {
            Some(protocol::Score::Cp(value)) => value.clamp(-CP_CAP, CP_CAP),
            Some(protocol::Score::Mate(moves)) if moves > 0 => CP_CAP,
            Some(protocol::Score::Mate(_)) => -CP_CAP,
            None => 0,
        };
        let [win, draw, _] = record.wdl;
        let expected = (f64::from(win) + f64::from(draw) / 2.0) / 1000.0;
        if for_side_to_move {
            Value { centipawns, expected }
        } else {
            Value { centipawns: -centipawns, expected: 1.0 - expected }
        }
    }
}

/// The opening of a game with these records: that of its last named position.
pub fn opening(records: &[Record]) -> Option<&Opening> {
    records.iter().rev().find_map(|record| match &record.source {
        Source::Game { opening, .. } => opening.as_ref(),
        Source::Problem(_) => None,
    })
}

/// The annotated game as PGN, and the statistics of its players, White first. `records` has one record for
/// each position of the game.
pub fn game<G: Notation>(game: &Game<G>, records: &[Record]) -> (String, [Player; 2]) {
    let mut players =
        Side::ALL.map(|side| Player { name: game.player(side).into(), games: 1, ..Player::default() });
    let mut tags: Vec<_> = game.tags.iter().filter(|(name, _)| name != "Annotator").cloned().collect();
    if let Some(opening) = opening(records) {
        let missing = |name: &str| !game.tags.iter().any(|(known, _)| known == name);
        let named = [("ECO", &opening.eco), ("Opening", &opening.name)];
        tags.extend(
            named
                .iter()
                .filter(|(tag, _)| missing(tag))
                .map(|(tag, text)| (tag.to_string(), text.to_string())),
        );
    }
    tags.push(("Annotator".into(), format!("Duiyi {}", env!("CARGO_PKG_VERSION"))));
    let (mut writer, mut position) = (Writer::new(&tags), game.start.clone());
    for (&mv, pair) in game.moves.iter().zip(records.windows(2)) {
        let (side, number) = (position.side_to_move(), writer.number());
        let (san, mut after) = (position.san_text(mv), position.clone());
        after.play(mv);
        let next = after.side_to_move();
        let (value_before, value_after) = (Value::of(&pair[0], true), Value::of(&pair[1], next == side));
        let is_best = pair[0].best.as_ref() == Some(&san);
        let loss = if is_best { 0 } else { (value_before.centipawns - value_after.centipawns).max(0) };
        let expected_lost =
            if is_best { 0.0 } else { (value_before.expected - value_after.expected).max(0.0) };
        let player = &mut players[side.index()];
        player.moves += 1;
        player.centipawn_loss += loss as u64;
        player.expected_lost += expected_lost;
        writer.play(side, &san, next);
        let mark = NAG_THRESHOLDS.iter().position(|(threshold, ..)| expected_lost >= *threshold);
        if let Some(mark) = mark {
            player.marks[NAG_THRESHOLDS.len() - 1 - mark] += 1;
            writer.word(NAG_THRESHOLDS[mark].1);
        }
        let comment = comment::<G>(pair, next, side, expected_lost >= REMARK_THRESHOLD);
        if !comment.is_empty() {
            writer.comment(&comment);
        }
        if mark.is_some()
            && let Some(line) = pair[0].lines.first()
        {
            writer.variation(&moves(&position, &line.pv), number);
        }
        position = after;
    }
    (writer.finish(&game.result), players)
}

/// The comment on a move: the value after it as `[%eval VALUE,DEPTH]`, which GUIs read, and the better move
/// if `remark`. `pair` has the records before and after the move of `side`; `next` is the side to move after it.
fn comment<G: Notation>(pair: &[Record], next: Side, side: Side, remark: bool) -> String {
    let value = |record: &Record, side: Side| {
        record.lines.first().and_then(|line| white_text(line.score, G::SCORE_UNIT, side))
    };
    let depth = pair[1].stats.depth;
    let eval = value(&pair[1], next).map_or(String::new(), |value| format!("[%eval {value},{depth}]"));
    match (&pair[0].best, value(&pair[0], side)) {
        (Some(best), Some(value)) if remark => format!("{eval} {best} was better: {value}"),
        _ => eval,
    }
}

/// The score of `side` as text from White's point of view: in chess, pawns as `0.31`, moves to mate as `#-3`.
/// `None` after checkmate.
fn white_text(score: protocol::Score, unit: i32, side: Side) -> Option<String> {
    let sign = if side == Side::White { 1 } else { -1 };
    match score {
        protocol::Score::Cp(value) => Some(units_text(sign * value, unit)),
        protocol::Score::Mate(0) => None,
        protocol::Score::Mate(moves) => Some(format!("#{}", sign * moves)),
    }
}

/// The first moves of a line from `position`, each with its side.
fn moves<G: Notation>(position: &G, line: &[String]) -> Vec<(Side, String)> {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for san in line.iter().take(LINE_PLIES) {
        let Ok(mv) = position.parse_san(san) else { break };
        moves.push((position.side_to_move(), san.clone()));
        position.play(mv);
    }
    moves
}
