//! `duiyi trace`: its exact output, which docs/trace.md quotes, and its counts compared with `duiyi compare`.

use crate::common::process::{self, TempDir};
use serde_json::Value;

fn run(arguments: &[&str]) -> (i32, String, String) {
    process::run(arguments, b"")
}

fn json(arguments: &[&str]) -> Value {
    let (code, out, err) = run(&[arguments, &["--json"]].concat());
    assert_eq!(code, 0, "{arguments:?}: {err}");
    serde_json::from_str(&out).unwrap()
}

/// Every code block of docs/trace.md that begins with `$ duiyi ...` must show what that command prints.
#[test]
fn trace_document_equals_output() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/trace.md");
    let document = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let mut blocks = 0;
    for block in document.split("```").skip(1).step_by(2) {
        let Some((command, shown)) = block.split_once("$ duiyi ").and_then(|(_, rest)| rest.split_once('\n'))
        else {
            continue;
        };
        let (code, out, err) = run(&command.split(' ').collect::<Vec<_>>());
        assert_eq!((code, err.as_str()), (0, ""), "{command}");
        assert_eq!(out, shown, "{command}");
        blocks += 1;
    }
    assert!(blocks >= 4, "expected at least 4 blocks, found {blocks}");
}

#[test]
fn worked_tree_has_cutoff_without_saved_nodes() {
    for method in ["maxmin-hard", "maxmin-soft", "alphabeta-hard", "alphabeta-soft"] {
        let trace = json(&["trace", "--variant", "gametree", "--method", method]);
        assert_eq!((trace["value"].as_str(), trace["move"].as_str()), (Some("4"), Some("D")), "{method}");
        assert_eq!((trace["nodes"].as_u64(), trace["minimax_nodes"].as_u64()), (Some(10), Some(10)));
        let cutoffs: Vec<&Value> =
            trace["steps"].as_array().unwrap().iter().filter(|step| step["step"] == "cutoff").collect();
        let [cutoff] = cutoffs[..] else { panic!("{method}: {cutoffs:?}") };
        assert_eq!((cutoff["node"].as_str(), cutoff["last_move"].as_str()), (Some("C"), Some("H")));
        assert_eq!(cutoff["left_out"].as_array().unwrap().len(), 0);
        assert!(cutoff["why"].as_str().unwrap().contains("by the move B at A"), "{cutoff}");
    }
}

