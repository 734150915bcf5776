//! The heart: principal variation search in negamax form over fail-soft alpha-beta.

use super::control::Stopped;
use super::extensions::Singular;
use super::history::Histories;
use super::params::*;
use super::picker::{MovePicker, OrderingContext, PickedMove};
use super::pruning::{MovePruning, NodeInfo, lmp_move_count};
use super::reductions::{LmrContext, reduction};
use super::table::Entry;
use super::worker::Worker;
use crate::game::{Bound, Depth, Evaluator, Heuristics, Move, MoveList, Ply, Score, Side, Window};

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
struct Best {
    best: Score,
    mv: Option<Move>,
}

/// How a move that was just played is to be searched.
struct MoveSearch {
    stm: Side,
    /// What is asked, seen by `mover`.
    window: Window,
    /// Plies to go after it.
    depth: Depth,
    /// Plies that may be saved at first.
    reduced: i32,
    /// Its place in the order, from 1.
    move_count: usize,
    /// Whether the node is expected to fail high.
    cut_node: bool,
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
        let excluded = self.stack[ply.index()].excluded;
        let in_check = self.game.in_check();
        // Check extension: an answer to a check is forced, and forced moves cost no depth
        // (<https://www.chessprogramming.org/Check_Extensions>).
        let extends = G::SELECTIVE && in_check && !N::ROOT && excluded.is_none();
        let mut depth = if extends { depth + check_extension() } else { depth };
        if depth <= Depth::ZERO {
            return self.quiescence::<N>(window, ply);
        }
        self.visit_node(ply)?;
        let mut window = window;
        if !N::ROOT {
            if let Some(score) =
                self.terminal_score(ply).or_else(|| self.upcoming_repetition_cutoff(window, ply))
            {
                return Ok(score);
            }
            if ply >= Ply::MAX {
                self.used_static_eval = true;
                return Ok(self.evaluator.evaluate(&self.game));
            }
            // Mate distance: no line from here can beat a shorter win found elsewhere
            // (<https://www.chessprogramming.org/Mate_Distance_Pruning>). Nor one that the game rules out.
            let (least, greatest) = self.game.value_bounds();
            let (least, greatest) =
                (least.max(Score::mated_in(ply)), greatest.min(Score::mate_in(ply.next())));
            match window.narrowed(least, greatest) {
                Some(narrowed) => window = narrowed,
                None => return Ok(window.alpha.max(least).min(greatest)),
            }
        }
        let entry = self.probe(ply);
        if let Some(score) = self.cutoff(entry.filter(|_| !N::PV && excluded.is_none()), depth, window) {
            if score >= window.beta {
                self.bonus_for_tt_cutoff_move(entry.and_then(|entry| entry.mv), depth, ply);
            }
            return Ok(score);
        }
        let provisional = std::mem::replace(&mut self.used_static_eval, false);
        let doubles = if N::ROOT { 0 } else { self.stack[ply.index() - 1].double_extensions };
        self.stack[ply.index()].double_extensions = doubles;
        let table_move =
            if N::ROOT { Some(self.root_moves[self.pv_index].mv) } else { entry.and_then(|entry| entry.mv) };
        let table_tactical = entry.and_then(|entry| entry.mv).is_some_and(|mv| self.game.is_noisy(mv));
        let contexts = self.continuation_keys(ply);
        if excluded.is_none() {
            let (raw_eval, eval) = self.static_eval(entry, ply, in_check).unzip();
            let frame = &mut self.stack[ply.index()];
            (frame.raw_eval, frame.eval) = (raw_eval, eval);
        }
        let turned = if N::ROOT { None } else { self.eval_delta(ply) };
        if let (Some(turned), None) = (turned, excluded) {
            self.update_prior_quiet_by_eval(turned, ply);
            depth = depth + self.hindsight_adjustment(turned, depth, ply);
        }
        let static_eval = self.stack[ply.index()].eval;
        let mut node = NodeInfo {
            depth,
            ply,
            window,
            pv: N::PV,
            tt_pv: N::PV || entry.is_some_and(|entry| entry.pv),
            cut,
            static_eval,
            eval: static_eval.map(|eval| entry.map_or(eval, |entry| entry.tt_adjusted_eval(eval))),
            improving: self.is_improving(ply),
            opponent_worsening: turned.is_some_and(|turned| turned > 0),
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
        if let Some(grandchild) = self.stack.get_mut(ply.index() + 2) {
            (grandchild.killers, grandchild.cutoff_count) = ([None; 2], 0);
        }

        let mover = self.game.side_to_move();
        let killers = self.stack[ply.index()].killers;
        let forced = if N::ROOT { None } else { self.game.forced_move() };
        let mut picker = match forced {
            Some(mv) => MovePicker::only(mv),
            None => MovePicker::new(&self.game, table_move, killers),
        };
        let mut found = Best { best: -Score::INFINITE, mv: None };
        let (mut number, mut quiets, mut tacticals) = (0, MoveList::new(), MoveList::new());
        while let Some(pick) =
            picker.next(&self.game, OrderingContext { histories: self.histories, contexts: &contexts })
        {
            let PickedMove { mv, tactical, history } = pick;
            if N::ROOT && !self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv)
                || excluded == Some(mv)
            {
                continue;
            }
            number += 1;
            let check = G::SELECTIVE && self.game.gives_check(mv);
            let mut reduced = 0;
            if G::SELECTIVE && depth.plies() >= lmr_depth() && number >= lmr_moves() as usize {
                let situation = LmrContext {
                    pv: N::PV,
                    tt_pv: node.tt_pv,
                    cut,
                    improving: node.improving,
                    table_tactical,
                    cutoffs: self.stack[ply.index() + 1].cutoff_count,
                    tactical,
                    killer: killers.contains(&Some(mv)),
                    check,
                    history,
                };
                reduced = reduction(depth.plies(), number, situation);
            }
            if G::SELECTIVE && !N::ROOT && !found.best.is_loss() && number > 1 {
                if number > lmp_move_count(depth, node.improving) {
                    picker.skip_quiets();
                }
                match self.prune_move(&node, pick, check, reduced) {
                    MovePruning::None => {}
                    MovePruning::SkipMove => continue,
                    MovePruning::SkipNonCheckingQuiets => {
                        picker.skip_non_checking_quiets(&self.game);
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
            self.stack[ply.index()].double_extensions = doubles + i32::from(extension > 1);
            let before = self.nodes;
            let trial = MoveSearch {
                stm: mover,
                window: node.window,
                depth: depth + extension - 1,
                reduced,
                move_count: number,
                cut_node: cut,
            };
            self.play(mv, ply);
            let score = self.search_move::<N>(trial, found.best, ply);
            self.undo(mv);
            let score = score?;
            if N::ROOT {
                self.update_root_move(mv, score, node.window, number, before);
            }
            if score > found.best {
                found.best = score;
                if score > node.window.alpha {
                    found.mv = Some(mv);
                    if N::PV {
                        self.update_pv(mv, ply);
                    }
                    if score >= window.beta {
                        break;
                    }
                    node.window.alpha = score;
                }
            }
            if tactical { tacticals.push(mv) } else { quiets.push(mv) }
        }
        let solved = !G::SELECTIVE && !self.used_static_eval;
        self.used_static_eval |= provisional;
        if number == 0 {
            return Ok(if excluded.is_some() { window.alpha } else { self.no_legal_moves_score(ply) });
        }
        if found.best >= window.beta {
            if G::SELECTIVE && !N::ROOT && depth > Depth::ZERO {
                found.best = found.best.lerp(depth.plies(), window.beta);
            }
            self.update_histories(found.mv, depth, ply, &quiets, &tacticals);
        } else if found.mv.is_none() {
            self.bonus_for_prior_quiet(depth, ply);
        }
        let bound = match found.best {
            best if best >= window.beta => Bound::Lower,
            _ if N::PV && found.mv.is_some() => Bound::Exact,
            _ => Bound::Upper,
        };
        // What only some of the root's moves are worth is not what the position is worth.
        if excluded.is_none() && !(N::ROOT && (self.pv_index > 0 || self.has_searchmoves)) {
            if G::SELECTIVE {
                self.update_correction_history(&node, &found, bound);
            }
            let depth = if solved { Entry::SOLVED } else { depth };
            let eval = self.stack[ply.index()].raw_eval;
            let pv = node.tt_pv;
            self.store(ply, Entry { mv: found.mv, score: found.best, eval, depth, bound, pv });
        }
        Ok(found.best)
    }

    /// The value of the move just played at `ply`: the first is searched in full, the others are only
    /// asked whether they are better, late ones less deep; who says yes is searched again
    /// (<https://www.chessprogramming.org/Principal_Variation_Search>).
    fn search_move<N: Node>(&mut self, trial: MoveSearch, best: Score, ply: Ply) -> Result<Score, Stopped> {
        let MoveSearch { stm: mover, window, mut depth, reduced, move_count: number, cut_node: cut } = trial;
        let (scout, next) = (Window::null_window_at_alpha(window.alpha), ply.next());
        // A null window asks for a bound only; a selective search looks harder at such nodes all the same.
        let exact = N::PV && (G::SELECTIVE || !window.is_null());
        if number == 1 {
            return if exact {
                self.search_child(mover, window, |search, window| {
                    search.negamax::<Pv>(window, depth, next, false)
                })
            } else {
                self.search_child(mover, scout, |search, window| {
                    search.negamax::<NonPv>(window, depth, next, !cut)
                })
            };
        }
        let reduced_depth = (depth - reduced).max(Depth::ONE.min(depth));
        let reduces = reduced_depth < depth;
        let expects_cut = reduces || !cut;
        self.stack[ply.index()].reduction = depth.plies() - reduced_depth.plies();
        let first = self.search_child(mover, scout, |search, window| {
            search.negamax::<NonPv>(window, reduced_depth, next, expects_cut)
        });
        self.stack[ply.index()].reduction = 0;
        let mut score = first?;
        if reduces && score > window.alpha {
            // Much better than thought deserves another ply, hardly better than the best one less.
            depth += i32::from(score > best + deeper_margin() + 2 * depth.plies());
            depth += -i32::from(score < best + depth.plies());
            if reduced_depth < depth {
                score = self.search_child(mover, scout, |search, window| {
                    search.negamax::<NonPv>(window, depth, next, !cut)
                })?;
            }
            if let Some(played) = self.stack[ply.index()].played.filter(|played| !played.tactical) {
                let bonus = Histories::bonus(depth.plies());
                let bonus = if score > window.alpha { bonus } else { -bonus };
                let contexts = self.continuation_keys(ply);
                self.histories.update_continuation(played.slots, &contexts, bonus);
            }
        }
        if exact && score > window.alpha {
            score = self.search_child(mover, window, |search, window| {
                search.negamax::<Pv>(window, depth, next, false)
            })?;
        }
        Ok(score)
    }

    fn is_improving(&self, ply: Ply) -> bool {
        let eval = |back: usize| self.stack[ply.index().checked_sub(back)?].eval;
        match (eval(0), eval(2).or_else(|| eval(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// A move refuted the node: it is remembered, and those tried before it in vain are too.
    fn update_histories(
        &mut self,
        best: Option<Move>,
        depth: Depth,
        ply: Ply,
        quiets: &[Move],
        tacticals: &[Move],
    ) {
        let Some(best) = best else { return };
        let (malus, contexts) = (Histories::malus(depth.plies()), self.continuation_keys(ply));
        // Near the horizon most moves that do not lose a man cut off.
        let bonus = if depth.plies() < history_depth() { 0 } else { Histories::bonus(depth.plies()) };
        self.stack[ply.index()].cutoff_count += 1;
        if self.game.is_noisy(best) {
            self.histories.update_capture(&self.game, best, bonus);
        } else {
            let killers = &mut self.stack[ply.index()].killers;
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
    fn eval_delta(&self, ply: Ply) -> Option<i32> {
        let before = self.stack[ply.index() - 1].eval?;
        Some(self.stack[ply.index()].eval?.value() + before.value())
    }

    /// How the evaluation turned says whether the quiet move that led here was a good one.
    fn update_prior_quiet_by_eval(&mut self, turned: i32, ply: Ply) {
        if let Some(played) = self.played(ply, 1).filter(|played| !played.tactical) {
            let bonus = (-eval_history_scale() * turned / 10).clamp(-eval_history_max(), eval_history_max());
            self.histories.update_butterfly(played.slots, bonus);
        }
    }

    /// Plies to add after all: the last move was reduced before anybody saw what it does to the evaluation.
    fn hindsight_adjustment(&self, turned: i32, depth: Depth, ply: Ply) -> i32 {
        let reduced = self.stack[ply.index() - 1].reduction;
        if reduced >= hindsight_deeper() && turned <= 0 {
            1
        } else if reduced >= hindsight_shallower() && depth > Depth::ONE && turned > hindsight_margin() {
            -1
        } else {
            0
        }
    }

    /// The table says that `mv` refutes the node.
    fn bonus_for_tt_cutoff_move(&mut self, mv: Option<Move>, depth: Depth, ply: Ply) {
        if let Some(mv) = mv.filter(|&mv| !self.game.is_noisy(mv)) {
            let bonus = Histories::bonus(depth.plies()) * tt_history_bonus() / 100;
            let contexts = self.continuation_keys(ply);
            self.histories.update_quiet(Histories::slots(&self.game, mv), &contexts, bonus);
        }
    }

    /// No answer to the quiet move that led here was good enough: it was a good one.
    fn bonus_for_prior_quiet(&mut self, depth: Depth, ply: Ply) {
        if ply == Ply::ROOT {
            return;
        }
        if let Some(played) = self.played(ply, 1).filter(|played| !played.tactical) {
            let bonus = Histories::bonus(depth.plies()) * prior_quiet_bonus() / 100;
            let contexts = self.continuation_keys(Ply::new(ply.index() - 1));
            self.histories.update_quiet(played.slots, &contexts, bonus);
        }
    }

    /// What the search found is held against the static evaluation, unless it rests on a capture.
    fn update_correction_history(&mut self, node: &NodeInfo, found: &Best, bound: Bound) {
        let Some(eval) = node.static_eval else { return };
        let agrees = match bound {
            Bound::Lower => found.best <= eval,
            Bound::Upper => found.best >= eval,
            Bound::Exact => false,
        };
        if !agrees && !found.best.is_decisive() && !found.mv.is_some_and(|mv| self.game.is_noisy(mv)) {
            let rows = *self.rows(node.ply);
            self.histories.corrections.update(&self.game, &rows, found.best - eval, node.depth.plies());
        }
    }
}
