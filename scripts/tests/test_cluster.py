"""Matches on a Dask cluster: a scheduler and two workers on this machine."""

import json
import os
import signal
import subprocess

import pytest
from test_match import command, engine, records, wait_for

distributed = pytest.importorskip("distributed")


@pytest.fixture
def cluster():
    """Starts a scheduler and two workers without the scripts. Yields a client."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
        ) as workers,
        distributed.Client(workers) as client,
    ):
        yield client


def pids(client):
    return set(client.run(os.getpid).values())


def test_cluster_worker_killed_each_pair_counted_once(cluster, tmp_path):
    arguments = [*engine("a", "do=late", "at=2", "ms=150", f"log={tmp_path}/a"), *engine("b"), "--cluster"]
    arguments += [cluster.scheduler.address, "--rounds", "15", "--maxmoves", "3", "--json", "r.json"]
    process = subprocess.Popen(
        command(*arguments), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    journal = tmp_path / "match.jsonl"
    before = pids(cluster)
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 4)
    os.kill(min(before), signal.SIGKILL)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0, out
    assert min(before) not in pids(cluster)
    assert sorted(record["game"] for record in records(journal)) == list(range(30))
    pairs = [record["pair"] for record in records(journal)]
    assert pairs[::2] == pairs[1::2], "both games of a pair are adjacent"
    data = json.loads((tmp_path / "r.json").read_text())
    assert data["results"][0]["pentanomial"] == [0, 0, 15, 0, 0]
    assert "go nodes 20000\n" in (tmp_path / "a").read_text(), "default limit on a cluster"


def test_cluster_without_scheduler_fails_with_one_line(tmp_path):
    done = subprocess.run(
        command(*engine("a"), *engine("b"), "--cluster", "tcp://127.0.0.1:9"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1 and "expected a Dask scheduler at tcp://127.0.0.1:9" in done.stderr
    assert done.stderr.count("\n") == 1
