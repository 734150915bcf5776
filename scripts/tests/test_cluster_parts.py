"""`duiyi datagen` and `duiyi analyse` on a Dask cluster: the same output as on one machine."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_cluster import REFUSAL_SECONDS, cluster  # noqa: F401  (a fixture)
from test_match import wait_for

SCRIPT = str(Path(__file__).resolve().parents[1] / "cluster.py")

DATAGEN = ["datagen", "--nodes", "200", "--hash", "1", "--max-plies", "120", "--seed", "5"]
POSITION = "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1"

GAMES = """[White "One"]
[Black "Two"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[White "Two"]
[Black "One"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O *
"""


def start(folder, address, program, *arguments):
    return subprocess.Popen(
        [sys.executable, SCRIPT, address, program, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process, code=0):
    out, err = process.communicate(timeout=300)
    assert process.returncode == code and "Traceback" not in err, err
    return out, err


def run_here(folder, program, *arguments):
    return subprocess.run([program, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def programs_of(cluster):  # noqa: F811
    """Returns the commands `datagen` or `analyse` that run on the workers."""
    lines = subprocess.run(
        ["ps", "-ww", "-eo", "sess,args"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    sessions = {str(process.pid): name for name, process in cluster.processes.items()}
    commands = [line.split(maxsplit=1) for line in lines if " --part " in line]
    return {sessions[session]: command for session, command in commands if session in sessions}


def kill_while_it_plays(cluster, name):  # noqa: F811
    wait_for(lambda: name in programs_of(cluster))
    cluster.kill(name)


def test_datagen_with_a_worker_killed_has_the_bytes_of_one_machine(cluster, tmp_path, program):  # noqa: F811
    cluster.start_workers(3)
    (tmp_path / "book.epd").write_text(f"{POSITION}\n")
    words = [*DATAGEN, "--book", "book.epd", "--games", "40"]
    process = start(tmp_path, str(cluster.file), program, *words, "--out", "cluster.bin")
    kill_while_it_plays(cluster, "worker2")
    assert process.poll() is None, "the worker is killed during the run"
    out, _ = finish(process)
    assert out == run_here(tmp_path, program, *words, "--out", "here.bin")
    assert (tmp_path / "cluster.bin").read_bytes() == (tmp_path / "here.bin").read_bytes()


def test_datagen_resumes_after_every_interruption_with_the_bytes_of_one_machine(cluster, tmp_path, program):  # noqa: F811
    cluster.start_workers(2)
    # The file gets a header, two full blocks and a rest: the first run ends after the header, the second after a block. The
    # exit codes say that both were interrupted; on a busy machine the file may be complete by then.
    words = [*DATAGEN, "--positions", "11000", "--out"]
    run_here(tmp_path, program, *words, "here.bin")
    out = tmp_path / "cluster.bin"
    for number, code in ((signal.SIGTERM, 130), (signal.SIGKILL, -9)):
        before = out.stat().st_size if out.exists() else 0
        process = start(tmp_path, cluster.address, program, *words, "cluster.bin", "--resume")
        deadline = time.monotonic() + 60
        while not (out.exists() and out.stat().st_size > before):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(number)
        finish(process, code)
        if code == 130:
            wait_for(lambda: not programs_of(cluster))  # an interrupted run leaves no program on the workers
    with open(out, "r+b") as file:
        file.truncate(out.stat().st_size - 1)
    finish(start(tmp_path, cluster.address, program, *words, "cluster.bin", "--resume"))
    assert out.read_bytes() == (tmp_path / "here.bin").read_bytes()


def records_without_times(path):
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record in records:
        record.pop("ms", None)
        (record.get("solution") or {}).pop("ms", None)
    return records


def without_times(table):
    """Returns the table of `duiyi analyse` without the milliseconds: the last word of a position's line, and the medians."""
    return [re.sub(r" +\d+$", "", line) for line in table.splitlines() if "median" not in line]


def test_analyse_with_a_worker_killed_and_an_interruption_is_that_of_one_machine(cluster, tmp_path, program):  # noqa: F811
    cluster.start_workers(3)
    (tmp_path / "games.pgn").write_text(GAMES)
    (tmp_path / "suite.epd").write_text("".join(f'{POSITION[:-4]} bm d4; id "N.{n}";\n' for n in range(30)))
    words = ["analyse", "suite.epd", "games.pgn", "--nodes", "30000"]
    here = run_here(tmp_path, program, *words, "--out", "here.jsonl", "--pgn", "here.pgn")
    out = [*words, "--out", "cluster.jsonl", "--pgn", "cluster.pgn", "--html", "cluster.html", "--resume"]
    process = start(tmp_path, str(cluster.file), program, *out)
    kill_while_it_plays(cluster, "worker2")
    records = tmp_path / "cluster.jsonl"
    wait_for(lambda: records.exists() and records.read_bytes().count(b"\n") > 2)
    process.send_signal(signal.SIGINT)
    assert "the same command with --resume continues this run" in finish(process, 130)[1]
    assert records.read_bytes().count(b"\n") < 40
    table, _ = finish(start(tmp_path, str(cluster.file), program, *out))
    assert records_without_times(records) == records_without_times(tmp_path / "here.jsonl")
    assert (tmp_path / "cluster.pgn").read_text() == (tmp_path / "here.pgn").read_text()
    assert (tmp_path / "cluster.html").read_text().startswith("<!DOCTYPE html>")
    assert without_times(table) == without_times(here)


def refusal(process, code=1):
    """Returns the last line of standard error of a run that does not start."""
    started_at = time.monotonic()
    _, err = finish(process, code)
    assert time.monotonic() - started_at < REFUSAL_SECONDS
    assert err.count("\n") == 1 and err.startswith("cluster.py: "), err
    return err


def test_run_that_cannot_work_is_refused_in_one_line(cluster, tmp_path, program):  # noqa: F811
    out, address = tmp_path / "out", cluster.address
    assert "found none" in refusal(
        start(tmp_path, "tcp://127.0.0.1:9", program, *DATAGEN, "--games", "1", "--out", "out")
    )
    assert "expected workers" in refusal(start(tmp_path, address, program, *DATAGEN, "--games", "1", "--out", "out"))
    cluster.start_workers(1)
    for words, message in (
        (["--games", "1", "--bogus", "1"], "unexpected argument '--bogus'"),
        (["--games", "1", "--nodes", "0"], "--nodes"),
        (["--games", "1", "--book", "none.epd"], "none.epd"),
    ):
        assert message in refusal(start(tmp_path, address, program, *DATAGEN[:1], *words, "--out", "out"))
        assert not out.exists()
    line = refusal(start(tmp_path, address, "/no/duiyi", *DATAGEN, "--games", "1", "--out", "out"), code=2)
    assert "expected a program, got '/no/duiyi'" in line
    run_here(tmp_path, program, *DATAGEN, "--games", "2", "--out", "out")
    before = out.read_bytes()
    words = [*DATAGEN[:-1], "6", "--games", "3", "--out", "out"]
    assert "--resume continues it" in refusal(start(tmp_path, address, program, *words), code=2)
    line = refusal(start(tmp_path, address, program, *words, "--resume"))
    assert "with seed=5, as the first one, found seed=6 at " in line and out.read_bytes() == before
    out.write_text("other text")
    assert "nothing is changed" in refusal(start(tmp_path, address, program, *words, "--resume"), code=2)
    assert out.read_text() == "other text"
    line = refusal(start(tmp_path, address, program, "analyse", "none.pgn", "--out", "new"), code=2)
    assert "expected a file, got 'none.pgn'" in line


@pytest.mark.parametrize("words", [[], ["datagen"], ["analyse", "--out", "x"]])
def test_missing_arguments_are_named(words):
    done = subprocess.run([sys.executable, SCRIPT, "address", "duiyi", *words], capture_output=True, text=True)
    assert done.returncode == 2 and "required" in done.stderr
