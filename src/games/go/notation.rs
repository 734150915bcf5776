//! Positions and moves as text.

use super::bench;
use super::board::Board;
use super::position::{Go, PASS};
use super::rules::Rules;
use crate::game::{
    DropBoard, Game, GameOption, GameOptionKind, Heuristics, Move, Notation, NotationError, Parsed, Side,
    with_stones,
};

/// The largest komi, in half points: all points of the largest board.
const MAX_KOMI: i16 = 2 * 19 * 19;

/// The letters of the sides in a position. The first is Black's, who moves first.
const SIDE_LETTERS: [&str; 2] = ["b", "w"];

impl<const WORDS: usize> Go<WORDS> {
    const START_SIZE: usize = if Self::EXACT { 4 } else { 9 };
    const START_KOMI: i16 = if Self::EXACT { 0 } else { 14 };

    /// Returns the position in which a game starts.
    pub fn start() -> Self {
        Go::new(Board::new(Self::START_SIZE), Side::White, Self::START_KOMI)
    }

    /// The point of a cell of [`DropBoard`].
    fn point_of_cell(cell: usize, size: usize) -> usize {
        cell / size * (size + 1) + cell % size
    }

    fn text_board(size: usize) -> DropBoard {
        DropBoard { files: size, ranks: size }
    }

    fn point_text(&self, point: usize) -> String {
        let stride = self.board.stride();
        format!("{}{}", file_letter(point % stride), point / stride + 1)
    }

    fn parse_point(&self, text: &str) -> Option<usize> {
        let (size, lower) = (self.board.size(), text.to_ascii_lowercase());
        let file = (0..size).find(|&file| lower.starts_with(file_letter(file)))?;
        let digits = lower.get(1..).filter(|digits| !digits.starts_with(['0', '+']))?;
        let rank: usize = digits.parse().ok().filter(|rank| (1..=size).contains(rank))?;
        Some((rank - 1) * self.board.stride() + file)
    }

    /// Returns the stone on a cell of [`DropBoard`].
    fn stone(&self, cell: usize) -> Option<Side> {
        self.board.stone(Self::point_of_cell(cell, self.board.size()))
    }

    /// Reads the stones of a position; `None` if a chain has no liberty.
    fn parse_board(text: &str) -> Result<Board<WORDS>, NotationError> {
        let size = text.split('/').count();
        let most = Board::<WORDS>::MAX_SIZE;
        if !(2..=most).contains(&size) {
            return Err(NotationError::new(format_args!("expected 2 to {most} ranks separated by /"), text));
        }
        let stones = Self::text_board(size).parse_ranks(text)?;
        Self::with_stones(size, &stones)
            .ok_or_else(|| NotationError::new("expected a liberty for every chain", text))
    }

    /// Returns the board with these stones, by [`DropBoard`]'s cells; `None` if a chain has no liberty.
    fn with_stones(size: usize, stones: &[Option<Side>]) -> Option<Board<WORDS>> {
        let mut board = Board::new(size);
        for (cell, stone) in stones.iter().enumerate() {
            if let Some(side) = *stone {
                let (point, count) = (Self::point_of_cell(cell, size), board.free().count());
                if board.effect(point, side).is_suicide {
                    return None;
                }
                board.place(point, side);
                if board.free().count() != count - 1 {
                    return None;
                }
            }
        }
        Some(board)
    }

    /// Reads the point where the side to move may not retake. A move there must be possible, and capture one stone.
    fn parse_ko(&self, text: &str) -> Result<Option<usize>, NotationError> {
        if text == "-" {
            return Ok(None);
        }
        let is_ko = |&point: &usize| {
            self.board.free().contains(point) && self.captured_stones(Self::stone_move(point)) == 1
        };
        let expected = "expected - or the free point of a ko, where a move captures one stone";
        self.parse_point(text).filter(is_ko).map(Some).ok_or_else(|| NotationError::new(expected, text))
    }
}

/// The letter of a file, as on printed boards: there is no i.
pub fn file_letter(file: usize) -> char {
    char::from(b'a' + file as u8 + u8::from(file >= 8))
}

/// Reads points such as 7, 6.5 or -0.5 as half points.
fn parse_komi(text: &str) -> Option<i16> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let (whole, half) = match digits.split_once('.') {
        None => (digits, 0),
        Some((whole, "0")) => (whole, 0),
        Some((whole, "5")) => (whole, 1),
        Some(_) => return None,
    };
    let whole = Some(whole).filter(|whole| whole.bytes().all(|byte| byte.is_ascii_digit()))?;
    let points: i16 = whole.parse().ok().filter(|&points| points <= MAX_KOMI / 2)?;
    Some(sign * (2 * points + half)).filter(|komi| komi.abs() <= MAX_KOMI)
}

fn komi_text(komi: i16) -> String {
    let half = if komi % 2 == 0 { "" } else { ".5" };
    format!("{}{}{half}", if komi < 0 { "-" } else { "" }, komi.abs() / 2)
}

impl<const WORDS: usize> Notation for Go<WORDS> {
    const SIDE_NAMES: [&'static str; 2] = ["Black", "White"];
    /// The exact search counts half points. Tenths suit the margins of the selective search.
    const SCORE_UNIT: i32 = if Self::EXACT { 2 } else { 10 };
    const OPENING_PLIES: usize = 4;
    const OPTIONS: &'static [GameOption<Self>] = if Self::EXACT {
        &[]
    } else {
        &[
            GameOption {
                name: "Go Rules",
                kind: GameOptionKind::Combo { choices: Rules::NAMES },
                is_rule: true,
                apply: |game, value| game.rules = Rules::of_index(value),
            },
            GameOption {
                name: "Komi Half Points",
                kind: GameOptionKind::Spin { default: 14, min: -(MAX_KOMI as i64), max: MAX_KOMI as i64 },
                is_rule: true,
                apply: |game, value| game.komi = value as i16,
            },
        ]
    };

