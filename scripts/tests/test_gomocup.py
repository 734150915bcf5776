"""Games and matches of Gomocup engines."""

import json
import shlex
import signal
import subprocess

import pytest
from test_match import DRAW, command, engine, match, processes_of, records, wait_for  # noqa: F401

from conftest import PBRAIN_COMMAND, mock_pbrain
from duiyi_match.openings import Opening
from duiyi_match.rules import RESULT_OF_WINNER
from duiyi_match.settings import Engine

FILE_A, FILE_B = "0,0;0,1;0,2;0,3;0,4", "1,0;1,1;1,2;1,3;1,4"
FREESTYLE = {"variant": "gomokufreestyle"}


def ending(record):
    return record["result"], record["termination"]


def pbrain(name, *words):
    return ["--engine", f"cmd={shlex.join([*PBRAIN_COMMAND, *words])}", f"name={name}", "protocol=gomocup"]


def test_first_row_of_five_wins(play):
    record = play(mock_pbrain("w", f"script={FILE_A}"), mock_pbrain("b", f"script={FILE_B}"), **FREESTYLE)
    assert ending(record) == ("1-0", "five in a row") and record["plies"] == 9
    assert record["fault"] is None and "P@a1" in record["pgn"] and "P@b4" in record["pgn"]
    assert record["spent"]["w"]["moves"] == 5


def test_engine_receives_size_rule_times_and_each_move_once(play, tmp_path):
    log = tmp_path / "input"
    white = mock_pbrain("w", f"log={log}", f"script={FILE_A}", tc="60+1", st=20)
    play(white, mock_pbrain("b", f"script={FILE_B}"), variant="gomoku20")
    lines = log.read_text().splitlines()
    infos = [line.split()[1:] for line in lines if line.startswith("INFO")]
    assert [line for line in lines if not line.startswith("INFO")] == [
        "START 20",
        "BEGIN",
        *(f"TURN 1,{rank}" for rank in range(4)),
        "END",
    ]
    assert infos[:6] == [
        ["game_type", "2"],
        ["rule", "1"],
        ["max_memory", "0"],
        ["timeout_match", "60000"],
        ["timeout_turn", "20000"],
        ["time_left", "60000"],
    ]
    left = [int(value) for key, value in infos if key == "time_left"]
    assert len(left) == 5 and all(59_000 < ms <= 65_000 for ms in left), "the clock of the engine, with increments"


@pytest.mark.parametrize(
    "limits, first",
    [
        ({"st": 2.5}, {"timeout_match": "0", "timeout_turn": "2500", "time_left": "2147483647"}),
        ({"tc": "1:00"}, {"timeout_match": "60000", "timeout_turn": "60000", "time_left": "60000"}),
    ],
)
def test_one_limit_is_announced(play, tmp_path, limits, first):
    log = tmp_path / "input"
    play(mock_pbrain("w", f"log={log}", **limits), mock_pbrain("b"), maxmoves=1, **FREESTYLE)
    infos = dict(line.split()[1:] for line in log.read_text().splitlines() if line.startswith("INFO"))
    assert {key: infos[key] for key in first} == first and infos["rule"] == "0"


def test_options_are_sent_as_info(play, tmp_path):
    log = tmp_path / "input"
    white = mock_pbrain("w", f"log={log}", st=30, options={"max_memory": "1000000", "folder": "/tmp"})
    play(white, mock_pbrain("b"), maxmoves=1, **FREESTYLE)
    lines = log.read_text().splitlines()
    assert "INFO max_memory 1000000" in lines and "INFO folder /tmp" in lines and "INFO max_memory 0" not in lines


def test_opening_is_sent_as_board_in_turns(play, tmp_path):
    logs = [tmp_path / "w", tmp_path / "b"]
    players = [mock_pbrain(log.name, f"log={log}") for log in logs]
    moves = ("P@a1", "P@b2", "P@c3")
    play(*players, Opening(moves=moves), maxmoves=3, **FREESTYLE)
    white, black = (log.read_text().splitlines() for log in logs)
    assert black[black.index("BOARD") :][:5] == ["BOARD", "0,0,2", "1,1,1", "2,2,2", "DONE"]
    assert white[white.index("BOARD") :][:6] == ["BOARD", "0,0,1", "1,1,2", "2,2,1", "0,14,2", "DONE"]
    assert "TURN 0,14" not in white and "BEGIN" not in white
    position = "/".join(["15"] * 14 + ["PPpp11"]) + " w"
    play(*players, Opening(position), maxmoves=1, **FREESTYLE)
    white = logs[0].read_text().splitlines()
    sides = [line[-1] for line in white[len(white) - white[::-1].index("BOARD") :] if line.count(",") == 2]
    assert sides == ["1", "2", "1", "2"], "White and Black in turns, and White is next"


