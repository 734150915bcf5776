//! A game against the engine at a terminal: its words, and what each reply of the server leads to.

use crate::game::{Side, quote};
use crate::protocol::{Board, Command, Go, ParseError, Reply, Request, StartPosition};
use crate::tools::files::SAVED_GAME;
use crate::tools::play::{self, level_name, parse_level};
use std::path::Path;
use unicode_width::UnicodeWidthChar;

/// How long the engine thinks about a move at most, in milliseconds. The nodes of a limited strength take less.
const MOVE_TIME: i64 = 2000;

/// The words that a terminal has beside the commands, for its completion.
pub const WORDS: [&str; 9] = ["move", "new", "undo", "hint", "swap", "resign", "save", "play", "level"];

/// The numbers of the requests whose end the game must know.
const MOVE: u64 = 1;
const ANSWER: u64 = 2;
const CHANGE: u64 = 3;
const SAVE: u64 = 4;
const LOAD: u64 = 5;

/// What the running search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Search {
    Move,
    Hint,
}

/// What the display prints for a reply.
#[derive(Debug, PartialEq, Eq)]
pub enum Shown {
    /// What it prints without a game.
    Usual,
    Nothing,
    /// A message.
    Text(String),
    /// An error.
    Problem(String),
    /// A position: the message above it, the former position, and the message below it.
    Board(String, Option<Box<Board>>, String),
}

/// The game. Without one, nothing that the terminal prints changes.
#[derive(Clone, Debug, Default)]
pub struct TerminalGame {
    /// The side that the engine plays.
    engine: Option<Side>,
    /// The side of the person as the arguments name it, until the position is known.
    side_name: Option<String>,
    /// Whether the person has resigned.
    resigned: bool,
    /// The last position shown.
    board: Option<Box<Board>>,
    /// Why the line that is tried as a move is no command.
    no_command: Option<String>,
    search: Option<Search>,
    /// The depth and the score of the last iteration of a search.
    found: String,
    elo: Option<u32>,
    /// Whether the terminal shows the scripts of all languages.
    unicode: bool,
    next: Vec<Request>,
}

impl TerminalGame {
    /// No game yet: the first move begins one.
    pub fn new(unicode: bool) -> TerminalGame {
        TerminalGame { unicode, ..TerminalGame::default() }
    }

    /// The game of `duiyi play`: [`TerminalGame::follow_up`] has its first requests.
    pub fn begin(arguments: &play::Arguments, unicode: bool) -> TerminalGame {
        let engine = Some(Side::Black);
        let play::Arguments { variant, level, side, file } = arguments.clone();
        let mut game = TerminalGame { engine, side_name: side, ..TerminalGame::new(unicode) };
        if let Some(variant) = variant {
            game.next.push(set_option("UCI_Variant", variant));
        }
        let level = game.set_level(level.0);
        game.next.extend(level);
        match file {
            Some(path) => game.next.push(Request::Ask(LOAD, load(path.to_string_lossy().into_owned()))),
            None => game.next.push(Request::Command(Command::Board)),
        }
        game
    }

    /// Whether a search for the game runs: lines wait for its end, but those that a search must not delay.
    pub fn waits(&self) -> bool {
        self.search.is_some()
    }

    /// What a line asks for that begins with a word of the game; `None` if it does not.
    pub fn read(&mut self, word: &str, rest: &str) -> Option<Vec<Request>> {
        let change = |command| Request::Ask(CHANGE, command);
        Some(match (word, rest) {
            ("move", text) if !text.is_empty() => self.play(text, None),
            ("new", "") => {
                self.resigned = false;
                let start = Command::Position { setup: StartPosition::Start, moves: Vec::new() };
                vec![Request::Command(Command::UciNewGame), change(start)]
            }
            ("undo", "") if self.engine.is_some() => self.undo(),
            ("hint", "") => {
                self.search = Some(Search::Hint);
                let full = |on: bool| set_option("UCI_AnalyseMode", on.to_string());
                vec![full(true), search(), full(false)]
            }
            ("swap" | "resign", "") if self.is_over() => {
                let text = format!("{word}: the game is over, ignored");
                vec![Request::Reply(Reply::InfoString(text))]
            }
            ("swap", "") => {
                // Without a game the engine plays the side to move.
                let side = self.board.as_ref().map_or(Side::White, |board| board.side);
                self.engine = Some(self.engine.map_or(side, |side| !side));
                vec![Request::Command(Command::Board)]
            }
            ("resign", "") if self.engine.is_some() => {
                self.resigned = true;
                let winner = self.engine_name();
                vec![Request::Reply(Reply::Raw(format!(
                    "You resign: {winner} wins. \"new\" begins another game."
                )))]
            }
            ("level", text) => match parse_level(text) {
                Ok(elo) => {
                    let mut requests = self.set_level(elo);
                    requests.push(Request::Reply(Reply::InfoString(format!("level {}", level_name(elo)))));
                    requests
                }
                Err(error) => vec![Request::Reply(Reply::InfoString(format!("{error}, level not changed")))],
            },
            ("save", path) if !path.is_empty() => vec![Request::Ask(SAVE, self.save(path))],
            ("save" | "move", "") => {
                let what = if word == "save" { "a file, not saved" } else { "a move, ignored" };
                vec![Request::Reply(Reply::InfoString(format!("{word}: expected {what}")))]
            }
            ("play", path) if is_path(path) => vec![Request::Ask(LOAD, load(path.into()))],
            _ => return None,
        })
    }

