"""Search logs and PGN comments: parsing, tables and plots."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import chess.engine
import pytest
from matplotlib.axes import Axes

from duiyi_log import page as pages
from duiyi_log import plots, tables
from duiyi_log.reading import Game, LogError, Move, mate_cp, merge_logs, read_file
from duiyi_match.pgn import score_text

SCRIPT = Path(__file__).resolve().parents[1] / "search_log.py"
WHITE = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
BLACK = "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"

PGN = """[White "a"]
[Black "b"]
[Round "1.1"]
[Result "1-0"]

1. e4 {book} e5 {book} 2. Nf3 {+0.31/12
0.100s, n=45120} Nc6 {-0.25/10 0.200s,
n=30000} 3. Bb5 {-/0 0.001s} a6 {-M3/7 0.020s, n=5} 4. Ba4 {no comment of that kind} Nf6 {+1.00/9 0.30s; draw} 1-0
"""


def info_line(position, search, depth, nodes, pv, **more):
    data = {
        "time": "t",
        "session": 1,
        "search": search,
        "variant": "chess",
        "position": position,
        "depth": depth,
        "seldepth": depth,
        "multipv": 1,
        "score": {"cp": 10 * depth},
        "bound": "exact",
        "nodes": nodes,
        "nps": 1,
        "hashfull": 0,
        "time_ms": 2 * depth,
        "pv": pv.split(),
    }
    return json.dumps(data | more)


def bestmove_line(position, search, move, nodes):
    data = {
        "time": "t",
        "session": 1,
        "search": search,
        "variant": "chess",
        "position": position,
        "bestmove": move,
        "ponder": None,
    }
    return json.dumps(data | {"nodes": nodes, "time_ms": 50})


LOG = [
    '{"log":"duiyi search","version":1}',
    info_line(WHITE, 1, 1, 10, "e2e4"),
    info_line(WHITE, 1, 2, 15, "e1d2", bound="lower"),
    info_line(WHITE, 1, 2, 20, "e1d2 e8d7"),
    info_line(WHITE, 1, 2, 20, "e2e3", multipv=2),
    info_line(WHITE, 1, 3, 60, "e2e4 e8d7 e1d2"),
    bestmove_line(WHITE, 1, "e2e4", 70),
    info_line(BLACK, 2, 1, 8, "e8d7"),
    info_line(BLACK, 2, 2, 16, "e8d7 e1d2", score={"mate": -2}),
    bestmove_line(BLACK, 2, "e8d7", 16),
    info_line(WHITE, 3, 1, 10, "e2e3"),
]


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "engine.jsonl"
    path.write_text("\n".join(LOG) + "\n")
    return path


def test_search_log_yields_searches_and_games(log):
    searches, games = read_file(log)
    first, second, third = searches
    assert [(i.depth, i.nodes, i.pv[0]) for i in first.iterations] == [
        (1, 10, "e2e4"),
        (2, 20, "e1d2"),
        (3, 60, "e2e4"),
    ]
    assert (first.bestmove, first.nodes, first.time_ms, first.best_move_changes, first.ply) == ("e2e4", 70, 50, 2, 0)
    assert (third.bestmove, third.nodes) == (None, 10), "a search without bestmove is unfinished"
    assert [[m.text for m in game.moves] for game in games] == [["e2e4", "e8d7"], ["e2e3"]]
    assert [m.score for m in games[0].moves] == [30, -mate_cp(-2)], "scores are from White's view"


def test_searches_of_one_position_are_no_game(tmp_path):
    path, page = tmp_path / "engine.jsonl", tmp_path / "page.html"
    path.write_text("\n".join([LOG[0], *(info_line(WHITE, number, 1, 10, "e2e4") for number in (1, 2))]))
    searches, games = read_file(path)
    assert len(searches) == 2 and games == []
    assert "depth" in run_script(path, "--html", page)
    assert [(game["name"], len(game["moves"])) for game in page_data(page)["games"]] == [("positions", 2)]


def test_scores_are_shown_in_the_unit_of_the_game(tmp_path):
    path = tmp_path / "engine.jsonl"
    tree = info_line("MAX A(B=400)", 1, 1, 10, "B", variant="gametree", score={"cp": 400})
    path.write_text("\n".join([LOG[0], tree, info_line(WHITE, 2, 1, 10, "e2e4")]))
    scores = [tables.score_text(search.iterations[0].score) for search in read_file(path)[0]]
    assert scores == ["+400.00", "+0.10"]
    assert [score_text(chess.engine.Cp(400), unit) for unit in (1, 100)] == ["+400.00", "+4.00"]


def test_two_logs_of_one_match_are_merged(tmp_path):
    white, black = (
        "\n".join([LOG[0], *[line for line in LOG[1:10] if position in line]]) for position in (WHITE, BLACK)
    )
    (tmp_path / "a.jsonl").write_text(white)
    (tmp_path / "b.jsonl").write_text(black)
    logs = [read_file(tmp_path / name)[1] for name in ("a.jsonl", "b.jsonl")]
    (game,) = merge_logs(logs)
    assert [(m.engine, m.text) for m in game.moves] == [("a", "e2e4"), ("b", "e8d7")]
    assert game.name == "a - b, game 1"
    assert merge_logs([logs[0], logs[0]]) == [*logs[0], *logs[0]], "equal games are not merged"


def test_depth_table_has_growth_and_final_move_share(log):
    rows = {row[0]: row for row in tables.depth_table(read_file(log)[0]).rows}
    assert rows["1"][2:5] == ("3", "2", "10") and rows["1"][6:] == ("-", "-", "100 %")
    assert rows["2"][2:5] == ("2", "4", "18") and rows["2"][6:] == ("2.00", "50 %", "50 %")
    assert rows["3"][6:] == ("3.00", "100 %", "100 %")


def test_pv_tree_lists_depths_of_each_move(log):
    tree = tables.pv_tree(read_file(log)[0][0])
    assert tables.pv_tree_text(tree) == [
        "e4 [1,3]",
        "  Kd7 [3]",
        "    Kd2 [3]",
        "Kd2 [2]",
        "  Kd7 [2]",
    ]


def test_long_pv_is_cut_and_the_picture_and_the_text_say_so(tmp_path, monkeypatch):
    pv = "e1d1 e8d8 d1e1 d8e8 e1d1 e8d8 d1e1 d8e8 e2e4 e8d7"
    path = tmp_path / "long.jsonl"
    path.write_text("\n".join([LOG[0], info_line(WHITE, 1, 10, 10, pv)]))
    (search,) = read_file(path)[0]
    assert tables.cut_text(search) == "first 8 of up to 10 plies"
    assert len(tables.pv_tree_text(tables.pv_tree(search))) == 8
    titles = []
    monkeypatch.setattr(Axes, "set_title", lambda axes, text, **_: titles.append(text))
    plots.plot_pv_tree(search)
    assert "(first 8 of up to 10 plies)" in titles[0]
    run = subprocess.run([sys.executable, SCRIPT, path, "--search", "1"], capture_output=True, text=True, timeout=60)
    assert run.stdout.endswith("(first 8 of up to 10 plies)\n")


def test_lines_of_a_search_have_san_whatever_they_share(tmp_path):
    lines = ["e2e4 e8d7", "e2e4 e8d7 e1d2", "e2e4", "e1d2 e8d7 e2e4", "e1d2 e8d8"]
    path = tmp_path / "lines.jsonl"
    path.write_text("\n".join([LOG[0], *(info_line(WHITE, 1, k + 1, 10, pv) for k, pv in enumerate(lines))]))
    (search,) = read_file(path)[0]
    found = tables.san_lines(search, [iteration.pv for iteration in search.iterations])
    assert [list(line) for line in found] == [san_moves(WHITE, pv.split()) for pv in lines]
    assert tables.san_lines(search, [("e2e4",), ("e2e5",)]) == [("e2e4",), ("e2e5",)], (
        "an illegal move leaves all as given"
    )


def test_moves_of_other_games_stay_as_they_are(tmp_path):
    path = tmp_path / "tree.jsonl"
    path.write_text("\n".join([LOG[0], info_line("MAX A(B=400)", 1, 1, 10, "B", variant="gametree")]))
    (search,) = read_file(path)[0]
    assert tables.pv_tree_text(tables.pv_tree(search)) == ["B [1]"] and tables.cut_text(search) == ""


def test_clipped_scores_have_arrows(monkeypatch):
    figures = []
    monkeypatch.setattr(plots, "png_bytes", figures.append)
    scores = [30, 1200, mate_cp(-3), None, -1000]
    plots.plot_game(Game("g", [Move("a", 2 * k, "e4", score, 5, 0.1, 10) for k, score in enumerate(scores)]))
    axes = figures[0].axes[0]
    points = {line.get_gid(): list(zip(*line.get_data())) for line in axes.lines if str(line.get_gid())[:6] == "beyond"}
    assert points == {"beyond+1": [(2, 10)], "beyond-1": [(3, -10)]} and "beyond 10" in axes.get_ylabel()
    figures.clear()
    plots.plot_game(Game("g", [Move("a", 0, "e4", 30, 5, 0.1, 10)]))
    assert figures[0].axes[0].get_ylabel() == "score for White"


def test_pgn_comments_yield_score_depth_time_and_nodes(tmp_path):
    (tmp_path / "x.pgn").write_text(PGN)
    _, (game,) = read_file(tmp_path / "x.pgn")
    assert [(m.engine, m.ply, m.text, m.score, m.depth, m.seconds, m.nodes) for m in game.moves] == [
        ("a", 2, "Nf3", 31, 12, 0.1, 45120),
        ("b", 3, "Nc6", 25, 10, 0.2, 30000),
        ("a", 4, "Bb5", None, 0, 0.001, None),
        ("b", 5, "a6", mate_cp(3), 7, 0.02, 5),
        ("b", 7, "Nf6", -100, 9, 0.3, None),
    ]
    assert [row[3] for row in tables.move_table(game).rows] == ["+0.31", "+0.25", "-", "+M3", "-1.00"]
    a, b = tables.engine_table([], [game]).rows
    assert a[:7] == ("a", "2", "6.0", "0.051", "0.100", "45120", "451200")
    assert b[:7] == ("b", "3", "8.7", "0.200", "0.300", "30005", "136386")


ANALYSED_PGN = """[White "x"]
[Black "y"]
[Result "1-0"]
[Annotator "Duiyi 0.1.0"]

