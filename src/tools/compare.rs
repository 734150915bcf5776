//! `duiyi compare`: the textbook searches and the engine's search on one position, depth by depth.

use super::{ORDER_SEED, PositionArgs, move_text, parse_seconds, value_text};
use crate::clock::Instant;
use crate::game::{Depth, Variant};
use crate::search::{self, Limits, Report, SearchRequest, SearchState};
use crate::textbook::{Method, Order, Searcher};
use crate::variants::with_game;
use anyhow::Context;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

const HASH_MIB: usize = 16;
/// Nodes of a textbook search between two checks of the clock.
const CLOCK_CHECK_NODES: u64 = 256;
/// The method name in the rows of the engine's search.
const ENGINE: &str = "engine";

/// Fail-soft alpha-beta is compared in every order. The minimax searches visit the same positions in any order.
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

/// Compare the search methods on one position.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,
    /// Maximum depth of each method.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u8).range(1..=245))]
    depth: u8,
    /// Seconds for each method, over all depths.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = parse_seconds)]
    time: f64,
    /// Nodes for each method instead of a time, so that every machine gives the same result.
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Print one JSON object.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values.
    #[arg(long)]
    csv: bool,
}

/// The search of one method to one depth.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// The method, a value of the option `Search Method`.
    pub method: &'static str,
    /// The move order.
    pub order: &'static str,
    /// The depth in plies.
    pub depth: i32,
    /// The value of the root for the side to move, in the unit of the game, or the plies to a forced win or
    /// loss.
    pub value: String,
    /// The best move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Nodes visited by the search to this depth alone.
    pub nodes: u64,
    /// Nodes without children; `None` if not counted, as in the other optional fields.
    pub leaves: Option<u64>,
    /// Static evaluations.
    pub evaluations: Option<u64>,
    /// Nodes with a cutoff.
    pub cutoffs: Option<u64>,
    /// Entries of the memo table at the end.
    pub stored: Option<u64>,
    /// Time of the search to this depth.
    pub seconds: f64,
    /// nodes(d) / nodes(d - 1).
    pub growth: Option<f64>,
    /// nodes^(1/d).
    pub branching: f64,
    /// b^ceil(d/2) + b^floor(d/2) - 1, the minimum number of leaves of alpha-beta in a uniform tree of
    /// branching factor b (Knuth and Moore 1975). b^d is the number of leaves of minimax, at this depth or at
    /// the deepest one that minimax reached.
    pub minimum: Option<f64>,
}

/// Runs all methods on `root` and calls `on_row` with each row. `limits` hold for each method, over all its depths: depth, nodes
/// with those of preparatory searches, time.
///
/// # Errors
/// If `on_row` fails, or if the search of the engine fails.
pub fn compare<G: Variant>(
    root: &G,
    limits: &Limits,
    on_row: &mut dyn FnMut(Row) -> io::Result<()>,
) -> io::Result<()> {
    // b by depth, from the leaves of minimax.
    let mut branching_factors: Vec<f64> = Vec::new();
    for (method, order) in METHODS {
        let mut previous_nodes = None;
        let mut written = Ok(());
        run_textbook(root, method, order, limits, &mut |mut row| {
            let depth = f64::from(row.depth);
            if method == Method::Minimax {
                branching_factors.push((row.leaves.unwrap_or(1) as f64).powf(1.0 / depth));
            }
            let b = branching_factors.get(row.depth as usize - 1).or(branching_factors.last());
            row.minimum = b.map(|b| b.powf((depth / 2.0).ceil()) + b.powf((depth / 2.0).floor()) - 1.0);
            row.growth = previous_nodes.map(|nodes: u64| row.nodes as f64 / nodes as f64);
            previous_nodes = Some(row.nodes);
            written = on_row(row);
            written.is_ok()
        });
        written?;
    }
    let mut previous_nodes = None;
    for mut row in run_engine(root, limits)? {
        row.growth = previous_nodes.map(|nodes: u64| row.nodes as f64 / nodes.max(1) as f64);
        previous_nodes = Some(row.nodes);
        on_row(row)?;
    }
    Ok(())
}

/// Runs a textbook search depth by depth, until a limit is reached or `on_row` returns `false`.
fn run_textbook<G: Variant>(
    root: &G,
    method: Method,
    order: Order,
    limits: &Limits,
    on_row: &mut dyn FnMut(Row) -> bool,
) {
    let started = Instant::now();
    let is_over = |time| started.elapsed() > time;
    let mut stop = |nodes: u64| {
        limits.nodes.is_some_and(|maximum| nodes > maximum)
            || nodes.is_multiple_of(CLOCK_CHECK_NODES) && limits.movetime.is_some_and(is_over)
    };
    let mut searcher = Searcher::<G, G::Evaluator>::new(root.clone(), method, order, &mut stop);
    for depth in (1..=limits.depth.unwrap_or(Depth::MAX).plies()).map(Depth::new) {
        let Ok(()) = searcher.prepare(depth) else { return };
        let search_started = Instant::now();
        let Ok(result) = searcher.search(depth) else { return };
        let counts = result.counts;
        let row = Row {
            method: method.name(),
            order: order.name(),
            depth: depth.plies(),
            value: value_text(result.value),
            mv: move_text(root, result.pv.first().copied()),
            nodes: counts.nodes,
            leaves: Some(counts.leaves),
            evaluations: Some(counts.evaluations),
            cutoffs: Some(counts.cutoffs),
            stored: Some(counts.stored),
            seconds: search_started.elapsed().as_secs_f64(),
            branching: (counts.nodes as f64).powf(1.0 / f64::from(depth.plies())),
            ..Row::default()
        };
        // Without evaluations, all lines reached the end of the game. A deeper search would be the same.
        if !on_row(row) || counts.evaluations == 0 {
            return;
        }
    }
}

