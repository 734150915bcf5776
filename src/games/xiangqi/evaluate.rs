//! The hand-written evaluation: a weighted sum of features, interpolated between middlegame and endgame.

use super::attacks;
use super::bitboard::{Bitboard, PieceType, SQUARES, Square};
use super::board::Board;
use super::moves::XiangqiMove;
use super::position::Xiangqi;
use super::weights::*;
use crate::game::{Evaluator, Move, Score, Side, TaperedScore, Term};

/// The phase that one piece adds, by [`PieceType::index`].
const PHASE_WEIGHTS: [i32; PieceType::COUNT] = [0, 0, 0, 1, 1, 2, 0];
/// The phase of the start position.
const MAX_PHASE: i32 = 16;
/// The share of its advantage that a side without attackers keeps: such a side cannot win, except by stalemate.
const NO_ATTACKERS_DIVISOR: i32 = 16;

/// Piece value plus piece-square value, by side, kind and square; positive if it is good for Red.
static PIECE_SQUARE: [[[TaperedScore; SQUARES]; PieceType::COUNT]; 2] = {
    let mut table = [[[TaperedScore::ZERO; SQUARES]; PieceType::COUNT]; 2];
    let mut i = 0;
    while i < PieceType::COUNT * SQUARES {
        let (kind, square) = (i / SQUARES, Square::new(i % SQUARES));
        let file = if square.file() > 4 { 8 - square.file() } else { square.file() };
        let place = PSQT[kind][square.rank() * 5 + file];
        let value = MATERIAL[kind].plus(TaperedScore::new(place, place));
        table[0][kind][square.index()] = value;
        let mirrored = square.relative(Side::Black).index();
        table[1][kind][mirrored] = TaperedScore::new(-value.middlegame(), -value.endgame());
        i += 1;
    }
    table
};

fn piece_square(side: Side, kind: PieceType, square: Square) -> TaperedScore {
    PIECE_SQUARE[side.index()][kind.index()][square.index()]
}

/// The sum of [`piece_square`] over the pieces of `side`.
fn side_piece_squares(board: &Board, side: Side) -> TaperedScore {
    let of_kind = |kind| board.pieces(side, kind).map(move |square| piece_square(side, kind, square));
    PieceType::ALL.into_iter().flat_map(of_kind).sum()
}

/// The sum of [`piece_square`] over all pieces.
fn piece_square_sum(board: &Board) -> TaperedScore {
    Side::ALL.map(|side| side_piece_squares(board, side)).into_iter().sum()
}

/// The game phase, from 0 to [`MAX_PHASE`].
fn phase(board: &Board) -> i32 {
    let pieces = |kind: PieceType| PHASE_WEIGHTS[kind.index()] * board.pieces_of_kind(kind).count() as i32;
    PieceType::ALL.into_iter().map(pieces).sum()
}

/// The hand-written evaluation. It keeps the sum of piece and piece-square values of each position of the line.
#[derive(Debug, Default)]
pub struct HandWritten {
    sums: Vec<TaperedScore>,
}

/// The terms beside piece-square values, each from the point of view of its side.
const TERM_NAMES: [&str; 5] = ["mobility", "pawns and cannons", "guards", "palace attack", "threats"];

/// What the pieces of one side attack.
#[derive(Clone, Copy, Default)]
struct Attacks {
    all: Bitboard,
    /// By pieces worth less than a horse, a cannon or a rook: by pawns and guards.
    by_minor: Bitboard,
    /// By horses and cannons.
    by_middle: Bitboard,
    mobility: TaperedScore,
    /// Attack units on the enemy palace: one for each attacked square, half for each cannon on its files and ranks.
    palace_units: u32,
}

impl Attacks {
    fn new(board: &Board, us: Side) -> Attacks {
        let occupied = board.occupied();
        let palace = Bitboard::palace(!us);
        let mut attacks = Attacks::default();
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
            attacks.mobility += HORSE_MOBILITY[targets.count() as usize];
            attacks.palace_units += 2 * (targets & palace).count();
        }
        for from in board.pieces(us, PieceType::Cannon) {
            let (slide, jump) = attacks::lines(from, occupied);
            attacks.by_middle |= jump;
            attacks.mobility += CANNON_MOBILITY * ((slide - occupied).count() as i32 - 8);
            let aims = (attacks::cross(from) & palace).count();
            attacks.palace_units += u32::from(aims > 0) + u32::from((jump & palace).has_any());
        }
        let mut by_rook = Bitboard::EMPTY;
        for from in board.pieces(us, PieceType::Rook) {
            let targets = attacks::rook(from, occupied);
            by_rook |= targets;
            attacks.mobility += ROOK_MOBILITY * (targets.count() as i32 - 8);
            attacks.palace_units += (targets & palace).count();
        }
        attacks.all = attacks.by_minor | attacks.by_middle | by_rook | attacks::king(board.king(us));
        attacks
    }
}

