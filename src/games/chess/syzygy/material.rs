//! The material of a table, from its name or from a board.

use super::super::bitboard::PieceType;
use super::super::board::Board;
use crate::game::Side;

/// The most pieces of a table.
pub const MAX_PIECES: usize = 7;

/// The number of pieces of each side and kind. The first side of a name is White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    counts: [[u8; 6]; 2],
}

impl Material {
    /// Reads a name such as `KRPvKR`; `None` for any other text.
    pub fn parse(name: &str) -> Option<Material> {
        let (white, black) = name.split_once('v')?;
        let mut counts = [[0; 6]; 2];
        for (side, letters) in [white, black].into_iter().enumerate() {
            for letter in letters.chars() {
                let kind =
                    PieceType::ALL.into_iter().find(|kind| kind.letter().to_ascii_uppercase() == letter)?;
                counts[side][kind.index()] += 1;
            }
        }
        let kings = counts.map(|side| side[PieceType::King.index()]);
        let pieces = (white.len() + black.len()) as u32;
        (kings == [1, 1] && (3..=MAX_PIECES as u32).contains(&pieces)).then_some(Material { counts })
    }

    pub fn count(&self, side: Side, kind: PieceType) -> usize {
        self.counts[side.index()][kind.index()].into()
    }

    /// The number of pawns and pieces, kings included.
    pub fn pieces(&self) -> usize {
        self.counts.iter().flatten().map(|&count| usize::from(count)).sum()
    }

    /// The material with the colours exchanged.
    pub fn mirrored(&self) -> Material {
        Material { counts: [self.counts[1], self.counts[0]] }
    }

    /// Whether both sides have the same.
    pub fn is_symmetric(&self) -> bool {
        *self == self.mirrored()
    }

    pub fn has_pawns(&self) -> bool {
        self.counts.iter().any(|side| side[PieceType::Pawn.index()] > 0)
    }

    /// The number of sides and kinds with exactly one piece.
    pub fn unique_pieces(&self) -> usize {
        self.counts.iter().flatten().filter(|&&count| count == 1).count()
    }

    /// The pawns of the side whose pawns lead the index of a table, and of the other side: the side with fewer pawns
    /// leads, White if both have the same number.
    pub fn leading_pawns(&self) -> [usize; 2] {
        let [white, black] = Side::ALL.map(|side| self.count(side, PieceType::Pawn));
        if black > 0 && (white == 0 || white > black) { [black, white] } else { [white, black] }
    }

    /// A number that differs for any two materials.
    pub fn key(&self) -> u64 {
        Side::ALL.into_iter().fold(0, |key, side| {
            PieceType::ALL.into_iter().fold(key, |key, kind| key << 4 | self.count(side, kind) as u64)
        })
    }
}

pub fn key_of(board: &Board) -> u64 {
    Side::ALL.into_iter().fold(0, |key, side| {
        PieceType::ALL
            .into_iter()
            .fold(key, |key, kind| key << 4 | u64::from(board.pieces(side, kind).count().min(15)))
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::Position;
    use super::*;
    use crate::game::Notation;

    #[test]
    fn parse_accepts_names_of_tables_only() {
        let material = Material::parse("KRPvKBP").unwrap();
        assert_eq!(material.pieces(), 6);
        assert!(material.has_pawns() && !material.is_symmetric());
        assert_eq!(material.leading_pawns(), [1, 1]);
        assert_eq!(Material::parse("KPPvKP").unwrap().leading_pawns(), [1, 2]);
        assert_eq!(Material::parse("KQvKP").unwrap().leading_pawns(), [1, 0]);
        assert!(Material::parse("KRvKR").unwrap().is_symmetric());
        assert_eq!(Material::parse("KNNvK").unwrap().unique_pieces(), 2);
        for bad in
            ["", "KvK", "KRK", "KRv", "KRvKRv", "krvk", "KKvK", "RvK", "KQQQQvKQQ", "K1vK", "KRvK.rtbw"]
        {
            assert_eq!(Material::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn key_of_board_is_that_of_its_name() {
        let board =
            *Position::start().parse_position("8/8/8/3k4/8/3KP3/3R4/5r2 w - - 0 1").unwrap().game.board();
        let material = Material::parse("KRPvKR").unwrap();
        assert_eq!(key_of(&board), material.key());
        assert_ne!(key_of(&board), material.mirrored().key());
    }
}
