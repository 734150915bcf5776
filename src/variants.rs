//! The list of games (variants). To add a game, add its module to `games/mod.rs` and a line to [`games!`](crate::games) below.
//! The layers above use games only through this list: [`with_game!`](crate::with_game) and its two relatives give generic code
//! the game that belongs to a name.

use crate::game::{GameOption, GameOptionKind, Notation};

/// The list of all games by their names, of those whose evaluation `duiyi tune` can fit, each with that evaluation, and of those
/// that a network can evaluate, each with the number of its cells. Each game is given by its start. Calls the macro `then` with it.
#[doc(hidden)]
#[macro_export]
macro_rules! games {
    ($then:ident $arguments:tt) => {
        $crate::variants::$then! {
            $arguments
            all {
                "chess": $crate::games::chess::Position::start();
                "tictactoe": $crate::games::tictactoe::TicTacToe::start(3);
                "tictactoe4": $crate::games::tictactoe::TicTacToe::start(4);
                "cfour": $crate::games::connect_four::ConnectFour::start();
                "trianglewar": $crate::games::triangle_war::TriangleWar::start();
                "gametree": $crate::games::tree::Tree::start();
                "gomokufreestyle": $crate::games::gomoku::Gomoku::start("gomokufreestyle");
                "gomoku": $crate::games::gomoku::Gomoku::start("gomoku");
                "gomokufreestyle20": $crate::games::gomoku::Gomoku::start("gomokufreestyle20");
                "gomoku20": $crate::games::gomoku::Gomoku::start("gomoku20");
                "renju": $crate::games::gomoku::Gomoku::start("renju");
                "xiangqi": $crate::games::xiangqi::Xiangqi::start();
                "go": $crate::games::go::Go::<6>::start();
                "smallgo": $crate::games::go::Go::<1>::start();
            }
            tunable {
                "chess": $crate::games::chess::Position::start(), $crate::games::chess::Classical;
                "xiangqi": $crate::games::xiangqi::Xiangqi::start(), $crate::games::xiangqi::HandWritten;
            }
            network {
                "chess": $crate::games::chess::Position::start(), 64;
                "xiangqi": $crate::games::xiangqi::Xiangqi::start(), 90;
                "go": $crate::games::go::Go::<6>::start(), 81;
                "gomokufreestyle": $crate::games::gomoku::Gomoku::start("gomokufreestyle"), 400;
                "gomoku": $crate::games::gomoku::Gomoku::start("gomoku"), 400;
                "gomokufreestyle20": $crate::games::gomoku::Gomoku::start("gomokufreestyle20"), 400;
                "gomoku20": $crate::games::gomoku::Gomoku::start("gomoku20"), 400;
                "renju": $crate::games::gomoku::Gomoku::start("renju"), 400;
            }
        }
    };
}

/// Evaluates an expression with the start of a game: `with_game!(name, |start| start.variant())`. Its type implements
/// [`Variant`](crate::game::Variant). The result is `Err` with an [`UnknownVariant`] if there is no game of that name.
#[macro_export]
macro_rules! with_game {
    ($name:expr, |$start:ident| $body:expr) => {
        $crate::games!(with_game ($name, $start, $body))
    };
    (($name:expr, $start:ident, $body:expr) all { $($variant:literal: $game:expr;)* } $($rest:tt)*) => {{
        let name: &str = $name;
        match name {
            $($variant => {
                let $start = $game;
                Ok($body)
            })*
            _ => Err($crate::variants::UnknownVariant { expected: $crate::variants::NAMES, found: name.into() }),
        }
    }};
}

