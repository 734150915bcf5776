//! Positions and moves as text: FEN, moves of UCI, WXF notation and diagrams.

use super::bitboard::{FILES, Piece, PieceType, RANKS, Square};
use super::fen;
use super::moves::XiangqiMove;
use super::position::Xiangqi;
use crate::game::{
    Game, GameOption, GameOptionKind, Move, Notation, NotationError, Parsed, Side, fen::swap_case,
};

const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Chinese characters of the pieces of Red and of Black, by [`PieceType::index`].
const CHARACTERS: [[char; PieceType::COUNT]; 2] =
    [['兵', '仕', '相', '傌', '炮', '俥', '帥'], ['卒', '士', '象', '馬', '砲', '車', '將']];

/// The last rank and file, and the ranks at the river, from 0.
const RANK_TOP: usize = RANKS - 1;
const FILE_END: usize = FILES - 1;
const RIVER_ABOVE: usize = 5;
const RIVER_BELOW: usize = 4;

/// The letter of a piece in WXF notation, by [`PieceType::index`].
const WXF_LETTERS: [char; PieceType::COUNT] = ['P', 'A', 'E', 'H', 'C', 'R', 'K'];

/// The Chinese characters of a letter of WXF notation, those of Red and of Black that Chinese records use now first.
const RECORD_CHARACTERS: [(char, &str); PieceType::COUNT] = [
    ('P', "兵卒"),
    ('A', "仕士"),
    ('E', "相象"),
    ('H', "马马馬傌"),
    ('C', "炮炮砲包"),
    ('R', "车车車俥"),
    ('K', "帅将帥將"),
];
const CHINESE_DIGITS: &str = "一二三四五六七八九";

/// A move in Chinese notation, such as 炮二平五 or 前馬退６, in simplified or traditional characters, as WXF notation; `None` if it
/// is none.
fn wxf_of_chinese(text: &str) -> Option<String> {
    let characters: [char; 4] = text.chars().collect::<Vec<_>>().try_into().ok()?;
    let letter = |character| {
        let known = RECORD_CHARACTERS.iter().find(|(_, names)| names.contains(character));
        known.map(|(letter, _)| *letter)
    };
    let digit = |character: char| {
        let chinese = CHINESE_DIGITS.chars().position(|digit| digit == character).map(|index| index + 1);
        let full_width = ('１'..='９').position(|digit| digit == character).map(|index| index + 1);
        let arabic = character.to_digit(10).filter(|&digit| digit > 0).map(|digit| digit as usize);
        chinese.or(full_width).or(arabic)
    };
    let [first, second, direction, number] = characters;
    let (letter, place) = match first {
        '前' => (letter(second)?, "+".into()),
        '后' | '後' => (letter(second)?, "-".into()),
        _ => (letter(first)?, digit(second)?.to_string()),
    };
    let direction = match direction {
        '平' => '=',
        '进' | '進' => '+',
        '退' => '-',
        _ => return None,
    };
    Some(format!("{letter}{place}{direction}{}", digit(number)?))
}

/// Splits a move such as `h10g8` into its squares.
fn parse_squares(text: &str) -> Option<(Square, Square)> {
    let second = text.char_indices().skip(1).find(|(_, letter)| letter.is_ascii_alphabetic())?.0;
    Some((Square::parse(&text[..second])?, Square::parse(&text[second..])?))
}

/// The number of a file in WXF notation: from the right, as the side sees it.
fn file_number(side: Side, file: usize) -> usize {
    match side {
        Side::White => FILES - file,
        Side::Black => file + 1,
    }
}

impl Xiangqi {
    /// Returns the position in which a game starts.
    pub fn start() -> Xiangqi {
        Xiangqi::new(fen::parse(START_FEN).expect("the start position is legal"))
    }

