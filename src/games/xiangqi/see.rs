//! Static exchange evaluation (SEE): the material result of a capture and all recaptures on its square.

use super::bitboard::{Bitboard, Piece, PieceType, Square};
use super::board::Board;
use super::moves::XiangqiMove;
use crate::game::{Move, Side, const_for, exchange_values};

/// Piece values in an exchange, in hundredths of a pawn, by [`PieceType::index`]. A king is never lost, so it is 0.
pub(super) const SEE_VALUES: [i32; PieceType::COUNT] = [90, 150, 150, 360, 380, 780, 0];

// The least valuable attacker is found by kind.
const _: () = {
    const_for!(i, 1..PieceType::King.index(), {
        assert!(SEE_VALUES[i] >= SEE_VALUES[i - 1]);
    });
};

exchange_values!(Board, SEE_VALUES);

impl Board {
    pub(super) fn captured_value(&self, mv: Move) -> i32 {
        Board::exchange_value(self.piece_on(mv.to()))
    }

    /// Whether the exchange on the target square gains the side to move at least `threshold`. Both sides recapture with
    /// their least valuable attacker or stop.
    ///
    /// The swap algorithm (<https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>) with a null window. The attackers
    /// are found anew after each capture, because a piece that leaves its square may be a cannon's screen or block a horse.
    /// Pins are ignored.
    pub(super) fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let mut balance = self.captured_value(mv) - threshold;
        if balance < 0 {
            return false;
        }
        balance -= self.attacker_value(mv);
        if balance >= 0 {
            return true;
        }
        let mut occupied = (self.occupied() - from.bit()) | to.bit();
        let mut side = us;
        loop {
            side = !side;
            let attackers = self.attackers(to, occupied) & (occupied - to.bit());
            let Some((kind, square)) = self.least_valuable(attackers & self.occupied_by(side)) else { break };
            if kind == PieceType::King {
                // The king captures only an undefended piece.
                let after = occupied - square.bit();
                let defenders = self.attackers(to, after) & after & (self.occupied_by(!side) - to.bit());
                if defenders.is_empty() {
                    side = !side;
                }
                break;
            }
            occupied = occupied - square.bit();
            balance = -balance - 1 - SEE_VALUES[kind.index()];
            if balance >= 0 {
                side = !side;
                break;
            }
        }
        side != us
    }
}
