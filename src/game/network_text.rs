//! What `eval` prints of a network: the value of each output bucket, and what each cell contributes.

use super::{Notation, Side};
use crate::nnue::{Accumulators, Features, Network};
use std::fmt::Write;
use std::sync::Arc;

/// The numbers of each of `buckets` output buckets, as text, where each bucket but the last has `size` of them, from 0 on.
pub fn count_ranges(size: usize, buckets: usize) -> Vec<String> {
    let range = |bucket| match bucket * size {
        first if bucket + 1 == buckets => format!("{first} and more"),
        first => format!("{first} to {}", first + size - 1),
    };
    (0..buckets).map(range).collect()
}

/// How the text about a network shows a game whose cells are the squares of a board: a1, b1 and so on, rank by rank.
pub struct NetworkText<'a> {
    /// The number of files.
    pub files: usize,
    /// The letter of a file.
    pub file_letter: fn(usize) -> char,
    /// The number of ranks.
    pub ranks: usize,
    /// What decides on the output bucket, in the plural.
    pub counted: &'a str,
    /// What is left out to show what a cell contributes: a noun, and the pronoun for it.
    pub content: [&'a str; 2],
    /// What each output bucket stands for.
    pub buckets: &'a [String],
    /// The letter of what stands on a square.
    pub letter: &'a dyn Fn(usize) -> char,
    /// Whether a king stands on the square: without it there is no value.
    pub is_king: &'a dyn Fn(usize) -> bool,
}

impl NetworkText<'_> {
    /// Returns two tables for `game`: the value of each output bucket, and the board with what each cell contributes,
    /// both from the point of view of the side that moves first. A line names the network and how it was trained.
    pub fn explain<G, const CELLS: usize>(&self, network: &Arc<Network>, game: &G) -> String
    where
        G: Notation + Features<CELLS>,
    {
        let sign = if game.side_to_move() == Side::White { 1 } else { -1 };
        let mut accumulators = Accumulators::new(network.clone());
        let value = accumulators.evaluate(game);
        let buckets: Vec<i32> =
            (0..G::OUTPUT_BUCKETS).map(|bucket| sign * accumulators.output(game, bucket)).collect();
        let mut contribution = |cell: usize| {
            let mut cells = game.cells();
            if cells[cell] == G::EMPTY || (self.is_king)(cell) {
                return None;
            }
            cells[cell] = G::EMPTY;
            Some(sign * (value - accumulators.evaluate_cells(game, cells)))
        };
        let cells: Vec<Option<i32>> = (0..CELLS).map(&mut contribution).collect();
        let text = self.tables(G::SIDE_NAMES[0], game.output_bucket(), &buckets, &cells);
        text + &format!("Network {:08x}, trained as: {}\n", network.hash(), network.description)
    }

    /// Returns the tables of the values of `buckets`, of which the position uses `used`, and of the `contributions` by cell.
    fn tables(&self, white: &str, used: usize, buckets: &[i32], contributions: &[Option<i32>]) -> String {
        let mut text = format!("bucket {:>10}   value ({white}'s side)\n", self.counted);
        for (bucket, (value, name)) in buckets.iter().zip(self.buckets).enumerate() {
            let mark = if bucket == used { "  this position" } else { "" };
            let _ = writeln!(text, "{:>6} {name:>10} {value:>+7}{mark}", bucket + 1);
        }
        let [content, pronoun] = self.content;
        let _ = writeln!(text, "\nvalue with {content} minus value without {pronoun} ({white}'s side)");
        let width = self.ranks.to_string().len();
        for rank in (0..self.ranks).rev() {
            let cells = rank * self.files..(rank + 1) * self.files;
            let letters: String = cells.clone().map(|cell| format!("{:>7}", (self.letter)(cell))).collect();
            let value = |cell: usize| contributions[cell].map_or(String::new(), |value| format!("{value:+}"));
            let numbers: String = cells.map(|cell| format!("{:>7}", value(cell))).collect();
            let numbers = format!("{:width$}{numbers}", "");
            let _ = writeln!(text, "{:>width$}{letters}\n{}", rank + 1, numbers.trim_end());
        }
        let files: String = (0..self.files).map(|file| format!("{:>7}", (self.file_letter)(file))).collect();
        text + &format!("{:width$}{files}\n\n", "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_counts_leave_nothing_out() {
        assert_eq!(count_ranges(12, 3), ["0 to 11", "12 to 23", "24 and more"]);
    }
}
