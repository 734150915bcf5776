//! A position of a game of Go with its history: rules, ko, repetitions.

use super::board::{Board, stone_key};
use super::life::safe_area;
use super::points::Points;
use super::rules::Rules;
use crate::game::{Claim, Game, Heuristics, Move, MoveList, Notation, Outcome, Ply, Score, Side, SplitMix64};
use std::cell::OnceCell;

/// The pass. A stone on a point is a move with the number of the point and [`FIRST_STONE`].
pub const PASS: Move = Move::new(1);
const FIRST_STONE: u16 = 2;

/// The key of White to move, and of one and two passes.
pub(super) const WHITE_KEY: u64 = SplitMix64::new(0xB1AC).next();
pub(super) const PASS_KEYS: [u64; 3] = [0, SplitMix64::new(0x9A55).next(), SplitMix64::new(0x9A56).next()];

/// The key of a ko: that of a stone of either side on the point, which no position has.
pub fn ko_key(ko: Option<usize>) -> u64 {
    ko.map_or(0, |point| stone_key(Side::White, point) ^ stone_key(Side::Black, point))
}

/// A position of Go, with the positions before it. Black moves first and is [`Side::White`].
///
/// WORDS is the number of words of a set of points: 1 for boards up to 7x7, with exact search and the rule of repetitions
/// `Go::repetition`; 6 for boards up to 19x19, with superko.
///
/// ```
/// use duiyi::game::{Game, Notation, Outcome};
/// use duiyi::games::go::Go;
///
/// let mut game = Go::<6>::start().parse_position("3/3/3 b - 0 0")?.game;
/// for mv in ["b2", "pass", "pass"] {
///     game.play(game.parse_move(mv)?);
/// }
/// // Nine points, in tenths of a point.
/// assert_eq!(game.outcome(), Some(Outcome::Points(90)));
/// # Ok::<(), duiyi::game::NotationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Go<const WORDS: usize> {
    pub(super) board: Board<WORDS>,
    pub(super) side: Side,
    /// The point where the side to move may not retake.
    pub(super) ko: Option<usize>,
    /// The passes just played: 0, 1, or 2 at the end of the game.
    pub(super) passes: u8,
    /// What White gets for moving second, in half points.
    pub(super) komi: i16,
    /// The plies since the start of the game.
    pub(super) plies: u32,
    pub(super) rules: Rules,
    history: Vec<Past<WORDS>>,
    /// How many positions of the history have each last byte of the key: most keys that did not occur are known at once.
    key_counts: [u16; 256],
    /// The stones that White has lost, minus those that Black has lost.
    balance: i32,
    /// The points of each side whose owner is known, once they were computed.
    safe: [OnceCell<Points<WORDS>>; 2],
}

#[derive(Clone, Debug)]
pub(super) struct Past<const WORDS: usize> {
    /// Its key for the rule of repetitions.
    key: u64,
    side: Side,
    ko: Option<usize>,
    passes: u8,
    balance: i32,
    /// `None` is a null move of a search.
    mv: Option<Move>,
    /// What [`Board::take_back`] needs.
    mark: usize,
    safe: [OnceCell<Points<WORDS>>; 2],
}

impl<const WORDS: usize> Go<WORDS> {
    /// Whether the search is exact, and a repetition decides the game.
    pub(super) const EXACT: bool = WORDS == 1;

    /// A game that begins with these stones.
    pub(super) fn new(board: Board<WORDS>, side: Side, komi: i16) -> Self {
        Go {
            board,
            side,
            ko: None,
            passes: 0,
            komi,
            plies: side as u32,
            rules: Rules::CHINESE,
            history: Vec::new(),
            key_counts: [0; 256],
            balance: 0,
            safe: Default::default(),
        }
    }

    /// The point of a stone, or a number off the board; `None` for a pass.
    pub(super) fn point(mv: Move) -> Option<usize> {
        mv.bits().checked_sub(FIRST_STONE).map(usize::from)
    }

    pub(super) fn stone_move(point: usize) -> Move {
        Move::new(point as u16 + FIRST_STONE)
    }

    /// The hash of everything but the stones and the ko.
    pub(super) fn state_key(&self) -> u64 {
        let side = if self.side == Side::Black { WHITE_KEY } else { 0 };
        side ^ PASS_KEYS[usize::from(self.passes)] ^ SplitMix64::new(self.komi as u64).next()
    }

    /// The key that the rule of repetitions compares: of the whole position, or of the stones for superko.
    fn repetition_key(&self) -> u64 {
        if Self::EXACT { self.key() } else { self.board.keys()[0] }
    }

    /// The plies back to the last position with the key `key`, with `side` to move if it is given.
    fn plies_since(&self, key: u64, side: Option<Side>) -> Option<usize> {
        if self.key_counts[key as usize % 256] == 0 {
            return None;
        }
        let is_equal = |past: &Past<WORDS>| past.key == key && side.is_none_or(|side| past.side == side);
        self.history.iter().rev().position(is_equal).map(|plies| plies + 1)
    }

    /// Whether superko forbids the stones with this hash after a move of the side to move.
    fn is_superko(&self, key: u64) -> bool {
        let situation = self.rules.is_situational.then_some(!self.side);
        let is_current = !self.rules.is_situational && key == self.board.keys()[0];
        is_current || self.plies_since(key, situation).is_some()
    }

    fn is_legal_stone(&self, point: usize) -> bool {
        if self.ko == Some(point) || !self.board.free().contains(point) {
            return false;
        }
        let effect = self.board.effect(point, self.side);
        (self.rules.allows_suicide || !effect.is_suicide) && (Self::EXACT || !self.is_superko(effect.key))
    }

