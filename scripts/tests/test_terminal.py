"""The program at a terminal: line editing, width, Ctrl-C and Ctrl-D."""

import fcntl
import functools
import os
import pty
import re
import select
import signal
import struct
import termios
import time

import pytest

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
TIMEOUT = 60
UP, CTRL_C, CTRL_D = "\x1b[A", "\x03", "\x04"


class Terminal:
    """A terminal in which the program runs. `typed` is typed before the program starts."""

    def __init__(self, program, *arguments, columns=80, echo=True, typed="", **environment):
        self.text = ""
        self.process, self.fd = pty.fork()
        if self.process == 0:
            try:
                mode = termios.tcgetattr(0)
                if not echo:
                    mode[3] &= ~termios.ECHO
                    termios.tcsetattr(0, termios.TCSANOW, mode)
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
                if typed:
                    select.select([0], [], [], TIMEOUT)
                os.execve(program, [program, *arguments], {"TERM": "xterm", **environment})
            finally:
                os._exit(127)
        self.type(typed)

    def type(self, text):
        os.write(self.fd, text.encode())

    def read_more(self, timeout=TIMEOUT):
        """Reads what the program has written. Returns whether there was anything."""
        if not select.select([self.fd], [], [], timeout)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.text += data.decode(errors="replace")
        return bool(data)

    def expect(self, pattern):
        """Reads up to `pattern`, and returns the text before it without escape codes."""
        deadline = time.monotonic() + TIMEOUT
        while not (found := re.search(pattern, ESCAPE.sub("", self.text))):
            assert time.monotonic() < deadline and self.read_more(), f"expected {pattern!r} in {self.text!r}"
        plain = ESCAPE.sub("", self.text)
        self.text = plain[found.end() :]
        return plain[: found.end()]

    def end(self):
        """Waits for the end of the program. Returns its status as a shell does."""
        while self.read_more():
            pass
        deadline = time.monotonic() + TIMEOUT
        while not (ended := os.waitpid(self.process, os.WNOHANG))[0]:
            if time.monotonic() > deadline:
                os.kill(self.process, signal.SIGKILL)
                raise AssertionError(f"expected the end of the program, got {self.text!r}")
            time.sleep(0.01)
        status = os.waitstatus_to_exitcode(ended[1])
        os.close(self.fd)
        return 128 - status if status < 0 else status


@pytest.fixture
def start(program):
    """Returns a function that starts the program in a terminal."""
    return functools.partial(Terminal, program)


def test_line_is_edited_and_comes_back_with_up_key(start):
    terminal = start()
    terminal.expect("> ")
    terminal.type("isreadyx\x7f\r")
    terminal.expect("readyok")
    terminal.type("d\r")
    terminal.expect("Fen: ")
    terminal.type(UP + UP)
    terminal.expect("> isready")
    terminal.type("\r")
    terminal.expect("readyok")
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_tab_completes_commands_options_and_variants(start):
    terminal = start()
    terminal.expect("> ")
    terminal.type("seto\tna\tuci_v\tv\tcf\t\r")
    terminal.expect("variant cfour")
    terminal.expect("> ")
    terminal.type(CTRL_D)
    assert terminal.end() == 0


def test_output_of_search_does_not_change_line_being_typed(start):
    terminal = start()
    terminal.expect("> ")
    terminal.type("go infinite\r")
    terminal.expect(r"\d\.\d{3} s")
    terminal.type("isre")
    end = time.monotonic() + 2
    while time.monotonic() < end:
        terminal.read_more(0.1)
    terminal.expect("(?s).*")
    terminal.type("ady\r")
    terminal.expect("readyok")
    terminal.type("stop\r")
    terminal.expect("best move ")
    terminal.type("quit\r")
    assert terminal.end() == 0


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_lines_of_search_fit_window(start, columns):
    terminal = start("go depth 12", columns=columns, NO_COLOR="1")
    while terminal.read_more():
        pass
    text = terminal.text
    assert "\x1b" not in text
    lines = [line.rstrip("\r") for line in text.split("\n")]
    assert all(len(line) <= columns for line in lines), text
    moves = [move for line in lines if line.lstrip()[:1].isdigit() for move in line.split("  ")[-1].split()]
    assert moves and all(re.fullmatch(r"[a-h][1-8][a-h][1-8][nbrq]?|\.\.\.", move) for move in moves), text
    assert terminal.end() == 0


def test_ctrl_c_stops_search_and_twice_at_empty_prompt_ends_program(start):
    terminal = start()
    terminal.expect("> ")
    terminal.type("go infinite\r")
    terminal.expect(r"\d\.\d{3} s")
    terminal.type(CTRL_C)
    terminal.expect("best move [a-h][1-8]")
    terminal.expect("> ")
    terminal.type(CTRL_C)
    terminal.expect('Ctrl-C again, Ctrl-D or "quit" ends the program')
    terminal.type(CTRL_C)
    assert terminal.end() == 128 + signal.SIGINT


