"""Workers on a Dask cluster.

The scheduler and its workers get this package from here. Dask plays the game of a lost worker on another one.
"""

import concurrent.futures
import contextlib
import hashlib
import importlib.metadata
import logging
import os
import pkgutil
import tempfile
import time
import warnings
import zipfile
from pathlib import Path

from .errors import MatchError
from .workers import WorkerPool, quit_engines

PACKAGE = Path(__file__).parent

TIMEOUT = 5
"""Seconds that the scheduler gets for each reply, and for its first worker to appear."""

WITHOUT_WORKERS = 30
"""Seconds without any worker after which the match stops. Dask starts a killed worker again in less."""


def package_digest():
    """Returns a checksum of the modules of this package. It works in a zip file too."""
    names = sorted(module.name for module in pkgutil.iter_modules([str(PACKAGE)]))
    return hashlib.sha256(b"".join(pkgutil.get_data(__package__, f"{name}.py") for name in names)).hexdigest()[:12]


DIGEST = package_digest()
"""The checksum of the modules as they are loaded: a package that arrives later does not change it."""


class ClusterPool(WorkerPool):
    """The workers of a Dask cluster."""

    check_interval = 1.0

    def __init__(self, client, address, concurrency):
        super().__init__(client.get_executor(pure=False), concurrency)
        self.client, self.address = client, address
        self.lost_at = None
        """When the last worker was lost; None while there is one."""

    def start_warnings(self, settings):
        """The workers' machines are measured in each game."""
        return []

    def check(self, show):
        """Raises MatchError if the scheduler does not reply, or had no worker for WITHOUT_WORKERS seconds."""
        if count_threads(self.client, self.address):
            self.lost_at = None
        elif self.lost_at is None:
            self.lost_at = time.monotonic()
            show(f"match.py: no worker is left at {self.address}; the match waits {WITHOUT_WORKERS} s for one")
        elif time.monotonic() - self.lost_at > WITHOUT_WORKERS:
            raise MatchError(
                f"--cluster: expected workers at {self.address}, found none for {WITHOUT_WORKERS} s; the match stops"
            )

    def result(self, future):
        """Returns the records of games. Raises MatchError if several workers died during them."""
        from distributed import KilledWorker

        try:
            return super().result(future)
        except KilledWorker as error:
            raise MatchError(
                f"--cluster: expected a worker that lives through a game, but {error.allowed_failures + 1} "
                "workers died during the same game; the match stops"
            ) from None


@contextlib.contextmanager
def open_cluster(address, concurrency):
    """Yields a ClusterPool. `concurrency` None means the cluster's number of threads. Raises MatchError."""
    with connect(address) as client:
        threads = count_threads(client, address)
        with contextlib.suppress(TimeoutError):
            if not threads:
                client.wait_for_workers(1, timeout=TIMEOUT)
                threads = count_threads(client, address)
        if not threads:
            raise MatchError(f"--cluster: expected workers at {address}, found none; the match stops")
        send_package(client)
        require_same_versions(client)
        pool = ClusterPool(client, address, concurrency or threads)
        try:
            yield pool
        finally:
            with contextlib.suppress(OSError, AttributeError):  # the scheduler is lost
                pool.executor.shutdown(wait=False)
                client.run(quit_engines, on_error="ignore")


@contextlib.contextmanager
def connect(address):
    """Yields a client of the scheduler at `address`, which may be a scheduler file. Raises MatchError."""
    import dask  # imported only here because loading is slow
    from distributed import Client

    logging.disable(logging.CRITICAL)  # this module reports Dask's errors, one line each
    place = {"scheduler_file": address} if os.path.isfile(address) else {"address": address}
    with warnings.catch_warnings(), dask.config.set({"distributed.comm.timeouts.connect": TIMEOUT}):
        warnings.simplefilter("ignore")  # `require_same_versions` compares what matters
        try:
            client = Client(**place, timeout=TIMEOUT, set_as_default=False)
        except (OSError, ValueError, KeyError) as error:
            reason = " ".join(str(error).split())
            raise MatchError(
                f"--cluster: expected a Dask scheduler at {address}, found none ({reason}); the match stops"
            ) from None
        try:
            yield client
        finally:
            client.close(timeout=TIMEOUT)


def count_threads(client, address):
    """Returns the number of worker threads of a cluster. Raises MatchError if its scheduler does not reply."""
    try:
        return sum(client.sync(client.scheduler.ncores, callback_timeout=TIMEOUT).values())
    except (OSError, AttributeError, concurrent.futures.CancelledError):
        raise MatchError(f"--cluster: the Dask scheduler at {address} does not reply; the match stops") from None


def send_package(client):
    """Sends this package to the scheduler and to its workers, also to those that start later."""
    from distributed.diagnostics.plugin import SchedulerUploadFile, UploadFile

    with tempfile.TemporaryDirectory() as folder:
        path = zip_package(folder)
        # Not `client.upload_file`, whose random names would leave the packages of earlier matches to later workers.
        for plugin in (SchedulerUploadFile(path), UploadFile(path)):
            client.register_plugin(plugin, name=PACKAGE.name)


def zip_package(folder):
    """Writes this package as an importable zip file and returns its path."""
    path = Path(folder) / f"{PACKAGE.name}.zip"
    with zipfile.ZipFile(path, "w") as file:
        for module in sorted(PACKAGE.glob("*.py")):
            file.write(module, f"{PACKAGE.name}/{module.name}")
    return str(path)


def machine_versions():
    """Returns the versions that all machines of a cluster must share."""
    return {"scripts": DIGEST} | {name: importlib.metadata.version(name) for name in ("chess", "distributed")}


def require_same_versions(client):
    """Raises MatchError if the scheduler or a worker cannot import this package, or has other versions than this process."""
    replies = client.run(machine_versions, on_error="return")
    try:
        replies[client.scheduler.address] = client.run_on_scheduler(machine_versions)
    except Exception as error:  # whatever the import raises there
        replies[client.scheduler.address] = error
    here = machine_versions()
    for address, found in replies.items():
        if isinstance(found, Exception):
            raise MatchError(
                f"--cluster: expected scripts/requirements.txt at {address}, got: {found}; the match stops"
            )
        for name, version in here.items():
            if found[name] != version:
                raise MatchError(
                    f"--cluster: expected {name} {version} as here at {address}, found {found[name]}; the match stops "
                    "(a scheduler or worker keeps the first version of the scripts until it restarts)"
                )
