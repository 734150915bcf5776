//! The UCI options: their declarations, their values and what setting one does.

#[cfg(feature = "spsa")]
use crate::game::Parameter;
use crate::game::{Depth, GameOptionKind, OptionValues, Probing, quote};
use crate::protocol::{OptionKind, OptionValue, UciOption, hint};
use crate::search::fault_injection::{self, FaultPoint};
#[cfg(feature = "spsa")]
use crate::search::params;
use crate::search::{RATINGS, Settings, Strength};
use crate::textbook::Method;
use crate::tools::evaluation::{EvaluationChoice, evaluation_name};
use crate::variants::{self, DeclaredOption};
use std::path::PathBuf;
use std::time::Duration;

/// The largest `Hash` in MiB; clients accept no larger one.
const HASH_MAX: i64 = 33_554_432;
/// The default `Hash` in MiB.
pub const HASH_DEFAULT: i64 = 16;
const THREADS_MAX: i64 = 1024;
/// The default of `UCI_Elo`.
const ELO_DEFAULT: i64 = 1320;

/// The largest `BookDepth`, in moves of each side.
const BOOK_DEPTH_MAX: i64 = 255;

/// The value of `Search Method` for the main search of the engine.
const ENGINE: &str = "engine";
/// Accepted for [`ENGINE`], as clients of version 0.1.0 may send it.
const ENGINE_ALIAS: &str = "full";

/// Sets a valid value of an option.
type Apply = dyn Fn(&mut Options, OptionValue) -> Action;

/// An option with what setting it does.
struct ServerOption {
    declaration: UciOption,
    apply: Box<Apply>,
}

