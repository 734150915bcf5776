//! Staged move picker: TT move, good noisy moves, killers, quiet moves by history, bad noisy moves
//! (<https://www.chessprogramming.org/Move_Ordering>).

use super::history::{ContHistRows, Histories};
use super::params::{MVV_HISTORY_DIVISOR, MVV_WEIGHT, params};
use super::tt::TranspositionTable;
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

/// What orders the moves, and the TT whose buckets the picker prefetches: of noisy moves when it scores them, because they are
/// few, of others when it returns them. The memory then answers while pruning and reductions are decided.
#[derive(Clone, Copy)]
pub struct OrderingContext<'a> {
    /// The table in which the positions after the moves will be looked up.
    pub tt: &'a TranspositionTable,
    /// The history tables.
    pub histories: &'a Histories,
    /// The continuation history rows of the previous moves.
    pub cont_rows: &'a ContHistRows,
}

/// A move with the facts that the picker has computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickedMove {
    /// The move.
    pub mv: Move,
    /// Whether the move is noisy.
    pub noisy: bool,
    /// Its history score: capture history if noisy, else the sum of the quiet histories.
    pub history: i32,
    /// Whether it gives check, if that is known.
    pub gives_check: Option<bool>,
    /// Whether its SEE is known to be at least 0.
    pub is_safe: bool,
}

impl PickedMove {
    fn noisy<G: Heuristics>(game: &G, context: OrderingContext, mv: Move) -> PickedMove {
        let history = context.histories.capture(game, mv);
        PickedMove { mv, noisy: true, history, gives_check: None, is_safe: false }
    }

    fn quiet<G: Heuristics>(game: &G, context: OrderingContext, mv: Move) -> PickedMove {
        context.tt.prefetch_after(game, mv);
        let quiet_history = context.histories.quiet_history(game, context.cont_rows);
        let history = quiet_history.history(game, mv);
        PickedMove { mv, noisy: false, history, gives_check: None, is_safe: false }
    }

    fn any<G: Heuristics>(game: &G, context: OrderingContext, mv: Move) -> PickedMove {
        if game.is_noisy(mv) {
            PickedMove::noisy(game, context, mv)
        } else {
            PickedMove::quiet(game, context, mv)
        }
    }
}

/// The moves of one node in search order. Each stage generates and scores its moves when it is reached.
#[derive(Debug)]
pub struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    next_killer: usize,
    moves: MoveList,
    /// For each of `moves` its [`pack_score`], or [`PICKED`].
    keys: ArrayVec<i32, MAX_MOVES>,
    bad_noisy: MoveList,
    /// Noisy moves with a SEE below this threshold are deferred to the last stage; [`MovePicker::noisy`] omits them.
    threshold: i32,
    remaining: Remaining,
}

/// Which moves may follow the good noisy moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Remaining {
    /// Quiet moves and bad noisy moves.
    All,
    /// Quiet moves that give check, and bad noisy moves.
    Checks,
    Noisy,
    None,
}

impl MovePicker {
    /// A picker that returns only `mv`.
    #[inline(always)]
    pub fn only(mv: Move) -> MovePicker {
        MovePicker::start(Stage::Forced, Some(mv), [None; 2], 0, Remaining::All)
    }

    /// A picker of all legal moves. `tt_move` need not be legal.
    #[inline(always)]
    pub fn new<G: Heuristics>(game: &G, tt_move: Option<Move>, killers: [Option<Move>; 2]) -> MovePicker {
        let tt_move = tt_move.filter(|&mv| game.is_legal(mv));
        MovePicker::start(Stage::TtMove, tt_move, killers, 0, Remaining::All)
    }

    /// A picker of the noisy moves with a SEE of at least `threshold`. `tt_move` need not be legal.
    #[inline(always)]
    pub fn noisy<G: Heuristics>(game: &G, tt_move: Option<Move>, threshold: i32) -> MovePicker {
        let tt_move =
            tt_move.filter(|&mv| game.is_noisy(mv) && game.see_ge(mv, threshold) && game.is_legal(mv));
        MovePicker::start(Stage::TtMove, tt_move, [None; 2], threshold, Remaining::None)
    }

    /// Builds the picker where the caller keeps it. A copy of the lists would cost 3 % of a search of chess.
    #[inline(always)]
    fn start(
        stage: Stage,
        tt_move: Option<Move>,
        killers: [Option<Move>; 2],
        threshold: i32,
        remaining: Remaining,
    ) -> MovePicker {
        MovePicker {
            stage,
            tt_move,
            killers,
            next_killer: 0,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            bad_noisy: MoveList::new(),
            threshold,
            remaining,
        }
    }

