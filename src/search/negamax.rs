//! The heart: principal variation search in negamax form over fail-soft alpha-beta.

use super::extensions::Singular;
use super::history::Histories;
use super::params::*;
use super::picker::{Knowledge, Pick, Picker};
use super::pruning::{MovePruning, Outlook, late_move_count};
use super::reductions::{Situation, reduction};
use super::report::Bound;
use super::stop::Stopped;
use super::table::Entry;
use super::worker::Worker;
use crate::game::{Depth, Evaluator, Heuristics, Move, MoveList, Ply, Score, Side, Window};

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
}

/// How a move that was just played is to be searched.
struct Trial {
    mover: Side,
    /// What is asked, seen by `mover`.
    window: Window,
    /// Plies to go after it.
    depth: Depth,
    /// Plies that may be saved at first.
    reduced: i32,
    /// Its place in the order, from 1.
    number: usize,
    /// Whether the node is expected to fail high.
    cut: bool,
}

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
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
        let excluded = self.frames[ply.index()].excluded;
        let in_check = self.game.in_check();
        // Check extension: an answer to a check is forced, and forced moves cost no depth
        // (<https://www.chessprogramming.org/Check_Extensions>).
        let extends = G::SELECTIVE && in_check && !N::ROOT && excluded.is_none();
        let mut depth = if extends { depth + check_extension() } else { depth };
        if depth <= Depth::ZERO {
            return self.quiescence::<N>(window, ply);
        }
        self.enter(ply)?;
        let mut window = window;
        if !N::ROOT {
            if let Some(score) = self.ended(ply).or_else(|| self.draws_at_least(window, ply)) {
                return Ok(score);
            }
            if ply >= Ply::MAX {
                self.provisional = true;
                return Ok(self.evaluator.evaluate(&self.game));
            }
            // Mate distance: no line from here can beat a shorter win found elsewhere
            // (<https://www.chessprogramming.org/Mate_Distance_Pruning>). Nor one that the game rules out.
            let (least, greatest) = self.game.value_bounds();
            let (least, greatest) = (least.max(Score::mated_in(ply)), greatest.min(Score::mate_in(ply.next())));
            match window.narrowed(least, greatest) {
                Some(narrowed) => window = narrowed,
                None => return Ok(window.alpha.max(least).min(greatest)),
            }
        }
        let entry = self.probe(ply);
        if let Some(score) = self.cutoff(entry.filter(|_| !N::PV && excluded.is_none()), depth, window) {
            if score >= window.beta {
                self.praise_table_move(entry.and_then(|entry| entry.mv), depth, ply);
            }
            return Ok(score);
        }
        let provisional = std::mem::replace(&mut self.provisional, false);
        let doubles = if N::ROOT { 0 } else { self.frames[ply.index() - 1].doubles };
        self.frames[ply.index()].doubles = doubles;
        let table_move =
            if N::ROOT { Some(self.roots[self.settled].mv) } else { entry.and_then(|entry| entry.mv) };
        let table_tactical = entry.and_then(|entry| entry.mv).is_some_and(|mv| self.game.is_noisy(mv));
        let contexts = self.contexts(ply);
        if excluded.is_none() {
            let (raw_eval, eval) = self.static_eval(entry, ply, in_check).unzip();
            let frame = &mut self.frames[ply.index()];
            (frame.raw_eval, frame.eval) = (raw_eval, eval);
        }
        let turned = if N::ROOT { None } else { self.turned(ply) };
        if let (Some(turned), None) = (turned, excluded) {
            self.judge_last(turned, ply);
            depth = depth + self.hindsight(turned, depth, ply);
        }
        let static_eval = self.frames[ply.index()].eval;
        let mut node = Outlook {
            depth,
            ply,
            window,
            pv: N::PV,
            table_pv: N::PV || entry.is_some_and(|entry| entry.pv),
            cut,
            static_eval,
            eval: static_eval.map(|eval| entry.map_or(eval, |entry| entry.sharpened(eval))),
            improving: self.is_improving(ply),
            worsened: turned.is_some_and(|turned| turned > 0),
        };
        if G::SELECTIVE
            && !N::PV
            && excluded.is_none()
            && let Some(score) = self.prune_node(&node, entry)?
        {
            return Ok(score);
        }
        // Internal iterative reduction: without a move from the table the order is poor and a deep
        // search a waste; the next iteration will have one (<https://www.chessprogramming.org/Internal_Iterative_Reductions>).
        // A node that is expected to fail low never has one, and would lose a ply at every visit.
        if G::SELECTIVE
            && (N::PV || cut)
            && depth.plies() >= iir_depth()
            && table_move.is_none()
            && excluded.is_none()
        {
            depth = depth - 1;
            node.depth = depth;
        }
        if let Some(grandchild) = self.frames.get_mut(ply.index() + 2) {
            (grandchild.killers, grandchild.cutoffs) = ([None; 2], 0);
        }

        let mover = self.game.side_to_move();
        let killers = self.frames[ply.index()].killers;
        let forced = if N::ROOT { None } else { self.game.forced_move() };
        let mut picker = match forced {
            Some(mv) => Picker::only(mv),
            None => Picker::new(&self.game, table_move, killers),
        };
        let mut found = Found { best: -Score::INFINITE, mv: None };
        let (mut number, mut quiets, mut tacticals) = (0, MoveList::new(), MoveList::new());
        while let Some(pick) =
            picker.next(&self.game, Knowledge { histories: self.histories, contexts: &contexts })
        {
            let Pick { mv, tactical, history } = pick;
            if N::ROOT && !self.roots[self.settled..].iter().any(|root| root.mv == mv) || excluded == Some(mv)
            {
                continue;
            }
            number += 1;
            let check = G::SELECTIVE && self.game.gives_check(mv);
            let mut reduced = 0;
            if G::SELECTIVE && depth.plies() >= reduction_depth() && number >= reduction_moves() as usize {
                let situation = Situation {
                    pv: N::PV,
                    table_pv: node.table_pv,
                    cut,
                    improving: node.improving,
                    table_tactical,
                    cutoffs: self.frames[ply.index() + 1].cutoffs,
                    tactical,
                    killer: killers.contains(&Some(mv)),
                    check,
                    history,
                };
                reduced = reduction(depth.plies(), number, situation);
            }
            if G::SELECTIVE && !N::ROOT && !found.best.is_loss() && number > 1 {
                if number > late_move_count(depth, node.improving) {
                    picker.skip_quiets();
                }
                match self.prunes_move(&node, pick, check, reduced) {
                    MovePruning::None => {}
                    MovePruning::This => continue,
                    MovePruning::Calm => {
                        picker.skip_calm(&self.game);
                        continue;
                    }
                }
            }
            let mut extension = 0;
            if G::SELECTIVE && !N::ROOT && Some(mv) == table_move {
                match self.singular(mv, entry, &node, cut)? {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return Ok(score),
                }
            }
            if N::ROOT {
                self.report_current(mv, depth, number);
            }
            self.frames[ply.index()].doubles = doubles + i32::from(extension > 1);
            let before = self.nodes;
            let trial =
                Trial { mover, window: node.window, depth: depth + extension - 1, reduced, number, cut };
            self.play(mv, ply);
            let score = self.search_move::<N>(trial, found.best, ply);
            self.undo(mv);
            let score = score?;
            if N::ROOT {
                self.note_root(mv, score, node.window, number, before);
            }
            if score > found.best {
                found.best = score;
                if score > node.window.alpha {
                    found.mv = Some(mv);
                    if N::PV {
                        self.extend_pv(mv, ply);
                    }
                    if score >= window.beta {
                        break;
                    }
                    node.window.alpha = score;
                }
            }
            if tactical { tacticals.push(mv) } else { quiets.push(mv) }
        }
        let solved = !G::SELECTIVE && !self.provisional;
        self.provisional |= provisional;
        if number == 0 {
            return Ok(if excluded.is_some() { window.alpha } else { self.without_moves(ply) });
        }
        if found.best >= window.beta {
            if G::SELECTIVE && !N::ROOT && depth > Depth::ZERO {
                found.best = found.best.lerp(depth.plies(), window.beta);
            }
            self.learn(found.mv, depth, ply, &quiets, &tacticals);
        } else if found.mv.is_none() {
            self.praise_unanswered(depth, ply);
        }
        let bound = match found.best {
            best if best >= window.beta => Bound::Lower,
            _ if N::PV && found.mv.is_some() => Bound::Exact,
            _ => Bound::Upper,
        };
        // What only some of the root's moves are worth is not what the position is worth.
        if excluded.is_none() && !(N::ROOT && (self.settled > 0 || self.restricted)) {
            if G::SELECTIVE {
                self.correct(&node, &found, bound);
            }
            let depth = if solved { Entry::SOLVED } else { depth };
            let eval = self.frames[ply.index()].raw_eval;
            let pv = node.table_pv;
            self.store(ply, Entry { mv: found.mv, score: found.best, eval, depth, bound, pv });
        }
        Ok(found.best)
    }

    /// The value of the move just played at `ply`: the first is searched in full, the others are only
    /// asked whether they are better, late ones less deep; who says yes is searched again
    /// (<https://www.chessprogramming.org/Principal_Variation_Search>).
    fn search_move<N: Node>(&mut self, trial: Trial, best: Score, ply: Ply) -> Result<Score, Stopped> {
        let Trial { mover, window, mut depth, reduced, number, cut } = trial;
        let (scout, next) = (Window::null_window_at_alpha(window.alpha), ply.next());
        // A null window asks for a bound only; a selective search looks harder at such nodes all the same.
        let exact = N::PV && (G::SELECTIVE || !window.is_null());
        if number == 1 {
            return if exact {
                self.child(mover, window, |search, window| search.negamax::<Pv>(window, depth, next, false))
            } else {
                self.child(mover, scout, |search, window| search.negamax::<NonPv>(window, depth, next, !cut))
            };
        }
        let reduced_depth = (depth - reduced).max(Depth::ONE.min(depth));
        let reduces = reduced_depth < depth;
        let expects_cut = reduces || !cut;
        self.frames[ply.index()].reduced = depth.plies() - reduced_depth.plies();
        let first = self.child(mover, scout, |search, window| {
            search.negamax::<NonPv>(window, reduced_depth, next, expects_cut)
        });
        self.frames[ply.index()].reduced = 0;
        let mut score = first?;
        if reduces && score > window.alpha {
            // Much better than thought deserves another ply, hardly better than the best one less.
            depth += i32::from(score > best + deeper_margin() + 2 * depth.plies());
            depth += -i32::from(score < best + depth.plies());
            if reduced_depth < depth {
                score = self.child(mover, scout, |search, window| {
                    search.negamax::<NonPv>(window, depth, next, !cut)
                })?;
            }
            if let Some(played) = self.frames[ply.index()].played.filter(|played| !played.tactical) {
                let bonus = Histories::bonus(depth.plies());
                let bonus = if score > window.alpha { bonus } else { -bonus };
                let contexts = self.contexts(ply);
                self.histories.update_continuation(played.slots, &contexts, bonus);
            }
        }
        if exact && score > window.alpha {
            score =
                self.child(mover, window, |search, window| search.negamax::<Pv>(window, depth, next, false))?;
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
        let (malus, contexts) = (Histories::malus(depth.plies()), self.contexts(ply));
        // Near the horizon most moves that do not lose a man cut off.
        let bonus = if depth.plies() < history_depth() { 0 } else { Histories::bonus(depth.plies()) };
        self.frames[ply.index()].cutoffs += 1;
        if self.game.is_noisy(best) {
            self.histories.update_capture(&self.game, best, bonus);
        } else {
            let killers = &mut self.frames[ply.index()].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            self.histories.update_quiet(Histories::slots(&self.game, best), &contexts, bonus);
            for &mv in quiets {
                self.histories.update_quiet(Histories::slots(&self.game, mv), &contexts, -malus);
            }
        }
        for &mv in tacticals {
            self.histories.update_capture(&self.game, mv, -malus);
        }
    }

    /// By how much the last move made the mover stand better than the opponent thought before it;
    /// `None` where either was in check.
    fn turned(&self, ply: Ply) -> Option<i32> {
        let before = self.frames[ply.index() - 1].eval?;
        Some(self.frames[ply.index()].eval?.value() + before.value())
    }

    /// How the evaluation turned says whether the quiet move that led here was a good one.
    fn judge_last(&mut self, turned: i32, ply: Ply) {
        if let Some(played) = self.played(ply, 1).filter(|played| !played.tactical) {
            let bonus = (-history_turn() * turned / 10).clamp(-history_turn_max(), history_turn_max());
            self.histories.update_butterfly(played.slots, bonus);
        }
    }

    /// Plies to add after all: the last move was reduced before anybody saw what it does to the evaluation.
    fn hindsight(&self, turned: i32, depth: Depth, ply: Ply) -> i32 {
        let reduced = self.frames[ply.index() - 1].reduced;
        if reduced >= hindsight_deeper() && turned <= 0 {
            1
        } else if reduced >= hindsight_shallower() && depth > Depth::ONE && turned > hindsight_margin() {
            -1
        } else {
            0
        }
    }

    /// The table says that `mv` refutes the node.
    fn praise_table_move(&mut self, mv: Option<Move>, depth: Depth, ply: Ply) {
        if let Some(mv) = mv.filter(|&mv| !self.game.is_noisy(mv)) {
            let bonus = Histories::bonus(depth.plies()) * history_table() / 100;
            let contexts = self.contexts(ply);
            self.histories.update_quiet(Histories::slots(&self.game, mv), &contexts, bonus);
        }
    }

    /// No answer to the quiet move that led here was good enough: it was a good one.
    fn praise_unanswered(&mut self, depth: Depth, ply: Ply) {
        if ply == Ply::ROOT {
            return;
        }
        if let Some(played) = self.played(ply, 1).filter(|played| !played.tactical) {
            let bonus = Histories::bonus(depth.plies()) * history_unanswered() / 100;
            let contexts = self.contexts(Ply::new(ply.index() - 1));
            self.histories.update_quiet(played.slots, &contexts, bonus);
        }
    }

    /// What the search found is held against the static evaluation, unless it rests on a capture.
    fn correct(&mut self, node: &Outlook, found: &Found, bound: Bound) {
        let Some(eval) = node.static_eval else { return };
        let agrees = match bound {
            Bound::Lower => found.best <= eval,
            Bound::Upper => found.best >= eval,
            Bound::Exact => false,
        };
        if !agrees && !found.best.is_decisive() && !found.mv.is_some_and(|mv| self.game.is_noisy(mv)) {
            let rows = *self.rows(node.ply);
            self.histories.corrections.learn(&self.game, &rows, found.best - eval, node.depth.plies());
        }
    }
}
