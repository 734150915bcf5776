//! The Gomocup protocol, which managers of gomoku tournaments speak (<https://plastovicka.github.io/protocl2en.htm>).
//!
//! A line like `TURN` has two parts: the server plays the stone, and if that is legal, it searches an answer.

use super::command::quote_or_nothing;
use super::dialect::{Dialect, Request, split_word};
use super::reply::prefixed;
use super::{Command, Go, Info, Reply, Score, StartPosition};
use crate::game::{DropBoard, Side, quote};
use std::time::Duration;

/// The words with which a client that speaks this protocol begins.
pub const FIRST_WORDS: [&str; 4] = ["START", "RECTSTART", "ABOUT", "INFO"];

/// The first words of all lines but those between `BOARD` or `SWAP2BOARD` and `DONE`. Case is ignored.
const COMMANDS: [&str; 13] = [
    "ABOUT", "BEGIN", "BOARD", "DONE", "END", "INFO", "PLAY", "RECTSTART", "RESTART", "START", "SWAP2BOARD",
    "TAKEBACK", "TURN",
];

/// The commands that need the board after the running search. They do not end it.
const USES_BOARD: [&str; 7] = ["BEGIN", "BOARD", "DONE", "PLAY", "SWAP2BOARD", "TAKEBACK", "TURN"];

/// `time_left` has this value if the match has no time limit.
const UNLIMITED: i64 = 2_147_483_647;
/// The clock in milliseconds that stands for no limit. Clocks in multiples of 100 ms are not used to measure latency.
const UNLIMITED_CLOCK: i64 = 2_000_000_000;
/// Milliseconds per move until the client sends `timeout_turn`; those of the protocol's published template.
const DEFAULT_TURN: i64 = 30_000;
/// A tenth of `timeout_turn`, at most 50 ms, stays unused: managers end late programs, and there is no `Move Overhead`.
const TURN_RESERVE: (i64, i64) = (10, 50);
/// The first two stones of a swap2 opening: near an edge a third can balance; near the centre Black mostly stays ahead.
const SWAP2_STONES: [Point; 2] = [(3, 0), (4, 1)];
/// The number of third stones that are compared.
const SWAP2_LINES: &str = "256";
/// The largest hash table in MiB, and its size without a memory limit.
const MAX_HASH: [i64; 2] = [1024, 256];

/// The size of the hash table in MiB that fits any time.
const DEFAULT_HASH: i64 = 16;
/// A tenth of the first turn is enough to allocate a MiB for each so many milliseconds.
const MS_PER_MEGABYTE: i64 = 4;

pub fn is_command(word: &str) -> bool {
    COMMANDS.contains(&word.to_ascii_uppercase().as_str())
}

/// The file and the rank of a point, from 0.
type Point = (u8, u8);

/// The number of a request whose result changes nothing: a stone after the end of the game is not put.
const STONE: u64 = 0;
/// The number of the request that belongs to [`Gomocup::asked`].
const ASKED: u64 = 1;

/// A command with lines of stones up to `DONE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StoneList {
    /// `BOARD`: stones of both sides in any order.
    Board,
    /// `SWAP2BOARD`: the stones of a swap2 opening in the order of play.
    Swap2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Move,
    /// The first three stones of a swap2 opening; the search chooses the third.
    Opening,
    /// A move, or `SWAP` if the other side is better.
    MoveOrSwap,
}

/// What the client waits for while the server changes the position.
#[derive(Clone, Debug)]
struct Asked {
    /// The answer if it is changed; `None` for that of a search.
    answer: Option<Reply>,
    /// The answer if it is not.
    refusal: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Search {
    #[default]
    None,
    Running(Answer),
    /// The client has begun another game: no move is sent.
    Abandoned,
}

/// `INFO rule`: which rows win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Rule {
    #[default]
    FiveOrMore,
    ExactlyFive,
    Renju,
}

