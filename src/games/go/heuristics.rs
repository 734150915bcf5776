//! What the search knows of Go.

use super::board::Board;
use super::points::Points;
use super::position::{Go, PASS, ko_key};
use super::symmetry::{image_of, inverse};
use crate::game::{Heuristics, Move, MoveList, Notation, Ply, Score, SearchParams, Side};

impl<const WORDS: usize> Go<WORDS> {
    /// The indices of a stone's point or of a pass in a history table.
    const MOVES: usize = 64 * WORDS + 1;

    fn history_index(mv: Move) -> usize {
        Self::point(mv).map_or(64 * WORDS, |point| point)
    }

    /// For each image of the board, the number of the image, and its key.
    fn image_keys(&self) -> impl Iterator<Item = (u64, usize)> {
        let (size, state) = (self.board.size(), self.state_key());
        self.board.keys().iter().enumerate().map(move |(image, &key)| {
            (key ^ state ^ ko_key(self.ko.map(|point| image_of(point, image, size))), image)
        })
    }

    /// The image of the board that stands for all eight.
    fn canonical_image(&self) -> usize {
        self.image_keys().min().map_or(0, |(_, image)| image)
    }

    fn move_in_image(&self, mv: Move, image: usize) -> Move {
        match Self::point(mv).filter(|&point| self.board.area().contains(point)) {
            Some(point) => Self::stone_move(image_of(point, image, self.board.size())),
            None => mv,
        }
    }

    /// The points that need no move. For an exact search they are those whose owner is known, unless there is a ko, in which a
    /// move there may be better than a pass: the opponent's pass would end the game. The owner may have to take stones there before
    /// the end. For a selective search they are the mover's eyes.
    fn settled_points(&self) -> Points<WORDS> {
        if !Self::EXACT {
            return eyes(&self.board, self.side);
        }
        if self.ko.is_some() {
            return Points::EMPTY;
        }
        let own = self.safe_area(self.side);
        let takes = !(own & self.board.stones(!self.side)).is_empty();
        self.safe_area(!self.side) | if takes { Points::EMPTY } else { own }
    }

    pub(super) fn captured_stones(&self, mv: Move) -> usize {
        let chains =
            Self::point(mv).into_iter().flat_map(|point| self.board.captured_chains(point, self.side));
        chains.map(|chain| chain.stones.count()).sum()
    }
}

/// Returns the free points of which `side` has all neighbours, in one chain or with three of four diagonal neighbours.
fn eyes<const WORDS: usize>(board: &Board<WORDS>, side: Side) -> Points<WORDS> {
    let (own, other, stride) = (board.stones(side), board.stones(!side), board.stride());
    let is_eye = |&point: &usize| {
        let diagonals = [
            point.wrapping_sub(stride + 1),
            point.wrapping_sub(stride - 1),
            point + stride - 1,
            point + stride + 1,
        ];
        let on_board = diagonals.into_iter().filter(|&point| board.area().contains(point)).count();
        let hostile = diagonals.into_iter().filter(|&point| other.contains(point)).count();
        hostile <= usize::from(on_board == 4)
    };
    let enclosed = board.free() - (board.area() - own).neighbours(stride);
    enclosed.iter().filter(is_eye).collect()
}

impl<const WORDS: usize> Heuristics for Go<WORDS> {
    const SELECTIVE: bool = !Self::EXACT;
    /// With the changes that matches accepted for chess until 8c7100d. Without a continuation history of null moves, a search of
    /// 2,000 nodes passes before it has captured dead stones.
    const PARAMS: SearchParams = SearchParams {
        razor_tt: 1,
        nmp_cut_only: 1,
        singular_double_pv: 86,
        lmp_keeps_checks: 1,
        lmr_early: 3,
        history_malus_index: 44,
        null_move_history: 1,
        ..SearchParams::OTHER_GAMES
    };
    const BOUNDED: bool = false;
    const HAS_CANDIDATES: bool = true;
    const BUTTERFLY: usize = Self::MOVES;
    const PIECE_TO: usize = 2 * Self::MOVES;

    /// The game can be ended at once after a pass, and the points of unconditionally alive chains are known.
    fn value_bounds(&self, ply: Ply) -> (Score, Score) {
        let mut least = if Self::EXACT { -self.best_score(!self.side) } else { -Score::INFINITE };
        if self.passes == 1 {
            let now = Score::new(self.score_now());
            least = least.max(if self.side == Side::White { now } else { -now });
        }
        (least, self.greatest_value(ply))
    }

    fn greatest_value(&self, _: Ply) -> Score {
        if Self::EXACT { self.best_score(self.side) } else { Score::INFINITE }
    }

    fn claim_reach(&self) -> usize {
        self.repetition().map_or(0, |(plies, _)| plies)
    }

    fn tt_key(&self) -> u64 {
        self.image_keys().map(|(key, _)| key).min().unwrap_or_default()
    }

    fn canonical_move(&self, mv: Move) -> Move {
        self.move_in_image(mv, self.canonical_image())
    }

    fn original_move(&self, mv: Move) -> Move {
        self.move_in_image(mv, inverse(self.canonical_image()))
    }

    fn is_noisy(&self, mv: Move) -> bool {
        Self::point(mv).is_some_and(|point| self.board.captured_chains(point, self.side).next().is_some())
    }

    fn noisy_moves(&self, moves: &mut MoveList) {
        let captures = self.board.captures(self.side);
        let points = captures - self.settled_points();
        moves.extend(self.legal_points(points, captures).map(Self::stone_move));
    }

    fn quiet_moves(&self, moves: &mut MoveList) {
        if self.passes < 2 {
            moves.push(PASS);
            let captures = self.board.captures(self.side);
            let points = self.board.free() - captures - self.settled_points();
            moves.extend(self.legal_points(points, captures).map(Self::stone_move));
        }
    }

    fn captured_value(&self, mv: Move) -> i32 {
        self.captured_stones(mv) as i32 * Self::SCORE_UNIT
    }

    fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        threshold <= self.captured_value(mv)
    }

    /// Prefers points near the centre with free neighbours, and moves that save or attack chains with few liberties.
    fn prior(&self, mv: Move) -> i32 {
        let Some(point) = Self::point(mv) else { return -4_000 };
        let board = &self.board;
        let free =
            board.neighbours(point).filter(|&neighbour| board.free().contains(neighbour)).count() as i32;
        let urgency = |side: Side| {
            let value = |liberties: usize, stones: usize| match liberties {
                1 => 3_000 + 500 * stones as i32,
                2 => 1_500 + 200 * stones as i32,
                _ => 200,
            };
            let chains = board.chains_beside(point, side);
            chains.map(|chain| value(chain.liberties.count(), chain.stones.count())).sum::<i32>()
        };
        800 * free + urgency(self.side) + urgency(!self.side)
    }

    fn butterfly(&self, mv: Move) -> usize {
        Self::history_index(mv)
    }

    fn piece_to(&self, mv: Move) -> usize {
        self.side.index() * Self::MOVES + Self::history_index(mv)
    }

    /// A stone is nearly always worth more than a null move, unless the game is about to end.
    fn can_null_move(&self) -> bool {
        !Self::EXACT && self.passes == 0
    }

    fn make_null_move(&mut self) {
        self.remember(None);
    }

    fn unmake_null_move(&mut self) {
        self.recall();
    }
}
