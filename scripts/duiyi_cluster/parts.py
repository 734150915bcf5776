"""What a worker does: runs the program for a part of the run, with the files that it was sent."""

import os
import shutil
import socket
import subprocess
import tempfile
import threading
import zipfile
from dataclasses import dataclass
from pathlib import Path

from duiyi_match.errors import MatchError


@dataclass(frozen=True)
class SentFile:
    """A file in an argument of the program: its path in the archive that was sent to the workers."""

    path: str


lock = threading.Lock()
running = {}
"""The processes of this worker, each with the archive of its run."""


def run_part(archive, words, first, count):
    """Runs the program for `count` games or positions from number `first` on. Returns this host's name and the program's output.

    `words` are the command. `archive` is the name of a zip file in the worker's folder. Raises MatchError.
    """
    files = unpack(archive)
    command = [str(files / word.path) if isinstance(word, SentFile) else word for word in words]
    command += ["--part", str(first), str(count)]
    host = socket.gethostname()
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise MatchError(f"{host}: expected a program, got {command[0]!r} ({error.strerror}); the run stops") from None
    running[process] = archive
    try:
        output, errors = process.communicate()
    finally:
        del running[process]
    if process.returncode:
        lines = errors.decode(errors="replace").strip().splitlines() or [f"exit code {process.returncode}"]
        raise MatchError(f"{host}: {command[0]} {command[1]}: {lines[0].removeprefix('error: ')}; the run stops")
    return host, output


def unpack(archive):
    """Unpacks an archive in the worker's folder, unless it is there already. Returns its folder."""
    from distributed import get_worker

    place = Path(get_worker().local_directory)
    folder = place / archive.removesuffix(".zip")
    with lock:
        if not folder.exists():
            new = tempfile.mkdtemp(dir=place)
            with zipfile.ZipFile(place / archive) as file:
                file.extractall(new)
            os.rename(new, folder)
    return folder


def stop_parts(archive, dask_worker):
    """Ends a run on a worker: kills its programs and removes its files."""
    processes = [process for process, run in list(running.items()) if run == archive]
    for process in processes:
        process.kill()
    for process in processes:
        process.wait()
    place = Path(dask_worker.local_directory)
    shutil.rmtree(place / archive.removesuffix(".zip"), ignore_errors=True)
    (place / archive).unlink(missing_ok=True)
