//! The display for a terminal: UCI commands, with replies in aligned columns and in colour, without protocol keywords.

use super::stdio;
use super::terminal_game::{self, Shown, TerminalGame};
use crate::game::{Bound, units_text};
use crate::protocol::{Board, Command, Dialect, Info, ParseError, Reply, Request, Score, Uci, split_word};
use crate::tools::play::{self, level_name};
use std::ffi::OsStr;
use std::io::IsTerminal;

/// The UCI protocol at a terminal: renders the replies for a person.
#[derive(Clone, Debug)]
pub struct TerminalDisplay {
    colour: bool,
    /// Whether the terminal shows the characters of a game's players.
    unicode: bool,
    /// Whether a line that is no command is a move.
    plays: bool,
    game: TerminalGame,
    /// What `duiyi play` begins with, in place of the greeting.
    greeting: Option<String>,
    columns: fn() -> Option<usize>,
    /// Whether the lines are typed into the line editor, so that a person and no program sends them.
    is_edited: bool,
    /// Whether the column names of this search are printed.
    header_printed: bool,
    /// The scores in one shown unit, see [`Notation::SCORE_UNIT`](crate::game::Notation::SCORE_UNIT).
    score_unit: i32,
    /// Whether a client that may be a program has sent `uci` and reads UCI replies. `help` ends it.
    plain: bool,
}

/// Pawns, in chess.
const DEFAULT_SCORE_UNIT: i32 = 100;

/// The columns of an iteration in a terminal: name, width, and the narrowest terminal that has room for it and some moves.
const COLUMNS: [(&str, usize, usize); 6] =
    [("depth", 7, 0), ("score", 9, 0), ("nodes", 8, 60), ("n/s", 7, 80), ("hash", 5, 80), ("time", 9, 60)];

const BOLD: &str = "1";
const DIM: &str = "2";
const GREEN: &str = "32";
const RED: &str = "31";
const YELLOW: &str = "33";
const REVERSE: &str = "7";

/// The characters of Red's pieces in xiangqi.
const RED_PIECES: &str = "帥仕相傌俥炮兵";

