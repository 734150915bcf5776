//! Perft: counts the leaves of the move tree, the standard test of a move generator (<https://www.chessprogramming.org/Perft>).

use super::{Game, Move, MoveList};

/// Returns the number of leaves `depth` plies below `game`. Moves of the last ply are counted, not played.
///
/// Returns `None` once `stopped` returns true. It is called at every node with at least three plies left.
pub fn perft<G: Game>(game: &mut G, depth: u32, stopped: &mut impl FnMut() -> bool) -> Option<u64> {
    match depth {
        0 => return Some(1),
        1 => return Some(game.count_moves() as u64),
        2 => {}
        _ if stopped() => return None,
        _ => {}
    }
    let mut leaves = 0;
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    for &mv in &moves {
        game.play(mv);
        let below = perft(game, depth - 1, stopped);
        game.undo(mv);
        leaves += below?;
    }
    Some(leaves)
}

/// As [`perft`], but plays and takes back the moves of the last ply too: a benchmark of `play` and `undo`.
pub fn perft_no_bulk<G: Game>(game: &mut G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    for &mv in &moves {
        game.play(mv);
        leaves += perft_no_bulk(game, depth - 1);
        game.undo(mv);
    }
    leaves
}

/// Returns each root move with the number of leaves below it. `depth` counts from the root and is at least 1.
///
/// Returns `None` once `stopped` returns true, as in [`perft`].
pub fn divide<G: Game>(
    game: &mut G,
    depth: u32,
    stopped: &mut impl FnMut() -> bool,
) -> Option<Vec<(Move, u64)>> {
    let mut counts = Vec::new();
    for mv in game.moves() {
        game.play(mv);
        let below = perft(game, depth - 1, stopped);
        game.undo(mv);
        counts.push((mv, below?));
    }
    Some(counts)
}
