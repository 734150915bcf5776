"""Is the machine fast enough for the clock? Measures how late a process that waits gets a processor.

The same delay lies between the move of an engine and the program that stops its clock.
"""

import asyncio
import contextlib
import os
import time

INTERVAL = 0.02
"""Seconds between two measurements."""

START_SECONDS = 0.5
"""Duration of the measurement at the start of a match."""

MARGIN_PART = 0.5
"""The part of the time margin that a delay may take. The rest is for the engines, whose processes wait too."""


class DelayMeter:
    """Measures the longest delay of a timer of the event loop, in seconds, while the context is open."""

    def __init__(self):
        self.longest = 0.0

    async def __aenter__(self):
        self.task = asyncio.ensure_future(self._measure())
        return self

    async def __aexit__(self, *_):
        self.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.task

    async def _measure(self):
        while True:
            due = time.perf_counter() + INTERVAL
            await asyncio.sleep(INTERVAL)
            self.longest = max(self.longest, time.perf_counter() - due)


def longest_delay(seconds=START_SECONDS):
    """Returns the longest delay of a process that wakes for the given time, in seconds."""
    longest, end = 0.0, time.perf_counter() + seconds
    while (due := time.perf_counter() + INTERVAL) < end:
        time.sleep(INTERVAL)
        longest = max(longest, time.perf_counter() - due)
    return longest


def clock_margin(settings):
    """Returns the smallest time margin of the engines with a clock, in seconds, or None if there is no clock."""
    margins = [engine.margin for engine in settings.engines if engine.tc or engine.st]
    return min(margins) / 1000 if margins else None


def cores_per_game(settings):
    """Returns the number of cores that a game keeps busy."""
    # An engine refuses a value that is no number.
    values = [engine.options.get("Threads", "1") for engine in settings.engines]
    threads = sorted(int(value) if value.isdecimal() and len(value) < 10 else 1 for value in values)
    players = threads[-2:] if any(engine.ponder for engine in settings.engines) else threads[-1:]
    return sum(players)


def start_warnings(settings, delay, cores):
    """Yields a line for each reason to distrust the clock on a machine with `cores` cores and a measured `delay`.

    Some engine must have a clock.
    """
    margin = clock_margin(settings)
    if (needed := (settings.concurrency or 1) * cores_per_game(settings)) > cores:
        yield f"Warning the games need {needed} cores at a time, this machine has {cores}; engines will wait for each other"
    if delay > MARGIN_PART * margin:
        yield (
            f"Warning this machine is busy (load {os.getloadavg()[0]:.1f} on {cores} cores): a process waited "
            f"{1000 * delay:.0f} ms for a core, the timemargin is {1000 * margin:.0f} ms; moves may be late or weak"
        )


def delay_warning(settings, delays):
    """Returns a line about the longest delays of the games, in seconds, or None if no engine or no clock noticed them."""
    margin = clock_margin(settings)
    late = [delay for delay in delays if margin is not None and delay > MARGIN_PART * margin]
    if not late:
        return None
    return (
        f"Warning the machine was busy in {len(late)} of {len(delays)} games: a process waited up to {1000 * max(late):.0f} ms "
        f"for a core, the timemargin is {1000 * margin:.0f} ms; do not trust these games on the clock"
    )
