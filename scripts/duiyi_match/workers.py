"""Worker processes, on this machine or on a cluster. Those that play games keep their engines between games.

Both kinds are executors of `concurrent.futures`; games that follow each other are one call of `play_games`. What is
interrupted leaves no record, and a game that is repeated counts once.
"""

import asyncio
import concurrent.futures
import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time

from . import affinity, load
from .engines import Player, silence_libraries
from .game import GameRunner

QUIT_TIMEOUT = 1.0
"""Seconds that engines get to exit when they are asked to."""


class EnginePool(threading.local):
    """The event loop and the engine processes of a thread. `players` maps indices of `settings.engines` to processes."""

    all_players = []
    """All engines of this process, for `quit_engines`."""
    quit_count = 0
    """Number of calls of `quit_engines` in this process."""

    def __init__(self):
        self.loop, self.current_match, self.players = None, None, {}

    async def play(self, settings, game):
        """Plays a game and returns its record. First quits engines that are not in this game, or of another match."""
        indices, match = (game.white, game.black), (settings.engines, self.quit_count)
        for index in [index for index in self.players if index not in indices or self.current_match != match]:
            player = self.players.pop(index)
            await player.quit()
            self.all_players.remove(player)
        self.current_match = match
        for index in indices:
            if index not in self.players:
                self.players[index] = Player(settings.engines[index], settings.stall)
                self.all_players.append(self.players[index])
        return await GameRunner(settings, game, [self.players[index] for index in indices]).play()


engine_pool = EnginePool()


def play_games(settings, games):
    """Plays games one after the other and returns their records. Raises MatchError."""
    if engine_pool.loop is None:
        silence_libraries()
        engine_pool.loop = asyncio.new_event_loop()
    return [engine_pool.loop.run_until_complete(engine_pool.play(settings, game)) for game in games]


def quit_engines():
    """Asks all engines of this process to exit and kills them after QUIT_TIMEOUT. Running games fail."""
    EnginePool.quit_count += 1
    clients = [client for player in EnginePool.all_players if (client := player.client)]
    for client in clients:
        with contextlib.suppress(Exception):  # the thread that plays may be closing the pipe, or have lost the engine
            client.send_line(client.quit_command)
    deadline = time.monotonic() + QUIT_TIMEOUT
    for pid in [client.transport.get_pid() for client in clients]:
        with contextlib.suppress(OSError):  # the process has exited
            while time.monotonic() < deadline:
                os.kill(pid, 0)
                time.sleep(0.01)
            os.kill(pid, signal.SIGKILL)


class WorkerPool:
    """An executor for up to `concurrency` tasks at a time."""

    check_interval = None
    """Seconds between calls of `check`. None means that it need not be called."""

    def __init__(self, executor, concurrency):
        self.executor, self.concurrency = executor, concurrency

    def submit(self, function, *arguments):
        """Returns the future of a call of `function` on a worker."""
        return self.executor.submit(function, *arguments)

    def play(self, settings, games):
        """Returns the future of the records of `games`."""
        return self.submit(play_games, settings, games)

    def start_warnings(self, settings):
        """Returns the reasons to distrust the clock on the machine of the workers."""
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return list(load.start_warnings(settings, load.longest_delay(), cores)) if load.clock_margin(settings) else []

    def check(self, show):
        """Raises MatchError if no worker is left that could finish a task. `show` shows a line to the user."""

    def result(self, future):
        """Returns the result of a finished task. Raises MatchError or BrokenExecutor."""
        return future.result()


@contextlib.contextmanager
def open_processes(count, core_sets=None):
    """Yields a WorkerPool of local processes. They and their engines exit when this process leaves the context or is killed.

    With `core_sets`, the engines of each process run only on the cores of one of these sets.
    """
    # A forked process has the modules loaded already. Windows cannot fork, and macOS should not.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    reader, writer = context.Pipe(duplex=False)
    inherited = (writer,) if sys.platform == "linux" else ()
    cores = context.SimpleQueue()
    for core_set in core_sets or [None] * count:
        cores.put(core_set)
    executor = concurrent.futures.ProcessPoolExecutor(
        count, mp_context=context, initializer=init_worker, initargs=(reader, cores, *inherited)
    )
    executor.submit(
        int
    ).result()  # starts all processes now: later this process may have threads, with which it must not fork
    try:
        yield WorkerPool(executor, count)
    finally:
        writer.close()
        executor.shutdown(wait=True, cancel_futures=True)


def init_worker(stop, cores, *inherited):
    """Initialises a process of the pool. The process exits when the pipe `stop` is closed at the other end.

    `inherited` are copies of that end. `cores` is a queue with the cores of each process's engines, or None for all.
    """
    affinity.engine_cores = cores.get()
    for connection in inherited:
        connection.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl+C
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_exit_when_closed, args=(stop,), daemon=True).start()


def _exit_when_closed(stop):
    """Waits until the parent process closes the pipe or exits, then quits the engines and exits."""
    try:
        with contextlib.suppress(EOFError, OSError):
            stop.recv()
        quit_engines()
    finally:
        os._exit(0)
