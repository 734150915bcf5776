//! Static exchange evaluation (SEE): the material result of a capture and all recaptures on its square.

use super::attacks;
use super::bitboard::{Bitboard, Piece, PieceType, Square};
use super::board::Board;
use super::moves::{ChessMove, MoveKind};
use crate::game::{Move, Side, exchange_values};

/// Piece values in an exchange, in centipawns, by [`PieceType::index`]. A king is never lost, so it is 0.
pub const SEE_VALUES: [i32; 6] = [100, 310, 325, 500, 980, 0];

exchange_values!(Board, SEE_VALUES);

impl Board {
    /// The value of the captured piece plus, for a promotion, the new piece minus a pawn, in centipawns. For MVV ordering.
    pub(super) fn captured_value(&self, mv: Move) -> i32 {
        let captured = Board::exchange_value(self.piece_on(mv.to()));
        if mv.is_normal() {
            return captured;
        }
        let promotion_gain = |kind: PieceType| SEE_VALUES[kind.index()] - SEE_VALUES[PieceType::Pawn.index()];
        match mv.kind() {
            Some(MoveKind::CapturePromotion(kind)) => captured + promotion_gain(kind),
            Some(MoveKind::Promotion(kind)) => promotion_gain(kind),
            Some(MoveKind::EnPassant) => SEE_VALUES[PieceType::Pawn.index()],
            _ => 0,
        }
    }

    /// Whether the exchange on the target square gains the side to move at least `threshold` centipawns. Both
    /// sides recapture with their least valuable attacker or stop.
    /// The swap algorithm (<https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>) with a null window.
    /// Pinned pieces of the side to move do not recapture while the pinner is on the board.
    pub(super) fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let mut balance = self.captured_value(mv) - threshold;
        if balance < 0 {
            return false;
        }
        balance -= mv.promotion().map_or(self.attacker_value(mv), |kind| SEE_VALUES[kind.index()]);
        if balance >= 0 {
            return true;
        }
        let mut occupied = self.occupied() ^ from.bit() | to.bit();
        if mv.kind() == Some(MoveKind::EnPassant) {
            occupied ^= Square::at(to.file(), from.rank()).bit();
        }
        let mut attackers = self.attackers(to, occupied) & occupied;
        let mut side = us;
        loop {
            side = !side;
            attackers &= occupied;
            let own = self.unpinned_attackers(side, attackers, to, occupied);
            let Some((kind, square)) = self.least_valuable(own) else { break };
            if kind == PieceType::King {
                // The king captures only an undefended piece.
                if (attackers & self.occupied_by(!side)).is_empty() {
                    side = !side;
                }
                break;
            }
            occupied ^= square.bit();
            balance = -balance - 1 - SEE_VALUES[kind.index()];
            if balance >= 0 {
                side = !side;
                break;
            }
            if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= attacks::bishop(to, occupied) & self.diagonal();
            }
            if matches!(kind, PieceType::Rook | PieceType::Queen) {
                attackers |= attacks::rook(to, occupied) & self.orthogonal();
            }
        }
        side != us
    }

    /// The attackers less those that a piece still on the board pins to their king. Only pins against the side to move are known.
    fn unpinned_attackers(
        &self,
        side: Side,
        attackers: Bitboard,
        to: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        let own = attackers & self.occupied_by(side);
        if side != self.side || (self.blockers & own).is_empty() {
            return own;
        }
        let king = self.king(side);
        let mut unpinned = own - self.blockers;
        for square in own & self.blockers {
            let line = attacks::line(king, square);
            let pinner_stands = {
                let pinner =
                    attacks::queen(king, occupied ^ square.bit()) & line & self.occupied_by(!side) & occupied;
                (pinner & (self.diagonal() | self.orthogonal())).has_any()
            };
            if line.contains(to) || !pinner_stands {
                unpinned |= square.bit();
            }
        }
        unpinned
    }
}
