//! Questions about rules and their answers, as JSON. An answer depends on its question alone.

use crate::game::{Move, NotationError, Outcome, Side, Variant, units_text};
use crate::tools::pgn::LOST_ON_TIME;
use crate::tools::pgn::tree::{self, Tree};
use crate::tools::{records, trace};
use crate::variants::with_game;
use serde::{Deserialize, Serialize};

/// A question: a game with its moves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    /// A value of `UCI_Variant`. A record may name its own.
    variant: String,
    /// The position before the first move; the start of the game if it is missing or empty.
    #[serde(default)]
    position: String,
    /// The number of a start position, in place of `position`: in chess, those of Chess960 from 1 on.
    number: Option<u32>,
    /// The moves played, as [`crate::game::Notation::move_text`] writes them.
    #[serde(default)]
    moves: Vec<String>,
    /// The moves of variations, and any of `moves`, each after the move before it.
    #[serde(default)]
    tree: Vec<Node>,
    /// Moves after these, up to the first that is illegal: the answer has their text.
    #[serde(default)]
    line: Vec<String>,
    /// A record (PGN, for Go SGF) that replaces `position`, `moves` and `tree`.
    record: Option<String>,
    /// A side that has lost although the rules let the game go on.
    forfeit: Option<Forfeit>,
    /// Whether the answer has the page of a textbook search.
    #[serde(default)]
    trace: bool,
}

/// The end of a game by a resignation or by the clock.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Forfeit {
    /// The index of the side that lost.
    side: usize,
    how: LostBy,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum LostBy {
    Resigned,
    Time,
}

/// A move of a game or a variation.
#[derive(Debug, Deserialize)]
struct Node {
    #[serde(rename = "move")]
    mv: String,
    /// The index of the move before it in the tree; none for a first move.
    parent: Option<usize>,
}

