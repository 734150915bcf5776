//! Textbook algorithms: minimax, negamax, alpha-beta and memoised search, short and exact. Tests compare `search` with them.
//!
//! Names in capitals (ACTIONS, RESULT, UTILITY, ...) are those of Russell and Norvig, "Artificial
//! Intelligence: A Modern Approach"; [`Game`](crate::game::Game) maps them to methods.
//!
//! All algorithms compute the depth-limited minimax value of the root. They differ in the nodes that they
//! visit. [`Searcher`] holds their common parts, each algorithm has its own file, [`Method`] lists them, and
//! [`Order`] lists the move orders. This layer depends on no particular game, protocol or clock.
//!
//! # Examples
//!
//! Solves a tree with minimax and with alpha-beta, which skips two leaves:
//!
//! ```
//! use duiyi::game::{Depth, Notation, Score};
//! use duiyi::games::tree::{EstimateEval, Tree};
//! use duiyi::textbook::{Method, Order, Searcher};
//!
//! let tree = Tree::start().parse_position("MAX A(B(D=9 E=7 F=8) C(G=2 H=11 I=5))").unwrap().game;
//! for (method, leaves) in [(Method::Minimax, 6), (Method::AlphaBetaSoft, 4)] {
//!     let mut never = |_nodes: u64| false;
//!     let mut searcher =
//!         Searcher::<_, EstimateEval>::new(tree.clone(), method, Order::Natural, &mut never);
//!     let iteration = searcher.search(Depth::new(2)).unwrap();
//!     assert_eq!(iteration.value, Score::new(7));
//!     assert_eq!(tree.move_text(iteration.pv[0]), "B");
//!     assert_eq!(iteration.counts.leaves, leaves);
//! }
//! ```

mod alpha_beta;
mod alpha_beta_max_min;
mod memo_table;
mod memoised;

mod minimax;
mod negamax;
mod observer;
mod order;
mod searcher;

pub use observer::{Leaf, Observer, Step};
pub use order::Order;
pub use searcher::{Iteration, SearchCounts, Searcher, Stopped};

/// The search algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Minimax as two functions, MAX and MIN, with values relative to White.
    Minimax,
    /// Minimax as one function with the node type as a parameter, with values relative to White.
    MinimaxSingleFunction,
    /// Negamax: one function, with values relative to the side to move.
    Negamax,
    /// Alpha-beta as two functions, MAX-VALUE and MIN-VALUE, fail-hard: values are clamped to the window.
    MaxMinHard,
    /// Alpha-beta as two functions, MAX-VALUE and MIN-VALUE, fail-soft: values may lie outside the window.
    MaxMinSoft,
    /// Alpha-beta as negamax, fail-hard: values are clamped to the window.
    AlphaBetaHard,
    /// Alpha-beta as negamax, fail-soft: values may lie outside the window.
    AlphaBetaSoft,
    /// Negamax with memoisation: each position is searched once to each depth.
    Memoised,
}

impl Method {
    /// All methods, the simplest first.
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

    /// Returns the method's name, without blanks.
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

    /// Whether values and bounds are relative to White; otherwise they are relative to the side to move.
    pub const fn is_white_relative(self) -> bool {
        use Method::{MaxMinHard, MaxMinSoft, Minimax, MinimaxSingleFunction};
        matches!(self, Minimax | MinimaxSingleFunction | MaxMinHard | MaxMinSoft)
    }

    /// Returns the method with this name or alias, if any: `alphabeta` and `alpha-beta` mean `alphabeta-soft`, `memoized` means
    /// `memoised`. Case does not matter.
    pub fn named(name: &str) -> Option<Method> {
        let name = name.to_ascii_lowercase();
        let name = match name.as_str() {
            "alphabeta" | "alpha-beta" => Method::AlphaBetaSoft.name(),
            "memoized" => Method::Memoised.name(),
            name => name,
        };
        Method::ALL.into_iter().find(|method| method.name() == name)
    }
}
