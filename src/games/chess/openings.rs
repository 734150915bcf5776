//! The names of openings. `openings.tsv` has 3,800 positions from <https://github.com/lichess-org/chess-openings> (commit
//! 51b8862, in the public domain by CC0): the first four fields of the FEN, the ECO code and the name.

use crate::game::OpeningName;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Returns the opening of the position that this FEN describes.
pub fn opening(fen: &str) -> Option<OpeningName> {
    /// The code and the name by the first four fields of the FEN.
    static OPENINGS: LazyLock<HashMap<&str, (&str, &str)>> = LazyLock::new(|| {
        let entry = |line: &'static str| {
            let (position, opening) = line.split_once('\t')?;
            Some((position, opening.split_once('\t')?))
        };
        include_str!("openings.tsv").lines().filter_map(entry).collect()
    });
    let (end, _) = fen.match_indices(' ').nth(3)?;
    let (eco, name) = OPENINGS.get(&fen[..end])?;
    Some(OpeningName { eco: (*eco).into(), name: (*name).into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation};
    use crate::games::chess::Position;

    #[test]
    fn every_listed_position_is_found() {
        let lines = include_str!("openings.tsv").lines();
        for line in lines {
            let fields: Vec<&str> = line.split('\t').collect();
            let position = Position::start().parse_position(fields[0]).unwrap();
            assert!(position.warnings.is_empty(), "{line}");
            let text = position.game.position_text();
            let found = opening(&text).unwrap_or_else(|| panic!("{line}: {text}"));
            assert_eq!((&*found.eco, &*found.name), (fields[1], fields[2]));
            assert!(found.eco.len() == 3 && found.eco.starts_with(['A', 'B', 'C', 'D', 'E']), "{line}");
        }
    }

    #[test]
    fn opening_after_moves_has_code_and_name() {
        let mut position = Position::start();
        assert_eq!(position.opening(), None);
        for san in ["e4", "e5", "Nf3", "Nc6", "Bc4"] {
            let mv = position.parse_san(san).unwrap();
            position.play(mv);
        }
        let found = position.opening().unwrap();
        assert_eq!((&*found.eco, &*found.name), ("C50", "Italian Game"));
    }
}