/// What the rules say of a game.
#[derive(Debug, Serialize)]
struct Answer {
    variant: &'static str,
    sides: [&'static str; 2],
    /// The scores in one unit that people read.
    unit: i32,
    /// The position before the first move.
    start: String,
    /// How many numbered start positions the game has.
    starts: u32,
    position: String,
    /// One sentence for each part of the position that was corrected, or on what was not read.
    warnings: Vec<String>,
    /// The index of the side to move.
    side: usize,
    in_check: bool,
    played: Vec<Played>,
    /// The legal moves; none if the game is over.
    moves: Vec<MoveText>,
    result: Option<GameResult>,
    /// The text of the moves of the question's line.
    line: Vec<MoveText>,
    /// All moves, those of variations too.
    tree: Vec<TreeMove>,
    /// The record of the game: PGN with its variations, for Go SGF.
    record: String,
    /// The page of a textbook search of the position, step by step, if the question asks for it.
    page: Option<String>,
}

#[derive(Debug, Serialize)]
struct MoveText {
    /// As UCI writes it.
    #[serde(rename = "move")]
    mv: String,
    /// As people write it: in chess, SAN.
    text: String,
}

#[derive(Debug, Serialize)]
struct Played {
    #[serde(flatten)]
    text: MoveText,
    /// The index of the side that moved.
    side: usize,
    /// The position after the move.
    position: String,
}

#[derive(Debug, Serialize)]
struct TreeMove {
    #[serde(flatten)]
    text: MoveText,
    /// The index of the side that moves.
    side: usize,
    parent: Option<usize>,
}

#[derive(Debug, Serialize)]
struct GameResult {
    /// The index of the winner; `None` for a draw.
    winner: Option<usize>,
    /// The points of the first side less those of the other, where the game has points.
    points: Option<String>,
    reason: Option<&'static str>,
}

/// Answers a question. A question that cannot be answered gets `{"error": ...}`.
pub fn answer(question: &str) -> String {
    let answered = serde_json::from_str(question)
        .map_err(|error| format!("expected a question in JSON: {error}"))
        .and_then(|question: Question| {
            let named = question.record.as_deref().and_then(records::variant);
            let variant = named.unwrap_or_else(|| question.variant.clone());
            with_game!(&variant, |start| answer_in(&start, &question))
                .unwrap_or_else(|error| Err(error.to_string()))
        })
        .and_then(|answer| serde_json::to_string(&answer).map_err(|error| error.to_string()));
    answered.unwrap_or_else(|error| serde_json::json!({ "error": error }).to_string())
}

/// The game of a question.
struct GameOf<G> {
    start: G,
    moves: Vec<Move>,
    tree: Tree<G>,
    warnings: Vec<String>,
}

fn game_of<G: Variant>(initial: &G, question: &Question) -> Result<GameOf<G>, String> {
    if let Some(record) = &question.record {
        let mut games = records::read_trees(initial, record).into_iter();
        let (first, others) = (games.next(), games.count());
        let warnings = match others {
            0 => Vec::new(),
            _ => vec![format!("The record has {} games; this is the first.", others + 1)],
        };
        let game =
            first.ok_or_else(|| NotationError::new("expected a record of a game", record).to_string())?;
        let game = game.map_err(|error| format!("line {}: {}", error.line, error.what))?;
        let tree = game.tree.unwrap_or_else(|| {
            let mut tree = Tree::new(game.start.clone());
            tree.add_game(&game.moves);
            tree
        });
        return Ok(GameOf { start: game.start, moves: game.moves, tree, warnings });
    }
    let (start, warnings) = if let Some(number) = question.number {
        let start = initial.start_position(number);
        let expected = || format!("number: expected less than {}, got {number}", G::START_COUNT);
        (start.ok_or_else(expected)?, Vec::new())
    } else if question.position.trim().is_empty() {
        (initial.clone(), Vec::new())
    } else {
        let parsed = initial.parse_position(question.position.trim()).map_err(|error| error.to_string())?;
        (parsed.game, parsed.warnings)
    };
    let (mut game, mut moves) = (start.clone(), Vec::new());
    for (index, text) in question.moves.iter().enumerate() {
        let mv = game.parse_move(text).map_err(|error| format!("move {}: {error}", index + 1))?;
        game.play(mv);
        moves.push(mv);
    }
    let nodes = question.tree.iter().map(|node| (node.mv.as_str(), node.parent));
    let mut tree = Tree::parse(&start, nodes).map_err(|error| format!("variations: {error}"))?;
    tree.add_game(&moves);
    Ok(GameOf { start, moves, tree, warnings })
}

fn answer_in<G: Variant>(initial: &G, question: &Question) -> Result<Answer, String> {
    let GameOf { start, moves, tree, warnings } = game_of(initial, question)?;
    let mut game = start.clone();
    let mut played = Vec::with_capacity(moves.len());
    let mut with_sides = Vec::with_capacity(moves.len());
    for &mv in &moves {
        let (text, side) = (move_text(&game, mv), game.side_to_move());
        with_sides.push((side, mv));
        game.play(mv);
        played.push(Played { text, side: side.index(), position: game.position_text() });
    }
    let result = result_of(&game);
    let legal = if result.is_some() { Vec::new() } else { game.moves().to_vec() };
    let of_tree = |node: &tree::Node| TreeMove {
        text: MoveText { mv: node.text.clone(), text: node.san.clone() },
        side: node.side.index(),
        parent: node.parent,
    };
    let mut tags = vec![("Event", "?".into())];
    if question.forfeit.is_some_and(|forfeit| forfeit.how == LostBy::Time) {
        tags.push((LOST_ON_TIME.0, LOST_ON_TIME.1.into()));
    }
    let lost = question.forfeit.map(|forfeit| if forfeit.side == 0 { "0-1" } else { "1-0" });
    let record = records::record_with_variations(&tree, &with_sides, &tags, lost);
    let page = question.trace.then(|| trace::page(&game)).transpose().map_err(|error| error.to_string())?;
    Ok(Answer {
        variant: initial.variant(),
        sides: G::SIDE_NAMES,
        unit: G::SCORE_UNIT,
        start: start.position_text(),
        starts: G::START_COUNT,
        position: game.position_text(),
        warnings,
        side: game.side_to_move().index(),
        in_check: game.in_check(),
        moves: legal.into_iter().map(|mv| move_text(&game, mv)).collect(),
        line: line_text(game.clone(), &question.line),
        tree: tree.nodes().iter().map(of_tree).collect(),
        record,
        page,
        played,
        result,
    })
}

fn move_text<G: Variant>(game: &G, mv: Move) -> MoveText {
    MoveText { mv: game.move_text(mv), text: game.san_text(mv) }
}

fn line_text<G: Variant>(mut game: G, line: &[String]) -> Vec<MoveText> {
    let mut texts = Vec::with_capacity(line.len());
    for text in line {
        let Ok(mv) = game.parse_move(text) else { break };
        texts.push(move_text(&game, mv));
        game.play(mv);
    }
    texts
}

/// The result by the rules, or by a claim that people grant each other at once, such as a repetition.
fn result_of<G: Variant>(game: &G) -> Option<GameResult> {
    let outcome = game.outcome_or_claim()?;
    let (winner, points) = match outcome {
        Outcome::Win(side) => (Some(side.index()), None),
        Outcome::Draw => (None, None),
        Outcome::Points(points) => {
            let winner = if points > 0 { Side::White } else { Side::Black };
            ((points != 0).then_some(winner.index()), Some(units_text(points, G::SCORE_UNIT)))
        }
    };
    Some(GameResult { winner, points, reason: game.outcome_reason() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn ask(question: &Value) -> Value {
        serde_json::from_str(&answer(&question.to_string())).unwrap()
    }

    #[test]
    fn state_of_every_game_has_its_moves() {
        for &variant in crate::variants::NAMES {
            let state = ask(&json!({ "variant": variant }));
            assert_eq!(state["variant"], variant, "{state}");
            let moves: Vec<Value> = vec![state["moves"][0]["move"].clone()];
            let next = ask(&json!({ "variant": variant, "moves": moves }));
            assert_eq!(next["played"][0]["move"], moves[0]);
            assert_eq!(next["played"][0]["position"], next["position"]);
            let read = ask(&json!({ "variant": "chess", "record": next["record"] }));
            assert_eq!(read["played"], next["played"], "{next}");
        }
    }

    #[test]
    fn finished_game_has_a_result_and_no_moves() {
        let state = ask(&json!({ "variant": "chess", "moves": ["f2f3", "e7e5", "g2g4", "d8h4"] }));
        assert_eq!(state["result"], json!({ "winner": 1, "points": null, "reason": "checkmate" }));
        assert_eq!((&state["moves"], &state["in_check"]), (&json!([]), &json!(true)));
        assert!(state["record"].as_str().unwrap().contains("\n1. f3 e5 2. g4 Qh4# 0-1"), "{state}");
    }

    #[test]
    fn record_says_who_resigned_or_lost_on_time() {
        let record = |variant: &str, how: &str| {
            let question = json!({ "variant": variant, "forfeit": { "side": 0, "how": how } });
            ask(&question)["record"].as_str().unwrap().to_string()
        };
        assert_eq!(record("chess", "resigned"), "[Event \"?\"]\n[Result \"0-1\"]\n\n0-1\n\n");
        let on_time = "[Event \"?\"]\n[Termination \"time forfeit\"]\n[Result \"0-1\"]\n\n0-1\n\n";
        assert_eq!(record("chess", "time"), on_time);
        assert!(record("go", "resigned").contains("RE[W+R]") && record("go", "time").contains("RE[W+T]"));
    }

    #[test]
    fn variations_are_in_the_record_and_come_back() {
        let node = |mv: &str, parent: Option<usize>| json!({ "move": mv, "parent": parent });
        let tree = [
            node("e2e4", None),
            node("e7e5", Some(0)),
            node("g1f3", Some(1)),
            node("c7c5", Some(0)),
            node("g1f3", Some(3)),
            node("b1c3", Some(3)),
            node("b8c6", Some(5)),
            node("d2d4", None),
        ];
        let moves = ["e2e4", "c7c5", "g1f3", "d7d6"];
        let state = ask(&json!({ "variant": "chess", "moves": moves, "tree": tree }));
        let record = state["record"].as_str().unwrap();
        assert!(
            record.ends_with("\n1. e4 (1. d4) 1... c5 (1... e5 2. Nf3) 2. Nf3 (2. Nc3 Nc6) 2... d6 *\n\n"),
            "{record}"
        );
        assert_eq!(state["tree"][8], json!({ "move": "d7d6", "text": "d6", "side": 1, "parent": 4 }));
        let read = ask(&json!({ "variant": "chess", "record": record }));
        assert_eq!((&read["record"], &read["played"]), (&state["record"], &state["played"]));
        assert_eq!(read["tree"].as_array().unwrap().len(), 9);
    }

    #[test]
    fn moves_that_were_taken_back_are_no_part_of_the_record() {
        let node = |mv: &str, parent: Option<usize>| json!({ "move": mv, "parent": parent });
        let tree = [node("f2f3", None), node("e7e5", Some(0)), node("g2g4", Some(1)), node("d8h4", Some(2))];
        let record = |moves: &[&str], forfeit: Value| {
            let question = json!({ "variant": "chess", "moves": moves, "tree": tree, "forfeit": forfeit });
            ask(&question)["record"].as_str().unwrap().to_string()
        };
        assert!(record(&["f2f3", "e7e5"], Value::Null).ends_with("\n1. f3 e5 *\n\n"));
        let on_time = record(&["f2f3", "e7e5", "g2g4"], json!({ "side": 1, "how": "time" }));
        assert!(on_time.ends_with("\n1. f3 e5 2. g4 1-0\n\n"), "{on_time}");
        assert!(record(&["e2e4"], Value::Null).ends_with("\n1. e4 (1. f3 e5 2. g4 Qh4#) *\n\n"));
        assert!(record(&[], Value::Null).ends_with("\n*\n\n"));
    }

    #[test]
    fn search_of_a_position_can_be_shown_in_every_game() {
        for &variant in crate::variants::NAMES {
            let page = ask(&json!({ "variant": variant, "trace": true }))["page"].take();
            let page = page.as_str().unwrap();
            assert!(
                page.starts_with("<!DOCTYPE html>") && page.contains(&format!("\"variant\":\"{variant}\""))
            );
        }
        assert_eq!(ask(&json!({ "variant": "chess" }))["page"], Value::Null);
    }

    #[test]
    fn illegal_rest_of_a_variation_is_skipped() {
        let record =
            "1. e4 (1. d4 d5 (1... e9 2. c4) 2. c4) (1. -- e5) (Nf3 { a comment } $1 Nf6 *) e5 (2. Nf3) *";
        let read = ask(&json!({ "variant": "chess", "record": record }));
        let written = read["record"].as_str().unwrap();
        assert!(written.ends_with("\n1. e4 (1. d4 d5 2. c4) (1. Nf3 Nf6) 1... e5 *\n\n"), "{written}");
    }

    #[test]
    fn deeply_nested_variations_are_written() {
        let depth = 400;
        let (mut tree, mut moves) = (vec![], vec![]);
        let there_and_back = [["g1f3", "b1c3"], ["g8f6", "b8c6"], ["f3g1", "f3e5"], ["f6g8", "f6e4"]];
        for ply in 0..depth {
            let parent = (ply > 0).then(|| 2 * ply - 2);
            let [back, other] = there_and_back[ply % 4];
            moves.push(back);
            tree.extend([
                json!({ "move": back, "parent": parent }),
                json!({ "move": other, "parent": parent }),
            ]);
        }
        let state = ask(&json!({ "variant": "chess", "moves": moves, "tree": tree }));
        assert_eq!(state["record"].as_str().unwrap().matches('(').count(), depth);
    }

    #[test]
    fn line_is_written_up_to_its_first_illegal_move() {
        let line = ["g1f3", "g8f6", "g1f3"];
        let state = ask(&json!({ "variant": "chess", "line": line }));
        let texts: Vec<&Value> = state["line"].as_array().unwrap().iter().map(|mv| &mv["text"]).collect();
        assert_eq!(texts, ["Nf3", "Nf6"]);
    }

    #[test]
    fn numbered_start_has_its_castling() {
        let state = ask(&json!({ "variant": "chess", "number": 4 }));
        assert_eq!(state["start"], "bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq - 0 1");
        assert_eq!(state["starts"], 961);
        let state = ask(&json!({ "variant": "chess", "position": state["start"], "line": ["f1g1"] }));
        assert_eq!(state["line"], json!([{ "move": "f1g1", "text": "O-O" }]));
    }

    #[test]
    fn bad_question_gets_one_line() {
        for (question, expected) in [
            (json!({ "variant": "nonesuch" }), "expected chess, tictactoe,"),
            (json!({ "variant": "chess", "moves": ["e2e4", "e2e4"] }), "move 2: expected"),
            (json!({ "variant": "chess", "position": "x" }), "FEN: expected"),
            (json!({ "variant": "chess", "tree": [{ "move": "e2e5" }] }), "variations: expected"),
            (
                json!({ "variant": "chess", "tree": [{ "move": "e2e4", "parent": 0 }] }),
                "variations: parent: expected",
            ),
            (json!({ "variant": "chess", "record": "1. e5" }), "line 1: ply 1: expected"),
            (json!({ "variant": "chess", "record": "" }), "expected a record of a game"),
            (json!({ "variant": "xiangqi", "number": 1 }), "number: expected less than 1, got 1"),
            (json!([1]), "expected a question in JSON"),
        ] {
            let error = ask(&question)["error"].as_str().unwrap().to_string();
            assert!(error.starts_with(expected) && !error.contains('\n'), "{question}: {error}");
        }
    }
}
