//! GTP 2, the protocol of Go programs and their GUIs (<https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html>).
//!
//! Each line gets one answer, `=` or `?` with the number of the line if it has one, which an empty line ends.

use super::dialect::{Dialect, Request, split_word};
use super::{Command, Go, Info, Reply, Score, StartPosition};
use crate::game::{Side, quote};
use std::time::Duration;

const COMMANDS: [&str; 37] = [
    "all_legal", "boardsize", "clear_board", "final_score", "final_status_list", "fixed_handicap", "genmove",
    "get_komi", "is_legal", "kata-analyze", "kata-genmove_analyze", "kgs-game_over", "kgs-genmove_cleanup",
    "kgs-rules", "kgs-time_settings", "known_command", "komi", "list_commands", "loadsgf", "lz-analyze",
    "lz-genmove_analyze", "lz-setoption", "name", "place_free_handicap", "play", "printsgf",
    "protocol_version", "query_boardsize", "quit", "reg_genmove", "set_free_handicap", "showboard", "stop",
    "time_left", "time_settings", "undo", "version",
];

/// The commands with which a session of UCI or of another protocol may begin, too.
const SHARED: [&str; 4] = ["play", "quit", "stop", "undo"];

/// The files of a board: no `I`.
const FILES: &str = "ABCDEFGHJKLMNOPQRST";
const MIN_SIZE: usize = 2;
/// Also the size at the beginning, as in other programs.
const MAX_SIZE: usize = FILES.len();
/// The largest komi, in half points.
const MAX_KOMI: f64 = 722.0;
/// The komi at the beginning.
const DEFAULT_KOMI: f64 = 7.0;
/// Milliseconds for a move without time settings.
const DEFAULT_MOVE_TIME: i64 = 5000;

/// The rate of wins in per cent below which a side resigns, at the beginning, and how many moves in a row it must be below that.
const DEFAULT_RESIGN_PERCENTAGE: f64 = 1.0;
const RESIGN_MOVES: u32 = 3;

/// The numbers of requests: a part of a command, its last part, and the points before a search.
const PART: u64 = 0;
const LAST: u64 = 1;
const POINTS: u64 = 2;

/// Whether a line whose first word is `word`, after its number, begins a session of GTP.
pub fn is_first_word(word: &str) -> bool {
    is_command(word) && !SHARED.contains(&word)
}

pub fn is_command(word: &str) -> bool {
    COMMANDS.contains(&word)
}

/// The words of a line after its number.
pub fn without_number(line: &str) -> &str {
    let line = line.trim();
    let (first, rest) = split_word(line);
    if !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit()) { rest } else { line }
}

/// What becomes of the output of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    /// It is not shown.
    Nothing,
    /// This text is shown instead.
    Text(String),
    /// The name of the program, or its version.
    Name,
    Version,
    /// The position for people, without empty lines.
    Board,
    /// The points of Black minus those of White.
    Points,
    /// Whether this move is in the list of legal moves.
    IsLegal(String),
    Moves,
    /// The stones of the position: all are alive.
    Stones,
    /// A record without the line break at its end.
    Record,
    /// The side to move of a position that was loaded.
    Loaded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// A move, which is played, or a resignation.
    Move { form: Option<Form>, may_resign: bool },
    /// A move that is not played.
    Advice,
    /// Lines until the next command.
    Analysis(Form),
}

/// How a line of an analysis is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As by Leela Zero: the rate of wins in 1/10,000.
    Leela,
    /// As by KataGo: the rate of wins from 0 to 1, and points.
    Kata,
}

impl Form {
    fn of_command(word: &str) -> Form {
        if word.starts_with("lz") { Form::Leela } else { Form::Kata }
    }
}

#[derive(Clone, Debug)]
struct Search {
    purpose: Purpose,
    side: Side,
    /// The number of its command.
    number: String,
    /// Whether its answer has begun.
    has_begun: bool,
    /// The rate of wins of the best move so far, in 1/1,000: half of the draws count.
    wins: Option<u32>,
    /// Whether a pass would end the game as a win.
    pass_wins: bool,
}

