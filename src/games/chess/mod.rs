//! Chess and Chess960: rules, notation, search heuristics and two evaluations, written by hand and by a network.
//!
//! Entry points are [`Position`] and [`Evaluation`].

mod attacks;
mod bench;
mod bitboard;
mod board;
mod classical;
mod cuckoo;
mod evaluation;
mod features;
mod fen;
mod movegen;
mod moves;
mod openings;
mod polyglot;
mod position;
mod san;
mod see;
mod syzygy;

pub use board::Board;
pub use classical::Classical;
pub use evaluation::Evaluation;
pub use position::Position;

#[cfg(test)]
mod tests {
    use super::Position;
    use crate::game::{Game, Notation, conformance};

    #[test]
    fn chess_positions_pass_conformance() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1",
        ] {
            let start = Position::start().parse_position(text).unwrap().game;
            conformance::check(&start, 8, 120, 7);
        }
    }

    #[test]
    fn start_positions_are_numbered_by_scharnagl() {
        let listed = include_str!("../../../tests/data/perft/chess960_starts.epd");
        let fens = listed.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(" ;").next());
        let starts: Vec<_> = (1..Position::START_COUNT)
            .map(|number| Position::start().start_position(number).unwrap())
            .collect();
        let written: Vec<_> = starts.iter().map(|start| start.record_text()).collect();
        assert!(fens.eq(written.iter().map(|text| Some(text.as_str()))));
        assert_eq!(Position::start().start_position(0).unwrap().key(), Position::start().key());
        assert!(Position::start().start_position(Position::START_COUNT).is_none());
    }
}