/// The terms of `us` in the order of [`TERM_NAMES`].
fn side_terms(board: &Board, us: Side, ours: &Attacks, theirs: &Attacks) -> [TaperedScore; TERM_NAMES.len()] {
    [
        ours.mobility,
        pawns_and_cannons(board, us),
        guards(board, us),
        PALACE_ATTACK[(ours.palace_units as usize).min(PALACE_ATTACK.len() - 1)],
        threats(board, us, ours, theirs),
    ]
}

fn pawns_and_cannons(board: &Board, us: Side) -> TaperedScore {
    let crossed = board.pieces(us, PieceType::Pawn) - Bitboard::home(us);
    let neighbours = Bitboard((crossed - Bitboard::file(8)).0 << 1) & crossed;
    let mut score = PAWN_PAIR * neighbours.count() as i32;
    let (king, occupied) = (board.king(!us), board.occupied());
    let guards = board.pieces_of_kind(PieceType::Adviser) | board.pieces_of_kind(PieceType::Elephant);
    for cannon in board.pieces(us, PieceType::Cannon) {
        if cannon.file() == king.file() {
            match (attacks::between(cannon, king) & occupied).count() {
                0 => score += HOLLOW_CANNON,
                2 => score += CANNON_BATTERY,
                _ => {}
            }
        }
        if (guards & board.occupied_by(us)).is_empty() {
            score += CANNON_WITHOUT_GUARDS;
        }
    }
    score
}

fn guards(board: &Board, us: Side) -> TaperedScore {
    let own = |kind| board.pieces(us, kind).count() as i32;
    let enemy = |kind| board.pieces(!us, kind).count() as i32;
    let (advisers, elephants) = (2 - own(PieceType::Adviser), 2 - own(PieceType::Elephant));
    let crossed = (board.pieces(!us, PieceType::Pawn) & Bitboard::home(us)).count() as i32;
    ADVISER_MISSING_ROOK * (advisers * enemy(PieceType::Rook))
        + ADVISER_MISSING_HORSE * (advisers * enemy(PieceType::Horse))
        + ELEPHANT_MISSING_CANNON * (elephants * enemy(PieceType::Cannon))
        + ELEPHANT_MISSING_PAWN * (elephants * crossed)
}

fn threats(board: &Board, us: Side, ours: &Attacks, theirs: &Attacks) -> TaperedScore {
    let enemies = board.occupied_by(!us);
    let pawns = board.pieces_of_kind(PieceType::Pawn) & enemies;
    let pieces = enemies - pawns - board.pieces_of_kind(PieceType::King);
    let rooks = board.pieces_of_kind(PieceType::Rook) & enemies;
    let middle = enemies & (board.pieces_of_kind(PieceType::Horse) | board.pieces_of_kind(PieceType::Cannon));
    let hanging = ours.all - theirs.all;
    let threatened = pieces & hanging | rooks & (ours.by_minor | ours.by_middle) | middle & ours.by_minor;
    THREAT * threatened.count() as i32 + PAWN_THREAT * (pawns & hanging).count() as i32
}

impl HandWritten {
    /// The terms of each side in the order of [`TERM_NAMES`], Red first.
    fn sides(board: &Board) -> [[TaperedScore; TERM_NAMES.len()]; 2] {
        let [red, black] = Side::ALL.map(|side| Attacks::new(board, side));
        [side_terms(board, Side::White, &red, &black), side_terms(board, Side::Black, &black, &red)]
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
        let [red, black] = HandWritten::sides(board).map(|terms| terms.into_iter().sum::<TaperedScore>());
        let sum = self.sums.last().copied().unwrap_or_else(|| piece_square_sum(board));
        let tempo = if board.side() == Side::White { TEMPO } else { -TEMPO };
        let value = (sum + red - black + tempo).taper(phase(board), MAX_PHASE);
        let favoured = if value >= 0 { Side::White } else { Side::Black };
        let value = if board.has_attackers(favoured) { value } else { value / NO_ATTACKERS_DIVISOR };
        Score::new(if board.side() == Side::White { value } else { -value })
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

    fn terms(&mut self, game: &Xiangqi) -> Vec<Term> {
        let board = game.board();
        let halves = |score: TaperedScore| (score.middlegame(), score.endgame());
        let own_sum = |side: Side| -> TaperedScore {
            let sum = side_piece_squares(board, side);
            if side == Side::White { sum } else { -sum }
        };
        let tempo = Side::ALL.map(|side| if side == board.side() { TEMPO } else { TaperedScore::ZERO });
        let mut terms = vec![Term { name: "pieces and squares", sides: Side::ALL.map(own_sum).map(halves) }];
        let [red, black] = HandWritten::sides(board);
        for (name, (red, black)) in TERM_NAMES.into_iter().zip(red.into_iter().zip(black)) {
            terms.push(Term { name, sides: [halves(red), halves(black)] });
        }
        terms.push(Term { name: "tempo", sides: tempo.map(halves) });
        terms
    }

    fn phase(&self, game: &Xiangqi) -> u32 {
        (phase(game.board()) * 256 / MAX_PHASE) as u32
    }
}
