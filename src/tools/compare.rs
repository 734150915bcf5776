//! `duiyi compare`: the searches of the textbooks and the engine's own side by side on one position.

use super::{ORDER_SEED, PositionArgs, move_text, value_text};
use crate::game::{Depth, Evaluator, Heuristics, Notation, NotationOptions};
use crate::search::{self, Limits, Report, SearchRequest, SearchState, Settings};
use crate::textbook::{Method, Order, Searcher};
use crate::variants::VariantVisitor;
use serde::Serialize;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// MiB of the engine's table.
const HASH: usize = 16;
/// Nodes of a textbook search between two looks at the clock.
const CLOCK_CHECK_NODES: u64 = 256;
/// The engine's row, beside the names of [`Method`].
const ENGINE: &str = "engine";

/// What is compared. Alpha-beta comes in every order, the others in the game's own: they visit the same
/// positions in any.
const METHODS: [(Method, Order); 9] = [
    (Method::Minimax, Order::Natural),
    (Method::Negamax, Order::Natural),
    (Method::AlphaBetaHard, Order::Natural),
    (Method::AlphaBetaSoft, Order::Worst),
    (Method::AlphaBetaSoft, Order::Random(ORDER_SEED)),
    (Method::AlphaBetaSoft, Order::Natural),
    (Method::AlphaBetaSoft, Order::Heuristic),
    (Method::AlphaBetaSoft, Order::BestFirst),
    (Method::Memoised, Order::Natural),
];

/// Compare the methods of search on one position.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    place: PositionArgs,
    /// The deepest search of each method.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u8).range(1..=245))]
    depth: u8,
    /// Seconds for each method; it goes as deep as fits.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = seconds)]
    time: f64,
    /// Positions for each method, its preparations included, instead of a time: the same on every machine.
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Print one JSON object.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values.
    #[arg(long)]
    csv: bool,
}

/// How far each method may go.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The deepest search.
    pub depth: Depth,
    /// What each method may spend, over all its depths.
    pub budget: Budget,
}

/// What may be spent.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// Time.
    Time(Duration),
    /// Positions visited.
    Nodes(u64),
}

/// One search of one method to one depth.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name as in the option `Search Method`.
    pub method: &'static str,
    /// The order in which it tries moves.
    pub order: &'static str,
    /// How deep it searched.
    pub depth: i32,
    /// The root's value for the side to move, in the game's unit, or the plies to a forced end.
    pub value: String,
    /// The move it chose.
    #[serde(rename = "move")]
    pub mv: String,
    /// Positions visited by this depth's search alone.
    pub nodes: u64,
    /// Positions without children among them; `None` where it is not counted, as all that follow.
    pub leaves: Option<u64>,
    /// Positions estimated.
    pub evaluations: Option<u64>,
    /// Nodes left early.
    pub cutoffs: Option<u64>,
    /// Values in memory at the end.
    pub stored: Option<u64>,
    /// What it took.
    pub seconds: f64,
    /// nodes(d) / nodes(d - 1).
    pub growth: Option<f64>,
    /// nodes^(1/d).
    pub branching: f64,
    /// b^ceil(d/2) + b^floor(d/2) - 1, the leaves that alpha-beta must visit at least if every node has b
    /// children, where b^d is the number of minimax's leaves (at the deepest depth it reached).
    pub minimum: Option<f64>,
}

/// Runs all methods on `root` and hands each row to `each`.
pub fn compare<G: Heuristics + Notation, E: Evaluator<G>>(
    root: &G,
    bounds: Bounds,
    each: &mut dyn FnMut(Row) -> io::Result<()>,
) -> io::Result<()> {
    // b by depth, as minimax counts it.
    let mut widths: Vec<f64> = Vec::new();
    for (method, order) in METHODS {
        let mut before = None;
        let mut failed = Ok(());
        run::<G, E>(root, method, order, bounds, &mut |mut row| {
            let depth = f64::from(row.depth);
            if method == Method::Minimax {
                widths.push((row.leaves.unwrap_or(1) as f64).powf(1.0 / depth));
            }
            let width = widths.get(row.depth as usize - 1).or(widths.last());
            row.minimum = width.map(|b| b.powf((depth / 2.0).ceil()) + b.powf((depth / 2.0).floor()) - 1.0);
            row.growth = before.map(|nodes: u64| row.nodes as f64 / nodes as f64);
            before = Some(row.nodes);
            failed = each(row);
            failed.is_ok()
        });
        failed?;
    }
    let mut before = None;
    for mut row in engine::<G, E>(root, bounds)? {
        row.growth = before.map(|nodes: u64| row.nodes as f64 / nodes.max(1) as f64);
        before = Some(row.nodes);
        each(row)?;
    }
    Ok(())
}

