#!/usr/bin/env python3
"""Plays an engine against itself for hours, many games at once, while faults happen. `soak.py --help` says how.

Every game has a fault that is drawn by chance: the opponent's process is killed, either process is halted for a while, both
play with a clock of 10 ms, or none. Whatever is lost, and no fault of that game explains it, is reported.
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
from duiyi_match.openings import Opening
from duiyi_match.play import Game, Table
from duiyi_match.settings import Engine, Settings

FAULTS = ("none", "kill", "pause", "clock")
PAUSES = (0.05, 2.0)
"""Seconds that a halted process stands still."""
LOSSES = ("time", "illegal move", "crash", "stall", "disagreement")
EXCUSES = {"kill": ("crash",), "pause": ("time",), "clock": ("time",)}
"""What a fault may cost the side that it befell. A clock of 10 ms befalls both."""
OPENING_PLIES = 8
NICE = ("nice", "-n", "5") if shutil.which("nice") else ()
"""Before an engine's command: who holds the clocks must not wait for those who think."""


def parser():
    p = argparse.ArgumentParser(prog="soak.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--program", required=True, metavar="COMMAND", help="the engine")
    p.add_argument("--opponent", metavar="COMMAND", help="another engine to play against; its losses do not count")
    p.add_argument("--hours", type=float, default=8, help="how long (8)")
    p.add_argument("--games", type=int, default=16, help="games at once (16)")
    p.add_argument("--cores", type=int, default=2, help="processor cores that all of them share (2; 0: all)")
    p.add_argument("--tc", default="2+0.05", help="time control, [MOVES/]SECONDS[+INCREMENT] (2+0.05)")
    p.add_argument("--margin", type=int, default=500, help="milliseconds by which a clock may be overrun (500)")
    p.add_argument("--stall", type=float, default=30, help="seconds of silence after which an engine has stalled (30)")
    p.add_argument("--maxmoves", type=int, default=200, help="a game of so many moves is drawn (200)")
    p.add_argument("--faults", nargs="*", choices=FAULTS, default=FAULTS, help="the faults to draw from (all)")
    p.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of both engines")
    p.add_argument("--seed", type=int, default=1, help="of openings and faults (1)")
    p.add_argument("--journal", metavar="FILE", help="add a JSON line for each game to this file")
    return p


def random_opening(chance):
    """Some random moves, after which the game goes on."""
    while True:
        board = chess.Board()
        while len(board.move_stack) < OPENING_PLIES and not board.is_game_over():
            board.push(chance.choice(list(board.legal_moves)))
        if not board.is_game_over():
            return Opening(moves=tuple(move.uci() for move in board.move_stack))


def process(player):
    """The number of the player's process, None while it has none."""
    running = player.client is not None and not player.client.returncode.done()
    return player.client.transport.get_pid() if running else None


async def fault(kind, victim, chance):
    """Does it to a running game, after a while. Gives whether it was done."""
    await asyncio.sleep(chance.uniform(0.2, 3))
    number = process(victim)
    if number is None:
        return False
    with contextlib.suppress(ProcessLookupError):
        if kind == "kill":
            os.kill(number, signal.SIGKILL)
        else:
            os.kill(number, signal.SIGSTOP)
            try:
                await asyncio.sleep(chance.uniform(*PAUSES))
            finally:
                os.kill(number, signal.SIGCONT)
        return True
    return False


class Soak:
    """The games, and what was lost in them."""

    def __init__(self, arguments):
        self.arguments = arguments
        options = dict(option.split("=", 1) for option in arguments.option)
        names = {"engine": arguments.program, "opponent": arguments.opponent or arguments.program}
        self.engines = {}
        for clock, tc in (("usual", arguments.tc), ("tiny", "0.01+0.01")):
            TimeControl.parse(tc)
            self.engines[clock] = [
                Engine(name, (*NICE, *shlex.split(command)), options=options, tc=tc, margin=arguments.margin)
                for name, command in names.items()
            ]
        self.end = time.monotonic() + 3600 * arguments.hours
        self.number = 0
        self.done, self.ends, self.losses = collections.Counter(), collections.Counter(), []

    async def run(self):
        tables = [asyncio.create_task(self.table(seat)) for seat in range(self.arguments.games)]
        try:
            await asyncio.gather(*tables)
        finally:
            for table in tables:
                table.cancel()
            await asyncio.gather(*tables, return_exceptions=True)

    async def table(self, seat):
        """Plays games one after the other. The processes stay from game to game as long as they live."""
        chance = random.Random(f"{self.arguments.seed}/{seat}")
        players = {clock: [Player(e, self.arguments.stall) for e in pair] for clock, pair in self.engines.items()}
        try:
            while time.monotonic() < self.end:
                kind = chance.choice(self.arguments.faults)
                await self.game(kind, players["tiny" if kind == "clock" else "usual"], chance)
        finally:
            for player in sum(players.values(), []):
                await player.quit()

    async def game(self, kind, players, chance):
        sides = chance.sample(players, 2)
        # Only an opponent is killed: what is to be seen is what the engine makes of it.
        victim = players[1] if kind == "kill" else chance.choice(players)
        number, self.number = self.number, self.number + 1
        settings = Settings(
            tuple(player.engine for player in sides), stall=self.arguments.stall, maxmoves=self.arguments.maxmoves
        )
        for player in sides:
            await player.ready()
        does = kind in ("kill", "pause")
        trouble = asyncio.create_task(fault(kind, victim, chance)) if does else None
        try:
            record = await Table(settings, Game(number, number, 0, 1, random_opening(chance)), sides).play()
        finally:
            if trouble:
                trouble.cancel()
                await asyncio.gather(trouble, return_exceptions=True)
        self.note(kind, victim.engine.name if does else None, record)

    def note(self, kind, victim, record):
        """Counts a game, and keeps a loss that its fault does not explain. An opponent's own losses are its own."""
        self.done[kind] += 1
        self.ends[record["termination"]] += 1
        excused = record["termination"] in EXCUSES.get(kind, ()) and victim in (None, record["fault"])
        foreign = self.arguments.opponent and record["fault"] == "opponent"
        if record["termination"] in LOSSES and not excused and not foreign:
            self.losses.append((kind, record["fault"], record["termination"], record["detail"]))
            print(f"game {record['game']}, fault {kind}: {record['detail']}", flush=True)
        if self.arguments.journal:
            with open(self.arguments.journal, "a", encoding="utf-8") as journal:
                journal.write(json.dumps(record | {"injected": kind, "victim": victim}) + "\n")

    def report(self):
        """What was played and what was lost, as lines."""
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(self.done.items()))
        yield f"{sum(self.done.values())} games (faults: {listed})"
        yield "ended by: " + ", ".join(f"{count} {end}" for end, count in self.ends.most_common())
        counts = collections.Counter(loss[2] for loss in self.losses)
        yield "lost without a reason: " + ", ".join(f"{counts[loss]} {loss}" for loss in LOSSES)


def main(argv=None):
    """Gives the exit code: 0 nothing was lost without a reason, 1 something was, 2 wrong arguments, 130 interrupted."""
    arguments = parser().parse_args(argv)
    if arguments.cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: arguments.cores])
    code = 0
    try:
        soak = Soak(arguments)
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
