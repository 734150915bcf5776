//! The output of `duiyi analyse`: the table or the JSON records, and the summary.

use super::review::{Player, Review};
use super::{InputSet, Item, Record, SearchStats, Source, score_text};
use crate::game::Opening;
use crate::tools::printable;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The results of all problems and games.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    /// Number of lines and games that could not be read.
    skipped: usize,
    /// The problems by kind: `bm`, `dm`, ...
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
    fn add(&mut self, result: &super::problem::ProblemResult) {
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

    /// Adds the record of a problem.
    pub fn add_problem(&mut self, record: &Record) {
        let Source::Problem(result) = &record.source else { return };
        self.kinds.entry(result.kind()).or_default().add(result);
        // "WAC.001" belongs to the group "WAC".
        let group =
            result.id.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['.', ' ', '#', '-']);
        self.groups.entry(group.into()).or_default().add(result);
        self.solutions.extend(result.solution);
    }

    /// Adds the players of a game.
    pub fn add_game(&mut self, players: &[Player; 2]) {
        for player in players {
            match self.players.iter_mut().find(|other| other.name == player.name) {
                Some(total) => total.add(player),
                None => self.players.push(player.clone()),
            }
        }
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

/// Prints the column headings of the table of problems, if there are problems.
pub fn heading<G>(input_set: &InputSet<G>, out: &mut dyn Write) -> io::Result<()> {
    if input_set.items.iter().any(|(_, item)| matches!(item, Item::Problem(_))) {
        writeln!(
            out,
            "{:<28} {:<20} {:<8} {:>7} {:>5} {:<8} {:>5} {:>10} {:>8}",
            "problem", "asked", "found", "score", "depth", "", "from", "nodes", "ms"
        )?;
    }
    Ok(())
}

/// Prints the result of a problem, or of the game `number` if there is a `review`.
pub fn item(
    records: &[Record],
    review: Option<&Review>,
    number: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let record = &records[0];
    if let Some(Review { opening, players, .. }) = review {
        writeln!(out, "{}", printable(&player_heading(&format!("game {number}, {}", record.at))))?;
        if let Some(Opening { eco, name }) = opening {
            writeln!(out, "{eco} {name}")?;
        }
        return players.iter().try_for_each(|player| writeln!(out, "{}", player_line(player)));
    }
    let Source::Problem(result) = &record.source else { return Ok(()) };
    let name = if result.id.is_empty() { &record.at } else { &result.id };
    let best = record.best.as_deref().unwrap_or("-");
    let score = record.lines.first().map_or("-".into(), |line| score_text(line.score));
    let verdict = match (result.solved, result.points) {
        (_, Some((points, maximum))) => format!("{points}/{maximum}"),
        (Some(true), _) => "solved".into(),
        (Some(false), _) => "missed".into(),
        (None, _) => "".into(),
    };
    let solution = result
        .solution
        .map_or(String::new(), |SearchStats { depth, nodes, ms }| format!("{depth:>5} {nodes:>10} {ms:>8}"));
    let line = format!(
        "{name:<28} {:<20} {best:<8} {score:>7} {:>5} {verdict:<8} {solution}",
        result.expected, record.stats.depth
    );
    writeln!(out, "{}", printable(line.trim_end()))
}

/// Prints a record, as in the file of `--out`, or a review as a line of JSON.
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

/// Computes the medians and prints the summary.
pub fn summary(summary: &mut Summary, json: bool, out: &mut dyn Write) -> io::Result<()> {
    summary.median = summary.median();
    if json {
        #[derive(Serialize)]
        struct End<'a> {
            summary: &'a Summary,
        }
        return writeln!(out, "{}", serde_json::to_string(&End { summary })?);
    }
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
