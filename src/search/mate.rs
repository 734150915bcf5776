//! Search for a forced win in a given number of moves, for `go mate N`: depth-first proof-number search (df-pn; Nagai 2002,
//! <https://www.chessprogramming.org/Proof-Number_Search>).
//!
//! The proof number of a node is about the number of positions that must still be won to prove it, the disproof number the same
//! to disprove it. The search expands the position that changes them for the least work, so it follows checks and other moves
//! that leave few replies. It leaves out no move: a proof holds for all replies. Only the collision of two 64-bit keys could err.

use super::control::Stopped;
use crate::game::{Heuristics, Move, Outcome, Ply};

/// The proof number of what is disproved, and the disproof number of what is proved.
const INFINITE: u32 = 100_000_000;

/// First proof number of a move that gives no check. That of a check is 1.
const QUIET_PROOF: u32 = 6;

/// Entries of the table, 24 bytes each. A power of two.
const ENTRIES: usize = 1 << 20;
const ENTRIES_IN_BUCKET: usize = 4;

/// What is known of a position with a number of plies left.
#[derive(Clone, Copy, Debug, Default)]
struct MateEntry {
    key: u64,
    proof: u32,
    disproof: u32,
    /// The attacker's best move.
    mv: Option<Move>,
    /// Plies to the end, if it is proved.
    plies: u16,
}

/// A move with the numbers of the position after it.
struct Child {
    mv: Move,
    entry: MateEntry,
}

/// The first child with the least `number`, this number, and the least of the others. Without a child the numbers are infinite.
fn least(children: &[Child], number: impl Fn(&MateEntry) -> u32) -> (usize, u32, u32) {
    children.iter().enumerate().fold((0, INFINITE, INFINITE), |(at, least, second), (i, child)| {
        let number = number(&child.entry);
        if number < least { (i, number, least) } else { (at, least, second.min(number)) }
    })
}

/// Whether the search goes on: calls for each node, with `Err` if the search is stopped.
type Visit<'a> = &'a mut dyn FnMut() -> Result<(), Stopped>;

/// The search for a win of the side to move at the root, the attacker.
pub struct MateSearch<G> {
    game: G,
    /// Plies from the root.
    ply: usize,
    /// The most plies of a win, an odd number.
    plies: u16,
    table: Vec<MateEntry>,
    /// Nodes that may still be visited before the search pauses.
    budget: u64,
}

impl<G: Heuristics> MateSearch<G> {
    /// A search for a win in at most `moves` moves from `root`; `None` without memory for it.
    pub fn new(root: G, moves: u32) -> Option<Self> {
        let most = Ply::MAX.index() as u32 / 2;
        let plies = (2 * moves.clamp(1, most) - 1) as u16;
        let mut table = Vec::new();
        table.try_reserve_exact(ENTRIES).ok()?;
        table.resize(ENTRIES, MateEntry::default());
        Some(MateSearch { game: root, ply: 0, plies, table, budget: 0 })
    }

    /// Searches `budget` nodes more at most. Returns the moves to the end if the win is proved: the attacker's are those of the
    /// proof, the defender's the longest resistance to them. A search that was stopped cannot go on.
    ///
    /// # Errors
    /// If `visit` fails.
    pub fn run(&mut self, budget: u64, visit: Visit<'_>) -> Result<Option<Vec<Move>>, Stopped> {
        self.budget = budget;
        if self.attack(self.plies, INFINITE, INFINITE, visit)?.proof > 0 {
            return Ok(None);
        }
        self.line(visit).map(Some)
    }

    /// Searches a position with the attacker to move until a number reaches its limit. `plies` are left.
    fn attack(
        &mut self,
        plies: u16,
        proof_limit: u32,
        disproof_limit: u32,
        visit: Visit<'_>,
    ) -> Result<MateEntry, Stopped> {
        let mut children = self.children(plies, |game, mv| {
            let gives_check = game.gives_check(mv);
            let is_left_out = plies == 1 && G::MATE_NEEDS_CHECK && !gives_check;
            (!is_left_out).then_some(if gives_check { 1 } else { QUIET_PROOF })
        });
        // In renju the defender may have lost by its own move.
        if children.is_empty() && self.game.outcome() == Some(Outcome::Win(self.game.side_to_move())) {
            return Ok(self.store(plies, 0, INFINITE, None, 0));
        }
        loop {
            let (at, proof, second) = least(&children, |entry| entry.proof);
            let disproof = children.iter().fold(0, |sum, child| (sum + child.entry.disproof).min(INFINITE));
            let disproof = if proof == 0 { INFINITE } else { disproof };
            if proof >= proof_limit || disproof >= disproof_limit || proof == 0 || self.budget == 0 {
                let best = children.get(at);
                let end = best.map_or(0, |child| child.entry.plies + 1);
                return Ok(self.store(plies, proof, disproof, best.map(|child| child.mv), end));
            }
            let Child { mv, entry } = children[at];
            let child_proof_limit = proof_limit.min(second.saturating_add(1 + second / 4));
            let child_disproof_limit = disproof_limit - disproof + entry.disproof;
            self.play(mv, visit)?;
            children[at].entry = self.defend(plies - 1, child_proof_limit, child_disproof_limit, visit)?;
            self.undo(mv);
        }
    }