def test_uci_and_gomocup_engines_play_each_other(play, program):
    uci = Engine("u", (program,), nodes=200)
    for white, black in ((uci, mock_pbrain("g")), (mock_pbrain("g"), uci)):
        record = play(white, black, **FREESTYLE)
        assert record["termination"] == "five in a row" and record["fault"] is None
        assert record["result"] == RESULT_OF_WINNER[white is uci], "the program wins against a fixed order"


@pytest.mark.parametrize("variant", ["gomoku", "gomokufreestyle20"])
def test_program_plays_itself_by_both_protocols(play, program, variant):
    uci = Engine("uci", (program,), nodes=1000)
    gomocup = Engine("gomocup", (program, "--protocol", "gomocup"), protocol="gomocup", st=0.1, margin=30_000)
    opening = Opening(moves=("P@h8", "P@h9", "P@j7"))
    for players in ((uci, gomocup), (gomocup, uci)):
        record = play(*players, opening, variant=variant)
        assert record["fault"] is None and record["termination"] in ("five in a row", "board full"), record["detail"]


def test_engine_is_started_for_each_game_and_after_a_crash(play, tmp_path):
    log = tmp_path / "input"
    first, second = play(
        mock_pbrain("w"), mock_pbrain("b", "do=crash", "at=3", f"log={log}"), games=2, maxmoves=9, **FREESTYLE
    )
    assert ending(first) == ending(second) == ("1-0", "crash")
    assert (first["fault"], first["detail"]) == ("b", "engine b: exit code 7")
    assert first["lines"]["b"][-2:] == ["> TURN 4,14", "! about to crash"]
    assert log.read_text().splitlines().count("START 15") == 2


def test_stall_loses(play):
    record = play(mock_pbrain("w"), mock_pbrain("b", "do=stall", "at=2", st=0.5), stall=1, **FREESTYLE)
    assert ending(record) == ("1-0", "stall") and record["detail"].startswith("engine b: no move after 1.")


def test_late_move_loses_on_either_limit(play):
    late = ("do=late", "ms=400")
    for limits in ({"st": 0.1, "tc": "60"}, {"st": 60, "tc": "0.1"}):
        record = play(mock_pbrain("w", *late, margin=100, **limits), mock_pbrain("b"), **FREESTYLE)
        assert ending(record) == ("0-1", "time")
        assert 200 <= int(record["detail"].removeprefix("engine w: ").removesuffix(" ms over")) < 10_000


@pytest.mark.parametrize(
    "text, reason",
    [
        ("0,14", "illegal move: 'P@a15', the square is not free"),
        ("15,0", "illegal move: 'P@p1', expected a square like P@a1"),
        ("30,0", "expected the coordinates of a square, from 0"),
        ("-1,-1", "expected the coordinates of a square, from 0"),
        ("1,2,3", "expected the coordinates of a square, from 0"),
        ("ERROR no idea", "expected the coordinates of a square, from 0"),
    ],
)
def test_illegal_move_loses_with_its_text_and_the_reason(play, text, reason):
    record = play(mock_pbrain("w"), mock_pbrain("b", "do=reply", f"text={text}"), **FREESTYLE)
    assert ending(record) == ("1-0", "illegal move") and record["fault"] == "b"
    assert record["detail"] == f"engine b: {text} ({reason})"
    assert record["lines"]["b"][-1] == f"< {text}"


def test_unknown_reply_and_messages_are_not_moves(play):
    record = play(mock_pbrain("w", "do=talk", "at=2"), mock_pbrain("b", "do=talk"), maxmoves=3, **FREESTYLE)
    assert ending(record) == ("1/2-1/2", "move limit")
    unknown = mock_pbrain("b", "do=reply", "text=UNKNOWN command", st=0.1)
    assert ending(play(mock_pbrain("w"), unknown, stall=0.5, **FREESTYLE)) == ("1-0", "stall")


