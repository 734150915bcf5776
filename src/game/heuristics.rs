//! Game knowledge that speeds up a search. Every method has a default that claims to know nothing.

use super::{Game, Move, MoveList, Outcome, Ply, Score, SearchParams};

/// The most keys that [`Heuristics::correction_keys`] can write.
pub const MAX_CORRECTION_KEYS: usize = 8;

/// Optional knowledge of a game for the generic search.
///
/// With an empty `impl` the search is exact: alpha-beta with a transposition table (TT). The methods must
/// agree with the rules in [`Game`]; [`super::conformance`] checks that. They come in groups: what is proved
/// without a search, which moves are searched, in which order, what a selective search may assume, null moves.
#[expect(unused_variables, reason = "the defaults ignore parameters")]
pub trait Heuristics: Game {
    /// Whether the search may use selective methods: null move, reductions, futility pruning and the like.
    /// `false` for games that are small enough to be solved exactly.
    const SELECTIVE: bool = false;

    /// The parameters of the search. A value outside of its range is a compile-time error.
    const PARAMS: SearchParams = SearchParams::OTHER_GAMES;

    /// Whether a move that wins the game at once always gives check. The search for a mate then leaves out its last other moves.
    const MATE_NEEDS_CHECK: bool = false;

    // Exactness: what is known without a search.

    /// Whether every game ends within [`Ply::MAX`] plies. A question about the value is then searched at full depth at once,
    /// else by iterative deepening.
    const BOUNDED: bool = true;

    /// Returns the outcome where it can be seen without generating moves. The search calls this at every
    /// node, and [`Game::outcome`] only where it finds no legal move.
    fn early_outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    /// Returns a lower and an upper bound of the game value for the side to move. Called while moves are
    /// left. `ply` is the distance from the root: no win before the third move from here is
    /// `Score::mate_in(ply + 3)`.
    fn value_bounds(&self, ply: Ply) -> (Score, Score) {
        (-Score::INFINITE, Score::INFINITE)
    }

    /// Returns the upper bound of [`Heuristics::value_bounds`]. A search for a proof asks for it after each move.
    fn greatest_value(&self, ply: Ply) -> Score {
        self.value_bounds(ply).1
    }

    /// Returns a legal move that is known to be optimal, if any: below the root the search tries no other,
    /// quiescence search included. Called while moves are left.
    fn forced_move(&self) -> Option<Move> {
        None
    }

    /// Returns the TT key: equal for positions that are symmetric images of each other, if the game uses
    /// symmetries, and for positions that differ in [`Heuristics::points_so_far`] only.
    fn tt_key(&self) -> u64 {
        self.key()
    }

    /// Whether an exact search looks this position up in the TT and stores it there. That is not worth it where the search of
    /// what is left of the game costs less than an access to the table in memory.
    fn uses_tt(&self) -> bool {
        true
    }

    /// Returns the [`Heuristics::tt_key`] after `mv` for TT prefetching, if it is cheap to compute. `mv` may be illegal: a TT
    /// collision can return any move. A wrong key costs time only. An exact search prefetches when it enters a node, by
    /// [`Heuristics::tt_key`].
    fn key_after(&self, mv: Move) -> Option<u64> {
        None
    }

    /// Maps `mv` to the canonical one of the symmetric positions, under which the TT stores it.
    fn canonical_move(&self, mv: Move) -> Move {
        mv
    }

    /// The inverse of [`Heuristics::canonical_move`]. `mv` may be illegal: a TT collision can return any move.
    fn original_move(&self, mv: Move) -> Move {
        mv
    }

    /// Returns the points scored so far, side to move minus opponent, in a game whose result is a sum of points.
    ///
    /// They must not affect later play: the TT stores only the value of the remaining game.
    fn points_so_far(&self) -> i32 {
        0
    }

    /// Whether the side to move can reach an earlier position of this search with one move, and so has at
    /// least a draw. `ply` is the distance from the root.
    fn upcoming_repetition(&self, ply: Ply) -> bool {
        false
    }

    /// Returns the plies back to the position on which [`Game::claim`] rests here, if there is a claim. The exact search
    /// stores no score that rests on a position before the stored one.
    fn claim_reach(&self) -> usize {
        0
    }

    // Moves: which are searched.

    /// Whether [`Heuristics::noisy_moves`] and [`Heuristics::quiet_moves`] may leave out legal moves. The search
    /// then tries the others (the candidate moves) only, also at the root, and those of `searchmoves`. There is
    /// a candidate move wherever there is a legal one. A game without [`Heuristics::SELECTIVE`] may leave out
    /// only moves that do not change the value.
    const HAS_CANDIDATES: bool = false;

