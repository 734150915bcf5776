//! Why a network cannot be used.

/// A file is no network that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The checksum is wrong.
    #[error("expected checksum {expected:08x}, found {found:08x}: the file is damaged")]
    Checksum {
        /// The checksum of the bytes.
        expected: u32,
        /// The checksum in the file.
        found: u32,
    },
    /// The memory for this number of weights cannot be allocated.
    #[error("no memory for {0} weights")]
    Memory(usize),
    /// What was expected, and what was found in its place.
    #[error("expected {0}")]
    Other(String),
}

impl NetworkError {
    /// The error for weights so large that a sum could overflow.
    pub fn overflow(what: &str, limit: i32, found: i32) -> NetworkError {
        NetworkError::Other(format!("at most {limit} for the largest {what}, found {found}"))
    }
}
