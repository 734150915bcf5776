"""Where games are played: processes of this machine, or of many. Each thread that plays keeps its engines for the next game.

Both kinds are executors of `concurrent.futures`, and a pair of games is a call of `play_pair`, so that nothing else knows
where it is played. A process that ends before its pair is over has told nobody of it, and what has been told is counted once.
"""

import asyncio
import concurrent.futures
import contextlib
import logging
import multiprocessing
import os
import signal
import tempfile
import threading
import time
import zipfile
from pathlib import Path

from .engines import Player
from .errors import MatchError
from .game import GameRunner

QUIT_TIMEOUT = 1.0
"""For engines to obey `quit`."""

CONNECT_TIMEOUT = 10
"""For a scheduler to answer."""


class EnginePool(threading.local):
    """A thread's event loop and engines, these by their places among the settings' engines."""

    all_players = []
    """All engines of this process, for the end."""

    def __init__(self):
        self.loop, self.current_engines, self.players = None, None, {}

    async def play(self, settings, game):
        """Only the engines of this game are kept, and none of another match."""
        indices = (game.white, game.black)
        for index in [
            index for index in self.players if index not in indices or self.current_engines != settings.engines
        ]:
            player = self.players.pop(index)
            await player.quit()
            self.all_players.remove(player)
        self.current_engines = settings.engines
        for index in indices:
            if index not in self.players:
                self.players[index] = Player(settings.engines[index], settings.stall)
                self.all_players.append(self.players[index])
        return await GameRunner(settings, game, [self.players[index] for index in indices]).play()


engine_pool = EnginePool()


def play_pair(settings, games):
    """Plays the games of a pair, one after the other, and returns their records. Raises MatchError."""
    if engine_pool.loop is None:
        logging.getLogger("chess.engine").setLevel(logging.CRITICAL)  # the last lines are in the record
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        engine_pool.loop = asyncio.new_event_loop()
    return [engine_pool.loop.run_until_complete(engine_pool.play(settings, game)) for game in games]


def quit_engines():
    """Ends all engines of this process: asks them, and does not wait long. No game may be in play that shall go on."""
    clients = [player.client for player in EnginePool.all_players if player.client]
    for client in clients:
        client.send_line("quit")
    deadline = time.monotonic() + QUIT_TIMEOUT
    for pid in [client.transport.get_pid() for client in clients]:
        with contextlib.suppress(OSError):  # it has gone
            while time.monotonic() < deadline:
                os.kill(pid, 0)
                time.sleep(0.01)
            os.kill(pid, signal.SIGKILL)


def open_executor(settings):
    """A context that gives an executor and how many pairs it plays at a time. Raises MatchError."""
    return cluster_executor(settings) if settings.cluster else process_executor(settings.concurrency or 1)


@contextlib.contextmanager
def process_executor(count):
    """Processes of this machine. They end, with their engines, when this one leaves the context or is killed."""
    context = multiprocessing.get_context("spawn")
    reader, writer = context.Pipe(duplex=False)
    pool = concurrent.futures.ProcessPoolExecutor(
        count, mp_context=context, initializer=init_worker, initargs=(reader,)
    )
    try:
        yield pool, count
    finally:
        writer.close()
        pool.shutdown(wait=True, cancel_futures=True)


def init_worker(stop):
    """Prepares a process of the pool. `stop` is the reading end of a pipe: its end is the end of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the match itself says when to end
    threading.Thread(target=_exit_when_closed, args=(stop,), daemon=True).start()


def _exit_when_closed(stop):
    """Waits until the match is over or its process is gone, in whatever way, and leaves no engine behind."""
    with contextlib.suppress(EOFError, OSError):
        stop.recv()
    quit_engines()
    os._exit(0)


@contextlib.contextmanager
def cluster_executor(settings):
    """The workers of a Dask scheduler, which are given this package. A pair whose worker is lost is played by another."""
    from distributed import Client  # needed here only, and slow to load

    address = settings.cluster
    try:
        client = Client(address, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise MatchError(f"--cluster: expected a Dask scheduler at {address}, got none ({error})") from None
    with client, tempfile.TemporaryDirectory() as folder:
        threads = sum(client.nthreads().values())
        if not threads:
            raise MatchError(f"--cluster: expected workers at {address}, got none")
        client.upload_file(zip_package(folder), load=False)
        dask = client.get_executor(pure=False)
        try:
            yield dask, settings.concurrency or threads
        finally:
            dask.shutdown(wait=False)
            client.run(quit_engines)


def zip_package(folder):
    """Writes this package as a zip file from which Python can import it, and returns its path."""
    package = Path(__file__).parent
    path = Path(folder) / f"{package.name}.zip"
    with zipfile.ZipFile(path, "w") as file:
        for module in sorted(package.glob("*.py")):
            file.write(module, f"{package.name}/{module.name}")
    return str(path)
