//! Endgame tables in the search: results inside the tree, ranks of the root moves
//! (<https://www.chessprogramming.org/Endgame_Tablebases>).

use super::limits::TablebaseProbe;
use super::node::{Node, sort_root_moves};
use super::tt::Entry;
use super::worker::Worker;
use crate::game::{Bound, Depth, Evaluator, Heuristics, Move, Ply, Score, TableResult, Window};
use std::ops::ControlFlow;

/// Plies by which the TT entry of a table's result is deeper than the node: it is worth more than a search.
const ENTRY_DEPTH_BONUS: i32 = 6;

/// The lower and the upper bound of a node that no table has.
pub const UNBOUNDED: (Score, Score) = (Window::FULL.alpha, Score::INFINITE);

impl<G: Heuristics, E: Evaluator<G>> Worker<'_, G, E> {
    /// `Break` has the score that ends the node, `Continue` a lower and an upper bound of the score of a PV node.
    #[inline]
    pub(super) fn probe_tablebase<N: Node>(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> ControlFlow<Score, (Score, Score)> {
        if N::ROOT || self.tablebase.is_none() {
            return ControlFlow::Continue(UNBOUNDED);
        }
        self.probe_opened_tablebase::<N>(window, depth, ply)
    }

    fn probe_opened_tablebase<N: Node>(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
    ) -> ControlFlow<Score, (Score, Score)> {
        let found = self
            .tablebase
            .as_ref()
            .and_then(|probe| probe.tablebase.probe(&self.game, depth, &probe.probing));
        let Some(result) = found else { return ControlFlow::Continue(UNBOUNDED) };
        self.control.add_tb_hits(1);
        let win = Score::table_win(ply);
        let (score, bound) = match result {
            TableResult::Win => (win, Bound::Lower),
            TableResult::Draw(score) => (score, Bound::Exact),
            TableResult::Loss => (-win, Bound::Upper),
        };
        let ends_node = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        if ends_node {
            // In an exact search a win is solved only with its length.
            self.support.static_eval |= bound != Bound::Exact;
            let depth = (depth + ENTRY_DEPTH_BONUS).min(Depth::MAX);
            self.store_tt(self.game.tt_key(), ply, Entry { pv: N::PV, ..Entry::new(score, bound, depth) });
            return ControlFlow::Break(score);
        }
        ControlFlow::Continue(match bound {
            Bound::Lower if N::PV => (score, UNBOUNDED.1),
            Bound::Upper if N::PV => (UNBOUNDED.0, score),
            _ => UNBOUNDED,
        })
    }

    /// Ranks the root moves by the tables, best first. The search then tries only moves of the same rank together. Inside the
    /// tree it uses the tables only if that helps to make progress: else every line would have the score of the table.
    pub(super) fn rank_root_moves(&mut self) {
        let Some(TablebaseProbe { tablebase, probing }) = &self.tablebase else { return };
        let moves: Vec<Move> = self.root_moves.iter().map(|root| root.mv).collect();
        if moves.is_empty() {
            return;
        }
        let Some(ranked) = tablebase.rank_moves(&self.game, &moves, probing) else { return };
        for (root, (rank, score)) in self.root_moves.iter_mut().zip(ranked.moves) {
            (root.rank, root.tb_score) = (rank, Some(score));
        }
        sort_root_moves(&mut self.root_moves);
        if self.control.thread == 0 {
            self.control.add_tb_hits(moves.len() as u64);
        }
        let wins = self.root_moves[0].tb_score.is_some_and(Score::is_win);
        if ranked.ensures_progress || !wins {
            self.tablebase = None;
        }
    }

    /// Whether `mv` is searched now: it is in no better line of a MultiPV search, and has the rank of the best such move.
    pub(super) fn is_searched_root_move(&self, mv: Move) -> bool {
        let rest = &self.root_moves[self.pv_index..];
        rest.iter().any(|root| root.mv == mv && root.rank == rest[0].rank)
    }
}
