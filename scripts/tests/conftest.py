"""Makes the scripts' modules importable and provides games between mock engines."""

import asyncio
import contextlib
import ctypes
import functools
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules_program import Program

from duiyi_match.engines import Player
from duiyi_match.game import Game, GameRunner
from duiyi_match.openings import Opening
from duiyi_match.settings import Engine, Settings

MOCK_COMMAND = (sys.executable, str(Path(__file__).with_name("mock_engine.py")))
PBRAIN_COMMAND = (sys.executable, str(Path(__file__).with_name("mock_pbrain.py")))
ROOT = Path(__file__).resolve().parents[2]

START = Opening()

PR_SET_CHILD_SUBREAPER = 36
END_SECONDS = 20
"""Time for a process that was killed to end. Long, because the machine may be busy."""

# A shell that starts the tests in the background makes them ignore SIGINT, and every program that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

if sys.platform == "linux":
    # The processes of a process that has ended become children of this one.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def running_children():
    """Returns the commands of the running children, by process ID. A zombie has no command."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    commands = {}
    for pid in children:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # the process has ended
            commands[int(pid)] = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    # Python's own resource tracker runs until the end of all tests.
    return {pid: text for pid, text in commands.items() if text and "multiprocessing.resource_tracker" not in text}


def check_processes_are_gone(earlier, may_run=None):
    """Fails if a child runs that is not in `earlier` and whose command has no text `may_run`, and ends it."""

    def left():
        children = running_children().items()
        return {pid for pid, text in children if pid not in earlier and not (may_run and may_run in text)}

    deadline = time.monotonic() + END_SECONDS
    while left() and time.monotonic() < deadline:
        time.sleep(0.02)
    pids = left()
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    assert not pids, "expected no process at the end of the test"


@pytest.fixture(autouse=sys.platform == "linux")
def processes_are_gone():
    """Every process that a test starts is gone at its end. Those of fixtures for several tests run on."""
    earlier = running_children()
    yield
    # The second crash handler of the browser can start after the first test has begun. It ends with the browser.
    check_processes_are_gone(earlier, may_run="chrome_crashpad_handler")


def mock_engine(name, *words, **limits):
    """Returns a mock engine with the arguments `words`. The default limit is 100 nodes a move."""
    return Engine(name, (*MOCK_COMMAND, *words), **(limits or {"nodes": 100}))


def mock_pbrain(name, *words, **limits):
    """Returns a mock Gomocup engine with the arguments `words`. The default limit is 30 s a move."""
    return Engine(name, (*PBRAIN_COMMAND, *words), protocol="gomocup", **(limits or {"st": 30}))


@pytest.fixture(scope="session")
def program():
    """Builds the program as `cargo test` does and returns its path."""
    # With an example it has the crates' features of `cargo test`; else cargo would compile the library again.
    cargo = os.environ.get("CARGO", "cargo")
    build = [cargo, "build", "--quiet", "--locked", "--bin", "duiyi", "--example", "client"]
    # With make's RUSTFLAGS, cargo would build everything again, and so would the next `cargo test`.
    of_make = ("RUSTFLAGS", "MAKEFLAGS", "MFLAGS")
    environment = {name: value for name, value in os.environ.items() if name not in of_make}
    subprocess.run(build, cwd=ROOT, env=environment, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    return str(target / "debug" / "duiyi")


@functools.cache
def variants_of(program):
    """Returns the values of the program's option `UCI_Variant`."""
    output = subprocess.run([program, "uci"], capture_output=True, text=True, check=True).stdout
    (line,) = (line for line in output.splitlines() if line.startswith("option name UCI_Variant "))
    return line.split(" var ")[1:]


@pytest.fixture
def play():
    """Returns a function that plays `games` games and returns the record, or the list of records. `white` is always White."""

    def run(white, black, opening=START, games=1, **settings):
        settings = Settings((white, black), **{"stall": 30.0, **settings})
        return asyncio.run(play_games(settings, opening, games))

    return run


async def play_games(settings, opening, games):
    players = [Player(engine, settings.stall) for engine in settings.engines]
    records = []
    for number in range(games):
        records.append(await GameRunner(settings, Game(number, 0, 0, 1, opening), players).play())
    for player in players:
        await player.quit()
    return records if games > 1 else records[0]


@pytest.fixture
def uci(program):
    """Starts the program."""
    uci = Program(program)
    uci.lines_until("uci\n", "uciok")
    yield uci
    with uci.process as process:
        process.stdin.write("quit\n")


@pytest.fixture(scope="module")
def browser():
    """Headless Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("the browser tests need Chromium (Debian package chromium)")
    earlier = running_children()
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium)
        yield browser
        browser.close()
    check_processes_are_gone(earlier)
