//! The engine in a browser's page: its rules as answers in JSON, and the functions between page and engine.
//!
//! The page runs two instances of the library. One answers questions about rules ([`answer()`]) at once, the other searches in a
//! worker and speaks UCI ([`crate::server::InlineServer`]). `docs/play.md` describes both.

mod answer;
#[cfg(target_family = "wasm")]
mod host;

pub use answer::answer;