def test_signal_at_open_prompt_stops_search_and_leaves_line_being_typed(start):
    terminal = start()
    terminal.expect("> ")
    terminal.type("go infinite\r")
    terminal.expect(r"\d\.\d{3} s")
    terminal.type("isre")
    terminal.expect("isre")
    os.kill(terminal.process, signal.SIGINT)
    terminal.expect("best move [a-h][1-8]")
    terminal.type("ady\r")
    terminal.expect("readyok")
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_ctrl_c_clears_line_being_typed(start):
    terminal = start()
    terminal.expect("> ")
    for _ in range(3):
        terminal.type("go infinite" + CTRL_C)
    terminal.type("isready\r")
    terminal.expect("readyok")
    terminal.type("quit\r")
    assert terminal.end() == 0
    assert "info" not in terminal.text


def test_ctrl_c_stops_search_of_arguments(start):
    terminal = start("go movetime 100000")
    terminal.expect(r"\d\.\d{3} s")
    terminal.type(CTRL_C)
    terminal.expect("best move [a-h][1-8]")
    assert terminal.end() == 0


def test_ctrl_d_finishes_search_with_limit(start):
    terminal = start()
    terminal.expect("> ")
    terminal.type("go movetime 1000\r")
    terminal.expect(r"\n[^\n]*> ")  # the prompt of the next line
    terminal.type(CTRL_D)
    terminal.expect("best move [a-h][1-8]")
    assert terminal.end() == 0


@pytest.mark.parametrize("marked", [True, False])
def test_pasted_lines_are_all_executed(start, marked):
    terminal = start()
    terminal.expect("> ")
    lines = "position startpos moves e2e4\risready\rd"
    terminal.type(f"\x1b[200~{lines}\x1b[201~\r" if marked else f"{lines}\r")
    terminal.expect("(?s)readyok.*Fen: rnbqkbnr/pppppppp/8/8/4P3/")
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_very_long_line_is_read(start):
    moves = " g1f3 g8f6 f3g1 f6g8" * 1000
    terminal = start()
    terminal.expect("> ")
    text = f"\x1b[200~position startpos moves{moves}\x1b[201~\r".encode()
    while text:
        text = text[os.write(terminal.fd, text[:1000]) :]
        terminal.read_more(0)
    terminal.type("d\r")
    terminal.expect("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4000 2001")
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_uci_typed_by_person_keeps_display(start):
    terminal = start()
    terminal.expect("> ")
    terminal.type("uci\r")
    terminal.expect("uciok")
    terminal.type("go depth 3\r")
    terminal.expect("best move ")
    terminal.type("quit\r")
    assert terminal.end() == 0


@pytest.mark.parametrize("how", [{"TERM": "dumb"}, {"echo": False}])
def test_terminal_without_editing_is_plain(start, how):
    """A client that talks through a terminal gets UCI from `uci` on; `help` brings the display back."""
    terminal = start(NO_COLOR="1", **how)
    terminal.expect("ends.")
    terminal.type("uci\rgo depth 3\r")
    text = terminal.expect("bestmove ")
    assert "\x1b" not in terminal.text + text and "> " not in text
    terminal.type("help\rgo depth 3\r")
    terminal.expect("best move ")
    terminal.type("go infinite\r")
    terminal.expect(r"\d\.\d{3} s")
    terminal.type(CTRL_C)
    terminal.expect("best move ")
    terminal.type(CTRL_C)
    assert terminal.end() == 128 + signal.SIGINT
    assert "\x1b" not in terminal.text


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_signal_leaves_terminal_as_it_was(start, signal_number):
    terminal = start()
    before = termios.tcgetattr(terminal.fd)
    terminal.expect("> ")
    assert termios.tcgetattr(terminal.fd) != before, "the editor reads single keys"
    os.kill(terminal.process, signal_number)
    terminal.expect("$")
    deadline = time.monotonic() + TIMEOUT
    while termios.tcgetattr(terminal.fd) != before:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert terminal.end() == 128 + signal_number


def test_debug_messages_do_not_change_line_being_typed(start):
    terminal = start(RUST_LOG="debug")
    terminal.expect("> ")
    terminal.type("isready\r")
    assert "DEBUG" not in terminal.expect("readyok")
    terminal.type("quit\r")
    assert terminal.end() == 0


@pytest.mark.parametrize("before", ["", "isready\r"])
def test_ctrl_d_before_prompt_ends_program(start, before):
    terminal = start(typed=before + CTRL_D)
    if before:
        terminal.expect("readyok")
    assert terminal.end() == 0
