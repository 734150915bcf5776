//! The hand-written evaluation: a weighted sum of features, interpolated between middlegame and endgame. It names, for each
//! feature, its weight in `weights.rs` and how often it counts for which side.

use super::attacks;
use super::bitboard::{Bitboard, PieceType, SQUARES, Square};
use super::board::Board;
use super::moves::XiangqiMove;
use super::position::Xiangqi;
use super::weights::*;
use crate::game::{Evaluator, Move, Score, Side, TaperedScore, Term, Weight, const_for};

/// The phase that one piece adds, by [`PieceType::index`].
const PHASE_WEIGHTS: [i32; PieceType::COUNT] = [0, 0, 0, 1, 1, 2, 0];
/// The phase of the start position.
pub const MAX_PHASE: i32 = 16;
/// The share of its advantage that a side without attackers keeps: such a side cannot win, except by stalemate.
pub const NO_ATTACKERS_DIVISOR: i32 = 16;

/// The piece-square tables, by [`PieceType::index`].
const PSQT: [Weight; PieceType::COUNT] =
    [PAWN_PSQT, ADVISER_PSQT, ELEPHANT_PSQT, HORSE_PSQT, CANNON_PSQT, ROOK_PSQT, KING_PSQT];

/// The weights of a piece of `side` on `square`: for its kind and for its place.
const fn piece_weights(side: Side, kind: PieceType, square: Square) -> [Weight; 2] {
    let file = if square.file() > 4 { 8 - square.file() } else { square.file() };
    [MATERIAL.at(kind.index()), PSQT[kind.index()].at(square.relative(side).rank() * 5 + file)]
}

/// The sum of [`piece_weights`], by side, kind and square; positive if it is good for Red.
static PIECE_SQUARE: [[[TaperedScore; SQUARES]; PieceType::COUNT]; 2] = {
    let mut table = [[[TaperedScore::ZERO; SQUARES]; PieceType::COUNT]; 2];
    const_for!(i, 0..PieceType::COUNT * SQUARES, {
        let (kind, square) = (i / SQUARES, Square::new(i % SQUARES));
        let [material, place] = piece_weights(Side::White, PieceType::ALL[kind], square);
        let value = WEIGHTS.value(material).plus(WEIGHTS.value(place));
        table[0][kind][square.index()] = value;
        let mirrored = square.relative(Side::Black).index();
        table[1][kind][mirrored] = TaperedScore::new(-value.middlegame(), -value.endgame());
    });
    table
};

fn piece_square(side: Side, kind: PieceType, square: Square) -> TaperedScore {
    PIECE_SQUARE[side.index()][kind.index()][square.index()]
}

/// The sum of [`piece_square`] over all pieces.
fn piece_square_sum(board: &Board) -> TaperedScore {
    board
        .occupied()
        .filter_map(|square| {
            let piece = board.piece_on(square);
            piece.kind().map(|kind| piece_square(piece.side(), kind, square))
        })
        .sum()
}

/// The game phase, from 0 to [`MAX_PHASE`].
pub fn phase(board: &Board) -> i32 {
    let pieces = |kind: PieceType| PHASE_WEIGHTS[kind.index()] * board.pieces_of_kind(kind).count() as i32;
    PieceType::ALL.into_iter().map(pieces).sum()
}

#[derive(Clone, Copy, Debug)]
pub enum EvalTerm {
    /// Piece values and piece-square tables.
    Pieces,
    /// Squares that a piece attacks or can move to.
    Mobility,
    /// Pawns side by side, and cannons aimed at the king.
    PawnsAndCannons,
    /// Missing advisers and elephants.
    Guards,
    /// Attack units on the enemy palace.
    PalaceAttack,
    /// Attacked enemy pieces.
    Threats,
    /// The side to move.
    Tempo,
}

impl EvalTerm {
    /// Names in the order of the variants.
    const NAMES: [&str; 7] = [
        "pieces and squares", "mobility", "pawns and cannons", "guards", "palace attack", "threats", "tempo",
    ];
}

/// What the pieces of one side attack.
#[derive(Clone, Copy, Default)]
struct Attacks {
    all: Bitboard,
    /// By pieces worth less than a horse, a cannon or a rook: by pawns and guards.
    by_minor: Bitboard,
    /// By horses and cannons.
    by_middle: Bitboard,
    /// Attack units on the enemy palace: one for each attacked square, two if a horse attacks it, one for each cannon on its
    /// files and ranks, and one more if that cannon attacks a square of it.
    palace_units: u32,
}

