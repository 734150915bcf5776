"""The processes that play: each plays one game at a time and keeps its engines for the next."""

import asyncio
import logging
import os
import signal
import threading
import time

from .engines import Player
from .play import Table

LEAVE_SECONDS = 1.0
"""For engines to obey `quit`."""

players = {}
"""This process's engines, by their place among the settings' engines."""

loop = None


def begin(stop):
    """Prepares a process of the pool. `stop` is the reading end of a pipe: its end is the end of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the match itself says when to end
    threading.Thread(target=_end_with, args=(stop,), daemon=True).start()


def _end_with(stop):
    """Waits until the match is over or its process is gone, in whatever way, and leaves no engine behind."""
    try:
        stop.recv()
    except (EOFError, OSError):
        pass
    clients = [player.client for player in players.values() if player.client]
    for client in clients:
        client.send_line("quit")
    deadline = time.monotonic() + LEAVE_SECONDS
    for pid in [client.transport.get_pid() for client in clients]:
        try:
            while time.monotonic() < deadline:
                os.kill(pid, 0)
                time.sleep(0.01)
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass  # it has gone
    os._exit(0)


def play_game(settings, game):
    """Plays a game and returns its record. Raises MatchError."""
    global loop
    if loop is None:
        logging.getLogger("chess.engine").setLevel(logging.CRITICAL)  # the last lines are in the record
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        loop = asyncio.new_event_loop()
    return loop.run_until_complete(_play(settings, game))


async def _play(settings, game):
    seats = (game.white, game.black)
    for seat in [seat for seat in players if seat not in seats]:
        await players.pop(seat).quit()
    for seat in seats:
        players.setdefault(seat, Player(settings.engines[seat], settings.stall))
    return await Table(settings, game, [players[seat] for seat in seats]).play()
