//! Iterations that repeat the lines of an earlier one. In a dead draw, a search with `MultiPV` 256 would otherwise send
//! 10,000 lines at once.

use crate::search::{IterationReport, PvLine};

/// Holds back repetitions until the search has doubled its nodes, or has ended.
#[derive(Debug, Default)]
pub struct RepeatFilter {
    sent: Option<IterationReport>,
    /// The text of the last iteration, if it was held back.
    held: Option<String>,
}

impl RepeatFilter {
    /// Returns the `text` of `iteration` if it is to be sent now. Iterations of one line always are.
    pub fn filter(&mut self, iteration: &IterationReport, text: String) -> Option<String> {
        let repeats = |sent: &IterationReport| {
            iteration.nodes < 2 * sent.nodes
                && iteration.lines.len() > 1
                && iteration.lines.len() == sent.lines.len()
                && iteration.lines.iter().zip(&sent.lines).all(|(line, old)| has_same_moves(line, old))
        };
        if self.sent.as_ref().is_some_and(repeats) {
            self.held = Some(text);
            return None;
        }
        *self = RepeatFilter { sent: Some(iteration.clone()), held: None };
        Some(text)
    }

    /// At the end of a search: returns the text of its last iteration if that was held back.
    pub fn finish(&mut self) -> Option<String> {
        std::mem::take(self).held
    }
}

/// Whether both lines have the same score and moves.
fn has_same_moves(line: &PvLine, other: &PvLine) -> bool {
    (line.score, line.bound, &line.pv) == (other.score, other.bound, &other.pv)
}
