"""The live line: a bar on a terminal."""

import os
import subprocess

from test_match import DRAW, command, engine


def test_a_bar_on_a_terminal(tmp_path):
    ours, its = os.openpty()
    arguments = [*engine("a"), *engine("b", "do=crash"), "--each", "nodes=1", "--rounds", "1", *DRAW]
    with subprocess.Popen(command(*arguments), cwd=tmp_path, stdout=subprocess.PIPE, stderr=its) as process:
        os.close(its)
        shown = b""
        while data := read(ours):
            shown += data
        out = process.stdout.read().decode()
    text = shown.decode()
    assert process.returncode == 0 and "Games   2" in out
    assert "2/2" in text and "games/min" in text and "\r" in text and "━" in text
    assert "(crash, b: exit code 7)" in text, "faults are told at once"
    assert "1/2 game 1" not in text, "and not a line for each game"


def read(terminal):
    """What the terminal got; nothing once its other end is closed."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""
