#!/usr/bin/env python3
"""Plays concurrent games of an engine against itself for hours and injects faults.

Each game gets a random fault: the opponent's process is killed, one process is paused for a while, both engines play with
a clock of 10 ms plus 10 ms a move, or none. Losses that the fault of their game does not explain are reported.
"""

import argparse
import asyncio
import collections
import contextlib
import json
import os
import random
import shlex
import shutil
import signal
import sys
import time

import chess

from duiyi_match.clock import TimeControl
from duiyi_match.engines import Player
from duiyi_match.errors import MatchError
from duiyi_match.game import Game, GameRunner
from duiyi_match.openings import Opening
from duiyi_match.settings import Engine, Settings

FAULTS = ("none", "kill", "pause", "clock")
PAUSE_SECONDS = (0.05, 2.0)
"""Range of the pause of a process, in seconds."""
LOSS_KINDS = ("time", "illegal move", "crash", "stall", "disagreement")
EXPECTED_LOSSES = {"kill": ("crash",), "pause": ("time",), "clock": ("time",)}
"""The terminations that a fault explains, for the affected engine. `clock` affects both engines."""
OPENING_PLIES = 8
NICE_PREFIX = ("nice", "-n", "5") if shutil.which("nice") else ()
"""Prefix of the engines' commands. This process measures the clocks, so it needs a higher priority than the engines."""


def build_parser():
    parser = argparse.ArgumentParser(prog="soak.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", required=True, metavar="COMMAND", help="engine under test")
    parser.add_argument(
        "--opponent", metavar="COMMAND", help="opponent; its losses do not count (default: the engine under test)"
    )
    parser.add_argument("--hours", type=float, default=8, help="duration (default 8)")
    parser.add_argument("--games", type=int, default=16, help="concurrent games (default 16)")
    parser.add_argument("--cores", type=int, default=2, help="CPU cores shared by all processes (default 2; 0: all)")
    parser.add_argument(
        "--tc", default="2+0.05", help="time control, [MOVES/][MINUTES:]SECONDS[+INCREMENT] (default 2+0.05)"
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
        "--faults", nargs="*", choices=FAULTS, default=FAULTS, help="faults to choose from (default: all)"
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="UCI option of both engines"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of openings and faults (default 1)")
    parser.add_argument("--journal", metavar="FILE", help="append a JSON line for each game to FILE")
    return parser


def random_opening(rng):
    """Returns an opening of OPENING_PLIES random moves after which the game is not over."""
    while True:
        board = chess.Board()
        while len(board.move_stack) < OPENING_PLIES and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            return Opening(moves=tuple(move.uci() for move in board.move_stack))


def process_id(player):
    """Returns the process ID of the player's engine, or None if it is not running."""
    running = player.client is not None and not player.client.returncode.done()
    return player.client.transport.get_pid() if running else None


async def inject_fault(kind, victim, rng):
    """Kills or pauses the victim's process after a random delay. Returns whether the process existed."""
    await asyncio.sleep(rng.uniform(0.2, 3))
    pid = process_id(victim)
    if pid is None:
        return False
    with contextlib.suppress(ProcessLookupError):
        if kind == "kill":
            os.kill(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGSTOP)
            try:
                await asyncio.sleep(rng.uniform(*PAUSE_SECONDS))
            finally:
                os.kill(pid, signal.SIGCONT)
        return True
    return False


class SoakTest:
    """The running games and their unexplained losses."""

    def __init__(self, arguments):
        self.arguments = arguments
        options = dict(option.split("=", 1) for option in arguments.option)
        names = {"engine": arguments.program, "opponent": arguments.opponent or arguments.program}
        self.engines = {}
        for clock, tc in (("usual", arguments.tc), ("tiny", "0.01+0.01")):
            TimeControl.parse(tc)
            self.engines[clock] = [
                Engine(name, (*NICE_PREFIX, *shlex.split(command)), options=options, tc=tc, margin=arguments.margin)
                for name, command in names.items()
            ]
        self.end = time.monotonic() + 3600 * arguments.hours
        self.number = 0
        self.games_by_fault, self.terminations, self.losses = collections.Counter(), collections.Counter(), []

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
        players = {clock: [Player(e, self.arguments.stall) for e in pair] for clock, pair in self.engines.items()}
        try:
            while time.monotonic() < self.end:
                kind = rng.choice(self.arguments.faults)
                await self.play_game(kind, players["tiny" if kind == "clock" else "usual"], rng)
        finally:
            for player in sum(players.values(), []):
                await player.quit()

    async def play_game(self, kind, players, rng):
        white_and_black = rng.sample(players, 2)
        # Only the opponent is killed: the test observes how the engine under test continues.
        victim = players[1] if kind == "kill" else rng.choice(players)
        number, self.number = self.number, self.number + 1
        settings = Settings(
            tuple(player.engine for player in white_and_black),
            stall=self.arguments.stall,
            maxmoves=self.arguments.maxmoves,
        )
        for player in white_and_black:
            await player.ensure_started()
        hits_process = kind in ("kill", "pause")
        injection = asyncio.create_task(inject_fault(kind, victim, rng)) if hits_process else None
        try:
            record = await GameRunner(settings, Game(number, number, 0, 1, random_opening(rng)), white_and_black).play()
        finally:
            if injection:
                injection.cancel()
                await asyncio.gather(injection, return_exceptions=True)
        self.record_game(kind, victim.engine.name if hits_process else None, record)

    def record_game(self, kind, victim, record):
        """Counts a game and stores a loss that its fault does not explain. Losses of another opponent do not count."""
        self.games_by_fault[kind] += 1
        self.terminations[record["termination"]] += 1
        is_expected = record["termination"] in EXPECTED_LOSSES.get(kind, ()) and victim in (None, record["fault"])
        is_of_opponent = self.arguments.opponent and record["fault"] == "opponent"
        if record["termination"] in LOSS_KINDS and not is_expected and not is_of_opponent:
            self.losses.append((kind, record["fault"], record["termination"], record["detail"]))
            print(f"game {record['game']}, fault {kind}: {record['detail']}", flush=True)
        if self.arguments.journal:
            with open(self.arguments.journal, "a", encoding="utf-8") as journal:
                journal.write(json.dumps(record | {"injected": kind, "victim": victim}) + "\n")

    def report(self):
        """Yields the lines of the report: games, terminations and unexplained losses."""
        faults = ", ".join(f"{count} {kind}" for kind, count in sorted(self.games_by_fault.items()))
        yield f"{sum(self.games_by_fault.values())} games (faults: {faults})"
        yield "terminations: " + ", ".join(f"{count} {end}" for end, count in self.terminations.most_common())
        counts = collections.Counter(loss[2] for loss in self.losses)
        yield "unexplained losses: " + ", ".join(f"{counts[loss]} {loss}" for loss in LOSS_KINDS)


def main(argv=None):
    """Returns the exit code: 0 no unexplained loss, 1 unexplained losses, 2 wrong arguments, 130 interrupted."""
    arguments = build_parser().parse_args(argv)
    if arguments.cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: arguments.cores])
    code = 0
    try:
        soak = SoakTest(arguments)
        asyncio.run(soak.run())
    except KeyboardInterrupt:
        code = 130
    except (MatchError, ValueError) as error:
        print(f"soak.py: {error}", file=sys.stderr)
        return 2
    print("\n".join(soak.report()))
    return code or int(bool(soak.losses))


if __name__ == "__main__":
    sys.exit(main())