    /// A move in WXF notation: piece, file, direction (`+` forward, `-` back, `=` sideways), and the number of ranks or the
    /// new file. If two such pieces stand on the file, `+` (the front one) or `-` replaces the file. It may be ambiguous.
    fn wxf(&self, mv: Move) -> String {
        let (board, side) = (self.board(), self.side_to_move());
        let (from, to) = (mv.from().relative(side), mv.to().relative(side));
        let Some(kind) = board.piece_on(mv.from()).kind() else {
            return self.move_text(mv);
        };
        let letter = WXF_LETTERS[kind.index()];
        let on_file: Vec<usize> = board
            .pieces(side, kind)
            .map(|square| square.relative(side))
            .filter(|square| square.file() == from.file())
            .map(Square::rank)
            .collect();
        // Advisers and elephants of one file go in different directions.
        let is_guard = matches!(kind, PieceType::Adviser | PieceType::Elephant);
        let is_front = on_file.iter().all(|&rank| rank <= from.rank());
        let is_rear = on_file.iter().all(|&rank| rank >= from.rank());
        let place = match (is_front, is_rear) {
            (true, false) if !is_guard => "+".into(),
            (false, true) if !is_guard => "-".into(),
            _ => file_number(side, from.file()).to_string(),
        };
        let (direction, number) = match from.rank().cmp(&to.rank()) {
            std::cmp::Ordering::Equal => ('=', None),
            std::cmp::Ordering::Less => ('+', Some(to.rank() - from.rank())),
            std::cmp::Ordering::Greater => ('-', Some(from.rank() - to.rank())),
        };
        let number = number.filter(|_| from.file() == to.file()).unwrap_or(file_number(side, to.file()));
        format!("{letter}{place}{direction}{number}")
    }
}

