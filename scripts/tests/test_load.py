"""Warnings of a machine that is too busy for the clock."""

import asyncio
import dataclasses
import os
import subprocess
import sys
import time

import pytest
from test_results import record

from conftest import mock_engine
from duiyi_match import load
from duiyi_match.affinity import core_sets, on_engine_cores
from duiyi_match.errors import MatchError
from duiyi_match.results import Results
from duiyi_match.settings import Engine, Settings, build_parser, resumed_settings
from duiyi_match.workers import open_processes


def settings(concurrency=1, **limits):
    return Settings(tuple(Engine(name, ("x",), **limits) for name in "ab"), concurrency=concurrency)


@pytest.mark.parametrize(
    "more, delay, words",
    [
        ({}, 0.001, []),
        ({}, 0.011, ["a process waited 11 ms for a core, the timemargin is 20 ms"]),
        ({"margin": 100}, 0.011, []),
        ({"concurrency": 3}, 0.001, ["the games need 3 cores at a time, this machine has 2"]),
        ({"ponder": True, "concurrency": 2}, 0.001, ["need 4 cores"]),
        ({"options": {"Threads": "4"}}, 0.02, ["need 4 cores", "waited 20 ms"]),
        ({"options": {"Threads": "four"}}, 0.001, []),
    ],
)
def test_start_warnings_name_missing_cores_and_delays(more, delay, words):
    lines = list(load.start_warnings(settings(**{"tc": "1+0.1", **more}), delay, cores=2))
    assert len(lines) == len(words) and all(word in line for word, line in zip(words, lines)), lines


def test_report_warns_of_games_with_delays():
    for limits, warned in (({"st": 1.0}, True), ({"nodes": 10}, False)):
        results = Results(settings(**limits))
        for number, delay in enumerate((0.002, 0.031, 0.012)):
            results.add(record(number, "a", "b", "1-0", delay=delay))
        warning = "Warning the machine was busy in 2 of 3 games: a process waited up to 31 ms for a core"
        assert (warning in results.report()) == warned
        assert results.to_json("done")["longest_delay"] == 0.031


def test_meter_sees_a_blocked_event_loop():
    async def block():
        async with load.DelayMeter() as meter:
            await asyncio.sleep(2 * load.INTERVAL)
            time.sleep(0.2)
            await asyncio.sleep(2 * load.INTERVAL)
        return meter.longest

    assert asyncio.run(block()) > 0.2 - 2 * load.INTERVAL
    assert 0 <= load.longest_delay(0.1) < 10


def test_game_record_has_its_longest_delay(play):
    assert play(mock_engine("w"), mock_engine("b"), maxmoves=2)["delay"] >= 0


needs_affinity = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system has no affinity")


@needs_affinity
def test_engines_of_each_worker_run_on_cores_of_their_own():
    cores = sorted(os.sched_getaffinity(0))
    sets = [[core] for core in cores[:2]]
    with open_processes(len(sets), sets) as pool:
        tasks = [pool.submit(cores_of_engine, 0.3) for _ in sets]
        found = [task.result() for task in tasks]
    assert sorted(engine for engine, _ in found) == sets
    assert all(worker == cores for _, worker in found)


def cores_of_engine(seconds):
    """Returns the cores of a process that starts as engines do, and those of this process. Waits, so that no worker takes
    two tasks."""
    time.sleep(seconds)
    with on_engine_cores():
        command = [sys.executable, "-c", "import os; print(*sorted(os.sched_getaffinity(0)))"]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [int(word) for word in output.split()], sorted(os.sched_getaffinity(0))


@needs_affinity
def test_affinity_takes_physical_cores_first(tmp_path, monkeypatch):
    for core in range(4):  # 0 and 1 are threads of one core, 2 and 3 of another
        folder = tmp_path / f"cpu{core}/topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text("0-1\n" if core < 2 else "2,3\n")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3})

    def sets(**more):
        return core_sets(dataclasses.replace(settings(**more), affinity=True), tmp_path)

    assert sets(concurrency=3) == [[0], [2], [1]]
    assert sets(options={"Threads": "2"}, concurrency=2) == [[0, 2], [1, 3]]
    assert core_sets(settings(concurrency=9), tmp_path) is None
    with pytest.raises(MatchError, match=r"--affinity: expected at most 4 cores for the games, got 6 \(3 games of 2\)"):
        sets(ponder=True, concurrency=3)
    old = dataclasses.replace(settings(concurrency=9), affinity=True)
    with pytest.raises(MatchError, match="--no-affinity plays without"):
        resumed_settings(old, build_parser().parse_args(["--resume", "j", "--rounds", "9"]))
    assert not resumed_settings(old, build_parser().parse_args(["--resume", "j", "--no-affinity"])).affinity
