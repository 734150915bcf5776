"""Workers on a Dask cluster.

The scheduler and its workers get the packages of the scripts from here. Dask repeats the task of a lost worker on another one.
"""

import concurrent.futures
import contextlib
import hashlib
import importlib.metadata
import json
import logging
import os
import pkgutil
import re
import tempfile
import time
import warnings
import zipfile
from pathlib import Path

from .errors import MatchError
from .workers import WorkerPool, quit_engines

SCRIPTS = Path(__file__).parent.parent
"""The folder or zip file of the packages."""

TIMEOUT = 5
"""Seconds that the scheduler gets for each reply, and for its first worker to appear."""

RESTART = "(a scheduler or worker keeps the first version of the scripts until it restarts)"
"""What a message about other scripts ends with."""

LOST_SCHEDULER = (OSError, AttributeError, RuntimeError, concurrent.futures.CancelledError)
"""What a call of Dask's client raises without a scheduler, by the state that the client is in: its connection fails, is
gone, its pool of connections is closed, or the client closes itself."""

WITHOUT_WORKERS = 30
"""Seconds without any worker after which the run stops. Dask starts a killed worker again in less."""


def package_files():
    """Returns the bytes of each module of the packages by its path below SCRIPTS, which may be a zip file."""
    packages = [module.name for module in pkgutil.iter_modules([str(SCRIPTS)]) if module.ispkg]
    return {
        f"{package}/{name}.py": pkgutil.get_data(package, f"{name}.py")
        for package in sorted(packages)
        for name in ["__init__", *(module.name for module in pkgutil.iter_modules([str(SCRIPTS / package)]))]
    }


def package_digest():
    """Returns a checksum of the packages."""
    digest = hashlib.sha256()
    for path, data in package_files().items():
        digest.update(path.encode() + b"\0" + data)
    return digest.hexdigest()[:12]


DIGEST = package_digest()
"""The checksum of the modules as they are loaded: a package that arrives later does not change it."""


class ClusterPool(WorkerPool):
    """The workers of a Dask cluster."""

    check_interval = 1.0

    def __init__(self, client, address, concurrency):
        """`concurrency` None means the cluster's number of threads, which may change."""
        super().__init__(client.get_executor(pure=False), concurrency or count_threads(client, address))
        self.client, self.address, self.is_fixed = client, address, concurrency is not None
        self.sent_files = []
        """The names of the plugins of `send_file`."""
        self.lost_at = None
        """When the last worker was lost; None while there is one."""

    def start_warnings(self, settings):
        """The workers' machines are measured in each game."""
        return []

    def check(self, show):
        """Raises MatchError if the scheduler does not reply, or had no worker for WITHOUT_WORKERS seconds."""
        if threads := count_threads(self.client, self.address):
            self.lost_at = None
            if not self.is_fixed:
                self.concurrency = threads
        elif self.lost_at is None:
            self.lost_at = time.monotonic()
            show(f"no worker is left at {self.address}; waiting {WITHOUT_WORKERS} s for one")
        elif time.monotonic() - self.lost_at > WITHOUT_WORKERS:
            raise MatchError(f"expected workers at {self.address}, found none for {WITHOUT_WORKERS} s; the run stops")

    def result(self, future):
        """Returns the result of a task. Raises MatchError if several workers died during it."""
        from distributed import KilledWorker

        try:
            return super().result(future)
        except KilledWorker as error:
            raise MatchError(
                f"expected a worker that lives through a task, but {error.allowed_failures + 1} "
                "workers died during the same one; the run stops"
            ) from None

    def send_file(self, path):
        """Copies a file to the folder `local_directory` of each worker, also of those that start later."""
        from distributed.diagnostics.plugin import UploadFile

        self.sent_files.append(f"file {os.path.basename(path)}")
        self.client.register_plugin(UploadFile(path, load=False), name=self.sent_files[-1])

    def close(self, stop_tasks):
        """Cancels all tasks and calls `stop_tasks` on each worker, to end those that are running."""
        with contextlib.suppress(*LOST_SCHEDULER):
            self.executor.shutdown(wait=False)
            self.client.run(stop_tasks, on_error="ignore")
            for name in self.sent_files:
                self.client.unregister_worker_plugin(name)