impl Notation for Xiangqi {
    const SIDE_NAMES: [&'static str; 2] = ["Red", "Black"];
    const SCORE_UNIT: i32 = 100;
    const OPTIONS: &'static [GameOption<Xiangqi>] = &[GameOption {
        name: "Sixty Move Rule",
        kind: GameOptionKind::Check { default: true },
        is_rule: true,
        apply: |position, value| position.has_sixty_move_rule = value != 0,
    }];

    fn variant(&self) -> &'static str {
        "xiangqi"
    }

    fn initial(&self) -> Self {
        Self::start()
    }

    fn bench_positions(&self) -> &'static [&'static str] {
        super::bench::POSITIONS
    }

    fn parse_position(&self, text: &str) -> Result<Parsed<Xiangqi>, NotationError> {
        Ok(Parsed { game: Xiangqi::new(fen::parse(text)?), warnings: Vec::new() })
    }

    fn position_text(&self) -> String {
        fen::write(self.board())
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let Some((from, to)) = parse_squares(&text.to_ascii_lowercase()) else {
            return Err(NotationError::new("expected a move such as h3e3 or h10g8", text));
        };
        let found = self.moves().into_iter().find(|mv| (mv.from(), mv.to()) == (from, to));
        found.ok_or_else(|| NotationError::new("expected a legal move", text))
    }

    fn move_text(&self, mv: Move) -> String {
        format!("{}{}", mv.from(), mv.to())
    }

    /// Chinese notation as records have it now: 炮二平五 of Red, 炮8平5 of Black. `None` where it is ambiguous.
    fn native_text(&self, mv: Move) -> Option<String> {
        let text = self.wxf(mv);
        if self.moves().into_iter().any(|other| other != mv && self.wxf(other) == text) {
            return None;
        }
        let side = self.side_to_move();
        let [letter, place, direction, number] = text.chars().collect::<Vec<_>>().try_into().ok()?;
        let (_, names) = RECORD_CHARACTERS.iter().find(|(known, _)| *known == letter)?;
        let piece = names.chars().nth(side.index())?;
        let digit = |digit: char| match (side, digit.to_digit(10)) {
            (Side::White, Some(number)) => CHINESE_DIGITS.chars().nth(number as usize - 1).unwrap_or(digit),
            _ => digit,
        };
        let start: String = match place {
            '+' => ['前', piece].iter().collect(),
            '-' => ['后', piece].iter().collect(),
            file => [piece, digit(file)].iter().collect(),
        };
        let direction = match direction {
            '=' => '平',
            '+' => '进',
            _ => '退',
        };
        Some(format!("{start}{direction}{}", digit(number)))
    }

    /// Parses Chinese notation in simplified or traditional characters, WXF notation, with `.` for `=`, B for E and N for H, else squares such as h3e3.
    fn parse_san(&self, text: &str) -> Result<Move, NotationError> {
        let chinese = wxf_of_chinese(text);
        let normal: String = chinese
            .as_deref()
            .unwrap_or(text)
            .chars()
            .map(|letter| match letter.to_ascii_uppercase() {
                '.' => '=',
                'B' => 'E',
                'N' => 'H',
                letter => letter,
            })
            .collect();
        let moves = self.moves();
        let mut found = moves.iter().filter(|&&mv| self.wxf(mv) == normal);
        match (found.next(), found.next()) {
            (Some(&mv), None) => Ok(mv),
            (Some(_), Some(_)) => Err(NotationError::new("expected an unambiguous move", text)),
            (None, _) => self.parse_move(text),
        }
    }

    /// WXF notation, or squares where that is ambiguous.
    fn san_text(&self, mv: Move) -> String {
        let text = self.wxf(mv);
        let is_ambiguous = self.moves().into_iter().any(|other| other != mv && self.wxf(other) == text);
        if is_ambiguous { self.move_text(mv) } else { text }
    }

    /// The board twice: with the letters of FEN, and with Chinese characters.
    fn diagram(&self) -> String {
        let mut text = String::new();
        for rank in (0..RANKS).rev() {
            let pieces: Vec<Piece> =
                (0..FILES).map(|file| self.board().piece_on(Square::at(file, rank))).collect();
            let letters: Vec<String> = pieces.iter().map(|piece| piece.letter().to_string()).collect();
            // A full-width full stop is as wide as a character.
            let character = |piece: &Piece| {
                piece.kind().map_or('．', |kind| CHARACTERS[piece.side().index()][kind.index()])
            };
            let characters: String = pieces.iter().map(character).collect();
            text += &format!("{:>2} {}   {characters}\n", rank + 1, letters.join(" "));
        }
        text + "   a b c d e f g h i   a b c d e f g h i"
    }

    /// The board with its lines, river and palaces. Pieces stand on the intersections, which are two columns wide.
    fn picture(&self) -> String {
        let crossing = |file, rank| match (rank, file) {
            (RANK_TOP, 0) => '┌',
            (RANK_TOP, FILE_END) => '┐',
            (0, 0) => '└',
            (0, FILE_END) => '┘',
            (_, 0) => '├',
            (_, FILE_END) => '┤',
            (RANK_TOP | RIVER_BELOW, _) => '┬',
            (0 | RIVER_ABOVE, _) => '┴',
            _ => '┼',
        };
        let mut text = String::new();
        for rank in (0..RANKS).rev() {
            text += &format!("{:>2} ", rank + 1);
            for file in 0..FILES {
                let piece = self.board().piece_on(Square::at(file, rank));
                match piece.kind() {
                    Some(kind) => text.push(CHARACTERS[piece.side().index()][kind.index()]),
                    None => text.extend([crossing(file, rank), if file < FILE_END { '─' } else { ' ' }]),
                }
                text += if file < FILE_END { "──" } else { "" };
            }
            text += match rank {
                RIVER_ABOVE => "\n   │     楚  河         漢  界     │\n",
                9 | 2 => "\n   │   │   │   │ ╲ │ ╱ │   │   │   │\n",
                8 | 1 => "\n   │   │   │   │ ╱ │ ╲ │   │   │   │\n",
                0 => "\n",
                _ => "\n   │   │   │   │   │   │   │   │   │\n",
            };
        }
        text + "   a   b   c   d   e   f   g   h   i"
    }

    fn outcome_reason(&self) -> Option<&'static str> {
        match (self.outcome(), self.claim_reason()) {
            (Some(_), _) if self.board().checkers.has_any() => Some("checkmate"),
            (Some(_), _) => Some("stalemate"),
            (None, reason) => reason,
        }
    }

    /// The position with colours exchanged and ranks reversed.
    fn flipped(&self) -> Option<Xiangqi> {
        let text = self.position_text();
        let (ranks, rest) = text.split_once(' ')?;
        let ranks = swap_case(&ranks.split('/').rev().collect::<Vec<_>>().join("/"));
        let side = if rest.starts_with('w') { 'b' } else { 'w' };
        fen::parse(&format!("{ranks} {side}{}", &rest[1..])).ok().map(Xiangqi::new)
    }
}
