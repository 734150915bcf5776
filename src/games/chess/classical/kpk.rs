//! King and pawn against king: who wins is known of every position, worked out backwards by the compiler.
//!
//! <https://www.chessprogramming.org/KPK>; here a whole set of squares for the bare king is one word, so that
//! one step back is a few shifts. The tables take 24 KiB.

use super::super::bitboard::Square;
use crate::game::Side;

/// For each pawn on the files a to d and the ranks 2 to 7, and each square of its king: where the bare king loses.
struct Bitbase {
    /// With the pawn's side to move.
    strong: [[u64; 64]; 24],
    /// With the bare king's side to move.
    weak: [[u64; 64]; 24],
}

static WON: Bitbase = solve();

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The place of a pawn, a square on the files a to d, in the tables.
const fn slot(pawn: usize) -> usize {
    ((pawn >> 3) - 1) * 4 + (pawn & 3)
}

/// The squares right and left of `set`.
const fn beside(set: u64) -> u64 {
    (set & !FILE_H) << 1 | (set & !FILE_A) >> 1
}

/// What kings on `set` attack.
const fn king_attacks(set: u64) -> u64 {
    let row = set | beside(set);
    beside(set) | row << 8 | row >> 8
}

/// A pawn's fate depends on that of the pawns before it only, so the last rank comes first.
const fn solve() -> Bitbase {
    let mut won = Bitbase { strong: [[0; 64]; 24], weak: [[0; 64]; 24] };
    let mut rank = 7;
    while rank > 1 {
        rank -= 1;
        let mut file = 0;
        while file < 4 {
            let pawn = rank * 8 + file;
            while deepen(&mut won, pawn) {}
            file += 1;
        }
    }
    won
}

/// Goes one move of each side further back; `false` if that finds nothing new.
const fn deepen(won: &mut Bitbase, pawn: usize) -> bool {
    let attacked = beside(1 << (pawn + 8));
    let mut found = false;
    let mut king = 0;
    while king < 64 {
        if king != pawn {
            let own = 1 << king | 1 << pawn;
            // No king stands beside another, and none is in check that is not to move.
            let legal = !(king_attacks(1 << king) | own | attacked);
            let strong = legal & (by_push(won, pawn, king) | by_king(won, pawn, king));
            found |= strong != won.strong[slot(pawn)][king];
            won.strong[slot(pawn)][king] = strong;
        }
        king += 1;
    }
    king = 0;
    while king < 64 {
        if king != pawn {
            // Where the bare king may step, taking the pawn included; without a step it is stalemate.
            let free = !(king_attacks(1 << king) | 1 << king | attacked);
            let lost = king_attacks(free) & !king_attacks(free & !won.strong[slot(pawn)][king]);
            let weak = lost & !(king_attacks(1 << king) | 1 << king | 1 << pawn);
            found |= weak != won.weak[slot(pawn)][king];
            won.weak[slot(pawn)][king] = weak;
        }
        king += 1;
    }
    found
}

/// Where the bare king loses to a move of the pawn.
const fn by_push(won: &Bitbase, pawn: usize, king: usize) -> u64 {
    let next = pawn + 8;
    if next == king {
        return 0;
    }
    if next >= 56 {
        // The new queen must not be taken at once.
        let held = king_attacks(1 << king) >> next & 1 != 0;
        return if held { !(1 << next) } else { !(king_attacks(1 << next) | 1 << next) };
    }
    let once = won.weak[slot(next)][king] & !(1 << next);
    if pawn >= 16 || next + 8 == king {
        return once;
    }
    once | won.weak[slot(next + 8)][king] & !(1 << next | 1 << (next + 8))
}

/// Where the bare king loses to a move of the other one.
const fn by_king(won: &Bitbase, pawn: usize, king: usize) -> u64 {
    let mut steps = king_attacks(1 << king) & !(1 << pawn);
    let mut lost = 0;
    while steps != 0 {
        lost |= won.weak[slot(pawn)][steps.trailing_zeros() as usize];
        steps &= steps - 1;
    }
    lost
}

/// Whether `strong`, with `king` and `pawn`, wins against the `bare` king when `side` is to move.
pub fn is_won(strong: Side, king: Square, pawn: Square, bare: Square, side: Side) -> bool {
    let flip = if pawn.file() > 3 { 7 } else { 0 };
    let seen = |square: Square| square.relative(strong).index() ^ flip;
    let table = if side == strong { &WON.strong } else { &WON.weak };
    table[slot(seen(pawn))][seen(king)] >> seen(bare) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::super::super::Position;
    use super::super::super::bitboard::PieceType;
    use super::super::pawns::distance;
    use super::*;
    use crate::game::{Game, Notation, Outcome, SplitMix64};

    /// The number is the one that the bitbases of other programs come to.
    #[test]
    fn as_many_are_won_as_elsewhere() {
        let count =
            |table: &[[u64; 64]; 24]| -> u32 { table.iter().flatten().map(|set| set.count_ones()).sum() };
        assert_eq!(count(&WON.strong) + count(&WON.weak), 111_282);
    }

    fn is_won_in(game: &Position) -> bool {
        let board = game.board();
        let pawn = board.pieces_of_kind(PieceType::Pawn).lsb();
        is_won(Side::White, board.king(Side::White), pawn, board.king(Side::Black), board.side())
    }

    /// What the table says of a position follows from what it says of those after each move.
    #[test]
    fn agrees_with_the_rules() {
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
            let Ok(parsed) = Position::parse_position(&format!("{} {side} - - 0 1", ranks.join("/"))) else {
                continue;
            };
            let mut game = parsed.game;
            tried += 1;
            let wins = |game: &Position| match game.outcome() {
                Some(outcome) => outcome == Outcome::Win(Side::White),
                None if game.board().pieces_of_kind(PieceType::Pawn).has_any() => is_won_in(game),
                // A promotion, or the pawn is lost; a queen that cannot be taken at once wins.
                None => {
                    let board = game.board();
                    let queen = board.orthogonal().lsb();
                    let held = distance(board.king(Side::White), queen) == 1;
                    board.orthogonal().has_any() && (held || distance(board.king(Side::Black), queen) > 1)
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
            assert_eq!(is_won_in(&game), won, "{}", game.position_text(Default::default()));
        }
    }
}
