//! What the records of a game tell about its moves: loss, accuracy and marks, for each move, player and phase.

use super::{PositionRecord, RecordOf};
use crate::game::{OpeningName, Side, Variant, units_text};
use crate::protocol;
use crate::tools::pgn::{self, Game};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// A mark for a bad move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Mark {
    const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// The expected result (1 for a win, 1/2 for a draw) that a move must lose to get the mark.
    ///
    /// From an even score that is 55, 111 and 168 centipawns. In a decided game the same loss takes more centipawns, so moves
    /// that do not change the result get no mark. The thresholds are those of Lichess:
    /// <https://github.com/lichess-org/lila/blob/master/modules/tree/src/main/Advice.scala>.
    fn threshold(self) -> f64 {
        [0.05, 0.1, 0.15][self as usize]
    }

    /// The mark behind a move: `?!`, `?` or `??`.
    pub fn text(self) -> &'static str {
        ["?!", "?", "??"][self as usize]
    }

    /// The numeric annotation glyph of the mark in PGN.
    pub fn nag(self) -> &'static str {
        ["$6", "$2", "$4"][self as usize]
    }

    fn of(expected_lost: f64) -> Option<Mark> {
        Mark::ALL.into_iter().rev().find(|mark| expected_lost >= mark.threshold())
    }
}

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The moves up to the last position that has a name.
    Opening,
    Middlegame,
    /// The positions in which at most [`ENDGAME_PHASE`] is left. Games without such a phase have no endgame.
    Endgame,
}

/// The largest [`Variant::phase`] of an endgame: a third of the pieces, in chess without pawns and kings.
const ENDGAME_PHASE: u32 = 256 / 3;

/// The limit of scores in centipawns. A loss beyond it does not change the result.
const CP_CAP: i32 = 1000;

/// The sums over some moves of a player.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MoveTotals {
    pub moves: u32,
    /// Sum of the centipawns lost.
    pub centipawn_loss: u64,
    /// Sum of the expected result lost.
    #[serde(serialize_with = "rounded")]
    pub expected_lost: f64,
    /// Sum of the accuracies of the moves, in per cent.
    #[serde(serialize_with = "rounded")]
    pub accuracy_sum: f64,
    /// Numbers of inaccuracies, mistakes and blunders.
    pub marks: [u32; 3],
}

impl MoveTotals {
    fn add_move(&mut self, played: &PlayedMove) {
        self.moves += 1;
        self.centipawn_loss += u64::from(played.centipawn_loss);
        self.expected_lost += played.expected_lost;
        self.accuracy_sum += played.accuracy;
        if let Some(mark) = played.mark {
            self.marks[mark as usize] += 1;
        }
    }

    fn add(&mut self, other: &MoveTotals) {
        self.moves += other.moves;
        self.centipawn_loss += other.centipawn_loss;
        self.expected_lost += other.expected_lost;
        self.accuracy_sum += other.accuracy_sum;
        self.marks.iter_mut().zip(other.marks).for_each(|(own, other)| *own += other);
    }

    /// Mean loss per move in centipawns.
    pub fn mean_loss(&self) -> f64 {
        self.centipawn_loss as f64 / f64::from(self.moves.max(1))
    }

    /// Mean accuracy of the moves, in per cent; 100 without moves.
    pub fn accuracy(&self) -> f64 {
        if self.moves == 0 { 100.0 } else { self.accuracy_sum / f64::from(self.moves) }
    }
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Player {
    pub name: String,
    pub games: u32,
    #[serde(flatten)]
    pub total: MoveTotals,
    pub phases: BTreeMap<Phase, MoveTotals>,
}

impl Player {
    pub fn add(&mut self, other: &Player) {
        self.games += other.games;
        self.total.add(&other.total);
        for (&phase, totals) in &other.phases {
            self.phases.entry(phase).or_default().add(totals);
        }
    }
}

#[derive(Debug, Serialize)]
pub struct PlayedMove {
    /// The move in coordinates.
    #[serde(rename = "move")]
    mv: String,
    centipawn_loss: u32,
    #[serde(serialize_with = "rounded")]
    pub expected_lost: f64,
    /// In per cent.
    #[serde(serialize_with = "rounded")]
    accuracy: f64,
    pub mark: Option<Mark>,
    /// Whether the move was set by a book. It then counts for no player.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
}

#[derive(Debug, Serialize)]
pub struct ReviewedPosition {
    /// `white` or `black`: the side to move.
    #[serde(serialize_with = "serialize_side")]
    pub side: Side,
    pub number: u32,
    phase: Phase,
    /// White's expected result, from 0 to 1.
    #[serde(serialize_with = "rounded")]
    expected: f64,
    /// The best move in coordinates.
    best_move: Option<String>,
    /// `None` at the end of the game.
    #[serde(flatten)]
    pub played: Option<PlayedMove>,
}

#[derive(Debug, Serialize)]
pub struct Review {
    /// The number of the game over all files, from 1.
    pub game: usize,
    /// The file and the line of the game, `FILE:LINE`.
    pub at: String,
    tags: Vec<(String, String)>,
    pub result: String,
    pub opening: Option<OpeningName>,
    /// The positions, one for each record.
    pub positions: Vec<ReviewedPosition>,
    /// White first.
    pub players: [Player; 2],
}

/// The score of `side` from White's point of view: in chess, pawns as `0.31`, moves to mate as `#-3`. `None` after checkmate.
pub fn white_text(score: protocol::Score, unit: i32, side: Side) -> Option<String> {
    let sign = if side == Side::White { 1 } else { -1 };
    match score {
        protocol::Score::Cp(value) => Some(units_text(sign * value, unit)),
        protocol::Score::Mate(0) => None,
        protocol::Score::Mate(moves) => Some(format!("#{}", sign * moves)),
    }
}

fn serialize_side<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if *side == Side::White { "white" } else { "black" })
}

