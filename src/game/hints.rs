//! What a search may want to know of a game beyond its rules; every answer defaults to "don't know".

use super::{Game, Move, MoveList, Outcome, Ply, Score};

/// More than any game gives of [`Hints::correction_keys`].
pub const MAX_CORRECTION_KEYS: usize = 8;

/// Optional knowledge that makes the generic search fast.
///
/// A game that implements nothing here is searched exactly: plain alpha-beta with a table.
/// Nothing here may change what the rules say.
pub trait Heuristics: Game {
    /// Whether the search may judge without proof: null move, reductions, futility and the rest.
    /// Games small enough to be solved say `false` and are solved exactly.
    const SELECTIVE: bool = false;

    /// How many values [`Hints::butterfly`] takes, and 1 for a game without histories.
    const BUTTERFLY: usize = 1;

    /// How many values [`Hints::piece_to`] takes.
    const PIECE_TO: usize = 1;

    /// How many values [`Hints::captured`] takes.
    const CAPTURED: usize = 1;

    /// How many values [`Hints::correction_keys`] gives, at most [`MAX_CORRECTIONS`].
    const CORRECTION_KEYS: usize = 0;

    /// The key under which a table may keep this position: the same for positions that the board's
    /// symmetries turn into each other, if the game knows any, or that differ in [`Hints::banked`] only.
    fn tt_key(&self) -> u64 {
        self.key()
    }

    /// What [`Hints::table_key`] will be after `mv`, or almost always, if that is quick to say: the table is
    /// asked to have it at hand, and a wrong guess costs time only.
    fn key_after(&self, mv: Move) -> Option<u64> {
        let _ = mv;
        None
    }

    /// Points that the side to move has made so far less the other side's, where they are a part of whatever
    /// the game comes to and change nothing else: the table keeps what is still to come.
    fn points_so_far(&self) -> i32 {
        0
    }

    /// `mv` as it reads in the one of the symmetric positions that stands for all in a table.
    fn to_canonical(&self, mv: Move) -> Move {
        mv
    }

    /// The inverse of [`Hints::canonical`]; `mv` may be anything.
    fn from_canonical(&self, mv: Move) -> Move {
        mv
    }

    /// An end of the game that can be seen without generating moves. The search asks this at every
    /// node, and [`Game::outcome`] where it found no legal move.
    fn early_outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    /// The least and the greatest value that any play from here can have for the side to move, as far as
    /// that is plain to see. Asked while the game is on.
    fn value_bounds(&self) -> (Score, Score) {
        (-Score::INFINITE, Score::INFINITE)
    }

    /// A legal move that no other can be better than, where that is plain to see: below the root the only
    /// one searched. Asked while the game is on.
    fn forced_move(&self) -> Option<Move> {
        None
    }

    /// Whether the side to move must answer a threat, so that no static judgement is to be trusted.
    fn in_check(&self) -> bool {
        false
    }

    /// Whether `mv` changes the balance so much that quiescence must look at it (capture, promotion).
    fn is_noisy(&self, mv: Move) -> bool {
        let _ = mv;
        false
    }

    /// Appends the legal moves for which [`Hints::is_tactical`] holds.
    fn noisy_moves(&self, moves: &mut MoveList) {
        let _ = moves;
    }

    /// Appends the legal moves that [`Hints::tactical_moves`] does not.
    fn quiet_moves(&self, moves: &mut MoveList) {
        self.legal_moves(moves);
    }

    /// What `mv` takes or gains at once, in the evaluation's unit, before any answer.
    fn captured_value(&self, mv: Move) -> i32 {
        let _ = mv;
        0
    }

    /// What `mv` risks: the value of the man that moves, in the evaluation's unit.
    fn attacker_value(&self, mv: Move) -> i32 {
        let _ = mv;
        0
    }

    /// Static exchange evaluation: whether the exchanges that `mv` starts leave the mover at least `threshold`.
    fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let _ = mv;
        threshold <= 0
    }

    /// Whether `mv` attacks the enemy king.
    fn gives_check(&self, mv: Move) -> bool {
        let _ = mv;
        false
    }

    /// Butterfly slot: which from-square goes to which to-square, and what else tells such moves apart.
    fn butterfly(&self, mv: Move) -> usize {
        let _ = mv;
        0
    }

    /// Continuation slot: which piece (of which side) goes to which square. `mv` has not been played yet.
    fn piece_to(&self, mv: Move) -> usize {
        let _ = mv;
        0
    }

    /// The kind of piece that `mv` takes.
    fn captured(&self, mv: Move) -> usize {
        let _ = mv;
        0
    }

    /// Writes hashes of parts of the position that tend to share an evaluation error; `keys` has
    /// [`Hints::CORRECTIONS`] elements.
    fn correction_keys(&self, keys: &mut [u64]) {
        let _ = keys;
    }

    /// A hash of what changes slowly and decides where pieces stand well, as the pawns do in chess.
    fn structure_key(&self) -> u64 {
        0
    }

    /// Whether the side to move can reach a position that occurred before, so that it has a draw at
    /// least. `ply` is the distance from the search's root: only positions within the search count.
    fn upcoming_repetition(&self, ply: Ply) -> bool {
        let _ = ply;
        false
    }

    /// Whether passing the turn is thinkable here: the rules' best move is almost never worse than none.
    fn can_null_move(&self) -> bool {
        false
    }

    /// Passes the turn; called only where [`Hints::may_pass`] holds.
    fn make_null_move(&mut self) {
        unreachable!("a game whose may_pass is false was asked to pass");
    }

    /// Takes back [`Hints::pass`].
    fn unmake_null_move(&mut self) {
        unreachable!("a game whose may_pass is false was asked to take back a pass");
    }

    /// How many plies, at most 100, the game has gone towards a draw that comes if nothing happens for long.
    fn reversible_plies(&self) -> i32 {
        0
    }
}