impl Attacks {
    /// Collects the attacks of `us` and adds the mobility.
    #[inline(always)]
    fn new(board: &Board, us: Side, add: &mut impl FnMut(EvalTerm, Side, Weight, i32)) -> Attacks {
        let occupied = board.occupied();
        let palace = Bitboard::palace(!us);
        let mut attacks = Attacks::default();
        let mut add = |weight, times| add(EvalTerm::Mobility, us, weight, times);
        for from in board.pieces(us, PieceType::Pawn) {
            attacks.by_minor |= attacks::pawn(us, from);
        }
        attacks.palace_units += (attacks.by_minor & palace).count();
        for from in board.pieces(us, PieceType::Adviser) {
            attacks.by_minor |= attacks::adviser(from);
        }
        for from in board.pieces(us, PieceType::Elephant) {
            attacks.by_minor |= attacks::elephant(from, occupied);
        }
        for from in board.pieces(us, PieceType::Horse) {
            let targets = attacks::horse(from, occupied);
            attacks.by_middle |= targets;
            add(HORSE_MOBILITY.at(targets.count() as usize), 1);
            attacks.palace_units += 2 * (targets & palace).count();
        }
        for from in board.pieces(us, PieceType::Cannon) {
            let (slide, jump) = attacks::lines(from, occupied);
            attacks.by_middle |= jump;
            add(CANNON_MOBILITY, (slide - occupied).count() as i32 - 8);
            let aims = (attacks::cross(from) & palace).count();
            attacks.palace_units += u32::from(aims > 0) + u32::from((jump & palace).has_any());
        }
        let mut by_rook = Bitboard::EMPTY;
        for from in board.pieces(us, PieceType::Rook) {
            let targets = attacks::rook(from, occupied);
            by_rook |= targets;
            add(ROOK_MOBILITY, targets.count() as i32 - 8);
            attacks.palace_units += (targets & palace).count();
        }
        attacks.all = attacks.by_minor | attacks.by_middle | by_rook | attacks::king(board.king(us));
        attacks
    }
}

/// Calls `add` with each weight that counts, except those of [`EvalTerm::Pieces`]: its term, the side that it favours, and
/// how often it counts.
#[inline(always)]
pub fn add_terms(board: &Board, add: &mut impl FnMut(EvalTerm, Side, Weight, i32)) {
    let red = Attacks::new(board, Side::White, add);
    let black = Attacks::new(board, Side::Black, add);
    side_terms(board, Side::White, &red, &black, add);
    side_terms(board, Side::Black, &black, &red, add);
    add(EvalTerm::Tempo, board.side, TEMPO, 1);
}

/// Adds the weights of [`EvalTerm::Pieces`], as [`add_terms`] does.
pub fn add_pieces(board: &Board, add: &mut impl FnMut(EvalTerm, Side, Weight, i32)) {
    for square in board.occupied() {
        let piece = board.piece_on(square);
        let Some(kind) = piece.kind() else { continue };
        for weight in piece_weights(piece.side(), kind, square) {
            add(EvalTerm::Pieces, piece.side(), weight, 1);
        }
    }
}

#[inline(always)]
fn side_terms(
    board: &Board,
    us: Side,
    ours: &Attacks,
    theirs: &Attacks,
    add: &mut impl FnMut(EvalTerm, Side, Weight, i32),
) {
    pawns_and_cannons(board, us, &mut |weight, times| add(EvalTerm::PawnsAndCannons, us, weight, times));
    guards(board, us, &mut |weight, times| add(EvalTerm::Guards, us, weight, times));
    let units = (ours.palace_units as usize).min(PALACE_ATTACK.count() - 1);
    add(EvalTerm::PalaceAttack, us, PALACE_ATTACK.at(units), 1);
    threats(board, us, ours, theirs, &mut |weight, times| add(EvalTerm::Threats, us, weight, times));
}

#[inline(always)]
fn pawns_and_cannons(board: &Board, us: Side, add: &mut impl FnMut(Weight, i32)) {
    let crossed = board.pieces(us, PieceType::Pawn) - Bitboard::home(us);
    let neighbours = Bitboard((crossed - Bitboard::file(8)).0 << 1) & crossed;
    add(PAWN_PAIR, neighbours.count() as i32);
    let (king, occupied) = (board.king(!us), board.occupied());
    let guards = board.pieces_of_kind(PieceType::Adviser) | board.pieces_of_kind(PieceType::Elephant);
    for cannon in board.pieces(us, PieceType::Cannon) {
        if cannon.file() == king.file() {
            match (attacks::between(cannon, king) & occupied).count() {
                0 => add(HOLLOW_CANNON, 1),
                2 => add(CANNON_BATTERY, 1),
                _ => {}
            }
        }
        if (guards & board.occupied_by(us)).is_empty() {
            add(CANNON_WITHOUT_GUARDS, 1);
        }
    }
}