/// One method of the textbooks, depth by depth; `each` says whether to go on.
fn run<G: Heuristics + Notation, E: Evaluator<G>>(
    root: &G,
    method: Method,
    order: Order,
    bounds: Bounds,
    each: &mut dyn FnMut(Row) -> bool,
) {
    let started = Instant::now();
    let mut stop = |nodes: u64| match bounds.budget {
        Budget::Time(time) => nodes.is_multiple_of(CLOCK_CHECK_NODES) && started.elapsed() > time,
        Budget::Nodes(most) => nodes > most,
    };
    let mut searcher = Searcher::<G, E>::new(root.clone(), method, order, &mut stop);
    for depth in (1..=bounds.depth.plies()).map(Depth::new) {
        let Ok(()) = searcher.prepare(depth) else { return };
        let begun = Instant::now();
        let Ok(found) = searcher.search(depth) else { return };
        let counts = found.counts;
        let row = Row {
            method: method.name(),
            order: order.name(),
            depth: depth.plies(),
            value: value_text(found.value),
            mv: move_text(root, found.pv.first().copied()),
            nodes: counts.nodes,
            leaves: Some(counts.leaves),
            evaluations: Some(counts.evaluations),
            cutoffs: Some(counts.cutoffs),
            stored: Some(counts.stored),
            seconds: begun.elapsed().as_secs_f64(),
            growth: None,
            branching: (counts.nodes as f64).powf(1.0 / f64::from(depth.plies())),
            minimum: None,
        };
        // A deeper search of a game that was searched to its end would only repeat it.
        if !each(row) || counts.evaluations == 0 {
            return;
        }
    }
}

/// The engine's own search. Its depths are no one else's: it looks further where captures and checks go on
/// and less far where nothing seems to be found.
fn engine<G: Heuristics + Notation, E: Evaluator<G>>(root: &G, bounds: Bounds) -> io::Result<Vec<Row>> {
    let mut state = SearchState::new(HASH).map_err(io::Error::other)?;
    let mut rows: Vec<Row> = Vec::new();
    let (mut nodes, mut elapsed) = (0, Duration::ZERO);
    let (movetime, most) = match bounds.budget {
        Budget::Time(time) => (Some(time), None),
        Budget::Nodes(most) => (None, Some(most)),
    };
    let limits = Limits { depth: Some(bounds.depth), movetime, nodes: most, ..Limits::none() };
    let request = SearchRequest { root: root.clone(), limits, settings: Settings::default() };
    let mut on_report = |report: &Report| {
        let Report::Block(iteration) = report else { return };
        let line = &iteration.lines[0];
        let depth = line.depth.plies();
        // The last block of a stopped search tells of a depth that is not finished.
        if rows.last().map_or(0, |row| row.depth) >= depth {
            return;
        }
        let spent = iteration.nodes - nodes;
        rows.push(Row {
            method: ENGINE,
            order: "-",
            depth,
            value: value_text(line.score),
            mv: move_text(root, line.pv.first().copied()),
            nodes: spent,
            leaves: None,
            evaluations: None,
            cutoffs: None,
            stored: None,
            seconds: (iteration.elapsed - elapsed).as_secs_f64(),
            growth: None,
            branching: (spent.max(1) as f64).powf(1.0 / f64::from(depth)),
            minimum: None,
        });
        (nodes, elapsed) = (iteration.nodes, iteration.elapsed);
    };
    search::run_to_end::<G, E>(request, &mut state, &crossbeam_channel::never(), &mut on_report)
        .map_err(io::Error::other)?;
    Ok(rows)
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds from 0.001 to 86400".into()),
    }
}

