//! Static exchange evaluation: what a capture and all recaptures on its square come to.

use super::attacks;
use super::bitboard::{Bitboard, Man, Piece, Square};
use super::board::Board;
use super::moves::{ChessMove, Kind};
use crate::game::{Move, Side};

/// What pieces count in an exchange, in centipawns. A king is never given up.
pub const VALUES: [i32; 6] = [100, 310, 325, 500, 980, 0];

/// The same by [`Man::index`], 0 for nobody.
static MAN_VALUES: [i32; Man::COUNT] = {
    let mut table = [0; Man::COUNT];
    let mut i = 0;
    while i < VALUES.len() {
        table[Man::new(Side::White, Piece::ALL[i]).index()] = VALUES[i];
        table[Man::new(Side::Black, Piece::ALL[i]).index()] = VALUES[i];
        i += 1;
    }
    table
};

impl Board {
    /// What stands to be gained by `mv` before any answer: the man taken and the promotion's surplus.
    pub(super) fn gain(&self, mv: Move) -> i32 {
        let taken = MAN_VALUES[self.man_on(mv.to()).index()];
        if mv.is_plain() {
            return taken;
        }
        let surplus = |piece: Piece| VALUES[piece.index()] - VALUES[Piece::Pawn.index()];
        match mv.kind() {
            Some(Kind::CapturePromotion(piece)) => taken + surplus(piece),
            Some(Kind::Promotion(piece)) => surplus(piece),
            Some(Kind::EnPassant) => VALUES[Piece::Pawn.index()],
            _ => 0,
        }
    }

    /// The value of the man that `mv` moves, in centipawns; 0 for the king.
    pub(super) fn stake(&self, mv: Move) -> i32 {
        MAN_VALUES[self.man_on(mv.from()).index()]
    }

    /// Whether the exchange on the move's target leaves the mover at least `threshold`, when both
    /// sides always recapture with their least man and stop when that is better.
    ///
    /// The swap algorithm (<https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>) as a question
    /// with a threshold. The mover's pinned men do not take while their pinner stands.
    pub(super) fn exchange_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let mut balance = self.gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        balance -= mv.promotion().map_or(self.stake(mv), |piece| VALUES[piece.index()]);
        if balance >= 0 {
            return true;
        }
        let mut occupied = self.occupied() ^ from.bit() | to.bit();
        if mv.kind() == Some(Kind::EnPassant) {
            occupied ^= Square::at(to.file(), from.rank()).bit();
        }
        let mut attackers = self.attackers(to, occupied) & occupied;
        let mut side = us;
        loop {
            side = !side;
            attackers &= occupied;
            let own = self.free_attackers(side, attackers, to, occupied);
            let Some((piece, square)) = self.least(own) else { break };
            if piece == Piece::King {
                // A king takes only what nobody defends.
                if (attackers & self.of(!side)).is_empty() {
                    side = !side;
                }
                break;
            }
            occupied ^= square.bit();
            balance = -balance - 1 - VALUES[piece.index()];
            if balance >= 0 {
                side = !side;
                break;
            }
            if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
                attackers |= attacks::bishop(to, occupied) & self.diagonal();
            }
            if matches!(piece, Piece::Rook | Piece::Queen) {
                attackers |= attacks::rook(to, occupied) & self.orthogonal();
            }
        }
        side != us
    }

    /// The attackers of `side` that are not pinned to their king by a man that still stands.
    fn free_attackers(&self, side: Side, attackers: Bitboard, to: Square, occupied: Bitboard) -> Bitboard {
        let own = attackers & self.of(side);
        if side != self.side || (self.blockers & own).is_empty() {
            return own;
        }
        let king = self.king(side);
        let mut free = own - self.blockers;
        for square in own & self.blockers {
            let line = attacks::line(king, square);
            let pinner_stands = {
                let beyond = attacks::queen(king, occupied ^ square.bit()) & line & self.of(!side) & occupied;
                (beyond & (self.diagonal() | self.orthogonal())).has_any()
            };
            if line.has(to) || !pinner_stands {
                free |= square.bit();
            }
        }
        free
    }

    fn least(&self, men: Bitboard) -> Option<(Piece, Square)> {
        Piece::ALL.into_iter().find_map(|piece| {
            let some = men & self.all(piece);
            some.has_any().then(|| (piece, some.first()))
        })
    }
}