    fn variant(&self) -> &'static str {
        if Self::EXACT { "smallgo" } else { "go" }
    }

    fn initial(&self) -> Self {
        Self::start()
    }

    fn bench_positions(&self) -> &'static [&'static str] {
        if Self::EXACT { bench::SMALL_POSITIONS } else { bench::POSITIONS }
    }

    fn parse_position(&self, text: &str) -> Result<Parsed<Self>, NotationError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let (&[board, side], more) = fields.split_at_checked(2).unwrap_or((&fields, &[])) else {
            return Err(NotationError::new("expected a board and the side to move", text));
        };
        let Some(side) = Side::ALL.into_iter().find(|letter| SIDE_LETTERS[letter.index()] == side) else {
            return Err(NotationError::new("expected the side to move, b or w", side));
        };
        if more.len() > 4 {
            let expected = "expected at most ko, passes, komi and the number of the move";
            return Err(NotationError::new(expected, &more.join(" ")));
        }
        let field = |number: usize, default| *more.get(number).unwrap_or(&default);
        let mut game = Go::new(Self::parse_board(board)?, side, Self::START_KOMI);
        game.ko = game.parse_ko(field(0, "-"))?;
        game.passes = match field(1, "0") {
            "0" => 0,
            "1" => 1,
            "2" => 2,
            other => return Err(NotationError::new("expected 0, 1 or 2 passes", other)),
        };
        if game.ko.is_some() && game.passes > 0 {
            return Err(NotationError::new("expected no ko after a pass", text));
        }
        if let Some(&komi) = more.get(2) {
            game.komi = parse_komi(komi).ok_or_else(|| {
                let expected =
                    format!("expected a komi from -{0} to {0} in half points like 6.5", MAX_KOMI / 2);
                NotationError::new(expected, komi)
            })?;
        }
        let number = field(3, "1");
        let moves = number.parse().ok().filter(|number| (1..=MAX_MOVE_NUMBER).contains(number));
        let expected = format_args!("expected the number of the move, 1 to {MAX_MOVE_NUMBER}");
        let moves: u32 = moves.ok_or_else(|| NotationError::new(expected, number))?;
        game.plies = 2 * (moves - 1) + side as u32;
        Ok(Parsed { game, warnings: Vec::new() })
    }

    fn position_text(&self) -> String {
        let ko = self.ko.map(|point| self.point_text(point));
        format!(
            "{} {} {} {} {} {}",
            Self::text_board(self.board.size()).ranks_text(|cell| self.stone(cell)),
            SIDE_LETTERS[self.side.index()],
            ko.as_deref().unwrap_or("-"),
            self.passes,
            komi_text(self.komi),
            self.plies / 2 + 1
        )
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        if text.eq_ignore_ascii_case("pass") && self.is_legal(PASS) {
            return Ok(PASS);
        }
        let mv = self.parse_point(text).map(Self::stone_move);
        mv.filter(|&mv| self.is_legal(mv)).ok_or_else(|| {
            NotationError::new("expected pass, or a legal point like d4 (there is no file i)", text)
        })
    }

    fn move_text(&self, mv: Move) -> String {
        match Self::point(mv) {
            Some(point) => self.point_text(point),
            None => "pass".into(),
        }
    }

    fn diagram(&self) -> String {
        Self::text_board(self.board.size()).diagram_with_files(file_letter, |cell| self.stone(cell))
    }

    fn picture(&self) -> String {
        with_stones(&self.diagram())
    }

    fn outcome_reason(&self) -> Option<&'static str> {
        match self.outcome() {
            Some(_) => Some("two passes"),
            None => self.repetition().map(|_| "repetition"),
        }
    }

    fn points_now(&self) -> Option<i32> {
        Some(self.score_now())
    }

    /// The passes no longer count.
    fn with_other_turn(&self) -> Option<Self> {
        let mut game = self.clone();
        game.make_null_move();
        game.passes = 0;
        Some(game)
    }

    /// With the history, on which superko depends.
    fn flipped(&self) -> Option<Self> {
        let first = self.first();
        let size = first.board.size();
        let stones: Vec<Option<Side>> =
            (0..size * size).map(|cell| first.stone(cell).map(|side| !side)).collect();
        let mut game = Go::new(Self::with_stones(size, &stones)?, !first.side, -first.komi);
        (game.ko, game.passes, game.rules) = (first.ko, first.passes, first.rules);
        // The number of the move stays.
        game.plies += first.plies / 2 * 2;
        for mv in self.past_moves() {
            match mv {
                Some(mv) => game.play(mv),
                None => game = game.with_other_turn()?,
            }
        }
        Some(game)
    }
}

/// A limit of the number in a position, so that counting on does not overflow.
const MAX_MOVE_NUMBER: u32 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_text_is_read_back() {
        for komi in [-MAX_KOMI, -15, -1, 0, 1, 2, 13, MAX_KOMI] {
            assert_eq!(parse_komi(&komi_text(komi)), Some(komi), "{}", komi_text(komi));
        }
        assert_eq!((komi_text(-1), parse_komi("7.0")), ("-0.5".into(), Some(14)));
        for text in ["", "-", ".5", "6.", "6.25", "+6", "361.5", "--6", "6,5", "99999", "é"] {
            assert_eq!(parse_komi(text), None, "{text}");
        }
    }
}
