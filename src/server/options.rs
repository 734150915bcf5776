//! The UCI options: their declarations, their values and what setting one does.

use crate::game::{Depth, NotationOptions, Probing, RuleOptions, quote};
use crate::protocol::{OptionKind, OptionValue, UciOption, hint};
use crate::search::Settings;
use crate::search::fault_injection::{self, FaultPoint};
use crate::search::params::{self, Parameter};
use crate::textbook::Method;
use crate::tools::evaluation::EvaluationChoice;
use crate::variants;
use std::path::PathBuf;
use std::time::Duration;

/// The largest `Hash` in MiB; clients accept no larger one.
const HASH_MAX: i64 = 33_554_432;
/// The default `Hash` in MiB.
pub const HASH_DEFAULT: i64 = 16;
/// The largest `Threads`.
const THREADS_MAX: i64 = 1024;
/// The range of `UCI_Elo`.
const ELO: [i64; 2] = [1320, 3190];

/// The largest `BookDepth`, in moves of each side.
const BOOK_DEPTH_MAX: i64 = 255;

/// The value of `Search Method` for the main search of the engine.
const ENGINE: &str = "engine";
/// Accepted for [`ENGINE`], as clients of version 0.1.0 may send it.
const ENGINE_ALIAS: &str = "full";

/// Every option, in the order in which `uci` lists them.
pub fn declarations() -> Vec<UciOption> {
    let spin = |default, min, max| OptionKind::Spin { default, min, max };
    let off = || OptionKind::Check { default: false };
    let games = OptionKind::Combo { default: variants::DEFAULT, choices: variants::NAMES.to_vec() };
    let methods = [ENGINE].into_iter().chain(Method::ALL.map(Method::name)).collect();
    let methods = OptionKind::Combo { default: ENGINE, choices: methods };
    let evaluations = EvaluationChoice::ALL.map(EvaluationChoice::name).into();
    let evaluations = OptionKind::Combo { default: EvaluationChoice::default().name(), choices: evaluations };
    let overhead = Settings::default().move_overhead.as_millis() as i64;
    let probing = Probing::default();
    let listed = [
        ("Threads", spin(1, 1, THREADS_MAX)),
        ("Hash", spin(HASH_DEFAULT, 1, HASH_MAX)),
        ("Clear Hash", OptionKind::Button),
        ("MultiPV", spin(1, 1, 256)),
        ("Ponder", off()),
        ("Move Overhead", spin(overhead, 0, 5000)),
        ("UCI_Variant", games),
        ("UCI_Chess960", off()),
        ("UCI_AnalyseMode", off()),
        ("UCI_ShowWDL", off()),
        ("UCI_LimitStrength", off()),
        ("UCI_Elo", spin(ELO[0], ELO[0], ELO[1])),
        ("Search Method", methods),
        ("Evaluation", evaluations),
        ("EvalFile", OptionKind::String),
        ("OwnBook", off()),
        ("BookFile", OptionKind::String),
        ("BookDepth", spin(BOOK_DEPTH_MAX, 1, BOOK_DEPTH_MAX)),
        ("SyzygyPath", OptionKind::String),
        ("SyzygyProbeDepth", spin(probing.min_depth.plies().into(), 1, 100)),
        ("SyzygyProbeLimit", spin(probing.max_pieces.into(), 0, probing.max_pieces.into())),
        ("Syzygy50MoveRule", OptionKind::Check { default: probing.fifty_move_rule }),
        ("Sixty Move Rule", OptionKind::Check { default: RuleOptions::default().sixty_moves }),
        ("Debug Log File", OptionKind::String),
        ("Search Log File", OptionKind::String),
    ];
    listed
        .into_iter()
        .chain(tunable())
        .chain(fault_option())
        .map(|(name, kind)| UciOption { name, kind })
        .collect()
}

/// The parameters of the search, in builds with the feature `spsa`.
fn tunable() -> impl Iterator<Item = (&'static str, OptionKind)> {
    params::all().filter(|_| cfg!(feature = "spsa")).map(|&Parameter { name, default, min, max }| {
        (name, OptionKind::Spin { default: default.into(), min: min.into(), max: max.into() })
    })
}

