//! Numbers the placements of a table's pieces. The numbering is that of the format: symmetric positions share a number.
//!
//! Without pawns the leading pieces, two kings or three different pieces, are reflected so that the first is in the
//! triangle a1-d1-d4 and the first piece off the long diagonal is below it. With pawns the leading pawn is brought to
//! the files a to d, each of which has a part of its own. Pieces of the same kind are a group: their squares are
//! numbered as a combination.

use super::super::bitboard::{Bitboard, Piece, PieceType};
use super::super::board::Board;
use super::material::{MAX_PIECES, Material};
use crate::game::{Side, const_for};

/// The squares of the pieces of a position, in the order of a table's part.
type Squares = [u8; MAX_PIECES];

const fn binomial(n: usize, size: usize) -> u64 {
    let mut product = 1;
    const_for!(i, 0..size, {
        if n <= i {
            return 0;
        }
        product = product * (n - i) as u64 / (i + 1) as u64;
    });
    product
}

/// [`binomial`] as a table: `BINOMIAL[size][n]`.
const BINOMIAL: [[u64; 64]; MAX_PIECES] = {
    let mut table = [[0; 64]; MAX_PIECES];
    const_for!(size, 0..MAX_PIECES, {
        const_for!(n, 0..64, {
            table[size][n] = binomial(n, size);
        });
    });
    table
};

/// The numbers of the squares of the triangle a1-d1-d4: first those below the diagonal.
const TRIANGLE: [[u8; 4]; 4] = [[6, 0, 1, 2], [0, 7, 3, 4], [1, 3, 8, 5], [2, 4, 5, 9]];

/// The number of placements of two kings that do not touch, up to symmetry.
const KINGS: u64 = 462;
/// The number of placements of three different pieces, up to symmetry.
const THREE_PIECES: u64 = 31_332;

/// No placement: the kings touch, or the pair is the reflection of another.
const NONE: u16 = u16::MAX;

/// The number of two kings: the first by its number in [`TRIANGLE`], the second by its square. Pairs with both kings on
/// the diagonal come last.
const KING_PAIRS: [[u16; 64]; 10] = {
    let mut table = [[NONE; 64]; 10];
    let mut next = 0;
    const_for!(both_on_diagonal, 0..2, {
        const_for!(first, 0..10, {
            let (file, rank) = triangle_square(first);
            const_for!(second, 0..64, {
                let (other_file, other_rank) = (second % 8, second / 8);
                let touching = file.abs_diff(other_file) <= 1 && rank.abs_diff(other_rank) <= 1;
                let reflected = file == rank && other_rank > other_file;
                let on_diagonal = file == rank && other_rank == other_file;
                if !touching && !reflected && on_diagonal == (both_on_diagonal == 1) {
                    table[first as usize][second] = next;
                    next += 1;
                }
            });
        });
    });
    assert!(next as u64 == KINGS);
    table
};

/// The file and rank of a number in [`TRIANGLE`], on or below the diagonal.
const fn triangle_square(number: u8) -> (usize, usize) {
    const_for!(square, 0..16, {
        let (file, rank) = (square % 4, square / 4);
        if rank <= file && TRIANGLE[rank][file] == number {
            return (file, rank);
        }
    });
    panic!("a number of the triangle")
}

/// The distance of a square's file from the edge: 0 to 3.
const fn edge_file(square: u8) -> usize {
    let file = (square & 7) as usize;
    if file < 4 { file } else { 7 - file }
}

/// The order in which the leading pawns' squares are combined: 47 for a2 down to 0 for e7.
const fn pawn_number(square: u8) -> usize {
    let rank = (square >> 3) as usize;
    47 - 12 * edge_file(square) - 2 * (rank - 1) - (square & 7 > 3) as usize
}

/// The number of placements of `others` further leading pawns while the first stands on the same file on an earlier
/// rank, for each rank of the first; then their sum.
const fn pawn_offsets(others: usize, file: usize) -> [u64; 7] {
    let mut offsets = [0; 7];
    const_for!(i, 0..6, {
        let square = ((i + 1) * 8 + file) as u8;
        offsets[i + 1] = offsets[i] + BINOMIAL[others][pawn_number(square)];
    });
    offsets
}

