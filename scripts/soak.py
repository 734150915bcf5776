#!/usr/bin/env python3
"""Plays concurrent games of an engine against itself and injects faults.

Each game gets a random time control, random values of Threads and Hash, and a random fault: the opponent's process is
killed, one process is paused for a while, the output of one process is read slowly, the logs of both reach the end of their
disk, or none. The table at the end counts games, faults and losses; losses that the fault of their game does not explain are
also reported at once.
"""

import argparse
import asyncio
import collections
import contextlib
import dataclasses
import json
import os
import random
import shlex
import shutil
import signal
import sys
import tempfile
import time

from duiyi_match.clock import TimeControl
from duiyi_match.engines import Player
from duiyi_match.errors import MatchError
from duiyi_match.files import Output, check_files
from duiyi_match.game import Game, GameRunner
from duiyi_match.openings import Opening, random_moves
from duiyi_match.settings import Engine, Settings, natural_number, parse_key_values

TIME_CONTROLS = ("2+0.05", "1+0", "40/1", "0.01+0.01")
TINY_SECONDS = 0.1
"""Losses on time are expected with a shorter base time, because all games share the cores."""
THREADS, HASH = (1, 2), (1, 4, 16, 64)
FAULTS = ("none", "kill", "pause", "slow", "disk")
PAUSE_SECONDS = (0.05, 2.0)
"""Range of the pause of a process, or of its reader, in seconds."""
SLOW_MULTIPV = 100
"""Value of MultiPV in a game that is read slowly: the output must exceed what a pipe holds."""
LOGS = ("Debug Log File", "Search Log File")
LOSS_KINDS = ("time", "illegal move", "crash", "stall", "disagreement")
EXPECTED_LOSSES = {"kill": "crash", "pause": "time", "slow": "time"}
"""The termination that a fault explains, for the affected engine."""
OPENING_PLIES = 8
NICE_PREFIX = ("nice", "-n", "5") if shutil.which("nice") else ()
"""Prefix of the engines' commands. This process measures the clocks, so it needs a higher priority than the engines."""
DISK_PREFIX = ("sh", "-c", 'ulimit -S -f 16; exec "$@"', "sh") if shutil.which("sh") else ()
"""Limits the files of an engine to 16 blocks. The engine sees the limit as a full disk, and writes only the logs."""