/// Where a panic can be triggered, in builds with the feature `fault-injection`.
fn fault_option() -> Option<(&'static str, OptionKind)> {
    let choices = ["none"].into_iter().chain(FaultPoint::ALL.map(FaultPoint::name)).collect();
    cfg!(feature = "fault-injection")
        .then_some(("FaultInjection", OptionKind::Combo { default: "none", choices }))
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
    /// Play by these rules.
    Rules(RuleOptions),
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

/// The values that no [`Action`] carries.
#[derive(Clone, Debug, Default)]
pub struct Options {
    threads: Option<usize>,
    multipv: Option<usize>,
    overhead: Option<Duration>,
    probing: Probing,
    elo: Option<u32>,
    ponder: bool,
    limit_strength: bool,
    analyse: bool,
    own_book: bool,
    book_depth: Option<usize>,
    /// `UCI_Chess960`.
    pub chess960: bool,
    /// `UCI_ShowWDL`.
    pub show_wdl: bool,
    /// `Search Method`; `None` is the main search of the engine.
    pub method: Option<Method>,
    /// `Sixty Move Rule`.
    pub rules: RuleOptions,
    /// `Evaluation`.
    pub evaluation: EvaluationChoice,
}

impl Options {
    /// Sets the option `name`.
    ///
    /// # Errors
    /// If there is no such option or it does not take the value. Nothing changes then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Action, String> {
        let all = declarations();
        let Some(option) = all.iter().find(|option| option.is_named(name)) else {
            let hint = hint(name, all.iter().map(|option| option.name));
            return Err(format!("no such option: {} ({hint}\"uci\" lists them), ignored", quote(name)));
        };
        let value = match (option.name, value) {
            ("Search Method", Some(method)) if method.eq_ignore_ascii_case(ENGINE_ALIAS) => Some(ENGINE),
            (_, value) => value,
        };
        let value = option.read(value).map_err(|error| error.to_string())?;
        match (option.name, value) {
            ("Threads", OptionValue::Spin(threads)) => self.threads = Some(threads as usize),
            ("Hash", OptionValue::Spin(megabytes)) => return Ok(Action::Resize(megabytes as usize)),
            ("Clear Hash", _) => return Ok(Action::Clear),
            ("MultiPV", OptionValue::Spin(lines)) => self.multipv = Some(lines as usize),
            ("Ponder", OptionValue::Check(on)) => self.ponder = on,
            ("Move Overhead", OptionValue::Spin(ms)) => {
                self.overhead = Some(Duration::from_millis(ms as u64))
            }
            ("UCI_Variant", OptionValue::Combo(game)) => return Ok(Action::Variant(game)),
            ("UCI_Chess960", OptionValue::Check(on)) => self.chess960 = on,
            ("UCI_AnalyseMode", OptionValue::Check(on)) => self.analyse = on,
            ("UCI_ShowWDL", OptionValue::Check(on)) => self.show_wdl = on,
            ("UCI_LimitStrength", OptionValue::Check(on)) => self.limit_strength = on,
            ("UCI_Elo", OptionValue::Spin(elo)) => self.elo = Some(elo as u32),
            ("Search Method", OptionValue::Combo(name)) => self.method = Method::named(name),
            ("Evaluation", OptionValue::Combo(name)) => {
                let choice = EvaluationChoice::ALL.into_iter().find(|choice| choice.name() == name);
                return Ok(Action::Evaluation(choice.unwrap_or_default()));
            }
            ("EvalFile", OptionValue::Text(path)) => return Ok(Action::EvalFile(file(path))),
            ("OwnBook", OptionValue::Check(on)) => self.own_book = on,
            ("BookFile", OptionValue::Text(path)) => return Ok(Action::Book(file(path))),
            ("BookDepth", OptionValue::Spin(moves)) => self.book_depth = Some(moves as usize),
            ("SyzygyPath", OptionValue::Text(path)) => return Ok(Action::Tables(path)),
            ("SyzygyProbeDepth", OptionValue::Spin(depth)) => {
                self.probing.min_depth = Depth::new(depth as i32)
            }
            ("SyzygyProbeLimit", OptionValue::Spin(pieces)) => self.probing.max_pieces = pieces as u32,
            // The transposition table has results of the former rule.
            ("Syzygy50MoveRule", OptionValue::Check(on)) => {
                let changed = std::mem::replace(&mut self.probing.fifty_move_rule, on) != on;
                return Ok(if changed { Action::Clear } else { Action::None });
            }
            ("Sixty Move Rule", OptionValue::Check(on)) => {
                let changed = std::mem::replace(&mut self.rules.sixty_moves, on) != on;
                return Ok(if changed { Action::Rules(self.rules) } else { Action::None });
            }
            ("Debug Log File", OptionValue::Text(path)) => return Ok(Action::DebugLog(file(path))),
            ("Search Log File", OptionValue::Text(path)) => return Ok(Action::SearchLog(file(path))),
            ("FaultInjection", OptionValue::Combo(name)) => {
                fault_injection::arm(FaultPoint::ALL.into_iter().find(|place| place.name() == name));
            }
            #[cfg(feature = "spsa")]
            (name, OptionValue::Spin(value)) => params::set(name, value as i32),
            (name, value) => unreachable!("the option {name} is declared but {value:?} is not read"),
        }
        Ok(Action::None)
    }

    /// The settings of the next search, without its network.
    pub fn settings(&self) -> Settings {
        let defaults = Settings::default();
        let limited = self.limit_strength && !self.analyse;
        Settings {
            threads: self.threads.unwrap_or(defaults.threads),
            multipv: self.multipv.unwrap_or(defaults.multipv),
            move_overhead: self.overhead.unwrap_or(defaults.move_overhead),
            ponder: self.ponder,
            elo: limited.then_some(self.elo.unwrap_or(ELO[0] as u32)),
            network: None,
            probing: self.probing,
        }
    }

    /// Whether a move may come from an opening book after `plies` moves of a game.
    pub fn uses_book(&self, plies: usize) -> bool {
        let depth = self.book_depth.unwrap_or(BOOK_DEPTH_MAX as usize);
        self.own_book && !self.analyse && self.method.is_none() && plies < 2 * depth
    }

    /// How moves and positions are written.
    pub fn notation(&self) -> NotationOptions {
        NotationOptions { chess960: self.chess960 }
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
        assert_eq!(options.settings().elo, None);
        options.set("uci_limitstrength", Some("true")).unwrap();
        assert_eq!(options.settings().elo, Some(2000));
        options.set("UCI_AnalyseMode", Some("true")).unwrap();
        assert_eq!(options.settings().elo, None);
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
            ("Sixty Move Rule", "false", Action::Rules(RuleOptions { sixty_moves: false })),
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