#[derive(Debug, Default)]
pub struct Gomocup {
    /// Points per side of the board; 0 before `START`.
    size: u8,
    /// The side whose stones the program has.
    own: Side,
    /// Whether the game has no stone.
    is_empty: bool,
    /// Before `DONE`: the stones read so far, and whether each is an own one.
    list: Option<(StoneList, Vec<(Point, bool)>)>,
    /// Whether lines up to `DONE` are ignored, because the command before them was refused.
    skips: bool,
    rule: Rule,
    /// `INFO timeout_turn`: milliseconds per move.
    turn_time: Option<i64>,
    /// `INFO timeout_match`: milliseconds per game; `None` without limit.
    match_time: Option<i64>,
    /// Milliseconds left for the game; `None` without limit.
    time_left: Option<i64>,
    /// `INFO max_memory`: the largest hash table in MiB that it allows.
    max_hash: Option<i64>,
    /// The size of the hash table that was set, in MiB.
    hash: Option<i64>,
    /// What was wrong with each `INFO`. Sent with the next command that is answered, as nothing may answer an `INFO`.
    info_errors: Vec<String>,
    asked: Option<Asked>,
    search: Search,
    /// What the last reply asks of the server.
    follow_up: Vec<Request>,
    /// The lines of the running search's last iteration, best first.
    reports: Vec<Info>,
    name: String,
    /// After `END`: nothing more is written.
    ended: bool,
}

impl Dialect for Gomocup {
    fn read(&mut self, line: &str) -> Vec<Request> {
        let line = line.strip_prefix('\u{feff}').unwrap_or(line).trim();
        if line.is_empty() {
            return Vec::new();
        }
        let (word, arguments) = split_word(line);
        let word = word.to_ascii_uppercase();
        let mut requests = Vec::new();
        if let Some((list, mut stones)) = self.list.take() {
            if word == "DONE" {
                return match list {
                    StoneList::Board => self.set_board(&stones, Answer::Move),
                    StoneList::Swap2 => self.choose_in_swap2(&stones),
                };
            }
            match self.listed_stone(list, line, &stones) {
                Ok(stone) => {
                    stones.push(stone);
                    self.list = Some((list, stones));
                    return requests;
                }
                Err(error) => {
                    requests.push(raw(error));
                    self.skips = true;
                }
            }
        }
        if self.skips {
            // A command ends the refused one if `DONE` is missing.
            self.skips = !is_command(&word);
            if self.skips || word == "DONE" {
                return requests;
            }
        }
        if !is_command(&word) {
            let (found, commands) = (quote(split_word(line).0), COMMANDS.join(", "));
            requests.push(raw(format!("UNKNOWN {found}: expected {commands}, ignored")));
            return requests;
        }
        let result = self.command(&word, arguments);
        requests.extend(result.unwrap_or_else(|error| vec![raw(error)]));
        requests
    }

    fn write(&mut self, reply: &Reply) -> Option<String> {
        if self.ended {
            return None;
        }
        match reply {
            Reply::IdName(name) => {
                self.name.clone_from(name);
                None
            }
            Reply::IdAuthor(author) => {
                let (name, version) = self.name.rsplit_once(' ').unwrap_or((&self.name, ""));
                Some(format!("name=\"{name}\", version=\"{version}\", author=\"{author}\""))
            }
            Reply::ReadyOk => Some("OK".into()),
            Reply::Info(info) => {
                if info.multipv == 1 {
                    self.reports.clear();
                }
                self.reports.push((**info).clone());
                None
            }
            Reply::BestMove { best, elapsed, .. } => self.best_move(best.as_deref(), *elapsed),
            Reply::InfoString(text) => Some(prefixed("MESSAGE", text)),
            Reply::Raw(text) => Some(text.clone()),
            Reply::Done { id: ASKED, result } => {
                let asked = self.asked.take()?;
                self.answer(asked, result.is_ok())
            }
            Reply::Done { .. }
            | Reply::NoLegalMoves { .. }
            | Reply::CurrMove { .. }
            | Reply::Variant { .. }
            | Reply::Board(_)
            | Reply::Option(_)
            | Reply::UciOk => None,
        }
    }

