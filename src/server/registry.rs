//! The one list of games.

use super::session::{Session, Typed};
use crate::game::Notation;
use crate::games::chess;

/// How a game's session is made, under the game's name.
type Entry = (&'static str, fn() -> Box<dyn Session>);

/// Every game, the first one being what a server begins with.
const GAMES: &[Entry] = &[(<chess::Position as Notation>::VARIANT, || {
    Box::new(Typed::<chess::Position, chess::Classical>::default())
})];

/// The values of `UCI_Variant`.
pub fn variants() -> Vec<&'static str> {
    GAMES.iter().map(|(name, _)| *name).collect()
}

/// A new game of that name, at its start.
pub fn session(variant: &str) -> Option<Box<dyn Session>> {
    GAMES.iter().find(|(name, _)| *name == variant).map(|(_, make)| make())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_name_of_its_own() {
        let mut names = variants();
        for name in &names {
            assert_eq!(session(name).unwrap().variant(), *name);
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), GAMES.len());
        assert!(session("nonesuch").is_none());
    }
}
