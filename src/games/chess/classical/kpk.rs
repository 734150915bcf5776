//! Bitbase of king and pawn against king, computed at compile time by retrograde analysis
//! (<https://www.chessprogramming.org/KPK>).
//!
//! One 64-bit word holds the results for all squares of the bare king, so that one retrograde step is a few
//! shifts. The tables take 24 KiB.

use super::super::bitboard::Square;
use crate::game::{Side, const_for};

/// The squares where the bare king loses, by pawn (files a to d, ranks 2 to 7) and by square of the pawn's king.
struct Bitbase {
    /// The side with the pawn is to move.
    strong: [[u64; 64]; 24],
    /// The bare king is to move.
    weak: [[u64; 64]; 24],
}

static BITBASE: Bitbase = solve();

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The index of a pawn on a square of files a to d.
const fn pawn_index(pawn: usize) -> usize {
    ((pawn >> 3) - 1) * 4 + (pawn & 3)
}

/// The squares directly left and right of `set`.
const fn neighbours(set: u64) -> u64 {
    (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

const fn king_attacks(set: u64) -> u64 {
    let row = set | neighbours(set);
    neighbours(set) | row << 8 | row >> 8
}

/// A pawn's results depend only on those of higher ranks, so the seventh rank comes first.
const fn solve() -> Bitbase {
    let mut base = Bitbase { strong: [[0; 64]; 24], weak: [[0; 64]; 24] };
    let mut rank = 7;
    while rank > 1 {
        rank -= 1;
        const_for!(file, 0..4, {
            let pawn = rank * 8 + file;
            while retrograde_step(&mut base, pawn) {}
        });
    }
    base
}

/// Adds the wins one move of each side further back; `false` if there is no new one.
const fn retrograde_step(base: &mut Bitbase, pawn: usize) -> bool {
    let attacked = neighbours(1 << (pawn + 8));
    let mut found = false;
    let mut king = 0;
    while king < 64 {
        if king != pawn {
            let own = 1 << king | 1 << pawn;
            // Kings are not adjacent, and the bare king, which is not to move, is not in check.
            let legal = !(king_attacks(1 << king) | own | attacked);
            let strong = legal & (pawn_move_wins(base, pawn, king) | king_move_wins(base, pawn, king));
            found |= strong != base.strong[pawn_index(pawn)][king];
            base.strong[pawn_index(pawn)][king] = strong;
        }
        king += 1;
    }
    king = 0;
    while king < 64 {
        if king != pawn {
            // The squares that the bare king can move to, including the pawn's. Without a move it is stalemate.
            let free = !(king_attacks(1 << king) | 1 << king | attacked);
            let lost = king_attacks(free) & !king_attacks(free & !base.strong[pawn_index(pawn)][king]);
            let weak = lost & !(king_attacks(1 << king) | 1 << king | 1 << pawn);
            found |= weak != base.weak[pawn_index(pawn)][king];
            base.weak[pawn_index(pawn)][king] = weak;
        }
        king += 1;
    }
    found
}

/// The squares where the bare king loses to a pawn move.
const fn pawn_move_wins(base: &Bitbase, pawn: usize, king: usize) -> u64 {
    let next = pawn + 8;
    if next == king {
        return 0;
    }
    if next >= 56 {
        // The new queen must not be captured at once.
        let defended = king_attacks(1 << king) >> next & 1 != 0;
        return if defended { !(1 << next) } else { !(king_attacks(1 << next) | 1 << next) };
    }
    let single = base.weak[pawn_index(next)][king] & !(1 << next);
    if pawn >= 16 || next + 8 == king {
        return single;
    }
    single | base.weak[pawn_index(next + 8)][king] & !(1 << next | 1 << (next + 8))
}

/// The squares where the bare king loses to a king move.
const fn king_move_wins(base: &Bitbase, pawn: usize, king: usize) -> u64 {
    let mut targets = king_attacks(1 << king) & !(1 << pawn);
    let mut lost = 0;
    while targets != 0 {
        lost |= base.weak[pawn_index(pawn)][targets.trailing_zeros() as usize];
        targets &= targets - 1;
    }
    lost
}

/// Whether `strong`, with `king` and `pawn`, wins against the `bare` king when `side` is to move.
///
/// The position must be legal.
pub fn is_won(strong: Side, king: Square, pawn: Square, bare: Square, side: Side) -> bool {
    let flip = if pawn.file() > 3 { 7 } else { 0 };
    let normalised = |square: Square| square.relative(strong).index() ^ flip;
    let table = if side == strong { &BITBASE.strong } else { &BITBASE.weak };
    table[pawn_index(normalised(pawn))][normalised(king)] >> normalised(bare) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::super::super::bitboard::PieceType;
    use super::super::super::position::Position;
    use super::super::geometry::distance;
    use super::*;
    use crate::game::{Game, Notation, Outcome, SplitMix64};

    /// 111,282 is also the count of the KPK bitbases of other programs.
    #[test]
    fn bitbase_has_111282_wins() {
        let count =
            |table: &[[u64; 64]; 24]| -> u32 { table.iter().flatten().map(|set| set.count_ones()).sum() };
        assert_eq!(count(&BITBASE.strong) + count(&BITBASE.weak), 111_282);
    }

    fn is_won_in(game: &Position) -> bool {
        let board = game.board();
        let pawn = board.pieces_of_kind(PieceType::Pawn).lsb();
        is_won(Side::White, board.king(Side::White), pawn, board.king(Side::Black), board.side)
    }

    /// The result of a position follows from the results after each legal move.
    #[test]
    fn bitbase_of_random_positions_agrees_with_their_moves() {
        let mut random = SplitMix64::new(3);
        let mut tried = 0;
        while tried < 5_000 {
            let squares = random.next();
            let at = |shift: u32| (squares >> shift & 63) as usize;
            let (king, pawn, bare) = (at(0), at(6), at(12));
            if king == bare || king == pawn || bare == pawn || !(8..56).contains(&pawn) {
                continue;
            }
            let letter = |square: usize| match square {
                _ if square == king => 'K',
                _ if square == pawn => 'P',
                _ if square == bare => 'k',
                _ => '1',
            };
            let rank = |rank: usize| (0..8).map(|file| letter(rank * 8 + file)).collect::<String>();
            let ranks: Vec<String> = (0..8).rev().map(rank).collect();
            let side = if squares >> 18 & 1 == 0 { 'w' } else { 'b' };
            let Ok(parsed) = Position::start().parse_position(&format!("{} {side} - - 0 1", ranks.join("/")))
            else {
                continue;
            };
            let mut game = parsed.game;
            tried += 1;
            let wins = |game: &Position| match game.outcome() {
                Some(outcome) => outcome == Outcome::Win(Side::White),
                None if game.board().pieces_of_kind(PieceType::Pawn).has_any() => is_won_in(game),
                // After a promotion, a queen that cannot be captured at once wins. Without the pawn it is a
                // draw.
                None => {
                    let board = game.board();
                    let queen = board.orthogonal().lsb();
                    let defended = distance(board.king(Side::White), queen) == 1;
                    board.orthogonal().has_any() && (defended || distance(board.king(Side::Black), queen) > 1)
                }
            };
            let moves = game.moves();
            let mut after = moves.iter().map(|&mv| {
                game.play(mv);
                let won = wins(&game);
                game.undo(mv);
                won
            });
            let won =
                if side == 'w' { after.any(|won| won) } else { !moves.is_empty() && after.all(|won| won) };
            drop(after);
            assert_eq!(is_won_in(&game), won, "{}", game.position_text());
        }
    }
}
