//! The list of games (variants), each with its evaluation. To add a game, add its module to `games/mod.rs` and a line to
//! `variants!` below. The layers above use games only through this list.

use crate::game::{Evaluator, GameOption, GameOptionKind, Heuristics, Notation, Tunable, Variant};
use crate::games::chess;
use crate::games::connect_four::ConnectFour;
use crate::games::gomoku::Gomoku;
use crate::games::tictactoe::TicTacToe;
use crate::games::tree::Tree;
use crate::games::triangle_war::TriangleWar;
use crate::games::xiangqi::{HandWritten, Xiangqi};
use crate::nnue::Features;

/// Code that is generic over the game; [`visit`] calls it with the types of a variant.
pub trait VariantVisitor {
    /// The type that [`Self::visit`] returns.
    type Output;

    /// Runs with the game `G` and its evaluation `E`.
    fn visit<G: Variant, E: Evaluator<G>>(self) -> Self::Output;
}

/// A [`VariantVisitor`] for games whose evaluation has weights that `duiyi tune` can fit.
pub trait TunableVisitor {
    /// The type that [`Self::visit`] returns.
    type Output;

    /// Runs with the game `G` and its tunable evaluation `T`.
    fn visit<G: Heuristics + Notation, T: Tunable<G>>(self) -> Self::Output;
}

/// A [`VariantVisitor`] for games whose positions a network can evaluate.
pub trait NetworkVisitor {
    /// The type that [`Self::visit`] returns.
    type Output;

    /// Runs with the game `G`, whose board has `CELLS` cells, and its evaluation `E`.
    fn visit<G, E, const CELLS: usize>(self) -> Self::Output
    where
        G: Variant + Features<CELLS>,
        E: Evaluator<G>;
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

macro_rules! variants {
    (all { $($game:ty;)* } tunable { $($tunable_game:ty, $tunable:ty;)* }
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

        /// Calls `visitor` with the game `name`.
        ///
        /// # Errors
        /// If there is no game of that name.
        pub fn visit<V: VariantVisitor>(name: &str, visitor: V) -> Result<V::Output, UnknownVariant> {
            $(if name == <$game as Notation>::VARIANT {
                return Ok(visitor.visit::<$game, <$game as Variant>::Evaluator>());
            })*
            Err(UnknownVariant { expected: NAMES, found: name.into() })
        }

        /// Calls `visitor` with the game `name` and its tunable evaluation.
        ///
        /// # Errors
        /// If there is no game of that name with a tunable evaluation.
        pub fn visit_tunable<V: TunableVisitor>(name: &str, visitor: V) -> Result<V::Output, UnknownVariant> {
            $(if name == <$tunable_game as Notation>::VARIANT {
                return Ok(visitor.visit::<$tunable_game, $tunable>());
            })*
            Err(UnknownVariant { expected: TUNABLE, found: name.into() })
        }

        /// Calls `visitor` with the game `name`, which a network can evaluate.
        ///
        /// # Errors
        /// If there is no game of that name that a network can evaluate.
        pub fn visit_network<V: NetworkVisitor>(name: &str, visitor: V) -> Result<V::Output, UnknownVariant> {
            $(if name == <$network_game as Notation>::VARIANT {
                return Ok(visitor.visit::<$network_game, <$network_game as Variant>::Evaluator, $cells>());
            })*
            Err(UnknownVariant { expected: NETWORK, found: name.into() })
        }
    };
}

variants! {
    all {
        chess::Position;
        TicTacToe<3>;
        TicTacToe<4>;
        ConnectFour;
        TriangleWar;
        Tree;
        Gomoku<15, false>;
        Gomoku<15, true>;
        Gomoku<20, false>;
        Gomoku<20, true>;
        Xiangqi;
    }
    tunable {
        chess::Position, chess::Classical;
        Xiangqi, HandWritten;
    }
    network {
        chess::Position, 64;
    }
}

/// The name of the default game of the server and the tools.
pub const DEFAULT: &str = NAMES[0];

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl VariantVisitor for Name {
        type Output = &'static str;

        fn visit<G: Variant, E: Evaluator<G>>(self) -> &'static str {
            G::VARIANT
        }
    }

    #[test]
    fn visit_every_name_calls_visitor_with_that_game() {
        for name in NAMES {
            assert_eq!(visit(name, Name), Ok(*name));
        }
        let mut names = NAMES.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), NAMES.len());
    }

    #[test]
    fn visit_unknown_name_lists_the_known_ones() {
        let error = visit("nonesuch", Name).unwrap_err().to_string();
        assert!(
            error.starts_with("expected chess, tictactoe,") && error.ends_with(", got \"nonesuch\""),
            "{error}"
        );
    }
}
