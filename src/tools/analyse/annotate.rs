//! A game with what its analysis says about each move.

use super::Record;
use crate::game::{Notation, Side};
use crate::protocol;
use crate::tools::pgn::{Game, Writer};
use serde::Serialize;

/// How much of the expected result (1 for a win, 1/2 for a draw) a move must lose to be marked, with the marks' numbers in PGN: ?!, ?
/// and ??. From an even middlegame that is about 0.5, 1 and 1.5 pawns (with every man on the board 53, 103 and 153 centipawns); where the game is decided it takes
/// more and more, and that is the point of not counting centipawns.
const NAG_THRESHOLDS: [(f64, &str, &str); 3] =
    [(0.3, "$4", "blunder"), (0.2, "$2", "mistake"), (0.1, "$6", "inaccuracy")];

/// No score counts for more than that, in centipawns: what a move loses beyond says nothing.
const CP_CAP: i32 = 1000;
/// Plies of a better line that are shown.
const LINE: usize = 8;

/// What is known about one player's moves.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Player {
    pub name: String,
    pub games: u32,
    pub moves: u32,
    /// Centipawns lost in all.
    pub centipawn_loss: u64,
    /// Expected results lost in all.
    pub expected_lost: f64,
    /// Inaccuracies, mistakes, blunders.
    pub marks: [u32; 3],
}

impl Player {
    /// Another player's moves are this one's too.
    pub fn add(&mut self, other: &Player) {
        self.games += other.games;
        self.moves += other.moves;
        self.centipawn_loss += other.centipawn_loss;
        self.expected_lost += other.expected_lost;
        self.marks.iter_mut().zip(other.marks).for_each(|(own, other)| *own += other);
    }

    /// Centipawns lost a move.
    pub fn mean_loss(&self) -> f64 {
        self.centipawn_loss as f64 / f64::from(self.moves.max(1))
    }

    /// How much of the expected result each move kept on average, in per cent.
    pub fn accuracy(&self) -> f64 {
        100.0 * (1.0 - self.expected_lost / f64::from(self.moves.max(1)))
    }
}

/// A position's value for one side.
#[derive(Clone, Copy)]
struct Value {
    centipawns: i32,
    /// The expected result.
    expected: f64,
}

impl Value {
    /// As `record` says for the side to move there, seen by that side or by the other.
    fn of(record: &Record, by_mover: bool) -> Value {
        let centipawns = match record.lines.first().map(|line| line.score) {
            Some(protocol::Score::Cp(value)) => value.clamp(-CP_CAP, CP_CAP),
            Some(protocol::Score::Mate(moves)) if moves > 0 => CP_CAP,
            Some(protocol::Score::Mate(_)) => -CP_CAP,
            None => 0,
        };
        let [win, draw, _] = record.wdl;
        let expected = (f64::from(win) + f64::from(draw) / 2.0) / 1000.0;
        if by_mover {
            Value { centipawns, expected }
        } else {
            Value { centipawns: -centipawns, expected: 1.0 - expected }
        }
    }
}

/// The game as PGN, annotated with the records of its positions, and its players, White first.
pub fn game<G: Notation>(game: &Game<G>, records: &[Record]) -> (String, [Player; 2]) {
    let mut players =
        Side::ALL.map(|side| Player { name: game.player(side).into(), games: 1, ..Player::default() });
    let mut tags: Vec<_> = game.tags.iter().filter(|(name, _)| name != "Annotator").cloned().collect();
    tags.push(("Annotator".into(), format!("Duiyi {}", env!("CARGO_PKG_VERSION"))));
    let (mut writer, mut position) = (Writer::new(&tags), game.start.clone());
    for (&mv, pair) in game.moves.iter().zip(records.windows(2)) {
        let (side, number) = (position.side_to_move(), writer.number());
        let (san, mut after) = (position.san_text(mv), position.clone());
        after.play(mv);
        let next = after.side_to_move();
        let (before, now) = (Value::of(&pair[0], true), Value::of(&pair[1], next == side));
        let is_best = pair[0].best.as_ref() == Some(&san);
        let lost = if is_best { 0 } else { (before.centipawns - now.centipawns).max(0) };
        let expected_lost = if is_best { 0.0 } else { (before.expected - now.expected).max(0.0) };
        let player = &mut players[side.index()];
        player.moves += 1;
        player.centipawn_loss += lost as u64;
        player.expected_lost += expected_lost;
        writer.play(side, &san, next);
        let mark = NAG_THRESHOLDS.iter().position(|(least, ..)| expected_lost >= *least);
        if let Some(mark) = mark {
            player.marks[NAG_THRESHOLDS.len() - 1 - mark] += 1;
            writer.word(NAG_THRESHOLDS[mark].1);
        }
        let comment = comment(pair, next, side, lost);
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

/// The value after a move, in the form that GUIs read, and the better one.
fn comment(pair: &[Record], next: Side, side: Side, lost: i32) -> String {
    let value =
        |record: &Record, side: Side| record.lines.first().and_then(|line| white_text(line.score, side));
    let depth = pair[1].reached.depth;
    let now = value(&pair[1], next).map_or(String::new(), |now| format!("[%eval {now},{depth}]"));
    match (&pair[0].best, value(&pair[0], side)) {
        (Some(best), Some(value)) if lost > 0 => format!("{now} {best} was better: {value}"),
        _ => now,
    }
}

/// A score of `side` as White sees it, in pawns or moves to mate: `0.31`, `#-3`; nothing where it is mate already.
fn white_text(score: protocol::Score, side: Side) -> Option<String> {
    let sign = if side == Side::White { 1 } else { -1 };
    match score {
        protocol::Score::Cp(value) => Some(format!("{:.2}", f64::from(sign * value) / 100.0)),
        protocol::Score::Mate(0) => None,
        protocol::Score::Mate(moves) => Some(format!("#{}", sign * moves)),
    }
}

/// The first moves of a line, each with who makes it.
fn moves<G: Notation>(position: &G, line: &[String]) -> Vec<(Side, String)> {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for san in line.iter().take(LINE) {
        let Ok(mv) = position.parse_san(san) else { break };
        moves.push((position.side_to_move(), san.clone()));
        position.play(mv);
    }
    moves
}