impl TerminalDisplay {
    /// A display if standard input and output are both terminals. In colour unless `NO_COLOR` is set
    /// (<https://no-color.org>) or `TERM` is `dumb`.
    pub fn at_terminal() -> Option<TerminalDisplay> {
        let both = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == OsStr::new("dumb"));
        let has_colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && !is_dumb;
        both.then(|| TerminalDisplay {
            columns: stdio::columns,
            is_edited: stdio::echoes() && !is_dumb,
            unicode: has_unicode() && !is_dumb,
            plays: true,
            game: TerminalGame::new(has_unicode() && !is_dumb),
            ..TerminalDisplay::new(has_colour)
        })
    }

    /// A display of any width, with or without colour.
    pub fn new(colour: bool) -> TerminalDisplay {
        TerminalDisplay {
            colour,
            unicode: false,
            plays: false,
            game: TerminalGame::default(),
            greeting: None,
            columns: || None,
            is_edited: false,
            header_printed: false,
            score_unit: DEFAULT_SCORE_UNIT,
            plain: false,
        }
    }

    /// A display of `duiyi play`. It plays also where input or output is no terminal.
    pub fn of_game(arguments: &play::Arguments) -> TerminalDisplay {
        let display = TerminalDisplay::at_terminal().unwrap_or_else(|| TerminalDisplay::new(false));
        let level = level_name(arguments.level.0);
        let greeting = format!(
            "{}, {level}: type a move; undo, new, hint, swap, resign, level N, save FILE, play FILE; \"help\" lists \
             the commands, \"quit\" ends.",
            display.paint(BOLD, concat!("Duiyi ", env!("CARGO_PKG_VERSION")))
        );
        TerminalDisplay {
            plays: true,
            game: TerminalGame::begin(arguments, display.unicode),
            greeting: Some(display.wrap(&greeting)),
            ..display
        }
    }

    /// The position with what the last move has changed in reverse, and the first side of xiangqi in red.
    fn board(&self, board: &Board, above: &str, former: Option<&Board>, below: &str) -> String {
        let text = |board: &Board| if self.unicode { board.picture.clone() } else { board.diagram.clone() };
        let paint = |character: char, is_changed: bool| {
            let is_red = RED_PIECES.contains(character);
            match (is_changed && self.colour, is_red && self.colour) {
                (true, true) => self.paint(&format!("{REVERSE};{RED}"), &character.to_string()),
                (true, false) => self.paint(REVERSE, &character.to_string()),
                (false, true) => self.paint(RED, &character.to_string()),
                (false, false) => character.to_string(),
            }
        };
        let old = former.filter(|former| former.variant == board.variant).map(text).unwrap_or_default();
        let picture = terminal_game::mark_changes(&old, &text(board), paint);
        let parts = [self.paint_if(above), picture, self.paint_if(below)];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("{}\n", parts.join("\n\n"))
    }

    fn paint_if(&self, text: &str) -> String {
        if text.is_empty() { String::new() } else { self.paint(BOLD, &self.wrap(text)) }
    }

    fn render(&mut self, reply: &Reply) -> String {
        match reply {
            Reply::Info(info) => self.line(info),
            Reply::NoLegalMoves { score, reason } => self.end_of_game(*score, *reason),
            Reply::CurrMove { depth, mv, number } => {
                self.paint(DIM, &format!("{depth:>5}       move {number:>3}: {mv}"))
            }
            Reply::InfoString(text) => self.paint(YELLOW, &self.wrap(text)),
            Reply::Variant { name, start, score_unit } => {
                self.score_unit = *score_unit;
                let text = format!("variant {name}, position set to its start: {start}");
                self.paint(YELLOW, &self.wrap(&text))
            }
            Reply::BestMove { best, ponder, .. } => {
                self.header_printed = false;
                let best = self.paint(BOLD, best.as_deref().unwrap_or("(none)"));
                let ponder = ponder.iter().map(|mv| format!(", expecting {mv}")).collect::<String>();
                format!("best move {best}{ponder}")
            }
            other => other.to_string(),
        }
    }

    fn line(&mut self, info: &Info) -> String {
        let width = (self.columns)().unwrap_or(usize::MAX);
        let shown = || COLUMNS.iter().enumerate().filter(|(_, (_, _, narrowest))| width >= *narrowest);
        let mut text = String::new();
        if !std::mem::replace(&mut self.header_printed, true) {
            let names: String = shown().map(|(_, (name, size, _))| format!("{name:>size$} ")).collect();
            text = self.paint(DIM, &format!("{names} moves")) + "\n";
        }
        let depth = format!("{}/{}", info.depth, info.seldepth);
        let sign = match info.bound {
            Bound::Exact => "",
            Bound::Lower => ">=",
            Bound::Upper => "<=",
        };
        let score = format!("{sign}{}", score_text(info.score, self.score_unit));
        let score_colour = match info.score {
            Score::Cp(value) if 5 * value.abs() < self.score_unit => None,
            Score::Cp(value) => Some(if value > 0 { GREEN } else { RED }),
            Score::Mate(moves) => Some(if moves > 0 { GREEN } else { RED }),
        };
        let (nodes, nps) = (si_number(info.nodes), si_number(info.nps));
        let hash = format!("{}%", info.hashfull / 10);
        let time = format!("{:.3} s", info.time as f64 / 1000.0);
        let rank = if info.multipv > 1 { format!("{}. ", info.multipv) } else { String::new() };
        let values = [depth, score, nodes, nps, hash, time];
        let mut used = rank.len() + 1;
        for (index, (name, size, _)) in shown() {
            let value = format!("{:>size$}", values[index]);
            used += value.chars().count() + 1;
            let colour = score_colour.filter(|_| *name == "score");
            text += &colour.map_or_else(|| value.clone(), |colour| self.paint(colour, &value));
            text.push(' ');
        }
        text + " " + &rank + &fit(&info.pv, width.saturating_sub(used))
    }

    /// `text` with line ends instead of blanks where the terminal ends. No word is cut.
    fn wrap(&self, text: &str) -> String {
        let Some(width) = (self.columns)() else { return text.into() };
        let mut used = 0;
        let mut wrapped = String::new();
        for word in text.split_inclusive([' ', '\n']) {
            let length = word.trim_end().chars().count();
            if used > 0 && used + length > width {
                wrapped.truncate(wrapped.trim_end_matches(' ').len());
                wrapped.push('\n');
                used = 0;
            }
            wrapped += word;
            used = if word.ends_with('\n') { 0 } else { used + word.chars().count() };
        }
        wrapped
    }

    /// How the game has ended. `score` is that of the side to move, which has no legal move.
    fn end_of_game(&self, score: Score, reason: Option<&str>) -> String {
        let result = match score {
            _ if reason.is_some() => reason.unwrap_or_default().into(),
            Score::Mate(moves) if moves > 0 => "the side to move has won".into(),
            Score::Mate(_) => "the side to move has lost".into(),
            Score::Cp(0) => "draw".into(),
            Score::Cp(_) => format!("{} for the side to move", score_text(score, self.score_unit)),
        };
        format!("the game is over: {result}")
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
    }
}

