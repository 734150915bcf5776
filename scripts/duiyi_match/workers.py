"""Worker processes that play games, on this machine or on a Dask cluster. Each worker thread keeps its engines between games.

Both kinds are executors of `concurrent.futures`; a pair of games is one call of `play_pair`. A worker returns the records
of a pair together, so a pair that is interrupted leaves no record, and a repeated pair counts once.
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
"""Seconds that engines get to exit when they are asked to."""

CONNECT_TIMEOUT = 10
"""Seconds that a Dask scheduler gets to accept the connection."""


class EnginePool(threading.local):
    """The event loop and the engine processes of a thread. `players` maps indices of `settings.engines` to processes."""

    all_players = []
    """All engines of this process, for `quit_engines`."""

    def __init__(self):
        self.loop, self.current_engines, self.players = None, None, {}

    async def play(self, settings, game):
        """Plays a game and returns its record. First quits engines that are not in this game, or of another match."""
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
    """Plays the games of a pair one after the other and returns their records. Raises MatchError."""
    if engine_pool.loop is None:
        logging.getLogger("chess.engine").setLevel(logging.CRITICAL)  # the game record has the engines' last lines
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        engine_pool.loop = asyncio.new_event_loop()
    return [engine_pool.loop.run_until_complete(engine_pool.play(settings, game)) for game in games]


def quit_engines():
    """Asks all engines of this process to exit and kills them after QUIT_TIMEOUT. Running games fail."""
    clients = [player.client for player in EnginePool.all_players if player.client]
    for client in clients:
        client.send_line(client.quit_command)
    deadline = time.monotonic() + QUIT_TIMEOUT
    for pid in [client.transport.get_pid() for client in clients]:
        with contextlib.suppress(OSError):  # the process has exited
            while time.monotonic() < deadline:
                os.kill(pid, 0)
                time.sleep(0.01)
            os.kill(pid, signal.SIGKILL)


def open_executor(settings):
    """Returns a context manager that yields an executor and the number of concurrent pairs. Raises MatchError."""
    return cluster_executor(settings) if settings.cluster else process_executor(settings.concurrency or 1)


@contextlib.contextmanager
def process_executor(count):
    """Yields a pool of local processes. They and their engines exit when this process leaves the context or is killed."""
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
    """Initialises a process of the pool. The process exits when the pipe `stop` is closed at the other end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl+C
    threading.Thread(target=_exit_when_closed, args=(stop,), daemon=True).start()


def _exit_when_closed(stop):
    """Waits until the parent process closes the pipe or exits, then quits the engines and exits."""
    with contextlib.suppress(EOFError, OSError):
        stop.recv()
    quit_engines()
    os._exit(0)


@contextlib.contextmanager
def cluster_executor(settings):
    """Yields the workers of a Dask scheduler, after sending them this package. A lost worker's pair is played by another one."""
    from distributed import Client  # imported only here because loading is slow

    address = settings.cluster
    try:
        client = Client(address, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise MatchError(
            f"--cluster: expected a Dask scheduler at {address}, found none ({error}); the match stops"
        ) from None
    with client, tempfile.TemporaryDirectory() as folder:
        threads = sum(client.nthreads().values())
        if not threads:
            raise MatchError(f"--cluster: expected workers at {address}, found none; the match stops")
        client.upload_file(zip_package(folder), load=False)
        dask = client.get_executor(pure=False)
        try:
            yield dask, settings.concurrency or threads
        finally:
            dask.shutdown(wait=False)
            client.run(quit_engines)


def zip_package(folder):
    """Writes this package as an importable zip file and returns its path."""
    package = Path(__file__).parent
    path = Path(folder) / f"{package.name}.zip"
    with zipfile.ZipFile(path, "w") as file:
        for module in sorted(package.glob("*.py")):
            file.write(module, f"{package.name}/{module.name}")
    return str(path)
