"""Progress on standard error: a bar on a terminal, a line for each game in a pipe."""

import sys
import time

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn


class Live:
    """Use it as a context; tell it each game."""

    def __init__(self, results, total, stream=None):
        self.results, self.total = results, total
        self.stream = stream or sys.stderr
        self.began, self.before = time.monotonic(), len(results.done)
        self.bar = None
        if self.stream.isatty():
            columns = TextColumn("{task.completed}/{task.total}"), BarColumn(), TextColumn("{task.description}")
            self.bar = Progress(*columns, console=Console(file=self.stream))
            self.task = self.bar.add_task("", total=total, completed=self.before)

    def __enter__(self):
        if self.bar:
            self.bar.start()
        return self

    def __exit__(self, *_):
        if self.bar:
            self.bar.stop()

    def game(self, record):
        """A game is over and counted."""
        words = f"{self.score()}, {self.pace()}"
        if self.bar:
            self.bar.update(self.task, completed=len(self.results.done), description=words)
            if record.get("lines"):
                self.bar.console.print(self.line(record), highlight=False, markup=False)
        else:
            print(f"{len(self.results.done)}/{self.total} {self.line(record)} | {words}", file=self.stream, flush=True)

    @staticmethod
    def line(record):
        reason = record["termination"] + (f", {record['detail']}" if record["detail"] else "")
        return f"game {record['game'] + 1} {record['white']} - {record['black']} {record['result']} ({reason})"

    def score(self):
        scores = self.results.scores.values()
        return "; ".join((f"{s.opponent} " if len(scores) > 1 else "") + s.short() for s in scores)

    def pace(self):
        """Games a minute since the start or the resumption, and the time left if all are played."""
        done = len(self.results.done)
        rate = (done - self.before) / max(time.monotonic() - self.began, 1e-3)
        left = int((self.total - done) / rate) if rate else 0
        return f"{60 * rate:.1f} games/min, {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"