    /// Adds `moves` at the end. They must not be generated otherwise.
    pub fn defer(&mut self, moves: &[Move]) {
        self.bad_noisy.extend(moves.iter().copied().filter(|&mv| Some(mv) != self.tt_move));
    }

    /// Skips all further quiet moves.
    pub fn skip_quiets(&mut self) {
        self.remaining = self.remaining.max(Remaining::Noisy);
    }

    /// Skips all further quiet moves that do not give check.
    pub fn skip_non_checking_quiets<G: Heuristics>(&mut self, game: &G) {
        if self.remaining != Remaining::All {
            return;
        }
        self.remaining = Remaining::Checks;
        if self.stage == Stage::Quiet {
            for (&mv, key) in self.moves.iter().zip(&mut self.keys) {
                let gives_check =
                    if orders_checks::<G>() { check_of(*key) != Check::None } else { game.gives_check(mv) };
                if !gives_check {
                    *key = PICKED;
                }
            }
        }
    }

    /// The next move in search order; `None` at the end.
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
                    self.score_noisy(game, context);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    let Some((mv, ..)) = self.pick_best() else {
                        self.stage =
                            if self.remaining == Remaining::None { Stage::Done } else { Stage::Killers };
                        continue;
                    };
                    if game.see_ge(mv, self.threshold) {
                        let is_safe = self.threshold >= 0;
                        return Some(PickedMove { is_safe, ..PickedMove::noisy(game, context, mv) });
                    }
                    self.bad_noisy.push(mv);
                }
                Stage::Killers => {
                    let killer = self.killers.get(self.next_killer).copied();
                    self.next_killer += 1;
                    match killer {
                        None => self.stage = Stage::GenQuiet,
                        Some(Some(mv)) if self.can_pick_killer(game, mv) => {
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
                        && let Some((mv, score, check)) = self.pick_best()
                    {
                        context.tt.prefetch_after(game, mv);
                        let history = score - check.order_bonus::<G>();
                        let gives_check = orders_checks::<G>().then_some(check != Check::None);
                        let is_safe = check == Check::Safe;
                        return Some(PickedMove { mv, noisy: false, history, gives_check, is_safe });
                    }
                    self.stage = Stage::BadNoisy;
                    // They were deferred best first, and `pop` takes from the end.
                    self.bad_noisy.reverse();
                }
                Stage::BadNoisy => {
                    if let Some(mv) = self.bad_noisy.pop() {
                        return Some(PickedMove::any(game, context, mv));
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn can_pick_killer<G: Heuristics>(&self, game: &G, mv: Move) -> bool {
        Some(mv) != self.tt_move
            && !game.is_noisy(mv)
            && game.is_legal(mv)
            && match self.remaining {
                Remaining::All => true,
                Remaining::Checks => game.gives_check(mv),
                Remaining::Noisy | Remaining::None => false,
            }
    }

    fn score_noisy<G: Heuristics>(&mut self, game: &G, context: OrderingContext) {
        game.noisy_moves(&mut self.moves);
        for (i, &mv) in self.moves.iter().enumerate() {
            context.tt.prefetch_after(game, mv);
            // Most valuable victim (MVV), then capture history.
            let score = MVV_WEIGHT * game.captured_value(mv)
                + context.histories.capture(game, mv) / MVV_HISTORY_DIVISOR;
            self.keys.push(if Some(mv) == self.tt_move { PICKED } else { pack_score(score, i, Check::None) });
        }
    }

    fn score_quiet<G: Heuristics>(&mut self, game: &G, context: OrderingContext) {
        self.moves.clear();
        self.keys.clear();
        let quiet_history = context.histories.quiet_history(game, context.cont_rows);
        quiet_history.prefetch(game.side_to_move());
        game.quiet_moves(&mut self.moves);
        let gives_check = game.check_test();
        for (i, &mv) in self.moves.iter().enumerate() {
            let is_other = Some(mv) == self.tt_move || self.killers.contains(&Some(mv));
            let only_checks = self.remaining == Remaining::Checks;
            let gives_check = !is_other && (orders_checks::<G>() || only_checks) && gives_check(mv);
            if is_other || only_checks && !gives_check {
                self.keys.push(PICKED);
                continue;
            }
            let check = match orders_checks::<G>() && gives_check {
                false => Check::None,
                true if game.see_ge(mv, 0) => Check::Safe,
                true => Check::Unsafe,
            };
            let score = quiet_history.history(game, mv) + check.order_bonus::<G>();
            self.keys.push(pack_score(score, i, check));
        }
    }

    /// The unpicked move with the highest score. Cutoffs come early, so a vectorised scan per move beats sorting all moves.
    fn pick_best(&mut self) -> Option<(Move, i32, Check)> {
        let best_key = self.keys.iter().fold(PICKED, |best_key, &key| best_key.max(key));
        if best_key == PICKED {
            return None;
        }
        let index = (best_key >> CHECK_BITS) as usize % (1 << INDEX_BITS);
        self.keys[index] = PICKED;
        Some((self.moves[index], best_key >> (INDEX_BITS + CHECK_BITS), check_of(best_key)))
    }
}

/// What the order of quiet moves asks about checks: whether a move gives one, and whether without loss of material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    None,
    Unsafe,
    Safe,
}

impl Check {
    /// The addition to the history score of a quiet move in the order of moves.
    fn order_bonus<G: Heuristics>(self) -> i32 {
        if self == Check::Safe { params::<G>().order_check } else { 0 }
    }
}

/// Whether checks matter in the order of quiet moves.
fn orders_checks<G: Heuristics>() -> bool {
    params::<G>().order_check > 0
}

/// From its lowest bits up, a key holds [`Check`], the index in the move list and the score.
const CHECK_BITS: u32 = 2;
const INDEX_BITS: u32 = 9;
const _: () = assert!(MAX_MOVES <= 1 << INDEX_BITS);
/// The key of a move that has been picked or skipped; lower than every other key.
const PICKED: i32 = i32::MIN;
/// Scores are clamped to this range to leave room for the rest.
const SCORE_MAX: i32 = i32::MAX >> (INDEX_BITS + CHECK_BITS);

/// Packs a score and an index, so that the highest key gives the index of the highest score.
fn pack_score(score: i32, index: usize, check: Check) -> i32 {
    (score.clamp(-SCORE_MAX, SCORE_MAX) << INDEX_BITS | index as i32) << CHECK_BITS | check as i32
}

/// What [`pack_score`] got about checks; [`Check::None`] for [`PICKED`].
fn check_of(key: i32) -> Check {
    match key as u32 % (1 << CHECK_BITS) {
        0 => Check::None,
        1 => Check::Unsafe,
        _ => Check::Safe,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Outcome, SearchParams, Side};
    use crate::search::memory::Prefault;

    /// A position with five moves, the prior of each, and the move that is a safe check.
    #[derive(Clone)]
    struct Priors([i32; 5], Option<u16>);

    impl Game for Priors {
        fn side_to_move(&self) -> Side {
            Side::White
        }
        fn legal_moves(&self, moves: &mut MoveList) {
            moves.extend((1..=5).map(Move::new));
        }
        fn play(&mut self, _: Move) {}
        fn undo(&mut self, _: Move) {}
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn key(&self) -> u64 {
            1
        }
    }

    impl Heuristics for Priors {
        const PARAMS: SearchParams = SearchParams { history_malus_index: 44, ..SearchParams::DEFAULT };
        fn prior(&self, mv: Move) -> i32 {
            self.0[usize::from(mv.bits()) - 1]
        }
        fn gives_check(&self, mv: Move) -> bool {
            self.1 == Some(mv.bits())
        }
    }

    #[test]
    fn quiet_moves_come_by_prior_and_equal_ones_last_listed_first() {
        let mut histories = Histories::default();
        histories.resize_for::<Priors>(Prefault::Lazy);
        let tt = TranspositionTable::new(1).unwrap();
        let context = OrderingContext { tt: &tt, histories: &histories, cont_rows: &Default::default() };
        let order = |game: Priors| {
            let mut picker = MovePicker::new(&game, None, [None; 2]);
            std::iter::from_fn(move || picker.next(&game, context))
                .map(|picked| (picked.mv.bits(), picked.history))
                .collect::<Vec<_>>()
        };
        let priors = [10, -5, 900, 10, 0];
        assert_eq!(order(Priors(priors, None)), [(3, 900), (4, 10), (1, 10), (5, 0), (2, -5)]);
        assert_eq!(order(Priors([0; 5], None)), [(5, 0), (4, 0), (3, 0), (2, 0), (1, 0)]);
        // A safe check comes first, without a change of its history score.
        assert_eq!(order(Priors(priors, Some(2))), [(2, -5), (3, 900), (4, 10), (1, 10), (5, 0)]);
    }

    #[test]
    fn malus_of_later_moves_is_smaller() {
        let malus = Histories::malus::<Priors>;
        assert_eq!(malus(20, 0), Priors::PARAMS.history_malus_max);
        assert!(malus(20, 0) > malus(20, 1) && malus(20, 1) > malus(20, 10) && malus(20, 200) > 0);
        assert_eq!(malus(0, 3), 0);
    }
}
