//! Which move to try next: the table's, good captures, killers, quiet moves by history, bad captures.

use super::history::{ContHistKeys, Histories};
use super::params::{MVV_HISTORY_DIVISOR, MVV_WEIGHT};
use crate::game::{Heuristics, MAX_MOVES, Move, MoveList};
use arrayvec::ArrayVec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Forced,
    TtMove,
    GenNoisy,
    GoodNoisy,
    Killers,
    GenQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// What the picker asks of the search.
#[derive(Clone, Copy)]
pub struct OrderingContext<'a> {
    /// The histories.
    pub histories: &'a Histories,
    /// What came before, the last move first.
    pub cont_keys: &'a ContHistKeys,
}

/// A move and what was asked about it on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickedMove {
    /// The move.
    pub mv: Move,
    /// Whether it changes the balance.
    pub noisy: bool,
    /// How well it has done.
    pub history: i32,
}

impl PickedMove {
    fn noisy<G: Heuristics>(game: &G, context: OrderingContext, mv: Move) -> PickedMove {
        PickedMove { mv, noisy: true, history: context.histories.capture(game, mv) }
    }

    fn quiet<G: Heuristics>(game: &G, context: OrderingContext, mv: Move) -> PickedMove {
        let quiet_history = context.histories.quiet_history(game, context.cont_keys);
        PickedMove { mv, noisy: false, history: quiet_history.history(game, mv) }
    }

    fn any<G: Heuristics>(game: &G, context: OrderingContext, mv: Move) -> PickedMove {
        if game.is_noisy(mv) {
            PickedMove::noisy(game, context, mv)
        } else {
            PickedMove::quiet(game, context, mv)
        }
    }
}

/// The moves of one node, in the order in which they are worth trying. Each is generated, scored and
/// sorted only when the node gets so far.
#[derive(Debug)]
pub struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    next_killer: usize,
    moves: MoveList,
    /// For each of `moves` its [`key`], or [`TAKEN`].
    keys: ArrayVec<i32, MAX_MOVES>,
    bad_noisy: MoveList,
    /// Exchanges that leave less than this come last; in quiescence they do not come.
    threshold: i32,
    remaining: Remaining,
}

/// What still comes after the exchanges that leave enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Remaining {
    /// Quiet moves and the other exchanges.
    All,
    /// Of the quiet moves those that give check.
    Checks,
    /// The other exchanges alone.
    Noisy,
    /// Nothing.
    None,
}

impl MovePicker {
    /// `mv` and no other.
    pub fn only(mv: Move) -> MovePicker {
        MovePicker { stage: Stage::Forced, tt_move: Some(mv), ..MovePicker::empty() }
    }

    /// What all pickers begin with: nothing generated yet.
    fn empty() -> MovePicker {
        MovePicker {
            stage: Stage::TtMove,
            tt_move: None,
            killers: [None; 2],
            next_killer: 0,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            bad_noisy: MoveList::new(),
            threshold: 0,
            remaining: Remaining::All,
        }
    }

    /// All legal moves. `table` may be anything that was read from the table.
    pub fn new<G: Heuristics>(game: &G, tt_move: Option<Move>, killers: [Option<Move>; 2]) -> MovePicker {
        MovePicker { tt_move: tt_move.filter(|&mv| game.is_legal(mv)), killers, ..MovePicker::empty() }
    }

    /// Only tactical moves whose exchange leaves at least `threshold`.
    pub fn noisy<G: Heuristics>(game: &G, tt_move: Option<Move>, threshold: i32) -> MovePicker {
        let tt_move = tt_move.filter(|&mv| game.is_noisy(mv) && game.see_ge(mv, threshold));
        MovePicker { threshold, remaining: Remaining::None, ..MovePicker::new(game, tt_move, [None; 2]) }
    }

    /// No further quiet moves.
    pub fn skip_quiets(&mut self) {
        self.remaining = self.remaining.max(Remaining::Noisy);
    }

    /// No further quiet moves but those that give check.
    pub fn skip_non_checking_quiets<G: Heuristics>(&mut self, game: &G) {
        if self.remaining != Remaining::All {
            return;
        }
        self.remaining = Remaining::Checks;
        if self.stage == Stage::Quiet {
            for (&mv, key) in self.moves.iter().zip(&mut self.keys) {
                if !game.gives_check(mv) {
                    *key = PICKED;
                }
            }
        }
    }

