//! `duiyi trace`: every step of a textbook search, with alpha and beta, and the search tree with its cutoffs.

mod draw;
mod record;
mod text;

use super::files::{Files, Replaces, replace_file};
use super::pages::Page;
use super::{ORDER_SEED, PositionArgs, move_text, value_text};
use crate::game::{Bound, Depth, Notation, Side, Variant};
use crate::textbook::{Method, Order, SearchCounts, Searcher};
use crate::variants::with_game;
use anyhow::Context;
use record::{Recorder, TraceStep, from_method_view};
use serde::Serialize;
use std::cell::Cell;
use std::io::Write;
use std::path::PathBuf;
use text::player;

/// Node limit of the preparatory searches (if `--limit` is not higher), and of the minimax search for comparison.
const REFERENCE_NODE_LIMIT: u64 = 100_000;

/// The most positions of one trace in a page. A browser opens it in less than a second.
const PAGE_NODE_LIMIT: u64 = 10_000;

/// The most positions of a trace that is shown without arguments.
const READABLE_PAGE_LIMIT: u64 = 1_000;

/// Print every step of a textbook search: alpha, beta, values, and the reasons for cutoffs.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// Print one JSON object.
    #[arg(long, conflicts_with = "dot")]
    json: bool,
    /// Print the tree in the DOT language of Graphviz.
    #[arg(long)]
    dot: bool,
    /// Write a page for a browser to this file: the tree, step by step.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "dot"])]
    html: Option<PathBuf>,
    /// Replace a file that is no page by Duiyi, too.
    #[arg(long, requires = "html")]
    force: bool,
    /// Add a trace of another method to the page, with an order if it has another: minimax or maxmin-soft/worst.
    #[arg(long, value_name = "M[/O]", requires = "html", value_parser = parse_method_and_order)]
    beside: Vec<(Method, Option<Order>)>,
}

/// The search that is traced.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct SearchArgs {
    /// Search depth [default: the largest that --limit allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=245))]
    depth: Option<u8>,
    /// A textbook value of the option `Search Method`. Alpha-beta: maxmin-* with a MAX and a MIN function, alphabeta-* as negamax.
    #[arg(long, value_name = "M", default_value = "maxmin-soft", value_parser = parse_method)]
    method: Method,
    /// The move order: worst, random, natural, heuristic or best-first.
    #[arg(long, value_name = "O", default_value = "natural", value_parser = parse_order)]
    order: Order,
    /// Maximum number of positions to trace.
    #[arg(long, value_name = "N", default_value_t = 200)]
    limit: u64,
}

fn parse_method(text: &str) -> Result<Method, String> {
    Method::named(text).ok_or_else(|| format!("expected {}", Method::ALL.map(Method::name).join(", ")))
}

fn parse_order(text: &str) -> Result<Order, String> {
    let all = Order::all(ORDER_SEED);
    let order = all.into_iter().find(|order| order.name() == text);
    order.ok_or_else(|| format!("expected {}", all.map(Order::name).join(", ")))
}

fn parse_method_and_order(text: &str) -> Result<(Method, Option<Order>), String> {
    let (method, order) = text.split_once('/').map_or((text, None), |(method, order)| (method, Some(order)));
    Ok((parse_method(method)?, order.map(parse_order).transpose()?))
}

/// The trace of a finished search.
#[derive(Debug)]
pub struct Trace {
    recorder: Recorder,
    method: Method,
    order: Order,
    depth: i32,
    /// The side to move at the root.
    side: Side,
    /// The value of the root, from the point of view of the method: MAX, or the side to move.
    value: String,
    mv: String,
    counts: SearchCounts,
    /// Nodes of minimax to the same depth; `None` above [`REFERENCE_NODE_LIMIT`].
    minimax_nodes: Option<u64>,
}

/// Traces a search; `None` if it exceeds its node limit.
pub fn trace<G: Variant>(root: &G, search: SearchArgs) -> Option<Trace> {
    if let Some(depth) = search.depth {
        return trace_to_depth(root, search, Depth::new(depth.into()));
    }
    let mut deepest = None;
    for depth in 1..=Depth::MAX.plies() {
        let Some(trace) = trace_to_depth(root, search, Depth::new(depth)) else { break };
        // Without evaluations, all lines reached the end of the game.
        let is_complete = trace.counts.evaluations == 0;
        deepest = Some(trace);
        if is_complete {
            break;
        }
    }
    deepest
}

