//! The atomics that search threads share. With `--cfg loom` they are those of the model checker `loom`, which
//! tries all interleavings that the memory model allows.

#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

#[cfg(loom)]
pub use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