    fn is_over(&self) -> bool {
        self.resigned || self.board.as_ref().is_some_and(|board| board.result.is_some())
    }

    /// Tries a line that is no command as a move.
    pub fn try_move(&mut self, line: &str, error: &ParseError) -> Vec<Request> {
        self.play(line.trim(), Some(error.to_string()))
    }

    fn play(&mut self, text: &str, no_command: Option<String>) -> Vec<Request> {
        if self.resigned {
            let text = "the game is over: \"new\" begins another, \"undo\" goes on, move ignored";
            return vec![Request::Reply(Reply::InfoString(text.into()))];
        }
        self.no_command = no_command;
        vec![Request::Ask(MOVE, Command::Play(text.into()))]
    }

    /// Takes back moves until the person is to move where a move was chosen.
    fn undo(&mut self) -> Vec<Request> {
        let played = self.board.as_ref().map_or(&[][..], |board| &board.played);
        let own = played.iter().rposition(|(side, _)| Some(*side) != self.engine);
        let Some(own) = own.filter(|_| !self.resigned) else {
            let was_over = std::mem::take(&mut self.resigned);
            let text =
                if was_over { "the game goes on" } else { "undo: expected a move of yours, found none" };
            return vec![Request::Reply(Reply::InfoString(text.into()))];
        };
        let count = played.len() - own;
        let mut requests = vec![Request::Command(Command::Undo(None)); count - 1];
        requests.push(Request::Ask(CHANGE, Command::Undo(None)));
        requests
    }

    fn save(&self, path: &str) -> Command {
        let name = |side| match self.engine {
            Some(engine) if engine == side => format!("Duiyi, {}", level_name(self.elo)),
            _ => "?".into(),
        };
        let result = (self.resigned).then_some(if self.engine == Some(Side::White) { "1-0" } else { "0-1" });
        let tags =
            vec![("Event", SAVED_GAME.into()), ("White", name(Side::White)), ("Black", name(Side::Black))];
        Command::Save { path: Some(path.into()), tags, result }
    }

    fn set_level(&mut self, elo: Option<u32>) -> Vec<Request> {
        self.elo = elo;
        let rating = elo.map(|elo| set_option("UCI_Elo", elo.to_string()));
        rating.into_iter().chain([set_option("UCI_LimitStrength", elo.is_some().to_string())]).collect()
    }

    fn engine_name(&self) -> String {
        match (&self.board, self.engine) {
            (Some(board), Some(engine)) => board.sides[engine.index()].into(),
            _ => "Duiyi".into(),
        }
    }

    /// What is printed for a reply. `score` writes the score of an iteration.
    pub fn write(&mut self, reply: &Reply, score: impl Fn(&crate::protocol::Info) -> String) -> Shown {
        match reply {
            Reply::Info(info) if self.search.is_some() => {
                self.found = format!("{} at depth {}", score(info), info.depth);
                Shown::Nothing
            }
            Reply::CurrMove { .. } | Reply::NoLegalMoves { .. } if self.search.is_some() => Shown::Nothing,
            Reply::BestMove { best, .. } => match (self.search.take(), best) {
                (None, _) => Shown::Usual,
                (Some(_), None) => Shown::Text("the game is over".into()),
                (Some(Search::Hint), Some(best)) => {
                    let moves = self.board.iter().flat_map(|board| &board.moves);
                    let written = moves.into_iter().find(|mv| mv.uci == *best);
                    let text =
                        written.map_or(best.clone(), |mv| self.move_text(&mv.text, mv.native.as_deref()));
                    Shown::Text(format!("hint: {text}, {}", std::mem::take(&mut self.found)))
                }
                (Some(Search::Move), Some(best)) => {
                    self.next = vec![Request::Ask(ANSWER, Command::Play(best.clone()))];
                    Shown::Nothing
                }
            },
            Reply::Done { id, result } => self.done(*id, result),
            Reply::Board(board) => self.show(board),
            _ => Shown::Usual,
        }
    }

