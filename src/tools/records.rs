//! Records of games, in the format that each game has: SGF for Go, PGN for the others.

use super::pgn::{self, Game, RecordError, tree::Tree};
use super::sgf;
use crate::game::{Move, Notation, OptionValues, Side, Variant};

/// Reads all games of a text, whose beginning says which format it has. `start` is the start of the game.
pub fn read<G: Notation>(start: &G, text: &str) -> Vec<Result<Game<G>, RecordError>> {
    if sgf::is_sgf(text) { sgf::read(start, text) } else { pgn::read(start, text) }
}

/// Reads all games of a text, those of PGN with their variations.
pub fn read_trees<G: Notation>(start: &G, text: &str) -> Vec<Result<Game<G>, RecordError>> {
    if sgf::is_sgf(text) { sgf::read(start, text) } else { pgn::read_trees(start, text) }
}

/// The name of the game that a text has records of; `None` if it names none.
pub fn variant(text: &str) -> Option<String> {
    if sgf::is_sgf(text) { Some(sgf::VARIANT.into()) } else { pgn::first_variant(text) }
}

/// Whether records of the game of `position` keep that a side moved twice in a row.
pub fn has_sides<G: Notation>(position: &G) -> bool {
    position.variant() == sgf::VARIANT
}

/// Writes a game, whose moves have their sides. `options` are the values of the game's options, `tags` stand before the tags that
/// the game needs, `result` is that of the rules if it is `None`, else of a resignation or, with [`pgn::LOST_ON_TIME`], of the
/// clock.
pub fn record<G: Variant>(
    start: &G,
    played: &[(Side, Move)],
    options: &OptionValues,
    tags: &[(&str, String)],
    result: Option<&str>,
) -> String {
    if has_sides(start) {
        return sgf::record(start, played, options, tags, result);
    }
    let moves: Vec<Move> = played.iter().map(|&(_, mv)| mv).collect();
    let mut tree = Tree::new(start.clone());
    tree.add_game(&moves);
    tree.record(moves.len(), tags, result)
}

/// Writes a game as [`record`] does, with its variations if its format has them here: PGN. `played` are the moves of the game
/// itself.
pub fn record_with_variations<G: Variant>(
    tree: &Tree<G>,
    played: &[(Side, Move)],
    tags: &[(&str, String)],
    result: Option<&str>,
) -> String {
    if has_sides(tree.start()) {
        return sgf::record(tree.start(), played, &OptionValues::new(), tags, result);
    }
    tree.record(played.len(), tags, result)
}