/// Traces the search to `depth`; `None` if it exceeds a node limit.
fn trace_to_depth<G: Variant>(
    root: &G,
    SearchArgs { method, order, limit, .. }: SearchArgs,
    depth: Depth,
) -> Option<Trace> {
    let mut recorder = Recorder::new(method);
    let node_limit = Cell::new(REFERENCE_NODE_LIMIT.max(limit));
    let mut stop = |nodes| nodes > node_limit.get();
    let mut searcher =
        Searcher::<G, G::Evaluator, _>::with_observer(root.clone(), method, order, &mut stop, &mut recorder);
    // As in `duiyi compare`: some move orders depend on the shallower searches.
    for shallower in (1..depth.plies()).map(Depth::new) {
        searcher.prepare(shallower).ok()?;
        searcher.search(shallower).ok()?;
    }
    searcher.prepare(depth).ok()?;
    node_limit.set(searcher.nodes().saturating_add(limit));
    let result = searcher.search(depth).ok()?;
    drop(searcher);
    recorder.end(result.value);
    let mut stop = |nodes| nodes > REFERENCE_NODE_LIMIT;
    let minimax = Searcher::<G, G::Evaluator>::new(root.clone(), Method::Minimax, Order::Natural, &mut stop)
        .search(depth);
    let side = root.side_to_move();
    Some(Trace {
        recorder,
        method,
        order,
        depth: depth.plies(),
        side,
        value: value_text(from_method_view(method, side, result.value)),
        mv: move_text(root, result.pv.first().copied()),
        counts: result.counts,
        minimax_nodes: minimax.ok().map(|minimax| minimax.counts.nodes),
    })
}

/// The output of `--json`.
#[derive(Serialize)]
struct TraceJson<'a> {
    variant: &'a str,
    position: &'a str,
    /// The scores in one unit that people read: 100 in chess, where values are centipawns.
    unit: i32,
    method: &'static str,
    order: &'static str,
    depth: i32,
    /// The point of view of values and bounds: `MAX`, or `mover`, the side to move at the node.
    perspective: &'static str,
    value: &'a str,
    #[serde(rename = "move")]
    mv: &'a str,
    nodes: u64,
    leaves: u64,
    evaluations: u64,
    cutoffs: u64,
    /// `None` above [`REFERENCE_NODE_LIMIT`].
    minimax_nodes: Option<u64>,
    steps: &'a [TraceStep],
    /// The nodes, the root first. Those without value were cut off.
    tree: Vec<NodeJson<'a>>,
}

#[derive(Serialize)]
struct NodeJson<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    parent: Option<usize>,
    player: &'static str,
    value: Option<String>,
    #[serde(rename = "meaning", serialize_with = "text::serialize_bound")]
    bound: Bound,
    /// The last alpha and beta of the node.
    #[serde(flatten)]
    window: Option<record::Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<&'a str>,
}

#[derive(Serialize)]
struct PageData<'a> {
    traces: &'a [TraceJson<'a>],
}

/// Runs the command and writes to `out`.
///
/// # Errors
/// If an argument is wrong or the output cannot be written.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    Files::default().writes("--html", arguments.html.as_deref(), Replaces::Pages).check(arguments.force)?;
    with_game!(&arguments.position.variant, |start| run(start, arguments, out)).context("--variant")?
}

fn run<G: Variant>(start: G, arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let (root, search) = (arguments.position.root(start)?, arguments.search);
    anyhow::ensure!(
        arguments.html.is_none() || search.limit <= PAGE_NODE_LIMIT,
        "--html: expected a --limit of at most {PAGE_NODE_LIMIT} positions, found {}",
        search.limit
    );
    let trace = trace_within_limit(&root, search)?;
    let position = root.position_text();
    if let Some(path) = &arguments.html {
        let mut traces = vec![trace];
        for &(method, order) in &arguments.beside {
            let depth = u8::try_from(traces[0].depth).ok();
            let order = order.unwrap_or(search.order);
            traces.push(trace_within_limit(&root, SearchArgs { method, order, depth, ..search })?);
        }
        let traces: Vec<_> = traces.iter().map(|trace| trace_json(&root, trace, &position)).collect();
        replace_file(path, page_html(&traces)?.as_bytes())?;
        writeln!(out, "{}: a page for a browser", path.display())?;
    } else if arguments.json {
        let document = trace_json(&root, &trace, &position);
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
    } else if arguments.dot {
        write!(out, "{}", draw::dot(&trace.recorder.nodes))?;
    } else {
        writeln!(out, "{}: {position}", root.variant())?;
        print(&trace, out)?;
    }
    Ok(())
}

