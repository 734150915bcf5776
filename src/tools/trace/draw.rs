//! The text of a trace: its steps, its search tree, and the tree for Graphviz.

use super::record::{Bounds, Node, StepEvent, TraceStep};
use super::text::{bound_words, leaf_reason, player};
use crate::textbook::Leaf;
use crate::tools::value_text;
use std::fmt;

/// Maximum number of skipped moves that the line of a cutoff lists.
const MAX_LISTED_MOVES: usize = 8;

impl fmt::Display for TraceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TraceStep { node, player, ply, depth, bounds, event } = self;
        write!(f, "{:indent$}{node}: ", "", indent = 2 * ply)?;
        let window = bounds
            .as_ref()
            .map_or(String::new(), |Bounds { alpha, beta }| format!(", alpha {alpha}, beta {beta}"));
        match event {
            StepEvent::Enter { v } => write!(f, "{player} moves, depth {depth}{window}, v {v}"),
            StepEvent::Leaf { value, because } => write!(f, "{}, {value}{window}", leaf_reason(*because)),
            StepEvent::Value { mv, value, bound, best_before, is_best, failed_test, after } => {
                write!(f, "{mv} is worth {}{value}", bound_words(*bound))?;
                match (best_before, is_best) {
                    (None, _) => write!(f, ", the first")?,
                    (Some(best), true) => write!(f, ", better than {best}")?,
                    (Some(best), false) => write!(f, ", no better than {best}")?,
                }
                if let Some(test) = failed_test {
                    write!(f, "; {test}? No")?;
                }
                let (Some(before), Some(after)) = (bounds, after) else { return Ok(()) };
                if before.alpha != after.alpha {
                    write!(f, "; alpha rises to {}", after.alpha)?;
                }
                if before.beta != after.beta {
                    write!(f, "; beta falls to {}", after.beta)?;
                }
                Ok(())
            }
            StepEvent::Cutoff { why, last_move, left_out } => {
                write!(f, "cutoff, {why}. ")?;
                match left_out.as_slice() {
                    [] => write!(f, "{last_move} was the last move: this saves nothing"),
                    moves if moves.len() > MAX_LISTED_MOVES => {
                        let (listed, rest) = moves.split_at(MAX_LISTED_MOVES);
                        write!(f, "Not looked at: {} and {} more", listed.join(", "), rest.len())
                    }
                    moves => write!(f, "Not looked at: {}", moves.join(", ")),
                }
            }
        }
    }
}

/// The tree as text, a line for each node from the root `nodes[0]`. `//` marks the moves that a cutoff
/// skipped.
pub fn tree(nodes: &[Node]) -> String {
    let mut text = format!("{}\n", label(&nodes[0], " "));
    append_children(nodes, 0, "", &mut text);
    text
}

fn append_children(nodes: &[Node], parent: usize, indent: &str, text: &mut String) {
    let children = &nodes[parent].children;
    for (i, &child) in children.iter().enumerate() {
        let node = &nodes[child];
        let (corner, line) = if i + 1 == children.len() { ('`', ' ') } else { ('|', '|') };
        let edge = if node.value.is_some() { '-' } else { '/' };
        let gap = if edge == '/' { "/ " } else { " " };
        *text += &format!("{indent}{corner}{edge}{gap}{}\n", label(node, " "));
        append_children(nodes, child, &format!("{indent}{line}  "), text);
    }
}

/// The tree in the DOT language of Graphviz. MAX nodes are triangles that point up, MIN nodes point down, and
/// the moves that a cutoff skipped are dashed.
pub fn dot(nodes: &[Node]) -> String {
    let mut text = String::from("digraph trace {\n  node [fontname=\"sans-serif\"];\n");
    for (i, node) in nodes.iter().enumerate() {
        let shape = match (node.value, node.leaf, player(node.side)) {
            (None, ..) | (_, Some(_), _) => "box",
            (.., "MAX") => "triangle",
            _ => "invtriangle",
        };
        let style = if node.value.is_none() { ", style=dashed, color=gray, fontcolor=gray" } else { "" };
        let label = label(node, "\n").replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        text += &format!("  n{i} [shape={shape}, label=\"{label}\"{style}];\n");
        if let Some(parent) = node.parent {
            let edge_style = if style.is_empty() { "" } else { " [style=dashed, color=gray, label=\"//\"]" };
            text += &format!("  n{parent} -> n{i}{edge_style};\n");
        }
    }
    text + "}\n"
}

/// The label of a node: its move, `gap`, its player and value, and the last alpha and beta of an inner node.
fn label(node: &Node, gap: &str) -> String {
    let Some(value) = node.value else { return node.name.clone() };
    let player = if node.leaf.is_some() { "" } else { ["MAX ", "MIN "][node.side.index()] };
    let remark = match node.leaf {
        Some(Leaf::Memoised) => ", remembered",
        _ if node.cutoff => ", cutoff",
        _ => "",
    };
    let window = match (node.leaf, node.current_window) {
        (None, Some(window)) => {
            let Bounds { alpha, beta } = window.into();
            format!("{}alpha {alpha}, beta {beta}", if gap == "\n" { gap } else { "; " })
        }
        _ => String::new(),
    };
    format!("{}{gap}{player}{}{}{remark}{window}", node.name, bound_words(node.bound), value_text(value))
}
