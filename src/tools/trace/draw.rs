//! A trace for people to read: its lines, the tree that it walked, and that tree for Graphviz.

use super::record::{Bounds, Entry, Event, Node, bound_words, player};
use crate::textbook::Leaf;
use crate::tools::value_text;
use std::fmt;

/// Moves that a cutoff left out are named up to this number.
const NAMED: usize = 8;

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entry { node, player, ply, depth, bounds, event } = self;
        write!(f, "{:indent$}{node}: ", "", indent = 2 * ply)?;
        let window = bounds
            .as_ref()
            .map_or(String::new(), |Bounds { alpha, beta }| format!(", alpha {alpha}, beta {beta}"));
        match event {
            Event::Enter => write!(f, "{player} moves, depth {depth}{window}"),
            Event::Leaf { value, because } => write!(f, "{because}, {value}{window}"),
            Event::Value { mv, value, meaning, best_before, is_best, after } => {
                write!(f, "{mv} is worth {}{value}", bound_words(*meaning))?;
                match (best_before, is_best) {
                    (None, _) => write!(f, ", the first")?,
                    (Some(best), true) => write!(f, ", better than {best}")?,
                    (Some(best), false) => write!(f, ", no better than {best}")?,
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
            Event::Cutoff { why, last_move, left_out } => {
                write!(f, "cutoff, {why}. ")?;
                match left_out.as_slice() {
                    [] => write!(f, "{last_move} was the last move: this saves nothing"),
                    names if names.len() > NAMED => {
                        let more = names.len() - NAMED;
                        write!(f, "Not looked at: {} and {more} more", names[..NAMED].join(", "))
                    }
                    names => write!(f, "Not looked at: {}", names.join(", ")),
                }
            }
        }
    }
}

/// The tree below `nodes[0]`, a line for each node; `//` cuts the branches that were not looked at.
pub fn tree(nodes: &[Node]) -> String {
    let mut text = format!("{}\n", label(&nodes[0], " "));
    branches(nodes, 0, "", &mut text);
    text
}

fn branches(nodes: &[Node], at: usize, indent: &str, text: &mut String) {
    let children = &nodes[at].children;
    for (i, &child) in children.iter().enumerate() {
        let node = &nodes[child];
        let (corner, line) = if i + 1 == children.len() { ('`', ' ') } else { ('|', '|') };
        let edge = if node.value.is_some() { '-' } else { '/' };
        let gap = if edge == '/' { "/ " } else { " " };
        *text += &format!("{indent}{corner}{edge}{gap}{}\n", label(node, " "));
        branches(nodes, child, &format!("{indent}{line}  "), text);
    }
}

/// The tree as a graph for Graphviz's `dot`: MAX points up, MIN down, what was cut off is dashed.
pub fn dot(nodes: &[Node]) -> String {
    let mut text = String::from("digraph trace {\n  node [fontname=\"sans-serif\"];\n");
    for (at, node) in nodes.iter().enumerate() {
        let shape = match (node.value, node.leaf, player(node.side)) {
            (None, ..) | (_, Some(_), _) => "box",
            (.., "MAX") => "triangle",
            _ => "invtriangle",
        };
        let cut = if node.value.is_none() { ", style=dashed, color=gray, fontcolor=gray" } else { "" };
        let label = label(node, "\n").replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        text += &format!("  n{at} [shape={shape}, label=\"{label}\"{cut}];\n");
        if let Some(parent) = node.parent {
            let cut = if cut.is_empty() { "" } else { " [style=dashed, color=gray, label=\"//\"]" };
            text += &format!("  n{parent} -> n{at}{cut};\n");
        }
    }
    text + "}\n"
}

/// A node's move, player and value; `gap` stands after the move.
fn label(node: &Node, gap: &str) -> String {
    let Some(value) = node.value else { return node.name.clone() };
    let player = if node.leaf.is_some() { "" } else { ["MAX ", "MIN "][node.side.index()] };
    let remark = match node.leaf {
        Some(Leaf::Memoised) => ", remembered",
        _ if node.cutoff => ", cutoff",
        _ => "",
    };
    format!("{}{gap}{player}{}{}{remark}", node.name, bound_words(node.meaning), value_text(value))
}
