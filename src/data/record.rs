//! One game with its scores, encoded as bytes. `docs/data-format.md` describes the encoding.

use super::bits::{BitReader, BitWriter};
use crate::game::{Move, Notation, Outcome, Score, Side};

/// The most moves of a stored game.
pub const MAX_PLIES: usize = 10_000;
/// The most bytes of a start position's text.
pub const MAX_TEXT: usize = 60_000;

// Orders of the exponential Golomb codes: for each kind of number the one that takes the fewest bits in chess.
const START_ORDER: u32 = 4;
const PLIES_ORDER: u32 = 7;
const OPENING_ORDER: u32 = 3;
const SCORE_ORDER: u32 = 4;
const POINTS_ORDER: u32 = 2;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// The rules: the game is over, or a draw was claimed.
    Rules = 0,
    /// The scores decided it.
    Adjudicated = 1,
    /// The limit of plies: the result is unknown. A draw is stored.
    PlyLimit = 2,
}

/// One game with its scores.
#[derive(Clone, Debug)]
pub struct GameRecord<G> {
    /// The position before the first move.
    pub start: G,
    /// Its number in [`Notation::start_position`], if any; otherwise the file stores its text.
    pub start_index: Option<u32>,
    /// Legal moves from `start` on.
    pub moves: Vec<Move>,
    /// Search scores of the positions before the last `scores.len()` moves, for the side to move. Earlier
    /// moves are the random opening, which was not searched.
    pub scores: Vec<Score>,
    /// The result.
    pub outcome: Outcome,
    /// Why it ended.
    pub termination: Termination,
}

/// One searched position of a [`GameRecord`].
#[derive(Debug)]
pub struct Sample<'a, G> {
    /// The position, with its move history.
    pub position: &'a G,
    /// The number of moves played before.
    pub ply: usize,
    /// Whether the game began at a numbered start of its variant, so that its first positions repeat from game to game.
    pub from_numbered_start: bool,
    /// The move that was played.
    pub mv: Move,
    /// The search's score for the side to move.
    pub score: Score,
    /// The result of the game; `None` if the limit of plies ended it.
    pub outcome: Option<Outcome>,
}

impl<G: Notation> Sample<'_, G> {
    /// Returns the search's score for White.
    pub fn white_score(&self) -> Score {
        for_white(self.score, self.position.side_to_move())
    }

    /// Returns the game's result for White: 1, 0.5 or 0; `None` if the limit of plies ended it.
    pub fn white_result(&self) -> Option<f64> {
        self.outcome.map(|outcome| match outcome {
            Outcome::Win(side) => f64::from(side == Side::White),
            Outcome::Draw => 0.5,
            Outcome::Points(points) => f64::from(points.signum() + 1) / 2.0,
        })
    }
}

/// The error for a game that cannot be encoded or decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RecordError(String);

fn wrong<T>(what: impl Into<String>) -> Result<T, RecordError> {
    Err(RecordError(what.into()))
}

fn for_white(score: Score, side: Side) -> Score {
    if side == Side::White { score } else { -score }
}