/// The time of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Clock {
    /// Milliseconds left: of the main time, or of the period if `stones` is not 0.
    left: i64,
    /// The stones to play in the period; 0 in the main time.
    stones: i64,
}

impl Clock {
    /// Takes the time that the controller reports. Some round the main time up to whole seconds: then less is left, as counted here.
    fn correct(&mut self, reported: Clock) {
        let is_rounded_up = (reported.left - 999..reported.left).contains(&self.left);
        if reported.stones != 0 || self.stones != 0 || !is_rounded_up {
            *self = reported;
        }
    }
}

/// The time settings: the main time, then periods of `period` milliseconds for `stones` stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TimeSettings {
    main: i64,
    period: i64,
    stones: i64,
}

#[derive(Debug)]
pub struct Gtp {
    has_begun: bool,
    size: usize,
    komi: f64,
    /// Whether no stone was put on the board since it was cleared.
    is_empty: bool,
    /// The side whose pass was the last move.
    passed: Option<Side>,
    /// `None` without a limit.
    time: Option<TimeSettings>,
    /// Of Black and of White.
    clocks: [Clock; 2],
    /// The nodes of a search; `None` without a limit.
    visits: Option<i64>,
    resign_percentage: f64,
    /// The last moves in a row after which Black, and White, could resign.
    hopeless_moves: [u32; 2],
    /// The number of the command that the server executes, and what its answer is.
    number: String,
    answer: Answer,
    /// Why a part of it was refused.
    refusal: Option<String>,
    search: Option<Search>,
    /// The number of the command `quit`.
    quit: Option<String>,
    follow_up: Vec<Request>,
    name: String,
}

impl Default for Gtp {
    fn default() -> Gtp {
        Gtp {
            has_begun: false,
            size: MAX_SIZE,
            komi: DEFAULT_KOMI,
            is_empty: true,
            passed: None,
            time: None,
            clocks: Default::default(),
            visits: None,
            resign_percentage: DEFAULT_RESIGN_PERCENTAGE,
            hopeless_moves: [0; 2],
            number: String::new(),
            answer: Answer::Nothing,
            refusal: None,
            search: None,
            quit: None,
            follow_up: Vec::new(),
            name: String::new(),
        }
    }
}

impl Dialect for Gtp {
    fn read(&mut self, line: &str) -> Vec<Request> {
        let line: String =
            line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect();
        let line = line.trim_start_matches('\u{feff}').split('#').next().unwrap_or("").trim();
        let mut requests = Vec::new();
        if !std::mem::replace(&mut self.has_begun, true) {
            let options = [set_option("UCI_Variant", "go"), set_option("UCI_ShowWDL", "true")];
            requests.extend([Command::Uci].into_iter().chain(options).map(Request::Command));
            requests.push(self.empty_board(PART));
        }
        if self.search.as_ref().is_some_and(|search| matches!(search.purpose, Purpose::Analysis(_))) {
            // Any line ends an analysis, an empty one too.
            requests.push(Request::Command(Command::Stop));
        }
        if line.is_empty() {
            return requests;
        }
        let command = without_number(line);
        let number = line[..line.len() - command.len()].trim().to_owned();
        let (word, arguments) = split_word(command);
        self.number = number;
        let result = self.command(word, arguments);
        self.refusal = result.as_ref().err().cloned();
        let parts;
        (self.answer, parts) = result.unwrap_or_else(|_| (Answer::Nothing, vec![nothing()]));
        requests.extend(parts);
        requests
    }