/// As [`trace`]; an error if the search exceeds a node limit.
fn trace_within_limit<G: Variant>(root: &G, search: SearchArgs) -> anyhow::Result<Trace> {
    if let Some(trace) = trace(root, search) {
        return Ok(trace);
    }
    let deepest = trace(root, SearchArgs { depth: None, ..search });
    let advice = match deepest.filter(|_| search.depth.is_some()) {
        Some(Trace { depth, counts, .. }) => format!("--depth {depth} visits {}", counts.nodes),
        None => "choose a lower --depth or a higher --limit".into(),
    };
    anyhow::bail!(
        "--limit: a search to depth {} by {} visits more than {} positions, or too many before it; {advice}",
        search.depth.unwrap_or(1),
        search.method.name(),
        search.limit
    )
}

/// The page of a textbook search of `root`, as deep as is small enough to be read step by step.
///
/// # Errors
/// If a search of depth 1 is too large.
pub fn page<G: Variant>(root: &G) -> anyhow::Result<String> {
    let (method, order) = (Method::MaxMinSoft, Order::Natural);
    let search = SearchArgs { depth: None, method, order, limit: READABLE_PAGE_LIMIT };
    let trace = trace_within_limit(root, search)?;
    page_html(&[trace_json(root, &trace, &root.position_text())])
}

fn page_html(traces: &[TraceJson<'_>]) -> anyhow::Result<String> {
    let title = format!("A search step by step: {}", traces[0].variant);
    let scripts = [
        include_str!("pages/elements.js"),
        include_str!("pages/trace_texts.js"),
        include_str!("pages/language.js"),
        include_str!("pages/tree_search.js"),
        include_str!("pages/tree_layout.js"),
        include_str!("pages/pieces.js"),
        include_str!("pages/boards.js"),
        include_str!("pages/pseudocode.js"),
        include_str!("pages/quiz.js"),
        include_str!("pages/trace.js"),
    ];
    let page = Page { title: &title, body: include_str!("pages/trace.html"), scripts: &scripts };
    Ok(page.html(&PageData { traces }, &[(); 0])?)
}

/// Prints the steps, the tree and the totals as text.
fn print(trace: &Trace, out: &mut dyn Write) -> std::io::Result<()> {
    let Trace { recorder, method, order, depth, side, value, mv, counts, minimax_nodes } = trace;
    let view = if method.is_white_relative() { "MAX" } else { "the side to move" };
    writeln!(
        out,
        "{} to depth {depth}, moves in {} order, values seen by {view}\n",
        method.name(),
        order.name()
    )?;
    for entry in &recorder.entries {
        writeln!(out, "{entry}")?;
    }
    write!(out, "\n{}", draw::tree(&recorder.nodes))?;
    writeln!(out, "\n{} moves: value {value}, move {mv}", player(*side))?;
    let SearchCounts { nodes, cutoffs, .. } = *counts;
    let saved = match minimax_nodes {
        None => format!("minimax visits more than {REFERENCE_NODE_LIMIT}"),
        Some(all) if *all > nodes => format!("minimax visits {all}: {} saved", all - nodes),
        Some(all) => format!("minimax visits {all}: nothing is saved"),
    };
    let plural = if cutoffs == 1 { "" } else { "s" };
    writeln!(out, "{nodes} positions visited, {cutoffs} cutoff{plural}; {saved}")
}

fn trace_json<'a, G: Notation>(root: &G, trace: &'a Trace, position: &'a str) -> TraceJson<'a> {
    let Trace { recorder, method, order, depth, value, mv, counts, minimax_nodes, .. } = trace;
    let node_json = |node: &'a record::Node| NodeJson {
        mv: &node.name,
        parent: node.parent,
        player: player(node.side),
        value: node.value.map(value_text),
        bound: node.bound,
        window: node.current_window.map(record::Bounds::from),
        position: node.position.as_deref(),
    };
    TraceJson {
        variant: root.variant(),
        position,
        unit: G::SCORE_UNIT,
        method: method.name(),
        order: order.name(),
        depth: *depth,
        perspective: if method.is_white_relative() { "MAX" } else { "mover" },
        value,
        mv,
        nodes: counts.nodes,
        leaves: counts.leaves,
        evaluations: counts.evaluations,
        cutoffs: counts.cutoffs,
        minimax_nodes: *minimax_nodes,
        steps: &recorder.entries,
        tree: recorder.nodes.iter().map(node_json).collect(),
    }
}