    fn follow_up(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.follow_up)
    }

    fn acts_at_once(&self, line: &str) -> bool {
        let (word, _) = split_word(line);
        !USES_BOARD.iter().any(|command| word.eq_ignore_ascii_case(command))
    }
}

impl Gomocup {
    /// Executes a command. An error is a whole line of the answer.
    fn command(&mut self, word: &str, arguments: &str) -> Result<Vec<Request>, String> {
        match word {
            "ABOUT" => Ok(vec![Request::Command(Command::Uci)]),
            "INFO" => Ok(self.info(arguments)),
            "START" => {
                let size = arguments.parse().ok().filter(|size| [15, 20].contains(size));
                let size = size.ok_or_else(|| expected(word, "15 or 20", arguments))?;
                Ok(self.start(size))
            }
            "RECTSTART" => {
                let size = match numbers(arguments).as_deref() {
                    Some(&[width, height]) if width == height && [15, 20].contains(&width) => width,
                    _ => return Err(expected(word, "15,15 or 20,20", arguments)),
                };
                Ok(self.start(size))
            }
            "END" => {
                self.ended = true;
                Ok(vec![Request::Command(Command::Quit)])
            }
            "DONE" => Err("ERROR DONE: expected BOARD or SWAP2BOARD before it, command ignored".into()),
            _ if self.size == 0 => Err(format!("ERROR {word}: expected START before it, command ignored")),
            "RESTART" => Ok(self.start(self.size)),
            "BEGIN" => {
                if self.is_empty {
                    self.own = Side::White;
                }
                Ok(self.think(Answer::Move))
            }
            "BOARD" => {
                self.list = Some((StoneList::Board, Vec::new()));
                Ok(Vec::new())
            }
            "SWAP2BOARD" => {
                self.list = Some((StoneList::Swap2, Vec::new()));
                Ok(Vec::new())
            }
            "TURN" | "PLAY" => {
                let is_own = word == "PLAY";
                let (x, y) = self.point(word, arguments)?;
                if self.is_empty {
                    self.own = if is_own { Side::White } else { Side::Black };
                }
                self.asked = Some(Asked {
                    answer: is_own.then(|| Reply::Raw(format!("{x},{y}"))),
                    refusal: expected(word, "a point without a stone", arguments),
                });
                Ok(self.put((x, y), is_own, ASKED))
            }
            _ => {
                let point = self.point(word, arguments)?;
                self.asked = Some(Asked {
                    answer: Some(Reply::ReadyOk),
                    refusal: expected(word, self.taken_back(), arguments),
                });
                Ok(vec![Request::Ask(ASKED, Command::Undo(Some(self.move_text(point))))])
            }
        }
    }

    fn start(&mut self, size: u8) -> Vec<Request> {
        let mut commands = Vec::new();
        if let Search::Running(_) = self.search {
            self.search = Search::Abandoned;
            commands.push(Command::Stop);
        }
        self.size = size;
        self.check_rule();
        self.time_left = self.match_time;
        commands.extend([self.set_variant(), Command::UciNewGame, self.empty_board(), Command::IsReady]);
        commands.into_iter().map(Request::Command).collect()
    }

    fn empty_board(&mut self) -> Command {
        self.is_empty = true;
        Command::Position { setup: StartPosition::Start, moves: Vec::new() }
    }

    /// The position with these stones, each with whether it is an own one.
    fn position_of(&self, stones: &[(Point, bool)]) -> Command {
        let (board, size) = (self.drop_board(), usize::from(self.size));
        let stone = |cell: usize| {
            let found = stones.iter().find(|((x, y), _)| usize::from(*y) * size + usize::from(*x) == cell);
            found.map(|(_, is_own)| if *is_own { self.own } else { !self.own })
        };
        let setup = StartPosition::Fen(board.position_text(stone, self.own));
        Command::Position { setup, moves: Vec::new() }
    }

