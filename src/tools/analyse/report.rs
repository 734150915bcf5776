//! What a run prints.

use super::annotate::Player;
use super::{Part, Record, SearchStats, Source, Work, score_text};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// What came of all problems and games.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    /// Lines and games that could not be read.
    skipped: usize,
    /// Problems by what was asked for: `bm`, `dm`, ...
    kinds: BTreeMap<String, Count>,
    /// Problems by the beginnings of their names.
    groups: BTreeMap<String, Count>,
    /// Median of the effort to the solution over the problems solved.
    median: Option<SearchStats>,
    players: Vec<Player>,
    #[serde(skip)]
    solutions: Vec<SearchStats>,
}

/// Problems of one kind.
#[derive(Debug, Default, Serialize)]
struct Count {
    problems: u32,
    /// Of those that have an answer.
    asked: u32,
    solved: u32,
    points: u32,
    points_most: u32,
}

impl Count {
    fn add(&mut self, verdict: &super::problem::ProblemResult) {
        self.problems += 1;
        self.asked += u32::from(verdict.solved.is_some());
        self.solved += u32::from(verdict.solved == Some(true));
        let (own, most) = verdict.points.unwrap_or((0, 0));
        self.points += own;
        self.points_most += most;
    }
}

impl Summary {
    pub fn new(skipped: usize) -> Summary {
        Summary { skipped, ..Summary::default() }
    }

    pub fn problem(&mut self, record: &Record) {
        let Source::Problem(verdict) = &record.source else { return };
        self.kinds.entry(verdict.kind()).or_default().add(verdict);
        // "WAC.001" is one of "WAC".
        let group =
            verdict.id.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['.', ' ', '#', '-']);
        self.groups.entry(group.into()).or_default().add(verdict);
        self.solutions.extend(verdict.solution);
    }

    pub fn game(&mut self, players: &[Player; 2]) {
        for player in players {
            match self.players.iter_mut().find(|known| known.name == player.name) {
                Some(known) => known.add(player),
                None => self.players.push(player.clone()),
            }
        }
    }

    /// The median of each thing by itself.
    fn median(&self) -> Option<SearchStats> {
        fn middle<T: Ord + Copy>(all: &[SearchStats], of: fn(&SearchStats) -> T) -> Option<T> {
            let mut values: Vec<T> = all.iter().map(of).collect();
            values.sort_unstable();
            values.get(values.len().saturating_sub(1) / 2).copied()
        }
        let all = &self.solutions;
        let (depth, nodes) = (middle(all, |r| r.depth)?, middle(all, |r| r.nodes)?);
        Some(SearchStats { depth, nodes, ms: middle(all, |r| r.ms)? })
    }
}

/// What the columns are.
pub fn heading<G>(work: &Work<G>, out: &mut dyn Write) -> io::Result<()> {
    if work.parts.iter().any(|(_, part)| matches!(part, Part::Problem(_))) {
        writeln!(
            out,
            "{:<28} {:<20} {:<8} {:>7} {:>5} {:<8} {:>5} {:>10} {:>8}",
            "problem", "asked", "found", "score", "depth", "", "from", "nodes", "ms"
        )?;
    }
    Ok(())
}

/// A problem or a game, and what came of it.
pub fn part(
    record: &Record,
    players: Option<&[Player; 2]>,
    number: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    if let Some(players) = players {
        writeln!(out, "{}", player_heading(&format!("game {number}, {}", record.at)))?;
        return players.iter().try_for_each(|player| writeln!(out, "{}", player_line(player)));
    }
    let Source::Problem(verdict) = &record.source else { return Ok(()) };
    let name = if verdict.id.is_empty() { &record.at } else { &verdict.id };
    let found = record.best.as_deref().unwrap_or("-");
    let score = record.lines.first().map_or("-".into(), |line| score_text(line.score));
    let judged = match (verdict.solved, verdict.points) {
        (_, Some((own, most))) => format!("{own}/{most}"),
        (Some(true), _) => "solved".into(),
        (Some(false), _) => "missed".into(),
        (None, _) => "".into(),
    };
    let solution = verdict
        .solution
        .map_or(String::new(), |SearchStats { depth, nodes, ms }| format!("{depth:>5} {nodes:>10} {ms:>8}"));
    let line = format!(
        "{name:<28} {:<20} {found:<8} {score:>7} {:>5} {judged:<8} {solution}",
        verdict.asked, record.reached.depth
    );
    writeln!(out, "{}", line.trim_end())
}

/// A record as it stands in the file of `--out`.
pub fn json(record: &Record, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(record)?)
}

fn player_heading(name: &str) -> String {
    format!("{name:<40} {:>6} {:>6} {:>9} {:>4} {:>4} {:>4}", "moves", "loss", "accuracy", "?!", "?", "??")
}

fn player_line(player: &Player) -> String {
    let [inaccuracies, mistakes, blunders] = player.marks;
    format!(
        "{:<40} {:>6} {:>6.1} {:>8.1}% {inaccuracies:>4} {mistakes:>4} {blunders:>4}",
        player.name,
        player.moves,
        player.mean_loss(),
        player.accuracy(),
    )
}

fn share(part: u32, all: u32) -> String {
    format!("{part} of {all} ({:.1} %)", 100.0 * f64::from(part) / f64::from(all.max(1)))
}

fn count_line(name: &str, count: &Count) -> String {
    let mut parts = Vec::new();
    if count.asked > 0 {
        parts.push(format!("solved {}", share(count.solved, count.asked)));
    }
    if count.points_most > 0 {
        parts.push(format!("points {}", share(count.points, count.points_most)));
    }
    if parts.is_empty() {
        parts.push(format!("{} positions", count.problems));
    }
    format!("{name:<50} {}", parts.join(", "))
}

/// The end of a run.
pub fn end(summary: &mut Summary, json: bool, out: &mut dyn Write) -> io::Result<()> {
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