/// The rows of the engine's search. Its depths are nominal: it extends some lines and reduces others.
fn run_engine<G: Variant>(root: &G, limits: &Limits) -> io::Result<Vec<Row>> {
    let mut state = SearchState::new(HASH_MIB).map_err(io::Error::other)?;
    let mut rows: Vec<Row> = Vec::new();
    let (mut nodes, mut elapsed) = (0, Duration::ZERO);
    let limits = Limits { started: Instant::now(), ..limits.clone() };
    let request = SearchRequest::new(root.clone(), limits);
    let mut on_report = |report: &Report| {
        let Report::Iteration(iteration) = report else { return };
        let line = &iteration.lines[0];
        let depth = line.depth.plies();
        // A stopped search may report a depth again.
        if rows.last().map_or(0, |row| row.depth) >= depth {
            return;
        }
        let depth_nodes = iteration.nodes - nodes;
        rows.push(Row {
            method: ENGINE,
            order: "-",
            depth,
            value: value_text(line.score),
            mv: move_text(root, line.pv.first().copied()),
            nodes: depth_nodes,
            seconds: (iteration.elapsed - elapsed).as_secs_f64(),
            branching: (depth_nodes.max(1) as f64).powf(1.0 / f64::from(depth)),
            ..Row::default()
        });
        (nodes, elapsed) = (iteration.nodes, iteration.elapsed);
    };
    search::run_to_end::<G, G::Evaluator>(request, &mut state, &crossbeam_channel::never(), &mut on_report)
        .map_err(io::Error::other)?;
    Ok(rows)
}

/// The output of `--json`.
#[derive(Serialize)]
struct Comparison<'a> {
    variant: &'a str,
    position: String,
    /// The limit of each method: seconds or nodes.
    seconds: Option<f64>,
    nodes: Option<u64>,
    rows: Vec<Row>,
}

/// Runs the command and writes to `out`.
///
/// # Errors
/// If an argument is wrong, the output cannot be written, or the search of the engine fails.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    with_game!(&arguments.position.variant, |start| print(start, arguments, out)).context("--variant")?
}

fn print<G: Variant>(start: G, arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let Arguments { position, depth, time, nodes, json, csv } = arguments;
    let (variant, root) = (start.variant(), position.root(start)?);
    let position = root.position_text();
    let movetime = nodes.is_none().then(|| Duration::from_secs_f64(*time));
    let limits = Limits { nodes: *nodes, movetime, ..Limits::depth((*depth).into()) };
    let mut rows = Vec::new();
    if *csv {
        writeln!(out, "{}", HEADINGS.join(","))?;
    } else if !json {
        writeln!(out, "{variant}: {position}\n{}", table_line(&TABLE_HEADINGS.map(String::from)))?;
    }
    compare(&root, &limits, &mut |row| {
        match (json, csv) {
            (true, _) => rows.push(row),
            (_, true) => writeln!(out, "{}", csv_cells(&row).join(","))?,
            _ => writeln!(out, "{}", table_line(&table_cells(&row)))?,
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

/// The columns of `--csv`.
const HEADINGS: [&str; 14] = [
    "method", "order", "depth", "value", "move", "nodes", "leaves", "evaluations", "cutoffs", "stored",
    "seconds", "growth", "branching", "minimum",
];

fn csv_cells(row: &Row) -> [String; 14] {
    let count = |count: Option<u64>| count.map_or("-".into(), |count| count.to_string());
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
        format!("{:.9}", row.seconds),
        row.growth.map_or("-".into(), |ratio| format!("{ratio:.4}")),
        format!("{:.4}", row.branching),
        row.minimum.map_or("-".into(), |leaves| format!("{leaves:.0}")),
    ]
}

/// The columns of the table: those of `--csv` that fit the width of a terminal.
const TABLE_HEADINGS: [&str; 10] =
    ["method", "order", "depth", "value", "move", "nodes", "leaves", "cutoffs", "time", "growth"];

fn table_cells(row: &Row) -> [String; 10] {
    let [method, order, depth, value, mv, nodes, leaves, _, cutoffs, ..] = csv_cells(row);
    let growth = row.growth.map_or("-".into(), |ratio| format!("{ratio:.1}"));
    [method, order, depth, value, mv, nodes, leaves, cutoffs, time_text(row.seconds), growth]
}

/// A time in the unit in which it is not zero: seconds, milliseconds or microseconds.
fn time_text(seconds: f64) -> String {
    match seconds {
        0.9995.. => format!("{seconds:.2} s"),
        9.995e-4.. => format!("{:.1} ms", 1e3 * seconds),
        _ => format!("{:.1} us", 1e6 * seconds),
    }
}

/// A line of the table, at most 100 columns wide: names left-aligned, numbers right-aligned.
fn table_line(cells: &[String; 10]) -> String {
    let [method, order, depth, value, mv, nodes, leaves, cutoffs, time, growth] = cells;
    format!(
        "{method:<15}{order:<11}{depth:>5}{value:>11}{mv:>8}{nodes:>11}{leaves:>11}{cutoffs:>10}{time:>10}{growth:>7}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_text_is_never_zero() {
        let texts = [4.2e-7, 3.21e-5, 0.000_999_8, 0.0421, 0.9998, 12.5].map(time_text);
        assert_eq!(texts, ["0.4 us", "32.1 us", "1.0 ms", "42.1 ms", "1.00 s", "12.50 s"]);
    }
}
