"""Cores of their own for the engines of each game at a time (`--affinity`), so that the system moves no engine between cores."""

import contextlib
import os
from pathlib import Path

from .errors import MatchError
from .load import cores_per_game

TOPOLOGY = Path("/sys/devices/system/cpu")
"""Where Linux says which cores are threads of one physical core."""

engine_cores = None
"""The cores of the engines that this process starts; None for all."""


@contextlib.contextmanager
def on_engine_cores():
    """A process that starts in this context runs on `engine_cores`. This process itself runs on them while it starts it."""
    if engine_cores is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, engine_cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def thread_number(core, topology=TOPOLOGY):
    """Returns the place of a core among the threads of its physical core, from 0 on."""
    with contextlib.suppress(OSError, ValueError):
        text = (topology / f"cpu{core}/topology/thread_siblings_list").read_text()
        ends = [part.split("-") for part in text.strip().split(",")]
        siblings = [number for end in ends for number in range(int(end[0]), int(end[-1]) + 1)]
        return siblings.index(core)
    return 0


def core_sets(settings, topology=TOPOLOGY):
    """Returns the cores of each of the games at a time, or None without `--affinity`. First one thread of each physical core is
    taken. Raises MatchError."""
    if not settings.affinity:
        return None
    if settings.cluster or not hasattr(os, "sched_setaffinity"):
        place = "--cluster" if settings.cluster else "another system"
        raise MatchError(
            f"--affinity: expected games on this machine and Linux, got {place}; --no-affinity plays without"
        )
    cores = sorted(os.sched_getaffinity(0), key=lambda core: (thread_number(core, topology), core))
    games, each = settings.concurrency or 1, cores_per_game(settings)
    if games * each > len(cores):
        raise MatchError(
            f"--affinity: expected at most {len(cores)} cores for the games, "
            f"got {games * each} ({games} games of {each}); --no-affinity plays without"
        )
    return [cores[start : start + each] for start in range(0, games * each, each)]