/// Writes a number with four decimals at most.
fn rounded<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((value * 1e4).round() / 1e4)
}

/// The score of a record for the side to move, in centipawns.
fn centipawns(record: &PositionRecord) -> i32 {
    match record.lines.first().map(|line| line.score) {
        Some(protocol::Score::Cp(value)) => value.clamp(-CP_CAP, CP_CAP),
        Some(protocol::Score::Mate(moves)) if moves > 0 => CP_CAP,
        Some(protocol::Score::Mate(_)) => -CP_CAP,
        None => 0,
    }
}

/// The expected result of a record for the side to move among people, from 0 to 1: the curve that Lichess fitted to the games of
/// its players (<https://lichess.org/page/accuracy>). [`Variant::wdl`] is steeper, since engines lose fewer won games.
fn expected(record: &PositionRecord) -> f64 {
    match record.lines.first().map(|line| line.score) {
        Some(protocol::Score::Mate(moves)) => f64::from(moves > 0),
        Some(score @ protocol::Score::Cp(value)) if score.is_proved() => f64::from(value > 0),
        _ => 1.0 / (1.0 + (-0.00368208 * f64::from(centipawns(record))).exp()),
    }
}

/// The accuracy of a move that lost this part of the expected result, in per cent: the formula that Lichess publishes, with
/// the constants and the point of grace of its program.
/// Sources: <https://lichess.org/page/accuracy> and
/// <https://github.com/lichess-org/lila/blob/master/modules/analyse/src/main/AccuracyPercent.scala>.
fn accuracy(expected_lost: f64) -> f64 {
    if expected_lost <= 0.0 {
        return 100.0;
    }
    let kept = 103.1668100711649 * (-0.04354415386753951 * 100.0 * expected_lost).exp() - 3.166924740191411;
    (kept + 1.0).clamp(0.0, 100.0)
}

/// Reviews the game `number`. `records` has one record for each of its positions.
pub fn review<G: Variant>(game: &Game<G>, number: usize, records: &[PositionRecord]) -> Review {
    let named = |record: &PositionRecord| match &record.source {
        RecordOf::Game { opening, .. } => opening.clone(),
        RecordOf::Problem(_) => None,
    };
    let last_named = records.iter().rposition(|record| named(record).is_some());
    let mut players =
        Side::ALL.map(|side| Player { name: game.player(side).into(), games: 1, ..Player::default() });
    let mut positions = Vec::new();
    let (mut position, mut move_number) = (game.start.clone(), pgn::first_move_number(&game.tags));
    for (ply, record) in records.iter().enumerate() {
        let side = position.side_to_move();
        let phase = if last_named.is_some_and(|last| ply < last) {
            Phase::Opening
        } else if position.phase() <= ENDGAME_PHASE {
            Phase::Endgame
        } else {
            Phase::Middlegame
        };
        let best = record.best.as_ref().and_then(|best| position.parse_san(best).ok());
        let mut reviewed = ReviewedPosition {
            side,
            number: move_number,
            phase,
            expected: if side == Side::White { expected(record) } else { 1.0 - expected(record) },
            best_move: best.map(|mv| position.move_text(mv)),
            played: None,
        };
        if let (Some(&mv), Some(after)) = (game.moves.get(ply), records.get(ply + 1)) {
            let text = position.move_text(mv);
            position.play(mv);
            let next = position.side_to_move();
            move_number += u32::from(side == Side::Black && next == Side::White);
            let (centipawns_after, expected_after) = match next == side {
                true => (centipawns(after), expected(after)),
                false => (-centipawns(after), 1.0 - expected(after)),
            };
            let book = game.from_book.get(ply).copied().unwrap_or(false);
            let is_best = best == Some(mv) || book;
            let loss = if is_best { 0 } else { (centipawns(record) - centipawns_after).max(0) };
            let expected_lost = if is_best { 0.0 } else { (expected(record) - expected_after).max(0.0) };
            let played = PlayedMove {
                mv: text,
                centipawn_loss: loss.unsigned_abs(),
                expected_lost,
                accuracy: accuracy(expected_lost),
                mark: Mark::of(expected_lost),
                book,
            };
            if !book {
                let player = &mut players[side.index()];
                player.total.add_move(&played);
                player.phases.entry(phase).or_default().add_move(&played);
            }
            reviewed.played = Some(played);
        }
        positions.push(reviewed);
    }
    Review {
        game: number,
        at: records.first().map_or(String::new(), |record| record.at.clone()),
        tags: game.tags.clone(),
        result: game.result.clone(),
        opening: last_named.and_then(|last| named(&records[last])),
        positions,
        players,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_follows_the_published_formula() {
        // Computed with another program.
        for (lost, expected) in [(0.0, 100.0), (0.0001, 100.0), (0.1, 64.5798), (0.25, 32.5679), (1.0, 0.0)] {
            assert!((accuracy(lost) - expected).abs() < 1e-3, "{lost}: {}", accuracy(lost));
        }
    }

    #[test]
    fn marks_begin_at_their_thresholds() {
        let marks = [0.0, 0.049, 0.05, 0.1, 0.14, 0.15, 1.0].map(Mark::of);
        let [inaccuracy, mistake, blunder] = Mark::ALL.map(Some);
        assert_eq!(marks, [None, None, inaccuracy, mistake, mistake, blunder, blunder]);
    }
}