def test_match_of_gomocup_engines_reports_elo_and_sprt(match, tmp_path):  # noqa: F811
    out, _ = match(
        *pbrain("strong", f"script={FILE_A}"),
        *pbrain("weak", "do=reply", "at=3", "text=UNKNOWN"),
        *("--each", "st=1", "--stall", "0.5", "--variant", "gomoku", "--rounds", "300", "--concurrency", "2"),
        *("--sprt", "elo0=0", "elo1=200", "--json", "r.json", "--pgn", "g.pgn"),
    )
    data = json.loads((tmp_path / "r.json").read_text())
    (result,) = data["results"]
    assert result["sprt"]["decision"] == "H1" and result["wins"] == result["games"] < 100
    assert data["terminations"] == {"stall": result["games"]} and "H1 accepted" in out
    assert '[Variant "gomoku"]' in (tmp_path / "g.pgn").read_text()


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGINT])
def test_interrupted_match_ends_its_engines_and_resumes(match, tmp_path, kind):  # noqa: F811
    arguments = [
        *pbrain("a", f"log={tmp_path}/a", "do=late", "at=3", "ms=50"),
        *pbrain("b", f"log={tmp_path}/b"),
        *("--each", "tc=60", "--variant", "gomokufreestyle20", "--random-openings", "4", "--rounds", "8", *DRAW),
        *("--maxmoves", "4", "--concurrency", "2"),
    ]
    journal = tmp_path / "match.jsonl"
    process = subprocess.Popen(command(*arguments), cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 3)
    process.send_signal(kind)
    assert process.wait(30) == (-kind if kind == signal.SIGKILL else 130)
    wait_for(lambda: not processes_of(tmp_path))
    match("--resume", "match.jsonl")
    played = sorted(records(journal), key=lambda record: record["game"])
    assert [record["game"] for record in played] == list(range(16))
    openings = [record["pgn"].split("\n\n")[1].split("{-")[0] for record in played]
    assert openings[0::2] == openings[1::2] and len(set(openings)) == 8, "both games of a pair have the same opening"


@pytest.mark.parametrize(
    "arguments, code, message",
    [
        (["--each", "nodes=5"], 2, "--engine a: protocol=gomocup has tc and st only, got nodes=5"),
        (["--each", "st=1", "depth=5"], 2, "--engine a: protocol=gomocup has tc and st only, got depth=5"),
        ([], 2, "--engine a: expected tc or st with protocol=gomocup, got no limit"),
        (
            ["--each", "tc=40/60"],
            2,
            "--engine a: expected tc=[MINUTES:]SECONDS[+INCREMENT] with protocol=gomocup, got 40/60",
        ),
        (["--each", "st=1", "--variant", "cfour"], 2, "--engine a: expected --variant gomokufreestyle, gomoku, "),
        (
            ["--each", "st=1", "--engine", "cmd=x", "protocol=xboard"],
            2,
            "--engine: expected protocol=uci|gomocup|ucci|cyclone|gtp, got 'xboard'",
        ),
    ],
)
def test_wrong_arguments_print_one_line(match, tmp_path, arguments, code, message):  # noqa: F811
    _, err = match(*pbrain("a"), *pbrain("b"), "--variant", "gomoku", *arguments, code=code)
    assert message in err and len(without_warnings(err)) == 1
    assert not (tmp_path / "match.jsonl").exists()


def without_warnings(text):
    """Returns the lines without warnings of a busy machine."""
    return [line for line in text.splitlines() if not line.startswith("Warning ")]


@pytest.mark.parametrize(
    "start, message",
    [
        ("crash", "expected a Gomocup engine, got: engine process died unexpectedly (exit code: 1)"),
        ("ERROR size", "expected OK in reply to START 15, got 'ERROR size'"),
    ],
)
def test_engine_that_does_not_start_stops_the_match(match, tmp_path, start, message):  # noqa: F811
    _, err = match(*pbrain("a"), *pbrain("b", f"start={start}"), "--each", "st=1", "--variant", "gomoku", code=1)
    assert message in err and len(without_warnings(err)) == 1
    assert not (tmp_path / "match.jsonl").exists()


def test_uci_engine_without_the_variant_stops_the_match(match):  # noqa: F811
    _, err = match(*pbrain("a"), "st=1", *engine("b"), "nodes=1", "--variant", "gomoku", code=1)
    assert "invalid value for combo option 'UCI_Variant'" in err and len(without_warnings(err)) == 1
