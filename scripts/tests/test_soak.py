"""Short runs of soak.py with mock engines."""

import json
import shlex

import pytest

import soak
from conftest import MOCK_COMMAND


def run(tmp_path, *words, engine=(), opponent=(), seconds=2):
    """Runs soak.py. Returns its exit code and the records of the games."""
    journal = tmp_path / "soak.jsonl"
    program, other = (shlex.join((*MOCK_COMMAND, *words)) for words in (engine, opponent))
    code = soak.main(
        ["--program", program, "--opponent", other, "--hours", str(seconds / 3600), "--games", "2", "--cores", "0"]
        + ["--maxmoves", "20", "--margin", "5000", "--journal", str(journal), *words]
    )
    return code, [json.loads(line) for line in journal.read_text().splitlines()]


def test_games_without_faults_have_no_losses(tmp_path, capsys):
    code, games = run(tmp_path, "--faults", "none")
    assert code == 0 and len(games) >= 2
    assert "0 time, 0 illegal move, 0 crash, 0 stall, 0 disagreement" in capsys.readouterr().out


def test_killed_opponent_loses_and_games_continue(tmp_path):
    slow = ["do=late", "at=3", "ms=4000"]
    code, games = run(tmp_path, "--faults", "kill", opponent=slow, seconds=9)
    crashes = [game for game in games if game["termination"] == "crash"]
    assert code == 0 and crashes and all(game["fault"] == "opponent" for game in crashes)


def test_crash_without_fault_is_reported(tmp_path, capsys):
    code, games = run(tmp_path, "--faults", "none", "pause", engine=["do=crash", "at=5"])
    assert code == 1 and any(game["fault"] == "engine" for game in games)
    assert "exit code 7" in capsys.readouterr().out


def test_paused_process_continues(tmp_path):
    code, games = run(tmp_path, "--faults", "pause", "--tc", "60", "--maxmoves", "60", seconds=4)
    assert code == 0 and games


@pytest.mark.parametrize("words", [("--tc", "never"), ("--option", "Hash")])
def test_wrong_arguments_exit_with_2(tmp_path, capsys, words):
    assert soak.main(["--program", shlex.join(MOCK_COMMAND), "--hours", "0", *words]) == 2
    assert "soak.py: " in capsys.readouterr().err
