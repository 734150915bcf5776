"""The client of examples/client.py, which knows no rules. python-chess checks its game."""

import subprocess
import sys

import chess
import pytest

from conftest import ROOT

CLIENT = ROOT / "examples" / "client.py"


def play(*arguments):
    done = subprocess.run([sys.executable, CLIENT, *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    *moves, result = done.stdout.splitlines()
    assert [line.split(" ")[0] for line in moves] == [str(n + 1) for n in range(len(moves))]
    return [line.split(" ")[1] for line in moves], result


def test_client_plays_a_legal_game_of_chess_to_its_end(program):
    moves, result = play(program, "chess", "0.2")
    board = chess.Board()
    for move in moves:
        assert not board.is_game_over()
        board.push_uci(move)
    outcome = board.outcome(claim_draw=True)
    assert outcome is not None
    winner = {True: "White wins", False: "Black wins", None: "draw"}[outcome.winner]
    assert result.startswith(f"{winner} (")


def test_client_plays_other_games(program):
    moves, result = play(program, "tictactoe", "1")
    assert (len(moves), result) == (9, "draw")


@pytest.mark.parametrize(
    ("words", "message"),
    [(["nosuch"], "expected one of chess, "), (["chess", "abc"], "expected a number of seconds, got 'abc'")],
)
def test_client_with_wrong_arguments_prints_one_line(program, words, message):
    done = subprocess.run([sys.executable, CLIENT, program, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and done.stdout == "" and done.stderr.count("\n") == 1 and message in done.stderr


def test_client_of_no_engine_prints_one_line():
    done = subprocess.run([sys.executable, CLIENT, "true"], capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr and "the game stops" in done.stderr