@contextlib.contextmanager
def open_cluster(address, concurrency=None, stop_tasks=quit_engines):
    """Yields a ClusterPool. At the end each worker calls `stop_tasks`. Raises MatchError."""
    with connect(address) as client:
        threads = count_threads(client, address)
        with contextlib.suppress(TimeoutError):
            if not threads:
                client.wait_for_workers(1, timeout=TIMEOUT)
                threads = count_threads(client, address)
        if not threads:
            raise MatchError(f"expected workers at {address}, found none; the run stops")
        send_packages(client)
        require_same_versions(client)
        pool = ClusterPool(client, address, concurrency)
        try:
            yield pool
        finally:
            pool.close(stop_tasks)


def place_of(address):
    """Returns where the scheduler is, as arguments of `distributed.Client`. Raises MatchError."""
    if os.path.isfile(address):
        try:
            with open(address, encoding="utf-8") as file:
                json.load(file)["address"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise MatchError(
                f"expected a scheduler file with an address, got {address} ({type(error).__name__}: {error}); the run stops"
            ) from None
        return {"scheduler_file": address}
    if not re.search(r":\d+$", address):
        raise MatchError(f"expected HOST:PORT of a Dask scheduler or a scheduler file, got {address}; the run stops")
    return {"address": address}


@contextlib.contextmanager
def connect(address):
    """Yields a client of the scheduler at `address`, which may be a scheduler file. Raises MatchError."""
    import dask  # imported only here because loading is slow
    from distributed import Client

    logging.disable(logging.CRITICAL)  # this module reports Dask's errors, one line each
    place = place_of(address)
    with warnings.catch_warnings(), dask.config.set({"distributed.comm.timeouts.connect": TIMEOUT}):
        warnings.simplefilter("ignore")  # `require_same_versions` compares what matters
        try:
            client = Client(**place, timeout=TIMEOUT, set_as_default=False)
        except (OSError, ValueError, KeyError) as error:
            reason = " ".join(str(error).split())
            raise MatchError(f"expected a Dask scheduler at {address}, found none ({reason}); the run stops") from None
        try:
            yield client
        finally:
            client.close(timeout=TIMEOUT)


def count_threads(client, address):
    """Returns the number of worker threads of a cluster. Raises MatchError if its scheduler does not reply."""
    try:
        return sum(client.sync(client.scheduler.ncores, callback_timeout=TIMEOUT).values())
    except LOST_SCHEDULER:
        raise MatchError(f"the Dask scheduler at {address} does not reply; the run stops") from None


def send_packages(client):
    """Sends the packages to the scheduler and to its workers, also to those that start later."""
    from distributed.diagnostics.plugin import SchedulerUploadFile, UploadFile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "duiyi_scripts.zip")
        with zipfile.ZipFile(path, "w") as file:
            for name, data in package_files().items():
                file.writestr(name, data)
        # Not `client.upload_file`, whose random names would leave the packages of earlier runs to later workers.
        for plugin in (SchedulerUploadFile(path), UploadFile(path)):
            try:
                client.register_plugin(plugin, name="duiyi scripts")
            except Exception as error:  # whatever the import raises there
                raise MatchError(
                    f"expected a scheduler and workers that load the scripts, got: {error}; the run stops {RESTART}"
                ) from None


def machine_versions():
    """Returns the versions that all machines of a cluster must share."""
    return {"scripts": DIGEST} | {name: importlib.metadata.version(name) for name in ("chess", "distributed")}


def require_same_versions(client):
    """Raises MatchError if the scheduler or a worker cannot import the packages, or has other versions than this process."""
    replies = client.run(machine_versions, on_error="return")
    try:
        replies[client.scheduler.address] = client.run_on_scheduler(machine_versions)
    except Exception as error:  # whatever the import raises there
        replies[client.scheduler.address] = error
    here = machine_versions()
    for address, found in replies.items():
        if isinstance(found, Exception):
            raise MatchError(f"expected scripts/requirements.txt at {address}, got: {found}; the run stops")
        for name, version in here.items():
            if found[name] != version:
                raise MatchError(
                    f"expected {name} {version} as here at {address}, found {found[name]}; the run stops {RESTART}"
                )