    fn write(&mut self, reply: &Reply) -> Option<String> {
        match reply {
            Reply::IdName(name) => {
                self.name.clone_from(name);
                None
            }
            Reply::Raw(text) => Some(text.clone()),
            Reply::Done { id: LAST, result } => {
                let result = self.refusal.take().map_or(result.clone(), Err);
                Some(match result.map(|output| self.answer_text(&output)) {
                    Ok(text) if text.is_empty() => format!("={}\n", self.number),
                    Ok(text) => format!("={} {text}\n", self.number),
                    Err(reason) => format!("?{} {reason}\n", self.number),
                })
            }
            Reply::Done { id: POINTS, result: Ok(points) } => {
                if let (Some(search), Ok(points)) = (&mut self.search, points.parse::<f64>()) {
                    search.pass_wins = if search.side == Side::White { points > 0.0 } else { points < 0.0 };
                }
                None
            }
            Reply::Done { result: Err(reason), .. } => {
                self.refusal.get_or_insert_with(|| reason.clone());
                None
            }
            Reply::Info(info) => self.info(info),
            Reply::BestMove { best, elapsed, .. } => self.best_move(best.as_deref(), *elapsed),
            // Texts between the answers would be read as a part of one.
            Reply::InfoString(_)
            | Reply::Done { .. }
            | Reply::NoLegalMoves { .. }
            | Reply::CurrMove { .. }
            | Reply::Variant { .. }
            | Reply::Board(_)
            | Reply::Option(_)
            | Reply::IdAuthor(_)
            | Reply::UciOk
            | Reply::ReadyOk => None,
        }
    }

    fn follow_up(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.follow_up)
    }

    fn farewell(&self) -> Option<String> {
        self.quit.as_ref().map(|number| format!("={number}\n"))
    }

    /// A line waits for the answer to the line before it.
    fn acts_at_once(&self, line: &str) -> bool {
        split_word(without_number(line)).0 == "quit"
    }
}