impl Dialect for TerminalDisplay {
    fn read(&mut self, line: &str) -> Vec<Request> {
        let (word, rest) = split_word(line);
        if self.plays
            && !self.plain
            && let Some(requests) = self.game.read(word, rest)
        {
            return requests;
        }
        let requests = Uci.read(line);
        let has = |command| requests.contains(&Request::Command(command));
        self.plain = (self.plain || (has(Command::Uci) && !self.is_edited)) && !has(Command::Help);
        match &requests[..] {
            // A line of several words is a mistyped command.
            [Request::Error(error @ ParseError::Unknown(_))]
                if self.plays && !self.plain && rest.is_empty() =>
            {
                self.game.try_move(line, error)
            }
            _ => requests,
        }
    }

    fn write(&mut self, reply: &Reply) -> Option<String> {
        if self.plain {
            return Uci.write(reply);
        }
        let unit = self.score_unit;
        Some(match self.game.write(reply, |info| score_text(info.score, unit)) {
            Shown::Nothing => return None,
            Shown::Usual => self.render(reply),
            Shown::Text(text) => self.paint(BOLD, &self.wrap(&text)),
            Shown::Problem(text) => self.paint(YELLOW, &self.wrap(&text)),
            Shown::Board(above, former, below) => match reply {
                Reply::Board(board) => self.board(board, &above, former.as_deref(), &below),
                _ => return None,
            },
        })
    }

    fn follow_up(&mut self) -> Vec<Request> {
        self.game.follow_up()
    }

    /// Moves and words of the game wait for the engine's move.
    fn acts_at_once(&self, line: &str) -> bool {
        !self.game.waits() || AT_ONCE.contains(&split_word(line).0)
    }

    fn greeting(&self) -> Option<String> {
        let name = self.paint(BOLD, concat!("Duiyi ", env!("CARGO_PKG_VERSION")));
        let text = format!(
            "{name}: \"help\" lists the commands, \"go depth 12\" searches, a move plays, \"quit\" ends."
        );
        Some(self.greeting.clone().unwrap_or_else(|| self.wrap(&text)))
    }
}

/// The commands that a search must not delay.
const AT_ONCE: [&str; 6] = ["stop", "quit", "isready", "uci", "debug", "ponderhit"];

/// Whether the terminal's language has an encoding of Unicode.
fn has_unicode() -> bool {
    let value = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    let language = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(value);
    language.is_some_and(|language| language.to_ascii_lowercase().replace('-', "").contains("utf8"))
}

/// The first of `moves` that fit in `width` columns, and `...` if these are not all. The first move always fits.
fn fit(moves: &[String], width: usize) -> String {
    const REST: &str = " ...";
    let mut text = String::new();
    for (index, mv) in moves.iter().enumerate() {
        let rest = if index + 1 == moves.len() { 0 } else { REST.len() };
        if index > 0 && text.chars().count() + 1 + mv.chars().count() + rest > width {
            return text + REST;
        }
        text += if index > 0 { " " } else { "" };
        text += mv;
    }
    text
}

/// The score in the game's unit with a sign, or `#` and the moves to mate.
fn score_text(score: Score, unit: i32) -> String {
    match score {
        Score::Cp(value) if score.is_proved() => if value > 0 { "won" } else { "lost" }.into(),
        Score::Cp(value) => format!("{}{}", if value < 0 { "" } else { "+" }, units_text(value, unit)),
        Score::Mate(moves) => format!("#{moves}"),
    }
}