    fn done(&mut self, id: u64, result: &Result<String, String>) -> Shown {
        let no_command = self.no_command.take();
        match (id, result) {
            (SAVE, Ok(_)) => Shown::Text("saved".into()),
            (_, Ok(_)) => {
                if id == LOAD {
                    (self.resigned, self.engine) = (false, None);
                    self.side_name.get_or_insert_default();
                }
                self.next = vec![Request::Command(Command::Board)];
                Shown::Nothing
            }
            (MOVE, Err(reason)) => {
                let reason = reason.strip_prefix("play: ").unwrap_or(reason);
                let reason = reason.strip_suffix(", command ignored").unwrap_or(reason);
                let unknown = no_command.map(|text| text.replace(", ignored", "; "));
                Shown::Problem(format!("{}as a move: {reason}, ignored", unknown.unwrap_or_default()))
            }
            (_, Err(reason)) => Shown::Problem(reason.clone()),
        }
    }

    fn show(&mut self, board: &Board) -> Shown {
        let former = self.board.replace(Box::new(board.clone()));
        let last = board.played.last();
        if let Some(name) = self.side_name.take() {
            let side = parse_side(&name, board);
            if side.is_none() && !name.is_empty() {
                let [first, second] = board.sides;
                let text = format!(
                    "--side: expected {first}, {second}, first or second, got {}, you have the side to move",
                    quote(&name)
                );
                self.next.push(Request::Reply(Reply::InfoString(text)));
            }
            self.engine = Some(!side.unwrap_or(board.side));
        }
        let engine = *self.engine.get_or_insert_with(|| last.map_or(Side::Black, |(side, _)| !*side));
        let found = std::mem::take(&mut self.found);
        let is_new = former.as_ref().is_none_or(|former| former.played.len() < board.played.len());
        let above = match last {
            Some((side, text)) if is_new => {
                let name = if *side == engine { "Duiyi" } else { "you" };
                let found = if found.is_empty() { found } else { format!(" ({found})") };
                let text = self.move_text(text, board.last_native.as_deref());
                format!("{} {name}: {text}{found}", board.sides[side.index()])
            }
            _ => String::new(),
        };
        let below = match &board.result {
            Some(result) => format!("the game is over: {result}"),
            None if board.side == engine => {
                self.search = Some(Search::Move);
                self.next.push(search());
                String::new()
            }
            None => {
                let check = if board.in_check { ", in check" } else { "" };
                format!("{} to move{check}: your move", board.sides[board.side.index()])
            }
        };
        Shown::Board(above, former, below)
    }

    /// A move as people write it, and in the script of the game's players where the terminal shows it.
    fn move_text(&self, text: &str, native: Option<&str>) -> String {
        let native = native.filter(|_| self.unicode).map(|native| format!(" {native}"));
        text.to_string() + &native.unwrap_or_default()
    }

    /// What the last reply leads to.
    pub fn follow_up(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.next)
    }
}

fn set_option(name: &str, value: impl Into<String>) -> Request {
    Request::Command(Command::SetOption { name: name.into(), value: Some(value.into()) })
}

fn load(path: String) -> Command {
    Command::Load { path, before: None, variant: None }
}

/// Whether the argument of `play` is a file, or looks like one, and not a move.
fn is_path(text: &str) -> bool {
    text.contains('/') || text.ends_with(".pgn") || text.ends_with(".sgf") || Path::new(text).is_file()
}

fn search() -> Request {
    Request::Command(Command::Go(Go { movetime: Some(MOVE_TIME), ..Go::default() }))
}

/// The side with this name, or with this first letter of its name.
fn parse_side(text: &str, board: &Board) -> Option<Side> {
    let is_named = |side: &Side| {
        let name = board.sides[side.index()];
        name.eq_ignore_ascii_case(text) || name[..1].eq_ignore_ascii_case(text)
    };
    match text {
        "first" => Some(Side::White),
        "second" => Some(Side::Black),
        _ => Side::ALL.into_iter().find(is_named),
    }
}

/// Each line of `text` as characters with the column of each.
fn cells(text: &str) -> Vec<Vec<(usize, char)>> {
    let line = |line: &str| {
        line.chars()
            .scan(0, |column, character| {
                let at = *column;
                *column += character.width().unwrap_or(0);
                Some((at, character))
            })
            .collect()
    };
    text.lines().map(line).collect()
}

/// `new` with `paint` applied to each character that another one stood in place of in `old`: those that the last move changed.
pub fn mark_changes(old: &str, new: &str, paint: impl Fn(char, bool) -> String) -> String {
    let old = cells(old);
    let new = cells(new);
    let is_same_board = old.len() == new.len();
    let mut text = String::new();
    for (index, line) in new.iter().enumerate() {
        for &(column, character) in line {
            let former = old.get(index).and_then(|line| line.iter().find(|(at, _)| *at == column));
            let is_changed = is_same_board && former.is_some_and(|(_, former)| *former != character);
            text += &paint(character, is_changed);
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text
}
