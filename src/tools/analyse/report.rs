//! The output of `duiyi analyse`: the table or the JSON records, and the summary.

use super::problem::ProblemResult;
use super::review::{Player, Review, white_text};
use super::{Analysed, PositionRecord, RecordOf, SearchStats, Sink, score_text};
use crate::game::{Notation, OpeningName, Side};
use crate::tools::printable;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The results of all problems and games.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    /// Number of lines and games that could not be read.
    skipped: usize,
    kinds: BTreeMap<String, Count>,
    /// The problems by name without its final number.
    groups: BTreeMap<String, Count>,
    /// Medians of depth, nodes and time to the solution, over the solved problems.
    median: Option<SearchStats>,
    pub players: Vec<Player>,
    #[serde(skip)]
    solutions: Vec<SearchStats>,
}

/// The results of a group of problems.
#[derive(Debug, Default, Serialize)]
struct Count {
    problems: u32,
    #[serde(rename = "asked")]
    with_solution: u32,
    solved: u32,
    points: u32,
    #[serde(rename = "points_most")]
    max_points: u32,
}

impl Count {
    fn add(&mut self, result: &ProblemResult) {
        self.problems += 1;
        self.with_solution += u32::from(result.solved.is_some());
        self.solved += u32::from(result.solved == Some(true));
        let (points, maximum) = result.points.unwrap_or((0, 0));
        self.points += points;
        self.max_points += maximum;
    }
}

impl Summary {
    /// A summary without results, for an input of which `skipped` lines and games could not be read.
    pub fn new(skipped: usize) -> Summary {
        Summary { skipped, ..Summary::default() }
    }

    /// Adds a problem, or the players of a game.
    pub fn add<G>(&mut self, item: &Analysed<'_, G>) {
        match item {
            Analysed::Problem(PositionRecord { source: RecordOf::Problem(result), .. }) => {
                self.kinds.entry(result.kind()).or_default().add(result);
                // "WAC.001" belongs to the group "WAC".
                let group = result.id.trim_end_matches(|c: char| c.is_ascii_digit());
                let group = group.trim_end_matches(['.', ' ', '#', '-']);
                self.groups.entry(group.into()).or_default().add(result);
                self.solutions.extend(result.solution);
            }
            Analysed::Problem(_) => {}
            Analysed::Game { review, .. } => {
                for player in &review.players {
                    match self.players.iter_mut().find(|other| other.name == player.name) {
                        Some(total) => total.add(player),
                        None => self.players.push(player.clone()),
                    }
                }
            }
        }
    }

    /// Computes the medians.
    pub fn end(&mut self) {
        self.median = self.median();
    }

    /// The median of each field, taken separately.
    fn median(&self) -> Option<SearchStats> {
        fn median_of<T: Ord + Copy>(all: &[SearchStats], field: fn(&SearchStats) -> T) -> Option<T> {
            let mut values: Vec<T> = all.iter().map(field).collect();
            values.sort_unstable();
            values.get(values.len().saturating_sub(1) / 2).copied()
        }
        let all = &self.solutions;
        let (depth, nodes) = (median_of(all, |stats| stats.depth)?, median_of(all, |stats| stats.nodes)?);
        Some(SearchStats { depth, nodes, ms: median_of(all, |stats| stats.ms)? })
    }
}

/// The table for people.
pub struct Table<'a> {
    out: &'a mut dyn Write,
    has_heading: bool,
}

