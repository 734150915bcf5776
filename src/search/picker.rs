//! Which move to try next: the table's, good captures, killers, quiet moves by history, bad captures.

use super::history::{ContHistKeys, Histories};
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
    pub contexts: &'a ContHistKeys,
}

/// A move and what was asked about it on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickedMove {
    /// The move.
    pub mv: Move,
    /// Whether it changes the balance.
    pub tactical: bool,
    /// How well it has done.
    pub history: i32,
}

impl PickedMove {
    fn tactical<G: Heuristics>(game: &G, knowledge: OrderingContext, mv: Move) -> PickedMove {
        PickedMove { mv, tactical: true, history: knowledge.histories.capture(game, mv) }
    }

    fn quiet<G: Heuristics>(game: &G, knowledge: OrderingContext, mv: Move) -> PickedMove {
        let quiets = knowledge.histories.quiets(game, knowledge.contexts);
        PickedMove { mv, tactical: false, history: quiets.history(game, mv) }
    }

    fn any<G: Heuristics>(game: &G, knowledge: OrderingContext, mv: Move) -> PickedMove {
        if game.is_noisy(mv) {
            PickedMove::tactical(game, knowledge, mv)
        } else {
            PickedMove::quiet(game, knowledge, mv)
        }
    }
}

/// The moves of one node, in the order in which they are worth trying. Each is generated, scored and
/// sorted only when the node gets so far.
#[derive(Debug)]
pub struct MovePicker {
    stage: Stage,
    table: Option<Move>,
    killers: [Option<Move>; 2],
    next_killer: usize,
    moves: MoveList,
    /// For each of `moves` its [`key`], or [`TAKEN`].
    keys: ArrayVec<i32, MAX_MOVES>,
    bad: MoveList,
    /// Exchanges that leave less than this come last; in quiescence they do not come.
    threshold: i32,
    rest: Remaining,
}

/// What still comes after the exchanges that leave enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Remaining {
    /// Quiet moves and the other exchanges.
    All,
    /// Of the quiet moves those that give check.
    Checks,
    /// The other exchanges alone.
    Tactical,
    /// Nothing.
    None,
}

impl MovePicker {
    /// `mv` and no other.
    pub fn only(mv: Move) -> MovePicker {
        MovePicker { stage: Stage::Forced, table: Some(mv), ..MovePicker::empty() }
    }

    /// What all pickers begin with: nothing generated yet.
    fn empty() -> MovePicker {
        MovePicker {
            stage: Stage::TtMove,
            table: None,
            killers: [None; 2],
            next_killer: 0,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            bad: MoveList::new(),
            threshold: 0,
            rest: Remaining::All,
        }
    }

    /// All legal moves. `table` may be anything that was read from the table.
    pub fn new<G: Heuristics>(game: &G, table: Option<Move>, killers: [Option<Move>; 2]) -> MovePicker {
        MovePicker { table: table.filter(|&mv| game.is_legal(mv)), killers, ..MovePicker::empty() }
    }

    /// Only tactical moves whose exchange leaves at least `threshold`.
    pub fn tactical<G: Heuristics>(game: &G, table: Option<Move>, threshold: i32) -> MovePicker {
        let table = table.filter(|&mv| game.is_noisy(mv) && game.see_ge(mv, threshold));
        MovePicker { threshold, rest: Remaining::None, ..MovePicker::new(game, table, [None; 2]) }
    }

    /// No further quiet moves.
    pub fn skip_quiets(&mut self) {
        self.rest = self.rest.max(Remaining::Tactical);
    }

    /// No further quiet moves but those that give check.
    pub fn skip_non_checking_quiets<G: Heuristics>(&mut self, game: &G) {
        if self.rest != Remaining::All {
            return;
        }
        self.rest = Remaining::Checks;
        if self.stage == Stage::Quiet {
            for (&mv, key) in self.moves.iter().zip(&mut self.keys) {
                if !game.gives_check(mv) {
                    *key = PICKED;
                }
            }
        }
    }

