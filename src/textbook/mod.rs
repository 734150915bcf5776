//! The searches of the textbooks: exact, short enough to teach from, and the oracle that `search` is
//! tested against. Knows no particular game, no engine, no text and no clock.
//!
//! All of them compute the same number, the depth-limited minimax value of the root, and differ in what
//! they visit on the way. [`Searcher`] holds what they share; each method is a file of its own:
//! [`Method`] names them, [`Order`] says in which order they try the moves.

mod alpha_beta;
mod alpha_beta_max_min;
mod memoised;
mod memory;
mod minimax;
mod negamax;
mod observer;
mod order;
mod searcher;

pub use observer::{Leaf, Observer, Step};
pub use order::Order;
pub use searcher::{Counts, Iteration, Searcher, Stopped};

/// The methods of this layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Two functions, Max and Min, values seen by White.
    Minimax,
    /// The same as one function that is told the type of its node.
    MinimaxSingleFunction,
    /// One function, values seen by the side to move.
    Negamax,
    /// MAX-VALUE and MIN-VALUE with alpha and beta; a value outside the window is returned as its bound.
    MaxMinHard,
    /// MAX-VALUE and MIN-VALUE with alpha and beta; the best value found is returned.
    MaxMinSoft,
    /// Negamax with the window (-beta, -alpha); a value outside the window is returned as its bound.
    AlphaBetaHard,
    /// Negamax with the window (-beta, -alpha); the best value found is returned.
    AlphaBetaSoft,
    /// Negamax that never searches a position twice to the same depth.
    Memoised,
}

impl Method {
    /// Every method, the plainest first.
    pub const ALL: [Method; 8] = [
        Method::Minimax,
        Method::MinimaxSingleFunction,
        Method::Negamax,
        Method::MaxMinHard,
        Method::MaxMinSoft,
        Method::AlphaBetaHard,
        Method::AlphaBetaSoft,
        Method::Memoised,
    ];

    /// Its name, without blanks.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Minimax => "minimax",
            Method::MinimaxSingleFunction => "minimax-typed",
            Method::Negamax => "negamax",
            Method::MaxMinHard => "maxmin-hard",
            Method::MaxMinSoft => "maxmin-soft",
            Method::AlphaBetaHard => "alphabeta-hard",
            Method::AlphaBetaSoft => "alphabeta-soft",
            Method::Memoised => "memoised",
        }
    }

    /// Whether its values and bounds are seen by White, and not by the side to move.
    pub const fn is_white_relative(self) -> bool {
        use Method::{MaxMinHard, MaxMinSoft, Minimax, MinimaxSingleFunction};
        matches!(self, Minimax | MinimaxSingleFunction | MaxMinHard | MaxMinSoft)
    }

    /// The method of that name.
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }
}