1. f3 {[%eval -0.40,9]} 1... e5 {[%eval
-0.45,8]} 2. g4 $4 {[%eval #-1,7] e4 was better: -0.45} (2. e4 Nf6) 2... Qh4# 0-1
"""


def analysis_record(ply, played, position, score, best, **numbers):
    data = {"at": "g.pgn:1", "game": 1, "ply": ply, "played": played, "position": position, "best": best}
    return json.dumps(data | {"lines": [{"score": score, "pv": [best]}], "wdl": [221, 677, 102]} | numbers)


ANALYSED_GAME = [
    '{"format":"duiyi analysis 1","engine":"duiyi 0.1.0","variant":"chess","settings":{},"inputs":[]}',
    analysis_record(0, "e4", WHITE, {"cp": 30}, "e3", depth=10, nodes=20000, ms=200),
    analysis_record(1, "Kd7", BLACK, {"mate": -2}, "Kd7", depth=9, nodes=5000, ms=50),
    analysis_record(2, None, WHITE, {"cp": 9}, "Kd1", depth=9, nodes=5000, ms=50),
]

TRIANGLE_WAR = """[White "a"]
[Black "b"]
[Result "0-1"]
[Round "1.1"]
[Variant "trianglewar"]

1. 5-8 {book} 6-9 {book} 2. 5-9 {+2.00/4 0.001s, n=185} 2. 8-9 {-/0
0.021s} 1-2 {-2.00/5 0.009s, n=300} 3-6 {+1.00/6 0.000s, n=275; all lines drawn} 0-1

[White "b"]
[Black "a"]
[Result "*"]
[Variant "trianglewar"]

1... 1-3 {+3.00/1 0.000s, n=2} *
"""


@pytest.mark.parametrize("variant, moves", [("chess", "1. e4 {+0.10/1 0.1s} *"), ("cfour", "1. d {+0.10/1 0.1s} *")])
def test_names_have_no_escapes_of_pgn(tmp_path, variant, moves):
    path = tmp_path / "g.pgn"
    path.write_text(f'[White "x\\"y\\\\z"]\n[Black "b"]\n[Variant "{variant}"]\n\n{moves}\n')
    _, (game,) = read_file(path)
    assert game.name.startswith('x"y\\z - b') and game.moves[0].engine == 'x"y\\z'


def test_annotated_games_of_analyse_are_read(tmp_path):
    (tmp_path / "x.pgn").write_text(ANALYSED_PGN)
    searches, (game,) = read_file(tmp_path / "x.pgn")
    assert searches == [] and game.name.startswith("x - y 1-0")
    assert [(m.engine, m.text, m.score, m.depth, m.seconds, m.nodes) for m in game.moves] == [
        ("x", "f3", -40, 9, None, None),
        ("y", "e5", -45, 8, None, None),
        ("x", "g4", mate_cp(-1), 7, None, None),
    ]
    assert [row[3:] for row in tables.move_table(game).rows][2] == ("-M1", "7", "-", "-")
    assert [row[3] for row in tables.engine_table([], [game]).rows] == ["-", "-"]
    assert plots.plot_game(game).startswith(b"\x89PNG")


def test_records_of_analyse_are_read_as_games(tmp_path):
    (tmp_path / "x.jsonl").write_text("\n".join(ANALYSED_GAME) + '\n{"at": "cut')
    searches, (game,) = read_file(tmp_path / "x.jsonl")
    assert searches == [] and game.name == "game 1, g.pgn:1"
    assert [(m.engine, m.number_text, m.text, m.score, m.depth, m.seconds, m.nodes) for m in game.moves] == [
        ("White", "1.", "e4", 30, 10, 0.2, 20000),
        ("Black", "1...", "Kd7", -mate_cp(-2), 9, 0.05, 5000),
    ]
    (tmp_path / "json.jsonl").write_text("\n".join([*ANALYSED_GAME[1:], '{"summary":{}}']))
    assert read_file(tmp_path / "json.jsonl")[1] == [game], "--json has no header, but a summary"


def test_problems_of_analyse_are_read_as_searches(tmp_path):
    problem = json.loads(ANALYSED_GAME[1])
    problem = json.dumps({key: value for key, value in problem.items() if key not in ("game", "ply", "played")})
    (tmp_path / "x.jsonl").write_text("\n".join([ANALYSED_GAME[0], problem]))
    (search,), games = read_file(tmp_path / "x.jsonl")
    assert games == [] and (search.engine, search.bestmove, search.nodes) == ("duiyi 0.1.0", "e3", 20000)
    run = subprocess.run([sys.executable, SCRIPT, tmp_path / "x.jsonl"], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "") and run.stdout.startswith("Depths\n")


def test_games_of_other_variants_are_read_without_messages(tmp_path):
    (tmp_path / "x.pgn").write_text(TRIANGLE_WAR)
    run = subprocess.run([sys.executable, SCRIPT, tmp_path / "x.pgn"], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    first, second = read_file(tmp_path / "x.pgn")[1]
    assert first.name == "a - b 0-1, round 1.1"
    assert [(m.engine, m.number_text, m.text, m.score, m.depth) for m in first.moves] == [
        ("a", "2.", "5-9", 200, 4),
        ("a", "2.", "8-9", None, 0),
        ("b", "2...", "1-2", 200, 5),
        ("b", "2...", "3-6", -100, 6),
    ]
    assert [(m.engine, m.number_text, m.score) for m in second.moves] == [("a", "1...", -300)]


ANALYSED_XIANGQI = """[Event "?"]
[Variant "xiangqi"]
[Result "*"]

1. C2=5 { [%eval 0.30,9] } 1... H8+7 $2 { [%eval 0.55,9] } (1... C8=5 2. H2+3) 2. H2+3 { [%eval 0.50,9] } *
"""


def test_analysed_game_of_another_variant_is_read_without_variations_and_names(tmp_path):
    (tmp_path / "x.pgn").write_text(ANALYSED_XIANGQI)
    run = subprocess.run([sys.executable, SCRIPT, tmp_path / "x.pgn"], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    (game,) = read_file(tmp_path / "x.pgn")[1]
    assert game.name == "? - ? *"
    found = [(move.engine, move.ply, move.number_text, move.text, move.score) for move in game.moves]
    assert found == [("?", 0, "1.", "C2=5", 30), ("?", 1, "1...", "H8+7", 55), ("?", 2, "2.", "H2+3", 50)]


def test_truncated_line_is_skipped_and_invalid_line_is_error(log):
    whole = log.read_text()
    log.write_text(whole + '{"time": "t", "sess')
    assert len(read_file(log)[0]) == 3
    first, rest = whole.split("\n", 1)
    log.write_text(f'{first}\n{{"time": "t", "sess\n{rest}')
    assert len(read_file(log)[0]) == 3, "an incomplete line in mid-file, as after a full disk"
    log.write_text(whole + "rubbish\n" + LOG[1] + "\n")
    with pytest.raises(LogError, match="engine.jsonl:12: expected a line of a search log, got 'rubbish'"):
        read_file(log)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"nodes": -5}, "expected a whole number of at least 0 as nodes, got -5"),
        ({"nodes": "60"}, "expected a whole number of at least 0 as nodes, got '60'"),
        ({"nodes": True}, "as nodes, got True"),
        ({"depth": 2.5}, "as depth, got 2.5"),
        ({"depth": 10**30}, "as depth, got 1000"),
        ({"seldepth": -1}, "as seldepth, got -1"),
        ({"time_ms": float("inf")}, "as time_ms, got inf"),
        ({"time_ms": float("nan")}, "as time_ms, got nan"),
        ({"score": {"cp": float("inf")}}, "as cp, got inf"),
        ({"score": {"mate": "3"}}, "as mate, got '3'"),
        ({"score": 5}, "TypeError"),
        ({"search": "one", "position": 5}, "as search, got 'one'"),
        ({"session": [1]}, "as session, got [1]"),
        ({"position": 5, "search": 9}, "expected a text as position, got 5"),
        ({"pv": "e2e4"}, "expected a list of moves as pv, got 'e2e4'"),
        ({"pv": [1]}, "expected a list of moves as pv, got [1]"),
    ],
)
def test_wrong_value_is_one_line_of_error_and_the_page_stays(log, change, message):
    page = log.parent / "r.html"
    run_script(log, "--html", page)
    before, line = page.read_bytes(), json.dumps(json.loads(LOG[5]) | change).replace("Infinity", "1e999")
    log.write_text("\n".join([*LOG[:5], line, *LOG[6:]]))
    command = [sys.executable, SCRIPT, log, "--html", page]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "engine.jsonl:6: expected a line of a search log" in done.stderr and message in done.stderr
    assert page.read_bytes() == before and sorted(log.parent.iterdir()) == [log, page]


def test_lone_surrogate_becomes_a_question_mark(tmp_path):
    path = tmp_path / "e\udcff.jsonl"
    lines = [line.replace("e1d2", "\\ud800").replace(WHITE, f"{WHITE} \\udfff") for line in LOG]
    path.write_text("\n".join(lines))
    run_script(path, "--html", tmp_path / "r.html", "--png", tmp_path / "p", "--search", "1")
    data = page_data(tmp_path / "r.html")
    assert data["games"][0]["name"] == "e?, game 1"
    assert data["games"][0]["moves"][0]["search"]["position"] == f"{WHITE} ?"


def test_numbers_without_end_in_a_comment_are_skipped(tmp_path):
    long = "9" * 5000
    comments = [f"+{long}.5/12 0.1s", f"+0.31/{long} 0.1s", f"+0.31/12 {long}s", f"+M{long}/1 0.1s", f"[%eval {long}]"]
    moves = zip(("e4", "d4", "c4", "b4", "a4", "h4"), [*comments, f"+0.31/12 0.1s, n={long}"])
    games = [PGN.split("1. e4")[0] + f"1. {move} {{{comment}}} *\n" for move, comment in moves]
    (tmp_path / "x.pgn").write_text("\n".join(games))
    _, found = read_file(tmp_path / "x.pgn")
    assert [len(game.moves) for game in found] == [0, 0, 0, 0, 0, 1] and found[5].moves[0].nodes is None


def run_script(*arguments):
    command = [sys.executable, SCRIPT, *arguments]
    process = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (process.returncode, process.stderr) == (0, "")
    return process.stdout


def page_data(path):
    """Returns the data of a page. The page has no other `</script>` than those of its two elements."""
    text = path.read_text(encoding="utf-8")
    assert text.count("</script>") == 2
    return json.loads(re.search('id="data">(.*?)</script>', text, re.DOTALL)[1])


def san_moves(position, moves):
    board = chess.Board(position)
    return [board.san_and_push(chess.Move.from_uci(move)) for move in moves]


def test_png_option_writes_plots(log, tmp_path):
    (tmp_path / "x.pgn").write_text(PGN)
    output = run_script(log, tmp_path / "x.pgn", "--game", "0", "--search", "1", "--png", tmp_path / "p")
    assert "Kd2 [2]" in output and "a - b 1-0, round 1.1" in output
    pictures = {path.name for path in (tmp_path / "p").iterdir()}
    assert pictures == {"nodes.png", "game1.png", "game2.png", "game3.png", "search.png"}


def test_page_data_equal_the_log(log, tmp_path):
    (tmp_path / "x.pgn").write_text(PGN)
    run_script(log, tmp_path / "x.pgn", "--search", "2", "--html", tmp_path / "r.html")
    data = page_data(tmp_path / "r.html")
    assert (data["files"], data["start"]) == (["engine.jsonl", "x.pgn"], [0, 1])
    assert [game["name"] for game in data["games"]] == ["engine, game 1", "engine, game 2", "a - b 1-0, round 1.1"]
    logged = [json.loads(line) for line in LOG[1:]]
    exact = [line for line in logged if line.get("multipv") == 1 and line["bound"] == "exact"]
    chosen = [line for line in logged if "bestmove" in line]
    moves = [move for game in data["games"][:2] for move in game["moves"]]
    iterations = [(move["search"], iteration) for move in moves for iteration in move["search"]["iterations"]]
    assert len(iterations) == len(exact) == 6
    for (search, iteration), line in zip(iterations, exact):
        for name in ("depth", "seldepth", "nodes", "time_ms"):
            assert iteration[name] == line[name]
        assert iteration["pv"] == san_moves(line["position"], line["pv"])
        score = line["score"]
        assert iteration["score"] == (score["cp"] if "cp" in score else mate_cp(score["mate"]))
        for name in ("session", "number", "variant", "position"):
            assert search[name] == line["search" if name == "number" else name]
    for move, line in zip(moves, chosen):
        assert [move["text"]] == [move["search"]["best"]] == san_moves(line["position"], [line["bestmove"]])
        assert move["search"]["best_move"] == line["bestmove"]
        assert [move["search"][name] for name in ("bestmove", "nodes", "time_ms", "position")] == [
            line[name] for name in ("bestmove", "nodes", "time_ms", "position")
        ]
    shares = {row["depth"]: (row["searches"], row["growth"], row["changed"]) for row in data["depths"]}
    assert shares[1] == (3, None, None) and shares[2] == (2, 2, 0.5) and shares[3] == (1, pytest.approx(3), 1)
    run_script(log, tmp_path / "x.pgn", "--game", "3", "--html", tmp_path / "r.html")
    (game,) = page_data(tmp_path / "r.html")["games"]
    assert [(move["text"], move["search"]) for move in game["moves"]][0] == ("Nf3", None)


def test_page_has_the_problems_of_a_suite(tmp_path):
    problem = json.loads(ANALYSED_GAME[1])
    problem = json.dumps({key: value for key, value in problem.items() if key not in ("game", "ply", "played")})
    (tmp_path / "x.jsonl").write_text("\n".join([ANALYSED_GAME[0], problem]))
    run_script(tmp_path / "x.jsonl", "--html", tmp_path / "r.html")
    (game,) = page_data(tmp_path / "r.html")["games"]
    assert game["name"] == "positions"
    (move,) = game["moves"]
    assert (move["text"], move["search"]["best_move"], move["search"]["position"]) == ("e3", "e2e3", WHITE)


def test_hostile_text_stays_data(tmp_path):
    hostile = "</script><script>alert(1)</script>{{body}}<!--&amp;"
    (tmp_path / "x.pgn").write_text(PGN.replace('White "a"', f'White "{hostile}"'))
    run_script(tmp_path / "x.pgn", "--html", tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text(encoding="utf-8").count("<main>") == 1
    data = page_data(tmp_path / "r.html")
    assert data["games"][0]["moves"][0]["engine"] == hostile
    assert "<title>&lt;/script>" in pages.page("</script>", {})


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["none.jsonl"], "expected a search log or a PGN, got none.jsonl (No such file or directory)"),
        (["empty"], "expected a search log or a PGN, got empty, which starts with ''"),
        (
            ["plain.pgn"],
            "expected searches or moves with comments like +0.31/12 0.103s or [%eval 0.31,14], got none in plain.pgn",
        ),
        (["good.pgn", "--game", "2"], "--game: expected a number from 1 to 1, got 2"),
        (["good.pgn", "--search", "1"], "--search: expected a number from 1 to 0, got 1"),
    ],
)
def test_wrong_arguments_print_one_line(tmp_path, arguments, message):
    (tmp_path / "empty").write_text("")
    (tmp_path / "plain.pgn").write_text('[White "a"]\n\n1. e4 *\n')
    (tmp_path / "good.pgn").write_text(PGN)
    process = subprocess.run(
        [sys.executable, SCRIPT, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert process.returncode == 2 and process.stderr == f"search_log.py: {message}\n"


def test_closed_stdout_is_no_error(log, tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, str(SCRIPT), log, "--png", str(tmp_path / "p")]
    process = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (process.returncode, process.stderr) == (0, b"")
    assert (tmp_path / "p" / "nodes.png").exists()
