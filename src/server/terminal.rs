//! The display for a terminal: UCI commands, with replies in aligned columns and in colour, without protocol keywords.

use crate::game::{Bound, units_text};
use crate::protocol::{Command, Dialect, Info, Reply, Request, Score, Uci};
use crate::variants;
use std::io::IsTerminal;

/// The UCI protocol at a terminal: renders the replies for a person until the first `uci`.
#[derive(Clone, Debug)]
pub struct TerminalDisplay {
    colour: bool,
    /// Whether the column names of this search are printed.
    header_printed: bool,
    /// The scores in one shown unit, see [`Notation::SCORE_UNIT`](crate::game::Notation::SCORE_UNIT).
    score_unit: i32,
    /// Whether the game is chess, whose ends have names.
    is_chess: bool,
    /// Whether the client has sent `uci` and reads UCI replies.
    plain: bool,
}

/// The name of chess as a variant.
const CHESS: &str = "chess";
/// Pawns, in chess.
const DEFAULT_SCORE_UNIT: i32 = 100;

const BOLD: &str = "1";
const DIM: &str = "2";
const GREEN: &str = "32";
const RED: &str = "31";
const YELLOW: &str = "33";

impl TerminalDisplay {
    /// A display if standard input and output are both terminals. In colour unless `NO_COLOR` is set
    /// (<https://no-color.org>).
    pub fn at_terminal() -> Option<TerminalDisplay> {
        let both = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        both.then(|| TerminalDisplay::new(std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())))
    }

    /// A display with or without colour.
    pub fn new(colour: bool) -> TerminalDisplay {
        TerminalDisplay {
            colour,
            header_printed: false,
            score_unit: DEFAULT_SCORE_UNIT,
            is_chess: variants::DEFAULT == CHESS,
            plain: false,
        }
    }

    /// The text of `reply`, one line or several.
    fn render(&mut self, reply: &Reply) -> String {
        match reply {
            Reply::Info(info) => self.line(info),
            Reply::NoLegalMoves(score) => self.end_of_game(*score),
            Reply::CurrMove { depth, mv, number } => {
                self.paint(DIM, &format!("{depth:>5}       move {number:>3}: {mv}"))
            }
            Reply::InfoString(text) => self.paint(YELLOW, text),
            Reply::Variant { name, start, score_unit } => {
                self.score_unit = *score_unit;
                self.is_chess = *name == CHESS;
                self.paint(YELLOW, &format!("variant {name}, position set to its start: {start}"))
            }
            Reply::BestMove { best, ponder } => {
                self.header_printed = false;
                let best = self.paint(BOLD, best.as_deref().unwrap_or("(none)"));
                let ponder = ponder.iter().map(|mv| format!(", expecting {mv}")).collect::<String>();
                format!("best move {best}{ponder}")
            }
            other => other.to_string(),
        }
    }

    fn line(&mut self, info: &Info) -> String {
        let mut text = String::new();
        if !std::mem::replace(&mut self.header_printed, true) {
            let names = format!(
                "{:>7} {:>9} {:>8} {:>7} {:>5} {:>9}  moves",
                "depth", "score", "nodes", "n/s", "hash", "time"
            );
            text = self.paint(DIM, &names) + "\n";
        }
        let depth = format!("{}/{}", info.depth, info.seldepth);
        let sign = match info.bound {
            Bound::Exact => "",
            Bound::Lower => ">=",
            Bound::Upper => "<=",
        };
        let score = format!("{:>9}", format!("{sign}{}", score_text(info.score, self.score_unit)));
        let score = match info.score {
            Score::Cp(value) if 5 * value.abs() < self.score_unit => score,
            Score::Cp(value) => self.paint(if value > 0 { GREEN } else { RED }, &score),
            Score::Mate(moves) => self.paint(if moves > 0 { GREEN } else { RED }, &score),
        };
        let (nodes, nps) = (si_number(info.nodes), si_number(info.nps));
        let hash = format!("{}%", info.hashfull / 10);
        let time = format!("{:.3} s", info.time as f64 / 1000.0);
        let rank = if info.multipv > 1 { format!("{}. ", info.multipv) } else { String::new() };
        let moves = info.pv.join(" ");
        text + &format!("{depth:>7} {score} {nodes:>8} {nps:>7} {hash:>5} {time:>9}  {rank}{moves}")
    }

    /// How the game has ended. `score` is that of the side to move, which has no legal move.
    fn end_of_game(&self, score: Score) -> String {
        let result = match score {
            Score::Mate(_) if self.is_chess => "checkmate".into(),
            Score::Cp(0) if self.is_chess => "stalemate".into(),
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
        let requests = Uci.read(line);
        self.plain |= requests.contains(&Request::Command(Command::Uci));
        requests
    }

    fn write(&mut self, reply: &Reply) -> Option<String> {
        if self.plain { Uci.write(reply) } else { Some(self.render(reply)) }
    }

    fn greeting(&self) -> Option<String> {
        let name = self.paint(BOLD, concat!("Duiyi ", env!("CARGO_PKG_VERSION")));
        Some(format!("{name}: \"help\" lists the commands, \"go depth 12\" searches, \"quit\" ends."))
    }
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
        let best = Reply::BestMove { best: Some("e2e4".into()), ponder: Some("e7e5".into()) };
        assert_eq!(display.render(&best), "best move e2e4, expecting e7e5");
        assert_eq!(display.render(&info(Score::Cp(0))).lines().count(), 2);
        display.render(&Reply::Variant { name: "tree", start: String::new(), score_unit: 1 });
        assert!(display.render(&info(Score::Cp(4))).contains("   >=+4 "), "points");
        for (score, expected) in [(19_990, "    >=won "), (-20_000, "   >=lost ")] {
            assert!(display.render(&info(Score::Cp(score))).contains(expected));
        }
    }

    #[test]
    fn root_without_moves_shows_how_the_game_has_ended() {
        let check = |display: &mut TerminalDisplay, score, expected: &str| {
            assert_eq!(display.render(&Reply::NoLegalMoves(score)), format!("the game is over: {expected}"));
        };
        let mut display = TerminalDisplay::new(false);
        check(&mut display, Score::Cp(0), "stalemate");
        check(&mut display, Score::Mate(0), "checkmate");
        display.render(&Reply::Variant { name: "tree", start: String::new(), score_unit: 1 });
        check(&mut display, Score::Cp(0), "draw");
        check(&mut display, Score::Cp(-4), "-4 for the side to move");
        check(&mut display, Score::Mate(0), "the side to move has lost");
        display.render(&Reply::Variant { name: CHESS, start: String::new(), score_unit: 100 });
        check(&mut display, Score::Cp(0), "stalemate");
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
