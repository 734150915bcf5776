//! The list of games (variants). To add a game, add its module to `games/mod.rs` and a line to [`games!`](crate::games) below.
//! The layers above use games only through this list: [`with_game!`](crate::with_game) and its two relatives give generic code
//! the type that belongs to a name.

use crate::game::{GameOption, GameOptionKind, Notation};

/// The list of all games, of those whose evaluation `duiyi tune` can fit, each with that evaluation, and of those that a network
/// can evaluate, each with the number of its cells. Calls the macro `then` with it.
#[doc(hidden)]
#[macro_export]
macro_rules! games {
    ($then:ident $arguments:tt) => {
        $crate::variants::$then! {
            $arguments
            all {
                $crate::games::chess::Position;
                $crate::games::tictactoe::TicTacToe<3>;
                $crate::games::tictactoe::TicTacToe<4>;
                $crate::games::connect_four::ConnectFour;
                $crate::games::triangle_war::TriangleWar;
                $crate::games::tree::Tree;
                $crate::games::gomoku::Gomoku<15, false>;
                $crate::games::gomoku::Gomoku<15, true>;
                $crate::games::gomoku::Gomoku<20, false>;
                $crate::games::gomoku::Gomoku<20, true>;
                $crate::games::xiangqi::Xiangqi;
                $crate::games::go::Go<6>;
                $crate::games::go::Go<1>;
            }
            tunable {
                $crate::games::chess::Position, $crate::games::chess::Classical;
                $crate::games::xiangqi::Xiangqi, $crate::games::xiangqi::HandWritten;
            }
            network {
                $crate::games::chess::Position, 64;
                $crate::games::xiangqi::Xiangqi, 90;
                $crate::games::go::Go<6>, 81;
                $crate::games::gomoku::Gomoku<15, false>, 400;
                $crate::games::gomoku::Gomoku<15, true>, 400;
                $crate::games::gomoku::Gomoku<20, false>, 400;
                $crate::games::gomoku::Gomoku<20, true>, 400;
            }
        }
    };
}

/// Evaluates an expression with the type of a game: `with_game!(name, |G| G::VARIANT)`. The type implements
/// [`Variant`](crate::game::Variant). The result is `Err` with an [`UnknownVariant`] if there is no game of that name.
#[macro_export]
macro_rules! with_game {
    ($name:expr, |$G:ident| $body:expr) => {
        $crate::games!(with_game ($name, $G, $body))
    };
    (($name:expr, $G:ident, $body:expr) all { $($game:ty;)* } $($rest:tt)*) => {
        'found: {
            let name: &str = $name;
            $(if name == <$game as $crate::game::Notation>::VARIANT {
                type $G = $game;
                break 'found Ok($body);
            })*
            Err($crate::variants::UnknownVariant::new($crate::variants::NAMES, name))
        }
    };
}

/// As [`with_game!`](crate::with_game) for the games with a tunable evaluation: `with_tunable_game!(name, |G, T| ...)`, where `T`
/// implements [`Tunable<G>`](crate::game::Tunable).
#[macro_export]
macro_rules! with_tunable_game {
    ($name:expr, |$G:ident, $T:ident| $body:expr) => {
        $crate::games!(with_tunable_game ($name, $G, $T, $body))
    };
    (($name:expr, $G:ident, $T:ident, $body:expr) all $all:tt
     tunable { $($game:ty, $tunable:ty;)* } $($rest:tt)*) => {
        'found: {
            let name: &str = $name;
            $(if name == <$game as $crate::game::Notation>::VARIANT {
                type $G = $game;
                type $T = $tunable;
                break 'found Ok($body);
            })*
            Err($crate::variants::UnknownVariant::new($crate::variants::TUNABLE, name))
        }
    };
}

/// As [`with_game!`](crate::with_game) for the games that a network can evaluate: `with_network_game!(name, |G, CELLS| ...)`,
/// where `G` implements [`Features<CELLS>`](crate::nnue::Features).
#[macro_export]
macro_rules! with_network_game {
    ($name:expr, |$G:ident, $CELLS:ident| $body:expr) => {
        $crate::games!(with_network_game ($name, $G, $CELLS, $body))
    };
    (($name:expr, $G:ident, $CELLS:ident, $body:expr) all $all:tt tunable $tunable:tt
     network { $($game:ty, $cells:literal;)* }) => {
        'found: {
            let name: &str = $name;
            $(if name == <$game as $crate::game::Notation>::VARIANT {
                type $G = $game;
                const $CELLS: usize = $cells;
                break 'found Ok($body);
            })*
            Err($crate::variants::UnknownVariant::new($crate::variants::NETWORK, name))
        }
    };
}

pub use {with_game, with_network_game, with_tunable_game};

/// The lists of names and of options.
macro_rules! list_games {
    (() all { $($game:ty;)* } tunable { $($tunable_game:ty, $tunable:ty;)* }
     network { $($network_game:ty, $cells:literal;)* }) => {
        /// The names of all games: the values of the option `UCI_Variant`. The first is the default.
        pub const NAMES: &[&str] = &[$(<$game as Notation>::VARIANT),*];

        /// The names of the games with a tunable evaluation.
        pub const TUNABLE: &[&str] = &[$(<$tunable_game as Notation>::VARIANT),*];

        /// The names of the games that a network can evaluate.
        pub const NETWORK: &[&str] = &[$(<$network_game as Notation>::VARIANT),*];

        /// The options that games declare, each once.
        pub fn options() -> Vec<DeclaredOption> {
            let mut options: Vec<DeclaredOption> = Vec::new();
            $(for &GameOption { name, kind, is_rule, .. } in <$game as Notation>::OPTIONS {
                if options.iter().all(|option| option.name != name) {
                    options.push(DeclaredOption { name, kind, is_rule });
                }
            })*
            options
        }
    };
}

use list_games;

games!(list_games());

/// There is no game of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}, got {found:?}", expected.join(", "))]
pub struct UnknownVariant {
    /// The valid names.
    pub expected: &'static [&'static str],
    /// The name found.
    pub found: String,
}

impl UnknownVariant {
    /// The error for `found`, which is none of `expected`.
    pub fn new(expected: &'static [&'static str], found: &str) -> UnknownVariant {
        UnknownVariant { expected, found: found.into() }
    }
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
            assert_eq!(with_game!(name, |G| G::VARIANT), Ok(*name));
        }
        let mut names = NAMES.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), NAMES.len());
    }

    #[test]
    fn with_game_of_unknown_name_lists_the_known_ones() {
        let error = with_game!("nonesuch", |G| G::VARIANT).unwrap_err().to_string();
        assert!(
            error.starts_with("expected chess, tictactoe,") && error.ends_with(", got \"nonesuch\""),
            "{error}"
        );
    }
}