const PAWN_OFFSETS: [[[u64; 7]; 4]; 6] = {
    let mut table = [[[0; 7]; 4]; 6];
    const_for!(others, 0..6, {
        const_for!(file, 0..4, {
            table[others][file] = pawn_offsets(others, file);
        });
    });
    table
};

/// How the leading group, the first of a table, is numbered.
#[derive(Clone, Copy, Debug)]
enum Leading {
    /// Without pawns, if the kings are the only single pieces: the two kings.
    Kings,
    /// Without pawns: three different pieces.
    ThreePieces,
    /// All pawns of one side, this many; the first is on the file of the part.
    Pawns(usize),
}

impl Leading {
    fn of(material: &Material) -> Leading {
        match material.leading_pawns()[0] {
            0 if material.unique_pieces() == 2 => Leading::Kings,
            0 => Leading::ThreePieces,
            pawns => Leading::Pawns(pawns),
        }
    }

    /// The number of pieces.
    fn length(self) -> usize {
        match self {
            Leading::Kings => 2,
            Leading::ThreePieces => 3,
            Leading::Pawns(pawns) => pawns,
        }
    }

    /// The number of placements, those of pawns with the first on `file`.
    fn size(self, file: usize) -> u64 {
        match self {
            Leading::Kings => KINGS,
            Leading::ThreePieces => THREE_PIECES,
            Leading::Pawns(pawns) => PAWN_OFFSETS[pawns - 1][file][6],
        }
    }

    /// The number of the placement of the first of `squares`. Reflects all of them so that these are in their normal form.
    /// `None` if a table cannot have the placement.
    fn number(self, squares: &mut [u8]) -> Option<u64> {
        match self {
            Leading::Kings => number_kings(squares),
            Leading::ThreePieces => Some(number_three_pieces(squares)),
            Leading::Pawns(pawns) => Some(number_pawns(squares, pawns)),
        }
    }
}

/// How the placements of one part of a table are numbered.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// The pieces in the order of their groups.
    pieces: Vec<Piece>,
    leading: Leading,
    /// The length of each group and the factor of its number. The leading group is first; the pawns of the other side,
    /// if both have pawns, are second.
    groups: Vec<(usize, u64)>,
    pawns_of_both: bool,
    /// The number of placements.
    pub size: u64,
}

impl Numbering {
    /// Reads the numbering of a part: `order` is the place of the leading group and of the second pawns among the
    /// factors, `pieces` the codes of the pieces, `file` the file of the leading pawn. `None` if they do not belong
    /// to the material.
    pub fn new(material: &Material, order: [u8; 2], codes: &[u8], file: usize) -> Option<Numbering> {
        let pieces = pieces_of_material(material, codes)?;
        let leading = Leading::of(material);
        let second_pawns = material.leading_pawns()[1];
        let pawns_of_both = second_pawns > 0;
        let mut lengths = vec![leading.length()];
        lengths.extend(pawns_of_both.then_some(second_pawns));
        let fixed = lengths.len();
        let first_of_rest = lengths.iter().sum();
        let (first, rest) = pieces.split_at_checked(first_of_rest)?;
        let is_pawn = |piece: &Piece| piece.kind() == Some(PieceType::Pawn);
        if let Leading::Pawns(pawns) = leading
            && !(first.iter().all(is_pawn) && first[0] == first[pawns - 1])
        {
            return None;
        }
        lengths.extend(rest.chunk_by(Piece::eq).map(<[Piece]>::len));
        let places = [Some(order[0]), pawns_of_both.then_some(order[1])].map(|place| place.map(usize::from));
        let is_place = |place: Option<usize>| place.is_none_or(|place| place < lengths.len());
        if !places.into_iter().all(is_place) || places[0] == places[1] {
            return None;
        }
        let mut groups: Vec<(usize, u64)> = lengths.iter().map(|&length| (length, 0)).collect();
        let (mut size, mut free, mut next) = (1, 64 - first_of_rest, fixed);
        for place in 0..groups.len() {
            let (group, count) = if places[0] == Some(place) {
                (0, leading.size(file))
            } else if places[1] == Some(place) {
                (1, binomial(48 - lengths[0], lengths[1]))
            } else {
                let length = lengths[next];
                next += 1;
                free -= length;
                (next - 1, binomial(free + length, length))
            };
            groups[group].1 = size;
            size *= count;
        }
        Some(Numbering { pieces, leading, groups, pawns_of_both, size })
    }

