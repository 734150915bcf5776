//! One search thread's own state: the position, the line that led to it, what was learned on the way.

use super::corrections::{LINE, Rows};
use super::history::{CONTINUATIONS, Context, Contexts, Histories, Slots};
use super::params::stale_parts;
use super::report::Report;
use super::room::Pages;
use super::root::RootMove;
use super::stop::{Stopped, Stopper};
use super::table::{Entry, Table};
use crate::game::{Depth, Evaluator, Heuristics, Move, Outcome, Ply, Score, Side, Window};
use std::time::Duration;

/// What is known of one ply of the line being searched.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The static evaluation, unless the side to move was in check.
    pub raw_eval: Option<Score>,
    /// The same with its corrections.
    pub eval: Option<Score>,
    /// The move played here; `None` for a pass.
    pub played: Option<Played>,
    /// Quiet moves that refuted a sibling.
    pub killers: [Option<Move>; 2],
    /// Plies saved at first on the move being tried.
    pub reduced: i32,
    /// How many nodes at this ply have failed high, of those below the same grandparent.
    pub cutoffs: i32,
    /// The move left out while asking whether it is the only good one.
    pub excluded: Option<Move>,
    /// How many moves of the line were extended by two plies.
    pub doubles: i32,
    /// The best line found from here on.
    pub pv: Vec<Move>,
}

/// What a move that was played means to the histories.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    /// For the moves after it.
    pub context: Context,
    /// Its own places.
    pub slots: Slots,
    /// Whether it changed the balance.
    pub tactical: bool,
}

/// A search thread.
pub struct Worker<'a, G: Heuristics, E: Evaluator<G>> {
    pub(super) game: G,
    pub(super) evaluator: &'a mut E,
    pub(super) table: &'a Table,
    pub(super) histories: &'a mut Histories,
    pub(super) stopper: &'a mut Stopper,
    pub(super) report: &'a mut dyn FnMut(Report),
    pub(super) frames: Vec<Frame>,
    /// The last [`Rows`] before the root, which are empty, and one for each ply.
    rows: Vec<u16>,
    pub(super) nodes: u64,
    pub(super) seldepth: Ply,
    /// The iteration.
    pub(super) depth: Depth,
    /// Best first as far as is known; the first [`Worker::settled`] belong to better lines of a multi-line search.
    pub(super) roots: Vec<RootMove>,
    pub(super) settled: usize,
    /// Whether only some of the root's moves were asked for.
    pub(super) restricted: bool,
    /// When the last message about the current move was sent.
    pub(super) reported: Duration,
    /// Whether anything searched since this was last reset rests on an evaluation, so that more depth
    /// could change it. Kept only where the search is exact.
    pub(super) provisional: bool,
    /// Null moves are off above this ply while one is verified.
    pub(super) no_pass_before: Ply,
}

impl<'a, G: Heuristics, E: Evaluator<G>> Worker<'a, G, E> {
    /// Starts at `game`.
    pub fn new(
        game: G,
        evaluator: &'a mut E,
        table: &'a Table,
        histories: &'a mut Histories,
        stopper: &'a mut Stopper,
        report: &'a mut dyn FnMut(Report),
    ) -> Self {
        histories.fit::<G>(Pages::WhenUsed);
        evaluator.reset(&game);
        Worker {
            game,
            evaluator,
            table,
            histories,
            stopper,
            report,
            reported: Duration::ZERO,
            frames: vec![Frame::default(); Ply::MAX.index() + 2],
            rows: vec![0; Ply::MAX.index() + 2 + LINE],
            nodes: 0,
            seldepth: Ply::ROOT,
            depth: Depth::ZERO,
            roots: Vec::new(),
            settled: 0,
            restricted: false,
            provisional: false,
            no_pass_before: Ply::ROOT,
        }
    }

