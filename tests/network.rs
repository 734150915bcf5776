//! Networks in files: the options `Evaluation` and `EvalFile`, `datagen`, and equal nodes in every build.

use crate::common::process::TempDir;
use duiyi::game::{Notation, Score, Variant, conformance};
use duiyi::games::chess::{Evaluation, Position};
use duiyi::games::xiangqi::Xiangqi;
use duiyi::nnue::Network;
use duiyi::search::{self, Limits, SearchRequest, SearchState, Settings};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

fn network(seed: u64) -> Network {
    Network::random::<Position, 64>(Position::start().variant(), 256, seed)
}

fn run(arguments: &[&str]) -> (bool, String, String) {
    let command = Command::new(env!("CARGO_BIN_EXE_duiyi")).args(arguments).stdin(Stdio::null()).output();
    let Output { status, stdout, stderr } = command.unwrap();
    (status.success(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Runs `commands` in one process. Returns its `info string` lines but those that name a new game, and the node count
/// of each search.
fn serve<T: AsRef<str>>(commands: &[T]) -> (Vec<String>, Vec<u64>) {
    let (success, output, _) = run(&commands.iter().map(AsRef::as_ref).collect::<Vec<_>>());
    assert!(success, "{output}");
    let (mut messages, mut nodes, mut last) = (Vec::new(), Vec::new(), 0);
    for line in output.lines() {
        let mut words = line.split(' ').skip_while(|word| *word != "nodes").skip(1);
        match line.strip_prefix("info string ") {
            Some(message) if message.starts_with("variant ") => {}
            Some(message) => messages.push(message.to_string()),
            None if line.starts_with("bestmove") => nodes.push(last),
            None => last = words.next().map_or(last, |word| word.parse().unwrap()),
        }
    }
    (messages, nodes)
}

const POSITION: &str = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const GO: &str = "go depth 7";
const BY_HAND: &str = "setoption name Evaluation value classical";
const BY_NETWORK: &str = "setoption name Evaluation value network";

/// The command that sets `EvalFile`.
fn eval_file(path: &str) -> String {
    format!("setoption name EvalFile value {path}")
}

/// All builds must visit these nodes: with and without optimisation, and for each processor. If the search or the
/// inputs of the network change, so does the number.
#[test]
fn nodes_with_a_network_equal_those_of_every_build() {
    let settings = Settings { network: Some(Arc::new(network(1))), ..Settings::default() };
    let mut nodes = 0;
    for text in Position::start().bench_positions() {
        let root = Position::start().parse_position(text).unwrap().game;
        let request =
            SearchRequest { root, limits: Limits::depth(8), settings: settings.clone(), tablebase: None };
        let mut state = SearchState::new(4).unwrap();
        let never = crossbeam_channel::never();
        nodes += search::run::<_, Evaluation>(request, &mut state, &never, &mut |_| {}).nodes;
    }
    assert_eq!(nodes, 447_269);
}

#[test]
fn searches_after_each_change_of_the_evaluation_equal_those_of_a_new_process() {
    let folder = TempDir::new("changes");
    let [first, second] =
        [1, 2].map(|seed| eval_file(&folder.file(&format!("{seed}.nnue"), network(seed).to_bytes())));
    let nodes = |commands: &[&str]| {
        let (messages, nodes) = serve(commands);
        assert_eq!(messages, [""; 0], "{commands:?}");
        nodes
    };
    let by_hand = nodes(&[BY_HAND, POSITION, GO])[0];
    let by_first = nodes(&[&first, BY_NETWORK, POSITION, GO])[0];
    let by_second = nodes(&[&second, BY_NETWORK, POSITION, GO])[0];
    assert!(by_hand != by_first && by_first != by_second && by_second != by_hand);
    let variant = |name| format!("setoption name UCI_Variant value {name}");
    let (other, chess) = (variant("tictactoe"), variant("chess"));
    assert_eq!(
        nodes(&[
            BY_HAND, &first, POSITION, GO, BY_NETWORK, GO, &second, GO, BY_HAND, GO, BY_NETWORK, &other,
            "go depth 3", &chess, POSITION, GO,
        ]),
        [by_hand, by_first, by_second, by_hand, nodes(&[&other, "go depth 3"])[0], by_second]
    );
    // Nothing changes, so the transposition table stays and changes the number of nodes.
    assert_ne!(nodes(&[&first, BY_NETWORK, POSITION, GO, BY_NETWORK, GO])[1], by_first);
}

#[test]
fn file_that_is_no_network_gets_one_line_and_the_former_evaluation_stays() {
    let folder = TempDir::new("bad");
    let bytes = network(1).to_bytes();
    let good = eval_file(&folder.file("good.nnue", &bytes));
    let by_network = serve(&[&good, BY_NETWORK, POSITION, GO]).1;
    let length = format!("expected {} bytes, found ", bytes.len());
    let mut damaged = bytes.clone();
    damaged[70_000] ^= 1;
    let foreign = Network { variant: "gomoku".into(), ..network(1) };
    let mut small = network(1);
    small.inputs = small.inputs[..768 * small.bias.len()].into();
    for (name, bytes, expected) in [
        ("empty", &[][..], "expected a network file, found other bytes at its start"),
        ("text", b"# A text\n", "expected a network file, found other bytes at its start"),
        ("cut", &bytes[..bytes.len() / 2], &length),
        ("long", &[&bytes[..], b"\n"].concat(), &length),
        ("damaged", &damaged, "expected checksum "),
        ("foreign", &foreign.to_bytes(), "expected a network for chess, found one for \"gomoku\""),
        ("small", &small.to_bytes(), "expected 9216 inputs, found 768"),
    ] {
        let bad = eval_file(&folder.file(name, bytes));
        let (messages, nodes) = serve(&[&good, BY_NETWORK, &bad, POSITION, GO]);
        let [message] = &messages[..] else { panic!("{name}: expected one line, found {messages:?}") };
        assert!(
            message.starts_with(&format!("option EvalFile: cannot use that file: {expected}"))
                && message.ends_with(", value not changed"),
            "{name}: {message}"
        );
        assert_eq!(nodes, by_network, "{name}");
    }
    let missing = eval_file(folder.0.join("missing").to_str().unwrap());
    assert!(serve(&[missing]).0[0].starts_with("option EvalFile: cannot use that file: "));
}

#[test]
fn network_of_the_program_evaluates_without_a_file() {
    let folder = TempDir::new("order");
    let file = eval_file(&folder.file("1.nnue", network(1).to_bytes()));
    let expected = serve(&[&file, BY_NETWORK, POSITION, GO]).1;
    let embedded = serve(&[POSITION, GO]).1[0];
    let other = "setoption name UCI_Variant value tictactoe";
    assert_eq!(serve(&[BY_NETWORK, POSITION, GO, &file, GO]), (Vec::new(), vec![embedded, expected[0]]));
    let back = "setoption name EvalFile value <empty>";
    assert_eq!(serve(&[&file, POSITION, GO, back, GO]), (Vec::new(), vec![expected[0], embedded]));
    // A game without networks does not complain.
    assert_eq!(serve(&[other, BY_NETWORK, "go depth 3"]).0, [""; 0]);
    // It cannot read one.
    let messages = serve(&[other, &file]).0;
    let expected = "option EvalFile: cannot use that file: expected a game whose evaluation can use a network, \
                    value not changed";
    assert_eq!(messages, [expected]);
}

#[test]
fn bench_prints_one_number_for_each_evaluation_and_the_default_last() {
    let folder = TempDir::new("bench");
    let network = network(1);
    let file = eval_file(&folder.file("1.nnue", network.to_bytes()));
    let (_, own, _) = run(&["bench", "3"]);
    let (_, other, _) = run(&[&file, "bench 3"]);
    let nodes = |line: &str| line.split(" nodes ").next().unwrap().to_string();
    let (own, other): (Vec<&str>, Vec<&str>) = (own.lines().collect(), other.lines().collect());
    assert_ne!(nodes(other[other.len() - 1]), nodes(own[own.len() - 1]));
    let by_hand = |lines: &[&str]| -> Vec<String> {
        lines.iter().filter_map(|line| line.strip_prefix("evaluation classical: ")).map(nodes).collect()
    };
    assert_eq!((by_hand(&own).len(), by_hand(&own)), (1, by_hand(&other)));
}

/// What `bench 8` counts by hand and with the network of the program. A change of the search changes both, a change of
/// an evaluation one; `Bench:` in a commit's message has the number of chess to the full depth.
#[test]
fn bench_counts_the_recorded_nodes_with_each_evaluation() {
    for (variant, expected) in [("chess", (154_707, 164_823)), ("xiangqi", (83_973, 47_372))] {
        let (_, output, _) = run(&[&format!("setoption name UCI_Variant value {variant}"), "bench 8"]);
        let nodes = |line: &str| line.split(" nodes ").next().and_then(|text| text.parse::<u64>().ok());
        let by_hand = output.lines().find_map(|line| nodes(line.strip_prefix("evaluation classical: ")?));
        let by_network = output.lines().last().and_then(nodes);
        assert_eq!((by_hand, by_network), (Some(expected.0), Some(expected.1)), "{variant}");
    }
}

#[test]
fn eval_shows_buckets_and_pieces_of_the_network() {
    let folder = TempDir::new("eval");
    let file = eval_file(&folder.file("1.nnue", network(1).to_bytes()));
    let (_, by_hand, _) = run(&[BY_HAND, "eval"]);
    assert!(by_hand.contains("White-Black") && !by_hand.contains("bucket"), "{by_hand}");
    for position in ["position startpos", "position startpos moves e2e4", POSITION] {
        let (_, text, _) = run(&[&file, BY_NETWORK, position, "eval", BY_HAND, "eval"]);
        let marked = text.lines().find(|line| line.ends_with("  this position")).unwrap();
        let value: i32 = marked.split_ascii_whitespace().nth(4).unwrap().parse().unwrap();
        assert!(text.contains(&format!("Final evaluation: {value} (White's side)\n")), "{text}");
        // The values come first, the origin of the network last.
        let about = text.find("\nNetwork ").unwrap();
        assert!(
            text.find("bucket  ").unwrap() < about && about < text.find("Final evaluation").unwrap(),
            "{text}"
        );
        // The evaluation by hand is the former one again.
        assert!(position != "position startpos" || text.ends_with(&by_hand), "{text}");
    }
    let (_, text, _) = run(&["setoption name UCI_Variant value xiangqi", "eval", BY_HAND, "eval"]);
    let (by_network, by_hand) = text.split_once("Final evaluation").unwrap();
    assert!(by_network.contains("30 to 32") && by_network.contains("\n10      r      n"), "{text}");
    assert!(by_hand.contains("palace attack"), "{text}");
}

#[test]
fn datagen_names_the_evaluation_in_the_header() {
    let folder = TempDir::new("datagen");
    let network = network(1);
    let file = folder.file("1.nnue", network.to_bytes());
    let out = |name: &str| folder.0.join(name).to_str().unwrap().to_string();
    let generate = |out: &str, more: &[&str]| {
        run(&[&["datagen", "--nodes", "60", "--hash", "1", "--out", out], more].concat())
    };
    let (by_hand, by_network) = (out("by_hand"), out("by_network"));
    assert!(generate(&by_hand, &["--games", "4", "--evaluation", "classical"]).0);
    assert!(generate(&by_network, &["--games", "4", "--eval-file", &file]).0);
    let header = |path: &str| {
        let (success, text, _) = run(&["data", "check", path]);
        assert!(success && text.starts_with("sound: 4 games"), "{text}");
        let bytes = std::fs::read(path).unwrap();
        String::from_utf8_lossy(&bytes[..200]).into_owned()
    };
    assert!(header(&by_hand).contains(" eval=classical "));
    assert!(header(&by_network).contains(&format!(" eval={:08x} ", network.hash())));
    // A file never mixes two evaluations.
    let (success, _, error) = generate(&by_network, &["--resume", "--games", "5"]);
    assert!(!success && error.contains("nothing is changed") && error.lines().count() == 1, "{error}");
    for (arguments, expected) in [
        (&["--evaluation", "classical", "--eval-file", &file][..], "expected --evaluation network"),
        (&["--eval-file", &by_hand], "expected a network file, found other bytes at its start"),
        (&["--eval-file", &file, "--variant", "cfour"], "expected a game whose evaluation can use a network"),
        (&["--evaluation", "network", "--variant", "cfour"], "the program contains no network for cfour"),
    ] {
        let (success, _, error) = generate(&out("none"), &[&["--games", "4"], arguments].concat());
        assert!(!success && error.contains(expected) && error.lines().count() == 1, "{error}");
        assert!(!folder.0.join("none").exists());
    }
}

/// The score in centipawns and the win rates of the last line of `lines` that has both.
fn score_and_win_rates(lines: &str) -> (i32, Vec<u16>) {
    let line = lines.lines().rfind(|line| line.contains(" wdl ")).expect("a line with win rates");
    let mut words = line.split(' ').skip_while(|word| *word != "cp").skip(1);
    let score = words.next().unwrap().parse().unwrap();
    (score, words.skip(1).take(3).map(|word| word.parse().unwrap()).collect())
}

/// Checks the win rates of a search after `moves`, by hand and by the network of the program.
fn check_win_rates<G: Variant>(mut position: G, moves: &str) {
    conformance::play(&mut position, moves);
    let (show, set) = ("setoption name UCI_ShowWDL value true", format!("position startpos moves {moves}"));
    let variant = format!("setoption name UCI_Variant value {}", position.variant());
    for (evaluation, network) in [("network", G::embedded_network().unwrap()), ("classical", None)] {
        let choice = format!("setoption name Evaluation value {evaluation}");
        let (_, output, _) = run(&[&variant, show, &choice, &set, "go depth 5"]);
        let (score, rates) = score_and_win_rates(&output);
        let expected = position.wdl(Score::new(score), network.as_deref());
        assert_eq!(rates, [expected.win, expected.draw, expected.loss], "{evaluation}: {output}");
    }
}

#[test]
fn win_rates_of_a_search_are_those_of_what_evaluates() {
    check_win_rates(Position::start(), "e2e4 e7e5 g1f3 b8c6 f1c4");
    check_win_rates(Xiangqi::start(), "h3e3 h10g8 h1g3 i10h10");
}

#[test]
fn win_rates_of_an_analysis_are_those_of_what_evaluates() {
    let dir = TempDir::new("win-rates");
    let text = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 1";
    let problems = dir.file("problem.epd", text);
    let position = Position::start().parse_position(text).unwrap().game;
    for (evaluation, network) in [("network", Position::embedded_network().unwrap()), ("classical", None)] {
        let arguments = ["analyse", &problems, "--json", "--depth", "5", "--evaluation", evaluation];
        let (_, output, errors) = run(&arguments);
        let record: serde_json::Value =
            serde_json::from_str(output.lines().next().unwrap_or_else(|| panic!("{errors}"))).unwrap();
        let score = record["lines"][0]["score"]["cp"].as_i64().unwrap_or_else(|| panic!("{record}"));
        let expected = position.wdl(Score::new(score as i32), network.as_deref());
        assert_eq!(record["wdl"], serde_json::json!([expected.win, expected.draw, expected.loss]));
    }
}
