//! Which move to try next: the table's, good captures, killers, quiet moves by history, bad captures.

use super::history::{Contexts, Histories};
use crate::game::{Hints, MAX_MOVES, Move, MoveList};
use arrayvec::ArrayVec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Only,
    Table,
    MakeTactical,
    GoodTactical,
    Killers,
    MakeQuiet,
    Quiet,
    BadTactical,
    Done,
}

/// What the picker asks of the search.
#[derive(Clone, Copy)]
pub struct Knowledge<'a> {
    /// The histories.
    pub histories: &'a Histories,
    /// What came before, the last move first.
    pub contexts: &'a Contexts,
}

/// A move and what was asked about it on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The move.
    pub mv: Move,
    /// Whether it changes the balance.
    pub tactical: bool,
    /// How well it has done.
    pub history: i32,
}

impl Pick {
    fn tactical<G: Hints>(game: &G, knowledge: Knowledge, mv: Move) -> Pick {
        Pick { mv, tactical: true, history: knowledge.histories.capture(game, mv) }
    }

    fn quiet<G: Hints>(game: &G, knowledge: Knowledge, mv: Move) -> Pick {
        let quiets = knowledge.histories.quiets(game, knowledge.contexts);
        Pick { mv, tactical: false, history: quiets.history(game, mv) }
    }

    fn any<G: Hints>(game: &G, knowledge: Knowledge, mv: Move) -> Pick {
        if game.is_tactical(mv) {
            Pick::tactical(game, knowledge, mv)
        } else {
            Pick::quiet(game, knowledge, mv)
        }
    }
}

/// The moves of one node, in the order in which they are worth trying. Each is generated, scored and
/// sorted only when the node gets so far.
#[derive(Debug)]
pub struct Picker {
    stage: Stage,
    table: Option<Move>,
    killers: [Option<Move>; 2],
    next_killer: usize,
    scored: ArrayVec<(Move, i32), MAX_MOVES>,
    bad: MoveList,
    /// Exchanges that leave less than this come last; in quiescence they do not come.
    threshold: i32,
    quiets: bool,
}

impl Picker {
    /// `mv` and no other.
    pub fn only(mv: Move) -> Picker {
        Picker { stage: Stage::Only, table: Some(mv), ..Picker::empty() }
    }

    /// What all pickers begin with: nothing generated yet.
    fn empty() -> Picker {
        Picker {
            stage: Stage::Table,
            table: None,
            killers: [None; 2],
            next_killer: 0,
            scored: ArrayVec::new(),
            bad: MoveList::new(),
            threshold: 0,
            quiets: true,
        }
    }

    /// All legal moves. `table` may be anything that was read from the table.
    pub fn new<G: Hints>(game: &G, table: Option<Move>, killers: [Option<Move>; 2]) -> Picker {
        Picker { table: table.filter(|&mv| game.is_legal(mv)), killers, ..Picker::empty() }
    }

    /// Only tactical moves whose exchange leaves at least `threshold`.
    pub fn tactical<G: Hints>(game: &G, table: Option<Move>, threshold: i32) -> Picker {
        let table = table.filter(|&mv| game.is_tactical(mv) && game.exchange_at_least(mv, threshold));
        Picker { threshold, quiets: false, ..Picker::new(game, table, [None; 2]) }
    }

    /// No further quiet moves.
    pub fn skip_quiets(&mut self) {
        self.quiets = false;
    }

    /// The next move.
    pub fn next<G: Hints>(&mut self, game: &G, knowledge: Knowledge) -> Option<Pick> {
        loop {
            match self.stage {
                Stage::Only => {
                    self.stage = Stage::Done;
                    return self.table.map(|mv| Pick::any(game, knowledge, mv));
                }
                Stage::Table => {
                    self.stage = Stage::MakeTactical;
                    if let Some(mv) = self.table {
                        return Some(Pick::any(game, knowledge, mv));
                    }
                }
                Stage::MakeTactical => {
                    self.score_tactical(game, knowledge.histories);
                    self.stage = Stage::GoodTactical;
                }
                Stage::GoodTactical => {
                    let Some((mv, _)) = self.best() else {
                        self.stage = if self.quiets { Stage::Killers } else { Stage::Done };
                        continue;
                    };
                    if game.exchange_at_least(mv, self.threshold) {
                        return Some(Pick::tactical(game, knowledge, mv));
                    }
                    self.bad.push(mv);
                }
                Stage::Killers => {
                    let killer = self.killers.get(self.next_killer).copied();
                    self.next_killer += 1;
                    match killer {
                        None => self.stage = Stage::MakeQuiet,
                        Some(Some(mv)) if self.is_killer(game, mv) => {
                            return Some(Pick::quiet(game, knowledge, mv));
                        }
                        _ => {}
                    }
                }
                Stage::MakeQuiet => {
                    if self.quiets {
                        self.score_quiet(game, knowledge);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if self.quiets
                        && let Some((mv, history)) = self.best()
                    {
                        return Some(Pick { mv, tactical: false, history });
                    }
                    self.stage = Stage::BadTactical;
                    // They were put aside best first and come back in that order.
                    self.bad.reverse();
                }
                Stage::BadTactical => {
                    if let Some(mv) = self.bad.pop() {
                        return Some(Pick::tactical(game, knowledge, mv));
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn is_killer<G: Hints>(&self, game: &G, mv: Move) -> bool {
        self.quiets && Some(mv) != self.table && !game.is_tactical(mv) && game.is_legal(mv)
    }

    fn score_tactical<G: Hints>(&mut self, game: &G, histories: &Histories) {
        let mut moves = MoveList::new();
        game.tactical_moves(&mut moves);
        for &mv in moves.iter().filter(|&&mv| Some(mv) != self.table) {
            // Most valuable victim first, the history deciding between attackers.
            self.scored.push((mv, 16 * game.gain(mv) + histories.capture(game, mv) / 4));
        }
    }

    fn score_quiet<G: Hints>(&mut self, game: &G, knowledge: Knowledge) {
        let mut moves = MoveList::new();
        game.quiet_moves(&mut moves);
        let quiets = knowledge.histories.quiets(game, knowledge.contexts);
        self.scored.clear();
        for &mv in &moves {
            if Some(mv) != self.table && !self.killers.contains(&Some(mv)) {
                self.scored.push((mv, quiets.history(game, mv)));
            }
        }
    }

    /// Takes out the move with the highest score. Cutoffs come early, so that one pass for each move
    /// tried beats sorting them all.
    fn best(&mut self) -> Option<(Move, i32)> {
        let (mut best, mut highest) = (None, i32::MIN);
        for (i, &(_, score)) in self.scored.iter().enumerate() {
            if score > highest {
                (best, highest) = (Some(i), score);
            }
        }
        best.map(|i| self.scored.swap_remove(i))
    }
}
