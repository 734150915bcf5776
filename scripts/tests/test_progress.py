"""The live line: a bar on a terminal."""

import os
import subprocess

from test_match import DRAW, command, engine


def test_progress_on_terminal_shows_bar_and_failures(tmp_path):
    own_end, process_end = os.openpty()
    arguments = [*engine("a"), *engine("b", "do=crash"), "--each", "nodes=1", "--rounds", "1", *DRAW]
    with subprocess.Popen(command(*arguments), cwd=tmp_path, stdout=subprocess.PIPE, stderr=process_end) as process:
        os.close(process_end)
        output = b""
        while data := read_terminal(own_end):
            output += data
        stdout = process.stdout.read().decode()
    text = output.decode()
    assert process.returncode == 0 and "Games   2" in stdout
    assert "2/2" in text and "games/min" in text and "\r" in text and "━" in text
    assert "(crash, b: exit code 7)" in text, "faults are told at once"
    assert "1/2 game 1" not in text, "and not a line for each game"


def read_terminal(terminal):
    """What the terminal got; nothing once its other end is closed."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""
