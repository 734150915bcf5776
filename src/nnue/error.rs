//! Why a network cannot be used.

use super::limits::{LANES, MAX_SCALE, MAX_WIDTH, VERSION};

/// A file is no network that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The game has no evaluation by a network.
    #[error("expected a game whose evaluation can use a network")]
    Unsupported,
    /// The file does not begin as the file of a network does.
    #[error("expected a network file, found other bytes at its start")]
    Magic,
    /// The file has a newer format.
    #[error("expected format version {VERSION}, found {0}")]
    Version(u16),
    /// The checksum is wrong.
    #[error("expected checksum {expected:08x}, found {found:08x}: the file is damaged")]
    Checksum {
        /// The checksum of the bytes.
        expected: u32,
        /// The checksum in the file.
        found: u32,
    },
    /// The file ends too early or too late.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// What the numbers at the start of the file demand.
        expected: usize,
        /// The length of the file.
        found: usize,
    },
    /// The text is not valid.
    #[error("expected a text of two lines in UTF-8")]
    Text,
    /// The width is none that a network can have.
    #[error("expected a width that is a multiple of {LANES}, at most {MAX_WIDTH}, found {0}")]
    Width(usize),
    /// The scale is none that an evaluation can have.
    #[error("expected a scale from 1 to {MAX_SCALE}, found {0}")]
    Scale(i32),
    /// A size differs from what the program uses.
    #[error("expected {expected} {what}, found {found}")]
    Size {
        /// What is counted.
        what: &'static str,
        /// The number that the program uses.
        expected: usize,
        /// The number in the file.
        found: usize,
    },
    /// The network belongs to another game.
    #[error("expected a network for {expected}, found one for {found:?}")]
    Variant {
        /// The game of the session.
        expected: String,
        /// The game of the network.
        found: String,
    },
    /// Some weights are so large that a sum could overflow.
    #[error("expected at most {limit} for the largest {what}, found {found}")]
    Overflow {
        /// What could overflow.
        what: &'static str,
        /// The largest allowed value.
        limit: i32,
        /// The value found.
        found: i32,
    },
}