    /// The points of `points` where the side to move can put a stone; none if the game is over. `captures` are those where it
    /// captures.
    pub(super) fn legal_points(
        &self,
        points: Points<WORDS>,
        captures: Points<WORDS>,
    ) -> impl Iterator<Item = usize> {
        let points = if self.passes < 2 { points & self.board.free() } else { Points::EMPTY };
        // A stone with a free neighbour that captures nothing is only added.
        let simple = self.board.open_points() - captures;
        points.iter().filter(move |&point| match simple.contains(point) {
            true => Self::EXACT || !self.is_superko(self.board.key_with(self.side, point)),
            false => self.is_legal_stone(point),
        })
    }

    /// In the game for proofs, the plies back to an equal position, and the stones that White has lost since then, minus those
    /// that Black has lost.
    ///
    /// The side that has lost fewer stones gets all points: it would pass for ever, while the other side throws in stones. If
    /// both have lost equally many, no side gets points. As every cycle is worth the same wherever the game came from, this
    /// is the rule for endless games, and values do not depend on the moves before.
    pub(super) fn repetition(&self) -> Option<(usize, i32)> {
        let plies = if Self::EXACT { self.plies_since(self.key(), None) } else { None }?;
        Some((plies, self.balance - self.history[self.history.len() - plies].balance))
    }

    /// Black's points minus White's, in the unit of scores, if Black is `points` ahead on the board.
    pub(super) fn score_of(&self, points: i32) -> i32 {
        (2 * points - i32::from(self.komi)) * Self::SCORE_UNIT / 2
    }

    /// Black's points minus White's if the game ended now.
    pub(super) fn score_now(&self) -> i32 {
        self.score_of(self.board.area_difference())
    }

    /// The points that belong to `side` whatever happens.
    pub(super) fn safe_area(&self, side: Side) -> Points<WORDS> {
        *self.safe[side.index()].get_or_init(|| safe_area(&self.board, side))
    }

    /// The score of `side`, for it, if it gets all points that are not safe for the opponent.
    pub(super) fn best_score(&self, side: Side) -> Score {
        let points = self.board.area().count() as i32 - 2 * self.safe_area(!side).count() as i32;
        Score::new(if side == Side::White { self.score_of(points) } else { -self.score_of(-points) })
    }

    pub(super) fn remember(&mut self, mv: Option<Move>) {
        let (key, mark) = (self.repetition_key(), self.board.mark());
        let Go { side, ko, passes, balance, .. } = *self;
        let safe = self.safe.clone();
        self.history.push(Past { key, side, ko, passes, balance, mv, mark, safe });
        self.key_counts[key as usize % 256] += 1;
        self.side = !side;
        self.ko = None;
    }

    pub(super) fn recall(&mut self) -> Option<Past<WORDS>> {
        let past = self.history.pop()?;
        self.key_counts[past.key as usize % 256] -= 1;
        (self.side, self.ko, self.passes, self.balance) = (past.side, past.ko, past.passes, past.balance);
        self.safe.clone_from(&past.safe);
        Some(past)
    }

    fn play_stone(&mut self, point: usize, mv: Move) {
        let side = self.side;
        let captured: usize = self.board.captured_chains(point, side).map(|chain| chain.stones.count()).sum();
        let own = self.board.stones(side).count() as i32;
        self.remember(Some(mv));
        self.board.place(point, side);
        let lost = captured as i32 - (own + 1 - self.board.stones(side).count() as i32);
        self.balance += if side == Side::White { lost } else { -lost };
        self.passes = 0;
        self.safe = Default::default();
        // A ko: one stone takes one stone, and could be retaken at once.
        let chain = self.board.chain(point);
        if captured == 1 && chain.stones.only().is_some() {
            self.ko = chain.liberties.only();
        }
    }

    /// The first position of the game, without the moves.
    pub(super) fn first(&self) -> Self {
        let mut game = self.clone();
        while let Some(mv) = game.history.last().map(|past| past.mv) {
            match mv {
                Some(mv) => game.undo(mv),
                None => game.unmake_null_move(),
            }
        }
        game
    }

    /// The moves of the game; `None` is a null move.
    pub(super) fn past_moves(&self) -> impl Iterator<Item = Option<Move>> {
        self.history.iter().map(|past| past.mv)
    }
}

impl<const WORDS: usize> Game for Go<WORDS> {
    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        if self.passes < 2 {
            moves.push(PASS);
            let captures = self.board.captures(self.side);
            moves.extend(self.legal_points(self.board.free(), captures).map(Self::stone_move));
        }
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} in {}", self.position_text());
        match Self::point(mv) {
            Some(point) => self.play_stone(point, mv),
            None => {
                self.remember(Some(mv));
                self.passes += 1;
            }
        }
        self.plies += 1;
    }

    fn undo(&mut self, mv: Move) {
        if let Some(past) = self.recall()
            && let Some(point) = Self::point(mv)
        {
            self.board.take_back(point, past.side, past.mark);
        }
        self.plies -= 1;
    }

    /// The points after two passes.
    fn outcome(&self) -> Option<Outcome> {
        (self.passes == 2).then(|| Outcome::Points(self.score_now()))
    }

    fn key(&self) -> u64 {
        self.board.keys()[0] ^ self.state_key() ^ ko_key(self.ko)
    }

    /// A repetition in the game for proofs.
    fn claim(&self, _: Ply) -> Option<Claim> {
        let (_, balance) = self.repetition()?;
        let all = self.board.area().count() as i32 * Self::SCORE_UNIT;
        Some(Claim::Points(balance.signum() * all))
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.passes < 2 && Self::point(mv).is_none_or(|point| self.is_legal_stone(point))
    }
}