    /// The requests to put a stone on a point. The result has the number `id`.
    fn put(&mut self, point: Point, is_own: bool, id: u64) -> Vec<Request> {
        self.is_empty = false;
        let side = if is_own { self.own } else { !self.own };
        vec![Request::Command(Command::Turn(side)), Request::Ask(id, Command::Play(self.move_text(point)))]
    }

    /// Answers a line after the server has executed it or not.
    fn answer(&mut self, asked: Asked, is_done: bool) -> Option<String> {
        if !is_done {
            return Some(asked.refusal);
        }
        if let Some(answer) = asked.answer {
            return self.write(&answer);
        }
        self.follow_up = self.think(Answer::Move);
        None
    }

    /// Reads `INFO`. Unknown keys are ignored, as the protocol demands.
    fn info(&mut self, arguments: &str) -> Vec<Request> {
        let (key, text) = split_word(arguments);
        let key = key.to_ascii_lowercase();
        if !["timeout_turn", "timeout_match", "time_left", "max_memory", "rule"].contains(&key.as_str()) {
            return Vec::new();
        }
        let Ok(number) = text.parse::<i64>() else {
            let got = quote_or_nothing(text);
            self.info_errors.push(format!("INFO {key}: expected a whole number, got {got}, ignored"));
            return Vec::new();
        };
        match key.as_str() {
            "timeout_turn" => self.turn_time = Some(number.max(0)),
            "timeout_match" => {
                self.match_time = (number > 0).then_some(number);
                self.time_left = self.match_time;
            }
            "time_left" => self.time_left = (number != UNLIMITED).then_some(number),
            "max_memory" => {
                let [most, unlimited] = MAX_HASH;
                // Half of the memory: the rest is for the program and its threads.
                let megabytes = if number > 0 { (number / (2 << 20)).clamp(1, most) } else { unlimited };
                self.max_hash = Some(megabytes);
            }
            _ => {
                let playing;
                (self.rule, playing) = match number {
                    _ if number >= 4 && number & 4 != 0 => (Rule::Renju, "4 (renju)"),
                    _ if number & 1 != 0 => (Rule::ExactlyFive, "1 (exactly five win)"),
                    _ => (Rule::FiveOrMore, "0 (five or more win)"),
                };
                if ![0, 1, 4].contains(&number) {
                    self.info_errors
                        .push(format!("INFO rule: expected 0, 1 or 4, got {number}, playing {playing}"));
                }
                self.check_rule();
                // During a game the rule waits for the next board.
                if self.size != 0 && self.is_empty {
                    return vec![Request::Command(self.set_variant())];
                }
            }
        }
        Vec::new()
    }

    /// Reports renju on a board that it has not.
    fn check_rule(&mut self) {
        if self.rule == Rule::Renju && self.size == 20 {
            let error = "INFO rule: renju (4) is played on 15x15, got 20x20, playing 1 (exactly five win)";
            self.info_errors.push(error.into());
        }
    }

