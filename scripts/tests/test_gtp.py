"""Games and matches of engines of GTP."""

import shlex
import sys
from pathlib import Path

import pytest
from test_match import engine, match, records  # noqa: F401

from duiyi_match.go import Go
from duiyi_match.openings import Opening
from duiyi_match.settings import Engine

GTP_COMMAND = (sys.executable, str(Path(__file__).with_name("mock_gtp.py")))
SMALL = {"variant": "go", "opening": Opening(Go.empty_board(3, 0.5).text())}
"""Settings of a game on a small board."""


def mock_gtp(name, *words, **limits):
    """Returns a mock engine of GTP with the arguments `words`, without a limit by default."""
    options = {"visits": limits.pop("nodes")} if "nodes" in limits else {}
    return Engine(name, (*GTP_COMMAND, *words), protocol="gtp", options=options, **limits)


def gtp(name, *words):
    return ["--engine", f"cmd={shlex.join([*GTP_COMMAND, *words])}", f"name={name}", "protocol=gtp"]


def ending(record):
    return record["result"], record["termination"], record["detail"]


def test_two_passes_end_the_game_and_its_area_counts(play):
    record = play(mock_gtp("b", "script=B2"), mock_gtp("w"), **SMALL)
    assert ending(record) == ("1-0", "two passes", "Black by 8.5") and record["plies"] == 3
    assert record["sgf"].startswith("(;GM[1]FF[4]CA[UTF-8]AP[Duiyi match.py]SZ[3]KM[0.5]RU[Chinese]RE[B+8.5]")
    assert "PB[b]PW[w]\n;B[bb]C[" in record["sgf"] and record["sgf"].endswith("; two passes, Black by 8.5])\n\n")


def test_resignation_loses(play):
    record = play(mock_gtp("b", "script=B2"), mock_gtp("w", "script=resign"), **SMALL)
    assert ending(record) == ("1-0", "resignation", "") and record["fault"] is None
    assert "RE[B+R]" in record["sgf"] and '[Termination "normal"]' in record["pgn"]


def test_engine_receives_board_options_time_and_each_move_once(play, tmp_path):
    log = tmp_path / "input"
    opening = Opening("3/1p1/3 w - 0 -1.5 1", ("a1",))
    black = mock_gtp("b", f"log={log}", "options=yes", "script=C3,A3", nodes=50)
    play(black, mock_gtp("w", "script=C1"), variant="go", opening=opening)
    assert log.read_text().splitlines() == [
        "list_commands",
        "lz-setoption name visits value 50",
        *["boardsize 3", "clear_board", "komi -1.5"] * 2,
        "play w b2",
        "play w a1",
        "genmove b",
        "play w c1",
        "genmove b",
        "play w pass",
        "genmove b",
        "quit",
    ]


@pytest.mark.parametrize(
    "limits, settings, left",
    [
        ({"st": 2}, "0 2 1", "2 1"),
        ({"tc": "60"}, "60 0 0", "60 0"),
        ({"tc": "10/1:00"}, "0 60 10", "60 10"),
    ],
)
def test_time_is_that_of_a_move_of_moves_or_of_the_game(play, tmp_path, limits, settings, left):
    log = tmp_path / "input"
    play(mock_gtp("b", f"log={log}", "script=B2", **limits), mock_gtp("w"), **SMALL)
    lines = log.read_text().splitlines()
    assert f"time_settings {settings}" in lines and f"time_left b {left}" in lines


@pytest.mark.parametrize(
    "words, termination, detail",
    [
        (["script=B2"], "illegal move", "=9 B2 (illegal move: 'b2', expected one of"),
        (["do=reply", "text=I3"], "illegal move", "=9 I3 (illegal move: 'i3'"),
        (["do=reply", "text="], "illegal move", "=9  (illegal move: ''"),
        (["refuse=genmove"], "illegal move", "?9 unknown command (genmove w: unknown command)"),
        (["refuse=play"], "illegal move", "?8 unknown command, before `go`"),
        (["do=crash"], "crash", "exit code 7"),
        (["do=late", "ms=300"], "time", " ms over"),
    ],
)
def test_fault_loses_the_game(play, words, termination, detail):
    limits = {"st": 0.1} if termination == "time" else {}
    record = play(mock_gtp("b", "script=B2"), mock_gtp("w", *words, **limits), **SMALL)
    assert ending(record)[:2] == ("1-0", termination) and detail in record["detail"], record["detail"]
    assert record["fault"] == "w" and record["lines"]["w"]
    assert f"RE[B+{'T' if termination == 'time' else 'F'}]" in record["sgf"]


def test_stalled_engine_loses(play):
    record = play(mock_gtp("b"), mock_gtp("w", "do=stall"), stall=0.5, **SMALL)
    assert ending(record)[:2] == ("1-0", "stall")


def test_lines_outside_answers_are_ignored(play):
    record = play(mock_gtp("b", "do=talk", "script=B2"), mock_gtp("w"), **SMALL)
    assert record["termination"] == "two passes"


def test_match_has_sizes_komi_openings_and_records(match, tmp_path):  # noqa: F811
    sgf = tmp_path / "games.sgf"
    # The engines pass at once, so both games of a pair have the same moves but not the same engines.
    options = ["--variant", "go", "--size", "5", "--komi", "2.5", "--random-openings", "3", "--rounds", "2"]
    match(*gtp("a"), *gtp("b"), *options, "--sgf", str(sgf))
    games = records(tmp_path / "match.jsonl")
    assert len(games) == 4 and len({game["moves"] for game in games}) == 4
    text = sgf.read_text()
    assert text.count("(;GM[1]") == 4 and text.count("SZ[5]KM[2.5]") == 4 and text.count("C[book]") == 12


@pytest.mark.parametrize(
    "words, message",
    [
        (["--variant", "chess"], "expected --variant go with protocol=gtp, got chess"),
        (["depth=3", "--variant", "go"], "expected one of tc, st and nodes, or none, with protocol=gtp"),
        (["tc=60+1", "--variant", "go"], "without an increment with protocol=gtp, got 60+1"),
        (["ponder=true", "--variant", "go"], "expected no engine of Gomocup or GTP"),
        (["--variant", "go", "--size", "20"], "expected a size from 2 to 19, got '20'"),
        (["--variant", "go", "--komi", "0.3"], "expected a komi in half points from -361 to 361, got '0.3'"),
    ],
)
def test_wrong_arguments_stop_the_match(match, words, message):  # noqa: F811
    _, err = match(*gtp("a"), *gtp("b"), *words, code=2)
    assert message in err


def test_options_of_go_need_go(match, tmp_path):  # noqa: F811
    for option, value in (("--size", "9"), ("--komi", "7"), ("--sgf", str(tmp_path / "x.sgf"))):
        _, err = match(*engine("a"), *engine("b"), "--each", "nodes=1", option, value, code=2)
        assert f"{option}: expected --variant go, got chess" in err


def test_nodes_without_options_stop_the_match(match):  # noqa: F811
    _, err = match(*gtp("a"), "nodes=5", *gtp("b"), "--variant", "go", code=1)
    assert "no command lz-setoption, which visits=5 needs" in err


def test_match_against_the_program(match, program, tmp_path):  # noqa: F811
    command = f"cmd={shlex.quote(program)} --protocol gtp"
    words = ["--engine", command, "name=d", "protocol=gtp", "nodes=50", *gtp("a")]
    match(*words, "--variant", "go", "--size", "3", "--random-openings", "1", "--rounds", "1")
    assert {game["termination"] for game in records(tmp_path / "match.jsonl")} == {"two passes"}