    /// As `attack`, with the defender to move.
    fn defend(
        &mut self,
        plies: u16,
        proof_limit: u32,
        disproof_limit: u32,
        visit: Visit<'_>,
    ) -> Result<MateEntry, Stopped> {
        // The entry of a position holds for every way to it, a draw that can be claimed does not.
        if self.game.claim(Ply::new(self.ply)).is_some() {
            return Ok(MateEntry { proof: INFINITE, ..MateEntry::default() });
        }
        let mut children = if plies == 0 { Vec::new() } else { self.children(plies, |_, _| Some(1)) };
        if children.is_empty() {
            let is_won = self.game.outcome() == Some(Outcome::Win(!self.game.side_to_move()));
            let (proof, disproof) = if is_won { (0, INFINITE) } else { (INFINITE, 0) };
            return Ok(self.store(plies, proof, disproof, None, 0));
        }
        loop {
            let (at, disproof, second) = least(&children, |entry| entry.disproof);
            let proof = children.iter().fold(0, |sum, child| (sum + child.entry.proof).min(INFINITE));
            let proof = if disproof == 0 { INFINITE } else { proof };
            if proof >= proof_limit || disproof >= disproof_limit || proof == 0 || self.budget == 0 {
                let end = children.iter().map(|child| child.entry.plies + 1).max().unwrap_or(0);
                return Ok(self.store(plies, proof, disproof, None, end));
            }
            let Child { mv, entry } = children[at];
            let child_proof_limit = proof_limit - proof + entry.proof;
            let child_disproof_limit = disproof_limit.min(second.saturating_add(1 + second / 4));
            self.play(mv, visit)?;
            children[at].entry = match self.game.claim(Ply::new(self.ply)) {
                Some(_) => MateEntry { proof: INFINITE, ..MateEntry::default() },
                None => self.attack(plies - 1, child_proof_limit, child_disproof_limit, visit)?,
            };
            self.undo(mv);
        }
    }

    /// The moves of the position, each with what the table knows of it, or with the proof number that `first_proof` gives; it
    /// leaves out the moves for which it gives none.
    fn children(&mut self, plies: u16, first_proof: impl Fn(&G, Move) -> Option<u32>) -> Vec<Child> {
        let moves = self.game.moves();
        let mut children = Vec::with_capacity(moves.len());
        for mv in moves {
            let Some(proof) = first_proof(&self.game, mv) else { continue };
            // A proof needs the true key; `key_after` may be wrong.
            self.game.play(mv);
            let known = self.probe(self.game.key(), plies - 1);
            self.game.undo(mv);
            let entry = known.unwrap_or(MateEntry { proof, disproof: 1, ..MateEntry::default() });
            children.push(Child { mv, entry });
        }
        children
    }

    /// The moves from the root to the end, once the root is proved.
    fn line(&mut self, visit: Visit<'_>) -> Result<Vec<Move>, Stopped> {
        let mut line = Vec::new();
        let mut plies = self.plies;
        loop {
            // The table may have lost an entry: then it is proved again.
            self.budget = u64::MAX;
            let Some(mv) = self.attack(plies, INFINITE, INFINITE, visit)?.mv else { break };
            self.play(mv, visit)?;
            line.push(mv);
            let (mut longest, Some(left)) = (None, plies.checked_sub(2)) else { break };
            for reply in self.game.moves() {
                self.play(reply, visit)?;
                let end = self.attack(left, INFINITE, INFINITE, visit)?.plies;
                self.undo(reply);
                if longest.is_none_or(|(_, most)| end > most) {
                    longest = Some((reply, end));
                }
            }
            let Some((reply, _)) = longest else { break };
            self.play(reply, visit)?;
            line.push(reply);
            plies = left;
        }
        line.iter().rev().for_each(|&mv| self.undo(mv));
        Ok(line)
    }

    fn play(&mut self, mv: Move, visit: Visit<'_>) -> Result<(), Stopped> {
        visit()?;
        self.budget = self.budget.saturating_sub(1);
        self.game.play(mv);
        self.ply += 1;
        Ok(())
    }

    fn undo(&mut self, mv: Move) {
        self.game.undo(mv);
        self.ply -= 1;
    }

    /// The key of a position with `plies` left: it may be won in more plies and not in these. Zero is no key.
    fn key(key: u64, plies: u16) -> u64 {
        (key ^ (u64::from(plies) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)).max(1)
    }

    fn bucket(key: u64) -> usize {
        (key as usize % (ENTRIES / ENTRIES_IN_BUCKET)) * ENTRIES_IN_BUCKET
    }

    fn probe(&self, key: u64, plies: u16) -> Option<MateEntry> {
        let key = Self::key(key, plies);
        let bucket = &self.table[Self::bucket(key)..][..ENTRIES_IN_BUCKET];
        bucket.iter().find(|entry| entry.key == key).copied()
    }

    /// Stores what is known of the position, in place of its former entry, an empty one, or else one that the key chooses.
    fn store(&mut self, plies: u16, proof: u32, disproof: u32, mv: Option<Move>, end: u16) -> MateEntry {
        let key = Self::key(self.game.key(), plies);
        let entry = MateEntry { key, proof, disproof, mv, plies: if proof == 0 { end } else { 0 } };
        let bucket = &mut self.table[Self::bucket(key)..][..ENTRIES_IN_BUCKET];
        let chosen = (key >> 32) as usize % ENTRIES_IN_BUCKET;
        let place =
            bucket.iter().position(|old| old.key == key).or(bucket.iter().position(|old| old.key == 0));
        bucket[place.unwrap_or(chosen)] = entry;
        entry
    }
}
