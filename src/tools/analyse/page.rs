//! The page of `duiyi analyse --html`.

use super::review::{Player, Review};
use super::{Input, Record, SearchArgs};
use crate::tools::pages::Page;
use serde::Serialize;

/// The data of a page.
#[derive(Serialize)]
pub struct PageData<'a> {
    pub variant: &'static str,
    /// The scores in one unit that people read: 100 in chess, where values are centipawns.
    pub unit: i32,
    pub settings: &'a SearchArgs,
    pub games: Vec<PageGame<'a>>,
    /// The players over all games.
    pub players: &'a [Player],
}

/// A game of a page: its review and its records.
#[derive(Serialize)]
pub struct PageGame<'a> {
    #[serde(flatten)]
    pub review: &'a Review,
    pub records: &'a [Record],
}

/// The page of the games in these files, as HTML.
///
/// # Errors
/// If the data cannot be written as JSON.
pub fn html(inputs: &[Input], data: &PageData<'_>) -> serde_json::Result<String> {
    let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
    let scripts = [
        include_str!("../pages/elements.js"),
        include_str!("../pages/boards.js"),
        include_str!("../pages/charts.js"),
        include_str!("../pages/analysis.js"),
    ];
    let title = format!("Analysis of {}", names.join(", "));
    Page { title: &title, body: include_str!("../pages/analysis.html"), scripts: &scripts }.html(data)
}
