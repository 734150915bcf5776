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
        ["--program", program, "--opponent", other, "--minutes", str(seconds / 60), "--games", "2", "--cores", "0"]
        + ["--maxmoves", "20", "--margin", "5000", "--journal", str(journal), *words]
    )
    return code, [json.loads(line) for line in journal.read_text().splitlines()]


def read_table(output):
    """Returns the rows of the table as lists of cells."""
    return [[cell.strip() for cell in line.strip().split("|")[1:-1]] for line in output.splitlines() if line[:1] == "|"]


def test_games_without_faults_have_no_losses(tmp_path, capsys):
    code, games = run(tmp_path, "--faults", "none")
    assert code == 0 and len(games) >= 2
    titles, _, *rows, total = read_table(capsys.readouterr().out)
    assert len(rows) == 4 * 2 and all(len(row) == len(titles) for row in (*rows, total))
    for index, title in enumerate(titles[2:], 2):
        assert total[index] == str(sum(int(row[index]) for row in rows)), title
        expected = {"games": len(games), "moves": sum(game["plies"] - 8 for game in games)}
        assert total[index] == str(expected.get(title, 0)), title


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


def test_slow_reader_loses_nothing_but_time(tmp_path):
    code, games = run(tmp_path, "--faults", "slow", seconds=3)
    assert (
        code == 0
        and games
        and {game["termination"] for game in games} <= {"time", "move limit", "repetition", "checkmate"}
    )


def test_options_change_between_games_and_disk_of_logs_is_full(tmp_path, monkeypatch):
    monkeypatch.setattr(soak, "HASH", (8, 32))
    inputs, size = tmp_path / "input", tmp_path / "size"
    code, games = run(tmp_path, "--faults", "disk", engine=[f"log={inputs}", f"limit={size}"])
    text = inputs.read_text()
    assert code == 0 and games
    assert all(f"setoption name Hash value {game['hash']}\n" in text for game in games)
    assert "setoption name Debug Log File value /" in text
    assert 0 < int(size.read_text()) <= 16384


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--tc", "never"), "expected [MOVES/][MINUTES:]SECONDS[+INCREMENT]"),
        (("--option", "Hash"), "--option: expected KEY=VALUE, got 'Hash'"),
        (("--journal", "."), "--journal: expected a file, got the folder ."),
        (("--journal", __file__), "found another; nothing is written (--journal FILE names another)"),
    ],
)
def test_wrong_arguments_exit_with_2(capsys, words, message):
    assert soak.main(["--program", shlex.join(MOCK_COMMAND), "--minutes", "0", *words]) == 2
    err = capsys.readouterr().err
    assert err.startswith("soak.py: ") and message in err and err.count("\n") == 1