impl Gtp {
    /// What a command asks of the server, and what becomes of its output. The error is one line.
    fn command(&mut self, word: &str, arguments: &str) -> Result<(Answer, Vec<Request>), String> {
        let text = |text: String| Ok((Answer::Text(text), vec![nothing()]));
        let ask = |answer, command| Ok((answer, vec![Request::Ask(LAST, command)]));
        match word {
            "protocol_version" => text("2".into()),
            "name" => Ok((Answer::Name, vec![nothing()])),
            "version" => Ok((Answer::Version, vec![nothing()])),
            "known_command" => text(is_command(split_word(arguments).0).to_string()),
            "list_commands" => text(COMMANDS.join("\n")),
            "query_boardsize" => text(self.size.to_string()),
            "get_komi" => text(self.komi.to_string()),
            "quit" => {
                self.quit = Some(self.number.clone());
                Ok((Answer::Nothing, vec![Request::Command(Command::Quit)]))
            }
            "stop" | "kgs-game_over" => Ok((Answer::Nothing, vec![nothing()])),
            "boardsize" => {
                let size = arguments.parse().ok().filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size));
                self.size = size.ok_or_else(|| {
                    let expected = format!("a size from {MIN_SIZE} to {MAX_SIZE}");
                    refused("unacceptable size", &expected, arguments)
                })?;
                Ok((Answer::Nothing, vec![self.empty_board(LAST)]))
            }
            "clear_board" => Ok((Answer::Nothing, vec![self.empty_board(LAST)])),
            "komi" => {
                let half_points = arguments.parse::<f64>().ok().map(|komi| 2.0 * komi);
                let valid = half_points.filter(|komi| komi.fract() == 0.0 && komi.abs() <= MAX_KOMI);
                let komi = valid.ok_or_else(|| {
                    let expected = format!("a komi in half points up to {}", MAX_KOMI / 2.0);
                    refused("syntax error", &expected, arguments)
                })?;
                self.komi = komi / 2.0;
                ask(Answer::Nothing, set_option("Komi Half Points", &komi.to_string()))
            }
            "kgs-rules" => {
                let rules = match arguments.to_ascii_lowercase().as_str() {
                    "chinese" => "Chinese",
                    "aga" => "AGA",
                    "tromp-taylor" | "new_zealand" => "Tromp-Taylor",
                    _ => return Err(refused("unknown rules", "chinese, aga or tromp-taylor", arguments)),
                };
                ask(Answer::Nothing, set_option("Go Rules", rules))
            }
            "play" => {
                let (side, point) = split_word(arguments);
                let (side, mv) = (self.side(side)?, self.vertex(point)?);
                self.note_move(side, &mv);
                Ok((Answer::Nothing, vec![turn(side), Request::Ask(LAST, Command::Play(mv))]))
            }
            "undo" => {
                self.passed = None;
                ask(Answer::Nothing, Command::Undo(None))
            }
            "is_legal" => {
                let (side, point) = split_word(arguments);
                let (side, mv) = (self.side(side)?, self.vertex(point)?);
                Ok((Answer::IsLegal(mv), vec![turn(side), Request::Ask(LAST, Command::Moves)]))
            }
            "all_legal" => {
                let side = self.side(arguments)?;
                Ok((Answer::Moves, vec![turn(side), Request::Ask(LAST, Command::Moves)]))
            }
            "showboard" => ask(Answer::Board, Command::Display),
            "final_score" => ask(Answer::Points, Command::Points),
            "final_status_list" => match arguments {
                "alive" => ask(Answer::Stones, Command::Display),
                // Every stone on the board counts.
                "dead" | "seki" => text(String::new()),
                _ => Err(refused("syntax error", "alive, dead or seki", arguments)),
            },
            "loadsgf" => load_record(arguments),
            "printsgf" => {
                let path = Some(arguments.into()).filter(|_| !["", "-"].contains(&arguments));
                ask(Answer::Record, Command::Save { path, tags: Vec::new(), result: None })
            }
            "fixed_handicap" | "place_free_handicap" => {
                let points = self.handicap_points(arguments, word == "fixed_handicap")?;
                Ok((Answer::Text(points.join(" ")), self.handicap(&points)?))
            }
            "set_free_handicap" => {
                let points = arguments.split_ascii_whitespace().map(|point| self.vertex(point));
                let points = points.collect::<Result<Vec<_>, _>>()?;
                let has_twice = (1..points.len()).any(|index| points[..index].contains(&points[index]));
                if points.len() < 2 || has_twice || points.iter().any(|point| point == "pass") {
                    return Err(refused("bad vertex list", "two different points and more", arguments));
                }
                Ok((Answer::Nothing, self.handicap(&points)?))
            }
            "time_settings" => {
                let [main, period, stones] = numbers(arguments)?;
                self.set_time((period == 0.0 || stones != 0.0).then_some([main, period, stones]))
            }
            "kgs-time_settings" => {
                let (system, rest) = split_word(arguments);
                self.set_time(match system {
                    "none" => None,
                    "absolute" => Some(numbers(rest).map(|[main]| [main, 0.0, 0.0])?),
                    // Periods of one stone. How many there are changes nothing as long as no period is exceeded.
                    "byoyomi" => Some(numbers(rest).map(|[main, period, _]| [main, period, 1.0])?),
                    "canadian" => Some(numbers(rest)?),
                    _ => {
                        return Err(refused(
                            "syntax error",
                            "none, absolute, byoyomi or canadian",
                            arguments,
                        ));
                    }
                })
            }
            "time_left" => {
                let (side, rest) = split_word(arguments);
                let (side, [left, stones]) = (self.side(side)?, numbers(rest)?);
                let reported = Clock { left: millis(left), stones: stones as i64 };
                self.clocks[side.index()].correct(reported);
                self.time.get_or_insert(TimeSettings { main: millis(left), period: 0, stones: 0 });
                Ok((Answer::Nothing, vec![nothing()]))
            }
            "genmove" | "kgs-genmove_cleanup" => {
                let purpose = Purpose::Move { form: None, may_resign: word == "genmove" };
                let side = self.side(arguments)?;
                Ok((Answer::Nothing, self.search(purpose, side)))
            }
            "lz-setoption" => self.set_option(arguments),
            "reg_genmove" => {
                let side = self.side(arguments)?;
                Ok((Answer::Nothing, self.search(Purpose::Advice, side)))
            }
            "lz-genmove_analyze" | "kata-genmove_analyze" => {
                let side = self.side(split_word(arguments).0)?;
                let form = Some(Form::of_command(word));
                Ok((Answer::Nothing, self.search(Purpose::Move { form, may_resign: true }, side)))
            }
            "lz-analyze" | "kata-analyze" => {
                let side = self.side(split_word(arguments).0).ok();
                let mut requests =
                    self.search(Purpose::Analysis(Form::of_command(word)), side.unwrap_or_default());
                if side.is_none() {
                    // The side to move of the position.
                    requests.remove(0);
                }
                Ok((Answer::Nothing, requests))
            }
            "" => Err("syntax error: expected a command after the number, got nothing".into()),
            _ => Err(format!("unknown command: {} (\"list_commands\" lists them), ignored", quote(word))),
        }
    }

    /// The output of the server as the answer to a command.
    fn answer_text(&mut self, output: &str) -> String {
        match &self.answer {
            Answer::Nothing => String::new(),
            Answer::Text(text) => text.clone(),
            Answer::Name => self.name.rsplit_once(' ').map_or("", |(name, _)| name).into(),
            Answer::Version => self.name.rsplit_once(' ').map_or("", |(_, version)| version).into(),
            Answer::Board => {
                let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
                format!("\n{}", lines.join("\n"))
            }
            Answer::Points => match output.parse::<f64>() {
                Ok(points) if points > 0.0 => format!("B+{points}"),
                Ok(points) if points < 0.0 => format!("W+{}", -points),
                _ => "0".into(),
            },
            Answer::IsLegal(mv) => {
                u8::from(output.split_ascii_whitespace().any(|legal| legal == mv)).to_string()
            }
            Answer::Moves => output.to_ascii_uppercase().replace("PASS", "").trim_end().into(),
            Answer::Stones => self.stones(output).join("\n"),
            Answer::Record => output.trim_end().into(),
            Answer::Loaded => self.loaded(output),
        }
    }

    /// Takes over the board of a record that was loaded. Returns the side to move.
    fn loaded(&mut self, output: &str) -> String {
        let fields: Vec<&str> = position_text(output).split(' ').collect();
        if let &[ranks, side, _, _, komi, ..] = fields.as_slice() {
            self.size = ranks.split('/').count();
            self.is_empty = !ranks.contains(['P', 'p']);
            self.passed = None;
            self.hopeless_moves = [0; 2];
            self.komi = komi.parse().unwrap_or(self.komi);
            return if side == "w" { "white".into() } else { "black".into() };
        }
        String::new()
    }

    /// The points with stones, from the last line of the position for people.
    fn stones(&self, output: &str) -> Vec<String> {
        let text = split_word(position_text(output)).0;
        let mut stones = Vec::new();
        for (row, rank) in text.split('/').enumerate() {
            let (mut file, mut free) = (0, 0);
            for letter in rank.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    free = 10 * free + digit as usize;
                    continue;
                }
                file += std::mem::take(&mut free);
                let name = FILES.get(file..=file).unwrap_or("?");
                stones.push(format!("{name}{}", self.size.saturating_sub(row)));
                file += 1;
            }
        }
        stones
    }

    /// Sets an option: `name N value V`. Two have the names of Leela Zero, the others are those of UCI.
    fn set_option(&mut self, arguments: &str) -> Result<(Answer, Vec<Request>), String> {
        let named = arguments.strip_prefix("name ").and_then(|rest| rest.split_once(" value "));
        let Some((name, value)) = named.map(|(name, value)| (name.trim(), value.trim())) else {
            return Err(refused("syntax error", "name NAME value VALUE", arguments));
        };
        match name.to_ascii_lowercase().replace('_', " ").as_str() {
            "uci variant" | "uci showwdl" | "komi half points" | "go rules" => {
                return Err(refused("unacceptable option", "one that no command sets", name));
            }
            "visits" => {
                let visits = value.parse().ok().filter(|visits: &i64| *visits >= 0);
                let visits = visits
                    .ok_or_else(|| refused("syntax error", "visits from 0 on, 0 without a limit", value))?;
                self.visits = Some(visits).filter(|visits| *visits > 0);
            }
            "resign percentage" => {
                let percentage = value.parse().ok().filter(|percentage| (0.0..=100.0).contains(percentage));
                self.resign_percentage = percentage
                    .ok_or_else(|| refused("syntax error", "a percentage, 0 never to resign", value))?;
            }
            _ => return Ok((Answer::Nothing, vec![Request::Ask(LAST, set_option(name, value))])),
        }
        Ok((Answer::Nothing, vec![nothing()]))
    }

    fn empty_board(&mut self, id: u64) -> Request {
        self.is_empty = true;
        self.passed = None;
        self.hopeless_moves = [0; 2];
        let ranks = vec![self.size.to_string(); self.size].join("/");
        let setup = StartPosition::Fen(format!("{ranks} b"));
        Request::Ask(id, Command::Position { setup, moves: Vec::new() })
    }

    fn side(&self, text: &str) -> Result<Side, String> {
        match text.to_ascii_lowercase().as_str() {
            "b" | "black" => Ok(Side::White),
            "w" | "white" => Ok(Side::Black),
            _ => Err(refused("syntax error", "b, black, w or white", text)),
        }
    }

    /// A point or `pass` as the server reads it.
    fn vertex(&self, text: &str) -> Result<String, String> {
        let expected = || {
            let last = format!("{}{}", &FILES[self.size - 1..self.size], self.size);
            refused("syntax error", &format!("a point from A1 to {last} without the file I, or pass"), text)
        };
        let lower = text.to_ascii_lowercase();
        if lower == "pass" {
            return Ok(lower);
        }
        let file = text.chars().next().and_then(|file| FILES.find(file.to_ascii_uppercase()));
        let rank = text.get(1..).filter(|rank| rank.bytes().all(|byte| byte.is_ascii_digit()));
        let rank = rank.and_then(|rank| rank.parse::<usize>().ok());
        match (file, rank) {
            (Some(file), Some(rank)) if file < self.size && (1..=self.size).contains(&rank) => Ok(lower),
            _ => Err(expected()),
        }
    }

    /// The points of a handicap, as the protocol's text places them. A free handicap has no more stones than that.
    fn handicap_points(&self, arguments: &str, is_fixed: bool) -> Result<Vec<String>, String> {
        let most = match self.size {
            0..7 => 0,
            7 => 4,
            size if size % 2 == 0 => 4,
            _ => 9,
        };
        if most == 0 {
            let size = self.size;
            return Err(format!("invalid number of stones: expected a board of 7x7 and more, got {size}"));
        }
        let count = arguments.parse::<usize>().ok().filter(|count| *count >= 2);
        let count = count.filter(|&count| count <= most || !is_fixed).ok_or_else(|| {
            refused("invalid number of stones", &format!("2 to {most} on this board"), arguments)
        })?;
        let near = if self.size < 13 { 2 } else { 3 };
        let (low, middle, high) = (near, self.size / 2, self.size - 1 - near);
        let corners = [(low, low), (high, high), (high, low), (low, high)];
        let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
        let points = match count.min(most) {
            count @ 2..=4 => corners[..count].to_vec(),
            5 => [&corners[..], &[(middle, middle)]].concat(),
            6 => [&corners[..], &sides[..2]].concat(),
            7 => [&corners[..], &sides[..2], &[(middle, middle)]].concat(),
            8 => [corners, sides].concat(),
            _ => [&corners[..], &sides, &[(middle, middle)]].concat(),
        };
        Ok(points.iter().map(|&(file, rank)| format!("{}{}", &FILES[file..=file], rank + 1)).collect())
    }

    /// Puts Black's stones on an empty board. White moves next.
    fn handicap(&mut self, points: &[String]) -> Result<Vec<Request>, String> {
        if !self.is_empty {
            return Err("board not empty: expected a board without stones, command ignored".into());
        }
        self.is_empty = false;
        self.passed = None;
        let mut requests = Vec::new();
        for point in points {
            requests.push(turn(Side::White));
            requests.push(Request::Ask(PART, Command::Play(point.to_ascii_lowercase())));
        }
        requests.push(Request::Ask(LAST, Command::Turn(Side::Black)));
        Ok(requests)
    }

    /// Sets the times in seconds: the main time, the length of a period and its stones. `None` is no limit.
    fn set_time(&mut self, seconds: Option<[f64; 3]>) -> Result<(Answer, Vec<Request>), String> {
        self.time = seconds.map(|[main, period, stones]| TimeSettings {
            main: millis(main),
            period: millis(period),
            stones: stones as i64,
        });
        let left = self.time.map_or(0, |time| time.main);
        self.clocks = [Clock { left, stones: 0 }; 2];
        Ok((Answer::Nothing, vec![nothing()]))
    }

    fn search(&mut self, purpose: Purpose, side: Side) -> Vec<Request> {
        let number = self.number.clone();
        self.search = Some(Search { purpose, side, number, has_begun: false, wins: None, pass_wins: false });
        let mut requests = vec![turn(side)];
        if matches!(purpose, Purpose::Move { may_resign: true, .. }) && self.passed == Some(!side) {
            requests.push(Request::Ask(POINTS, Command::Points));
        }
        let go = match purpose {
            Purpose::Analysis(_) => Go { infinite: true, ..Go::default() },
            _ => self.limits(side),
        };
        requests.push(Request::Command(Command::Go(go)));
        requests
    }

    fn limits(&self, side: Side) -> Go {
        let nodes = self.visits;
        let Some(TimeSettings { period, stones: period_stones, .. }) = self.time else {
            let movetime = nodes.is_none().then_some(DEFAULT_MOVE_TIME);
            return Go { movetime, nodes, ..Go::default() };
        };
        let Clock { left, stones } = self.clocks[side.index()];
        let (time, increment, movestogo) = if stones > 0 {
            (left, 0, Some(stones))
        } else if period > 0 && left <= 0 {
            (period, 0, Some(period_stones.max(1)))
        } else {
            // The main time, and then the first period.
            (left + period, period / period_stones.max(1), None)
        };
        let (time, increment) = (Some(time), Some(increment));
        Go { wtime: time, btime: time, winc: increment, binc: increment, movestogo, nodes, ..Go::default() }
    }

    fn info(&mut self, info: &Info) -> Option<String> {
        let search = self.search.as_mut().filter(|_| info.multipv == 1)?;
        search.wins = info.wdl.map(|[win, draw, _]| u32::from(win) + u32::from(draw) / 2);
        let (Purpose::Analysis(form) | Purpose::Move { form: Some(form), .. }) = search.purpose else {
            return None;
        };
        let has_begun = std::mem::replace(&mut search.has_begun, true);
        let begin = if has_begun { String::new() } else { format!("={}\n", search.number) };
        let first = info.pv.first().map_or("PASS".into(), |mv| mv.to_ascii_uppercase());
        let pv = info.pv.join(" ").to_ascii_uppercase();
        let wins = search.wins.unwrap_or(500);
        let values = match (form, info.score) {
            (Form::Leela, _) => format!("winrate {} prior 10000", 10 * wins),
            (Form::Kata, Score::Cp(score)) => {
                format!("winrate {:.3} scoreLead {:.1}", f64::from(wins) / 1000.0, f64::from(score) / 10.0)
            }
            (Form::Kata, Score::Mate(_)) => format!("winrate {:.3}", f64::from(wins) / 1000.0),
        };
        Some(format!("{begin}info move {first} visits {} {values} order 0 pv {pv}", info.nodes))
    }

    fn note_move(&mut self, side: Side, mv: &str) {
        let is_pass = mv == "pass";
        self.is_empty &= is_pass;
        self.passed = is_pass.then_some(side);
    }

    /// Counts a move of `side` whose rate of wins was `wins`. Returns whether the game is lost.
    fn is_resigned(&mut self, side: Side, wins: Option<u32>) -> bool {
        let is_hopeless = wins.is_some_and(|wins| f64::from(wins) < 10.0 * self.resign_percentage);
        let count = &mut self.hopeless_moves[side.index()];
        *count = if is_hopeless { *count + 1 } else { 0 };
        *count >= RESIGN_MOVES
    }

    fn best_move(&mut self, best: Option<&str>, elapsed: Duration) -> Option<String> {
        let Search { purpose, side, number, has_begun, wins, pass_wins } = self.search.take()?;
        let clock = &mut self.clocks[side.index()];
        clock.left -= elapsed.as_millis() as i64;
        let resigns =
            matches!(purpose, Purpose::Move { may_resign: true, .. }) && self.is_resigned(side, wins);
        // More points than those of a won game are worth nothing. Dead stones count as alive, so the search must win too.
        let ends = pass_wins && wins.is_some_and(|wins| wins > 500);
        let best = if ends { Some("pass") } else { best };
        let mv = if resigns { "resign" } else { best.unwrap_or("pass") };
        if matches!(purpose, Purpose::Move { .. }) && !resigns {
            self.note_move(side, mv);
            self.follow_up =
                best.map(|mv| Request::Ask(PART, Command::Play(mv.into()))).into_iter().collect();
        }
        let (begin, text) = (format!("={number}"), if resigns { mv.into() } else { mv.to_ascii_uppercase() });
        Some(match purpose {
            Purpose::Analysis(_) if has_begun => String::new(),
            Purpose::Analysis(_) => begin + "\n",
            Purpose::Move { form: Some(_), .. } if has_begun => format!("play {text}\n"),
            Purpose::Move { form: Some(_), .. } => format!("{begin}\nplay {text}\n"),
            Purpose::Move { form: None, .. } | Purpose::Advice => format!("{begin} {text}\n"),
        })
    }
}

