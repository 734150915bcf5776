//! Annotated PGN games: evaluations, marks for bad moves, and better lines.

use super::report::Summary;
use super::review::{PlayedMove, Review, white_text};
use super::{Analysed, PositionRecord, Sink};
use crate::game::{Notation, Side};
use crate::tools::files::NewFile;
use crate::tools::pgn::{Game, MovetextWriter, move_text};

/// The expected result that a move must lose for the remark that another move was better: half of the first mark.
/// From an even position about 27 centipawns. A smaller loss is within what the next search changes anyway.
const REMARK_THRESHOLD: f64 = 0.025;

/// Maximum length of a better line, in plies.
const LINE_PLIES: usize = 8;

/// The file of `--pgn`.
pub struct AnnotatedGames<'a>(pub NewFile<'a>);

impl<G: Notation> Sink<G> for AnnotatedGames<'_> {
    fn finish(self: Box<Self>, items: &[Analysed<'_, G>], _: &Summary) -> anyhow::Result<()> {
        let games = items.iter().filter_map(|item| match item {
            Analysed::Game { game, review, records } => Some(annotated(game, review, records)),
            Analysed::Problem(_) => None,
        });
        self.0.finish(games.collect::<String>().as_bytes())
    }
}

/// The annotated game as PGN. `records` has one record for each position of the game.
fn annotated<G: Notation>(game: &Game<G>, review: &Review, records: &[PositionRecord]) -> String {
    let mut tags: Vec<_> = game.tags.iter().filter(|(name, _)| name != "Annotator").cloned().collect();
    if let Some(opening) = &review.opening {
        let missing = |name: &str| !game.tags.iter().any(|(known, _)| known == name);
        let named = [("ECO", &opening.eco), ("Opening", &opening.name)];
        tags.extend(
            named
                .iter()
                .filter(|(tag, _)| missing(tag))
                .map(|(tag, text)| (tag.to_string(), text.to_string())),
        );
    }
    tags.push(("Annotator".into(), format!("Duiyi {}", env!("CARGO_PKG_VERSION"))));
    let (mut writer, mut position) = (MovetextWriter::new(&tags), game.start.clone());
    let played = review.positions.iter().filter_map(|position| position.played.as_ref());
    for ((&mv, pair), &PlayedMove { expected_lost, mark, book, .. }) in
        game.moves.iter().zip(records.windows(2)).zip(played)
    {
        let (side, number) = (position.side_to_move(), writer.number());
        let (text, mut after) = (move_text(&game.tags, &position, mv), position.clone());
        after.play(mv);
        let next = after.side_to_move();
        writer.play(side, &text, next);
        if let Some(mark) = mark {
            writer.word(mark.nag());
        }
        let mut comment = comment::<G>(pair, next, side, expected_lost >= REMARK_THRESHOLD);
        if book {
            comment += " book";
        }
        if !comment.is_empty() {
            writer.comment(&comment);
        }
        if mark.is_some()
            && let Some(line) = pair[0].lines.first()
        {
            writer.variation(&moves(&position, &line.pv), number);
        }
        position = after;
    }
    writer.finish(&game.result)
}

/// The comment on a move: the value after it as `[%eval VALUE,DEPTH]`, which GUIs read, and the better move
/// if `remark`. `pair` has the records before and after the move of `side`; `next` is the side to move after it.
fn comment<G: Notation>(pair: &[PositionRecord], next: Side, side: Side, remark: bool) -> String {
    let value = |record: &PositionRecord, side: Side| {
        record.lines.first().and_then(|line| white_text(line.score, G::SCORE_UNIT, side))
    };
    let depth = pair[1].stats.depth;
    let eval = value(&pair[1], next).map_or(String::new(), |value| format!("[%eval {value},{depth}]"));
    match (&pair[0].best, value(&pair[0], side)) {
        (Some(best), Some(value)) if remark => format!("{eval} {best} was better: {value}"),
        _ => eval,
    }
}

/// The first moves of a line from `position`, each with its side.
fn moves<G: Notation>(position: &G, line: &[String]) -> Vec<(Side, String)> {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for san in line.iter().take(LINE_PLIES) {
        let Ok(mv) = position.parse_san(san) else { break };
        moves.push((position.side_to_move(), san.clone()));
        position.play(mv);
    }
    moves
}