impl<G: Notation> GameRecord<G> {
    /// Calls `visit` with every searched position, in the order of play.
    pub fn replay(&self, mut visit: impl FnMut(Sample<'_, G>)) {
        let mut game = self.start.clone();
        let opening = self.moves.len() - self.scores.len();
        let from_numbered_start = self.start_index.is_some();
        let outcome = (self.termination != Termination::PlyLimit).then_some(self.outcome);
        for (ply, &mv) in self.moves.iter().enumerate() {
            if ply >= opening {
                let score = self.scores[ply - opening];
                visit(Sample { position: &game, ply, from_numbered_start, mv, score, outcome });
            }
            game.play(mv);
        }
    }

    /// Returns the position after the last move.
    pub fn last_position(&self) -> G {
        let mut game = self.start.clone();
        self.moves.iter().for_each(|&mv| game.play(mv));
        game
    }

    /// Encodes the game as whole bytes.
    ///
    /// # Errors
    /// If the start position's text or the game is too long, if there are more scores than moves, or if a move is illegal.
    pub fn encode(&self) -> Result<Vec<u8>, RecordError> {
        let mut bits = BitWriter::default();
        match self.start_index {
            Some(number) => bits.exp_golomb(number + 1, START_ORDER),
            None => {
                let text = self.start.record_text();
                if text.len() > MAX_TEXT {
                    return wrong(format!("a start position's text has at most {MAX_TEXT} bytes"));
                }
                bits.exp_golomb(0, START_ORDER);
                bits.exp_golomb(text.len() as u32, START_ORDER);
                text.bytes().for_each(|byte| bits.bits(byte.into(), 8));
            }
        }
        match self.outcome {
            Outcome::Draw => bits.bits(0, 2),
            Outcome::Win(Side::White) => bits.bits(1, 2),
            Outcome::Win(Side::Black) => bits.bits(2, 2),
            Outcome::Points(points) => {
                bits.bits(3, 2);
                bits.signed_exp_golomb(points, POINTS_ORDER);
            }
        }
        bits.bits(self.termination as u32, 2);
        if self.moves.len() > MAX_PLIES || self.scores.len() > self.moves.len() {
            return wrong(format!("a game has at most {MAX_PLIES} moves and no more scores than moves"));
        }
        let opening = self.moves.len() - self.scores.len();
        bits.exp_golomb(self.moves.len() as u32, PLIES_ORDER);
        bits.exp_golomb(opening as u32, OPENING_ORDER);
        let (mut game, mut before) = (self.start.clone(), 0);
        for (ply, &mv) in self.moves.iter().enumerate() {
            let moves = game.moves();
            if !moves.contains(&mv) {
                return wrong(format!("the move at ply {ply} is not legal"));
            }
            let rank = moves.iter().filter(|&&other| other < mv).count();
            bits.truncated_binary(rank as u32, moves.len() as u32);
            if ply >= opening {
                let score = for_white(self.scores[ply - opening], game.side_to_move()).value();
                bits.signed_exp_golomb(score - before, SCORE_ORDER);
                before = score;
            }
            game.play(mv);
        }
        Ok(bits.finish())
    }

    /// Decodes the game at the beginning of `bytes`, whose variant is that of `start`. Returns it and its length in bytes.
    ///
    /// # Errors
    /// If `bytes` begin with no valid game.
    pub fn decode(start: &G, bytes: &[u8]) -> Result<(GameRecord<G>, usize), RecordError> {
        let mut bits = BitReader::new(bytes);
        let record = Self::read(start, &mut bits)?;
        Ok((record, bits.bytes_read()))
    }

    fn read(start: &G, bits: &mut BitReader<'_>) -> Result<GameRecord<G>, RecordError> {
        let short = || RecordError("a game that ends with its block, found the end within the game".into());
        let (start, start_index) = match bits.exp_golomb(START_ORDER).ok_or_else(short)? {
            0 => {
                let length = bits.exp_golomb(START_ORDER).ok_or_else(short)? as usize;
                if length > MAX_TEXT {
                    return wrong(format!("a position text of at most {MAX_TEXT} bytes, found {length}"));
                }
                let bytes = (0..length).map(|_| bits.bits(8).map(|byte| byte as u8));
                let bytes = bytes.collect::<Option<Vec<u8>>>().ok_or_else(short)?;
                let parsed = start
                    .parse_position(&String::from_utf8_lossy(&bytes))
                    .map_err(|error| RecordError(format!("a start position, found another text: {error}")))?;
                (parsed.game, None)
            }
            number => {
                let start = start.start_position(number - 1).ok_or_else(|| {
                    RecordError(format!("a start below {}, found number {}", G::START_COUNT, number - 1))
                })?;
                (start, Some(number - 1))
            }
        };
        let outcome = match bits.bits(2).ok_or_else(short)? {
            0 => Outcome::Draw,
            1 => Outcome::Win(Side::White),
            2 => Outcome::Win(Side::Black),
            _ => Outcome::Points(bits.signed_exp_golomb(POINTS_ORDER).ok_or_else(short)?),
        };
        let termination = match bits.bits(2).ok_or_else(short)? {
            0 => Termination::Rules,
            1 => Termination::Adjudicated,
            2 => Termination::PlyLimit,
            other => return wrong(format!("an ending from 0 to 2, found {other}")),
        };
        let plies = bits.exp_golomb(PLIES_ORDER).ok_or_else(short)? as usize;
        let opening = bits.exp_golomb(OPENING_ORDER).ok_or_else(short)? as usize;
        if plies > MAX_PLIES || opening > plies {
            return wrong(format!(
                "at most {MAX_PLIES} moves, the opening's among them, found {plies} and {opening}"
            ));
        }
        let mut record = GameRecord {
            start,
            start_index,
            moves: Vec::with_capacity(plies),
            scores: Vec::with_capacity(plies - opening),
            outcome,
            termination,
        };
        let (mut game, mut before) = (record.start.clone(), 0);
        for ply in 0..plies {
            let mut moves = game.moves();
            let count = moves.len() as u32;
            if count == 0 {
                return wrong(format!("{plies} moves, found the end of the game after {ply}"));
            }
            let rank = bits.truncated_binary(count).ok_or_else(short)? as usize;
            let mv = *moves.select_nth_unstable(rank).1;
            record.moves.push(mv);
            if ply >= opening {
                let white = bits.signed_exp_golomb(SCORE_ORDER).ok_or_else(short)?.saturating_add(before);
                if white.unsigned_abs() > Score::MATE.value().unsigned_abs() {
                    return wrong(format!("a score of at most {}, found {white}", Score::MATE.value()));
                }
                record.scores.push(for_white(Score::raw(white as i16), game.side_to_move()));
                before = white;
            }
            game.play(mv);
        }
        Ok(record)
    }
}