    /// The next move.
    pub fn next<G: Heuristics>(&mut self, game: &G, knowledge: OrderingContext) -> Option<PickedMove> {
        loop {
            match self.stage {
                Stage::Forced => {
                    self.stage = Stage::Done;
                    return self.table.map(|mv| PickedMove::any(game, knowledge, mv));
                }
                Stage::TtMove => {
                    self.stage = Stage::GenNoisy;
                    if let Some(mv) = self.table {
                        return Some(PickedMove::any(game, knowledge, mv));
                    }
                }
                Stage::GenNoisy => {
                    self.score_tactical(game, knowledge.histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    let Some((mv, _)) = self.pick_best() else {
                        self.stage = if self.rest == Remaining::None { Stage::Done } else { Stage::Killers };
                        continue;
                    };
                    if game.see_ge(mv, self.threshold) {
                        return Some(PickedMove::tactical(game, knowledge, mv));
                    }
                    self.bad.push(mv);
                }
                Stage::Killers => {
                    let killer = self.killers.get(self.next_killer).copied();
                    self.next_killer += 1;
                    match killer {
                        None => self.stage = Stage::GenQuiet,
                        Some(Some(mv)) if self.is_killer(game, mv) => {
                            return Some(PickedMove::quiet(game, knowledge, mv));
                        }
                        _ => {}
                    }
                }
                Stage::GenQuiet => {
                    if self.rest < Remaining::Tactical {
                        self.score_quiet(game, knowledge);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if self.rest < Remaining::Tactical
                        && let Some((mv, history)) = self.pick_best()
                    {
                        return Some(PickedMove { mv, tactical: false, history });
                    }
                    self.stage = Stage::BadNoisy;
                    // They were put aside best first and come back in that order.
                    self.bad.reverse();
                }
                Stage::BadNoisy => {
                    if let Some(mv) = self.bad.pop() {
                        return Some(PickedMove::tactical(game, knowledge, mv));
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn is_killer<G: Heuristics>(&self, game: &G, mv: Move) -> bool {
        Some(mv) != self.table
            && !game.is_noisy(mv)
            && game.is_legal(mv)
            && match self.rest {
                Remaining::All => true,
                Remaining::Checks => game.gives_check(mv),
                Remaining::Tactical | Remaining::None => false,
            }
    }

    fn score_tactical<G: Heuristics>(&mut self, game: &G, histories: &Histories) {
        game.noisy_moves(&mut self.moves);
        for (i, &mv) in self.moves.iter().enumerate() {
            // Most valuable victim first, the history deciding between attackers.
            let score = 16 * game.captured_value(mv) + histories.capture(game, mv) / 4;
            self.keys.push(if Some(mv) == self.table { PICKED } else { pack_score(score, i) });
        }
    }

    fn score_quiet<G: Heuristics>(&mut self, game: &G, knowledge: OrderingContext) {
        self.moves.clear();
        self.keys.clear();
        game.quiet_moves(&mut self.moves);
        let quiets = knowledge.histories.quiets(game, knowledge.contexts);
        for (i, &mv) in self.moves.iter().enumerate() {
            let taken = Some(mv) == self.table
                || self.killers.contains(&Some(mv))
                || self.rest == Remaining::Checks && !game.gives_check(mv);
            self.keys.push(if taken { PICKED } else { pack_score(quiets.history(game, mv), i) });
        }
    }

    /// Takes the move with the highest score. Cutoffs come early, so that one pass for each move tried, in which the
    /// processor compares many at once, beats sorting them all.
    fn pick_best(&mut self) -> Option<(Move, i32)> {
        let highest = self.keys.iter().fold(PICKED, |highest, &key| highest.max(key));
        if highest == PICKED {
            return None;
        }
        let i = highest as usize % (1 << PLACE_BITS);
        self.keys[i] = PICKED;
        Some((self.moves[i], highest >> PLACE_BITS))
    }
}

/// Bits of a key for the place in the list; the others are for the score.
const PLACE_BITS: u32 = 9;
const _: () = assert!(MAX_MOVES <= 1 << PLACE_BITS);
/// In place of the key of a move that does not come any more, less than any.
const PICKED: i32 = i32::MIN;
/// Scores are cut off here to leave room for the place.
const SCORE_MAX: i32 = i32::MAX >> PLACE_BITS;

/// A score and a move's place in the list in one number, so that the highest says where it stands.
fn pack_score(score: i32, place: usize) -> i32 {
    score.clamp(-SCORE_MAX, SCORE_MAX) << PLACE_BITS | place as i32
}