    /// What `TAKEBACK` takes back.
    fn taken_back(&self) -> &'static str {
        match self.variant() {
            "renju" => "the point of a stone that was not in a BOARD",
            _ => "the point of a stone",
        }
    }

    /// The variant by size and rule. Renju is played on 15x15 only.
    fn variant(&self) -> &'static str {
        match (self.size, self.rule) {
            (20, Rule::FiveOrMore) => "gomokufreestyle20",
            (20, Rule::ExactlyFive | Rule::Renju) => "gomoku20",
            (_, Rule::FiveOrMore) => "gomokufreestyle",
            (_, Rule::ExactlyFive) => "gomoku",
            (_, Rule::Renju) => "renju",
        }
    }

    fn set_variant(&self) -> Command {
        set_option("UCI_Variant", self.variant())
    }

    /// Replaces the board by these stones and searches. The side with more stones is the first player: the other has usually
    /// just moved.
    fn set_board(&mut self, stones: &[(Point, bool)], answer: Answer) -> Vec<Request> {
        let own = stones.iter().filter(|(_, is_own)| *is_own).count();
        self.own = if 2 * own >= stones.len() { Side::White } else { Side::Black };
        let variant = self.set_variant();
        let mut requests = vec![Request::Command(variant), Request::Command(self.empty_board())];
        if self.variant() == "renju" && !stones.is_empty() {
            // Played in another order than in the game, a stone could be a forbidden move.
            requests.push(Request::Command(self.position_of(stones)));
            self.is_empty = false;
        } else {
            requests.extend(stones.iter().flat_map(|&(point, is_own)| self.put(point, is_own, STONE)));
        }
        requests.extend(self.think(answer));
        requests
    }

    /// Answers a `SWAP2BOARD` with `stones`: proposes the first three stones, or plays White's next stone or swaps.
    fn choose_in_swap2(&mut self, stones: &[(Point, bool)]) -> Vec<Request> {
        match stones.len() {
            0 => {
                let [black, white] = SWAP2_STONES;
                self.set_board(&[(black, true), (white, false)], Answer::Opening)
            }
            3 | 5 => self.set_board(stones, Answer::MoveOrSwap),
            count => {
                vec![raw(format!("ERROR SWAP2BOARD: expected 0, 3 or 5 stones, got {count}, board ignored"))]
            }
        }
    }

    fn think(&mut self, answer: Answer) -> Vec<Request> {
        let messages = std::mem::take(&mut self.info_errors).into_iter();
        let messages = messages.map(|error| raw(format!("MESSAGE {error}")));
        let turn = self.turn_time.unwrap_or(DEFAULT_TURN);
        let (part, most) = TURN_RESERVE;
        // "As fast as possible" is a search of depth 1.
        let (movetime, depth) =
            if turn == 0 { (None, Some(1)) } else { (Some(turn - (turn / part).min(most)), None) };
        let clock = Some(self.time_left.unwrap_or(UNLIMITED_CLOCK));
        let go = Command::Go(Go { wtime: clock, btime: clock, movetime, depth, ..Go::default() });
        self.search = Search::Running(answer);
        let mut commands = self.fitting_hash(turn.min(self.match_time.unwrap_or(turn)));
        commands.extend([Command::Turn(self.own), go]);
        if answer == Answer::Opening {
            commands.insert(0, set_option("MultiPV", SWAP2_LINES));
            commands.push(set_option("MultiPV", 1));
        }
        messages.chain(commands.into_iter().map(Request::Command)).collect()
    }

    /// The command that sets the size of the hash table, if `INFO max_memory` allows another one than it has. The first
    /// search allocates it on its clock, so it gets a MiB for each [`MS_PER_MEGABYTE`] of the `turn` in milliseconds.
    fn fitting_hash(&mut self, turn: i64) -> Vec<Command> {
        let fitting = self.max_hash.map(|most| most.min((turn / MS_PER_MEGABYTE).max(DEFAULT_HASH)));
        match fitting {
            Some(megabytes) if self.hash != fitting => {
                self.hash = fitting;
                vec![set_option("Hash", megabytes)]
            }
            _ => Vec::new(),
        }
    }

    /// The board as the games' notation has it: x counts the files from a, y the ranks from 1.
    fn drop_board(&self) -> DropBoard {
        DropBoard { files: self.size.into(), ranks: self.size.into() }
    }

    fn move_text(&self, (x, y): Point) -> String {
        self.drop_board().drop_text(usize::from(y) * usize::from(self.size) + usize::from(x))
    }

    /// The point "x,y" of a move like `P@h8`.
    fn point_text(&self, mv: &str) -> Option<String> {
        let (cell, size) = (self.drop_board().parse_drop(mv)?, usize::from(self.size));
        Some(format!("{},{}", cell % size, cell / size))
    }

    /// The answer to a search that took `elapsed`: its last report and the move, which is played.
    fn best_move(&mut self, best: Option<&str>, elapsed: Duration) -> Option<String> {
        let mut reports = std::mem::take(&mut self.reports).into_iter();
        let Search::Running(answer) = std::mem::take(&mut self.search) else {
            return None;
        };
        // The client is expected to send `time_left` before each move; this is for those who do not.
        self.time_left = self.time_left.map(|left| left.saturating_sub(elapsed.as_millis() as i64));
        let report = match answer {
            Answer::Opening => reports.min_by_key(|info| match info.score {
                Score::Cp(score) => score.unsigned_abs(),
                Score::Mate(_) => u32::MAX,
            }),
            Answer::Move | Answer::MoveOrSwap => reports.next(),
        };
        let chosen = report.as_ref().filter(|_| answer == Answer::Opening).and_then(|info| info.pv.first());
        let Some(mv) = chosen.map(String::as_str).or(best) else {
            return Some("ERROR no move is possible: the game is over".into());
        };
        let point = self.point_text(mv)?;
        let mut text = String::new();
        let mut is_behind = false;
        if let Some(info) = &report {
            let Info { depth, score, nodes, time, .. } = info;
            is_behind = matches!(score, Score::Cp(..0) | Score::Mate(..0));
            let pv: Vec<String> = info.pv.iter().filter_map(|mv| self.point_text(mv)).collect();
            let pv = pv.join(" ");
            text = format!("MESSAGE depth {depth} score {score} nodes {nodes} time {time} pv {pv}\n");
        }
        if answer == Answer::MoveOrSwap && is_behind {
            self.own = !self.own;
            return Some(text + "SWAP");
        }
        if answer == Answer::Opening {
            text.extend(SWAP2_STONES.iter().map(|(x, y)| format!("{x},{y} ")));
        }
        self.is_empty = false;
        self.follow_up = vec![Request::Ask(STONE, Command::Play(mv.into()))];
        Some(text + &point)
    }

    /// Reads a stone of a list that has `stones`: "x,y,field" of a board, or "x,y" of a swap2 opening.
    fn listed_stone(
        &self,
        list: StoneList,
        line: &str,
        stones: &[(Point, bool)],
    ) -> Result<(Point, bool), String> {
        let last = self.size - 1;
        let (command, form) = match list {
            StoneList::Board => ("BOARD", "x,y,1 or x,y,2"),
            StoneList::Swap2 => ("SWAP2BOARD", "x,y"),
        };
        let refused = |what: &str| {
            format!("ERROR {command}: expected {what}, got {}, board ignored", quote_or_nothing(line))
        };
        let (x, y, is_own) = match (list, numbers(line).as_deref()) {
            (StoneList::Board, Some(&[x, y, field @ (1 | 2)])) => (x, y, field == 1),
            // Black has the first stone. White is to move after three and after five.
            (StoneList::Swap2, Some(&[x, y])) => (x, y, stones.len() % 2 == 1),
            _ => (self.size, self.size, false),
        };
        if x.max(y) > last {
            return Err(refused(&format!("DONE, or {form} with x and y from 0 to {last}")));
        }
        if stones.iter().any(|(point, _)| *point == (x, y)) {
            return Err(refused("a point without a stone"));
        }
        Ok(((x, y), is_own))
    }

    /// Reads the point "x,y".
    fn point(&self, command: &str, text: &str) -> Result<Point, String> {
        match numbers(text).as_deref() {
            Some(&[x, y]) if x < self.size && y < self.size => Ok((x, y)),
            _ => Err(expected(command, &format!("x,y with numbers from 0 to {}", self.size - 1), text)),
        }
    }
}

fn expected(command: &str, expected: &str, got: &str) -> String {
    format!("ERROR {command}: expected {expected}, got {}, command ignored", quote_or_nothing(got))
}

fn set_option(name: &str, value: impl ToString) -> Command {
    Command::SetOption { name: name.into(), value: Some(value.to_string()) }
}

fn raw(line: String) -> Request {
    Request::Reply(Reply::Raw(line))
}

/// Reads numbers with commas between them.
fn numbers(text: &str) -> Option<Vec<u8>> {
    text.split(',').map(|number| number.trim().parse::<u8>().ok()).collect()
}

#[cfg(test)]
mod tests;
