//! The atomics that search threads share. In a build for models (`--cfg loom`) they are those of the
//! model checker, which tries every order of events that the memory model allows.

#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

#[cfg(loom)]
pub use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
