"""A long run of tasks on a pool of workers. Each result is recorded at once, so an interrupted run can be resumed."""

import concurrent.futures
import signal
import sys

from .affinity import core_sets
from .errors import MatchError
from .workers import open_processes

DONE, STOPPED, WRONG_ARGUMENTS, INTERRUPTED = 0, 1, 2, 130
"""Exit codes. As in shells, that of an interruption is 128 + SIGINT."""


def run_script(script, run):
    """Returns the exit code: that of `run`. A MatchError that it raises means wrong arguments."""
    try:
        return run()
    except MatchError as error:
        print(f"{script}: {error}", file=sys.stderr)
        return WRONG_ARGUMENTS


def open_pool(settings):
    """Returns a context manager that yields a WorkerPool for a match: of a Dask scheduler, or of this machine."""
    if settings.cluster:
        from .cluster import open_cluster  # imported only here because loading is slow

        return open_cluster(settings.cluster, settings.concurrency)
    return open_processes(settings.concurrency or 1, core_sets(settings))


class Job:
    """A run, new or resumed. A subclass knows the tasks and what becomes of their results."""

    script = ""
    """Name of the script, for messages."""

    is_interrupted = False
    """Whether SIGINT or SIGTERM has arrived."""

    def prepare(self):
        """Does what must be done before the first task."""

    def open_pool(self):
        """Returns a context manager that yields a WorkerPool. Raises MatchError."""
        raise NotImplementedError

    def open_progress(self):
        """Returns a context manager that yields a ProgressDisplay."""
        raise NotImplementedError

    def warnings(self, pool):
        """Returns lines to show before the first task."""
        return []

    def next_task(self):
        """Returns the next task, or None if none can start now. If none is running either, the run is done."""
        raise NotImplementedError

    def submit(self, pool, task):
        """Returns the future of the result of a task."""
        raise NotImplementedError

    def record(self, task, result, progress):
        """Records and shows the result of a task. Raises MatchError."""
        raise NotImplementedError

    def is_done(self):
        """Returns whether the results of running tasks are no longer needed."""
        return False

    def has_results(self):
        """Returns whether there is anything to report and to resume."""
        raise NotImplementedError

    def resume_command(self):
        """Returns what the user does to continue the run, as a sentence."""
        raise NotImplementedError

    def discard(self):
        """Removes the files of a run without results, so that the same command can run again."""
        raise NotImplementedError

    def report(self, code):
        """Prints and writes what the results say. `code` is the exit code. Raises MatchError or OSError."""
        raise NotImplementedError

    def run(self):
        """Does the remaining tasks and reports. Returns the exit code."""
        signal.signal(signal.SIGTERM, self._interrupt)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not ignored, as by `nohup` or in a script
            signal.signal(signal.SIGINT, self._interrupt)
        sys.unraisablehook = self._show_unraisable
        code = INTERRUPTED
        try:
            self.prepare()
            with self.open_pool() as pool, self.open_progress() as progress:
                for line in self.warnings(pool):
                    progress.show(line)
                self._do_tasks(pool, progress)
            code = DONE
        except KeyboardInterrupt:
            self._complain("interrupted")
        except (MatchError, concurrent.futures.BrokenExecutor, concurrent.futures.CancelledError, OSError) as error:
            code = STOPPED
            self._complain(f"{self.script}: {error}")
        if not self.has_results():
            self.discard()
            return code
        try:
            self.report(code)
        except (MatchError, OSError) as error:
            self._complain(f"{self.script}: {error}")
            return code or STOPPED
        return code

    def _interrupt(self, *_):
        """Handles SIGINT and SIGTERM. Python drops an exception that is raised in `__del__`, so there is a flag too."""
        self.is_interrupted = True
        raise KeyboardInterrupt

    def _show_unraisable(self, unraisable):
        """Shows an exception that Python drops, but not after an interruption, which may leave objects half built."""
        if not self.is_interrupted:
            sys.__unraisablehook__(unraisable)

    def _complain(self, text):
        print(text + (f"; {self.resume_command()}" if self.has_results() else ""), file=sys.stderr)

    def _do_tasks(self, pool, progress):
        running = {}
        try:
            while not self.is_done():
                while len(running) < pool.concurrency and (task := self.next_task()) is not None:
                    running[self.submit(pool, task)] = task
                if not running:
                    return
                concurrent.futures.wait(running, pool.check_interval, concurrent.futures.FIRST_COMPLETED)
                if self.is_interrupted:
                    raise KeyboardInterrupt
                pool.check(progress.show)
                self._record_finished(pool, running, progress)
        finally:
            self._record_finished(pool, running, progress, raise_errors=False)

    def _record_finished(self, pool, running, progress, raise_errors=True):
        """Removes finished tasks from `running` and records them. Ignores failed tasks unless `raise_errors`."""
        for future in [future for future in running if future.done()]:
            task = running.pop(future)
            if raise_errors or not (future.cancelled() or future.exception()):
                self.record(task, pool.result(future), progress)