#[test]
fn trace_names_the_root_and_shows_v_failed_tests_and_bounds_in_the_picture() {
    let (_, text, _) = run(&["trace", "--variant", "gametree", "--position", "seven"]);
    for line in [
        "A: MAX moves, depth 2, alpha -inf, beta +inf, v -inf",
        "  B: MIN moves, depth 1, alpha -inf, beta +inf, v +inf",
        "  B: D is worth 9, the first; 9 <= alpha -inf? No; beta falls to 9",
        "  B: F is worth 8, no better than 7; 7 <= alpha -inf? No",
        "A: B is worth 7, the first; 7 >= beta +inf? No; alpha rises to 7",
        "A MAX 7; alpha 7, beta +inf",
        "|- B MIN 7; alpha -inf, beta 7",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
    let (_, dot, _) = run(&["trace", "--variant", "gametree", "--position", "seven", "--dot"]);
    assert!(dot.contains("[shape=invtriangle, label=\"B\\nMIN 7\\nalpha -inf, beta 7\"]"), "{dot}");
    let (_, chess, _) = run(&["trace", "--depth", "1"]);
    assert!(chess.lines().any(|line| line.starts_with("root: MAX moves, depth 1")), "{chess}");
}

#[test]
fn trace_to_a_limited_depth_uses_the_estimates_of_the_tree() {
    let tree = "A(B=5(E=3 F=12) C=7(G=8 H=2))";
    let trace = json(&["trace", "--variant", "gametree", "--position", tree, "--depth", "1"]);
    assert_eq!((trace["value"].as_str(), trace["move"].as_str()), (Some("7"), Some("C")));
    let trace = json(&["trace", "--variant", "gametree", "--position", tree, "--depth", "2"]);
    assert_eq!((trace["value"].as_str(), trace["move"].as_str()), (Some("3"), Some("B")));
}

#[test]
fn pruned_nodes_equal_difference_to_minimax() {
    for (tree, pruned) in [("seven", vec!["H", "I", "J"]), ("bags", vec!["ring", "watch"])] {
        let trace = json(&["trace", "--variant", "gametree", "--position", tree]);
        let cut: Vec<&str> = trace["tree"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|node| node["value"].is_null())
            .map(|node| node["move"].as_str().unwrap())
            .collect();
        assert_eq!(cut, pruned, "{tree}");
        let saved = trace["minimax_nodes"].as_u64().unwrap() - trace["nodes"].as_u64().unwrap();
        assert_eq!(saved, pruned.len() as u64, "{tree}");
        let (_, dot, _) = run(&["trace", "--variant", "gametree", "--position", tree, "--dot"]);
        assert_eq!(dot.matches("label=\"//\"").count(), pruned.len(), "{dot}");
    }
}

#[test]
fn trace_counts_equal_compare_counts() {
    let games = [("gametree", "3"), ("tictactoe", "4"), ("cfour", "4"), ("trianglewar", "3"), ("chess", "3")];
    for (variant, depth) in games {
        let compared = json(&["compare", "--variant", variant, "--depth", depth]);
        let mut rows = 0;
        for row in compared["rows"].as_array().unwrap() {
            if row["method"] == "engine" {
                continue;
            }
            let [method, order] = ["method", "order"].map(|key| row[key].as_str().unwrap());
            let depth = row["depth"].to_string();
            let trace = json(&[
                "trace", "--variant", variant, "--depth", &depth, "--limit", "20000", "--method", method,
                "--order", order,
            ]);
            for key in ["nodes", "leaves", "evaluations", "cutoffs", "value", "move"] {
                assert_eq!(trace[key], row[key], "{key}: {variant} {method} {order} to depth {depth}");
            }
            // The tree contains every visited node, and the steps contain every cutoff.
            let count = |list: &str, is: &dyn Fn(&Value) -> bool| {
                trace[list].as_array().unwrap().iter().filter(|item| is(item)).count() as u64
            };
            assert_eq!(Some(count("tree", &|node| !node["value"].is_null())), row["nodes"].as_u64());
            assert_eq!(Some(count("steps", &|step| step["step"] == "cutoff")), row["cutoffs"].as_u64());
            rows += 1;
        }
        assert!(rows >= 18, "{variant}: expected at least 18 rows, found {rows}");
    }
}

/// The data of a page written by `--html`.
fn page_data(arguments: &[&str]) -> Value {
    let directory = TempDir::new("trace");
    let file = directory.path("trace.html");
    let (code, out, err) = run(&[arguments, &["--html", &file]].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    assert!(out.ends_with(": a page for a browser\n"), "{out}");
    let page = std::fs::read_to_string(file).unwrap();
    assert!(!page.contains("{{") && !page.contains("http-equiv=\"refresh\""), "{arguments:?}");
    let (_, data) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn page_data_equal_json() {
    for position in ["worked", "seven", "bags"] {
        let base = ["trace", "--variant", "gametree", "--position", position];
        let beside = ["--beside", "minimax", "--beside", "alphabeta-hard/worst"];
        let traces = page_data(&[&base[..], &beside].concat());
        assert_eq!(traces["traces"][0], json(&base));
        assert_eq!(traces["traces"][1], json(&[&base[..], &["--method", "minimax"]].concat()));
        let hard = json(&[&base[..], &["--method", "alphabeta-hard", "--order", "worst"]].concat());
        assert_eq!(traces["traces"][2], hard);
        assert_eq!(traces["traces"].as_array().unwrap().len(), 3);
    }
    for variant in ["tictactoe", "trianglewar", "cfour", "chess"] {
        let base = ["trace", "--variant", variant];
        let trace = &page_data(&base)["traces"][0];
        assert_eq!(*trace, json(&base));
        assert!(
            trace["tree"].as_array().unwrap().iter().all(|node| node["position"].is_string()),
            "{variant}"
        );
    }
}

#[test]
fn too_large_page_is_refused_with_a_depth_that_fits() {
    let (code, _, err) = run(&["trace", "--html", "never.html", "--limit", "10001"]);
    assert!(code == 2 && err.contains("at most 10000 positions, found 10001"), "{err}");
    let (code, _, err) = run(&["trace", "--html", "never.html", "--depth", "3"]);
    assert!(
        code == 2 && err.contains("more than 200 positions") && err.contains("--depth 2 visits "),
        "{err}"
    );
    assert!(!std::path::Path::new("never.html").exists());
}

#[test]
fn invalid_or_too_large_trace_is_refused() {
    for (arguments, message) in [
        (&["--depth", "3"][..], "more than 200 positions"),
        (&["--limit", "0"], "more than 0 positions"),
        (&["--method", "engine"], "expected minimax, "),
        (&["--order", "none"], "expected worst, "),
        (&["--variant", "ludo"], "--variant: expected chess, "),
        (&["--variant", "gametree", "--position", "A("], "tree, column 3: expected "),
    ] {
        let (code, out, err) = run(&[&["trace"], arguments].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.contains(message), "{arguments:?}: {err}");
    }
    for alias in ["alphabeta", "alpha-beta"] {
        let (code, out, _) = run(&["trace", "--variant", "gametree", "--method", alias]);
        assert!(code == 0 && out.contains("alphabeta-soft to depth 2"), "{alias}: {out}");
    }
    // Without `--depth`, the limit on nodes decides the depth.
    let trace = json(&["trace"]);
    assert_eq!(trace["depth"], 2);
    assert!(trace["nodes"].as_u64().unwrap() <= 200);
}
