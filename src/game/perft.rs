//! Counting the leaves of the move tree: the standard proof that rules are implemented right.

use super::{Game, Move, MoveList};

/// Leaves `depth` plies below `game`, the last ply counted without being played.
/// Gives `None` as soon as `stopped` says so; it is asked at every node above the last two plies.
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

/// [`perft`] with every move of the last ply played and taken back: it measures what a search does.
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

/// [`perft`] for each move of the root by itself; `depth` counts from the root and is at least 1.
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