/// The position as text, which the position for people ends with.
fn position_text(output: &str) -> &str {
    output.rsplit_once("Fen: ").map_or("", |(_, fen)| fen.trim())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Loads a record, to its end or up to before a move.
fn load_record(arguments: &str) -> Result<(Answer, Vec<Request>), String> {
    let (path, before) = split_word(arguments);
    if path.is_empty() {
        return Err(refused("missing filename", "the path of a file and perhaps a move", path));
    }
    let is_move = before.len() > 1 && before.is_ascii() && is_number(&before[1..]);
    if !(before.is_empty() || is_number(before) || is_move || before.eq_ignore_ascii_case("pass")) {
        return Err(refused("syntax error", "the number of a move or a point", before));
    }
    let (path, before) = (path.into(), Some(before.into()).filter(|_| !before.is_empty()));
    let load = Command::Load { path, before, variant: Some("go") };
    Ok((Answer::Loaded, vec![Request::Ask(PART, load), nothing()]))
}

fn refused(what: &str, expected: &str, got: &str) -> String {
    let got = if got.is_empty() { "nothing".into() } else { quote(got) };
    format!("{what}: expected {expected}, got {got}, command ignored")
}

/// Reads numbers with blanks between them, each 0 or more.
fn numbers<const COUNT: usize>(text: &str) -> Result<[f64; COUNT], String> {
    let number = |word: &str| word.parse::<f64>().ok().filter(|number| *number >= 0.0 && number.is_finite());
    let numbers: Option<Vec<f64>> = text.split_ascii_whitespace().map(number).collect();
    let array = numbers.and_then(|numbers| <[f64; COUNT]>::try_from(numbers).ok());
    array.ok_or_else(|| refused("syntax error", &format!("{COUNT} numbers from 0 on"), text))
}

fn millis(seconds: f64) -> i64 {
    (seconds * 1000.0) as i64
}

fn set_option(name: &str, value: &str) -> Command {
    Command::SetOption { name: name.into(), value: Some(value.into()) }
}

fn turn(side: Side) -> Request {
    Request::Ask(PART, Command::Turn(side))
}

/// A request that changes nothing, so that the answer comes after those of the lines before.
fn nothing() -> Request {
    Request::Ask(LAST, Command::Display)
}

#[cfg(test)]
mod tests;