    /// The next move.
    pub fn next<G: Heuristics>(&mut self, game: &G, context: OrderingContext) -> Option<PickedMove> {
        loop {
            match self.stage {
                Stage::Forced => {
                    self.stage = Stage::Done;
                    return self.tt_move.map(|mv| PickedMove::any(game, context, mv));
                }
                Stage::TtMove => {
                    self.stage = Stage::GenNoisy;
                    if let Some(mv) = self.tt_move {
                        return Some(PickedMove::any(game, context, mv));
                    }
                }
                Stage::GenNoisy => {
                    self.score_noisy(game, context.histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    let Some((mv, _)) = self.pick_best() else {
                        self.stage =
                            if self.remaining == Remaining::None { Stage::Done } else { Stage::Killers };
                        continue;
                    };
                    if game.see_ge(mv, self.threshold) {
                        return Some(PickedMove::noisy(game, context, mv));
                    }
                    self.bad_noisy.push(mv);
                }
                Stage::Killers => {
                    let killer = self.killers.get(self.next_killer).copied();
                    self.next_killer += 1;
                    match killer {
                        None => self.stage = Stage::GenQuiet,
                        Some(Some(mv)) if self.is_killer(game, mv) => {
                            return Some(PickedMove::quiet(game, context, mv));
                        }
                        _ => {}
                    }
                }
                Stage::GenQuiet => {
                    if self.remaining < Remaining::Noisy {
                        self.score_quiet(game, context);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if self.remaining < Remaining::Noisy
                        && let Some((mv, history)) = self.pick_best()
                    {
                        return Some(PickedMove { mv, noisy: false, history });
                    }
                    self.stage = Stage::BadNoisy;
                    // They were put aside best first and come back in that order.
                    self.bad_noisy.reverse();
                }
                Stage::BadNoisy => {
                    if let Some(mv) = self.bad_noisy.pop() {
                        return Some(PickedMove::noisy(game, context, mv));
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn is_killer<G: Heuristics>(&self, game: &G, mv: Move) -> bool {
        Some(mv) != self.tt_move
            && !game.is_noisy(mv)
            && game.is_legal(mv)
            && match self.remaining {
                Remaining::All => true,
                Remaining::Checks => game.gives_check(mv),
                Remaining::Noisy | Remaining::None => false,
            }
    }

    fn score_noisy<G: Heuristics>(&mut self, game: &G, histories: &Histories) {
        game.noisy_moves(&mut self.moves);
        for (i, &mv) in self.moves.iter().enumerate() {
            // Most valuable victim first, the history deciding between attackers.
            let score =
                MVV_WEIGHT * game.captured_value(mv) + histories.capture(game, mv) / MVV_HISTORY_DIVISOR;
            self.keys.push(if Some(mv) == self.tt_move { PICKED } else { pack_score(score, i) });
        }
    }

    fn score_quiet<G: Heuristics>(&mut self, game: &G, context: OrderingContext) {
        self.moves.clear();
        self.keys.clear();
        game.quiet_moves(&mut self.moves);
        let quiet_history = context.histories.quiet_history(game, context.cont_keys);
        for (i, &mv) in self.moves.iter().enumerate() {
            let skip = Some(mv) == self.tt_move
                || self.killers.contains(&Some(mv))
                || self.remaining == Remaining::Checks && !game.gives_check(mv);
            self.keys.push(if skip { PICKED } else { pack_score(quiet_history.history(game, mv), i) });
        }
    }

    /// Takes the move with the highest score. Cutoffs come early, so that one pass for each move tried, in which the
    /// processor compares many at once, beats sorting them all.
    fn pick_best(&mut self) -> Option<(Move, i32)> {
        let best_key = self.keys.iter().fold(PICKED, |best_key, &key| best_key.max(key));
        if best_key == PICKED {
            return None;
        }
        let i = best_key as usize % (1 << INDEX_BITS);
        self.keys[i] = PICKED;
        Some((self.moves[i], best_key >> INDEX_BITS))
    }
}

/// Bits of a key for the place in the list; the others are for the score.
const INDEX_BITS: u32 = 9;
const _: () = assert!(MAX_MOVES <= 1 << INDEX_BITS);
/// In place of the key of a move that does not come any more, less than any.
const PICKED: i32 = i32::MIN;
/// Scores are cut off here to leave room for the place.
const SCORE_MAX: i32 = i32::MAX >> INDEX_BITS;

/// A score and a move's place in the list in one number, so that the highest says where it stands.
fn pack_score(score: i32, index: usize) -> i32 {
    score.clamp(-SCORE_MAX, SCORE_MAX) << INDEX_BITS | index as i32
}