    /// Counts a node and says whether to go on.
    #[inline]
    pub(super) fn enter(&mut self, ply: Ply) -> Result<(), Stopped> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        self.frames[ply.index()].pv.clear();
        self.stopper.check(self.nodes)
    }

    #[inline]
    pub(super) fn play(&mut self, mv: Move, ply: Ply) {
        // As early as can be: the memory takes longer than all that follows.
        if let Some(key) = self.game.key_after(mv) {
            self.table.prefetch(key);
        }
        let played = Played {
            context: Histories::context(&self.game, mv),
            slots: Histories::slots(&self.game, mv),
            tactical: self.game.is_noisy(mv),
        };
        self.note(Some(played), ply);
        self.evaluator.before_move(&self.game, mv);
        self.game.play(mv);
    }

    /// `played`, or a pass, is what happens at `ply`.
    #[inline]
    pub(super) fn note(&mut self, played: Option<Played>, ply: Ply) {
        self.frames[ply.index()].played = played;
        self.rows[ply.index() + LINE] = played.map_or(0, |played| played.context.row::<G>() as u16);
    }

    #[inline]
    pub(super) fn undo(&mut self, mv: Move) {
        self.game.undo(mv);
        self.evaluator.after_undo();
    }

    /// What the table knows of the position, its move read back.
    #[inline]
    pub(super) fn probe(&self, ply: Ply) -> Option<Entry> {
        let entry = self.table.probe(self.game.tt_key(), ply)?.with(self.game.points_so_far());
        Some(Entry { mv: entry.mv.map(|mv| self.game.from_canonical(mv)), ..entry })
    }

    /// Remembers the position.
    #[inline]
    pub(super) fn store(&self, ply: Ply, entry: Entry) {
        let entry = Entry { mv: entry.mv.map(|mv| self.game.to_canonical(mv)), ..entry };
        self.table.store(self.game.tt_key(), ply, entry.with(-self.game.points_so_far()));
    }

    /// The score of `entry`, if a node of `depth` need look no further.
    #[inline]
    pub(super) fn cutoff(&mut self, entry: Option<Entry>, depth: Depth, window: Window) -> Option<Score> {
        let entry = entry?;
        let score = entry.cutoff(depth, window, !G::SELECTIVE)?;
        self.provisional |= entry.depth != Entry::SOLVED;
        Some(score)
    }

    /// The value of an end of the game that needs no search, or of a draw that may be claimed.
    #[inline]
    pub(super) fn ended(&self, ply: Ply) -> Option<Score> {
        let outcome = self.game.early_outcome().or_else(|| self.game.claim(ply))?;
        Some(self.score_of(outcome, ply))
    }

    /// A draw, where that is enough and one move repeats a position.
    #[inline]
    pub(super) fn draws_at_least(&self, window: Window, ply: Ply) -> Option<Score> {
        (window.beta <= Score::ZERO && self.game.upcoming_repetition(ply)).then_some(Score::ZERO)
    }

    /// The value where no legal move was found.
    #[cold]
    pub(super) fn without_moves(&self, ply: Ply) -> Score {
        debug_assert!(self.game.outcome().is_some(), "no legal move and no outcome");
        self.score_of(self.game.outcome().unwrap_or(Outcome::Draw), ply)
    }

    fn score_of(&self, outcome: Outcome, ply: Ply) -> Score {
        Score::from_outcome(outcome, self.game.side_to_move(), ply)
    }

    /// Searches the position after a move of `mover`, `window` seen by `mover`, value too: both change
    /// sides exactly where the turn does. Always negating gave wrong values in games whose turns repeat.
    #[inline]
    pub(super) fn child(
        &mut self,
        mover: Side,
        window: Window,
        search: impl FnOnce(&mut Self, Window) -> Result<Score, Stopped>,
    ) -> Result<Score, Stopped> {
        if G::ALTERNATES || self.game.side_to_move() != mover {
            search(self, -window).map(|score| -score)
        } else {
            search(self, window)
        }
    }

    /// What was played before `ply`, for the histories.
    #[inline]
    pub(super) fn contexts(&self, ply: Ply) -> Contexts {
        CONTINUATIONS.map(|back| self.played(ply, back).map(|played| played.context).unwrap_or_default())
    }

    /// The move `back` plies before the one at `ply`, unless it was a pass or lies before the root.
    #[inline]
    pub(super) fn played(&self, ply: Ply, back: usize) -> Option<Played> {
        self.frames[ply.index().checked_sub(back)?].played
    }

    /// What was played before `ply`, for the corrections.
    #[inline]
    pub(super) fn rows(&self, ply: Ply) -> &Rows {
        self.rows[ply.index()..].first_chunk().expect("every ply has as many before it")
    }

    /// The static evaluation as it is and as it counts, with its corrections and the less the nearer a draw has come;
    /// `None` in check. `entry` may have it.
    #[inline]
    pub(super) fn static_eval(
        &mut self,
        entry: Option<Entry>,
        ply: Ply,
        in_check: bool,
    ) -> Option<(Score, Score)> {
        if !G::SELECTIVE || in_check {
            return None;
        }
        // Read first: the memory's answer comes while the evaluation is made.
        let correction = self.histories.corrections.correction(&self.game, self.rows(ply));
        let known = entry.and_then(|entry| entry.eval);
        let raw = known.unwrap_or_else(|| self.evaluator.evaluate(&self.game));
        let eval = (raw.value() + correction) * (stale_parts() - self.game.reversible_plies()) / stale_parts();
        Some((raw, Score::new(eval)))
    }

    /// The line from `ply` on is `mv` and then the child's.
    pub(super) fn extend_pv(&mut self, mv: Move, ply: Ply) {
        let (upper, lower) = self.frames.split_at_mut(ply.index() + 1);
        let pv = &mut upper[ply.index()].pv;
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&lower[0].pv);
    }
}