    /// Whether `mv` is noisy, a move that quiescence search tries: in chess, a capture or a queen promotion.
    fn is_noisy(&self, mv: Move) -> bool {
        false
    }

    /// Appends the legal moves for which [`Heuristics::is_noisy`] holds.
    fn noisy_moves(&self, moves: &mut MoveList) {}

    /// Appends the other legal moves.
    fn quiet_moves(&self, moves: &mut MoveList) {
        self.legal_moves(moves);
    }

    /// Whether the side to move is in check: it must answer a threat. Quiescence search then tries all moves
    /// and does not stand pat.
    fn in_check(&self) -> bool {
        false
    }

    /// Whether the opponent is [in check](Heuristics::in_check) after `mv`. Such moves are pruned and reduced less.
    fn gives_check(&self, mv: Move) -> bool {
        false
    }

    /// Returns [`Heuristics::gives_check`] for this position, faster where many moves are tested.
    fn check_test(&self) -> impl Fn(Move) -> bool {
        |mv| self.gives_check(mv)
    }

    // Order of moves.

    /// Returns the value of the captured piece plus the gain of a promotion, in the game's unit, for MVV
    /// ordering (most valuable victim).
    fn captured_value(&self, mv: Move) -> i32 {
        0
    }

    /// Returns the value of the moving piece, in the game's unit, for LVA ordering (least valuable attacker).
    fn attacker_value(&self, mv: Move) -> i32 {
        0
    }

    /// Static exchange evaluation (SEE): whether the exchange that `mv` starts gains the mover at least
    /// `threshold`, in the game's unit.
    fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        threshold <= 0
    }

    /// Returns what the position says about a quiet move. The search adds it to the history score of the move,
    /// which is 0 for a move that it has not seen yet and at most a few times 16,384.
    fn prior(&self, mv: Move) -> i32 {
        0
    }

    /// The number of values of [`Heuristics::butterfly`]; 1 for a game without history tables.
    const BUTTERFLY: usize = 1;

    /// The number of values of [`Heuristics::piece_to`].
    const PIECE_TO: usize = 1;

    /// The number of values of [`Heuristics::captured_kind`].
    const CAPTURED: usize = 1;

    /// Returns the index of `mv` in the butterfly history: from-square and to-square, with optional features.
    fn butterfly(&self, mv: Move) -> usize {
        0
    }

    /// Returns the index of `mv` in the continuation history: moving piece, with its colour, and to-square. The moves of the second
    /// side have the upper half of the values. `mv` has not been played yet.
    fn piece_to(&self, mv: Move) -> usize {
        0
    }

    /// Returns the index of the captured piece's type.
    fn captured_kind(&self, mv: Move) -> usize {
        0
    }

    /// Returns a hash of the slowly changing structure, by which move histories are split: in chess, the pawns.
    fn structure_key(&self) -> u64 {
        0
    }

    // Selectivity: what a search with `SELECTIVE` may assume.

    /// Whether this position is searched one ply deeper (check extension).
    fn extends(&self) -> bool {
        self.in_check()
    }

    /// Whether pruning may rely on the static evaluation of this position.
    fn is_eval_reliable(&self) -> bool {
        !self.in_check()
    }

    /// The number of keys of [`Heuristics::correction_keys`], at most [`MAX_CORRECTION_KEYS`].
    const CORRECTION_KEYS: usize = 0;

    /// Writes the keys of the correction histories: hashes of parts of the position on which the error of the
    /// static evaluation depends. `keys` has [`Heuristics::CORRECTION_KEYS`] elements.
    fn correction_keys(&self, keys: &mut [u64]) {}

    /// Returns the plies since the last irreversible move, 0 to 100: in chess, the fifty-move counter. The
    /// evaluation shrinks with them.
    fn reversible_plies(&self) -> i32 {
        0
    }

    /// Whether a rule that counts moves soon makes the game a draw: in chess, the fifty-move rule within 10 plies. The
    /// search then trusts no score of the TT, because positions that differ only in that count have one key.
    fn is_near_move_limit(&self) -> bool {
        false
    }

    // Null moves: never moves of the game, even if it has a pass.

    /// Whether a null move is sound here: zugzwang is unlikely and the side to move is not in check.
    fn can_null_move(&self) -> bool {
        false
    }

    /// Passes the turn. [`Evaluator::before_move`](super::Evaluator::before_move) is not called.
    ///
    /// # Panics
    /// In a game that has no null move. Callers check [`Heuristics::can_null_move`] first.
    fn make_null_move(&mut self) {
        unreachable!("null move in a game without can_null_move");
    }

    /// Takes back [`Heuristics::make_null_move`].
    ///
    /// # Panics
    /// In a game that has no null move.
    fn unmake_null_move(&mut self) {
        unreachable!("null move taken back in a game without can_null_move");
    }
}
