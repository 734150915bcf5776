"""Matches on a Dask cluster: a scheduler and workers as a user starts them, on this machine."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_match import command, engine, records, wait_for

distributed = pytest.importorskip("distributed")

REFUSAL_SECONDS = 30
"""Seconds until a match that cannot go on must say so: 10 on an idle machine, more because the machine may be busy."""


class Cluster:
    """A scheduler and workers, each in an empty folder without PYTHONPATH."""

    def __init__(self, folder):
        self.folder, self.file = folder, folder / "scheduler.json"
        self.processes, self.worker_count = {}, 0

    def start(self, name, *arguments, **variables):
        (self.folder / name).mkdir(exist_ok=True)
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | variables
        arguments = [*arguments, "--scheduler-file", str(self.file), "--no-dashboard", "--host", "127.0.0.1"]
        with open(self.folder / f"{name}.log", "w") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments],
                cwd=self.folder / name,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def start_scheduler(self):
        self.file.unlink(missing_ok=True)
        self.start("scheduler", "scheduler", "--port", "0")
        wait_for(lambda: self.file.exists() and self.file.read_text().endswith("}"))

    def start_workers(self, count, **variables):
        """Starts workers of one thread and waits until the scheduler knows them."""
        names = [f"worker{self.worker_count + n + 1}" for n in range(count)]
        self.worker_count += count
        for name in names:
            self.start(name, "worker", "--nthreads", "1", "--name", name, **variables)
        for name in names:
            wait_for(lambda name=name: "Registered to" in (self.folder / f"{name}.log").read_text())

    def kill(self, name):
        """Kills a process and those that it started."""
        os.killpg(self.processes[name].pid, signal.SIGKILL)
        self.processes.pop(name).wait()

    def stop(self):
        for process in self.processes.values():
            os.killpg(process.pid, signal.SIGTERM)
        for name in list(self.processes):
            try:
                self.processes[name].wait(20)
                del self.processes[name]
            except subprocess.TimeoutExpired:
                self.kill(name)

    @property
    def address(self):
        return json.loads(self.file.read_text())["address"]


@pytest.fixture
def cluster(tmp_path_factory):
    """Returns a cluster with a scheduler and no workers."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.start_scheduler()
        yield cluster
    finally:
        cluster.stop()


SHORT = ["--maxmoves", "3"]
SLOW = ["do=late", "at=2", "ms=150"]
"""The second move of this engine takes 150 ms more."""


