//! The page of `duiyi analyse --html`.

use super::review::{Mark, Player, Review};
use super::{Input, Record, SearchArgs};
use crate::game::Opening;
use crate::tools::pages::Page;
use serde::Serialize;

/// The data of a page. The games follow one by one, so that the page shows its index before the browser has read them.
#[derive(Serialize)]
pub struct PageData<'a> {
    pub variant: &'static str,
    /// The names of the sides.
    pub sides: [&'static str; 2],
    /// The scores in one unit that people read: 100 in chess, where values are centipawns.
    pub unit: i32,
    pub settings: &'a SearchArgs,
    #[serde(skip)]
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

/// The data that a page needs at once.
#[derive(Serialize)]
struct Head<'a> {
    #[serde(flatten)]
    data: &'a PageData<'a>,
    index: Vec<IndexRow<'a>>,
}

#[derive(Serialize)]
struct IndexRow<'a> {
    players: [&'a str; 2],
    result: &'a str,
    plies: usize,
    /// In per cent; `None` for a player without moves.
    accuracy: [Option<f64>; 2],
    blunders: [u32; 2],
    opening: Option<&'a Opening>,
}

impl<'a> From<&'a Review> for IndexRow<'a> {
    fn from(review: &'a Review) -> Self {
        let [white, black] = &review.players;
        let accuracy = |player: &Player| (player.total.moves > 0).then(|| player.total.accuracy());
        let blunders = |player: &Player| player.total.marks[Mark::Blunder as usize];
        IndexRow {
            players: [&white.name, &black.name],
            result: &review.result,
            plies: review.positions.len() - 1,
            accuracy: [accuracy(white), accuracy(black)],
            blunders: [blunders(white), blunders(black)],
            opening: review.opening.as_ref(),
        }
    }
}

/// The page of the games in these files, as HTML.
///
/// # Errors
/// If the data cannot be written as JSON.
pub fn html(inputs: &[Input], data: &PageData<'_>) -> serde_json::Result<String> {
    let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
    let scripts = [
        include_str!("../pages/elements.js"),
        include_str!("../pages/pieces.js"),
        include_str!("../pages/boards.js"),
        include_str!("../pages/charts.js"),
        include_str!("../pages/analysis.js"),
    ];
    let index = data.games.iter().map(|game| game.review.into()).collect();
    let title = format!("Analysis of {}", names.join(", "));
    Page { title: &title, body: include_str!("../pages/analysis.html"), scripts: &scripts }
        .html(&Head { data, index }, &data.games)
}
