//! The strength limit `UCI_Elo`, by a node limit.

use super::limits::{Limits, Settings};
use super::params::{ELO_LIMIT_MIN, ELO_LIMIT_NODES, ELO_PER_DOUBLING};

/// Lowers the node limit to the strength that `settings` ask for. Fewer nodes make the search shallower,
/// which looks more natural than deliberate blunders.
pub fn apply_elo_limit(limits: &mut Limits, settings: &Settings) {
    if let Some(elo) = settings.elo {
        let doublings = f64::from(elo.saturating_sub(ELO_LIMIT_MIN)) / ELO_PER_DOUBLING;
        let nodes = (ELO_LIMIT_NODES * doublings.exp2()) as u64;
        limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
    }
}
