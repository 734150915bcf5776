//! The positions of a game, kept as one board for each.

use super::Ply;

/// A board that a [`BoardStack`] keeps.
pub trait StackedBoard: Copy {
    /// The position key, equal for equal positions.
    fn key(&self) -> u64;

    /// The plies since the last irreversible move.
    fn plies_since_irreversible(&self) -> usize;
}

/// The boards of a game from the first to the current one. A move appends a changed copy, and undoing it drops the copy:
/// copy-make instead of saving and restoring one board. It halves the copying and avoids loads that wait for a recent store,
/// which made perft of chess 1.5 times as fast.
#[derive(Clone, Debug)]
pub struct BoardStack<B> {
    /// The boards, then spare elements.
    boards: Vec<B>,
    current: usize,
}

impl<B: StackedBoard> BoardStack<B> {
    /// A game that begins at `board`.
    pub fn new(board: B) -> BoardStack<B> {
        BoardStack { boards: vec![board], current: 0 }
    }

    /// The current board.
    #[inline(always)]
    pub fn current(&self) -> &B {
        &self.boards[self.current]
    }

    /// The board `plies` plies ago.
    ///
    /// # Panics
    /// If the game has no such board.
    #[inline(always)]
    pub fn back(&self, plies: usize) -> &B {
        &self.boards[self.current - plies]
    }

    /// The current board, and before it those of the last `plies` plies.
    ///
    /// # Panics
    /// If the game has no such boards.
    pub fn last(&self, plies: usize) -> &[B] {
        &self.boards[self.current - plies..=self.current]
    }

    /// Appends a copy of the current board and returns it.
    #[inline(always)]
    pub fn push(&mut self) -> &mut B {
        self.current += 1;
        if self.current == self.boards.len() {
            self.grow();
        }
        let (past, room) = self.boards.split_at_mut(self.current);
        room[0] = past[past.len() - 1];
        &mut room[0]
    }

    /// Doubles the spare elements.
    #[cold]
    fn grow(&mut self) {
        self.boards.resize(2 * self.boards.len().max(64), self.boards[0]);
    }

    /// Returns to the previous board.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.current -= 1;
    }

    /// The plies since the last irreversible move of this game.
    #[inline(always)]
    pub fn reversible_plies(&self) -> usize {
        self.current().plies_since_irreversible().min(self.current)
    }

    /// The plies back to the earlier occurrence of the position that counts as a repetition: the first one after the search
    /// root, which is `ply` plies back, or the second one in all.
    #[inline]
    pub fn repetition(&self, ply: Ply) -> Option<usize> {
        let key = self.current().key();
        let mut repetitions = 0;
        // The same side is to move every second ply, and a repetition takes at least four plies.
        for back in (4..=self.reversible_plies()).step_by(2) {
            if self.back(back).key() == key {
                repetitions += 1;
                if repetitions == 2 || back < ply.index() {
                    return Some(back);
                }
            }
        }
        None
    }
}