impl<'a> Table<'a> {
    pub fn new(out: &'a mut dyn Write) -> Table<'a> {
        Table { out, has_heading: false }
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", printable(text.trim_end()))
    }

    /// Prints the result of a problem, below a heading.
    fn problem(&mut self, record: &PositionRecord, result: &ProblemResult) -> io::Result<()> {
        if !self.has_heading {
            self.has_heading = true;
            self.line(&format!(
                "{:<28} {:<20} {:<8} {:>7} {:>5} {:<8} {:>5} {:>10} {:>8}",
                "problem", "asked", "found", "score", "depth", "", "from", "nodes", "ms"
            ))?;
        }
        let name = if result.id.is_empty() { &record.at } else { &result.id };
        let best = record.best.as_deref().unwrap_or("-");
        let score = record.lines.first().map_or("-".into(), |line| score_text(line.score));
        let verdict = match (result.solved, result.points) {
            (_, Some((points, maximum))) => format!("{points}/{maximum}"),
            (Some(true), _) => "solved".into(),
            (Some(false), _) => "missed".into(),
            (None, _) => "".into(),
        };
        let solution = result.solution.map_or(String::new(), |SearchStats { depth, nodes, ms }| {
            format!("{depth:>5} {nodes:>10} {ms:>8}")
        });
        self.line(&format!(
            "{name:<28} {:<20} {best:<8} {score:>7} {:>5} {verdict:<8} {solution}",
            result.expected, record.stats.depth
        ))
    }

    /// Prints the moves of a game that have marks, then the results of its players.
    fn game<G: Notation>(&mut self, review: &Review, records: &[PositionRecord]) -> io::Result<()> {
        self.line(&format!("game {}, {}", review.game, review.at))?;
        if let Some(OpeningName { eco, name }) = &review.opening {
            self.line(&format!("{eco} {name}"))?;
        }
        for ply in 0..records.len() - 1 {
            if let Some(text) = judged_move::<G>(review, records, ply) {
                self.line(&text)?;
            }
        }
        self.line(&player_heading(""))?;
        review.players.iter().try_for_each(|player| self.line(&player_line(player)))
    }
}

/// The move `ply` of a game if it has a mark: its value for White, the best move and the value of that, as in
/// `22... Nxd2? +0.48, Qd6 was better -0.74`.
fn judged_move<G: Notation>(review: &Review, records: &[PositionRecord], ply: usize) -> Option<String> {
    let position = &review.positions[ply];
    let mark = position.played.as_ref()?.mark?;
    let RecordOf::Game { played: Some(played), .. } = &records[ply].source else { return None };
    let value = |ply: usize| {
        let (line, side) = (records[ply].lines.first()?, review.positions[ply].side);
        let text = white_text(line.score, G::SCORE_UNIT, side)?;
        Some(if text.starts_with(['-', '#']) { text } else { format!("+{text}") })
    };
    let dots = if position.side == Side::White { "." } else { "..." };
    let after = value(ply + 1).map_or(String::new(), |value| format!(" {value}"));
    let better = records[ply].best.as_ref().zip(value(ply));
    let better = better.map_or(String::new(), |(best, value)| format!(", {best} was better {value}"));
    Some(format!("{}{dots} {played}{}{after}{better}", position.number, mark.text()))
}

impl<G: Notation> Sink<G> for Table<'_> {
    fn item(&mut self, item: &Analysed<'_, G>) -> anyhow::Result<()> {
        match item {
            Analysed::Problem(record) => match &record.source {
                RecordOf::Problem(result) => self.problem(record, result)?,
                RecordOf::Game { .. } => {}
            },
            Analysed::Game { review, records, .. } => self.game::<G>(review, records)?,
        }
        Ok(())
    }

    fn finish(self: Box<Self>, _: &[Analysed<'_, G>], summary: &Summary) -> anyhow::Result<()> {
        Ok(print_summary(summary, self.out)?)
    }
}

/// JSON: the records as in the file of `--out`, the reviews of games and the summary, each a line.
pub struct JsonLines<'a>(pub &'a mut dyn Write);

impl<G> Sink<G> for JsonLines<'_> {
    fn record(&mut self, record: &PositionRecord) -> anyhow::Result<()> {
        Ok(json(record, self.0)?)
    }

    fn item(&mut self, item: &Analysed<'_, G>) -> anyhow::Result<()> {
        if let Analysed::Game { review, .. } = item {
            json(review, self.0)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>, _: &[Analysed<'_, G>], summary: &Summary) -> anyhow::Result<()> {
        Ok(json(&BTreeMap::from([("summary", summary)]), self.0)?)
    }
}

/// Prints a document as a line of JSON.
pub fn json(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(document)?)
}

fn player_heading(name: &str) -> String {
    format!("{name:<40} {:>6} {:>6} {:>9} {:>4} {:>4} {:>4}", "moves", "loss", "accuracy", "?!", "?", "??")
}

fn player_line(player: &Player) -> String {
    let [inaccuracies, mistakes, blunders] = player.total.marks;
    format!(
        "{:<40} {:>6} {:>6.1} {:>8.1}% {inaccuracies:>4} {mistakes:>4} {blunders:>4}",
        printable(&player.name),
        player.total.moves,
        player.total.mean_loss(),
        player.total.accuracy(),
    )
}

fn share(part: u32, all: u32) -> String {
    format!("{part} of {all} ({:.1} %)", 100.0 * f64::from(part) / f64::from(all.max(1)))
}

fn count_line(name: &str, count: &Count) -> String {
    let mut parts = Vec::new();
    if count.with_solution > 0 {
        parts.push(format!("solved {}", share(count.solved, count.with_solution)));
    }
    if count.max_points > 0 {
        parts.push(format!("points {}", share(count.points, count.max_points)));
    }
    if parts.is_empty() {
        parts.push(format!("{} positions", count.problems));
    }
    format!("{:<50} {}", printable(name), parts.join(", "))
}

fn print_summary(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    if summary.groups.len() > 1
        && summary.groups.len() * 2 <= summary.groups.values().map(|c| c.problems as usize).sum()
    {
        for (name, count) in &summary.groups {
            writeln!(out, "{}", count_line(name, count))?;
        }
        writeln!(out)?;
    }
    for (kind, count) in &summary.kinds {
        writeln!(out, "{}", count_line(kind, count))?;
    }
    if let Some(SearchStats { depth, nodes, ms }) = summary.median {
        writeln!(out, "{:<50} depth {depth}, {nodes} nodes, {ms} ms", "median to the solution")?;
    }
    if !summary.players.is_empty() {
        writeln!(out, "{}", player_heading("all games"))?;
    }
    for player in &summary.players {
        writeln!(out, "{}", player_line(player))?;
    }
    if summary.skipped > 0 {
        writeln!(out, "{} skipped, see above", summary.skipped)?;
    }
    Ok(())
}
