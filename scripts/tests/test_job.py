"""Runs of tasks."""

import contextlib
import os
import signal
import sys
from concurrent.futures import Future
from types import SimpleNamespace

from duiyi_match.job import INTERRUPTED, Job

TASKS = 50


class InterruptedInDel:
    """Sends SIGTERM to this process when it is deleted: Python drops the exception of the handler."""

    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)


class HalfBuilt:
    """Cannot be deleted without an exception, like an object whose construction was interrupted."""

    def __del__(self):
        raise AttributeError


class Tasks(Job):
    """Tasks that are done at once; an interruption arrives in the `__del__` of an object at the tenth."""

    done = 0

    def open_pool(self):
        pool = SimpleNamespace(concurrency=1, check_interval=1, check=lambda show: None, result=Future.result)
        return contextlib.nullcontext(pool)

    def open_progress(self):
        return contextlib.nullcontext(SimpleNamespace(show=print))

    def warnings(self, pool):
        return []

    def next_task(self):
        return self.done if self.done < TASKS else None

    def submit(self, pool, task):
        if task == 10:
            InterruptedInDel()
            HalfBuilt()
        future = Future()
        future.set_result(task)
        return future

    def record(self, task, result, progress):
        self.done += 1

    def has_results(self):
        return False

    def discard(self):
        pass


def test_interruption_in_a_del_method_stops_the_run(capsys):
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    hook, sys.unraisablehook = sys.unraisablehook, sys.__unraisablehook__  # not that of pytest
    try:
        tasks = Tasks()
        assert tasks.run() == INTERRUPTED
        assert 10 <= tasks.done < TASKS
        assert "Traceback" not in capsys.readouterr().err
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook
