//! The arguments of `duiyi play`.

use crate::game::quote;
use crate::search::{LEVELS, RATINGS};
use crate::variants;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

/// Play against the engine at the terminal.
///
/// A move is typed as UCI, SAN, WXF or a cell writes it: e2e4, Nf3, C2=5, h10, or the letter of a column. The other words are undo, new,
/// hint, swap (the sides), resign, level N, save FILE and play FILE. A word that is also a move is a command: "move d" plays d.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// The game.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(variants::NAMES))]
    pub variant: Option<String>,
    /// How strong the engine plays: beginner, easy, casual, club, strong, full, a number from 1 to 6, or a rating from 800 to 3190.
    #[arg(long, value_name = "LEVEL", default_value = "casual", value_parser = level)]
    pub level: Level,
    /// Your side: its name or the first letter of it, first or second. You begin, or go on with the side to move.
    #[arg(long, value_name = "SIDE")]
    pub side: Option<String>,
    /// A game to go on with: PGN, for Go SGF. It says which game it is.
    #[arg(value_name = "PATH")]
    pub file: Option<PathBuf>,
}

/// The rating of a level; `None` is full strength.
#[derive(Clone, Copy, Debug)]
pub struct Level(pub Option<u32>);

fn level(text: &str) -> Result<Level, String> {
    parse_level(text).map(Level)
}

/// The rating of a level: a name, its number from 1, or a rating.
///
/// # Errors
/// If the text is none of these.
pub fn parse_level(text: &str) -> Result<Option<u32>, String> {
    let named = LEVELS.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
    let number = text.parse::<u32>().ok();
    let numbered = number.and_then(|number| LEVELS.get(number.checked_sub(1)? as usize));
    let rating = number.filter(|number| RATINGS.contains(number));
    let names: Vec<&str> = LEVELS.iter().map(|(name, _)| *name).collect();
    match (named.or(numbered), rating) {
        (Some((_, elo)), _) => Ok(*elo),
        (None, Some(rating)) => Ok(Some(rating)),
        (None, None) => Err(format!(
            "level: expected {}, a number from 1 to {}, or a rating from {} to {}, got {}",
            names.join(", "),
            LEVELS.len(),
            RATINGS.start(),
            RATINGS.end(),
            quote(text)
        )),
    }
}

/// The level of a rating as text.
pub fn level_name(elo: Option<u32>) -> String {
    let name = LEVELS.iter().find(|(_, rating)| *rating == elo).map_or("rating", |(name, _)| *name);
    elo.map_or_else(|| "full strength".into(), |elo| format!("{name} (about {elo})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_is_a_name_a_number_or_a_rating() {
        for (text, expected) in [
            ("beginner", Ok(Some(800))),
            ("Club", Ok(Some(1800))),
            ("1", Ok(Some(800))),
            ("6", Ok(None)),
            ("full", Ok(None)),
            ("1500", Ok(Some(1500))),
        ] {
            assert_eq!(parse_level(text), expected, "{text}");
        }
        for text in ["0", "7", "799", "3191", "", "-1", "\u{0}"] {
            let error = parse_level(text).unwrap_err();
            assert!(error.starts_with("level: expected beginner, easy,") && !error.contains('\n'), "{error}");
        }
        assert_eq!(level_name(None), "full strength");
        assert_eq!(level_name(Some(1500)), "rating (about 1500)");
    }

    #[test]
    fn levels_of_the_play_page_are_those_of_the_terminal() {
        let page = include_str!("pages/play/levels.js");
        for (name, elo) in LEVELS {
            let limit = elo.map_or(String::new(), |elo| format!(", elo: {elo}"));
            let line = format!("{{ name: \"{name}\", limits: \"movetime 3000\"{limit} }},");
            assert!(page.contains(&line), "{line}");
        }
    }
}