    /// The number of the placement of `board`; `exchanged` if the table's colours are not the board's. `None` if the
    /// table cannot have it.
    pub fn index(&self, board: &Board, exchanged: bool) -> Option<u64> {
        let mut squares = self.squares(board, exchanged);
        let squares = &mut squares[..self.pieces.len()];
        let mut number = self.leading.number(squares)? * self.groups[0].1;
        let mut placed = self.leading.length();
        for (group, &(length, factor)) in self.groups.iter().enumerate().skip(1) {
            let first_square = if group == 1 && self.pawns_of_both { 8 } else { 0 };
            let (before, rest) = squares.split_at_mut(placed);
            number += number_group(before, &mut rest[..length], first_square) * factor;
            placed += length;
        }
        Some(number)
    }

    /// The squares of the board's pieces, in the order of the table. With pawns the leading one is first.
    fn squares(&self, board: &Board, exchanged: bool) -> Squares {
        let has_pawns = matches!(self.leading, Leading::Pawns(_));
        let flip = if exchanged && has_pawns { 56 } else { 0 };
        let mut squares = [0; MAX_PIECES];
        let mut last = (Piece::NONE, Bitboard::EMPTY);
        for (square, &piece) in squares.iter_mut().zip(&self.pieces) {
            if last.0 != piece {
                last = (piece, pieces_of(board, piece, exchanged));
            }
            *square = last.1.next().map_or(0, |square| square.index() as u8) ^ flip;
        }
        if has_pawns {
            lead(&mut squares[..self.leading.length()]);
        }
        squares
    }

    pub fn first_piece(&self) -> Piece {
        self.pieces[0]
    }
}

/// The pieces with these `codes`, if they are those of `material` with equal ones in a row.
fn pieces_of_material(material: &Material, codes: &[u8]) -> Option<Vec<Piece>> {
    let pieces: Vec<Piece> = codes.iter().map(|&code| piece(code)).collect::<Option<_>>()?;
    let runs: Vec<&[Piece]> = pieces.chunk_by(Piece::eq).collect();
    let is_complete =
        |run: &&[Piece]| run[0].kind().is_some_and(|kind| material.count(run[0].side(), kind) == run.len());
    let kinds = Side::ALL.map(|side| PieceType::ALL.map(|kind| material.count(side, kind) > 0));
    let all = runs.len() == kinds.iter().flatten().filter(|&&has| has).count();
    (all && runs.iter().all(is_complete)).then_some(pieces)
}

/// The number of the leading `pawns`. Reflects all squares so that the first pawn is on the files a to d.
fn number_pawns(squares: &mut [u8], pawns: usize) -> u64 {
    if squares[0] & 4 != 0 {
        squares.iter_mut().for_each(|square| *square ^= 7);
    }
    let (first, others) = squares[..pawns].split_first_mut().expect("a leading pawn");
    others.sort_unstable_by_key(|&square| std::cmp::Reverse(pawn_number(square)));
    let rank = usize::from(*first >> 3) - 1;
    let offset = PAWN_OFFSETS[others.len()][edge_file(*first)][rank];
    let combined = others.iter().enumerate();
    offset + combined.map(|(i, &square)| BINOMIAL[others.len() - i][pawn_number(square)]).sum::<u64>()
}

