"""Games in which engines think on the opponent's time."""

import re

import pytest
from test_match import engine, match  # noqa: F401

from conftest import mock_engine
from duiyi_match.settings import Engine

MOVES = 6


def ponder_game(play, tmp_path, *words, **limits):
    """Plays a game and returns its record and what a pondering White with the arguments `words` receives, from the first move."""
    log = tmp_path / "input"
    white = mock_engine("w", *words, f"log={log}", ponder=True, **limits)
    record = play(white, mock_engine("b", **limits), maxmoves=MOVES)
    assert (record["termination"], record["spent"]["w"]["moves"]) == ("move limit", MOVES)
    received = log.read_text().splitlines()
    assert "setoption name Ponder value true" in received
    return record, [line for line in received if line.split()[0] in ("go", "ponderhit", "stop", "position")]


def kinds(lines):
    """Returns the search commands among protocol lines, without arguments."""
    return [re.sub(r" (wtime|nodes) .*", "", line) for line in lines if not line.startswith("position")]


def test_expected_move_is_answered_by_ponderhit(play, tmp_path):
    record, lines = ponder_game(play, tmp_path, "ponder=first", tc="60+1")
    assert kinds(lines) == ["go", *["go ponder", "ponderhit"] * (MOVES - 1), "go ponder", "stop"]
    assert lines[:3] == ["position startpos", lines[1], "position startpos moves a2a3 a7a5"], (
        "the expected move is a7a5"
    )
    assert record["spent"]["w"]["nodes"] == 1234 * MOVES


def test_unexpected_move_stops_pondering_and_starts_a_new_search(play, tmp_path):
    _, lines = ponder_game(play, tmp_path, "ponder=last", tc="60+1")
    assert kinds(lines) == ["go", *["go ponder", "stop", "go"] * (MOVES - 1), "go ponder", "stop"]
    assert lines[2] == "position startpos moves a2a3 h7h6" and lines[5] == "position startpos moves a2a3 a7a5"


@pytest.mark.parametrize("word", ["ponder=", "ponder=e2e5", "ponder=(none)"])
def test_engine_without_a_legal_expected_move_waits(play, tmp_path, word):
    _, lines = ponder_game(play, tmp_path, word, nodes=10)
    assert kinds(lines) == ["go"] * MOVES


def test_engine_that_replies_while_pondering_searches_again(play, tmp_path):
    _, lines = ponder_game(play, tmp_path, "ponder=first", "do=hasty", nodes=10)
    assert kinds(lines)[:2] == ["go", "go ponder"], "the reply may also come just after `ponderhit`"


def test_clocks_of_go_ponder_are_those_after_the_move(play, tmp_path):
    log = tmp_path / "input"
    white = mock_engine("w", "ponder=first", f"log={log}", tc="2/60+9", ponder=True)
    black = mock_engine("b", "do=late", "ms=700", tc="30", margin=0)
    record = play(white, black, maxmoves=3)
    first, pondering, after = [line for line in log.read_text().splitlines() if line.startswith("go ")][:3]
    assert first == "go wtime 60000 btime 30000 winc 9000 binc 0 movestogo 2"
    _, _, _, white_clock, _, black_clock, *rest = pondering.split()
    assert 60_000 < int(white_clock) <= 69_000, "the time of the move is spent and the increment added"
    assert (black_clock, rest) == ("30000", ["winc", "9000", "binc", "0", "movestogo", "1"])
    assert 120_000 < int(after.split()[3]) <= 138_000, "new base time after two moves"
    assert record["spent"]["w"]["seconds"] < 0.7 <= record["spent"]["b"]["seconds"], "pondering costs no time"


def test_crash_while_pondering_loses(play):
    record = play(mock_engine("w", "ponder=first", "do=crash", "at=2", nodes=10, ponder=True), mock_engine("b"))
    assert (record["result"], record["termination"], record["fault"]) == ("0-1", "crash", "w")


def test_pondering_engine_plays_the_next_game(play):
    white, black = (mock_engine(name, "ponder=first", nodes=10, ponder=True) for name in "wb")
    assert [record["termination"] for record in play(white, black, games=3, maxmoves=4)] == ["move limit"] * 3


@pytest.mark.parametrize(
    "words, variant, code, message",
    [
        (["start=plain"], "chess", 1, "no option Ponder, which ponder=true needs"),
        ([], "nim", 2, "with ponder=true, got uci and nim"),
    ],
)
def test_match_that_cannot_ponder_prints_one_line(match, words, variant, code, message):  # noqa: F811
    arguments = [*engine("a", *words), "ponder=true", *engine("b"), "--each", "nodes=1", "--variant", variant]
    _, err = match(*arguments, code=code)
    assert message in err and err.count("\n") == 1


def test_duiyi_ponders(play, program, tmp_path):
    logs = [tmp_path / name for name in "wb"]
    engines = [
        Engine(log.name, (program,), options={"Debug Log File": str(log)}, tc="4+0.1", margin=2000, ponder=True)
        for log in logs
    ]
    record = play(*engines, maxmoves=12)
    assert record["termination"] == "move limit"
    for log in logs:
        text = log.read_text()
        hits, misses, pondered = (len(re.findall(rf"\b{word}\b", text)) for word in ("ponderhit", "stop", "go ponder"))
        assert hits > 0 and hits + misses == pondered