/// The number rounded down to three or four digits, with a unit.
fn si_number(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{}k", number / 1000),
        10_000_000..10_000_000_000 => format!("{}M", number / 1_000_000),
        _ => format!("{}G", number / 1_000_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants;
    use std::time::Duration;

    fn info(score: Score) -> Reply {
        Reply::Info(Box::new(Info {
            depth: 9,
            seldepth: 14,
            multipv: 2,
            score,
            bound: Bound::Lower,
            wdl: None,
            nodes: 123_456,
            nps: 2_345_678,
            hashfull: 123,
            tbhits: 0,
            time: 1234,
            pv: vec!["e2e4".into(), "e7e5".into()],
        }))
    }

    #[test]
    fn info_of_one_search_prints_column_names_once() {
        let mut display = TerminalDisplay::new(false);
        let first = display.render(&info(Score::Cp(31)));
        assert_eq!(
            first,
            "  depth     score    nodes     n/s  hash      time  moves\n   \
             9/14   >=+0.31     123k   2345k   12%   1.234 s  2. e2e4 e7e5"
        );
        assert_eq!(display.render(&info(Score::Mate(-3))).lines().count(), 1);
        let best = Reply::BestMove {
            best: Some("e2e4".into()),
            ponder: Some("e7e5".into()),
            elapsed: Duration::ZERO,
        };
        assert_eq!(display.render(&best), "best move e2e4, expecting e7e5");
        assert_eq!(display.render(&info(Score::Cp(0))).lines().count(), 2);
        display.render(&Reply::Variant { name: "tree", start: String::new(), score_unit: 1 });
        assert!(display.render(&info(Score::Cp(4))).contains("   >=+4 "), "points");
        for (score, expected) in [(19_990, "    >=won "), (-20_000, "   >=lost ")] {
            assert!(display.render(&info(Score::Cp(score))).contains(expected));
        }
    }

    #[test]
    fn lines_fit_terminal_without_cutting_moves() {
        let reply = |plies: usize| match info(Score::Cp(31)) {
            Reply::Info(info) => {
                Reply::Info(Box::new(Info { pv: vec!["e2e4".into(); plies], multipv: 1, ..*info }))
            }
            other => other,
        };
        let check = |columns: fn() -> Option<usize>, header: &str| {
            let width = columns().unwrap();
            let mut display = TerminalDisplay { columns, ..TerminalDisplay::new(false) };
            for plies in 1..60 {
                let text = display.render(&reply(plies));
                let lines: Vec<&str> = text.lines().collect();
                assert!(plies > 1 || lines[0].trim_start() == header, "{text}");
                let (_, moves) = lines.last().unwrap().rsplit_once("  ").unwrap();
                assert!(lines.iter().all(|line| line.chars().count() <= width), "{text}");
                let shown = moves.split(' ').filter(|mv| *mv == "e2e4").count();
                let is_cut = moves.ends_with(" ...");
                assert!(moves.split(' ').all(|mv| ["e2e4", "..."].contains(&mv)), "{text}");
                assert!(is_cut != (shown == plies), "{plies} plies: {text}");
                assert!(!is_cut || lines.last().unwrap().len() + " e2e4".len() > width, "{plies}: {text}");
            }
        };
        check(|| Some(40), "depth     score  moves");
        check(|| Some(80), "depth     score    nodes     n/s  hash      time  moves");
        check(|| Some(200), "depth     score    nodes     n/s  hash      time  moves");
        let display = TerminalDisplay { columns: || Some(12), ..TerminalDisplay::new(false) };
        assert_eq!(
            display.wrap("expected a whole number, got \"x\"\nand more"),
            "expected a\nwhole\nnumber, got\n\"x\"\nand more"
        );
        assert_eq!(display.wrap("a longer_than_the_width word"), "a\nlonger_than_the_width\nword");
    }

    #[test]
    fn uci_ends_display_only_without_line_editor_until_help() {
        for (is_edited, expected) in [(true, "best move e2e4"), (false, "bestmove e2e4")] {
            let mut display = TerminalDisplay { is_edited, ..TerminalDisplay::new(false) };
            let best = Reply::BestMove { best: Some("e2e4".into()), ponder: None, elapsed: Duration::ZERO };
            display.read("uci");
            assert_eq!(display.write(&best).as_deref(), Some(expected));
            display.read("help");
            assert_eq!(display.write(&best).as_deref(), Some("best move e2e4"));
        }
    }

    #[test]
    fn help_fits_one_screen_and_lists_variants() {
        let help = include_str!("help.txt");
        assert!(help.lines().count() <= 23, "the prompt needs the 24th line");
        assert!(help.lines().all(|line| line.len() <= 80), "{help}");
        let (_, list) = help.split_once("UCI_Variant): ").unwrap();
        let (list, _) = list.split_once('.').unwrap();
        let names: Vec<&str> = list.split([',', ' ', '\n']).filter(|name| !name.is_empty()).collect();
        assert_eq!(names, variants::NAMES);
    }

    #[test]
    fn root_without_moves_shows_how_the_game_has_ended() {
        let check = |display: &mut TerminalDisplay, score, reason, expected: &str| {
            let text = display.render(&Reply::NoLegalMoves { score, reason });
            assert_eq!(text, format!("the game is over: {expected}"));
        };
        let mut display = TerminalDisplay::new(false);
        check(&mut display, Score::Cp(0), Some("stalemate"), "stalemate");
        check(&mut display, Score::Mate(0), Some("checkmate"), "checkmate");
        display.render(&Reply::Variant { name: "tree", start: String::new(), score_unit: 1 });
        check(&mut display, Score::Cp(0), None, "draw");
        check(&mut display, Score::Cp(-4), None, "-4 for the side to move");
        check(&mut display, Score::Mate(0), None, "the side to move has lost");
    }

    #[test]
    fn display_without_colour_has_no_escape_codes() {
        for (colour, expected) in [(true, true), (false, false)] {
            let mut display = TerminalDisplay::new(colour);
            let text = display.greeting().unwrap() + &display.render(&info(Score::Cp(-500)));
            assert_eq!(text.contains('\x1b'), expected);
        }
    }
}
