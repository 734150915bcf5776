//! Playing weaker than possible.

use super::limits::{Limits, Settings};

/// Elo at which a limited engine looks at [`WEAKEST_NODES`].
const WEAKEST_ELO: u32 = 1320;
const WEAKEST_NODES: f64 = 40.0;
/// Elo that twice the nodes are worth at such numbers.
const ELO_PER_DOUBLING: f64 = 110.0;

/// Fewer nodes are the most natural weakness: shorter sight, but no move that is silly on purpose.
pub fn apply_elo_limit(limits: &mut Limits, settings: &Settings) {
    if let Some(elo) = settings.elo {
        let doublings = f64::from(elo.saturating_sub(WEAKEST_ELO)) / ELO_PER_DOUBLING;
        let nodes = (WEAKEST_NODES * doublings.exp2()) as u64;
        limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
    }
}