/// The whole comparison, as `--json` prints it.
#[derive(Serialize)]
struct Comparison<'a> {
    variant: &'a str,
    position: String,
    /// What each method might spend: seconds or positions.
    seconds: Option<f64>,
    nodes: Option<u64>,
    rows: Vec<Row>,
}

/// Runs the command and writes to `out`.
///
/// # Errors
/// If an argument is wrong or the output cannot be written.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    arguments.place.visit(Comparing { arguments, out })
}

/// The command, once the game is known.
struct Comparing<'a> {
    arguments: &'a Arguments,
    out: &'a mut dyn Write,
}

impl VariantVisitor for Comparing<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Heuristics + Notation, E: Evaluator<G>>(self) -> anyhow::Result<()> {
        print::<G, E>(self.arguments, self.out)
    }
}

fn print<G: Heuristics + Notation, E: Evaluator<G>>(
    arguments: &Arguments,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let Arguments { place, depth, time, nodes, json, csv } = arguments;
    let (variant, root) = (G::VARIANT, place.root::<G>()?);
    let position = root.position_text(NotationOptions::default());
    let budget = nodes.map_or_else(|| Budget::Time(Duration::from_secs_f64(*time)), Budget::Nodes);
    let bounds = Bounds { depth: Depth::new((*depth).into()), budget };
    let mut rows = Vec::new();
    if *csv {
        writeln!(out, "{}", HEADINGS.join(","))?;
    } else if !json {
        writeln!(out, "{variant}: {position}\n{}", table_line(&HEADINGS.map(String::from)))?;
    }
    compare::<G, E>(&root, bounds, &mut |row| {
        match (json, csv) {
            (true, _) => rows.push(row),
            (_, true) => writeln!(out, "{}", cells(&row, 4).join(","))?,
            _ => writeln!(out, "{}", table_line(&cells(&row, 1)))?,
        }
        out.flush()
    })?;
    if *json {
        let seconds = nodes.is_none().then_some(*time);
        let comparison = Comparison { variant, position, seconds, nodes: *nodes, rows };
        writeln!(out, "{}", serde_json::to_string_pretty(&comparison)?)?;
    }
    Ok(())
}

const HEADINGS: [&str; 14] = [
    "method",
    "order",
    "depth",
    "value",
    "move",
    "nodes",
    "leaves",
    "evaluations",
    "cutoffs",
    "stored",
    "seconds",
    "growth",
    "branching",
    "minimum",
];

/// A row as text, ratios with `digits` after the point.
fn cells(row: &Row, digits: usize) -> [String; 14] {
    let count = |count: Option<u64>| count.map_or("-".into(), |count| count.to_string());
    let ratio = |ratio: Option<f64>| ratio.map_or("-".into(), |ratio| format!("{ratio:.digits$}"));
    [
        row.method.into(),
        row.order.into(),
        row.depth.to_string(),
        row.value.clone(),
        row.mv.clone(),
        row.nodes.to_string(),
        count(row.leaves),
        count(row.evaluations),
        count(row.cutoffs),
        count(row.stored),
        format!("{:.4}", row.seconds),
        ratio(row.growth),
        ratio(Some(row.branching)),
        row.minimum.map_or("-".into(), |leaves| format!("{leaves:.0}")),
    ]
}

/// Names to the left, numbers to the right.
fn table_line(cells: &[String; 14]) -> String {
    let [method, order, rest @ ..] = cells;
    let [depth, value, mv, nodes, leaves, evaluations, cutoffs, stored, seconds, growth, branching, minimum] =
        rest;
    format!(
        "{method:<15}{order:<11}{depth:>5}{value:>12}{mv:>8}{nodes:>13}{leaves:>13}{evaluations:>13}{cutoffs:>11}\
         {stored:>10}{seconds:>10}{growth:>9}{branching:>10}{minimum:>12}"
    )
}