/// Makes a function of the kinds of options whose value has one type.
macro_rules! option_of_kind {
    ($(#[$doc:meta])* $function:ident, $variant:ident($value:ty)) => {
        $(#[$doc])*
        fn $function<A: Into<Action>>(
            name: &'static str,
            kind: OptionKind,
            apply: impl Fn(&mut Options, $value) -> A + 'static,
        ) -> ServerOption {
            let apply = move |options: &mut Options, value| match value {
                OptionValue::$variant(value) => apply(options, value).into(),
                value => unreachable!("option {name}: {value:?} is no value of its kind"),
            };
            ServerOption { declaration: UciOption { name, kind }, apply: Box::new(apply) }
        }
    };
}

option_of_kind!(check, Check(bool));
option_of_kind!(spin, Spin(i64));
option_of_kind!(combo, Combo(&'static str));
option_of_kind!(text, Text(String));

const OFF: OptionKind = OptionKind::Check { default: false };

fn range(default: i64, min: i64, max: i64) -> OptionKind {
    OptionKind::Spin { default, min, max }
}

/// The table of all options, in the order in which `uci` lists them.
fn table() -> Vec<ServerOption> {
    let choice = |choices: Vec<&'static str>, default| OptionKind::Combo { default, choices };
    let games = choice(variants::NAMES.to_vec(), variants::DEFAULT);
    let methods = choice([ENGINE].into_iter().chain(Method::ALL.map(Method::name)).collect(), ENGINE);
    let evaluations =
        choice(EvaluationChoice::ALL.map(EvaluationChoice::name).into(), EvaluationChoice::default().name());
    let overhead = Settings::default().move_overhead.as_millis() as i64;
    let clear = OptionKind::Button;
    let mut table = vec![
        spin("Threads", range(1, 1, THREADS_MAX), |o, threads| o.settings.threads = threads as usize),
        spin("Hash", range(HASH_DEFAULT, 1, HASH_MAX), |_, megabytes| Action::Resize(megabytes as usize)),
        ServerOption {
            declaration: UciOption { name: "Clear Hash", kind: clear },
            apply: Box::new(|_, _| Action::Clear),
        },
        spin("MultiPV", range(1, 1, 256), |o, lines| o.settings.multipv = lines as usize),
        check("Ponder", OFF, |o, on| o.settings.ponder = on),
        spin("Move Overhead", range(overhead, 0, 5000), |o, ms| {
            o.settings.move_overhead = Duration::from_millis(ms as u64);
        }),
        combo("UCI_Variant", games, |_, game| Action::Variant(game)),
    ];
    table.extend(variants::options().into_iter().map(game_option));
    table.extend([
        check("UCI_AnalyseMode", OFF, |o, on| o.analyse = on),
        check("UCI_ShowWDL", OFF, |o, on| o.show_wdl = on),
        check("UCI_LimitStrength", OFF, |o, on| o.limit_strength = on),
        spin("UCI_Elo", range(ELO_DEFAULT, (*RATINGS.start()).into(), (*RATINGS.end()).into()), |o, elo| {
            o.elo = Some(elo as u32)
        }),
        // 0: from the clock.
        spin("Strength Seed", range(0, 0, u32::MAX.into()), |o, seed| o.strength_seed = seed as u32),
        combo("Search Method", methods, |o, name| o.method = Method::named(name)),
        combo("Evaluation", evaluations, |_, name| {
            let choice = EvaluationChoice::ALL.into_iter().find(|choice| choice.name() == name);
            Action::Evaluation(choice.unwrap_or_default())
        }),
    ]);
    if !cfg!(target_family = "wasm") {
        table.extend(options_of_files());
    }
    #[cfg(feature = "spsa")]
    table.extend(params::all().map(|&Parameter { name, default, min, max }| {
        spin(name, range(default.into(), min.into(), max.into()), move |_, value| {
            params::set(name, value as i32)
        })
    }));
    if cfg!(feature = "fault-injection") {
        let places =
            choice(["none"].into_iter().chain(FaultPoint::ALL.map(FaultPoint::name)).collect(), "none");
        table.push(combo("FaultInjection", places, |_, name| {
            fault_injection::arm(FaultPoint::ALL.into_iter().find(|place| place.name() == name));
        }));
    }
    table
}

/// The options that need files, which a page in a browser does not have.
fn options_of_files() -> Vec<ServerOption> {
    let Probing { min_depth, max_pieces, fifty_move_rule } = Probing::default();
    vec![
        text("EvalFile", OptionKind::String, |_, path| Action::EvalFile(file(path))),
        check("OwnBook", OFF, |o, on| o.own_book = on),
        text("BookFile", OptionKind::String, |_, path| Action::Book(file(path))),
        spin("BookDepth", range(BOOK_DEPTH_MAX, 1, BOOK_DEPTH_MAX), |o, moves| {
            o.book_depth = Some(moves as usize)
        }),
        text("SyzygyPath", OptionKind::String, |_, path| Action::Tables(path)),
        spin("SyzygyProbeDepth", range(min_depth.plies().into(), 1, 100), |o, depth| {
            o.settings.probing.min_depth = Depth::new(depth as i32);
        }),
        spin("SyzygyProbeLimit", range(max_pieces.into(), 0, max_pieces.into()), |o, pieces| {
            o.settings.probing.max_pieces = pieces as u32;
        }),
        check("Syzygy50MoveRule", OptionKind::Check { default: fifty_move_rule }, |o, on| {
            // The transposition table has results of the former rule.
            let changed = std::mem::replace(&mut o.settings.probing.fifty_move_rule, on) != on;
            if changed { Action::Clear } else { Action::None }
        }),
        text("Debug Log File", OptionKind::String, |_, path| Action::DebugLog(file(path))),
        check("Search Counters", OFF, |o, on| o.search_counters = on),
        text("Search Log File", OptionKind::String, |_, path| Action::SearchLog(file(path))),
    ]
}

/// The option that some games declare ([`Notation::OPTIONS`](crate::game::Notation::OPTIONS)).
fn game_option(DeclaredOption { name, kind, is_rule }: DeclaredOption) -> ServerOption {
    let (default, choices) = match kind {
        GameOptionKind::Combo { choices } => (kind.default(), choices),
        _ => (kind.default(), &[][..]),
    };
    let number = move |value: OptionValue| match value {
        OptionValue::Check(on) => on.into(),
        OptionValue::Spin(number) => number,
        OptionValue::Combo(word) => choices.iter().position(|&choice| choice == word).unwrap_or(0) as i64,
        OptionValue::Button | OptionValue::Text(_) => default,
    };
    let apply = move |options: &mut Options, value| {
        let value = number(value);
        let former = options.game.insert(name, value).unwrap_or(default);
        if former == value { Action::None } else { Action::GameOptions { is_rule } }
    };
    ServerOption { declaration: UciOption { name, kind: kind.into() }, apply: Box::new(apply) }
}

/// Every option, in the order in which `uci` lists them.
pub fn declarations() -> Vec<UciOption> {
    table().into_iter().map(|option| option.declaration).collect()
}

/// What the server must do after an option was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    None,
    /// Resize the transposition table to this many MiB.
    Resize(usize),
    /// Clear the search state.
    Clear,
    /// Give the position the options of its game, of which one has changed.
    GameOptions {
        /// Whether results of the former value are wrong now: see [`crate::game::GameOption::is_rule`].
        is_rule: bool,
    },
    /// Change to this game.
    Variant(&'static str),
    /// Change the evaluation to this one.
    Evaluation(EvaluationChoice),
    /// Read a network from this file; `None` stands for the network in the program.
    EvalFile(Option<PathBuf>),
    /// Read an opening book from this file; `None` uses none.
    Book(Option<PathBuf>),
    /// Use the endgame tables in these directories; none if it is empty.
    Tables(String),
    /// Log the protocol to this file; `None` ends the log.
    DebugLog(Option<PathBuf>),
    /// Log the searches to this file; `None` ends the log.
    SearchLog(Option<PathBuf>),
}

impl From<()> for Action {
    fn from((): ()) -> Action {
        Action::None
    }
}

/// The values that no [`Action`] carries.
#[derive(Clone, Debug, Default)]
pub struct Options {
    settings: Settings,
    /// [`ELO_DEFAULT`] until it is set.
    elo: Option<u32>,
    strength_seed: u32,
    limit_strength: bool,
    analyse: bool,
    own_book: bool,
    /// [`BOOK_DEPTH_MAX`] until it is set.
    book_depth: Option<usize>,
    /// `UCI_ShowWDL`.
    pub show_wdl: bool,
    /// `Search Counters`: whether the log of searches has them.
    pub search_counters: bool,
    /// `Search Method`; `None` is the main search of the engine.
    pub method: Option<Method>,
    /// The options of games.
    pub game: OptionValues,
    /// `Evaluation`.
    pub evaluation: EvaluationChoice,
}

impl Options {
    /// Sets the option `name`.
    ///
    /// # Errors
    /// If there is no such option or it does not take the value. Nothing changes then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Action, String> {
        let table = table();
        let Some(ServerOption { declaration, apply }) =
            table.iter().find(|option| option.declaration.is_named(name))
        else {
            let hint = hint(name, table.iter().map(|option| option.declaration.name));
            return Err(format!("no such option: {} ({hint}\"uci\" lists them), ignored", quote(name)));
        };
        let value = match (declaration.name, value) {
            ("Search Method", Some(method)) if method.eq_ignore_ascii_case(ENGINE_ALIAS) => Some(ENGINE),
            ("Search Method", Some(method)) => Method::named(method).map(Method::name).or(value),
            (_, value) => value,
        };
        Ok(apply(self, declaration.read(value)?))
    }

    /// The settings of the next search, without its network.
    pub fn settings(&self) -> Settings {
        let limited = self.limit_strength && !self.analyse;
        let seed = (self.strength_seed > 0).then_some(self.strength_seed.into());
        let strength = limited.then_some(Strength { elo: self.elo.unwrap_or(ELO_DEFAULT as u32), seed });
        Settings { strength, ..self.settings.clone() }
    }

    /// The values of the options that can change a search with `settings`, for the log of searches: those in use, not those
    /// that were refused. `hash` is the size of the table in MiB, `tables` the value of `SyzygyPath`.
    pub fn logged(&self, settings: &Settings, hash: usize, tables: &str) -> serde_json::Value {
        let Settings { threads, multipv, move_overhead, ponder, strength, network, probing } = settings;
        let mut values = serde_json::json!({
            "Threads": threads,
            "Hash": hash,
            "MultiPV": multipv,
            "Move Overhead": move_overhead.as_millis() as u64,
            "Ponder": ponder,
            "UCI_Elo": strength.map(|strength| strength.elo),
            "Strength Seed": strength.and_then(|strength| strength.seed),
            "UCI_AnalyseMode": self.analyse,
            "Search Method": self.method.map_or(ENGINE, Method::name),
            "Evaluation": evaluation_name(network.as_ref()),
            "OwnBook": self.own_book,
            "SyzygyPath": tables,
            "SyzygyProbeDepth": probing.min_depth.plies(),
            "SyzygyProbeLimit": probing.max_pieces,
            "Syzygy50MoveRule": probing.fifty_move_rule,
        });
        for DeclaredOption { name, kind, .. } in variants::options() {
            let value = self.game.get(name).copied().unwrap_or(kind.default());
            values[name] = match kind {
                GameOptionKind::Check { .. } => (value != 0).into(),
                GameOptionKind::Spin { .. } => value.into(),
                GameOptionKind::Combo { choices } => choices[value as usize].into(),
            };
        }
        values
    }

    /// Whether a move may come from an opening book after `plies` moves of a game.
    pub fn uses_book(&self, plies: usize) -> bool {
        let book_depth = self.book_depth.unwrap_or(BOOK_DEPTH_MAX as usize);
        self.own_book && !self.analyse && self.method.is_none() && plies < 2 * book_depth
    }
}

fn file(path: String) -> Option<PathBuf> {
    (!path.is_empty()).then(|| path.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_declared_values_succeeds() {
        for option in declarations() {
            let values: Vec<String> = match &option.kind {
                OptionKind::Check { .. } => vec!["true".into(), "FALSE".into()],
                OptionKind::Spin { default, min, max } => [default, min, max].map(ToString::to_string).into(),
                OptionKind::Combo { choices, .. } => choices.iter().map(ToString::to_string).collect(),
                OptionKind::Button | OptionKind::String => vec!["<empty>".into(), "x".into()],
            };
            for value in values {
                Options::default().set(option.name, Some(&value)).unwrap();
            }
        }
    }

    #[test]
    fn elo_without_limit_strength_has_no_effect() {
        let mut options = Options::default();
        options.set("UCI_Elo", Some("2000")).unwrap();
        assert_eq!(options.settings().strength, None);
        options.set("uci_limitstrength", Some("true")).unwrap();
        assert_eq!(options.settings().strength, Some(Strength { elo: 2000, seed: None }));
        options.set("Strength Seed", Some("7")).unwrap();
        assert_eq!(options.settings().strength, Some(Strength { elo: 2000, seed: Some(7) }));
        options.set("UCI_AnalyseMode", Some("true")).unwrap();
        assert_eq!(options.settings().strength, None);
    }

    #[test]
    fn settings_after_set_have_the_values() {
        let mut options = Options::default();
        assert_eq!(options.settings().multipv, 1);
        assert_eq!(options.settings().move_overhead, Duration::from_millis(10));
        for (name, value) in
            [("Threads", "3"), ("MultiPV", "7"), ("move overhead", "250"), ("Ponder", "true"), ("Hash", "64")]
        {
            options.set(name, Some(value)).unwrap();
        }
        for (name, value, action) in [
            ("SyzygyPath", "/a:/b", Action::Tables("/a:/b".into())),
            ("SyzygyProbeDepth", "9", Action::None),
            ("SyzygyProbeLimit", "5", Action::None),
            ("Syzygy50MoveRule", "true", Action::None),
            ("Syzygy50MoveRule", "false", Action::Clear),
            ("Sixty Move Rule", "true", Action::None),
            ("Sixty Move Rule", "false", Action::GameOptions { is_rule: true }),
            ("UCI_Chess960", "false", Action::None),
            ("UCI_Chess960", "true", Action::GameOptions { is_rule: false }),
        ] {
            assert_eq!(options.set(name, Some(value)), Ok(action));
        }
        let settings = options.settings();
        let probing = Probing { min_depth: Depth::new(9), max_pieces: 5, fifty_move_rule: false };
        assert_eq!(settings.probing, probing);
        assert_eq!((settings.threads, settings.multipv, settings.ponder), (3, 7, true));
        assert_eq!(settings.move_overhead, Duration::from_millis(250));
        for method in Method::ALL {
            options.set("search method", Some(method.name())).unwrap();
            assert_eq!(options.method, Some(method));
        }
        for name in ["alphabeta", "alpha-beta", "Alpha-Beta"] {
            options.set("Search Method", Some(name)).unwrap();
            assert_eq!(options.method, Some(Method::AlphaBetaSoft));
        }
        for name in ["Engine", "Full"] {
            options.method = Some(Method::Minimax);
            options.set("Search Method", Some(name)).unwrap();
            assert_eq!(options.method, None);
        }
        assert_eq!(options.set("Hash", Some("64")), Ok(Action::Resize(64)));
        assert_eq!(options.set("Debug Log File", Some("")), Ok(Action::DebugLog(None)));
        assert!(options.set("Nope", Some("1")).unwrap_err().starts_with("no such option"));
    }
}
