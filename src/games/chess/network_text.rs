//! What `eval` prints of a network: the value of each output bucket, and what each piece contributes.

use super::bitboard::{Piece, PieceType, Square};
use super::features::bucket_of;
use super::position::Position;
use crate::game::{Game, Side};
use crate::nnue::{Accumulators, Features, Network};
use std::fmt::Write;
use std::sync::Arc;

/// The values that explain an evaluation, from White's point of view.
struct Values {
    /// The value in each output bucket.
    buckets: Vec<i32>,
    /// For each square with a piece that is no king: the value of the position minus its value without the piece.
    pieces: [Option<i32>; 64],
}

impl Values {
    fn new(network: &Arc<Network>, position: &Position) -> Values {
        let sign = if position.side_to_move() == Side::White { 1 } else { -1 };
        let mut accumulators = Accumulators::new(network.clone());
        let value = accumulators.evaluate(position);
        let buckets =
            (0..Position::OUTPUT_BUCKETS).map(|bucket| sign * accumulators.output(position, bucket));
        let buckets = buckets.collect();
        let mut contribution = |square: usize| {
            let kind = position.board().mailbox[square].kind()?;
            if kind == PieceType::King {
                return None;
            }
            let mut cells = position.cells();
            cells[square] = Position::EMPTY;
            Some(sign * (value - accumulators.evaluate_cells(position, cells)))
        };
        Values { buckets, pieces: std::array::from_fn(&mut contribution) }
    }
}

/// Two tables for `position`: the value of each output bucket, and the board with what each piece contributes, both from
/// White's point of view.
pub fn explain(network: &Arc<Network>, position: &Position) -> String {
    let Values { buckets, pieces } = Values::new(network, position);
    let mut text = format!("network {:08x}: {}\n\n", network.hash(), network.description);
    text += "bucket     pieces   value (White's side)\n";
    for (bucket, value) in buckets.iter().enumerate() {
        let counts: Vec<usize> = (2..=32).filter(|&count| bucket_of(count) == bucket).collect();
        let range = format!("{} to {}", counts[0], counts[counts.len() - 1]);
        let mark = if bucket == position.output_bucket() { "  this position" } else { "" };
        let _ = writeln!(text, "{:>6} {range:>10} {value:>+7}{mark}", bucket + 1);
    }
    text += "\nvalue with each piece minus value without it (White's side)\n";
    for rank in (0..8).rev() {
        let squares = (0..8).map(|file| Square::at(file, rank));
        let letter = |square| -> Piece { position.board().piece_on(square) };
        let letters: String =
            squares.clone().map(|square| format!("{:>7}", letter(square).letter())).collect();
        let value =
            |square: Square| pieces[square.index()].map_or(String::new(), |value| format!("{value:+}"));
        let values: String = squares.map(|square| format!("{:>7}", value(square))).collect();
        let _ = writeln!(text, "{}{letters}\n{}", rank + 1, format!(" {values}").trim_end());
    }
    let files: String = ('a'..='h').map(|file| format!("{file:>7}")).collect();
    text + " " + &files + "\n\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    #[test]
    fn contribution_of_a_piece_is_the_difference_to_the_position_without_it() {
        let network = Arc::new(Network::random::<Position, 64>(Position::VARIANT, 256, 1));
        let position = |text: &str| Position::parse_position(text).unwrap().game;
        let value = |text: &str| {
            let position = position(text);
            let value = Accumulators::new(network.clone()).evaluate(&position);
            if position.side_to_move() == Side::White { value } else { -value }
        };
        for side in ["w", "b"] {
            let whole = format!("4k3/8/8/8/8/8/PPP5/4K3 {side} - - 0 1");
            let values = Values::new(&network, &position(&whole));
            let expected = value(&whole) - value(&format!("4k3/8/8/8/8/8/P1P5/4K3 {side} - - 0 1"));
            assert_eq!(values.pieces[Square::at(1, 1).index()], Some(expected));
            assert_eq!(values.pieces.iter().flatten().count(), 3);
            assert_eq!((values.buckets[0], values.buckets.len()), (value(&whole), 8));
            let text = explain(&network, &position(&whole));
            assert!(
                text.contains(&format!("     1     2 to 5 {:>+7}  this position\n", value(&whole))),
                "{text}"
            );
            assert!(text.contains("     8   30 to 32 ") && text.contains(&format!("{expected:+}")), "{text}");
            assert_eq!(text.matches("this position").count(), 1);
            assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
        }
    }
}