def build_parser():
    parser = argparse.ArgumentParser(prog="soak.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", required=True, metavar="COMMAND", help="engine under test")
    parser.add_argument(
        "--opponent", metavar="COMMAND", help="opponent; its losses do not count (default: the engine under test)"
    )
    parser.add_argument("--minutes", type=float, default=10, help="duration (default 10)")
    parser.add_argument("--games", type=int, default=16, help="concurrent games (default 16)")
    parser.add_argument(
        "--cores", type=natural_number, default=2, help="CPU cores shared by all processes (default 2; 0: all)"
    )
    parser.add_argument(
        "--tc",
        nargs="+",
        default=TIME_CONTROLS,
        help=f"time controls, [MOVES/][MINUTES:]SECONDS[+INCREMENT] (default {' '.join(TIME_CONTROLS)})",
    )
    parser.add_argument("--margin", type=int, default=500, help="allowed overrun of the clock in ms (default 500)")
    parser.add_argument(
        "--stall",
        type=float,
        default=30,
        help="seconds after the time limit at which an engine counts as stalled (default 30)",
    )
    parser.add_argument(
        "--maxmoves", type=int, default=200, metavar="N", help="adjudicate a draw after N moves (default 200)"
    )
    parser.add_argument(
        "--faults", nargs="+", choices=FAULTS, default=FAULTS, help="faults to choose from (default: all)"
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="UCI option of both engines"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of openings and faults (default 1)")
    parser.add_argument("--journal", metavar="FILE", help="append a JSON line for each game to FILE")
    return parser


def process_id(player):
    """Returns the process ID of the player's engine, or None if it is not running."""
    running = player.client is not None and not player.client.returncode.done()
    return player.client.transport.get_pid() if running else None


async def halt(victim, rng):
    """Pauses the victim's process once."""
    pid = process_id(victim)
    os.kill(pid, signal.SIGSTOP)
    try:
        await asyncio.sleep(rng.uniform(*PAUSE_SECONDS))
    finally:
        os.kill(pid, signal.SIGCONT)


async def read_slowly(victim, rng):
    """Stops reading the victim's output again and again until the task is cancelled."""
    pipe = victim.client.transport.get_pipe_transport(1)
    while process_id(victim) is not None:
        pipe.pause_reading()
        try:
            await asyncio.sleep(rng.uniform(*PAUSE_SECONDS))
        finally:
            pipe.resume_reading()
        await asyncio.sleep(rng.uniform(0, 0.2))


async def inject_fault(kind, victim, rng):
    """Injects a fault into the victim's process after a random delay."""
    if kind != "slow":
        await asyncio.sleep(rng.uniform(0.2, 3))
    if process_id(victim) is None:
        return
    with contextlib.suppress(ProcessLookupError):
        if kind == "kill":
            os.kill(process_id(victim), signal.SIGKILL)
        else:
            await (halt if kind == "pause" else read_slowly)(victim, rng)


async def configure(player, options):
    """Sets the options that the player's engine has."""
    await player.client.configure({name: value for name, value in options.items() if name in player.client.options})


def is_journal(begin):
    """Returns whether a file with these first bytes is a journal of this script, to which games can be appended."""
    return begin.startswith(b'{"game": ')


class SoakTest:
    """The running games, the counters of the table and the unexplained losses."""

    def __init__(self, arguments, log_folder):
        self.arguments, self.log_folder = arguments, log_folder
        options = parse_key_values("--option", arguments.option)
        for tc in arguments.tc:
            TimeControl.parse(tc)
        self.engines = [
            Engine(name, (*NICE_PREFIX, *DISK_PREFIX, *shlex.split(command)), options=options, margin=arguments.margin)
            for name, command in (
                ("engine", arguments.program),
                ("opponent", arguments.opponent or arguments.program),
            )
        ]
        if arguments.journal:
            inputs = [(f"engine {engine.name}", word) for engine in self.engines for word in engine.command]
            check_files(
                inputs, [Output("--journal", arguments.journal, is_journal, hint="--journal FILE names another")]
            )
        # Opened before the first game, so that a wrong path costs none.
        self.journal = open(arguments.journal, "a", encoding="utf-8") if arguments.journal else None
        self.end = time.monotonic() + 60 * arguments.minutes
        self.number = 0
        self.losses = []
        self.counters = {(tc, threads): collections.Counter() for tc in arguments.tc for threads in THREADS}

    async def run(self):
        tasks = [asyncio.create_task(self.play_games(index)) for index in range(self.arguments.games)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def play_games(self, index):
        """Plays games one after the other until the end time. Engine processes are reused between games."""
        rng = random.Random(f"{self.arguments.seed}/{index}")
        players = [Player(engine, self.arguments.stall) for engine in self.engines]
        try:
            while time.monotonic() < self.end:
                await self.play_game(index, players, rng)
        finally:
            for player in players:
                await player.quit()

    async def play_game(self, index, players, rng):
        kind, tc = rng.choice(self.arguments.faults), rng.choice(self.arguments.tc)
        threads, hash_mib = rng.choice(THREADS), rng.choice(HASH)
        for player in players:
            player.engine = dataclasses.replace(player.engine, tc=tc)
            await player.ensure_started()
            logs = {
                log: f"{self.log_folder}/{index} {player.engine.name} {log}" if kind == "disk" else "" for log in LOGS
            }
            await configure(player, {"Threads": threads, "Hash": hash_mib} | logs)
        white_and_black = rng.sample(players, 2)
        # Only the opponent is killed: the test observes how the engine under test continues.
        victim = players[1] if kind == "kill" else rng.choice(players)
        multipv = "MultiPV" in victim.client.options and kind == "slow"
        if multipv:
            # python-chess does not let `configure` set this option.
            victim.client.send_line(f"setoption name MultiPV value {SLOW_MULTIPV}")
        number, self.number = self.number, self.number + 1
        settings = Settings(
            tuple(player.engine for player in white_and_black),
            stall=self.arguments.stall,
            maxmoves=self.arguments.maxmoves,
        )
        has_victim = kind in EXPECTED_LOSSES
        opening = Opening(moves=random_moves("chess", None, OPENING_PLIES, rng))
        injection = asyncio.create_task(inject_fault(kind, victim, rng)) if has_victim else None
        try:
            record = await GameRunner(settings, Game(number, number, 0, 1, opening), white_and_black).play()
        finally:
            if injection:
                injection.cancel()
                await asyncio.gather(injection, return_exceptions=True)
        if multipv and process_id(victim) is not None:
            victim.client.send_line("setoption name MultiPV value 1")
        record |= {"tc": tc, "threads": threads, "hash": hash_mib, "injected": kind}
        self.record_game(record | {"victim": victim.engine.name if has_victim else None})

    def record_game(self, record):
        """Counts a game and stores a loss that its fault does not explain. Losses of another opponent do not count."""
        kind, end, tc = record["injected"], record["termination"], record["tc"]
        counter = self.counters[tc, record["threads"]]
        counter.update(games=1, moves=sum(spent["moves"] for spent in record["spent"].values()))
        counter[kind] += 1
        is_expected = EXPECTED_LOSSES.get(kind) == end and record["victim"] == record["fault"]
        is_expected |= end == "time" and TimeControl.parse(tc).base < TINY_SECONDS
        is_expected |= bool(self.arguments.opponent) and record["fault"] == "opponent"
        if end in LOSS_KINDS:
            counter["expected" if is_expected else end] += 1
            if not is_expected:
                self.losses.append(record)
                print(f"game {record['game']}, {tc}, fault {kind}: {record['detail']}", flush=True)
        if self.journal:
            self.journal.write(json.dumps(record) + "\n")
            self.journal.flush()

    def report(self):
        """Yields the lines of the table: a row for each time control and number of threads, and the sums."""
        columns = ("games", "moves", *FAULTS[1:], "expected", *LOSS_KINDS)
        titles = {"expected": "expected losses"} | {kind: f"lost: {kind}" for kind in LOSS_KINDS}
        yield "| time control | threads | " + " | ".join(titles.get(name, name) for name in columns) + " |"
        yield "| --- | --- |" + " --- |" * len(columns)
        total = sum(self.counters.values(), collections.Counter())
        for (tc, threads), counter in [*self.counters.items(), (("all", ""), total)]:
            yield f"| {tc} | {threads} | " + " | ".join(str(counter[name]) for name in columns) + " |"


def main(argv=None):
    """Returns the exit code: 0 no unexplained loss, 1 unexplained losses, 2 wrong arguments, 130 interrupted."""
    arguments = build_parser().parse_args(argv)
    if arguments.cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: arguments.cores])
    code = 0
    with tempfile.TemporaryDirectory(prefix="soak-") as log_folder:
        try:
            soak = SoakTest(arguments, log_folder)
            asyncio.run(soak.run())
        except KeyboardInterrupt:
            code = 130
        except (MatchError, ValueError, OSError) as error:
            print(f"soak.py: {error}", file=sys.stderr)
            return 2
    print("\n".join(soak.report()))
    return code or int(bool(soak.losses))


if __name__ == "__main__":
    sys.exit(main())