#[inline(always)]
fn guards(board: &Board, us: Side, add: &mut impl FnMut(Weight, i32)) {
    let own = |kind| board.pieces(us, kind).count() as i32;
    let enemy = |kind| board.pieces(!us, kind).count() as i32;
    let (advisers, elephants) = (2 - own(PieceType::Adviser), 2 - own(PieceType::Elephant));
    let crossed = (board.pieces(!us, PieceType::Pawn) & Bitboard::home(us)).count() as i32;
    add(ADVISER_MISSING_ROOK, advisers * enemy(PieceType::Rook));
    add(ADVISER_MISSING_HORSE, advisers * enemy(PieceType::Horse));
    add(ELEPHANT_MISSING_CANNON, elephants * enemy(PieceType::Cannon));
    add(ELEPHANT_MISSING_PAWN, elephants * crossed);
}

#[inline(always)]
fn threats(board: &Board, us: Side, ours: &Attacks, theirs: &Attacks, add: &mut impl FnMut(Weight, i32)) {
    let enemies = board.occupied_by(!us);
    let pawns = board.pieces_of_kind(PieceType::Pawn) & enemies;
    let pieces = enemies - pawns - board.pieces_of_kind(PieceType::King);
    let rooks = board.pieces_of_kind(PieceType::Rook) & enemies;
    let middle = enemies & (board.pieces_of_kind(PieceType::Horse) | board.pieces_of_kind(PieceType::Cannon));
    let hanging = ours.all - theirs.all;
    let threatened = pieces & hanging | rooks & (ours.by_minor | ours.by_middle) | middle & ours.by_minor;
    add(THREAT, threatened.count() as i32);
    add(PAWN_THREAT, (pawns & hanging).count() as i32);
}

/// The hand-written evaluation. It keeps the sum of piece and piece-square values of each position of the line.
#[derive(Debug, Default)]
pub struct HandWritten {
    sums: Vec<TaperedScore>,
}

impl HandWritten {
    /// The terms of the evaluation of `board`.
    pub fn terms(board: &Board) -> Vec<Term> {
        let mut table = [[TaperedScore::ZERO; 2]; EvalTerm::NAMES.len()];
        let mut add = |term: EvalTerm, side: Side, weight, times| {
            table[term as usize][side.index()] += WEIGHTS.value(weight) * times;
        };
        add_pieces(board, &mut add);
        add_terms(board, &mut add);
        let halves = |score: TaperedScore| (score.middlegame(), score.endgame());
        let terms = EvalTerm::NAMES.into_iter().zip(table);
        terms.map(|(name, sides)| Term { name, sides: sides.map(halves) }).collect()
    }

    /// The change of the sum by `mv`.
    fn change(board: &Board, mv: Move) -> TaperedScore {
        let mut change = TaperedScore::ZERO;
        let (piece, captured) = (board.piece_on(mv.from()), board.piece_on(mv.to()));
        if let Some(kind) = piece.kind() {
            change += piece_square(piece.side(), kind, mv.to()) - piece_square(piece.side(), kind, mv.from());
        }
        if let Some(kind) = captured.kind() {
            change -= piece_square(captured.side(), kind, mv.to());
        }
        change
    }
}

impl Evaluator<Xiangqi> for HandWritten {
    fn evaluate(&mut self, game: &Xiangqi) -> Score {
        let board = game.board();
        let mut sides = [TaperedScore::ZERO; 2];
        add_terms(board, &mut |_, side, weight, times| sides[side.index()] += WEIGHTS.value(weight) * times);
        let sum = self.sums.last().copied().unwrap_or_else(|| piece_square_sum(board));
        let value = (sum + sides[0] - sides[1]).taper(phase(board), MAX_PHASE);
        let favoured = if value >= 0 { Side::White } else { Side::Black };
        let value = if board.has_attackers(favoured) { value } else { value / NO_ATTACKERS_DIVISOR };
        Score::new(if board.side == Side::White { value } else { -value })
    }

    fn reset(&mut self, game: &Xiangqi) {
        self.sums.clear();
        self.sums.push(piece_square_sum(game.board()));
    }

    fn before_move(&mut self, game: &Xiangqi, mv: Move) {
        if let Some(&sum) = self.sums.last() {
            self.sums.push(sum + HandWritten::change(game.board(), mv));
        }
    }

    fn after_undo(&mut self) {
        self.sums.pop();
    }
}