def start_match(folder, *arguments):
    return subprocess.Popen(command(*arguments), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process, code=0):
    """Waits for a match, checks its exit code, and returns standard output and error."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == code and "Traceback" not in err, err
    return out, err


def wait_for_games(journal, count):
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") > count)


def test_match_on_three_workers_one_killed_plays_each_game_once(cluster, tmp_path):
    cluster.start_workers(3)
    arguments = [*engine("a", *SLOW, f"log={tmp_path}/a"), *engine("b"), *SHORT, "--rounds", "30", "--json", "r.json"]
    process = start_match(tmp_path, *arguments, "--cluster", cluster.address)
    journal = tmp_path / "match.jsonl"
    wait_for_games(journal, 4)
    cluster.kill("worker2")
    before = len(records(journal))
    finish(process)
    assert before < 60, "the worker is killed during the match"
    assert sorted(record["game"] for record in records(journal)) == list(range(60))
    data = json.loads((tmp_path / "r.json").read_text())
    assert data["results"][0]["pentanomial"] == [0, 0, 30, 0, 0] and data["terminations"] == {"move limit": 60}
    assert "go nodes 20000\n" in (tmp_path / "a").read_text(), "default limit on a cluster"


def test_match_interrupted_on_cluster_resumes_and_a_second_match_starts_new_engines(cluster, tmp_path):
    cluster.start_workers(2)
    arguments = [*engine("a", *SLOW), *engine("b"), *SHORT, "--rounds", "20", "--cluster", str(cluster.file)]
    process = start_match(tmp_path, *arguments)
    journal = tmp_path / "match.jsonl"
    wait_for_games(journal, 4)
    process.send_signal(signal.SIGTERM)
    finish(process, code=130)
    assert 4 <= len(records(journal)) < 40
    finish(start_match(tmp_path, "--resume", "match.jsonl"))
    finish(start_match(tmp_path, *arguments, "--journal", "second.jsonl"))
    for path in (journal, tmp_path / "second.jsonl"):
        assert sorted(record["game"] for record in records(path)) == list(range(40))
        assert {record["termination"] for record in records(path)} == {"move limit"}


def refusal(process):
    """Returns the only line of standard error of a match that has just started and does not play."""
    started_at = time.monotonic()
    line = process.stderr.readline()
    assert time.monotonic() - started_at < REFUSAL_SECONDS
    _, rest = finish(process, code=1)
    assert line.startswith("match.py: ") and rest == "", line + rest
    return line


def test_cluster_without_scheduler_is_refused(tmp_path):
    arguments = [*engine("a"), *engine("b"), "--cluster", "tcp://127.0.0.1:9"]
    line = refusal(start_match(tmp_path, *arguments))
    assert "expected a Dask scheduler at tcp://127.0.0.1:9, found none" in line
    assert not (tmp_path / "match.jsonl").exists()


def test_cluster_without_workers_is_refused(cluster, tmp_path):
    arguments = [*engine("a"), *engine("b"), "--cluster", cluster.address]
    line = refusal(start_match(tmp_path, *arguments))
    assert f"expected workers at {cluster.address}, found none" in line


def test_worker_without_the_libraries_is_refused(cluster, tmp_path):
    (tmp_path / "chess").mkdir()
    (tmp_path / "chess" / "__init__.py").write_text("")
    cluster.start_workers(1)
    cluster.start_workers(1, PYTHONPATH=str(tmp_path))
    arguments = [*engine("a"), *engine("b"), "--cluster", cluster.address]
    line = refusal(start_match(tmp_path, *arguments))
    assert "expected scripts/requirements.txt at tcp://127.0.0.1:" in line and "chess" in line


def other_lines(process, lost_at):
    """Returns the lines of standard error that are not about a game. The first must come soon after `lost_at`."""
    lines = []
    for line in process.stderr:
        if " game " not in line:
            assert lines or time.monotonic() - lost_at < REFUSAL_SECONDS
            lines.append(line)
    return lines


@pytest.mark.parametrize(
    "lost, messages", [("worker1", ["no worker is left", "found none for 30 s"]), ("scheduler", ["does not reply"])]
)
def test_cluster_lost_during_match_stops_it_and_it_resumes(cluster, tmp_path, lost, messages):
    cluster.start_workers(1)
    arguments = [*engine("a", *SLOW), *engine("b"), *SHORT, "--rounds", "20", "--cluster", cluster.address]
    process = start_match(tmp_path, *arguments)
    journal = tmp_path / "match.jsonl"
    wait_for_games(journal, 4)
    cluster.kill(lost)
    lines = other_lines(process, time.monotonic())
    assert len(lines) == len(messages) and all(map(str.__contains__, lines, messages)), "".join(lines)
    assert "match.py --resume match.jsonl continues this match" in lines[-1]
    finish(process, code=1)
    kept = records(journal)
    assert 4 <= len(kept) < 40
    if lost == "scheduler":
        cluster.stop()
        cluster.start_scheduler()
    cluster.start_workers(2)
    finish(start_match(tmp_path, "--resume", "match.jsonl", "--cluster", str(cluster.file)))
    assert records(journal)[: len(kept)] == kept
    assert sorted(record["game"] for record in records(journal)) == list(range(40))


@pytest.mark.parametrize("packages", [("duiyi_match",), ("duiyi_cluster", "duiyi_log", "duiyi_match", "duiyi_spsa")])
def test_scripts_changed_since_the_workers_started_are_refused(cluster, tmp_path, packages):
    cluster.start_workers(1)
    arguments = [*engine("a"), *engine("b"), *SHORT, "--rounds", "1", "--cluster", cluster.address]
    finish(start_match(tmp_path, *arguments))
    scripts = Path(__file__).resolve().parents[1]
    changed = tmp_path / "scripts"
    for path in [scripts / "match.py", *(path for package in packages for path in (scripts / package).glob("*.py"))]:
        (changed / path.relative_to(scripts)).parent.mkdir(parents=True, exist_ok=True)
        (changed / path.relative_to(scripts)).write_text(path.read_text() + "\n# changed\n")
    process = subprocess.Popen(
        [sys.executable, str(changed / "match.py"), *arguments, "--journal", "changed.jsonl"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    line = refusal(process)
    assert "scripts" in line and "until it restarts" in line


def test_tuning_on_a_cluster_is_the_same_as_on_one_machine(cluster, tmp_path):
    cluster.start_workers(2)
    (tmp_path / "p.txt").write_text("Hash, int, 30, 1, 64, 10, 0.05\n")
    script = Path(__file__).resolve().parents[1] / "spsa.py"
    words = [*engine("a")[:2], "nodes=1", "--random-openings", "0", *SHORT, "--parameters", "p.txt", "--pairs", "4"]
    pairs = []
    for journal, place in (("a.jsonl", ["--cluster", cluster.address]), ("b.jsonl", ["--concurrency", "2"])):
        done = subprocess.run([sys.executable, script, *words, "--journal", journal, *place], cwd=tmp_path, timeout=120)
        assert done.returncode == 0
        lines = [json.loads(line) for line in (tmp_path / journal).read_text().splitlines()[1:]]
        pairs.append({line["pair"]: (line["plus"], line["minus"], line["score"]) for line in lines})
    assert pairs[0] == pairs[1] and len(pairs[0]) == 4
