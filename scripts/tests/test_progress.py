"""The progress bar on a terminal."""

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
    assert "(crash, engine b: exit code 7)" in text, "a failure is shown when it happens"
    assert "1/2 game 1" not in text, "other games have no line"


def read_terminal(terminal):
    """Returns output of the terminal, or nothing when its other end is closed."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""
