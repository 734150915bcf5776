//! The heart: principal variation search in negamax form over fail-soft alpha-beta.

use super::history::Histories;
use super::params::*;
use super::picker::{Knowledge, Picker};
use super::pruning::{MovePruning, Outlook, late_move_count};
use super::reductions::{Situation, reduction};
use super::report::Bound;
use super::stop::Stopped;
use super::table::Entry;
use super::worker::Worker;
use crate::game::{Depth, Evaluator, Hints, Move, MoveList, Ply, Score, Window};

/// The kind of a node, known to the compiler.
pub trait Node {
    /// Whether an exact value is asked for, not only a bound.
    const PV: bool;
    /// Whether it is the root.
    const ROOT: bool = false;
}

/// The root.
pub struct Root;
/// A node of the principal variation, or one that may become it.
pub struct Pv;
/// A node of which only "better than that?" is asked.
pub struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
}

impl Node for NonPv {
    const PV: bool = false;
}

/// What a node has found so far.
struct Found {
    best: Score,
    mv: Option<Move>,
    alpha: Score,
}

impl<G: Hints, E: Evaluator<G>> Worker<'_, G, E> {
    /// The value of the position, exact within `window`, else a bound on its side of it (fail-soft).
    ///
    /// value(s) = max over moves m of -value(s after m), the sign kept where the turn is. `cut` says
    /// that the parent expects this node to fail high.
    pub(super) fn negamax<N: Node>(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
        cut: bool,
    ) -> Result<Score, Stopped> {
        debug_assert!(window.alpha < window.beta && (N::PV || window.is_null()));
        debug_assert!(N::ROOT == (ply == Ply::ROOT) || self.frames[ply.index()].excluded.is_some());
        let in_check = self.game.in_check();
        // Check extension: an answer to a check is forced, and forced moves cost no depth
        // (<https://www.chessprogramming.org/Check_Extensions>).
        let mut depth = if G::SELECTIVE && in_check && !N::ROOT { depth + 1 } else { depth };
        if depth <= Depth::ZERO {
            return self.quiescence::<N>(window, ply);
        }
        self.enter(ply)?;
        let mut window = window;
        if !N::ROOT {
            if let Some(score) = self.ended(ply) {
                return Ok(score);
            }
            if ply >= Ply::MAX {
                self.provisional = true;
                return Ok(self.evaluator.evaluate(&self.game));
            }
            // Mate distance: no line from here can beat a shorter win found elsewhere
            // (<https://www.chessprogramming.org/Mate_Distance_Pruning>). Nor one that the game rules out.
            let (least, greatest) = self.game.value_range();
            let (least, greatest) = (least.max(Score::loss_at(ply)), greatest.min(Score::win_at(ply.next())));
            match window.narrowed(least, greatest) {
                Some(narrowed) => window = narrowed,
                None => return Ok(window.alpha.max(least).min(greatest)),
            }
        }
        let entry = self.probe(ply);
        if let Some(score) = self.cutoff(entry.filter(|_| !N::PV), depth, window) {
            return Ok(score);
        }
        let provisional = std::mem::replace(&mut self.provisional, false);
        let table_move =
            if N::ROOT { Some(self.roots[self.settled].mv) } else { entry.and_then(|entry| entry.mv) };
        let static_eval = (G::SELECTIVE && !in_check).then(|| {
            entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluator.evaluate(&self.game))
        });
        self.frames[ply.index()].eval = static_eval;
        let improving = self.is_improving(ply);
        let eval = static_eval.map(|eval| entry.map_or(eval, |entry| entry.sharpened(eval)));
        if G::SELECTIVE && !N::PV {
            let outlook = Outlook { depth, ply, window, eval, improving };
            if let Some(score) = self.prune_node(&outlook, cut)? {
                return Ok(score);
            }
        }
        // Internal iterative reduction: without a move from the table the order is poor and a deep
        // search a waste; the next iteration will have one (<https://www.chessprogramming.org/Internal_Iterative_Reductions>).
        if G::SELECTIVE && depth.plies() >= IIR_DEPTH && table_move.is_none() {
            depth = depth - 1;
        }
        if let Some(child) = self.frames.get_mut(ply.index() + 2) {
            child.killers = [None; 2];
        }

        let (mover, contexts) = (self.game.side_to_move(), self.contexts(ply));
        let forced = if N::ROOT { None } else { self.game.forced_move() };
        let mut picker = match forced {
            Some(mv) => Picker::only(mv),
            None => Picker::new(&self.game, table_move, self.frames[ply.index()].killers),
        };
        let mut found = Found { best: -Score::INFINITE, mv: None, alpha: window.alpha };
        let (mut number, mut quiets, mut tacticals) = (0, MoveList::new(), MoveList::new());
        while let Some(mv) =
            picker.next(&self.game, Knowledge { histories: self.histories, contexts: &contexts })
        {
            if N::ROOT && !self.roots[self.settled..].iter().any(|root| root.mv == mv) {
                continue;
            }
            number += 1;
            let tactical = self.game.is_tactical(mv);
            let history =
                if tactical { 0 } else { self.histories.quiet(Histories::slots(&self.game, mv), &contexts) };
            let check = G::SELECTIVE && self.game.gives_check(mv);
            let mut reduced = 0;
            if G::SELECTIVE && depth.plies() >= REDUCTION_DEPTH && number >= REDUCTION_MOVES {
                let situation = Situation { pv: N::PV, cut, improving, tactical, check, history };
                reduced = reduction(depth.plies(), number, situation);
            }
            if G::SELECTIVE && !N::ROOT && !found.best.is_loss() && number > 1 {
                if number > late_move_count(depth, improving) {
                    picker.skip_quiets();
                }
                let outlook = Outlook {
                    depth,
                    ply,
                    window: Window { alpha: found.alpha, ..window },
                    eval: static_eval,
                    improving,
                };
                match self.prunes_move(&outlook, mv, history, reduced) {
                    MovePruning::None => {}
                    MovePruning::This => continue,
                    MovePruning::AllQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }
            if N::ROOT {
                self.report_current(mv, depth, number);
            }
            let before = self.nodes;
            self.play(mv, ply);
            let asked = Window { alpha: found.alpha, ..window };
            let score = self.search_move::<N>(mover, asked, depth - 1, ply.next(), reduced, number, cut);
            self.undo(mv);
            let score = score?;
            if N::ROOT {
                self.note_root(mv, score, depth, asked, number, before);
            }
            if score > found.best {
                found.best = score;
                if score > found.alpha {
                    found.mv = Some(mv);
                    if N::PV {
                        self.extend_pv(mv, ply);
                    }
                    if score >= window.beta {
                        break;
                    }
                    found.alpha = score;
                }
            }
            if tactical { tacticals.push(mv) } else { quiets.push(mv) }
        }
        let solved = !G::SELECTIVE && !self.provisional;
        self.provisional |= provisional;
        if number == 0 {
            return Ok(self.without_moves(ply));
        }
        if found.best >= window.beta {
            self.learn(found.mv, depth, ply, &quiets, &tacticals);
        }
        let bound = match found.best {
            best if best >= window.beta => Bound::Lower,
            _ if N::PV && found.mv.is_some() => Bound::Exact,
            _ => Bound::Upper,
        };
        // What only some of the root's moves are worth is not what the position is worth.
        if !(N::ROOT && (self.settled > 0 || self.restricted)) {
            let depth = if solved { Entry::SOLVED } else { depth };
            let entry = Entry { mv: found.mv, score: found.best, eval: static_eval, depth, bound, pv: N::PV };
            self.store(ply, entry);
        }
        Ok(found.best)
    }

    /// The value of the move just played: the first is searched in full, the others are only asked
    /// whether they are better, late ones less deep; who says yes is searched again
    /// (<https://www.chessprogramming.org/Principal_Variation_Search>).
    #[expect(clippy::too_many_arguments, reason = "one call, on the hot path")]
    fn search_move<N: Node>(
        &mut self,
        mover: crate::game::Side,
        window: Window,
        depth: Depth,
        ply: Ply,
        reduced: i32,
        number: usize,
        cut: bool,
    ) -> Result<Score, Stopped> {
        let scout = Window::above(window.alpha);
        // A null window asks for a bound; a selective search looks harder at nodes of the principal variation all the same.
        let exact = N::PV && (G::SELECTIVE || !window.is_null());
        if number == 1 {
            return if exact {
                self.child(mover, window, |search, window| search.negamax::<Pv>(window, depth, ply, false))
            } else {
                self.child(mover, scout, |search, window| search.negamax::<NonPv>(window, depth, ply, !cut))
            };
        }
        let reduced_depth = (depth - reduced).max(Depth::ONE.min(depth));
        let reduces = reduced_depth < depth;
        let expects_cut = reduces || !cut;
        let mut score = self.child(mover, scout, |search, window| {
            search.negamax::<NonPv>(window, reduced_depth, ply, expects_cut)
        })?;
        if reduces && score > window.alpha {
            score =
                self.child(mover, scout, |search, window| search.negamax::<NonPv>(window, depth, ply, !cut))?;
        }
        if exact && score > window.alpha {
            score =
                self.child(mover, window, |search, window| search.negamax::<Pv>(window, depth, ply, false))?;
        }
        Ok(score)
    }

    fn is_improving(&self, ply: Ply) -> bool {
        let eval = |back: usize| self.frames[ply.index().checked_sub(back)?].eval;
        match (eval(0), eval(2).or_else(|| eval(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// A move refuted the node: it is remembered, and those tried before it in vain are too.
    fn learn(&mut self, best: Option<Move>, depth: Depth, ply: Ply, quiets: &[Move], tacticals: &[Move]) {
        let Some(best) = best else { return };
        let (bonus, contexts) = (Histories::bonus(depth.plies()), self.contexts(ply));
        if self.game.is_tactical(best) {
            self.histories.update_capture(&self.game, best, bonus);
        } else {
            let killers = &mut self.frames[ply.index()].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            self.histories.update_quiet(Histories::slots(&self.game, best), &contexts, bonus);
            for &mv in quiets {
                self.histories.update_quiet(Histories::slots(&self.game, mv), &contexts, -bonus);
            }
        }
        for &mv in tacticals {
            self.histories.update_capture(&self.game, mv, -bonus);
        }
    }
}
