//! The page of `duiyi analyse --html`.

use super::report::Summary;
use super::review::{Mark, Player, Review};
use super::{Analysed, Input, PositionRecord, SearchArgs, Sink};
use crate::game::{Notation, OpeningName};
use crate::tools::files::NewFile;
use crate::tools::pages::Page;
use serde::Serialize;

/// The file of `--html`.
pub struct AnalysisPage<'a> {
    pub file: NewFile<'a>,
    pub inputs: &'a [Input],
    pub variant: &'static str,
    pub settings: &'a SearchArgs,
}

#[derive(Serialize)]
struct PageGame<'a> {
    #[serde(flatten)]
    review: &'a Review,
    records: &'a [PositionRecord],
}

/// The data that a page needs at once. The games follow one by one, so that the page shows its index before the browser has
/// read them.
#[derive(Serialize)]
struct Head<'a> {
    variant: &'static str,
    /// The names of the sides.
    sides: [&'static str; 2],
    /// The scores in one unit that people read: 100 in chess, where values are centipawns.
    unit: i32,
    settings: &'a SearchArgs,
    /// The players over all games.
    players: &'a [Player],
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
    opening: Option<&'a OpeningName>,
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

impl<G: Notation> Sink<G> for AnalysisPage<'_> {
    fn finish(self: Box<Self>, items: &[Analysed<'_, G>], summary: &Summary) -> anyhow::Result<()> {
        let games = items.iter().filter_map(|item| match item {
            Analysed::Game { review, records, .. } => Some(PageGame { review, records }),
            Analysed::Problem(_) => None,
        });
        let games = games.collect::<Vec<_>>();
        let head = Head {
            variant: self.variant,
            sides: G::SIDE_NAMES,
            unit: G::SCORE_UNIT,
            settings: self.settings,
            players: &summary.players,
            index: games.iter().map(|game| game.review.into()).collect(),
        };
        let names: Vec<&str> = self.inputs.iter().map(|input| input.name.as_str()).collect();
        let scripts = [
            include_str!("../pages/elements.js"),
            include_str!("../pages/analysis_texts.js"),
            include_str!("../pages/language.js"),
            include_str!("../pages/pieces.js"),
            include_str!("../pages/boards.js"),
            include_str!("../pages/charts.js"),
            include_str!("../pages/analysis.js"),
        ];
        let title = format!("Analysis of {}", names.join(", "));
        let page = Page { title: &title, body: include_str!("../pages/analysis.html"), scripts: &scripts };
        self.file.finish(page.html(&head, &games)?.as_bytes())
    }
}
