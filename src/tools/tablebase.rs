//! Endgame tables from directories: the option `SyzygyPath` and the argument `--syzygy`.

use crate::data::table_files;
use crate::game::{Tablebase, Variant};
use std::sync::Arc;

/// Opens the endgame tables of the game of `position` in the directories of `list`. Returns them, if there are any, and lines for the
/// user: what was found, and what cannot be used.
pub fn open_tablebase<G: Variant>(position: &G, list: &str) -> (Option<Arc<dyn Tablebase<G>>>, Vec<String>) {
    let (files, mut lines) = table_files(list);
    let Some(tablebase) = G::open_tablebase(&files) else {
        return (None, vec![format!("{} has no endgame tables, searching without them", position.variant())]);
    };
    lines.extend(tablebase.take_problems());
    match tablebase.summary() {
        Some(summary) => {
            lines.push(format!("found {summary}"));
            (Some(tablebase), lines)
        }
        None => {
            lines.push(format!(
                "expected endgame tables such as KQvK.rtbw, found none in {list}, searching without them"
            ));
            (None, lines)
        }
    }
}