/// How far a square is above the long diagonal; negative below it.
fn above_diagonal(square: u8) -> i32 {
    (square >> 3) as i32 - (square & 7) as i32
}

/// Reflects `squares` so that the first of them is in the triangle a1-d1-d4, and the first of the `leading` ones that is off the
/// long diagonal below it. Returns the number of the first square in the triangle.
fn reflect_into_triangle(squares: &mut [u8], leading: usize) -> u8 {
    let reflect = |squares: &mut [u8], bits: u8| squares.iter_mut().for_each(|square| *square ^= bits);
    if squares[0] & 4 != 0 {
        reflect(squares, 7);
    }
    if squares[0] & 32 != 0 {
        reflect(squares, 56);
    }
    let sides = squares[..leading].iter().map(|&square| above_diagonal(square));
    if sides.into_iter().find(|&side| side != 0).is_some_and(|side| side > 0) {
        squares.iter_mut().for_each(|square| *square = *square >> 3 | (*square & 7) << 3);
    }
    TRIANGLE[usize::from(squares[0] >> 3)][usize::from(squares[0] & 7)]
}

fn number_kings(squares: &mut [u8]) -> Option<u64> {
    let first = reflect_into_triangle(squares, 2);
    let number = KING_PAIRS[usize::from(first)][usize::from(squares[1])];
    (number != NONE).then_some(number.into())
}

fn number_three_pieces(squares: &mut [u8]) -> u64 {
    let triangle = u64::from(reflect_into_triangle(squares, 3));
    let [first, second, third] = [squares[0], squares[1], squares[2]];
    let before_second = u64::from(second > first);
    let before_third = u64::from(third > first) + u64::from(third > second);
    let diagonal = |square: u8| u64::from(square & 7);
    // On the diagonal the first piece has 4 squares; the squares below it have numbers from 0 to 27.
    if above_diagonal(first) != 0 {
        (triangle * 63 + u64::from(second) - before_second) * 62 + u64::from(third) - before_third
    } else if above_diagonal(second) != 0 {
        6 * 63 * 62 + (diagonal(first) * 28 + below_diagonal(second)) * 62 + u64::from(third) - before_third
    } else if above_diagonal(third) != 0 {
        6 * 63 * 62
            + 4 * 28 * 62
            + (diagonal(first) * 7 + diagonal(second) - before_second) * 28
            + below_diagonal(third)
    } else {
        6 * 63 * 62
            + 4 * 28 * 62
            + 4 * 7 * 28
            + (diagonal(first) * 7 + diagonal(second) - before_second) * 6
            + diagonal(third)
            - before_third
    }
}

/// The file, as its distance from the edge, of the leading pawn: the part of the table that has the position.
pub fn leading_file(board: &Board, piece: Piece, exchanged: bool) -> usize {
    // The reflection of ranks does not change a file.
    let mut squares = [0; MAX_PIECES];
    let mut count = 0;
    for square in pieces_of(board, piece, exchanged).take(MAX_PIECES) {
        squares[count] = square.index() as u8 ^ if exchanged { 56 } else { 0 };
        count += 1;
    }
    lead(&mut squares[..count]);
    edge_file(squares[0])
}

/// Brings the leading pawn to the front: the one nearest to the a or h file, then on the lowest rank.
fn lead(pawns: &mut [u8]) {
    let order = |square: u8| 6 * edge_file(square) + usize::from(square >> 3);
    for i in 1..pawns.len() {
        if order(pawns[i]) < order(pawns[0]) {
            pawns.swap(0, i);
        }
    }
}

/// The board's pieces that a table calls `piece`.
fn pieces_of(board: &Board, piece: Piece, exchanged: bool) -> Bitboard {
    let side = if exchanged { !piece.side() } else { piece.side() };
    piece.kind().map_or(Bitboard::EMPTY, |kind| board.pieces(side, kind))
}