/// As [`with_game!`](crate::with_game) for the games with a tunable evaluation: `with_tunable_game!(name, |start, T| ...)`, where
/// `T` implements [`Tunable`](crate::game::Tunable).
#[macro_export]
macro_rules! with_tunable_game {
    ($name:expr, |$start:ident, $T:ident| $body:expr) => {
        $crate::games!(with_tunable_game ($name, $start, $T, $body))
    };
    (($name:expr, $start:ident, $T:ident, $body:expr) all $all:tt
     tunable { $($variant:literal: $game:expr, $tunable:ty;)* } $($rest:tt)*) => {{
        let name: &str = $name;
        match name {
            $($variant => {
                let $start = $game;
                type $T = $tunable;
                Ok($body)
            })*
            _ => Err($crate::variants::UnknownVariant { expected: $crate::variants::TUNABLE, found: name.into() }),
        }
    }};
}

/// As [`with_game!`](crate::with_game) for the games that a network can evaluate: `with_network_game!(name, |start, CELLS| ...)`,
/// where the type of `start` implements [`Features<CELLS>`](crate::nnue::Features).
#[macro_export]
macro_rules! with_network_game {
    ($name:expr, |$start:ident, $CELLS:ident| $body:expr) => {
        $crate::games!(with_network_game ($name, $start, $CELLS, $body))
    };
    (($name:expr, $start:ident, $CELLS:ident, $body:expr) all $all:tt tunable $tunable:tt
     network { $($variant:literal: $game:expr, $cells:literal;)* }) => {{
        let name: &str = $name;
        match name {
            $($variant => {
                let $start = $game;
                const $CELLS: usize = $cells;
                Ok($body)
            })*
            _ => Err($crate::variants::UnknownVariant { expected: $crate::variants::NETWORK, found: name.into() }),
        }
    }};
}

pub use {with_game, with_network_game, with_tunable_game};

/// The lists of names and of options.
macro_rules! list_games {
    (() all { $($variant:literal: $game:expr;)* } tunable { $($tunable:literal: $tunable_game:expr, $evaluation:ty;)* }
     network { $($network:literal: $network_game:expr, $cells:literal;)* }) => {
        /// The names of all games: the values of the option `UCI_Variant`. The first is the default.
        pub const NAMES: &[&str] = &[$($variant),*];

        /// The names of the games with a tunable evaluation.
        pub const TUNABLE: &[&str] = &[$($tunable),*];

        /// The names of the games that a network can evaluate.
        pub const NETWORK: &[&str] = &[$($network),*];

        /// The options that games declare, each once.
        pub fn options() -> Vec<DeclaredOption> {
            let mut options: Vec<DeclaredOption> = Vec::new();
            $(add_options(|| $game, &mut options);)*
            options
        }
    };
}

use list_games;

games!(list_games());

/// Adds the options that the game `G` declares. The function to its start names the type; it is not called, because some starts
/// take milliseconds.
fn add_options<G: Notation>(_start: fn() -> G, options: &mut Vec<DeclaredOption>) {
    for &GameOption { name, kind, is_rule, .. } in G::OPTIONS {
        if options.iter().all(|option| option.name != name) {
            options.push(DeclaredOption { name, kind, is_rule });
        }
    }
}

/// There is no game of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}, got {found:?}", expected.join(", "))]
pub struct UnknownVariant {
    /// The valid names.
    pub expected: &'static [&'static str],
    /// The name found.
    pub found: String,
}

/// An option that one or more games declare ([`Notation::OPTIONS`]).
#[derive(Clone, Copy, Debug)]
pub struct DeclaredOption {
    /// The name.
    pub name: &'static str,
    /// What values it has.
    pub kind: GameOptionKind,
    /// Whether it is a rule: see [`GameOption::is_rule`].
    pub is_rule: bool,
}

/// The name of the default game of the server and the tools.
pub const DEFAULT: &str = NAMES[0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_game_of_every_name_has_that_game() {
        for name in NAMES {
            assert_eq!(with_game!(name, |start| start.variant()), Ok(*name));
        }
        let mut names = NAMES.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), NAMES.len());
    }

    #[test]
    fn with_game_of_unknown_name_lists_the_known_ones() {
        let error = with_game!("nonesuch", |start| start.variant()).unwrap_err().to_string();
        assert!(
            error.starts_with("expected chess, tictactoe,") && error.ends_with(", got \"nonesuch\""),
            "{error}"
        );
    }
}
