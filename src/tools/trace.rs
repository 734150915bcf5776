//! `duiyi trace`: every step of a textbook search, with alpha and beta, and the tree with what was cut off.

mod draw;
mod record;

use super::{ORDER_SEED, PositionArgs, move_text, value_text};
use crate::game::{Bound, Depth, Evaluator, Heuristics, Notation, NotationOptions, Side};
use crate::textbook::{Counts, Method, Order, Searcher};
use crate::variants::VariantVisitor;
use record::{Entry, Recorder, by, player};
use serde::Serialize;
use std::cell::Cell;
use std::io::Write;

/// Positions that may be visited before the search to be traced, if the limit is not higher, and to count
/// what minimax visits.
const REFERENCE_NODE_LIMIT: u64 = 100_000;

/// Print every step of a textbook search: alpha, beta, values, and why it cuts off.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    place: PositionArgs,
    /// How deep; as deep as the limit allows if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=245))]
    depth: Option<u8>,
    /// A method of the option `Search Method`: maxmin-* in the form of MAX and MIN, alphabeta-* as negamax.
    #[arg(long, value_name = "M", default_value = "maxmin-soft", value_parser = method)]
    method: Method,
    /// The order of moves: worst, random, natural, heuristic or best-first.
    #[arg(long, value_name = "O", default_value = "natural", value_parser = order)]
    order: Order,
    /// The most positions to trace.
    #[arg(long, value_name = "N", default_value_t = 200)]
    limit: u64,
    /// Print one JSON object.
    #[arg(long, conflicts_with = "dot")]
    json: bool,
    /// Print the tree for Graphviz.
    #[arg(long)]
    dot: bool,
}

fn method(text: &str) -> Result<Method, String> {
    Method::named(text).ok_or_else(|| format!("expected {}", Method::ALL.map(Method::name).join(", ")))
}

fn order(text: &str) -> Result<Order, String> {
    let all = Order::all(ORDER_SEED);
    let known = all.into_iter().find(|order| order.name() == text);
    known.ok_or_else(|| format!("expected {}", all.map(Order::name).join(", ")))
}

/// A search that was watched to its end.
#[derive(Debug)]
pub struct Trace {
    record: Recorder,
    depth: i32,
    /// Who moves at the root.
    side: Side,
    /// The root's value as the method sees it, and the move that has it.
    value: String,
    mv: String,
    counts: Counts,
    /// What minimax visits to the same depth, unless it is too much to count.
    minimax: Option<u64>,
}

/// Traces what `arguments` ask for; `None` if that is more than their limit.
pub fn trace<G: Heuristics + Notation, E: Evaluator<G>>(root: &G, arguments: &Arguments) -> Option<Trace> {
    if let Some(depth) = arguments.depth {
        return to_depth::<G, E>(root, arguments, Depth::new(depth.into()));
    }
    let mut deepest = None;
    for depth in 1..=Depth::MAX.plies() {
        let Some(found) = to_depth::<G, E>(root, arguments, Depth::new(depth)) else { break };
        let ended = found.counts.evaluations == 0;
        deepest = Some(found);
        if ended {
            break;
        }
    }
    deepest
}

fn to_depth<G: Heuristics + Notation, E: Evaluator<G>>(
    root: &G,
    arguments: &Arguments,
    depth: Depth,
) -> Option<Trace> {
    let Arguments { method, order, limit, .. } = *arguments;
    let mut record = Recorder::new(method);
    let most = Cell::new(REFERENCE_NODE_LIMIT.max(limit));
    let mut stop = |visited| visited > most.get();
    let mut searcher =
        Searcher::<G, E, _>::with_observer(root.clone(), method, order, &mut stop, &mut record);
    // As `duiyi compare` does: what shallower searches learn is part of some orders.
    for shallower in (1..depth.plies()).map(Depth::new) {
        searcher.prepare(shallower).ok()?;
        searcher.search(shallower).ok()?;
    }
    searcher.prepare(depth).ok()?;
    most.set(searcher.nodes().saturating_add(limit));
    let found = searcher.search(depth).ok()?;
    drop(searcher);
    record.end(found.value);
    let mut stop = |visited| visited > REFERENCE_NODE_LIMIT;
    let minimax =
        Searcher::<G, E>::new(root.clone(), Method::Minimax, Order::Natural, &mut stop).search(depth);
    let side = root.side_to_move();
    Some(Trace {
        record,
        depth: depth.plies(),
        side,
        value: value_text(by(method, side, found.value)),
        mv: move_text(root, found.pv.first().copied()),
        counts: found.counts,
        minimax: minimax.ok().map(|minimax| minimax.counts.nodes),
    })
}