/// The number of a group's squares as a combination of the squares that the pieces `before` it leave free.
fn number_group(before: &[u8], group: &mut [u8], first_square: u8) -> u64 {
    group.sort_unstable();
    let number = |(i, &square): (usize, &u8)| {
        let taken = before.iter().filter(|&&other| other < square).count();
        BINOMIAL[i + 1][(usize::from(square) - taken).saturating_sub(first_square.into())]
    };
    group.iter().enumerate().map(number).sum()
}

/// The number of a square below the long diagonal, row by row; its reflection has the same.
fn below_diagonal(square: u8) -> u64 {
    let (file, rank) = (u64::from(square & 7), u64::from(square >> 3));
    let (low, high) = (file.min(rank), file.max(rank));
    7 * low - low * low.saturating_sub(1) / 2 + high - low - 1
}

/// The piece with this code in a file: 1 to 6 for the kinds, plus 8 for the second side.
fn piece(code: u8) -> Option<Piece> {
    let side = if code & 8 == 0 { Side::White } else { Side::Black };
    let kind = *PieceType::ALL.get(usize::from(code & 7).checked_sub(1)?)?;
    Some(Piece::new(side, kind))
}

#[cfg(test)]
mod tests {
    use super::super::super::Position;
    use super::super::super::bitboard::Square;
    use super::*;
    use crate::game::{Game, Notation};
    use std::collections::BTreeSet;

    fn numbering(name: &str, order: [u8; 2], codes: &[u8]) -> Numbering {
        Numbering::new(&Material::parse(name).unwrap(), order, codes, 0).unwrap()
    }

    #[test]
    fn numbering_of_foreign_pieces_is_none() {
        let material = Material::parse("KRvK").unwrap();
        assert!(Numbering::new(&material, [0, 15], &[4, 6, 14], 0).is_some());
        for (order, codes) in
            [([0, 15], [5, 6, 14]), ([0, 15], [4, 6, 6]), ([0, 15], [0, 6, 14]), ([3, 15], [4, 6, 14])]
        {
            assert!(Numbering::new(&material, order, &codes, 0).is_none(), "{order:?} {codes:?}");
        }
    }

    #[test]
    fn index_of_three_pieces_is_a_bijection_up_to_symmetry() {
        let numbering = numbering("KRvK", [0, 15], &[4, 6, 14]);
        let mut seen = BTreeSet::new();
        let mut positions = 0;
        for squares in 0..64u32.pow(3) {
            let [king, rook, other] =
                [squares & 63, squares >> 6 & 63, squares >> 12].map(|index| Square::new(index as u8));
            if king == rook || king == other || rook == other {
                continue;
            }
            let mut board = *Position::start().board();
            board.by_kind = [Bitboard::EMPTY; 6];
            board.by_side = [king.bit() | rook.bit(), other.bit()];
            board.by_kind[PieceType::Rook.index()] = rook.bit();
            board.by_kind[PieceType::King.index()] = king.bit() | other.bit();
            let index = numbering.index(&board, false).unwrap();
            assert!(index < numbering.size);
            seen.insert(index);
            positions += 1;
        }
        assert_eq!(positions, 64 * 63 * 62);
        assert_eq!(seen.len() as u64, THREE_PIECES);
    }

    #[test]
    fn index_of_a_reflected_position_is_the_same() {
        let position = |text: &str| Position::start().parse_position(text).unwrap().game;
        let pawns = numbering("KPPvK", [0, 15], &[1, 1, 6, 14]);
        let pieces = numbering("KNNvK", [0, 15], &[6, 14, 2, 2]);
        for (numbering, one, other) in [
            (&pawns, "8/8/8/3k4/8/1P6/4PK2/8 w - - 0 1", "8/8/8/4k3/8/6P1/2KP4/8 w - - 0 1"),
            (&pieces, "8/8/8/3k4/8/1N6/4NK2/8 w - - 0 1", "8/2KN4/6N1/8/4k3/8/8/8 w - - 0 1"),
        ] {
            let (one, other) = (position(one), position(other));
            assert_ne!(one.key(), other.key());
            assert_eq!(numbering.index(one.board(), false), numbering.index(other.board(), false));
        }
    }
}