/// What `--json` prints.
#[derive(Serialize)]
struct TraceJson<'a> {
    variant: &'a str,
    position: String,
    method: &'static str,
    order: &'static str,
    depth: i32,
    /// Whose side values and bounds are seen from: "MAX", or "mover", the one who moves at the node.
    perspective: &'static str,
    value: &'a str,
    #[serde(rename = "move")]
    mv: &'a str,
    nodes: u64,
    leaves: u64,
    evaluations: u64,
    cutoffs: u64,
    /// `None` if it was too much to count.
    minimax_nodes: Option<u64>,
    steps: &'a [Entry],
    /// The root first; those without value were cut off.
    tree: Vec<NodeJson<'a>>,
}

#[derive(Serialize)]
struct NodeJson<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    /// Where the parent stands in the list.
    parent: Option<usize>,
    player: &'static str,
    value: Option<String>,
    #[serde(serialize_with = "record::serialize_bound")]
    meaning: Bound,
}

/// Runs the command and writes to `out`.
///
/// # Errors
/// If an argument is wrong or the output cannot be written.
pub fn main(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    arguments.place.visit(Tracing { arguments, out })
}

/// The command, once the game is known.
struct Tracing<'a> {
    arguments: &'a Arguments,
    out: &'a mut dyn Write,
}

impl VariantVisitor for Tracing<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Heuristics + Notation, E: Evaluator<G>>(self) -> anyhow::Result<()> {
        run::<G, E>(self.arguments, self.out)
    }
}

fn run<G: Heuristics + Notation, E: Evaluator<G>>(
    arguments: &Arguments,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let root = arguments.place.root::<G>()?;
    let Some(trace) = trace::<G, E>(&root, arguments) else {
        let depth = arguments.depth.unwrap_or(1);
        anyhow::bail!(
            "--limit: a search to depth {depth} visits more than {} positions, or too \
             many before it; choose a lower --depth or a higher --limit",
            arguments.limit
        );
    };
    let position = root.position_text(NotationOptions::default());
    if arguments.json {
        let document = document(&trace, arguments, G::VARIANT, position);
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
    } else if arguments.dot {
        write!(out, "{}", draw::dot(&trace.record.nodes))?;
    } else {
        writeln!(out, "{}: {position}", G::VARIANT)?;
        print(&trace, arguments, out)?;
    }
    Ok(())
}

fn print(trace: &Trace, arguments: &Arguments, out: &mut dyn Write) -> std::io::Result<()> {
    let Trace { record, depth, side, value, mv, counts, minimax } = trace;
    let Arguments { method, order, .. } = arguments;
    let eyes = if method.is_white_relative() { "MAX" } else { "the side to move" };
    writeln!(
        out,
        "{} to depth {depth}, moves in {} order, values seen by {eyes}\n",
        method.name(),
        order.name()
    )?;
    for entry in &record.entries {
        writeln!(out, "{entry}")?;
    }
    write!(out, "\n{}", draw::tree(&record.nodes))?;
    writeln!(out, "\n{} moves: value {value}, move {mv}", player(*side))?;
    let Counts { nodes, cutoffs, .. } = *counts;
    let saved = match minimax {
        None => format!("minimax visits more than {REFERENCE_NODE_LIMIT}"),
        Some(all) if *all > nodes => format!("minimax visits {all}: {} saved", all - nodes),
        Some(all) => format!("minimax visits {all}: nothing is saved"),
    };
    let plural = if cutoffs == 1 { "" } else { "s" };
    writeln!(out, "{nodes} positions visited, {cutoffs} cutoff{plural}; {saved}")
}

fn document<'a>(
    trace: &'a Trace,
    arguments: &Arguments,
    variant: &'a str,
    position: String,
) -> TraceJson<'a> {
    let Trace { record, depth, value, mv, counts, minimax, .. } = trace;
    let branch = |node: &'a record::Node| NodeJson {
        mv: &node.name,
        parent: node.parent,
        player: player(node.side),
        value: node.value.map(value_text),
        meaning: node.meaning,
    };
    TraceJson {
        variant,
        position,
        method: arguments.method.name(),
        order: arguments.order.name(),
        depth: *depth,
        perspective: if arguments.method.is_white_relative() { "MAX" } else { "mover" },
        value,
        mv,
        nodes: counts.nodes,
        leaves: counts.leaves,
        evaluations: counts.evaluations,
        cutoffs: counts.cutoffs,
        minimax_nodes: *minimax,
        steps: &record.entries,
        tree: record.nodes.iter().map(branch).collect(),
    }
}
